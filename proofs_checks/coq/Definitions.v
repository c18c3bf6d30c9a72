(** Everything that the theorems of Theorems.v speak about. Read this file, then Theorems.v; no other file is needed to
    know what is claimed. Nothing is assumed of a model beyond its shape: no linearity, no softmax, no bound on its
    activations. Statements are numbered as in docs/theory.md; docs/coq.md says what differs from there.

    Notation is that of mathcomp:  seq is a list, [:: a; b] its members, x.+1 = x + 1, x.-1 = max(x − 1, 0),
    #|M| the number of elements of M, 'C(n, k) a binomial, \sum, \prod sums and products. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. The task (D1): L-FuncComp(m; n_1, …, n_{L-1})

    ns = [:: n_1; …; n_{L-1}], so L = size ns + 1. *)

(** A token is a number, an entry of a table or z_0; or the query w, which is one token. *)
Inductive token := Val of nat | Query of seq nat.

(** N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ: the sizes [:: N_0; …; N_{L-1}] of the tables z_1, …, z_L. *)
Fixpoint sizes (m : nat) (ns : seq nat) : seq nat :=
  m :: (if ns is n :: ns' then sizes (m * n) ns' else [::]).

(** N_{L-1}, the size of the last table. *)
Fixpoint last_size (m : nat) (ns : seq nat) : nat := if ns is n :: ns' then last_size (m * n) ns' else m.

(** n = Σ N_{ℓ-1} + 2, the length of the prompt. *)
Definition tokens (m : nat) (ns : seq nat) : nat := (sumn (sizes m ns)).+2.

(** W = n_1⋯n_{L-1}, the number of queries. *)
Definition queries (ns : seq nat) : nat := foldr muln 1 ns.

(** An input: z_0 < m; zs = [:: z_1; …; z_L], a table being the list of its values, each below its size;
    ws = [:: w_1; …; w_{L-1}] with w_ℓ < n_ℓ. *)
Definition valid (m : nat) (ns : seq nat) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat) : bool :=
  [&& z0 < m, map size zs == sizes m ns, all (fun z => all (fun v => v < size z) z) zs
    & all2 ltn ws ns].

(** The prompt: table z_L, …, table z_1, then z_0, then w. *)
Definition prompt (z0 : nat) (zs : seq (seq nat)) (ws : seq nat) : seq token :=
  [seq Val v | v <- flatten (rev zs)] ++ [:: Val z0; Query ws].

(** The hops. a is the address at which the first table of zs is read: i = z(a), and the next address is the pair
    (w, i), that is w·(size of z) + i. The answer to the input is  answer z0 zs ws = i_L. *)
Fixpoint answer (a : nat) (zs : seq (seq nat)) (ws : seq nat) : nat :=
  match zs, ws with
  | z :: zs', w :: ws' => answer (w * size z + nth 0 z a) zs' ws'
  | z :: _, [::] => nth 0 z a
  | [::], _ => a
  end.

(** * 2. Models

    X is the type of activations: any type, finite or not. All maps may depend on the layer and on the positions.

    Full (F):  x_i' = h(x_i, a_i, S_i); a_i is an accumulator with values in any finite type M: it starts at e, and the tokens
               j = 0, …, i−1 update it in this order, a := g(x_i, x_j, a). Sums in a finite monoid are the case
               g(x_i, x_j, a) = a + term(x_i, x_j); no update needs to be associative, so floating point is covered as it
               is computed from left to right, with a running maximum if there is one. Several heads: a product of types.
               Only j < i: what a token gives to itself is part of h, so that n − 1 tokens are summed, as in
               the count of β (a sum over j ≤ i would have one term more, and one bit more when n is a power of two).
               S is the state of recurrent heads beside the attention heads ([FR]); a plain F has the one-point state.
    Rec (R):   S_i = step(S_{i-1}, x_i),  x_i' = read(x_i, S_i),  S any finite type. *)
Inductive layer (X : Type) : Type :=
| Full (M : finType) (e : M) (g : nat -> nat -> X -> X -> M -> M)
       (St : finType) (s0 : St) (step : nat -> St -> X -> St) (h : nat -> X -> M -> St -> X)
| Rec  (St : finType) (s0 : St) (step : nat -> St -> X -> St) (read : nat -> X -> St -> X).

(** The state after the tokens 0, …, i−1. *)
Fixpoint state X (St : Type) (s0 : St) (step : nat -> St -> X -> St) (x : nat -> X) (i : nat) : St :=
  if i is i'.+1 then step i' (state s0 step x i') (x i') else s0.

(** One layer: x i is the activation of token i before it, run x l i the one after it. *)
Definition run X (x : nat -> X) (l : layer X) : nat -> X := fun i =>
  match l with
  | Full M e g _ s0 step h =>
      h i (x i) (state e (fun j a y => g i j (x i) y a) x i) (state s0 step x i.+1)
  | Rec _ s0 step read => read i (x i) (state s0 step x i.+1)
  end.

(** A model: how a token at a position is embedded, its layers, and how the answer is read. *)
Record model := Model {
  act : Type;
  embed : nat -> token -> act;
  layers : seq (layer act);
  out : act -> nat }.

(** The activations before the first layer, and the answer, which is read at the last token. *)
Definition inputs (md : model) (p : seq token) : nat -> act md :=
  fun i => embed md i (nth (Val 0) p i).
Definition output (md : model) (p : seq token) : nat :=
  out (foldl (@run _) (inputs md p) (layers md) (size p).-1).

(** The model answers every input of these sizes. *)
Definition solves (m : nat) (ns : seq nat) (md : model) : Prop :=
  forall z0 zs ws, valid m ns z0 zs ws -> output md (prompt z0 zs ws) = answer z0 zs ws.

(** Chain of thought: at the last token the model either appends a token and goes on, or stops with an answer.
    Any number of tokens; their positions follow those of the prompt. *)
Fixpoint decode (md : model) (next : act md -> token + nat) (fuel : nat) (p : seq token) : option nat :=
  if fuel is f.+1 then
    match next (foldl (@run _) (inputs md p) (layers md) (size p).-1) with
    | inl t => decode next f (rcons p t)
    | inr v => Some v
    end
  else None.
Definition solves_cot (m : nat) (ns : seq nat) (md : model) (next : act md -> token + nat) : Prop :=
  forall z0 zs ws, valid m ns z0 zs ws -> exists fuel, decode next fuel (prompt z0 zs ws) = Some (answer z0 zs ws).

(** * 3. The resources of a model *)

(** A layer is F or R; how many values its accumulators have, and how many its state. *)
Definition is_full X (l : layer X) := if l is Full _ _ _ _ _ _ _ then true else false.
Definition sums X (l : layer X) := if l is Full M _ _ _ _ _ _ then #|M| else 1.
Definition states X (l : layer X) :=
  match l with Full _ _ _ St _ _ _ => #|St| | Rec St _ _ _ => #|St| end.

(** The layers before the (t+1)-th Full layer: blocks 0..t and the Full layers between them. *)
Fixpoint upto X (t : nat) (ls : seq (layer X)) : seq (layer X) :=
  if ls is l :: ls' then
    if is_full l then (if t is t'.+1 then l :: upto t' ls' else [::]) else l :: upto t ls'
  else [::].

(** #F. *)
Definition number_full (md : model) : nat := count (@is_full _) (layers md).

(** β: in every Full layer, what reaches a token is one of at most 2^β accumulators. *)
Definition message_bits (md : model) (beta : nat) : Prop :=
  all (fun l => sums l <= 2 ^ beta) (layers md).

(** Λ_t: the state bits of all layers before the (t+1)-th Full layer together, what crosses one token boundary there. *)
Definition state_bits (md : model) (Lam : nat -> nat) : Prop :=
  forall t, \prod_(l <- upto t (layers md)) states l <= 2 ^ Lam t.

(** The state bits of the whole model. *)
Definition all_state_bits (md : model) (lam : nat) : Prop := \prod_(l <- layers md) states l <= 2 ^ lam.

(** No R layer stands before the second F (with one F, or none: no R layer at all). *)
Definition no_early_rec (md : model) : bool := all (@is_full _) (upto 1 (layers md)).

(** * 4. Words and their depth (T.depth)

    The word of a model: true is F, false is R. *)
Definition word (md : model) : seq bool := map (@is_full _) (layers md).

(** The letters before the (t+1)-th F. *)
Fixpoint upto_word (t : nat) (w : seq bool) : seq bool :=
  if w is b :: w' then
    if b then (if t is t'.+1 then b :: upto_word t' w' else [::]) else b :: upto_word t w'
  else [::].

(** 0 without F; otherwise #F − 1, and 1 more if some R stands before the second F (with one F: anywhere). *)
Definition depth (w : seq bool) : nat := if count id w is f.+1 then f + ~~ all id (upto_word 1 w) else 0.

(** * 5. The inequalities of Theorems A and B, in natural numbers

    At level ℓ: D = D_ℓ, the bits lost so far; N = N_{ℓ-1}; k = n_{ℓ-1}·Θ_{ℓ-1}, the addresses of table z_ℓ that are
    asked; T, the number of views: pairs of a token of the players below ℓ and a choice of all that it can see below ℓ,
    which is the bracket (W+1)·x_0⋯x_{ℓ-1} + Σ_{i<ℓ} x_i⋯x_{ℓ-1}·N_{i-1} without its first term;
    ns = [:: n_ℓ; …; n_{L-1}]; cs = [:: (x_ℓ, Θ_ℓ); …], the tables kept of player ℓ and the values they reach.
    e counts the Full layers that the next level covers: ℓ in Theorem A, ℓ+1 in Theorem B.

    (E_ℓ)  Θ_ℓ ≤ N and 2^(1 + x_ℓ·D_ℓ)·C(N, Θ_ℓ−1)·(Θ_ℓ−1)^t ≤ N^t with t = x_ℓ·k: fewer than Θ_ℓ values are reached
           by t draws with probability at most 2^(-1-x_ℓ·D_ℓ). Any Θ_ℓ may be chosen, and t need not be even.
           Θ_ℓ ≤ N must be there: beyond N the binomial is 0, and the inequality would hold of nothing.
    (F)    2^D < N^k, that is D_L < n_{L-1}·Θ_{L-1}·log2 N_{L-1}. *)
Fixpoint levels (beta : nat) (Lam : nat -> nat) (e D T k N : nat) (ns : seq nat) (cs : seq (nat * nat)) : bool :=
  match ns, cs with
  | [::], _ => 2 ^ D < N ^ k
  | n :: ns', (x, th) :: cs' =>
      (th <= N) && (2 ^ (1 + x * D) * ('C(N, th.-1) * th.-1 ^ (x * k)) <= N ^ (x * k))
      && levels beta Lam e.+1 (x * D + 1 + Lam e + beta * (e * x * N + T))
                (x * (N + T)) (n * th) (N * n) ns' cs'
  | _ :: _, [::] => false
  end.

(** Theorem A: D_1 = Λ_0, Θ_0 = x_0 ≤ m. *)
Definition hardA (beta : nat) (Lam : nat -> nat) (m : nat) (ns : seq nat) (x0 : nat) (cs : seq (nat * nat)) : bool :=
  (x0 <= m) && levels beta Lam 1 (Lam 0) ((queries ns).+1 * x0) x0 m ns cs.

(** Theorem A with Λ_0 = 0 (free start): no (E_1), Θ_1 = min(x_0·x_1, m), and no 1 in D_2. *)
Definition hardA_free (beta : nat) (Lam : nat -> nat) (m : nat) (ns : seq nat) (x0 x1 : nat)
    (cs : seq (nat * nat)) : bool :=
  if ns is n1 :: ns' then
    [&& 0 < x0, x0 <= m, 0 < x1, Lam 0 == 0 &
     levels beta Lam 2 (Lam 1 + beta * (x1 * m + (queries ns).+1 * x0))
            (x1 * (m + (queries ns).+1 * x0)) (n1 * minn (x0 * x1) m) (m * n1) ns' cs]
  else false.

(** Theorem B, L ≥ 2: D_1 = β·W + Λ_1, what w hears from the tables in layer 1 and the state of the heads beside it;
    D_2 = x_1·D_1 + 1 + Λ_2 + β·(2·x_1·m + W·x_0 + x_0 + x_0·x_1). *)
Definition hardB (beta : nat) (Lam : nat -> nat) (m : nat) (ns : seq nat) (x0 x1 th1 : nat)
    (cs : seq (nat * nat)) : bool :=
  if ns is n1 :: ns' then
    let W := queries ns in let D1 := beta * W + Lam 1 in
    [&& x0 <= m, th1 <= m, 2 ^ (1 + x1 * D1) * ('C(m, th1.-1) * th1.-1 ^ (x1 * x0)) <= m ^ (x1 * x0) &
     levels beta Lam 3 (x1 * D1 + 1 + Lam 2 + beta * (2 * x1 * m + W * x0 + x0 + x0 * x1))
            (x1 * (m + W.+1 * x0)) (n1 * th1) (m * n1) ns' cs]
  else false.

(** * 6. The golden schedule (T.golden) *)

(** Fibonacci numbers: F_0 = 0, F_1 = F_2 = 1. *)
Fixpoint fib (n : nat) : nat := if n is n1.+1 then (if n1 is n2.+1 then fib n1 + fib n2 else 1) else 0.

(** y, linear in β and in the Λ_t with t ≤ L + 4; its constants depend on L alone. *)
Definition golden_base (beta : nat) (Lam : nat -> nat) (L : nat) : nat :=
  32 + 128 * (beta * (L + 4)) + 8 * (beta * (6 * 3 ^ L)) + (4 * \sum_(t < (L + 4).+1) Lam t).+1.
