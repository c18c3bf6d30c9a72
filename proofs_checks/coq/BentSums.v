(** What LookUps.v computes of intervals is right: ranges of rows, sums of ReLUs of one number, and the MLP. *)
From Coq Require Import ZArith QArith Qround Qabs Lqa Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Runs LookUps.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.
Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qopp : simpl never.

(** * 1. Numbers and intervals *)
Definition inside (a : Q) (i : interval) : Prop := (i.1 <= a <= i.2)%Q.
Fixpoint in_box (x : row) (b : box) : Prop :=
  match x, b with
  | a :: x', i :: b' => inside a i /\ in_box x' b'
  | [::], [::] => True
  | _, _ => False
  end.
(** A comparison that holds. *)
Lemma at_most_bool a b : Qle_bool a b -> (a <= b)%Q. Proof. by move/Qle_bool_iff. Qed.
(** A comparison that does not. *)
Lemma above_bool a b : Qle_bool a b = false -> (b < a)%Q.
Proof. by move=> h; apply: Qnot_le_lt => /Qle_bool_iff; rewrite h. Qed.
(** The lesser of two. *)
Lemma lesser_le a b : (lesser a b <= a)%Q /\ (lesser a b <= b)%Q.
Proof. by rewrite /lesser; case E : (Qle_bool a b); [move/at_most_bool: E | move/above_bool: E]; split; lra. Qed.
(** The greater of two. *)
Lemma greater_ge a b : (a <= greater a b)%Q /\ (b <= greater a b)%Q.
Proof. by rewrite /greater; case E : (Qle_bool a b); [move/at_most_bool: E | move/above_bool: E]; split; lra. Qed.
(** Equal numbers are in the same intervals. *)
Lemma insideE a a' i : (a == a')%Q -> inside a i -> inside a' i.
Proof. by rewrite /inside => e [h1 h2]; split; lra. Qed.
(** An interval within another. *)
Lemma withinP a i j : within i j -> inside a i -> inside a j.
Proof. by case/andP => /at_most_bool h1 /at_most_bool h2 [h3 h4]; split; lra. Qed.
(** A sum of numbers. *)
Lemma sum_ofP a b i j : inside a i -> inside b j -> inside (a + b)%Q (sum_of i j).
Proof. by case=> h1 h2 [h3 h4]; split=> /=; rewrite Qred_correct; lra. Qed.
(** A multiple of a number. *)
Lemma multipleP a x i : inside x i -> inside (a * x)%Q (multiple a i).
Proof.
case=> h1 h2; rewrite /multiple; case E : (Qle_bool 0%Q a); [move/at_most_bool: E | move/above_bool: E] => a0; split=> /=; rewrite Qred_correct; nra.
Qed.
(** An interval of one number. *)
Lemma one_numberP x i : one_number i -> inside x i -> (x == i.1)%Q.
Proof. by move/at_most_bool => h [h1 h2]; lra. Qed.

(** * 2. Rows *)
Fixpoint same (x y : row) : Prop :=
  match x, y with
  | a :: x', b :: y' => (a == b)%Q /\ same x' y'
  | [::], [::] => True
  | _, _ => False
  end.
(** A product of rows, entry by entry. *)
Lemma inner_cons a u b v : (inner (a :: u) (b :: v) == a * b + inner u v)%Q.
Proof. by rewrite /=; case E : (Qeq_bool a 0%Q); [move/Qeq_bool_iff: E => ->; lra | rewrite Qred_correct]. Qed.
(** Nothing on the right. *)
Lemma inner_nil u : inner u [::] = 0%Q. Proof. by case: u. Qed.
(** It is in lowest terms. *)
Lemma inner_reduced u v : Qred (inner u v) = inner u v.
Proof.
elim: u v => [|a u IH] [|b v] //=; case: ifP => _; first exact: IH.
by apply: Qred_complete; rewrite Qred_correct.
Qed.
(** A row is the same as itself. *)
Lemma same_refl x : same x x. Proof. by elim: x => //= a x IH; split=> //; lra. Qed.
(** Rows that are the same are as long as each other. *)
Lemma same_size x y : same x y -> size x = size y.
Proof. by elim: x y => [|a x IH] [|b y] //= [_ /IH ->]. Qed.
(** Products with rows that are the same. *)
Lemma inner_same u x y : same x y -> (inner u x == inner u y)%Q.
Proof. by elim: u x y => [|c u IH] [|a x] [|b y] // [e /IH h]; rewrite !inner_cons e h. Qed.
(** On the other side. *)
Lemma inner_same_l u v x : same u v -> (inner u x == inner v x)%Q.
Proof. by elim: u v x => [|c u IH] [|d v] [|a x] // [e /IH h]; rewrite !inner_cons e h. Qed.
(** They are in the same boxes. *)
Lemma in_box_same x y b : same x y -> in_box x b -> in_box y b.
Proof. by elim: x y b => [|a x IH] [|c y] [|i b] //= [e h] [ia ib]; split; [exact: insideE e ia | exact: IH h ib]. Qed.
(** A row is as long as its box. *)
Lemma in_box_size x b : in_box x b -> size x = size b.
Proof. by elim: x b => [|a x IH] [|i b] //= [_ /IH ->]. Qed.
(** An entry of a row in a box. *)
Lemma in_box_nth x b i : in_box x b -> i < size b -> inside (nth 0%Q x i) (nth (0, 0)%Q b i).
Proof. by elim: x b i => [|a x IH] [|j b] [|i] //= [ia ib] // h; apply: IH. Qed.
(** Two rows in a row. *)
Lemma in_box_cat x y b c : in_box x b -> in_box y c -> in_box (x ++ y) (b ++ c).
Proof. by elim: x b => [|a x IH] [|i b] //= [ia ib] yc; split=> //; apply: IH. Qed.
(** A product of two rows in a row. *)
Lemma inner_cat u v x y : size u = size x -> (inner (u ++ v) (x ++ y) == inner u x + inner v y)%Q.
Proof.
elim: u x => [|a u IH] [|b x] //; first by move=> _; rewrite /=; lra.
by case=> /IH h; rewrite !cat_cons !inner_cons h; lra.
Qed.
(** The range of a row is one. *)
Lemma rangeP r b x : in_box x b -> inside (inner r x) (range r b).
Proof.
elim: r b x => [|a r IH] [|i b] [|c x] //=; try by split=> /=; lra.
case=> ic /IH h; case E : (Qeq_bool a 0%Q) => //.
exact: insideE (Qeq_sym _ _ (Qred_correct _)) (sum_ofP (multipleP a ic) h).
Qed.
(** A row that is constant but for one coordinate. *)
Lemma singleP r b x a o : in_box x b -> single r b = Some (a, o) ->
  (inner r x == a + (if o is Some (i, c) then c * nth 0%Q x i else 0))%Q /\ (if o is Some (i, c) then i < size b else True).
Proof.
elim: r b x a o => [|c r IH] [|i b] [|d x] a o // ibd.
- by case=> <- <-; split=> //=; lra.
- by case=> <- <-; split=> //=; lra.
- by case=> <- <-; split=> //=; lra.
case: (ibd) => id ib; rewrite (inner_cons c) /=; case S : (single r b) => [[a' o']|] //=; have [h lt] := IH _ _ _ _ ib S.
case E : (Qeq_bool c 0%Q).
  by move/Qeq_bool_iff: E => ce [<- <-]; case: o' h lt {S} => [[j f]|] /= h lt; split=> //; rewrite ce h; lra.
case O : (one_number i).
  by have := one_numberP O id => de [<- <-]; case: o' h lt {S} => [[j f]|] /= h lt; split=> //; rewrite Qred_correct de h; lra.
by case: o' h {S lt} => [[j f]|] //= h [<- <-]; split=> //=; rewrite h; lra.
Qed.

(** * 3. Sums of ReLUs *)
Definition bent_value (slope : Q) (terms : seq bent) (t : Q) : Q :=
  foldr (fun k sum => k.1 * positive (k.2.1 + k.2.2 * t) + sum)%Q (slope * t)%Q terms.
(** The positive parts of equal numbers. *)
Lemma positiveE a b : (a == b)%Q -> (positive a == positive b)%Q.
Proof.
rewrite /positive => e; case E : (Qle_bool 0%Q a); case F : (Qle_bool 0%Q b) => //;
  [move/at_most_bool: E; move/above_bool: F | move/above_bool: E; move/at_most_bool: F]; lra.
Qed.
(** A number from 0 on. *)
Lemma positive_up a : (0 <= a)%Q -> (positive a == a)%Q.
Proof. by rewrite /positive; case E : (Qle_bool 0%Q a) => //; move/above_bool: E; lra. Qed.
(** A number up to 0. *)
Lemma positive_down a : (a <= 0)%Q -> (positive a == 0)%Q.
Proof. by rewrite /positive; case E : (Qle_bool 0%Q a) => //; move/at_most_bool: E; lra. Qed.
(** The program's sum is the sum. *)
Lemma bent_sumE slope terms t : (bent_sum slope terms t == bent_value slope terms t)%Q.
Proof.
elim: terms => [|k ts IH] /=; first by rewrite Qred_correct; lra.
by rewrite Qred_correct IH (positiveE (Qred_correct _)); lra.
Qed.
(** On a piece where no term bends the sum is linear. *)
Lemma straightP slope terms p p' : (p <= p')%Q -> straight terms p p' ->
  exists a c, forall t, (p <= t <= p')%Q -> (bent_value slope terms t == a + c * t)%Q.
Proof.
move=> pp; elim: terms => [|k ts IH] /=; first by exists 0%Q, slope => t _; lra.
case/andP => hk /IH[a [c h]]; case/orP: hk => /andP[/at_most_bool h1 /at_most_bool h2]; rewrite /line Qred_correct in h1; rewrite /line Qred_correct in h2.
  exists (k.1 * k.2.1 + a)%Q, (k.1 * k.2.2 + c)%Q => t ht; rewrite (h t ht) positive_up; first by lra.
  by case: (Qlt_le_dec k.2.2 0%Q) => ?; nra.
exists a, c => t ht; rewrite (h t ht) positive_down; first by lra.
by case: (Qlt_le_dec k.2.2 0%Q) => ?; nra.
Qed.
(** Between the values at the ends. *)
Lemma straight_inside slope terms p p' t i : (p <= p')%Q -> straight terms p p' -> (p <= t <= p')%Q ->
  inside (bent_value slope terms p) i -> inside (bent_value slope terms p') i -> inside (bent_value slope terms t) i.
Proof.
move=> pp /(straightP slope pp)[a [c h]] ht; rewrite /inside (h t ht) (h p) ?(h p'); try lra.
by case=> ? ? [? ?]; case: (Qlt_le_dec c 0%Q) => ?; split; nra.
Qed.
(** A bent value that is in an interval at all points is in it between them. *)
Lemma piecesP slope terms p points t i : pieces terms p points -> (p <= t <= last p points)%Q ->
  inside (bent_value slope terms p) i -> (forall q, List.In q points -> inside (bent_value slope terms q) i) ->
  inside (bent_value slope terms t) i.
Proof.
elim: points p => [|p' points IH] p /=.
  move=> _ ht [h1 h2] _; have e : (t == p)%Q by lra.
  have E : (bent_value slope terms t == bent_value slope terms p)%Q.
    by elim: terms {h1 h2} => [|k ts IH] /=; [rewrite e | rewrite IH (positiveE (b := (k.2.1 + k.2.2 * p)%Q)) // e].
  by split; lra.
case/and3P => /at_most_bool pp hs hp ht ip ipts.
have ip' := ipts p' (or_introl erefl).
case: (Qlt_le_dec p' t) => tp; last by apply: (straight_inside pp hs) => //; lra.
by apply: (IH p') => //; [lra | move=> q hq; apply: ipts; right].
Qed.
(** The range of a sum of ReLUs. *)
Lemma bent_rangeP slope terms i r t : bent_range slope terms i = Some r -> inside t i -> inside (bent_value slope terms t) r.
Proof.
rewrite /bent_range; case: terms => [|k0 ts0].
  by case=> <- it; apply: insideE (multipleP slope it).
move: (k0 :: ts0) => {k0 ts0} terms; case: ifP => // hp [<-] [h1 h2]; set pts := bends terms i in hp *; set r' := foldr _ _ _.
have grows c (R : interval) v : inside v R -> inside v (lesser c R.1, greater c R.2).
  by have [? ?] := lesser_le c R.1; have [? ?] := greater_ge c R.2; case=> ? ?; split=> /=; lra.
have hfirst : inside (bent_sum slope terms i.1) r' by rewrite /r'; elim: pts {hp r'} => [|q pts IH] /=; [split=> /=; lra | exact: grows].
have hall q : List.In q pts -> inside (bent_sum slope terms q) r'.
  rewrite /r'; elim: pts {hp r' hfirst} => [|c pts IH] //=; case=> [<-|/IH]; last exact: grows.
  set R := foldr _ _ _; have [? ?] := lesser_le (bent_sum slope terms c) R.1; have [? ?] := greater_ge (bent_sum slope terms c) R.2.
  by split=> /=; lra.
apply: (piecesP hp).
- by split=> //; rewrite /pts /bends last_rcons.
- exact: insideE (bent_sumE _ _ _) hfirst.
by move=> q /hall; apply: insideE (bent_sumE _ _ _).
Qed.

(** * 4. The MLP *)
Lemma inner_none v : inner [::] v = 0%Q. Proof. by []. Qed.
Arguments inner : simpl never.
(** As long as both. *)
Lemma size_add_rows u v : size u = size v -> size (add_rows u v) = size u.
Proof. by move=> e; rewrite /add_rows size_map size_zip e minnn. Qed.
(** A product with a sum. *)
Lemma inner_add u v x : size u = size v -> (inner (add_rows u v) x == inner u x + inner v x)%Q.
Proof.
elim: u v x => [|a u IH] [|b v] [|c x] //; try by rewrite ?inner_nil ?inner_none; lra.
case=> e; rewrite /add_rows /= -/(add_rows u v) !inner_cons (IH v x e) Qred_correct; lra.
Qed.
(** A product with a multiple. *)
Lemma inner_times c v x : (inner (times_row c v) x == c * inner v x)%Q.
Proof. by elim: v x => [|a v IH] [|b x]; try (by rewrite ?inner_nil ?inner_none; lra); rewrite /times_row /= -/(times_row c v) !inner_cons IH Qred_correct; lra. Qed.
(** A product with zeros. *)
Lemma inner_zeros n x : (inner (nseq n 0%Q) x == 0)%Q.
Proof. by elim: n x => [|n IH] [|b x]; rewrite ?inner_nil ?inner_none //= inner_cons IH; lra. Qed.
(** As long as each of them. *)
Lemma size_combined cs rows n : all (fun r => size r == n) rows -> size (combined cs rows n) = n.
Proof.
rewrite /combined; elim: cs rows => [|c cs IH] [|r rows] //=; rewrite ?size_nseq // => /andP[/eqP sr /IH h].
by rewrite size_add_rows size_map // h.
Qed.
(** A product with a matrix of a product with a matrix. *)
Lemma inner_combination cs rows n x : all (fun r => size r == n) rows -> (inner (combination cs rows n) x == inner cs (image rows x))%Q.
Proof.
move=> all_n; suff [_ h] : size (combination cs rows n) = n /\ (inner (combination cs rows n) x == inner cs (image rows x))%Q by [].
elim: cs rows all_n => [|c cs IH] [|r rows]; rewrite ?inner_nil; try by move=> _; rewrite /combination /= size_nseq inner_zeros.
case/andP => /eqP sr /IH[s1 h]; rewrite /image (inner_cons c) -/(image rows x) -h /combination /= -/(combination cs rows n).
case E : (Qeq_bool c 0); first by move/Qeq_bool_iff: E => E; split=> //; rewrite E; lra.
by split; [rewrite size_add_rows size_map // s1 | rewrite inner_add ?inner_times // size_map s1].
Qed.

Section Units.
Variable u : row.
Definition unit_value (k : unit_of) : Q := (k.1 + (if k.2 is Some (i, c) then c * nth 0%Q u i else 0))%Q.
Definition unit_sum (zs : seq (unit_of * Q)) : Q := foldr (fun p sum => p.2 * positive (unit_value p.1) + sum)%Q 0%Q zs.
(** What the units of unknown i add, and all of them. *)
Definition one_of (p : unit_of * Q) (i : nat) (t : Q) : Q :=
  if p.1.2 is Some (k, c) then (if k == i then p.2 * positive (p.1.1 + c * t) else 0)%Q else 0%Q.
Definition group (zs : seq (unit_of * Q)) (i : nat) (t : Q) : Q := foldr (fun p sum => one_of p i t + sum)%Q 0%Q zs.
Fixpoint over (f : nat -> Q -> Q) (j : nat) (ts : row) : Q := if ts is t :: ts' then (f j t + over f j.+1 ts')%Q else 0%Q.
(** Sums over the unknowns of equal terms. *)
Lemma over_ext f g j ts : (forall i t, f i t == g i t)%Q -> (over f j ts == over g j ts)%Q.
Proof. by move=> fg; elim: ts j => [|t ts IH] j //=; rewrite fg IH. Qed.
(** A sum of sums. *)
Lemma over_add f g j ts : (over (fun i t => f i t + g i t) j ts == over f j ts + over g j ts)%Q.
Proof. by elim: ts j => [|t ts IH] j /=; [lra | rewrite IH; lra]. Qed.
(** One unit is found at its own unknown. *)
Lemma over_one p j ts : (over (one_of p) j ts == if p.1.2 is Some (k, c) then
  (if ((j <= k) && (k < j + size ts))%N then p.2 * positive (p.1.1 + c * nth 0 ts (k - j)%N) else 0) else 0)%Q.
Proof.
rewrite /one_of; case: p.1.2 => [[k c]|]; last by elim: ts j => [|t ts IH] j //=; rewrite IH; lra.
elim: ts j => [|t ts IH] j /=; first by rewrite addn0; case: leqP => //= h; rewrite ltnNge h.
rewrite IH; case: (ltngtP j k) => [jk|kj|->].
- by rewrite addSnnS -(subnSK jk) /=; case: ifP => _ /=; lra.
- by rewrite /=; lra.
by rewrite subnn /= addnS ltnS leq_addr /=; lra.
Qed.
(** The units, gathered by their unknown. *)
Lemma unit_sum_gathered zs : all (fun p : unit_of * Q => if p.1.2 is Some (k, _) then k < size u else true) zs ->
  (unit_sum zs == foldr (fun (p : unit_of * Q) sum => if p.1.2 is Some _ then sum else Qred (p.2 * positive p.1.1 + sum)%Q) 0%Q zs + over (group zs) 0 u)%Q.
Proof.
elim: zs => [|p zs IH] /=; first by move=> _; elim: u 0 => [|t ts IH] j /=; [lra | have := IH j.+1; rewrite /group /=; lra].
case/andP => hp /IH e; have split : (over (group (p :: zs)) 0 u == over (one_of p) 0 u + over (group zs) 0 u)%Q := over_add (one_of p) (group zs) 0 u.
rewrite e split over_one; move: (over (group zs) 0 u) hp => rest; rewrite /unit_value; case: p.1.2 => [[k c] ku|_].
  by rewrite leq0n add0n ku subn0 /=; lra.
by rewrite Qred_correct (positiveE (a := (p.1.1 + 0)%Q) (b := p.1.1)); lra.
Qed.
(** The slope apart. *)
Lemma bent_value_slope s ts t : (bent_value s ts t == s * t + bent_value 0 ts t)%Q.
Proof. by elim: ts => [|k ts IH] /=; [lra | rewrite IH; lra]. Qed.
(** The units of one unknown, as a sum of ReLUs. *)
Lemma gathered_value zs i t : (bent_value 0 (gathered zs i) t == group zs i t)%Q.
Proof.
rewrite /gathered; elim: zs => [|p zs IH] /=; first by lra.
rewrite /one_of; case: p.1.2 => [[k c]|] /=; last by rewrite IH; lra.
by case: eqP => [_|_] /=; rewrite IH; lra.
Qed.
(** Units of weight 0 add nothing. *)
Lemma unit_sum_weighted units outer : (unit_sum (zip units outer) == unit_sum (weighted_units units outer))%Q.
Proof.
rewrite /weighted_units; elim: (zip units outer) => //= p zs IH; case E : (Qeq_bool p.2 0) => /=; rewrite IH //.
by move/Qeq_bool_iff: E => ->; lra.
Qed.
End Units.

(** A coordinate after the MLP. *)
Lemma coordinate_rangeP r b units outer bias I u : coordinate_range r b units outer bias = Some I -> size r = size b -> in_box u b ->
  all (fun k : unit_of => if k.2 is Some (i, _) then i < size b else true) units ->
  inside (inner r u + unit_sum u (zip units outer) + bias)%Q I.
Proof.
rewrite /coordinate_range => F sr ub ok.
have idx : all (fun p : unit_of * Q => if p.1.2 is Some (k, _) then k < size u else true) (weighted_units units outer).
  rewrite (in_box_size ub) /weighted_units; elim: units outer ok {F} => [|k ks IH] [|w ws] //= /andP[ok /IH h].
  by case: ifP => _ /=; rewrite ?ok h.
have e := unit_sum_gathered idx; rewrite -/(constant_units (weighted_units units outer)) -unit_sum_weighted in e.
set c := Qred _ in F; have ec : (c == constant_units (weighted_units units outer) + bias)%Q by rewrite /c Qred_correct.
suff : inside (c + (inner r u + over (group (weighted_units units outer)) 0 u))%Q I by apply: insideE; rewrite ec e; lra.
move: F sr ub; move: 0 c {ec e idx ok} => j c.
elim: r b u j I => [|a r IH] [|i b] [|t u] j I //=; first by move=> [<-] _ _; rewrite inner_none; split=> /=; lra.
case E : (foldr _ _ _) => [s|] //=; case B : (bent_range _ _ _) => [p|] //= [<-] [sr] [it ub].
have h1 := IH _ _ _ _ E sr ub; have h2 := bent_rangeP B it.
have {h1 h2} h := sum_ofP h1 h2; apply: insideE h.
by rewrite (inner_cons a) (bent_value_slope a) gathered_value; lra.
Qed.

(** A number in an interval of at most this size is at most this large. *)
Lemma bounded (bound : Q) a i : at_most_size bound i -> inside a i -> Qle_bool (Qabs a) bound.
Proof. by move=> /withinP h /h[/= h1 h2]; apply/Qle_bool_iff; rewrite Qabs_Qle_condition; lra. Qed.
(** As many entries as rows. *)
Lemma size_image M x : size (image M x) = size M. Proof. by rewrite size_map. Qed.
(** Products with a matrix of rows that are the same. *)
Lemma image_same M x y : same x y -> same (image M x) (image M y).
Proof. by move=> xy; elim: M => //= r M IH; split=> //; apply: inner_same. Qed.
(** One after the other. *)
Lemma same_trans x y z : same x y -> same y z -> same x z.
Proof. by elim: x y z => [|a x IH] [|b y] [|c z] //= [e1 h1] [e2 h2]; split; [lra | exact: IH h1 h2]. Qed.
(** The other way round. *)
Lemma same_sym x y : same x y -> same y x.
Proof. by elim: x y => [|a x IH] [|b y] //= [e h]; split; [lra | exact: IH]. Qed.

(** The hidden units of the MLP, as the unknowns tell them. *)
Lemma units_told W biases rows b units u y : in_box u b -> all (fun r => size r == size b) rows -> same y (image rows u) ->
  all_some (fun k : row * Q => omap (fun v : unit_of => (Qred (v.1 + k.2)%Q, v.2)) (single (combination k.1 rows (size b)) b)) (zip W biases)
    = Some units -> size biases = size W ->
  same (add_rows (image W y) biases) (map (unit_value u) units) /\
  all (fun k : unit_of => if k.2 is Some (i, _) then i < size b else true) units.
Proof.
move=> ub rows_n yu; elim: W biases units => [|w W IH] [|c biases] units //=; first by move=> [<-].
case S : (single _ _) => [[a o]|] //=; case A : (all_some _ _) => [ks|] //= [<-] [/(IH _ _ A)[h ok]].
have [e idx] := singleP ub S; rewrite /= ok andbT; split; last by case: o idx {S e} => [[i f]|].
split=> //; rewrite Qred_correct (inner_same _ yu) -(@inner_combination _ _ (size b)) // e /unit_value /= Qred_correct.
by case: o {S e idx} => [[i f]|]; lra.
Qed.
(** As many results as questions. *)
Lemma size_all_some S T (f : S -> option T) s t : all_some f s = Some t -> size t = size s.
Proof. by elim: s t => [|a s IH] t /=; [case=> <- | case: (f a) => //= b; case E : (all_some f s) => [t'|] //= [<-]; rewrite /= (IH _ E)]. Qed.
(** ReLUs of them, through a row. *)
Lemma inner_units u w hidden units : same hidden (map (unit_value u) units) -> size w = size units ->
  (inner w (positive_part hidden) == unit_sum u (zip units w))%Q.
Proof.
elim: w hidden units => [|c w IH] [|a hidden] [|k units] //=; rewrite ?inner_none //.
case=> e h [/(IH _ _ h) IH']; rewrite inner_cons IH' -/(positive a) (positiveE e); lra.
Qed.

(** What `finished` tells of a token: the stream after the heads is within size, and the MLP gives what it says. *)
Definition after_token (x : row) (p : perceptron) : row :=
  add_rows x (add_rows (image (outer_rows p) (positive_part (add_rows (image (hidden_rows p) x) (hidden_bias p)))) (outer_bias p)).
Definition sized (bound : Q) (x : row) : bool := all (fun a => Qle_bool (Qabs a) bound) x.
(** A row of a box within size. *)
Lemma in_box_sized bound x b : in_box x b -> all (at_most_size bound) b -> sized bound x.
Proof. by elim: x b => [|a x IH] [|i b] //= [ia /IH h] /andP[/bounded/(_ ia) -> /h]. Qed.
(** Rows of a matrix within size. *)
Lemma rows_sized bound rows b u y : in_box u b -> same y (image rows u) -> all (fun r => at_most_size bound (range r b)) rows -> sized bound y.
Proof.
move=> ub; elim: rows y => [|r rows IH] [|a y] //= [e /IH h] /andP[ok /h ->]; rewrite andbT.
by apply: (bounded ok); apply: insideE (Qeq_sym _ _ e) (rangeP r ub).
Qed.
(** Hidden units within size. *)
Lemma units_sized md u b units hidden : in_box u b -> all (unit_ok md b) units ->
  all (fun k : unit_of => if k.2 is Some (i, _) then i < size b else true) units -> same hidden (map (unit_value u) units) -> sized (bound md) hidden.
Proof.
move=> ub; elim: units hidden => [|[a o] units IH] [|c hidden] //= /andP[ok oks] /andP[idx idxs] [e h]; rewrite IH // andbT.
move: ok e idx; rewrite /unit_ok /unit_value /=; case: o => [[i f]|] ok e idx; apply: (bounded ok); apply: insideE (Qeq_sym _ _ e) _.
  by apply: sum_ofP; [split=> /=; lra | apply: multipleP; apply: in_box_nth].
by split=> /=; lra.
Qed.
(** The rows that the MLP is said to give are those that it gives. *)
Lemma finishedP md d rows b ms r u y : finished md d rows b ms = Some r -> in_box u b -> all (fun r => size r == size b) rows ->
  size rows = d -> same y (image rows u) ->
  sized (bound md) y /\
  match ms with
  | [::] => in_box y r
  | [:: p] => sized (bound md) (add_rows (image (hidden_rows p) y) (hidden_bias p)) /\ in_box (after_token y p) r
  | _ => False
  end.
Proof.
rewrite /finished; case: ifP => // rows_ok F ub rows_n rows_d yu; split; first exact: rows_sized ub yu rows_ok.
case: ms F => [|p [|? ?]] //.
  by case=> <-; apply: in_box_same (same_sym yu) _; elim: (rows) => //= r' rs IH; split=> //; apply: rangeP.
case U : (all_some _ _) => [units|] //; case: ifP => // /and5P[ok /eqP s1 /eqP s2 /eqP s3 s4] F.
have [hid idx] := units_told ub rows_n yu U s1.
split; first exact: units_sized ub ok idx hid.
rewrite /after_token; set hidden := add_rows _ _ in hid *; move: hidden hid => hidden hid {ok s1 U}.
have sb : size rows = size (outer_rows p) by rewrite rows_d s2.
have sc : size rows = size (outer_bias p) by rewrite rows_d s3.
move: F sb sc s4 rows_n yu; rewrite /add_rows /image {rows_ok rows_d s2 s3}.
elim: rows (outer_rows p) (outer_bias p) y r => [|r0 rows IH] [|w ws] [|c cs] [|a y] r //=; first by move=> [<-].
case C : (coordinate_range _ _ _ _ _) => [I|] //=; case A : (all_some _ _) => [rest|] //= [<-] [sb] [sc] /andP[/eqP sw s4] /andP[/eqP sr rows_n] [e yu].
split; last exact: (IH _ _ _ _ A sb sc s4 rows_n yu).
have h := coordinate_rangeP C sr ub idx; apply: insideE h.
by rewrite !Qred_correct e (inner_units hid sw); apply: Qeq_sym; exact: Qplus_assoc.
Qed.
