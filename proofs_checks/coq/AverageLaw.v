(** One level of Theorem E (theory 5.7): a law of the hidden tables and of what is known, with paths: a value z_0, one copy of each
    table below and a query digit for each. Along every path the hidden tables and the copies are uniform; fresh paths ask different
    entries of the next table. The step draws copies of the next table and tells a message; the end counts right answers. Nothing
    here is about layers: `good` says what is blind, for each set of hidden tables that is possible when something is known. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime
  NestedBound Deficit Posterior Repeats Splits.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A path: z_0, the copies, the digits. *)
Notation path_input := (nat * seq (seq nat) * seq nat)%type.

Section Law.
Variables (x0 : nat) (start : 'I_x0 -> nat) (b : nat).
Notation table N := {ffun 'I_N -> 'I_N}.
Notation hidden N ns := (Tables (sizes N ns)).
Definition blindness N ns : Type := forall Pa : finType, {set hidden N ns} -> (Pa -> path_input) -> Prop.

Section Level.
Variables (N : nat) (ns : seq nat) (V Pa : finType) (q : hidden N ns -> V -> nat).
Variables (z : Pa -> nat) (wd : Pa -> seq nat) (zl : V -> Pa -> seq (seq nat)) (ent : V -> Pa -> 'I_N) (fresh : V -> {set Pa}).
(** Along a path the hidden tables and the copies are uniform. *)
Definition uniform_paths lo : Prop := forall p (phi : hidden N ns -> seq (seq nat) -> nat),
  (\sum_u \sum_v q u v * phi u (zl v p)) * (#|hidden N ns| * size (all_tables lo))
  = total q * \sum_u \sum_(zs <- all_tables lo) phi u zs.
(** All paths together: every z_0 and every query, X times. *)
Definition cover_paths nl X : Prop := forall g : nat -> seq nat -> nat,
  \sum_p g (z p) (wd p) = X * \sum_i \sum_(w <- all_queries nl) g (start i) w.
(** The copies lead to the asked entry. *)
Definition paths_ask : Prop := forall v p zr wr, 0 < size zr -> answer (z p) (zl v p ++ zr) (wd p ++ wr) = answer (ent v p) zr wr.
(** On average at most A/b of all paths are not fresh. *)
Definition seldom_repeated A : Prop := b * (\sum_u \sum_v q u v * #|~: fresh v|) <= A * (#|Pa| * total q).
End Level.

(** D bits are told, t entries asked, at most A/b of them again; X copies of paths; tables lo and digits nl are behind. *)
Definition law (D t A X N : nat) (ns lo nl : seq nat) (good : blindness N ns) : Prop :=
  exists (V Pa : finType) (q : hidden N ns -> V -> nat) (z : Pa -> nat) (wd : Pa -> seq nat) (zl : V -> Pa -> seq (seq nat))
    (ent : V -> Pa -> 'I_N) (fresh : V -> {set Pa}),
  [/\ [/\ 0 < total q, deficit q D, #|Pa| = t & 0 < X],
      [/\ paths_ask z wd zl ent, forall v, {in fresh v &, injective (ent v)} & seldom_repeated q fresh A],
      uniform_paths q zl lo /\ cover_paths z wd nl X
    & forall v, good Pa [set u | 0 < q u v] (fun p => (z p, zl v p, wd p))].

(** * 1. Repeats among the drawn values *)
Section Drawn.
Variables (N x : nat) (Pa : finType) (ent : Pa -> 'I_N) (fresh : {set Pa}).
Hypothesis ent_inj : {in fresh &, injective ent}.
Notation draws := {ffun 'I_x -> table N}.
Definition places : seq ('I_x * Pa) := [seq (a, p) | a <- enum 'I_x, p <- enum fresh].
Definition place_key (ap : 'I_x * Pa) : 'I_x * 'I_N := (ap.1, ent ap.2).
Definition drawn_at (k : 'I_x * 'I_N) (F : draws) : 'I_N := F k.1 k.2.
Definition redraw (k : 'I_x * 'I_N) (F : draws) (y : 'I_N) : draws :=
  [ffun a => if a == k.1 then [ffun e => if e == k.2 then y else F a e] else F a].
Definition value_at (F : draws) (ap : 'I_x * Pa) : 'I_N := drawn_at (place_key ap) F.
Definition again (F : draws) (e : 'I_x * Pa) (es : seq ('I_x * Pa)) : bool := value_at F e \in [seq value_at F e | e <- es].
Definition repeats (F : draws) : nat := hits again F places.
(** The new paths that are fresh, before their digit. *)
Definition new_values (F : draws) : seq ('I_x * Pa) := firsts (value_at F) places.

(** x·(fresh paths) places, each once, with entries of their own. *)
Lemma size_places : size places = x * #|fresh|.
Proof. by rewrite size_allpairs -!cardE card_ord. Qed.
(** No place twice. *)
Lemma uniq_places : uniq places.
Proof. by apply: allpairs_uniq; rewrite ?enum_uniq // => -[a p] [a' p'] _ _ /= [-> ->]. Qed.
(** A place is a copy and a fresh path. *)
Lemma mem_places a p : ((a, p) \in places) = (p \in fresh).
Proof.
apply/allpairsP/idP => [[[a' p'] /= [_ + [_ ->]]]|pf]; first by rewrite mem_enum.
by exists (a, p); rewrite !mem_enum.
Qed.
(** Different places are different entries of different copies. *)
Lemma uniq_keys : uniq [seq place_key e | e <- places].
Proof.
rewrite map_inj_in_uniq ?uniq_places // => -[a p] [a' p']; rewrite !mem_places => pf pf' [-> E].
by congr pair; apply: ent_inj.
Qed.

(** Redrawing an entry. *)
Lemma drawn_redraw k k' F y : drawn_at k (redraw k' F y) = if k == k' then y else drawn_at k F.
Proof. by case: k k' => [a e] [a' e']; rewrite /drawn_at !ffunE /= xpair_eqE; case: (a == a'); rewrite // !ffunE. Qed.
(** Redrawn twice, it is as before. *)
Lemma redraw_back k F y : redraw k (redraw k F y) (drawn_at k F) = F.
Proof.
apply/ffunP => a; rewrite !ffunE; case: eqP => // ->; apply/ffunP => e; rewrite !ffunE.
by case: eqP => // ->.
Qed.

(** Under uniform draws: Σ c^repeats·d^(t−repeats)·(2N)^t ≤ (draws)·(2N·d + (t−1)·(c−d))^t for any t that is not less than the places. *)
Lemma repeats_moment c d t : d <= c -> size places <= t ->
  (\sum_F c ^ repeats F * d ^ (t - repeats F)) * (2 * N) ^ t <= #|[finType of draws]| * (2 * N * d + t.-1 * (c - d)) ^ t.
Proof.
move=> dc le; have := @hits_moment_padded [finType of draws] [finType of 'I_N] [eqType of 'I_x * 'I_N] drawn_at redraw.
move=> /(_ (fun k F y => etrans (drawn_redraw k k F y) (ifT _ _ (eqxx k)))).
move=> /(_ redraw_back _ place_key again id).
have set_it F k y e es : k \notin [seq place_key e | e <- e :: es] -> again (redraw k F y) e es = again F e es.
  have same e' : place_key e' != k -> value_at (redraw k F y) e' = value_at F e'.
    by rewrite /value_at drawn_redraw => /negbTE ->.
  rewrite inE negb_or eq_sym => /andP[ne no]; rewrite /again same //; congr (_ \in _); apply/eq_in_map => e' he'; apply: same.
  by apply: contra no => /eqP <-; apply: map_f.
have few F e es : uniq [seq place_key e | e <- e :: es] -> \sum_y (again (redraw (place_key e) F y) e es : nat) <= size es.
  move=> /andP[no _]; have same y e' : e' \in es -> value_at (redraw (place_key e) F y) e' = value_at F e'.
    by move=> he'; rewrite /value_at drawn_redraw; case: eqP => // E; case/negP: no; rewrite -E map_f.
  rewrite -(size_map (value_at F) es); apply: leq_trans (card_size _).
  rewrite -sum1_card [X in _ <= X]big_mkcond; apply: leq_sum => y _; rewrite /again {1}/value_at drawn_redraw eqxx.
  have -> : [seq value_at (redraw (place_key e) F y) e' | e' <- es] = [seq value_at F e' | e' <- es].
    by apply/eq_in_map => e' he'; apply: same.
  by case: (y \in _).
move=> /(_ set_it few c d dc places t uniq_keys le); rewrite card_ord => mom.
have := leq_mul mom (leqnn (2 ^ t)); have -> : (2 * N) ^ t = N ^ t * 2 ^ t by rewrite expnMn mulnC.
rewrite mulnA => le2; apply: leq_trans le2 _.
by rewrite -mulnA leq_mul2l growing_hits orbT.
Qed.
(** Fresh places and repeats are all places. *)
Lemma size_new_values F : size (new_values F) + repeats F = x * #|fresh|.
Proof. by rewrite -size_places /new_values /repeats; apply: size_firsts. Qed.
End Drawn.
End Law.
