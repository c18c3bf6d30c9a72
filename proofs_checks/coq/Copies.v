(** Copies of a table: draws from a set Q of tables that agree on what the hidden part makes of them, and that together
    take many values on the asked entries (averaging and cover of theory 5.2, inside a set). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Copies.
Variables (A : finType) (N x : nat) (J : {set A}).
Notation table := {ffun A -> 'I_N}.

(** The values that the copies take on J. *)
Definition values (F : {ffun 'I_x -> table}) : {set 'I_N} := \bigcup_(a : 'I_x) [set F a e | e in J].

(** The tables that map J into a set of c values. *)
Lemma card_into_set (B : {set 'I_N}) :
  #|[set f : table | [forall e in J, f e \in B]]| = #|B| ^ #|J| * N ^ (#|A| - #|J|).
Proof.
have -> : #|[set f : table | [forall e in J, f e \in B]]|
        = #|family (fun e : A => [pred j | (e \in J) ==> (j \in B)])|.
  by apply: eq_card => f; rewrite !inE.
rewrite card_family foldrE big_map big_enum /= (bigID (mem J)) /=; congr (_ * _).
  by rewrite (eq_bigr (fun=> #|B|)) ?prod_nat_const // => e eJ; rewrite eJ; apply: eq_card.
rewrite (eq_bigr (fun=> N)) => [|e /negbTE eJ]; last by rewrite eJ -[RHS]card_ord; apply: eq_card.
rewrite prod_nat_const; congr (_ ^ _).
by rewrite -(cardC (mem J)) addKn; apply: eq_card.
Qed.

(** Cover: few draws take at most c values. *)
Lemma cover_on c : c <= N ->
  #|[pred F : {ffun 'I_x -> table} | #|values F| <= c]| <= 'C(N, c) * (c ^ #|J| * N ^ (#|A| - #|J|)) ^ x.
Proof.
move=> cN; pose into (B : {set 'I_N}) := [set f : table | [forall e in J, f e \in B]].
have sub : {subset [pred F | #|values F| <= c] <=
   \bigcup_(B in [set B : {set 'I_N} | #|B| == c]) [set F : {ffun 'I_x -> table} | F \in ffun_on (mem (into B))]}.
  move=> F; rewrite inE => le; have [|B [cB sB]] := superset le; first by rewrite card_ord.
  apply/bigcupP; exists B; first by rewrite inE cB.
  rewrite inE; apply/ffun_onP => a; rewrite inE; apply/forall_inP => e eJ.
  by apply: (subsetP sB); apply/bigcupP; exists a => //; apply: imset_f.
apply: leq_trans (subset_leq_card (introT subsetP sub)) _; apply: leq_trans (card_bigcup _ _) _.
rewrite (eq_bigr (fun=> (c ^ #|J| * N ^ (#|A| - #|J|)) ^ x)) => [|B].
  by rewrite sum_nat_const card_draws card_ord.
by rewrite inE => /eqP cB; rewrite cardsE card_ffun_on card_ord card_into_set cB.
Qed.

Variable Q : {set table}.
Notation sub := [finType of {f : table | f \in Q}].
(** The tables of Q, as a type, are as many as Q. *)
Lemma card_sub : #|sub| = #|Q|. Proof. by rewrite card_sig; apply: eq_card. Qed.
Definition whole (F : {ffun 'I_x -> sub}) : {ffun 'I_x -> table} := [ffun a => val (F a)].

(** ... so draws from a set Q of density 2^{-P} take fewer than th values rarely. *)
Lemma few_values th P : th <= N ->
  #|[pred F | #|values (whole F)| <= th.-1]| * 2 ^ (x * P)
  <= 'C(N, th.-1) * th.-1 ^ (x * #|J|) * 2 ^ (x * P) * (N ^ (#|A| - #|J|)) ^ x.
Proof.
move=> thN; rewrite mulnAC leq_mul2r; apply/orP; right.
have -> : th.-1 ^ (x * #|J|) = (th.-1 ^ #|J|) ^ x by rewrite -expnM mulnC.
rewrite -mulnA -expnMn; apply: leq_trans (cover_on (leq_trans (leq_pred _) thN)).
rewrite -(card_in_imset (f := whole)) => [|F G _ _ E]; last first.
  by apply/ffunP => a; apply: val_inj; have := congr1 (fun f : {ffun _ -> _} => f a) E; rewrite !ffunE.
by apply: subset_leq_card; apply/subsetP => _ /imsetP[F + ->]; rewrite !inE.
Qed.
(** There are at least N^{x·|A|}·2^{-x·P} draws of x tables from Q. *)
Lemma many_draws P : N ^ #|A| <= #|Q| * 2 ^ P ->
  N ^ (x * #|J|) * (N ^ (#|A| - #|J|)) ^ x <= #|sub| ^ x * 2 ^ (x * P).
Proof.
move=> dens; have JA : #|J| <= #|A| by apply: max_card.
have -> : N ^ (x * #|J|) * (N ^ (#|A| - #|J|)) ^ x = (N ^ #|A|) ^ x.
  by rewrite -!expnM -expnD (mulnC x) -mulnDl subnKC.
by rewrite card_sub (mulnC x P) expnM -expnMn; apply: exp_mono.
Qed.

(** Averaging: copies that extend to many hidden parts inside a set R of pairs. *)
Lemma copies_of (Om : finType) (S : {set Om}) (R : {set Om * table}) th P D :
  0 < #|S| -> 0 < N -> th <= N -> N ^ #|A| <= #|Q| * 2 ^ P -> R \subset setX S Q -> #|S| * #|Q| <= #|R| * 2 ^ D ->
  'C(N, th.-1) * th.-1 ^ (x * #|J|) * 2 ^ (x * (P + D) + 1) <= N ^ (x * #|J|) ->
  exists (F : {ffun 'I_x -> table}) (S' : {set Om}),
  [/\ forall a, F a \in Q, th <= #|values F| \/ th = 0, S' \subset S, #|S| <= #|S'| * 2 ^ (1 + x * D)
    & forall u a, u \in S' -> (u, F a) \in R].
Proof.
move=> S0 N0 thN dens sR le hb.
pose U := [finType of {u : Om | u \in S}].
have cU : #|U| = #|S| by rewrite card_sig; apply: eq_card.
pose RR : {set U * sub} := [set b | (val b.1, val b.2) \in R].
have cRR : #|RR| = #|R|.
  rewrite -(card_imset (f := fun b : U * sub => (val b.1, val b.2))) => [|[u f] [u' f'] /= [/val_inj -> /val_inj ->] //].
  apply: eq_card => -[u f]; apply/imsetP/idP => [[b + ->]|uf]; first by rewrite inE.
  have /setXP[uS fQ] := subsetP sR _ uf.
  by exists (exist (fun u => u \in S) u uS, exist (fun f => f \in Q) f fQ); rewrite ?inE.
have [||||F good big] := @averaging U sub RR x D [pred F | #|values (whole F)| <= th.-1].
- by rewrite cRR cU card_sub.
- rewrite -(@leq_pmul2r (2 ^ (x * P))) ?expn_gt0 // -mulnA.
  apply: leq_trans (leq_mul (leqnn _) (few_values P thN)) _; apply: leq_trans (many_draws dens).
  rewrite mulnA leq_mul2r; apply/orP; right; apply: leq_trans hb; apply: eq_leq.
  by rewrite mulnC -[_ * 2 ^ (x * P) * _]mulnA -expnD mulnDr -addnA (addnC 1).
- by rewrite card_sub; case: (posnP #|Q|) dens => // ->; rewrite mul0n leqn0 expn_eq0 eqn0Ngt N0.
- by rewrite cU.
exists (whole F), [set val u | u in extensions RR F]; split.
- by move=> a; rewrite ffunE; apply: valP.
- by case: th {thN hb} good => [|t]; [right | left; move: good; rewrite inE -ltnNge].
- by apply/subsetP => _ /imsetP[u _ ->]; apply: valP.
- by rewrite card_imset ?cU -?cU //; apply: val_inj.
move=> _ a /imsetP[u hu ->]; rewrite ffunE; move: hu; rewrite inE => /forallP/(_ a); by rewrite inE.
Qed.

(** ... that agree on a function sigma of the hidden part and of the copy. *)
Lemma copies (Om Sg : finType) (S : {set Om}) (sigma : Om -> table -> Sg) th P D :
  0 < #|S| -> 0 < N -> th <= N -> N ^ #|A| <= #|Q| * 2 ^ P -> #|Sg| <= 2 ^ D ->
  'C(N, th.-1) * th.-1 ^ (x * #|J|) * 2 ^ (x * (P + D) + 1) <= N ^ (x * #|J|) ->
  exists (F : {ffun 'I_x -> table}) (S' : {set Om}),
  [/\ forall a, F a \in Q, th <= #|values F| \/ th = 0, S' \subset S, #|S| <= #|S'| * 2 ^ (1 + x * D)
    & forall u u' a a', u \in S' -> u' \in S' -> sigma u (F a) = sigma u' (F a')].
Proof.
move=> S0 N0 thN dens hS hb.
have [R [sR cR] le] := fixing_one (fun b : Om * table => sigma b.1 b.2) (setX S Q).
have leR : #|S| * #|Q| <= #|R| * 2 ^ D by rewrite -cardsX; apply: leq_trans le _; rewrite leq_mul2l hS orbT.
have [F [S' [h1 h2 h3 h4 h5]]] := copies_of S0 N0 thN dens sR leR hb.
exists F, S'; split=> // u u' a a' hu hu'; exact: (cR (u, F a) (u', F a') (h5 _ _ hu) (h5 _ _ hu')).
Qed.

(** Without a sigma some draws take th values. *)
Lemma copies_free th P : 0 < N -> th <= N -> N ^ #|A| <= #|Q| * 2 ^ P ->
  'C(N, th.-1) * th.-1 ^ (x * #|J|) * 2 ^ (x * P) < N ^ (x * #|J|) ->
  exists F : {ffun 'I_x -> table}, (forall a, F a \in Q) /\ (th <= #|values F| \/ th = 0).
Proof.
move=> N0 thN dens hb.
case: (pickP (fun F => th.-1 < #|values (whole F)|)) => [F good|no].
  exists (whole F); split=> [a|]; first by rewrite ffunE; apply: valP.
  by case: th {thN hb} good => [|t]; [right | left].
have all_bad : #|[pred F | #|values (whole F)| <= th.-1]| = #|sub| ^ x.
  rewrite -[X in _ = _ ^ X]card_ord -card_ffun; apply: eq_card => F.
  by rewrite !inE leqNgt no.
exfalso.
have r0 : 0 < (N ^ (#|A| - #|J|)) ^ x by rewrite !expn_gt0 N0.
have := few_values P thN; rewrite all_bad leqNgt => /negP; apply.
by apply: leq_trans (many_draws dens); rewrite ltn_pmul2r.
Qed.
End Copies.
