(** The theorems, each stated in full over Definitions.v alone; the proofs are in the other files.
    Ids (T.A, C1, …) are those of docs/theory.md; docs/coq.md says what differs from the statements there. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions TheoremA TheoremB TheoremC GoldenSchedule Padding Constructions Storing
  ChainOfThought ExactDepth WordsSeparated Logarithms Instances.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * What cannot be *)

(** T.A. With at most L−1 full layers and any recurrent layers, messages of β bits and Λ_t state bits: if the
    inequalities hold for some x_0 and (x_ℓ, Θ_ℓ), no model solves the task at these sizes. *)
Theorem T_A : forall beta Lam m ns x0 cs (md : model),
  message_bits md beta -> state_bits md Lam -> number_full md <= size ns ->
  hardA beta Lam m ns x0 cs -> ~ solves m ns md.
Proof. exact theoremA. Qed.

(** T.A with Λ_0 = 0. *)
Theorem T_A_free : forall beta Lam m ns x0 x1 cs (md : model),
  message_bits md beta -> state_bits md Lam -> number_full md <= size ns ->
  hardA_free beta Lam m ns x0 x1 cs -> ~ solves m ns md.
Proof. exact theoremA_free. Qed.

(** (E_ℓ) of docs/theory.md is enough for (E_ℓ) here: with a fraction num/den that is at least (1 + 1/j)^j for every j,
    that is at least 𝖾, b ≤ s·log2(N/Θ) − Θ·log2(num/den) with s = Θ (half) or s = t − Θ (chosen). *)
Theorem E_of_the_docs : forall num den b N th s t, (forall j, den * j.+1 ^ j <= num * j ^ j) ->
  0 < den -> 0 < th -> th <= N -> th + s <= t.+1 ->
  2 ^ b * (num ^ th * th ^ s) <= den ^ th * N ^ s -> 2 ^ b * ('C(N, th.-1) * th.-1 ^ t) <= N ^ t.
Proof. exact cover_by_e. Qed.

(** T.B. With at most L full layers and no recurrent layer before the second of them, L ≥ 2. *)
Theorem T_B : forall beta Lam m ns x0 x1 th1 cs (md : model),
  message_bits md beta -> state_bits md Lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardB beta Lam m ns x0 x1 th1 cs -> ~ solves m ns md.
Proof. exact theoremB. Qed.

(** T.B.one. The same for one table. *)
Theorem T_B_one : forall beta Lam m (md : model),
  message_bits md beta -> state_bits md Lam -> number_full md <= 1 -> no_early_rec md ->
  2 ^ (beta + Lam 1) < m ^ m -> ~ solves m [::] md.
Proof. exact theoremB_one. Qed.

(** T.C. Without a full layer, λ < N_{L-1}·log2 N_{L-1} state bits are too few. *)
Theorem T_C : forall lam m ns (md : model),
  number_full md = 0 -> all_state_bits md lam -> 2 ^ lam < last_size m ns ^ last_size m ns -> ~ solves m ns md.
Proof. exact theoremC. Qed.

(** T.C.thought. Any number of tokens of a chain of thought does not help. *)
Theorem T_C_thought : forall lam m ns (md : model) (next : act md -> token + nat),
  number_full md = 0 -> all_state_bits md lam -> 2 ^ lam < last_size m ns ^ last_size m ns ->
  ~ solves_cot m ns next.
Proof. exact theoremC_cot. Qed.

(** T.pad. Idle full layers in front: the same answers and messages; z zeros in front of the Λ_t. *)
Theorem T_pad : forall (md : model) (z : nat), exists md', [/\ word md' = nseq z true ++ word md,
  forall p, output md' p = output md p, forall beta, message_bits md beta -> message_bits md' beta
  & forall Lam, state_bits md Lam -> state_bits md' (fun t => if t < z then 0 else Lam (t - z))].
Proof. exact pad. Qed.

(** T.golden. For every β and Λ there are sizes with L = j + 1 tables that satisfy the inequalities of T.A, with
    N_{L-1} = 16·(Λ_0+1)·y^(F_{2L+1}−2), y = golden_base (both sides times y²). *)
Theorem T_golden_A : forall beta Lam j, exists m ns x0 cs,
  [/\ size ns = j, hardA beta Lam m ns x0 cs,
      golden_base beta Lam j ^ 2 * last_size m ns = 16 * (Lam 0).+1 * golden_base beta Lam j ^ fib (2 * j).+3
    & sumn (sizes m ns) <= 2 * last_size m ns].
Proof. exact goldenA. Qed.

(** T.golden for T.B, L = j + 2 tables: N_{L-1} = 16·y^(F_{2L+2}−2). *)
Theorem T_golden_B : forall beta Lam j, exists m ns x0 x1 th1 cs,
  [/\ size ns = j.+1, hardB beta Lam m ns x0 x1 th1 cs,
      golden_base beta Lam j ^ 2 * last_size m ns = 16 * golden_base beta Lam j ^ fib (2 * j.+1).+4
    & sumn (sizes m ns) <= 2 * last_size m ns].
Proof. exact goldenB. Qed.

(** T.forty. L = 2, β = 8, no recurrent bits, one full layer: 40 tokens, m = 2, n_1 = 18. *)
Theorem T_forty : forall md : model,
  message_bits md 8 -> state_bits md (fun=> 0) -> number_full md <= 1 -> ~ solves 2 [:: 18] md.
Proof. exact forty_tokens. Qed.

(** * What can be: models of the kind of Definitions.v, at all sizes *)

(** C1. F^(L+1): one of n values reaches a token, and there is no state. *)
Theorem C1 : forall m ns, exists md, [/\ word md = nseq (size ns).+2 true, solves m ns md,
  all (fun l => sums l == tokens m ns) (layers md) & all (fun l => states l == 1) (layers md)].
Proof. exact C1_exists. Qed.

(** C2, R first: R F^L, a state of max(m, 1) values. *)
Theorem C2_rec_first : forall m ns, exists md, [/\ word md = false :: nseq (size ns).+1 true, solves m ns md,
  all (fun l => sums l <= tokens m ns) (layers md) & \prod_(l <- layers md) states l = maxn m 1].
Proof. exact C2_rec_first_exists. Qed.

(** C2, F first: F R F^(L-1). *)
Theorem C2_full_first : forall m ns, exists md, [/\ word md = [:: true, false & nseq (size ns) true], solves m ns md,
  all (fun l => sums l <= tokens m ns) (layers md) & \prod_(l <- layers md) states l = maxn m 1].
Proof. exact C2_full_first_exists. Qed.

(** C3. R^(L+1): the state of layer 1 has max(m, 1) values, that of layer k+1 has N^N for N = N_{k-1}. *)
Theorem C3 : forall m ns, exists md, [/\ word md = nseq (size ns).+2 false, solves m ns md
  & map (@states _) (layers md) = maxn m 1 :: [seq maxn N 1 ^ maxn N 1 | N <- sizes m ns]].
Proof. exact C3_exists. Qed.

(** C5, F alone with a chain of thought. *)
Theorem C5_full_alone : forall m ns, exists md (next : act md -> token + nat),
  [/\ word md = [:: true], solves_cot m ns next,
      all (fun l => sums l == tokens m ns) (layers md) & all (fun l => states l == 1) (layers md)].
Proof. exact C5_exists. Qed.

(** * Exactly *)

(** T.depth. L ≤ depth of the word: at all sizes with L tables some model of this word solves the task, with messages of
    one of n values and max(m, 1) states. L > depth: for every β and Λ there are sizes with L tables, of at most
    34·y^(F_{2L+2}) tokens, at which no model of this word does. *)
Theorem T_depth : forall (w : seq bool) (L : nat), 0 < L ->
  (L <= depth w -> forall m ns, (size ns).+1 = L -> exists md,
     [/\ word md = w, solves m ns md,
         forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta
       & forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam])
  /\ (depth w < L -> forall beta Lam, exists m ns,
     [/\ (size ns).+1 = L, tokens m ns <= 34 * golden_base beta Lam L ^ fib (2 * L).+2
       & forall md, word md = w -> message_bits md beta -> state_bits md Lam -> ~ solves m ns md]).
Proof. exact exact_depth. Qed.

(** Words of different depth are separated: at equal sizes and equal budgets one can and the other cannot. *)
Theorem T_separation : forall w w' : seq bool, depth w < depth w' -> exists beta m ns,
  (exists md, [/\ word md = w', message_bits md beta, state_bits md (fun=> beta) & solves m ns md]) /\
  (forall md, word md = w -> message_bits md beta -> state_bits md (fun=> beta) -> ~ solves m ns md).
Proof. exact separation. Qed.
