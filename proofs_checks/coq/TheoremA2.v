(** Theorem A2: L = 2, one Full layer, any recurrent layers (theory 5.7, and 5.8 "A2 again"). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section A2.
Variables (md : model) (m n1 : nat).
Notation N := (m * n1).
Variables (B0 B1 : seq (layer (act md))) (F : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1).

(** (P), the product restriction: fix the commonest state of block 0 behind table 2, then, as the state behind table 1
    is now a function of z_1, the commonest of those. *)
Lemma product_restriction lam0 : 0 < N -> \prod_(l <- B0) states l <= 2 ^ lam0 ->
  exists (Q2 : {set {ffun 'I_N -> 'I_N}}) (Q1 : {set {ffun 'I_m -> 'I_m}}),
  [/\ N ^ N <= #|Q2| * 2 ^ lam0, m ^ m <= #|Q1| * 2 ^ lam0,
    forall z2 z2' s j, z2 \in Q2 -> z2' \in Q2 -> N <= j -> acts B0 (vals z2 ++ s) j = acts B0 (vals z2' ++ s) j
    & forall z2 z2' z1 z1', z2 \in Q2 -> z2' \in Q2 -> z1 \in Q1 -> z1' \in Q1 ->
      same_states (vals z2 ++ vals z1) (vals z2' ++ vals z1') (N + m) [::] B0].
Proof.
move=> N0 hl.
have [Q2 [_ /states_fixed c2] le2] := fixing (states_asked (fun z2 : {ffun 'I_N -> 'I_N} => vals z2) N [::] B0) setT.
rewrite cardsT card_ffun !card_ord states_charge in le2.
have d2 := leq_trans le2 (leq_mul (leqnn _) hl).
have Q20 : 0 < #|Q2|.
  by have : 0 < #|Q2| * 2 ^ lam0 by [apply: leq_trans d2; rewrite expn_gt0 N0]; rewrite muln_gt0 => /andP[].
have [z2s z2sQ] := card_gt0P Q20.
have [Q1 [_ /states_fixed c1] le1] :=
  fixing (states_asked (fun z1 : {ffun 'I_m -> 'I_m} => vals z2s ++ vals z1) (N + m) [::] B0) setT.
rewrite cardsT card_ffun !card_ord states_charge in le1.
have d1 := leq_trans le1 (leq_mul (leqnn _) hl).
have sc z2 z2' s j : z2 \in Q2 -> z2' \in Q2 -> N <= j ->
    acts B0 (vals z2 ++ s) j = acts B0 (vals z2' ++ s) j /\ same_states (vals z2 ++ s) (vals z2' ++ s) j [::] B0.
  move=> h h'; apply: (scan (ls := [::]) nB0).
    by move=> k le; apply: inputs_suffix; rewrite !size_vals.
  by apply/same_states_prefix; rewrite ?size_vals //; apply: c2.
exists Q2, Q1; split=> // [z2 z2' s j h h' le|z2 z2' z1 z1' h2 h2' h1 h1'].
  by have [] := sc z2 z2' s j h h' le.
have [_ e1] := sc z2 z2s (vals z1) (N + m) h2 z2sQ (leq_addr _ _).
have [_ e2] := sc z2' z2s (vals z1') (N + m) h2' z2sQ (leq_addr _ _).
apply: same_states_trans e1 _; apply: same_states_trans (same_states_sym e2); exact: c1.
Qed.

(** A set of tables z_1 that is not too thin takes Theta values at some z_0. *)
Lemma some_z0 Th D (Q1 : {set {ffun 'I_m -> 'I_m}}) : m ^ m <= #|Q1| * 2 ^ D -> Th.-1 ^ m * 2 ^ D < m ^ m -> 0 < Th ->
  exists (z0 : 'I_m) (I : {set 'I_m}) (T : 'I_m -> {ffun 'I_m -> 'I_m}),
    #|I| = Th /\ forall i, i \in I -> T i \in Q1 /\ T i z0 = i.
Proof.
move=> dens hTh Th0.
case: (pickP (fun z0 : 'I_m => Th <= #|[set f z0 | f : {ffun _ -> _} in Q1]|)) => [z0 hz|no]; last first.
  have : #|Q1| <= Th.-1 ^ m.
    apply: leq_trans (card_values Q1) _.
    rewrite -[X in _ ^ X]card_ord -prod_nat_const; apply: leq_prod => z _.
    by have := no z => /negbT; rewrite -ltnNge; case: (Th) Th0.
  move=> le; have := leq_ltn_trans (leq_mul le (leqnn (2 ^ D))) hTh.
  by rewrite ltnNge dens.
have : exists T : 'I_m -> {ffun 'I_m -> 'I_m}, forall i, i \in [set f z0 | f : {ffun _ -> _} in Q1] -> T i \in Q1 /\ T i z0 = i.
  exists (fun i => odflt [ffun x => x] [pick f : {ffun 'I_m -> 'I_m} | (f \in Q1) && (f z0 == i)]) => i /imsetP[f fQ E].
  case: pickP => [g /andP[gQ /eqP] //|/(_ f)]; by rewrite fQ E eqxx.
move=> [T hT]; exists z0, [set i in take Th (enum [set f z0 | f : {ffun _ -> _} in Q1])], T; split.
  by rewrite cardsE (card_uniqP (take_uniq _ (enum_uniq _))) size_takel // -cardE.
by move=> i; rewrite inE => /mem_take; rewrite mem_enum => /hT.
Qed.

Hypothesis the_word : layers md = B0 ++ F :: B1.

(** A2 for a word that is block 0, one Full layer, block 1. *)
Lemma A2_exact beta lam0 lam1 Th : sums F <= 2 ^ beta ->
  \prod_(l <- B0) states l <= 2 ^ lam0 -> \prod_(l <- F :: B1) states l <= 2 ^ lam1 ->
  Th.-1 ^ m * 2 ^ lam0 < m ^ m ->
  2 ^ (lam0 + Th * lam1 + beta * n1) < N ^ (n1 * Th) -> ~ solves m [:: n1] md.
Proof.
move=> hb h0 h1 hTh hend sol.
have Th0 : 0 < Th by case: (Th) hend => //; rewrite muln0 expn0 ltnS leqn0 expn_eq0.
have N0 : 0 < N.
  case: (posnP N) hend => // ->; case: (posnP (n1 * Th)) => [->|h]; last by rewrite exp0n.
  by rewrite expn0 ltnS leqn0 expn_eq0.
have [Q2 [Q1 [d2 d1 sc st]]] := product_restriction N0 h0.
have [z0 [I [T [cI hT]]]] := some_z0 d1 hTh Th0.
have Q20 : 0 < #|Q2|.
  by have : 0 < #|Q2| * 2 ^ lam0 by [apply: leq_trans d2; rewrite expn_gt0 N0]; rewrite muln_gt0 => /andP[].
have [i0 i0I] : exists i0, i0 \in I by apply/card_gt0P; rewrite cI.
have [z2s z2sQ] := card_gt0P Q20.
pose P := (N + m).+1.                                          (* the position of w *)
pose p (z2 : {ffun 'I_N -> 'I_N}) i w := (vals z2 ++ vals (T i)) ++ [:: Val z0; Query [:: w]].
have sp (z2 : {ffun 'I_N -> 'I_N}) i : size (vals z2 ++ vals (T i)) = N + m by rewrite size_cat !size_vals.
(* before the Full layer w knows w, z_0 and the state, neither z_2 nor i *)
have know0 z2 z2' i i' w j : z2 \in Q2 -> z2' \in Q2 -> i \in I -> i' \in I -> N + m <= j ->
    acts B0 (p z2 i w) j = acts B0 (p z2' i' w) j.
  move=> h h' /hT[hi _] /hT[hi' _] le; apply: (proj1 (scan (ls := [::]) (P := N + m) nB0 _ _ le)).
    by move=> k lk; apply: inputs_suffix; rewrite !sp.
  by apply/same_states_prefix; rewrite ?sp //; apply: st.
(* what is fixed about z_2: per i the states of the Full layer and of block 1 into w; per w what w hears from table 2 *)
pose x w := acts B0 (p z2s i0 w) P.
pose Cs i := states_asked (fun z2 : {ffun 'I_N -> 'I_N} => (vals z2 ++ vals (T i)) ++ [:: Val z0]) P B0 (F :: B1).
pose Pw w : question {ffun 'I_N -> 'I_N} := Ask (fun z2 => partial_sum F (acts B0 (vals z2)) (x w) N P).
have [Q [sub /consts_cat[/consts_flatten cS /consts_map cP]] le] :=
  fixing (flatten [seq Cs i | i <- enum I] ++ [seq Pw w | w <- iota 0 n1]) Q2.
have dens : N ^ N <= #|Q| * 2 ^ (lam0 + Th * lam1 + beta * n1).
  apply: leq_trans d2 _; apply: leq_trans (leq_mul le (leqnn _)) _.
  rewrite -mulnA leq_mul2l; apply/orP; right; rewrite mulnC -addnA expnD leq_mul2l; apply/orP; right.
  rewrite big_cat expnD /=; apply: leq_mul.
    rewrite (mulnC Th) expnM -cI [#|I|]cardE; apply: prod_flatten => i; by rewrite states_charge.
  rewrite expnM -[n1 in _ ^ n1](size_iota 0); apply: prod_answers => w; by rewrite /= card_sum_type.
(* w's final activation is a function of (w, i) *)
have blind z2 z2' i w : z2 \in Q -> z2' \in Q -> i \in I -> w < n1 ->
    acts (layers md) (p z2 i w) P = acts (layers md) (p z2' i w) P.
  move=> hQ hQ' iI hw; have h := subsetP sub _ hQ; have h' := subsetP sub _ hQ'.
  have iE : i \in enum I by rewrite mem_enum.
  have [s1 s2] : same_states (p z2 i w) (p z2' i w) P B0 (F :: B1).
    have E (z : {ffun 'I_N -> 'I_N}) : p z i w = ((vals z ++ vals (T i)) ++ [:: Val z0]) ++ [:: Query [:: w]].
      by rewrite /p -[RHS]catA.
    rewrite !E; apply/same_states_prefix; rewrite ?size_cat ?size_vals ?addn1 //.
    exact: states_fixed (cS _ iE) _ _ hQ hQ'.
  rewrite the_word -cat_rcons; apply: recs_at => //; apply: layer_at => //; first by apply: know0 => //; apply: leqnSn.
  have xw (z : {ffun 'I_N -> 'I_N}) : z \in Q2 -> acts B0 (p z i w) P = x w.
    by move=> hz; apply: know0 => //; apply: leqnSn.
  rewrite xw //; apply: (@sum_from _ _ _ _ _ N); first by rewrite /P -addnS leq_addr.
    rewrite /p -!catA !sum_prefix ?size_vals //; apply: (cP w) => //; by rewrite mem_iota.
  by move=> j /andP[lj _]; rewrite /p -!catA; apply: sc.
(* so the tables of Q agree on the n_1 * Theta entries (w, i) that are asked *)
have agree : forall f g, f \in Q -> g \in Q -> {in [set entry c | c in setX [set: 'I_n1] I], f =1 g}.
  move=> f g fQ gQ _ /imsetP[[w i] /setXP[_ /= iI] ->].
  have right (z2 : {ffun 'I_N -> 'I_N}) : output md (p z2 i w) = z2 (entry (w, i)).
    have -> : p z2 i w = prompt z0 [:: table_values (T i); table_values z2] [:: val w].
      by rewrite /p /vals /prompt /= cats0 map_cat.
    rewrite sol; last by rewrite /valid /= ltn_ord !size_table_values eqxx !tab_below ltn_ord.
    rewrite /= size_table_values nth_table_values; have [_ ->] := hT i iI.
    by rewrite (nth_table_values z2 (entry (w, i))).
  apply: val_inj; rewrite /= -!right /output !size_cat !size_vals addn2 /=.
  by congr out; apply: blind.
move: hend; rewrite ltnNge (agreeing_tables N0 dens _ agree) //.
by rewrite card_imset ?cardsX ?cardsT ?card_ord ?cI //; apply: entry_inj.
Qed.
End A2.

(** A2 as in theory 5.8 ("A2 again"): always n_1, as the state of block 1 is charged where w gets it. *)
Theorem A2 beta lam m n1 Th (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  Th.-1 ^ m * 2 ^ lam 0 < m ^ m ->
  2 ^ (lam 0 + Th * lam 1 + beta * n1) < (m * n1) ^ (n1 * Th) ->
  ~ solves m [:: n1] md.
Proof.
move=> hb hl hF hTh hend sol.
have [md' [hb' hl' hF' _ ho]] := pad_full hb hl hF.
have sol' : solves m [:: n1] md' by move=> z0 zs ws ok; rewrite ho; apply: sol.
have hasF : has (@is_full _) (layers md') by rewrite has_count -/(number_full md') hF'.
have [B0 [F [B1 [E nB0 FF]]]] := first_full hasF.
have nB1 : ~~ has (@is_full _) B1.
  by move: hF'; rewrite /number_full E count_cat /= FF has_count -leqNgt addnCA => [[/eqP]]; rewrite addn_eq0 => /andP[_ /eqP ->].
have := hl' 0; rewrite E block0_cat // => h0.
have := hl' 1; rewrite E block1_cat // upto0_noF // => h1.
have hbF : sums F <= 2 ^ beta by move: hb'; rewrite /message_bits E all_cat /= => /and3P[].
exact: (A2_exact nB0 nB1 E hbF h0 h1 hTh hend sol').
Qed.

(** A2 as in theory 5.7, with n_1 + 1 and Lam_0, Lam_1 - Lam_0; a case of the former. *)
Theorem A2_5_7 beta lam m n1 Th (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  Th.-1 ^ m * 2 ^ lam 0 < m ^ m ->
  2 ^ (lam 0 + Th * lam 1 + beta * (n1 + 1)) < (m * n1) ^ (n1 * Th) ->
  ~ solves m [:: n1] md.
Proof.
move=> hb hl hF hTh hend; apply: A2 hb hl hF hTh _; apply: leq_ltn_trans hend.
by rewrite leq_exp2l // leq_add2l leq_mul2l leq_addr orbT.
Qed.

(** The two inequalities in binary numbers, and their instances. *)
Local Notation nn := N.to_nat.
Definition hardA2N (beta lam0 lam1 m n1 Th : N) : bool :=
  (N.ltb (N.pow (N.pred Th) m * N.pow 2 lam0) (N.pow m m)
   && N.ltb (N.pow 2 (lam0 + Th * lam1 + beta * n1)) (N.pow (m * n1) (n1 * Th)))%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certA2 beta lam0 lam1 m n1 Th : hardA2N beta lam0 lam1 m n1 Th ->
  forall md : model, message_bits md (nn beta) -> block_bits md (fun t => nth 0 [:: nn lam0; nn lam1] t) -> number_full md <= 1 ->
  ~ solves (nn m) [:: nn n1] md.
Proof.
case/andP => /toLt h1 /toLt h2 md hb hl hF.
by apply: (@A2 _ _ _ _ (nn Th) md hb hl hF); [move: h1 | move: h2]; rewrite !(toX, toM, toD, toP).
Qed.
