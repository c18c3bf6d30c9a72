(* A document becomes a claim of Claims.v. *)

open Json
open Numbers
module N = Checker.N

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
      let budget = { Checker.budget_beta = beta; budget_linear = linear; budget_heads = heads } in
      let late = not (Checker.is_zero (Checker.enclosed (Checker.block_expression budget (nat full)))) in
      let firsts = if (name = "B2c" || name = "A3c") && late then firsts @ [ "omega"; "groups" ] else firsts in
      let some = more && (match choice with Object pairs -> List.mem_assoc (codes "nu_1") pairs | _ -> false) in
      let used = if some then List.filteri (fun i _ -> i < last - 1) (numbered "nu" 1) else [] in
      let keys = if more then firsts @ numbered "Theta" 1 @ numbered "x" 2 @ used else firsts in
      let chosen =
        if name = "B" then (if choice <> Null then bad "Theorem B with one table has no choice"; [])
        else List.map (large 1) (fields keys choice)
      in
      let rec drop k list = if k = 0 then list else drop (k - 1) (List.tl list) in
      let levels rest =
        let thetas = drop 1 rest in
        List.init (last - 1) (fun i -> (List.nth rest (last + i), List.nth thetas i))
      in
      let rows rest = if some then drop (2 * last - 1) rest else List.filteri (fun i _ -> i < last - 1) task.Checker.task_ns in
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
        | "AL", g :: rest -> Checker.ByAL (g, List.hd rest, levels rest, rows rest)
        | "BL", x :: y :: rest -> Checker.ByBL (x, y, List.hd rest, levels rest, rows rest)
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
let about_windows claim = Option.fold ~none:false ~some:(is "A2W") (member "theorem" claim)

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
  | _ when about_windows claim -> (
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

(* --- ceilings --- *)

(* A number from 0 on as numerator and denominator. *)
let fraction value =
  match rational value with
  | { Checker.qnum = Checker.Z0; _ } -> (Checker.N0, one)
  | { Checker.qnum = Checker.Zpos top; qden } -> (Checker.Npos top, Checker.Npos qden)
  | _ -> refuse "a negative share"

let ceiling_keys = [ "layers"; "theorem"; "task"; "tokens"; "beta"; "lambda"; "message"; "ceiling" ]

(* a/c, from 0 on; of a share of 1 the theorems of Coq say nothing. *)
let share value =
  let a, c = fraction value in
  if N.leb c a then decline "a share of 1";
  (a, c)

let one_of names value =
  match List.find_opt (fun name -> is name value) names with Some name -> name | None -> bad ("none of " ^ String.concat " " names)

let most_term_bits = 8192  (* of the numbers of E and D' together, which are multiplied out *)

let limit_terms numbers =
  if List.fold_left (fun sum number -> sum + bits number) 0 numbers > most_term_bits then
    decline (Printf.sprintf "terms with numbers of more than %d bits" most_term_bits)

let most_entries = 2048  (* of a table in a union bound, whose N^N is multiplied out *)

(* C' without a full layer or with one alone, and A2 with Λ_0 = 0: by one share, or by the union bound, which has no values. *)
let read_one_share stored values word budget m ns =
  let count = full word in
  let applies = if stored then count = 0 || (count = 1 && ns = [] && List.length word = 1) else count = 1 && List.length ns = 1 in
  if not applies then refuse "the theorem does not apply to this word";
  let early = Checker.plain_block budget (nat 0) <> Checker.N0 in
  let by_share shares =
    match listed shares with
    | [ value ] ->
        let a, c = share value in
        Checker.ByShare (a, c)
    | _ -> bad "not one share"
  in
  match values with
  | [] ->
      if early && not stored then refuse "a union bound with early states";
      if not (N.leb (List.fold_left N.mul m ns) (of_int most_entries)) then
        decline (Printf.sprintf "a union bound for a table of more than %d entries" most_entries);
      Checker.ByUnion
  | [ shares ] -> by_share shares
  | [ tau; excess; shares ] ->
      if (excess <> Null) <> early then bad "an excess goes with early states";
      if early then decline "A2 on average with early states has another form in Coq";
      let tau = rational tau in
      if not (Checker.qle_bool unit tau) then refuse "tau is below 1";
      if tau <> unit then decline "another tau";
      by_share shares
  | _ -> assert false

(* Theorem E: `delayed`, `quiet` of two tables without late states, which charges the same, or `late` of two tables; idle full layers
   behind all others. The first term of Coq has ⌊m/x_0⌋·x_0 where the certificate has m; its share must have room for that. *)
let read_terms values word ends_full budget m ns =
  match values with
  | [ payment; blocks; x; shares ] ->
      let tables = List.length ns + 1 and count = full word in
      let many = count = tables in
      let payment = one_of [ "full"; "late"; "quiet"; "delayed" ] payment in
      let blocks = List.map (integer 0) (listed blocks) in
      let rec rises = function a :: (b :: _ as rest) -> not (N.leb b a) && rises rest | _ -> true in
      if List.length blocks <> count + 1 || not (rises (blocks @ [ of_int (tables + 1) ])) then bad "blocks: out of order";
      let x = List.map (integer 1) (listed x) and shares = listed shares in
      if List.length x <> tables || List.length shares <> tables then bad "not as many x and shares as tables";
      let last = List.nth blocks count and lam t = Checker.plain_block budget (nat t) in
      if tables < 2 || count > tables || N.leb (of_int (if many then tables + 1 else tables)) last then refuse "too many full layers";
      let early_rec = N.of_nat (Checker.depth word) = of_int count || lam 0 <> Checker.N0 in
      if many && (early_rec || payment = "delayed") then refuse "R before the second full layer";
      if payment = "quiet" && not (ends_full || not (N.leb (of_int (tables - 1)) last)) then refuse "R after the last full layer";
      let x0 = List.hd x and shares = List.map share shares in
      if not (N.leb x0 m) then refuse "x_0 is above m";
      if count = 0 then decline "Theorem E without a full layer";
      if last <> of_int count then decline "idle full layers before others";
      limit_terms ((m :: ns) @ x @ List.concat_map (fun (a, c) -> [ a; c ]) shares);
      let told = if many then N.add (N.mul budget.Checker.budget_beta (List.fold_left N.mul one ns)) (lam 1) else lam 0 in
      let needed places = N.div (N.add (N.mul (snd (List.hd shares)) told) (N.sub places one)) places in
      let late = payment = "late" in
      if late then (
        if tables <> 2 || many || told <> Checker.N0 || not (N.leb (List.fold_left N.mul one x) m) then
          decline "late charges with early states, of several full layers, or of more draws than m")
      else if payment = "full" || (payment = "quiet" && (tables > 2 || lam count <> Checker.N0)) then decline "charges that are not delayed"
      else if needed m <> needed (N.mul (N.div m x0) x0) then decline "x_0 does not divide m";
      Checker.ByE (late, x, shares)
  | _ -> assert false

(* C' and A2, both on average and by the union bound, and E; other theorems are declined. *)
let read_ceiling claim choice =
  let theorem = Option.value ~default:Null (member "theorem" claim) in
  let forms =
    [ ("C' average", [ "shares" ]); ("C' union", []); ("A2 average", [ "tau"; "excess"; "shares" ]); ("A2 union", []);
      ("E", [ "payment"; "blocks"; "x"; "shares" ]) ]
  in
  let name, keys =
    match List.find_opt (fun (name, _) -> is name theorem) forms with
    | Some found -> found
    | None -> decline "a ceiling by a theorem that is not proved here"
  in
  match fields ceiling_keys claim with
  | [ layers; _; task; tokens; beta; linear; message; ceiling ] -> (
      let word = read_word layers in
      let count = full word in
      let plain value = [ (integer 0 value, one) ] in
      let m, ns = task_fields task in
      let m = integer 2 m and ns = List.map (integer 1) ns in
      let task_m = [ (m, one) ] and task_ns = List.map (fun n -> [ (n, one) ]) ns in
      limit_product (task_m :: task_ns);
      let task = { Checker.task_m; task_ns; task_tokens = (match tokens with Null -> None | _ -> Some (integer 0 tokens)) } in
      let linear = List.map plain (listed linear) in
      if List.length linear <> count + 1 then bad "not the right number of linear bits";
      if (beta = Null) <> (count = 0) || (count = 0 && message <> Null) then bad "no beta without a full layer, and with one";
      let beta = if beta = Null then Checker.N0 else integer 1 beta in
      if message <> Null then decline "a ceiling that names heads";
      let top, bottom = fraction ceiling in
      let budget = { Checker.budget_beta = beta; budget_linear = linear; budget_heads = None } in
      match fields ("named" :: keys) choice with
      | named :: values ->
          if listed named <> [] then decline "tables in named";
          let rec falls = function a :: (b :: _ as rest) -> not (N.leb (exact a) (exact b)) || falls rest | _ -> false in
          if falls linear || N.leb (N.add bottom one) top then refuse "a negative block, or a ceiling above 1";
          let ends_full = List.exists (is "F") (match List.rev (listed layers) with last :: _ -> [ last ] | [] -> []) in
          let how =
            if name = "E" then read_terms values word ends_full budget m ns
            else read_one_share (List.mem name [ "C' average"; "C' union" ]) values word budget m ns
          in
          Checker.Ceiling (word, task, budget, top, bottom, how)
      | [] -> assert false)
  | _ -> assert false

(* Theorem D'. *)
let read_found claim choice =
  match fields [ "theorem"; "block"; "open"; "blocks"; "summary_bits"; "false_alarms"; "ceiling" ] claim with
  | [ _; block; opened; blocks; summary; alarms; ceiling ] ->
      let block = integer 1 block and opened = integer 0 opened and blocks = integer 1 blocks and summary = integer 0 summary in
      let alarms = rational alarms in
      if choice <> Null || not (Checker.qle_bool zero alarms && Checker.qle_bool alarms unit) then
        bad "there is a choice, or a share of false alarms that is none";
      let p = match alarms.Checker.qnum with Checker.Zpos top -> Checker.Npos top | _ -> Checker.N0 and q = Checker.Npos alarms.Checker.qden in
      let top, bottom = fraction ceiling in
      if N.leb (N.add bottom one) top then refuse "a ceiling above 1";
      let top, bottom = share ceiling in
      limit_terms [ block; opened; blocks; summary; p; q; top; bottom ];
      let known = N.add (N.mul opened q) (N.mul blocks p) in
      if known = Checker.N0 then decline "no block opened, and no false alarm";
      if summary = Checker.N0 && N.mul bottom known = N.mul top (N.mul blocks q) then decline "what is found by chance alone";
      Checker.SparseFinds (block, opened, blocks, summary, p, q, top, bottom)
  | _ -> assert false

let read text =
  let document = parse text in
  (match member "schema" document with
  | Some schema when is "separation.certificate/1" schema -> ()
  | _ -> bad "unknown schema");
  let kind = Option.value ~default:Null (member "kind" document) in
  if is "pair" kind && member "map" document <> None then decline "a pair of a compression map";
  let runs = [ ("pair", Models.read_pair); ("wrong", Models.read_wrong); ("exhaustive", Models.read_exhaustive); ("construction", Constructions.read) ] in
  match List.find_opt (fun (name, _) -> is name kind) runs with
  | Some (_, read) -> (
      match fields [ "schema"; "kind"; "tool"; "claim"; "model" ] document with
      | [ _; _; tool; claim; model ] ->
          short_string tool;
          read claim model
      | _ -> assert false)
  | None ->
  if not (List.exists (fun name -> is name kind) [ "bound"; "decision"; "ceiling" ]) then bad "unknown kind of certificate";
  match fields [ "schema"; "kind"; "tool"; "claim"; "choice" ] document with
  | [ _; _; tool; claim; choice ] ->
      short_string tool;
      if is "decision" kind then read_decision claim choice
      else if is "ceiling" kind then
        Some (if Option.fold ~none:false ~some:(is "D'") (member "theorem" claim) then read_found claim choice else read_ceiling claim choice)
      else if Option.fold ~none:false ~some:(is "D") (member "theorem" claim) then Some (read_sparse claim choice)
      else if about_windows claim then Some (read_windows (fields window_keys claim) choice None)
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
