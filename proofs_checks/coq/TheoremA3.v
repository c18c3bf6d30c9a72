(** Theorem A3: L = 3, two Full layers, any recurrent layers (theory 5.8). *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts TwoLayers Windows Copies Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section A3.
Variables (md : model) (m n1 n2 g u : nat).
Notation N1 := (m * n1).
Notation N2 := (m * n1 * n2).
Notation gap := (m - u).
Notation K := (N2 + gap).              (* where the first window of table 2 begins *)
Notation w2 := (N1 - gap).             (* the tokens of table 2 from there on *)
Notation d := (w2 + m).+1.             (* ... with table 1 and z_0 *)
Notation table3 := {ffun 'I_N2 -> 'I_N2}.
Notation A := [finType of 'I_n1 * 'I_u].
Notation table2 := {ffun A -> 'I_N1}.
Notation table1 := {ffun 'I_g -> 'I_u}.
Hypotheses (m0 : 0 < m) (n10 : 0 < n1) (um : u <= m) (u0 : 0 < u) (gm : g <= m).

(** * 1. The prompts

    Table 3 and table 2 before its first window; the windows of table 2; table 1, which is 0 before its last g
    positions G and has values of U, the last u of [m], on G. *)
Definition start (z3 : table3) : seq token := vals z3 ++ nseq gap (Val 0).
Definition content (f : table2) (e : 'I_n1 * 'I_u) : nat := f e.
Definition win (f : table2) : seq token := windows m (content f).
Definition t1 (f : table1) : seq nat := last_entries m (fun e : 'I_g => gap + f e).
Definition tok1 (f : table1) : seq token := [seq Val b | b <- t1 f].
(** The hidden part has K tokens. *)
Lemma size_start z3 : size (start z3) = K. Proof. by rewrite size_cat size_vals size_nseq. Qed.
(** Table 1 has m entries. *)
Lemma size_t1 f : size (t1 f) = m. Proof. exact: size_last_entries. Qed.
(** Table 1 has m tokens. *)
Lemma size_tok1 f : size (tok1 f) = m. Proof. by rewrite size_map size_t1. Qed.
(** Table 1 begins at N_2 + N_1. *)
Lemma KN : K + w2 = N2 + N1. Proof. by rewrite -addnA subnKC // gap_le. Qed.
(** Tables 3 and 2 have N_2 + N_1 tokens. *)
Lemma size_sw z3 f : size (start z3 ++ win f) = N2 + N1. Proof. by rewrite size_cat size_start size_windows KN. Qed.

(** Tokens by position: entry q of table 2 stands at N_2 + q, entry k of table 1 at N_2 + N_1 + k. *)
Lemma nth_win z3 f s q : gap <= q -> q < N1 -> nth (Val 0) (start z3 ++ (win f ++ s)) (N2 + q) = Val (window_entry m (content f) q).
Proof.
move=> gq qN; have E : N2 + q = K + (q - gap) by rewrite -addnA subnKC.
rewrite E nth_cat size_start ltnNge leq_addr addKn nth_cat size_windows.
have lt : q - gap < w2 by rewrite ltn_sub2r // (leq_ltn_trans gq).
by rewrite lt nth_windows // subnKC.
Qed.
(** What stands behind table 2. *)
Lemma nth_rest z3 f s k : nth (Val 0) (start z3 ++ (win f ++ s)) (N2 + N1 + k) = nth (Val 0) s k.
Proof. by rewrite catA nth_cat size_sw ltnNge leq_addr addKn. Qed.

(** A right model says entry (b, F(w, i)) of table 3, where i is the value of table 1 at z_0. *)
Lemma right_entry z3 f h (e0 : 'I_g) w (b : 'I_n2) : solves m [:: n1; n2] md ->
  output md ((start z3 ++ (win f ++ (tok1 h ++ [:: Val (m - g + e0)]))) ++ [:: Query [:: val w; val b]]) = z3 (entry (b, f (w, h e0))).
Proof.
move=> sol; have -> : (start z3 ++ (win f ++ (tok1 h ++ [:: Val (m - g + e0)]))) ++ [:: Query [:: val w; val b]]
    = prompt (m - g + e0) [:: t1 h; windowed m (content f); table_values z3] [:: val w; val b].
  by rewrite /prompt /= cats0 2!map_cat windowed_cat // /start -!catA.
rewrite sol; last first.
  rewrite /valid /= size_t1 size_windowed size_table_values eqxx tab_below !ltn_ord !andbT /=; apply/and3P; split.
  - by apply: leq_trans (_ : m - g + g <= m); rewrite ?ltn_add2l ?subnK.
  - by apply: last_entries_lt => e; rewrite -{2}(subnK um) ltn_add2l.
  by apply/allP => v /mapP[k _ ->]; apply: window_entry_lt => // [|e]; [rewrite muln_gt0 m0 | apply: ltn_ord].
rewrite /= size_t1 size_windowed nth_last_entries (nth_windowed m0 um (content f) (w, h e0)).
by rewrite (nth_table_values z3 (entry (b, f (w, h e0)))).
Qed.

Variables (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).

(** * 2. (P): sets of tables for which block 0 has the same states behind the hidden part, every window and table 1 *)
Definition alike (S3 : {set table3}) (Q2 : {set table2}) (Q1 : {set table1}) (z3s : table3) (f2s : table2) : Prop :=
  [/\ z3s \in S3, f2s \in Q2,
      forall z z', z \in S3 -> z' \in S3 -> same_states (md := md) (start z) (start z') K [::] B0,
      forall (b : 'I_n1) f f', f \in Q2 -> f' \in Q2 ->
        same_states (md := md) (start z3s ++ win f) (start z3s ++ win f') (N2 + b.+1 * m) [::] B0
    & forall h h', h \in Q1 -> h' \in Q1 -> same_states (md := md) (start z3s ++ (win f2s ++ tok1 h))
        (start z3s ++ (win f2s ++ tok1 h')) (N2 + N1 + m) [::] B0].
(** λ_0 bits for the hidden part, for each window and for table 1; and Θ_1 tables 1 with different values at one place. *)
Lemma alike_tables lam0 Th1 : \prod_(l <- B0) states l <= 2 ^ lam0 -> 0 < N2 -> 0 < Th1 -> Th1.-1 ^ g * 2 ^ lam0 < u ^ g ->
  exists S3 Q2 Q1 z3s f2s, [/\ alike S3 Q2 Q1 z3s f2s, N2 ^ N2 <= #|S3| * 2 ^ lam0, N1 ^ #|A| <= #|Q2| * 2 ^ (n1 * lam0)
    & exists (e0 : 'I_g) (iv : 'I_Th1 -> 'I_u) (T : 'I_Th1 -> table1), injective iv /\ forall k, T k \in Q1 /\ T k e0 = iv k].
Proof.
move=> h0 N20 Th10 ha; have N10 : 0 < N1 by move: N20; rewrite muln_gt0 => /andP[].
have [S3 [_ /states_fixed stS] dS] : exists2 S3 : {set table3}, S3 \subset setT /\ consts S3 (states_asked start K [::] B0)
    & N2 ^ N2 <= #|S3| * 2 ^ (0 + lam0).
  by apply: fixing_bits; [rewrite cardsT card_ffun !card_ord muln1 | rewrite states_charge].
have [z3s hzs] : exists z, z \in S3 by apply: dense_pick dS; rewrite expn_gt0 N20.
pose wq (b : 'I_n1) := states_asked (fun f => start z3s ++ win f) (N2 + b.+1 * m) [::] B0.
have [Q2 [_ /consts_flatten c2] d2] : exists2 Q2 : {set table2},
    Q2 \subset setT /\ consts Q2 (flatten [seq wq b | b <- enum 'I_n1]) & N1 ^ #|A| <= #|Q2| * 2 ^ (0 + n1 * lam0).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  by rewrite -[n1 in n1 * lam0]size_enum_ord; apply: charge_lists => b; rewrite states_charge.
have [f2s hfs] : exists f, f \in Q2 by apply: dense_pick d2; rewrite expn_gt0 N10.
have [Q1 [_ /states_fixed stQ1] d1] : exists2 Q1 : {set table1},
    Q1 \subset setT /\ consts Q1 (states_asked (fun f => start z3s ++ (win f2s ++ tok1 f)) (N2 + N1 + m) [::] B0)
    & #|'I_u| ^ #|'I_g| <= #|Q1| * 2 ^ (0 + lam0).
  by apply: fixing_bits; [rewrite cardsT card_ffun muln1 | rewrite states_charge].
exists S3, Q2, Q1, z3s, f2s; split=> //; last by apply: some_place d1 _ Th10; rewrite !card_ord.
by split=> // b f f' h h'; apply: (states_fixed (c2 b _) h h'); rewrite mem_enum.
Qed.

Section Alike.
Variables (S3 : {set table3}) (Q2 : {set table2}) (Q1 : {set table1}) (z3s : table3) (f2s : table2).
Hypothesis same : alike S3 Q2 Q1 z3s f2s.

(** The states at K are the same. *)
Lemma stK z z' s s' : z \in S3 -> z' \in S3 -> same_states (md := md) (start z ++ s) (start z' ++ s') K [::] B0.
Proof. by move=> h h'; have [_ _ stS _ _] := same; apply/same_states_prefix; rewrite ?size_start //; apply: stS. Qed.
(** Behind window b, whatever the hidden part and the copy. *)
Lemma st_window z z' f f' (b : 'I_n1) s s' : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 ->
  same_states (md := md) (start z ++ (win f ++ s)) (start z' ++ (win f' ++ s')) (N2 + b.+1 * m) [::] B0.
Proof.
move=> hz hz' hf hf'; have [hS hQ _ stQ _] := same.
have le : N2 + b.+1 * m <= N2 + N1 by rewrite leq_add2l mulnC leq_mul2l ltn_ord orbT.
rewrite !(catA (start _)); apply/same_states_prefix; rewrite ?size_sw //.
have one y f1 : y \in S3 -> same_states (md := md) (start y ++ win f1) (start z3s ++ win f1) (N2 + b.+1 * m) [::] B0.
  move=> hy; apply: (@block0_before _ _ _ _ K) => //; last exact: stK.
    by rewrite leq_add2l (leq_trans (leq_subr _ _)) // leq_pmull.
  by move=> k /andP[lk _]; rewrite !nth_cat !size_start ltnNge lk.
apply: same_states_trans (one z f hz) _; apply: same_states_trans (stQ b _ _ hf hf') _.
exact: same_states_sym (one z' f' hz').
Qed.
(** Behind table 2. *)
Lemma st_table2 z z' f f' s s' : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 ->
  same_states (md := md) (start z ++ (win f ++ s)) (start z' ++ (win f' ++ s')) (N2 + N1) [::] B0.
Proof.
have pn : n1.-1 < n1 by rewrite prednK.
by move=> *; have := @st_window z z' f f' (Ordinal pn) s s'; rewrite /= prednK // (mulnC n1); apply.
Qed.
(** Behind table 1. *)
Lemma st_table1 z z' f f' h h' s s' : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 -> h \in Q1 -> h' \in Q1 ->
  same_states (md := md) (start z ++ (win f ++ (tok1 h ++ s))) (start z' ++ (win f' ++ (tok1 h' ++ s'))) (N2 + N1 + m) [::] B0.
Proof.
move=> hz hz' hf hf' hh hh'; have [hS hQ _ _ stQ1] := same.
have cut y f1 h1 s1 : start y ++ (win f1 ++ (tok1 h1 ++ s1)) = (start y ++ (win f1 ++ tok1 h1)) ++ s1 by rewrite -!catA.
have sz y f1 h1 : size (start y ++ (win f1 ++ tok1 h1)) = N2 + N1 + m by rewrite catA size_cat size_sw size_tok1.
rewrite !cut; apply/same_states_prefix; rewrite ?sz //.
have one y f1 h1 : y \in S3 -> f1 \in Q2 ->
    same_states (md := md) (start y ++ (win f1 ++ tok1 h1)) (start z3s ++ (win f2s ++ tok1 h1)) (N2 + N1 + m) [::] B0.
  move=> hy hf1; apply: (@block0_before _ _ _ _ (N2 + N1)); rewrite ?leq_addr //; last exact: st_table2.
  by move=> k /andP[lk _]; rewrite -(subnKC lk) !nth_rest.
apply: same_states_trans (one z f h hz hf) _; apply: same_states_trans (stQ1 _ _ hh hh') _.
exact: same_states_sym (one z' f' h' hz' hf').
Qed.

(** * 3. What the tokens behind the hidden part know before F1 *)
Variables (Th1 z0 : nat) (T : 'I_Th1 -> table1).
Hypothesis hT : forall i, T i \in Q1.
Definition rest (f : table2) (i : 'I_Th1) : seq token := win f ++ (tok1 (T i) ++ [:: Val z0]).
(** The rest has d tokens. *)
Lemma size_rest f i : size (rest f i) = d. Proof. by rewrite !size_cat size_windows size_tok1 addnA addn1. Qed.
(** z_0 stands at N_2 + N_1 + m. *)
Lemma Kd : K + d = (N2 + N1 + m).+1. Proof. by rewrite addnS addnA KN. Qed.

(** From z_0 on nobody knows a table. *)
Lemma z0_knows z z' f f' i i' s j : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 -> N2 + N1 + m <= j ->
  acts B0 ((start z ++ rest f i) ++ s) j = acts B0 ((start z' ++ rest f' i') ++ s) j.
Proof.
move=> hz hz' hf hf' lj.
have cut y f1 k : (start y ++ rest f1 k) ++ s = start y ++ (win f1 ++ (tok1 (T k) ++ (Val z0 :: s))).
  by rewrite /rest -catA -(catA (win f1)) -(catA (tok1 _)).
rewrite !cut; apply: (@block0_at _ _ _ _ (N2 + N1 + m)); rewrite ?leqnSn //; last exact: st_table1.
by move=> k /andP[lk _]; rewrite -(subnKC lk) -!(addnA (N2 + N1)) !nth_rest !(nth_cat _ (tok1 _)) !size_tok1 ltnNge leq_addr.
Qed.
(** A token of table 2 knows its copy if it is in a window, and nothing of it otherwise. *)
Lemma table2_knows z z' f f' i i' q : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 -> gap <= q -> q < N1 ->
  (gap <= q %% m -> f = f') -> acts B0 (start z ++ rest f i) (N2 + q) = acts B0 (start z' ++ rest f' i') (N2 + q).
Proof.
move=> hz hz' hf hf' gq qN window.
have tok P k : N2 + q %/ m * m <= P -> K <= P -> P <= k <= N2 + q ->
    nth (Val 0) (start z ++ rest f i) k = nth (Val 0) (start z' ++ rest f' i') k.
  move=> l1 l2 /andP[l3 l4]; have lN : N2 <= k by apply: leq_trans (leq_trans l2 l3); apply: leq_addr.
  rewrite -(subnKC lN); have q1 : gap <= k - N2 by rewrite leq_subRL // (leq_trans l2 l3).
  have q2 : k - N2 <= q by rewrite leq_subLR.
  rewrite !nth_win //; try exact: leq_ltn_trans q2 qN.
  congr Val; apply: same_block q2 _ => //; first by rewrite leq_subRL // (leq_trans l1 l3).
  by move=> /window E e; rewrite /content E.
case Eb : (q %/ m) => [|b].
  apply: (@block0_at _ _ _ _ K) => //; [by rewrite leq_add2l | | exact: stK].
  by move=> k hk; apply: (tok K) => //; rewrite Eb mul0n addn0 leq_addr.
have bn : b < n1 by apply: ltnW; rewrite -Eb ltn_divLR // mulnC.
apply: (@block0_at _ _ _ _ (N2 + b.+1 * m)) => //; [by rewrite leq_add2l -Eb leq_trunc_div | | exact: (st_window (Ordinal bn))].
move=> k hk; apply: (tok (N2 + b.+1 * m)) => //; first by rewrite Eb.
by rewrite leq_add2l (leq_trans (leq_subr _ _)) // leq_pmull.
Qed.
(** A token of table 1 knows its table if it is on G, and nothing of it before. *)
Lemma table1_knows z z' f f' i i' k : z \in S3 -> z' \in S3 -> f \in Q2 -> f' \in Q2 -> k < m -> (m - g <= k -> i = i') ->
  acts B0 (start z ++ rest f i) (N2 + N1 + k) = acts B0 (start z' ++ rest f' i') (N2 + N1 + k).
Proof.
move=> hz hz' hf hf' km onG; apply: (@block0_at _ _ _ _ (N2 + N1)); rewrite ?leq_addr //; last exact: st_table2.
move=> j /andP[lj jk]; rewrite -(subnKC lj) !nth_rest; have le : j - (N2 + N1) <= k by rewrite leq_subLR.
rewrite !nth_cat !size_tok1 (leq_ltn_trans le km) !(nth_map 0) ?size_t1 ?(leq_ltn_trans le km) //; congr Val.
by case: (leqP (m - g) k) => [/onG -> //|kg]; rewrite !nth_first_zeros // (leq_ltn_trans le).
Qed.

(** What a query has heard behind table 1 in F1: the same for copies after which it has heard the same. *)
Lemma heard_behind z zh f f' i x : z \in S3 -> zh \in S3 -> f \in Q2 -> f' \in Q2 ->
  partial_sum F1 (acts B0 (start z)) x K (K + d) = partial_sum F1 (acts B0 (start zh)) x K (K + d) ->
  partial_sum F1 (acts B0 (start zh ++ win f)) x (N2 + N1) (K + d) = partial_sum F1 (acts B0 (start zh ++ win f')) x (N2 + N1) (K + d) ->
  partial_sum F1 (acts B0 (start z ++ rest f i)) x (K + d) (K + d) = partial_sum F1 (acts B0 (start z ++ rest f' i)) x (K + d) (K + d).
Proof.
move=> hz hzh hf hf' hidden copies; apply: (@sum_from _ _ _ _ _ (N2 + N1)); first by rewrite Kd leqW // leq_addr.
  have sg f1 : partial_sum F1 (acts B0 (start z ++ rest f1 i)) x (N2 + N1) (K + d)
             = partial_sum F1 (acts B0 (start zh ++ win f1)) x (N2 + N1) (K + d).
    rewrite /rest catA sum_prefix ?size_sw //; apply: (@sum_from _ _ _ _ _ K); first by rewrite leq_add2l gap_le.
      by rewrite !(sum_prefix _ _ _ (p := start _)) ?size_start.
    move=> j /andP[lj _]; apply: (@block0_at _ _ _ _ K) => //; last exact: stK.
    by move=> k /andP[lk _]; rewrite !nth_cat !size_start ltnNge lk.
  by rewrite !sg.
move=> j /andP[lj _]; apply: (@block0_at _ _ _ _ (N2 + N1)) => //; last exact: st_table2.
by move=> k /andP[lk _]; rewrite -(subnKC lk) !nth_rest.
Qed.

(** * 4. Labels: what token k behind the hidden part may know, x_2 copies of table 2 and Θ_1 of table 1 *)
Variable x2 : nat.
Notation Mid := [finType of 'I_x2 * 'I_Th1].
Definition label (c : Mid) (k : nat) : nat :=
  if k < w2 then (if gap <= (gap + k) %% m then val c.1 else 0)
  else if k < w2 + (m - g) then 0 else if k < w2 + m then val c.2 else 0.
Definition labels : seq (nat * nat) := window_labels m n1 u x2 ++ ([seq (w2 + k, 0) | k <- iota 0 (m - g)] ++
  ([seq (w2 + (m - g) + k, i) | k <- iota 0 g, i <- iota 0 Th1] ++ [:: (w2 + m, 0)])).
(** So many labels stand for what table 3 hears of the tables below. *)
Lemma size_labels : size labels = x2 * (n1 * u) + n1.-1 * gap + (m - g) + g * Th1 + 1.
Proof. by rewrite /labels size_cat size_window_labels !size_cat size_map size_allpairs !size_iota /= !addnA. Qed.
(** All are listed. *)
Lemma in_labels c k : k < d -> (k, label c k) \in labels.
Proof.
move=> kd; rewrite /label /labels mem_cat; case: ltnP => [kw|wk]; first by rewrite mem_window_labels.
apply/orP; right; rewrite mem_cat; case: ltnP => [k1|k1].
  apply/orP; left; apply/mapP; exists (k - w2); last by rewrite subnKC.
  by rewrite mem_iota add0n ltn_subLR.
apply/orP; right; rewrite mem_cat; case: ltnP => [k2|k2].
  apply/orP; left; apply/allpairsP; exists (k - (w2 + (m - g)), val c.2); split=> /=.
  - by rewrite mem_iota add0n ltn_subLR // -addnA subnK.
  - by rewrite mem_iota add0n ltn_ord.
  by rewrite subnKC.
apply/orP; right; rewrite inE; apply/eqP; congr pair; apply/eqP; by rewrite eqn_leq k2 andbT -ltnS.
Qed.
(** Before F1 token k knows its label. *)
Lemma label_known (F : {ffun 'I_x2 -> table2}) z z' (c c' : Mid) k : (forall a, F a \in Q2) -> z \in S3 -> z' \in S3 -> k < d ->
  label c k = label c' k -> acts B0 (start z ++ rest (F c.1) c.2) (K + k) = acts B0 (start z' ++ rest (F c'.1) c'.2) (K + k).
Proof.
move=> hF hz hz' kd; rewrite /label; case: ltnP => [kw el|wk].
  rewrite -addnA; apply: table2_knows; rewrite ?leq_addr //; first by rewrite -ltn_subRL.
  by move=> le; move: el; rewrite le => /val_inj ->.
have Ek : K + k = N2 + N1 + (k - w2) by rewrite -KN -[RHS]addnA subnKC.
rewrite Ek; case: (ltnP k (w2 + m)) => [k2 el|k2 _].
  apply: table1_knows => //; first by rewrite ltn_subLR.
  by rewrite leq_subRL // => k1; move: el; rewrite ltnNge k1 => /val_inj.
by rewrite -[X in acts _ X]cats0 -[in RHS](cats0 (start z' ++ _)); apply: z0_knows => //; rewrite leq_add2l leq_subRL.
Qed.

(** * 5. Copies of table 2 that take Θ_2 values, with one state of block 1 into w for each table 1: extra bits, or λ_1 = 0 *)
Lemma state_copies (Sh : {set table3}) (Q : {set table2}) (J : {set A}) lam1 Th2 pre extra : \prod_(l <- F1 :: B1) states l <= 2 ^ lam1 ->
  0 < #|Sh| -> 0 < Th2 -> Th2 <= N1 -> N1 ^ #|A| <= #|Q| * 2 ^ pre ->
  ('C(N1, Th2.-1) * Th2.-1 ^ (x2 * #|J|) * 2 ^ (x2 * (pre + Th1 * lam1) + 1) <= N1 ^ (x2 * #|J|) /\ extra = 1 + x2 * (Th1 * lam1)) \/
  [/\ 'C(N1, Th2.-1) * Th2.-1 ^ (x2 * #|J|) * 2 ^ (x2 * pre) < N1 ^ (x2 * #|J|), lam1 = 0 & extra = 0] ->
  exists (F : {ffun 'I_x2 -> table2}) (S : {set table3}),
    [/\ forall a, F a \in Q, Th2 <= #|values J F|, S \subset Sh, #|Sh| <= #|S| * 2 ^ extra
      & forall z z' a a' i, z \in S -> z' \in S ->
        same_states (md := md) (start z ++ rest (F a) i) (start z' ++ rest (F a') i) (K + d) B0 (F1 :: B1)].
Proof.
move=> h1 Sh0 Th20 Th2N d2; have N10 : 0 < N1 := leq_trans Th20 Th2N; case=> [[hb ->]|[hb l1 ->]].
  pose sigma z f : {ffun 'I_Th1 -> all_states (F1 :: B1)} := [ffun i => states_at (start z ++ rest f i) (K + d) B0 (F1 :: B1)].
  have cSg : #|{ffun 'I_Th1 -> all_states (F1 :: B1)}| <= 2 ^ (Th1 * lam1).
    by rewrite card_ffun card_ord card_all_states (mulnC Th1) expnM; apply: exp_mono.
  have [F [S [k1 k2 k3 k4 k5]]] := copies sigma Sh0 N10 Th2N d2 cSg hb.
  exists F, S; split=> // [|z z' a a' i hz hz']; first by case: k2 => // e; move: Th20; rewrite e.
  by apply: states_atP; have := congr1 (fun f : {ffun _ -> _} => f i) (k5 z z' a a' hz hz'); rewrite !ffunE.
have [F [k1 k2]] := copies_free N10 Th2N d2 hb.
exists F, Sh; split=> //; first by case: k2 => // e; move: Th20; rewrite e.
  by rewrite expn0 muln1.
by move=> *; apply: one_state; move: h1; rewrite l1.
Qed.
End Alike.

Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.

(** * 6. A3 for a word that is a block, F, a block, F, a block; extra: the bits that the copies cost *)
Lemma A3_exact beta lam0 lam1 lam2 Th1 x2 Th2 extra : sums F1 <= 2 ^ beta -> sums F2 <= 2 ^ beta ->
  \prod_(l <- B0) states l <= 2 ^ lam0 -> \prod_(l <- F1 :: B1) states l <= 2 ^ lam1 ->
  \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 ->
  0 < N2 -> 0 < Th1 -> 0 < Th2 -> Th2 <= N1 ->
  Th1.-1 ^ g * 2 ^ lam0 < u ^ g ->
  (('C(N1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam0 + beta * (n1 * n2) + Th1 * lam1) + 1)
      <= N1 ^ (x2 * (n1 * Th1)) /\ extra = 1 + x2 * (Th1 * lam1))
   \/ [/\ 'C(N1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam0 + beta * (n1 * n2)))
      < N1 ^ (x2 * (n1 * Th1)), lam1 = 0 & extra = 0]) ->
  2 ^ (lam0 + extra + (lam1 + beta * (n1 * n2 + (x2 * (n1 * u) + n1.-1 * gap + (m - g) + g * Th1 + 1) + n1 * n2 * Th1)
       + x2 * Th1 * lam2)) < N2 ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb1 hb2 h0 h1 h2 N20 Th10 Th20 Th2N ha hb hend sol.
have [S3 [Q2a [Q1 [z3s [f2s [same dS d2a [e0 [iv [T [iv_inj hT]]]]]]]]]] := alike_tables h0 N20 Th10 ha.
have hT1 i : T i \in Q1 by case: (hT i).
have [hzs hfs _ _ _] := same; pose i0 : 'I_Th1 := Ordinal Th10.
pose after := rest (m - g + e0) T; pose asked (q : 'I_n1 * 'I_n2) : token := Query [:: val q.1; val q.2].
pose xq q := acts B0 ((start z3s ++ after f2s i0) ++ [:: asked q]) (K + d).
have knows z f i q : z \in S3 -> f \in Q2a -> acts B0 ((start z ++ after f i) ++ [:: asked q]) (K + d) = xq q.
  by move=> hz hf; apply: (z0_knows same _ hT1) => //; rewrite Kd leqnSn.
(* what every w hears from the hidden part in layer 1, and then what it has heard behind table 2 *)
have queries : n1 * n2 = size (enum [finType of 'I_n1 * 'I_n2]) by rewrite -cardE card_prod !card_ord.
pose Sq q : question table3 := Ask (fun z => partial_sum F1 (acts B0 (start z)) (xq q) K (K + d)).
have [Sh [sh cS] dh] : exists2 Sh : {set table3}, Sh \subset S3 /\ consts Sh [seq Sq q | q <- enum [finType of 'I_n1 * 'I_n2]]
    & N2 ^ N2 <= #|Sh| * 2 ^ (lam0 + beta * (n1 * n2)).
  by apply: fixing_bits dS _; rewrite {1}queries; apply: charge_each => q; rewrite /= card_sum_type.
have [zh hzh] : exists z, z \in Sh by apply: dense_pick dh; rewrite expn_gt0 N20.
pose hq q : question table2 := Ask (fun f => partial_sum F1 (acts B0 (start zh ++ win f)) (xq q) (N2 + N1) (K + d)).
have [Q2 [s2 cH] d2] : exists2 Q2 : {set table2}, Q2 \subset Q2a /\ consts Q2 [seq hq q | q <- enum [finType of 'I_n1 * 'I_n2]]
    & N1 ^ #|A| <= #|Q2| * 2 ^ (n1 * lam0 + beta * (n1 * n2)).
  by apply: fixing_bits d2a _; rewrite {1}queries; apply: charge_each => q; rewrite /= card_sum_type.
(* the copies of table 2, with the same states of block 1 into w *)
pose J : {set A} := setX setT [set iv k | k in 'I_Th1].
have cJ : #|J| = n1 * Th1 by rewrite cardsX cardsT card_ord card_imset // card_ord.
have Sh0 : 0 < #|Sh| by apply/card_gt0P; exists zh.
rewrite -cJ in hb; have [F [S [hF hv sS dSS hsig]]] := state_copies (m - g + e0) T h1 Sh0 Th20 Th2N d2 hb.
have S0 : 0 < #|S| by case: (posnP #|S|) dSS => // ->; rewrite mul0n leqn0 => /eqP e; move: Sh0; rewrite e.
have hF' a : F a \in Q2a := subsetP s2 _ (hF a).
have inSh z : z \in S -> z \in Sh := fun h => subsetP sS _ h.
have inS z : z \in S -> z \in S3 := fun h => subsetP sh _ (inSh z h).
have hidden z z' q : z \in S -> z' \in Sh -> partial_sum F1 (acts B0 (start z)) (xq q) K (K + d) = partial_sum F1 (acts B0 (start z')) (xq q) K (K + d).
  by move=> /inSh h h'; apply: (consts_map cS (v := q)); rewrite ?mem_enum.
(* the end: two layers behind a hidden part *)
have [|||||Q dens [sQ blind]] := @two_layers md B0 B1 B2 F1 F2 nB1 nB2 the_word [finType of table3] [finType of 'I_x2 * 'I_Th1]
  [finType of 'I_n1 * 'I_n2] _ _ start (fun c => after (F c.1) c.2) asked K d S setT size_start (fun c => size_rest _ _ (F c.1) c.2) (labels Th1 x2)
  (@label Th1 x2) (fun c k _ => @in_labels Th1 x2 c k) _ _ snd _ _ _ beta lam1 lam2 hb1 hb2 h1 h2 S0.
- by move=> z z' c c' k /inS hz /inS hz' _ _; apply: (label_known same _ hT1).
- by move=> z z' c c' q /inS hz /inS hz' _ _; rewrite /whole /body !knows.
- by move=> z z' c q hz hz' _; rewrite /whole /body knows ?inS ?hF' //; apply: hidden => //; apply: inSh.
- move=> z c c' q zS _ _ /= ei; rewrite /whole /body knows ?(inS _ zS) // -ei.
  apply: (heard_behind same _ _ (zh := zh)); rewrite ?hF' ?(inS _ zS) ?(subsetP sh _ hzh) //; first exact: hidden.
  by apply: (consts_map cH (v := q)); rewrite ?mem_enum.
- by move=> z z' c c' hz hz' _ _ /= ei; rewrite /body -ei; apply: hsig.
have {}dens : N2 ^ N2 <= #|Q| * 2 ^ (lam0 + extra + (lam1 + beta * (n1 * n2 + (x2 * (n1 * u) + n1.-1 * gap + (m - g) + g * Th1 + 1)
     + n1 * n2 * Th1) + x2 * Th1 * lam2)).
  apply: leq_trans dh _; apply: leq_trans (leq_mul dSS (leqnn _)) _.
  apply: leq_trans (leq_mul (leq_mul dens (leqnn _)) (leqnn _)) _.
  rewrite size_labels cardsT !card_prod !card_ord -!mulnA -!expnD; apply: eq_leq; congr (_ * 2 ^ _).
  by rewrite -!plusE -!multE; nia.
(* the entries that are asked *)
pose ent (b : 'I_n2 * 'I_N1) : 'I_N2 := entry b.
have agree : forall f h, f \in Q -> h \in Q -> {in [set ent b | b in setX [set: 'I_n2] (values J F)], f =1 h}.
  move=> f h fQ hQ _ /imsetP[[b y] /setXP[_ /= /bigcupP[a _ /imsetP[[w j] /setXP[_ /imsetP[i _ /= ->]] ->]]] ->].
  have right z : output md (TwoLayers.whole start (fun c => after (F c.1) c.2) asked z (a, i) (w, b)) = z (ent (b, F a (w, iv i))).
    by have [_ <-] := hT i; apply: right_entry.
  have sp z : size (TwoLayers.whole start (fun c => after (F c.1) c.2) asked z (a, i) (w, b)) = (K + d).+1.
    by rewrite 2!size_cat size_start [size (after _ _)]size_rest addn1.
  by apply: val_inj; rewrite /= -!right /output !sp; congr out; apply: blind; rewrite ?inE.
have kS : n2 * Th2 <= #|[set ent b | b in setX [set: 'I_n2] (values J F)]|.
  by rewrite card_imset ?cardsX ?cardsT ?card_ord ?leq_mul2l ?hv ?orbT //; apply: entry_inj.
by move: hend; rewrite ltnNge (agreeing_tables N20 dens kS agree).
Qed.
End A3.

(** Both cases of (b): with 1 + x_2·Θ_1·λ_1 bits for the copies, or λ_1 = 0 and none. *)
Lemma A3_cases beta lam m n1 n2 g u Th1 x2 Th2 (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 -> Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  forall extra, ('C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1)
      <= (m * n1) ^ (x2 * (n1 * Th1)) /\ extra = 1 + x2 * (Th1 * lam 1)) \/
    [/\ 'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2)))
      < (m * n1) ^ (x2 * (n1 * Th1)), lam 1 = 0 & extra = 0] ->
  2 ^ (lam 0 + lam 1 + extra + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) -> ~ solves m [:: n1; n2] md.
Proof.
move=> hb hl hF um gm Th20 Th2N ha extra b hc sol.
have u0 : 0 < u.
  case: (posnP u) ha => // ->; case: (posnP g) => [->|h]; last by rewrite exp0n.
  by rewrite !expn0 mul1n ltnS leqn0 expn_eq0.
have g0 : 0 < g by case: (posnP g) ha => // ->; rewrite !expn0 mul1n ltnS leqn0 expn_eq0.
have m0 : 0 < m by apply: leq_trans um.
have N20 : 0 < m * n1 * n2.
  case: (posnP (m * n1 * n2)) hc => // ->; case: (posnP (n2 * Th2)) => [->|h]; last by rewrite exp0n.
  by rewrite expn0 ltnS leqn0 expn_eq0.
have n10 : 0 < n1 by move: N20; rewrite !muln_gt0 => /andP[/andP[]].
have Th10 : 0 < Th1.
  have t0 : 0 < x2 * (n1 * Th1).
    rewrite lt0n; apply/eqP => t0; have c0 : 0 < 'C(m * n1, Th2.-1) by rewrite bin_gt0 (leq_trans (leq_pred _)).
    case: b => [[h _]|[h _ _]]; move: h; rewrite t0 !expn0 muln1; last by rewrite ltnS leqn0 muln_eq0 expn_eq0 orbF eqn0Ngt c0.
    rewrite leqNgt => /negP; apply; rewrite addn1 expnS mulnCA.
    by apply: leq_pmulr; rewrite muln_gt0 c0 expn_gt0.
  by move: t0; rewrite !muln_gt0 => /and3P[].
have [md' [same [B0 [F1 [B1 [F2 [B2 [Ew [nB0 nB1 nB2] [hb1 hb2] [h0 h1 h2]]]]]]]]] := two_full_word hb hl hF.
have sol' := solves_same same sol.
apply: (A3_exact m0 n10 um gm nB0 nB1 nB2 Ew hb1 hb2 h0 h1 h2 N20 Th10 Th20 Th2N ha b _ sol').
move: hc; congr (2 ^ _ < _); rewrite -!plusE -!multE; Lia.nia.
Qed.

(** A3 as in theory 5.8.  Θ_2 ≤ N_1 must be there: beyond N_1 the binomial is 0, and (b) would hold of nothing.
    With Λ_0 = 0 one takes g = 1 and u = Θ_1, and (a) is true.  [A3] is for λ_1 > 0 (and true for λ_1 = 0). *)
Theorem A3 beta lam m n1 n2 g u Th1 x2 Th2 (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->                                                                        (* (a) *)
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1)
    <= (m * n1) ^ (x2 * (n1 * Th1)) ->                                                                     (* (b) *)
  2 ^ (lam 0 + lam 1 + (1 + x2 * Th1 * lam 1) + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->                                                                        (* (c) *)
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb hl hF um gm Th20 Th2N ha hb2 hc; apply: (A3_cases hb hl hF um gm Th20 Th2N ha (or_introl (conj hb2 (erefl _)))).
by rewrite mulnA.
Qed.

(** ... and with λ_1 = 0: no +1 in (b), which is then strict, and nothing for the copies in (c). *)
Theorem A3_quiet beta lam m n1 n2 g u Th1 x2 Th2 (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 1 = 0 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->                                                                        (* (a) *)
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2)))
    < (m * n1) ^ (x2 * (n1 * Th1)) ->                                                                      (* (b) *)
  2 ^ (lam 0 + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->                                                                        (* (c) *)
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb hl hF l1 um gm Th20 Th2N ha hb2 hc.
by apply: (A3_cases hb hl hF um gm Th20 Th2N ha (or_intror (And3 hb2 l1 (erefl 0)))); rewrite l1 !addn0.
Qed.

(** The inequalities in binary numbers, and their instances. *)
Local Notation nn := N.to_nat.
Definition hardA3N (beta l0 l1 l2 m n1 n2 g u Th1 x2 Th2 : N) : bool :=
  (let few := binomial (m * n1) (N.pred Th2) * N.pow (N.pred Th2) (x2 * (n1 * Th1)) in
   let all := N.pow (m * n1) (x2 * (n1 * Th1)) in
   let heard := beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + N.pred n1 * (m - u) + n1 * n2 * Th1) in
   [&& N.leb u m, N.leb g m, N.ltb 0 Th2, N.leb Th2 (m * n1)
     & N.ltb (N.pow (N.pred Th1) g * N.pow 2 l0) (N.pow u g)
       && (if N.eqb l1 0 then
             N.ltb (few * N.pow 2 (x2 * (n1 * l0 + beta * (n1 * n2)))) all
             && N.ltb (N.pow 2 (l0 + x2 * Th1 * l2 + heard)) (N.pow (m * n1 * n2) (n2 * Th2))
           else
             N.leb (few * N.pow 2 (x2 * (n1 * l0 + beta * (n1 * n2) + Th1 * l1) + 1)) all
             && N.ltb (N.pow 2 (l0 + l1 + (1 + x2 * Th1 * l1) + x2 * Th1 * l2 + heard)) (N.pow (m * n1 * n2) (n2 * Th2)))])%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certA3 beta l0 l1 l2 m n1 n2 g u Th1 x2 Th2 : hardA3N beta l0 l1 l2 m n1 n2 g u Th1 x2 Th2 ->
  forall md : model, message_bits md (nn beta) -> block_bits md (nth 0 [:: nn l0; nn l1; nn l2]) -> number_full md <= 2 ->
  ~ solves (nn m) [:: nn n1; nn n2] md.
Proof.
case/and5P => /toLe h1 /toLe h2 /toLt h3 /toLe h4 /andP[/toLt h5].
move=> h md hb hl hF; rewrite toM in h4; rewrite toM !toX toP in h5.
move: h; case: N.eqb_spec => [l10|_] /andP[h6 /toLt h7].
  have {}h6 := toLt h6; apply: (@A3_quiet _ _ _ _ _ (nn g) (nn u) (nn Th1) (nn x2) (nn Th2) md hb hl hF) => //.
  - by rewrite /= l10.
  - by move: h6; rewrite !(toX, toM, toD, toP, toBin).
  by move: h7; rewrite !(toX, toM, toD, toP, toB).
have {}h6 := toLe h6; apply: (@A3 _ _ _ _ _ (nn g) (nn u) (nn Th1) (nn x2) (nn Th2) md hb hl hF) => //.
  by move: h6; rewrite !(toX, toM, toD, toP, toBin).
by move: h7; rewrite !(toX, toM, toD, toP, toB).
Qed.
