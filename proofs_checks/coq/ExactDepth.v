(** The exact depth of a word (5.1). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge TheoremA TheoremB TheoremC Constructions GoldenSchedule.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** The letters before the (t+1)-th F are those of the layers before it. *)
Lemma upto_word_map X t (ls : seq (layer X)) : map (@is_full _) (upto t ls) = upto_word t (map (@is_full _) ls).
Proof.
elim: ls t => //= l ls IH t; case lF: (is_full l) => /=; last by rewrite lF IH.
by case: t => //= t; rewrite lF IH.
Qed.
(** With at most t F's these are all letters. *)
Lemma upto_word_all t w : count id w <= t -> upto_word t w = w.
Proof.
elim: w t => //= -[] w IH t /=; last by rewrite add0n => /IH ->.
by case: t => // t; rewrite add1n ltnS => /IH ->.
Qed.
(** #F of a model is #F of its word. *)
Lemma number_full_word md : number_full md = count id (word md).
Proof. by rewrite /number_full /word count_map; apply: eq_count. Qed.
(** An R before the second F is seen in the word. *)
Lemma no_early_rec_word md : no_early_rec md = all id (upto_word 1 (word md)).
Proof. by rewrite /no_early_rec -upto_word_map all_map; apply: eq_all. Qed.

(** ** Lower half: L = size ns + 1 > depth w *)
Lemma golden_base_mono beta Lam L L' : L <= L' -> golden_base beta Lam L <= golden_base beta Lam L'.
Proof.
move=> h; rewrite /golden_base; apply: leq_add; first apply: leq_add; first apply: leq_add => //.
- by rewrite !leq_mul2l leq_add2r h !orbT.
- by rewrite !leq_mul2l leq_exp2l // h !orbT.
rewrite ltnS leq_mul2l /= -!(big_mkord xpredT Lam) (@big_cat_nat _ _ _ (L + 4).+1 0 (L' + 4).+1) //= ?leq_addr //.
by rewrite ltnS leq_add2r.
Qed.
(** Fibonacci numbers grow. *)
Lemma fib_mono a b : a <= b -> fib a.+1 <= fib b.+1.
Proof.
move=> h; rewrite -(subnKC h); elim: (b - a) => [|d IH]; first by rewrite addn0.
by apply: leq_trans IH _; rewrite addnS fibSS leq_addr.
Qed.
(** The number of tokens is at most 34·y^{F_{2L+2}}. *)
Lemma tokens_polynomial y Y x N f F s : 0 < y -> y <= Y -> f <= F -> x <= y -> y ^ 2 * N = 16 * x * y ^ f -> s <= 2 *
  N ->
  s.+2 <= 34 * Y ^ F.
Proof.
move=> y0 yY fF xy E sN.
have hN : N <= 16 * y ^ f.
  rewrite -(@leq_pmul2l (y ^ 2)) ?expn_gt0 ?y0 // E mulnCA -mulnA leq_mul2l /= leq_mul2r; apply/orP; right.
  by apply: leq_trans xy _; rewrite -mulnn leq_pmulr.
have hY : y ^ f <= Y ^ F.
  apply: leq_trans (_ : y ^ F <= _); first by rewrite leq_pexp2l.
  by case: (F) => // F'; rewrite leq_exp2r.
have Y0 : 0 < Y ^ F by rewrite expn_gt0 (leq_trans y0 yY).
apply: leq_trans (_ : 32 * Y ^ F + 2 * Y ^ F <= _); last by rewrite -mulnDl.
rewrite -addn2; apply: leq_add; last by rewrite leq_pmulr.
apply: leq_trans sN _; rewrite -[32]/(2 * 16) -mulnA leq_mul2l /=.
by apply: leq_trans hN _; rewrite leq_mul2l.
Qed.

(** y is larger than β, Λ_0, Λ_1 and 4. *)
Lemma golden_base_large beta Lam j : [/\ 4 <= golden_base beta Lam j, beta <= golden_base beta Lam j,
  Lam 0 < golden_base beta Lam j & Lam 1 < golden_base beta Lam j].
Proof.
have [e0 y8 y1 _ y3] := golden_baseP beta Lam j; split; first exact: leq_trans y8.
- by apply: leq_trans y1; rewrite mulnCA leq_pmulr // muln_gt0 e0.
- by apply: leq_ltn_trans (y3 0 (leq0n _)); rewrite leq_pmull.
by apply: leq_ltn_trans (y3 1 e0); rewrite leq_pmull.
Qed.

(** "For every β and Λ some sizes of L tables, not too long, are hard for the word w." *)
Definition hard_somewhere (w : seq bool) (L beta : nat) (Lam : nat -> nat) : Prop := exists m ns,
  [/\ (size ns).+1 = L, tokens m ns <= 34 * golden_base beta Lam L ^ fib (2 * L).+2
    & forall md, word md = w -> message_bits md beta -> state_bits md Lam -> ~ solves m ns md].

(** At most L−1 letters F: Theorem A at golden sizes. *)
Lemma hard_by_A w L beta Lam : count id w <= L -> hard_somewhere w L.+1 beta Lam.
Proof.
move=> hw; have [m [ns [x0 [cs [sn h hN hs]]]]] := goldenA beta Lam L.
have [y4 _ yl _] := golden_base_large beta Lam L.
exists m, ns; split=> [||md Ew hb hl]; first by rewrite sn.
  apply: tokens_polynomial (leq_trans _ y4) (golden_base_mono _ _ (leqnSn L)) _ yl hN hs => //.
  by rewrite mulnS; apply: fib_mono.
by apply: (theoremA hb hl _ h); rewrite number_full_word Ew sn.
Qed.
(** One letter F and no R, one table: Theorem B at m = β + Λ_1 + 2. *)
Lemma hard_by_B_one w beta Lam : count id w = 1 -> all id (upto_word 1 w) -> hard_somewhere w 1 beta Lam.
Proof.
move=> hw hR; have [y4 yb _ yl] := golden_base_large beta Lam 1; exists (beta + Lam 1).+2, [::]; split=> //.
  rewrite /tokens /= addn0; apply: leq_trans (_ : 34 * golden_base beta Lam 1 <= _).
    rewrite -addn4 -addnA; apply: leq_trans (leq_add yb (leq_add (ltnW yl) y4)) _.
    by rewrite addnA addnn -mul2n -mulSnr leq_mul2r orbT.
  by rewrite leq_mul2l /= -[X in X <= _]expn1 leq_pexp2l // (leq_trans _ y4).
move=> md Ew hb hl; apply: (theoremB_one hb hl); rewrite ?number_full_word ?no_early_rec_word ?Ew ?hw //.
apply: leq_trans (_ : 2 ^ (beta + Lam 1).+2 <= _); first by rewrite ltn_exp2l // leqW.
by rewrite leq_exp2r.
Qed.
(** L ≥ 2 letters F and no R before the second: Theorem B at golden sizes. *)
Lemma hard_by_B w L beta Lam : count id w = L.+2 -> all id (upto_word 1 w) -> hard_somewhere w L.+2 beta Lam.
Proof.
move=> hw hR; have [m [ns [x0 [x1 [th1 [cs [sn h hN hs]]]]]]] := goldenB beta Lam L.
have [y4 _ _ _] := golden_base_large beta Lam L; have y0 := leq_trans (isT : 0 < 4) y4.
exists m, ns; split=> [||md Ew hb hl]; first by rewrite sn.
  have hf : fib (2 * L.+1).+4 <= fib (2 * L.+2).+2 by have -> : 2 * L.+2 = (2 * L.+1).+2 by rewrite (mulnS 2 L.+1).
  exact: (tokens_polynomial (x := 1) y0 (golden_base_mono _ _ (leqW (leqnSn L))) hf y0 hN hs).
by apply: (theoremB hb hl _ _ h); rewrite ?number_full_word ?no_early_rec_word Ew ?hw ?sn.
Qed.

(** 5.1, lower half. *)
Theorem depth_lower (w : seq bool) (L : nat) : depth w < L -> forall beta Lam, hard_somewhere w L beta Lam.
Proof.
case: L => // L; rewrite ltnS => hd beta Lam; case: (leqP (count id w) L) => [|hw]; first exact: hard_by_A.
move: hd; rewrite /depth; case Ec : (count id w) hw => [|f] // hw.
case hR : (all id _) => /= hd; last by move: hd; rewrite addn1 => hd; move: (leq_trans hw hd); rewrite ltnn.
have Ef : f = L by apply/eqP; rewrite eqn_leq -{1}[f]addn0 hd /= -ltnS.
by case: L hw hd Ef => [|L] hw hd Ef; [apply: hard_by_B_one | apply: hard_by_B]; rewrite // Ec Ef.
Qed.

(** ** Upper half: idle layers *)
Section Upper.
Variables (m : nat) (ns : seq nat).
Notation P := (z0_place m ns).
Definition idleF : layer XC :=
  Full (M := option_finType (ordinal_finType P.+1)) None (fun _ _ _ _ a => a)
    (St := unit_finType) tt (fun _ s _ => s) (fun _ x _ _ => x).
Definition idleR : layer XC := Rec (St := unit_finType) tt (fun _ s _ => s) (fun _ x _ => x).
Fixpoint fill (w : seq bool) (fs : seq (layer XC)) : seq (layer XC) :=
  if w is b :: w' then
    if b then (if fs is f :: fs' then f :: fill w' fs' else idleF :: fill w' [::])
    else idleR :: fill w' fs
  else [::].
(** The filled word is the word. *)
Lemma fill_word w fs : all (@is_full _) fs -> map (@is_full _) (fill w fs) = w.
Proof.
elim: w fs => //= -[] w IH [|f fs] //=; try by move=> h; rewrite IH.
by move=> /andP[-> h]; rewrite IH.
Qed.
(** Idle layers change nothing. *)
Lemma fill_run w fs x y : size fs <= count id w -> (forall i, x i = y i) ->
  forall i, foldl (@run XC) x (fill w fs) i = foldl (@run XC) y fs i.
Proof.
elim: w fs x y => [|[] w IH] [|f fs] x y //= hs xy; apply: IH => //.
by move=> i; apply: run_causal => j _; apply: xy.
Qed.
(** Idle layers send nothing. *)
Lemma fill_sums w fs : all (fun l => sums l <= P.+2) fs -> all (fun l => sums l <= P.+2) (fill w fs).
Proof.
elim: w fs => //= -[] w IH [|f fs] //=; rewrite ?card_option ?card_ord ?leqnn /=; try by move=> h; apply: IH.
by move=> /andP[-> h]; apply: IH.
Qed.
(** Idle layers store nothing. *)
Lemma fill_states w fs : all (fun l => states l == 1) fs -> all (fun l => states l == 1) (fill w fs).
Proof.
elim: w fs => //= -[] w IH [|f fs] //=; rewrite ?card_unit /=; try by move=> h; apply: IH.
by move=> /andP[-> h]; apply: IH.
Qed.
(** Without states nothing crosses a boundary. *)
Lemma prod1 X (ls : seq (layer X)) : all (fun l => states l == 1) ls -> \prod_(l <- ls) states l = 1.
Proof.
elim: ls => [|l ls IH] /=; first by rewrite big_nil.
by case/andP => /eqP hl /IH; rewrite big_cons hl mul1n.
Qed.
Definition read_model (ls : seq (layer XC)) : model := Model (fun _ t => (t, 0)) ls (fun x : XC => x.2).
(** Models that run alike solve alike. *)
Lemma read_model_ext l1 l2 : (forall x i, foldl (@run XC) x l1 i = foldl (@run XC) x l2 i) ->
  solves m ns (read_model l1) -> solves m ns (read_model l2).
Proof. by move=> h s z0 zs ws ok; rewrite -s // /output /= h. Qed.

(** Look-ups have messages of P + 2 values. *)
Let rsum k N n : all (fun l => sums l <= P.+2) (read_layers m ns k N n).
Proof. by apply: sub_all (read_layers_sums m ns k N n) => l /eqP ->. Qed.

(** 5.1, upper half: C1, or C2 in one of its orders, and idle layers. *)
Theorem depth_upper_at w : (size ns).+1 <= depth w ->
  exists md, [/\ word md = w, solves m ns md, all (fun l => sums l <= P.+2) (layers md)
               & \prod_(l <- layers md) states l <= m.-1.+1].
Proof.
rewrite /depth; case Ec : (count id w) => [|f] // hd.
case: (leqP (size ns).+2 f.+1) => hf.
  pose fs := read_layer m ns P (fun _ v => v) :: read_layers m ns 0 m ns.
  have [_ h2 h3 h4] := C1_resources m ns.
  exists (read_model (fill w fs)); split.
  - by rewrite /word fill_word.
  - apply: read_model_ext (C1_solves (m := m) (ns0 := ns)) => x i.
    by rewrite (@fill_run w fs x x) //= size_read_layers Ec.
  - by apply: fill_sums; apply: sub_all h3 => l /eqP ->.
  by rewrite prod1 //; apply: fill_states.
have hR : ~~ all id (upto_word 1 w).
  by case: (all id _) hd => //=; rewrite addn0 => h; have := leq_trans hf (h : (size ns).+2 <= f.+1); rewrite ltnn.
have Ef : f = size ns.
  by apply/eqP; rewrite eqn_leq; apply/andP; split=> //; move: hd; rewrite hR addn1.
case: w Ec hR {hd hf} => [|[] w] //= Ec hR; last first.
  pose fs := read_layers m ns 0 m ns.
  exists (read_model (hand_z0 m ns :: fill w fs)); split.
  - by rewrite /word /= fill_word // read_layers_full.
  - apply: read_model_ext (C2_solves (m := m) (ns0 := ns)) => x i /=.
    by rewrite (@fill_run w fs _ (run x (hand_z0 m ns))) // size_read_layers -Ef -Ec.
  - by rewrite /= fill_sums // rsum.
  by rewrite /= big_cons prod1 /= ?card_ord ?muln1 // fill_states // read_layers_states.
case: w Ec hR => [|[] w] //= Ec _.
pose fs := read_rest m ns.
have hF : all (@is_full _) fs by apply: all_read_rest; apply: read_layers_full.
have hs : all (fun l => states l == 1) fs by apply: all_read_rest; apply: read_layers_states.
have hm : all (fun l => sums l <= P.+2) fs by apply: all_read_rest; apply: rsum.
have sf : size fs = size ns by apply: size_read_rest.
exists (read_model (read_at_z0 m ns :: hand_i1 m ns :: fill w fs)); split.
- by rewrite /word /= fill_word.
- apply: read_model_ext (C2F_solves (m := m) (ns0 := ns)) => x i /=.
  rewrite (@fill_run w fs _ (run (run x (read_at_z0 m ns)) (hand_i1 m ns))) // sf -Ef.
  by move: Ec; rewrite add1n add0n => [[->]].
- by rewrite /= card_option card_ord leqnn /= fill_sums.
by rewrite /= !big_cons prod1 /= ?card_ord ?card_unit ?mul1n ?muln1 // fill_states.
Qed.
End Upper.

(** ** The theorem *)
Theorem exact_depth (w : seq bool) (L : nat) : 0 < L ->
  (L <= depth w -> forall m ns, (size ns).+1 = L -> exists md,
     [/\ word md = w, solves m ns md,
         forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta
       & forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam])
  /\ (depth w < L -> forall beta Lam, exists m ns,
     [/\ (size ns).+1 = L, tokens m ns <= 34 * golden_base beta Lam L ^ fib (2 * L).+2
       & forall md, word md = w -> message_bits md beta -> state_bits md Lam -> ~ solves m ns md]).
Proof.
move=> L0; split=> [hd m ns sn|]; last exact: depth_lower.
have [|md [h1 h2 h3 h4]] := @depth_upper_at m ns w; first by rewrite sn.
exists md; split=> //; last by move=> lam hl; apply: leq_trans h4 _; rewrite predn_max.
by move=> beta hb; apply: sub_all h3 => l hl; apply: leq_trans hl hb.
Qed.
