(** C1 at every size, with integer matrices given as functions of L, m, n_1, ..., n_{L-1}: attention alone, no MLP.

    An index i is written as the two numbers (i, i²), a position as (1, ℓ, ℓ², g, g², a, a²): table ℓ (0: z_0, L+1: w), digit
    g and index a.  Query minus key scores −τ((ℓ−ℓ')² + (g−g')² + (a−a')²): 0 at the match, at most −τ elsewhere, and with
    τ = P + 1 every weight but that of the match is ⌊2^P·exp(−y)⌋ = 0.  Layer k = 0, …, L reads table k and writes (i_k, i_k²)
    into a slot of its own, so nothing has to be erased.  Width 4L + 15, d_k = 7, d_v = 2, p = 2⌈log2 n⌉. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Counting Knowledge SoftmaxLayers ScanLayers
  ExactModels IntegerWeights FloorExp AllInputs EveryTable GoldenSchedule.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).

(** * 1. The two floors that occur *)
Lemma floor_of_one P : is_floor_exp P 1 0 (2 ^ Z.of_nat P).
Proof.
have E n : (series 0 1 n).1.1 = (series 0 1 n).1.2.
  elim: n => [|n IH] //; rewrite -/(T 0 1 n.+1) -/(B 0 1 n.+1) T_succ B_succ A_succ.
  by move: IH; rewrite -/(T 0 1 n) -/(B 0 1 n) => ->; lia.
by have p0 := pow2_pos P; split=> [n|]; [rewrite E; lia | exists 0; rewrite /=; lia].
Qed.

(** The binomials of one row sum to a power of 2. *)
Lemma sum_bins c : \sum_(i < c.+1) 'C(c, i) = 2 ^ c.
Proof. by rewrite -[2]/(1 + 1) expnDn; apply: eq_bigr => i _; rewrite !exp1n !muln1. Qed.

(** exp(−a) is below 2^−P for a > P: its floor is 0. *)
Lemma floor_of_small P (a : Z) : (Z.of_nat P + 1 <= a)%Z -> is_floor_exp P 1 a 0.
Proof.
move=> aP; set c := P.+1; have ac : (Z.of_nat c <= a)%Z by rewrite /c; lia.
have aE n : A a 1 n = (a ^ Z.of_nat n)%Z.
  by elim: n => [|n IH] //; rewrite A_succ IH Nat2Z.inj_succ Z.pow_succ_r; lia.
have bE n : B a 1 n = Z.of_nat n`!.
  elim: n => [|n IH] //; rewrite B_succ IH factS -multE Nat2Z.inj_mul; lia.
have low n : (Z.of_nat (n`! * \sum_(i < n.+1) 'C(c, i))%N <= T a 1 n)%Z.
  elim: n => [|n IH]; first by rewrite big_ord_recr big_ord0.
  rewrite T_succ big_ord_recr /= mulnDr factS; set s := \sum_(_ < _) _ in IH *.
  have top : (Z.of_nat (n.+1 * n`! * 'C(c, n.+1))%N <= A a 1 n.+1)%Z.
    rewrite aE -factS mulnC bin_ffact; apply: (Z.le_trans _ (Z.of_nat c ^ Z.of_nat n.+1)).
      by rewrite -of_nat_expn; apply/Nat2Z.inj_le/leP; apply: ffact_exp.
    by apply: Z.pow_le_mono_l; lia.
  rewrite -plusE Nat2Z.inj_add; apply: Z.add_le_mono top.
  by rewrite -mulnA; move: (n`! * s)%N IH => X IH; rewrite -multE Nat2Z.inj_mul; nia.
split=> [n|]; first by rewrite Z.mul_0_l; have := @B_pos 1 a Z.lt_0_1 n; have := pow2_pos P; rewrite -/(B a 1 n); nia.
exists c; have := low c; rewrite sum_bins -/(T a 1 c) -/(B a 1 c) bE -multE Nat2Z.inj_mul of_nat_expn.
have -> : (Z.of_nat 2 ^ Z.of_nat c = 2 * 2 ^ Z.of_nat P)%Z by rewrite /c -[Z.of_nat 2]/2%Z Nat2Z.inj_succ -Z.pow_succ_r //; lia.
by have := pow2_pos P; have /ltP/Nat2Z.inj_lt := fact_gt0 c; nia.
Qed.

(** * 2. Rows with few entries, and the best answer *)
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.
Definition unit_row (c : nat) : vector := nseq c 0%Z ++ [:: 1%Z].
(** A unit row picks a coordinate. *)
Lemma dot_unit c x : dot (unit_row c) x = x.[c].
Proof. by elim: c x => [|c IH] [|a x] //=; rewrite ?dot0r ?nth_nil ?IH; lia. Qed.
Arguments unit_row : simpl never.
Fixpoint sparse (l : seq (nat * Z)) : vector := if l is (c, a) :: l' then plus (scale a (unit_row c)) (sparse l') else [::].
(** A row with few entries, multiplied out. *)
Lemma dot_sparse l x : dot (sparse l) x = foldr (fun e r => (e.2 * x.[e.1] + r)%Z) 0%Z l.
Proof. by elim: l => [|[c a] l IH] //=; rewrite dot_plusl dot_scalel dot_unit IH. Qed.

Arguments sparse : simpl never.

(** No later logit is larger: the leader stays. *)
Lemma best_from_stays s b t l : (forall j, (j < size l)%N -> l.[j] <= t)%Z -> best_from s b t l = b.
Proof.
elim: l s => [|a l IH] s //= h; have h0 := h 0 (ltn0Sn _); case: Z.ltb_spec => //= ta; first by rewrite /= in h0; lia.
by apply: IH => j jl; apply: (h j.+1).
Qed.
(** One logit above all others becomes the leader. *)
Lemma best_from_top s b t l i : i < size l -> (t < l.[i])%Z -> (forall j, (j < size l)%N -> j != i -> l.[j] < l.[i])%Z ->
  best_from s b t l = s + i.
Proof.
elim: l s b t i => [|a l IH] s b t [|i] //=.
  by rewrite addn0 => _ ta top; case: Z.ltb_spec => // *; [apply: best_from_stays => j jl; have := top j.+1 jl isT; rewrite /=; lia | lia].
move=> il ti top; have a0 := top 0 isT isT; rewrite /= in a0.
case: Z.ltb_spec => ta; rewrite (IH _ _ _ i) ?addnS //; move=> j jl ji; exact: (top j.+1).
Qed.
(** The best answer is the one logit above all others. *)
Lemma best_top l i : i < size l -> (forall j, (j < size l)%N -> j != i -> l.[j] < l.[i])%Z -> best l = i.
Proof.
case: l i => [|a l] [|i] //= il top.
  by apply: best_from_stays => j jl; have := top j.+1 jl isT; rewrite /=; lia.
by rewrite (@best_from_top _ _ _ _ i) ?add1n //; [exact: (top 0) | move=> j jl ji; exact: (top j.+1)].
Qed.

(** A sum with one term. *)
Lemma zsum_zero F N : (forall j, j < N -> F j = 0%Z) -> zsum F N = 0%Z.
Proof. by elim: N => [|N IH] h //=; rewrite IH ?h // => j jN; apply: h; apply: ltnW. Qed.
(** A sum in which one term is not 0. *)
Lemma zsum_one F s N : s < N -> (forall j, j < N -> j != s -> F j = 0%Z) -> zsum F N = F s.
Proof.
elim: N => [|N IH] //= sN h; case: (eqVneq s N) => [E|ne].
  rewrite zsum_zero ?E // => j jN; apply: h; first exact: ltnW.
  by rewrite E neq_ltn jN.
rewrite IH; first by rewrite (h N) // 1?eq_sym // Z.add_0_r.
- by rewrite ltn_neqAle ne -ltnS.
- by move=> j jN; apply: h; apply: ltnW.
Qed.

(** * 3. The weights *)
Section Squares.
Variables (P p m : nat) (ns : seq nat).
Let tau : Z := (Z.of_nat P + 1)%Z.
Let L := (size ns).+1.
Notation zn := Z.of_nat.

Definition digit_at (t : nat) := 9 + 2 * t.
Definition slot_at (t : nat) := 9 + 2 * L.+1 + 2 * t.

Definition write_rows (k : nat) : matrix := nseq (slot_at k.+1) [::] ++ [:: [:: 1%Z; 0%Z]; [:: 0%Z; 1%Z]].
Definition query_entries (k : nat) : seq (seq (nat * Z)) :=
  [:: [:: (0, (2 * tau * zn k)%Z)]; [:: (0, (- tau)%Z)];
      [:: (digit_at k, (2 * tau)%Z)]; [:: (0, (- tau)%Z)];
      [:: (slot_at k, (2 * tau)%Z)]; [:: (0, (- tau)%Z)];
      [:: (0, (- tau * (zn k * zn k))%Z); ((digit_at k).+1, (- tau)%Z); ((slot_at k).+1, (- tau)%Z)]].
Definition key_entries := [:: 1; 2; 3; 4; 5; 6; 0].
Definition value_entries := [:: 7; 8].
Definition reading_head (k : nat) : full_head := FullHead
  [seq sparse l | l <- query_entries k] [seq unit_row c | c <- key_entries] [seq unit_row c | c <- value_entries]
  (write_rows k) 0.
(** Unit rows pick coordinates. *)
Lemma apply_units cs x : apply [seq unit_row c | c <- cs] x = [seq x.[c] | c <- cs].
Proof. by rewrite /apply -map_comp; apply: eq_map => c; apply: dot_unit. Qed.
(** Rows with few entries, multiplied out. *)
Lemma apply_sparse ls x : apply [seq sparse l | l <- ls] x = [seq foldr (fun e r => (e.2 * x.[e.1] + r)%Z) 0%Z l | l <- ls].
Proof. by rewrite /apply -map_comp; apply: eq_map => l; apply: dot_sparse. Qed.

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
Definition squares : weights := Weights P p 0 0
  [seq position_row t | t <- key_list]
  token_table
  [seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers]
  [seq FullBlock (reading_head k) [::] | k <- iota 0 L.+1].

(** * 4. Positions and tokens *)
Lemma size_keys l b N ns' : size (keys l b N ns') = sumn (sizes N ns').
Proof. by elim: ns' l b N => [|n ns' IH] l b N /=; rewrite ?size_cat size_mkseq ?IH ?addn0 // addnC. Qed.
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
by apply: leq_trans (_ : w.+1 * queries ns' <= _); [rewrite mulSn addnC ltn_add2r; exact: IH | rewrite leq_mul2r wn orbT].
Qed.
(** Its digits are the query. *)
Lemma digits_query ws ns' : all2 ltn ws ns' -> digits ns' (query_number ns' ws) = ws.
Proof.
elim: ns' ws => [|n ns' IH] [|w ws] //= /andP[wn h]; rewrite /query_number /= query_number_acc // mul0n add0n.
have lt := query_number_lt h; have q0 : 0 < queries ns' by apply: leq_ltn_trans lt.
by rewrite divnMDl // (divn_small lt) addn0 modnMDl (modn_small lt) IH.
Qed.

(** The row of a value. *)
Lemma token_row_value v : v < answers -> nth [::] (token_rows squares) (token_number squares ns (Val v)) = value_row v.
Proof. by move=> va; rewrite /= nth_cat size_map size_iota va (nth_map 0) ?size_iota // nth_iota. Qed.
(** The row of a query. *)
Lemma token_row_query ws : all2 ltn ws ns ->
  nth [::] (token_rows squares) (token_number squares ns (Query ws)) = query_row ws.
Proof.
move=> h; have lt := query_number_lt h.
rewrite /= !size_map nth_cat size_map !size_iota ltnNge leq_addr /= addKn (nth_map 0) ?size_iota // nth_iota // add0n.
by rewrite digits_query.
Qed.

(** * 5. One layer *)
Section Run.
Variables (exp_floor : Z -> Z) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Hypothesis exp0 : exp_floor 0%Z = (2 ^ zn P)%Z.
Hypothesis expN : forall a, (tau <= a)%Z -> exp_floor a = 0%Z.
Hypothesis ok : valid m ns z0 zs ws.
Hypothesis big : answers * answers <= 2 ^ p.
Let q := prompt z0 zs ws.
Let n := tokens m ns.
Notation first j := (embedded squares ns j (nth (Val 0) q j)).

(** The length of the prompt. *)
Lemma size_q : size q = n.
Proof. by rewrite /q (size_prompt ok) addn2. Qed.
(** The unit of the stream is 1. *)
Lemma scale1 x : scale (stream_unit squares) x = x.
Proof. by rewrite /stream_unit /= /scale -[RHS]map_id; apply: eq_map => a; lia. Qed.
(** Before the first layer a token is its position and its value. *)
Lemma firstE j : first j = plus (position_row (nth (0, 0, 0) key_list j)) (nth [::] (token_rows squares) (token_number squares ns (nth (Val 0) q j)))
  \/ n <= j.
Proof.
case: (ltnP j n) => jn; [left | by right].
by rewrite /embedded scale1 (nth_map (0, 0, 0)) // size_key_list.
Qed.

(** What all tokens keep: everything in front of the slots. *)
Definition kept (x : nat -> vector) : Prop := forall j c, c < slot_at 0 -> (x j).[c] = (first j).[c].
Notation layer k := (exact_block squares exp_floor (FullBlock (reading_head k) [::])).

(** A layer writes nothing in front of its slot. *)
Lemma wo_low k o c : c < slot_at k.+1 -> (apply (W_O (reading_head k)) o).[c] = 0%Z.
Proof. by move=> cs; rewrite nth_apply -[W_O _]/(write_rows k) /write_rows nth_cat size_nseq cs nth_nseq cs. Qed.
(** Later slots stand behind earlier ones. *)
Lemma slot_mono a b : a <= b -> slot_at a <= slot_at b.
Proof. by move=> ab; rewrite /slot_at leq_add2l leq_mul2l ab. Qed.
(** What stands in front of the slots stays. *)
Lemma layer_keeps k x : kept x -> kept (compute x (layer k)).
Proof.
move=> kx j c cs; rewrite /= /softmax /full_finish /after_mlps /= nth_plus wo_low ?Z.add_0_r; first exact: kx.
by apply: leq_trans cs (slot_mono _).
Qed.

(** The key of a position is (ℓ, ℓ², g, g², a, a², 1). *)
Lemma key_of_position x j k : kept x -> j < n -> let t := nth (0, 0, 0) key_list j in
  apply (W_K (reading_head k)) (x j) =
  [:: zn t.1.1; zn t.1.1 * zn t.1.1; zn t.1.2; zn t.1.2 * zn t.1.2; zn t.2; zn t.2 * zn t.2; 1]%Z.
Proof.
move=> kx jn t; rewrite apply_units /= !kx //; case: (firstE j) => [->|]; last by rewrite leqNgt jn.
rewrite !nth_plus -/t; set tok := nth [::] _ _.
have vr a c : c < 7 -> (value_row a).[c] = 0%Z by case: c => [|[|[|[|[|[|[|c]]]]]]].
have qr a c : c < 7 -> (query_row a).[c] = 0%Z by case: c => [|[|[|[|[|[|[|c]]]]]]].
have z c : c < 7 -> tok.[c] = 0%Z.
  rewrite /tok -[token_rows _]/token_table /token_table; move: (token_number _ _ _) => k' c7.
  rewrite nth_cat size_map size_iota; case: ltnP => h; first by rewrite (nth_map 0) ?size_iota // vr.
  move: (k' - _) => k2; case: (ltnP k2 (queries ns)) => h2; first by rewrite (nth_map 0) ?size_iota // qr.
  by rewrite [nth [::] _ _]nth_default ?nth_nil // size_map size_iota.
by rewrite !z //= !Z.add_0_r.
Qed.

(** The stream at w before layer k: digit g and index i are in their places. *)
Definition asks (x : vector) (k g i : nat) : Prop :=
  [/\ x.[0] = 1%Z, x.[digit_at k] = zn g, x.[(digit_at k).+1] = (zn g * zn g)%Z, x.[slot_at k] = zn i
    & x.[(slot_at k).+1] = (zn i * zn i)%Z].

(** The weight that w gives to position j. *)
Lemma weight_at x k g i j : kept x -> j < n -> asks (x n.-1) k g i ->
  weight P (full_weight squares exp_floor (reading_head k)) 0 n.-1 j (x n.-1) (x j)
  = if nth (0, 0, 0) key_list j == (k, g, i) then (2 ^ zn P)%Z else 0%Z.
Proof.
move=> kx jn [e0 eg eg2 ei ei2]; rewrite /weight /full_weight key_of_position //; move: (nth _ _ j) => [[l g'] i'].
set y := exponent _ _ _ _.
have yE : y = (tau * ((zn k - zn l) * (zn k - zn l) + (zn g - zn g') * (zn g - zn g') + (zn i - zn i') * (zn i - zn i')))%Z.
  rewrite /y /exponent apply_sparse [dot _ _]/= e0 eg eg2 ei ei2 [shift _]/=.
  set d := (_ + _)%Z; have -> : d = (- (tau * ((zn k - zn l) * (zn k - zn l) + (zn g - zn g') * (zn g - zn g')
    + (zn i - zn i') * (zn i - zn i'))))%Z by rewrite /d; ring.
  set far := (_ + _)%Z; have far0 : (0 <= tau * far)%Z.
    apply: Z.mul_nonneg_nonneg; first by rewrite /tau; lia.
    have := Z.square_nonneg (zn k - zn l); have := Z.square_nonneg (zn g - zn g'); have := Z.square_nonneg (zn i - zn i').
    by rewrite /far; lia.
  by rewrite Z.mul_0_l Z.max_r; lia.
have p0 := pow2_pos P; case: eqP => [E|ne].
  have -> : y = 0%Z by rewrite yE; case: E => -> -> ->; ring.
  by rewrite exp0; lia.
rewrite expN; first by lia.
rewrite yE -[X in (X <= _)%Z]Z.mul_1_r; apply: Z.mul_le_mono_nonneg_l; first by rewrite /tau; lia.
have : (zn k <> zn l \/ zn g <> zn g' \/ zn i <> zn i')%Z.
  case: (Z.eq_dec (zn k) (zn l)) => [/Nat2Z.inj e1|]; last by left.
  case: (Z.eq_dec (zn g) (zn g')) => [/Nat2Z.inj e2|]; last by right; left.
  by right; right => /Nat2Z.inj e3; apply: ne; rewrite e1 e2 e3.
have sq1 a b : (a <> b -> 1 <= (a - b) * (a - b))%Z by nia.
have := Z.square_nonneg (zn k - zn l); have := Z.square_nonneg (zn g - zn g'); have := Z.square_nonneg (zn i - zn i').
by move=> s1 s2 s3 [/sq1|[/sq1|/sq1]]; lia.
Qed.

(** A layer, written out: two sums and one denominator. *)
Lemma layerE x k i : compute x (layer k) i = plus (x i) (apply (write_rows k)
  [seq (a / denominator (weight P (full_weight squares exp_floor (reading_head k))) x i 0)%Z
  | a <- mkseq (numerator 2 (weight P (full_weight squares exp_floor (reading_head k))) (value p (full_value (reading_head k))) x i) 2]).
Proof. by []. Qed.

(** One layer at w: the value at the position of (k, g, i) goes to the next slot. *)
Lemma layer_at x k g i s v : kept x -> asks (x n.-1) k g i -> s < n -> nth (0, 0, 0) key_list s = (k, g, i) ->
  nth (Val 0) q s = Val v -> v < answers ->
  compute x (layer k) n.-1 = plus (x n.-1) (apply (write_rows k) (with_square v)).
Proof.
move=> kx ax sn ks qs va; have n0 : 0 < n by apply: leq_ltn_trans sn.
rewrite layerE; congr plus; congr (apply (write_rows k)).
have We j : j < n -> weight P (full_weight squares exp_floor (reading_head k)) 0 n.-1 j (x n.-1) (x j)
    = if j == s then (2 ^ zn P)%Z else 0%Z.
  move=> jn; rewrite (weight_at kx jn ax) -ks nth_uniq ?size_key_list //; exact: uniq_key_list.
have Vs t : t < 2 -> value p (full_value (reading_head k)) t s (x s) = (with_square v).[t].
  move=> t2; rewrite /value /full_value apply_units (nth_map 0) //.
  have c9 : nth 0 value_entries t < slot_at 0 by case: t t2 => [|[|t]].
  rewrite kx //; case: (firstE s) => [->|]; last by rewrite leqNgt sn.
  rewrite nth_plus qs token_row_value //.
  have -> : (position_row (nth (0, 0, 0) key_list s)).[nth 0 value_entries t] = 0%Z by case: t t2 {c9} => [|[|t]].
  have -> : (value_row v).[nth 0 value_entries t] = (with_square v).[t] by case: t t2 {c9} => [|[|t]].
  have : (0 <= (with_square v).[t] <= 2 ^ zn p)%Z; last by lia.
  have := big; move=> /leP/Nat2Z.inj_le; rewrite of_nat_expn -multE Nat2Z.inj_mul; move: va => /ltP/Nat2Z.inj_lt.
  by case: t t2 {c9} => [|[|t]] //= _; nia.
have den : denominator (weight P (full_weight squares exp_floor (reading_head k))) x n.-1 0 = (2 ^ zn P)%Z.
  rewrite /denominator prednK // (@zsum_one _ s) // => [|j jn js]; first by rewrite We // eqxx.
  by rewrite We // (negbTE js).
have num t : t < 2 -> numerator 2 (weight P (full_weight squares exp_floor (reading_head k))) (value p (full_value (reading_head k))) x n.-1 t
    = (2 ^ zn P * (with_square v).[t])%Z.
  move=> t2; rewrite /numerator prednK // divn_small //.
  rewrite (@zsum_one _ s) // => [|j jn js]; first by rewrite We // eqxx Vs.
  by rewrite We // (negbTE js).
have p0 := pow2_pos P; rewrite /mkseq [iota 0 2]/= !map_cons den !num // /with_square.
by congr [:: _; _]; rewrite Z.mul_comm Z.div_mul //; lia.
Qed.
(** * 6. All layers *)
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
case: (firstE n.-1) => [->|]; last by rewrite leqNgt n0.
have /and4P[_ /eqP szs _ wsn] := ok.
have -> : nth (0, 0, 0) key_list n.-1 = (L.+1, 0, 0).
  by rewrite /key_list nth_cat size_keys /n /tokens /= ltnNge leqnSn /= subSnn.
have -> : nth (Val 0) q n.-1 = Query ws.
  by rewrite /q /prompt nth_cat size_map size_flatten /shape map_rev sumn_rev szs /n /tokens /= ltnNge leqnSn /= subSnn.
by rewrite token_row_query.
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
  asks (x n.-1) k (nth 0 [:: 0, 0 & ws] k) i.
Proof.
move=> kx kL e1 e2; have [d1 d2] := first_w_digit kL.
have lt : (digit_at k).+1 < slot_at 0.
  by move: kL => /leP kL; apply/ltP; rewrite /digit_at /slot_at -?plusE -?multE; lia.
by split=> //; rewrite kx ?first_w_one // ltnW.
Qed.

(** What a layer writes: the value and its square, into its slot. *)
Lemma written k v c : (apply (write_rows k) (with_square v)).[c] =
  if c == slot_at k.+1 then zn v else if c == (slot_at k.+1).+1 then (zn v * zn v)%Z else 0%Z.
Proof.
rewrite nth_apply /write_rows; move: (slot_at k.+1) => b; rewrite nth_cat size_nseq; case: ltnP => h.
  by rewrite nth_nseq h (ltn_eqF h) (ltn_eqF (leqW h)).
case: (eqVneq c b) => [->|ne]; first by rewrite subnn /=; lia.
have lt : b < c by rewrite ltn_neqAle eq_sym ne.
case: (eqVneq c b.+1) => [->|ne2]; first by rewrite subSnn /=; lia.
by rewrite nth_default //= -(leq_add2r b) subnK // add2n ltn_neqAle eq_sym ne2.
Qed.

(** Layer k reads, and what comes after it is as before it. *)
Lemma layer_run x k g i s v : kept x -> k <= L -> g = nth 0 [:: 0, 0 & ws] k ->
  (x n.-1).[slot_at k] = zn i -> (x n.-1).[(slot_at k).+1] = (zn i * zn i)%Z ->
  (forall c, slot_at k.+1 <= c -> (x n.-1).[c] = 0%Z) ->
  s < n -> nth (0, 0, 0) key_list s = (k, g, i) -> nth (Val 0) q s = Val v -> v < answers ->
  let y := compute x (layer k) in
  [/\ kept y, (y n.-1).[slot_at k.+1] = zn v, (y n.-1).[(slot_at k.+1).+1] = (zn v * zn v)%Z
    & forall c, slot_at k.+2 <= c -> (y n.-1).[c] = 0%Z].
Proof.
move=> kx kL gE e1 e2 zero sn ks qs va y; have ax : asks (x n.-1) k g i by rewrite gE; apply: asks_of.
have yE : y n.-1 = plus (x n.-1) (apply (write_rows k) (with_square v)) by apply: layer_at ks qs va.
have two : slot_at k.+2 = (slot_at k.+1).+2 by rewrite /slot_at [2 * k.+2]mulnS addnCA.
split; first exact: layer_keeps.
- by rewrite yE nth_plus zero // written eqxx.
- by rewrite yE nth_plus zero // written gtn_eqF // eqxx.
- move=> c; rewrite two => h; rewrite yE nth_plus zero; last by apply: leq_trans h; rewrite -addn2 leq_addr.
  by rewrite written !gtn_eqF // ltnW.
Qed.

(** The last table is the largest. *)
Lemma last_size_ge N wr ns' : all2 ltn wr ns' -> N <= last_size N ns'.
Proof.
elim: ns' wr N => [|k ns' IH] [|w wr] N //= /andP[wk h]; apply: leq_trans (IH _ _ h).
by rewrite leq_pmulr // (leq_ltn_trans _ wk).
Qed.

(** From layer k on: one table after another is read at the address that the last one gave. *)
Lemma reads_run ns' : forall k b N zr wr i x rest rest',
  map size zr = sizes N ns' -> all (fun z => all (fun v => v < size z) z) zr -> all2 ltn wr ns' ->
  q = [seq Val v | v <- flatten (rev zr)] ++ rest -> key_list = keys k b N ns' ++ rest' ->
  drop k.+1 [:: 0, 0 & ws] = wr -> k + size ns' = L -> last_size N ns' = answers ->
  let g := nth 0 [:: 0, 0 & ws] k in
  i < b -> g * b + i < N -> kept x -> (x n.-1).[slot_at k] = zn i -> (x n.-1).[(slot_at k).+1] = (zn i * zn i)%Z ->
  (forall c, slot_at k.+1 <= c -> (x n.-1).[c] = 0%Z) ->
  let y := foldl (@compute _) x [seq layer j | j <- iota k (size ns').+1] n.-1 in
  [/\ y.[0] = 1%Z, y.[slot_at L.+1] = zn (answer (g * b + i) zr wr) & answer (g * b + i) zr wr < answers].
Proof.
elim: ns' => [|k' ns' IH] k b N [|z zr] [|w wr] i x rest rest' //=.
  case=> sz; case: zr => // _ /andP[vz _] _ qE kE _ kL lN ib aN kx e1 e2 zero.
  set a := _ + _ in aN *; set v := nth 0 z a.
  have vN : v < N by rewrite -sz; apply: (allP vz); rewrite mem_nth // sz.
  have kLe : k <= L by rewrite -kL addn0.
  have an : a < n by rewrite -size_q qE size_cat size_map /rev /= cats0 sz ltn_addr.
  have key : nth (0, 0, 0) key_list a = (k, nth 0 [:: 0, 0 & ws] k, i).
    have b0 : 0 < b by apply: leq_ltn_trans ib.
    by rewrite kE nth_cat size_mkseq aN nth_mkseq // /a divnMDl // divn_small // addn0 modnMDl modn_small.
  have tok : nth (Val 0) q a = Val v by rewrite qE /rev /= cats0 nth_cat size_map sz aN (nth_map 0) // sz.
  have [ky s1 s2 _] := layer_run kx kLe (erefl _) e1 e2 zero an key tok (leq_trans vN (eq_leq lN)).
  rewrite -kL addn0 in s1 *; split=> //; last by rewrite -lN.
  by rewrite ky // first_w_one.
move=> [sz szr] /andP[vz vzr] /andP[wk wrn] qE kE dE kL lN ib aN kx e1 e2 zero.
set g := nth 0 _ k in aN *; set a := g * b + i in aN *; set v := nth 0 z a.
have vN : v < N by rewrite -sz; apply: (allP vz); rewrite mem_nth // sz.
have kLt : k < L by rewrite -kL -addSnnS leq_addr.
have above : size (flatten (rev zr)) = sumn (sizes (N * k') ns') by rewrite size_flatten /shape map_rev sumn_rev szr.
set off := sumn (sizes (N * k') ns') in above.
have qE' : q = [seq Val c | c <- flatten (rev zr)] ++ ([seq Val c | c <- z] ++ rest).
  by rewrite qE rev_cons flatten_rcons map_cat -catA.
have an : off + a < n by rewrite -size_q qE' !size_cat !size_map above sz ltn_add2l ltn_addr.
have key : nth (0, 0, 0) key_list (off + a) = (k, g, i).
  have b0 : 0 < b by apply: leq_ltn_trans ib.
  rewrite kE -catA nth_cat size_keys -/off ltnNge leq_addr /= addKn nth_cat size_mkseq aN nth_mkseq //.
  by rewrite /a divnMDl // divn_small // addn0 modnMDl modn_small.
have tok : nth (Val 0) q (off + a) = Val v.
  by rewrite qE' nth_cat size_map above ltnNge leq_addr /= addKn nth_cat size_map sz aN (nth_map 0) // sz.
have Nl : N <= answers by rewrite -lN; apply: leq_trans (last_size_ge _ wrn); rewrite leq_pmulr // (leq_ltn_trans _ wk).
have [ky s1 s2 zero'] := layer_run kx (ltnW kLt) (erefl _) e1 e2 zero an key tok (leq_trans vN Nl).
have dw : nth 0 [:: 0, 0 & ws] k.+1 = w by have := nth_drop k 0 (0 :: ws) 0; rewrite dE addn0.
have dr : drop k.+2 [:: 0, 0 & ws] = wr by have := drop_drop (0 :: ws) 1 k; rewrite dE /= drop0.
have := IH k.+1 N (N * k') zr wr v (compute x (layer k)) ([seq Val c | c <- z] ++ rest)
  (mkseq (fun a => (k, a %/ b, a %% b)) N ++ rest') szr vzr wrn qE' _ dr _ lN vN _ ky s1 s2 zero'.
rewrite dw sz; apply; first by rewrite kE catA.
- by rewrite addSnnS.
- by apply: leq_trans (_ : w.+1 * N <= _); [rewrite mulSn addnC ltn_add2r | rewrite mulnC leq_mul2l wk orbT].
Qed.

(** The answer at w is right. *)
Theorem squares_output : exact_output (exact_of_weights squares exp_floor ns) q = answer z0 zs ws.
Proof.
have /and4P[z0m /eqP szs vs wsn] := ok.
pose x0 (i : nat) := first i.
have k0 : kept x0 by move=> j c _.
have body : size [seq Val c | c <- flatten (rev zs)] = n.-2 by rewrite size_map size_flatten /shape map_rev sumn_rev szs.
have n2 : n.-2 < n by apply: leqnSn.
have key : nth (0, 0, 0) key_list n.-2 = (0, 0, 0) by rewrite /key_list nth_cat size_keys /n /tokens /= ltnn subnn.
have tok : nth (Val 0) q n.-2 = Val z0 by rewrite /q /prompt nth_cat body ltnn subnn.
have lm := last_size_ge m wsn.
have zero c : slot_at 0 <= c -> (x0 n.-1).[c] = 0%Z by apply: first_w_slots.
have [k1 s1 s2 z1] := layer_run (i := 0) k0 (leq0n _) (erefl _) (zero _ (leqnn _)) (zero _ (leqnSn _))
  (fun c h => zero c (leq_trans (slot_mono (leq0n 1)) h)) n2 key tok (leq_trans z0m lm).
have d2 : drop 2 [:: 0, 0 & ws] = ws by rewrite /= drop0.
have g0 : nth 0 [:: 0, 0 & ws] 1 * m + z0 < m by rewrite mul0n.
have [y0 y1 y2] := @reads_run ns 1 m m zs ws z0 (compute x0 (layer 0)) [:: Val z0; Query ws] [:: (0, 0, 0); (L.+1, 0, 0)]
  szs vs wsn (erefl _) (erefl _) d2 (erefl _) (erefl _) z0m g0 k1 s1 s2 z1.
have -> : exact_output (exact_of_weights squares exp_floor ns) q
  = best (apply [seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers]
      (foldl (@compute _) x0 (map (exact_block squares exp_floor) [seq FullBlock (reading_head k) [::] | k <- iota 0 L.+1]) n.-1)).
  by rewrite /exact_output size_q.
rewrite -map_comp -[foldl _ _ _]/(foldl (@compute _) (compute x0 (layer 0)) [seq layer j | j <- iota 1 (size ns).+1]).
move: y0 y1 y2; rewrite mul0n add0n; set y := foldl _ _ _ _ => y0 y1 y2.
have E j : j < answers -> (apply [seq sparse [:: (slot_at L.+1, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 answers] y).[j]
    = (2 * zn j * zn (answer z0 zs ws) - zn j * zn j)%Z.
  move=> ja; rewrite nth_apply (nth_map 0) ?size_iota // nth_iota // dot_sparse /= y0 y1 add0n; lia.
apply: best_top => [|j]; rewrite !size_map size_iota // => ja ne; rewrite !E //.
have : zn j <> zn (answer z0 zs ws) by move/Nat2Z.inj => /eqP; rewrite (negbTE ne).
by nia.
Qed.
End Run.
End Squares.

(** * 7. C1 at every size *)
Opaque squares.
(** The exponents that w meets: 0 at the match, and at least P + 1 elsewhere. *)
Definition far_or_zero (P : nat) : pred Z := fun a => (a =? 0)%Z || (Z.of_nat P + 1 <=? a)%Z.
(** ⌊2^P·exp(−a)⌋ there: a program. *)
Definition floor_exp_far (P : nat) (a : Z) : Z := if (a =? 0)%Z then (2 ^ Z.of_nat P)%Z else 0%Z.
(** So the weights solve every size, for every precision P. *)
Theorem squares_solve P p m ns : last_size m ns * last_size m ns <= 2 ^ p -> weights_solve m ns (squares P p m ns) (far_or_zero P).
Proof.
move=> big; split.
  exists (floor_exp_far P) => a a0; rewrite /far_or_zero /floor_exp_far.
  case: Z.eqb_spec => [-> _|_ /= /Z.leb_le aP]; [exact: floor_of_one | exact: floor_of_small].
move=> e true_e z0 zs ws ok; apply: squares_output => //.
- by have := true_e 0%Z (Z.le_refl _) isT; move/floor_exp_unique => /(_ Z.lt_0_1 (Z.le_refl _)); apply; apply: floor_of_one.
- move=> a ha; have a0 : (0 <= a)%Z by lia.
  have far : far_or_zero P a by apply/orP; right; apply/Z.leb_le.
  by have := true_e a a0 far; move/floor_exp_unique => /(_ Z.lt_0_1 a0); apply; apply: floor_of_small.
Qed.

(** Its sizes: L + 1 full layers, each one head of 7 key numbers and 2 values, no MLP; the stream has 4L + 15 coordinates. *)
Theorem squares_shape P p m ns : map block_shape (blocks (squares P p m ns)) = nseq (size ns).+2 (Some (7, 2, 0)).
Proof.
rewrite -[blocks _]/[seq FullBlock (reading_head P ns k) [::] | k <- iota 0 (size ns).+2] -map_comp.
have mc (A : Type) (c : A) (s : seq nat) : [seq c | _ <- s] = nseq (size s) c by elim: s => //= a s ->.
by rewrite (@eq_map _ _ _ (fun=> Some (7, 2, 0))) // mc size_iota.
Qed.
(** Its messages. *)
Theorem squares_bits P p m ns exp_floor k :
  all (fun l => soft_bits k l == 2 * (P + p + k + 1) + (P + k)) (stack (exact_of_weights (squares P p m ns) exp_floor ns)).
Proof.
rewrite -[stack _]/(map _ [seq FullBlock (reading_head P ns k) [::] | k <- iota 0 (size ns).+2]) -map_comp all_map.
by apply/allP => j _ /=; rewrite mul1n.
Qed.
(** As many digits as radices. *)
Lemma size_digits ns x : size (digits ns x) = size ns.
Proof. by elim: ns x => [|n ns IH] x //=; rewrite IH. Qed.
(** Its width. *)
Theorem squares_width P p m ns : width (squares P p m ns) <= 4 * (size ns).+1 + 15.
Proof.
have max_le b (s : seq nat) : all (fun a => a <= b) s -> foldr maxn 0 s <= b.
  by elim: s => //= a s IH /andP[ab /IH sb]; rewrite geq_max ab.
apply: max_le; rewrite all_cat; apply/andP; split.
  rewrite -[position_rows _]/[seq position_row t | t <- key_list m ns] -[token_rows _]/(token_table m ns) /token_table.
  move: (key_list m ns) => keys; rewrite !map_cat !all_cat -!map_comp.
  apply/andP; split; [|apply/andP; split]; apply/allP => _ /mapP[x _ ->] /=.
  - by rewrite addnC.
  - by rewrite addnC.
  - by rewrite size_squares /= size_digits; apply/leP; rewrite -?plusE -?multE; lia.
rewrite -[blocks _]/[seq FullBlock (reading_head P ns k) [::] | k <- iota 0 (size ns).+2] -map_comp.
apply/allP => _ /mapP[k kn ->]; apply: (@leq_trans (slot_at ns k.+1 + 2)); first by rewrite /= size_cat size_nseq.
move: kn; rewrite mem_iota add0n /slot_at => /andP[_ /ltP kn]; apply/leP; rewrite -?plusE -?multE; lia.
Qed.
