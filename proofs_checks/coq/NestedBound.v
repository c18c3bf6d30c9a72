(** Counting for averages with early state (theory 5.7). Two bounds, one inside the other, without logarithms.

    Outcomes k come in classes c k; for each class the tables z_1 come in at most 2^λ classes cls c z_1. If within one class
    and one value z_1(z_0) = i the best tables, one for each i, are right on a share g/h of all outcomes and values, then all
    tables together are right on a share a/b, ⟨g/h; λ/m⟩ ≤ a/b. The proof is AM–GM three times: over the outcomes of a class, over
    the tables, over the classes. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts TheoremCPrime RelativeEntropy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Means *)

(** Over a finite type. *)
Lemma mean_all (T : finType) (F : T -> nat) : #|T| ^ #|T| * \prod_(t : T) F t <= (\sum_(t : T) F t) ^ #|T|.
Proof. by have := mean_inequality [seq F t | t in T]; rewrite size_image !big_image. Qed.
(** A product of powers is the power of a product. *)
Lemma prod_pow (T : finType) (F : T -> nat) k : \prod_(t : T) F t ^ k = (\prod_(t : T) F t) ^ k.
Proof. by rewrite (big_morph (fun x => x ^ k) (fun x y => expnMn x y k) (exp1n k)). Qed.
(** s copies of u and the rest of v. *)
Lemma mean_two u v q s : s <= q -> q ^ q * (u ^ s * v ^ (q - s)) <= (s * u + (q - s) * v) ^ q.
Proof.
move=> sq; have := mean_inequality (nseq s u ++ nseq (q - s) v).
by rewrite size_cat !size_nseq subnKC // !big_cat /= !big_nseq !iter_muln_1 !iter_addn_0 (mulnC u) (mulnC v).
Qed.
(** With weights q_c: (Π L_c^{q_c})·Q^Q ≤ (Π q_c^{q_c})·(Σ L_c)^Q, Q = Σ q_c. *)
Lemma mean_weighted (C : finType) (q L : C -> nat) :
  (\prod_c L c ^ q c) * (\sum_c q c) ^ (\sum_c q c) <= (\prod_c q c ^ q c) * (\sum_c L c) ^ (\sum_c q c).
Proof.
set Q := \sum_c q c; pose D := \prod_c maxn 1 (q c).
have D0 : 0 < D by apply: prodn_gt0 => c; rewrite leq_max.
have Dq c : 0 < q c -> D %/ q c * q c = D.
  move=> qc; apply: divnK; rewrite /D (bigD1 c) //= (maxn_idPr qc); exact: dvdn_mulr.
pose list := flatten [seq nseq (q c) (L c * (D %/ q c)) | c <- enum C].
have sl : size list = Q.
  rewrite size_flatten /shape -map_comp sumnE big_map big_enum /=; by apply: eq_bigr => c _; rewrite size_nseq.
have pl : \prod_(x <- list) x = \prod_c (L c * (D %/ q c)) ^ q c.
  rewrite big_flatten big_map big_enum /=; by apply: eq_bigr => c _; rewrite big_nseq iter_muln_1.
have sm : \sum_(x <- list) x <= D * \sum_c L c.
  rewrite big_flatten big_map big_enum big_distrr /=; apply: leq_sum => c _; rewrite big_nseq iter_addn_0.
  by case: (posnP (q c)) => [->|qc]; rewrite ?muln0 // -mulnA Dq // mulnC.
have := mean_inequality list; rewrite sl pl => le.
have {}le := leq_trans le (exp_mono Q sm).
rewrite -(@leq_pmul2l (D ^ Q)) ?expn_gt0 ?D0 //.
have E : D ^ Q = \prod_c (D %/ q c) ^ q c * \prod_c q c ^ q c.
  rewrite /Q expn_sum -big_split /=; apply: eq_bigr => c _; rewrite -expnMn.
  by case: (posnP (q c)) => [->|/Dq ->] //; rewrite !expn0.
rewrite {1}E; move: le; rewrite (expnMn D) (_ : \prod_c (L c * (D %/ q c)) ^ q c = (\prod_c L c ^ q c) * \prod_c (D %/ q c) ^ q c).
  move: (\prod_c L c ^ q c) (\prod_c (D %/ q c) ^ q c) (\prod_c q c ^ q c) (Q ^ Q) ((\sum_c L c) ^ Q) (D ^ Q) => l d p k s e le.
  apply: leq_trans (_ : k * (l * d) * p <= _); first by apply: eq_leq; mring.
  by apply: leq_trans (leq_mul le (leqnn p)) _; apply: eq_leq; mring.
by rewrite -big_split; apply: eq_bigr => c _; rewrite expnMn.
Qed.

(** * 2. The bound *)
Section Nested.
Variables (m : nat) (Om C A : finType) (c : Om -> C).
Notation table1 := {ffun 'I_m -> 'I_m}.
Variables (cls : C -> table1 -> A) (R : Om -> table1 -> 'I_m -> bool) (lam g h : nat).
Hypothesis cA : #|A| <= 2 ^ lam.
Hypothesis inner : forall z0 (al : C -> A) (T : C -> 'I_m -> option table1),
  (forall cc i z1, T cc i = Some z1 -> cls cc z1 = al cc /\ z1 z0 = i) ->
  h * (\sum_(k : Om) \sum_(i < m) (if T (c k) i is Some z1 then nat_of_bool (R k z1 z0) else 0)) <= g * (m * #|Om|).

(** The outcomes of a class; on how many a table is right; the best table with a value; the best class of tables. *)
Definition outcomes (cc : C) : nat := \sum_(k : Om | c k == cc) 1.
Definition rightly (cc : C) (z1 : table1) (z0 : 'I_m) : nat := \sum_(k : Om | c k == cc) R k z1 z0.
Definition best (cc : C) (al : A) (z0 i : 'I_m) : nat := \max_(z1 | (cls cc z1 == al) && (z1 z0 == i)) rightly cc z1 z0.
Definition most (cc : C) (z0 : 'I_m) : nat := \max_(al : A) \sum_(i < m) best cc al z0 i.

(** Right at most everywhere. *)
Lemma rightly_le cc z1 z0 : rightly cc z1 z0 <= outcomes cc.
Proof. by apply: leq_sum => k _; case: (R _ _ _). Qed.
(** The classes share out all outcomes. *)
Lemma outcomes_all : \sum_(cc : C) outcomes cc = #|Om|.
Proof. by rewrite -sum1_card (partition_big c xpredT). Qed.

(** The best tables of the best classes are tables as `inner` has them. *)
Lemma most_bound z0 : h * (\sum_(cc : C) most cc z0) <= g * (m * #|Om|).
Proof.
pose al cc := odflt (cls cc [ffun i => i]) [pick al | most cc z0 == \sum_(i < m) best cc al z0 i].
have alP cc : most cc z0 = \sum_(i < m) best cc (al cc) z0 i.
  rewrite /al; case: pickP => [a /eqP //|none].
  have A0 : 0 < #|A| by apply/card_gt0P; exists (cls cc [ffun i => i]).
  have [a Ea] := eq_bigmax (fun al => \sum_(i < m) best cc al z0 i) A0.
  by have := none a; rewrite /most Ea eqxx.
pose T cc i := [pick z1 | [&& cls cc z1 == al cc, z1 z0 == i & rightly cc z1 z0 == best cc (al cc) z0 i]].
have TP cc i : (if T cc i is Some z1 then rightly cc z1 z0 else 0) = best cc (al cc) z0 i.
  rewrite /T; case: pickP => [z1 /and3P[_ _ /eqP //]|none].
  case: (pickP [pred z1 | (cls cc z1 == al cc) && (z1 z0 == i)]) => [z1 hz|empty].
    have A0 : 0 < #|[pred z1 | (cls cc z1 == al cc) && (z1 z0 == i)]| by apply/card_gt0P; exists z1.
    have [z /andP[h1 h2] Ez] := eq_bigmax_cond (fun z1 => rightly cc z1 z0) A0.
    by have := none z; rewrite h1 h2 /= /best Ez eqxx.
  by rewrite /best big_pred0.
have good cc i z1 : T cc i = Some z1 -> cls cc z1 = al cc /\ z1 z0 = i.
  by rewrite /T; case: pickP => // z /and3P[/eqP h1 /eqP h2 _] [<-].
apply: leq_trans (inner good); apply: eq_leq; congr (_ * _); rewrite [RHS](partition_big c xpredT) //=; apply: eq_bigr => cc _.
rewrite alP exchange_big /=; apply: eq_bigr => i _; rewrite -TP.
case E: (T cc i) => [z1|]; last by rewrite big1 // => k /eqP ->; rewrite E.
by apply: eq_bigr => k /eqP ->; rewrite E.
Qed.

Variables (u v : nat).
Hypothesis vu : v <= u.
Definition term cc al z0 i := outcomes cc * v + best cc al z0 i * (u - v).
Definition line cc z0 := m * outcomes cc * v + most cc z0 * (u - v).

(** AM–GM over the outcomes of a class: one table. *)
Lemma of_one_table cc z1 : (outcomes cc ^ (outcomes cc * m)) * (\prod_(z0 < m) (u ^ rightly cc z1 z0 * v ^ (outcomes cc - rightly cc z1 z0)))
  <= (\prod_(z0 < m) term cc (cls cc z1) z0 (z1 z0)) ^ outcomes cc.
Proof.
have -> : outcomes cc ^ (outcomes cc * m) = \prod_(z0 < m) outcomes cc ^ outcomes cc by rewrite prod_nat_const card_ord expnM.
rewrite -prod_pow -big_split /=; apply: leq_prod => z0 _.
apply: leq_trans (mean_two u v (rightly_le cc z1 z0)) _; apply: exp_mono.
have le : rightly cc z1 z0 <= best cc (cls cc z1) z0 (z1 z0) by rewrite /best (bigmax_sup z1) ?eqxx.
have := rightly_le cc z1 z0; move: le; rewrite /term; move: (rightly _ _ _) (best _ _ _ _) (outcomes _) => s B q le sq.
have -> : s * u + (q - s) * v = q * v + s * (u - v) by rewrite -{1}(subnK vu) mulnDr -addnA -mulnDl subnKC // addnC.
by rewrite leq_add2l leq_mul2r le orbT.
Qed.

(** ... and over the tables: 2^λ classes, each a product over z_0. *)
Lemma of_one_class cc : (m ^ m) ^ (m ^ m) * (\prod_(z1 : table1) \prod_(z0 < m) term cc (cls cc z1) z0 (z1 z0))
  <= (2 ^ lam * \prod_(z0 < m) line cc z0) ^ (m ^ m).
Proof.
have card1 : #|[finType of table1]| = m ^ m by rewrite card_ffun !card_ord.
have := mean_all (fun z1 : [finType of table1] => \prod_(z0 < m) term cc (cls cc z1) z0 (z1 z0)); rewrite card1.
move=> le; apply: leq_trans le _; apply: exp_mono.
apply: leq_trans (_ : \sum_(al : A) \sum_(z1 : table1) \prod_(z0 < m) term cc al z0 (z1 z0) <= _).
  by rewrite exchange_big; apply: leq_sum => z1 _; rewrite (bigD1 (cls cc z1)) //= leq_addr.
apply: leq_trans (_ : \sum_(al : A) \prod_(z0 < m) line cc z0 <= _); last first.
  by rewrite sum_nat_const leq_mul2r cA orbT.
apply: leq_sum => al _; rewrite -(bigA_distr_bigA (fun z0 i => term cc al z0 i)) /=; apply: leq_prod => z0 _.
rewrite /term /line big_split /= sum_nat_const card_ord mulnA leq_add2l -big_distrl /= leq_mul2r.
by apply/orP; right; rewrite /most (bigmax_sup al).
Qed.

(** Both, for one class: E_c right answers of I_c. *)
Definition right_of cc : nat := \sum_(z1 : table1) \sum_(z0 < m) rightly cc z1 z0.
Definition asked_of cc : nat := m ^ m * m * outcomes cc.
(** No class has more right answers than are asked of it. *)
Lemma right_of_le cc : right_of cc <= asked_of cc.
Proof.
apply: leq_trans (_ : \sum_(z1 : table1) \sum_(z0 < m) outcomes cc <= _).
  by apply: leq_sum => z1 _; apply: leq_sum => z0 _; apply: rightly_le.
by rewrite !sum_nat_const card_ffun !card_ord mulnA.
Qed.
(** All powers of u and v. *)
Lemma all_powers cc : \prod_(z1 : table1) \prod_(z0 < m) (u ^ rightly cc z1 z0 * v ^ (outcomes cc - rightly cc z1 z0))
  = u ^ right_of cc * v ^ (asked_of cc - right_of cc).
Proof.
under eq_bigr => z1 _ do rewrite big_split /= -!expn_sum.
rewrite big_split /= -!expn_sum; congr (_ * _ ^ _).
have -> : asked_of cc = \sum_(z1 : table1) \sum_(z0 < m) outcomes cc.
  by rewrite !sum_nat_const card_ffun !card_ord mulnA.
rewrite /right_of -sumnB; last by move=> z1 _; apply: leq_sum => z0 _; apply: rightly_le.
by apply: eq_bigr => z1 _; rewrite -sumnB // => z0 _; apply: rightly_le.
Qed.
(** The two steps together. *)
Lemma of_class cc : (m * outcomes cc) ^ (asked_of cc) * (u ^ right_of cc * v ^ (asked_of cc - right_of cc))
  <= (2 ^ lam * \prod_(z0 < m) line cc z0) ^ (m ^ m * outcomes cc).
Proof.
have card1 : #|[finType of table1]| = m ^ m by rewrite card_ffun !card_ord.
rewrite -all_powers.
have tables : outcomes cc ^ (outcomes cc * m * m ^ m) * \prod_(z1 : table1) \prod_(z0 < m) (u ^ rightly cc z1 z0 * v ^ (outcomes cc - rightly cc z1 z0))
    <= (\prod_(z1 : table1) \prod_(z0 < m) term cc (cls cc z1) z0 (z1 z0)) ^ outcomes cc.
  have -> : outcomes cc ^ (outcomes cc * m * m ^ m) = \prod_(z1 : table1) outcomes cc ^ (outcomes cc * m).
    by rewrite prod_nat_const card1 expnM.
  rewrite -big_split /= -prod_pow; apply: leq_prod => z1 _; exact: of_one_table.
have := exp_mono (outcomes cc) (of_one_class cc).
rewrite expnMn -!expnM => le; apply: leq_trans le.
apply: leq_trans (leq_mul (leqnn _) tables); apply: eq_leq; rewrite mulnA; congr (_ * _).
rewrite expnMn /asked_of; congr (_ ^ _ * _ ^ _); move: (m ^ m) => S; mring.
Qed.

Hypotheses (m0 : 0 < m) (O0 : 0 < #|Om|).
Notation Q := #|Om|.
Variable w : nat.
Hypothesis uvw : h * v + g * (u - v) <= w.

(** AM–GM over the classes, for one z_0. *)
Lemma over_classes z0 : (\prod_cc line cc z0 ^ outcomes cc) * h ^ Q <= (\prod_cc (m * outcomes cc) ^ outcomes cc) * w ^ Q.
Proof.
have mQ : 0 < (m * Q) ^ Q by rewrite expn_gt0 muln_gt0 m0 O0.
rewrite -(leq_pmul2r mQ).
have lines : h * (\sum_cc line cc z0) <= m * Q * w.
  have -> : \sum_cc line cc z0 = m * Q * v + (\sum_cc most cc z0) * (u - v).
    by rewrite /line big_split /= -!big_distrl /= -big_distrr /= outcomes_all.
  apply: leq_trans (_ : m * Q * (h * v + g * (u - v)) <= _); last by rewrite leq_mul2l uvw orbT.
  rewrite !mulnDr leq_add //; first by apply: eq_leq; mring.
  rewrite mulnA; apply: leq_trans (leq_mul (most_bound z0) (leqnn (u - v))) _; by apply: eq_leq; mring.
have := mean_weighted outcomes (fun cc => line cc z0); rewrite outcomes_all => le.
have {}le := leq_mul le (leqnn (m ^ Q * h ^ Q)).
have E : \prod_cc (m * outcomes cc) ^ outcomes cc = m ^ Q * \prod_cc outcomes cc ^ outcomes cc.
  by rewrite -{1}outcomes_all expn_sum -big_split; apply: eq_bigr => cc _; rewrite expnMn.
rewrite E expnMn; have {}lines := exp_mono Q lines; move: lines; rewrite !expnMn => lines.
move: le lines; move: (\prod_cc line cc z0 ^ outcomes cc) (\prod_cc outcomes cc ^ outcomes cc) ((\sum_cc line cc z0) ^ Q) => l o s.
move: (Q ^ Q) (m ^ Q) (h ^ Q) (w ^ Q) => qq mq hq wq le lines.
apply: leq_trans (_ : l * qq * (mq * hq) <= _); first by apply: eq_leq; mring.
apply: leq_trans le _; apply: leq_trans (_ : o * mq * (hq * s) <= _); first by apply: eq_leq; mring.
by apply: leq_trans (leq_mul (leqnn _) lines) _; apply: eq_leq; mring.
Qed.

Definition all_right : nat := \sum_cc right_of cc.
Definition all_asked : nat := m ^ m * m * Q.
(** What is asked of all classes is asked in all. *)
Lemma all_asked_sum : all_asked = \sum_cc asked_of cc.
Proof. by rewrite /asked_of -big_distrr /= outcomes_all. Qed.
(** No more are right than are asked. *)
Lemma all_right_le : all_right <= all_asked.
Proof. by rewrite all_asked_sum; apply: leq_sum => cc _; apply: right_of_le. Qed.
(** The three means together. *)
Lemma nested_mean : h ^ all_asked * (u ^ all_right * v ^ (all_asked - all_right)) <= 2 ^ (lam * (m ^ m * Q)) * w ^ all_asked.
Proof.
pose B := \prod_cc (m * outcomes cc) ^ outcomes cc.
have B0 : 0 < B.
  apply: prodn_gt0 => cc; rewrite expn_gt0; case: (posnP (outcomes cc)) => [->|o0]; first by rewrite orbT.
  by rewrite muln_gt0 m0 o0.
pose S := m ^ m * m.
have classes : B ^ S * (u ^ all_right * v ^ (all_asked - all_right)) <= 2 ^ (lam * (m ^ m * Q)) * (\prod_(z0 < m) \prod_cc line cc z0 ^ outcomes cc) ^ (m ^ m).
  have -> : B ^ S * (u ^ all_right * v ^ (all_asked - all_right))
      = \prod_cc ((m * outcomes cc) ^ asked_of cc * (u ^ right_of cc * v ^ (asked_of cc - right_of cc))).
    rewrite !big_split /= -!expn_sum; congr (_ * (_ * _ ^ _)).
      by rewrite /B -prod_pow; apply: eq_bigr => cc _; rewrite -expnM (mulnC (outcomes cc)).
    by rewrite all_asked_sum sumnB // => cc _; apply: right_of_le.
  apply: leq_trans (_ : \prod_cc (2 ^ lam * \prod_(z0 < m) line cc z0) ^ (m ^ m * outcomes cc) <= _).
    by apply: leq_prod => cc _; apply: of_class.
  apply: eq_leq; rewrite -[X in _ = _ * X]prod_pow.
  have -> : \prod_(z0 < m) (\prod_cc line cc z0 ^ outcomes cc) ^ (m ^ m) = \prod_cc (\prod_(z0 < m) line cc z0) ^ (m ^ m * outcomes cc).
    rewrite [RHS](eq_bigr (fun cc => \prod_(z0 < m) (line cc z0 ^ outcomes cc) ^ (m ^ m))); last first.
      by move=> cc _; rewrite mulnC expnM -!prod_pow.
    by rewrite [RHS]exchange_big; apply: eq_bigr => z0 _; rewrite prod_pow.
  rewrite -outcomes_all big_distrr /= big_distrr /= expn_sum -big_split; apply: eq_bigr => cc _ /=.
  by rewrite expnMn -expnM.
have each : (\prod_(z0 < m) \prod_cc line cc z0 ^ outcomes cc) * (h ^ Q) ^ m <= B ^ m * (w ^ Q) ^ m.
  have P x : x ^ m = \prod_(z0 < m) x by rewrite prod_nat_const card_ord.
  by rewrite !P -!big_split; apply: leq_prod => z0 _; apply: over_classes.
have {}each := exp_mono (m ^ m) each.
rewrite -(leq_pmul2l (_ : 0 < B ^ S)); last by rewrite expn_gt0 B0.
have E x : ((x ^ Q) ^ m) ^ (m ^ m) = x ^ all_asked by rewrite -!expnM /all_asked; congr (_ ^ _); move: (m ^ m) => k; mring.
move: each; rewrite !expnMn !E -expnM (mulnC m) -/S => each.
move: classes each; move: (B ^ S) (u ^ all_right * v ^ (all_asked - all_right)) (h ^ all_asked) (w ^ all_asked) => b x hh ww.
move: (2 ^ _) (_ ^ (m ^ m)) => l p classes each.
apply: leq_trans (_ : hh * (b * x) <= _); first by apply: eq_leq; mring.
apply: leq_trans (leq_mul (leqnn hh) classes) _; apply: leq_trans (_ : l * (p * hh) <= _); first by apply: eq_leq; mring.
by apply: leq_trans (leq_mul (leqnn l) each) _; apply: eq_leq; mring.
Qed.
End Nested.

(** All tables are right on a share a/b. *)
Theorem nested_bound (m : nat) (Om C A : finType) (c : Om -> C) (cls : C -> {ffun 'I_m -> 'I_m} -> A)
    (R : Om -> {ffun 'I_m -> 'I_m} -> 'I_m -> bool) lam g h a b K : #|A| <= 2 ^ lam ->
  (forall z0 (al : C -> A) (T : C -> 'I_m -> option {ffun 'I_m -> 'I_m}),
    (forall cc i z1, T cc i = Some z1 -> cls cc z1 = al cc /\ z1 z0 = i) ->
    h * (\sum_(k : Om) \sum_(i < m) (if T (c k) i is Some z1 then nat_of_bool (R k z1 z0) else 0)) <= g * (m * #|Om|)) ->
  closed_share g h m lam a b K ->
  b * (\sum_(k : Om) \sum_z1 \sum_(z0 < m) R k z1 z0) <= a * (m ^ m * m * #|Om|).
Proof.
move=> cA inner /and5P[g0 ab bg hK hyp].
have E : \sum_(k : Om) \sum_z1 \sum_(z0 < m) R k z1 z0 = all_right c R.
  rewrite /all_right /right_of /rightly (partition_big c xpredT) //=; apply: eq_bigr => cc _.
  rewrite exchange_big; apply: eq_bigr => z1 _; by rewrite exchange_big.
rewrite E -/(all_asked m Om); have le := all_right_le c R.
have [ab1|ab1] := eqVneq a b; first by rewrite ab1 leq_mul2l le orbT.
have none : all_asked m Om = 0 -> b * all_right c R <= a * all_asked m Om.
  by move=> z; move: le; rewrite z leqn0 => /eqP ->; rewrite muln0.
case: (posnP m) => [m0|m0]; first by apply: none; rewrite /all_asked m0 muln0 mul0n.
case: (posnP #|Om|) => [O0|O0]; first by apply: none; rewrite /all_asked O0 muln0.
have h0 : 0 < h by case: (h) bg => //; rewrite muln0.
have gh : g < h by rewrite -(@ltn_pmul2l b) ?(leq_trans _ ab) ?(leq_trans bg) // ?leq_mul2r ?ab ?orbT //; case: (a) bg.
pose u := a * (h - g); pose v := (b - a) * g; pose w := b * (g * (h - g)).
have v0 : 0 < v by rewrite muln_gt0 subn_gt0 ltn_neqAle ab1 ab.
have vu : v < u by rewrite -(ltn_add2r (a * g)) /v /u -mulnDl subnK // -mulnDr subnK // ltnW.
have uvw : h * v + g * (u - v) <= w.
  apply: eq_leq; rewrite mulnBr -{1}(subnK (ltnW gh)) mulnDl -addnA subnKC; last by rewrite leq_mul2l (ltnW vu) orbT.
  by rewrite /u /v /w -[X in _ = X * _](subnK ab); move: (b - a) (h - g) => d e; mring.
have mean := nested_mean cA inner (ltnW vu) m0 O0 uvw.
have sh : all_asked m Om = m * (m ^ m * #|Om|) by rewrite /all_asked; move: (m ^ m) => k; mring.
rewrite sh in le mean *.
apply: (compare_shares h0 v0 vu ab le hK mean).
have := leq_mul hyp (leqnn (g ^ (b - a) * (h - g) ^ a)).
have pg : g ^ a * g ^ (b - a) = g ^ b by rewrite -expnD subnKC.
have ph : (h - g) ^ (b - a) * (h - g) ^ a = (h - g) ^ b by rewrite -expnD subnK.
rewrite /w /u /v !expnMn -pg -ph; move: (2 ^ K) (b ^ b) (g ^ a) (g ^ (b - a)) ((h - g) ^ (b - a)) ((h - g) ^ a) => k B x y z t.
move: (a ^ a) ((b - a) ^ (b - a)) (h ^ b) => p q r le1.
apply: leq_trans (_ : k * (B * (x * z)) * (y * t) <= _); first by apply: eq_leq; mring.
by apply: leq_trans le1 _; apply: eq_leq; mring.
Qed.
