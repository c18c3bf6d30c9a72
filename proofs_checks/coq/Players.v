(** Players with unused rows (theory 5.9): player ℓ has the used entries of table ℓ, which are free, and behind them the unused rows of
    table ℓ−1, which are constant. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge TheoremA.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** What a player holds: how many entries, below which number, and how many zeros behind them. *)
Record shape := Shape { entries : nat; range : nat; padding : nat }.
(** A player holds its free entries and the unused rows behind them. *)
Definition held (s : shape) : nat := entries s + padding s.
Notation filling s := {ffun 'I_(entries s) -> 'I_(range s)}.
Definition shown (s : shape) (f : filling s) : seq token :=
  [seq Val (f i) | i : 'I_(entries s) <- enum 'I_(entries s)] ++ nseq (padding s) (Val 0).
(** A player shows that many. *)
Lemma size_shown s (f : filling s) : size (shown f) = held s.
Proof. by rewrite size_cat size_nseq size_map size_enum_ord. Qed.

(** Several players, the lowest first. *)
Fixpoint Players (ss : seq shape) : finType :=
  if ss is s :: ss' then prod_finType (Players ss') (finfun_finType (ordinal_finType (entries s)) (ordinal_finType (range s)))
  else unit_finType.
Fixpoint before (ss : seq shape) : Players ss -> seq token :=
  match ss return Players ss -> seq token with
  | [::] => fun _ => [::] | s :: ss' => fun u => before u.1 ++ shown u.2 end.
Definition total (ss : seq shape) : nat := sumn (map held ss).
(** The tokens of all. *)
Lemma size_before ss (u : Players ss) : size (before u) = total ss.
Proof. by elim: ss u => [|s ss IH] [] //= u f; rewrite size_cat IH size_shown /total /= addnC. Qed.
(** One more player. *)
Lemma total_cons s ss : total (s :: ss) = total ss + held s. Proof. by rewrite /total /= addnC. Qed.

(** The players from a table of N entries on, whose last a are used, p zeros behind it; of the rows of the next tables the last ν are used. *)
Fixpoint shapes (a p N : nat) (ns nus : seq nat) : seq shape :=
  Shape a N p :: match ns, nus with n :: ns', v :: nus' => shapes (N * v) (N - a) (N * n) ns' nus' | _, _ => [::] end.

(** Table ℓ as a whole: the last a entries are free. *)
Definition table_of a N (f : {ffun 'I_a -> 'I_N}) : seq nat := last_entries N (fun i => val (f i)).
(** It has N entries. *)
Lemma size_table_of a N (f : {ffun 'I_a -> 'I_N}) : a <= N -> size (table_of f) = N. Proof. exact: size_last_entries. Qed.
(** The last entries are the free ones. *)
Lemma nth_table_of a N (f : {ffun 'I_a -> 'I_N}) (i : 'I_a) : nth 0 (table_of f) (N - a + i) = f i. Proof. exact: nth_last_entries. Qed.
(** All entries are below N. *)
Lemma table_of_ok a N (f : {ffun 'I_a -> 'I_N}) : a <= N -> all (fun v => v < size (table_of f)) (table_of f).
Proof. by move=> aN; rewrite size_table_of //; apply: last_entries_lt => e; apply: ltn_ord. Qed.
(** Its tokens: the unused rows, and what its player shows but for the zeros behind. *)
Lemma table_shown a p N (f : {ffun 'I_a -> 'I_N}) :
  [seq Val v | v <- table_of f] ++ nseq p (Val 0) = nseq (N - a) (Val 0) ++ shown (s := Shape a N p) f.
Proof. by rewrite /table_of /last_entries map_cat map_nseq -map_comp -catA. Qed.

(** The queries that use the last rows. *)
Fixpoint row_queries (ns nus : seq nat) : seq (seq nat) :=
  match ns, nus with
  | n :: ns', v :: nus' => [seq w :: ws | w <- iota (n - v) v, ws <- row_queries ns' nus']
  | _, _ => [:: [::]]
  end.
(** There are ν_1⋯ν_{L-1} queries of used rows. *)
Lemma size_row_queries ns nus : size ns = size nus -> size (row_queries ns nus) = queries nus.
Proof. by elim: ns nus => [|n ns IH] [|v nus] //= [/IH E]; rewrite size_allpairs size_iota E. Qed.
(** Their digits are in range. *)
Lemma row_queries_lt ns nus ws : all2 leq nus ns -> ws \in row_queries ns nus -> all2 ltn ws ns.
Proof.
elim: ns nus ws => [|n ns IH] [|v nus] //= ws; first by rewrite inE => _ /eqP ->.
case/andP => vn h /allpairsP[[w wr] /= [hw hr ->]] /=; rewrite (IH nus) // andbT.
by move: hw; rewrite mem_iota subnK // => /andP[].
Qed.

Section Asked.
Variables (m : nat) (ns0 : seq nat).
(** Free entry j of the table of size N is asked by some (z_0, lower tables, digits) whose views, without the p zeros, are all in Vs. *)
Definition asked_rows (Vs : seq (seq token)) (a p N : nat) (ns nus : seq nat) (j : nat) : Prop :=
  exists z0 zl wd nl,
  [/\ [/\ z0 < m, map size zl ++ sizes N ns = sizes m ns0, nl ++ ns = ns0, all2 ltn wd nl
        & all (fun z => all (fun v => v < size z) z) zl],
      forall zr wr, 0 < size zr -> answer z0 (zl ++ zr) (wd ++ wr) = answer (N - a + j) zr wr
    & forall wr, wr \in row_queries ns nus -> exists2 v, v \in Vs & prompt z0 zl (wd ++ wr) = nseq p (Val 0) ++ v].
End Asked.
