(** The cube lemma (theory 5.9), by counting alone. Two values stand at every entry of a table, which together are a cube of tables;
    a map of at most 2^b answers leaves an average entry free: the other value occurs, with the same answer and the same entries
    before it, but for b/g of the entries. So one entry takes v − (v−1)·b/g values on average where all entries before it are known
    and those after it have two values each. *)
From Coq Require Import Arith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import SharperDefinitions Counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A constant, added up over a list. *)
Lemma sum_seq_const (I : Type) (r : seq I) n : \sum_(i <- r) n = size r * n.
Proof. by rewrite big_const_seq count_predT iter_addn_0 mulnC. Qed.

(** * 1. Lists of bits *)

(** All lists of g bits. *)
Fixpoint bits (g : nat) : seq (seq bool) :=
  if g is g'.+1 then [seq false :: y | y <- bits g'] ++ [seq true :: y | y <- bits g'] else [:: [::]].
(** There are 2^g. *)
Lemma size_bits g : size (bits g) = 2 ^ g.
Proof. by elim: g => //= g IH; rewrite size_cat !size_map IH addnn -mul2n expnS. Qed.
(** They are the lists of length g. *)
Lemma mem_bits g y : (y \in bits g) = (size y == g).
Proof.
have notin b c (y' : seq bool) s : (b :: y' \in [seq c :: t | t <- s]) = (b == c) && (y' \in s).
  by elim: s => [|t s IH] /=; rewrite ?andbF // !inE IH eqseq_cons -andb_orr.
have nil c s : ([::] \in [seq c :: t | t <- s]) = false by elim: s.
by elim: g y => [|g IH] [|b y] //=; rewrite mem_cat ?nil // !notin !IH; case: b => //=; rewrite orbF.
Qed.

(** How many bits of y are determined by those before them and by y in S: no list of S has the same bits before and the other one. *)
Fixpoint determined (S : pred (seq bool)) (y : seq bool) : nat :=
  if y is b :: y' then ~~ has (fun t => S (~~ b :: t)) (bits (size y')) + determined (fun t => S (b :: t)) y' else 0.

(** Kraft: Σ_{y in S} 2^{-(bits of y that are free)} is at most 1; times 2^g. *)
Lemma kraft g S : \sum_(y <- bits g | S y) 2 ^ determined S y <= has S (bits g) * 2 ^ g.
Proof.
elim: g S => [|g IH] S; first by rewrite /= big_mkcond big_seq1; case: (S [::]).
rewrite /= big_cat /= !big_map has_cat !has_map.
pose h b := has (fun t => S (b :: t)) (bits g).
have half b : \sum_(y <- bits g | S (b :: y)) 2 ^ determined S (b :: y) <= 2 ^ (~~ h (~~ b)) * (h b * 2 ^ g).
  apply: leq_trans _ (leq_mul (leqnn _) (IH (fun t => S (b :: t)))); rewrite big_distrr /= big_seq_cond [X in _ <= X]big_seq_cond.
  by apply: leq_sum => y /andP[]; rewrite mem_bits => /eqP sy _; rewrite /h sy expnD.
apply: leq_trans (leq_add (half false) (half true)) _.
have -> : has (preim (cons false) S) (bits g) = h false by [].
have -> : has (preim (cons true) S) (bits g) = h true by [].
rewrite expnS; move: (2 ^ g) => q.
by case: (h false); case: (h true); rewrite /= ?expn0 ?expn1 -?plusE -?multE; apply/leP; lia.
Qed.

(** 1 + (c − b) ≤ 2^{c−b} for integers. *)
Lemma power_above b c : c.+1 * 2 ^ b <= 2 ^ c + b * 2 ^ b.
Proof.
case: (ltnP c b) => [lt|le]; first by apply: leq_trans (leq_addl _ _); rewrite leq_mul2r lt orbT.
rewrite -(subnKC le); move: (c - b) => d; rewrite expnD; have := ltn_expl d (isT : 1 < 2).
by move: (2 ^ b) (2 ^ d) => q r /ltP lt; apply/leP; rewrite -plusE -multE; nia.
Qed.

(** * 2. A map of at most 2^b answers *)
Section Answers.
Variables (A : finType) (b : nat).
Hypothesis few : #|A| <= 2 ^ b.

(** On average it determines at most b bits. *)
Lemma determined_average g (al : seq bool -> A) : \sum_(y <- bits g) determined (fun t => al t == al y) y <= b * 2 ^ g.
Proof.
have total : \sum_(y <- bits g) 2 ^ determined (fun t => al t == al y) y <= 2 ^ b * 2 ^ g.
  rewrite (partition_big al predT) //=; apply: leq_trans _ (leq_mul few (leqnn _)); rewrite -sum_nat_const.
  apply: leq_sum => a _; apply: leq_trans (_ : has (fun t => al t == a) (bits g) * 2 ^ g <= _); last by case: has; rewrite ?mul1n.
  by apply: leq_trans _ (kraft _ _); apply: eq_leq; apply: eq_bigr => y /eqP ->.
have : \sum_(y <- bits g) (determined (fun t => al t == al y) y).+1 * 2 ^ b
       <= \sum_(y <- bits g) (2 ^ determined (fun t => al t == al y) y + b * 2 ^ b) by apply: leq_sum => y _; apply: power_above.
rewrite -big_distrl big_split /= sum_seq_const size_bits.
under eq_bigr do rewrite -addn1; rewrite big_split /= sum_seq_const size_bits muln1.
move: (\sum_(y <- _) determined _ _) total => s; move: (\sum_(y <- _) _) (2 ^ g) (expn_gt0 2 b) => p q; move: (2 ^ b) => r.
move=> r0 le h.
have {}h := leq_trans h (leq_add le (leqnn _)).
rewrite -(@leq_pmul2r r) // -(leq_add2r (q * r)) -mulnDl; apply: leq_trans h _; apply: eq_leq; mring.
Qed.
End Answers.

(** * 3. Tables *)
Section Cube.
Variables (A : finType) (b v g : nat).
Hypothesis few : #|A| <= 2 ^ b.
Notation table := {ffun 'I_g -> 'I_v}.
(** Two different values for each entry, the first of them that of the table. *)
Notation two_tables := {ffun 'I_g -> 'I_v * 'I_v}.
Implicit Types (om : two_tables) (e : 'I_g) (al : table -> A) (y : seq bool).
Definition pairs : {set two_tables} := [set om : two_tables | [forall e, (om e).1 != (om e).2]].
Definition chosen om : table := [ffun e => (om e).1].

(** t is the chosen table before e, and has one of the two values at each entry after e. *)
Definition variant om e (t : table) : bool :=
  [forall j : 'I_g, if j < e then t j == (om j).1 else (j == e) || (t j == (om j).1) || (t j == (om j).2)].
(** The values at e of the variants with the same answer as the chosen table. *)
Definition reached al om e : {set 'I_v} := 
  [set k | [exists t : table, [&& variant om e t, al t == al (chosen om) & t e == k]]].

(** The other value at e is reached. *)
Definition free al om e : bool := (om e).2 \in reached al om e.

(** The two values of the entries where y is true change places. *)
Definition flip y om : two_tables := [ffun e : 'I_g => if nth false y e then ((om e).2, (om e).1) else om e].
(** Flipping twice changes nothing. *)
Lemma flipK y : involutive (flip y).
Proof. by move=> om; apply/ffunP => e; rewrite !ffunE; case: (nth _ _ _) => //=; case: (om e). Qed.
(** Different values stay different. *)
Lemma flip_pairs y om : (flip y om \in pairs) = (om \in pairs).
Proof. by rewrite !inE; apply: eq_forallb => e; rewrite ffunE; case: ifP; rewrite //= eq_sym. Qed.

(** On average over the cube at most b entries are not free. *)
Lemma free_cube al om : \sum_(y <- bits g) \sum_e ~~ free al (flip y om) e <= b * 2 ^ g.
Proof.
pose at_bits y := al (chosen (flip y om)).
apply: leq_trans _ (determined_average few g at_bits); rewrite big_seq [X in _ <= X]big_seq.
apply: leq_sum => y; rewrite mem_bits => /eqP sy.
have unroll (S : pred (seq bool)) : determined S y
    = \sum_(e < g) ~~ has (fun t => S (take e y ++ ~~ nth false y e :: t)) (bits (g - e.+1)).
  rewrite -sy; elim: (y) S => [|c y' IH] S; first by rewrite big_ord0.
  by rewrite /= IH big_ord_recl /= subn1; congr (_ + _).
rewrite unroll; apply: leq_sum => e _; case: hasP => [[t tb /eqP same]|_]; last by case: free.
suff -> : free al (flip y om) e by [].
set y2 := take e y ++ _ in same; move: tb; rewrite mem_bits => /eqP st.
have nthy (j : 'I_g) : nth false y2 j = if j < e then nth false y j else if j == e :> nat then ~~ nth false y e else nth false t (j - e.+1).
  have se : size (take e y) = e by rewrite size_takel // sy ltnW.
  rewrite nth_cat se; case: ltnP => [lt|le]; first by rewrite nth_take.
  case: (eqVneq (j : nat) e) => [->|ne]; first by rewrite subnn.
  by have := le; rewrite leq_eqVlt eq_sym (negbTE ne) /= => lt; rewrite -(subnSK lt).
rewrite /free inE; apply/existsP; exists (chosen (flip y2 om)); apply/and3P; split; last first.
- by rewrite !ffunE nthy ltnn eqxx; case: (nth false y e).
- exact/eqP.
apply/forallP => j.
rewrite !ffunE nthy; case: ltnP => // le; case: (eqVneq (j : nat) e) => [E|ne]; first by rewrite -val_eqE /= E eqxx.
by case: (nth _ t _); case: (nth _ y j); rewrite /= eqxx ?orbT.
Qed.

(** ... so on average over all pairs of different values. *)
Lemma free_average al : \sum_(om in pairs) \sum_e ~~ free al om e <= b * #|pairs|.
Proof.
rewrite -(@leq_pmul2r (2 ^ g)) ?expn_gt0 //.
have -> : (\sum_(om in pairs) \sum_e ~~ free al om e) * 2 ^ g
        = \sum_(om in pairs) \sum_(y <- bits g) \sum_e ~~ free al (flip y om) e.
  rewrite [RHS]exchange_big /= -size_bits mulnC -sum_seq_const; apply: eq_bigr => y _.
  rewrite (reindex_inj (inv_inj (flipK y))) /=; apply: eq_bigl => om; exact: flip_pairs.
rewrite mulnAC mulnC -sum_nat_const; apply: leq_sum => om _; exact: free_cube.
Qed.

(** The other value at e may be any: R does not depend on it. *)
Definition other om e k : two_tables := [ffun j => if j == e then ((om e).1, k) else om j].
(** The chosen table stays. *)
Lemma chosen_other om e k : chosen (other om e k) = chosen om.
Proof. by apply/ffunP => j; rewrite !ffunE; case: eqP => // ->. Qed.
(** ... nor do the values reached. *)
Lemma reached_other al om e k : reached al (other om e k) e = reached al om e.
Proof.
apply/setP => k'; rewrite !inE chosen_other; apply: eq_existsb => t; congr (_ && _); apply: eq_forallb => j; rewrite ffunE.
by case: (eqVneq j e) => //= ->; rewrite ltnn.
Qed.

(** The chosen table is a variant, and has its own answer. *)
Lemma variant_chosen om e : variant om e (chosen om).
Proof. by apply/forallP => j; rewrite ffunE; case: ltnP => // _; rewrite eqxx orbT. Qed.
(** ... so its value is reached. *)
Lemma chosen_reached al om e : (om e).1 \in reached al om e.
Proof. by rewrite inE; apply/existsP; exists (chosen om); rewrite variant_chosen ffunE !eqxx. Qed.

(** Values reached at e, on average. *)
Lemma reached_free al e : #|pairs| + v.-1 * (\sum_(om in pairs) free al om e) <= \sum_(om in pairs) #|reached al om e|.
Proof.
have -> : v.-1 * (\sum_(om in pairs) free al om e) = \sum_(om in pairs) \sum_(k | k != (om e).1) (k \in reached al om e).
  pose move_on (p : two_tables * 'I_v) := (other p.1 e p.2, (p.1 e).2).
  have moveK : involutive move_on.
    move=> [om k]; congr pair; rewrite /= ?ffunE ?eqxx //; apply/ffunP => j; rewrite !ffunE eqxx /=.
    by case: eqP => // ->; rewrite -surjective_pairing.
  rewrite [RHS]pair_big_dep /= (reindex_inj (inv_inj moveK)) /= big_distrr /=.
  under [RHS]eq_bigr do rewrite reached_other.
  rewrite (eq_bigl (fun p => (p.1 \in pairs) && (p.2 != (p.1 e).1))) => [|[om k] /=].
    rewrite -(pair_big_dep (mem pairs) (fun om k => k != (om e).1) (fun om _ => nat_of_bool (free al om e))) /=.
    by apply: eq_bigr => om _; rewrite sum_nat_const cardC1 card_ord.
  rewrite !inE ffunE eqxx /=; apply/andP/andP => -[/forallP h ne]; split; try by have := h e; rewrite ?ffunE ?eqxx eq_sym.
    by apply/forallP => j; have := h j; rewrite ffunE; case: (eqVneq j e) => // -> _; rewrite eq_sym.
  by apply/forallP => j; rewrite ffunE; case: (eqVneq j e) => // _; rewrite /= eq_sym.
rewrite -sum1_card -big_split /=; apply: leq_sum => om _.
have top := chosen_reached al om e.
rewrite (cardsD1 (om e).1) top leq_add2l -sum1_card big_mkcond [X in _ <= X]big_mkcond; apply: leq_sum => k _.
by rewrite !inE; case: eqP => //=; case: (k \in _).
Qed.

(** E|R| ≥ v − (v−1)·b/g, times g and the number of pairs of tables. *)
Lemma cube_pairs al : 0 < v -> v * g * #|pairs| <= \sum_(om in pairs) \sum_e #|reached al om e| + v.-1 * (b * #|pairs|).
Proof.
move=> v0; rewrite exchange_big /=.
apply: leq_trans (_ : \sum_e (#|pairs| + v.-1 * (\sum_(om in pairs) free al om e)) + v.-1 * (b * #|pairs|) <= _); last first.
  by rewrite leq_add2r; apply: leq_sum => e _; apply: reached_free.
rewrite big_split /= sum_nat_const card_ord -big_distrr /= -addnA -mulnDr.
apply: leq_trans (_ : g * #|pairs| + v.-1 * (g * #|pairs|) <= _); first by rewrite -mulSn prednK // mulnA.
rewrite leq_add2l leq_mul2l; apply/orP; right.
apply: leq_trans _ (leq_add (leqnn _) (free_average al)); rewrite exchange_big /= -big_split /= mulnC -sum_nat_const.
apply: leq_sum => om _; rewrite -big_split /= -[X in X <= _]card_ord -sum1_card; apply: leq_sum => e _.
by case: free.
Qed.

(** The lemma, also where all values are the same: some set of pairs has g·v − (v−1)·b values, added up over the entries, on average. *)
Lemma cube : 0 < v -> exists2 Om : {set two_tables}, 0 < #|Om|
  & forall al, cube_values g v b * #|Om| <= \sum_(om in Om) \sum_e #|reached al om e|.
Proof.
move=> v0; case: (ltnP 1 v) => [v1|v1].
  exists pairs => [|al]; last by rewrite /cube_values mulnBl leq_subLR addnC -[v.-1 * _ * _]mulnA [g * v]mulnC cube_pairs.
  apply/card_gt0P; exists [ffun=> (Ordinal v0, Ordinal v1)]; rewrite inE.
  by apply/forallP => e; rewrite ffunE.
have E1 : v = 1 by apply/eqP; rewrite eqn_leq v1.
exists setT => [|al]; first by apply/card_gt0P; exists [ffun=> (Ordinal v0, Ordinal v0)]; rewrite inE.
have -> : cube_values g v b = g by rewrite /cube_values E1 mul0n subn0 muln1.
rewrite mulnC -sum_nat_const; apply: leq_sum => om _.
rewrite -[g in X in X <= _]card_ord -sum1_card; apply: leq_sum => e _.
by apply/card_gt0P; exists (om e).1; apply: chosen_reached.
Qed.
End Cube.
