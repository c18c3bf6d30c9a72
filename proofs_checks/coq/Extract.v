(** The program of Checker.v in OCaml, checker.ml: lists, pairs, options and booleans are OCaml's, numbers are those of
    Coq, binary and as long as memory. docs/coq.md says how it is built. *)
From Coq Require Import NArith Extraction ExtrOcamlBasic.
From separation Require Import Runs LookUps Claims Checker.

Extraction Language OCaml.
Extraction "checker.ml" accepts undecided floor_at Claims.claim N.succ_double N.double N.add N.mul N.of_nat N.size N.leb all_said fooled says_wrongly tallies every_question answers_all.
