(** Logarithms of long numbers from below and from above, by repeated squaring of a few leading bits; 𝖾 as a fraction.
    low and high are such that  2^low ≤ n^Q ≤ 2^high  with Q = 2^q: low/Q and high/Q enclose log2 n. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting GoldenSchedule Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.

(** ** Leading bits: n·2^e is replaced by m·2^(e+s) with a shorter m, downwards or upwards *)
Definition cut (width m : N) : N := N.sub (N.size m) width.
Definition cut_down (width : N) (p : N * N) : N * N :=
  let s := cut width p.1 in (N.shiftr p.1 s, N.add p.2 s).
Definition cut_up (width : N) (p : N * N) : N * N :=
  let s := cut width p.1 in if N.eqb s 0 then p else (N.succ (N.shiftr p.1 s), N.add p.2 s).
Definition value (p : N * N) : nat := nn p.1 * 2 ^ nn p.2.

(** m = 2^s·(m >> s) + rest, rest < 2^s. *)
Lemma shiftr_bounds m s : nn (N.shiftr m s) * 2 ^ nn s <= nn m < (nn (N.shiftr m s)).+1 * 2 ^ nn s.
Proof.
rewrite N.shiftr_div_pow2; have p0 : (2 ^ s <> 0)%num by apply: N.pow_nonzero.
have E := N.div_mod m (2 ^ s)%num p0; have L := N.mod_lt m (2 ^ s)%num p0.
rewrite -[2 ^ nn s]/(nn 2 ^ nn s) -toX; move: (2 ^ s)%num (m / _)%num (m mod _)%num E L => P k r E L {p0}.
by rewrite -!toS -!toM; apply/andP; split; apply/leP; lia.
Qed.

(** Cutting downwards makes it no larger. *)
Lemma cut_down_le width p : value (cut_down width p) <= value p.
Proof.
rewrite /value /= toD expnD mulnCA [X in _ <= X]mulnC leq_mul2l; apply/orP; right.
by have /andP[] := shiftr_bounds p.1 (cut width p.1).
Qed.
(** Cutting upwards makes it no smaller. *)
Lemma cut_up_ge width p : value p <= value (cut_up width p).
Proof.
rewrite /cut_up; case: N.eqb => //; rewrite /value /= toD toS expnD mulnCA [X in X <= _]mulnC leq_mul2l.
by apply/orP; right; have /andP[_ /ltnW] := shiftr_bounds p.1 (cut width p.1).
Qed.

(** ** Squaring q times *)
Definition square (p : N * N) : N * N := (N.mul p.1 p.1, N.add p.2 p.2).
(** Squaring squares. *)
Lemma value_square p : value (square p) = value p ^ 2.
Proof. by rewrite /value /= toM toD expnD -mulnn mulnACA. Qed.
Fixpoint squares (rounding : N * N -> N * N) (q : nat) (p : N * N) : N * N :=
  if q is q'.+1 then squares rounding q' (square (rounding p)) else p.

(** Rounded downwards: at most the 2^q-th power. *)
Lemma squares_le width q p : value (squares (cut_down width) q p) <= value p ^ (2 ^ q).
Proof.
elim: q p => [|q IH] p /=; first by rewrite expn0 expn1.
apply: leq_trans (IH _) _; rewrite value_square -expnM -expnS.
by rewrite leq_exp2r ?expn_gt0 // cut_down_le.
Qed.
(** Rounded upwards: at least the 2^q-th power. *)
Lemma squares_ge width q p : value p ^ (2 ^ q) <= value (squares (cut_up width) q p).
Proof.
elim: q p => [|q IH] p /=; first by rewrite expn0 expn1.
apply: leq_trans (IH _); rewrite value_square -expnM -expnS.
by rewrite leq_exp2r ?expn_gt0 // cut_up_ge.
Qed.

(** ** The logarithms; a number is cut to 32 bits more than there are squarings *)
Definition width (q : nat) : N := N.add (N.of_nat q) 32.
Definition log_low (q : nat) (n : N) : N :=
  let p := squares (cut_down (width q)) q (n, 0%num) in
  if N.eqb p.1 0 then 0%num else N.add (N.log2 p.1) p.2.
Definition log_high (q : nat) (n : N) : N :=
  let p := squares (cut_up (width q)) q (n, 0%num) in N.add (N.size p.1) p.2.

(** 2^low ≤ n^Q. *)
Lemma log_lowP q n : 0 < nn n -> 2 ^ nn (log_low q n) <= nn n ^ (2 ^ q).
Proof.
move=> n0; rewrite /log_low; set p := squares _ _ _.
have le : value p <= nn n ^ (2 ^ q) by have := squares_le (width q) q (n, 0%num); rewrite {2}/value /= muln1.
case: N.eqb_spec => [_|p0]; first by rewrite expn_gt0 n0.
apply: leq_trans le; rewrite /value toD expnD leq_mul2r; apply/orP; right.
rewrite -[2]/(nn 2) -toX; have [h _] := N.log2_spec p.1 ltac:(lia); apply/leP; lia.
Qed.
(** n^Q ≤ 2^high. *)
Lemma log_highP q n : nn n ^ (2 ^ q) <= 2 ^ nn (log_high q n).
Proof.
rewrite /log_high; set p := squares _ _ _.
have le : nn n ^ (2 ^ q) <= value p by have := squares_ge (width q) q (n, 0%num); rewrite {1}/value /= muln1.
apply: leq_trans le _; rewrite /value toD expnD leq_mul2r; apply/orP; right.
rewrite -[2]/(nn 2) -toX; have h := N.size_gt p.1; apply/leP; lia.
Qed.

(** ** 𝖾: (1 + 1/h)^h ≤ Σ_{k<K} 1/k! + (K+1)/(K·K!) for every h, multiplied out *)
Fixpoint partial_e (K : nat) : nat := if K is K'.+1 then K * (partial_e K').+1 else 0.   (* Σ_{k<K} K!/k! *)
Definition term (h k : nat) : nat := 'C(h, k) * h ^ (h - k).

(** One term of the binomial theorem: C(h,k)·h^(h-k) ≤ h^h/k!. *)
Lemma term_le h k : k`! * term h k <= h ^ h.
Proof.
rewrite /term mulnA [k`! * _]mulnC bin_ffact; case: (leqP k h) => kh; last by rewrite ffact_small.
by apply: leq_trans (leq_mul (ffact_exp h k) (leqnn _)) _; rewrite -expnD subnKC.
Qed.
(** The first K terms. *)
Lemma head_le h K : K`! * (\sum_(k < K) term h k) <= partial_e K * h ^ h.
Proof.
elim: K => [|K IH]; first by rewrite big_ord0 muln0.
rewrite big_ord_recr /= factS -mulnA -mulnA leq_mul2l /= mulnDr mulSn addnC leq_add //; exact: term_le.
Qed.
(** The others: a geometric series. *)
Lemma tail_le h d j : 0 < j -> (j + d = h.+1)%N ->
  j * j`! * (\sum_(j <= k < h.+1) term h k) <= j.+1 * h ^ h.
Proof.
elim: d j => [|d IH] j j0 E; first by rewrite big_geq ?muln0 // -E addn0.
have jh : j < h.+1 by rewrite -E -addSnnS leq_addr.
rewrite big_ltn // mulnDr mulSn addnC leq_add //; last first.
  by rewrite -mulnA leq_mul2l term_le orbT.
have := IH j.+1 isT; rewrite addSnnS => /(_ E); move: (\sum_(_ <= k < _) _) => S le.
rewrite -(@leq_pmul2l (j.+1 * j.+1)) ?muln_gt0 //.
have -> : j.+1 * j.+1 * (j * j`! * S) = j * (j.+1 * j.+1`! * S).
  by rewrite factS; move: (j`!) => f; mring.
apply: leq_trans (_ : j * (j.+2 * h ^ h) <= _); first by rewrite leq_mul2l le orbT.
by rewrite mulnA leq_mul2r; apply/orP; right; apply/leP; mring.
Qed.
(** The binomial theorem: (h+1)^h is the sum of all terms. *)
Lemma sum_terms h : h.+1 ^ h = \sum_(0 <= k < h.+1) term h k.
Proof.
by rewrite -[X in X ^ _]addn1 expnDn big_mkord; apply: eq_bigr => k _; rewrite /term exp1n muln1.
Qed.
(** Together: K·K!·(h+1)^h ≤ (K·Σ_{k<K} K!/k! + K + 1)·h^h. *)
Lemma euler_le h K : 0 < K -> K * K`! * h.+1 ^ h <= (K * partial_e K + K.+1) * h ^ h.
Proof.
move=> K0; rewrite sum_terms mulnDl.
have head : K * K`! * (\sum_(k < K) term h k) <= K * partial_e K * h ^ h.
  by rewrite -!mulnA leq_mul2l head_le orbT.
case: (leqP K h.+1) => Kh; last first.
  apply: leq_trans (leq_addr _ _); apply: leq_trans head; rewrite leq_mul2l; apply/orP; right.
  rewrite -(big_mkord xpredT (term h)) (@big_cat_nat _ _ _ h.+1 0 K) //=; [exact: leq_addr | exact: ltnW].
rewrite (@big_cat_nat _ _ _ K) //= mulnDr big_mkord leq_add //.
by apply: (@tail_le h (h.+1 - K)) => //; rewrite subnKC.
Qed.
(** h^h·den^h ≤ h!·num^h for num/den ≥ (1 + 1/h)^h. *)
Lemma pow_le_fact_e num den h : (forall j, den * j.+1 ^ j <= num * j ^ j) -> h ^ h * den ^ h <= h`! * num ^ h.
Proof.
move=> le; elim: h => [|h IH] //; rewrite factS !expnS.
have -> : h.+1 * h.+1 ^ h * (den * den ^ h) = h.+1 * (den * h.+1 ^ h * den ^ h) by move: (h.+1 ^ h) (den ^ h) => u v;
  mring.
rewrite -[X in _ <= X]mulnA leq_mul2l /=; apply: leq_trans (leq_mul (le h) (leqnn _)) _.
have -> : num * h ^ h * den ^ h = num * (h ^ h * den ^ h) by rewrite mulnA.
by rewrite [X in _ <= X]mulnCA leq_mul2l IH orbT.
Qed.
(** C(N,h)·h^h·den^h ≤ (N·num)^h: the bound (𝖾·N/h)^h on a binomial. *)
Lemma bin_pow_e num den N h : (forall j, den * j.+1 ^ j <= num * j ^ j) ->
  'C(N, h) * h ^ h * den ^ h <= N ^ h * num ^ h.
Proof.
move=> le; rewrite -mulnA; apply: leq_trans (leq_mul (leqnn _) (pow_le_fact_e h le)) _.
by rewrite mulnA bin_ffact leq_mul2r ffact_exp orbT.
Qed.

(** The docs' (E_ℓ), with a fraction num/den ≥ 𝖾 for 𝖾, is enough: b ≤ s·log2(N/Θ) − Θ·log2(num/den). *)
Lemma cover_by_e num den b N th s t : (forall j, den * j.+1 ^ j <= num * j ^ j) -> 0 < den -> 0 < th -> th <= N ->
  th + s <= t.+1 -> 2 ^ b * (num ^ th * th ^ s) <= den ^ th * N ^ s -> 2 ^ b * ('C(N, th.-1) * th.-1 ^ t) <= N ^ t.
Proof.
case: th => // h e den0 _ hN hs hb; rewrite [h.+1.-1]/=.
have dn : den <= num by have := e 0; rewrite !expn0 !muln1.
have num0 : 0 < num by apply: leq_trans dn.
have [d Et] : exists d, t = h + s + d by exists (t - (h + s)); rewrite subnKC // -ltnS.
have small j a c : a <= c -> a ^ j <= c ^ j by case: j => // j ac; rewrite leq_exp2r.
have core : den ^ h.+1 * N ^ s * ('C(N, h) * h ^ t) <= N ^ t * (num ^ h.+1 * h.+1 ^ s).
  have -> : den ^ h.+1 * N ^ s * ('C(N, h) * h ^ t) = 'C(N, h) * h ^ h * den ^ h * (N ^ s * h ^ s * h ^ d * den).
    by rewrite Et !expnD expnS; move: (den ^ h) (N ^ s) (h ^ h) (h ^ s) (h ^ d) => u1 u2 u3 u4 u5; mring.
  have -> : N ^ t * (num ^ h.+1 * h.+1 ^ s) = N ^ h * num ^ h * (N ^ s * h.+1 ^ s * N ^ d * num).
    by rewrite Et !expnD [num ^ _]expnS; move: (num ^ h) (N ^ s) (N ^ h) (h.+1 ^ s) (N ^ d) => u1 u2 u3 u4 u5; mring.
  by apply: leq_mul; [exact: bin_pow_e | rewrite !leq_mul // small // ltnW].
rewrite -(@leq_pmul2l (num ^ h.+1 * h.+1 ^ s)) ?muln_gt0 ?expn_gt0 ?num0 //.
rewrite mulnA [_ * 2 ^ b]mulnC; apply: leq_trans (leq_mul hb (leqnn _)) _.
by apply: leq_trans core _; rewrite mulnC.
Qed.

(** ** log2 𝖾 from above: num^Q ≤ 2^c·den^Q *)
(** Terms enough for q binary digits: (q+1)! > 2^q. *)
Definition euler_terms (q : nat) : nat := q.+1.
Fixpoint binary_fact (K : nat) : N := if K is K'.+1 then N.mul (N.of_nat K) (binary_fact K') else 1%num.
Fixpoint binary_partial_e (K : nat) : N :=
  if K is K'.+1 then N.mul (N.of_nat K) (N.succ (binary_partial_e K')) else 0%num.
Definition euler_num (K : nat) : N := N.add (N.mul (N.of_nat K) (binary_partial_e K)) (N.of_nat K.+1).
Definition euler_den (K : nat) : N := N.mul (N.of_nat K) (binary_fact K).
Definition euler_bits (q K : nat) : N := N.sub (log_high q (euler_num K)) (log_low q (euler_den K)).

(** The factorial computed is the factorial. *)
Lemma to_fact K : nn (binary_fact K) = K`!.
Proof. by elim: K => // K IH; rewrite -[binary_fact _]/(N.mul (N.of_nat K.+1) _) toM IH factS Nat2N.id. Qed.
(** The sum computed is the sum. *)
Lemma to_partial_e K : nn (binary_partial_e K) = partial_e K.
Proof. by elim: K => // K IH; rewrite -[binary_partial_e _]/(N.mul (N.of_nat K.+1) (N.succ _)) toM toS IH Nat2N.id. Qed.
(** The fraction is at least (1 + 1/j)^j for every j. *)
Lemma euler_fraction K : 0 < K -> forall j, nn (euler_den K) * j.+1 ^ j <= nn (euler_num K) * j ^ j.
Proof.
move=> K0 j; rewrite /euler_num /euler_den toD !toM to_fact to_partial_e !Nat2N.id; exact: euler_le.
Qed.
(** The denominator is not 0. *)
Lemma euler_den_gt0 K : 0 < K -> 0 < nn (euler_den K).
Proof. by move=> K0; rewrite toM to_fact Nat2N.id muln_gt0 K0 fact_gt0. Qed.
(** c/Q is at least the logarithm of the fraction, and so at least log2 𝖾. *)
Lemma euler_bitsP q K : 0 < K ->
  nn (euler_num K) ^ (2 ^ q) <= 2 ^ nn (euler_bits q K) * nn (euler_den K) ^ (2 ^ q).
Proof.
move=> K0; apply: leq_trans (log_highP q _) _; rewrite /euler_bits toB.
apply: leq_trans (leq_mul (leqnn _) (log_lowP q (euler_den_gt0 K0))).
by rewrite -expnD leq_exp2l // addnC -leq_subLR.
Qed.
