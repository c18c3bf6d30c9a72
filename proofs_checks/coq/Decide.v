(** The inequalities of Theorems A, B and C decided by computation with binary naturals, in two arithmetics: with the
    powers and binomials themselves, or with logarithms where those would be too long. What the computation accepts,
    the theorems forbid; a certificate of the kinds bound and decision becomes an application of a theorem of the last
    section (docs/coq.md). *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Counting Knowledge TheoremA TheoremC TheoremB GoldenSchedule Padding
  Constructions Storing ExactDepth Binary Logarithms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation nn := N.to_nat.

(** ** The two inequalities, in two arithmetics *)

(** Exactly; or with logarithms to q binary digits. *)
Inductive arithmetic := Exactly | ByLogarithms of nat.

(** 2^b·C(N,h)·h^t ≤ N^t;  by logarithms  b·Q + h·log2 𝖾 + (t−h)·log2 h ≤ (t−h)·log2 N, all of them times Q. *)
Definition covers (a : arithmetic) (n0 h t b : N) : bool :=
  match a with
  | Exactly => N.leb (2 ^ b * (binomial n0 h * h ^ t)) (n0 ^ t)
  | ByLogarithms q =>
      [&& N.leb h t, N.ltb 0 n0 & N.leb (b * 2 ^ N.of_nat q + euler_bits q (euler_terms q) * h + (t - h) * log_high q h)
                                        ((t - h) * log_low q n0)]
  end%num.
(** 2^D < N^k;  by logarithms  D·Q < k·log2 N. *)
Definition ends (a : arithmetic) (D n0 k : N) : bool :=
  match a with
  | Exactly => N.ltb (2 ^ D) (n0 ^ k)
  | ByLogarithms q => N.ltb 0 n0 && N.ltb (D * 2 ^ N.of_nat q) (k * log_low q n0)
  end%num.

(** C(N, h)·h^h ≤ (𝖾N)^h, in powers of Q. *)
Lemma choose_pow_e Q N h c num den : 0 < Q -> 0 < den ->
  (forall j, den * j.+1 ^ j <= num * j ^ j) -> num ^ Q <= 2 ^ c * den ^ Q ->
  ('C(N, h) * h ^ h) ^ Q <= N ^ (h * Q) * 2 ^ (c * h).
Proof.
move=> Q0 den0 e hc.
rewrite -(@leq_pmul2r (den ^ (h * Q))) ?expn_gt0 ?den0 // -mulnA.
have -> : 2 ^ (c * h) * den ^ (h * Q) = (2 ^ c * den ^ Q) ^ h by rewrite expnMn -!expnM (mulnC Q).
rewrite [den ^ _]expnM -expnMn; apply: leq_trans (_ : (N ^ h * num ^ h) ^ Q <= _);
  first by rewrite leq_exp2r // bin_pow_e.
rewrite expnMn -!expnM leq_mul2l; apply/orP; right; rewrite (mulnC h) expnM.
by case: (h) => // h'; rewrite leq_exp2r.
Qed.

(** The cover inequality follows from its logarithm. *)
Lemma cover_by_logarithms Q N h t b c lo hi num den : 0 < Q -> 0 < den ->
  (forall j, den * j.+1 ^ j <= num * j ^ j) -> num ^ Q <= 2 ^ c * den ^ Q -> 2 ^ lo <= N ^ Q -> h ^ Q <= 2 ^ hi ->
  h <= t -> b * Q + c * h + (t - h) * hi <= (t - h) * lo -> 2 ^ b * ('C(N, h) * h ^ t) <= N ^ t.
Proof.
move=> Q0 den0 e hc hlo hhi ht; rewrite -(subnKC ht) addKn; move: (t - h) => d le.
have bin := choose_pow_e N h Q0 den0 e hc.
have hd : (h ^ d) ^ Q <= 2 ^ (d * hi).
  by rewrite -expnM mulnC expnM (mulnC d) expnM; case: (d) => // d'; rewrite leq_exp2r.
have ld : 2 ^ (d * lo) <= N ^ (d * Q).
  by rewrite (mulnC d) expnM (mulnC d) expnM; case: (d) => // d'; rewrite leq_exp2r.
rewrite -(@leq_exp2r _ _ Q) //.
have -> : 'C(N, h) * h ^ (h + d) = 'C(N, h) * h ^ h * h ^ d by rewrite expnD mulnA.
have -> : (N ^ (h + d)) ^ Q = N ^ (h * Q) * N ^ (d * Q) by rewrite -expnM mulnDl expnD.
rewrite 2!expnMn -expnM; apply: leq_trans (leq_mul (leqnn _) (leq_mul bin hd)) _.
rewrite -mulnA mulnCA leq_mul2l; apply/orP; right; apply: leq_trans ld.
by rewrite -!expnD leq_exp2l // addnA.
Qed.

(** What covers accepts is true. *)
Lemma coversP a n0 h t b : covers a n0 h t b -> 2 ^ nn b * ('C(nn n0, nn h) * nn h ^ nn t) <= nn n0 ^ nn t.
Proof.
case: a => [|q] /=; first by move/toLe; rewrite !(toM, toX, toBin).
case/and3P => /toLe ht /toLt n00 /toLe.
have K0 : 0 < euler_terms q by []; have Q0 : 0 < 2 ^ q by rewrite expn_gt0.
move: (euler_bitsP q K0) (log_lowP q n00) (log_highP q h).
move: (euler_bits _ _) (log_low _ _) (log_high _ _) => c lo hi hc hlo hhi.
rewrite !(toM, toD, toB, toX) Nat2N.id => le.
exact: (cover_by_logarithms Q0 (euler_den_gt0 K0) (euler_fraction K0) hc hlo hhi ht le).
Qed.
(** What ends accepts is true. *)
Lemma endsP a D n0 k : ends a D n0 k -> 2 ^ nn D < nn n0 ^ nn k.
Proof.
case: a => [|q] /=; first by move/toLt; rewrite !toX.
case/andP => /toLt n00 /toLt; move: (log_lowP q n00); move: (log_low _ _) => lo hlo.
rewrite !(toM, toX) Nat2N.id => lt; rewrite -(@ltn_exp2r _ _ (2 ^ q)) ?expn_gt0 // -!expnM.
apply: leq_trans (_ : 2 ^ (nn k * nn lo) <= _); first by rewrite ltn_exp2l.
by rewrite mulnC expnM (mulnC (nn k)) expnM; case: (nn k) => // k'; rewrite leq_exp2r.
Qed.

(** ** The levels and the three forms, as in Definitions.v *)
Section Tests.
Variable a : arithmetic.

Fixpoint levels_test (beta : N) (Lam : nat -> N) (e : nat) (D T k n0 : N) (ns : seq N) (cs : seq (N * N)) : bool :=
  match ns, cs with
  | [::], _ => ends a D n0 k
  | n :: ns', (x, th) :: cs' =>
      [&& N.leb th n0, covers a n0 (N.pred th) (x * k) (1 + x * D)
      & levels_test beta Lam e.+1 (x * D + 1 + Lam e + beta * (N.of_nat e * x * n0 + T))
                (x * (n0 + T)) (n * th) (n0 * n) ns' cs']
  | _ :: _, [::] => false
  end%num.
Definition hardA_test (beta : N) (Lam : nat -> N) (m : N) (ns : seq N) (x0 : N) (cs : seq (N * N)) : bool :=
  (N.leb x0 m && levels_test beta Lam 1 (Lam 0%N) (N.succ (binary_queries ns) * x0) x0 m ns cs)%num.
Definition hardA_free_test (beta : N) (Lam : nat -> N) (m : N) (ns : seq N) (x0 x1 : N) (cs : seq (N * N)) : bool :=
  (if ns is n1 :: ns' then
    [&& N.ltb 0 x0, N.leb x0 m, N.ltb 0 x1, N.eqb (Lam 0%N) 0 &
     levels_test beta Lam 2 (Lam 1%N + beta * (x1 * m + N.succ (binary_queries ns) * x0))
            (x1 * (m + N.succ (binary_queries ns) * x0)) (n1 * N.min (x0 * x1) m) (m * n1) ns' cs]
  else false)%num.
Definition hardB_test (beta : N) (Lam : nat -> N) (m : N) (ns : seq N) (x0 x1 th1 : N) (cs : seq (N * N)) : bool :=
  (if ns is n1 :: ns' then
    let W := binary_queries ns in let D1 := beta * W + Lam 1%N in
    [&& N.leb x0 m, N.leb th1 m, covers a m (N.pred th1) (x1 * x0) (1 + x1 * D1) &
     levels_test beta Lam 3 (x1 * D1 + 1 + Lam 2%N + beta * (2 * x1 * m + W * x0 + x0 + x0 * x1))
            (x1 * (m + N.succ W * x0)) (n1 * th1) (m * n1) ns' cs]
  else false)%num.

Definition to_choice (c : N * N) : nat * nat := (nn c.1, nn c.2).
Definition to_bits (Lam : nat -> N) (t : nat) : nat := nn (Lam t).

(** What levels_test accepts satisfies levels. *)
Lemma levels_testP beta Lam ns cs e D T k n0 : levels_test beta Lam e D T k n0 ns cs ->
  levels (nn beta) (to_bits Lam) e (nn D) (nn T) (nn k) (nn n0) (map N.to_nat ns) (map to_choice cs).
Proof.
elim: ns cs e D T k n0 => [|n ns IH] [|[x th] cs] e D T k n0 //; try exact: endsP.
case/and3P => /toLe h1 /coversP h2 /IH h3; apply/andP; split; first (apply/andP; split=> //).
  by move: h2; rewrite !(toM, toX, toD, toP).
by move: h3; rewrite !(toM, toD) Nat2N.id.
Qed.
(** What hardA_test accepts satisfies hardA. *)
Lemma hardA_testP beta Lam m ns x0 cs : hardA_test beta Lam m ns x0 cs ->
  hardA (nn beta) (to_bits Lam) (nn m) (map N.to_nat ns) (nn x0) (map to_choice cs).
Proof. by case/andP => /toLe h1 /levels_testP h2; apply/andP; split=> //; move: h2; rewrite toM toS -toQ. Qed.
(** The same for Theorem A with Λ_0 = 0. *)
Lemma hardA_free_testP beta Lam m ns x0 x1 cs : hardA_free_test beta Lam m ns x0 x1 cs ->
  hardA_free (nn beta) (to_bits Lam) (nn m) (map N.to_nat ns) (nn x0) (nn x1) (map to_choice cs).
Proof.
case: ns => [|n1 ns] // /and5P[/toLt h1 /toLe h2 /toLt h3 /N.eqb_spec h4 /levels_testP h5].
apply/and5P; split=> //; first by rewrite /to_bits h4.
by move: h5; rewrite !(toM, toD) toS -toQ toMin !toM.
Qed.
(** The same for Theorem B. *)
Lemma hardB_testP beta Lam m ns x0 x1 th1 cs : hardB_test beta Lam m ns x0 x1 th1 cs ->
  hardB (nn beta) (to_bits Lam) (nn m) (map N.to_nat ns) (nn x0) (nn x1) (nn th1) (map to_choice cs).
Proof.
case: ns => [|n1 ns] //.
rewrite /hardB_test /hardB -/(binary_queries (n1 :: ns)); have := toQ (n1 :: ns); rewrite [map _ _]/=.
move: (binary_queries _) (queries _) => W W' ->.
case/and4P => /toLe h1 /toLe h2 /coversP h3 /levels_testP h4.
apply/and4P; split=> //; first by move: h3; rewrite !(toM, toX, toD, toP).
by move: h4; rewrite !(toM, toD) toS.
Qed.
End Tests.

(** ** Lists of Λ_t: the last stands for all later ones *)
Definition listed (Lam : seq N) (t : nat) : N := nth (last 0%num Lam) Lam t.
Definition bits (Lam : seq N) : nat -> nat := to_bits (listed Lam).

(** Zeros in front move the list up. *)
Lemma listed_padded z Lam t : listed (nseq z 0%num ++ Lam) t = if t < z then 0%num else listed Lam (t - z).
Proof.
rewrite /listed last_cat (_ : last 0%num (nseq z 0%num) = 0%num); last by elim: z.
by rewrite nth_cat size_nseq nth_nseq; case: ltnP.
Qed.

(** ** Theorems for certificates *)

(** N_{L-1} of a list in binary. *)
Lemma to_last_size m ns : last_size (nn m) (map N.to_nat ns) = nn (foldl N.mul m ns).
Proof. by elim: ns m => //= n ns IH m; rewrite -IH toM. Qed.

(** Theorem A: at most L−1 Full layers. *)
Theorem certificate_A a beta Lam m ns x0 cs : hardA_test a beta (listed Lam) m ns x0 cs ->
  forall md, message_bits md (nn beta) -> state_bits md (bits Lam) -> number_full md <= size ns ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof. by move=> /hardA_testP h md hb hl hF; apply: (theoremA hb hl _ h); rewrite size_map. Qed.
(** Theorem A with Λ_0 = 0. *)
Theorem certificate_A_free a beta Lam m ns x0 x1 cs : hardA_free_test a beta (listed Lam) m ns x0 x1 cs ->
  forall md, message_bits md (nn beta) -> state_bits md (bits Lam) -> number_full md <= size ns ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof. by move=> /hardA_free_testP h md hb hl hF; apply: (theoremA_free hb hl _ h); rewrite size_map. Qed.

(** Theorem B: at most L Full layers, no Rec layer before the second; two or more tables. *)
Theorem certificate_B a beta Lam m ns x0 x1 th1 cs : hardB_test a beta (listed Lam) m ns x0 x1 th1 cs ->
  forall md, message_bits md (nn beta) -> state_bits md (bits Lam) -> number_full md <= (size ns).+1 ->
  no_early_rec md -> ~ solves (nn m) (map N.to_nat ns) md.
Proof. by move=> /hardB_testP h md hb hl hF hR; apply: (theoremB hb hl _ hR h); rewrite size_map. Qed.
(** Theorem B for one table. *)
Theorem certificate_B_one a beta Lam m : ends a (N.add beta (listed Lam 1)) m m ->
  forall md, message_bits md (nn beta) -> state_bits md (bits Lam) -> number_full md <= 1 ->
  no_early_rec md -> ~ solves (nn m) [::] md.
Proof. by move=> /endsP; rewrite toD => h md hb hl hF hR; apply: (theoremB_one hb hl hF hR h). Qed.

(** Theorem C: no Full layer; with a chain of thought as well. *)
Theorem certificate_C a lam m ns : ends a lam (foldl N.mul m ns) (foldl N.mul m ns) ->
  forall md, number_full md = 0 -> all_state_bits md (nn lam) ->
  ~ solves (nn m) (map N.to_nat ns) md /\ forall next, ~ solves_cot (nn m) (map N.to_nat ns) (md := md) next.
Proof.
move=> /endsP; rewrite -!to_last_size => h md hF hl.
by split=> [|next]; [apply: theoremC hF hl h | apply: theoremC_cot hF hl h].
Qed.

(** A word of layers with fewer Full layers than L−1: idle ones in front, and zeros in front of Λ. *)
Lemma by_padding z beta Lam m ns w :
  (forall md, message_bits md (nn beta) -> state_bits md (bits (nseq z 0%num ++ Lam)) ->
     number_full md <= size ns -> ~ solves (nn m) (map N.to_nat ns) md) ->
  z + count id w <= size ns ->
  forall md, word md = w -> message_bits md (nn beta) -> state_bits md (bits Lam) ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof.
move=> no hz md Ew hb hl sol; apply: (no (padded md z)); first exact: padded_message_bits.
- by move=> t; have := padded_state_bits z hl t; rewrite /padded_bits /bits /to_bits listed_padded; case: ltnP.
- by rewrite padded_number_full number_full_word Ew.
by move=> z0 zs ws ok; rewrite padded_output; apply: sol.
Qed.
(** Theorem A for a word. *)
Theorem decision_A a z beta Lam m ns x0 cs w : hardA_test a beta (listed (nseq z 0%num ++ Lam)) m ns x0 cs ->
  z + count id w <= size ns -> forall md, word md = w -> message_bits md (nn beta) -> state_bits md (bits Lam) ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof. by move=> h; apply: by_padding; apply: certificate_A h. Qed.
(** Theorem A with Λ_0 = 0 for a word. *)
Theorem decision_A_free a z beta Lam m ns x0 x1 cs w :
  hardA_free_test a beta (listed (nseq z 0%num ++ Lam)) m ns x0 x1 cs ->
  z + count id w <= size ns -> forall md, word md = w -> message_bits md (nn beta) -> state_bits md (bits Lam) ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof. by move=> h; apply: by_padding; apply: certificate_A_free h. Qed.
(** Theorem B for a word. *)
Theorem decision_B a beta Lam m ns x0 x1 th1 cs w : hardB_test a beta (listed Lam) m ns x0 x1 th1 cs ->
  count id w <= (size ns).+1 -> all id (upto_word 1 w) ->
  forall md, word md = w -> message_bits md (nn beta) -> state_bits md (bits Lam) ->
  ~ solves (nn m) (map N.to_nat ns) md.
Proof.
by move=> h c r md Ew hb hl; apply: (certificate_B h hb hl); rewrite ?number_full_word ?no_early_rec_word Ew.
Qed.
(** Theorem B for a word and one table. *)
Theorem decision_B_one a beta Lam m w : ends a (N.add beta (listed Lam 1)) m m ->
  count id w <= 1 -> all id (upto_word 1 w) ->
  forall md, word md = w -> message_bits md (nn beta) -> state_bits md (bits Lam) -> ~ solves (nn m) [::] md.
Proof.
by move=> h c r md Ew hb hl; apply: (certificate_B_one h hb hl); rewrite ?number_full_word ?no_early_rec_word Ew.
Qed.
(** Theorem C for a word. *)
Theorem decision_C a lam m ns w : ends a lam (foldl N.mul m ns) (foldl N.mul m ns) -> count id w = 0 ->
  forall md, word md = w -> all_state_bits md (nn lam) ->
  ~ solves (nn m) (map N.to_nat ns) md /\ forall next, ~ solves_cot (nn m) (map N.to_nat ns) (md := md) next.
Proof. by move=> h c md Ew hl; apply: (certificate_C h) => //; rewrite number_full_word Ew. Qed.

(** L ≤ depth: C1 or C2, at all sizes. *)
Theorem decision_solvable w L : 0 < L -> L <= depth w -> forall m ns, (size ns).+1 = L -> exists md,
  [/\ word md = w, solves m ns md, forall beta, tokens m ns <= 2 ^ beta -> message_bits md beta
    & forall lam, maxn m 1 <= 2 ^ lam -> all_state_bits md lam].
Proof. by move=> L0; have [] := exact_depth w L0. Qed.

(** ** C3 at given sizes: L+1 or more Rec layers whose states hold a table each *)
Fixpoint binary_sizes (m : N) (ns : seq N) : seq N :=
  m :: (if ns is n :: ns' then binary_sizes (N.mul m n) ns' else [::]).
(** The sizes computed are the sizes. *)
Lemma to_sizes m ns : sizes (nn m) (map N.to_nat ns) = map N.to_nat (binary_sizes m ns).
Proof. by elim: ns m => //= n ns IH m; rewrite -IH toM. Qed.

(** N·⌈log2 N⌉ bits hold a table of N entries, N ≥ 1. *)
Definition holds_table (held n0 : N) : bool := N.ltb 0 n0 && N.leb (N.mul n0 (N.log2_up n0)) held.
(** So many bits have N^N values. *)
Lemma holds_tableP held n0 : holds_table held n0 -> maxn (nn n0) 1 ^ maxn (nn n0) 1 <= 2 ^ nn held.
Proof.
case/andP => /toLt n1 /toLe; rewrite toM (maxn_idPl _) // => le.
have h : nn n0 <= 2 ^ nn (N.log2_up n0).
  rewrite -[2]/(nn 2) -toX; have := N.log2_log2_up_spec n0; move: n1 => /ltP; rewrite -/(N.to_nat 0) => n1 s.
  by apply/leP; have [_ ?] := s ltac:(lia); lia.
apply: leq_trans (_ : 2 ^ (nn n0 * nn (N.log2_up n0)) <= _); last by rewrite leq_exp2l.
by rewrite mulnC expnM leq_exp2r.
Qed.

(** A Rec layer that keeps nothing. *)
Definition idle_rec X : layer X := Rec (St := unit_finType) tt (fun _ s _ => s) (fun _ x _ => x).
(** C3, and idle layers after it. *)
Theorem decision_C3 k held m ns : all (holds_table held) (binary_sizes m ns) -> exists md,
  [/\ word md = nseq ((size ns).+2 + k) false, solves (nn m) (map N.to_nat ns) md
    & all (fun l => states l <= 2 ^ nn held) (layers md)].
Proof.
move=> h; set ns' := map N.to_nat ns; set md := C3 (nn m) ns'.
have run_idle (x : nat -> XC) : foldl (@run XC) x (nseq k (idle_rec XC)) = x by elim: k x => //= j IH x; rewrite IH.
exists (Model (embed md) (layers md ++ nseq k (idle_rec XC)) (@out md)); split.
- by rewrite /word map_cat map_nseq [map _ (layers md)]/= stored_word size_map nseqD.
- by move=> z0 zs ws ok; rewrite -(C3_solves ok) /output /= foldl_cat run_idle.
rewrite all_cat all_nseq /= card_unit expn_gt0 orbT andbT card_ord predn_max.
have sizesP : all (fun N => maxn N 1 ^ maxn N 1 <= 2 ^ nn held) (sizes (nn m) ns').
  by rewrite to_sizes all_map; apply: sub_all h => n0 /holds_tableP.
apply/andP; split.
  have : nn m \in sizes (nn m) ns' by case: (ns') => [|n n']; rewrite /= inE eqxx.
  move/(allP sizesP); apply: leq_trans; rewrite -[X in X <= _]expn1 leq_pexp2l ?leq_max ?orbT //.
by rewrite -(all_map (@states _) (fun s => s <= 2 ^ nn held)) stored_states all_map.
Qed.
