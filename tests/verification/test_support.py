"""The mix of the model's word with the wording: features and sum worked out by hand."""

import math

import pytest

from grapheval.protocols import Judgement, Passage, Window
from grapheval.types import Claim, Label, Source, Span
from grapheval.verification.rules import EvidenceRules
from grapheval.verification.support import ClaimWording, Support, log_odds
from grapheval.verification.surroundings import surroundings

WINDOW = "In 2004 Ines Roth opened a small gallery in Lund."


def test_the_plain_mix_is_the_models_probability() -> None:
    assert Support().plain
    wording = ClaimWording("Ines Roth died").against(WINDOW)
    assert Support().of(0.3, wording) == pytest.approx(0.3)


def test_words_are_weighed_by_kind() -> None:
    # ines 1.5, roth 1.5, open 1, gallery 1, bergen 1.5: 5 of 6.5 stand in the window.
    wording = ClaimWording("Ines Roth opened a gallery in Bergen").against(WINDOW)
    assert wording.words == pytest.approx(5 / 6.5)
    assert wording.names == pytest.approx(1 / 3)
    assert wording.number == 0.0


def test_pairs_keep_order_and_closeness() -> None:
    # ines-roth, roth-open, open-gallery (one word between) stand there; gallery-in too.
    assert ClaimWording("Ines Roth opened a gallery in").against(WINDOW).pairs == 1.0
    # gallery-open and open-ines do not: only ines-roth does.
    assert ClaimWording("gallery opened Ines Roth").against(WINDOW).pairs == pytest.approx(1 / 3)


def test_numbers_and_negation() -> None:
    assert ClaimWording("It opened in 2014").against(WINDOW).number == 1.0
    assert ClaimWording("It opened in 2004").against(WINDOW).number == 0.0
    assert ClaimWording("It never opened").against(WINDOW).negation == 1.0
    assert ClaimWording("It opened").against(WINDOW).negation == 0.0


def test_the_sum_goes_through_the_logistic_function() -> None:
    wording = ClaimWording("Ines Roth opened a gallery").against(WINDOW)  # words 1, pairs 1
    mix = Support(model=0.5, words=2.0, pairs=1.0, bias=-1.0)
    assert mix.of(0.2, wording) == pytest.approx(1 / (1 + math.exp(-(0.5 * math.log(0.25) + 2.0))))


def test_extreme_probabilities_stay_finite() -> None:
    assert log_odds(0.0) == pytest.approx(math.log(1e-4 / (1 - 1e-4)))
    assert log_odds(1.0) == pytest.approx(-log_odds(0.0))


def test_the_rules_use_the_mix() -> None:
    source = Source(WINDOW, "a")
    window = Window(WINDOW, (Passage("a", Span(0, len(WINDOW))),), 10)
    mix = Support(model=1.0, words=3.0)
    verdict = EvidenceRules(support=mix).fold(
        Claim("Ines Roth opened a gallery"), [window], [Judgement(0.2)], [source], 0.5
    )
    assert verdict.label is Label.SUPPORTED
    assert verdict.p_ungrounded == pytest.approx(1 - 1 / (1 + math.exp(-(math.log(0.25) + 3.0))))


def test_a_claim_without_words_has_features_too() -> None:
    assert ClaimWording("").against("").pairs == 0.0


def test_what_stands_around_the_windows_counts() -> None:
    # ines 1.5, roth 1.5, open 1, gallery 1, bergen 1.5, tuesday 1.5: 5 of 8 in the window, bergen in a sentence after it.
    claim = Claim("Ines Roth opened a gallery in Bergen on Tuesday")
    text = f"{WINDOW} Bergen she never saw. The gallery closed."
    window = Window(WINDOW, (Passage("a", Span(0, len(WINDOW))),), 10)
    wording = ClaimWording(claim)
    sources = [Source(text, "a")]
    found = wording.among([wording.explicit.against(WINDOW)], surroundings(window.passages, sources), sources)[0]
    assert found.absent == pytest.approx(3 / 8)
    assert found.sentence == pytest.approx(5 / 8)
    assert found.nowhere == pytest.approx(1.5 / 8)
    assert found.together == pytest.approx(6.5 / 8)
    mix = Support(model=0.0, nowhere=-2.0, together=1.0)
    verdict = EvidenceRules(support=mix).fold(claim, [window], [Judgement(0.2)], sources, 0.5)
    assert verdict.p_ungrounded == pytest.approx(1 - 1 / (1 + math.exp(2.0 * 1.5 / 8 - 6.5 / 8)))


def test_names_and_numbers_that_stand_nowhere_count() -> None:
    source = Source(f"{WINDOW} It was 12 metres long. Bergen is far, she told Kari Lind.", "a")

    def found(claim: str) -> tuple[float, float]:
        wording = ClaimWording(claim)
        features = wording.among([wording.explicit.against(WINDOW)], [], [source])[0]
        return features.strange_name, features.strange_number

    assert found("The gallery in Lund was 12 metres long") == (0.0, 0.0)
    assert found("The gallery in Bergen belonged to Lind") == (0.0, 0.0)  # both stand in the source
    assert found("The gallery belonged to Kari Holm") == (0.0, 0.0)  # part of the name does
    assert found("The gallery belonged to Mads Holm") == (1.0, 0.0)
    assert found("The gallery in Lund was 14 metres long in 2005") == (0.0, 1.0)
