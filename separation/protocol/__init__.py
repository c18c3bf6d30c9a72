"""Who tells whom what: a model run as players who own consecutive tokens, and the transcript of their messages."""

from separation.protocol.cut import Cut
from separation.protocol.player import Player, Request
from separation.protocol.protocol import Protocol, seats
from separation.protocol.public import Public
from separation.protocol.simulate import Simulation, simulate
from separation.protocol.transcript import Sent, Transcript

__all__ = [
    "Cut",
    "Player",
    "Protocol",
    "Public",
    "Request",
    "Sent",
    "Simulation",
    "Transcript",
    "seats",
    "simulate",
]
