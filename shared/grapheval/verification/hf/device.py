"""Where a model runs, in which precision, and what an error of memory looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grapheval.errors import InputError
from grapheval.extras import require

if TYPE_CHECKING:
    import torch

DTYPES = ("float32", "bfloat16", "float16")


def pick_device(device: str | None = None) -> torch.device:
    """The device to run on: the named one, else the accelerator, else the CPU.

    Raises:
        InputError: There is no such device.
    """
    lib = require("torch", extra="hf")
    if device is None:
        accelerator = lib.accelerator.current_accelerator() if lib.accelerator.is_available() else None
        device = "cpu" if accelerator is None else accelerator.type
    chosen: torch.device
    try:
        chosen = lib.device(device)
        lib.empty(0, device=chosen)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        msg = f"device {device!r} cannot be used: {str(error).splitlines()[0]}"
        raise InputError(msg) from error
    if chosen.type == "meta":
        msg = "device 'meta' holds no numbers"
        raise InputError(msg)
    return chosen


def pick_dtype(device: torch.device, dtype: str | None = None) -> torch.dtype:
    """The precision: the named one, else bfloat16 where the processor computes in it, else float32.

    Never float16 on its own: T5's activations overflow it.

    Raises:
        InputError: The name is none of `DTYPES`.
    """
    lib = require("torch", extra="hf")
    if dtype is not None:
        name = dtype.removeprefix("torch.")
        if name not in DTYPES:
            msg = f"dtype must be one of {', '.join(DTYPES)}, not {dtype!r}"
            raise InputError(msg)
        return _dtype(name)
    if device.type == "cuda":
        native = lib.cuda.is_bf16_supported(including_emulation=False)
    elif device.type == "cpu":
        able = lib.cpu.get_capabilities() if hasattr(lib.cpu, "get_capabilities") else {}
        native = bool(able.get("amx_bf16") or able.get("avx512_bf16"))
    else:
        native = False
    return _dtype("bfloat16" if native else "float32")


def _dtype(name: str) -> torch.dtype:
    found: torch.dtype = getattr(require("torch", extra="hf"), name)
    return found


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error says that memory ran out, on a GPU or on the CPU."""
    if isinstance(error, MemoryError):
        return True
    lib = require("torch", extra="hf")
    if isinstance(error, lib.OutOfMemoryError):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text)


def release(device: Any) -> None:
    """Give cached memory of the accelerator back."""
    if device.type == "cuda":
        require("torch", extra="hf").cuda.empty_cache()
