(** Constructions C1 and C2 (both orders): models that solve the task at all sizes. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Prompt Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** max(m, 1) values: a finite type of m of them that is never empty. *)
Lemma predn_max m : m.-1.+1 = maxn m 1.
Proof. by case: m => // m; rewrite (maxn_idPl _). Qed.

(** If only position q updates the accumulator, it ends as what q gives. *)
Lemma sum_at X T (f : X -> T) (x : nat -> X) q n : q < n ->
  state None (fun j a y => if j == q then Some (f y) else a) x n = Some (f (x q)).
Proof.
have before k : k <= q -> state None (fun j a y => if j == q then Some (f y) else a) x k = None.
  by elim: k => //= k IH kq; rewrite ltn_eqF // IH // ltnW.
elim: n => //= n IH; rewrite ltnS leq_eqVlt => /orP[/eqP <-|qn]; first by rewrite eqxx.
by rewrite gtn_eqF // IH.
Qed.

Section Constr.
Variables (m : nat) (ns0 : seq nat).
Definition z0_place := sumn (sizes m ns0).     (* the position of z_0; w stands at P + 1; P + 2 tokens *)
Notation P := z0_place.
Definition XC : Type := (token * nat)%type.     (* the token itself, and the address or value now in hand *)
Definition tval (t : token) : nat := if t is Val v then v else 0.
Definition tquery (t : token) : seq nat := if t is Query w then w else [::].

(** Full: read the token at position off + (address in hand); new address upd (query) (value read).
    The messages are values 0..P or nothing: P + 2 of them. *)
Definition read_layer (off : nat) (upd : seq nat -> nat -> nat) : layer XC :=
  Full (M := option_finType (ordinal_finType P.+1)) None
    (fun i j (xi xj : XC) a => if j == off + xi.2 then Some (inord (tval xj.1)) else a)
    (St := unit_finType) tt (fun _ s _ => s)
    (fun i (x : XC) s _ => (x.1, if s is Some v then upd (tquery x.1) (val v) else 0)).

(** Look-ups of the tables of sizes N, N·n, … by layers  lk (offset of the table) (its size) (new address). *)
Definition layer_maker : Type := nat -> nat -> (seq nat -> nat -> nat) -> layer XC.
Fixpoint look_ups (lk : layer_maker) (k N : nat) (ns : seq nat) : seq (layer XC) :=
  if ns is n :: ns' then
    lk (sumn (sizes (N * n) ns')) N (fun ws v => nth 0 ws k * N + v) :: look_ups lk k.+1 (N * n) ns'
  else [:: lk 0 N (fun _ v => v)].
Definition read_layers : nat -> nat -> seq nat -> seq (layer XC) := look_ups (fun off _ => read_layer off).

Definition C1 : model :=
  Model (fun _ t => (t, 0)) (read_layer P (fun _ v => v) :: read_layers 0 m ns0) (fun x : XC => x.2).

(** Rec: the state is the value of the token at position P, one of m. *)
Definition hand_z0 : layer XC :=
  Rec (St := ordinal_finType m.-1.+1) ord0 (fun i s (x : XC) => if i == P then inord (tval x.1) else s)
      (fun i (x : XC) s => (x.1, val s)).
Definition C2 : model := Model (fun _ t => (t, 0)) (hand_z0 :: read_layers 0 m ns0) (fun x : XC => x.2).

Section Run.
Variables (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Let p := prompt z0 zs ws.
Definition in_hand (x : nat -> XC) (cur : nat) := (forall j, (x j).1 = nth (Val 0) p j) /\ (x P.+1).2 = cur.
Hypothesis hsz : map size zs = sizes m ns0.

(** The prompt has P + 2 tokens. *)
Lemma size_p : size p = P.+2.
Proof. exact: size_prompt. Qed.
(** z_0 stands at position P. *)
Lemma pP : nth (Val 0) p P = Val z0.
Proof. exact: nth_z0. Qed.
(** w stands at position P + 1. *)
Lemma pP1 : nth (Val 0) p P.+1 = Query ws.
Proof. exact: nth_query. Qed.

(** One look-up: with the address in hand, the layer puts the value there into the hand. *)
Lemma read_layer_run x cur off upd v : in_hand x cur -> off + cur <= P -> nth (Val 0) p (off + cur) = Val v -> v <= P ->
  in_hand (run x (read_layer off upd)) (upd ws v).
Proof.
move=> [h1 h2] hq hv vP; split=> [j|]; first by rewrite /= h1.
cbv beta iota delta [run read_layer]; rewrite h2 (sum_at (fun y : XC => inord (tval y.1))) //= !h1 hv pP1 /= inordK //.
Qed.

(** What is asked of a layer that looks up: at an address of its table, the value there comes into the hand. *)
Definition looks_up (lk : layer_maker) : Prop := forall x off N upd cur v, in_hand x cur -> off + cur <= P -> cur < N ->
  nth (Val 0) p (off + cur) = Val v -> v <= P -> v < N -> in_hand (run x (lk off N upd)) (upd ws v).
(** Full layers that read do so. *)
Lemma read_layer_looks_up : looks_up (fun off _ => read_layer off).
Proof. by move=> x off N upd cur v G h1 _ h2 h3 _; apply: read_layer_run h2 h3. Qed.

(** The look-ups of tables ℓ..L, one after the other, end with the answer. *)
Lemma look_ups_run lk ns N k zr wd wr cur x rest :
  looks_up lk -> map size zr = sizes N ns -> all (fun z => all (fun v => v < size z) z) zr -> all2 ltn wr ns ->
  ws = wd ++ wr -> size wd = k -> p = [seq Val v | v <- flatten (rev zr)] ++ rest ->
  sumn (sizes N ns) <= P -> cur < N -> in_hand x cur ->
  in_hand (foldl (@run XC) x (look_ups lk k N ns)) (answer cur zr wr).
Proof.
move=> hlk; elim: ns N k zr wd wr cur x rest => [|n ns IH] N k [|z zr] wd [|w wr] cur x rest // szs /andP[ok okr] wrn E sk Ep sP cN G;
  have [tok vN lt] := first_table rest szs ok cN; rewrite -Ep in tok; have lP := leq_trans (ltnW lt) sP;
  have vP : nth 0 z cur <= P by apply: leq_trans (ltnW vN) (leq_trans (leq_addr _ _) sP).
  exact: (hlk _ 0 N (fun _ v => v) cur).
have [sz szr] := szs; have /andP[wn wrn'] := wrn.
rewrite /=; apply: (IH _ _ zr (wd ++ [:: w]) wr _ _ ([seq Val v | v <- z] ++ rest)) => //.
- by rewrite -catA.
- by rewrite size_cat sk addn1.
- by rewrite Ep flatten_rev_cons map_cat catA.
- by apply: leq_trans sP; rewrite leq_addl.
- by rewrite sz; apply: pair_lt.
have -> : w * size z + nth 0 z cur = nth 0 ws k * N + nth 0 z cur.
  by rewrite E nth_cat sk ltnn subnn sz.
exact: (hlk _ _ N (fun ws v => nth 0 ws k * N + v) cur).
Qed.
End Run.

(** With z_0 in hand the look-ups end with the answer. *)
Lemma look_ups_answer lk z0 zs ws x : looks_up z0 zs ws lk -> valid m ns0 z0 zs ws -> in_hand z0 zs ws x z0 ->
  (foldl (@run XC) x (look_ups lk 0 m ns0) P.+1).2 = answer z0 zs ws.
Proof.
move=> hlk; case/and4P => hz /eqP hs ok hw G.
by have [_ ->] := @look_ups_run z0 zs ws lk ns0 m 0 zs [::] ws z0 x _ hlk hs ok hw erefl erefl erefl (leqnn _) hz G.
Qed.

(** z_0 fits into a message. *)
Lemma z0P z0 : z0 < m -> z0 <= P.
Proof.
move=> h; apply: leq_trans (ltnW h) _; rewrite /z0_place; case: ns0 => [|n ns] /=; [by rewrite addn0 | exact: leq_addr].
Qed.

(** C1: F^{L+1}. *)
Theorem C1_solves : solves m ns0 C1.
Proof.
move=> z0 zs ws ok; have /and4P[hz /eqP hs _ _] := ok.
rewrite /output size_p //= ; apply: (look_ups_answer (read_layer_looks_up hs)) => //.
apply: (read_layer_run hs (cur := 0) (fun _ v => v)) => //; rewrite ?addn0 ?pP //; exact: z0P.
Qed.

(** C2, R first: R F^L. *)
Theorem C2_solves : solves m ns0 C2.
Proof.
move=> z0 zs ws ok; have /and4P[hz /eqP hs _ _] := ok.
rewrite /output size_p //= ; apply: (look_ups_answer (read_layer_looks_up hs)) => //; split=> // .
rewrite /= eqxx gtn_eqF // /inputs /= pP //= inordK // prednK //.
by apply: leq_ltn_trans hz.
Qed.

(** Look-ups are Full layers. *)
Lemma read_layers_full k N ns : all (@is_full _) (read_layers k N ns).
Proof. by rewrite /read_layers; elim: ns k N => //= n ns IH k N. Qed.
(** There are L of them. *)
Lemma read_layers_number_full k N ns : count (@is_full _) (read_layers k N ns) = (size ns).+1.
Proof. by rewrite /read_layers; elim: ns k N => //= n ns IH k N; rewrite IH. Qed.
(** Each has messages of P + 2 values. *)
Lemma read_layers_sums k N ns : all (fun l => sums l == P.+2) (read_layers k N ns).
Proof. by rewrite /read_layers; elim: ns k N => [|n ns IH] k N /=; rewrite card_option card_ord eqxx ?IH. Qed.
(** None has a state. *)
Lemma read_layers_states k N ns : all (fun l => states l == 1) (read_layers k N ns).
Proof. by rewrite /read_layers; elim: ns k N => [|n ns IH] k N /=; rewrite card_unit ?IH. Qed.

(** What C1 uses. *)
Theorem C1_resources :
  [/\ number_full C1 = (size ns0).+2, all (@is_full _) (layers C1), all (fun l => sums l == P.+2) (layers C1)
    & all (fun l => states l == 1) (layers C1)].
Proof.
split; rewrite /= ?read_layers_full ?read_layers_sums ?read_layers_states ?card_option ?card_ord ?card_unit ?eqxx //.
by rewrite /number_full /= read_layers_number_full.
Qed.

(** What C2 uses. *)
Theorem C2_resources :
  [/\ number_full C2 = (size ns0).+1, all (@is_full _) (behead (layers C2)), all (fun l => sums l <= P.+2) (layers C2)
    & \prod_(l <- layers C2) states l = m.-1.+1].
Proof.
split=> //=; rewrite ?read_layers_full //.
- by rewrite /number_full /= read_layers_number_full.
- by apply: sub_all (read_layers_sums 0 m ns0) => l /eqP ->.
rewrite big_cons [states _]/= card_ord.
have -> : \prod_(l <- read_layers 0 m ns0) states l = 1; last by rewrite muln1.
elim: (read_layers 0 m ns0) (read_layers_states 0 m ns0) => [|l ls IH] /=; first by rewrite big_nil.
by case/andP => /eqP hl /IH; rewrite big_cons hl mul1n.
Qed.

(** C2 with F first: z_0's own token reads i_1, R hands it to w, then tables 2..L are read. *)
Definition read_at_z0 : layer XC :=
  Full (M := option_finType (ordinal_finType P.+1)) None
    (fun i j (xi xj : XC) a => if j == sumn (behead (sizes m ns0)) + tval xi.1 then Some (inord (tval xj.1)) else a)
    (St := unit_finType) tt (fun _ s _ => s)
    (fun i (x : XC) s _ => (x.1, if s is Some v then val v else 0)).
Definition hand_i1 : layer XC :=
  Rec (St := ordinal_finType m.-1.+1) ord0 (fun i s (x : XC) => if i == P then inord x.2 else s)
      (fun i (x : XC) s => (x.1, if ns0 is n :: _ then nth 0 (tquery x.1) 0 * m + val s else val s)).
Definition read_rest : seq (layer XC) := if ns0 is n :: ns then read_layers 1 (m * n) ns else [::].
Definition C2F : model := Model (fun _ t => (t, 0)) (read_at_z0 :: hand_i1 :: read_rest) (fun x : XC => x.2).

(** After F and R, w has (w_1, i_1) in hand. *)
Lemma C2F_first z0 zs ws : valid m ns0 z0 zs ws ->
  in_hand z0 zs ws (run (run (inputs C2F (prompt z0 zs ws)) read_at_z0) hand_i1)
    (if ns0 is n :: _ then nth 0 ws 0 * m + nth 0 (head [::] zs) z0 else nth 0 (head [::] zs) z0).
Proof.
move=> ok; have /and4P[hz /eqP hs _ hw] := ok.
have [z [zr [Ez sz okz]]] := valid_first ok; have szs : map size (z :: zr) = sizes m ns0 by rewrite -Ez.
have m0 : 0 < m by apply: leq_ltn_trans hz.
have [tok vm lt] := first_table [:: Val z0; Query ws] szs okz hz; rewrite -Ez -[_ ++ [:: _; _]]/(prompt z0 zs ws) in tok.
have rdP : (run (inputs C2F (prompt z0 zs ws)) read_at_z0 P).2 = nth 0 z z0.
  rewrite /= /inputs /= pP //= (sum_at (fun y : XC => inord (tval y.1))) // tok /= inordK // ltnS.
  by apply: leq_trans (ltnW vm) _; rewrite /z0_place -szs /= sz leq_addr.
split=> //; move: rdP; set x := run _ read_at_z0 => rdP.
have x1 j : (x j).1 = nth (Val 0) (prompt z0 zs ws) j by [].
clearbody x.
by rewrite /= eqxx gtn_eqF // x1 pP1 // rdP Ez /= inordK // prednK.
Qed.

(** C2, F first: F R F^{L-1}. *)
Theorem C2F_solves : solves m ns0 C2F.
Proof.
move=> z0 zs ws ok; have := C2F_first ok; have /and4P[hz /eqP hs okz hw] := ok.
rewrite /output size_p // [layers _]/=; set x := run (run _ _) _.
rewrite -[LHS]/((foldl (@run XC) x read_rest P.+1).2); clearbody x.
rewrite /read_rest; case E : ns0 => [|n ns] G.
  have [_ h] := G; rewrite -[LHS]/((x P.+1).2) h; move: hs hw; rewrite E; case: (zs) => [|z [|? ?]] //= _.
  by case: (ws).
move: hs okz hw G; rewrite E.
case Ez : zs => [|z zr] // [sz szr] /= /andP[okz okr]; case Ew : ws => [|w wr] // /andP[wn wrn] G.
have hs : map size zs = sizes m ns0 by rewrite Ez E /= sz szr.
have vN : nth 0 z z0 < size z by apply: (allP okz); rewrite mem_nth // sz.
rewrite -Ez -Ew in G.
have Ep : prompt z0 zs ws = [seq Val v | v <- flatten (rev zr)] ++ prompt z0 [:: z] ws.
  by rewrite Ez; apply: (prompt_cat z0 [:: z]).
have := @look_ups_run z0 zs ws _ ns (m * n) 1 zr [:: w] wr (w * m + nth 0 z z0) x _ (read_layer_looks_up hs) szr okr
  wrn Ew erefl Ep _ _ _.
case=> //; first by rewrite /z0_place E /= leq_addl.
- by apply: pair_lt; rewrite // -sz.
- by move: G; rewrite Ez Ew.
by move=> _ ->; rewrite sz.
Qed.
End Constr.

(** A word of Full layers. *)
Lemma word_full X (ls : seq (layer X)) : all (@is_full _) ls -> map (@is_full _) ls = nseq (size ls) true.
Proof. by elim: ls => //= l ls IH /andP[-> /IH ->]. Qed.
(** There are L look-ups. *)
Lemma size_read_layers m ns0 k N ns : size (read_layers m ns0 k N ns) = (size ns).+1.
Proof. by rewrite /read_layers; elim: ns k N => //= n ns IH k N; rewrite IH. Qed.

(** C1, with what it uses. *)
Theorem C1_exists m ns : exists md, [/\ word md = nseq (size ns).+2 true, solves m ns md,
  all (fun l => sums l == tokens m ns) (layers md) & all (fun l => states l == 1) (layers md)].
Proof.
have [_ h2 h3 h4] := C1_resources m ns; exists (C1 m ns); split=> //; last exact: C1_solves.
by rewrite /word word_full //= size_read_layers.
Qed.

(** C2, R first, with what it uses. *)
Theorem C2_rec_first_exists m ns : exists md, [/\ word md = false :: nseq (size ns).+1 true, solves m ns md,
  all (fun l => sums l <= tokens m ns) (layers md) & \prod_(l <- layers md) states l = maxn m 1].
Proof.
have [_ h2 h3 h4] := C2_resources m ns; exists (C2 m ns); split=> //; [|exact: C2_solves|by rewrite h4 predn_max].
by rewrite /word /= word_full ?size_read_layers // read_layers_full.
Qed.

(** The look-ups of tables 2..L: what holds of all look-ups holds of them. *)
Lemma all_read_rest (p : pred (layer XC)) m ns :
  (forall k N n, all p (read_layers m ns k N n)) -> all p (read_rest m ns).
Proof. by rewrite /read_rest; move: (read_layers m ns) => r h; case: ns. Qed.
(** There are L−1 of them. *)
Lemma size_read_rest m ns : size (read_rest m ns) = size ns.
Proof.
by rewrite /read_rest; move: (read_layers m ns) (size_read_layers m ns) => r h; case: ns => //= n n'; rewrite h.
Qed.

(** C2, F first, with what it uses. *)
Theorem C2_full_first_exists m ns : exists md, [/\ word md = [:: true, false & nseq (size ns) true], solves m ns md,
  all (fun l => sums l <= tokens m ns) (layers md) & \prod_(l <- layers md) states l = maxn m 1].
Proof.
exists (C2F m ns); split; last 1 first.
- rewrite !big_cons /= card_unit card_ord predn_max mul1n; move: (all_read_rest (read_layers_states m ns)).
  elim: (read_rest m ns) => [|l ls IH] /=; first by rewrite big_nil muln1.
  by case/andP => /eqP hl /IH; rewrite big_cons hl mul1n.
- by rewrite /word /= word_full ?size_read_rest //; apply: all_read_rest; apply: read_layers_full.
- exact: C2F_solves.
rewrite /= card_option card_ord leqnn; apply: sub_all (all_read_rest (read_layers_sums m ns)) => l /eqP ->.
exact: leqnn.
Qed.
