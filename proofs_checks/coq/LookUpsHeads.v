(** Full attention, as LookUps.v bounds it, is right: what each head says, and the stream after the heads of a layer. *)
From Coq Require Import ZArith QArith Qround Qabs Lqa Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Runs LookUps BentSums.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.
Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qopp : simpl never.
Arguments inner : simpl never.

(** * 5. Lists of results *)
Lemma all_some_nth S T (a : S) (b : T) (f : S -> option T) s t i : all_some f s = Some t -> i < size s -> f (nth a s i) = Some (nth b t i).
Proof.
elim: s t i => [|c s IH] t i //=; case F : (f c) => [c'|] //=; case E : (all_some f s) => [t'|] //= [<-].
by case: i => [|i] //= h; apply: IH.
Qed.
(** Questions that all have a result. *)
Lemma all_some_some S T (a : S) (f : S -> option T) (g : nat -> T) s : (forall i, i < size s -> f (nth a s i) = Some (g i)) ->
  all_some f s = Some (mkseq g (size s)).
Proof.
elim: s g => [|c s IH] g h //=; rewrite (h 0) //= (IH (fun i => g i.+1)) => [|i hi]; last exact: (h i.+1).
by rewrite /= /mkseq /= -(addn0 1) iotaDl -map_comp.
Qed.

(** * 6. What is known of a stream *)
Definition below (rd rd' : reading) : Prop := forall x v, rd x = Some v -> rd' x = Some v.
(** More is known, and the same is told. *)
Lemma told_below rd rd' a ts c : below rd rd' -> told rd a ts = Some c -> told rd' a ts = Some c.
Proof. by move=> le; elim: ts a => [|[[x j] k] ts IH] a //=; case E : (rd x) => [v|] //= /IH; rewrite (le _ _ E). Qed.
(** The same for all coordinates. *)
Lemma described_below rd rd' cs b : below rd rd' -> described rd cs = Some b -> described rd' cs = Some b.
Proof.
move=> le; rewrite /described; elim: cs b => [|c cs IH] b //=; rewrite /spread; case E : (told rd _ _) => [a|] //=.
by rewrite (told_below le E) /=; case F : (all_some _ cs) => [b'|] //= [<-]; rewrite (IH _ F).
Qed.

(** * 7. Attention *)
Lemma inner_comm u v : (inner u v == inner v u)%Q.
Proof. by elim: u v => [|a u IH] [|b v]; rewrite ?inner_nil ?inner_none; try lra; rewrite !inner_cons IH; lra. Qed.
(** An entry of a sum. *)
Lemma nth_add u v r : size u = size v -> (nth 0 (add_rows u v) r == nth 0 u r + nth 0 v r)%Q.
Proof.
rewrite /add_rows; elim: u v r => [|a u IH] [|b v] [|r] //= e; first by rewrite Qred_correct; lra.
by apply: IH; case: e.
Qed.
(** An entry of a multiple. *)
Lemma nth_times c v r : (nth 0 (times_row c v) r == c * nth 0 v r)%Q.
Proof. by rewrite /times_row; elim: v r => [|a v IH] [|r] //=; rewrite ?Qred_correct; try lra; apply: IH. Qed.
(** An entry of Σ c_i·(row i). *)
Lemma nth_combined es vs d r : all (fun v => size v == d) vs -> size es = size vs ->
  (nth 0 (combined es vs d) r == inner es [seq nth 0%Q v r | v <- vs])%Q.
Proof.
elim: es vs => [|e es IH] [|v vs] //=; first by move=> _ _; rewrite /combined /= inner_none nth_nseq; case: ifP => _; lra.
case/andP => /eqP sv all_d [ss]; rewrite inner_cons -(IH vs all_d ss) /combined /= -/(combined es vs d).
by rewrite nth_add ?nth_times // size_combined // size_map.
Qed.
Definition sumz (es : seq Z) : Q := inject_Z (foldr Z.add 0%Z es).
(** A sum of weights. *)
Lemma inner_ones es : (inner (nseq (size es) 1) (map inject_Z es) == sumz es)%Q.
Proof. by elim: es => [|e es IH] //=; rewrite inner_cons IH /sumz /= inject_Z_plus; lra. Qed.
(** A mean of numbers in h; and if one of them is in i. *)
Lemma sum_wide es cs h : all (Z.leb 0) es -> size es = size cs -> (forall c, List.In c cs -> inside c h) ->
  inside (inner (map inject_Z es) cs) (sumz es * h.1, sumz es * h.2)%Q.
Proof.
elim: es cs => [|e es IH] [|c cs] //= e0 ss hc.
case/andP: e0 => /Z.leb_le e0 /IH{IH} h0; case: ss => /h0{h0} [q cq|h1 h2]; first by apply: hc; right.
have [h3 h4] := hc c (or_introl erefl); have E : (0 <= inject_Z e)%Q by rewrite -(Zle_Qle 0).
apply: (insideE (Qeq_sym _ _ (inner_cons _ _ _ _))); rewrite /sumz /= inject_Z_plus -/(sumz es).
by move: h1 h2 => /= h1 h2; split=> /=; nra.
Qed.
(** One of them is in i. *)
Lemma sum_near es cs h i j : all (Z.leb 0) es -> size es = size cs -> (forall c, List.In c cs -> inside c h) -> j < size es ->
  inside (nth 0%Q cs j) i -> let e := inject_Z (nth 0%Z es j) in
  inside (inner (map inject_Z es) cs) (e * i.1 + (sumz es - e) * h.1, e * i.2 + (sumz es - e) * h.2)%Q.
Proof.
elim: es cs j => [|e es IH] [|c cs] [|j] //= e0 ss hc js ij; case/andP: e0 => /Z.leb_le e0 es0; case: ss => ss;
  have E : (0 <= inject_Z e)%Q by [rewrite -(Zle_Qle 0)];
  apply: (insideE (Qeq_sym _ _ (inner_cons _ _ _ _))); rewrite /sumz /= inject_Z_plus -/(sumz es).
  have [h1 h2] := @sum_wide es cs h es0 ss (fun q cq => hc q (or_intror cq)).
  by case: ij => h3 h4; move: h1 h2 => /= h1 h2; split=> /=; nra.
have [h1 h2] := IH cs j es0 ss (fun q cq => hc q (or_intror cq)) js ij.
by have [h3 h4] := hc c (or_introl erefl); move: h1 h2 => /= h1 h2; split=> /=; nra.
Qed.

(** Weights add up to 0 or more. *)
Lemma sumz_pos es : all (Z.leb 0) es -> (0 <= sumz es)%Q.
Proof.
rewrite /sumz -(Zle_Qle 0); elim: es => //= e es IH /andP[/Z.leb_le e0 /IH]; lia.
Qed.
(** Entry by entry. *)
Lemma in_box_by_nth x b : size x = size b -> (forall i, i < size b -> inside (nth 0%Q x i) (nth (0, 0)%Q b i)) -> in_box x b.
Proof.
elim: x b => [|a x IH] [|i b] //= [s] hi; split; first exact: (hi 0).
by apply: IH => // j; apply: (hi j.+1).
Qed.

Section Attention.
Variables (md : given) (known e : Q -> option Z) (m : nat) (ns : seq nat) (act : nat -> reading).
Hypothesis e_total : forall y, exists w, e y = Some w /\ (0 <= w)%Z.
Hypothesis e_known : forall y w, known y = Some w -> e y = Some w.
Hypothesis causal : both_ways md = false.
Local Notation n := (prompt_length m ns).
Hypothesis places_true : forall t rd l p, t < n -> below rd (act t) -> place_of m ns rd l = Some p ->
  p.1 < n /\ below (with_value rd p.2) (act p.1).

(** Powers of two are positive. *)
Lemma power_pos k : (0 < power_of_two k)%Q.
Proof. by rewrite /power_of_two -(Zlt_Qlt 0); apply: Z.pow_pos_nonneg; lia. Qed.
(** Rounding takes less than 2^-f away. *)
Lemma round_down_near a : (a - grain md <= round_down md a <= a)%Q.
Proof.
rewrite /grain /round_down !Qred_correct; set F := power_of_two _; have F0 : (0 < F)%Q := power_pos _.
have low := Qfloor_le (a * F)%Q; have high := Qlt_floor (a * F)%Q; rewrite inject_Z_plus in high.
set z := inject_Z (Qfloor _) in low high *.
have e1 : (z / F * F == z)%Q by field => E; rewrite E in F0.
have e2 : (1 / F * F == 1)%Q by field => E; rewrite E in F0.
change (inject_Z 1) with 1%Q in high.
by split; apply: (Qmult_lt_0_le_reg_r _ _ F F0); lra.
Qed.

Definition holds (st : stage) (xs : seq row) : Prop :=
  forall t, t < n -> exists b, box_at st t (act t) = Some b /\ in_box (nth [::] xs t) b.
(** What holds of a stream, by any reading of it. *)
Lemma holds_below st xs t rd b : holds st xs -> t < n -> below rd (act t) -> box_at st t rd = Some b -> in_box (nth [::] xs t) b.
Proof. by move=> H tn le /(described_below le); have [b' [+ h]] := H t tn; rewrite /box_at => -> [<-]. Qed.

Section Head.
Variables (W_Q W_K W_V W_O : seq row) (shift : Q) (v : view) (st : stage) (xs : seq row).
Local Notation h := (Softmax W_Q W_K W_V W_O shift).
Hypothesis xs_n : size xs = n.
Hypothesis st_xs : holds st xs.
Hypothesis keys_n : size W_K = size W_Q.
(** At each position the checker said something. *)
Hypothesis heard_all : forall t, t < n -> exists rd b say,
  [/\ below rd (act t), box_at st t rd = Some b & heard_at md known m ns st h v t rd b = Some say].
Local Notation q t := (image W_Q (nth [::] xs t)).
Local Notation k t := (image W_K (nth [::] xs t)).
Local Notation vals t := (image W_V (nth [::] xs t)).

(** The query of a token. *)
Lemma query_in t rd b : t < n -> below rd (act t) -> box_at st t rd = Some b -> in_box (q t) (query_box W_Q b).
Proof.
move=> tn le B; have xb := holds_below st_xs tn le B.
by rewrite /query_box /image; elim: W_Q => //= r W IH; split=> //; apply: rangeP.
Qed.
(** The key of a position. *)
Lemma key_is t : t < n -> same (k t) (nth [::] (keys_seen v) t) /\ sized (bound md) (k t).
Proof.
move=> tn; have [rd [b [say [le B]]]] := heard_all tn; rewrite /heard_at; case: ifP => // /andP[/andP[_ hk] sk] _.
have xb := holds_below st_xs tn le B.
have sm : same (k t) (nth [::] (keys_seen v) t).
  elim: W_K (nth [::] (keys_seen v) t) hk {sk} => [|r W IH] [|a ks] //= /andP[/andP[/at_most_bool h1 /at_most_bool h2] /IH]; split=> //.
  by have [h3 h4] := rangeP r xb; lra.
split=> //; elim: (k t) (nth [::] (keys_seen v) t) sm sk => [|a x IH] [|c y] //= [ac /IH h] /andP[ok /h ->]; rewrite andbT.
by move/Qle_bool_iff: ok; rewrite -ac => ?; apply/Qle_bool_iff.
Qed.
(** The values of a position. *)
Lemma values_in t : t < n -> in_box (vals t) (hull v) /\ sized (bound md) (vals t).
Proof.
move=> tn; have [rd [b [say [le B]]]] := heard_all tn; rewrite /heard_at; case: ifP => // /andP[/andP[/and5P[_ _ _ _ /and3P[hw hb _]] _] _] _.
have xb := holds_below st_xs tn le B.
suff i : in_box (vals t) (hull v) by split=> //; exact: in_box_sized i hb.
by elim: W_V (hull v) hw {hb} => [|r W IH] [|i H] //= /andP[w /IH]; split=> //; apply: withinP w (rangeP r xb).
Qed.

(** The weights of one token. *)
Local Notation y t j := (Qred (shift - inner (q t) (k j))%Q).
Definition given_weight (t j : nat) : Z := odflt 0%Z (e (y t j)).
(** All scores are at most the shift. *)
Lemma weight_known t rd b say j : t < n -> j <= t -> below rd (act t) -> box_at st t rd = Some b ->
  heard_at md known m ns st h v t rd b = Some say -> weight_of e shift (q t) (k j) = Some (inject_Z (given_weight t j)).
Proof.
move=> tn jt le B; rewrite /heard_at; case: ifP => // /andP[/andP[/and5P[_ hs /eqP sk _ _] _] _] _.
have jn := leq_ltn_trans jt tn; have [kk _] := key_is jn; have qb := query_in tn le B.
have hj : ((range (nth [::] (keys_seen v) j) (query_box W_Q b)).2 <= shift)%Q.
  by apply/at_most_bool; have := all_nthP [::] hs j; rewrite sk nth_take //; apply.
have [_ top] := rangeP (nth [::] (keys_seen v) j) qb.
have sc : (inner (q t) (k j) <= shift)%Q by rewrite inner_comm (inner_same_l _ kk); lra.
rewrite /weight_of; have -> : Qle_bool 0 (y t j) by apply/Qle_bool_iff; rewrite Qred_correct; lra.
by rewrite /given_weight; have [w [-> _]] := e_total (y t j).
Qed.

(** What the head says to a token. *)
Local Notation d := (size W_V).
Definition its_weights (t : nat) : seq Z := mkseq (given_weight t) t.+1.
Definition its_values (t : nat) : seq row := mkseq (fun j => vals j) t.+1.
Definition said_to (t : nat) : row := mean md d (weighted d (map inject_Z (its_weights t)) (its_values t)).
(** Weights are not negative. *)
Lemma weights_positive t : all (Z.leb 0) (its_weights t).
Proof.
rewrite /its_weights all_map; apply/allP => j _ /=; rewrite /given_weight; have [w [-> w0]] := e_total (y t j).
exact/Z.leb_le.
Qed.
(** The head runs, and says this. *)
Lemma head_runs : given_to md e h xs = Some (mkseq said_to n).
Proof.
rewrite /given_to; set qs := map (query h) xs; set ks := map (key h) xs; set vs := map _ xs.
have ok t : t < n -> [/\ small md (nth [::] qs t), small md (nth [::] ks t) & small md (nth [::] vs t)].
  move=> tn; rewrite /qs /ks /vs !(nth_map [::]) ?xs_n //; have [rd [b [say [le B H]]]] := heard_all tn.
  split; last by have [] := values_in tn.
    move: H; rewrite /heard_at; case: ifP => // /andP[/andP[/and5P[hq _ _ _ _] _] _] _.
    exact: in_box_sized (query_in tn le B) hq.
  by have [] := key_is tn.
have sq : size qs = n by rewrite size_map. have sk : size ks = n by rewrite size_map. have sv : size vs = n by rewrite size_map.
have -> : ~~ all (small md) (qs ++ ks ++ vs ++ map (gates h) xs ++ [::]) = false.
  apply/negbF; rewrite !all_cat /= andbT; apply/and4P; split; apply/(all_nthP [::]) => t; rewrite ?sq ?sk ?sv ?size_map ?xs_n => /[dup] tn /ok[] //.
  by move=> *; rewrite (nth_map [::]) ?xs_n.
rewrite /= xs_n -[X in Some (mkseq _ X)](size_iota 0); apply: (@all_some_some _ _ 0) => t; rewrite size_iota => tn.
rewrite nth_iota // add0n /seen causal /sums_over; have [rd [b [say [le B H]]]] := heard_all tn.
rewrite !map_take [map fst _]unzip1_zip ?sk ?sv // [map snd _]unzip2_zip ?sk ?sv //.
have st1 : size (take t.+1 ks) = t.+1 by rewrite size_takel ?sk.
have -> : all_some (weight_of e (shift_of h) (nth [::] qs t)) (take t.+1 ks) = Some (map inject_Z (its_weights t)).
  rewrite /its_weights /mkseq -map_comp -[X in iota 0 X]st1; apply: (@all_some_some _ _ [::]) => j; rewrite st1 ltnS => jt.
  rewrite nth_take // /qs /ks !(nth_map [::]) ?xs_n //; last exact: leq_ltn_trans jt tn.
  exact: weight_known tn jt le B H.
rewrite /= /said_to; congr (Some (mean _ _ (weighted _ _ _))).
apply: (@eq_from_nth _ [::]); rewrite ?size_mkseq ?size_takel ?sv // => j jt; rewrite nth_take // nth_mkseq // /vs (nth_map [::]) // xs_n.
exact: leq_trans jt tn.
Qed.

(** Coordinate r of the values of token t. *)
Definition column (t r : nat) : row := [seq nth 0%Q x r | x <- its_values t].
Definition quotient (a total : Q) : Q := if Qeq_bool total 0%Q then 0%Q else round_down md (Qred (a / total)%Q).
(** Its values have one length. *)
Lemma its_sizes t : all (fun x => size x == d) (its_values t).
Proof. by rewrite /its_values /mkseq all_map; apply/allP => j _; rewrite /preim /= size_image. Qed.
(** What it says has that length. *)
Lemma size_said t : size (said_to t) = d.
Proof. by rewrite /said_to /mean size_map; apply: size_takel; rewrite /weighted size_rcons size_combined ?its_sizes. Qed.
(** A coordinate of it. *)
Lemma nth_said t r : r < d -> exists a total, [/\ nth 0%Q (said_to t) r = quotient a total,
  (a == inner (map inject_Z (its_weights t)) (column t r))%Q & (total == sumz (its_weights t))%Q].
Proof.
move=> rd; have alld := its_sizes t.
set es := map inject_Z (its_weights t); have ss : size es = size (its_values t) by rewrite size_map !size_mkseq.
exists (nth 0%Q (combined es (its_values t) d) r), (inner (nseq (size es) 1%Q) es); split.
- rewrite /said_to /mean /weighted last_rcons (nth_map 0%Q) ?size_takel ?size_rcons ?size_combined // nth_take // nth_rcons size_combined // rd.
  by [].
- exact: nth_combined.
by rewrite /es size_map inner_ones.
Qed.
(** As many values as weights. *)
Lemma column_size t r : size (its_weights t) = size (column t r).
Proof. by rewrite /column size_map !size_mkseq. Qed.
(** Each value is in the hull. *)
Lemma column_in t r c : t < n -> r < d -> List.In c (column t r) -> inside c (nth (0, 0)%Q (hull v) r).
Proof.
move=> tn rd hc; have : exists j, j <= t /\ c = nth 0%Q (vals j) r.
  move: hc; rewrite /column /its_values /mkseq -map_comp; elim: {-2}(iota 0 t.+1) (fun j => (id : j \in iota 0 t.+1 -> j \in iota 0 t.+1)) => [|j js IH] sub //=.
  case=> [<-|]; last by apply: IH => i hi; apply: sub; rewrite inE hi orbT.
  by exists j; split=> //; have := sub j; rewrite inE eqxx mem_iota /= add0n ltnS; apply.
case=> j [jt ->]; have [i _] := values_in (leq_ltn_trans jt tn).
by apply: (in_box_nth i); rewrite -(in_box_size i) size_image.
Qed.
(** The grain is not negative. *)
Lemma grain_pos : (0 <= grain md)%Q.
Proof. by have := round_down_near 0; lra. Qed.
(** A quotient, rounded down. *)
Lemma quotient_in a total l h' : (0 < total)%Q -> (l <= a <= h')%Q ->
  (l / total - grain md <= quotient a total)%Q /\ (quotient a total <= h' / total)%Q.
Proof.
move=> t0 [h1 h2]; rewrite /quotient; case E : (Qeq_bool total 0); first by move/Qeq_bool_iff: E => E; lra.
have [h3 h4] := round_down_near (Qred (a / total)); have hq := Qred_correct (a / total)%Q.
have t1 : ~ (total == 0)%Q by lra.
have el : (l / total * total == l)%Q by field. have ea : (a / total * total == a)%Q by field. have eh : (h' / total * total == h')%Q by field.
have : (l / total <= a / total)%Q by apply: (Qmult_lt_0_le_reg_r _ _ total t0); lra.
have : (a / total <= h' / total)%Q by apply: (Qmult_lt_0_le_reg_r _ _ total t0); lra.
by split; lra.
Qed.

(** What is said lies between the values. *)
Lemma said_wide t : t < n -> in_box (said_to t) [seq between md i | i <- hull v].
Proof.
move=> tn; have [hv _] := values_in tn; have sh : size (hull v) = d by rewrite -(in_box_size hv) size_image.
apply: in_box_by_nth => [|r]; first by rewrite size_said size_map sh.
rewrite size_map sh => rd; have [a [total [-> ea et]]] := nth_said t rd; rewrite (nth_map (0, 0)%Q) ?sh //; set i := nth _ _ r.
have [h1 h2] := @sum_wide (its_weights t) (column t r) i (weights_positive t) (column_size t r) (fun c hc => column_in tn rd hc).
have s0 := sumz_pos (weights_positive t); have g0 := grain_pos; have [l1 l2] := lesser_le 0 i.1; have [g1 g2] := greater_ge 0 i.2.
case E : (Qeq_bool total 0).
  by rewrite /quotient E; split=> /=; rewrite ?Qred_correct; lra.
have t0 : (0 < total)%Q by case: (Qlt_le_dec 0 total) => // ?; move/Qeq_bool_neq: E; lra.
have bounds : (total * i.1 <= a <= total * i.2)%Q by rewrite ea et; split; [exact: h1 | exact: h2].
have [h3 h4] := quotient_in t0 bounds.
have e1 : (total * i.1 / total == i.1)%Q by field; lra.
have e2 : (total * i.2 / total == i.2)%Q by field; lra.
by split=> /=; rewrite ?Qred_correct; lra.
Qed.

(** Looked up: the weights that the checker has are those of the run. *)
Lemma known_weights t rd b say es : t < n -> below rd (act t) -> box_at st t rd = Some b ->
  heard_at md known m ns st h v t rd b = Some say -> all one_number (query_box W_Q b) ->
  weights_of known shift (lows (query_box W_Q b)) (take t.+1 (keys_seen v)) = Some es -> es = its_weights t.
Proof.
move=> tn le B H one W; have := H; rewrite /heard_at; case: ifP => // /andP[/andP[/and5P[_ _ /eqP sk _ _] _] _] _.
have qb := query_in tn le B.
have sq : same (q t) (lows (query_box W_Q b)).
  elim: (q t) (query_box W_Q b) qb one {W H} => [|a x IH] [|i bb] //= [ia ib] /andP[o os]; split; last exact: IH.
  exact: one_numberP o ia.
have se := size_all_some W; rewrite sk in se.
apply: (@eq_from_nth _ 0%Z); rewrite se ?size_mkseq // => j jt; have jn := leq_trans jt tn.
have := @all_some_nth _ _ [::] 0%Z _ _ _ j W; rewrite sk nth_take // => /(_ jt) /e_known K.
rewrite /its_weights nth_mkseq // /given_weight; have [kk _] := key_is jn.
suff -> : y t j = exponent_of shift (lows (query_box W_Q b)) (nth [::] (keys_seen v) j) by rewrite K.
apply: Qred_complete; rewrite (inner_same _ kk) (inner_same_l _ sq); reflexivity.
Qed.
(** What a place says. *)
Lemma look_up_in t rd b say es l p c : t < n -> below rd (act t) -> box_at st t rd = Some b ->
  heard_at md known m ns st h v t rd b = Some say -> es = its_weights t ->
  place_of m ns rd l = Some p -> look_up md st W_V v es rd p = Some c -> in_box (said_to t) c.
Proof.
move=> tn le B H -> /(places_true tn le)[pn lep]; rewrite /look_up; case: ifP => // pt; case Bp : (box_at _ _ _) => [bp|] //=.
case Z : (Qle_bool _ 0) => // -[<-]; move/above_bool: Z => t0.
have xp := holds_below st_xs pn lep Bp.
have [hv _] := values_in tn; have sh : size (hull v) = d by rewrite -(in_box_size hv) size_image.
apply: in_box_by_nth => [|r]; first by rewrite size_said size_map size_zip sh minnn.
rewrite size_map size_zip sh minnn => rd'.
have [a [total [-> ea et]]] := nth_said t rd'.
rewrite (nth_map ([::], (0, 0)%Q)) ?size_zip ?sh ?minnn // nth_zip ?sh // [_.1]/= [_.2]/=; set i := nth (0, 0)%Q (hull v) r.
have near : inside (nth 0%Q (column t r) p.1) (range (nth [::] W_V r) bp).
  rewrite /column (nth_map [::]) ?size_mkseq; last by move: pt; rewrite size_mkseq.
  rewrite nth_mkseq; last by move: pt; rewrite size_mkseq.
  by rewrite (nth_map [::]) //; apply: rangeP.
have [h1 h2] := @sum_near (its_weights t) (column t r) i _ p.1 (weights_positive t) (column_size t r) (fun c hc => column_in tn rd' hc) pt near.
set ew := inject_Z (nth 0%Z _ _) in h1 h2.
have tt0 : (0 < total)%Q by rewrite et; exact: t0.
suff : inside (quotient a total) (mixture md ew (sumz (its_weights t)) (range (nth [::] W_V r) bp) i) by [].
move: h1 h2 => /= h1 h2; rewrite /mixture.
have bounds : (ew * (range (nth [::] W_V r) bp).1 + (total - ew) * i.1 <= a <= ew * (range (nth [::] W_V r) bp).2 + (total - ew) * i.2)%Q.
  by rewrite ea et.
have [h3 h4] := quotient_in tt0 bounds; have g0 := grain_pos.
by split=> /=; rewrite Qred_correct -et; lra.
Qed.
(** What is said, by everything that the checker has. *)
Lemma said_in t rd b say : t < n -> below rd (act t) -> box_at st t rd = Some b ->
  heard_at md known m ns st h v t rd b = Some say -> in_box (said_to t) say.
Proof.
move=> tn le B H; have wide := said_wide tn; have := H; rewrite {1}/heard_at; case: ifP => // _ [<-].
case: ifP => // one; case W : (weights_of _ _ _) => [es|] //; have E := known_weights tn le B H one W.
suff gen ls : in_box (said_to t) (foldr (fun l found => narrowed found (obind (look_up md st W_V v es rd) (place_of m ns rd l)))
    [seq between md i | i <- hull v] ls) by exact: (gen (iota 0 (size ns).+2)).
elim: ls => //= l ls; set f := foldr _ _ _ => IH; rewrite /narrowed.
case P : (place_of m ns rd l) => [p|] //=; case L : (look_up _ _ _ _ _ _ _) => [c|] //.
have := look_up_in tn le B H E P L; elim: (said_to t) f c IH {L} => [|a x IH] [|i bx] [|j c] //= [ia ib] [ja jb]; split; last exact: IH.
by rewrite /meet /lesser /greater; case: ia ja => ? ? [? ?]; split=> /=; case: ifP => _; lra.
Qed.
End Head.

(** * 8. A layer *)
Lemma heads_run d st xs hs views : size xs = n -> holds st xs -> size views = size hs -> all (shaped d) hs ->
  (forall t, t < n -> exists rd b saids, [/\ below rd (act t), box_at st t rd = Some b
    & all_some (fun p : given_head * view => heard_at md known m ns st p.1 p.2 t rd b) (zip hs views) = Some saids]) ->
  exists outs, [/\ all_some (fun h => given_to md e h xs) hs = Some outs,
    all2 (fun h o => (size o == n) && all (fun x => size x == size (value_rows h)) o) hs outs
    & forall t rd b saids, t < n -> below rd (act t) -> box_at st t rd = Some b ->
      all_some (fun p : given_head * view => heard_at md known m ns st p.1 p.2 t rd b) (zip hs views) = Some saids ->
      in_box (flatten [seq nth [::] o t | o <- outs]) (flatten saids)].
Proof.
move=> xn H; elim: hs views => [|h hs IH] [|v views] //= sv shape each.
  by exists [::]; split=> // t rd b saids _ _ _ [<-].
case: sv => sv; case/andP: shape => sh shs.
have split_each t : t < n -> exists rd b say saids, [/\ below rd (act t), box_at st t rd = Some b, heard_at md known m ns st h v t rd b = Some say
    & all_some (fun p : given_head * view => heard_at md known m ns st p.1 p.2 t rd b) (zip hs views) = Some saids].
  case/each => rd [b [saids [le B]]]; case Hh : (heard_at _ _ _ _ _ _ _ _ _ _) => [say|] //=; case A : (all_some _ _) => [r|] //= _.
  by exists rd, b, say, r.
case: h sh split_each {each} => // W_Q W_K W_V W_O shift sh split_each.
have [|outs [E1 E2 E3]] := IH views sv shs.
  by move=> t /split_each[rd [b [say [saids [? ? _ ?]]]]]; exists rd, b, saids.
have heard_all t : t < n -> exists rd b say, [/\ below rd (act t), box_at st t rd = Some b
    & heard_at md known m ns st (Softmax W_Q W_K W_V W_O shift) v t rd b = Some say].
  by move=> /split_each[rd [b [say [saids [? ? ? _]]]]]; exists rd, b, say.
exists (mkseq (said_to W_Q W_K W_V shift xs) n :: outs); split.
- by rewrite (head_runs xn H heard_all) /= E1.
- have sn : size (mkseq (said_to W_Q W_K W_V shift xs) n) == n by rewrite size_mkseq.
  suff so : all (fun x => size x == size W_V) (mkseq (said_to W_Q W_K W_V shift xs) n) by apply/andP; split=> //; apply/andP.
  by rewrite /mkseq all_map; apply/allP => t _; rewrite /preim /= size_said.
move=> t rd b saids tn le B; case Hh : (heard_at _ _ _ _ _ _ _ _ _ _) => [say|] //=; case A : (all_some _ _) => [r|] //= [<-].
rewrite /= nth_mkseq //; apply: in_box_cat; last exact: E3 A.
by eapply said_in; eauto.
Qed.

(** The stream after the heads, as rows over what it was and what they say. *)
Definition added (t : nat) (y : row) (ho : given_head * seq row) : row := add_rows y (image (out_rows ho.1) (nth [::] ho.2 t)).
(** A unit row, behind its 1. *)
Lemma inner_before i j k x : i < j -> (inner [seq (if (c == i)%N then 1 else 0) | c <- iota j k] x == 0)%Q.
Proof.
elim: k j x => [|k IH] j [|b x] ij; rewrite ?inner_nil ?inner_none //.
rewrite [iota _ _]/= map_cons inner_cons; have z := IH j.+1 x (leqW ij); rewrite z gtn_eqF //; lra.
Qed.
(** A unit row reads its entry. *)
Lemma inner_unit d r x : r < d -> size x = d -> (inner (unit_row d r) x == nth 0 x r)%Q.
Proof.
move=> rd sx; rewrite /unit_row /mkseq.
suff gen j : (inner [seq (if (c == r + j)%N then 1 else 0) | c <- iota j (size x)] x == nth 0 x r)%Q by rewrite -sx; have := gen 0; rewrite addn0.
elim: x r j {d rd sx} => [|a x IH] r j; first by rewrite inner_nil nth_nil.
rewrite [iota _ _]/= map_cons inner_cons; case: r => [|r] /=.
  by have z := inner_before (size x) x (ltnSn j); rewrite add0n eqxx z; lra.
have z := IH r j.+1; rewrite addnS -addSn in z; rewrite z.
by have -> : (j == r.+1 + j) = false; [rewrite -{1}(add0n j) eqn_add2r | lra].
Qed.
(** Coordinate by coordinate. *)
Lemma added_rows d t y hs outs : all (shaped d) hs -> all2 (fun h o => (size o == n) && all (fun x => size x == size (value_rows h)) o) hs outs ->
  t < n -> size y = d -> forall r, r < d ->
  size (foldl (added t) y (zip hs outs)) = d /\
  (nth 0 (foldl (added t) y (zip hs outs)) r
   == nth 0 y r + inner (flatten [seq nth [::] (out_rows h) r | h <- hs]) (flatten [seq nth [::] o t | o <- outs]))%Q.
Proof.
move=> + + tn + r rd; elim: hs outs y => [|h hs IH] [|o outs] y //=; first by move=> _ _ sy; split=> //; rewrite inner_none; lra.
case/andP => sh shs /andP[/andP[/eqP so /(all_nthP [::]) vo] okouts] sy.
have vt : size (nth [::] o t) = size (value_rows h) by apply/eqP/vo; rewrite so.
case: h sh vt {vo} => // W_Q W_K W_V W_O shift /and3P[_ /eqP sO rO] vt.
have s1 : size (added t y (Softmax W_Q W_K W_V W_O shift, o)) = d by rewrite /added size_add_rows // size_image sy.
have [-> h2] := IH outs _ shs okouts s1; split=> //; rewrite h2 /added nth_add ?size_image ?sy //= (nth_map [::]) ?sO //.
rewrite inner_cat; first by lra.
by rewrite vt; apply/eqP; have := all_nthP [::] rO r; rewrite sO; apply.
Qed.
(** Rows with the same entries. *)
Lemma same_nth x y : size x = size y -> (forall r, r < size x -> (nth 0 x r == nth 0 y r)%Q) -> same x y.
Proof.
elim: x y => [|a x IH] [|b y] //= [s] h; split; first exact: (h 0).
by apply: IH => // r; apply: (h r.+1).
Qed.
(** All heads together add what the rows behind them say. *)
Lemma added_same d t x hs outs : all (shaped d) hs -> all2 (fun h o => (size o == n) && all (fun x => size x == size (value_rows h)) o) hs outs ->
  t < n -> size x = d ->
  same (foldl (added t) x (zip hs outs)) (image (rows_after d hs) (x ++ flatten [seq nth [::] o t | o <- outs])).
Proof.
move=> sh ok tn sx; case: d sh sx => [|d] sh sx.
  have s0 : size (foldl (added t) x (zip hs outs)) = 0.
    elim: hs outs x sx sh ok => [|h hs IH] [|o outs] x sx //= /andP[_ shs] /andP[_ ok]; apply: IH => //.
    by rewrite /added /add_rows size_map size_zip sx min0n.
  by rewrite /rows_after /=; case: (foldl _ _ _) s0.
have sz := (added_rows sh ok tn sx (ltn0Sn d)).1.
apply: same_nth => [|r]; first by rewrite sz size_image size_mkseq.
rewrite sz => rd; rewrite (nth_map [::]) ?size_mkseq // nth_mkseq // inner_cat; last by rewrite size_mkseq.
by rewrite inner_unit //; exact: (added_rows sh ok tn sx rd).2.
Qed.
(** As long as what they are applied to. *)
Lemma rows_after_sizes d hs (outs : seq (seq row)) t : all (shaped d) hs -> all2 (fun h o => (size o == n) && all (fun x => size x == size (value_rows h)) o) hs outs ->
  t < n -> all (fun r => size r == d + size (flatten [seq nth [::] o t | o <- outs])) (rows_after d hs).
Proof.
move=> sh ok tn; rewrite /rows_after all_map; apply/allP => r; rewrite mem_iota add0n /= => rd.
rewrite size_cat size_mkseq eqn_add2l; elim: hs outs sh ok => [|h hs IH] [|o outs] //= /andP[sh shs] /andP[/andP[/eqP so /(all_nthP [::]) vo] oks].
have e1 : size (flatten [seq nth [::] (out_rows h) r | h <- hs]) = size (flatten [seq nth [::] o t | o <- outs]) by apply/eqP/IH.
rewrite !size_cat e1 eqn_add2r; have := vo t; rewrite so => /(_ tn) /eqP ->.
case: h sh {vo} => // ? ? W_V W_O ? /and3P[_ /eqP sO rO] /=; have := all_nthP [::] rO r; rewrite sO; exact.
Qed.
End Attention.
