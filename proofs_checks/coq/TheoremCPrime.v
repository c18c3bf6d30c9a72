(** Theorem C': recurrent layers alone, on average (theory 5.7): the number of inputs that are answered. *)
From Coq Require Import NArith Arith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. All inputs *)

(** The members of lists k b. *)
Lemma mem_lists k b z : (z \in lists k b) = (size z == k) && all (fun v => v < b) z.
Proof.
elim: k z => [|k IH] [|v z] //=; first by apply/allpairsP => -[[? ?] []].
apply/allpairsP/idP => [[[v' z'] /= [hv hz [-> ->]]]|].
  by move: hz hv; rewrite IH mem_iota eqSS => /andP[-> ->] /= ->.
by rewrite eqSS => /and3P[hs hv hz]; exists (v, z); rewrite mem_iota IH hs hz.
Qed.
(** No list occurs twice. *)
Lemma lists_uniq k b : uniq (lists k b).
Proof. by elim: k => //= k IH; apply: allpairs_uniq; rewrite ?iota_uniq // => -[? ?] [? ?] _ _ /= [-> ->]. Qed.
(** There are b^k lists. *)
Lemma size_lists k b : size (lists k b) = b ^ k.
Proof. by elim: k => //= k IH; rewrite size_allpairs size_iota IH expnS. Qed.

(** The inputs of the list are the valid ones, each once. *)
Lemma mem_all_tables ss zs : (zs \in all_tables ss) = (map size zs == ss) && all (fun z => all (fun v => v < size z) z) zs.
Proof.
elim: ss zs => [|N ss IH] [|z zs] //=; first by apply/allpairsP => -[[? ?] []].
apply/allpairsP/idP => [[[z' zs'] /= [hz hzs [-> ->]]]|].
  move: hz hzs; rewrite mem_lists IH eqseq_cons => /andP[/eqP -> ->] /andP[-> ->] /=; by rewrite eqxx.
rewrite eqseq_cons => /andP[/andP[/eqP hs h1] /andP[h2 h3]]; exists (z, zs); split=> //=.
  by rewrite mem_lists hs eqxx -hs h2.
by rewrite IH h1 h3.
Qed.
(** No choice of tables occurs twice. *)
Lemma all_tables_uniq ss : uniq (all_tables ss).
Proof.
by elim: ss => //= N ss IH; apply: allpairs_uniq; rewrite ?lists_uniq // => -[? ?] [? ?] _ _ /= [-> ->].
Qed.
(** The members of all_queries are the queries. *)
Lemma all_queriesP ns w : (w \in all_queries ns) = all2 ltn w ns.
Proof.
apply/idP/idP; last exact: mem_all_queries.
elim: ns w => [|n ns IH] w /=; first by rewrite inE => /eqP ->.
by case/allpairsP => -[v w'] /= [hv /IH h ->] /=; move: hv; rewrite mem_iota h => /andP[_ ->].
Qed.
(** No query occurs twice. *)
Lemma all_queries_uniq ns : uniq (all_queries ns).
Proof. by elim: ns => //= n ns IH; apply: allpairs_uniq; rewrite ?iota_uniq // => -[? ?] [? ?] _ _ /= [-> ->]. Qed.
(** The list of inputs holds the valid ones ... *)
Theorem all_inputsP m ns z0 zs ws : ((z0, zs, ws) \in all_inputs m ns) = valid m ns z0 zs ws.
Proof.
rewrite /valid; apply/allpairsP/idP => [[[[z zs'] w] /= [/allpairsP[[z1 zs1] /= [hz hzs ->]] hw [-> -> ->]]]|].
  by move: hz hzs hw; rewrite mem_iota mem_all_tables all_queriesP => /andP[_ ->] /andP[-> ->] ->.
case/and4P => h1 h2 h3 h4; exists ((z0, zs), ws); split=> //=; last by rewrite all_queriesP.
by apply/allpairsP; exists (z0, zs); rewrite mem_iota mem_all_tables h1 h2 h3.
Qed.
(** ... each once. *)
Theorem all_inputs_uniq m ns : uniq (all_inputs m ns).
Proof.
apply: allpairs_uniq; rewrite ?all_queries_uniq //; last by move=> [? ?] [? ?] _ _ /= [-> ->].
by apply: allpairs_uniq; rewrite ?iota_uniq ?all_tables_uniq // => -[? ?] [? ?] _ _ /= [-> ->].
Qed.

(** * 2. The union bound over states *)
(** Who asks entry e(c) and hears o from what passes alone, s(z), says what one word of s(z) has there. *)
Lemma word_of_answers N (S C : finType) (s : {ffun 'I_N -> 'I_N} -> S) (ok : S -> pred C) (e : C -> 'I_N) (o : {ffun 'I_N -> 'I_N} -> C -> nat) :
  (forall q, {in ok q &, injective e}) -> (forall z z' c, ok (s z) c -> s z = s z' -> o z c = o z' c) ->
  exists y : S -> {ffun 'I_N -> 'I_N}, forall z c, ok (s z) c -> o z c = z (e c) -> z (e c) = y (s z) (e c).
Proof.
move=> inj through; exists (fun q => [ffun i =>
  if [pick b : {ffun 'I_N -> 'I_N} * C | [&& s b.1 == q, ok q b.2 & e b.2 == i]] is Some b then insubd i (o b.1 b.2) else i]).
move=> z c okc right; rewrite ffunE; case: pickP => [[z' c'] /= /and3P[/eqP ez okc' /eqP ec]|/(_ (z, c))]; last by rewrite /= !eqxx okc.
by rewrite (inj _ _ _ okc' okc ec) -(through z z' c) // right; apply: val_inj; rewrite val_insubd ltn_ord.
Qed.
(** Right answers to different questions are different entries of a set. *)
Lemma count_asked (C I : finType) (ok right : pred C) (e : C -> I) (A : {set I}) : {in ok &, injective e} ->
  (forall c, ok c -> right c -> e c \in A) -> \sum_(c | ok c) (right c : nat) <= #|A|.
Proof.
move=> inj inA; have -> : \sum_(c | ok c) (right c : nat) = #|[set c | ok c && right c]|.
  by rewrite -sum1dep_card [LHS]big_mkcond [RHS]big_mkcond; apply: eq_bigr => c _; case: (ok c) (right c) => [] [].
rewrite -(@card_in_imset _ _ e) => [|c c']; last by rewrite !inE => /andP[? _] /andP[? _]; apply: inj.
by apply: subset_leq_card; apply/subsetP => _ /imsetP[c + ->]; rewrite inE => /andP[]; apply: inA.
Qed.

Section Union.
Variables (N : nat) (S : finType) (y : S -> {ffun 'I_N -> 'I_N}) (s : {ffun 'I_N -> 'I_N} -> S).
Notation table := {ffun 'I_N -> 'I_N}.
Definition agreement (f g : table) : {set 'I_N} := [set i | f i == g i].

(** Exactly the places of A agree with a given word: (N−1)^{N−|A|} tables. *)
Lemma card_agreement (g : table) A : #|[set z | agreement z g == A]| = N.-1 ^ (N - #|A|).
Proof.
have -> : #|[set z | agreement z g == A]| = #|family (fun i => [pred j | (j == g i) == (i \in A)])|.
  apply: eq_card => z; rewrite inE; apply/eqP/familyP => [<- i|h]; first by rewrite !inE.
  by apply/setP => i; have := h i; rewrite !inE => /eqP.
rewrite card_family foldrE big_map big_enum /= (bigID (mem A)) /= (eq_bigr (fun=> 1)) ?prod_nat_const ?exp1n ?mul1n.
  rewrite (eq_bigr (fun=> N.-1)) => [|i /negbTE iA].
    rewrite prod_nat_const; congr (_ ^ _); have := cardC (mem A); rewrite card_ord => E.
    by rewrite -[X in X - _]E addKn; apply: eq_card.
  rewrite -[N in RHS]card_ord -(cardC1 (g i)); apply: eq_card => j.
  by rewrite !inE -[LHS]/((j == g i) == (i \in A)) iA; case: (j == g i).
move=> i iA; rewrite -[RHS](card1 (g i)); apply: eq_card => j.
by rewrite !inE -[LHS]/((j == g i) == (i \in A)) iA; case: (j == g i).
Qed.

(** At least a places agree: N^N·P_a tables. *)
Lemma card_agreeing (g : table) a : #|[set z | a <= #|agreement z g|]| = agreeing N a.
Proof.
rewrite -sum1dep_card (partition_big (agreement^~ g) (fun A => a <= #|A|)) //=.
under eq_bigr => A hA.
  rewrite (eq_bigl (fun z => agreement z g == A)); last by move=> z; case: eqP => [->|]; rewrite ?hA ?andbF.
  rewrite sum1dep_card card_agreement; over.
have cA (A : {set 'I_N}) : #|A| < N.+1 by rewrite ltnS -[X in _ <= X]card_ord max_card.
rewrite (partition_big (fun A : {set 'I_N} => inord #|A| : 'I_N.+1) (fun j : 'I_N.+1 => a <= j)) /=; last first.
  by move=> A; rewrite inordK.
rewrite /agreeing big_geq_mkord /=; apply: eq_bigr => j hj.
rewrite (eq_bigl (fun A : {set 'I_N} => #|A| == j)) => [|A]; last first.
  apply/andP/eqP => [[_ /eqP <-]|E]; first by rewrite inordK.
  by rewrite E hj; split=> //; apply/eqP; apply: val_inj; rewrite /= inordK.
rewrite (eq_bigr (fun=> N.-1 ^ (N - j))) => [|A /eqP -> //].
rewrite sum_nat_const; congr (_ * _).
by have := card_draws (ordinal_finType N) j; rewrite card_ord => <-; apply: eq_card => A; rewrite !inE.
Qed.

(** A number c <= N is the number of a in 1..N with a <= c. *)
Lemma count_up c : c <= N -> \sum_(1 <= a < N.+1) (a <= c : nat) = c.
Proof.
move=> cN; rewrite (@big_cat_nat _ _ _ c.+1) //=.
rewrite (@big_nat_cond _ _ _ 1 c.+1) (eq_bigr (fun=> 1)) -?big_nat_cond ?sum_nat_const_nat ?muln1 ?subn1 /=; last first.
  by move=> a /andP[/andP[_ h] _]; rewrite -ltnS h.
rewrite big_nat_cond big1 ?addn0 // => a /andP[/andP[h _] _].
by rewrite leqNgt h.
Qed.

(** The agreement of a table with the word of its own state: for each a at most N^N tables, and at most
    agreeing N a for each of the states. *)
Lemma union_bound lam : #|S| <= 2 ^ lam ->
  \sum_(z : table) #|agreement z (y (s z))| <= \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof.
move=> hS; rewrite (eq_bigr (fun z => \sum_(1 <= a < N.+1) (a <= #|agreement z (y (s z))| : nat))); last first.
  by move=> z _; rewrite count_up // -[X in _ <= X]card_ord max_card.
rewrite exchange_big /=; apply: leq_sum => a _; rewrite leq_min; apply/andP; split.
  apply: leq_trans (_ : \sum_(z : table) 1 <= _); first by apply: leq_sum => z _; apply: leq_b1.
  by rewrite sum1_card card_ffun !card_ord.
apply: leq_trans (_ : \sum_(z : table) \sum_(t : S) (a <= #|agreement z (y t)| : nat) <= _).
  by apply: leq_sum => z _; rewrite (bigD1 (s z)) //= leq_addr.
rewrite exchange_big /= (eq_bigr (fun=> agreeing N a)) => [|t _].
  by rewrite sum_nat_const leq_mul2r hS orbT.
by rewrite -(card_agreeing (y t) a) -sum1dep_card [RHS]big_mkcond /=.
Qed.
End Union.

(** * 3. The asked index is uniform, and independent of z_L *)

(** The sizes of the tables below the last, and the entry of z_L that is asked. *)
Fixpoint lower_sizes (m : nat) (ns : seq nat) : seq nat := if ns is n :: ns' then m :: lower_sizes (m * n) ns' else [::].
Fixpoint address (a : nat) (zl : seq (seq nat)) (ws : seq nat) : nat :=
  match zl, ws with z :: zl', w :: ws' => address (w * size z + nth 0 z a) zl' ws' | _, _ => a end.
(** The sizes: those below the last, and the last. *)
Lemma lower_sizesE m ns : sizes m ns = rcons (lower_sizes m ns) (last_size m ns).
Proof. by elim: ns m => //= n ns IH m; rewrite IH. Qed.
(** The answer is the asked entry of the last table. *)
Lemma answer_address a zl z ws : size zl = size ws -> answer a (rcons zl z) ws = nth 0 z (address a zl ws).
Proof. by elim: zl ws a => [|y zl IH] [|w ws] a //= [h]; rewrite IH. Qed.

(** One entry of a table takes each value equally often. *)
Lemma sum_entry k b i (phi : nat -> nat) : i < k ->
  \sum_(z <- lists k b) phi (nth 0 z i) = b ^ k.-1 * \sum_(v <- iota 0 b) phi v.
Proof.
elim: k i => // k IH i ik; rewrite [lists _ _]/= big_allpairs_dep /=.
case: i ik => [_|i ik] /=.
  under eq_bigr do rewrite big_const_seq count_predT size_lists iter_addn_0.
  by rewrite -big_distrl /= mulnC.
under eq_bigr do rewrite (IH i ik).
rewrite big_const_seq count_predT size_iota iter_addn_0.
by case: k ik {IH} => // k _; rewrite /= expnS mulnAC (mulnC b).
Qed.
(** The pairs (w, v) are the entries of the next table. *)
Lemma sum_pairs m n (phi : nat -> nat) :
  \sum_(w <- iota 0 n) \sum_(v <- iota 0 m) phi (w * m + v) = \sum_(c <- iota 0 (m * n)) phi c.
Proof.
elim: n => [|n IH]; first by rewrite muln0 !big_nil.
rewrite -addn1 iotaD add0n mulnDr muln1 iotaD !big_cat /= IH big_seq1; congr (_ + _).
by rewrite add0n -(addn0 (m * n)) iotaDl big_map; apply: eq_bigr => v _; rewrite (mulnC m).
Qed.

(** The rests (z_0, tables below the last, w), and their number for one asked index. *)
Definition rests m ns : seq (nat * seq (seq nat) * seq nat) :=
  [seq (z, w) | z <- [seq (z0, zl) | z0 <- iota 0 m, zl <- all_tables (lower_sizes m ns)], w <- all_queries ns].
Fixpoint rests_each m ns : nat := if ns is n :: ns' then m ^ m * rests_each (m * n) ns' else 1.
Definition asks (r : nat * seq (seq nat) * seq nat) : nat := address r.1.1 r.1.2 r.2.

(** Every index is asked by equally many rests. *)
Lemma sum_asked m ns (phi : nat -> nat) :
  \sum_(r <- rests m ns) phi (asks r) = rests_each m ns * \sum_(a <- iota 0 (last_size m ns)) phi a.
Proof.
rewrite /rests /asks big_allpairs_dep big_allpairs_dep /=.
elim: ns m => [|n ns IH] m /=.
  by rewrite mul1n; apply: eq_bigr => z _; rewrite !big_seq1.
pose psi c := \sum_(zl <- all_tables (lower_sizes (m * n) ns)) \sum_(w <- all_queries ns) phi (address c zl w).
transitivity (\sum_(z0 <- iota 0 m) \sum_(v <- iota 0 n) \sum_(z <- lists m m) psi (v * m + nth 0 z z0)).
  apply: eq_bigr => z0 _; rewrite big_allpairs_dep [RHS]exchange_big /=; apply: eq_big_seq => z.
  rewrite mem_lists => /andP[/eqP sz _].
  under eq_bigr do rewrite big_allpairs_dep /= sz.
  by rewrite exchange_big.
rewrite (eq_big_seq (fun=> m ^ m.-1 * \sum_(c <- iota 0 (m * n)) psi c)) => [|z0]; last first.
  rewrite mem_iota add0n /= => zm; rewrite -sum_pairs big_distrr /=; apply: eq_bigr => v _.
  exact: (@sum_entry m m z0 (fun c => psi (v * m + c)) zm).
rewrite big_const_seq count_predT size_iota iter_addn_0 [\sum_(c <- _) psi c]IH mulnAC -[RHS]mulnA.
case: (m) => [|k]; last by rewrite /= -expnSr.
have -> : last_size (0 * n) ns = 0 by rewrite mul0n; elim: ns {IH psi} => //= k ns; rewrite mul0n.
by rewrite big_nil !muln0.
Qed.

(** * 4. Sums over all inputs *)

(** A sum over all tables, the last one apart. *)
Lemma sum_all_tables ss N (f : seq (seq nat) -> nat) :
  \sum_(zs <- all_tables (rcons ss N)) f zs = \sum_(zl <- all_tables ss) \sum_(z <- lists N N) f (rcons zl z).
Proof.
elim: ss f => [|M ss IH] f.
  rewrite -[all_tables (rcons [::] N)]/[seq z :: zs | z <- lists N N, zs <- [:: [::]]] big_allpairs_dep big_seq1.
  by apply: eq_bigr => z _; rewrite big_seq1.
rewrite [rcons _ _]/= [all_tables (_ :: _)]/= [in RHS]/=; by rewrite !big_allpairs_dep /=; apply: eq_bigr => z _; rewrite (IH (fun zs => f (z :: zs))).
Qed.

(** A table as a list, and as a function. *)
Lemma table_values_inj N : injective (@table_values N).
Proof. by move=> f g E; apply/ffunP => i; apply: val_inj; rewrite /= -!nth_table_values E. Qed.
(** A sum over tables as lists is one over functions. *)
Lemma sum_lists N (f : seq nat -> nat) :
  \sum_(z <- lists N N) f z = \sum_(t : {ffun 'I_N -> 'I_N}) f (table_values t).
Proof.
rewrite -big_image /=; apply: perm_big; apply: uniq_perm.
- exact: lists_uniq.
- by rewrite map_inj_uniq ?enum_uniq //; apply: table_values_inj.
move=> z; rewrite mem_lists; apply/andP/mapP => [[/eqP sz hz]|[t _ ->]]; last first.
  by rewrite size_table_values eqxx tab_below.
have lt (i : 'I_N) : nth 0 z i < N by apply: (allP hz); rewrite mem_nth // sz.
exists [ffun i => Ordinal (lt i)]; first by rewrite mem_enum.
apply: (@eq_from_nth _ 0) => [|i]; rewrite sz ?size_table_values // => iN.
by rewrite (nth_table_values _ (Ordinal iN)) ffunE.
Qed.

(** A sum over all inputs: over the rests and the last table. *)
Lemma sum_inputs m ns (phi : nat -> seq (seq nat) -> seq nat -> nat) :
  \sum_(i <- all_inputs m ns) phi i.1.1 i.1.2 i.2
  = \sum_(r <- rests m ns) \sum_(t : {ffun 'I_(last_size m ns) -> 'I_(last_size m ns)}) phi r.1.1 (rcons r.1.2 (table_values t)) r.2.
Proof.
rewrite /all_inputs /rests !big_allpairs_dep /=; apply: eq_bigr => z0 _.
rewrite lower_sizesE sum_all_tables; apply: eq_bigr => zl _.
rewrite exchange_big /=; apply: eq_bigr => w _.
exact: (@sum_lists (last_size m ns) (fun z => phi z0 (rcons zl z) w)).
Qed.

(** A rest has tables of the right sizes and a query. *)
Lemma restsP m ns r : r \in rests m ns -> r.1.2 \in all_tables (lower_sizes m ns) /\ r.2 \in all_queries ns.
Proof. by case/allpairsP => -[z w] [/= /allpairsP[[z0 zl] [_ /= h ->]] hw ->]. Qed.
(** The number of rests. *)
Lemma size_rests m ns : size (rests m ns) = rests_each m ns * last_size m ns.
Proof.
have := sum_asked m ns (fun=> 1).
by rewrite !big_const_seq !count_predT !iter_addn_0 !mul1n size_iota.
Qed.
(** The number of inputs. *)
Lemma size_all_inputs m ns : size (all_inputs m ns) = rests_each m ns * last_size m ns * last_size m ns ^ last_size m ns.
Proof.
have := sum_inputs m ns (fun _ _ _ => 1).
rewrite big_const_seq count_predT iter_addn_0 mul1n => ->.
rewrite big_const_seq count_predT iter_addn_0 sum_nat_const muln1 card_ffun !card_ord size_rests mulnC.
by [].
Qed.

(** Rests in rests_each m ns families, each with one rest for every index that can be asked. *)
Section Families.
Variables (m : nat) (ns : seq nat).
Let N := last_size m ns.
Definition asking (a : nat) := [seq r <- rests m ns | asks r == a].
(** The rests that ask one index. *)
Lemma size_asking a : a < N -> size (asking a) = rests_each m ns.
Proof.
move=> aN; rewrite size_filter -sum1_count big_mkcond /= (sum_asked m ns (fun c => if c == a then 1 else 0)).
rewrite -big_mkcond sum1_count /= count_uniq_mem ?iota_uniq // mem_iota add0n -/N aN muln1 //.
Qed.
(** The asked index is below N. *)
Lemma asks_lt r : r \in rests m ns -> asks r < N.
Proof.
move=> rR; have := sum_asked m ns (fun c => if N <= c then 1 else 0).
rewrite [X in _ = _ * X](_ : _ = 0) ?muln0.
  rewrite -big_mkcond sum1_count => /eqP; rewrite -leqn0 leqNgt -has_count => /hasPn/(_ r rR).
  by rewrite -ltnNge.
by apply: big1_seq => c; rewrite mem_iota add0n /= -/N => cN; rewrite leqNgt cN.
Qed.
(** A sum over rests, family by family. *)
Lemma sum_families (psi : nat * seq (seq nat) * seq nat -> nat) r0 :
  \sum_(r <- rests m ns) psi r = \sum_(k < rests_each m ns) \sum_(a < N) psi (nth r0 (asking a) k).
Proof.
rewrite exchange_big /=.
transitivity (\sum_(r <- rests m ns) \sum_(a < N) (if asks r == a then psi r else 0)).
  apply: eq_big_seq => r rR; rewrite (bigD1 (Ordinal (asks_lt rR))) //= eqxx big1 ?addn0 // => a ne.
  by case: eqP => // E; case/negP: ne; apply/eqP; apply: val_inj.
rewrite exchange_big /=; apply: eq_bigr => a _.
by rewrite -big_mkcond -big_filter -/(asking a) (big_nth r0) size_asking // big_mkord.
Qed.
End Families.

(** * 5. Theorem C' for any output that is a function of one state of z_L and of the rest of the prompt *)
Section Main.
Variables (m : nat) (ns : seq nat) (lam : nat).
Notation N := (last_size m ns).
Notation table := {ffun 'I_N -> 'I_N}.
Variables (S : finType) (s : table -> S) (o : seq token -> option nat).
Hypothesis few : #|S| <= 2 ^ lam.
Hypothesis through : forall (t t' : table) r, r \in rests m ns -> s t = s t' ->
  o (vals t ++ prompt r.1.1 r.1.2 r.2) = o (vals t' ++ prompt r.1.1 r.1.2 r.2).

(** C' for such an output. *)
Lemma right_bound : N ^ N.+1 * count (fun i => o (prompt i.1.1 i.1.2 i.2) == Some (answer i.1.1 i.1.2 i.2)) (all_inputs m ns)
  <= size (all_inputs m ns) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof.
rewrite size_all_inputs -[rests_each m ns * _ * _]mulnA -expnS (mulnC (rests_each m ns)) -mulnA leq_mul2l; apply/orP; right.
rewrite -sum1_count big_mkcond /=.
rewrite (sum_inputs m ns (fun z zs w => if o (prompt z zs w) == Some (answer z zs w) then 1 else 0)).
rewrite (@sum_families m ns _ (0, [::], [::])) -[X in _ <= X * _](card_ord (rests_each m ns)) -sum_nat_const.
apply: leq_sum => k _; rewrite exchange_big /=.
pose rk (a : 'I_N) := nth (0, [::], [::]) (asking m ns a) k.
have rkP a : rk a \in asking m ns a by apply: mem_nth; rewrite size_asking.
pose answered (t : table) a := o (vals t ++ prompt (rk a).1.1 (rk a).1.2 (rk a).2).
pose y (q : S) : table := [ffun a => if [pick t | s t == q] is Some t then insubd a (odflt 0 (answered t a)) else a].
apply: leq_trans (union_bound y s few); apply: leq_sum => t _; rewrite -sum1dep_card [X in _ <= X]big_mkcond /=.
apply: leq_sum => a _; rewrite -/(rk a).
have := rkP a; rewrite mem_filter => /andP[/eqP ak rR].
have sizes_ok : size (rk a).1.2 = size (rk a).2.
  have [] := restsP rR; rewrite mem_all_tables all_queriesP all2E => /andP[/eqP hz _] /andP[/eqP hw _].
  by rewrite -(size_map size) hz hw; elim: (ns) (m) => //= n ns' IH k'; rewrite IH.
rewrite answer_address // -/(asks (rk a)) ak nth_table_values.
have -> : prompt (rk a).1.1 (rcons (rk a).1.2 (table_values t)) (rk a).2 = vals t ++ prompt (rk a).1.1 (rk a).1.2 (rk a).2.
  by rewrite -cats1 prompt_cat /= cats0.
case: eqP => // E; rewrite ffunE; case: pickP => [t' /eqP et|/(_ t)]; last by rewrite eqxx.
rewrite /answered (through rR et) E /=.
have -> : insubd a (val (t a)) = t a by apply: val_inj; rewrite val_insubd ltn_ord.
by rewrite eqxx.
Qed.
End Main.

(** Recurrent layers alone: what passes z_L is its state. *)
Section States.
Variable md : model.
(** Recurrent layers alone: with the same states behind z_L every later token knows the same. *)
Lemma same_later (z z' : seq token) v : ~~ has (@is_full _) (layers md) -> size z = size z' -> 0 < size v ->
  same_states z z' (size z) [::] (layers md) -> last_act (layers md) (z ++ v) = last_act (layers md) (z' ++ v).
Proof.
move=> nF ez v0 st; rewrite /last_act !size_cat -ez.
apply: (proj1 (scan (ls := [::]) (P := size z) nF _ _ _)); first by move=> j; apply: inputs_suffix.
  by apply/same_states_prefix; rewrite -?ez.
by case: v v0 => // ? v _; rewrite addnS leq_addr.
Qed.
End States.

(** Theorem C' (theory 5.7), the first inequality times N^{N+1}·#inputs: with N = N_{L-1} and
    P_a = Pr[Bin(N, 1/N) >= a], accuracy <= (1/N)·sum over a = 1..N of min(1, 2^Λ·P_a). *)
Theorem theoremC_average lam m ns (md : model) : number_full md = 0 -> all_state_bits md lam ->
  let N := last_size m ns in
  N ^ N.+1 * right_inputs m ns md
  <= size (all_inputs m ns) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof.
move=> hF hl /=.
have nF : ~~ has (@is_full _) (layers md) by rewrite has_count -/(number_full md) hF.
apply: (@right_bound m ns lam _ (fun t => states_at (vals t) (last_size m ns) [::] (layers md)) (fun p => Some (output md p))).
  by rewrite card_all_states.
move=> t t' r _ /states_atP st; congr Some; congr out.
by apply: same_later; rewrite ?size_vals // size_cat addn2.
Qed.

(** ... and with any number of chain-of-thought tokens. *)
Theorem theoremC_average_cot lam m ns (md : model) (next : act md -> token + nat) fuel :
  number_full md = 0 -> all_state_bits md lam ->
  let N := last_size m ns in
  N ^ N.+1 * right_inputs_cot m ns next fuel
  <= size (all_inputs m ns) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ lam * agreeing N a).
Proof.
move=> hF hl /=.
have nF : ~~ has (@is_full _) (layers md) by rewrite has_count -/(number_full md) hF.
apply: (@right_bound m ns lam _ (fun t => states_at (vals t) (last_size m ns) [::] (layers md)) (decode next fuel)).
  by rewrite card_all_states.
move=> t t' r _ /states_atP st.
have : 0 < size (prompt r.1.1 r.1.2 r.2) by rewrite size_cat addn2.
move: (prompt _ _ _); elim: (fuel) => //= f IH v v0.
rewrite -/(acts _ _) -/(acts _ _) -/(last_act _ _) -/(last_act _ _).
rewrite (@same_later md (vals t) (vals t') v) ?size_vals //.
by case: (next _) => // b; rewrite !rcons_cat IH // size_rcons.
Qed.

(** C' for one Full layer alone, L = 1, with Λ := β + Λ_1 (lam: recurrent heads beside it). *)
Theorem theoremB_one_average beta lam m (md : model) l :
  layers md = [:: l] -> sums l <= 2 ^ beta -> states l <= 2 ^ lam ->
  m ^ m.+1 * right_inputs m [::] md
  <= size (all_inputs m [::]) * \sum_(1 <= a < m.+1) minn (m ^ m) (2 ^ (beta + lam) * agreeing m a).
Proof.
move=> hls hb hl.
pose heard (t : {ffun 'I_m -> 'I_m}) := partial_sum l (acts [::] (vals t)) (embed md m.+1 (Query [::])) m m.+1.
apply: (@right_bound m [::] (beta + lam) [finType of sum_type l * state_type l]
  (fun t => (heard t, state_at l (acts [::] (vals t)) m)) (fun p => Some (output md p))).
  by rewrite card_prod card_sum_type card_state_type expnD leq_mul.
move=> t t' [[z1 zl] w] /restsP[]; rewrite !inE /= => /eqP -> /eqP -> [eh es]; rewrite /prompt /=.
have sz (u : {ffun 'I_m -> 'I_m}) : size (vals u ++ [:: Val z1; Query [::]]) = m.+2 by rewrite size_cat size_vals addn2.
have emb j : m <= j -> acts (md := md) [::] (vals t ++ [:: Val z1; Query [::]]) j = acts [::] (vals t' ++ [:: Val z1; Query [::]]) j.
  by move=> le; apply: inputs_suffix; rewrite !size_vals.
rewrite /output !sz [m.+2.-1]/= hls; congr Some; congr out; apply: (layer_at (ls := [::])).
- by apply: emb.
- apply: (@state_from _ _ _ _ m) => //; last by move=> j /andP[/emb].
  by rewrite !st_prefix ?size_vals.
have -> : acts (md := md) [::] (vals t ++ [:: Val z1; Query [::]]) m.+1 = embed md m.+1 (Query [::]).
  by rewrite /acts /= /inputs nth_cat size_vals ltnNge leqnSn /= subSnn.
apply: (@sum_from _ _ _ _ _ m) => //; last by move=> j /andP[/emb].
by rewrite !sum_prefix ?size_vals.
Qed.

(** The accuracy is at most u/v when the sum is: right/inputs <= (sum over a)/N^{N+1} <= u/v. *)
Lemma accuracy_below right inputs N sum u v : 0 < N -> N ^ N.+1 * right <= inputs * sum -> sum * v <= u * N ^ N.+1 ->
  right * v <= u * inputs.
Proof.
move=> N0 h1 h2; rewrite -(@leq_pmul2l (N ^ N.+1)) ?expn_gt0 ?N0 // mulnA.
apply: leq_trans (leq_mul h1 (leqnn v)) _; rewrite -mulnA.
by apply: leq_trans (leq_mul (leqnn inputs) h2) _; rewrite mulnA mulnC (mulnC inputs).
Qed.

(** The sum in binary numbers, from a = j down to 1: term is the number with j agreeing places, tail with more of them, and
    C(n, a)·(n−1)^(n−a) is C(n, a+1)·(n−1)^(n−a-1) times (a+1)·(n−1)/(n−a). *)
Local Notation nn := N.to_nat.
Fixpoint union_sumN (n whole bits : N) (j : nat) (term tail acc : N) : N :=
  (if j is j'.+1 then
    let tail' := tail + term in
    union_sumN n whole bits j' (N.div (N.of_nat j * N.pred n * term) (n - N.of_nat j')) tail' (acc + N.min whole (N.shiftl tail' bits))
  else acc)%num.

(** One more term of the tail. *)
Lemma agreeingS n j : j <= n -> agreeing n j = agreeing n j.+1 + 'C(n, j) * n.-1 ^ (n - j).
Proof. by move=> le; rewrite /agreeing big_ltn ?ltnS // addnC. Qed.
(** The next term. *)
Lemma next_term n j : j < nn n ->
  N.div (N.of_nat j.+1 * N.pred n * N.of_nat ('C(nn n, j.+1) * (nn n).-1 ^ (nn n - j.+1))) (n - N.of_nat j)
  = N.of_nat ('C(nn n, j) * (nn n).-1 ^ (nn n - j)).
Proof.
move=> lt; have E : (N.of_nat j.+1 * N.pred n * N.of_nat ('C(nn n, j.+1) * (nn n).-1 ^ (nn n - j.+1))
    = N.of_nat ('C(nn n, j) * (nn n).-1 ^ (nn n - j)) * (n - N.of_nat j))%num.
  have power : (nn n).-1 ^ (nn n - j) = (nn n).-1 * (nn n).-1 ^ (nn n - j.+1) by rewrite -subnSK // expnS.
  by apply: N2Nat.inj; rewrite !toM toB toP !Nat2N.id mulnACA mul_bin_left power -mulnA mulnC.
by rewrite E N.div_mul // => z; move: lt; rewrite -subn_gt0; have := congr1 nn z; rewrite toB Nat2N.id => ->.
Qed.
(** The binary sum is the sum. *)
Lemma union_sumN_sound n bits j acc : j <= nn n ->
  nn (union_sumN n (N.pow n n) bits j (N.of_nat ('C(nn n, j) * (nn n).-1 ^ (nn n - j))) (N.of_nat (agreeing (nn n) j.+1)) acc)
  = nn acc + \sum_(1 <= a < j.+1) minn (nn n ^ nn n) (2 ^ nn bits * agreeing (nn n) a).
Proof.
elim: j acc => [|j IH] acc le; first by rewrite big_geq ?addn0.
have E : (N.of_nat (agreeing (nn n) j.+2) + N.of_nat ('C(nn n, j.+1) * (nn n).-1 ^ (nn n - j.+1)))%num = N.of_nat (agreeing (nn n) j.+1).
  by apply: N2Nat.inj; rewrite toD !Nat2N.id [RHS]agreeingS.
rewrite [union_sumN _ _ _ _ _ _ _]/= -/(N.of_nat j.+1) E next_term // IH; last exact: ltnW.
by rewrite toD toMin toShift toX Nat2N.id [in RHS]big_nat_recr //= -addnA; congr (_ + _); rewrite addnC.
Qed.
(** Σ ≤ u/v·N^(N+1). More than log2(N^N) bits are as many. *)
Definition averageN (n bits u v : N) : bool :=
  let whole := N.pow n n in
  [&& N.ltb 0 n, N.ltb 0 v & N.leb (union_sumN n whole (N.min bits (N.size whole)) (N.to_nat n) 1 0 0 * v) (u * (n * whole))]%num.
(** Bits beyond the capped ones change nothing. *)
Lemma capped_bits n bits a : a <= nn n -> minn (nn n ^ nn n) (2 ^ nn bits * agreeing (nn n) a)
  <= minn (nn n ^ nn n) (2 ^ nn (N.min bits (N.size (N.pow n n))) * agreeing (nn n) a).
Proof.
move=> le; have some : 0 < agreeing (nn n) a by rewrite /agreeing big_nat_recr //= binn subnn addn1.
case: (N.leb_spec bits (N.size (N.pow n n))) => [few|many]; first by rewrite N.min_l.
rewrite N.min_r; last exact: N.lt_le_incl.
rewrite leq_min geq_minl; apply: leq_trans (geq_minl _ _) _; rewrite -(muln1 (_ ^ _)); apply: leq_mul => //.
by apply: ltnW; have /N.ltb_lt/toLt := N.size_gt (N.pow n n); rewrite !toX.
Qed.
(** A number of right answers that the union bound bounds. *)
Lemma averageN_sound n bits u v right total : averageN n bits u v ->
  nn n ^ (nn n).+1 * right <= total * (\sum_(1 <= a < (nn n).+1) minn (nn n ^ nn n) (2 ^ nn bits * agreeing (nn n) a)) ->
  nn v * right <= nn u * total.
Proof.
case/and3P => /toLt n0 _ /toLe; rewrite !toM toX -expnS => small le.
rewrite mulnC; apply: (accuracy_below n0 le); apply: leq_trans small; rewrite leq_mul2r; apply/orP; right.
have := @union_sumN_sound n (N.min bits (N.size (N.pow n n))) (nn n) 0 (leqnn _).
rewrite binn subnn [agreeing _ _]big_geq // => ->; rewrite add0n big_nat [X in _ <= X]big_nat.
by apply: leq_sum => a /andP[_]; apply: capped_bits.
Qed.

(** N and Λ decide a bound u/v of the accuracy. *)
Theorem certC_average n lam u v m ns (md : model) : averageN n lam u v -> last_size m ns = nn n ->
  number_full md = 0 -> all_state_bits md (nn lam) -> right_inputs m ns md * nn v <= nn u * size (all_inputs m ns).
Proof. by move=> ok eN hF hl; rewrite mulnC; apply: (averageN_sound ok); rewrite -eN; apply: theoremC_average. Qed.
