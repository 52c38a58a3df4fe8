"""Verifiers by name: `"bundled"`, `"hhem"`, `"minicheck"`, any NLI model id or directory, an LLM, a service."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapheval.errors import InputError
from grapheval.extras import require
from grapheval.protocols import Verifier

if TYPE_CHECKING:
    from grapheval.verification.hf.specs import Spec

HF_NAMES = ("hhem", "hhem-1", "true", "trueteacher", "minicheck", "minicheck-roberta", "minicheck-deberta")
"""Published models that need the extra `hf` (and the hub, once)."""


def verifier_names() -> tuple[str, ...]:
    """All names that `load_verifier` knows besides hub ids and directories."""
    return ("bundled", *HF_NAMES, "llm", "bedrock-grounding")


def load_verifier(name: Verifier | str | Path, **options: Any) -> Verifier:
    """A verifier by name.

    Args:
        name: One of `verifier_names()`; a hub id (`"owner/name"`) or a directory of an NLI classifier; or a verifier
            object, which is handed back as it is.
        options: What the verifier takes. Models of the hub: `path` (directory instead of the hub), `revision`,
            `device`, `dtype`, `batch_tokens`, `max_tokens`, `window_tokens`, `entailment_label`, `normalize_claims`,
            `tokenizer` (see `HFVerifier`). `"llm"`: `llm`, required (see `LLMJudge`). `"bedrock-grounding"`:
            `guardrail_id`, `guardrail_version`, `region`, … (see `BedrockGrounding`).

    Returns:
        The verifier. Models load on first use.

    Raises:
        InputError: There is no such name, directory or option.
        MissingExtraError: What it needs is not installed; the message holds the command.
    """
    if not isinstance(name, str | Path):
        if not isinstance(name, Verifier):
            msg = f"a verifier must have info, count_tokens and verify; {type(name).__name__} does not"
            raise InputError(msg)
        if options:
            msg = f"options go with names, not with a finished verifier: {', '.join(sorted(options))}"
            raise InputError(msg)
        return name
    if isinstance(name, Path):
        return _hf(_spec_of_directory(str(name)), {"path": name, **options})
    key = name.strip().lower().replace("_", "-")
    if key == "bundled":
        from grapheval.verification.bundled import BundledVerifier

        return _build(BundledVerifier, "bundled", options)
    if key == "llm":
        from grapheval.verification.llm_judge import LLMJudge

        if "llm" not in options:
            msg = 'the verifier "llm" needs a model: load_verifier("llm", llm=MODEL)'
            raise InputError(msg)
        return _build(LLMJudge, "llm", options)
    if key == "bedrock-grounding":
        from grapheval.verification.bedrock import BedrockGrounding

        return _build(BedrockGrounding, "bedrock-grounding", options)
    if key in HF_NAMES:
        _need_hf()
        from grapheval.verification.hf.specs import SPECS

        return _hf(SPECS[key], options)
    return _model(name.strip(), options)


def _model(name: str, options: dict[str, Any]) -> Verifier:
    if Path(name).expanduser().is_dir():
        return _hf(_spec_of_directory(name), {"path": name, **options})
    from grapheval.verification.hf.hub import is_hub_id

    if is_hub_id(name) and not name.startswith("."):
        _need_hf()
        from grapheval.verification.hf.specs import SPECS, classifier_spec

        # The published models by their own ids, for people who know them by these.
        known = [spec for spec in SPECS.values() if spec.repo.lower() == name.lower()]
        if len(known) > 1:
            revision = options.get("revision")
            known = [spec for spec in known if spec.revision == revision] or [s for s in known if s.revision is None]
        return _hf(known[0] if known else classifier_spec(name), options)
    if "/" in name or "\\" in name or name.startswith("."):
        msg = f"there is no model directory {name!r}; an id of the model hub has the form owner/name"
        raise InputError(msg)
    close = difflib.get_close_matches(name.lower(), verifier_names(), n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    msg = (
        f"there is no verifier {name!r}: {hint}known are {', '.join(verifier_names())}, "
        'any hub id ("owner/name") and any directory of an NLI model'
    )
    raise InputError(msg)


def _spec_of_directory(name: str) -> Spec:
    """How the model in a directory is called: a classifier, unless its config says otherwise."""
    _need_hf()
    from grapheval.verification.hf.hub import local_directory
    from grapheval.verification.hf.specs import SPECS, classifier_spec
    from grapheval.verification.hf.weights import read_json

    config = read_json(local_directory(name) / "config.json")
    architectures = config.get("architectures")
    kind = str(architectures[0]) if isinstance(architectures, list) and architectures else ""
    if kind.startswith("HHEMv2"):
        return SPECS["hhem"]
    if kind.startswith("T5ForConditionalGeneration"):
        msg = (
            f"{name!r} holds a T5 that answers in text; say how it is asked: "
            f'load_verifier("true", path={name!r}), or "trueteacher", or "minicheck"'
        )
        raise InputError(msg)
    return classifier_spec(name)


def _hf(spec: Spec, options: dict[str, Any]) -> Verifier:
    from grapheval.verification.hf.verifier import HFVerifier

    def build(**given: Any) -> Verifier:
        return HFVerifier(spec, **given)

    return _build(build, spec.name, options, HFVerifier)


def _build(
    make: Callable[..., Verifier], name: str, options: dict[str, Any], signature_of: Callable[..., Any] | None = None
) -> Verifier:
    import inspect

    parameters = dict(inspect.signature(signature_of or make).parameters)
    allowed = set(parameters) - {"spec", "self"}
    missing = [
        n for n in parameters if n in allowed - set(options) and parameters[n].default is inspect.Parameter.empty
    ]
    if missing:
        how = ", ".join(f"{n}=…" for n in missing)
        msg = f"the verifier {name!r} needs {', '.join(missing)}: load_verifier({name!r}, {how})"
        raise InputError(msg)
    unknown = sorted(set(options) - allowed)
    if unknown:
        msg = f"the verifier {name!r} takes no {', '.join(unknown)}; it takes {', '.join(sorted(allowed)) or 'nothing'}"
        raise InputError(msg)
    return make(**options)


def _need_hf() -> None:
    """Say now, not at the first call, that an extra is missing; without importing torch yet."""
    for module in ("torch", "transformers"):
        if find_spec(module) is None:
            require(module, extra="hf")
