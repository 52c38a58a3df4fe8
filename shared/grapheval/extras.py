"""Optional dependencies: imported where they are used, with an error that names the install command."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from grapheval.errors import MissingExtraError


def require(module: str, *, extra: str) -> ModuleType:
    """Import `module`, or say which extra brings it.

    Args:
        module: Dotted module name, for example `"spacy"`.
        extra: Name of the extra of the `grapheval` distribution that installs it.

    Returns:
        The imported module.

    Raises:
        MissingExtraError: The module (or its top-level package) is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        # Where the package is there, but something that it needs is not, hiding that would mislead.
        inner = missing.partition(".")[0] != module.partition(".")[0]
        detail = f" ({module} itself needs {missing!r})" if inner else ""
        msg = f'{module!r} is not installed{detail}. Run: pip install "grapheval[{extra}]"'
        raise MissingExtraError(msg, name=missing) from error
