(** floor(2^P exp(-y)) for rational y = a/u >= 0, without real numbers.

    S_n(y) = sum_{k<=n} y^k / k! grows to exp(y), so  w = floor(2^P exp(-y))  means
        w * S_n(y) <= 2^P for every n,   and   2^P < (w+1) * S_n(y) for some n.
    Written with  T_n = S_n(y) * u^n * n!  and  B_n = u^n * n!,  which are whole numbers. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Section Exp.
Variables a u : Z.
(** T_n, B_n, a^n, and how each follows from the one before. *)
Definition sum_scaled n := (series a u n).1.1.
Definition unit_scaled n := (series a u n).1.2.
Definition power_of n := (series a u n).2.
Notation T := sum_scaled.
Notation B := unit_scaled.
Notation A := power_of.

(** One more term of the series. *)
Lemma T_succ n : T n.+1 = T n * u * Z.of_nat n.+1 + A n.+1.
Proof. by rewrite /sum_scaled /power_of /=; case: (series a u n) => [[t b] c]. Qed.
(** Its common denominator. *)
Lemma B_succ n : B n.+1 = B n * u * Z.of_nat n.+1.
Proof. by rewrite /unit_scaled /=; case: (series a u n) => [[t b] c]. Qed.
(** One more power of a. *)
Lemma A_succ n : A n.+1 = A n * a.
Proof. by rewrite /power_of /=; case: (series a u n) => [[t b] c]. Qed.
End Exp.

Section Facts.
Variables (P : nat) (u a : Z).
Hypothesis u0 : 0 < u.
Hypothesis a0 : 0 <= a.
Notation T := (sum_scaled a u).
Notation B := (unit_scaled a u).
Notation A := (power_of a u).

(** Powers of a ≥ 0. *)
Lemma A_pos n : 0 <= A n. Proof. by elim: n => [|n IH]; rewrite ?A_succ //; nia. Qed.
Arguments A_pos : clear implicits.
(** The denominators are positive. *)
Lemma B_pos n : 0 < B n. Proof. by elim: n => [|n IH]; rewrite ?B_succ //; nia. Qed.
(** The sums are positive. *)
Lemma T_pos n : 0 < T n.
Proof. by elim: n => [|n IH]; rewrite ?T_succ //; have := A_pos n.+1; nia. Qed.
Arguments T_pos : clear implicits.

(** One floor at most. *)
Lemma floor_exp_le w w' : is_floor_exp P u a w -> is_floor_exp P u a w' -> w <= w'.
Proof. by move=> [low _] [_ [n high]]; move: high (low n); rewrite -/(T n) -/(B n); have := T_pos n; nia. Qed.
(** So the floor is one number. *)
Theorem floor_exp_unique w w' : is_floor_exp P u a w -> is_floor_exp P u a w' -> w = w'.
Proof. by move=> F F'; have := floor_exp_le F F'; have := floor_exp_le F' F; lia. Qed.

(** (S_n + 2 y^{n+1}/(n+1)!) * B_{n+1}: above all later sums as soon as 2y <= n+2, since later terms halve. *)
Definition upper_sum n := T n * u * Z.of_nat n.+1 + 2 * A n.+1.
(** The upper bounds fall, once the terms halve. *)
Lemma upper_sum_falls n : 2 * a <= u * Z.of_nat n.+2 -> upper_sum n.+1 <= upper_sum n * u * Z.of_nat n.+2.
Proof. by move=> half; rewrite /upper_sum T_succ [A n.+2]A_succ; have := A_pos n.+1; nia. Qed.

(** A number below one upper bound is below all later ones. *)
Lemma upper_sum_above w K n : 0 <= w -> 2 * a <= u * Z.of_nat K.+2 -> w * upper_sum K <= 2 ^ Z.of_nat P * B K.+1 ->
  w * upper_sum (K + n)%N <= 2 ^ Z.of_nat P * B (K + n).+1.
Proof.
move=> w0 half top; elim: n => [|n IH]; first by rewrite addn0.
rewrite addnS; have E : Z.of_nat (K + n).+2 = Z.of_nat K.+2 + Z.of_nat n by rewrite -!addSn -plusE Nat2Z.inj_add.
have later : 2 * a <= u * Z.of_nat (K + n).+2 by rewrite E; nia.
have := upper_sum_falls later; rewrite [B (K + n).+2]B_succ; have : 0 < u * Z.of_nat (K + n).+2 by nia.
move: (upper_sum (K + n).+1) (upper_sum (K + n)) (B (K + n).+1) IH => g' g b IH c fall.
have step := Z.mul_le_mono_nonneg_l _ _ _ w0 fall.
have scaled := Z.mul_le_mono_nonneg_r _ _ (u * Z.of_nat (K + n).+2) (Z.lt_le_incl _ _ c) IH.
apply: (Z.le_trans _ _ _ step).
have -> : 2 ^ Z.of_nat P * (b * u * Z.of_nat (K + n).+2) = 2 ^ Z.of_nat P * b * (u * Z.of_nat (K + n).+2) by ring.
have -> : w * (g * u * Z.of_nat (K + n).+2) = w * g * (u * Z.of_nat (K + n).+2) by ring.
exact: scaled.
Qed.

(** The check: K terms of the series decide. *)
Definition decides (K : nat) (w : Z) : bool :=
  [&& (0 <=? w), (2 * a <=? u * Z.of_nat K.+2), (w * upper_sum K <=? 2 ^ Z.of_nat P * B K.+1)
    & (2 ^ Z.of_nat P * B K <? (w + 1) * T K)].

(** The check is right. *)
Theorem decides_floor_exp K w : decides K w -> is_floor_exp P u a w.
Proof.
case/and4P=> /Z.leb_le w0 /Z.leb_le half /Z.leb_le top /Z.ltb_lt low.
suff all_n : forall n, w * T n <= 2 ^ Z.of_nat P * B n by split; [exact: all_n | exists K].
have late n : w * T (K + n)%N <= 2 ^ Z.of_nat P * B (K + n)%N.
  have := @upper_sum_above w K n w0 half top; rewrite /upper_sum B_succ; have := A_pos (K + n).+1.
  have : 0 < u * Z.of_nat (K + n).+1 by nia.
  rewrite -!Z.mul_assoc; move: (u * Z.of_nat (K + n).+1) => e.
  move: (T (K + n)) (B (K + n)) (A (K + n).+1) (2 ^ Z.of_nat P) => t b c q e0 c0 H.
  by apply: (Zmult_le_reg_r _ _ e); nia.
have early n : w * T n.+1 <= 2 ^ Z.of_nat P * B n.+1 -> w * T n <= 2 ^ Z.of_nat P * B n.
  rewrite T_succ B_succ; have := A_pos n.+1; have : 0 < u * Z.of_nat n.+1 by nia.
  rewrite -!Z.mul_assoc; move: (u * Z.of_nat n.+1) => e.
  move: (T n) (B n) (A n.+1) (2 ^ Z.of_nat P) => t b c q e0 c0 H.
  by apply: (Zmult_le_reg_r _ _ e); nia.
move=> n; case: (leqP K n) => [/subnKC <-|nK]; first exact: late.
have := late 0%N; rewrite addn0 -(subnKC (ltnW nK)); elim: (K - n)%N => [|d IH]; first by rewrite addn0.
by rewrite addnS => /early.
Qed.
End Facts.

(** * The floor as a program *)
(** By so many terms of the series, if they decide; the series is computed once. *)
Definition floor_by (P : nat) (u a : Z) (terms : nat) : option Z :=
  let: (t, b, c) := series a u terms in
  let power := 2 ^ Z.of_nat P in let w := power * b / t in let next := u * Z.of_nat terms.+1 in
  if power * b <? t then Some 0
  else if (2 * a <=? u * Z.of_nat terms.+2) && (w * (t * next + 2 * (c * a)) <=? power * (b * next)) then Some w else None.
(** What they decide is the floor. *)
Lemma floor_byP P u a terms w : 0 < u -> 0 <= a -> floor_by P u a terms = Some w -> is_floor_exp P u a w.
Proof.
move=> u0 a0; rewrite /floor_by; case E : (series a u terms) => [[t b] c].
have et : sum_scaled a u terms = t by rewrite /sum_scaled E.
have eb : unit_scaled a u terms = b by rewrite /unit_scaled E.
have ec : power_of a u terms = c by rewrite /power_of E.
have t0 : 0 < t by rewrite -et; apply: T_pos.
have b0 : 0 < b by rewrite -eb; apply: B_pos.
have p0 : 0 < 2 ^ Z.of_nat P by apply: Z.pow_pos_nonneg; lia.
case: Z.ltb_spec => [lt [<-]|_].
  split=> [n|]; first by rewrite -/(unit_scaled a u n) -/(sum_scaled a u n); have := B_pos a u0 n; nia.
  by exists terms; rewrite -/(sum_scaled a u terms) -/(unit_scaled a u terms) et eb; lia.
case: Z.leb_spec => //= half; case: Z.leb_spec => // top [<-] {w}.
apply: (@decides_floor_exp P u a u0 a0 terms); apply/and4P; split.
- by apply/Z.leb_le/Z.div_pos; nia.
- exact/Z.leb_le.
- by apply/Z.leb_le; rewrite /upper_sum B_succ A_succ et eb ec -!Z.mul_assoc.
- by apply/Z.ltb_lt; rewrite eb et; have := Z.mul_succ_div_gt (2 ^ Z.of_nat P * b) t t0; lia.
Qed.
(** The first of several attempts. *)
Fixpoint floor_first (P : nat) (u a : Z) (attempts : seq nat) : option Z :=
  if attempts is terms :: more then (if floor_by P u a terms is Some w then Some w else floor_first P u a more) else None.
Definition floor_program (P : nat) (u a : Z) : option Z := floor_first P u a [:: 30; 120; 480; 1920]%N.
(** What it finds is the floor. *)
Lemma floor_programP P u a w : 0 < u -> 0 <= a -> floor_program P u a = Some w -> is_floor_exp P u a w.
Proof.
move=> u0 a0; rewrite /floor_program; elim: [:: _, _ & _] => [|terms more IH] //=.
by case E : floor_by => [v|//] [<-]; apply: floor_byP E.
Qed.
