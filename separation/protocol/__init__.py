"""Who tells whom what: a model run as players who own consecutive tokens, and the transcript of their messages."""

from separation.protocol.cut import Cut
from separation.protocol.player import Player, Request
from separation.protocol.protocol import Protocol, seats
from separation.protocol.public import Public
from separation.protocol.random_models import RandomShape, random_model
from separation.protocol.simulate import Simulation, simulate
from separation.protocol.transcript import Sent, Transcript

__all__ = [
    "Cut",
    "Player",
    "Protocol",
    "Public",
    "RandomShape",
    "Request",
    "Sent",
    "Simulation",
    "Transcript",
    "random_model",
    "seats",
    "simulate",
]
