(** Theorem C (5.5): no full layer, with and without chain of thought. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Counting Knowledge TheoremA.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Fixpoint identities (m : nat) (ns : seq nat) : seq (seq nat) :=
  if ns is n :: ns' then iota 0 m :: identities (m * n) ns' else [::].
(** Identity tables have the sizes of the task. *)
Lemma identities_sizes m ns : map size (identities m ns) ++ sizes (last_size m ns) [::] = sizes m ns.
Proof. by elim: ns m => //= n ns IH m; rewrite IH size_iota. Qed.
(** Identity tables are tables. *)
Lemma identities_ok m ns : all (fun z => all (fun v => v < size z) z) (identities m ns).
Proof.
elim: ns m => //= n ns IH m; rewrite IH andbT; apply/allP => v.
by rewrite mem_iota size_iota.
Qed.
(** With identities for z_1..z_{L-1} some (z_0, w) asks for any entry of z_L. *)
Lemma identities_answer m ns a : a < last_size m ns -> exists z0 wd, [/\ z0 < m, all2 ltn wd ns &
  forall zr wr, answer z0 (identities m ns ++ zr) (wd ++ wr) = answer a zr wr].
Proof.
elim: ns m => [|n ns IH] m /= ha; first by exists a, [::].
have [z1 [wd [h1 h2 h3]]] := IH _ ha.
have m0 : 0 < m by case: (m) h1.
exists (z1 %% m), (z1 %/ m :: wd); split; rewrite ?ltn_mod //=.
  by rewrite h2 ltn_divLR // mulnC h1.
move=> zr wr; rewrite size_iota nth_iota ?ltn_mod // add0n -divn_eq; exact: h3.
Qed.

(** With the states at the boundary fixed, no suffix can tell the tables apart. *)
Lemma blind_rec (md : model) ss (Q : {set Tables ss}) : ~~ has (@is_full _) (layers md) ->
  consts Q (state_questions ss [::] (layers md)) -> forall v, 0 < size v ->
  forall u u', u \in Q -> u' \in Q -> last_act (layers md) (above u ++ v) = last_act (layers md) (above u' ++ v).
Proof.
move=> nR cs v v0; pose V := [seq take k.+1 v | k <- iota 0 (size v)].
have cl : closed V.
  move=> _ /mapP[k hk ->]; move: hk; rewrite mem_iota add0n /= => hk; rewrite size_takel //; split=> // j j0 jk.
  rewrite take_take //; apply/mapP; exists j.-1; rewrite ?prednK // mem_iota add0n /=.
  by apply: leq_trans hk; rewrite prednK.
apply: (@recs_step _ _ _ _ Q (@size_above _) [::] (layers md) V) => //; first exact: (blind_nil _ (@size_above _)).
by apply/mapP; exists (size v).-1; rewrite ?prednK ?take_size // mem_iota add0n /= prednK.
Qed.

(** Theorem C for any notion of output that is determined by what R-layers let through. *)
Lemma theoremC_for_any_output (o : seq token -> nat -> Prop) lam m ns (md : model) :
  number_full md = 0 -> \prod_(l <- layers md) states l <= 2 ^ lam -> 2 ^ lam < last_size m ns ^ last_size m ns ->
  (forall ss (Q : {set Tables ss}), (forall v, 0 < size v -> forall u u', u \in Q -> u' \in Q ->
      last_act (layers md) (above u ++ v) = last_act (layers md) (above u' ++ v)) ->
    forall v u u' a b, 0 < size v -> u \in Q -> u' \in Q -> o (above u ++ v) a -> o (above u' ++ v) b -> a = b) ->
  ~ (forall z0 zs ws, valid m ns z0 zs ws -> o (prompt z0 zs ws) (answer z0 zs ws)).
Proof.
move=> hF hl hlt ho; set N := last_size m ns in hlt.
have nR : ~~ has (@is_full _) (layers md) by rewrite has_count -/(number_full md) hF.
have [Q [_ cs] le] := fixing (state_questions [:: N] [::] (layers md)) [set: Tables [:: N]].
pose Vs := [seq prompt z (identities m ns) w | z <- iota 0 m, w <- all_queries ns].
apply: (@end_for_any_output m ns o lam N N Q Vs (iota 0 N) hlt); rewrite ?iota_uniq ?size_iota //.
- by rewrite cardsT in le; apply: leq_trans le _; rewrite leq_mul2l prod_ask_states hl orbT.
- move=> v u u' a b /allpairsP[[z w] /= [_ _ ->]] uQ uQ' h1 h2.
  apply: (ho _ Q _ _ u u' a b _ uQ uQ' h1 h2); first exact: blind_rec.
  by rewrite /prompt size_cat addn_gt0 orbT.
- by move=> a; rewrite mem_iota.
move=> a; rewrite mem_iota add0n /= => ha; have [z0 [wd [h1 h2 h3]]] := identities_answer ha.
exists z0, (identities m ns), wd, ns; split=> //; first by split; rewrite ?cats0 ?identities_sizes ?identities_ok.
move=> [|? ?] // _; rewrite cats0; apply/allpairsP; exists (z0, wd); rewrite mem_iota; split=> //.
exact: mem_all_queries.
Qed.

(** Theorem C for the answer read at the last token. *)
Theorem theoremC lam m ns (md : model) :
  number_full md = 0 -> \prod_(l <- layers md) states l <= 2 ^ lam ->
  2 ^ lam < last_size m ns ^ last_size m ns -> ~ solves m ns md.
Proof.
move=> hF hl hlt; apply: (theoremC_for_any_output (o := fun p a => output md p = a) hF hl hlt).
move=> ss Q inv v u u' a b v0 uQ uQ' <- <-.
by rewrite /output -/(acts _ _) -/(acts _ _) -/(last_act _ _) -/(last_act _ _) (inv v v0 u u').
Qed.

(** More fuel changes no answer. *)
Lemma decode_more (md : model) (next : act md -> token + nat) f g p a :
  decode next f p = Some a -> decode next (f + g) p = Some a.
Proof. by elim: f p => //= f IH p; case: (next _) => // t /IH. Qed.

(** ... and with any number of chain-of-thought tokens. *)
Theorem theoremC_cot lam m ns (md : model) (next : act md -> token + nat) :
  number_full md = 0 -> \prod_(l <- layers md) states l <= 2 ^ lam ->
  2 ^ lam < last_size m ns ^ last_size m ns -> ~ solves_cot m ns next.
Proof.
move=> hF hl hlt.
apply: (theoremC_for_any_output (o := fun p a => exists fuel, decode next fuel p = Some a) hF hl hlt).
move=> ss Q inv v u u' a b v0 uQ uQ' [f hf] [g hg].
have same k : decode next k (above u ++ v) = decode next k (above u' ++ v).
  elim: k v v0 {hf hg} => //= k IH v v0.
  rewrite -/(acts _ _) -/(acts _ _) -/(last_act _ _) -/(last_act _ _) (inv v v0 u u') //.
  by case: (next _) => // t; rewrite !rcons_cat IH // size_rcons.
have := decode_more f hg; rewrite addnC -same (decode_more g hf) => [[]] //.
Qed.
