"""Who tells whom what: a model run as players who own consecutive tokens, and the transcript of their messages."""

from separation.protocol.bits import Field
from separation.protocol.codes import AnySumCode, SumCode
from separation.protocol.counting import CountedBits, counted_bits
from separation.protocol.cut import Cut
from separation.protocol.lemma import faults
from separation.protocol.player import Player, Request
from separation.protocol.public import Public
from separation.protocol.random_models import FAMILIES, RandomShape, random_model
from separation.protocol.simulate import Protocol, Simulation, seats, simulate
from separation.protocol.stock import StockLayer, StockRun, run_stock
from separation.protocol.transcript import Sent, Transcript

__all__ = [
    "FAMILIES",
    "AnySumCode",
    "CountedBits",
    "Cut",
    "Field",
    "Player",
    "Protocol",
    "Public",
    "RandomShape",
    "Request",
    "Sent",
    "Simulation",
    "StockLayer",
    "StockRun",
    "SumCode",
    "Transcript",
    "counted_bits",
    "faults",
    "random_model",
    "run_stock",
    "seats",
    "simulate",
]
