"""The proof book: one file a statement, with its check and the false neighbours that the same check must reject."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from proofs_checks.statement import Checked, CheckFailed, Statement, Status

FILES = (
    "d1_funccomp",
    "d2_exact_weights",
    "d2_quotient",
    "d3_two_sum",
    "d3_odd",
    "d4_sparse",
    "s1_codes",
    "s2_leakage",
    "s2_repeated",
    "s2_floors",
    "s3_look_up_error",
    "s4_clip",
    "s3_bit",
    "r_families",
    "r_window",
    "r_convolution",
    "c1_proved",
    "c1_exhaustive",
    "c1_width",
    "c2_proved",
    "c2_exhaustive",
    "words_proved",
    "c3_proved",
    "c3_exhaustive",
    "c3_least",
    "c4_proved",
    "c4_exhaustive",
    "c4_doubling",
    "c5_proved",
    "c5_exhaustive",
    "c6_gap",
    "c6_proved",
    "c6_exhaustive",
    "c7_proved",
    "c7_exhaustive",
    "c_keys",
    "sizes_measured",
    "m1_message_bits",
    "m1_coded",
    "m1_group",
    "m2_simulation",
    "m2_run",
    "m3_causal",
    "l1_averaging",
    "l2_cover",
    "l3_fixing",
    "t_levels",
    "t_run",
    "l4_choice",
    "l5_free_start",
    "l6_end",
    "l7_blind",
    "l7_run",
    "t_a",
    "t_b",
    "t_b_one",
    "t_c",
    "t_c_reach",
    "t_c_thought",
    "t_d",
    "t_d_criterion",
    "t_d_every",
    "t_golden",
    "t_golden_sizes",
    "t_monotone",
    "t_pad",
    "t_forty",
    "t_fixed",
    "t_small",
    "t_unordered",
    "t_depth",
    "t_room",
    "t_d_log",
    "c6_bits",
    "c7_layers",
    "t_d_layers",
    "p_1_1",
    "p_1_1_ours",
    "p_1_2",
    "p_2_2",
    "p_thought",
    "cpw_1_1",
    "cpw_1_1_ours",
    "cpw_can",
    "cpw_sizes",
    "t_hard",
    "t_beside",
)

__all__ = [
    "FILES",
    "CheckFailed",
    "Checked",
    "Statement",
    "Status",
    "statement",
    "statements",
    "table_of",
]


def statements() -> list[Statement]:
    """All statements, those that others rest on first."""
    return [statement(name) for name in FILES]


def statement(file: str) -> Statement:
    """The statement in one of FILES."""
    return import_module(f"proofs_checks.{file}").STATEMENT  # type: ignore[no-any-return]


def table_of(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Rows (id, title, status, scope) in Markdown."""
    lines = ["| id | statement | status | scope |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"
