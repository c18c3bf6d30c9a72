(** Impossibility at given sizes, by computation: each is one application of Decide.v. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Decide.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** T.forty. Theorem A, L = 2, β = 8, no recurrent bits: m = 2, n = (18), 40 tokens. *)
Theorem forty_tokens (md : model) :
  message_bits md 8 -> state_bits md (fun=> 0) -> number_full md <= 1 -> ~ solves 2 [:: 18] md.
Proof.
have h : hardA_free_test Exactly 8 (listed [:: 0%num]) 2 [:: 18%num] 1 2 [::] by vm_compute.
by move=> hb hl; apply: (certificate_A_free h hb) => -[|t]; have := hl; [apply | move/(_ t.+1);
  rewrite /bits /to_bits /listed nth_default].
Qed.

(** Theorem A, L = 3, β = 1: m = 4, n = (24, 2), 294 tokens, two Full layers. *)
Theorem tokens_294 (md : model) : message_bits md 1 -> state_bits md (bits [:: 0%num]) -> number_full md <= 2 ->
  ~ solves 4 [:: 24; 2] md.
Proof.
have h : hardA_free_test Exactly 1 (listed [:: 0%num]) 4 [:: 24; 2]%num 1 4 [:: (1, 33)]%num by vm_compute.
exact: (certificate_A_free h).
Qed.

(** Theorem A, L = 4, β = 1: m = 2502, n = (25697, 43, 2); by logarithms. *)
Theorem four_tables (md : model) : message_bits md 1 -> state_bits md (bits [:: 0%num]) -> number_full md <= 3 ->
  ~ solves (N.to_nat 2502) [:: N.to_nat 25697; N.to_nat 43; N.to_nat 2] md.
Proof.
have h : hardA_free_test (ByLogarithms 64) 1 (listed [:: 0%num]) 2502 [:: 25697; 43; 2]%num 1 615
  [:: (8, 32146619); (1, 345513698)]%num by vm_compute.
exact: (certificate_A_free h).
Qed.

(** Theorem B, L = 2, β = 1, two Full layers, nothing recurrent: m = 6, n = (4), 32 tokens. *)
Theorem tokens_32 (md : model) : message_bits md 1 -> state_bits md (bits [:: 0%num]) -> number_full md <= 2 ->
  no_early_rec md -> ~ solves 6 [:: 4] md.
Proof.
have h : hardB_test Exactly 1 (listed [:: 0%num]) 6 [:: 4%num] 3 1 2 [::] by vm_compute.
exact: (certificate_B h).
Qed.

(** The same with one bit of recurrent heads beside the Full layers, in all: m = 6, n = (5), 38 tokens. *)
Theorem tokens_38 (md : model) : message_bits md 1 -> state_bits md (bits [:: 1%num]) -> number_full md <= 2 ->
  no_early_rec md -> ~ solves 6 [:: 5] md.
Proof.
have h : hardB_test Exactly 1 (listed [:: 1%num]) 6 [:: 5%num] 4 1 2 [::] by vm_compute.
exact: (certificate_B h).
Qed.

(** Theorem B, L = 3, β = 1: m = 18430, n = (81, 3); by logarithms. *)
Theorem three_tables_B (md : model) : message_bits md 1 -> state_bits md (bits [:: 0%num]) -> number_full md <= 3 ->
  no_early_rec md -> ~ solves (N.to_nat 18430) [:: N.to_nat 81; N.to_nat 3] md.
Proof.
have h : hardB_test (ByLogarithms 64) 1 (listed [:: 0%num]) 18430 [:: 81; 3]%num 2703 10 8200
  [:: (1, 186604)]%num by vm_compute.
exact: (certificate_B h).
Qed.
