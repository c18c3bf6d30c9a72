(** The theorem to quote, stated over Definitions.v and ExactDefinitions.v alone: full-attention layers cannot be replaced by
    recurrent ones. Both halves in one piece, for concrete transformers. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions MainSeparation SquareWords.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** For every number of tables L there is a C such that, whenever C·β^F ≤ 2^k with F the Fibonacci number F_{2L+1}, there are
    sizes with L tables and at most n = 2^k tokens at which
    - explicit integer weights of L + 1 full-attention layers, one head each, no MLP, answer every input, for every precision P;
    - no model with at most L − 1 full-attention layers, of any number of heads with messages of at most β bits, in exact sums or
      in floating point from left to right, and any number of recurrent layers of at most β bits of state together, does. *)
Theorem main_separation : forall L, 0 < L -> exists C, forall beta k, 0 < beta -> C * beta ^ fib (2 * L).+1 <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> within k beta (fun=> beta) md -> ~ exactly_solves m ns md].
Proof. exact squares_against_hybrids. Qed.

(** The same with the paper's count: at most L·2^(3L²) recurrent layers, wherever they stand, beside attention too, of b bits of
    state each. *)
Theorem main_separation_paper : forall L, 0 < L -> exists C, forall b k, 0 < b -> C * b ^ fib (2 * L).+1 <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> layers_with_state (stack md) <= L * 2 ^ (3 * L ^ 2) ->
        all (fun l => soft_bits k l <= b) (stack md) -> all (fun l => linear_bits l <= b) (stack md) -> ~ exactly_solves m ns md].
Proof. exact squares_against_many_layers. Qed.

(** And in the paper's regime: every large enough b ≥ H·d·p with b^(2^(4L+2)) ≤ n = 2^k. *)
Theorem main_separation_regime : forall L, 0 < L -> exists b0, forall b k, b0 <= b -> b ^ 2 ^ (4 * L + 2) <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> layers_with_state (stack md) <= L * 2 ^ (3 * L ^ 2) ->
        all (paper_heads k b) (stack md) -> all (fun l => linear_bits l <= b) (stack md) -> ~ exactly_solves m ns md].
Proof. exact squares_in_the_paper_regime. Qed.

(** The exact depth of a word of full and recurrent layers, for concrete models. L ≤ depth: at all sizes with L tables and at most 2^k tokens
    explicit integer weights of this word answer every input, C1 or C2 with idle layers, with at most 4k + 2 bits of state in all.
    L > depth: for every β and Λ, as soon as 34·y^(F_{2L+2}) ≤ 2^k, there are sizes with L tables and at most 2^k tokens at which no exact model
    of this word does. *)
Theorem main_depth : forall (word : seq bool) (L : nat), 0 < L ->
  (L <= depth word -> forall P k m ns, (size ns).+1 = L -> tokens m ns <= 2 ^ k -> solved_in_word word L P k m ns)
  /\ (depth word < L -> forall beta Lam k, 34 * golden_base beta Lam L ^ fib (2 * L).+2 <= 2 ^ k -> exists m ns,
     [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k
       & forall md : exact_model, map (@is_attention _) (stack md) = word -> within k beta Lam md -> ~ exactly_solves m ns md]).
Proof. exact exact_depth_weights. Qed.
