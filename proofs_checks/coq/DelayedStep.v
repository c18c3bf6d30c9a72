(** One step of Theorem A_L (theory 5.8): only w is blind through layer ℓ, the tables' tokens through ℓ−1 (D); the state of
    block ℓ is charged where w gets it (S). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts Splits.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Known.
Variable md : model.
Variables (Om : finType) (pre : Om -> seq token) (P : nat) (S : {set Om}).
Hypothesis size_pre : forall u, size (pre u) = P.

(** Tokens of a closed set of views are known at every position. *)
Lemma known_at ls V v u u' j : closed V -> blind (md := md) pre S ls V -> v \in V -> u \in S -> u' \in S ->
  P <= j < P + size v -> acts ls (pre u ++ v) j = acts ls (pre u' ++ v) j.
Proof.
move=> cl inv vV uS uS' /andP[Pj jv]; have [_ clv] := cl v vV; pose k := (j - P).+1.
have kv : k <= size v by rewrite /k ltn_subLR.
have E (w : Om) : acts ls (pre w ++ v) j = last_act (md := md) ls (pre w ++ take k v).
  rewrite /last_act size_cat size_pre size_takel // /k addnS /= subnKC //.
  rewrite -[in LHS](cat_take_drop k v) catA acts_prefix // size_cat size_pre size_takel // /k addnS ltnS subnKC //.
by rewrite !E; apply: inv => //; apply: clv.
Qed.
(** Questions about states are constant where the states are the same. *)
Lemma states_const ls rs : (forall u u', u \in S -> u' \in S -> same_states (md := md) (pre u) (pre u') P ls rs) ->
  consts S (ask_states pre P ls rs).
Proof.
elim: rs ls => //= l rs IH ls h; split; first by move=> u u' uS uS'; have [] := h u u' uS uS'.
by apply: IH => u u' uS uS'; have [] := h u u' uS uS'.
Qed.
(** A Full layer and Rec layers behind it: what a token q behind a view b knows, if it knew c0 before, the states behind b and what it
    hears from above are constant. *)
Lemma known_behind ls F B V b q c0 u u' : ~~ has (@is_full _) B -> closed V -> blind (md := md) pre S ls V -> b \in V ->
  u \in S -> u' \in S -> (forall t, t \in S -> last_act ls (pre t ++ rcons b q) = c0) ->
  consts S (states_asked (fun t => pre t ++ b) (P + size b) ls (F :: B)) ->
  partial_sum F (acts ls (pre u)) c0 P (P + size b) = partial_sum F (acts ls (pre u')) c0 P (P + size b) ->
  last_act (ls ++ F :: B) (pre u ++ rcons b q) = last_act (ls ++ F :: B) (pre u' ++ rcons b q).
Proof.
move=> nB cl inv bV uS uS' own st heard.
have E t : pre t ++ rcons b q = (pre t ++ b) ++ [:: q] by rewrite -cats1 catA.
have Sb t : size (pre t ++ b) = P + size b by rewrite size_cat size_pre.
have pos t : (size (pre t ++ rcons b q)).-1 = P + size b by rewrite E size_cat Sb addn1.
have at_q t : t \in S -> acts ls (pre t ++ rcons b q) (P + size b) = c0 by move=> tS; rewrite -(pos t); apply: own.
rewrite /last_act !pos.
have [s1 s2] : same_states (pre u ++ rcons b q) (pre u' ++ rcons b q) (P + size b) ls (F :: B).
  by rewrite !E; apply/same_states_prefix; rewrite ?Sb //; apply: (states_fixed st uS uS').
rewrite -cat_rcons; apply: recs_at => //; apply: layer_at => //; first by rewrite !at_q.
rewrite at_q //; apply: (@sum_from _ _ _ _ _ P); first exact: leq_addr.
  by rewrite !(sum_prefix _ _ _ (p := pre _)) ?size_pre.
move=> j hj; have cut t : acts ls (pre t ++ rcons b q) j = acts ls (pre t ++ b) j.
  by rewrite E acts_prefix // Sb; case/andP: hj.
by rewrite !cut; apply: (known_at cl inv bV uS uS' hj).
Qed.
End Known.

Section Step.
Variables (md : model) (U Big : finType) (pre : U -> seq token) (whole : Big -> seq token) (P M x e : nat).
Notation L k := (upto k (layers md)).
(** In front: pre u, P tokens, for u in S; then the tokens of player ℓ, one of the x draws fs of M tokens each. *)
Variables (R : {set Big}) (S : {set U}) (fs : seq (seq token)).
Hypotheses (size_pre : forall u, size (pre u) = P) (size_fs : forall f, f \in fs -> size f = M) (xE : size fs = x).
Hypothesis inR : forall u f, u \in S -> f \in fs -> exists2 t, t \in R & whole t = pre u ++ f.
Variables (B0 Bm B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypotheses (E1 : L e.+1 = L e ++ F1 :: B1) (E2 : L e.+2 = L e.+1 ++ F2 :: B2) (E0 : L e.+1 = B0 ++ Bm).
Hypothesis box0 : forall u u' : U, u \in S -> u' \in S -> same_states (md := md) (pre u) (pre u') P [::] B0.
(** Vt: views of the tokens of tables below and of z_0, with Ls: one of each kind; Bd: the views of z_0; Vw: those of w. *)
Variables (Vt Ls Bd Vw : seq (seq token)).
Hypothesis clt : closed Vt.
Hypothesis kinds : forall v, v \in Vt -> exists2 r, r \in Ls & size r = size v /\
  forall t t', t \in R -> t' \in R -> last_act (L e) (whole t ++ v) = last_act (L e) (whole t' ++ r).
Hypothesis vw : blind whole R (L e.+1) Vw.
Hypothesis bodies : forall v, v \in Vw -> exists v' q, v = rcons v' q /\ v' \in Bd.
Hypothesis Bt : {subset Bd <= Vt}.

(** What is fixed: the states of blocks 1..ℓ−1 into player ℓ, the sums of layers 1..ℓ−1 into its draws, of layer ℓ−1 into
    the players below, of layer ℓ into w, and the state of block ℓ into w for every choice of copies. What a token below knew
    before is read behind any t0 of R. *)
Definition knew1 (t0 : Big) r := last_act (L e) (whole t0 ++ r).
Definition knew2 (t0 : Big) v := last_act (L e.+1) (whole t0 ++ v).
Definition step_questions (t0 : Big) : seq (question U) := ask_states pre P B0 Bm ++
  (flatten [seq states_asked (fun u => pre u ++ b) (P + size b) (L e.+1) (F2 :: B2) | b <- lower_of fs Bd] ++
  (ask_sums pre P (own_of M fs) [::] (L e.+1) ++
  ([seq Ask (fun u => partial_sum F1 (acts (L e) (pre u)) (knew1 t0 r) P (P + (M + size r).-1)) | r <- Ls] ++
   [seq Ask (fun u => partial_sum F2 (acts (L e.+1) (pre u)) (knew2 t0 v) P (P + (M + size v).-1)) | v <- Vw]))).
(** What a step fixes has so many answers at most. *)
Lemma step_charge t0 beta lamM lam2 bits : message_bits md beta ->
  \prod_(l <- Bm) states l <= 2 ^ lamM -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 ->
  lamM + x * size Bd * lam2 + beta * (e.+1 * (x * M) + size Ls + size Vw) <= bits ->
  \prod_(q <- step_questions t0) #|Ans q| <= 2 ^ bits.
Proof.
move=> hb hM h2 hc; have hb1 : all (fun l => sums l <= 2 ^ beta) (L e.+1) by apply: all_upto.
have hF1 : sums F1 <= 2 ^ beta by move: hb1; rewrite E1 all_cat /= => /and3P[].
have hF2 : sums F2 <= 2 ^ beta by have := all_upto e.+2 hb; rewrite E2 all_cat /= => /and3P[].
apply: leq_trans (_ : 2 ^ (lamM + (size (lower_of fs Bd) * lam2 + (beta * (e.+1 * (x * M)) + (beta * size Ls + beta * size Vw)))) <= _).
  apply: charge_cat; first by rewrite prod_ask_states.
  apply: charge_cat; first by apply: charge_lists => b; rewrite states_charge.
  apply: charge_cat; last by apply: charge_cat; apply: charge_each => v; rewrite /= card_sum_type.
  apply: leq_trans (prod_ask_sums _ _ _ _ hb1) _.
  by rewrite leq_exp2l // leq_mul2l size_own_of xE leq_mul2r count_upto !orbT.
by rewrite leq_exp2l //; move: hc; rewrite size_allpairs xE !mulnDr !addnA.
Qed.
(** A step splits the tables above into classes in which all views are blind one layer on. *)
Lemma delayed_split beta lamM lam2 bits : message_bits md beta ->
  \prod_(l <- Bm) states l <= 2 ^ lamM -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < x ->
  lamM + x * size Bd * lam2 + beta * (e.+1 * (x * M) + size Ls + size Vw) <= bits -> splits S bits (fun S2 =>
  [/\ S2 \subset S, blind pre S2 (L e.+1) (new_of M fs Vt) & blind pre S2 (L e.+2) (lower_of fs Vw)]).
Proof.
move=> hb hM h2 x0 hc.
case: (set_0Vmem S) => [S0|[u0 u0S]].
  apply: (@split_by _ S [::]) => [|S2 sub _]; first by rewrite big_nil expn_gt0.
  by split=> // v _ u u' /(subsetP sub); rewrite S0 inE.
have [f0 f0F] : exists f, f \in fs by case: (fs) xE x0 => [<-//|f s] _ _; exists f; rewrite mem_head.
have [t0 t0R _] := inR u0S f0F.
have lowR (u : U) f v : u \in S -> f \in fs -> exists2 t, t \in R & pre u ++ (f ++ v) = whole t ++ v.
  by move=> uS fF; have [t tR E] := inR uS fF; exists t; rewrite // E catA.
pose c := knew1 t0; pose c' := knew2 t0.
have cE (u : U) f v r : u \in S -> f \in fs -> (forall t t', t \in R -> t' \in R ->
    last_act (L e) (whole t ++ v) = last_act (L e) (whole t' ++ r)) -> last_act (L e) (pre u ++ (f ++ v)) = c r.
  by move=> uS fF h; have [t tR ->] := lowR u f v uS fF; apply: h.
have c'E (u : U) f v : u \in S -> f \in fs -> v \in Vw -> last_act (L e.+1) (pre u ++ (f ++ v)) = c' v.
  by move=> uS fF vV; have [t tR ->] := lowR u f v uS fF; apply: vw.
apply: (split_by (step_charge t0 hb hM h2 hc)) => S2 sub /consts_cat[cM /consts_cat[cd /consts_cat[co /consts_cat[cq cw]]]].
have inS u : u \in S2 -> u \in S := fun h => subsetP sub _ h.
have clo : closed (own_of M fs) by apply: closed_own_of.
have cln : closed (new_of M fs Vt) by apply: closed_new_of.
have cst : consts S2 (ask_states pre P [::] (L e.+1)).
  rewrite E0 ask_states_cat; apply/consts_cat; split=> //; apply: states_const => u u' h h'.
  by apply: box0; apply: inS.
have own1 : blind pre S2 (L e.+1) (own_of M fs).
  by apply: (layers_step size_pre (ls := [::])) => //; apply: (blind_nil _ size_pre).
have stE : consts S2 (ask_states pre P [::] (L e)) /\ consts S2 (ask_states pre P (L e) (F1 :: B1)).
  by move: cst; rewrite E1 ask_states_cat => /consts_cat.
have suE : consts S2 (ask_sums pre P (own_of M fs) [::] (L e)) /\ consts S2 (ask_sums pre P (own_of M fs) (L e) (F1 :: B1)).
  by move: co; rewrite E1 ask_sums_cat => /consts_cat.
have own0 : blind pre S2 (L e) (own_of M fs).
  by apply: (layers_step size_pre (ls := [::])); [| apply: (blind_nil _ size_pre) | case: stE | case: suE].
have low0 : blind pre S2 (L e) (lower_of fs Vt).
  move=> v /allpairsP[[f w] /= [fF wV ->]] u u' h h'; have [r _ [_ hr]] := kinds wV.
  by rewrite (cE u f w r) ?(cE u' f w r) //; apply: inS.
have new1 : blind pre S2 (L e.+1) (new_of M fs Vt).
  have [_ [d1 d2]] := stE; have [_ /= /consts_cat[d3 _]] := suE.
  rewrite E1 -cat_rcons; apply: (recs_step size_pre) => //; apply: (layer_step size_pre) => //; first by apply/blind_cat.
  move=> v; rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]]; first exact: (consts_map d3).
  have [r rL [sr hr]] := kinds wV; move=> u u' h h'.
  have := consts_map cq rL h h'; rewrite /= (cE u f w r) ?(cE u' f w r) //; try exact: inS.
  by have sf := size_fs fF; rewrite size_cat sf sr.
split=> // v /allpairsP[[f w] /= [fF wV ->]] u u' h h'.
have [b [q [Ew bB]]] := bodies wV; have sf := size_fs fF.
have bV : f ++ b \in new_of M fs Vt by rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, b); split=> //; apply: Bt.
have Ef : f ++ w = rcons (f ++ b) q by rewrite Ew rcons_cat.
rewrite E2 Ef; apply: (known_behind size_pre nB2 cln new1 bV h h' (c0 := c' w)).
- by move=> t tS; rewrite -Ef; apply: c'E => //; apply: inS.
- by apply: (consts_flatten cd); apply/allpairsP; exists (f, b).
by have := consts_map cw wV h h'; rewrite /= Ew size_rcons addnS /= size_cat sf.
Qed.
(** ... with the largest class. *)
Lemma delayed_step beta lamM lam2 : message_bits md beta ->
  \prod_(l <- Bm) states l <= 2 ^ lamM -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < x ->
  exists2 S2 : {set U}, #|S| <= #|S2| * 2 ^ (lamM + x * size Bd * lam2 + beta * (e.+1 * (x * M) + size Ls + size Vw))
    & [/\ S2 \subset S, blind pre S2 (L e.+1) (new_of M fs Vt) & blind pre S2 (L e.+2) (lower_of fs Vw)].
Proof. by move=> hb hM h2 x0; apply: largest_class; apply: delayed_split hb hM h2 x0 _. Qed.
End Step.
