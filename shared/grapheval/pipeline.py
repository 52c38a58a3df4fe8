"""`GraphEval`: the pipeline that people call. The logic of an evaluation stands in `grapheval.plan`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any, Literal

from grapheval.drive import Driver
from grapheval.errors import InputError
from grapheval.llm.deadline import answer_deadline, within
from grapheval.offload import compute_bound
from grapheval.plan import Plan, Stages, evaluation_plan
from grapheval.protocols import (
    LLM,
    Aggregator,
    Corrector,
    EvidenceSelector,
    Extractor,
    Folder,
    SupportsAsyncCorrect,
    SupportsPrompts,
    Verifier,
)
from grapheval.types import Correction, Evaluation, Failure, Provenance, Sample

if TYPE_CHECKING:
    import os

    from grapheval.calibration.maps import ProbabilityMap
    from grapheval.calibration.settings import Settings
    from grapheval.llm.limits import Limits
    from grapheval.many import Timed
    from grapheval.types.sample import ContextLike
    from grapheval.verification.dynamic import DynamicBatcher

MAX_ANSWER_CHARS = 100_000
"""Answers longer than this are refused: at about 7 tokens a claim word they would take minutes, not milliseconds."""


class GraphEval:
    """Detects ungrounded claims in an answer and repairs them.

    One instance can be shared by threads. Nothing is loaded before the first call.

    Args:
        extractor: Answer -> claims; None = the local extractor.
        verifier: NLI model: an object, or a name of `grapheval.verification.registry`; None = the bundled model.
        selector: Contexts -> evidence windows; None = the hybrid selector.
        folder: The rules across passages; None = the documented evidence rules.
        aggregator: Verdicts -> `p_inconsistent`; None = the highest `p_ungrounded`.
        corrector: Repairs flagged claims; None = `correct` is not available.
        threshold: In (0, 1): an answer is inconsistent when `p_inconsistent` is above it.
        prompts: Replacements for packaged prompts by name, handed to the stages that the pipeline itself builds.
        max_answer_chars: Longer answers are refused with `InputError`.
        calibration: Maps every `p_ungrounded` before the threshold is applied; None = it stays as it is. Comes from
            labelled answers: see `grapheval.calibration` and `GraphEval.calibrated`.
        answer_timeout: Seconds that an answer may take, all calls for it and its repair together; then `ModelError`
            with the code `timeout`, or the part that was judged. Calls to language models are given up at that
            moment; computing here ends with its stage. None = no limit.

    Raises:
        InputError: The threshold lies outside (0, 1), or a verifier name is unknown.
    """

    def __init__(
        self,
        extractor: Extractor | None = None,
        verifier: Verifier | str | None = None,
        selector: EvidenceSelector | None = None,
        aggregator: Aggregator | None = None,
        corrector: Corrector | None = None,
        threshold: float = 0.5,
        prompts: Mapping[str, str] | None = None,
        *,
        folder: Folder | None = None,
        max_answer_chars: int = MAX_ANSWER_CHARS,
        calibration: ProbabilityMap | None = None,
        answer_timeout: float | None = None,
    ) -> None:
        checked_threshold(threshold)
        if answer_timeout is not None and not answer_timeout > 0:
            msg = f"answer_timeout must be a positive number of seconds, not {answer_timeout}"
            raise InputError(msg)
        from grapheval import defaults
        from grapheval.correction.policy import on_scale

        self.extractor: Extractor = extractor if extractor is not None else defaults.extractor()
        self.verifier: Verifier = defaults.verifier(verifier)
        self.selector: EvidenceSelector = selector if selector is not None else defaults.selector()
        self.folder: Folder = folder if folder is not None else defaults.folder(self.verifier)
        self.aggregator: Aggregator = aggregator if aggregator is not None else defaults.aggregator()
        self.corrector = on_scale(corrector, calibration)
        self.threshold = threshold
        self.prompts = dict(prompts or {})
        self.max_answer_chars = max_answer_chars
        self.calibration = calibration
        self.answer_timeout = answer_timeout
        self._batcher: DynamicBatcher | None = None
        self._shared_batcher()  # now, so that copies of the pipeline share it

    @classmethod
    def local(cls, *, threshold: float = 0.5, **stages: Any) -> GraphEval:
        """Everything offline: no key, no network, no torch. Needs the extra `local`.

        Args:
            threshold: See the class.
            **stages: Any of the class's arguments, to replace a stage.
        """
        from grapheval import defaults

        stages["verifier"] = defaults.verifier(stages.get("verifier"))
        stages.setdefault("corrector", defaults.local_corrector(stages["verifier"]))
        return cls(threshold=threshold, **stages)

    @classmethod
    def from_llm(
        cls,
        llm: LLM | Any,
        *,
        verifier: Verifier | str = "bundled",
        protocol: Literal["ours", "paper"] = "ours",
        threshold: float = 0.5,
        prompts: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        **stages: Any,
    ) -> GraphEval:
        """An LLM extracts the triples and repairs the flagged ones; an NLI model verifies.

        Args:
            llm: A callable, a LangChain or LlamaIndex model, a `PROVIDER:MODEL` string, or any `LLM`.
            verifier: Name or object; `"hhem-1"` is the paper's small one.
            protocol: `"paper"`: each triple against the whole context, any triple above the threshold, no sentence
                claims. `"ours"`: windows, evidence rules, sentence claims for what no triple covers.
            threshold: See the class.
            prompts: Replacements for packaged prompts by name.
            limits: Timeouts, retries, rate, concurrency and budget of the LLM's calls, over all stages; for a judge
                that shares them, make a `grapheval.llm.LimitedLLM` and pass it to both.
            **stages: Any other of the class's arguments, to replace a stage.
        """
        from grapheval import defaults
        from grapheval.llm.limits import limited

        llm = limited(llm, limits)
        made = defaults.llm_stages(llm, verifier=verifier, protocol=protocol, prompts=prompts)
        pipeline = cls(threshold=threshold, prompts=prompts, **(made | stages))
        if protocol == "ours":
            return pipeline
        from grapheval.paper import as_paper

        return as_paper(pipeline)

    @classmethod
    def calibrated(
        cls,
        settings: Settings | Mapping[str, Any] | str | os.PathLike[str],
        pipeline: GraphEval | None = None,
        **stages: Any,
    ) -> GraphEval:
        """A pipeline with the threshold and the probability map that were fitted to labelled answers.

        Args:
            settings: What `grapheval calibrate` or `grapheval.calibration.calibrate` made: a path, its plain form, or
                the object.
            pipeline: Calibrated as a copy that shares its stages; None = the pipeline that the settings describe.
            **stages: Without `pipeline`: arguments of `local`, or with `llm` those of `from_llm`, to replace a stage.

        Raises:
            InputError: The settings cannot be read, or were fitted for another verifier.
        """
        from grapheval.calibration.settings import as_settings, build

        found = as_settings(settings)
        if pipeline is None:
            return build(found, stages)
        if stages:
            msg = "pass either a pipeline or its stages"
            raise InputError(msg)
        return found.apply_to(pipeline)

    # ------------------------------------------------------------------------------------------------ evaluation

    def evaluate(self, answer: Sample | str, context: ContextLike = None, question: str | None = None) -> Evaluation:
        """Judge one answer.

        Args:
            answer: A `Sample`, or the answer's text.
            context: A string, a `Source`, a document, or a sequence of these; not with a `Sample`.
            question: What was asked; not with a `Sample`.

        Raises:
            InputError: The input cannot be used.
            ExtractionError: The extractor's reply could not be read.
            ModelError: A model or service failed.
        """
        sample = as_sample(answer, context, question)
        with answer_deadline(self.answer_timeout):
            return self._driver().run(self._plan(sample))

    async def aevaluate(
        self, answer: Sample | str, context: ContextLike = None, question: str | None = None
    ) -> Evaluation:
        """As `evaluate`, without blocking the event loop.

        A bundled or other local verifier judges the pairs of all calls under way together, in a thread of its own.
        """
        plan = self._plan(as_sample(answer, context, question))
        return await within(self.answer_timeout, self._driver().arun(plan))

    def evaluate_many(
        self, samples: Iterable[Sample], *, workers: int = 1, progress: Callable[[int], None] | None = None
    ) -> list[Evaluation | Failure]:
        """Judge many answers, batching across them; the claims of the next are extracted while these are verified.

        Args:
            samples: Any iterable, taken on the caller's thread a bounded number ahead of the results.
            workers: Threads that extract; more than one helps extractors that wait for a server (an LLM).
            progress: Called after each result with the number of results so far, on the caller's thread.

        Returns:
            One result per sample, in input order. A sample that raised is a `Failure`; the others are not touched.
        """
        results: list[Evaluation | Failure] = []
        for result in self.evaluate_iter(samples, workers=workers):
            results.append(result)
            if progress is not None:
                progress(len(results))
        return results

    def evaluate_iter(self, samples: Iterable[Sample], *, workers: int = 1) -> Iterator[Evaluation | Failure]:
        """As `evaluate_many`, one result at a time: memory stays bounded, however many the samples are.

        Yields:
            One result per sample, in input order, as soon as it and those before it are done.

        Raises:
            Exception: Whatever `samples` raised, after the results of what came before it.
        """
        with closing(self.evaluate_timed(samples, workers=workers)) as results:
            for timed in results:
                yield timed.result

    def evaluate_timed(self, items: Iterable[Sample | Failure], *, workers: int = 1) -> Generator[Timed, None, None]:
        """As `evaluate_iter`, with the seconds that each answer took; a `Failure` in the input is its own result."""
        from grapheval.many import stream

        return stream(items, self._stages(), self._driver(), workers=workers)

    async def aevaluate_many(
        self, samples: Iterable[Sample], *, concurrency: int = 8, progress: Callable[[int], None] | None = None
    ) -> list[Evaluation | Failure]:
        """As `evaluate_many` without blocking the event loop, with up to `concurrency` answers under way at once."""
        results: list[Evaluation | Failure] = []
        async with aclosing(self.aevaluate_iter(samples, concurrency=concurrency)) as found:
            async for result in found:
                results.append(result)
                if progress is not None:
                    progress(len(results))
        return results

    async def aevaluate_iter(
        self, samples: Iterable[Sample], *, concurrency: int = 8
    ) -> AsyncGenerator[Evaluation | Failure, None]:
        """As `aevaluate_many`, one result at a time: memory stays bounded, however many the samples are.

        Whoever stops early closes the iterator (`aclosing`), which cancels the calls under way.
        """
        from grapheval.many_async import astream

        async with aclosing(astream(samples, self.aevaluate, concurrency=concurrency)) as found:
            async for result in found:
                yield result

    # ------------------------------------------------------------------------------------------------ correction

    def correct(self, answer: Sample | str, context: ContextLike = None, question: str | None = None) -> Correction:
        """Judge an answer, repair what is flagged, judge the result.

        Raises:
            InputError: The input cannot be used, or the pipeline has no corrector.
            ExtractionError: The extractor's reply could not be read.
            ModelError: A model or service failed.
        """
        sample = as_sample(answer, context, question)
        corrector = self._need_corrector()
        with answer_deadline(self.answer_timeout):
            return corrector.correct(sample, self.evaluate(sample), self.evaluate)

    async def acorrect(
        self, answer: Sample | str, context: ContextLike = None, question: str | None = None
    ) -> Correction:
        """As `correct`, without blocking the event loop."""
        corrector = self._need_corrector()
        return await within(self.answer_timeout, self._acorrect(as_sample(answer, context, question), corrector))

    async def _acorrect(self, sample: Sample, corrector: Corrector) -> Correction:
        before = await self.aevaluate(sample)
        if isinstance(corrector, SupportsAsyncCorrect):
            return await corrector.acorrect(sample, before, self.aevaluate)
        return await asyncio.to_thread(corrector.correct, sample, before, self.evaluate)

    def warm_up(self) -> None:
        """Load the models now, not at the first answer: in a server before it takes requests, in a worker's start.

        Raises:
            ModelError: A model is missing or damaged.
            MissingExtraError: Something is not installed.
        """
        self.provenance()
        self.verifier.count_tokens(["ready"])

    def _need_corrector(self) -> Corrector:
        if self.corrector is None:
            msg = "this pipeline has no corrector: pass corrector=..., or build it with GraphEval.from_llm(llm)"
            raise InputError(msg)
        return self.corrector

    # ------------------------------------------------------------------------------------------------- internals

    def _plan(self, sample: Sample) -> Plan:
        """The plan of an answer; what the stages are made of is asked where the plan runs, since it may load them."""
        return (yield from evaluation_plan(sample, self._stages()))

    def _driver(self) -> Driver:
        return Driver(self.extractor, self.selector, self.verifier, self._shared_batcher(), self.answer_timeout)

    def _shared_batcher(self) -> DynamicBatcher | None:
        if not compute_bound(self.verifier):
            return None
        batcher = self._batcher
        if batcher is None or batcher.verifier is not self.verifier:
            from grapheval.verification.dynamic import DynamicBatcher

            self._batcher = batcher = DynamicBatcher(self.verifier)
        return batcher

    def _stages(self) -> Stages:
        return Stages(
            extractor=self.extractor,
            verifier=self.verifier,
            selector=self.selector,
            folder=self.folder,
            aggregator=self.aggregator,
            threshold=self.threshold,
            max_answer_chars=self.max_answer_chars,
            provenance=self.provenance(),
            calibration=self.calibration,
        )

    def provenance(self) -> Provenance:
        """What this pipeline is made of."""
        from grapheval import __version__

        verifier = self.verifier.info
        prompts: dict[str, str] = {}
        for stage in (self.extractor, self.verifier, self.corrector):
            if isinstance(stage, SupportsPrompts):
                prompts |= stage.prompt_hashes
        return Provenance(
            version=__version__,
            extractor=self.extractor.info,
            verifier=f"{verifier.name}@{verifier.version}" if verifier.version else verifier.name,
            selector=self.selector.info,
            aggregator=self.aggregator.info
            if self.calibration is None
            else f"{self.aggregator.info} of {self.calibration.info}",
            threshold=self.threshold,
            prompts=prompts,
        )


def checked_threshold(threshold: float) -> float:
    """The threshold itself.

    Raises:
        InputError: It lies outside (0, 1).
    """
    if not 0 < threshold < 1:
        msg = f"threshold must lie between 0 and 1, not at {threshold}"
        raise InputError(msg)
    return threshold


def as_sample(answer: Sample | str, context: ContextLike, question: str | None) -> Sample:
    """The sample that `evaluate`'s arguments mean.

    Raises:
        InputError: A `Sample` came with a context or question of its own beside it, or the input cannot be used.
    """
    if isinstance(answer, Sample):
        if context is not None or question is not None:
            msg = "a Sample already holds its contexts and question: do not pass them beside it"
            raise InputError(msg)
        return answer
    return Sample(answer, context, question)
