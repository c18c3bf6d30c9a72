(** The sharper theorems (B with one table, A2, B2, B2c, A3, A3c, A_L and B_L) in the program that is extracted to OCaml: their inequalities as
    expressions of the numbers of a certificate, decided by enclosures. SharperSound.v proves it right. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Binary Logarithms Claims Enclosures.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** λ_t, the bits of block t. *)
Definition linear_number (b : budget) (t : nat) : number := nth (last [:: (0, 1)%num] (budget_linear b)) (budget_linear b) t.
Definition block_expression (b : budget) (t : nat) : expression :=
  if t is t'.+1 then Sub (Num (linear_number b t)) (Num (linear_number b t')) else Num (linear_number b 0).
(** λ_{s+1} + … + λ_e. *)
Fixpoint blocks_sum (lam : nat -> expression) (s e : nat) : expression :=
  if e is e'.+1 then (if Nat.ltb s e then Add (blocks_sum lam s e') (lam e) else Int 0) else Int 0.
(** ν_1, …, ν_{L-2}, and all rows of the last table. *)
Definition used_rows (ns rows : seq number) : seq number := rcons rows (last [::] ns).
Definition product (ns : seq number) : expression := foldr (fun n r => Mul (Num n) r) (Int 1) ns.

Section Digits.
Variables (digits : nat) (root : bool).
Definition less (told draws size : expression) : bool := ends_e digits (enclosed told) (enclosed size) (enclosed draws).
Definition few (told th draws size : expression) : bool :=
  few_e digits (enclosed told) (enclosed th) (enclosed draws) (enclosed size).
Definition covered (strict : bool) (told th draws size : expression) : bool :=
  covered_e digits root strict (log_of_e digits tt) (enclosed told) (enclosed th) (enclosed draws) (enclosed size).
Definition fits_in (a b : expression) : bool := at_most (enclosed a) (enclosed b).

(** levels_delayed of SharperDefinitions.v; the rows are ν_ℓ of all tables, the last of them n_{L-1} itself. *)
Fixpoint levels_x (beta : expression) (lam : nat -> expression) (s : nat) (P W : expression) (e : nat) (D T Tv B k a p n0 : expression)
    (ns nus : seq number) (cs : seq (number * number)) : bool :=
  match ns, nus, cs with
  | [::], [::], _ => less (Add P D) k n0
  | n :: ns', v :: nus', (x0, th0) :: cs' =>
      let x := Num x0 in let th := Num th0 in
      let own := Add a p in
      [&& fits_in (Num v) (Num n), covered false (Add (Mul x (Add P D)) (Int 1)) th (Mul x k) n0 &
      levels_x beta lam s P W e.+1
        (Add (Add (Add (Add (Int 1) (Mul x D)) (blocks_sum lam s e.+1)) (Mul (Mul x B) (lam e.+2)))
           (Mul beta (Add (Add (Mul (Int (N.of_nat e.+1)) (Mul x own)) T) (Mul W B))))
        (Mul x (Add own Tv)) (Mul x (Add own Tv)) (Mul x B) (Mul (Num v) th) (Mul n0 (Num v)) (Sub n0 a) (Mul n0 (Num n)) ns' nus' cs']
  | _, _, _ => false
  end.

(** The inequalities of a theorem at m, n_1, …: those of SharperTheorems.v. *)
Definition check_inequalities (b : budget) (m0 : number) (ns : seq number) (s : sharper) : bool :=
  let beta := Int (budget_beta b) in let lam := block_expression b in let m := Num m0 in
  match s, ns with
  | ByOne, [::] => less (Add beta (lam 1)) m m
  | ByA2 theta, [:: n] =>
      let th := Num theta in let n1 := Num n in
      few (lam 0) th m m && less (Add (Add (lam 0) (Mul th (lam 1))) (Mul beta n1)) (Mul n1 th) (Mul m n1)
  | ByB2 x v0 theta, [:: n] =>
      let x0 := Num x in let v := Num v0 in let th := Num theta in let n1 := Num n in
      [&& fits_in (Mul x0 v) m, few (Add (Mul beta n1) (lam 1)) th x0 (Mul x0 v)
        & less (Add (Add (lam 1) (Mul beta (Add (Add (Add n1 x0) (Mul x0 v)) (Mul n1 x0)))) (Mul th (lam 2))) (Mul n1 th) (Mul m n1)]
  | ByB2c g0 v0 o k, [:: n] =>
      let g := Num g0 in let v := Num v0 in let n1 := Num n in
      let values := Sub (Mul g v) (Mul (Sub v (Int 1)) (Add (Mul (Num o) beta) (lam 1))) in
      [&& fits_in g m, fits_in v m, fits_in n1 (Mul (Num o) (Num k))
        & less (Add (Mul g (Add (lam 1) (Mul beta (Add (Add (Mul (Int 2) n1) g) v)))) (Mul (Mul (Num k) values) (lam 2)))
            (Mul n1 values) (Mul m n1)]
  | ByA3 g0 u0 t1 x t2, [:: n; n'] =>
      let g := Num g0 in let u := Num u0 in let th1 := Num t1 in let x2 := Num x in let th2 := Num t2 in
      let n1 := Num n in let n2 := Num n' in let quiet := is_zero (enclosed (lam 1)) in
      let W := Mul n1 n2 in let draws := Mul x2 (Mul n1 th1) in
      let heard := Add (Add (Add (Add (Add W (Int 1)) (Add (Sub m g) (Mul g th1))) (Mul (Mul x2 n1) u))
                         (Mul (Sub n1 (Int 1)) (Sub m u))) (Mul W th1) in
      [&& fits_in u m, fits_in g m, N.ltb 0 (low (enclosed th2)), few (lam 0) th1 g u
        & if quiet then
            covered true (Mul x2 (Add (Mul n1 (lam 0)) (Mul beta W))) th2 draws (Mul m n1) &&
            less (Add (Add (lam 0) (Mul (Mul x2 th1) (lam 2))) (Mul beta heard)) (Mul n2 th2) (Mul (Mul m n1) n2)
          else
            covered false (Add (Mul x2 (Add (Add (Mul n1 (lam 0)) (Mul beta W)) (Mul th1 (lam 1)))) (Int 1)) th2 draws (Mul m n1) &&
            less (Add (Add (Add (Add (lam 0) (lam 1)) (Add (Int 1) (Mul (Mul x2 th1) (lam 1)))) (Mul (Mul x2 th1) (lam 2)))
                    (Mul beta heard)) (Mul n2 th2) (Mul (Mul m n1) n2)]
  | ByA3Free t1 v0 t2, [:: n; n'] =>
      let th1 := Num t1 in let v := Num v0 in let th2 := Num t2 in let n1 := Num n in let n2 := Num n' in
      let W := Mul n1 n2 in let asked := Mul n1 th1 in
      [&& is_zero (enclosed (lam 0)), is_zero (enclosed (lam 1)), fits_in th1 m, fits_in (Mul asked v) (Mul m n1),
          few (Mul beta W) th2 asked (Mul asked v)
        & less (Add (Mul beta (Add (Add (Add (Add (Add W m) th1) (Mul asked v)) (Mul (Sub n1 (Int 1)) (Sub m th1))) (Mul W th1)))
                  (Mul th2 (lam 2))) (Mul n2 th2) (Mul (Mul m n1) n2)]
  | ByA3c g0 v0 o k, [:: n; n'] =>
      let g := Num g0 in let v := Num v0 in let n1 := Num n in let n2 := Num n' in let entries := Mul n1 g in
      let values := Sub (Mul entries v) (Mul (Sub v (Int 1)) (Add (Mul (Mul (Num o) n1) beta) (Mul g (lam 1)))) in
      let heard := Add (Add (Add (Add (Mul (Int 4) n2) (Mul (Int 2) m)) (Mul (Int 2) v)) (Mul (Int 2) entries))
                     (Mul (Sub n1 (Int 1)) (Sub m g)) in
      [&& is_zero (enclosed (lam 0)), fits_in g m, fits_in v (Mul m n1), fits_in n2 (Mul (Num o) (Num k))
        & less (Add (Mul entries (Add (Mul (Int 2) (lam 1)) (Mul beta heard))) (Mul (Mul (Mul (Int 2) (Num k)) values) (lam 2)))
            (Mul (Mul (Int 2) n2) values) (Mul (Mul m n1) n2)]
  | ByAL g0 t1 cs rows, n :: ns' =>
      let nus := used_rows ns rows in let v1 := Num (head n nus) in
      let g := Num g0 in let th1 := Num t1 in let n1 := Num n in let W := product nus in
      let heard := Add (Sub m g) (Mul g th1) in
      [&& fits_in g m, fits_in v1 n1, few (lam 0) th1 g m
        & levels_x beta lam 0 (Add (lam 0) (Mul beta W)) W 0 (Mul th1 (lam 1)) (Add (Int 1) heard) (Add th1 heard) th1
            (Mul v1 th1) (Mul m v1) (Int 0) (Mul m n1) ns' (behead nus) cs]
  | ByBL x x' t1 cs rows, n :: ns' =>
      let nus := used_rows ns rows in let v1 := Num (head n nus) in
      let x0 := Num x in let x1 := Num x' in let th1 := Num t1 in let n1 := Num n in let W := product nus in
      let P1 := Add (Mul beta W) (lam 1) in let heard := Add (Sub m x0) (Mul x0 x1) in
      [&& fits_in x0 m, fits_in v1 n1, covered true (Mul x1 P1) th1 (Mul x1 x0) m
        & levels_x beta lam 1 (Add P1 (Mul beta (Add m (Mul x0 x1)))) W 1 (Add (Mul beta (Mul W x0)) (Mul th1 (lam 2)))
            (Add th1 heard) (Add th1 heard) th1 (Mul v1 th1) (Mul m v1) (Int 0) (Mul m n1) ns' (behead nus) cs]
  | _, _ => false
  end.

(** Λ_t does not decrease, Λ_0 = 0 where that is supposed, and the further tables are not empty. *)
Definition check_sharper (t : task) (b : budget) (tables : nat) (s : sharper) : bool :=
  let numbers := budget_linear b in
  [&& all (fun p => at_most (of_number p.1) (of_number p.2)) (zip numbers (behead numbers)),
      ~~ many_full s || is_zero (of_number (linear_number b 0)), Nat.ltb 0 tables, Nat.leb tables (size (task_ns t)).+1,
      all (fun n => N.ltb 0 (low (of_number n))) (drop tables.-1 (task_ns t))
    & check_inequalities b (task_m t) (take tables.-1 (task_ns t)) s].

(** A2_W: 2r_0 + r_1 ≤ m and β·(n_1 + r_1) < N·log2 N, N = m·n_1. *)
Definition check_windows (t : task) (b : budget) (r0 r1 : N) : bool :=
  let m := Num (task_m t) in
  if task_ns t is n :: more then
    let N1 := Mul m (Num n) in
    [&& all (fun n => N.ltb 0 (low (of_number n))) more, N.ltb 0 (low (enclosed m)), fits_in (Add (Mul (Int 2) (Int r0)) (Int r1)) m
      & less (Mul (Int (budget_beta b)) (Add (Num n) (Int r1))) N1 N1]
  else false.
End Digits.

(** r_0 and r_1 of a word with one full layer: the reaches before it, and behind it. *)
Fixpoint reaches_of (w : seq (option N)) : N * seq (option N) :=
  match w with
  | Some r :: w' => let: (before, rest) := reaches_of w' in (N.add r before, rest)
  | None :: w' => (0%num, w')
  | [::] => (0%num, [::])
  end.
Definition spells (w : seq (option N)) (r0 r1 : N) : bool :=
  let: (before, rest) := reaches_of w in
  [&& Nat.eqb (count (fun r => if r is None then true else false) w) 1, N.eqb before r0 & N.eqb (reaches_of rest).1 r1].
