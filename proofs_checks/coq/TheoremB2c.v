(** Theorem B2c: L = 2, two Full layers, no R before the second, by the cube lemma (theory 5.9). *)
From Coq Require Import Arith NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts Binary Cube CubeLayers TableOne.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section B2c.
Variables (md : model) (m n1 g v : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_g -> 'I_v}.
Variables (F1 F2 : layer (act md)) (B2 : seq (layer (act md))).
Hypothesis gm : g <= m.
Hypothesis vm : v <= m.

(** The last g entries of table 1 are values below v. *)
Definition letter (_ : 'I_g) (i : 'I_v) : nat := i.
(** They are below m. *)
Lemma letter_m e i : letter e i < m. Proof. exact: leq_trans (ltn_ord i) vm. Qed.
Notation p := (@whole_prompt m n1 g v letter).
Notation G := (letters letter).
Notation K := (letters_at m n1 g).
Notation P := (query_at m n1).
Notation query_in := (query_in m n1 md).

Hypothesis the_word : layers md = [:: F1, F2 & B2].
Hypothesis nB2 : ~~ has (@is_full _) B2.
Variables (beta lam1 lam2 : nat).
Hypothesis (hb1 : sums F1 <= 2 ^ beta) (hb2 : sums F2 <= 2 ^ beta).
Hypothesis (h1 : states F1 <= 2 ^ lam1) (h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam2).
Hypothesis sol : solves m [:: n1] md.
Hypothesis N0 : 0 < N.

(** What w hears from a table 1 behind z_2 in layer 1, and the state of the heads beside it. *)
Definition heard_by (z2 : table2) (w : nat) (f : table1) : sum_type F1 :=
  partial_sum F1 (acts [::] (start g z2 ++ G f)) (query_in w) (N + m) P.
Definition state_behind (z2 : table2) (f : table1) : state_type F1 := state_at F1 (acts [::] (start g z2 ++ G f)) (N + m).

(** * 1. One cube

    Tables z_2 that have the same state before G and tell every w the same in layer 1; one entry e of G, a cube, and for each group c of
    queries some variants T c i, i in R c, that tell the queries of c what the chosen table tells them. *)
Section OneCube.
Variables (Qw : {set table2}) (D : nat) (z2s : table2) (om : {ffun 'I_g -> 'I_v * 'I_v}) (e : 'I_g).
Variables (k : nat) (group : 'I_n1 -> 'I_k) (R : 'I_k -> {set 'I_v}) (T : 'I_k -> 'I_v -> table1).
Hypothesis dense : N ^ N <= #|Qw| * 2 ^ D.
Hypothesis same_state_before : const Qw (state_before m n1 g F1).
Hypothesis same_heard : consts Qw [seq heard_before m n1 g F1 (query_in (val w)) P | w <- enum 'I_n1].
Hypothesis z2sQ : z2s \in Qw.
Hypothesis variants : forall c i, i \in R c -> variant om e (T c i) /\ T c i e = i.
Hypothesis same_told : forall w i, i \in R (group w) -> heard_by z2s w (T (group w) i) = heard_by z2s w (chosen om)
  /\ state_behind z2s (T (group w) i) = state_behind z2s (chosen om).

Notation Z := (chosen om).
(** Before e all of it is known but z_2. *)
Definition hidden (z2 : table2) : seq token := start g z2 ++ take e (G Z).
(** That is K + e tokens. *)
Lemma size_hidden z2 : size (hidden z2) = K + e.
Proof. by rewrite size_cat size_start size_takel // size_G ltnW. Qed.
(** The entry e is in table 1. *)
Lemma KeNm : K + e <= N + m. Proof. by rewrite -(Kg n1 gm) leq_add2l ltnW. Qed.
(** A variant stands behind the hidden part. *)
Lemma p_hidden z2 f w : variant om e f -> p z2 f e w = hidden z2 ++ (drop e (G f) ++ tail m g e w).
Proof.
move=> /forallP var; rewrite /whole_prompt /hidden -{1}(cat_take_drop e (G f)) -!catA; do 3!congr (_ ++ _).
have s h : size (take e (G h)) = e by rewrite size_takel // size_G ltnW.
apply: (@eq_from_nth _ (Val 0)) => [|j]; rewrite !s // => je.
have jg : j < g := ltn_trans je (ltn_ord e); rewrite !nth_take // !(nth_map 0) ?size_entries //.
congr Val; rewrite (nth_entries letter f (Ordinal jg)) (nth_entries letter Z (Ordinal jg)) /letter ffunE.
by have := var (Ordinal jg); rewrite /= je => /eqP ->.
Qed.

(** Layer 1: what z_0's token, the entry e with any value, and the later entries with two values each hear from the hidden part. *)
Definition asked (x : act md) (j : nat) : question table2 := Ask (fun z2 => partial_sum F1 (acts [::] (hidden z2)) x (K + e) j).
Definition later : seq ('I_g * bool) := [seq (j, c) | j <- drop e.+1 (enum 'I_g), c <- [:: false; true]].
Definition layer1 : seq (question table2) :=
  asked (embed md (N + m) (Val (before m g + e))) (N + m)
  :: [seq asked (embed md (K + e) (Val (i : 'I_v))) (K + e) | i <- enum 'I_v]
  ++ [seq asked (embed md (K + jc.1) (Val (if jc.2 then (om jc.1).2 else (om jc.1).1))) (K + jc.1) | jc : 'I_g * bool <- later].
(** Layer 1 tells β bits for each of these tokens. *)
Lemma layer1_charge : \prod_(q <- layer1) #|Ans q| <= 2 ^ (beta * (1 + v + 2 * (g - e.+1))).
Proof.
rewrite /layer1 -cat1s -addnA (mulnDr beta 1) muln1 (mulnDr beta v); apply: charge_cat; first by rewrite big_seq1 /= card_sum_type.
apply: charge_cat.
  by rewrite -[v in X in _ <= X]size_enum_ord; apply: charge_each => i; rewrite /= card_sum_type.
have -> : 2 * (g - e.+1) = size later by rewrite size_allpairs size_drop size_enum_ord mulnC.
by apply: charge_each => i; rewrite /= card_sum_type.
Qed.

(** After layer 1 all tokens from e on are known, given a variant. *)
Lemma known1 (S : {set table2}) z2 z2' f (w : 'I_n1) j : S \subset Qw -> consts S layer1 -> z2 \in S -> z2' \in S -> variant om e f ->
  K + e <= j <= P -> acts [:: F1] (p z2 f e w) j = acts [:: F1] (p z2' f e w) j.
Proof.
move=> sub [cz /consts_cat[ce cl]] h h' var /andP[lj jP].
have Kj : K <= j := leq_trans (leq_addr _ _) lj.
apply: (layer_at (ls := [::])); rewrite ?(emb letter md z2 z2' f e w Kj) //.
  by apply: same_state Kj; apply: same_state_before; apply: (subsetP sub).
move: jP; rewrite leq_eqVlt => /orP[/eqP jP|jP].
  rewrite jP; have -> : acts [::] (p z2' f e w) P = query_in w by rewrite /acts /= /inputs nth_w.
  apply: same_sum; last by rewrite -jP.
  by apply: (consts_map same_heard (v := w)); rewrite ?mem_enum //; apply: (subsetP sub).
apply: (sum_from lj); last by move=> i /andP[li _]; apply: emb; apply: leq_trans li; apply: leq_addr.
set x := acts [::] (p z2' f e w) j; suff key : ask (asked x j) z2 = ask (asked x j) z2'.
  by rewrite !p_hidden // !(sum_prefix _ _ _ (p := hidden _)) ?size_hidden.
move: jP; rewrite ltnS leq_eqVlt => /orP[/eqP Ej|jG].
  have -> : x = embed md (N + m) (Val (before m g + e)) by rewrite /x Ej /acts /= /inputs nth_z0.
  by rewrite Ej; apply: cz.
have jx : j - K < g by rewrite ltn_subLR // Kg.
pose j' := Ordinal jx; have Ej : j = K + j' by rewrite /= subnKC.
have -> : x = embed md j (Val (f j')) by have := nth_G letter gm z2' f e w j'; rewrite -Ej /x /acts /= /inputs => ->.
case: (eqVneq j' e) => [Ee|ne].
  by rewrite Ej Ee; apply: (consts_map ce (v := f e)); rewrite ?mem_enum.
have ej : e < j' by rewrite ltn_neqAle eq_sym -(leq_add2l K) -Ej lj andbT.
have inl c : (j', c) \in later.
  apply/allpairsP; exists (j', c); split=> //; last by case: c.
  have <- : nth e (drop e.+1 (enum 'I_g)) (j' - e.+1) = j' by rewrite nth_drop subnKC // nth_ord_enum.
  by rewrite mem_nth // size_drop size_enum_ord ltn_sub2r // (leq_ltn_trans ej).
move/forallP/(_ j'): var; rewrite ltnNge (ltnW ej) /= (negbTE ne) /= => /orP[/eqP ->|/eqP ->].
  by rewrite Ej; apply: (consts_map cl (v := (j', false))).
by rewrite Ej; apply: (consts_map cl (v := (j', true))).
Qed.

(** w, which heard of every T c i what it hears of the chosen table, knows w alone. *)
Lemma blind1 (S : {set table2}) z2 z2r (w : 'I_n1) i : S \subset Qw -> consts S layer1 -> z2 \in S -> z2r \in S -> i \in R (group w) ->
  acts [:: F1] (p z2 (T (group w) i) e w) P = acts [:: F1] (p z2r Z e w) P.
Proof.
move=> sub cS h hr iR; have [var _] := variants iR; have [sm st] := same_told iR.
have le : K + e <= P <= P by rewrite leqnn andbT leqW // KeNm.
have [Qr Qs] := (subsetP sub _ hr, z2sQ).
rewrite (known1 w sub cS h hr var le); apply: query_after => //.
  have move_to f : partial_sum F1 (acts [::] (start g z2r ++ G f)) (query_in w) (N + m) P = heard_by z2s w f.
    rewrite /heard_by -!(sum_prefix _ _ (tail m g e w) _ _ (p := start g _ ++ G f)) ?size_tables //; apply: same_sum; last exact: KNm.
    by apply: (consts_map same_heard (v := w)); rewrite ?mem_enum.
  by rewrite !move_to.
have move_to f : state_at F1 (acts [::] (start g z2r ++ G f)) (N + m) = state_behind z2s f.
  rewrite /state_behind -!(st_prefix _ _ (tail m g e w) (p := start g _ ++ G f)) ?size_tables //.
  by apply: same_state; [apply: same_state_before | apply: KNm].
by rewrite !move_to.
Qed.

(** Layer 2: what w hears from the hidden part, and the states into w for every T c i; z2r is any of the tables. *)
Definition layer2 (z2r : table2) : seq (question table2) :=
  [seq Ask (fun z2 => partial_sum F2 (acts [:: F1] (hidden z2)) (acts [:: F1] (p z2r Z e (val w)) P) (K + e) P) | w <- enum 'I_n1]
  ++ flatten [seq states_asked (fun z2 => (start g z2 ++ G (T ci.1 ci.2)) ++ [:: Val (before m g + e)]) P [:: F1] (F2 :: B2)
             | ci : 'I_k * 'I_v <- enum [set ci : 'I_k * 'I_v | ci.2 \in R ci.1]].
Definition number_reached : nat := #|[set ci : 'I_k * 'I_v | ci.2 \in R ci.1]|.
(** Layer 2 tells β bits for each query, and λ_2 for each value reached. *)
Lemma layer2_charge z2r : \prod_(q <- layer2 z2r) #|Ans q| <= 2 ^ (beta * n1 + number_reached * lam2).
Proof.
apply: charge_cat; first by rewrite -[n1 in X in _ <= X]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
by rewrite /number_reached cardE; apply: charge_lists => ci; rewrite states_charge.
Qed.

(** So w knows nothing of z_2 in the end. *)
Lemma blind2 (S1 S : {set table2}) z2r z2 z2' (w : 'I_n1) i : S1 \subset Qw -> consts S1 layer1 -> z2r \in S1 ->
  S \subset S1 -> consts S (layer2 z2r) -> z2 \in S -> z2' \in S -> i \in R (group w) ->
  acts (layers md) (p z2 (T (group w) i) e w) P = acts (layers md) (p z2' (T (group w) i) e w) P.
Proof.
move=> sub c1 hr /subsetP sub2 /consts_cat[cw /consts_flatten cs] h h' iR; have [var _] := variants iR.
have [u u'] := (sub2 _ h, sub2 _ h').
have [s1 s2] : same_states (p z2 (T (group w) i) e w) (p z2' (T (group w) i) e w) P [:: F1] (F2 :: B2).
  by apply: (same_into gm); apply: states_fixed (cs (group w, i) _) _ _ h h'; rewrite mem_enum inE.
rewrite the_word -(cat1s F1) -(cat_rcons F2) -cats1; apply: recs_at => //.
apply: (layer_at (ls := [:: F1])) => //; first by rewrite !(blind1 (S := S1) (z2r := z2r)).
rewrite (blind1 (S := S1) (z2r := z2r)) //; apply: (@sum_from _ _ _ _ _ (K + e)); first by apply: leqW KeNm.
  set x := acts _ (p z2r _ _ _) _; rewrite !p_hidden // !(sum_prefix _ _ _ (p := hidden _)) ?size_hidden //.
  by apply: (consts_map cw (v := w)); rewrite ?mem_enum.
by move=> j /andP[lj jP]; apply: (known1 w sub c1) => //; rewrite lj ltnW.
Qed.

(** The entries (w, i), i in R (group w), are more than what was fixed, unless this holds. *)
Lemma one_cube : N ^ (\sum_(w : 'I_n1) #|R (group w)|) <= 2 ^ (D + beta * (1 + v + 2 * (g - e.+1) + n1) + number_reached * lam2).
Proof.
have NN : 0 < N ^ N by rewrite expn_gt0 N0.
have [S1 [sub1 c1] d1] := fixing_bits dense layer1_charge.
have [z2r z2rS] := dense_pick NN d1.
have [S [sub2 c2] d2] := fixing_bits d1 (layer2_charge z2r).
pose asked_at := [set entry (wi.1, Ordinal (letter_m e wi.2)) | wi in [set wi : 'I_n1 * 'I_v | wi.2 \in R (group wi.1)]].
have agree : forall f h, f \in S -> h \in S -> {in asked_at, f =1 h}.
  move=> f h fS hS _ /imsetP[[w i] /[!inE] /= iR ->]; apply: val_inj => /=.
  have [_ Te] := variants iR.
  have E (z : table2) : z (entry (w, Ordinal (letter_m e i))) = output md (p z (T (group w) i) e w) :> nat.
    rewrite (right_at gm letter_m z (T (group w) i) e w sol).
    by congr (val (z (entry (w, _)))); apply: val_inj; rewrite /= Te.
  rewrite !E /output !size_p //=; congr out.
  exact: (blind2 sub1 c1 z2rS sub2 c2).
have count : \sum_(w : 'I_n1) #|R (group w)| <= #|asked_at|.
  rewrite card_imset => [|[w i] [w' i'] /entry_inj[-> /= E]]; last by congr pair; apply: val_inj.
  under eq_bigr do rewrite -sum1_card; rewrite -sum1_card.
  by rewrite pair_big_dep /=; apply: eq_leq; apply: eq_bigl => wi; rewrite inE.
by have := agreeing_tables N0 d2 count agree; congr (_ <= 2 ^ _); rewrite (mulnDr beta _ n1) !addnA.
Qed.
End OneCube.

(** * 2. The cube lemma, for every group of queries *)
Variables (om k : nat).
Hypothesis groups : n1 <= om * k.
Hypothesis om0 : 0 < om.

Notation group := (group om0 groups).
Notation group_size := (group_size om0 groups).
Definition told (z2 : table2) (c : 'I_k) (f : table1) : {ffun 'I_om -> sum_type F1} * state_type F1 :=
  ([ffun j : 'I_om => heard_by z2 (c * om + j) f], state_behind z2 f).
(** What a group is told: at most 2^{om·β+Λ_1} answers. *)
Lemma card_told : #|[finType of {ffun 'I_om -> sum_type F1} * state_type F1]| <= 2 ^ (om * beta + lam1).
Proof. by rewrite card_prod card_ffun card_ord card_sum_type card_state_type expnD leq_mul // mulnC expnM exp_mono. Qed.

(** What is fixed for the entry e, added up over all entries. *)
Lemma sum_charges : \sum_(e < g) (lam1 + beta * n1 + beta * (1 + v + 2 * (g - e.+1) + n1)) = g * (lam1 + beta * (2 * n1 + g + v)).
Proof.
have odd_sum : \sum_(e < g) (2 * (g - e.+1)).+1 = g * g.
  elim: (g) => [|h IH]; first by rewrite big_ord0.
  by rewrite big_ord_recl /= subn1 IH /=; mring.
have E e : lam1 + beta * n1 + beta * (1 + v + 2 * (g - e.+1) + n1) = beta * (2 * (g - e.+1)).+1 + (lam1 + beta * (2 * n1 + v)).
  by move: (g - e.+1) => d; mring.
under eq_bigr do rewrite E; rewrite big_split /= -big_distrr /= odd_sum sum_nat_const card_ord; mring.
Qed.

(** B2c for a word F F and a block. *)
Lemma B2c_exact : 0 < v ->
  N ^ (n1 * cube_values g v (om * beta + lam1))
  <= 2 ^ (g * (lam1 + beta * (2 * n1 + g + v)) + k * cube_values g v (om * beta + lam1) * lam2).
Proof.
move=> v0; set A := cube_values _ _ _.
have NN : 0 < N ^ N by rewrite expn_gt0 N0.
(* the state before G, and what every w hears from all before G in layer 1 *)
have [Qw [_ [same_st same_hd]] dense] : exists2 Qw : {set table2},
    Qw \subset setT /\ consts Qw (state_before m n1 g F1 :: [seq heard_before m n1 g F1 (query_in (val w)) P | w <- enum 'I_n1])
    & N ^ N <= #|Qw| * 2 ^ (0 + (lam1 + beta * n1)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  rewrite -cat1s; apply: charge_cat; first by rewrite big_seq1 /= card_state_type.
  by rewrite -[n1 in X in _ <= X]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
have [z2s z2sQ] := dense_pick NN dense; rewrite add0n in dense.
(* groups that are worth their late states *)
pose worth c := 2 ^ lam2 < N ^ group_size c.
have [Om Om0 many] := cube g card_told v0.
pose R o e c := if worth c then reached (told z2s c) o e else set0.
have each o e : N ^ (\sum_c group_size c * #|R o e c|)
    <= 2 ^ (lam1 + beta * n1 + beta * (1 + v + 2 * (g - e.+1) + n1) + (\sum_c #|R o e c|) * lam2).
  pose T c i := odflt (chosen o) [pick t : table1 | [&& variant o e t, told z2s c t == told z2s c (chosen o) & t e == i]].
  have hT c i : i \in R o e c -> [&& variant o e (T c i), told z2s c (T c i) == told z2s c (chosen o) & T c i e == i].
    rewrite /R; case: ifP; rewrite inE // /T => _; case: pickP => [t h _ //|no /existsP[t]]; by have /= -> := no t.
  have := @one_cube Qw _ z2s o e k group (R o e) T dense same_st same_hd z2sQ.
  have -> : number_reached (R o e) = \sum_c #|R o e c|.
    rewrite /number_reached -sum1_card; under [RHS]eq_bigr do rewrite -sum1_card.
    by rewrite pair_big_dep /=; apply: eq_bigl => ci; rewrite inE.
  rewrite (sum_groups om0 groups (fun c => #|R o e c|)); apply=> [c i /hT/and3P[h _ /eqP] //|w i /hT/and3P[_ /eqP[/ffunP h ->] _]]; split=> //.
  by have := h (Ordinal (ltn_pmod w om0)); rewrite !ffunE /= -divn_eq.
(* the product over all cubes and entries *)
pose s c := \sum_(o in Om) \sum_e #|R o e c|.
have total : N ^ (\sum_c group_size c * s c) <= 2 ^ (#|Om| * (g * (lam1 + beta * (2 * n1 + g + v))) + (\sum_c s c) * lam2).
  have swap (a : 'I_k -> nat) : \sum_c a c * s c = \sum_(o in Om) \sum_e \sum_c a c * #|R o e c|.
    under eq_bigr do rewrite big_distrr /=; rewrite exchange_big /=; apply: eq_bigr => o _.
    by under eq_bigr do rewrite big_distrr /=; rewrite exchange_big.
  have one : \sum_c s c = \sum_c 1 * s c by under [RHS]eq_bigr do rewrite mul1n.
  rewrite one !swap expn_sum; under eq_bigr do rewrite expn_sum.
  pose charge e := lam1 + beta * n1 + beta * (1 + v + 2 * (g - e.+1) + n1).
  apply: leq_trans (_ : \prod_(o in Om) \prod_(e < g) 2 ^ (charge e + (\sum_c 1 * #|R o e c|) * lam2) <= _).
    apply: leq_prod => o _; apply: leq_prod => e _; apply: leq_trans (each o e) _.
    by under [X in _ <= 2 ^ (_ + X * _)]eq_bigr do rewrite mul1n.
  under eq_bigr do rewrite -expn_sum big_split /= sum_charges -big_distrl /=.
  by rewrite -expn_sum big_split /= sum_nat_const -big_distrl.
(* every group, worth it or not, at A values for each pair of tables *)
have := @average_power _ _ _ _ _ _ _ A Om0 _ total; rewrite (all_groups om0 groups) card_ord; apply=> c; rewrite -/(worth c) /s /R.
by case: (worth c); [apply: many | rewrite big1 // => o _; rewrite big1 // => e _; rewrite cards0].
Qed.
End B2c.

(** B2c as in theory 5.9. lam 1: R heads beside the first Full layer; lam 2: R heads beside the second, and R after it. *)
Theorem B2c beta lam m n1 g v om k (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> no_early_rec md ->
  g <= m -> v <= m -> n1 <= om * k ->
  2 ^ (g * (lam 1 + beta * (2 * n1 + g + v)) + k * cube_values g v (om * beta + lam 1) * lam 2)
    < (m * n1) ^ (n1 * cube_values g v (om * beta + lam 1)) ->
  ~ solves m [:: n1] md.
Proof.
move=> hb hl hF hR gm vm groups hend sol.
have [md' [same [F1 [F2 [B2 [E nB [hb1 hb2] [h1 h2]]]]]]] := two_early_word hb hl hF hR; have sol' := solves_same same sol.
have n0 : 0 < n1 * cube_values g v (om * beta + lam 1) by case: posnP hend => // ->; rewrite expn0 ltnS leqn0 expn_eq0.
have N0 : 0 < m * n1 by case: posnP hend => // ->; rewrite exp0n.
have v0 : 0 < v by case: (v) n0 => //; rewrite /cube_values muln0 sub0n muln0.
have om0 : 0 < om by case: posnP groups => // ->; rewrite mul0n leqn0 => /eqP E0; rewrite E0 in n0.
move: hend; rewrite ltnNge => /negP; apply.
exact: (B2c_exact gm vm E nB hb1 hb2 h1 h2 sol' N0 groups om0 v0).
Qed.

(** The inequalities in binary numbers, and their instances. *)
Local Notation nn := N.to_nat.
Definition hardB2cN (beta lam1 lam2 m n1 g v om k : N) : bool :=
  (let values := g * v - N.pred v * (om * beta + lam1) in
   N.leb g m && (N.leb v m && (N.leb n1 (om * k)
   && N.ltb (N.pow 2 (g * (lam1 + beta * (2 * n1 + g + v)) + k * values * lam2)) (N.pow (m * n1) (n1 * values)))))%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certB2c beta lam1 lam2 m n1 g v om k : hardB2cN beta lam1 lam2 m n1 g v om k ->
  forall md : model, message_bits md (nn beta) -> block_bits md (nth 0 [:: 0; nn lam1; nn lam2]) ->
  number_full md <= 2 -> no_early_rec md -> ~ solves (nn m) [:: nn n1] md.
Proof.
case/and4P => /toLe h0 /toLe h1 /toLe h2 /toLt h3 md hb hl hF hR.
by apply: (@B2c _ _ _ _ (nn g) (nn v) (nn om) (nn k) md hb hl hF hR) => //; [move: h2 | move: h3]; rewrite !(toX, toM, toD, toB, toP).
Qed.
