(** A2 on average with early state (theory 5.7): two tables, one full layer and any recurrent layers.

    For each class of z_2, the state c of block 0 behind table 2, the tables z_1 come in classes, the state behind table 1. Within one
    class and for one z_0 the tables T_i with T_i(z_0) = i ask every entry of z_2 once, and all that the answers depend on
    is λ_0 + m·λ_1 + β·n_1 bits: the union bound of C'. Then NestedBound.v: the classes of z_1 are λ_0 bits for m entries. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime
  RelativeEntropy TheoremA2Average NestedBound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Early.
Variables (md : model) (m n1 : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_m -> 'I_m}.
Variables (B0 B1 : seq (layer (act md))) (F : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1).
Hypothesis the_word : layers md = B0 ++ F :: B1.
Variables (beta lam0 lam1 : nat).
Hypotheses (hb : sums F <= 2 ^ beta) (h0 : \prod_(l <- B0) states l <= 2 ^ lam0) (h1 : \prod_(l <- F :: B1) states l <= 2 ^ lam1).
Notation P := (N + m).+1.

(** The state of block 0 behind table 2, and the one behind table 1, a function of the former and of z_1. *)
Definition behind2 (z2 : table2) : all_states B0 := states_at (vals z2) N [::] B0.
Definition behind1 (cc : all_states B0) (z1 : table1) : all_states B0 :=
  if [pick z2 : table2 | behind2 z2 == cc] is Some z2 then states_at (vals z2 ++ vals z1) (N + m) [::] B0 else cc.
(** Behind the same state the same tokens know the same, and the states stay the same. *)
Lemma behind_same z2 z2' s j : behind2 z2 = behind2 z2' -> N <= j ->
  acts B0 (vals z2 ++ s) j = acts B0 (vals z2' ++ s) j /\ same_states (vals z2 ++ s) (vals z2' ++ s) j [::] B0.
Proof.
move=> /states_atP e; apply: (scan (ls := [::]) nB0).
  by move=> k le; apply: inputs_suffix; rewrite !size_vals.
by apply/same_states_prefix; rewrite ?size_vals.
Qed.
(** So the second state is that function. *)
Lemma behind1E z2 z1 : behind1 (behind2 z2) z1 = states_at (vals z2 ++ vals z1) (N + m) [::] B0.
Proof.
rewrite /behind1; case: pickP => [z /eqP e|/(_ z2)]; last by rewrite eqxx.
by apply: states_at_eq; apply: (proj2 (behind_same (vals z1) e _)); apply: leq_addr.
Qed.

(** One z_0; for each class of z_2 tables T_i of one class of z_1. *)
Section Family.
Variables (z0 : 'I_m) (al : all_states B0 -> all_states B0) (T : all_states B0 -> 'I_m -> option table1).
Hypothesis TP : forall cc i z1, T cc i = Some z1 -> behind1 cc z1 = al cc /\ z1 z0 = i.
Definition Ti (z2 : table2) (i : 'I_m) : table1 := odflt [ffun x => x] (T (behind2 z2) i).
Definition before_w z2 i := (vals z2 ++ vals (Ti z2 i)) ++ [:: Val z0].
Definition asked_w z2 i (w : 'I_n1) := before_w z2 i ++ [:: Query [:: val w]].
(** w stands at P. *)
Lemma size_before_w z2 i : size (before_w z2 i) = P.
Proof. by rewrite /before_w !size_cat !size_vals addn1. Qed.
(** What w knows before the full layer: z_2's class is enough. *)
Definition own_w (cc : all_states B0) (w : 'I_n1) : act md :=
  if [pick zi : table2 * 'I_m | (behind2 zi.1 == cc) && isSome (T cc zi.2)] is Some zi
  then acts B0 (asked_w zi.1 zi.2 w) P else acts B0 [::] P.
(** It is that. *)
Lemma own_wE z2 i w : isSome (T (behind2 z2) i) -> acts B0 (asked_w z2 i w) P = own_w (behind2 z2) w.
Proof.
move=> some; rewrite /own_w; case: pickP => [[z i'] /= /andP[/eqP e some']|/(_ (z2, i))]; last by rewrite /= eqxx some.
have E (y : table2) k : asked_w y k w = (vals y ++ vals (Ti y k)) ++ [:: Val z0; Query [:: val w]] by rewrite /asked_w /before_w -catA.
have sp (y : table2) k : size (vals y ++ vals (Ti y k)) = N + m by rewrite size_cat !size_vals.
rewrite !E; apply: (proj1 (scan (ls := [::]) (P := N + m) nB0 _ _ (leqnSn _))).
  by move=> k lk; apply: inputs_suffix; rewrite !sp.
apply/same_states_prefix; rewrite ?sp //; apply: states_atP; rewrite -!behind1E /Ti e.
case E1: (T (behind2 z2) i) some => [t|] // _; case E2: (T (behind2 z2) i') some' => [t'|] // _.
by have [-> _] := TP E1; have [-> _] := TP E2.
Qed.

(** What the answers depend on: the class, per i the state into w, per w what it hears from table 2. *)
Definition passed := [finType of all_states B0 * {ffun 'I_m -> all_states (F :: B1)} * {ffun 'I_n1 -> sum_type F}].
Definition passes (z2 : table2) : passed := (behind2 z2, [ffun i => states_at (before_w z2 i) P B0 (F :: B1)],
  [ffun w => partial_sum F (acts B0 (vals z2)) (own_w (behind2 z2) w) N P]).
(** That is λ_0 + m·λ_1 + β·n_1 bits. *)
Lemma card_passed : #|passed| <= 2 ^ (lam0 + m * lam1 + beta * n1).
Proof.
rewrite !card_prod !card_ffun !card_ord !card_all_states card_sum_type !expnD (mulnC m) !expnM.
by apply: leq_mul; [apply: leq_mul => //|]; apply: exp_mono.
Qed.
(** The answers depend on nothing else. *)
Lemma passes_through z2 z2' i w : isSome (T (behind2 z2) i) -> passes z2 = passes z2' ->
  output md (asked_w z2 i w) = output md (asked_w z2' i w).
Proof.
move=> some [cc /ffunP/(_ i) + /ffunP/(_ w)]; rewrite !ffunE => /states_atP st heard.
have TT : Ti z2 i = Ti z2' i by rewrite /Ti cc.
rewrite /output /asked_w !(size_cat (before_w _ _)) !size_before_w addn1 /=; congr out.
rewrite -![foldl _ _ _ _]/(acts (layers md) _ _) the_word -cat_rcons.
have [s1 s2] : same_states (asked_w z2 i w) (asked_w z2' i w) P B0 (F :: B1).
  by apply/same_states_prefix; rewrite ?size_before_w.
apply: recs_at => //; apply: layer_at => //; first by rewrite !own_wE -?cc.
rewrite own_wE //; apply: (@sum_from _ _ _ _ _ N); first by rewrite -addnS leq_addr.
  by rewrite /asked_w /before_w -!catA !sum_prefix ?size_vals // heard cc.
move=> j /andP[lj _]; rewrite /asked_w /before_w -!catA TT; exact: (proj1 (behind_same _ cc lj)).
Qed.

(** How many answers are right, over all z_2. *)
Lemma family_bound :
  \sum_(z2 : table2) \sum_(i : 'I_m) \sum_(w : 'I_n1)
    (if T (behind2 z2) i is Some _ then nat_of_bool (output md (asked_w z2 i w) == z2 (entry (w, i))) else 0)
  <= \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ (lam0 + m * lam1 + beta * n1) * agreeing N a).
Proof.
pose ok (q : passed) (c : 'I_m * 'I_n1) := isSome (T q.1.1 c.1).
have inj : injective (fun c : 'I_m * 'I_n1 => @entry m n1 (c.2, c.1)) by move=> [i w] [i' w'] /entry_inj[-> ->].
have [y yE] := @word_of_answers _ _ _ passes ok (fun c => entry (c.2, c.1)) (fun z2 c => output md (asked_w z2 c.1 c.2))
  (fun _ c c' _ _ => @inj c c') (fun z2 z2' c => @passes_through z2 z2' c.1 c.2).
apply: leq_trans (union_bound y passes card_passed); apply: leq_sum => z2 _.
rewrite pair_big /= (eq_bigr (fun c => if ok (passes z2) c then nat_of_bool (output md (asked_w z2 c.1 c.2) == z2 (entry (c.2, c.1))) else 0)).
  rewrite -big_mkcond /=; apply: (count_asked (e := fun c => entry (c.2, c.1))) => [c c' _ _|c okc /eqP right]; first exact: inj.
  by rewrite inE; apply/eqP; apply: yE.
by move=> c _; rewrite /ok /=; case: (T _ _).
Qed.
End Family.
End Early.

(** The bound for block 0, one full layer and block 1. *)
Section Bound.
Variables (md : model) (m n1 : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Variables (B0 B1 : seq (layer (act md))) (F : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1).
Hypothesis the_word : layers md = B0 ++ F :: B1.
Variables (beta lam0 lam1 : nat).
Hypotheses (hb : sums F <= 2 ^ beta) (h0 : \prod_(l <- B0) states l <= 2 ^ lam0) (h1 : \prod_(l <- F :: B1) states l <= 2 ^ lam1).
Variables (g h K a b K' : nat).
Hypothesis inside : closed_bound N (lam0 + m * lam1 + beta * n1) g h K.
Hypothesis outside : closed_share g h m lam0 a b K'.
(** With the bound of one class inside. *)
Lemma A2_early_exact : b * right_inputs m [:: n1] md <= a * size (all_inputs m [:: n1]).
Proof.
pose right (k : table2 * 'I_n1) (z1 : {ffun 'I_m -> 'I_m}) (z0 : 'I_m) := right_w md k.1 z1 z0 k.2.
have E : right_inputs m [:: n1] md = \sum_(k : table2 * 'I_n1) \sum_z1 \sum_(z0 < m) right k z1 z0.
  rewrite right_inputs_sum -(pair_big xpredT xpredT (fun z2 w => \sum_z1 \sum_(z0 < m) right (z2, w) z1 z0)) /=.
  rewrite (exchange_big_dep xpredT) //= [RHS]exchange_big /=.
  under [RHS]eq_bigr => w _ do rewrite exchange_big /=.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => z1 _.
  rewrite exchange_big /=; apply: eq_bigr => w _; by rewrite exchange_big.
have cO : #|[finType of table2 * 'I_n1]| = N ^ N * n1 by rewrite card_prod card_ffun !card_ord.
have -> : size (all_inputs m [:: n1]) = m ^ m * m * #|[finType of table2 * 'I_n1]|.
  by rewrite size_all_inputs /= muln1 cO; move: (m ^ m) (N ^ N) => k l; mring.
rewrite E; apply: (@nested_bound m _ (all_states B0) (all_states B0) (fun k => behind2 B0 k.1) (@behind1 md m n1 B0) right
  lam0 g h a b K') => //; first by rewrite card_all_states.
move=> z0 al T TP.
have := family_bound nB0 nB1 the_word hb h0 h1 TP; set U := \sum_(1 <= t < _) _ => fam.
have /and4P[gh hN hK hyp] := inside.
have N0 : 0 < N by case: (N) hN => //; rewrite muln0.
have := union_le_closed N0 gh hN hK hyp; rewrite -/U => le.
apply: leq_trans (leq_mul (leqnn h) (leq_trans _ fam)) _; last first.
  by apply: leq_trans le _; apply: eq_leq; rewrite cO expnS; move: (N ^ N) => k; mring.
rewrite -(pair_big xpredT xpredT (fun z2 w => \sum_(i < m) (if T (behind2 B0 z2) i is Some z1 then nat_of_bool (right (z2, w) z1 z0) else 0))) /=.
apply: leq_sum => z2 _; rewrite exchange_big; apply: leq_sum => i _; apply: leq_sum => w _.
case E1: (T _ _) => [z1|] //; rewrite /right /right_w /=.
have -> : asked_w z0 T z2 i w = prompt z0 [:: table_values z1; table_values z2] [:: val w].
  by rewrite /asked_w /before_w /Ti E1 /vals /prompt /= cats0 map_cat -!catA.
by have [_ ->] := TP _ _ _ E1.
Qed.
End Bound.

(** A2 on average: accuracy ≤ ⟨g/h; λ_0/m⟩ with g/h = ⟨1/N; λ_1/n_1 + (λ_0 + β·n_1)/N⟩, all in integers. *)
Theorem A2_average_early beta lam m n1 (md : model) g h K a b K' :
  message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  closed_bound (m * n1) (lam 0 + m * lam 1 + beta * n1) g h K -> closed_share g h m (lam 0) a b K' ->
  b * right_inputs m [:: n1] md <= a * size (all_inputs m [:: n1]).
Proof.
move=> hb hl hF inside outside.
have [md' [same [B0 [F [B1 [E [nB0 nB1] hbF [h0 h1]]]]]]] := one_full_word hb hl hF.
have -> : right_inputs m [:: n1] md = right_inputs m [:: n1] md' by apply: eq_count => i; rewrite same.
exact: (@A2_early_exact md' m n1 B0 B1 F nB0 nB1 E beta (lam 0) (lam 1) hbF h0 h1 g h K a b K' inside outside).
Qed.

(** RF, β = λ_0 = 1, m = 8, n_1 = 1: at most 4 of 5 inputs are answered rightly. *)
Theorem A2_early_instance (md : model) : message_bits md 1 -> block_bits md (fun t => 1 - t) -> number_full md <= 1 ->
  5 * right_inputs 8 [:: 1] md <= 4 * size (all_inputs 8 [:: 1]).
Proof. by move=> hb hl hF; apply: (@A2_average_early 1 (fun t => 1 - t) 8 1 md 1 2 1 4 5 1 hb hl hF); vm_compute. Qed.
