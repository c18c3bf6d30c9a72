(* A construction and its invariants become a claim of Claims.v. The invariants are a plan: the proved program checks them, so nothing that
   is claimed rests on how they are read here, nor on what is looked at for them. *)

open Json
open Numbers
open Models
module N = Checker.N

let most_readings = 4096
let most_in_all = 1 lsl 16
let most_denominator_bits = 4096

(* --- variables --- *)

(* The kinds in the order of the prompt, each with its first position, its tokens and its own variables: name, size. *)
let kinds m ns =
  let all = sizes m ns in
  let tables = List.length all in
  let size table = List.nth all (table - 1) in
  let table number =
    let own =
      if number = 1 then [ ("index", m); ("value", m) ]
      else [ ("digit", List.nth ns (number - 2)); ("index", size (number - 1)); ("value", size number) ]
    in
    (Printf.sprintf "table %d" number, size number, own)
  in
  let digits = List.mapi (fun i n -> (Printf.sprintf "w%d" (i + 1), n)) ns in
  List.init tables (fun i -> table (tables - i)) @ [ ("z0", 1, [ ("i0", m) ]); ("w", 1, digits) ]

let globals m ns =
  List.mapi (fun i n -> (Printf.sprintf "w%d" (i + 1), n)) ns
  @ (("i0", m) :: List.mapi (fun i size -> (Printf.sprintf "i%d" (i + 1), size)) (sizes m ns))

let after_first name = int_of_string (String.sub name 1 (String.length name - 1))

(* What a bit of a name is at an address of its kind: ±1, or the bit of a variable. *)
type bit = Known of bool | Unknown of (Checker.variable * int)

let bit_at own address (name, j) =
  let index = Option.value ~default:1 (List.assoc_opt "index" own) in
  match name with
  | "digit" -> Known (((address / index) lsr j) land 1 = 1)
  | "index" -> Known (((address mod index) lsr j) land 1 = 1)
  | "value" -> Unknown (Checker.Value, j)
  | _ when name.[0] = 'w' -> Unknown (Checker.Digit (nat (after_first name - 1)), j)
  | _ -> Unknown (Checker.Hop (nat (after_first name)), j)

(* --- invariants --- *)

(* None is the constant; a supposition is declined. *)
let symbol known value =
  if is "1" value then None
  else
    let bits (name, size) = List.init (bit_count size) (fun j -> (Printf.sprintf "%s.%d" name j, (name, j))) in
    match List.find_opt (fun (text, _) -> is text value) (List.concat_map bits known) with
    | Some (_, found) -> Some found
    | None -> (
        match value with
        | String points when List.mem 32 points -> decline "a supposition"
        | _ -> bad "unknown symbol")

(* For each coordinate what is said of it: symbols with their numbers; and a radius. *)
let read_forms width known value =
  match fields [ "forms"; "noise" ] value with
  | [ forms; noise ] ->
      let said = Array.make width [] and radii = Array.make width None in
      let row value = if width = 0 then bad "a row outside" else as_int (let r = integer 0 value in if N.leb r (of_int (width - 1)) then r else bad "a row outside") in
      List.iter
        (fun entry ->
          match listed entry with
          | [ at; name; number ] ->
              let at = row at and name = symbol known name in
              if List.mem_assoc name said.(at) then bad "a form twice";
              said.(at) <- (name, rational number) :: said.(at)
          | _ -> bad "not a form")
        (listed forms);
      List.iter
        (fun entry ->
          match fields [ "radius"; "column" ] entry with
          | [ radius; column ] -> (
              let radius = rational radius in
              if not (Checker.qle_bool zero radius) then bad "a negative radius";
              let cell value = match listed value with [ at; number ] -> (row at, rational number) | _ -> bad "not a cell" in
              let cells = List.map cell (listed column) in
              let rows = List.map fst cells in
              if List.length (List.sort_uniq compare rows) < List.length rows then bad "a row twice in a column";
              match List.filter (fun (_, number) -> not (Checker.qeq_bool number zero)) cells with
              | _ when Checker.qeq_bool radius zero -> ()
              | [] -> ()
              | [ (at, number) ] ->
                  if radii.(at) <> None then decline "two noise symbols in one coordinate";
                  let size = if Checker.qle_bool zero number then number else Checker.qopp number in
                  radii.(at) <- Some (Checker.qred (Checker.qmult radius size))
              | _ -> decline "a noise symbol in several coordinates")
          | _ -> assert false)
        (listed noise);
      Array.to_list (Array.map2 (fun said radius -> (said, Option.value ~default:zero radius)) said radii)
  | _ -> assert false

let add a b = Checker.qred (Checker.qplus a b)

(* A coordinate at an address. *)
let coordinate own address (said, radius) =
  List.fold_left
    (fun found (name, number) ->
      match Option.map (bit_at own address) name with
      | None | Some (Known true) -> { found with Checker.middle = add found.Checker.middle number }
      | Some (Known false) -> { found with Checker.middle = add found.Checker.middle (Checker.qopp number) }
      | Some (Unknown (variable, j)) -> { found with Checker.terms_of = ((variable, nat j), number) :: found.Checker.terms_of })
    { Checker.middle = zero; terms_of = []; radius } said

(* --- what is looked at --- *)

let names said = List.concat_map (fun (forms, _) -> List.filter_map (fun (name, _) -> Option.map fst name) forms) said
let hop_names tables = List.init (tables + 1) (Printf.sprintf "i%d")

let use m ns (kind, _, own) mentioned =
  let tables = List.length ns + 1 in
  let has name = List.mem name mentioned in
  let hops = hop_names tables in
  let of_digits = kind = "w" || List.exists (fun name -> name.[0] = 'w') mentioned in
  let of_value = has "value" in
  let hops_used = List.map has hops in
  let power = List.fold_left2 (fun p used size -> if used then p * size else p) 1 hops_used (m :: sizes m ns) in
  let power = if of_digits then List.fold_left ( * ) power ns else power in
  let power = if of_value then power * List.assoc "value" own else power in
  limit (power <= most_readings) "too much to look at";
  (power, { Checker.of_value; of_digits; of_hops = hops_used })

(* Position by position, what is looked at where these names are mentioned, kind by kind. *)
let uses m ns all mentioned =
  let found = List.map2 (fun ((_, count, _) as kind) names -> (count, use m ns kind names)) all mentioned in
  limit (List.fold_left (fun sum (count, (power, _)) -> sum + (count * power)) 0 found <= most_in_all) "too much to look at";
  List.concat_map (fun (count, (_, use)) -> List.init count (fun _ -> use)) found

let read_plan m ns width layers value =
  let all = kinds m ns in
  let stages = listed value in
  if List.length stages <> layers + 1 then bad "not a stage for each layer";
  let read_stage value =
    let values = fields (List.map (fun (kind, _, _) -> kind) all) value in
    List.map2 (fun (_, _, own) value -> read_forms width (own @ globals m ns) value) all values
  in
  let stages = List.map read_stage stages in
  let laid said =
    List.concat (List.map2 (fun (_, count, own) said -> List.init count (fun address -> List.map (coordinate own address) said)) all said)
  in
  let mentioned = List.map (List.map names) stages in
  let for_id (kind, _, _) = if kind = "z0" then [ "i0" ] else if kind = "w" then [] else [ "value" ] in
  let both = List.map2 ( @ ) in
  let rec layer_uses = function a :: (b :: _ as rest) -> uses m ns all (both a b) :: layer_uses rest | _ -> [] in
  let last = List.nth mentioned layers in
  let answer (kind, _, _) = if kind = "w" then [ Printf.sprintf "i%d" (List.length ns + 1) ] else [] in
  { Checker.at_first = (uses m ns all (both (List.map for_id all) (List.hd mentioned)), laid (List.hd stages));
    after_each = List.combine (layer_uses mentioned) (List.map laid (List.tl stages));
    at_answer = uses m ns all (both (List.map answer all) last) }

(* --- the claim --- *)

(* Denominators multiply along a sum: all of them together are short. *)
let denominator_bits given =
  let number sum a = sum + bits (Checker.Npos (Checker.qred a).Checker.qden) - 1 in
  let matrix = List.fold_left (List.fold_left number) in
  let head sum = function Checker.Softmax (q, k, v, o, shift) -> List.fold_left matrix (number sum shift) [ q; k; v; o ] | _ -> sum in
  let mlp sum p = matrix sum [ p.Checker.hidden_bias; p.Checker.outer_bias ] |> fun sum -> List.fold_left matrix sum [ p.Checker.hidden_rows; p.Checker.outer_rows ] in
  let tables = List.fold_left matrix 0 [ given.Checker.of_position; given.Checker.of_id; given.Checker.of_answer ] in
  List.fold_left (fun sum (heads, mlps) -> List.fold_left mlp (List.fold_left head sum heads) mlps) tables given.Checker.given_layers

let whole number = match (Checker.qred number).Checker.qden with Checker.XH -> true | _ -> false

(* All numbers of matrices are whole, those of biases and of the tables multiples of 2^-f: the rule for `integral`. *)
let integral given =
  let grained number = whole (Checker.qmult number (Checker.power_of_two given.Checker.places)) in
  let matrix rows = List.for_all (List.for_all whole) rows in
  let head = function
    | Checker.Softmax (q, k, v, o, _) -> List.for_all matrix [ q; k; v; o ]
    | _ -> decline "a head that is not full attention"
  in
  let mlp p =
    matrix p.Checker.hidden_rows && matrix p.Checker.outer_rows
    && List.for_all grained p.Checker.hidden_bias && List.for_all grained p.Checker.outer_bias
  in
  List.for_all (List.for_all grained) (given.Checker.of_position @ given.Checker.of_id)
  && List.for_all (fun (heads, mlps) -> List.for_all head heads && List.for_all mlp mlps) given.Checker.given_layers

let claim_keys =
  [ "construction"; "task"; "word"; "tokens"; "width"; "layers"; "heads"; "precision_bits"; "integral"; "state_bits"; "inputs_covered_log2"; "margin" ]

let read claim body =
  let says_attention = member "attention" claim <> None in
  match fields (claim_keys @ if says_attention then [ "attention" ] else []) claim with
  | name :: task :: word :: tokens :: width :: layers :: heads :: bits :: is_integral :: state_bits :: covered :: margin :: more -> (
      short_string name;
      let invariants = match member "invariants" body with Some found -> found | None -> decline "a construction without invariants" in
      let body = match body with Object members -> Object (List.filter (fun (key, _) -> key <> codes "invariants") members) | other -> other in
      let model = read_model body in
      let given = model.given in
      let attention = match more with [ value ] -> value | _ -> String (codes (if model.both then "both" else "causal")) in
      let tokens = integer 0 tokens and heads = integer 0 heads and margin = rational margin in
      let width = integer 0 width and layers = integer 0 layers and covered = integer 0 covered in
      let states = if state_bits = Null then None else Some (integer 0 state_bits) in
      let is_integral = truth is_integral in
      if model.rows <> heights model.task then bad "a table has other rows than the task";
      same_shape model task word attention bits;
      match model.task with
      | Two_sum _ -> decline "a construction for 2-Sum"
      | Composition _ when model.both -> decline "a construction with attention both ways"
      | Composition (m, ns) ->
          let length, _, _ = heights model.task in
          let given_heads = List.map (fun (heads, _) -> List.length heads) given.Checker.given_layers in
          let given_width = List.length (List.hd given.Checker.of_position) in
          if
            not
              (tokens = of_int length && width = of_int given_width
              && layers = of_int (List.length given_heads)
              && heads = of_int (List.fold_left max 0 given_heads))
          then refuse "the model has another shape";
          let plain = function Checker.Softmax _ -> true | _ -> false in
          if not (List.for_all (fun (heads, _) -> List.for_all plain heads) given.Checker.given_layers) then
            decline "a head that is not full attention";
          ignore states;
          limit (denominator_bits given <= most_denominator_bits) "long denominators";
          if is_integral && not (integral given) then refuse "not integral";
          limit (N.leb covered (of_int most_bits)) "too many inputs";
          limit (List.fold_left (fun sum size -> sum + (size * bit_count size)) 0 (sizes m ns) <= most_bits) "too many inputs";
          let plan = read_plan m ns given_width (List.length given_heads) invariants in
          Some (Checker.Constructed (given, nat m, List.map nat ns, margin, covered, plan)))
  | _ -> assert false
