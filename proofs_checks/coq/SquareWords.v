(** The look-ups of Squares.v in every word: C2 in both orders, C3, and the exact depth of a word for models of integer weights. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions ExactModels GoldenSchedule ExactDepth SquareRows Squares.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. Any kinds of layers, one for z_0 and one for each table *)
Section Kinds.
Variables (P p m : nat) (ns : seq nat) (exp_floor : Z -> Z).
Notation held b := (linear_bits (exact_block (with_blocks P p m ns [::]) exp_floor b)).

(** A look-up holds nothing if it is full, and two numbers for each address if it is recurrent. *)
Lemma held_hop full k b N : held (hop P ns full k b N) = if full then 0 else N * (2 * p.+1).
Proof. by case: full; rewrite //= size_mkseq -mulnA. Qed.
(** ... layer by layer. *)
Lemma held_hops kinds k b N l : size kinds = (size l).+1 ->
  [seq held bl | bl <- hops P ns kinds k b N l] = [seq if f.1 then 0 else f.2 * (2 * p.+1) | f <- zip kinds (sizes N l)].
Proof.
elim: l kinds k b N => [|n l IH] [|f kinds] k b N //= [sk]; rewrite held_hop; first by case: (kinds) sk.
by rewrite IH.
Qed.
(** Layers of a word hold no more than they hold by themselves. *)
Lemma held_fill word bs t : linear_bits_upto t [seq exact_block (with_blocks P p m ns [::]) exp_floor b | b <- fill_word word bs]
  <= sumn [seq held b | b <- bs].
Proof.
have le X u (ls : seq (exact_layer X)) : linear_bits_upto u ls <= sumn (map (@linear_bits X) ls).
  by elim: ls u => [|l ls IH] u //=; case: (is_attention l); case: u => [|u] //; rewrite leq_add2l IH.
apply: leq_trans (le _ _ _) _; rewrite -map_comp; elim: word bs => [|f word IH] [|b bs] //=.
  by case: f => /=; apply: (IH [::]).
by case: eqP => _ /=; rewrite ?leq_add2l ?IH //; case: f; apply: (IH (b :: bs)).
Qed.
(** Its messages. *)
Lemma heard_fill word bs k : layers_for P m ns word bs ->
  all (fun l => soft_bits k l <= 2 * (P + p + k + 1) + (P + k)) [seq exact_block (with_blocks P p m ns [::]) exp_floor b | b <- fill_word word bs].
Proof.
move=> way; rewrite all_map; apply: all_look_ups way _ => [||full *] //=; first by rewrite mul0n add0n mul1n leq_addl.
by case: full; rewrite //= mul1n.
Qed.
(** Its word. *)
Lemma word_fill word bs : map (@is_attention _) [seq exact_block (with_blocks P p m ns [::]) exp_floor b | b <- fill_word word bs] = word.
Proof. by rewrite -map_comp -[RHS](is_full_fill word bs); apply: eq_map; case. Qed.
End Kinds.

(** C1, C2 with the recurrent layer first and C3 are cases: one layer of either kind for z_0 and for each table. *)
Theorem kinds_of_layers P k m ns kinds : size kinds = (size ns).+2 -> tokens m ns <= 2 ^ k -> exists (w : weights) (listed : pred Z),
  [/\ score_bits w = P, width w <= 4 * (size ns).+1 + 15,
      (forall exp_floor, map (@is_attention _) (stack (exact_of_weights w exp_floor ns)) = kinds),
      (forall exp_floor, map (@linear_bits _) (stack (exact_of_weights w exp_floor ns))
         = [seq if f.1 then 0 else f.2 * (4 * k + 2) | f <- zip kinds (1 :: sizes m ns)])
    & weights_solve m ns w listed].
Proof.
move=> sk len; have kE := kinds_all_hops P m sk.
have way : layers_for P m ns kinds (all_hops P m ns kinds) by split; [rewrite kE | right; exists kinds].
have same : fill_word kinds (all_hops P m ns kinds) = all_hops P m ns kinds by rewrite -{1}kE fill_same.
exists (with_blocks P (2 * k) m ns (all_hops P m ns kinds)), (far_or_zero P); split=> //.
- by have := words_width (2 * k) way; rewrite same.
- by move=> e; have := word_fill P (2 * k) m ns e kinds (all_hops P m ns kinds); rewrite same.
- move=> e; rewrite -map_comp; case: kinds sk {kE way same} => [|f kinds] // [sk].
  have -> : 4 * k + 2 = 2 * (2 * k).+1 by rewrite mulnS mulnA addnC.
  congr (_ :: _); first by have := held_hop P (2 * k) m ns e f 0 1 1; case: f.
  by apply: etrans (@held_hops P (2 * k) m ns e kinds 1 m m ns sk); apply: eq_map.
- by have := words_solve (enough_bits len) way; rewrite same.
Qed.

(** * 2. The exact depth of a word *)
(** As many F's as the word has. *)
Lemma subseq_full n word : n <= count id word -> subseq (nseq n true) word.
Proof. by elim: word n => [|[] word IH] [|n] //=; rewrite ?add1n ?add0n ?ltnS => h; [apply: IH | apply: (IH n.+1)]. Qed.

(** 5.1, upper half, for integer weights: C1, or C2 in one of its orders, and idle layers. *)
Theorem depth_by_weights word P k m ns : (size ns).+1 <= depth word -> tokens m ns <= 2 ^ k -> solved_in_word word (size ns).+1 P k m ns.
Proof.
move=> hd len; have [bs way held] : exists2 bs, layers_for P m ns word bs
    & forall e, sumn [seq linear_bits (exact_block (with_blocks P (2 * k) m ns [::]) e b) | b <- bs] <= 4 * k + 2.
  have zero c (l : seq nat) : sumn [seq if f.1 then 0 else f.2 * c | f <- zip (nseq (size l) true) l] = 0.
    by elim: l => //= a l ->.
  have szs N l : size (sizes N l) = (size l).+1 by elim: l N => //= n l IH N; rewrite IH.
  have free kinds k' b N l e : all id kinds -> sumn [seq linear_bits (exact_block (with_blocks P (2 * k) m ns [::]) e b) | b <- hops P ns kinds k' b N l] = 0.
    elim: l kinds k' b N => [|n l IH] kinds k' b N ak /=; have -> : head true kinds = true by case: kinds ak => [|[]].
      by [].
    by rewrite IH //; case: kinds ak => //= ? ? /andP[].
  have one : 1 * (2 * (2 * k).+1) <= 4 * k + 2 by apply/leP; rewrite -?plusE -?multE; lia.
  move: hd; rewrite /depth; case Ec : (count id word) => [|f] // hd.
  case: (leqP (size ns).+2 f.+1) => hf.
    exists (all_hops P m ns (nseq (size ns).+2 true)); last first.
      by move=> e; rewrite /= free //= all_nseq orbT.
    by split; [rewrite kinds_all_hops ?size_nseq // subseq_full // Ec | right; eexists].
  have hR : ~~ all id (upto_word 1 word).
    by case: (all id _) hd => //=; rewrite addn0 => h; have := leq_trans hf (h : (size ns).+2 <= f.+1); rewrite ltnn.
  have Ef : f = size ns by apply/eqP; rewrite eqn_leq; apply/andP; split=> //; move: hd; rewrite hR addn1.
  case: word Ec hR {hd hf} => [|[] word] //= Ec hR; last first.
    exists (all_hops P m ns (false :: nseq (size ns).+1 true)); last first.
      move=> e; have full : all id (true :: nseq (size ns) true) by rewrite /= all_nseq orbT.
      by rewrite /= (free _ _ _ _ _ e full) addn0 -mulnA.
    by split; [rewrite kinds_all_hops /= ?size_nseq // (subseq_full (n := (size ns).+1)) // -Ef -Ec | right; eexists].
  case: word Ec hR => [|[] word] //= Ec _; exists (full_first P m ns); last first.
    move=> e; rewrite /= add0n; set rest := sumn _; have -> : rest = 0; last by rewrite addn0 -mulnA.
    rewrite /rest; suff r l : l = ns -> sumn [seq linear_bits (exact_block (with_blocks P (2 * k) m ns [::]) e b)
        | b <- if l is n :: ns' then hops P ns [::] 2 m (m * n) ns' else [::]] = 0 by apply: r.
    by case: l => // n l _; apply: free.
  by split; [rewrite kinds_full_first /= subseq_full // -Ef; move: Ec; rewrite add1n add0n => -[->] | left].
exists (with_blocks P (2 * k) m ns (fill_word word bs)), (far_or_zero P); split=> //.
- exact: words_width.
- by move=> e; apply: (word_fill P (2 * k) m ns e).
- move=> e; split; last by move=> t; apply: leq_trans (held_fill P (2 * k) m ns e word bs t) (held e).
  apply: sub_all (heard_fill (2 * k) e k way) => l h; apply: leq_trans h _.
  by apply/leP; rewrite -?plusE -?multE; lia.
- exact: (words_solve (enough_bits len) way).
Qed.

(** The exact depth of a word, for exact models: L ≤ depth by weights, L > depth by Theorems A and B. *)
Theorem exact_depth_weights (word : seq bool) (L : nat) : 0 < L ->
  (L <= depth word -> forall P k m ns, (size ns).+1 = L -> tokens m ns <= 2 ^ k -> solved_in_word word L P k m ns)
  /\ (depth word < L -> forall beta Lam k, 34 * golden_base beta Lam L ^ fib (2 * L).+2 <= 2 ^ k -> exists m ns,
     [/\ (size ns).+1 = L, tokens m ns <= 2 ^ k
       & forall md : exact_model, map (@is_attention _) (stack md) = word -> within k beta Lam md -> ~ exactly_solves m ns md]).
Proof.
move=> L0; split=> [hd P k m ns sn len|hd beta Lam k hk]; first by rewrite -sn; apply: depth_by_weights; rewrite ?sn.
have [m [ns [sn len none]]] := depth_lower hd beta Lam; have small := leq_trans len hk; exists m, ns; split=> // md wE [mb sb].
rewrite /tokens -addn2 in small; move/(exactly_solves_model md small); apply: none.
- by rewrite exact_model_word.
- exact: exact_model_message_bits.
- exact: exact_model_state_bits.
Qed.
