import pytest

from grapheval.errors import InputError
from grapheval.verification.claims import normalize_claim
from grapheval.verification.hf.labels import Roles, roles


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["entailment", "neutral", "contradiction"], Roles(0, 1, 2)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], Roles(2, 1, 0)),
        (["contradiction", "entailment", "neutral"], Roles(1, 2, 0)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], Roles(0, 2, 1)),
        (["entailment", "not_entailment"], Roles(0)),
        (["hallucinated", "consistent"], Roles(1)),
        (["not_entailment", "entailment"], Roles(1)),
    ],
)
def test_classes_are_found_by_their_names(labels, expected):
    assert roles(dict(enumerate(labels)), "m") == expected


@pytest.mark.parametrize(
    "labels", [["LABEL_0", "LABEL_1", "LABEL_2"], ["0", "1"], ["yes", "no"], ["entails", "entailment"]]
)
def test_labels_that_do_not_say_ask_for_one(labels):
    with pytest.raises(InputError, match=r"do not say which one is entailment .*pass entailment_label="):
        roles(dict(enumerate(labels)), "m")


def test_the_entailment_class_can_be_named_or_numbered():
    labels = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    assert roles(labels, "m", 2) == Roles(2)
    assert roles(labels, "m", "label_1") == Roles(1)
    for wrong in (3, "entailment", -1):
        with pytest.raises(InputError, match=r"is no label of m, which has 0='LABEL_0'"):
            roles(labels, "m", wrong)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Oslo is big", "Oslo is big."),
        ("Oslo is big.", "Oslo is big."),
        ("Oslo is big !!", "Oslo is big."),
        (" Oslo \n is\tbig; ", "Oslo is big."),
        ('She said "no."', 'She said "no".'),
        ('She said "no".', 'She said "no".'),
        ("Oslo (a city).", "Oslo (a city)."),
        ("He lives in the U.S.", "He lives in the U.S."),
        ("He lives in the U.S", "He lives in the U.S."),
        ("Is Oslo big?", "Is Oslo big?"),
        ("Is Oslo big??", "Is Oslo big??"),
        ("東京は首都です。", "東京は首都です."),
        ("It costs 5", "It costs 5."),
        ("...", ""),
        ("", ""),
    ],
)
def test_claims_have_one_form(claim, expected):
    assert normalize_claim(claim) == expected
    assert normalize_claim(expected) == expected
