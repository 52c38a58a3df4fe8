"""GraphCorrect (arXiv 2407.10793, section 5): two LLM calls per flagged triple, one after the other.

Call A sees the triple and the context, call B the answer and the two triples: context and answer never meet.
"""

from __future__ import annotations

import json
from collections.abc import Generator

from grapheval.correction.by_llm import LLMCorrector
from grapheval.correction.edits import Change, diff
from grapheval.correction.loop import Ask, Asks, Work
from grapheval.correction.replies import implausible, text_in, triple_in, with_margins
from grapheval.correction.sources import Excerpt, excerpt
from grapheval.errors import GraphEvalError
from grapheval.protocols import Completion, Message
from grapheval.types import Evidence, Span, Triple, Verdict


class GraphCorrect(LLMCorrector):
    """Repairs an answer triple by triple.

    A sentence that no triple covers is corrected by one call, from the context, and put in its place. Settings: see
    `LLMCorrector`.
    """

    method = "graphcorrect"
    prompt_names = ("correct_answer", "correct_sentence", "correct_triple", "correct_triple_retry")

    # ---------------------------------------------------------------------------------------------------- the plan

    def propose(self, work: Work) -> Asks:
        """Repair the flagged claims, in the order of the answer."""
        for verdict in work.flagged:
            context = excerpt(verdict, work.sample.sources, self.context_tokens)
            evidence = context.passages or verdict.evidence
            try:
                if verdict.claim.triple is None:
                    yield from self._sentence(work, verdict, context, evidence)
                else:
                    yield from self._triple(work, verdict, verdict.claim.triple, context, evidence)
            except GraphEvalError as error:
                work.fail_by(verdict.claim, error)

    def _triple(
        self, work: Work, verdict: Verdict, old: Triple, context: Excerpt, evidence: tuple[Evidence, ...]
    ) -> Asks:
        claim = verdict.claim
        new = yield from self._corrected(old, context)
        if isinstance(new, str):
            work.fail(claim, new)
            return
        text = work.draft.text
        prompt = self.prompts["correct_answer"]
        completion = yield Ask(prompt.render(old=as_list(old), new=as_list(new), answer=text.strip()))
        reply = text_in(completion.text, "text", prompt)
        if reply is None or completion.stop == "length":
            work.fail(claim, "the reply broke off")
            return
        changes = diff(text, with_margins(text, reply)) if reply.strip() else []
        place = work.sentence_of(claim)
        wrong = _wrong(text, reply, changes, place, str(new))
        if wrong:
            work.fail(claim, wrong)
        else:
            work.edit_within(changes, claim, place, evidence)

    def _corrected(self, old: Triple, context: Excerpt) -> Generator[Ask, Completion, Triple | str]:
        """Call A, and once more if its reply is no triple; a string says why there is no corrected triple."""
        messages: list[Message] = self.prompts["correct_triple"].render(context=context.text, triple=as_list(old))
        found: Triple | str = ""
        for _ in range(2):
            completion = yield Ask(messages)
            found = triple_in(completion.text)
            if isinstance(found, Triple):
                same = as_list(found).casefold() == as_list(old).casefold()
                return "the model finds nothing to correct" if same else found
            if not found:
                return "the context says nothing about it"
            again = self.prompts["correct_triple_retry"].render(problem=found)
            messages = [*messages, Message("assistant", completion.text.strip()[:2000] or "(empty)"), *again]
        return f"the model's reply is no triple: {found}"

    def _sentence(self, work: Work, verdict: Verdict, context: Excerpt, evidence: tuple[Evidence, ...]) -> Asks:
        claim, text = verdict.claim, work.draft.text
        place = work.sentence_of(claim)
        if place is None:
            work.fail(claim, "the claim has no place in the answer")
            return
        old = place.of(text)
        prompt = self.prompts["correct_sentence"]
        completion = yield Ask(prompt.render(context=context.text, sentence=old))
        reply = text_in(completion.text, "sentence", prompt)
        if reply is None or completion.stop == "length":
            work.fail(claim, "the reply broke off")
        elif not reply.strip():
            work.fail(claim, "the context says nothing about it")
        elif (wrong := implausible(old, reply)) is not None:
            work.fail(claim, wrong)
        else:
            changes = diff(old, with_margins(old, reply))
            shifted = [Change(place.start + c.start, place.start + c.end, c.new) for c in changes]
            work.edit_within(shifted, claim, Span(place.start, place.end), evidence)


def as_list(triple: Triple) -> str:
    """A triple as the prompts write it."""
    return json.dumps([triple.subject, triple.relation, triple.object], ensure_ascii=False)


def _wrong(text: str, reply: str, changes: list[Change], place: Span | None, wanted: str) -> str | None:
    """Why call B's reply cannot be the corrected answer."""
    wrong = implausible(text, reply)
    if wrong is not None or place is None:
        return wrong
    from grapheval.correction.edits import apply, confine

    inside, _ = confine(text, changes, place)
    growth = sum(len(c.new) - (c.end - c.start) for c in inside)
    sentence = apply(text, inside)[place.start : place.end + growth]
    return implausible(place.of(text), sentence, wanted) if inside else None
