(** Models of softmax layers, exact or online, and of scan layers, as one computes them, are models of the theorems.

    For prompts of at most 2^k tokens they give the same outputs, and their messages and states have the bits that
    M1 and the recurrent families count. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Prompt Counting Knowledge TwoPrompts SoftmaxLayers OnlineLayers ScanLayers.
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
  | Attention H d P p e v A b next finish =>
      Full (sums_zero _ _ _ _) (fun i j x y s => sums_add s (heard_term H d P p k (weight P e) (value p v) i j x y))
        (start A b) (step (A := A) (b := b) next)
        (fun i x s st => combine (weight P e) (value p v) (fun i x nums dens => finish i x nums dens (stored st)) i x s)
  | Online H d c F score v A b next finish =>
      Full (heads_start H d F) (heads_step F score v) (start A b) (step (A := A) (b := b) next)
        (fun i x a st => finish i x (read_heads (heads_step F score v i i x x a)) (stored st))
  | Recurrence A b next read => scan_layer A b next read
  end.

(** It gives the same, and so do several. *)
Lemma as_layer_run k x l i : i < 2 ^ k -> run x (as_layer k l) i = compute x l i.
Proof.
case: l => [H d P p e v A b next fin|H d c F score v A b next fin|A b next read] small; last exact: scan_is_rec.
  pose st := state (start A b) (step next) x i.+1.
  transitivity (softmax H d (weight P e) (value p v) (fun i y nums dens => fin i y nums dens (stored st)) x i).
    by rewrite -(@softmax_is_full _ H d P p k) // => *; [exact: weight_bound | exact: value_bound].
  by rewrite /compute /softmax -stored_state.
by rewrite /compute /online_softmax -stored_state -heads_heard.
Qed.

(** Layer after layer. *)
Lemma as_layer_foldl k x ls i : i < 2 ^ k ->
  foldl (@run X) x (map (as_layer k) ls) i = foldl (@compute X) x ls i.
Proof.
elim: ls x i => [|l ls IH] x i small //=; rewrite -(IH _ _ small).
by apply: (@acts_causal _ _ _ _ i) => // j ji; apply: as_layer_run; apply: leq_ltn_trans small.
Qed.

(** An attention layer is a full layer. *)
Lemma as_layer_full k l : is_full (as_layer k l) = is_attention l. Proof. by case: l. Qed.
(** Its sums and states, counted. *)
Lemma as_layer_sums k l : sums (as_layer k l) = 2 ^ soft_bits k l.
Proof.
case: l => [H d P p e v A b next fin|H d c F score v A b next fin|A b next read]; last by rewrite /= expn0.
  exact: (@softmax_bits X H d P p k (fun _ _ _ _ _ => 0%Z) (fun _ _ _ => 0%Z) (fun _ x _ _ => x)).
exact: card_heads.
Qed.
(** 2^bits states. *)
Lemma as_layer_states k l : states (as_layer k l) = 2 ^ linear_bits l.
Proof. by case: l => *; exact: card_state_type. Qed.
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

(** The states of the layers before the (t+1)-th attention layer. *)
Lemma upto_bits X k t (ls : seq (exact_layer X)) :
  \prod_(l <- upto t (map (as_layer k) ls)) states l = 2 ^ linear_bits_upto t ls.
Proof.
elim: ls t => [|l ls IH] t; first by rewrite /= big_nil.
rewrite [linear_bits_upto _ _]/= [upto _ _]/= as_layer_full; case: (is_attention l); last first.
  by rewrite big_cons IH as_layer_states expnD.
by case: t => [|t]; rewrite ?big_nil // big_cons IH as_layer_states expnD.
Qed.
(** Later blocks add to them. *)
Lemma upto_bits_mono X t (ls : seq (exact_layer X)) : linear_bits_upto t ls <= linear_bits_upto t.+1 ls.
Proof. by elim: ls t => //= l ls IH [|t]; case: (is_attention l); rewrite // leq_add2l. Qed.
(** The states have the bits that are counted. *)
Theorem exact_model_state_bits k md Lam :
  (forall t, linear_bits_upto t (stack md) <= Lam t) -> state_bits (as_model k md) Lam.
Proof.
by move=> B t; rewrite /= upto_bits leq_exp2l.
Qed.
(** ... block by block too. *)
Theorem exact_model_block_bits k md lam :
  (forall t, linear_bits_block t (stack md) <= lam t) -> block_bits (as_model k md) lam.
Proof.
move=> B t; apply: leq_trans (_ : 2 ^ linear_bits_block t (stack md) <= _); last by rewrite leq_exp2l.
have up j : \prod_(l <- upto j (layers (as_model k md))) states l = 2 ^ linear_bits_upto j (stack md) := upto_bits k j (stack md).
case: t => [|t]; first by rewrite /linear_bits_block subn0 -up.
rewrite -(leq_pmul2l (expn_gt0 2 (linear_bits_upto t (stack md)))) -expnD subnKC ?upto_bits_mono // -!up.
by rewrite -big_cat -upto_block.
Qed.

(** The word is the same. *)
Lemma exact_model_word k md : word (as_model k md) = map (@is_attention _) (stack md).
Proof. by rewrite /word /= -map_comp; apply: eq_map => l; apply: as_layer_full. Qed.
(** As many full layers. *)
Lemma exact_model_number_full k md : number_full (as_model k md) = attention_layers md.
Proof. by rewrite /number_full /= count_map; apply: eq_count => l; apply: as_layer_full. Qed.

(** It solves the task exactly when the model of the theorems does. *)
Theorem exactly_solves_model m ns k md : sumn (sizes m ns) + 2 <= 2 ^ k ->
  exactly_solves m ns md <-> solves m ns (as_model k md).
Proof.
move=> small; split=> S z0 zs ws ok; have E := size_valid ok; rewrite /tokens -addn2 in E.
- by rewrite exact_model_is_model ?E ?small ?addn2 //; exact: S.
- by rewrite -(@exact_model_is_model k) ?E ?small ?addn2 //; exact: S.
Qed.
