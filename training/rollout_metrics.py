"""What a batch of rollouts did, in figures: reward by component and family, actions, and how much was valid."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.base import Suite
from training.seat import Seat


def rollout_metrics(seats: Sequence[Seat]) -> dict[str, float]:
    """Return the figures of rollouts that have been left.

    `rollout/parse_rate` is the share of answers that were read as a call, of all that should have been one: an episode
    that the policy left open ended with an answer that was none.
    """
    calls = sum(len(seat.actions) for seat in seats)
    unread = sum(not seat.done for seat in seats)
    figures = {
        "rollout/calls": calls / len(seats),
        "rollout/invalid_rate": sum(seat.invalid for seat in seats) / calls if calls else 0.0,
        "rollout/parse_rate": calls / (calls + unread) if calls + unread else 0.0,
        "rollout/finished_rate": sum(seat.done for seat in seats) / len(seats),
        "rollout/late_calls": sum(seat.late for seat in seats) / len(seats),
        "rollout/fault_rate": sum(seat.fault is not None for seat in seats) / len(seats),
        "time/environment_seconds": sum(seat.seconds for seat in seats),
    }
    return figures | _rewards(seats) | _actions(seats, calls)


def label(suite: Suite, action: Action) -> str:
    """Return what an action is counted as: its tool and, where it has one, its first closed argument."""
    tool = next((tool for tool in suite.tools if tool.name == action.tool), None)
    closed = next((parameter for parameter in tool.parameters if parameter.enum), None) if tool else None
    value = action.arguments.get(closed.name) if closed else None
    if tool is None or closed is None:
        return action.tool if tool else "unknown_tool"
    return f"{tool.name}.{value if value in closed.enum else 'other'}"


def _rewards(seats: Sequence[Seat]) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for seat in seats:
        if seat.score is None or seat.fault:
            continue
        found[f"family/{seat.suite.name}/{seat.family}"].append(seat.score.total)
        for name, value in seat.score.body["components"].items():
            found[f"component/{seat.suite.name}/{name}"].append(value)
    return {name: fmean(values) for name, values in found.items()}


def _actions(seats: Sequence[Seat], calls: int) -> dict[str, float]:
    counted = Counter(f"action/{label(seat.suite, action)}" for seat in seats for action in seat.actions)
    return {name: count / calls for name, count in counted.items()}
