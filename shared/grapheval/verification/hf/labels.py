"""Which class of a classifier means entailment: read from its config, never assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grapheval.errors import InputError

_ENTAILMENT = frozenset(
    ["entailment", "entails", "entailed", "entail", "supported", "supports", "support", "consistent", "faithful"]
)
_NEUTRAL = frozenset(["neutral", "nei", "not_enough_info", "not_enough_information", "unverifiable"])
_CONTRADICTION = frozenset(
    ["contradiction", "contradicts", "contradicted", "contradictory", "refuted", "refutes", "refute"]
)


@dataclass(frozen=True, slots=True)
class Roles:
    """Positions of the classes in the logits; None where the model has no such class."""

    entailment: int
    neutral: int | None = None
    contradiction: int | None = None


def roles(id2label: Mapping[int, str], model: str, entailment_label: int | str | None = None) -> Roles:
    """Find the classes of an NLI classifier.

    Args:
        id2label: Label names by position, as in the model's config.
        model: Its name, for the error.
        entailment_label: The entailment class by name or position, where the labels do not say.

    Returns:
        The positions; neutral and contradiction only if all three are clear.

    Raises:
        InputError: No label, or more than one, says "entailment", or `entailment_label` is none of the labels.
    """
    names = {position: _plain(label) for position, label in id2label.items()}
    listed = ", ".join(f"{position}={id2label[position]!r}" for position in sorted(id2label))
    if entailment_label is not None:
        if isinstance(entailment_label, str):
            chosen = [position for position, name in names.items() if name == _plain(entailment_label)]
        else:
            chosen = [position for position in names if position == entailment_label]
        if len(chosen) != 1:
            msg = f"entailment_label={entailment_label!r} is no label of {model}, which has {listed}"
            raise InputError(msg)
    else:
        chosen = [position for position, name in names.items() if name in _ENTAILMENT]
        if len(chosen) != 1:
            msg = (
                f"the labels of {model} do not say which one is entailment ({listed}): "
                "pass entailment_label= with its name or position"
            )
            raise InputError(msg)
    neutral = [position for position, name in names.items() if name in _NEUTRAL and position != chosen[0]]
    contradiction = [position for position, name in names.items() if name in _CONTRADICTION and position != chosen[0]]
    if len(names) == 3 and len(neutral) == 1 and len(contradiction) == 1:
        return Roles(chosen[0], neutral[0], contradiction[0])
    return Roles(chosen[0])


def _plain(label: str) -> str:
    return re.sub(r"[\s_-]+", "_", label.strip().lower())
