"""Trained models next to the theory: plans, training, results, figures. torch is imported by what trains."""

from separation.experiments.executing import outcomes
from separation.experiments.plan import NAMES, Plan, load_plan
from separation.experiments.runs import Outcome, Run, read_csv, rows, wilson, write_csv

__all__ = ["NAMES", "Outcome", "Plan", "Run", "load_plan", "outcomes", "read_csv", "rows", "wilson", "write_csv"]
