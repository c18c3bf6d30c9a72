(* A document becomes a claim of Claims.v. Malformed and Declined are exit status 2: the proved program is not asked. *)

open Json
module N = Checker.N

exception Declined of string

let decline what = raise (Declined what)
let most_digits = 4000
let most_exponent_bits = 1024
let most_powers = 64
let most_bits = 20_000  (* of a product that is multiplied out *)
let most_terms = 4096

(* --- fields --- *)

let fields keys = function
  | Object members when List.length members = List.length keys ->
      List.map
        (fun key -> match List.assoc_opt (codes key) members with Some found -> found | None -> bad ("no key " ^ key))
        keys
  | _ -> bad ("not an object with the keys " ^ String.concat " " keys)

let member key = function Object members -> List.assoc_opt (codes key) members | _ -> None
let is text = function String points -> points = codes text | _ -> false
let listed = function List items -> items | _ -> bad "not a list"

(* Characters that no string has. *)
let hidden =
  [ (0x0, 0x1f); (0x7f, 0xa0); (0xad, 0xad); (0x600, 0x605); (0x61c, 0x61c); (0x6dd, 0x6dd); (0x70f, 0x70f);
    (0x890, 0x891); (0x8e2, 0x8e2); (0x1680, 0x1680); (0x180e, 0x180e); (0x2000, 0x200f); (0x2028, 0x202f);
    (0x205f, 0x206f); (0x3000, 0x3000); (0xd800, 0xf8ff); (0xfdd0, 0xfdef); (0xfeff, 0xfeff); (0xfff9, 0xfffb);
    (0xfffe, 0xffff); (0x110bd, 0x110bd); (0x110cd, 0x110cd); (0x13430, 0x1343f); (0x1bca0, 0x1bca3);
    (0x1d173, 0x1d17a); (0x1fffe, 0x1ffff); (0x2fffe, 0x2ffff); (0x3fffe, 0xe007f); (0xefffe, 0x10ffff) ]

let short_string = function
  | String points when List.length points <= 200 ->
      let is_hidden point = List.exists (fun (first, last) -> first <= point && point <= last) hidden in
      if List.exists is_hidden points then bad "not a short string"
  | _ -> bad "not a short string"

(* --- numbers --- *)

let base = 1_000_000_000

(* Decimal digits nine by nine, the last ones first. *)
let limbs_of digits =
  let count = String.length digits in
  Array.init ((count + 8) / 9) (fun place ->
      let ends = count - (9 * place) in
      let begins = max 0 (ends - 9) in
      int_of_string ("0u" ^ String.sub digits begins (ends - begins)))

(* Decimal digits to Coq's binary numbers: halved again and again, the bits from the lowest on. *)
let of_decimal digits =
  let limbs = limbs_of digits in
  let top = ref (Array.length limbs - 1) and bits = ref [] in
  let strip () = while !top >= 0 && limbs.(!top) = 0 do decr top done in
  strip ();
  while !top >= 0 do
    let rest = ref 0 in
    for place = !top downto 0 do
      let here = limbs.(place) + (!rest * base) in
      limbs.(place) <- here / 2;
      rest := here land 1
    done;
    bits := (!rest = 1) :: !bits;
    strip ()
  done;
  List.fold_left (fun number bit -> if bit then N.succ_double number else N.double number) Checker.N0 !bits

let of_int number = of_decimal (string_of_int number)
let two_53 = of_decimal "9007199254740992"
let one = of_int 1

(* The bits of a number, or max_int. *)
let bits number =
  let rec count found = function
    | Checker.XH -> found + 1
    | Checker.XO rest | Checker.XI rest -> count (found + 1) rest
  in
  match number with Checker.N0 -> 0 | Checker.Npos positive -> count 0 positive

(* The digits of top/bottom, one for each of top's, if it is whole; bottom is not 0. *)
let whole_quotient top bottom =
  let divisor = Array.append (limbs_of bottom) [| 0 |] in
  let places = Array.length divisor in
  let rest = Array.make places 0 in
  let rec enough place = place < 0 || rest.(place) > divisor.(place) || (rest.(place) = divisor.(place) && enough (place - 1)) in
  let append digit =
    let carry = ref digit in
    for place = 0 to places - 1 do
      let here = (rest.(place) * 10) + !carry in
      rest.(place) <- here mod base;
      carry := here / base
    done
  in
  let subtract () =
    let borrow = ref 0 in
    for place = 0 to places - 1 do
      let here = rest.(place) - divisor.(place) - !borrow in
      borrow := if here < 0 then 1 else 0;
      rest.(place) <- here + (!borrow * base)
    done
  in
  let digit character =
    append (Char.code character - 48);
    let times = ref 0 in
    while enough (places - 1) do subtract (); incr times done;
    Char.chr (48 + !times)
  in
  let quotient = String.map digit top in
  if Array.for_all (( = ) 0) rest then quotient else bad "not an integer"

let all_digits text = text <> "" && String.for_all (fun c -> c >= '0' && c <= '9') text

(* An integer of at least `least`; it is a string if and only if it is beyond 2^53. *)
let integer least value =
  let number =
    match value with
    | Digits "-0" -> Checker.N0
    | Digits text when all_digits text ->
        if String.length text > 16 then bad "an integer beyond 2^53 is not a string";
        let number = of_decimal text in
        if N.leb number two_53 then number else bad "an integer beyond 2^53 is not a string"
    | String points when List.length points > (2 * most_digits) + 1 -> decline (Printf.sprintf "more than %d digits" most_digits)
    | String points ->
        let text = String.concat "" (List.map (fun p -> if p < 128 then String.make 1 (Char.chr p) else "?") points) in
        let parts = String.split_on_char '/' text in
        if List.length parts > 2 || not (List.for_all all_digits parts) then bad "not an integer";
        if List.exists (fun part -> String.length part > most_digits) parts then
          decline (Printf.sprintf "more than %d digits" most_digits);
        let digits =
          match parts with
          | [ top; bottom ] ->
              if String.for_all (( = ) '0') bottom then bad "a denominator of 0";
              whole_quotient top bottom
          | _ -> text
        in
        let number = of_decimal digits in
        if N.leb number two_53 then bad "a string for an integer up to 2^53" else number
    | _ -> bad "not an integer"
  in
  if N.leb (of_int least) number then number else bad "an integer out of range"

(* An integer or a product of powers, as the pairs of Claims.v. *)
let large least value =
  match value with
  | Object _ ->
      let pairs = listed (List.hd (fields [ "powers" ] value)) in
      let pair value =
        match listed value with
        | [ base; exponent ] -> (integer 1 base, integer 0 exponent)
        | _ -> bad "not a pair"
      in
      let powers = List.map pair pairs in
      if List.length powers > most_powers || List.exists (fun (_, e) -> bits e > most_exponent_bits) powers then
        decline "too many powers, or an exponent is too long";
      let above_one = List.exists (fun (base, e) -> bits base > 1 && bits e > 0) powers in
      if least > 1 && not above_one then bad "an integer out of range";
      powers
  | _ -> [ (integer least value, one) ]

let exact = function [ (number, power) ] when power = one -> number | _ -> bad "a product of powers, not an integer"

(* What is multiplied out has a limit. *)
let limit_product numbers =
  if List.fold_left (fun sum number -> sum + bits (exact number)) 0 numbers > most_bits then
    decline (Printf.sprintf "a product of more than %d bits" most_bits)

(* --- claims --- *)

let task_fields value =
  match fields [ "task"; "m"; "n" ] value with
  | [ name; m; n ] ->
      if not (is "funccomp" name) then bad "unknown task";
      (m, listed n)
  | _ -> assert false

let read_task task tokens =
  let m, ns = task_fields task in
  let m = large 2 m and ns = List.map (large 1) ns in
  let tokens =
    match tokens with
    | Null -> None
    | _ ->
        limit_product (m :: ns);
        Some (integer 0 tokens)
  in
  { Checker.task_m = m; task_ns = ns; task_tokens = tokens }

let read_heads = function
  | Null -> None
  | value -> (
      match List.map (integer 0) (fields [ "heads"; "dim"; "P"; "p" ] value) with
      | [ heads; dim; weights; activations ] -> Some (((heads, dim), weights), activations)
      | _ -> assert false)

let read_choice tables = function
  | value -> (
      match fields [ "x"; "reached"; "free_start" ] value with
      | [ x; reached; free ] ->
          let kept = List.map (large 1) (listed x) in
          let reached = match reached with Null -> None | _ -> Some (List.map (large 1) (listed reached)) in
          let free = match free with Bool free -> free | _ -> bad "free_start is neither true nor false" in
          if List.length kept <> tables then bad "not as many x as tables";
          if Option.fold ~none:false ~some:(fun list -> List.length list <> tables - 1) reached then
            bad "not the right number of reached values";
          { Checker.chosen_kept = kept; chosen_reached = reached; chosen_free = free }
      | _ -> assert false)

let bound_keys = [ "theorem"; "task"; "tokens"; "beta"; "lambda"; "message" ]

(* The task, the budget and the theorem; `count` is how many Λ_t there must be, if that is known, given the theorem and L. *)
let read_impossible values choice count =
  match values with
  | [ theorem; task; tokens; beta; linear; message ] ->
      let task = read_task task tokens in
      let tables = List.length task.Checker.task_ns + 1 in
      let letter =
        match List.find_opt (fun name -> is name theorem) [ "A"; "B"; "C" ] with
        | Some name -> name
        | None -> bad "unknown theorem"
      in
      let linear = List.map (large 0) (listed linear) in
      if Option.fold ~none:false ~some:(( <> ) (List.length linear)) (count letter tables) then
        bad "not the right number of linear bits";
      if letter = "C" && not (beta = Null && message = Null) then bad "Theorem C has neither a beta nor a message";
      let beta = if letter = "C" then Checker.N0 else integer 1 beta in
      let reason =
        match letter with
        | "A" -> Checker.ByA (read_choice tables choice)
        | "B" when tables > 1 -> Checker.ByB (read_choice tables choice)
        | _ ->
            if choice <> Null then bad "Theorem C has no choice, nor has B with one table";
            if letter = "B" then Checker.ByBOne else Checker.ByC
      in
      (task, { Checker.budget_beta = beta; budget_linear = linear; budget_heads = read_heads message }, reason)
  | _ -> assert false

(* --- sharper bounds --- *)

(* The fewest tables, whether there may be more, whether there are as many full layers as tables, and the first keys of the choice. *)
let sharper_forms =
  [ ("B", (1, false, true, [])); ("A2", (2, false, false, [ "Theta" ])); ("B2", (2, false, true, [ "x_0"; "v"; "Theta" ]));
    ("B2c", (2, false, true, [ "g"; "v" ]));
    ("A3", (3, false, false, [ "g"; "u"; "Theta_1"; "x_2"; "Theta_2" ]));
    ("A3.free", (3, false, false, [ "Theta_1"; "v"; "Theta_2" ])); ("A3c", (3, false, false, [ "g"; "v" ])); ("AL", (3, true, false, [ "g" ]));
    ("BL", (2, true, true, [ "x_0"; "x_1" ])) ]

(* How many Λ_t there must be, given the number of full layers of the theorem; it says which are malformed. *)
let read_sharper values tables_value choice count =
  match values with
  | [ theorem; task; tokens; beta; linear; message ] ->
      let tables = integer 1 tables_value in
      let name, (fewest, more, many, firsts) =
        match List.find_opt (fun (name, _) -> is name theorem) sharper_forms with Some found -> found | None -> bad "unknown theorem"
      in
      let task = read_task task tokens in
      let all = List.length task.Checker.task_ns + 1 in
      let tables = if N.leb tables (of_int all) then List.find (fun t -> of_int t = tables) (List.init all succ) else all + 1 in
      if not ((tables = fewest || (more && tables > fewest)) && tables <= all) then
        bad "the theorem does not apply to so many tables";
      let beta = integer 1 beta and heads = read_heads message in
      let full = if many then tables else tables - 1 in
      let linear = List.map (large 0) (listed linear) in
      if List.length linear <> count full then bad "not the right number of linear bits";
      let last = tables - 1 in
      let numbered letter first = List.init (max 0 (last - first + 1)) (fun i -> Printf.sprintf "%s_%d" letter (first + i)) in
      let rec nat k = if k = 0 then Checker.O else Checker.S (nat (k - 1)) in
      let budget = { Checker.budget_beta = beta; budget_linear = linear; budget_heads = heads } in
      let late = not (Checker.is_zero (Checker.enclosed (Checker.block_expression budget (nat full)))) in
      let firsts = if (name = "B2c" || name = "A3c") && late then firsts @ [ "omega"; "groups" ] else firsts in
      let keys = if more then firsts @ numbered "Theta" 1 @ numbered "x" 2 else firsts in
      let chosen =
        if name = "B" then (if choice <> Null then bad "Theorem B with one table has no choice"; [])
        else List.map (large 1) (fields keys choice)
      in
      let rec drop k list = if k = 0 then list else drop (k - 1) (List.tl list) in
      let levels rest =
        let thetas = drop 1 rest in
        List.init (last - 1) (fun i -> (List.nth rest (last + i), List.nth thetas i))
      in
      let sharper =
        match (name, chosen) with
        | "B", _ -> Checker.ByOne
        | "A2", [ theta ] -> Checker.ByA2 theta
        | "B2", [ x; v; theta ] -> Checker.ByB2 (x, v, theta)
        | "B2c", [ g; v ] -> Checker.ByB2c (g, v, [ (of_int 1, of_int 1) ], List.hd task.Checker.task_ns)
        | "B2c", [ g; v; omega; groups ] -> Checker.ByB2c (g, v, omega, groups)
        | "A3c", [ g; v ] -> Checker.ByA3c (g, v, [ (of_int 1, of_int 1) ], List.nth task.Checker.task_ns 1)
        | "A3c", [ g; v; omega; groups ] -> Checker.ByA3c (g, v, omega, groups)
        | "A3", [ g; u; theta_1; x; theta ] -> Checker.ByA3 (g, u, theta_1, x, theta)
        | "A3.free", [ theta_1; v; theta ] -> Checker.ByA3Free (theta_1, v, theta)
        | "AL", g :: rest -> Checker.ByAL (g, List.hd rest, levels rest)
        | "BL", x :: y :: rest -> Checker.ByBL (x, y, List.hd rest, levels rest)
        | _ -> assert false
      in
      (task, budget, Checker.BySharper (nat tables, sharper))
  | _ -> assert false

let read_sparse claim choice =
  match fields [ "theorem"; "modulus"; "block"; "open"; "blocks"; "summary_bits" ] claim with
  | [ _; modulus; block; opened; blocks; summary ] ->
      let modulus = integer 3 modulus and block = integer 1 block in
      let values = match modulus with Checker.Npos (Checker.XI half) -> Checker.Npos (Checker.XO half) | _ -> bad "an even modulus" in
      let claim = Checker.Sparse (values, block, integer 0 opened, integer 1 blocks, integer 0 summary) in
      if choice <> Null then bad "Theorem D has no choice";
      if not (N.leb block (of_int most_terms) || N.leb values (of_int most_terms)) || bits values > 64 then
        decline (Printf.sprintf "more than %d binomials, or long ones" most_terms);
      claim
  | _ -> assert false

let read_word value =
  List.map
    (fun layer -> if is "F" layer || is "FR" layer then true else if is "R" layer then false else bad "not a word of layers")
    (listed value)

(* Theorem A2_W *)
let window_keys = [ "theorem"; "task"; "tokens"; "beta"; "reaches"; "message"; "tables" ]
let speaks_of_windows claim = Option.fold ~none:false ~some:(is "A2W") (member "theorem" claim)

let read_windows values choice word =
  match values with
  | [ _; task; tokens; beta; reaches; message; tables ] -> (
      if choice <> Null || integer 1 tables <> of_int 2 then bad "Theorem A2W has no choice, and speaks of two tables";
      let task = read_task task tokens in
      if word = None && task.Checker.task_ns = [] then bad "the theorem does not apply to so many tables";
      let budget = { Checker.budget_beta = integer 1 beta; budget_linear = []; budget_heads = read_heads message } in
      match List.map (integer 0) (listed reaches) with
      | [ before; after ] -> Checker.WindowsCannot (word, task, budget, before, after)
      | _ -> bad "not two reaches")
  | _ -> assert false

(* A window of 2 to 10^9 tokens by its reach, or F. None: another letter, of which the theorem does not speak. *)
let window_letter = function
  | String (87 :: (first :: _ as points))
    when first <> 48 && List.length points <= 10 && List.for_all (fun p -> p >= 48 && p <= 57) points ->
      let tokens = List.fold_left (fun sum p -> (10 * sum) + p - 48) 0 points in
      if tokens < 2 || tokens > 1_000_000_000 then bad "not a word of layers";
      Some (Some (of_int (tokens - 1)))
  | layer when is "F" layer -> Some None
  | layer when is "R" layer || is "FR" layer -> None
  | _ -> bad "not a word of layers"

let full word = List.length (List.filter Fun.id word)

(* None: well formed, but no construction of this name, and no such word, is claimed here. *)
let read_solvable claim choice =
  if choice <> Null then bad "what is solvable has no choice";
  let stored = match member "construction" claim with Some value -> is "C3" value | None -> false in
  match fields ([ "layers"; "L"; "solvable"; "construction" ] @ if stored then [ "task"; "state_bits" ] else []) claim with
  | [ layers; tables; _; construction ] ->
      let word = read_word layers and tables = integer 1 tables in
      short_string construction;
      if is "C1" construction then Some (Checker.WordCan (word, tables, true))
      else if is "C2" construction then Some (Checker.WordCan (word, tables, false))
      else None
  | [ layers; tables; _; _; task; held ] ->
      let word = read_word layers and tables = integer 1 tables in
      let m, ns = task_fields task in
      let m = [ (integer 2 m, one) ] and ns = List.map (fun n -> [ (integer 1 n, one) ]) ns in
      limit_product (m :: ns);
      let task = { Checker.task_m = m; task_ns = ns; task_tokens = None } in
      Some (Checker.WordStores (word, tables, task, integer 0 held))
  | _ -> assert false

let read_decision claim choice =
  match member "solvable" claim with
  | Some (Bool true) -> read_solvable claim choice
  | _ when speaks_of_windows claim -> (
      match fields ([ "layers"; "L"; "solvable" ] @ window_keys) claim with
      | layers :: tables :: solvable :: values ->
          if solvable <> Bool false then bad "solvable is neither true nor false";
          let letters = List.map window_letter (listed layers) in
          let claim = read_windows values choice (Some (List.filter_map Fun.id letters, integer 1 tables)) in
          if List.mem None letters then None else Some claim
      | _ -> assert false)
  | _ -> (
      let sharper = member "tables" claim <> None in
      match fields ([ "layers"; "L"; "solvable" ] @ (if sharper then [ "tables" ] else []) @ bound_keys) claim with
      | layers :: tables :: solvable :: spoken :: values when sharper ->
          if solvable <> Bool false then bad "solvable is neither true nor false";
          let word = read_word layers and tables = integer 1 tables in
          let task, budget, reason = read_sharper values spoken choice (fun full -> full + 1) in
          Some (Checker.WordCannot (word, tables, task, budget, reason))
      | layers :: tables :: solvable :: values ->
          if solvable <> Bool false then bad "solvable is neither true nor false";
          let word = read_word layers and tables = integer 1 tables in
          let deep = N.leb tables (N.of_nat (Checker.depth word)) in
          let due = if full word = 0 then "C" else if bits tables < 30 && of_int (full word) = tables then "B" else "A" in
          (* a word that is deep enough, or another theorem's: then the claim is rejected, however many there are *)
          let count letter sizes =
            if deep || letter <> due then None
            else if letter <> "C" && tables <> of_int sizes then bad "not the right number of linear bits"
            else Some (full word + 1)
          in
          let task, budget, reason = read_impossible values choice count in
          Some (Checker.WordCannot (word, tables, task, budget, reason))
      | _ -> assert false)

let read text =
  let document = parse text in
  (match member "schema" document with
  | Some schema when is "separation.certificate/1" schema -> ()
  | _ -> bad "unknown schema");
  let kind = Option.value ~default:Null (member "kind" document) in
  if List.exists (fun name -> is name kind) [ "construction"; "pair"; "ceiling" ] then decline "this checker is for bounds and decisions";
  if not (is "bound" kind || is "decision" kind) then bad "unknown kind of certificate";
  match fields [ "schema"; "kind"; "tool"; "claim"; "choice" ] document with
  | [ _; _; tool; claim; choice ] ->
      short_string tool;
      if is "decision" kind then read_decision claim choice
      else if Option.fold ~none:false ~some:(is "D") (member "theorem" claim) then Some (read_sparse claim choice)
      else if speaks_of_windows claim then Some (read_windows (fields window_keys claim) choice None)
      else if member "tables" claim <> None then
        match fields ("tables" :: bound_keys) claim with
        | spoken :: values ->
            let task, budget, reason = read_sharper values spoken choice (fun full -> full + 1) in
            Some (Checker.Cannot (task, budget, reason))
        | [] -> assert false
      else
        let count letter tables = Some (match letter with "C" -> 1 | "B" -> tables + 1 | _ -> tables) in
        let task, budget, reason = read_impossible (fields bound_keys claim) choice count in
        Some (Checker.Cannot (task, budget, reason))
  | _ -> assert false
