(** One step of Theorem A_L (theory 5.8): only w is blind through layer ℓ, the tables' tokens through ℓ−1 (D); the state of
    block ℓ is charged where w gets it (S). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Known.
Variable md : model.
Variables (ss : seq nat) (S : {set Tables ss}).
Notation P := (sumn ss).

(** Tokens of a closed set of views are known at every position. *)
Lemma known_at ls V v u u' j : closed V -> indistinguishable (md := md) S ls V -> v \in V -> u \in S -> u' \in S ->
  P <= j < P + size v -> acts ls (above u ++ v) j = acts ls (above u' ++ v) j.
Proof.
move=> cl inv vV uS uS' /andP[Pj jv]; have [_ clv] := cl v vV; pose k := (j - P).+1.
have kv : k <= size v by rewrite /k ltn_subLR.
have E (w : Tables ss) : acts ls (above w ++ v) j = last_act (md := md) ls (above w ++ take k v).
  rewrite /last_act size_cat size_above size_takel // /k addnS /= subnKC //.
  rewrite -[in LHS](cat_take_drop k v) catA acts_prefix // size_cat size_above size_takel // /k addnS ltnS subnKC //.
by rewrite !E; apply: inv => //; apply: clv.
Qed.
(** Questions about states are constant where the states are the same. *)
Lemma states_const ls rs : (forall u u', u \in S -> u' \in S -> same_states (md := md) (above u) (above u') P ls rs) ->
  consts S (state_questions ss ls rs).
Proof.
elim: rs ls => //= l rs IH ls h; split; first by move=> u u' uS uS'; have [] := h u u' uS uS'.
by apply: IH => u u' uS uS'; have [] := h u u' uS uS'.
Qed.
End Known.

Section Step.
Variables (md : model) (N x e : nat) (ss : seq nat).
Notation U := (Tables ss).
Notation P := (sumn ss).
Notation L k := (upto k (layers md)).
Variables (R : {set Tables (N :: ss)}) (S : {set U}) (F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}).
Hypothesis inR : forall (u : U) a, u \in S -> ((u, F a) : Tables (N :: ss)) \in R.
Variables (B0 M B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypotheses (E1 : L e.+1 = L e ++ F1 :: B1) (E2 : L e.+2 = L e.+1 ++ F2 :: B2) (E0 : L e.+1 = B0 ++ M).
Hypothesis box0 : forall u u' : U, u \in S -> u' \in S -> same_states (md := md) (above u) (above u') P [::] B0.
(** Vt: views of the tokens of tables below and of z_0, with Ls: one of each kind; Bd: the views of z_0; Vw: those of w. *)
Variables (Vt Ls Bd Vw : seq (seq token)).
Hypothesis clt : closed Vt.
Hypothesis kinds : forall v, v \in Vt -> exists2 r, r \in Ls & size r = size v /\
  forall t t', t \in R -> t' \in R -> last_act (L e) (above t ++ v) = last_act (L e) (above t' ++ r).
Hypothesis vw : indistinguishable R (L e.+1) Vw.
Hypothesis bodies : forall v, v \in Vw -> exists v' q, v = rcons v' q /\ v' \in Bd.
Hypothesis Bt : {subset Bd <= Vt}.

(** The step: fix the states of blocks 1..ℓ−1 into player ℓ, the sums of layers 1..ℓ−1 into its draws, of layer ℓ−1 into
    the players below, of layer ℓ into w, and the state of block ℓ into w for every choice of copies. *)
Lemma delayed_step beta lamM lam2 : message_bits md beta ->
  \prod_(l <- M) states l <= 2 ^ lamM -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < x ->
  exists2 S2 : {set U}, #|S| <= #|S2| * 2 ^ (lamM + x * size Bd * lam2 + beta * (e.+1 * (x * N) + size Ls + size Vw))
    & [/\ S2 \subset S, indistinguishable S2 (L e.+1) (new_views F Vt) & indistinguishable S2 (L e.+2) (lower_views F Vw)].
Proof.
move=> hb hM h2 x0.
have hb1 : all (fun l => sums l <= 2 ^ beta) (L e.+1) by apply: all_upto.
have hb2 : all (fun l => sums l <= 2 ^ beta) (L e.+2) by apply: all_upto.
have hF1 : sums F1 <= 2 ^ beta by move: hb1; rewrite E1 all_cat /= => /and3P[].
have hF2 : sums F2 <= 2 ^ beta by move: hb2; rewrite E2 all_cat /= => /and3P[].
case: (set_0Vmem S) => [S0|[u0 u0S]].
  exists S; first by rewrite leq_pmulr // expn_gt0.
  by split=> // v _ u u'; rewrite S0 inE.
pose t0 : Tables (N :: ss) := (u0, F (Ordinal x0)).
have t0R : t0 \in R by apply: inR.
have lowR (u : U) f v : u \in S -> f \in drawn F -> exists2 t : Tables (N :: ss), t \in R & above u ++ (f ++ v) = above t ++ v.
  by move=> uS fF; have [_ [a ->]] := drawnP fF; exists (u, F a); [apply: inR | rewrite above_cons catA].
pose c r := last_act (L e) (above t0 ++ r).
pose c' v := last_act (L e.+1) (above t0 ++ v).
have cE (u : U) f v r : u \in S -> f \in drawn F -> (forall t t', t \in R -> t' \in R ->
    last_act (L e) (above t ++ v) = last_act (L e) (above t' ++ r)) -> last_act (L e) (above u ++ (f ++ v)) = c r.
  by move=> uS fF h; have [t tR ->] := lowR u f v uS fF; apply: h.
have c'E (u : U) f v : u \in S -> f \in drawn F -> v \in Vw -> last_act (L e.+1) (above u ++ (f ++ v)) = c' v.
  by move=> uS fF vV; have [t tR ->] := lowR u f v uS fF; apply: vw.
(* the questions *)
pose lq r : question U := Ask (fun u => partial_sum F1 (acts (L e) (above u)) (c r) P (P + (N + size r).-1)).
pose lw v : question U := Ask (fun u => partial_sum F2 (acts (L e.+1) (above u)) (c' v) P (P + (N + size v).-1)).
pose ld b : seq (question U) := states_asked (fun u => above u ++ b) (P + size b) (L e.+1) (F2 :: B2).
have [S2 [sub /consts_cat[cM /consts_cat[cd /consts_cat[co /consts_cat[cq cw]]]]] dens] : exists2 S2 : {set U},
    S2 \subset S /\ consts S2 (state_questions ss B0 M ++ (flatten [seq ld b | b <- lower_views F Bd] ++
      (sum_questions ss (own_views F) [::] (L e.+1) ++ ([seq lq r | r <- Ls] ++ [seq lw v | v <- Vw]))))
    & #|S| <= #|S2| * 2 ^ (0 + (lamM + (size (lower_views F Bd) * lam2 + (beta * (e.+1 * (x * N)) + (beta * size Ls + beta * size Vw))))).
  apply: fixing_bits; first by rewrite muln1.
  apply: charge_cat; first by rewrite prod_state_questions.
  apply: charge_cat; first by apply: charge_lists => b; rewrite states_charge.
  apply: charge_cat; last by apply: charge_cat; apply: charge_each => v; rewrite /= card_sum_type.
  apply: leq_trans (prod_sum_questions _ _ _ hb1) _.
  by rewrite leq_exp2l // leq_mul2l size_own_views leq_mul2r count_upto !orbT.
exists S2.
  by move: dens; rewrite size_allpairs size_drawn add0n !mulnDr !addnA.
have inS u : u \in S2 -> u \in S := fun h => subsetP sub _ h.
have clo : closed (own_views F) := @closed_own_views _ _ F.
have cln : closed (new_views F Vt) by apply: closed_new_views.
have cst : consts S2 (state_questions ss [::] (L e.+1)).
  rewrite E0 state_questions_cat; apply/consts_cat; split=> //; apply: states_const => u u' h h'.
  by apply: box0; apply: inS.
have own1 : indistinguishable S2 (L e.+1) (own_views F).
  by apply: (@layers_step _ _ _ [::]) => //; apply: indistinguishable_nil.
have stE : consts S2 (state_questions ss [::] (L e)) /\ consts S2 (state_questions ss (L e) (F1 :: B1)).
  by move: cst; rewrite E1 state_questions_cat => /consts_cat.
have suE : consts S2 (sum_questions ss (own_views F) [::] (L e)) /\ consts S2 (sum_questions ss (own_views F) (L e) (F1 :: B1)).
  by move: co; rewrite E1 sum_questions_cat => /consts_cat.
have own0 : indistinguishable S2 (L e) (own_views F).
  by apply: (@layers_step _ _ _ [::]); [| apply: indistinguishable_nil | case: stE | case: suE].
have low0 : indistinguishable S2 (L e) (lower_views F Vt).
  move=> v /allpairsP[[f w] /= [fF wV ->]] u u' h h'; have [r _ [_ hr]] := kinds wV.
  by rewrite (cE u f w r) ?(cE u' f w r) //; apply: inS.
have new1 : indistinguishable S2 (L e.+1) (new_views F Vt).
  have [_ [d1 d2]] := stE; have [_ /= /consts_cat[d3 _]] := suE.
  rewrite E1 -cat_rcons; apply: recs_step => //; apply: layer_step => //; first by apply/indistinguishable_cat.
  move=> v; rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]]; first exact: (consts_map d3).
  have [r rL [sr hr]] := kinds wV; move=> u u' h h'.
  have := consts_map cq rL h h'; rewrite /= (cE u f w r) ?(cE u' f w r) //; try exact: inS.
  by have [sf _] := drawnP fF; rewrite size_cat sf sr.
split=> // v /allpairsP[[f w] /= [fF wV ->]] u u' h h'.
have [b [q [Ew bB]]] := bodies wV; have [sf _] := drawnP fF.
have bV : f ++ b \in new_views F Vt by rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, b); split=> //; apply: Bt.
have Ev (t : U) : above t ++ (f ++ w) = (above t ++ (f ++ b)) ++ [:: q] by rewrite Ew -cats1 -!catA.
have Sb (t : U) : size (above t ++ (f ++ b)) = P + size (f ++ b) by rewrite size_cat size_above.
have pos (t : U) : (size (above t ++ (f ++ w))).-1 = P + size (f ++ b) by rewrite Ev size_cat Sb addn1.
have own w1 : w1 \in S2 -> acts (L e.+1) (above w1 ++ (f ++ w)) (P + size (f ++ b)) = c' w.
  by move=> h1; rewrite -(pos w1) -[LHS]/(last_act _ _); apply: c'E => //; apply: inS.
rewrite /last_act !pos E2.
have [s1 s2] : same_states (above u ++ (f ++ w)) (above u' ++ (f ++ w)) (P + size (f ++ b)) (L e.+1) (F2 :: B2).
  rewrite !Ev; apply/same_states_prefix; rewrite ?Sb //.
  by apply: (states_fixed (consts_flatten cd _) h h'); apply/allpairsP; exists (f, b).
rewrite -cat_rcons; apply: recs_at => //; apply: layer_at => //; first by rewrite !own.
rewrite own //; apply: (@sum_from _ _ _ _ _ P); first exact: leq_addr.
  rewrite !(sum_prefix _ _ _ (p := above _)) ?size_above //.
  have := consts_map cw wV h h'; rewrite /= Ew size_rcons addnS /= size_cat sf //.
move=> j hj.
have cut (t : U) : acts (L e.+1) (above t ++ (f ++ w)) j = acts (L e.+1) (above t ++ (f ++ b)) j.
  by rewrite Ev acts_prefix // Sb; case/andP: hj.
rewrite !cut; exact: (known_at cln new1 bV h h' hj).
Qed.
End Step.
