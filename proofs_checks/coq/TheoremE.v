(** Theorem E for every number of tables (theory 5.7, with the delayed charges of 5.8): L−1 full layers and any recurrent layers, or L
    full layers and no recurrent layer before the second of them. The laws are those of AverageLaw.v; what is blind is as in A_L. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TheoremB TwoPrompts TheoremCPrime Cube
  NestedBound Deficit Posterior Repeats Splits DelayedStep DelayedLevels TheoremA2Average TheoremETwo AverageLaw AverageStep AverageEnd.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. The base: the hidden tables in 2^c classes *)
Lemma base_law (x0 : nat) (start : 'I_x0 -> nat) (b m c : nat) (ns : seq nat) (good : blindness m ns) :
  (forall i, start i < m) -> injective start ->
  splits [set: Tables (sizes m ns)] c (fun S => good [finType of 'I_x0] S (fun i => (start i, [::], [::]))) ->
  law start b c x0 0 1 [::] [::] good.
Proof.
move=> lt inj [code codeP]; pose q := told_too (fun (_ : Tables (sizes m ns)) (_ : unit) => 1) (fun u _ => code u).
have all_one : total (fun (_ : Tables (sizes m ns)) (_ : unit) => 1) = #|Tables (sizes m ns)|.
  rewrite /total -[RHS]sum1_card; apply: eq_bigr => u _; by rewrite sum1_card card_unit.
exists [finType of unit * 'I_(2 ^ c)], [finType of 'I_x0], q, start, (fun=> [::]), (fun _ _ => [::]),
  (fun _ i => Ordinal (lt i)), (fun=> setT); split; first split=> //.
- by rewrite total_told_too all_one card_Tables.
- have := @deficit_told_too _ _ [finType of 'I_(2 ^ c)] _ (fun u _ => code u) 0 c _ (deficit_uniform _); rewrite add0n; apply; by rewrite card_ord.
- by rewrite card_ord.
- split=> [//|v i i' _ _ [E]|]; first exact: inj.
  by rewrite /seldom_repeated big1 ?muln0 // => u _; rewrite big1 // => v _; rewrite setCT cards0 muln0.
- split=> [i phi|g]; last first.
    by rewrite mul1n; apply: eq_bigr => i _; rewrite big_seq1.
  rewrite total_told_too all_one muln1 mulnC; congr (_ * _); apply: eq_bigr => u _.
  rewrite (sum_told_too _ _ (fun _ _ => phi u [::])) big_seq1 big_const card_unit /= mul1n addn0 //.
move=> [[] k]; have := codeP k; have -> : [set u in setT | code u == k] = [set u | 0 < q u (tt, k)].
  by apply/setP => u; rewrite !inE /q /told_too /= muln1; case: (_ == k).
by [].
Qed.

(** * 2. What is blind *)
Section Blind.
Variables (md : model) (beta : nat) (lam : nat -> nat) (W : nat).
Notation L k := (upto k (layers md)).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).

(** w through e + 1 full layers, the tokens of tables and of z_0 through e; all prompts along paths are views of w. *)
Definition blind_at (e T Tv B N : nat) (ns : seq nat) : blindness N ns := fun Pa R low =>
  exists Vt Ls Bd Vw : seq (seq token),
  [/\ [/\ closed Vt, blind (md := md) (@above _) R (L e.+1) Vw,
          (forall v, v \in Vt -> exists2 r, r \in Ls & size r = size v /\
             forall t t', t \in R -> t' \in R -> last_act (L e) (above t ++ v) = last_act (L e) (above t' ++ r))
        & {subset Bd <= Vt} /\ forall v, v \in Vw -> exists v' q, v = rcons v' q /\ v' \in Bd],
      [/\ size Vt <= Tv, size Ls <= T, size Bd <= B & size Vw <= W * B]
    & forall p wr, all2 ltn wr ns -> prompt (low p).1.1 (low p).1.2 ((low p).2 ++ wr) \in Vw].

(** The state bits of blocks 0, …, t. *)
Lemma states_upto t : \prod_(l <- L t) states l <= 2 ^ \sum_(i < t.+1) lam i.
Proof.
rewrite -(big_mkord xpredT lam); case: t => [|t]; first by rewrite big_nat1; apply: (hl 0).
have [M -> pM] := upto_blocks (layers md) (leq0n t); rewrite big_cat /= pM (big_ltn (ltn0Sn _)) expnD.
apply: leq_mul; first exact: (hl 0).
by rewrite expn_sum; apply: leq_prod => i _; apply: hl.
Qed.
(** The prompts of the new paths. *)
Lemma next_prompts N n ns (Pa : finType) (low : Pa -> path_input) (Vw : seq (seq token)) x (F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}) :
  (forall p wr, all2 ltn wr (n :: ns) -> prompt (low p).1.1 (low p).1.2 ((low p).2 ++ wr) \in Vw) ->
  forall (p : Pa * 'I_x * 'I_n) wr, all2 ltn wr ns ->
  prompt (low p.1.1).1.1 (rcons (low p.1.1).1.2 (table_values (F p.1.2))) (rcons (low p.1.1).2 p.2 ++ wr) \in lower_views F Vw.
Proof.
move=> vw [[p a] i] wr hwr /=; rewrite -cats1 prompt_cat /= cats0 cat_rcons.
apply/allpairsP; exists (vals (F a), prompt (low p).1.1 (low p).1.2 ((low p).2 ++ val i :: wr)); split=> //=.
  by apply/mapP; exists a; rewrite ?mem_enum.
by apply: vw; rewrite /= ltn_ord.
Qed.
(** The step of A_L, for all classes. *)
Lemma blind_step e T Tv B N n ns x (Pa : finType) (R : {set Tables (sizes N (n :: ns))}) (low : Pa -> path_input)
    (F : {ffun 'I_x.+1 -> {ffun 'I_N -> 'I_N}}) : e.+2 <= number_full md ->
  blind_at e T Tv B R low ->
  splits (@extensions (Tables (sizes (N * n) ns)) [finType of {ffun 'I_N -> 'I_N}] R x.+1 F)
    (\sum_(i < e.+2) lam i + x.+1 * B * lam e.+2 + beta * (e.+1 * (x.+1 * N) + T + W * B))
    (fun S2 => @blind_at e.+1 (x.+1 * (N + Tv)) (x.+1 * (N + Tv)) (x.+1 * B) (N * n) ns [finType of Pa * 'I_x.+1 * 'I_n] S2
       (fun p => ((low p.1.1).1.1, rcons (low p.1.1).1.2 (table_values (F p.1.2)), rcons (low p.1.1).2 p.2))).
Proof.
move=> he [Vt [Ls [Bd [Vw [[clt vw kinds [Bt bodies]] [s1 s2 s3 s4] vp]]]]].
have [F1 [B1 [E1 nB1]]] : exists F B, block e.+1 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full; apply: ltnW.
have [F2 [B2 [E2 nB2]]] : exists F B, block e.+2 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full.
have U1 : L e.+1 = L e ++ F1 :: B1 by rewrite -E1 upto_block.
have U2 : L e.+2 = L e.+1 ++ F2 :: B2 by rewrite -E2 upto_block.
have h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam e.+2 by rewrite -E2.
set c := (X in splits _ X _).
set S := extensions _ _.
have inR (u : Tables (sizes (N * n) ns)) a : u \in S -> ((u, F a) : Tables (N :: sizes (N * n) ns)) \in R by rewrite inE => /forallP.
have inR' (u : Tables (sizes (N * n) ns)) f : u \in S -> f \in drawn F -> exists2 t : Tables (N :: sizes (N * n) ns), t \in R & above t = above u ++ f.
  by move=> uS fF; have [_ [a ->]] := drawnP fF; exists (u, F a); [apply: inR | rewrite above_cons].
have box0 (u u' : Tables (sizes (N * n) ns)) : u \in S -> u' \in S ->
  same_states (md := md) (above u) (above u') (sumn (sizes (N * n) ns)) [::] [::] by [].
have bits : \sum_(i < e.+2) lam i + x.+1 * size Bd * lam e.+2 + beta * (e.+1 * (x.+1 * N) + size Ls + size Vw) <= c.
  apply: leq_add; first by rewrite leq_add2l leq_mul2r leq_mul2l s3 !orbT.
  by rewrite leq_mul2l; apply/orP; right; apply: leq_add => //; rewrite leq_add2l.
have [code codeP] := delayed_split (@size_above _) (fun f h => (drawnP h).1) (size_drawn F) inR' nB1 nB2 U1 U2 (Bm := L e.+1) (B0 := [::]) erefl box0 clt kinds vw bodies Bt hb (states_upto _) h2 (ltn0Sn x) bits.
exists code => k; have [sub new1 low2] := codeP k.
exists (new_views F Vt), (new_views F Vt), (lower_views F Bd), (lower_views F Vw); split; first split=> //.
- exact: closed_new_views.
- by move=> v vV; exists v => //; split=> // t t' ht ht'; apply: new1.
- split; first by move=> v /allpairsP[[f w] /= [fF wB ->]]; rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, w); split=> //; apply: Bt.
  move=> v /allpairsP[[f w] /= [fF wV ->]]; have [v' [q [-> hv']]] := bodies w wV.
  by exists (f ++ v'), q; rewrite rcons_cat; split=> //; apply/allpairsP; exists (f, v').
- rewrite size_new_views !size_allpairs !size_drawn; split; rewrite ?leq_mul2l ?leq_add2l ?s1 ?s3 ?orbT //.
  by rewrite mulnCA leq_mul2l s4 orbT.
by move=> p wr hwr; apply: (next_prompts F vp p hwr).
Qed.
End Blind.
(** * 3. One window of z_0 *)
Section Window.
Variables (md : model) (beta : nat) (lam : nat -> nat) (m : nat) (ns0 : seq nat) (b x0 : nat) (start : 'I_x0 -> nat).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).
Notation W := (queries ns0).
(** At most A/b of the inputs with z_0 in the window are answered rightly. *)
Definition window_ceiling (A : nat) : Prop :=
  b * (\sum_i \sum_(w <- all_queries ns0) \sum_(u : Tables [:: last_size m ns0]) \sum_(zs <- all_tables (lower_sizes m ns0))
    (output md (prompt (start i) (rcons zs (table_values u.2)) w) == answer (start i) (rcons zs (table_values u.2)) w))
  <= A * (x0 * size (all_queries ns0) * (#|Tables [:: last_size m ns0]| * size (all_tables (lower_sizes m ns0)))).

(** What is known of blindness may be weakened. *)
Lemma law_weaken D t A X N ns lo nl (good good' : blindness N ns) : (forall (Pa : finType) S low, good Pa S low -> good' Pa S low) ->
  law start b D t A X lo nl good -> law start b D t A X lo nl good'.
Proof.
move=> h [V [Pa [q [z [wd [zl [ent [fresh [h1 h2 h3 blind]]]]]]]]]; exists V, Pa, q, z, wd, zl, ent, fresh; split=> // v.
exact: h.
Qed.
(** Blind through all layers: the output is known. *)
Lemma blind_end e T Tv B N (Pa : finType) S low : number_full md <= e.+1 -> blind_at (ns := [::]) md W e T Tv B S low ->
  answers_known (output md) (N := N) (Pa := Pa) S low.
Proof.
move=> he [Vt [Ls [Bd [Vw [[_ vw _ _] _ vp]]]]] p u u' uS uS'.
have E (v : Tables [:: N]) : prompt (low p).1.1 (rcons (low p).1.2 (table_values v.2)) (low p).2 = above v ++ prompt (low p).1.1 (low p).1.2 (low p).2.
  by rewrite -cats1 prompt_cat /above; case: (v) => [[] f].
rewrite !E /output -!/(acts _ _) -!/(last_act _ _); congr out.
have := vw _ (vp p [::] isT) u u' uS uS'; by rewrite cats0 (upto_all he).
Qed.

(** The levels, one after the other. *)
Lemma levels_average_sound ns cs last e D T Tv B t A X N lo nl : number_full md = e + size ns + 1 ->
  levels_average b beta lam W e D T Tv B t N ns cs last -> lo ++ sizes N ns = sizes m ns0 -> nl ++ ns = ns0 ->
  law start b D t A X lo nl (@blind_at md W e T Tv B N ns) -> window_ceiling (A + sumn [seq c.2.1 | c <- cs] + last.1).
Proof.
elim: ns cs e D T Tv B t A X N lo nl => [|n ns IH] cs e D T Tv B t A X N lo nl hF /=.
  move=> /andP[N1 share]; rewrite lower_sizesE cats1 cats0 => /rcons_inj[Elo EN] Enl hlaw.
  have he : number_full md <= e.+1 by rewrite hF addn0 addn1.
  have := law_end N1 share (law_weaken (fun Pa S low => @blind_end e T Tv B N Pa S low he) hlaw).
  rewrite /window_ceiling -EN -Elo -Enl => le; apply: leq_trans le _; rewrite leq_mul2r; apply/orP; right.
  by rewrite addnAC leq_addr.
case: cs => [|[x [a K]] cs] // /and3P[]; case: x => // x _ few rest Elo Enl hlaw; rewrite /= !addnA.
apply: (IH cs e.+1 _ _ _ _ _ _ (X * x.+1) _ (rcons lo N) (rcons nl n) _ rest).
- by rewrite hF /= addSnnS.
- by rewrite cat_rcons.
- by rewrite cat_rcons.
apply: (law_step _ (orP few) hlaw) => Pa S low F blind; by apply: (blind_step hb hl F _ blind); rewrite hF /= addn1 addnS !ltnS leq_addr.
Qed.
End Window.

(** * 4. The views of a window *)
Section Views.
Variables (md : model) (x0 : nat) (start : 'I_x0 -> nat) (ns0 : seq nat).
Definition z_views : seq (seq token) := [seq [:: Val (start i)] | i <- enum 'I_x0].
Definition w_views : seq (seq token) := [seq [:: Val (start i); Query w] | i <- enum 'I_x0, w <- all_queries ns0].
(** Their numbers. *)
Lemma size_z_views : size z_views = x0. Proof. by rewrite size_map size_enum_ord. Qed.
(** W for each z_0. *)
Lemma size_w_views : size w_views = queries ns0 * x0.
Proof. by rewrite size_allpairs size_enum_ord size_all_queries mulnC. Qed.
(** The views of z_0's token are closed, also with those of w. *)
Lemma closed_z_views : closed z_views.
Proof. by move=> _ /mapP[i hi ->]; split=> //; case=> [|[|]] //= _ _; rewrite map_f. Qed.
(** ... and with the views of w. *)
Lemma closed_views : closed (z_views ++ w_views).
Proof.
move=> v; rewrite mem_cat => /orP[/mapP[i hi ->]|/allpairsP[[i w] /= [hi hw ->]]]; split=> //.
  by case=> [|[|]] //= _ _; rewrite mem_cat map_f.
case=> [|[|[|]]] //= _ _; rewrite mem_cat; first by rewrite map_f.
by apply/orP; right; apply/allpairsP; exists (i, w).
Qed.
(** A view of w is one of z_0 and the query. *)
Lemma w_views_bodies v : v \in w_views -> exists v' q, v = rcons v' q /\ v' \in z_views.
Proof. by case/allpairsP => -[i w] /= [hi _ ->]; exists [:: Val (start i)], (Query w); rewrite map_f. Qed.
(** The prompts of a window. *)
Lemma window_prompts i wr : all2 ltn wr ns0 -> prompt (start i) [::] ([::] ++ wr) \in w_views.
Proof. by move=> /mem_all_queries hw; apply/allpairsP; exists (i, wr); rewrite mem_enum. Qed.
End Views.

(** * 5. As many full layers as tables: w after layer 1 *)
Section BaseB.
Variables (md : model) (beta : nat) (lam1 : nat) (m : nat) (ns0 : seq nat) (x0 : nat) (start : 'I_x0 -> nat) (F1 : layer (act md)).
Hypotheses (eq0 : upto 0 (layers md) = [::]) (eq1 : upto 1 (layers md) = [:: F1]).
Hypotheses (hb1 : sums F1 <= 2 ^ beta) (hl1 : states F1 <= 2 ^ lam1).
(** What each w hears in layer 1 and the state beside it: β·W + λ_1 bits. *)
Lemma blind_base_B : splits [set: Tables (sizes m ns0)] (beta * queries ns0 + lam1) (fun S =>
  @blind_at md (queries ns0) 0 x0 x0 x0 m ns0 [finType of 'I_x0] S (fun i => (start i, [::], [::]))).
Proof.
apply: (@split_by _ _ (heard_by_w m ns0 F1)); first exact: heard_by_w_charge.
move=> Q _ c; exists (z_views start), (z_views start), (z_views start), (w_views start ns0).
rewrite eq0 eq1; split; first split.
- exact: closed_z_views.
- by apply: (w_blind_first c (@closed_views _ _ _)) => v /allpairsP[[i w] /= [_ hw E]]; exists (start i), w.
- move=> v vV; exists v => //; split=> // t t' ht ht'.
  have nil : blind (md := md) (@above (sizes m ns0)) Q [::] (z_views start) by apply: (blind_nil _ (@size_above _)); apply: closed_z_views.
  exact: nil.
- by split=> // v; apply: w_views_bodies.
- by rewrite size_w_views size_z_views !leqnn.
by move=> i wr; apply: window_prompts.
Qed.
End BaseB.

(** * 6. A full layer less than tables: the first step *)
Section FirstStep.
Variables (md : model) (beta : nat) (lam : nat -> nat) (m n1 : nat) (ns : seq nat) (x0 : nat) (start : 'I_x0 -> nat).
Notation L k := (upto k (layers md)).
Notation ns0 := (n1 :: ns).
Notation W := (queries ns0).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam) (hF : 1 <= number_full md).
(** Level 1: w and z_0's token are blind before layer 1. *)
Definition blind_start : blindness m ns0 := fun Pa R low =>
  blind (md := md) (@above _) R (L 0) (z_views start ++ w_views start ns0)
  /\ forall p wr, all2 ltn wr ns0 -> prompt (low p).1.1 (low p).1.2 ((low p).2 ++ wr) \in w_views start ns0.
(** The state of block 0: λ_0 bits. *)
Lemma blind_base_A : splits [set: Tables (sizes m ns0)] (lam 0) (fun S =>
  blind_start (Pa := [finType of 'I_x0]) S (fun i => (start i, [::], [::]))).
Proof.
apply: (@split_by _ _ (ask_states (md := md) (@above (sizes m ns0)) (sumn (sizes m ns0)) [::] (L 0))); first by rewrite prod_ask_states; apply: (hl 0).
move=> Q _ cs; split; last by move=> i wr; apply: window_prompts.
by apply: (@recs_step _ _ _ _ _ (@size_above _) [::]) => //; [apply: closed_views | apply: (blind_nil _ (@size_above _)); apply: closed_views | apply: upto0].
Qed.

(** With the queries of w_1 first heard: β·W if no state stands before layer 1, else β·W·x_0. *)
Definition first_heard : nat := if lam 0 == 0 then W else W * x0.
(** The views of w by what w knows before layer 1. *)
Lemma first_views (R : {set Tables (sizes m ns0)}) : blind (md := md) (@above _) R (L 0) (z_views start ++ w_views start ns0) ->
  exists2 Lw : seq (seq token), size Lw <= first_heard & forall v, v \in w_views start ns0 -> exists2 r, r \in Lw & size r = size v /\
    forall t t', t \in R -> t' \in R -> last_act (L 0) (above t ++ v) = last_act (L 0) (above t' ++ r).
Proof.
move=> blind; rewrite /first_heard; case: eqP => [l0|_].
  exists [seq [:: Val 0; Query w] | w <- all_queries ns0]; first by rewrite size_map size_all_queries.
  move=> v /allpairsP[[i w] /= [_ hw ->]]; exists [:: Val 0; Query w]; first exact: map_f.
  split=> // t t' _ _; rewrite /last_act !size_cat !size_above !addn2 /=; apply: knows_itself; first exact: upto0.
    by have := hl 0; rewrite l0.
  by rewrite !nth_cat !size_above !ltnNge leqnSn /= subSnn.
exists (w_views start ns0); first by rewrite size_w_views.
by move=> v vV; exists v => //; split=> // t t' ht ht'; apply: blind => //; rewrite mem_cat vV orbT.
Qed.

Variable x : nat.
Notation U' := (Tables (sizes (m * n1) ns)).
(** The first step: Λ_0 bits behind the tables above, what w hears in layer 1, and the state of block 1 into w. *)
Lemma first_step (Pa : finType) (R : {set Tables (sizes m ns0)}) (low : Pa -> path_input) (F : {ffun 'I_x.+1 -> {ffun 'I_m -> 'I_m}}) :
  blind_start R low ->
  splits (@extensions U' [finType of {ffun 'I_m -> 'I_m}] R x.+1 F) (lam 0 + beta * first_heard + x.+1 * x0 * lam 1)
    (fun S2 => @blind_at md W 0 (x.+1 * m + x0) (x.+1 * (m + x0)) (x.+1 * x0) (m * n1) ns [finType of Pa * 'I_x.+1 * 'I_n1] S2
       (fun p => ((low p.1.1).1.1, rcons (low p.1.1).1.2 (table_values (F p.1.2)), rcons (low p.1.1).2 p.2))).
Proof.
move=> [inv vp]; have [Lw sLw reps] := first_views inv; set S := extensions _ _; set P := sumn (sizes (m * n1) ns).
have [F1 [B1 [E1 nB1]]] : exists F B, block 1 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full.
have U1 : L 1 = L 0 ++ F1 :: B1 by rewrite -E1 upto_block.
have h1 : \prod_(l <- F1 :: B1) states l <= 2 ^ lam 1 by rewrite -E1.
have hF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite U1 all_cat /= => /and3P[].
have inR (u : U') a : u \in S -> ((u, F a) : Tables (m :: sizes (m * n1) ns)) \in R by rewrite inE => /forallP.
have lowR (u : U') f v : u \in S -> f \in drawn F -> exists2 t : Tables (m :: sizes (m * n1) ns), t \in R & above u ++ (f ++ v) = above t ++ v.
  by move=> uS fF; have [_ [a ->]] := drawnP fF; exists (u, F a); [apply: inR | rewrite above_cons catA].
pose c r := if [pick u in S] is Some u then last_act (md := md) (L 0) (above ((u, F ord0) : Tables (m :: sizes (m * n1) ns)) ++ r)
  else last_act (L 0) r.
have cE (u : U') f v r : u \in S -> f \in drawn F -> (forall t t', t \in R -> t' \in R ->
    last_act (L 0) (above t ++ v) = last_act (L 0) (above t' ++ r)) -> last_act (L 0) (above u ++ (f ++ v)) = c r.
  move=> uS fF h; have [t tR ->] := lowR u f v uS fF; rewrite /c; case: pickP => [u' u'S|/(_ u)]; last by rewrite uS.
  by apply: h => //; apply: inR.
pose lw r : question U' := Ask (fun u => partial_sum F1 (acts (L 0) (above u)) (c r) P (P + (m + size r).-1)).
pose ld b : seq (question U') := states_asked (fun u => above u ++ b) (P + size b) (L 0) (F1 :: B1).
pose Bd := lower_views F (z_views start).
pose qs := ask_states (md := md) (@above (sizes (m * n1) ns)) P [::] (L 0) ++ ([seq lw r | r <- Lw] ++ flatten [seq ld b | b <- Bd]).
have cost : \prod_(q <- qs) #|Ans q| <= 2 ^ (lam 0 + beta * first_heard + x.+1 * x0 * lam 1).
  rewrite -addnA; apply: charge_cat; first by rewrite prod_ask_states; apply: (hl 0).
  apply: charge_cat.
    apply: leq_trans (_ : 2 ^ (beta * size Lw) <= _); first by apply: charge_each => v; rewrite /= card_sum_type.
    by rewrite leq_exp2l // leq_mul2l sLw orbT.
  have -> : x.+1 * x0 = size Bd by rewrite size_allpairs size_drawn size_z_views.
  by apply: charge_lists => b; rewrite states_charge.
apply: (split_by cost) => S2 sub /consts_cat[cM /consts_cat[cw cd]].
have inS u : u \in S2 -> u \in S := fun h => subsetP sub _ h.
have clz : closed (z_views start) := @closed_z_views _ _.
have cln : closed (new_views F (z_views start)) by apply: closed_new_views.
have own0 : blind (md := md) (@above _) S2 (L 0) (own_views F).
  by apply: (@recs_step _ _ _ _ _ (@size_above _) [::]) => //; [apply: closed_own_views | apply: (blind_nil _ (@size_above _)); apply: closed_own_views | apply: upto0].
have zE (u : U') f v : u \in S -> f \in drawn F -> v \in z_views start -> last_act (L 0) (above u ++ (f ++ v)) = c v.
  by move=> uS fF vV; apply: cE => // t t' ht ht'; apply: inv => //; rewrite mem_cat vV.
have new0 : blind (md := md) (@above _) S2 (L 0) (new_views F (z_views start)).
  apply/blind_cat; split=> // v /allpairsP[[f w] /= [fF wV ->]] u u' h h'.
  by rewrite !zE //; apply: inS.
pose f0 : seq token := [seq Val v | v <- table_values (F ord0)].
have f0F : f0 \in drawn F by apply/mapP; exists ord0; rewrite ?mem_enum.
exists (new_views F (z_views start)), (own_views F ++ [seq f0 ++ v | v <- z_views start]), Bd, (lower_views F (w_views start ns0)); split; first split=> //.
- move=> v /allpairsP[[f w] /= [fF wV ->]] u u' h h'.
  have [b [q [Ew bB]]] := w_views_bodies wV; have [sf _] := drawnP fF; have [r rL [sr hr]] := reps w wV.
  have bV : f ++ b \in new_views F (z_views start) by rewrite mem_cat; apply/orP; right; apply/allpairsP; exists (f, b).
  have Ef : f ++ w = rcons (f ++ b) q by rewrite Ew rcons_cat.
  rewrite U1 Ef; apply: (known_behind (@size_above _) nB1 cln new0 bV h h' (c0 := c r)).
  + by move=> t tS; rewrite -Ef; apply: cE => //; apply: inS.
  + by apply: (consts_flatten cd); apply/allpairsP; exists (f, b).
  by have := consts_map cw rL h h'; rewrite /= sr Ew size_rcons addnS /= size_cat sf.
- move=> v; rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]].
    by exists v; rewrite ?mem_cat ?vV //; split=> // t t' ht ht'; apply: own0.
  exists (f0 ++ w); first by rewrite mem_cat map_f ?orbT.
  have [sf _] := drawnP fF; have [sf0 _] := drawnP f0F; split; first by rewrite !size_cat sf sf0.
  by move=> t t' ht ht'; rewrite !zE //; apply: inS.
- split; first by move=> v vB; rewrite mem_cat vB orbT.
  move=> v /allpairsP[[f w] /= [fF wV ->]]; have [v' [q [-> hv']]] := w_views_bodies wV.
  by exists (f ++ v'), q; rewrite rcons_cat; split=> //; apply/allpairsP; exists (f, v').
- split; [by rewrite size_new_views size_z_views | by rewrite size_cat size_own_views size_map size_z_views | | ].
    by rewrite size_allpairs size_drawn size_z_views.
  by rewrite size_allpairs size_drawn size_w_views mulnCA.
by move=> p wr hwr; apply: (next_prompts F vp p hwr).
Qed.
End FirstStep.

(** * 7. All windows *)
Section Windows.
Variables (md : model) (m : nat) (ns : seq nat) (b x0 A : nat).
Hypotheses (x00 : 0 < x0) (x0m : x0 <= m).
Let m0 : 0 < m := leq_trans x00 x0m.
Definition window_at (r : 'I_m) (i : 'I_x0) : nat := (r + i) %% m.
(** A window is places of the first table. *)
Lemma window_at_lt r i : window_at r i < m. Proof. exact: ltn_pmod. Qed.
(** ... each once. *)
Lemma window_at_inj r : injective (window_at r).
Proof. by move=> i i' E; apply: (@window_inj m x0 m0 x0m r); apply: val_inj. Qed.
(** All windows together have every z_0 x_0 times. *)
Lemma all_windows (g : nat -> nat) : \sum_(r < m) \sum_(i < x0) g (window_at r i) = x0 * \sum_(z < m) g z.
Proof.
rewrite exchange_big /= (eq_bigr (fun=> \sum_(z < m) g z)) ?sum_nat_const ?card_ord // => i _.
by rewrite [RHS](reindex_inj (@window_inj2 m x0 m0 i)).
Qed.
(** All inputs: z_0, the query, the last table and those below it. *)
Lemma right_inputs_all : right_inputs m ns md = \sum_(z < m) \sum_(w <- all_queries ns) \sum_(u : Tables [:: last_size m ns])
  \sum_(zs <- all_tables (lower_sizes m ns))
    (output md (prompt z (rcons zs (table_values u.2)) w) == answer z (rcons zs (table_values u.2)) w).
Proof.
rewrite /right_inputs -sum1_count big_mkcond /=.
rewrite (sum_inputs m ns (fun z zs w => if output md (prompt z zs w) == answer z zs w then 1 else 0)) /rests !big_allpairs_dep /=.
rewrite -(big_mkord xpredT (fun z => \sum_(w <- all_queries ns) \sum_(u : Tables [:: last_size m ns]) \sum_(zs <- all_tables (lower_sizes m ns))
  (output md (prompt z (rcons zs (table_values u.2)) w) == answer z (rcons zs (table_values u.2)) w))) /index_iota subn0.
apply: eq_bigr => z _; rewrite exchange_big /=; apply: eq_bigr => w _.
rewrite exchange_big sum_of_pairs /= [RHS]exchange_big /=.
have unit_sum (g : nat) : \sum_(i : unit) g = g by rewrite sum_nat_const card_unit mul1n.
by apply: eq_bigr => t _; rewrite unit_sum; apply: eq_bigr => zs _; case: (_ == _).
Qed.
(** If each window is answered on at most A/b, so are all inputs. *)
Lemma ceiling_of_windows : (forall r, window_ceiling md m ns b (window_at r) A) -> b * right_inputs m ns md <= A * size (all_inputs m ns).
Proof.
move=> each; rewrite -(leq_pmul2l x00).
pose g z := \sum_(w <- all_queries ns) \sum_(u : Tables [:: last_size m ns]) \sum_(zs <- all_tables (lower_sizes m ns))
    (output md (prompt z (rcons zs (table_values u.2)) w) == answer z (rcons zs (table_values u.2)) w : nat).
pose all := x0 * size (all_queries ns) * (#|Tables [:: last_size m ns]| * size (all_tables (lower_sizes m ns))).
have : \sum_(r < m) b * (\sum_(i < x0) g (window_at r i)) <= \sum_(r < m) A * all by apply: leq_sum => r _; apply: each.
rewrite -big_distrr /= (all_windows g) sum_nat_const card_ord -right_inputs_all => le.
apply: leq_trans (_ : b * (x0 * right_inputs m ns md) <= _); first by rewrite mulnCA.
apply: leq_trans le _; rewrite /all !size_allpairs size_iota lower_sizesE size_lower card_prod card_unit mul1n.
apply: eq_leq; move: (size (all_queries ns)) (size (all_tables _)) (#|_|) => q l t; mring.
Qed.
End Windows.

(** * 8. The theorems *)

(** A full layer less than tables. *)
Theorem E_A b beta lam m ns x0 x1 a1 K1 cs last (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  averageA b beta lam m ns x0 x1 a1 K1 cs last ->
  b * right_inputs m ns md <= (a1 + added_shares cs + last.1) * size (all_inputs m ns).
Proof.
case: ns => [|n1 ns] // hb hl hF /and5P[x00 x0m]; case: x1 => // x1 _ few rest.
have [md' [hb' hl' hF' _ ho]] := pad_full hb hl hF.
have -> : right_inputs m (n1 :: ns) md = right_inputs m (n1 :: ns) md' by apply: eq_count => i; rewrite ho.
apply: (ceiling_of_windows x00 x0m) => r.
have full1 : 1 <= number_full md' by rewrite hF'.
have base := base_law b (window_at_lt x00 x0m r) (@window_at_inj m x0 x00 x0m r) (blind_base_A m n1 ns (window_at r) hl').
have := @law_step x0 (window_at r) b m n1 x1 ns _ _ _ _ _ _ _ a1 K1 _ _ (fun Pa S low F => @first_step md' beta lam m n1 ns x0 (window_at r) hb' hl' full1 x1 Pa S low F) (orP few) base.
rewrite mul1n add0n => step.
apply: (levels_average_sound hb' hl' _ rest _ _ step) => //.
by rewrite hF' /= add0n addn1.
Qed.

(** As many full layers as tables, and no recurrent layer before the second of them. *)
Theorem E_B b beta lam m ns x0 cs last (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  averageB b beta lam m ns x0 cs last ->
  b * right_inputs m ns md <= (added_shares cs + last.1) * size (all_inputs m ns).
Proof.
move=> hb hl hF hR /and3P[x00 x0m rest].
have [md' [hb' hl' hF' hR' ho]] := pad_full hb hl hF.
have -> : right_inputs m ns md = right_inputs m ns md' by apply: eq_count => i; rewrite ho.
have {}hR := hR' hR; have [F1 [eq0 eq1]] : exists F1, upto 0 (layers md') = [::] /\ upto 1 (layers md') = [:: F1].
  move: hF' hR; rewrite /number_full /no_early_rec; case E : (layers md') => [|F1 ls'] // _ h; exists F1; split; last exact: upto1_F.
  by move: h => /=; case lF: (is_full F1) => //=; rewrite lF.
have hb1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb'; rewrite eq1 /= => /andP[].
have hl1 : states F1 <= 2 ^ lam 1 by have := hl' 1; rewrite /block eq0 eq1 /= big_seq1.
apply: (ceiling_of_windows x00 x0m) => r.
have base := base_law b (window_at_lt x00 x0m r) (@window_at_inj m x0 x00 x0m r) (blind_base_B m ns (window_at r) eq0 eq1 hb1 hl1).
have := levels_average_sound hb' hl' _ rest _ _ base; apply=> //.
by rewrite hF' add0n addn1.
Qed.

(** FF, β = 1, three tables, m = 2, n = (1, 64): at most half of the inputs are answered rightly. *)
Theorem E_A_instance (md : model) : message_bits md 1 -> block_bits md (fun=> 0) -> number_full md <= 2 ->
  2 * right_inputs 2 [:: 1; 64] md <= 1 * size (all_inputs 2 [:: 1; 64]).
Proof.
move=> hb hl hF; apply: (@E_A 2 1 (fun=> 0) 2 [:: 1; 64] 1 1 0 0 [:: (1, (0, 0))] (1, 5) md hb hl hF).
by rewrite /averageA /= !big_ord_recl big_ord0; vm_compute.
Qed.
