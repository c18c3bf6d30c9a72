(* Fields and numbers of a document. Malformed and Declined are exit status 2: the proved program is not asked; Refused is 1. *)

open Json
module N = Checker.N

exception Declined of string
exception Refused of string

let decline what = raise (Declined what)
let refuse what = raise (Refused what)
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

(* --- numbers of a model --- *)

(* A small number as Coq's unary one. *)
let rec nat k = if k = 0 then Checker.O else Checker.S (nat (k - 1))
let most_small = 4096

let as_int number =
  let rec count = function Checker.XH -> 1 | Checker.XO rest -> 2 * count rest | Checker.XI rest -> (2 * count rest) + 1 in
  match number with Checker.N0 -> 0 | Checker.Npos positive -> count positive

let small least value =
  let number = integer least value in
  if not (N.leb number (of_int most_small)) then decline (Printf.sprintf "a number above %d" most_small);
  as_int number

let ratio negative top bottom =
  let qnum = match top with Checker.N0 -> Checker.Z0 | Checker.Npos p -> if negative then Checker.Zneg p else Checker.Zpos p in
  match bottom with Checker.N0 -> bad "a denominator of 0" | Checker.Npos qden -> { Checker.qnum; qden }

let zero = ratio false Checker.N0 one
let unit = ratio false one one

(* An integer up to 2^53, or a string a or a/b with an optional sign. *)
let rational value =
  let split text =
    let negative = text <> "" && text.[0] = '-' in
    (negative, if negative then String.sub text 1 (String.length text - 1) else text)
  in
  match value with
  | Digits text ->
      let negative, digits = split text in
      if String.length digits > 16 || not (N.leb (of_decimal digits) two_53) then bad "an integer beyond 2^53 is not a string";
      ratio negative (of_decimal digits) one
  | String points when List.for_all (fun p -> p < 128) points ->
      let negative, text = split (String.concat "" (List.map (fun p -> String.make 1 (Char.chr p)) points)) in
      let parts = String.split_on_char '/' text in
      if List.length parts > 2 || not (List.for_all all_digits parts) then bad "not a number";
      if List.exists (fun part -> String.length part > most_digits) parts then decline (Printf.sprintf "more than %d digits" most_digits);
      (match List.map of_decimal parts with
      | [ top; bottom ] -> ratio negative top bottom
      | [ top ] -> ratio negative top one
      | _ -> assert false)
  | _ -> bad "not a number"
