(** The third checker of certificates: a program, proved right in CheckerSound.v and extracted to OCaml by
    Extract.v. Numbers are enclosed (Enclosures.v), and logarithms have 256 binary digits. The inequalities are those of
    docs/theory.md, with 𝖾; those of the sharper theorems are in SharperChecker.v, of ceilings in CeilingChecker.v. *)
From Coq Require Import NArith QArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions FloorExp Binary Logarithms Decide TheoremCPrime Runs LookUps Claims Enclosures SharperChecker CeilingChecker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.

Section Digits.
Variables (digits : nat) (root : bool).
Local Notation unit_bits := (unit_bits digits).
Local Notation log_of_low := (log_of_low digits).
Local Notation log_of_high := (log_of_high digits).
Local Notation log_of_e := (log_of_e digits).
Local Notation ends_e := (ends_e digits).

(** ** The inequalities *)
(** (E_ℓ): b ≤ (t−Θ)·log2(N/Θ) − Θ·log2 𝖾 with a chosen Θ; with Θ = max(1, ⌊t/2⌋)  b ≤ Θ·log2(N/Θ) − Θ·log2 𝖾. *)
Definition covers_e (e : N) (n0 th t b : enclosure) (half : bool) : bool :=
  let r := N.sub (log_of_low n0) (log_of_high th) in
  [&& N.ltb 0 (low n0), N.ltb 0 (low th), N.ltb 0 (low t), N.leb (log_of_high th) (log_of_low n0)
    & let needed := plus (times th (exactly e)) (times b (exactly unit_bits)) in
      if half then at_most needed (times th (exactly r))
      else at_most th t && at_most (plus needed (times th (exactly r))) (times t (exactly r))].

Definition nth_number (linear : seq number) (t : nat) : number := nth (last [:: (0, 1)%num] linear) linear t.
Definition nth_linear (linear : seq number) (t : nat) : enclosure := of_number (nth_number linear t).

(** levels of Definitions.v; Θ_ℓ is chosen, or half of the draws. *)
Fixpoint levels_e (le beta : N) (linear : nat -> enclosure) (e : nat) (D T k n0 : enclosure) (ns xs : seq number)
    (ths : option (seq number)) : bool :=
  match ns, xs with
  | [::], _ => ends_e D n0 k
  | n :: ns', x0 :: xs' =>
      let x := of_number x0 in
      let t := times x k in
      let half := if ths is None then true else false in
      let th := if ths is Some (c :: _) then of_number c else halved t in
      let b := plus (exactly 1) (times x D) in
      let size := of_number n in
      covers_e le n0 th t b half &&
      levels_e le beta linear e.+1
        (plus (plus b (linear e)) (times (exactly beta) (plus (times (times (exactly (N.of_nat e)) x) n0) T)))
        (times x (plus n0 T)) (times size th) (times n0 size) ns' xs' (omap behead ths)
  | _ :: _, [::] => false
  end.

Definition queries_e (ns : seq number) : enclosure := foldr (fun n r => times (of_number n) r) (exactly 1) ns.
(** As many x as tables, and as many Θ as tables but the last. *)
Definition fits (ns : seq number) (c : choice) : bool :=
  Nat.eqb (size (chosen_kept c)) (size ns).+1 &&
  (if chosen_reached c is Some ths then Nat.eqb (size ths) (size ns) else true).

(** Theorem A with these Λ_t, with or without the free start. *)
Definition checkA (t : task) (beta : N) (linear : seq number) (c : choice) : bool :=
  let ns := task_ns t in
  let m := of_number (task_m t) in
  let lam := nth_linear linear in
  let le := log_of_e tt in
  fits ns c &&
  match chosen_kept c with
  | [::] => false
  | x0 :: xs =>
      let x := of_number x0 in
      let V := times (plus (queries_e ns) (exactly 1)) x in
      at_most x m &&
      if chosen_free c then
        is_zero (lam 0) &&
        match ns, xs with
        | n1 :: ns', x1 :: xs' =>
            let y := of_number x1 in
            [&& N.ltb 0 (low x), N.ltb 0 (low y)
              & levels_e le beta lam 2 (plus (lam 1) (times (exactly beta) (plus (times y m) V))) (times y (plus m V))
                  (times (of_number n1) (smaller (times x y) m)) (times m (of_number n1)) ns' xs'
                  (omap behead (chosen_reached c))]
        | [::], _ => ends_e (lam 0) m x
        | _, _ => false
        end
      else levels_e le beta lam 1 (lam 0) V x m ns xs (chosen_reached c)
  end.

(** Theorem B for two or more tables. *)
Definition checkB (t : task) (beta : N) (linear : seq number) (c : choice) : bool :=
  let ns := task_ns t in
  let m := of_number (task_m t) in
  let lam := nth_linear linear in
  let le := log_of_e tt in
  let b := exactly beta in
  [&& fits ns c, ~~ chosen_free c &
  match ns, chosen_kept c with
  | n1 :: ns', [:: x0, x1 & xs] =>
      let x := of_number x0 in
      let y := of_number x1 in
      let W := queries_e ns in
      let D := plus (times b W) (lam 1) in
      let draws := times y x in
      let ths := chosen_reached c in
      let half := if ths is None then true else false in
      let th := if ths is Some (h :: _) then of_number h else halved draws in
      let lost := plus (exactly 1) (times y D) in
      let bracket := plus (plus (plus (times (times (exactly 2) y) m) (times W x)) x) (times x y) in
      [&& at_most x m, covers_e le m th draws lost half &
       levels_e le beta lam 3 (plus (plus lost (lam 2)) (times b bracket))
         (times y (plus m (times (plus W (exactly 1)) x))) (times (of_number n1) th) (times m (of_number n1)) ns' xs
         (omap behead ths)]
  | _, _ => false
  end].

(** Theorem B for one table, and Theorem C: the bits that pass are fewer than N·log2 N. *)
Definition last_e (t : task) : enclosure := foldl (fun r n => times r (of_number n)) (of_number (task_m t)) (task_ns t).
Definition checkBOne (t : task) (beta : N) (linear : seq number) : bool :=
  (if task_ns t is [::] then true else false)
  && let m := of_number (task_m t) in ends_e (plus (exactly beta) (nth_linear linear 1)) m m.
Definition checkC (t : task) (linear : seq number) : bool :=
  Nat.eqb (size linear) 1 && ends_e (nth_linear linear 0) (last_e t) (last_e t).

(** ** The other fields *)
(** The value of a number that is written as one integer; 0 for others. *)
Definition plain (c : number) : N := if c is [:: (n, 1%num)] then n else 0%num.
Definition is_plain (c : number) : bool := if c is [:: (_, 1%num)] then true else false.
(** Σ of the sizes, exactly. *)
Fixpoint summed (size : N) (ns : seq number) : N :=
  N.add size (if ns is n :: ns' then summed (N.mul size (plain n)) ns' else 0%num).
Definition check_tokens (t : task) : bool :=
  if task_tokens t is Some n then
    [&& is_plain (task_m t), all is_plain (task_ns t) & N.eqb (N.add 2 (summed (plain (task_m t)) (task_ns t))) n]
  else true.
Fixpoint summed_e (size : enclosure) (ns : seq number) : enclosure :=
  if ns is n :: ns' then plus size (summed_e (times size (of_number n)) ns') else size.
Definition check_heads (t : task) (b : budget) : bool :=
  if budget_heads b is Some (H, d, P, p) then
    let n := plus (exactly 2) (summed_e (of_number (task_m t)) (task_ns t)) in
    let k := N.add (N.log2_up (high n)) (shift n) in
    N.leb (H * (d * (P + p + k + 1) + P + k)) (budget_beta b)
  else true%num.

(** The theorem that forbids: with z idle Full layers in front, and so z times Λ = 0. *)
Definition check_reason (t : task) (b : budget) (r : reason) (z : nat) : bool :=
  let linear := nseq z [:: (0, 1)%num] ++ budget_linear b in
  match r with
  | ByA c => checkA t (budget_beta b) linear c
  | ByB c => checkB t (budget_beta b) linear c
  | ByBOne => checkBOne t (budget_beta b) linear
  | ByC => checkC t linear
  | BySharper tables s => check_sharper digits root t b tables s
  end.
(** The full layers that a theorem is about, with L tables. *)
Definition full_layers (r : reason) (L : nat) : nat :=
  match r with
  | ByA _ => L.-1 | ByB _ | ByBOne => L | ByC => 0
  | BySharper tables s => if many_full s then tables else tables.-1
  end.
(** Theorem B is for Λ_0 = 0; one Λ_t before each Full layer and one after the last. *)
Definition fit_linear (b : budget) (r : reason) (full : nat) : bool :=
  let zero := is_zero (nth_linear (budget_linear b) 0) in
  match r with
  | ByA _ | BySharper _ _ => Nat.eqb (size (budget_linear b)) full.+1
  | ByB _ | ByBOne => Nat.eqb (size (budget_linear b)) full.+1 && zero
  | ByC => true
  end.

(** V(d, B) = Σ_{t ≤ B} C(d, t) by C(d, t+1) = C(d, t)·(d−t)/(t+1), from the term for t on. *)
Definition add_term (d : N) (s : N * (N * N)) : N * (N * N) :=
  let: (t, (c, sum)) := s in
  let c' := N.div (N.mul (N.sub d t) c) (N.succ t) in (N.succ t, (c', N.add c' sum)).
Definition subsets (d B : N) : N := (N.iter (N.min B d) (add_term d) (0, (1, 1))%num).2.2.
Definition check_sparse (u B k g r : N) : bool :=
  let d := N.sub u (N.div (N.mul u k) g) in
  [&& N.ltb k g, N.ltb 0 u & N.ltb r (N.size (N.pred (N.sub (subsets d B) (if N.eqb d u then 1 else 0)%num)))].

(** Λ_t of numbers that are written as integers; λ_t. *)
Definition plain_linear (b : budget) (t : nat) : N := plain (nth_number (budget_linear b) t).
Definition plain_block (b : budget) (t : nat) : N :=
  if t is t'.+1 then N.sub (plain_linear b t) (plain_linear b t') else plain_linear b 0.
(** C' without a full layer, or of one full layer alone and one table; A2 of one full layer and two tables with λ_0 = 0: it is shown that
    so many bits of the last table, of that size, are not enough. *)
Definition check_one_share (w : seq bool) (m : N) (ns : seq N) (b : budget) (shown : N -> N -> bool) : bool :=
  let lam := plain_linear b in
  match count id w, ns with
  | 0, _ => shown (foldl N.mul m ns) (lam 0)
  | 1, [::] => Nat.eqb (size w) 1 && shown m (N.add (budget_beta b) (lam 1))
  | 1, [:: n] => N.eqb (lam 0) 0%num && shown (N.mul m n) (N.add (N.mul m (lam 1)) (N.mul (budget_beta b) n))
  | _, _ => false
  end.
(** E: late, of two tables; else delayed, of as many full layers as tables without a recurrent one before the second, or of fewer and any. *)
Definition check_terms (w : seq bool) (m : N) (ns : seq N) (b : budget) (late : bool) (xs : seq N) (shares : seq (N * N)) : bool :=
  let full := count id w in let lam := plain_block b in let beta := budget_beta b in
  [&& all (fun s => N.ltb 0 s.2) shares, Nat.ltb 0 full
    & if late then Nat.eqb full 1 && check_late digits beta lam m ns xs shares
      else if Nat.eqb full (size ns).+1 then early_free w && check_delayed digits true beta lam m ns xs shares
      else Nat.leb full (size ns) && check_delayed digits false beta lam m ns xs shares].
Definition check_ceiling (w : seq bool) (t : task) (b : budget) (num den : N) (how : average) : bool :=
  let m := plain (task_m t) in let ns := map plain (task_ns t) in
  let: (a, c) := match how with ByShare a c => (a, c) | ByUnion => (num, den) | ByE _ _ shares => added shares end in
  [&& check_tokens t, is_plain (task_m t), all is_plain (task_ns t), all is_plain (budget_linear b), N.leb (N.mul den a) (N.mul num c)
    & match how with
      | ByShare a c => check_one_share w m ns b (fun size bits => check_share digits 1 size size bits a c)
      | ByUnion => check_one_share w m ns b (fun size bits => averageN size bits num den)
      | ByE late xs shares => check_terms w m ns b late xs shares
      end].

(** D': ⟨k/g + p/q; r/B⟩ ≤ num/den. *)
Definition check_found (B k g r p q num den : N) : bool := check_share digits (k * q + g * p) (g * q) B r num den.

(** ⌊2^P·exp(−y)⌋ for y ≥ 0; and looked up, of these y, each computed once. *)
Definition floor_at (md : given) (y : Q) : option Z :=
  if Z.leb 0 (Qnum y) then floor_program (weight_bits md) (Z.pos (Qden y)) (Qnum y) else None.
Definition same_fraction (y z : Q) : bool := Z.eqb (Qnum y) (Qnum z) && Pos.eqb (Qden y) (Qden z).
Definition floors (md : given) (ys : seq Q) : Q -> option Z :=
  let table := [seq (y, floor_at md y) | y <- ys] in
  fun z => foldr (fun e rest => if same_fraction z e.1 then e.2 else rest) None table.

(** How many inputs there are: m·Π N^N·Π n. *)
Definition inputs_number (m : nat) (ns : seq nat) : N :=
  N.mul (N.mul (N.of_nat m) (foldr (fun s r => N.mul (N.pow (N.of_nat s) (N.of_nat s)) r) 1%num (sizes m ns)))
    (foldr (fun n r => N.mul (N.of_nat n) r) 1%num ns).

(** ** The checker *)
Definition full_of (w : seq bool) : nat := count id w.
Definition named (r : reason) (w : seq bool) (L : nat) : bool :=
  let full := full_of w in
  match r with
  | ByA _ => Nat.ltb 0 full && Nat.ltb full L
  | ByB _ => Nat.eqb full L && Nat.ltb 1 L
  | ByBOne => Nat.eqb full L && Nat.eqb L 1
  | ByC => Nat.eqb full 0
  | BySharper tables s => Nat.eqb full (full_layers r L) && (~~ many_full s || early_free w)
  end.
Definition accepts_to (ys : seq Q) (c : claim) : bool :=
  match c with
  | Cannot t b r =>
      let L := (size (task_ns t)).+1 in
      [&& check_tokens t, check_heads t b, fit_linear b r (full_layers r L) & check_reason t b r 0]
  | WordCannot w L t b r =>
      let tables := (size (task_ns t)).+1 in
      [&& N.eqb L (N.of_nat tables), check_tokens t, check_heads t b, Nat.ltb (depth w) tables,
          named r w tables, fit_linear b r (full_of w)
        & check_reason t b r (if r is ByA _ then tables.-1 - full_of w else 0)]
  | WordCan w L first =>
      [&& N.ltb 0 L, N.leb L (N.of_nat (depth w)) & eqb first (N.ltb L (N.of_nat (full_of w)))]
  | WordStores w L t held =>
      [&& N.eqb L (N.of_nat (size (task_ns t)).+1), Nat.eqb (full_of w) 0, Nat.ltb (size (task_ns t)).+1 (size w),
          is_plain (task_m t), all is_plain (task_ns t)
        & all (holds_table held) (binary_sizes (plain (task_m t)) (map plain (task_ns t)))]
  | Sparse u B k g r => check_sparse u B k g r
  | WindowsCannot w t b r0 r1 =>
      [&& check_tokens t, check_heads t b, check_windows digits t b r0 r1
        & if w is Some (letters, L) then N.eqb L (N.of_nat (size (task_ns t)).+1) && spells letters r0 r1 else true]
  | Fools md a b start stop ra rb out told => fooled md (floors md ys) a b start stop ra rb out told
  | SaysWrongly md a place said truth => says_wrongly md (floors md ys) a place said truth
  | Tallied md comp M k inputs answers hits margin =>
      tallies md (floors md ys) (every_question comp M k) inputs answers hits margin
  | SparseFinds B k g r p q num den => check_found B k g r p q num den
  | Ceiling w t b num den how => check_ceiling w t b num den how
  | Constructed md m ns margin covered pl =>
      N.leb (N.pow 2 covered) (inputs_number m ns) && answers_all md (floors md ys) m ns pl margin
  end.
End Digits.

(** With 256 digits; ys are the exponents that a run meets. *)
Definition accepts : seq Q -> claim -> bool := accepts_to 256 false.
(** A claim that is not accepted and would be with the true size of long binomials: it is not decided here. *)
Definition undecided : claim -> bool := accepts_to 256 true [::].
