(** D about layers that answer 2-Sum: one block-sparse layer at the last token of a prompt is right if and only if the abstract layer of
    TheoremD.v is; and several layers whose summaries say nothing of their blocks (D2). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions ExactDefinitions SparseDefinitions TheoremD.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.


(** * 1. One layer *)
Section One.
Variables (M s B g t k : nat) (Sg : finType).
Hypotheses (Modd : odd M) (t0 : 0 < t).
Notation u := M.-1.
Notation content := {ffun 'I_B -> 'I_u}.

(** A content as numbers of 1..M−1, and back. *)
Definition spelled (c : content) : seq nat := [seq (val (c j)).+1 | j <- enum 'I_B].
(** It has B numbers. *)
Lemma size_spelled c : size (spelled c) = B. Proof. by rewrite size_map size_enum_ord. Qed.
(** They are in 1..M−1. *)
Lemma spelled_ok c : all (fun a => 0 < a < M) (spelled c).
Proof.
by apply/allP => _ /mapP[j _ ->]; have := ltn_ord (c j); rewrite /= -ltnS; case: (M) (c j) => [|M'] // [].
Qed.
Definition read (l : seq nat) (d : 'I_u) : content := [ffun j : 'I_B => insubd d (nth 0 l j).-1].
(** Reading turns spelling back. *)
Lemma readK c d : read (spelled c) d = c.
Proof.
apply/ffunP => j; rewrite ffunE (nth_map j) ?size_enum_ord // nth_ord_enum /=.
by apply: val_inj; rewrite val_insubd ltn_ord.
Qed.
(** A number stands in a block of numbers if and only if its predecessor is in the content. *)
Lemma has_read (l : seq nat) (x d : 'I_u) : size l = B -> all (fun a => 0 < a < M) l -> has_value x (read l d) = (x.+1 \in l).
Proof.
move=> sl ok; have at_ (j : 'I_B) : val (read l d j) = (nth 0 l j).-1 /\ 0 < nth 0 l j.
  have /andP[a0 aM] : 0 < nth 0 l j < M by apply: (allP ok); rewrite mem_nth ?sl.
  by rewrite ffunE val_insubd -ltnS !prednK ?aM //; apply: leq_ltn_trans aM.
apply/existsP/idP => [[j /eqP E]|/(nthP 0)[j jl E]].
  by have [v p] := at_ j; rewrite -E v prednK // mem_nth // sl.
rewrite sl in jl; exists (Ordinal jl); have [v _] := at_ (Ordinal jl).
by apply/eqP; apply: val_inj; rewrite v /= E.
Qed.

(** Numbers of 1..M−1 with M | a + b: one is minus the other; no number is minus itself. *)
Lemma sum_divided a b : 0 < a < M -> 0 < b < M -> (M %| a + b) = (b == M - a).
Proof.
move=> /andP[a0 aM] /andP[b0 bM]; apply/idP/eqP => [/dvdnP[q E]|->]; last by rewrite subnKC // ltnW.
have q1 : q = 1; last by rewrite -(addKn a b) E q1 mul1n.
have lt : q * M < 2 * M by rewrite -E mul2n -addnn; apply: leq_trans (_ : a.+1 + M <= _); rewrite ?leq_add2r // addSn ltnS leq_add2l ltnW.
move: lt E; rewrite ltn_mul2r => /andP[_]; case: q => [|[|q]] // _ E; first by move: a0; rewrite lt0n; case: (a) E.
Qed.
(** No number is minus itself, as M is odd. *)
Lemma no_self a : 0 < a < M -> (M %| a + a) = false.
Proof.
move=> h; rewrite sum_divided //; apply/eqP => E; move: Modd; have aM : a <= M by case/andP: h => _ /ltnW.
by rewrite -(subnK aM) -E addnn odd_double.
Qed.
(** ** From 2-Sum to blocks and values *)
Section Down.
Variable l : sparse_layer g Sg.
Hypothesis solves : sparse_solves M s B t k l.
(** The prompt that asks for x: −x everywhere but in the blocks. *)
Definition minus (x : 'I_u) : nat := M - x.+1.
(** It is a number of 1..M−1. *)
Lemma minus_ok x : 0 < minus x < M.
Proof.
have xM : x.+1 < M by rewrite -ltn_predRL.
by rewrite subn_gt0 xM ltn_subrL /= (leq_ltn_trans _ xM).
Qed.
Definition asking (cs : {ffun 'I_g -> content}) (x : 'I_u) : seq nat :=
  nseq s (minus x) ++ flatten [seq spelled (cs b) | b <- enum 'I_g] ++ nseq t (minus x).
(** Its blocks are the contents. *)
Lemma block_asking cs x (b : 'I_g) : block_of s B b (asking cs x) = spelled (cs b).
Proof.
rewrite /block_of /asking addnC -drop_drop drop_size_cat ?size_nseq //.
have pieces (bs : seq 'I_g) i d : i < size bs ->
    take B (drop (i * B) (flatten [seq spelled (cs b) | b <- bs] ++ nseq t (minus x))) = spelled (cs (nth d bs i)).
  elim: bs i => //= c bs IH [|i] lt; first by rewrite drop0 -catA take_size_cat ?size_spelled.
  by rewrite mulSn addnC -drop_drop -catA drop_size_cat ?size_spelled // IH.
by rewrite (pieces _ _ b) ?size_enum_ord // nth_ord_enum.
Qed.
(** In front and behind stands −x. *)
Lemma near_asking cs x : (take s (asking cs x), drop (s + g * B) (asking cs x)) = (nseq s (minus x), nseq t (minus x)).
Proof.
have sf : size (flatten [seq spelled (cs b) | b <- enum 'I_g]) = g * B.
  have all_ (bs : seq 'I_g) : size (flatten [seq spelled (cs b) | b <- bs]) = size bs * B.
    by elim: bs => //= c bs IH; rewrite size_cat IH size_spelled.
  by rewrite all_ size_enum_ord.
by rewrite take_size_cat ?size_nseq // addnC -drop_drop !drop_size_cat ?size_nseq.
Qed.
(** Its answer: does x stand in some block? *)
Lemma two_sum_asking cs x : two_sum M (asking cs x) = [exists b, has_value x (cs b)].
Proof.
have last_x : last 0 (asking cs x) = minus x by rewrite /asking !last_cat -nth_last size_nseq nth_nseq ltn_predL t0.
have self n : has (fun b => M %| minus x + b) (nseq n (minus x)) = false by rewrite has_nseq no_self ?minus_ok // andbF.
rewrite /two_sum last_x /asking !has_cat !self orbF /=.
apply/hasP/existsP => [[a /flatten_mapP[b _ ab]]|[b /existsP[j /eqP E]]].
  have a_ok := allP (spelled_ok (cs b)) _ ab; move: ab => /mapP[j _ E].
  rewrite sum_divided ?minus_ok // => /eqP; rewrite {}E subKn; last by rewrite ltnW // -ltn_predRL.
  by case=> v; exists b; apply/existsP; exists j; apply/eqP; apply: val_inj.
exists x.+1; first by apply/flatten_mapP; exists b; rewrite ?mem_enum //; apply/mapP; exists j; rewrite ?mem_enum // E.
by rewrite /minus subnK // ltnW // -ltn_predRL.
Qed.
(** A layer that answers 2-Sum is a right one of blocks and values. *)
Lemma right_of_solves : right_layer k (fun b c => sparse_summary l b (spelled c))
  (fun told x => sparse_opens l (nseq s (minus x), nseq t (minus x)) told)
  (fun told x o => sparse_says l (nseq s (minus x), nseq t (minus x)) told [ffun b => omap spelled (o b)]).
Proof.
case: solves => few right; split=> // cs x; rewrite -two_sum_asking -right; first last.
- rewrite !all_cat !all_nseq minus_ok !orbT /= andbT; apply/allP => a /flatten_mapP[b _]; exact: (allP (spelled_ok _)).
- have := near_asking cs x => -[_ /(congr1 size)]; rewrite size_drop size_nseq => E.
  by rewrite -E addnC subnK // /asking; move: E; rewrite /asking; case: leqP => // /ltnW; rewrite -subn_eq0 => /eqP -> E; move: t0; rewrite -E.
rewrite /sparse_answer near_asking; have -> : [ffun b => sparse_summary l b (block_of s B b (asking cs x))] = summaries (fun b c => sparse_summary l b (spelled c)) cs.
  by apply/ffunP => b; rewrite !ffunE block_asking.
by congr sparse_says; apply/ffunP => b; rewrite !ffunE block_asking; case: ifP.
Qed.
End Down.

(** ** From blocks and values to 2-Sum *)
Section Up.
Variables (summary : 'I_g -> content -> Sg) (scorer : {ffun 'I_g -> Sg} -> 'I_u -> {set 'I_g}).
Variable reply : {ffun 'I_g -> Sg} -> 'I_u -> {ffun 'I_g -> option content} -> bool.
Hypothesis right : right_layer k summary scorer reply.
Variable d : 'I_u.
(** The value asked for: minus the last number. *)
Definition wanted (near : seq nat * seq nat) : 'I_u := insubd d (M - last 0 near.2).-1.
Definition two_sum_layer : sparse_layer g Sg := SparseLayer (fun b l => summary b (read l d))
  (fun near told => scorer told (wanted near))
  (fun near told o => has (fun b => M %| last 0 near.2 + b) (near.1 ++ near.2) || reply told (wanted near) [ffun b => omap (read^~ d) (o b)]).
(** It answers 2-Sum. *)
Lemma solves_of_right : sparse_solves M s B t k two_sum_layer.
Proof.
case: right => few ok; split=> [near told|xs sx xs_ok]; first exact: few.
set a := last 0 xs; pose near := (take s xs, drop (s + g * B) xs).
have near_last : last 0 near.2 = a.
  rewrite /a -[in RHS](cat_take_drop (s + g * B) xs) last_cat /near /= -!nth_last size_drop sx addKn; apply: set_nth_default.
  by rewrite size_drop sx addKn ltn_predL.
have a_ok : 0 < a < M.
  by rewrite /a -nth_last; apply: (allP xs_ok); rewrite mem_nth // ltn_predL sx addn_gt0 t0 orbT.
have wE : (val (wanted near)).+1 = M - a.
  case/andP: a_ok => a0 aM; rewrite /wanted near_last val_insubd.
  have -> : (M - a).-1 < u by rewrite -ltnS !prednK ?subn_gt0 ?(ltn_trans a0) // ltn_subrL a0 (ltn_trans a0).
  by rewrite prednK // subn_gt0.
rewrite /sparse_answer -/near /= near_last.
pose cs : {ffun 'I_g -> content} := [ffun b : 'I_g => read (block_of s B b xs) d].
have -> : [ffun b : 'I_g => summary b (read (block_of s B b xs) d)] = summaries summary cs by apply/ffunP => b; rewrite !ffunE.
set o := [ffun b => _ : option content]; have -> : o = opened (scorer (summaries summary cs) (wanted near)) cs.
  by apply/ffunP => b; rewrite !ffunE; case: ifP => //= _; rewrite ffunE.
rewrite ok /two_sum -/a.
have sizeb (b : 'I_g) : s + b * B + B <= size xs.
  by rewrite sx -addnA -addnA leq_add2l addnC -mulSn; apply: leq_trans (leq_addr _ _); rewrite leq_mul2r ltn_ord orbT.
have szb (b : 'I_g) : size (block_of s B b xs) = B by rewrite size_takel // size_drop leq_subRL // (leq_trans (leq_addr _ _) (sizeb b)).
have mem_block (b : 'I_g) : {subset block_of s B b xs <= xs} by move=> y /mem_take/mem_drop.
have okb (b : 'I_g) : all (fun a => 0 < a < M) (block_of s B b xs) by apply/allP => y /mem_block; apply: (allP xs_ok).
apply/orP/hasP => [[/hasP[y + h]|/existsP[b]]|[y yx h]].
- by rewrite mem_cat => /orP[/mem_take|/mem_drop] yx; exists y.
- rewrite ffunE has_read // wE => h; exists (M - a); first exact: (mem_block b).
  by case/andP: a_ok => _ /ltnW/subnKC ->.
case E: (has _ _); [by left | right].
have y_ok := allP xs_ok _ yx; have yE : y = M - a by apply/eqP; rewrite -sum_divided.
have yn : y \notin near.1 ++ near.2 by apply: contraFN E => yn; apply/hasP; exists y.
have [i ix yi] := nthP 0 yx.
have lo : s <= i by rewrite leqNgt; apply: contra yn => lt; rewrite mem_cat -yi -(nth_take 0 lt) mem_nth // size_take; case: ifP.
have hi : i < s + g * B.
  rewrite ltnNge; apply: contra yn => le; rewrite mem_cat orbC -yi -(subnKC le) -nth_drop mem_nth // size_drop ltn_sub2r //.
  exact: leq_ltn_trans le ix.
have B0 : 0 < B by case: (posnP B) hi => // ->; rewrite muln0 addn0 ltnNge lo.
have bg : (i - s) %/ B < g by rewrite ltn_divLR // ltn_subLR.
have iE : i = s + (i - s) %/ B * B + (i - s) %% B by rewrite -addnA -divn_eq subnKC.
apply/existsP; exists (Ordinal bg); rewrite ffunE has_read // wE -yE -yi.
have -> : nth 0 xs i = nth 0 (block_of s B (Ordinal bg) xs) ((i - s) %% B) by rewrite nth_take ?ltn_mod // nth_drop -iE.
by rewrite mem_nth // szb ltn_mod.
Qed.
End Up.
End One.

(** How many summaries one layer needs. *)
Lemma least_below M s B g t k (Sg : finType) (l : sparse_layer g Sg) : odd M -> 1 < M -> 0 < t -> k < g ->
  sparse_solves M s B t k l -> least_summaries M.-1 g B k <= #|Sg|.
Proof.
move=> Modd M1 t0 kg /(right_of_solves Modd t0) right; have u0 : 0 < M.-1 by rewrite ltn_predRL.
have few := (D_criterion _ _).1 (ex_intro _ _ (ex_intro _ _ right)).
have g0 : 0 < g by apply: leq_ltn_trans kg.
have hd d : d = M.-1 - (M.-1 * k) %/ g -> d.-1 * g < M.-1 * (g - k).
  move=> ->; set q := _ %/ g; have qu : q < M.-1 by rewrite ltn_divLR // ltn_pmul2l.
  rewrite mulnBr -subnS mulnBl ltn_sub2l //; first by rewrite ltn_pmul2l.
  by rewrite -ltn_divLR.
rewrite /least_summaries; set d := _ - _; case: ifP => du; first exact: D_bound few kg (hd d erefl) du.
apply: D_bound_full few kg _; have := hd d erefl; have -> : d = M.-1 by apply/eqP; rewrite eqn_leq leq_subr leqNgt du.
by [].
Qed.
(** ... and that many are enough. *)
Lemma least_enough M s B g t k : odd M -> 1 < M -> 0 < B -> 0 < t -> k < g ->
  exists (Sg : finType) (l : sparse_layer g Sg), #|Sg| = least_summaries M.-1 g B k /\ sparse_solves M s B t k l.
Proof.
move=> Modd M1 B0 t0 kg; have u0 : 0 < M.-1 by rewrite ltn_predRL.
have g0 : 0 < g by apply: leq_ltn_trans kg.
rewrite /least_summaries; case: ifP => du.
  have [Sg [summary [E [scorer [reply right]]]]] := @D_enough M.-1 g B k (ltnW kg) g0 u0.
  by exists Sg; eexists; split; [exact: E | apply: (solves_of_right s t0 right (Ordinal u0))].
have ukg : M.-1 * k < g.
  rewrite ltnNge; apply: contraFN du => le; by rewrite ltn_subrL u0 divn_gt0 // le.
have [Sg [summary [E [scorer [reply right]]]]] := @D_enough_full M.-1 g B k B0 u0 ukg.
by exists Sg; eexists; split; [exact: E | apply: (solves_of_right s t0 right (Ordinal u0))].
Qed.
(** The exact number. *)
Theorem D_two_sum M s B g t k : odd M -> 1 < M -> 0 < B -> 0 < t -> k < g ->
  (forall (Sg : finType) (l : sparse_layer g Sg), sparse_solves M s B t k l -> least_summaries M.-1 g B k <= #|Sg|) /\
  exists (Sg : finType) (l : sparse_layer g Sg), #|Sg| = least_summaries M.-1 g B k /\ sparse_solves M s B t k l.
Proof.
move=> Modd M1 B0 t0 kg; split; last exact: least_enough.
by move=> Sg l; apply: least_below.
Qed.

(** * 2. Several layers whose summaries say nothing of their blocks (D2) *)
Section Several.
Variables (X : Type) (B k s : nat).
Hypothesis B0 : 0 < B.
Implicit Type ls : seq (blind_layer X).
Notation after x ls := (foldl (run_blind B) x ls).
(** What token i depends on: through the last layer it reads few tokens, and these depend on what they read before. *)
Fixpoint cone (x : nat -> X) (back : seq (blind_layer X)) (i : nat) : seq nat :=
  if back is l :: back' then flatten [seq cone x back' j | j <- blind_reads B l i (after x (rev back') i)] else [:: i].
(** A token reads itself, and at most (k+1)B + s tokens. *)
Lemma reads_self (l : blind_layer X) i a : i \in blind_reads B l i a.
Proof. by rewrite mem_cat /= mem_cat mem_iota leq_trunc_div -mulSnr ltn_ceil. Qed.
(** ... and at most (k+1)B + s tokens. *)
Lemma reads_few (l : blind_layer X) i a : blind_few k s l -> size (blind_reads B l i a) <= k.+1 * B + s.
Proof.
case=> few near; rewrite size_cat leq_add // size_flatten /shape -map_comp.
rewrite (eq_map (f2 := fun=> B)) => [|b]; last by rewrite /= size_iota.
apply: leq_trans (_ : (size (i %/ B :: blind_opens l i a)) * B <= _); last by rewrite leq_mul2r ltnS few orbT.
by elim: (_ :: _) => //= _ bs IH; rewrite mulSn leq_add2l.
Qed.
(** So a cone is small. *)
Lemma cone_small x back i : (forall l, List.In l back -> blind_few k s l) -> size (cone x back i) <= (k.+1 * B + s) ^ size back.
Proof.
elim: back i => [|l back IH] i few //=; rewrite expnS.
apply: leq_trans (_ : size (blind_reads B l i (after x (rev back) i)) * (k.+1 * B + s) ^ size back <= _); last first.
  by rewrite leq_mul2r reads_few ?orbT //; apply: few; left.
elim: (blind_reads _ _ _ _) => //= j js IHj; rewrite size_cat mulSn leq_add // IH // => l' h; by apply: few; right.
Qed.
(** Activations that agree in the cone give the same in the end. *)
Lemma cone_enough x y back i : (forall j, j \in cone x back i -> x j = y j) -> after x (rev back) i = after y (rev back) i.
Proof.
elim: back i => [|l back IH] i same /=; first by apply: same; rewrite inE.
have each j : j \in blind_reads B l i (after x (rev back) i) -> after x (rev back) j = after y (rev back) j.
  by move=> jr; apply: IH => m jm; apply: same; apply/flatten_mapP; exists j.
have own := each i (reads_self _ _ _).
rewrite rev_cons -cats1 !foldl_cat /= /run_blind -own; congr blind_next.
by apply/eq_in_map => j /each ->.
Qed.
End Several.

(** What is in a list turned around is in the list. *)
Lemma in_back (T : Type) (l : T) ls : List.In l (rev ls) -> List.In l ls.
Proof.
have in_cat a b : List.In l (a ++ b) -> List.In l a \/ List.In l b by elim: a => [|c a IH] /=; tauto.
by elim: ls => //= c ls IH; rewrite rev_cons -cats1 => /in_cat[/IH|[->|[]]]; [right | left].
Qed.
(** D2: with n > ((k+1)B + s)^λ tokens some list of n numbers is answered wrongly. *)
Theorem D_several X (B k s M n : nat) (embed : nat -> nat -> X) (ls : seq (blind_layer X)) (out : X -> bool) :
  odd M -> 1 < M -> 0 < B -> (forall l, List.In l ls -> blind_few k s l) -> (k.+1 * B + s) ^ size ls < n ->
  ~ (forall xs, size xs = n -> all (fun a => 0 < a < M) xs ->
      out (foldl (run_blind B) (fun i => embed i (nth 0 xs i)) ls n.-1) = two_sum M xs).
Proof.
move=> Modd M1 B0 few long right.
pose ones := nseq n 1; pose x i := embed i (nth 0 ones i).
have n0 : 0 < n by apply: leq_ltn_trans long.
have [p pn pc] : exists2 p, p < n & p \notin cone B x (rev ls) n.-1.
  have small : size (cone B x (rev ls) n.-1) < size (iota 0 n).
    rewrite size_iota; apply: leq_ltn_trans long; rewrite -(size_rev ls); apply: cone_small => l h; apply: few; exact: in_back.
  have /allPn[p] : ~~ all (mem (cone B x (rev ls) n.-1)) (iota 0 n).
    apply: contraL small => /allP sub; rewrite -leqNgt; apply: uniq_leq_size (iota_uniq _ _) _; exact: sub.
  by rewrite mem_iota => pn h; exists p.
pose ys := set_nth 0 ones p M.-1.
have sy : size ys = n by rewrite size_set_nth size_nseq; apply/maxn_idPr.
have ya i : nth 0 ys i = if i == p then M.-1 else nth 0 ones i by rewrite nth_set_nth.
have last_ne : p != n.-1.
  apply: contra pc => /eqP ->; elim: (rev ls) => [|l back IH] /=; first by rewrite inE.
  by apply/flatten_mapP; exists n.-1; rewrite ?reads_self.
have M2 : 0 < M.-1 < M by rewrite ltn_predRL M1 /= ltn_predL ltnW.
have onesE : two_sum M ones = false.
  by rewrite /two_sum -nth_last size_nseq nth_nseq ltn_predL n0 has_nseq (no_self Modd) // andbF.
have ysE : two_sum M ys.
  apply/hasP; exists M.-1; first by apply/(nthP 0); exists p; rewrite ?sy // ya eqxx.
  by rewrite -nth_last sy ya eq_sym (negbTE last_ne) nth_nseq ltn_predL n0 add1n prednK ?dvdnn // ltnW.
have okn : all (fun a => 0 < a < M) ones by rewrite all_nseq M1 orbT.
have oky : all (fun a => 0 < a < M) ys.
  apply/(all_nthP 0) => i; rewrite sy ya => ilt; case: eqP => [_|_]; first exact: M2.
  by rewrite nth_nseq ilt M1.
have same : foldl (run_blind B) x ls n.-1 = foldl (run_blind B) (fun i => embed i (nth 0 ys i)) ls n.-1.
  rewrite -(revK ls); apply: (cone_enough B0) => j jc; rewrite /x ya; case: eqP => // E.
  by rewrite -E jc in pc.
by have := right ys sy oky; rewrite -same (right ones (size_nseq _ _) okn) onesE ysE.
Qed.
