"""The charts, as inline SVG that takes its colours from the page's style sheet."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from releaseops_mcp.evaluation.calibration import Bin
from releaseops_mcp.evaluation.report.markup import Markup, element, number

WIDTH, GUTTER, MARGIN, ROW = 860, 200, 180, 28
"""Pixels: of a chart, of the labels on its left, of the figures on its right, and of one line."""


class Mark(NamedTuple):
    """One line of a chart of figures with intervals."""

    label: str
    value: float
    between: tuple[float, float] | None
    role: str
    """`agent`, `reference`, `clairvoyant` or `degenerate`: gives colour and shape."""


class Scale:
    """Puts values on the width between labels and figures, with round ticks."""

    def __init__(self, values: Sequence[float]) -> None:
        low, high = min(values), max(values)
        step = _step((high - low) or 1.0)
        self.low, self.high = floor(low / step) * step, ceil(high / step) * step
        if self.low == self.high:
            self.high += step
        self.ticks = [self.low + step * place for place in range(round((self.high - self.low) / step) + 1)]
        self.digits = max(0, -floor(log10(step)))

    def at(self, value: float) -> float:
        """Return the place of a value, in pixels."""
        return GUTTER + (value - self.low) / (self.high - self.low) * (WIDTH - GUTTER - MARGIN)


def forest(title: str, marks: Sequence[Mark], *, zero: bool = False, digits: int = 3) -> Markup:
    """Return figures with their intervals, a line each; `zero` draws the line of no difference."""
    reach = [edge for mark in marks for edge in (mark.value, *(mark.between or ()))]
    scale, bottom = Scale([*reach, *([0.0] if zero else [])]), len(marks) * ROW + 8
    parts = _axis(scale, bottom)
    if zero:
        parts.append(_line(scale.at(0), 4, scale.at(0), bottom, "zero"))
    for place, mark in enumerate(marks):
        y = place * ROW + ROW / 2 + 4
        parts.append(element("text", mark.label, x=GUTTER - 12, y=y + 4, class_=f"label {mark.role}"))
        if mark.between is not None:
            low, high = map(scale.at, mark.between)
            parts += [_line(low, y, high, y, f"whisker {mark.role}")]
            parts += [_line(edge, y - 4, edge, y + 4, f"whisker {mark.role}") for edge in (low, high)]
        parts.append(_point(scale.at(mark.value), y, mark.role))
        said = number(mark.value, digits)
        if mark.between is not None:
            said += f"  [{number(mark.between[0], 2)}, {number(mark.between[1], 2)}]"
        parts.append(element("text", said, x=WIDTH - MARGIN + 12, y=y + 4, class_="figure"))
    return _svg(title, bottom + 24, parts)


def stacked(title: str, shares: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> Markup:
    """Return shares that add up to 1 as one bar a label; a name's place in `names` is its colour."""
    parts: list[Markup] = []
    reach = WIDTH - GUTTER - 12
    for place, (label, each) in enumerate(shares.items()):
        y, left = place * ROW + 4.0, float(GUTTER)
        parts.append(element("text", label, x=GUTTER - 12, y=y + 14, class_="label"))
        for name in names:
            width = each.get(name, 0.0) * reach
            if width > 0:
                said = element("title", f"{label}: {name} {each[name]:.0%}")
                colour = f"bar c{names.index(name) % 8}"
                parts.append(element("rect", said, x=left, y=y, width=width, height=ROW - 8.0, class_=colour))
                if width > 34:
                    text = f"{each[name]:.0%}"
                    parts.append(element("text", text, x=left + width / 2, y=y + 14, class_="inside"))
            left += width
    return _svg(title, len(shares) * ROW + 4, parts)


def calibration(title: str, bins: Sequence[Bin]) -> Markup:
    """Return how often decisions were right against how sure the agent was; the diagonal is perfect."""
    size, left = 260, 40

    def place(confidence: float, right: float) -> tuple[float, float]:
        return left + confidence * size, 10 + (1 - right) * size

    parts = [element("rect", x=left, y=10, width=size, height=size, class_="frame")]
    parts.append(_line(*place(0, 0), *place(1, 1), "zero"))
    most = max(each.decisions for each in bins)
    for each in bins:
        x, y = place(each.confidence, each.right)
        said = element("title", f"{each.decisions} decisions, sure {each.confidence:.2f}, right {each.right:.0%}")
        parts.append(
            element("circle", said, cx=x, cy=y, r=4 + 8 * (each.decisions / most) ** 0.5, class_="point agent")
        )
    for tick in (0.0, 0.5, 1.0):
        parts.append(element("text", f"{tick:g}", x=place(tick, 0)[0], y=size + 26, class_="tick"))
        parts.append(element("text", f"{tick:g}", x=left - 16, y=place(0, tick)[1] + 4, class_="tick"))
    parts.append(element("text", "how sure", x=left + size / 2, y=size + 44, class_="tick"))
    return _svg(title, size + 52, parts, width=size + left + 20)


def _axis(scale: Scale, bottom: float) -> list[Markup]:
    parts: list[Markup] = []
    for tick in scale.ticks:
        parts.append(_line(scale.at(tick), 4, scale.at(tick), bottom, "grid"))
        text = number(tick + 0.0, scale.digits)
        parts.append(element("text", text, x=scale.at(tick), y=bottom + 16, class_="tick"))
    return parts


def _point(x: float, y: float, role: str) -> Markup:
    if role == "reference":
        corners = f"{x:.1f},{y - 7:.1f} {x + 7:.1f},{y:.1f} {x:.1f},{y + 7:.1f} {x - 7:.1f},{y:.1f}"
        return element("polygon", points=corners, class_=f"point {role}")
    return element("circle", cx=x, cy=y, r=5, class_=f"point {role}")


def _line(x1: float, y1: float, x2: float, y2: float, name: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=name)


def _svg(title: str, height: float, parts: Sequence[Markup], width: int = WIDTH) -> Markup:
    box = f"0 0 {width} {height:.0f}"
    return element(
        "svg", element("title", title), *parts, viewBox=box, role="img", aria_label=title, width=width, class_="chart"
    )


def _step(reach: float) -> float:
    """Return a round distance of which five or so make up `reach`."""
    power = 10.0 ** floor(log10(reach / 4))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if reach / (power * factor) <= 6)
