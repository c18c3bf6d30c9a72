(** The invariant proof of C1's own weights, for all tables at once (theory 4): keys depend on positions alone, so what a
    query sees of the positions is known; the values there are known at the one position that matches, and bounded elsewhere.

    `answers_every_table` goes through the queries w and the addresses that can be reached, never through tables; if it
    computes to true, the model solves the task at these sizes. For each layer it knows the stream at w exactly, one vector
    for each index that may have been read; it bounds the weight that goes elsewhere, writes the stream after the head as a
    linear form of the rounded quotients T_t, each in an interval, and follows the MLPs: a ReLU of a form whose sign is
    decided on the intervals is that form or 0. At the end the T_t must have cancelled. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Prompt Counting Knowledge SoftmaxLayers ScanLayers ExactModels
  IntegerWeights FloorExp AllInputs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.

(** * 1. Lists of numbers *)
Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).

(** A sum of lists, entry by entry. *)
Lemma nth_plus x y c : (plus x y).[c] = (x.[c] + y.[c])%Z.
Proof.
elim: x y c => [|a x IH] [|b y] [|c] //=; rewrite ?nth_nil //; by [lia | rewrite -/(nth _ _ _); lia | apply: IH].
Qed.
(** Nothing times anything. *)
Lemma dot0r x : dot x [::] = 0%Z. Proof. by case: x. Qed.
(** A product is linear in its first list ... *)
Lemma dot_plusl x y t : dot (plus x y) t = (dot x t + dot y t)%Z.
Proof. by elim: x y t => [|a x IH] [|b y] [|c t] //=; rewrite ?IH; lia. Qed.
(** The same for a multiple. *)
Lemma dot_scalel k x t : dot (scale k x) t = (k * dot x t)%Z.
Proof. by elim: x t => [|a x IH] [|c t] //=; rewrite ?IH; lia. Qed.
(** ... and in its second. *)
Lemma dot_plusr x y t : dot t (plus x y) = (dot t x + dot t y)%Z.
Proof. by elim: t x y => [|a t IH] [|b x] [|c y] //=; rewrite ?IH ?dot0r; lia. Qed.
(** The same for a multiple of the second list. *)
Lemma dot_scaler k x t : dot t (scale k x) = (k * dot t x)%Z.
Proof. by elim: t x => [|a t IH] [|c x] //=; rewrite ?IH; lia. Qed.
(** An entry of a product with a matrix. *)
Lemma nth_apply M x c : (apply M x).[c] = dot (nth [::] M c) x.
Proof. by elim: M c => [|r M IH] [|c] //=. Qed.

(** * 2. Coordinates that no layer writes *)

(** A row that has its entries in these coordinates alone. *)
Fixpoint only (fixed : seq bool) (row : vector) : bool :=
  if row is a :: row' then ((a =? 0)%Z || head false fixed) && only (behead fixed) row' else true.
Definition zeros (row : vector) : bool := all (fun a => a =? 0)%Z row.
(** Such a row gives the same on lists that agree there. *)
Lemma only_dot fixed row x y : (forall c, nth false fixed c -> x.[c] = y.[c]) -> only fixed row -> dot row x = dot row y.
Proof.
elim: row fixed x y => [|a row IH] fixed x y xy //= /andP[ha hr].
have E : (a * x.[0] = a * y.[0])%Z by case/orP: ha => [/Z.eqb_eq ->|h0]; [lia | rewrite xy //; case: fixed {xy hr IH} h0].
have R : dot row (behead x) = dot row (behead y).
  by apply: (IH (behead fixed)) => // c; rewrite !nth_behead => /xy.
by move: E R; case: x {xy} => [|b x]; case: y => [|d y] //=; rewrite ?dot0r; lia.
Qed.
(** A row of zeros gives 0. *)
Lemma zeros_dot row x : zeros row -> dot row x = 0%Z.
Proof. by elim: row x => [|a row IH] [|b x] //= /andP[/Z.eqb_eq -> /IH ->]; lia. Qed.

(** The matrix has nothing in the rows of these coordinates. *)
Definition spares (fixed : seq bool) (M : matrix) : bool := all (fun c => ~~ nth false fixed c || zeros (nth [::] M c)) (iota 0 (size M)).
(** So it adds nothing there. *)
Lemma sparesP fixed M x c : spares fixed M -> nth false fixed c -> (apply M x).[c] = 0%Z.
Proof.
move=> /allP h fc; rewrite nth_apply; case: (ltnP c (size M)) => cM; last by rewrite nth_default.
by have := h c; rewrite mem_iota cM fc => /(_ erefl) /zeros_dot.
Qed.
Definition spares_vector (fixed : seq bool) (b : vector) : bool := all (fun c => ~~ nth false fixed c || (b.[c] =? 0)%Z) (iota 0 (size b)).
(** The same for a bias. *)
Lemma spares_vectorP fixed b c : spares_vector fixed b -> nth false fixed c -> b.[c] = 0%Z.
Proof.
move=> /allP h fc; case: (ltnP c (size b)) => cM; last by rewrite nth_default.
by have := h c; rewrite mem_iota cM fc => /(_ erefl) /= /Z.eqb_eq.
Qed.
(** A multiple, entry by entry. *)
Lemma nth_scale k b c : (scale k b).[c] = (k * b.[c])%Z.
Proof. by elim: b c => [|a b IH] [|c] //=; lia. Qed.

Section Weights.
Variable w : weights.
Notation u := (stream_unit w).

Definition leaves_mlp (fixed : seq bool) (m : mlp) : bool := spares fixed (W_2 m) && spares_vector fixed (b_2 m).
(** MLPs leave them. *)
Lemma mlps_leave fixed ms x c : all (leaves_mlp fixed) ms -> nth false fixed c -> (after_mlps w ms x).[c] = x.[c].
Proof.
rewrite /after_mlps => + fc; elim: ms x => [|m ms IH] x //= /andP[/andP[h2 hb] hms].
rewrite (IH _ hms) !nth_plus (sparesP _ h2 fc) nth_scale (spares_vectorP hb fc); lia.
Qed.

(** Keys and values read these coordinates alone, the layer writes none of them, and no token changes a key. *)
Definition leaves (fixed : seq bool) (b : built_layer) : bool :=
  if b is FullBlock h ms then
    [&& all (only fixed) (W_K h), all (only fixed) (W_V h), spares fixed (W_O h), all (leaves_mlp fixed) ms
      & all (fun t => all (fun row => dot row t =? 0)%Z (W_K h)) (token_rows w)]
  else false.

Variables (exp_floor : Z -> Z) (ns : seq nat).
Notation block := (exact_block w exp_floor).
(** The stream of a prompt agrees with its embedding there, after any number of such layers. *)
Definition at_first (fixed : seq bool) (q : seq token) (x : nat -> vector) : Prop :=
  forall j c, nth false fixed c -> (x j).[c] = (embedded w ns j (nth (Val 0) q j)).[c].
(** One layer more. *)
Lemma layer_leaves fixed q x b : leaves fixed b -> at_first fixed q x -> at_first fixed q (compute x (block b)).
Proof.
case: b => // h ms /and5P[_ _ hO hms _] ax j c fc.
by rewrite /= /softmax /full_finish (mlps_leave _ hms fc) nth_plus (sparesP _ hO fc) Z.add_0_r; apply: ax.
Qed.

(** The key of a position, and the value that a token number has there. *)
Definition key_at (h : full_head) (j : nat) : vector := [seq (u * dot row (nth [::] (position_rows w) j))%Z | row <- W_K h].
Definition value_at (h : full_head) (t j a : nat) : Z :=
  cut_value w (u * (dot (nth [::] (W_V h) t) (nth [::] (position_rows w) j) + dot (nth [::] (W_V h) t) (nth [::] (token_rows w) a)))%Z.
(** In every layer the key of position j is this one ... *)
Lemma key_known fixed q x h ms j : leaves fixed (FullBlock h ms) -> at_first fixed q x -> apply (W_K h) (x j) = key_at h j.
Proof.
case/and5P => hK _ _ _ hT ax; rewrite /apply /key_at.
have {hT} zero : all (fun row => dot row (nth [::] (token_rows w) (token_number w ns (nth (Val 0) q j))) =? 0)%Z (W_K h).
  move: (token_number _ _ _) => a; case: (ltnP a (size (token_rows w))) => ha; first exact: (all_nthP [::] hT).
  by rewrite nth_default //; elim: (W_K h) => //= row M ->; rewrite dot0r.
elim: (W_K h) hK zero => //= row M IH /andP[hr hM] /andP[/Z.eqb_eq zr zM]; rewrite IH //; congr cons.
rewrite (only_dot (y := embedded w ns j (nth (Val 0) q j)) _ hr); last by move=> c; apply: ax.
by rewrite /embedded dot_scaler dot_plusr zr; lia.
Qed.
(** ... and its value this one. *)
Lemma value_known fixed q x h ms t j : leaves fixed (FullBlock h ms) -> at_first fixed q x ->
  value (value_bits w) (full_value h) t j (x j) = value_at h t j (token_number w ns (nth (Val 0) q j)).
Proof.
case/and5P => _ hV _ _ _ ax; rewrite /value /value_at /full_value nth_apply /cut_value; congr (Z.max _ (Z.min _ _)).
case: (ltnP t (size (W_V h))) => tV; last by rewrite nth_default //=; lia.
rewrite (only_dot (y := embedded w ns j (nth (Val 0) q j)) _ (all_nthP [::] hV _ tV)); last by move=> c; apply: ax.
by rewrite /embedded dot_scaler dot_plusr.
Qed.

(** * 3. One position is known, the others are bounded *)

(** Weights that are not negative, values up to B: the sum is near what position m gives. *)
Lemma zsum_below (e v : nat -> Z) B n : (forall j, (j < n)%N -> 0 <= e j /\ - B <= v j <= B)%Z ->
  (- (zsum e n * B) <= zsum (fun j => e j * v j) n <= zsum e n * B)%Z.
Proof.
elim: n => [|n IH] h /=; first by lia.
by have := IH (fun j jn => h j (ltnW jn)); have [e0 [v1 v2]] := h n (ltnSn n); nia.
Qed.
(** Position m apart. *)
Lemma zsum_near (e v : nat -> Z) B n m : m < n -> (forall j, (j < n)%N -> 0 <= e j /\ - B <= v j <= B)%Z ->
  (e m * v m - (zsum e n - e m) * B <= zsum (fun j => e j * v j) n <= e m * v m + (zsum e n - e m) * B)%Z.
Proof.
elim: n => [|n IH] //; rewrite ltnS leq_eqVlt => /orP[/eqP ->|mn] h /=.
  by have := zsum_below (fun j jn => h j (ltnW jn)); lia.
have [e0 [v1 v2]] := h n (ltnSn n); have := IH mn (fun j jn => h j (ltnW jn)); nia.
Qed.

(** The largest value that any token can have at any position. *)
Definition bound (h : full_head) (n t : nat) : Z :=
  foldr (fun j c => foldr (fun a c => Z.max (Z.abs (value_at h t j a)) c) c (iota 0 (size (token_rows w)).+1)) 0%Z (iota 0 n).
(** The bound of a value holds at every token. *)
Lemma bound_above h n t j a : j < n -> (- bound h n t <= value_at h t j a <= bound h n t)%Z.
Proof.
move=> jn; suff : (Z.abs (value_at h t j a) <= bound h n t)%Z by lia.
have -> : value_at h t j a = value_at h t j (minn a (size (token_rows w))).
  by rewrite /minn; case: ltnP => // sa; rewrite /value_at [nth [::] (token_rows w) a]nth_default // [nth [::] _ (size _)]nth_default.
have : minn a (size (token_rows w)) \in iota 0 (size (token_rows w)).+1 by rewrite mem_iota /= add0n ltnS geq_minr.
have : j \in iota 0 n by rewrite mem_iota.
rewrite /bound; move: (minn a _) (iota 0 _.+1) => b bs; elim: (iota 0 n) => //= i l IH.
have grows c bs' : (c <= foldr (fun a c => Z.max (Z.abs (value_at h t i a)) c) c bs')%Z by elim: bs' => //= *; lia.
rewrite inE => /orP[/eqP <-|jl] bin; last by apply: Z.le_trans (grows _ _); apply: IH.
move: (foldr _ 0%Z l) => acc; elim: bs bin {IH} => //= d bs IHb; rewrite inE => /orP[/eqP <-|/IHb le]; first exact: Z.le_max_l.
by apply: Z.le_trans le (Z.le_max_r _ _).
Qed.

(** * 4. Linear forms of numbers in a box *)
Fixpoint in_box (T los his : vector) : Prop :=
  match T, los, his with
  | t :: T', l :: los', h :: his' => (l <= t <= h)%Z /\ in_box T' los' his'
  | [::], [::], [::] => True
  | _, _, _ => False
  end.
(** The least and the largest value of a form. *)
Fixpoint least (row los his : vector) : Z :=
  match row, los, his with a :: r, l :: ls, h :: hs => (Z.min (a * l) (a * h) + least r ls hs)%Z | _, _, _ => 0%Z end.
Fixpoint largest (row los his : vector) : Z :=
  match row, los, his with a :: r, l :: ls, h :: hs => (Z.max (a * l) (a * h) + largest r ls hs)%Z | _, _, _ => 0%Z end.
(** A linear form lies between its least and largest value on a box. *)
Lemma form_range row T los his : in_box T los his -> (least row los his <= dot row T <= largest row los his)%Z.
Proof.
elim: row T los his => [|a r IH] [|t T] [|l los] [|h his] //=; try lia.
case=> -[lt th] /IH rng.
have : (Z.min (a * l) (a * h) <= a * t <= Z.max (a * l) (a * h))%Z.
  case: (Z.le_gt_cases 0 a) => a0.
    have : (a * l <= a * t)%Z by apply: Z.mul_le_mono_nonneg_l.
    by have : (a * t <= a * h)%Z by [apply: Z.mul_le_mono_nonneg_l]; lia.
  have : (a * h <= a * t)%Z by apply: Z.mul_le_mono_nonpos_l; lia.
  by have : (a * t <= a * l)%Z by [apply: Z.mul_le_mono_nonpos_l; lia]; lia.
by lia.
Qed.

(** Forms after a matrix; with a constant (the first number of the box is 1); summed. *)
Fixpoint combine (r : vector) (X : matrix) : vector :=
  match r, X with a :: r', row :: X' => plus (scale a row) (combine r' X') | _, _ => [::] end.
(** A row of a matrix times forms is a form ... *)
Lemma dot_combine r X T : dot (combine r X) T = dot r (apply X T).
Proof. by elim: r X => [|a r IH] [|row X] //=; rewrite dot_plusl dot_scalel IH. Qed.
(** ... and so is the matrix. *)
Lemma apply_combine M X T : apply [seq combine r X | r <- M] T = apply M (apply X T).
Proof. by rewrite /apply -map_comp; apply: eq_map => r /=; rewrite dot_combine. Qed.
Fixpoint plus_rows (X Y : matrix) : matrix :=
  match X, Y with x :: X', y :: Y' => plus x y :: plus_rows X' Y' | _, [::] => X | [::], _ => Y end.
(** Sums of forms. *)
Lemma apply_plus X Y T : apply (plus_rows X Y) T = plus (apply X T) (apply Y T).
Proof. by elim: X Y => [|x X IH] [|y Y] //=; rewrite IH dot_plusl. Qed.
Definition constants (b : vector) : matrix := [seq [:: c] | c <- b].
(** Constants as forms. *)
Lemma apply_constants b T : apply (constants b) (1%Z :: T) = b.
Proof. by elim: b => //= c b ->; congr cons; lia. Qed.

Section Box.
Variables los his : vector.
(** A ReLU whose sign is decided. *)
Fixpoint relu_rows (Y : matrix) : option matrix :=
  if Y is y :: Y' then
    if relu_rows Y' is Some Z then
      if (0 <=? least y los his)%Z then Some (y :: Z) else if (largest y los his <=? 0)%Z then Some ([::] :: Z) else None
    else None
  else Some [::].
(** ReLUs whose signs are decided on a box are linear there. *)
Lemma relu_rowsP Y Z T : in_box T los his -> relu_rows Y = Some Z -> relu (apply Y T) = apply Z T.
Proof.
move=> box; elim: Y Z => [|y Y IH] Z /=; first by case=> <-.
case: (relu_rows Y) IH => // Z' /(_ _ erefl) IH; have := form_range y box.
case: Z.leb_spec => [pos|_] rng; first by case=> <- /=; rewrite IH; congr cons; lia.
by case: Z.leb_spec => // neg [<-] /=; rewrite IH; congr cons; lia.
Qed.
Definition mlp_form (m : mlp) (X : matrix) : option matrix :=
  if relu_rows (plus_rows [seq combine r X | r <- W_1 m] (constants (scale u (b_1 m)))) is Some Z
  then Some (plus_rows X (plus_rows [seq combine r Z | r <- W_2 m] (constants (scale u (b_2 m))))) else None.
Fixpoint mlps_form (ms : seq mlp) (X : matrix) : option matrix :=
  if ms is m :: ms' then if mlp_form m X is Some Y then mlps_form ms' Y else None else Some X.
(** MLPs on forms. *)
Lemma mlps_formP ms X Y T : in_box (1%Z :: T) los his -> mlps_form ms X = Some Y ->
  after_mlps w ms (apply X (1%Z :: T)) = apply Y (1%Z :: T).
Proof.
move=> box; rewrite /after_mlps; elim: ms X => [|m ms IH] X /=; first by case=> ->.
rewrite /mlp_form; case E: relu_rows => [Z|] //= /IH <-; congr foldl.
by rewrite !apply_plus !apply_constants !apply_combine -(relu_rowsP box E) apply_plus apply_constants apply_combine.
Qed.
End Box.

(** * 5. One layer at w, for one address and one value *)
Definition read_one (h : full_head) (ms : seq mlp) (bounds es : vector) (den : Z) (x : vector) (j a : nat) : option vector :=
  let e := es.[j] in
  let mid := mkseq (fun t => e * value_at h t j a)%Z (size (W_V h)) in
  let off := mkseq (fun t => (den - e) * bounds.[t])%Z (size (W_V h)) in
  let los := 1%Z :: mkseq (fun t => (mid.[t] - off.[t]) / den)%Z (size (W_V h)) in
  let his := 1%Z :: mkseq (fun t => (mid.[t] + off.[t]) / den)%Z (size (W_V h)) in
  if (0 <? den)%Z then
    if mlps_form los his ms (plus_rows (constants x) [seq 0%Z :: row | row <- W_O h]) is Some X then
      if all (fun row => zeros (behead row)) X then Some [seq head 0%Z row | row <- X] else None
    else None
  else None.
(** Forms in which every T_t has cancelled. *)
Lemma constant_forms X T : all (fun row => zeros (behead row)) X -> apply X (1%Z :: T) = [seq head 0%Z row | row <- X].
Proof. by elim: X => //= row X IH /andP[z /IH ->]; congr cons; case: row z => //= a row /zeros_dot ->; lia. Qed.
(** A box, entry by entry. *)
Lemma box_map (F L H : nat -> Z) s : (forall t, t \in s -> L t <= F t <= H t)%Z -> in_box (map F s) (map L s) (map H s).
Proof.
elim: s => //= t s IH h; split; first by apply: h; rewrite mem_head.
by apply: IH => c cs; apply: h; rewrite inE cs orbT.
Qed.

Variable known : seq (Z * Z).    (* exponents and their weights *)
Hypothesis knownP : forall a c, find known a = Some c -> exp_floor a = c.
Variables (fixed : seq bool) (q : seq token).
Notation n := (size q).
Definition seen (h : full_head) (keys : seq vector) (x : vector) : vector :=
  let query := apply (W_Q h) x in [seq cut_weight w (weigh known (exponent w h query k)) | k <- keys].
Definition listed (h : full_head) (keys : seq vector) (x : vector) : bool :=
  let query := apply (W_Q h) x in all (fun k => isSome (find known (exponent w h query k))) keys.

(** The layer at w: the token at position j has number a. *)
Lemma read_one_sound h ms x j y : leaves fixed (FullBlock h ms) -> at_first fixed q x -> j < n ->
  let keys := mkseq (key_at h) n in let es := seen h keys (x n.-1) in
  listed h keys (x n.-1) ->
  read_one h ms (mkseq (bound h n) (size (W_V h))) es (total es) (x n.-1) j (token_number w ns (nth (Val 0) q j)) = Some y ->
  compute x (block (FullBlock h ms)) n.-1 = y.
Proof.
move=> hl ax jn keys es ok; set a := token_number _ _ _.
pose e i := weight (score_bits w) (full_weight w exp_floor h) 0 n.-1 i (x n.-1) (x i).
have n0 : 0 < n by apply: leq_ltn_trans jn.
have e0 i : (0 <= e i)%Z by rewrite /e /weight; lia.
have eE i : i < n -> e i = es.[i].
  move=> il; rewrite /e /es /seen /weight /full_weight (key_known _ hl ax) /keys /mkseq -map_comp (nth_map 0) ?size_iota // nth_iota //= add0n.
  have := all_nthP [::] ok i; rewrite size_mkseq => /(_ il); rewrite nth_mkseq // /weigh.
  by case E: (find known _) => [c|] // _; rewrite (knownP E).
have sE : size es = n by rewrite /es /seen size_map size_mkseq.
have denE : denominator (weight (score_bits w) (full_weight w exp_floor h)) x n.-1 0 = total es.
  rewrite /denominator prednK // -/(e) (zsum_total e) -[es](mkseq_nth 0%Z) sE; congr total.
  by apply: eq_in_mkseq => i /eE.
have numE t : numerator (size (W_V h)) (weight (score_bits w) (full_weight w exp_floor h)) (value (value_bits w) (full_value h)) x n.-1 t
    = zsum (fun i => e i * value_at h t i (token_number w ns (nth (Val 0) q i)))%Z n.
  by rewrite /numerator prednK //; apply: zsum_ext => i il; rewrite (value_known _ _ hl ax).
have totE : zsum e n = total es by rewrite -denE /denominator prednK.
rewrite /read_one; set d := size (W_V h); set los := 1%Z :: _; set his := 1%Z :: _.
case: Z.ltb_spec => // den0; case E: mlps_form => [X|] //; case: ifP => // cX [<-].
rewrite /= /softmax mul1n -/d /full_finish /= denE.
set T := map _ _.
have box : in_box (1%Z :: T) los his.
  split; first by lia.
  rewrite /T /mkseq -map_comp; apply: box_map => t; rewrite mem_iota add0n /= => td.
  rewrite !nth_mkseq // numE -totE.
  have [lo hi] := @zsum_near e (fun i => value_at h t i (token_number w ns (nth (Val 0) q i))) (bound h n t) n j jn
    (fun i il => conj (e0 i) (bound_above h t _ il)).
  by rewrite -eE //; split; apply: Z.div_le_mono; rewrite ?totE // -totE.
rewrite -(constant_forms T cX) -(mlps_formP box E) apply_plus apply_constants; congr (after_mlps _ _ (plus _ _)).
by rewrite /apply -map_comp; apply: eq_map => row /=; lia.
Qed.

(** * 6. All addresses and values, layer after layer *)
Definition same_vector (x y : vector) : bool := all2 Z.eqb x y.
(** Lists with equal entries are equal. *)
Lemma same_vectorP x y : same_vector x y -> x = y.
Proof. by elim: x y => [|a x IH] [|b y] //= /andP[/Z.eqb_eq -> /IH ->]. Qed.

(** sts has the stream at w for each index v that may have been read; the layer reads position p + v, which holds one of M
    values; so the next streams are one for each value, whatever v was. *)
Definition reads (h : full_head) (ms : seq mlp) (keys : seq vector) (bounds : vector) (M : nat) (x : vector) (j : nat) : seq (option vector) :=
  let es := seen h keys x in let den := total es in
  if listed h keys x then [seq read_one h ms bounds es den x j a | a <- iota 0 M] else [::].
Definition step (len : nat) (h : full_head) (ms : seq mlp) (sts : seq vector) (p M : nat) : option (seq vector) :=
  let keys := mkseq (key_at h) len in
  let bounds := mkseq (bound h len) (size (W_V h)) in
  let all_reads := mkseq (fun v => reads h ms keys bounds M (nth [::] sts v) (p + v)) (size sts) in
  let next := [seq odflt [::] r | r <- head [::] all_reads] in
  if (size next == M) && all (fun r => all2 (fun o x => if o is Some y then same_vector y x else false) r next) all_reads
  then Some next else None.
Fixpoint walk (len : nat) (bs : seq built_layer) (plan : seq (nat * nat)) (sts : seq vector) : option (seq vector) :=
  match bs, plan with
  | FullBlock h ms :: bs', (p, M) :: plan' => if step len h ms sts p M is Some sts' then walk len bs' plan' sts' else None
  | [::], [::] => Some sts
  | _, _ => None
  end.

(** What holds of two lists holds of their entries. *)
Lemma all2_nth (S T : Type) (r : S -> T -> bool) s t a b i : all2 r s t -> i < size t -> r (nth a s i) (nth b t i).
Proof. by elim: s t i => [|x s IH] [|y t] i //= /andP[rxy rst]; case: i => [|i] // it; apply: IH. Qed.
(** They are as long as each other. *)
Lemma all2_size (S T : Type) (r : S -> T -> bool) s t : all2 r s t -> size s = size t.
Proof. by elim: s t => [|x s IH] [|y t] //= /andP[_ /IH ->]. Qed.

(** One layer, for every address and every value. *)
Lemma step_sound h ms sts p M next x v a : step n h ms sts p M = Some next -> leaves fixed (FullBlock h ms) -> at_first fixed q x ->
  v < size sts -> p + v < n -> nth (Val 0) q (p + v) = Val a -> a < M -> x n.-1 = nth [::] sts v ->
  size next = M /\ compute x (block (FullBlock h ms)) n.-1 = nth [::] next a.
Proof.
rewrite /step; case: ifP => // /andP[/eqP sM /all_nthP ok] [<-] hl ax vs pn qv aM xw; split=> //.
have := ok [::] v; rewrite size_mkseq => /(_ vs); rewrite nth_mkseq // -xw => A2.
have sz := all2_size A2; have am : a < size [seq odflt [::] r | r <- head [::] (mkseq (fun v => reads h ms (mkseq (key_at h) n)
  (mkseq (bound h n) (size (W_V h))) M (nth [::] sts v) (p + v)) (size sts))] by rewrite sM.
have := all2_nth None [::] A2 am.
move: sz; rewrite {1 3}/reads; case: ifP => [lst|_]; last by rewrite sM => E; move: aM; rewrite -E.
move=> _; rewrite (nth_map 0) ?size_iota // nth_iota // add0n.
case E: read_one => [y|] // /same_vectorP <-.
by apply: (@read_one_sound h ms x (p + v) y hl ax pn lst); rewrite qv.
Qed.

(** Where the layers read, after z_0: table 1, table 2, …; base + v is the address in the table. *)
Fixpoint places (base m : nat) (sizes_above ws : seq nat) : seq (nat * nat) :=
  match sizes_above, ws with
  | k :: above, a :: ws' => (sumn (sizes (m * k) above) + base, m) :: places (a * m) (m * k) above ws'
  | _, _ => [:: (base, m)]
  end.
(** The stream at w after the last layer is that of the answer. *)
Lemma walk_sound above m ws zs bs base sts v x out rest :
  map size zs = sizes m above -> all (fun z => all (fun c => c < size z) z) zs -> all2 ltn ws above ->
  q = [seq Val c | c <- flatten (rev zs)] ++ rest -> all (leaves fixed) bs -> at_first fixed q x ->
  v < size sts -> base + v < m -> x n.-1 = nth [::] sts v -> walk n bs (places base m above ws) sts = Some out ->
  answer (base + v) zs ws < size out /\ foldl (@compute _) x (map block bs) n.-1 = nth [::] out (answer (base + v) zs ws).
Proof.
elim: above m ws zs bs base sts v x rest => [|k above IH] m [|c ws] [|z zs] [|b bs] base sts v x rest // szs /andP[vz vzs] wk qE
  /andP[hb hbs] ax vs bm xw; have [qv zm lt] := first_table rest szs vz bm; rewrite -qE in qv;
  have pn : sumn (map size (z :: zs)) <= n by [rewrite qE size_cat size_map size_flatten_rev leq_addr]; rewrite szs in pn;
  have {}pn := leq_trans lt pn.
- case: zs szs {vzs qE} => // _; case: b hb => // h ms hb /=; case S: step => [next|] //; case: bs {hbs} => [|[? ?|? ?] ?] //= -[<-].
  by have [-> xn] := step_sound S hb ax vs pn qv zm xw; split=> //; exact: xn.
have [sz szs'] := szs; have /andP[ck wk'] := wk.
case: b hb => // h ms hb /=; case S: step => [next|] // W; rewrite [sumn _ + _]addnA in qv pn.
have [sn xn] := step_sound S hb ax vs pn qv zm xw.
have qE' : q = [seq Val c | c <- flatten (rev zs)] ++ ([seq Val c | c <- z] ++ rest) by rewrite qE flatten_rev_cons map_cat -catA.
rewrite sz; apply: (IH (m * k) ws zs bs (c * m) next _ _ _ szs' vzs wk' qE' hbs _ _ _ xn W) => //.
- exact: layer_leaves.
- by rewrite sn.
exact: pair_lt.
Qed.
End Weights.

(** * 7. The check, and that it is right *)
Section Check.
Variables (w : weights) (exponents : seq Z) (terms : nat).
(** The coordinates that no layer writes. *)
Definition unwritten : seq bool :=
  mkseq (fun c => all (fun b => if b is FullBlock h ms
      then zeros (nth [::] (W_O h) c) && all (fun m => zeros (nth [::] (W_2 m) c) && (nth 0 (b_2 m) c =? 0)%Z) ms else false) (blocks w))
    (size (head [::] (position_rows w))).
Definition answers_every_table (m : nat) (ns : seq nat) : bool :=
  let known := table w exponents terms in let len := tokens m ns in let fixed := unwritten in
  [&& decided w exponents terms, all (leaves w fixed) (blocks w)
    & all (fun ws =>
        if walk w known len (blocks w) ((len.-2, m) :: places 0 m ns ws) [:: embedded w ns len.-1 (Query ws)] is Some sts
        then all (fun v => said w (nth [::] sts v) == v) (iota 0 (size sts)) else false) (all_queries ns)].

(** The check is right: with the true exponentials, the model solves the task at these sizes. *)
Theorem every_table_solves m ns : answers_every_table m ns -> weights_solve m ns w (among exponents).
Proof.
case/and3P=> D L A; split=> [|e true_e z0 zs ws ok]; first by exists (weigh (table w exponents terms)); apply: weigh_true.
have /and4P[z0m /eqP szs vs wsn] := ok.
have knownP a c : find (table w exponents terms) a = Some c -> e a = c by apply: true_agrees.
have := allP A _ (mem_queries wsn); case W: walk => [sts|] // /allP right.
set q := prompt z0 zs ws; have sq : size q = tokens m ns by apply: size_prompt.
move: W L; rewrite /exact_output /=; case: (blocks w) => [|[h ms|h ms] bs] //= ; case S: step => [next|] // W /andP[hb hbs].
pose x0 i := embedded w ns i (nth (Val 0) q i).
have a0 : at_first w ns (unwritten) q x0 by [].
have xw : x0 (size q).-1 = nth [::] [:: embedded w ns (tokens m ns).-1 (Query ws)] 0.
  by rewrite /x0 sq [nth _ q _](nth_query z0 ws szs).
rewrite -sq in S W.
have pn : sumn (sizes m ns) + 0 < size q by rewrite sq addn0 /tokens.
have qv : nth (Val 0) q (sumn (sizes m ns) + 0) = Val z0 by rewrite addn0; apply: nth_z0.
have [sn xn] := step_sound knownP S hb a0 (ltn0Sn 0) pn qv z0m xw.
have zn : z0 < size next by rewrite sn.
have hb' : leaves w unwritten (FullBlock h ms) by exact: hb.
have [lt ->] := walk_sound knownP (base := 0) szs vs wsn (erefl q) hbs (layer_leaves e hb' a0) zn z0m xn W.
by apply/eqP; apply: (right (answer z0 zs ws)); rewrite mem_iota.
Qed.
End Check.
