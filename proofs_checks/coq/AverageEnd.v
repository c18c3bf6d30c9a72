(** The end of Theorem E (theory 5.7): what is known says one answer along each path, and fresh paths ask different entries of the
    last table. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime Cube
  NestedBound Deficit Posterior Repeats Splits AverageLaw.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Answers.
Variables (N : nat) (Pa : finType) (ent : Pa -> 'I_N) (fresh : {set Pa}) (said : Pa -> nat).
Hypothesis inj : {in fresh &, injective ent}.
Notation last_table := (Tables [:: N]).
Definition is_right (u : last_table) (p : Pa) : bool := said p == u.2 (ent p).
Definition right_fresh (u : last_table) : nat := hits (fun u p _ => is_right u p) u (enum fresh).
(** It is their number. *)
Lemma right_freshE u : right_fresh u = \sum_(p in fresh) is_right u p.
Proof.
rewrite /right_fresh -big_enum /=; elim: (enum fresh) => [|p s IH] /=; first by rewrite big_nil.
by rewrite big_cons IH.
Qed.
Definition written (e : 'I_N) (u : last_table) : 'I_N := u.2 e.
Definition rewritten (e : 'I_N) (u : last_table) (y : 'I_N) : last_table := (u.1, [ffun e' => if e' == e then y else u.2 e']).
(** Rewriting changes one entry, *)
Lemma written_rewritten e e' u y : written e (rewritten e' u y) = if e == e' then y else written e u.
Proof. by rewrite /written ffunE. Qed.
(** and can be undone. *)
Lemma rewritten_back e u y : rewritten e (rewritten e u y) (written e u) = u.
Proof.
case: u => [[] f]; congr pair; apply/ffunP => e'; rewrite !ffunE /written /=; by case: eqP => // ->.
Qed.
(** Under uniform tables one answer is right with probability 1/N. *)
Lemma right_moment c d t : 1 < N -> d <= c -> #|fresh| <= t ->
  (\sum_u c ^ right_fresh u * d ^ (t - right_fresh u)) * N ^ t <= #|last_table| * ((N - 1) * d + 1 * c) ^ t.
Proof.
move=> N1 dc le; have := @hits_moment_padded last_table [finType of 'I_N] [eqType of 'I_N] written rewritten.
move=> /(_ (fun e u y => etrans (written_rewritten e e u y) (ifT _ _ (eqxx e)))).
move=> /(_ rewritten_back _ ent (fun u p _ => is_right u p) (fun=> 1)).
have set_it u k y e es : k \notin [seq ent e | e <- e :: es] -> is_right (rewritten k u y) e = is_right u e.
  by rewrite inE negb_or eq_sym => /andP[/negbTE ne _]; rewrite /is_right ffunE ne.
have few u e es : uniq [seq ent e | e <- e :: es] -> \sum_y (is_right (rewritten (ent e) u y) e : nat) <= 1.
  move=> _; rewrite /is_right; case: (pickP (fun y : 'I_N => said e == y)) => [y0 /eqP Ey|none].
    rewrite (bigD1 y0) //= big1 ?addn0 ?leq_b1 // => y ne; rewrite ffunE eqxx Ey.
    by case: eqP => // E; case/negP: ne; apply/eqP; apply: val_inj.
  by rewrite big1 // => y _; rewrite ffunE eqxx none.
move=> /(_ set_it few c d dc (enum fresh) t); rewrite card_ord -cardE => mom.
apply: leq_trans (mom _ le) _; first by rewrite map_inj_in_uniq ?enum_uniq // => p p'; rewrite !mem_enum; apply: inj.
rewrite prod_nat_const card_ord !mul1n; apply: eq_leq; congr (_ * _ ^ _).
by rewrite -{1}(subnK (ltnW N1)) mulnDl mul1n -addnA subnKC.
Qed.
End Answers.

Section End.
Variables (x0 : nat) (start : 'I_x0 -> nat) (b : nat) (out : seq token -> nat).
Notation hidden N ns := (Tables (sizes N ns)).
(** Along every path the output does not depend on the possible last tables. *)
Definition answers_known N : blindness N [::] := fun Pa S low =>
  forall p u u', u \in S -> u' \in S -> out (prompt (low p).1.1 (rcons (low p).1.2 (table_values u.2)) (low p).2)
    = out (prompt (low p).1.1 (rcons (low p).1.2 (table_values u'.2)) (low p).2).

(** The share of right answers, for the window of z_0: at most A/b, for repeats, and a/b. *)
Theorem law_end D t A X N lo nl a K : 1 < N -> share_bound 1 N t D a b K ->
  @law x0 start b D t A X N [::] lo nl (@answers_known N) ->
  b * (\sum_i \sum_(w <- all_queries nl) \sum_(u : hidden N [::]) \sum_(zs <- all_tables lo)
    (out (prompt (start i) (rcons zs (table_values u.2)) w) == answer (start i) (rcons zs (table_values u.2)) w))
  <= (A + a) * (x0 * size (all_queries nl) * (#|hidden N [::]| * size (all_tables lo))).
Proof.
move=> N1 share [V [Pa [q [z [wd [zl [ent [fresh [[Q0 def cPa X0] [ask inj sel] [uni cov] blind]]]]]]]]].
pose o v p : nat := if [pick u | 0 < q u v] is Some u then out (prompt (z p) (rcons (zl v p) (table_values u.2)) (wd p)) else 0.
pose right (u : hidden N [::]) v p := out (prompt (z p) (rcons (zl v p) (table_values u.2)) (wd p)) == u.2 (ent v p).
have rightE u v p : 0 < q u v -> right u v p = is_right (ent v) (o v) u p.
  move=> quv; rewrite /right /is_right /o; case: pickP => [u' qu'|/(_ u)]; last by rewrite quv.
  by rewrite (blind v p u u') ?inE.
(* fresh paths *)
have le v : #|fresh v| <= t by rewrite -cPa max_card.
have fresh_right : b * (\sum_u \sum_v q u v * right_fresh (ent v) (fresh v) (o v) u) <= a * (t * total q).
  apply: (tilt_bound def (g := 1) (h := N) _ _ share) => [u v|c d _ dc].
    by apply: leq_trans (le v); rewrite cardE; apply: hits_le.
  rewrite (mulnC #|_|) -mulnA -sum_nat_const exchange_big big_distrl /=; apply: leq_sum => v _.
  exact: (right_moment (o v) (inj v) N1 dc (le v)).
(* all paths *)
have all_right : b * (\sum_p \sum_u \sum_v q u v * right u v p) <= (A + a) * (t * total q).
  move: sel; rewrite /seldom_repeated cPa => sel; rewrite mulnDl; apply: leq_trans (leq_add sel fresh_right); rewrite -mulnDr leq_mul2l -big_split /=; apply/orP; right.
  rewrite exchange_big; apply: leq_sum => u _; rewrite exchange_big -big_split; apply: leq_sum => v _ /=.
  rewrite -big_distrr -mulnDr /=; case: (posnP (q u v)) => [->|quv] //; rewrite leq_mul2l; apply/orP; right.
  rewrite right_freshE (bigID (mem (fresh v))) /= addnC; apply: leq_add; last by apply: eq_leq; apply: eq_bigr => p _; rewrite rightE.
  by rewrite -sum1_card [X in X <= _]big_mkcond [X in _ <= X]big_mkcond /=; apply: leq_sum => p _; rewrite inE; case: (_ \in _) => //=; apply: leq_b1.
(* uniform inputs *)
pose phi z0 w (u : hidden N [::]) zs : nat := out (prompt z0 (rcons zs (table_values u.2)) w) == answer z0 (rcons zs (table_values u.2)) w.
pose G z0 w := \sum_u \sum_(zs <- all_tables lo) phi z0 w u zs.
set M := \sum_i _; have paths : (\sum_p \sum_u \sum_v q u v * right u v p) * (#|hidden N [::]| * size (all_tables lo)) = total q * (X * M).
  rewrite -(cov G) big_distrr big_distrl /=; apply: eq_bigr => p _; rewrite -(uni p (phi (z p) (wd p))); congr (_ * _).
  apply: eq_bigr => u _; apply: eq_bigr => v _; congr (_ * nat_of_bool (_ == _)).
  have := ask v p [:: table_values u.2] [::] isT; rewrite cats0 cats1 => -> /=.
  by rewrite nth_table_values.
clearbody M; have tE : t = X * (x0 * size (all_queries nl)).
  have := cov (fun _ _ => 1); rewrite sum1_card cPa => ->; congr (_ * _).
  by under eq_bigr do rewrite sum_seq_const muln1; rewrite sum_nat_const card_ord.
rewrite -(leq_pmul2l Q0) -(leq_pmul2l X0); have := leq_mul all_right (leqnn (#|hidden N [::]| * size (all_tables lo))).
rewrite -mulnA paths tE; move: (#|_| * size _) (total q) (size (all_queries nl)) => u Q w le1.
apply: leq_trans (_ : b * (Q * (X * M)) <= _); first by apply: eq_leq; clear; mring.
by apply: leq_trans le1 _; apply: eq_leq; mring.
Qed.
End End.
