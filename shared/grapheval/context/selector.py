"""The evidence selector: for each claim, the few windows that can decide it, within a token budget per answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grapheval.context.index import build_index, claim_terms
from grapheval.context.runs import ClaimSearch, Run
from grapheval.context.whole import whole_context
from grapheval.context.windows import cut_windows
from grapheval.protocols import Passage, Selected, VerifierInfo, Window
from grapheval.types import Claim, Source, Span

_SPECIAL_TOKENS = 4
"""Room for [CLS], two [SEP] and the full stop that a verifier may add."""

_COVERED = 0.95
"""From this share of the claim's words on, by weight, a window decides alone, as far as its source goes: a second
chance to find support for what stands there nearly word for word makes more wrong claims pass than right ones."""
_MAY_CONTRADICT = 0.6
"""Least share in a window of another source that could contradict such a claim."""

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class _Plan:
    """One window of one claim before its tokens are counted: one run, or two that are joined."""

    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        return "\n".join(run.text for run in self.runs)

    @property
    def tokens(self) -> int:
        return sum(run.tokens for run in self.runs)


@dataclass(frozen=True, slots=True)
class HybridSelector:
    """Words, names and numbers decide which windows are read.

    Every claim gets its best window. What is left of the answer's token budget goes to further windows, first to the
    claims whose words the first window holds least of; where it holds nearly all of them, only other sources are read
    that could contradict it. Two short passages are joined into one window where a claim's words are split between
    them.

    For a verifier without `window_tokens` each claim gets one window: the context from its beginning, as far as the
    verifier's input allows; what is not read is counted as `unread_chars`.

    Args:
        tokens_per_claim: Premise tokens that an answer may spend, per claim.
        tokens_per_answer: What any answer may spend, however few its claims.
        max_windows: Most windows of one claim.
        fill: Share of the window size up to which a window is filled with the neighbours of what it is kept for.
        join: Whether passages are joined.
    """

    tokens_per_claim: int = 90
    tokens_per_answer: int = 400
    max_windows: int = 4
    fill: float = 0.4
    join: bool = True

    @property
    def info(self) -> str:
        """Name and settings, for provenance."""
        return (
            f"hybrid(tokens_per_claim={self.tokens_per_claim}, tokens_per_answer={self.tokens_per_answer}, "
            f"max_windows={self.max_windows}, fill={self.fill:g}, join={self.join})"
        )

    def select(
        self, claims: Sequence[Claim], sources: Sequence[Source], count_tokens: CountTokens, verifier: VerifierInfo
    ) -> Selected:
        """Cut the sources into windows and keep, for each claim, those that can decide it.

        Args:
            claims: The claims of one answer.
            sources: The context.
            count_tokens: The verifier's own counting.
            verifier: Its window size and limits.

        Returns:
            The windows of each claim, best first, at least one wherever the context holds any text; `counts` has
            `windows` (in the whole context), `kept` (different ones that are read), `joined`, `context_chars` and
            `unread_chars`.
        """
        if verifier.window_tokens is None:
            return whole_context(claims, sources, count_tokens, verifier)
        limit = verifier.window_tokens
        terms = [claim_terms(claim.text) for claim in claims]
        index = build_index(sources, {key for each in terms for key in each}, limit)
        counts = {
            "windows": len(cut_windows(index.units, limit)),
            "kept": 0,
            "joined": 0,
            "context_chars": sum(len(source.text) for source in sources),
            "unread_chars": 0,
        }
        if not len(index.units):
            return Selected(tuple(() for _ in claims), counts)
        fill = int(self.fill * limit)
        searches = [ClaimSearch(index, sources, each, limit, fill) for each in terms]
        plans = self._spend([self._plans(search, limit) for search in searches], searches)
        texts = [claim.text for claim in claims]
        rooms = _rooms(texts, count_tokens, verifier)
        made = _Maker(sources, count_tokens, index.units.start, index.units.end, index.units.source)
        windows = made.windows(plans, rooms)
        distinct = {window.text: window for each in windows for window in each}
        counts["kept"] = len(distinct)
        counts["joined"] = sum(len(window.passages) > 1 for window in distinct.values())
        return Selected(windows, counts)

    def _plans(self, search: ClaimSearch, limit: int) -> list[_Plan]:
        """Up to `max_windows` windows for one claim, in the order in which they are worth reading."""
        runs = search.best_runs()
        if not runs:
            return [_Plan((search.leading_run(),))]
        first, rest = runs[0], _unlike(runs[0], runs[1:])
        if search.coverage(first.mask) >= _COVERED:
            rest = [
                run for run in rest if not search.same_source(first, run) and search.share(run.mask) >= _MAY_CONTRADICT
            ]
        plans = [_Plan((first,))]
        if self.join:
            joined = _joined(search, first, rest, limit)
            if joined:
                plans.append(joined)
        covered = first.mask
        while rest and len(plans) < self.max_windows:
            best = max(rest, key=lambda run: (run.score + search.weight(run.mask & ~covered), run.text))
            plans.append(_Plan((best,)))
            covered |= best.mask
            rest = _unlike(best, rest)
        return plans

    def _spend(self, plans: list[list[_Plan]], searches: list[ClaimSearch]) -> list[list[_Plan]]:
        """Keep what the answer's budget allows: all first windows, then the others by need."""
        budget = max(self.tokens_per_answer, self.tokens_per_claim * len(plans))
        spent = sum(each[0].tokens for each in plans)
        kept = [[each[0]] for each in plans]
        needs = [1.0 - search.coverage(each[0].runs[0].mask) for search, each in zip(searches, plans, strict=True)]
        for rank in range(1, self.max_windows):
            for number in sorted(range(len(plans)), key=lambda n: -needs[n]):
                if rank < len(plans[number]):
                    plan = plans[number][rank]
                    if spent + plan.tokens <= budget:
                        kept[number].append(plan)
                        spent += plan.tokens
        return kept


@dataclass(frozen=True, slots=True)
class AllWindowsSelector:
    """Every window for every claim: slow, the yardstick that a selection is measured against."""

    @property
    def info(self) -> str:
        """Name, for provenance."""
        return "all-windows"

    def select(
        self, claims: Sequence[Claim], sources: Sequence[Source], count_tokens: CountTokens, verifier: VerifierInfo
    ) -> Selected:
        """As `HybridSelector.select`."""
        if verifier.window_tokens is None:
            return whole_context(claims, sources, count_tokens, verifier)
        units = build_index(sources, (), verifier.window_tokens).units
        runs = [
            Run(first, last, 0.0, 0, units.text(sources, first, last), sum(units.tokens[first : last + 1]))
            for first, last in cut_windows(units, verifier.window_tokens)
        ]
        plans = [[_Plan((run,)) for run in sorted(runs, key=lambda run: run.text)]] * len(claims)
        rooms = _rooms([claim.text for claim in claims], count_tokens, verifier)
        windows = _Maker(sources, count_tokens, units.start, units.end, units.source).windows(plans, rooms)
        counts = {"windows": len(runs), "kept": len(runs), "joined": 0, "unread_chars": 0}
        counts["context_chars"] = sum(len(source.text) for source in sources)
        return Selected(windows, counts)


def _unlike(run: Run, others: list[Run]) -> list[Run]:
    """The runs that hold another text than `run`."""
    return [other for other in others if other.text != run.text and not other.overlaps(run)]


def _joined(search: ClaimSearch, first: Run, rest: list[Run], limit: int) -> _Plan | None:
    """The best run joined with the one that adds most, if neither alone covers the claim and both together do."""
    alone = search.coverage(first.mask)
    partner = max(rest, key=lambda run: (search.weight(run.mask & ~first.mask), run.score, run.text), default=None)
    if partner is None or alone > 0.75:
        return None
    if search.coverage(first.mask | partner.mask) < max(alone + 0.25, 0.7):
        return None
    if first.tokens + partner.tokens > 1.5 * limit:
        return None
    if search.same_source(first, partner) and partner.first < first.first:
        return _Plan((partner, first))
    return _Plan((first, partner))  # passages of different sources: the stronger one first, whatever the order


def _rooms(claims: Sequence[str], count_tokens: CountTokens, verifier: VerifierInfo) -> list[int]:
    """The tokens that each claim leaves for its premise; 0 where there is no limit."""
    if verifier.max_tokens is None or not claims:
        return [0] * len(claims)
    least = max(8, verifier.max_tokens // 8)  # a claim that leaves less is too long, which the verifier will say
    return [max(least, verifier.max_tokens - _SPECIAL_TOKENS - count) for count in count_tokens(claims)]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Turns plans into windows with exact token counts, splitting what does not fit the verifier's input."""

    sources: Sequence[Source]
    count_tokens: CountTokens
    start: Sequence[int]
    end: Sequence[int]
    source: Sequence[int]

    def windows(self, plans: Sequence[Sequence[_Plan]], rooms: Sequence[int]) -> tuple[tuple[Window, ...], ...]:
        """The windows of each claim, in the plans' order."""
        lengths: dict[str, int] = {plan.text: 0 for each in plans for plan in each}
        texts = list(lengths)
        for begin in range(0, len(texts), 256):
            part = texts[begin : begin + 256]
            lengths.update(zip(part, self.count_tokens(part), strict=True))
        return tuple(
            tuple(
                window
                for plan in each
                for window in self._fit(plan.text, self._passages(plan), lengths[plan.text], room)
            )
            for each, room in zip(plans, rooms, strict=True)
        )

    def _passages(self, plan: _Plan) -> tuple[Passage, ...]:
        return tuple(
            Passage(self.sources[self.source[run.first]].id, Span(self.start[run.first], self.end[run.last]))
            for run in plan.runs
        )

    def _fit(self, text: str, passages: tuple[Passage, ...], tokens: int, room: int) -> list[Window]:
        """The window, or, where it is longer than the verifier's input, its halves, and theirs."""
        if not room or tokens <= room:
            return [Window(text, passages, tokens)]
        if len(passages) > 1:
            halves = [(passage,) for passage in passages]
        else:
            span = passages[0].span
            middle = (span.start + span.end) // 2
            if span.end - span.start < 2:
                return [Window(text, passages, tokens)]
            space = text.rfind(" ", 0, middle - span.start)
            if space > 0:
                middle = span.start + space
            source_id = passages[0].source_id
            halves = [
                (Passage(source_id, Span(span.start, middle)),),
                (Passage(source_id, Span(middle, span.end)),),
            ]
        by_id = {source.id: source for source in self.sources}
        made = []
        for half in halves:
            part = half[0].span.of(by_id[half[0].source_id].text)
            if part.strip():
                made.extend(self._fit(part, half, self.count_tokens([part])[0], room))
        return made
