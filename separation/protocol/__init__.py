"""Who tells whom what: a model run as players who own consecutive tokens, and the transcript of their messages."""

from separation.protocol.codes import AnySumCode, SumCode
from separation.protocol.player import Cut, Player, Public, Request
from separation.protocol.random_models import FAMILIES, RandomShape, random_model
from separation.protocol.simulate import Protocol, Simulation, faults, seats, simulate
from separation.protocol.stock import StockLayer, StockRun, run_stock
from separation.protocol.transcript import Sent, Transcript

__all__ = [
    "FAMILIES",
    "AnySumCode",
    "Cut",
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
    "faults",
    "random_model",
    "run_stock",
    "seats",
    "simulate",
]
