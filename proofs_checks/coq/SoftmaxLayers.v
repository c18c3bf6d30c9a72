(** A softmax layer of exact arithmetic is a Full layer, and its sums have 2^beta values.

    The layer: H heads with d values each; the weight of token j for token i is a whole number in 0 .. 2^P, a value a
    whole number in -2^p .. 2^p; numerators  sum_{j<=i} e(i,j) v(j)  and denominators  sum_{j<=i} e(i,j)  are exact sums;
    everything after that (the rounded quotients, the output matrix, the residual stream, the MLPs) is any function of
    them and of the token itself.  For prompts of n <= 2^k tokens
        beta = H * (d * (P + p + k + 1) + (P + k)). *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * Whole numbers modulo 2^b *)

(** Powers of 2 are positive. *)
Lemma pow2_pos b : (0 < 2 ^ Z.of_nat b)%Z. Proof. by apply: Z.pow_pos_nonneg; lia. Qed.

(** Powers of natural numbers as integers. *)
Lemma of_nat_expn (a b : nat) : Z.of_nat (a ^ b) = (Z.of_nat a ^ Z.of_nat b)%Z.
Proof.
elim: b => [|b IH] //; rewrite expnS -multE Nat2Z.inj_mul IH Nat2Z.inj_succ Z.pow_succ_r //; lia.
Qed.

(** A number as its residue. *)
Lemma residue_lt b z : Z.to_nat (z mod 2 ^ Z.of_nat b) < 2 ^ b.
Proof.
have B := Z.mod_pos_bound z _ (pow2_pos b).
by apply/ltP; apply/Nat2Z.inj_lt; rewrite of_nat_expn Z2Nat.id; lia.
Qed.
Definition residue b (z : Z) : 'I_(2 ^ b) := Ordinal (residue_lt b z).

(** The residue as an integer. *)
Lemma residue_val b z : Z.of_nat (residue b z) = (z mod 2 ^ Z.of_nat b)%Z.
Proof. by rewrite /= Z2Nat.id //; case: (Z.mod_pos_bound z _ (pow2_pos b)). Qed.

(** Numbers with equal remainders have equal residues. *)
Lemma residue_inj b y z : (y mod 2 ^ Z.of_nat b = z mod 2 ^ Z.of_nat b)%Z -> residue b y = residue b z.
Proof. by move=> yz; apply: val_inj; rewrite /= yz. Qed.

(** The residue as an unsigned or a signed number. *)
Definition unsigned b (r : 'I_(2 ^ b)) : Z := Z.of_nat r.
Definition signed b (r : 'I_(2 ^ b.+1)) : Z :=
  if (Z.of_nat r <? 2 ^ Z.of_nat b)%Z then Z.of_nat r else (Z.of_nat r - 2 ^ Z.of_nat b.+1)%Z.

(** A number in 0 … 2^b − 1 is read back. *)
Lemma unsignedK b z : (0 <= z < 2 ^ Z.of_nat b)%Z -> unsigned (residue b z) = z.
Proof. by move=> B; rewrite /unsigned residue_val Z.mod_small. Qed.

(** A number in −2^b … 2^b − 1 is read back. *)
Lemma signedK b z : (- 2 ^ Z.of_nat b <= z < 2 ^ Z.of_nat b)%Z -> signed (residue b.+1 z) = z.
Proof.
move=> B; have E : (2 ^ Z.of_nat b.+1 = 2 * 2 ^ Z.of_nat b)%Z by rewrite Nat2Z.inj_succ Z.pow_succ_r; lia.
rewrite /signed residue_val; case: (Z.ltb_spec z 0) => s.
  have M : (z mod 2 ^ Z.of_nat b.+1 = z + 2 ^ Z.of_nat b.+1)%Z.
    by rewrite -(Z.mod_add z 1); [rewrite Z.mod_small; lia | lia].
  by rewrite M; case: Z.ltb_spec; lia.
by rewrite Z.mod_small; [case: Z.ltb_spec; lia | lia].
Qed.

(** Addition of residues. *)
Definition addr b (r s : 'I_(2 ^ b)) : 'I_(2 ^ b) := residue b (Z.of_nat r + Z.of_nat s).

(** The sum of residues is the residue of the sum. *)
Lemma addr_residue b y z : addr (residue b y) (residue b z) = residue b (y + z).
Proof. by apply: residue_inj; rewrite !residue_val -Zplus_mod. Qed.

(** * The accumulator of a layer: H*d signed and H unsigned sums *)

Section Sums.
Variables (A B a b : nat).   (* A numbers of a bits, B numbers of b bits *)
Definition sums_type : finType :=
  prod_finType (finfun_finType (ordinal_finType A) (ordinal_finType (2 ^ a)))
               (finfun_finType (ordinal_finType B) (ordinal_finType (2 ^ b))).

Definition encode (N : nat -> Z) (D : nat -> Z) : sums_type :=
  ([ffun t : 'I_A => residue a (N t)], [ffun t : 'I_B => residue b (D t)]).
Definition sums_zero : sums_type := encode (fun _ => 0%Z) (fun _ => 0%Z).
Definition sums_add (s t : sums_type) : sums_type :=
  ([ffun i => addr (s.1 i) (t.1 i)], [ffun i => addr (s.2 i) (t.2 i)]).


(** How many tuples there are. *)
Lemma card_sums : #|sums_type| = 2 ^ (A * a + B * b).
Proof. by rewrite card_prod !card_ffun !card_ord -!expnM -expnD mulnC [b * B]mulnC. Qed.

(** Encodings, added from left to right, are the encoding of the sums. *)
Lemma state_encode X (N D : nat -> X -> nat -> Z) (x : nat -> X) i :
  state sums_zero (fun j s y => sums_add s (encode (N j y) (D j y))) x i =
  encode (fun t => zsum (fun j => N j (x j) t) i) (fun t => zsum (fun j => D j (x j) t) i).
Proof. by elim: i => [|i IH] //=; rewrite IH; congr (_, _); apply/ffunP => t; rewrite !ffunE addr_residue. Qed.
End Sums.

(** * Softmax layers *)

Section Softmax.
Variable X : Type.
Variables (H d P p k : nat).
(** e h i j x y: the weight that head h of token i (activation x) gives to token j (activation y);
    v h r j y: value r of head h at token j; own positions are known. *)
Variable e : nat -> nat -> nat -> X -> X -> Z.
Variable v : nat -> nat -> X -> Z.
(** The rest of the layer: from the token's activation, all numerators and all denominators. *)
Variable finish : nat -> X -> seq Z -> seq Z -> X.
Hypothesis e_bound : forall h i j x y, (0 <= e h i j x y <= 2 ^ Z.of_nat P)%Z.
Hypothesis v_bound : forall t j y, (- 2 ^ Z.of_nat p <= v t j y <= 2 ^ Z.of_nat p)%Z.

(** The layer as a Full layer: the sums over j < i are residues, the own term is added by h. *)
Definition bits_num := (P + p + k).+1.
Definition bits_den := P + k.
Definition heard_term i j (x y : X) : sums_type (H * d) H bits_num bits_den :=
  encode _ _ _ _ (fun t => e (t %/ d) i j x y * v t j y)%Z (fun h => e h i j x y).
Definition combine i (x : X) (s : sums_type (H * d) H bits_num bits_den) : X :=
  finish i x [seq (signed (s.1 t) + e (t %/ d) i i x x * v t i x)%Z | t <- enum 'I_(H * d)]
             [seq (unsigned (s.2 h) + e h i i x x)%Z | h <- enum 'I_H].
Definition softmax_layer : layer X :=
  @Full X _ (sums_zero _ _ _ _) (fun i j x y s => sums_add s (heard_term i j x y))
        unit_finType tt (fun _ s _ => s) (fun i x s _ => combine i x s).

(** i terms within -c .. c have a sum within -i*c .. i*c. *)
Lemma zsum_bound F i lo hi : (forall j, (lo <= F j <= hi)%Z) ->
  (Z.of_nat i * lo <= zsum F i <= Z.of_nat i * hi)%Z.
Proof.
move=> B; elim: i => [|i IH]; first by rewrite /=; lia.
by rewrite /zsum -/zsum Nat2Z.inj_succ; have := B i; lia.
Qed.

(** One term is at most 2^P·2^p. *)
Lemma term_bound i j x y t : let c := (2 ^ Z.of_nat P * 2 ^ Z.of_nat p)%Z in
  (- c <= e (t %/ d) i j x y * v t j y <= c)%Z.
Proof. by move=> c; have := e_bound (t %/ d) i j x y; have := v_bound t j y; rewrite /c; nia. Qed.

(** Fewer than 2^k earlier tokens: the sums are what the residues say. *)
Lemma small_pow i : i < 2 ^ k -> (Z.of_nat i + 1 <= 2 ^ Z.of_nat k)%Z.
Proof. by move=> /ltP/Nat2Z.inj_lt; rewrite of_nat_expn; lia. Qed.

(** The Full layer gives what the sums over all tokens give. *)
Theorem softmax_is_full x i : i < 2 ^ k -> run x softmax_layer i = softmax H d e v finish x i.
Proof.
move=> small; rewrite /run /softmax_layer /= state_encode /combine /softmax.
have I := small_pow small; have pP := pow2_pos P; have pp := pow2_pos p; have pk := pow2_pos k.
congr (finish _ _ _ _).
- rewrite /mkseq -val_enum_ord -[RHS]map_comp; apply: eq_map => t /=.
  rewrite /= ffunE signedK //.
  have := @zsum_bound (fun j => e (t %/ d) i j (x i) (x j) * v t j (x j))%Z i _ _
            (fun j => term_bound i j (x i) (x j) t).
  rewrite !Nat2Z.inj_add !Z.pow_add_r; try lia.
  nia.
- rewrite /mkseq -val_enum_ord -[RHS]map_comp; apply: eq_map => h /=.
  rewrite /= ffunE unsignedK //.
  have := @zsum_bound (fun j => e h i j (x i) (x j)) i _ _ (fun j => e_bound h i j (x i) (x j)).
  rewrite !Nat2Z.inj_add !Z.pow_add_r; try lia.
  nia.
Qed.

(** M1: the message of a softmax layer has beta bits. *)
Theorem softmax_bits : sums softmax_layer = 2 ^ (H * (d * (P + p + k + 1) + (P + k))).
Proof. by rewrite /= card_sums /bits_num /bits_den addn1 -mulnA -mulnDr. Qed.
(** There is no state. *)
Theorem softmax_states : states softmax_layer = 1.
Proof. by rewrite /= card_unit. Qed.
End Softmax.

(** M1: a softmax layer is a Full layer without state, and its sums have 2^β values. *)
Theorem softmax_layers_are_full X H d P p k e v (finish : nat -> X -> seq Z -> seq Z -> X) :
  (forall h i j x y, 0 <= e h i j x y <= 2 ^ Z.of_nat P)%Z ->
  (forall t j y, - 2 ^ Z.of_nat p <= v t j y <= 2 ^ Z.of_nat p)%Z ->
  exists l : layer X, [/\ is_full l, sums l = 2 ^ (H * (d * (P + p + k + 1) + (P + k))), states l = 1
    & forall x i, i < 2 ^ k -> run x l i = softmax H d e v finish x i].
Proof.
move=> eb vb; exists (softmax_layer H d P p k e v finish).
by split=> //; [exact: softmax_bits | exact: softmax_states | move=> x i; exact: softmax_is_full].
Qed.
