"""The episodes behind one row of an evaluation, counted as they come."""

from collections import Counter
from typing import Any

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.calibration import Calibration
from releaseops_mcp.evaluation.entries import is_infrastructure
from releaseops_mcp.evaluation.facts import Facts, pair_of
from releaseops_mcp.evaluation.flags import LEAST_EPISODES, SAME_VERDICT
from releaseops_mcp.evaluation.passes import Tries, as_clusters, pass_at_1, pass_hat
from releaseops_mcp.evaluation.statistics import Cluster, interval

LEFT = "left"
"""Stands for the terminal reason of an episode that its supervisor left without one."""
NO_FACTS = Facts()


class Cell:
    """Counts the episodes behind one row; its size grows with scenarios and repeats of twins, not with episodes."""

    def __init__(self) -> None:
        self.episodes = self.scored = self.unscored = self.infrastructure = self.truncated = 0
        self.steps = self.invalid = 0
        self.total = 0.0
        self.outcomes: Counter[str] = Counter()
        self.metrics: dict[str, float] = {}
        self.clusters: dict[str, Cluster] = {}
        self.tries: dict[str, Tries] = {}
        self.calibration = Calibration()
        self.sums: Counter[str] = Counter()
        """Accusations and model calls."""
        self.input_tokens: int | None = 0
        self.output_tokens: int | None = 0
        self.cost_usd: float | None = None
        self.flags: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.judged = 0
        """Episodes that hold a verdict."""
        self._pairs: dict[tuple[str, int], dict[bool, bool]] = {}

    def add(self, played: Played, facts: Facts = NO_FACTS, repeat: int = 0) -> None:
        """Count one episode."""
        self.episodes += 1
        self._add_spent(facts)
        if played.reward is None:
            if is_infrastructure(played):
                self.infrastructure += 1
            else:
                self.unscored += 1
        elif played.truncated:
            self.truncated += 1
        else:
            self._add_scored(played, played.reward)
            self._add_facts(played.scenario, facts, repeat)

    def _add_spent(self, facts: Facts) -> None:
        """Count what was spent, whatever came of it."""
        self.sums["model_calls"] += facts.model_calls
        self.input_tokens = _sum(self.input_tokens, facts.input_tokens)
        self.output_tokens = _sum(self.output_tokens, facts.output_tokens)
        if facts.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + facts.cost_usd

    def _add_scored(self, played: Played, reward: float) -> None:
        self.scored += 1
        self.total += reward
        self.steps += played.steps
        self.invalid += played.invalid
        self.outcomes[played.terminal_reason or LEFT] += 1
        before = self.clusters.get(played.scenario, Cluster(0.0, 0))
        self.clusters[played.scenario] = Cluster(before.total + reward, before.episodes + 1)
        for name, value in played.metrics.items():
            if isinstance(value, (int, float)):
                self.metrics[name] = self.metrics.get(name, 0.0) + value

    def _add_facts(self, scenario: str, facts: Facts, repeat: int) -> None:
        if facts.passed is not None:
            self.tries[scenario] = self.tries.get(scenario, Tries(0, 0)).and_one(facts.passed)
            pair, twin = pair_of(scenario)
            self._pairs.setdefault((pair, repeat), {})[twin] = facts.passed
        if facts.false_accusations is not None:
            self.sums.update(accusations=facts.accusations, false_accusations=facts.false_accusations)
            self.sums["accusing"] += facts.false_accusations > 0
            self.sums["graded"] += 1
        for confidence, right in facts.confidences:
            self.calibration.add(confidence, right)
        self.flags.update(facts.flags)
        self.verdicts.update(facts.verdicts)
        self.judged += bool(facts.verdicts)

    @property
    def mean(self) -> float | None:
        """Sum divided by count, in the order of play, as the originals did; None where nothing is scored."""
        return self.total / self.scored if self.scored else None

    def facts(self) -> dict[str, Any]:
        """Return the fields of a row that do not name it."""
        count = self.scored
        return {
            "episodes": self.episodes,
            "scored": count,
            "unscored": self.unscored,
            "infrastructure": self.infrastructure,
            "truncated": self.truncated,
            "mean": self.mean,
            "ci95": interval(list(self.clusters.values())),
            "outcomes": {reason: number / count for reason, number in sorted(self.outcomes.items())},
            "invalid_rate": self.invalid / self.steps if self.steps else None,
            "steps_mean": self.steps / count if count else None,
            "metrics": {name: value / count for name, value in self.metrics.items()},
            "pass_at_1": pass_at_1(self.tries),
            "pass_ci95": interval(as_clusters(self.tries)),
            "pass_hat": pass_hat(self.tries),
            **self._pair_facts(),
            "false_accusation_rate": _share(self.sums["accusing"], self.sums["graded"]),
            "accusations": self.sums["accusations"],
            "false_accusations": self.sums["false_accusations"],
            "brier": self.calibration.brier,
            "confident_decisions": self.calibration.decisions,
            "calibration": self.calibration.bins(),
            "model_calls": self.sums["model_calls"],
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost_usd,
            "flags": self._flag_shares(),
        }

    def _pair_facts(self) -> dict[str, Any]:
        whole = [pair for pair in self._pairs.values() if len(pair) == 2]
        return {"pairs": len(whole), "pair_accuracy": _share(sum(all(pair.values()) for pair in whole), len(whole))}

    def _flag_shares(self) -> dict[str, float]:
        shares = {name: number / self.scored for name, number in sorted(self.flags.items())}
        if self.judged >= LEAST_EPISODES and len(self.verdicts) == 1:
            shares[SAME_VERDICT] = self.judged / self.scored
        return shares


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _sum(tokens: int | None, more: int | None) -> int | None:
    """Return a sum that is unknown as soon as a part of it is."""
    return None if tokens is None or more is None else tokens + more
