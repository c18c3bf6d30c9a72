(** What two prompts share: blocks, states and sums that reach a token, and the counting that all the
    theorems of theory 5.7 and 5.8 end with. *)
From Coq Require Import Arith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Blocks, one by one *)

Section Blocks.
Variable X : Type.
Implicit Types (l : layer X) (ls rs : seq (layer X)).

(** A word with a Full layer is block 0, that layer, and the rest. *)
Lemma first_full ls : has (@is_full X) ls ->
  exists B0 F ls', [/\ ls = B0 ++ F :: ls', ~~ has (@is_full X) B0 & is_full F].
Proof.
elim: ls => //= l ls IH; case lF: (is_full l) => /= h; first by exists [::], l, ls.
have [B0 [F [ls' [-> nB FF]]]] := IH h.
by exists (l :: B0), F, ls'; rewrite /= lF.
Qed.

(** Block 0 is what stands before the first Full layer. *)
Lemma upto0_cat B0 F ls' : ~~ has (@is_full X) B0 -> is_full F -> upto 0 (B0 ++ F :: ls') = B0.
Proof. by move=> + FF; elim: B0 => [|l B0 IH] /=; rewrite ?FF // negb_or => /andP[/negbTE-> /IH ->]. Qed.

(** The layers up to block t+1 of a word with a first Full layer. *)
Lemma uptoS_cat t B0 F ls' : ~~ has (@is_full X) B0 -> is_full F ->
  upto t.+1 (B0 ++ F :: ls') = B0 ++ F :: upto t ls'.
Proof. by move=> + FF; elim: B0 => [|l B0 IH] /=; rewrite ?FF // negb_or => /andP[/negbTE-> /IH ->]. Qed.

(** Block 0. *)
Lemma block0_cat B0 F ls' : ~~ has (@is_full X) B0 -> is_full F -> block 0 (B0 ++ F :: ls') = B0.
Proof. exact: upto0_cat. Qed.
(** Block 1, with its Full layer. *)
Lemma block1_cat B0 F ls' : ~~ has (@is_full X) B0 -> is_full F -> block 1 (B0 ++ F :: ls') = F :: upto 0 ls'.
Proof. by move=> nB FF; rewrite /block uptoS_cat // upto0_cat // drop_size_cat. Qed.
(** Later blocks are blocks of the rest of the word. *)
Lemma blockSS_cat t B0 F ls' : ~~ has (@is_full X) B0 -> is_full F ->
  block t.+2 (B0 ++ F :: ls') = block t.+1 ls'.
Proof.
move=> nB FF; rewrite /block !uptoS_cat // size_cat /= addnC -drop_drop drop_size_cat //=.
Qed.
(** The layers up to block t+1 are those up to block t, and block t+1. *)
Lemma upto_block t ls : upto t.+1 ls = upto t ls ++ block t.+1 ls.
Proof.
rewrite /block; have [->|[F [rs [-> _]]]] := upto_split t ls; first by rewrite drop_size cats0.
by rewrite drop_size_cat.
Qed.
(** Without a Full layer all is block 0. *)
Lemma upto0_noF ls : ~~ has (@is_full X) ls -> upto 0 ls = ls.
Proof. by move=> number_full; apply: upto_all; rewrite leqNgt -has_count. Qed.

(** An idle Full layer at the end changes nothing: no sums, no states. *)
Definition idle : layer X := Full (M := unit_finType) tt (fun _ _ _ _ a => a)
  (St := unit_finType) tt (fun _ s _ => s) (fun _ x _ _ => x).


(** ... so every block keeps its number of states ... *)
Lemma block_idle t ls : \prod_(l <- block t (rcons ls idle)) states l = \prod_(l <- block t ls) states l.
Proof.
have [n le] := ubnP (size ls); elim: n ls le t => // n IH ls le t.
case hF: (has (@is_full X) ls).
  have [B0 [F [ls' [E nB FF]]]] := first_full hF.
  have lt : size ls' < n by rewrite -ltnS; apply: leq_ltn_trans le; rewrite E size_cat /= addnS ltnS leq_addl.
  rewrite E rcons_cat rcons_cons; case: t => [|[|t]].
  - by rewrite !block0_cat.
  - by rewrite !block1_cat // !big_cons (IH _ lt 0).
  by rewrite !blockSS_cat // IH.
have number_full : ~~ has (@is_full X) ls by rewrite hF.
have up k : upto k ls = ls.
  by apply: upto_all; move: number_full; rewrite has_count -leqNgt leqn0 => /eqP ->.
rewrite -cats1; case: t => [|[|t]].
- by rewrite block0_cat // /block upto0_noF.
- by rewrite block1_cat //= big_seq1 /block !up drop_size /= card_unit big_nil.
by rewrite blockSS_cat // /block !up drop_size /= big_nil; case: t.
Qed.
End Blocks.

(** ... and a model may be taken to have exactly k Full layers: the idle ones stand at the end. *)
Lemma pad_full (md : model) beta lam k : message_bits md beta -> block_bits md lam -> number_full md <= k ->
  exists md' : model, [/\ message_bits md' beta, block_bits md' lam, number_full md' = k,
    (no_early_rec md -> no_early_rec md') & forall p, output md' p = output md p].
Proof.
move=> hb hl; move: {-1}(k - number_full md) (erefl (k - number_full md)) => d.
elim: d md hb hl => [|d IH] md hb hl hd hk.
  by exists md; split=> //; apply/eqP; rewrite eqn_leq hk -subn_eq0 hd.
pose md1 := Model (embed md) (rcons (layers md) (idle (act md))) (@out md).
have nF1 : number_full md1 = (number_full md).+1 by rewrite /number_full /= -cats1 count_cat /= addn1.
have lt : number_full md < k by rewrite -subn_gt0 hd.
have [||||md' [h1 h2 h3 h4 h5]] := IH md1.
- by rewrite /message_bits /= all_rcons /= card_unit expn_gt0.
- by move=> t; rewrite block_idle.
- by rewrite nF1 subnS hd.
- by rewrite nF1.
exists md'; split=> // [hR|p]; last by rewrite h5 /output /= -cats1 foldl_cat.
apply: h4; move: hR; rewrite /no_early_rec /=.
elim: (layers md) 1%N => [|l ls IHl] t /=; first by case: t.
case lF: (is_full l) => /=; last by rewrite lF.
by case: t => //= t; rewrite lF /=; apply: IHl.
Qed.

(** The same answers, the same tasks. *)
Lemma solves_same m ns (md md' : model) : (forall p, output md' p = output md p) -> solves m ns md -> solves m ns md'.
Proof. by move=> same sol z0 zs ws ok; rewrite same; apply: sol. Qed.

(** At most one Full layer: the same answers from a block, F, a block. *)
Lemma one_full_word (md : model) beta lam : message_bits md beta -> block_bits md lam -> number_full md <= 1 ->
  exists md' : model, (forall p, output md' p = output md p) /\ exists B0 F B1,
  [/\ layers md' = B0 ++ F :: B1, ~~ has (@is_full _) B0 /\ ~~ has (@is_full _) B1, sums F <= 2 ^ beta
    & \prod_(l <- B0) states l <= 2 ^ lam 0 /\ \prod_(l <- F :: B1) states l <= 2 ^ lam 1].
Proof.
move=> hb hl hF; have [md' [hb' hl' h _ same]] := pad_full hb hl hF; exists md'; split=> //.
have [B0 [F [B1 [E nB0 FF]]]] : exists B0 F B1, [/\ layers md' = B0 ++ F :: B1, ~~ has (@is_full _) B0 & is_full F].
  by apply: first_full; rewrite has_count -/(number_full md') h.
have nB1 : ~~ has (@is_full _) B1.
  by move: h; rewrite /number_full E count_cat /= FF has_count -leqNgt addnCA => [[/eqP]]; rewrite addn_eq0 => /andP[_ /eqP ->].
exists B0, F, B1; have := hl' 0; rewrite E block0_cat // => h0; have := hl' 1; rewrite E block1_cat // upto0_noF // => h1.
by move: hb'; rewrite /message_bits E all_cat /= => /and3P[].
Qed.

(** At most two Full layers: the same answers from a block, F, a block, F, a block. *)
Lemma two_full_word (md : model) beta lam : message_bits md beta -> block_bits md lam -> number_full md <= 2 ->
  exists md' : model, (forall p, output md' p = output md p) /\ exists B0 F1 B1 F2 B2,
  [/\ layers md' = B0 ++ F1 :: B1 ++ F2 :: B2, [/\ ~~ has (@is_full _) B0, ~~ has (@is_full _) B1 & ~~ has (@is_full _) B2],
      sums F1 <= 2 ^ beta /\ sums F2 <= 2 ^ beta
    & [/\ \prod_(l <- B0) states l <= 2 ^ lam 0, \prod_(l <- F1 :: B1) states l <= 2 ^ lam 1 & \prod_(l <- F2 :: B2) states l <= 2 ^ lam 2]].
Proof.
move=> hb hl hF; have [md' [hb' hl' h _ same]] := pad_full hb hl hF; exists md'; split=> //.
have [B0 [F1 [ls1 [E0 nB0 FF1]]]] : exists B0 F1 ls', [/\ layers md' = B0 ++ F1 :: ls', ~~ has (@is_full _) B0 & is_full F1].
  by apply: first_full; rewrite has_count -/(number_full md') h.
have z (B : seq (layer (act md'))) : ~~ has (@is_full _) B -> count (@is_full _) B = 0 by rewrite has_count -leqNgt leqn0 => /eqP.
have h1 : count (@is_full _) ls1 = 1 by move: h; rewrite /number_full E0 count_cat /= FF1 z // => [[]].
have [B1 [F2 [B2 [E1 nB1 FF2]]]] : exists B0 F1 ls', [/\ ls1 = B0 ++ F1 :: ls', ~~ has (@is_full _) B0 & is_full F1].
  by apply: first_full; rewrite has_count h1.
have h2 : count (@is_full _) B2 = 0 by move: h1; rewrite E1 count_cat /= FF2 z // => [[]].
have nB2 : ~~ has (@is_full _) B2 by rewrite has_count h2.
exists B0, F1, B1, F2, B2; rewrite E1 in E0; have := hl' 0; rewrite E0 block0_cat // => l0.
have := hl' 1; rewrite E0 block1_cat // upto0_cat // => l1; have := hl' 2; rewrite E0 blockSS_cat // block1_cat // upto0_noF // => l2.
by move: hb'; rewrite /message_bits E0 all_cat /= all_cat /= => /and5P[].
Qed.

(** ... and with no R before the second, from F, F and a block. *)
Lemma two_early_word (md : model) beta lam : message_bits md beta -> block_bits md lam -> number_full md <= 2 -> no_early_rec md ->
  exists md' : model, (forall p, output md' p = output md p) /\ exists F1 F2 B2,
  [/\ layers md' = [:: F1, F2 & B2], ~~ has (@is_full _) B2, sums F1 <= 2 ^ beta /\ sums F2 <= 2 ^ beta
    & states F1 <= 2 ^ lam 1 /\ \prod_(l <- F2 :: B2) states l <= 2 ^ lam 2].
Proof.
move=> hb hl hF hR; have [md' [hb' hl' h hR' same]] := pad_full hb hl hF; exists md'; split=> //.
have [F1 [F2 [B2 [E [FF1 FF2] nB]]]] : exists F1 F2 B2, [/\ layers md' = [:: F1, F2 & B2], is_full F1 /\ is_full F2 & ~~ has (@is_full _) B2].
  move: h (hR' hR); rewrite /number_full /no_early_rec; case: (layers md') => [|F1 [|F2 ls]] //=; first by case: (is_full F1).
  case E1: (is_full F1) => /=; last by rewrite E1.
  case E2: (is_full F2) => /=; last by rewrite E1 E2.
  by move=> [/eqP n] _; exists F1, F2, ls; split=> //; rewrite has_count -leqNgt leqn0.
exists F1, F2, B2; have := hl' 1; rewrite E (@block1_cat _ [::]) //= FF2 big_seq1 => h1.
have := hl' 2; rewrite E (@blockSS_cat _ _ [::]) // (@block1_cat _ [::]) // upto0_noF // => h2.
by move: hb'; rewrite /message_bits E /= => /and3P[].
Qed.

(** * 2. Two prompts p, p' *)
Section Two.
Variable md : model.
Notation X := (act md).
Implicit Types (ls rs : seq (layer X)) (p a s : seq token).

(** The layers rs, run after ls, have the same states just before token i. *)
Fixpoint same_states p p' (i : nat) ls rs : Prop :=
  if rs is l :: rs' then state_at l (acts ls p) i = state_at l (acts ls p') i /\ same_states p p' i (rcons ls l) rs'
  else True.

(** The same prompt has the same states. *)
Lemma same_states_refl p i ls rs : same_states p p i ls rs.
Proof. by elim: rs ls => //= l rs IH ls; split. Qed.
(** Symmetry. *)
Lemma same_states_sym p p' i ls rs : same_states p p' i ls rs -> same_states p' p i ls rs.
Proof. by elim: rs ls => //= l rs IH ls [-> /IH]. Qed.
(** Transitivity. *)
Lemma same_states_trans p q r i ls rs : same_states p q i ls rs -> same_states q r i ls rs -> same_states p r i ls rs.
Proof. by elim: rs ls => //= l rs IH ls [-> h] [-> h']; split=> //; apply: IH h h'. Qed.
(** Layer by layer. *)
Lemma same_states_cat p p' i ls rs rs' :
  same_states p p' i ls (rs ++ rs') <-> same_states p p' i ls rs /\ same_states p p' i (ls ++ rs) rs'.
Proof. by elim: rs ls => [|l rs IH] ls /=; rewrite ?cats0 ?IH ?cat_rcons; tauto. Qed.

(** Causality: tokens after i do not reach the state before i. *)
Lemma st_prefix l ls p s i : i <= size p -> state_at l (acts ls (p ++ s)) i = state_at l (acts ls p) i.
Proof.
move=> le; have E j : j < i -> acts ls (p ++ s) j = acts ls p j.
  by move=> ji; apply: acts_prefix; apply: leq_trans ji le.
by case: l => /= *; apply: (@state_ext _ _ _ _ _ _ 0) => // j /E.
Qed.
(** Only the tokens before i matter. *)
Lemma same_states_prefix p p' s s' i ls rs : i <= size p -> i <= size p' ->
  same_states (p ++ s) (p' ++ s') i ls rs <-> same_states p p' i ls rs.
Proof. by move=> h h'; elim: rs ls => //= l rs IH ls; rewrite !st_prefix // IH. Qed.

(** Behind prefixes of the same length the same tokens have the same embeddings. *)
Lemma inputs_suffix a a' s j : size a = size a' -> size a <= j -> acts [::] (a ++ s) j = acts (md := md) [::] (a' ++ s) j.
Proof. by move=> E le; rewrite /acts /= /inputs !nth_cat -E ltnNge le. Qed.

(** One layer at one token: what it knew, the state into it, the sum that it hears. *)
Lemma layer_at l ls p p' i : acts ls p i = acts ls p' i ->
  state_at l (acts ls p) i = state_at l (acts ls p') i ->
  partial_sum l (acts ls p) (acts ls p i) i i = partial_sum l (acts ls p') (acts ls p i) i i ->
  acts (rcons ls l) p i = acts (rcons ls l) p' i.
Proof.
move=> xi st sm; rewrite /acts -cats1 !foldl_cat /=; apply: (@run_eq _ _ _ _ i) => //.
  by move=> j; rewrite -eqn_leq => /eqP <-.
by rewrite -/(acts ls p') -xi.
Qed.

(** Recurrent layers at one token: the states into it are enough. *)
Lemma recs_at rs ls p p' i : ~~ has (@is_full X) rs -> acts ls p i = acts ls p' i ->
  same_states p p' i ls rs -> acts (ls ++ rs) p i = acts (ls ++ rs) p' i.
Proof.
elim: rs ls => [|l rs IH] ls /=; first by rewrite cats0.
rewrite negb_or => /andP[lF number_full] xi [st h]; rewrite -cat_rcons; apply: IH => //.
by apply: layer_at => //; case: (l) lF.
Qed.

(** Recurrent layers are a scan: the states at a boundary and what the tokens P..b behind it knew fix what they know. *)
Lemma scan_upto rs ls p p' P b : ~~ has (@is_full X) rs -> (forall j, P <= j <= b -> acts ls p j = acts ls p' j) ->
  same_states p p' P ls rs ->
  forall j, P <= j <= b -> acts (ls ++ rs) p j = acts (ls ++ rs) p' j /\ same_states p p' j ls rs.
Proof.
elim: rs ls => [|l rs IH] ls /=; first by rewrite cats0 => _ xy _ j /xy.
rewrite negb_or => /andP[lF nF] xy [st h].
have stj j : P <= j <= b -> state_at l (acts ls p) j = state_at l (acts ls p') j.
  case/andP => Pj jb; case: (l) st => /= *; apply: state_ext Pj _ _ => // k /andP[Pk kj].
    by apply: xy; rewrite Pk (leq_trans (ltnW kj) jb).
  by apply: xy; rewrite Pk (leq_trans (ltnW kj) jb).
have next j : P <= j <= b -> acts (rcons ls l) p j = acts (rcons ls l) p' j.
  by move=> hj; apply: layer_at; rewrite ?stj ?xy //; case: (l) lF.
by move=> j hj; have [h1 h2] := IH (rcons ls l) nF next h j hj; rewrite -cat_rcons h1; split=> //; split=> //; apply: stj.
Qed.
(** Block 0 is a scan over embeddings: the state into a boundary and the tokens behind it fix all that follows. *)
Lemma scan rs ls p p' P : ~~ has (@is_full X) rs -> (forall j, P <= j -> acts ls p j = acts ls p' j) ->
  same_states p p' P ls rs ->
  forall j, P <= j -> acts (ls ++ rs) p j = acts (ls ++ rs) p' j /\ same_states p p' j ls rs.
Proof.
move=> nF xy st j Pj; apply: (scan_upto (P := P) (b := j) nF) => //; last by rewrite Pj leqnn.
by move=> k /andP[/xy].
Qed.

(** States: the state at P, and the tokens from P on. *)
Lemma state_from l (x y : nat -> X) P i : P <= i -> state_at l x P = state_at l y P ->
  (forall j, P <= j < i -> x j = y j) -> state_at l x i = state_at l y i.
Proof. by move=> le; case: l => /= *; apply: state_ext le _ _. Qed.

(** Sums: what is heard from the tokens before P, and the tokens from P on. *)
Lemma sum_from l (x y : nat -> X) xi P i k : P <= i -> partial_sum l x xi P k = partial_sum l y xi P k ->
  (forall j, P <= j < i -> x j = y j) -> partial_sum l x xi i k = partial_sum l y xi i k.
Proof.
case: l => [M e g St s0 step h|] //= le sm xy; exact: (state_ext le sm xy).
Qed.
(** Only the tokens before P matter for a sum over them. *)
Lemma sum_prefix l ls p s xi P k : P <= size p -> partial_sum l (acts ls (p ++ s)) xi P k = partial_sum l (acts ls p) xi P k.
Proof.
move=> le; case: l => //= *; apply: (@state_ext _ _ _ _ _ _ 0) => // j /andP[_ jP].
by rewrite acts_prefix // (leq_trans jP le).
Qed.

(** All states of some layers together, as one finite set. *)
Fixpoint all_states (rs : seq (layer (act md))) : finType :=
  if rs is l :: rs' then prod_finType (state_type l) (all_states rs') else unit_finType.
Fixpoint states_at p (i : nat) ls rs : all_states rs :=
  match rs return all_states rs with
  | [::] => tt | l :: rs' => (state_at l (acts ls p) i, states_at p i (rcons ls l) rs') end.
(** Their number is the product. *)
Lemma card_all_states rs : #|all_states rs| = \prod_(l <- rs) states l.
Proof. by elim: rs => [|l rs IH]; rewrite ?big_nil ?card_unit //= card_prod big_cons IH card_state_type. Qed.
(** Equal as one value, equal layer by layer. *)
Lemma states_atP p p' i ls rs : states_at p i ls rs = states_at p' i ls rs -> same_states p p' i ls rs.
Proof. by elim: rs ls => //= l rs IH ls [h /IH]. Qed.
(** Equal layer by layer, equal as one value. *)
Lemma states_at_eq p p' i ls rs : same_states p p' i ls rs -> states_at p i ls rs = states_at p' i ls rs.
Proof. by elim: rs ls => //= l rs IH ls [-> /IH ->]. Qed.

(** Recurrent layers: the states at P and what the tokens P..j-1 knew fix the states at j. *)
Lemma scan_before rs ls p p' P j : ~~ has (@is_full X) rs -> P <= j ->
  (forall k, P <= k < j -> acts ls p k = acts ls p' k) -> same_states p p' P ls rs -> same_states p p' j ls rs.
Proof.
move=> nF Pj; elim: rs ls nF => [|l rs IH] ls //=; rewrite negb_or => /andP[lF nF] xy [st h]; split.
  exact: state_from Pj st xy.
apply: IH => // k /andP[Pk kj]; apply: layer_at; first by apply: xy; rewrite Pk.
  by apply: state_from Pk st _ => i /andP[Pi ik]; apply: xy; rewrite Pi (ltn_trans ik).
by case: (l) lF.
Qed.

(** ... in block 0: the tokens behind the boundary. *)
Lemma block0_at B0 p p' P j : ~~ has (@is_full X) B0 -> P <= j ->
  (forall k, P <= k <= j -> nth (Val 0) p k = nth (Val 0) p' k) -> same_states p p' P [::] B0 ->
  acts B0 p j = acts B0 p' j.
Proof.
move=> nF Pj tok st; apply: (proj1 (scan_upto (ls := [::]) (P := P) (b := j) nF _ st _)); last by rewrite Pj leqnn.
by move=> k hk; rewrite /acts /= /inputs tok.
Qed.
(** ... and its states. *)
Lemma block0_before B0 p p' P j : ~~ has (@is_full X) B0 -> P <= j ->
  (forall k, P <= k < j -> nth (Val 0) p k = nth (Val 0) p' k) -> same_states p p' P [::] B0 ->
  same_states p p' j [::] B0.
Proof.
by move=> nF Pj tok; apply: scan_before => // k hk; rewrite /acts /= /inputs tok.
Qed.

(** Layers whose states number at most one have the same states always. *)
Lemma one_state p p' i rs ls : \prod_(l <- rs) states l <= 1 -> same_states p p' i ls rs.
Proof.
elim: rs ls => //= l rs IH ls; rewrite big_cons => le; split.
  have c1 : #|state_type l| <= 1 by rewrite card_state_type; apply: leq_trans le; rewrite leq_pmulr // prod_gt0.
  apply/eqP; apply: contraTT c1 => ne; rewrite -ltnNge.
  by apply/card_gt1P; exists (state_at l (acts ls p) i), (state_at l (acts ls p') i).
by apply: IH; apply: leq_trans le; rewrite leq_pmull // states_gt0.
Qed.

(** Behind layers with one state, before any Full layer, a token knows its position and itself. *)
Lemma knows_itself B0 p p' j : ~~ has (@is_full X) B0 -> \prod_(l <- B0) states l <= 1 -> nth (Val 0) p j = nth (Val 0) p' j ->
  acts B0 p j = acts B0 p' j.
Proof. by move=> nB0 one e; apply: (recs_at (ls := [::])) => //; [rewrite /acts /= /inputs e | apply: one_state]. Qed.
Definition itself B0 (i : nat) (t : token) : X := acts B0 (rcons (nseq i (Val 0)) t) i.
(** ... and this is what it knows. *)
Lemma itselfE B0 p i : ~~ has (@is_full X) B0 -> \prod_(l <- B0) states l <= 1 -> acts B0 p i = itself B0 i (nth (Val 0) p i).
Proof. by move=> nB0 one; apply: knows_itself => //; rewrite nth_rcons size_nseq ltnn eqxx. Qed.

(** * 3. Questions, one for each thing that is fixed *)
Section Questions.
Variable Om : finType.
Fixpoint states_asked (p : Om -> seq token) (i : nat) ls rs : seq (question Om) :=
  if rs is l :: rs' then Ask (fun u => state_at l (acts ls (p u)) i) :: states_asked p i (rcons ls l) rs' else [::].
(** Constant questions: the same states. *)
Lemma states_fixed (Q : {set Om}) (p : Om -> seq token) i ls rs : consts Q (states_asked p i ls rs) ->
  forall u u', u \in Q -> u' \in Q -> same_states (p u) (p u') i ls rs.
Proof. by elim: rs ls => //= l rs IH ls [h /IH H] u u' uQ uQ'; split; [apply: h | apply: H]. Qed.
(** Their charge is the product of the numbers of states. *)
Lemma states_charge (p : Om -> seq token) i ls rs : \prod_(q <- states_asked p i ls rs) #|Ans q| = \prod_(l <- rs) states l.
Proof. by elim: rs ls => [|l rs IH] ls; rewrite ?big_nil //= !big_cons IH card_state_type. Qed.

(** A list of questions for each element of a list. *)
Lemma consts_flatten (Q : {set Om}) (T : eqType) (f : T -> seq (question Om)) (s : seq T) :
  consts Q (flatten [seq f v | v <- s]) -> forall v, v \in s -> consts Q (f v).
Proof.
elim: s => [|t s IH] //= /consts_cat[h1 h2] v; rewrite inE => /orP[/eqP -> //|]; exact: IH.
Qed.
(** Their charge: B for each member. *)
Lemma prod_flatten (T : Type) (f : T -> seq (question Om)) (s : seq T) B :
  (forall v, \prod_(q <- f v) #|Ans q| <= B) ->
  \prod_(q <- flatten [seq f v | v <- s]) #|Ans q| <= B ^ size s.
Proof.
move=> le; elim: s => [|t s IH]; first by rewrite big_nil.
by rewrite /= big_cat expnS; apply: leq_mul; [apply: le | apply: IH].
Qed.
End Questions.
End Two.

(** * 4. Counting *)

(** A set of functions has at most as many elements as the product of its numbers of values. *)
Lemma card_values (A B : finType) (Q : {set {ffun A -> B}}) :
  #|Q| <= \prod_(a : A) #|[set f a | f : {ffun A -> B} in Q]|.
Proof.
have -> : \prod_(a : A) #|[set f a | f : {ffun A -> B} in Q]|
        = #|family (fun a : A => mem [set f a | f : {ffun A -> B} in Q])|.
  by rewrite card_family foldrE big_map big_enum.
apply: subset_leq_card; apply/subsetP => f fQ; apply/familyP => a.
by apply: imset_f.
Qed.

(** The end of every proof: tables that agree on k entries are few. *)
Lemma agreeing_tables N k D (Q : {set {ffun 'I_N -> 'I_N}}) (S : {set 'I_N}) : 0 < N ->
  N ^ N <= #|Q| * 2 ^ D -> k <= #|S| ->
  (forall f g, f \in Q -> g \in Q -> {in S, f =1 g}) -> N ^ k <= 2 ^ D.
Proof.
move=> N0 dens kS agree.
have Q0 : 0 < #|Q|.
  by have : 0 < #|Q| * 2 ^ D by [apply: leq_trans dens; rewrite expn_gt0 N0]; rewrite muln_gt0 => /andP[].
have [q0 q0Q] := card_gt0P Q0.
have sN : #|S| <= N by rewrite -[X in _ <= X]card_ord max_card.
have le : #|Q| <= N ^ (N - #|S|).
  have := @card_into N S (fun i => [set q0 i]) 1 (fun i => cards1 _); rewrite exp1n mul1n => <-.
  apply: subset_leq_card; apply/subsetP => f fQ; rewrite inE; apply/forall_inP => i iS.
  by rewrite inE (agree f q0).
apply: leq_trans (_ : N ^ #|S| <= _); first by rewrite leq_pexp2l.
have : N ^ (N - #|S|) * N ^ #|S| <= N ^ (N - #|S|) * 2 ^ D.
  by rewrite -expnD subnK //; apply: leq_trans dens _; rewrite leq_mul2r le orbT.
by rewrite leq_pmul2l // expn_gt0 N0.
Qed.

(** Young: (k+1)·A·x^k ≤ A^{k+1} + k·x^{k+1}. *)
Lemma young A x k : k.+1 * A * x ^ k <= A ^ k.+1 + k * x ^ k.+1.
Proof.
elim: k => [|k IH]; first by rewrite expn0 expn1 muln1 mul1n mul0n addn0.
have {}IH := leq_mul (leqnn A) IH.
have sq : 2 * A * x <= A * A + x * x by rewrite -mulnA !mulnn; case: (nat_Cauchy A x).
have {}sq := leq_mul (leqnn (k.+1 * x ^ k)) sq.
move: IH sq; rewrite !expnS; move: (x ^ k) (A ^ k) => X B; rewrite -!plusE -!multE => /leP h1 /leP h2; apply/leP; nia.
Qed.

(** (k+1)^{k+1}·x^k·y ≤ (k·x + y)^{k+1}: the mean of k numbers x and one y. *)
Lemma mean_of_two x y k : k.+1 ^ k.+1 * x ^ k * y <= (k * x + y) ^ k.+1.
Proof.
have := young (k * x + y) (k.+1 * x) k; rewrite !expnMn => h.
rewrite -(leq_add2r (k * (k.+1 ^ k.+1 * x ^ k.+1))); apply: leq_trans h.
rewrite !expnS; move: (k.+1 ^ k) (x ^ k) => X B; apply: eq_leq; mring.
Qed.

(** The geometric mean is at most the arithmetic one: k^k·Πc ≤ (Σc)^k. *)
Lemma mean_inequality (s : seq nat) : size s ^ size s * \prod_(c <- s) c <= (\sum_(c <- s) c) ^ size s.
Proof.
elim: s => [|a s IH]; first by rewrite big_nil.
rewrite !big_cons /=; set k := size s in IH *; set p := \prod_(c <- s) c in IH *; set S := \sum_(c <- s) c in IH *.
case: (posnP k) => [k0|k0].
  have p1 : p = 1 by rewrite /p (size0nil k0) big_nil.
  by rewrite k0 p1 !expn1 mul1n muln1 leq_addr.
rewrite -(@leq_pmul2l (k ^ k.+1)) ?expn_gt0 ?k0 // -expnMn mulnDr addnC.
apply: leq_trans (mean_of_two S (k * a) k).
have := leq_mul (leqnn (k.+1 ^ k.+1 * (k * a))) IH.
rewrite [k ^ k.+1]expnS; move: (k ^ k) (k.+1 ^ k.+1) (S ^ k) => X Y Z h.
apply: leq_trans (_ : Y * (k * a) * (X * p) <= _); first by apply: eq_leq; mring.
by apply: leq_trans h _; apply: eq_leq; mring.
Qed.

(** Entries of a table are values below its size. *)
Lemma tab_below N (f : {ffun 'I_N -> 'I_N}) : all (fun v => v < N) (table_values f).
Proof. by apply/allP => v /mapP[i _ ->]; apply: ltn_ord. Qed.

(** The tokens of one table. *)
Definition vals N (z : {ffun 'I_N -> 'I_N}) : seq token := [seq Val v | v <- table_values z].
(** A table of N entries has N tokens. *)
Lemma size_vals N (z : {ffun 'I_N -> 'I_N}) : size (vals z) = N.
Proof. by rewrite size_map size_table_values. Qed.

(** A set that keeps 2^{-D} of something is not empty. *)
Lemma dense_pick (Om : finType) (Q : {set Om}) B D : 0 < B -> B <= #|Q| * 2 ^ D -> exists u, u \in Q.
Proof.
by move=> B0 le; apply/card_gt0P; have := leq_trans B0 le; rewrite muln_gt0 => /andP[].
Qed.
(** Fixing, in bits. *)
Lemma fixing_bits (Om : finType) (qs : seq (question Om)) (S : {set Om}) B D D' :
  B <= #|S| * 2 ^ D -> \prod_(q <- qs) #|Ans q| <= 2 ^ D' ->
  exists2 S' : {set Om}, S' \subset S /\ consts S' qs & B <= #|S'| * 2 ^ (D + D').
Proof.
move=> dens hq; have [S' h le] := fixing qs S; exists S' => //.
apply: leq_trans dens _; apply: leq_trans (leq_mul le (leqnn _)) _.
by rewrite -mulnA leq_mul2l mulnC expnD leq_mul2l hq !orbT.
Qed.
(** One question of at most 2^beta answers for each member of a list. *)
Lemma charge_each (Om : finType) (T : Type) (f : T -> question Om) s beta : (forall v, #|Ans (f v)| <= 2 ^ beta) ->
  \prod_(q <- [seq f v | v <- s]) #|Ans q| <= 2 ^ (beta * size s).
Proof. by move=> h; rewrite expnM; apply: prod_answers. Qed.
(** A list of questions of at most 2^lam answers together for each member of a list. *)
Lemma charge_lists (Om : finType) (T : Type) (f : T -> seq (question Om)) s lam :
  (forall v, \prod_(q <- f v) #|Ans q| <= 2 ^ lam) ->
  \prod_(q <- flatten [seq f v | v <- s]) #|Ans q| <= 2 ^ (size s * lam).
Proof. by move=> h; rewrite mulnC expnM; apply: prod_flatten. Qed.
(** Charges add. *)
Lemma charge_cat (Om : finType) (a b : seq (question Om)) D D' :
  \prod_(q <- a) #|Ans q| <= 2 ^ D -> \prod_(q <- b) #|Ans q| <= 2 ^ D' ->
  \prod_(q <- a ++ b) #|Ans q| <= 2 ^ (D + D').
Proof. by move=> h h'; rewrite big_cat expnD leq_mul. Qed.

(** Powers with the same exponent keep the order. *)
Lemma exp_mono a b k : a <= b -> a ^ k <= b ^ k.
Proof. by case: k => [|k] le; rewrite ?expn0 // leq_exp2r. Qed.

(** By AM–GM a set of tables that is not too thin has Theta pairs (e, value at e). *)
Lemma some_pairs (A : finType) v Th D (Q1 : {set {ffun A -> 'I_v}}) :
  v ^ #|A| <= #|Q1| * 2 ^ D -> Th.-1 ^ #|A| * 2 ^ D < (#|A| * v) ^ #|A| -> 0 < Th ->
  exists (J : {set A * 'I_v}) (T : A * 'I_v -> {ffun A -> 'I_v}),
    #|J| = Th /\ forall c, c \in J -> T c \in Q1 /\ T c c.1 = c.2.
Proof.
move=> dens hTh Th0.
pose J0 := [set c : A * 'I_v | c.2 \in [set f c.1 | f : {ffun _ -> _} in Q1]].
have cJ : #|J0| = \sum_(e : A) #|[set f e | f : {ffun _ -> _} in Q1]|.
  under [RHS]eq_bigr => e _ do rewrite -sum1_card.
  by rewrite pair_big_dep /= -sum1_card; apply: eq_bigl => -[e i]; rewrite inE.
have big : Th <= #|J0|.
  rewrite leqNgt; apply/negP => lt; have {}lt : #|J0| <= Th.-1 by rewrite -ltnS prednK.
  have := mean_inequality [seq #|[set f e | f : {ffun _ -> _} in Q1]| | e in A].
  rewrite size_image !big_image /= -cJ => le.
  move: hTh; rewrite ltnNge => /negP; apply; rewrite expnMn.
  apply: leq_trans (leq_mul (leqnn _) dens) _; rewrite mulnA leq_mul2r; apply/orP; right.
  apply: leq_trans (leq_mul (leqnn _) (card_values Q1)) _; apply: leq_trans le _.
  exact: exp_mono.
have hpick : exists T : A * 'I_v -> {ffun A -> 'I_v}, forall c, c \in J0 -> T c \in Q1 /\ T c c.1 = c.2.
  exists (fun c => odflt [ffun=> c.2] [pick f : {ffun A -> 'I_v} | (f \in Q1) && (f c.1 == c.2)]) => c.
  rewrite inE => /imsetP[f fQ E]; case: pickP => [g /andP[gQ /eqP] //|/(_ f)]; by rewrite fQ E eqxx.
have [T hT] := hpick; exists [set c in take Th (enum J0)], T; split.
  by rewrite cardsE (card_uniqP (take_uniq _ (enum_uniq _))) size_takel // -cardE.
by move=> c; rewrite inE => /mem_take; rewrite mem_enum => /hT.
Qed.

(** A set of functions that is not too thin takes Th values at some place. *)
Lemma some_place (A B : finType) Th D (Q : {set {ffun A -> B}}) :
  #|B| ^ #|A| <= #|Q| * 2 ^ D -> Th.-1 ^ #|A| * 2 ^ D < #|B| ^ #|A| -> 0 < Th ->
  exists (a : A) (iv : 'I_Th -> B) (T : 'I_Th -> {ffun A -> B}),
    injective iv /\ forall k, T k \in Q /\ T k a = iv k.
Proof.
move=> dens hTh Th0.
case: (pickP (fun a : A => Th <= #|[set f a | f : {ffun A -> B} in Q]|)) => [a ha|no]; last first.
  have le : #|Q| <= Th.-1 ^ #|A|.
    apply: leq_trans (card_values Q) _; rewrite -prod_nat_const; apply: leq_prod => a _.
    by have := no a => /negbT; rewrite -ltnNge; case: (Th) Th0.
  by have := leq_ltn_trans (leq_mul le (leqnn (2 ^ D))) hTh; rewrite ltnNge dens.
pose iv (k : 'I_Th) : B := enum_val (widen_ord ha k).
have pickT k : exists f : {ffun A -> B}, (f \in Q) && (f a == iv k).
  by have /imsetP[f fQ E] := enum_valP (widen_ord ha k); exists f; rewrite fQ /iv E eqxx.
exists a, iv, (fun k => xchoose (pickT k)); split=> [k k' /enum_val_inj/(congr1 val) /= E|k]; first exact: val_inj.
by have /andP[h1 /eqP h2] := xchooseP (pickT k).
Qed.
