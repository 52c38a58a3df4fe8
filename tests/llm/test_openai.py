"""The client for OpenAI-compatible servers, against a real local server."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Callable

import pytest

from grapheval.errors import InputError, ModelError
from grapheval.llm import OpenAICompatible, from_spec
from grapheval.protocols import LLM, Message, SupportsAsyncComplete
from grapheval.types import Usage
from tests.tools.openai_stub import OpenAIStub, Reply

CHAT = [Message("system", "Be brief."), Message("user", "Capital of Norway? {name} </s>")]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "VLLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def client(stub: OpenAIStub, **options: object) -> OpenAICompatible:
    return OpenAICompatible("tiny", stub.url, "secret-key", backoff=0.0, **options)  # type: ignore[arg-type]


def test_one_call() -> None:
    with OpenAIStub("Oslo it is") as stub:
        llm = client(stub, seed=7, extra={"top_k": 250})
        completion = llm.complete(CHAT)
        llm.close()
    assert (completion.text, completion.stop, completion.model) == ("Oslo it is", "stop", "tiny")
    assert completion.usage == Usage(1, 7, 3)
    assert stub.requests == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Capital of Norway? {name} </s>"},
            ],
            "temperature": 0.0,
            "seed": 7,
            "max_tokens": 2048,
            "top_k": 250,
        }
    ]
    assert stub.headers[0]["authorization"] == "Bearer secret-key"
    assert isinstance(llm, LLM)
    assert isinstance(llm, SupportsAsyncComplete)


async def test_the_asynchronous_form_is_the_same() -> None:
    with OpenAIStub([Reply(status=503), Reply("Oslo", finish="length")]) as stub:
        completion = await client(stub).acomplete(CHAT)
    assert (completion.text, completion.stop, len(stub.requests)) == ("Oslo", "length", 2)


@pytest.mark.parametrize(
    ("reply", "code", "retryable", "calls", "says"),
    [
        (Reply("bad key", status=401), "unauthorized", False, 1, "check OPENAI_API_KEY"),
        (Reply("no access", status=403), "unauthorized", False, 1, "no access"),
        (Reply("model not found", status=404), "unknown_model", False, 1, "no model 'tiny'"),
        (Reply("slow down", status=429), "rate_limit", True, 3, "rate limit"),
        (Reply("You exceeded your current quota", status=429), "rate_limit", False, 1, "quota"),
        (Reply("oops", status=500), "server_error", True, 3, "failed (500)"),
        (Reply(status=502, raw=b"<html>bad gateway</html>"), "server_error", True, 3, "bad gateway"),
        (Reply("context too long", status=400), "bad_request", False, 1, "context too long"),
        (Reply(raw=b"not json"), "bad_reply", False, 1, "not json"),
        (Reply(raw=b"[" * 100_000), "bad_reply", False, 1, "something else"),
        (Reply(raw=b'{"choices": []}'), "bad_reply", False, 1, "IndexError"),
        (Reply(raw=b'{"choices": [{"message": {"content": 5}}]}'), "bad_reply", False, 1, "TypeError"),
    ],
)
def test_errors_are_typed_and_only_passing_ones_are_tried_again(
    reply: Reply, code: str, retryable: bool, calls: int, says: str
) -> None:
    with OpenAIStub(reply) as stub, pytest.raises(ModelError) as caught:
        client(stub).complete(CHAT)
    assert (caught.value.code, caught.value.retryable, len(stub.requests)) == (code, retryable, calls)
    assert says in str(caught.value)
    assert "secret-key" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_passes_is_retried_to_success() -> None:
    with OpenAIStub([Reply(status=429, headers={"Retry-After": "0"}), Reply(status=500), "yes"]) as stub:
        assert client(stub).complete(CHAT).text == "yes"
    assert len(stub.requests) == 3


def test_timeout() -> None:
    with OpenAIStub(Reply("late", delay=1.0)) as stub, pytest.raises(ModelError, match=r"within 0\.1 s") as caught:
        client(stub, timeout=0.1, tries=1).complete(CHAT)
    assert (caught.value.code, caught.value.retryable) == ("timeout", True)


async def test_no_server() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    llm = OpenAICompatible("tiny", url, tries=2, backoff=0.0)
    with pytest.raises(ModelError, match=r"no server answers at http://127\.0\.0\.1") as caught:
        llm.complete(CHAT)
    assert (caught.value.code, caught.value.retryable) == ("unreachable", True)
    with pytest.raises(ModelError, match="no server answers"):
        await llm.acomplete(CHAT)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply(None), ""),
        (Reply(raw=b'{"choices": [{"message": {"content": null, "refusal": "No."}, "finish_reason": "stop"}]}'), "No."),
        (Reply("日本語 العربية"), "日本語 العربية"),
        (Reply("x" * 10_000_000), "x" * 10_000_000),
    ],
)
def test_odd_replies_are_replies(reply: Reply, text: str) -> None:
    with OpenAIStub(reply) as stub:
        assert client(stub).complete(CHAT).text == text


def test_a_reply_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grapheval.llm.openai.MAX_BYTES", 100_000)
    with OpenAIStub(Reply("x" * 1_000_000)) as stub, pytest.raises(ModelError, match="more than") as caught:
        client(stub).complete(CHAT)
    assert caught.value.code == "reply_too_large"


def test_models_that_take_other_settings_are_adapted_to_once() -> None:
    def picky(body: dict[str, object]) -> Reply:
        if "max_tokens" in body:
            return Reply("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", status=400)
        if "temperature" in body:
            return Reply("Unsupported value: 'temperature' does not support 0.0.", status=400)
        return Reply("fine")

    with OpenAIStub(picky) as stub:
        llm = client(stub)
        assert [llm.complete(CHAT).text, llm.complete(CHAT).text] == ["fine", "fine"]
    assert len(stub.requests) == 4
    assert stub.requests[-1]["max_completion_tokens"] == 2048


def test_settings_from_the_environment_and_keys_that_stay_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        OpenAICompatible("gpt-4o")
    with OpenAIStub("hi") as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url + "/")
        monkeypatch.setenv("OPENAI_API_KEY", "from-env")
        llm = OpenAICompatible("gpt-4o")
        assert llm.complete(CHAT).text == "hi"
        again = pickle.loads(pickle.dumps(llm))
        assert again.complete(CHAT).text == "hi"
        assert from_spec("openai:gpt-4o").complete(CHAT).text == "hi"
    assert "from-env" not in repr(llm)
    assert {headers["authorization"] for headers in stub.headers} == {"Bearer from-env"}


@pytest.mark.parametrize(("provider", "variable"), [("ollama", "OLLAMA_HOST"), ("vllm", "VLLM_BASE_URL")])
def test_own_servers_by_name(provider: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIStub("local") as stub:
        monkeypatch.setenv(variable, stub.url.removeprefix("http://").removesuffix("/v1"))
        llm = from_spec(f"{provider}:org/llama3:8b")
        assert (llm.name, llm.complete(CHAT).text) == ("org/llama3:8b", "local")


@pytest.mark.parametrize("spec", ["", "gpt-4o", "openai:", ":x"])
def test_specs_that_name_nothing(spec: str) -> None:
    with pytest.raises(InputError, match="PROVIDER:MODEL"):
        from_spec(spec)


@pytest.mark.parametrize(
    ("spec", "kind", "says"),
    [
        ("nonsense:x", InputError, "nonsense"),
        ("anthropic:claude", ImportError, "langchain-anthropic"),
    ],
)
def test_other_specs_go_to_langchain(spec: str, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        from_spec(spec)


def test_without_langchain_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(ImportError, match=r'pip install "grapheval\[agents\]"'):
        from_spec("anthropic:claude")


def test_a_langchain_string_makes_a_working_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """`init_chat_model` is LangChain's; what it returns is used through its public interface."""
    import langchain.chat_models
    from langchain_core.language_models import FakeListChatModel

    made: list[str] = []

    def build(spec: str, **options: object) -> FakeListChatModel:
        made.append(spec)
        return FakeListChatModel(responses=["Oslo"])

    monkeypatch.setattr(langchain.chat_models, "init_chat_model", build)
    build_: Callable[..., LLM] = from_spec
    assert build_("mistralai:small").complete(CHAT).text == "Oslo"
    assert made == ["mistralai:small"]
