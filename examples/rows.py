"""A metric with its intervals, of the results of `stowage run`: rows.py results.jsonl metric picture.png

A line per policy over the first axis of a sweep; without a sweep a bar per policy. As in the report, the least and the
greatest of the runs are shown where an interval would be above half of its mean or a share above 1, and no interval of
one run reaches below 0 or above 1 (docs/statistics.md)."""
import difflib
import os
import sys
try:
    import matplotlib
    import pandas
except ImportError as missing:
    sys.exit(f"{missing.name} is missing: python3 -m pip install matplotlib pandas, or python3-matplotlib and"
             " python3-pandas of your system")
matplotlib.use("Agg")
if len(sys.argv) != 4 or not os.path.isfile(sys.argv[1]):
    missing = f"{sys.argv[1]}: no such file\n" if len(sys.argv) == 4 else ""
    sys.exit(missing + "usage: rows.py results.jsonl metric picture.png, as in rows.py lab/results.jsonl wait_mean_s waits.png")
file, metric, picture = sys.argv[1:]
rows = pandas.read_json(file, lines=True)
flat = pandas.json_normalize(rows.query("kind == 'summary'").to_dict("records"), sep="/")
mean, half = f"metrics/{metric}/mean", f"metrics/{metric}/halfWidth"
if mean not in flat:
    known = [name[len("metrics/") : -len("/mean")] for name in flat if name.startswith("metrics/") and name.endswith("/mean")]
    sys.exit(f"no metric {metric}; nearest: {', '.join(difflib.get_close_matches(metric, known, 5, 0.3))}")
flat[half] = flat[half].fillna(0) if half in flat else 0  # a single run has no interval
for row in flat[flat[mean].isna()].to_dict("records"):
    at = " ".join(f"{name.split('/')[-1]} = {row[name]}" for name in flat if name.startswith("origin/point/"))
    why = "the queue is unstable" if row.get("stability/verdict") == "unstable" else "not measured"
    print(f"no {metric} of {row['origin/policy']}{' at ' + at if at else ''}: {why}", file=sys.stderr)
flat = flat.dropna(subset=[mean]).copy()
axes = [name for name in flat if name.startswith("origin/point/")]
of_runs = {}
for run in rows.query("kind == 'run'").to_dict("records"):
    if metric in run["metrics"]:
        where = (run["origin"]["policy"], *(run["origin"]["point"].get(axis.removeprefix("origin/point/")) for axis in axes))
        of_runs.setdefault(where, []).append(run["metrics"][metric])
base = metric.split("{")[0]
signed = base.startswith("reward_")
share = base == "utilization" or base.endswith(("_fraction", "_share"))


def bar(row):
    """Lower and upper end, and whether they are the least and the greatest of the runs."""
    runs = of_runs.get((row["origin/policy"], *(row[axis] for axis in axes)), [])
    low, high = row[mean] - row[half], row[mean] + row[half]
    if not signed and len(runs) > 1 and (row[half] > row[mean] / 2 or (share and high > 1 + 1e-9)):
        return min(runs), max(runs), True
    return (low if signed else max(0, low)), (max(row[mean], min(1, high)) if share else high), False


flat[["low", "high", "of runs"]] = flat.apply(bar, axis=1, result_type="expand")


def ends(of):
    return [[(of[mean] - of["low"]).astype(float).to_numpy(), (of["high"] - of[mean]).astype(float).to_numpy()]]


if axes:
    x = axes[0].removeprefix("origin/point/")
    flat[x] = pandas.to_numeric(flat[axes[0]])
    drawn = None
    for policy, of in flat.groupby("origin/policy"):
        drawn = of.plot(x, mean, yerr=ends(of), label=policy, ax=drawn, ylabel=metric)
    print(flat.pivot_table(index=x, columns="origin/policy", values=mean).to_string())
else:
    drawn = flat.plot.bar("origin/policy", mean, yerr=ends(flat), legend=False, xlabel="", ylabel=metric)
    print(flat.set_index("origin/policy")[[mean, "low", "high", "of runs"]].rename(columns={mean: metric}).to_string())
if flat["of runs"].any():
    print("of runs: from the least to the greatest run, where two are too few or runs differ too much for an interval")
drawn.figure.savefig(picture, bbox_inches="tight")
