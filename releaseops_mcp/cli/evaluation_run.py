"""Plays one suite's part of an evaluation with a live bar, and finishes a run folder."""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.cli.evaluation_plan import Part
from releaseops_mcp.cli.output import bar, note
from releaseops_mcp.evaluation.engines import Engine
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.folder import LOG, REPORT, RunFolder, write_figures, write_log, write_whole
from releaseops_mcp.evaluation.laws import measure
from releaseops_mcp.evaluation.report import Source, page
from releaseops_mcp.evaluation.runs import Run, plan, run
from releaseops_mcp.evaluation.summary import NotCounted, Summary, summarise
from releaseops_mcp.evaluation.yardsticks import yardsticks
from releaseops_mcp.log.store import Store


class Evaluated(NamedTuple):
    """What came of one suite's part."""

    run: Run
    summary: Summary


class Live:
    """The figures while an evaluation runs."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, int]] = {}

    def said(self, played: Played) -> str:
        """Take in one episode and return its agent with the mean so far."""
        total, count = self._sums.get(played.agent, (0.0, 0))
        if played.reward is not None and not played.truncated:
            total, count = total + played.reward, count + 1
        self._sums[played.agent] = (total, count)
        return f"{played.agent} {total / count:.3f}" if count else f"{played.agent} -"


def evaluate_part(
    arena: Arena, part: Part, engine: Engine, *, repeats: int, folder: RunFolder | None, beside: bool
) -> Evaluated:
    """Play one suite's part, measure the laws and, where `beside` says so, the yardsticks that did not play."""
    total = len(part.supervisors) * len(part.scenarios) * repeats
    kept = folder.journal if folder is not None else None
    before, live = len(kept) if kept is not None else 0, Live()
    began = time.perf_counter()
    with bar(part.suite, total) as move:
        came = run(
            arena,
            part.supervisors,
            part.scenarios,
            progress=lambda played: move(live.said(played)),
            repeats=repeats,
            record=kept,
            engine=engine,
        )
    seconds = time.perf_counter() - began
    again = total - (len(kept) - before) if kept is not None else 0
    speed = f"{again:,} kept from before" if again else f"{came.steps / seconds:,.0f} logged steps/s"
    note(f"{part.suite}: {total:,} episodes, {came.steps:,} steps, {speed}")
    with bar("re-scoring", total) as move:
        laws = measure(arena, came, field=part.field, tick=lambda: move(""))
    sticks = yardsticks(part.suite, part.scenarios, without=[each.name for each in part.supervisors]) if beside else ()
    lost = (why for played in came.not_counted if (why := NotCounted.of(played)) is not None)
    lines = came.breakdown.lines()
    summary = summarise(came.tables, came.kinds, laws=laws, sticks=sticks, not_counted=lost, breakdown=lines)
    return Evaluated(came, summary)


def finish(store: Store, folder: RunFolder, parts: Sequence[Part], evaluated: Sequence[Evaluated]) -> None:
    """Write the figures, the log and the report of a run whose episodes have all ended."""
    summaries = [done.summary for done in evaluated]
    write_figures(folder.path, summaries)
    with bar("writing the log", len(folder.journal)) as move:
        write_log(store, folder.path, _entries(folder, parts), lambda: move(""))
    source = Source(folder.path.name, summaries, lambda: _entries(folder, parts), folder.path / LOG, folder.manifest)
    with bar("writing the report", None):
        write_whole(folder.path / REPORT, page([source]))


def _entries(folder: RunFolder, parts: Sequence[Part]) -> Iterator[Entry]:
    """Yield the run's episodes in the order of the plan."""
    for part in parts:
        for slot in plan(part.supervisors, part.scenarios, folder.manifest.repeats):
            entry = folder.journal.recorded(slot.key)
            assert entry is not None
            yield entry
