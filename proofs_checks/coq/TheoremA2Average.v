(** A2 on average without early state (theory 5.7): two tables, one full layer and any recurrent layers after or beside it.
    For z_1 take its m shifts: together they ask every entry of z_2 once, and all that the answers depend on is m·λ_1 + β·n_1
    bits. The union bound is that of C'. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts TheoremCPrime
  RelativeEntropy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Average.
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

(** One z_0 and m tables z_1 that take m values there. *)
Section Family.
Variables (z0 : 'I_m) (T : 'I_m -> table1).
Hypothesis all_values : injective (fun s => T s z0).
Definition before_w (z2 : table2) s := (vals z2 ++ vals (T s)) ++ [:: Val z0].
Definition asked_w (z2 : table2) s (w : 'I_n1) := before_w z2 s ++ [:: Query [:: val w]].
Definition own_w (w : 'I_n1) : act md := acts B0 (rcons (nseq P (Val 0)) (Query [:: val w])) P.
(** w stands at P. *)
Lemma size_before_w z2 s : size (before_w z2 s) = P.
Proof. by rewrite /before_w !size_cat !size_vals addn1. Qed.

(** What the answers depend on: per copy the state into w, per w what it hears from table 2. *)
Definition passed := [finType of {ffun 'I_m -> all_states (F :: B1)} * {ffun 'I_n1 -> sum_type F}].
Definition passes (z2 : table2) : passed := ([ffun s => states_at (before_w z2 s) P B0 (F :: B1)],
  [ffun w => partial_sum F (acts B0 (vals z2)) (own_w w) N P]).
(** That is m·λ_1 + β·n_1 bits. *)
Lemma card_passed : #|passed| <= 2 ^ (m * lam1 + beta * n1).
Proof.
rewrite card_prod !card_ffun !card_ord card_all_states card_sum_type expnD (mulnC m) !expnM.
by apply: leq_mul; apply: exp_mono.
Qed.
(** The answers depend on nothing else. *)
Lemma passes_through z2 z2' s w : passes z2 = passes z2' -> output md (asked_w z2 s w) = output md (asked_w z2' s w).
Proof.
move=> [/ffunP/(_ s) + /ffunP/(_ w)]; rewrite !ffunE => /states_atP st heard.
rewrite /output /asked_w !(size_cat (before_w _ _)) !size_before_w addn1 /=; congr out.
rewrite -![foldl _ _ _ _]/(acts (layers md) _ _) the_word -cat_rcons.
have [s1 s2] : same_states (asked_w z2 s w) (asked_w z2' s w) P B0 (F :: B1).
  by apply/same_states_prefix; rewrite ?size_before_w.
have own z : acts B0 (asked_w z s w) P = own_w w.
  apply: knows_itself => //; rewrite /asked_w nth_cat size_before_w ltnn subnn nth_rcons size_nseq ltnn eqxx //.
apply: recs_at => //; apply: layer_at => //; first by rewrite !own.
rewrite own; apply: (@sum_from _ _ _ _ _ N); first by rewrite -addnS leq_addr.
  by rewrite /asked_w /before_w -!catA !sum_prefix ?size_vals.
move=> j /andP[lj _]; apply: knows_itself => //.
by rewrite /asked_w /before_w -!catA !nth_cat !size_vals ltnNge lj.
Qed.

(** The entry that is asked. *)
Definition asked_entry (c : 'I_m * 'I_n1) : 'I_N := entry (c.2, T c.1 z0).
(** Each is asked once. *)
Lemma asked_entry_inj : injective asked_entry.
Proof. by move=> [s w] [s' w'] /entry_inj[-> /all_values ->]. Qed.
(** How many answers are right, over all z_2. *)
Lemma family_bound :
  \sum_(z2 : table2) \sum_(s : 'I_m) \sum_(w : 'I_n1) (output md (asked_w z2 s w) == z2 (asked_entry (s, w)))
  <= \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ (m * lam1 + beta * n1) * agreeing N a).
Proof.
have [y yE] := @word_of_answers _ _ _ passes (fun=> predT) asked_entry (fun z2 c => output md (asked_w z2 c.1 c.2))
  (fun _ c c' _ _ => @asked_entry_inj c c') (fun z2 z2' c _ => @passes_through z2 z2' c.1 c.2).
apply: leq_trans (union_bound y passes card_passed); apply: leq_sum => z2 _.
rewrite pair_big /=; apply: (count_asked (e := asked_entry)) => [c c' _ _|[s w] _ /eqP right]; first exact: asked_entry_inj.
by rewrite inE; apply/eqP; apply: yE.
Qed.
End Family.

(** The shifts of a table. *)
Section Shifts.
Hypothesis m0 : 0 < m.
Definition shifted (s : 'I_m) (z1 : table1) : table1 := [ffun e => Ordinal (ltn_pmod (z1 e + s) m0)].
(** They take every value. *)
Lemma shifted_values z1 z0 : injective (fun s => shifted s z1 z0).
Proof.
move=> s s' /(congr1 val); rewrite !ffunE /= => /eqP; rewrite eqn_modDl !modn_small // => /eqP; exact: val_inj.
Qed.
(** They move all tables around. *)
Lemma shifted_inj s : injective (shifted s).
Proof.
move=> z z' /ffunP e; apply/ffunP => i; have /(congr1 val) := e i; rewrite !ffunE /= => /eqP.
by rewrite eqn_modDr !modn_small // => /eqP; apply: val_inj.
Qed.
End Shifts.

Definition right_w (z2 : table2) (z1 : table1) (z0 : 'I_m) (w : 'I_n1) : bool :=
  output md (prompt z0 [:: table_values z1; table_values z2] [:: val w]) == z2 (entry (w, z1 z0)).

(** All inputs, summed. *)
Lemma right_inputs_sum : right_inputs m [:: n1] md
  = \sum_(z0 : 'I_m) \sum_(z1 : table1) \sum_(w : 'I_n1) \sum_(z2 : table2) right_w z2 z1 z0 w.
Proof.
have ords k (f : nat -> nat) : \sum_(i <- iota 0 k) f i = \sum_(i < k) f i.
  by rewrite -(big_mkord xpredT f) /index_iota subn0.
have queries_sum (f : seq nat -> nat) : \sum_(w <- all_queries [:: n1]) f w = \sum_(w < n1) f [:: val w].
  by rewrite big_allpairs_dep -(ords n1 (fun w => f [:: w])); apply: eq_bigr => w _; rewrite big_seq1.
have tables_sum (f : seq (seq nat) -> nat) : \sum_(zl <- all_tables (lower_sizes m [:: n1])) f zl
    = \sum_(z1 : table1) f [:: table_values z1].
  by rewrite (sum_all_tables [::] m) big_seq1 sum_lists.
rewrite /right_inputs -sum1_count big_mkcond.
rewrite (sum_inputs m [:: n1] (fun z zs w => if output md (prompt z zs w) == answer z zs w then 1 else 0)).
rewrite /rests big_allpairs_dep big_allpairs_dep ords; apply: eq_bigr => z0 _.
rewrite tables_sum; apply: eq_bigr => z1 _; rewrite queries_sum; apply: eq_bigr => w _; apply: eq_bigr => z2 _ /=.
rewrite size_table_values nth_table_values (nth_table_values z2 (entry (w, z1 z0))) /right_w.
by case: (_ == _).
Qed.

(** The bound for one full layer between block 0, which has one state, and block 1. *)
Lemma A2_average_exact : N ^ N.+1 * right_inputs m [:: n1] md
  <= size (all_inputs m [:: n1]) * (\sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ (m * lam1 + beta * n1) * agreeing N a)).
Proof.
case: (posnP m) => [m0|m0]; first by rewrite right_inputs_sum big1 ?muln0 // => z0; move: (ltn_ord z0); rewrite {2}m0.
have -> : size (all_inputs m [:: n1]) = N ^ N.+1 * m ^ m by rewrite size_all_inputs /= muln1 -mulnA -expnS mulnC.
rewrite -mulnA leq_mul2l; apply/orP; right.
rewrite -(leq_pmul2l m0) right_inputs_sum; set U := \sum_(1 <= a < _) _.
apply: leq_trans (_ : \sum_(z0 : 'I_m) \sum_(z1 : table1) U <= _); last first.
  by rewrite !sum_nat_const card_ffun !card_ord.
rewrite big_distrr /=; apply: leq_sum => z0 _.
have -> : m * (\sum_(z1 : table1) \sum_(w : 'I_n1) \sum_(z2 : table2) right_w z2 z1 z0 w)
        = \sum_(z1 : table1) \sum_(s : 'I_m) \sum_(w : 'I_n1) \sum_(z2 : table2) right_w z2 (shifted m0 s z1) z0 w.
  pose G z := \sum_(w : 'I_n1) \sum_(z2 : table2) right_w z2 z z0 w.
  have moved s : \sum_(z1 : table1) G (shifted m0 s z1) = \sum_(z1 : table1) G z1.
    by rewrite [RHS](reindex_inj (@shifted_inj m0 s)).
  rewrite [RHS]exchange_big /=; transitivity (\sum_(s : 'I_m) \sum_(z1 : table1) G z1); first by rewrite sum_nat_const card_ord.
  by apply: eq_bigr => s _; rewrite -(moved s).
apply: leq_sum => z1 _; apply: leq_trans (@family_bound z0 (fun s => shifted m0 s z1) (@shifted_values m0 z1 z0)).
rewrite [X in _ <= X]exchange_big; apply: leq_sum => s _; rewrite [X in _ <= X]exchange_big; apply: leq_sum => w _.
apply: leq_sum => z2 _; rewrite /right_w /asked_entry /=.
have -> : prompt z0 [:: table_values (shifted m0 s z1); table_values z2] [:: val w] = asked_w z0 (fun s => shifted m0 s z1) z2 s w.
  by rewrite /asked_w /before_w /vals /prompt /= cats0 map_cat -!catA.
by [].
Qed.
End Average.

(** A2 on average with λ_0 = 0, as a union bound: m·λ_1 + β·n_1 bits. *)
Theorem A2_average beta lam m n1 (md : model) : message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  let N := m * n1 in
  N ^ N.+1 * right_inputs m [:: n1] md
  <= size (all_inputs m [:: n1]) * \sum_(1 <= a < N.+1) minn (N ^ N) (2 ^ (m * lam 1 + beta * n1) * agreeing N a).
Proof.
move=> hb hl hF l0 /=.
have [md' [same [B0 [F [B1 [E [nB0 nB1] hbF [h0 h1]]]]]]] := one_full_word hb hl hF; rewrite l0 in h0.
have -> : right_inputs m [:: n1] md = right_inputs m [:: n1] md' by apply: eq_count => i; rewrite same.
exact: (@A2_average_exact md' m n1 B0 B1 F nB0 nB1 E h0 beta (lam 1) hbF h1).
Qed.
(** ... and in closed form. *)
Theorem A2_average_closed beta lam m n1 (md : model) a b K :
  message_bits md beta -> block_bits md lam -> number_full md <= 1 -> lam 0 = 0 ->
  closed_bound (m * n1) (m * lam 1 + beta * n1) a b K -> b * right_inputs m [:: n1] md <= a * size (all_inputs m [:: n1]).
Proof. by move=> hb hl hF l0 h; apply: (closed_of_union h); apply: A2_average hb hl hF l0. Qed.

(** F, β = 1, m = 4, n_1 = 1: at most 2 of 3 inputs are answered rightly. *)
Theorem A2_average_instance (md : model) : message_bits md 1 -> block_bits md (fun=> 0) -> number_full md <= 1 ->
  3 * right_inputs 4 [:: 1] md <= 2 * size (all_inputs 4 [:: 1]).
Proof. by move=> hb hl hF; apply: (@A2_average_closed 1 (fun=> 0) 4 1 md 2 3 1 hb hl hF erefl); vm_compute. Qed.
