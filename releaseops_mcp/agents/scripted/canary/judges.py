"""The reference judges as supervisors: each reads its series once an interval and does what its judge says.

A pass promotes, a fail rolls back, anything else holds until so little time is left that only the fastest pace still
reaches the end: from then on whatever has not failed is promoted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from releaseops_mcp.agents.base import Action, Brief, Play, Policy, supervisor
from releaseops_mcp.agents.scripted.canary.moves import SUITE, hold, increase, inspect, roll_back
from releaseops_mcp.agents.scripted.canary.notebook import Notebook
from releaseops_mcp.canary.judges import Comparison, Judge, Verdict, find_judge
from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.episodes.base import Json

PACE, FASTEST = 10, 25
"""Percentage points a step: the usual, and the most that there is."""
COUNTED = ("errors", "conversion", "downstream_errors", "segment_errors")
WATCHED = (*COUNTED, "latency_p99")
GATE_FACTOR = {"errors": 4.0, "segment_errors": 4.0, "downstream_errors": 4.0, "latency_p99": 1.5, "conversion": 0.5}
"""What the gates tolerate, as a factor of what was usual before the rollout."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a judge supervises."""

    judge: str
    parameters: Callable[[Json], Json]
    """From the first observation to the judge's parameters."""
    watched: Sequence[str]
    """What is read once an interval, at a minute each."""
    by_interval: bool = False
    """Whether the judge takes a bucket an interval rather than a minute."""

    def made(self, setup: Json) -> Judge:
        """Return the judge for a rollout."""
        return find_judge(self.judge, self.parameters(setup))

    def series(self, notebook: Notebook, interval: int) -> Comparison:
        """Return what the judge is given."""
        read = notebook.comparison(self.watched)
        return read.every(interval) if self.by_interval else read


def _gate(setup: Json, **more: object) -> Json:
    """Return limits from what is usual; a segment's errors are usual where the errors are."""
    usual = {**setup["usual"], "segment_errors": setup["usual"]["errors"]}
    limits = {metric: factor * (usual[metric] or 0.0) for metric, factor in GATE_FACTOR.items()}
    return {"relative": False, "limits": limits, **more}


RULES = (
    Rule("threshold", _gate, WATCHED, by_interval=True),
    Rule("argo-like", lambda setup: _gate(setup, failure_limit=2), WATCHED, by_interval=True),
    Rule("flagger-like", lambda setup: _gate(setup, threshold=3), WATCHED, by_interval=True),
    Rule("kayenta-like", lambda _: {"allowed": 1.25, "marginal_score": 95.0}, WATCHED),
    Rule(
        "group-sequential",
        lambda setup: {
            "against": "baseline",
            "horizon": setup["deadline_minute"],
            "looks": setup["deadline_minute"] // setup["interval_minutes"],
        },
        WATCHED,
    ),
    Rule("e-process", lambda setup: {"against": "baseline", "restart": setup["interval_minutes"]}, COUNTED),
)


def policy_of(rule: Rule) -> Policy:
    """Return the policy that follows a rule."""

    def play(brief: Brief) -> Play:
        return _play(rule, brief)

    read = ", ".join(rule.watched)
    play.__doc__ = f"Does what the {rule.judge} judge says of {read}, which it reads once an interval."
    return play


def _play(rule: Rule, brief: Brief) -> Play:
    interval, deadline = brief.observation["interval_minutes"], brief.observation["deadline_minute"]
    judge, notebook = rule.made(brief.observation), Notebook()
    turn = yield hold()
    while True:
        for metric in rule.watched:
            turn = yield inspect(metric, notebook.window(metric, turn.observation["minute"]))
            notebook.add(turn.result or {})
        verdict = judge.judge(rule.series(notebook, interval))
        left = (deadline - turn.observation["minute"]) // (interval + len(rule.watched))
        turn = yield _step(verdict, turn.observation["weight"], left)


def _step(verdict: Verdict, weight: int, steps_left: int) -> Action:
    """Return the decision that follows from a verdict, with `steps_left` intervals until the deadline."""
    if verdict.outcome == "fail":
        suspect = verdict.metrics[0] if verdict.metrics else None
        return roll_back(suspect=suspect) if suspect in METRICS else roll_back()
    if steps_left <= -(-(100 - weight) // FASTEST):
        return increase(FASTEST)
    return increase(PACE) if verdict.outcome == "pass" else hold()


for _rule in RULES:
    supervisor(_rule.judge, suite=SUITE)(policy_of(_rule))
