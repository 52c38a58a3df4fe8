"""What must not survive a fork: locks that another thread held, threads that the child does not have, connections.

A child process inherits all memory but only the thread that forked. Whoever keeps such things registers how they are
made anew; it happens in the child before any of its code runs.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from inspect import ismethod

_METHODS: list[weakref.WeakMethod[Callable[[], None]]] = []
_FUNCTIONS: list[Callable[[], None]] = []
_installed = False


def renew_after_fork(renew: Callable[[], None]) -> None:
    """Have `renew` called in every child that this process forks.

    Args:
        renew: A function, or a method; a method's object is not kept alive.
    """
    global _installed  # noqa: PLW0603 - one hook for the process
    if ismethod(renew):
        _METHODS.append(weakref.WeakMethod(renew, _forget))
    elif renew not in _FUNCTIONS:
        _FUNCTIONS.append(renew)
    if not _installed and hasattr(os, "register_at_fork"):
        _installed = True
        os.register_at_fork(after_in_child=_renew_all)


def _forget(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    if method in _METHODS:
        _METHODS.remove(method)


def _renew_all() -> None:
    for renew in [*_FUNCTIONS, *(method() for method in _METHODS)]:
        if renew is not None:
            renew()
