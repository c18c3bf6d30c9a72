(** The arithmetic link, stated over Definitions.v, SharperDefinitions.v and ExactDefinitions.v alone: layers of exact arithmetic are layers of
    the theorems, with the bits that M1 and R.families count; so the theorems hold for them. And the project's own integer
    weights (the data of BuiltWeights.v and of InvariantWeights.v) solve the task, at tiny sizes by running them on all inputs,
    at larger ones by an invariant for all tables. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions SparseDefinitions SoftmaxLayers OnlineLayers RecurrentFamilies
  ArithmeticLink TheoremA2W BuiltWeights InvariantWeights SquareWords TwoSumWeights ThoughtDefinitions ThoughtWeights SparseTwoSum SparseAverage SparseAverageNear.
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

(** What holds of all models of the theorems with these messages, state bits block by block, number of full layers and, where it is
    asked for, no early R, holds of the exact models: so A2, B2, B2c, A3, A3c, A_L and B_L do. *)
Theorem T_blocks_exact : forall k beta lam m ns (md : exact_model),
  tokens m ns <= 2 ^ k -> within_blocks k beta lam md ->
  (forall md' : model, message_bits md' beta -> block_bits md' lam -> number_full md' = attention_layers md ->
     no_early_rec md' = no_early_state md -> ~ solves m ns md') ->
  ~ exactly_solves m ns md.
Proof. exact blocks_exact. Qed.

(** A2_W for exact models, also with further tables: one attention layer without a state, windows of any kind around it. *)
Theorem T_A2_W_exact : forall k beta m n1 more r0 r1 (md : window_model exact_layer) F,
  tokens m (n1 :: more) <= 2 ^ k -> between_windows r0 r1 F (wlayers md) ->
  soft_bits k F <= beta -> linear_bits F = 0 -> all (leq 1) more -> 0 < m ->
  2 * r0 + r1 <= m -> 2 ^ (beta * (n1 + r1)) < (m * n1) ^ (m * n1) -> ~ window_solves (@compute) m (n1 :: more) md.
Proof. exact A2W_exact. Qed.

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

(** C1, C2 with the recurrent layer first and C3 by squares, at every size: one layer of either kind for z_0 and for each table. A recurrent layer
    for a table of N entries holds N·(4k+2) bits, a full layer none. *)
Theorem C3_squares : forall P k m ns kinds, size kinds = (size ns).+2 -> tokens m ns <= 2 ^ k -> exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, width w <= 4 * (size ns).+1 + 15,
      (forall exp_floor, map (@is_attention _) (stack (exact_of_weights w exp_floor ns)) = kinds),
      (forall exp_floor, map (@linear_bits _) (stack (exact_of_weights w exp_floor ns))
         = [seq if f.1 then 0 else f.2 * (4 * k + 2) | f <- zip kinds (1 :: sizes m ns)])
    & weights_solve m ns w met].
Proof. exact kinds_of_layers. Qed.

(** C6 by squares: one full layer, one head of 3 key numbers and 1 value, no MLP, solves 2-Sum for every modulus and length. *)
Theorem C6_squares : forall P M, exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, map block_shape (blocks w) = [:: Some (3, 1, 0)], width w <= 6,
      (forall exp_floor k, map (soft_bits k) (stack (exact_of_weights w exp_floor [::])) = [:: 2 * P + 2 * k + 1])
    & weights_solve_two_sum M w met].
Proof. exact two_sum_by_weights. Qed.

(** C5 by squares, RF, at every size: with a chain of L generated tokens one recurrent and one full layer answer every input. The full layer is one
    head of 4 key numbers and 1 value, there is no MLP; the state is 3L numbers of b + 1 bits, with m² and all n_ℓ at most 2^b. *)
Theorem C5_squares_RF : forall P k b m ns, tokens m ns + size ns <= 2 ^ k -> m * m <= 2 ^ b -> all (fun d => d <= 2 ^ b) ns ->
  exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, width w <= (size ns).+1 + 12, map block_shape (blocks w) = [:: None; Some (4, 1, 0)] & all without_mlp (blocks w)]
  /\ [/\ forall e, map (@is_attention _) (stack (exact_of_weights w e ns)) = [:: false; true],
      forall e, map (@linear_bits _) (stack (exact_of_weights w e ns)) = [:: (size ns).+1 * 3 * b.+1; 0],
      forall e, map (soft_bits k) (stack (exact_of_weights w e ns)) = [:: 0; 2 * P + 3 * k + 1]
    & thoughts_solve (size ns).+1 m ns w met].
Proof. exact thoughts_state_first. Qed.

(** C5 by squares, FR, at every size: the same with the full layer first; the state is L numbers of b + 1 bits, with m and all n_ℓ at most 2^b. *)
Theorem C5_squares_FR : forall P k b m ns, tokens m ns + size ns <= 2 ^ k -> m <= 2 ^ b -> all (fun d => d <= 2 ^ b) ns ->
  exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, width w <= (size ns).+1 + 12, map block_shape (blocks w) = [:: Some (4, 1, 0); None] & all without_mlp (blocks w)]
  /\ [/\ forall e, map (@is_attention _) (stack (exact_of_weights w e ns)) = [:: true; false],
      forall e, map (@linear_bits _) (stack (exact_of_weights w e ns)) = [:: 0; (size ns).+1 * b.+1],
      forall e, map (soft_bits k) (stack (exact_of_weights w e ns)) = [:: 2 * P + 3 * k + 1; 0]
    & thoughts_solve (size ns).+1 m ns w met].
Proof. exact thoughts_attention_first. Qed.

(** * 2-Sum with sparse layers *)

(** D: the exact number of summaries of one sparse layer that answers 2-Sum at the last of s + gB + t numbers and opens k < g of the g
    complete blocks before it. *)
Theorem T_D_two_sum : forall M s B g t k, odd M -> 1 < M -> 0 < B -> 0 < t -> k < g ->
  (forall (Sg : finType) (l : sparse_layer g Sg), sparse_solves M s B t k l -> least_summaries M.-1 g B k <= #|Sg|) /\
  exists (Sg : finType) (l : sparse_layer g Sg), #|Sg| = least_summaries M.-1 g B k /\ sparse_solves M s B t k l.
Proof. exact D_two_sum. Qed.

(** D2: sparse layers whose summaries say nothing of their blocks do not answer 2-Sum of n > ((k+1)B + s)^λ numbers, for any odd M. *)
Theorem T_D_several : forall X B k s M n (embed : nat -> nat -> X) (several : seq (blind_layer X)) (out : X -> bool),
  odd M -> 1 < M -> 0 < B -> (forall l, List.In l several -> blind_few k s l) -> (k.+1 * B + s) ^ size several < n ->
  ~ (forall xs, size xs = n -> all (fun a => 0 < a < M) xs ->
      out (foldl (run_blind B) (fun i => embed i (nth 0 xs i)) several n.-1) = two_sum M xs).
Proof. exact D_several. Qed.

(** D': one sparse layer that errs, of blocks and values. With r-bit summaries and k of g blocks opened it finds a share of at most a/b of the
    matches, ⟨k/g + ε; r/B⟩ ≤ a/b and k/g + ε ≤ G/H, ε the share of values that it says are there when they are independent. *)
Theorem T_D_average : forall u g B k r (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g}) (reply : {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool)
    G H a b K, 0 < u -> #|Sg| <= 2 ^ r -> (forall sigma x, #|scorer sigma x| <= k) ->
  let yes (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply (summaries summary cs) x (opened (scorer (summaries summary cs) x) cs) in
  let N := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in
  H * (k * (N * u) + g * (\sum_cs \sum_(x < u) yes cs x)) <= G * (g * N * u) -> closed_share G H B r a b K ->
  b * (\sum_(b < g) \sum_cs \sum_(j < B) yes cs (cs b j)) <= a * (B * (g * N)).
Proof. exact D_average. Qed.

(** D' on average over what stands near the query too: own block, window and sinks are rho with a chance of odds rho in \sum odds, of any odds, independent of
    the blocks; which blocks are opened and what is answered may depend on them. ε is the share of false alarms on average. *)
Theorem T_D_average_near : forall (near : finType) (odds : near -> nat) u g B k r (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : near -> {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g})
    (reply : near -> {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool)
    G H a b K, 0 < u -> #|Sg| <= 2 ^ r -> (forall rho sigma x, #|scorer rho sigma x| <= k) ->
  let yes rho (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply rho (summaries summary cs) x (opened (scorer rho (summaries summary cs) x) cs) in
  let N := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in let chances := \sum_rho odds rho in
  H * (k * (chances * N * u) + g * (\sum_rho odds rho * \sum_cs \sum_(x < u) yes rho cs x)) <= G * (chances * (g * N) * u) ->
  closed_share G H B r a b K ->
  b * (\sum_rho odds rho * \sum_(b < g) \sum_cs \sum_(j < B) yes rho cs (cs b j)) <= a * (B * (chances * (g * N))).
Proof. exact average_near. Qed.
