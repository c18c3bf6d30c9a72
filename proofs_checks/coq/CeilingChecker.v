(** Ceilings in the program that is extracted to OCaml: a share ⟨g/h; λ/n⟩ by logarithms, and the inequalities of Theorem E with them, those of
    SharperDefinitions.v and AverageDefinitions.v in binary numbers. CeilingSound.v proves it right. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Binary Enclosures.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Digits.
Variable digits : nat.

(** ⟨g/h; λ/n⟩ ≤ a/c < 1 (closed_share of SharperDefinitions.v) by logarithms, with K = ⌈c·λ/n⌉. *)
Definition check_share (g h n bits a c : N) : bool :=
  let K := N.div (c * bits + N.pred n) n in
  let part n log := times (exactly n) (exactly log) in
  let high_part n k := part n (log_of_high digits (exactly k)) in
  let low_part n k := part n (log_of_low digits (exactly k)) in
  let rest := N.sub c a in
  [&& N.ltb 0 g, N.ltb a c, N.ltb (c * g) (a * h), N.leb (c * bits) (K * n), all (fun n => N.ltb 0 (low (exactly n))) [:: a; rest; h]
    & at_most (plus (part K (unit_bits digits)) (plus (high_part c c) (plus (high_part a g) (high_part rest (N.sub h g)))))
              (plus (low_part a a) (plus (low_part rest rest) (low_part c h)))]%num.
(** ... where λ = 0 also if a/c is g/h itself (share_bound). *)
Definition check_term (g h n bits a c : N) : bool :=
  check_share g h n bits a c || [&& N.ltb 0 g, N.eqb bits 0 & N.leb (c * g) (a * h)]%num.

(** Σ a/c, over the product of all c. *)
Definition added (shares : seq (N * N)) : N * N := foldr (fun s sum => (s.1 * sum.2 + sum.1 * s.2, s.2 * sum.2)%num) (0, 1)%num shares.

(** levels_average of SharperDefinitions.v, each share with its own denominator; known is λ_0 + … + λ_{e+1}. *)
Fixpoint check_levels (beta : N) (lam : nat -> N) (W : N) (e : nat) (known D T Tv B t size : N) (ns xs : seq N) (shares : seq (N * N)) : bool :=
  match ns, xs, shares with
  | [::], [::], [:: (a, c)] => N.ltb 1 size && check_term 1 size t D a c
  | n :: ns', x :: xs', (a, c) :: shares' =>
      [&& N.ltb 0 x, N.leb (x * t) 1 || check_term (N.pred (x * t)) (2 * size) (x * t) (x * D) a c &
       check_levels beta lam W e.+1 (known + lam e.+2)
         (x * D + (known + x * B * lam e.+2 + beta * (N.of_nat e.+1 * (x * size) + T + W * B)))
         (x * (size + Tv)) (x * (size + Tv)) (x * B) (t * x * n) (size * n) ns' xs' shares']
  | _, _, _ => false
  end%num.
(** E with delayed charges, D_1/(⌊m/x_0⌋·x_0) in its first term (averageA_spread, averageB_spread): many full layers are as many as tables,
    else one fewer. *)
Definition check_delayed (many : bool) (beta : N) (lam : nat -> N) (m : N) (ns xs : seq N) (shares : seq (N * N)) : bool :=
  match ns, xs, shares with
  | n1 :: ns', [:: x0, x1 & xs'], (a, c) :: shares' =>
      let W := binary_queries ns in
      let t := x1 * x0 in let own := x1 * (m + x0) in
      let told := if many then beta * W + lam 1%N else lam 0%N in
      [&& N.ltb 0 x0, N.leb x0 m, N.ltb 0 x1, N.leb t 1 || check_term (N.pred t) (2 * m) (N.div m x0 * t) (x1 * told) a c &
       if many then
         check_levels beta lam W 1%N (lam 0%N + lam 1%N + lam 2%N)
           (x1 * told + (lam 0%N + lam 1%N + t * lam 2%N + beta * (x1 * m + x0 + W * x0))) own own t (x0 * x1 * n1) (m * n1) ns' xs' shares'
       else
         check_levels beta lam W 0%N (lam 0%N + lam 1%N)
           (x1 * told + (told + beta * (if N.eqb told 0 then W else W * x0) + t * lam 1%N)) (x1 * m + x0) own t (x0 * x1 * n1) (m * n1) ns' xs' shares']
  | _, _, _ => false
  end%num.
(** E with the late charge: two tables, one full layer and λ_0 = 0 (T_E_two); the first share, of repeated values, is at least (t−1)/2m. *)
Definition check_late (beta : N) (lam : nat -> N) (m : N) (ns xs : seq N) (shares : seq (N * N)) : bool :=
  match ns, xs, shares with
  | [:: n], [:: x0; x1], [:: (a0, c0); (a, c)] =>
      let t := x0 * x1 in
      [&& N.eqb (lam 0%N) 0, N.ltb 0 x0, N.ltb 0 x1, N.leb t m, N.leb (c0 * N.pred t) (a0 * (2 * m))
        & check_share 1 (m * n) (n * t) (x1 * lam 1%N + beta * (n + x0)) a c]
  | _, _, _ => false
  end%num.
End Digits.
