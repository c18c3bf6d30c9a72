(** Exact arithmetic (D2, M1, R.families): what the theorems of ExactTheorems.v speak about, besides Definitions.v.

    Numbers are whole numbers Z in a fixed unit. A layer here is what one computes: sums over all tokens j ≤ i, and a
    state that is carried from token to token. ExactTheorems.v says that every
    such layer is a layer of Definitions.v, and with how many bits. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Softmax heads (D2)

    H heads with d values each. Token j has for head h of token i the weight e h i j x_i x_j, in D2 the whole number
    ⌊2^P·exp(score − shift)⌋; value t mod d of head t / d at token j is v t j x_j. *)

(** F 0 + … + F (i−1). *)
Fixpoint zsum (F : nat -> Z) (i : nat) : Z := if i is i'.+1 then (zsum F i' + F i')%Z else 0%Z.

(** Σ_{j≤i} e·v, exactly: number t < H·d. *)
Definition numerator X (d : nat) (e : nat -> nat -> nat -> X -> X -> Z) (v : nat -> nat -> X -> Z)
    (x : nat -> X) (i t : nat) : Z := zsum (fun j => e (t %/ d) i j (x i) (x j) * v t j (x j))%Z i.+1.
(** Σ_{j≤i} e, exactly: one for each head. *)
Definition denominator X (e : nat -> nat -> nat -> X -> X -> Z) (x : nat -> X) (i h : nat) : Z :=
  zsum (fun j => e h i j (x i) (x j)) i.+1.

(** The layer: all that follows (rounded quotients, output matrix, residual stream, MLPs) is any function `finish` of the
    token and of the exact sums. *)
Definition softmax X (H d : nat) (e : nat -> nat -> nat -> X -> X -> Z) (v : nat -> nat -> X -> Z)
    (finish : nat -> X -> seq Z -> seq Z -> X) (x : nat -> X) (i : nat) : X :=
  finish i (x i) (mkseq (numerator d e v x i) (H * d)) (mkseq (denominator e x i) H).

(** The same in floating point, from left to right, with a running maximum (online softmax): a number is one of 2^b words, and
    nothing is supposed of the operations on words, so any format, any rounding and any approximation of exp is meant.
    A head keeps the largest score so far, the sum of the weights and d sums of weights times values. *)
Record arithmetic (b : nat) := Arithmetic {
  lowest : 'I_(2 ^ b); zero : 'I_(2 ^ b); exponential : 'I_(2 ^ b) -> 'I_(2 ^ b);
  larger : 'I_(2 ^ b) -> 'I_(2 ^ b) -> 'I_(2 ^ b); minus : 'I_(2 ^ b) -> 'I_(2 ^ b) -> 'I_(2 ^ b);
  multiplied : 'I_(2 ^ b) -> 'I_(2 ^ b) -> 'I_(2 ^ b); added : 'I_(2 ^ b) -> 'I_(2 ^ b) -> 'I_(2 ^ b) }.
Definition accumulator (b : nat) : Type := ('I_(2 ^ b) * 'I_(2 ^ b) * seq 'I_(2 ^ b))%type.
(** One token more, of score s and values v 0, …, v (d−1). *)
Definition accumulated (b d : nat) (F : arithmetic b) (a : accumulator b) (s : 'I_(2 ^ b)) (v : nat -> 'I_(2 ^ b)) : accumulator b :=
  let: (top, total, outs) := a in
  let top' := larger F top s in
  let kept := exponential F (minus F top top') in
  let weight := exponential F (minus F s top') in
  (top', added F (multiplied F total kept) weight,
   mkseq (fun r => added F (multiplied F (nth (zero F) outs r) kept) (multiplied F weight (v r))) d).
(** Head h of token i after the tokens 0, …, j−1; score h i j x_i x_j and value r of head h at token j are words. *)
Fixpoint online_head X (b d : nat) (F : arithmetic b) (score : nat -> nat -> nat -> X -> X -> 'I_(2 ^ b))
    (v : nat -> nat -> nat -> X -> 'I_(2 ^ b)) (x : nat -> X) (i h j : nat) : accumulator b :=
  if j is j'.+1
  then accumulated d F (online_head d F score v x i h j') (score h i j' (x i) (x j')) (fun r => v h r j' (x j'))
  else (lowest F, zero F, nseq d (zero F)).
Definition online_softmax X (H d b : nat) (F : arithmetic b) (score : nat -> nat -> nat -> X -> X -> 'I_(2 ^ b))
    (v : nat -> nat -> nat -> X -> 'I_(2 ^ b)) (finish : nat -> X -> seq (accumulator b) -> X) (x : nat -> X) (i : nat) : X :=
  finish i (x i) (mkseq (fun h => online_head d F score v x i h i.+1) H).

(** * 2. States of p-bit numbers *)

(** A number cut to −2^b … 2^b − 1: a sign and b bits. *)
Definition fit (b : nat) (z : Z) : Z := Z.max (- 2 ^ Z.of_nat b) (Z.min (2 ^ Z.of_nat b - 1) z).

(** A state of A such numbers, from 0; next i s x t is entry t after token i with activation x. *)
Fixpoint scan X (A b : nat) (next : nat -> seq Z -> X -> nat -> Z) (x : nat -> X) (i : nat) : seq Z :=
  if i is i'.+1 then mkseq (fun t => fit b (next i' (scan A b next x i') (x i') t)) A else nseq A 0%Z.
(** A token reads the state that includes it. *)
Definition scanned X (A b : nat) (next : nat -> seq Z -> X -> nat -> Z) (read : nat -> X -> seq Z -> X)
    (x : nat -> X) (i : nat) : X := read i (x i) (scan A b next x i.+1).

(** * 3. Eight recurrent families (R.families)

    What a token offers to the heads: query and key (head, row), value (head, column); gates, for a row or a head; a
    strength; and the decay of a head, which no token changes. `finish` is the rest of the layer, from the read-outs. *)
Record offers X := Offers {
  query : X -> nat -> nat -> Z; key : X -> nat -> nat -> Z; values : X -> nat -> nat -> Z;
  row_gate : X -> nat -> nat -> Z; gate : X -> nat -> Z; strength : X -> nat -> Z; decay : nat -> Z;
  finish : nat -> X -> seq Z -> X }.

(** A product in units 2^-f, rounded down. *)
Definition times (f : nat) (x y : Z) : Z := (x * y / 2 ^ Z.of_nat f)%Z.

(** Row a, column r of head h, in the list of all numbers of the state. *)
Definition state_entry (dk dv : nat) (s : seq Z) (h a r : nat) : Z := nth 0%Z s ((h * dk + a) * dv + r).

(** y = qᵀS, for all heads and columns. *)
Definition read_out X (o : offers X) (H dk dv f : nat) (i : nat) (x : X) (s : seq Z) : X :=
  finish o i x [seq zsum (fun a => times f (query o x (t %/ dv) a) (state_entry dk dv s (t %/ dv) a (t %% dv))) dk
               | t <- iota 0 (H * dv)].

(** The delta rule on a state D: D + strength·k·(v − Dᵀk)ᵀ. *)
Definition delta_rule X (o : offers X) (dk f : nat) (D : nat -> nat -> Z) (x : X) (h a r : nat) : Z :=
  (D a r + times f (times f (strength o x h) (key o x h a))
                   (values o x h r - zsum (fun c => times f (key o x h c) (D c r)) dk))%Z.

Inductive family := Linear | RetNet | GLA | Mamba2 | HGRN2 | DeltaNet | GatedDeltaNet | KimiDelta.

(** Row a, column r of head h after a token x, from the state s before it. *)
Definition step_of X (F : family) (o : offers X) (dk dv f : nat) (s : seq Z) (x : X) (h a r : nat) : Z :=
  let old := state_entry dk dv s h in
  let written := times f (key o x h a) (values o x h r) in
  match F with
  | Linear => old a r + written
  | RetNet => times f (decay o h) (old a r) + written
  | GLA => times f (row_gate o x h a) (old a r) + written
  | Mamba2 => times f (gate o x h) (old a r) + times f (key o x h a) (times f (strength o x h) (values o x h r))
  | HGRN2 => times f (row_gate o x h a) (old a r) + times f (2 ^ Z.of_nat f - row_gate o x h a) (values o x h r)
  | DeltaNet => delta_rule o dk f old x h a r
  | GatedDeltaNet => delta_rule o dk f (fun c r => times f (gate o x h) (old c r)) x h a r
  | KimiDelta => delta_rule o dk f (fun c r => times f (row_gate o x h c) (old c r)) x h a r
  end%Z.

(** Entry t of the state is row (t / d_v) mod d_k, column t mod d_v of head t / (d_k·d_v). *)
Definition next_of X (F : family) (o : offers X) (dk dv f : nat) (i : nat) (s : seq Z) (x : X) (t : nat) : Z :=
  step_of F o dk dv f s x (t %/ (dk * dv)) ((t %/ dv) %% dk) (t %% dv).

(** The family as one computes it: H·d_k·d_v numbers of p = b + 1 bits, in units 2^-f. *)
Definition recurrent X (F : family) (o : offers X) (H dk dv f b : nat) : (nat -> X) -> nat -> X :=
  scanned (H * dk * dv) b (next_of F o dk dv f) (read_out o H dk dv f).

(** * 4. Models *)

(** A layer: softmax heads in exact sums, or in floating point from left to right, both with recurrent heads beside them, a state
    of A numbers of b + 1 bits ([FR]; A = 0 if there are none); or such a state alone. *)
Inductive exact_layer (X : Type) : Type :=
| Attention (H d P p : nat) (e : nat -> nat -> nat -> X -> X -> Z) (v : nat -> nat -> X -> Z)
            (A b : nat) (next : nat -> seq Z -> X -> nat -> Z) (finish : nat -> X -> seq Z -> seq Z -> seq Z -> X)
| Online (H d c : nat) (F : arithmetic c) (score : nat -> nat -> nat -> X -> X -> 'I_(2 ^ c))
         (v : nat -> nat -> nat -> X -> 'I_(2 ^ c))
         (A b : nat) (next : nat -> seq Z -> X -> nat -> Z) (finish : nat -> X -> seq (accumulator c) -> seq Z -> X)
| Recurrence (A b : nat) (next : nat -> seq Z -> X -> nat -> Z) (read : nat -> X -> seq Z -> X).

(** Weights are in 0 … 2^P and values in −2^p … 2^p: others are cut, so that every choice of functions is a layer. *)
Definition weight X (P : nat) (e : nat -> nat -> nat -> X -> X -> Z) (h i j : nat) (x y : X) : Z :=
  Z.max 0 (Z.min (2 ^ Z.of_nat P) (e h i j x y)).
Definition value X (p : nat) (v : nat -> nat -> X -> Z) (t j : nat) (y : X) : Z :=
  Z.max (- 2 ^ Z.of_nat p) (Z.min (2 ^ Z.of_nat p) (v t j y)).

Definition compute X (x : nat -> X) (l : exact_layer X) : nat -> X := fun i =>
  match l with
  | Attention H d P p e v A b next finish =>
      softmax H d (weight P e) (value p v) (fun i y nums dens => finish i y nums dens (scan A b next x i.+1)) x i
  | Online H d c F score v A b next finish =>
      online_softmax H d F score v (fun i y heads => finish i y heads (scan A b next x i.+1)) x i
  | Recurrence A b next read => scanned A b next read x i
  end.

(** Softmax heads with nothing beside them. *)
Definition attention X (H d P p : nat) (e : nat -> nat -> nat -> X -> X -> Z) (v : nat -> nat -> X -> Z)
    (finish : nat -> X -> seq Z -> seq Z -> X) : exact_layer X :=
  Attention H d P p e v 0 0 (fun _ _ _ _ => 0%Z) (fun i x nums dens _ => finish i x nums dens).

Record exact_model := ExactModel {
  numbers : Type;
  first : nat -> token -> numbers;
  stack : seq (exact_layer numbers);
  last_word : numbers -> nat }.

(** What the model answers to a prompt, and that it answers all of them. *)
Definition exact_output (md : exact_model) (q : seq token) : nat :=
  last_word (foldl (@compute _) (fun i => first md i (nth (Val 0) q i)) (stack md) (size q).-1).
Definition exactly_solves (m : nat) (ns : seq nat) (md : exact_model) : Prop :=
  forall z0 zs ws, valid m ns z0 zs ws -> exact_output md (prompt z0 zs ws) = answer z0 zs ws.

(** M1's β = H·(d·(P+p+k+1) + P+k) at prompts of at most 2^k tokens for exact sums; in floating point the accumulators are all that
    is heard, H·(d+2) words at prompts of any length; and the bits of a state. *)
Definition soft_bits X (k : nat) (l : exact_layer X) : nat :=
  match l with
  | Attention H d P p _ _ _ _ _ _ => H * (d * (P + p + k + 1) + (P + k))
  | Online H d c _ _ _ _ _ _ _ => H * ((d + 2) * c)
  | Recurrence _ _ _ _ => 0
  end.
Definition linear_bits X (l : exact_layer X) : nat :=
  match l with Attention _ _ _ _ _ _ A b _ _ | Online _ _ _ _ _ _ A b _ _ | Recurrence A b _ _ => A * b.+1 end.

(** The number of layers that hold a state, recurrent layers or recurrent heads beside attention. *)
Definition layers_with_state X (ls : seq (exact_layer X)) : nat := count (fun l => 0 < linear_bits l) ls.

(** The word of a model; the state bits of all layers before the (t+1)-th attention layer; those of block t with the heads beside
    the t-th attention layer. *)
Definition is_attention X (l : exact_layer X) : bool := if l is Recurrence _ _ _ _ then false else true.
Fixpoint linear_bits_upto X (t : nat) (ls : seq (exact_layer X)) : nat :=
  if ls is l :: ls' then
    if is_attention l then (if t is t'.+1 then linear_bits l + linear_bits_upto t' ls' else 0)
    else linear_bits l + linear_bits_upto t ls'
  else 0.
Definition linear_bits_block X (t : nat) (ls : seq (exact_layer X)) : nat :=
  linear_bits_upto t ls - (if t is t'.+1 then linear_bits_upto t' ls else 0).

(** What the theorems suppose of an exact model: β and Λ_t at prompts of at most 2^k tokens. *)
Definition within (k beta : nat) (Lam : nat -> nat) (md : exact_model) : Prop :=
  all (fun l => soft_bits k l <= beta) (stack md) /\ forall t, linear_bits_upto t (stack md) <= Lam t.
(** ... and block by block. *)
Definition within_blocks (k beta : nat) (lam : nat -> nat) (md : exact_model) : Prop :=
  all (fun l => soft_bits k l <= beta) (stack md) /\ forall t, linear_bits_block t (stack md) <= lam t.
(** #F, and: no recurrent layer before the second attention layer. *)
Definition attention_layers (md : exact_model) : nat := count (@is_attention _) (stack md).
Definition no_early_state (md : exact_model) : bool := all id (upto_word 1 (map (@is_attention _) (stack md))).

(** * 5. ⌊2^P·exp(−y)⌋ for a rational y = a/u ≥ 0, without real numbers

    S_n(y) = Σ_{k≤n} y^k/k! grows to exp(y); so w = ⌊2^P·exp(−y)⌋ says that w·S_n ≤ 2^P for every n and 2^P < (w+1)·S_n for
    some n. With the whole numbers T_n = S_n·u^n·n! and B_n = u^n·n!; the series is (T_n, B_n, a^n). *)
Fixpoint series (a u : Z) (n : nat) : Z * Z * Z :=
  if n is n'.+1 then
    let: (T, B, A) := series a u n' in
    (T * u * Z.of_nat n + A * a, B * u * Z.of_nat n, A * a)%Z
  else (1, 1, 1)%Z.
Definition is_floor_exp (P : nat) (u a w : Z) : Prop :=
  (forall n, (w * (series a u n).1.1 <= 2 ^ Z.of_nat P * (series a u n).1.2)%Z) /\
  exists n, (2 ^ Z.of_nat P * (series a u n).1.2 < (w + 1) * (series a u n).1.1)%Z.

(** * 6. Models given by integer matrices, as `separation prove … --write-model` writes them

    The stream is counted in units 2^-f. A full head: q = W_Q·x_i, k = W_K·x_j, y = shift − q·k, weight ⌊2^P·exp(−y)⌋,
    values W_V·x_j, their mean rounded down to the unit, W_O adds it to the stream; then MLPs. *)
Definition vector := seq Z.
Definition matrix := seq vector.
Fixpoint dot (u v : vector) : Z := match u, v with a :: u', b :: v' => (a * b + dot u' v')%Z | _, _ => 0%Z end.
Definition apply (M : matrix) (x : vector) : vector := [seq dot row x | row <- M].
Fixpoint plus (u v : vector) : vector :=
  match u, v with a :: u', b :: v' => (a + b)%Z :: plus u' v' | _, [::] => u | [::], _ => v end.
Definition relu (x : vector) : vector := [seq Z.max 0 a | a <- x].
Definition scale (c : Z) (x : vector) : vector := [seq (c * a)%Z | a <- x].

Record full_head := FullHead { W_Q : matrix; W_K : matrix; W_V : matrix; W_O : matrix; shift : Z }.
Record mlp := Mlp { W_1 : matrix; b_1 : vector; W_2 : matrix; b_2 : vector }.
(** A linear head with features relu(W·x + b); the state sums key times value; normalised by one more value, 1. *)
Record linear_head := LinearHead {
  L_Q : matrix; c_Q : vector; L_K : matrix; c_K : vector; L_V : matrix; L_O : matrix; normalised : bool; d_k : nat; d_v : nat }.
Inductive built_layer := FullBlock of full_head & seq mlp | LinearBlock of linear_head & seq mlp.
Record weights := Weights {
  score_bits : nat; value_bits : nat; fraction : nat; state_size : nat;
  position_rows : matrix; token_rows : matrix; unembedding : matrix; blocks : seq built_layer }.

Definition stream_unit (w : weights) : Z := (2 ^ Z.of_nat (fraction w))%Z.

(** The number of a token: a table entry or z_0 is its value; w follows the N_{L-1} values, in mixed radix n_1, …, n_{L-1}. *)
Definition query_number (ns ws : seq nat) : nat := foldl (fun a wn => a * wn.2 + wn.1) 0 (zip ws ns).
Definition token_number (w : weights) (ns : seq nat) (t : token) : nat :=
  match t with Val a => a | Query ws => size (unembedding w) + query_number ns ws end.
Definition embedded (w : weights) (ns : seq nat) (i : nat) (t : token) : vector :=
  scale (stream_unit w) (plus (nth [::] (position_rows w) i) (nth [::] (token_rows w) (token_number w ns t))).

(** x + W_2·relu(W_1·x + b_1) + b_2, MLP after MLP. *)
Definition after_mlps (w : weights) (ms : seq mlp) (x : vector) : vector :=
  let u := stream_unit w in
  foldl (fun x m => plus x (plus (apply (W_2 m) (relu (plus (apply (W_1 m) x) (scale u (b_1 m))))) (scale u (b_2 m)))) x ms.

(** Full attention; exp_floor gives the weight of an exponent y, in units 4^-f. *)
Definition exponent (w : weights) (h : full_head) (q k : vector) : Z :=
  Z.max 0 (shift h * stream_unit w * stream_unit w - dot q k).
Definition full_weight (w : weights) (exp_floor : Z -> Z) (h : full_head) (_ i j : nat) (x y : vector) : Z :=
  exp_floor (exponent w h (apply (W_Q h) x) (apply (W_K h) y)).
Definition full_value (h : full_head) (t j : nat) (y : vector) : Z := nth 0%Z (apply (W_V h) y) t.
Definition full_finish (w : weights) (h : full_head) (ms : seq mlp) (_ : nat) (x : vector) (nums dens : seq Z) : vector :=
  after_mlps w ms (plus x (apply (W_O h) [seq (a / head 0%Z dens)%Z | a <- nums])).

(** Linear attention: entry (a, r) of the state is number a·d + r, d = d_v (+1 if normalised). *)
Definition columns (h : linear_head) := d_v h + normalised h.
Definition key_of (w : weights) (h : linear_head) (x : vector) : vector :=
  relu (plus (apply (L_K h) x) (scale (stream_unit w) (c_K h))).
Definition query_of (w : weights) (h : linear_head) (x : vector) : vector :=
  relu (plus (apply (L_Q h) x) (scale (stream_unit w) (c_Q h))).
Definition value_of (w : weights) (h : linear_head) (x : vector) : vector :=
  apply (L_V h) x ++ nseq (normalised h) (stream_unit w).
Definition linear_next (w : weights) (h : linear_head) (_ : nat) (s : seq Z) (x : vector) (t : nat) : Z :=
  (nth 0%Z s t + nth 0%Z (key_of w h x) (t %/ columns h) * nth 0%Z (value_of w h x) (t %% columns h))%Z.
Definition linear_sum (w : weights) (h : linear_head) (x : vector) (s : seq Z) (r : nat) : Z :=
  dot (query_of w h x) [seq nth 0%Z s (a * columns h + r) | a <- iota 0 (d_k h)].
Definition linear_out (w : weights) (h : linear_head) (x : vector) (s : seq Z) : vector :=
  if normalised h
  then [seq (linear_sum w h x s r * stream_unit w / linear_sum w h x s (d_v h))%Z | r <- iota 0 (d_v h)]
  else [seq (linear_sum w h x s r / (stream_unit w * stream_unit w))%Z | r <- iota 0 (d_v h)].
Definition linear_read (w : weights) (h : linear_head) (ms : seq mlp) (_ : nat) (x : vector) (s : seq Z) : vector :=
  after_mlps w ms (plus x (apply (L_O h) (linear_out w h x s))).

Definition exact_block (w : weights) (exp_floor : Z -> Z) (B : built_layer) : exact_layer vector :=
  match B with
  | FullBlock h ms =>
      attention 1 (size (W_V h)) (score_bits w) (value_bits w) (full_weight w exp_floor h) (full_value h) (full_finish w h ms)
  | LinearBlock h ms => Recurrence (d_k h * columns h) (state_size w) (linear_next w h) (linear_read w h ms)
  end.

(** The answer: the first row of the unembedding with the largest product. *)
Fixpoint best_from (i leader : nat) (top : Z) (logits : seq Z) : nat :=
  if logits is a :: rest
  then if (top <? a)%Z then best_from i.+1 i a rest else best_from i.+1 leader top rest
  else leader.
Definition best (logits : seq Z) : nat := if logits is a :: rest then best_from 1 0 a rest else 0.
Definition said (w : weights) (x : vector) : nat := best (apply (unembedding w) x).

(** The model of these weights, for the task with n_1, …, n_{L-1} = ns. *)
Definition exact_of_weights (w : weights) (exp_floor : Z -> Z) (ns : seq nat) : exact_model :=
  ExactModel (embedded w ns) (map (exact_block w exp_floor) (blocks w)) (said w).

(** exp_floor(a) = ⌊2^P·exp(−a/4^f)⌋ for the listed a ≥ 0. Nothing is supposed of other exponents: what is proved with it holds
    whatever exp_floor says there, so no other exponent counts. (Of all a at once no such function is defined here: that would
    take irrational numbers.) *)
Definition true_exponentials (w : weights) (listed : pred Z) (exp_floor : Z -> Z) : Prop :=
  forall a, (0 <= a)%Z -> listed a -> is_floor_exp (score_bits w) (stream_unit w * stream_unit w) a (exp_floor a).

(** The weights answer every input of these sizes with every exp_floor that is true at the listed exponents, and there is one. *)
Definition weights_solve (m : nat) (ns : seq nat) (w : weights) (listed : pred Z) : Prop :=
  (exists exp_floor, true_exponentials w listed exp_floor) /\
  forall exp_floor, true_exponentials w listed exp_floor -> exactly_solves m ns (exact_of_weights w exp_floor ns).
Definition among (exponents : seq Z) : pred Z := fun a => has (Z.eqb a) exponents.

(** A full block of attention: how many key numbers and values its head has, and how many MLPs follow. *)
Definition block_shape (b : built_layer) : option (nat * nat * nat) :=
  if b is FullBlock h ms then Some (size (W_K h), size (W_V h), size ms) else None.
(** The width of the stream: the coordinates that a row of an embedding or of an output matrix has. *)
Definition width (w : weights) : nat :=
  foldr maxn 0 ([seq size r | r <- position_rows w ++ token_rows w]
    ++ [seq match b with FullBlock h _ => size (W_O h) | LinearBlock h _ => size (L_O h) end | b <- blocks w]).

(** * 7. What the main theorem says of both sides *)

(** These integer weights are L + 1 full-attention layers, one head each (7 key numbers, 2 values), no MLP, in a stream of at
    most 4L + 15 coordinates, with messages of 7k + 3P + 2 bits at prompts of at most 2^k tokens, and answer every input with the
    true weights ⌊2^P·exp(score)⌋. *)
Definition solved_by_weights (L P k m : nat) (ns : seq nat) : Prop :=
  exists (w : weights) (listed : pred Z),
    [/\ score_bits w = P, map block_shape (blocks w) = nseq L.+1 (Some (7, 2, 0)), width w <= 4 * L + 15,
        (forall exp_floor, all (fun l => soft_bits k l == 7 * k + 3 * P + 2) (stack (exact_of_weights w exp_floor ns)))
      & weights_solve m ns w listed].

(** Integer weights of this word, in a stream of at most 4L + 15 coordinates, with messages of 7k + 3P + 2 bits and at most 4k + 2 bits of
    state in all at prompts of at most 2^k tokens, answer every input with the true weights ⌊2^P·exp(score)⌋. *)
Definition solved_in_word (word : seq bool) (L P k m : nat) (ns : seq nat) : Prop :=
  exists (w : weights) (listed : pred Z),
    [/\ score_bits w = P, width w <= 4 * L + 15,
        (forall exp_floor, map (@is_attention _) (stack (exact_of_weights w exp_floor ns)) = word),
        (forall exp_floor, within k (7 * k + 3 * P + 2) (fun=> 4 * k + 2) (exact_of_weights w exp_floor ns))
      & weights_solve m ns w listed].

(** 2-Sum at the last of the numbers: is there a j with x_i + x_j ≡ 0 (mod M)? And: these weights say so, 1 for yes, of all non-empty lists of
    numbers 1, …, M − 1. *)
Definition two_sum (M : nat) (xs : seq nat) : bool := has (fun b => M %| last 0 xs + b) xs.
Definition weights_solve_two_sum (M : nat) (w : weights) (listed : pred Z) : Prop :=
  (exists exp_floor, true_exponentials w listed exp_floor) /\
  forall exp_floor, true_exponentials w listed exp_floor -> forall xs, 0 < size xs -> all (fun x => 0 < x < M) xs ->
    exact_output (exact_of_weights w exp_floor [::]) [seq Val a | a <- xs] = two_sum M xs.

(** Heads with H·d·p ≤ b: exact ones with weights of P ≤ p bits and numbers that can count the tokens (k ≤ p), as the paper has them,
    or floating point of p bits from left to right. *)
Definition paper_heads X (k b : nat) (l : exact_layer X) : bool :=
  match l with
  | Attention H d P p _ _ _ _ _ _ => [&& 0 < d, P <= p, k <= p, 0 < p & H * d * p <= b]
  | Online H d p _ _ _ _ _ _ _ => (0 < d) && (H * d * p <= b)
  | Recurrence _ _ _ _ => true
  end.
