(** Theorem A3 without early R: L = 3, two Full layers, no states before the second (theory 5.8). *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts TwoLayers Windows Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Two Full layers, no state before the second *)
Section TwoLayers.
Variables (md : model) (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.
Hypothesis stateless : \prod_(l <- B0 ++ F1 :: B1) states l <= 1.

Notation itself := (itself B0).
(** Before F1 a token knows its position and itself. *)
Lemma known_itself p i : acts B0 p i = itself i (nth (Val 0) p i).
Proof. by apply: itselfE => //; apply: leq_trans stateless; rewrite big_cat leq_pmulr ?prod_gt0. Qed.

(** Hidden inputs u, in the first K tokens; then one of the continuations c of d tokens; then one of the queries q.
    Vs: the pairs (position, token) that occur in a continuation. *)
Variables (Om Mid Qy Key : finType) (start : Om -> seq token) (mid : Mid -> seq token) (ask : Qy -> token).
Variables (K d : nat) (Ms : {set Mid}) (Vs : seq (nat * token)) (key : Mid -> Key).
Hypothesis size_start : forall u, size (start u) = K.
Hypothesis size_mid : forall c, size (mid c) = d.
Hypothesis variants : forall c k, c \in Ms -> k < d -> (k, nth (Val 0) (mid c) k) \in Vs.
(** What a query has heard behind the hidden part in layer 1 is fixed; behind a continuation it is a function of its key. *)
Variable S : {set Om}.
Definition heard (u : Om) (c : Mid) (q : Qy) :=
  partial_sum F1 (acts B0 (start u ++ mid c)) (itself (K + d) (ask q)) (K + d) (K + d).
Hypothesis heard_first : forall u u' q, u \in S -> u' \in S ->
  partial_sum F1 (acts B0 (start u)) (itself (K + d) (ask q)) K (K + d)
  = partial_sum F1 (acts B0 (start u')) (itself (K + d) (ask q)) K (K + d).
Hypothesis same_key : forall u c c' q, u \in S -> c \in Ms -> c' \in Ms -> key c = key c' -> heard u c q = heard u c' q.
Definition whole u c q := (start u ++ mid c) ++ [:: ask q].

(** The tokens of a continuation. *)
Lemma nth_body u c k : k < d -> nth (Val 0) (start u ++ mid c) (K + k) = nth (Val 0) (mid c) k.
Proof. by move=> kd; rewrite nth_cat size_start ltnNge leq_addr addKn. Qed.
(** The query is the last token. *)
Lemma nth_query u c q : nth (Val 0) (whole u c q) (K + d) = ask q.
Proof. by rewrite /whole nth_cat size_cat size_start size_mid ltnn subnn. Qed.

(** What has to be fixed about the hidden part so that the answers do not depend on it: two_layers of TwoLayers.v, where a
    token's label is the token itself. *)
Lemma two_layers_blind beta lam2 : sums F1 <= 2 ^ beta -> sums F2 <= 2 ^ beta ->
  \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < #|S| ->
  exists2 Q : {set Om}, #|S| <= #|Q| * 2 ^ (beta * (size Vs + #|Qy| * #|Key|) + #|Ms| * lam2)
    & forall u u' c q, u \in Q -> u' \in Q -> c \in Ms ->
      acts (layers md) (whole u c q) (K + d) = acts (layers md) (whole u' c q) (K + d).
Proof.
move=> hb1 hb2 h2 S0.
have h1 : \prod_(l <- F1 :: B1) states l <= 2 ^ 0.
  by apply: leq_trans stateless; rewrite big_cat /= leq_pmull // prod_gt0.
have [| | | | | |Q dens [_ blind]] := @two_layers md B0 B1 B2 F1 F2 nB1 nB2 the_word Om Mid Qy Key _ start mid ask K d S Ms
  size_start size_mid Vs (fun c k => nth (Val 0) (mid c) k) variants _ _ key _ _ _ beta 0 lam2 hb1 hb2 h1 h2.
- by move=> u u' c c' k _ _ _ _ kd e; rewrite !known_itself !nth_body // e.
- by move=> u u' c c' q _ _ _ _; rewrite !known_itself !nth_query.
- by move=> u u' c q uS uS' _; rewrite known_itself nth_query; apply: heard_first.
- by move=> u c c' q uS cM cM' ek; rewrite known_itself nth_query; apply: same_key.
- move=> u u' c c' _ _ _ _ _.
  by have /same_states_cat[] := one_state (start u ++ mid c) (start u' ++ mid c') (K + d) [::] stateless.
- by [].
by exists Q.
Qed.
End TwoLayers.

(** * 2. The inputs: z_1 varies at its last position, z_2 in n_1 windows *)
Section A3.
Variables (md : model) (m n1 n2 Th1 v : nat).
Notation N1 := (m * n1).
Notation N2 := (m * n1 * n2).
Notation gap := (m - Th1).
Notation E := [finType of 'I_n1 * 'I_Th1].
Notation table2 := {ffun E -> 'I_v}.
Notation table3 := {ffun 'I_N2 -> 'I_N2}.
Hypotheses (m0 : 0 < m) (n10 : 0 < n1) (Thm : Th1 <= m) (fit : n1 * Th1 * v <= N1).

(** Entry (a, i) of the windows has the alphabet (a·Θ_1 + i)·v, …: the alphabets are disjoint. *)
Definition value (c : E * 'I_v) : nat := (c.1.1 * Th1 + c.1.2) * v + c.2.
(** Values are below N_1. *)
Lemma value_lt c : value c < N1.
Proof.
apply: leq_trans fit; have := pair_lt (pair_lt (ltn_ord c.1.1) (ltn_ord c.1.2)) (ltn_ord c.2).
by rewrite (mulnC v) (mulnC Th1).
Qed.
(** Values tell the entry and the letter. *)
Lemma value_inj : injective value.
Proof. by move=> [[a i] x] [[a' i'] x'] /pair_inj[] // /pair_inj[] // Ea Ei Ex; congr (_, _, _); apply: val_inj. Qed.

(** Table 2 has these values in its windows.  Table 1: 0, but i behind. *)
Definition content (f : table2) (e : 'I_n1 * 'I_Th1) : nat := value (e, f e).
Notation win f := (windows m (content f)).
Definition z1 (i : nat) : seq nat := rcons (nseq m.-1 0) (gap + i).
(** Table 1 has m entries. *)
Lemma size_z1 i : size (z1 i) = m. Proof. by rewrite size_rcons size_nseq prednK. Qed.

(** Hidden: z_3 and table 2 before the first window.  K: where the first window begins. *)
Notation K := (N2 + gap).
Notation w2 := (N1 - gap).
Notation d := (w2 + m).+1.
Definition start (z3 : table3) : seq token := vals z3 ++ nseq gap (Val 0).
Definition mid (T : E * 'I_v -> table2) (c : E * 'I_v) : seq token :=
  win (T c) ++ ([seq Val b | b <- z1 c.1.2] ++ [:: Val m.-1]).
Definition ask (q : 'I_n1 * 'I_n2) : token := Query [:: val q.1; val q.2].
(** The hidden part has K tokens. *)
Lemma size_start z3 : size (start z3) = K. Proof. by rewrite size_cat size_vals size_nseq. Qed.
(** A continuation has d tokens. *)
Lemma size_mid T c : size (mid T c) = d.
Proof. by rewrite !size_cat size_windows size_map size_z1 addnA addn1. Qed.

(** The tokens that can stand behind the hidden part. *)
Definition variants : seq (nat * token) :=
  [seq (c.1.1 * m + c.1.2, Val (value c)) | c : E * 'I_v <- enum [finType of E * 'I_v]] ++
  [seq (a * m + r - gap, Val 0) | a <- iota 1 n1.-1, r <- iota 0 gap] ++
  [seq (w2 + k, Val 0) | k <- iota 0 m.-1] ++
  [seq (w2 + m.-1, Val (gap + i)) | i <- iota 0 Th1] ++
  [:: (w2 + m, Val m.-1)].
(** The number of variants, as in D. *)
Lemma size_variants : size variants = m + Th1 + n1 * Th1 * v + n1.-1 * gap.
Proof.
rewrite !size_cat size_map -cardE !card_prod !card_ord size_allpairs !size_map !size_iota /=.
have := prednK m0; move: (n1 * Th1 * v) (n1.-1 * gap) m.-1 => X Y k <-.
by rewrite -!plusE; Lia.lia.
Qed.

(** Every token of a continuation is a variant. *)
Lemma in_variants T c k : k < d -> (k, nth (Val 0) (mid T c) k) \in variants.
Proof.
move=> kd; rewrite /mid nth_cat size_windows; case: ltnP => [kw|wk].
  rewrite nth_windows //; have qN : gap + k < N1 by rewrite -ltn_subRL.
  rewrite !mem_cat; have [[_ [e Ee]]|[lt z]] := window_cases (n1 := n1) m0 Thm qN.
    rewrite Ee window_entryE //; apply/orP; left; apply/mapP; exists (e, T c e); rewrite ?mem_enum //=.
    by congr pair; apply/eqP; rewrite -(eqn_add2l gap) Ee addnCA.
  rewrite z; apply/orP; right; apply/orP; left; apply/allpairsP; exists ((gap + k) %/ m, (gap + k) %% m).
  split=> /=; [| by rewrite mem_iota | by rewrite -divn_eq addKn].
  rewrite mem_iota add1n prednK // ltn_divLR // (mulnC n1) qN andbT divn_gt0 // leqNgt; apply/negP => km.
  by move: lt; rewrite modn_small // ltnNge leq_addr.
rewrite nth_cat size_map size_z1; case: ltnP => [km|mk].
  rewrite (nth_map 0) ?size_z1 // nth_rcons size_nseq nth_nseq.
  have Ek : k = w2 + (k - w2) by rewrite subnKC.
  case: ltnP => [k1|k1].
    rewrite !mem_cat; do 2![apply/orP; right]; apply/orP; left; apply/mapP; exists (k - w2); first by rewrite mem_iota.
    by rewrite -Ek ?if_same.
  have E1 : k - w2 = m.-1 by apply/eqP; rewrite eqn_leq k1 -ltnS prednK // km.
  rewrite E1 eqxx !mem_cat; do 3![apply/orP; right]; apply/orP; left; apply/mapP; exists (val c.1.2).
    by rewrite mem_iota add0n ltn_ord.
  by rewrite {1}Ek E1.
have -> : k = w2 + m by apply/eqP; rewrite eqn_leq -ltnS kd /= -leq_subRL // addnC.
by rewrite addKn subnn !mem_cat inE eqxx !orbT.
Qed.

Variables (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB0 : ~~ has (@is_full _) B0) (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.
Hypothesis stateless : \prod_(l <- B0 ++ F1 :: B1) states l <= 1.

(** A right model says entry (b, value of (a, i)) of table 3. *)
Lemma right_entry (T : E * 'I_v -> table2) z3 (c : E * 'I_v) (b : 'I_n2) : solves m [:: n1; n2] md -> T c c.1 = c.2 ->
  output md (whole start (mid T) ask z3 c (c.1.1, b)) = z3 (entry (b, Ordinal (value_lt c))).
Proof.
move=> sol Tc; have gi : gap + c.1.2 < m by rewrite -{2}(subnK Thm) ltn_add2l.
have -> : whole start (mid T) ask z3 c (c.1.1, b) = prompt m.-1 [:: z1 c.1.2; windowed m (content (T c)); table_values z3] [:: val c.1.1; val b].
  by rewrite /whole /start /mid /ask /prompt /= cats0 2!map_cat windowed_cat // -!catA.
rewrite sol; last first.
  rewrite /valid /= size_z1 size_windowed size_table_values eqxx tab_below !ltn_ord !andbT prednK // leqnn /=.
  apply/andP; split; apply/allP => x; first by rewrite mem_rcons inE => /orP[/eqP ->|/nseqP[-> _]].
  by case/mapP => k _ ->; apply: window_entry_lt => // [|e]; [rewrite muln_gt0 m0 | apply: value_lt].
rewrite /= size_z1 size_windowed nth_rcons size_nseq ltnn eqxx nth_windowed // /content Tc -surjective_pairing.
by rewrite (nth_table_values z3 (entry (b, Ordinal (value_lt c)))).
Qed.

(** What w has heard behind a continuation in layer 1 is the same for tables 2 after which it has heard the same, and the same i. *)
Lemma heard_alike (T : E * 'I_v -> table2) z zs (c c' : E * 'I_v) (q : 'I_n1 * 'I_n2) (x := itself B0 (K + d) (ask q)) : c.1.2 = c'.1.2 ->
  partial_sum F1 (acts B0 (start z)) x K (K + d) = partial_sum F1 (acts B0 (start zs)) x K (K + d) ->
  partial_sum F1 (acts B0 (start zs ++ win (T c))) x (K + w2) (K + d) = partial_sum F1 (acts B0 (start zs ++ win (T c'))) x (K + w2) (K + d) ->
  heard B0 F1 start (mid T) ask K d z c q = heard B0 F1 start (mid T) ask K d z c' q.
Proof.
move=> ek hidden windows; have sw y (c1 : E * 'I_v) : size (start y ++ win (T c1)) = K + w2 by rewrite size_cat size_start size_windows.
apply: (@sum_from _ _ _ _ _ (K + w2)); first by rewrite leq_add2l leqW // leq_addr.
  have sg c1 : partial_sum F1 (acts B0 (start z ++ mid T c1)) x (K + w2) (K + d) = partial_sum F1 (acts B0 (start zs ++ win (T c1))) x (K + w2) (K + d).
    rewrite /mid catA sum_prefix ?sw //; apply: (@sum_from _ _ _ _ _ K); first exact: leq_addr.
      by rewrite !(sum_prefix _ _ _ (p := start _)) ?size_start.
    by move=> j /andP[lj _]; rewrite !(known_itself nB0 stateless) !nth_cat !size_start ltnNge lj.
  by rewrite !sg.
move=> j /andP[lj _]; rewrite !(known_itself nB0 stateless); congr itself.
by rewrite /mid !(catA (start _)) nth_cat sw ltnNge lj /= [RHS]nth_cat sw ltnNge lj ek.
Qed.

(** A3 without early R for a word that is a block, F, a block, F, a block. *)
Lemma A3_free_exact beta lam2 Th2 : sums F1 <= 2 ^ beta -> sums F2 <= 2 ^ beta ->
  \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < N2 -> 0 < Th2 ->
  Th2.-1 ^ (n1 * Th1) * 2 ^ (beta * (n1 * n2)) < (n1 * Th1 * v) ^ (n1 * Th1) ->
  2 ^ (beta * (n1 * n2 + (m + Th1 + n1 * Th1 * v + n1.-1 * gap) + n1 * n2 * Th1) + Th2 * lam2) < N2 ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb1 hb2 h2 N20 Th20 ha hend sol.
have queries : n1 * n2 = size (enum [finType of 'I_n1 * 'I_n2]) by rewrite -cardE card_prod !card_ord.
(* what every w hears from table 3 and the prefix of table 2 in layer 1 *)
pose xq (q : 'I_n1 * 'I_n2) : act md := itself B0 (K + d) (ask q).
pose Sq q : question table3 := Ask (fun z => partial_sum F1 (acts B0 (start z)) (xq q) K (K + d)).
have [S [_ cS] dS] : exists2 S : {set table3}, S \subset setT /\ consts S [seq Sq q | q <- enum [finType of 'I_n1 * 'I_n2]]
    & N2 ^ N2 <= #|S| * 2 ^ (0 + beta * (n1 * n2)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  by rewrite {1}queries; apply: charge_each => q; rewrite /= card_sum_type.
have [zs zsS] : exists z, z \in S by apply: dense_pick dS; rewrite expn_gt0 N20.
have heard_first z z' q : z \in S -> z' \in S ->
    partial_sum F1 (acts B0 (start z)) (xq q) K (K + d) = partial_sum F1 (acts B0 (start z')) (xq q) K (K + d).
  by move=> h h'; apply: (consts_map cS (v := q)); rewrite ?mem_enum.
(* what every w has heard behind the windows in layer 1 *)
pose Gw (q : 'I_n1 * 'I_n2) : question table2 := Ask (fun f => partial_sum F1 (acts B0 (start zs ++ win f)) (xq q) (K + w2) (K + d)).
have cE : #|E| = n1 * Th1 by rewrite card_prod !card_ord.
have [Q2 [_ cG] d2] : exists2 Q2 : {set table2},
    Q2 \subset setT /\ consts Q2 [seq Gw q | q <- enum [finType of 'I_n1 * 'I_n2]]
    & v ^ #|E| <= #|Q2| * 2 ^ (0 + beta * (n1 * n2)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  by rewrite {1}queries; apply: charge_each => q; rewrite /= card_sum_type.
have [J [T [cJ hT]]] : exists (J : {set E * 'I_v}) (T : E * 'I_v -> table2),
    #|J| = Th2 /\ forall c, c \in J -> T c \in Q2 /\ T c c.1 = c.2.
  by apply: some_pairs d2 _ Th20; rewrite cE.
have same_key z c c' q : z \in S -> c \in J -> c' \in J -> c.1.2 = c'.1.2 ->
    heard B0 F1 start (mid T) ask K d z c q = heard B0 F1 start (mid T) ask K d z c' q.
  move=> zS /hT[cQ _] /hT[cQ' _] ek; apply: (heard_alike ek (heard_first z zs q zS zsS)).
  by apply: (consts_map cG (v := q)); rewrite ?mem_enum.
have S0 : 0 < #|S| by apply/card_gt0P; exists zs.
have [Q dens blind] := two_layers_blind nB0 nB1 nB2 the_word stateless size_start (size_mid T)
  (fun c k _ kd => in_variants T c kd) heard_first same_key hb1 hb2 h2 S0.
pose ent (b : 'I_n2 * (E * 'I_v)) : 'I_N2 := entry (b.1, Ordinal (value_lt b.2)).
have agree : forall f g, f \in Q -> g \in Q -> {in [set ent b | b in setX [set: 'I_n2] J], f =1 g}.
  move=> f g fQ gQ _ /imsetP[[b c] /setXP[_ /= cJc] ->]; have [_ Tc] := hT c cJc.
  have sp (z3 : table3) : size (whole start (mid T) ask z3 c (c.1.1, b)) = (K + d).+1 by rewrite 2!size_cat size_start size_mid addn1.
  by apply: val_inj; rewrite /= -!(right_entry _ _ sol Tc) /output !sp; congr out; exact: blind.
have kS : n2 * Th2 <= #|[set ent b | b in setX [set: 'I_n2] J]|.
  rewrite card_imset ?cardsX ?cardsT ?card_ord ?cJ // => -[w c] [w' c'] /entry_inj[-> Ec].
  by congr pair; apply: value_inj.
have {}dens : N2 ^ N2 <= #|Q| * 2 ^ (beta * (n1 * n2 + (m + Th1 + n1 * Th1 * v + n1.-1 * gap) + n1 * n2 * Th1) + Th2 * lam2).
  rewrite !card_prod !card_ord size_variants cJ in dens.
  apply: leq_trans dS _; apply: leq_trans (leq_mul dens (leqnn _)) _.
  by rewrite -mulnA -expnD add0n addnAC -mulnDr addnAC (addnC _ (n1 * n2)) addnA.
by move: hend; rewrite ltnNge (agreeing_tables N20 dens kS agree).
Qed.
End A3.

(** A3 without early R, as in theory 5.8: E = n_1·Θ_1 asked entries of table 2, v values for each. *)
Theorem A3_free beta lam m n1 n2 Th1 v Th2 (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= 2 -> lam 0 = 0 -> lam 1 = 0 ->
  Th1 <= m -> n1 * Th1 * v <= m * n1 ->
  Th2.-1 ^ (n1 * Th1) * 2 ^ (beta * (n1 * n2)) < (n1 * Th1 * v) ^ (n1 * Th1) ->
  2 ^ (beta * (n1 * n2 + m + Th1 + n1 * Th1 * v + n1.-1 * (m - Th1) + n1 * n2 * Th1) + Th2 * lam 2)
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ solves m [:: n1; n2] md.
Proof.
move=> hb hl hF l0 l1 hTh fit ha hend sol.
have E0 : 0 < n1 * Th1 * v.
  case: (posnP (n1 * Th1 * v)) ha => // E0; case: (posnP (n1 * Th1)) => [->|h]; last by rewrite E0 exp0n.
  by rewrite !expn0 mul1n ltnS leqn0 expn_eq0.
have [n10 Th10] : 0 < n1 /\ 0 < Th1 by move: E0; rewrite !muln_gt0 => /andP[/andP[]].
have m0 : 0 < m by apply: leq_trans hTh.
have Th20 : 0 < Th2 by case: (Th2) hend => //; rewrite muln0 expn0 ltnS leqn0 expn_eq0.
have N0 : 0 < m * n1 * n2.
  case: (posnP (m * n1 * n2)) hend => // ->; case: (posnP (n2 * Th2)) => [->|h]; last by rewrite exp0n.
  by rewrite expn0 ltnS leqn0 expn_eq0.
have [md' [same [B0 [F1 [B1 [F2 [B2 [Ew [nB0 nB1 nB2] [hb1 hb2] [h0 h1 h2]]]]]]]]] := two_full_word hb hl hF; rewrite l0 in h0; rewrite l1 in h1.
have sol' := solves_same same sol.
have st : \prod_(l <- B0 ++ F1 :: B1) states l <= 1 by rewrite big_cat; apply: (leq_mul h0 h1).
apply: (A3_free_exact m0 n10 hTh fit nB0 nB1 nB2 Ew st hb1 hb2 h2 N0 Th20 ha _ sol').
by move: hend; rewrite !addnA.
Qed.

(** The inequalities in binary numbers, and an instance. *)
Local Notation nn := N.to_nat.
Definition hardA3freeN (beta lam2 m n1 n2 Th1 v Th2 : N) : bool :=
  (N.leb Th1 m && (N.leb (n1 * Th1 * v) (m * n1)
   && (N.ltb (N.pow (N.pred Th2) (n1 * Th1) * N.pow 2 (beta * (n1 * n2))) (N.pow (n1 * Th1 * v) (n1 * Th1))
   && N.ltb (N.pow 2 (beta * (n1 * n2 + m + Th1 + n1 * Th1 * v + N.pred n1 * (m - Th1) + n1 * n2 * Th1) + Th2 * lam2))
            (N.pow (m * n1 * n2) (n2 * Th2)))))%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certA3_free beta lam2 m n1 n2 Th1 v Th2 : hardA3freeN beta lam2 m n1 n2 Th1 v Th2 ->
  forall md : model, message_bits md (nn beta) -> block_bits md (nth 0 [:: 0; 0; nn lam2]) -> number_full md <= 2 ->
  ~ solves (nn m) [:: nn n1; nn n2] md.
Proof.
case/and4P => /toLe h0 /toLe h1 /toLt h2 /toLt h3 md hb hl hF.
apply: (@A3_free _ _ _ _ _ (nn Th1) (nn v) (nn Th2) md hb hl hF) => //.
- by move: h1; rewrite !toM.
- by move: h2; rewrite !(toX, toM, toD, toP).
by move: h3; rewrite !(toX, toM, toD, toP, toB).
Qed.
