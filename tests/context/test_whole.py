"""The whole context in one window, for verifiers that read it at once (the paper's protocol)."""

from collections.abc import Sequence

from grapheval.context.selector import HybridSelector
from grapheval.protocols import Passage, Selected, VerifierInfo
from grapheval.types import Claim, Source, Span


def count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def select(claims: list[str], contexts: list[str], max_tokens: int | None) -> Selected:
    sources = [Source(text, str(number)) for number, text in enumerate(contexts, start=1)]
    info = VerifierInfo("fake", max_tokens=max_tokens, window_tokens=None)
    return HybridSelector().select([Claim(text) for text in claims], sources, count, info)


def test_a_context_that_fits_is_one_window() -> None:
    found = select(["x y", "z"], ["One two. Three.", "", "Four five."], 50)
    assert [len(windows) for windows in found.windows] == [1, 1]
    assert found.windows[0][0].text == "One two. Three.\n\nFour five."
    assert found.windows[0][0].passages == (Passage("1", Span(0, 15)), Passage("3", Span(0, 10)))
    assert found.windows[0][0].tokens == 5
    assert found.counts["unread_chars"] == 0


def test_what_does_not_fit_is_counted() -> None:
    # 14 tokens, 8 reserved, 2 of the claim: 4 are left... but at least 8 are always read.
    found = select(["x y"], ["One two three. Four five six. Seven eight nine ten."], 14)
    assert found.windows[0][0].text == "One two three. Four five six. Seven eight"
    assert found.windows[0][0].tokens == 8
    assert found.counts["unread_chars"] == len("nine ten.")


def test_a_longer_claim_leaves_less_room_for_its_own_window_only() -> None:
    context = "One two three four five. Six seven eight nine ten. Eleven twelve thirteen fourteen."
    found = select(["x", "a b c d e"], [context], 22)
    assert found.windows[0][0].tokens == 13
    assert found.windows[1][0].tokens == 9
    assert found.counts["unread_chars"] == len("ten. Eleven twelve thirteen fourteen.")


def test_no_limit_reads_everything() -> None:
    context = "One two three. " * 500
    found = select(["x"], [context], None)
    assert found.windows[0][0].text == context
    assert found.counts["unread_chars"] == 0


def test_later_sources_that_do_not_fit_are_counted_whole() -> None:
    found = select(["x"], ["One two three four five six seven eight nine.", "Ten eleven."], 17)
    assert found.windows[0][0].passages == (Passage("1", Span(0, 39)),)
    assert found.counts["unread_chars"] == len("nine.") + len("Ten eleven.")


def test_empty_contexts() -> None:
    assert select(["x"], ["", " "], 50).windows == ((),)
    assert select([], ["Text."], 50).windows == ()
