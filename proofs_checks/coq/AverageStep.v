(** The step and the end of Theorem E (theory 5.7), for any notion of what is blind. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime Cube
  NestedBound Deficit Posterior Repeats Splits AverageLaw.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** All queries, the last digit apart. *)
Lemma sum_queries nl n (g : seq nat -> nat) :
  \sum_(w <- all_queries (rcons nl n)) g w = \sum_(w <- all_queries nl) \sum_(i < n) g (rcons w i).
Proof.
elim: nl g => [|k nl IH] g.
  rewrite -[all_queries (rcons [::] n)]/[seq i :: w | i <- iota 0 n, w <- [:: [::]]] big_allpairs_dep big_seq1.
  rewrite -(big_mkord xpredT (fun i => g (rcons [::] i))) /index_iota subn0; apply: eq_bigr => i _; by rewrite big_seq1.
by rewrite [rcons _ _]/= [all_queries (_ :: _)]/= [in RHS]/= !big_allpairs_dep /=; apply: eq_bigr => v _; rewrite (IH (fun w => g (v :: w))).
Qed.
(** All lower tables, the last one apart. *)
Lemma sum_lower lo N (g : seq (seq nat) -> nat) :
  \sum_(zs <- all_tables (rcons lo N)) g zs = \sum_(zs <- all_tables lo) \sum_(t : {ffun 'I_N -> 'I_N}) g (rcons zs (table_values t)).
Proof. by rewrite sum_all_tables; apply: eq_bigr => zs _; rewrite sum_lists. Qed.
(** There are |lower| times as many lists of tables with one table more. *)
Lemma size_lower lo N : size (all_tables (rcons lo N)) = size (all_tables lo) * #|{ffun 'I_N -> 'I_N}|.
Proof.
have := sum_lower lo N (fun=> 1); under [X in _ = X]eq_bigr do rewrite sum1_card.
by rewrite !sum_seq_const muln1.
Qed.

Section Step.
Variables (x0 : nat) (start : 'I_x0 -> nat) (b : nat).
Notation table N := {ffun 'I_N -> 'I_N}.
Notation hidden N ns := (Tables (sizes N ns)).
Variables (N n x : nat) (ns : seq nat).
Notation draws := {ffun 'I_x.+1 -> table N}.
Notation U' := (hidden (N * n) ns).

(** * 1. The new paths *)
Section Paths.
Variables (V Pa : finType) (q : prod_finType U' [finType of table N] -> V -> nat).
Variables (z : Pa -> nat) (wd : Pa -> seq nat) (zl : V -> Pa -> seq (seq nat)) (ent : V -> Pa -> 'I_N) (fresh : V -> {set Pa}).
Variables (c : nat) (code : V -> draws -> {ffun U' -> 'I_(2 ^ c)}).
Notation V' := (prod_finType (prod_finType V [finType of draws]) [finType of 'I_(2 ^ c)]).
Notation Pa' := (prod_finType (prod_finType Pa [finType of 'I_x.+1]) [finType of 'I_n]).
Definition next_law : U' -> V' -> nat := told_too (@drawn_law _ _ _ q x) (fun u vF => code vF.1 vF.2 u).
Definition next_z (p : Pa') : nat := z p.1.1.
Definition next_wd (p : Pa') : seq nat := rcons (wd p.1.1) p.2.
Definition next_zl (v : V') (p : Pa') : seq (seq nat) := rcons (zl v.1.1 p.1.1) (table_values (v.1.2 p.1.2)).
Definition next_ent (v : V') (p : Pa') : 'I_(N * n) := entry (p.2, v.1.2 p.1.2 (ent v.1.1 p.1.1)).
Definition next_fresh (v : V') : {set Pa'} := [set p : Pa' | (p.1.2, p.1.1) \in new_values (ent v.1.1) (fresh v.1.1) v.1.2].

(** The next law has the total of the old one, times the scale. *)
Lemma total_next : total next_law = scale q x * total q.
Proof. by rewrite /next_law total_told_too total_drawn. Qed.
(** A sum that does not look at the message. *)
Lemma sum_next (g : V -> draws -> nat) u : \sum_v next_law u v * g v.1.1 v.1.2 = \sum_v \sum_F drawn_law q u (v, F) * g v F.
Proof.
rewrite (sum_told_too _ _ (fun vF _ => g vF.1 vF.2)) sum_of_pairs /=; apply: eq_bigr => v _; by apply: eq_bigr.
Qed.
(** The copies lead to the asked entry. *)
Lemma next_ask : paths_ask z wd zl ent -> paths_ask next_z next_wd next_zl next_ent.
Proof.
move=> ask v p zr wr s0; rewrite /next_z /next_wd /next_zl -!cats1 -!catA ask //=.
by case: zr s0 => // zt zr _; rewrite size_table_values nth_table_values; case: wr.
Qed.
(** Fresh paths ask different entries. *)
Lemma next_inj v : (forall v, {in fresh v &, injective (ent v)}) -> {in next_fresh v &, injective (next_ent v)}.
Proof.
move=> inj [[p a] i] [[p' a'] i'] /[!inE] /= h h' /entry_inj[-> E].
by have [-> ->] := firsts_inj h h' E.
Qed.
(** Along a new path the hidden tables and the copies are uniform. *)
Lemma next_uniform lo : @uniform_paths N (n :: ns) V Pa q zl lo -> @uniform_paths (N * n) ns _ _ next_law next_zl (rcons lo N).
Proof.
move=> uni [[p a] i] phi; rewrite total_next size_lower.
pose psi (u : prod_finType U' [finType of table N]) zs := phi u.1 (rcons zs (table_values u.2)).
have {}uni := uni p psi; rewrite /next_zl /=.
have -> : \sum_u \sum_v next_law u v * phi u (rcons (zl v.1.1 p) (table_values (v.1.2 a))) = scale q x * \sum_u \sum_v q u v * psi u (zl v p).
  rewrite sum_of_pairs big_distrr /=; apply: eq_bigr => u _.
  rewrite (sum_next (fun v F => phi u (rcons (zl v p) (table_values (F a))))) [X in _ = _ * X]exchange_big big_distrr /=; apply: eq_bigr => v _.
  by rewrite (one_copy q u v a (fun f => phi u (rcons (zl v p) (table_values f)))).
rewrite -!mulnA; congr (_ * _); move: uni; rewrite card_prod -!mulnA (mulnC (size _)) => ->; congr (_ * _).
rewrite sum_of_pairs; apply: eq_bigr => u _; rewrite sum_lower exchange_big; by [].
Qed.
(** The new paths: every query with one digit more, x times as often. *)
Lemma next_cover nl X : cover_paths start z wd nl X -> cover_paths start next_z next_wd (rcons nl n) (X * x.+1).
Proof.
move=> cov g; rewrite /next_z /next_wd !sum_of_pairs.
under eq_bigr => p _ do rewrite /= sum_nat_const card_ord.
rewrite -big_distrr /= (cov (fun z w => \sum_(i < n) g z (rcons w i))) mulnCA mulnA; congr (_ * _).
by apply: eq_bigr => i _; rewrite sum_queries.
Qed.
(** What is not fresh: copies of what was not, and repeats; each with n digits. *)
Lemma card_not_fresh v F k :
  #|~: next_fresh (v, F, k)| = n * (x.+1 * #|~: fresh v| + repeats (ent v) (fresh v) F).
Proof.
apply/eqP; rewrite -(eqn_add2l #|next_fresh (v, F, k)|) cardsC !card_prod !card_ord.
have -> : #|next_fresh (v, F, k)| = size (new_values (ent v) (fresh v) F) * n.
  pose fs := new_values (ent v) (fresh v) F.
  have us : uniq fs by apply: uniq_firsts; apply: uniq_places.
  rewrite -sum1_card big_mkcond sum_of_pairs /= (eq_bigr (fun pa => n * ((pa.2, pa.1) \in fs))) => [|pa _]; last first.
    by rewrite (eq_bigr (fun=> (pa.2, pa.1) \in fs : nat)) ?sum_nat_const ?card_ord // => i _; rewrite inE; case: (_ \in _).
  rewrite -big_distrr mulnC /= -(card_uniqP us) -sum1_card [in RHS]big_mkcond /= !sum_of_pairs exchange_big; congr (_ * _).
have := size_new_values (ent v) (fresh v) F; have := cardsC (fresh v).
move: #|fresh v| #|~: fresh v| (size _) (repeats _ _ _) #|Pa| => f nf s r t <- E; apply/eqP; move: E; mring.
Qed.

(** Repeats are seldom: those of the copies are as seldom as before, and new ones as under uniform draws, up to the bits that are told. *)
Lemma few_repeats D a K : deficit q D -> (forall v, {in fresh v &, injective (ent v)}) ->
  x.+1 * #|Pa| <= 1 \/ share_bound (x.+1 * #|Pa|).-1 (2 * N) (x.+1 * #|Pa|) (x.+1 * D) a b K ->
  b * (\sum_u \sum_(vF : V * draws) drawn_law q u vF * repeats (ent vF.1) (fresh vF.1) vF.2) <= a * (x.+1 * #|Pa| * (scale q x * total q)).
Proof.
move=> def inj few; have le v : size (places x.+1 (fresh v)) <= x.+1 * #|Pa|.
  by rewrite size_places leq_mul2l max_card orbT.
have rle v (F : draws) : repeats (ent v) (fresh v) F <= x.+1 * #|Pa| by apply: leq_trans _ (le v); apply: hits_le.
case: few => [one|share].
  rewrite big1 ?muln0 // => u _; rewrite big1 // => -[v F] _ /=; rewrite /repeats.
  have := leq_trans (le v) one; case: (places _ _) => [|e [|]] //=; by rewrite muln0.
rewrite -total_drawn; apply: (tilt_bound (deficit_copies x def) (f := fun u vF => repeats (ent vF.1) (fresh vF.1) vF.2) _ _ share) => [u [v F]|c0 d gh dc]; first exact: rle.
have each v : (\sum_(F : draws) c0 ^ repeats (ent v) (fresh v) F * d ^ (x.+1 * #|Pa| - repeats (ent v) (fresh v) F)) * (2 * N) ^ (x.+1 * #|Pa|)
    <= #|[finType of draws]| * ((2 * N - (x.+1 * #|Pa|).-1) * d + (x.+1 * #|Pa|).-1 * c0) ^ (x.+1 * #|Pa|).
  have mom := @repeats_moment N x.+1 Pa (ent v) (fresh v) (inj v) c0 d _ dc (le v).
  apply: leq_trans mom _; apply: eq_leq; congr (_ * _ ^ _).
  by rewrite -{1}(subnK (ltnW gh)) mulnDl -addnA -mulnDr subnKC.
rewrite card_prod -[X in _ <= X]mulnA -sum_nat_const big_distrl /=; apply: leq_sum => u _.
rewrite sum_of_pairs big_distrl /= -[X in _ <= X]mulnA -sum_nat_const; apply: leq_sum => v _; exact: each.
Qed.
(** So are paths that are not fresh. *)
Lemma next_seldom D A a K : @seldom_repeated b N (n :: ns) V Pa q fresh A -> deficit q D -> (forall v, {in fresh v &, injective (ent v)}) ->
  x.+1 * #|Pa| <= 1 \/ share_bound (x.+1 * #|Pa|).-1 (2 * N) (x.+1 * #|Pa|) (x.+1 * D) a b K ->
  @seldom_repeated b (N * n) ns _ _ next_law next_fresh (A + a).
Proof.
move=> sel def inj few; have := few_repeats def inj few; rewrite /seldom_repeated total_next !card_prod !card_ord.
pose nf v := #|~: fresh v|; pose rep (vF : V * draws) := repeats (ent vF.1) (fresh vF.1) vF.2.
have -> : \sum_u \sum_v next_law u v * #|~: next_fresh v| = n * (x.+1 * (scale q x * \sum_u \sum_v q u v * nf v) + \sum_u \sum_(vF : V * draws) drawn_law q u vF * rep vF).
  have -> : scale q x * (\sum_u \sum_v q u v * nf v) = \sum_u \sum_(vF : V * draws) drawn_law q u vF * nf vF.1.
    rewrite sum_of_pairs big_distrr /=; apply: eq_bigr => u _; rewrite sum_of_pairs exchange_big big_distrr /=; apply: eq_bigr => v _.
    by rewrite -big_distrl /= -big_distrl /= all_copies mulnA.
  rewrite mulnDr !big_distrr -big_split /=; apply: eq_bigr => u _; rewrite !big_distrr -big_split /=.
  rewrite (eq_bigr (fun v => next_law u v * (n * (x.+1 * nf v.1.1 + rep v.1)))) => [|[[v F] k] _]; last by rewrite card_not_fresh.
  rewrite (sum_next (fun v F => n * (x.+1 * nf v + rep (v, F)))) sum_of_pairs; apply: eq_bigr => v _; apply: eq_bigr => F _ /=.
  move: (drawn_law _ _ _) (nf v) (rep (v, F)) => l f r; mring.
move: sel; rewrite /seldom_repeated -/nf; move: (\sum_u \sum_v q u v * nf v) (\sum_u \sum_(vF : V * draws) _) (scale q x) (total q) #|Pa| => s r g Q t le1 le2.
apply: leq_trans (_ : n * (x.+1 * g) * (b * s) + n * (b * r) <= _); first by apply: eq_leq; mring.
apply: leq_trans (leq_add (leq_mul (leqnn _) le1) (leq_mul (leqnn _) le2)) _; apply: eq_leq; mring.
Qed.
End Paths.

(** Where copies are possible. *)
Lemma drawn_support (V : finType) (q : prod_finType U' [finType of table N] -> V -> nat) v (F : draws) u :
  (0 < drawn_law q u (v, F)) = (u \in extensions [set u | 0 < q u v] F).
Proof.
apply/idP/idP => [h|]; rewrite inE; first by apply/forallP => a; rewrite inE; apply: (drawn_possible a h).
move=> /forallP h; have hq a : 0 < q (u, F a) v by have := h a; rewrite inE.
rewrite /drawn_law muln_gt0 /= prodn_gt0 // andbT expn_gt0; apply/orP; left.
have r0 : 0 < row q u v by rewrite /row (bigD1 (F ord0)) //= ltn_addr.
by have := multiple_gt0 q; rewrite -(share_ofE r0) muln_gt0 => /andP[].
Qed.

(** * 2. The step: copies of the next table, and a message of c bits *)
Theorem law_step D t A X lo nl c a K (good : blindness N (n :: ns)) (good' : blindness (N * n) ns) :
  (forall (Pa : finType) S (low : Pa -> path_input) (F : draws), good Pa S low ->
    splits (@extensions U' [finType of table N] S x.+1 F) c (fun S2 =>
      good' (prod_finType (prod_finType Pa [finType of 'I_x.+1]) [finType of 'I_n]) S2
        (fun p => ((low p.1.1).1.1, rcons (low p.1.1).1.2 (table_values (F p.1.2)), rcons (low p.1.1).2 p.2)))) ->
  x.+1 * t <= 1 \/ share_bound (x.+1 * t).-1 (2 * N) (x.+1 * t) (x.+1 * D) a b K ->
  @law x0 start b D t A X N (n :: ns) lo nl good -> law start b (x.+1 * D + c) (t * x.+1 * n) (A + a) (X * x.+1) (rcons lo N) (rcons nl n) good'.
Proof.
move=> split few [V [Pa [q [z [wd [zl [ent [fresh [[Q0 def cPa X0] [ask inj sel] [uni cov] blind]]]]]]]]].
have [code codeP] := fin_all_exists (fun vF : V * draws => split Pa _ _ vF.2 (blind vF.1)).
pose code2 v F := code (v, F).
exists [finType of V * draws * 'I_(2 ^ c)], [finType of Pa * 'I_x.+1 * 'I_n], (next_law q code2), (next_z z), (next_wd wd),
  (@next_zl V Pa zl c), (@next_ent V Pa ent c), (@next_fresh V Pa ent fresh c); rewrite -cPa in few *; split; first split.
- by rewrite total_next muln_gt0 Q0 andbT expn_gt0 multiple_gt0.
- by apply: deficit_told_too; [rewrite card_ord | apply: deficit_copies].
- by rewrite !card_prod !card_ord.
- by rewrite muln_gt0 X0.
- split; [exact: next_ask | by move=> v; apply: next_inj | exact: (next_seldom code2 sel def inj few)].
- by split; [apply: next_uniform | apply: next_cover].
move=> [[v F] k]; have := codeP (v, F) k; rewrite /next_z /next_wd /next_zl /=.
have -> : [set u in extensions [set u | 0 < q u v] F | code (v, F) u == k] = [set u | 0 < next_law q code2 u (v, F, k)].
  by apply/setP => u; rewrite !inE -/(code2 v F) /next_law /told_too /= muln_gt0 drawn_support inE andbC; case: (_ == k).
by [].
Qed.
End Step.
