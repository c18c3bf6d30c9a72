(** What constructions by squares share: the two floors of 2^P·exp(−y) that occur, rows with few entries, the best answer, sums
    with one term. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions SoftmaxLayers IntegerWeights FloorExp EveryTable GoldenSchedule.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).

(** * 1. The two floors that occur *)
Lemma floor_of_one P : is_floor_exp P 1 0 (2 ^ Z.of_nat P).
Proof.
have E n : (series 0 1 n).1.1 = (series 0 1 n).1.2.
  elim: n => [|n IH] //; rewrite -/(sum_scaled 0 1 n.+1) -/(unit_scaled 0 1 n.+1) T_succ B_succ A_succ.
  by move: IH; rewrite -/(sum_scaled 0 1 n) -/(unit_scaled 0 1 n) => ->; lia.
by have p0 := pow2_pos P; split=> [n|]; [rewrite E; lia | exists 0; rewrite /=; lia].
Qed.

(** The binomials of one row sum to a power of 2. *)
Lemma sum_bins c : \sum_(i < c.+1) 'C(c, i) = 2 ^ c.
Proof. by rewrite -[2]/(1 + 1) expnDn; apply: eq_bigr => i _; rewrite !exp1n !muln1. Qed.

(** exp(−a) is below 2^−P for a > P: its floor is 0. *)
Lemma floor_of_small P (a : Z) : (Z.of_nat P + 1 <= a)%Z -> is_floor_exp P 1 a 0.
Proof.
move=> aP; set c := P.+1; have ac : (Z.of_nat c <= a)%Z by rewrite /c; lia.
have aE n : power_of a 1 n = (a ^ Z.of_nat n)%Z.
  by elim: n => [|n IH] //; rewrite A_succ IH Nat2Z.inj_succ Z.pow_succ_r; lia.
have bE n : unit_scaled a 1 n = Z.of_nat n`!.
  elim: n => [|n IH] //; rewrite B_succ IH factS -multE Nat2Z.inj_mul; lia.
have low n : (Z.of_nat (n`! * \sum_(i < n.+1) 'C(c, i))%N <= sum_scaled a 1 n)%Z.
  elim: n => [|n IH]; first by rewrite big_ord_recr big_ord0.
  rewrite T_succ big_ord_recr /= mulnDr factS; set s := \sum_(_ < _) _ in IH *.
  have top : (Z.of_nat (n.+1 * n`! * 'C(c, n.+1))%N <= power_of a 1 n.+1)%Z.
    rewrite aE -factS mulnC bin_ffact; apply: (Z.le_trans _ (Z.of_nat c ^ Z.of_nat n.+1)).
      by rewrite -of_nat_expn; apply/Nat2Z.inj_le/leP; apply: ffact_exp.
    by apply: Z.pow_le_mono_l; lia.
  rewrite -plusE Nat2Z.inj_add; apply: Z.add_le_mono top.
  by rewrite -mulnA; move: (n`! * s)%N IH => X IH; rewrite -multE Nat2Z.inj_mul; nia.
split=> [n|]; first by rewrite Z.mul_0_l; have := @B_pos 1 a Z.lt_0_1 n; have := pow2_pos P; rewrite -/(unit_scaled a 1 n); nia.
exists c; have := low c; rewrite sum_bins -/(sum_scaled a 1 c) -/(unit_scaled a 1 c) bE -multE Nat2Z.inj_mul of_nat_expn.
have -> : (Z.of_nat 2 ^ Z.of_nat c = 2 * 2 ^ Z.of_nat P)%Z by rewrite /c -[Z.of_nat 2]/2%Z Nat2Z.inj_succ -Z.pow_succ_r //; lia.
by have := pow2_pos P; have /ltP/Nat2Z.inj_lt := fact_gt0 c; nia.
Qed.

(** * 2. Rows with few entries, and the best answer *)
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.
Definition unit_row (c : nat) : vector := nseq c 0%Z ++ [:: 1%Z].
(** A unit row picks a coordinate. *)
Lemma dot_unit c x : dot (unit_row c) x = x.[c].
Proof. by elim: c x => [|c IH] [|a x] //=; rewrite ?dot0r ?nth_nil ?IH; lia. Qed.
Arguments unit_row : simpl never.
Fixpoint sparse (l : seq (nat * Z)) : vector := if l is (c, a) :: l' then plus (scale a (unit_row c)) (sparse l') else [::].
(** A row with few entries, multiplied out. *)
Lemma dot_sparse l x : dot (sparse l) x = foldr (fun e r => (e.2 * x.[e.1] + r)%Z) 0%Z l.
Proof. by elim: l => [|[c a] l IH] //=; rewrite dot_plusl dot_scalel dot_unit IH. Qed.

Arguments sparse : simpl never.

(** No later logit is larger: the leader stays. *)
Lemma best_from_stays s b t l : (forall j, (j < size l)%N -> l.[j] <= t)%Z -> best_from s b t l = b.
Proof.
elim: l s => [|a l IH] s //= h; have h0 := h 0 (ltn0Sn _); case: Z.ltb_spec => //= ta; first by rewrite /= in h0; lia.
by apply: IH => j jl; apply: (h j.+1).
Qed.
(** One logit above all others becomes the leader. *)
Lemma best_from_top s b t l i : i < size l -> (t < l.[i])%Z -> (forall j, (j < size l)%N -> j != i -> l.[j] < l.[i])%Z ->
  best_from s b t l = s + i.
Proof.
elim: l s b t i => [|a l IH] s b t [|i] //=.
  by rewrite addn0 => _ ta top; case: Z.ltb_spec => // *; [apply: best_from_stays => j jl; have := top j.+1 jl isT; rewrite /=; lia | lia].
move=> il ti top; have a0 := top 0 isT isT; rewrite /= in a0.
case: Z.ltb_spec => ta; rewrite (IH _ _ _ i) ?addnS //; move=> j jl ji; exact: (top j.+1).
Qed.
(** The best answer is the one logit above all others. *)
Lemma best_top l i : i < size l -> (forall j, (j < size l)%N -> j != i -> l.[j] < l.[i])%Z -> best l = i.
Proof.
case: l i => [|a l] [|i] //= il top.
  by apply: best_from_stays => j jl; have := top j.+1 jl isT; rewrite /=; lia.
by rewrite (@best_from_top _ _ _ _ i) ?add1n //; [exact: (top 0) | move=> j jl ji; exact: (top j.+1)].
Qed.

(** A sum with one term. *)
Lemma zsum_zero F N : (forall j, j < N -> F j = 0%Z) -> zsum F N = 0%Z.
Proof. by elim: N => [|N IH] h //=; rewrite IH ?h // => j jN; apply: h; apply: ltnW. Qed.
(** A sum in which one term is not 0. *)
Lemma zsum_one F s N : s < N -> (forall j, j < N -> j != s -> F j = 0%Z) -> zsum F N = F s.
Proof.
elim: N => [|N IH] //= sN h; case: (eqVneq s N) => [E|ne].
  rewrite zsum_zero ?E // => j jN; apply: h; first exact: ltnW.
  by rewrite E neq_ltn jN.
rewrite IH; first by rewrite (h N) // 1?eq_sym // Z.add_0_r.
- by rewrite ltn_neqAle ne -ltnS.
- by move=> j jN; apply: h; apply: ltnW.
Qed.

(** Unit rows pick coordinates. *)
Lemma apply_units cs x : apply [seq unit_row c | c <- cs] x = [seq x.[c] | c <- cs].
Proof. by rewrite /apply -map_comp; apply: eq_map => c; apply: dot_unit. Qed.
(** Rows with few entries, multiplied out. *)
Lemma apply_sparse ls x : apply [seq sparse l | l <- ls] x = [seq foldr (fun e r => (e.2 * x.[e.1] + r)%Z) 0%Z l | l <- ls].
Proof. by rewrite /apply -map_comp; apply: eq_map => l; apply: dot_sparse. Qed.
