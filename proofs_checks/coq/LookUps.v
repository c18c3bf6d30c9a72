(** Constructions of look-ups: what holds of a stream before and after each layer is given as intervals, for every position and for the
    numbers that its input says there; `answers_all` goes through them, never through inputs. It is proved right in LookUpsSound.v.

    Causal FuncComp, full attention, at most one MLP a layer. Keys are one vector at each position, whatever the input. A token
    whose query is one vector reads a position that the input names (where z_0 or an entry of a table stands) up to the weight that
    goes elsewhere; any other reads something between the values. A ReLU is a function of one unknown number: its sum with others is
    looked at on the pieces of that number's interval where all of them are linear. *)
From Coq Require Import ZArith QArith Qround Qabs.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Runs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.

(** * 1. Intervals *)
Definition interval := (Q * Q)%type.
Definition box := seq interval.
Definition within (i j : interval) : bool := Qle_bool j.1 i.1 && Qle_bool i.2 j.2.
Definition one_number (i : interval) : bool := Qle_bool i.2 i.1.
Definition at_most_size (bound : Q) (i : interval) : bool := within i (Qopp bound, bound).
Definition sum_of (i j : interval) : interval := (Qred (i.1 + j.1)%Q, Qred (i.2 + j.2)%Q).
Definition lesser (a b : Q) : Q := if Qle_bool a b then a else b.
Definition greater (a b : Q) : Q := if Qle_bool a b then b else a.
Definition multiple (a : Q) (i : interval) : interval :=
  if Qle_bool 0%Q a then (Qred (a * i.1)%Q, Qred (a * i.2)%Q) else (Qred (a * i.2)%Q, Qred (a * i.1)%Q).
(** The values of a row on a box. *)
Fixpoint range (r : row) (b : box) : interval :=
  match r, b with
  | a :: r', i :: b' => if Qeq_bool a 0%Q then range r' b' else sum_of (multiple a i) (range r' b')
  | _, _ => (0%Q, 0%Q)
  end.
(** A row that is constant on a box but for one coordinate: the constant, and that coordinate with its coefficient. *)
Fixpoint single (r : row) (b : box) : option (Q * option (nat * Q)) :=
  match r, b with
  | a :: r', i :: b' =>
      obind (fun found : Q * option (nat * Q) =>
        let later := omap (fun p : nat * Q => (p.1.+1, p.2)) found.2 in
        if Qeq_bool a 0%Q then Some (found.1, later)
        else if one_number i then Some (Qred (a * i.1 + found.1)%Q, later)
        else if later is None then Some (found.1, Some (0, a)) else None) (single r' b')
  | _, _ => Some (0%Q, None)
  end.

(** * 2. Sums of ReLUs of one number t: slope·t + Σ w·relu(a + c·t) *)
Definition positive (a : Q) : Q := if Qle_bool 0%Q a then a else 0%Q.
Definition bent := (Q * (Q * Q))%type.
Definition line (a c t : Q) : Q := Qred (a + c * t)%Q.
Definition bent_sum (slope : Q) (terms : seq bent) (t : Q) : Q :=
  foldr (fun k sum => Qred (k.1 * positive (line k.2.1 k.2.2 t) + sum)%Q) (Qred (slope * t)%Q) terms.
(** Linear between p and p'. *)
Definition straight (terms : seq bent) (p p' : Q) : bool :=
  all (fun k : bent => let u := line k.2.1 k.2.2 p in let v := line k.2.1 k.2.2 p' in
    Qle_bool 0%Q u && Qle_bool 0%Q v || Qle_bool u 0%Q && Qle_bool v 0%Q) terms.
Fixpoint pieces (terms : seq bent) (p : Q) (points : seq Q) : bool :=
  if points is p' :: rest then [&& Qle_bool p p', straight terms p p' & pieces terms p' rest] else true.
(** The bending points inside, in order; then the end. *)
Definition bends (terms : seq bent) (i : interval) : seq Q :=
  rcons (sort Qle_bool [seq t <- [seq Qred (Qopp k.2.1 / k.2.2)%Q | k <- terms & ~~ Qeq_bool k.2.2 0%Q] | Qle_bool i.1 t && Qle_bool t i.2]) i.2.
Definition bent_range (slope : Q) (terms : seq bent) (i : interval) : option interval :=
  if terms is [::] then Some (multiple slope i) else
  let points := bends terms i in let first := bent_sum slope terms i.1 in
  if pieces terms i.1 points then
    Some (foldr (fun t r => let v := bent_sum slope terms t in (lesser v r.1, greater v r.2)) (first, first) points)
  else None.

(** * 3. What is known of a stream: for each coordinate a constant, multiples of ±1 bits, and a radius *)
(** The number at the token itself, a digit of the query, a hop i_0, i_1, … *)
Inductive variable := Value | Digit (l : nat) | Hop (l : nat).
Definition reading := variable -> option nat.
Definition signed_bit (x j : nat) : Q := if Nat.testbit x j then 1%Q else (-1)%Q.
Definition term := (variable * nat * Q)%type.
Record coordinate := Coordinate { middle : Q; terms_of : seq term; radius : Q }.
Fixpoint told (rd : reading) (constant : Q) (ts : seq term) : option Q :=
  if ts is (v, j, c) :: ts' then
    obind (fun x => told rd (Qred (constant + c * signed_bit x j)%Q) ts') (rd v)
  else Some constant.
Definition spread (rd : reading) (c : coordinate) : option interval :=
  omap (fun a => (Qred (a - radius c)%Q, Qred (a + radius c)%Q)) (told rd (middle c) (terms_of c)).
Definition described (rd : reading) (cs : seq coordinate) : option box := all_some (spread rd) cs.

(** Which of these numbers are looked at, one after the other. *)
Record use := Use { of_value : bool; of_digits : bool; of_hops : seq bool }.
Fixpoint choices (sizes : seq nat) (used : seq bool) : seq (seq (option nat)) :=
  if sizes is N :: Ns then
    flatten [seq [seq c :: cs | cs <- choices Ns (behead used)] | c <- if head false used then map Some (iota 0 N) else [:: None]]
  else [:: [::]].
Definition read_off (v : option nat) (ws : option (seq nat)) (hops : seq (option nat)) : reading := fun x =>
  match x with Value => v | Digit l => omap (fun ds => nth 0 ds l) ws | Hop l => nth None hops l end.

Section Task.
Variables (md : given) (known : Q -> option Z) (m : nat) (ns : seq nat).
Definition prompt_length : nat := (sumn (sizes m ns)).+2.
(** Sizes of the hops: i_0 and i_1 below m, i_ℓ below N_{ℓ-1}. *)
Definition hop_sizes : seq nat := m :: sizes m ns.
(** The values of the tokens, table L first; then z_0. *)
Definition value_sizes : seq nat := rcons (flatten [seq nseq N N | N <- rev (sizes m ns)]) m.
Definition readings (t : nat) (u : use) : seq reading :=
  flatten [seq flatten [seq [seq read_off v ws hs | hs <- choices hop_sizes (of_hops u)]
      | ws <- if of_digits u then map Some (all_queries ns) else [:: None]]
    | v <- if of_value u && (t < prompt_length.-1) then map Some (iota 0 (nth 0 value_sizes t)) else [:: None]].
Definition id_at (t : nat) (rd : reading) : option nat :=
  if t < prompt_length.-2 then rd Value
  else if t < prompt_length.-1 then rd (Hop 0)
  else omap (fun ws => last_size m ns + query_number ns ws) (all_some (fun l => rd (Digit l)) (iota 0 (size ns))).
(** Where the input says what stands: at z_0's position i_0; in table ℓ, at its address, i_ℓ. *)
Definition place_of (rd : reading) (l : nat) : option (nat * nat) :=
  if l is l'.+1 then
    obind (fun i => obind (fun v =>
      let start := sumn (drop l (sizes m ns)) in
      if l' is l''.+1 then omap (fun d => (start + (d * nth 0 (sizes m ns) l'' + i), v)) (rd (Digit l'')) else Some (start + i, v))
      (rd (Hop l))) (rd (Hop l'))
  else omap (fun v => (prompt_length.-2, v)) (rd (Hop 0)).
Definition with_value (rd : reading) (v : nat) : reading := fun x => if x is Value then Some v else rd x.

(** * 4. One layer *)
Definition bound : Q := power_of_two (number_bits md - places md).
Definition grain : Q := Qred (1 / power_of_two (places md))%Q.
Definition stage := seq (seq coordinate).      (* position by position *)
Definition box_at (st : stage) (t : nat) (rd : reading) : option box := described rd (nth [::] st t).

(** Keys of all positions, and the hull of all values. *)
Record view := View { keys_seen : seq row; hull : box }.
Definition lows (b : box) : row := map fst b.
(** q·k of a query in a box. *)
Definition query_box (W : seq row) (b : box) : box := [seq range r b | r <- W].
(** The weights of the first positions, if all are known. *)
Definition exponent_of (shift : Q) (q k : row) : Q := Qred (shift - inner q k)%Q.
Definition weights_of (shift : Q) (q : row) (keys : seq row) : option (seq Z) := all_some (fun k => known (exponent_of shift q k)) keys.
(** With e of the weight at values in i, and the rest at values in h. *)
Definition mixture (e total : Q) (i h : interval) : interval :=
  (Qred ((e * i.1 + (total - e) * h.1) / total - grain)%Q, Qred ((e * i.2 + (total - e) * h.2) / total + grain)%Q).
Definition between (h : interval) : interval := (Qred (lesser 0%Q h.1 - grain)%Q, greater 0%Q h.2).
Definition meet (i j : interval) : interval := (greater i.1 j.1, lesser i.2 j.2).
(** What a place says: the values of the stream there, if its box is known. *)
Definition look_up (st : stage) (W_V : seq row) (w : view) (es : seq Z) (rd : reading) (p : nat * nat) : option box :=
  if p.1 < size es then
    obind (fun b =>
      let total := inject_Z (foldr Z.add 0%Z es) in let e := inject_Z (nth 0%Z es p.1) in
      if Qle_bool total 0%Q then None
      else Some [seq mixture e total (range r.1 b) r.2 | r <- zip W_V (hull w)]) (box_at st p.1 (with_value rd p.2))
  else None.
Definition narrowed (b : box) (found : option box) : box := if found is Some c then [seq meet p.1 p.2 | p <- zip b c] else b.
Definition heard_at (st : stage) (h : given_head) (w : view) (t : nat) (rd : reading) (b : box) : option box :=
  match h with
  | Softmax W_Q W_K W_V W_O shift =>
      let q := query_box W_Q b in let vs := [seq range r b | r <- W_V] in let keys := take t.+1 (keys_seen w) in
      let wide := [seq between i | i <- hull w] in
      if [&& all (at_most_size bound) q, all (fun k => Qle_bool (range k q).2 shift) keys, size keys == t.+1, size vs == size (hull w),
             all2 within vs (hull w), all (at_most_size bound) (hull w) & all (fun k => size k == size W_Q) keys]
         && all2 (fun r a => let i := range r b in Qle_bool a i.1 && Qle_bool i.2 a) W_K (nth [::] (keys_seen w) t)
         && all (fun a => Qle_bool (Qabs a) bound) (nth [::] (keys_seen w) t)
      then
        Some (if all one_number q then
          if weights_of shift (lows q) keys is Some es then
            foldr (fun l found => narrowed found (obind (look_up st W_V w es rd) (place_of rd l))) wide (iota 0 (size ns).+2)
          else wide
        else wide)
      else None
  | _ => None
  end.
(** The rows of the stream after the heads, over the stream before them and what they say. *)
Definition unit_row (d r : nat) : row := mkseq (fun c => if c == r then 1%Q else 0%Q) d.
Definition rows_after (d : nat) (hs : seq given_head) : seq row :=
  mkseq (fun r => unit_row d r ++ flatten [seq nth [::] (out_rows h) r | h <- hs]) d.
(** A coordinate after the MLP: the row, and ReLUs with their weights, those of weight 0 left out, gathered by their unknown. *)
Definition unit_of := (Q * option (nat * Q))%type.
Definition weighted_units (units : seq unit_of) (outer : row) : seq (unit_of * Q) := [seq p <- zip units outer | ~~ Qeq_bool p.2 0%Q].
Definition gathered (zs : seq (unit_of * Q)) (i : nat) : seq bent :=
  pmap (fun p : unit_of * Q => if p.1.2 is Some (k, c) then if k == i then Some (p.2, (p.1.1, c)) else None else None) zs.
Definition constant_units (zs : seq (unit_of * Q)) : Q :=
  foldr (fun (p : unit_of * Q) sum => if p.1.2 is Some _ then sum else Qred (p.2 * positive p.1.1 + sum)%Q) 0%Q zs.
Definition coordinate_range (r : row) (b : box) (units : seq unit_of) (outer : row) (bias : Q) : option interval :=
  let zs := weighted_units units outer in
  foldr (fun p sum => obind (fun s => omap (sum_of s) (bent_range p.2.1 (gathered zs p.1) p.2.2)) sum)
    (let c := Qred (constant_units zs + bias)%Q in Some (c, c))
    (zip (iota 0 (size b)) (zip r b)).
(** Σ c_i·(row i), without the terms that are 0. *)
Definition combination (cs : row) (rows : seq row) (d : nat) : row :=
  foldr (fun p sum => if Qeq_bool p.1 0%Q then sum else add_rows (times_row p.1 p.2) sum) (nseq d 0%Q) (zip cs rows).
Definition unit_ok (b : box) (u : Q * option (nat * Q)) : bool :=
  match u.2 with
  | Some (i, c) => at_most_size bound (sum_of (u.1, u.1) (multiple c (nth (0%Q, 0%Q) b i)))
  | None => at_most_size bound (u.1, u.1)
  end.
Definition finished (d : nat) (rows : seq row) (b : box) (ms : seq perceptron) : option box :=
  if all (fun r => at_most_size bound (range r b)) rows then
    match ms with
    | [::] => Some [seq range r b | r <- rows]
    | [:: p] =>
        if all_some (fun k => omap (fun u : Q * option (nat * Q) => (Qred (u.1 + k.2)%Q, u.2)) (single (combination k.1 rows (size b)) b))
             (zip (hidden_rows p) (hidden_bias p)) is Some units then
          if [&& all (unit_ok b) units, size (hidden_bias p) == size (hidden_rows p), size (outer_rows p) == d, size (outer_bias p) == d
               & all (fun r => size r == size units) (outer_rows p)] then
            all_some (fun k => coordinate_range k.1 b units k.2.1 k.2.2) (zip rows (zip (outer_rows p) (outer_bias p)))
          else None
        else None
    | _ => None
    end
  else None.
(** All heads and the MLP, at a position where these numbers stand. *)
Definition shaped (d : nat) (h : given_head) : bool :=
  match h with
  | Softmax W_Q W_K W_V W_O _ => [&& size W_K == size W_Q, size W_O == d & all (fun r => size r == size W_V) W_O]
  | _ => false
  end.
Definition step_at (d : nat) (st next : stage) (l : seq given_head * seq perceptron) (views : seq view) (t : nat) (rd : reading) : bool :=
  match box_at st t rd, box_at next t rd with
  | Some b, Some c =>
      if all_some (fun p : given_head * view => heard_at st p.1 p.2 t rd b) (zip l.1 views) is Some said then
        let u := b ++ flatten said in
        if finished d (rows_after d l.1) u l.2 is Some r then
          [&& size b == d, size c == d, all2 within r c & all (at_most_size bound) r]
        else false
      else false
  | _, _ => false
  end.

(** * 5. All layers, and the answer *)
Definition first_box (st : stage) (us : seq use) (t : nat) : box :=
  if readings t (nth (Use false false [::]) us t) is rd :: _ then odflt [::] (box_at st t rd) else [::].
Definition joined (b c : box) : box := [seq (lesser p.1.1 p.2.1, greater p.1.2 p.2.2) | p <- zip b c].
Definition view_of (st : stage) (us : seq use) (h : given_head) : view :=
  match h with
  | Softmax _ W_K W_V _ _ =>
      let values t rd := [seq range r (odflt [::] (box_at st t rd)) | r <- W_V] in
      let all_boxes := flatten (mkseq (fun t => map (values t) (readings t (nth (Use false false [::]) us t))) prompt_length) in
      View (mkseq (fun t => let b := first_box st us t in [seq (range r b).1 | r <- W_K]) prompt_length)
           (foldr joined (head [::] all_boxes) all_boxes)
  | _ => View [::] [::]
  end.
Definition layer_ok (d : nat) (st next : stage) (us : seq use) (l : seq given_head * seq perceptron) : bool :=
  let views := [seq view_of st us h | h <- l.1] in
  all (shaped d) l.1 &&
  all (fun t => all (step_at d st next l views t) (readings t (nth (Use false false [::]) us t))) (iota 0 prompt_length).
Fixpoint layers_ok (d : nat) (st : stage) (ls : seq (seq given_head * seq perceptron)) (rest : seq (seq use * stage)) : option stage :=
  match ls, rest with
  | [::], [::] => Some st
  | l :: ls', (us, next) :: rest' => if layer_ok d st next us l then layers_ok d next ls' rest' else None
  | _, _ => None
  end.
(** The embedding. *)
Definition embedded_ok (d : nat) (st : stage) (us : seq use) : bool :=
  all (fun t => all (fun rd =>
      match id_at t rd, box_at st t rd with
      | Some id, Some b =>
          let p := nth [::] (of_position md) t in let a := nth [::] (of_id md) id in
          [&& size p == d, size a == d, size b == d, small md (add_rows p a) & all2 (fun x i => Qle_bool i.1 x && Qle_bool x i.2) (add_rows p a) b]
      | _, _ => false
      end) (readings t (nth (Use false false [::]) us t))) (iota 0 prompt_length).
(** The right logit is above all others by the margin. *)
Definition answer_ok (d : nat) (st : stage) (us : seq use) (margin : Q) : bool :=
  let t := prompt_length.-1 in
  all (fun rd =>
    match rd (Hop (size ns).+1), box_at st t rd with
    | Some said, Some b =>
        let n := size (of_answer md) in
        [&& said < n, 1 < n, size b == d
          & all (fun a => (a == said) || Qle_bool margin
              (range (add_rows (nth [::] (of_answer md) said) (times_row (-1)%Q (nth [::] (of_answer md) a))) b).1) (iota 0 n)]
        && all (fun r => size r == d) (of_answer md)
    | _, _ => false
    end) (readings t (nth (Use false false [::]) us t)).

(** What goes with a construction: what is looked at for the embedding, and the stage before the first layer; for each layer what is looked
    at, and the stage after it; what is looked at for the answer. *)
Record plan := Plan { at_first : seq use * stage; after_each : seq (seq use * stage); at_answer : seq use }.
Definition answers_all (pl : plan) (margin : Q) : bool :=
  let d := size (head [::] (of_position md)) in
  [&& ~~ both_ways md, ~~ Qle_bool margin 0%Q, embedded_ok d (at_first pl).2 (at_first pl).1
    & if layers_ok d (at_first pl).2 (given_layers md) (after_each pl) is Some st then answer_ok d st (at_answer pl) margin else false].
End Task.
