"""What answers: a residual stream with named slots, attention heads and ReLU MLPs made of exact matrices.

| file | what it holds |
|---|---|
| `stream`, `tables` | named slots and matrices between them; embeddings and unembeddings |
| `full_head`, `linear_head`, `delta_head`, `sparse_head`, `recurrent_head` | one kind of head each, with its run |
| `reading`, `scaled` | what heads read, in which numbers, and what recurrent ones hand on |
| `transformer` | all kinds of heads, layers, models, and whether all activations are multiples of 2^-f |
| `forward` | the forward pass, what it need not compute, and recurrent heads that go on from a state |
| `document`, `model_file` | models as JSON and in files |
"""

from separation.models.delta_head import DeltaHead as DeltaHead
from separation.models.delta_head import ProductHead as ProductHead
from separation.models.document import MODEL_KEYS as MODEL_KEYS
from separation.models.document import MODEL_SCHEMA as MODEL_SCHEMA
from separation.models.document import attention_name as attention_name
from separation.models.document import causal_from_document as causal_from_document
from separation.models.document import model_from_document as model_from_document
from separation.models.document import model_to_document as model_to_document
from separation.models.document import precision_from_document as precision_from_document
from separation.models.forward import Run as Run
from separation.models.forward import advance as advance
from separation.models.forward import attending as attending
from separation.models.forward import checked_ids as checked_ids
from separation.models.forward import columns_read as columns_read
from separation.models.forward import decode as decode
from separation.models.forward import decode_state as decode_state
from separation.models.forward import embedding_reader as embedding_reader
from separation.models.forward import encode_state as encode_state
from separation.models.forward import initial_state as initial_state
from separation.models.forward import layer_reading as layer_reading
from separation.models.forward import layers_others_need as layers_others_need
from separation.models.forward import logits_of as logits_of
from separation.models.forward import run as run
from separation.models.forward import run_layer as run_layer
from separation.models.forward import state_bits as state_bits
from separation.models.forward import streams as streams
from separation.models.forward import weights_seen as weights_seen
from separation.models.full_head import FullAttention as FullAttention
from separation.models.full_head import Head as Head
from separation.models.full_head import Sums as Sums
from separation.models.linear_head import LinearHead as LinearHead
from separation.models.model_file import read_model_file as read_model_file
from separation.models.model_file import to_safetensors as to_safetensors
from separation.models.reading import Attention as Attention
from separation.models.reading import Reading as Reading
from separation.models.reading import Stateful as Stateful
from separation.models.reading import StreamReader as StreamReader
from separation.models.reading import reader_of as reader_of
from separation.models.reading import rows_at_once as rows_at_once
from separation.models.reading import spans as spans
from separation.models.recurrent_head import INTERVALS as INTERVALS
from separation.models.recurrent_head import Part as Part
from separation.models.recurrent_head import RecurrentHead as RecurrentHead
from separation.models.recurrent_head import blank_recurrent_head as blank_recurrent_head
from separation.models.scaled import HeadState as HeadState
from separation.models.scaled import Scaled as Scaled
from separation.models.scaled import joined as joined
from separation.models.sparse_head import SparseHead as SparseHead
from separation.models.stream import Blocks as Blocks
from separation.models.stream import Stream as Stream
from separation.models.tables import MAX_ENTRIES as MAX_ENTRIES
from separation.models.tables import Declared as Declared
from separation.models.tables import RowTable as RowTable
from separation.models.tables import Segment as Segment
from separation.models.tables import Stored as Stored
from separation.models.tables import fields as fields
from separation.models.tables import listed as listed
from separation.models.tables import matrix_from_document as matrix_from_document
from separation.models.tables import mixed_radix_bits as mixed_radix_bits
from separation.models.tables import sign_bits as sign_bits
from separation.models.transformer import HEAD_TYPES as HEAD_TYPES
from separation.models.transformer import MLP as MLP
from separation.models.transformer import STATEFUL as STATEFUL
from separation.models.transformer import AnyHead as AnyHead
from separation.models.transformer import Layer as Layer
from separation.models.transformer import Model as Model
from separation.models.transformer import StatefulHead as StatefulHead
from separation.models.transformer import Unit as Unit
from separation.models.transformer import change_basis as change_basis
from separation.models.transformer import idle_head as idle_head
