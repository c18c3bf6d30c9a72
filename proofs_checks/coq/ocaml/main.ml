(* FILE…: what the proved program says of each certificate. Exit status of one file: 0 accepted, 1 rejected, 2 malformed,
   declined or not readable; of several, the largest. *)

let most_bytes = 1 lsl 20

let contents file =
  let channel = open_in_bin file in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () ->
      let size = in_channel_length channel in
      if size > most_bytes then raise (Numbers.Declined (Printf.sprintf "more than %d bytes" most_bytes));
      really_input_string channel size)

(* The exponents that a run meets, found by running it: the proved program then computes each of them once, and trusts none. *)
let exponents claim =
  let met = Hashtbl.create 64 in
  let floor md y =
    match Hashtbl.find_opt met y with
    | Some found -> found
    | None ->
        let found = Checker.floor_at md y in
        Hashtbl.add met y found;
        found
  in
  (match claim with
  | Checker.Fools (md, a, b, i, j, r, s, out, told) -> ignore (Checker.fooled md (floor md) a b i j r s out told)
  | Checker.SaysWrongly (md, a, i, s, r) -> ignore (Checker.says_wrongly md (floor md) a i s r)
  | Checker.Tallied (md, c, m, k, i, a, r, least) -> ignore (Checker.tallies md (floor md) (Checker.every_question c m k) i a r least)
  | Checker.Constructed (md, m, ns, margin, _, plan) -> ignore (Checker.answers_all md (floor md) m ns plan margin)
  | _ -> ());
  Hashtbl.fold (fun y _ all -> y :: all) met []

let verdict file =
  match Certificate.read (contents file) with
  | Some claim when Checker.accepts (exponents claim) claim -> (0, "accepted")
  | Some ((Checker.Cannot (_, _, Checker.BySharper _) | Checker.WordCannot (_, _, _, _, Checker.BySharper _)) as claim)
    when Checker.undecided claim -> (2, "declined: a long binomial is bounded more coarsely here")
  | Some (Checker.Constructed _) -> (2, "declined: not shown by the rules that are proved here")
  | Some _ -> (1, "rejected")
  | None -> (1, "rejected: another theorem or construction speaks of this word")
  | exception Json.Malformed what -> (2, "malformed: " ^ what)
  | exception Numbers.Declined what -> (2, "declined: " ^ what)
  | exception Numbers.Refused what -> (1, "rejected: " ^ what)
  | exception Sys_error what -> (2, what)
  | exception End_of_file -> (2, "not readable")

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] ->
      prerr_endline "usage: checker FILE...";
      exit 2
  | files ->
      let status file =
        let status, said = verdict file in
        print_endline (if List.length files = 1 then said else file ^ ": " ^ said);
        status
      in
      exit (List.fold_left max 0 (List.map status files))
