(** Theorem A_L: every L >= 2, L−1 Full layers, any recurrent layers (theory 5.8). *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA TwoPrompts Players Copies Boxes DelayedStep
  DelayedLevels Binary.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Level 2: T_i on the last g positions of table 1, z_0, and the state of block 1 into w *)
Section Base.
Variables (md : model) (beta : nat) (lam : nat -> nat) (m n1 v1 : nat) (ns nus : seq nat) (g Th1 : nat).
Notation L k := (upto k (layers md)).
Notation W := (queries (v1 :: nus)).
Notation queried := (row_queries (n1 :: ns) (v1 :: nus)).
Notation ss := (shapes (m * v1) 0 (m * n1) ns nus).
Notation Q0 := (total ss).          (* the tokens of tables 2..L *)
Notation table1 := {ffun 'I_g -> 'I_m}.
Hypotheses (hb : message_bits md beta) (hl : block_bits md lam).
Hypotheses (v1n1 : v1 <= n1) (rows : size ns = size nus) (gm : g <= m) (Th10 : 0 < Th1) (pos : ranges ss).
Hypothesis few : Th1.-1 ^ g * 2 ^ lam 0 < m ^ g.

(** Block 0 has no Full layer. *)
Lemma recs0 : ~~ has (@is_full _) (L 0). Proof. by rewrite has_count -leqNgt count_upto. Qed.

(** Θ_1 tables T_i, with different values at one place, behind which nobody knows i before the first Full layer. *)
Lemma copies_of_table1 (b : boxes ss) : thick (lam 0) b -> box_states (L 0) b ->
  exists (e0 : 'I_g) (iv : 'I_Th1 -> 'I_m) (T : 'I_Th1 -> table1), [/\ injective iv, forall i, T i e0 = iv i
    & forall u u' i i' s j, u \in box b -> u' \in box b -> Q0 + m <= j ->
      acts (L 0) (before u ++ (tok1 (T i) ++ s)) j = acts (L 0) (before u' ++ (tok1 (T i') ++ s)) j].
Proof.
move=> tb sb; have [us usB] := box_pick pos tb.
have [Q1 [_ /states_fixed same] d1] : exists2 Q1 : {set table1},
    Q1 \subset setT /\ consts Q1 (states_asked (fun f => before us ++ tok1 f) (Q0 + m) [::] (L 0))
    & #|'I_m| ^ #|'I_g| <= #|Q1| * 2 ^ (0 + lam 0).
  by apply: fixing_bits; [rewrite cardsT card_ffun muln1 | rewrite states_charge; apply: (hl 0)].
have [|//|e0 [iv [T [iv_inj hT]]]] := some_place d1 (Th := Th1); first by rewrite !card_ord.
exists e0, iv, T; split=> // [i|u u' i i' s j uB uB' lj]; first by case: (hT i).
have one (w : Players ss) k : w \in box b -> same_states (md := md) (before w ++ tok1 (T k)) (before us ++ tok1 (T k)) (Q0 + m) [::] (L 0).
  move=> wB; apply: (@block0_before _ _ _ _ Q0); rewrite ?leq_addr //; [exact: recs0 | |].
    by move=> p /andP[lp _]; rewrite !nth_cat !size_before ltnNge lp.
  by apply/same_states_prefix; rewrite ?size_before //; apply: (box_same sb).
rewrite !(catA (before _)); apply: (@block0_at _ _ _ _ (Q0 + m)) => //; first exact: recs0.
  by move=> k /andP[lk _]; rewrite ![nth _ (_ ++ s) _]nth_cat !size_cat !size_before !(size_tok1 gm) ltnNge lk.
apply/same_states_prefix; rewrite ?size_cat ?size_before ?(size_tok1 gm) //.
apply: same_states_trans (one u i uB) _; apply: same_states_trans (same_states_sym (one u' i' uB')).
by apply: same; [case: (hT i) | case: (hT i')].
Qed.

(** Level 2. *)
Lemma level_delayed_base : 0 < number_full md ->
  level_delayed md m (n1 :: ns) (v1 :: nus) 0 (lam 0 + beta * W) 0 (Th1 * lam 1) (1 + (m - g + g * Th1)) (Th1 + (m - g + g * Th1)) Th1
    (v1 * Th1) (m * v1) 0 (m * n1) ns nus.
Proof.
move=> hF; have nB0 := recs0.
have [F1 [B1 [E1 nB1]]] : exists F B, block 1 (layers md) = F :: B /\ ~~ has (@is_full _) B by apply: next_full.
have U1 : L 1 = L 0 ++ F1 :: B1 by rewrite -E1 upto_block.
have hF1 : sums F1 <= 2 ^ beta by have := all_upto 1 hb; rewrite U1 all_cat /= => /and3P[].
have next p p' P j := @block0_before md (L 0) p p' P j nB0.
have at0 p p' P j := @block0_at md (L 0) p p' P j nB0.
have [b [tb sb]] := boxes_states next (hl 0) pos; have [us usB] := box_pick pos tb.
have [e0 [iv [T [iv_inj val_at behind]]]] := copies_of_table1 tb sb.
pose z0 := m - g + e0; pose i0 : 'I_Th1 := Ordinal Th10.
pose body := body1 T id (fun _ => z0); have size_body i : size (body i) = m.+1 by apply: size_body1.
(* what every w hears in layer 1, and the state of block 1 into it *)
pose xw w := acts (L 0) (before us ++ (tok1 (T i0) ++ [:: Val z0; Query w])) (Q0 + m.+1).
have [b' [tb' sb' sub' hear]] := boxes_heard at0 queried xw (fun _ => Q0 + m.+1) hF1 pos tb sb.
have [R [sR /consts_flatten cR] dR] : exists2 R : {set Players ss}, R \subset box b' /\
    consts R (flatten [seq states_asked (fun u => before u ++ body i) (Q0 + size (body i)) (L 0) (F1 :: B1) | i <- enum 'I_Th1])
    & #|box b'| <= #|R| * 2 ^ (0 + Th1 * lam 1).
  apply: fixing_bits; first by rewrite muln1.
  have -> : Th1 * lam 1 = size (enum 'I_Th1) * lam 1 by rewrite size_enum_ord.
  by apply: charge_lists => i; rewrite states_charge -E1; apply: hl.
have inb u : u \in R -> u \in box b by move=> h; apply: (subsetP sub'); apply: (subsetP sR).
(* the views *)
pose V0 := views1 T; pose Bd := bodies1 T id (fun _ => z0).
have clt : closed (V0 ++ Bd) by apply: closed_views1.
have vt : blind (@before _) R (L 0) (V0 ++ Bd).
  apply: (@recs_step _ _ _ _ _ (@size_before _) [::]) => //; first exact: (blind_nil _ (@size_before _)).
  by apply: states_const => u u' h h'; apply: (box_same sb); apply: inb.
have sizeW : size queried = W by rewrite size_row_queries //= rows.
apply: (@level_delayed_first _ _ gm _ _ T id (fun _ => z0) md 0 (lam 0 + beta * W) n1 v1 ns nus iv b' R (Th1 * lam 1) 0 _ (V0 ++ [:: body i0])) => //.
- move=> i; split; last by rewrite nth_table_of val_at.
  by apply: leq_trans (_ : m - g + g <= m); rewrite ?ltn_add2l ?subnK.
- by split=> //; rewrite -sizeW.
- move=> v /allpairsP[[bd w] /= [/mapP[i _ ->] hw ->]] u u' h h'.
  have bV : body i \in V0 ++ Bd by rewrite mem_cat map_f ?orbT ?mem_enum.
  rewrite U1; apply: (known_behind (@size_before _) nB1 clt vt bV h h' (c0 := xw w)).
  + move=> t ht; rewrite /last_act size_cat size_before size_rcons size_body addnS /= -cats1 /body -catA.
    by apply: behind; rewrite ?leq_add2l //; apply: inb.
  + by apply: cR; rewrite mem_enum.
  by rewrite size_body; apply: hear => //; apply: (subsetP sR).
- move=> v; rewrite mem_cat => /orP[vV|/mapP[i _ ->]].
    exists v; first by rewrite mem_cat vV.
    by split=> // t t' ht ht'; apply: vt => //; rewrite mem_cat vV.
  rewrite -/(body i); exists (body i0); first by rewrite mem_cat inE eqxx orbT.
  split=> [|t t' ht ht']; first by rewrite !size_body.
  by rewrite /last_act 2!size_cat !size_before !size_body !addnS; apply: behind; rewrite ?leqnn //; apply: inb.
by rewrite size_cat size_views1 addnC.
Qed.
End Base.

(** A_L as in theory 5.8 and 5.9. *)
Theorem AL beta lam m ns nus g Th1 cs (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  hardAL beta lam m ns nus g Th1 cs -> ~ solves m ns md.
Proof.
case: ns nus => [|n1 ns] [|v1 nus] // hb hl hF /and4P[gm vn ha hlev] sol.
have [md' [hb' hl' hF' _ ho]] := pad_full hb hl hF.
have sol' := solves_same ho sol.
have pos := levels_sizes hlev; have [rows _] := levels_rows hlev.
have Th10 : 0 < Th1 by have := levels_asked hlev; rewrite muln_gt0 => /andP[].
apply: (levels_delayed_sound hb' hl' (leqnn 0) _ hlev _ sol'); first by rewrite hF' /= add0n addn1.
by apply: level_delayed_base => //; rewrite hF'.
Qed.

(** A_L where all rows are used. *)
Corollary AL_all_rows beta lam m ns g Th1 cs (md : model) :
  message_bits md beta -> block_bits md lam -> number_full md <= size ns ->
  hardAL beta lam m ns ns g Th1 cs -> ~ solves m ns md.
Proof. exact: AL. Qed.

(** The inequalities in binary numbers, and an instance. *)
Local Notation nn := N.to_nat.
Fixpoint sum_lam (lam : seq N) (s e : nat) : N :=
  (if e is e'.+1 then (if (s <= e')%N then sum_lam lam s e' + nth 0 lam e'.+1 else 0) else 0)%num.
Fixpoint levelsALN (beta : N) (lam : seq N) (s : nat) (P W : N) (e : nat) (D T Tv B k a p n0 : N) (ns nus : seq N) (cs : seq (N * N)) : bool :=
  (match ns, nus, cs with
  | [::], [::], _ => N.eqb a n0 && N.ltb (N.pow 2 (P + D)) (N.pow n0 k)
  | n :: ns', v :: nus', (x, th) :: cs' =>
      [&& N.leb v n, N.leb th n0,
          N.leb (binomial n0 (N.pred th) * N.pow (N.pred th) (x * k) * N.pow 2 (x * (P + D) + 1)) (N.pow n0 (x * k)) &
       levelsALN beta lam s P W e.+1
         (1 + x * D + sum_lam lam s e.+1 + x * B * nth 0 lam e.+2 + beta * (N.of_nat e.+1 * (x * (a + p)) + T + W * B))
         (x * (a + p + Tv)) (x * (a + p + Tv)) (x * B) (v * th) (n0 * v) (n0 - a) (n0 * n) ns' nus' cs']
  | _, _, _ => false
  end)%num.
Definition lam_of (lam : seq N) (t : nat) : nat := nn (nth 0%num lam t).
Definition pair_of (c : N * N) : nat * nat := (nn c.1, nn c.2).
(** The binary sum of λ_{s+1}..λ_e. *)
Lemma sum_lamE lam s e : nn (sum_lam lam s e) = \sum_(s.+1 <= t < e.+1) lam_of lam t.
Proof.
elim: e => [|e IH]; first by rewrite big_geq.
rewrite [sum_lam _ _ _]/=; case: leqP => se; last by rewrite big_geq.
by rewrite toD IH [RHS]big_nat_recr.
Qed.
(** The binary inequalities are the inequalities. *)
Lemma levelsALN_sound beta lam s P W ns nus cs e D T Tv B k a p n0 : levelsALN beta lam s P W e D T Tv B k a p n0 ns nus cs ->
  levels_delayed (nn beta) (lam_of lam) s (nn P) (nn W) e (nn D) (nn T) (nn Tv) (nn B) (nn k) (nn a) (nn p) (nn n0)
    (map N.to_nat ns) (map N.to_nat nus) (map pair_of cs).
Proof.
elim: ns nus cs e D T Tv B k a p n0 => [|n ns IH] [|v nus] cs e D T Tv B k a p n0 //.
  case/andP => /N.eqb_spec -> /toLt h; apply/andP; split; first exact: eqxx.
  by move: h; rewrite !(toX, toD).
case: cs => [|[x th] cs] // /and4P[/toLe h0 /toLe h1 /toLe h2 /IH h3]; apply/and4P; split=> //.
  by move: h2; rewrite !(toX, toM, toD, toP, toBin).
by move: h3; rewrite !(toM, toD, toB) Nat2N.id sum_lamE.
Qed.
Definition hardALN (beta : N) (lam : seq N) (m : N) (ns nus : seq N) (g Th1 : N) (cs : seq (N * N)) : bool :=
  (if (ns, nus) is (n1 :: ns', v1 :: nus') then
    let W := binary_queries nus in let t1 := m - g + g * Th1 in
    [&& N.leb g m, N.leb v1 n1, N.ltb (N.pow (N.pred Th1) g * N.pow 2 (nth 0 lam 0%N)) (N.pow m g)
      & levelsALN beta lam 0 (nth 0 lam 0%N + beta * W) W 0 (Th1 * nth 0 lam 1%N) (1 + t1) (Th1 + t1) Th1 (v1 * Th1) (m * v1) 0 (m * n1) ns' nus' cs]
  else false)%num.
(** If they hold in binary numbers, no model solves the task. *)
Theorem certAL beta lam m ns nus g Th1 cs : hardALN beta lam m ns nus g Th1 cs ->
  forall md : model, message_bits md (nn beta) -> block_bits md (lam_of lam) -> number_full md <= size ns ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof.
move=> h md hb hl hF; apply: (@AL _ _ _ _ (map N.to_nat nus) (nn g) (nn Th1) (map pair_of cs) md hb hl); first by rewrite size_map.
case: ns nus h {hF} => [|n1 ns] [|v1 nus] // /and4P[/toLe h1 /toLe h0 /toLt h2 /levelsALN_sound h3]; apply/and4P; split=> //.
  by move: h2; rewrite !(toX, toM, toP).
by move: h3; rewrite !(toM, toD, toB) -toQ.
Qed.
