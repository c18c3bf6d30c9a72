(** C', the second inequality in integers (theory 5.7): the union bound is at most ⟨1/N; Λ/N⟩. No logarithm is needed:
    ⟨1/N; Λ/N⟩ ≤ a/b means 2^K·b^b·(N−1)^(b−a) ≤ a^a·(b−a)^(b−a)·N^b with K ≥ b·Λ/N, and the step from the tails to it is
    AM–GM over N^N outcomes, weighted by θ^x with θ = a(N−1)/(b−a). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts TheoremCPrime.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Tilted.
Variables (N u v : nat).
Hypothesis vu : v <= u.

(** θ^x, times v^N. *)
Definition tilted (x : nat) : nat := u ^ x * v ^ (N - x).
Definition rise (t : nat) : nat := tilted t.+1 - tilted t.
(** An outcome with one agreement more weighs more. *)
Lemma tilted_mono t : t < N -> tilted t <= tilted t.+1.
Proof.
move=> tN; rewrite /tilted -(ltn_predK (_ : 0 < N - t)) ?subn_gt0 // -subnS !expnS mulnCA -mulnA leq_mul2r.
by rewrite vu orbT.
Qed.
(** Its value is what it rose. *)
Lemma tilted_sum x : x <= N -> tilted x = tilted 0 + \sum_(t < N | t < x) rise t.
Proof.
move=> xN; rewrite -(big_ord_widen _ rise xN); elim: x xN => [|x IH] xN; first by rewrite big_ord0 addn0.
by rewrite big_ord_recr /= addnA -IH ?(ltnW xN) // /rise subnKC // tilted_mono.
Qed.

(** The weight of j agreements, and of all outcomes with their θ. *)
Definition weight (j : nat) : nat := 'C(N, j) * N.-1 ^ (N - j).
(** a or more agreements. *)
Lemma agreeing_weight a : agreeing N a = \sum_(j < N.+1 | a <= j) weight j.
Proof. by rewrite /agreeing big_geq_mkord. Qed.
(** All outcomes are N^N. *)
Lemma all_weights : 0 < N -> \sum_(j < N.+1) weight j = N ^ N.
Proof.
move=> N0; have -> : N ^ N = (N.-1 + 1) ^ N by rewrite addn1 prednK.
by rewrite expnDn; apply: eq_bigr => j _; rewrite exp1n muln1.
Qed.
(** The binomial theorem. *)
Lemma weights_tilted : \sum_(j < N.+1) weight j * tilted j = (N.-1 * v + u) ^ N.
Proof.
rewrite expnDn; apply: eq_bigr => j _; rewrite /weight /tilted expnMn.
by rewrite -!mulnA; congr (_ * (_ * _)); rewrite mulnC.
Qed.
(** The same sum by tails. *)
Lemma weights_by_tails : 0 < N ->
  \sum_(j < N.+1) weight j * tilted j = N ^ N * tilted 0 + \sum_(t < N) agreeing N t.+1 * rise t.
Proof.
move=> N0; rewrite -all_weights // big_distrl /=.
have -> : \sum_(t < N) agreeing N t.+1 * rise t = \sum_(j < N.+1) \sum_(t < N | t < j) weight j * rise t.
  under eq_bigr => t _ do rewrite agreeing_weight big_distrl /=.
  by rewrite (exchange_big_dep xpredT).
rewrite -big_split /=; apply: eq_bigr => j _.
by rewrite (tilted_sum (_ : j <= N)) -1?ltnS // mulnDr big_distrr.
Qed.

(** Outcomes i < S with the tails c_0 ≥ c_1 ≥ …: the value of outcome i is the number of tails that it is in. *)
Variables (S : nat) (c : nat -> nat).
Hypotheses (cS : forall t, c t <= S) (c_down : forall t t', t <= t' -> c t' <= c t).
Definition outcome (i : nat) : nat := \sum_(t < N) (i < c t).
(** It is at most N. *)
Lemma outcome_le i : outcome i <= N.
Proof.
apply: leq_trans (_ : \sum_(t < N) 1 <= _); last by rewrite sum1_card card_ord.
by apply: leq_sum => t _; case: (_ < _).
Qed.
(** Where it is above t, it is in tail t. *)
Lemma outcome_tail i t : t < outcome i -> i < c t.
Proof.
apply: contraTT; rewrite -!leqNgt => ci.
apply: leq_trans (_ : \sum_(s < N | s < t) 1 <= _); last first.
  case: (leqP t N) => tN; first by rewrite -(big_ord_widen _ (fun=> 1) tN) sum1_card card_ord.
  by apply: leq_trans (ltnW tN); rewrite -[X in _ <= X]card_ord -sum1_card big_mkcond leq_sum // => s _; case: ifP.
rewrite [X in _ <= X]big_mkcond; apply: leq_sum => s _; case: ltnP => [is_in|_] //.
by case: ltnP => // ts; move: (leq_trans is_in (leq_trans (c_down ts) ci)); rewrite ltnn.
Qed.
(** c outcomes of S are below c. *)
Lemma count_below k : k <= S -> \sum_(i < S) (i < k) = k.
Proof.
move=> kS; rewrite -[RHS]card_ord -sum1_card (big_ord_widen _ (fun=> 1) kS) [RHS]big_mkcond.
by apply: eq_bigr => i _; case: ltnP.
Qed.
(** The sum of all values. *)
Lemma sum_outcomes : \sum_(i < S) outcome i = \sum_(t < N) c t.
Proof. by rewrite exchange_big /=; apply: eq_bigr => t _; apply: count_below. Qed.
(** The sum of all θ^x, by tails. *)
Lemma sum_tilted : \sum_(i < S) tilted (outcome i) <= S * tilted 0 + \sum_(t < N) c t * rise t.
Proof.
apply: leq_trans (_ : \sum_(i < S) (tilted 0 + \sum_(t < N) (i < c t) * rise t) <= _).
  apply: leq_sum => i _; rewrite tilted_sum ?outcome_le // leq_add2l big_mkcond /=.
  by apply: leq_sum => t _; case: ifP => // /outcome_tail ->; rewrite mul1n.
rewrite big_split /= sum_nat_const card_ord leq_add2l exchange_big /=.
by apply: leq_sum => t _; rewrite -big_distrl /= count_below.
Qed.
(** AM–GM over the outcomes. *)
Lemma tilted_mean : S ^ S * (u ^ (\sum_(t < N) c t) * v ^ (N * S - \sum_(t < N) c t))
  <= (S * tilted 0 + \sum_(t < N) c t * rise t) ^ S.
Proof.
apply: leq_trans (exp_mono _ sum_tilted).
have listed (g : nat -> nat) : \sum_(i < S) g i = \sum_(i <- iota 0 S) g i by rewrite -(big_mkord xpredT g) /index_iota subn0.
have := mean_inequality [seq tilted (outcome i) | i <- iota 0 S]; rewrite size_map size_iota !big_map (listed (fun i => tilted (outcome i))).
apply: leq_trans; rewrite leq_mul2l; apply/orP; right.
rewrite /tilted big_split /= -!expn_sum.
have E : \sum_(i <- iota 0 S) outcome i = \sum_(t < N) c t.
  by rewrite -sum_outcomes (listed outcome).
have E' : \sum_(i <- iota 0 S) (N - outcome i) = N * S - \sum_(t < N) c t.
  rewrite -E sumnB; last by move=> i _; apply: outcome_le.
  by rewrite big_const_seq count_predT size_iota iter_addn_0.
by rewrite E E'.
Qed.
End Tilted.

(** The tails of C': min(N^N, 2^Λ·(number of outcomes with more than t agreements)). *)
Definition capped (N lam t : nat) : nat := minn (N ^ N) (2 ^ lam * agreeing N t.+1).
(** The capped tails fall. *)
Lemma capped_down N lam t t' : t <= t' -> capped N lam t' <= capped N lam t.
Proof.
move=> le; rewrite /capped leq_min geq_minl /=; apply: leq_trans (geq_minr _ _) _; rewrite leq_mul2l; apply/orP; right.
rewrite !agreeing_weight big_mkcond [X in _ <= X]big_mkcond; apply: leq_sum => j _.
by case: ltnP => // h; rewrite (leq_ltn_trans le h).
Qed.

(** From the means to closed_share: exponents of u/v > 1 are compared. *)
Lemma compare_shares h n S M u v w a b K lam : 0 < h -> 0 < v -> v < u -> a <= b -> M <= n * S -> b * lam <= K * n ->
  h ^ (n * S) * (u ^ M * v ^ (n * S - M)) <= 2 ^ (lam * S) * w ^ (n * S) ->
  2 ^ K * w ^ b <= u ^ a * v ^ (b - a) * h ^ b -> b * M <= a * (n * S).
Proof.
move=> h0 v0 vu ab MS hK mean hyp.
have raised : u ^ (M * b) * v ^ ((n * S - M) * b) <= u ^ (a * (n * S)) * v ^ ((b - a) * (n * S)).
  have NN : 0 < h ^ (b * (n * S)) by rewrite expn_gt0 h0.
  rewrite -(leq_pmul2l NN).
  have -> : h ^ (b * (n * S)) * (u ^ (M * b) * v ^ ((n * S - M) * b)) = (h ^ (n * S) * (u ^ M * v ^ (n * S - M))) ^ b.
    by rewrite 2!expnMn -!expnM (mulnC b).
  apply: leq_trans (exp_mono b mean) _.
  rewrite expnMn -!expnM; apply: leq_trans (_ : (2 ^ K * w ^ b) ^ (n * S) <= _).
    rewrite expnMn -!expnM (mulnC b (n * S)) leq_mul2r; apply/orP; right; rewrite leq_exp2l //.
    by rewrite mulnAC (mulnC lam) mulnA leq_mul2r hK orbT.
  apply: leq_trans (exp_mono _ hyp) _; apply: eq_leq.
  by rewrite 2!expnMn -!expnM mulnC.
rewrite leqNgt (mulnC b); apply/negP => lt; move: raised; rewrite leqNgt => /negP; apply.
have [d Ed] : exists d, M * b = a * (n * S) + d.+1.
  by exists (M * b - a * (n * S)).-1; rewrite prednK ?subn_gt0 // subnKC // ltnW.
have Ev : (b - a) * (n * S) = (n * S - M) * b + d.+1.
  apply/eqP; rewrite -(eqn_add2l (a * (n * S))) -mulnDl subnKC // addnCA -Ed -mulnDl subnK // mulnC //.
rewrite Ed Ev !expnD -!mulnA ltn_pmul2l ?expn_gt0 ?(leq_trans v0 (ltnW vu)) //.
by rewrite [X in _ < X]mulnC ltn_pmul2l ?expn_gt0 ?v0 // ltn_exp2r.
Qed.

(** The closed form bounds the union bound. *)
Lemma union_le_closed N lam a b K : 0 < N -> a <= b -> b < a * N -> b * lam <= K * N ->
  2 ^ K * (b ^ b * N.-1 ^ (b - a)) <= a ^ a * (b - a) ^ (b - a) * N ^ b ->
  b * (\sum_(1 <= t < N.+1) minn (N ^ N) (2 ^ lam * agreeing N t)) <= a * N ^ N.+1.
Proof.
move=> N0 ab bN hK hyp; have -> : \sum_(1 <= t < N.+1) minn (N ^ N) (2 ^ lam * agreeing N t) = \sum_(t < N) capped N lam t.
  by rewrite big_add1 big_mkord.
set M := \sum_(t < N) _; pose S := N ^ N; pose u := a * N.-1; pose v := b - a.
have S0 : 0 < S by rewrite expn_gt0 N0.
have cS t : capped N lam t <= S by apply: geq_minl.
have MS : M <= N * S.
  apply: leq_trans (_ : \sum_(t < N) S <= _); first by apply: leq_sum.
  by rewrite sum_nat_const card_ord.
have [ab1|ab1] := eqVneq a b; first by rewrite -ab1 leq_mul2l expnS MS orbT.
have v0 : 0 < v by rewrite subn_gt0 ltn_neqAle ab1.
have vu : v < u.
  rewrite /v /u -(ltn_add2r a) subnK // -[X in _ < _ + X]muln1 -mulnDr addn1 prednK //.
have mean : S ^ S * (u ^ M * v ^ (N * S - M)) <= 2 ^ (lam * S) * (N.-1 * b) ^ (N * S).
  apply: leq_trans (tilted_mean N (ltnW vu) cS (@capped_down N lam)) _.
  apply: leq_trans (_ : (2 ^ lam * (N.-1 * v + u) ^ N) ^ S <= _).
    apply: exp_mono; rewrite -weights_tilted weights_by_tails ?(ltnW vu) // mulnDr leq_add //.
      by rewrite leq_pmull // expn_gt0.
    by rewrite big_distrr /=; apply: leq_sum => t _; rewrite mulnA leq_mul2r geq_minr orbT.
  rewrite expnMn -!expnM; apply: eq_leq; congr (_ * _ ^ _).
  by rewrite /u (mulnC a) -mulnDr /v subnK.
have hyp' : 2 ^ K * (N.-1 * b) ^ b <= u ^ a * v ^ v * N ^ b.
  have -> : (N.-1 * b) ^ b = N.-1 ^ a * (b ^ b * N.-1 ^ (b - a)).
    by rewrite expnMn [RHS]mulnCA -expnD subnKC // mulnC.
  rewrite mulnCA /u expnMn -/v; apply: leq_trans (leq_mul (leqnn _) hyp) _; apply: eq_leq.
  by rewrite -/v !mulnA (mulnC (N.-1 ^ a)).
have SS : S ^ S = N ^ (N * S) by rewrite {1}/S -expnM.
by rewrite SS in mean; have := compare_shares N0 v0 vu ab MS hK mean hyp'; rewrite /S -expnS.
Qed.

(** C' in closed form, for any number of right answers that the union bound bounds. *)
Lemma closed_of_union N lam a b K right total : closed_bound N lam a b K ->
  N ^ N.+1 * right <= total * (\sum_(1 <= t < N.+1) minn (N ^ N) (2 ^ lam * agreeing N t)) -> b * right <= a * total.
Proof.
case/and4P => ab bN hK hyp le; have N0 : 0 < N by case: (N) bN => //; rewrite muln0.
rewrite -(@leq_pmul2l (N ^ N.+1)) ?expn_gt0 ?N0 // mulnCA.
apply: leq_trans (leq_mul (leqnn b) le) _; rewrite mulnCA [X in _ <= X]mulnA [_ * a]mulnC [X in _ <= X]mulnC.
by rewrite leq_mul2l (union_le_closed N0 ab bN hK hyp) orbT.
Qed.
(** Without a full layer. *)
Theorem theoremC_closed lam m ns (md : model) a b K : number_full md = 0 -> all_state_bits md lam ->
  closed_bound (last_size m ns) lam a b K -> b * right_inputs m ns md <= a * size (all_inputs m ns).
Proof. by move=> hF hl h; apply: (closed_of_union h); apply: theoremC_average. Qed.
(** With a chain of thought. *)
Theorem theoremC_closed_cot lam m ns (md : model) (next : act md -> token + nat) fuel a b K :
  number_full md = 0 -> all_state_bits md lam ->
  closed_bound (last_size m ns) lam a b K -> b * right_inputs_cot m ns next fuel <= a * size (all_inputs m ns).
Proof. by move=> hF hl h; apply: (closed_of_union h); apply: theoremC_average_cot. Qed.
(** One full layer alone and one table. *)
Theorem theoremB_one_closed beta lam m (md : model) l a b K :
  layers md = [:: l] -> sums l <= 2 ^ beta -> states l <= 2 ^ lam ->
  closed_bound m (beta + lam) a b K -> b * right_inputs m [::] md <= a * size (all_inputs m [::]).
Proof. by move=> hls hb hl h; apply: (closed_of_union h); apply: theoremB_one_average hls hb hl. Qed.

(** R alone, one table of 4 entries, one bit: at most 2 of 3 inputs are answered rightly. *)
Theorem C_closed_instance (md : model) : number_full md = 0 -> all_state_bits md 1 ->
  3 * right_inputs 4 [::] md <= 2 * size (all_inputs 4 [::]).
Proof. by move=> hF hl; apply: (@theoremC_closed 1 4 [::] md 2 3 1 hF hl); vm_compute. Qed.
