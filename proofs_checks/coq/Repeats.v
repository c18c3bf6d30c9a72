(** Counts that are read off entry by entry (theory 5.7, E): how many of some places are hit, each by at most s of N values when the
    others are known; and how many places have a value that another place had before. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Hits *)
Section Hits.
(** X: all that is drawn; entry k of it is uniform: it can be replaced. *)
Variables (X Y : finType) (Key : eqType) (get : Key -> X -> Y) (set : Key -> X -> Y -> X).
Hypothesis get_set : forall k z y, get k (set k z y) = y.
Hypothesis set_set : forall k z y, set k (set k z y) (get k z) = z.
(** Places, their entries, and whether a place is hit; those behind it in the list are known. *)
Variables (E : Type) (key : E -> Key) (hit : X -> E -> seq E -> bool) (s : nat -> nat).
Hypothesis hit_set : forall z k y e es, k \notin [seq key e | e <- e :: es] -> hit (set k z y) e es = hit z e es.
Hypothesis hit_few : forall z e es, uniq [seq key e | e <- e :: es] -> \sum_y (hit (set (key e) z y) e es : nat) <= s (size es).

Fixpoint hits (z : X) (es : seq E) : nat := if es is e :: es' then hit z e es' + hits z es' else 0.
(** No more places hit than there are. *)
Lemma hits_le z es : hits z es <= size es.
Proof. by elim: es => //= e es IH; rewrite -add1n leq_add // leq_b1. Qed.
(** What is not looked at does not matter. *)
Lemma hits_set k z y es : k \notin [seq key e | e <- es] -> hits (set k z y) es = hits z es.
Proof.
elim: es => //= e es IH h; rewrite hit_set // IH //.
by move: h; rewrite inE negb_or => /andP[].
Qed.
(** Replacing one entry moves all around. *)
Lemma replaced k (g : X -> nat) : \sum_z \sum_y g (set k z y) = #|Y| * \sum_z g z.
Proof.
pose swap (p : X * Y) := (set k p.1 p.2, get k p.1).
have swapK : involutive swap by move=> [z y]; rewrite /swap /= get_set set_set.
rewrite pair_big /= (reindex_inj (inv_inj swapK)) /=.
rewrite -(pair_big xpredT xpredT (fun z y => g (set k (set k z y) (get k z)))) /= mulnC big_distrl /=; apply: eq_bigr => z _.
under eq_bigr do rewrite set_set; by rewrite sum_nat_const mulnC.
Qed.

Variables (u v : nat).
Hypothesis vu : v <= u.
Definition tilted_hits z es : nat := u ^ hits z es * v ^ (size es - hits z es).
(** The first place of a list is hit or not. *)
Lemma tilted_hits_cons z e es : tilted_hits z (e :: es) = (if hit z e es then u else v) * tilted_hits z es.
Proof.
rewrite /tilted_hits /=; case: (hit z e es); first by rewrite add1n expnS subSS mulnA.
by rewrite add0n subSn ?hits_le // expnS mulnCA.
Qed.
(** The sum over all that is drawn. *)
Lemma hits_moment es : uniq [seq key e | e <- es] ->
  (\sum_z tilted_hits z es) * #|Y| ^ size es <= #|X| * \prod_(j < size es) (#|Y| * v + s j * (u - v)).
Proof.
elim: es => [|e es IH] /=.
  by move=> _; rewrite big_ord0 expn0 !muln1; under eq_bigr do rewrite /tilted_hits /= !expn0 muln1; rewrite sum1_card.
move=> /[dup] un /andP[ne ues]; rewrite big_ord_recr /= expnS mulnA.
apply: leq_trans (_ : (\sum_z tilted_hits z es) * (#|Y| * v + s (size es) * (u - v)) * #|Y| ^ size es <= _); last first.
  by rewrite mulnAC mulnA leq_mul2r IH ?orbT.
rewrite leq_mul2r; apply/orP; right; rewrite [X in X <= _]mulnC -(replaced (key e)) big_distrl /=; apply: leq_sum => z _.
under eq_bigr do rewrite tilted_hits_cons.
have same y : tilted_hits (set (key e) z y) es = tilted_hits z es by rewrite /tilted_hits hits_set.
under eq_bigr do rewrite same mulnC.
rewrite -big_distrr leq_mul2l /=; apply/orP; right.
apply: leq_trans (_ : \sum_y (v + (hit (set (key e) z y) e es) * (u - v)) <= _).
  by apply: leq_sum => y _; case: (hit _ _ _); rewrite ?mul1n ?subnKC ?mul0n ?addn0.
by rewrite big_split /= sum_nat_const -big_distrl leq_add2l leq_mul2r hit_few ?orbT.
Qed.
(** ... for a longer list of places too: those that are not there are not hit. *)
Lemma hits_moment_padded es t : uniq [seq key e | e <- es] -> size es <= t ->
  (\sum_z u ^ hits z es * v ^ (t - hits z es)) * #|Y| ^ t <= #|X| * \prod_(j < t) (#|Y| * v + s j * (u - v)).
Proof.
move=> ues; elim: t => [|t IH]; first by rewrite leqn0 => /eqP/size0nil ->; apply: (@hits_moment [::]).
rewrite leq_eqVlt => /orP[/eqP <-|]; first exact: hits_moment.
rewrite ltnS => le; rewrite big_ord_recr /= expnS [X in _ <= X]mulnA.
have -> : \sum_z u ^ hits z es * v ^ (t.+1 - hits z es) = (\sum_z u ^ hits z es * v ^ (t - hits z es)) * v.
  rewrite big_distrl /=; apply: eq_bigr => z _; rewrite subSn ?expnS; last by apply: leq_trans le; apply: hits_le.
  by rewrite mulnCA mulnC.
apply: leq_trans (leq_mul (IH le) (leq_addr _ _)).
apply: eq_leq; move: (\sum_z _) (#|Y| ^ t) => a b; mring.
Qed.
End Hits.

(** j = 0, …, t−1 values on average are (t−1)/2. *)
Lemma growing_hits N u v t : (\prod_(j < t) (N * v + j * (u - v))) * 2 ^ t <= (2 * N * v + t.-1 * (u - v)) ^ t.
Proof.
case: t => [|t]; first by rewrite big_ord0.
have := mean_inequality [seq 2 * (N * v + j * (u - v)) | j <- iota 0 t.+1]; rewrite size_map size_iota !big_map.
have -> : \prod_(j <- iota 0 t.+1) (2 * (N * v + j * (u - v))) = (\prod_(j < t.+1) (N * v + j * (u - v))) * 2 ^ t.+1.
  rewrite -{1}(subn0 t.+1) -/(index_iota 0 t.+1) big_mkord big_split /= prod_nat_const card_ord mulnC; congr (_ * _).
have -> : \sum_(j <- iota 0 t.+1) (2 * (N * v + j * (u - v))) = t.+1 * (2 * N * v + t * (u - v)).
  rewrite -{1}(subn0 t.+1) -/(index_iota 0 t.+1) big_mkord -big_distrr big_split /= sum_nat_const card_ord -big_distrl /=.
  have E : 2 * (\sum_(j < t.+1) j) = t.+1 * t.
    by elim: t => [|t IH]; [rewrite big_ord_recr big_ord0 | rewrite big_ord_recr mulnDr IH /=; mring].
  rewrite mulnDr (mulnA 2 (\sum_(j < t.+1) j)) E; move: (u - v) => d; mring.
by rewrite expnMn leq_pmul2l // expn_gt0.
Qed.

(** * 2. Repeats *)
Section Repeats.
Variables (E : eqType) (Y : eqType) (val : E -> Y).
(** The places whose value none behind them has. *)
Fixpoint firsts (es : seq E) : seq E :=
  if es is e :: es' then if val e \in [seq val e | e <- es'] then firsts es' else e :: firsts es' else [::].
(** Places of the list. *)
Lemma mem_firsts es : {subset firsts es <= es}.
Proof.
elim: es => //= e es IH e'; case: ifP => _; rewrite !inE; first by move=> /IH ->; rewrite orbT.
by case/orP => [->|/IH ->]; rewrite ?orbT.
Qed.
(** No place twice. *)
Lemma uniq_firsts es : uniq es -> uniq (firsts es).
Proof. elim: es => //= e es IH /andP[ne /IH u]; case: ifP => //= _; rewrite u andbT; by apply: contra ne => /mem_firsts. Qed.
(** Their values differ. *)
Lemma firsts_inj es : {in firsts es &, injective val}.
Proof.
elim: es => //= e es IH; case: ifP => // /negbT new e1 e2.
rewrite !inE => /orP[/eqP ->|h1] /orP[/eqP ->|h2] // E12; last exact: IH.
  by case/negP: new; rewrite E12; apply: map_f; apply: mem_firsts.
by case/negP: new; rewrite -E12; apply: map_f; apply: mem_firsts.
Qed.
(** The others are repeats. *)
Lemma size_firsts (Z : finType) (z : Z) (hit : Z -> E -> seq E -> bool) es :
  (forall e es', hit z e es' = (val e \in [seq val e | e <- es'])) -> size (firsts es) + hits hit z es = size es.
Proof.
by move=> h; elim: es => //= e es IH; rewrite -IH h; case: ifP => _ /=; rewrite ?add0n ?add1n ?addnS ?addSn.
Qed.
End Repeats.
