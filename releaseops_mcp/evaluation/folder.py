"""The run folder: one evaluation with its manifest, its episodes, its figures, its log and its report.

manifest.json   arguments, versions and hashes; a folder takes one evaluation of one version
results.jsonl   an episode a line, as each ended
results.json    the figures
log.jsonl       the log of these episodes: every event with its chain, and the truth behind the figures
report.html     the page that opens offline
"""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.journal import Journal
from releaseops_mcp.evaluation.manifest import Manifest
from releaseops_mcp.evaluation.summary import Summary
from releaseops_mcp.evaluation.tables import DENOMINATORS
from releaseops_mcp.log.chain import check
from releaseops_mcp.log.lines import Promise, event_line, manifest_line, truth_line
from releaseops_mcp.log.store import Store

MANIFEST, RESULTS, FIGURES, LOG, REPORT = "manifest.json", "results.jsonl", "results.json", "log.jsonl", "report.html"
_UNFINISHED = ".unfinished"


class RunFolder:
    """A folder in which an evaluation is kept, and goes on after an interruption."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        """Begin an evaluation in a new or empty folder, or go on with the same one.

        Raises VersionMismatch where the folder holds another one, and InvalidArgument where it holds something else.
        """
        path.mkdir(parents=True, exist_ok=True)
        if (path / MANIFEST).exists():
            read_manifest(path).refuse_other(manifest)
        elif any(file.suffix != _UNFINISHED for file in path.iterdir()):
            raise InvalidArgument(f"{path} is not empty and holds no {MANIFEST}: name a new folder, or that of a run")
        else:
            write_whole(path / MANIFEST, manifest.model_dump_json(indent=2) + "\n")
        self.path = path
        self.manifest = manifest
        self.journal = Journal(path / RESULTS)

    def refuse_other_log(self, store: Store) -> None:
        """Raise InvalidArgument where the episodes that are kept here were not played on this log."""
        last = self.journal.last()
        if last is not None and last.played.episode_id and store.episode(last.played.episode_id) is None:
            raise _elsewhere(last.played.episode_id)

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a run folder; raises InvalidArgument where there is none that can be read."""
    try:
        return Manifest.model_validate_json((path / MANIFEST).read_bytes())
    except (ValidationError, FileNotFoundError, NotADirectoryError):
        raise InvalidArgument(f"{path} is no run folder: `releaseops eval --out FOLDER` writes one") from None


def read_summaries(path: Path) -> list[Summary]:
    """Return what a finished run came to, suite by suite; nothing where it is not finished."""
    file = path / FIGURES
    return [Summary.model_validate(each) for each in json.loads(file.read_bytes())["suites"]] if file.exists() else []


def write_figures(path: Path, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Write `results.json` and return what it holds: the rows and laws of all suites, then each suite in full."""
    suites = [summary.model_dump(mode="json") for summary in summaries]
    body = {
        "rows": [row for suite in suites for row in suite["rows"]],
        "laws": [law for suite in suites for law in suite["laws"]],
        "denominators": DENOMINATORS,
        "suites": suites,
    }
    write_whole(path / FIGURES, json.dumps(body, indent=1) + "\n")
    return body


def write_log(store: Store, path: Path, entries: Iterable[Entry], tick: Callable[[], None] = lambda: None) -> None:
    """Write `log.jsonl`: the export of these episodes, truth included; raises ChainBroken.

    Raises InvalidArgument where an episode is not in this log: the evaluation was begun on another one.
    """
    promises: list[Promise] = []
    unfinished = path / f"{LOG}{_UNFINISHED}"
    with unfinished.open("w", encoding="ascii", newline="\n") as file:
        for entry in entries:
            tick()
            if not entry.played.episode_id:
                continue
            found = store.episode(entry.played.episode_id)
            if found is None:
                raise _elsewhere(entry.played.episode_id)
            row, links = store.chain(found.number)
            for _ in check(row.id, links, count=row.count, head=row.head):
                """Broken chains are not passed on."""
            file.write(truth_line(row.world_hash, store.truth(row.world_hash)) + "\n")
            file.writelines(f"{event_line(link)}\n" for link in links)
            promises.append(Promise(row.id, row.count, row.head))
        file.write(manifest_line(promises) + "\n")
    unfinished.replace(path / LOG)


def write_whole(path: Path, text: str) -> None:
    """Write a file that gets its name when it is complete."""
    unfinished = path.with_name(f"{path.name}{_UNFINISHED}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def _elsewhere(episode_id: str) -> InvalidArgument:
    return InvalidArgument(f"episode {episode_id} is not in this log: name, with --database, the one of this run")
