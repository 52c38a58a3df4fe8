"""What makes a start quick: spaCy without what it imports for its own command line and for other back ends."""

from __future__ import annotations

import logging
import sys
import threading
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.pipeline import GraphEval
    from grapheval.verification.bundled import BundledVerifier

_LOG = logging.getLogger(__name__)

_FRAMEWORKS = ("torch", "tensorflow", "mxnet")
_VERIFIER_NEEDS = ("numpy", "onnxruntime", "tokenizers")
_SPACY_CLI = "spacy.cli"
_SPACY_INFO = "spacy.cli.info"


def start(pipeline: GraphEval) -> None:
    """Load what a pipeline is going to need: the bundled verifier in a thread, while the main one goes on to spaCy's.

    All imports happen here first, in this thread: numpy's do not bear a second thread that imports, too. Whatever
    fails here fails again, with its message, when the pipeline needs it.
    """
    from grapheval.extraction.local.extractor import LocalExtractor
    from grapheval.verification.bundled import BundledVerifier

    verifier = pipeline.verifier
    bundled = isinstance(verifier, BundledVerifier) and all(_imports(name) for name in _VERIFIER_NEEDS)
    if isinstance(pipeline.extractor, LocalExtractor):
        import_spacy()
    if bundled and isinstance(verifier, BundledVerifier):
        # Not a daemon: a process that ends while a native library loads is to end in order.
        threading.Thread(target=_load, args=(verifier,), name="grapheval-start").start()


def _imports(name: str) -> bool:
    try:
        import_module(name)
    except ImportError as error:
        _LOG.debug("%s does not import: %s", name, error)
        return False
    return True


def _load(verifier: BundledVerifier) -> None:
    from grapheval.errors import GraphEvalError

    try:
        verifier.count_tokens([])
    except GraphEvalError as error:
        _LOG.debug("the verifier did not load: %s", error)


def import_spacy() -> None:
    """Import spaCy without the frameworks that it would load and without its own command line.

    It takes every framework that is installed, which costs seconds at each start, though the English pipeline uses
    none; and it imports its whole command line for the one function `spacy.info`. Both can still be imported
    afterwards, and `spacy.info` works. Without spaCy nothing happens: the extractor says what to install.
    """
    if "spacy" in sys.modules:
        return
    hidden: dict[str, ModuleType | None] = {name: None for name in _FRAMEWORKS if name not in sys.modules}
    hidden |= _stand_ins()
    sys.modules.update(hidden)  # type: ignore[arg-type]  # None makes an import fail
    try:
        import_module("spacy")
    except ImportError as error:
        _LOG.debug("spaCy does not import in its short form: %s", error)
    finally:
        for name, stand_in in hidden.items():
            if sys.modules.get(name, stand_in) is stand_in:
                sys.modules.pop(name, None)


def _stand_ins() -> dict[str, ModuleType]:
    """What spaCy finds in place of its command line: a function `info` that imports the real one when called."""

    def info(*arguments: Any, **keywords: Any) -> Any:
        return import_module(_SPACY_INFO).info(*arguments, **keywords)

    package, module = ModuleType(_SPACY_CLI), ModuleType(_SPACY_INFO)
    package.__path__ = []
    module.info = info  # type: ignore[attr-defined]
    return {_SPACY_CLI: package, _SPACY_INFO: module}
