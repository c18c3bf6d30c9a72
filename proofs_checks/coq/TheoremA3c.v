(** Theorem A3c: L = 3, two Full layers, no states before the first, by the cube lemma (theory 5.9). *)
From Coq Require Import Arith NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts Binary Cube CubeLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section A3c.
Variables (md : model) (m n1 n2 g v : nat).
Notation N1 := (m * n1).
Notation N2 := (m * n1 * n2).
Notation gap := (m - g).
Notation E := (n1 * g).
Notation table2 := {ffun 'I_E -> 'I_v}.
Notation table3 := {ffun 'I_N2 -> 'I_N2}.
Hypotheses (gm : g <= m) (vN : v <= N1) (g0 : 0 < g) (n10 : 0 < n1).

(** Entry q = a·m + r of table 2 varies where r ≥ m − g, as the (a·g + r − (m−g))-th; the others are 0. Table 1: 0, but m − g + i at
    its last entry, which is z_0. *)
Lemma m0 : 0 < m. Proof. exact: leq_trans gm. Qed.
Definition entry2 (f : table2) (q : nat) : nat :=
  if gap <= q %% m then (if insub (q %/ m * g + (q %% m - gap)) is Some e then val (f e) else 0) else 0.
Definition place (e : 'I_E) : nat := e %/ g * m + (gap + e %% g).
Definition z2 (f : table2) : seq nat := [seq entry2 f q | q <- iota 0 N1].
Definition z1 (i : nat) : seq nat := rcons (nseq m.-1 0) (gap + i).

(** Entry e stands in the last g places of its row. *)
Lemma mod_gap (e : 'I_E) : gap + e %% g < m. Proof. by rewrite -{2}(subnK gm) ltn_add2l ltn_mod. Qed.
(** There are n_1 rows. *)
Lemma row_lt (e : 'I_E) : e %/ g < n1. Proof. by rewrite ltn_divLR. Qed.
(** Its place is in table 2. *)
Lemma place_lt e : place e < N1. Proof. exact: pair_lt (row_lt e) (mod_gap e). Qed.
(** An entry that varies. *)
Lemma entry2_place f e : entry2 f (place e) = f e.
Proof.
have lt := mod_gap e; rewrite /entry2 /place modnMDl modn_small // leq_addr divnMDl ?m0 // (divn_small lt) addn0 addKn -divn_eq.
by rewrite valK.
Qed.
(** An entry varies or is 0 in all tables. *)
Lemma entry2_cases q : q < N1 -> (exists e, q = place e) \/ (q %% m < gap /\ forall f, entry2 f q = 0).
Proof.
move=> qN; have an : q %/ m < n1 by rewrite ltn_divLR ?m0 // mulnC.
have [le|lt] := leqP gap (q %% m); last by right; split=> // f; rewrite /entry2 leqNgt lt.
have iT : q %% m - gap < g by rewrite ltn_subLR // subnK // ltn_mod m0.
have eE : q %/ m * g + (q %% m - gap) < E.
  by apply: leq_trans (_ : (q %/ m).+1 * g <= _); rewrite ?mulSnr ?ltn_add2l // -mulSnr leq_mul2r an orbT.
by left; exists (Ordinal eE); rewrite /place /= divnMDl // (divn_small iT) addn0 modnMDl (modn_small iT) subnKC // -divn_eq.
Qed.
(** Entries of table 2 are below N_1. *)
Lemma N10 : 0 < N1. Proof. by rewrite muln_gt0 m0. Qed.
(** ... all of them. *)
Lemma entry2_lt f q : entry2 f q < N1.
Proof. by rewrite /entry2; case: ifP => // _; rewrite ?N10 //; case: insubP => [e _ _|_]; rewrite ?N10 // (leq_trans (ltn_ord _)). Qed.
(** Later places are later entries. *)
Lemma place_mono e e' : place e <= place e' -> e <= e'.
Proof.
rewrite /place => le; rewrite (divn_eq e g) (divn_eq e' g).
have [lt|gt|eq] := ltngtP (e %/ g) (e' %/ g).
- apply: leq_trans (_ : (e %/ g).+1 * g <= _); first by rewrite mulSnr leq_add2l ltnW // ltn_mod.
  by apply: leq_trans (leq_addr _ _); rewrite leq_mul2r lt orbT.
- have : e %/ g * m + (gap + e %% g) < (e %/ g) * m.
    apply: leq_ltn_trans le _; apply: leq_trans (_ : (e' %/ g).+1 * m <= _); last by rewrite leq_mul2r gt orbT.
    by rewrite mulSnr ltn_add2l mod_gap.
  by rewrite ltnNge leq_addr.
by move: le; rewrite eq !leq_add2l.
Qed.
(** ... and the other way round. *)
Lemma place_leq (e e' : 'I_E) : e <= e' -> place e <= place e'.
Proof.
move=> le; rewrite leqNgt; apply/negP => lt; have := place_mono (ltnW lt) => le'.
have E0 : e = e' by apply: val_inj; apply/eqP; rewrite eqn_leq le le'.
by rewrite E0 ltnn in lt.
Qed.
(** Table 2 has N_1 entries. *)
Lemma size_z2 f : size (z2 f) = N1. Proof. by rewrite size_map size_iota. Qed.
(** Table 1 has m. *)
Lemma size_z1 i : size (z1 i) = m. Proof. by rewrite size_rcons size_nseq prednK ?m0. Qed.
(** Table 2, entry by entry. *)
Lemma nth_z2 f q : q < N1 -> nth 0 (z2 f) q = entry2 f q.
Proof. by move=> qN; rewrite (nth_map 0) ?size_iota // nth_iota. Qed.

(** The prompt for the entry e: z_3 and table 2 before it are hidden; then table 2 from e on, table 1, z_0; then w. *)
Section Entry.
Variables (om : {ffun 'I_E -> 'I_v * 'I_v}) (e : 'I_E).
Notation Z := (chosen om).
Notation i0 := (e %% g).
Definition start (z3 : table3) : seq token := vals z3 ++ [seq Val a | a <- take (place e) (z2 Z)].
Definition tail : seq token := [seq Val b | b <- z1 i0] ++ [:: Val m.-1].
Definition mid (f : table2) : seq token := [seq Val a | a <- drop (place e) (z2 f)] ++ tail.
Definition query (w : nat) : token := Query [:: e %/ g; w].
Notation K := (N2 + place e).
Notation w2 := (N1 - place e).
Notation d := (w2 + m.+1).
(** The hidden part has K tokens. *)
Lemma size_start z3 : size (start z3) = K.
Proof. by rewrite size_cat size_vals size_map size_takel // size_z2 ltnW // place_lt. Qed.
(** Table 1 and z_0 have m + 1. *)
Lemma size_tail : size tail = m.+1. Proof. by rewrite size_cat size_map size_z1 addn1. Qed.
(** A continuation has d. *)
Lemma size_mid f : size (mid f) = d. Proof. by rewrite size_cat size_map size_drop size_z2 size_tail. Qed.
(** Of a variant, table 2 before e is known. *)
Lemma variant_before f : variant om e f -> take (place e) (z2 f) = take (place e) (z2 Z).
Proof.
move=> /forallP var; have s h : size (take (place e) (z2 h)) = place e by rewrite size_takel // size_z2 ltnW // place_lt.
apply: (@eq_from_nth _ 0) => [|q]; rewrite !s // => qe; have qN := ltn_trans qe (place_lt e); rewrite !nth_take // !nth_z2 //.
have [[e' Eq]|[_ z]] := entry2_cases qN; last by rewrite !z.
have lt : e' < e by rewrite ltnNge; apply: contraL qe; rewrite Eq -leqNgt => h; apply: place_leq.
by rewrite Eq !entry2_place ffunE; have := var e'; rewrite lt => /eqP ->.
Qed.
(** So the prompt is table 3, table 2, table 1, z_0, w. *)
Lemma body_tables z3 f : variant om e f -> start z3 ++ mid f = (vals z3 ++ [seq Val a | a <- z2 f]) ++ tail.
Proof.
move=> var; rewrite /start /mid -(variant_before var) -[in RHS](cat_take_drop (place e) (z2 f)) map_cat -!catA.
by [].
Qed.
(** w stands behind all of them. *)
Lemma Kd : K + d = N2 + N1 + m.+1. Proof. by rewrite addnA -(addnA N2) subnKC // ltnW // place_lt. Qed.

(** The tokens that can stand behind the hidden part: e with any value, later entries with two, the others with one. *)
Definition later : seq ('I_E * bool) := [seq (j, c) | j <- drop e.+1 (enum 'I_E), c <- [:: false; true]].
Definition tokens_behind : seq (nat * token) :=
  [seq (0, Val (i : 'I_v)) | i <- enum 'I_v]
  ++ [seq (place jc.1 - place e, Val (if jc.2 then (om jc.1).2 else (om jc.1).1)) | jc : 'I_E * bool <- later]
  ++ [seq (a * m + r - place e, Val 0) | a <- iota (e %/ g).+1 (n1 - (e %/ g).+1), r <- iota 0 gap]
  ++ [seq (w2 + k, nth (Val 0) tail k) | k <- iota 0 m.+1].
(** The number of these. *)
Lemma size_behind : size tokens_behind = v + 2 * (E - e.+1) + (n1 - (e %/ g).+1) * gap + m.+1.
Proof.
have sl : size later = 2 * (E - e.+1) by rewrite size_allpairs size_drop size_enum_ord mulnC.
by rewrite size_cat size_map size_enum_ord size_cat size_map sl size_cat size_allpairs size_map !size_iota !addnA.
Qed.
(** Every token of a variant is one of them. *)
Lemma in_behind f q : variant om e f -> q < d -> (q, nth (Val 0) (mid f) q) \in tokens_behind.
Proof.
move=> /forallP var qd; rewrite /mid nth_cat size_map size_drop size_z2; case: ltnP => [qw|wq]; last first.
  rewrite !mem_cat; do 3!(apply/orP; right); apply/mapP; exists (q - w2); last by rewrite subnKC.
  by rewrite mem_iota add0n ltn_subLR.
have qN : place e + q < N1 by rewrite -ltn_subRL.
rewrite (nth_map 0) ?size_drop ?size_z2 // nth_drop nth_z2 //.
have [[j Ej]|[lt zero]] := entry2_cases qN; last first.
  rewrite zero !mem_cat; do 2!(apply/orP; right); apply/orP; left; apply/allpairsP.
  exists ((place e + q) %/ m, (place e + q) %% m); split; rewrite /= ?mem_iota //; last by rewrite -divn_eq addKn.
  have an : (place e + q) %/ m < n1 by rewrite ltn_divLR ?m0 // mulnC.
  rewrite subnKC ?row_lt // an andbT ltnNge; apply/negP => le.
  have : place e <= place e + q by rewrite leq_addr.
  rewrite [X in _ <= X](divn_eq _ m) leqNgt => /negP; apply.
  apply: leq_trans (_ : (place e + q) %/ m * m + gap <= _); first by rewrite ltn_add2l.
  by apply: leq_trans (_ : e %/ g * m + gap <= _); [rewrite leq_add2r leq_mul2r le orbT | rewrite /place addnA leq_addr].
rewrite Ej entry2_place; have Eq : q = place j - place e by rewrite -Ej addKn.
case: (eqVneq j e) => [Ee|ne].
  by rewrite !mem_cat; apply/orP; left; apply/mapP; exists (f j); rewrite ?mem_enum // Eq Ee subnn.
have ej : e < j by rewrite ltn_neqAle eq_sym (inj_eq val_inj) ne place_mono // -Ej leq_addr.
have inl c : (j, c) \in later.
  apply/allpairsP; exists (j, c); split=> //; last by case: c.
  have <- : nth e (drop e.+1 (enum 'I_E)) (j - e.+1) = j by rewrite nth_drop subnKC // nth_ord_enum.
  by rewrite mem_nth // size_drop size_enum_ord ltn_sub2r // (leq_ltn_trans ej).
rewrite !mem_cat; apply/orP; right; apply/orP; left; apply/mapP.
have := var j; rewrite ltnNge (ltnW ej) /= (negbTE ne) /= => /orP[/eqP ->|/eqP ->].
  by exists (j, false); rewrite ?inl // Eq.
by exists (j, true); rewrite ?inl // Eq.
Qed.

(** The answer to w is the entry (w, f e) of z_3. *)
Lemma value_lt (i : 'I_v) : i < N1. Proof. exact: leq_trans (ltn_ord i) vN. Qed.
Definition read_at (w : 'I_n2) (i : 'I_v) : 'I_N2 := entry (w, Ordinal (value_lt i)).
(** Different pairs are different entries. *)
Lemma read_inj w w' i i' : read_at w i = read_at w' i' -> w = w' /\ i = i'.
Proof. by move/entry_inj => [-> E0]; split=> //; apply: val_inj. Qed.
(** A model that solves the task answers so. *)
Lemma right z3 f (w : 'I_n2) : solves m [:: n1; n2] md -> variant om e f ->
  output md ((start z3 ++ mid f) ++ [:: query w]) = z3 (read_at w (f e)).
Proof.
move=> sol var; have -> : (start z3 ++ mid f) ++ [:: query w] = prompt m.-1 [:: z1 i0; z2 f; table_values z3] [:: e %/ g; val w].
  by rewrite body_tables // /tail /query /prompt /= cats0 !map_cat -!catA /=.
rewrite sol; last first.
  rewrite /valid /= size_z1 size_z2 size_table_values eqxx tab_below row_lt ltn_ord !andbT prednK ?m0 // leqnn /=.
  apply/andP; split; apply/allP => x; last by case/mapP => q _ ->; apply: entry2_lt.
  by rewrite mem_rcons inE => /orP[/eqP ->|/nseqP[-> _]]; rewrite ?mod_gap ?m0.
rewrite /= size_z1 size_z2 nth_rcons size_nseq ltnn eqxx -/(place e) nth_z2 ?place_lt // entry2_place.
by rewrite (nth_table_values z3 (read_at w (f e))).
Qed.
End Entry.

(** Sums over the entries, row by row. *)
Lemma sum_rows n (F : nat -> nat) : \sum_(e < n * g) F (e %/ g) = g * \sum_(a < n) F a.
Proof.
elim: n F => [|n IH] F; first by rewrite !big_ord0 muln0.
rewrite mulSn big_split_ord big_ord_recl /= mulnDr; congr (_ + _).
  by rewrite -[g in RHS]card_ord -sum_nat_const; apply: eq_bigr => e _; rewrite divn_small.
rewrite -(IH (fun a => F a.+1)); apply: eq_bigr => e _; congr F.
by have := @divnMDl 1 e g g0; rewrite mul1n add1n => ->.
Qed.
(** What is fixed for the entry e, added up over all entries; twice, as half of it is a whole number only then. *)
Definition charge (beta lam1 e : nat) : nat := lam1 + beta * (v + 2 * (E - e.+1) + (n1 - (e %/ g).+1) * gap + m.+1 + 2 * n2).
(** The sum. *)
Lemma sum_charges beta lam1 : 2 * (\sum_(e < E) charge beta lam1 e)
  = E * (2 * lam1 + beta * (4 * n2 + 2 * m + 2 * v + 2 * E + n1.-1 * gap)).
Proof.
have down n : 2 * (\sum_(a < n) (n - a.+1)) = n * n.-1.
  elim: n => [|n IH]; first by rewrite big_ord0.
  rewrite big_ord_recl /= subn1 mulnDr /=; under eq_bigr do rewrite subSS.
  by rewrite IH; case: (n) => // n'; rewrite /=; mring.
have rows : 2 * (\sum_(e < E) (n1 - (e %/ g).+1)) = E * n1.-1.
  by rewrite (sum_rows _ (fun a => n1 - a.+1)) mulnCA down; mring.
have d1 := down E; have [c0 Ec0] : exists c0, c0 = lam1 + beta * (v + m.+1 + 2 * n2) by eexists.
have Ec e : charge beta lam1 e = c0 + beta * 2 * (E - e.+1) + beta * gap * (n1 - (e %/ g).+1).
  by rewrite /charge Ec0; move: (E - e.+1) (n1 - (e %/ g).+1) (m - g) => x y q; rewrite -?plusE -?multE; nia.
under eq_bigr do rewrite Ec; rewrite !big_split -!big_distrr sum_nat_const card_ord /=.
move: (\sum_(i < E) (n1 - _)) rows (\sum_(i < E) (E - _)) d1 => x rows y d1.
have -> : 2 * (E * c0 + beta * 2 * y + beta * gap * x) = 2 * (E * c0) + beta * 2 * (2 * y) + beta * gap * (2 * x) by mring.
rewrite rows d1 Ec0.
have : E * E.-1 + E = E * E by case: (n1 * g) => // e'; mring.
move: (n1 * g) n1.-1 (m - g) => e r q; move: (e * e.-1) => t dd.
have -> : e * (2 * lam1 + beta * (4 * n2 + 2 * m + 2 * v + 2 * e + r * q))
        = e * (2 * lam1 + beta * (4 * n2 + 2 * m + 2 * v + r * q)) + 2 * beta * (e * e) by mring.
by rewrite -dd; mring.
Qed.

(** * 2. The count *)
Variables (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.
Hypothesis stateless : \prod_(l <- B0) states l <= 1.
Variables (beta lam1 lam2 : nat).
Hypothesis (hb1 : sums F1 <= 2 ^ beta) (hb2 : sums F2 <= 2 ^ beta).
Hypothesis (h1 : \prod_(l <- F1 :: B1) states l <= 2 ^ lam1) (h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam2).
Hypothesis sol : solves m [:: n1; n2] md.
Variables (om k : nat).
Hypothesis groups : n2 <= om * k.
Hypothesis (om0 : 0 < om) (n20 : 0 < n2) (v0 : 0 < v).

Notation P := (N2 + N1 + m.+1).
Definition tables23 (z3 : table3) (f : table2) : seq token := vals z3 ++ [seq Val a | a <- z2 f].
(** Their tokens. *)
Lemma size_tables23 z3 f : size (tables23 z3 f) = N2 + N1. Proof. by rewrite size_cat size_vals size_map size_z2. Qed.
(** What a group is told of table 2 behind z_3: what its queries (a, w) hear in layer 1, and the states into w for each table 1. *)
Definition told_heard z3 f (a w : nat) : sum_type F1 :=
  partial_sum F1 (acts B0 (tables23 z3 f)) (itself B0 P (Query [:: a; w])) (N2 + N1) P.
Definition told_states z3 f (i : nat) : all_states (F1 :: B1) :=
  states_at (tables23 z3 f ++ ([seq Val b | b <- z1 i] ++ [:: Val m.-1])) P B0 (F1 :: B1).
Definition told z3 (c : nat) f : {ffun 'I_n1 * 'I_om -> sum_type F1} * {ffun 'I_g -> all_states (F1 :: B1)} :=
  ([ffun aj : 'I_n1 * 'I_om => told_heard z3 f aj.1 (c * om + aj.2)], [ffun i : 'I_g => told_states z3 f i]).
(** At most 2^{ω·n_1·β + g·λ_1} answers. *)
Lemma card_told : #|[finType of {ffun 'I_n1 * 'I_om -> sum_type F1} * {ffun 'I_g -> all_states (F1 :: B1)}]|
  <= 2 ^ (om * n1 * beta + g * lam1).
Proof.
rewrite card_prod !card_ffun card_prod !card_ord card_sum_type card_all_states expnD leq_mul //.
  by rewrite [n1 * om]mulnC [_ * beta]mulnC (expnM 2 beta) exp_mono.
by rewrite [g * lam1]mulnC (expnM 2 lam1) exp_mono.
Qed.
Notation group := (group om0 groups).
Notation group_size := (group_size om0 groups).
Definition worth (c : 'I_k) : bool := 2 ^ lam2 < N2 ^ group_size c.

(** What a group is told decides what it hears and the states into it, for each entry e. *)
Notation K e := (N2 + place e).
Notation d e := (N1 - place e + m.+1).
Definition found_at o e z3 c : {set 'I_v} := found B0 B1 F1 (start o e) (mid e) (fun w : 'I_n2 => query e w) (K e) (d e) (variant o e)
  (chosen o) (fun f : table2 => f e) group worth z3 c.
(** What w hears is a sum over table 3, table 2 and what stands behind. *)
Lemma heard_told z3 o e f (w : 'I_n2) : variant o e f ->
  heard B0 F1 (start o e) (mid e) (fun w : 'I_n2 => query e w) (K e) (d e) z3 f w
  = partial_sum F1 (acts B0 (tables23 z3 f ++ tail e)) (itself B0 P (query e w)) P P.
Proof. by move=> var; rewrite /heard /body body_tables // Kd. Qed.
(** So what the cube lemma reaches is found. *)
Lemma reached_found z3 o e c : worth c -> reached (told z3 c) o e \subset found_at o e z3 c.
Proof.
move=> wc; apply/subsetP => i; rewrite inE => /existsP[f /and3P[var /eqP[/ffunP hh /ffunP hs] fe]].
have varZ := variant_chosen o e.
rewrite /found_at /found wc inE; apply/existsP; exists f; rewrite fe andbT /alike var /=; apply/andP; split; last first.
  have := hs (Ordinal (ltn_pmod e g0)); rewrite !ffunE /left_states /body !body_tables // Kd => E0.
  by apply/eqP; apply: E0.
apply/forallP => w; apply/implyP => /eqP gw; apply/eqP; rewrite !heard_told //.
apply: (@sum_from _ _ _ _ _ (N2 + N1)); first exact: leq_addr.
  have := hh (Ordinal (row_lt e), Ordinal (ltn_pmod w om0)); rewrite !ffunE /= -gw /= -divn_eq.
  by rewrite !(sum_prefix _ _ _ (p := tables23 _ _)) ?size_tables23.
by move=> j /andP[lj _]; rewrite !(itselfE _ _ nB0 stateless) !nth_cat !size_tables23 ltnNge lj.
Qed.

(** A3c for a word that is a block, F, a block, F, a block. *)
Lemma A3c_exact : N2 ^ (n2 * cube_values E v (om * n1 * beta + g * lam1))
  <= 2 ^ (\sum_(e < E) charge beta lam1 e + k * cube_values E v (om * n1 * beta + g * lam1) * lam2).
Proof.
have N20 : 0 < N2 by rewrite muln_gt0 N10.
have [Om Om0 many] := cube E card_told v0.
have cV : #|[finType of table3]| = N2 ^ N2 by rewrite card_ffun !card_ord.
rewrite -{2}(all_groups om0 groups); apply: (@cube_average _ _ _ _ (k * v) _ [finType of table3] _ Om _ (fun o e z c => #|found_at o e z c|)) => //.
- by rewrite cV expn_gt0 N20.
- move=> o e z; apply: leq_trans (_ : \sum_(c < k) v <= _); last by rewrite sum_nat_const card_ord.
  by apply: leq_sum => c _; rewrite -[X in _ <= X](card_ord v) max_card.
- move=> o e; rewrite cV.
  have := weighed nB0 nB1 nB2 the_word stateless hb1 hb2 h1 h2 (size_start o e) (size_mid e) (variant_chosen o e)
    (fun f q => @in_behind o e f q) read_inj (fun z f w => @right o e z f w sol) N20 group worth.
  rewrite size_behind -/(charge _ _ _); apply: leq_trans; apply: eq_leq; apply: eq_bigr => z _.
  by rewrite /asked_number -(sum_groups om0 groups (fun c => #|found_at o e z c|)).
move=> z c; case: ifP => large; last first.
  by rewrite big1 // => o _; rewrite big1 // => e _; rewrite /found_at /found /worth large cards0.
apply: leq_trans (many (told z c)) _; apply: leq_sum => o _; apply: leq_sum => e _.
by apply: subset_leq_card; apply: reached_found.
Qed.
End A3c.

(** A3c as in theory 5.9. lam 1: R between the Full layers and R heads beside the first; lam 2: R heads beside the second, and R after it. *)
Theorem A3c beta lam m n1 n2 g v om k (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 0 = 0 ->
  g <= m -> v <= m * n1 -> n2 <= om * k ->
  2 ^ (n1 * g * (2 * lam 1 + beta * (4 * n2 + 2 * m + 2 * v + 2 * (n1 * g) + n1.-1 * (m - g)))
       + 2 * k * cube_values (n1 * g) v (om * n1 * beta + g * lam 1) * lam 2)
    < (m * n1 * n2) ^ (2 * n2 * cube_values (n1 * g) v (om * n1 * beta + g * lam 1)) ->
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb hl hF l0 gm vN groups; set A := cube_values _ _ _ => hend sol.
have [md' [same [B0 [F1 [B1 [F2 [B2 [Ew [nB0 nB1 nB2] [hb1 hb2] [h0 h1 h2]]]]]]]]] := two_full_word hb hl hF; rewrite l0 in h0.
have sol' := solves_same same sol.
have : 0 < 2 * n2 * A by case: posnP hend => // ->; rewrite expn0 ltnS leqn0 expn_eq0.
rewrite !muln_gt0 /= => /andP[n20 A0].
have : 0 < n1 * g * v by move: A0; rewrite /A /cube_values; case: (posnP (n1 * g * v)) => // ->; rewrite sub0n.
rewrite !muln_gt0 => /andP[/andP[n10 g0] v0].
have om0 : 0 < om by case: posnP groups => // ->; rewrite mul0n leqn0 => /eqP E0; rewrite E0 in n20.
move: hend; rewrite ltnNge => /negP; apply.
have := A3c_exact gm vN g0 n10 nB0 nB1 nB2 Ew h0 hb1 hb2 h1 h2 sol' groups om0 n20 v0; rewrite -/A => h.
rewrite -sum_charges //; move: (\sum_(e < _) _) h => s h.
have -> : 2 * n2 * A = n2 * A * 2 by mring.
have -> : 2 * s + 2 * k * A * lam 2 = (s + k * A * lam 2) * 2 by mring.
by rewrite !(expnM _ _ 2) leq_exp2r.
Qed.

(** The inequalities in binary numbers, and their instances. *)
Local Notation nn := N.to_nat.
Definition hardA3cN (beta lam1 lam2 m n1 n2 g v om k : N) : bool :=
  (let values := n1 * g * v - N.pred v * (om * n1 * beta + g * lam1) in
   N.leb g m && (N.leb v (m * n1) && (N.leb n2 (om * k)
   && N.ltb (N.pow 2 (n1 * g * (2 * lam1 + beta * (4 * n2 + 2 * m + 2 * v + 2 * (n1 * g) + N.pred n1 * (m - g))) + 2 * k * values * lam2))
            (N.pow (m * n1 * n2) (2 * n2 * values)))))%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certA3c beta lam1 lam2 m n1 n2 g v om k : hardA3cN beta lam1 lam2 m n1 n2 g v om k ->
  forall md : model, message_bits md (nn beta) -> block_bits md (nth 0 [:: 0; nn lam1; nn lam2]) -> number_full md <= 2 ->
  ~ solves (nn m) [:: nn n1; nn n2] md.
Proof.
case/and4P => /toLe h0 /toLe h1 /toLe h2 /toLt h3 md hb hl hF.
by apply: (@A3c _ _ _ _ _ (nn g) (nn v) (nn om) (nn k) md hb hl hF) => //; [move: h1 | move: h2 | move: h3];
  rewrite !(toX, toM, toD, toB, toP).
Qed.
