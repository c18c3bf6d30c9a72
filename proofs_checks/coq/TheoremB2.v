(** Theorem B2: L = 2, two Full layers, no R before the second (theory 5.8). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section B2.
Variables (md : model) (m n1 x0 v : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_x0 -> 'I_v}.
Variables (F1 F2 : layer (act md)) (B2 : seq (layer (act md))).
Hypothesis fit : x0 * v <= m.
Hypothesis v0 : 0 < v.

(** G fits into table 1. *)
Lemma x0m : x0 <= m. Proof. by apply: leq_trans fit; rewrite leq_pmulr. Qed.

(** Table 1 is 0 before G, its last x_0 positions; position e of G has the alphabet e·v, …, e·v + v−1. *)
Definition rest1 (f : table1) : seq nat := [seq e * v + f e | e : 'I_x0 <- enum 'I_x0].
Definition before : nat := m - x0.
Definition z1 (f : table1) : seq nat := nseq before 0 ++ rest1 f.
Definition value (c : 'I_x0 * 'I_v) : nat := c.1 * v + c.2.

(** Values are below m. *)
Lemma value_m c : value c < m.
Proof.
apply: leq_trans fit; apply: leq_trans (_ : c.1 * v + v <= _); first by rewrite ltn_add2l.
by rewrite -mulSnr leq_mul2r ltn_ord orbT.
Qed.
(** Values tell the position and the letter. *)
Lemma value_inj : injective value.
Proof.
move=> [e i] [e' i'] E.
have Ee := congr1 (divn^~ v) E; have Ei := congr1 (modn^~ v) E.
rewrite /value /= !divnMDl // !divn_small // !addn0 in Ee; rewrite /value /= !modnMDl !modn_small // in Ei.
by congr pair; apply: val_inj.
Qed.
(** G has x_0 positions. *)
Lemma size_rest1 f : size (rest1 f) = x0. Proof. by rewrite size_map size_enum_ord. Qed.
(** Table 1 has m entries. *)
Lemma size_z1 f : size (z1 f) = m. Proof. by rewrite size_cat size_nseq size_rest1 subnK // x0m. Qed.
(** Table 1 on G. *)
Lemma nth_rest1 f (e : 'I_x0) : nth 0 (rest1 f) e = value (e, f e).
Proof. by rewrite (nth_map e) ?size_enum_ord // nth_ord_enum. Qed.
(** Entries of table 1 are below m. *)
Lemma z1_below f : all (fun a => a < m) (z1 f).
Proof.
apply/allP => a; rewrite mem_cat => /orP[/nseqP[-> h]|/mapP[e _ ->]]; last exact: (value_m (e, f e)).
by apply: leq_trans h (leq_subr _ _).
Qed.

(** The prompt: z_2 and table 1 before G, then G, then z_0 = the position of e, then w.  K: where G begins. *)
Definition start (z2 : table2) : seq token := vals z2 ++ nseq before (Val 0).
Definition G (f : table1) : seq token := [seq Val a | a <- rest1 f].
Definition tail (e w : nat) : seq token := [:: Val (before + e); Query [:: w]].
Definition p z2 f e w : seq token := (start z2 ++ G f) ++ tail e w.
Notation K := (N + before).
Notation P := (N + m).+1.
(** The hidden part has K tokens. *)
Lemma size_start z2 : size (start z2) = K. Proof. by rewrite size_cat size_vals size_nseq. Qed.
(** Both tables have N + m tokens. *)
Lemma size_tables z2 f : size (start z2 ++ G f) = N + m.
Proof. by rewrite size_cat size_start size_map size_rest1 -addnA subnK // x0m. Qed.
(** The prompt has N + m + 2 tokens. *)
Lemma size_p z2 f e w : size (p z2 f e w) = P.+1. Proof. by rewrite size_cat size_tables addn2. Qed.
(** G begins inside table 1. *)
Lemma KNm : K <= N + m. Proof. by rewrite leq_add2l leq_subr. Qed.

Hypothesis the_word : layers md = [:: F1, F2 & B2].
Hypothesis nB2 : ~~ has (@is_full _) B2.

(** B2 for a word F F and a block. *)
Lemma B2_exact beta lam1 lam2 Th : sums F1 <= 2 ^ beta -> sums F2 <= 2 ^ beta ->
  states F1 <= 2 ^ lam1 -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 ->
  Th.-1 ^ x0 * 2 ^ (beta * n1 + lam1) < (x0 * v) ^ x0 ->
  2 ^ (lam1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam2) < N ^ (n1 * Th) -> ~ solves m [:: n1] md.
Proof.
move=> hb1 hb2 h1 h2 hTh hend sol.
have Th0 : 0 < Th by case: (Th) hend => //; rewrite muln0 expn0 ltnS leqn0 expn_eq0.
have N0 : 0 < N.
  case: (posnP N) hend => // ->; case: (posnP (n1 * Th)) => [->|h]; last by rewrite exp0n.
  by rewrite expn0 ltnS leqn0 expn_eq0.
have NN : 0 < N ^ N by rewrite expn_gt0 N0.
(* the state of the heads beside F1 behind z_2 and the prefix of table 1 *)
have [Q2 [_ c2] d2] : exists2 Q2 : {set table2}, Q2 \subset setT /\ consts Q2 (states_asked start K [::] [:: F1])
    & N ^ N <= #|Q2| * 2 ^ (0 + lam1).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  by rewrite states_charge big_seq1.
(* what every w hears from z_2 and the prefix in layer 1 *)
pose xw w : act md := embed md P (Query [:: w]).
pose ask1 (x : act md) (k : nat) : question table2 := Ask (fun z2 => partial_sum F1 (acts [::] (start z2)) x K k).
have [Qw [subw cw] dw] : exists2 Qw : {set table2}, Qw \subset Q2 /\ consts Qw [seq ask1 (xw (val w)) P | w <- enum 'I_n1]
    & N ^ N <= #|Qw| * 2 ^ (0 + lam1 + beta * n1).
  apply: fixing_bits d2 _.
  by rewrite -[n1 in beta * n1]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
have [z2s z2sQ] := dense_pick NN dw.
(* what every w has heard behind G in layer 1, and the state behind G: a function of f *)
pose Gw (w : 'I_n1) : question table1 := Ask (fun f => partial_sum F1 (acts [::] (start z2s ++ G f)) (xw w) (N + m) P).
have [Q1 [_ /consts_cat[cG /states_fixed cS]] d1] : exists2 Q1 : {set table1},
    Q1 \subset setT /\ consts Q1 ([seq Gw w | w <- enum 'I_n1] ++ states_asked (fun f => start z2s ++ G f) (N + m) [::] [:: F1])
    & v ^ x0 <= #|Q1| * 2 ^ (0 + (beta * n1 + lam1)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  apply: charge_cat; last by rewrite states_charge big_seq1.
  by rewrite -[n1 in beta * n1]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
have [J [T [cJ hT]]] : exists (J : {set 'I_x0 * 'I_v}) (T : 'I_x0 * 'I_v -> table1),
    #|J| = Th /\ forall c, c \in J -> T c \in Q1 /\ T c c.1 = c.2.
  by apply: some_pairs Th0; rewrite card_ord; [apply: d1 | apply: hTh].
have [c0 c0J] : exists c0, c0 \in J by apply/card_gt0P; rewrite cJ.
(* layer 1: what z_0's token and the tokens of G hear from the prefix *)
have emb z2 f e w j : K <= j -> acts [::] (p z2 f e w) j = acts (md := md) [::] (p z2s f e w) j.
  by move=> le; rewrite /p -!(catA (start _)); apply: inputs_suffix; rewrite !size_start.
pose az (e : 'I_x0) := ask1 (embed md (N + m) (Val (before + e))) (N + m).
pose ag (c : 'I_x0 * 'I_v) := ask1 (embed md (K + c.1) (Val (value c))) (K + c.1).
have [Qa [sub_w /consts_cat[cz cg]] da] : exists2 Qa : {set table2},
    Qa \subset Qw /\ consts Qa ([seq az e | e <- enum 'I_x0] ++ [seq ag c | c <- enum [finType of 'I_x0 * 'I_v]])
    & N ^ N <= #|Qa| * 2 ^ (0 + lam1 + beta * n1 + (beta * x0 + beta * (x0 * v))).
  apply: fixing_bits dw _; apply: charge_cat.
    by rewrite -[x0 in beta * x0]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
  have {1}-> : x0 * v = size (enum [finType of 'I_x0 * 'I_v]) by rewrite -cardE card_prod !card_ord.
  by apply: charge_each => w; rewrite /= card_sum_type.
have suba : Qa \subset Q2 := subset_trans sub_w subw.
have [z2r z2rQ] := dense_pick NN da.
have stK z2 z2' f e w j : z2 \in Qa -> z2' \in Qa -> K <= j ->
    state_at F1 (acts [::] (p z2 f e w)) j = state_at F1 (acts [::] (p z2' f e w)) j.
  move=> h h' le.
  have [E _] := states_fixed c2 (subsetP suba _ h) (subsetP suba _ h').
  have := E; rewrite -(st_prefix _ _ (G f ++ tail e w) (p := start z2)) ?size_start //
    -(st_prefix _ _ (G f ++ tail e w) (p := start z2')) ?size_start //.
  rewrite !catA -/(p z2 f e w) -/(p z2' f e w) => Ep.
  by case: (F1) Ep => /= *; apply: state_ext le _ _ => // k /andP[lk _]; rewrite !(emb _ f e w k).
(* after layer 1 all tokens from G on are known, given f *)
have know1 z2 z2' f (e : 'I_x0) (w : 'I_n1) j : z2 \in Qa -> z2' \in Qa -> K <= j <= P ->
    acts [:: F1] (p z2 f e w) j = acts [:: F1] (p z2' f e w) j.
  move=> h h' /andP[lj jP]; apply: (layer_at (ls := [::])); rewrite ?(stK z2 z2') ?(emb z2) ?(emb z2') //.
  apply: (sum_from lj); last by move=> k /andP[lk _]; rewrite (emb z2) ?(emb z2').
  have pr z : partial_sum F1 (acts [::] (p z f e w)) (acts [::] (p z2s f e w) j) K j
            = partial_sum F1 (acts [::] (start z)) (acts [::] (p z2s f e w) j) K j.
    by rewrite /p -!(catA (start _)) sum_prefix ?size_start.
  rewrite !pr; move: jP; rewrite leq_eqVlt => /orP[/eqP ->|].
    have -> : acts [::] (p z2s f e w) P = xw w by rewrite /acts /= /inputs /p nth_cat size_tables ltnNge leqnSn /= subSnn.
    by apply: (consts_map cw (v := w)); rewrite ?mem_enum //; apply: (subsetP sub_w).
  rewrite ltnS leq_eqVlt => /orP[/eqP ->|jG].
    have -> : acts [::] (p z2s f e w) (N + m) = embed md (N + m) (Val (before + e)).
      by rewrite /acts /= /inputs /p nth_cat size_tables ltnn subnn.
    by apply: (consts_map cz) => //; rewrite mem_enum.
  have jx : j - K < x0 by rewrite ltn_subLR // -addnA subnK // x0m.
  pose c := (Ordinal jx, f (Ordinal jx)); have Ej : K + c.1 = j by rewrite /= subnKC.
  have -> : acts [::] (p z2s f e w) j = embed md (K + c.1) (Val (value c)).
    rewrite Ej /acts /= /inputs /p nth_cat size_tables jG nth_cat size_start ltnNge lj /=.
    by rewrite (nth_map 0) ?size_rest1 // (nth_rest1 f (Ordinal jx)).
  by rewrite -!Ej; apply: (consts_map cg) => //; rewrite mem_enum.
(* and w, which heard the same from every table of Q1, knows (w, z_0) only *)
pose x1 (e : 'I_x0) (w : 'I_n1) := acts [:: F1] (p z2r (T c0) e w) P.
have blind1 z2 c (e : 'I_x0) (w : 'I_n1) : z2 \in Qa -> c \in J -> acts [:: F1] (p z2 (T c) e w) P = x1 e w.
  move=> h cJc; rewrite (know1 z2 z2r) ?leqnn ?andbT //; last by rewrite ltnW // ltnS KNm.
  have [fQ _] := hT c cJc; have [f0Q _] := hT c0 c0J.
  have embP f j : N + m <= j -> acts [::] (p z2r f e w) j = acts (md := md) [::] (p z2r (T c0) e w) j.
    by move=> le; apply: inputs_suffix; rewrite !size_tables.
  have zr f : acts (md := md) [::] (p z2r f e w) P = xw w.
    by rewrite /acts /= /inputs /p nth_cat size_tables ltnNge leqnSn /= subSnn.
  have moveS f : state_at F1 (acts [::] (p z2r f e w)) (N + m) = state_at F1 (acts [::] (start z2s ++ G f)) (N + m).
    rewrite -(st_prefix _ _ (tail e w) (p := start z2s ++ G f)) ?size_tables // -/(p z2s f e w).
    have [E _] := states_fixed c2 (subsetP suba _ z2rQ) (subsetP subw _ z2sQ).
    have := E; rewrite -(st_prefix _ _ (G f ++ tail e w) (p := start z2r)) ?size_start //
      -(st_prefix _ _ (G f ++ tail e w) (p := start z2s)) ?size_start //.
    rewrite !catA -/(p z2r f e w) -/(p z2s f e w) => Ep.
    by case: (F1) Ep => /= *; apply: state_ext KNm _ _ => // k /andP[lk _]; rewrite !(emb _ f e w k).
  apply: (layer_at (ls := [::])); rewrite ?zr //.
    have [E _] := cS _ _ fQ f0Q; move: E; rewrite -!moveS.
    by case: (F1) => /= *; apply: state_ext (leqnSn _) _ _ => // k /andP[lk _]; rewrite embP.
  apply: (@sum_from _ _ _ _ _ (N + m)); [exact: leqnSn | | by move=> k /andP[lk _]; apply: embP].
  have sg f : partial_sum F1 (acts [::] (p z2r f e w)) (xw w) (N + m) P = ask (Gw w) f.
    rewrite /p (sum_prefix _ _ _ (p := start z2r ++ G f)) ?size_tables //=.
    apply: (sum_from KNm); last by move=> j /andP[lj _]; apply: inputs_suffix; rewrite ?size_start.
    rewrite !(sum_prefix _ _ _ (p := start _)) ?size_start //.
    by apply: (consts_map cw (v := w)); rewrite ?mem_enum //; apply: (subsetP sub_w).
  by rewrite !sg; apply: (consts_map cG) => //; rewrite mem_enum.
(* layer 2: what w hears from z_2 and the prefix, per (w, z_0); the states into w, per pair *)
pose bw (c : 'I_x0 * 'I_n1) : question table2 := Ask (fun z2 => partial_sum F2 (acts [:: F1] (start z2)) (x1 c.1 c.2) K P).
pose bs (c : 'I_x0 * 'I_v) := states_asked (fun z2 => (start z2 ++ G (T c)) ++ [:: Val (before + c.1)]) P [:: F1] (F2 :: B2).
have [Qb [subb /consts_cat[cb /consts_flatten cs]] db] : exists2 Qb : {set table2},
    Qb \subset Qa /\ consts Qb ([seq bw c | c <- enum [finType of 'I_x0 * 'I_n1]] ++ flatten [seq bs c | c <- enum J])
    & N ^ N <= #|Qb| * 2 ^ (0 + lam1 + beta * n1 + (beta * x0 + beta * (x0 * v)) + (beta * (n1 * x0) + Th * lam2)).
  apply: fixing_bits da _; apply: charge_cat.
    have {1}-> : n1 * x0 = size (enum [finType of 'I_x0 * 'I_n1]) by rewrite -cardE card_prod !card_ord mulnC.
    by apply: charge_each => w; rewrite /= card_sum_type.
  by rewrite -cJ [#|J|]cardE; apply: charge_lists => c; rewrite states_charge.
have blind z2 z2' c (w : 'I_n1) : z2 \in Qb -> z2' \in Qb -> c \in J ->
    acts (layers md) (p z2 (T c) c.1 w) P = acts (layers md) (p z2' (T c) c.1 w) P.
  move=> hQ hQ' cJc; have h := subsetP subb _ hQ; have h' := subsetP subb _ hQ'.
  have cE : c \in enum J by rewrite mem_enum.
  have [s1 s2] : same_states (p z2 (T c) c.1 w) (p z2' (T c) c.1 w) P [:: F1] (F2 :: B2).
    have E z : p z (T c) c.1 w = ((start z ++ G (T c)) ++ [:: Val (before + c.1)]) ++ [:: Query [:: val w]].
      by rewrite /p -[RHS]catA.
    have sE z : size ((start z ++ G (T c)) ++ [:: Val (before + c.1)]) = P by rewrite cats1 size_rcons size_tables.
    rewrite !E; apply/same_states_prefix; rewrite ?sE //.
    exact: states_fixed (cs _ cE) _ _ hQ hQ'.
  rewrite the_word -(cat1s F1) -(cat_rcons F2) -cats1; apply: recs_at => //.
  apply: (layer_at (ls := [:: F1])) => //; first by rewrite !blind1.
  rewrite blind1 //; apply: (@sum_from _ _ _ _ _ K); first exact: leqW KNm.
    rewrite /p -!(catA (start _)) !(sum_prefix _ _ _ (p := start _)) ?size_start //.
    by apply: (consts_map cb (v := (c.1, w))) => //; rewrite mem_enum.
  by move=> j /andP[lj jP]; apply: know1 => //; rewrite lj ltnW.
(* the tables of Qb agree on the n_1·Theta entries (w, value c) *)
pose ent (b : 'I_n1 * ('I_x0 * 'I_v)) : 'I_N := entry (b.1, Ordinal (value_m b.2)).
have agree : forall f g, f \in Qb -> g \in Qb -> {in [set ent b | b in setX [set: 'I_n1] J], f =1 g}.
  move=> f g fQ gQ _ /imsetP[[w c] /setXP[_ /= cJc] ->].
  have right (z2 : table2) : output md (p z2 (T c) c.1 w) = z2 (ent (w, c)).
    have -> : p z2 (T c) c.1 w = prompt (before + c.1) [:: z1 (T c); table_values z2] [:: val w].
      rewrite /p /start /G /tail /vals /z1 /prompt /= cats0 !map_cat -!catA; congr (_ ++ _); congr (_ ++ _).
      by elim: before => //= k ->.
    rewrite sol; last first.
      rewrite /valid /= size_z1 size_table_values eqxx z1_below tab_below ltn_ord !andbT.
      by apply: leq_trans (_ : before + x0 <= m); rewrite ?ltn_add2l // subnK ?x0m.
    rewrite /= size_z1 nth_cat size_nseq ltnNge leq_addr addKn nth_rest1.
    have [_ ->] := hT c cJc; rewrite -surjective_pairing.
    by rewrite (nth_table_values z2 (ent (w, c))).
  apply: val_inj; rewrite /= -!right /output !size_p /=.
  by congr out; apply: blind.
have kS : n1 * Th <= #|[set ent b | b in setX [set: 'I_n1] J]|.
  rewrite card_imset ?cardsX ?cardsT ?card_ord ?cJ // => -[w c] [w' c'] /entry_inj[-> E].
  by congr pair; apply: value_inj.
move: hend; rewrite ltnNge; move/negP; apply.
have := agreeing_tables N0 db kS agree; congr (_ <= 2 ^ _).
by rewrite add0n !mulnDr !addnA.
Qed.
End B2.

(** B2 as in theory 5.8.  lam 1: R heads beside the first Full layer; lam 2: R heads beside the second, and R after it. *)
Theorem B2 beta lam m n1 x0 v Th (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> no_early_rec md ->
  x0 * v <= m ->
  Th.-1 ^ x0 * 2 ^ (beta * n1 + lam 1) < (x0 * v) ^ x0 ->                                             (* (a) *)
  2 ^ (lam 1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam 2) < (m * n1) ^ (n1 * Th) ->             (* (b) *)
  ~ solves m [:: n1] md.
Proof.
move=> hb hl hF hR fit ha hend sol.
have [md' [hb' hl' hF' hR' ho]] := pad_full hb hl hF.
have sol' : solves m [:: n1] md' by move=> z0 zs ws ok; rewrite ho; apply: sol.
have [F1 [F2 [B2 [E FF1 FF2 nB]]]] := two_full hF' (hR' hR).
have v0 : 0 < v.
  case: (posnP v) ha => // ->; rewrite muln0; case: (posnP x0) => [->|x0p]; last by rewrite exp0n.
  by rewrite !expn0 mul1n ltnS leqn0 expn_eq0.
have := hl' 1; rewrite E (@block1_cat _ [::]) //= FF2 big_seq1 => h1.
have := hl' 2; rewrite E (@blockSS_cat _ _ [::]) // (@block1_cat _ [::]) // upto0_noF // => h2.
move: hb'; rewrite /message_bits E /= => /and3P[hb1 hb2 _].
exact: (B2_exact fit v0 E nB hb1 hb2 h1 h2 ha hend sol').
Qed.

(** The two inequalities in binary numbers, and their instances. *)
Local Notation nn := N.to_nat.
Definition hardB2N (beta lam1 lam2 m n1 x0 v Th : N) : bool :=
  (N.leb (x0 * v) m
   && (N.ltb (N.pow (N.pred Th) x0 * N.pow 2 (beta * n1 + lam1)) (N.pow (x0 * v) x0)
   && N.ltb (N.pow 2 (lam1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam2)) (N.pow (m * n1) (n1 * Th))))%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certB2 beta lam1 lam2 m n1 x0 v Th : hardB2N beta lam1 lam2 m n1 x0 v Th ->
  forall md : model, message_bits md (nn beta) -> block_bits md (nth 0 [:: 0; nn lam1; nn lam2]) ->
  number_full md <= 2 -> no_early_rec md -> ~ solves (nn m) [:: nn n1] md.
Proof.
case/and3P => /toLe h0 /toLt h1 /toLt h2 md hb hl hF hR.
by apply: (@B2 _ _ _ _ (nn x0) (nn v) (nn Th) md hb hl hF hR); [move: h0 | move: h1 | move: h2]; rewrite !(toX, toM, toD, toP).
Qed.
