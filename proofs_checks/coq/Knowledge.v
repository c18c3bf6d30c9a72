(** What a token knows is a function of the states and sums that reach it (M2, M3, L7), and the fixing half of a step
    of the induction (5.2). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Prompt Counting.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition tcode (t : token) : nat + seq nat := match t with Val n => inl n | Query w => inr w end.
Definition tdecode (c : nat + seq nat) : token := match c with inl n => Val n | inr w => Query w end.
(** Tokens can be compared: the code is inverted by the decoding. *)
Lemma tcodeK : cancel tcode tdecode. Proof. by case. Qed.
Definition token_eqMixin := CanEqMixin tcodeK.
Canonical token_eqType := EqType token token_eqMixin.

(** There is a state. *)
Lemma states_gt0 X (l : layer X) : 0 < states l.
Proof. by case: l => [M e g St s0 *|St s0 *]; apply/card_gt0P; exists s0. Qed.
(** There is a state of all layers. *)
Lemma prod_gt0 X (ls : seq (layer X)) : 0 < \prod_(l <- ls) states l.
Proof. by elim: ls => [|l ls IH]; rewrite ?big_nil // big_cons muln_gt0 states_gt0. Qed.

Section Layer.
Variable X : Type.
Implicit Types (l : layer X) (x y : nat -> X).

Definition state_type l : finType := match l with Full _ _ _ St _ _ _ => St | Rec St _ _ _ => St end.
Definition state_at l x (P : nat) : state_type l :=
  match l return state_type l with
  | Full _ _ _ _ s0 step _ => state s0 step x P | Rec _ s0 step _ => state s0 step x P end.
Definition sum_type l : finType := match l with Full M _ _ _ _ _ _ => M | Rec _ _ _ _ => unit_finType end.
Definition partial_sum l x (xi : X) (P i : nat) : sum_type l :=
  match l return sum_type l with
  | Full _ e g _ _ _ _ => state e (fun j a (t : X) => g i j xi t a) x P | Rec _ _ _ _ => tt end.
(** The states of a layer number states l. *)
Lemma card_state_type l : #|state_type l| = states l. Proof. by case: l. Qed.
(** The sums of a layer number sums l. *)
Lemma card_sum_type l : #|sum_type l| = sums l. Proof. by case: l => //= *; rewrite card_unit. Qed.

(** A state at i is a function of the state at P ≤ i and of the tokens between. *)
Lemma state_ext (St : Type) (s0 : St) step x y P i : P <= i ->
  state s0 step x P = state s0 step y P -> (forall j, P <= j < i -> x j = y j) ->
  state s0 step x i = state s0 step y i.
Proof.
move=> le sP; rewrite -(subnKC le); elim: (i - P) => [|d IH] H; first by rewrite addn0.
rewrite addnS /= IH ?H ?leq_addr ?addnS //= => j /andP[h1 h2].
by apply: H; rewrite h1 addnS ltnS ltnW.
Qed.

(** What token i knows after a layer is a function of the state that crosses boundary P, of the partial sum over the
    tokens before P, and of the tokens P..i: M2 for one layer and one boundary. *)
Lemma run_eq l x y P i : P <= i -> (forall j, P <= j <= i -> x j = y j) ->
  state_at l x P = state_at l y P -> partial_sum l x (x i) P i = partial_sum l y (y i) P i -> run x l i = run y l i.
Proof.
move=> le xy; have xi : x i = y i by apply: xy; rewrite le leqnn.
case: l => [M e g St s0 step h|St s0 step read] /= st sm.
  congr h => //; last by apply: (state_ext (leqW le) st) => j; rewrite ltnS; apply: xy.
  rewrite -xi in sm *; apply: (state_ext le sm) => j /andP[h1 h2]; rewrite xy // h1 ltnW //.
congr read => //; by apply: (state_ext (leqW le) st) => j; rewrite ltnS; apply: xy.
Qed.

(** M3: what token i knows after a layer depends on tokens 0..i only. *)
Lemma run_causal l x y i : (forall j, j <= i -> x j = y j) -> run x l i = run y l i.
Proof.
move=> xy; apply: (@run_eq _ _ _ 0) => [//|j /andP[_ /xy] //||]; first by case: l.
by case: l.
Qed.

(** M3 for several layers. *)
Lemma acts_causal ls x y i : (forall j, j <= i -> x j = y j) ->
  forall j, j <= i -> foldl (@run X) x ls j = foldl (@run X) y ls j.
Proof.
elim: ls x y => [|l ls IH] x y xy //=; apply: IH => j ji.
by apply: run_causal => k kj; apply: xy; apply: leq_trans kj ji.
Qed.

(** Going one Full layer further either adds nothing (there is none), or one Full layer and Rec layers after it. *)
Lemma upto_split e (ls : seq (layer X)) :
  upto e.+1 ls = upto e ls \/
  exists F rs, [/\ upto e.+1 ls = upto e ls ++ F :: rs & ~~ has (@is_full X) rs].
Proof.
elim: ls e => [|l ls IH] e; first by left.
rewrite /=; case: (is_full l) (erefl (is_full l)) => lF.
  case: e => [|e]; last first.
    case: (IH e) => [->|[F [rs [-> nr]]]]; [by left|right].
    by exists F, rs.
  right; exists l, (upto 0 ls); split=> //.
  by elim: ls {IH} => //= l' ls IH; case: ifP => //= ->.
case: (IH e) => [->|[F [rs [-> nr]]]]; [by left|right].
by exists F, rs.
Qed.

(** At most e Full layers stand before the (e+1)-th. *)
Lemma count_upto e (ls : seq (layer X)) : count (@is_full X) (upto e ls) <= e.
Proof.
elim: ls e => [|l ls IH] e //=.
case lF: (is_full l); last by rewrite /= lF add0n IH.
by case: e => [|e] //=; rewrite lF add1n ltnS IH.
Qed.

(** With at most e Full layers, all layers are before the (e+1)-th. *)
Lemma upto_all e (ls : seq (layer X)) : count (@is_full X) ls <= e -> upto e ls = ls.
Proof.
elim: ls e => [|l ls IH] e //=; case: (is_full l) => /=; last by rewrite add0n => /IH ->.
by case: e => // e; rewrite ltnS => /IH ->.
Qed.

(** What holds of all layers holds of those before the (e+1)-th Full layer. *)
Lemma all_upto (p : pred (layer X)) e ls : all p ls -> all p (upto e ls).
Proof.
elim: ls e => [|l ls IH] e //= /andP[pl /IH H]; case: (is_full l) => /=; last by rewrite pl H.
by case: e => //= e; rewrite pl H.
Qed.
End Layer.

(** ** Tables of the players above: sizes ss = [:: N_{l-1}; ..; N_{L-1}] *)
Fixpoint Tables (ss : seq nat) : finType :=
  if ss is N :: ss' then prod_finType (Tables ss') (finfun_finType (ordinal_finType N) (ordinal_finType N))
  else unit_finType.
Definition table_values N (f : {ffun 'I_N -> 'I_N}) : seq nat := [seq val (f i) | i <- enum 'I_N].
Fixpoint tables_values (ss : seq nat) : Tables ss -> seq (seq nat) :=
  match ss return Tables ss -> seq (seq nat) with
  | [::] => fun _ => [::] | N :: ss' => fun u => table_values u.2 :: tables_values u.1 end.
Definition above ss (u : Tables ss) : seq token := [seq Val v | v <- flatten (rev (tables_values u))].

(** A table of [N] has N values. *)
Lemma size_table_values N (f : {ffun 'I_N -> 'I_N}) : size (table_values f) = N.
Proof. by rewrite size_map size_enum_ord. Qed.
(** The i-th value of a table is the function at i. *)
Lemma nth_table_values N (f : {ffun 'I_N -> 'I_N}) (i : 'I_N) : nth 0 (table_values f) i = f i.
Proof. by rewrite (nth_map i) ?size_enum_ord // nth_ord_enum. Qed.
(** The prompt of players ℓ and above: first the players above ℓ, then table z_ℓ. *)
Lemma above_cons N ss (u : Tables ss) (f : {ffun 'I_N -> 'I_N}) :
  above ((u, f) : Tables (N :: ss)) = above u ++ [seq Val v | v <- table_values f].
Proof. by rewrite /above /= flatten_rev_cons map_cat. Qed.
(** The tables of sizes ss take sumn ss tokens. *)
Lemma size_above ss (u : Tables ss) : size (above u) = sumn ss.
Proof.
elim: ss u => [|N ss IH] [] //= u f.
by rewrite above_cons size_cat IH size_map size_table_values addnC.
Qed.

Section Know.
Variable md : model.
Notation X := (act md).
Definition acts (ls : seq (layer X)) (p : seq token) : nat -> X := foldl (@run X) (inputs md p) ls.
Definition last_act (ls : seq (layer X)) (p : seq token) : X := acts ls p (size p).-1.

(** M3: tokens of a prefix know nothing of what follows. *)
Lemma acts_prefix ls p s j : j < size p -> acts ls (p ++ s) j = acts ls p j.
Proof.
move=> lt; apply: (@acts_causal _ _ _ _ j) => // k kj.
by rewrite /inputs nth_cat (leq_ltn_trans kj lt).
Qed.

Definition closed (Vs : seq (seq token)) :=
  forall v, v \in Vs -> 0 < size v /\ forall k, 0 < k -> k <= size v -> take k v \in Vs.

Section Level.
(** What stands in front: pre u, P tokens, for u in a set Q. *)
Variables (Om : finType) (pre : Om -> seq token) (P : nat) (Q : {set Om}).
Hypothesis size_pre : forall u, size (pre u) = P.
Definition blind (ls : seq (layer X)) (Vs : seq (seq token)) :=
  forall v, v \in Vs -> forall u u', u \in Q -> u' \in Q -> last_act ls (pre u ++ v) = last_act ls (pre u' ++ v).

Definition ask_state ls l : question Om := Ask (fun u => state_at l (acts ls (pre u)) P).
Definition ask_sum ls l v : question Om :=
  Ask (fun u => partial_sum l (acts ls (pre u)) (last_act ls (pre u ++ v)) P (P + (size v).-1)).

(** One token: only its own sum need be constant. *)
Lemma layer_step1 ls l Vs v : closed Vs -> blind ls Vs -> const Q (ask_state ls l) ->
  v \in Vs -> const Q (ask_sum ls l v) -> blind (rcons ls l) [:: v].
Proof.
move=> cl inv st vV sm _ /[!inE]/eqP-> u u' uQ uQ'; have [v0 clv] := cl v vV.
have sz (w : Om) : (size (pre w ++ v)).-1 = P + (size v).-1.
  by rewrite size_cat size_pre; case: (size v) v0 => // n _; rewrite addnS.
have hd (w : Om) j : j < P -> acts ls (pre w ++ v) j = acts ls (pre w) j.
  by move=> jP; rewrite acts_prefix // size_pre.
rewrite /last_act !sz /acts -cats1 !foldl_cat /=; apply: (@run_eq _ _ _ _ P); first exact: leq_addr.
- move=> j /andP[Pj ji]; pose k := (j - P).+1.
  have kv : k <= size v by rewrite /k -(prednK v0) ltnS leq_subLR.
  have E (w : Om) : foldl (@run X) (inputs md (pre w ++ v)) ls j = last_act ls (pre w ++ take k v).
    rewrite /last_act size_cat size_pre size_takel // /k addnS /= subnKC //.
    rewrite -[in LHS](cat_take_drop k v) catA -/(acts _ _) acts_prefix //.
    by rewrite size_cat size_pre size_takel // /k addnS subnKC.
  by rewrite !E; apply: inv => //; apply: clv.
- have F (w : Om) : state_at l (acts ls (pre w ++ v)) P = state_at l (acts ls (pre w)) P.
    by case: (l) => /= *; apply: (@state_ext _ _ _ _ _ _ 0) => // j /hd.
  by have := st u u' uQ uQ'; rewrite /= -!F.
have G (w : Om) : partial_sum l (acts ls (pre w ++ v)) (acts ls (pre w ++ v) (P + (size v).-1)) P (P +
  (size v).-1)
         = ask (ask_sum ls l v) w.
  rewrite /= /last_act sz; case: (l) => //= *; apply: (@state_ext _ _ _ _ _ _ 0) => // j /andP[_ jP].
  by rewrite (hd _ _ jP).
by have := sm u u' uQ uQ'; rewrite -!G.
Qed.
(** A layer, for all views at once: if states and sums from above are constant, what the tokens below know stays
    constant. *)
Lemma layer_step ls l Vs : closed Vs -> blind ls Vs -> const Q (ask_state ls l) ->
  (forall v, v \in Vs -> const Q (ask_sum ls l v)) -> blind (rcons ls l) Vs.
Proof.
move=> cl inv st sm v vV.
by apply: (layer_step1 cl inv st vV (sm v vV)); rewrite inE.
Qed.

(** Several layers, each with its questions. *)
Fixpoint ask_states ls ls' : seq (question Om) :=
  if ls' is l :: ls2 then ask_state ls l :: ask_states (rcons ls l) ls2 else [::].
Fixpoint ask_sums Vs ls ls' : seq (question Om) :=
  if ls' is l :: ls2 then [seq ask_sum ls l v | v <- Vs] ++ ask_sums Vs (rcons ls l) ls2 else [::].

(** The questions about states, layer by layer. *)
Lemma ask_states_cat ls a b : ask_states ls (a ++ b) = ask_states ls a ++ ask_states (ls ++ a) b.
Proof. by elim: a ls => [|l a IH] ls /=; rewrite ?cats0 // IH cat_rcons. Qed.
(** The questions about sums, layer by layer. *)
Lemma ask_sums_cat Vs ls a b : ask_sums Vs ls (a ++ b) = ask_sums Vs ls a ++ ask_sums Vs (ls ++ a) b.
Proof. by elim: a ls => [|l a IH] ls /=; rewrite ?cats0 // IH cat_rcons catA. Qed.

(** All states at one boundary together: the product over the layers, at most 2^Λ. *)
Lemma prod_ask_states ls ls' : \prod_(q <- ask_states ls ls') #|Ans q| = \prod_(l <- ls') states l.
Proof. by elim: ls' ls => [|l ls' IH] ls; rewrite ?big_nil //= !big_cons IH card_state_type. Qed.
(** The sums into the tokens of Vs over some layers cost β bits for each Full layer and each view. *)
Lemma prod_ask_sums beta Vs ls ls' : all (fun l => sums l <= 2 ^ beta) ls' ->
  \prod_(q <- ask_sums Vs ls ls') #|Ans q| <= 2 ^ (beta * (count (@is_full X) ls' * size Vs)).
Proof.
elim: ls' ls => [|l ls' IH] ls /=; first by rewrite big_nil muln0.
move=> /andP[hl /IH H]; rewrite big_cat /= mulnDl mulnDr expnD leq_mul //.
apply: leq_trans (_ : (2 ^ (beta * is_full l)) ^ size Vs <= _); last by rewrite -expnM mulnA.
apply: prod_answers => v; rewrite card_sum_type.
by case: (l) hl => *; rewrite ?muln1 ?muln0.
Qed.

(** Several layers: with all states and sums from above constant, what is known below stays constant. *)
Lemma layers_step ls ls' Vs : closed Vs -> blind ls Vs -> consts Q (ask_states ls ls') ->
  consts Q (ask_sums Vs ls ls') -> blind (ls ++ ls') Vs.
Proof.
move=> cl; elim: ls' ls => [|l ls' IH] ls inv /=; first by rewrite cats0.
move=> [c1 c2] /consts_cat [c3 c4]; rewrite -cat_rcons; apply: IH => //.
by apply: layer_step => //; apply: consts_map c3.
Qed.
(** Several Rec layers: constant states are enough. *)
Lemma recs_step ls ls' Vs : closed Vs -> blind ls Vs -> ~~ has (@is_full X) ls' ->
  consts Q (ask_states ls ls') -> blind (ls ++ ls') Vs.
Proof.
move=> cl; elim: ls' ls => [|l ls' IH] ls inv /=; first by rewrite cats0.
rewrite negb_or => /andP[nf nr] [c1 c2]; rewrite -cat_rcons; apply: IH => //.
by apply: layer_step => // v _ u u' _ _; case: (l) nf.
Qed.
(** Before all layers a token knows its own embedding only. *)
Lemma blind_nil Vs : closed Vs -> blind [::] Vs.
Proof.
move=> cl v vV u u' _ _; have [v0 _] := cl v vV.
rewrite /last_act /acts /= /inputs !size_cat !size_pre; case: v v0 {vV} => // t v _.
by rewrite !nth_cat !size_pre /= addnS /= ltnNge leq_addr.
Qed.
(** Blind for two lists of views: blind for each. *)
Lemma blind_cat ls a b : blind ls (a ++ b) <-> blind ls a /\ blind ls b.
Proof.
split=> [H|[H1 H2] v]; last by rewrite mem_cat => /orP[/H1|/H2].
by split=> v vV; apply: H; rewrite mem_cat vV ?orbT.
Qed.
End Level.


(** Views of a player with the tokens of one of fs, M tokens each, and of those below, which see Vs behind it. *)
Section Views.
Variables (M : nat) (fs Vs : seq (seq token)).
Definition own_of : seq (seq token) := [seq take k.+1 f | f <- fs, k <- iota 0 M].
Definition lower_of : seq (seq token) := [seq f ++ v | f <- fs, v <- Vs].
Definition new_of := own_of ++ lower_of.
(** Each of the M tokens of each of fs. *)
Lemma size_own_of : size own_of = size fs * M. Proof. by rewrite size_allpairs size_iota. Qed.
(** T' = x·(M + T) views below the next level. *)
Lemma size_new_of : size new_of = size fs * (M + size Vs).
Proof. by rewrite size_cat size_own_of size_allpairs mulnDr. Qed.
Hypothesis size_fs : forall f, f \in fs -> size f = M.
(** Every beginning of a drawn table is a view of its player. *)
Lemma mem_own_of f k : f \in fs -> 0 < k -> k <= M -> take k f \in own_of.
Proof.
move=> fF; case: k => // k _ kM; apply/allpairsP; exists (f, k); split=> //=.
by rewrite mem_iota add0n.
Qed.
(** With a view of the player all its beginnings are views. *)
Lemma closed_own_of : closed own_of.
Proof.
move=> v /allpairsP[[f k] /= [fF]]; rewrite mem_iota add0n /= => kM ->.
have sf := size_fs fF; rewrite size_takel ?sf //; split=> // j j0 jk.
by rewrite take_take //; apply: mem_own_of => //; apply: leq_trans jk kM.
Qed.
(** With a view of the next level all its beginnings are views. *)
Lemma closed_new_of : closed Vs -> closed new_of.
Proof.
move=> cl v; rewrite mem_cat => /orP[/closed_own_of [v0 H]|].
  by split=> // k k0 kv; rewrite mem_cat H.
case/allpairsP => [[f w] /= [fF wV ->]]; have sf := size_fs fF; have [w0 H] := cl w wV.
rewrite size_cat sf addn_gt0 w0 orbT; split=> // k k0 kv; rewrite take_cat sf mem_cat.
case: ltnP => [kM|Mk]; first by rewrite mem_own_of // ltnW.
case: (posnP (k - M)) => [d0|d0].
  have kM : k = M by apply/eqP; rewrite eqn_leq Mk -subn_eq0 d0.
  by rewrite d0 take0 cats0 -[f]take_size sf mem_own_of // -kM.
apply/orP; right; apply/allpairsP; exists (f, take (k - M) w); split=> //=.
by apply: H => //; rewrite leq_subLR.
Qed.
End Views.

End Know.

(** In front: the tables of the players above. *)
Notation indistinguishable := (blind (@above _)).
Notation state_question ss := (ask_state (@above ss) (sumn ss)).
Notation sum_question ss := (ask_sum (@above ss) (sumn ss)).
Notation state_questions ss := (ask_states (@above ss) (sumn ss)).
Notation sum_questions ss := (ask_sums (@above ss) (sumn ss)).

(** ** The fixing half of a step: players above l, player l with the x tables F, and the views below *)
Section Step.
Variable md : model.
Notation X := (act md).
Variables (N : nat) (ss : seq nat) (Q : {set Tables (N :: ss)}) (x : nat).
Variable F : {ffun 'I_x -> {ffun 'I_N -> 'I_N}}.
Variable Vs : seq (seq token).
Definition drawn : seq (seq token) := [seq [seq Val v | v <- table_values (F a)] | a <- enum 'I_x].
Definition own_views := own_of N drawn.
Definition lower_views := lower_of drawn Vs.
Definition new_views := own_views ++ lower_views.

(** x tables are drawn. *)
Lemma size_drawn : size drawn = x. Proof. by rewrite size_map size_enum_ord. Qed.
(** Player ℓ has x·N views: each of the first N tokens of each drawn table. *)
Lemma size_own_views : size own_views = x * N. Proof. by rewrite size_own_of size_drawn. Qed.
(** T' = x·(N + T) views below the next level. *)
Lemma size_new_views : size new_views = x * (N + size Vs). Proof. by rewrite size_new_of size_drawn. Qed.
(** A drawn table is N tokens, the values of one of the F a. *)
Lemma drawnP f : f \in drawn -> size f = N /\ exists a, f = [seq Val v | v <- table_values (F a)].
Proof. by case/mapP => a _ ->; rewrite size_map size_table_values; split=> //; exists a. Qed.
(** With a view of player ℓ all its beginnings are views. *)
Lemma closed_own_views : closed own_views. Proof. by apply: closed_own_of => f /drawnP[]. Qed.
(** With a view of the next level all its beginnings are views. *)
Lemma closed_new_views : closed Vs -> closed new_views. Proof. by apply: closed_new_of => f /drawnP[]. Qed.

(** *** What must become constant, and what it costs *)

(** Player ℓ: the states at its boundary, and the sums into its tokens in all layers of ls. *)
Definition own_questions (ls : seq (layer X)) : seq (question (Tables ss)) :=
  state_questions ss [::] ls ++ sum_questions ss own_views [::] ls.
(** A token below that knows c v before layer l: the sum that it gets from the players above. *)
Definition heard (l : layer X) (ls : seq (layer X)) (c : seq token -> X) (v : seq token) : question (Tables ss) :=
  Ask (fun u => partial_sum l (acts ls (above u)) (c v) (sumn ss) (sumn ss + (N + size v).-1)).

(** Player ℓ's questions cost Λ + β·(number of Full layers)·x·N bits. *)
Lemma own_questions_cost beta lam e ls : all (fun l => sums l <= 2 ^ beta) ls ->
  \prod_(l <- ls) states l <= 2 ^ lam -> count (@is_full X) ls <= e ->
  \prod_(q <- own_questions ls) #|Ans q| <= 2 ^ (lam + beta * (e * (x * N))).
Proof.
move=> hb hl he; rewrite big_cat /= prod_ask_states expnD leq_mul //.
apply: leq_trans (prod_ask_sums _ _ _ _ hb) _.
by rewrite leq_exp2l // leq_mul2l size_own_views leq_mul2r he !orbT.
Qed.
(** What the tokens of some views hear in one layer costs β bits each. *)
Lemma heard_cost beta l ls c Us : sums l <= 2 ^ beta ->
  \prod_(q <- [seq heard l ls c v | v <- Us]) #|Ans q| <= 2 ^ (beta * size Us).
Proof. by move=> hl; rewrite expnM; apply: prod_answers => v; rewrite /= card_sum_type. Qed.

(** *** What is then blind *)

(** Player ℓ's tokens, once its questions have one answer. *)
Lemma own_views_blind (S : {set Tables ss}) ls : consts S (own_questions ls) -> indistinguishable S ls own_views.
Proof.
move=> /consts_cat[c1 c2]; apply: (@layers_step md _ _ _ _ (size_above (ss := ss)) [::]) => //; first exact: closed_own_views.
by apply: blind_nil (size_above (ss := ss)) _ _; apply: closed_own_views.
Qed.
(** Player ℓ's questions about a + b layers contain those about the first a. *)
Lemma own_questions_cat (S : {set Tables ss}) ls ls' :
  consts S (own_questions (ls ++ ls')) -> consts S (own_questions ls).
Proof.
rewrite /own_questions ask_states_cat ask_sums_cat.
by move=> /consts_cat[/consts_cat[c1 _] /consts_cat[c2 _]]; apply/consts_cat.
Qed.
(** What the tokens below know at level ℓ does not depend on which of the drawn tables player ℓ has. *)
Lemma known_below (ls : seq (layer X)) Us : indistinguishable Q ls Us -> exists c, forall (u : Tables ss) f v,
  u \in extensions Q F -> f \in drawn -> v \in Us -> last_act ls (above u ++ (f ++ v)) = c v.
Proof.
move=> inv; case: (pickP (mem (extensions Q F))) => [u0 u0Q|no]; last first.
  by exists (last_act (md := md) ls) => u f v uQ; have := no u; rewrite /= uQ.
have inQ u a : u \in extensions Q F -> ((u, F a) : Tables (N :: ss)) \in Q by rewrite inE => /forallP.
case: (posnP x) => [x0|x0].
  by exists (last_act (md := md) ls) => u f v _; rewrite (size0nil (etrans size_drawn x0)).
exists (fun v => last_act ls (above ((u0, F (Ordinal x0)) : Tables (N :: ss)) ++ v)) => u f v uQ fF vV.
by have [_ [a ->]] := drawnP fF; rewrite catA -above_cons; apply: inv => //; apply: inQ.
Qed.
(** The views below stay blind when the players above are restricted to common extensions. *)
Lemma lower_views_blind (S : {set Tables ss}) (ls : seq (layer X)) Us : indistinguishable Q ls Us -> S \subset extensions Q F ->
  indistinguishable S ls [seq f ++ v | f <- drawn, v <- Us].
Proof.
move=> /known_below[c hc] /subsetP sub v /allpairsP[[f w] /= [fF wV ->]] u u' uS uS'.
by rewrite !hc ?sub.
Qed.
(** A sum into a token below is constant when what such a token hears is. *)
Lemma sum_below (S : {set Tables ss}) l ls c f v : f \in drawn ->
  (forall u, u \in S -> last_act ls (above u ++ (f ++ v)) = c v) -> const S (heard l ls c v) ->
  const S (sum_question ss ls l (f ++ v)).
Proof.
move=> fF known same u u' uS uS'; have := same u u' uS uS'; rewrite /= !known //.
by have [sf _] := drawnP fF; rewrite size_cat sf.
Qed.

(** One Full layer more, and Rec layers after it: with player ℓ's questions and those of the views below answered, all
    views of the next level are blind. *)
Lemma new_views_blind (S : {set Tables ss}) ls l rs c : closed Vs -> ~~ has (@is_full X) rs ->
  consts S (own_questions (ls ++ l :: rs)) ->
  (forall (u : Tables ss) f v, u \in S -> f \in drawn -> v \in Vs -> last_act ls (above u ++ (f ++ v)) = c v) ->
  consts S [seq heard l ls c v | v <- Vs] -> indistinguishable S (ls ++ l :: rs) new_views.
Proof.
move=> cl nr own known below; have before := own_views_blind (own_questions_cat own).
have low : indistinguishable S ls lower_views.
  by move=> v /allpairsP[[f w] /= [fF wV ->]] u u' uS uS'; rewrite !known.
move: own; rewrite /own_questions ask_states_cat ask_sums_cat.
case/consts_cat => /consts_cat[_ /= [d1 d2]] /consts_cat[_ /= /consts_cat[d3 _]].
rewrite -cat_rcons; apply: (recs_step (@size_above ss)) => //; first exact: closed_new_views.
apply: (layer_step (@size_above ss)) => //; first exact: closed_new_views; first by apply/blind_cat.
move=> v; rewrite mem_cat => /orP[vV|/allpairsP[[f w] /= [fF wV ->]]]; first exact: (consts_map d3 vV).
by apply: (sum_below fF (c := c)) => [u uS|]; [apply: known | apply: (consts_map below)].
Qed.

(** 5.2, step 2, fixing: after the draw, fix the states into player ℓ (Λ bits), the sums into player ℓ in layers
    1..e+1 (β·(e+1)·x·N) and those of layer e+1 into the views below (β·T). Then all views of the next level are
    blind through layer e+1. *)
Lemma fixing_step beta lam e :
  all (fun l => sums l <= 2 ^ beta) (layers md) ->
  \prod_(l <- upto e.+1 (layers md)) states l <= 2 ^ lam ->
  closed Vs -> indistinguishable Q (upto e (layers md)) Vs ->
  exists2 Q2 : {set Tables ss}, indistinguishable Q2 (upto e.+1 (layers md)) new_views
    & #|extensions Q F| <= #|Q2| * 2 ^ (lam + beta * (e.+1 * (x * N) + size Vs)).
Proof.
move=> hb hl cl inv; have hb1 := all_upto e.+1 hb.
have cost := own_questions_cost hb1 hl (count_upto e.+1 _).
have [same|[l [rs [eq nr]]]] := upto_split e (layers md).
  have [S [sub own] le] := fixing (own_questions (upto e.+1 (layers md))) (extensions Q F).
  exists S; last first.
    apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right; apply: leq_trans cost _.
    by rewrite leq_exp2l // leq_add2l leq_mul2l leq_addr orbT.
  by apply/blind_cat; split; [apply: own_views_blind | rewrite same; apply: lower_views_blind].
have [c known] := known_below inv; rewrite eq in hb1 cost *.
have hl1 : sums l <= 2 ^ beta by move: hb1; rewrite all_cat /= => /andP[_ /andP[]].
have [S [sub /consts_cat[own below]] le] :=
  fixing (own_questions (upto e (layers md) ++ l :: rs) ++ [seq heard l (upto e (layers md)) c v | v <- Vs])
    (extensions Q F).
exists S; last first.
  apply: leq_trans le _; rewrite leq_mul2l; apply/orP; right.
  by rewrite big_cat /= mulnDr addnA expnD leq_mul // heard_cost.
apply: (new_views_blind cl nr own _ below).
by move=> u f v /(subsetP sub); apply: known.
Qed.
End Step.
