(** Models given by integer matrices (the weights that `separation prove --write-model` writes), run on
    lists of whole numbers, and the proof that they are exact models (ExactModels.v).

    Numbers of the stream are multiples of 2^-f and are written as whole numbers in that unit.  A full-attention head:
    q = W_Q x_i, k = W_K x_j, y = shift - q.k >= 0, weight floor(2^P exp(-y)); values W_V x_j; the mean of the values is
    rounded down to the unit; W_O adds it to the stream.  exp is given by a table `weigh` of the exponents that occur. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Counting Knowledge SoftmaxLayers ScanLayers ExactModels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Run.
Variable w : weights.
Variable weigh : Z -> Z.      (* y in units 4^-f  |->  floor(2^P exp(-y)) *)
Variable ns : seq nat.        (* n_1 .. n_{L-1}: how the token w is numbered *)
Notation P := (score_bits w).
Notation p := (value_bits w).
Local Notation exponent := (exponent w).
Local Notation full_weight := (full_weight w weigh).
Local Notation full_finish := (full_finish w).
Local Notation linear_next := (linear_next w).
Local Notation linear_read := (linear_read w).
Local Notation exact_block := (exact_block w weigh).
Local Notation embedded := (embedded w ns).
Local Notation said := (said w).
Local Notation exact_of_weights := (exact_of_weights w weigh ns).

(** * The same on lists: each stream is computed once *)
Definition cut_weight (a : Z) : Z := Z.max 0 (Z.min (2 ^ Z.of_nat P) a).
Definition cut_value (a : Z) : Z := Z.max (- 2 ^ Z.of_nat p) (Z.min (2 ^ Z.of_nat p) a).
Fixpoint total (u : vector) : Z := if u is a :: u' then (a + total u')%Z else 0%Z.

Definition run_full (h : full_head) (ms : seq mlp) (xs : seq vector) : seq vector :=
  let qs := [seq apply (W_Q h) x | x <- xs] in
  let ks := [seq apply (W_K h) x | x <- xs] in
  let vs := [seq [seq cut_value a | a <- apply (W_V h) x] | x <- xs] in
  mkseq (fun i =>
    let es := [seq cut_weight (weigh (exponent h (nth [::] qs i) k)) | k <- take i.+1 ks] in
    let seen := take i.+1 vs in
    full_finish h ms i (nth [::] xs i) [seq dot es [seq nth 0%Z v t | v <- seen] | t <- iota 0 (size (W_V h))] [:: total es])
    (size xs).
Definition run_linear (h : linear_head) (ms : seq mlp) (xs : seq vector) : seq vector :=
  let A := d_k h * columns h in
  let states := scanl (fun s x => mkseq (fun t => fit (state_size w) (linear_next h 0 s x t)) A) (nseq A 0%Z) xs in
  mkseq (fun i => linear_read h ms i (nth [::] xs i) (nth [::] states i)) (size xs).
Definition run_block (xs : seq vector) (B : built_layer) : seq vector :=
  match B with FullBlock h ms => run_full h ms xs | LinearBlock h ms => run_linear h ms xs end.

Definition start (q : seq token) : seq vector := mkseq (fun i => embedded i (nth (Val 0) q i)) (size q).
Definition evaluate (q : seq token) : nat := said (last [::] (foldl run_block (start q) (blocks w))).

(** ** Proof that the lists say what the definitions say *)
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp.
(** A product of lists, one entry more. *)
Lemma dot_rcons u v a b : size u = size v -> dot (rcons u a) (rcons v b) = (dot u v + a * b)%Z.
Proof. by elim: u v => [|c u IH] [|g v] //= e; rewrite ?IH; [lia | lia | case: e]. Qed.
(** A sum of a list, one entry more. *)
Lemma total_rcons u a : total (rcons u a) = (total u + a)%Z.
Proof. by elim: u => [|c u IH] /=; rewrite ?IH; lia. Qed.
(** A sum of products as a product of lists. *)
Lemma zsum_dot F G n : zsum (fun j => F j * G j)%Z n = dot (mkseq F n) (mkseq G n).
Proof. by elim: n => [|n IH] //; rewrite !mkseqS dot_rcons ?size_mkseq //= IH. Qed.
(** A sum as the sum of a list. *)
Lemma zsum_total F n : zsum F n = total (mkseq F n).
Proof. by elim: n => [|n IH] //; rewrite mkseqS total_rcons /= IH. Qed.
(** Sums of equal terms are equal. *)
Lemma zsum_ext F G n : (forall j, j < n -> F j = G j) -> zsum F n = zsum G n.
Proof. by elim: n => [|n IH] FG //=; rewrite IH ?FG // => j jn; apply: FG; apply: ltnW. Qed.

(** A map over the first i+1 entries of a list, entry by entry. *)
Lemma map_take (S T : Type) (s0 : S) (F : S -> T) (s : seq S) n : n <= size s ->
  [seq F a | a <- take n s] = mkseq (fun j => F (nth s0 s j)) n.
Proof. by move=> ns'; rewrite -(map_nth_iota0 s0 ns') -map_comp. Qed.

(** Two lists made by functions that agree. *)
Lemma eq_in_mkseq (T : Type) (F G : nat -> T) n : (forall j, j < n -> F j = G j) -> mkseq F n = mkseq G n.
Proof. by move=> FG; apply/eq_in_map => j; rewrite mem_iota => /FG. Qed.

(** The weights that token i gives, and one value of each token, as lists. *)
Lemma weights_list h xs i : i < size xs ->
  [seq cut_weight (weigh (exponent h (apply (W_Q h) (nth [::] xs i)) k)) | k <- take i.+1 [seq apply (W_K h) x | x <- xs]] =
  mkseq (fun j => weight P (full_weight h) 0 i j (nth [::] xs i) (nth [::] xs j)) i.+1.
Proof.
move=> small; rewrite (@map_take _ _ [::]); last by rewrite size_map.
apply: eq_in_mkseq => j ji; rewrite (nth_map [::]); last by apply: leq_trans ji _.
reflexivity.
Qed.
(** The same for a value. *)
Lemma values_list h xs i t : i < size xs -> t < size (W_V h) ->
  [seq nth 0%Z v t | v <- take i.+1 [seq [seq cut_value a | a <- apply (W_V h) x] | x <- xs]] =
  mkseq (fun j => value p (full_value h) t j (nth [::] xs j)) i.+1.
Proof.
move=> small td; rewrite (@map_take _ _ [::]); last by rewrite size_map.
apply: eq_in_mkseq => j ji; rewrite (nth_map [::]); last by apply: leq_trans ji _.
rewrite (nth_map 0%Z); last by rewrite size_map.
reflexivity.
Qed.

(** A full layer on lists, entry by entry. *)
Lemma run_full_nth h ms xs i : i < size xs ->
  nth [::] (run_full h ms xs) i = compute (nth [::] xs) (exact_block (FullBlock h ms)) i.
Proof.
move=> small; rewrite /run_full nth_mkseq; last by [].
rewrite (nth_map [::]); last by [].
rewrite weights_list; last by [].
rewrite /compute /exact_block /attention /softmax mul1n.
have -> : mkseq (denominator (weight P (full_weight h)) (nth [::] xs) i) 1 =
  [:: zsum (fun j => weight P (full_weight h) 0 i j (nth [::] xs i) (nth [::] xs j)) i.+1] by [].
rewrite zsum_total; congr (full_finish _ _ _ _ _ _).
apply: eq_in_mkseq => t td; rewrite values_list //; rewrite -zsum_dot.
reflexivity.
Qed.

(** A linear layer on lists, entry by entry. *)
Lemma run_linear_nth h ms xs i : i < size xs ->
  nth [::] (run_linear h ms xs) i = compute (nth [::] xs) (exact_block (LinearBlock h ms)) i.
Proof.
move=> small; rewrite /run_linear nth_mkseq // /compute /exact_block /scanned; congr (linear_read _ _ _ _ _).
rewrite nth_scanl //; move: small.
suff H n : n <= size xs ->
    foldl (fun s x => mkseq (fun t => fit (state_size w) (linear_next h 0 s x t)) (d_k h * columns h))
      (nseq (d_k h * columns h) 0%Z) (take n xs) =
    scan (d_k h * columns h) (state_size w) (linear_next h) (nth [::] xs) n by move=> small; apply: H.
elim: n => [|n IH] small; first by rewrite take0.
by rewrite (take_nth [::]) // -cats1 foldl_cat /= IH // ltnW.
Qed.

(** Any layer on lists, entry by entry. *)
Lemma run_block_nth B xs i : i < size xs ->
  nth [::] (run_block xs B) i = compute (nth [::] xs) (exact_block B) i.
Proof. by case: B => [h ms|h ms]; [exact: run_full_nth | exact: run_linear_nth]. Qed.
(** As many tokens after a layer. *)
Lemma size_run_block xs B : size (run_block xs B) = size xs.
Proof. by case: B => [h ms|h ms]; rewrite size_mkseq. Qed.

(** What a layer computes at a token depends on the tokens up to it only. *)
Lemma compute_causal X (l : exact_layer X) x y i : (forall j, j <= i -> x j = y j) -> compute x l i = compute y l i.
Proof.
move=> xy; have small : i < 2 ^ i by apply: ltn_expl.
by rewrite -(@as_layer_run _ i x l i small) -(@as_layer_run _ i y l i small); apply: run_causal.
Qed.
(** The same for several layers. *)
Lemma computes_causal X (ls : seq (exact_layer X)) x y i : (forall j, j <= i -> x j = y j) ->
  foldl (@compute X) x ls i = foldl (@compute X) y ls i.
Proof.
elim: ls x y => [|l ls IH] x y xy /=; first exact: xy.
by apply: IH => j ji; apply: compute_causal => j' j'j; apply: xy; apply: leq_trans ji.
Qed.

(** Several layers on lists, entry by entry. *)
Lemma run_blocks_nth Bs xs i : i < size xs ->
  nth [::] (foldl run_block xs Bs) i = foldl (@compute _) (nth [::] xs) (map exact_block Bs) i.
Proof.
elim: Bs xs => [|B Bs IH] xs small //=; rewrite IH ?size_run_block //.
by apply: computes_causal => j ji; apply: run_block_nth; apply: leq_ltn_trans small.
Qed.
(** As many tokens after several layers. *)
Lemma size_run_blocks Bs xs : size (foldl run_block xs Bs) = size xs.
Proof. by elim: Bs xs => //= B Bs IH xs; rewrite IH size_run_block. Qed.

(** The evaluator on lists gives the model's answer. *)
Theorem evaluate_is_exact q : 0 < size q -> evaluate q = exact_output exact_of_weights q.
Proof.
move=> q0; rewrite /evaluate /exact_output; congr said.
rewrite -nth_last size_run_blocks size_mkseq run_blocks_nth ?size_mkseq ?ltn_predL //.
by apply: computes_causal => j jq; rewrite nth_mkseq // (leq_ltn_trans jq) ?ltn_predL.
Qed.
Transparent Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp.
End Run.
