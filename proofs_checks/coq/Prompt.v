(** The prompt and its tables (D1): where the tokens stand, which entries of a table a query and an index name, and tables
    that are 0 but for their last entries. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Positions: table z_L, …, table z_1, then z_0, then w *)

(** The upper tables stand in front. *)
Lemma prompt_cat z0 zl zr ws : prompt z0 (zl ++ zr) ws = [seq Val v | v <- flatten (rev zr)] ++ prompt z0 zl ws.
Proof. by rewrite /prompt rev_cat flatten_cat map_cat catA. Qed.
(** The first table stands behind all others. *)
Lemma flatten_rev_cons (T : Type) (z : seq T) zs : flatten (rev (z :: zs)) = flatten (rev zs) ++ z.
Proof. by rewrite rev_cons flatten_rcons. Qed.
(** The tables have as many entries as their sizes add up to. *)
Lemma size_flatten_rev (T : Type) (zs : seq (seq T)) : size (flatten (rev zs)) = sumn (map size zs).
Proof. by rewrite size_flatten /shape map_rev sumn_rev. Qed.

Section Positions.
Variables (m : nat) (ns : seq nat) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Hypothesis shape : map size zs = sizes m ns.
(** The prompt has Σ N_{ℓ-1} + 2 tokens; ... *)
Lemma size_prompt : size (prompt z0 zs ws) = tokens m ns.
Proof. by rewrite /prompt size_cat size_map size_flatten_rev shape addn2. Qed.
(** ... the last but one is z_0, ... *)
Lemma nth_z0 : nth (Val 0) (prompt z0 zs ws) (sumn (sizes m ns)) = Val z0.
Proof. by rewrite /prompt nth_cat size_map size_flatten_rev shape ltnn subnn. Qed.
(** ... the last is w. *)
Lemma nth_query : nth (Val 0) (prompt z0 zs ws) (sumn (sizes m ns)).+1 = Query ws.
Proof. by rewrite /prompt nth_cat size_map size_flatten_rev shape ltnNge leqnSn /= subSnn. Qed.
End Positions.

(** Entry a of the first of some tables stands behind the others, is below the size, and within these tables. *)
Lemma first_table m ns z zs rest a : map size (z :: zs) = sizes m ns -> all (fun v => v < size z) z -> a < m ->
  let off := sumn (behead (sizes m ns)) in
  [/\ nth (Val 0) ([seq Val v | v <- flatten (rev (z :: zs))] ++ rest) (off + a) = Val (nth 0 z a),
      nth 0 z a < m & off + a < sumn (sizes m ns)].
Proof.
move=> E vz am; have [sz <-] : size z = m /\ map size zs = behead (sizes m ns) by move: E; case: (ns) => [|? ?] [].
cbv zeta; rewrite -E flatten_rev_cons map_cat -catA nth_cat size_map size_flatten_rev ltnNge leq_addr /= addKn addnC ltn_add2r.
by rewrite nth_cat size_map sz am (nth_map 0) ?sz // -[X in _ < X]sz (allP vz) // mem_nth ?sz.
Qed.
(** The prompt of an input. *)
Lemma size_valid m ns z0 zs ws : valid m ns z0 zs ws -> size (prompt z0 zs ws) = tokens m ns.
Proof. by case/and4P=> _ /eqP shape _ _; apply: size_prompt. Qed.
(** The first table of an input. *)
Lemma valid_first m ns z0 zs ws : valid m ns z0 zs ws -> exists z zr, [/\ zs = z :: zr, size z = m & all (fun v => v < size z) z].
Proof.
case/and4P=> _ /eqP; case: zs => [|z zr]; first by case: ns.
by move=> E /andP[vz _] _; exists z, zr; split=> //; move: E; case: (ns) => [|? ?] [].
Qed.

(** * 2. Entry (w, i) of a table of m·n entries is w·m + i *)

(** It is an entry. *)
Lemma pair_lt m n w i : w < n -> i < m -> w * m + i < m * n.
Proof.
move=> wn im; apply: leq_trans (_ : w * m + m <= _); first by rewrite ltn_add2l.
by rewrite -mulSnr mulnC leq_mul2l wn orbT.
Qed.
(** Different pairs are different entries. *)
Lemma pair_inj m w w' i i' : i < m -> i' < m -> w * m + i = w' * m + i' -> w = w' /\ i = i'.
Proof.
move=> im im' E; have m0 : 0 < m := leq_ltn_trans (leq0n _) im.
split; [have := congr1 (divn^~ m) E | have := congr1 (modn^~ m) E]; first by rewrite !divnMDl // !divn_small // !addn0.
by rewrite !modnMDl !modn_small.
Qed.
Definition entry m n (c : 'I_n * 'I_m) : 'I_(m * n) := Ordinal (pair_lt (ltn_ord c.1) (ltn_ord c.2)).
(** ... as numbers below m·n. *)
Lemma entry_inj m n : injective (@entry m n).
Proof. by move=> [w i] [w' i'] /(congr1 val)/pair_inj[] // Ew Ei; congr pair; apply: val_inj. Qed.
(** Some indices and the first n queries: all their entries. *)
Lemma uniq_pairs m n (T : eqType) (s : seq T) (f : T -> 'I_m) : injective f -> uniq s ->
  let entries := [seq w * m + val (f c) | w <- iota 0 n, c <- s] in
  [/\ uniq entries, size entries = n * size s & forall j, j \in entries -> j < m * n].
Proof.
move=> inj us; split; last 1 first.
- by move=> j /allpairsP[[w c] /= [hw _ ->]]; apply: pair_lt => //; move: hw; rewrite mem_iota.
- apply: allpairs_uniq; rewrite ?iota_uniq // => -[w c] [w' c'] _ _ /= /pair_inj[] // -> /val_inj/inj -> //.
by rewrite size_allpairs size_iota.
Qed.

(** * 3. A table of m entries that is 0 but for its last g *)
Section LastEntries.
Variables (m g : nat) (h : 'I_g -> nat).
Hypothesis gm : g <= m.
Definition last_entries : seq nat := nseq (m - g) 0 ++ [seq h e | e <- enum 'I_g].
(** It has m entries. *)
Lemma size_last_entries : size last_entries = m. Proof. by rewrite size_cat size_nseq size_map size_enum_ord subnK. Qed.
(** The last g are those of h. *)
Lemma nth_last_entries (e : 'I_g) : nth 0 last_entries (m - g + e) = h e.
Proof. by rewrite nth_cat size_nseq ltnNge leq_addr addKn (nth_map e) ?size_enum_ord // nth_ord_enum. Qed.
(** The first m − g are 0. *)
Lemma nth_first_zeros k : k < m - g -> nth 0 last_entries k = 0.
Proof. by move=> kg; rewrite nth_cat size_nseq kg nth_nseq kg. Qed.
(** All are below m. *)
Lemma last_entries_lt : (forall e, h e < m) -> all (fun v => v < m) last_entries.
Proof.
move=> hm; rewrite all_cat; apply/andP; split; apply/allP => v; last by case/mapP => e _ ->.
by move/nseqP => [-> k]; apply: leq_ltn_trans (leq0n _) (leq_trans k (leq_subr _ _)).
Qed.
End LastEntries.
