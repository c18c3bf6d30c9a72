(** What CeilingChecker.v accepts are shares of SharperDefinitions.v and the inequalities of Theorem E. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions AverageDefinitions Counting Knowledge Binary Decide TheoremETwo TheoremESpread
  Enclosures EnclosuresSound CeilingChecker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.
Local Arguments N.mul : simpl never.
Local Arguments N.add : simpl never.
Local Arguments N.of_nat : simpl never.

(** ⌊a/b⌋. *)
Lemma toDiv a b : nn (N.div a b) = nn a %/ nn b.
Proof.
case: (N.eqb_spec b 0) => [->|b0]; first by case: a.
have := N.div_mod a b b0; have := N.mod_lt a b b0; move: (N.div _ _) (N.modulo _ _) => d r lt E.
have r_b : nn r < nn b by apply/ltP; lia.
by rewrite E toD toM mulnC divnMDl ?divn_small ?addn0 //; apply: leq_ltn_trans r_b.
Qed.
(** Σ a/c over the product of all c, which are not 0. *)
Lemma added_gt0 shares : all (fun s => N.ltb 0 s.2) shares -> 0 < nn (added shares).2.
Proof. by elim: shares => //= s r IH /andP[/toLt s0 /IH r0]; rewrite toM muln_gt0 s0. Qed.
(** A share below the ceiling. *)
Lemma share_below R I a c num den : 0 < c -> c * R <= a * I -> den * a <= num * c -> den * R <= num * I.
Proof.
move=> c0 h1 h2; rewrite -(leq_pmul2l c0) mulnCA; apply: leq_trans (leq_mul (leqnn den) h1) _.
by rewrite mulnA [c * _]mulnA [c * num]mulnC leq_mul2r h2 orbT.
Qed.

Section Digits.
Variable q : nat.
Local Notation Q := (2 ^ q).

(** closed_share from logarithms. *)
Lemma share_by_logarithms g h a c K hc hg hr la lr lh :
  K * Q + (c * hc + (a * hg + (c - a) * hr)) <= a * la + ((c - a) * lr + c * lh) ->
  c ^ Q <= 2 ^ hc -> g ^ Q <= 2 ^ hg -> (h - g) ^ Q <= 2 ^ hr -> 2 ^ la <= a ^ Q -> 2 ^ lr <= (c - a) ^ Q -> 2 ^ lh <= h ^ Q ->
  2 ^ K * (c ^ c * (g ^ a * (h - g) ^ (c - a))) <= a ^ a * (c - a) ^ (c - a) * h ^ c.
Proof.
move=> le h1 h2 h3 h4 h5 h6; have raise j u v : u <= v -> u ^ j <= v ^ j by case: j => // j uv; rewrite leq_exp2r.
have flip u v : (u ^ v) ^ Q = (u ^ Q) ^ v by rewrite -!expnM mulnC.
rewrite -(@leq_exp2r _ _ Q) ?expn_gt0 // !expnMn !(flip c) !(flip g) !(flip (h - g)) !(flip a) !(flip (c - a)) !(flip h) -expnM.
apply: leq_trans (leq_mul (leqnn _) (leq_mul (raise c _ _ h1) (leq_mul (raise a _ _ h2) (raise (c - a) _ _ h3)))) _.
apply: leq_trans (leq_mul (leq_mul (raise a _ _ h4) (raise (c - a) _ _ h5)) (raise c _ _ h6)).
rewrite -!expnM -!expnD leq_exp2l // ![hc * _]mulnC ![hg * _]mulnC ![hr * _]mulnC ![la * _]mulnC ![lr * _]mulnC ![lh * _]mulnC.
by rewrite -addnA.
Qed.
(** What check_share accepts. *)
Lemma check_shareP g h n bits a c : check_share q g h n bits a c -> exists K, closed_share (nn g) (nn h) (nn n) (nn bits) (nn a) (nn c) K.
Proof.
case/and5P => /toLt g0 /toLt ac /toLt; rewrite !toM => above /toLe; rewrite !toM => hK /andP[/and4P[la lr lh _]].
set K := N.div _ _ in hK *; have ok := exactly_ok; have hu := ok (unit_bits q); rewrite unit_bits_value in hu.
have part x y := times_ok (ok x) (ok y).
move/(at_mostP (plus_ok (times_ok (ok K) hu) (plus_ok (part _ _) (plus_ok (part _ _) (part _ _)))) (plus_ok (part _ _) (plus_ok (part _ _) (part _ _)))).
have rest : nn (N.sub c a) = nn c - nn a by rewrite toB.
rewrite rest => le; exists (nn K); apply/and5P; split=> //; first exact: ltnW.
have ha := log_of_lowP q (ok a) la; have hr := log_of_lowP q (ok (N.sub c a)) lr; have hh := log_of_lowP q (ok h) lh.
have hc := log_of_highP q (ok c); have hg := log_of_highP q (ok g); have ho := log_of_highP q (ok (N.sub h g)).
rewrite rest in hr; rewrite toB in ho; exact: share_by_logarithms le hc hg ho ha hr hh.
Qed.
(** What check_term accepts. *)
Lemma check_termP g h n bits a c : check_term q g h n bits a c -> exists K, share_bound (nn g) (nn h) (nn n) (nn bits) (nn a) (nn c) K.
Proof.
case/orP => [/check_shareP[K hK]|/and3P[/toLt g0 /N.eqb_spec -> /toLe]]; first by exists K; rewrite /share_bound hK.
by rewrite !toM => le; exists 0; rewrite /share_bound g0 le orbT.
Qed.
(** A closed share of one of N is a closed bound. *)
Lemma closed_of_share N lam a c K : closed_share 1 N N lam a c K -> closed_bound N lam a c K.
Proof. by rewrite /closed_share /closed_bound muln1 exp1n mul1n subn1. Qed.

(** A term of E with another denominator, as long as values may be drawn twice. *)
Lemma check_drawsP t g h n bits a c M : 0 < M -> N.leb t 1 || check_term q g h n bits a c ->
  exists K, (nn t <= 1) || share_bound (nn g) (nn h) (nn n) (nn bits) (nn a * M) (nn c * M) K.
Proof.
move=> M0 /orP[/toLe t1|/check_termP[K hK]]; first by exists 0; rewrite t1.
by exists (K * M); rewrite (share_scale M0 hK) orbT.
Qed.
(** What check_levels accepts. *)
Lemma check_levelsP beta (lam : nat -> N) W ns : forall e known D T Tv B t size xs shares M, 0 < M -> nn known = \sum_(i < e.+2) nn (lam i) ->
  all (fun s => N.ltb 0 s.2) shares -> check_levels q beta lam W e known D T Tv B t size ns xs shares ->
  exists cs last, levels_average (M * nn (added shares).2) (nn beta) (fun i => nn (lam i)) (nn W) e (nn D) (nn T) (nn Tv) (nn B) (nn t)
    (nn size) (map nn ns) cs last /\ added_shares cs + last.1 = M * nn (added shares).1.
Proof.
elim: ns => [|n ns IH] e known D T Tv B t size [|x xs] [|[a c] shares] M M0 sum //=.
  case: shares => // _ /andP[/toLt size1 /check_termP[K hK]]; exists [::], (nn a * M, K * M).
  by rewrite !(toM, toD) /= !muln1 addn0 size1 [M * _]mulnC (share_scale M0 hK) add0n mulnC.
case/andP=> /toLt c0 pos /and3P[/toLt x0 few rest].
have r0 := added_gt0 pos; have sum' : nn (known + lam e.+2)%num = \sum_(i < e.+3) nn (lam i) by rewrite toD sum [RHS]big_ord_recr.
have M0' : 0 < M * nn c by rewrite muln_gt0 M0.
have [cs [last [levels total]]] := IH _ _ _ _ _ _ _ _ _ shares _ M0' sum' pos rest.
have M1 : 0 < M * nn (added shares).2 by rewrite muln_gt0 M0.
have [K hK] := check_drawsP M1 few.
exists ((nn x, (nn a * (M * nn (added shares).2), K)) :: cs), last; split.
  rewrite !(toM, toD, toP, Nat2N.id, sum) in hK levels *; rewrite /= x0.
  rewrite [nn c * (M * _)]mulnCA in hK; rewrite -[M * nn c * _]mulnA in levels; rewrite hK; exact: levels.
have -> : added_shares ((nn x, (nn a * (M * nn (added shares).2), K)) :: cs) = nn a * (M * nn (added shares).2) + added_shares cs by [].
by rewrite -addnA total !(toM, toD); mring.
Qed.

(** What check_delayed accepts. *)
Lemma check_delayedP (many : bool) beta (lam : nat -> N) m ns xs shares : all (fun s => N.ltb 0 s.2) shares ->
  check_delayed q many beta lam m ns xs shares -> exists x0 x1 a1 K1 cs last,
  (if many then averageB_spread else averageA_spread) (nn (added shares).2) (nn beta) (fun i => nn (lam i)) (nn m) (map nn ns) x0 x1 a1 K1 cs last
  /\ a1 + added_shares cs + last.1 = nn (added shares).1.
Proof.
case: ns xs shares => [|n ns] [|x0 [|x1 xs]] [|[a c] shares] //= /andP[/toLt c0 pos] /and5P[/toLt x00 /toLe x0m /toLt x10 few rest].
have r0 := added_gt0 pos; have [K hK] := check_drawsP r0 few; rewrite !(toM, toP, toDiv) in hK.
have two : \sum_(i < 2) nn (lam i) = nn (lam 0 + lam 1)%num by rewrite toD !big_ord_recl big_ord0 addn0.
have three : \sum_(i < 3) nn (lam i) = nn (lam 0 + lam 1 + lam 2)%num by rewrite toD big_ord_recr two.
have room cs (last : nat * nat) : added_shares cs + last.1 = nn c * nn (added shares).1 ->
    nn a * nn (added shares).2 + added_shares cs + last.1 = nn (a * (added shares).2 + (added shares).1 * c)%num.
  by move=> E; rewrite -addnA E !(toM, toD) [nn c * _]mulnC.
case: many few rest hK => _ rest hK.
  have [cs [last [levels total]]] := check_levelsP c0 (esym three) pos rest.
  exists (nn x0), (nn x1), (nn a * nn (added shares).2), K, cs, last; split; last exact: room total.
  rewrite !(toM, toD) in levels hK *; rewrite /averageB_spread /first_spread /= x00 x0m x10 toQ levels andbT; exact: hK.
have [cs [last [levels total]]] := check_levelsP c0 (esym two) pos rest.
exists (nn x0), (nn x1), (nn a * nn (added shares).2), K, cs, last; split; last exact: room total.
have zero : (nn (lam 0) == 0) = N.eqb (lam 0) 0.
  by case: N.eqb_spec => [-> //|l0]; apply/eqP => e; apply: l0; apply: N2Nat.inj.
rewrite /averageA_spread /first_spread /= x00 x0m x10 toQ zero; rewrite !(toM, toD) in levels hK *.
by case: N.eqb levels => levels; rewrite ?toM in levels; rewrite levels andbT; exact: hK.
Qed.
(** E with delayed charges. *)
Lemma check_delayed_sound (many : bool) beta (lam : nat -> N) m ns xs shares (md : model) :
  message_bits md (nn beta) -> block_bits md (fun i => nn (lam i)) ->
  (if many then number_full md <= (size ns).+1 /\ no_early_rec md else number_full md <= size ns) ->
  all (fun s => N.ltb 0 s.2) shares -> check_delayed q many beta lam m ns xs shares ->
  nn (added shares).2 * right_inputs (nn m) (map nn ns) md <= nn (added shares).1 * size (all_inputs (nn m) (map nn ns)).
Proof.
move=> hb hl hF pos /(check_delayedP pos)[x0 [x1 [a1 [K1 [cs [last [holds <-]]]]]]]; rewrite -(size_map nn) in hF.
case: many hF holds => [[hF hR]|hF] holds; first exact: E_B_spread hb hl hF hR holds.
exact: E_A_spread hb hl hF holds.
Qed.
(** E with the late charge of two tables. *)
Lemma check_late_sound beta (lam : nat -> N) m ns xs shares (md : model) :
  message_bits md (nn beta) -> block_bits md (fun i => nn (lam i)) -> number_full md <= 1 ->
  all (fun s => N.ltb 0 s.2) shares -> check_late q beta lam m ns xs shares ->
  nn (added shares).2 * right_inputs (nn m) (map nn ns) md <= nn (added shares).1 * size (all_inputs (nn m) (map nn ns)).
Proof.
move=> hb hl hF.
case: ns xs shares => [|n [|]] // [|x0 [|x1 [|]]] // [|[a0 c0] [|[a c] [|]]] //= /and3P[/toLt c00 /toLt c1 _].
case/and5P=> /N.eqb_spec l0 /toLt x00 /toLt x10 /toLe; rewrite toM => fit /andP[/toLe first /check_shareP[K]].
rewrite !(toM, toD, toP) in first * => share.
have l0' : nn (lam 0) = 0 by rewrite l0.
have := E_two hb hl hF l0' x00 x10 fit share.
have fewer : nn c0 * (nn x1 * (nn x0).-1) <= nn a0 * (2 * nn m).
  apply: leq_trans first; rewrite leq_mul2l; apply/orP; right; move: x00 x10.
  case: (nn x0) (nn x1) => // i [|j] // _ _; have -> : i.+1 * j.+1 = (j.+1 * i + j).+1 by rewrite mulSnr addnS mulnC.
  exact: leq_addr.
have big : 0 < 2 * nn m * nn c by rewrite !muln_gt0 c1 (leq_trans _ fit) // muln_gt0 x00.
move=> most; apply: (share_below big most); move: fewer; move: (nn x1 * _) => d; rewrite !muln1 mul0n addn0.
move: (nn c0) (nn c) (nn a0) (nn a) (nn m) => C0 C A0 A M le.
apply: leq_trans (_ : C0 * C * (2 * M * A) + C * C * (C0 * d) <= _); first by apply: eq_leq; mring.
by apply: leq_trans (leq_add (leqnn _) (leq_mul (leqnn (C * C)) le)) _; apply: eq_leq; mring.
Qed.
End Digits.
