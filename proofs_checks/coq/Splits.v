(** A set of hidden tables in at most 2^c classes, each with a property: what is fixed in the worst case (the largest class is
    taken), and what is told on average (the class is a message of c bits). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting TwoPrompts CubeLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Splits.
Variable U : finType.
Definition splits (S : {set U}) (c : nat) (good : {set U} -> Prop) : Prop :=
  exists code : {ffun U -> 'I_(2 ^ c)}, forall k, good [set u in S | code u == k].

(** By the answers to a list of questions. *)
Lemma split_by (S : {set U}) (qs : seq (question U)) c (good : {set U} -> Prop) : \prod_(q <- qs) #|Ans q| <= 2 ^ c ->
  (forall S2 : {set U}, S2 \subset S -> consts S2 qs -> good S2) -> splits S c good.
Proof.
rewrite -card_answers => le each; exists [ffun u => widen_ord le (enum_rank (answered qs u))] => k.
apply: each; first by apply/subsetP => u; rewrite inE => /andP[].
case: (pickP [pred u | (u \in S) && (widen_ord le (enum_rank (answered qs u)) == k)]) => [u0 /andP[_ /eqP Ek]|none].
  apply: (consts_sub _ (answered_const (qs := qs) (answered qs u0))); apply/subsetP => u; rewrite !inE ffunE -Ek => /andP[_ /eqP E].
  by apply/eqP; apply: enum_rank_inj; apply: val_inj; move/(congr1 val): E.
have -> : [set u in S | [ffun u => widen_ord le (enum_rank (answered qs u))] u == k] = set0.
  by apply/setP => u; rewrite !inE ffunE; apply: none.
by elim: qs {le none} => //= q qs IH; split=> // u u'; rewrite inE.
Qed.
(** The largest class. *)
Lemma largest_class (S : {set U}) c (good : {set U} -> Prop) : splits S c good -> exists2 S2 : {set U}, #|S| <= #|S2| * 2 ^ c & good S2.
Proof.
move=> [code h]; have [S' [sub same] le] := fixing_one code S; rewrite card_ord in le.
pose k : 'I_(2 ^ c) := if [pick u in S'] is Some u then code u else Ordinal (expn_gt0 2 c : 0 < 2 ^ c).
exists [set u in S | code u == k]; last exact: h.
apply: leq_trans le _; rewrite leq_mul2r; apply/orP; right; apply: subset_leq_card; apply/subsetP => u uS'.
rewrite inE (subsetP sub) //= /k; case: pickP => [u' u'S'|/(_ u)]; last by rewrite uS'.
by apply/eqP; apply: same.
Qed.
End Splits.
