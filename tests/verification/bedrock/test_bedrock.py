import pickle

import pytest

from grapheval.errors import InputError, ModelError
from grapheval.protocols import Judgement, Pair, Verifier
from grapheval.types import Reason
from grapheval.verification.bedrock import MAX_CLAIM, MAX_SOURCE, BedrockGrounding
from grapheval.verification.registry import load_verifier
from tests.tools.bedrock_stub import bedrock_stub, failure, grounding

PAIR = Pair("Oslo is the capital of Norway.", "Oslo is a capital")


@pytest.fixture(autouse=True)
def no_aws(monkeypatch, tmp_path):
    """No credentials, no region, no way to the instance's own ones."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))


def verifier(stub, **options):
    return load_verifier(
        "bedrock-grounding",
        guardrail_id="g1",
        guardrail_version="2",
        region="us-east-1",
        client_options=stub.options,
        **options,
    )


def test_the_grounding_score_is_the_probability():
    with bedrock_stub(lambda source, claim: grounding(0.2 if "Bergen" in claim else 0.93)) as stub:
        judge = verifier(stub, max_concurrency=1)
        assert isinstance(judge, Verifier)
        judged = judge.verify([PAIR, Pair(PAIR.premise, "Bergen is a capital."), PAIR])
    assert judged == [Judgement(0.93), Judgement(0.2), Judgement(0.93)]
    path, body = stub.calls[0]
    assert path == "/guardrail/g1/version/2/apply"
    assert (body["source"], body["outputScope"]) == ("OUTPUT", "FULL")
    assert [item["text"]["qualifiers"] for item in body["content"]] == [
        ["grounding_source"],
        ["query"],
        ["guard_content"],
    ]
    assert body["content"][0]["text"]["text"] == PAIR.premise
    assert body["content"][2]["text"]["text"] == "Oslo is a capital."


def test_name_and_limits_are_in_its_info():
    with bedrock_stub(lambda source, claim: grounding(1)) as stub:
        info = verifier(stub).info
    assert (info.name, info.version, info.max_tokens) == ("bedrock-grounding", "g1:2", 100_000)
    assert verifier(stub).count_tokens(["four", ""]) == [4, 0]


def test_limits_cut_the_source_and_never_the_claim():
    with bedrock_stub(lambda source, claim: grounding(0.5)) as stub:
        judged = verifier(stub, max_concurrency=1).verify(
            [
                Pair("word " * 30_000, "Oslo is big."),
                Pair("Oslo.", "x" * (MAX_CLAIM + 1)),
                Pair(" ", "Oslo is big."),
                Pair("Oslo.", "…"),
            ]
        )
    assert judged == [
        Judgement(0.5, reason=Reason.CONTEXT_CUT),
        Judgement(None, reason=Reason.CLAIM_TOO_LONG),
        Judgement(None, reason=Reason.EMPTY_CONTEXT),
        Judgement(None, reason=Reason.NOTHING_TO_CHECK),
    ]
    sent = stub.calls[0][1]["content"][0]["text"]["text"]
    assert MAX_SOURCE - 20 < len(sent) <= MAX_SOURCE


def test_a_missing_region_says_so():
    with pytest.raises(InputError, match="pass region=, or set AWS_REGION"):
        BedrockGrounding("g1")


def test_missing_credentials_say_so():
    judge = BedrockGrounding("g1", region="us-east-1", client_options={"endpoint_url": "http://127.0.0.1:9"})
    with pytest.raises(ModelError, match="there are no AWS credentials") as caught:
        judge.verify([PAIR])
    assert caught.value.code == "no_credentials"


@pytest.mark.parametrize(
    ("answer", "message", "code", "retryable"),
    [
        (failure("ResourceNotFoundException", "x", 404), "there is no guardrail 'g1'", "no_guardrail", False),
        (failure("AccessDeniedException", "not you", 403), r"refuses the call \(AccessDeniedException\): not you", "access_denied", False),
        (failure("ThrottlingException", "slow down", 429), "ThrottlingException.*slow down", "model_error", True),
        (failure("ValidationException", "bad", 400), r"Bedrock failed \(ValidationException\): bad", "model_error", False),
        ((200, {"action": "NONE", "outputs": [], "assessments": []}), "no grounding score: add a contextual", "no_grounding_score", False),
        (grounding(float("nan")), "no grounding score", "no_grounding_score", False),
        (grounding(7.0), "no grounding score", "no_grounding_score", False),
    ],
)  # fmt: skip
def test_errors_of_the_service_are_typed(answer, message, code, retryable):
    with bedrock_stub(lambda source, claim: answer) as stub, pytest.raises(ModelError, match=message) as caught:
        verifier(stub).verify([PAIR])
    assert (caught.value.code, caught.value.retryable) == (code, retryable)


def test_one_pair_that_fails_leaves_the_others_standing():
    def answer(source, claim):
        return failure("ThrottlingException", "slow down", 429) if "Bergen" in claim else grounding(0.9)

    with bedrock_stub(answer) as stub:
        judged = verifier(stub).verify([PAIR, Pair(PAIR.premise, "Bergen is a capital.")])
    assert judged == [Judgement(0.9), Judgement(None, reason=Reason.MODEL_ERROR)]


def test_a_service_that_is_not_there_is_told_as_such():
    with bedrock_stub(lambda source, claim: grounding(1)) as stub:
        judge = verifier(stub)
    with pytest.raises(ModelError, match="Bedrock cannot be reached") as caught:
        judge.verify([PAIR])
    assert caught.value.retryable


def test_the_lowest_of_several_scores_counts_and_a_bad_query_is_refused():
    status, body = grounding(0.8)
    body["assessments"] += grounding(0.3)[1]["assessments"]
    with bedrock_stub(lambda source, claim: (status, body)) as stub:
        assert verifier(stub).verify([PAIR]) == [Judgement(0.3)]
    with pytest.raises(InputError, match="query must have 1 to 1000 characters"):
        BedrockGrounding("g1", region="us-east-1", query="x" * 1001)
    with pytest.raises(InputError, match="guardrail_id="):
        BedrockGrounding("", region="us-east-1")
    with pytest.raises(InputError, match="takes no regoin"):
        load_verifier("bedrock-grounding", guardrail_id="g1", regoin="us-east-1")


def test_it_travels_to_other_processes_as_configuration():
    with bedrock_stub(lambda source, claim: grounding(0.7)) as stub:
        copy = pickle.loads(pickle.dumps(verifier(stub)))
        assert copy.verify([PAIR]) == [Judgement(0.7)]
