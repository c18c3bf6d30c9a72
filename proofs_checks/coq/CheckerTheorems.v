(** The checker that is extracted to OCaml: its program is in Checker.v, what a claim says in Claims.v. *)
From separation Require Import Claims Checker CheckerSound.

(** Every claim that the checker accepts holds: for Theorems A, B, C, A2, B2, A3, A_L and B_L, no model of that shape, or of that word, solves the
    task at these sizes; for C1, C2 and C3 some model does; for Theorem D, no sparse layer with that few summaries is right. *)
Theorem T_checker : forall c : claim, accepts c = true -> says c.
Proof. exact accepts_sound. Qed.
