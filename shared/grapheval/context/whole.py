"""The whole context in one window, as far as the verifier's input allows (the paper's protocol)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grapheval.context.sentences import split_sentences
from grapheval.protocols import Passage, Selected, VerifierInfo, Window
from grapheval.types import Claim, Source, Span

_RESERVE = 8
"""Special tokens and whatever a verifier puts between premise and claim."""
_BATCH = 64


def whole_context(
    claims: Sequence[Claim],
    sources: Sequence[Source],
    count_tokens: Callable[[Sequence[str]], list[int]],
    verifier: VerifierInfo,
) -> Selected:
    """One window per claim: the sources from their beginning, cut only where the claim's pair would not fit.

    Args:
        claims: The claims of one answer.
        sources: The context; joined by blank lines.
        count_tokens: The verifier's own counting.
        verifier: Its limit; `max_tokens=None` reads everything.

    Returns:
        The windows; `counts["unread_chars"]` holds the characters that at least one claim's window leaves out. No
        more of a long context is tokenised than is read.
    """
    texts = [source for source in sources if source.text.strip()]
    counts = {
        "windows": min(1, len(texts)),
        "kept": 0,
        "joined": 0,
        "context_chars": sum(len(source.text) for source in sources),
        "unread_chars": 0,
    }
    if not texts or not claims:
        return Selected(tuple(() for _ in claims), counts)
    if verifier.max_tokens is None:
        passages = tuple(Passage(source.id, Span(0, len(source.text))) for source in texts)
        text = "\n\n".join(source.text for source in texts)
        window = Window(text, passages, count_tokens([text])[0])
        counts["kept"] = 1
        return Selected(tuple((window,) for _ in claims), counts)
    lengths = count_tokens([claim.text for claim in claims])
    least = max(8, verifier.max_tokens // 8)
    rooms = [max(least, verifier.max_tokens - _RESERVE - length) for length in lengths]
    by_room = {room: _prefix(texts, room, count_tokens) for room in sorted(set(rooms))}
    windows = tuple((by_room[room][0],) for room in rooms)
    counts["kept"] = len({window.text for each in windows for window in each})
    counts["unread_chars"] = max(unread for _, unread in by_room.values())
    return Selected(windows, counts)


def _prefix(
    sources: Sequence[Source], room: int, count_tokens: Callable[[Sequence[str]], list[int]]
) -> tuple[Window, int]:
    """The longest beginning of the context, whole sentences and then whole words, within `room` tokens.

    Returns:
        The window, and the number of characters that are left out (white space between sentences is not counted).
    """
    passages: list[Passage] = []
    used = 0
    left_out = 0
    full = False
    for source in sources:
        if full:
            left_out += len(source.text.strip())
            continue
        end = 0
        begin = 0
        spans = split_sentences(source.text)
        for first in range(0, len(spans), _BATCH):
            part = spans[first : first + _BATCH]
            for span, tokens in zip(part, count_tokens([span.of(source.text) for span in part]), strict=True):
                if used + tokens > room:
                    stop, more = _words_that_fit(span.of(source.text), room - used, count_tokens)
                    begin = begin if end else span.start
                    end = span.start + stop if stop else end
                    used += more
                    full = True
                    break
                begin = begin if end else span.start
                end = span.end
                used += tokens
            if full:
                break
        left_out += len(source.text[end:].strip())
        if end > begin:
            passages.append(Passage(source.id, Span(begin, end)))
    by_id = {source.id: source.text for source in sources}
    text = "\n\n".join(passage.span.of(by_id[passage.source_id]) for passage in passages)
    return Window(text, tuple(passages), used), left_out


def _words_that_fit(sentence: str, room: int, count_tokens: Callable[[Sequence[str]], list[int]]) -> tuple[int, int]:
    """The end of the longest beginning of a sentence, at a word's end, within `room` tokens; and its tokens."""
    head = sentence[: max(0, room) * 16]  # no tokenizer's token is longer on average
    ends = [position for position, character in enumerate(head) if character.isspace()]
    if len(head) == len(sentence):
        ends.append(len(head))
    low, high = 0, len(ends)
    best = (0, 0)
    while low < high:
        middle = (low + high) // 2
        tokens = count_tokens([head[: ends[middle]]])[0]
        if tokens <= room:
            best = (ends[middle], tokens)
            low = middle + 1
        else:
            high = middle
    return best
