(** What the program of Checker.v accepts holds: enclosures enclose, the inequalities that it finds true are those of
    Theorems A and B in natural numbers, and so every accepted claim is true (`accepts_sound`). *)
From Coq Require Import PeanoNat PArith NArith ZArith QArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Counting Knowledge TheoremA TheoremC TheoremB TheoremD SparseTwoSum SparseAverageNear
  Padding ExactDepth ExactModels TheoremA2W TheoremCPrime RelativeEntropy TheoremA2Average Binary Logarithms Decide FloorExp Runs Claims Enclosures EnclosuresSound SharperChecker SharperSound CeilingChecker CeilingSound Checker.
From separation Require Import LookUps LookUpsSound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.

Local Notation nn := N.to_nat.

(** a < b of small numbers. *)
Lemma toNatLt a b : Nat.ltb a b -> a < b. Proof. by move/PeanoNat.Nat.ltb_lt/ltP. Qed.
(** a = b of small numbers. *)
Lemma toNatEq a b : Nat.eqb a b -> a = b. Proof. by move/PeanoNat.Nat.eqb_eq. Qed.

Section Digits.
Variable q : nat.
Local Notation Q := (2 ^ q).

(** (E_ℓ) of the docs from logarithms. *)
Lemma cover_by_logarithms_of_e N th t b s c lo hi num den : 0 < den -> 0 < th ->
  (forall j, den * j.+1 ^ j <= num * j ^ j) -> num ^ Q <= 2 ^ c * den ^ Q -> 2 ^ lo <= N ^ Q -> th ^ Q <= 2 ^ hi ->
  hi <= lo -> th + s <= t.+1 -> th * c + b * Q <= s * (lo - hi) ->
  th <= N /\ 2 ^ b * ('C(N, th.-1) * th.-1 ^ t) <= N ^ t.
Proof.
move=> den0 th0 e hc hlo hhi le hs hb.
have Q0 : 0 < Q by rewrite expn_gt0.
have thN : th <= N by rewrite -(@leq_exp2r _ _ Q) //; apply: leq_trans hhi (leq_trans _ hlo); rewrite leq_exp2l.
have raise j u v : u <= v -> u ^ j <= v ^ j by case: j => // j ac; rewrite leq_exp2r.
split=> //; apply: (cover_by_e e den0 th0 thN hs).
rewrite -(@leq_exp2r _ _ Q) // !expnMn -!expnM.
rewrite [th * Q]mulnC [s * Q]mulnC ![_ ^ (Q * _)]expnM.
apply: leq_trans (leq_mul (leqnn _) (leq_mul (raise th _ _ hc) (raise s _ _ hhi))) _.
apply: leq_trans (leq_mul (leqnn _) (raise s _ _ hlo)).
rewrite expnMn -!expnM.
have -> : 2 ^ (b * Q) * (2 ^ (c * th) * den ^ (Q * th) * 2 ^ (hi * s))
        = den ^ (Q * th) * 2 ^ (th * c + b * Q + hi * s).
  by rewrite !expnD [th * c]mulnC; move: (2 ^ _) (2 ^ _) (2 ^ _) (den ^ _) => *; mring.
rewrite leq_mul2l leq_exp2l //; apply/orP; right.
by rewrite -(subnKC le) mulnDl addnC leq_add2l [X in _ <= X]mulnC.
Qed.

(** What covers_e accepts is (E_ℓ). *)
Lemma covers_eP n0 th t b (half : bool) N Th T B : encloses n0 N -> encloses th Th -> encloses t T -> encloses b B ->
  (half -> Th = maxn 1 T./2) -> covers_e q (log_of_e q tt) n0 th t b half ->
  Th <= N /\ 2 ^ B * ('C(N, Th.-1) * Th.-1 ^ T) <= N ^ T.
Proof.
move=> hn hth ht hb eTh; case/and5P => l1 l2 l3 /toLe le.
have K0 : 0 < euler_terms q by [].
have hc := euler_bitsP q K0; have Th0 := low_gt0 hth l2; have T0 := low_gt0 ht l3.
have hlo := log_of_lowP q hn l1; have hhi := log_of_highP q hth.
set r := N.sub _ _; have er : nn r = nn (log_of_low q n0) - nn (log_of_high q th) by rewrite /r toB.
have hu := exactly_ok (unit_bits q); rewrite unit_bits_value in hu.
have needed := plus_ok (times_ok hth (exactly_ok (log_of_e q tt))) (times_ok hb hu).
have main s : Th + s <= T.+1 -> Th * nn (log_of_e q tt) + B * Q <= s * nn r ->
    Th <= N /\ 2 ^ B * ('C(N, Th.-1) * Th.-1 ^ T) <= N ^ T.
  rewrite er => hs hm.
  exact: (cover_by_logarithms_of_e (euler_den_gt0 K0) Th0 (euler_fraction K0) hc hlo hhi le hs hm).
case: half eTh => [/(_ isT) eTh|_].
  move/(at_mostP needed (times_ok hth (exactly_ok r))); apply: main.
  have dbl : T./2.*2 <= T by rewrite -[X in _ <= X]odd_double_half leq_addl.
  by rewrite eTh addnn /maxn; case: ifP => [_|/negbT]; [exact: leqW | rewrite -leqNgt; case: (T) T0].
case/andP => /(at_mostP hth ht) leT /(at_mostP (plus_ok needed (times_ok hth (exactly_ok r))) (times_ok ht (exactly_ok r))) hm.
apply: (main (T - Th)); first by rewrite subnKC.
by rewrite mulnBl -(leq_add2r (Th * nn r)) subnK // leq_mul2r leT orbT.
Qed.
(** ** The levels *)
(** What levels_e accepts satisfies levels, with some choice. *)
Lemma levels_eP beta linear Lam ns xs ths e D T k n0 D' T' k' N :
  (forall t, encloses (linear t) (Lam t)) -> encloses D D' -> encloses T T' -> encloses k k' -> encloses n0 N ->
  levels_e q (log_of_e q tt) beta linear e D T k n0 ns xs ths ->
  exists cs, levels (nn beta) Lam e D' T' k' N (map number_value ns) cs.
Proof.
move=> hL; elim: ns xs ths e D T k n0 D' T' k' N => [|n ns IH] [|x0 xs] ths e D T k n0 D' T' k' N hD hT hk hn //=;
  try by move=> /(ends_eP hD hn hk); exists [::].
have hx := of_number_ok x0; have hs := of_number_ok n; have ht := times_ok hx hk.
set th := (if ths is Some (c :: _) then of_number c else _).
have hb := plus_ok (exactly_ok 1) (times_ok hx hD).
pose Th := if ths is Some (c :: _) then number_value c else maxn 1 (number_value x0 * k')./2.
have hth : encloses th Th by rewrite /th /Th; case: (ths) => [[|c l]|]; try exact: of_number_ok; apply: halved_ok.
case/andP => hcov hrest.
have [thN hE] : Th <= N /\ 2 ^ (1 + number_value x0 * D') * ('C(N, Th.-1) * Th.-1 ^ (number_value x0 * k'))
    <= N ^ (number_value x0 * k').
  by apply: (covers_eP hn hth ht hb _ hcov); rewrite /Th; case: (ths).
have hD2 := plus_ok (plus_ok hb (hL e)) (times_ok (exactly_ok beta)
              (plus_ok (times_ok (times_ok (exactly_ok (N.of_nat e)) hx) hn) hT)).
have [cs hcs] := IH _ _ _ _ _ _ _ _ _ _ _ hD2 (times_ok hx (plus_ok hn hT)) (times_ok hs hth) (times_ok hn hs) hrest.
exists ((number_value x0, Th) :: cs); rewrite thN hE /=; move: hcs; rewrite Nat2N.id.
by rewrite [1 + _]addnC.
Qed.

(** The product of the n_ℓ is enclosed. *)
Lemma queries_e_ok ns : encloses (queries_e ns) (queries (map number_value ns)).
Proof. by elim: ns => [|n ns IH]; [exact: (exactly_ok 1) | apply: times_ok => //; apply: of_number_ok]. Qed.
(** N_{L-1}. *)
Lemma last_e_ok t : encloses (last_e t) (last_size (number_value (task_m t)) (task_sizes t)).
Proof.
rewrite /last_e /task_sizes; elim: (task_ns t) (of_number _) (number_value _) (of_number_ok (task_m t)) => //= n ns IH i k h.
by apply: IH; apply: times_ok => //; apply: of_number_ok.
Qed.

(** Λ_t of a list, as in Claims.v. *)
Definition linear_bits (linear : seq number) (t : nat) : nat :=
  let values := map number_value linear in nth (last 0 values) values t.
(** A list without a default. *)
Lemma nth_of_map d l t : nth (number_value d) (map number_value l) t = number_value (nth d l t).
Proof. by elim: l t => [|c l IH] [|t] /=. Qed.
(** Λ_t is enclosed. *)
Lemma nth_linear_ok linear t : encloses (nth_linear linear t) (linear_bits linear t).
Proof.
rewrite /nth_linear /nth_number /linear_bits /=; have -> : 0 = number_value [:: (0, 1)%num] by [].
by rewrite last_map nth_of_map; apply: of_number_ok.
Qed.

(** What the checker accepts by Theorem A is impossible. *)
Lemma checkA_sound t beta linear c : checkA q t beta linear c ->
  forall md, message_bits md (nn beta) -> state_bits md (linear_bits linear) -> number_full md <= size (task_ns t) ->
  ~ solves_task t md.
Proof.
move=> /andP[_]; case E : (chosen_kept c) => [|x0 xs] // /andP[hxm rest] md hb hl hF.
have hm := of_number_ok (task_m t); have hx := of_number_ok x0; have hL := nth_linear_ok linear.
have hxm' := at_mostP hx hm hxm.
have hF' : number_full md <= size (task_sizes t) by rewrite size_map.
have hV : encloses (times (plus (queries_e (task_ns t)) (exactly 1)) (of_number x0))
    ((queries (task_sizes t)).+1 * number_value x0).
  by apply: times_ok => //; rewrite -addn1; apply: plus_ok (queries_e_ok _) (exactly_ok 1).
have plainA : (exists cs, levels (nn beta) (linear_bits linear) 1 (linear_bits linear 0)
    ((queries (task_sizes t)).+1 * number_value x0) (number_value x0) (number_value (task_m t)) (task_sizes t) cs) ->
    ~ solves_task t md.
  by case=> cs hcs; apply: (theoremA hb hl hF' (x0 := number_value x0) (cs := cs)); rewrite /hardA hxm'.
case: (chosen_free c) rest; last first.
  by move/(levels_eP hL (hL 0) hV hx hm); apply: plainA.
case/andP => /(is_zeroP (hL 0)) L0; rewrite /solves_task /task_sizes in plainA hF' hV *.
case Ens : (task_ns t) plainA hF' hV => [|n1 ns] plainA hF' hV.
  by move/(ends_eP (hL 0) hm hx) => h; apply: plainA; exists [::].
case: xs E => // x1 xs E /and3P[x00 x10 lev].
have hy := of_number_ok x1; have hn := of_number_ok n1.
have [cs hcs] := levels_eP hL (plus_ok (hL 1) (times_ok (exactly_ok beta) (plus_ok (times_ok hy hm) hV)))
  (times_ok hy (plus_ok hm hV)) (times_ok hn (smaller_ok (times_ok hx hy) hm)) (times_ok hm hn) lev.
apply: (theoremA_free hb hl hF' (x0 := number_value x0) (x1 := number_value x1) (cs := cs)).
by apply/and5P; split; rewrite ?L0 ?(low_gt0 hx x00) ?(low_gt0 hy x10).
Qed.

(** Theorem B, L ≥ 2. *)
Lemma checkB_sound t beta linear c : checkB q t beta linear c ->
  forall md, message_bits md (nn beta) -> state_bits md (linear_bits linear) ->
  number_full md <= (size (task_ns t)).+1 -> no_early_rec md -> ~ solves_task t md.
Proof.
case/and3P => _ _; rewrite /solves_task /task_sizes; case: (task_ns t) => [|n1 ns] //.
case: (chosen_kept c) => [|x0 [|x1 xs]] //; cbv zeta; case/and3P => hxm hcov lev md hb hl hF hR.
have hm := of_number_ok (task_m t); have hx := of_number_ok x0; have hy := of_number_ok x1.
have hL := nth_linear_ok linear; have hxm' := at_mostP hx hm hxm; have hn := of_number_ok n1.
have hW := queries_e_ok (n1 :: ns); have hbeta := exactly_ok beta.
have hD := plus_ok (times_ok hbeta hW) (hL 1).
have ht := times_ok hy hx; have hlost := plus_ok (exactly_ok 1) (times_ok hy hD).
move: hcov lev; set th := (if _ is Some (h :: _) then of_number h else _) => hcov lev.
pose Th := if chosen_reached c is Some (h :: _) then number_value h
           else maxn 1 (number_value x1 * number_value x0)./2.
have hth : encloses th Th.
  by rewrite /th /Th; case: (chosen_reached c) => [[|h l]|]; try exact: of_number_ok; apply: halved_ok.
have eTh : (if chosen_reached c is None then true else false) -> Th = maxn 1 (number_value x1 * number_value x0)./2.
  by rewrite /Th; case: (chosen_reached c).
have [thm hE] := covers_eP hm hth ht hlost eTh hcov.
have hbr := plus_ok (plus_ok (plus_ok (times_ok (times_ok (exactly_ok 2) hy) hm) (times_ok hW hx)) hx) (times_ok hx hy).
have [cs hcs] := levels_eP hL (plus_ok (plus_ok hlost (hL 2)) (times_ok hbeta hbr))
  (times_ok hy (plus_ok hm (times_ok (plus_ok hW (exactly_ok 1)) hx))) (times_ok hn hth) (times_ok hm hn) lev.
apply: (theoremB hb hl _ hR (x0 := number_value x0) (x1 := number_value x1) (th1 := Th) (cs := cs)).
  by rewrite /= size_map.
have one : nn 1 = 1 by []; have two : nn 2 = 2 by [].
move: hE hcs; rewrite one two => hE hcs; apply/and4P; split=> //.
by move: hcs; rewrite !addn1 add1n.
Qed.

(** Theorem B, L = 1. *)
Lemma checkBOne_sound t beta linear : checkBOne q t beta linear ->
  forall md, message_bits md (nn beta) -> state_bits md (linear_bits linear) -> number_full md <= 1 ->
  no_early_rec md -> ~ solves_task t md.
Proof.
rewrite /checkBOne /solves_task /task_sizes; case: (task_ns t) => //= h md hb hl hF hR.
have hm := of_number_ok (task_m t); apply: (theoremB_one hb hl hF hR).
exact: (ends_eP (plus_ok (exactly_ok beta) (nth_linear_ok linear 1)) hm hm h).
Qed.

(** What it accepts by Theorem C is impossible, with any chain of thought too. *)
Lemma checkC_sound t linear : checkC q t linear ->
  forall md, number_full md = 0 -> all_state_bits md (linear_bits linear 0) ->
  ~ solves_task t md /\ forall next, ~ solves_cot (number_value (task_m t)) (task_sizes t) (md := md) next.
Proof.
move=> /andP[_ h] md hF hl; have hN := last_e_ok t; have := ends_eP (nth_linear_ok linear 0) hN hN h.
by move=> lt; split=> [|next]; [apply: theoremC hF hl lt | apply: theoremC_cot hF hl lt].
Qed.

(** ** The other fields *)
(** A plain number is its integer. *)
Lemma plainP c : is_plain c -> number_value c = nn (plain c).
Proof. by case: c => [|[n [|[?|?|]]] [|? ?]] // _; rewrite /number_value /= expn1 muln1. Qed.
(** Numbers without exponents have their values. *)
Lemma all_plainP ns : all is_plain ns -> map number_value ns = map N.to_nat (map plain ns).
Proof. by elim: ns => //= n ns IH /andP[/plainP -> /IH ->]. Qed.
(** The sum of the sizes. *)
Lemma summedP n0 ns : all is_plain ns -> sumn (sizes (nn n0) (map number_value ns)) = nn (summed n0 ns).
Proof. by elim: ns n0 => [|n ns IH] n0 /= => [_|/andP[/plainP h /IH E]]; rewrite toD ?addn0 //= h -toM E. Qed.
(** The prompt's length. *)
Lemma check_tokens_sound t : check_tokens t -> stated_tokens t.
Proof.
rewrite /check_tokens /stated_tokens; case: (task_tokens t) => // n /and3P[/plainP em ans /N.eqb_spec <-].
by rewrite /tokens em summedP // toD.
Qed.
(** The sum of the sizes, enclosed. *)
Lemma summed_e_ok i n0 ns : encloses i n0 -> encloses (summed_e i ns) (sumn (sizes n0 (map number_value ns))).
Proof.
elim: ns i n0 => [|n ns IH] i n0 h /=; first by rewrite addn0.
by apply: plus_ok => //; apply: IH; apply: times_ok => //; apply: of_number_ok.
Qed.
(** The messages of the heads: β ≥ H·(d·(P+p+k+1) + P+k) for a k with n ≤ 2^k (M1). *)
Definition stated_heads (t : task) (b : budget) : Prop :=
  if budget_heads b is Some (H, d, P, p) then
    exists k, tokens (number_value (task_m t)) (task_sizes t) <= 2 ^ k /\
      nn H * (nn d * (nn P + nn p + k + 1) + nn P + k) <= nn (budget_beta b)
  else True.
(** What check_heads accepts. *)
Lemma check_heads_sound t b : check_heads t b -> stated_heads t b.
Proof.
rewrite /check_heads /stated_heads; case: (budget_heads b) => // -[[[H d] P] p] /toLe.
set n := plus _ _; set k := N.add (N.log2_up _) _ => le; exists (nn k); split; last by move: le; rewrite !(toM, toD).
have /andP[_ h] : encloses n (tokens (number_value (task_m t)) (task_sizes t)).
  by rewrite /tokens -add2n; apply: plus_ok (exactly_ok 2) (summed_e_ok _ (of_number_ok _)).
apply: leq_trans h _; rewrite /k toD expnD leq_mul2r; apply/orP; right.
rewrite -[2]/(nn 2) -toX; case: (N.ltb_spec 1 (high n)) => l1; first by have [_ ?] := N.log2_up_spec _ l1; apply/leP; lia.
by rewrite N.log2_up_eqn0 // /=; apply/leP; lia.
Qed.

(** All states of a model together. *)
Lemma all_bits X k (ls : seq (exact_layer X)) :
  \prod_(l <- map (as_layer k) ls) states l = 2 ^ sumn (map (@ExactDefinitions.linear_bits X) ls).
Proof. by elim: ls => [|l ls IH]; rewrite ?big_nil //= big_cons IH as_layer_states expnD. Qed.
(** So what is forbidden of all models is forbidden of exact ones with these heads. *)
Lemma forbids_heads_sound t b r shape : stated_heads t b -> forbids t b r shape -> forbids_heads t b r shape.
Proof.
rewrite /stated_heads /forbids_heads; case: (budget_heads b) => // -[[[H d] P] p] [k [small fit]] no md.
rewrite -(exact_model_word k md) => hs heads bits sol.
have msg : message_bits (as_model k md) (nn (budget_beta b)).
  apply: exact_model_message_bits; apply: sub_all heads => -[H' d' P' p' e v A s n f|//|//] /=.
  case/and4P => h1 h2 h3 h4; apply: leq_trans fit; rewrite -(addnA (_ * _)).
  by apply: leq_mul => //; apply: leq_add; [apply: leq_mul => //; rewrite !leq_add | rewrite leq_add].
move: small; rewrite /tokens -addn2 => small; move/(exactly_solves_model md small): sol.
have := no _ hs; case: r no hs bits => [c|c|||n s] no hs bits.
- by move=> /(_ msg) h; apply: h; apply: exact_model_state_bits.
- by move=> /(_ msg) h; apply: h; apply: exact_model_state_bits.
- by move=> /(_ msg) h; apply: h; apply: exact_model_state_bits.
- by case=> //; apply: leq_trans (_ : 2 ^ sumn (map (@ExactDefinitions.linear_bits _) (stack md)) <= _);
    rewrite ?leq_exp2l // all_bits.
by move=> /(_ msg) h; apply: h; apply: exact_model_block_bits.
Qed.

(** V(d, B). *)
Lemma add_terms d j : N.iter j (add_term d) (0, (1, 1))%num
  = (j, (N.of_nat 'C(nn d, nn j), N.of_nat (\sum_(t < (nn j).+1) 'C(nn d, t)))).
Proof.
elim/N.peano_ind: j => [|j IH]; first by rewrite /= big_ord_recl big_ord0 bin0.
rewrite N.iter_succ IH /add_term; set c := N.div _ _.
have Ec : c = N.of_nat 'C(nn d, nn (N.succ j)).
  rewrite /c; have -> : ((d - j) * N.of_nat 'C(nn d, nn j) = N.of_nat 'C(nn d, nn (N.succ j)) * N.succ j)%num.
    by apply: N2Nat.inj; rewrite !toM !Nat2N.id toB toS -mul_bin_left mulnC.
  by rewrite N.div_mul //; lia.
rewrite Ec; congr (_, (_, _)); apply: N2Nat.inj; rewrite toD !Nat2N.id toS [in RHS]big_ord_recr /= addnC.
by [].
Qed.
(** V(d, B), all terms. *)
Lemma subsetsP d B : nn (subsets d B) = \sum_(t < (nn B).+1) 'C(nn d, t).
Proof.
rewrite /subsets add_terms /= Nat2N.id toMin -!(big_mkord xpredT (fun t => 'C(nn d, t))).
case: (leqP (nn B) (nn d)) => [//|lt].
have none : \sum_((nn d).+1 <= t < (nn B).+1) 'C(nn d, t) = 0.
  by rewrite big_nat; apply: big1 => t /andP[h _]; apply: bin_small.
by rewrite [in RHS](@big_cat_nat _ _ _ (nn d).+1) //= ?none ?addn0 // ltnS ltnW.
Qed.
(** Theorem D, of blocks and values. *)
Lemma check_blocks_sound u B k g r : check_sparse u B k g r ->
  forall (Sg : finType) (summary : 'I_(nn g) -> {ffun 'I_(nn B) -> 'I_(nn u)} -> Sg),
  #|Sg| <= 2 ^ nn r -> ~ exists scorer reply, right_layer (nn k) summary scorer reply.
Proof.
case/and3P => /toLt kg /toLt u0 /toLt; set d := N.sub u _ => big Sg summary few right.
have amb := (D_criterion (nn k) summary).1 right.
have g0 : g <> 0%num by move=> e; rewrite e in kg.
have hd : (nn d).-1 * nn g < nn u * (nn g - nn k).
  have := N.div_mod (u * k)%num g g0; have := N.mod_lt (u * k)%num g g0.
  rewrite /d toB; move: (N.div _ _) (N.modulo _ _) => e r' lt E.
  have {E} : nn u * nn k = nn g * nn e + nn r' by rewrite -!toM E toD.
  have {lt} : nn r' < nn g by apply/ltP; lia.
  move: (nn u) (nn k) (nn g) (nn e) (nn r') u0 kg => u' k' g' e' r1 u1 kg1 lt E.
  have lt' : u' * k' < e'.+1 * g' by rewrite E mulSn addnC mulnC ltn_add2r.
  rewrite mulnBr ltn_subRL; case: (leqP u' e') => [ue|eu].
    have -> : u' - e' = 0 by apply/eqP; rewrite subn_eq0.
    by rewrite mul0n addn0 ltn_mul2l u1.
  rewrite -[u' - e']prednK ?subn_gt0 // [_.+1.-1]/=; move: (subnKC (ltnW eu)); rewrite -[u' - e']prednK ?subn_gt0 //.
  by move: (u' - e').-1 => j Eu; rewrite -[X in _ < X * _]Eu -addSnnS mulnDl ltn_add2r.
set V := N.sub (subsets _ _) _ in big; have V1 : 2 ^ nn r < nn V.
  have V0 : N.pred V <> 0%num by move=> e; rewrite e in big.
  have := N.log2_spec (N.pred V) ltac:(lia); have := N.size_log2 _ V0 => es [le _].
  have : nn r <= nn (N.log2 (N.pred V)) by move: big; rewrite es toS ltnS.
  rewrite -(@leq_exp2l 2) // => le'; apply: leq_ltn_trans le' _; rewrite -[2]/(nn 2) -toX; apply/ltP; lia.
suff hV : nn V <= #|Sg| by have := leq_trans V1 (leq_trans hV few); rewrite ltnn.
rewrite /V toB subsetsP; case: N.eqb_spec => [ed|nd].
  rewrite ed in hd *; apply: leq_trans (D_bound_full amb kg hd).
  by rewrite -(big_mkord xpredT (fun t => 'C(nn u, t))) big_ltn // bin0 addKn.
rewrite subn0; apply: (D_bound amb kg hd); rewrite ltn_neqAle; apply/andP; split; last by rewrite /d toB leq_subr.
by apply/eqP => e; apply: nd; apply: N2Nat.inj.
Qed.
(** Theorem D, of 2-Sum. *)
Lemma check_sparse_sound u B k g r : check_sparse u B k g r -> says (Sparse u B k g r).
Proof.
move/check_blocks_sound => none M s t Modd uM t0 Sg l few /(right_of_solves Modd t0) right; move: none; rewrite uM => none.
by apply: (none Sg _ few); do 2!eexists; apply: right.
Qed.

(** ** All claims *)
(** The Λ_t of a list with zeros in front. *)
Lemma linear_bits_padded z linear t :
  linear_bits (nseq z [:: (0, 1)%num] ++ linear) t = padded_bits z (linear_bits linear) t.
Proof.
have zeros : map number_value (nseq z [:: (0, 1)%num]) = nseq z 0 by rewrite map_nseq.
rewrite /linear_bits map_cat zeros last_cat (_ : last 0 (nseq z 0) = 0); last by elim: (z).
by rewrite nth_cat size_nseq nth_nseq /padded_bits; case: ltnP.
Qed.

(** An accepted reason forbids the models of its shape. *)
Lemma cannot_sound t b r : check_reason q false t b r 0 -> forbids t b r (shape_of r (size (task_ns t)).+1).
Proof.
move=> h md; move: h; rewrite /check_reason cat0s; case: r => [c|c|||n s] h /=; rewrite /early_free -?no_early_rec_word -?number_full_word.
- by rewrite ltnS => hF hb hl; apply: (checkA_sound h hb hl hF).
- by case=> hF hR hb hl; apply: (checkB_sound h hb hl hF hR).
- case=> hF hR hb hl; apply: (checkBOne_sound h hb hl _ hR).
  by move: h hF; rewrite /checkBOne; case: (task_ns t).
- by move=> hF hl; apply: (checkC_sound h hF hl).
by move=> hF hb hl; apply: (check_sharper_sound h hb hl).
Qed.

(** A decision that a word cannot. *)
Lemma word_cannot_sound w t b r : depth w < (size (task_ns t)).+1 -> named r w (size (task_ns t)).+1 ->
  check_reason q false t b r (if r is ByA _ then size (task_ns t) - full_of w else 0) -> forbids t b r (eq^~ w).
Proof.
move=> hd; rewrite /forbids /named /full_of; case: r => [c|c|||n s] hname h md Ew.
- case/andP: hname => _ /toNatLt; rewrite ltnS => hF hb hl sol.
  set z := _ - _ in h; apply: (checkA_sound h (md := padded md z)).
  + exact: padded_message_bits.
  + by move=> j; have := padded_state_bits z hl j; rewrite linear_bits_padded.
  + by rewrite padded_number_full number_full_word Ew /z subnK.
  by move=> z0 zs ws ok; rewrite padded_output; apply: sol.
- case/andP: hname => /toNatEq hF /toNatLt L1 hb hl.
  apply: (checkB_sound h hb hl); rewrite ?number_full_word ?no_early_rec_word Ew ?hF //.
  by move: hd; rewrite /depth hF /=; case: (all _ _) => //=; rewrite addn1 ltnn.
- case/andP: hname => /toNatEq hF /toNatEq L1 hb hl.
  apply: (checkBOne_sound h hb hl); rewrite ?number_full_word ?no_early_rec_word Ew ?hF ?L1 //.
  by move: hd; rewrite /depth hF /=; case: (all _ _) => //=; rewrite addn1 ltnn.
- by move/toNatEq: hname => hF hl; apply: (checkC_sound h) => //; rewrite number_full_word Ew.
case/andP: hname => /toNatEq hF early hb hl; apply: (check_sharper_sound h hb hl).
rewrite number_full_word no_early_rec_word Ew hF /=; move: early; rewrite /early_free; case: (many_full s) => //= _.
by case/and5P: h => _ _ /toNatLt n0 _ _; rewrite ltn_predL.
Qed.

(** A2_W. *)
Lemma windows_sound t b r0 r1 : stated_heads t b -> check_windows q t b r0 r1 ->
  forbids_windows t b (fun X plain => @between_windows X plain (nn r0) (nn r1)).
Proof.
move=> heads /check_windowsP[n1 [more [ns pos m0 room few]]]; rewrite /forbids_windows ns; split.
  by move=> md F word hb hs; apply: A2W_more word hb hs pos m0 room few.
move: heads; rewrite /stated_heads ns; case: (budget_heads b) => // -[[[H d] P] p] [k [small fit]] md F word attends heads hs.
apply: (A2W_exact small word _ hs pos m0 room few).
case: F attends heads {hs word} => // H' d' P' p' e v A s n f _ /and4P[h1 h2 h3 h4] /=; apply: leq_trans fit.
rewrite -(addnA (_ * _)); apply: leq_mul => //.
by apply: leq_add; [apply: leq_mul => //; rewrite !leq_add | rewrite leq_add].
Qed.

(** ** Ceilings *)
(** One bound for each model is one for all that are drawn. *)
Lemma each_at_most t num den (such : model -> Prop) :
  (forall md, such md -> den * right_inputs (number_value (task_m t)) (task_sizes t) md
     <= num * size (all_inputs (number_value (task_m t)) (task_sizes t))) -> right_at_most t num den such.
Proof.
move=> each n md ok; rewrite big_distrr /= mulnCA -[X in X * (num * _)]card_ord -sum_nat_const.
by apply: leq_sum => i _; apply: each.
Qed.
(** A closed bound a/c has a denominator above 0. *)
Lemma closed_positive n l a c K : closed_bound n l a c K -> 0 < c.
Proof. by case/and4P; case: c => //; rewrite leqn0 => /eqP ->. Qed.
(** A plain Λ_t. *)
Lemma plain_linearP b i : all is_plain (budget_linear b) -> budget_bits b i = nn (plain_linear b i).
Proof.
move=> pl; rewrite -plainP.
  by rewrite /budget_bits /nth_number /=; have -> : 0 = number_value [:: (0, 1)%num] by []; rewrite last_map nth_of_map.
rewrite /nth_number; case: (ltnP i (size (budget_linear b))) => h; first exact: (all_nthP _ pl).
rewrite nth_default //; case: (budget_linear b) pl => //= x l /andP[px pl'].
by elim: l x px pl' {h} => //= y l IH x _ /andP[py /IH]; apply.
Qed.
(** A plain λ_t. *)
Lemma plain_blockP b i : all is_plain (budget_linear b) -> budget_block b i = nn (plain_block b i).
Proof. by move=> pl; case: i => [|i]; rewrite /budget_block /plain_block ?toB !plain_linearP. Qed.
(** Of so many bits of a table no more than a share a/c is right, if the union bound says so. *)
Definition limits (size bits a c : nat) : Prop := 0 < c /\ forall right total,
  size ^ size.+1 * right <= total * (\sum_(1 <= t < size.+1) minn (size ^ size) (2 ^ bits * agreeing size t)) -> c * right <= a * total.
(** A share that is shown. *)
Lemma share_limits size bits a c : check_share q 1 size size bits a c -> limits (nn size) (nn bits) (nn a) (nn c).
Proof.
by case/check_shareP => K /closed_of_share hK; split=> [|right total]; [exact: closed_positive hK | exact: closed_of_union hK].
Qed.
(** The union bound itself. *)
Lemma union_limits size bits a c : averageN size bits a c -> limits (nn size) (nn bits) (nn a) (nn c).
Proof. by move=> ok; split=> [|right total]; [case/and3P: ok => _ /toLt | exact: averageN_sound]. Qed.
(** A model of one share, C' or A2. *)
Lemma one_share_sound w m ns b (shown : N -> N -> bool) a c md : (forall size bits, shown size bits -> limits (nn size) (nn bits) (nn a) (nn c)) ->
  all is_plain (budget_linear b) -> of_word w b md -> check_one_share w m ns b shown ->
  0 < nn c /\ nn c * right_inputs (nn m) (map nn ns) md <= nn a * size (all_inputs (nn m) (map nn ns)).
Proof.
move=> ok pl [ew]; have elam i := plain_linearP i pl; have eF : number_full md = count id w by rewrite number_full_word ew.
rewrite /check_one_share; case ec : (count id w) eF => [|[|k]] //= eF.
- move=> hs /ok[c0 le]; rewrite elam in hs; split=> //.
  have el : last_size (nn m) (map nn ns) = nn (foldl N.mul m ns) by elim: ns (m) {c0 le} => //= x l IH y; rewrite -toM IH.
  by apply: le; rewrite -el; apply: theoremC_average.
case: ns => [|n [|]] //=.
  move=> [hb hl] /andP[/toNatEq sw /ok[c0 le]]; split=> //.
  have [l El] : exists l, layers md = [:: l].
    by move: (congr1 size ew); rewrite /word size_map sw; case: (layers md) => [|l [|]] // _; exists l.
  have := hl 1; move: hb eF; rewrite /message_bits /number_full El /= => /andP[hb _].
  case: l El hb => [A1 A2 A3 A4 A5 A6 A7|A1 A2 A3 A4] El hb //= _; rewrite big_cons big_nil muln1 => hst.
  set l := (X in layers md = [:: X]) in El.
  have hs : states l <= 2 ^ nn (plain_linear b 1).
    by apply: leq_trans hst _; rewrite leq_exp2l // /budget_block elam leq_subr.
  by apply: le; rewrite toD; apply: theoremB_one_average El hb hs.
move=> [hb hl] /andP[/N.eqb_spec l0 /ok[c0 le]]; split=> //.
have z0 : budget_block b 0 = 0 by rewrite /budget_block elam l0.
have z1 : budget_block b 1 = nn (plain_linear b 1) by rewrite /budget_block !elam l0 subn0.
apply: le; rewrite toD !toM -z1; apply: A2_average hb hl _ z0; by rewrite eF.
Qed.
(** A model of several terms, E. *)
Lemma terms_sound w m ns b late xs shares md : all is_plain (budget_linear b) -> of_word w b md -> check_terms q w m ns b late xs shares ->
  nn (added shares).2 * right_inputs (nn m) (map nn ns) md <= nn (added shares).1 * size (all_inputs (nn m) (map nn ns)).
Proof.
move=> pl [ew such] /and3P[pos /toNatLt full rest]; have eF : number_full md = count id w by rewrite number_full_word ew.
have eR : no_early_rec md = early_free w by rewrite no_early_rec_word ew.
move: such; rewrite (_ : Nat.eqb _ 0 = false); last by case: (count id w) full.
move=> [hb hl]; have {}hl : block_bits md (fun i => nn (plain_block b i)) by move=> i; rewrite -plain_blockP.
case: late rest => [/andP[/toNatEq one]|]; first by apply: check_late_sound hb hl _ pos; rewrite eF one.
case: ifP => [/toNatEq all_full|_] /andP[fits]; apply: check_delayed_sound hb hl _ pos; rewrite eF ?eR.
  by rewrite all_full.
by move/PeanoNat.Nat.leb_le/leP: fits.
Qed.
(** An accepted ceiling is one. *)
Lemma check_ceiling_sound w t b num den how : check_ceiling q w t b num den how -> says (Ceiling w t b num den how).
Proof.
rewrite /check_ceiling; set shown := (X in let: (a, c) := X in _); case Es : shown => [a c].
case/and5P => /check_tokens_sound h1 /plainP em pns pl /andP[/toLe]; rewrite !toM => below kind; split=> //.
apply: each_at_most => md such; rewrite /task_sizes (all_plainP pns) em.
have [c0 le] : 0 < nn c /\ nn c * right_inputs (nn (plain (task_m t))) (map nn (map plain (task_ns t))) md
    <= nn a * size (all_inputs (nn (plain (task_m t))) (map nn (map plain (task_ns t)))).
  move: Es kind; rewrite /shown; case: how {shown} => [a' c' [<- <-]|[<- <-]|late xs shares Es].
  - by apply: one_share_sound such => // size bits; apply: share_limits.
  - by apply: one_share_sound such => // size bits; apply: union_limits.
  move=> ok; have := terms_sound pl such ok; rewrite Es; split=> //.
  by case/and3P: ok => /added_gt0; rewrite Es.
exact: share_below c0 le below.
Qed.

(** Theorem D', of blocks and values. *)
Lemma check_found_sound B k g r p d num den : check_found q B k g r p d num den -> says (SparseFinds B k g r p d num den).
Proof.
move/check_shareP => [K share] near odds u Sg summary scorer reply u0 few opens yes all_blocks chances alarms.
rewrite !(toD, toM) in share; apply: (average_near u0 few opens) share.
have add K' G D P S C A : D * S <= P * (C * A * u) -> G * D * (K' * (C * A * u) + G * S) <= (K' * D + G * P) * (C * (G * A) * u).
  move=> le; apply: leq_trans (_ : G * D * (K' * (C * A * u)) + G * G * (D * S) <= _); first by apply: eq_leq; mring.
  by apply: leq_trans (leq_add (leqnn _) (leq_mul (leqnn (G * G)) le)) _; apply: eq_leq; mring.
exact: add alarms.
Qed.

(** The floors of a run are true. *)
Lemma floors_true md ys : only_true (weight_bits md) (floors md ys).
Proof.
move=> z w; rewrite /floors; elim: ys => //= y ys IH; case: ifP => // /andP[/Z.eqb_spec -> /Pos.eqb_spec ->].
by rewrite /floor_at; case: Z.leb_spec => // y0; apply: floor_programP.
Qed.

(** How many inputs there are. *)
Lemma inputs_numberE m ns : nn (inputs_number m ns) = size (all_inputs m ns).
Proof.
have lists_size k b : size (lists k b) = b ^ k by elim: k => //= k IH; rewrite size_allpairs size_iota IH expnS.
rewrite /all_inputs !size_allpairs size_iota /inputs_number !toM !Nat2N.id; congr (_ * _ * _).
  by elim: (sizes m ns) => //= s ss IH; rewrite size_allpairs lists_size toM toX !Nat2N.id IH.
by elim: ns => //= n ns IH; rewrite size_allpairs size_iota toM Nat2N.id IH.
Qed.
(** A known weight is not negative. *)
Lemma floors_positive md ys y w : floors md ys y = Some w -> (0 <= w)%Z.
Proof.
move=> F; have [_ [n high]] := floors_true F.
have y0 : (0 <= Qnum y)%Z.
  move: F; rewrite /floors; elim: ys => //= z ys IH; case: ifP => // /andP[/Z.eqb_spec -> _].
  by rewrite /floor_at; case: Z.leb_spec.
have t0 := T_pos (Pos2Z.is_pos (Qden y)) y0 n; have b0 := B_pos (Qnum y) (Pos2Z.is_pos (Qden y)) n; move: high.
rewrite -/(sum_scaled (Qnum y) (Z.pos (Qden y)) n) -/(unit_scaled (Qnum y) (Z.pos (Qden y)) n).
by have : (0 < 2 ^ Z.of_nat (weight_bits md))%Z; [apply: Z.pow_pos_nonneg; lia | nia].
Qed.
(** A construction. *)
Lemma constructed_sound ys md m ns margin pl : answers_all md (floors md ys) m ns pl margin -> answers_every_input md m ns margin.
Proof.
move=> ok; exists (floors md ys); split; first exact: floors_true.
  exists (fun y => Some (odflt 0%Z (floors md ys y))); split=> [y|y w ->] //; exists (odflt 0%Z (floors md ys y)); split=> //.
  by case F : (floors md ys y) => [w|] //=; apply: floors_positive F.
by move=> e [total agrees]; apply: answers_all_sound ok e total agrees.
Qed.

(** What is accepted holds. *)
Lemma accepts_to_sound ys c : accepts_to q false ys c -> says c.
Proof.
case: c => [t b r|w L t b r|w L first|w L t held|u B k g r|w t b r0 r1|md a b i j ra rb out told|md a i s r|md c M k i a r margin|B k g r p d num den|w t b num den how|md m ns margin covered pl].
- case/and4P => /check_tokens_sound h1 /check_heads_sound h2 _ /cannot_sound h3; split=> //; exact: forbids_heads_sound.
- case/and5P => /N.eqb_spec eL /check_tokens_sound h1 /check_heads_sound h2 /toNatLt hd.
  case/and3P => hname _ /(word_cannot_sound hd hname) h3; split=> //; first by rewrite eL Nat2N.id.
  exact: forbids_heads_sound.
- case/and3P => /toLt L0 /toLe; rewrite Nat2N.id => hL _ m ns; exact: decision_solvable.
- case/and5P => /N.eqb_spec eL /toNatEq hF /toNatLt hw /plainP em /andP[pl held_ok].
  split; first by rewrite eL Nat2N.id.
  have [md [hword sol hst]] := decision_C3 (size w - (size (task_ns t)).+2) held_ok.
  exists md; split=> //; last by rewrite /solves_task /task_sizes em all_plainP.
  rewrite hword size_map subnKC //; move: hF; rewrite /full_of; elim: {+}w => //= -[] //= w' IH.
  by rewrite add0n => /IH ->.
- exact: check_sparse_sound.
- case/and4P => /check_tokens_sound h1 /check_heads_sound h2 /(windows_sound h2) [no noheads] word; split=> //.
  case: w word => [[letters L]|] // /andP[/N.eqb_spec eL spell]; split; first by rewrite eL Nat2N.id.
  split; first by move=> md F /(spells_between spell); apply: no.
  by move: noheads; case: (budget_heads b) => // -[[[H d] P] p] noheads md F /(spells_between spell); apply: noheads.
1,2,3: by exists (floors md ys); split=> //; exact: floors_true.
- exact: check_found_sound.
- exact: check_ceiling_sound.
case/andP => /toLe; rewrite toX inputs_numberE => many /constructed_sound; split=> //; exact: many.
Qed.
End Digits.

(** What the checker accepts holds. *)
Theorem accepts_sound ys c : accepts ys c -> says c.
Proof. exact: accepts_to_sound. Qed.
