"""What an LLM sends back as a corrected text, sentence or triple."""

from __future__ import annotations

import re
from typing import Final

from grapheval.extraction.align import content_stems
from grapheval.extraction.parser import parse_triples
from grapheval.prompts import Prompt, unfence
from grapheval.types import Reason, Triple

_THINK = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"^```[\w-]*\n(.*?)\n?```$", re.DOTALL)

LONGEST: Final = 3.0
"""A corrected text that is longer than this many times the old one (and 200 characters) is something else."""

LEAST_SHARED: Final = 0.3
"""Share of the content words of the old or the wanted text that a corrected text must hold."""


def text_in(reply: str, tag: str, prompt: Prompt) -> str | None:
    """The text between the tags; without tags the reply itself; None when the tags open and never close.

    Args:
        reply: What the model sent.
        tag: Name of the tags that the prompt asks for.
        prompt: The prompt, whose fences are undone.
    """
    body = _THINK.sub("", reply).strip()
    lower = body.lower()
    opened, closed = lower.find(f"<{tag}>"), lower.rfind(f"</{tag}>")
    if opened >= 0:
        if closed < opened:
            return None
        body = body[opened + len(tag) + 2 : closed].strip("\n")
        body = body if "\n" in body else body.strip()
    elif closed >= 0:
        body = body[:closed].strip()
    elif (fenced := _FENCED.match(body)) is not None:
        body = fenced[1]
    return unfence(body, prompt.fences)


def with_margins(old: str, new: str) -> str:
    """The new text with the white space at the ends of the old one: models strip it."""
    body = old.strip()
    if not body:
        return new
    start = old.index(body)
    return old[:start] + new.strip() + old[start + len(body) :]


def implausible(old: str, new: str, wanted: str = "") -> str | None:
    """Why a corrected text cannot be one: empty, a refusal, an essay; None if it can.

    Args:
        old: The text before.
        new: The text after.
        wanted: What it was to say.
    """
    if not new.strip():
        return "the reply was empty"
    if len(new) > LONGEST * len(old) + 200:
        return "the reply is far longer than the text"
    stems = content_stems(new)
    aims = [content_stems(text) for text in (old, wanted) if text.strip()]
    if aims and not any(len(aim & stems) >= LEAST_SHARED * len(aim) for aim in aims if aim):
        return "the reply has little in common with the text"
    return None


def triple_in(reply: str) -> Triple | str:
    """The triple in a reply, or what is wrong with it; `""` when the model says that the source does not help."""
    extraction = parse_triples(reply)
    if extraction.reason is Reason.LENGTH_STOP and not extraction.triples:
        return "it broke off"
    if extraction.reason is Reason.NOTHING_TO_CHECK:
        return ""
    if len(extraction.triples) == 1:
        return extraction.triples[0]
    if extraction.triples:
        return f"it holds {len(extraction.triples)} triples"
    return extraction.rejected[0].reason if extraction.rejected else "there is no list in it"
