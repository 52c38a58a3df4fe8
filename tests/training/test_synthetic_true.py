"""True claims stay true: hand-written sentences and what the rules make of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from training.synthetic import numbers, rewrite
from training.synthetic.clauses import Clause, clause_draft, clauses
from training.synthetic.compress import compress, merge, shorten_list
from training.synthetic.pieces import of_text, of_tokens, render

if TYPE_CHECKING:
    from spacy.language import Language

FORMS = {("build", "VBD"): "built", ("build", "VBN"): "built", ("discover", "VBN"): "discovered"}


def forms(lemma: str, tag: str) -> str | None:
    return FORMS.get((lemma, tag))


def one(nlp: Language, text: str) -> Clause:
    found = clauses(next(nlp(text).sents))
    assert found, text
    return found[0]


def texts(nlp: Language, text: str) -> set[str]:
    return {render(clause_draft(c, random.Random(1), 1.0)) for c in clauses(next(nlp(text).sents))}


def test_coordinated_verbs_share_their_subject(nlp: Language) -> None:
    found = texts(nlp, "The company closed its plant in Leeds and opened an office in Cork.")
    assert found == {"The company closed its plant in Leeds.", "The company opened an office in Cork."}


def test_a_relative_clause_speaks_of_its_noun(nlp: Language) -> None:
    found = texts(nlp, "The engineer, who designed the bridge, lives in Porto.")
    assert "The engineer designed the bridge." in found


@pytest.mark.parametrize(
    "text",
    [
        "If the bank fails, the state pays the debt.",
        "The minister claimed that the bank had failed.",
        "Did the bank fail last year?",
        "Close the door before noon.",
    ],
)
def test_nothing_that_is_not_stated_becomes_a_clause(nlp: Language, text: str) -> None:
    found = texts(nlp, text)
    assert not any(t.startswith(("The bank failed", "The bank fails", "The bank had failed", "Close")) for t in found)


def test_a_negated_clause_keeps_all_its_words(nlp: Language) -> None:
    clause = one(nlp, "The dean did not travel to Rome in April.")
    for seed in range(5):
        assert render(clause_draft(clause, random.Random(seed), 0.0)) == "The dean did not travel to Rome in April."


def test_compression_drops_an_apposition_and_its_commas(nlp: Language) -> None:
    sentence = next(nlp("Maria Keller, a geologist, never discovered the cave.").sents)
    draft = compress(sentence, random.Random(0), 1.0)
    assert draft is not None
    assert render(draft) == "Maria Keller never discovered the cave."


def test_compression_leaves_negated_sentences_alone(nlp: Language) -> None:
    sentence = next(nlp("The dean did not travel to Rome in April.").sents)
    assert compress(sentence, random.Random(0), 1.0) is None


def test_lists_are_shortened_but_not_after_between(nlp: Language) -> None:
    sentence = next(nlp("The shop sells apples, pears and plums.").sents)
    draft = shorten_list(sentence, random.Random(0))
    assert draft is not None
    assert render(draft) == "The shop sells apples."
    assert shorten_list(next(nlp("The train runs between Basel and Bern.").sents), random.Random(0)) is None


def test_voice_both_ways(nlp: Language) -> None:
    active = rewrite.to_active(one(nlp, "The bridge was built by Roman engineers."), forms)
    assert active is not None
    assert render(active) == "Roman engineers built the bridge."
    passive = rewrite.to_passive(one(nlp, "Roman engineers built the bridge."), forms)
    assert passive is not None
    assert render(passive) == "The bridge was built by Roman engineers."


def test_an_apposition_becomes_a_copula(nlp: Language) -> None:
    found = rewrite.copulas(next(nlp("Maria Keller, a geologist, discovered the cave.").sents))
    assert [render(draft) for draft, _ in found] == ["Maria Keller was a geologist."]


def test_a_name_for_a_pronoun_only_where_one_person_is_named(nlp: Language) -> None:
    doc = nlp("Peter Brandt explored the cave. He found an axe.")
    first, second = doc.sents
    named = rewrite.name_pronouns(of_tokens(second), [first], second)
    assert named is not None
    assert render(named) == "Peter Brandt found an axe."
    doc = nlp("Peter Brandt met Karl Weber in the cave. He found an axe.")
    first, second = doc.sents
    assert rewrite.name_pronouns(of_tokens(second), [first], second) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("They found 1,200 fossils.", {"They found 1200 fossils.", "They found 1.2 thousand fossils."}),
        ("It rose by 5%.", {"It rose by 5 percent."}),
        ("It began on 3 March.", {"It began on March 3."}),
        ("He won three medals.", {"He won 3 medals."}),
        ("It cost 2.5 million euros.", {"It cost 2,500,000 euros."}),
    ],
)
def test_numbers_are_written_another_way(text: str, wanted: set[str]) -> None:
    found = {numbers.reformat(text, random.Random(seed)) for seed in range(20)}
    assert found == wanted


def test_no_number_no_rewriting() -> None:
    assert numbers.reformat("Nothing is counted here.", random.Random(0)) is None


def test_merging_keeps_the_names_capital() -> None:
    class Always(random.Random):
        def choice(self, seq):  # type: ignore[no-untyped-def]
            return seq[1]

    first, second = of_text("The sun set ."), of_text("Anna left .")
    assert render(merge(first, second, Always(), proper=True)) == "The sun set and Anna left."
    assert render(merge(first, of_text("The owl woke ."), Always(), proper=False)) == "The sun set and the owl woke."


def test_synonyms_change_the_word_only() -> None:
    assert rewrite.synonyms("They purchased a boat.", random.Random(0), 1.0) == "They bought a boat."
    assert rewrite.synonyms("Nothing to change.", random.Random(0), 1.0) is None
