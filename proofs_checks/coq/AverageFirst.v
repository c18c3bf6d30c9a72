(** The first step of Theorem E for all windows of z_0 at once (theory 5.7: D_1/m). Windows that do not meet ask different entries of table 1;
    under uniform copies what is repeated in one says nothing of another, so D_1 bits are spread over all of them. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TheoremA TwoPrompts TheoremCPrime Cube
  NestedBound Deficit Posterior Repeats Splits AverageLaw AverageStep.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Repeats in all windows *)
Section Joint.
Variables (N x k : nat) (Pa : finType) (ent : 'I_k -> Pa -> 'I_N).
Hypothesis apart_windows : forall j j' p p', ent j p = ent j' p' -> j = j' /\ p = p'.
Notation table := {ffun 'I_N -> 'I_N}.
Notation draws := {ffun 'I_x -> table}.
Notation place := ('I_x * Pa)%type.
Notation t := (x * #|Pa|).
Let asked : seq place := places x [set: Pa].

(** The repeats of all windows. *)
Definition joint_repeats (F : draws) : nat := \sum_j repeats (ent j) [set: Pa] F.
(** The places of window j in a list, and a repeat among the last of them, windows being listed one after the other. *)
Definition of_window (j : 'I_k) (es : seq ('I_k * place)) : seq ('I_k * place) := [seq e <- es | e.1 == j].
Definition joint_value (F : draws) (e : 'I_k * place) : 'I_N := value_at (ent e.1) F e.2.
Definition joint_again (F : draws) (e : 'I_k * place) (es : seq ('I_k * place)) : bool :=
  (size (of_window e.1 es) <= size es %% t) && (joint_value F e \in [seq joint_value F e' | e' <- of_window e.1 es]).
Definition joint_places (js : seq 'I_k) : seq ('I_k * place) := flatten [seq [seq (j, e) | e <- asked] | j <- js].
Definition joint_key (e : 'I_k * place) : 'I_x * 'I_N := place_key (ent e.1) e.2.

(** t places for each window. *)
Lemma size_asked : size asked = t. Proof. by rewrite /asked size_places cardsT. Qed.
(** The windows together have t places each. *)
Lemma size_joint js : size (joint_places js) = size js * t.
Proof. by elim: js => //= j js IH; rewrite size_cat size_map size_asked IH mulSn. Qed.
(** Places of the listed windows alone. *)
Lemma joint_places_in js e : e \in joint_places js -> e.1 \in js.
Proof. by case/flattenP => l /mapP[j js' ->] /mapP[e' _ ->]. Qed.
(** Different places have entries of their own. *)
Lemma uniq_joint_keys js : uniq js -> uniq [seq joint_key e | e <- joint_places js].
Proof.
move=> ujs; rewrite map_inj_in_uniq => [|[j [a p]] [j' [a' p']] _ _ [] /= -> /apart_windows[-> ->]] //.
rewrite /joint_places; elim: js ujs => //= j js IH /andP[nj /IH u]; rewrite cat_uniq u andbT.
rewrite map_inj_uniq ?uniq_places => [|e e' []] //=; apply/hasPn => e /joint_places_in ej.
by apply/mapP => -[e' _ E]; case/negP: nj; rewrite E in ej.
Qed.
(** Counted window by window. *)
Lemma joint_hits F js : uniq js -> hits joint_again F (joint_places js) = \sum_(j <- js) repeats (ent j) [set: Pa] F.
Proof.
elim: js => [|j js IH] /=; first by rewrite big_nil.
move=> /andP[nj ujs]; rewrite big_cons -IH // {IH} /repeats -/asked.
have inner es : size es <= t -> hits joint_again F ([seq (j, e) | e <- es] ++ joint_places js)
    = hits (again (ent j)) F es + hits joint_again F (joint_places js).
  elim: es => [|e es IH] //= le; rewrite IH ?(ltnW le) // addnA; congr (nat_of_bool _ + _ + _); rewrite /joint_again /=.
  have -> : of_window j ([seq (j, e) | e <- es] ++ joint_places js) = [seq (j, e) | e <- es].
    rewrite /of_window filter_cat (@eq_in_filter _ _ pred0 (joint_places js)) ?filter_pred0 ?cats0 => [|e' /joint_places_in e'j].
      by apply/all_filterP/allP => _ /mapP[e' _ ->] /=.
    by apply/negP => /eqP E; case/negP: nj; rewrite -E.
  by rewrite size_cat size_map size_joint addnC modnMDl modn_small // leqnn /again -map_comp.
by apply: inner; rewrite size_asked.
Qed.

(** i mod t for i < kt, k times over. *)
Lemma prod_mod (G : nat -> nat) n : \prod_(i < n * t) G (i %% t) = (\prod_(i < t) G i) ^ n.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 expn0.
rewrite mulSn big_split_ord /= expnS -IH; congr (_ * _); apply: eq_bigr => i _; first by rewrite modn_small.
by rewrite modnDl.
Qed.
(** Under uniform draws: the moments of the windows multiply. *)
Lemma joint_moment c d : d <= c -> 0 < t ->
  (\sum_F c ^ joint_repeats F * d ^ (k * t - joint_repeats F)) * (2 * N) ^ (k * t)
    <= #|[finType of draws]| * (2 * N * d + t.-1 * (c - d)) ^ (k * t).
Proof.
move=> dc t0; have := @hits_moment [finType of draws] [finType of 'I_N] [eqType of 'I_x * 'I_N] (@drawn_at N x) (@redraw N x).
move=> /(_ (fun k F y => etrans (drawn_redraw k k F y) (ifT _ _ (eqxx k)))).
move=> /(_ (@redraw_back N x) _ joint_key joint_again (fun i => i %% t)).
have set_it F e k' y : k' != joint_key e -> joint_value (redraw k' F y) e = joint_value F e.
  by rewrite /joint_value /value_at drawn_redraw eq_sym => /negbTE ->.
have again_set F k' y e es : k' \notin [seq joint_key e | e <- e :: es] -> joint_again (redraw k' F y) e es = joint_again F e es.
  rewrite inE negb_or => /andP[ne no]; rewrite /joint_again set_it //; congr (_ && (_ \in _)); apply/eq_in_map => e'.
  by rewrite mem_filter => /andP[_ he']; apply: set_it; apply: contra no => /eqP ->; apply: map_f.
have few F e es : uniq [seq joint_key e | e <- e :: es] -> \sum_y (joint_again (redraw (joint_key e) F y) e es : nat) <= size es %% t.
  move=> /andP[no _]; rewrite /joint_again; case: (leqP (size (of_window e.1 es)) (size es %% t)) => [le|_] /=; last by rewrite big1.
  apply: leq_trans le; rewrite -(size_map (joint_value F)); apply: leq_trans (card_size _).
  rewrite -sum1_card [X in _ <= X]big_mkcond; apply: leq_sum => y _; rewrite {1}/joint_value {1}/value_at drawn_redraw eqxx.
  have -> : [seq joint_value (redraw (joint_key e) F y) e' | e' <- of_window e.1 es] = [seq joint_value F e' | e' <- of_window e.1 es].
    by apply/eq_in_map => e'; rewrite mem_filter => /andP[_ he']; apply: set_it; apply: contra no => /eqP ->; apply: map_f.
  by case: (y \in _).
move=> /(_ again_set few c d dc (joint_places (enum 'I_k)) (uniq_joint_keys (enum_uniq _))).
rewrite /tilted_hits size_joint size_enum_ord card_ord => mom.
have {}mom : (\sum_F c ^ joint_repeats F * d ^ (k * t - joint_repeats F)) * N ^ (k * t)
    <= #|[finType of draws]| * \prod_(i < k * t) (N * d + i %% t * (c - d)).
  apply: leq_trans mom; rewrite leq_mul2r; apply/orP; right; apply: eq_leq; apply: eq_bigr => F _.
  by rewrite joint_hits ?enum_uniq // big_enum.
have := leq_mul mom (leqnn (2 ^ (k * t))); have -> : (2 * N) ^ (k * t) = N ^ (k * t) * 2 ^ (k * t) by rewrite expnMn mulnC.
move=> le2; rewrite [X in X <= _]mulnA; apply: leq_trans le2 _; rewrite -mulnA leq_mul2l; apply/orP; right.
have tk y : y ^ (k * t) = (y ^ t) ^ k by rewrite mulnC expnM.
rewrite (prod_mod (fun i => N * d + i * (c - d))) !tk -expnMn.
exact: exp_mono (growing_hits _ _ _ _).
Qed.
End Joint.

(** Copies from the posterior repeat as seldom as uniform ones, up to the bits that are told, which all windows share. *)
Lemma few_joint (U V : finType) N x k (Pa : finType) (ent : 'I_k -> Pa -> 'I_N) (q : prod_finType U [finType of {ffun 'I_N -> 'I_N}] -> V -> nat) D a b K :
  (forall j j' p p', ent j p = ent j' p' -> j = j' /\ p = p') -> 0 < x.+1 * #|Pa| -> deficit q D ->
  x.+1 * #|Pa| <= 1 \/ share_bound (x.+1 * #|Pa|).-1 (2 * N) (k * (x.+1 * #|Pa|)) (x.+1 * D) a b K ->
  b * (\sum_u \sum_(vF : V * {ffun 'I_x.+1 -> {ffun 'I_N -> 'I_N}}) drawn_law q u vF * joint_repeats ent vF.2)
    <= a * (k * (x.+1 * #|Pa|) * (scale q x * total q)).
Proof.
move=> apart_windows t0 def [one|share].
  rewrite big1 ?muln0 // => u _; rewrite big1 // => -[v F] _ /=; rewrite /joint_repeats big1 ?muln0 // => j _; rewrite /repeats.
  have : size (places x.+1 [set: Pa]) <= 1 by rewrite size_places cardsT.
  by case: (places _ _) => [|e [|]].
rewrite -total_drawn.
apply: (tilt_bound (deficit_copies x def) (f := fun u vF => joint_repeats ent vF.2) _ _ share) => [u [v F]|c d gh dc] /=.
  apply: leq_trans (_ : \sum_(j < k) x.+1 * #|Pa| <= _); last by rewrite sum_nat_const card_ord.
  by apply: leq_sum => j _; apply: leq_trans (hits_le _ _ _) _; rewrite size_places cardsT.
have := joint_moment apart_windows dc t0; set T := k * _ => mom.
have {}mom : (\sum_(F : {ffun 'I_x.+1 -> {ffun 'I_N -> 'I_N}}) c ^ joint_repeats ent F * d ^ (T - joint_repeats ent F)) * (2 * N) ^ T
    <= #|[finType of {ffun 'I_x.+1 -> {ffun 'I_N -> 'I_N}}]| * ((2 * N - (x.+1 * #|Pa|).-1) * d + (x.+1 * #|Pa|).-1 * c) ^ T.
  apply: leq_trans mom _; apply: eq_leq; congr (_ * _ ^ _).
  by rewrite -{1}(subnK (ltnW gh)) mulnDl -addnA -mulnDr subnKC.
rewrite card_prod -[X in _ <= X]mulnA -sum_nat_const big_distrl /=; apply: leq_sum => u _.
by rewrite sum_of_pairs big_distrl /= -[X in _ <= X]mulnA -sum_nat_const; apply: leq_sum => v _.
Qed.

(** * 2. The first step, window by window *)
Section Windows.
Variables (m n1 x k x0 c c2 b : nat) (ns : seq nat) (start : 'I_k -> 'I_x0 -> nat).
Hypothesis inside : forall j i, start j i < m.
Hypothesis apart_starts : forall j j' i i', start j i = start j' i' -> j = j' /\ i = i'.
Notation hidden N ns := (Tables (sizes N ns)).
Notation table := {ffun 'I_m -> 'I_m}.
Notation draws := {ffun 'I_x.+1 -> table}.
Variables (good : 'I_k -> blindness m (n1 :: ns)) (good2 : 'I_k -> blindness (m * n1) ns).
Arguments good : clear implicits.
Arguments good2 : clear implicits.
Hypothesis codes : splits [set: hidden m (n1 :: ns)] c
  (fun S => forall j, good j [finType of 'I_x0] S (fun i => (start j i, [::], [::]))).
Hypothesis steps : forall j (Pa : finType) S (low : Pa -> path_input) (F : draws), good j Pa S low ->
  splits (@extensions (hidden (m * n1) ns) [finType of table] S x.+1 F) c2 (fun S2 =>
    good2 j (prod_finType (prod_finType Pa [finType of 'I_x.+1]) [finType of 'I_n1]) S2
      (fun p => ((low p.1.1).1.1, rcons (low p.1.1).1.2 (table_values (F p.1.2)), rcons (low p.1.1).2 p.2))).

(** One law for all windows, with b·M for b: the first shares A j add up to k·M·a/b. *)
Theorem first_of_all a K : 0 < x0 -> x.+1 * x0 <= 1 \/ share_bound (x.+1 * x0).-1 (2 * m) (k * (x.+1 * x0)) (x.+1 * c) a b K ->
  exists M (A : 'I_k -> nat), [/\ 0 < M, \sum_j A j <= a * (k * M)
    & forall j, law (start j) (b * M) (x.+1 * c + c2) (x0 * x.+1 * n1) (A j) (1 * x.+1) [:: m] [:: n1] (good2 j)].
Proof.
move=> x00 share; have [code codeP] := codes.
pose q := told_too (fun (_ : hidden m (n1 :: ns)) (_ : unit) => 1) (fun u _ => code u).
have all_one : total (fun (_ : hidden m (n1 :: ns)) (_ : unit) => 1) = #|[finType of hidden m (n1 :: ns)]|.
  by rewrite /total -[RHS]sum1_card; apply: eq_bigr => u _; rewrite sum1_card card_unit.
have qE : total q = #|[finType of hidden m (n1 :: ns)]| by rewrite total_told_too.
have q0 : 0 < total q by rewrite qE (card_Tables (sizes m (n1 :: ns))).
have def : deficit q c.
  by have := @deficit_told_too _ _ [finType of 'I_(2 ^ c)] _ (fun u _ => code u) 0 c _ (deficit_uniform _); rewrite add0n; apply; rewrite card_ord.
pose ent j (i : 'I_x0) : 'I_m := Ordinal (inside j i).
have apart_ent j j' i i' : ent j i = ent j' i' -> j = j' /\ i = i' by case=> /apart_starts.
pose R j := \sum_u \sum_(vF : (unit * 'I_(2 ^ c)) * draws) @drawn_law (hidden (m * n1) ns) [finType of table] _ q x u vF * repeats (ent j) [set: 'I_x0] vF.2.
pose Q := @scale (hidden (m * n1) ns) [finType of table] _ q x * total q.
have Q0 : 0 < Q by rewrite muln_gt0 q0 andbT expn_gt0 multiple_gt0.
have few : b * (\sum_j R j) <= a * (k * (x.+1 * x0) * Q).
  have := @few_joint (hidden (m * n1) ns) _ m x k [finType of 'I_x0] ent q c a b K apart_ent; rewrite card_ord => h.
  apply: leq_trans (h _ def share); last by rewrite muln_gt0.
  rewrite leq_mul2l exchange_big; apply/orP; right; apply: eq_leq; apply: eq_bigr => u _; rewrite exchange_big.
  by apply: eq_bigr => vF _; rewrite -big_distrr.
exists (x.+1 * x0 * Q), (fun j => b * R j); split; first by rewrite muln_gt0 Q0 andbT muln_gt0 x00.
  by rewrite -big_distrr; apply: leq_trans few _; rewrite [k * (_ * Q)]mulnA.
move=> j; have blind0 v : good j [finType of 'I_x0] [set u | 0 < q u v] (fun i => (start j i, [::], [::])).
  case: v => [[] kk]; have := codeP kk j; have -> : [set u in setT | code u == kk] = [set u | 0 < q u (tt, kk)].
    by apply/setP => u; rewrite !inE /q /told_too /= muln1; case: (_ == kk).
  by [].
have uni : uniform_paths q (fun (_ : unit * 'I_(2 ^ c)) (_ : 'I_x0) => [::]) [::].
  move=> i phi; rewrite qE muln1 mulnC; congr (_ * _); apply: eq_bigr => u _.
  by rewrite (sum_told_too _ _ (fun _ _ => phi u [::])) big_seq1 big_const card_unit /= mul1n addn0.
have cov : cover_paths (start j) (start j) (fun=> [::]) [::] 1 by move=> f; rewrite mul1n; apply: eq_bigr => i _; rewrite big_seq1.
have [code2 code2P] := fin_all_exists (fun vF : (unit * 'I_(2 ^ c)) * draws => steps vF.2 (blind0 vF.1)).
pose code3 v F := code2 (v, F).
exists [finType of (unit * 'I_(2 ^ c)) * draws * 'I_(2 ^ c2)], [finType of 'I_x0 * 'I_x.+1 * 'I_n1], (next_law q code3), (next_z (start j)),
  (next_wd (fun=> [::])), (@next_zl m n1 x _ _ (fun _ _ => [::]) c2), (@next_ent m n1 x _ _ (fun _ => ent j) c2),
  (@next_fresh m n1 x _ _ (fun _ => ent j) (fun=> setT) c2); split; first split=> //.
- by rewrite total_next.
- by apply: deficit_told_too; [rewrite card_ord | apply: deficit_copies].
- by rewrite !card_prod !card_ord.
- split; [by apply: next_ask | move=> v; apply: next_inj => w i i' _ _ E; exact: (apart_ent j j _ _ E).2 |].
  rewrite /seldom_repeated total_next -/Q !card_prod !card_ord.
  under eq_bigr => u _.
    rewrite (eq_bigr (fun v => next_law q code3 u v * (n1 * repeats (ent j) setT v.1.2))) => [|[[v F] kk] _]; last first.
      by rewrite card_not_fresh setCT cards0 muln0 add0n.
    rewrite (sum_next q code3 (fun v F => n1 * repeats (ent j) setT F)).
    over.
  have -> : \sum_u \sum_v \sum_F @drawn_law (hidden (m * n1) ns) [finType of table] _ q x u (v, F) * (n1 * repeats (ent j) setT F) = n1 * R j.
    rewrite /R big_distrr; apply: eq_bigr => u _; rewrite [in RHS]sum_of_pairs [RHS]big_distrr; apply: eq_bigr => v _; rewrite [RHS]big_distrr.
    by apply: eq_bigr => F _ /=; rewrite mulnCA.
  by apply: eq_leq; move: (R j) => r; rewrite /=; mring.
- by split; [apply: (next_uniform code3 uni) | apply: (next_cover _ _ cov)].
move=> [[v F] kk]; have := code2P (v, F) kk; rewrite /next_z /next_wd /next_zl /=.
have -> : [set u in extensions [set u | 0 < q u v] F | code2 (v, F) u == kk] = [set u | 0 < next_law q code3 u (v, F, kk)].
  by apply/setP => u; rewrite !inE -/(code3 v F) /next_law /told_too /= muln_gt0 drawn_support inE andbC; case: (_ == kk).
by [].
Qed.
End Windows.
