(** Two Full layers and the cube lemma, with a hidden table in front (the common part of B2c and A3c, theory 5.9). For one cube of
    continuations and one entry e of it: the hidden tables, each weighed by what is asked of it and cannot be known, are few. *)
From Coq Require Import Arith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts Cube.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. All answers to a list of questions *)
Section Classes.
Variable V : finType.
Fixpoint answers (qs : seq (question V)) : finType := if qs is q :: qs' then prod_finType (Ans q) (answers qs') else unit_finType.
Fixpoint answered (qs : seq (question V)) (u : V) : answers qs :=
  match qs return answers qs with [::] => tt | q :: qs' => (ask q u, answered qs' u) end.
(** Constant on a set: constant on its subsets. *)
Lemma consts_sub (Q Q' : {set V}) qs : Q' \subset Q -> consts Q qs -> consts Q' qs.
Proof. by move=> /subsetP sub; elim: qs => //= q qs IH [h /IH]; split=> // u u' /sub uQ /sub; apply: h. Qed.
(** Their number is the product. *)
Lemma card_answers qs : #|answers qs| = \prod_(q <- qs) #|Ans q|.
Proof. by elim: qs => [|q qs IH]; rewrite ?big_nil ?card_unit //= card_prod big_cons IH. Qed.
(** Where all answers are the same, each question is constant. *)
Lemma answered_const qs a : consts [set u | answered qs u == a] qs.
Proof.
elim: qs a => //= q qs IH [x a]; split=> [u u'|]; first by rewrite !inE => /eqP[<- _] /eqP[<- _].
by apply: consts_sub (IH a); apply/subsetP => u; rewrite !inE => /eqP[_ ->].
Qed.
(** A sum over everything is at most the number of answers times the largest sum over tables with the same answers. *)
Lemma sum_by_answers (f : V -> nat) qs B : (forall Q : {set V}, consts Q qs -> \sum_(u in Q) f u <= B) ->
  \sum_u f u <= \prod_(q <- qs) #|Ans q| * B.
Proof.
move=> each; rewrite (partition_big (answered qs) predT) //= -card_answers -sum_nat_const; apply: leq_sum => a _.
apply: leq_trans _ (each _ (answered_const a)); apply: eq_leq; apply: eq_bigl => u; by rewrite inE.
Qed.
End Classes.

(** Tables that agree on k entries are few. *)
Lemma agreeing_count N (Q : {set {ffun 'I_N -> 'I_N}}) (S : {set 'I_N}) : 0 < N ->
  (forall f g, f \in Q -> g \in Q -> {in S, f =1 g}) -> #|Q| * N ^ #|S| <= N ^ N.
Proof.
move=> N0 agree; case: (set_0Vmem Q) => [->|[q0 q0Q]]; first by rewrite cards0.
have sN : #|S| <= N by rewrite -[X in _ <= X]card_ord max_card.
have le : #|Q| <= N ^ (N - #|S|).
  have := @card_into N S (fun i => [set q0 i]) 1 (fun i => cards1 _); rewrite exp1n mul1n => <-.
  apply: subset_leq_card; apply/subsetP => f fQ; rewrite inE; apply/forall_inP => i iS.
  by rewrite inE (agree f q0).
by apply: leq_trans (leq_mul le (leqnn _)) _; rewrite -expnD subnK.
Qed.

(** * 2. One cube and one entry *)
Section OneEntry.
Variables (md : model) (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.
Hypothesis stateless : \prod_(l <- B0) states l <= 1.
Variables (beta lam1 lam2 : nat).
Hypothesis (hb1 : sums F1 <= 2 ^ beta) (hb2 : sums F2 <= 2 ^ beta).
Hypothesis (h1 : \prod_(l <- F1 :: B1) states l <= 2 ^ lam1) (h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam2).

Notation itself := (itself B0).
(** The hidden table z and what stands before the entry, K tokens; then a continuation of d tokens, of which those that are variants
    occur; then the query w. Vs: the pairs (position, token) that occur behind the hidden part. *)
Variables (N n k v : nat).
Notation table := {ffun 'I_N -> 'I_N}.
Variables (Mid : finType) (start : table -> seq token) (mid : Mid -> seq token) (query : 'I_n -> token) (K d : nat).
Hypothesis size_start : forall z, size (start z) = K.
Hypothesis size_mid : forall f, size (mid f) = d.
Variables (occurs : pred Mid) (Z : Mid) (Vs : seq (nat * token)).
Hypothesis ZZ : occurs Z.
Hypothesis in_Vs : forall f i, occurs f -> i < d -> (i, nth (Val 0) (mid f) i) \in Vs.
Definition body z f := start z ++ mid f.
Definition whole z f w := body z f ++ [:: query w].
(** The answer to w reads the entry of z at (w, value of the continuation). *)
Variables (value : Mid -> 'I_v) (read_at : 'I_n -> 'I_v -> 'I_N).
Hypothesis read_inj : forall w w' i i', read_at w i = read_at w' i' -> w = w' /\ i = i'.
Hypothesis right : forall z f w, occurs f -> output md (whole z f w) = z (read_at w (value f)).
Hypothesis N0 : 0 < N.

(** Queries in groups, of which some are asked. A value is reached for a group if a continuation with this value tells the queries of
    the group, and leaves to them in states, what Z does. *)
Variables (group : 'I_n -> 'I_k) (worth : pred 'I_k).
Definition heard z f w : sum_type F1 := partial_sum F1 (acts B0 (body z f)) (itself (K + d) (query w)) (K + d) (K + d).
Definition left_states z f := states_at (body z f) (K + d) B0 (F1 :: B1).
Definition alike z c f : bool :=
  [&& occurs f, [forall w, (group w == c) ==> (heard z f w == heard z Z w)] & left_states z f == left_states z Z].
Definition found z c : {set 'I_v} := if worth c then [set i | [exists f, alike z c f && (value f == i)]] else set0.
Definition asked_number z : nat := \sum_w #|found z (group w)|.
Definition found_number z : nat := \sum_c #|found z c|.

(** What is fixed first: the states of F1 and block 1 behind the hidden part, and what tokens and queries hear from it in F1. *)
Definition first_questions : seq (question table) :=
  states_asked start K B0 (F1 :: B1)
  ++ [seq Ask (fun z => partial_sum F1 (acts B0 (start z)) (itself (K + b.1) b.2) K (K + b.1)) | b : nat * token <- Vs]
  ++ [seq Ask (fun z => partial_sum F1 (acts B0 (start z)) (itself (K + d) (query w)) K (K + d)) | w <- enum 'I_n].
(** The first questions have 2^(λ_1 + β·(|Vs| + n)) answers at most. *)
Lemma first_charge : \prod_(q <- first_questions) #|Ans q| <= 2 ^ (lam1 + beta * (size Vs + n)).
Proof.
apply: charge_cat; first by rewrite states_charge.
rewrite mulnDr; apply: charge_cat; first by apply: charge_each => b; rewrite /= card_sum_type.
by rewrite -[n in X in _ <= X]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
Qed.

Section Class.
Variable Q : {set table}.
Hypothesis same : consts Q first_questions.
Definition L1 := rcons B0 F1 ++ B1.
(** Without the query there are K + d tokens. *)
Lemma size_body z f : size (body z f) = K + d. Proof. by rewrite size_cat size_start size_mid. Qed.
(** Tokens behind the hidden part, and the query. *)
Lemma nth_body z f i : i < d -> nth (Val 0) (body z f) (K + i) = nth (Val 0) (mid f) i.
Proof. by move=> id; rewrite nth_cat size_start ltnNge leq_addr addKn. Qed.
(** Before F1 the query knows itself. *)
Lemma query_itself z f w : acts B0 (whole z f w) (K + d) = itself (K + d) (query w).
Proof. by rewrite (itselfE _ _ nB0 stateless) nth_cat size_body ltnn subnn. Qed.
(** ... and a token of the continuation too, whatever is hidden. *)
Lemma before1 z z' f j : K <= j < K + d -> acts B0 (body z f) j = acts B0 (body z' f) j.
Proof. by move=> /andP[lj jd]; rewrite !(itselfE _ _ nB0 stateless) -(subnKC lj) !nth_body ?ltn_subLR. Qed.
(** The states behind the hidden part. *)
Lemma states_first z z' f : z \in Q -> z' \in Q -> same_states (body z f) (body z' f) K B0 (F1 :: B1).
Proof.
move: same => /consts_cat[/states_fixed cst _] h h'; apply/same_states_prefix; rewrite ?size_start //; exact: cst.
Qed.
(** A sum that is the same behind the hidden part is the same later. *)
Lemma sum_behind z z' f x i : i <= d -> partial_sum F1 (acts B0 (start z)) x K (K + i) = partial_sum F1 (acts B0 (start z')) x K (K + i) ->
  partial_sum F1 (acts B0 (body z f)) x (K + i) (K + i) = partial_sum F1 (acts B0 (body z' f)) x (K + i) (K + i).
Proof.
move=> id e; apply: (@sum_from _ _ _ _ _ K); first exact: leq_addr.
  by rewrite /body !(sum_prefix _ _ _ (p := start _)) ?size_start.
by move=> j /andP[lj jd]; apply: before1; rewrite lj (leq_trans jd) // leq_add2l.
Qed.
(** After F1 the tokens of a continuation are known, ... *)
Lemma after1 z z' f j : z \in Q -> z' \in Q -> occurs f -> K <= j < K + d ->
  acts (rcons B0 F1) (body z f) j = acts (rcons B0 F1) (body z' f) j.
Proof.
move=> h h' of_ /andP[lj jd]; have := jd; rewrite -(subnKC lj) ltn_add2l; move: (j - K) => i {lj jd} id.
have [s1 _] := states_first f h h'; move: same => /consts_cat[_ /consts_cat[cv _]].
apply: layer_at; first by apply: before1; rewrite leq_addr ltn_add2l.
  by apply: state_from (leq_addr _ _) s1 _ => i' /andP[li ij]; apply: before1; rewrite li (ltn_trans ij) // ltn_add2l.
rewrite (itselfE (body z f) (K + i) nB0 stateless) nth_body //; apply: sum_behind; first exact: ltnW.
exact: (consts_map cv (in_Vs of_ id)).
Qed.
(** ... and after block 1, with its states. *)
Lemma after_block1 z z' f : z \in Q -> z' \in Q -> occurs f ->
  (forall i, i < d -> acts L1 (body z f) (K + i) = acts L1 (body z' f) (K + i)) /\ left_states z f = left_states z' f.
Proof.
move=> h h' of_; have [s1 s2] := states_first f h h'; split=> [i id|].
  apply: (proj1 (scan_upto (P := K) (b := K + i) nB1 _ s2 _)); last by rewrite leq_addr leqnn.
  by move=> j /andP[lj ji]; apply: after1 => //; rewrite lj (leq_ltn_trans ji) // ltn_add2l.
apply: states_at_eq; split; first by apply: state_from (leq_addr _ _) s1 _ => j; apply: before1.
by apply: scan_before (leq_addr _ _) _ s2 => // j; apply: after1.
Qed.
(** What a query hears is known. *)
Lemma heard_known z z' f w : z \in Q -> z' \in Q -> heard z f w = heard z' f w.
Proof.
move: same => /consts_cat[_ /consts_cat[_ cw]] h h'; apply: sum_behind => //.
by apply: (consts_map cw (v := w)); rewrite ?mem_enum.
Qed.
(** So the values that are found are the same for all hidden tables of the class. *)
Lemma alike_known z z' c f : z \in Q -> z' \in Q -> alike z c f = alike z' c f.
Proof.
move=> h h'; rewrite /alike; case of_: (occurs f) => //=.
have [_ ->] := after_block1 h h' of_; have [_ ->] := after_block1 h h' ZZ; congr (_ && _).
by apply: eq_forallb => w; rewrite (heard_known f w h h') (heard_known Z w h h').
Qed.
(** ... and so are the values. *)
Lemma found_known z z' c : z \in Q -> z' \in Q -> found z c = found z' c.
Proof.
move=> h h'; rewrite /found; case: worth => //; apply/setP => i; rewrite !inE; apply: eq_existsb => f.
by rewrite (alike_known c f h h').
Qed.

(** A query of a group knows itself alone, whichever of the continuations that are alike it stands behind. *)
Lemma query_known z z' w f : z \in Q -> z' \in Q -> alike z (group w) f ->
  acts L1 (whole z f w) (K + d) = acts L1 (whole z' Z w) (K + d).
Proof.
move=> h h' /and3P[of_ /forallP/(_ w) /implyP/(_ (eqxx _)) /eqP hw /eqP ls].
have [_ ks] := after_block1 h h' ZZ.
have [s1 s2] : same_states (whole z f w) (whole z' Z w) (K + d) B0 (F1 :: B1).
  by apply/same_states_prefix; rewrite ?size_body //; apply: states_atP; rewrite -/(left_states z f) ls.
apply: recs_at => //; apply: layer_at => //; first by rewrite !query_itself.
have E z1 f1 : partial_sum F1 (acts B0 (whole z1 f1 w)) (itself (K + d) (query w)) (K + d) (K + d) = heard z1 f1 w.
  by rewrite sum_prefix ?size_body.
by rewrite query_itself !E hw (heard_known Z w h h').
Qed.

(** What is fixed then: what queries hear from the hidden part in F2, and the late states into w for each value that is found. *)
Variables (zr : table).
Hypothesis zrQ : zr \in Q.
Definition witness (ci : 'I_k * 'I_v) : Mid := odflt Z [pick f | alike zr ci.1 f && (value f == ci.2)].
Definition pairs_found : {set 'I_k * 'I_v} := [set ci | ci.2 \in found zr ci.1].
(** The continuation has the value, and is alike for every table of the class. *)
Lemma witness_found z w i : z \in Q -> i \in found zr (group w) -> alike z (group w) (witness (group w, i)) /\ value (witness (group w, i)) = i.
Proof.
move=> h; rewrite /found; case: (worth _); rewrite inE // /witness => /existsP[f hf].
case: pickP => [f' /andP[h' /eqP e]|/(_ f)] /=; last by rewrite hf.
by rewrite (alike_known _ _ h zrQ).
Qed.
Definition second_questions : seq (question table) :=
  [seq Ask (fun z => partial_sum F2 (acts L1 (start z)) (acts L1 (whole zr Z w) (K + d)) K (K + d)) | w <- enum 'I_n]
  ++ flatten [seq states_asked (fun z => body z (witness ci)) (K + d) L1 (F2 :: B2) | ci <- enum pairs_found].
(** The second questions have 2^(β·n + found·λ_2) answers at most. *)
Lemma second_charge : \prod_(q <- second_questions) #|Ans q| <= 2 ^ (beta * n + found_number zr * lam2).
Proof.
apply: charge_cat; first by rewrite -[n in X in _ <= X]size_enum_ord; apply: charge_each => w; rewrite /= card_sum_type.
have -> : found_number zr = size (enum pairs_found).
  rewrite -cardE -sum1_card /found_number; under eq_bigr do rewrite -sum1_card.
  by rewrite pair_big_dep /=; apply: eq_bigl => ci; rewrite inE.
by apply: charge_lists => ci; rewrite states_charge.
Qed.
(** Then the query knows nothing of the hidden table. *)
Lemma blind (Q' : {set table}) z z' w i : Q' \subset Q -> consts Q' second_questions -> z \in Q' -> z' \in Q' -> i \in found zr (group w) ->
  acts (layers md) (whole z (witness (group w, i)) w) (K + d) = acts (layers md) (whole z' (witness (group w, i)) w) (K + d).
Proof.
move=> /subsetP sub /consts_cat[cb /consts_flatten cs] hQ hQ' iR; have [h h'] := (sub _ hQ, sub _ hQ').
have [al _] := witness_found h iR; have [al' _] := witness_found h' iR; have /and3P[of_ _ _] := al.
have [s1 s2] : same_states (whole z (witness (group w, i)) w) (whole z' (witness (group w, i)) w) (K + d) L1 (F2 :: B2).
  apply/same_states_prefix; rewrite ?size_body //.
  by apply: (states_fixed (cs (group w, i) _) hQ hQ'); rewrite mem_enum inE.
have -> : layers md = rcons L1 F2 ++ B2 by rewrite the_word /L1 !cat_rcons -!catA.
apply: recs_at => //; apply: layer_at => //; first by rewrite (query_known h zrQ al) (query_known h' zrQ al').
rewrite (query_known h zrQ al); set x := acts L1 (whole zr Z w) _; apply: (@sum_from _ _ _ _ _ K); first exact: leq_addr.
  rewrite /whole /body -!(catA (start _)) !(sum_prefix _ _ _ (p := start _)) ?size_start //.
  by apply: (consts_map cb (v := w)); rewrite ?mem_enum.
move=> j /andP[lj]; rewrite -(subnKC lj) ltn_add2l; move: (j - K) => i' id.
by rewrite /whole !(acts_prefix _ _ (p := body _ _)) ?size_body ?ltn_add2l //; apply: (proj1 (after_block1 h h' of_)).
Qed.
(** So the class is small. *)
Lemma class_small : #|Q| * N ^ asked_number zr <= N ^ N * 2 ^ (beta * n + found_number zr * lam2).
Proof.
have [Q' [sub c2] le] := fixing second_questions Q.
pose asked_at := [set read_at wi.1 wi.2 | wi in [set wi : 'I_n * 'I_v | wi.2 \in found zr (group wi.1)]].
have agree : forall f g, f \in Q' -> g \in Q' -> {in asked_at, f =1 g}.
  move=> f g fQ gQ _ /imsetP[[w i] /[!inE] /= iR ->]; apply: val_inj => /=.
  have [al vT] := witness_found (subsetP sub _ fQ) iR; have /and3P[of_ _ _] := al.
  have E (z : table) : z (read_at w i) = output md (whole z (witness (group w, i)) w) :> nat by rewrite right // vT.
  have sw (z : table) : size (whole z (witness (group w, i)) w) = (K + d).+1 by rewrite /whole cats1 size_rcons size_body.
  by rewrite !E /output !sw /=; congr out; apply: (blind sub c2).
have count : #|asked_at| = asked_number zr.
  rewrite card_imset => [|[w i] [w' i'] /= /read_inj[-> ->] //].
  rewrite -sum1_card /asked_number; under [RHS]eq_bigr do rewrite -sum1_card.
  by rewrite [RHS]pair_big_dep /=; apply: eq_bigl => wi; rewrite inE.
have few := agreeing_count N0 agree; rewrite count in few.
apply: leq_trans (leq_mul le (leqnn _)) _; rewrite mulnAC; apply: leq_mul => //; exact: second_charge.
Qed.
End Class.

(** Every hidden table weighs what is asked of it less the late states: together 2^D of all, D what was fixed besides. *)
Lemma weighed : \sum_z N ^ asked_number z * 2 ^ ((k * v - found_number z) * lam2)
  <= N ^ N * 2 ^ (lam1 + beta * (size Vs + 2 * n) + k * v * lam2).
Proof.
have at_most z : found_number z <= k * v.
  by rewrite -[k]card_ord -sum_nat_const; apply: leq_sum => c _; rewrite -[X in _ <= X](card_ord v) max_card.
apply: leq_trans (sum_by_answers (qs := first_questions) (B := N ^ N * 2 ^ (beta * n + k * v * lam2)) _) _ => [Q same|]; last first.
  apply: leq_trans (leq_mul first_charge (leqnn _)) _; rewrite mulnCA leq_mul2l -expnD; apply/orP; right.
  by apply: eq_leq; congr (2 ^ _); mring.
case: (set_0Vmem Q) => [->|[zr zrQ]]; first by rewrite big_set0.
have const z : z \in Q -> asked_number z = asked_number zr /\ found_number z = found_number zr.
  by move=> zQ; split; apply: eq_bigr => c _; rewrite (found_known same _ zQ zrQ).
rewrite (eq_bigr (fun=> N ^ asked_number zr * 2 ^ ((k * v - found_number zr) * lam2))) => [|z /const[-> ->] //].
rewrite sum_nat_const mulnA; apply: leq_trans (leq_mul (class_small same zrQ) (leqnn _)) _.
rewrite -mulnA -expnD leq_mul2l; apply/orP; right; rewrite leq_exp2l // -addnA leq_add2l -mulnDl subnKC //.
Qed.
End OneEntry.

(** * 3. The average over hidden tables, cubes and entries *)
(** The last step of the count. Groups c of a c queries with s c entries asked for each, of which only those that are worth their late
    states are asked: then K·q entries may be put for each s c, and the q-th root taken. *)
Lemma average_power (I : finType) M (a s : I -> nat) lam E q K : 0 < q ->
  (forall c, if 2 ^ lam < M ^ a c then K * q <= s c else s c == 0) ->
  M ^ (\sum_c a c * s c) <= 2 ^ (q * E + (\sum_c s c) * lam) -> M ^ ((\sum_c a c) * K) <= 2 ^ (E + #|I| * K * lam).
Proof.
move=> q0 hs total; have each c : M ^ (a c * (K * q)) * 2 ^ (s c * lam) <= M ^ (a c * s c) * 2 ^ (K * q * lam).
  have := hs c; case: ltnP => [large le|small /eqP ->]; last first.
    by rewrite mul0n muln0 !expn0 mul1n muln1 [K * q * lam]mulnC; move: (K * q) => t; rewrite !expnM exp_mono.
  rewrite -(subnKC le) mulnDr mulnDl !expnD; move: (s c - K * q) => d; rewrite -!mulnA leq_mul2l [X in _ || (_ <= X)]mulnC leq_mul2l.
  by rewrite [d * lam]mulnC !expnM exp_mono ?orbT // ltnW.
have {each} : \prod_c (M ^ (a c * (K * q)) * 2 ^ (s c * lam)) <= \prod_c (M ^ (a c * s c) * 2 ^ (K * q * lam)).
  by apply: leq_prod => c _.
rewrite !big_split /= -!expn_sum -!big_distrl /= sum_nat_const => all_c.
have {all_c} := leq_trans all_c (leq_mul total (leqnn _)); rewrite -expnD.
have -> : q * E + (\sum_c s c) * lam + #|I| * K * q * lam = (E + #|I| * K * lam) * q + (\sum_c s c) * lam by mring.
by rewrite expnD leq_pmul2r ?expn_gt0 // mulnA !(expnM _ _ q) leq_exp2r.
Qed.

(** The numbers r o e z c of values found for group c, in the cube o at the entry e behind the hidden table z. *)
Section Average.
Variables (N G k A M lam : nat) (V O : finType) (Om : {set O}) (a : 'I_k -> nat) (r : O -> 'I_G -> V -> 'I_k -> nat) (D : 'I_G -> nat).
Hypothesis (N0 : 0 < N) (Om0 : 0 < #|Om|) (V0 : 0 < #|V|).
Hypothesis at_most : forall o e z, \sum_c r o e z c <= M.
Hypothesis weights : forall o e, \sum_z N ^ (\sum_c a c * r o e z c) * 2 ^ ((M - \sum_c r o e z c) * lam) <= #|V| * 2 ^ (D e + M * lam).
Hypothesis enough : forall z c, if 2 ^ lam < N ^ a c then A * #|Om| <= \sum_(o in Om) \sum_e r o e z c else \sum_(o in Om) \sum_e r o e z c == 0.

(** One cube and one entry: the geometric mean over all hidden tables. *)
Lemma hidden_mean o e : N ^ (\sum_z \sum_c a c * r o e z c) <= 2 ^ (#|V| * D e + (\sum_z \sum_c r o e z c) * lam).
Proof.
pose f z := N ^ (\sum_c a c * r o e z c) * 2 ^ ((M - \sum_c r o e z c) * lam).
have := mean_inequality [seq f z | z : V]; rewrite size_image !big_image /= => mean.
have {mean} : \prod_z f z <= 2 ^ ((D e + M * lam) * #|V|).
  have p0 : 0 < #|V| ^ #|V| by rewrite expn_gt0 V0.
  by rewrite -(leq_pmul2l p0) expnM -expnMn; apply: leq_trans mean _; apply: exp_mono; apply: weights.
rewrite /f big_split /= -!expn_sum -big_distrl /=; set s := \sum_z \sum_c r o e z c.
have -> : \sum_z (M - \sum_c r o e z c) = #|V| * M - s by rewrite -sum_nat_const -sumnB.
have le : s <= #|V| * M by rewrite -sum_nat_const; apply: leq_sum => z _.
move=> h; have {h} := leq_mul h (leqnn (2 ^ (s * lam))); rewrite -mulnA -!expnD -mulnDl subnK //.
have -> : (D e + M * lam) * #|V| + s * lam = #|V| * D e + s * lam + #|V| * M * lam by mring.
by rewrite (expnD 2 (_ + _)) leq_pmul2r // expn_gt0.
Qed.

(** The charges of all entries asked, averaged over the starts. *)
Lemma cube_average : N ^ ((\sum_c a c) * A) <= 2 ^ (\sum_e D e + k * A * lam).
Proof.
pose s c := \sum_(o in Om) \sum_e \sum_z r o e z c.
have swap (b : 'I_k -> nat) : \sum_c b c * s c = \sum_(o in Om) \sum_e \sum_z \sum_c b c * r o e z c.
  under eq_bigr do rewrite big_distrr /=; rewrite exchange_big /=; apply: eq_bigr => o _.
  under eq_bigr do rewrite big_distrr /=; rewrite exchange_big /=; apply: eq_bigr => e _.
  by under eq_bigr do rewrite big_distrr /=; rewrite exchange_big.
have one : \sum_c s c = \sum_(o in Om) \sum_e \sum_z \sum_c r o e z c.
  have := swap (fun=> 1); under eq_bigr do rewrite mul1n; move=> ->.
  by do 3!(apply: eq_bigr => ? _); apply: eq_bigr => ? _; rewrite mul1n.
have total : N ^ (\sum_c a c * s c) <= 2 ^ (#|Om| * #|V| * (\sum_e D e) + (\sum_c s c) * lam).
  rewrite swap one expn_sum; under eq_bigr do rewrite expn_sum.
  apply: leq_trans (_ : \prod_(o in Om) \prod_e 2 ^ (#|V| * D e + (\sum_z \sum_c r o e z c) * lam) <= _).
    by apply: leq_prod => o _; apply: leq_prod => e _; apply: hidden_mean.
  under eq_bigr do rewrite -expn_sum big_split /= -big_distrr -big_distrl /=.
  by rewrite -expn_sum big_split /= sum_nat_const -big_distrl mulnA.
have q0 : 0 < #|Om| * #|V| by rewrite muln_gt0 Om0.
have := @average_power _ _ _ _ _ _ _ A q0 _ total; rewrite card_ord; apply=> c.
have E : s c = \sum_z \sum_(o in Om) \sum_e r o e z c.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => o _; exact: exchange_big.
case: ifP => large; rewrite E.
  by rewrite mulnA mulnC -sum_nat_const; apply: leq_sum => z _; have := enough z c; rewrite large.
by rewrite big1 // => z _; apply/eqP; have := enough z c; rewrite large.
Qed.
End Average.

(** * 4. n queries in k groups of at most ω: query w is the (w mod ω)-th of group w / ω *)
Section Groups.
Variables (n k om : nat).
Hypotheses (om0 : 0 < om) (groups : n <= om * k).
(** There is such a group. *)
Lemma group_lt (w : 'I_n) : w %/ om < k. Proof. by rewrite ltn_divLR // mulnC; apply: leq_trans groups. Qed.
Definition group (w : 'I_n) : 'I_k := Ordinal (group_lt w).
Definition group_size (c : 'I_k) : nat := #|[set w | group w == c]|.
(** Sums over queries and over groups. *)
Lemma sum_groups (F : 'I_k -> nat) : \sum_(w : 'I_n) F (group w) = \sum_c group_size c * F c.
Proof.
rewrite (partition_big group predT) //=; apply: eq_bigr => c _; rewrite -sum_nat_const.
by apply: eq_big => [w|w /eqP ->]; rewrite ?inE.
Qed.
(** All groups together have n queries. *)
Lemma all_groups : \sum_c group_size c = n.
Proof. by rewrite -[RHS]card_ord -sum1_card (sum_groups (fun=> 1)); apply: eq_bigr => c _; rewrite muln1. Qed.
End Groups.
