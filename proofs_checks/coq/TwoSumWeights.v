(** C6 with weights by squares: one softmax head of 3 key numbers and 1 value, no MLP, solves 2-Sum for every modulus and length.

    Token x is (1, x, x², M−x, (M−x)²); token i scores −τ(x_j − (M − x_i))² at token j, and the value is 1: with τ = P + 1 the head
    gives 1 if some x_j = M − x_i, and 0/0 = 0 if not. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions SoftmaxLayers FloorExp IntegerWeights EveryTable SquareRows Squares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).
Local Notation zn := Z.of_nat.
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.

Section TwoSum.
Variables (P M : nat).
Let tau : Z := (zn P + 1)%Z.
Definition number_row (x : nat) : vector := [:: 1; zn x; zn x * zn x; zn M - zn x; (zn M - zn x) * (zn M - zn x)]%Z.
Definition pair_head : full_head := FullHead
  [seq sparse l | l <- [:: [:: (3, (2 * tau)%Z)]; [:: (0, (- tau)%Z)]; [:: (4, (- tau)%Z)]]]
  [seq unit_row c | c <- [:: 1; 2; 0]] [:: unit_row 0] (nseq 5 [::] ++ [:: [:: 1%Z]]) 0.
Definition two_sum_weights : weights := Weights P 0 0 0 [::] [seq number_row x | x <- iota 0 M]
  [:: [::]; sparse [:: (5, 2%Z); (0, (-1)%Z)]] [:: FullBlock pair_head [::]].

Variable e : Z -> Z.
Hypothesis e0 : e 0%Z = (2 ^ zn P)%Z.
Hypothesis eN : forall a, (tau <= a)%Z -> e a = 0%Z.
Variable xs : seq nat.
Hypothesis ok : all (fun x => x < M) xs.
Let x (j : nat) := embedded two_sum_weights [::] j (nth (Val 0) [seq Val a | a <- xs] j).

(** A token before the layer. *)
Lemma number_at j : j < size xs -> x j = number_row (nth 0 xs j).
Proof.
move=> jn; have lt : nth 0 xs j < M by apply: (allP ok); rewrite mem_nth.
rewrite /x /embedded (nth_map 0) //= nth_nil /= (nth_map 0) ?size_iota // nth_iota // add0n /stream_unit /=.
by rewrite /number_row /= Z.pow_0_r !Z.mul_1_l.
Qed.
(** The weight of token j. *)
Lemma pair_weight i j : i < size xs -> j < size xs ->
  weight P (full_weight two_sum_weights e pair_head) 0 i j (x i) (x j) = if nth 0 xs i + nth 0 xs j == M then (2 ^ zn P)%Z else 0%Z.
Proof.
move=> il jl; rewrite /weight /full_weight apply_sparse apply_units !number_at //; move: (nth 0 xs i) (nth 0 xs j) => a b.
pose far := ((zn b - (zn M - zn a)) * (zn b - (zn M - zn a)))%Z; set y := exponent _ _ _ _; have yE : y = (tau * far)%Z.
  rewrite /y /exponent [shift _]/= [dot _ _]/= Z.mul_0_l.
  have : (0 <= tau * far)%Z by apply: Z.mul_nonneg_nonneg; [rewrite /tau; lia | exact: Z.square_nonneg].
  by set d := (_ + _)%Z; have -> : d = (- (tau * far))%Z; [rewrite /d /far; ring | lia].
have p0 := pow2_pos P; case: eqP => [E|ne].
  by have -> : y = 0%Z; [rewrite yE /far -E -plusE Nat2Z.inj_add; ring | rewrite e0; lia].
rewrite eN; first by lia.
have : (zn b - (zn M - zn a) <> 0)%Z by move=> h; apply: ne; rewrite -plusE; apply: Nat2Z.inj; rewrite Nat2Z.inj_add; lia.
move=> u0; have u1 : (1 <= far)%Z by rewrite /far; nia.
have t0 : (0 < tau)%Z by rewrite /tau; lia.
by rewrite yE; nia.
Qed.
Definition pair_total i n : Z := zsum (fun j => weight P (full_weight two_sum_weights e pair_head) 0 i j (x i) (x j)) n.
(** The sum over n tokens: 0 if and only if there is no match. *)
Lemma pair_sum i n : i < size xs -> n <= size xs ->
  if has (fun b => nth 0 xs i + b == M) (take n xs) then (0 < pair_total i n)%Z else pair_total i n = 0%Z.
Proof.
rewrite /pair_total => il; elim: n => [|n IH] nl /=; first by rewrite take0.
have {IH} := IH (ltnW nl); rewrite (take_nth 0) // has_rcons pair_weight // orbC; have p0 := pow2_pos P.
by case: has => /=; case: eqP => _ h; lia.
Qed.

(** The answer at the last token: is there a j ≤ i with x_i + x_j = M? *)
Theorem two_sum_output : 0 < size xs ->
  exact_output (exact_of_weights two_sum_weights e [::]) [seq Val a | a <- xs] = has (fun b => last 0 xs + b == M) xs.
Proof.
move=> s0; rewrite /exact_output size_map; set i := (size xs).-1; have il : i < size xs by rewrite ltn_predL.
set W := weight P (full_weight two_sum_weights e pair_head); set V := value 0 (full_value pair_head).
set num := numerator 1 W V x i 0; set den := denominator W x i 0.
have -> : last_word (e := exact_of_weights two_sum_weights e [::]) (foldl (@compute _) x (stack (exact_of_weights two_sum_weights e [::])) i)
  = best (apply (unembedding two_sum_weights) (plus (x i) (apply (W_O pair_head) [:: (num / den)%Z]))) by [].
have numE : num = den.
  rewrite /num /den /numerator /denominator; apply: zsum_ext => j ji; have jl : j < size xs by apply: leq_trans ji _; rewrite prednK.
  have -> : V 0 j (x j) = 1%Z; last by rewrite Z.mul_1_r.
  by rewrite /V /value /full_value -[W_V pair_head]/[seq unit_row c | c <- [:: 0]] apply_units number_at //= Z.pow_0_r; lia.
have := pair_sum il (leqnn _); rewrite take_size; have -> : pair_total i (size xs) = den by rewrite /den /denominator prednK.
have logits y : apply (unembedding two_sum_weights) y = [:: 0%Z; (2 * y.[5] - y.[0])%Z].
  rewrite -[apply _ _]/[:: dot [::] y; dot (sparse [:: (5, 2%Z); (0, (-1)%Z)]) y] dot_sparse [foldr _ _ _]/=.
  by congr [:: _; _]; lia.
rewrite -nth_last -/i numE logits number_at // !nth_plus; set r := (den / den)%Z.
have -> : (apply (W_O pair_head) [:: r]).[5] = r by rewrite /=; lia.
have -> : (apply (W_O pair_head) [:: r]).[0] = 0%Z by [].
rewrite [(number_row _).[5]]/= [(number_row _).[0]]/=; case: has => h.
  by have -> : r = 1%Z; [rewrite /r Z.div_same //; lia | ].
by have -> : r = 0%Z; [rewrite /r h Zdiv_0_r | ].
Qed.
End TwoSum.

(** Numbers of 1, …, M − 1 whose sum M divides: their sum is M. *)
Lemma sum_is_modulus M a b : 0 < a < M -> 0 < b < M -> (M %| a + b) = (a + b == M).
Proof.
move=> /andP[a0 aM] /andP[b0 bM]; apply/idP/eqP => [|->]; last exact: dvdnn.
case/dvdnP=> -[|[|c]] E; rewrite ?mul1n // in E *; first by move: E; rewrite mul0n; case: (a) a0.
have : a + b < M + M by rewrite -addSn leq_add // ltnW.
by rewrite E !mulSn addnA ltnNge leq_addr.
Qed.
(** C6: one full layer solves 2-Sum at every modulus and length, for every precision P. *)
Theorem two_sum_by_weights P M : exists (w : weights) (listed : pred Z),
  [/\ score_bits w = P, map block_shape (blocks w) = [:: Some (3, 1, 0)], width w <= 6,
      (forall exp_floor k, map (soft_bits k) (stack (exact_of_weights w exp_floor [::])) = [:: 2 * P + 2 * k + 1])
    & weights_solve_two_sum M w listed].
Proof.
exists (two_sum_weights P M), (far_or_zero P); split=> //.
- have max_le b (s : seq nat) : all (fun a => a <= b) s -> foldr maxn 0 s <= b.
    by elim: s => //= a s IH /andP[ab /IH sb]; rewrite geq_max ab.
  by apply: max_le; rewrite /= all_cat andbT -map_comp all_map; apply/allP.
- by move=> e k /=; congr [:: _]; rewrite -?plusE -?multE; lia.
split; first by exists (floor_exp_far P) => a; apply: floor_exp_far_true.
move=> e /floor_exp_far_only [e0 eN] xs s0 ok.
have small : all (fun x => x < M) xs by apply/allP => a /(allP ok) /= /andP[].
rewrite (two_sum_output e0 eN small s0).
have last_ok : 0 < last 0 xs < M by rewrite -nth_last; apply: (allP ok); rewrite mem_nth // ltn_predL.
by apply/f_equal/eq_in_has => b bx; rewrite sum_is_modulus //; apply: (allP ok).
Qed.
