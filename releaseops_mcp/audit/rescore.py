"""Scores an episode from its log and its truth alone: neither generator nor dynamics are asked."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from releaseops_mcp import canonical
from releaseops_mcp.errors import VersionMismatch
from releaseops_mcp.events import EpisodeEnd, EpisodeStart, ToolCall, ToolResult
from releaseops_mcp.log.chain import LoggedEvent
from releaseops_mcp.log.export import Progress
from releaseops_mcp.log.logged import DatabaseLog, LoggedEpisode
from releaseops_mcp.log.rows import EpisodeFilter, ScoreDraft, ScoreRow
from releaseops_mcp.log.store import Store
from releaseops_mcp.rewards.base import Score, Step, StepReward, Tally
from releaseops_mcp.rewards.registry import code_hash, scorers


@dataclass(frozen=True, slots=True)
class Unscored:
    """An episode without a figure: its own state, never 0."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rescored:
    """What re-scoring a log came to."""

    unchanged: int
    changed: int
    """Episodes that got a new score, or would get one in a dry run."""
    unscored: dict[str, int]
    """Why others have none, and how many."""


def rescore(
    store: Store,
    chosen: EpisodeFilter | None = None,
    *,
    at_ms: int,
    dry_run: bool = False,
    progress: Progress = lambda done, total: None,
) -> Rescored:
    """Score the chosen episodes again; append a score where figure, reward version or scorer code differ.

    No score is ever changed: a new one supersedes the one before. `progress` is told how many episodes are done, and
    of how many. Raises ChainBroken and SchemaTooNew.
    """
    log = DatabaseLog(store, chosen)
    total = log.total()
    counts: Counter[bool] = Counter()
    unscored: Counter[str] = Counter()
    for done, episode in enumerate(log.episodes(), 1):
        fresh = rescored(episode)
        if isinstance(fresh, Unscored):
            unscored[fresh.reason] += 1
        else:
            changed = not _is_stored(latest_score(store, episode), fresh)
            counts[changed] += 1
            if changed and not dry_run:
                assert episode.row is not None
                store.add_score(episode.row.number, episode.count, at_ms, fresh)
        progress(done, max(done, total))
    return Rescored(counts[False], counts[True], dict(unscored))


def rescored(episode: LoggedEpisode) -> ScoreDraft | Unscored:
    """Return the figure of one episode of any log, or why it has none."""
    ends = [event.data["reason"] for event in episode.events if event.kind == EpisodeEnd.kind]
    if not ends:
        return Unscored("still running")
    if episode.truth is None:
        return Unscored("the export holds no truth: export it with the truth")
    try:
        return score_draft(fold(episode.events, episode.truth).score(), ends[0], ended=True)
    except VersionMismatch as error:
        return Unscored(error.message)


def latest_score(store: Store, episode: LoggedEpisode) -> ScoreRow | None:
    """Return the score that stands for an episode as it was read: later events may have changed it since."""
    assert episode.row is not None
    scores = [score for score in store.scores(episode.row.number) if score.at_count <= episode.count]
    return scores[-1] if scores else None


def same_figure(stored: ScoreRow, fresh: ScoreDraft) -> bool:
    """Return whether two scores say the same, whatever code made them."""
    return (stored.total, canonical.dumps(stored.body)) == (fresh.total, canonical.dumps(fresh.body))


def _is_stored(stored: ScoreRow | None, fresh: ScoreDraft) -> bool:
    if stored is None or not same_figure(stored, fresh):
        return False
    named = (fresh.reward_id, fresh.version, fresh.code_hash)
    return (stored.reward_id, stored.version, stored.code_hash) == named


def fold(events: Iterable[LoggedEvent], truth: dict[str, Any]) -> Tally:
    """Return the tally of a whole episode; raises VersionMismatch where no scorer for its suite is installed."""
    return fold_stepwise(events, truth)[0]


def fold_stepwise(events: Iterable[LoggedEvent], truth: dict[str, Any]) -> tuple[Tally, list[StepReward]]:
    """Return the tally of a whole episode, and what each judged call earned; raises VersionMismatch like `fold`."""
    iterator = iter(events)
    start = next(iterator)
    assert start.kind == EpisodeStart.kind
    scorer = scorers().get(start.data["suite"])
    if scorer is None:
        raise VersionMismatch(f"no reward for suite {start.data['suite']} is installed")
    tally = scorer.tally(truth, start.data["observation"])
    return tally, [tally.add(step) for step in steps_of(iterator, start.data["observation"])]


def steps_of(events: Iterable[LoggedEvent], seen: dict[str, Any]) -> Iterator[Step]:
    """Yield the judged calls; one that was refused stands with the observation `seen` before it."""
    call: dict[str, Any] = {}
    for event in events:
        if event.kind == ToolCall.kind:
            call = event.data
        elif event.kind == ToolResult.kind:
            data = event.data
            seen = data["observation"] if data["observation"] is not None else seen
            if data["judged"]:
                yield Step(
                    call["tool"],
                    call["arguments"],
                    data["error"],
                    data["result"],
                    seen,
                    data["done"],
                    data["terminal_reason"],
                )


def score_draft(score: Score, reason: str | None, ended: bool) -> ScoreDraft:
    """Return a score as it is stored: with the hash of the code that made it and how whole the episode is.

    Validity is `complete` where the world came to its end, `closed` where the agent closed the record, `expired` where
    nobody did, and `running` before that.
    """
    validity = (
        ("closed" if reason is None else "expired" if reason == "expired" else "complete") if ended else "running"
    )
    scorer = next(scorer for scorer in scorers().values() if scorer.reward_id == score.reward_id)
    flags: list[str] = []
    body = {"components": score.components, "metrics": score.metrics, "flags": flags, "validity": validity}
    return ScoreDraft(score.reward_id, score.version, code_hash(type(scorer)), score.total, body)
