(** Enclosures of natural numbers that may be too long to write down, low·2^shift ≤ n ≤ high·2^shift, exact up to 2,048 bits; their
    logarithms; and expressions of them. A part of the program that is extracted to OCaml; EnclosuresSound.v proves it right. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Binary Logarithms Claims.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** Enclosures *)
Record enclosure := Encl { low : N; high : N; shift : N }.

(** d digits fewer, rounded outwards; nothing is shifted that is rounded away. *)
Definition coarser (d : N) (i : enclosure) : enclosure :=
  if N.eqb d 0 then i
  else if N.leb (N.size (high i)) d then Encl 0 1 (N.add (shift i) d)
  else Encl (N.shiftr (low i) d) (N.succ (N.shiftr (high i) d)) (N.add (shift i) d).
(** Longer than 2,048 bits: the first 512. *)
Definition rounded (i : enclosure) : enclosure :=
  if N.leb (N.size (high i)) 2048 then i else coarser (N.sub (N.size (high i)) 512) i.
Definition exactly (n : N) : enclosure := rounded (Encl n n 0).
Definition times (i j : enclosure) : enclosure :=
  rounded (Encl (N.mul (low i) (low j)) (N.mul (high i) (high j)) (N.add (shift i) (shift j))).
(** Both with the larger shift. *)
Definition aligned (i j : enclosure) : enclosure * enclosure :=
  let s := N.max (shift i) (shift j) in (coarser (N.sub s (shift i)) i, coarser (N.sub s (shift j)) j).
Definition plus (i j : enclosure) : enclosure :=
  let a := aligned i j in
  rounded (Encl (N.add (low a.1) (low a.2)) (N.add (high a.1) (high a.2)) (N.max (shift i) (shift j))).
(** Certainly i ≤ j, and certainly i < j. *)
Definition at_most (i j : enclosure) : bool := let a := aligned i j in N.leb (high a.1) (low a.2).
Definition below (i j : enclosure) : bool := let a := aligned i j in N.ltb (high a.1) (low a.2).
Fixpoint power (i : enclosure) (p : positive) : enclosure :=
  match p with
  | xH => i
  | xO p' => let j := power i p' in times j j
  | xI p' => let j := power i p' in times i (times j j)
  end.
Definition of_power (p : N * N) : enclosure := if p.2 is Npos e then power (exactly p.1) e else exactly 1.
Fixpoint of_number (c : number) : enclosure :=
  match c with
  | [::] => exactly 1
  | [:: p] => of_power p
  | p :: c' => times (of_power p) (of_number c')
  end.
(** max(1, ⌊n/2⌋). *)
Definition halved (i : enclosure) : enclosure :=
  if N.eqb (shift i) 0 then Encl (N.max 1 (N.div2 (low i))) (N.max 1 (N.div2 (high i))) 0
  else Encl (low i) (N.max 1 (high i)) (N.pred (shift i)).
(** max(i − j, 0). *)
Definition minus (i j : enclosure) : enclosure :=
  let a := aligned i j in
  Encl (N.sub (low a.1) (high a.2)) (N.sub (high a.1) (low a.2)) (N.max (shift i) (shift j)).
(** min(i, j), from 0 on if it is not certain which is smaller. *)
Definition smaller (i j : enclosure) : enclosure :=
  if at_most i j then i else if at_most j i then j else Encl 0 (high i) (shift i).

Definition is_zero (i : enclosure) : bool := N.eqb (high i) 0.

(** ** Logarithms, times 2^digits *)
Section Digits.
Variable digits : nat.
Definition unit_bits : N := N.shiftl 1 (N.of_nat digits).
Definition log_of_low (i : enclosure) : N := N.add (log_low digits (low i)) (N.mul (shift i) unit_bits).
Definition log_of_high (i : enclosure) : N := N.add (log_high digits (high i)) (N.mul (shift i) unit_bits).
Definition log_of_e (_ : unit) : N := euler_bits digits (euler_terms digits).

(** ** The inequalities that all theorems have *)
(** (F): D < k·log2 N. *)
Definition ends_e (D n0 k : enclosure) : bool :=
  N.ltb 0 (low n0) && below (times D (exactly unit_bits)) (times k (exactly (log_of_low n0))).
(** 2^told·(Θ−1)^draws < N^draws. *)
Definition few_e (told th draws n0 : enclosure) : bool :=
  let below_th := minus th (exactly 1) in
  N.ltb 0 (low n0) &&
  if is_zero below_th then N.ltb 0 (low draws)
  else below (plus (times told (exactly unit_bits)) (times draws (exactly (log_of_high below_th))))
         (times draws (exactly (log_of_low n0))).
(** What log2 C(N, k) is at most: the binomial itself if it is short, else k·log2(N/k) + min((N−k)·log2(N/(N−k)), k·log2 𝖾). *)
Definition is_exact (i : enclosure) : bool := N.eqb (shift i) 0 && N.eqb (low i) (high i).
Definition short_choice (n0 k : enclosure) : bool :=
  [&& is_exact n0, is_exact k
    & N.leb (N.mul (N.min (low k) (N.sub (low n0) (low k))) (N.size (low n0))) 20000].
(** With `root` less log2 √(2πk(N−k)/N), 2π > 157/25: the true size, which is not proved here; no claim is accepted with it. *)
Definition root_of (n0 k rest : enclosure) : N :=
  N.div2 (N.sub (log_of_low (times (exactly 157) (times k rest))) (log_of_high (times (exactly 25) n0))).
Definition log_choose (root : bool) (e : N) (n0 k : enclosure) : enclosure :=
  if short_choice n0 k then exactly (log_high digits (binomial (low n0) (N.min (low k) (N.sub (low n0) (low k)))))
  else
    let rest := minus n0 k in
    let tail := times rest (exactly (N.sub (log_of_high n0) (log_of_low rest))) in
    let most := times k (exactly e) in
    let whole := plus (times k (exactly (N.sub (log_of_high n0) (log_of_low k))))
      (if N.ltb 0 (low rest) && at_most tail most then tail else most) in
    if root then minus whole (exactly (root_of n0 k rest)) else whole.
(** Θ ≤ N and 2^told·C(N, Θ−1)·(Θ−1)^draws ≤ N^draws, or <. *)
Definition covered_e (root strict : bool) (e : N) (told th draws n0 : enclosure) : bool :=
  let k := minus th (exactly 1) in
  [&& N.ltb 0 (low n0), N.ltb 0 (low th), at_most th n0
    & if is_zero k then N.ltb 0 (low draws)
      else N.ltb 0 (low k) &&
           (if strict then below else at_most)
             (plus (plus (times told (exactly unit_bits)) (times draws (exactly (log_of_high k)))) (log_choose root e n0 k))
             (times draws (exactly (log_of_low n0)))].
End Digits.

(** ** Expressions of the numbers of a certificate; subtraction ends at 0 *)
Inductive expression :=
| Num of number | Int of N | Add of expression & expression | Mul of expression & expression | Sub of expression & expression.
Fixpoint enclosed (x : expression) : enclosure :=
  match x with
  | Num c => of_number c | Int n => exactly n
  | Add a b => plus (enclosed a) (enclosed b) | Mul a b => times (enclosed a) (enclosed b) | Sub a b => minus (enclosed a) (enclosed b)
  end.
Fixpoint evaluated (x : expression) : nat :=
  match x with
  | Num c => number_value c | Int n => N.to_nat n
  | Add a b => evaluated a + evaluated b | Mul a b => evaluated a * evaluated b | Sub a b => evaluated a - evaluated b
  end.
