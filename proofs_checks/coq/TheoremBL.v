(** Theorem B_L: every L >= 2, L Full layers, no recurrent layer before the second of them (theory 5.8). The levels are those
    of A_L with one Full layer more; level 2 is made here. *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TheoremA TwoPrompts Players Copies Boxes DelayedStep
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

Section BL.
Variables (md : model) (m : nat) (ns0 nus0 : seq nat) (beta : nat) (lam : nat -> nat).
Notation L k := (upto k (layers md)).
Notation W := (queries nus0).
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).

(** * 1. The layers up to the second Full layer *)
Lemma first_two : 1 < number_full md -> no_early_rec md -> exists F1 F2 B2,
  [/\ block 1 (layers md) = [:: F1], block 2 (layers md) = F2 :: B2, ~~ has (@is_full _) B2, L 1 = [:: F1]
    & L 2 = [:: F1] ++ F2 :: B2].
Proof.
move=> hF early.
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

(** * 2. Level 2 *)
Section Base.
Variables (n1 v1 : nat) (ns nus : seq nat) (x0 x1 Th1 : nat).
Notation ss := (shapes (m * v1) 0 (m * n1) ns nus).
Hypotheses (Ens : ns0 = n1 :: ns) (Enus : nus0 = v1 :: nus) (v1n1 : v1 <= n1) (rows : size ns = size nus).
Hypotheses (x0m : x0 <= m) (Th10 : 0 < Th1) (Th1m : Th1 <= m) (pos : ranges ss).
Notation Q0 := (total ss).          (* the tokens of tables 2..L *)
Notation table1 := {ffun 'I_x0 -> 'I_m}.
Notation P1 := (beta * W + lam 1).

(** X_w^{(2)} is a function of (w, z_0, copy), and the tokens of table 1 and of z_0 are known through layer 1. *)
Lemma level_delayed_base_B : 1 < number_full md -> no_early_rec md ->
  'C(m, Th1.-1) * Th1.-1 ^ (x1 * x0) * 2 ^ (x1 * P1) < m ^ (x1 * x0) ->
  level_delayed md m ns0 nus0 1 (P1 + beta * (m + x0 * x1)) 1 (beta * (W * x0) + Th1 * lam 2)
    (Th1 + (m - x0 + x0 * x1)) (Th1 + (m - x0 + x0 * x1)) Th1 (v1 * Th1) (m * v1) 0 (m * n1) ns nus.
Proof.
move=> hF early hE.
have sizeW : size (row_queries ns0 nus0) = W by rewrite size_row_queries // Ens Enus /= rows.
have m0 : 0 < m by apply: leq_trans Th1m.
have [F1 [F2 [B2 [E1 E2 nB2 U1 U2]]]] := first_two hF early.
have hF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite U1 /= andbT.
have hF2 : sums F2 <= 2 ^ beta by have := all_upto 2 hb; rewrite U2 all_cat /= => /and3P[].
have h1 : \prod_(l <- [:: F1]) states l <= 2 ^ lam 1 by rewrite -E1; apply: hl.
have h2 : \prod_(l <- F2 :: B2) states l <= 2 ^ lam 2 by rewrite -E2; apply: hl.
(* tokens before the first Full layer are known as they are written, and so are the states beside it *)
have next p p' P j : P <= j -> (forall k, P <= k < j -> nth (Val 0) p k = nth (Val 0) p' k) ->
    same_states (md := md) p p' P [::] [:: F1] -> same_states (md := md) p p' j [::] [:: F1].
  move=> le same [st _]; split=> //; apply: state_from le st _ => k hk.
  by rewrite /acts /= /inputs same.
have at0 p p' P j : P <= j -> (forall k, P <= k <= j -> nth (Val 0) p k = nth (Val 0) p' k) ->
    same_states (md := md) p p' P [::] [:: F1] -> acts (md := md) [::] p j = acts [::] p' j.
  by move=> le same _; rewrite /acts /= /inputs same // le leqnn.
have [b0 [tb0 sb0]] := boxes_states next h1 pos.
(* what every w hears from the other tables in layer 1 *)
pose xw w : act md := embed md (Q0 + m.+1) (Query w).
have [b [tb sb _ hear_w]] := boxes_heard at0 (row_queries ns0 nus0) xw (fun _ => Q0 + m.+1) hF1 pos tb0 sb0.
have [us usB] := box_pick pos tb.
(* table 1: what every w has heard behind it in layer 1, and the state there *)
pose Gw w : question table1 := Ask (fun f => partial_sum F1 (acts [::] (before us ++ tok1 f)) (xw w) (Q0 + m) (Q0 + m.+1)).
have [Q1 [_ /consts_cat[cG /states_fixed cS]] d1] : exists2 Q1 : {set table1}, Q1 \subset setT /\
    consts Q1 ([seq Gw w | w <- row_queries ns0 nus0] ++ states_asked (fun f => before us ++ tok1 f) (Q0 + m) [::] [:: F1])
    & m ^ #|'I_x0| <= #|Q1| * 2 ^ (0 + (beta * W + lam 1)).
  apply: fixing_bits; first by rewrite cardsT card_ffun !card_ord muln1.
  apply: charge_cat; last by rewrite states_charge.
  by rewrite -sizeW; apply: charge_each => w; rewrite /= card_sum_type.
(* copies of table 1, and Theta_1 of their values *)
have [|F [FQ hv]] := @copies_free (ordinal_finType x0) m x1 setT Q1 Th1 _ m0 Th1m d1.
  by rewrite cardsT card_ord.
have [iv [copy [at_ [iv_inj hiv]]]] : exists (iv : 'I_Th1 -> 'I_m) (copy : 'I_Th1 -> 'I_x1) (at_ : 'I_Th1 -> 'I_x0),
    injective iv /\ forall i, F (copy i) (at_ i) = iv i.
  by case: hv Th10 => [hv|->] // _; apply: pick_values hv.
pose a0 := copy (Ordinal Th10); have x10 : 0 < x1 := leq_ltn_trans (leq0n _) (ltn_ord a0).
pose z (e : 'I_x0) : token := Val (m - x0 + e).
pose body := body1 F copy (fun i => m - x0 + at_ i).
have size_body i : size (body i) = m.+1 by apply: size_body1.
(* what z_0's token and the tokens of table 1 hear from the other tables in layer 1, table by table *)
pose others : seq (nat * token) := [seq (m, z e) | e <- enum 'I_x0] ++
  ([seq (j, Val 0) | j <- iota 0 (m - x0)] ++ [seq (m - x0 + val e, Val (F a e)) | a <- enum 'I_x1, e <- enum 'I_x0]).
pose qs : seq (nat * token) := [seq (m.+1, Query w) | w <- row_queries ns0 nus0] ++ others.
have size_others : size others = m + x0 * x1.
  rewrite 2!size_cat 2!size_map size_allpairs size_iota -!cardE !card_ord (mulnC x1).
  by rewrite (addnA x0) (subnKC x0m).
have [b' [tb' sb' sub' hear_others]] :=
  boxes_heard at0 others (fun q => embed md (Q0 + q.1) q.2) (fun q => Q0 + q.1) hF1 pos tb sb.
have hear u u' q : u \in box b' -> u' \in box b' -> q \in qs ->
    partial_sum F1 (acts [::] (before u)) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1)
    = partial_sum F1 (acts [::] (before u')) (embed md (Q0 + q.1) q.2) Q0 (Q0 + q.1).
  move=> uB uB'; rewrite mem_cat => /orP[/mapP[w hw ->]|qo]; last exact: hear_others.
  by apply: (hear_w _ _ w) => //; apply: (subsetP sub').
have [us' usB'] := box_pick pos tb'.
(* so after layer 1 these tokens are known, whatever the other tables are *)
have known v (u u' : Players ss) j : (forall k, k < size v -> (k, nth (Val 0) v k) \in qs) -> u \in box b' -> u' \in box b' ->
    j < size v -> acts [:: F1] (before u ++ v) (Q0 + j) = acts [:: F1] (before u' ++ v) (Q0 + j).
  move=> vq uB uB' jv.
  have same k : Q0 <= k -> acts (md := md) [::] (before u ++ v) k = acts [::] (before u' ++ v) k.
    by move=> le; apply: inputs_suffix; rewrite !size_before.
  have st : state_at F1 (acts [::] (before u ++ v)) (Q0 + j) = state_at F1 (acts [::] (before u' ++ v)) (Q0 + j).
    apply: (@state_from _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk _]; apply: same].
    by rewrite !st_prefix ?size_before //; have [] := box_same sb' uB uB'.
  apply: (layer_at (ls := [::])) => //; first by apply: same; rewrite leq_addr.
  have -> : acts [::] (before u ++ v) (Q0 + j) = embed md (Q0 + j) (nth (Val 0) v j).
    by rewrite /acts /= /inputs nth_cat size_before ltnNge leq_addr addKn.
  apply: (@sum_from _ _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk _]; apply: same].
  by rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //; apply: (hear u u' (j, nth (Val 0) v j)) => //; apply: vq.
have in_table a k : k < m -> (k, nth (Val 0) (tok1 (F a)) k) \in qs.
  move=> km; rewrite !mem_cat; case: (ltnP k (m - x0)) => kx.
    rewrite (nth_map 0) ?(size_t1 x0m) // nth_cat size_nseq kx nth_nseq kx.
    by apply/orP; right; apply/orP; right; apply/orP; left; apply/mapP; exists k; rewrite ?mem_iota.
  have kl : k - (m - x0) < x0 by rewrite ltn_subLR // subnK.
  have Ek : k = m - x0 + Ordinal kl by rewrite /= subnKC.
  apply/orP; right; apply/orP; right; apply/orP; right; apply/allpairsP; exists (a, Ordinal kl); split; rewrite ?mem_enum //.
  by rewrite (nth_map 0) ?(size_t1 x0m) // [in LHS]Ek t1_G -Ek.
have in_full a (e : 'I_x0) w k : w \in row_queries ns0 nus0 -> k < m.+2 -> (k, nth (Val 0) (tok1 (F a) ++ [:: z e; Query w]) k) \in qs.
  move=> hw; rewrite ltnS leq_eqVlt nth_cat (size_tok1 x0m) => /orP[/eqP ->|].
    by rewrite ltnNge leqnSn /= subSnn /= mem_cat; apply/orP; left; apply/mapP; exists w.
  rewrite ltnS leq_eqVlt => /orP[/eqP ->|km]; last by rewrite km; apply: in_table.
  rewrite ltnn subnn /= !mem_cat; apply/orP; right; apply/orP; left; apply/mapP; exists e => //.
  by rewrite mem_enum.
(* and w, which heard the same from every copy, knows (w, z_0) only *)
pose full a e w := tok1 (F a) ++ [:: z e; Query w].
have size_full a e w : size (full a e w) = m.+2 by rewrite size_cat (size_tok1 x0m) addn2.
pose x_w e w := acts [:: F1] (before us' ++ full a0 e w) (Q0 + m.+1).
have knows_w (u : Players ss) a (e : 'I_x0) w : u \in box b' -> w \in row_queries ns0 nus0 ->
    acts [:: F1] (before u ++ full a e w) (Q0 + m.+1) = x_w e w.
  move=> uB hw; rewrite (known (full a e w) u us' m.+1) ?size_full //; last by move=> k hk; apply: in_full.
  have tail k : Q0 + m <= k -> acts (md := md) [::] (before us' ++ full a e w) k = acts [::] (before us' ++ full a0 e w) k.
    by move=> le; rewrite /full !(catA (before _)); apply: inputs_suffix; rewrite !size_cat !size_before !(size_tok1 x0m).
  have inside c k : Q0 <= k -> k < Q0 + m ->
      acts (md := md) [::] (before us' ++ full c e w) k = acts [::] (before us ++ tok1 (F c)) k.
    move=> le lt; rewrite /acts /= /inputs !nth_cat !size_before ltnNge le /= (size_tok1 x0m).
    by rewrite ltn_subLR // lt.
  have xwE c : acts (md := md) [::] (before us' ++ full c e w) (Q0 + m.+1) = xw w.
    by rewrite /acts /= /inputs nth_cat size_before ltnNge leq_addr addKn nth_cat (size_tok1 x0m) ltnNge leqnSn /= subSnn.
  have stE c : state_at F1 (acts [::] (before us' ++ full c e w)) (Q0 + m) = state_at F1 (acts [::] (before us ++ tok1 (F c))) (Q0 + m).
    apply: (@state_from _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk kl]; apply: inside].
    by rewrite !st_prefix ?size_before //; have [] := box_same sb (subsetP sub' _ usB') usB.
  apply: (layer_at (ls := [::])); rewrite ?xwE //.
    apply: (@state_from _ _ _ _ (Q0 + m)); [by rewrite leq_add2l | | by move=> k /andP[lk _]; apply: tail].
    by rewrite !stE; have [] := cS _ _ (FQ a) (FQ a0).
  apply: (@sum_from _ _ _ _ _ (Q0 + m)); [by rewrite leq_add2l | | by move=> k /andP[lk _]; apply: tail].
  have sg c : partial_sum F1 (acts [::] (before us' ++ full c e w)) (xw w) (Q0 + m) (Q0 + m.+1) = ask (Gw w) (F c).
    rewrite /=; apply: (@sum_from _ _ _ _ _ Q0); [exact: leq_addr | | by move=> k /andP[lk kl]; apply: inside].
    rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //.
    by apply: (hear_w _ _ w) => //; apply: (subsetP sub').
  by rewrite !sg; apply: (consts_map cG).
(* layer 2: what w hears from the other tables, per (w, z_0), and the state into w, per value *)
pose bw (c : 'I_x0 * seq nat) : question (Players ss) :=
  Ask (fun u => partial_sum F2 (acts [:: F1] (before u)) (x_w c.1 c.2) Q0 (Q0 + m.+1)).
pose pairs := [seq (e, w) | e <- enum 'I_x0, w <- row_queries ns0 nus0].
have [R [sR /consts_cat[cb /consts_flatten cR]] dR] : exists2 R : {set Players ss}, R \subset box b' /\
    consts R ([seq bw c | c <- pairs] ++
      flatten [seq states_asked (fun u => before u ++ body i) (Q0 + m.+1) [:: F1] (F2 :: B2) | i <- enum 'I_Th1])
    & #|box b'| <= #|R| * 2 ^ (0 + (beta * (W * x0) + Th1 * lam 2)).
  apply: fixing_bits; first by rewrite muln1.
  apply: charge_cat.
    have -> : W * x0 = size pairs by rewrite size_allpairs -cardE card_ord sizeW mulnC.
    by apply: charge_each => c; rewrite /= card_sum_type.
  have -> : Th1 * lam 2 = size (enum 'I_Th1) * lam 2 by rewrite size_enum_ord.
  by apply: charge_lists => i; rewrite states_charge.
have inb u : u \in R -> u \in box b' := fun h => subsetP sR _ h.
pose V0 := views1 F; pose Bd := bodies1 F copy (fun i => m - x0 + at_ i).
pose Vw := [seq rcons bd (Query w) | bd <- Bd, w <- row_queries ns0 nus0].
have clt : closed (V0 ++ Bd) by apply: closed_views1.
have body_qs i k : k < size (body i) -> (k, nth (Val 0) (body i) k) \in qs.
  rewrite size_body ltnS leq_eqVlt /body /body1 nth_cat (size_tok1 x0m) => /orP[/eqP ->|km]; last by rewrite km; apply: in_table.
  rewrite ltnn subnn /= !mem_cat; apply/orP; right; apply/orP; left; apply/mapP; exists (at_ i) => //.
  by rewrite mem_enum.
have vt : blind (@before _) R (L 1) (V0 ++ Bd).
  move=> v vV u u' /inb uB /inb uB'.
  have vq : forall k, k < size v -> (k, nth (Val 0) v k) \in qs.
    move: vV; rewrite mem_cat => /orP[/(views1P x0m x10)[a [j [j0 jm ->]]]|/mapP[i _ ->]]; last exact: body_qs.
    move=> k; rewrite size_takel ?(size_tok1 x0m) // => kj; rewrite nth_take //.
    by apply: in_table; apply: leq_trans kj jm.
  have [v0 _] := clt v vV.
  rewrite U1 /last_act !size_cat !size_before -(prednK v0) !addnS /=; apply: known => //.
  by rewrite prednK.
split; first by rewrite leq_mul2l v1n1 orbT.
exists b', R, (V0 ++ Bd), (V0 ++ Bd), Bd, Vw, [seq w * m + val (iv i) | w <- iota 0 v1, i <- enum 'I_Th1].
split.
- split=> //; last by rewrite U1.
  by move: tb'; rewrite sizeW size_others (addnC (lam 1)).
- split=> //.
  + move=> v /allpairsP[[bd w] /= [/mapP[i _ ->] hw ->]] u u' h h'.
    have Et (t : Players ss) : before t ++ rcons (body i) (Query w) = before t ++ full (copy i) (at_ i) w.
      by rewrite -cats1 /body /body1 /full -catA.
    have Eb (t : Players ss) : before t ++ full (copy i) (at_ i) w = (before t ++ body i) ++ [:: Query w].
      by rewrite -Et -cats1 catA.
    have sz (t : Players ss) : (size (before t ++ full (copy i) (at_ i) w)).-1 = Q0 + m.+1.
      by rewrite size_cat size_before size_full addnS.
    rewrite !Et /last_act !sz U2.
    have [s1 s2] : same_states (before u ++ full (copy i) (at_ i) w) (before u' ++ full (copy i) (at_ i) w) (Q0 + m.+1) [:: F1] (F2 :: B2).
      have sab (t : Players ss) : size (before t ++ body i) = Q0 + m.+1 by rewrite size_cat size_before size_body.
      rewrite !Eb; apply/same_states_prefix; rewrite ?sab //.
      by apply: (states_fixed (cR i _) h h'); rewrite mem_enum.
    rewrite -cat_rcons; apply: recs_at => //; apply: layer_at => //; first by rewrite !knows_w //; apply: inb.
    rewrite knows_w //; last exact: inb.
    apply: (@sum_from _ _ _ _ _ Q0); first exact: leq_addr.
      rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //.
      apply: (consts_map cb (v := (at_ i, w))) => //; apply/allpairsP; exists (at_ i, w); split=> //=; rewrite mem_enum //.
    move=> j /andP[lj jl]; rewrite -(subnKC lj); apply: known; try exact: inb.
      by move=> k; rewrite size_full; apply: in_full.
    by rewrite size_full ltn_subLR // (leq_trans jl) // leq_add2l.
  + move=> v vV; exists v => //; split=> // t t' ht ht'; exact: vt.
  split; first by move=> v vB; rewrite mem_cat vB orbT.
  by move=> v /allpairsP[[bd w] /= [hB hw ->]]; exists bd, (Query w).
- have sV0 : size V0 = m - x0 + x0 * x1 := size_views1 F; have sB : size Bd = Th1 := size_bodies1 F copy _.
  by rewrite !(size_cat V0) sV0 sB size_allpairs sB sizeW (addnC Th1) (mulnC W) !leqnn.
split.
- apply: allpairs_uniq; rewrite ?iota_uniq ?enum_uniq // => -[w i] [w' i'] _ _ /= E.
  have := congr1 (divn^~ m) E; rewrite /= !divnMDl // !divn_small // !addn0 => ->.
  by congr pair; apply: iv_inj; apply: val_inj; have := congr1 (modn^~ m) E; rewrite /= !modnMDl !modn_small.
- by rewrite size_allpairs size_iota -cardE card_ord.
- by move=> a /allpairsP[[w i] /= [hw _ ->]]; apply: pair_lt => //; move: hw; rewrite mem_iota.
move=> j /allpairsP[[w i] /= [hw _ ->]]; move: hw; rewrite mem_iota add0n /= => hw.
have digit : n1 - v1 + w < n1 by rewrite -[X in _ < X](subnK v1n1) ltn_add2l.
exists (m - x0 + at_ i), [:: t1 (F (copy i))], [:: n1 - v1 + w], [:: n1]; split.
- split; rewrite //= ?(size_t1 x0m) ?t1_lt ?digit ?Ens //.
  by apply: leq_trans (_ : m - x0 + x0 <= m); rewrite ?ltn_add2l ?subnK.
- move=> zr wr _; rewrite /= (size_t1 x0m) t1_G hiv; congr answer.
  by rewrite mulnDl mulnBl addnA !(mulnC m).
move=> wr hwr; exists (body i ++ [:: Query (n1 - v1 + w :: wr)]); last by rewrite /prompt /= cats0 /body /body1 -catA.
rewrite cats1; apply/allpairsP; exists (body i, n1 - v1 + w :: wr); split=> /=; rewrite ?map_f ?mem_enum // Ens Enus.
by apply/allpairsP; exists (n1 - v1 + w, wr); rewrite mem_iota leq_addr ltn_add2l.
Qed.
End Base.
End BL.

(** B_L as in theory 5.8 and 5.9. *)
Theorem BL beta lam m ns nus x0 x1 Th1 cs (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= (size ns).+1 -> no_early_rec md ->
  hardBL beta lam m ns nus x0 x1 Th1 cs -> ~ solves m ns md.
Proof.
case: ns nus => [|n1 ns] [|v1 nus] // hb hl hF hR /and5P[x0m vn Th1m ha hlev] sol.
have [md' [hb' hl' hF' hR' ho]] := pad_full hb hl hF.
have sol' : solves m (n1 :: ns) md' by move=> z0 zs ws ok; rewrite ho; apply: sol.
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
