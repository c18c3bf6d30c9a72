(** The checker of constructions of look-ups (LookUps.v) is right: what it accepts answers every input, with every number of the declared
    precision, whatever function gives the weights, if it is true at the exponents that the checker looked up. *)
From Coq Require Import ZArith QArith Qround Qabs Lqa Lia.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions Prompt Runs LookUps BentSums LookUpsHeads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Close Scope Q_scope.
Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qopp : simpl never.
Arguments inner : simpl never.

(** * 1. All layers *)
Section Layers.
Variables (md : given) (known e : Q -> option Z) (m : nat) (ns : seq nat) (act : nat -> reading).
Hypothesis e_total : forall y, exists w, e y = Some w /\ (0 <= w)%Z.
Hypothesis e_known : forall y w, known y = Some w -> e y = Some w.
Hypothesis causal : both_ways md = false.
Local Notation n := (prompt_length m ns).
Hypothesis places_true : forall t rd l p, t < n -> below rd (act t) -> place_of m ns rd l = Some p ->
  p.1 < n /\ below (with_value rd p.2) (act p.1).
Hypothesis readings_complete : forall t u (P : reading -> bool), t < n -> all P (readings m ns t u) -> exists rd, below rd (act t) /\ P rd.
Local Notation holds := (holds m ns act).

(** The heads of a layer, added to all streams. *)
Definition add_head (ys : seq row) (ho : given_head * seq row) : seq row :=
  [seq add_rows p.1 (image (out_rows ho.1) p.2) | p <- zip ys ho.2].
(** At each token they are added. *)
Lemma add_heads xs hs (outs : seq (seq row)) t : size xs = n ->
  all2 (fun h o => (size o == n) && all (fun x => size x == size (value_rows h)) o) hs outs -> t < n ->
  size (foldl add_head xs (zip hs outs)) = n /\
  nth [::] (foldl add_head xs (zip hs outs)) t = foldl (added t) (nth [::] xs t) (zip hs outs).
Proof.
move=> + + tn; elim: hs outs xs => [|h hs IH] [|o outs] xs //= xn /andP[/andP[/eqP so _] ok].
have sz : size (add_head xs (h, o)) = n by rewrite size_map size_zip xn so minnn.
have [s1 ->] := IH outs _ sz ok; split=> //; congr foldl.
by rewrite (nth_map ([::], [::])) ?size_zip ?xn ?so ?minnn // nth_zip ?xn ?so.
Qed.
(** What is known before a layer that was checked is known after it. *)
Lemma layer_sound d st next us l xs : layer_ok md known m ns d st next us l -> size xs = n -> holds st xs ->
  exists ys, [/\ after_layer md e xs l = Some ys, size ys = n & holds next ys].
Proof.
case: l => hs ms; rewrite /layer_ok [(hs, ms).1]/=; set views := [seq view_of _ _ _ _ _ | _ <- _]; case/andP => sh /allP steps xn H.
have sv : size views = size hs by rewrite size_map.
have step t : t < n -> exists rd, below rd (act t) /\ step_at md known m ns d st next (hs, ms) views t rd.
  by move=> tn; have := steps t; rewrite mem_iota add0n => /(_ tn) /(readings_complete tn).
have [|outs [E1 E2 E3]] := heads_run e_total e_known causal places_true xn H sv sh.
  move=> t /step[rd [le]]; rewrite /step_at; case B : (box_at st t rd) => [b|] //; case: (box_at next t rd) => [c|] //.
  by case A : (all_some _ _) => [saids|] // _; exists rd, b, saids.
set ys := foldl add_head xs (zip hs outs).
have ysz : size ys = n by have [] := add_heads xn E2 (ltn0Sn _).
have token t : t < n -> exists rd c r, [/\ below rd (act t), box_at next t rd = Some c, all2 within r c, all (at_most_size (bound md)) r
    & sized (bound md) (nth [::] ys t) /\
      match ms with
      | [::] => in_box (nth [::] ys t) r
      | [:: p] => sized (bound md) (add_rows (image (hidden_rows p) (nth [::] ys t)) (hidden_bias p)) /\ in_box (after_token (nth [::] ys t) p) r
      | _ => False
      end].
  move=> tn; have [rd [le]] := step t tn; rewrite /step_at; case B : (box_at st t rd) => [b|] //; case C : (box_at next t rd) => [c|] //.
  case A : (all_some _ _) => [saids|] //; case F : (finished _ _ _ _ _) => [r|] // /and4P[/eqP sb _ w small_r].
  exists rd, c, r; split=> //.
  have xb := holds_below H tn le B; have ob := E3 t rd b saids tn le B A.
  have ub := in_box_cat xb ob; have sx : size (nth [::] xs t) = d by rewrite (in_box_size xb).
  have rows_n : all (fun r => size r == size (b ++ flatten saids)) (rows_after d hs).
    by rewrite size_cat sb -(in_box_size ob); apply: rows_after_sizes sh E2 tn.
  rewrite /ys (add_heads xn E2 tn).2; apply: (finishedP F ub rows_n); first by rewrite size_mkseq.
  exact: added_same sh E2 tn sx.
have small_ys : all (small md) ys by apply/(all_nthP [::]) => t; rewrite ysz => /token[rd [c [r [_ _ _ _ []]]]].
have into t rd c r x : t < n -> below rd (act t) -> box_at next t rd = Some c -> all2 within r c -> in_box x r ->
    exists b, box_at next t (act t) = Some b /\ in_box x b.
  move=> tn le C w xr; exists c; split; first exact: described_below le C.
  by elim: x r c w xr {C} => [|a x IH] [|i r] [|j c] //= /andP[w ws] [ai /IH h]; split; [exact: withinP w ai | exact: h].
rewrite /after_layer E1 /= -/(add_head) -/ys small_ys /=.
clear step steps; clearbody views; case: ms token => [|p [|p' ms]] token.
- exists ys; split=> // t tn; have [rd [c [r [le C w _ [_ xr]]]]] := token t tn; exact: into tn le C w xr.
- set zs := [seq after_token x p | x <- ys].
  have hid t : t < n -> small md (add_rows (image (hidden_rows p) (nth [::] ys t)) (hidden_bias p)) /\ small md (after_token (nth [::] ys t) p).
    by move=> /token[rd [c [r [_ _ _ sr [_ [h xr]]]]]]; split=> //; exact: in_box_sized xr sr.
  exists zs; split; last first.
  + move=> t tn; have [rd [c [r [le C w _ [_ [_ xr]]]]]] := token t tn.
    by rewrite /zs (nth_map [::]) ?ysz //; exact: into tn le C w xr.
  + by rewrite size_map.
  rewrite /= /after; set hidden := [seq add_rows (image (hidden_rows p) x) (hidden_bias p) | x <- ys].
  have -> : [seq add_rows q.1 (add_rows (image (outer_rows p) (positive_part q.2)) (outer_bias p)) | q <- zip ys hidden] = zs.
    by rewrite /zs /hidden; elim: (ys) => //= y l ->.
  have -> : all (small md) hidden by apply/(all_nthP [::]) => t; rewrite size_map ysz => tn; rewrite (nth_map [::]) ?ysz //; have [] := hid t tn.
  by have -> : all (small md) zs by apply/(all_nthP [::]) => t; rewrite size_map ysz => tn; rewrite (nth_map [::]) ?ysz //; have [] := hid t tn.
by have [rd [c [r [_ _ _ _ []]]]] := token 0 (ltn0Sn _).
Qed.
(** So it is through all layers. *)
Lemma layers_sound d st ls rest stf xs : layers_ok md known m ns d st ls rest = Some stf -> size xs = n -> holds st xs ->
  exists ss, [/\ after_layers md e xs ls = Some ss, 0 < size ss & holds stf (last [::] ss)].
Proof.
elim: ls st rest xs => [|l ls IH] st [|[us next] rest] xs //=; first by case=> <- xn H; exists [:: xs].
case: ifP => // ok L xn H; have [ys [E yn H']] := layer_sound ok xn H; rewrite E /=.
by have [ss [-> s0 h]] := IH _ _ _ L yn H'; exists (xs :: ss); split=> //; case: ss s0 h.
Qed.
End Layers.

(** * 2. The largest logit *)
Lemma listed_at (c : Q) l : List.In c l -> exists2 j, j < size l & nth 0%Q l j = c.
Proof. by elim: l => //= b l IH [->|/IH[j jl jc]]; [exists 0 | exists j.+1]. Qed.
(** A leader that nothing exceeds. *)
Lemma keeps i leader top ls : (forall a, List.In a ls -> (a <= top)%Q) -> first_largest i leader top ls = leader.
Proof.
elim: ls i => //= a ls IH i h; have -> : Qle_bool a top by apply/Qle_bool_iff; apply: h; left.
by apply: IH => c hc; apply: h; right.
Qed.
(** One that exceeds all others. *)
Lemma finds i leader top ls r : r < size ls -> (top < nth 0 ls r)%Q ->
  (forall j, j < size ls -> j != r -> (nth 0 ls j < nth 0 ls r)%Q) -> first_largest i leader top ls = i + r.
Proof.
elim: ls i leader top r => [|a ls IH] i leader top [|r] //= rs tr oth.
  have -> : Qle_bool a top = false by apply/negbTE/negP => /Qle_bool_iff; lra.
  rewrite addn0; apply: keeps => c hc; apply: Qlt_le_weak.
  have [j jl <-] := listed_at hc; exact: (oth j.+1).
have next j : j < size ls -> j != r -> (nth 0 ls j < nth 0 ls r)%Q by move=> jl jr; apply: (oth j.+1).
rewrite addnS -addSn; case: ifP => _; apply: IH => //.
exact: (oth 0).
Qed.
(** It is what the token says, and this far above the others. *)
Lemma says_largest md x r margin : let ls := logits md x in r < size ls -> 1 < size ls -> (0 < margin)%Q ->
  (forall j, j < size ls -> j != r -> (margin <= nth 0 ls r - nth 0 ls j)%Q) ->
  says_of md x = r /\ exists c, distance md x r = Some c /\ (margin <= c)%Q.
Proof.
move=> ls rs s1 m0 above; split.
  rewrite /says_of -/ls; case: (ls) rs above => // a l; case: r => [|r] /= rs above.
    apply: keeps => c hc; have [j jl <-] := listed_at hc.
    by have := above j.+1 jl erefl; rewrite /=; lra.
  rewrite -add1n; apply: finds => //; first by have := above 0 erefl erefl; rewrite /=; lra.
  by move=> j jl jr; have := above j.+1 jl jr; rewrite /=; lra.
rewrite /distance -/ls; set others := take r ls ++ drop r.+1 ls.
have all_others c : List.In c others -> (margin <= nth 0 ls r - c)%Q.
  move=> hc; have [j [jl jr <-]] : exists j, [/\ j < size ls, j != r & nth 0%Q ls j = c].
    move: hc; rewrite /others; elim: (ls) r {rs s1 above others} => [|a l IH] [|r] //=.
      by rewrite drop0 => /listed_at[j jl jc]; exists j.+1.
    by case=> [->|/IH[j [jl jr jc]]]; [exists 0 | exists j.+1].
  exact: above.
have so : 0 < size others.
  by rewrite size_cat size_takel ?size_drop; [move: rs s1; case: (size ls) (r) => [|[|k]] [|r'] //= ; rewrite addn_gt0 | exact: ltnW].
case: others all_others so => // a l h _; eexists; split; first by [].
rewrite Qred_correct; have ha := h a (or_introl erefl); have hl c : List.In c l -> (margin <= nth 0 ls r - c)%Q by move=> hc; apply: h; right.
elim: l a ha hl {h} => //= b l IH a ha hl; apply: IH => [|c hc]; last by apply: hl; right.
by case: ifP => _ //; apply: hl; left.
Qed.

(** * 3. What an input says *)
Fixpoint hops_from (a : nat) (zs : seq (seq nat)) (ws : seq nat) : seq nat :=
  match zs, ws with
  | z :: zs', w :: ws' => nth 0 z a :: hops_from (w * size z + nth 0 z a) zs' ws'
  | z :: _, [::] => [:: nth 0 z a]
  | [::], _ => [::]
  end.
(** The address at which table l+1 is read. *)
Definition address (a : nat) (zs : seq (seq nat)) (ws : seq nat) (l : nat) : nat :=
  if l is l'.+1 then nth 0 ws l' * size (nth [::] zs l') + nth 0 (hops_from a zs ws) l' else a.

(** The hops are what the tables say, and the last one is the answer. *)
Lemma hops_known m ns a zs ws : a < m -> map size zs = sizes m ns -> all (fun z => all (fun v => v < size z) z) zs -> all2 ltn ws ns ->
  [/\ size (hops_from a zs ws) = (size ns).+1, all2 ltn (hops_from a zs ws) (sizes m ns), answer a zs ws = nth 0 (hops_from a zs ws) (size ns)
    & forall l, l <= size ns -> address a zs ws l < size (nth [::] zs l) /\ nth 0 (hops_from a zs ws) l = nth 0 (nth [::] zs l) (address a zs ws l)].
Proof.
elim: ns m a zs ws => [|n ns IH] m a [|z zs] [|w ws] //= am [sz szs] /andP[/allP vz vzs].
  have va : nth 0 z a < m by rewrite -sz; apply: vz; rewrite mem_nth ?sz.
  by case: zs szs vzs => // _ _ _; rewrite va; split=> // -[|l] //= _; rewrite sz.
case/andP => wn wsn.
have va : nth 0 z a < m by rewrite -sz; apply: vz; rewrite mem_nth ?sz.
have next : w * size z + nth 0 z a < m * n by rewrite sz; apply: pair_lt.
have [h1 h2 h3 h4] := IH _ _ _ _ next szs vzs wsn; rewrite h1 va h2 h3; split=> // -[|l] /=; first by rewrite sz.
by rewrite ltnS => /h4; case: l.
Qed.

Arguments ids_of : simpl never.
Section Input.
Variables (m : nat) (ns : seq nat) (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Hypothesis valid_input : valid m ns z0 zs ws.
Local Notation ids := (ids_of (Composition m ns z0 zs ws)).
Local Notation n := (prompt_length m ns).
Definition hops : seq nat := z0 :: hops_from z0 zs ws.
Definition actual (t : nat) : reading := fun x =>
  match x with
  | Value => Some (nth 0 ids t)
  | Digit l => Some (nth 0 ws l)
  | Hop l => if l < size hops then Some (nth 0 hops l) else None
  end.
(** The ids: tables, z_0 and w. *)
Lemma idsE : ids = flatten (rev zs) ++ [:: z0; last_size m ns + query_number ns ws].
Proof. by rewrite /ids_of /prompt map_cat -map_comp map_id. Qed.
(** As many entries as the sizes say. *)
Lemma body_size : size (flatten (rev zs)) = sumn (sizes m ns).
Proof. by case/and4P: valid_input => _ /eqP e _ _; rewrite size_flatten_rev e. Qed.
(** As many ids as positions. *)
Lemma ids_size : size ids = n.
Proof. by rewrite idsE size_cat body_size addn2. Qed.
(** An entry of table l+1, and where it stands. *)
Lemma entry_at l a : l < size zs -> a < size (nth [::] zs l) ->
  let p := sumn (drop l.+1 (sizes m ns)) + a in p < sumn (sizes m ns) /\ nth 0 ids p = nth 0 (nth [::] zs l) a.
Proof.
move=> lz al p; case/and4P: valid_input => _ /eqP e _ _.
have split : zs = take l zs ++ nth [::] zs l :: drop l.+1 zs by rewrite -drop_nth // cat_take_drop.
have sd : size (flatten (rev (drop l.+1 zs))) = sumn (drop l.+1 (sizes m ns)) by rewrite size_flatten_rev map_drop e.
have pn : p < sumn (sizes m ns).
  rewrite -body_size {1}split rev_cat rev_cons -cats1 -catA /= flatten_cat size_cat sd ltn_add2l /= size_cat; exact: ltn_addr.
split=> //; rewrite idsE nth_cat body_size pn {1}split rev_cat rev_cons -cats1 flatten_cat flatten_cat nth_cat nth_cat.
rewrite size_cat /= cats0 sd /p ltn_add2l al ltnNge leq_addr /= addKn; exact: erefl.
Qed.
(** The hops of this input. *)
Lemma input_hops : [/\ size (hops_from z0 zs ws) = (size ns).+1, all2 ltn (hops_from z0 zs ws) (sizes m ns),
    answer z0 zs ws = nth 0 (hops_from z0 zs ws) (size ns)
  & forall l, l <= size ns -> address z0 zs ws l < size (nth [::] zs l) /\ nth 0 (hops_from z0 zs ws) l = nth 0 (nth [::] zs l) (address z0 zs ws l)].
Proof. by case/and4P: valid_input => h1 /eqP h2 h3 h4; apply: hops_known. Qed.
(** L tables. *)
Lemma tables_number : size zs = (size ns).+1.
Proof.
case/and4P: valid_input => _ /eqP e _ _; rewrite -(size_map size) e.
by elim: (ns) (m) => //= k l IH N; rewrite IH.
Qed.
(** Their sizes. *)
Lemma table_size l : size (nth [::] zs l) = nth 0 (sizes m ns) l.
Proof.
case/and4P: valid_input => _ /eqP e _ _; rewrite -e; case: (ltnP l (size zs)) => h; first by rewrite (nth_map [::]).
by rewrite !nth_default // size_map.
Qed.

(** What a reading names stands there. *)
Lemma places_true t rd l p : t < n -> below rd (actual t) -> place_of m ns rd l = Some p -> p.1 < n /\ below (with_value rd p.2) (actual p.1).
Proof.
move=> tn le; have [sh _ _ hk] := input_hops.
have given p1 p2 : p1 < n -> nth 0 ids p1 = p2 -> p1 < n /\ below (with_value rd p2) (actual p1).
  by move=> h1 h2; split=> // -[|k|k] v /=; [move=> [<-]; rewrite h2 | move/le | move/le].
have hop k v : rd (Hop k) = Some v -> k <= (size ns).+1 /\ v = nth 0 hops k.
  by move/le => /=; rewrite sh ltnS; case: ifP => // h [<-].
case: l => [|l] /=.
  case H : (rd (Hop 0)) => [v|] //= [<-] /=; have [_ ->] := hop _ _ H; apply: given; first by rewrite /prompt_length ltnS leqnSn.
  by rewrite idsE nth_cat body_size ltnn subnn.
case H : (rd (Hop l)) => [i|] //=; case H' : (rd (Hop l.+1)) => [v|] //=.
have [_ ei] := hop _ _ H; have [lb ev] := hop _ _ H'; rewrite ltnS in lb.
have lz : l < size zs by rewrite tables_number ltnS.
have [ab nb] := hk l lb; have [pn pe] := entry_at lz ab.
have pn2 : sumn (drop l.+1 (sizes m ns)) + address z0 zs ws l < n by rewrite /prompt_length; apply: leq_trans pn _; rewrite -addn2 leq_addr.
have ok : nth 0 ids (sumn (drop l.+1 (sizes m ns)) + address z0 zs ws l) = v by rewrite pe -nb ev.
case: l H H' ei ev lb lz ab nb pn pe pn2 ok => [|l] H H' ei ev lb lz ab nb pn pe pn2 ok.
  by case=> <- /=; rewrite ei; apply: given.
case D : (rd (Digit l)) => [d|] //= [<-] /=; have [ed] := le _ _ D.
by rewrite -ed ei -table_size; apply: given.
Qed.

(** The readings of a token are among those that are looked at. *)
Fixpoint masked (used : seq bool) (hs : seq nat) : seq (option nat) :=
  if hs is h :: hs' then (if head false used then Some h else None) :: masked (behead used) hs' else [::].
(** What is looked at has these hops. *)
Lemma masked_in used hs ss : all2 ltn hs ss -> masked used hs \in choices ss used.
Proof.
elim: ss used hs => [|s ss IH] used [|h hs] //= /andP[hlt /IH hin].
apply/flatten_mapP; exists (if head false used then Some h else None); last by apply: map_f; apply: hin.
by case: (head false used); [apply: map_f; rewrite mem_iota | rewrite inE].
Qed.
(** They are those of the input. *)
Lemma masked_below used hs l v : nth None (masked used hs) l = Some v -> l < size hs /\ v = nth 0 hs l.
Proof.
elim: hs used l => [|h hs IH] used [|l] //=; first by case: ifP => // _ [<-].
by move/IH.
Qed.
(** Values are below their sizes. *)
Lemma value_below t : t < n.-1 -> nth 0 ids t < nth 0 (value_sizes m ns) t.
Proof.
case/and4P: valid_input => zm /eqP e vz _; rewrite /prompt_length /= ltnS leq_eqVlt => tn.
have fs : size (flatten [seq nseq N N | N <- rev (sizes m ns)]) = sumn (sizes m ns).
  by rewrite size_flatten /shape -map_comp -(sumn_rev (sizes m ns)) -[in RHS](map_id (rev _)); congr sumn; apply: eq_map => N; rewrite /= size_nseq.
rewrite idsE /value_sizes nth_cat nth_rcons body_size fs; case/orP: tn => [/eqP ->|tn]; first by rewrite ltnn subnn eqxx.
rewrite tn -e -map_rev; have : all (fun z => all (fun v => v < size z) z) (rev zs) by rewrite all_rev.
have : t < size (flatten (rev zs)) by rewrite body_size.
elim: (rev zs) t {tn fs} => //= z l IH t; rewrite size_cat !nth_cat size_nseq => tl /andP[/(all_nthP 0) hz hl].
case: (ltnP t (size z)) => tz; first by rewrite nth_nseq tz; apply: hz.
by apply: IH => //; rewrite ltn_subLR.
Qed.
(** All of a list of lists is all of each. *)
Lemma all_flatten T (P : pred T) ss : all P (flatten ss) = all (all P) ss.
Proof. by elim: ss => //= s ss IH; rewrite all_cat IH. Qed.
(** The query is one of all. *)
Lemma among_queries ks ds : all2 ltn ds ks -> ds \in all_queries ks.
Proof.
elim: ks ds => [|k ks IH] [|d ds] //= /andP[dk /IH h].
by apply/allpairsPdep; exists d, ds; rewrite mem_iota /= dk h.
Qed.
(** A number that is looked at, or none. *)
Lemma chosen (T : eqType) (b : bool) (a : T) s : (b -> a \in s) -> (if b then Some a else None) \in (if b then map Some s else [:: None]).
Proof. by case: b => h; [apply: map_f; apply: h | rewrite inE]. Qed.
(** Some reading that is looked at is the input's. *)
Lemma readings_complete t u (P : reading -> bool) : t < n -> all P (readings m ns t u) -> exists rd, below rd (actual t) /\ P rd.
Proof.
move=> tn; have [sh hl _ _] := input_hops; case/and4P: valid_input => zm _ _ wn.
rewrite /readings all_flatten all_map.
move/allP/(_ _ (@chosen _ (of_value u && (t < n.-1)) (nth 0 ids t) (iota 0 (nth 0 (value_sizes m ns) t)) _)).
have inv : of_value u && (t < n.-1) -> nth 0 ids t \in iota 0 (nth 0 (value_sizes m ns) t).
  by case/andP => _ /value_below h; rewrite mem_iota.
move/(_ inv); rewrite /= all_flatten all_map => /allP/(_ _ (@chosen _ (of_digits u) ws (all_queries ns) (fun _ => among_queries wn))).
have inh : masked (of_hops u) hops \in choices (hop_sizes m ns) (of_hops u) by apply: masked_in; rewrite /hops /= zm.
rewrite /= all_map => /allP/(_ _ inh) ok; eexists; split; last exact: ok.
move=> [|k|k] x; [by rewrite /=; case: ifP | by rewrite /=; case: ifP |].
by move=> told; have [h ->] := @masked_below (of_hops u) hops k x told; rewrite /actual h.
Qed.
(** As many digits as sizes. *)
Lemma digits_number : size ws = size ns.
Proof. by case/and4P: valid_input => _ _ _; elim: ws ns => [|w ws' IH] [|k l] //= /andP[_ /IH ->]. Qed.
(** The id at a position. *)
Lemma id_true t rd id : t < n -> below rd (actual t) -> id_at m ns t rd = Some id -> id = nth 0 ids t.
Proof.
move=> tn le; rewrite /id_at /prompt_length /=; case: ltnP => t1; first by move/le => -[].
case: ltnP => t2.
  move/le => /= -[<-]; have -> : t = sumn (sizes m ns) by apply/eqP; rewrite eqn_leq t1 -ltnS t2.
  by rewrite idsE nth_cat body_size ltnn subnn.
case E : (all_some _ _) => [ds|] //= [<-]; have -> : t = (sumn (sizes m ns)).+1 by apply/eqP; rewrite eqn_leq t2 -ltnS tn.
rewrite idsE nth_cat body_size ltnNge leqnSn /= subSnn /=; congr (_ + query_number _ _).
have sw := digits_number; have sd := size_all_some E; rewrite size_iota in sd.
apply: (@eq_from_nth _ 0); rewrite sd ?sw // => l lt.
by have := @all_some_nth _ _ 0 0 _ _ _ l E; rewrite size_iota nth_iota // => /(_ lt) /le [->].
Qed.
End Input.

(** * 4. The theorem *)
Section Answers.
Variables (md : given) (known : Q -> option Z) (m : nat) (ns : seq nat) (margin : Q).
(** What the checker accepts answers every input. *)
Theorem answers_all_sound pl : answers_all md known m ns pl margin ->
  forall e, (forall y, exists w, e y = Some w /\ (0 <= w)%Z) -> (forall y w, known y = Some w -> e y = Some w) ->
  forall z0 zs ws, valid m ns z0 zs ws ->
  exists c, answers_to md e (Composition m ns z0 zs ws) = Some [:: (true, Some c)] /\ (margin <= c)%Q.
Proof.
case: pl => first rest last_uses; rewrite /answers_all; set d := size _; case/and4P => /negbTE causal m0 emb; case L : (layers_ok _ _ _ _ _ _ _ _) => [st|] // ans e e_total e_known z0 zs ws ok.
have margin0 : (0 < margin)%Q by move/negbTE/above_bool: m0.
set q := Composition _ _ _ _ _; pose act := actual m ns z0 zs ws.
have complete := readings_complete ok; have places := places_true ok; have sids := ids_size ok.
set xs := [seq add_rows (nth [::] (of_position md) p.1) (nth [::] (of_id md) p.2) | p <- zip (iota 0 (size (ids_of q))) (ids_of q)].
have xn : size xs = prompt_length m ns by rewrite size_map size_zip size_iota minnn sids.
have start t : t < prompt_length m ns -> small md (nth [::] xs t) /\ exists b, box_at first.2 t (act t) = Some b /\ in_box (nth [::] xs t) b.
  move=> tn; have := allP emb t; rewrite mem_iota add0n => /(_ tn) /(complete _ _ _ tn)[rd [le]].
  case I : (id_at _ _ _ _) => [id|] //; case B : (box_at _ _ _) => [b|] //; case/and5P => _ _ _ s inb.
  have ex : nth [::] xs t = add_rows (nth [::] (of_position md) t) (nth [::] (of_id md) id).
    by rewrite /xs (nth_map (0, 0)) ?size_zip ?size_iota ?minnn ?sids // nth_zip ?size_iota // nth_iota ?sids // (id_true ok tn le I).
  rewrite ex; split=> //; exists b; split; first exact: described_below le B.
  by elim: (add_rows _ _) b inb {B s ex} => [|a x IH] [|i b] //= /andP[/andP[/at_most_bool ? /at_most_bool ?] /IH].
have H0 : holds m ns act first.2 xs by move=> t /start[].
have small_xs : all (small md) xs by apply/(all_nthP [::]) => t; rewrite xn => /start[].
have [ss [E s0 H]] := layers_sound e_total e_known causal places complete L xn H0.
have last_token : (prompt_length m ns).-1 < prompt_length m ns by [].
have [rd [le]] := complete _ _ _ last_token ans; case Hs : (rd (Hop _)) => [said|] //; case B : (box_at _ _ _) => [b|] //.
case/andP => /and4P[sn n1 /eqP sb /allP above] shape.
have xb := holds_below H last_token le B; set x := nth [::] (last [::] ss) _ in xb.
have es : said = answer z0 zs ws.
  have [sh _ -> _] := input_hops ok; have := le _ _ Hs; rewrite /= /hops /= sh ltnSn => -[<-]; exact: erefl.
have sl : size (logits md x) = size (of_answer md) by rewrite size_map.
have far j : j < size (logits md x) -> j != said -> (margin <= nth 0 (logits md x) said - nth 0 (logits md x) j)%Q.
  rewrite sl => jn js; have := above j; rewrite mem_iota add0n => /(_ jn); rewrite (negbTE js) /= => /at_most_bool lowest.
  have [h _] := rangeP (add_rows (nth [::] (of_answer md) said) (times_row (-1) (nth [::] (of_answer md) j))) xb.
  have sr k : k < size (of_answer md) -> size (nth [::] (of_answer md) k) = d by move=> kn; apply/eqP; apply: (all_nthP [::] shape).
  have h2 := inner_add x (etrans (sr _ sn) (esym (etrans (size_map _ _) (sr _ jn)))).
  by rewrite /logits !(nth_map [::]) //; have h3 := inner_times (-1) (nth [::] (of_answer md) j) x; rewrite h2 h3 in h; lra.
have [hs [c [hd mc]]] := @says_largest md x said margin ltac:(by rewrite sl) ltac:(by rewrite sl) margin0 far.
exists c; split=> //; rewrite /answers_to /all_said /streams -/xs small_xs E /= -es.
have -> : (size (prompt z0 zs ws)).-1 = (prompt_length m ns).-1 by rewrite -sids /= size_map.
by rewrite -/x hs eqxx hd.
Qed.
End Answers.
