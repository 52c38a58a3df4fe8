"""The selector: finds what decides a claim, whatever the order, and reports what it did."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval.context.selector import AllWindowsSelector, HybridSelector
from grapheval.protocols import Selected, VerifierInfo, Window
from grapheval.types import Claim, Source

INFO = VerifierInfo("fake", max_tokens=200, window_tokens=40)

FILLER = [
    "The river floods each spring. Farmers move their cattle to the hills. Boats are tied to the church.",
    "A tram line opened in the north of the town. Tickets cost little. Few people used it at first.",
    "The orchestra rehearsed for weeks. The hall was cold. The conductor kept his coat on.",
    "Bees were kept behind the school. Honey was sold at the market. The children learned to keep still.",
]


def count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def select(claims: list[str], contexts: list[str], selector: HybridSelector | None = None) -> Selected:
    sources = [Source(text, str(number)) for number, text in enumerate(contexts, start=1)]
    return (selector or HybridSelector()).select([Claim(text) for text in claims], sources, count, INFO)


def texts(windows: Sequence[Window]) -> list[str]:
    return [window.text for window in windows]


def test_the_deciding_window_comes_first() -> None:
    gold = "Mara Lind was born in 1931. She founded the Norrvik observatory in 1967. It closed later."
    found = select(["Lind founded an observatory in 1967"], [*FILLER, gold])
    assert "founded the Norrvik observatory in 1967" in found.windows[0][0].text
    assert found.windows[0][0].passages[0].source_id == "5"


def test_passages_hold_the_text_of_their_source() -> None:
    contexts = [*FILLER, "  Two spaces before. \n\nAnd Mara Lind after. "]
    found = select(["Mara Lind came after", "The hall was cold"], contexts)
    for windows in found.windows:
        for window in windows:
            cut = [p.span.of(contexts[int(p.source_id) - 1]) for p in window.passages]
            assert window.text == "\n".join(cut)
            assert window.tokens == len(window.text.split())


@settings(max_examples=30, deadline=None)
@given(st.permutations(list(range(len(FILLER) + 2))))
def test_order_never_changes_what_is_read(order: list[int]) -> None:
    contexts = [*FILLER, "Mara Lind was a chemist. She lived in Norrvik.", "Norrvik lies on a lake. Lind lived there."]
    claims = ["Mara Lind lived in Norrvik on a lake", "Bees were kept at the church", "Zebras dance"]
    expected = select(claims, contexts).windows
    shuffled = select(claims, [contexts[i] for i in order]).windows
    assert [texts(windows) for windows in shuffled] == [texts(windows) for windows in expected]


def test_two_short_passages_are_joined_when_each_holds_half_of_the_claim() -> None:
    contexts = ["Ester Holm wrote the novel Saltmarsh.", "Saltmarsh won the Aurora Prize in 1998.", *FILLER]
    found = select(["Ester Holm wrote a novel that won the Aurora Prize in 1998"], contexts)
    joined = [window for window in found.windows[0] if len(window.passages) == 2]
    assert [{p.source_id for p in window.passages} for window in joined] == [{"1", "2"}]
    assert found.counts["joined"] == 1
    unjoined = select(
        ["Ester Holm wrote a novel that won the Aurora Prize in 1998"], contexts, HybridSelector(join=False)
    )
    assert unjoined.counts["joined"] == 0


def test_a_passage_that_covers_the_claim_is_not_joined() -> None:
    contexts = ["Ester Holm won the Aurora Prize in 1998.", "The Aurora Prize is old.", *FILLER]
    found = select(["Ester Holm won the Aurora Prize in 1998"], contexts)
    assert found.counts["joined"] == 0


def test_inflected_words_numbers_and_accents_match() -> None:
    contexts = [*FILLER, "Zoë Brandt announced that twelve companies were investing 1,200 crowns."]
    found = select(["Zoe Brandt's announcement: 12 company investments of 1200 crowns"], contexts)
    assert found.windows[0][0].passages[0].source_id == "5"


def test_scripts_without_spaces_are_searched_too() -> None:
    contexts = [
        "今日は雨が降った。",
        "東京タワーは一九五八年に完成した。高さは三百三十三メートルである。",
        "猫が寝ている。",
    ]
    found = select(["東京タワーの高さは三百三十三メートルだ"], contexts)
    assert found.windows[0][0].passages[0].source_id == "2"


def test_a_claim_without_any_shared_word_still_gets_a_window() -> None:
    found = select(["Zebras dance"], FILLER)
    assert len(found.windows[0]) == 1
    assert found.windows[0][0].text


def test_the_budget_limits_later_windows_but_never_the_first() -> None:
    claims = ["The river floods", "A tram line opened", "The orchestra rehearsed", "Bees were kept at the market hall"]
    poor = select(claims, FILLER, HybridSelector(tokens_per_claim=1, tokens_per_answer=1))
    assert [len(windows) for windows in poor.windows] == [1, 1, 1, 1]
    rich = select(claims, FILLER, HybridSelector(tokens_per_claim=500))
    assert max(len(windows) for windows in rich.windows) > 1


def test_what_one_window_holds_word_for_word_is_looked_for_in_other_sources_only() -> None:
    claim = "The orchestra rehearsed for nine weeks"
    gold = "The orchestra rehearsed for nine weeks."
    pad = " Snow fell on every road that led to the old town, and nobody came. " * 4
    twice = f"{gold}{pad}The orchestra rehearsed for ten weeks, others say."
    roomy = HybridSelector(tokens_per_claim=500, fill=0.1)
    assert texts(select([claim], [twice], roomy).windows[0])[0].startswith(gold)
    assert len(select([claim], [twice], roomy).windows[0]) == 1
    # Another source that holds five of the six words may contradict it; one that holds one of them may not.
    other = "The orchestra rehearsed for ten weeks, others say."
    found = select([claim], [twice, other, "An orchestra came."], roomy).windows[0]
    assert [window.passages[0].source_id for window in found] == ["1", "2"]


def test_no_text_means_no_windows() -> None:
    found = select(["Anything"], ["", "  \n "])
    assert found.windows == ((),)
    assert found.counts["windows"] == 0
    assert select([], FILLER).windows == ()


def test_a_window_beyond_the_models_input_is_split_not_cut() -> None:
    # The estimate takes this for a few tokens; the model's own counting finds one per character.
    text = "ab " * 60
    sources = [Source(text, "1")]
    tight = VerifierInfo("fake", max_tokens=48, window_tokens=400)
    found = HybridSelector().select([Claim("ab")], sources, lambda many: [len(each) for each in many], tight)
    assert all(window.tokens <= 48 - 4 - 2 for window in found.windows[0])
    covered = {position for window in found.windows[0] for p in window.passages for position in range(*p.span)}
    assert all(character.isspace() for position, character in enumerate(text) if position not in covered)


def test_counts_say_what_was_read() -> None:
    found = select(["The hall was cold"], FILLER)
    assert found.counts["context_chars"] == sum(map(len, FILLER))
    assert found.counts["unread_chars"] == 0
    assert found.counts["windows"] == 4
    assert found.counts["kept"] == len({window.text for windows in found.windows for window in windows})


def test_all_windows_are_all() -> None:
    sources = [Source(text, str(number)) for number, text in enumerate(FILLER)]
    found = AllWindowsSelector().select([Claim("x"), Claim("y")], sources, count, INFO)
    assert {window.text for window in found.windows[0]} == set(FILLER)
    assert found.windows[0] == found.windows[1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=3), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_gives_windows_whose_passages_are_exact(claims: list[str], contexts: list[str]) -> None:
    found = select(claims, contexts)
    sources = [Source(text) for text in contexts]
    assert len(found.windows) == len(claims)
    for windows in found.windows:
        assert bool(windows) == any(source.text.strip() for source in sources)
        for window in windows:
            cut = [p.span.of(sources[int(p.source_id) - 1].text) for p in window.passages]
            assert window.text == "\n".join(cut)
