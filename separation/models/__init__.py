"""What answers: a residual stream with named slots, attention heads and ReLU MLPs made of exact matrices.

| file | what it holds |
|---|---|
| `stream`, `tables` | named slots and matrices between them; embeddings and unembeddings |
| `full_head`, `linear_head`, `delta_head`, `sparse_head`, `recurrent_head` | one kind of head each, with its run |
| `heads` | all kinds of heads |
| `reading`, `scaled` | what heads read, in which numbers, and what recurrent ones hand on |
| `transformer` | layers, models, and whether all activations are multiples of 2^-f |
| `forward` | the forward pass, what it need not compute, and recurrent heads that go on from a state |
| `document`, `model_file` | models as JSON and in files |
"""

from separation.models.delta_head import DeltaAttention
from separation.models.document import (
    MAX_ENTRIES,
    MODEL_KEYS,
    MODEL_SCHEMA,
    attention_name,
    causal_from_document,
    fields,
    listed,
    matrix_from_document,
    matrix_to_document,
    model_from_document,
    model_to_document,
    precision_from_document,
)
from separation.models.forward import (
    Looks,
    Run,
    advance,
    checked_ids,
    columns_read,
    decode,
    decode_state,
    embedding_reader,
    encode_state,
    initial_state,
    layer_reading,
    layers_others_need,
    logits_of,
    run,
    run_layer,
    state_bits,
    stream_before,
    streams,
    weights_seen,
)
from separation.models.full_head import FullAttention, Sums
from separation.models.heads import (
    HEAD_TYPES,
    STATEFUL,
    AnyHead,
    DeltaHead,
    Head,
    LinearHead,
    ProductHead,
    RecurrentHead,
    SparseHead,
    StatefulHead,
    idle_head,
)
from separation.models.model_file import read_model_file, to_safetensors
from separation.models.reading import Attention, Reading, Seen, Stateful, StreamReader, reader_of, rows_at_once, spans
from separation.models.recurrent_head import INTERVALS, Part, blank_recurrent_head
from separation.models.scaled import HeadState, Scaled, joined
from separation.models.stream import Blocks, Stream
from separation.models.tables import Declared, RowTable, Segment, Stored, mixed_radix_bits, sign_bits
from separation.models.transformer import MLP, Layer, Model, change_basis, inverse_matrix, paper_name

__all__ = [
    "HEAD_TYPES",
    "INTERVALS",
    "MAX_ENTRIES",
    "MLP",
    "MODEL_KEYS",
    "MODEL_SCHEMA",
    "STATEFUL",
    "AnyHead",
    "Attention",
    "Blocks",
    "Declared",
    "DeltaAttention",
    "DeltaHead",
    "FullAttention",
    "Head",
    "HeadState",
    "Layer",
    "LinearHead",
    "Looks",
    "Model",
    "Part",
    "ProductHead",
    "Reading",
    "RecurrentHead",
    "RowTable",
    "Run",
    "Scaled",
    "Seen",
    "Segment",
    "SparseHead",
    "Stateful",
    "StatefulHead",
    "Stored",
    "Stream",
    "StreamReader",
    "Sums",
    "advance",
    "attention_name",
    "blank_recurrent_head",
    "causal_from_document",
    "change_basis",
    "checked_ids",
    "columns_read",
    "decode",
    "decode_state",
    "embedding_reader",
    "encode_state",
    "fields",
    "idle_head",
    "initial_state",
    "inverse_matrix",
    "joined",
    "layer_reading",
    "layers_others_need",
    "listed",
    "logits_of",
    "matrix_from_document",
    "matrix_to_document",
    "mixed_radix_bits",
    "model_from_document",
    "model_to_document",
    "paper_name",
    "precision_from_document",
    "read_model_file",
    "reader_of",
    "rows_at_once",
    "run",
    "run_layer",
    "sign_bits",
    "spans",
    "state_bits",
    "stream_before",
    "streams",
    "to_safetensors",
    "weights_seen",
]
