(** A chain of thought by squares, layer by layer: one full head that looks a place up, and one recurrent head that hands over what
    two tokens wrote.

    A place is a pair (t, a), table t (0: z_0, L+1: w and generated tokens) and address a.  Its key is (t, a, t² + a², 1); a token that
    asks for (T, A) scores −τ((T−t)² + (A−a)²) there, 0 at the match, at most −τ elsewhere, and with τ = P + 1 every other weight is 0.
    The recurrent head has one feature for z_0 and one for each digit of w: z_0 writes its values into the first, w its digits, times its
    values, into the others. A token of stage s reads with N·relu(1 − (s − c)²): feature c alone.  No MLP. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Prompt SoftmaxLayers ScanLayers ExactModels IntegerWeights EveryTable SquareRows.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).
Local Notation zn := Z.of_nat.
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.

(** * 1. The heads

    The stream: 0: 1; 1, 2, 3: t, a, t² + a² of the key; 4, 5: the table T asked for, and its square; 6, 7: the stage s, and its square;
    8, 9: 1 at z_0, 1 at w; 10, 11: the value or the address A asked for, and its square; 12: what will be said; 13, …: the digits of w. *)
Section Heads.
Variables (P p b : nat) (positions words answers : matrix) (layers : seq built_layer) (exp_floor : Z -> Z).
Let tau : Z := (zn P + 1)%Z.
Definition frame : weights := Weights P p 0 b positions words answers layers.
Notation layer bl := (exact_block frame exp_floor bl).

Definition place_query : seq (seq (nat * Z)) :=
  [:: [:: (4, (2 * tau)%Z)]; [:: (10, (2 * tau)%Z)]; [:: (0, (- tau)%Z)]; [:: (5, (- tau)%Z); (11, (- tau)%Z)]].
Definition asking_head : full_head := FullHead
  [seq sparse l | l <- place_query] [seq unit_row c | c <- [:: 1; 2; 3; 0]] [seq unit_row c | c <- [:: 10]] (nseq 12 [::] ++ [:: [:: 1%Z]]) 0.

(** N·relu(1 − (s − c)²) = relu(N(1 − c²) + 2cN·s − N·s²). *)
Definition near_stage (f : nat * nat) : seq (nat * Z) :=
  [:: (0, (zn f.2 * (1 - zn f.1 * zn f.1))%Z); (6, (2 * zn f.1 * zn f.2)%Z); (7, (- zn f.2)%Z)].
(** A head of these values, written from column `to` on; feature 0 is z_0's, at stage 1, and feature g + 1 digit g's, times N_g, at stage g + 1. *)
Definition handing_head (sizes : seq nat) (values : seq (seq (nat * Z))) (to : nat) : linear_head := LinearHead
  [seq sparse l | l <- map near_stage ((1, 1) :: [seq (g.+1, nth 0 sizes g) | g <- iota 0 (size sizes).-1])] [::]
  [seq unit_row c | c <- 8 :: iota 13 (size sizes).-1] [::]
  [seq sparse v | v <- values]
  (nseq to [::] ++ [seq unit_row r | r <- iota 0 (size values)]) false (size sizes).-1.+1 (size values).

(** What stands at a place. *)
Definition keyed (x : vector) (k : nat * nat) : Prop :=
  [/\ x.[0] = 1, x.[1] = zn k.1, x.[2] = zn k.2 & x.[3] = zn k.1 * zn k.1 + zn k.2 * zn k.2]%Z.
(** A token asks for a place. *)
Definition asking (x : vector) (k : nat * nat) : Prop :=
  [/\ x.[0] = 1, x.[4] = zn k.1, x.[5] = zn k.1 * zn k.1, x.[10] = zn k.2 & x.[11] = zn k.2 * zn k.2]%Z.

(** Distinct places are at least 1 apart. *)
Lemma apart (k k' : nat * nat) : let d := ((zn k.1 - zn k'.1) * (zn k.1 - zn k'.1) + (zn k.2 - zn k'.2) * (zn k.2 - zn k'.2))%Z in
  if k' == k then d = 0%Z else (1 <= d)%Z.
Proof.
case: k k' => [t a] [t' a'] /=; case: eqP => [[-> ->]|ne]; first by ring.
have : (zn t <> zn t' \/ zn a <> zn a')%Z.
  case: (Z.eq_dec (zn t) (zn t')) => [/Nat2Z.inj e1|]; last by left.
  by right=> /Nat2Z.inj e2; apply: ne; rewrite e1 e2.
have sq1 u v : (u <> v -> 1 <= (u - v) * (u - v))%Z by nia.
by have := Z.square_nonneg (zn t - zn t'); have := Z.square_nonneg (zn a - zn a') => s1 s2 [/sq1|/sq1]; lia.
Qed.

(** * 2. The full head *)
Section Full.
Hypothesis exp0 : exp_floor 0%Z = (2 ^ zn P)%Z.
Hypothesis expN : forall a, (tau <= a)%Z -> exp_floor a = 0%Z.

(** The weight of a key: 2^P at the match, 0 elsewhere. *)
Lemma place_weight i j x y k k' : asking x k -> keyed y k' ->
  weight P (full_weight frame exp_floor asking_head) 0 i j x y = if k' == k then (2 ^ zn P)%Z else 0%Z.
Proof.
move=> [e0 e4 e5 e10 e11] [k0 k1 k2 k3]; rewrite /weight /full_weight apply_sparse apply_units [map _ [:: 1; 2; 3; 0]]/=.
rewrite k0 k1 k2 k3; have := apart k k'; set d := (_ + _)%Z => D; set y' := exponent _ _ _ _.
have d0 : (0 <= d)%Z by move: D; case: eqP => _ /=; lia.
have yE : y' = (tau * d)%Z.
  rewrite /y' /exponent [dot _ _]/= e0 e4 e5 e10 e11 [shift _]/=; set q := (_ + _)%Z.
  have -> : q = (- (tau * d))%Z by rewrite /q /d; ring.
  have : (0 <= tau * d)%Z by apply: Z.mul_nonneg_nonneg; rewrite /tau; lia.
  by rewrite Z.mul_0_l; lia.
have p0 := pow2_pos P; move: D; case: eqP => _ /= D; first by rewrite yE D Z.mul_0_r exp0; lia.
by rewrite expN ?yE; [lia | rewrite /tau; nia].
Qed.

(** The head finds the value at the place that is asked for. *)
Lemma asking_finds x r (at_ : seq (nat * nat)) j k v : uniq at_ -> r < size at_ -> (forall i, i <= r -> keyed (x i) (nth (0, 0) at_ i)) ->
  asking (x r) k -> j <= r -> nth (0, 0) at_ j = k -> (x j).[10] = zn v -> v <= 2 ^ p ->
  compute x (layer (FullBlock asking_head [::])) r = plus (x r) (apply (W_O asking_head) [:: zn v]).
Proof.
move=> ua rs kx ax jr kj xj vp.
pose W := weight P (full_weight frame exp_floor asking_head); pose V := value p (full_value asking_head).
have -> : compute x (layer (FullBlock asking_head [::])) r = plus (x r) (apply (W_O asking_head)
  [:: (numerator 1 W V x r 0 / denominator W x r 0)%Z]) by [].
have We i : i < r.+1 -> W 0 r i (x r) (x i) = if i == j then (2 ^ zn P)%Z else 0%Z.
  by move=> ir; rewrite /W (place_weight _ _ ax (kx i ir)) -kj nth_uniq //; apply: leq_ltn_trans rs.
have Vj : V 0 j (x j) = zn v.
  rewrite /V /value /full_value apply_units [nth _ _ _]/= xj.
  by move: vp => /leP/Nat2Z.inj_le; rewrite of_nat_expn; lia.
have den : denominator W x r 0 = (2 ^ zn P)%Z.
  rewrite /denominator (@zsum_one _ j) // => [|i ir ij]; first by rewrite We // eqxx.
  by rewrite We // (negbTE ij).
have num : numerator 1 W V x r 0 = (2 ^ zn P * zn v)%Z.
  rewrite /numerator divn_small // (@zsum_one _ j) // => [|i ir ij]; first by rewrite We // eqxx Vj.
  by rewrite We // (negbTE ij).
by congr plus; congr apply; congr [:: _]; have p0 := pow2_pos P; rewrite den num Z.mul_comm Z.div_mul //; lia.
Qed.
End Full.

(** Whatever it finds goes to column 12. *)
Lemma asking_else x r c : c != 12 -> (compute x (layer (FullBlock asking_head [::])) r).[c] = (x r).[c].
Proof.
move=> c12; rewrite -[compute _ _ _]/(plus (x r) (apply (W_O asking_head) _)) nth_plus nth_apply [W_O _]/=.
have -> : nth [::] [:: [::]; [::]; [::]; [::]; [::]; [::]; [::]; [::]; [::]; [::]; [::]; [::]; [:: 1%Z]] c = [::]; last by rewrite /= Z.add_0_r.
by do 13! [case: c c12 => [|c] c12 //]; rewrite nth_default.
Qed.

(** * 3. The recurrent head *)
Section Handing.
Variables (sizes : seq nat) (values : seq (seq (nat * Z))) (to : nat).
Let h := handing_head sizes values to.
Let dv := size values.

(** A token of stage s. *)
Definition staged (x : vector) (s : nat) : Prop := [/\ x.[0] = 1, x.[6] = zn s & x.[7] = zn s * zn s]%Z.

(** What the head leaves at a token. *)
Lemma handing_run x r : compute x (layer (LinearBlock h [::])) r = plus (x r) (apply (L_O h)
  [seq linear_sum frame h (x r) (scan ((size sizes).-1.+1 * columns h) b (linear_next frame h) x r.+1) t | t <- iota 0 dv]).
Proof.
rewrite -[compute _ _ _]/(plus (x r) (apply (L_O h) (linear_out frame h (x r) _))); congr plus; congr apply.
by rewrite /linear_out /=; apply: eq_map => t; rewrite /stream_unit /= Z.pow_0_r Z.mul_1_r Z.div_1_r.
Qed.
(** The features of a token of stage s: the factor of feature c = s, and 0 elsewhere. *)
Lemma stage_features x s : staged x s -> query_of frame h x =
  (if s == 1 then 1%Z else 0%Z) :: mkseq (fun g => if s == g.+1 then zn (nth 0 sizes g) else 0%Z) (size sizes).-1.
Proof.
move=> [e0 e6 e7]; rewrite /query_of -[L_Q h]/[seq sparse l | l <- map near_stage _] apply_sparse.
have one f : Z.max 0 (foldr (fun e r => e.2 * x.[e.1] + r)%Z 0%Z (near_stage f)) = if s == f.1 then zn f.2 else 0%Z.
  rewrite /= e0 e6 e7; set u := (_ + _)%Z; have uE : u = (zn f.2 * (1 - (zn s - zn f.1) * (zn s - zn f.1)))%Z by rewrite /u; ring.
  rewrite {}uE; case: eqP => [->|ne]; first by rewrite Z.sub_diag; lia.
  have ne' : zn s <> zn f.1 by move/Nat2Z.inj.
  by have : (1 <= (zn s - zn f.1) * (zn s - zn f.1))%Z; nia.
have plus0 u : plus u [::] = u by case: u.
rewrite plus0 /relu -!map_comp (eq_map one) map_cons; congr (_ :: _).
by rewrite /mkseq -map_comp.
Qed.
(** Stage 0 is told nothing. *)
Lemma stage_zero x s t : staged x 0 -> linear_sum frame h x s t = 0%Z.
Proof.
move=> /stage_features qE; rewrite /linear_sum qE [d_k h]/= [iota _ _]/= /=.
have -> (l : seq Z) : dot (mkseq (fun g => if 0 == g.+1 then zn (nth 0 sizes g) else 0%Z) (size sizes).-1) l = 0%Z; last by lia.
by rewrite /mkseq; elim: (iota 0 _) l => [|g gs IH] [|a l] //=; rewrite IH.
Qed.

Variable digits : seq nat.
Hypothesis size_digits : size digits = (size sizes).-1.
(** What z_0 (token z) and w (token w) write into the features; other tokens write nothing. *)
Definition writes (x : vector) (z w i : nat) : Prop :=
  x.[8] = (if i == z then 1 else 0)%Z /\ forall g, g < size digits -> x.[13 + g] = (if i == w then zn (nth 0%N digits g) else 0)%Z.

(** The state: z_0's values, and w's digits times w's values, as soon as they have passed. *)
Lemma handing_state x r z w (vz vw : nat -> Z) i f t : (forall j, j <= r -> writes (x j) z w j) -> z < w ->
  (forall t, t < dv -> (value_of frame h (x z)).[t] = vz t /\ (0 <= vz t < 2 ^ zn b)%Z) ->
  (forall t, t < dv -> (value_of frame h (x w)).[t] = vw t /\ forall g, g < size digits -> (0 <= zn (nth 0%N digits g) * vw t < 2 ^ zn b)%Z) ->
  i <= r.+1 -> f <= size digits -> t < dv ->
  (scan ((size sizes).-1.+1 * columns h) b (linear_next frame h) x i).[f * columns h + t] =
  if f is g.+1 then if w < i then (zn (nth 0%N digits g) * vw t)%Z else 0%Z else if z < i then vz t else 0%Z.
Proof.
move=> wr zw vzE vwE + fG td; have cE : columns h = dv by rewrite /columns /= addn0.
rewrite cE -size_digits; have lt : f * dv + t < (size digits).+1 * dv.
  by rewrite [X in _ < X]mulnC; apply: pair_lt.
have p0 := pow2_pos b; elim: i => [|i IH] ir; first by rewrite /= nth_nseq; case: ifP; case: (f).
rewrite /= nth_mkseq //; move: (scan _ _ _ _ _) {IH} (IH (ltnW ir)) => s sE; rewrite /linear_next cE sE.
rewrite divnMDl ?(leq_ltn_trans _ td) // (divn_small td) addn0 modnMDl (modn_small td).
have keyE : (key_of frame h (x i)).[f] = if f is g.+1 then if i == w then zn (nth 0%N digits g) else 0%Z else if i == z then 1%Z else 0%Z.
  have [w8 w13] := wr i ir; rewrite /key_of -[L_K h]/[seq unit_row c | c <- _] apply_units.
  have plus0 u : plus u [::] = u by case: u.
  rewrite plus0 /relu (nth_map 0%Z) ?size_map /= ?size_iota -?size_digits ?ltnS //; case: f fG {lt sE} => [_|g gG] /=.
    by rewrite w8; case: eqP; lia.
  by rewrite (nth_map 0) ?size_iota // nth_iota // w13 //; case: eqP; lia.
rewrite keyE; case: f fG {lt sE keyE} => [_|g gG].
  rewrite ltnS; case: (ltngtP z i) => [lt|lt|E]; rewrite /fit; [have [_ ?] := vzE t td; lia | lia |].
  by have [vE ?] := vzE t td; rewrite -E vE; lia.
have [vE B] := vwE t td; have {}B := B g gG.
by rewrite ltnS /fit; case: (ltngtP w i) => [lt|lt|E]; [lia | lia | rewrite -E vE; lia].
Qed.

(** A token of stage s behind w is told z_0's values at stage 1, and N_g·digit g times w's values at stage g + 1. *)
Lemma handing_tells x r z w (vz vw : nat -> Z) g : (forall j, j <= r -> writes (x j) z w j) -> z < w -> w <= r ->
  (forall t, t < dv -> (value_of frame h (x z)).[t] = vz t /\ (0 <= vz t < 2 ^ zn b)%Z) ->
  (forall t, t < dv -> (value_of frame h (x w)).[t] = vw t /\ forall g, g < size digits -> (0 <= zn (nth 0%N digits g) * vw t < 2 ^ zn b)%Z) ->
  staged (x r) g.+1 -> compute x (layer (LinearBlock h [::])) r = plus (x r) (apply (L_O h)
    [seq ((if g == 0%N then vz t else 0) + zn (nth 0%N sizes g * nth 0%N digits g) * vw t)%Z | t <- iota 0 dv]).
Proof.
move=> wr zw wi vzE vwE st; rewrite handing_run; congr plus; congr apply; apply/eq_in_map => t; rewrite mem_iota => td.
rewrite /linear_sum (stage_features st) [d_k h]/= [iota _ _]/= [map _ (_ :: _)]/=.
have St f : f <= size digits -> _ := fun fG => @handing_state x r z w vz vw r.+1 f t wr zw vzE vwE (leqnn _) fG td.
rewrite (St 0) // ltnS (ltnW (leq_trans zw wi)) eqSS.
set s := scan _ _ _ _ _ in St *; have -> : [seq s.[c * columns h + t] | c <- iota 1 (size sizes).-1]
    = mkseq (fun c => zn (nth 0%N digits c) * vw t)%Z (size sizes).-1.
  rewrite -[1]addn0 iotaDl -map_comp /mkseq; apply/eq_in_map => c; rewrite mem_iota add0n -size_digits => /= cG.
  by rewrite add1n St // ltnS wi.
have dot_cons a u c v : dot (a :: u) (c :: v) = (a * c + dot u v)%Z by [].
rewrite dot_cons -zsum_dot; congr Z.add; first by case: eqP; lia.
rewrite -multE Nat2Z.inj_mul; case: (ltnP g (size sizes).-1) => gG.
  rewrite (@zsum_one _ g) // => [|c cG cg]; first by rewrite eqxx; lia.
  by rewrite eqSS eq_sym (negbTE cg).
rewrite zsum_zero => [|c cG]; first by rewrite [nth 0 digits g]nth_default ?size_digits //; lia.
by rewrite eqSS gtn_eqF // (leq_trans cG).
Qed.
End Handing.
End Heads.
