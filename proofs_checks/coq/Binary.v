(** Binary naturals: the operations of N are those of nat, so that inequalities between long numbers can be computed. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.

(** ** The operations *)
(** a·b. *)
Lemma toM a b : nn (N.mul a b) = nn a * nn b. Proof. by rewrite N2Nat.inj_mul multE. Qed.
(** a + b. *)
Lemma toD a b : nn (N.add a b) = nn a + nn b. Proof. by rewrite N2Nat.inj_add plusE. Qed.
(** a + 1. *)
Lemma toS a : nn (N.succ a) = (nn a).+1. Proof. by rewrite N2Nat.inj_succ. Qed.
(** max(a − 1, 0). *)
Lemma toP a : nn (N.pred a) = (nn a).-1. Proof. by rewrite N2Nat.inj_pred; case: (N.to_nat a). Qed.
(** max(a − b, 0). *)
Lemma toB a b : nn (N.sub a b) = nn a - nn b. Proof. by rewrite N2Nat.inj_sub minusE. Qed.
(** a^b. *)
Lemma toX a b : nn (N.pow a b) = nn a ^ nn b.
Proof. by elim/N.peano_ind: b => [//|b IH]; rewrite N.pow_succ_r' toM IH toS expnS. Qed.
(** a·2^b. *)
Lemma toShift a b : nn (N.shiftl a b) = 2 ^ nn b * nn a.
Proof. by rewrite N.shiftl_mul_pow2 toM toX mulnC. Qed.
(** min(a, b). *)
Lemma toMin a b : nn (N.min a b) = minn (nn a) (nn b).
Proof. by rewrite N2Nat.inj_min; apply/esym; case: leqP => /leP h; lia. Qed.
(** max(a, b). *)
Lemma toMax a b : nn (N.max a b) = maxn (nn a) (nn b).
Proof. by rewrite N2Nat.inj_max; apply/esym; case: leqP => /leP h; lia. Qed.

(** ** Comparisons *)
(** a ≤ b. *)
Lemma toLe a b : N.leb a b -> nn a <= nn b. Proof. by move/N.leb_le => H; apply/leP; lia. Qed.
(** a < b. *)
Lemma toLt a b : N.ltb a b -> nn a < nn b. Proof. by move/N.ltb_lt => H; apply/ltP; lia. Qed.

(** ** Binomials: C(n, j+1) = C(n, j)·(n − j)/(j + 1) *)
Definition next_binomial (n : N) (p : N * N) : N * N :=
  (N.succ p.1, N.div (N.mul p.2 (N.sub n p.1)) (N.succ p.1)).
Definition binomial (n k : N) : N := (N.iter k (next_binomial n) (0%num, 1%num)).2.
(** After j steps the pair is (j, C(n, j)). *)
Lemma iter_binomial n j : N.iter j (next_binomial n) (0%num, 1%num) = (j, N.of_nat 'C(nn n, nn j)).
Proof.
elim/N.peano_ind: j => [|j IH]; first by rewrite bin0.
rewrite N.iter_succ IH /next_binomial /=; congr pair.
have E : (N.of_nat 'C(nn n, nn j) * (n - j) = N.of_nat 'C(nn n, nn (N.succ j)) * N.succ j)%num.
  by apply: N2Nat.inj; rewrite !toM !Nat2N.id toB toS mulnC -mul_bin_left mulnC.
by rewrite E N.div_mul //; lia.
Qed.
(** The binomial computed is the binomial. *)
Lemma toBin n k : nn (binomial n k) = 'C(nn n, nn k).
Proof. by rewrite /binomial iter_binomial Nat2N.id. Qed.

(** ** W = n_1⋯n_{L-1} *)
Definition binary_queries := foldr N.mul 1%num.
(** The product computed is W. *)
Lemma toQ ns : queries (map N.to_nat ns) = nn (binary_queries ns).
Proof. by elim: ns => //= n ns IH; rewrite toM -IH. Qed.
