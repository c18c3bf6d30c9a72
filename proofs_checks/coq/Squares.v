(** Look-ups at every size, with integer matrices given as functions of L, m, n_1, ..., n_{L-1}: no MLP.

    An index i is written as the two numbers (i, i²), a position as (1, ℓ, ℓ², g, g², a, a²): table ℓ (0: z_0, L+1: w), digit
    g and index a.  A full layer reads: query minus key scores −τ((ℓ−ℓ')² + (g−g')² + (a−a')²), 0 at the match, at most −τ
    elsewhere, and with τ = P + 1 every weight but that of the match is ⌊2^P·exp(−y)⌋ = 0.  A recurrent layer stores: feature
    (g, a) of a key of table ℓ is relu(1 − (g−g')² − (a−a')² − (ℓ−ℓ')²), 1 at the match, 0 elsewhere.  Layer k = 0, …, L, of
    either kind, reads table k at w and writes (i_k, i_k²) into a slot of its own, so nothing has to be erased: C1 has full layers only,
    C2 one recurrent layer in front, C3 recurrent layers only.  Width 4L + 15, d_k = 7, d_v = 2, p = 2⌈log2 n⌉. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Prompt Counting Knowledge SoftmaxLayers ScanLayers
  ExactModels IntegerWeights FloorExp AllInputs EveryTable GoldenSchedule SquareRows.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.

(** * 1. The weights *)
Section Squares.
Variables (P p m : nat) (ns : seq nat).
Let tau : Z := (Z.of_nat P + 1)%Z.
Let L := (size ns).+1.
Notation zn := Z.of_nat.

Definition digit_at (t : nat) := 9 + 2 * t.
Definition slot_at (t : nat) := 9 + 2 * L.+1 + 2 * t.
(** Two numbers go to slot o. *)
Definition write_rows (o : nat) : matrix := nseq (slot_at o) [::] ++ [:: [:: 1%Z; 0%Z]; [:: 0%Z; 1%Z]].

(** A full head that reads table k at the digit of columns d and the index of columns s, the values of columns v. *)
Definition query_entries (k d s : nat) : seq (seq (nat * Z)) :=
  [:: [:: (0, (2 * tau * zn k)%Z)]; [:: (0, (- tau)%Z)]; [:: (d, (2 * tau)%Z)]; [:: (0, (- tau)%Z)];
      [:: (s, (2 * tau)%Z)]; [:: (0, (- tau)%Z)];
      [:: (0, (- tau * (zn k * zn k))%Z); (d.+1, (- tau)%Z); (s.+1, (- tau)%Z)]].
Definition key_entries := [:: 1; 2; 3; 4; 5; 6; 0].
Definition reading_head (k d s v o : nat) : full_head := FullHead
  [seq sparse l | l <- query_entries k d s] [seq unit_row c | c <- key_entries] [seq unit_row c | c <- [:: v; v.+1]]
  (write_rows o) 0.

(** A recurrent head that stores table k, of the addresses (digit, index), and reads it in the same way. *)
Definition near_key (k : nat) (t : nat * nat) : seq (nat * Z) :=
  [:: (0, (1 - zn k * zn k - zn t.1 * zn t.1 - zn t.2 * zn t.2)%Z); (1, (2 * zn k)%Z); (2, (-1)%Z);
      (3, (2 * zn t.1)%Z); (4, (-1)%Z); (5, (2 * zn t.2)%Z); (6, (-1)%Z)].
Definition near_query (d s : nat) (t : nat * nat) : seq (nat * Z) :=
  [:: (0, (1 - zn t.1 * zn t.1 - zn t.2 * zn t.2)%Z); (d, (2 * zn t.1)%Z); (d.+1, (-1)%Z); (s, (2 * zn t.2)%Z); (s.+1, (-1)%Z)].
Definition storing_head (k d s v o : nat) (addresses : seq (nat * nat)) : linear_head := LinearHead
  [seq sparse l | l <- map (near_query d s) addresses] [::] [seq sparse l | l <- map (near_key k) addresses] [::]
  [seq unit_row c | c <- [:: v; v.+1]] (write_rows o) false (size addresses) 2.

Definition look_up (full : bool) (k d s v o : nat) (addresses : seq (nat * nat)) : built_layer :=
  if full then FullBlock (reading_head k d s v o) [::] else LinearBlock (storing_head k d s v o addresses) [::].

(** All addresses of a table of size N, the one before it of size b. *)
Definition addresses_of (b N : nat) : seq (nat * nat) := mkseq (fun a => (a %/ b, a %% b)) N.
(** Layer k at w. *)
Definition hop (full : bool) (k b N : nat) : built_layer :=
  look_up full k (digit_at k) (slot_at k) 7 k.+1 (addresses_of b N).
Fixpoint hops (kinds : seq bool) (k b N : nat) (ns : seq nat) : seq built_layer :=
  hop (head true kinds) k b N :: if ns is n :: ns' then hops (behead kinds) k.+1 N (N * n) ns' else [::].

(** Table, digit and index of every position: tables L, …, 1, then z_0 and w. *)
Fixpoint keys (l before size : nat) (ns : seq nat) : seq (nat * nat * nat) :=
  (if ns is n :: ns' then keys l.+1 size (size * n) ns' else [::])
  ++ mkseq (fun a => (l, a %/ before, a %% before)) size.
Definition key_list : seq (nat * nat * nat) := keys 1 m m ns ++ [:: (0, 0, 0); (L.+1, 0, 0)].

Definition with_square (a : nat) : vector := [:: zn a; zn a * zn a]%Z.
Definition position_row (t : nat * nat * nat) : vector :=
  1%Z :: with_square t.1.1 ++ with_square t.1.2 ++ with_square t.2.
Definition value_row (a : nat) : vector := nseq 7 0%Z ++ with_square a.
Definition query_row (ws : seq nat) : vector := nseq 9 0%Z ++ flatten [seq with_square g | g <- [:: 0, 0 & ws]].
(** The digits of a number, n_1 first. *)
Fixpoint digits (ns : seq nat) (x : nat) : seq nat :=
  if ns is _ :: ns' then x %/ queries ns' :: digits ns' (x %% queries ns') else [::].

Definition answers := last_size m ns.
Definition token_table : matrix :=
  [seq value_row a | a <- iota 0 answers] ++ [seq query_row (digits ns x) | x <- iota 0 (queries ns)].
(** The weights with these layers. *)
Definition with_blocks (bs : seq built_layer) : weights := Weights P p 0 p
  [seq position_row t | t <- key_list]
  token_table
  [seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers]
  bs.
(** Layers 0, …, L of these kinds, full where nothing is said: C1, C2 with the recurrent layer first, C3. *)
Definition all_hops (kinds : seq bool) : seq built_layer := hop (head true kinds) 0 1 1 :: hops (behead kinds) 1 m m ns.
(** C2 with a full layer first: z_0's own token reads i_1, which a recurrent layer hands to w. *)
Definition full_first : seq built_layer :=
  [:: look_up true 1 (digit_at 0) 7 7 0 (addresses_of m m), look_up false 0 (digit_at 0) (digit_at 0) (slot_at 0) 2 (addresses_of 1 1)
    & if ns is n :: ns' then hops [::] 2 m (m * n) ns' else [::]].
Definition squares : weights := with_blocks (all_hops [::]).

(** * 2. Positions and tokens *)
Lemma size_keys l b N ns' : size (keys l b N ns') = sumn (sizes N ns').
Proof. by elim: ns' l b N => [|n ns' IH] l b N /=; rewrite ?size_cat size_mkseq ?IH ?addn0 // addnC. Qed.
(** The key of entry (g, i) of the first of some tables. *)
Lemma nth_keys l b N ns' rest g i : i < b -> g * b + i < N ->
  nth (0, 0, 0) (keys l b N ns' ++ rest) (sumn (behead (sizes N ns')) + (g * b + i)) = (l, g, i).
Proof.
move=> ib aN; have b0 := leq_ltn_trans (leq0n _) ib; case: ns' => [|n l'] /=; last rewrite -catA nth_cat size_keys ltnNge leq_addr /= addKn.
  by rewrite nth_cat size_mkseq aN nth_mkseq // divnMDl // divn_small // addn0 modnMDl modn_small.
by rewrite nth_cat size_mkseq aN nth_mkseq // divnMDl // divn_small // addn0 modnMDl modn_small.
Qed.
(** The first number of a key is its table. *)
Lemma keys_tag l b N ns' t : t \in keys l b N ns' -> l <= t.1.1 <= l + size ns'.
Proof.
elim: ns' l b N => [|n ns' IH] l b N /=; first by case/mapP => a _ ->; rewrite /= leqnn addn0 leqnn.
rewrite mem_cat => /orP[/IH|/mapP[a _ ->]]; last by rewrite /= leqnn leq_addr.
by rewrite addSnnS => /andP[/ltnW -> ->].
Qed.
(** Keys of tables are distinct. *)
Lemma uniq_keys l b N ns' : uniq (keys l b N ns').
Proof.
have one l' b' N' : uniq (mkseq (fun a => (l', a %/ b', a %% b')) N').
  by apply/mkseq_uniqP => x y _ _ [q r]; rewrite (divn_eq x b') (divn_eq y b') q r.
elim: ns' l b N => [|n ns' IH] l b N //=.
rewrite cat_uniq IH one andbT /=; apply/hasPn => t /mapP[a _ ->]; apply/negP => /keys_tag /=.
by rewrite ltnn.
Qed.
(** All keys are distinct: one position matches. *)
Lemma uniq_key_list : uniq key_list.
Proof.
rewrite /key_list cat_uniq uniq_keys andTb; apply/andP; split=> //.
by apply/hasPn => t; rewrite !inE => /orP[] /eqP ->; apply/negP => /keys_tag; rewrite /L add1n ?ltnn ?andbF.
Qed.
(** A key for each token. *)
Lemma size_key_list : size key_list = tokens m ns.
Proof. by rewrite /key_list size_cat size_keys /= addn2. Qed.

(** Horner: a number in front is multiplied by all radices. *)
Lemma query_number_acc (a : nat) ws ns' : all2 ltn ws ns' ->
  foldl (fun a wn => a * wn.2 + wn.1) a (zip ws ns') = a * queries ns' + foldl (fun a wn => a * wn.2 + wn.1) 0 (zip ws ns').
Proof.
elim: ns' ws a => [|n ns' IH] [|w ws] a //=; rewrite ?muln1 ?addn0 // => /andP[wn h].
by rewrite (IH _ _ h) [in RHS](IH _ _ h) mul0n add0n mulnDl mulnA addnA.
Qed.
(** The number of a query is below their count. *)
Lemma query_number_lt ws ns' : all2 ltn ws ns' -> query_number ns' ws < queries ns'.
Proof.
elim: ns' ws => [|n ns' IH] [|w ws] //= /andP[wn h]; rewrite /query_number /= query_number_acc // mul0n add0n.
by rewrite [X in _ < X]mulnC; apply: pair_lt wn (IH _ h).
Qed.
(** Its digits are the query. *)
Lemma digits_query ws ns' : all2 ltn ws ns' -> digits ns' (query_number ns' ws) = ws.
Proof.
elim: ns' ws => [|n ns' IH] [|w ws] //= /andP[wn h]; rewrite /query_number /= query_number_acc // mul0n add0n.
have lt := query_number_lt h; have q0 : 0 < queries ns' by apply: leq_ltn_trans lt.
by rewrite divnMDl // (divn_small lt) addn0 modnMDl (modn_small lt) IH.
Qed.

(** The row of a value. *)
Lemma token_row_value v : v < answers -> nth [::] (token_rows (with_blocks [::])) (token_number (with_blocks [::]) ns (Val v)) = value_row v.
Proof. by move=> va; rewrite /= nth_cat size_map size_iota va (nth_map 0) ?size_iota // nth_iota. Qed.
(** The row of a query. *)
Lemma token_row_query ws : all2 ltn ws ns ->
  nth [::] (token_rows (with_blocks [::])) (token_number (with_blocks [::]) ns (Query ws)) = query_row ws.
Proof.
move=> h; have lt := query_number_lt h.
rewrite /= !size_map nth_cat size_map !size_iota ltnNge leq_addr /= addKn (nth_map 0) ?size_iota // nth_iota // add0n.
by rewrite digits_query.
Qed.

(** * 3. One layer *)
Section Run.
Variables (exp_floor : Z -> Z) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Hypothesis exp0 : exp_floor 0%Z = (2 ^ zn P)%Z.
Hypothesis expN : forall a, (tau <= a)%Z -> exp_floor a = 0%Z.
Hypothesis ok : valid m ns z0 zs ws.
Hypothesis big : answers * answers <= 2 ^ p.
Let q := prompt z0 zs ws.
Let n := tokens m ns.
Let frame := with_blocks [::].
Notation first j := (embedded frame ns j (nth (Val 0) q j)).
Notation layer b := (exact_block frame exp_floor b).

(** The length of the prompt. *)
Lemma size_q : size q = n.
Proof. exact: size_valid. Qed.
(** The unit of the stream is 1. *)
Lemma scale1 x : scale (stream_unit frame) x = x.
Proof. by rewrite /stream_unit /= /scale -[RHS]map_id; apply: eq_map => a; lia. Qed.
(** Before the first layer a token is its position and its value. *)
Lemma firstE j : j < n -> first j = plus (position_row (nth (0, 0, 0) key_list j))
  (nth [::] (token_rows frame) (token_number frame ns (nth (Val 0) q j))).
Proof. by move=> jn; rewrite /embedded scale1 (nth_map (0, 0, 0)) // size_key_list. Qed.

(** What all tokens keep: everything in front of the slots. *)
Definition kept (x : nat -> vector) : Prop := forall j c, c < slot_at 0 -> (x j).[c] = (first j).[c].

(** Nothing added. *)
Lemma plusr0 x : plus x [::] = x.
Proof. by case: x. Qed.
(** What is written into slot o: two numbers there, nothing elsewhere. *)
Lemma written o a b c : (apply (write_rows o) [:: a; b]).[c] =
  if c == slot_at o then a else if c == (slot_at o).+1 then b else 0%Z.
Proof.
rewrite nth_apply /write_rows; move: (slot_at o) => t; rewrite nth_cat size_nseq; case: ltnP => h.
  by rewrite nth_nseq h (ltn_eqF h) (ltn_eqF (leqW h)).
case: (eqVneq c t) => [->|ne]; first by rewrite subnn /=; lia.
have lt : t < c by rewrite ltn_neqAle eq_sym ne.
case: (eqVneq c t.+1) => [->|ne2]; first by rewrite subSnn /=; lia.
by rewrite nth_default //= -(leq_add2r t) subnK // add2n ltn_neqAle eq_sym ne2.
Qed.
(** Later slots stand behind earlier ones. *)
Lemma slot_mono a b : a <= b -> slot_at a <= slot_at b.
Proof. by move=> ab; rewrite /slot_at leq_add2l leq_mul2l ab. Qed.
(** A slot has two coordinates. *)
Lemma slot_next k : slot_at k.+1 = (slot_at k).+2.
Proof. by rewrite /slot_at [2 * k.+1]mulnS addnCA. Qed.

(** A look-up adds two numbers of its own to slot o, at every token. *)
Lemma look_up_writes x full k d s v o l r : exists a b,
  compute x (layer (look_up full k d s v o l)) r = plus (x r) (apply (write_rows o) [:: a; b]).
Proof.
case: full.
  pose h := reading_head k d s v o; pose W := weight P (full_weight frame exp_floor h); pose V := value p (full_value h).
  by exists (numerator 2 W V x r 0 / denominator W x r 0)%Z, (numerator 2 W V x r 1 / denominator W x r 0)%Z.
pose h := storing_head k d s v o l; pose S := scan (size l * 2) p (linear_next frame h) x r.+1.
pose one := (stream_unit frame * stream_unit frame)%Z.
by exists (linear_sum frame h (x r) S 0 / one)%Z, (linear_sum frame h (x r) S 1 / one)%Z.
Qed.
(** What stands elsewhere stays. *)
Lemma look_up_else x full k d s v o l r c : c != slot_at o -> c != (slot_at o).+1 ->
  (compute x (layer (look_up full k d s v o l)) r).[c] = (x r).[c].
Proof.
move=> c1 c2; have [a [b ->]] := look_up_writes x full k d s v o l r.
by rewrite nth_plus written (negbTE c1) (negbTE c2) Z.add_0_r.
Qed.
(** What stands in front of the slots stays. *)
Lemma look_up_keeps x full k d s v o l : kept x -> kept (compute x (layer (look_up full k d s v o l))).
Proof.
move=> kx j c cs; have lt := leq_trans cs (slot_mono (leq0n o)).
by rewrite look_up_else ?kx // neq_ltn ?lt // ltnS (ltnW lt).
Qed.

(** The position of a token is (1, ℓ, ℓ², g, g², a, a²). *)
Lemma position_kept x j : kept x -> j < n -> let t := nth (0, 0, 0) key_list j in
  [/\ (x j).[0] = 1, (x j).[1] = zn t.1.1, (x j).[2] = zn t.1.1 * zn t.1.1, (x j).[3] = zn t.1.2 & (x j).[4] = zn t.1.2 * zn t.1.2]%Z
  /\ ((x j).[5] = zn t.2 /\ (x j).[6] = zn t.2 * zn t.2)%Z.
Proof.
move=> kx jn t; rewrite !kx // firstE // !nth_plus -/t; set tok := nth [::] _ _.
have vr a c : c < 7 -> (value_row a).[c] = 0%Z by case: c => [|[|[|[|[|[|[|c]]]]]]].
have qr a c : c < 7 -> (query_row a).[c] = 0%Z by case: c => [|[|[|[|[|[|[|c]]]]]]].
have z c : c < 7 -> tok.[c] = 0%Z.
  rewrite /tok -[token_rows _]/token_table /token_table; move: (token_number _ _ _) => k' c7.
  rewrite nth_cat size_map size_iota; case: ltnP => h; first by rewrite (nth_map 0) ?size_iota // vr.
  move: (k' - _) => k2; case: (ltnP k2 (queries ns)) => h2; first by rewrite (nth_map 0) ?size_iota // qr.
  by rewrite [nth [::] _ _]nth_default ?nth_nil // size_map size_iota.
by rewrite !z //= !Z.add_0_r.
Qed.

(** A token asks for digit g and index i: they are in its columns d and s. *)
Definition asks (x : vector) (d s g i : nat) : Prop :=
  [/\ x.[0] = 1%Z, x.[d] = zn g, x.[d.+1] = (zn g * zn g)%Z, x.[s] = zn i & x.[s.+1] = (zn i * zn i)%Z].

Definition far (k l g g' i i' : nat) : Z :=
  ((zn k - zn l) * (zn k - zn l) + (zn g - zn g') * (zn g - zn g') + (zn i - zn i') * (zn i - zn i'))%Z.
(** Squares of distances: 0 at the match, at least 1 elsewhere. *)
Lemma distance k l g g' i i' : if (l, g', i') == (k, g, i) then far k l g g' i i' = 0%Z else (1 <= far k l g g' i i')%Z.
Proof.
rewrite /far; case: eqP => [[-> -> ->]|ne]; first by ring.
have : (zn k <> zn l \/ zn g <> zn g' \/ zn i <> zn i')%Z.
  case: (Z.eq_dec (zn k) (zn l)) => [/Nat2Z.inj e1|]; last by left.
  case: (Z.eq_dec (zn g) (zn g')) => [/Nat2Z.inj e2|]; last by right; left.
  by right; right => /Nat2Z.inj e3; apply: ne; rewrite e1 e2 e3.
have sq1 a b : (a <> b -> 1 <= (a - b) * (a - b))%Z by nia.
have := Z.square_nonneg (zn k - zn l); have := Z.square_nonneg (zn g - zn g'); have := Z.square_nonneg (zn i - zn i').
by move=> s1 s2 s3 [/sq1|[/sq1|/sq1]]; lia.
Qed.

(** The weight that token r gives to position j. *)
Lemma weight_at x k d s v o r g i j : kept x -> j < n -> asks (x r) d s g i ->
  weight P (full_weight frame exp_floor (reading_head k d s v o)) 0 r j (x r) (x j)
  = if nth (0, 0, 0) key_list j == (k, g, i) then (2 ^ zn P)%Z else 0%Z.
Proof.
move=> kx jn [e0 eg eg2 ei ei2]; rewrite /weight /full_weight.
have [[k0 k1 k2 k3 k4] [k5 k6]] := position_kept kx jn.
have -> : apply (W_K (reading_head k d s v o)) (x j) = [seq (x j).[c] | c <- key_entries] by rewrite apply_units.
rewrite [map _ key_entries]/= k0 k1 k2 k3 k4 k5 k6; move: (nth _ _ j) => [[l g'] i'].
set y := exponent _ _ _ _; have D := distance k l g g' i i'.
have yE : y = (tau * far k l g g' i i')%Z.
  rewrite /y /exponent apply_sparse [dot _ _]/= e0 eg eg2 ei ei2 [shift _]/=.
  set dq := (_ + _)%Z; have -> : dq = (- (tau * far k l g g' i i'))%Z by rewrite /dq /far; ring.
  have far0 : (0 <= tau * far k l g g' i i')%Z by apply: Z.mul_nonneg_nonneg; [rewrite /tau; lia | by move: D; case: eqP => _; lia].
  by rewrite Z.mul_0_l Z.max_r; lia.
have p0 := pow2_pos P; move: D; case: eqP => _ D; first by rewrite yE D Z.mul_0_r exp0; lia.
rewrite expN; first by lia.
by rewrite yE -[X in (X <= _)%Z]Z.mul_1_r; apply: Z.mul_le_mono_nonneg_l; rewrite /tau; lia.
Qed.

(** A full layer at token r: the value at the position of (k, g, i) goes to slot o. *)
Lemma full_at x k d s v o l r g i j a : kept x -> r < n -> asks (x r) d s g i -> j <= r ->
  nth (0, 0, 0) key_list j = (k, g, i) -> (x j).[v] = zn a -> (x j).[v.+1] = (zn a * zn a)%Z -> a < answers ->
  compute x (layer (look_up true k d s v o l)) r = plus (x r) (apply (write_rows o) (with_square a)).
Proof.
move=> kx rn ax jr kj v1 v2 aa; have jn := leq_ltn_trans jr rn.
pose h := reading_head k d s v o; pose W := weight P (full_weight frame exp_floor h); pose V := value p (full_value h).
have -> : compute x (layer (look_up true k d s v o l)) r = plus (x r) (apply (write_rows o)
  [seq (c / denominator W x r 0)%Z | c <- mkseq (numerator 2 W V x r) 2]) by [].
congr plus; congr (apply (write_rows o)).
have We j' : j' < r.+1 -> W 0 r j' (x r) (x j') = if j' == j then (2 ^ zn P)%Z else 0%Z.
  move=> j'r; have j'n : j' < n by apply: leq_trans j'r rn.
  by rewrite /W (weight_at _ _ _ kx j'n ax) -kj nth_uniq ?size_key_list //; exact: uniq_key_list.
have Vs t : t < 2 -> V t j (x j) = (with_square a).[t].
  move=> t2; rewrite /V /value /full_value apply_units.
  have -> : [seq (x j).[c] | c <- [:: v; v.+1]].[t] = (with_square a).[t] by case: t t2 => [|[|t]].
  have : (0 <= (with_square a).[t] <= 2 ^ zn p)%Z; last by lia.
  have := big; move=> /leP/Nat2Z.inj_le; rewrite of_nat_expn -multE Nat2Z.inj_mul; move: aa => /ltP/Nat2Z.inj_lt.
  by case: t t2 => [|[|t]] //= _; nia.
have den : denominator W x r 0 = (2 ^ zn P)%Z.
  rewrite /denominator (@zsum_one _ j) // => [|j' jn' js]; first by rewrite We // eqxx.
  by rewrite We // (negbTE js).
have num t : t < 2 -> numerator 2 W V x r t = (2 ^ zn P * (with_square a).[t])%Z.
  move=> t2; rewrite /numerator divn_small //.
  rewrite (@zsum_one _ j) // => [|j' jn' js]; first by rewrite We // eqxx Vs.
  by rewrite We // (negbTE js).
have p0 := pow2_pos P; rewrite /mkseq [iota 0 2]/= !map_cons den !num // /with_square.
by congr [:: _; _]; rewrite Z.mul_comm Z.div_mul //; lia.
Qed.

(** Key and query features of a recurrent layer: 1 at the match, 0 elsewhere. *)
Lemma key_feature x k d s v o l j a : kept x -> j < n -> a < size l ->
  (key_of frame (storing_head k d s v o l) (x j)).[a] = if nth (0, 0, 0) key_list j == (k, (nth (0, 0) l a).1, (nth (0, 0) l a).2) then 1%Z else 0%Z.
Proof.
move=> kx jn al; rewrite /key_of /= plusr0 apply_sparse (nth_map 0%Z) ?size_map // (nth_map [::]) ?size_map // (nth_map (0, 0)) //=.
have [[-> -> -> -> ->] [-> ->]] := position_kept kx jn; move: (nth _ _ j) (nth _ l a) => [[l' g'] i'] [g i] /=.
by have := distance k l' g g' i i'; rewrite /far; case: eqP => _; lia.
Qed.
(** The query features. *)
Lemma query_feature x k d s v o l g i : asks x d s g i -> query_of frame (storing_head k d s v o l) x = [seq if t == (g, i) then 1%Z else 0%Z | t <- l].
Proof.
case=> e0 eg eg2 ei ei2; rewrite /query_of [L_Q _]/= [c_Q _]/= plusr0 apply_sparse /relu -!map_comp; apply: eq_map => -[g' i'] /=; rewrite e0 eg eg2 ei ei2.
have := distance 0 0 g' g i' i; have -> : ((0, g, i) == (0, g', i')) = ((g', i') == (g, i)).
  by apply/eqP/eqP => [[-> ->]|[-> ->]].
by rewrite /far; case: eqP => _; lia.
Qed.
(** One place of a list is asked. *)
Lemma dot_one (t0 : nat * nat) l (F : nat -> Z) b : uniq l -> t0 \in l ->
  dot [seq if t == t0 then 1%Z else 0%Z | t <- l] [seq F a | a <- iota b (size l)] = F (b + index t0 l).
Proof.
have none l' b' : t0 \notin l' -> dot [seq if t == t0 then 1%Z else 0%Z | t <- l'] [seq F a | a <- iota b' (size l')] = 0%Z.
  elim: l' b' => [|t l' IH] b' //=; rewrite inE negb_or eq_sym => /andP[/negbTE -> /IH ->]; lia.
elim: l b => [|t l IH] b //= /andP[tl ul]; rewrite inE eq_sym; case: (eqVneq t t0) => [E _|ne] /=.
  by rewrite addn0 none -?E //; lia.
by move=> /(IH b.+1 ul) ->; rewrite addSnnS; lia.
Qed.

(** A recurrent layer at token r: the same. *)
Lemma recurrent_at x k d s v o l r g i j a : kept x -> r < n -> asks (x r) d s g i -> j <= r ->
  nth (0, 0, 0) key_list j = (k, g, i) -> (x j).[v] = zn a -> (x j).[v.+1] = (zn a * zn a)%Z -> a < answers ->
  uniq l -> (g, i) \in l ->
  compute x (layer (look_up false k d s v o l)) r = plus (x r) (apply (write_rows o) (with_square a)).
Proof.
move=> kx rn ax jr kj v1 v2 aa ul gl; set h := storing_head k d s v o l; set t0 := index (g, i) l.
pose S i' := scan (size l * 2) p (linear_next frame h) x i'.
have t0l : t0 < size l by rewrite index_mem.
have small c : c < 2 -> (0 <= (with_square a).[c] < 2 ^ zn p)%Z.
  have := big; move=> /leP/Nat2Z.inj_le; rewrite of_nat_expn -multE Nat2Z.inj_mul; move: aa => /ltP/Nat2Z.inj_lt.
  by case: c => [|[|c]] //= *; nia.
have St i' c : i' <= r.+1 -> c < 2 -> (S i').[t0 * 2 + c] = if j < i' then (with_square a).[c] else 0%Z.
  move=> + c2; have lt : t0 * 2 + c < size l * 2.
    by rewrite [X in _ < X]mulnC; apply: pair_lt.
  have p0 := pow2_pos p; elim: i' => [|i' IH] ir; first by rewrite /S /= nth_nseq; case: ifP.
  rewrite /S /= nth_mkseq // -/(S i') /linear_next IH; last exact: ltnW.
  rewrite -[columns h]/2 divnMDl // (divn_small c2) addn0 modnMDl (modn_small c2).
  have i'n : i' < n by apply: leq_trans ir rn.
  rewrite (key_feature _ _ _ _ _ kx i'n t0l) nth_index // -kj nth_uniq ?size_key_list ?uniq_key_list //; last exact: leq_ltn_trans jr rn.
  have := small c c2; rewrite ltnS /fit; case: (ltngtP i' j) => [lt'|gt'|E]; last first.
  - rewrite -E in v1 v2; have -> : (value_of frame h (x i')).[c] = (with_square a).[c].
      by rewrite /value_of -[L_V h]/[seq unit_row c | c <- [:: v; v.+1]] apply_units; move: c2; clear -v1 v2; case: c => [|[|c]] //= _.
    by lia.
  - by lia.
  - by lia.
have sumE c : c < 2 -> linear_sum frame h (x r) (S r.+1) c = (with_square a).[c].
  move=> c2; rewrite /linear_sum (query_feature _ _ _ _ ax) -[d_k h]/(size l).
  rewrite (@dot_one (g, i) l (fun b => (S r.+1).[b * columns h + c]) 0) // add0n -/t0 -[columns h]/2 St //.
  by rewrite ltnS jr.
have -> : compute x (layer (look_up false k d s v o l)) r = plus (x r) (apply (write_rows o)
  [seq (linear_sum frame h (x r) (S r.+1) c / (stream_unit frame * stream_unit frame))%Z | c <- [:: 0; 1]]) by [].
congr plus; congr (apply (write_rows o)); rewrite /= !sumE // /with_square /stream_unit /=.
by rewrite Z.pow_0_r !Z.div_1_r.
Qed.

(** A look-up at token r, of either kind: the value at the position of (k, g, i) goes to slot o. *)
Lemma look_up_at full x k d s v o l r g i j a : kept x -> r < n -> asks (x r) d s g i -> j <= r ->
  nth (0, 0, 0) key_list j = (k, g, i) -> (x j).[v] = zn a -> (x j).[v.+1] = (zn a * zn a)%Z -> a < answers ->
  uniq l -> (g, i) \in l ->
  compute x (layer (look_up full k d s v o l)) r = plus (x r) (apply (write_rows o) (with_square a)).
Proof. by case: full => *; [apply: full_at | apply: recurrent_at]; eauto. Qed.

(** A token of the tables or z_0 holds its value and its square. *)
Lemma value_kept x j a : kept x -> j < n -> nth (Val 0) q j = Val a -> a < answers -> (x j).[7] = zn a /\ (x j).[8] = (zn a * zn a)%Z.
Proof. by move=> kx jn qj aa; rewrite !kx // firstE // !nth_plus qj token_row_value. Qed.
(** The addresses of a table are distinct. *)
Lemma uniq_addresses b N : uniq (addresses_of b N).
Proof. by apply/mkseq_uniqP => x y _ _ [h1 h2]; rewrite (divn_eq x b) (divn_eq y b) h1 h2. Qed.
(** The pair (g, i) is one. *)
Lemma in_addresses b N g i : i < b -> g * b + i < N -> (g, i) \in addresses_of b N.
Proof.
move=> ib lt; apply/mapP; exists (g * b + i); first by rewrite mem_iota add0n.
by rewrite divnMDl ?(leq_ltn_trans _ ib) // divn_small // addn0 modnMDl modn_small.
Qed.

(** * 4. All layers *)
Lemma nth_squares (l : seq nat) t :
  (flatten [seq with_square g | g <- l]).[2 * t] = zn (nth 0 l t) /\
  (flatten [seq with_square g | g <- l]).[(2 * t).+1] = (zn (nth 0%N l t) * zn (nth 0%N l t))%Z.
Proof.
elim: l t => [|a l IH] t; first by rewrite !nth_nil.
by case: t => [|t] //; rewrite mulnS; apply: IH.
Qed.
(** Two numbers for each index. *)
Lemma size_squares (l : seq nat) : size (flatten [seq with_square g | g <- l]) = 2 * size l.
Proof. by elim: l => //= a l IH; rewrite IH mulnS. Qed.

(** The stream of w before the first layer. *)
Lemma first_w : first n.-1 = plus (position_row (L.+1, 0, 0)) (query_row ws).
Proof.
have n0 : n.-1 < n by [].
rewrite firstE //.
have /and4P[_ /eqP szs _ wsn] := ok.
have -> : nth (0, 0, 0) key_list n.-1 = (L.+1, 0, 0).
  by rewrite /key_list nth_cat size_keys /n /tokens /= ltnNge leqnSn /= subSnn.
by rewrite [nth _ q _](nth_query z0 ws szs) token_row_query.
Qed.
(** A digit for each table but the first. *)
Lemma size_ws : size ws = size ns.
Proof. by have /and4P[_ _ _ /all2_size] := ok. Qed.
(** w holds its digits, with their squares. *)
Lemma first_w_digit k : k <= L -> (first n.-1).[digit_at k] = zn (nth 0 [:: 0, 0 & ws] k) /\
  (first n.-1).[(digit_at k).+1] = (zn (nth 0 [:: 0, 0 & ws] k)%N * zn (nth 0 [:: 0, 0 & ws] k)%N)%Z.
Proof.
move=> kL; have [<- <-] := nth_squares [:: 0, 0 & ws] k.
have after f c : (nseq 9 0%Z ++ f).[9 + c] = f.[c] by [].
by rewrite first_w !nth_plus /digit_at -addnS /query_row !after !(nth_default _ (_ : size (position_row _) <= _)).
Qed.
(** Its slots are empty. *)
Lemma first_w_slots c : slot_at 0 <= c -> (first n.-1).[c] = 0%Z.
Proof.
move=> cs; rewrite first_w nth_plus !nth_default //; last by apply: leq_trans cs.
apply: leq_trans cs; rewrite /query_row size_cat size_nseq size_squares /= size_ws /slot_at /L muln0 addn0 //.
Qed.
(** Its constant is 1. *)
Lemma first_w_one : (first n.-1).[0] = 1%Z.
Proof. by rewrite first_w. Qed.

(** So it asks for digit and index. *)
Lemma asks_of x k i : kept x -> k <= L -> (x n.-1).[slot_at k] = zn i -> (x n.-1).[(slot_at k).+1] = (zn i * zn i)%Z ->
  asks (x n.-1) (digit_at k) (slot_at k) (nth 0 [:: 0, 0 & ws] k) i.
Proof.
move=> kx kL e1 e2; have [d1 d2] := first_w_digit kL.
have lt : (digit_at k).+1 < slot_at 0.
  by move: kL => /leP kL; apply/ltP; rewrite /digit_at /slot_at -?plusE -?multE; lia.
by split=> //; rewrite kx ?first_w_one // ltnW.
Qed.

(** w before layer k: index i is in slot k, and nothing behind it. *)
Definition ready (x : nat -> vector) (k i : nat) : Prop :=
  [/\ kept x, (x n.-1).[slot_at k] = zn i, (x n.-1).[(slot_at k).+1] = (zn i * zn i)%Z
    & forall c, slot_at k.+1 <= c -> (x n.-1).[c] = 0%Z].
(** Two numbers in the next slot make w ready. *)
Lemma ready_next x y k a : kept y -> (forall c, slot_at k <= c -> (x n.-1).[c] = 0%Z) ->
  y n.-1 = plus (x n.-1) (apply (write_rows k) (with_square a)) -> ready y k a.
Proof.
move=> ky zero yE; split=> //.
- by rewrite yE nth_plus zero // written eqxx.
- by rewrite yE nth_plus zero // written gtn_eqF // eqxx.
- move=> c; rewrite slot_next => h; rewrite yE nth_plus zero; last by apply: leq_trans h; rewrite -addn2 leq_addr.
  by rewrite written !gtn_eqF // ltnW.
Qed.

(** Layer k reads, and what comes after it is as before it. *)
Lemma hop_run full x k b N g i j v : ready x k i -> k <= L -> g = nth 0 [:: 0, 0 & ws] k -> i < b -> g * b + i < N ->
  j < n -> nth (0, 0, 0) key_list j = (k, g, i) -> nth (Val 0) q j = Val v -> v < answers ->
  ready (compute x (layer (hop full k b N))) k.+1 v.
Proof.
move=> [kx e1 e2 zero] kL gE ib lt jn kj qj va; have [v1 v2] := value_kept kx jn qj va.
apply: (@ready_next x) => //; first exact: look_up_keeps.
apply: (@look_up_at _ _ _ _ _ _ _ _ _ g i j) => //; first by rewrite gE; apply: asks_of.
- exact: uniq_addresses.
- exact: in_addresses.
Qed.

(** The last table is the largest. *)
Lemma last_size_ge N wr ns' : all2 ltn wr ns' -> N <= last_size N ns'.
Proof.
elim: ns' wr N => [|k ns' IH] [|w wr] N //= /andP[wk h]; apply: leq_trans (IH _ _ h).
by rewrite leq_pmulr // (leq_ltn_trans _ wk).
Qed.

(** Layer k reads the first of the tables that are left. *)
Lemma hop_table full x k b N ns' z zr rest rest' i (g := nth 0 [:: 0, 0 & ws] k) : map size (z :: zr) = sizes N ns' ->
  all (fun v => v < size z) z -> q = [seq Val v | v <- flatten (rev (z :: zr))] ++ rest -> key_list = keys k b N ns' ++ rest' ->
  k <= L -> N <= answers -> i < b -> g * b + i < N -> ready x k i ->
  ready (compute x (layer (hop full k b N))) k.+1 (nth 0 z (g * b + i)) /\ nth 0 z (g * b + i) < N.
Proof.
move=> szs vz qE kE kL Nl ib aN rx; have [tok vN an] := first_table rest szs vz aN; rewrite -qE in tok.
have key := nth_keys k ns' rest' ib aN; rewrite -kE in key; split=> //.
apply: hop_run rx kL (erefl _) ib aN _ key tok (leq_trans vN Nl).
by rewrite -size_q qE size_cat size_map size_flatten_rev szs ltn_addr.
Qed.
(** From layer k on: one table after another is read at the address that the last one gave. *)
Lemma hops_run ns' : forall kinds k b N zr wr i x rest rest',
  map size zr = sizes N ns' -> all (fun z => all (fun v => v < size z) z) zr -> all2 ltn wr ns' ->
  q = [seq Val v | v <- flatten (rev zr)] ++ rest -> key_list = keys k b N ns' ++ rest' ->
  drop k.+1 [:: 0, 0 & ws] = wr -> k + size ns' = L -> last_size N ns' = answers ->
  let g := nth 0 [:: 0, 0 & ws] k in
  i < b -> g * b + i < N -> ready x k i ->
  ready (foldl (@compute _) x [seq layer bl | bl <- hops kinds k b N ns']) L.+1 (answer (g * b + i) zr wr)
  /\ answer (g * b + i) zr wr < answers.
Proof.
elim: ns' => [|k' ns' IH] kinds k b N [|z zr] [|w wr] i x rest rest' // szs /andP[vz vzr] wrn qE kE dE kL lN g ib aN rx.
  have kl : k = L by rewrite -kL addn0.
  have [r v] := hop_table (head true kinds) szs vz qE kE (eq_leq kl) (eq_leq lN) ib aN rx.
  by rewrite -lN -kl; case: (zr) szs => // _; split.
have [sz szr] := szs; have /andP[wk wr'] := wrn.
have kLt : k < L by rewrite -kL addnS ltnS leq_addr.
have Nl : N <= answers by rewrite -lN; apply: last_size_ge wrn.
have [ry vN] := hop_table (head true kinds) szs vz qE kE (ltnW kLt) Nl ib aN rx; rewrite -/g in ry vN.
have qE' : q = [seq Val c | c <- flatten (rev zr)] ++ ([seq Val c | c <- z] ++ rest).
  by rewrite qE flatten_rev_cons map_cat -catA.
rewrite /= in dE; have dw : nth 0 [:: 0, 0 & ws] k.+1 = w by have := nth_drop k 0 (0 :: ws) 0; rewrite dE addn0.
have dr : drop k.+2 [:: 0, 0 & ws] = wr by have := drop_drop (0 :: ws) 1 k; rewrite dE /= drop0.
have := IH (behead kinds) k.+1 N (N * k') zr wr _ _ ([seq Val c | c <- z] ++ rest)
  (mkseq (fun a => (k, a %/ b, a %% b)) N ++ rest') szr vzr wr' qE' _ dr _ lN vN _ ry.
by rewrite dw [answer _ (z :: zr) _]/= sz; apply; rewrite ?kE ?catA ?addSnnS //; apply: pair_lt.
Qed.

Let x0 (j : nat) := first j.
(** Where z_0 stands. *)
Lemma z0_at : [/\ n.-2 < n, nth (0, 0, 0) key_list n.-2 = (0, 0, 0) & nth (Val 0) q n.-2 = Val z0].
Proof.
have /and4P[_ /eqP szs _ _] := ok; split; first exact: leqnSn.
  by rewrite /key_list nth_cat size_keys /n /tokens /= ltnn subnn.
exact: nth_z0.
Qed.
(** z_0 is a possible answer. *)
Lemma z0_small : z0 < answers.
Proof. by have /and4P[z0m _ _ wsn] := ok; apply: leq_trans z0m (last_size_ge m wsn). Qed.

(** All hops at w: the answer is in the last slot. *)
Lemma all_hops_run kinds :
  ready (foldl (@compute _) x0 [seq layer bl | bl <- all_hops kinds]) L.+1 (answer z0 zs ws) /\ answer z0 zs ws < answers.
Proof.
have /and4P[z0m /eqP szs vs wsn] := ok; have [n2 key tok] := z0_at.
have zero c : slot_at 0 <= c -> (x0 n.-1).[c] = 0%Z by apply: first_w_slots.
have r0 : ready x0 0 0.
  by split=> //; [exact: zero | apply: zero; exact: leqnSn | move=> c h; apply: zero; apply: leq_trans (slot_mono (leq0n 1)) h].
have r1 := hop_run (head true kinds) (b := 1) (N := 1) r0 (leq0n _) (erefl _) isT isT n2 key tok z0_small.
have d2 : drop 2 [:: 0, 0 & ws] = ws by rewrite /= drop0.
exact: (@hops_run ns (behead kinds) 1 m m zs ws z0 _ [:: Val z0; Query ws] [:: (0, 0, 0); (L.+1, 0, 0)]
  szs vs wsn (erefl _) (erefl _) d2 (erefl _) (erefl _) z0m _ r1).
Qed.

(** A full layer first: at z_0's token it reads i_1, ... *)
Lemma first_reads z zr (v := nth 0 z z0) : zs = z :: zr -> v < answers -> let x1 := compute x0 (layer (look_up true 1 (digit_at 0) 7 7 0 (addresses_of m m))) in
  (x1 n.-2).[slot_at 0] = zn v /\ (x1 n.-2).[(slot_at 0).+1] = (zn v * zn v)%Z.
Proof.
move=> E va x1; have /and4P[z0m /eqP szs vs wsn] := ok; have [n2 key tok] := z0_at; have z0a := z0_small.
have k0 : kept x0 by move=> j c _.
have vz : all (fun v => v < size z) z by move: vs; rewrite E => /andP[].
have szs' : map size (z :: zr) = sizes m ns by rewrite -E.
have [tok1 _ lt1] := first_table [:: Val z0; Query ws] szs' vz z0m; set off := sumn (behead (sizes m ns)) in tok1 lt1.
have jr : off + z0 <= n.-2 by apply: ltnW.
rewrite -E -[_ ++ _]/q -/v in tok1.
have key1 : nth (0, 0, 0) key_list (off + z0) = (1, 0, z0) by apply: (@nth_keys 1 m m ns _ 0 z0).
have [v1 v2] := value_kept k0 (leq_ltn_trans jr n2) tok1 va.
have ask1 : asks (x0 n.-2) (digit_at 0) 7 0 z0.
  by split; first by [have [[-> _ _ _ _] _] := position_kept k0 n2]; rewrite /x0 firstE // nth_plus key tok token_row_value.
have e1 : x1 n.-2 = plus (x0 n.-2) (apply (write_rows 0) (with_square v)).
  apply: (@look_up_at _ _ _ _ _ _ _ _ _ 0 z0 (off + z0)) => //; first exact: uniq_addresses.
  by apply: in_addresses; rewrite ?mul0n.
have none c : slot_at 0 <= c -> (x0 n.-2).[c] = 0%Z.
  move=> h; rewrite /x0 firstE // nth_plus key tok token_row_value // !nth_default //; apply: leq_trans h => //.
by rewrite e1 !nth_plus !none // !written eqxx gtn_eqF // eqxx.
Qed.
(** ... a recurrent layer hands it to w, ... *)
Lemma second_hands z zr (v := nth 0 z z0) : zs = z :: zr -> v < answers ->
  let x1 := compute x0 (layer (look_up true 1 (digit_at 0) 7 7 0 (addresses_of m m))) in
  ready (compute x1 (layer (look_up false 0 (digit_at 0) (digit_at 0) (slot_at 0) 2 (addresses_of 1 1)))) 2 v.
Proof.
move=> E va x1; have [n2 key tok] := z0_at; have [h1 h2] := first_reads E va; rewrite -/x1 -/v in h1 h2.
have k1 : kept x1 by apply: look_up_keeps.
have w0 c : slot_at 1 <= c -> (x1 n.-1).[c] = 0%Z.
  rewrite slot_next => h; rewrite /x1 look_up_else; [|by rewrite gtn_eqF // ltnW |by rewrite gtn_eqF].
  by apply: first_w_slots; apply: leq_trans h; rewrite -addn2 leq_addr.
have [d1 d2] := first_w_digit (leq0n L).
have ask2 : asks (x1 n.-1) (digit_at 0) (digit_at 0) 0 0 by split; rewrite k1 ?first_w_one.
apply: (@ready_next x1) => //; first exact: look_up_keeps.
  by move=> c h; apply: w0; apply: leq_trans (slot_mono (isT : 1 <= 2)) h.
by apply: (@look_up_at _ _ _ _ _ _ _ _ _ 0 0 n.-2) => //; apply: leqnSn.
Qed.
(** ... and full layers go on. *)
Lemma full_first_run :
  ready (foldl (@compute _) x0 [seq layer bl | bl <- full_first]) L.+1 (answer z0 zs ws) /\ answer z0 zs ws < answers.
Proof.
have /and4P[z0m /eqP szs vs wsn] := ok; have [z [zr [E sz vz]]] := valid_first ok; set v := nth 0 z z0.
have vm : v < m by rewrite -sz; apply: (allP vz); rewrite mem_nth // sz.
have va : v < answers by apply: leq_trans vm (last_size_ge m wsn).
move: (second_hands E va); cbv zeta; rewrite -/v; set x2 := compute (compute _ _) _ => r2.
rewrite /full_first; case nsE : (ns) => [|n1 ns'].
  have wsE : ws = [::] by move: wsn; rewrite nsE; case: (ws).
  by rewrite E wsE /= in r2 *; rewrite /L nsE; move: va r2; rewrite /v; case: (zr).
move: wsn; rewrite nsE; case wsE : (ws) => [|w wr] //= /andP[wn wrn].
have szr : map size zr = sizes (m * n1) ns' by move: szs; rewrite E nsE /= => -[_].
have vzr : all (fun z => all (fun v => v < size z) z) zr by move: vs; rewrite E /= => /andP[].
have qE : q = [seq Val c | c <- flatten (rev zr)] ++ ([seq Val c | c <- z] ++ [:: Val z0; Query ws]).
  by rewrite /q /prompt E flatten_rev_cons map_cat -catA.
have keysE : key_list = keys 2 m (m * n1) ns' ++ (mkseq (fun a => (1, a %/ m, a %% m)) m ++ [:: (0, 0, 0); (L.+1, 0, 0)]).
  by rewrite /key_list nsE /= -catA.
have lE : 2 + size ns' = L by rewrite /L nsE.
have := @hops_run ns' [::] 2 m (m * n1) zr wr v x2 _ _ szr vzr wrn qE keysE.
by rewrite wsE E /= drop0 sz /answers nsE; apply=> //; apply: pair_lt.
Qed.

(** The last slot is said: logit 2ai − a² is largest at a = i. *)
Lemma ready_says x i : ready x L.+1 i -> i < answers -> said frame (x n.-1) = i.
Proof.
move=> [kx e1 _ _] ia; rewrite /said -[unembedding _]/[seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers].
have one : (x n.-1).[0] = 1%Z by rewrite kx // first_w_one.
have E j : j < answers -> (apply [seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers] (x n.-1)).[j]
    = (2 * zn j * zn i - zn j * zn j)%Z.
  by move=> ja; rewrite nth_apply (nth_map 0) ?size_iota // nth_iota // dot_sparse /= one e1 add0n; lia.
apply: best_top => [|j]; rewrite !size_map size_iota // => ja ne; rewrite !E //.
have : zn j <> zn i by move/Nat2Z.inj => /eqP; rewrite (negbTE ne).
by nia.
Qed.

(** So weights whose last layer leaves the answer there give the right answer. *)
Lemma ready_output bs : ready (foldl (@compute _) x0 [seq layer bl | bl <- bs]) L.+1 (answer z0 zs ws) ->
  answer z0 zs ws < answers -> exact_output (exact_of_weights (with_blocks bs) exp_floor ns) q = answer z0 zs ws.
Proof. by move=> r lt; rewrite /exact_output size_q; apply: ready_says r lt. Qed.
End Run.
End Squares.

(** * 5. C1, C2 and C3 at every size *)
(** The exponents that w meets: 0 at the match, and at least P + 1 elsewhere. *)
Definition far_or_zero (P : nat) : pred Z := fun a => (a =? 0)%Z || (Z.of_nat P + 1 <=? a)%Z.
(** ⌊2^P·exp(−a)⌋ there: a program. *)
Definition floor_exp_far (P : nat) (a : Z) : Z := if (a =? 0)%Z then (2 ^ Z.of_nat P)%Z else 0%Z.
(** It is true there. *)
Lemma floor_exp_far_true P a : (0 <= a)%Z -> far_or_zero P a -> is_floor_exp P 1 a (floor_exp_far P a).
Proof.
move=> a0; rewrite /far_or_zero /floor_exp_far.
by case: Z.eqb_spec => [-> _|_ /= /Z.leb_le aP]; [exact: floor_of_one | exact: floor_of_small].
Qed.
(** And nothing else is. *)
Lemma floor_exp_far_only P e : (forall a, (0 <= a)%Z -> far_or_zero P a -> is_floor_exp P 1 a (e a)) ->
  e 0%Z = (2 ^ Z.of_nat P)%Z /\ forall a, (Z.of_nat P + 1 <= a)%Z -> e a = 0%Z.
Proof.
move=> true_e; split.
  by have := true_e 0%Z (Z.le_refl _) isT; move/floor_exp_unique => /(_ Z.lt_0_1 (Z.le_refl _)); apply; apply: floor_of_one.
move=> a ha; have a0 : (0 <= a)%Z by lia.
have far : far_or_zero P a by apply/orP; right; apply/Z.leb_le.
by have := true_e a a0 far; move/floor_exp_unique => /(_ Z.lt_0_1 a0); apply; apply: floor_of_small.
Qed.

(** Idle layers. *)
Definition idle (full : bool) : built_layer :=
  if full then FullBlock (FullHead [::] [::] [::] [::] 0) [::] else LinearBlock (LinearHead [::] [::] [::] [::] [::] [::] false 0 0) [::].
Definition is_full_block (b : built_layer) : bool := if b is FullBlock _ _ then true else false.
(** These layers within the word, idle ones in the other places. *)
Fixpoint fill_word (word : seq bool) (bs : seq built_layer) : seq built_layer :=
  if word is f :: word' then
    if bs is b :: bs' then if is_full_block b == f then b :: fill_word word' bs' else idle f :: fill_word word' bs
    else idle f :: fill_word word' [::]
  else [::].
(** The filled word is the word. *)
Lemma is_full_fill word bs : map is_full_block (fill_word word bs) = word.
Proof. by elim: word bs => // f word IH [|b bs] /=; [|case: eqP => [E|_] /=]; rewrite ?IH ?E //; case: f. Qed.
(** Its layers are these and idle ones. *)
Lemma all_fill (a : pred built_layer) word bs : a (idle true) -> a (idle false) -> all a bs -> all a (fill_word word bs).
Proof.
move=> t f; have i b : a (idle b) by case: b.
by elim: word bs => // g word IH [|b bs] /=; rewrite ?i //= ?IH //; move=> /andP[ab abs]; case: eqP => _ /=; rewrite ?ab ?i IH //= ab.
Qed.
(** Idle layers change nothing. *)
Lemma fill_run w e word bs : subseq (map is_full_block bs) word ->
  forall x y, (forall i, x i = y i) -> forall i,
  foldl (@compute _) x [seq exact_block w e b | b <- fill_word word bs] i = foldl (@compute _) y [seq exact_block w e b | b <- bs] i.
Proof.
have still f x i : compute x (exact_block w e (idle f)) i = x i by case: f; apply: plusr0.
elim: word bs => [|f word IH] [|b bs] //= h x y xy i; first by apply: (IH [::]) => [|j]; rewrite ?sub0seq // still.
case: eqP h => [_|_] /= h; first by apply: IH h _ _ _ i => j; apply: compute_causal => j' _; apply: xy.
by rewrite (IH (b :: bs) h _ y) // => j; rewrite still.
Qed.

Section Solve.
Variables (P p m : nat) (ns : seq nat).
Hypothesis big : last_size m ns * last_size m ns <= 2 ^ p.
Notation weights_of word bs := (with_blocks P p m ns (fill_word word bs)).

(** The two ways to give layers to a word. *)
Definition layers_for (word : seq bool) (bs : seq built_layer) : Prop :=
  subseq (map is_full_block bs) word /\ (bs = full_first P m ns \/ exists kinds, bs = all_hops P m ns kinds).
(** They solve every size, for every precision P. *)
Theorem words_solve word bs : layers_for word bs -> weights_solve m ns (weights_of word bs) (far_or_zero P).
Proof.
move=> [sub way]; split; first by exists (floor_exp_far P) => a; apply: floor_exp_far_true.
move=> e /floor_exp_far_only [e0 eN] z0 zs ws ok.
have [r lt] : ready P p m ns z0 zs ws (foldl (@compute _) (fun j => embedded (with_blocks P p m ns [::]) ns j (nth (Val 0) (prompt z0 zs ws) j))
    [seq exact_block (with_blocks P p m ns [::]) e b | b <- bs]) (size ns).+2 (answer z0 zs ws) /\ answer z0 zs ws < answers m ns.
  by case: way => [->|[kinds ->]]; [apply: full_first_run | apply: all_hops_run].
apply: (ready_output ok) => //; have E := @fill_run (with_blocks P p m ns [::]) e word bs sub _ _ (fun _ => erefl).
case: r => kx e1 e2 zero; split; [by move=> j c h; rewrite E; apply: kx | by rewrite E | by rewrite E |].
by move=> c h; rewrite E; apply: zero.
Qed.

(** The kinds of the layers. *)
Lemma kinds_hops kinds k b N ns' : size kinds = (size ns').+1 -> map is_full_block (hops P ns kinds k b N ns') = kinds.
Proof.
have one f k' b' N' : is_full_block (hop P ns f k' b' N') = f by case: f.
by elim: ns' kinds k b N => [|n ns' IH] [|f kinds] k b N //=; rewrite one; case: kinds => [|? ?] // [sk]; rewrite IH //= sk.
Qed.
(** ... of all hops. *)
Lemma kinds_all_hops kinds : size kinds = (size ns).+2 -> map is_full_block (all_hops P m ns kinds) = kinds.
Proof. by case: kinds => [|f kinds] // [sk]; rewrite /all_hops /= kinds_hops //; case: f. Qed.
(** ... with a full layer first. *)
Lemma kinds_full_first : map is_full_block (full_first P m ns) = [:: true, false & nseq (size ns) true].
Proof.
congr [:: _, _ & _]; case: (ns) => [|n ns'] //; rewrite [nseq _ _]/= -[RHS]/(nseq (size ns').+1 true).
have all_true k b N l : map is_full_block (hops P (n :: ns') [::] k b N l) = nseq (size l).+1 true.
  by elim: l k b N => [|? l IH] k b N //=; rewrite IH.
exact: all_true.
Qed.

(** What holds of all look-ups holds of these layers. *)
Lemma all_look_ups (a : pred built_layer) word bs : a (idle true) -> a (idle false) -> layers_for word bs ->
  (forall full k d s v o l, o <= (size ns).+2 -> a (look_up P ns full k d s v o l)) -> all a (fill_word word bs).
Proof.
move=> i1 i2 [_ way] h; apply: all_fill => //.
have hs kinds k b N l : k + size l <= (size ns).+1 -> all a (hops P ns kinds k b N l).
  elim: l kinds k b N => [|n l IH] kinds k b N /=; rewrite ?addn0 ?addnS => kl; apply/andP; split=> //.
  - by rewrite /hop; apply: h.
  - by rewrite /hop; apply: h; rewrite ltnS (leq_trans (leq_addr _ _) (ltnW kl)).
  - by apply: IH; rewrite addSn.
case: way => [->|[kinds ->]]; last by apply/andP; split; [rewrite /hop; apply: h | apply: hs].
apply/andP; split; [exact: h | apply/andP; split; first exact: h].
suff rest l : l = ns -> all a (if l is n :: ns' then hops P ns [::] 2 m (m * n) ns' else [::]) by apply: rest.
by case: l => [|n l] // lE; apply: hs; rewrite -lE.
Qed.
End Solve.

(** Layers of a word of their own are not filled. *)
Lemma fill_same bs : fill_word (map is_full_block bs) bs = bs.
Proof. by elim: bs => //= b bs ->; rewrite eqxx. Qed.
(** C1: so the weights solve every size, for every precision P. *)
Theorem squares_solve P p m ns : last_size m ns * last_size m ns <= 2 ^ p -> weights_solve m ns (squares P p m ns) (far_or_zero P).
Proof.
move=> big; have := @words_solve P p m ns big (map is_full_block (all_hops P m ns [::])) (all_hops P m ns [::]).
by rewrite fill_same; apply; split=> //; right; exists [::].
Qed.

(** * 6. Sizes *)
(** C1 has L + 1 full heads. *)
Lemma all_full_hops P m ns (A : Type) (f : built_layer -> A) (c : A) :
  (forall k d s v o l, f (look_up P ns true k d s v o l) = c) -> map f (all_hops P m ns [::]) = nseq (size ns).+2 c.
Proof.
move=> h; have all_true k b N l : map f (hops P ns [::] k b N l) = nseq (size l).+1 c.
  elim: l k b N => [|? l IH] k b N; [congr [:: _] | congr (_ :: _); last exact: IH]; exact: h.
by congr (_ :: _); [exact: h | exact: all_true].
Qed.
(** L + 1 full layers, each one head of 7 key numbers and 2 values, no MLP. *)
Theorem squares_shape P p m ns : map block_shape (blocks (squares P p m ns)) = nseq (size ns).+2 (Some (7, 2, 0)).
Proof. exact: all_full_hops. Qed.
(** Its messages. *)
Theorem squares_bits P p m ns exp_floor k :
  all (fun l => soft_bits k l == 2 * (P + p + k + 1) + (P + k)) (stack (exact_of_weights (squares P p m ns) exp_floor ns)).
Proof.
rewrite -(all_map (fun l => soft_bits k l) (fun b => b == 2 * (P + p + k + 1) + (P + k))) -map_comp.
rewrite (all_full_hops m (c := 2 * (P + p + k + 1) + (P + k))); last by move=> *; rewrite /= mul1n.
by rewrite all_nseq eqxx orbT.
Qed.
(** As many digits as radices. *)
Lemma size_digits ns x : size (digits ns x) = size ns.
Proof. by elim: ns x => [|n ns IH] x //=; rewrite IH. Qed.
(** The width of all these weights. *)
Theorem words_width P p m ns word bs : layers_for P m ns word bs ->
  width (with_blocks P p m ns (fill_word word bs)) <= 4 * (size ns).+1 + 15.
Proof.
move=> way; have max_le b (s : seq nat) : all (fun a => a <= b) s -> foldr maxn 0 s <= b.
  by elim: s => //= a s IH /andP[ab /IH sb]; rewrite geq_max ab.
apply: max_le; rewrite all_cat; apply/andP; split.
  rewrite -[position_rows _]/[seq position_row t | t <- key_list m ns] -[token_rows _]/(token_table m ns) /token_table.
  move: (key_list m ns) => keys; rewrite !map_cat !all_cat -!map_comp.
  apply/andP; split; [|apply/andP; split]; apply/allP => _ /mapP[x _ ->] /=.
  - by rewrite addnC.
  - by rewrite addnC.
  - by rewrite size_squares /= size_digits; apply/leP; rewrite -?plusE -?multE; lia.
rewrite all_map; apply: all_look_ups way _ => // full k d s v o l /leP ol.
have rows : size (write_rows ns o) <= 4 * (size ns).+1 + 15.
  by rewrite size_cat size_nseq /slot_at /=; apply/leP; rewrite -?plusE -?multE; lia.
by case: full.
Qed.
(** ... of C1 by itself. *)
Theorem squares_width P p m ns : width (squares P p m ns) <= 4 * (size ns).+1 + 15.
Proof.
have := @words_width P p m ns (map is_full_block (all_hops P m ns [::])) (all_hops P m ns [::]).
by rewrite fill_same; apply; split=> //; right; exists [::].
Qed.
(** p = 2k value bits are enough at prompts of at most 2^k tokens. *)
Lemma enough_bits m ns k : tokens m ns <= 2 ^ k -> last_size m ns * last_size m ns <= 2 ^ (2 * k).
Proof.
move=> len; suff le : last_size m ns <= 2 ^ k by rewrite mulnn mulnC expnM leq_exp2r.
apply: leq_trans len; apply: leqW; apply: leqW.
by elim: ns m => [|n ns' IH] m /=; [rewrite addn0 | apply: leq_trans (IH _) (leq_addl _ _)].
Qed.
