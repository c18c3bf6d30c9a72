(** Theorem E for two tables, one full layer and no early state (theory 5.7; A, L = 2, Λ_0 = 0, late).

    x_1 copies of z_1, its shifts, and a window of x_0 values of z_0 ask t = x_0·x_1 values i, each with every w. All that the
    answers depend on is x_1·λ_1 + β·(n_1 + x_0) bits. A value that was asked before is a repeat, and is not counted: of all positions
    these are at most (t − x_1)/2m. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime
  RelativeEntropy TheoremA2Average NestedBound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. The end of E: E different entries of a table are asked

    y s e is what is said of entry e when s passed. A share a/b of all answers to the entries of J is right, ⟨1/N; I/|J|⟩ ≤ a/b. *)
Section End.
Variables (N : nat) (S : finType) (y : S -> {ffun 'I_N -> 'I_N}) (s : {ffun 'I_N -> 'I_N} -> S) (J : {set 'I_N}).
Notation table := {ffun 'I_N -> 'I_N}.
Definition said_right (z g : table) : nat := #|[set e in J | z e == g e]|.
Variables (u v : nat).
Definition weighted (z g : table) : nat := \prod_(e : 'I_N) (if e \in J then (if z e == g e then u else v) else 1).
(** Its value: u for each right entry, v for each other one of J. *)
Lemma weightedE z g : weighted z g = u ^ said_right z g * v ^ (#|J| - said_right z g).
Proof.
rewrite /weighted (bigID (mem J)) /= [X in _ * X]big1 ?muln1; last by move=> e /negbTE ->.
rewrite (eq_bigr (fun e => if z e == g e then u else v)); last by move=> e ->.
rewrite (bigID (fun e => z e == g e)) /=; congr (_ * _).
  rewrite (eq_bigr (fun=> u)); last by move=> e /andP[_ ->].
  by rewrite prod_nat_const; congr (_ ^ _); apply: eq_card => e; rewrite !inE.
rewrite (eq_bigr (fun=> v)); last by move=> e /andP[_ /negbTE ->].
rewrite prod_nat_const; congr (_ ^ _); have <- := cardsID [set e | z e == g e] J.
have -> : said_right z g = #|J :&: [set e | z e == g e]| by apply: eq_card => e; rewrite !inE.
by rewrite addKn; apply: eq_card => e; rewrite !inE andbC.
Qed.
(** All tables, for one word g. *)
Lemma weighted_all g : 0 < N -> \sum_(z : table) weighted z g = (u + N.-1 * v) ^ #|J| * N ^ (N - #|J|).
Proof.
move=> N0; rewrite /weighted -(bigA_distr_bigA (fun e i => if e \in J then (if i == g e then u else v) else 1)) /=.
rewrite (bigID (mem J)) /= (eq_bigr (fun=> u + N.-1 * v)); last first.
  move=> e eJ; rewrite (bigD1 (g e)) //= eJ eqxx (eq_bigr (fun=> v)); last by move=> i /negbTE ->.
  by rewrite sum_nat_const cardC1 card_ord.
rewrite [X in _ * X](eq_bigr (fun=> N)) => [|e /negbTE ->]; last by rewrite sum_nat_const card_ord muln1.
rewrite !prod_nat_const; congr (_ * _ ^ _); have := cardC (mem J); rewrite card_ord => E.
by rewrite -[X in X - _]E addKn; apply: eq_card.
Qed.
End End.

(** AM–GM over all tables; the words of all s together are 2^I times those of one. *)
Theorem end_bound N (S : finType) (y : S -> {ffun 'I_N -> 'I_N}) s (J : {set 'I_N}) lam a b K : #|S| <= 2 ^ lam ->
  closed_share 1 N #|J| lam a b K ->
  b * (\sum_(z : {ffun 'I_N -> 'I_N}) said_right J z (y (s z))) <= a * (#|J| * N ^ N).
Proof.
move=> hS /and5P[_ ab]; rewrite muln1 => bN hK hyp.
have N0 : 0 < N by case: (N) bN => //; rewrite muln0.
have sJ z g : said_right J z g <= #|J| by apply: subset_leq_card; apply/subsetP => e; rewrite inE => /andP[].
have card1 : #|[finType of {ffun 'I_N -> 'I_N}]| = N ^ N by rewrite card_ffun !card_ord.
set M := \sum_(z : _) _; have MS : M <= #|J| * N ^ N.
  apply: leq_trans (_ : \sum_(z : {ffun 'I_N -> 'I_N}) #|J| <= _); first by apply: leq_sum => z _.
  by rewrite sum_nat_const card1 mulnC.
have [ab1|ab1] := eqVneq a b; first by rewrite ab1 leq_mul2l MS orbT.
pose u := a * N.-1; pose v := b - a.
have v0 : 0 < v by rewrite subn_gt0 ltn_neqAle ab1.
have vu : v < u by rewrite /v /u -(ltn_add2r a) subnK // -[X in _ < _ + X]muln1 -mulnDr addn1 prednK.
have cJ : #|J| <= N by rewrite -[X in _ <= X]card_ord max_card.
apply: (@compare_shares N #|J| (N ^ N) M u v (N.-1 * b) a b K lam N0 v0 vu ab MS hK); last first.
  have := leq_mul hyp (leqnn (N.-1 ^ a)); rewrite exp1n mul1n subn1.
  have pN : N.-1 ^ (b - a) * N.-1 ^ a = N.-1 ^ b by rewrite -expnD subnK.
  rewrite /u -/v !expnMn -pN; move: (2 ^ K) (b ^ b) (N.-1 ^ v) (N.-1 ^ a) (a ^ a) (v ^ v) (N ^ b) => k B x t p q r le1.
  apply: leq_trans (_ : k * (B * x) * t <= _); first by apply: eq_leq; mring.
  by apply: leq_trans le1 _; apply: eq_leq; mring.
have := mean_all (fun z : [finType of {ffun 'I_N -> 'I_N}] => weighted J u v z (y (s z))); rewrite card1 => mean.
have sums : \sum_(z : {ffun 'I_N -> 'I_N}) weighted J u v z (y (s z)) <= 2 ^ lam * ((N.-1 * b) ^ #|J| * N ^ (N - #|J|)).
  apply: leq_trans (_ : \sum_(z : {ffun 'I_N -> 'I_N}) \sum_(t : S) weighted J u v z (y t) <= _).
    by apply: leq_sum => z _; rewrite (bigD1 (s z)) //= leq_addr.
  rewrite exchange_big /= (eq_bigr (fun=> (N.-1 * b) ^ #|J| * N ^ (N - #|J|))) => [|t _].
    by rewrite sum_nat_const leq_mul2r hS orbT.
  rewrite weighted_all //; congr (_ ^ _ * _); rewrite /u /v -{2}(subnK ab); move: (b - a) => d; mring.
have {}mean := leq_trans mean (exp_mono _ sums); move: mean.
have -> : \prod_(z : [finType of {ffun 'I_N -> 'I_N}]) weighted J u v z (y (s z)) = u ^ M * v ^ (#|J| * N ^ N - M).
  under eq_bigr => z _ do rewrite weightedE.
  rewrite big_split /= -!expn_sum; congr (_ * _ ^ _).
  by rewrite sumnB // sum_nat_const card1 mulnC.
rewrite (expnMn (2 ^ lam)) (expnMn ((N.-1 * b) ^ #|J|)) -!expnM => mean.
have NN : 0 < N ^ ((N - #|J|) * N ^ N) by rewrite expn_gt0 N0.
rewrite -(leq_pmul2l NN); apply: leq_trans (_ : N ^ (N * N ^ N) * (u ^ M * v ^ (#|J| * N ^ N - M)) <= _).
  by apply: eq_leq; rewrite [LHS]mulnA -expnD -mulnDl subnK.
apply: leq_trans mean _; apply: eq_leq; move: (2 ^ _) ((N.-1 * b) ^ _) (N ^ ((N - #|J|) * N ^ N)) => p q t; mring.
Qed.

(** A set of any larger size above a set. *)
Lemma larger_set (T : finType) (J : {set T}) k : #|J| <= k -> k <= #|T| -> exists2 J' : {set T}, J \subset J' & #|J'| = k.
Proof.
move=> Jk; elim: k Jk => [|k IH]; first by rewrite leqn0 => /eqP J0 _; exists J.
rewrite leq_eqVlt => /orP[/eqP <- _|Jk kT]; first by exists J.
have [J' sub card] := IH Jk (ltnW kT).
have /card_gt0P[x] : 0 < #|~: J'| by rewrite -(ltn_add2l #|J'|) addn0 cardsC card.
rewrite inE => xJ; exists (x |: J'); last by rewrite cardsU1 xJ card.
by apply: subset_trans sub _; apply: subsetUr.
Qed.

(** * 2. Copies and a window *)
Section Two.
Variables (md : model) (m n1 : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_m -> 'I_m}.
Variables (B0 B1 : seq (layer (act md))) (F : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1).
Hypothesis the_word : layers md = B0 ++ F :: B1.
Hypothesis stateless : \prod_(l <- B0) states l <= 1.
Variables (beta lam1 : nat).
Hypotheses (hb : sums F <= 2 ^ beta) (h1 : \prod_(l <- F :: B1) states l <= 2 ^ lam1).
Notation P := (N + m).+1.
Variables (x0 x1 : nat).

Section Family.
Variables (Z : 'I_x0 -> 'I_m) (T : 'I_x1 -> table1).
Definition tables_e (z2 : table2) s := vals z2 ++ vals (T s).
Definition before_e z2 s z := tables_e z2 s ++ [:: Val (Z z)].
Definition asked_e z2 s z (w : 'I_n1) := before_e z2 s z ++ [:: Query [:: val w]].
Definition own_we (w : 'I_n1) : act md := acts B0 (rcons (nseq P (Val 0)) (Query [:: val w])) P.
Definition own_ze (z : 'I_x0) : act md := acts B0 (rcons (nseq (N + m) (Val 0)) (Val (Z z))) (N + m).
(** Positions. *)
Lemma size_tables_e z2 s : size (tables_e z2 s) = N + m.
Proof. by rewrite size_cat !size_vals. Qed.
(** w stands at P. *)
Lemma size_before_e z2 s z : size (before_e z2 s z) = P.
Proof. by rewrite size_cat size_tables_e addn1. Qed.
(** Before the full layer w knows w, and the token of z_0 knows z_0. *)
Lemma own_weE z2 s z w : acts B0 (asked_e z2 s z w) P = own_we w.
Proof.
apply: knows_itself => //; rewrite /asked_e nth_cat size_before_e ltnn subnn nth_rcons size_nseq ltnn eqxx //.
Qed.
(** The token of z_0. *)
Lemma own_zeE z2 s z w : acts B0 (asked_e z2 s z w) (N + m) = own_ze z.
Proof.
apply: knows_itself => //; rewrite /asked_e nth_cat size_before_e leqnn nth_cat size_tables_e ltnn subnn.
by rewrite nth_rcons size_nseq ltnn eqxx.
Qed.

(** What the answers depend on: per copy the state into z_0's token, per w and per z_0 what it hears from table 2. *)
Definition passed_e := [finType of {ffun 'I_x1 -> all_states (F :: B1)} * {ffun 'I_n1 -> sum_type F} * {ffun 'I_x0 -> sum_type F}].
Definition passes_e (z2 : table2) : passed_e := ([ffun s => states_at (tables_e z2 s) (N + m) B0 (F :: B1)],
  [ffun w => partial_sum F (acts B0 (vals z2)) (own_we w) N P], [ffun z => partial_sum F (acts B0 (vals z2)) (own_ze z) N (N + m)]).
(** That is x_1·λ_1 + β·(n_1 + x_0) bits. *)
Lemma card_passed_e : #|passed_e| <= 2 ^ (x1 * lam1 + beta * (n1 + x0)).
Proof.
rewrite !card_prod !card_ffun !card_ord card_all_states card_sum_type mulnDr expnD expnD (mulnC x1) !expnM mulnA.
by apply: leq_mul; [apply: leq_mul|]; apply: exp_mono.
Qed.
(** The answers depend on nothing else. *)
Lemma passes_through_e z2 z2' s z w : passes_e z2 = passes_e z2' -> output md (asked_e z2 s z w) = output md (asked_e z2' s z w).
Proof.
move=> [/ffunP/(_ s) + /ffunP/(_ w) + /ffunP/(_ z)]; rewrite !ffunE => /states_atP st heard heard0.
rewrite /output /asked_e !(size_cat (before_e _ _ _)) !size_before_e addn1 /=; congr out.
rewrite -![foldl _ _ _ _]/(acts (layers md) _ _) -!/(asked_e _ _ _ _) the_word -cat_rcons.
have tail y : asked_e y s z w = tables_e y s ++ [:: Val (Z z); Query [:: val w]] by rewrite /asked_e /before_e -catA.
have [s1 s2] : same_states (asked_e z2 s z w) (asked_e z2' s z w) (N + m) B0 (F :: B1).
  by rewrite !tail; apply/same_states_prefix; rewrite ?size_tables_e.
have known j : N <= j -> acts B0 (asked_e z2 s z w) j = acts B0 (asked_e z2' s z w) j.
  move=> lj; apply: knows_itself => //; by rewrite !tail /tables_e -!catA !nth_cat !size_vals ltnNge lj.
have at_z0 : acts (rcons B0 F) (asked_e z2 s z w) (N + m) = acts (rcons B0 F) (asked_e z2' s z w) (N + m).
  apply: layer_at => //; first by rewrite !own_zeE.
  rewrite own_zeE; apply: (@sum_from _ _ _ _ _ N); first by apply: leq_addr.
    by rewrite !tail /tables_e -!catA !sum_prefix ?size_vals.
  by move=> j /andP[lj _]; apply: known.
have t1 : state_at F (acts B0 (asked_e z2 s z w)) P = state_at F (acts B0 (asked_e z2' s z w)) P.
  apply: (state_from (leqnSn _) s1) => j /andP[lj _]; apply: known; apply: leq_trans lj; apply: leq_addr.
have t2 : same_states (asked_e z2 s z w) (asked_e z2' s z w) P (rcons B0 F) B1.
  apply: (scan_before nB1 (leqnSn _) _ s2) => k /andP[lk]; rewrite ltnS => kl.
  by have -> : k = N + m by apply/eqP; rewrite eqn_leq kl lk.
apply: recs_at => //; apply: layer_at => //; first by rewrite !own_weE.
rewrite own_weE; apply: (@sum_from _ _ _ _ _ N); first by rewrite -addnS leq_addr.
  by rewrite !tail /tables_e -!catA !sum_prefix ?size_vals.
by move=> j /andP[lj _]; apply: known.
Qed.

(** The value that a copy asks at a place of the window; a repeat is a value that an earlier position has. *)
Definition asked_value (p : 'I_x1 * 'I_x0) : 'I_m := T p.1 (Z p.2).
Definition fresh (p : 'I_x1 * 'I_x0) : bool := [forall p', (enum_rank p' < enum_rank p) ==> (asked_value p' != asked_value p)].
(** Fresh positions ask different values. *)
Lemma fresh_inj p p' : fresh p -> fresh p' -> asked_value p = asked_value p' -> p = p'.
Proof.
move=> f f' e; case: (ltngtP (enum_rank p) (enum_rank p')) => [lt|lt|eq].
- by have := implyP (forallP f' p) lt; rewrite e eqxx.
- by have := implyP (forallP f p') lt; rewrite e eqxx.
by rewrite -[p]enum_rankK -[p']enum_rankK (val_inj eq).
Qed.

Hypothesis tm : x0 * x1 <= m.
(** How many answers at fresh positions are right, over all z_2. *)
Lemma fresh_bound a b K : closed_share 1 N (n1 * (x0 * x1)) (x1 * lam1 + beta * (n1 + x0)) a b K ->
  b * (\sum_(z2 : table2) \sum_(p | fresh p) \sum_(w < n1) (output md (asked_e z2 p.1 p.2 w) == z2 (entry (w, asked_value p)) : nat))
  <= a * (n1 * (x0 * x1) * N ^ N).
Proof.
move=> closed.
pose J := [set entry (pw.2, asked_value pw.1) | pw in [pred pw : ('I_x1 * 'I_x0) * 'I_n1 | fresh pw.1]].
have inj : {in [pred pw : ('I_x1 * 'I_x0) * 'I_n1 | fresh pw.1] &, injective (fun pw => @entry m n1 (pw.2, asked_value pw.1))}.
  by move=> [p w] [p' w']; rewrite !inE /= => f f' /entry_inj[-> /(fresh_inj f f') ->].
have cJ : #|J| <= n1 * (x0 * x1).
  rewrite card_in_imset //; apply: leq_trans (max_card _) _.
  by rewrite !card_prod !card_ord mulnC (mulnC x1).
have [J' sub cJ'] : exists2 J' : {set 'I_N}, J \subset J' & #|J'| = n1 * (x0 * x1).
  by apply: larger_set cJ _; rewrite card_ord mulnC leq_mul2r tm orbT.
have [y yE] := @word_of_answers _ _ _ passes_e (fun=> [pred pw | fresh pw.1]) (fun pw => entry (pw.2, asked_value pw.1))
  (fun z2 pw => output md (asked_e z2 pw.1.1 pw.1.2 pw.2)) (fun=> inj) (fun z2 z2' pw _ => @passes_through_e z2 z2' pw.1.1 pw.1.2 pw.2).
rewrite -cJ' in closed *.
apply: leq_trans (end_bound y passes_e card_passed_e closed); rewrite leq_mul2l; apply/orP; right; apply: leq_sum => z2 _.
rewrite (eq_bigl (fun p => fresh p && true)); last by move=> p; rewrite andbT.
rewrite pair_big_dep /= (eq_bigl (fun pw => fresh pw.1)); last by move=> pw; rewrite !andbT.
apply: (count_asked (e := fun pw => entry (pw.2, asked_value pw.1)) inj) => pw f /eqP right; rewrite !inE; apply/andP; split.
  by apply: (subsetP sub); apply/imsetP; exists pw => //; rewrite inE.
by apply/eqP; apply: yE.
Qed.
End Family.
End Two.

(** * 3. Repeats *)
Section Repeats.
Variables (m x0 x1 : nat).
Hypotheses (m0 : 0 < m) (x0m : x0 <= m) (x1m : x1 <= m).
Notation table1 := {ffun 'I_m -> 'I_m}.
(** At most one of all d. *)
Lemma at_most_one (D : finType) (B : pred D) : (forall d d', B d -> B d' -> d = d') -> \sum_(d : D) (B d : nat) <= 1.
Proof.
move=> one; have -> : \sum_(d : D) (B d : nat) = #|[set d | B d]|.
  by rewrite -sum1dep_card [RHS]big_mkcond; apply: eq_bigr => d _; case: (B d).
by apply/card_le1_eqP => d d'; rewrite !inE => h h'; apply: one.
Qed.
(** Two different entries collide for one table in m. *)
Lemma collisions (s s' e e' : 'I_m) : e != e' ->
  m * (\sum_(z1 : table1) (shifted m0 s z1 e == shifted m0 s' z1 e' : nat)) <= m ^ m.
Proof.
move=> ee; pose bump (d : 'I_m) (z1 : table1) : table1 := [ffun x => if x == e then Ordinal (ltn_pmod (z1 x + d) m0) else z1 x].
have inj d : injective (bump d).
  move=> z z' /ffunP E; apply/ffunP => i; have := E i; rewrite !ffunE; case: (i == e) => // /(congr1 val) /= /eqP.
  by rewrite eqn_modDr !modn_small // => /eqP; apply: val_inj.
pose coll z1 := (shifted m0 s z1 e == shifted m0 s' z1 e' : nat).
have -> : m * (\sum_(z1 : table1) coll z1) = \sum_(z1 : table1) \sum_(d : 'I_m) coll (bump d z1).
  rewrite [RHS]exchange_big /=; transitivity (\sum_(d : 'I_m) \sum_(z1 : table1) coll z1); first by rewrite sum_nat_const card_ord.
  by apply: eq_bigr => d _; rewrite (reindex_inj (inj d)).
apply: leq_trans (_ : \sum_(z1 : table1) 1 <= _); last by rewrite sum1_card card_ffun !card_ord.
apply: leq_sum => z1 _; apply: at_most_one => d d' /eqP h /eqP h'.
have same y : shifted m0 s' (bump y z1) e' = shifted m0 s' z1 e'.
  by apply: val_inj; rewrite /= !ffunE /= ?ffunE eq_sym (negbTE ee).
have : shifted m0 s (bump d z1) e = shifted m0 s (bump d' z1) e by rewrite h h' !same.
move=> /(congr1 val); rewrite !ffunE /= ?ffunE eqxx /= => /eqP.
by rewrite eqn_modDr !modn_mod eqn_modDl !modn_small // => /eqP; apply: val_inj.
Qed.

Definition copy (s : 'I_x1) (z1 : table1) : table1 := shifted m0 (widen_ord x1m s) z1.
Definition window (r : 'I_m) (z : 'I_x0) : 'I_m := Ordinal (ltn_pmod (r + z) m0).
(** A window has different places ... *)
Lemma window_inj r : injective (window r).
Proof.
move=> z z' /(congr1 val) /= /eqP; rewrite eqn_modDl !modn_small ?(leq_trans (ltn_ord _)) // => /eqP; exact: val_inj.
Qed.
(** ... and place z of all windows is every place once. *)
Lemma window_inj2 z : injective (window^~ z).
Proof. by move=> r r' /(congr1 val) /= /eqP; rewrite eqn_modDr !modn_small // => /eqP; apply: val_inj. Qed.

Notation position := ('I_x1 * 'I_x0)%type.
Definition collide r z1 (p p' : position) : bool :=
  (p.2 != p'.2) && (asked_value (window r) (copy^~ z1) p == asked_value (window r) (copy^~ z1) p').
(** Repeats are collisions with an earlier position. *)
Lemma repeats_collide r z1 : 2 * #|[pred p : position | ~~ fresh (window r) (copy^~ z1) p]|
  <= \sum_(p : position) \sum_(p' : position) (collide r z1 p p' : nat).
Proof.
pose A := \sum_(p : position) \sum_(p' : position) (((enum_rank p' < enum_rank p) && collide r z1 p p') : nat).
have le : #|[pred p : position | ~~ fresh (window r) (copy^~ z1) p]| <= A.
  rewrite -sum1_card big_mkcond; apply: leq_sum => p _; rewrite inE; case: ifP => // /forallPn[p']; rewrite negb_imply negbK => /andP[lt /eqP e].
  rewrite (bigD1 p') //= lt /collide e eqxx andbT /=; case: eqP => //= e2.
  case: p p' lt e e2 => [s z] [s' z'] /= lt e e2; move: lt e; rewrite e2 /asked_value /copy /= => lt /shifted_values /(congr1 val) /= es.
  by move: lt; rewrite (val_inj es) ltnn.
have sym : A = \sum_(p : position) \sum_(p' : position) (((enum_rank p < enum_rank p') && collide r z1 p p') : nat).
  rewrite /A exchange_big; apply: eq_bigr => p _; apply: eq_bigr => p' _; congr nat_of_bool; congr andb.
  by rewrite /collide eq_sym (eq_sym (asked_value _ _ _)).
rewrite mul2n -addnn; apply: leq_trans (leq_add le le) _; rewrite {2}sym -big_split; apply: leq_sum => p _.
by rewrite -big_split; apply: leq_sum => p' _ /=; case: ltngtP; case: (collide _ _ _ _).
Qed.
(** All repeats: x_1²·x_0·(x_0 − 1)/2m of all tables. *)
Lemma all_repeats r : 2 * m * (\sum_(z1 : table1) #|[pred p : position | ~~ fresh (window r) (copy^~ z1) p]|)
  <= x1 ^ 2 * (x0 * x0.-1) * m ^ m.
Proof.
rewrite (mulnC 2) -mulnA big_distrr /=.
apply: leq_trans (_ : m * (\sum_(z1 : table1) \sum_(p : position) \sum_(p' : position) (collide r z1 p p' : nat)) <= _).
  by rewrite leq_mul2l; apply/orP; right; apply: leq_sum => z1 _; apply: repeats_collide.
rewrite exchange_big big_distrr /=.
apply: leq_trans (_ : \sum_(p : position) \sum_(p' : position) (p.2 != p'.2) * m ^ m <= _).
  apply: leq_sum => p _; rewrite exchange_big big_distrr; apply: leq_sum => p' _ /=.
  rewrite /collide; case: eqP => [_|/eqP ne]; first by rewrite big1 ?muln0.
  by rewrite mul1n; apply: collisions; rewrite (inj_eq (@window_inj r)).
apply: eq_leq; rewrite (eq_bigr (fun=> x1 * x0.-1 * m ^ m)) => [|p _]; last first.
  rewrite -big_distrl /=; congr (_ * _).
  rewrite -(pair_big xpredT xpredT (fun (s : 'I_x1) (z : 'I_x0) => (p.2 != z : nat))) /= sum_nat_const card_ord; congr (_ * _).
  rewrite -[x0 in RHS]card_ord -(cardC1 p.2) -sum1_card [RHS]big_mkcond; apply: eq_bigr => z _; by rewrite !inE eq_sym; case: (_ == _).
rewrite sum_nat_const card_prod !card_ord -mulnn; move: (m ^ m) (x0.-1) => k l; mring.
Qed.
End Repeats.

(** * 4. The theorem *)
Section Bound.
Variables (md : model) (m n1 : nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_m -> 'I_m}.
Variables (B0 B1 : seq (layer (act md))) (F : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1).
Hypothesis the_word : layers md = B0 ++ F :: B1.
Hypothesis stateless : \prod_(l <- B0) states l <= 1.
Variables (beta lam1 : nat).
Hypotheses (hb : sums F <= 2 ^ beta) (h1 : \prod_(l <- F :: B1) states l <= 2 ^ lam1).
Variables (x0 x1 a b K : nat).
Hypotheses (x00 : 0 < x0) (x10 : 0 < x1) (tm : x0 * x1 <= m).
Hypothesis closed : closed_share 1 N (n1 * (x0 * x1)) (x1 * lam1 + beta * (n1 + x0)) a b K.

(** Every copy and every place of the window is a uniform input. *)
Lemma uniform_positions (m0 : 0 < m) (x1m : x1 <= m) :
  x0 * x1 * right_inputs m [:: n1] md = \sum_(r : 'I_m) \sum_(z1 : table1) \sum_(p : 'I_x1 * 'I_x0)
    \sum_(w < n1) \sum_(z2 : table2) right_w md z2 (copy m0 x1m p.1 z1) (window m0 r p.2) w.
Proof.
pose G z0 z1 := \sum_(w < n1) \sum_(z2 : table2) right_w md z2 z1 z0 w.
have each (p : 'I_x1 * 'I_x0) : \sum_(r : 'I_m) \sum_(z1 : table1) G (window m0 r p.2) (copy m0 x1m p.1 z1) = right_inputs m [:: n1] md.
  rewrite right_inputs_sum -/G [RHS](reindex_inj (@window_inj2 m x0 m0 p.2)) /=; apply: eq_bigr => r _.
  by rewrite [RHS](reindex_inj (@shifted_inj m m0 (widen_ord x1m p.1))).
under [RHS]eq_bigr => r _ do rewrite exchange_big /=.
rewrite [RHS]exchange_big /= (eq_bigr (fun=> right_inputs m [:: n1] md)); last by move=> p _; apply: each.
by rewrite sum_nat_const card_prod !card_ord (mulnC x1).
Qed.

(** E for two tables without early state: accuracy ≤ a/b + (t − x_1)/2m. *)
Lemma E_two_exact : 2 * m * b * right_inputs m [:: n1] md <= (2 * m * a + b * (x1 * x0.-1)) * size (all_inputs m [:: n1]).
Proof.
have m0 : 0 < m by apply: leq_trans tm; rewrite muln_gt0 x00 x10.
have x1m : x1 <= m by apply: leq_trans tm; rewrite leq_pmull.
have x0m : x0 <= m by apply: leq_trans tm; rewrite leq_pmulr.
have t0 : 0 < x0 * x1 by rewrite muln_gt0 x00 x10.
have -> : size (all_inputs m [:: n1]) = m * (m ^ m * (n1 * N ^ N)).
  by rewrite size_all_inputs /= muln1; move: (m ^ m) (N ^ N) => k l; mring.
rewrite -(leq_pmul2l t0).
have split r z1 : \sum_(p : 'I_x1 * 'I_x0) \sum_(w < n1) \sum_(z2 : table2) right_w md z2 (copy m0 x1m p.1 z1) (window m0 r p.2) w
  <= (\sum_(z2 : table2) \sum_(p : 'I_x1 * 'I_x0 | fresh (window m0 r) (copy m0 x1m ^~ z1) p) \sum_(w < n1)
        (output md (asked_e (window m0 r) (copy m0 x1m ^~ z1) z2 p.1 p.2 w) == z2 (entry (w, asked_value (window m0 r) (copy m0 x1m ^~ z1) p)) : nat))
     + #|[pred p : 'I_x1 * 'I_x0 | ~~ fresh (window m0 r) (copy m0 x1m ^~ z1) p]| * (n1 * N ^ N).
  rewrite (bigID (fresh (window m0 r) (copy m0 x1m ^~ z1))) /=; apply: leq_add.
    apply: leq_trans (_ : \sum_(p : 'I_x1 * 'I_x0 | fresh (window m0 r) (copy m0 x1m ^~ z1) p) \sum_(z2 : table2) \sum_(w < n1)
        (output md (asked_e (window m0 r) (copy m0 x1m ^~ z1) z2 p.1 p.2 w) == z2 (entry (w, asked_value (window m0 r) (copy m0 x1m ^~ z1) p)) : nat) <= _);
      last by apply: eq_leq; apply: exchange_big.
    apply: leq_sum => p _; rewrite exchange_big /=; apply: leq_sum => z2 _; apply: leq_sum => w _.
    rewrite /right_w; have -> : prompt (window m0 r p.2) [:: table_values (copy m0 x1m p.1 z1); table_values z2] [:: val w]
      = asked_e (window m0 r) (copy m0 x1m ^~ z1) z2 p.1 p.2 w by rewrite /asked_e /before_e /tables_e /vals /prompt /= cats0 map_cat -!catA.
    by [].
  rewrite -sum_nat_const; apply: leq_sum => p _; apply: leq_trans (_ : \sum_(w < n1) \sum_(z2 : table2) 1 <= _).
    by apply: leq_sum => w _; apply: leq_sum => z2 _; case: (right_w _ _ _ _ _).
  by rewrite !sum_nat_const card_ffun !card_ord muln1.
have all_of : x0 * x1 * right_inputs m [:: n1] md * b * (2 * m) <=
    m * m ^ m * (a * (n1 * (x0 * x1) * N ^ N)) * (2 * m) + b * (m * (x1 ^ 2 * (x0 * x0.-1) * m ^ m) * (n1 * N ^ N)).
  rewrite (uniform_positions m0 x1m).
  set V := \sum_(r < m) _.
  pose Fr r z1 := (\sum_(z2 : table2) \sum_(p : 'I_x1 * 'I_x0 | fresh (window m0 r) (copy m0 x1m ^~ z1) p) \sum_(w < n1)
        (output md (asked_e (window m0 r) (copy m0 x1m ^~ z1) z2 p.1 p.2 w) == z2 (entry (w, asked_value (window m0 r) (copy m0 x1m ^~ z1) p)) : nat)).
  pose Rp r (z1 : table1) := #|[pred p : 'I_x1 * 'I_x0 | ~~ fresh (window m0 r) (copy m0 x1m ^~ z1) p]|.
  have V1 : V <= \sum_(r < m) \sum_(z1 : table1) Fr r z1 + (\sum_(r < m) \sum_(z1 : table1) Rp r z1) * (n1 * N ^ N).
    rewrite big_distrl -big_split /=; apply: leq_sum => r _; rewrite big_distrl -big_split /=; apply: leq_sum => z1 _; exact: split.
  have V2 : b * (\sum_(r < m) \sum_(z1 : table1) Fr r z1) <= m * m ^ m * (a * (n1 * (x0 * x1) * N ^ N)).
    apply: leq_trans (_ : \sum_(r < m) \sum_(z1 : table1) a * (n1 * (x0 * x1) * N ^ N) <= _); last first.
      by rewrite !sum_nat_const card_ffun !card_ord mulnA.
    rewrite big_distrr; apply: leq_sum => r _; rewrite big_distrr; apply: leq_sum => z1 _.
    exact: (@fresh_bound md m n1 B0 B1 F nB0 nB1 the_word stateless beta lam1 hb h1 x0 x1 (window m0 r) (copy m0 x1m ^~ z1) tm a b K closed).
  have V3 : 2 * m * (\sum_(r < m) \sum_(z1 : table1) Rp r z1) <= m * (x1 ^ 2 * (x0 * x0.-1) * m ^ m).
    rewrite -[X in _ <= X * _]card_ord -sum_nat_const big_distrr; apply: leq_sum => r _; exact: all_repeats.
  move: V1 V2 V3; move: V (\sum_(r < m) \sum_(z1 : table1) Fr r z1) (\sum_(r < m) \sum_(z1 : table1) Rp r z1) => V f q V1 V2 V3.
  apply: leq_trans (_ : (f + q * (n1 * N ^ N)) * b * (2 * m) <= _); first by rewrite !leq_mul2r V1 !orbT.
  rewrite !mulnDl; apply: leq_add; first by apply: leq_mul => //; rewrite mulnC.
  apply: leq_trans (_ : b * (2 * m * q * (n1 * N ^ N)) <= _); first by apply: eq_leq; move: (N ^ N) => l; mring.
  by rewrite leq_mul2l leq_mul2r V3 !orbT.
apply: leq_trans (_ : x0 * x1 * right_inputs m [:: n1] md * b * (2 * m) <= _); first by apply: eq_leq; move: (right_inputs _ _ _) => y; mring.
apply: leq_trans all_of _; apply: eq_leq; rewrite -mulnn; move: (m ^ m) (N ^ N) (x0.-1) => k l c; mring.
Qed.
End Bound.

(** Theorem E, two tables, at most one full layer, λ_0 = 0 (late): accuracy ≤ (t − x_1)/2m + ⟨1/N; D_2/(n_1·t)⟩, t = x_0·x_1 ≤ m,
    D_2 = x_1·λ_1 + β·(n_1 + x_0); ⟨1/N; D_2/(n_1·t)⟩ ≤ a/b in integers. *)
Theorem E_two beta lam m n1 (md : model) x0 x1 a b K :
  message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  0 < x0 -> 0 < x1 -> x0 * x1 <= m ->
  closed_share 1 (m * n1) (n1 * (x0 * x1)) (x1 * lam 1 + beta * (n1 + x0)) a b K ->
  2 * m * b * right_inputs m [:: n1] md <= (2 * m * a + b * (x1 * x0.-1)) * size (all_inputs m [:: n1]).
Proof.
move=> hb hl hF l0 x00 x10 tm closed.
have [md' [same [B0 [F [B1 [E [nB0 nB1] hbF [h0 h1]]]]]]] := one_full_word hb hl hF; rewrite l0 in h0.
have -> : right_inputs m [:: n1] md = right_inputs m [:: n1] md' by apply: eq_count => i; rewrite same.
exact: (@E_two_exact md' m n1 B0 B1 F nB0 nB1 E h0 beta (lam 1) hbF h1 x0 x1 a b K x00 x10 tm closed).
Qed.

(** FR, β = 1, λ_1 = 1, m = 12, n_1 = 4: at most 7 of 12 inputs are answered rightly (x_0 = x_1 = 2). *)
Theorem E_two_instance (md : model) : message_bits md 1 -> block_bits md (fun t => t) -> number_full md <= 1 ->
  48 * right_inputs 12 [:: 4] md <= 28 * size (all_inputs 12 [:: 4]).
Proof. by move=> hb hl hF; apply: (@E_two 1 (fun t => t) 12 4 md 2 2 1 2 1 hb hl hF). Qed.
