"""Preference pairs at the decision: the same state, two calls, and what became of the episodes that went on with each.

A state is a world, the calls that led to it and what they came to, so both sides of a pair stand behind the same
messages; prose in the calls, which differs from agent to agent, tells neither states nor calls apart. A call is worth
the mean return of the episodes that made it there. Where two calls of a state differ by more than a margin, the best
and the worst become a pair.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pydantic import Field

from releaseops_mcp import canonical
from releaseops_mcp.agents.base import Action
from releaseops_mcp.log.blobs import Blobs
from training.conversation import called
from training.datasets.base import Again, Collector, Kind, Options, Row
from training.datasets.duplicates import Seen, marks_of, without_prose
from training.datasets.rollout import Rollout
from training.datasets.scratch import Group, Groups


class PreferenceOptions(Options):
    """When two calls are told apart."""

    margin: float = Field(default=0.1, ge=0)
    """How much more the better call must be worth, in raw return."""
    min_episodes: int = Field(default=1, ge=1)
    """How many episodes must have made a call for it to be judged."""


class Decision(NamedTuple):
    """One call in one state, and what the episode came to."""

    state: str
    choice: str
    """The call without its prose, as canonical JSON."""
    reward: float
    example: str
    """Episode, step, tool and arguments, as JSON."""


class PreferenceKind(Kind[PreferenceOptions, Decision]):
    """Pairs of calls."""

    name = "preferences"
    summary = "Pairs of calls from one state whose episodes' returns differ by a margin, for preference learning."
    options = PreferenceOptions

    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Decision]:
        """Return every decision of the episode."""
        state = rollout.world_hash
        for step, move in enumerate(rollout.moves):
            tool, arguments = move.action.tool, move.action.arguments
            choice = canonical.dumps([tool, without_prose(rollout.suite, tool, arguments)])
            yield Decision(state, choice, rollout.reward, json.dumps([rollout.episode, step, tool, arguments]))
            turn = move.turn
            state = canonical.digest([state, choice, turn.error, turn.result, move.shown])

    def collector(self) -> "PreferenceCollector":
        """Return an empty collector."""
        return PreferenceCollector(self.chosen)


class PreferenceCollector(Collector[Decision]):
    """Sums up what each call came to in each state; reads the chosen episodes again for their messages."""

    def __init__(self, chosen: PreferenceOptions) -> None:
        super().__init__()
        self._chosen = chosen
        self._groups = Groups()

    def add(self, picked: Decision) -> None:
        """Take in one decision."""
        self._groups.add(*picked)

    def rows(self, again: Again) -> Iterator[str]:
        """Yield the pairs, in order of the episodes that the better calls come from."""
        pairs: dict[str, list[tuple[int, Group, Group]]] = {}
        for calls in self._groups.by_key():
            pair = self._pair(calls)
            if pair is not None:
                episode, step, *_ = json.loads(pair[0].example)
                pairs.setdefault(episode, []).append((step, *pair))
        seen = Seen()
        for rollout in again(frozenset(pairs)):
            for step, better, worse in sorted(pairs[rollout.episode]):
                row = _row(rollout, step, better, worse)
                if seen.is_new(marks_of(rollout.suite, [*row["prompt"], *row["chosen"], *row["rejected"]])):
                    yield json.dumps(row)
        self.left_out["duplicate"] = seen.duplicates
        self.left_out["near-duplicate"] = seen.near_duplicates

    def close(self) -> None:
        """Delete the sums."""
        self._groups.close()

    def _pair(self, calls: list[Group]) -> tuple[Group, Group] | None:
        judged = [call for call in calls if call.episodes >= self._chosen.min_episodes]
        if len(judged) < 2:
            self.left_out["state with one judged call"] += 1
            return None
        better, worse = max(judged, key=lambda call: call.mean), min(judged, key=lambda call: call.mean)
        if better.mean - worse.mean <= self._chosen.margin:
            self.left_out["gap within the margin"] += 1
            return None
        return better, worse


def _row(rollout: Rollout, step: int, better: Group, worse: Group) -> Row:
    return {
        "prompt": rollout.messages()[: 2 + 2 * step],
        "chosen": [called(_action(better))],
        "rejected": [called(_action(worse))],
        "suite": rollout.suite.name,
        "scenario": rollout.scenario,
        "family": rollout.family,
        "gap": better.mean - worse.mean,
        "chosen_value": better.mean,
        "rejected_value": worse.mean,
        "chosen_episodes": better.episodes,
        "rejected_episodes": worse.episodes,
        "episode": rollout.episode,
        "head": rollout.head,
    }


def _action(call: Group) -> Action:
    _, _, tool, arguments = json.loads(call.example)
    return Action(tool, arguments)


KIND = PreferenceKind
