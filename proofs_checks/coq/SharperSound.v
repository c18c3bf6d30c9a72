(** What SharperChecker.v accepts holds: its expressions are the inequalities of the sharper theorems. *)
From Coq Require Import PeanoNat PArith NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TheoremB ExactDepth TwoPrompts TheoremA2 TheoremB2 TheoremB2c TheoremA3
  TheoremA3Free TheoremA3c TheoremAL TheoremBL Prefix Binary Logarithms Claims Enclosures EnclosuresSound SharperChecker.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.
Local Notation ev := evaluated.

(** Λ_t. *)
Lemma linear_numberE b t : number_value (linear_number b t) = budget_bits b t.
Proof.
rewrite /linear_number /budget_bits; have -> : 0 = number_value [:: (0, 1)%num] by [].
by rewrite last_map; elim: (budget_linear b) (last _ _) t => [|c l IH] d [|t] /=.
Qed.
(** λ_t. *)
Lemma block_expressionE b t : ev (block_expression b t) = budget_block b t.
Proof. by case: t => [|t] /=; rewrite !linear_numberE. Qed.
Arguments budget_block : simpl never.
(** λ_{s+1} + … + λ_e. *)
Lemma blocks_sumE lam s e : ev (blocks_sum lam s e) = \sum_(s.+1 <= t < e.+1) ev (lam t).
Proof.
elim: e => [|e IH]; first by rewrite big_geq.
rewrite [blocks_sum _ _ _]/=; case: PeanoNat.Nat.ltb_spec => [/ltP se|/leP se]; last by rewrite big_geq.
by rewrite [LHS]/= IH [RHS]big_nat_recr.
Qed.
Arguments blocks_sum : simpl never.
(** The product of the n_ℓ is W, the number of queries. *)
Lemma productE ns : ev (product ns) = queries (map number_value ns).
Proof. by elim: ns => //= n ns ->. Qed.

(** Bits block by block are bits of all layers up to a block. *)
Lemma block_state_bits (md : model) lam : block_bits md lam -> state_bits md (fun t => \sum_(0 <= i < t.+1) lam i).
Proof.
move=> hl; elim=> [|t IH]; first by rewrite big_nat1; apply: (hl 0).
by rewrite upto_block big_cat big_nat_recr //= expnD leq_mul //; apply: (hl t.+1).
Qed.

Section Digits.
Variable q : nat.

(** D < k·log2 N. *)
Lemma lessP told draws size : less q told draws size -> 2 ^ ev told < ev size ^ ev draws.
Proof. exact: ends_eP (enclosed_ok _) (enclosed_ok _) (enclosed_ok _). Qed.
(** (Θ−1)^draws·2^told < N^draws. *)
Lemma fewP told th draws size : few q told th draws size -> (ev th).-1 ^ ev draws * 2 ^ ev told < ev size ^ ev draws.
Proof. exact: few_eP (enclosed_ok _) (enclosed_ok _) (enclosed_ok _) (enclosed_ok _). Qed.
(** ... with the binomial. *)
Lemma coveredP strict told th draws size : covered q false strict told th draws size ->
  let left := 'C(ev size, (ev th).-1) * (ev th).-1 ^ ev draws * 2 ^ ev told in
  [/\ 0 < ev th, ev th <= ev size & if strict then left < ev size ^ ev draws else left <= ev size ^ ev draws].
Proof. exact: covered_eP (enclosed_ok _) (enclosed_ok _) (enclosed_ok _) (enclosed_ok _). Qed.
(** a ≤ b. *)
Lemma fits_inP a b : fits_in a b -> ev a <= ev b. Proof. exact: at_mostP (enclosed_ok _) (enclosed_ok _). Qed.

Definition pair_value (c : number * number) : nat * nat := (number_value c.1, number_value c.2).
(** As many rows as sizes. *)
Lemma levels_x_rows beta lam s P W ns nus cs e D T Tv B k a p n0 :
  levels_x q false beta lam s P W e D T Tv B k a p n0 ns nus cs -> size nus = size ns.
Proof.
elim: ns nus cs e D T Tv B k a p n0 => [|n ns IH] [|v nus] // [|[x th] cs] // e D T Tv B k a p n0 /=.
by case/and3P => _ _ /IH ->.
Qed.
(** All rows of the last table are used. *)
Definition all_used (a n0 : expression) (ns nus : seq number) : Prop := if ns is [::] then ev a = ev n0 else last [::] nus = last [::] ns.
(** The levels of A_L and B_L. *)
Lemma levels_xP beta lam l s P W ns nus cs e D T Tv B k a p n0 : (forall t, ev (lam t) = l t) ->
  (size nus = size ns -> all_used a n0 ns nus) ->
  levels_x q false beta lam s P W e D T Tv B k a p n0 ns nus cs ->
  levels_delayed (ev beta) l s (ev P) (ev W) e (ev D) (ev T) (ev Tv) (ev B) (ev k) (ev a) (ev p) (ev n0)
    (map number_value ns) (map number_value nus) (map pair_value cs).
Proof.
move=> hl ends /[dup] /levels_x_rows/ends; elim: ns nus cs e D T Tv B k a p n0 {ends} => [|n ns IH] [|v nus] cs e D T Tv B k a p n0 //=.
  by move=> aN /lessP; rewrite aN eqxx.
case: cs => [|[x th] cs] // ends /and3P[/fits_inP h0 /coveredP[_ h1 h2] h3]; apply/and4P; split=> //.
have tail : all_used (Mul n0 (Num v)) (Mul n0 (Num n)) ns nus.
  by rewrite /all_used /=; case: (ns) (nus) ends (levels_x_rows h3) => [|n' ns'] [|v' nus'] //= ->.
by have := IH _ _ _ _ _ _ _ _ _ _ _ tail h3; rewrite /= SuccNat2Pos.id_succ blocks_sumE hl; under eq_bigr do rewrite hl.
Qed.

(** The rows of the last table are all used, and there is a last one. *)
Lemma used_some ns rows : used_rows ns rows != [::]. Proof. by case: rows. Qed.
(** ... so the last table's entries are all used. *)
Lemma used_tail m n ns rows : let nus := used_rows (n :: ns) rows in size (behead nus) = size ns ->
  all_used (Mul m (Num (head n nus))) (Mul m (Num n)) ns (behead nus).
Proof.
rewrite /used_rows /all_used; case: rows ns => [|v rows] [|n' ns] //=; first by case: rows.
by rewrite last_rcons.
Qed.

(** The inequalities of a theorem. *)
Lemma check_inequalities_sound b m ns s (md : model) : check_inequalities q false b m ns s ->
  message_bits md (nn (budget_beta b)) -> block_bits md (budget_block b) -> (many_full s -> budget_block b 0 = 0) ->
  (if many_full s then number_full md <= (size ns).+1 /\ no_early_rec md else number_full md <= size ns) ->
  ~ solves (number_value m) (map number_value ns) md.
Proof.
rewrite /check_inequalities; have := block_expressionE b; move: (block_expression b) => lam B h hb hl h0 hF.
case: s h h0 hF => [|th|x0 v th|g v o k|g u t1 x2 t2|t1 v t2|g v o k|g t1 cs rows|x0 x1 t1 cs rows].
8: { case: ns => // n ns /and4P[/fits_inP h1 /fits_inP hv /fewP h2 /(levels_xP B (@used_tail (Num m) n ns rows)) h3] _ hF.
  apply: (AL hb hl _ (nus := map number_value (used_rows (n :: ns) rows)) (g := number_value g) (Th1 := number_value t1) (cs := map pair_value cs)).
    by rewrite size_map.
  by move: h1 hv h2 h3; case: (used_rows _ _) (used_some (n :: ns) rows) => // v nus _; rewrite /= !B !productE => *; apply/and4P. }
8: { case: ns => // n ns /and4P[/fits_inP h1 /fits_inP hv /coveredP[_ h2 h2'] /(levels_xP B (@used_tail (Num m) n ns rows)) h3] _ [hF hR].
  apply: (BL hb hl _ hR (nus := map number_value (used_rows (n :: ns) rows)) (x0 := number_value x0) (x1 := number_value x1)
    (Th1 := number_value t1) (cs := map pair_value cs)); first by rewrite size_map.
  by move: h1 hv h2 h2' h3; case: (used_rows _ _) (used_some (n :: ns) rows) => // v nus _; rewrite /= !B !productE => *; apply/and5P. }
all: case: ns => [|n [|n' [|n'' ns]]] //=.
- move=> /lessP; rewrite /= B => h /(_ isT) h0 [hF hR].
  apply: (theoremB_one hb (block_state_bits hl) hF hR).
  by rewrite big_nat_recr //= big_nat1 h0.
- by case/andP => /fewP h1 /lessP h2 _ hF; rewrite /= !B in h1 h2; apply: (A2 hb hl hF h1 h2).
- case/and3P => /fits_inP h1 /fewP h2 /lessP h3 _ [hF hR]; rewrite /= !B in h1 h2 h3.
  exact: (B2 hb hl hF hR h1 h2 h3).
- case/and4P => /fits_inP h1 /fits_inP h2 /fits_inP h3 /lessP h4 _ [hF hR]; rewrite /= !B ?subn1 in h1 h2 h3 h4.
  exact: (B2c hb hl hF hR h1 h2 h3 h4).
- case/and5P => /fits_inP h1 /fits_inP h2 h3 /fewP h4 h5 _ hF.
  have {}h3 : 0 < number_value t2 := low_gt0 (enclosed_ok (Num t2)) h3.
  rewrite /= !B in h1 h2 h4; move: h5; case: ifP => [/(is_zeroP (enclosed_ok _)) l1|_] /andP[/coveredP[_ h6 h7] /lessP h8].
    rewrite B in l1; rewrite /= !B in h6 h7 h8; apply: (A3_quiet hb hl hF l1 h1 h2 h3 h6 h4 h7).
    by move: h8; rewrite subn1.
  rewrite /= !B in h6 h7 h8; apply: (A3 hb hl hF h1 h2 h3 h6 h4 h7).
  by move: h8; rewrite subn1.
- case/and5P => /(is_zeroP (enclosed_ok _)) l0 /(is_zeroP (enclosed_ok _)) l1 /fits_inP h1 /fits_inP h2 /andP[/fewP h3 /lessP h4] _ hF.
  rewrite !B in l0 l1; rewrite /= !B in h1 h2 h3 h4; apply: (A3_free hb hl hF l0 l1 h1 h2 h3).
  by move: h4; rewrite subn1.
- case/and5P => /(is_zeroP (enclosed_ok _)) l0 /fits_inP h1 /fits_inP h2 /fits_inP h3 /lessP h4 _ hF.
  by rewrite B in l0; rewrite /= !B ?subn1 in h1 h2 h3 h4; apply: (A3c hb hl hF l0 h1 h2 h3 h4).
Qed.

(** The first tables of a task; the further ones may be the identity. *)
Lemma check_sharper_sound t b tables s (md : model) : check_sharper q false t b tables s ->
  message_bits md (nn (budget_beta b)) -> block_bits md (budget_block b) ->
  (if many_full s then number_full md <= tables /\ no_early_rec md else number_full md < tables) -> ~ solves_task t md.
Proof.
case/and5P => _ zero /PeanoNat.Nat.ltb_lt/ltP t0 /PeanoNat.Nat.leb_le/leP le /andP[pos ok] hb hl hF sol.
move: hF; rewrite -(prednK t0) ltnS => hF.
have [||md' [ew sol' mb bb]] := @identities_known md (number_value (task_m t)) (map number_value (take tables.-1 (task_ns t)))
  (map number_value (drop tables.-1 (task_ns t))).
- by apply/allP => _ /mapP[n nd ->]; apply: (low_gt0 (of_number_ok n)); apply: (allP pos).
- by rewrite -map_cat cat_take_drop.
have small : size (take tables.-1 (task_ns t)) = tables.-1 by rewrite size_takel // -ltnS prednK.
apply: (check_inequalities_sound ok (mb _ hb) (bb _ hl) _ _ sol') => [many|].
  by move: zero; rewrite many /= => /(is_zeroP (of_number_ok _)); rewrite linear_numberE.
by move: hF; rewrite small !number_full_word !no_early_rec_word ew.
Qed.

(** A2_W: the inequalities. *)
Lemma check_windowsP t b r0 r1 : check_windows q t b r0 r1 -> exists n1 more, let m := number_value (task_m t) in
  [/\ task_sizes t = n1 :: more, all (leq 1) more, 0 < m, 2 * nn r0 + nn r1 <= m
    & 2 ^ (nn (budget_beta b) * (n1 + nn r1)) < (m * n1) ^ (m * n1)].
Proof.
rewrite /check_windows /task_sizes; case: (task_ns t) => // n more /and4P[pos m0 /fits_inP room /lessP few].
exists (number_value n), (map number_value more); split=> //; last exact: (low_gt0 (enclosed_ok (Num (task_m t)))).
by apply/allP => _ /mapP[c cm ->]; apply: (low_gt0 (of_number_ok c)); apply: (allP pos).
Qed.
End Digits.

(** A word of windows alone. *)
Lemma windows_alone X plain (ls : seq (windowed X plain)) w :
  [seq (if l is Window r _ then Some r else None) | l <- ls] = map (omap nn) w ->
  count (fun r : option N => if r is None then true else false) w = 0 ->
  all (@is_window _ _) ls /\ reach ls = nn (reaches_of w).1.
Proof.
elim: ls w => [|l ls IH] [|[r|] w] //= [e /IH{IH}h]; rewrite add0n => /h[all_ er].
case: l e => // r' f [->]; split=> //; rewrite /reach /= -/(reach ls) er.
by case: (reaches_of w) => before rest; rewrite /= toD.
Qed.
(** One full layer between windows. *)
Lemma spells_between X plain w r0 r1 (F : plain) (ls : seq (windowed X plain)) :
  spells w r0 r1 -> spelled w F ls -> between_windows (nn r0) (nn r1) F ls.
Proof.
move=> ok [+ [W0 [W1 E]]]; rewrite E => letters; exists W0, W1.
suff [w0 w1 e0 e1] : [/\ all (@is_window _ _) W0, all (@is_window _ _) W1, reach W0 = nn (reaches_of w).1
    & reach W1 = nn (reaches_of (reaches_of w).2).1].
  move: ok e0 e1; rewrite /spells; case: (reaches_of w) => before rest /and3P[_ /N.eqb_spec <- /N.eqb_spec <-] /= e0 e1.
  by split; rewrite ?e0 ?e1.
have {ok} one : count (fun r : option N => if r is None then true else false) w = 1.
  by move: ok; rewrite /spells; case: (reaches_of w) => ? ? /and3P[/PeanoNat.Nat.eqb_eq].
elim: W0 w letters one {E} => [|l W0 IH] [|[r|] w] //=.
- by case=> letters [one]; have [h e] := windows_alone letters one.
- case=> e letters; rewrite add0n => /(IH _ letters)[h0 h1 e0 e1]; case: l e => // r' f [->].
  by move: e0 e1; case: (reaches_of w) => before rest /= e0 e1; split=> //; rewrite /reach /= -/(reach W0) e0 toD.
case=> _ letters [none]; have [+ _] := windows_alone letters none.
by rewrite all_cat /= andbF.
Qed.
