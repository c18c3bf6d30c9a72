(** What the theorems of SharperTheorems.v speak about, besides Definitions.v: state bits block by block, the inequalities
    of A_L and B_L, the number of inputs that a model answers, and one sparse layer (D). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. State bits, block by block *)

(** Block t with the t-th Full layer in front of it (block 0 has none). *)
Definition block X (t : nat) (ls : seq (layer X)) : seq (layer X) :=
  if t is t'.+1 then drop (size (upto t' ls)) (upto t ls) else upto 0 ls.

(** λ_t: the state bits of block t and of the recurrent heads beside the t-th Full layer.
    So Λ_t = λ_0 + … + λ_t, and λ_t = Λ_t − Λ_{t-1}. *)
Definition block_bits (md : model) (lam : nat -> nat) : Prop :=
  forall t, \prod_(l <- block t (layers md)) states l <= 2 ^ lam t.

(** * 2. The inequalities of A_L and B_L

    w_ℓ takes its last ν_ℓ values alone: the other rows of table ℓ+1 are constant, and count with table ℓ+2 behind which they stand.
    nus = [:: ν_1; …; ν_{L-1}], ν_ℓ ≤ n_ℓ, ν_{L-1} = n_{L-1}; W = ν_1⋯ν_{L-1}; nus = ns uses all rows.

    A_L, at level ℓ = e+2, s = 0: D = D_ℓ; B = X_{ℓ-1} = x_1⋯x_{ℓ-1}; k = ν_{ℓ-1}·Θ_{ℓ-1}; N = N_{ℓ-1}; of the N entries a = ν_{ℓ-1}·N_{ℓ-2}
    are used, and p = N_{ℓ-2} − ν_{ℓ-2}·N_{ℓ-3} of the table below are not: M_ℓ = a + p (with all rows a = N and p = 0); ns = [:: n_ℓ; …], nus = [:: ν_ℓ; …];
    cs = [:: (x_ℓ, Θ_ℓ); …]; P = Λ_0 + β·W; lam t = λ_t, so Σ_{1..ℓ-1} lam = Λ_{ℓ-1} − Λ_0;
    T = y_ℓ + x_2⋯x_{ℓ-1}·(m−g+g·Θ_1) + Σ_{i=2..ℓ-1} x_i⋯x_{ℓ-1}·M_i, and Tv is T with X_{ℓ-1} for y_ℓ
    (they differ at ℓ = 2 only, where y_2 = 1).
    B_L, at level ℓ = e+1, s = 1: one Full layer more is covered, so e is larger by 1; the sum is Σ_{2..ℓ} lam = Λ_ℓ − Λ_1;
    B = Y_{ℓ-1} = Θ_1·x_2⋯x_{ℓ-1}, and T = Tv has x_0 for g and x_1 for Θ_1. *)
Fixpoint levels_delayed (beta : nat) (lam : nat -> nat) (s P W e D T Tv B k a p N : nat) (ns nus : seq nat) (cs : seq (nat * nat)) : bool :=
  match ns, nus, cs with
  | [::], [::], _ => (a == N) && (2 ^ (P + D) < N ^ k)                                         (* (F)   *)
  | n :: ns', v :: nus', (x, th) :: cs' =>
      [&& v <= n, th <= N, 'C(N, th.-1) * th.-1 ^ (x * k) * 2 ^ (x * (P + D) + 1) <= N ^ (x * k) & (* (E_l) *)
       levels_delayed beta lam s P W e.+1
         (1 + x * D + \sum_(s.+1 <= t < e.+2) lam t + x * B * lam e.+2 + beta * (e.+1 * (x * (a + p)) + T + W * B))
         (x * (a + p + Tv)) (x * (a + p + Tv)) (x * B) (v * th) (N * v) (N - a) (N * n) ns' nus' cs']
  | _, _, _ => false
  end.
(** g entries of table 1 are free, and Θ_1 of their values are reached: (Θ_1−1)^g·2^Λ_0 < m^g. *)
Definition hardAL (beta : nat) (lam : nat -> nat) (m : nat) (ns nus : seq nat) (g Th1 : nat) (cs : seq (nat * nat)) : bool :=
  if (ns, nus) is (n1 :: ns', v1 :: nus') then
    let W := queries nus in let t1 := m - g + g * Th1 in
    [&& g <= m, v1 <= n1, Th1.-1 ^ g * 2 ^ lam 0 < m ^ g
      & levels_delayed beta lam 0 (lam 0 + beta * W) W 0 (Th1 * lam 1) (1 + t1) (Th1 + t1) Th1 (v1 * Th1) (m * v1) 0 (m * n1) ns' nus' cs]
  else false.

(** B_L: the last x_0 entries of table 1 are free, x_1 copies of it are drawn, and Θ_1 of their values are reached.
    P_1 = β·W + Λ_1; P = P_1 + β·(m + x_0·x_1); D_2 = β·W·x_0 + Θ_1·λ_2. *)
Definition hardBL (beta : nat) (lam : nat -> nat) (m : nat) (ns nus : seq nat) (x0 x1 Th1 : nat) (cs : seq (nat * nat)) : bool :=
  if (ns, nus) is (n1 :: ns', v1 :: nus') then
    let W := queries nus in let P1 := beta * W + lam 1 in let t1 := m - x0 + x0 * x1 in
    [&& x0 <= m, v1 <= n1, Th1 <= m, 'C(m, Th1.-1) * Th1.-1 ^ (x1 * x0) * 2 ^ (x1 * P1) < m ^ (x1 * x0)
      & levels_delayed beta lam 1 (P1 + beta * (m + x0 * x1)) W 1 (beta * (W * x0) + Th1 * lam 2) (Th1 + t1) (Th1 + t1) Th1
          (v1 * Th1) (m * v1) 0 (m * n1) ns' nus' cs]
  else false.

(** * 3. The cube lemma (B2c)

    g entries of v values each and a map of b bits: at least g·v − (v−1)·b values in all keep its answer, on average, where the entries
    before are known and those behind have two values. *)
Definition cube_values (g v b : nat) : nat := g * v - v.-1 * b.

(** * 4. How many inputs a model answers (C')

    All lists of k numbers below b; one table for each size; all queries; and every input (z_0, tables, w), once. *)
Fixpoint lists (k b : nat) : seq (seq nat) :=
  if k is k'.+1 then [seq v :: z | v <- iota 0 b, z <- lists k' b] else [:: [::]].
Fixpoint all_tables (ss : seq nat) : seq (seq (seq nat)) :=
  if ss is N :: ss' then [seq z :: zs | z <- lists N N, zs <- all_tables ss'] else [:: [::]].
Fixpoint all_queries (ns : seq nat) : seq (seq nat) :=
  if ns is n :: ns' then [seq w :: ws | w <- iota 0 n, ws <- all_queries ns'] else [:: [::]].
Definition all_inputs (m : nat) (ns : seq nat) : seq (nat * seq (seq nat) * seq nat) :=
  [seq (z, w) | z <- [seq (z0, zs) | z0 <- iota 0 m, zs <- all_tables (sizes m ns)], w <- all_queries ns].

(** The number of inputs that a model answers rightly: at once, or with at most fuel tokens of a chain of thought. *)
Definition right_inputs (m : nat) (ns : seq nat) (md : model) : nat :=
  count (fun i => output md (prompt i.1.1 i.1.2 i.2) == answer i.1.1 i.1.2 i.2) (all_inputs m ns).
Definition right_inputs_cot (m : nat) (ns : seq nat) (md : model) (next : act md -> token + nat) (fuel : nat) : nat :=
  count (fun i => decode next fuel (prompt i.1.1 i.1.2 i.2) == Some (answer i.1.1 i.1.2 i.2)) (all_inputs m ns).

(** a or more of N places agree: N^N·Pr[Bin(N, 1/N) ≥ a] = Σ_{j≥a} C(N, j)·(N−1)^(N−j). *)
Definition agreeing (N a : nat) : nat := \sum_(a <= j < N.+1) 'C(N, j) * N.-1 ^ (N - j).

(** ⟨1/N; Λ/N⟩ ≤ a/b, in integers (end of theory 5.7), with K ≥ b·Λ/N; a/b is above 1/N. *)
Definition closed_bound (N lam a b K : nat) : bool :=
  [&& a <= b, b < a * N, b * lam <= K * N & 2 ^ K * (b ^ b * N.-1 ^ (b - a)) <= a ^ a * (b - a) ^ (b - a) * N ^ b].

(** ⟨g/h; λ/n⟩ ≤ a/b, in integers, with K ≥ b·λ/n; a/b is above g/h. *)
Definition closed_share (g h n lam a b K : nat) : bool :=
  [&& 0 < g, a <= b, b * g < a * h, b * lam <= K * n
    & 2 ^ K * (b ^ b * (g ^ a * (h - g) ^ (b - a))) <= a ^ a * (b - a) ^ (b - a) * h ^ b].

(** ... where λ = 0 also if a/b is g/h itself. *)
Definition share_bound (g h n lam a b K : nat) : bool := closed_share g h n lam a b K || [&& 0 < g, lam == 0 & b * g <= a * h].

(** E for every number of tables. Its inequalities from a level on, as in A_L (levels_delayed), but that t entries of the next table
    are asked, along all paths. cs = [:: (x_ℓ, (a_ℓ, K_ℓ)); …]: among the x·t new values at most a_ℓ/b are again some value before,
    ⟨(x·t−1)/2N; x·D/(x·t)⟩ ≤ a_ℓ/b; last = (a, K) with ⟨1/N; D/t⟩ ≤ a/b at the end. *)
Fixpoint levels_average (b beta : nat) (lam : nat -> nat) (W e D T Tv B t N : nat) (ns : seq nat) (cs : seq (nat * (nat * nat)))
    (last : nat * nat) : bool :=
  match ns, cs with
  | [::], _ => (1 < N) && share_bound 1 N t D last.1 b last.2
  | n :: ns', (x, (a, K)) :: cs' =>
      [&& 0 < x, (x * t <= 1) || share_bound (x * t).-1 (2 * N) (x * t) (x * D) a b K &
       levels_average b beta lam W e.+1
         (x * D + (\sum_(i < e.+2) lam i + x * B * lam e.+2 + beta * (e.+1 * (x * N) + T + W * B)))
         (x * (N + Tv)) (x * (N + Tv)) (x * B) (t * x * n) (N * n) ns' cs' last]
  | _ :: _, [::] => false
  end.
(** Kind A, as many full layers as tables less one: the first step is by itself, since before layer 1 nothing is known of w but λ_0 bits;
    w hears in layer 1 for each query, and each z_0 if a state stands before it. *)
Definition averageA (b beta : nat) (lam : nat -> nat) (m : nat) (ns : seq nat) (x0 x1 a1 K1 : nat) (cs : seq (nat * (nat * nat)))
    (last : nat * nat) : bool :=
  if ns is n1 :: ns' then
    let W := queries ns in
    [&& 0 < x0, x0 <= m, 0 < x1, (x1 * x0 <= 1) || share_bound (x1 * x0).-1 (2 * m) (x1 * x0) (x1 * lam 0) a1 b K1 &
     levels_average b beta lam W 0 (x1 * lam 0 + (lam 0 + beta * (if lam 0 == 0 then W else W * x0) + x1 * x0 * lam 1))
       (x1 * m + x0) (x1 * (m + x0)) (x1 * x0) (x0 * x1 * n1) (m * n1) ns' cs last]
  else false.
(** Kind B, as many full layers as tables: w is known after layer 1, for β·W + λ_1 bits. *)
Definition averageB (b beta : nat) (lam : nat -> nat) (m : nat) (ns : seq nat) (x0 : nat) (cs : seq (nat * (nat * nat)))
    (last : nat * nat) : bool :=
  [&& 0 < x0, x0 <= m & levels_average b beta lam (queries ns) 0 (beta * queries ns + lam 1) x0 x0 x0 x0 m ns cs last].
(** The numerators, added up. *)
Definition added_shares (cs : seq (nat * (nat * nat))) : nat := sumn [seq c.2.1 | c <- cs].

(** * 5. One sparse layer and 2-Sum (D)

    u values; g complete blocks before the query, of B entries each; k blocks opened in total; the summary of a block is
    any map, and may depend on the block's position. The query looks for the value x; its own block, the window and the
    sinks hold no match and are not written. *)
Definition has_value (u B : nat) (x : 'I_u) (c : {ffun 'I_B -> 'I_u}) : bool := [exists j, c j == x].

(** x is ambiguous in block b if two contents with the same summary exist, one with x and one without. *)
Definition ambiguous (u g B : nat) (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg) (x : 'I_u) (b : 'I_g) : bool :=
  [exists c, [exists c', [&& summary b c == summary b c', has_value x c & ~~ has_value x c']]].

(** What the layer is told of all blocks, and the contents of the blocks that it opens. *)
Definition summaries (u g B : nat) (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) : {ffun 'I_g -> Sg} := [ffun b => summary b (cs b)].
Definition opened (u g B : nat) (O : {set 'I_g}) (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) :
    {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} := [ffun b => if b \in O then Some (cs b) else None].

(** A right layer: which blocks it opens, from the summaries and x (any scorer), and its answer from the summaries, x and
    the opened contents; at most k are opened, and the answer says whether x stands in some block. *)
Definition right_layer (u g B k : nat) (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g})
    (reply : {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool) : Prop :=
  (forall s x, #|scorer s x| <= k) /\
  forall cs x, reply (summaries summary cs) x (opened (scorer (summaries summary cs) x) cs)
               = [exists b, has_value x (cs b)].

(** * 6. Windows (A2_W)

    A window of reach r: what token i knows next is any function of what the tokens i−r, …, i knew (those that there are); attention to the
    last r+1 tokens is such a function, whatever its heads and its arithmetic. It has neither messages nor states to count.
    The other layers of a model are plain ones: of Definitions.v, or of ExactDefinitions.v. *)
Inductive windowed (X plain : Type) : Type := Plain of plain | Window (reach : nat) (f : nat -> seq X -> X).
Definition run_windowed X plain (run : (nat -> X) -> plain -> nat -> X) (x : nat -> X) (l : windowed X plain) : nat -> X := fun i =>
  match l with Plain l => run x l i | Window r f => f i [seq x j | j <- iota (i - r) (i - (i - r)).+1] end.
Definition is_window X plain (l : windowed X plain) : bool := if l is Window _ _ then true else false.

(** r: the reaches of windows, added up. *)
Definition reach X plain (ls : seq (windowed X plain)) : nat := sumn [seq (if l is Window r _ then r else 0) | l <- ls].
(** One plain layer F, and windows before and behind it of reaches at most r_0 and r_1. *)
Definition between_windows X plain (r0 r1 : nat) (F : plain) (ls : seq (windowed X plain)) : Prop :=
  exists W0 W1, [/\ ls = W0 ++ Plain _ F :: W1, all (@is_window _ _) W0, all (@is_window _ _) W1, reach W0 <= r0 & reach W1 <= r1].

Record window_model (plain : Type -> Type) := WindowModel {
  wact : Type;
  wembed : nat -> token -> wact;
  wlayers : seq (windowed wact (plain wact));
  wout : wact -> nat }.
Definition window_output plain (run : forall X, (nat -> X) -> plain X -> nat -> X) (md : window_model plain) (p : seq token) : nat :=
  wout (foldl (run_windowed (run _)) (fun i => wembed md i (nth (Val 0) p i)) (wlayers md) (size p).-1).
Definition window_solves plain (run : forall X, (nat -> X) -> plain X -> nat -> X) (m : nat) (ns : seq nat) (md : window_model plain) : Prop :=
  forall z0 zs ws, valid m ns z0 zs ws -> window_output run md (prompt z0 zs ws) = answer z0 zs ws.
