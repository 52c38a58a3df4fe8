"""Does a sentence decline to answer? By frames (who, negated, knows or contains what), not by a list of phrases.

A frame needs all of its slots: `The study found no evidence that X` has no speaker and no context as subject, and
`The company does not provide refunds` speaks of a company, so neither is a refusal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["declines", "small_talk", "states"]

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})

_ADVERB = (
    r"(?:\s+(?:currently|unfortunately|really|actually|explicitly|directly|specifically"
    r"|clearly|simply|just|also|even|yet|still|fully|definitively|exactly|\w+ly))*"
)
_POINTER = (
    r"(?:provided|given|supplied|retrieved|available|above|attached|search|uploaded|reference"
    r"|knowledge|following|my|your|our)"
)
_FILLER = rf"(?:the|this|these|that|those|any|all|of|you|me|us|current|relevant|internal|{_POINTER})"
_CONTEXT_NOUN = (
    r"(?:passages?|contexts?|documents?|documentation|texts?|sources?|excerpts?|snippets?"
    r"|search\s+results?|knowledge\s+base|articles?|references?|paragraphs?|transcripts?)"
)
_LOOSE_NOUN = r"(?:information|info|results?|data|database|records?|materials?|content|notes?|files?)"
_CONTEXT_TAIL = (
    r"(?:\s+(?:that\s+)?(?:provided|given|above|supplied|retrieved|here|(?:i|we)\s+(?:have"
    r"|was\s+given|were\s+given|found)|you\s+(?:provided|gave|shared)(?:\s+me)?|at\s+hand"
    r"|\d+))"
)
_CONTEXT = (
    rf"(?:(?:none\s+of\s+|neither\s+of\s+)?(?:{_FILLER}\s+)+{_CONTEXT_NOUN}{_CONTEXT_TAIL}*"
    rf"|(?:{_FILLER}\s+)*{_POINTER}\s+(?:{_FILLER}\s+)*{_LOOSE_NOUN}{_CONTEXT_TAIL}*|(?:the"
    rf"|this|that)\s+{_LOOSE_NOUN}{_CONTEXT_TAIL}+)"
)
_IN_CONTEXT = rf"(?:in|from|by|within|based\s+on|given|using|according\s+to)\s+{_CONTEXT}"
_WHAT = (
    r"(?:information|info|details?|data|mention|answers?|references?|context|results?|content"
    r"|knowledge|material|indication|specifics|records?|documentation)"
)
_ENOUGH = (
    r"(?:enough|sufficient|any|adequate|the|specific|relevant|further|more|additional|such"
    r"|that|direct|explicit|detailed|clear|definitive|much|up-to-date|real-time|exact|precise)"
)

_NEGATED_AUX = (
    r"(?:do|does|did|can|could|will|would|am|is|are|was|were|have|has|had|'m|'re|'ve)(?:\s*n't"
    r"|\s+not|\s+never)|cannot|can't|can\s*not|won't"
)
_KNOW = (
    r"(?:know|find|found|see|locate|located|answer|determine|tell|say|identify|confirm|verify"
    r"|provide|give|help|assist|access|recall|remember"
    r"|sure|certain|aware|familiar|able|see|discover|comment|respond|fulfill|comply|share"
    r"|offer|speculate|discuss|do\s+that|generate|"
    rf"have(?:\s+{_ENOUGH})*\s+(?:{_WHAT}|access|idea|ability|capability|clue)"
    rf"|been\s+(?:able\s+to\s+(?:find|locate|determine|answer)|given\s+(?:any|enough|the)"
    rf"|provided))"
)
_CONTAIN = (
    r"(?:mention|contain|provide|include|state|specify|say|give|address|discuss|indicate|have"
    r"|answer|offer|cover|reveal|tell|describe|explain|list|"
    r"identify|refer|show|disclose|note|confirm|clarify|name|hold|appear|seem"
    r"|make\s+(?:any\s+)?(?:mention|clear)|speak|detail)"
)
_GIVEN = (
    r"(?:mentioned|specified|stated|provided|given|included|available|discussed|found"
    r"|described|addressed|listed|indicated|contained|covered|disclosed|present|answered"
    r"|referenced|named|clear|known)"
)

_DECLINES = [
    # I do not know / I could not find / I am unable to / I have no information
    rf"\b(?:i|we)\s*(?:{_NEGATED_AUX}){_ADVERB}\s+{_KNOW}\b",
    (
        r"\b(?:i|we)\s*(?:am|are|was|were|'m|'re)?(?:\s+\w+ly)?\s+(?:unable|not\s+able|not\s+sure"
        r"|not\s+certain|not\s+aware|uncertain|unsure|unaware)\b"
    ),
    (
        rf"\b(?:i|we)\s+(?:have|had|found|find|see|saw|can\s+find|could\s+find|know"
        rf"|got)\s+(?:(?:absolutely|almost)\s+)?(?:no(?:\s+\w+){{0,2}}?\s+(?:{_WHAT}|idea|clue"
        rf"|access|way|evidence)|nothing|none|neither)\b"
    ),
    r"\b(?:i|we)\s+(?:must\s+|have\s+to\s+|need\s+to\s+|will\s+)?(?:decline|refuse|fail(?:ed)?\s+to\s+find|lack)\b",
    r"\bas\s+an?\s+(?:ai|artificial|language|large)\b[^.]*\b(?:cannot|can't|not|unable|no)\b",
    # the context does not say
    (
        rf"(?:^|[,;:]\s*|\b(?:that|because|since|as|but|and|however"
        rf"|unfortunately)\s+){_CONTEXT}{_ADVERB}\s+(?:{_NEGATED_AUX}|fails?\s+to|failed\s+to"
        rf"|lacks?|lacked){_ADVERB}(?:\s+(?:to|be|been))?\s+(?:{_CONTAIN}|{_GIVEN}|{_WHAT}|enough"
        rf"|sufficient|any)\b"
    ),
    (
        rf"(?:^|[,;:]\s*|\b(?:that|because|since|as|but|and|however"
        rf"|unfortunately)\s+){_CONTEXT}{_ADVERB}\s+(?:{_CONTAIN}s?|has|have|offers?|makes?|is"
        rf"|are)\s+(?:no|insufficient|nothing|inconclusive|silent|not\s+(?:enough|sufficient))\b"
    ),
    rf"\b(?:none|neither)\s+of\s+{_CONTEXT}\s+(?:directly\s+|explicitly\s+)?\w+",
    # there is no information
    (
        rf"\bthere\s+(?:is|are|was|were|'s|does\s+not\s+(?:appear|seem)\s+to\s+be)\s*(?:n't|not"
        rf"|no)?(?:\s+(?:no|not|{_ENOUGH}))*\s+{_WHAT}\b(?<!there is information)"
    ),
    (
        rf"(?:^|[,;:]\s*)(?:not\s+(?:enough|sufficient)|insufficient|no|without\s+(?:more|further"
        rf"|additional))\s+(?:\w+\s+){{0,2}}{_WHAT}\s+(?:(?:is|are|was|were)\s+)?(?:{_GIVEN}|about"
        rf"|on|regarding|to\s+\w+|{_IN_CONTEXT})"
    ),
    (
        r"^(?:no|not\s+enough|insufficient|inadequate)\s+(?:\w+\s+)?(?:information|data|answer"
        r"|context|details?|results?|idea|clue|evidence)\W*$"
    ),
    # it is not stated (in the context), it cannot be determined
    (
        rf"\b(?:is|are|was|were|has|have)(?:\s*n't|\s+not"
        rf"|\s+never){_ADVERB}(?:\s+been)?{_ADVERB}\s+{_GIVEN}\b[^.]{{0,60}}\b{_IN_CONTEXT}"
    ),
    rf"\b{_IN_CONTEXT}[^.]{{0,200}}\b(?:is|are|was|were)(?:\s*n't|\s+not|\s+never){_ADVERB}\s+{_GIVEN}\b",
    (
        rf"\b(?:can\s*not|cannot|can't|could\s*n't|could\s+not)\s+be\s+(?:determined|answered"
        rf"|inferred|found|identified|concluded|established|verified"
        rf"|confirmed)\b[^.]{{0,60}}(?:\b{_IN_CONTEXT}|\bwithout\b|$)"
    ),
    (
        rf"\b{_IN_CONTEXT}[^.]{{0,200}}\b(?:can\s*not|cannot|can't|impossible\s+to"
        rf"|not\s+possible\s+to|unclear|unknown|uncertain)\b"
    ),
    (
        r"\bit(?:\s+is|'s|\s+was)\s+(?:not\s+(?:clear|possible|known|certain)|unclear|impossible"
        r"|unknown)\s+(?:to\s+(?:determine|answer|say|tell|know|provide|identify|give)|from"
        r"|based\s+on|what\s+you)\b"
    ),
    (
        rf"\bit(?:\s+is|'s)\s+(?:difficult|hard)\s+to\s+(?:determine|answer|say|tell|provide"
        rf"|identify|give)\b[^.]*\b(?:without|{_IN_CONTEXT})"
    ),
    rf"\b(?:not|never)\s+{_GIVEN}\s+{_IN_CONTEXT}",
    (
        r"^(?:the\s+)?(?:answer|question|it|this|that)\s+(?:is\s+(?:unknown|unclear|unanswerable"
        r"|not\s+(?:known|clear|specified|stated|given|mentioned|provided|available))"
        r"|can\s*not\s+be\s+answered|remains\s+(?:unknown|unclear))\W*$"
    ),
    (
        r"^(?:unknown|unclear|unanswerable|n/?a|not\s+(?:specified|stated|mentioned|known|given"
        r"|provided|available|sure|found)|no\s+idea|no\s+answer|no\s+results?|nothing\s+found"
        r"|none\s+found)\W*$"
    ),
    (
        rf"^(?:nothing|no\s+(?:\w+\s+)?{_WHAT})\s+(?:(?:was|were|is|are|could\s+be"
        rf"|can\s+be)\s+)?(?:found|available|provided|given|mentioned|specified)\b"
    ),
    (
        r"^(?:i(?:'m|\s+am)\s+(?:so\s+|very\s+|really\s+)?sorry|sorry|my\s+apologies|apologies"
        r"|i\s+apologi[sz]e)\b(?:\s*,?\s*(?:for|about)\s+(?:the|any|that)\s+\w+)?\W*$"
    ),
    (
        r"^(?:i(?:'m|\s+am)\s+(?:so\s+|very\s+)?sorry|sorry)\s*,?\s+(?:but\s+)?(?:i|we|there|no"
        r"|that|this)\b[^.]*\b(?:not|n't|cannot|no|unable|beyond|outside)\b"
    ),
]
_SMALL_TALK = [
    (
        r"^(?:hi|hello|hey|greetings|good\s+(?:morning|afternoon|evening|day))\b(?:\s+(?:there"
        r"|everyone|all|again|\w+))?\W*$"
    ),
    (
        r"^(?:sure|certainly|of\s+course|absolutely|okay|ok|great|thanks?(?:\s+you)?|you(?:'re"
        r"|\s+are)\s+welcome|no\s+problem|glad\s+to\s+help|welcome|goodbye|bye|sorry|alright"
        r"|understood|got\s+it|well|interesting|good\s+question"
        r"|great\s+question)\b(?:\s*,?\s*(?:thing|so\s+much|very\s+much|for\s+(?:asking"
        r"|your\s+(?:question|patience|message|interest)|reaching\s+out)|in\s+advance|i(?:'d"
        r"|\s+would)\s+be\s+(?:happy|glad)\s+to\s+(?:help|assist)(?:\s+(?:you|with\s+that"
        r"|you\s+with\s+that))?|i\s+can\s+help(?:\s+(?:you|with\s+that|you\s+with\s+that))?"
        r"|let\s+me\s+(?:help|explain)(?:\s+(?:you|that))?))?\W*$"
    ),
    r"^(?:i|we)\s+(?:sincerely\s+)?hope\s+(?:this|that|it|these)\b",
    r"^(?:please\s+)?(?:let\s+(?:me|us)\s+know|feel\s+free|don't\s+hesitate|do\s+not\s+hesitate)\b",
    (
        r"^(?:if\s+you\s+(?:have|need|would|want|'d|can"
        r"|could)\b[^.]*,\s*)?(?:please\s+)?(?:let\s+(?:me|us)\s+know|feel\s+free|i(?:'d|\s+would"
        r"|'ll|\s+will|\s+can|'m|\s+am)(?:\s+be)?\s+(?:happy|glad|help|try|here))\b"
    ),
    (
        r"^(?:please\s+)?(?:provide|share|give\s+(?:me|us)|send|clarify|specify"
        r"|rephrase)\b[^.]*\b(?:more|additional|further|context|details?|question|information)\b"
    ),
    r"^(?:how|what)\s+(?:can|may|else\s+can)\s+(?:i|we)\s+(?:help|assist|do)\b",
    r"^(?:i(?:'d|\s+would)\s+be\s+(?:happy|glad)|i(?:'m|\s+am)\s+(?:happy|glad|here|an?\s+ai))\b",
    (
        r"^here(?:\s+is|\s+are|'s)\s+(?:the|a|an|my|your|some)\s+(?:[\w-]+\s+)?(?:answer|summary"
        r"|list|response|overview|explanation)(?:\s+(?:to|for|of)\s+(?:the|your)\s+question)?\W*$"
    ),
    (
        r"^(?:here|below)\s+(?:is|are|'s)\s+(?:the|a|an|my|your|some)\s+(?:answer|summary|list"
        r"|response|information|details|breakdown|overview|explanation)\s*(?:you\s+(?:asked"
        r"|requested)[^.]*)?\W*$"
    ),
    r"^(?:have\s+a\s+(?:great|nice|good)\s+\w+|take\s+care|best\s+regards|kind\s+regards|sincerely|cheers)\W*$",
    r"^that(?:'s|\s+is)\s+an?\s+(?:great|good|interesting|excellent)\s+question\W*$",
]


@lru_cache(maxsize=2)
def _compiled(kind: Literal["declines", "small_talk"]) -> list[re.Pattern[str]]:
    """Compiled on first use: most answers decline nothing, and a start is to be quick."""
    return [re.compile(p, re.IGNORECASE) for p in (_DECLINES if kind == "declines" else _SMALL_TALK)]


_HINT = re.compile(
    (
        r"\b(?:not|no|none|neither|nothing|never|un\w+|cannot|without|fail\w*|lack\w*|impossible"
        r"|insufficient|inadequate|inconclusive|sorry|apolog\w+|declin\w+|refus\w+|silent"
        r"|difficult|hard|n/?a)\b|n't"
    ),
    re.IGNORECASE,
)
_LEAD = re.compile(
    (
        r"^(?:(?:unfortunately|however|sorry|yes|no|well|so|but|and|also|therefore|overall|thus"
        r"|regrettably|i(?:'m|\s+am)\s+(?:so\s+|very\s+)?sorry|i\s+apologi[sz]e|in\s+(?:summary"
        r"|conclusion))\s*,?\s+(?:but\s+)?)+"
    ),
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s+[\"“'(]?[A-Z0-9])|[。！？]")
_TURN = re.compile(
    r"\s*[,;:–—-]?\s+(?:but|however|although|though|yet|still|that\s+said|because|since)\b,?\s*|\s*[;–—]\s+"
    r"|\s*,\s+(?=(?:i|we)\s+do\s+(?:know|think|believe)\b)",
    re.IGNORECASE,
)
_LONGEST = 600
"""Longer sentences are not refusals, and regular expressions stay quick."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a text: a sentence, or a part of one before or after a turn (`…, but …`).

    Args:
        start: Offset in the text.
        end: Offset behind it.
        kind: `declines`, `small_talk`, or `states` (everything else).
    """

    start: int
    end: int
    kind: Kind


def kind_of(sentence: str) -> Kind:
    """What a sentence or clause does.

    Args:
        sentence: One sentence or clause.

    Returns:
        `declines` (it says that there is no answer), `small_talk` (greeting, offer of help), or `states`.
    """
    text = " ".join(sentence.translate(_APOSTROPHES).split())
    if not text or len(text) > _LONGEST:
        return "states"
    if _HINT.search(text):
        bare = _LEAD.sub("", text)
        if any(_fits(pattern, text) or (bare != text and _fits(pattern, bare)) for pattern in _compiled("declines")):
            return "declines"
    bare = re.sub(r"^[\W_]+", "", text)
    return "small_talk" if any(pattern.search(bare) for pattern in _compiled("small_talk")) else "states"


def _fits(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a frame is found outside of quotation marks: a quoted person's "I don't know" is content."""
    match = pattern.search(text)
    if match is None:
        return False
    before = text[: match.start() + 1]
    return before.count('"') % 2 == 0 and before.count("“") <= before.count("”")


def segments(text: str) -> list[Segment]:
    """Take a text apart into what declines, what is small talk, and what states something.

    `I don't know the year, but the bridge is in Oslo` declines and states. A text without any refusal or small talk
    comes back as one segment.

    Args:
        text: Plain text of one block.

    Returns:
        Ascending segments; neighbours of the same kind are merged.
    """
    found: list[Segment] = []
    for start, end in _sentences(text):
        kind = kind_of(text[start:end])
        if kind == "declines":
            found.extend(_turns(text, start, end))
        else:
            found.append(Segment(start, end, kind))
    merged: list[Segment] = []
    for segment in found:
        if merged and merged[-1].kind == segment.kind:
            merged[-1] = Segment(merged[-1].start, segment.end, segment.kind)
        else:
            merged.append(segment)
    return merged


def _turns(text: str, start: int, end: int) -> list[Segment]:
    """The parts of a declining sentence around `but`, where one of them states something."""
    pieces: list[tuple[int, int]] = []
    position = start
    for match in _TURN.finditer(text, start, end):
        if match.start() > position:
            pieces.append((position, match.start()))
        position = match.end()
    if position < end:
        pieces.append((position, end))
    if len(pieces) < 2:
        return [Segment(start, end, "declines")]
    kinds = [(a, b, kind_of(text[a:b])) for a, b in pieces]
    if not any(kind == "declines" for _, _, kind in kinds):
        return [Segment(start, end, "declines")]
    return [Segment(a, b, kind if len(text[a:b].split()) > 2 else "declines") for a, b, kind in kinds]


def _sentences(text: str) -> list[tuple[int, int]]:
    """A quick split; the parser splits again."""
    found = []
    position = 0
    for match in _SENTENCE.finditer(text):
        end = match.end()
        begin = _skip(text, position)
        if end > begin and len(text[begin:end].rstrip(".").split()[-1:] or "") and not _abbreviation(text[begin:end]):
            found.append((begin, end))
            position = end
    begin = _skip(text, position)
    if begin < len(text):
        found.append((begin, len(text)))
    return found


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _abbreviation(sentence: str) -> bool:
    last = sentence.rsplit(None, 1)[-1]
    return bool(re.fullmatch(r"\(?(?:[A-Z]|[Mm]rs?|Ms|Dr|Prof|St|Sr|Jr|vs|etc|No|Inc|Ltd|Co|U\.S|e\.g|i\.e)\.", last))
