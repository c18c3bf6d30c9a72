(** Idle Full layers in front (T.pad): a model with fewer Full layers is one with more of them, and its Λ_t move up. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge TheoremA.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A Full layer that hears one value and keeps what it had. *)
Definition idle X : layer X :=
  Full (M := unit_finType) tt (fun _ _ _ _ a => a) (St := unit_finType) tt (fun _ s _ => s) (fun _ x _ _ => x).

Section Pad.
Variables (md : model) (z : nat).
Definition padded : model := Model (embed md) (nseq z (idle (act md)) ++ layers md) (@out md).
(** Λ of the padded model: zeros for as many t. *)
Definition padded_bits (Lam : nat -> nat) (t : nat) : nat := if t < z then 0 else Lam (t - z).

(** Idle layers change nothing. *)
Lemma run_idle (x : nat -> act md) : foldl (@run _) x (nseq z (idle _)) = x.
Proof. by elim: z x => //= n IH x; rewrite IH. Qed.

(** The padded model gives the same answers. *)
Lemma padded_output p : output padded p = output md p.
Proof. by rewrite /output /= foldl_cat run_idle. Qed.

(** Its word has z letters F in front. *)
Lemma padded_word : word padded = nseq z true ++ word md.
Proof. by rewrite /word map_cat map_nseq. Qed.
(** It has z Full layers more. *)
Lemma padded_number_full : number_full padded = z + number_full md.
Proof. by rewrite /number_full count_cat count_nseq mul1n. Qed.

(** Its messages are not longer. *)
Lemma padded_message_bits beta : message_bits md beta -> message_bits padded beta.
Proof. by move=> h; rewrite /message_bits all_cat all_nseq /= card_unit expn_gt0 orbT. Qed.

(** The layers before its (t+1)-th Full layer. *)
Lemma upto_padded t : upto t (nseq z (idle _) ++ layers md)
  = if t < z then nseq t (idle _) else nseq z (idle _) ++ upto (t - z) (layers md).
Proof.
by elim: z t => [|n IH] [|t] //=; rewrite IH ltnS subSS; case: ltnP.
Qed.
(** Idle layers store nothing. *)
Lemma prod_idle n : \prod_(l <- nseq n (idle (act md))) states l = 1.
Proof. by elim: n => [|n IH]; rewrite ?big_nil //= big_cons IH /= card_unit. Qed.
(** Its Λ_t are those of the model, after z zeros. *)
Lemma padded_state_bits Lam : state_bits md Lam -> state_bits padded (padded_bits Lam).
Proof.
move=> h t; rewrite /= upto_padded /padded_bits; case: ltnP => _; first by rewrite prod_idle.
by rewrite big_cat /= prod_idle mul1n; apply: h.
Qed.
End Pad.

(** T.pad. *)
Theorem pad (md : model) (z : nat) : exists md', [/\ word md' = nseq z true ++ word md,
  forall p, output md' p = output md p, forall beta, message_bits md beta -> message_bits md' beta
  & forall Lam, state_bits md Lam -> state_bits md' (fun t => if t < z then 0 else Lam (t - z))].
Proof.
exists (padded md z); split; [exact: padded_word | exact: padded_output | exact: padded_message_bits |].
exact: padded_state_bits.
Qed.
