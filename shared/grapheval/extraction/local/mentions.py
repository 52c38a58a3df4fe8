"""What an answer has spoken of: mentions, and which pronouns may stand for them."""

from __future__ import annotations

from dataclasses import dataclass

from grapheval.extraction.local.tree import Tree
from grapheval.extraction.local.words import word_set

MENTION_DEPS = word_set("nsubj nsubjpass dobj pobj attr appos conj ROOT oprd dative")
PLACE_PREPOSITIONS = word_set("in at to from near into across within through")
NOT_PERSON = word_set(
    "university college school institute company inc corporation corp ltd group party league club"
    " team band church city town river lake mountain mount island county district state states kingdom"
    " republic empire union court act treaty war battle agency department ministry museum library"
    " hospital award prize cup bowl stadium street road avenue building tower bridge station airport"
    " park times post network television radio records films studios series show season episode film"
    " movie album song book novel country village province region ocean sea system language"
)
PERSON_NOUNS = word_set(
    "man woman boy girl person actor actress singer musician writer author poet novelist scientist"
    " physicist chemist politician president minister king queen prince princess emperor pope player"
    " footballer athlete coach director producer composer artist painter sculptor architect engineer"
    " lawyer judge doctor nurse teacher professor student philosopher historian mathematician"
    " economist journalist businessman businesswoman entrepreneur founder ceo chairman general soldier"
    " officer captain leader mother father son daughter brother sister wife husband character"
    " detective mayor governor senator explorer inventor comedian rapper guitarist drummer dancer"
    " model host chef"
)
FEMALE = word_set(
    "she her woman girl actress queen princess mother daughter sister wife businesswoman mrs ms miss lady"
)
MALE = word_set("he his him man boy king prince father son brother husband businessman mr sir lord pope")


LISTING = word_set("details features points examples types facts reasons ways steps things items evidence information")
"""What an introduction announces: nothing that a pronoun refers back to."""
LONGEST_DEFINITE = 6
LONGEST_SUBJECT = 6
"""Words of a mention that may stand for `the film`, and for a pronoun in the same sentence."""
LONGEST_SENTENCE = 200
MEMORY = 300
"""Mentions that are kept: nobody refers back further, and time stays linear."""


@dataclass(slots=True)
class Mention:
    """Something that the answer has spoken of."""

    text: str
    noun: str
    plural: bool
    name: bool
    person: bool | None
    """None = it may be one."""
    words: tuple[str, ...]
    sentence: int
    subject: bool
    gender: str = ""


State = tuple[list[Mention], int]
"""Mentions so far, and the number of the sentence that comes next."""


def agrees(pronoun: str, mention: Mention) -> bool:
    """Whether a pronoun may stand for a mention."""
    if pronoun == "they":
        return mention.plural
    if pronoun == "it":
        return not mention.plural and mention.person is not True
    if pronoun in {"he", "she"}:
        gender = "f" if pronoun == "she" else "m"
        person = mention.person is True or (mention.name and mention.person is not False)
        return not mention.plural and person and mention.gender in {"", gender}
    return False


def gender_of(tree: Tree, tokens: list[int]) -> str:
    """`f`, `m`, or "" where the words do not tell."""
    lows = {tree.low[i].strip(".") for i in tokens}
    if lows & FEMALE:
        return "f"
    return "m" if lows & MALE else ""


def possessive(text: str) -> str:
    """`Oslo` -> `Oslo's`."""
    return text + ("'" if text.endswith("s") else "'s")
