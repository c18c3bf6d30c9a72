(** A model given by integer matrices, run on every input of a size by computation.

    `right_on_all` runs the weights on all inputs; if it computes to true, the model solves the task at these sizes, and
    every weight that it used is floor(2^P exp(-y)). *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Counting Knowledge SoftmaxLayers ScanLayers ExactModels
  IntegerWeights FloorExp.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * All inputs of a size, as lists *)
Lemma mem_lists n N l : size l = n -> all (fun a => a < N) l -> l \in lists n N.
Proof.
elim: n l => [|n IH] [|a l] //= [sl] /andP[aN lN].
by apply/allpairsPdep; exists a, l; rewrite mem_iota /= aN IH.
Qed.
(** One table of each size: such tables are in the list. *)
Lemma mem_tables ss zs : map size zs = ss -> all (fun z => all (fun v => v < size z) z) zs -> zs \in all_tables ss.
Proof.
elim: ss zs => [|N ss IH] [|z zs] //= [sz szs] /andP[zN zsN].
by apply/allpairsPdep; exists z, zs; rewrite mem_lists ?IH // -sz.
Qed.
(** Digits in range: the query is in the list. *)
Lemma mem_queries ns ws : all2 ltn ws ns -> ws \in all_queries ns.
Proof.
elim: ns ws => [|n ns IH] [|a ws] //= /andP[an wn].
by apply/allpairsPdep; exists a, ws; rewrite mem_iota /= an IH.
Qed.

Definition on_all_inputs (m : nat) (ns : seq nat) (ok : nat -> seq (seq nat) -> seq nat -> bool) : bool :=
  all (fun z0 => all (fun zs => all (fun ws => ok z0 zs ws) (all_queries ns)) (all_tables (sizes m ns))) (iota 0 m).
(** What holds on the lists holds of every input. *)
Lemma on_all_inputsP m ns ok : on_all_inputs m ns ok -> forall z0 zs ws, valid m ns z0 zs ws -> ok z0 zs ws.
Proof.
move=> A z0 zs ws /and4P[z0m /eqP szs vs wsn].
have zin : z0 \in iota 0 m by rewrite mem_iota.
exact: (allP (allP (allP A _ zin) _ (mem_tables szs vs)) _ (mem_queries wsn)).
Qed.

(** * The exponents that occur, and the table of their weights *)
Section Check.
Variable w : weights.
Variable exponents : seq Z.      (* the y that may occur, in units 4^-f *)
Variable terms : nat.            (* of the series that decide the floors *)
Notation u := (stream_unit w * stream_unit w)%Z.
Definition floor_of (a : Z) : Z := (2 ^ Z.of_nat (score_bits w) * unit_scaled a u terms / sum_scaled a u terms)%Z.
Definition table : seq (Z * Z) := [seq (a, floor_of a) | a <- exponents].
Definition decided : bool := all (fun e => (0 <=? e.1)%Z && decides (score_bits w) u e.1 terms e.2) table.

Fixpoint find (t : seq (Z * Z)) (a : Z) : option Z :=
  if t is (b, e) :: t' then if (a =? b)%Z then Some e else find t' a else None.
Definition weigh (t : seq (Z * Z)) (a : Z) : Z := odflt 0%Z (find t a).

(** All exponents of a full-attention block on these streams are in the table. *)
Definition listed_block (t : seq (Z * Z)) (xs : seq vector) (b : built_layer) : bool :=
  if b is FullBlock h _ then
    let qs := [seq apply (W_Q h) x | x <- xs] in
    let ks := [seq apply (W_K h) x | x <- xs] in
    all (fun i => all (fun k => isSome (find t (exponent w h (nth [::] qs i) k))) (take i.+1 ks)) (iota 0 (size xs))
  else true.
Fixpoint run_listed (t : seq (Z * Z)) (xs : seq vector) (bs : seq built_layer) : option (seq vector) :=
  if bs is b :: bs' then
    if listed_block t xs b then run_listed t (run_block w (weigh t) xs b) bs' else None
  else Some xs.

Definition right_on_all (m : nat) (ns : seq nat) : bool :=
  let t := table in
  decided && on_all_inputs m ns (fun z0 zs ws =>
    if run_listed t (start w ns (prompt z0 zs ws)) (blocks w) is Some xs
    then said w (last [::] xs) == answer z0 zs ws else false).

(** What the table has is the floor. *)
Lemma find_decided t a c : all (fun e => (0 <=? e.1)%Z && decides (score_bits w) u e.1 terms e.2) t ->
  find t a = Some c -> (0 <= a)%Z /\ is_floor_exp (score_bits w) u a c.
Proof.
have u0 : (0 < u)%Z by have := pow2_pos (fraction w); rewrite /stream_unit; nia.
elim: t => [|[b d] t IH] //= /andP[/andP[/Z.leb_le b0 D] /IH all_t].
case: Z.eqb_spec => [-> [<-]|_]; last exact: all_t.
by split=> //; exact: (decides_floor_exp u0 b0 D).
Qed.

(** A run that meets exponents of the table alone is the run with any function that has the table's values. *)
Lemma run_block_listed t e xs b : (forall a c, find t a = Some c -> e a = c) -> listed_block t xs b ->
  run_block w e xs b = run_block w (weigh t) xs b.
Proof.
move=> agree; case: b => [h ms|h ms] //= /allP ok; rewrite /run_full; apply: eq_in_mkseq => i small.
have ii : i \in iota 0 (size xs) by rewrite mem_iota.
suff -> : [seq cut_weight w (e (exponent w h (nth [::] [seq apply (W_Q h) x | x <- xs] i) k)) | k <- take i.+1 [seq apply (W_K h) x | x <- xs]]
  = [seq cut_weight w (weigh t (exponent w h (nth [::] [seq apply (W_Q h) x | x <- xs] i) k)) | k <- take i.+1 [seq apply (W_K h) x | x <- xs]] by [].
rewrite !(@map_take _ _ [::]) ?size_map //; apply: eq_in_mkseq => j ji.
have /(all_nthP [::])/(_ j) := ok i ii; rewrite size_takel ?size_map // => /(_ ji); rewrite nth_take //.
by rewrite /weigh; case E: (find t _) => [c|] // _; rewrite (agree _ _ E).
Qed.
(** So the checked run is the model's run. *)
Lemma run_listedE t e xs bs ys : (forall a c, find t a = Some c -> e a = c) -> run_listed t xs bs = Some ys ->
  foldl (run_block w e) xs bs = ys.
Proof.
move=> agree; elim: bs xs => [|b bs IH] xs /=; first by case.
by case: ifP => // ok /IH <-; rewrite (run_block_listed agree ok).
Qed.

(** The table has the listed exponents and no other. *)
Lemma find_table a : find table a = if among exponents a then Some (floor_of a) else None.
Proof. by rewrite /table /among; elim: exponents => [|b bs IH] //=; case: Z.eqb_spec => [->|]. Qed.
(** Any function with the true exponentials has the table's values; the table itself is one. *)
Lemma true_agrees e a c : decided -> true_exponentials w (among exponents) e -> find table a = Some c -> e a = c.
Proof.
move=> D true_e found; have [a0 F] := find_decided D found; move: found; rewrite find_table; case: ifP => // la _.
have u0 : (0 < u)%Z by have := pow2_pos (fraction w); rewrite /stream_unit; nia.
exact: (floor_exp_unique u0 a0 (true_e a a0 la) F).
Qed.
(** The table itself has the true exponentials. *)
Lemma weigh_true : decided -> true_exponentials w (among exponents) (weigh table).
Proof.
move=> D a _ la; have found : find table a = Some (floor_of a) by rewrite find_table la.
by rewrite /weigh found; have [] := find_decided D found.
Qed.

(** The check is right: with the true exponentials, the model solves the task at these sizes. *)
Theorem right_on_all_solves m ns : right_on_all m ns -> weights_solve m ns w (among exponents).
Proof.
case/andP=> D A; split=> [|e true_e z0 zs ws ok]; first by exists (weigh table); apply: weigh_true.
have := on_all_inputsP A ok.
case E: run_listed => [xs|] // /eqP <-; rewrite -evaluate_is_exact; last by rewrite size_cat addnC.
by rewrite /evaluate (run_listedE _ E) // => a c; apply: true_agrees.
Qed.
End Check.
