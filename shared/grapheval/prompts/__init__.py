"""The prompts: text files in this package, and `grapheval.prompts.templates`, which reads and fills them."""

from grapheval.prompts.templates import Prompt, PromptSet, fence, load_prompt, prompt_names, unfence

__all__ = ["Prompt", "PromptSet", "fence", "load_prompt", "prompt_names", "unfence"]
