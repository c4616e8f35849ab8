#!/usr/bin/env python3
"""Checks a certificate of `stowage size --certificate` against a trace in Stowage's own format (CSV, plain or gz).

    check_certificate.py certificate.json requests.csv
    check_certificate.py certificate.json drawn.csv --from-zero    requests that Stowage drew and wrote beside it

Time 0 is the first arrival, as in Stowage; in requests that were drawn it is 0 of their own times.

Works the bound out anew from the trace, the servers, the target and the prices of the certificate, in whole numbers,
with nothing but the standard library: it shares no line with Stowage. Exit code 0 if the bound holds, 1 if not.
What is checked, and why it is a bound: docs/sizing.md of Stowage.
"""
import csv
import gzip
import json
import sys
from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import ceil, gcd

MOST_STATES = 20_000_000


class Wrong(Exception):
    """The certificate does not prove what it says."""


def need(holds, why):
    if not holds:
        raise Wrong(why)


def requests_of(path, resources, from_zero):
    """Requests as (arrival ns, end ns or None, demands, type), members of a gang one by one, in order of arrival."""
    with open(path, "rb") as probe:
        opened = gzip.open if probe.read(2) == b"\x1f\x8b" else open
    rows = []
    with opened(path, "rt", newline="", encoding="utf-8") as text:
        reader = csv.DictReader(text)
        need(reader.fieldnames and "arrival_s" in reader.fieldnames, path + ": no column arrival_s")
        need(any(r in reader.fieldnames for r in resources), path + ": none of the resources is a column")
        for row in reader:
            arrival = nanos(row["arrival_s"])
            duration = row.get("duration_s") or ""
            demand = tuple(ceil(Decimal(row.get(r) or 0)) for r in resources)
            members = max(int(row.get("nodes") or 1), int(row.get("gang") or 1))
            until = None if not duration.strip() else arrival + nanos(duration)
            rows += [(arrival, until, demand, row.get("type") or "")] * members
    rows.sort(key=lambda row: row[0])
    begin = rows[0][0] if rows and not from_zero else 0
    return [(arrival - begin, None if until is None else until - begin, demand, kind) for arrival, until, demand, kind in rows]


def nanos(text):
    return int(Decimal(text) * 10**9)


def heaviest(capacity, types):
    """The most that types weigh that fit together: a table over amounts, in units that all demands are multiples of."""
    unit = [reduce(gcd, (d[r] for d, _ in types), 0) or 1 for r in range(len(capacity))]
    size = [c // u + 1 for c, u in zip(capacity, unit)]
    steps = [tuple(a // u for a, u in zip(d, unit)) for d, _ in types]
    states = reduce(lambda a, b: a * b, size, 1)
    if states > MOST_STATES:
        return branch(capacity, types)
    stride = [reduce(lambda a, b: a * b, size[r + 1:], 1) for r in range(len(size))]
    best = [0] * states
    for step, (_, weight) in zip(steps, types):
        if any(s >= n for s, n in zip(step, size)):
            continue
        back = sum(s * t for s, t in zip(step, stride))
        for at in indexes(step, size, stride):
            with_it = best[at - back] + weight
            if with_it > best[at]:
                best[at] = with_it
    return best[-1]


def indexes(low, size, stride):
    """Of all amounts of at least low, ascending."""
    if not size:
        yield 0
        return
    for amount in range(low[0], size[0]):
        for rest in indexes(low[1:], size[1:], stride[1:]):
            yield amount * stride[0] + rest


def branch(capacity, types):
    """The same by branch and bound, for amounts of which there are too many."""
    def density(kind):
        return Fraction(kind[1]) / max(Fraction(a, c) for a, c in zip(kind[0], capacity) if c)

    order = sorted(types, key=density, reverse=True)
    best = 0
    stack = [(0, tuple(capacity), 0)]
    while stack:
        at, left, worth = stack.pop()
        best = max(best, worth)
        if at == len(order):
            continue
        # What is left holds at most this: the roomiest resource, at the best density of those to come.
        room = max(Fraction(a, c) for a, c in zip(left, capacity) if c)
        if worth + density(order[at]) * room <= best:
            continue
        demand, weight = order[at]
        most = min(l // d for l, d in zip(left, demand) if d)
        for count in range(most + 1):
            stack.append((at + 1, tuple(l - count * d for l, d in zip(left, demand)), worth + count * weight))
    return best


def allowed_by(its, count, later, end, last):
    """How many of so many requests may begin later than `later` after their arrival."""
    within = its["withinNanos"]
    if its["kind"] == "missed":
        need(later == (within or 0), "laterNanos is not what the target says")
        return count * its["partPerMillion"] // 10**6
    if its["kind"] == "mean_wait":
        total = within * count
    else:
        need(its["kind"] == "waiting", "an unknown requirement: " + its["kind"])
        total = Fraction(Decimal(str(its["limit"]))) * (end if end is not None else last)
    # Markov: so many at most wait longer, for all their waits together.
    return int(total // later) if later > 0 else (0 if total == 0 else count)


def weigher(evidence, resources, kinds):
    """What a demand is worth at a moment, and what each kind of server can hold; without moments, at every moment."""
    always = not evidence["momentsNanos"]
    if evidence["kind"] == "amounts" and always:
        need(len(evidence["prices"]) == 1 and all(p >= 0 for p in evidence["prices"][0]), "not one row of prices")
        price = evidence["prices"][0]

        def amount(demand):
            return sum(p * d for p, d in zip(price, demand))

        return amount, [amount(k["capacity"]) for k in kinds]
    if evidence["kind"] == "amounts":
        prices = evidence["prices"]
        need(all(p >= 0 for moment in prices for p in moment), "a price is below 0")
        need(len(prices) == len(evidence["momentsNanos"]), "not as many prices as moments")
        total = [sum(moment[r] for moment in prices) for r in range(len(resources))]
        return None, [sum(t * c for t, c in zip(total, k["capacity"])) for k in kinds]
    need(len(evidence["momentsNanos"]) == 1 or (always and evidence["kind"] == "packed"), "not one moment")
    need(evidence["kind"] == "packed", "an unknown kind of evidence: " + evidence["kind"])
    need(all(k["stay"] == 0 for k in kinds), "servers that stay")
    types = [(tuple(t["demand"]), t["weight"]) for t in evidence["types"]]
    need(all(any(d) and min(d) >= 0 and w >= 0 for d, w in types), "a type that demands nothing, or of a weight below 0")
    for kind, said in zip(kinds, evidence["heaviest"]):
        found = heaviest(kind["capacity"], types)
        need(found <= said, "a server can hold %d, not %d at most" % (found, said))
    known = {}

    def packed(demand):
        if demand not in known:
            known[demand] = max((w for d, w in types if all(a >= b for a, b in zip(demand, d))), default=0)
        return known[demand]

    return packed, evidence["heaviest"]


def run_needs(certificate, fit, weight, each, last):
    """What is needed over the whole run: weights times nanoseconds, and what each kind holds of them."""
    its, run = certificate["requirement"], certificate["run"]
    end = run["endNanos"]
    # A run that has had all the requests it may have ends with the last of them.
    if end is None or (run["mostRequests"] is not None and len(fit) + certificate["fitNone"] >= run["mostRequests"]):
        end = last
    paid = {(tuple(p["demand"]), p["type"]): p["micros"] for p in certificate["pays"]}
    untyped = {tuple(p["demand"]): p["micros"] for p in certificate["pays"]}
    needed = left = 0
    for arrival, until, demand, kind in fit:
        nanos = (end if until is None else min(until, end)) - arrival
        if nanos <= 0 or not any(demand):
            continue
        if its["kind"] == "stable":
            needed += weight(demand) * nanos
            continue
        micros = paid.get((demand, kind), untyped.get(demand))
        need(micros is not None, "nothing says what a request of %s earns" % (demand,))
        left += max(0, micros * certificate["perReward"] - weight(demand)) * nanos
    if its["kind"] == "reward":
        need(certificate["perReward"] > 0 and run["slotNanos"] == 0, "no weight of the reward, or slots")
        needed = Fraction(Decimal(str(its["limit"]))) * end * certificate["perReward"] - left
    return needed, [e * end for e in each]


def check(certificate, trace, from_zero):
    need(certificate["format"] == "stowage certificate 1", "an unknown format: " + str(certificate["format"]))
    resources, kinds, run = certificate["resources"], certificate["kinds"], certificate["run"]
    evidence, its = certificate["evidence"], certificate["requirement"]
    rows = requests_of(trace, resources, from_zero)
    if run["mostRequests"] is not None:
        rows = rows[: run["mostRequests"]]
    if run["endNanos"] is not None:
        rows = [row for row in rows if row[0] < run["endNanos"]]
    need(rows, "no requests")
    last = rows[-1][0]
    end = last if run["endNanos"] is None else min(last, run["endNanos"])

    exact = any(row[3] == its["type"] for row in rows)

    def counts(row):
        if not its["type"]:
            return True
        alike = list(row[2]) == its["shape"]
        if not exact and row[3].startswith(its["type"] + " (") and row[3].endswith(")"):
            return True
        return row[3] == its["type"] or (alike and (not row[3] or its["type"].startswith(row[3] + " (")))

    mine = [row for row in rows if counts(row)]
    need(len(mine) == certificate["requests"],
         "%d requests in the trace, %d in the certificate: not the same requests" % (len(mine), certificate["requests"]))
    fit = [row for row in mine if any(all(d <= c for d, c in zip(row[2], k["capacity"])) for k in kinds)]
    later = certificate["laterNanos"] - run["slotNanos"]
    need(later >= 0 and run["slotNanos"] >= 0, "a time below 0")
    if its["kind"] in ("stable", "reward"):
        need(not evidence["momentsNanos"] and certificate["spare"] == 0 and not certificate["spareSite"], "moments, or a spare, of a whole run")
        weight, each = weigher(evidence, resources, kinds)
        held, each = run_needs(certificate, fit, weight, each, last)
        return conclude(certificate, kinds, held, each, 0)
    allowed = max(0, allowed_by(its, len(mine), later, run["endNanos"], last) - (len(mine) - len(fit)))
    need(allowed <= certificate["allowed"], "%d may miss the target, not %d" % (allowed, certificate["allowed"]))
    moments = evidence["momentsNanos"]
    need(moments and moments == sorted(set(moments)) and moments[-1] <= end, "moments out of order, or after the last arrival")
    weight, each = weigher(evidence, resources, kinds)
    before = [[0] * len(resources)]
    if weight is None:
        for moment in evidence["prices"]:
            before.append([b + p for b, p in zip(before[-1], moment)])
    worths = []
    for arrival, until, demand, _ in fit:
        first = bisect_left(moments, arrival + certificate["laterNanos"])
        behind = len(moments) if until is None else bisect_left(moments, until)
        if first < behind:
            worths.append(weight(demand) if weight else
                          sum((before[behind][r] - before[first][r]) * d for r, d in enumerate(demand)))
    worths.sort()
    held = sum(worths[: max(0, len(worths) - certificate["allowed"])])
    spare = certificate["spare"]
    need(spare >= 0 and (spare == 0 and not certificate["spareSite"] or certificate["laterNanos"] == 0 and len(moments) == 1),
         "a spare over time")
    return conclude(certificate, kinds, held, each, spare)


def fewest(held, listed, spare, any_site):
    """How many servers hold so much, whichever of the list they are, when those that hold least, as many of any one kind, or a site, are lost.

    They may be divided over the sites in any way that the list allows. Of servers that are alike, the next is one of the list at
    the site that has fewest, and beyond the list one more there.
    """
    total = sum(count for _, count, _, _ in listed)
    names = list(dict.fromkeys(site for _, _, site, _ in listed))
    own = [sum(count for _, count, site, _ in listed if site == name) for name in names]
    alike = {}
    for each, count, _, capacity in listed:
        alike[capacity] = (each, count + alike.get(capacity, (0, 0))[1])

    def best(some, lists, rest, lost):
        chosen = []
        for each, count, *_ in sorted(some, reverse=True):
            chosen.append((each, lists * count + min(rest, count)))
            rest -= min(rest, count)
        worth = 0
        for each, count in reversed(chosen):
            worth += each * (count - min(lost, count))
            lost -= min(lost, count)
        return worth

    def without_a_kind(lists, rest, gone):
        """The most where no kind loses more than this; -1 if there is no such choice."""
        worth = -gone
        for each, count in sorted(alike.values(), reverse=True):
            allowed = lists * count + rest if each * spare <= gone else gone // each
            taken = lists * count + min(rest, count, allowed - lists * count)
            if taken < lists * count:
                return -1
            rest -= taken - lists * count
            worth += each * taken
        return worth if rest == 0 else -1

    def can_spare(name, lists, rest):
        """The most servers at a site without which the others hold it all; -1 if there is no such number."""
        here = sum(count for _, count, site, _ in listed if site == name)
        others = [k for k in listed if k[2] != name]
        for more in range(min(rest, here), -1, -1):
            if best(others, lists, rest - more, spare) >= held:
                return lists * here + more
        return -1

    def enough(number):
        lists, rest = divmod(number, total)
        if most(number) < held:
            return False
        if not any_site or len(alike) == 1:
            return True
        spared = [can_spare(name, lists, rest) for name in names]
        return min(spared) >= 0 and sum(spared) >= number

    def most(number):
        lists, rest = divmod(number, total)
        worth = best(listed, lists, rest, spare)
        if spare > 0:
            lost = {each * n for each, count in alike.values() for n in range(1, min(spare, (lists + 1) * count) + 1)}
            worth = min(worth, max(0, max(without_a_kind(lists, rest, gone) for gone in lost)))
        if any_site and len(alike) == 1:
            (each, _), = alike.values()
            worth = min(worth, each * max(0, number - max(evenly(number)) - spare))
        return worth

    def evenly(number):
        filled = [0] * len(names)
        for n in range(number):
            allowed = [s for s in range(len(names)) if n >= total or filled[s] < own[s]]
            filled[min(allowed, key=lambda s: filled[s])] += 1
        return filled

    if held <= 0:
        return 0
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def conclude(certificate, kinds, held, each, spare):
    """What follows where servers must hold so much, and each of a kind holds so much of it."""
    if certificate["together"]:
        stay = sum(k["stay"] * e for k, e in zip(kinds, each))
        listed = [(e, k["count"], k["site"], tuple(k["capacity"])) for k, e in zip(kinds, each) if k["count"] > 0]
        need(listed and max(listed)[0] > 0, "a server holds nothing")
        site = certificate["spareSite"]
        need((spare == 0 and not site) or all(k["stay"] == 0 for k in kinds), "a spare beside servers that stay")
        servers = fewest(held - stay, listed, spare, site) + sum(k["stay"] for k in kinds)
        need(servers >= certificate["serversAtLeast"],
             "only %d servers follow, not %d" % (servers, certificate["serversAtLeast"]))
        return "at least %d servers" % certificate["serversAtLeast"]
    need(all(k["stay"] == 0 for k in kinds), "servers that stay")
    cost = held * min(Fraction(Decimal(str(k["price"]))) / e for k, e in zip(kinds, each) if e > 0)
    need(cost >= Fraction(Decimal(str(certificate["costAtLeast"]))),
         "only %.6f follows, not %.6f" % (cost, certificate["costAtLeast"]))
    return "at least %.6f" % certificate["costAtLeast"]


def main(arguments):
    from_zero = arguments[2:] == ["--from-zero"]
    if len(arguments) != 2 and not from_zero:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            certificate = json.load(file)
        print("holds: " + check(certificate, arguments[1], from_zero))
        return 0
    except (Wrong, OSError, KeyError, TypeError, ValueError, ArithmeticError, IndexError) as wrong:
        print("does not hold: %s" % (wrong if isinstance(wrong, Wrong) else repr(wrong)), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
