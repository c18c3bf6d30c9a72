(** Identity tables: a model for more tables, the last of which are the identity, is one for fewer. The identity tables
    stand first in the prompt and are known; what they say to later tokens becomes part of the layers. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Prompt Counting Knowledge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Layers behind k known tokens *)
Section Layers.
Variables (X : Type) (k : nat).
Definition behind (pa : nat -> X) (l : layer X) : layer X :=
  match l with
  | Full M e g St s0 step h =>
      let heard i x := state e (fun j a y => g (k + i) j x y a) pa k in
      Full e (fun i j x y a => g (k + i) (k + j) x y (if j == 0 then heard i x else a))
        (state s0 step pa k) (fun i => step (k + i)) (fun i x a => h (k + i) x (if i == 0 then heard i x else a))
  | Rec St s0 step read => Rec (state s0 step pa k) (fun i => step (k + i)) (fun i => read (k + i))
  end.
Fixpoint all_behind (pa : nat -> X) (ls : seq (layer X)) : seq (layer X) :=
  if ls is l :: ls' then behind pa l :: all_behind (run pa l) ls' else [::].

(** The state goes on from the one behind the known tokens. *)
Lemma state_behind St (s0 : St) step (x pa y : nat -> X) i : (forall j, j < k -> x j = pa j) -> (forall j, x (k + j) = y j) ->
  state s0 step x (k + i) = state (state s0 step pa k) (fun j => step (k + j)) y i.
Proof.
move=> xp xy; elim: i => [|i IH] /=; last by rewrite addnS /= IH xy.
by rewrite addn0; elim: (k) xp => //= n IH xp; rewrite IH ?xp // => j jn; apply: xp; apply: ltnW.
Qed.
(** One layer behind a prefix does what it does without it. *)
Lemma run_behind pa (x y : nat -> X) l i : (forall j, j < k -> x j = pa j) -> (forall j, x (k + j) = y j) ->
  run x l (k + i) = run y (behind pa l) i.
Proof.
move=> xp xy; case: l => [M e g St s0 step h|St s0 step read] /=; rewrite !(state_behind _ _ _ xp xy) !xy //.
congr (h _ _ _ _); case: i => [|i] //=; congr (g _ _ _ _ _).
by move: (i.+1) => c; elim: i => [|i IH] //=; rewrite IH.
Qed.
(** So do all layers. *)
Lemma runs_behind ls pa (x y : nat -> X) i : (forall j, j < k -> x j = pa j) -> (forall j, x (k + j) = y j) ->
  foldl (@run X) x ls (k + i) = foldl (@run X) y (all_behind pa ls) i.
Proof.
elim: ls pa x y => [|l ls IH] pa x y xp xy /=; first exact: xy.
apply: IH => j; last exact: run_behind.
by move=> jk; apply: run_causal => j' le; apply: xp; apply: leq_ltn_trans le jk.
Qed.

(** A layer behind a prefix is of the same kind, ... *)
Lemma full_behind pa l : is_full (behind pa l) = is_full l. Proof. by case: l. Qed.
(** ... has as many sums ... *)
Lemma sums_behind pa l : sums (behind pa l) = sums l. Proof. by case: l. Qed.
(** ... and as many states. *)
Lemma states_behind pa l : states (behind pa l) = states l. Proof. by case: l. Qed.
(** So the word is the same ... *)
Lemma word_behind pa ls : map (@is_full X) (all_behind pa ls) = map (@is_full X) ls.
Proof. by elim: ls pa => //= l ls IH pa; rewrite IH full_behind. Qed.
(** ... and no message is longer. *)
Lemma messages_behind beta pa ls : all (fun l => sums l <= 2 ^ beta) ls -> all (fun l => sums l <= 2 ^ beta) (all_behind pa ls).
Proof. by elim: ls pa => //= l ls IH pa /andP[h /(IH (run pa l)) ->]; rewrite sums_behind h. Qed.
(** The states up to a full layer. *)
Lemma upto_behind t pa ls : map (@states X) (upto t (all_behind pa ls)) = map (@states X) (upto t ls).
Proof.
elim: ls pa t => //= l ls IH pa t; rewrite full_behind; case: (is_full l); last by rewrite /= IH states_behind.
by case: t => //= t; rewrite IH states_behind.
Qed.
(** The states of a block. *)
Lemma block_behind t pa ls : map (@states X) (block t (all_behind pa ls)) = map (@states X) (block t ls).
Proof.
case: t => [|t] /=; first exact: upto_behind.
by rewrite !map_drop upto_behind -[size (upto t (all_behind _ _))](size_map (@states X)) upto_behind size_map.
Qed.
End Layers.

(** * 2. Identity tables *)

(** A query with zeros for the tables that are known. *)
Definition longer (d : nat) (t : token) : token := if t is Query ws then Query (ws ++ nseq d 0) else t.
Definition behind_tokens (md : model) (pre : seq token) (d : nat) : model :=
  Model (fun i t => embed md (size pre + i) (longer d t))
        (all_behind (size pre) (fun j => embed md j (nth (Val 0) pre j)) (layers md)) (@out md).
(** It answers what the model answers behind these tokens. *)
Lemma output_behind md pre d q : 0 < size q -> output (behind_tokens md pre d) q = output md (pre ++ map (longer d) q).
Proof.
move=> q0; have E : (size (pre ++ map (longer d) q)).-1 = size pre + (size q).-1.
  by rewrite size_cat size_map; case: (size q) q0 => // n _; rewrite addnS.
rewrite /output E; congr out.
rewrite (@runs_behind _ (size pre) (layers md) (fun j => embed md j (nth (Val 0) pre j)) _ (inputs (behind_tokens md pre d) q)) //.
  by move=> j jp; rewrite /inputs nth_cat jp.
move=> j; rewrite /inputs nth_cat ltnNge leq_addr /= addKn; congr embed.
case: (ltnP j (size q)) => jq; first by rewrite (nth_map (Val 0)).
by rewrite [in RHS]nth_default // nth_default ?size_map.
Qed.

(** The tables behind the first ones, as identities. *)
Definition identities (N : nat) (ns : seq nat) : seq (seq nat) := [seq iota 0 K | K <- behead (sizes N ns)].
(** The sizes with more tables. *)
Lemma sizes_more m ns more : sizes m (ns ++ more) = sizes m ns ++ behead (sizes (last_size m ns) more).
Proof. by elim: ns m => [|n ns IH] m /=; rewrite ?IH //; case: more. Qed.
(** The identities answer what they are asked. *)
Lemma answer_identities N n ns b : all (leq 1) (n :: ns) -> b < N ->
  answer b (identities N (n :: ns)) (nseq (size ns) 0) = b.
Proof.
elim: ns N n => [|n' ns IH] N n /= => [/andP[n0 _]|/andP[n0 ns0]] bN; have lt : b < N * n by apply: leq_trans bN (leq_pmulr _ n0).
  by rewrite nth_iota.
by rewrite size_iota nth_iota // mul0n !add0n; apply: IH.
Qed.
(** So the answer is the same. *)
Lemma answer_longer m ns more zs ws a : map size zs = sizes m ns -> all (fun z => all (fun v => v < size z) z) zs -> a < m ->
  all2 ltn ws ns -> all (leq 1) more ->
  answer a (zs ++ identities (last_size m ns) more) (ws ++ nseq (size more) 0) = answer a zs ws.
Proof.
elim: ns m zs ws a => [|n ns IH] m [|z zs] [|w ws] a //= [sz szs] /andP[vz vzs] am.
  case: zs szs {vzs} => // _ _ pos; have lt : nth 0 z a < m by rewrite -[X in _ < X]sz; apply: (allP vz); rewrite mem_nth ?sz.
  case: more pos => [|k more] pos //.
  transitivity (answer (0 * size z + nth 0 z a) (identities m (k :: more)) (nseq (size more) 0)) => //.
  by rewrite mul0n add0n; apply: answer_identities.
case/andP=> wn wns; apply: IH => //.
have lt : nth 0 z a < m by rewrite -[X in _ < X]sz; apply: (allP vz); rewrite mem_nth ?sz.
by rewrite sz; apply: pair_lt.
Qed.

(** An input with identities behind its tables and zeros behind its query: its prompt, that it is an input, and its answer. *)
Lemma identities_more m ns more z0 zs ws : all (leq 1) more -> valid m ns z0 zs ws ->
  let zs' := zs ++ identities (last_size m ns) more in let ws' := ws ++ nseq (size more) 0 in
  [/\ valid m (ns ++ more) z0 zs' ws', answer z0 zs' ws' = answer z0 zs ws
    & prompt z0 zs' ws' = [seq Val v | v <- flatten (rev (identities (last_size m ns) more))] ++
                          map (longer (size more)) (prompt z0 zs ws)].
Proof.
move=> pos /and4P[z0m /eqP szs vs wsn]; set N := last_size m ns; split; last first.
- by rewrite /prompt rev_cat flatten_cat !map_cat -[LHS]catA -map_comp.
- by rewrite (@answer_longer m ns).
have shape : map size (identities N more) = behead (sizes N more).
  by rewrite -map_comp -[RHS]map_id; apply: eq_map => K; rewrite /= size_iota.
rewrite /valid z0m map_cat szs shape sizes_more eqxx all_cat vs /=; apply/andP; split.
  by apply/allP => z /mapP[K _ ->]; apply/allP => v; rewrite mem_iota size_iota.
elim: ns ws wsn {szs N shape} => [|n ns IH] [|w ws] //=; last by case/andP => -> /IH.
by move=> _; elim: (more) pos => //= k ks IHk /andP[-> /IHk].
Qed.

(** A model for more tables is one for the first of them, of the same word, messages and states: the others may be identities. *)
Theorem identities_known (md : model) m ns more : all (leq 1) more -> solves m (ns ++ more) md -> exists md' : model,
  [/\ word md' = word md, solves m ns md', forall beta, message_bits md beta -> message_bits md' beta
    & forall lam, block_bits md lam -> block_bits md' lam].
Proof.
move=> pos sol; pose pre := [seq Val v | v <- flatten (rev (identities (last_size m ns) more))].
exists (behind_tokens md pre (size more)); split.
- exact: word_behind.
- move=> z0 zs ws ok; have [ok' <- E] := identities_more pos ok.
  by rewrite output_behind -?E ?sol // size_cat addnC.
- by move=> beta; apply: messages_behind.
by move=> lam h t; have := h t; rewrite -!(big_map (@states _) xpredT id) /= block_behind.
Qed.
