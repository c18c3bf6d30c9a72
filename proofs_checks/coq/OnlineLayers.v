(** Softmax in floating point, computed from left to right with a running maximum, is a Full layer: its accumulators are H·(d+2) words
    of b bits, whatever the operations on words do, at prompts of any length. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Online.
Variables (X : Type) (H d b : nat) (F : arithmetic b).
Variable score : nat -> nat -> nat -> X -> X -> 'I_(2 ^ b).
Variable v : nat -> nat -> nat -> X -> 'I_(2 ^ b).
Notation word := 'I_(2 ^ b).

(** The accumulators of all heads, as a finite type: a maximum, a sum of weights and d sums of values for each head. *)
Definition heads_type : finType := [finType of {ffun 'I_H -> word * word * d.-tuple word}].
Definition read_head (a : word * word * d.-tuple word) : accumulator b := (a.1, val a.2).
Definition write_head (a : accumulator b) : word * word * d.-tuple word := (a.1, mktuple (fun r => nth (zero F) a.2 r)).
Definition read_heads (a : heads_type) : seq (accumulator b) := [seq read_head (a h) | h <- enum 'I_H].
Definition heads_start : heads_type := [ffun=> write_head (lowest F, zero F, nseq d (zero F))].
Definition heads_step (i j : nat) (x y : X) (a : heads_type) : heads_type :=
  [ffun h : 'I_H => write_head (accumulated d F (read_head (a h)) (score h i j x y) (fun r => v h r j y))].

(** An accumulator with d sums is read as it was written. *)
Lemma write_headK (a : accumulator b) : size a.2 = d -> read_head (write_head a) = a.
Proof.
case: a => [a1 outs] /= so; congr pair; apply: (@eq_from_nth _ (zero F)); rewrite ?size_tuple // => r rd.
by rewrite -[r]/(val (Ordinal rd)) -tnth_nth tnth_mktuple.
Qed.
(** A head always has d sums. *)
Lemma size_online x i h j : size (online_head d F score v x i h j).2 = d.
Proof. by case: j => [|j] /=; rewrite ?size_nseq //; case: (online_head _ _ _ _ _ _ _ _) => -[? ?] ?; rewrite size_mkseq. Qed.
(** The accumulators after the tokens before j. *)
Lemma heads_state x i j : state heads_start (fun k a y => heads_step i k (x i) y a) x j
  = [ffun h : 'I_H => write_head (online_head d F score v x i h j)].
Proof.
elim: j => [|j IH] /=; first by apply/ffunP => h; rewrite !ffunE.
by rewrite IH; apply/ffunP => h; rewrite !ffunE write_headK ?size_online.
Qed.
(** ... and with token i itself. *)
Lemma heads_heard x i : read_heads (heads_step i i (x i) (x i) (state heads_start (fun k a y => heads_step i k (x i) y a) x i))
  = mkseq (fun h => online_head d F score v x i h i.+1) H.
Proof.
rewrite heads_state /mkseq -val_enum_ord -[RHS]map_comp; apply: eq_map => h.
by rewrite [LHS]/= !ffunE (write_headK (size_online x i h i)) (write_headK (size_online x i h i.+1)).
Qed.
(** H·(d+2) words. *)
Lemma card_heads : #|heads_type| = 2 ^ (H * ((d + 2) * b)).
Proof.
rewrite card_ffun card_ord !card_prod card_tuple !card_ord -expnM -!expnD -expnM; congr (2 ^ _).
by rewrite mulnC; congr (_ * _); rewrite mulnDl mul2n -addnn addnC mulnC.
Qed.
End Online.

(** M1 for floating point: the layer with no state. *)
Theorem online_layers_are_full X H d b (F : arithmetic b) score v (finish : nat -> X -> seq (accumulator b) -> X) :
  exists l : layer X, [/\ is_full l, sums l = 2 ^ (H * ((d + 2) * b)), states l = 1
    & forall x i, run x l i = online_softmax H d F score v finish x i].
Proof.
exists (Full (heads_start H d F) (heads_step F score v) (St := unit_finType) tt (fun _ s _ => s)
  (fun i x a _ => finish i x (read_heads (heads_step F score v i i x x a)))).
split=> [//|||x i]; [exact: card_heads | exact: card_unit | by rewrite /online_softmax -heads_heard].
Qed.
