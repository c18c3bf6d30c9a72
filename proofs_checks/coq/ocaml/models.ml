(* A model file becomes a model of Runs.v, and the kinds that are run, pair, wrong and exhaustive, become claims. *)

open Json
open Numbers
module N = Checker.N

let most_cells = 1 lsl 18
let most_tokens = 256
let most_inputs = 1024.

type task = Composition of int * int list | Two_sum of int * int

let read_task value =
  match member "task" value with
  | Some name when is "funccomp" name && member "thoughts" value = None -> (
      match fields [ "task"; "m"; "n" ] value with
      | [ _; m; n ] -> Composition (small 1 m, List.map (small 1) (listed n))
      | _ -> assert false)
  | Some name when is "two_sum" name -> (
      match fields [ "task"; "length"; "modulus" ] value with
      | [ _; length; modulus ] ->
          let modulus = small 3 modulus in
          if modulus mod 2 = 0 then bad "an even modulus";
          Two_sum (small 1 length, modulus)
      | _ -> assert false)
  | Some name when List.exists (fun known -> is known name) [ "funccomp"; "look_ups"; "program" ] -> decline "another task is run"
  | _ -> bad "unknown task"

(* N_0, …, N_{L-1} *)
let sizes m ns = List.rev (List.fold_left (fun all n -> (List.hd all * n) :: all) [ m ] ns)
let limit ok what = if not ok then decline what

(* The tokens of a prompt, the ids and the answers. *)
let heights = function
  | Composition (m, ns) ->
      limit (List.fold_left (fun p n -> p *. float n) (float m) ns < float most_cells) "more than 2^18 numbers";
      let all = sizes m ns in
      let answers = List.nth all (List.length ns) in
      (List.fold_left ( + ) 2 all, answers + List.fold_left ( * ) 1 ns, answers)
  | Two_sum (length, modulus) -> (length, modulus, 2)

(* Dense rows of a matrix; -1: any number. *)
let matrix rows columns value =
  match fields [ "shape"; "entries" ] value with
  | [ shape; entries ] ->
      let height, width =
        match listed shape with
        | [ height; width ] ->
            let side value =
              limit (N.leb (integer 0 value) (of_int most_cells)) "more than 2^18 numbers";
              as_int (integer 0 value)
            in
            (side height, side width)
        | _ -> bad "not a shape"
      in
      if (rows >= 0 && height <> rows) || (columns >= 0 && width <> columns) then bad "another shape";
      limit (height * width <= most_cells) "more than 2^18 numbers";
      let cells = Array.make_matrix height width None in
      let place most value =
        let number = integer 0 value in
        if most = 0 || not (N.leb number (of_int (most - 1))) then bad "an entry outside the shape";
        as_int number
      in
      List.iter
        (fun entry ->
          match listed entry with
          | [ row; column; number ] ->
              let row = place height row and column = place width column in
              if cells.(row).(column) <> None then bad "an entry twice";
              cells.(row).(column) <- Some (rational number)
          | _ -> bad "not an entry")
        (listed entries);
      (height, Array.to_list (Array.map (fun row -> Array.to_list (Array.map (Option.value ~default:zero) row)) cells))
  | _ -> assert false

let rows_of rows columns value = snd (matrix rows columns value)
let column rows value = List.map List.hd (rows_of rows 1 value)

(* --- row tables --- *)

let bit_count radix =
  let rec count bits = if 1 lsl bits >= radix then bits else count (bits + 1) in
  count 0

(* Bits as ±1, the least significant first. *)
let bits_of count digit = List.init count (fun j -> if (digit lsr j) land 1 = 1 then unit else ratio true one one)

let segment width value =
  let mirrored = member "mirror" value <> None in
  match fields ([ "start"; "radices"; "matrix" ] @ if mirrored then [ "mirror" ] else []) value with
  | start :: radices :: body :: more ->
      let start = small 0 start and radices = List.map (small 1) (listed radices) in
      let modulus = match more with [ value ] -> small 3 value | _ -> 0 in
      if mirrored && (modulus mod 2 = 0 || radices <> [ modulus ]) then bad "not a mirror";
      limit (List.fold_left (fun p r -> p *. float r) 1. radices <= float most_small) "too many rows";
      let count = List.fold_left ( * ) 1 radices in
      let bits = List.fold_left (fun sum r -> sum + bit_count r) 0 radices in
      let body = rows_of width (1 + if mirrored then 2 * bits else bits) body in
      let row x =
        let _, coordinates =
          List.fold_left
            (fun (rest, found) radix -> (rest / radix, bits_of (bit_count radix) (rest mod radix) @ found))
            (x, []) (List.rev radices)
        in
        let coordinates = if mirrored then coordinates @ bits_of bits (modulus - x) else coordinates in
        Checker.image body (unit :: coordinates)
      in
      (start, List.init count row)
  | _ -> assert false

let row_table height width value =
  let rows =
    match member "stored" value with
    | Some stored ->
        ignore (fields [ "stored" ] value);
        rows_of (-1) width stored
    | None ->
        let segments = List.map (segment width) (listed (List.hd (fields [ "declared" ] value))) in
        let sorted = List.stable_sort (fun (a, _) (b, _) -> compare a b) segments in
        List.fold_left
          (fun rows (start, more) -> if List.length rows <> start then bad "a gap or an overlap" else rows @ more)
          [] sorted
  in
  if List.length rows < height then bad "too few rows";
  rows

(* --- layers --- *)

let truth = function Bool value -> value | _ -> bad "neither true nor false"

(* The letter and the head. *)
let read_head width value =
  let kind = Option.value ~default:Null (member "type" value) in
  let keys names = List.tl (fields ("type" :: names) value) in
  let tall body = matrix (-1) width body in
  if is "full" kind then
    match keys [ "W_Q"; "W_K"; "W_V"; "W_O"; "shift" ] with
    | [ q; k; v; o; shift ] ->
        let d_k, q = tall q and d_v, v = tall v in
        ("F", Checker.Softmax (q, rows_of d_k width k, v, rows_of width d_v o, rational shift))
    | _ -> assert false
  else if is "sparse" kind then
    match keys [ "W_Q"; "W_K"; "W_V"; "C_K"; "C_V"; "W_O"; "shift"; "block"; "opened" ] with
    | [ q; k; v; c_k; c_v; o; shift; block; opened ] ->
        let d_k, q = tall q and d_v, v = tall v and block = small 1 block in
        let c_k = rows_of d_k (block * d_k) c_k and c_v = rows_of d_v (block * d_v) c_v in
        ( "S",
          Checker.Blockwise
            (q, rows_of d_k width k, v, c_k, c_v, rows_of width d_v o, rational shift, nat block, nat (small 0 opened)) )
    | _ -> assert false
  else if is "linear" kind then
    match keys [ "W_Q"; "b_Q"; "W_K"; "b_K"; "W_V"; "W_O"; "normalised" ] with
    | [ q; b_q; k; b_k; v; o; normalised ] ->
        let d_k, q = tall q and d_v, v = tall v in
        limit (d_k * d_v <= most_small) "a state of more than 4096 numbers";
        ( "R",
          Checker.Linear (q, column d_k b_q, rows_of d_k width k, column d_k b_k, v, rows_of width d_v o, truth normalised) )
    | _ -> assert false
  else if is "delta" kind then
    match keys [ "W_Q"; "W_K"; "W_V"; "W_A"; "b_A"; "W_B"; "b_B"; "W_O" ] with
    | [ q; k; v; a; b_a; b; b_b; o ] ->
        let d_k, q = tall q and d_v, v = tall v in
        limit (d_k * d_v <= most_small) "a state of more than 4096 numbers";
        ( "R",
          Checker.Delta
            (q, rows_of d_k width k, v, rows_of 1 width a, column 1 b_a, rows_of 1 width b, column 1 b_b, rows_of width d_v o) )
    | _ -> assert false
  else if is "product" kind then decline "a product head"
  else bad "unknown type of head"

let read_mlp width value =
  match fields [ "W_1"; "b_1"; "W_2"; "b_2" ] value with
  | [ inner; b_1; outer; b_2 ] ->
      let hidden, hidden_rows = matrix (-1) width inner in
      let hidden_bias = column hidden b_1 and outer_rows = rows_of width hidden outer in
      { Checker.hidden_rows; hidden_bias; outer_rows; outer_bias = column width b_2 }
  | _ -> assert false

let read_layer width value =
  match fields [ "heads"; "mlps" ] value with
  | [ heads; mlps ] ->
      let letters, heads = List.split (List.map (read_head width) (listed heads)) in
      (String.concat "" (List.sort_uniq compare letters), (heads, List.map (read_mlp width) (listed mlps)))
  | _ -> assert false

type model = { task : task; word : string; both : bool; given : Checker.given; p_bits : int * int; rows : int * int * int }

let model_keys = [ "schema"; "task"; "attention"; "precision"; "slots"; "positions"; "tokens"; "unembedding"; "layers" ]

let read_model value =
  match fields model_keys value with
  | [ schema; task; attention; precision; slots; positions; tokens; unembedding; layers ] ->
      if not (is "separation.model/1" schema) then bad "unknown schema of the model";
      let both = is "both" attention in
      if not (both || is "causal" attention) then bad "attention is neither causal nor both";
      let task = read_task task in
      if both && (match task with Two_sum _ -> true | _ -> false) then bad "2-Sum is causal";
      let weights, numbers, places =
        match List.map (small 0) (fields [ "P"; "p"; "fraction" ] precision) with [ a; b; c ] -> (a, b, c) | _ -> assert false
      in
      if places > numbers then bad "fraction is larger than p";
      let slot value =
        match fields [ "name"; "width" ] value with
        | [ name; width ] ->
            short_string name;
            limit (N.leb (integer 0 width) (of_int most_small)) "more than 4096 coordinates";
            (name, small 0 width)
        | _ -> assert false
      in
      let slots = List.map slot (listed slots) in
      let names = List.map fst slots in
      if List.length (List.sort_uniq compare names) < List.length names then bad "a slot twice";
      let width = List.fold_left (fun sum (_, width) -> sum + width) 0 slots in
      let length, ids, answers = heights task in
      let of_position = row_table length width positions in
      let of_id = row_table ids width tokens in
      let of_answer = row_table answers width unembedding in
      limit (List.length (listed layers) <= most_tokens) "too many layers";
      let letters, given_layers = List.split (List.map (read_layer width) (listed layers)) in
      let word = String.concat "" (List.map (fun l -> if String.length l < 2 then l else "[" ^ l ^ "]") letters) in
      if both && String.exists (( <> ) 'F') word then bad "attention both ways is for full attention";
      limit (length <= most_tokens) "too many tokens";
      { task; word; both; p_bits = (weights, numbers);
        rows = (List.length of_position, List.length of_id, List.length of_answer);
        given =
          { Checker.weight_bits = nat weights; number_bits = nat numbers; places = nat places; both_ways = both; of_position; of_id;
            of_answer; given_layers } }
  | _ -> assert false

(* --- questions --- *)

let spelled value = match value with String points -> points | _ -> bad "not a string"

(* An integer below a limit: as many values as there are. *)
let below most value =
  let number = integer 0 value in
  if most = 0 || not (N.leb number (of_int (most - 1))) then bad "an integer out of range";
  small 0 value

let from_ids task ids =
  match task with
  | Two_sum (length, modulus) ->
      if List.length ids <> length || List.exists (fun x -> x < 1 || x >= modulus) ids then bad "not an input";
      Checker.Summing (nat modulus, List.map nat ids)
  | Composition (m, ns) ->
      let length, all, last = heights task in
      if List.length ids <> length then bad "not an input";
      let cut size rest = (List.filteri (fun i _ -> i < size) rest, List.filteri (fun i _ -> i >= size) rest) in
      let tables, rest =
        List.fold_left
          (fun (tables, rest) size ->
            let table, rest = cut size rest in
            if List.exists (fun v -> v >= size) table then bad "not an input";
            (table :: tables, rest))
          ([], ids) (List.rev (sizes m ns))
      in
      (match rest with
      | [ z0; w ] ->
          if z0 >= m || w < last || w >= all then bad "not an input";
          let _, digits = List.fold_left (fun (rest, found) n -> (rest / n, (rest mod n) :: found)) (w - last, []) (List.rev ns) in
          Checker.Composition (nat m, List.map nat ns, nat z0, List.map (List.map nat) tables, List.map nat digits)
      | _ -> assert false)

let read_input task value =
  match task with
  | Two_sum (length, modulus) -> (
      match fields [ "task"; "modulus"; "x" ] value with
      | [ name; m; x ] ->
          if not (is "two_sum" name && small 0 m = modulus && List.length (listed x) = length) then bad "an input of another task";
          Checker.Summing (nat modulus, List.map (fun v -> if small 0 v = 0 then bad "not an input" else nat (below modulus v)) (listed x))
      | _ -> assert false)
  | Composition (m, ns) -> (
      match fields [ "task"; "m"; "n"; "z0"; "tables"; "w" ] value with
      | [ name; m'; n'; z0; tables; w ] ->
          if not (is "funccomp" name && small 0 m' = m && List.map (small 0) (listed n') = ns) then bad "an input of another task";
          let all = sizes m ns in
          let table size value =
            let entries = listed value in
            if List.length entries <> size then bad "not an input";
            List.map (fun v -> nat (below size v)) entries
          in
          if List.length (listed tables) <> List.length all || List.length (listed w) <> List.length ns then bad "not an input";
          Checker.Composition
            ( nat m, List.map nat ns, nat (below m z0), List.map2 table all (listed tables),
              List.map2 (fun n v -> nat (below n v)) ns (listed w) )
      | _ -> assert false)

let word_is model value =
  short_string (match value with String points when List.length points <= 2000 -> String (List.filteri (fun i _ -> i < 200) points) | other -> other);
  spelled value = codes model.word

(* --- claims --- *)

let read_pair claim body =
  match fields [ "word"; "differ"; "a"; "b"; "expected_a"; "expected_b"; "output_a"; "output_b"; "transcript" ] claim with
  | [ word; ends; a; b; right_a; right_b; said_a; said_b; transcript ] ->
      let model = read_model body in
      let start, stop = match List.map (small 0) (listed ends) with [ s; e ] -> (s, e) | _ -> bad "not two ends" in
      let said = List.map (small 0) (listed said_a) and said_too = List.map (small 0) (listed said_b) in
      let told value =
        match fields [ "layer"; "head"; "numbers" ] value with
        | [ layer; head; numbers ] -> ((nat (small 0 layer), nat (small 0 head)), List.map rational (listed numbers))
        | _ -> assert false
      in
      let transcript = List.map told (listed transcript) in
      let a = read_input model.task a and b = read_input model.task b in
      let tokens, _, _ = heights model.task and positions, ids, answers = model.rows in
      let outputs = List.length said in
      if outputs < 1 || outputs > 256 || start >= stop || stop >= tokens then bad "no output, or the ends are wrong";
      let same_word = word_is model word in
      let plain = String.for_all (String.contains "FR[]") model.word in
      let sparse = model.word = "S" && List.length model.given.Checker.given_layers = 1 && outputs = 1 in
      let right_a = small 0 right_a and right_b = small 0 right_b in
      let claim = Checker.Fools (model.given, a, b, nat start, nat stop, nat right_a, nat right_b, List.map nat said, transcript) in
      if not same_word then refuse "another word";
      if not (plain || sparse) || model.both then bad "pairs are of causal F and R layers, or of one S layer";
      if tokens + outputs - 1 > positions then bad "more tokens than positions";
      if outputs > 1 && answers > ids then bad "the model can say what it cannot read";
      if said <> said_too then refuse "the outputs differ";
      Some claim
  | _ -> assert false

(* The task, word, attention and bits of the model are the claimed ones. *)
let same_shape model task word attention bits =
  if not (is "causal" attention || is "both" attention) then bad "attention is neither causal nor both";
  let bits = match List.map (small 0) (fields [ "P"; "p" ] bits) with [ a; b ] -> (a, b) | _ -> assert false in
  let same = word_is model word in
  if read_task task <> model.task || not same || is "both" attention <> model.both || bits <> model.p_bits then refuse "the model has another shape"

let read_wrong claim body =
  match fields [ "task"; "word"; "attention"; "precision_bits"; "input"; "place"; "said"; "right" ] claim with
  | [ task; word; attention; bits; input; place; said; right ] ->
      let model = read_model body in
      let ids = List.map (small 0) (listed input) in
      let place = small 0 place and said = small 0 said and right = small 0 right in
      same_shape model task word attention bits;
      Some (Checker.SaysWrongly (model.given, from_ids model.task ids, nat place, nat said, nat right))
  | _ -> assert false

let read_exhaustive claim body =
  match fields [ "task"; "word"; "attention"; "precision_bits"; "inputs"; "answers"; "right"; "margin" ] claim with
  | [ task; word; attention; bits; inputs; answers; right; margin ] ->
      let model = read_model body in
      let inputs = small 0 inputs and answers = small 0 answers and right = small 0 right in
      let margin = if margin = Null then None else Some (rational margin) in
      same_shape model task word attention bits;
      let all, composition, modulus, length =
        match model.task with
        | Two_sum (length, modulus) -> (float (modulus - 1) ** float length, None, modulus, length)
        | Composition (m, ns) ->
            let tables = List.fold_left (fun p size -> p *. (float size ** float size)) 1. (sizes m ns) in
            (List.fold_left (fun p n -> p *. float n) (float m *. tables) ns, Some (nat m, List.map nat ns), 0, 0)
      in
      limit (all <= most_inputs) "more than 1024 inputs";
      Some (Checker.Tallied (model.given, composition, nat modulus, nat length, nat inputs, nat answers, nat right, margin))
  | _ -> assert false
