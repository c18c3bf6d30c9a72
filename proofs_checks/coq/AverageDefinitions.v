(** E with D_1/m in its first term: the inequalities of T_E_A_spread and T_E_B_spread, which SharperTheorems.v states over this file and
    SharperDefinitions.v. They are those of averageA and averageB, but that the bits told at first are spread over ⌊m/x_0⌋ windows of x_0
    starts each: ⟨(t_1−1)/2m; D_1/(⌊m/x_0⌋·x_0)⟩, with x_0 | m the term ⟨(t_1−1)/2m; D_1/m⟩ of theory. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** t = x_1·x_0 entries asked in a window; D bits told at first. *)
Definition first_spread (b m x0 x1 D a K : nat) : bool :=
  [&& 0 < x0, x0 <= m, 0 < x1 & (x1 * x0 <= 1) || share_bound (x1 * x0).-1 (2 * m) (m %/ x0 * (x1 * x0)) (x1 * D) a b K].
(** Kind A, a full layer less than tables: D_1 = λ_0. *)
Definition averageA_spread (b beta : nat) (lam : nat -> nat) (m : nat) (ns : seq nat) (x0 x1 a1 K1 : nat) (cs : seq (nat * (nat * nat)))
    (last : nat * nat) : bool :=
  if ns is n1 :: ns' then
    let W := queries ns in
    first_spread b m x0 x1 (lam 0) a1 K1 &&
    levels_average b beta lam W 0 (x1 * lam 0 + (lam 0 + beta * (if lam 0 == 0 then W else W * x0) + x1 * x0 * lam 1))
      (x1 * m + x0) (x1 * (m + x0)) (x1 * x0) (x0 * x1 * n1) (m * n1) ns' cs last
  else false.
(** Kind B, as many full layers as tables, of which there are at least two: D_1 = β·W + λ_1. *)
Definition averageB_spread (b beta : nat) (lam : nat -> nat) (m : nat) (ns : seq nat) (x0 x1 a1 K1 : nat) (cs : seq (nat * (nat * nat)))
    (last : nat * nat) : bool :=
  if ns is n1 :: ns' then
    let W := queries ns in
    first_spread b m x0 x1 (beta * W + lam 1) a1 K1 &&
    levels_average b beta lam W 1 (x1 * (beta * W + lam 1) + (lam 0 + lam 1 + x1 * x0 * lam 2 + beta * (x1 * m + x0 + W * x0)))
      (x1 * (m + x0)) (x1 * (m + x0)) (x1 * x0) (x0 * x1 * n1) (m * n1) ns' cs last
  else false.
