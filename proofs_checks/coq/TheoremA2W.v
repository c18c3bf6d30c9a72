(** Theorem A2_W: L = 2, one Full layer and windows (theory 5.9, Windows). A window costs its reach in tokens, not its state. *)
From Coq Require Import Arith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Prompt Counting Knowledge TwoPrompts Prefix ExactModels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Orders of sums and differences. *)
Ltac arith := rewrite -?plusE -?minusE -?multE;
  repeat match goal with |- is_true (_ <= _) -> _ => move/leP => ? end; apply/leP; lia.

(** A window sees r + 1 tokens. *)
Lemma window_same X r (x y : nat -> X) i : (forall j, i - r <= j <= i -> x j = y j) ->
  [seq x j | j <- iota (i - r) (i - (i - r)).+1] = [seq y j | j <- iota (i - r) (i - (i - r)).+1].
Proof. by move=> same; apply/eq_in_map => j; rewrite mem_iota addnS subnKC ?leq_subr // ltnS; apply: same. Qed.

(** Behind windows a token knows what the tokens within their reach knew. *)
Lemma windows_local X plain (run : (nat -> X) -> plain -> nat -> X) ls x y i : all (@is_window X plain) ls ->
  (forall j, i - reach ls <= j <= i -> x j = y j) -> foldl (run_windowed run) x ls i = foldl (run_windowed run) y ls i.
Proof.
elim: ls x y => [|[l|r f] ls IH] x y //= h same; first by apply: same; rewrite subn0 leqnn.
apply: IH => // j /andP[lo hi]; rewrite /run_windowed; congr (f _ _); apply: window_same => k /andP[lk kj]; apply: same.
by rewrite (leq_trans kj hi) andbT /reach /= addnC subnDA (leq_trans _ lk) // leq_sub2r.
Qed.

(** With at most one state there is nothing to know of it. *)
Lemma same_single_state X (l : layer X) x y P : states l <= 1 -> state_at l x P = state_at l y P.
Proof.
move=> le; apply/eqP; apply: contraTT (_ : #|state_type l| <= 1) => [ne|]; last by rewrite card_state_type.
by rewrite -ltnNge; apply/card_gt1P; exists (state_at l x P), (state_at l y P).
Qed.

(** A sum is a function of the tokens that are summed. *)
Lemma same_sum X (l : layer X) x y xi P i : (forall j, j < P -> x j = y j) -> partial_sum l x xi P i = partial_sum l y xi P i.
Proof. by case: l => //= *; apply: (@state_ext _ _ _ _ _ _ 0) => // j /andP[_]; auto. Qed.

Section A2W.
Variables (md : window_model layer) (m n1 r0 r1 d : nat) (pre : seq token).
Notation N := (m * n1).
Notation X := (wact md).
Variables (W0 W1 : seq (windowed X (layer X))) (F : layer X).
Hypotheses (w0 : all (@is_window _ _) W0) (w1 : all (@is_window _ _) W1) (e0 : reach W0 <= r0) (e1 : reach W1 <= r1).
Hypotheses (oneS : states F <= 1) (the_word : wlayers md = W0 ++ Plain _ F :: W1).
Hypotheses (z0m : r0 < m) (room : 2 * r0 + r1 <= m).

(** z_0 = r_0, and table 1 is constant but for z_1(z_0) = i. *)
Notation z0_place := (Ordinal z0m).
Definition one_entry (i : 'I_m) : {ffun 'I_m -> 'I_m} := [ffun e => if e == z0_place then i else z0_place].
Definition asked (z2 : {ffun 'I_N -> 'I_N}) (i : 'I_m) (w : nat) : seq token :=
  (pre ++ vals z2) ++ vals (one_entry i) ++ [:: Val r0; Query (w :: nseq d 0)].
Notation front := (size pre + N).
Notation q := (front + r0).                                    (* the position of the entry z_1(z_0) *)
Notation P := (front + m.+1).                                  (* the position of w *)

(** The tokens before z_1(z_0) say nothing of i and w. *)
Lemma asked_before z2 i i' w w' j : j < q -> nth (Val 0) (asked z2 i w) j = nth (Val 0) (asked z2 i' w') j.
Proof.
move=> jq; rewrite /asked; set a := pre ++ vals z2; have sa : size a = front by rewrite size_cat size_vals.
rewrite ![nth _ (a ++ _) _]nth_cat sa; case: ltnP => // fj.
have js : j - front < r0 by rewrite ltn_subLR.
have jm := ltn_trans js z0m.
rewrite !nth_cat !size_vals jm !(nth_map 0) ?size_table_values //.
have E k : nth 0 (table_values (one_entry k)) (j - front) = r0.
  by rewrite (nth_table_values (one_entry k) (Ordinal jm)) ffunE -val_eqE /= ltn_eqF.
by rewrite !E.
Qed.
(** Those behind table 2 say nothing of it. *)
Lemma asked_behind z2 z2' i w j : front <= j -> nth (Val 0) (asked z2 i w) j = nth (Val 0) (asked z2' i w) j.
Proof. by move=> fj; rewrite /asked ![nth _ (_ ++ _) _]nth_cat !size_cat !size_vals ltnNge fj. Qed.
(** Those behind z_1(z_0) say nothing of either. *)
Lemma asked_last z2 z2' i i' w w' j : q < j -> (j < P) || (w == w') ->
  nth (Val 0) (asked z2 i w) j = nth (Val 0) (asked z2' i' w') j.
Proof.
move=> qj lw; have fj : front <= j by apply: leq_trans (ltnW qj); rewrite leq_addr.
rewrite (asked_behind z2 z2') //; rewrite /asked; set a := pre ++ vals z2'.
have sa : size a = front by rewrite size_cat size_vals.
rewrite ![nth _ (a ++ _) _]nth_cat sa ltnNge fj /= !nth_cat !size_vals.
have rj : r0 < j - front by rewrite ltn_subRL.
case: ltnP => jm; last first.
  case/orP: lw => [jP|/eqP -> //]; suff -> : j - front - m = 0 by [].
  by apply/eqP; rewrite subn_eq0 -ltnS ltn_subLR.
rewrite !(nth_map 0) ?size_table_values //.
have E k : nth 0 (table_values (one_entry k)) (j - front) = r0.
  by rewrite (nth_table_values (one_entry k) (Ordinal jm)) ffunE -val_eqE /= gtn_eqF.
by rewrite !E.
Qed.

(** What the tokens know behind the windows before F, likewise. *)
Definition known z2 i w : nat -> X :=
  foldl (run_windowed (@run _)) (fun j => wembed md j (nth (Val 0) (asked z2 i w) j)) W0.
(** Windows before F: the tokens within reach r_0 tell what a token knows. *)
Lemma known_same p p' j : (forall k, j - r0 <= k <= j -> nth (Val 0) p k = nth (Val 0) p' k) ->
  foldl (run_windowed (@run _)) (fun k => wembed md k (nth (Val 0) p k)) W0 j =
  foldl (run_windowed (@run _)) (fun k => wembed md k (nth (Val 0) p' k)) W0 j.
Proof.
move=> same; apply: windows_local => // k /andP[lo hi]; rewrite same // hi andbT; apply: leq_trans lo.
exact: leq_sub2l.
Qed.
(** Before z_1(z_0) nobody knows i or w. *)
Lemma known_before z2 i i' w w' j : j < q -> known z2 i w j = known z2 i' w' j.
Proof. by move=> jq; apply: known_same => k /andP[_ kj]; apply: asked_before; apply: leq_ltn_trans kj jq. Qed.
(** From z_1(z_0) on nobody knows table 2. *)
Lemma known_behind z2 z2' i w j : q <= j -> known z2 i w j = known z2' i w j.
Proof.
by move=> qj; apply: known_same => k /andP[lo _]; apply: asked_behind; move: qj lo; arith.
Qed.
(** The last r_1 tokens before w, and w, know neither. *)
Lemma known_last z2 z2' i i' w w' j : P - r1 <= j -> (j < P) || (w == w') -> known z2 i w j = known z2' i' w' j.
Proof.
move=> Pj lw; apply: known_same => k /andP[lo hi]; apply: asked_last.
  by move: room Pj lo; arith.
by case/orP: lw => [jP|->]; rewrite ?orbT // (leq_ltn_trans hi jP).
Qed.

(** What is fixed about z_2: what w hears from the tokens before z_1(z_0), and what each of the r_1 tokens before w does. *)
Definition heard z2 (c : 'I_n1 + 'I_r1) : sum_type F :=
  match c with
  | inl w => partial_sum F (known z2 z0_place w) (known z2 z0_place w P) q P
  | inr s => partial_sum F (known z2 z0_place 0) (known z2 z0_place 0 (P - s.+1)) q (P - s.+1)
  end.
Definition all_heard (z2 : {ffun 'I_N -> 'I_N}) : {ffun 'I_n1 + 'I_r1 -> sum_type F} := [ffun c => heard z2 c].

(** Equal charges: w knows the same behind F, and so does each of these tokens, whatever i is. *)
Lemma full_same z2 z2' i (w : 'I_n1) j : all_heard z2 = all_heard z2' -> P - r1 <= j <= P ->
  run (known z2 i w) F j = run (known z2' i w) F j.
Proof.
move=> same /andP[lo hi]; have qj : q <= j by move: room lo; arith.
apply: (@run_eq _ F _ _ q) => //.
- by move=> k /andP[qk _]; apply: known_behind.
- exact: same_single_state.
have own (z : {ffun 'I_N -> 'I_N}) w' : (j < P) || (w == w' :> nat) ->
    partial_sum F (known z i w) (known z i w j) q j = partial_sum F (known z z0_place w') (known z z0_place w' j) q j.
  move=> lw; rewrite (known_last z z i z0_place lo lw).
  by apply: same_sum => k kq; apply: known_before.
have {same} at_ c : heard z2 c = heard z2' c by move/ffunP: same => /(_ c); rewrite !ffunE.
case: (ltngtP j P) hi => // [jP|jP] _; last by have := at_ (inl w); rewrite /= -jP -!own ?eqxx ?orbT.
have sr : P - j.+1 < r1 by move: lo jP; arith.
have E : P - (P - j.+1).+1 = j by rewrite subnSK // subKn // ltnW.
by have := at_ (inr (Ordinal sr)); rewrite /= E -!own ?jP.
Qed.

(** So w's last activation is the same. *)
Lemma answer_same z2 z2' i (w : 'I_n1) : all_heard z2 = all_heard z2' ->
  window_output (@run) md (asked z2 i w) = window_output (@run) md (asked z2' i w).
Proof.
move=> same; have sz z : (size (asked z i w)).-1 = P by rewrite /asked !size_cat !size_vals /= addn2 addnS.
rewrite /window_output !sz the_word !foldl_cat /=; congr wout; apply: windows_local => // j /andP[lo hi].
by apply: full_same; rewrite // hi andbT; move: lo e1; arith.
Qed.

(** All N entries are asked: too little is heard to tell the tables apart. *)
Lemma A2W_core beta : sums F <= 2 ^ beta -> 2 ^ (beta * (n1 + r1)) < N ^ N ->
  ~ forall (z2 : {ffun 'I_N -> 'I_N}) i (w : 'I_n1), window_output (@run) md (asked z2 i w) = z2 (entry (w, i)).
Proof.
move=> hb few right.
have /injectivePn[z2 [z2' ne same]] : ~~ injectiveb all_heard.
  apply: contraL few => /injectiveP/leq_card; rewrite !card_ffun card_sum !card_ord card_sum_type -leqNgt => le.
  by apply: leq_trans le _; rewrite expnM exp_mono.
case/eqP: ne; apply/ffunP => e; have mm : 0 < m := leq_ltn_trans (leq0n _) z0m.
have wn : e %/ m < n1 by rewrite ltn_divLR // [X in _ < X]mulnC.
have im : e %% m < m by rewrite ltn_mod.
have E : e = entry (Ordinal wn, Ordinal im) by apply: val_inj; rewrite /= -divn_eq.
by apply: val_inj; rewrite E /= -!right (answer_same _ _ same).
Qed.
End A2W.

(** A2_W with further tables, which may be the identity. *)
Theorem A2W_more beta m n1 more r0 r1 (md : window_model layer) F :
  between_windows r0 r1 F (wlayers md) -> sums F <= 2 ^ beta -> states F <= 1 -> all (leq 1) more -> 0 < m ->
  2 * r0 + r1 <= m -> 2 ^ (beta * (n1 + r1)) < (m * n1) ^ (m * n1) -> ~ window_solves (@run) m (n1 :: more) md.
Proof.
case=> W0 [W1 [E w0 w1 e0 e1]] hb hs pos m0 room few sol.
have z0m : r0 < m by move: room m0; case: (r0) => [|r] //; arith.
pose pre := [seq Val v | v <- flatten (rev (identities (m * n1) more))].
case: (@A2W_core _ _ _ _ _ (size more) pre _ _ _ w0 w1 e0 e1 hs E z0m room _ hb few) => z2 i w.
pose zs := [:: table_values (one_entry z0m i); table_values z2].
have ok : valid m [:: n1] r0 zs [:: val w] by rewrite /valid /= z0m !size_table_values eqxx !tab_below ltn_ord.
have [ok' ans eqp] := identities_more pos ok; have := sol _ _ _ ok'; rewrite ans eqp.
have -> : asked (size more) pre z0m z2 i w = pre ++ map (longer (size more)) (prompt r0 zs [:: val w]).
  by rewrite /asked /prompt /zs /vals /= cats0 !map_cat -!map_comp -!catA.
move=> ->; rewrite /= size_table_values (nth_table_values _ (Ordinal z0m)) ffunE eqxx.
by rewrite (nth_table_values z2 (entry (w, i))).
Qed.

(** A2_W: two tables, one Full layer and windows. *)
Theorem A2W beta m n1 r0 r1 (md : window_model layer) F :
  between_windows r0 r1 F (wlayers md) -> sums F <= 2 ^ beta -> states F <= 1 -> 0 < m ->
  2 * r0 + r1 <= m -> 2 ^ (beta * (n1 + r1)) < (m * n1) ^ (m * n1) -> ~ window_solves (@run) m [:: n1] md.
Proof. by move=> word hb hs; apply: A2W_more word hb hs _. Qed.

(** * Windows and a softmax layer in exact arithmetic *)
Definition as_windowed X (k : nat) (l : windowed X (exact_layer X)) : windowed X (layer X) :=
  match l with Plain l => Plain _ (as_layer k l) | Window r f => Window _ r f end.
(** Layer after layer the same, at prompts of at most 2^k tokens. *)
Lemma as_windowed_foldl X k (x : nat -> X) ls i : i < 2 ^ k ->
  foldl (run_windowed (@run X)) x (map (@as_windowed X k) ls) i = foldl (run_windowed (@compute X)) x ls i.
Proof.
move=> small; suff same y : (forall j, j <= i -> x j = y j) ->
    foldl (run_windowed (@run X)) x (map (@as_windowed X k) ls) i = foldl (run_windowed (@compute X)) y ls i by exact: same.
elim: ls x y => [|l ls IH] x y xy /=; first exact: xy.
apply: IH => j ji; case: l => [l|r f]; rewrite /as_windowed /run_windowed.
  rewrite -(@as_layer_run _ k) ?(leq_ltn_trans ji small) //; apply: run_causal => c cj; apply: xy; exact: leq_trans cj ji.
by congr (f _ _); apply: window_same => c /andP[_ cj]; apply: xy; apply: leq_trans cj ji.
Qed.
(** Windows stay what they are. *)
Lemma as_windowed_windows X k (ls : seq (windowed X (exact_layer X))) : all (@is_window _ _) ls ->
  all (@is_window _ _) (map (@as_windowed X k) ls) /\ reach (map (@as_windowed X k) ls) = reach ls.
Proof. by elim: ls => [|[l|r f] ls IH] //= /IH[h e]; split=> //; rewrite /reach /= -!/(reach _) e. Qed.

(** A2_W for exact models. *)
Theorem A2W_exact k beta m n1 more r0 r1 (md : window_model exact_layer) F :
  tokens m (n1 :: more) <= 2 ^ k -> between_windows r0 r1 F (wlayers md) ->
  soft_bits k F <= beta -> linear_bits F = 0 -> all (leq 1) more -> 0 < m ->
  2 * r0 + r1 <= m -> 2 ^ (beta * (n1 + r1)) < (m * n1) ^ (m * n1) -> ~ window_solves (@compute) m (n1 :: more) md.
Proof.
rewrite /tokens -addn2 => small [W0 [W1 [E w0 w1 e0 e1]]] hb hs pos m0 room few sol.
pose md' := WindowModel (plain := layer) (@wembed _ md) (map (@as_windowed _ k) (wlayers md)) (@wout _ md).
have [w0' e0'] := as_windowed_windows k w0; have [w1' e1'] := as_windowed_windows k w1.
have word : between_windows r0 r1 (as_layer k F) (wlayers md').
  by exists (map (@as_windowed _ k) W0), (map (@as_windowed _ k) W1); split; rewrite ?e0' ?e1' //= E map_cat.
apply: (A2W_more word (beta := beta)) pos m0 room few _.
- by rewrite as_layer_sums leq_exp2l.
- by rewrite as_layer_states hs.
move=> z0 zs ws ok; rewrite -(sol _ _ _ ok) /window_output /md' /=; congr (wout _).
by apply: as_windowed_foldl; rewrite (size_valid ok); move: small; rewrite /tokens addn2.
Qed.
