"""Who tells whom what: a model run as players who own consecutive tokens, and the transcript of their messages."""

from separation.protocol.codes import Row as Row
from separation.protocol.codes import SumCode as SumCode
from separation.protocol.codes import sum_row as sum_row
from separation.protocol.player import Cut as Cut
from separation.protocol.player import Player as Player
from separation.protocol.player import Public as Public
from separation.protocol.player import Request as Request
from separation.protocol.random_models import FAMILIES as FAMILIES
from separation.protocol.random_models import RandomShape as RandomShape
from separation.protocol.random_models import random_model as random_model
from separation.protocol.simulate import Protocol as Protocol
from separation.protocol.simulate import Simulation as Simulation
from separation.protocol.simulate import faults as faults
from separation.protocol.simulate import seats as seats
from separation.protocol.simulate import simulate as simulate
from separation.protocol.stock import StockLayer as StockLayer
from separation.protocol.stock import StockRun as StockRun
from separation.protocol.stock import run_stock as run_stock
from separation.protocol.transcript import Sent as Sent
from separation.protocol.transcript import Transcript as Transcript
