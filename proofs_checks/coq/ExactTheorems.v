(** The arithmetic link, stated over Definitions.v, SharperDefinitions.v and ExactDefinitions.v alone: layers of exact arithmetic are layers of
    the theorems, with the bits that M1 and R.families count; so the theorems hold for them. And the project's own integer
    weights (the data of BuiltWeights.v and of InvariantWeights.v) solve the task, at tiny sizes by running them on all inputs,
    at larger ones by an invariant for all tables. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions SoftmaxLayers OnlineLayers RecurrentFamilies
  ArithmeticLink SharperLink BuiltWeights InvariantWeights.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * Layers *)

(** M1. A softmax layer is a full layer: all earlier tokens together tell a token one of 2^β things,
    β = H·(d·(P+p+k+1) + P+k), at prompts of at most 2^k tokens; there is no state. *)
Theorem M1_softmax : forall (X : Type) (H d P p k : nat) e v (finish : nat -> X -> seq Z -> seq Z -> X),
  (forall h i j x y, 0 <= e h i j x y <= 2 ^ Z.of_nat P)%Z ->
  (forall t j y, - 2 ^ Z.of_nat p <= v t j y <= 2 ^ Z.of_nat p)%Z ->
  exists l : layer X, [/\ is_full l, sums l = 2 ^ (H * (d * (P + p + k + 1) + (P + k))), states l = 1
    & forall x i, i < 2 ^ k -> run x l i = softmax H d e v finish x i].
Proof. exact softmax_layers_are_full. Qed.

(** M1 for floating point. Softmax in any floating point format of b bits, computed from left to right with a running maximum, is a
    full layer whose messages are its accumulators, H·(d+2)·b bits at prompts of any length. *)
Theorem M1_online : forall (X : Type) (H d b : nat) (F : arithmetic b) score v (finish : nat -> X -> seq (accumulator b) -> X),
  exists l : layer X, [/\ is_full l, sums l = 2 ^ (H * ((d + 2) * b)), states l = 1
    & forall x i, run x l i = online_softmax H d F score v finish x i].
Proof. exact online_layers_are_full. Qed.

(** R.families. Eight families are recurrent layers with H·d_k·d_v numbers of p = b + 1 bits. *)
Theorem R_families : forall (X : Type) (F : family) (o : offers X) (H dk dv f b : nat), exists l : layer X,
  [/\ is_full l = false, states l = 2 ^ (H * dk * dv * b.+1) & forall x i, run x l i = recurrent F o H dk dv f b x i].
Proof. exact families_are_rec. Qed.

(** * Models *)

(** M2. Every model of such layers is a model of the theorems: the same word, the same answers to every prompt of at most
    2^k tokens, messages of M1's bits and states of the bits counted. *)
Theorem M2_exact : forall k (md : exact_model), exists md' : model,
  [/\ word md' = map (@is_attention _) (stack md),
      forall q, 0 < size q <= 2 ^ k -> output md' q = exact_output md q,
      forall beta, all (fun l => soft_bits k l <= beta) (stack md) -> message_bits md' beta,
      forall Lam, (forall t, linear_bits_upto t (stack md) <= Lam t) -> state_bits md' Lam
    & forall lam, (forall t, linear_bits_block t (stack md) <= lam t) -> block_bits md' lam].
Proof. exact exact_models_are_models. Qed.

(** T.A for exact models. *)
Theorem T_A_exact : forall k beta Lam m ns x0 cs (md : exact_model),
  tokens m ns <= 2 ^ k -> within k beta Lam md -> attention_layers md <= size ns ->
  hardA beta Lam m ns x0 cs -> ~ exactly_solves m ns md.
Proof. exact theoremA_exact. Qed.

(** T.B for exact models. *)
Theorem T_B_exact : forall k beta Lam m ns x0 x1 th1 cs (md : exact_model),
  tokens m ns <= 2 ^ k -> within k beta Lam md -> attention_layers md <= (size ns).+1 -> no_early_state md ->
  hardB beta Lam m ns x0 x1 th1 cs -> ~ exactly_solves m ns md.
Proof. exact theoremB_exact. Qed.

(** A2 for exact models. *)
Theorem T_A2_exact : forall k beta lam m n1 Th (md : exact_model),
  tokens m [:: n1] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 1 ->
  Th.-1 ^ m * 2 ^ lam 0 < m ^ m ->
  2 ^ (lam 0 + Th * lam 1 + beta * n1) < (m * n1) ^ (n1 * Th) ->
  ~ exactly_solves m [:: n1] md.
Proof. exact A2_in_exact_arithmetic. Qed.

(** B2 for exact models. *)
Theorem T_B2_exact : forall k beta lam m n1 x0 v Th (md : exact_model),
  tokens m [:: n1] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> no_early_state md ->
  x0 * v <= m ->
  Th.-1 ^ x0 * 2 ^ (beta * n1 + lam 1) < (x0 * v) ^ x0 ->
  2 ^ (lam 1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam 2) < (m * n1) ^ (n1 * Th) ->
  ~ exactly_solves m [:: n1] md.
Proof. exact B2_in_exact_arithmetic. Qed.

(** A3 for exact models. *)
Theorem T_A3_exact : forall k beta lam m n1 n2 g u Th1 x2 Th2 (md : exact_model),
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1)
    <= (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + lam 1 + (1 + x2 * Th1 * lam 1) + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof. exact A3_in_exact_arithmetic. Qed.

(** A3 with λ_1 = 0 for exact models. *)
Theorem T_A3_quiet_exact : forall k beta lam m n1 n2 g u Th1 x2 Th2 (md : exact_model),
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> lam 1 = 0 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2)))
    < (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof. exact A3_quiet_in_exact_arithmetic. Qed.

(** A3 with λ_0 = λ_1 = 0 for exact models. *)
Theorem T_A3_free_exact : forall k beta lam m n1 n2 Th1 v Th2 (md : exact_model),
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> lam 0 = 0 -> lam 1 = 0 ->
  Th1 <= m -> n1 * Th1 * v <= m * n1 ->
  Th2.-1 ^ (n1 * Th1) * 2 ^ (beta * (n1 * n2)) < (n1 * Th1 * v) ^ (n1 * Th1) ->
  2 ^ (beta * (n1 * n2 + m + Th1 + n1 * Th1 * v + n1.-1 * (m - Th1) + n1 * n2 * Th1) + Th2 * lam 2)
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof. exact A3_free_in_exact_arithmetic. Qed.

(** A_L for exact models. *)
Theorem T_A_L_exact : forall k beta lam m ns g Th1 cs (md : exact_model),
  tokens m ns <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= size ns ->
  hardAL beta lam m ns g Th1 cs -> ~ exactly_solves m ns md.
Proof. exact AL_in_exact_arithmetic. Qed.

(** B_L for exact models. *)
Theorem T_B_L_exact : forall k beta lam m ns x0 x1 Th1 cs (md : exact_model),
  tokens m ns <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= (size ns).+1 -> no_early_state md ->
  hardBL beta lam m ns x0 x1 Th1 cs -> ~ exactly_solves m ns md.
Proof. exact BL_in_exact_arithmetic. Qed.

(** * Weights *)

(** C1 as built, FFF, m = 2, n_1 = 2: with the true exponentials, of which only the listed ones occur, the integer weights answer
    all inputs. *)
Theorem C1_built : weights_solve 2 [:: 2] C1_m2_n2 (among C1_m2_n2_exponents).
Proof. exact C1_m2_n2_solves. Qed.

(** C1 as built, FFFF, three tables, m = 2, n_1 = n_2 = 1. *)
Theorem C1_built_three : weights_solve 2 [:: 1; 1] C1_m2_n1_1 (among C1_m2_n1_1_exponents).
Proof. exact C1_m2_n1_1_solves. Qed.

(** C2 as built, RFF, m = 2, n_1 = 1, with linear attention. *)
Theorem C2_built_rec_first : weights_solve 2 [:: 1] C2_RFF_m2_n1 (among C2_RFF_m2_n1_exponents).
Proof. exact C2_RFF_m2_n1_solves. Qed.

(** C2 as built, FRF, m = 2, n_1 = 1, with linear attention. *)
Theorem C2_built_full_first : weights_solve 2 [:: 1] C2_FRF_m2_n1 (among C2_FRF_m2_n1_exponents).
Proof. exact C2_FRF_m2_n1_solves. Qed.

(** C1 as built, FFF, m = 4, n_1 = 4: 4·4^4·16^16·4 inputs, by the invariant for all tables. *)
Theorem C1_every_table : weights_solve 4 [:: 4] C1_m4_n4 (among C1_m4_n4_exponents).
Proof. exact C1_m4_n4_solves. Qed.

(** C1 as built, FFFF, three tables, m = 4, n_1 = n_2 = 2. *)
Theorem C1_every_table_three : weights_solve 4 [:: 2; 2] C1_m4_n2_2 (among C1_m4_n2_2_exponents).
Proof. exact C1_m4_n2_2_solves. Qed.

(** C1 as built, FFF, m = 8, n_1 = 4: 42 tokens. *)
Theorem C1_every_table_large : weights_solve 8 [:: 4] C1_m8_n4 (among C1_m8_n4_exponents).
Proof. exact C1_m8_n4_solves. Qed.
