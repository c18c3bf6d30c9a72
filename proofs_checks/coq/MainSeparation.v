(** One theorem: L + 1 softmax layers compose L tables; L − 1 of them, with any recurrent layers, do not.

    MainTheorems.v states it. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Counting Knowledge TheoremA GoldenSchedule
  ExactDepth WordsSeparated ExactModels ArithmeticLink Squares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** y is at most C·β. *)
Lemma golden_base_beta L : exists C, forall beta, 0 < beta -> golden_base beta (fun=> beta) L <= C * beta.
Proof.
have [C hC] := golden_base_linear L; exists (2 * C) => beta b0; apply: leq_trans (hC beta) _.
by move: b0 => /leP b0; apply/leP; rewrite -?plusE -?multE; nia.
Qed.

(** For every number of tables L there is a C such that, whenever C·β^F ≤ 2^k with F the Fibonacci number F_{2L+1}, there are
    sizes with L tables and at most n = 2^k tokens at which
    - explicit integer weights of L + 1 full-attention layers answer every input, for every precision P of the weights;
    - no model with at most L − 1 full-attention layers, of any number of heads with messages of at most β bits, in exact sums or
      in floating point from left to right, and any number of recurrent layers of at most β bits of state together, does. *)
Theorem squares_against_hybrids (L : nat) : 0 < L -> exists C, forall beta k, 0 < beta -> C * beta ^ fib (2 * L).+1 <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> within k beta (fun=> beta) md -> ~ exactly_solves m ns md].
Proof.
case: L => // j _; have [C hC] := golden_base_beta j.
exists (34 * C ^ fib (2 * j.+1).+1) => beta k b0 hk.
have [m [ns [x0 [cs [sn h hN hs]]]]] := goldenA beta (fun=> beta) j.
have [y4 _ yl _] := golden_base_large beta (fun=> beta) j.
have len : tokens m ns <= 2 ^ k.
  apply: leq_trans hk; rewrite -mulnA -expnMn.
  have y0 : 0 < golden_base beta (fun=> beta) j by apply: leq_trans y4.
  by apply: (tokens_polynomial y0 (hC _ b0) _ yl hN hs); rewrite mulnS.
exists m, ns; split=> //; first by rewrite sn.
  move=> P.
  exists (squares P (2 * k) m ns), (far_or_zero P); split.
  - by [].
  - by rewrite squares_shape sn.
  - by rewrite -sn; apply: squares_width.
  - move=> e; apply: sub_all (squares_bits P (2 * k) m ns e k) => l /eqP ->.
    by apply/eqP; rewrite -?plusE -?multE; lia.
  - exact: squares_solve (enough_bits len).
by move=> md few bits; apply: (theoremA_exact len bits _ h); rewrite sn -ltnS.
Qed.

(** The states of the layers that hold one of at most b bits. *)
Lemma linear_bits_few X (ls : seq (exact_layer X)) b t : all (fun l => linear_bits l <= b) ls ->
  linear_bits_upto t ls <= layers_with_state ls * b.
Proof.
rewrite /layers_with_state; elim: ls t => [|l ls IH] t //= /andP[lb /IH h].
have add s : linear_bits l + linear_bits_upto s ls <= ((0 < linear_bits l) + count (fun l => 0 < linear_bits l) ls) * b.
  by rewrite mulnDl leq_add //; case: (posnP (linear_bits l)) => [->|_]; rewrite ?mul1n.
by case: (is_attention l) => //; case: t.
Qed.

(** The same with the paper's count: at most L·2^(3L²) recurrent layers, wherever they stand, of b bits each. *)
Corollary squares_against_many_layers (L : nat) : 0 < L -> exists C, forall b k, 0 < b -> C * b ^ fib (2 * L).+1 <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> layers_with_state (stack md) <= L * 2 ^ (3 * L ^ 2) ->
        all (fun l => soft_bits k l <= b) (stack md) -> all (fun l => linear_bits l <= b) (stack md) -> ~ exactly_solves m ns md].
Proof.
move=> L0; have [C hC] := squares_against_hybrids L0; pose M := L * 2 ^ (3 * L ^ 2); have M0 : 0 < M by rewrite muln_gt0 L0 expn_gt0.
exists (C * M ^ fib (2 * L).+1) => b k b0 hk.
have [||m [ns [h1 h2 h3 h4]]] := hC (M * b) k; [by rewrite muln_gt0 M0 | by rewrite expnMn mulnA |].
exists m, ns; split=> // md few recs soft lin; apply: h4 => //; split.
  by apply: sub_all soft => l lb; apply: leq_trans lb _; rewrite leq_pmull.
by move=> t; apply: leq_trans (linear_bits_few t lin) _; rewrite leq_mul2r recs orbT.
Qed.

(** The message bits of such heads. *)
Lemma paper_heads_bits X k b (l : exact_layer X) : paper_heads k b l -> soft_bits k l <= 6 * b.
Proof.
case: l => [H d P p e v A s n f|H d p F sc v A s n f|A s n r] //=.
  case/and5P => d0 Pp kp p0 hb; apply: leq_trans (_ : 6 * (H * d * p) <= _); last by rewrite leq_mul2l.
  rewrite -mulnA mulnCA leq_mul2l; apply/orP; right.
  by move: d0 Pp kp p0 => /leP d0 /leP Pp /leP kp /leP p0; apply/leP; rewrite -?plusE -?multE; nia.
case/andP => d0 hb; apply: leq_trans (_ : 6 * (H * d * p) <= _); last by rewrite leq_mul2l.
by move: d0 => /leP d0; apply/leP; rewrite -?plusE -?multE; nia.
Qed.
(** The exponent of the theorem is below that of the paper. *)
Lemma fib_small L : fib (2 * L).+1 < 2 ^ (4 * L + 2).
Proof.
have h : forall n, fib n <= 2 ^ n /\ fib n.+1 <= 2 ^ n.+1.
  elim=> [|n [h1 h2]] //; split=> //; rewrite -[fib n.+2]/(fib n.+1 + fib n) expnS mul2n -addnn leq_add //.
  by apply: leq_trans h1 _; rewrite leq_pexp2l.
apply: leq_ltn_trans (h (2 * L)).2 _; rewrite ltn_exp2l //; apply/ltP; rewrite -?plusE -?multE; lia.
Qed.

(** The paper's regime: for every L and every large enough b = H·d·p with b^(2^(4L+2)) ≤ n = 2^k, L·2^(3L²) recurrent layers of at
    most b bits of state each do not make up for two full layers. *)
Corollary squares_in_the_paper_regime (L : nat) : 0 < L -> exists b0, forall b k, b0 <= b -> b ^ 2 ^ (4 * L + 2) <= 2 ^ k ->
  exists m ns, [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k, (forall P, solved_by_weights L P k m ns)
    & forall md : exact_model, attention_layers md < L -> layers_with_state (stack md) <= L * 2 ^ (3 * L ^ 2) ->
        all (paper_heads k b) (stack md) -> all (fun l => linear_bits l <= b) (stack md) -> ~ exactly_solves m ns md].
Proof.
move=> L0; have [C hC] := squares_against_many_layers L0; set F := fib _ in hC.
exists (C * 6 ^ F).+1 => b k hb hk; have b0 : 0 < b by apply: leq_ltn_trans hb.
have [||m [ns [h1 h2 h3 h4]]] := hC (6 * b) k; first by rewrite muln_gt0.
  apply: leq_trans hk; apply: leq_trans (_ : b * b ^ F <= _); first by rewrite expnMn mulnA leq_mul2r ltnW ?orbT.
  by rewrite -expnS leq_pexp2l // fib_small.
exists m, ns; split=> // md few recs heads lin; apply: h4 => //.
  by apply: sub_all heads => l; apply: paper_heads_bits.
by apply: sub_all lin => l lb; apply: leq_trans lb _; rewrite leq_pmull.
Qed.
