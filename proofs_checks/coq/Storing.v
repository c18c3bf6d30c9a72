(** Construction C3: recurrent layers alone. Layer 1 hands z_0 to w, layer k+1 stores table k, and w reads it there. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge Constructions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Rec: the state is a table of N entries, the tokens at positions off, …, off + N − 1. *)
Section Store.
Variables (off N : nat).
Let St := finfun_finType (ordinal_finType N.-1.+1) (ordinal_finType N.-1.+1).
Definition write (i : nat) (s : St) (x : XC) : St :=
  [ffun j : 'I_N.-1.+1 => if off + j == i then inord (tval x.1) else s j].
Definition store_layer (upd : seq nat -> nat -> nat) : layer XC :=
  Rec (St := St) [ffun=> ord0] write (fun i (x : XC) s => (x.1, upd (tquery x.1) (val (s (inord x.2))))).

(** After i tokens the state holds those of its entries that stand before i. *)
Lemma state_write x i : state [ffun=> ord0] write x i
  = [ffun j : 'I_N.-1.+1 => if off + j < i then inord (tval (x (off + j)).1) else ord0].
Proof.
elim: i => [|i IH] /=; apply/ffunP => j; rewrite !ffunE //= IH ffunE ltnS (leq_eqVlt (off + j) i).
by case: eqP => [->|//].
Qed.

(** Its states number N^N. *)
Lemma store_layer_states upd : states (store_layer upd) = maxn N 1 ^ maxn N 1.
Proof. by rewrite /= card_ffun card_ord; case: (N) => // n; rewrite (maxn_idPl _). Qed.
End Store.

Section C3.
Variables (m : nat) (ns0 : seq nat).

(** A stored table is looked up. *)
Lemma store_layer_looks_up z0 zs ws : map size zs = sizes m ns0 -> looks_up m ns0 z0 zs ws store_layer.
Proof.
move=> hs x off N upd cur v [h1 h2] hq cN hv vP vN; split=> [j|]; first by rewrite /= h1.
have EN : N.-1.+1 = N by rewrite prednK //; apply: leq_ltn_trans cN.
set s := state [ffun=> ord0] (@write off N) x (z0_place m ns0).+2.
rewrite -[LHS]/(upd (tquery (x (z0_place m ns0).+1).1) (val (s (inord (x (z0_place m ns0).+1).2)))).
by rewrite /s state_write ffunE h2 inordK ?EN // ltnS leqW // !h1 hv (pP1 z0 ws hs) /= inordK ?EN.
Qed.

Definition C3 : model := Model (fun _ t => (t, 0)) (hand_z0 m ns0 :: look_ups store_layer 0 m ns0) (fun x : XC => x.2).

(** C3: R^{L+1}. *)
Theorem C3_solves : solves m ns0 C3.
Proof.
move=> z0 zs ws ok; have /and4P[hz /eqP hs _ _] := ok.
rewrite /output (size_p z0 ws hs) /=; apply: (look_ups_answer (store_layer_looks_up hs)) => //; split=> //.
rewrite /= eqxx gtn_eqF // /inputs /= (pP z0 ws hs) /= inordK // prednK //.
by apply: leq_ltn_trans hz.
Qed.

(** Stored look-ups are Rec layers. *)
Lemma stored_word k N ns : map (@is_full _) (look_ups store_layer k N ns) = nseq (size ns).+1 false.
Proof. by elim: ns k N => //= n ns IH k N; rewrite IH. Qed.
(** Their states: N^N for a table of N entries. *)
Lemma stored_states k N ns :
  map (@states _) (look_ups store_layer k N ns) = [seq maxn M 1 ^ maxn M 1 | M <- sizes N ns].
Proof.
elim: ns k N => [|n ns IH] k N.
  by rewrite -[LHS]/[:: states (store_layer 0 N _)] store_layer_states.
by rewrite -[LHS]/(states (store_layer _ N _) :: map (@states _) (look_ups store_layer k.+1 (N * n) ns))
  store_layer_states IH.
Qed.
End C3.

(** C3, with what it uses. *)
Theorem C3_exists m ns : exists md, [/\ word md = nseq (size ns).+2 false, solves m ns md
  & map (@states _) (layers md) = maxn m 1 :: [seq maxn N 1 ^ maxn N 1 | N <- sizes m ns]].
Proof.
exists (C3 m ns); split; [by rewrite /word /= stored_word | exact: C3_solves |].
by rewrite [layers _]/= [LHS]/= stored_states card_ord predn_max.
Qed.
