(** Enclosures enclose, and what their logarithms decide holds. *)
From Coq Require Import PeanoNat PArith NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Binary Logarithms Decide Claims Enclosures.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.

(** ** Enclosures *)
(** low·2^shift ≤ n ≤ high·2^shift. *)
Definition encloses (i : enclosure) (n : nat) : Prop := nn (low i) * 2 ^ nn (shift i) <= n <= nn (high i) * 2 ^ nn (shift i).

(** n < 2^size n. *)
Lemma size_above n : nn n < 2 ^ nn (N.size n).
Proof. by rewrite -[2]/(nn 2) -toX; have := N.size_gt n => h; apply/ltP; lia. Qed.
(** A coarser enclosure encloses. *)
Lemma coarser_ok d i n : encloses i n -> encloses (coarser d i) n.
Proof.
rewrite /coarser; case: N.eqb => //; case: N.leb (@toLe (N.size (high i)) d) => [/(_ isT) hd|_] /andP[h1 h2];
  rewrite /encloses /= toD addnC expnD.
  rewrite mul1n; apply: leq_trans h2 _; rewrite leq_mul2r; apply/orP; right.
  by apply: leq_trans (ltnW (size_above _)) _; rewrite leq_exp2l.
rewrite !mulnA; apply/andP; split.
  by apply: leq_trans h1; rewrite leq_mul2r; apply/orP; right; have /andP[] := shiftr_bounds (low i) d.
apply: leq_trans h2 _; rewrite leq_mul2r; apply/orP; right; rewrite toS.
by have /andP[_ /ltnW] := shiftr_bounds (high i) d.
Qed.
(** Its shift is d more. *)
Lemma shift_coarser d i : shift (coarser d i) = N.add (shift i) d.
Proof. by rewrite /coarser; case: N.eqb_spec => [->|_]; rewrite ?N.add_0_r //; case: N.leb. Qed.
(** Rounding encloses. *)
Lemma rounded_ok i n : encloses i n -> encloses (rounded i) n.
Proof. by rewrite /rounded; case: N.leb => // h; apply: coarser_ok. Qed.
(** A number encloses itself. *)
Lemma exactly_ok n : encloses (exactly n) (nn n).
Proof. by apply: rounded_ok; rewrite /encloses /= muln1 leqnn. Qed.
(** Products of enclosed numbers are enclosed. *)
Lemma times_ok i j a b : encloses i a -> encloses j b -> encloses (times i j) (a * b).
Proof.
move=> /andP[h1 h2] /andP[h3 h4]; apply: rounded_ok; rewrite /encloses /= !toM toD expnD.
by rewrite mulnACA [X in _ <= _ <= X]mulnACA !leq_mul.
Qed.
(** Both ends over the same power of two. *)
Lemma aligned_ok i j a b : encloses i a -> encloses j b ->
  let p := aligned i j in let S := 2 ^ nn (N.max (shift i) (shift j)) in
  nn (low p.1) * S <= a <= nn (high p.1) * S /\ nn (low p.2) * S <= b <= nn (high p.2) * S.
Proof.
move=> hi hj; rewrite /aligned /=; set s := N.max _ _.
have e1 : N.add (shift i) (N.sub s (shift i)) = s by lia.
have e2 : N.add (shift j) (N.sub s (shift j)) = s by lia.
have := coarser_ok (N.sub s (shift i)) hi; have := coarser_ok (N.sub s (shift j)) hj.
by rewrite /encloses !shift_coarser e1 e2.
Qed.
(** Sums of enclosed numbers are enclosed. *)
Lemma plus_ok i j a b : encloses i a -> encloses j b -> encloses (plus i j) (a + b).
Proof.
move=> hi hj; have [/andP[h1 h2] /andP[h3 h4]] := aligned_ok hi hj.
by apply: rounded_ok; rewrite /encloses /= !toD !mulnDl !leq_add.
Qed.
(** What is certainly at most. *)
Lemma at_mostP i j a b : encloses i a -> encloses j b -> at_most i j -> a <= b.
Proof.
move=> hi hj /toLe le; have [/andP[_ h2] /andP[h3 _]] := aligned_ok hi hj.
by apply: leq_trans h2 (leq_trans _ h3); rewrite leq_mul2r le orbT.
Qed.
(** What is certainly less. *)
Lemma belowP i j a b : encloses i a -> encloses j b -> below i j -> a < b.
Proof.
move=> hi hj /toLt le; have [/andP[_ h2] /andP[h3 _]] := aligned_ok hi hj.
by apply: leq_ltn_trans h2 (leq_trans _ h3); rewrite ltn_mul2r expn_gt0 le.
Qed.
(** Powers, by squares. *)
Lemma power_ok i n p : encloses i n -> encloses (power i p) (n ^ Pos.to_nat p).
Proof.
move=> h; elim: p => [p IH|p IH|] /=; last by rewrite expn1.
  by rewrite Pos2Nat.inj_xI multE expnS mul2n -addnn expnD; do 2?apply: times_ok.
by rewrite Pos2Nat.inj_xO multE mul2n -addnn expnD; apply: times_ok.
Qed.
(** A base to an exponent. *)
Lemma of_power_ok p : encloses (of_power p) (nn p.1 ^ nn p.2).
Proof. by case: p => b [|e]; [exact: (exactly_ok 1) | apply: power_ok; apply: exactly_ok]. Qed.
(** A number of a certificate. *)
Lemma of_number_ok c : encloses (of_number c) (number_value c).
Proof.
elim: c => [|p c IH]; first exact: (exactly_ok 1).
case: c IH => [_|q c IH]; first by rewrite /number_value /= muln1; apply: of_power_ok.
by apply: times_ok; [apply: of_power_ok | exact: IH].
Qed.
(** Half of an enclosed number, but at least 1, is enclosed. *)
Lemma halved_ok i n : encloses i n -> encloses (halved i) (maxn 1 n./2).
Proof.
have half a : nn (N.div2 a) = (nn a)./2.
  rewrite N2Nat.inj_div2; suff : Nat.div2 (nn a) = (nn a)./2 /\ Nat.div2 (nn a).+1 = (nn a).+1./2 by case.
  by elim: (nn a) => // k [h1 h2]; split=> //=; rewrite h1.
rewrite /encloses /halved; case: N.eqb_spec => [-> |s0] /=.
  by rewrite /= !muln1 !toMax !half => /andP[h1 h2]; rewrite !geq_max !leq_max !leqnn /= !half_leq ?orbT.
have -> : nn (shift i) = (nn (N.pred (shift i))).+1 by rewrite toP prednK //; apply/ltP; lia.
rewrite expnS !(mulnCA _ 2) !mul2n toMax => /andP[/half_leq h1 /half_leq h2].
rewrite !doubleK in h1 h2; rewrite leq_max h1 orbT geq_max /=; apply/andP; split.
  by rewrite muln_gt0 expn_gt0 andbT leq_max.
by apply: leq_trans h2 _; rewrite leq_mul2r leq_max leqnn !orbT.
Qed.
(** Differences of enclosed numbers are enclosed. *)
Lemma minus_ok i j a b : encloses i a -> encloses j b -> encloses (minus i j) (a - b).
Proof.
move=> hi hj; have [/andP[h1 h2] /andP[h3 h4]] := aligned_ok hi hj.
by rewrite /encloses /= !toB !mulnBl !leq_sub.
Qed.
(** The smaller of two. *)
Lemma smaller_ok i j a b : encloses i a -> encloses j b -> encloses (smaller i j) (minn a b).
Proof.
move=> hi hj; rewrite /smaller; case E : (at_most i j); first by rewrite (minn_idPl (at_mostP hi hj E)).
case E' : (at_most j i); first by rewrite (minn_idPr (at_mostP hj hi E')).
by rewrite /encloses /=; have /andP[_ h] := hi; apply: leq_trans (geq_minl _ _) h.
Qed.
(** What is certainly not 0. *)
Lemma low_gt0 i n : encloses i n -> N.ltb 0 (low i) -> 0 < n.
Proof. by move=> /andP[h _] /toLt l; apply: leq_trans h; rewrite muln_gt0 l expn_gt0. Qed.
(** What is certainly 0. *)
Lemma is_zeroP i n : encloses i n -> is_zero i -> n = 0.
Proof. by move=> /andP[_ h] /N.eqb_spec e; move: h; rewrite e mul0n leqn0 => /eqP. Qed.

(** An exact enclosure is the number. *)
Lemma is_exactP i n : encloses i n -> is_exact i -> n = nn (low i).
Proof. by move=> h /andP[/N.eqb_spec e1 /N.eqb_spec e2]; move: h; rewrite /encloses e1 -e2 !muln1 => /anti_leq ->. Qed.
(** Powers keep the order. *)
Lemma exp_raise a b k : a <= b -> a ^ k <= b ^ k. Proof. by case: k => // k h; rewrite leq_exp2r. Qed.

(** ** Logarithms *)
Section Digits.
Variable q : nat.
Local Notation Q := (2 ^ q).

(** The unit of a logarithm is 2^q. *)
Lemma unit_bits_value : nn (unit_bits q) = Q.
Proof. by rewrite /unit_bits N.shiftl_1_l toX Nat2N.id. Qed.
(** From below. *)
Lemma log_of_lowP i n : encloses i n -> N.ltb 0 (low i) -> 2 ^ nn (log_of_low q i) <= n ^ Q.
Proof.
move=> /andP[h _] /toLt l0; rewrite /log_of_low toD toM unit_bits_value expnD.
apply: leq_trans (_ : (nn (low i) * 2 ^ nn (shift i)) ^ Q <= _); last by rewrite leq_exp2r // expn_gt0.
by rewrite expnMn -expnM leq_mul2r log_lowP ?orbT.
Qed.
(** From above. *)
Lemma log_of_highP i n : encloses i n -> n ^ Q <= 2 ^ nn (log_of_high q i).
Proof.
move=> /andP[_ h]; rewrite /log_of_high toD toM unit_bits_value expnD.
apply: leq_trans (_ : (nn (high i) * 2 ^ nn (shift i)) ^ Q <= _); first by rewrite leq_exp2r // expn_gt0.
by rewrite expnMn -expnM leq_mul2r log_highP orbT.
Qed.

(** What ends_e accepts is (F). *)
Lemma ends_eP D n0 k D' N k' : encloses D D' -> encloses n0 N -> encloses k k' -> ends_e q D n0 k -> 2 ^ D' < N ^ k'.
Proof.
move=> hD hn hk /andP[l]; have hu := exactly_ok (unit_bits q); rewrite unit_bits_value in hu.
move/(belowP (times_ok hD hu) (times_ok hk (exactly_ok _))) => lt; have hlo := log_of_lowP hn l.
rewrite -(@ltn_exp2r _ _ Q) ?expn_gt0 // -!expnM; apply: leq_trans (_ : 2 ^ (k' * nn (log_of_low q n0)) <= _).
  by rewrite ltn_exp2l.
by rewrite mulnC expnM (mulnC k') expnM; case: (k') => // j; rewrite leq_exp2r.
Qed.


(** 2^told·(Θ−1)^draws < N^draws. *)
Lemma few_eP told th draws n0 a t d N : encloses told a -> encloses th t -> encloses draws d -> encloses n0 N ->
  few_e q told th draws n0 -> t.-1 ^ d * 2 ^ a < N ^ d.
Proof.
move=> ha ht hd hn /andP[l]; have N0 := low_gt0 hn l.
have hk := minus_ok ht (exactly_ok 1); rewrite -[nn 1]/1 subn1 in hk.
case: ifP => [/(is_zeroP hk) -> /(low_gt0 hd) d0|_]; first by rewrite exp0n // mul0n expn_gt0 N0.
have hu := exactly_ok (unit_bits q); rewrite unit_bits_value in hu.
move/(belowP (plus_ok (times_ok ha hu) (times_ok hd (exactly_ok _))) (times_ok hd (exactly_ok _))) => lt.
rewrite -(@ltn_exp2r _ _ Q) ?expn_gt0 // expnMn -!expnM.
apply: leq_ltn_trans (_ : 2 ^ (d * nn (log_of_high q (minus th (exactly 1)))) * 2 ^ (a * Q) < _).
  by rewrite leq_mul2r; apply/orP; right; rewrite mulnC expnM (mulnC d) expnM exp_raise // log_of_highP.
apply: leq_trans (_ : 2 ^ (d * nn (log_of_low q n0)) <= _); first by rewrite -expnD ltn_exp2l // addnC.
by rewrite (mulnC d) expnM (mulnC d) expnM exp_raise // log_of_lowP.
Qed.

(** The bound on a binomial with k·log2 𝖾. *)
Lemma choose_by_e N k n0 kk : encloses n0 N -> encloses kk k -> N.ltb 0 (low kk) ->
  'C(N, k) ^ Q <= 2 ^ (k * (nn (log_of_high q n0) - nn (log_of_low q kk)) + k * nn (log_of_e q tt)).
Proof.
move=> hn hk lk; have K0 : 0 < euler_terms q by [].
have bin := choose_pow_e N k (expn_gt0 2 q) (euler_den_gt0 K0) (euler_fraction K0) (euler_bitsP q K0).
have hN : N ^ (k * Q) <= 2 ^ (k * nn (log_of_high q n0)).
  by rewrite (mulnC k) expnM (mulnC k) expnM exp_raise // log_of_highP.
have hK : 2 ^ (k * nn (log_of_low q kk)) <= k ^ (k * Q).
  by rewrite (mulnC k) expnM (mulnC k (2 ^ q)) expnM exp_raise // log_of_lowP.
rewrite -(@leq_pmul2r (2 ^ (k * nn (log_of_low q kk)))) ?expn_gt0 //.
apply: leq_trans (leq_mul (leqnn _) hK) _; rewrite expnM -expnMn; apply: leq_trans bin _.
apply: leq_trans (leq_mul hN (leqnn _)) _; rewrite -!expnD leq_exp2l // mulnBr [_ * k]mulnC addnAC leq_add2r.
by rewrite addnC -leq_subLR.
Qed.
(** ... and with (N−k)·log2(N/(N−k)). *)
Lemma choose_by_rest N k n0 kk rr : encloses n0 N -> encloses kk k -> encloses rr (N - k) -> k <= N ->
  N.ltb 0 (low kk) -> N.ltb 0 (low rr) ->
  'C(N, k) ^ Q <= 2 ^ (k * (nn (log_of_high q n0) - nn (log_of_low q kk)) + (N - k) * (nn (log_of_high q n0) - nn (log_of_low q rr))).
Proof.
move=> hn hk hr kN lk lr; set r := N - k in hr *.
have bin : 'C(N, k) * (k ^ k * r ^ r) <= N ^ N.
  have := Pascal r k N; rewrite subnK // => ->; rewrite (bigD1 (inord k)) //= inordK // -/r mulnC.
  by rewrite [r ^ r * _]mulnC [X in X <= _]mulnC leq_addr.
have hN : N ^ (N * Q) <= 2 ^ (N * nn (log_of_high q n0)).
  by rewrite (mulnC N) expnM (mulnC N) expnM exp_raise // log_of_highP.
have hK : 2 ^ (k * nn (log_of_low q kk)) <= k ^ (k * Q).
  by rewrite (mulnC k) expnM (mulnC k (2 ^ q)) expnM exp_raise // log_of_lowP.
have hR : 2 ^ (r * nn (log_of_low q rr)) <= r ^ (r * Q).
  by rewrite (mulnC r) expnM (mulnC r (2 ^ q)) expnM exp_raise // log_of_lowP.
rewrite -(@leq_pmul2r (2 ^ (k * nn (log_of_low q kk)) * 2 ^ (r * nn (log_of_low q rr)))) ?muln_gt0 ?expn_gt0 //.
apply: leq_trans (leq_mul (leqnn _) (leq_mul hK hR)) _.
have -> : 'C(N, k) ^ Q * (k ^ (k * Q) * r ^ (r * Q)) = ('C(N, k) * (k ^ k * r ^ r)) ^ Q by rewrite !expnMn -!expnM.
apply: leq_trans (_ : (N ^ N) ^ Q <= _); first by rewrite exp_raise.
rewrite -expnM; apply: leq_trans hN _; rewrite -!expnD leq_exp2l // -[X in X * nn (log_of_high _ _)](subnKC kN) mulnDl.
rewrite addnACA leq_add //; last by rewrite mulnBr addnC -leq_subLR.
by rewrite mulnBr addnC -leq_subLR.
Qed.
(** The bound on a binomial that the program takes. *)
Lemma log_chooseP N k n0 kk : encloses n0 N -> encloses kk k -> k <= N -> N.ltb 0 (low kk) ->
  exists v, encloses (log_choose q false (log_of_e q tt) n0 kk) v /\ 'C(N, k) ^ Q <= 2 ^ v.
Proof.
move=> hn hk kN lk; rewrite /log_choose; case: ifP => [|_].
  case/and3P => xn xk _; have [en ek] := (is_exactP hn xn, is_exactP hk xk).
  exists (nn (log_high q (binomial (low n0) (N.min (low kk) (low n0 - low kk))))); split; first exact: exactly_ok.
  apply: leq_trans (log_highP q _); rewrite toBin toMin toB -en -ek exp_raise //.
  by rewrite /minn; case: ifP => // _; rewrite bin_sub.
have hr := minus_ok hn hk; case: ifP => [/andP[lr _]|_].
  exists (k * (nn (log_of_high q n0) - nn (log_of_low q kk)) + (N - k) * (nn (log_of_high q n0) - nn (log_of_low q (minus n0 kk)))).
  by split; [apply: plus_ok; rewrite -toB; apply: times_ok => //; apply: exactly_ok | apply: choose_by_rest].
exists (k * (nn (log_of_high q n0) - nn (log_of_low q kk)) + k * nn (log_of_e q tt)).
split; last exact: choose_by_e.
by apply: plus_ok; [rewrite -toB|]; apply: times_ok => //; apply: exactly_ok.
Qed.

(** Θ ≤ N and 2^told·C(N, Θ−1)·(Θ−1)^draws ≤ N^draws, or <. *)
Lemma covered_eP strict told th draws n0 a t d N : encloses told a -> encloses th t -> encloses draws d -> encloses n0 N ->
  covered_e q false strict (log_of_e q tt) told th draws n0 ->
  [/\ 0 < t, t <= N & if strict then 'C(N, t.-1) * t.-1 ^ d * 2 ^ a < N ^ d else 'C(N, t.-1) * t.-1 ^ d * 2 ^ a <= N ^ d].
Proof.
move=> ha ht hd hn /and4P[l lt /(at_mostP ht hn) tN]; have N0 := low_gt0 hn l; have t0 := low_gt0 ht lt.
have hk := minus_ok ht (exactly_ok 1); rewrite -[nn 1]/1 subn1 in hk.
case: ifP => [/(is_zeroP hk) -> /(low_gt0 hd) d0|_ /andP[lk]].
  by split=> //; rewrite exp0n // muln0 mul0n expn_gt0 N0; case: strict.
have [v [hv bin]] := log_chooseP hn hk (leq_trans (leq_pred _) tN) lk.
have hu := exactly_ok (unit_bits q); rewrite unit_bits_value in hu.
have hl := plus_ok (plus_ok (times_ok ha hu) (times_ok hd (exactly_ok (log_of_high q (minus th (exactly 1)))))) hv.
have hr := times_ok hd (exactly_ok (log_of_low q n0)).
have left : ('C(N, t.-1) * t.-1 ^ d * 2 ^ a) ^ Q <= 2 ^ (a * Q + d * nn (log_of_high q (minus th (exactly 1))) + v).
  rewrite !expnMn -!expnM addnC addnA !expnD mulnAC !leq_mul //.
  by rewrite mulnC expnM (mulnC d) expnM exp_raise // log_of_highP.
have right : 2 ^ (d * nn (log_of_low q n0)) <= (N ^ d) ^ Q.
  by rewrite -expnM (mulnC d) expnM (mulnC d) expnM exp_raise // log_of_lowP.
case: strict => le; split=> //.
  rewrite -(@ltn_exp2r _ _ Q) ?expn_gt0 //; apply: leq_ltn_trans left (leq_trans _ right).
  by rewrite ltn_exp2l // (belowP hl hr).
rewrite -(@leq_exp2r _ _ Q) ?expn_gt0 //; apply: leq_trans left (leq_trans _ right).
by rewrite leq_exp2l // (at_mostP hl hr).
Qed.
End Digits.

(** Expressions. *)
Lemma enclosed_ok x : encloses (enclosed x) (evaluated x).
Proof.
elim: x => [c|n|a ha b hb|a ha b hb|a ha b hb] /=; [exact: of_number_ok | exact: exactly_ok | exact: plus_ok | exact: times_ok | exact: minus_ok].
Qed.
