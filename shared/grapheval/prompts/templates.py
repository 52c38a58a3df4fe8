"""Prompts as packaged text files: named slots, roles, hashes, fences that the text inside cannot close.

A file holds the turns of a chat, each under a line `--- system`, `--- user` or `--- assistant` (a file without such
a line is one user turn), with slots such as `{{answer}}`. Slots are filled once: what is filled in is never read for
slots, roles or fences again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal, cast

from grapheval.errors import InputError
from grapheval.protocols import Message

Role = Literal["system", "user", "assistant"]

_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_TURN = re.compile(r"^---[ \t]*(system|user|assistant)[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"</([A-Za-z][\w-]*)>")
_OPTIONAL: Final = frozenset({"question"})
"""Slots that a user's own prompt may leave out."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt template.

    Args:
        name: Its name, `"extract"`.
        turns: Role and template text of each turn.
        sha256: Hash of the whole file's text, for provenance.
    """

    name: str
    turns: tuple[tuple[Role, str], ...]
    sha256: str

    @classmethod
    def parse(cls, name: str, text: str) -> Prompt:
        """Read a template.

        Raises:
            InputError: There is nothing in it.
        """
        if not text.strip():
            msg = f"the prompt {name!r} is empty"
            raise InputError(msg)
        pieces = _TURN.split(text)
        turns: list[tuple[Role, str]] = []
        if pieces[0].strip():
            turns.append(("user", pieces[0].strip()))
        for role, body in zip(pieces[1::2], pieces[2::2], strict=True):
            turns.append((cast("Role", role), body.strip()))
        return cls(name, tuple(turns), hashlib.sha256(text.encode()).hexdigest())

    @property
    def slots(self) -> frozenset[str]:
        """Names of the values that it needs."""
        return frozenset(slot for _, body in self.turns for slot in _SLOT.findall(body))

    @property
    def fences(self) -> frozenset[str]:
        """Names of the tags that it closes."""
        return frozenset(name.lower() for _, body in self.turns for name in _FENCE.findall(body))

    def render(self, **values: str) -> list[Message]:
        """Fill the slots.

        Args:
            **values: Text by slot. All of it counts as untrusted: tags of this prompt inside it are broken by a
                backslash (`unfence` takes it out again), so that it cannot close its fence.

        Raises:
            InputError: A slot has no value.
        """
        missing = sorted(self.slots - set(values))
        if missing:
            msg = f"the prompt {self.name!r} needs {', '.join(missing)}"
            raise InputError(msg)
        safe = {name: fence(value, self.fences) for name, value in values.items()}
        return [Message(role, _SLOT.sub(lambda found: safe[found[1]], body)) for role, body in self.turns]


def _pattern(names: Iterable[str], backslashes: str) -> re.Pattern[str]:
    tags = "|".join(sorted(map(re.escape, names)))
    tag = rf"[ \t]{{0,3}}/?[ \t]{{0,3}}(?:{tags})\b|" if tags else ""
    return re.compile(rf"<{backslashes}(?=\\*(?:{tag}\|))", re.IGNORECASE)


def fence(text: str, names: Iterable[str]) -> str:
    """Break the tags of these names (and control tokens such as `<|im_end|>`) inside a text, reversibly.

    `</text>` becomes `<\\/text>`, what already looks like that gets one more backslash.
    """
    return _pattern(names, "").sub(r"<\\", text)


def unfence(text: str, names: Iterable[str]) -> str:
    """Undo `fence`."""
    return _pattern(names, r"\\").sub("<", text)


@lru_cache(maxsize=64)
def load_prompt(name: str) -> Prompt:
    """A packaged prompt.

    Raises:
        InputError: There is none of that name.
    """
    if name not in prompt_names():
        msg = f"there is no prompt {name!r}; there are: {', '.join(prompt_names())}"
        raise InputError(msg)
    text = (resources.files("grapheval.prompts") / f"{name}.txt").read_text(encoding="utf-8")
    return Prompt.parse(name, text)


@lru_cache(maxsize=1)
def prompt_names() -> tuple[str, ...]:
    """Names of the packaged prompts."""
    files = resources.files("grapheval.prompts").iterdir()
    return tuple(sorted(file.name[:-4] for file in files if file.name.endswith(".txt")))


class PromptSet:
    """The packaged prompts with a user's replacements.

    Args:
        replacements: Template text by name, or a directory that holds `NAME.txt` files; None = as packaged.

    Raises:
        InputError: A name is unknown, or a replacement lacks a slot that the packaged prompt has, or has one that
            nothing fills.
    """

    def __init__(self, replacements: Mapping[str, str] | str | Path | PromptSet | None = None) -> None:
        self._own: dict[str, Prompt] = {}
        if isinstance(replacements, PromptSet):
            self._own = dict(replacements._own)
            return
        if isinstance(replacements, str | Path):
            replacements = _from_directory(Path(replacements))
        for name, text in (replacements or {}).items():
            self._own[name] = _checked(name, text)

    def __getitem__(self, name: str) -> Prompt:
        return self._own.get(name) or load_prompt(name)

    def hashes(self, names: Iterable[str]) -> dict[str, str]:
        """SHA-256 of each of these prompts, for provenance."""
        return {name: self[name].sha256 for name in names}


def _checked(name: str, text: str) -> Prompt:
    packaged, own = load_prompt(name), Prompt.parse(name, text)
    unknown = sorted(own.slots - packaged.slots)
    lacking = sorted(packaged.slots - own.slots - _OPTIONAL)
    if unknown or lacking:
        wrong = [f"has an unknown slot {{{{{slot}}}}}" for slot in unknown]
        wrong += [f"lacks {{{{{slot}}}}}" for slot in lacking]
        msg = f"your prompt {name!r} {' and '.join(wrong)}"
        raise InputError(msg)
    return own


def _from_directory(path: Path) -> dict[str, str]:
    if not path.is_dir():
        msg = f"prompts: {path} is no directory"
        raise InputError(msg)
    found = {file.stem: file.read_text(encoding="utf-8") for file in sorted(path.glob("*.txt"))}
    if not found:
        msg = f"prompts: there is no NAME.txt in {path}; names are: {', '.join(prompt_names())}"
        raise InputError(msg)
    return found
