"""Broken twins: the kernel names the place and the rule. The twins are those of the corpus."""

from __future__ import annotations

from corpus_cases import CORPUS

from separation.proving.kernel import check_text

PLACES = {
    "c1-m4-stored-row-off": "layer 0, kind table 1, slot positions: P1: row 3",
    "c1-m2-n2-radices": "layer 0, kind table 2, slot positions: P1: no segment",
    "c1-m2-positions-swapped": "layer 0, kind table 1, slot index[0]: P7",
    "c1-m2-shift-low": "layer 2, kind table 1, slot head 1: P3: score up to 6, shift 11/2",
    "c1-m2-size-over": "layer 1, kind table 1, slot head 1 q[0]: P8: up to 4001/1000",
    "c1-m2-large-at-end": "layer 2, kind table 1, slot found[0]: P8: up to 5",
    "c1-m2-unseen-token": "layer 1, kind table 1, slot pointer[0]: P7",
    "c1-m2-query-sign": "layer 2, kind w, slot pointer[0]: P7",
    "c1-m2-radius-under": "layer 1, kind z0, slot pointer[0]: P7: up to 1 off the claimed form, allowed 999/1000",
    "c1-m2-noise-dependent": "layer 1, kind z0, slot invariant: P7",
    "c1-m2-moduli-of-moduli": "layer 2, kind table 1, slot spare[2]: P7: up to 11/4",
    "c1-m3-two-heads-integral": "layer 1, kind every, slot W_O: integral",
    "c2-rf-linear-feature-everywhere": "layer 1, kind w, slot pointer[0]: P7",
    "c2-rff-delta-forgets": "layer 1, kind table 2, slot head 1 state: P10: not a sum over single",
    "c2-rf-delta-writes-always": "layer 1, kind table 1, slot head 1 state: P10: not a sum over single",
    "c2-fr-linear-noisy-state-under": "claim, state_bits: 15 claimed, 16 proved",
    "c2-fr-linear-no-grid-bits": "claim, state_bits: 1000000 claimed, None proved",
    "c2-rf-linear-fine-keys-integral": "layer 1, kind every, slot W_V: integral",
    "c3-fine-queries-integral": "layer 2, kind every, slot W_Q: integral",
    "c3-fine-values-integral": "layer 2, kind every, slot W_V: integral",
    "c3-m3-mirrored-tokens": "layer 0, kind table 1, slot tokens: P1",
    "c4-own-hop-as-global": "layer 3, kind table 1, slot pointer[0]: P7",
    "c5-hops-next-id": "layer 2, kind hop 1, slot unembedding: answer",
    "c6-n3-m5-cold": "layer 1, kind x, slot fired[0]: P7",
    "c7-same-offset": "layer 1, kind x, slot unembedding: answer: not every token is seen",
    "c7-summary-of-two": "layer 1, kind x, slot head 1: P11: a summary is not one token",
    "mqar-flat": "layer 1, kind queries, slot found[0]: P7",
}


def test_the_place_and_the_rule_are_named() -> None:
    for name, place in PLACES.items():
        verdict = check_text((CORPUS / "construction" / f"{name}.json").read_bytes())
        assert not verdict.ok, name
        assert verdict.message.startswith(place), (name, verdict.message)
