(** D about layers that answer 2-Sum: one block-sparse layer at the last token of a prompt is right if and only if the abstract layer of
    TheoremD.v is; and several layers whose summaries say nothing of their blocks (D2). *)
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions SharperDefinitions TheoremD.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(** * 1. One layer *)
Section One.
Variables (M s B g t k : nat) (Sg : finType).
Hypotheses (Modd : odd M) (t0 : 0 < t).
Notation u := M.-1.
Notation content := {ffun 'I_B -> 'I_u}.
Notation layer := (sparse_layer g Sg).

(** A content as numbers of 1..M−1, and back. *)
Definition spelled (c : content) : seq nat := [seq (val (c j)).+1 | j <- enum 'I_B].
Lemma size_spelled c : size (spelled c) = B. Proof. by rewrite size_map size_enum_ord. Qed.
Lemma spelled_ok c : all (fun a => 0 < a < M) (spelled c).
Proof.
by apply/allP => _ /mapP[j _ ->]; have := ltn_ord (c j); rewrite /= -ltnS; case: (M) (c j) => [|M'] // [].
Qed.
Definition read (l : seq nat) (d : 'I_u) : content := [ffun j : 'I_B => insubd d (nth 0 l j).-1].
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
Lemma no_self a : 0 < a < M -> (M %| a + a) = false.
Proof.
move=> h; rewrite sum_divided //; apply/eqP => E; move: Modd; have aM : a <= M by case/andP: h => _ /ltnW.
by rewrite -(subnK aM) -E addnn odd_double.
Qed.
End One.
