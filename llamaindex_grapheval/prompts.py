"""A pipeline's prompts as LlamaIndex knows prompts: to be read with `get_prompts` and replaced with `update_prompts`.

Templates are LlamaIndex's: slots have single braces (`{answer}`), a `RichPromptTemplate` may keep double ones. What is
filled in stays fenced, whatever the template.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate, PromptTemplate, RichPromptTemplate
from llama_index.core.prompts.mixin import PromptDictType, PromptMixin, PromptMixinType

from grapheval import GraphEval, InputError
from grapheval.prompts.templates import Prompt, PromptSet, load_prompt
from grapheval.protocols import SupportsPrompts

_OURS = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_THEIRS = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)\}(?!\})")


def to_template(prompt: Prompt) -> ChatPromptTemplate:
    """A packaged prompt as a chat template of LlamaIndex."""
    messages = [
        ChatMessage(role=MessageRole(role), content=_OURS.sub(lambda slot: "{" + slot[1] + "}", body))
        for role, body in prompt.turns
    ]
    return ChatPromptTemplate(message_templates=messages)


def to_text(template: Any) -> str:
    """A template of LlamaIndex as the text of a prompt file.

    Raises:
        InputError: It is no template, or has functions that fill its slots.
    """
    if isinstance(template, str):
        return _THEIRS.sub(r"{{\1}}", template)
    if not isinstance(template, BasePromptTemplate):
        msg = f"a prompt must be a template of LlamaIndex, not {type(template).__name__}"
        raise InputError(msg)
    if template.function_mappings or template.template_var_mappings or template.kwargs:
        msg = "a prompt cannot have slots that are mapped, computed or filled already"
        raise InputError(msg)
    if isinstance(template, RichPromptTemplate):
        if "{%" in template.template_str:
            msg = "a prompt cannot hold Jinja blocks: write one turn, or use ChatPromptTemplate"
            raise InputError(msg)
        return template.template_str
    if isinstance(template, PromptTemplate):
        return _THEIRS.sub(r"{{\1}}", template.template)
    if isinstance(template, ChatPromptTemplate):
        turns = [(message.role.value, to_text(message.content or "")) for message in template.message_templates]
        return "\n".join(f"--- {role}\n{body}" for role, body in turns)
    msg = f"cannot read {type(template).__name__}: use PromptTemplate, ChatPromptTemplate or RichPromptTemplate"
    raise InputError(msg)


class PipelinePrompts(PromptMixin):
    """The prompts of a pipeline's stages; one without an LLM has none.

    Args:
        pipeline: Never changed: `update_prompts` puts a copy with other prompts in its place.
    """

    def __init__(self, pipeline: GraphEval) -> None:
        self.pipeline = pipeline

    def _stages(self) -> Iterator[tuple[str, Any, list[str]]]:
        for slot in ("extractor", "verifier", "corrector"):
            stage = getattr(self.pipeline, slot)
            if isinstance(stage, SupportsPrompts) and isinstance(getattr(stage, "prompts", None), PromptSet):
                yield slot, stage, sorted(stage.prompt_hashes)

    def _get_prompts(self) -> PromptDictType:
        return {name: to_template(stage.prompts[name]) for _, stage, names in self._stages() for name in names}

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        new = {name: to_text(template) for name, template in prompts.items() if ":" not in name}
        known = {name for _, _, names in self._stages() for name in names}
        unknown = sorted(set(new) - known)
        if unknown:
            has = f"its prompts are {', '.join(sorted(known))}" if known else "it asks no LLM"
            msg = f"this pipeline has no prompt {', '.join(map(repr, unknown))}: {has}"
            raise InputError(msg)
        pipeline = copy.copy(self.pipeline)
        for slot, stage, names in self._stages():
            if not set(new) & set(names):
                continue
            own = {name: _text(stage.prompts[name]) for name in names if stage.prompts[name] != load_prompt(name)}
            changed = copy.copy(stage)
            changed.prompts = PromptSet(own | {name: new[name] for name in names if name in new})
            setattr(pipeline, slot, changed)
        self.pipeline = pipeline


def _text(prompt: Prompt) -> str:
    return "\n".join(f"--- {role}\n{body}" for role, body in prompt.turns)
