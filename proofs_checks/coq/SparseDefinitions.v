(** 2-Sum with sparse layers (D and D2): what T_D_two_sum and T_D_several of ExactTheorems.v speak about; two_sum is in ExactDefinitions.v. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** One sparse layer at the last token: s tokens in front (sinks), g complete blocks of B, and the rest (window and own block). It knows
    the tokens in front and the rest, the summaries of all blocks, and the contents of the blocks that it opens; all of it are any maps,
    and several heads are one. *)
Record sparse_layer (g : nat) (Sg : finType) := SparseLayer {
  sparse_summary : 'I_g -> seq nat -> Sg;
  sparse_opens : seq nat * seq nat -> {ffun 'I_g -> Sg} -> {set 'I_g};
  sparse_says : seq nat * seq nat -> {ffun 'I_g -> Sg} -> {ffun 'I_g -> option (seq nat)} -> bool }.
Definition block_of (s B b : nat) (xs : seq nat) : seq nat := take B (drop (s + b * B) xs).
Definition sparse_answer (s B g : nat) (Sg : finType) (l : sparse_layer g Sg) (xs : seq nat) : bool :=
  let near := (take s xs, drop (s + g * B) xs) in
  let told := [ffun b : 'I_g => sparse_summary l b (block_of s B b xs)] in
  sparse_says l near told [ffun b : 'I_g => if b \in sparse_opens l near told then Some (block_of s B b xs) else None].
(** It opens at most k blocks, and answers 2-Sum on all lists of s + gB + t numbers of 1, …, M−1. *)
Definition sparse_solves (M s B g t k : nat) (Sg : finType) (l : sparse_layer g Sg) : Prop :=
  (forall near told, #|sparse_opens l near told| <= k) /\
  forall xs, size xs = s + g * B + t -> all (fun a => 0 < a < M) xs -> sparse_answer s B l xs = two_sum M xs.

(** Several layers whose summaries say where a block is and nothing of what is in it: a token reads its own block, the blocks that it
    opens, chosen by what it knows, and at most s tokens of windows and sinks. *)
Record blind_layer (X : Type) := BlindLayer {
  blind_opens : nat -> X -> seq nat;
  blind_others : nat -> seq nat;
  blind_next : nat -> seq (nat * X) -> X }.
Definition blind_reads X (B : nat) (l : blind_layer X) (i : nat) (a : X) : seq nat :=
  flatten [seq iota (b * B) B | b <- i %/ B :: blind_opens l i a] ++ blind_others l i.
Definition run_blind X (B : nat) (x : nat -> X) (l : blind_layer X) : nat -> X :=
  fun i => blind_next l i [seq (j, x j) | j <- blind_reads B l i (x i)].
Definition blind_few X (k s : nat) (l : blind_layer X) : Prop :=
  (forall i a, size (blind_opens l i a) <= k) /\ forall i, size (blind_others l i) <= s.

(** d = u − ⌊uk/g⌋ = ⌈u(g−k)/g⌉ of u values are told of every block: V(d, B) = Σ_{t ≤ B} C(d, t) summaries, one less if d = u. *)
Definition least_summaries (u g B k : nat) : nat :=
  let d := u - (u * k) %/ g in if d < u then \sum_(t < B.+1) 'C(d, t) else \sum_(1 <= t < B.+1) 'C(u, t).
