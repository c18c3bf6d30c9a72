(** The golden schedule (5.4): for every β and Λ there are sizes that satisfy the inequalities of Theorems A and B. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge TheoremA TheoremB TheoremC.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** ** The cover inequality in a simple form *)
Lemma ffact_exp n h : n ^_ h <= n ^ h.
Proof.
elim: h n => [|h IH] [|n] //.
rewrite ffactSS expnS leq_mul2l; apply/orP; right; apply: leq_trans (IH n) _.
by case: h {IH} => // h; rewrite leq_exp2r.
Qed.
(** n^h ≤ (n+h)(n+h−1)⋯(n+1). *)
Lemma exp_ffact n h : n ^ h <= (n + h) ^_ h.
Proof.
elim: h n => [|h IH] n //; rewrite addnS ffactSS expnS leq_mul //.
by apply: leqW; apply: leq_addr.
Qed.
(** C(n,h) ≤ 2^n. *)
Lemma bin_le n h : 'C(n, h) <= 2 ^ n.
Proof.
elim: n h => [|n IH] [|h]; rewrite ?bin0 ?expn_gt0 //.
by rewrite binS expnS mul2n -addnn leq_add.
Qed.
(** h^h ≤ 4^h·h!. *)
Lemma pow_le_fact h : h ^ h <= 4 ^ h * h`!.
Proof.
apply: leq_trans (exp_ffact h h) _; rewrite -bin_ffact leq_mul2r; apply/orP; right.
by apply: leq_trans (bin_le _ _) _; rewrite addnn -mul2n expnM.
Qed.
(** C(N,h)·h^h ≤ (4N)^h. *)
Lemma bin_pow N h : 'C(N, h) * h ^ h <= (4 * N) ^ h.
Proof.
apply: leq_trans (leq_mul (leqnn _) (pow_le_fact h)) _.
by rewrite mulnCA bin_ffact expnMn leq_mul2l ffact_exp orbT.
Qed.

(** (E_ℓ) in a simple form: 16·h ≤ N, 2·h ≤ t and b ≤ t are enough. *)
Lemma cover_simple N h t b : 16 * h <= N -> 2 * h <= t -> b <= t -> 2 ^ b * ('C(N, h) * h ^ t) <= N ^ t.
Proof.
move=> hN ht hb; case: (posnP h) => [h0|h0].
  rewrite h0 bin0 mul1n in hN *; case: (posnP t) => [t0|t0]; last by rewrite exp0n // muln0.
  by move: hb; rewrite t0 leqn0 => /eqP ->.
have [d dt] : exists d, t = h + d by exists (t - h); rewrite subnKC //; apply: leq_trans ht; rewrite leq_pmull.
have hd : h <= d by move: ht; rewrite dt mul2n -addnn leq_add2l.
have : 2 ^ b * ((4 * N) ^ h * h ^ d) <= N ^ t.
  have -> : 2 ^ b * ((4 * N) ^ h * h ^ d) = N ^ h * (2 ^ b * 4 ^ h * h ^ d).
    by rewrite expnMn; move: (4 ^ h) (N ^ h) (2 ^ b) (h ^ d) => q1 q2 q3 q4; mring.
  rewrite dt expnD leq_mul2l; apply/orP; right.
  apply: leq_trans (_ : (16 * h) ^ d <= _); last by case: (d) => // d'; rewrite leq_exp2r.
  rewrite expnMn leq_mul2r; apply/orP; right.
  have -> : 4 = 2 ^ 2 by []. have -> : 16 = 2 ^ 4 by [].
  rewrite -!expnM -expnD leq_exp2l //.
  move: hb hd; rewrite dt; move/leP => hb /leP hd; apply/leP; rewrite -?plusE -?multE in hb hd *; lia.
apply: leq_trans; rewrite leq_mul2l; apply/orP; right.
by rewrite dt expnD mulnA leq_mul2r bin_pow orbT.
Qed.

(** ** The schedule, from the top: a_l = y n_{l+1}..n_{L-1},  n_l = y a_l..a_{L-1};  x_l = 2 a_l *)
Definition prod_a (s : seq (nat * nat)) := foldr (fun p q => p.1 * q) 1 s.
Definition prod_n (s : seq (nat * nat)) := foldr (fun p q => p.2 * q) 1 s.
Fixpoint schedule (y j : nat) : seq (nat * nat) :=
  if j is j'.+1 then let s := schedule y j' in let a := y * prod_n s in (a, y * (a * prod_a s)) :: s else [::].
(** The schedule for j levels has j entries. *)
Lemma size_schedule y j : size (schedule y j) = j. Proof. by elim: j => //= j ->. Qed.
(** All its numbers are positive. *)
Lemma schedule_gt0 y j : 0 < y -> 0 < prod_a (schedule y j) /\ 0 < prod_n (schedule y j).
Proof.
by move=> y0; elim: j => //= j [h1 h2]; rewrite !muln_gt0 y0 h1 h2.
Qed.
(** W is the product of the n's. *)
Lemma queries_schedule y j : queries (map snd (schedule y j)) = prod_n (schedule y j).
Proof. by elim: j => //= j ->. Qed.

(** Ring arithmetic: the next N. *)
Lemma alg1 a n k A : 16 * k * (a * A) * n = 16 * (n * (a * k)) * A.
Proof. by mring. Qed.

(** Two quarters are less than the whole. *)
Lemma alg2 u v w : 4 * u <= w -> 4 * v < w -> u + v < w.
Proof. by move=> /leP h1 /ltP h2; apply/ltP; rewrite -?plusE -?multE in h1 h2 *; lia. Qed.
(** Ring arithmetic: D_2 of Theorem B is that of Theorem A plus 2βak. *)
Lemma alg3 u l b a m W k : u + l + b * (2 * (2 * a) * m + W * k + k + k * (2 * a))
  = u + l + b * (2 * (2 * a) * m + W.+1 * k) + 2 * b * a * k.
Proof. by rewrite mulSn; mring. Qed.

(** Ring arithmetic: N_{L-1} of Theorem B. *)
Lemma alg4 q W A : q ^ 2 * (16 * (q * W) * A * W) = 16 * (q * W * (q * A) * (q * W)).
Proof. by rewrite -mulnn; mring. Qed.
(** Ring arithmetic: N_{L-1} of Theorem A. *)
Lemma alg5 q x A W : q ^ 2 * (16 * x * A * W) = 16 * x * (q * W * (q * A)).
Proof. by rewrite -mulnn; mring. Qed.

Section Sched.
Variables (beta : nat) (Lam : nat -> nat) (emax cmax y : nat).
Hypothesis e1 : 0 < emax.
Hypothesis y8 : 32 <= y.
Hypothesis y1 : 128 * (beta * emax) <= y.
Hypothesis y2 : 8 * (beta * cmax) <= y.
Hypothesis y3 : forall t, t <= emax -> 4 * Lam t < y.
Let y0 : 0 < y. Proof. exact: leq_trans y8. Qed.

(** One step keeps D < k.  n = y * (a * A'), a = y * W', N = 16 k (a A'), T <= c (n W') k *)
Lemma next_D a A' W' n N T k D e c : 0 < W' -> 0 < A' -> a = y * W' -> n = y * (a * A') -> N = 16 * k * (a * A') ->
  T <= c * (n * W') * k -> e <= emax -> c <= cmax -> D < k ->
  2 * a * D + 1 + Lam e + beta * (e * (2 * a) * N + T) + 2 * beta * a * k < n * (a * k).
Proof.
move=> W0 A0 Ea En EN hT he hc hD.
have a0 : 0 < a by rewrite Ea muln_gt0 y0.
have k0 : 0 < k by apply: leq_ltn_trans hD.
set K := n * (a * k).
have hK : y <= K.
  by rewrite /K En -!mulnA leq_pmulr // !muln_gt0 a0 A0 k0.
have t1 : 8 * (2 * a * D + 1) <= K.
  apply: leq_trans (_ : 8 * (2 * a * k) <= _).
    rewrite leq_mul2l /= addn1 ltn_pmul2l ?muln_gt0 //.
  have -> : 8 * (2 * a * k) = 16 * (a * k) by mring.
  rewrite /K leq_mul2r; apply/orP; right.
  rewrite En; apply: leq_trans (_ : y <= _); first exact: leq_trans y8.
  by rewrite leq_pmulr // muln_gt0 a0.
have t2 : 4 * Lam e < K by apply: leq_trans (y3 he) hK.
have t3 : 4 * (beta * (e * (2 * a) * N)) <= K.
  rewrite /K EN En.
  have -> : 4 * (beta * (e * (2 * a) * (16 * k * (a * A')))) = 128 * (beta * e) * ((a * A') * (a * k)) by mring.
  rewrite -(mulnA y) leq_mul2r; apply/orP; right; apply: leq_trans y1.
  by rewrite !leq_mul2l he !orbT.
have t4 : 8 * (beta * T) <= K.
  apply: leq_trans (_ : 8 * (beta * (c * (n * W') * k)) <= _); first by rewrite !leq_mul2l hT !orbT.
  rewrite /K Ea.
  have -> : 8 * (beta * (c * (n * W') * k)) = 8 * (beta * c) * (n * (W' * k)) by mring.
  have -> : n * (y * W' * k) = y * (n * (W' * k)) by mring.
  rewrite leq_mul2r; apply/orP; right; apply: leq_trans y2.
  by rewrite !leq_mul2l hc !orbT.
have t5 : 8 * (2 * beta * a * k) <= K.
  rewrite /K; have -> : 8 * (2 * beta * a * k) = 16 * beta * (a * k) by mring.
  rewrite leq_mul2r; apply/orP; right; rewrite En; apply: leq_trans (_ : y <= _).
    by apply: leq_trans y1; apply: leq_mul => //; rewrite leq_pmulr.
  by rewrite leq_pmulr // muln_gt0 a0.
move: (2 * a * D + 1) (Lam e) (e * (2 * a) * N) (2 * beta * a * k) t1 t2 t3 t4 t5 => u1 u2 u3 u5.
rewrite mulnDr; move: (beta * u3) (beta * T) => v3 v4 /leP t1 /leP t2 /leP t3 /leP t4 /leP t5.
by apply/ltP; rewrite -?plusE -?multE in t1 t2 t3 t4 t5 *; lia.
Qed.

(** One step keeps T ≤ c·W·k, with c three times as large. *)
Lemma next_T a A' W' n N T k c : 0 < W' -> 0 < a -> n = y * (a * A') -> N = 16 * k * (a * A') ->
  T <= c * (n * W') * k -> 0 < c -> 2 * a * (N + T) <= 3 * c * W' * (n * (a * k)).
Proof.
move=> W0 a0 En EN hT c0; rewrite mulnDr.
have h1 : 2 * a * T <= 2 * (c * W' * (n * (a * k))).
  apply: leq_trans (_ : 2 * a * (c * (n * W') * k) <= _); first by rewrite leq_mul2l hT orbT.
  by apply: eq_leq; mring.
have h2 : 2 * a * N <= c * W' * (n * (a * k)).
  apply: leq_trans (_ : n * (a * k) <= _); last by rewrite leq_pmull // muln_gt0 c0.
  rewrite EN En; have -> : 2 * a * (16 * k * (a * A')) = 32 * (a * A' * (a * k)) by mring.
  by rewrite -(mulnA y) leq_mul2r y8 orbT.
apply: leq_trans (leq_add h2 h1) _; apply: eq_leq; mring.
Qed.

(** Under D < k and 16 a k <= N the inequality (E) holds with x = 2 a, th = a k. *)
Lemma cover_at_level a N k D : 0 < a -> D < k -> 16 * (a * k) <= N ->
  (a * k <= N) && (2 ^ (1 + 2 * a * D) * ('C(N, (a * k).-1) * (a * k).-1 ^ (2 * a * k)) <= N ^ (2 * a * k)).
Proof.
move=> a0 hD hN; apply/andP; split; first by apply: leq_trans hN; rewrite leq_pmull.
apply: cover_simple.
- by apply: leq_trans hN; rewrite leq_mul2l leq_pred orbT.
- by rewrite -mulnA leq_mul2l /= leq_pred.
by rewrite add1n ltn_pmul2l // muln_gt0.
Qed.

(** 5.4: with D < k, N = 16·k·Πa and T ≤ c·W·k all inequalities hold from here to the end. *)
Lemma schedule_levels j e D T k N c : e + j <= emax.+1 -> c * 3 ^ j <= cmax -> 0 < c -> D < k ->
  N = 16 * k * prod_a (schedule y j) -> T <= c * prod_n (schedule y j) * k ->
  exists cs, levels beta Lam e D T k N (map snd (schedule y j)) cs.
Proof.
elim: j e D T k N c => [|j IH] e D T k N c he hc c0 hD EN hT.
  exists [::] => /=; have k0 : 0 < k by apply: leq_ltn_trans hD.
  apply: leq_trans (_ : 2 ^ k <= _); first by rewrite ltn_exp2l.
  by rewrite leq_exp2r // EN muln1; apply: leq_trans (_ : 16 * 1 <= _); rewrite // leq_mul2l k0.
move: EN hT; rewrite [schedule y j.+1]/=; set s := schedule y j; set a := y * prod_n s; set n := y * (a * prod_a s).
have [A0 W0] := schedule_gt0 j y0; rewrite -/s in A0 W0.
rewrite [prod_a _]/= [prod_n _]/= => EN hT.
have a0 : 0 < a by rewrite muln_gt0 y0.
have k0 : 0 < k by apply: leq_ltn_trans hD.
have he' : e <= emax by move: he; rewrite addnS ltnS; apply: leq_trans; apply: leq_addr.
have hc' : c <= cmax by apply: leq_trans hc; rewrite leq_pmulr // expn_gt0.
have hNN : 16 * (a * k) <= N by rewrite EN -mulnA leq_mul2l /= mulnCA mulnA leq_pmulr.
have [||||||cs h] := IH e.+1 (2 * a * D + 1 + Lam e + beta * (e * (2 * a) * N + T)) (2 * a * (N + T)) (n * (a * k))
  (N * n) (3 * c).
- by rewrite addSnnS.
- by apply: leq_trans hc; rewrite expnS mulnCA mulnA mulnC.
- by rewrite muln_gt0.
- apply: leq_ltn_trans (next_D W0 A0 erefl erefl EN hT he' hc' hD); exact: leq_addr.
- by rewrite EN; apply: alg1.
- by apply: (next_T W0 a0 erefl EN hT c0).
exists ((2 * a, a * k) :: cs); apply/andP; split; first exact: cover_at_level.
exact: h.
Qed.
End Sched.

(** ** The golden schedule: sizes are powers of y with Fibonacci exponents (THEORY 5.4) *)
(** F_{n+2} = F_{n+1} + F_n. *)
Lemma fibSS n : fib n.+2 = fib n.+1 + fib n. Proof. by []. Qed.
(** F_n > 0 for n ≥ 1. *)
Lemma fib_gt0 n : 0 < fib n.+1. Proof. by elim: n => // n IH; rewrite fibSS addn_gt0 IH. Qed.
(** y·Πa = y^{F_{2j+1}}, y·Πn = y^{F_{2j+2}}. *)
Lemma schedule_fib y j : y * prod_a (schedule y j) = y ^ fib (2 * j).+1 /\ y * prod_n (schedule y j) = y ^ fib (2 *
  j).+2.
Proof.
elim: j => [|j [hA hN]]; first by rewrite /= !muln1.
rewrite [schedule _ _]/=; move: hA hN; set A := prod_a _; set W := prod_n _ => hA hN.
rewrite [prod_a _]/= [prod_n _]/= -/A -/W.
have -> : 2 * j.+1 = (2 * j).+2 by rewrite mulnS.
have E3 : fib (2 * j).+3 = fib (2 * j).+2 + fib (2 * j).+1 := fibSS _.
have E4 : fib (2 * j).+4 = fib (2 * j).+3 + fib (2 * j).+2 := fibSS _.
move: (fib (2 * j).+1) (fib (2 * j).+2) (fib (2 * j).+3) (fib (2 * j).+4) E3 E4 hA hN => p1 p2 p3 p4 -> -> hA hN.
rewrite !expnD -hA -hN; clearbody A W; split; mring.
Qed.

(** N_{L-1} = m·W. *)
Lemma last_sizeE m ns : last_size m ns = m * queries ns.
Proof. by elim: ns m => [|n ns IH] m /=; rewrite ?muln1 // IH -mulnA. Qed.
(** If all n_ℓ ≥ 2 the tables together are at most twice as long as the last. *)
Lemma sizes_last_size m ns : all (leq 2) ns -> sumn (sizes m ns) + m <= 2 * last_size m ns.
Proof.
elim: ns m => [|n ns IH] m /=; first by rewrite addn0 mul2n -addnn.
case/andP => hn /(IH (m * n)); apply: leq_trans; rewrite addnC addnA addnC leq_add2l addnn -muln2.
by rewrite leq_mul2l hn orbT.
Qed.
(** All n_ℓ of the schedule are at least 2. *)
Lemma schedule_ge2 y j : 1 < y -> all (leq 2) (map snd (schedule y j)).
Proof.
move=> y2; have y0 : 0 < y by apply: ltnW.
elim: j => //= j ->; rewrite andbT; have [A0 W0] := schedule_gt0 j y0.
by apply: leq_trans y2 _; rewrite leq_pmulr // !muln_gt0 y0 A0 W0.
Qed.

Section Exists.
Variables (beta : nat) (Lam : nat -> nat) (L : nat).
Let emax := L + 4.
Let cmax := 6 * 3 ^ L.
Notation y := (golden_base beta Lam L).
(** What the schedule asks of y. *)
Lemma golden_baseP : [/\ 0 < emax, 32 <= y, 128 * (beta * emax) <= y, 8 * (beta * cmax) <= y
  & forall t, t <= emax -> 4 * Lam t < y].
Proof.
have e0 : 0 < emax by rewrite /emax addn_gt0 orbT.
have hs t : t <= emax -> Lam t <= \sum_(t < emax.+1) Lam t.
  by move=> ht; rewrite (bigD1 (Ordinal (ht : t < emax.+1))) //= leq_addr.
have assoc a b c d : a + b + c + d = a + (b + (c + d)) by rewrite !addnA.
have E : y = 32 + (128 * (beta * emax) + (8 * (beta * cmax) + (4 * \sum_(t < emax.+1) Lam t).+1)) := assoc _ _ _ _.
move: (128 * _) (8 * _) E => u v E; split=> //; rewrite E.
- by rewrite addnCA; apply: leq_addr.
- by rewrite addnA addnCA; apply: leq_addr.
move=> t /hs ht; rewrite addnA addnA; apply: leq_trans (leq_addl _ _); by rewrite ltnS leq_mul2l.
Qed.

(** Theorem A, golden: N_{L-1} = 16 (Lam 0 + 1) y^(F_{2L+1} - 2) for L = size ns + 1 (written with one y on each
  side). *)
Theorem goldenA : exists m ns x0 cs, [/\ size ns = L, hardA beta Lam m ns x0 cs,
  y ^ 2 * last_size m ns = 16 * (Lam 0).+1 * y ^ fib (2 * L).+3 & sumn (sizes m ns) <= 2 * last_size m ns].
Proof.
have [e1 y8 y1 y2 y3] := golden_baseP; have y0 : 0 < y by apply: leq_trans y8.
have [A0 W0] := schedule_gt0 L y0; set x0 := (Lam 0).+1.
have [||||||cs h] := @schedule_levels beta Lam emax cmax y e1 y8 y1 y2 y3 L 1 (Lam 0)
  ((prod_n (schedule y L)).+1 * x0) x0 (16 * x0 * prod_a (schedule y L)) 2.
- by rewrite add1n ltnS /emax leq_addr.
- by rewrite /cmax leq_mul2r orbT.
- by [].
- by [].
- by [].
- by rewrite leq_mul2r -addn1 mul2n -addnn leq_add2l W0 orbT.
exists (16 * x0 * prod_a (schedule y L)), (map snd (schedule y L)), x0, cs; split.
- by rewrite size_map size_schedule.
- apply/andP; split; first by rewrite mulnAC leq_pmull // muln_gt0.
  by rewrite queries_schedule.
- rewrite last_sizeE queries_schedule; have [hA hN] := schedule_fib y L; have := fibSS (2 * L).+1.
  move: (fib (2 * L).+1) (fib (2 * L).+2) (fib (2 * L).+3) hA hN => p1 p2 p3 hA hN ->.
  rewrite expnD -hA -hN; exact: alg5.
by apply: leq_trans (leq_addr _ _) (sizes_last_size _ _); apply: schedule_ge2; apply: leq_trans y8.
Qed.

(** Theorem B, golden, L = size ns + 1 >= 2: N_{L-1} = 16 y^(F_{2L+2} - 2). *)
Theorem goldenB : exists m ns x0 x1 th1 cs, [/\ size ns = L.+1, hardB beta Lam m ns x0 x1 th1 cs,
  y ^ 2 * last_size m ns = 16 * y ^ fib (2 * L.+1).+4 & sumn (sizes m ns) <= 2 * last_size m ns].
Proof.
have [e1 y8 y1 y2 y3] := golden_baseP; have y0 : 0 < y by apply: leq_trans y8.
have [A0 W0] := schedule_gt0 L y0; set s := schedule y L in A0 W0.
pose a := y * prod_n s; pose n := y * (a * prod_a s); pose W := n * prod_n s; pose k := y * W.
pose m := 16 * k * (a * prod_a s); pose D1 := beta * W + Lam 1.
have a0 : 0 < a by rewrite muln_gt0 y0.
have n0 : 0 < n by rewrite /n muln_gt0 y0 muln_gt0 a0.
have W00 : 0 < W by rewrite /W muln_gt0 n0.
have hD : D1 < k.
  have h1 : 4 * (beta * W) <= k.
    rewrite mulnA leq_mul2r; apply/orP; right; apply: leq_trans y1.
    by apply: leq_mul => //; rewrite leq_pmulr.
  have h2 : 4 * Lam 1 < k by apply: leq_trans (y3 1 e1) _; rewrite leq_pmulr.
  exact: alg2 h1 h2.
have hT : W.+1 * k <= 2 * (n * prod_n s) * k.
  by rewrite leq_mul2r -/W -addn1 mul2n -addnn leq_add2l W00 orbT.
have he : 2 <= emax by rewrite /emax addnC.
have hc : 2 <= cmax by rewrite /cmax; apply: leq_trans (_ : 6 * 1 <= _) => //; rewrite leq_mul2l expn_gt0.
have nD := next_D e1 y8 y1 y2 y3 W0 A0 (erefl a) (erefl n) (erefl m) hT he hc hD.
have nT := next_T y8 W0 a0 (erefl n) (erefl m) hT (isT : 0 < 2).
have hm : 16 * (a * k) <= m by rewrite /m -mulnA leq_mul2l /= mulnCA mulnA leq_pmulr.
have [||||||cs h] := @schedule_levels beta Lam emax cmax y e1 y8 y1 y2 y3 L 3
  (2 * a * D1 + 1 + Lam 2 + beta * (2 * (2 * a) * m + W * k + k + k * (2 * a)))
  (2 * a * (m + W.+1 * k)) (n * (a * k)) (m * n) 6.
- by apply: leqW; rewrite addnC /emax leq_add2l.
- by [].
- by [].
- by apply: leq_ltn_trans nD; apply: eq_leq; apply: alg3.
- by rewrite /m; apply: alg1.
- by [].
have EW : queries (n :: map snd s) = W by rewrite /= -/(queries _) queries_schedule.
exists m, (n :: map snd s), k, (2 * a), (a * k), cs; split.
- by rewrite /= size_map size_schedule.
- have /andP[hE1 hE2] := cover_at_level a0 hD hm.
  rewrite /hardB EW; apply/and4P; split=> //.
  by apply: leq_trans hm; apply: leq_trans (leq_pmull _ _); rewrite // leq_pmull.
- rewrite last_sizeE EW; have [hA hN] := schedule_fib y L.+1.
  have := fibSS (2 * L.+1).+1; have := fibSS (2 * L.+1).+2; move: hA hN.
  move: (fib (2 * L.+1).+1) (fib (2 * L.+1).+2) (fib (2 * L.+1).+3) (fib (2 * L.+1).+4) => p1 p2 p3 p4 hA hN -> ->.
  rewrite !expnD -hA -hN; exact: alg4.
by apply: leq_trans (leq_addr _ _) (sizes_last_size _ _); apply: (@schedule_ge2 y L.+1); apply: leq_trans y8.
Qed.
End Exists.
