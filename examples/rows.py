"""Means with their intervals by load, of the results of `stowage run sweep-load`: rows.py results.jsonl metric picture.png"""
import sys
import matplotlib
import pandas
matplotlib.use("Agg")
rows = pandas.read_json(sys.argv[1], lines=True).query("kind == 'summary'")
flat = pandas.json_normalize(rows.to_dict("records"), sep="/")
flat["load"] = flat["origin/point/load"].astype(float)
axes = None
for policy, of in flat.groupby("origin/policy"):
    axes = of.plot("load", f"metrics/{sys.argv[2]}/mean", yerr=f"metrics/{sys.argv[2]}/halfWidth", label=policy, ax=axes, ylabel=sys.argv[2])
axes.figure.savefig(sys.argv[3])
print(flat.pivot(index="load", columns="origin/policy", values=f"metrics/{sys.argv[2]}/mean").to_string())
