"""English or not: short claims, foreign names, other scripts."""

import pytest

from grapheval.language import can_judge, is_english


@pytest.mark.parametrize(
    "text",
    [
        "Vincent van der Berg met Ursula von der Leyen in La Paz.",
        "El Niño hit Los Angeles.",
        "He won La Liga with Real Madrid in El Clásico",
        "Müller scored twice",
        "Le Monde reported the story.",
        "Die Hard grossed $140m",
        "De facto control grows",
        "The film 七人の侍 was made in 1954.",
        "Profits rose 12%.",
        "Dvořák",
        "1,200",
        "",
        "police arrested two men in leeds .",
        "Hamlet, Prince of Denmark",
        "I know.",
        "Jo Roe. Born: August 30, 1972 (age 46), San Diego, California, U.S. Occupation: actress.",
        "It costs $3 per piece",
        "São Paulo is larger than Rio de Janeiro.",
    ],
)
def test_english(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Oslo ist die Hauptstadt von Norwegen.",
        "Der Hund schläft im Garten.",
        "Paris est la capitale de la France.",
        "Le chien dort.",
        "Les enfants jouent dans le jardin.",
        "Madrid es la capital de España.",
        "Él vive en Madrid desde 1990.",
        "Il presidente ha visitato Roma.",
        "O presidente visitou Lisboa para uma reunião.",
        "De hond slaapt in de tuin.",
        "Hunden sover och katten är ute.",
        "Москва – столица России.",
        "彼は東京に住んでいる。",
        "القاهرة عاصمة مصر.",
        "Αθήνα είναι η πρωτεύουσα.",
        "서울은 한국의 수도이다.",
    ],
)
def test_not_english(text: str) -> None:
    assert not is_english(text)


def test_only_an_english_model_asks() -> None:
    assert can_judge("Der Hund schläft im Garten.", ())
    assert can_judge("Der Hund schläft im Garten.", ("de",))
    assert not can_judge("Der Hund schläft im Garten.", ("en",))


def test_long_hostile_text_is_only_sampled() -> None:
    assert is_english("a" * 5_000_000)
    assert not is_english("и " * 2_000_000)


@pytest.mark.parametrize(
    "text",
    ["Marie Curie wurde in Paris geboren.", "Marie Curie wurde in Warschau geboren und lebte in Paris."],
)
def test_words_that_both_languages_have_are_no_sign_of_english(text: str) -> None:
    assert not is_english(text)
