"""What the demo shows of the log: scorecards, the release worth reading, and where to go from here."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from releaseops_mcp.agents.registry import supervisors, supervisors_for
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.cli.demo.playing import Sat
from releaseops_mcp.cli.episodes.finding import find_episode
from releaseops_mcp.cli.scorecard import scorecard
from releaseops_mcp.cli.transcript import story, transcript
from releaseops_mcp.episodes.registry import is_open
from releaseops_mcp.evaluation.logged import played_from_log
from releaseops_mcp.evaluation.tables import Tables
from releaseops_mcp.log.store import Store


def count(store: Store, sat: Sequence[Sat]) -> list[Played]:
    """Return the episodes as an evaluation counts them, read from the log."""
    stopped = {seat.visit.episode_id for seat in sat if seat.visit.truncated}
    played: list[Played] = []
    for seat in sat:
        found = played_from_log(store, find_episode(store, seat.visit.episode_id), stopped=stopped)
        played.append(replace(found, reward=None, fault=seat.visit.fault) if seat.visit.fault else found)
    return played


def scorecards(played: Sequence[Played]) -> Iterator[RenderableType]:
    """Yield one scorecard a suite."""
    for suite in dict.fromkeys(entry.suite for entry in played):
        tables = Tables(suite, (other.name for other in supervisors_for(suite) if other.degenerate))
        for entry in played:
            if entry.suite == suite:
                tables.add(entry)
        yield scorecard(list(tables.rows()))


def worth_reading(played: Sequence[Played]) -> tuple[Played, Played]:
    """Return the best and the worst episode of the release on which two judging supervisors lie furthest apart.

    Only suites with open ids are shown: to read a closed one's worlds is to know them.
    """
    by_scenario: dict[str, list[Played]] = {}
    for entry in played:
        if entry.reward is not None and is_open(entry.suite) and not supervisors()[entry.agent, entry.suite].degenerate:
            by_scenario.setdefault(entry.scenario, []).append(entry)
    pairs = [(max(entries, key=_reward), min(entries, key=_reward)) for entries in by_scenario.values()]
    return max(pairs, key=lambda pair: _reward(pair[0]) - _reward(pair[1]))


def comparison(store: Store, best: Played, worst: Played) -> RenderableType:
    """Return the best episode as a transcript, and what the worst did on the same release."""
    return Group(
        transcript(find_episode(store, best.episode_id)),
        Text(),
        Text(f"the same release under {worst.agent}:", style="bold"),
        story(find_episode(store, worst.episode_id)),
    )


def closing(log: str, command: str, best: Played) -> Iterator[Text]:
    """Yield where the log is and what to type next; `command` is how the command line is called."""
    yield Text(f"the log: {log}")
    for words, why in (
        (f"episodes show {best.episode_id}", "that transcript again; --json for scripts"),
        ("play", "hold the button yourself"),
        (f"eval --suite {best.suite}", "all supervisors over more releases, and the laws of the reward"),
        ("connect claude-code", "let your own agent play"),
    ):
        yield Text.assemble((f"{command} {words}", "bold"), (f"  # {why}", "dim"))


def _reward(played: Played) -> float:
    assert played.reward is not None
    return played.reward
