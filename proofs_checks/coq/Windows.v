(** A table of m·n_1 entries that is 0 outside n_1 windows: the last u entries of every m (A3, theory 5.8). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TwoPrompts.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Windows.
Variables (m n1 u : nat).
Notation N1 := (m * n1).
Notation gap := (m - u).
Hypotheses (m0 : 0 < m) (n10 : 0 < n1) (um : u <= m).
Implicit Types (h : 'I_n1 * 'I_u -> nat).

(** Entry q = a·m + r is entry (a, r − gap) of h when r >= gap, and 0 otherwise. *)
Definition window_entry h (q : nat) : nat :=
  if gap <= q %% m then
    match insub (q %/ m), insub (q %% m - gap) with Some a, Some i => h (a, i) | _, _ => 0 end
  else 0.
Definition windowed h : seq nat := [seq window_entry h q | q <- iota 0 N1].
(** The tokens from the first window on. *)
Definition windows h : seq token := [seq Val (window_entry h q) | q <- iota gap (N1 - gap)].

(** A window is the end of its m entries. *)
Lemma in_window (e : 'I_n1 * 'I_u) : gap + e.2 < m. Proof. by rewrite -{2}(subnK um) ltn_add2l. Qed.
(** An entry in a window. *)
Lemma window_entryE h (e : 'I_n1 * 'I_u) : window_entry h (e.1 * m + (gap + e.2)) = h e.
Proof.
have lt := in_window e; rewrite /window_entry modnMDl modn_small // leq_addr divnMDl // divn_small // addn0 addKn !valK.
by case: e lt.
Qed.
(** An entry is in a window or 0. *)
Lemma window_cases q : q < N1 -> (gap <= q %% m /\ exists e : 'I_n1 * 'I_u, q = e.1 * m + (gap + e.2)) \/
  (q %% m < gap /\ forall h, window_entry h q = 0).
Proof.
move=> qN; have an : q %/ m < n1 by rewrite ltn_divLR // mulnC.
have [le|lt] := leqP gap (q %% m); last by right; split=> // h; rewrite /window_entry leqNgt lt.
have iT : q %% m - gap < u by rewrite ltn_subLR // subnK // ltn_mod.
by left; split=> //; exists (Ordinal an, Ordinal iT); rewrite /= subnKC // -divn_eq.
Qed.
(** Entries are below a bound of h. *)
Lemma window_entry_lt h b q : 0 < b -> (forall e, h e < b) -> window_entry h q < b.
Proof.
move=> b0 hb; rewrite /window_entry; case: ifP => // _.
by case: insubP => [a _ _|_] //; case: insubP => [i _ _|_].
Qed.
(** The first window is inside the table. *)
Lemma gap_le : gap <= N1. Proof. by apply: leq_trans (leq_subr _ _) _; rewrite leq_pmulr. Qed.
(** The table has N_1 entries. *)
Lemma size_windowed h : size (windowed h) = N1. Proof. by rewrite size_map size_iota. Qed.
(** From the first window on. *)
Lemma size_windows h : size (windows h) = N1 - gap. Proof. by rewrite size_map size_iota. Qed.
(** The table is zeros, then what begins with the first window. *)
Lemma windowed_cat h : [seq Val b | b <- windowed h] = nseq gap (Val 0) ++ windows h.
Proof.
rewrite /windowed -{1}(subnKC gap_le) iotaD add0n map_cat map_cat -map_comp; congr (_ ++ _); last by rewrite -map_comp.
apply: (@eq_from_nth _ (Val 0)); rewrite size_map size_iota ?size_nseq // => k kg.
rewrite (nth_map 0) ?size_iota // nth_iota // nth_nseq kg /= /window_entry modn_small; last by apply: leq_trans kg (leq_subr _ _).
by rewrite add0n leqNgt kg.
Qed.
(** The tokens from the first window on. *)
Lemma nth_windows h k : k < N1 - gap -> nth (Val 0) (windows h) k = Val (window_entry h (gap + k)).
Proof. by move=> kw; rewrite (nth_map 0) ?size_iota // nth_iota. Qed.
(** The table at an entry of a window. *)
Lemma nth_windowed h (e : 'I_n1 * 'I_u) : nth 0 (windowed h) (e.1 * m + (gap + e.2)) = h e.
Proof.
have lt := pair_lt (ltn_ord e.1) (in_window e).
by rewrite (nth_map 0) ?size_iota // nth_iota // add0n window_entryE.
Qed.

(** The tokens from the first window on, each with as many labels as it has variants: x in the windows, one between. *)
Definition window_labels (x : nat) : seq (nat * nat) :=
  [seq (c.1.1 * m + c.1.2, val c.2) | c : 'I_n1 * 'I_u * 'I_x <- enum [finType of 'I_n1 * 'I_u * 'I_x]] ++
  [seq (a * m + r - gap, 0) | a <- iota 1 n1.-1, r <- iota 0 gap].
(** The number of labels. *)
Lemma size_window_labels x : size (window_labels x) = x * (n1 * u) + n1.-1 * gap.
Proof. by rewrite size_cat size_map -cardE !card_prod !card_ord size_allpairs !size_iota mulnC. Qed.
(** Every token has its label in the list. *)
Lemma mem_window_labels x k (a : 'I_x) : k < N1 - gap ->
  (k, if gap <= (gap + k) %% m then val a else 0) \in window_labels x.
Proof.
move=> kw; have qN : gap + k < N1 by rewrite -ltn_subRL.
rewrite mem_cat; have [[le [e Ee]]|[lt _]] := window_cases qN.
  apply/orP; left; apply/mapP; exists (e, a); rewrite ?mem_enum //= le; congr pair.
  by apply/eqP; rewrite -(eqn_add2l gap) Ee addnCA.
rewrite leqNgt lt /=; apply/orP; right; apply/allpairsP; exists ((gap + k) %/ m, (gap + k) %% m).
split=> /=; [| by rewrite mem_iota | by rewrite -divn_eq addKn].
rewrite mem_iota add1n prednK // ltn_divLR // (mulnC n1) qN andbT divn_gt0 // leqNgt; apply/negP => km.
by move: lt; rewrite modn_small // ltnNge leq_addr.
Qed.

(** Tokens of one block of m that stand at or before a token are zeros, or the window's own. *)
Lemma same_block h h' q q' : q %/ m * m <= q' -> q' <= q -> (gap <= q %% m -> h =1 h') ->
  window_entry h q' = window_entry h' q'.
Proof.
move=> lo hi same; have Ed : q' %/ m = q %/ m.
  by apply/eqP; rewrite eqn_leq leq_div2r //= leq_divRL.
have lem : q' %% m <= q %% m.
  by move: hi; rewrite {1}(divn_eq q m) {1}(divn_eq q' m) Ed leq_add2l.
rewrite /window_entry; case: ifP => // h1; have e := same (leq_trans h1 lem).
by case: insubP => // a _ _; case: insubP => // i _ _; rewrite e.
Qed.
End Windows.
