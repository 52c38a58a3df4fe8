"""Invented stories: true and false claims of the same words, and no claim on both sides."""

from __future__ import annotations

import random
import re

from training.rows import ENTAILMENT
from training.synthetic.order.cast import Cast, Story
from training.synthetic.order.deeds import roles
from training.synthetic.order.facts import travel
from training.synthetic.order.tell import KINDS, order_rows, stories
from training.synthetic.swap import Pool


def told(seed: int, count: int = 400) -> list[tuple[str, Story]]:
    return list(stories(Pool(), random.Random(seed), count))


def test_every_kind_is_told() -> None:
    assert {name for name, _ in told(1)} == {kind.__name__ for kind, _ in KINDS}


def test_no_claim_is_both_true_and_false() -> None:
    for _, story in told(2):
        true = {text for text, label in story.claims if label == ENTAILMENT}
        false = {text for text, label in story.claims if label != ENTAILMENT}
        assert true
        assert false
        assert not true & false, story


def test_exchanged_roles_in_every_form_of_the_sentence() -> None:
    """The deed is told in the active, passive or cleft form: whoever does it in the premise does it when it is true."""

    def agent(text: str, names: tuple[str, str], verbs: set[str]) -> str:
        first, second = sorted(names, key=text.index)
        cleft_object = text.startswith("it was") and (
            " that was " in text or not any(f"that {v}" in text for v in verbs)
        )
        if " by " in text:
            return text.split(" by ")[1].split(" ", maxsplit=1)[0]
        return second if cleft_object else first

    checked = 0
    for seed in range(60):
        cast = Cast(Pool(), random.Random(seed))
        cast.begin()
        cast.pair = lambda: ("Nora", "Paulo", ("praised", "praised"))  # type: ignore[method-assign]
        cast.adjunct = lambda: ""  # type: ignore[method-assign]
        story = roles(cast)
        premise = story.sentences[0]
        doer = agent(
            premise[0].lower() + premise[1:-1] if premise.startswith("It") else premise[:-1],
            ("Nora", "Paulo"),
            {"praised"},
        )
        for text, label in story.claims:
            if " not " in text:
                continue
            assert (agent(text, ("Nora", "Paulo"), {"praised"}) == doer) == (label == ENTAILMENT), (premise, text)
            checked += 1
    assert checked > 150


def test_a_journey_ends_where_the_premise_says() -> None:
    journeys = 0
    for seed in range(30):
        cast = Cast(Pool(), random.Random(seed))
        cast.begin()
        story = travel(cast)
        route = re.search(r" from (\w+) to (\w+)", story.sentences[0])
        if route is None:
            continue
        start, end = route.groups()
        true = [text for text, label in story.claims if label == ENTAILMENT]
        false = [text for text, label in story.claims if label != ENTAILMENT]
        assert any(f"left {start} for {end}" in text for text in true)
        assert any(f"left {end} for {start}" in text for text in false)
        journeys += 1
    assert journeys > 5


def test_rows_stand_among_running_text_and_are_balanced() -> None:
    around = ["The harbour was dredged twice that year.", "Nobody expected the letter to arrive."]
    rows = order_rows(Pool(), around, 500, random.Random(4))
    share = sum(r.label == ENTAILMENT for r in rows) / len(rows)
    assert 0.45 < share < 0.55
    assert any(around[0] in r.premise for r in rows)
    assert any(around[0] not in r.premise and around[1] not in r.premise for r in rows)
    assert rows == order_rows(Pool(), around, 500, random.Random(4))
