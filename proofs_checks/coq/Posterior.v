(** Copies of a table from its posterior, by counting (theory 5.7, E). Given the other tables and what is known, x tables are drawn
    independently, each with the law that the hidden one has. Each of them is as the hidden table is, and what is known then
    misses at most x·D bits. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts NestedBound Deficit.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Over pairs. *)
Lemma sum_of_pairs (A B : finType) (g : A * B -> nat) : \sum_p g p = \sum_a \sum_b g (a, b).
Proof. by rewrite pair_big; apply: eq_bigr => -[]. Qed.
(** ... a product. *)
Lemma prod_of_pairs (A B : finType) (g : A * B -> nat) : \prod_p g p = \prod_a \prod_b g (a, b).
Proof. by rewrite pair_big; apply: eq_bigr => -[]. Qed.

Section Posterior.
Variables (U T V : finType) (q : prod_finType U T -> V -> nat) (x : nat).
Notation draws := {ffun 'I_x.+1 -> T}.
Implicit Types (u : U) (v : V) (F : draws) (f : T).

(** The weight of the other tables; a common multiple of these weights, and how often each is in it. *)
Definition row u v : nat := \sum_f q (u, f) v.
Definition multiple : nat := \prod_u \prod_v maxn 1 (row u v).
Definition share_of u v : nat := multiple %/ row u v.
(** Copies in place of the hidden table: all weights times `scale`. *)
Definition scale : nat := multiple ^ x.
Definition drawn_law u (vF : V * draws) : nat := share_of u vF.1 ^ x * \prod_a q (u, vF.2 a) vF.1.

(** The multiple is one. *)
Lemma share_ofE u v : 0 < row u v -> share_of u v * row u v = multiple.
Proof.
move=> r0; apply: divnK; rewrite /multiple (bigD1 u) //= (bigD1 v) //= (maxn_idPr r0) -mulnA; exact: dvdn_mulr.
Qed.
(** It is not 0. *)
Lemma multiple_gt0 : 0 < multiple.
Proof. by apply: prodn_gt0 => u; apply: prodn_gt0 => v; rewrite leq_max. Qed.
(** Where a row is empty, so is each of its entries. *)
Lemma row0 u v f : row u v = 0 -> q (u, f) v = 0.
Proof. by move=> r0; apply/eqP; rewrite -leqn0 -r0 /row (bigD1 f) //= leq_addr. Qed.

(** One copy is as the hidden table. *)
Lemma one_copy u v a (g : T -> nat) : \sum_F drawn_law u (v, F) * g (F a) = scale * \sum_f q (u, f) v * g f.
Proof.
have -> : \sum_F drawn_law u (v, F) * g (F a) = share_of u v ^ x * \prod_(b : 'I_x.+1) \sum_f q (u, f) v * (if b == a then g f else 1).
  rewrite (bigA_distr_bigA (fun (b : 'I_x.+1) f => q (u, f) v * (if b == a then g f else 1))) big_distrr /=; apply: eq_bigr => F _.
  rewrite /drawn_law /= -mulnA; congr (_ * _); rewrite big_split /=; congr (_ * _).
  by rewrite -big_mkcond big_pred1_eq.
rewrite (bigD1 a) //= eqxx [\prod_(i | i != a) _](eq_bigr (fun=> row u v)) => [|b /negbTE ->]; last by apply: eq_bigr => f _; rewrite muln1.
rewrite prod_nat_const cardC1 card_ord /= mulnCA /scale [RHS]mulnC; case: (posnP (row u v)) => r0.
  by rewrite big1 // => f _; rewrite (row0 f r0).
by congr (_ * _); rewrite -expnMn share_ofE.
Qed.
(** All copies together. *)
Lemma all_copies u v : \sum_F drawn_law u (v, F) = scale * row u v.
Proof.
have := one_copy u v ord0 (fun=> 1); rewrite (eq_bigr (fun F => drawn_law u (v, F))) => [->|F _]; last by rewrite muln1.
by congr (_ * _); apply: eq_bigr => f _; rewrite muln1.
Qed.
(** A copy comes only from what was possible. *)
Lemma drawn_possible u v F a : 0 < drawn_law u (v, F) -> 0 < q (u, F a) v.
Proof. by rewrite /drawn_law muln_gt0 (bigD1 a) //= muln_gt0 => /and3P[_ ->]. Qed.

(** Sums over pairs, and over tables. *)
Lemma total_rows : total q = \sum_u \sum_v row u v.
Proof.
rewrite /total /row sum_of_pairs; apply: eq_bigr => u _; exact: exchange_big.
Qed.
(** The copies weigh scale times as much as before. *)
Lemma total_drawn : total drawn_law = scale * total q.
Proof.
rewrite total_rows big_distrr /=; apply: eq_bigr => u _; rewrite big_distrr /= sum_of_pairs.
by apply: eq_bigr => v _; apply: all_copies.
Qed.

(** Σ r·log r over the rows, as a power. *)
Definition rows_power : nat := \prod_u \prod_v row u v ^ row u v.
(** Powers of the rows: the copies weigh scale·r. *)
Lemma power_of_rows : \prod_u \prod_(vF : V * draws) (row u vF.1 ^ x) ^ drawn_law u vF = rows_power ^ (x * scale).
Proof.
rewrite /rows_power -prod_pow; apply: eq_bigr => u _; rewrite -prod_pow.
rewrite prod_of_pairs /=; apply: eq_bigr => v _.
by rewrite -expn_sum all_copies -!expnM; congr (_ ^ _); mring.
Qed.
(** Powers of the entries: each copy weighs scale·q. *)
Lemma power_of_copies : \prod_u \prod_(vF : V * draws) (\prod_a q (u, vF.2 a) vF.1) ^ drawn_law u vF = self_power q ^ (x.+1 * scale).
Proof.
have -> : self_power q = \prod_u \prod_v \prod_f q (u, f) v ^ q (u, f) v.
  rewrite /self_power prod_of_pairs; apply: eq_bigr => u _; exact: exchange_big.
rewrite -prod_pow; apply: eq_bigr => u _; rewrite -prod_pow.
rewrite prod_of_pairs /=; apply: eq_bigr => v _.
under eq_bigr => F _ do rewrite -prod_pow.
rewrite exchange_big /= (eq_bigr (fun=> (\prod_f q (u, f) v ^ q (u, f) v) ^ scale)) => [|a _].
  by rewrite prod_nat_const card_ord -expnM mulnC.
rewrite -prod_pow (partition_big (fun F : draws => F a) xpredT) //=; apply: eq_bigr => f _.
rewrite (eq_bigr (fun F => q (u, f) v ^ drawn_law u (v, F))) => [|F /eqP <- //].
rewrite -expn_sum -expnM; congr (_ ^ _).
have := one_copy u v a (fun f' => (f' == f) : nat).
have -> : \sum_f' q (u, f') v * (f' == f) = q (u, f) v.
  by rewrite (bigD1 f) //= eqxx muln1 big1 ?addn0 // => f' /negbTE ->; rewrite muln0.
rewrite mulnC => <-; rewrite big_mkcond /=; apply: eq_bigr => F _; by case: (_ == _); rewrite ?muln1 ?muln0.
Qed.
(** scale in all. *)
Lemma power_of_scale : \prod_u \prod_(vF : V * draws) scale ^ drawn_law u vF = scale ^ total drawn_law.
Proof. by rewrite expn_sum; apply: eq_bigr => u _; rewrite expn_sum. Qed.

(** log of a copy's weight: (Π q1^q1)·(Π r^r)^(x·scale) = scale^Q1·(Π q^q)^((x+1)·scale). *)
Lemma drawn_self : self_power drawn_law * rows_power ^ (x * scale) = scale ^ total drawn_law * self_power q ^ (x.+1 * scale).
Proof.
rewrite -power_of_rows -power_of_copies -power_of_scale -!big_split /=; apply: eq_bigr => u _; rewrite -!big_split /=.
apply: eq_bigr => -[v F] _ /=; rewrite -!expnMn; congr (_ ^ _).
case: (posnP (row u v)) => r0; last by rewrite /drawn_law /= mulnAC -expnMn share_ofE.
by rewrite /drawn_law /= (bigD1 ord0) //= (row0 _ r0) !mul0n !muln0.
Qed.
(** The rows have at most the entropy of all. *)
Lemma rows_uniform : total q ^ total q <= rows_power * (#|U| * #|V|) ^ total q.
Proof.
have := log_sum row (fun _ _ => 1); rewrite -[total row]total_rows -/rows_power.
rewrite big1 => [|u _]; last by rewrite big1 // => v _; rewrite exp1n.
by rewrite mul1n; congr (_ <= _ * _ ^ _); rewrite -[RHS]card_prod -sum1_card pair_big.
Qed.

(** x+1 copies miss (x+1)·D bits. *)
Lemma deficit_copies D : deficit q D -> deficit drawn_law (x.+1 * D).
Proof.
move=> def; have [z|Q0] := posnP (total q).
  have none u vF : drawn_law u vF = 0.
    by apply/eqP; rewrite -leqn0 -(muln0 scale) -z -total_drawn /total (bigD1 u) //= (bigD1 vF) //= -addnA leq_addr.
  rewrite /deficit total_drawn z !muln0 /self_power big1 // => u _; by rewrite big1 // => vF _; rewrite none.
have R0 : 0 < rows_power ^ (x * scale).
  rewrite expn_gt0; apply/orP; left; apply: prodn_gt0 => u; apply: prodn_gt0 => v; rewrite expn_gt0.
  by case: (row u v).
pose k := scale * total q; pose c := #|U| * #|V|.
have c0 : 0 < c.
  rewrite lt0n /c -card_prod; apply/eqP => /card0_eq no; move: Q0; rewrite total_rows big1 // => u _; rewrite big1 // => v _.
  by have := no (u, v).
have rows := exp_mono (x * scale) rows_uniform.
have copies := exp_mono (x.+1 * scale) def.
rewrite /deficit total_drawn -/k card_prod card_ffun card_ord.
rewrite -(leq_pmul2r R0) -(@leq_pmul2r (c ^ (x * k))) ?expn_gt0 ?c0 //.
have E1 : self_power drawn_law * (#|U| * (#|V| * #|T| ^ x.+1)) ^ k * rows_power ^ (x * scale) * c ^ (x * k)
    = scale ^ k * (self_power q * (#|prod_finType U T| * #|V|) ^ total q) ^ (x.+1 * scale).
  rewrite [X in X * _]mulnAC drawn_self total_drawn -/k card_prod.
  rewrite (expnMn (self_power q)) -(expnM _ (total q)) (_ : total q * (x.+1 * scale) = x.+1 * k); last by rewrite /k; mring.
  rewrite (_ : #|U| * (#|V| * #|T| ^ x.+1) = c * #|T| ^ x.+1); last by rewrite /c mulnA.
  rewrite (_ : #|U| * #|T| * #|V| = c * #|T|); last by rewrite /c mulnAC.
  have ck : c ^ (x.+1 * k) = c ^ k * c ^ (x * k) by rewrite mulSn expnD.
  rewrite (expnMn c (#|T| ^ _)) (expnMn c #|T|) -(expnM #|T|) ck.
  move: (scale ^ k) (self_power q ^ _) (c ^ k) (c ^ (x * k)) (#|T| ^ _) => A B C E G; mring.
rewrite E1; apply: leq_trans (leq_mul (leqnn _) copies) _.
rewrite (expnMn (2 ^ _)) -!expnM.
have -> : D * total q * (x.+1 * scale) = x.+1 * D * k by rewrite /k; mring.
have -> : total q * (x.+1 * scale) = k + x * k by rewrite /k; mring.
rewrite expnD /k expnMn -/k.
have E2 : total q ^ (x * k) <= rows_power ^ (x * scale) * c ^ (x * k).
  move: rows; rewrite expnMn -!expnM -/c; have -> : total q * (x * scale) = x * k by rewrite /k; mring.
  by [].
have -> : multiple ^ (x * k) = scale ^ k by rewrite /scale -expnM.
move: (2 ^ _) (scale ^ k) (total q ^ k) E2 => A B C E2; rewrite -!mulnA mulnCA !leq_mul2l; apply/orP; right.
by apply/orP; right; apply/orP; right.
Qed.
End Posterior.
