(** Theorems A2, B2, A3, A_L and B_L for models in exact arithmetic: each holds of the model in its place (in_its_place). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions ArithmeticLink TheoremA2 TheoremB2 TheoremA3
  TheoremA3Free TheoremAL TheoremBL.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Link.
Variables (k beta : nat) (lam : nat -> nat).

(** A2 for exact models. *)
Theorem A2_in_exact_arithmetic m n1 Th (md : exact_model) :
  tokens m [:: n1] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 1 ->
  Th.-1 ^ m * 2 ^ lam 0 < m ^ m ->
  2 ^ (lam 0 + Th * lam 1 + beta * n1) < (m * n1) ^ (n1 * Th) ->
  ~ exactly_solves m [:: n1] md.
Proof.
move=> small bits; have [md' [hb hl <- _ sol]] := in_its_place small bits.
by move=> h1 h2 h3 /sol; apply: (A2 hb hl h1 h2 h3).
Qed.

(** B2 for exact models. *)
Theorem B2_in_exact_arithmetic m n1 x0 v Th (md : exact_model) :
  tokens m [:: n1] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> no_early_state md ->
  x0 * v <= m ->
  Th.-1 ^ x0 * 2 ^ (beta * n1 + lam 1) < (x0 * v) ^ x0 ->
  2 ^ (lam 1 + beta * (n1 + x0 + x0 * v + n1 * x0) + Th * lam 2) < (m * n1) ^ (n1 * Th) ->
  ~ exactly_solves m [:: n1] md.
Proof.
move=> small bits; have [md' [hb hl <- <- sol]] := in_its_place small bits.
by move=> h1 h2 h3 h4 h5 /sol; apply: (B2 hb hl h1 h2 h3 h4 h5).
Qed.

(** A3 for exact models. *)
Theorem A3_in_exact_arithmetic m n1 n2 g u Th1 x2 Th2 (md : exact_model) :
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2) + Th1 * lam 1) + 1)
    <= (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + lam 1 + (1 + x2 * Th1 * lam 1) + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof.
move=> small bits; have [md' [hb hl <- _ sol]] := in_its_place small bits.
by move=> h1 h2 h3 h4 h5 h6 h7 h8 /sol; apply: (A3 hb hl h1 h2 h3 h4 h5 h6 h7 h8).
Qed.

(** A3 with λ_1 = 0 for exact models. *)
Theorem A3_quiet_in_exact_arithmetic m n1 n2 g u Th1 x2 Th2 (md : exact_model) :
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> lam 1 = 0 ->
  u <= m -> g <= m -> 0 < Th2 -> Th2 <= m * n1 ->
  Th1.-1 ^ g * 2 ^ lam 0 < u ^ g ->
  'C(m * n1, Th2.-1) * Th2.-1 ^ (x2 * (n1 * Th1)) * 2 ^ (x2 * (n1 * lam 0 + beta * (n1 * n2)))
    < (m * n1) ^ (x2 * (n1 * Th1)) ->
  2 ^ (lam 0 + x2 * Th1 * lam 2
       + beta * (n1 * n2 + 1 + (m - g + g * Th1) + x2 * n1 * u + n1.-1 * (m - u) + n1 * n2 * Th1))
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof.
move=> small bits; have [md' [hb hl <- _ sol]] := in_its_place small bits.
by move=> h1 h2 h3 h4 h5 h6 h7 h8 h9 /sol; apply: (A3_quiet hb hl h1 h2 h3 h4 h5 h6 h7 h8 h9).
Qed.

(** A3 with λ_0 = λ_1 = 0 for exact models. *)
Theorem A3_free_in_exact_arithmetic m n1 n2 Th1 v Th2 (md : exact_model) :
  tokens m [:: n1; n2] <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= 2 -> lam 0 = 0 -> lam 1 = 0 ->
  Th1 <= m -> n1 * Th1 * v <= m * n1 ->
  Th2.-1 ^ (n1 * Th1) * 2 ^ (beta * (n1 * n2)) < (n1 * Th1 * v) ^ (n1 * Th1) ->
  2 ^ (beta * (n1 * n2 + m + Th1 + n1 * Th1 * v + n1.-1 * (m - Th1) + n1 * n2 * Th1) + Th2 * lam 2)
    < (m * n1 * n2) ^ (n2 * Th2) ->
  ~ exactly_solves m [:: n1; n2] md.
Proof.
move=> small bits; have [md' [hb hl <- _ sol]] := in_its_place small bits.
by move=> h1 h2 h3 h4 h5 h6 h7 /sol; apply: (A3_free hb hl h1 h2 h3 h4 h5 h6 h7).
Qed.

(** A_L for exact models. *)
Theorem AL_in_exact_arithmetic m ns g Th1 cs (md : exact_model) :
  tokens m ns <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= size ns ->
  hardAL beta lam m ns g Th1 cs -> ~ exactly_solves m ns md.
Proof.
move=> small bits; have [md' [hb hl <- _ sol]] := in_its_place small bits.
by move=> h1 h2 /sol; apply: (AL hb hl h1 h2).
Qed.

(** B_L for exact models. *)
Theorem BL_in_exact_arithmetic m ns x0 x1 Th1 cs (md : exact_model) :
  tokens m ns <= 2 ^ k -> within_blocks k beta lam md -> attention_layers md <= (size ns).+1 -> no_early_state md ->
  hardBL beta lam m ns x0 x1 Th1 cs -> ~ exactly_solves m ns md.
Proof.
move=> small bits; have [md' [hb hl <- <- sol]] := in_its_place small bits.
by move=> h1 h2 h3 /sol; apply: (BL hb hl h1 h2 h3).
Qed.

End Link.
