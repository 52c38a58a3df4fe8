"""Amazon Bedrock's chat models, with errors that say what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grapheval import InputError

if TYPE_CHECKING:
    from langchain_aws import ChatBedrockConverse

PAPER_SETTINGS = {"temperature": 1.0, "top_p": 1.0, "additional_model_request_fields": {"top_k": 250}}
"""The sampling of arXiv 2407.10793, section 6 (Claude 2 on Bedrock); some newer models refuse `top_p` beside it."""


def bedrock_chat(model: str, *, region_name: str | None = None, **settings: Any) -> ChatBedrockConverse:
    """A `ChatBedrockConverse`, after a check of what it needs.

    Args:
        model: Model id, or the ARN of an inference profile (which needs `provider=`).
        region_name: AWS region; None = the environment's or the profile's.
        **settings: Whatever `ChatBedrockConverse` takes: `temperature`, `max_tokens`, `timeout`, `max_retries`,
            `guardrail_config`, `endpoint_url`, credentials, …

    Raises:
        InputError: There is no region, or there are no credentials; the message says where they are looked for.
        MissingExtraError: langchain-aws is not installed.
    """
    from grapheval.extras import require

    aws = require("langchain_aws", extra="aws")
    if "client" not in settings:
        _check(model, region_name, settings)
    if region_name is not None:
        settings["region_name"] = region_name
    chat: ChatBedrockConverse = aws.ChatBedrockConverse(model=model, **settings)
    return chat


def _check(model: str, region_name: str | None, settings: dict[str, Any]) -> None:
    import os

    import boto3
    from botocore.exceptions import ProfileNotFound

    profile = settings.get("credentials_profile_name")
    try:
        session = boto3.Session(profile_name=profile)
    except ProfileNotFound as error:
        msg = f"there is no AWS profile {profile!r}: choose one of ~/.aws/config, or leave credentials_profile_name out"
        raise InputError(msg) from error
    if not (region_name or session.region_name or os.environ.get("AWS_REGION")):
        msg = "no AWS region: pass region_name='us-east-1', or set AWS_REGION or AWS_DEFAULT_REGION"
        raise InputError(msg)
    if model.startswith("arn:") and "provider" not in settings:
        msg = "an inference profile's ARN does not tell whose model it is: pass provider='anthropic' or the like"
        raise InputError(msg)
    given = settings.get("aws_access_key_id") or settings.get("bedrock_api_key") or settings.get("api_key")
    given = given or os.environ.get("AWS_BEARER_TOKEN_BEDROCK")
    if not given and session.get_credentials() is None:
        msg = (
            "no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_BEARER_TOKEN_BEDROCK or "
            "AWS_PROFILE, run `aws configure`, or pass aws_access_key_id=... and aws_secret_access_key=..."
        )
        raise InputError(msg)
