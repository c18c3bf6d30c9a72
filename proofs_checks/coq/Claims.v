(** What a certificate of the kinds bound, decision, ceiling, pair, wrong and exhaustive claims (docs/certificates.md), and what the claim means
    over Definitions.v, SharperDefinitions.v, ExactDefinitions.v and, of runs, Runs.v. Checker.v decides claims; CheckerTheorems.v says that what it accepts holds. *)
From Coq Require Import NArith QArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions SparseDefinitions Runs LookUps.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.

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
(** λ_0 = Λ_0 and λ_t = Λ_t − Λ_{t-1}, the bits of the blocks. *)
Definition budget_block (b : budget) (t : nat) : nat :=
  if t is t'.+1 then budget_bits b t - budget_bits b t' else budget_bits b 0.

(** What is claimed of the prompt's length. *)
Definition stated_tokens (t : task) : Prop :=
  if task_tokens t is Some n then tokens (number_value (task_m t)) (task_sizes t) = N.to_nat n else True.

(** The integers of Theorems A and B: x_0, …, x_{L-1}; Θ_1, … if they are chosen; and whether Λ_0 = 0 is used. *)
Record choice := Choice { chosen_kept : seq number; chosen_reached : option (seq number); chosen_free : bool }.

(** The integers of the sharper theorems. ByAL: g, Θ_1, the pairs (x_ℓ, Θ_ℓ), ℓ ≥ 2, and the used rows
    ν_1, …, ν_{L-2}; ByBL: x_0, x_1, Θ_1, these pairs and rows. *)
Inductive sharper :=
| ByOne
| ByA2 (theta : number)
| ByB2 (x0 v theta : number)
| ByB2c (g v omega gamma : number)
| ByA3 (g u theta1 x2 theta2 : number)
| ByA3Free (theta1 v theta2 : number)
| ByA3c (g v omega gamma : number)
| ByAL (g theta1 : number) (cs : seq (number * number)) (rows : seq number)
| ByBL (x0 x1 theta1 : number) (cs : seq (number * number)) (rows : seq number).
(** As many full layers as tables, and no recurrent layer before the second of them; or one fewer, and any. *)
Definition many_full (s : sharper) : bool := match s with ByOne | ByB2 _ _ _ | ByB2c _ _ _ _ | ByBL _ _ _ _ _ => true | _ => false end.

(** The theorem that is said to forbid it; a sharper one applies to the first `tables` tables, whatever the others are. *)
Inductive reason := ByA of choice | ByB of choice | ByBOne | ByC | BySharper (tables : nat) (s : sharper).

(** To which words the theorem applies when a certificate names none; L = size ns + 1. *)
Definition early_free (w : seq bool) : bool := all id (upto_word 1 w).
Definition shape_of (r : reason) (L : nat) (w : seq bool) : Prop :=
  match r with
  | ByA _ => count id w < L
  | ByB _ | ByBOne => count id w <= L /\ early_free w
  | ByC => count id w = 0
  | BySharper tables s => if many_full s then count id w <= tables /\ early_free w else count id w < tables
  end.

(** No such model solves the task: with messages of β bits, and Λ_t state bits up to block t, or λ_t in block t; Theorem C also of
    chains of thought, and its Λ are the state bits of the model. *)
Definition forbids (t : task) (b : budget) (r : reason) (shape : seq bool -> Prop) : Prop :=
  forall md, shape (word md) ->
  match r with
  | ByC => all_state_bits md (budget_bits b 0) -> ~ solves_task t md /\
           forall next, ~ solves_cot (number_value (task_m t)) (task_sizes t) (md := md) next
  | BySharper _ _ => message_bits md (N.to_nat (budget_beta b)) -> block_bits md (budget_block b) -> ~ solves_task t md
  | _ => message_bits md (N.to_nat (budget_beta b)) -> state_bits md (budget_bits b) -> ~ solves_task t md
  end.

(** If heads are claimed: no model in exact arithmetic of that shape solves the task whose attention layers have at most H heads of
    at most d values, with weights of at most P and values of at most p bits, and recurrent heads beside them or not. *)
Definition smaller_heads X (H d P p : nat) (l : exact_layer X) : bool :=
  match l with
  | Attention H' d' P' p' _ _ _ _ _ _ => [&& H' <= H, d' <= d, P' <= P & p' <= p]
  | Online _ _ _ _ _ _ _ _ _ _ => false
  | Recurrence _ _ _ _ => true
  end.
Definition forbids_heads (t : task) (b : budget) (r : reason) (shape : seq bool -> Prop) : Prop :=
  if budget_heads b is Some (H, d, P, p) then
    forall md : exact_model, shape (map (@is_attention _) (stack md)) ->
    all (smaller_heads (N.to_nat H) (N.to_nat d) (N.to_nat P) (N.to_nat p)) (stack md) ->
    match r with
    | ByC => sumn (map (@linear_bits _) (stack md)) <= budget_bits b 0
    | BySharper _ _ => forall i, linear_bits_block i (stack md) <= budget_block b i
    | _ => forall i, linear_bits_upto i (stack md) <= budget_bits b i
    end -> ~ exactly_solves (number_value (task_m t)) (task_sizes t) md
  else True.

(** A2_W: a word of windows, given by their reaches, and of full layers (None); the reaches before the first full layer and behind it. *)
Definition spelled X plain (w : seq (option N)) (F : plain) (ls : seq (windowed X plain)) : Prop :=
  [seq (if l is Window r _ then Some r else None) | l <- ls] = map (omap N.to_nat) w /\ exists W0 W1, ls = W0 ++ Plain _ F :: W1.
(** No model of one full layer and windows, of these reaches or of that word, solves the task: with messages of β bits, and no states; or,
    if heads are claimed, with one attention layer in exact arithmetic of at most these heads. *)
Definition forbids_windows (t : task) (b : budget) (shape : forall X plain, plain -> seq (windowed X plain) -> Prop) : Prop :=
  (forall (md : window_model layer) F, shape _ _ F (wlayers md) -> sums F <= 2 ^ N.to_nat (budget_beta b) -> states F <= 1 ->
   ~ window_solves (@run) (number_value (task_m t)) (task_sizes t) md) /\
  if budget_heads b is Some (H, d, P, p) then
    forall (md : window_model exact_layer) F, shape _ _ F (wlayers md) -> is_attention F ->
    smaller_heads (N.to_nat H) (N.to_nat d) (N.to_nat P) (N.to_nat p) F -> linear_bits F = 0 ->
    ~ window_solves (@compute) (number_value (task_m t)) (task_sizes t) md
  else True.

(** Ceilings: models that are drawn at random from any list of such models are right on at most the share num/den of all inputs. *)
Definition right_at_most (t : task) (num den : nat) (such : model -> Prop) : Prop :=
  forall n (md : 'I_n -> model), (forall i, such (md i)) ->
  den * (\sum_i right_inputs (number_value (task_m t)) (task_sizes t) (md i))
  <= num * (n * size (all_inputs (number_value (task_m t)) (task_sizes t))).
(** Such models: of this word, without a full layer of Λ_0 bits in all, else with messages of β bits and λ_t bits in block t. *)
Definition of_word (w : seq bool) (b : budget) (md : model) : Prop :=
  word md = w /\
  if Nat.eqb (count id w) 0 then all_state_bits md (budget_bits b 0)
  else message_bits md (N.to_nat (budget_beta b)) /\ block_bits md (budget_block b).

(** D': no sparse layer of blocks and values that opens k of g blocks of B values, is told r bits of each, and says at most the share p/q of
    values to be there that are independent of the blocks, finds more than num/den of the values that stand in them. What stands near the
    query is rho with a chance of odds rho in \sum odds. *)
Definition finds_at_most (B k g r p q num den : nat) : Prop :=
  forall (near : finType) (odds : near -> nat) u (Sg : finType) (summary : 'I_g -> {ffun 'I_B -> 'I_u} -> Sg)
    (scorer : near -> {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g})
    (reply : near -> {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option {ffun 'I_B -> 'I_u}} -> bool),
  0 < u -> #|Sg| <= 2 ^ r -> (forall rho told x, #|scorer rho told x| <= k) ->
  let yes rho (cs : {ffun 'I_g -> {ffun 'I_B -> 'I_u}}) x :=
    reply rho (summaries summary cs) x (opened (scorer rho (summaries summary cs) x) cs) in
  let all_blocks := #|{ffun 'I_g -> {ffun 'I_B -> 'I_u}}| in let chances := \sum_rho odds rho in
  q * (\sum_rho odds rho * \sum_cs \sum_(x < u) yes rho cs x) <= p * (chances * all_blocks * u) ->
  den * (\sum_rho odds rho * \sum_(b < g) \sum_cs \sum_(j < B) yes rho cs (cs b j)) <= num * (B * (chances * (g * all_blocks))).

(** How a ceiling is shown: by one share a/c (C', A2), or by the union bound, which is never above that share; or by Theorem E with x_0, x_1, …
    and a share a/c of each of its terms, with delayed charges or, of two tables, with the late one. *)
Inductive average := ByShare (a c : N) | ByUnion | ByE (late : bool) (xs : seq N) (shares : seq (N * N)).

(** Constructions. Every exponent has a weight that is not negative, and these have the ones that are known of them. *)
Definition weighs (known e : Q -> option Z) : Prop :=
  (forall y, exists w, e y = Some w /\ (0 <= w)%Z) /\ forall y w, known y = Some w -> e y = Some w.
(** With true weights ⌊2^P·exp(−y)⌋ at these exponents, and whatever the others are: no run leaves the declared precision, every input is
    answered rightly, and the right logit is above the others by the margin. There are such weights. (Of all exponents at once no function
    of true weights is defined here: that would take irrational numbers.) *)
Definition answers_every_input (md : given) (m : nat) (ns : seq nat) (margin : Q) : Prop :=
  exists known, [/\ only_true (weight_bits md) known, exists e, weighs known e
    & forall e, weighs known e -> forall z0 zs ws, valid m ns z0 zs ws ->
      exists c, answers_to md e (Composition m ns z0 zs ws) = Some [:: (true, Some c)] /\ (margin <= c)%Q].

(** A claim. In a word true is F, or F with recurrent heads beside it, and false is R.
    Cannot: a bound. WordCannot: a decision that a word cannot. WordCan: C1 or C2, at all sizes with L tables.
    WordStores: C3, with states of that number of bits. Sparse: Theorem D, with u = M−1 values, blocks of B entries, k of g blocks
    opened and summaries of r bits. WindowsCannot: Theorem A2_W, with reaches r_0 and r_1, of a word and L or of none.
    Fools: a pair, two questions that differ at the tokens start … stop−1 alone. SaysWrongly: at a place of a question a model says one
    number, and right is the other. Tallied: of all questions of FuncComp(m; ns), or of k numbers modulo M, so many answers are right.
    SparseFinds: Theorem D', with B, k, g, r as for Sparse, p/q and num/den.
    Ceiling: no models of a word are right on more than num/den of all inputs, by C', A2 with λ_0 = 0 or E.
    Constructed: a model answers every input of FuncComp(m; ns), of which there are at least 2^c, by the margin; the plan is LookUps.v's. *)
Inductive claim :=
| Cannot of task & budget & reason
| WordCannot of seq bool & N & task & budget & reason
| WordCan of seq bool & N & bool
| WordStores of seq bool & N & task & N
| Sparse of N & N & N & N & N
| WindowsCannot of option (seq (option N) * N) & task & budget & N & N
| Fools (md : given) (a b : question) (start stop right_a right_b : nat) (out : seq nat) (told : seq (nat * nat * row))
| SaysWrongly (md : given) (a : question) (place said truth : nat)
| Tallied (md : given) (composition : option (nat * seq nat)) (modulus k inputs answers hits : nat) (margin : option Q)
| SparseFinds (B k g r p q num den : N)
| Ceiling (w : seq bool) (t : task) (b : budget) (num den : N) (how : average)
| Constructed (md : given) (m : nat) (ns : seq nat) (margin : Q) (covered : N) (pl : plan).

(** So it is with true weights ⌊2^P·exp(−y)⌋ at all exponents that are met. *)
Definition run_truly (md : given) (so : (Q -> option Z) -> bool) : Prop :=
  exists floor_exp, only_true (weight_bits md) floor_exp /\ so floor_exp.

(** What a claim says. *)
Definition says (c : claim) : Prop :=
  match c with
  | Cannot t b r =>
      let shape := shape_of r (size (task_ns t)).+1 in
      [/\ stated_tokens t, forbids t b r shape & forbids_heads t b r shape]
  | WordCannot w L t b r =>
      [/\ N.to_nat L = (size (task_ns t)).+1, stated_tokens t, forbids t b r (eq^~ w) & forbids_heads t b r (eq^~ w)]
  | WordCan w L _ =>
      forall m ns, (size ns).+1 = N.to_nat L -> exists md,
      [/\ word md = w, solves m ns md, forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta
        & forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam]
  | WordStores w L t held =>
      N.to_nat L = (size (task_ns t)).+1 /\ exists md,
      [/\ word md = w, solves_task t md & all (fun l => states l <= 2 ^ N.to_nat held) (layers md)]
  | Sparse u B k g r =>
      forall M s t, odd M -> N.to_nat u = M.-1 -> 0 < t -> forall (Sg : finType) (l : sparse_layer (N.to_nat g) Sg),
      #|Sg| <= 2 ^ N.to_nat r -> ~ sparse_solves M s (N.to_nat B) t (N.to_nat k) l
  | WindowsCannot w t b r0 r1 =>
      stated_tokens t /\
      if w is Some (letters, L) then
        N.to_nat L = (size (task_ns t)).+1 /\ forbids_windows t b (fun X plain => @spelled X plain letters)
      else forbids_windows t b (fun X plain => @between_windows X plain (N.to_nat r0) (N.to_nat r1))
  | Fools md a b start stop ra rb out told => run_truly md (fun e => fooled md e a b start stop ra rb out told)
  | SaysWrongly md a place said truth => run_truly md (fun e => says_wrongly md e a place said truth)
  | Tallied md comp M k inputs answers hits margin =>
      run_truly md (fun e => tallies md e (every_question comp M k) inputs answers hits margin)
  | SparseFinds B k g r p q num den => finds_at_most (N.to_nat B) (N.to_nat k) (N.to_nat g) (N.to_nat r) (N.to_nat p) (N.to_nat q) (N.to_nat num) (N.to_nat den)
  | Ceiling w t b num den _ => stated_tokens t /\ right_at_most t (N.to_nat num) (N.to_nat den) (of_word w b)
  | Constructed md m ns margin covered _ => 2 ^ N.to_nat covered <= size (all_inputs m ns) /\ answers_every_input md m ns margin
  end.
