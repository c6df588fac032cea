"""Counts the episodes of an export in JSON lines: any agent's, played anywhere."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.audit.rescore import Unscored, rescored
from releaseops_mcp.evaluation.entries import Entry
from releaseops_mcp.evaluation.facts import facts_of
from releaseops_mcp.events import EpisodeEnd, ToolResult
from releaseops_mcp.log.chain import Link, LoggedEvent, check
from releaseops_mcp.log.lines import EventLine, TruthLine, parse
from releaseops_mcp.log.logged import LoggedEpisode
from releaseops_mcp.log.reading import ExportLog


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the episodes of an export as an evaluation counts them, scored again from log and truth.

    Raises ChainBroken and SchemaTooNew at the first bad line.
    """
    repeats: Counter[tuple[str, str]] = Counter()
    for episode in ExportLog(path).episodes():
        played = played_in_export(episode)
        yield Entry(repeat=repeats[played.agent, played.scenario], played=played, facts=facts_of(episode, played))
        repeats[played.agent, played.scenario] += 1


def played_in_export(episode: LoggedEpisode) -> Played:
    """Return an exported episode as an evaluation counts it; whether its harness stopped the agent is not in it."""
    start, origin = episode.start, episode.start["origin"]
    score = rescored(episode)
    unscored = isinstance(score, Unscored)
    answered = [event for event in episode.events if event.kind == ToolResult.kind]
    return Played(
        episode_id=episode.id,
        scenario=start["scenario"],
        suite=start["suite"],
        family=start["family"],
        agent=origin["agent"] or origin["client"] or origin["model"] or "unnamed",
        steps=max((event.data["step"] for event in answered), default=0),
        invalid=sum(event.data["error"] is not None for event in answered),
        reward=None if unscored else score.total,
        components={} if unscored else score.body["components"],
        metrics={} if unscored else score.body["metrics"],
        terminal_reason=_reason(episode.events),
        truncated=False,
        fault=score.reason if unscored else None,
    )


def find_episodes(path: Path, wanted: Collection[str]) -> dict[str, LoggedEpisode]:
    """Return the wanted episodes of an export, by id; only their own lines are parsed and checked.

    Raises ChainBroken and SchemaTooNew.
    """
    names = [f'"episode":"{each}"'.encode() for each in wanted]
    links: dict[str, list[Link]] = {}
    truths: dict[str, bytes] = {}
    truth = b""
    with path.open("rb") as file:
        for line in file:
            if not line.startswith(b'{"event":'):
                truth = line
            elif any(name in line for name in names):
                record = parse(line)
                if isinstance(record, EventLine) and record.episode in wanted:
                    links.setdefault(record.episode, []).append(record.link)
                    truths.setdefault(record.episode, truth)
    return {episode: _whole(episode, found, truths[episode]) for episode, found in links.items()}


def _whole(episode: str, links: list[Link], truth: bytes) -> LoggedEpisode:
    events = tuple(check(episode, links, count=None, head=None))
    said = parse(truth) if truth else None
    known = said.truth if isinstance(said, TruthLine) and said.world_hash == events[0].data["world_hash"] else None
    return LoggedEpisode(episode, len(events), events[-1].hash, events, known)


def _reason(events: tuple[LoggedEvent, ...]) -> str | None:
    return next((event.data["reason"] for event in events if event.kind == EpisodeEnd.kind), None)
