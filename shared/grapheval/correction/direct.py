"""The direct prompt, the baseline of arXiv 2407.10793: one call with context and answer, "correct it"."""

from __future__ import annotations

from grapheval.correction.by_llm import LLMCorrector
from grapheval.correction.edits import Change, diff
from grapheval.correction.loop import Ask, Asks, Work
from grapheval.correction.replies import implausible, text_in, with_margins
from grapheval.correction.sources import Excerpt, excerpt, whole_context
from grapheval.errors import GraphEvalError
from grapheval.types import Claim, Evidence, Verdict


class DirectPrompt(LLMCorrector):
    """Has an LLM rewrite the whole answer; nothing confines what it changes. Settings: see `LLMCorrector`."""

    method = "direct"
    prompt_names = ("direct",)

    def propose(self, work: Work) -> Asks:
        """One call; each difference is booked on the flagged claim that is nearest to it."""
        prompt, text = self.prompts["direct"], work.draft.text
        context = self._context(work)
        try:
            completion = yield Ask(prompt.render(context=context.text, answer=text.strip()))
        except GraphEvalError as error:
            for verdict in work.flagged:
                work.fail_by(verdict.claim, error)
            return
        reply = text_in(completion.text, "text", prompt)
        if reply is None or completion.stop == "length":
            wrong: str | None = "the reply broke off"
        else:
            wrong = implausible(text, reply)
        changes = [] if wrong or reply is None else diff(text, with_margins(text, reply))
        if not changes:
            for verdict in work.flagged:
                work.fail(verdict.claim, wrong or "the reply left the answer as it is")
        for change in reversed(changes):
            verdict = _nearest(change, work.flagged)
            work.edit([change], verdict.claim, context.passages or verdict.evidence)

    def _context(self, work: Work) -> Excerpt:
        """The context whole if it fits, otherwise the passages of all flagged claims within the limit."""
        sources = work.sample.sources
        fits = whole_context(sources, self.context_tokens)
        if fits is not None:
            return fits
        share = self.context_tokens // len(work.flagged)
        found: dict[Evidence, None] = {}
        for verdict in work.flagged:
            found |= dict.fromkeys(excerpt(verdict, sources, share).passages)
        order = {source.id: number for number, source in enumerate(sources)}
        passages = tuple(sorted(found, key=lambda item: (order[item.source_id], item.start)))
        return Excerpt("\n[…]\n".join(item.text for item in passages), False, passages)


def _nearest(change: Change, verdicts: tuple[Verdict, ...]) -> Verdict:
    def gap(claim: Claim) -> int:
        if claim.span is None:
            return 10**9
        return max(claim.span.start - change.end, change.start - claim.span.end, 0)

    return min(verdicts, key=lambda verdict: gap(verdict.claim))
