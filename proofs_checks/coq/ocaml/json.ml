(* A reader of JSON as docs/certificates.md has it: UTF-8 without a mark, no key twice, numbers without point or
   exponent. Numbers keep their digits; strings become lists of code points. *)

exception Malformed of string

type value =
  | Null
  | Bool of bool
  | Digits of string  (* an optional - and digits *)
  | String of int list
  | List of value list
  | Object of (int list * value) list

let bad what = raise (Malformed what)
let deepest = 200

let codes text = List.map Char.code (List.of_seq (String.to_seq text))

(* The code points of a text; overlong forms, surrogates and what is beyond U+10FFFF are refused. *)
let decode text =
  let size = String.length text in
  let rec points at found =
    if at >= size then Array.of_list (List.rev found)
    else
      let first = Char.code text.[at] in
      let more, least, start =
        if first < 0x80 then (0, 0, first)
        else if first land 0xe0 = 0xc0 then (1, 0x80, first land 0x1f)
        else if first land 0xf0 = 0xe0 then (2, 0x800, first land 0x0f)
        else if first land 0xf8 = 0xf0 then (3, 0x10000, first land 0x07)
        else bad "not UTF-8"
      in
      if at + more >= size then bad "not UTF-8";
      let point = ref start in
      for next = at + 1 to at + more do
        let byte = Char.code text.[next] in
        if byte land 0xc0 <> 0x80 then bad "not UTF-8";
        point := (!point lsl 6) lor (byte land 0x3f)
      done;
      if !point < least || !point > 0x10ffff || (!point >= 0xd800 && !point <= 0xdfff) then bad "not UTF-8";
      points (at + more + 1) (!point :: found)
  in
  points 0 []

let parse text =
  let points = decode text in
  let size = Array.length points and at = ref 0 in
  let peek () = if !at < size then points.(!at) else -1 in
  let advance () = incr at in
  let is character = peek () = Char.code character in
  let rec blanks () =
    match peek () with
    | 0x20 | 0x09 | 0x0a | 0x0d -> advance (); blanks ()
    | _ -> ()
  in
  let expect character = if is character then advance () else bad (Printf.sprintf "%c is missing" character) in
  let word text result =
    String.iter expect text;
    result
  in
  let digit point = point >= 0x30 && point <= 0x39 in
  let number () =
    let begins = !at in
    if is '-' then advance ();
    if is '0' then advance ()
    else if digit (peek ()) then while digit (peek ()) do advance () done
    else bad "not a number";
    if digit (peek ()) || is '.' || is 'e' || is 'E' then bad "not an exact number";
    Digits (String.init (!at - begins) (fun place -> Char.chr points.(begins + place)))
  in
  let hex () =
    let value = ref 0 in
    for _ = 1 to 4 do
      let point = peek () in
      let nibble =
        if digit point then point - 0x30
        else if point >= 0x41 && point <= 0x46 then point - 0x41 + 10
        else if point >= 0x61 && point <= 0x66 then point - 0x61 + 10
        else bad "not an escape"
      in
      value := (!value * 16) + nibble;
      advance ()
    done;
    !value
  in
  (* \uD83D\uDE00 is one code point; half of such a pair stays as it is *)
  let rec escaped_unit found =
    let value = hex () in
    if value >= 0xd800 && value <= 0xdbff && !at + 1 < size && is '\\' && points.(!at + 1) = Char.code 'u' then begin
      advance (); advance ();
      let here = !at in
      let low = hex () in
      if low >= 0xdc00 && low <= 0xdfff then (0x10000 + ((value - 0xd800) lsl 10) + (low - 0xdc00)) :: found
      else begin at := here; escaped_unit (value :: found) end
    end
    else value :: found
  in
  let rec characters found =
    match peek () with
    | 0x22 -> advance (); List.rev found
    | 0x5c ->
        advance ();
        let escape = peek () in
        advance ();
        if escape = Char.code 'u' then characters (escaped_unit found)
        else
          let plain =
            match escape with
            | 0x22 | 0x5c | 0x2f -> escape
            | 0x62 -> 0x08
            | 0x66 -> 0x0c
            | 0x6e -> 0x0a
            | 0x72 -> 0x0d
            | 0x74 -> 0x09
            | _ -> bad "not an escape"
          in
          characters (plain :: found)
    | point when point < 0x20 -> bad "a control character in a string, or no end of it"
    | point -> advance (); characters (point :: found)
  in
  let rec value depth =
    if depth > deepest then bad "nested too deeply";
    blanks ();
    let result =
      match peek () with
      | 0x7b -> advance (); members depth
      | 0x5b -> advance (); items depth
      | 0x22 -> advance (); String (characters [])
      | 0x74 -> word "true" (Bool true)
      | 0x66 -> word "false" (Bool false)
      | 0x6e -> word "null" Null
      | _ -> number ()
    in
    blanks ();
    result
  and items depth =
    blanks ();
    if is ']' then (advance (); List [])
    else
      let rec further found =
        let found = value (depth + 1) :: found in
        if is ',' then (advance (); further found) else (expect ']'; List (List.rev found))
      in
      further []
  and members depth =
    blanks ();
    if is '}' then (advance (); Object [])
    else
      let rec further found =
        blanks ();
        expect '"';
        let key = characters [] in
        if List.mem_assoc key found then bad "a key is repeated";
        blanks ();
        expect ':';
        let found = (key, value (depth + 1)) :: found in
        if is ',' then (advance (); further found) else (expect '}'; Object (List.rev found))
      in
      further []
  in
  let result = value 0 in
  if !at < size then bad "text after the document";
  result
