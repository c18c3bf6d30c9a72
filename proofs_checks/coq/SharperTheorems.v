(** Theorems A2, A2_W, B2, B2c, A3, A3c, A_L, B_L, C', E and D, each stated in full over Definitions.v and SharperDefinitions.v alone, two
    forms of E over AverageDefinitions.v too; the proofs are in the other files. docs/coq.md says what of theory 5.6 to 5.9 is not here. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions TheoremA2 TheoremB2 TheoremB2c TheoremA3 TheoremA3Free TheoremA3c TheoremAL
  TheoremBL TheoremCPrime RelativeEntropy
  TheoremA2Average TheoremA2Early TheoremETwo TheoremE AverageDefinitions TheoremESpread Prefix TheoremA2W TheoremD.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * Two and three tables *)

(** A2. Two tables, at most one full layer and any recurrent layers: Θ values of table 1 are reached, and all that the
    last table can be asked is more than λ_0 + Θ·λ_1 + β·n_1 bits. *)
Theorem T_A2 : forall beta lam m n1 Th (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  Th.-1 ^ m * 2 ^ lam 0 < m ^ m ->
  2 ^ (lam 0 + Th * lam 1 + beta * n1) < (m * n1) ^ (n1 * Th) ->
  ~ solves m [:: n1] md.
Proof. exact A2. Qed.

(** A2_W. Two tables, one full layer F without recurrent heads, and windows before and behind it of reaches r_0 and r_1: a window costs its
    reach in tokens, not its state. *)
Theorem T_A2_W : forall beta m n1 r0 r1 (md : window_model layer) F,
  between_windows r0 r1 F (wlayers md) -> sums F <= 2 ^ beta -> states F <= 1 -> 0 < m ->
  2 * r0 + r1 <= m -> 2 ^ (beta * (n1 + r1)) < (m * n1) ^ (m * n1) -> ~ window_solves (@run) m [:: n1] md.
Proof. exact A2W. Qed.

(** B2. Two tables, at most two full layers and no recurrent layer before the second of them: x_0 entries of table 1 with
    v values each. *)
Theorem T_B2 : forall beta lam m n1 x0 v Th (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> no_early_rec md ->
  x0 * v <= m ->
  Th.-1 ^ x0 * 2 ^ (beta * n1 + lam 1) < (x0 * v) ^ x0 ->
  2 ^ (lam 1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam 2) < (m * n1) ^ (n1 * Th) ->
  ~ solves m [:: n1] md.
Proof. exact B2. Qed.

(** B2c. The same words, by the cube lemma: the last g entries of table 1 with v values each, and the n_1 queries in γ groups of at most
    ω. With g = v = m ≈ 2β about 8β² tokens are enough, and no certificate can have an exponent below 2. *)
Theorem T_B2c : forall beta lam m n1 g v omega gamma (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> no_early_rec md ->
  g <= m -> v <= m -> n1 <= omega * gamma ->
  2 ^ (g * (lam 1 + beta * (2 * n1 + g + v)) + gamma * cube_values g v (omega * beta + lam 1) * lam 2)
    < (m * n1) ^ (n1 * cube_values g v (omega * beta + lam 1)) ->
  ~ solves m [:: n1] md.
Proof. exact B2c. Qed.

(** A3. Three tables, at most two full layers and any recurrent layers. Θ_2 ≤ N_1 must be there: beyond N_1 the binomial
    is 0, and the inequality would hold of nothing. *)
Theorem T_A3 : forall beta lam m n1 n2 g u Th1 x2 Th2 (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1)
    <= (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + lam 1 + (1 + x2 * Th1 * lam 1) + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof. exact A3. Qed.

(** A3 with λ_1 = 0: no recurrent layer between the two full layers, and no bit for the copies. *)
Theorem T_A3_quiet : forall beta lam m n1 n2 g u Th1 x2 Th2 (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 1 = 0 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2)))
    < (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof. exact A3_quiet. Qed.

(** A3 with λ_0 = λ_1 = 0 (free): n_1·Θ_1 entries of table 2 are asked, with v values each. *)
Theorem T_A3_free : forall beta lam m n1 n2 Th1 v Th2 (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 0 = 0 -> lam 1 = 0 ->
  Th1 <= m -> n1 * Th1 * v <= m * n1 ->
  Th2.-1 ^ (n1 * Th1) * 2 ^ (beta * (n1 * n2)) < (n1 * Th1 * v) ^ (n1 * Th1) ->
  2 ^ (beta * (n1 * n2 + m + Th1 + n1 * Th1 * v + n1.-1 * (m - Th1) + n1 * n2 * Th1) + Th2 * lam 2)
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof. exact A3_free. Qed.

(** A3c. The same with λ_0 = 0, by the cube lemma: the last g entries of each of the n_1 rows of table 2 have v values each, and the n_2
    values of w_2 are in γ groups of at most ω. *)
Theorem T_A3c : forall beta lam m n1 n2 g v omega gamma (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 0 = 0 ->
  g <= m -> v <= m * n1 -> n2 <= omega * gamma ->
  2 ^ (n1 * g * (2 * lam 1 + beta * (4 * n2 + 2 * m + 2 * v + 2 * (n1 * g) + n1.-1 * (m - g)))
       + 2 * gamma * cube_values (n1 * g) v (omega * n1 * beta + g * lam 1) * lam 2)
    < (m * n1 * n2) ^ (2 * n2 * cube_values (n1 * g) v (omega * n1 * beta + g * lam 1)) ->
  ~ solves m [:: n1; n2] md.
Proof. exact A3c. Qed.

(** * Every number of tables *)

(** A_L. L ≥ 2 tables, at most L−1 full layers and any recurrent layers, with the charges of A_L; w_ℓ uses its last ν_ℓ values. *)
Theorem T_A_L_rows : forall beta lam m ns nus g Th1 cs (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  hardAL beta lam m ns nus g Th1 cs -> ~ solves m ns md.
Proof. exact AL. Qed.

(** A_L where all rows are used. *)
Theorem T_A_L : forall beta lam m ns g Th1 cs (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  hardAL beta lam m ns ns g Th1 cs -> ~ solves m ns md.
Proof. exact AL_all_rows. Qed.

(** B_L. L ≥ 2 tables, at most L full layers and no recurrent layer before the second of them, with the charges of B_L; rows as in A_L. *)
Theorem T_B_L_rows : forall beta lam m ns nus x0 x1 Th1 cs (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardBL beta lam m ns nus x0 x1 Th1 cs -> ~ solves m ns md.
Proof. exact BL. Qed.

(** B_L where all rows are used. *)
Theorem T_B_L : forall beta lam m ns x0 x1 Th1 cs (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardBL beta lam m ns ns x0 x1 Th1 cs -> ~ solves m ns md.
Proof. exact BL_all_rows. Qed.

(** A model that solves the task with more tables is one of the same word, messages and states for the first of them: the others
    may be the identity. *)
Theorem T_identities : forall (md : model) m ns more, all (leq 1) more -> solves m (ns ++ more) md -> exists md' : model,
  [/\ word md' = word md, solves m ns md', forall beta, message_bits md beta -> message_bits md' beta
    & forall lam, block_bits md lam -> block_bits md' lam].
Proof. exact identities_known. Qed.

(** * On average *)

(** The list of all inputs has each input of the task. *)
Theorem all_inputs_are_the_inputs : forall m ns z0 zs ws, ((z0, zs, ws) \in all_inputs m ns) = valid m ns z0 zs ws.
Proof. exact all_inputsP. Qed.

(** The list of all inputs has no input twice. *)
Theorem all_inputs_once : forall m ns, uniq (all_inputs m ns).
Proof. exact all_inputs_uniq. Qed.

(** C'. Without a full layer, the accuracy over all inputs is at most (1/N)·Σ_a min(1, 2^Λ·Pr[Bin(N, 1/N) ≥ a]), N = N_{L-1};
    both sides times N^(N+1) and the number of inputs. *)
Theorem T_C_prime : forall lam m ns (md : model), number_full md = 0 -> all_state_bits md lam ->
  let N := last_size m ns in
  N ^ N.+1 * right_inputs m ns md
  <= size (all_inputs m ns) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof. exact theoremC_average. Qed.

(** C' with a chain of thought of any length. *)
Theorem T_C_prime_thought : forall lam m ns (md : model) (next : act md -> token + nat) fuel,
  number_full md = 0 -> all_state_bits md lam ->
  let N := last_size m ns in
  N ^ N.+1 * right_inputs_cot m ns next fuel
  <= size (all_inputs m ns) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof. exact theoremC_average_cot. Qed.

(** C' for one full layer alone and one table, with β + λ bits. *)
Theorem T_C_prime_one : forall beta lam m (md : model) (l : layer (act md)),
  layers md = [:: l] -> sums l <= 2 ^ beta -> states l <= 2 ^ lam ->
  m ^ m.+1 * right_inputs m [::] md
  <= size (all_inputs m [::]) * \sum_(1 <= a < m.+1) minn (m ^ m) (2 ^ (beta + lam) * agreeing m a).
Proof. exact theoremB_one_average. Qed.

(** C', the second inequality, in integers: if ⟨1/N; Λ/N⟩ ≤ a/b, the accuracy is at most a/b. *)
Theorem T_C_prime_closed : forall lam m ns (md : model) a b K, number_full md = 0 -> all_state_bits md lam ->
  closed_bound (last_size m ns) lam a b K -> b * right_inputs m ns md <= a * size (all_inputs m ns).
Proof. exact theoremC_closed. Qed.

(** The second inequality with a chain of thought. *)
Theorem T_C_prime_closed_thought : forall lam m ns (md : model) (next : act md -> token + nat) fuel a b K,
  number_full md = 0 -> all_state_bits md lam ->
  closed_bound (last_size m ns) lam a b K -> b * right_inputs_cot m ns next fuel <= a * size (all_inputs m ns).
Proof. exact theoremC_closed_cot. Qed.

(** The second inequality for one full layer alone and one table. *)
Theorem T_C_prime_closed_one : forall beta lam m (md : model) (l : layer (act md)) a b K,
  layers md = [:: l] -> sums l <= 2 ^ beta -> states l <= 2 ^ lam ->
  closed_bound m (beta + lam) a b K -> b * right_inputs m [::] md <= a * size (all_inputs m [::]).
Proof. exact theoremB_one_closed. Qed.

(** A2 on average with λ_0 = 0: two tables, at most one full layer, and m·λ_1 + β·n_1 bits in the union bound. *)
Theorem T_A2_average : forall beta lam m n1 (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  let N := m * n1 in
  N ^ N.+1 * right_inputs m [:: n1] md
  <= size (all_inputs m [:: n1]) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ (m * lam 1 + beta * n1) * agreeing N a).
Proof. exact A2_average. Qed.

(** A2 on average with λ_0 = 0 in closed form: accuracy ≤ ⟨1/N; λ_1/n_1 + β·n_1/N⟩. *)
Theorem T_A2_average_closed : forall beta lam m n1 (md : model) a b K,
  message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  closed_bound (m * n1) (m * lam 1 + beta * n1) a b K ->
  b * right_inputs m [:: n1] md <= a * size (all_inputs m [:: n1]).
Proof. exact A2_average_closed. Qed.

(** A2 on average with any λ_0: accuracy ≤ ⟨g/h; λ_0/m⟩ with g/h at least ⟨1/N; λ_1/n_1 + (λ_0 + β·n_1)/N⟩. *)
Theorem T_A2_average_early : forall beta lam m n1 (md : model) g h K a b K',
  message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  closed_bound (m * n1) (lam 0 + m * lam 1 + beta * n1) g h K -> closed_share g h m (lam 0) a b K' ->
  b * right_inputs m [:: n1] md <= a * size (all_inputs m [:: n1]).
Proof. exact A2_average_early. Qed.

(** E for two tables, at most one full layer and λ_0 = 0: with t = x_0·x_1 ≤ m and ⟨1/N; D_2/(n_1·t)⟩ ≤ a/b,
    D_2 = x_1·λ_1 + β·(n_1 + x_0), the accuracy is at most a/b + (t − x_1)/2m. *)
Theorem T_E_two : forall beta lam m n1 (md : model) x0 x1 a b K,
  message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  0 < x0 -> 0 < x1 -> x0 * x1 <= m ->
  closed_share 1 (m * n1) (n1 * (x0 * x1)) (x1 * lam 1 + beta * (n1 + x0)) a b K ->
  2 * m * b * right_inputs m [:: n1] md <= (2 * m * a + b * (x1 * x0.-1)) * size (all_inputs m [:: n1]).
Proof. exact E_two. Qed.

(** E, kind A: every number of tables, a full layer less than tables, any recurrent layers. The a's over b are what the terms of E are at
    most: ⟨(t_1−1)/2m; Λ_0/x_0⟩, ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}·t_{ℓ-1})⟩ and ⟨1/N_{L-1}; D_L/(n_{L-1}·t_{L-1})⟩. *)
Theorem T_E_A : forall b beta lam m ns x0 x1 a1 K1 cs last (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  averageA b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof. exact E_A. Qed.

(** E, kind B: as many full layers as tables, and no recurrent layer before the second of them; the first term is
    ⟨(t_1−1)/2m; (β·W+Λ_1)/x_0⟩. *)
Theorem T_E_B : forall b beta lam m ns x0 cs last (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  averageB b beta lam m ns x0 cs last ->
  b * right_inputs m ns md <= (added_shares cs + last.1) * size (all_inputs m ns).
Proof. exact E_B. Qed.

(** E, kind A, with D_1/m in the first term if x_0 divides m: ⟨(t_1−1)/2m; λ_0/(⌊m/x_0⌋·x_0)⟩ in place of ⟨(t_1−1)/2m; λ_0/x_0⟩. *)
Theorem T_E_A_spread : forall b beta lam m ns x0 x1 a1 K1 cs last (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  averageA_spread b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof. exact E_A_spread. Qed.

(** E, kind B, of two tables or more, in the same way: ⟨(t_1−1)/2m; (β·W+λ_1)/(⌊m/x_0⌋·x_0)⟩. *)
Theorem T_E_B_spread : forall b beta lam m ns x0 x1 a1 K1 cs last (md : model),
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  averageB_spread b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof. exact E_B_spread. Qed.

(** * One sparse layer *)

(** D, the criterion: some layer that opens at most k blocks is right if and only if every value is ambiguous in at most
    k blocks. *)
Theorem T_D_criterion : forall u g B k (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  (exists scorer reply, right_layer k summary scorer reply) <-> forall x, #|[set b | ambiguous summary x b]| <= k.
Proof. exact D_criterion. Qed.

(** D, the bound: with d = ⌈u(g−k)/g⌉ < u a right layer has at least Σ_{t≤B} C(d, t) summaries. *)
Theorem T_D_bound : forall u g B k (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg) d,
  (forall x, #|[set b | ambiguous summary x b]| <= k) -> k < g -> d.-1 * g < u * (g - k) -> d < u ->
  \sum_(t < B.+1) 'C(d, t) <= #|Sg|.
Proof. exact D_bound. Qed.

(** D, the bound with d = u: one summary less, as no block is without every value. *)
Theorem T_D_bound_full : forall u g B k (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  (forall x, #|[set b | ambiguous summary x b]| <= k) -> k < g -> u.-1 * g < u * (g - k) ->
  \sum_(1 <= t < B.+1) 'C(u, t) <= #|Sg|.
Proof. exact D_bound_full. Qed.

(** D, from above: Σ_{t≤B} C(d, t) summaries are enough, d = u − ⌊uk/g⌋ = ⌈u(g−k)/g⌉. *)
Theorem T_D_enough : forall u g B k, k <= g -> 0 < g -> 0 < u ->
  exists (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  #|Sg| = \sum_(t < B.+1) 'C(u - (u * k) %/ g, t) /\ exists scorer reply, right_layer k summary scorer reply.
Proof. exact D_enough. Qed.

(** D, from above with d = u: one summary less. *)
Theorem T_D_enough_full : forall u g B k, 0 < B -> 0 < u -> u * k < g ->
  exists (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  #|Sg| = \sum_(1 <= t < B.+1) 'C(u, t) /\ exists scorer reply, right_layer k summary scorer reply.
Proof. exact D_enough_full. Qed.
