(** Two Full layers and any recurrent ones, with a hidden part in front: what has to be fixed about the hidden part so
    that the answers do not depend on it (the end of the proofs of A3, theory 5.8). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section TwoLayers.
Variables (md : model) (B0 B1 B2 : seq (layer (act md))) (F1 F2 : layer (act md)).
Hypotheses (nB1 : ~~ has (@is_full _) B1) (nB2 : ~~ has (@is_full _) B2).
Hypothesis the_word : layers md = B0 ++ F1 :: B1 ++ F2 :: B2.

(** Hidden inputs u in S, in the first K tokens; then one of the continuations c in Ms, of d tokens; then a query q. *)
Variables (Om Mid Qy Key : finType) (label : eqType).
Variables (start : Om -> seq token) (mid : Mid -> seq token) (asked : Qy -> token).
Variables (K d : nat) (S : {set Om}) (Ms : {set Mid}).
Hypothesis size_start : forall u, size (start u) = K.
Hypothesis size_mid : forall c, size (mid c) = d.
Definition body u c := start u ++ mid c.
Definition whole u c q := body u c ++ [:: asked q].

(** Before F1, token k of a continuation knows its label, which is one of those listed in Vs. *)
Variables (Vs : seq (nat * label)) (lab : Mid -> nat -> label).
Hypothesis in_Vs : forall c k, c \in Ms -> k < d -> (k, lab c k) \in Vs.
Hypothesis know0 : forall u u' c c' k, u \in S -> u' \in S -> c \in Ms -> c' \in Ms -> k < d -> lab c k = lab c' k ->
  acts B0 (body u c) (K + k) = acts B0 (body u' c') (K + k).
(** Before F1 a query knows itself only. *)
Hypothesis know0q : forall u u' c c' q, u \in S -> u' \in S -> c \in Ms -> c' \in Ms ->
  acts B0 (whole u c q) (K + d) = acts B0 (whole u' c' q) (K + d).
(** What a query has heard behind the hidden part in F1 is fixed; what it has heard behind a continuation, and the states of
    block 1 into it, are functions of the key. *)
Variable key : Mid -> Key.
Hypothesis heard_first : forall u u' c q, u \in S -> u' \in S -> c \in Ms ->
  partial_sum F1 (acts B0 (start u)) (acts B0 (whole u c q) (K + d)) K (K + d)
  = partial_sum F1 (acts B0 (start u')) (acts B0 (whole u c q) (K + d)) K (K + d).
Hypothesis heard : forall u c c' q, u \in S -> c \in Ms -> c' \in Ms -> key c = key c' ->
  partial_sum F1 (acts B0 (body u c)) (acts B0 (whole u c q) (K + d)) (K + d) (K + d)
  = partial_sum F1 (acts B0 (body u c')) (acts B0 (whole u c q) (K + d)) (K + d) (K + d).
Hypothesis states1 : forall u u' c c', u \in S -> u' \in S -> c \in Ms -> c' \in Ms -> key c = key c' ->
  same_states (body u c) (body u' c') (K + d) B0 (F1 :: B1).

Definition L1 := rcons B0 F1 ++ B1.
(** The prompt before the query has K + d tokens. *)
Lemma size_body u c : size (body u c) = K + d. Proof. by rewrite size_cat size_start size_mid. Qed.
(** The query does not reach the tokens before it. *)
Lemma acts_body (ls : seq (layer (act md))) u c q k : k < d -> acts ls (whole u c q) (K + k) = acts ls (body u c) (K + k).
Proof. by move=> kd; rewrite acts_prefix // size_body ltn_add2l. Qed.

(** * 1. Layer 1: the states behind the hidden part, and what the tokens hear from it, one question for each label *)
Section First.
Variables (us : Om) (cs : Mid).
Hypothesis usS : us \in S.
Definition at_label (b : nat * label) : act md := acts B0 (body us (odflt cs [pick c in Ms | lab c b.1 == b.2])) (K + b.1).
(** What token k knows before F1. *)
Lemma at_labelE u c k : u \in S -> c \in Ms -> k < d -> acts B0 (body u c) (K + k) = at_label (k, lab c k).
Proof.
move=> uS cM kd; rewrite /at_label; case: pickP => [c' /andP[cM' /eqP e]|/(_ c)]; last by rewrite cM eqxx.
exact: know0.
Qed.
Definition first_asked : seq (question Om) := states_asked start K B0 (F1 :: B1) ++
  [seq Ask (fun u => partial_sum F1 (acts B0 (start u)) (at_label b) K (K + b.1)) | b <- Vs].
(** Their charge. *)
Lemma first_charge beta lam1 : sums F1 <= 2 ^ beta -> \prod_(l <- F1 :: B1) states l <= 2 ^ lam1 ->
  \prod_(q <- first_asked) #|Ans q| <= 2 ^ (lam1 + beta * size Vs).
Proof.
move=> hb h1; apply: charge_cat; first by rewrite states_charge.
by apply: charge_each => b; rewrite /= card_sum_type.
Qed.

(** Before F1 the tokens behind the hidden part do not depend on it, ... *)
Lemma below0 u u' c j : u \in S -> u' \in S -> c \in Ms -> K <= j < K + d -> acts B0 (body u c) j = acts B0 (body u' c) j.
Proof. by move=> h h' cM /andP[lj jd]; rewrite -(subnKC lj); apply: know0; rewrite ?ltn_subLR. Qed.
(** ... so what they hear in F1 is fixed with what they hear from the hidden part. *)
Lemma hear1 u u' c k y : u \in S -> u' \in S -> c \in Ms -> k <= d ->
  partial_sum F1 (acts B0 (start u)) y K (K + k) = partial_sum F1 (acts B0 (start u')) y K (K + k) ->
  partial_sum F1 (acts B0 (body u c)) y (K + k) (K + k) = partial_sum F1 (acts B0 (body u' c)) y (K + k) (K + k).
Proof.
move=> h h' cM kd e; apply: (@sum_from _ _ _ _ _ K); first exact: leq_addr.
  by rewrite /body !(sum_prefix _ _ _ (p := start _)) ?size_start.
by move=> j /andP[lj jd]; apply: below0 => //; rewrite lj (leq_trans jd) // leq_add2l.
Qed.

Variable Qa : {set Om}.
Hypotheses (sub : Qa \subset S) (fixed : consts Qa first_asked).
(** The states behind the hidden part. *)
Lemma states_behind u u' c : u \in Qa -> u' \in Qa -> same_states (body u c) (body u' c) K B0 (F1 :: B1).
Proof.
have /consts_cat[/states_fixed st _] := fixed.
by move=> h h'; apply/same_states_prefix; rewrite ?size_start //; apply: st.
Qed.
(** After F1 the tokens of a continuation do not depend on the hidden part, ... *)
Lemma after_F1 u u' c j : u \in Qa -> u' \in Qa -> c \in Ms -> K <= j < K + d ->
  acts (rcons B0 F1) (body u c) j = acts (rcons B0 F1) (body u' c) j.
Proof.
move=> h h' cM /andP[lj jd]; have uS := subsetP sub _ h; have uS' := subsetP sub _ h'.
have kd : j - K < d by rewrite ltn_subLR.
have /consts_cat[_ heard_by] := fixed; have [s1 _] := states_behind c h h'.
apply: layer_at; first by apply: below0; rewrite ?lj.
  by apply: state_from lj s1 _ => k /andP[lk kj]; apply: below0; rewrite ?lk // (ltn_trans kj).
rewrite -(subnKC lj) at_labelE //; apply: hear1 => //; first exact: ltnW.
exact: (consts_map heard_by (in_Vs cM kd)).
Qed.
(** ... nor after block 1. *)
Lemma after_block1 u u' c k : u \in Qa -> u' \in Qa -> c \in Ms -> k < d -> acts L1 (body u c) (K + k) = acts L1 (body u' c) (K + k).
Proof.
move=> h h' cM kd; have [_ s2] := states_behind c h h'.
apply: (proj1 (scan_upto (P := K) (b := K + k) nB1 _ s2 _)); last by rewrite leq_addr leqnn.
by move=> j /andP[lj jk]; apply: after_F1 => //; rewrite lj (leq_ltn_trans jk) // ltn_add2l.
Qed.
(** What a query knows after block 1 is a function of the query and the key. *)
Lemma by_key u u' c c' q : u \in Qa -> u' \in Qa -> c \in Ms -> c' \in Ms -> key c = key c' ->
  acts L1 (whole u c q) (K + d) = acts L1 (whole u' c' q) (K + d).
Proof.
move=> h h' cM cM' ek; have uS := subsetP sub _ h; have uS' := subsetP sub _ h'.
have [s1 s2] : same_states (whole u c q) (whole u' c' q) (K + d) B0 (F1 :: B1).
  by apply/same_states_prefix; rewrite ?size_body //; apply: states1.
apply: recs_at => //; apply: layer_at => //; first exact: know0q.
set x := acts B0 (whole u c q) (K + d).
have pre w c1 : partial_sum F1 (acts B0 (whole w c1 q)) x (K + d) (K + d) = partial_sum F1 (acts B0 (body w c1)) x (K + d) (K + d).
  by rewrite sum_prefix ?size_body.
rewrite !pre; transitivity (partial_sum F1 (acts B0 (body u' c)) x (K + d) (K + d)).
  by apply: hear1 => //; apply: heard_first.
by have := heard q uS' cM cM' ek; rewrite (know0q (u' := u) (c' := c)).
Qed.
End First.

(** * 2. The answers do not depend on the hidden part when this much of it is fixed: the states of block 1 behind it, the sums of
    F1 into labels, the sums of F2 into (query, key), the states of block 2 into w for every continuation *)
Lemma two_layers beta lam1 lam2 : sums F1 <= 2 ^ beta -> sums F2 <= 2 ^ beta ->
  \prod_(l <- F1 :: B1) states l <= 2 ^ lam1 -> \prod_(l <- F2 :: B2) states l <= 2 ^ lam2 -> 0 < #|S| ->
  exists2 Q : {set Om}, #|S| <= #|Q| * 2 ^ (lam1 + beta * (size Vs + #|Qy| * #|Key|) + #|Ms| * lam2)
    & Q \subset S /\ forall u u' c q, u \in Q -> u' \in Q -> c \in Ms ->
      acts (layers md) (whole u c q) (K + d) = acts (layers md) (whole u' c q) (K + d).
Proof.
move=> hb1 hb2 h1 h2 S0; have [us usS] := card_gt0P S0.
case: (set_0Vmem Ms) => [M0|[cs csM]].
  exists S; first by rewrite leq_pmulr // expn_gt0.
  by split=> // u u' c q _ _; rewrite M0 inE.
have [Qa [sa fixed] da] : exists2 Qa : {set Om}, Qa \subset S /\ consts Qa (first_asked us cs)
    & #|S| <= #|Qa| * 2 ^ (0 + (lam1 + beta * size Vs)).
  by apply: fixing_bits; [rewrite muln1 | apply: first_charge].
have [ur urQ] := dense_pick S0 da; have from_key := by_key sa.
pose y (b : Qy * Key) : act md := acts L1 (whole ur (odflt cs [pick c in Ms | key c == b.2]) b.1) (K + d).
have yE u c q : u \in Qa -> c \in Ms -> acts L1 (whole u c q) (K + d) = y (q, key c).
  move=> h cM; rewrite /y; case: pickP => [c' /andP[cM' /eqP e]|/(_ c)]; last by rewrite cM eqxx.
  exact: from_key.
pose bq (b : Qy * Key) : question Om := Ask (fun u => partial_sum F2 (acts L1 (start u)) (y b) K (K + d)).
pose bs (c : Mid) := states_asked (body^~ c) (K + d) L1 (F2 :: B2).
have [Qb [sub /consts_cat[cb /consts_flatten csb]] db] : exists2 Qb : {set Om},
    Qb \subset Qa /\ consts Qb ([seq bq b | b <- enum [finType of Qy * Key]] ++ flatten [seq bs c | c <- enum Ms])
    & #|S| <= #|Qb| * 2 ^ (0 + (lam1 + beta * size Vs) + (beta * (#|Qy| * #|Key|) + #|Ms| * lam2)).
  apply: fixing_bits da _; apply: charge_cat.
    by rewrite -card_prod [#|_|]cardE; apply: charge_each => w; rewrite /= card_sum_type.
  by rewrite [#|Ms|]cardE; apply: charge_lists => c; rewrite states_charge.
exists Qb; first by move: db; rewrite add0n addnA -(addnA lam1) -mulnDr.
split; first exact: subset_trans sub sa.
move=> u u' c q hQ hQ' cM; have h := subsetP sub _ hQ; have h' := subsetP sub _ hQ'.
have [s1 s2] : same_states (whole u c q) (whole u' c q) (K + d) L1 (F2 :: B2).
  apply/same_states_prefix; rewrite ?size_body //.
  by apply: (states_fixed (csb c _) hQ hQ'); rewrite mem_enum.
have -> : layers md = rcons L1 F2 ++ B2 by rewrite the_word /L1 !cat_rcons -!catA.
apply: recs_at => //; apply: layer_at => //; first by rewrite !yE.
rewrite yE //; apply: (@sum_from _ _ _ _ _ K); first exact: leq_addr.
  rewrite /whole /body -!(catA (start _)) !(sum_prefix _ _ _ (p := start _)) ?size_start //.
  by apply: (consts_map cb) => //; rewrite mem_enum.
move=> j /andP[lj jd]; have kd : j - K < d by rewrite ltn_subLR.
by rewrite -(subnKC lj) !acts_body //; apply: (after_block1 usS sa fixed).
Qed.
End TwoLayers.
