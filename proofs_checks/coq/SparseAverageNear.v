(** D' averaged over what stands near the query (theory 5.7): own block, window and sinks, of any law that is independent of the blocks.
    The products of SparseAverage.v are multiplied over all of it, and AM–GM is over all of it at once: that is the convexity of D_+. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts TheoremCPrime RelativeEntropy NestedBound SparseAverage.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Near.
Variables (near : finType) (u g B r : nat) (Sg : finType).
Hypotheses (u0 : 0 < u) (Sr : #|Sg| <= 2 ^ r).
Notation content := {ffun 'I_B -> 'I_u}.
Notation contents := {ffun 'I_g -> content}.
Variable summary : 'I_g -> content -> Sg.
(** What is found beside rho: F rho cs x b knows block b by its summary alone. *)
Variable F : near -> contents -> 'I_u -> 'I_g -> bool.
Hypothesis told : forall rho b cs c c' x, summary b c = summary b c' -> F rho (with_block b cs c) x b = F rho (with_block b cs c') x b.
Notation cases := (#|near| * (g * #|contents|)).
Definition false_near : nat := \sum_rho false_found (F rho).
Definition found_near : nat := \sum_rho found (F rho).

(** At most all entries are found. *)
Lemma found_near_le : found_near <= B * cases.
Proof.
apply: leq_trans (_ : \sum_(rho : near) B * (g * #|contents|) <= _); first by apply: leq_sum => rho _; apply: found_le.
by rewrite sum_nat_const mulnCA.
Qed.

Section Weights.
Variables (hi lo : nat).
Hypothesis lh : lo <= hi.
(** All blocks, beside everything that may stand near. *)
Lemma all_near : #|content| ^ cases * \prod_rho \prod_(b < g) \prod_(cs : contents) of_entries (F rho) hi lo cs b
  <= (2 ^ r) ^ cases * (\prod_rho \prod_(b < g) \prod_(cs : contents) of_values (F rho) hi lo cs b) ^ B.
Proof.
have le : \prod_rho (#|content| ^ (g * #|contents|) * \prod_(b < g) \prod_(cs : contents) of_entries (F rho) hi lo cs b)
    <= \prod_rho ((2 ^ r) ^ (g * #|contents|) * (\prod_(b < g) \prod_(cs : contents) of_values (F rho) hi lo cs b) ^ B).
  by apply: leq_prod => rho _; apply: (all_blocks u0 Sr (told rho)).
have pw x : x ^ cases = (x ^ (g * #|contents|)) ^ #|near| by rewrite mulnC expnM.
by move: le; rewrite !pw !big_split /= !prod_nat_const prod_pow.
Qed.
(** The product over all entries. *)
Lemma near_product : \prod_rho \prod_(b < g) \prod_(cs : contents) of_entries (F rho) hi lo cs b
  = hi ^ found_near * lo ^ (B * cases - found_near).
Proof.
under eq_bigr do rewrite entries_product; rewrite big_split /= -!expn_sum; congr (_ * _ ^ _).
by rewrite sumnB => [|rho _]; [rewrite sum_nat_const mulnCA | apply: found_le].
Qed.
(** The mean of what all values weigh. *)
Lemma near_mean H w : 0 < cases ->
  H * (\sum_rho \sum_(b < g) \sum_(cs : contents) of_values (F rho) hi lo cs b) <= cases * (u * w) ->
  H ^ (B * cases) * (hi ^ found_near * lo ^ (B * cases - found_near)) <= 2 ^ (r * cases) * w ^ (B * cases).
Proof.
move=> T0 le; have := mean_all (fun p : near * ('I_g * contents) => of_values (F p.1) hi lo p.2.2 p.2.1); rewrite !card_prod card_ord.
rewrite -(pair_big xpredT xpredT (fun rho p => of_values (F rho) hi lo p.2 p.1)) /= -(pair_bigA _ (fun rho p => of_values (F rho) hi lo p.2 p.1)) /=.
under eq_bigr do rewrite -(pair_big xpredT xpredT (fun b cs => of_values (F _) hi lo cs b)) /=.
under [in X in _ <= X]eq_bigr do rewrite -(pair_bigA _ (fun b cs => of_values (F _) hi lo cs b)) /=.
move=> mean; have V : H ^ cases * \prod_rho \prod_(b < g) \prod_(cs : contents) of_values (F rho) hi lo cs b <= (u * w) ^ cases.
  rewrite -(leq_pmul2l (_ : 0 < cases ^ cases)) ?expn_gt0 ?T0 // mulnCA.
  by apply: leq_trans (leq_mul (leqnn _) mean) _; rewrite -!expnMn; apply: exp_mono.
have {}V := exp_mono B V; rewrite expnMn -!expnM (mulnC cases) in V.
have SE : #|content| ^ cases = u ^ (B * cases) by rewrite card_ffun !card_ord -expnM.
rewrite -(leq_pmul2l (_ : 0 < u ^ (B * cases))) ?expn_gt0 ?u0 // -SE mulnCA -near_product.
apply: leq_trans (leq_mul (leqnn _) all_near) _; rewrite mulnCA -expnM SE [X in _ <= X]mulnCA leq_mul2l; apply/orP; right.
by rewrite -expnMn.
Qed.
(** Of all values what is found by weight. *)
Lemma near_weigh : \sum_rho \sum_(b < g) \sum_(cs : contents) of_values (F rho) hi lo cs b
  = lo * (cases * u) + (hi - lo) * false_near.
Proof.
under eq_bigr do rewrite values_weigh //; rewrite big_split /= sum_nat_const /false_near big_distrr /=; congr (_ + _).
by rewrite mulnCA !mulnA.
Qed.
End Weights.

(** What is found of the entries is at most ⟨G/H; r/B⟩ on average, if it is G/H of all values on average. *)
Lemma found_near_bound G H a b K : H * false_near <= G * (cases * u) -> closed_share G H B r a b K ->
  b * found_near <= a * (B * cases).
Proof.
move=> few /and5P[G0 ab bg hK hyp]; have le := found_near_le.
have [ab1|ab1] := eqVneq a b; first by rewrite ab1 leq_mul2l le orbT.
case: (posnP cases) => [T0|T0]; first by move: le; rewrite T0 muln0 leqn0 => /eqP ->; rewrite muln0.
have H0 : 0 < H by case: (H) bg => //; rewrite muln0.
have gh : G < H by rewrite -(@ltn_pmul2l b) ?(leq_trans _ ab) ?(leq_trans bg) // ?leq_mul2r ?ab ?orbT //; case: (a) bg.
pose hi := a * (H - G); pose lo := (b - a) * G; pose w := b * (G * (H - G)).
have lo0 : 0 < lo by rewrite muln_gt0 subn_gt0 ltn_neqAle ab1 ab.
have lohi : lo < hi by rewrite -(ltn_add2r (a * G)) /lo /hi -mulnDl subnK // -mulnDr subnK // ltnW.
have uvw : H * lo + G * (hi - lo) <= w.
  apply: eq_leq; rewrite mulnBr -{1}(subnK (ltnW gh)) mulnDl -addnA subnKC; last by rewrite leq_mul2l (ltnW lohi) orbT.
  by rewrite /hi /lo /w -[X in _ = X * _](subnK ab); move: (b - a) (H - G) => d e; mring.
have weigh : H * (\sum_rho \sum_(b < g) \sum_cs of_values (F rho) hi lo cs b) <= cases * (u * w).
  rewrite (near_weigh (ltnW lohi)) mulnDr; apply: leq_trans (_ : (cases * u) * (H * lo + G * (hi - lo)) <= _); last first.
    by rewrite -mulnA leq_mul2l leq_mul2l uvw !orbT.
  rewrite mulnDr leq_add //; first by rewrite mulnA mulnC.
  by rewrite mulnCA [X in _ <= X]mulnA [X in _ <= X]mulnC leq_mul2l (mulnC _ G) few orbT.
apply: (compare_shares H0 lo0 lohi ab le hK (near_mean T0 weigh)).
have := leq_mul hyp (leqnn (G ^ (b - a) * (H - G) ^ a)).
have pg : G ^ a * G ^ (b - a) = G ^ b by rewrite -expnD subnKC.
have ph : (H - G) ^ (b - a) * (H - G) ^ a = (H - G) ^ b by rewrite -expnD subnK.
rewrite /w /hi /lo !expnMn -pg -ph; move: (2 ^ K) (b ^ b) (G ^ a) (G ^ (b - a)) ((H - G) ^ (b - a)) ((H - G) ^ a) => k Bb x y z t.
move: (a ^ a) ((b - a) ^ (b - a)) (H ^ b) => p q r' le1.
apply: leq_trans (_ : k * (Bb * (x * z)) * (y * t) <= _); first by apply: eq_leq; mring.
by apply: leq_trans le1 _; apply: eq_leq; mring.
Qed.
End Near.

(** Everything near counted once: the matches that are found beside all of it. *)
Lemma average_near_uniform (near : finType) u g B k r (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : near -> {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g})
    (reply : near -> {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool) G H a b K :
  0 < u -> #|Sg| <= 2 ^ r -> (forall rho told x, #|scorer rho told x| <= k) ->
  let yes rho (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply rho (summaries summary cs) x (opened (scorer rho (summaries summary cs) x) cs) in
  let N := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in
  H * (\sum_rho (k * (N * u) + g * (\sum_cs \sum_(x < u) yes rho cs x))) <= G * (#|near| * (g * N) * u) -> closed_share G H B r a b K ->
  b * (\sum_rho \sum_(b < g) \sum_cs \sum_(j < B) yes rho cs (cs b j)) <= a * (B * (#|near| * (g * N))).
Proof.
move=> u0 Sr few yes N alarms share.
pose F rho (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x (b : 'I_g) := (b \in scorer rho (summaries summary cs) x) || yes rho cs x.
have told rho b' cs c c' x : summary b' c = summary b' c' -> F rho (with_block b' cs c) x b' = F rho (with_block b' cs c') x b'.
  move=> E; have Es : summaries summary (with_block b' cs c) = summaries summary (with_block b' cs c').
    by apply/ffunP => b2; rewrite !ffunE; case: eqP => [->|].
  rewrite /F /yes Es; case bO : (b' \in _) => //=; congr reply; apply/ffunP => b2; rewrite !ffunE.
  by case: ifP => // h; case: eqP => // e; rewrite e bO in h.
have le : false_near F <= \sum_rho (k * (N * u) + g * (\sum_cs \sum_(x < u) yes rho cs x)).
  apply: leq_sum => rho _; rewrite /false_found exchange_big.
  rewrite (_ : k * (N * u) = \sum_(cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) u * k); last by rewrite sum_nat_const mulnC -mulnA.
  rewrite big_distrr -big_split; apply: leq_sum => cs _; rewrite exchange_big /= (_ : u * k = \sum_(x < u) k); last first.
    by rewrite sum_nat_const card_ord.
  rewrite big_distrr -big_split; apply: leq_sum => x _ /=.
  apply: leq_trans (_ : \sum_(b < g) ((b \in scorer rho (summaries summary cs) x) + yes rho cs x) <= _).
    by apply: leq_sum => b2 _; rewrite /F; case: (_ \in _); case: (yes _ _ _).
  by rewrite big_split /= sum_nat_const card_ord leq_add2r -big_mkcond sum1_card.
have bound := found_near_bound u0 Sr told (leq_trans (leq_mul (leqnn H) le) alarms) share.
apply: leq_trans bound; rewrite leq_mul2l; apply/orP; right; apply: leq_sum => rho _.
by apply: leq_sum => b2 _; apply: leq_sum => cs _; apply: leq_sum => j _; rewrite /F; case: (yes _ _ _); rewrite ?orbT.
Qed.

(** A sum over law i copies of each i. *)
Lemma sum_copies (I : finType) (law f : I -> nat) : \sum_(c : {i : I & 'I_(law i)}) f (tag c) = \sum_i law i * f i.
Proof.
rewrite -(@sig_big_dep _ _ addn_comoid I (fun i => [finType of 'I_(law i)]) xpredT (fun _ => xpredT) (fun i _ => f i)) /=.
by apply: eq_bigr => i _; rewrite sum_nat_const card_ord.
Qed.

(** D' on average over what stands near, which has law rho of \sum law chances. *)
Theorem average_near (near : finType) (law : near -> nat) u g B k r (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : near -> {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g})
    (reply : near -> {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool) G H a b K :
  0 < u -> #|Sg| <= 2 ^ r -> (forall rho told x, #|scorer rho told x| <= k) ->
  let yes rho (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply rho (summaries summary cs) x (opened (scorer rho (summaries summary cs) x) cs) in
  let N := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in let chances := \sum_rho law rho in
  H * (k * (chances * N * u) + g * (\sum_rho law rho * \sum_cs \sum_(x < u) yes rho cs x)) <= G * (chances * (g * N) * u) ->
  closed_share G H B r a b K ->
  b * (\sum_rho law rho * \sum_(b < g) \sum_cs \sum_(j < B) yes rho cs (cs b j)) <= a * (B * (chances * (g * N))).
Proof.
move=> u0 Sr few yes N chances alarms share; pose copy := {rho : near & 'I_(law rho)}.
have all_copies : #|{: copy}| = chances by rewrite -sum1_card (sum_copies law (fun=> 1)); apply: eq_bigr => rho _; rewrite muln1.
have := @average_near_uniform [finType of copy] u g B k r Sg summary (fun c => scorer (tag c)) (fun c => reply (tag c)) G H a b K
  u0 Sr (fun c => few (tag c)).
rewrite /= all_copies (sum_copies law (fun rho => \sum_(b < g) \sum_cs \sum_(j < B) yes rho cs (cs b j))); apply=> //.
rewrite (sum_copies law (fun rho => k * (N * u) + g * (\sum_cs \sum_(x < u) yes rho cs x))).
apply: leq_trans alarms; rewrite leq_mul2l; apply/orP; right; apply: eq_leq; under eq_bigr do rewrite mulnDr.
rewrite big_split /= -big_distrl /= -/chances; congr (_ + _); first by rewrite mulnCA (mulnA chances).
by rewrite big_distrr; apply: eq_bigr => rho _; rewrite mulnCA.
Qed.

(** D' with what stands near fixed: the matches that a layer finds, its false alarms being at most G/H − k/g of all. *)
Theorem D_average u g B k r (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g}) (reply : {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool)
    G H a b K : 0 < u -> #|Sg| <= 2 ^ r -> (forall told x, #|scorer told x| <= k) ->
  let yes (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply (summaries summary cs) x (opened (scorer (summaries summary cs) x) cs) in
  let N := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in
  H * (k * (N * u) + g * (\sum_cs \sum_(x < u) yes cs x)) <= G * (g * N * u) -> closed_share G H B r a b K ->
  b * (\sum_(b < g) \sum_cs \sum_(j < B) yes cs (cs b j)) <= a * (B * (g * N)).
Proof.
move=> u0 Sr few yes N alarms share; have one (f : unit -> nat) : \sum_rho f rho = f tt by rewrite (big_pred1 tt) // => -[].
have := @average_near unit_finType (fun=> 1) u g B k r Sg summary (fun=> scorer) (fun=> reply) G H a b K u0 Sr (fun=> few).
by rewrite /= !one !mul1n; apply.
Qed.
