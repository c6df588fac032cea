"""The reward of `canary`: 1 minus the expected cost of what was decided, given the hidden state, never the luck.

With severity s = min(1, (RR - 1) / 3) and service value v, a false rollback costs FALSE_ROLLBACK, a bad promotion
BAD_PROMOTION s v, a bad change HARM s v a minute times its share of the traffic while it is active, each decision
DECISION; running out of time costs more where the change was good. F = .85 / (1 - pi) and Kp = .85 / (pi E[s v]) make
the two mistakes weigh the same on a mix with a share pi = .5 of bad changes and E[s v] = .586.
"""

import numpy as np

from releaseops_mcp.canary import regressions, traffic, world
from releaseops_mcp.canary.regressions import severity, strength
from releaseops_mcp.canary.traffic import Shares
from releaseops_mcp.canary.world import Regression
from releaseops_mcp.episodes.canary.tools import DECIDE, TOOLS
from releaseops_mcp.rewards.base import Json, Score, Scorer, Step, StepReward, Tally

FALSE_ROLLBACK = 1.7
BAD_PROMOTION = 2.9
HARM = 0.02
DECISION = 0.015
TIMEOUT_GOOD = 1.0
TIMEOUT_BAD = 0.5
ABANDONED = 0.1
"""Added to a timeout's cost where the supervisor left; the harm until the deadline comes on top."""
REWARD_ID, VERSION = "canary", "1.0.0"


class RolloutTally(Tally):
    """The running cost of one episode."""

    def __init__(self, truth: Json, first_observation: Json) -> None:
        self._truth = truth
        self._regression = Regression(effects={"errors": truth["risk_ratio"]}, **truth["regression"], bad=truth["bad"])
        self._load = np.array(truth["load"])
        self._minute: int = first_observation["minute"]
        self._weight: float = first_observation["weight"] / 100.0
        self._ended: str | None = None
        self._costs = {"outcome": 0.0, "harm": 0.0, "decisions": 0.0}
        self._decisions: list[Json] = []
        self._calls = dict.fromkeys((*(tool.name for tool in TOOLS), "refused"), 0)

    def add(self, step: Step) -> StepReward:
        """Fold one call in; refused calls, and those after the end, cost nothing."""
        if self._ended is not None:
            return StepReward(0.0)
        if step.error is not None:
            self._calls["refused"] += 1
            return StepReward(0.0)
        self._calls[step.tool] += 1
        decided = step.tool == DECIDE.name
        if decided:
            self._decisions.append(step.arguments)
        self._weight = step.observation["weight"] / 100.0
        costs = {"decisions": DECISION * decided, "harm": self._harm(step.observation["minute"]), "outcome": 0.0}
        self._minute = step.observation["minute"]
        if step.done:
            self._ended = step.terminal_reason
            costs["outcome"] = self._outcome(step.terminal_reason)
        for name, cost in costs.items():
            self._costs[name] += cost
        detail = {
            "bad": self._truth["bad"],
            "costs": costs,
            "diagnosis_right": self._rightly(step) if decided else None,
        }
        return StepReward(self._earned(costs, step), detail)

    def _earned(self, costs: dict[str, float], step: Step) -> float:
        """Return the step's own figure. All harm is charged with the last, since a door may show it on the way."""
        if not step.done:
            return 0.0 - costs["decisions"]
        return 1.0 - costs["outcome"] - costs["decisions"] - self._costs["harm"]

    def _harm(self, until: int) -> float:
        """Return the harm of the minutes up to `until`, at the present weight."""
        since = self._minute
        if not self._truth["bad"] or until <= since:
            return 0.0
        share = Shares.of(self._weight, self._truth["applied_weight"], extended=False).canary
        minutes = np.arange(since, until, dtype=np.float64)
        active = strength(self._regression, minutes, self._load[since:until] * share)
        worse = sum(severity(self._truth["risk_ratio"] ** float(g)) for g in active)
        return HARM * share * worse * float(self._truth["value"])

    def _outcome(self, reason: str | None) -> float:
        bad = self._truth["bad"]
        if reason == "promoted":
            return BAD_PROMOTION * self._truth["severity"] * self._truth["value"] if bad else 0.0
        if reason == "rolled_back":
            return 0.0 if bad else FALSE_ROLLBACK
        late = TIMEOUT_BAD if bad else TIMEOUT_GOOD
        return late if reason == "timeout" else late + ABANDONED

    def _rightly(self, step: Step) -> bool:
        return step.arguments["diagnosis"] in self._truth["diagnoses"]

    def score(self) -> Score:
        """Return 1 minus the costs so far.

        An episode without an end counts as abandoned: the rollout goes on at its weight until the deadline.
        """
        costs = dict(self._costs)
        if self._ended is None:
            costs["outcome"] = self._outcome("abandoned")
            costs["harm"] += self._harm(self._truth["deadline"])
        total = round(1.0 - sum(costs.values()), 6)
        components = {name: round(0.0 - cost, 6) for name, cost in costs.items()}
        return Score(REWARD_ID, VERSION, total, components, self._metrics())

    def report(self) -> Json:
        """Return the figure with the truth behind it."""
        score = self.score()
        truth = {
            name: self._truth[name] for name in ("bad", "risk_ratio", "severity", "value", "diagnoses", "suspects")
        }
        return {"total": score.total, "components": score.components, "metrics": score.metrics, "truth": truth}

    def _metrics(self) -> Json:
        last = self._decisions[-1] if self._decisions else {}
        believed = last.get("p_bad")
        suspect = last.get("suspect")
        return {
            "outcome": self._ended or "abandoned",
            "bad": self._truth["bad"],
            "decisions": len(self._decisions),
            "minutes": self._minute,
            "calls": dict(self._calls),
            "diagnosis_right": last["diagnosis"] in self._truth["diagnoses"] if last else None,
            "suspect_right": None if suspect is None else suspect in self._truth["suspects"],
            "brier": None if believed is None else round((believed - float(self._truth["bad"])) ** 2, 6),
        }


class RolloutScorer(Scorer):
    """Expected cost under the hidden state."""

    suite = "canary"
    reward_id = REWARD_ID
    version = VERSION
    sources = (regressions, traffic, world)

    def tally(self, truth: Json, first_observation: Json) -> Tally:
        """Return an empty tally for one episode."""
        return RolloutTally(truth, first_observation)


SCORER = RolloutScorer()
