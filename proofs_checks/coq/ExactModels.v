(** Models of softmax and scan layers, as one computes them, are models of the theorems.

    For prompts of at most 2^k tokens they give the same outputs, and their messages and states have the bits that
    M1 and the recurrent families count. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Counting Knowledge SoftmaxLayers ScanLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Layers.
Variable X : Type.
(** Cut weights and values are in their ranges. *)
Lemma weight_bound P (e : nat -> nat -> nat -> X -> X -> Z) h i j x y : (0 <= weight P e h i j x y <= 2 ^ Z.of_nat P)%Z.
Proof. by have := pow2_pos P; rewrite /weight; lia. Qed.
(** Values are in their range too. *)
Lemma value_bound p (v : nat -> nat -> X -> Z) t j y : (- 2 ^ Z.of_nat p <= value p v t j y <= 2 ^ Z.of_nat p)%Z.
Proof. by have := pow2_pos p; rewrite /value; lia. Qed.

(** The layer of the theorems. *)
Definition as_layer (k : nat) (l : exact_layer X) : layer X :=
  match l with
  | Attention H d P p e v finish => softmax_layer H d P p k (weight P e) (value p v) finish
  | Recurrence A b next read => scan_layer A b next read
  end.

(** It gives the same, and so do several. *)
Lemma as_layer_run k x l i : i < 2 ^ k -> run x (as_layer k l) i = compute x l i.
Proof.
case: l => [H d P p e v fin|A b next read] small /=; last exact: scan_is_rec.
by apply: softmax_is_full => // *; [exact: weight_bound | exact: value_bound].
Qed.

(** Layer after layer. *)
Lemma as_layer_foldl k x ls i : i < 2 ^ k ->
  foldl (@run X) x (map (as_layer k) ls) i = foldl (@compute X) x ls i.
Proof.
elim: ls x i => [|l ls IH] x i small //=; rewrite -(IH _ _ small).
by apply: (@acts_causal _ _ _ _ i) => // j ji; apply: as_layer_run; apply: leq_ltn_trans small.
Qed.

(** Its sums and states, counted. *)
Lemma as_layer_sums k l : sums (as_layer k l) = 2 ^ soft_bits k l.
Proof. by case: l => [H d P p e v fin|A b next read]; [exact: softmax_bits | rewrite /= expn0]. Qed.
(** 2^bits states. *)
Lemma as_layer_states k l : states (as_layer k l) = 2 ^ linear_bits l.
Proof. by case: l => [H d P p e v fin|A b next read]; [rewrite /= card_unit | exact: scan_bits]. Qed.
End Layers.

(** The model of the theorems. *)
Definition as_model (k : nat) (md : exact_model) : model :=
  Model (@first md) (map (as_layer k) (stack md)) (@last_word md).

(** The arithmetic link: bit for bit the same outputs, with the bits of M1 and of the states. *)
Theorem exact_model_is_model k md q : 0 < size q <= 2 ^ k -> output (as_model k md) q = exact_output md q.
Proof.
move=> /andP[q0 qk]; rewrite /output /exact_output /as_model /=; congr (last_word _).
by apply: as_layer_foldl; rewrite (leq_trans _ qk) // ltn_predL.
Qed.

(** The messages have M1's bits. *)
Theorem exact_model_message_bits k md beta :
  all (fun l => soft_bits k l <= beta) (stack md) -> message_bits (as_model k md) beta.
Proof.
rewrite /message_bits /as_model /=; elim: (stack md) => //= l ls IH /andP[lb /IH ->]; rewrite andbT.
by rewrite as_layer_sums leq_exp2l.
Qed.

(** The states have the bits that are counted. *)
Theorem exact_model_state_bits k md Lam :
  (forall t, linear_bits_upto t (stack md) <= Lam t) -> state_bits (as_model k md) Lam.
Proof.
move=> B t; rewrite (_ : \prod_(l <- _) _ = 2 ^ linear_bits_upto t (stack md)) ?leq_exp2l ?B //= {B}.
elim: (stack md) t => [|l ls IH] t; first by rewrite /= big_nil.
case: l => [H d P p e v fin|A b next read]; last first.
  rewrite [linear_bits_upto _ _]/= expnD -IH [upto _ _]/= big_cons; congr (_ * _); exact: scan_bits.
case: t => [|t]; first by rewrite /= big_nil.
by rewrite /= big_cons IH /= card_unit mul1n.
Qed.

(** The word is the same. *)
Lemma exact_model_word k md : word (as_model k md) = map (@is_attention _) (stack md).
Proof. by rewrite /word /= -map_comp; apply: eq_map => -[]. Qed.
(** As many full layers. *)
Lemma exact_model_number_full k md : number_full (as_model k md) = attention_layers md.
Proof. by rewrite /number_full /= count_map; apply: eq_count => -[]. Qed.

(** A prompt of the task has  N_0 + .. + N_{L-1} + 2  tokens. *)
Lemma size_prompt m ns z0 zs ws : valid m ns z0 zs ws -> size (prompt z0 zs ws) = sumn (sizes m ns) + 2.
Proof.
case/and4P=> _ /eqP <- _ _; rewrite /prompt size_cat size_map size_flatten /shape map_rev sumn_rev; congr (_ + _).
Qed.

(** It solves the task exactly when the model of the theorems does. *)
Theorem exactly_solves_model m ns k md : sumn (sizes m ns) + 2 <= 2 ^ k ->
  exactly_solves m ns md <-> solves m ns (as_model k md).
Proof.
move=> small; split=> S z0 zs ws ok; have E := size_prompt ok.
- by rewrite exact_model_is_model ?E ?small ?addn2 //; exact: S.
- by rewrite -(@exact_model_is_model k) ?E ?small ?addn2 //; exact: S.
Qed.
