"""Stories told from tables: exchanges, sides, plain stories, and no claim on both sides."""

from __future__ import annotations

import random

import pytest

from training.rows import CONTRADICTION, ENTAILMENT, NOT_ENTAILMENT
from training.synthetic.order import amounts, exchange, linked, ranked, scope, speech
from training.synthetic.order.cast import Cast, Story
from training.synthetic.order.forms import Inflected, exchanged, groups, tell_group
from training.synthetic.order.tell import KINDS, stories
from training.synthetic.swap import Pool

NEW = [kind.__name__ for kind, _ in KINDS if kind.__module__ == "training.synthetic.order.forms"]


def cast(seed: int, plain: float = 0.0) -> Cast:
    out = Cast(Pool(), random.Random(seed), plain)
    out.begin()
    return out


def told(story: Story, *, true: bool) -> set[str]:
    return {text for text, label in story.claims if (label == ENTAILMENT) == true}


def test_verb_phrases() -> None:
    regular, irregular = Inflected.of("move to the coast"), Inflected.of("swim,swam,swum,swimming across the lake")
    assert (str(regular), regular.g) == ("moved to the coast", "moving to the coast")
    assert f"{irregular.b}|{irregular}|{irregular.pp}" == (
        "swim across the lake|swam across the lake|swum across the lake"
    )


def test_two_pairs_are_exchanged_at_once() -> None:
    (group,) = groups("N ab+pq y0y1\n{a} {p}")
    assert group.swaps == ((("a", "b"), ("p", "q")), (("y0", "y1"),))
    assert exchanged({"a": 1, "b": 2, "p": 3, "q": 4}, group.swaps[0]) == {"a": 2, "b": 1, "p": 4, "q": 3}


def test_a_group_that_cannot_be_false_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing makes this group false"):
        groups("N\n{a} {p}")


def test_marked_forms_and_labels() -> None:
    (group,) = groups("C ab\nonly {a} and never {b}\n> nobody but {a}, least {b}\n< {a} did")
    for seed in range(40):
        story = tell_group(group, cast(seed))
        assert not story.sentences[0].endswith(" did.")
        assert not any("least" in text for text, _ in story.claims)
        assert {label for _, label in story.claims} == {ENTAILMENT, CONTRADICTION}


def test_a_claim_of_the_other_side_is_false() -> None:
    (group,) = groups("N\n{a} left because {b} came\n--\n{a} left although {b} came")
    sides = set()
    for seed in range(20):
        story = tell_group(group, cast(seed))
        word, other = ("because", "although") if "because" in story.sentences[0] else ("although", "because")
        assert all(word in text for text in told(story, true=True))
        assert all(other in text for text in told(story, true=False))
        assert {label for _, label in story.claims} == {ENTAILMENT, NOT_ENTAILMENT}
        sides.add(word)
    assert sides == {"because", "although"}


@pytest.mark.parametrize("plain", [0.0, 1.0])
def test_true_and_false_claims_differ_and_are_as_many(plain: float) -> None:
    for _, story in stories(Pool(), random.Random(7), 3000, plain, NEW):
        true = [text for text, label in story.claims if label == ENTAILMENT]
        assert len(true) * 2 == len(story.claims)
        assert not told(story, true=True) & told(story, true=False), story
        assert "{" not in " ".join([*story.sentences, *true])
        if plain:
            assert len(true) == 1
            assert story.sentences[0].lower() == true[0].lower() + "."


@pytest.mark.parametrize(
    "table",
    [
        *(scope._ONLY, scope._QUANTIFIED, amounts._CHANGED, amounts._HELD, linked._REASONS, linked._DESCRIBED),
        *(linked._ATTACHED, speech._TOLD, speech._REPORTED, exchange._TRADED, exchange._VOICES, ranked._RANKED),
    ],
)
def test_every_group_can_be_told(table: tuple[object, ...]) -> None:
    for group in table:
        for seed in range(8):
            assert tell_group(group, cast(seed)).claims  # type: ignore[arg-type]


def test_who_came_later_by_the_years() -> None:
    """Worked by hand: the year behind the name decides."""
    found = 0
    for _, story in stories(Pool(), random.Random(3), 1500, only=["held"]):
        for text, label in story.claims:
            if " was born later than " in text:
                later, earlier = text.split(" was born later than ")
                years = {
                    name: claim.rsplit(" ", 1)[1]
                    for claim, other in story.claims
                    if other == ENTAILMENT
                    for name in (later, earlier)
                    if claim == f"{name} was born in {claim.rsplit(' ', 1)[1]}"
                }
                if len(years) == 2:
                    assert (years[later] > years[earlier]) == (label == ENTAILMENT)
                    found += 1
    assert found > 5
