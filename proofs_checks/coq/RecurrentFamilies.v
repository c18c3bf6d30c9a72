(** Eight recurrent families as Rec layers, with H·d_k·d_v numbers of state, p = b + 1 bits each
    (normalised linear attention: one value more). The formulas are those of `separation recurrences`. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Prompt SoftmaxLayers ScanLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A number below d_v·d_k·H is one row, one column and one head. *)
Lemma entry_place dk dv h a r : a < dk -> r < dv -> let t := (h * dk + a) * dv + r in
  [/\ t %/ (dk * dv) = h, (t %/ dv) %% dk = a & t %% dv = r].
Proof.
move=> ak rv /=; have dv0 : 0 < dv by apply: leq_ltn_trans rv. have dk0 : 0 < dk by apply: leq_ltn_trans ak.
have quo : ((h * dk + a) * dv + r) %/ dv = h * dk + a by rewrite divnMDl // divn_small // addn0.
split; last by rewrite modnMDl modn_small.
- by rewrite [dk * dv]mulnC divnMA quo divnMDl // divn_small // addn0.
- by rewrite quo modnMDl modn_small.
Qed.

(** Entry (h, a, r) of the state is what the step says, cut to p bits. *)
Theorem recurrent_entry X F (o : offers X) H dk dv f b x i h a r : h < H -> a < dk -> r < dv ->
  let state := scan (H * dk * dv) b (next_of F o dk dv f) x in
  state_entry dk dv (state i.+1) h a r = fit b (step_of F o dk dv f (state i) (x i) h a r).
Proof.
move=> hH ak rv /=; have [e1 e2 e3] := entry_place h ak rv.
have small : (h * dk + a) * dv + r < H * dk * dv.
  by rewrite [X in _ < X]mulnC; apply: pair_lt rv; rewrite [X in _ < X]mulnC; apply: pair_lt.
by rewrite {1}/state_entry nth_mkseq // /next_of e1 e2 e3.
Qed.

(** Each family is a Rec layer of the theorems. *)
Theorem families_are_rec X F (o : offers X) H dk dv f b : exists l : layer X,
  [/\ is_full l = false, states l = 2 ^ (H * dk * dv * b.+1) & forall x i, run x l i = recurrent F o H dk dv f b x i].
Proof.
exists (scan_layer (H * dk * dv) b (next_of F o dk dv f) (read_out o H dk dv f)).
by split=> // [|x i]; [exact: scan_bits | exact: scan_is_rec].
Qed.
