(** What a certificate of the kinds bound and decision claims (docs/certificates.md), and what the claim means over
    Definitions.v and SharperDefinitions.v. Checker.v decides claims; CheckerTheorems.v says that what it accepts holds. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** A number of a certificate: the product of base^exponent over its pairs; an integer is its own first power. *)
Definition number := seq (N * N).
Definition number_value (c : number) : nat := foldr (fun p r => N.to_nat p.1 ^ N.to_nat p.2 * r) 1 c.

(** L-FuncComp(m; n_1, …, n_{L-1}); the length of the prompt, if it is claimed. *)
Record task := Task { task_m : number; task_ns : seq number; task_tokens : option N }.
Definition task_sizes (t : task) : seq nat := map number_value (task_ns t).
Definition solves_task (t : task) (md : model) : Prop := solves (number_value (task_m t)) (task_sizes t) md.

(** β; Λ_0, Λ_1, … of which the last stands for all later ones; and, if they are claimed, H heads of dimension d with
    P and p bits whose messages are not longer than β. *)
Record budget := Budget { budget_beta : N; budget_linear : seq number; budget_heads : option (N * N * N * N) }.
Definition budget_bits (b : budget) (t : nat) : nat :=
  let values := map number_value (budget_linear b) in nth (last 0 values) values t.
Definition within_budget (b : budget) (md : model) : Prop :=
  message_bits md (N.to_nat (budget_beta b)) /\ state_bits md (budget_bits b).

(** What is claimed of the prompt's length, and of the heads: β ≥ H·(d·(P+p+k+1) + P+k) for a k with n ≤ 2^k (M1). *)
Definition stated_tokens (t : task) : Prop :=
  if task_tokens t is Some n then tokens (number_value (task_m t)) (task_sizes t) = N.to_nat n else True.
Definition stated_heads (t : task) (b : budget) : Prop :=
  if budget_heads b is Some (H, d, P, p) then
    exists k, tokens (number_value (task_m t)) (task_sizes t) <= 2 ^ k /\
      N.to_nat H * (N.to_nat d * (N.to_nat P + N.to_nat p + k + 1) + N.to_nat P + k) <= N.to_nat (budget_beta b)
  else True.

(** The integers of Theorems A and B: x_0, …, x_{L-1}; Θ_1, … if they are chosen; and whether Λ_0 = 0 is used. *)
Record choice := Choice { chosen_kept : seq number; chosen_reached : option (seq number); chosen_free : bool }.

(** The theorem that is said to forbid it. *)
Inductive reason := ByA of choice | ByB of choice | ByBOne | ByC.

(** Whom the theorem speaks of when a certificate names no word; L = size ns + 1. *)
Definition shape_of (r : reason) (L : nat) (md : model) : Prop :=
  match r with
  | ByA _ => number_full md < L
  | ByB _ | ByBOne => number_full md <= L /\ no_early_rec md
  | ByC => number_full md = 0
  end.

(** No such model solves the task; Theorem C also of chains of thought, and its Λ are the state bits of the model. *)
Definition forbids (t : task) (b : budget) (r : reason) (shape : model -> Prop) : Prop :=
  forall md, shape md ->
  match r with
  | ByC => all_state_bits md (budget_bits b 0) -> ~ solves_task t md /\
           forall next, ~ solves_cot (number_value (task_m t)) (task_sizes t) (md := md) next
  | _ => within_budget b md -> ~ solves_task t md
  end.

(** A claim. In a word true is F, or F with recurrent heads beside it, and false is R.
    Cannot: a bound. WordCannot: a decision that a word cannot. WordCan: C1 or C2, at all sizes with L tables.
    WordStores: C3, with states of that number of bits. Sparse: Theorem D, with u values, blocks of B entries, k of g blocks
    opened and summaries of r bits. *)
Inductive claim :=
| Cannot of task & budget & reason
| WordCannot of seq bool & N & task & budget & reason
| WordCan of seq bool & N & bool
| WordStores of seq bool & N & task & N
| Sparse of N & N & N & N & N.

(** What a claim says. *)
Definition says (c : claim) : Prop :=
  match c with
  | Cannot t b r =>
      [/\ stated_tokens t, stated_heads t b & forbids t b r (shape_of r (size (task_ns t)).+1)]
  | WordCannot w L t b r =>
      [/\ N.to_nat L = (size (task_ns t)).+1, stated_tokens t, stated_heads t b & forbids t b r (fun md => word md = w)]
  | WordCan w L _ =>
      forall m ns, (size ns).+1 = N.to_nat L -> exists md,
      [/\ word md = w, solves m ns md, forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta
        & forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam]
  | WordStores w L t held =>
      N.to_nat L = (size (task_ns t)).+1 /\ exists md,
      [/\ word md = w, solves_task t md & all (fun l => states l <= 2 ^ N.to_nat held) (layers md)]
  | Sparse u B k g r =>
      forall (Sg : finType) (summary : 'I_(N.to_nat g) -> {ffun 'I_(N.to_nat B) -> 'I_(N.to_nat u)} -> Sg),
      #|Sg| <= 2 ^ N.to_nat r -> ~ exists scorer reply, right_layer (N.to_nat k) summary scorer reply
  end.
