(** Theorem D, the criterion and the bound from below: one sparse layer and 2-Sum (theory 5.6). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section D.
Variables (u g B k : nat) (Sg : finType).
Notation content := {ffun 'I_B -> 'I_u}.
Variable summary : 'I_g -> content -> Sg.
Local Notation ambiguous := (ambiguous summary).
Local Notation summaries := (summaries summary).
Local Notation right_layer := (right_layer k summary).

(** The criterion: some layer is right iff every x is ambiguous in at most k blocks. *)
Theorem D_criterion :
  (exists scorer reply, right_layer scorer reply) <-> forall x, #|[set b | ambiguous x b]| <= k.
Proof.
split=> [[scorer [reply [few right]]] x|few].
  rewrite leqNgt; apply/negP => many.
  have [b0 b0A] : exists b0, b0 \in [set b | ambiguous x b] by apply/card_gt0P; apply: leq_ltn_trans many.
  have [w hw] : exists w : content, ~~ has_value x w.
    by move: b0A; rewrite inE => /existsP[c /existsP[c' /and3P[_ _ h]]]; exists c'.
  (* the x-free member in every ambiguous block *)
  pose free b : content := odflt w [pick c' | [exists c, [&& summary b c == summary b c', has_value x c & ~~ has_value x c']]].
  pose cs : {ffun 'I_g -> content} := [ffun b => free b].
  have freeP b : ~~ has_value x (free b).
    by rewrite /free; case: pickP => [c' /existsP[c /and3P[]]|_].
  (* one of them is not opened *)
  have [b bA bO] : exists2 b, b \in [set b | ambiguous x b] & b \notin scorer (summaries cs) x.
    have : ~~ ([set b | ambiguous x b] \subset scorer (summaries cs) x).
      by apply: contraL many => /subset_leq_card le; rewrite -leqNgt (leq_trans le).
    by case/subsetPn => b h1 h2; exists b.
  have [c Ec hc] : exists2 c, summary b c = summary b (free b) & has_value x c.
    move: bA; rewrite inE => /existsP[c1 /existsP[c2 hcc]]; rewrite /free; case: pickP => [c' /existsP[c /and3P[/eqP e h _]]|no].
      by exists c.
    by have := no c2; rewrite (introT existsP (ex_intro _ c1 hcc)).
  (* swap *)
  pose ds : {ffun 'I_g -> content} := [ffun b' => if b' == b then c else cs b'].
  have Es : summaries ds = summaries cs.
    by apply/ffunP => b'; rewrite !ffunE; case: eqP => [->|]; rewrite ?ffunE.
  have Eo : opened (scorer (summaries cs) x) ds = opened (scorer (summaries cs) x) cs.
    apply/ffunP => b'; rewrite !ffunE; case: ifP => // h; case: eqP => // e.
    by move: bO; rewrite -e h.
  have := right ds x; rewrite Es Eo right => /esym.
  have -> : [exists b', has_value x (ds b')] = true by apply/existsP; exists b; rewrite ffunE eqxx.
  by move/esym/existsP => [b']; rewrite ffunE (negbTE (freeP b')).
(* open the ambiguous blocks; the others are decided by their summary *)
exists (fun _ x => [set b | ambiguous x b]).
exists (fun s x o => [exists b, if o b is Some c then has_value x c else [exists c, (summary b c == s b) && has_value x c]]).
split=> [s x|cs x]; first exact: few.
apply: eq_existsb => b; rewrite !ffunE; case: ifP => // /negbT; rewrite inE => amb.
apply/existsP/idP => [[c /andP[/eqP e h]]|h]; last by exists (cs b); rewrite ?ffunE eqxx.
apply: contraNT amb => no; apply/existsP; exists c; apply/existsP; exists (cs b).
by rewrite e ?ffunE eqxx h no.
Qed.

(** Some block has d values that are not ambiguous in it. *)
Lemma clear_block d : (forall x, #|[set b | ambiguous x b]| <= k) -> d.-1 * g < u * (g - k) ->
  exists b, d <= #|[set x | ~~ ambiguous x b]|.
Proof.
move=> few hd.
apply/existsP; apply: contraTT hd; rewrite negb_exists => /forallP no; rewrite -leqNgt.
have le : \sum_(b < g) #|[set x | ~~ ambiguous x b]| <= d.-1 * g.
  rewrite mulnC -[g in X in _ <= X]card_ord -sum_nat_const; apply: leq_sum => b _.
  by have := no b; rewrite -ltnNge; case: (d).
apply: leq_trans le; have -> : \sum_(b < g) #|[set x | ~~ ambiguous x b]| = \sum_(x < u) #|[set b | ~~ ambiguous x b]|.
  rewrite (eq_bigr (fun b => \sum_(x < u) (~~ ambiguous x b : nat))) => [|b _]; last first.
    by rewrite -sum1dep_card big_mkcond.
  by rewrite exchange_big /=; apply: eq_bigr => x _; rewrite -sum1dep_card [RHS]big_mkcond.
rewrite -[u in X in X <= _]card_ord -sum_nat_const; apply: leq_sum => x _.
have := cardsC [set b | ambiguous x b]; rewrite card_ord => E.
have -> : #|[set b | ~~ ambiguous x b]| = #|~: [set b | ambiguous x b]| by apply: eq_card => b; rewrite !inE.
by rewrite -(addKn #|[set b | ambiguous x b]| #|~: _|) E; apply: leq_sub2l.
Qed.

(** The bound from below: with d = ⌈u(g−k)/g⌉ < u a right layer has at least V(d, B) = Σ_{t <= B} C(d, t) summaries. *)
Theorem D_bound d : (forall x, #|[set b | ambiguous x b]| <= k) -> k < g -> d.-1 * g < u * (g - k) -> d < u ->
  \sum_(t < B.+1) 'C(d, t) <= #|Sg|.
Proof.
move=> few kg hd du; have [b hb] := clear_block few hd.
pose A := [set x in take d (enum [set x | ~~ ambiguous x b])].
have cA : #|A| = d by rewrite cardsE (card_uniqP (take_uniq _ (enum_uniq _))) size_takel // -cardE.
have inA x : x \in A -> ~~ ambiguous x b by rewrite inE => /mem_take; rewrite mem_enum inE.
have [y yA] : exists y, y \notin A.
  apply/existsP; rewrite -negb_forall; apply: contraL du => /forallP all; rewrite -leqNgt -cA -[u in u <= _]card_ord.
  by apply: subset_leq_card; apply/subsetP => x _; apply: all.
(* a content for each subset of A with at most B elements *)
pose c (T : {set 'I_u}) : content := [ffun j : 'I_B => nth y (enum T) j].
have cP (T : {set 'I_u}) x : T \subset A -> #|T| <= B -> x \in A -> has_value x (c T) = (x \in T).
  move=> TA TB xA; apply/existsP/idP => [[j]|xT].
    rewrite ffunE => /eqP E; case: (ltnP j (size (enum T))) => hj; first by rewrite -mem_enum -E mem_nth.
    by move: yA; rewrite -(nth_default y hj) E xA.
  have lt : index x (enum T) < B by apply: leq_trans TB; rewrite cardE index_mem mem_enum.
  by exists (Ordinal lt); rewrite ffunE nth_index // mem_enum.
pose Ts := [set T : {set 'I_u} | (T \subset A) && (#|T| <= B)].
have inj : {in Ts &, injective (fun T => summary b (c T))}.
  move=> T T'; rewrite !inE => /andP[TA TB] /andP[TA' TB'] E; apply/setP => x.
  case xA : (x \in A); last first.
    by rewrite (contraFF (subsetP TA x)) // (contraFF (subsetP TA' x)).
  have := inA x xA; rewrite -(cP T) // -(cP T') //; apply: contraNeq => ne.
  apply/existsP; case h : (has_value x (c T)); move: ne; rewrite h.
    by case h' : (has_value x (c T')) => // _; exists (c T); apply/existsP; exists (c T'); rewrite E eqxx h h'.
  by case h' : (has_value x (c T')) => // _; exists (c T'); apply/existsP; exists (c T); rewrite E eqxx h h'.
apply: leq_trans (max_card (mem [set summary b (c T) | T in Ts])); rewrite card_in_imset //.
rewrite -sum1dep_card (partition_big (fun T : {set 'I_u} => inord #|T| : 'I_B.+1) predT) //=.
apply: leq_sum => t _; rewrite sum1dep_card -cA -cards_draws; apply: subset_leq_card; apply/subsetP => T.
rewrite !inE => /andP[-> /eqP cT]; rewrite cT /= -ltnS ltn_ord /=.
by apply/eqP; apply: val_inj; rewrite /= inordK // cT ltn_ord.
Qed.

(** ... and with d = u (k·u < g: no value is ambiguous in some block) at least V(u, B) − 1: the empty set has no content. *)
Theorem D_bound_full : (forall x, #|[set b | ambiguous x b]| <= k) -> k < g -> u.-1 * g < u * (g - k) ->
  \sum_(1 <= t < B.+1) 'C(u, t) <= #|Sg|.
Proof.
move=> few kg hd; have [b hb] := clear_block few hd.
have inA x : ~~ ambiguous x b.
  have : [set x | ~~ ambiguous x b] == setT by rewrite eqEcard subsetT cardsT card_ord.
  by move/eqP/setP/(_ x); rewrite !inE.
case: (posnP u) => [u0|u0].
  by rewrite big_nat_cond big1 // => t /andP[/andP[t0 _] _]; rewrite u0 bin_small.
pose y0 : 'I_u := Ordinal u0.
pose c (T : {set 'I_u}) : content := [ffun j : 'I_B => nth (head y0 (enum T)) (enum T) j].
have cP (T : {set 'I_u}) x : 0 < #|T| -> #|T| <= B -> has_value x (c T) = (x \in T).
  move=> T0 TB; apply/existsP/idP => [[j]|xT].
    rewrite ffunE => /eqP <-; rewrite -mem_enum; case: (ltnP j (size (enum T))) => hj; first exact: mem_nth.
    by rewrite nth_default //; move: T0; rewrite cardE; case: (enum T) => //= a l _; rewrite mem_head.
  have lt : index x (enum T) < B by apply: leq_trans TB; rewrite cardE index_mem mem_enum.
  by exists (Ordinal lt); rewrite ffunE nth_index // mem_enum.
pose Ts := [set T : {set 'I_u} | 0 < #|T| <= B].
have inj : {in Ts &, injective (fun T => summary b (c T))}.
  move=> T T'; rewrite !inE => /andP[T0 TB] /andP[T0' TB'] E; apply/setP => x.
  have := inA x; rewrite -(cP T) // -(cP T') //; apply: contraNeq => ne.
  apply/existsP; case h : (has_value x (c T)); move: ne; rewrite h.
    by case h' : (has_value x (c T')) => // _; exists (c T); apply/existsP; exists (c T'); rewrite E eqxx h h'.
  by case h' : (has_value x (c T')) => // _; exists (c T'); apply/existsP; exists (c T); rewrite E eqxx h h'.
apply: leq_trans (max_card (mem [set summary b (c T) | T in Ts])); rewrite card_in_imset //.
rewrite -sum1dep_card (partition_big (fun T : {set 'I_u} => inord #|T| : 'I_B.+1) predT) //= big_geq_mkord /= [X in X <= _]big_mkcond /=.
apply: leq_sum => t _; case: ifP => // t0; rewrite sum1dep_card.
have := card_draws (ordinal_finType u) t; rewrite card_ord => <-; apply: subset_leq_card; apply/subsetP => T.
rewrite !inE => /eqP cT; rewrite cT t0 /= -ltnS ltn_ord /=.
by apply/eqP; apply: val_inj; rewrite /= inordK // cT ltn_ord.
Qed.
End D.

(** * That many summaries are enough

    d = u − ⌊uk/g⌋ values of every block are told: those x with (x + bτ) mod u < d, τ = ⌊uk/g⌋. Adding τ wraps around just when
    x is not told, and there are at most (x + gτ)/u ≤ k such blocks. *)
Section Enough.
Variables (u g B k : nat).
Hypotheses (kg : k <= g) (g0 : 0 < g) (u0 : 0 < u).
Notation content := {ffun 'I_B -> 'I_u}.
Definition untold : nat := (u * k) %/ g.
Definition told : nat := u - untold.
(** Not more than all values are hidden. *)
Lemma untold_le : untold <= u.
Proof. by rewrite /untold -[X in _ <= X](mulnK u g0) leq_div2r // leq_mul2l kg orbT. Qed.
Definition turned (b x : nat) : nat := (x + b * untold) %% u.
(** Blocks in which x is not told: at most k. *)
Lemma few_untold (x : 'I_u) : \sum_(b < g) (told <= turned b x) <= k.
Proof.
have step b : (x + b.+1 * untold) %/ u = (x + b * untold) %/ u + (told <= turned b x).
  rewrite mulSnr addnA [in LHS](divn_eq (x + b * untold) u) -addnA divnMDl // /turned; congr (_ + _).
  have rlt : (x + b * untold) %% u < u by rewrite ltn_mod.
  move: rlt; move: ((x + b * untold) %% u) => r rlt; rewrite /told leq_subLR.
  case: (leqP u (untold + r)) => h; last by rewrite divn_small // addnC.
  have lt : r + untold - u < u by rewrite ltn_subLR 1?addnC // -addnS leq_add // untold_le.
  by rewrite addnC -(subnKC h) divnDl ?divnn // u0 divn_small // -(addnC r).
have sum n : \sum_(b < n) (told <= turned b x) = (x + n * untold) %/ u.
  elim: n => [|n IH]; first by rewrite big_ord0 mul0n addn0 divn_small.
  by rewrite big_ord_recr /= IH -step.
rewrite sum -ltnS ltn_divLR // mulSn -addSn leq_add // mulnC (mulnC k); exact: leq_trunc_div.
Qed.

(** Sets of told values, at least lo and at most B of them. *)
Definition told_sets (lo : nat) := [finType of {A : {set 'I_told} | lo <= #|A| <= B}].
(** They are Σ_{lo ≤ t ≤ B} C(d, t). *)
Lemma card_told_sets lo : #|told_sets lo| = \sum_(lo <= t < B.+1) 'C(told, t).
Proof.
rewrite card_sig -sum1_card (partition_big (fun A : {set 'I_told} => inord #|A| : 'I_B.+1) (fun t => lo <= t)) /=; last first.
  by move=> A /andP[h1 h2]; rewrite inordK.
rewrite big_geq_mkord /=; apply: eq_bigr => t t0; rewrite sum1dep_card.
have := card_draws (ordinal_finType told) t; rewrite card_ord => <-; apply: eq_card => A; rewrite !inE.
apply/andP/eqP => [[/andP[h1 h2] /eqP/(congr1 val)]|E]; first by rewrite /= inordK.
by rewrite E t0 -ltnS ltn_ord; split=> //; apply/eqP; apply: val_inj; rewrite /= inordK.
Qed.
Definition told_of (b : 'I_g) (c : content) : {set 'I_told} := [set i : 'I_told | [exists j, turned b (c j) == val i]].
(** A block has at most B of them. *)
Lemma told_of_le b c : #|told_of b c| <= B.
Proof.
have le : told <= u by apply: leq_subr.
pose at_ (j : 'I_B) : 'I_u := Ordinal (ltn_pmod (c j + b * untold) u0).
have inj : injective (widen_ord le) by move=> i j /(congr1 val) /= /val_inj.
rewrite -(card_imset _ inj); apply: leq_trans (_ : #|[set at_ j | j : 'I_B]| <= _).
  apply: subset_leq_card; apply/subsetP => _ /imsetP[i + ->]; rewrite inE => /existsP[j /eqP E].
  by apply/imsetP; exists j => //; apply: val_inj.
by apply: leq_trans (leq_imset_card _ _) _; rewrite card_ord.
Qed.
(** A told value is in the block if and only if it is in the set. *)
Lemma told_ofP (b : 'I_g) (c : content) (x : 'I_u) (lt : turned b x < told) : has_value x c = (Ordinal lt \in told_of b c).
Proof.
rewrite inE; apply: eq_existsb => j; apply/eqP/eqP => [-> //|/eqP].
rewrite /turned -[_ == _]/(_ == _ %[mod u]) eqn_modDr !modn_small // => /eqP; exact: val_inj.
Qed.
(** The layer with these summaries is right. *)
Lemma told_is_enough lo : (forall b c, lo <= #|told_of b c|) ->
  exists (Sg : finType) (summary : 'I_g -> content -> Sg), #|Sg| = \sum_(lo <= t < B.+1) 'C(told, t) /\
    exists scorer reply, right_layer k summary scorer reply.
Proof.
move=> hlo; have ok b c : lo <= #|told_of b c| <= B by rewrite hlo told_of_le.
exists (told_sets lo), (fun b c => exist _ (told_of b c) (ok b c)); split; first exact: card_told_sets.
apply/D_criterion => x; apply: leq_trans (few_untold x); rewrite -sum1dep_card big_mkcond /=; apply: leq_sum => b _.
case: ifP => // /existsP[c /existsP[c' /and3P[/eqP/(congr1 val)/= E h h']]].
suff -> : told <= turned b x by []; rewrite leqNgt; apply/negP => lt.
by move: h'; rewrite (told_ofP _ lt) -E -(told_ofP _ lt) h.
Qed.
End Enough.

(** D, from above: V(d, B) summaries are enough for d = u − ⌊uk/g⌋ = ⌈u(g−k)/g⌉. *)
Theorem D_enough u g B k : k <= g -> 0 < g -> 0 < u ->
  exists (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  #|Sg| = \sum_(t < B.+1) 'C(u - (u * k) %/ g, t) /\ exists scorer reply, right_layer k summary scorer reply.
Proof. by move=> kg g0 u0; rewrite -(big_mkord xpredT (fun t => 'C(_, t))); apply: (told_is_enough kg g0 u0). Qed.
(** ... and V(u, B) − 1 for d = u, as no block is without every value. *)
Theorem D_enough_full u g B k : 0 < B -> 0 < u -> u * k < g ->
  exists (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg),
  #|Sg| = \sum_(1 <= t < B.+1) 'C(u, t) /\ exists scorer reply, right_layer k summary scorer reply.
Proof.
move=> B0 u0 ukg; have g0 : 0 < g by apply: leq_ltn_trans ukg.
have kg : k <= g by apply: leq_trans (ltnW ukg); rewrite leq_pmull.
have none : untold u g k = 0 by rewrite /untold divn_small.
have all : told u g k = u by rewrite /told none subn0.
have [b c|Sg [summary [E right]]] := @told_is_enough u g B k kg g0 u0 1; last first.
  by exists Sg, summary; split=> //; rewrite E all.
rewrite card_gt0; apply/set0Pn.
have lt : turned u g k b (c (Ordinal B0)) < told u g k by rewrite all ltn_mod.
by exists (Ordinal lt); rewrite inE; apply/existsP; exists (Ordinal B0).
Qed.

(** u = 10 values, g = 4 blocks of B = 2, k = 2 opened: at least 16 summaries, 4 bits a block. *)
Theorem D_instance (Sg : finType) (summary : 'I_4 -> {ffun 'I_2 -> 'I_10} -> Sg) :
  (exists scorer reply, right_layer 2 summary scorer reply) -> 16 <= #|Sg|.
Proof.
move/D_criterion => few; have := @D_bound 10 4 2 2 Sg summary 5 few isT isT isT.
by rewrite !big_ord_recr big_ord0.
Qed.
