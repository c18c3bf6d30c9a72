(** The arithmetic link: the theorems speak of softmax and of recurrent layers in exact arithmetic. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions TheoremA TheoremB ExactModels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Every exact model is a model of the theorems, at prompts of at most 2^k tokens. *)
Theorem exact_models_are_models k (md : exact_model) : exists md' : model,
  [/\ word md' = map (@is_attention _) (stack md),
      forall q, 0 < size q <= 2 ^ k -> output md' q = exact_output md q,
      forall beta, all (fun l => soft_bits k l <= beta) (stack md) -> message_bits md' beta,
      forall Lam, (forall t, linear_bits_upto t (stack md) <= Lam t) -> state_bits md' Lam
    & forall lam, (forall t, linear_bits_block t (stack md) <= lam t) -> block_bits md' lam].
Proof.
exists (as_model k md); split; [exact: exact_model_word | exact: exact_model_is_model | | |].
- exact: exact_model_message_bits.
- exact: exact_model_state_bits.
- exact: exact_model_block_bits.
Qed.

(** T.A for exact models. *)
Theorem theoremA_exact k beta Lam m ns x0 cs (md : exact_model) :
  tokens m ns <= 2 ^ k -> within k beta Lam md -> attention_layers md <= size ns ->
  hardA beta Lam m ns x0 cs -> ~ exactly_solves m ns md.
Proof.
rewrite /tokens -addn2 => small [mb sb] full hard /(exactly_solves_model md small).
by apply: theoremA hard; rewrite ?exact_model_number_full //;
  [exact: exact_model_message_bits | exact: exact_model_state_bits].
Qed.

(** The layers before the second F, and the letters before it. *)
Lemma upto_wordE X (t : nat) (ls : seq (layer X)) : all (@is_full _) (upto t ls) = all id (upto_word t (map (@is_full _) ls)).
Proof. by elim: ls t => [|l ls IH] t //=; case E: (is_full l) => /=; case: t => [|t] //=; rewrite ?E ?IH. Qed.

(** T.B for exact models. *)
Theorem theoremB_exact k beta Lam m ns x0 x1 th1 cs (md : exact_model) :
  tokens m ns <= 2 ^ k -> within k beta Lam md -> attention_layers md <= (size ns).+1 -> no_early_state md ->
  hardB beta Lam m ns x0 x1 th1 cs -> ~ exactly_solves m ns md.
Proof.
rewrite /tokens -addn2 => small [mb sb] full front hard /(exactly_solves_model md small).
apply: theoremB hard; rewrite ?exact_model_number_full //;
  [exact: exact_model_message_bits | exact: exact_model_state_bits |].
by rewrite /no_early_rec upto_wordE -/(word (as_model k md)) exact_model_word.
Qed.

(** With state bits block by block: what holds of all models of the theorems holds of the one in the place of an exact one. *)
Lemma blocks_exact k beta lam m ns (md : exact_model) : tokens m ns <= 2 ^ k -> within_blocks k beta lam md ->
  (forall md' : model, message_bits md' beta -> block_bits md' lam -> number_full md' = attention_layers md ->
     no_early_rec md' = no_early_state md -> ~ solves m ns md') ->
  ~ exactly_solves m ns md.
Proof.
rewrite /tokens -addn2 => small [mb sb] none /(exactly_solves_model md small); apply: none.
- exact: exact_model_message_bits.
- exact: exact_model_block_bits.
- exact: exact_model_number_full.
- by rewrite /no_early_rec upto_wordE -/(word (as_model k md)) exact_model_word.
Qed.
