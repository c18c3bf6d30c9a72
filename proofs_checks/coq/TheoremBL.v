(** Theorem B_L: every L >= 2, L Full layers, no recurrent layer before the second of them (theory 5.8). The levels are those
    of A_L with one Full layer more; level 2 is made here. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts Players Copies Boxes DelayedStep
  DelayedLevels TheoremAL Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Among the values that copies take, th with a copy and an entry each. *)
Lemma pick_values (A : finType) N x th (J : {set A}) (F : {ffun 'I_x -> {ffun A -> 'I_N}}) : th <= #|values J F| ->
  exists (iv : 'I_th -> 'I_N) (copy : 'I_th -> 'I_x) (at_ : 'I_th -> A),
    injective iv /\ forall i, F (copy i) (at_ i) = iv i.
Proof.
move=> le; have [iv inj hiv] : exists2 iv : 'I_th -> 'I_N, injective iv & forall i, iv i \in values J F.
  have lt (i : 'I_th) : i < #|values J F| := leq_trans (ltn_ord i) le.
  exists (fun i => enum_val (Ordinal (lt i))) => [i j /enum_val_inj/(congr1 val)/= /val_inj //|i]; exact: enum_valP.
have some i : exists b : 'I_x * A, F b.1 b.2 = iv i.
  by have /bigcupP[a _ /imsetP[e _ ->]] := hiv i; exists (a, e).
have [f hf] := fin_all_exists some.
by exists iv, (fun i => (f i).1), (fun i => (f i).2).
Qed.

Section Base.
Variables (md : model) (beta : nat) (lam : nat -> nat) (m n1 v1 : nat) (ns nus : seq nat) (x0 x1 Th1 : nat).
Notation L k := (upto k (layers md)).
Notation W := (queries (v1 :: nus)).
Notation queried := (row_queries (n1 :: ns) (v1 :: nus)).
Notation ss := (shapes (m * v1) 0 (m * n1) ns nus).
Notation Q0 := (total ss).          (* the tokens of tables 2..L *)
Notation table1 := {ffun 'I_x0 -> 'I_m}.
Notation P1 := (beta * W + lam 1).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).
Hypotheses (v1n1 : v1 <= n1) (rows : size ns = size nus) (x0m : x0 <= m) (Th10 : 0 < Th1) (Th1m : Th1 <= m) (pos : ranges ss).
Hypotheses (hF : 1 < number_full md) (early : no_early_rec md).

(** * 1. The layers up to the second Full layer *)
Lemma first_two : exists F1 F2 B2,
  [/\ block 1 (layers md) = [:: F1], block 2 (layers md) = F2 :: B2, ~~ has (@is_full _) B2, L 1 = [:: F1]
    & L 2 = [:: F1] ++ F2 :: B2].
Proof.
have [F1 [B1 [E1 nB1]]] : exists F B, block 1 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full; apply: ltnW.
have [F2 [B2 [E2 nB2]]] : exists F B, block 2 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full.
have U1 : L 1 = L 0 ++ F1 :: B1 by rewrite -E1 upto_block.
have none (ks : seq (layer (act md))) : all (@is_full _) ks -> ~~ has (@is_full _) ks -> ks = [::].
  by case: ks => //= l ks /andP[->].
have nB0 : ~~ has (@is_full _) (L 0) by rewrite has_count -leqNgt count_upto.
move: early; rewrite /no_early_rec U1 all_cat /= => /and3P[a0 _ a1].
have e0 := none _ a0 nB0; have e1 := none _ a1 nB1; rewrite e0 e1 in E1 U1 *.
by exists F1, F2, B2; split; rewrite ?E1 ?E2 // ?U1 // (upto_block 1) U1 E2.
Qed.

Variable F1 : layer (act md).
Hypotheses (hF1 : sums F1 <= 2 ^ beta) (h1 : states F1 <= 2 ^ lam 1).

(** Tokens before the first Full layer are known as they are written, ... *)
Lemma as_written p p' P j : P <= j -> (forall k, P <= k <= j -> nth (Val 0) p k = nth (Val 0) p' k) ->
  same_states (md := md) p p' P [::] [:: F1] -> acts (md := md) [::] p j = acts [::] p' j.
Proof. by move=> le same _; rewrite /acts /= /inputs same // le leqnn. Qed.
(** ... and so are the states beside it. *)
Lemma states_beside p p' P j : P <= j -> (forall k, P <= k < j -> nth (Val 0) p k = nth (Val 0) p' k) ->
  same_states (md := md) p p' P [::] [:: F1] -> same_states (md := md) p p' j [::] [:: F1].
Proof. by move=> le same [st _]; split=> //; apply: state_from le st _ => k hk; rewrite /acts /= /inputs same. Qed.

(** * 2. x_1 copies of table 1 behind us that every w hears alike in layer 1, behind which the state is one, and Θ_1 of their values *)
Definition before_w (w : seq nat) : act md := embed md (Q0 + m.+1) (Query w).
Definition hears (u : Players ss) (f : table1) (w : seq nat) :=
  partial_sum F1 (acts [::] (before u ++ tok1 f)) (before_w w) (Q0 + m) (Q0 + m.+1).
(** The copies are drawn from one class of what is heard and of the state. *)
Lemma alike_copies (us : Players ss) : 'C(m, Th1.-1) * Th1.-1 ^ (x1 * x0) * 2 ^ (x1 * P1) < m ^ (x1 * x0) ->
  exists (F : {ffun 'I_x1 -> table1}) (iv : 'I_Th1 -> 'I_m) (copy : 'I_Th1 -> 'I_x1) (at_ : 'I_Th1 -> 'I_x0),
  [/\ injective iv, forall i, F (copy i) (at_ i) = iv i
    & forall a a', (forall w, w \in queried -> hears us (F a) w = hears us (F a') w)
        /\ same_states (md := md) (before us ++ tok1 (F a)) (before us ++ tok1 (F a')) (Q0 + m) [::] [:: F1]].
Proof.
move=> hE; have [Q1 [_ /consts_cat[cG /states_fixed cS]] d1] : exists2 Q1 : {set table1}, Q1 \subset setT /\
    consts Q1 ([seq Ask (hears us ^~ w) | w <- queried] ++ states_asked (fun f => before us ++ tok1 f) (Q0 + m) [::] [:: F1])
    & m ^ #|'I_x0| <= #|Q1| * 2 ^ (0 + P1).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  apply: charge_cat; last by rewrite states_charge big_seq1.
  have <- : size queried = W by rewrite size_row_queries //= rows.
  by apply: charge_each => w; rewrite /= card_sum_type.
have [|F [FQ hv]] := @copies_free (ordinal_finType x0) m x1 setT Q1 Th1 _ (leq_trans Th10 Th1m) Th1m d1.
  by rewrite cardsT card_ord.
have [iv [copy [at_ [iv_inj hiv]]]] : exists (iv : 'I_Th1 -> 'I_m) (copy : 'I_Th1 -> 'I_x1) (at_ : 'I_Th1 -> 'I_x0),
    injective iv /\ forall i, F (copy i) (at_ i) = iv i.
  by case: hv Th10 => [hv|->] // _; apply: pick_values hv.
exists F, iv, copy, at_; split=> // a a'; split; last exact: cS.
by move=> w hw; apply: (consts_map cG hw); apply: FQ.
Qed.

(** * 3. What is known after layer 1 *)
Section Known.
Variables (F : {ffun 'I_x1 -> table1}) (b : boxes ss).
Notation z e := (Val (m - x0 + e)).
(** The tokens that hear from tables 2..L, each at its position behind them: w, z_0 and the entries of the copies. *)
Definition others : seq (nat * token) := [seq (m, z (val e)) | e : 'I_x0 <- enum 'I_x0] ++
  ([seq (j, Val 0) | j <- iota 0 (m - x0)] ++ [seq (m - x0 + val e, Val (F a e)) | a <- enum 'I_x1, e <- enum 'I_x0]).
Definition listeners : seq (nat * token) := [seq (m.+1, Query w) | w <- queried] ++ others.
(** m + x_0·x_1 of them besides w. *)
Lemma size_others : size others = m + x0 * x1.
Proof.
by rewrite 2!size_cat 2!size_map size_allpairs size_iota -!cardE !card_ord (mulnC x1) (addnA x0) (subnKC x0m).
Qed.
(** The entries of table 1 are among them. *)
Lemma table_listens a k : k < m -> (k, nth (Val 0) (tok1 (F a)) k) \in listeners.
Proof.
move=> km; rewrite 3!mem_cat (nth_map 0) ?(size_table_of _ x0m) //; case: (ltnP k (m - x0)) => kx.
  by rewrite nth_first_zeros // [X in _ || (_ || (X || _))](introT mapP) ?orbT //; exists k; rewrite ?mem_iota.
have kl : k - (m - x0) < x0 by rewrite ltn_subLR // subnK.
have Ek : k = m - x0 + Ordinal kl by rewrite /= subnKC.
rewrite [X in _ || (_ || (_ || X))](introT allpairsP) ?orbT //; exists (a, Ordinal kl); split; rewrite ?mem_enum //.
by rewrite [in LHS]Ek nth_table_of -Ek.
Qed.
Definition with_z0 a (e : 'I_x0) : seq token := tok1 (F a) ++ [:: z (val e)].
Definition with_w a e w : seq token := with_z0 a e ++ [:: Query w].
(** z_0's token stands behind m tokens. *)
Lemma size_with_z0 a e : size (with_z0 a e) = m.+1. Proof. by rewrite size_cat (size_tok1 x0m) addn1. Qed.
(** ... then z_0 ... *)
Lemma with_z0_listens a e k : k < m.+1 -> (k, nth (Val 0) (with_z0 a e) k) \in listeners.
Proof.
rewrite ltnS leq_eqVlt nth_cat (size_tok1 x0m) => /orP[/eqP ->|km]; last by rewrite km; apply: table_listens.
by rewrite ltnn subnn 2!mem_cat /= (map_f (fun e : 'I_x0 => (m, z (val e)))) ?mem_enum ?orbT.
Qed.
(** ... and w. *)
Lemma with_w_listens a e w k : w \in queried -> k < m.+2 -> (k, nth (Val 0) (with_w a e w) k) \in listeners.
Proof.
move=> hw; rewrite ltnS leq_eqVlt nth_cat size_with_z0 => /orP[/eqP ->|km]; last by rewrite km; apply: with_z0_listens.
by rewrite ltnn subnn mem_cat /= (map_f (fun w => (m.+1, Query w))).
Qed.

Hypothesis sb : box_states [:: F1] b.
Hypothesis hear : forall u u' q, u \in box b -> u' \in box b -> q \in listeners ->
  partial_sum F1 (acts [::] (before u)) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1)
  = partial_sum F1 (acts [::] (before u')) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1).
(** So after layer 1 these tokens are known, whatever the other tables are. *)
Lemma known1 v (u u' : Players ss) j : (forall k, k < size v -> (k, nth (Val 0) v k) \in listeners) -> u \in box b -> u' \in box b ->
  j < size v -> acts [:: F1] (before u ++ v) (Q0 + j) = acts [:: F1] (before u' ++ v) (Q0 + j).
Proof.
move=> vq uB uB' jv.
have same k : Q0 <= k -> acts (md := md) [::] (before u ++ v) k = acts [::] (before u' ++ v) k.
  by move=> le; apply: inputs_suffix; rewrite !size_before.
apply: (layer_at (ls := [::])) => //; first by apply: same; rewrite leq_addr.
  apply: (@state_from _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk _]; apply: same].
  by rewrite !st_prefix ?size_before //; have [] := box_same sb uB uB'.
have -> : acts [::] (before u ++ v) (Q0 + j) = embed md (Q0 + j) (nth (Val 0) v j).
  by rewrite /acts /= /inputs nth_cat size_before ltnNge leq_addr addKn.
apply: (@sum_from _ _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk _]; apply: same].
by rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //; apply: (hear (q := (j, nth (Val 0) v j))) => //; apply: vq.
Qed.

Variable us : Players ss.
Hypothesis alike : forall a a', (forall w, w \in queried -> hears us (F a) w = hears us (F a') w)
  /\ same_states (md := md) (before us ++ tok1 (F a)) (before us ++ tok1 (F a')) (Q0 + m) [::] [:: F1].
Hypothesis as_us : forall u, u \in box b -> same_states (md := md) (before u) (before us) Q0 [::] [:: F1] /\
  forall w, w \in queried -> partial_sum F1 (acts [::] (before u)) (before_w w) Q0 (Q0 + m.+1)
                          = partial_sum F1 (acts [::] (before us)) (before_w w) Q0 (Q0 + m.+1).
(** And w, which heard the same from every copy, knows (w, z_0) only. *)
Lemma w_knows (u u' : Players ss) a a' e w : u \in box b -> u' \in box b -> w \in queried ->
  acts [:: F1] (before u ++ with_w a e w) (Q0 + m.+1) = acts [:: F1] (before u' ++ with_w a' e w) (Q0 + m.+1).
Proof.
move=> uB uB' hw; have sw c : size (with_w c e w) = m.+2 by rewrite size_cat size_with_z0 addn1.
rewrite (@known1 _ u u') ?sw //; last by move=> k hk; apply: with_w_listens.
have cut c : with_w c e w = tok1 (F c) ++ [:: z (val e); Query w] by rewrite /with_w /with_z0 -catA.
have tail k : Q0 + m <= k -> acts (md := md) [::] (before u' ++ with_w a e w) k = acts [::] (before u' ++ with_w a' e w) k.
  by move=> le; rewrite !cut !(catA (before _)); apply: inputs_suffix; rewrite !size_cat !size_before !(size_tok1 x0m).
have inside c k : Q0 <= k -> k < Q0 + m ->
    acts (md := md) [::] (before u' ++ with_w c e w) k = acts [::] (before us ++ tok1 (F c)) k.
  by move=> le lt; rewrite cut /acts /= /inputs !nth_cat !size_before ltnNge le /= (size_tok1 x0m) ltn_subLR // lt.
have xwE c : acts (md := md) [::] (before u' ++ with_w c e w) (Q0 + m.+1) = before_w w.
  by rewrite /acts /= /inputs nth_cat size_before ltnNge leq_addr addKn nth_cat size_with_z0 ltnn subnn.
have [stu hu] := as_us uB'; have [ha sa] := alike a a'.
have stE c : state_at F1 (acts [::] (before u' ++ with_w c e w)) (Q0 + m) = state_at F1 (acts [::] (before us ++ tok1 (F c))) (Q0 + m).
  apply: (@state_from _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk kl]; apply: inside].
  by rewrite !st_prefix ?size_before //; have [] := stu.
apply: (layer_at (ls := [::])); rewrite ?xwE //.
  apply: (@state_from _ _ _ _ (Q0 + m)); [by rewrite leq_add2l | | by move=> k /andP[lk _]; apply: tail].
  by rewrite !stE; have [] := sa.
apply: (@sum_from _ _ _ _ _ (Q0 + m)); [by rewrite leq_add2l | | by move=> k /andP[lk _]; apply: tail].
have sg c : partial_sum F1 (acts [::] (before u' ++ with_w c e w)) (before_w w) (Q0 + m) (Q0 + m.+1) = hears us (F c) w.
  apply: (@sum_from _ _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk kl]; apply: inside].
  by rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //; apply: hu.
by rewrite !sg; apply: ha.
Qed.
End Known.
(** Tables 2..L: the states beside the first layer, what every w hears in it, and what the other tokens of the copies hear. *)
Lemma first_layer : 'C(m, Th1.-1) * Th1.-1 ^ (x1 * x0) * 2 ^ (x1 * P1) < m ^ (x1 * x0) ->
  exists (b : boxes ss) (F : {ffun 'I_x1 -> table1}) (iv : 'I_Th1 -> 'I_m) (copy : 'I_Th1 -> 'I_x1) (at_ : 'I_Th1 -> 'I_x0),
  [/\ thick (P1 + beta * (m + x0 * x1)) b /\ box_states [:: F1] b, injective iv, forall i, F (copy i) (at_ i) = iv i,
      forall v u u' j, (forall k, k < size v -> (k, nth (Val 0) v k) \in listeners F) -> u \in box b -> u' \in box b ->
        j < size v -> acts [:: F1] (before u ++ v) (Q0 + j) = acts [:: F1] (before u' ++ v) (Q0 + j)
    & forall u u' a a' e w, u \in box b -> u' \in box b -> w \in queried ->
        acts [:: F1] (before u ++ with_w F a e w) (Q0 + m.+1) = acts [:: F1] (before u' ++ with_w F a' e w) (Q0 + m.+1)].
Proof.
move=> hE; have one : \prod_(l <- [:: F1]) states l <= 2 ^ lam 1 by rewrite big_seq1.
have [b0 [tb0 sb0]] := boxes_states states_beside one pos.
have [b [tb sb _ hear_w]] := boxes_heard as_written queried before_w (fun _ => Q0 + m.+1) hF1 pos tb0 sb0.
have [us usB] := box_pick pos tb.
have [F [iv [copy [at_ [iv_inj hiv alike]]]]] := alike_copies us hE.
have [b' [tb' sb' sub' hear_others]] :=
  boxes_heard as_written (others F) (fun q => embed md (Q0 + q.1) q.2) (fun q => Q0 + q.1) hF1 pos tb sb.
have hear u u' q : u \in box b' -> u' \in box b' -> q \in listeners F ->
    partial_sum F1 (acts [::] (before u)) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1)
    = partial_sum F1 (acts [::] (before u')) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1).
  move=> uB uB'; rewrite mem_cat => /orP[/mapP[w hw ->]|qo]; last exact: hear_others.
  by apply: (hear_w _ _ w) => //; apply: (subsetP sub').
exists b', F, iv, copy, at_; split=> // [|v u u' j|u u' a a' e w]; last 1 first.
- apply: (w_knows sb' hear alike) => t /(subsetP sub') tB.
  by split=> [|w' hw]; [apply: (box_same sb) | apply: hear_w].
- by split=> //; move: tb'; rewrite size_others size_row_queries //= ?rows // (addnC (lam 1)).
exact: (known1 sb' hear).
Qed.
End Base.

(** * 4. Level 2 *)
Section Level.
Variables (md : model) (beta : nat) (lam : nat -> nat) (m n1 v1 : nat) (ns nus : seq nat) (x0 x1 Th1 : nat).
Notation W := (queries (v1 :: nus)).
Notation queried := (row_queries (n1 :: ns) (v1 :: nus)).
Notation ss := (shapes (m * v1) 0 (m * n1) ns nus).
Notation Q0 := (total ss).
Notation P1 := (beta * W + lam 1).
(** X_w^{(2)} is a function of (w, z_0, copy), and the tokens of table 1 and of z_0 are known through layer 1. *)
Lemma level_delayed_base_B : message_bits md beta -> block_bits md lam ->
  v1 <= n1 -> size ns = size nus -> x0 <= m -> 0 < Th1 -> Th1 <= m -> ranges ss -> 1 < number_full md -> no_early_rec md ->
  'C(m, Th1.-1) * Th1.-1 ^ (x1 * x0) * 2 ^ (x1 * P1) < m ^ (x1 * x0) ->
  level_delayed md m (n1 :: ns) (v1 :: nus) 1 (P1 + beta * (m + x0 * x1)) 1 (beta * (W * x0) + Th1 * lam 2)
    (Th1 + (m - x0 + x0 * x1)) (Th1 + (m - x0 + x0 * x1)) Th1 (v1 * Th1) (m * v1) 0 (m * n1) ns nus.
Proof.
move=> hb hl v1n1 rows x0m Th10 Th1m pos hF early hE.
have [F1 [F2 [B2 [E1 E2 nB2 U1 U2]]]] := first_two hF early.
have hF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite U1 /= andbT.
have hF2 : sums F2 <= 2 ^ beta by have := all_upto 2 hb; rewrite U2 all_cat /= => /and3P[].
have h1 : states F1 <= 2 ^ lam 1 by have := hl 1; rewrite E1 big_seq1.
have [b [F [iv [copy [at_ [[tb sb] iv_inj hiv known knows]]]]]] := first_layer rows x0m Th10 Th1m pos hF1 h1 hE.
have [us usB] := box_pick pos tb.
(* layer 2: what w hears from the other tables, per (w, z_0), and the state into w, per value *)
pose a0 := copy (Ordinal Th10); pose body := body1 F copy (fun i => m - x0 + at_ i).
have size_body i : size (body i) = m.+1 by apply: size_body1.
pose x_w e w := acts [:: F1] (before us ++ with_w F a0 e w) (Q0 + m.+1).
pose bw (c : 'I_x0 * seq nat) : question (Players ss) :=
  Ask (fun u => partial_sum F2 (acts [:: F1] (before u)) (x_w c.1 c.2) Q0 (Q0 + m.+1)).
pose pairs := [seq (e, w) | e <- enum 'I_x0, w <- queried].
have [R [sR /consts_cat[cb /consts_flatten cR]] dR] : exists2 R : {set Players ss}, R \subset box b /\
    consts R ([seq bw c | c <- pairs] ++
      flatten [seq states_asked (fun u => before u ++ body i) (Q0 + size (body i)) [:: F1] (F2 :: B2) | i <- enum 'I_Th1])
    & #|box b| <= #|R| * 2 ^ (0 + (beta * (W * x0) + Th1 * lam 2)).
  apply: fixing_bits; first by rewrite muln1.
  apply: charge_cat.
    have -> : W * x0 = size pairs by rewrite size_allpairs -cardE card_ord size_row_queries //= ?rows // mulnC.
    by apply: charge_each => c; rewrite /= card_sum_type.
  have -> : Th1 * lam 2 = size (enum 'I_Th1) * lam 2 by rewrite size_enum_ord.
  by apply: charge_lists => i; rewrite states_charge -E2; apply: hl.
have inb u : u \in R -> u \in box b := fun h => subsetP sR _ h.
(* the views *)
pose V0 := views1 F; pose Bd := bodies1 F copy (fun i => m - x0 + at_ i); have x10 : 0 < x1 := leq_ltn_trans (leq0n _) (ltn_ord a0).
have clt : closed (V0 ++ Bd) by apply: closed_views1.
have vt : blind (@before _) R (upto 1 (layers md)) (V0 ++ Bd).
  move=> v vV u u' /inb uB /inb uB'; have [v0 _] := clt v vV.
  rewrite U1 /last_act !size_cat !size_before -(prednK v0) !addnS /=; apply: known => //; last by rewrite prednK.
  move: vV; rewrite mem_cat => /orP[/(views1P x0m x10)[a [j [j0 jm ->]]]|/mapP[i _ ->]] k; last first.
    by rewrite -/(body i) size_body => km; apply: with_z0_listens.
  by rewrite size_takel ?(size_tok1 x0m) // => kj; rewrite nth_take //; apply: table_listens => //; apply: leq_trans kj jm.
apply: (@level_delayed_first _ _ x0m _ _ F copy (fun i => m - x0 + at_ i) md 1 _ n1 v1 ns nus iv b R _ 1 _ (V0 ++ Bd)) => //.
- move=> i; split; last by rewrite nth_table_of hiv.
  by apply: leq_trans (_ : m - x0 + x0 <= m); rewrite ?ltn_add2l ?subnK.
- by split=> //; rewrite ?U1.
- move=> v /allpairsP[[bd w] /= [/mapP[i _ ->] hw ->]] u u' h h'.
  have bV : body i \in V0 ++ Bd by rewrite mem_cat map_f ?orbT ?mem_enum.
  rewrite U2 -U1; apply: (known_behind (@size_before _) nB2 clt vt bV h h' (c0 := x_w (at_ i) w)).
  + move=> t ht; rewrite /last_act U1 size_cat size_before size_rcons size_body addnS /= -cats1.
    by apply: knows => //; apply: inb.
  + by rewrite U1; apply: cR; rewrite mem_enum.
  rewrite U1 size_body; apply: (consts_map cb (v := (at_ i, w))) => //.
  by apply/allpairsP; exists (at_ i, w); split=> //=; rewrite mem_enum.
- by move=> v vV; exists v => //; split=> // t t' ht ht'; apply: vt.
by rewrite size_cat size_views1 size_bodies1 addnC.
Qed.
End Level.

(** B_L as in theory 5.8 and 5.9. *)
Theorem BL beta lam m ns nus x0 x1 Th1 cs (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardBL beta lam m ns nus x0 x1 Th1 cs -> ~ solves m ns md.
Proof.
case: ns nus => [|n1 ns] [|v1 nus] // hb hl hF hR /and5P[x0m vn Th1m ha hlev] sol.
have [md' [hb' hl' hF' hR' ho]] := pad_full hb hl hF.
have sol' := solves_same ho sol.
have pos := levels_sizes hlev; have [rows _] := levels_rows hlev.
have Th10 : 0 < Th1 by have := levels_asked hlev; rewrite muln_gt0 => /andP[].
apply: (levels_delayed_sound hb' hl' (leqnn 1) _ hlev _ sol'); first by rewrite hF' /= addn1 add1n.
by apply: level_delayed_base_B => //; [rewrite hF' | apply: hR'].
Qed.

(** B_L where all rows are used. *)
Corollary BL_all_rows beta lam m ns x0 x1 Th1 cs (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardBL beta lam m ns ns x0 x1 Th1 cs -> ~ solves m ns md.
Proof. exact: BL. Qed.

(** The inequalities in binary numbers, and instances. *)
Local Notation nn := N.to_nat.
Definition hardBLN (beta : N) (lam : seq N) (m : N) (ns nus : seq N) (x0 x1 Th1 : N) (cs : seq (N * N)) : bool :=
  (if (ns, nus) is (n1 :: ns', v1 :: nus') then
    let W := binary_queries nus in let P1 := beta * W + nth 0 lam 1%N in let t1 := m - x0 + x0 * x1 in
    [&& N.leb x0 m, N.leb v1 n1, N.leb Th1 m,
        N.ltb (binomial m (N.pred Th1) * N.pow (N.pred Th1) (x1 * x0) * N.pow 2 (x1 * P1)) (N.pow m (x1 * x0))
      & levelsALN beta lam 1 (P1 + beta * (m + x0 * x1)) W 1 (beta * (W * x0) + Th1 * nth 0 lam 2%N) (Th1 + t1) (Th1 + t1) Th1
          (v1 * Th1) (m * v1) 0 (m * n1) ns' nus' cs]
  else false)%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certBL beta lam m ns nus x0 x1 Th1 cs : hardBLN beta lam m ns nus x0 x1 Th1 cs ->
  forall md : model, message_bits md (nn beta) -> block_bits md (lam_of lam) -> number_full md <= (size ns).+1 ->
  no_early_rec md -> ~ solves (nn m) (map N.to_nat ns) md.
Proof.
move=> h md hb hl hF hR; apply: (@BL _ _ _ _ (map N.to_nat nus) (nn x0) (nn x1) (nn Th1) (map pair_of cs) md hb hl _ hR).
  by rewrite size_map.
case: ns nus h {hF} => [|n1 ns] [|v1 nus] // /and5P[/toLe h1 /toLe h0 /toLe h2 /toLt h3 /levelsALN_sound h4]; apply/and5P; split=> //.
  by move: h3; rewrite !(toX, toM, toP, toD, toBin) -toQ.
by move: h4; rewrite !(toM, toD, toB) -toQ.
Qed.
