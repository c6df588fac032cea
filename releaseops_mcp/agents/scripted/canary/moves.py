"""The calls of a `canary` supervisor, and what it may read off an observation."""

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.canary.tools import ASK, DECIDE, EXTEND, INSPECT

SUITE = "canary"
PACES = {5: "increase_5", 10: "increase_10", 25: "increase_25"}
"""The action by the percentage points that it adds."""


def decide(action_type: str, diagnosis: str = "healthy", **more: object) -> Action:
    """Return a decision with its diagnosis; `more` may name p_bad and suspect."""
    return Action(DECIDE.name, {"action_type": action_type, "diagnosis": diagnosis, **more})


def hold(diagnosis: str = "healthy", **more: object) -> Action:
    """Return the decision to wait for one interval."""
    return decide("hold", diagnosis, **more)


def increase(points: int, diagnosis: str = "healthy", **more: object) -> Action:
    """Return the decision to add 5, 10 or 25 percentage points of traffic."""
    return decide(PACES[points], diagnosis, **more)


def roll_back(diagnosis: str = "regression", **more: object) -> Action:
    """Return the decision to roll back."""
    return decide("rollback", diagnosis, **more)


def inspect(metric: str, window: int) -> Action:
    """Return a look at one metric over the last minutes, of which the tool shows 1 to 60."""
    return Action(INSPECT.name, {"metric": metric, "window": min(max(window, 1), 60)})


def look_at_alerts() -> Action:
    """Return a look at the firing alerts."""
    return Action(INSPECT.name, {"metric": "alerts"})


def extend_baseline() -> Action:
    """Return the call that doubles the baseline for one interval."""
    return Action(EXTEND.name, {})


def ask(question: str) -> Action:
    """Return a question to the person on call."""
    return Action(ASK.name, {"question": question})


def mean_of(view: Json, arm: str) -> float | None:
    """Return the mean of the values that a view of `inspect_metric` shows of an arm; None where it shows none."""
    known = [value for value in view[arm] if value is not None]
    return sum(known) / len(known) if known else None
