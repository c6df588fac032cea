"""Exports a log as JSON lines, chain and all: what `reading` reads back."""

from collections.abc import Callable, Iterator
from pathlib import Path

from releaseops_mcp.log.chain import check
from releaseops_mcp.log.lines import Promise, event_line, manifest_line, truth_line
from releaseops_mcp.log.rows import EpisodeFilter
from releaseops_mcp.log.store import Store

Progress = Callable[[int, int], object]
"""Told how many episodes are done, and of how many."""


def export_lines(
    store: Store,
    chosen: EpisodeFilter | None = None,
    *,
    with_truth: bool = False,
    progress: Progress = lambda done, total: None,
) -> Iterator[str]:
    """Yield the lines of an export, without line ends, an episode at a time.

    `with_truth` adds what a scorer needs: never give such a file to an agent. Raises ChainBroken and SchemaTooNew
    where the log is not in order: a broken chain is not passed on.
    """
    promises: list[Promise] = []
    total = store.count(chosen)
    for done, found in enumerate(store.stream(chosen), 1):
        row, links = store.chain(found.number)
        for _ in check(row.id, links, count=row.count, head=row.head):
            """Broken chains are not exported."""
        if with_truth:
            yield truth_line(row.world_hash, store.truth(row.world_hash))
        yield from map(event_line, links)
        promises.append(Promise(row.id, row.count, row.head))
        progress(done, max(done, total))
    yield manifest_line(promises)


def write_export(
    store: Store,
    path: Path,
    chosen: EpisodeFilter | None = None,
    *,
    with_truth: bool = False,
    progress: Progress = lambda done, total: None,
) -> int:
    """Write an export to a file and return how many episodes it holds.

    The file gets its name when it is complete, so that one which was cut short is never taken for whole.
    """
    unfinished = path.with_name(f"{path.name}.unfinished")
    episodes = 0

    def count(done: int, total: int) -> None:
        nonlocal episodes
        episodes = done
        progress(done, total)

    with unfinished.open("w", encoding="ascii", newline="\n") as file:
        for line in export_lines(store, chosen, with_truth=with_truth, progress=count):
            file.write(f"{line}\n")
    unfinished.replace(path)
    return episodes
