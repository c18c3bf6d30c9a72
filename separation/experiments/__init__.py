"""Trained models next to the theory: plans, training, results, figures. torch is imported by what trains."""

from separation.experiments.executing import rows
from separation.experiments.runs import NAMES, Plan, Run, load_plan, read_csv, wilson, write_csv

__all__ = ["NAMES", "Plan", "Run", "load_plan", "read_csv", "rows", "wilson", "write_csv"]
