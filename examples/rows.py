"""A metric with its intervals, of the results of `stowage run`: rows.py results.jsonl metric picture.png

A line per policy over the first axis of a sweep; without a sweep a bar per policy."""
import difflib
import os
import sys
import matplotlib
import pandas
matplotlib.use("Agg")
if len(sys.argv) != 4 or not os.path.isfile(sys.argv[1]):
    missing = f"{sys.argv[1]}: no such file\n" if len(sys.argv) == 4 else ""
    sys.exit(missing + "usage: rows.py results.jsonl metric picture.png, as in rows.py lab/results.jsonl wait_mean_s waits.png")
file, metric, picture = sys.argv[1:]
rows = pandas.read_json(file, lines=True).query("kind == 'summary'")
flat = pandas.json_normalize(rows.to_dict("records"), sep="/")
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
if axes:
    x = axes[0].removeprefix("origin/point/")
    flat[x] = pandas.to_numeric(flat[axes[0]])
    drawn = None
    for policy, of in flat.groupby("origin/policy"):
        drawn = of.plot(x, mean, yerr=half, label=policy, ax=drawn, ylabel=metric)
    print(flat.pivot_table(index=x, columns="origin/policy", values=mean).to_string())
else:
    drawn = flat.plot.bar("origin/policy", mean, yerr=half, legend=False, xlabel="", ylabel=metric)
    print(flat.set_index("origin/policy")[[mean, half]].rename(columns={mean: metric, half: "half-width"}).to_string())
drawn.figure.savefig(picture, bbox_inches="tight")
