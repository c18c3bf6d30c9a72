(** Instances of the sharper theorems by computation; no other file needs them. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions Binary TheoremA2 TheoremB2 TheoremB2c TheoremA3 TheoremA3Free TheoremA3c TheoremAL
  TheoremBL TheoremCPrime.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** F, beta = 8: 12 tokens. *)
Theorem no_F_12 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 0]) -> number_full md <= 1 -> ~ solves 5 [:: 1] md.
Proof. have h : hardA2N 8 0 0 5 1 5 by vm_compute. exact: (certA2 h). Qed.
(** RF, beta = Lambda = 8: 22 tokens. *)
Theorem no_RF_22 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 8; 0]) -> number_full md <= 1 -> ~ solves 10 [:: 1] md.
Proof. have h : hardA2N 8 8 0 10 1 6 by vm_compute. exact: (certA2 h). Qed.
(** RF, beta = Lambda = 64: 106 tokens. *)
Theorem no_RF_106 (md : model) : message_bits md 64 -> block_bits md (nth 0 [:: 64; 0]) -> number_full md <= 1 -> ~ solves 52 [:: 1] md.
Proof. have h : hardA2N 64 64 0 52 1 23 by vm_compute. exact: (certA2 h). Qed.
(** FR, beta = 8, Lambda_1 = 8: 26 tokens. *)
Theorem no_FR_26 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 8]) -> number_full md <= 1 -> ~ solves 4 [:: 5] md.
Proof. have h : hardA2N 8 0 8 4 5 4 by vm_compute. exact: (certA2 h). Qed.
(** RFR, beta = 8, Lambda = (8, 16): 37 tokens. *)
Theorem no_RFR_37 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 8; 8]) -> number_full md <= 1 -> ~ solves 7 [:: 4] md.
Proof. have h : hardA2N 8 8 8 7 4 4 by vm_compute. exact: (certA2 h). Qed.
(** FF, beta = 8: 562 tokens. *)
Theorem no_FF_562 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 0; 0]) -> number_full md <= 2 ->
  no_early_rec md -> ~ solves 140 [:: 3] md.
Proof. have h : hardB2N 8 0 0 140 3 35 4 88 by vm_compute. exact: (certB2 h). Qed.
(** FF, beta = 8, by the cube lemma: 121 tokens. *)
Theorem no_FF_121 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 0; 0]) -> number_full md <= 2 ->
  no_early_rec md -> ~ solves 17 [:: 6] md.
Proof. have h : hardB2cN 8 0 0 17 6 16 17 1 6 by vm_compute. exact: (certB2c h). Qed.
(** RFRFR, L = 3, beta = 1, Lambda = (1, 2, 3): 106 tokens. *)
Theorem no_RFRFR_106 (md : model) : message_bits md 1 -> block_bits md (nth 0 [:: 1; 1; 1]) -> number_full md <= 2 ->
  ~ solves 8 [:: 3; 3] md.
Proof. have h : hardA3N 1 1 1 1 8 3 3 2 3 3 2 5 by vm_compute. exact: (certA3 h). Qed.
(** FF, L = 3, beta = 8: 1,346 tokens. *)
Theorem no_FF_1346 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 0; 0]) -> number_full md <= 2 ->
  ~ solves 192 [:: 1; 5] md.
Proof. have h : hardA3freeN 8 0 192 1 5 64 3 125 by vm_compute. exact: (certA3_free h). Qed.
(** FF, L = 3, beta = 8, by the cube lemma: 172 tokens. *)
Theorem no_FF_172 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 0; 0; 0]) -> number_full md <= 2 ->
  ~ solves 17 [:: 1; 8] md.
Proof. have h : hardA3cN 8 0 0 17 1 8 17 17 1 8 by vm_compute. exact: (certA3c h). Qed.
(** FF, L = 3, beta = 1: 27 tokens. *)
Theorem no_FF_27 (md : model) : message_bits md 1 -> block_bits md (lam_of [::]) -> number_full md <= 2 ->
  ~ solves 5 [:: 1; 3] md.
Proof. have h : hardALN 1 [::] 5 [:: 1; 3]%num [:: 1; 3]%num 1 4 [:: (2, 3)]%num by vm_compute. exact: (certAL h). Qed.
(** RFRFR, L = 3, beta = 1, Lambda = (1, 2, 3): 116 tokens. *)
Theorem no_RFRFR_116 (md : model) : message_bits md 1 -> block_bits md (lam_of [:: 1; 1; 1]%num) -> number_full md <= 2 ->
  ~ solves 6 [:: 2; 8] md.
Proof. have h : hardALN 1 [:: 1; 1; 1]%num 6 [:: 2; 8]%num [:: 2; 8]%num 2 5 [:: (2, 3)]%num by vm_compute. exact: (certAL h). Qed.
(** FF, L = 2, beta = 1: 14 tokens. *)
Theorem no_FF_14 (md : model) : message_bits md 1 -> block_bits md (lam_of [::]) -> number_full md <= 2 ->
  no_early_rec md -> ~ solves 3 [:: 3] md.
Proof. have h : hardBLN 1 [::] 3 [:: 3]%num [:: 3]%num 3 1 2 [::] by vm_compute. exact: (certBL h). Qed.
(** FFF, L = 3, beta = 1: 172 tokens. *)
Theorem no_FFF_172 (md : model) : message_bits md 1 -> block_bits md (lam_of [::]) -> number_full md <= 3 ->
  no_early_rec md -> ~ solves 10 [:: 1; 15] md.
Proof. have h : hardBLN 1 [::] 10 [:: 1; 15]%num [:: 1; 15]%num 2 2 1 [:: (1, 1)]%num by vm_compute. exact: (certBL h). Qed.
(** N = Λ = 64: no model of recurrent layers with 64 state bits answers more than 0.300 of all inputs. *)
Theorem C_average_64 m ns (md : model) : last_size m ns = 64 -> number_full md = 0 -> all_state_bits md 64 ->
  right_inputs m ns md * 1000 <= 300 * size (all_inputs m ns).
Proof. have h : averageN 64 64 300 1000 by vm_compute. exact: (certC_average h). Qed.
(** RFF, L = 3, beta = Lambda = 8: 10,502 tokens. *)
Theorem no_RFF_10502 (md : model) : message_bits md 8 -> block_bits md (nth 0 [:: 8; 0; 0]) -> number_full md <= 2 ->
  ~ solves 875 [:: 1; 10] md.
Proof.
have h : hardA3N 8 8 0 0 875 1 10 10 209 121 11 342 by vm_cast_no_check (erefl true).
exact: (certA3 h).
Qed.
