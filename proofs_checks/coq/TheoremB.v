(** Theorem B (5.3): L full layers, nothing recurrent apart before the second of them. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TheoremA TheoremC.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section B.
Variables (md : model) (m : nat) (ns0 : seq nat).
Notation X := (act md).
Notation ls := (layers md).

(** With no Rec layer before the second Full layer, layer 1 stands alone before it. *)
Lemma upto1_F l ls' : all (@is_full X) (upto 1 (l :: ls')) -> upto 1 (l :: ls') = [:: l].
Proof.
rewrite /=; case lF: (is_full l) => /=; last by rewrite lF.
case/andP => _ h; congr (_ :: _); have := count_upto 0 ls'; rewrite leqn0.
by case: (upto 0 ls') h => [|l' r] //= /andP[-> _].
Qed.

(** Before all layers the last token knows its position and itself. *)
Lemma last_act_nil (p v : seq token) : 0 < size v ->
  last_act (md := md) [::] (p ++ v) = embed md (size p + (size v).-1) (last (Val 0) v).
Proof.
move=> v0; rewrite /last_act /acts /= /inputs size_cat.
have -> : (size p + size v).-1 = size p + (size v).-1 by case: (size v) v0 => // n _; rewrite addnS.
by rewrite nth_cat ltnNge leq_addr /= addKn nth_last.
Qed.

(** *** The fixing half of the first step.  Vz: the views of z_0's token, which need not be constant after layer 1;
    Vw: the views of w, constant after layer 1. *)
Section StepB.
Variables (N : nat) (ss : seq nat) (Q : {set Tables (N :: ss)}) (x : nat).
Variable F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}.
Variables Vz Vw : seq (seq token).
Variable F1 : layer X.
Hypothesis eq1 : upto 1 ls = [:: F1].

(** What z_0's token knows before layer 1: itself and its position. *)
Definition embedded (v : seq token) : X := embed md (sumn ss + (N + size v).-1) (last (Val 0) v).
(** Before layer 1 that is all, whatever stands above. *)
Lemma embedded_below (u : Tables ss) f v : f \in drawn F -> 0 < size v ->
  last_act (md := md) [::] (above u ++ (f ++ v)) = embedded v.
Proof.
move=> fF v0; have [sf _] := drawnP fF.
rewrite last_act_nil ?size_cat ?addn_gt0 ?v0 ?orbT // size_above sf last_cat.
by case: v v0.
Qed.

(** After layer 1: player 1's tokens and z_0's are blind because what they hear was fixed, w was blind before. *)
Lemma blind_after_first (S : {set Tables ss}) : S \subset extensions Q F -> closed Vz ->
  indistinguishable Q [:: F1] Vw -> consts S (own_questions (md := md) ss F [:: F1]) ->
  consts S [seq heard N ss F1 [::] embedded v | v <- Vz] -> indistinguishable S [:: F1] (new_views F (Vz ++ Vw)).
Proof.
move=> sub clz invw own below; have low := lower_views_blind invw sub.
have invz : indistinguishable S [:: F1] (new_views F Vz).
  apply: (new_views_blind (ls := [::]) (rs := [::]) (c := embedded) clz _ own _ below) => // u f v _ fF vV.
  by apply: embedded_below => //; have [] := clz v vV.
move=> v; rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]]; first by apply: invz; rewrite mem_cat vV.
move: wV; rewrite mem_cat => /orP[wV|wV].
  by apply: invz; rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, w).
by apply: low; apply/allpairsP; exists (f, w).
Qed.

(** Layer 2 and the Rec layers after it: what w hears is fixed for each (w, z_0), what z_0's token hears for each drawn
    table. *)
Lemma blind_after_second (S : {set Tables ss}) F2 rs c : closed (Vz ++ Vw) -> ~~ has (@is_full X) rs ->
  indistinguishable S [:: F1] (new_views F (Vz ++ Vw)) -> consts S (own_questions (md := md) ss F ([:: F1] ++ F2 :: rs)) ->
  (forall (u : Tables ss) f v, u \in S -> f \in drawn F -> v \in Vw -> last_act [:: F1] (above u ++ (f ++ v)) = c v) ->
  consts S [seq heard N ss F2 [:: F1] c v | v <- Vw] ->
  consts S [seq sum_question ss [:: F1] F2 v | v <- lower_views F Vz] ->
  indistinguishable S ([:: F1] ++ F2 :: rs) (new_views F (Vz ++ Vw)).
Proof.
move=> cl nr after own known forw forz; have cl2 := @closed_new_views _ _ F _ cl.
move: own; rewrite /own_questions ask_states_cat ask_sums_cat.
case/consts_cat => /consts_cat[_ /= [d1 d2]] /consts_cat[_ /= /consts_cat[d3 _]].
apply: (@recs_step _ _ _ _ _ (@size_above _) [:: F1; F2]) => //; apply: (@layer_step _ _ _ _ _ (@size_above _) [:: F1]) => // v.
rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]]; first exact: (consts_map d3 vV).
move: wV; rewrite mem_cat => /orP[wV|wV].
  by apply: (consts_map forz); apply/allpairsP; exists (f, w).
by apply: (sum_below fF (c := c)) => [u uS|]; [apply: known | apply: (consts_map forw)].
Qed.

(** What z_0's token hears in layer 2 costs β bits for each drawn table. *)
Lemma lower_sums_cost beta l before : sums l <= 2 ^ beta ->
  \prod_(q <- [seq ask_sum (md := md) (@above ss) (sumn ss) before l v | v <- lower_views F Vz]) #|Ans q| <= 2 ^ (beta * (size Vz * x)).
Proof.
move=> hl; apply: leq_trans (_ : (2 ^ beta) ^ size (lower_views F Vz) <= _).
  by apply: prod_answers => v; rewrite /= card_sum_type.
by rewrite -expnM size_allpairs size_drawn (mulnC x).
Qed.

(** 5.3, first step, fixing: as in Theorem A for two layers, but of z_0's token nothing is known to be constant after
    layer 1, so what it hears from above is fixed in layer 1 (β·x_0) and, for each drawn table, in layer 2
    (β·x_0·x_1); what w hears is fixed in layer 2 (β·W·x_0). *)
Lemma fixing_step_B beta lam :
  all (fun l => sums l <= 2 ^ beta) ls ->
  \prod_(l <- upto 2 ls) states l <= 2 ^ lam ->
  closed Vz -> closed (Vz ++ Vw) -> indistinguishable Q (upto 1 ls) Vw ->
  exists2 Q2 : {set Tables ss}, indistinguishable Q2 (upto 2 ls) (new_views F (Vz ++ Vw))
    & #|extensions Q F| <= #|Q2| * 2 ^ (lam + beta * (2 * (x * N) + size Vw + size Vz + size Vz * x)).
Proof.
move=> hb hl clz cl; rewrite eq1 => inv; have hb2 := all_upto 2 hb.
have hF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite eq1 /= => /andP[].
have own_cost := own_questions_cost ss F hb2 hl (count_upto 2 _).
have z_cost := @heard_cost md N ss beta F1 [::] embedded Vz hF1.
have [same|[F2 [rs [eq nr]]]] := upto_split 1 ls.
  rewrite same eq1 in own_cost *.
  have [S [sub /consts_cat[own below]] le] :=
    fixing (own_questions (md := md) ss F [:: F1] ++ [seq heard N ss F1 [::] embedded v | v <- Vz]) (extensions Q F).
  exists S; first exact: blind_after_first.
  apply: leq_trans le _; rewrite leq_mul2l big_cat /=; apply/orP; right.
  apply: leq_trans (leq_mul own_cost z_cost) _; rewrite -expnD leq_exp2l // -addnA leq_add2l -mulnDr leq_mul2l.
  by apply/orP; right; apply: leq_trans (leq_addr _ _); rewrite leq_add2r leq_addr.
rewrite eq1 in eq; rewrite eq in hb2 own_cost *; have [c known] := known_below F inv.
have hF2 : sums F2 <= 2 ^ beta by move: hb2 => /= /and3P[].
have [S [sub /consts_cat[/consts_cat[own below] /consts_cat[forw forz]]] le] :=
  fixing ((own_questions (md := md) ss F ([:: F1] ++ F2 :: rs) ++ [seq heard N ss F1 [::] embedded v | v <- Vz]) ++
          ([seq heard N ss F2 [:: F1] c v | v <- Vw] ++
           [seq sum_question ss [:: F1] F2 v | v <- lower_views F Vz])) (extensions Q F).
exists S; last first.
  apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right.
  rewrite big_cat; apply: leq_trans (leq_mul _ _) _; [by rewrite big_cat; apply: (leq_mul own_cost z_cost) | |].
    by rewrite big_cat; apply: (leq_mul (heard_cost _ _ _ _ _ hF2) (lower_sums_cost _ hF2)).
  by rewrite -!expnD leq_exp2l // !mulnDr !addnA leq_add2r addnAC.
apply: (blind_after_second cl nr _ own _ forw forz); last by move=> u f v /(subsetP sub); apply: known.
by apply: blind_after_first => //; apply: own_questions_cat own.
Qed.
End StepB.

(** *** The base: only w is blind after layer 1 *)
Definition Vz x0 : seq (seq token) := [seq [:: Val z] | z <- iota 0 x0].
Definition Vw x0 : seq (seq token) := [seq [:: Val z; Query w] | z <- iota 0 x0, w <- all_queries ns0].
(** The views of z_0's token are closed. *)
Lemma closed_Vz x0 : closed (Vz x0).
Proof. by move=> _ /mapP[z hz ->]; split=> //; case=> [|[|]] //= _ _; rewrite map_f. Qed.
(** The views of z_0's token and of w are closed. *)
Lemma closed_Vzw x0 : closed (Vz x0 ++ Vw x0).
Proof.
move=> v; rewrite mem_cat => /orP[/mapP[z hz ->]|/allpairsP[[z w] /= [hz hw ->]]]; split=> //.
  by case=> [|[|]] //= _ _; rewrite mem_cat map_f.
case=> [|[|[|]]] //= _ _; rewrite mem_cat; first by rewrite map_f.
by apply/orP; right; apply/allpairsP; exists (z, w).
Qed.

(** 5.3, the base: fix what each w hears from the tables in layer 1 (β·W) and the state of the heads beside it (Λ_1), ... *)
Section Base.
Variable F1 : layer X.
Notation ss := (sizes m ns0).
Definition heard_by_w : seq (question (Tables ss)) := state_question ss [::] F1
  :: [seq Ask (fun u => partial_sum F1 (acts [::] (above u)) (embed md (sumn ss + 1) (Query w)) (sumn ss) (sumn ss + 1)) | w <- all_queries ns0].
(** ... these many bits; ... *)
Lemma heard_by_w_charge beta lam : sums F1 <= 2 ^ beta -> states F1 <= 2 ^ lam ->
  \prod_(q <- heard_by_w) #|Ans q| <= 2 ^ (beta * queries ns0 + lam).
Proof.
move=> hb hl; rewrite big_cons (addnC (beta * _)) expnD leq_mul //= ?card_state_type // expnM -size_all_queries.
by apply: prod_answers => w; rewrite /= card_sum_type.
Qed.
(** ... then w is blind after layer 1, whatever stands between the tables and it. *)
Lemma w_blind_first (Q : {set Tables ss}) starts ends : consts Q heard_by_w -> closed (starts ++ ends) ->
  (forall v, v \in ends -> exists z w, w \in all_queries ns0 /\ v = [:: Val z; Query w]) -> blind (md := md) (@above _) Q [:: F1] ends.
Proof.
move=> [c1 c2] cl shape v vV; have [z [w [hw E]]] := shape v vV.
apply: (@layer_step1 _ _ _ _ Q (@size_above _) [::] F1 (starts ++ ends) v cl) => //.
- by apply: (blind_nil _ (@size_above _)).
- by rewrite mem_cat vV orbT.
- have -> : ask_sum (md := md) (@above ss) (sumn ss) [::] F1 v = sum_question ss [::] F1 [:: Val z; Query w] by rewrite E.
  have G u : ask (ask_sum (md := md) (@above ss) (sumn ss) [::] F1 [:: Val z; Query w]) u
      = partial_sum F1 (acts [::] (above u)) (embed md (sumn ss + 1) (Query w)) (sumn ss) (sumn ss + 1).
    by rewrite /= last_act_nil // size_above.
  by move=> u u' uQ uQ'; rewrite !G; apply: (consts_map c2).
by rewrite inE.
Qed.
(** So some 𝒬 of density 2^{-(β·W + Λ_1)} has w blind after layer 1. *)
Lemma base_B x0 beta lam : sums F1 <= 2 ^ beta -> states F1 <= 2 ^ lam ->
  exists2 Q : {set Tables ss}, blind (md := md) (@above _) Q [:: F1] (Vw x0) & #|Tables ss| <= #|Q| * 2 ^ (beta * queries ns0 + lam).
Proof.
move=> hb hl; have [Q [_ c] le] := fixing heard_by_w [set: Tables ss]; exists Q.
  by apply: (w_blind_first c (@closed_Vzw x0)) => v /allpairsP[[z w] /= [_ hw E]]; exists z, w.
by rewrite cardsT in le; apply: leq_trans le _; rewrite leq_mul2l heard_by_w_charge ?orbT.
Qed.
End Base.
End B.

(** The places 0..x_0−1 of table 1 are asked. *)
Lemma asked_B m ns x0 : x0 <= m -> forall a, a \in iota 0 x0 -> asked m ns (Vz x0 ++ Vw ns x0) m ns a.
Proof.
move=> hx a ha; have am : a < m by move: ha; rewrite mem_iota add0n /= => h; apply: leq_trans h hx.
exists a, [::], [::], [::]; split=> //; move=> wr /mem_all_queries hw; rewrite mem_cat; apply/orP; right.
by apply/allpairsP; exists (a, wr).
Qed.

(** 5.3, level 1 and its fixing: 𝒬 of density 2^{-D_1} in which w is blind after layer 1, such that for every draw of
    x_1 tables fixing makes all views blind after layer 2. A model without layers is blind anyway. *)
Lemma first_level_B beta Lam m n1 ns x0 x1 (md : model) : message_bits md beta -> state_bits md Lam -> no_early_rec md ->
  x0 <= m -> let W := queries (n1 :: ns) in
  exists2 Q : {set Tables (sizes m (n1 :: ns))}, #|Tables (sizes m (n1 :: ns))| <= #|Q| * 2 ^ (beta * W + Lam 1) &
  forall F : {ffun 'I_x1 -> {ffun 'I_m -> 'I_m}},
  exists2 Q2 : {set Tables (sizes (m * n1) ns)},
    indistinguishable Q2 (upto 2 (layers md)) (new_views F (Vz x0 ++ Vw (n1 :: ns) x0))
    & #|@extensions (Tables (sizes (m * n1) ns)) _ Q x1 F|
      <= #|Q2| * 2 ^ (Lam 2 + beta * (2 * x1 * m + W * x0 + x0 + x0 * x1)).
Proof.
move=> hb hl hR hx W; have cl : closed (Vz x0 ++ Vw (n1 :: ns) x0) by apply: closed_Vzw.
case: (posnP (size (layers md))) => [/size0nil l0|].
  exists setT => [|F]; first by rewrite cardsT leq_pmulr // expn_gt0.
  exists (@extensions (Tables (sizes (m * n1) ns)) _ setT x1 F); last by rewrite leq_pmulr // expn_gt0.
  by rewrite l0 /=; apply: (blind_nil _ (@size_above _)); apply: closed_new_views.
case E : (layers md) => [|F1 ls'] // _.
have eq1 : upto 1 (layers md) = [:: F1] by rewrite E; apply: upto1_F; rewrite -E.
have hbF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite eq1 /= => /andP[].
have hlF1 : states F1 <= 2 ^ Lam 1 by have := hl 1; rewrite eq1 big_seq1.
have [Q invw dens] := @base_B md m (n1 :: ns) F1 x0 beta (Lam 1) hbF1 hlF1.
exists Q => // F; rewrite -eq1 in invw.
have [Q2 inv2 le2] := fixing_step_B (Q := Q) F eq1 hb (hl 2) (@closed_Vz x0) cl invw.
exists Q2; first by rewrite -E.
by move: le2; rewrite size_map size_allpairs size_iota size_all_queries -/W (mulnA 2) (mulnC x0 W).
Qed.

(** Theorem B, L ≥ 2. *)
Theorem theoremB beta Lam m ns x0 x1 th1 cs (md : model) :
  message_bits md beta -> state_bits md Lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardB beta Lam m ns x0 x1 th1 cs -> ~ solves m ns md.
Proof.
case: ns => [|n1 ns] // hb hl hF hR /and4P[hx hth hE hlev].
apply: (@levels_sound md m (n1 :: ns) beta Lam ns cs 2 _ _ _ _ hb hl hF hlev).
have ltI a : a \in iota 0 x0 -> a < m by rewrite mem_iota add0n /= => ha; apply: leq_trans ha hx.
have sV : size (Vz x0 ++ Vw (n1 :: ns) x0) <= (queries (n1 :: ns)).+1 * x0.
  by rewrite size_cat size_map size_allpairs size_iota size_all_queries mulSn mulnC.
have [Q dens hfix] := first_level_B n1 ns x1 hb hl hR hx.
have [F good le] := averaging_and_cover hth hE dens (iota_uniq 0 x0) (size_iota 0 x0) ltI.
have [Q2 inv2 le2] := hfix F.
apply: (level_of_fixed sV (@closed_Vzw _ x0) ltI (asked_B (n1 :: ns) hx) le good inv2 le2).
by rewrite (addnC 1) addnA.
Qed.

(** L = 1, one Full layer: after the base w is blind, and all m places are asked. *)
Lemma theoremB_one_layer beta lam m (md : model) l : layers md = [:: l] -> sums l <= 2 ^ beta -> states l <= 2 ^ lam ->
  2 ^ (beta + lam) < m ^ m -> ~ solves m [::] md.
Proof.
move=> hls hb hl hlt; have [Q inv dens] := @base_B md m [::] l m beta lam hb hl.
apply: (@end_for_output md m [::] (beta + lam) m m Q (Vw [::] m) (iota 0 m) hlt); rewrite ?iota_uniq ?size_iota ?hls //.
- by move: dens; rewrite muln1.
- by move=> a; rewrite mem_iota.
move=> a ha; exists a, [::], [::], [::]; split=> //; first by split=> //; move: ha; rewrite mem_iota.
by move=> [|? ?] // _; apply/allpairsP; exists (a, [::]).
Qed.

(** Theorem B, L = 1. *)
Theorem theoremB_one beta Lam m (md : model) :
  message_bits md beta -> state_bits md Lam -> number_full md <= 1 -> no_early_rec md -> 2 ^ (beta + Lam 1) < m ^ m ->
  ~ solves m [::] md.
Proof.
move=> hb hl hF hR hlt; have := hl 1; rewrite upto_all //; move: hb hR; rewrite /message_bits /no_early_rec upto_all //.
case E : (layers md) => [|l ls] hb hR hst.
  apply: (@theoremC 0 m [::] md); rewrite ?/number_full ?E ?big_nil //=.
  by apply: leq_ltn_trans hlt; rewrite expn_gt0.
have El : layers md = [:: l].
  move: hF hR; rewrite /number_full E /= => hF /andP[lF h]; move: hF; rewrite lF.
  by case: (ls) h => //= l' ls' /andP[-> _].
move: hb hst hR; rewrite -E El /= big_seq1 !andbT => hb hst lF.
exact: (theoremB_one_layer El hb hst).
Qed.
