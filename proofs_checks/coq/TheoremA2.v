(** Theorem A2: L = 2, one Full layer, any recurrent layers (theory 5.7, and 5.8 "A2 again"). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts Binary.
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

Notation table1 := {ffun 'I_m -> 'I_m}.
Notation table2 := {ffun 'I_N -> 'I_N}.
(** A right model says entry (w, z_1(z_0)) of table 2. *)
Lemma right_entry (z0 : 'I_m) (z1 : table1) (z2 : table2) (w : 'I_n1) : solves m [:: n1] md ->
  output md ((vals z2 ++ vals z1) ++ [:: Val z0; Query [:: val w]]) = z2 (entry (w, z1 z0)).
Proof.
move=> sol; have -> : (vals z2 ++ vals z1) ++ [:: Val z0; Query [:: val w]] = prompt z0 [:: table_values z1; table_values z2] [:: val w].
  by rewrite /vals /prompt /= cats0 map_cat.
rewrite sol; last by rewrite /valid /= ltn_ord !size_table_values eqxx !tab_below ltn_ord.
by rewrite /= size_table_values nth_table_values (nth_table_values z2 (entry (w, z1 z0))).
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
have [z0 [iv [T [iv_inj hT]]]] : exists (z0 : 'I_m) (iv : 'I_Th -> 'I_m) (T : 'I_Th -> table1),
    injective iv /\ forall k, T k \in Q1 /\ T k z0 = iv k.
  by apply: some_place Th0; rewrite !card_ord; [apply: d1 | apply: hTh].
have [z2s z2sQ] : exists z2, z2 \in Q2 by apply: dense_pick d2; rewrite expn_gt0 N0.
pose i0 : 'I_Th := Ordinal Th0.
pose P := (N + m).+1.                                          (* the position of w *)
pose p (z2 : table2) i w := (vals z2 ++ vals (T i)) ++ [:: Val z0; Query [:: w]].
have sp (z2 : table2) i : size (vals z2 ++ vals (T i)) = N + m by rewrite size_cat !size_vals.
(* before the Full layer w knows w, z_0 and the state, neither z_2 nor i *)
have know0 z2 z2' i i' w j : z2 \in Q2 -> z2' \in Q2 -> N + m <= j ->
    acts B0 (p z2 i w) j = acts B0 (p z2' i' w) j.
  move=> h h' le; have [hi _] := hT i; have [hi' _] := hT i'; apply: (proj1 (scan (ls := [::]) (P := N + m) nB0 _ _ le)).
    by move=> k lk; apply: inputs_suffix; rewrite !sp.
  by apply/same_states_prefix; rewrite ?sp //; apply: st.
(* what is fixed about z_2: per i the states of the Full layer and of block 1 into w; per w what w hears from table 2 *)
pose x w := acts B0 (p z2s i0 w) P.
pose Cs i := states_asked (fun z2 : {ffun 'I_N -> 'I_N} => (vals z2 ++ vals (T i)) ++ [:: Val z0]) P B0 (F :: B1).
pose Pw w : question {ffun 'I_N -> 'I_N} := Ask (fun z2 => partial_sum F (acts B0 (vals z2)) (x w) N P).
have [Q [sub /consts_cat[/consts_flatten cS /consts_map cP]] dens] : exists2 Q : {set table2},
    Q \subset Q2 /\ consts Q (flatten [seq Cs i | i <- enum 'I_Th] ++ [seq Pw w | w <- iota 0 n1])
    & N ^ N <= #|Q| * 2 ^ (lam0 + (Th * lam1 + beta * n1)).
  apply: fixing_bits d2 _; apply: charge_cat.
    have -> : Th * lam1 = size (enum 'I_Th) * lam1 by rewrite size_enum_ord.
    by apply: charge_lists => i; rewrite states_charge.
  by rewrite -[n1 in beta * n1](size_iota 0); apply: charge_each => w; rewrite /= card_sum_type.
(* w's final activation is a function of (w, i) *)
have blind z2 z2' i w : z2 \in Q -> z2' \in Q -> w < n1 ->
    acts (layers md) (p z2 i w) P = acts (layers md) (p z2' i w) P.
  move=> hQ hQ' hw; have h := subsetP sub _ hQ; have h' := subsetP sub _ hQ'.
  have [s1 s2] : same_states (p z2 i w) (p z2' i w) P B0 (F :: B1).
    have E (z : {ffun 'I_N -> 'I_N}) : p z i w = ((vals z ++ vals (T i)) ++ [:: Val z0]) ++ [:: Query [:: w]].
      by rewrite /p -[RHS]catA.
    rewrite !E; apply/same_states_prefix; rewrite ?size_cat ?size_vals ?addn1 //.
    by apply: states_fixed (cS i _) _ _ hQ hQ'; rewrite mem_enum.
  rewrite the_word -cat_rcons; apply: recs_at => //; apply: layer_at => //; first by apply: know0 => //; apply: leqnSn.
  have xw (z : {ffun 'I_N -> 'I_N}) : z \in Q2 -> acts B0 (p z i w) P = x w.
    by move=> hz; apply: know0 => //; apply: leqnSn.
  rewrite xw //; apply: (@sum_from _ _ _ _ _ N); first by rewrite /P -addnS leq_addr.
    rewrite /p -!catA !sum_prefix ?size_vals //; apply: (cP w) => //; by rewrite mem_iota.
  by move=> j /andP[lj _]; rewrite /p -!catA; apply: sc.
(* so the tables of Q agree on the n_1 * Theta entries (w, i) that are asked *)
have agree : forall f g, f \in Q -> g \in Q -> {in [set entry (c.1, iv c.2) | c : 'I_n1 * 'I_Th], f =1 g}.
  move=> f g fQ gQ _ /imsetP[[w i] _ ->] /=; have [_ <-] := hT i.
  apply: val_inj; rewrite /= -!(right_entry _ _ _ _ sol) /output !size_cat !size_vals addn2 /=.
  by congr out; apply: blind.
move: hend; rewrite ltnNge -addnA (agreeing_tables N0 dens _ agree) //.
rewrite card_imset ?card_prod ?card_ord // => -[w i] [w' i'] /entry_inj[-> /iv_inj ->] //.
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
have [md' [same [B0 [F [B1 [E [nB0 nB1] hbF [h0 h1]]]]]]] := one_full_word hb hl hF.
exact: (A2_exact nB0 nB1 E hbF h0 h1 hTh hend (solves_same same sol)).
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
