"""The step before an answer leaves: pass, correct, mark, hold back or refuse, whole or sentence by sentence."""

from grapheval.guard.guard import Guard
from grapheval.guard.stream import GuardStream
from grapheval.guard.types import Cause, Decision, GuardError, GuardResult, Policy

__all__ = ["Cause", "Decision", "Guard", "GuardError", "GuardResult", "GuardStream", "Policy"]
