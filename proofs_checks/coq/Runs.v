(** Models as certificates give them, matrices of rational numbers, and how they are run: docs/certificates.md, "Running a model", line by line.
    A run that breaks a rule there is None. What the kinds pair, wrong and exhaustive claim of a run is at the end. *)
From Coq Require Import ZArith QArith Qround Qabs.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.

(** * 1. Vectors of fractions in lowest terms *)
Definition row := seq Q.
Fixpoint inner (u v : row) : Q :=
  match u, v with a :: u', b :: v' => if Qeq_bool a 0%Q then inner u' v' else Qred (a * b + inner u' v')%Q | _, _ => 0%Q end.
Definition image (M : seq row) (x : row) : row := [seq inner r x | r <- M].
Definition add_rows (u v : row) : row := [seq Qred (p.1 + p.2)%Q | p <- zip u v].
Definition times_row (c : Q) (x : row) : row := [seq Qred (c * a)%Q | a <- x].
Definition positive_part (x : row) : row := [seq if Qle_bool 0%Q a then a else 0%Q | a <- x].
(** Σ c_i·(row i), of d numbers. *)
Definition combined (cs : row) (rows : seq row) (d : nat) : row :=
  foldr (fun p sum => add_rows (times_row p.1 p.2) sum) (nseq d 0%Q) (zip cs rows).
Definition power_of_two (k : nat) : Q := inject_Z (2 ^ Z.of_nat k).
(** All of f's results, if there are all of them. *)
Fixpoint all_some S T (f : S -> option T) (s : seq S) : option (seq T) :=
  if s is a :: s' then obind (fun b => omap (cons b) (all_some f s')) (f a) else Some [::].
Definition guarded T (ok : bool) (a : T) : option T := if ok then Some a else None.

(** * 2. Models *)
Inductive given_head :=
| Softmax (W_Q W_K W_V W_O : seq row) (shift : Q)
| Blockwise (W_Q W_K W_V C_K C_V W_O : seq row) (shift : Q) (block opened : nat)
| Linear (W_Q : seq row) (b_Q : row) (W_K : seq row) (b_K : row) (W_V W_O : seq row) (normalised : bool)
| Delta (W_Q W_K W_V W_A : seq row) (b_A : row) (W_B : seq row) (b_B : row) (W_O : seq row).
Record perceptron := Perceptron { hidden_rows : seq row; hidden_bias : row; outer_rows : seq row; outer_bias : row }.
(** P, p and f; attention both ways or causal; the rows of positions, of ids and of answers; heads and MLPs layer by layer. *)
Record given := Given {
  weight_bits : nat; number_bits : nat; places : nat; both_ways : bool;
  of_position : seq row; of_id : seq row; of_answer : seq row; given_layers : seq (seq given_head * seq perceptron) }.

Section Run.
Variable md : given.
Variable floor_exp : Q -> option Z.    (* y ≥ 0 |-> ⌊2^P·exp(−y)⌋ *)
(** At most 2^(p−f); rounded down to a multiple of 2^-f. *)
Definition small (x : row) : bool := all (fun a => Qle_bool (Qabs a) (power_of_two (number_bits md - places md))) x.
Definition round_down (a : Q) : Q := Qred (inject_Z (Qfloor (a * power_of_two (places md))%Q) / power_of_two (places md))%Q.

(** ** Heads that weigh *)
Definition weight_of (shift : Q) (q k : row) : option Q :=
  let y := Qred (shift - inner q k)%Q in if Qle_bool 0%Q y then omap inject_Z (floor_exp y) else None.
(** Σ e_j·v_j, d numbers, and Σ e_j; their quotients. *)
Definition weighted (d : nat) (es : row) (vs : seq row) : row := rcons (combined es vs d) (inner (nseq (size es) 1%Q) es).
Definition mean (d : nat) (sums : row) : row :=
  let total := last 0%Q sums in
  [seq if Qeq_bool total 0%Q then 0%Q else round_down (Qred (a / total)%Q) | a <- take d sums].
(** The summary of block g; the blocks before token t's that it opens, in increasing order: those with the largest q·(summary key). *)
Definition part (block g : nat) (rows : seq row) : seq row := take block (drop (g * block) rows).
Definition block_summary (C : seq row) (block : nat) (rows : seq row) (g : nat) : row := image C (flatten (part block g rows)).
Definition opens (block opened : nat) (q : row) (summaries : seq row) (t : nat) : seq nat :=
  let score g := inner q (nth [::] summaries g) in
  sort leq (take opened (sort (fun g g' => Qle_bool (score g') (score g)) (iota 0 (t %/ block)))).

(** ** Heads with a state: d_k rows of d_v numbers, and of one more if normalised *)
Definition clipped (a : Q) : Q := if Qle_bool a 0%Q then 0%Q else if Qle_bool a 1%Q then a else 1%Q.
(** q, k and v of a stream; α and β before they are clipped. *)
Definition query (h : given_head) (x : row) : row :=
  match h with
  | Softmax W _ _ _ _ | Blockwise W _ _ _ _ _ _ _ _ | Delta W _ _ _ _ _ _ _ => image W x
  | Linear W b _ _ _ _ _ => add_rows (image W x) b
  end.
Definition key (h : given_head) (x : row) : row :=
  match h with
  | Softmax _ W _ _ _ | Blockwise _ W _ _ _ _ _ _ _ | Delta _ W _ _ _ _ _ _ => image W x
  | Linear _ _ W b _ _ _ => add_rows (image W x) b
  end.
Definition value_rows (h : given_head) : seq row :=
  match h with Softmax _ _ W _ _ | Blockwise _ _ W _ _ _ _ _ _ | Linear _ _ _ _ W _ _ | Delta _ _ W _ _ _ _ _ => W end.
Definition out_rows (h : given_head) : seq row :=
  match h with Softmax _ _ _ W _ | Blockwise _ _ _ _ _ W _ _ _ | Linear _ _ _ _ _ W _ | Delta _ _ _ _ _ _ _ W => W end.
Definition gates (h : given_head) (x : row) : row :=
  if h is Delta _ _ _ W_A b_A W_B b_B _ then add_rows (image W_A x) b_A ++ add_rows (image W_B x) b_B else [::].
Definition head_values (h : given_head) : nat := size (value_rows h).
(** The state after one more token: S + φ_k·vᵀ, or α(S − β·k·kᵀS) + β·k·vᵀ. *)
Definition written (h : given_head) (S : seq row) (x : row) : seq row :=
  let k := key h x in let v := image (value_rows h) x in
  match h with
  | Linear _ _ _ _ _ _ n => [seq add_rows p.2 (times_row p.1 (v ++ nseq n 1%Q)) | p <- zip (positive_part k) S]
  | Delta _ _ _ _ _ _ _ _ =>
      let alpha := clipped (nth 0%Q (gates h x) 0) in let beta := clipped (nth 0%Q (gates h x) 1) in
      let told := combined k S (head_values h) in
      [seq let c := Qred (beta * p.1)%Q in
           add_rows (times_row alpha (add_rows p.2 (times_row (Qopp c) told))) (times_row c v) | p <- zip k S]
  | _ => [::]
  end.
Definition no_state (h : given_head) : seq row :=
  match h with
  | Linear W_Q _ _ _ _ _ n => nseq (size W_Q) (nseq (head_values h + n) 0%Q)
  | Delta W_Q _ _ _ _ _ _ _ => nseq (size W_Q) (nseq (head_values h) 0%Q)
  | _ => [::]
  end.
Definition states_of (h : given_head) (xs : seq row) : seq (seq row) := scanl (written h) (no_state h) xs.

(** ** What a head gives to each token, and what is heard of the tokens start … stop−1 *)
(** The keys and values that token t weighs. *)
Definition seen (h : given_head) (ks vs : seq row) (q : row) (t : nat) : seq (row * row) :=
  match h with
  | Blockwise _ _ _ C_K C_V _ _ B n =>
      let before := iota 0 (t %/ B) in
      let keys := [seq block_summary C_K B ks g | g <- before] in
      zip keys [seq block_summary C_V B vs g | g <- before]
      ++ flatten [seq zip (part B g ks) (part B g vs) | g <- opens B n q keys t] ++ drop (t %/ B * B) (take t.+1 (zip ks vs))
  | _ => if both_ways md then zip ks vs else take t.+1 (zip ks vs)
  end.
Definition shift_of (h : given_head) : Q := match h with Softmax _ _ _ _ s | Blockwise _ _ _ _ _ _ s _ _ => s | _ => 0%Q end.
Definition has_state (h : given_head) : bool := match h with Linear _ _ _ _ _ _ _ | Delta _ _ _ _ _ _ _ _ => true | _ => false end.
(** The weighted sums over some of the pairs. *)
Definition sums_over (h : given_head) (q : row) (pairs : seq (row * row)) : option row :=
  omap (fun es => weighted (head_values h) es (map snd pairs)) (all_some (weight_of (shift_of h) q) (map fst pairs)).

Definition given_to (h : given_head) (xs : seq row) : option (seq row) :=
  let qs := map (query h) xs in let ks := map (key h) xs in let vs := map (image (value_rows h)) xs in
  let whole := if h is Blockwise _ _ _ C_K C_V _ _ B _ then
    [seq block_summary C_K B ks g | g <- iota 0 (size xs %/ B)] ++ [seq block_summary C_V B vs g | g <- iota 0 (size xs %/ B)] else [::] in
  if ~~ all small (qs ++ ks ++ vs ++ map (gates h) xs ++ whole) then None
  else if has_state h then
    let states := states_of h xs in
    let read S q := match h with
      | Linear _ _ _ _ _ _ true => mean (head_values h) (combined (positive_part q) S (head_values h).+1)
      | Linear _ _ _ _ _ _ false => combined (positive_part q) S (head_values h)
      | _ => combined q S (head_values h)
      end in
    guarded (all (all small) states) [seq read p.1 p.2 | p <- zip states qs]
  else all_some (fun t => let q := nth [::] qs t in omap (mean (head_values h)) (sums_over h q (seen h ks vs q t))) (iota 0 (size xs)).

Definition heard (h : given_head) (start stop : nat) (xs : seq row) : option row :=
  let ks := map (key h) xs in let vs := map (image (value_rows h)) xs in
  match h with
  | Softmax _ _ _ _ _ =>
      let told := take (stop - start) (drop start (zip ks vs)) in
      omap flatten (all_some (fun x => sums_over h (query h x) told) (drop stop xs))
  | Blockwise _ _ _ C_K C_V _ _ B n =>
      let t := (size xs).-1 in let g := start %/ B in
      let keys := [seq block_summary C_K B ks i | i <- iota 0 (t %/ B)] in
      let opened := opens B n (query h (last [::] xs)) keys t in
      guarded [&& start == g * B, stop == g.+1 * B, g < t %/ B & g \notin opened]
        ([seq inject_Z (Z.of_nat i) | i <- opened] ++ nth [::] keys g ++ block_summary C_V B vs g)
  | _ =>
      let S := nth [::] (states_of h xs) stop.-1 in
      Some (flatten [seq take (head_values h) r | r <- S] ++ flatten [seq drop (head_values h) r | r <- S])
  end.

(** ** Layers *)
Definition after (xs : seq row) (m : perceptron) : option (seq row) :=
  let hidden := [seq add_rows (image (hidden_rows m) x) (hidden_bias m) | x <- xs] in
  let ys := [seq add_rows p.1 (add_rows (image (outer_rows m) (positive_part p.2)) (outer_bias m)) | p <- zip xs hidden] in
  guarded (all small hidden && all small ys) ys.
Definition after_layer (xs : seq row) (l : seq given_head * seq perceptron) : option (seq row) :=
  obind (fun outs =>
    let add ys ho := [seq add_rows p.1 (image (out_rows ho.1) p.2) | p <- zip ys ho.2] in
    let ys := foldl add xs (zip l.1 outs) in
    foldl (fun zs m => obind (fun zs => after zs m) zs) (guarded (all small ys) ys) l.2)
    (all_some (fun h => given_to h xs) l.1).
(** The streams before each layer and after the last, of a prompt given by its ids. *)
Fixpoint after_layers (xs : seq row) (ls : seq (seq given_head * seq perceptron)) : option (seq (seq row)) :=
  if ls is l :: ls' then obind (fun ys => omap (cons xs) (after_layers ys ls')) (after_layer xs l) else Some [:: xs].
Definition streams (ids : seq nat) : option (seq (seq row)) :=
  let xs := [seq add_rows (nth [::] (of_position md) p.1) (nth [::] (of_id md) p.2) | p <- zip (iota 0 (size ids)) ids] in
  if all small xs then after_layers xs (given_layers md) else None.
(** The first of the largest logits, and the largest of the others; what each token says. *)
Definition logits (x : row) : row := image (of_answer md) x.
Fixpoint first_largest (i leader : nat) (top : Q) (ls : row) : nat :=
  if ls is a :: rest then if Qle_bool a top then first_largest i.+1 leader top rest else first_largest i.+1 i a rest else leader.
Definition says_of (x : row) : nat := if logits x is a :: rest then first_largest 1 0 a rest else 0.
Definition all_said (ids : seq nat) : option (seq row) := omap (last [::]) (streams ids).
(** What is heard head by head, numbered by layer from 1 and head from 0. *)
Definition all_heard (start stop : nat) (ss : seq (seq row)) : option (seq (nat * nat * row)) :=
  all_some (fun a => omap (pair (a.1.1.+1, a.2.1)) (heard a.2.2 start stop a.1.2))
    (flatten [seq [seq ((p.1, p.2.1), h) | h <- zip (iota 0 (size p.2.2.1)) p.2.2.1]
             | p <- zip (iota 0 (size (given_layers md))) (zip ss (given_layers md))]).
End Run.

(** * 3. Questions: an input of FuncComp, or numbers of 2-Sum; its ids, and the right answers with their places *)
Inductive question := Composition (m : nat) (ns : seq nat) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat) | Summing (modulus : nat) (xs : seq nat).
Definition asked_well (a : question) : bool :=
  match a with Composition m ns z0 zs ws => valid m ns z0 zs ws | Summing M xs => all (fun x => 0 < x < M) xs && (0 < size xs) end.
Definition ids_of (a : question) : seq nat :=
  match a with
  | Composition m ns z0 zs ws =>
      [seq match t with Val v => v | Query ds => last_size m ns + query_number ns ds end | t <- prompt z0 zs ws]
  | Summing _ xs => xs
  end.
Definition right_at (a : question) : seq (nat * nat) :=
  match a with
  | Composition _ _ z0 zs ws => [:: ((size (prompt z0 zs ws)).-1, answer z0 zs ws)]
  | Summing M xs => [seq (i, nat_of_bool (two_sum M (take i.+1 xs))) | i <- iota 0 (size xs)]
  end.
Definition right_last (a : question) : nat := (last (0, 0) (right_at a)).2.
(** Every question of FuncComp(m; ns), or of 2-Sum with k numbers. *)
Definition every_question (composition : option (nat * seq nat)) (modulus k : nat) : seq question :=
  if composition is Some (m, ns) then [seq Composition m ns i.1.1 i.1.2 i.2 | i <- all_inputs m ns]
  else [seq Summing modulus (map succn xs) | xs <- lists k modulus.-1].

(** * 4. Claims of runs, with a floor_exp *)
Section Claims.
Variable md : given.
Variable floor_exp : Q -> option Z.
Definition equal_rows (u v : row) : bool := (size u == size v) && all (fun p => Qeq_bool p.1 p.2) (zip u v).
(** Run on this question, the model generates these tokens, and this is heard of the tokens start … stop−1. *)
Definition generates (a : question) (start stop : nat) (out : seq nat) (told : seq (nat * nat * row)) : bool :=
  let ids := ids_of a in
  if streams md floor_exp (ids ++ take (size out).-1 out) is Some ss then
    (map (says_of md) (drop (size ids).-1 (last [::] ss)) == out) &&
    if all_heard md floor_exp start stop ss is Some found then
      (map fst found == map fst told) && all (fun p => equal_rows p.1 p.2) (zip (map snd found) (map snd told))
    else false
  else false.
(** A pair: outside start … stop−1 the prompts are equal, the right answers differ, and the model generates the same and hears the same. *)
Definition fooled (a b : question) (start stop right_a right_b : nat) (out : seq nat) (told : seq (nat * nat * row)) : bool :=
  [&& asked_well a, asked_well b, size (ids_of a) == size (ids_of b), start < stop < size (ids_of a),
      take start (ids_of a) == take start (ids_of b), drop stop (ids_of a) == drop stop (ids_of b),
      right_last a == right_a, right_last b == right_b, right_a != right_b, 0 < size out
    & generates a start stop out told && generates b start stop out told].
(** At this place the model says this, and right is another. *)
Definition says_wrongly (a : question) (place said right : nat) : bool :=
  [&& asked_well a, (place, right) \in right_at a, said != right
    & if all_said md floor_exp (ids_of a) is Some xs then says_of md (nth [::] xs place) == said else false].
(** The distances of the right logits above the largest others, one for each answer of a question; None: the run fails. *)
Definition distance (x : row) (right : nat) : option Q :=
  let ls := logits md x in let others := take right ls ++ drop right.+1 ls in
  if others is a :: rest then
    Some (Qred (nth 0%Q ls right - foldl (fun top b => if Qle_bool b top then top else b) a rest)%Q) else None.
Definition answers_to (a : question) : option (seq (bool * option Q)) :=
  omap (fun xs => [seq let x := nth [::] xs r.1 in (says_of md x == r.2, distance x r.2) | r <- right_at a])
    (all_said md floor_exp (ids_of a)).
(** Of all answers to these questions so many are right, and all by a margin, if one is claimed. *)
Definition tallies (qs : seq question) (inputs answers right : nat) (margin : option Q) : bool :=
  if all_some answers_to qs is Some found then
    let all_found := flatten found in
    [&& 0 < inputs, size qs == inputs, size all_found == answers, count fst all_found == right
      & if margin is Some c then
          ~~ Qle_bool c 0%Q && all (fun r => r.1 && if r.2 is Some d then Qle_bool c d else false) all_found
        else true]
  else false.
End Claims.

(** A partial function with nothing but true values ⌊2^P·exp(−y)⌋. A run that succeeds with one is the run: it met no other exponent. *)
Definition only_true (P : nat) (floor_exp : Q -> option Z) : Prop :=
  forall y w, floor_exp y = Some w -> is_floor_exp P (Z.pos (Qden y)) (Qnum y) w.
