(** A chain of thought of models given by integer matrices: what the theorems about C5 in ExactTheorems.v speak about, besides
    Definitions.v and ExactDefinitions.v.

    Greedy decoding: the number that the unembedding says is the next token. Val a is the token of number a, whatever a stands for. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** The next T tokens, each read again before the one after it is said. *)
Fixpoint generated (md : exact_model) (T : nat) (q : seq token) : seq nat :=
  if T is T'.+1 then let a := exact_output md q in a :: generated md T' (rcons q (Val a)) else [::].

(** The last of T generated tokens is the answer, at every input of these sizes, with every exp_floor that is true at the listed
    exponents, and there is one. *)
Definition thoughts_solve (T m : nat) (ns : seq nat) (w : weights) (listed : pred Z) : Prop :=
  (exists exp_floor, true_exponentials w listed exp_floor) /\
  forall exp_floor, true_exponentials w listed exp_floor -> forall z0 zs ws, valid m ns z0 zs ws ->
    last 0 (generated (exact_of_weights w exp_floor ns) T (prompt z0 zs ws)) = answer z0 zs ws.

(** No MLP follows. *)
Definition without_mlp (b : built_layer) : bool := match b with FullBlock _ ms | LinearBlock _ ms => nilp ms end.
