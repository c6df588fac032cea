"""Where a report's figures come from: a run folder, or an export of any agent's episodes."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.exported import read_entries
from releaseops_mcp.evaluation.folder import LOG, RESULTS, read_manifest, read_summaries
from releaseops_mcp.evaluation.journal import read_journal
from releaseops_mcp.evaluation.manifest import Manifest
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
        return Source(path.resolve().name, summaries, lambda: read_journal(path / RESULTS), path / LOG, manifest)
    entries = _reader(path)
    return Source(path.name, summaries_of(entries()), entries, path, None)


def summaries_of(entries: Iterator[Entry]) -> list[Summary]:
    """Count episodes of any suites as they come by; yardsticks are added where the suite is installed here."""
    families: dict[str, Tables] = {}
    kinds: dict[str, Tables] = {}
    scenarios: dict[str, dict[str, None]] = {}
    lost: dict[str, list[NotCounted]] = {}
    for entry in entries:
        suite = entry.played.suite
        if suite not in families:
            degenerate = [each.name for each in supervisors_for(suite) if each.degenerate]
            families[suite], kinds[suite] = Tables(suite, degenerate), Tables(suite, degenerate, kind_of)
        families[suite].add_entry(entry)
        kinds[suite].add_entry(entry)
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
        )
        for suite, tables in families.items()
    ]


def _reader(path: Path) -> Callable[[], Iterator[Entry]]:
    return lambda: read_entries(path)
