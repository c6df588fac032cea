"""An episode to read: its calls, what each brought to light, and what it changed."""

from collections.abc import Iterator
from typing import Any

from releaseops_mcp import canonical
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.report.markup import Markup, element, number
from releaseops_mcp.evaluation.trajectory import Call, Trajectory

MOST_CHARS = 1_500
"""A longer text is cut."""
MOST_CALLS = 40


def transcript(heading: str, trajectory: Trajectory, *, total: float | None, unfold: bool = False) -> Markup:
    """Return an episode as a block that opens and closes, `unfold`ed or not; the first look stands before the calls."""
    ending = next((call.terminal_reason for call in reversed(trajectory.calls) if call.terminal_reason), "left")
    calls = trajectory.calls[:MOST_CALLS]
    rest = len(trajectory.calls) - len(calls)
    summary = f"{heading}: {number(total)} · {len(trajectory.calls)} calls · {ending.replace('_', ' ')}"
    return element(
        "details",
        element("summary", summary),
        element("details", element("summary", "the first observation"), _pre(trajectory.first_observation)),
        element("ol", *(_call(call) for call in calls), class_="calls"),
        element("p", f"and {rest} more calls", class_="dim") if rest else Markup(""),
        class_="transcript",
        open="open" if unfold else None,
    )


def _call(call: Call) -> Markup:
    said = "what the suite reports with this step"
    parts = [element("span", number(call.reward), class_="reward", title=said)] if call.reward is not None else []
    parts += [element("code", call.tool, class_="tool"), Markup(" ")]
    parts += [element("span", *_arguments(call), class_="arguments")]
    if call.error is not None:
        parts.append(element("span", f"refused: {call.error}", class_="refused"))
    told = {name: value for name, value in call.result.items() if name not in _echoed(call)} if call.result else {}
    found = [_pre(told)] if told else []
    changes = list(_changes(call.before, call.after))
    if changes:
        found.append(element("p", "; ".join(changes), class_="changes"))
    return element("li", *parts, *found)


def _echoed(call: Call) -> set[str]:
    """Return what a result only repeats of the call."""
    given = list(call.arguments.values())
    return {name for name, value in (call.result or {}).items() if name == "tool" or value in given}


def _arguments(call: Call) -> Iterator[str]:
    given: Any = call.arguments
    if not isinstance(given, dict):
        yield _cut(canonical.dumps(given))
        return
    for name, value in call.arguments.items():
        shown = value if isinstance(value, str) else canonical.dumps(value)
        yield element("span", element("i", f"{name} "), _cut(shown), class_="argument")


def _changes(before: Json, after: Json) -> Iterator[str]:
    """Yield what the call changed among the plain values at the top of the observation."""
    for name, value in after.items():
        if isinstance(value, (str, int, float)) and before.get(name) != value:
            yield f"{name} {_plain(before.get(name))} → {_plain(value)}"


def _plain(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _pre(value: Any) -> Markup:
    lines = (f"{name}: {item if isinstance(item, str) else canonical.dumps(item)}" for name, item in value.items())
    return element("pre", _cut("\n".join(lines)))


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]} … ({len(text) - MOST_CHARS:,} characters more)"
