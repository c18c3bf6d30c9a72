(** Construction C5, F alone: one Full layer and a chain of thought solve the task at all sizes.
    A generated token is  Query (ℓ :: address to be read in table ℓ :: ws);  w itself reads z_0. *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions Prompt Counting Knowledge Constructions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Cot.
Variables (m : nat) (ns0 : seq nat).
Notation P := (z0_place m ns0).
Let sz := sizes m ns0.
Definition XK : Type := (nat * nat * seq nat * nat)%type.    (* own value, stage l, ws, position to read / value read *)
Definition embK (i : nat) (t : token) : XK :=
  match t with
  | Val v => (v, 0, [::], 0)
  | Query s => if i == P.+1 then (0, 0, s, P) else (0, head 0 s, behead (behead s), nth 0 s 1)
  end.
Definition rdK : layer XK :=
  Full (M := option_finType (ordinal_finType P.+1)) None
    (fun i j (xi xj : XK) a => if j == xi.2 then Some (inord xj.1.1.1) else a)
    (St := unit_finType) tt (fun _ s _ => s)
    (fun i (x : XK) s _ => (x.1, if s is Some v then val v else 0)).
Definition C5 : model := Model embK [:: rdK] (fun x : XK => x.2).
Definition nextK (x : act C5) : token + nat :=
  let: (_, l, ws, v) := x in
  if l == (size ns0).+1 then inr v
  else inl (Query [:: l.+1, sumn (drop l.+1 sz) + (if l is k.+1 then nth 0 ws k * nth 0 sz k + v else v) & ws]).

(** The last token finds what it asks for. *)
Lemma lactK q t v : nth (Val 0) q (embK (size q) t).2 = Val v -> (embK (size q) t).2 < size q -> v <= P ->
  last_act (md := C5) [:: rdK] (rcons q t) = ((embK (size q) t).1, v).
Proof.
move=> hv hlt vP; rewrite /last_act /acts size_rcons /= /inputs /= nth_rcons ltnn eqxx.
set x := embK _ t in hv hlt *; congr pair.
rewrite (sum_at (fun y : XK => inord y.1.1.1)) // nth_rcons hlt hv /=.
by rewrite inordK.
Qed.

(** One generated token. *)
Lemma decodeS f q t : decode nextK f.+1 (rcons q t) =
  match nextK (last_act (md := C5) [:: rdK] (rcons q t)) with inl t' => decode nextK f (rcons (rcons q t) t') | inr v
    => Some v end.
Proof. by []. Qed.

Section Run.
Variables (z0 : nat) (zs : seq (seq nat)) (ws : seq nat).
Let p := prompt z0 zs ws.
Hypothesis hsz : map size zs = sz.

(** A generated token (ℓ, address, w) reads table ℓ there. *)
Lemma cot_read ns N k z zr cur rest gen :
  drop k sz = sizes N ns -> map size (z :: zr) = sizes N ns -> all (fun v => v < size z) z ->
  p = [seq Val v | v <- flatten (rev (z :: zr))] ++ rest -> sumn (sizes N ns) <= P -> cur < N ->
  last_act (md := C5) [:: rdK] (rcons (p ++ gen) (Query [:: k.+1, sumn (drop k.+1 sz) + cur & ws]))
  = (0, k.+1, ws, nth 0 z cur).
Proof.
move=> Ed Ez okz Ep sP cN.
have [tok vN lt] := first_table rest Ez okz cN; rewrite -Ep in tok.
have -> : drop k.+1 sz = behead (sizes N ns) by rewrite -add1n -drop_drop Ed drop1.
have Sp : size p = P.+2 by apply: size_p.
have sq : size (p ++ gen) == P.+1 = false by rewrite size_cat Sp gtn_eqF // ltnS leq_addr.
have adr := leq_trans lt sP; have vP : nth 0 z cur <= P.
  by apply: leq_trans (ltnW vN) (leq_trans _ sP); case: (ns) => *; apply: leq_addr.
rewrite (@lactK (p ++ gen) _ (nth 0 z cur)) /= ?sq //=.
  by rewrite nth_cat Sp (leq_trans adr) ?leqW.
by rewrite size_cat Sp; apply: leq_trans (leq_addr _ _); rewrite ltnS ltnW // ltnW.
Qed.

(** C5 from table ℓ on: L − ℓ more tokens end with the answer. *)
Lemma cot_ok ns N k zr wd wr cur rest gen :
  drop k sz = sizes N ns -> k + size ns = size ns0 ->
  map size zr = sizes N ns -> all (fun z => all (fun v => v < size z) z) zr -> all2 ltn wr ns ->
  ws = wd ++ wr -> size wd = k -> p = [seq Val v | v <- flatten (rev zr)] ++ rest ->
  sumn (sizes N ns) <= P -> cur < N ->
  decode nextK (size ns).+1 (rcons (p ++ gen) (Query [:: k.+1, sumn (drop k.+1 sz) + cur & ws])) = Some (answer cur
    zr wr).
Proof.
elim: ns N k zr wd wr cur rest gen => [|n ns IH] N k [|z zr] wd [|w wr] cur rest gen // Ed Ek Ezr /andP[okz okr] hw
  Ew sk Ep sP cN.
  rewrite decodeS (cot_read gen Ed Ezr okz Ep sP cN) /= -Ek addn0 eqxx.
  by case: zr {okr Ep} Ezr.
have [sz1 szr] := Ezr; have /andP[wn wrn] := hw.
have vN : nth 0 z cur < size z by apply: (allP okz); rewrite mem_nth // sz1.
have nk : nth 0 sz k = N by rewrite -[k]addn0 -nth_drop Ed.
have nw : nth 0 ws k = w by rewrite Ew nth_cat sk ltnn subnn.
have kL : k == size ns0 = false by rewrite -Ek -{1}[k]addn0 eqn_add2l.
rewrite [size (n :: ns)]/= decodeS (cot_read gen Ed Ezr okz Ep sP cN).
have -> : nextK (0, k.+1, ws, nth 0 z cur) = inl (Query [:: k.+2, sumn (drop k.+2 sz) + (w * N + nth 0 z cur) & ws]).
  by rewrite /nextK eqSS kL nk nw.
rewrite rcons_cat [answer _ _ _]/= sz1.
apply: (IH (N * n) k.+1 zr (wd ++ [:: w]) wr _ ([seq Val v | v <- z] ++ rest)) => //.
- by rewrite -add1n -drop_drop Ed /= drop0.
- by rewrite addSnnS.
- by rewrite -catA.
- by rewrite size_cat sk addn1.
- by rewrite Ep flatten_rev_cons map_cat catA.
- by apply: leq_trans sP; rewrite leq_addl.
by apply: pair_lt; rewrite // -sz1.
Qed.
End Run.

(** C5, F alone. *)
Theorem C5_solves : solves_cot m ns0 nextK.
Proof.
move=> z0 zs ws; case/and4P => hz /eqP hs ok hw; exists (size ns0).+2.
have Sp := size_p z0 ws hs.
have Ep : prompt z0 zs ws = rcons ([seq Val v | v <- flatten (rev zs)] ++ [:: Val z0]) (Query ws).
  by rewrite -cats1 -catA.
have Sq : size ([seq Val v | v <- flatten (rev zs)] ++ [:: Val z0]) = P.+1.
  by move: Sp; rewrite Ep size_rcons => [[]].
rewrite Ep decodeS (@lactK _ _ z0) ?Sq /= ?eqxx //=; first last.
- exact: z0P.
- have := pP z0 ws hs; rewrite Ep nth_rcons Sq ltnS leqnn //.
rewrite -Ep -[prompt _ _ _]cats0.
apply: (@cot_ok z0 zs ws hs ns0 m 0 zs [::] ws z0 _ [::]) => //.
by rewrite drop0.
Qed.
(** What C5 uses. *)
Theorem C5_resources : number_full C5 = 1 /\ size (layers C5) = 1 /\ all (fun l => (sums l == P.+2) && (states l ==
  1)) (layers C5).
Proof. by rewrite /= card_option card_ord card_unit !eqxx. Qed.
End Cot.

(** C5, F alone, with what it uses. *)
Theorem C5_exists m ns : exists md (next : act md -> token + nat), [/\ word md = [:: true], solves_cot m ns next,
  all (fun l => sums l == tokens m ns) (layers md) & all (fun l => states l == 1) (layers md)].
Proof.
exists (C5 m ns), (@nextK m ns); split=> //; first exact: C5_solves.
- by rewrite /= card_option card_ord eqxx.
by rewrite /= card_unit.
Qed.
