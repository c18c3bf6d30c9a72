(** The levels of Theorems A_L and B_L (theory 5.8): what is known at a level, the step to the next one and the end; and the
    copies of table 1, which agree before their last g positions. The bases are in TheoremAL.v and TheoremBL.v. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts Players Copies Boxes DelayedStep.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. The inequalities *)

(** (F) makes all sizes positive. *)
Lemma levels_sizes beta lam s P W e D T Tv B k a p N ns nus cs :
  levels_delayed beta lam s P W e D T Tv B k a p N ns nus cs -> ranges (shapes a p N ns nus).
Proof.
elim: ns nus cs e D T Tv B k a p N => [|n ns IH] [|v nus] // cs e D T Tv B k a p N /=.
  rewrite andbT lt0n => /andP[_ hF]; apply/eqP => N0; move: hF; rewrite N0; case: (posnP k) => [->|h]; last by rewrite exp0n.
  by rewrite expn0 ltnS leqn0 expn_eq0.
case: cs => [|[x th] cs] // /and4P[_ _ _ /IH h]; rewrite h andbT.
by move: h; case: (ns) => [|? ?] /=; case: (nus) => [|? ?] /= /andP[]; rewrite muln_gt0 => /andP[].
Qed.
(** They also need entries that are asked. *)
Lemma levels_asked beta lam s P W e D T Tv B k a p N ns nus cs :
  levels_delayed beta lam s P W e D T Tv B k a p N ns nus cs -> 0 < k.
Proof.
rewrite lt0n => hlev; apply/eqP => k0; move: hlev; rewrite k0.
case: ns nus cs => [|n ns] [|v nus] [|[x th] cs] //=; rewrite ?expn0 ?ltnS ?leqn0 ?expn_eq0 ?andbF //.
case/and4P => _ hth hE _; move: hE; rewrite muln0 !expn0 muln1.
have c0 : 0 < 'C(N, th.-1) by rewrite bin_gt0 (leq_trans (leq_pred _)).
by rewrite leqNgt => /negP; apply; rewrite addn1 expnS mulnCA leq_pmulr // muln_gt0 c0 expn_gt0.
Qed.
(** The rows are as many as the sizes, and at most all are used. *)
Lemma levels_rows beta lam s P W e D T Tv B k a p N ns nus cs :
  levels_delayed beta lam s P W e D T Tv B k a p N ns nus cs -> size ns = size nus /\ all2 leq nus ns.
Proof.
elim: ns nus cs e D T Tv B k a p N => [|n ns IH] [|v nus] // [|[x th] cs] // e D T Tv B k a p N /and4P[vn _ _ /IH[E h]].
by rewrite /= E vn.
Qed.

(** * 2. The layers of a word, block by block *)
Section Word.
Variables (X : Type) (ls : seq (layer X)).
(** The layers up to block t+1 are those up to block s and blocks s+1..t+1. *)
Lemma upto_blocks s t : s <= t -> exists2 M, upto t.+1 ls = upto s ls ++ M
  & \prod_(l <- M) states l = \prod_(s.+1 <= i < t.+2) \prod_(l <- block i ls) states l.
Proof.
elim: t => [|t IH]; first by rewrite leqn0 => /eqP ->; exists (block 1 ls); [apply: upto_block | rewrite big_nat1].
rewrite leq_eqVlt => /orP[/eqP ->|]; first by exists (block t.+2 ls); [apply: upto_block | rewrite big_nat1].
rewrite ltnS => st; have [M E pM] := IH st; exists (M ++ block t.+2 ls); first by rewrite upto_block E catA.
by rewrite big_cat /= pM [RHS]big_nat_recr // leqW.
Qed.
(** Block t+1 begins with a Full layer when there are more than t. *)
Lemma next_full t : t < count (@is_full X) ls -> exists F B, block t.+1 ls = F :: B /\ ~~ has (@is_full X) B.
Proof.
move=> lt; have [same|[F [rs [E nr]]]] := upto_split t ls; last by exists F, rs; rewrite /block E drop_size_cat.
exfalso; move: lt; elim: (ls) t same => [|l k IH] t //=; case: (is_full l) => /=; last by move=> [/IH]; rewrite add0n; apply.
by case: t => [|t] // [/IH h]; rewrite add1n ltnS; apply: h.
Qed.
End Word.

(** In A_L s = 0 and PP = Λ_0 + β·W, in B_L s = 1: the boxes have the same states behind every table in blocks 0..s. *)
Section Levels.
Variables (md : model) (m : nat) (ns0 nus0 : seq nat) (beta : nat) (lam : nat -> nat) (s PP : nat).
Notation L k := (upto k (layers md)).
Notation W := (queries nus0).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).

(** * 3. Level ℓ = e + 2 of A_L: X_w^{(ℓ-1)} is a function of (w, a_1..a_{ℓ-1}), X_i^{(ℓ-2)} of (a_i..a_{ℓ-1}) *)
Definition level_delayed (e D T Tv B k a p N : nat) (ns nus : seq nat) : Prop :=
  a <= N /\ exists (b : boxes (shapes a p N ns nus)) (R : {set Players (shapes a p N ns nus)}) (Vt Ls Bd Vw : seq (seq token)) (I : seq nat),
  [/\ [/\ thick PP b, box_states (L s) b, R \subset box b & #|box b| <= #|R| * 2 ^ D],
      [/\ closed Vt, blind (@before _) R (L e) Vt, blind (@before _) R (L e.+1) Vw,
          (forall v, v \in Vt -> exists2 r, r \in Ls & size r = size v /\
             forall t t', t \in R -> t' \in R -> last_act (L e) (before t ++ v) = last_act (L e) (before t' ++ r))
        & {subset Bd <= Vt} /\ forall v, v \in Vw -> exists v' q, v = rcons v' q /\ v' \in Bd],
      [/\ size Vt <= Tv, size Ls <= T, size Bd <= B & size Vw <= W * B]
    & [/\ uniq I, size I = k, forall j, j \in I -> j < a & forall j, j \in I -> asked_rows m ns0 Vw a p N ns nus j]].

(** What player ℓ shows in each draw. *)
Definition shows a p N x (F : {ffun 'I_x -> {ffun 'I_a -> 'I_N}}) : seq (seq token) := [seq shown (s := Shape a N p) (F i) | i <- enum 'I_x].
(** One for each draw. *)
Lemma size_shows a p N x (F : {ffun 'I_x -> {ffun 'I_a -> 'I_N}}) : size (shows p F) = x.
Proof. by rewrite size_map size_enum_ord. Qed.
(** Each is a + p tokens. *)
Lemma mem_shows a p N x (F : {ffun 'I_x -> {ffun 'I_a -> 'I_N}}) f : f \in shows p F -> size f = a + p.
Proof. by case/mapP => i _ ->; apply: (size_shown (s := Shape a N p)). Qed.

(** The asked entries of the next table. *)
Lemma asked_next a p N n v ns nus x th Vw I (F : {ffun 'I_x -> {ffun 'I_a -> 'I_N}}) : a <= N -> v <= n -> th <= #|values (places a I) F| ->
  (forall j, j \in I -> asked_rows m ns0 Vw a p N (n :: ns) (v :: nus) j) ->
  exists I', [/\ uniq I', size I' = v * th, forall j, j \in I' -> j < N * v
    & forall j, j \in I' -> asked_rows m ns0 (lower_of (shows p F) Vw) (N * v) (N - a) (N * n) ns nus j].
Proof.
move=> aN vn hth ask; have distinct := uniq_pairs v (inj_id (A := 'I_N)) (take_uniq th (enum_uniq (mem (values (places a I) F)))).
exists [seq w * N + val c | w <- iota 0 v, c <- take th (enum (values (places a I) F))]; split.
- by case: distinct.
- by case: distinct => _ -> _; rewrite size_takel // -cardE.
- by case: distinct.
move=> j' /allpairsP[[w c] /= [hw hc ->]]; move: hw; rewrite mem_iota /= add0n => hw.
have /bigcupP[b _ /imsetP[i]] : c \in values (places a I) F by rewrite -mem_enum; apply: mem_take hc.
rewrite inE => iI ->.
have [z0 [zl [wd [nl [[h1 h2 h3 h4 h5] ans vw]]]]] := ask _ iI.
have digit : n - v + w < n by rewrite -[X in _ < X](subnK vn) ltn_add2l.
exists z0, (zl ++ [:: table_of (F b)]), (wd ++ [:: n - v + w]), (nl ++ [:: n]); split; first split=> //.
- by rewrite map_cat -catA /= size_table_of.
- by rewrite -catA.
- by apply: all2_cat => //=; rewrite digit.
- by rewrite all_cat h5 /= table_of_ok.
- move=> zr wr s0; rewrite -!catA ans //= size_table_of // nth_table_of; congr answer.
  by rewrite mulnDl mulnBl addnA !(mulnC N).
move=> wr hwr; rewrite prompt_cat /= cats0 -catA.
have hq : n - v + w :: wr \in row_queries (n :: ns) (v :: nus).
  by apply/allpairsP; exists (n - v + w, wr); rewrite mem_iota leq_addr ltn_add2l.
have [u uV ->] := vw _ hq.
exists (shown (s := Shape a N p) (F b) ++ u).
  by apply/allpairsP; exists (shown (s := Shape a N p) (F b), u); split=> //=; apply/mapP; exists b; rewrite ?mem_enum.
by rewrite (catA _ _ u) table_shown -catA.
Qed.

(** * 4. The step *)
Lemma level_delayed_step e D T Tv B k a p N n v ns nus x th : s <= e -> e.+2 <= number_full md ->
  ranges (shapes a p N (n :: ns) (v :: nus)) -> v <= n ->
  th <= N -> 'C(N, th.-1) * th.-1 ^ (x * k) * 2 ^ (x * (PP + D) + 1) <= N ^ (x * k) ->
  level_delayed e D T Tv B k a p N (n :: ns) (v :: nus) ->
  level_delayed e.+1 (1 + x * D + \sum_(s.+1 <= t < e.+2) lam t + x * B * lam e.+2 + beta * (e.+1 * (x * (a + p)) + T + W * B))
    (x * (a + p + Tv)) (x * (a + p + Tv)) (x * B) (v * th) (N * v) (N - a) (N * n) ns nus.
Proof.
move=> se he pos vn hth hE [aN [[b1 Q] [R [Vt [Ls [Bd [Vw [I [[[/= hQ tb] [_ sb] sR dR] [clt vt vw kinds [Bt bodies]] [s1 s2 s3 s4] [uI sI ltI ask]]]]]]]]]].
have /andP[N0 ss0] := pos.
have c0 : 0 < 'C(N, th.-1) by rewrite bin_gt0 (leq_trans (leq_pred _)).
have x0 : 0 < x.
  case: (posnP x) hE => // ->; rewrite !mul0n !expn0 muln1 add0n expn1 => h.
  by move: (leq_trans (leq_mul c0 (leqnn 2)) h).
have [us usB] := box_pick ss0 tb.
have S0 : 0 < #|box b1| by apply/card_gt0P; exists us.
have cJ : #|places a I| = k by rewrite card_places.
have dR' : #|box b1| * #|Q| <= #|R| * 2 ^ D by rewrite -cardsX.
have [||F [S [hF hv sS dS inR]]] := @copies_of (ordinal_finType a) N x (places a I) Q (Players (shapes (N * v) (N - a) (N * n) ns nus)) (box b1) R th PP D S0 N0 hth _ sR dR'.
- by rewrite card_ord.
- by rewrite cJ.
have [F1 [B1 [E1 nB1]]] : exists F B, block e.+1 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full; apply: ltnW.
have [F2 [B2 [E2 nB2]]] : exists F B, block e.+2 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full.
have [M E0 pM] := upto_blocks (layers md) se.
have hM : \prod_(l <- M) states l <= 2 ^ (\sum_(s.+1 <= t < e.+2) lam t).
  by rewrite pM expn_sum; apply: leq_prod => i _; apply: hl.
have h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam e.+2 by rewrite -E2.
have box0 u u' : u \in S -> u' \in S -> same_states (md := md) (before u) (before u') (total (shapes (N * v) (N - a) (N * n) ns nus)) [::] (L s).
  by move=> h h'; apply: (box_same sb); apply: (subsetP sS).
have U1 : L e.+1 = L e ++ F1 :: B1 by rewrite -E1 upto_block.
have U2 : L e.+2 = L e.+1 ++ F2 :: B2 by rewrite -E2 upto_block.
have inR' (u : Players (shapes (N * v) (N - a) (N * n) ns nus)) f : u \in S -> f \in shows p F -> exists2 t : Players (shapes a p N (n :: ns) (v :: nus)), t \in R & before t = before u ++ f.
  by move=> uS /mapP[i _ ->]; exists (u, F i) => //; apply: inR.
have [S2 d2 [sub2 new1 low2]] := delayed_step (@size_before _) (mem_shows (p := p) (F := F)) (size_shows p F) inR' nB1 nB2 U1 U2 E0 box0 clt kinds vw bodies Bt hb hM h2 x0.
have [|I' [k1 k2 k3 k4]] := asked_next (F := F) (th := th) aN vn _ ask.
  by case: hv => // ->.
split; first by rewrite leq_mul2l vn orbT.
exists b1, S2, (new_of (a + p) (shows p F) Vt), (new_of (a + p) (shows p F) Vt), (lower_of (shows p F) Bd), (lower_of (shows p F) Vw), I'; split; first split=> //.
- exact: subset_trans sub2 sS.
- apply: leq_trans dS _; apply: leq_trans (leq_mul d2 (leqnn _)) _.
  rewrite -mulnA -expnD leq_mul2l leq_exp2l // addnC; apply/orP; right.
  rewrite 2!addnA; apply: leq_add; first by rewrite leq_add2l leq_mul2r leq_mul2l s3 !orbT.
  by rewrite leq_mul2l; apply/orP; right; apply: leq_add => //; rewrite leq_add2l.
- split=> //; first by apply: closed_new_of => // f; apply: mem_shows.
    by move=> u uV; exists u => //; split=> // t t' ht ht'; apply: new1.
  split; first by move=> u /allpairsP[[f w] /= [fF wB ->]]; rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, w); split=> //; apply: Bt.
  move=> u /allpairsP[[f w] /= [fF wV ->]]; have [v' [q [-> hv']]] := bodies w wV.
  by exists (f ++ v'), q; rewrite rcons_cat; split=> //; apply/allpairsP; exists (f, v').
- rewrite size_new_of !size_allpairs !size_shows; split; rewrite ?leq_mul2l ?leq_add2l ?s1 ?s3 ?orbT //.
  by rewrite mulnCA leq_mul2l s4 orbT.
by [].
Qed.

(** * 5. The end *)
(** At level L with (F) no model solves the task. *)
Lemma level_delayed_end e D T Tv B k p N : number_full md <= e.+1 -> 2 ^ (PP + D) < N ^ k ->
  level_delayed e D T Tv B k N p N [::] [::] -> ~ solves m ns0 md.
Proof.
move=> hF hD [_ [[b1 Q] [R [Vt [Ls [Bd [Vw [I [[[/= hQ _] _ sR dR] [_ _ vw _ _] _ [uI sI ltI ask]]]]]]]]]] sol.
rewrite (@upto_all _ e.+1) // in vw.
have N0 : 0 < N.
  by case: (posnP N) hD => // ->; case: (k) => [|k']; rewrite ?expn0 ?exp0n // ltnS leqn0 expn_eq0.
pose pair (f : {ffun 'I_N -> 'I_N}) : Players [:: Shape N N p] := (tt, f).
pose Q' : {set {ffun 'I_N -> 'I_N}} := [set f | pair f \in R].
have cQ : #|R| <= #|Q'|.
  rewrite -(card_imset (f := fun u : Players [:: Shape N N p] => u.2)) => [|[[] f] [[] g] /= -> //].
  by apply: subset_leq_card; apply/subsetP => f /imsetP[[[] g] /= gR ->]; rewrite inE.
move: hD; rewrite ltnNge => /negP; apply.
apply: (@agreeing_tables N k (PP + D) Q' (places N I)) => //; last first.
- move=> f g; rewrite !inE => fR gR i; rewrite inE => iI.
  have [z0 [zl [wd [nl [[h1 h2 h3 h4 h5] ans vw']]]]] := ask _ iI.
  have [v vV Ev] : exists2 v, v \in Vw & prompt z0 zl wd = nseq p (Val 0) ++ v by have := vw' [::]; rewrite cats0; apply; rewrite inE.
  have out_at (h : {ffun 'I_N -> 'I_N}) : out (last_act (layers md) (before (pair h) ++ v)) = h i.
    have := sol z0 (zl ++ [:: table_of h]) wd; rewrite /output -/(acts _ _) -/(last_act _ _) prompt_cat /= cats0 Ev catA table_shown subnn /=.
    move=> ->; first by have := ans [:: table_of h] [::] isT; rewrite cats0 => ->; rewrite /= nth_table_of.
    rewrite /valid h1 map_cat /= size_table_of // -h2 eqxx all_cat h5 /= table_of_ok //=.
    by move: h3 h4; rewrite cats0 => ->.
  by apply: val_inj; rewrite /= -(out_at f) -(out_at g); congr out; apply: vw.
- by rewrite card_places ?sI.
apply: leq_trans hQ _; rewrite (addnC PP D) [2 ^ (D + _)]expnD mulnA leq_mul2r; apply/orP; right.
apply: leq_trans (leq_mul cQ (leqnn _)); apply: leq_trans dR.
by rewrite cardsX cardsT card_unit mul1n.
Qed.

(** The inequalities lead from a level to the end. *)
Lemma levels_delayed_sound ns nus cs e D T Tv B k a p N : s <= e -> number_full md = e + size ns + 1 ->
  levels_delayed beta lam s PP W e D T Tv B k a p N ns nus cs -> level_delayed e D T Tv B k a p N ns nus -> ~ solves m ns0 md.
Proof.
elim: ns nus cs e D T Tv B k a p N => [|n ns IH] [|v nus] // cs e D T Tv B k a p N se hF.
  case/andP => /eqP aN hD lev; rewrite -aN in hD lev; subst a.
  by apply: level_delayed_end hD lev; rewrite hF addn0 addn1.
case: cs => [|[x th] cs] // /[dup] h /and4P[vn hth hE hrest] lev.
apply: IH hrest _; [exact: leqW | by rewrite hF /= addSnnS |].
by apply: (level_delayed_step se _ (levels_sizes h) vn hth hE lev); rewrite hF /= addn1 addnS !ltnS leq_addr.
Qed.

End Levels.

(** * 6. Copies of table 1 *)
Section TableOne.
Variables (m g : nat).
Hypothesis gm : g <= m.
Notation table1 := {ffun 'I_g -> 'I_m}.
Definition tok1 (f : table1) : seq token := [seq Val v | v <- table_of f].
(** Table 1 has m tokens. *)
Lemma size_tok1 f : size (tok1 f) = m. Proof. by rewrite size_map size_table_of. Qed.

(** c copies of it, and bodies: a copy and then z_0. *)
Variables (c Th : nat) (T : 'I_c -> table1) (copy : 'I_Th -> 'I_c) (place : 'I_Th -> nat).
Definition body1 (i : 'I_Th) : seq token := tok1 (T (copy i)) ++ [:: Val (place i)].
(** A body has m + 1 tokens. *)
Lemma size_body1 i : size (body1 i) = m.+1. Proof. by rewrite size_cat size_tok1 addn1. Qed.
(** The views of the tokens of table 1: m − g that all copies share, g for each copy; the views of z_0. *)
Definition views1 : seq (seq token) := [seq nseq k.+1 (Val 0) | k <- iota 0 (m - g)] ++
  [seq take (m - g + k.+1) (tok1 (T i)) | i <- enum 'I_c, k <- iota 0 g].
Definition bodies1 : seq (seq token) := [seq body1 i | i <- enum 'I_Th].
(** There are m − g + g·c views of table 1. *)
Lemma size_views1 : size views1 = m - g + g * c.
Proof. by rewrite size_cat size_map size_allpairs !size_iota -cardE card_ord (mulnC g). Qed.
(** The number of bodies. *)
Lemma size_bodies1 : size bodies1 = Th. Proof. by rewrite size_map -cardE card_ord. Qed.
(** All copies begin with zeros. *)
Lemma zeros1 i j : j <= m - g -> take j (tok1 (T i)) = nseq j (Val 0).
Proof.
move=> jg; rewrite /tok1 /table_of /last_entries map_cat map_nseq takel_cat ?size_nseq //.
by rewrite -(subnKC jg) nseqD takel_cat ?size_nseq // take_oversize ?size_nseq.
Qed.
(** What stands before a token of table 1 is a view. *)
Lemma take_views1 i j : 0 < j -> j <= m -> take j (tok1 (T i)) \in views1.
Proof.
move=> j0 jm; rewrite mem_cat; case: (leqP j (m - g)) => jg.
  by rewrite zeros1 //; apply/orP; left; apply/mapP; exists j.-1; rewrite ?prednK // mem_iota add0n prednK.
apply/orP; right; apply/allpairsP; exists (i, (j - (m - g)).-1).
have lt : 0 < j - (m - g) by rewrite subn_gt0.
by split=> /=; rewrite ?mem_enum ?mem_iota ?add0n ?prednK // ?leq_subLR ?subnK // subnKC // ltnW.
Qed.
(** ... and every view is that of a token of table 1. *)
Lemma views1P v : 0 < c -> v \in views1 -> exists i j, [/\ 0 < j, j <= m & v = take j (tok1 (T i))].
Proof.
move=> c0; rewrite mem_cat => /orP[/mapP[k hk ->]|/allpairsP[[i k] /= [_ hk ->]]]; move: hk; rewrite mem_iota add0n /= => hk.
  by exists (Ordinal c0), k.+1; split=> //; [apply: leq_trans hk (leq_subr _ _) | rewrite zeros1].
by exists i, (m - g + k.+1); split=> //; [rewrite addnS | rewrite -leq_subRL ?leq_subr // subKn].
Qed.
(** Views of tokens and of z_0 are closed. *)
Lemma closed_views1 : 0 < c -> closed (views1 ++ bodies1).
Proof.
move=> c0 v; rewrite mem_cat => /orP[/(views1P c0)[i [j [j0 jm ->]]]|/mapP[i _ ->]].
  rewrite size_takel ?size_tok1 //; split=> // k k0 kj; rewrite take_take // mem_cat take_views1 //; exact: leq_trans jm.
rewrite size_body1; split=> // k k0; rewrite leq_eqVlt => /orP[/eqP ->|].
  by rewrite take_oversize ?size_body1 // mem_cat map_f ?mem_enum // orbT.
by rewrite ltnS => km; rewrite takel_cat ?size_tok1 // mem_cat take_views1.
Qed.

(** * 7. Level 2: the views of w are a body and a query, and it asks the values of the copies at z_0 *)
Variables (md : model) (s PP n1 v1 : nat) (ns nus : seq nat).
Notation L k := (upto k (layers md)).
Notation queried := (row_queries (n1 :: ns) (v1 :: nus)).
Definition w_views1 : seq (seq token) := [seq rcons bd (Query w) | bd <- bodies1, w <- queried].
(** What has to be known at level 2. *)
Lemma level_delayed_first (iv : 'I_Th -> 'I_m) (b : boxes (shapes (m * v1) 0 (m * n1) ns nus)) (R : {set Players _}) D e t Ls :
  0 < c -> v1 <= n1 -> size ns = size nus -> injective iv ->
  (forall i, place i < m /\ nth 0 (table_of (T (copy i))) (place i) = iv i) ->
  [/\ thick PP b, box_states (L s) b, R \subset box b & #|box b| <= #|R| * 2 ^ D] ->
  blind (@before _) R (L e) (views1 ++ bodies1) -> blind (@before _) R (L e.+1) w_views1 ->
  (forall v, v \in views1 ++ bodies1 -> exists2 r, r \in Ls & size r = size v /\
     forall u u', u \in R -> u' \in R -> last_act (L e) (before u ++ v) = last_act (L e) (before u' ++ r)) -> size Ls <= t ->
  level_delayed md m (n1 :: ns) (v1 :: nus) s PP e D t (Th + (m - g + g * c)) Th (v1 * Th) (m * v1) 0 (m * n1) ns nus.
Proof.
move=> c0 vn rows inj value fixed vt vw kinds sL.
have sizeW : size queried = queries (v1 :: nus) by rewrite size_row_queries //= rows.
have [u1 u2 u3] := uniq_pairs v1 inj (enum_uniq 'I_Th).
split; first by rewrite leq_mul2l vn orbT.
exists b, R, (views1 ++ bodies1), Ls, bodies1, w_views1, [seq w * m + val (iv i) | w <- iota 0 v1, i <- enum 'I_Th]; split=> //.
- split=> //; first exact: closed_views1.
  split; first by move=> v vB; rewrite mem_cat vB orbT.
  by move=> v /allpairsP[[bd w] /= [hB hw ->]]; exists bd, (Query w).
- by rewrite size_cat size_views1 size_allpairs size_bodies1 sizeW (addnC Th) (mulnC Th) !leqnn sL.
split=> //; first by rewrite u2 -cardE card_ord.
move=> j /allpairsP[[w i] /= [hw _ ->]]; move: hw; rewrite mem_iota add0n /= => hw; have [pm val_at] := value i.
have digit : n1 - v1 + w < n1 by rewrite -[X in _ < X](subnK vn) ltn_add2l.
exists (place i), [:: table_of (T (copy i))], [:: n1 - v1 + w], [:: n1]; split.
- by split; rewrite /= ?table_of_ok ?size_table_of ?digit.
- by move=> zr wr _; rewrite /= size_table_of // val_at mulnDl mulnBl addnA !(mulnC m).
move=> wr hwr; exists (body1 i ++ [:: Query (n1 - v1 + w :: wr)]); last by rewrite /prompt /= cats0 /body1 -catA.
rewrite cats1; apply/allpairsP; exists (body1 i, n1 - v1 + w :: wr); split=> /=; rewrite ?map_f ?mem_enum //.
by apply/allpairsP; exists (n1 - v1 + w, wr); rewrite mem_iota leq_addr ltn_add2l.
Qed.
End TableOne.
