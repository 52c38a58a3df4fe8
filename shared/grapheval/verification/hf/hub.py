"""A hub id or a directory -> a local directory with config, tokenizer and weights; errors that say what to do."""

from __future__ import annotations

import re
from pathlib import Path

from grapheval.errors import InputError, ModelError
from grapheval.extras import require
from grapheval.verification.hf.weights import weight_files

_TEXT_FILES = ["*.json", "*.txt", "*.model", "merges.txt"]
_SAFE = ["*.safetensors"]
_PICKLED = ["pytorch_model*.bin"]
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_COMMIT = re.compile(r"[0-9a-f]{40}")


def is_hub_id(text: str) -> bool:
    """Whether a text has the form `owner/name`."""
    return _HUB_ID.fullmatch(text) is not None


def local_directory(path: str | Path) -> Path:
    """A model directory on disk.

    Raises:
        InputError: It is not there, or is no model directory.
    """
    directory = Path(path).expanduser()
    if not directory.is_dir():
        msg = f"there is no model directory {str(path)!r}"
        raise InputError(msg)
    if not (directory / "config.json").is_file():
        msg = f"{str(path)!r} is no model directory: it has no config.json"
        raise InputError(msg)
    return directory


def fetch(repo: str, revision: str | None = None, *, weights: bool = True, endpoint: str | None = None) -> Path:
    """Download a model into the hub's cache, or find it there.

    Never fetches code; pickled weights only where there are no safetensors.

    Args:
        repo: Hub id.
        revision: Branch, tag or commit; None = the default branch.
        weights: Whether weights are wanted, or only config and tokenizer.
        endpoint: Address of another hub; None = what `HF_ENDPOINT` says, else the public one.

    Returns:
        The snapshot's directory.

    Raises:
        InputError: The hub has no such model or revision.
        ModelError: The hub cannot be reached (`code="hub_unreachable"`, retryable) or refuses.
    """
    directory = _snapshot(repo, revision, _TEXT_FILES + (_SAFE if weights else []), endpoint)
    if weights and not list(directory.glob("*.safetensors")):
        directory = _snapshot(repo, revision, _TEXT_FILES + _PICKLED, endpoint)
    if weights:
        weight_files(directory)
    return directory


def local_or_fetched(model: str | Path) -> Path:
    """A directory that is there, or else config and tokenizer of a hub id.

    Raises:
        InputError: It is neither.
        ModelError: The hub cannot be reached.
    """
    if isinstance(model, Path) or Path(model).expanduser().is_dir() or not is_hub_id(model):
        return local_directory(model)
    return fetch(model, weights=False)


def commit_of(directory: Path) -> str | None:
    """The commit that a directory of the hub's cache holds; None for any other directory."""
    return directory.name if _COMMIT.fullmatch(directory.name) and directory.parent.name == "snapshots" else None


def _status(error: BaseException | None) -> int | None:
    """HTTP status of an error or of what caused it; None when no server answered."""
    while error is not None:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if isinstance(status, int):
            return status
        error = error.__cause__ or error.__context__
    return None


def _snapshot(repo: str, revision: str | None, patterns: list[str], endpoint: str | None) -> Path:
    hub = require("huggingface_hub", extra="hf")
    errors = require("huggingface_hub.errors", extra="hf")
    at = f" at revision {revision!r}" if revision else ""
    try:
        return Path(hub.snapshot_download(repo, revision=revision, allow_patterns=patterns, endpoint=endpoint))
    except errors.GatedRepoError as error:
        msg = f"the model {repo!r} is gated: accept its terms on the hub, then log in (`hf auth login`)"
        raise ModelError(msg, code="gated_model") from error
    except errors.RepositoryNotFoundError as error:
        msg = f"the hub has no model {repo!r} (or it is private and you are not logged in): check the spelling"
        raise InputError(msg) from error
    except errors.RevisionNotFoundError as error:
        msg = f"the model {repo!r} has no revision {revision!r}"
        raise InputError(msg) from error
    except errors.HFValidationError as error:
        msg = f"{repo!r} is no hub id: it must have the form owner/name"
        raise InputError(msg) from error
    except (OSError, errors.HfHubHTTPError, errors.HTTPError) as error:
        status = _status(error)
        if status is not None and status < 500 and status != 429:
            msg = f"the hub refused to hand out {repo!r}{at} (HTTP {status})"
            raise ModelError(msg, code="hub_refused") from error
        msg = (
            f"the model hub cannot be reached and {repo!r}{at} is not in its cache: "
            'connect once, or download it elsewhere and pass path="DIRECTORY"; verifier="bundled" needs no hub'
        )
        raise ModelError(msg, code="hub_unreachable", retryable=True) from error
