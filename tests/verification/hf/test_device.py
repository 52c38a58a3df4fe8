import pytest
import torch

from grapheval.errors import InputError
from grapheval.verification.hf.device import is_out_of_memory, pick_device, pick_dtype
from grapheval.verification.registry import load_verifier


def test_a_named_device_is_taken_and_a_missing_one_refused():
    assert pick_device("cpu") == torch.device("cpu")
    expected = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
    assert pick_device().type == expected
    for wrong in ("abacus", "cuda:77", "meta"):
        with pytest.raises(InputError, match="device"):
            pick_device(wrong)


def test_precision_is_the_named_one_and_never_half_on_its_own():
    cpu = torch.device("cpu")
    assert pick_dtype(cpu, "float16") is torch.float16
    assert pick_dtype(cpu, "torch.float32") is torch.float32
    able = torch.cpu.get_capabilities()
    native = able.get("amx_bf16") or able.get("avx512_bf16")
    assert pick_dtype(cpu) is (torch.bfloat16 if native else torch.float32)
    with pytest.raises(InputError, match="dtype must be one of float32, bfloat16, float16"):
        pick_dtype(cpu, "int8")


def test_errors_of_memory_are_recognised():
    assert is_out_of_memory(MemoryError())
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory"))
    assert is_out_of_memory(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
    assert not is_out_of_memory(RuntimeError("shape mismatch"))
    assert not is_out_of_memory(ValueError("out of memory"))


def test_options_that_make_no_sense_are_refused(checkpoint):
    for options, message in [
        ({"batch_tokens": 0}, "batch_tokens must be at least 1"),
        ({"max_tokens": -5}, "max_tokens must be at least 1"),
        ({"device": "auto"}, "name a single device"),
        ({"speed": 3}, "takes no speed; it takes batch_tokens, device"),
    ]:
        with pytest.raises(InputError, match=message):
            load_verifier("hhem", path=checkpoint("hhem"), **options)
