"""The paper's set-up, over real HTTP: ChatBedrockConverse extracts, corrects and answers; a stub stands for AWS."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnablePassthrough

from grapheval import GraphEval, InputError, ModelError, Status, Triple
from grapheval.guard import Guard
from grapheval.testing import FakeVerifier
from grapheval.verification.bedrock import BedrockGrounding
from langchain_grapheval import GraphEvalGuard, KGExtractor, bedrock_chat
from langchain_grapheval.bedrock import PAPER_SETTINGS
from tests.langchain.bedrock_stub import Bedrock, bedrock

GOOD = "Oslo is the capital of Norway."
WRONG = "Bergen lies on the east coast."
FIXED = "Bergen lies on the west coast."
ANSWER = f"{GOOD} {WRONG}"
CONTEXT = "Oslo is the capital of Norway. Bergen lies on the west coast."
KEYS = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
MODEL = "anthropic.claude-sonnet-4-5-20250929-v1:0"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bedrock]:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    stub = Bedrock(
        ANSWER,
        {
            "Oslo is the capital of Norway": [["Oslo", "is the capital of", "Norway"]],
            "Bergen lies on the east coast": [["Bergen", "lies on", "the east coast"]],
            "Bergen lies on the west coast": [["Bergen", "lies on", "the west coast"]],
        },
    )
    stub.corrections['["Bergen", "lies on", "the east coast"]'] = ["Bergen", "lies on", "the west coast"]
    with bedrock(stub):
        yield stub


def chat(stub: Bedrock, **settings: Any) -> Any:
    settings = {"max_tokens": 1024, "max_retries": 0, **KEYS, **settings}
    return bedrock_chat(MODEL, region_name="us-east-1", endpoint_url=stub.url, **settings)


def judge(premise: str, hypothesis: str) -> float:
    return 0.02 if "east" in hypothesis else 0.97


def pipeline(stub: Bedrock, **settings: Any) -> GraphEval:
    settings.setdefault("verifier", FakeVerifier(judge))
    return GraphEval.from_llm(chat(stub), **settings)


def test_extraction(aws: Bedrock) -> None:
    got = KGExtractor(llm=chat(aws, **PAPER_SETTINGS)).invoke(ANSWER)
    assert got == [Triple("Oslo", "is the capital of", "Norway"), Triple("Bergen", "lies on", "the east coast")]
    path, body = aws.seen[0]
    assert path == f"/model/{MODEL}/converse"
    assert body["inferenceConfig"] == {"maxTokens": 1024, "temperature": 1.0, "topP": 1.0}
    assert body["additionalModelRequestFields"] == {"top_k": 250}
    assert "west coast" not in str(body["messages"][-1])  # the context is not in it


async def test_evaluation_sync_and_async(aws: Bedrock) -> None:
    one = pipeline(aws)
    got = one.evaluate(ANSWER, CONTEXT)
    assert got.status is Status.INCONSISTENT
    assert [verdict.claim.text for verdict in got.flagged] == ["Bergen lies on the east coast"]
    assert got.provenance.usage == {"calls": 1, "input_tokens": 7, "output_tokens": 5}
    assert (await one.aevaluate(ANSWER, CONTEXT)).to_dict() == got.to_dict()


async def test_correction_sync_and_async(aws: Bedrock) -> None:
    got = pipeline(aws).correct(ANSWER, CONTEXT)
    assert got.answer == f"{GOOD} {FIXED}"
    assert got.after is not None
    assert got.after.status is Status.CONSISTENT
    assert (await pipeline(aws).acorrect(ANSWER, CONTEXT)).answer == got.answer


async def test_the_guard_sync_and_async(aws: Bedrock) -> None:
    guard = Guard(pipeline(aws))
    assert guard.run(ANSWER, CONTEXT).text == f"{GOOD} {FIXED}"
    assert (await guard.arun(ANSWER, CONTEXT)).text == f"{GOOD} {FIXED}"


async def test_a_streamed_answer_is_repaired_on_its_way(aws: Bedrock) -> None:
    chain = RunnablePassthrough.assign(
        answer=(lambda data: [HumanMessage(data["question"])]) | chat(aws)
    ) | GraphEvalGuard(pipeline=pipeline(aws))
    data = {"question": "Where?", "context": [Document(CONTEXT)]}
    chunks = list(chain.stream(data))
    whole = reduce(add, chunks)
    assert whole.text == f"{GOOD} {FIXED}"
    assert str(chunks[0].text) == GOOD
    assert whole.response_metadata["stopReason"] == "end_turn"
    assert whole.usage_metadata["total_tokens"] == 12
    assert any(path.endswith("/converse-stream") for path, _ in aws.seen)
    whole = reduce(add, [chunk async for chunk in chain.astream(data)])
    assert whole.text == f"{GOOD} {FIXED}"
    assert chain.invoke(data).text == f"{GOOD} {FIXED}"


def test_grounding_as_verifier(aws: Bedrock) -> None:
    aws.grounding["east coast"] = 0.1
    options = {"endpoint_url": aws.url, **KEYS}
    verifier = BedrockGrounding("gr-1", "1", region="us-east-1", client_options=options)
    got = pipeline(aws, verifier=verifier).evaluate(ANSWER, CONTEXT)
    assert [verdict.claim.text for verdict in got.flagged] == ["Bergen lies on the east coast"]
    assert got.p_inconsistent == pytest.approx(0.9)
    path, body = next((path, body) for path, body in aws.seen if path.startswith("/guardrail/"))
    assert path == "/guardrail/gr-1/version/1/apply"
    assert body["source"] == "OUTPUT"


def test_a_guardrail_can_ride_along(aws: Bedrock) -> None:
    config = {"guardrailIdentifier": "gr-1", "guardrailVersion": "1", "trace": "enabled"}
    chat(aws, guardrail_config=config).invoke("hello")
    assert aws.seen[0][1]["guardrailConfig"] == config


def test_a_refusal_of_the_service_is_typed_and_lets_nothing_out(aws: Bedrock) -> None:
    aws.fail = (403, "AccessDeniedException")
    with pytest.raises(ModelError, match="AccessDenied"):
        pipeline(aws).evaluate(ANSWER, CONTEXT)
    got = Guard(pipeline(aws), block_message="No.").run(ANSWER, CONTEXT)
    assert (got.text, got.failures[0].stage) == ("No.", "extract")


class TestSetUp:
    def test_no_region(self, aws: Bedrock) -> None:
        with pytest.raises(InputError, match="no AWS region: pass region_name"):
            bedrock_chat(MODEL, **KEYS)

    def test_no_credentials(self, aws: Bedrock) -> None:
        with pytest.raises(InputError, match=r"no AWS credentials: set AWS_ACCESS_KEY_ID"):
            bedrock_chat(MODEL, region_name="us-east-1")

    def test_no_profile(self, aws: Bedrock) -> None:
        with pytest.raises(InputError, match="no AWS profile 'mine'"):
            bedrock_chat(MODEL, region_name="us-east-1", credentials_profile_name="mine")

    def test_an_inference_profile_needs_its_provider(self, aws: Bedrock) -> None:
        arn = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc"
        with pytest.raises(InputError, match="pass provider="):
            bedrock_chat(arn, region_name="us-east-1", **KEYS)
        known = {"provider": "anthropic", "base_model_id": MODEL}  # without it, AWS is asked at once
        assert bedrock_chat(arn, region_name="us-east-1", **known, **KEYS).provider == "anthropic"

    @pytest.mark.parametrize("name", ["AWS_REGION", "AWS_DEFAULT_REGION"])
    def test_the_region_of_the_environment(self, aws: Bedrock, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(name, "eu-west-1")
        assert bedrock_chat(MODEL, **KEYS).region_name in (None, "eu-west-1")

    def test_a_bearer_token_is_a_credential(self, aws: Bedrock, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "token")
        assert bedrock_chat(MODEL, region_name="us-east-1").model_id == MODEL
