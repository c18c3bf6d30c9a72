(** Words of different depth are separated at equal sizes and equal budgets. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge TheoremA TheoremB TheoremC Constructions GoldenSchedule
  ExactDepth.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** Fewer layers have fewer states. *)
Lemma prod_upto X t (ls : seq (layer X)) : \prod_(l <- upto t ls) states l <= \prod_(l <- ls) states l.
Proof.
elim: ls t => [|l ls IH] t //=; rewrite [X in _ <= X]big_cons.
case: (is_full l); last by rewrite big_cons leq_mul2l IH orbT.
case: t => [|t]; first by rewrite big_nil muln_gt0 states_gt0 prod_gt0.
by rewrite big_cons leq_mul2l IH orbT.
Qed.

(** 2^s outgrows every linear function. *)
Lemma exp_wins a b : exists s, a * s + b <= 2 ^ s.
Proof.
pose u := 2 * a + b; exists (2 * u).
have h : u.+1 ^ 2 <= 2 ^ (2 * u) by rewrite mulnC expnM leq_exp2r // ltn_expl.
apply: leq_trans h; rewrite -mulnn /u; apply/leP; rewrite -?plusE -?multE; nia.
Qed.

(** y is linear in β when every Λ_t is β. *)
Lemma golden_base_linear L : exists C, forall beta, golden_base beta (fun=> beta) L <= C * beta.+1.
Proof.
exists (33 + 128 * (L + 4) + 8 * (6 * 3 ^ L) + 4 * (L + 4).+1) => beta.
rewrite /golden_base sum_nat_const card_ord; move: (L + 4) (6 * 3 ^ L) => e c.
by apply/leP; rewrite -?plusE -?multE; nia.
Qed.

(** For some β the prompt is not longer than 2^β. *)
Lemma big_beta L F : exists beta, 34 * golden_base beta (fun=> beta) L ^ F <= 2 ^ beta.
Proof.
have [C hC] := golden_base_linear L; have [s hs] := exp_wins F (C * F + 7).
have s0 : 0 < 2 ^ s by rewrite expn_gt0.
exists (2 ^ s).-1; apply: leq_trans (_ : 2 ^ 6 * (2 ^ (C + s)) ^ F <= _).
  apply: leq_mul => //; case: F hs => // F hs; rewrite leq_exp2r //.
  apply: leq_trans (hC _) _; rewrite prednK // expnD leq_mul2r; apply/orP; right.
  by apply: ltnW; apply: ltn_expl.
rewrite -expnM -expnD leq_exp2l // -ltnS prednK //; apply: leq_trans hs.
by apply/leP; rewrite -?plusE -?multE; nia.
Qed.

(** 5.1, corollary: at equal sizes and equal budgets one word can and the other cannot. *)
Theorem separation (w w' : seq bool) : depth w < depth w' -> exists beta m ns,
  (exists md, [/\ word md = w', message_bits md beta, state_bits md (fun=> beta) & solves m ns md]) /\
  (forall md, word md = w -> message_bits md beta -> state_bits md (fun=> beta) -> ~ solves m ns md).
Proof.
move=> hd; set L := depth w' in hd; have L0 : 0 < L by apply: leq_ltn_trans hd.
have [beta hb] := big_beta L (fib (2 * L).+2).
have [_ /(_ hd beta (fun=> beta)) [m [ns [sn hn lower]]]] := exact_depth w L0.
have hn2 := leq_trans hn hb.
exists beta, m, ns; split=> //.
have [/(_ (leqnn _) m ns sn) [md [h1 h2 h3 h4]] _] := exact_depth w' L0.
exists md; split=> //; first exact: h3.
move=> t; apply: leq_trans (prod_upto t _) _; apply: h4; apply: leq_trans hn2.
have hm : m <= sumn (sizes m ns) by case: (ns) => [|n ns'] /=; apply: leq_addr.
by rewrite geq_max; apply/andP; split=> //; apply: leq_trans hm _; apply: leqW.
Qed.

(** Words: F = true, R = false. *)
Example depths : map depth [:: [::]; [:: false]; [:: true]; [:: true; false]; [:: false; true]; [:: true; true];
    [:: true; true; false]; [:: true; false; true]; [:: false; true; true]; [:: true; true; false; true]; [:: true;
      true; true]]
  = [:: 0; 0; 0; 1; 1; 1; 1; 2; 2; 2; 2].
Proof. by []. Qed.

(** The place of R matters: FRF does what FFR cannot. *)
Corollary FRF_FFR : exists beta m ns,
  (exists md, [/\ word md = [:: true; false; true], message_bits md beta, state_bits md (fun=> beta) & solves m ns
    md]) /\
  (forall md, word md = [:: true; true; false] -> message_bits md beta -> state_bits md (fun=> beta) -> ~ solves m ns
    md).
Proof. exact: separation. Qed.
