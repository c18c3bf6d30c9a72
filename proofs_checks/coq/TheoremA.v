(** Theorem A (5.2): L−1 full layers and any recurrent layers. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Digits in range, list by list. *)
Lemma all2_cat (T S : Type) (r : T -> S -> bool) a a' b b' :
  all2 r a b -> all2 r a' b' -> all2 r (a ++ a') (b ++ b').
Proof. by elim: a b => [|x a IH] [|y b] //= /andP[-> /IH H] /H. Qed.

(** There are W queries. *)
Lemma size_all_queries ns : size (all_queries ns) = queries ns.
Proof. by elim: ns => //= n ns IH; rewrite size_allpairs size_iota IH. Qed.
(** Every query with digits in range is one of them. *)
Lemma mem_all_queries ns ws : all2 ltn ws ns -> ws \in all_queries ns.
Proof.
elim: ns ws => [|n ns IH] [|w ws] //= /andP[wn /IH H].
by apply/allpairsP; exists (w, ws); rewrite mem_iota.
Qed.

(** There is at least one choice of the tables above. *)
Lemma card_Tables ss : 0 < #|Tables ss|.
Proof.
elim: ss => [|N ss IH] /=; first by rewrite card_unit.
by rewrite card_prod muln_gt0 IH card_ffun card_ord; case: N => // N; rewrite expn_gt0.
Qed.

Section A.
Variables (md : model) (m : nat) (ns0 : seq nat).
Notation ls := (layers md).

(** Address a of the table of size N is asked by some (z_0, lower tables, digits) whose views are all in Vs. *)
Definition asked (Vs : seq (seq token)) (N : nat) (ns : seq nat) (a : nat) : Prop :=
  exists z0 zl wd nl,
  [/\ [/\ z0 < m, map size zl ++ sizes N ns = sizes m ns0, nl ++ ns = ns0, all2 ltn wd nl
        & all (fun z => all (fun v => v < size z) z) zl],
      forall zr wr, 0 < size zr -> answer z0 (zl ++ zr) (wd ++ wr) = answer a zr wr
    & forall wr, all2 ltn wr ns -> prompt z0 zl (wd ++ wr) \in Vs].

Definition level (e D T k N : nat) (ns : seq nat) : Prop :=
  exists (Q : {set Tables (sizes N ns)}) (Vs : seq (seq token)) (I : seq nat),
  [/\ #|Tables (sizes N ns)| <= #|Q| * 2 ^ D, size Vs <= T, closed Vs, indistinguishable Q (upto e ls) Vs
    & [/\ uniq I, size I = k, forall a, a \in I -> a < N & forall a, a \in I -> asked Vs N ns a]].

(** *** The end: level L *)
Lemma table_values_ok N (f : {ffun 'I_N -> 'I_N}) : all (fun v => v < size (table_values f)) (table_values f).
Proof. by apply/allP => v /mapP[i _ ->]; rewrite size_table_values ltn_ord. Qed.

Definition places N (I : seq nat) : {set 'I_N} := [set i : 'I_N | val i \in I].
(** Places without repetition are counted by their list. *)
Lemma card_places N I : uniq I -> (forall a, a \in I -> a < N) -> #|places N I| = size I.
Proof.
move=> uI lt; rewrite cardE -(size_map val); apply: perm_size; apply: uniq_perm => //.
  by rewrite map_inj_uniq ?enum_uniq //; apply: val_inj.
move=> a; apply/mapP/idP => [[i]|aI]; first by rewrite mem_enum inE => iI ->.
by exists (Ordinal (lt a aI)); rewrite ?mem_enum ?inE.
Qed.

(** What is asked is answered: for a notion of output o p a, "on the prompt p the output is a", some view asks for
    place i, and the output there is what the table of size N says at i. *)
Lemma asked_output (o : seq token -> nat -> Prop) N Vs (i : 'I_N) :
  (forall z0 zs ws, valid m ns0 z0 zs ws -> o (prompt z0 zs ws) (answer z0 zs ws)) -> asked Vs N [::] i ->
  exists2 v, v \in Vs & forall u : Tables [:: N], o (above u ++ v) (val (u.2 i)).
Proof.
move=> sol [z0 [zl [wd [nl [[h1 h2 h3 h4 h5] ans vw]]]]].
exists (prompt z0 zl wd) => [|u]; first by rewrite -(cats0 wd); apply: vw.
have := sol z0 (zl ++ [:: table_values u.2]) wd.
have -> : prompt z0 (zl ++ [:: table_values u.2]) wd = above u ++ prompt z0 zl wd.
  by rewrite prompt_cat /above; case: (u) => [[] f].
have -> : answer z0 (zl ++ [:: table_values u.2]) wd = val (u.2 i).
  by have := ans [:: table_values u.2] [::] isT; rewrite cats0 => ->; rewrite /= nth_table_values.
apply; rewrite /valid h1 map_cat /= size_table_values -h2 /= eqxx all_cat h5 /= table_values_ok /=.
by move: h3 h4; rewrite cats0 => ->.
Qed.
(** Tables that agree on the places I number at most N^(N-|I|). *)
Lemma card_agreeing N (Q : {set Tables [:: N]}) (q0 : Tables [:: N]) I : uniq I -> (forall a, a \in I -> a < N) ->
  (forall q (i : 'I_N), q \in Q -> val i \in I -> q.2 i = q0.2 i) -> #|Q| <= N ^ (N - size I).
Proof.
move=> uI ltI agree; pose S := [set f : {ffun 'I_N -> 'I_N} | [forall i in places N I, f i == q0.2 i]].
have cS : #|S| <= N ^ (N - size I).
  have := @card_into N (places N I) (fun i => [set q0.2 i]) 1 (fun i => cards1 _).
  rewrite card_places // exp1n mul1n => <-; apply: eq_leq; apply: eq_card => f.
  by rewrite !inE; apply/forall_inP/forall_inP => H i /H; rewrite inE.
apply: leq_trans cS; rewrite -(@card_in_imset _ _ (fun q : Tables [:: N] => q.2) Q); last first.
  by case=> [[] f] [[] g] _ _ /= ->.
apply: subset_leq_card; apply/subsetP => f /imsetP[q qQ ->]; rewrite inE.
by apply/forall_inP => i; rewrite inE => iI; rewrite agree.
Qed.

(** 5.2, step 3, for any notion of output: by (F) 𝒬 has two tables that differ at an asked place. *)
Lemma end_for_any_output (o : seq token -> nat -> Prop) D k N (Q : {set Tables [:: N]}) Vs (I : seq nat) :
  2 ^ D < N ^ k -> #|Tables [:: N]| <= #|Q| * 2 ^ D ->
  (forall v u u' a b, v \in Vs -> u \in Q -> u' \in Q -> o (above u ++ v) a -> o (above u' ++ v) b -> a = b) ->
  uniq I -> size I = k -> (forall a, a \in I -> a < N) -> (forall a, a \in I -> asked Vs N [::] a) ->
  ~ (forall z0 zs ws, valid m ns0 z0 zs ws -> o (prompt z0 zs ws) (answer z0 zs ws)).
Proof.
move=> hD dens inv uI sI ltI ask sol.
have cU : #|Tables [:: N]| = N ^ N by rewrite /= card_prod card_unit mul1n card_ffun card_ord.
have kN : k <= N by rewrite -sI -(size_iota 0 N); apply: uniq_leq_size => // a /ltI; rewrite mem_iota.
case: (posnP N) => [N0|N0].
  have k0 : k = 0 by apply/eqP; rewrite -leqn0 -N0.
  by move: hD; rewrite k0 expn0 ltnS leqn0 expn_eq0.
have Q0 : 0 < #|Q|.
  have : 0 < #|Q| * 2 ^ D by apply: leq_trans dens; rewrite cU expn_gt0 N0.
  by rewrite muln_gt0 => /andP[].
have [q0 q0Q] := card_gt0P Q0.
have le : #|Q| <= N ^ (N - k).
  rewrite -sI; apply: (@card_agreeing N Q q0 I uI ltI) => q i qQ iI.
  by have [v vV out_v] := asked_output sol (ask _ iI); apply: val_inj; apply: inv vV qQ q0Q (out_v q) (out_v q0).
have : N ^ N <= N ^ (N - k) * 2 ^ D.
  by rewrite -cU; apply: leq_trans dens _; rewrite leq_mul2r le orbT.
have -> : N ^ N = N ^ (N - k) * N ^ k by rewrite -expnD subnK.
by rewrite leq_mul2l expn_eq0 eqn0Ngt N0 /= leqNgt hD.
Qed.

(** 5.2, step 3, for the answer read at the last token. *)
Lemma end_for_output D k N (Q : {set Tables [:: N]}) Vs (I : seq nat) : 2 ^ D < N ^ k ->
  #|Tables [:: N]| <= #|Q| * 2 ^ D -> indistinguishable Q ls Vs -> uniq I -> size I = k ->
  (forall a, a \in I -> a < N) -> (forall a, a \in I -> asked Vs N [::] a) -> ~ solves m ns0 md.
Proof.
move=> hD dens inv; apply: (@end_for_any_output (fun p a => output md p = a)) hD dens _.
move=> v u u' a b vV uQ uQ' <- <-; rewrite /output -/(acts _ _) -/(acts _ _) -/(last_act _ _) -/(last_act _ _).
by congr out; apply: inv.
Qed.

(** At level L with (F) no model solves the task. *)
Lemma level_end e D T k N : number_full md <= e -> 2 ^ D < N ^ k -> level e D T k N [::] -> ~ solves m ns0 md.
Proof.
move=> hF hD [Q [Vs [I [dens _ cl inv [uI sI ltI ask]]]]].
by rewrite (upto_all hF) in inv; apply: end_for_output hD dens inv uI sI ltI ask.
Qed.

(** *** The step *)
Lemma level_of_fixed e D D' D2 T N n ns x th (Q : {set Tables (sizes N (n :: ns))}) Vs I
    (F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}) (Q2 : {set Tables (sizes (N * n) ns)}) :
  size Vs <= T -> closed Vs ->
  (forall a, a \in I -> a < N) -> (forall a, a \in I -> asked Vs N (n :: ns) a) ->
  #|Tables (sizes (N * n) ns)| <= #|@extensions (Tables (sizes (N * n) ns)) _ Q x F| * 2 ^ D' ->
  th <= #|image (places N I) F| ->
  indistinguishable Q2 (upto e ls) (new_views F Vs) -> #|@extensions (Tables (sizes (N * n) ns)) _ Q x F| <= #|Q2| *
    2 ^ D2 ->
  D' + D2 <= D ->
  level e D (x * (N + T)) (n * th) (N * n) ns.
Proof.
move=> sV cl ltI ask dens hth inv2 le2 hD.
exists Q2, (new_views F Vs), [seq w * N + val c | w <- iota 0 n, c <- take th (enum (image (places N I) F))].
split=> //.
- apply: leq_trans dens _; apply: leq_trans (leq_mul le2 (leqnn _)) _.
  by rewrite -mulnA -expnD leq_mul2l leq_exp2l // addnC hD orbT.
- by rewrite size_new_views leq_mul2l leq_add2l sV orbT.
- exact: closed_new_views.
have [u1 u2 u3] := uniq_pairs n (inj_id (A := 'I_N)) (take_uniq th (enum_uniq (mem (image (places N I) F)))).
split=> //; first by rewrite u2 size_takel // -cardE.
move=> a' /allpairsP[[w c] /= [hw hc ->]]; move: hw; rewrite mem_iota /= add0n => hw.
have /bigcupP[a _ /imsetP[i]] : c \in image (places N I) F by rewrite -mem_enum; apply: mem_take hc.
rewrite inE => iI ->.
have [z0 [zl [wd [nl [[h1 h2 h3 h4 h5] ans vw]]]]] := ask _ iI.
exists z0, (zl ++ [:: table_values (F a)]), (wd ++ [:: w]), (nl ++ [:: n]); split; first split=> //.
- by rewrite map_cat -catA /= size_table_values.
- by rewrite -catA.
- by apply: all2_cat => //=; rewrite hw.
- by rewrite all_cat h5 /= table_values_ok.
- by move=> zr wr s0; rewrite -!catA ans //= size_table_values nth_table_values.
move=> wr hwr; rewrite prompt_cat /= cats0 -catA mem_cat; apply/orP; right.
apply/allpairsP; exists ([seq Val v | v <- table_values (F a)], prompt z0 zl (wd ++ w :: wr)); split=> //=.
  by apply/mapP; exists a; rewrite ?mem_enum.
by apply: vw; rewrite /= hw.
Qed.

(** The step for tables already drawn: fixing, then the new addresses. *)
Lemma level_of_drawn beta lam e D D' T k N n ns x th (Q : {set Tables (sizes N (n :: ns))}) Vs I
    (F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}) :
  all (fun l => sums l <= 2 ^ beta) ls -> \prod_(l <- upto e.+1 ls) states l <= 2 ^ lam ->
  size Vs <= T -> closed Vs -> indistinguishable Q (upto e ls) Vs ->
  (forall a, a \in I -> a < N) -> (forall a, a \in I -> asked Vs N (n :: ns) a) ->
  #|Tables (sizes (N * n) ns)| <= #|@extensions (Tables (sizes (N * n) ns)) _ Q x F| * 2 ^ D' ->
  th <= #|image (places N I) F| ->
  D' + lam + beta * (e.+1 * (x * N) + T) <= D -> x * (N + T) = k ->
  level e.+1 D k (n * th) (N * n) ns.
Proof.
move=> hb hl sV cl inv ltI ask dens hth hD <-.
have [Q2 inv2 le2] := fixing_step F hb hl cl inv.
apply: (level_of_fixed sV cl ltI ask dens hth inv2 le2).
by apply: leq_trans hD; rewrite addnA leq_add2l leq_mul2l leq_add2l sV orbT.
Qed.

(** Averaging and cover: x tables with many common extensions in Q and th values on I. *)
Lemma averaging_and_cover D k N n ns x th (Q : {set Tables (sizes N (n :: ns))}) I :
  th <= N -> 2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k) ->
  #|Tables (sizes N (n :: ns))| <= #|Q| * 2 ^ D -> uniq I -> size I = k -> (forall a, a \in I -> a < N) ->
  exists2 F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}, th <= #|image (places N I) F|
    & #|Tables (sizes (N * n) ns)| <= #|@extensions (Tables (sizes (N * n) ns)) _ Q x F| * 2 ^ (1 + x * D).
Proof.
move=> hth hE dens uI sI ltI.
have cI : #|places N I| = k by rewrite card_places.
have kN : k <= N by rewrite -cI -[X in _ <= X]card_ord max_card.
have cA : #|{ffun 'I_N -> 'I_N}| = N ^ N by rewrite card_ffun card_ord.
have A0 : 0 < #|{ffun 'I_N -> 'I_N}| by rewrite cA; case: (N) => // N'; rewrite expn_gt0.
have [||//|//|F good le] := @averaging (Tables (sizes (N * n) ns)) _ Q x D [pred F | #|image (places N I) F| <= th.-1].
- by rewrite -card_prod.
- have := @cover N x (places N I) th.-1 (leq_trans (leq_pred _) hth); rewrite cI => cov.
  apply: leq_trans (leq_mul (leqnn _) cov) _.
  have -> : #|{ffun 'I_N -> 'I_N}| ^ x = N ^ (x * k) * (N ^ (N - k)) ^ x.
    by rewrite cA -!expnM -expnD (mulnC x) -mulnDl addnC subnK.
  rewrite expnMn -expnM (mulnC k) !mulnA leq_mul2r; apply/orP; right.
  by rewrite -mulnA.
- exact: card_Tables.
by exists F => //; move: good; rewrite /= -ltnNge; case: (th).
Qed.

(** 5.2, step 2: level ℓ and (E_ℓ) give level ℓ+1. *)
Lemma level_step beta lam e D T k N n ns x th :
  all (fun l => sums l <= 2 ^ beta) ls -> \prod_(l <- upto e.+1 ls) states l <= 2 ^ lam ->
  th <= N -> 2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k) ->
  level e D T k N (n :: ns) ->
  level e.+1 (x * D + 1 + lam + beta * (e.+1 * x * N + T)) (x * (N + T)) (n * th) (N * n) ns.
Proof.
move=> hb hl hth hE [Q [Vs [I [dens sV cl inv [uI sI ltI ask]]]]].
have [F good le] := averaging_and_cover hth hE dens uI sI ltI.
apply: (level_of_drawn (F := F) hb hl sV cl inv ltI ask le good) => //.
by rewrite (addnC 1) -(mulnA e.+1).
Qed.

(** *** The base: x0 values of z_0 *)
Lemma upto0 : ~~ has (@is_full _) (upto 0 ls).
Proof. by rewrite has_count -leqNgt count_upto. Qed.

(** 5.2, step 1: x_0 values z_0, and the most common state of block 0 (Λ_0 bits). *)
Lemma level_base x0 lam : x0 <= m -> \prod_(l <- upto 0 ls) states l <= 2 ^ lam ->
  exists (Q : {set Tables (sizes m ns0)}) (Vs : seq (seq token)),
  [/\ #|Tables (sizes m ns0)| <= #|Q| * 2 ^ lam, size Vs <= (queries ns0).+1 * x0, closed Vs, indistinguishable Q
    (upto 0 ls) Vs
    & forall a, a \in iota 0 x0 -> asked Vs m ns0 a].
Proof.
move=> x0m hl.
have [Q [_ cs] le] := fixing (state_questions (sizes m ns0) [::] (upto 0 ls)) [set: Tables (sizes m ns0)].
pose Vs := [seq [:: Val z] | z <- iota 0 x0] ++ [seq [:: Val z; Query w] | z <- iota 0 x0, w <- all_queries ns0].
have cl : closed Vs.
  move=> v; rewrite mem_cat => /orP[/mapP[z hz ->]|/allpairsP[[z w] /= [hz hw ->]]]; split=> //.
    by case=> [|[|]] //= _ _; rewrite mem_cat map_f.
  case=> [|[|[|]]] //= _ _; rewrite mem_cat; first by rewrite map_f.
  by apply/orP; right; apply/allpairsP; exists (z, w).
exists Q, Vs; split=> //.
- by rewrite cardsT in le; apply: leq_trans le _; rewrite leq_mul2l prod_ask_states hl orbT.
- by rewrite size_cat size_map size_allpairs size_iota size_all_queries mulSn mulnC.
- by apply: (@recs_step _ _ _ _ _ (@size_above _) [::]) => //; [apply: (blind_nil _ (@size_above _)) | apply: upto0].
move=> a; rewrite mem_iota add0n /= => ha.
exists a, [::], [::], [::]; split=> //; first by split=> //; apply: leq_trans ha x0m.
move=> wr /mem_all_queries hw; rewrite mem_cat; apply/orP; right.
by apply/allpairsP; exists (a, wr); rewrite mem_iota.
Qed.

(** 5.2: the inequalities lead from a level to the end. *)
Lemma levels_sound beta Lam ns cs e D T k N :
  message_bits md beta -> state_bits md Lam -> number_full md <= e + size ns ->
  levels beta Lam e.+1 D T k N ns cs -> level e D T k N ns -> ~ solves m ns0 md.
Proof.
move=> hb hl; elim: ns cs e D T k N => [|n ns IH] cs e D T k N hF /=.
  by rewrite addn0 in hF; move=> hD; apply: level_end.
case: cs => [|[x th] cs] // /andP[/andP[hth hE] hrest] lev.
apply: IH hrest _; first by rewrite addSnnS.
exact: (level_step hb (hl e.+1) hth hE lev).
Qed.
End A.

(** Theorem A. *)
Theorem theoremA beta Lam m ns x0 cs (md : model) :
  message_bits md beta -> state_bits md Lam -> number_full md <= size ns ->
  hardA beta Lam m ns x0 cs -> ~ solves m ns md.
Proof.
move=> hb hl hF /andP[hx hlev].
apply: (@levels_sound md m ns beta Lam ns cs 0 _ _ _ _ hb hl hF hlev).
have [Q [Vs [h1 h2 h3 h4 h5]]] := @level_base md m ns x0 _ hx (hl 0).
exists Q, Vs, (iota 0 x0); split=> //; split; rewrite ?iota_uniq ?size_iota // => a.
by rewrite mem_iota add0n /= => ha; apply: leq_trans ha hx.
Qed.

(** Theorem A with Λ_0 = 0: nothing is fixed at level 1, and x_1 shifts of x_0 values reach min(x_0·x_1, m). *)
Theorem theoremA_free beta Lam m ns x0 x1 cs (md : model) :
  message_bits md beta -> state_bits md Lam -> number_full md <= size ns ->
  hardA_free beta Lam m ns x0 x1 cs -> ~ solves m ns md.
Proof.
case: ns => [|n1 ns] // hb hl hF /and5P[x00 hx x10 /eqP L0 hlev].
apply: (@levels_sound md m (n1 :: ns) beta Lam ns cs 1 _ _ _ _ hb hl hF hlev).
have h0 : \prod_(l <- upto 0 (layers md)) states l <= 2 ^ 0 by have := hl 0; rewrite L0.
have [Q [Vs [dens sV cl inv ask]]] := @level_base md m (n1 :: ns) x0 0 hx h0.
have m0 : 0 < m by apply: leq_trans hx.
have QT q : q \in Q.
  have : Q == [set: Tables (sizes m (n1 :: ns))].
    by rewrite eqEcard subsetT cardsT; move: dens; rewrite expn0 muln1.
  by move/eqP ->; rewrite inE.
pose f (a : nat) (z : 'I_m) : 'I_m := Ordinal (ltn_pmod (a * x0 + z) m0).
pose F : {ffun 'I_x1 -> {ffun 'I_m -> 'I_m}} := [ffun a : 'I_x1 => [ffun z => f a z]].
apply: (@level_of_drawn md m (n1 :: ns) beta (Lam 1) 0 _ 0 ((queries (n1 :: ns)).+1 * x0) _ m n1 ns x1 _ Q Vs (iota 0
  x0) F) => //; try exact: hl.
- by move=> a; rewrite mem_iota add0n /= => ha; apply: leq_trans ha hx.
- rewrite expn0 muln1 (_ : extensions _ _ = setT) ?cardsT //.
  by apply/setP => u; rewrite !inE; apply/forallP => a.
- have := @card_places m (iota 0 (minn (x0 * x1) m)) (iota_uniq _ _); rewrite size_iota => <-; last first.
    by move=> a; rewrite mem_iota add0n leq_min /= => /andP[].
  apply: subset_leq_card; apply/subsetP => c; rewrite inE mem_iota add0n leq_min /= => /andP[hc _].
  have ha : c %/ x0 < x1 by rewrite ltn_divLR // mulnC.
  have hz : c %% x0 < m by apply: leq_trans hx; rewrite ltn_mod.
  apply/bigcupP; exists (Ordinal ha) => //; apply/imsetP; exists (Ordinal hz).
    by rewrite inE mem_iota add0n /= ltn_mod.
  by rewrite !ffunE; apply: val_inj; rewrite /= -divn_eq modn_small.
by rewrite add0n mul1n.
Qed.
