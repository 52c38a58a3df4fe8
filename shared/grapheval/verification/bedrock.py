"""Amazon Bedrock Guardrails' contextual grounding check as verifier (extra `aws`).

Source: Amazon Bedrock user guide, "Use contextual grounding check", and the ApplyGuardrail API. The grounding score is
taken as P(supported); it is on a scale of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grapheval.errors import GraphEvalError, InputError, ModelError
from grapheval.extras import require
from grapheval.protocols import Judgement, Pair, VerifierInfo
from grapheval.types import Reason
from grapheval.verification.calls import map_calls, settle
from grapheval.verification.claims import normalize_claim
from grapheval.verification.hf.inputs import cut

MAX_SOURCE = 100_000
MAX_CLAIM = 5_000
MAX_QUERY = 1_000
"""Characters that the service takes."""

_QUERY = "What does the source say?"
_RETRYABLE = {"ThrottlingException", "ServiceUnavailableException", "InternalServerException", "ModelTimeoutException"}


class BedrockGrounding:
    """One ApplyGuardrail call per pair.

    Args:
        guardrail_id: Identifier or ARN of a guardrail with a contextual grounding policy.
        guardrail_version: Its version: a number, or `"DRAFT"`.
        region: AWS region; None = as configured (`AWS_REGION`, profile).
        query: What was asked, which the service wants beside the source; only its relevance score depends on it.
        window_tokens: Premise length in characters for which the pipeline builds windows.
        max_concurrency: Most calls at a time.
        client: A `bedrock-runtime` client instead of one made here.
        client_options: More arguments of `boto3.client`: `endpoint_url`, `aws_access_key_id`, `config`, …

    Raises:
        MissingExtraError: boto3 is not installed.
        InputError: There is no region, or the query is too long.
    """

    def __init__(
        self,
        guardrail_id: str,
        guardrail_version: str = "DRAFT",
        *,
        region: str | None = None,
        query: str = _QUERY,
        window_tokens: int | None = 4_000,
        max_concurrency: int = 4,
        client: Any = None,
        client_options: dict[str, Any] | None = None,
    ) -> None:
        if not guardrail_id:
            msg = "bedrock-grounding needs guardrail_id=, the id of a guardrail with a contextual grounding policy"
            raise InputError(msg)
        if not query.strip() or len(query) > MAX_QUERY:
            msg = f"query must have 1 to {MAX_QUERY} characters, it has {len(query)}"
            raise InputError(msg)
        self._guardrail = guardrail_id
        self._guardrail_version = str(guardrail_version)
        self._region = region
        self._query = query
        self._window = window_tokens
        self._workers = max_concurrency
        self._options = dict(client_options or {})
        self._own = client is None
        self._client = client if client is not None else self._connect()

    def __getstate__(self) -> dict[str, Any]:
        """Configuration only: a client cannot be sent to another process, one made here is made anew there."""
        if not self._own:
            msg = "a BedrockGrounding with a client of its own cannot be sent to another process"
            raise TypeError(msg)
        return {key: value for key, value in self.__dict__.items() if key != "_client"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._client = self._connect()

    @property
    def info(self) -> VerifierInfo:
        """Guardrail and version; characters are its tokens."""
        return VerifierInfo(
            "bedrock-grounding",
            f"{self._guardrail}:{self._guardrail_version}",
            max_tokens=MAX_SOURCE,
            window_tokens=self._window,
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Characters: the unit of the service's limits."""
        return [len(text) for text in texts]

    def verify(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair, one call each.

        Raises:
            ModelError: Every call failed, or the guardrail checks no grounding.
        """
        return settle(map_calls(self._judge, pairs, self._workers))

    def _judge(self, pair: Pair) -> Judgement:
        claim = normalize_claim(pair.hypothesis)
        if not claim:
            return Judgement(None, reason=Reason.NOTHING_TO_CHECK)
        if len(claim) > MAX_CLAIM:
            return Judgement(None, reason=Reason.CLAIM_TOO_LONG)
        if not pair.premise.strip():
            return Judgement(None, reason=Reason.EMPTY_CONTEXT)
        room = MAX_SOURCE - len(claim)
        premise = pair.premise
        if len(premise) > room:
            premise = cut(premise, room, lambda text: len(text) <= room)
        reason = Reason.CONTEXT_CUT if len(premise) < len(pair.premise) else None
        return Judgement(grounding_score(self._apply(premise, claim)), reason=reason)

    def _apply(self, premise: str, claim: str) -> dict[str, Any]:
        errors = require("botocore.exceptions", extra="aws")
        content = [
            {"text": {"text": premise, "qualifiers": ["grounding_source"]}},
            {"text": {"text": self._query, "qualifiers": ["query"]}},
            {"text": {"text": claim, "qualifiers": ["guard_content"]}},
        ]
        try:
            reply: dict[str, Any] = self._client.apply_guardrail(
                guardrailIdentifier=self._guardrail,
                guardrailVersion=self._guardrail_version,
                source="OUTPUT",
                outputScope="FULL",
                content=content,
            )
        except (errors.ClientError, errors.BotoCoreError) as error:
            raise _explained(error, self._guardrail, errors) from error
        return reply

    def _connect(self) -> Any:
        boto3 = require("boto3", extra="aws")
        errors = require("botocore.exceptions", extra="aws")
        try:
            return boto3.client("bedrock-runtime", region_name=self._region, **self._options)
        except errors.NoRegionError as error:
            msg = "bedrock-grounding needs an AWS region: pass region=, or set AWS_REGION"
            raise InputError(msg) from error
        except (errors.BotoCoreError, ValueError, TypeError) as error:
            msg = f"no Bedrock client can be made: {error}"
            raise InputError(msg) from error


def grounding_score(reply: dict[str, Any]) -> float:
    """The GROUNDING score of an ApplyGuardrail reply, in [0, 1]; the lowest if there are several.

    Raises:
        ModelError: There is none: the guardrail checks no grounding, or did not for this text.
    """
    scores = [
        item.get("score")
        for assessment in reply.get("assessments") or ()
        for item in (assessment.get("contextualGroundingPolicy") or {}).get("filters") or ()
        if item.get("type") == "GROUNDING"
    ]
    numbers = [float(s) for s in scores if isinstance(s, int | float) and not isinstance(s, bool) and 0 <= s <= 1]
    if not numbers or len(numbers) != len(scores):
        msg = "the guardrail returned no grounding score: add a contextual grounding check (GROUNDING) to its policies"
        raise ModelError(msg, code="no_grounding_score")
    return min(numbers)


def _explained(error: Exception, guardrail: str, errors: Any) -> GraphEvalError:
    if isinstance(error, errors.NoCredentialsError | errors.PartialCredentialsError):
        msg = "there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"
        return ModelError(msg, code="no_credentials")
    if isinstance(error, errors.ReadTimeoutError | errors.ConnectTimeoutError):
        return ModelError(f"Bedrock did not answer in time: {error}", retryable=True, code="timeout")
    if isinstance(error, errors.ClientError):
        detail = error.response.get("Error", {})
        code, text = str(detail.get("Code", "")), str(detail.get("Message", "")).strip()
        if code == "ResourceNotFoundException":
            return ModelError(f"there is no guardrail {guardrail!r} in this region and account", code="no_guardrail")
        if code in {"AccessDeniedException", "UnrecognizedClientException", "ExpiredTokenException"}:
            return ModelError(f"AWS refuses the call ({code}): {text}", code="access_denied")
        return ModelError(f"Bedrock failed ({code}): {text}", retryable=code in _RETRYABLE)
    return ModelError(f"Bedrock cannot be reached: {error}", retryable=True)
