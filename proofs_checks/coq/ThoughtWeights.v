(** C5 by squares at every size: with a chain of thought one full and one recurrent layer, in either order, solve L-FuncComp for every L.

    A generated token is an address: the g-th one that of table g + 1, Val (w_g·N_{g-1} + i_g), and the L-th one the answer. It asks
    for table g + 1 at that address (ThoughtLayers.v), finds i_{g+1}, is told w_{g+1}·N_g from the state, and says the sum of the two.
    RF: z_0 hands z_0 and its square to w, which asks table 1. FR: z_0's own token asks table 1, and hands i_1 to w. Positions are
    absolute: they tell a generated token which table it asks, so that no token but the numbers below N_{L-1} is said. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions Prompt ThoughtDefinitions SoftmaxLayers ExactModels IntegerWeights EveryTable
  GoldenSchedule SquareRows Squares ThoughtLayers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Local Notation "x .[ c ]" := (nth 0%Z x c) (at level 2, left associativity).
Local Notation zn := Z.of_nat.
Opaque Z.max Z.min Z.pow Z.mul Z.add Z.of_nat Z.div Z.opp Z.sub.

(** * 1. The weights *)
(** Table and address of the entries: tables L, …, 1. *)
Fixpoint table_places (l size : nat) (ns : seq nat) : seq (nat * nat) :=
  (if ns is n :: ns' then table_places l.+1 (size * n) ns' else [::]) ++ mkseq (fun a => (l, a)) size.

Section Weights.
Variables (P p b m : nat) (ns : seq nat) (full_leads : bool).
Let L := (size ns).+1.
(** z_0 is (0, 0), w is (L+1, 0), and generated token g is (L+1, g). *)
Definition places : seq (nat * nat) := table_places 1 m ns ++ (0, 0) :: [seq (L.+1, g) | g <- iota 0 L].
(** w is at stage 1, generated token g at stage g + 1: the table that it asks. With the full layer first z_0's token asks table 1, and w itself. *)
Definition stage_of (k : nat * nat) : nat := if k.1 == L.+1 then k.2.+1 else 0.
Definition aim_of (k : nat * nat) : nat :=
  if full_leads then if k == (0, 0) then 1 else if k == (L.+1, 0) then L.+1 else stage_of k else stage_of k.
Definition place_row (k : nat * nat) : vector :=
  [:: 1; zn k.1; zn k.2; zn k.1 * zn k.1 + zn k.2 * zn k.2]%Z ++ with_square (aim_of k) ++ with_square (stage_of k)
  ++ [:: if k == (0, 0) then 1%Z else 0%Z; if k == (L.+1, 0) then 1%Z else 0%Z].
Definition number_word (a : nat) : vector := nseq 10 0%Z ++ with_square a.
Definition query_word (ws : seq nat) : vector := nseq 13 0%Z ++ [seq zn g | g <- ws].
Definition said_numbers := last_size m ns.
Definition word_table : matrix :=
  [seq number_word a | a <- iota 0 said_numbers] ++ [seq query_word (digits ns x) | x <- iota 0 (queries ns)].
Definition say_table : matrix := [seq sparse [:: (12, (2 * zn a)%Z); (0, (- (zn a * zn a))%Z)] | a <- iota 0 said_numbers].
(** The recurrent head: z_0's number and its square, and the product with the digit; or what z_0's token found. *)
Definition number_values : seq (seq (nat * Z)) := [:: [:: (10, 1%Z)]; [:: (11, 1%Z)]; [:: (9, 1%Z)]].
Definition found_values : seq (seq (nat * Z)) := [:: [:: (12, 1%Z); (9, 1%Z)]].
Definition state_head : linear_head :=
  if full_leads then handing_head (sizes m ns) found_values 12 else handing_head (sizes m ns) number_values 10.
Definition pair_of_layers : seq built_layer :=
  let full := FullBlock (asking_head P) [::] in let rec := LinearBlock state_head [::] in if full_leads then [:: full; rec] else [:: rec; full].
Definition thought_weights : weights := frame P p b [seq place_row k | k <- places] word_table say_table pair_of_layers.

(** Two numbers in columns to, to + 1, …. *)
Lemma written_from to y c : (apply (nseq to [::] ++ [seq unit_row r | r <- iota 0 (size y)]) y).[c] = if c < to then 0%Z else y.[c - to].
Proof.
rewrite nth_apply nth_cat size_nseq; case: ltnP => h; first by rewrite nth_nseq h.
case: (ltnP (c - to) (size y)) => hy; first by rewrite (nth_map 0) ?size_iota // nth_iota // dot_unit.
by rewrite [nth [::] _ _]nth_default ?size_map ?size_iota // nth_default.
Qed.

(** * 2. Places *)
(** A place for each entry. *)
Lemma size_table_places l N ns' : size (table_places l N ns') = sumn (sizes N ns').
Proof. by elim: ns' l N => [|k ns' IH] l N /=; rewrite ?size_cat size_mkseq ?IH ?addn0 // addnC. Qed.
(** The first number of a place is its table. *)
Lemma table_places_tag l N ns' k : k \in table_places l N ns' -> l <= k.1 <= l + size ns'.
Proof.
elim: ns' l N => [|n ns' IH] l N /=; first by case/mapP => a _ ->; rewrite /= leqnn addn0 leqnn.
rewrite mem_cat => /orP[/IH|/mapP[a _ ->]]; last by rewrite /= leqnn leq_addr.
by rewrite addSnnS => /andP[/ltnW -> ->].
Qed.
(** All places are distinct. *)
Lemma uniq_places : uniq places.
Proof.
have tables l N ns' : uniq (table_places l N ns').
  have one l' N' : uniq (mkseq (fun a => (l', a)) N') by apply/mkseq_uniqP => x y _ _ [].
  elim: ns' l N => [|n ns' IH] l N //=; rewrite cat_uniq IH one andbT /=.
  by apply/hasPn => k /mapP[a _ ->]; apply/negP => /table_places_tag /=; rewrite ltnn.
rewrite /places cat_uniq tables andTb; apply/andP; split; last first.
  by rewrite cons_uniq map_inj_uniq ?iota_uniq ?andbT => [|g g' []] //; apply/mapP => -[g _ []].
apply/hasPn => k; rewrite inE => /orP[/eqP ->|/mapP[g _ ->]]; apply/negP => /table_places_tag //=.
by rewrite /L add1n ltnn.
Qed.
(** One for each token that is read. *)
Lemma size_places : size places = tokens m ns + size ns.
Proof. by rewrite /places size_cat size_table_places /= size_map size_iota /tokens !addSn addnS addnS. Qed.
(** z_0 stands before w, and generated tokens behind it. *)
Lemma place_z0 : nth (0, 0) places (tokens m ns).-2 = (0, 0).
Proof. by rewrite /places nth_cat size_table_places /tokens /= ltnn subnn. Qed.
(** ... w is generated token 0. *)
Lemma place_thought g : g < L -> nth (0, 0) places ((tokens m ns).-1 + g) = (L.+1, g).
Proof.
move=> gL; rewrite /places nth_cat size_table_places; set s := [seq (L.+1, _) | _ <- _].
have sE : nth (0, 0) s g = (L.+1, g) by rewrite /s (nth_map 0) ?size_iota // nth_iota.
by rewrite /tokens -pred_Sn ltnNge addSn leqW ?leq_addr //= -addnS addKn.
Qed.
End Weights.

(** Entry a of table g + 1 stands at place (g + 1, a). *)
Lemma place_of_entry ns l N zs g a : map size zs = sizes N ns -> g <= size ns -> a < nth 0 (sizes N ns) g -> exists2 j,
  j < sumn (sizes N ns) & nth (0, 0) (table_places l N ns) j = (l + g, a) /\ nth 0 (flatten (rev zs)) j = nth 0 (nth [::] zs g) a.
Proof.
elim: ns l N zs g a => [|n ns IH] l N [|z zs] g a //= [sz].
  case: zs => // _; rewrite leqn0 => /eqP -> /= aN; exists a; first by rewrite addn0.
  by rewrite nth_mkseq // addn0 /rev /= cats0.
move=> szs; have above : size (flatten (rev zs)) = sumn (sizes (N * n) ns) by rewrite size_flatten_rev szs.
rewrite flatten_rev_cons; case: g => [_ aN|g gn aN] /=.
  exists (sumn (sizes (N * n) ns) + a); first by rewrite addnC ltn_add2r.
  by rewrite !nth_cat size_table_places above ltnNge leq_addr /= addKn nth_mkseq // addn0.
have [j jl [e1 e2]] := IH l.+1 (N * n) zs g a szs gn aN; exists j; first by apply: leq_trans jl (leq_addl _ _).
by rewrite !nth_cat size_table_places above jl e1 addSnnS.
Qed.
(** No table is larger than the last one. *)
Lemma sizes_le_last ns N ws g : all2 ltn ws ns -> g <= size ns -> nth 0 (sizes N ns) g <= last_size N ns.
Proof.
elim: ns N ws g => [|n ns IH] N [|w ws] [|g] //= /andP[wn h] gn; last exact: IH h gn.
by apply: leq_trans (last_size_ge _ h); rewrite leq_pmulr // (leq_ltn_trans _ wn).
Qed.

(** * 3. Before the layers *)
Section Run.
Variables (P p b m : nat) (ns : seq nat) (full_leads : bool) (exp_floor : Z -> Z) (z0 : nat) (zs : seq (seq nat)) (ws gen : seq nat).
Hypothesis ok : valid m ns z0 zs ws.
Hypothesis sayable : all (fun a => a < last_size m ns) gen.
Hypothesis few : size gen <= size ns.
Let L := (size ns).+1.
Let n := tokens m ns.
Let q := prompt z0 zs ws ++ [seq Val a | a <- gen].
Let w := thought_weights P p b m ns full_leads.
Let at_ := places m ns.
Notation layer bl := (exact_block w exp_floor bl).
Notation head_of_state := (state_head m ns full_leads).
Let x0 (j : nat) := embedded w ns j (nth (Val 0) q j).
Let last_token := n.-1 + size gen.

(** What stands in front of w. *)
Lemma numbers_in_front : size (flatten (rev zs) ++ [:: z0]) = n.-1 /\ all (fun a => a < last_size m ns) (flatten (rev zs) ++ [:: z0]).
Proof.
have /and4P[z0m /eqP szs vs wsn] := ok; split.
  by rewrite size_cat size_flatten_rev szs /n /tokens /= addn1.
rewrite all_cat /= andbT (leq_trans z0m (last_size_ge m wsn)) andbT; apply/allP => a /flattenP[z]; rewrite mem_rev => zz az.
apply: leq_trans (allP (allP vs z zz) a az) _; rewrite -(nth_index [::] zz) -(nth_map _ 0) ?index_mem // szs.
apply: sizes_le_last wsn _; suff : index z zs < size (sizes m ns) by have -> N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
by rewrite -szs size_map index_mem.
Qed.
(** Every token but w is a number that can be said. *)
Lemma token_number_of j : j != n.-1 -> exists2 a, a < last_size m ns & nth (Val 0) q j = Val a.
Proof.
have [sn an] := numbers_in_front; have A0 : 0 < last_size m ns.
  by have /and4P[z0m _ _ wsn] := ok; apply: leq_ltn_trans (leq0n _) (leq_trans z0m (last_size_ge m wsn)).
have vals l i : nth (Val 0) [seq Val a | a <- l] i = Val (nth 0 l i) by elim: l i => [|a l IH] [|i] //=.
have small l i : all (fun a => a < last_size m ns) l -> nth 0 l i < last_size m ns.
  by move=> al; case: (ltnP i (size l)) => il; [apply: (allP al); apply: mem_nth | rewrite nth_default].
have -> : q = [seq Val a | a <- flatten (rev zs) ++ [:: z0]] ++ Query ws :: [seq Val a | a <- gen] by rewrite /q /prompt map_cat -!catA.
move=> jw; rewrite nth_cat size_map sn; case: ltnP => jn; first by exists (nth 0 (flatten (rev zs) ++ [:: z0]) j); rewrite ?vals ?small.
have : 0 < j - n.-1 by rewrite subn_gt0 ltn_neqAle eq_sym jw.
by case: (j - n.-1) => // i _ /=; exists (nth 0 gen i); rewrite ?vals ?small.
Qed.
(** w is the query. *)
Lemma token_w : nth (Val 0) q n.-1 = Query ws.
Proof.
have [sn _] := numbers_in_front.
have -> : q = [seq Val a | a <- flatten (rev zs) ++ [:: z0]] ++ Query ws :: [seq Val a | a <- gen] by rewrite /q /prompt map_cat -!catA.
by rewrite nth_cat size_map sn ltnn subnn.
Qed.

(** Every token that is read has a place. *)
Lemma has_place j : j <= last_token -> j < size at_.
Proof. by move=> jl; rewrite size_places; apply: leq_ltn_trans jl _; rewrite /last_token /n /tokens -pred_Sn !addSn !ltnS leq_add2l. Qed.
(** A token is its place and its word. *)
Lemma first_row j : j <= last_token -> x0 j = plus (place_row ns full_leads (nth (0, 0) at_ j)) (nth [::] (word_table m ns) (token_number w ns (nth (Val 0) q j))).
Proof.
move=> jl; have unit1 y : scale (stream_unit w) y = y by rewrite /stream_unit /= /scale -[RHS]map_id; apply: eq_map => a; lia.
by rewrite /x0 /embedded unit1 (nth_map (0, 0)) // has_place.
Qed.
(** The word of a number. *)
Lemma first_number j a : j <= last_token -> nth (Val 0) q j = Val a -> a < last_size m ns ->
  x0 j = plus (place_row ns full_leads (nth (0, 0) at_ j)) (number_word a).
Proof. by move=> jl qj aA; rewrite first_row // qj /= nth_cat size_map size_iota aA (nth_map 0) ?size_iota // nth_iota. Qed.
(** The word of w. *)
Lemma first_query : x0 n.-1 = plus (place_row ns full_leads (nth (0, 0) at_ n.-1)) (query_word ws).
Proof.
have /and4P[_ _ _ wsn] := ok; have lt := query_number_lt wsn.
rewrite first_row ?leq_addr // token_w /= !size_map nth_cat size_map !size_iota ltnNge leq_addr /= addKn.
by rewrite (nth_map 0) ?size_iota // nth_iota // add0n digits_query.
Qed.

(** A place, and the token of it. *)
Lemma place_is j k : j <= last_token -> k <= last_token -> (nth (0, 0) at_ j == nth (0, 0) at_ k) = (j == k).
Proof. by move=> jl kl; rewrite nth_uniq ?has_place // uniq_places. Qed.

(** The columns of a token: its place, what it asks for, its stage, and what it writes into the state. *)
Lemma first_columns j : j <= last_token -> let k := nth (0, 0) at_ j in
  [/\ keyed (x0 j) k, (x0 j).[4] = zn (aim_of ns full_leads k), (x0 j).[5] = (zn (aim_of ns full_leads k) * zn (aim_of ns full_leads k))%Z,
      staged (x0 j) (stage_of ns k) & writes ws (x0 j) n.-2 n.-1 j]
  /\ (x0 j).[9] = (if j == n.-1 then 1 else 0)%Z /\ (x0 j).[12] = 0%Z.
Proof.
move=> jl k; have w_l : n.-1 <= last_token by rewrite leq_addr.
have /and4P[_ _ _ /all2_size sw] := ok.
have isz : (k == (0, 0)) = (j == n.-2) by rewrite -(place_z0 m ns) place_is // (leq_trans (leq_pred _) w_l).
have isw : (k == (L.+1, 0)) = (j == n.-1) by rewrite -(@place_thought m ns 0) // addn0 place_is.
have c8 : (place_row ns full_leads k).[8] = (if j == n.-2 then 1 else 0)%Z by rewrite -isz.
have c9 : (place_row ns full_leads k).[9] = (if j == n.-1 then 1 else 0)%Z by rewrite -isw.
have [u [xE u0 u12 ud]] : exists u, [/\ x0 j = plus (place_row ns full_leads k) u, forall c, c < 10 -> u.[c] = 0%Z, u.[12] = 0%Z
    & forall g, g < size ws -> u.[13 + g] = (if j == n.-1 then zn (nth 0%N ws g) else 0)%Z].
  case: (eqVneq j n.-1) => jw.
    exists (query_word ws); split=> //; first by rewrite /k jw first_query.
    - by move=> c c10; rewrite /query_word nth_cat size_nseq (leq_trans c10) // nth_nseq (leq_trans c10).
    - by move=> g gw; rewrite /query_word nth_cat size_nseq ltnNge leq_addr /= addKn (nth_map 0).
  have [a aA qj] := token_number_of jw; exists (number_word a); split=> //; first exact: first_number.
  by move=> c c10; rewrite /number_word nth_cat size_nseq c10 nth_nseq c10.
rewrite xE; split; last by rewrite !nth_plus u12 u0 // c9 /=; case: ifP.
split; [split | | | split |]; rewrite ?nth_plus ?u0 //; try by rewrite /=; lia.
split=> [|g gw]; first by rewrite nth_plus u0 // c8; lia.
by rewrite nth_plus ud //; case: ifP.
Qed.
(** The number of a token and its square; w has none. *)
Lemma number_columns j : j <= last_token -> let a := if nth (Val 0) q j is Val a then a else 0 in
  (x0 j).[10] = zn a /\ (x0 j).[11] = (zn a * zn a)%Z.
Proof.
move=> jl; case: (eqVneq j n.-1) => [->|jw]; first by rewrite token_w first_query !nth_plus.
by have [a aA qj] := token_number_of jw; rewrite (first_number jl qj aA) qj !nth_plus.
Qed.

(** Entry a of table k + 1 stands before z_0, and is a number below the size of its table. *)
Lemma entry_at k a : k <= size ns -> a < nth 0 (sizes m ns) k -> nth 0 (nth [::] zs k) a < nth 0 (sizes m ns) k /\
  exists2 j, j < n.-2 & nth (0, 0) at_ j = (k.+1, a) /\ nth (Val 0) q j = Val (nth 0 (nth [::] zs k) a).
Proof.
move=> kn ak; have /and4P[z0m /eqP szs vs wsn] := ok; have sE : size (nth [::] zs k) = nth 0 (sizes m ns) k.
  have ssz N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
  by rewrite -szs (nth_map [::]) // -(size_map size) szs ssz ltnS.
have kz : k < size zs by case: (ltnP k (size zs)) => // h; move: ak; rewrite -sE nth_default.
split; first by rewrite -sE; apply: (allP (allP vs _ (mem_nth _ kz))); apply: mem_nth; rewrite sE.
have [j jl [e1 e2]] := place_of_entry 1 szs kn ak; exists j => //; split.
  by rewrite /at_ /places nth_cat size_table_places jl e1.
have fl : size (flatten (rev zs)) = sumn (sizes m ns) by rewrite size_flatten_rev szs.
by rewrite /q /prompt -catA nth_cat size_map fl jl (nth_map 0) ?fl // e2.
Qed.

(** * 4. One token more *)
(** The address that the last token has, and the table it asks. *)
Let asked := last z0 gen.
Let g := size gen.
Hypothesis inside : asked < nth 0 (sizes m ns) g.
Let entry := nth 0 (nth [::] zs g) asked.

(** Where z_0 and w stand, and the last token. *)
Lemma places_in_order : [/\ n.-2 < n.-1, n.-1 <= last_token, nth (0, 0) at_ last_token = (L.+1, g), nth (Val 0) q n.-2 = Val z0
  & nth (Val 0) q last_token = if gen is [::] then Query ws else Val asked].
Proof.
have [sn _] := numbers_in_front; split; rewrite ?leq_addr //; first by rewrite place_thought.
  have /and4P[_ /eqP szs _ _] := ok.
  by rewrite /q nth_cat (size_prompt _ _ szs) ltnW // [nth _ _ _](nth_z0 z0 ws szs).
rewrite /last_token; case genE : gen => [|a l]; first by rewrite addn0 token_w.
have sp : size (prompt z0 zs ws) = n by apply: size_valid.
have -> : n.-1 + size (a :: l) = n + size l by rewrite /= addnS -addSn.
rewrite nth_cat sp ltnNge leq_addr addKn; transitivity (Val (nth 0 gen (size l))); first by rewrite genE (nth_map 0).
congr Val.
by rewrite /asked genE -nth_last; apply: set_nth_default.
Qed.

(** The columns of the last token. *)
Lemma last_columns : [/\ (x0 last_token).[4] = zn (if full_leads && (g == 0) then L.+1 else g.+1), (x0 last_token).[0] = 1%Z,
    (x0 last_token).[5] = ((x0 last_token).[4] * (x0 last_token).[4])%Z, staged (x0 last_token) g.+1 & (x0 last_token).[12] = 0%Z]
  /\ (x0 last_token).[10] = zn (if g == 0 then 0 else asked) /\ (x0 last_token).[11] = ((x0 last_token).[10] * (x0 last_token).[10])%Z.
Proof.
have [_ _ kE _ qE] := places_in_order; have := first_columns (leqnn last_token); rewrite kE; cbv zeta.
have -> : stage_of ns (L.+1, g) = g.+1 by rewrite /stage_of eqxx.
have -> : aim_of ns full_leads (L.+1, g) = if full_leads && (g == 0) then L.+1 else g.+1.
  by rewrite /aim_of /stage_of /= eqxx xpair_eqE eqxx; case: (full_leads).
case=> [[[e0 _ _ _] -> -> st _] [_ ->]]; have := number_columns (leqnn last_token); rewrite qE; cbv zeta.
have -> : (if (if gen is [::] then Query ws else Val asked) is Val a then a else 0) = (if g == 0 then 0 else asked) by rewrite /g; case: (gen).
by case=> -> ->.
Qed.

Hypothesis exp0 : exp_floor 0%Z = (2 ^ zn P)%Z.
Hypothesis expN : forall a, (zn P + 1 <= a)%Z -> exp_floor a = 0%Z.
Hypothesis words_fit : last_size m ns <= 2 ^ p.
Hypothesis digits_fit : all (fun k => k <= 2 ^ b) ns.

(** A digit fits into the state. *)
Lemma digit_fits i : (0 <= zn (nth 0%N ws i) < 2 ^ zn b)%Z.
Proof.
have /and4P[_ _ _ wsn] := ok; have lt : nth 0 ws i < 2 ^ b.
  elim: ws ns i wsn digits_fit => [|d l IH] [|k l'] i //=; first by rewrite nth_nil expn_gt0.
  by case: i => [|i] /andP[dk dl] /andP[kb lb] /=; [apply: leq_trans kb | apply: IH dl lb].
by move: lt => /ltP/Nat2Z.inj_lt; rewrite of_nat_expn; lia.
Qed.
(** A digit for each table but the first. *)
Lemma size_of_digits : size ws = (size (sizes m ns)).-1.
Proof.
have /and4P[_ _ _ /all2_size ->] := ok.
by have -> N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
Qed.
(** A number that can be said fits into a value. *)
Lemma entry_fits : entry <= 2 ^ p.
Proof.
have [lt _] := @entry_at g asked few inside; have /and4P[_ _ _ wsn] := ok.
by apply: leq_trans (ltnW lt) (leq_trans (sizes_le_last _ wsn few) words_fit).
Qed.

(** The model says v if column 12 of its last token is v: logit 2av − a² is largest at a = v. *)
Lemma says_number x v : x.[0] = 1%Z -> x.[12] = zn v -> v < last_size m ns -> said w x = v.
Proof.
move=> one col vA; rewrite /said -[unembedding _]/(say_table m ns) /say_table.
have E j : j < last_size m ns -> (apply (say_table m ns) x).[j] = (2 * zn j * zn v - zn j * zn j)%Z.
  by move=> jA; rewrite nth_apply (nth_map 0) ?size_iota // nth_iota // dot_sparse /= one col add0n; lia.
apply: best_top => [|j]; rewrite !size_map size_iota // => jA ne; rewrite !E //.
have : zn j <> zn v by move/Nat2Z.inj => /eqP; rewrite (negbTE ne).
by nia.
Qed.

(** RF: w is told z_0 and its square, and asks table 1; a generated token asks with what it says. *)
Lemma state_first : full_leads = false -> m * m <= 2 ^ b ->
  let x1 := compute x0 (layer (LinearBlock (handing_head (sizes m ns) number_values 10) [::])) in
  let x2 := compute x1 (layer (FullBlock (asking_head P) [::])) in
  (x2 last_token).[0] = 1%Z /\ (x2 last_token).[12] = zn (nth 0 (sizes m ns) g * nth 0 ws g + entry).
Proof.
move=> fl mb x1 x2.
have [zw wl kE qz qE] := places_in_order; have zl : n.-2 <= last_token by apply: leq_trans (ltnW zw) wl.
have [[l4 l0 l5 st l12] [l10 l11]] := last_columns; rewrite fl /= in l4.
have /and4P[z0m _ _ _] := ok.
pose vz t : Z := [:: zn z0; zn z0 * zn z0; 0]%Z.[t]; pose vw t : Z := [:: 0; 0; 1]%Z.[t].
have valueE x : value_of w (handing_head (sizes m ns) number_values 10) x = [:: x.[10]; x.[11]; x.[9]].
  by rewrite /value_of -[L_V _]/[seq sparse l | l <- number_values] apply_sparse cats0 /=; congr [:: _; _; _]; lia.
have zE t : t < 3 -> (value_of w (handing_head (sizes m ns) number_values 10) (x0 n.-2)).[t] = vz t /\ (0 <= vz t < 2 ^ zn b)%Z.
  have [_ [c9 _]] := first_columns zl; rewrite ltn_eqF // in c9.
  have [c10 c11] := number_columns zl; rewrite qz in c10 c11; rewrite valueE c9 c10 c11 /vz.
  have p0 := pow2_pos b; move: mb => /leP/Nat2Z.inj_le; rewrite of_nat_expn -multE Nat2Z.inj_mul; move: z0m => /ltP/Nat2Z.inj_lt.
  by case: t => [|[|[|t]]] //= *; split=> //; nia.
have wE t : t < 3 -> (value_of w (handing_head (sizes m ns) number_values 10) (x0 n.-1)).[t] = vw t /\
    forall d, d < size ws -> (0 <= zn (nth 0%N ws d) * vw t < 2 ^ zn b)%Z.
  have [_ [c9 _]] := first_columns wl; rewrite eqxx in c9.
  have [c10 c11] := number_columns wl; rewrite token_w in c10 c11; rewrite valueE c9 c10 c11 /vw.
  by case: t => [|[|[|t]]] //= _; split=> // d _; have := digit_fits d; lia.
have told := @handing_tells P p b _ _ _ _ exp_floor (sizes m ns) number_values 10 ws size_of_digits x0 last_token n.-2 n.-1 vz vw g
  (fun j jl => match first_columns jl with conj (And5 _ _ _ _ h) _ => h end) zw wl zE wE st.
have low j c : c < 10 -> (x1 j).[c] = (x0 j).[c].
  by move=> c10; rewrite /x1 handing_run nth_plus -[L_O _]/(nseq 10 [::] ++ [seq unit_row r | r <- iota 0 3]) (@written_from 10 [:: _; _; _]) c10 Z.add_0_r.
have {}told : x1 last_token = plus (x0 last_token) (apply (nseq 10 [::] ++ [seq unit_row r | r <- iota 0 3])
  [:: (if g == 0%N then zn z0 else 0); (if g == 0%N then zn z0 * zn z0 else 0); zn (nth 0%N (sizes m ns) g * nth 0%N ws g)]%Z).
  rewrite /x1 [LHS]told; congr plus; congr apply; rewrite /= /vz /vw /=; congr [:: _; _; _]; case: eqP; lia.
have [lt [j jn [kj qj]]] := @entry_at g asked few inside; have jl : j <= last_token by apply: leq_trans (ltnW jn) zl.
have asks : asking (x1 last_token) (g.+1, asked).
  split; [by rewrite low | by rewrite low | by rewrite low // l5 l4 | |]; rewrite told nth_plus (@written_from 10 [:: _; _; _]) /= ?l11 l10 /asked /g.
    by case: (gen) => [|a l] /=; lia.
  by case: (gen) => [|a l] /=; lia.
have found : (x1 j).[10] = zn entry.
  have [[_ _ _ sj _] _] := first_columns jl; rewrite kj in sj.
  have s0 : stage_of ns (g.+1, asked) = 0 by rewrite /stage_of /= eqSS ltn_eqF // ltnS.
  rewrite s0 in sj; rewrite /x1 handing_run nth_plus -[L_O _]/(nseq 10 [::] ++ [seq unit_row r | r <- iota 0 3]) (@written_from 10 [:: _; _; _]) /=.
  by rewrite stage_zero //; have [-> _] := number_columns jl; rewrite qj -/entry; lia.
have keys i : i <= last_token -> keyed (x1 i) (nth (0, 0) at_ i).
  by move=> il; have [[[k0 k1 k2 k3] _ _ _ _] _] := first_columns il; split; rewrite low.
have finds := @asking_finds P p b _ _ _ _ exp_floor exp0 expN x1 last_token at_ j _ entry (uniq_places m ns) (has_place (leqnn _)) keys asks jl kj found entry_fits.
have {}finds : x2 last_token = plus (x1 last_token) (apply (W_O (asking_head P)) [:: zn entry]) := finds _ _ _ _.
rewrite finds !(nth_plus (x1 last_token)) low // l0; split=> //.
by rewrite told nth_plus (@written_from 10 [:: _; _; _]) l12 /= -plusE Nat2Z.inj_add; lia.
Qed.

(** FR: z_0's own token asks table 1, w itself, and a generated token with what it says; then the state hands over. *)
Lemma attention_first : full_leads = true -> m <= 2 ^ b ->
  let x1 := compute x0 (layer (FullBlock (asking_head P) [::])) in
  let x2 := compute x1 (layer (LinearBlock (handing_head (sizes m ns) found_values 12) [::])) in
  (x2 last_token).[0] = 1%Z /\ (x2 last_token).[12] = zn (nth 0 (sizes m ns) g * nth 0 ws g + entry).
Proof.
move=> fl mb x1 x2; have [zw wl kE qz qE] := places_in_order; have zl : n.-2 <= last_token by apply: leq_trans (ltnW zw) wl.
have [[l4 l0 l5 st l12] [l10 l11]] := last_columns; rewrite fl /= in l4.
have /and4P[z0m _ _ wsn] := ok; have m0 : nth 0 (sizes m ns) 0 = m by case: (ns).
have fits v k : k <= size ns -> v < nth 0 (sizes m ns) k -> v <= 2 ^ p.
  by move=> kn vk; apply: leq_trans (ltnW vk) (leq_trans (sizes_le_last _ wsn kn) words_fit).
have keep j c : c != 12 -> (x1 j).[c] = (x0 j).[c] by apply: asking_else.
have finds r j k v : r <= last_token -> asking (x0 r) k -> j <= r -> nth (0, 0) at_ j = k -> (x0 j).[10] = zn v -> v <= 2 ^ p -> (x1 r).[12] = zn v.
  move=> rl ar jr kj jv vp; have keys i : i <= r -> keyed (x0 i) (nth (0, 0) at_ i).
    by move=> ir; have [[k0 _ _ _ _] _] := first_columns (leq_trans ir rl).
  have E := @asking_finds P p b _ _ _ _ exp_floor exp0 expN x0 r at_ j k v (uniq_places m ns) (has_place rl) keys ar jr kj jv vp.
  have {}E : x1 r = plus (x0 r) (apply (W_O (asking_head P)) [:: zn v]) := E _ _ _ _.
  by rewrite E nth_plus; have [_ [_ ->]] := first_columns rl; rewrite /=; lia.
have [lt1 [j1 j1n [k1 q1]]] : _ /\ _ := entry_at (leq0n _) (leq_trans z0m (eq_leq (esym m0))); rewrite m0 in lt1.
set i1 := nth 0 (nth [::] zs 0) z0 in lt1 q1; have entry_of_z0 : g = 0 -> entry = i1.
  by rewrite /entry /asked /g; case: (gen).
have at_z : (x1 n.-2).[12] = zn i1.
  apply: (@finds n.-2 j1 (1, z0)) => //; [| exact: ltnW | | by apply: (fits _ 0); rewrite ?m0].
    have [[[k0 _ _ _] a4 a5 _ _] _] := first_columns zl; rewrite place_z0 fl in a4 a5.
    by have [c10 c11] := number_columns zl; rewrite qz in c10 c11; split.
  by have [-> _] := number_columns (leq_trans (ltnW j1n) zl); rewrite q1.
have at_w : (x1 n.-1).[12] = 0%Z.
  apply: (@finds n.-1 n.-1 (L.+1, 0) 0) => //; last by have [-> _] := number_columns wl; rewrite token_w.
    have [[[k0 _ _ _] a4 a5 _ _] _] := first_columns wl; have kw := @place_thought m ns 0 isT; rewrite addn0 in kw.
    have aw : aim_of ns true (L.+1, 0) = L.+1 by rewrite /aim_of /= eqxx.
    by have [c10 c11] := number_columns wl; rewrite token_w in c10 c11; rewrite kw fl aw in a4 a5; split.
  by have := @place_thought m ns 0 isT; rewrite addn0.
have at_last : (x1 last_token).[12] = zn (if g == 0 then 0 else entry).
  case: (eqVneq g 0) => [g0|gn0]; first by rewrite /last_token -/g g0 addn0.
  have [lt [j jn [kj qj]]] := @entry_at g asked few inside.
  apply: (@finds last_token j (g.+1, asked)) => //; last exact: entry_fits.
  - by move: l4 l10; rewrite (negbTE gn0) => l4 l10; split; rewrite ?l11 ?l5 ?l4 ?l10.
  - by apply: leq_trans (ltnW jn) zl.
  - by have [-> _] := number_columns (leq_trans (ltnW jn) zl); rewrite qj.
have valueE x : value_of w (handing_head (sizes m ns) found_values 12) x = [:: (x.[12] + x.[9])%Z].
  by rewrite /value_of -[L_V _]/[seq sparse l | l <- found_values] apply_sparse cats0 /=; congr [:: _]; lia.
have zE t : t < 1 -> (value_of w (handing_head (sizes m ns) found_values 12) (x1 n.-2)).[t] = zn i1 /\ (0 <= zn i1 < 2 ^ zn b)%Z.
  case: t => // _; have [_ [c9 _]] := first_columns zl; rewrite ltn_eqF // in c9; rewrite valueE /= at_z keep // c9.
  by move: lt1 mb => /ltP/Nat2Z.inj_lt + /leP/Nat2Z.inj_le; rewrite of_nat_expn; lia.
have wE t : t < 1 -> (value_of w (handing_head (sizes m ns) found_values 12) (x1 n.-1)).[t] = 1%Z /\
    forall d, d < size ws -> (0 <= zn (nth 0%N ws d) * 1 < 2 ^ zn b)%Z.
  case: t => // _; have [_ [c9 _]] := first_columns wl; rewrite eqxx in c9; rewrite valueE /= at_w keep // c9.
  by split=> // d _; have := digit_fits d; lia.
have wr j : j <= last_token -> writes ws (x1 j) n.-2 n.-1 j.
  by move=> jl; have [[_ _ _ _ [w8 wd]] _] := first_columns jl; split=> [|d ds]; rewrite keep // wd.
have st1 : staged (x1 last_token) g.+1 by case: st => s0 s6 s7; split; rewrite keep.
have told := @handing_tells P p b _ _ _ _ exp_floor (sizes m ns) found_values 12 ws size_of_digits x1 last_token n.-2 n.-1
  (fun=> zn i1) (fun=> 1%Z) g wr zw wl zE wE st1.
have {}told : x2 last_token = plus (x1 last_token) (apply (nseq 12 [::] ++ [:: unit_row 0])
  [:: ((if g == 0%N then zn i1 else 0) + zn (nth 0%N (sizes m ns) g * nth 0%N ws g) * 1)%Z]) := told.
rewrite told !(nth_plus (x1 last_token)) keep // l0 at_last; split=> //=; rewrite -plusE Nat2Z.inj_add.
by case: (eqVneq g 0) => [/entry_of_z0 ->|_]; lia.
Qed.
End Run.

(** * 5. All tokens *)
(** The next table, and a digit for it. *)
Lemma next_size N ns g : g < size ns -> nth 0 (sizes N ns) g.+1 = nth 0 (sizes N ns) g * nth 0 ns g.
Proof. by elim: ns N g => [|n ns IH] N [|g] //= gn; [case: (ns) | apply: IH]. Qed.
(** Each digit is below its radix. *)
Lemma digit_below ws ns g : all2 ltn ws ns -> g < size ns -> nth 0 ws g < nth 0 ns g.
Proof. by elim: ns ws g => [|n ns IH] [|w ws] [|g] //= /andP[wn h] gn //; apply: IH. Qed.

Section Chain.
Variables (P p b m : nat) (ns : seq nat) (full_leads : bool) (exp_floor : Z -> Z) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Hypothesis ok : valid m ns z0 zs ws.
Hypothesis exp0 : exp_floor 0%Z = (2 ^ zn P)%Z.
Hypothesis expN : forall a, (zn P + 1 <= a)%Z -> exp_floor a = 0%Z.
Hypothesis words_fit : last_size m ns <= 2 ^ p.
Hypothesis digits_fit : all (fun k => k <= 2 ^ b) ns.
Hypothesis numbers_fit : if full_leads then m <= 2 ^ b else m * m <= 2 ^ b.
Let md := exact_of_weights (thought_weights P p b m ns full_leads) exp_floor ns.

(** The next token: the address in the next table, and the answer at the last one. *)
Lemma says_next gen v : all (fun a => a < last_size m ns) gen -> size gen <= size ns -> last z0 gen < nth 0 (sizes m ns) (size gen) ->
  v = nth 0 (sizes m ns) (size gen) * nth 0 ws (size gen) + nth 0 (nth [::] zs (size gen)) (last z0 gen) ->
  exact_output md (prompt z0 zs ws ++ [seq Val a | a <- gen]) = v
  /\ v < (if size gen < size ns then nth 0 (sizes m ns) (size gen).+1 else last_size m ns).
Proof.
move=> sayable few inside vE; have /and4P[_ _ _ wsn] := ok.
have [lt _] := @entry_at m ns z0 zs ws gen ok (size gen) (last z0 gen) few inside.
have vlt : v < (if size gen < size ns then nth 0 (sizes m ns) (size gen).+1 else last_size m ns).
  rewrite vE; move: (nth 0 (nth [::] zs _) _) lt => i lt; case: (ltnP (size gen) (size ns)) => gn; last first.
    rewrite [nth 0 ws _]nth_default ?(all2_size wsn) // muln0 add0n.
    exact: leq_trans lt (sizes_le_last _ wsn few).
  rewrite next_size //; apply: leq_trans (_ : nth 0 (sizes m ns) (size gen) * (nth 0 ws (size gen)).+1 <= _).
    by rewrite mulnS addnC ltn_add2r.
  by rewrite leq_mul2l (digit_below wsn) ?orbT.
have vA : v < last_size m ns.
  by apply: leq_trans vlt _; case: ifP => // gn; apply: sizes_le_last wsn gn.
split=> //; have sq : (size (prompt z0 zs ws ++ [seq Val a | a <- gen])).-1 = (tokens m ns).-1 + size gen.
  by rewrite size_cat size_map (size_valid ok).
rewrite /exact_output sq; move: numbers_fit; rewrite /md; case fl : full_leads => nf.
  have [one col] := @attention_first P p b m ns true exp_floor z0 zs ws gen ok sayable few inside exp0 expN words_fit digits_fit erefl nf.
  by rewrite -vE in col; apply: (@says_number P p b m ns true) one col vA.
have [one col] := @state_first P p b m ns false exp_floor z0 zs ws gen ok sayable few inside exp0 expN words_fit digits_fit erefl nf.
by rewrite -vE in col; apply: (@says_number P p b m ns false) one col vA.
Qed.

(** From generated token g on: the tables that are left are read one after the other. *)
Lemma thoughts_run k gen : size gen + k = size ns -> all (fun a => a < last_size m ns) gen -> last z0 gen < nth 0 (sizes m ns) (size gen) ->
  last 0 (generated md k.+1 (prompt z0 zs ws ++ [seq Val a | a <- gen])) = answer (last z0 gen) (drop (size gen) zs) (drop (size gen) ws).
Proof.
have /and4P[_ /eqP szs _ wsn] := ok; have sw := all2_size wsn.
have ssz N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
have szz : size zs = (size ns).+1 by rewrite -(size_map size) szs ssz.
elim: k gen => [|k IH] gen gk sayable inside.
  rewrite addn0 in gk; have [vE _] := says_next sayable (eq_leq gk) inside erefl.
  rewrite -[LHS]/(exact_output md _) vE (drop_nth [::]) ?szz ?gk // [drop _ ws]drop_oversize ?sw //=.
  by rewrite [nth 0 ws _]nth_default ?muln0 // sw.
have gn : size gen < size ns by rewrite -gk addnS ltnS leq_addr.
have [vE vlt] := says_next sayable (ltnW gn) inside erefl; rewrite gn in vlt.
set v := _ + _ in vE vlt; have vA : v < last_size m ns by apply: leq_trans vlt (sizes_le_last _ wsn gn).
have -> : last 0 (generated md k.+2 (prompt z0 zs ws ++ [seq Val a | a <- gen]))
    = last 0 (generated md k.+1 (prompt z0 zs ws ++ [seq Val a | a <- rcons gen v])).
  by rewrite -[LHS]/(last 0 (exact_output md _ :: generated md k.+1 _)) vE map_rcons -rcons_cat.
rewrite IH ?size_rcons ?addSnnS ?last_rcons // ?all_rcons ?vA //.
have gz : size gen < size zs by rewrite szz ltnW.
rewrite (drop_nth [::] gz) (drop_nth 0 (_ : size gen < size ws)) ?sw //=; congr answer.
rewrite mulnC; congr (_ * _ + _).
by rewrite -(nth_map _ 0) // szs.
Qed.
End Chain.

(** * 6. C5 *)
(** No number is said that is not below the number of tokens. *)
Lemma last_size_tokens m ns : last_size m ns <= tokens m ns.
Proof. by apply: leqW; apply: leqW; elim: ns m => [|n ns IH] m /=; [rewrite addn0 | apply: leq_trans (IH _) (leq_addl _ _)]. Qed.
(** The width of the stream. *)
Lemma thoughts_width P p b m ns full_leads : width (thought_weights P p b m ns full_leads) <= (size ns).+1 + 12.
Proof.
have max_le d (s : seq nat) : all (fun a => a <= d) s -> foldr maxn 0 s <= d.
  by elim: s => //= a s IH /andP[ab /IH sb]; rewrite geq_max ab.
apply: max_le; rewrite all_cat; apply/andP; split; last by case: full_leads => /=; rewrite !addSn !addnS.
rewrite -[position_rows _]/[seq place_row ns full_leads k | k <- places m ns] -[token_rows _]/(word_table m ns) /word_table.
move: (places m ns) => at_; rewrite !map_cat !all_cat -!map_comp.
apply/andP; split; [|apply/andP; split]; apply/allP => _ /mapP[x _ ->] /=; rewrite ?addnS // ?addSn //.
by rewrite size_map size_digits addn0.
Qed.
(** C5 in both orders: a chain of L generated tokens gives the answer, at every size and precision. *)
Theorem thoughts_by_weights (full_leads : bool) P k b m ns : tokens m ns + size ns <= 2 ^ k ->
  (if full_leads then m <= 2 ^ b else m * m <= 2 ^ b) -> all (fun d => d <= 2 ^ b) ns ->
  let w := thought_weights P k b m ns full_leads in thoughts_solve (size ns).+1 m ns w (far_or_zero P).
Proof.
move=> len mb nb w; split; first by exists (floor_exp_far P) => a; apply: floor_exp_far_true.
move=> e /floor_exp_far_only [e0 eN] z0 zs ws ok; have /and4P[z0m _ _ _] := ok.
have fits : last_size m ns <= 2 ^ k by apply: leq_trans (last_size_tokens m ns) (leq_trans (leq_addr _ _) len).
have := @thoughts_run P k b m ns full_leads e z0 zs ws ok e0 eN fits nb mb (size ns) [::] (add0n _) isT.
by rewrite /= cats0 !drop0; apply; case: (ns).
Qed.

(** RF: L·3 numbers of b + 1 bits. *)
Theorem thoughts_state_first P k b m ns : tokens m ns + size ns <= 2 ^ k -> m * m <= 2 ^ b -> all (fun d => d <= 2 ^ b) ns ->
  exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, width w <= (size ns).+1 + 12, map block_shape (blocks w) = [:: None; Some (4, 1, 0)] & all without_mlp (blocks w)]
  /\ [/\ forall e, map (@is_attention _) (stack (exact_of_weights w e ns)) = [:: false; true],
      forall e, map (@linear_bits _) (stack (exact_of_weights w e ns)) = [:: (size ns).+1 * 3 * b.+1; 0],
      forall e, map (soft_bits k) (stack (exact_of_weights w e ns)) = [:: 0; 2 * P + 3 * k + 1]
    & thoughts_solve (size ns).+1 m ns w met].
Proof.
move=> len mb nb; have sz N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
exists (thought_weights P k b m ns false), (far_or_zero P); split; first by split=> //; apply: thoughts_width.
split=> [|e|e|] //; last exact: (@thoughts_by_weights false).
- by rewrite /= sz.
- by congr [:: _; _]; rewrite /= -?plusE -?multE; lia.
Qed.
(** FR: L numbers of b + 1 bits. *)
Theorem thoughts_attention_first P k b m ns : tokens m ns + size ns <= 2 ^ k -> m <= 2 ^ b -> all (fun d => d <= 2 ^ b) ns ->
  exists (w : weights) (met : pred Z),
  [/\ score_bits w = P, width w <= (size ns).+1 + 12, map block_shape (blocks w) = [:: Some (4, 1, 0); None] & all without_mlp (blocks w)]
  /\ [/\ forall e, map (@is_attention _) (stack (exact_of_weights w e ns)) = [:: true; false],
      forall e, map (@linear_bits _) (stack (exact_of_weights w e ns)) = [:: 0; (size ns).+1 * b.+1],
      forall e, map (soft_bits k) (stack (exact_of_weights w e ns)) = [:: 2 * P + 3 * k + 1; 0]
    & thoughts_solve (size ns).+1 m ns w met].
Proof.
move=> len mb nb; have sz N l : size (sizes N l) = (size l).+1 by elim: l N => //= ? l IH N; rewrite IH.
exists (thought_weights P k b m ns true), (far_or_zero P); split; first by split=> //; apply: thoughts_width.
split=> [|e|e|] //; last exact: (@thoughts_by_weights true).
- by rewrite [RHS]/= -[LHS]/[:: 0; (size (sizes m ns)).-1.+1 * (1 + 0) * b.+1] sz addn0 muln1.
- by congr [:: _; _]; rewrite /= -?plusE -?multE; lia.
Qed.
