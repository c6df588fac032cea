"""Verifies a whole log: nothing lost, nothing altered, and every figure what its scorer makes of the events."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from releaseops_mcp.audit.projection import check_projection
from releaseops_mcp.audit.replay import obstacle, replay
from releaseops_mcp.audit.rescore import Unscored, latest_score, rescored, same_figure
from releaseops_mcp.errors import ChainBroken, UnknownScenario, VersionMismatch
from releaseops_mcp.log.export import Progress
from releaseops_mcp.log.logged import DatabaseLog, Log, LoggedEpisode
from releaseops_mcp.log.reading import ExportLog
from releaseops_mcp.log.store import Store


@dataclass(frozen=True, slots=True)
class Verified:
    """What a log that is in order was found to hold."""

    episodes: int
    events: int
    replayed: int
    """Episodes whose calls were made again and showed what the log says."""
    not_replayable: dict[str, int]
    """Why the others cannot be replayed here, and how many; their chains have been checked all the same."""
    rescored: int
    """Stored scores that came out the same when they were computed again."""
    not_rescored: dict[str, int]
    """Why other episodes' stored scores were not held against anything, and how many."""


def verify_store(store: Store, progress: Progress = lambda done, total: None) -> Verified:
    """Check the whole log in a database; raises what `verify` raises."""
    return verify(DatabaseLog(store), progress)


def verify_export(path: Path, progress: Progress = lambda done, total: None) -> Verified:
    """Check the log in an export file; raises what `verify` raises."""
    return verify(ExportLog(path), progress)


def verify(log: Log, progress: Progress = lambda done, total: None) -> Verified:
    """Check a log, an episode at a time: a database (or the chosen episodes of it) or an export.

    Raises the first error found, naming its place: ChainBroken, SchemaTooNew, or VersionMismatch where the suite of
    the same version shows something else than the log.
    """
    counts: Counter[str] = Counter()
    not_replayable: Counter[str] = Counter()
    not_rescored: Counter[str] = Counter()
    total = log.total()
    store = log.store if isinstance(log, DatabaseLog) else None
    for done, episode in enumerate(_in_order(log), 1):
        counts["events"] += episode.count
        if store is not None:
            check_projection(store, episode)
        _note(not_replayable, counts, "replayed", _replayed(episode))
        _note(not_rescored, counts, "rescored", _score_holds(store, episode))
        counts["episodes"] = done
        progress(done, max(done, total))
    return Verified(
        episodes=counts["episodes"],
        events=counts["events"],
        replayed=counts["replayed"],
        not_replayable=dict(not_replayable),
        rescored=counts["rescored"],
        not_rescored=dict(not_rescored),
    )


def _note(reasons: Counter[str], counts: Counter[str], done: str, reason: str | None) -> None:
    if reason is None:
        counts[done] += 1
    else:
        reasons[reason] += 1


def _in_order(log: Log) -> Iterator[LoggedEpisode]:
    """Yield a log's episodes; of a whole database, each must bear the number after the one before."""
    if not isinstance(log, DatabaseLog) or log.chosen is not None:
        yield from log.episodes()
        return
    started = log.store.started()
    expected = 1
    for episode in log.episodes():
        assert episode.row is not None
        if episode.row.number != expected:
            raise ChainBroken(_lost(expected, f"{episode.id} is number {episode.row.number}"))
        expected += 1
        yield episode
    if expected <= started:
        raise ChainBroken(_lost(expected, f"{started} were started"))


def _lost(number: int, found: str) -> str:
    return f"episode number {number} is lost ({found}): restore the log from a copy"


def _replayed(episode: LoggedEpisode) -> str | None:
    """Replay an episode where its suite is installed in its version; return why not elsewhere."""
    reason = obstacle(episode.start)
    if reason is not None:
        return reason
    try:
        simulation = replay(episode.events)
    except VersionMismatch as error:
        raise VersionMismatch(f"{episode.id} {error.message}") from error
    except UnknownScenario as error:
        # An organisation of somebody's own, say, whose file is not installed here.
        return error.message
    except Exception as error:
        failure = type(error).__name__
        raise VersionMismatch(f"{episode.id}: making its calls again failed ({failure}) on this version") from error
    if episode.truth is not None and simulation.episode.truth() != episode.truth:
        raise ChainBroken(f"{episode.id}: the stored truth of its world is not what the scenario generates: restore it")
    return None


def _score_holds(store: Store | None, episode: LoggedEpisode) -> str | None:
    """Compare an episode's latest stored score with a fresh one; return why there is nothing to compare."""
    if store is None:
        return "an export holds no scores"
    fresh = rescored(episode)
    if isinstance(fresh, Unscored):
        return fresh.reason
    stored = latest_score(store, episode)
    if stored is None:
        return "no score is stored: re-score the log"
    if (stored.reward_id, stored.version) != (fresh.reward_id, fresh.version):
        return f"scored by {stored.reward_id} {stored.version}, and {fresh.version} is here: re-score the log"
    if not same_figure(stored, fresh):
        raise ChainBroken(
            f"{episode.id}: its stored score is {stored.total} and its events come to {fresh.total} under "
            f"{fresh.reward_id} {fresh.version}: the score was altered, or a weight was changed without a new version"
        )
    return None
