(** Theorem E with D_1/m in its first term (theory 5.7): as in TheoremE.v, but the windows of z_0 that do not meet share the bits that are
    told at first (AverageFirst.v). Their first shares differ; they add up to what is claimed, and everything after is as it was. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions AverageDefinitions Prompt Counting Knowledge TheoremA TheoremB TwoPrompts TheoremCPrime Cube
  NestedBound Deficit Posterior Repeats Splits DelayedStep DelayedLevels TheoremA2Average TheoremETwo AverageLaw AverageStep AverageEnd TheoremE
  AverageFirst.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Shares over M·b *)
(** The same share with another denominator. *)
Lemma share_scale g h n lam a b K M : 0 < M -> share_bound g h n lam a b K -> share_bound g h n lam (a * M) (b * M) (K * M).
Proof.
move=> M0 /orP[/and5P[g0 ab bg hK hyp]|/and3P[g0 l0 le]]; apply/orP; last first.
  by right; rewrite g0 l0 [b * M * g]mulnAC [a * M * h]mulnAC leq_mul2r le orbT.
left; apply/and5P; split=> //; first by rewrite leq_mul2r ab orbT.
- by rewrite [b * M * g]mulnAC [a * M * h]mulnAC ltn_pmul2r.
- by rewrite [b * M * lam]mulnAC [K * M * n]mulnAC leq_mul2r hK orbT.
have self y : (y * M) ^ (y * M) = (y ^ y) ^ M * M ^ (y * M) by rewrite expnMn -expnM.
have E : M ^ (a * M) * M ^ ((b - a) * M) = M ^ (b * M) by rewrite -expnD -mulnDl subnKC.
rewrite -mulnBl !self !(expnM 2) !(expnM g) !(expnM (h - g)) !(expnM h) -E.
move: (M ^ (a * M)) (M ^ ((b - a) * M)) (exp_mono M hyp) => y z; rewrite !expnMn.
move: ((2 ^ K) ^ M) ((b ^ b) ^ M) ((g ^ a) ^ M) (((h - g) ^ (b - a)) ^ M) ((a ^ a) ^ M) (((b - a) ^ (b - a)) ^ M) ((h ^ b) ^ M) => p q r s u v w le.
apply: leq_trans (_ : y * z * (p * (q * (r * s))) <= _); first by apply: eq_leq; mring.
by apply: leq_trans (leq_mul (leqnn _) le) _; apply: eq_leq; mring.
Qed.
Definition scaled (M : nat) (cs : seq (nat * (nat * nat))) : seq (nat * (nat * nat)) := [seq (c.1, (c.2.1 * M, c.2.2 * M)) | c <- cs].
(** All levels. *)
Lemma levels_scale b beta lam W e D T Tv B t N ns cs last M : 0 < M -> levels_average b beta lam W e D T Tv B t N ns cs last ->
  levels_average (b * M) beta lam W e D T Tv B t N ns (scaled M cs) (last.1 * M, last.2 * M).
Proof.
move=> M0; elim: ns cs e D T Tv B t N => [|n ns IH] cs e D T Tv B t N /=.
  by move=> /andP[-> share]; apply: share_scale.
case: cs => [|[x [a K]] cs] //= /and3P[-> few rest]; rewrite IH // andbT.
by case/orP: few => [-> //|share]; rewrite (share_scale M0 share) orbT.
Qed.
(** Their sum. *)
Lemma sum_scaled M cs : sumn [seq c.2.1 | c <- scaled M cs] = added_shares cs * M.
Proof. by rewrite /added_shares; elim: cs => //= c cs ->; rewrite mulnDl. Qed.

(** * 2. One base for all windows *)
Section Bases.
Variables (md : model) (beta : nat) (lam : nat -> nat) (lam1 m n1 : nat) (ns : seq nat) (x0 k : nat) (start : 'I_k -> 'I_x0 -> nat).
(** A: the state of block 0 is one message for all of them. *)
Lemma joint_base_A : block_bits md lam -> splits [set: Tables (sizes m (n1 :: ns))] (lam 0) (fun S =>
  forall j, @blind_start md m n1 ns x0 (start j) [finType of 'I_x0] S (fun i => (start j i, [::], [::]))).
Proof.
move=> hl; apply: (@split_by _ _ (ask_states (md := md) (@above (sizes m (n1 :: ns))) (sumn (sizes m (n1 :: ns))) [::] (upto 0 (layers md)))).
  by rewrite prod_ask_states; apply: (hl 0).
move=> Q _ cs j; split; last by move=> i wr; apply: window_prompts.
by apply: (@recs_step _ _ _ _ _ (@size_above _) [::]) => //; [apply: closed_views | apply: (blind_nil _ (@size_above _)); apply: closed_views | apply: upto0].
Qed.
(** B: what each w hears in layer 1, and the state beside it. *)
Lemma joint_base_B ns0 (F1 : layer (act md)) : upto 0 (layers md) = [::] -> upto 1 (layers md) = [:: F1] -> sums F1 <= 2 ^ beta -> states F1 <= 2 ^ lam1 ->
  splits [set: Tables (sizes m ns0)] (beta * queries ns0 + lam1) (fun S =>
  forall j, @blind_at md (queries ns0) 0 x0 x0 x0 m ns0 [finType of 'I_x0] S (fun i => (start j i, [::], [::]))).
Proof.
move=> eq0 eq1 hb1 hl1; set ss := sizes m ns0.
pose lq w : question (Tables ss) :=
  Ask (fun u => partial_sum F1 (acts [::] (above u)) (embed md (sumn ss + 1) (Query w)) (sumn ss) (sumn ss + 1)).
apply: (@split_by _ _ (state_question ss [::] F1 :: [seq lq w | w <- all_queries ns0])).
  rewrite big_cons addnC expnD leq_mul //= ?card_state_type // expnM -size_all_queries.
  by apply: prod_answers => w; rewrite /= card_sum_type.
move=> Q _ [c1 c2] j; exists (z_views (start j)), (z_views (start j)), (z_views (start j)), (w_views (start j) ns0).
rewrite eq0 eq1; split; first split.
- exact: closed_z_views.
- move=> v vV; have /allpairsP[[i w] /= [hi hw E]] := vV.
  apply: (@layer_step1 _ _ _ _ Q (@size_above _) [::] F1 (z_views (start j) ++ w_views (start j) ns0) v (@closed_views _ _ _)) => //.
  + by apply: (blind_nil _ (@size_above _)); apply: closed_views.
  + by rewrite mem_cat vV orbT.
  + have -> : ask_sum (md := md) (@above ss) (sumn ss) [::] F1 v = sum_question ss [::] F1 [:: Val (start j i); Query w] by rewrite E.
    have G u : ask (ask_sum (md := md) (@above ss) (sumn ss) [::] F1 [:: Val (start j i); Query w]) u = ask (lq w) u.
      by rewrite /= last_act_nil // size_above.
    by move=> u u' uQ uQ'; rewrite !G; apply: (consts_map c2).
  by rewrite inE.
- move=> v vV; exists v => //; split=> // t t' ht ht'.
  have nil : blind (md := md) (@above ss) Q [::] (z_views (start j)) by apply: (blind_nil _ (@size_above _)); apply: closed_z_views.
  exact: nil.
- by split=> // v; apply: w_views_bodies.
- by rewrite size_w_views size_z_views !leqnn.
by move=> i wr; apply: window_prompts.
Qed.
End Bases.

(** * 3. ⌊m/x_0⌋ windows that do not meet, shifted by r *)
Section Shifts.
Variables (md : model) (m : nat) (ns : seq nat) (b x0 : nat).
Hypotheses (x00 : 0 < x0) (x0m : x0 <= m).
Let m0 : 0 < m := leq_trans x00 x0m.
Notation k := (m %/ x0).
Definition tile (r : 'I_m) (j : 'I_k) (i : 'I_x0) : nat := (r + (j * x0 + i)) %% m.
(** Places before the shift. *)
Lemma tile_lt (j : 'I_k) (i : 'I_x0) : j * x0 + i < m.
Proof.
by apply: leq_trans (leq_trunc_div m x0); rewrite [X in _ < X]mulnC; apply: pair_lt.
Qed.
(** Different windows do not meet. *)
Lemma tile_inj r j j2 i i2 : tile r j i = tile r j2 i2 -> j = j2 /\ i = i2.
Proof.
move=> /eqP; rewrite eqn_modDl !modn_small ?tile_lt // => /eqP E; split; apply: val_inj => /=.
  by have := congr1 (divn^~ x0) E; rewrite /= !divnMDl // (divn_small (ltn_ord i)) (divn_small (ltn_ord i2)) !addn0.
by have := congr1 (modn^~ x0) E; rewrite /= !modnMDl !modn_small.
Qed.
(** All shifts together have every z_0 equally often. *)
Lemma all_tiles (f : nat -> nat) : \sum_(r < m) \sum_(j < k) \sum_(i < x0) f (tile r j i) = k * x0 * \sum_(z < m) f z.
Proof.
rewrite exchange_big (eq_bigr (fun=> x0 * \sum_(z < m) f z)) /= => [|j _]; first by rewrite sum_nat_const card_ord mulnA.
rewrite exchange_big (eq_bigr (fun=> \sum_(z < m) f z)) /= => [|i _]; first by rewrite sum_nat_const card_ord.
pose turn (r : 'I_m) : 'I_m := Ordinal (ltn_pmod (r + (j * x0 + i)) m0).
have turn_inj : injective turn.
  by move=> r r2 /(congr1 val) /= /eqP; rewrite eqn_modDr !modn_small // => /eqP; apply: val_inj.
by rewrite [RHS](reindex_inj turn_inj).
Qed.
(** If the windows of each shift are answered on at most A/b together, so are all inputs. *)
Lemma ceiling_of_shifts A : (forall r : 'I_m, exists M (A1 : 'I_k -> nat), [/\ 0 < M, \sum_j A1 j <= A * (k * M)
    & forall j, window_ceiling md m ns (b * M) (tile r j) (A1 j)]) ->
  b * right_inputs m ns md <= A * size (all_inputs m ns).
Proof.
move=> each; have k0 : 0 < k by rewrite divn_gt0.
pose g z := \sum_(w <- all_queries ns) \sum_(u : Tables [:: last_size m ns]) \sum_(zs <- all_tables (lower_sizes m ns))
    (output md (prompt z (rcons zs (table_values u.2)) w) == answer z (rcons zs (table_values u.2)) w : nat).
pose all := x0 * size (all_queries ns) * (#|Tables [:: last_size m ns]| * size (all_tables (lower_sizes m ns))).
have one r : b * (\sum_(j < k) \sum_(i < x0) g (tile r j i)) <= A * k * all.
  have [M [A1 [M0 sum1 ceil]]] := each r; rewrite -(leq_pmul2l M0).
  apply: leq_trans (_ : \sum_(j < k) A1 j * all <= _).
    by rewrite mulnA (mulnC M) big_distrr; apply: leq_sum => j _; apply: ceil.
  by rewrite -big_distrl /=; apply: leq_trans (leq_mul sum1 (leqnn _)) _; apply: eq_leq; move: (m %/ x0) all => d y; mring.
have : \sum_(r < m) b * (\sum_(j < k) \sum_(i < x0) g (tile r j i)) <= \sum_(r < m) A * k * all by apply: leq_sum => r _; apply: one.
rewrite -big_distrr /= (all_tiles g) sum_nat_const card_ord -right_inputs_all => le.
rewrite -(leq_pmul2l (_ : 0 < k * x0)) ?muln_gt0 ?k0 //.
apply: leq_trans (_ : b * (k * x0 * right_inputs m ns md) <= _); first by rewrite mulnCA.
apply: leq_trans le _; rewrite /all !size_allpairs size_iota lower_sizesE size_lower card_prod card_unit mul1n.
apply: eq_leq; move: k (size (all_queries ns)) (size (all_tables _)) (#|_|) => d q l t; mring.
Qed.
End Shifts.

(** * 4. The theorems *)
(** A full layer less than tables. *)
Theorem E_A_spread b beta lam m ns x0 x1 a1 K1 cs last (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  averageA_spread b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof.
case: ns => [|n1 ns] // hb hl hF /andP[/and4P[x00 x0m]]; case: x1 => // x1 _ few rest.
have [md2 [hb2 hl2 hF2 _ ho]] := pad_full hb hl hF.
have -> : right_inputs m (n1 :: ns) md = right_inputs m (n1 :: ns) md2 by apply: eq_count => i; rewrite ho.
apply: (ceiling_of_shifts x00 x0m) => r; have full1 : 1 <= number_full md2 by rewrite hF2.
have inside (j : 'I_(m %/ x0)) (i : 'I_x0) : tile r j i < m by apply: ltn_pmod; apply: leq_trans x0m.
have base := @joint_base_A md2 lam m n1 ns x0 _ (tile r) hl2.
have [M [A [M0 sum1 laws]]] := @first_of_all m n1 x1 _ x0 (lam 0) _ b ns (tile r) inside (@tile_inj m x0 x00 r)
  (fun j => @blind_start md2 m n1 ns x0 (tile r j))
  (fun j => @blind_at md2 (queries (n1 :: ns)) 0 (x1.+1 * m + x0) (x1.+1 * (m + x0)) (x1.+1 * x0) (m * n1) ns) base
  (fun j Pa S low F => @first_step md2 beta lam m n1 ns x0 (tile r j) hb2 hl2 full1 x1 Pa S low F) a1 K1 x00 (orP few).
exists M, (fun j => A j + sumn [seq c.2.1 | c <- scaled M cs] + last.1 * M); split=> //.
  rewrite !big_split /= !sum_nat_const card_ord sum_scaled; apply: leq_trans (leq_add (leq_add sum1 (leqnn _)) (leqnn _)) _.
  by apply: eq_leq; move: (m %/ x0) (added_shares cs) => d s; mring.
move=> j; have := levels_average_sound hb2 hl2 _ (levels_scale M0 rest) _ _ (laws j); apply=> //.
by rewrite hF2 /= add0n addn1.
Qed.

(** As many full layers as tables, and no recurrent layer before the second of them. *)
Theorem E_B_spread b beta lam m ns x0 x1 a1 K1 cs last (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  averageB_spread b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof.
case: ns => [|n1 ns] // hb hl hF hR /andP[/and4P[x00 x0m]]; case: x1 => // x1 _ few rest.
have [md2 [hb2 hl2 hF2 hR2 ho]] := pad_full hb hl hF.
have -> : right_inputs m (n1 :: ns) md = right_inputs m (n1 :: ns) md2 by apply: eq_count => i; rewrite ho.
have {}hR := hR2 hR; have [F1 [eq0 eq1]] : exists F1, upto 0 (layers md2) = [::] /\ upto 1 (layers md2) = [:: F1].
  move: hF2 hR; rewrite /number_full /no_early_rec; case E : (layers md2) => [|F1 ls] // _ h; exists F1; split; last exact: upto1_F.
  by move: h => /=; case lF: (is_full F1) => //=; rewrite lF.
have hb1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb2; rewrite eq1 /= => /andP[].
have hl1 : states F1 <= 2 ^ lam 1 by have := hl2 1; rewrite /block eq0 eq1 /= big_seq1.
apply: (ceiling_of_shifts x00 x0m) => r.
have inside (j : 'I_(m %/ x0)) (i : 'I_x0) : tile r j i < m by apply: ltn_pmod; apply: leq_trans x0m.
have base := @joint_base_B md2 beta (lam 1) m x0 _ (tile r) (n1 :: ns) F1 eq0 eq1 hb1 hl1.
have two : 2 <= number_full md2 by rewrite hF2.
have [M [A [M0 sum1 laws]]] := @first_of_all m n1 x1 _ x0 (beta * queries (n1 :: ns) + lam 1) _ b ns (tile r) inside (@tile_inj m x0 x00 r)
  (fun j => @blind_at md2 (queries (n1 :: ns)) 0 x0 x0 x0 m (n1 :: ns))
  (fun j => @blind_at md2 (queries (n1 :: ns)) 1 (x1.+1 * (m + x0)) (x1.+1 * (m + x0)) (x1.+1 * x0) (m * n1) ns) base
  (fun j Pa S low F => @blind_step md2 beta lam (queries (n1 :: ns)) hb2 hl2 0 x0 x0 x0 m n1 ns x1 Pa S low F two) a1 K1 x00 (orP few).
exists M, (fun j => A j + sumn [seq c.2.1 | c <- scaled M cs] + last.1 * M); split=> //.
  rewrite !big_split /= !sum_nat_const card_ord sum_scaled; apply: leq_trans (leq_add (leq_add sum1 (leqnn _)) (leqnn _)) _.
  by apply: eq_leq; move: (m %/ x0) (added_shares cs) => d s; mring.
move: laws; rewrite !big_ord_recl big_ord0 addn0 mul1n => laws j.
have := levels_average_sound hb2 hl2 _ (levels_scale M0 rest) _ _ (laws j); apply=> //.
by rewrite hF2 /= addn1 add1n.
Qed.
