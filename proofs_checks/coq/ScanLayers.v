(** A recurrent layer whose state is a list of p-bit numbers is a Rec layer with 2^(A*p) states.

    The state holds A whole numbers (fixed point, unit 2^-f); the next state is any function of the state, the token and
    its position, each entry cut to the range of p-bit numbers (p = b+1: a sign and b bits); what the token makes of the
    state that includes it is any function.  Linear attention, RetNet, GLA, Mamba-2, DeltaNet, Gated DeltaNet, KDA and
    HGRN2 are such layers, with A = H * d_k * d_v. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Counting Knowledge SoftmaxLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A number that fits is stored as it is. *)
Lemma signed_fit b z : signed (residue b.+1 (fit b z)) = fit b z.
Proof. by have := pow2_pos b; rewrite signedK // /fit; lia. Qed.

Section Scan.
Variable X : Type.
Variables (A b : nat).
Variable next : nat -> seq Z -> X -> nat -> Z.   (* position, state, token: entry t of the next state *)
Variable read : nat -> X -> seq Z -> X.

Definition state_type : finType := finfun_finType (ordinal_finType A) (ordinal_finType (2 ^ b.+1)).
Definition stored (s : state_type) : seq Z := [seq signed (s t) | t <- enum 'I_A].

(** A state is stored as it is. *)
Lemma stored_residues (F : nat -> Z) : (forall t, signed (residue b.+1 (F t)) = F t) ->
  stored [ffun t : 'I_A => residue b.+1 (F t)] = mkseq F A.
Proof.
by move=> K; rewrite /stored /mkseq -val_enum_ord -[RHS]map_comp; apply: eq_map => t; rewrite /= ffunE K.
Qed.

Definition start : state_type := [ffun=> residue b.+1 0].
Definition step (i : nat) (s : state_type) (x : X) : state_type :=
  [ffun t : 'I_A => residue b.+1 (fit b (next i (stored s) x t))].
(** The state holds what the scan holds. *)
Lemma stored_state x i : stored (state start step x i) = scan A b next x i.
Proof.
elim: i => [|j IH]; last first.
  rewrite -[state _ _ _ j.+1]/(step j (state start step x j) (x j)) /step IH [RHS]/=.
  by apply: (@stored_residues (fun t => fit b (next j (scan A b next x j) (x j) t))) => t; exact: signed_fit.
rewrite [LHS]/=.
have K (t : nat) : signed (residue b.+1 ((fun=> 0%Z) t)) = 0%Z by rewrite signedK //; have := pow2_pos b; lia.
rewrite [LHS](@stored_residues (fun=> 0%Z) K).
by apply: (@eq_from_nth _ 0%Z) => [|t]; rewrite size_mkseq ?size_nseq // => tA; rewrite nth_mkseq // nth_nseq tA.
Qed.
(** How many states. *)
Lemma card_state_type : #|state_type| = 2 ^ (A * b.+1). Proof. by rewrite card_ffun !card_ord -expnM mulnC. Qed.

Definition scan_layer : layer X := Rec start step (fun i x s => read i x (stored s)).
(** The layer as a Rec layer gives what the scan gives. *)
Theorem scan_is_rec x i : run x scan_layer i = scanned A b next read x i.
Proof. by rewrite /run /scanned /scan_layer stored_state. Qed.

(** It has 2^(A·(b+1)) states. *)
Theorem scan_bits : states scan_layer = 2 ^ (A * b.+1).
Proof. exact: card_state_type. Qed.
End Scan.
