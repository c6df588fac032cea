"""The episodes worth reading: the worst regrets, and the pairs of twins of which one was failed."""

from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import NamedTuple

from releaseops_mcp.evaluation.entries import Entry, Key
from releaseops_mcp.evaluation.facts import pair_of

MOST = 8
"""So many of each are shown."""
MOST_PER_AGENT = 3


class Regret(NamedTuple):
    """An episode that earned less than the reference did in the same scenario."""

    regret: float
    reference_figure: float
    entry: Entry
    counterpart: str
    """Id of the reference's own episode, where it is in the same run."""


class FailedPair(NamedTuple):
    """Two twins that an agent did not tell apart."""

    original: Entry
    twin: Entry


class _Found(NamedTuple):
    regret: float
    reward: float
    figure: float
    entry: Entry


class Worth:
    """Chooses as the episodes of one suite come by; memory grows with the scenarios alone."""

    def __init__(self, reference: str, figures: Mapping[str, float], dull: Iterable[str] = ()) -> None:
        """`figures` are the reference's by scenario; agents in `dull` (the degenerate) are left out."""
        self._reference = reference
        self._figures = figures
        self._dull = frozenset(dull)
        self._worst: dict[str, dict[str, _Found]] = {}
        self._own: dict[str, str] = {}
        self._half: dict[Key, Entry] = {}
        self._failed: list[FailedPair] = []

    def look(self, entry: Entry) -> None:
        """Look at one episode."""
        played = entry.played
        if played.agent == self._reference:
            self._own.setdefault(played.scenario, played.episode_id)
        if played.reward is None or played.truncated or played.agent in self._dull:
            return
        self._look_for_regret(entry, played.reward)
        self._look_for_pair(entry)

    def regrets(self) -> list[Regret]:
        """Return the worst regrets, the worst first, at most MOST_PER_AGENT of an agent."""
        found = [
            Regret(each.regret, each.figure, each.entry, self._own.get(scenario, ""))
            for worst in self._worst.values()
            for scenario, each in worst.items()
        ]
        return nlargest(MOST, found, key=lambda each: each.regret)

    def failed_pairs(self) -> list[FailedPair]:
        """Return the first pairs of which one was passed and one failed, or both failed."""
        return self._failed

    def _look_for_regret(self, entry: Entry, reward: float) -> None:
        figure = self._figures.get(entry.played.scenario)
        if figure is None or figure <= reward or entry.played.agent == self._reference:
            return
        worst = self._worst.setdefault(entry.played.agent, {})
        before = worst.get(entry.played.scenario)
        if before is None or reward < before.reward:
            worst[entry.played.scenario] = _Found(figure - reward, reward, figure, entry)
        if len(worst) > MOST_PER_AGENT:
            del worst[min(worst, key=lambda scenario: worst[scenario].regret)]

    def _look_for_pair(self, entry: Entry) -> None:
        pair, twin = pair_of(entry.played.scenario)
        if entry.facts.passed is None or len(self._failed) >= MOST:
            return
        other = self._half.pop(entry.key._replace(scenario=pair), None)
        if other is None or pair_of(other.played.scenario)[1] == twin:
            self._half[entry.key._replace(scenario=pair)] = entry
        elif not (entry.facts.passed and other.facts.passed):
            self._failed.append(FailedPair(other, entry) if twin else FailedPair(entry, other))
