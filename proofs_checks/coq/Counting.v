(** Averaging, cover, fixing (L1, L2, L3): finite counting, with nothing about layers. *)
From Coq Require Import Arith Lia.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Ltac mring := rewrite -?plusE -?multE; nia.

(** ** Power mean *)
Lemma rearrangement a b k : a * b ^ k + b * a ^ k <= a ^ k.+1 + b ^ k.+1.
Proof.
wlog le : a b / a <= b.
  by move=> H; case/orP: (leq_total a b) => /H //; rewrite addnC [X in _ <= X]addnC.
have lek : a ^ k <= b ^ k by case: k => // k; rewrite leq_exp2r.
rewrite !expnS; move: (a ^ k) (b ^ k) lek => A B lek.
rewrite -(subnKC le) -(subnKC lek); move: (b - a) (B - A) => d c.
have -> : a * A + (a + d) * (A + c) = a * (A + c) + (a + d) * A + d * c.
  by mring.
exact: leq_addr.
Qed.

(** (Σ a)·(Σ a^k) ≤ |U|·Σ a^{k+1}: Chebyshev's sum inequality, from the one for two numbers. *)
Lemma chebyshev (U : finType) (a : U -> nat) k :
  (\sum_u a u) * (\sum_u a u ^ k) <= #|U| * \sum_u a u ^ k.+1.
Proof.
have E : 2 * ((\sum_u a u) * (\sum_u a u ^ k)) = \sum_u \sum_v (a u * a v ^ k + a v * a u ^ k).
  under [RHS]eq_bigr => u _ do rewrite big_split /=.
  rewrite big_split /= mul2n -addnn; congr (_ + _).
    by rewrite big_distrl /=; apply: eq_bigr => u _; rewrite big_distrr.
  rewrite exchange_big big_distrl /=; apply: eq_bigr => u _.
  by rewrite big_distrr.
have E2 : 2 * (#|U| * \sum_u a u ^ k.+1) = \sum_u \sum_v (a u ^ k.+1 + a v ^ k.+1).
  under [RHS]eq_bigr => u _ do rewrite big_split /=.
  rewrite big_split /= mul2n -addnn; congr (_ + _).
    by rewrite big_distrr /=; apply: eq_bigr => u _; rewrite sum_nat_const.
  by rewrite sum_nat_const.
rewrite -(leq_pmul2l (ltn0Sn 1)) E E2.
by apply: leq_sum => u _; apply: leq_sum => v _; apply: rearrangement.
Qed.

(** E[f^x] ≥ (E f)^x, multiplied out (L1). *)
Lemma power_mean (U : finType) (a : U -> nat) x :
  (\sum_u a u) ^ x * #|U| <= #|U| ^ x * \sum_u a u ^ x.
Proof.
elim: x => [|x IH]; first by rewrite !expn0 !mul1n sum_nat_const muln1.
rewrite !expnS -mulnA.
apply: leq_trans (leq_mul (leqnn _) IH) _.
rewrite mulnCA -[X in _ <= X]mulnA [X in _ <= X]mulnCA leq_mul2l chebyshev orbT //.
Qed.

(** ** Averaging: x functions with many common extensions *)
Section Avg.
Variables (U A : finType) (Q : {set U * A}) (x : nat).
Definition extensions (F : {ffun 'I_x -> A}) : {set U} := [set u | [forall a, (u, F a) \in Q]].
Definition degree (u : U) := #|[set f | (u, f) \in Q]|.

(** Σ_u (number of f with (u, f) in Q) = |Q|. *)
Lemma sum_degree : \sum_u degree u = #|Q|.
Proof.
under eq_bigr do rewrite /degree -sum1dep_card.
rewrite pair_big_dep /= -sum1_card.
by apply: eq_big => [[u f]|].
Qed.

(** Σ over all x-tuples of tables of the number of common extensions = Σ_u degree(u)^x. *)
Lemma sum_extensions : \sum_F #|extensions F| = \sum_u degree u ^ x.
Proof.
under eq_bigr do rewrite -sum1dep_card big_mkcond.
rewrite exchange_big /=; apply: eq_bigr => u _.
rewrite -big_mkcond sum1dep_card /degree.
have -> k : k ^ x = k ^ #|'I_x| by rewrite card_ord.
rewrite -card_ffun_on.
apply: eq_card => F; rewrite !inE.
by apply: eq_forallb => a; rewrite inE.
Qed.

(** L1: if Q has density at least 2^{-D}, and at most 2^{-1-xD} of the x-tuples are bad, some tuple that is not bad
    has common extensions of density at least 2^{-1-xD}. *)
Lemma averaging D (bad : pred {ffun 'I_x -> A}) :
  #|U| * #|A| <= #|Q| * 2 ^ D ->
  2 ^ (1 + x * D) * #|bad| <= #|A| ^ x ->
  0 < #|A| -> 0 < #|U| ->
  exists2 F, ~~ bad F & #|U| <= #|extensions F| * 2 ^ (1 + x * D).
Proof.
move=> dens hbad A0 U0.
have tot : #|U| * #|A| ^ x <= 2 ^ (x * D) * \sum_F #|extensions F|.
  rewrite sum_extensions -(@leq_pmul2l (#|U| ^ x)) ?expn_gt0 ?U0 //.
  rewrite mulnCA -expnMn.
  apply: leq_trans (_ : #|U| * (#|Q| * 2 ^ D) ^ x <= _).
    by rewrite leq_mul2l; case: x => [|y]; rewrite ?orbT // leq_exp2r // dens orbT.
  rewrite expnMn -sum_degree -expnM (mulnC D).
  have := power_mean degree x; move: (_ ^ x) (2 ^ _) (\sum_u degree u ^ x) (#|U| ^ x) => s d p u le.
  rewrite [X in X <= _](_ : _ = d * (s * #|U|)); last by mring.
  by rewrite [X in _ <= X]mulnCA leq_mul2l le orbT.
case: (pickP (fun F => ~~ bad F && (#|U| <= #|extensions F| * 2 ^ (1 + x * D)))) => [F /andP[h1 h2]|no].
  by exists F.
exfalso.
have cA : #|{ffun 'I_x -> A}| = #|A| ^ x by rewrite card_ffun card_ord.
pose w := 2 ^ (1 + x * D).
have : \sum_F #|extensions F| * w < 2 * (#|U| * #|A| ^ x).
  rewrite (bigID bad) /= mul2n -addnn -addnS leq_add //; last first.
    have : \sum_(F | ~~ bad F) #|extensions F| * w <= \sum_(F : {ffun 'I_x -> A} | ~~ bad F) #|U|.-1.
      apply: leq_sum => F nb; have := no F; rewrite nb /= => /negbT; rewrite -ltnNge.
      by case: #|U| U0.
    move=> le; apply: leq_ltn_trans le _.
    rewrite sum_nat_const; apply: leq_ltn_trans (_ : #|A| ^ x * #|U|.-1 < _).
      by rewrite -cA leq_mul2r max_card orbT.
    by rewrite mulnC ltn_pmul2r ?expn_gt0 ?A0 // prednK.
  apply: leq_trans (_ : \sum_(F | bad F) #|U| * w <= _).
    by apply: leq_sum => F _; rewrite leq_mul2r max_card orbT.
  rewrite sum_nat_const mulnC -mulnA leq_mul2l.
  by apply/orP; right; move: hbad; rewrite /w; congr (_ * _ <= _); apply: eq_card.
rewrite -big_distrl /= ltnNge /w expnD expn1 => /negP; apply.
by rewrite [X in _ <= X]mulnCA leq_mul2l /= [X in _ <= X]mulnC.
Qed.
End Avg.

(** ** Cover: few functions hit only c values on I *)
Section Cover.
Variables (N x : nat) (I : {set 'I_N}).
Definition image (F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}) : {set 'I_N} :=
  \bigcup_(a : 'I_x) [set F a i | i in I].

(** The functions that map every i of I into a set of c values number c^{|I|}·N^{N-|I|}. *)
Lemma card_into (T : 'I_N -> {set 'I_N}) c : (forall i, #|T i| = c) ->
  #|[set f : {ffun 'I_N -> 'I_N} | [forall i in I, f i \in T i]]| = c ^ #|I| * N ^ (N - #|I|).
Proof.
move=> cT.
have -> : #|[set f : {ffun 'I_N -> 'I_N} | [forall i in I, f i \in T i]]|
        = #|family (fun i : 'I_N => [pred j | (i \in I) ==> (j \in T i)])|.
  by apply: eq_card => f; rewrite !inE.
rewrite card_family foldrE big_map big_enum /= (bigID (mem I)) /=; congr (_ * _).
  by rewrite (eq_bigr (fun=> c)) ?prod_nat_const // => i iI; rewrite iI -(cT i); apply: eq_card.
rewrite (eq_bigr (fun=> N)) => [|i /negbTE iI]; last first.
  by rewrite iI -[RHS]card_ord; apply: eq_card.
rewrite prod_nat_const; congr (_ ^ _).
have := cardC (mem I); rewrite card_ord => E; rewrite -[X in X - _]E addKn; exact: eq_card.
Qed.

(** The union bound. *)
Lemma card_bigcup (J B : finType) (P : pred J) (F : J -> {set B}) :
  #|\bigcup_(j | P j) F j| <= \sum_(j | P j) #|F j|.
Proof.
apply: (big_rec2 (fun (A : {set B}) n => #|A| <= n)) => [|j n A _ le]; first by rewrite cards0.
by apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l.
Qed.

(** A set of at most c elements lies in a set of exactly c. *)
Lemma superset (T : finType) (A : {set T}) c : #|A| <= c -> c <= #|T| ->
  exists B : {set T}, #|B| = c /\ A \subset B.
Proof.
move=> Ac cT; pose s := take c (enum A ++ enum (~: A)).
have us : uniq s.
  rewrite /s take_uniq // cat_uniq !enum_uniq /= andbT; apply/hasPn => y.
  by rewrite mem_enum inE => yA; rewrite /= mem_enum.
exists [set y in s]; split.
  rewrite cardsE (card_uniqP us) size_takel // size_cat -!cardE.
  by rewrite cardsC.
apply/subsetP => y yA; rewrite inE /s take_cat -cardE.
by rewrite ltnNge Ac /= mem_cat mem_enum yA.
Qed.

(** L2: the x-tuples of tables that reach at most c values from I number at most C(N,c)·(c^{|I|}·N^{N-|I|})^x. *)
Lemma cover c : c <= N ->
  #|[pred F | #|image F| <= c]| <= 'C(N, c) * (c ^ #|I| * N ^ (N - #|I|)) ^ x.
Proof.
move=> cN.
pose into (T : {set 'I_N}) := [set f : {ffun 'I_N -> 'I_N} | [forall i in I, f i \in T]].
have sub : {subset [pred F | #|image F| <= c] <=
   \bigcup_(T in [set T : {set 'I_N} | #|T| == c]) [set F | F \in ffun_on (mem (into T))]}.
  move=> F; rewrite inE => le.
  have [|T [cT sT]] := superset le; first by rewrite card_ord.
  apply/bigcupP; exists T; first by rewrite inE cT.
  rewrite inE; apply/ffun_onP => a; rewrite inE; apply/forall_inP => i iI.
  apply: (subsetP sT); apply/bigcupP; exists a => //; exact: imset_f.
apply: leq_trans (subset_leq_card (introT subsetP sub)) _.
apply: leq_trans (card_bigcup _ _) _.
rewrite (eq_bigr (fun=> (c ^ #|I| * N ^ (N - #|I|)) ^ x)) => [|T].
  by rewrite sum_nat_const card_draws card_ord.
rewrite inE => /eqP cT.
by rewrite cardsE card_ffun_on card_ord (@card_into (fun=> T) c).
Qed.
End Cover.

(** ** Fixing: pass to the most common answers of a list of questions *)
Record question (U : Type) := Ask { Ans : finType; ask : U -> Ans }.

(** L3 for one question: its most common answer keeps at least 1/|K| of Q. *)
Lemma fixing_one (U K : finType) (f : U -> K) (Q : {set U}) :
  exists2 Q' : {set U}, Q' \subset Q /\ (forall u v, u \in Q' -> v \in Q' -> f u = f v)
                      & #|Q| <= #|Q'| * #|K|.
Proof.
case: (pickP (mem Q)) => [u0 _|Q0]; last first.
  exists set0; first by split=> [|u v]; rewrite ?sub0set ?inE.
  by rewrite (eq_card0 Q0).
pose fib k := [set u in Q | f u == k].
case: (pickP (fun k => #|Q| <= #|fib k| * #|K|)) => [k le|no].
  exists (fib k) => //; split; first by apply/subsetP => u; rewrite inE => /andP[].
  by move=> u v; rewrite !inE => /andP[_ /eqP ->] /andP[_ /eqP ->].
exfalso.
have K0 : 0 < #|K| by apply/card_gt0P; exists (f u0).
have E : #|Q| = \sum_k #|fib k|.
  rewrite -sum1_card (partition_big f predT) //=; apply: eq_bigr => k _.
  by rewrite -sum1dep_card.
have : \sum_k #|fib k| * #|K| <= \sum_(k : K) #|Q|.-1.
  apply: leq_sum => k _; have := no k => /negbT; rewrite -ltnNge; by case: #|Q|.
rewrite -big_distrl /= -E sum_nat_const mulnC leq_mul2l.
have Q1 : 0 < #|Q| by have := no (f u0) => /negbT; rewrite -ltnNge; case: #|Q|.
by rewrite eqn0Ngt K0 /= leqNgt prednK ?leqnn.
Qed.

(** ** Several questions at once *)
Definition const (V : finType) (Q : {set V}) (q : question V) :=
  forall u v, u \in Q -> v \in Q -> ask q u = ask q v.
Fixpoint consts (V : finType) (S : {set V}) qs : Prop :=
  if qs is q :: qs' then const S q /\ consts S qs' else True.
(** Constant on two lists of questions: constant on each. *)
Lemma consts_cat (V : finType) (S : {set V}) a b : consts S (a ++ b) <-> consts S a /\ consts S b.
Proof. by elim: a => [|q a IH] /=; [tauto | rewrite IH; tauto]. Qed.
(** Constant on a list of questions: constant on each of them. *)
Lemma consts_map (V : finType) (S : {set V}) (T : eqType) (f : T -> question V) s :
  consts S [seq f v | v <- s] -> forall v, v \in s -> const S (f v).
Proof.
elim: s => [|t s IH] //= [h1 h2] v; rewrite inE => /orP[/eqP -> //|]; exact: IH.
Qed.
(** L3 for a list of questions: passing to the most common answers loses at most the product of the numbers of
    answers. *)
Lemma fixing (V : finType) (qs : seq (question V)) (S : {set V}) :
  exists2 S' : {set V}, S' \subset S /\ consts S' qs & #|S| <= #|S'| * \prod_(q <- qs) #|Ans q|.
Proof.
elim: qs S => [|q qs IH] S; first by exists S; rewrite ?big_nil ?muln1.
have [S1 [s1 c1] le1] := fixing_one (@ask _ q) S.
have [S2 [s2 c2] le2] := IH S1.
exists S2; first split; first exact: subset_trans s2 s1.
  by split=> // u v uS vS; apply: c1; apply: (subsetP s2).
rewrite big_cons; apply: leq_trans le1 _.
by rewrite [X in _ <= _ * X]mulnC mulnA leq_mul2r le2 orbT.
Qed.
(** s questions with at most B answers each: B^s. *)
Lemma prod_answers (V : finType) (T : Type) (f : T -> question V) s B : (forall v, #|Ans (f v)| <= B) ->
  \prod_(q <- [seq f v | v <- s]) #|Ans q| <= B ^ size s.
Proof.
move=> le; elim: s => [|t s IH]; first by rewrite big_nil.
rewrite /= big_cons expnS; apply: leq_mul; [exact: le | exact: IH].
Qed.
