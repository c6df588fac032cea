"""Where a report's figures come from: a run folder, or an export of any agent's episodes."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.breakdown import Breakdown
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.exported import read_entries
from releaseops_mcp.evaluation.folder import LOG, RESULTS, read_manifest, read_summaries
from releaseops_mcp.evaluation.journal import read_journal
from releaseops_mcp.evaluation.manifest import Manifest
from releaseops_mcp.evaluation.measures import measures_of
from releaseops_mcp.evaluation.summary import NotCounted, Summary, summarise
from releaseops_mcp.evaluation.tables import Tables, kind_of
from releaseops_mcp.evaluation.yardsticks import yardsticks


class Source(NamedTuple):
    """One run, whoever played it."""

    name: str
    summaries: Sequence[Summary]
    """Suite by suite."""
    entries: Callable[[], Iterator[Entry]]
    """Reads the episodes, as often as it is called."""
    log: Path
    """Export that holds the episodes."""
    manifest: Manifest | None
    """None where the episodes are not of a run folder."""


def source_of(path: Path) -> Source:
    """Return what a run folder, or an export in JSON lines, says; raises InvalidArgument and the errors of a log."""
    if not path.exists():
        raise InvalidArgument(f"{path} does not exist: name a run folder, or an export in JSON lines")
    if path.is_dir():
        manifest, summaries = read_manifest(path), read_summaries(path)
        if not summaries:
            raise InvalidArgument(f"the run in {path} is not finished: give `releaseops eval` the same --out again")
        summaries = _broken_down(summaries, path / LOG)
        return Source(path.resolve().name, summaries, lambda: read_journal(path / RESULTS), path / LOG, manifest)
    entries = _reader(path)
    return Source(path.name, summaries_of(entries()), entries, path, None)


def summaries_of(entries: Iterator[Entry]) -> list[Summary]:
    """Count episodes of any suites as they come by; yardsticks are added where the suite is installed here."""
    families: dict[str, Tables] = {}
    kinds: dict[str, Tables] = {}
    breakdowns: dict[str, Breakdown] = {}
    scenarios: dict[str, dict[str, None]] = {}
    lost: dict[str, list[NotCounted]] = {}
    for entry in entries:
        suite = entry.played.suite
        if suite not in families:
            degenerate = _degenerate(suite)
            families[suite], kinds[suite] = Tables(suite, degenerate), Tables(suite, degenerate, kind_of)
            breakdowns[suite] = Breakdown(degenerate)
        families[suite].add_entry(entry)
        kinds[suite].add_entry(entry)
        breakdowns[suite].add_entry(entry)
        scenarios.setdefault(suite, {})[entry.played.scenario] = None
        why = NotCounted.of(entry.played)
        if why is not None:
            lost.setdefault(suite, []).append(why)
    return [
        summarise(
            tables,
            kinds[suite],
            sticks=yardsticks(suite, scenarios[suite], without=tables.agents()),
            not_counted=lost.get(suite, ()),
            breakdown=breakdowns[suite].lines(),
        )
        for suite, tables in families.items()
    ]


def _broken_down(summaries: Sequence[Summary], log: Path) -> Sequence[Summary]:
    """Return summaries with the breakdown that their suite has by now, read off the run's log where they have none."""
    without = [each.suite for each in summaries if not each.breakdown and measures_of(each.suite).slices is not None]
    if not without or not log.exists():
        return summaries
    found = {suite: Breakdown(_degenerate(suite)) for suite in without}
    for entry in read_entries(log):
        if entry.played.suite in found:
            found[entry.played.suite].add_entry(entry)
    return [
        each.model_copy(update={"breakdown": list(found[each.suite].lines())}) if each.suite in found else each
        for each in summaries
    ]


def _degenerate(suite: str) -> list[str]:
    return [each.name for each in supervisors_for(suite) if each.degenerate]


def _reader(path: Path) -> Callable[[], Iterator[Entry]]:
    return lambda: read_entries(path)
