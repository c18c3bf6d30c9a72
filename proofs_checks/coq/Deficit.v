(** Laws that are not uniform, by counting (theory 5.7, E): weights q on pairs (hidden part u, what is known v), and how many bits
    they miss. `deficit q D` says that the entropy of the law is at least log2 of the number of pairs, less D; with AM–GM alone, and
    no logarithm. Copies that are drawn from the posterior miss x·D bits, a message of c bits c more, and a count that is
    seldom large under the uniform law is not much larger under one that misses few bits. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts RelativeEntropy NestedBound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Gibbs' inequality for two outcomes. *)
Lemma gibbs_two a b g h : a <= b -> g <= h -> b ^ b * (g ^ a * (h - g) ^ (b - a)) <= a ^ a * (b - a) ^ (b - a) * h ^ b.
Proof.
move=> ab gh; have := mean_weighted (fun x : bool => if x then a else b - a) (fun x => if x then g else h - g).
by rewrite !big_bool /= !subnKC // mulnC.
Qed.

(** * 1. Weights *)
Section Weights.
Variables (U V : finType) (q : U -> V -> nat).
(** All weights; Σ q·log q as a power; the bits that are missing. *)
Definition total : nat := \sum_u \sum_v q u v.
Definition self_power : nat := \prod_u \prod_v q u v ^ q u v.
Definition deficit (D : nat) : Prop := self_power * (#|U| * #|V|) ^ total <= 2 ^ (D * total) * total ^ total.

(** The log-sum inequality: (Π L^q)·Q^Q ≤ (Π q^q)·(Σ L)^Q. *)
Lemma log_sum (L : U -> V -> nat) :
  (\prod_u \prod_v L u v ^ q u v) * total ^ total <= self_power * (\sum_u \sum_v L u v) ^ total.
Proof.
have := mean_weighted (fun o : U * V => q o.1 o.2) (fun o => L o.1 o.2).
by rewrite /total /self_power !pair_big.
Qed.

(** A count f of at most t, whose values are seldom large under the uniform law (its tilted mean is at most that of t tosses of
    probability g/h), is on average at most a/b of t. *)
Lemma tilt D (f : U -> V -> nat) t g h a b K : deficit D -> (forall u v, f u v <= t) ->
  (forall c d, g < h -> d <= c -> (\sum_u \sum_v c ^ f u v * d ^ (t - f u v)) * h ^ t <= #|U| * #|V| * ((h - g) * d + g * c) ^ t) ->
  closed_share g h t D a b K -> b * (\sum_u \sum_v q u v * f u v) <= a * (t * total).
Proof.
move=> def ft moment /and5P[g0 ab bg hK hyp].
set M := \sum_u _; have Mt : M <= t * total.
  rewrite big_distrr; apply: leq_sum => u _; rewrite big_distrr; apply: leq_sum => v _ /=.
  by rewrite mulnC leq_mul2r ft orbT.
have [ab1|ab1] := eqVneq a b; first by rewrite ab1 leq_mul2l Mt orbT.
case: (posnP total) => [z|Q0]; first by move: Mt; rewrite z muln0 leqn0 => /eqP ->; rewrite muln0.
have O0 : 0 < #|U| * #|V|.
  rewrite lt0n; apply/eqP => z; move: Q0; rewrite /total pair_big big1 // => -[u v] _.
  by have := card_prod U V; rewrite z => /card0_eq/(_ (u, v)).
have h0 : 0 < h by case: (h) bg => //; rewrite muln0.
have gh : g < h by rewrite -(@ltn_pmul2l b) ?(leq_trans _ ab) ?(leq_trans bg) // ?leq_mul2r ?ab ?orbT //; case: (a) bg.
pose c := a * (h - g); pose d := (b - a) * g; pose w := b * (g * (h - g)).
have d0 : 0 < d by rewrite muln_gt0 subn_gt0 ltn_neqAle ab1 ab.
have dc : d < c by rewrite -(ltn_add2r (a * g)) /d /c -mulnDl subnK // -mulnDr subnK // ltnW.
have wE : (h - g) * d + g * c = w.
  by rewrite /c /d /w -[X in _ = X * _](subnK ab); move: (b - a) (h - g) => x y; mring.
apply: (@compare_shares h t total M c d w a b K D h0 d0 dc ab Mt hK); last first.
  have := leq_mul hyp (leqnn (g ^ (b - a) * (h - g) ^ a)).
  have pg : g ^ a * g ^ (b - a) = g ^ b by rewrite -expnD subnKC.
  have ph : (h - g) ^ (b - a) * (h - g) ^ a = (h - g) ^ b by rewrite -expnD subnK.
  rewrite /w /c /d !expnMn -pg -ph; move: (2 ^ K) (b ^ b) (g ^ a) (g ^ (b - a)) ((h - g) ^ (b - a)) ((h - g) ^ a) => k B x y z s.
  move: (a ^ a) ((b - a) ^ (b - a)) (h ^ b) => p r e le1.
  apply: leq_trans (_ : k * (B * (x * z)) * (y * s) <= _); first by apply: eq_leq; mring.
  by apply: leq_trans le1 _; apply: eq_leq; mring.
have := log_sum (fun u v => c ^ f u v * d ^ (t - f u v)).
have -> : \prod_u \prod_v (c ^ f u v * d ^ (t - f u v)) ^ q u v = c ^ M * d ^ (t * total - M).
  have -> : t * total - M = \sum_u \sum_v q u v * (t - f u v).
    rewrite /total /M big_distrr -sumnB; last by move=> u _; rewrite big_distrr; apply: leq_sum => v _ /=; rewrite mulnC leq_mul2r ft orbT.
    apply: eq_bigr => u _; rewrite big_distrr -sumnB; last by move=> v _ /=; rewrite mulnC leq_mul2r ft orbT.
    by apply: eq_bigr => v _ /=; rewrite mulnBr (mulnC t).
  rewrite /M !expn_sum -big_split; apply: eq_bigr => u _; rewrite !expn_sum -big_split; apply: eq_bigr => v _ /=.
  by rewrite expnMn -!expnM !(mulnC (q u v)).
move: def (moment c d gh (ltnW dc)); rewrite /deficit wE.
set L := \sum_u _; move: (c ^ M * _) L => x L; move: self_power (#|U| * #|V|) O0 => s o o0 def mom le.
have QQ : 0 < total ^ total by rewrite expn_gt0 Q0.
have oQ : 0 < o ^ total by rewrite expn_gt0 o0.
rewrite -(leq_pmul2r QQ) -(leq_pmul2r oQ).
have {}mom := exp_mono total mom; move: mom; rewrite !expnMn -!expnM => mom.
apply: leq_trans (_ : x * total ^ total * (h ^ (t * total) * o ^ total) <= _).
  by apply: eq_leq; move: (h ^ _) (total ^ total) (o ^ _) => A B C; mring.
apply: leq_trans (leq_mul le (leqnn _)) _.
apply: leq_trans (_ : s * o ^ total * (L ^ total * h ^ (t * total)) <= _).
  by apply: eq_leq; move: (h ^ _) (L ^ _) (o ^ _) => A B C; mring.
apply: leq_trans (leq_mul def mom) _; apply: eq_leq.
by move: (2 ^ (D * total)) (w ^ (t * total)) (o ^ total) (total ^ total) => A E C B; mring.
Qed.

(** For D = 0 also a/b = g/h: every share above it will do. *)
Lemma tilt_bound D (f : U -> V -> nat) t g h a b K : deficit D -> (forall u v, f u v <= t) ->
  (forall c d, g < h -> d <= c -> (\sum_u \sum_v c ^ f u v * d ^ (t - f u v)) * h ^ t <= #|U| * #|V| * ((h - g) * d + g * c) ^ t) ->
  share_bound g h t D a b K -> b * (\sum_u \sum_v q u v * f u v) <= a * (t * total).
Proof.
move=> def ft moment /orP[|/and3P[g0 /eqP D0 le]]; first exact: tilt.
rewrite D0 in def; case: (leqP b a) => [ba|ab].
  apply: leq_mul => //; rewrite big_distrr; apply: leq_sum => u _; rewrite big_distrr; apply: leq_sum => v _ /=.
  by rewrite mulnC leq_mul2r ft orbT.
have b0 : 0 < b by apply: leq_ltn_trans ab.
have h0 : 0 < h by case: (h) le => //; rewrite muln0 leqn0 muln_eq0 !eqn0Ngt b0 g0.
have gh : g < h by rewrite -(ltn_pmul2l b0); apply: leq_ltn_trans le _; rewrite ltn_pmul2r.
pose c := (t * total).+1; have share : closed_share g h t 0 (c * a).+1 (c * b) 0.
  have le1 : (c * a).+1 <= c * b by rewrite ltn_pmul2l.
  apply/and5P; split=> //; last by rewrite mul1n; apply: gibbs_two => //; apply: ltnW.
    by rewrite -mulnA mulSn -mulnA addnC -addn1 leq_add // leq_mul2l le orbT.
  by rewrite muln0.
have := tilt def ft moment share; set M := \sum_u _ => bound; rewrite leqNgt; apply/negP => lt.
have := leq_trans (leq_mul (leqnn c) lt) (_ : c * (b * M) <= (c * a).+1 * (t * total)); rewrite mulnA => /(_ bound).
by rewrite mulSn mulnS -mulnA leq_add2r ltnn.
Qed.
End Weights.

(** * 2. The uniform law misses nothing *)
Lemma deficit_uniform (U : finType) : deficit (fun (_ : U) (_ : unit) => 1) 0.
Proof.
rewrite /deficit /self_power /total mul0n expn0 mul1n card_unit muln1.
rewrite big1 => [|u _]; last by rewrite big1.
have E (u : U) : \sum_(v : unit) 1 = 1 by rewrite sum1_card card_unit.
rewrite mul1n; have -> : \sum_(u : U) \sum_(v : unit) 1 = #|U| by rewrite -[RHS]sum1_card; apply: eq_bigr => u _; apply: E.
exact: leqnn.
Qed.

(** * 3. A message, a function of all *)
Section Message.
Variables (U V C : finType) (q : U -> V -> nat) (code : U -> V -> C).
Definition told_too (u : U) (vc : V * C) : nat := (code u vc.1 == vc.2) * q u vc.1.
(** A sum over what is known now. *)
Lemma sum_told_too (g : V -> C -> nat) u : \sum_(vc : V * C) told_too u vc * g vc.1 vc.2 = \sum_v q u v * g v (code u v).
Proof.
rewrite /told_too -(pair_big xpredT xpredT (fun v c => (code u v == c) * q u v * g v c)) /=; apply: eq_bigr => v _.
rewrite (bigD1 (code u v)) //= eqxx mul1n big1 ?addn0 // => c; rewrite eq_sym => /negbTE ->; by rewrite !mul0n.
Qed.
(** Telling c bits more changes no total. *)
Lemma total_told_too : total told_too = total q.
Proof.
apply: eq_bigr => u _; have := sum_told_too (fun _ _ => 1) u.
by rewrite (eq_bigr (told_too u)) => [->|vc _]; rewrite ?muln1 //; apply: eq_bigr => v _; rewrite muln1.
Qed.
(** It misses at most its own bits more. *)
Lemma deficit_told_too D c : #|C| <= 2 ^ c -> deficit q D -> deficit told_too (D + c).
Proof.
move=> hC; rewrite /deficit total_told_too => def.
have -> : self_power told_too = self_power q.
  apply: eq_bigr => u _; rewrite /told_too.
  rewrite -(pair_big xpredT xpredT (fun v c => ((code u v == c) * q u v) ^ ((code u v == c) * q u v))) /=; apply: eq_bigr => v _.
  by rewrite (bigD1 (code u v)) //= eqxx mul1n big1 ?muln1 // => c'; rewrite eq_sym => /negbTE ->; rewrite mul0n.
apply: leq_trans (_ : self_power q * (#|U| * #|V|) ^ total q * #|C| ^ total q <= _).
  by rewrite card_prod [#|U| * _]mulnA (expnMn (#|U| * #|V|)) mulnA.
apply: leq_trans (leq_mul def (exp_mono (total q) hC)) _; apply: eq_leq.
by rewrite mulnDl expnD -expnM mulnAC.
Qed.
End Message.
