"""False claims are false: names really swapped, numbers changed, polarity turned, roles exchanged, facts fused."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from training.synthetic import fuse, negate, numbers, swap
from training.synthetic.clauses import clauses
from training.synthetic.pieces import of_tokens, render

if TYPE_CHECKING:
    from spacy.language import Language


def negated(nlp: Language, text: str, seed: int = 0) -> str | None:
    sentence = next(nlp(text).sents)
    draft = negate.negate(of_tokens(sentence), sentence.root, random.Random(seed), lambda *_: "resigned")
    return render(draft) if draft else None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The dean will resign.", "The dean will not resign."),
        ("The bridge was sold.", "The bridge was not sold."),
        ("The dean did not resign.", "The dean resigned."),
        ("The cave is deep.", "The cave is not deep."),
    ],
)
def test_polarity_is_turned(nlp: Language, text: str, wanted: str) -> None:
    assert negated(nlp, text) == wanted


def test_a_simple_past_takes_did(nlp: Language) -> None:
    found = {negated(nlp, "Peter found the axe.", seed) for seed in range(12)}
    assert found == {"Peter did not find the axe.", "Peter didn't find the axe.", "Peter never found the axe."}


def test_a_name_is_replaced_by_another_of_its_kind(nlp: Language) -> None:
    doc = nlp("Maria Keller flew to Vienna. Peter Brandt stayed in Oslo.")
    first, second = doc.sents
    pool = swap.Pool.of([doc])
    here, near = swap.names_of([first]), swap.names_of([first, second])
    draft = of_tokens(first)
    found = {
        render(made) for seed in range(30) if (made := swap.swap_name(draft, here, near, pool, random.Random(seed)))
    }
    assert found == {"Peter Brandt flew to Vienna.", "Maria Keller flew to Oslo."}


def test_conjoined_names_are_not_swapped_for_each_other(nlp: Language) -> None:
    doc = nlp("Peter Brandt and Maria Keller won the prize.")
    sentence = next(doc.sents)
    names = swap.names_of([sentence])
    assert [n.text for n in names] == ["Peter Brandt", "Maria Keller"]
    draft = tuple(p for p in of_tokens(sentence) if p.text not in {"and", "Maria", "Keller"})
    assert swap.swap_name(draft, names, names, swap.Pool({"PERSON": ["Ada Berg"]}), random.Random(0)) is not None
    for seed in range(20):
        made = swap.swap_name(draft, names, names, swap.Pool({"PERSON": ["Ada Berg"]}), random.Random(seed))
        assert made is not None
        assert render(made) == "Ada Berg won the prize."
    assert swap.exchange_names(of_tokens(sentence), doc, names, random.Random(0)) is None


def test_exchanged_names_keep_the_words(nlp: Language) -> None:
    doc = nlp("Maria Keller defeated Peter Brandt in the final.")
    sentence = next(doc.sents)
    made = swap.exchange_names(of_tokens(sentence), doc, swap.names_of([sentence]), random.Random(0))
    assert made is not None
    assert render(made) == "Peter Brandt defeated Maria Keller in the final."


def test_roles_change_places(nlp: Language) -> None:
    doc = nlp("The judge questioned the banker.")
    sentence = next(doc.sents)
    clause = clauses(sentence)[0]
    places = fuse.exchanged(clause)
    assert places is not None
    made = negate.roles(of_tokens(sentence), doc, *places)
    assert made is not None
    assert render(made) == "The banker questioned the judge."


def test_roles_of_symmetric_verbs_stay(nlp: Language) -> None:
    clause = clauses(next(nlp("The judge met the banker.").sents))[0]
    assert fuse.exchanged(clause) is None


def test_a_predicate_goes_to_another_subject(nlp: Language) -> None:
    doc = nlp("Peter Brandt explored the cave. Maria Keller sold the axe.")
    first, second = (clauses(s)[0] for s in doc.sents)
    made = fuse.predicate(first, second, random.Random(0))
    assert made is not None
    assert render(made) == "Peter Brandt sold the axe."


@pytest.mark.parametrize(
    "text",
    [
        "Peter Brandt explored the cave. He sold the axe.",
        "Peter Brandt explored the cave. The explorer sold the axe.",
        "Peter Brandt explored the cave. Brandt sold the axe.",
    ],
)
def test_subjects_that_may_be_the_same_are_not_fused(nlp: Language, text: str) -> None:
    first, second = (clauses(s)[0] for s in nlp(text).sents)
    assert fuse.predicate(first, second, random.Random(0)) is None


@pytest.mark.parametrize(
    "text", ["He won 12 medals.", "It opened in 1987.", "It closed in June.", "She waited three days."]
)
def test_a_number_really_changes(text: str) -> None:
    for seed in range(40):
        changed = numbers.change(text, ["12", "1987", "45"], random.Random(seed))
        assert changed is not None
        assert changed != text


def test_numbers_of_the_passage_are_used() -> None:
    found = {numbers.change("He won 12 medals.", ["12", "45"], random.Random(seed)) for seed in range(40)}
    assert "He won 45 medals." in found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("Prices rose sharply.", "Prices fell sharply."), ("It sold more than ten.", "It sold less than ten.")],
)
def test_antonyms(text: str, wanted: str) -> None:
    assert negate.antonym(text, random.Random(0)) == wanted


def test_a_possibility_becomes_a_certainty() -> None:
    assert negate.overstate("The dean may resign.", random.Random(0)) == "The dean will resign."
    assert negate.overstate("The dean resigned.", random.Random(0)) is None
