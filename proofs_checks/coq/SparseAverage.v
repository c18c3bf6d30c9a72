(** D' (theory 5.7): one sparse layer that errs. Yes: the value asked for is that of a random entry; no: it is independent. The share of
    matches that are found is at most ⟨k/g + ε; r/B⟩, ε the share of false alarms. Counted, without entropies: AM–GM three times. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts TheoremCPrime RelativeEntropy NestedBound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Average.
Variables (u g B r : nat) (Sg : finType).
Hypotheses (u0 : 0 < u) (Sr : #|Sg| <= 2 ^ r).
Notation content := {ffun 'I_B -> 'I_u}.
Notation contents := {ffun 'I_g -> content}.
Variable summary : 'I_g -> content -> Sg.
(** cs with c as block b. *)
Definition with_block (b : 'I_g) (cs : contents) (c : content) : contents := [ffun b' => if b' == b then c else cs b'].
(** What is found: F cs x b knows block b by its summary alone. *)
Variable F : contents -> 'I_u -> 'I_g -> bool.
Hypothesis told : forall b cs c c' x, summary b c = summary b c' -> F (with_block b cs c) x b = F (with_block b cs c') x b.
Variables (hi lo : nat).
Definition wt (f : bool) : nat := if f then hi else lo.
(** Of all values, and of the entries of block b. *)
Definition of_values (cs : contents) b : nat := \sum_(x < u) wt (F cs x b).
Definition of_entries (cs : contents) b : nat := \prod_(j < B) wt (F cs (cs b j) b).

(** Each list of contents is met as often as there are contents of block b. *)
Lemma each_met b (f : contents -> nat) : \prod_(cs : contents) \prod_(c : content) f (with_block b cs c) = \prod_(cs : contents) f cs ^ #|content|.
Proof.
rewrite pair_big /=; pose h (p : contents * content) := (with_block b p.1 p.2, p.1 b).
have hh p : h (h p) = p.
  case: p => cs c; rewrite /h /=; congr pair; last by rewrite ffunE eqxx.
  by apply/ffunP => b'; rewrite !ffunE; case: eqP => // ->.
transitivity (\prod_(p : contents * content) f (h p).1); first by [].
rewrite -(reindex_inj (h := h) (can_inj hh) (P := xpredT) (F := fun p : contents * content => f p.1)) /=.
rewrite -(pair_big xpredT xpredT (fun cs (_ : content) => f cs)) /=.
by apply: eq_bigr => cs _; rewrite prod_nat_const.
Qed.
(** One block, the others fixed. *)
Lemma one_block b cs : #|content| ^ #|content| * \prod_(c : content) of_entries (with_block b cs c) b
  <= (2 ^ r) ^ #|content| * (\prod_(c : content) of_values (with_block b cs c) b) ^ B.
Proof.
pose n s := #|[pred c | summary b c == s]|; pose V s := odflt 0 (omap (fun c => of_values (with_block b cs c) b) [pick c | summary b c == s]).
have VE c : of_values (with_block b cs c) b = V (summary b c).
  rewrite /V; case: pickP => [c' /eqP E|/(_ c)]; last by rewrite eqxx.
  by apply: eq_bigr => x _; rewrite (told _ _ (esym E)).
have all_n : \sum_s n s = #|content|.
  rewrite -[RHS]sum1_card (partition_big (summary b) xpredT) //=; apply: eq_bigr => s _.
  by rewrite /n -sum1_card; apply: eq_bigl.
have class s : n s ^ n s * \prod_(c | summary b c == s) of_entries (with_block b cs c) b <= (V s ^ B) ^ n s.
  have := mean_inequality [seq of_entries (with_block b cs c) b | c in [pred c | summary b c == s]].
  rewrite size_image !big_image => le; apply: leq_trans le _; apply: exp_mono.
  case: (pickP (fun c => summary b c == s)) => [c0 /eqP E0|no]; last by rewrite big_pred0.
  have -> : V s ^ B = \sum_(c : content) \prod_(j < B) wt (F (with_block b cs c0) (c j) b).
    by rewrite -E0 -VE -(bigA_distr_bigA (fun _ x => wt (F (with_block b cs c0) x b))) prod_nat_const card_ord.
  rewrite [X in _ <= X](bigID (fun c => summary b c == s)) /=; apply: leq_trans (leq_addr _ _); apply: leq_sum => c /eqP E.
  by apply: leq_prod => j _; rewrite /of_entries ffunE eqxx (told _ _ (etrans E (esym E0))).
have := mean_weighted n (fun=> 1); rewrite all_n sum1_card => counted.
have ones : \prod_s 1 ^ n s = 1 by rewrite big1 // => s _; rewrite exp1n.
rewrite ones mul1n in counted; apply: leq_trans (leq_mul counted (leqnn _)) _.
have -> : \prod_(c : content) of_entries (with_block b cs c) b = \prod_s \prod_(c | summary b c == s) of_entries (with_block b cs c) b.
  by rewrite (partition_big (summary b) xpredT).
have -> : (\prod_(c : content) of_values (with_block b cs c) b) ^ B = \prod_s (V s ^ B) ^ n s.
  rewrite (partition_big (summary b) xpredT) //= -prod_pow; apply: eq_bigr => s _.
  rewrite (eq_bigr (fun=> V s)) => [|c /eqP <-]; last exact: VE.
  by rewrite prod_nat_const -!expnM mulnC.
rewrite mulnAC mulnC; apply: leq_mul; first exact: exp_mono.
by rewrite -big_split /=; apply: leq_prod => s _; apply: class.
Qed.
Notation T := (g * #|contents|).
(** One block, all contents. *)
Lemma each_block b : #|content| ^ #|contents| * \prod_(cs : contents) of_entries cs b
  <= (2 ^ r) ^ #|contents| * (\prod_(cs : contents) of_values cs b) ^ B.
Proof.
have S0 : 0 < #|content| by rewrite card_ffun !card_ord expn_gt0 u0.
have le : \prod_(cs : contents) (#|content| ^ #|content| * \prod_(c : content) of_entries (with_block b cs c) b)
    <= \prod_(cs : contents) ((2 ^ r) ^ #|content| * (\prod_(c : content) of_values (with_block b cs c) b) ^ B).
  by apply: leq_prod => cs _; apply: one_block.
have swap x a c : (x ^ a) ^ c = (x ^ c) ^ a by rewrite -!expnM mulnC.
rewrite -(leq_exp2r _ _ S0) !expnMn !(swap _ _ #|content|).
move: le; rewrite !big_split /= !prod_nat_const !prod_pow.
by rewrite (each_met b (fun cs => of_entries cs b)) (each_met b (fun cs => of_values cs b)) !prod_pow (swap 2 r #|content|).
Qed.
(** All blocks. *)
Lemma all_blocks : #|content| ^ T * \prod_(b < g) \prod_(cs : contents) of_entries cs b
  <= (2 ^ r) ^ T * (\prod_(b < g) \prod_(cs : contents) of_values cs b) ^ B.
Proof.
have le : \prod_(b < g) (#|content| ^ #|contents| * \prod_(cs : contents) of_entries cs b)
    <= \prod_(b < g) ((2 ^ r) ^ #|contents| * (\prod_(cs : contents) of_values cs b) ^ B) by apply: leq_prod => b _; apply: each_block.
have pw x : x ^ T = (x ^ #|contents|) ^ g by rewrite mulnC expnM.
by move: le; rewrite !pw !big_split /= !prod_nat_const !card_ord prod_pow.
Qed.
(** How often something is found: of all values, and of all entries. *)
Definition false_found : nat := \sum_(b < g) \sum_(cs : contents) \sum_(x < u) F cs x b.
Definition found : nat := \sum_(b < g) \sum_(cs : contents) \sum_(j < B) F cs (cs b j) b.
(** At most all entries. *)
Lemma found_le : found <= B * T.
Proof.
apply: leq_trans (_ : \sum_(b < g) \sum_(cs : contents) \sum_(j < B) 1 <= _).
  by apply: leq_sum => b _; apply: leq_sum => cs _; apply: leq_sum => j _; case: (F _ _ _).
by rewrite !sum_nat_const !card_ord muln1 mulnA mulnC.
Qed.
(** The product over all entries. *)
Lemma entries_product : \prod_(b < g) \prod_(cs : contents) of_entries cs b = hi ^ found * lo ^ (B * T - found).
Proof.
pose miss := \sum_(b < g) \sum_(cs : contents) \sum_(j < B) ~~ F cs (cs b j) b.
have E : found + miss = B * T.
  rewrite /found /miss -big_split /=; under eq_bigr do rewrite -big_split /=; under eq_bigr do under eq_bigr do rewrite -big_split /=.
  rewrite (eq_bigr (fun=> #|contents| * B)) => [|b _].
    by rewrite sum_nat_const card_ord mulnA mulnC.
  rewrite (eq_bigr (fun=> B)) ?sum_nat_const // => cs _.
  by rewrite (eq_bigr (fun=> 1)) ?sum1_card ?card_ord // => j _; case: (F _ _ _).
rewrite -E addKn /found /miss !expn_sum -big_split; apply: eq_bigr => b _; rewrite /= !expn_sum -big_split; apply: eq_bigr => cs _.
rewrite /= !expn_sum -big_split; apply: eq_bigr => j _; rewrite /wt /=.
by case: (F _ _ _); rewrite /= ?expn0 ?expn1 ?muln1 ?mul1n.
Qed.
(** Of all values what is found by weight. *)
Lemma values_weigh : lo <= hi -> \sum_(b < g) \sum_(cs : contents) of_values cs b = lo * (T * u) + (hi - lo) * false_found.
Proof.
move=> lh; rewrite /false_found big_distrr /= (_ : lo * (T * u) = \sum_(b < g) lo * (#|contents| * u)); last first.
  by rewrite sum_nat_const card_ord [RHS]mulnCA !mulnA.
rewrite -big_split; apply: eq_bigr => b _ /=; rewrite big_distrr /= (_ : lo * (#|contents| * u) = \sum_(cs : contents) lo * u); last first.
  by rewrite sum_nat_const [RHS]mulnCA.
rewrite -big_split; apply: eq_bigr => cs _ /=; rewrite big_distrr /= (_ : lo * u = \sum_(x < u) lo); last first.
  by rewrite sum_nat_const card_ord mulnC.
rewrite -big_split; apply: eq_bigr => x _; rewrite /wt /=; case: (F _ _ _); rewrite ?muln1 ?muln0 ?addn0 //.
by rewrite subnKC.
Qed.
End Average.
