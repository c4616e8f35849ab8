package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Spread;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The different constraints that requests in the system have, numbered from 1; 0 is none. A number is reused once no
 * request has it and a new one is needed, the lowest free one first; at most {@link #MOST} are in use at once. It also
 * counts the running requests of each spread group, by server or label value.
 */
final class ConstraintTable {
    /** No constraint: every server. */
    static final int NONE = 0;
    /** Most constraints in use at once: policies keep an index for each. */
    static final int MOST = Constraints.MOST_AT_ONCE;

    private static final long NEVER = -1;

    /** How many of a spread group run on each server, or on servers with each value of a label. */
    private static final class Counter {
        private final String key;
        private final Map<Object, int[]> counts = new TreeMap<>();
        private int uses;

        Counter(String key) {
            this.key = key;
        }

        int at(Object where) {
            int[] count = counts.get(where);
            return count == null ? 0 : count[0];
        }

        void add(Object where, int sign) {
            int[] count = counts.computeIfAbsent(where, first -> new int[1]);
            count[0] += sign;
            if (count[0] == 0) {
                counts.remove(where);
            }
        }
    }

    /** Its counters by label key. */
    private static final class SpreadGroup {
        private final Map<String, Counter> counters = new LinkedHashMap<>();
    }

    /** The constraints of a number. */
    private static final class InUse {
        private final Constraints what;
        private final ServerGroups.FixedCondition selector;
        private final BitSet avoid = new BitSet();
        private final List<Counter> counters = new ArrayList<>();
        private final boolean spreadsOverLabels;
        private int holders;
        /** Capacity classes with a server that it admits, whatever runs, as of a {@link ServerGroups#state}. */
        private int[] classes = {};

        private long classesAsOf = NEVER;

        InUse(Constraints what, ServerGroups.FixedCondition selector) {
            this.what = what;
            this.selector = selector;
            what.avoid().forEach(avoid::set);
            spreadsOverLabels = what.spread().stream().anyMatch(spread -> !spread.perServer());
        }
    }

    private final Servers servers;
    final ServerGroups groups;
    private final List<@Nullable InUse> entries = new ArrayList<>();
    private final Map<Constraints, Integer> numbers = new LinkedHashMap<>();
    private final Map<String, SpreadGroup> spreadGroups = new LinkedHashMap<>();
    private final BitSet free = new BitSet();
    private final List<Constraints> saved = new ArrayList<>();
    private long constrained;
    private long beyondSites;
    private long limitedToSites;
    private long penalized;

    ConstraintTable(Servers servers) {
        this.servers = servers;
        groups = new ServerGroups(servers);
        entries.add(null);
    }

    /** Numbers are below this. */
    int used() {
        return entries.size();
    }

    /** Requests with a constraint. */
    long constrained() {
        return constrained;
    }

    /** Requests with a set of sites. */
    long limitedToSites() {
        return limitedToSites;
    }

    /** Requests with a constraint beyond a set of sites. */
    long beyondSites() {
        return beyondSites;
    }

    /** Requests that do not like all servers alike. */
    long penalized() {
        return penalized;
    }

    private InUse entry(int number) {
        return Objects.requireNonNull(entries.get(number));
    }

    Constraints what(int number) {
        return number == NONE ? Constraints.NONE : entry(number).what;
    }

    /** Number of the given constraints, a new one if necessary; {@code MOST + 1} if none is left. */
    int find(Constraints what, Jobs jobs) {
        if (what.isNone()) {
            return NONE;
        }
        Integer known = numbers.get(what);
        if (known != null) {
            return known;
        }
        int number = free.nextSetBit(0);
        if (number < 0) {
            number = entries.size();
            if (number > MOST) {
                return number;
            }
            entries.add(null);
        } else {
            forget(number);
        }
        put(number, what, jobs);
        return number;
    }

    private void put(int number, Constraints what, @Nullable Jobs jobs) {
        InUse entry = new InUse(what, groups.use(what.sites(), what.terms()));
        entries.set(number, entry);
        numbers.put(what, number);
        free.set(number);
        for (Spread spread : what.spread()) {
            SpreadGroup group = spreadGroups.computeIfAbsent(spread.group(), name -> new SpreadGroup());
            Counter counter = group.counters.get(spread.key());
            if (counter == null) {
                counter = new Counter(spread.key());
                boolean others = !group.counters.isEmpty();
                group.counters.put(spread.key(), counter);
                if (others && jobs != null) {
                    countAll(spread.group(), counter, jobs);
                }
            }
            counter.uses++;
            entry.counters.add(counter);
            if (!spread.perServer()) {
                groups.useKey(spread.key());
            }
        }
        if (!what.penalty().isEmpty()) {
            groups.useKey(what.penalty());
        }
    }

    /** Counts the running requests of a group for a label that is new for it. */
    private void countAll(String group, Counter counter, Jobs jobs) {
        jobs.forEachRunning((job, server) -> {
            int number = jobs.constraint(job);
            if (number != NONE
                    && entry(number).what.spread().stream()
                            .anyMatch(one -> one.group().equals(group))) {
                count(counter, server, 1);
            }
        });
    }

    private void forget(int number) {
        InUse entry = entry(number);
        numbers.remove(entry.what, number);
        groups.forget(entry.selector);
        if (!entry.what.penalty().isEmpty()) {
            groups.forgetKey(entry.what.penalty());
        }
        for (int k = 0; k < entry.counters.size(); k++) {
            Spread spread = entry.what.spread().get(k);
            Counter counter = entry.counters.get(k);
            if (!spread.perServer()) {
                groups.forgetKey(spread.key());
            }
            if (--counter.uses == 0) {
                SpreadGroup group = Objects.requireNonNull(spreadGroups.get(spread.group()));
                group.counters.remove(spread.key());
                if (group.counters.isEmpty()) {
                    spreadGroups.remove(spread.group());
                }
            }
        }
    }

    /** One more request has the constraints. */
    void hold(int number) {
        InUse entry = entry(number);
        entry.holders++;
        free.clear(number);
        constrained++;
        beyondSites += entry.what.hasSitesOnly() ? 0 : 1;
        limitedToSites += entry.what.sites().isEmpty() ? 0 : 1;
        penalized += entry.what.penalty().isEmpty() ? 0 : 1;
    }

    /** One request fewer has the constraints. */
    void release(int number) {
        InUse entry = entry(number);
        if (--entry.holders == 0) {
            free.set(number);
        }
        constrained--;
        beyondSites -= entry.what.hasSitesOnly() ? 0 : 1;
        limitedToSites -= entry.what.sites().isEmpty() ? 0 : 1;
        penalized -= entry.what.penalty().isEmpty() ? 0 : 1;
    }

    /** A request with the constraints came to a server ({@code sign} 1) or left it (-1). */
    void count(int number, int server, int sign) {
        List<Spread> spread = entry(number).what.spread();
        for (int k = 0; k < spread.size(); k++) {
            String name = spread.get(k).group();
            // The spreads are sorted by group: each is counted once.
            if (k == 0 || !name.equals(spread.get(k - 1).group())) {
                for (Counter counter :
                        Objects.requireNonNull(spreadGroups.get(name)).counters.values()) {
                    count(counter, server, sign);
                }
            }
        }
    }

    private void count(Counter counter, int server, int sign) {
        if (counter.key.isEmpty()) {
            counter.add(server, sign);
        } else {
            String value = servers.labels(server).values().get(counter.key);
            if (value != null) {
                counter.add(value, sign);
            }
        }
    }

    boolean allowsSite(int number, int site) {
        return number == NONE
                || entry(number).what.sites().isEmpty()
                || entry(number).what.sites().contains(site);
    }

    /** Whether room may appear on other servers than the one that a request leaves. */
    boolean spreadsOverLabels(int number) {
        return number != NONE && entry(number).spreadsOverLabels;
    }

    /** Whether a server is admitted now. */
    boolean admits(int number, int server) {
        if (number == NONE) {
            return true;
        }
        InUse entry = entry(number);
        int profile = groups.profile(server);
        if (!entry.selector.admitsProfile(profile) || entry.avoid.get(server)) {
            return false;
        }
        for (int k = 0; k < entry.counters.size(); k++) {
            Counter counter = entry.counters.get(k);
            boolean hasRoom = counter.key.isEmpty()
                    ? counter.at(server) < entry.what.spread().get(k).most()
                    : valueHasRoom(entry, k, profile);
            if (!hasRoom) {
                return false;
            }
        }
        return true;
    }

    /** Whether servers of a group are admitted now, except for those of them that {@link #admits} excludes. */
    boolean admitsGroup(int number, int group) {
        if (number == NONE) {
            return true;
        }
        InUse entry = entry(number);
        int profile = groups.example(group);
        if (!entry.selector.admitsProfile(profile)) {
            return false;
        }
        for (int k = 0; k < entry.counters.size() && entry.spreadsOverLabels; k++) {
            if (!entry.counters.get(k).key.isEmpty() && !valueHasRoom(entry, k, profile)) {
                return false;
            }
        }
        return true;
    }

    /** How little the servers of a group are liked. */
    int penalty(int number, int group) {
        return number == NONE || entry(number).what.penalty().isEmpty()
                ? 0
                : entry(number).what.penalty(groups.labels(groups.example(group)));
    }

    private boolean valueHasRoom(InUse entry, int k, int profile) {
        Counter counter = entry.counters.get(k);
        String value = groups.value(profile, counter.key);
        return value != null && counter.at(value) < entry.what.spread().get(k).most();
    }

    /**
     * Whether some server that is not gone, and that the constraints admit regardless of what runs, could hold this if
     * it and its site were empty. O(capacity classes); times groups if a server or a group changed since it was asked
     * about these constraints.
     */
    boolean couldHold(long[] demand, long[] pooledDemand, int number) {
        if (number == NONE) {
            return servers.couldHold(demand, pooledDemand);
        }
        for (int capacityClass : classes(entry(number))) {
            if (servers.classHolds(capacityClass, demand, pooledDemand)) {
                return true;
            }
        }
        return false;
    }

    private int[] classes(InUse entry) {
        if (entry.classesAsOf != groups.state()) {
            BitSet found = new BitSet();
            groups.forEachPair((capacityClass, group, count) -> {
                if (isPossible(entry, groups.example(group)) && count > avoided(entry, capacityClass, group)) {
                    found.set(capacityClass);
                }
            });
            entry.classes = found.stream().toArray();
            entry.classesAsOf = groups.state();
        }
        return entry.classes;
    }

    private boolean isPossible(InUse entry, int profile) {
        return entry.selector.admitsProfile(profile)
                && entry.what.spread().stream()
                        .allMatch(spread -> spread.perServer() || groups.value(profile, spread.key()) != null);
    }

    private int avoided(InUse entry, int capacityClass, int group) {
        int avoided = 0;
        for (int server = entry.avoid.nextSetBit(0); server >= 0; server = entry.avoid.nextSetBit(server + 1)) {
            boolean isOne = !servers.isGone(server)
                    && servers.capacityClass(server) == capacityClass
                    && groups.group(server) == group;
            avoided += isOne ? 1 : 0;
        }
        return avoided;
    }

    void save(StateWriter out) {
        out.putInt(entries.size());
        for (int number = 1; number < entries.size(); number++) {
            write(out, entry(number).what);
        }
    }

    static void write(StateWriter out, Constraints what) {
        putInts(out, what.sites());
        out.putString(what.termsText());
        putInts(out, what.avoid());
        out.putInt(what.spread().size());
        what.spread().forEach(spread -> out.putString(spread.toString()));
        out.putString(what.penalty());
    }

    private static void putInts(StateWriter out, List<Integer> numbers) {
        out.putInts(numbers.stream().mapToInt(Integer::intValue).toArray(), numbers.size());
    }

    /** Reads the constraints, to be followed by {@link #restored} when the rest is known. */
    void restore(StateReader in, boolean old) {
        int size = in.getInt();
        for (int number = 1; number < size; number++) {
            saved.add(old ? sitesAlone(in) : read(in));
        }
    }

    /** Counts the requests that have the constraints that were read, and what runs where. */
    void restored(Jobs jobs) {
        for (Constraints what : saved) {
            entries.add(null);
            put(entries.size() - 1, what, null);
        }
        saved.clear();
        for (int job = 0; job < jobs.used(); job++) {
            if (jobs.constraint(job) != NONE) {
                hold(jobs.constraint(job));
            }
        }
        jobs.forEachRunning((job, server) -> {
            if (jobs.constraint(job) != NONE) {
                count(jobs.constraint(job), server, 1);
            }
        });
    }

    static Constraints read(StateReader in) {
        List<Integer> sites = getInts(in);
        String terms = in.getString();
        List<Integer> avoid = getInts(in);
        List<Spread> spread = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            spread.add(Spread.parse(in.getString()));
        }
        return new Constraints(sites, Constraints.parseTerms(terms), avoid, spread, in.getString());
    }

    private static List<Integer> getInts(StateReader in) {
        List<Integer> numbers = new ArrayList<>();
        for (int number : in.getInts()) {
            numbers.add(number);
        }
        return numbers;
    }

    /** A set of sites as bits, and how many requests have it. */
    private static Constraints sitesAlone(StateReader in) {
        BitSet sites = BitSet.valueOf(in.getLongs());
        in.getInt();
        return Constraints.sites(sites.stream().toArray());
    }
}
