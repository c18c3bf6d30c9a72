(** Prompts of two tables where table 1 is 0 but for its last g entries, each a letter out of v; for B2 and B2c. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section TableOne.
Variables (m n1 g v : nat) (letter : 'I_g -> 'I_v -> nat).
Notation N := (m * n1).
Notation table2 := {ffun 'I_N -> 'I_N}.
Notation table1 := {ffun 'I_g -> 'I_v}.
Hypothesis gm : g <= m.
Hypothesis letter_m : forall e i, letter e i < m.

(** Table 1, and its last g entries. *)
Definition entries (f : table1) : seq nat := [seq letter e (f e) | e <- enum 'I_g].
Definition before : nat := m - g.
Definition z1 (f : table1) : seq nat := nseq before 0 ++ entries f.
(** There are g entries. *)
Lemma size_entries f : size (entries f) = g. Proof. by rewrite size_map size_enum_ord. Qed.
(** Table 1 has m entries. *)
Lemma size_z1 f : size (z1 f) = m. Proof. by rewrite size_cat size_nseq size_entries subnK. Qed.
(** Entry e. *)
Lemma nth_entries f (e : 'I_g) : nth 0 (entries f) e = letter e (f e).
Proof. by rewrite (nth_map e) ?size_enum_ord // nth_ord_enum. Qed.
(** Entries of table 1 are below m. *)
Lemma z1_below f : all (fun a => a < m) (z1 f).
Proof.
apply/allP => a; rewrite mem_cat => /orP[/nseqP[-> h]|/mapP[e _ ->] //].
by apply: leq_trans h (leq_subr _ _).
Qed.

(** The prompt: z_2 and table 1 before the last g entries, then these, then z_0 = the position of e, then w. *)
Definition start (z2 : table2) : seq token := vals z2 ++ nseq before (Val 0).
Definition letters (f : table1) : seq token := [seq Val a | a <- entries f].
Notation G := letters.
Definition tail (e w : nat) : seq token := [:: Val (before + e); Query [:: w]].
Definition whole_prompt z2 f e w : seq token := (start z2 ++ G f) ++ tail e w.
Notation p := whole_prompt.
(** G begins at position K, and w stands at P. *)
Definition letters_at := N + before.
Definition query_at := (N + m).+1.
Notation K := letters_at.
Notation P := query_at.
(** The hidden part has K tokens. *)
Lemma size_start z2 : size (start z2) = K. Proof. by rewrite size_cat size_vals size_nseq. Qed.
(** G has g. *)
Lemma size_G f : size (G f) = g. Proof. by rewrite size_map size_entries. Qed.
(** Both tables have N + m tokens. *)
Lemma size_tables z2 f : size (start z2 ++ G f) = N + m.
Proof. by rewrite size_cat size_start size_G /letters_at -addnA subnK. Qed.
(** The prompt has N + m + 2 tokens. *)
Lemma size_p z2 f e w : size (p z2 f e w) = P.+1. Proof. by rewrite size_cat size_tables addn2. Qed.
(** G begins inside table 1. *)
Lemma KNm : K <= N + m. Proof. by rewrite leq_add2l leq_subr. Qed.
(** ... and ends with it. *)
Lemma Kg : K + g = N + m. Proof. by rewrite /letters_at -addnA subnK. Qed.

(** The tokens of the prompt: entry e of G, z_0 and w. *)
Lemma nth_G z2 f e w (j : 'I_g) : nth (Val 0) (p z2 f e w) (K + j) = Val (letter j (f j)).
Proof.
rewrite nth_cat size_tables -Kg ltn_add2l ltn_ord nth_cat size_start ltnNge leq_addr /= addKn.
by rewrite (nth_map 0) ?size_entries // nth_entries.
Qed.
(** ... z_0, ... *)
Lemma nth_z0 z2 f e w : nth (Val 0) (p z2 f e w) (N + m) = Val (before + e).
Proof. by rewrite nth_cat size_tables ltnn subnn. Qed.
(** ... and w. *)
Lemma nth_w z2 f e w : nth (Val 0) (p z2 f e w) P = Query [:: w].
Proof. by rewrite nth_cat size_tables ltnNge leqnSn /= subSnn. Qed.

(** A model that solves the task reads z_2 at (w, letter e (f e)). *)
Lemma right_at (md : model) (z2 : table2) f (e : 'I_g) (w : 'I_n1) : solves m [:: n1] md ->
  output md (p z2 f e w) = z2 (entry (w, Ordinal (letter_m e (f e)))).
Proof.
move=> sol; have -> : p z2 f e w = prompt (before + e) [:: z1 f; table_values z2] [:: val w].
  rewrite /whole_prompt /start /letters /tail /vals /z1 /prompt /= cats0 !map_cat -!catA; congr (_ ++ _); congr (_ ++ _).
  by elim: before => //= k ->.
rewrite sol; last first.
  rewrite /valid /= size_z1 size_table_values eqxx z1_below tab_below ltn_ord !andbT.
  by apply: leq_trans (_ : before + g <= m); rewrite ?ltn_add2l // subnK.
rewrite /= size_z1 nth_cat size_nseq ltnNge leq_addr addKn nth_entries.
by rewrite (nth_table_values z2 (entry (w, Ordinal (letter_m e (f e))))).
Qed.

Section Layer1.
Variables (md : model) (F1 : layer (act md)).
(** Embeddings behind the hidden part do not depend on z_2. *)
Lemma emb z2 z2' f e w j : K <= j -> acts [::] (p z2 f e w) j = acts (md := md) [::] (p z2' f e w) j.
Proof. by move=> le; rewrite /whole_prompt -!(catA (start _)); apply: inputs_suffix; rewrite !size_start. Qed.

(** What w hears in layer 1 from all before G, and the state of the heads beside it there. *)
Definition query_in w : act md := embed md P (Query [:: w]).
Definition heard_before x k : question table2 := Ask (fun z2 => partial_sum F1 (acts [::] (start z2)) x K k).
Definition state_before : question table2 := Ask (fun z2 => state_at F1 (acts [::] (start z2)) K).

(** The state behind any token of G, and w's sum there, are the same for two tables z_2 with the same state before G and the same sum. *)
Lemma same_state z2 z2' f e w j : ask state_before z2 = ask state_before z2' -> K <= j ->
  state_at F1 (acts [::] (p z2 f e w)) j = state_at F1 (acts [::] (p z2' f e w)) j.
Proof.
move=> E le; have := E; rewrite /= -(st_prefix _ _ (G f ++ tail e w) (p := start z2)) ?size_start //
  -(st_prefix _ _ (G f ++ tail e w) (p := start z2')) ?size_start // !catA -/(p z2 f e w) -/(p z2' f e w) => Ep.
by apply: state_from le Ep _ => i /andP[lk _]; apply: emb.
Qed.
(** ... and for what a token hears. *)
Lemma same_sum z2 z2' f e w x k j : ask (heard_before x k) z2 = ask (heard_before x k) z2' -> K <= j ->
  partial_sum F1 (acts [::] (p z2 f e w)) x j k = partial_sum F1 (acts [::] (p z2' f e w)) x j k.
Proof.
move=> E le; apply: (sum_from le); last by move=> i /andP[li _]; apply: emb.
by rewrite /whole_prompt -!(catA (start _)) !(sum_prefix _ _ _ (p := start _)) ?size_start.
Qed.

(** w after layer 1: a function of its sum and of the state behind the two tables. *)
Lemma query_after z2 f f' e w :
  partial_sum F1 (acts [::] (start z2 ++ G f)) (query_in w) (N + m) P
    = partial_sum F1 (acts [::] (start z2 ++ G f')) (query_in w) (N + m) P ->
  state_at F1 (acts [::] (start z2 ++ G f)) (N + m) = state_at F1 (acts [::] (start z2 ++ G f')) (N + m) ->
  acts [:: F1] (p z2 f e w) P = acts [:: F1] (p z2 f' e w) P.
Proof.
have embP h j : N + m <= j -> acts [::] (p z2 h e w) j = acts (md := md) [::] (p z2 f' e w) j.
  by move=> le; apply: inputs_suffix; rewrite !size_tables.
have xw h : acts (md := md) [::] (p z2 h e w) P = query_in w by rewrite /acts /= /inputs nth_w.
move=> sm st; apply: (layer_at (ls := [::])); rewrite ?xw //.
  apply: (@state_from _ _ _ _ (N + m)); [exact: leqnSn | | by move=> k /andP[lk _]; apply: embP].
  by rewrite /whole_prompt !(st_prefix _ _ _ (p := start z2 ++ G _)) ?size_tables.
apply: (@sum_from _ _ _ _ _ (N + m)); [exact: leqnSn | | by move=> k /andP[lk _]; apply: embP].
by rewrite /whole_prompt !(sum_prefix _ _ _ (p := start z2 ++ G _)) ?size_tables.
Qed.
End Layer1.

(** The states into w are those behind z_0's token. *)
Lemma same_into (md : model) z2 z2' f e w ls rs : same_states (md := md) ((start z2 ++ G f) ++ [:: Val (before + e)])
    ((start z2' ++ G f) ++ [:: Val (before + e)]) P ls rs -> same_states (p z2 f e w) (p z2' f e w) P ls rs.
Proof.
have E z : p z f e w = ((start z ++ G f) ++ [:: Val (before + e)]) ++ [:: Query [:: w]] by rewrite /whole_prompt -[RHS]catA.
have sE (z : table2) : size ((start z ++ G f) ++ [:: Val (before + e)]) = P by rewrite cats1 size_rcons size_tables.
by move=> h; rewrite !E; apply/same_states_prefix; rewrite ?sE.
Qed.
End TableOne.
