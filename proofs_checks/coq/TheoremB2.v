(** Theorem B2: L = 2, two Full layers, no R before the second (theory 5.8). *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts Binary TableOne.
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

(** Position e of G has the alphabet e·v, …, e·v + v−1. *)
Definition value (c : 'I_x0 * 'I_v) : nat := c.1 * v + c.2.
Definition own_letter (e : 'I_x0) (i : 'I_v) : nat := value (e, i).
(** Values are below m. *)
Lemma value_m e i : own_letter e i < m.
Proof. by apply: leq_trans fit; have := pair_lt (ltn_ord e) (ltn_ord i); rewrite (mulnC v). Qed.
(** Values tell the position and the letter. *)
Lemma value_inj : injective value.
Proof. by move=> [e i] [e' i'] /pair_inj[] // Ee Ei; congr pair; apply: val_inj. Qed.
Notation p := (@whole_prompt m n1 x0 v own_letter).
Notation G := (letters own_letter).
Notation start := (@start m n1 x0).
Notation before := (before m x0).
Notation K := (letters_at m n1 x0).
Notation P := (query_at m n1).
Notation query_in := (query_in m n1 md).

Hypothesis the_word : layers md = [:: F1, F2 & B2].
Hypothesis nB2 : ~~ has (@is_full _) B2.
Variables (beta lam1 lam2 Th : nat).
Hypothesis (hb1 : sums F1 <= 2 ^ beta) (hb2 : sums F2 <= 2 ^ beta).
Hypothesis (h1 : states F1 <= 2 ^ lam1) (h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam2).
Hypothesis (N0 : 0 < N) (Th0 : 0 < Th).

(** * 1. What is fixed about z_2

    The state before G and what every w hears from all before G in layer 1; what z_0's token and the tokens of G hear from there. *)
Definition first_asked : seq (question table2) :=
  state_before m n1 x0 F1 :: [seq heard_before m n1 x0 F1 (query_in (val w)) P | w <- enum 'I_n1].
Definition tokens_asked : seq (question table2) :=
  [seq heard_before m n1 x0 F1 (embed md (N + m) (Val (before + e))) (N + m) | e : 'I_x0 <- enum 'I_x0]
  ++ [seq heard_before m n1 x0 F1 (embed md (K + c.1) (Val (value c))) (K + c.1) | c : 'I_x0 * 'I_v <- enum [finType of 'I_x0 * 'I_v]].

(** After layer 1 all tokens from G on are known, given table 1. *)
Lemma known_after1 (S : {set table2}) z2 z2' f (e : 'I_x0) (w : 'I_n1) j : consts S first_asked -> consts S tokens_asked ->
  z2 \in S -> z2' \in S -> K <= j <= P -> acts [:: F1] (p z2 f e w) j = acts [:: F1] (p z2' f e w) j.
Proof.
move=> [cs cw] /consts_cat[cz cg] h h' /andP[lj jP].
apply: (layer_at (ls := [::])); rewrite ?(emb own_letter md z2 z2' f e w lj) //; first by apply: same_state lj; apply: cs.
apply: same_sum (lj); set x := acts [::] _ j.
move: jP; rewrite leq_eqVlt => /orP[/eqP Ej|].
  have -> : x = query_in w by rewrite /x Ej /acts /= /inputs nth_w // x0m.
  by rewrite Ej; apply: (consts_map cw (v := w)); rewrite ?mem_enum.
rewrite ltnS leq_eqVlt => /orP[/eqP Ej|jG].
  have -> : x = embed md (N + m) (Val (before + e)) by rewrite /x Ej /acts /= /inputs nth_z0 // x0m.
  by rewrite Ej; apply: (consts_map cz (v := e)); rewrite ?mem_enum.
have jx : j - K < x0 by rewrite ltn_subLR // (Kg n1 x0m).
pose c := (Ordinal jx, f (Ordinal jx)); have Ej : K + c.1 = j by rewrite /= subnKC.
have -> : x = embed md (K + c.1) (Val (value c)) by have := nth_G own_letter x0m z2' f e w c.1; rewrite Ej /x /acts /= /inputs => ->.
by rewrite -!Ej; apply: (consts_map cg (v := c)); rewrite ?mem_enum.
Qed.

(** * 2. Θ pairs (e, value at e), with tables 1 behind which every w has heard the same in layer 1 and the state is one *)
Definition heard_behind (z2 : table2) (f : table1) (w : 'I_n1) : sum_type F1 :=
  partial_sum F1 (acts [::] (start z2 ++ G f)) (query_in w) (N + m) P.
(** Their tables are in one class of what is heard and of the state. *)
Lemma alike_pairs (z2 : table2) : Th.-1 ^ x0 * 2 ^ (beta * n1 + lam1) < (x0 * v) ^ x0 ->
  exists (J : {set 'I_x0 * 'I_v}) (T : 'I_x0 * 'I_v -> table1), [/\ #|J| = Th, forall c, c \in J -> T c c.1 = c.2
    & forall c c', c \in J -> c' \in J -> (forall w, heard_behind z2 (T c) w = heard_behind z2 (T c') w)
      /\ same_states (start z2 ++ G (T c)) (start z2 ++ G (T c')) (N + m) [::] [:: F1]].
Proof.
move=> hTh; have [Q1 [_ /consts_cat[cG /states_fixed cS]] d1] : exists2 Q1 : {set table1},
    Q1 \subset setT /\ consts Q1 ([seq Ask (heard_behind z2 ^~ w) | w <- enum 'I_n1] ++ states_asked (fun f => start z2 ++ G f) (N + m) [::] [:: F1])
    & v ^ x0 <= #|Q1| * 2 ^ (0 + (beta * n1 + lam1)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  apply: charge_cat; last by rewrite states_charge big_seq1.
  by rewrite -[n1 in beta * n1]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
have [J [T [cJ hT]]] : exists (J : {set 'I_x0 * 'I_v}) (T : 'I_x0 * 'I_v -> table1),
    #|J| = Th /\ forall c, c \in J -> T c \in Q1 /\ T c c.1 = c.2.
  by apply: some_pairs Th0; rewrite card_ord; [apply: d1 | apply: hTh].
exists J, T; split=> // [c /hT[] //|c c' /hT[hc _] /hT[hc' _]]; split; last exact: cS.
by move=> w; apply: (consts_map cG (v := w)); rewrite ?mem_enum.
Qed.

(** * 3. B2 for a word F F and a block *)
Lemma B2_exact : Th.-1 ^ x0 * 2 ^ (beta * n1 + lam1) < (x0 * v) ^ x0 ->
  2 ^ (lam1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam2) < N ^ (n1 * Th) -> ~ solves m [:: n1] md.
Proof.
move=> hTh hend sol.
have [Qa [_ /consts_cat[cfirst ctok]] da] : exists2 Qa : {set table2}, Qa \subset setT /\ consts Qa (first_asked ++ tokens_asked)
    & N ^ N <= #|Qa| * 2 ^ (0 + (lam1 + beta * n1 + (beta * x0 + beta * (x0 * v)))).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  apply: charge_cat; first rewrite /first_asked -cat1s; apply: charge_cat; first by rewrite big_seq1 /= card_state_type.
  - by rewrite -[n1 in beta * n1]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
  - by rewrite -[x0 in beta * x0]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
  have {1}-> : x0 * v = size (enum [finType of 'I_x0 * 'I_v]) by rewrite -cardE card_prod !card_ord.
  by apply: charge_each => w; rewrite /= card_sum_type.
have [z2r z2rQ] : exists z2, z2 \in Qa by apply: dense_pick da; rewrite expn_gt0 N0.
have [J [T [cJ hT same]]] := alike_pairs z2r hTh.
have [c0 c0J] : exists c0, c0 \in J by apply/card_gt0P; rewrite cJ.
(* w, which heard the same from every such table, knows (w, z_0) only *)
pose x1 (e : 'I_x0) (w : 'I_n1) := acts [:: F1] (p z2r (T c0) e w) P.
have blind1 z2 c (e : 'I_x0) (w : 'I_n1) : z2 \in Qa -> c \in J -> acts [:: F1] (p z2 (T c) e w) P = x1 e w.
  move=> h cJc; rewrite (known_after1 _ _ _ cfirst ctok h z2rQ); last by rewrite leqnn andbT leqW // KNm.
  by have [heard [state _]] := same _ _ cJc c0J; apply: query_after => //; [exact: x0m | exact: heard].
(* layer 2: what w hears from z_2 and the prefix, per (w, z_0); the states into w, per pair *)
pose bw (c : 'I_x0 * 'I_n1) : question table2 := Ask (fun z2 => partial_sum F2 (acts [:: F1] (start z2)) (x1 c.1 c.2) K P).
pose bs (c : 'I_x0 * 'I_v) := states_asked (fun z2 => (start z2 ++ G (T c)) ++ [:: Val (before + c.1)]) P [:: F1] (F2 :: B2).
have [Qb [/subsetP subb /consts_cat[cb /consts_flatten cs]] db] : exists2 Qb : {set table2},
    Qb \subset Qa /\ consts Qb ([seq bw c | c <- enum [finType of 'I_x0 * 'I_n1]] ++ flatten [seq bs c | c <- enum J])
    & N ^ N <= #|Qb| * 2 ^ (0 + (lam1 + beta * n1 + (beta * x0 + beta * (x0 * v))) + (beta * (n1 * x0) + Th * lam2)).
  apply: fixing_bits da _; apply: charge_cat.
    have {1}-> : n1 * x0 = size (enum [finType of 'I_x0 * 'I_n1]) by rewrite -cardE card_prod !card_ord mulnC.
    by apply: charge_each => w; rewrite /= card_sum_type.
  by rewrite -cJ [#|J|]cardE; apply: charge_lists => c; rewrite states_charge.
have blind z2 z2' c (w : 'I_n1) : z2 \in Qb -> z2' \in Qb -> c \in J ->
    acts (layers md) (p z2 (T c) c.1 w) P = acts (layers md) (p z2' (T c) c.1 w) P.
  move=> hQ hQ' cJc; have [h h'] := (subb _ hQ, subb _ hQ').
  have cE : c \in enum J by rewrite mem_enum.
  have [s1 s2] : same_states (p z2 (T c) c.1 w) (p z2' (T c) c.1 w) P [:: F1] (F2 :: B2).
    by apply: (same_into x0m); apply: states_fixed (cs _ cE) _ _ hQ hQ'.
  rewrite the_word -(cat1s F1) -(cat_rcons F2) -cats1; apply: recs_at => //.
  apply: (layer_at (ls := [:: F1])) => //; first by rewrite !blind1.
  rewrite blind1 //; apply: (@sum_from _ _ _ _ _ K); first exact: leqW (KNm _ _ _).
    rewrite /whole_prompt -!(catA (start _)) !(sum_prefix _ _ _ (p := start _)) ?size_start //.
    by apply: (consts_map cb (v := (c.1, w))) => //; rewrite mem_enum.
  by move=> j /andP[lj jP]; apply: (known_after1 _ _ _ cfirst ctok) => //; rewrite lj ltnW.
(* the tables of Qb agree on the n_1·Theta entries (w, value c) *)
pose ent (b : 'I_n1 * ('I_x0 * 'I_v)) : 'I_N := entry (b.1, Ordinal (value_m b.2.1 b.2.2)).
have agree : forall f g, f \in Qb -> g \in Qb -> {in [set ent b | b in setX [set: 'I_n1] J], f =1 g}.
  move=> f g fQ gQ _ /imsetP[[w c] /setXP[_ /= cJc] ->]; apply: val_inj => /=.
  have right (z2 : table2) : z2 (ent (w, c)) = output md (p z2 (T c) c.1 w) :> nat.
    rewrite (right_at x0m value_m z2 (T c) c.1 w sol).
    by congr (val (z2 (entry (w, _)))); apply: val_inj; rewrite /= (hT c cJc).
  by rewrite !right /output !size_p ?x0m //=; congr out; apply: blind.
have kS : n1 * Th <= #|[set ent b | b in setX [set: 'I_n1] J]|.
  by rewrite card_imset ?cardsX ?cardsT ?card_ord ?cJ // => -[w [e i]] [w' [e' i']] /entry_inj[-> /value_inj ->].
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
have [md' [same [F1 [F2 [B2 [E nB [hb1 hb2] [h1 h2]]]]]]] := two_early_word hb hl hF hR; have sol' := solves_same same sol.
have v0 : 0 < v.
  case: (posnP v) ha => // ->; rewrite muln0; case: (posnP x0) => [->|x0p]; last by rewrite exp0n.
  by rewrite !expn0 mul1n ltnS leqn0 expn_eq0.
have n0 : 0 < n1 * Th by case: posnP hend => // ->; rewrite expn0 ltnS leqn0 expn_eq0.
have N0 : 0 < m * n1 by case: posnP hend => // ->; rewrite exp0n.
have Th0 : 0 < Th by move: n0; rewrite muln_gt0 => /andP[].
exact: (B2_exact fit v0 E nB hb1 hb2 h1 h2 N0 Th0 ha hend sol').
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
