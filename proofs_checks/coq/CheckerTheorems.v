(** The checker that is extracted to OCaml: its program is in Checker.v, what a claim says in Claims.v. *)
From Coq Require Import QArith.
From mathcomp Require Import seq.
From separation Require Import Claims Checker CheckerSound.

(** Every claim that the checker accepts holds, whatever exponents it was told to look up: for Theorems A, B, C, A2, A2_W, B2, B2c, A3, A3c, A_L and B_L,
    no model of that shape, or of that word, solves the task at these sizes; for C1, C2 and C3 some model does; for Theorem D, no sparse layer with that
    few summaries is right; by D', that none with that few errs so little and finds more; by C', A2 with λ_0 = 0 and E, that models of that word,
    drawn at random too, are right on at most that share of all inputs; of a construction, that with true weights at the exponents that were
    looked up, and any others elsewhere, the model answers every input by the margin; of a pair, a wrong answer and an exhaustive count, that the given model, run
    with the true weights, says so. *)
Theorem T_checker : forall (exponents : seq Q) (c : claim), accepts exponents c = true -> says c.
Proof. exact accepts_sound. Qed.
