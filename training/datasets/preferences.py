"""Preference pairs at the decision: the same state, two calls, and what became of the episodes that went on with each.

A state is a world and the calls that led to it, so both sides of a pair stand behind the very same messages. A call is
worth the mean return of the episodes that made it there. Where two calls of a state differ by more than a margin, the
best and the worst become a pair.
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
from training.datasets.duplicates import Seen, marks_of
from training.datasets.rollout import Rollout, in_order, state_of
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
    action: str
    """Canonical JSON of the call."""
    reward: float
    place: str
    """Episode and step, as JSON."""


class PreferenceKind(Kind[PreferenceOptions, Decision]):
    """Pairs of calls."""

    name = "preferences"
    summary = "Pairs of calls from one state whose episodes' returns differ by a margin, for preference learning."
    options = PreferenceOptions

    def pick(self, rollout: Rollout, blobs: Blobs | None) -> Iterable[Decision]:
        """Return every decision of the episode."""
        for step, move in enumerate(rollout.moves):
            action = canonical.dumps([move.action.tool, move.action.arguments])
            yield Decision(state_of(rollout, step), action, rollout.reward, json.dumps([rollout.episode, step]))

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
        self._groups.add(picked.state, picked.action, picked.reward, picked.place)

    def rows(self, again: Again) -> Iterator[str]:
        """Yield the pairs, in the log's order of the episodes that the better calls come from."""
        pairs: dict[str, list[tuple[int, Group, Group]]] = {}
        for calls in self._groups.by_key():
            pair = self._pair(calls)
            if pair is not None:
                episode, step = json.loads(pair[0].example)
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
        judged = [call for call in calls if call.count >= self._chosen.min_episodes]
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
        "chosen": [called(rollout.moves[step].action)],
        "rejected": [called(_action(rollout, worse.choice))],
        "suite": rollout.suite.name,
        "scenario": rollout.scenario,
        "family": rollout.family,
        "gap": better.mean - worse.mean,
        "chosen_value": better.mean,
        "rejected_value": worse.mean,
        "chosen_episodes": better.count,
        "rejected_episodes": worse.count,
        "episode": rollout.episode,
        "head": rollout.head,
    }


def _action(rollout: Rollout, choice: str) -> Action:
    tool, arguments = json.loads(choice)
    return Action(tool, in_order(rollout.suite, tool, arguments))


KIND = PreferenceKind
