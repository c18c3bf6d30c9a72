(** (P), the product restriction (theory 5.7, 5.8): from the top down, fix the state of block 0 behind every table, and what
    every w hears from it in layer 1.  The sets of tables stay a product. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts Players.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** One set of fillings for each player; their product; each of them keeps 2^{-P} of all fillings. *)
Fixpoint boxes (ss : seq shape) : Type := if ss is s :: ss' then (boxes ss' * {set filling s})%type else unit.
Fixpoint box (ss : seq shape) : boxes ss -> {set Players ss} :=
  match ss return boxes ss -> {set Players ss} with
  | [::] => fun _ => setT | s :: ss' => fun b => setX (box b.1) b.2 end.
Fixpoint thick (P : nat) (ss : seq shape) : boxes ss -> Prop :=
  match ss return boxes ss -> Prop with
  | [::] => fun _ => True | s :: ss' => fun b => range s ^ entries s <= #|b.2| * 2 ^ P /\ thick P b.1 end.
Definition ranges : seq shape -> bool := all (fun s => 0 < range s).

(** Tables of sizes that are not 0: a thick box has a member. *)
Lemma box_pick P ss (b : boxes ss) : ranges ss -> thick P b -> exists u, u \in box b.
Proof.
elim: ss b => [|s ss IH] /=; first by move=> b _ _; exists tt; rewrite inE.
move=> [b Q] /andP[N0 ss0] [/= hQ hb]; have [u uB] := IH b ss0 hb.
have [f fQ] : exists f, f \in Q by apply: dense_pick hQ; rewrite expn_gt0 N0.
by exists (u, f); rewrite inE /= uB.
Qed.

Section Boxes.
Variables (md : model) (B0 A0 : seq (layer (act md))).
(** The states of B0 before some tokens, and the tokens, tell the states behind them and what they know after A0. In A_L
    both are block 0; in B_L, which has no block 0, B0 is the first Full layer with its recurrent heads, and A0 is empty. *)
Hypothesis behind : forall p p' P j, P <= j -> (forall k, P <= k < j -> nth (Val 0) p k = nth (Val 0) p' k) ->
  same_states (md := md) p p' P [::] B0 -> same_states (md := md) p p' j [::] B0.
Hypothesis known : forall p p' P j, P <= j -> (forall k, P <= k <= j -> nth (Val 0) p k = nth (Val 0) p' k) ->
  same_states (md := md) p p' P [::] B0 -> acts A0 p j = acts A0 p' j.

(** Block 0 has the same states behind every table, whatever the tables of the box. *)
Fixpoint box_states (ss : seq shape) : boxes ss -> Prop :=
  match ss return boxes ss -> Prop with
  | [::] => fun _ => True
  | s :: ss' => fun b => (forall u u' : Players (s :: ss'), u \in setX (box b.1) b.2 -> u' \in setX (box b.1) b.2 ->
      same_states (md := md) (before u) (before u') (total (s :: ss')) [::] B0) /\ box_states b.1 end.
(** In a box block 0 has the same states behind the last table. *)
Lemma box_same ss (b : boxes ss) : box_states b -> forall u u', u \in box b -> u' \in box b ->
  same_states (md := md) (before u) (before u') (total ss) [::] B0.
Proof.
case: ss b => [|s ss] b /=; last by case.
by move=> _ *; apply: same_states_refl.
Qed.
(** Behind one more table: what the tables above fixed stays fixed. *)
Lemma box_next s ss (b : boxes ss) (u u' : Players ss) (f : filling s) : box_states b -> u \in box b -> u' \in box b ->
  same_states (md := md) (before u ++ shown f) (before u' ++ shown f) (total ss + held s) [::] B0.
Proof.
move=> hb uB uB'; apply: (@behind _ _ (total ss)); rewrite ?leq_addr //.
  by move=> k /andP[lk _]; rewrite !nth_cat !size_before ltnNge lk.
by apply/same_states_prefix; rewrite ?size_before //; apply: (box_same hb).
Qed.
Arguments box_next {s ss b u u'} f.

(** From the top down, fix the commonest state of block 0: Λ_0 bits for each table. *)
Lemma boxes_states lam0 ss : \prod_(l <- B0) states l <= 2 ^ lam0 -> ranges ss ->
  exists b : boxes ss, thick lam0 b /\ box_states b.
Proof.
move=> hl; elim: ss => [|s ss IH] /=; first by exists tt.
case/andP=> N0 ss0; have [b [tb sb]] := IH ss0; have [us usB] := box_pick ss0 tb.
have [Q [_ /states_fixed cQ] dQ] : exists2 Q : {set filling s}, Q \subset setT /\
    consts Q (states_asked (fun f => before us ++ shown f) (total ss + held s) [::] B0) & range s ^ entries s <= #|Q| * 2 ^ (0 + lam0).
  by apply: fixing_bits; [rewrite cardsT card_ffun !card_ord muln1 | rewrite states_charge].
exists (b, Q); split=> //=; split=> // -[u f] [u' f'] /setXP[uB fQ] /setXP[uB' fQ'].
rewrite total_cons.
apply: same_states_trans (box_next f sb uB usB) _; apply: same_states_trans (cQ f f' fQ fQ') _.
exact: same_states_sym (box_next f' sb uB' usB).
Qed.

(** What a token q at position k q, which knows x q before layer 1, hears from the tables: from the top down, table by table, the
    accumulator behind it is fixed. *)
Lemma boxes_heard (T : eqType) (qs : seq T) (x : T -> act md) (k : T -> nat) (F1 : layer (act md)) beta lam0 ss (b : boxes ss) :
  sums F1 <= 2 ^ beta -> ranges ss -> thick lam0 b -> box_states b ->
  exists b' : boxes ss, [/\ thick (lam0 + beta * size qs) b', box_states b', box b' \subset box b
    & forall u u' q, u \in box b' -> u' \in box b' -> q \in qs ->
      partial_sum F1 (acts A0 (before u)) (x q) (total ss) (k q) = partial_sum F1 (acts A0 (before u')) (x q) (total ss) (k q)].
Proof.
move=> hF; elim: ss b => [|s ss IH] /=.
  by move=> b _ _ _; exists tt; split=> // u u' q _ _ _; case: (F1).
move=> [b Q] /andP[N0 ss0] [/= hQ tb] [st sb]; have [b' [tb' sb' sub hh]] := IH b ss0 tb sb.
have [us usB] := box_pick ss0 tb'.
pose hq q : question (filling s) :=
  Ask (fun f => partial_sum F1 (acts A0 (before us ++ shown f)) (x q) (total ss + held s) (k q)).
have [Q' [sQ cQ] dQ] : exists2 Q' : {set filling s}, Q' \subset Q /\ consts Q' [seq hq q | q <- qs]
    & range s ^ entries s <= #|Q'| * 2 ^ (lam0 + beta * size qs).
  by apply: fixing_bits hQ _; apply: charge_each => q; rewrite /= card_sum_type.
exists (b', Q'); split=> //=.
- split=> // -[u f] [u' f'] /setXP[h1 h2] /setXP[h1' h2']; apply: st; apply/setXP.
    by split; [apply: (subsetP sub) | apply: (subsetP sQ)].
  by split; [apply: (subsetP sub) | apply: (subsetP sQ)].
- by apply: setXS.
move=> [u f] [u' f'] q /setXP[uB fQ] /setXP[uB' fQ'] qq; rewrite total_cons.
have E (w : Players ss) (g : filling s) : w \in box b' ->
    partial_sum F1 (acts A0 (before w ++ shown g)) (x q) (total ss + held s) (k q) = ask (hq q) g.
  move=> wB; apply: (sum_from (leq_addr _ _)).
    by rewrite !(sum_prefix _ _ _ (p := before _)) ?size_before //; apply: hh.
  move=> j /andP[lj _]; apply: (@known _ _ (total ss)) => //.
    by move=> i /andP[li _]; rewrite !nth_cat !size_before ltnNge li.
  by apply/same_states_prefix; rewrite ?size_before //; apply: (box_same sb').
by rewrite !E //; apply: (consts_map cQ).
Qed.
End Boxes.
