"""Puts points onto one grid of time, and counts together with their totals."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from releaseops_mcp.canary.judges import Arm, Comparison, Series
from releaseops_mcp.canary.series.points import ARMS, ArmName, Key, Kind, Points
from releaseops_mcp.errors import InvalidArgument

TOLERANCE = 0.01
"""Share of a step by which a point may lie off the grid."""
MOST_FILLED = 10
"""Where a regular grid would have more buckets than this many times the points, the points themselves are the grid."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A metric to be made of two that are counts, such as errors out of requests."""

    name: str
    events: str
    totals: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Which metrics are wanted, and how they are meant."""

    metrics: Sequence[str] = ()
    """Only these; empty: all, but for those that `counted` uses up."""
    counted: Sequence[Counted] = ()
    lower_is_worse: frozenset[str] = field(default_factory=frozenset[str])
    absent_is_zero: bool = False
    """Whether events that a file does not mention did not happen: a counter of errors is absent before the first."""


def assemble(points: Points, choice: Choice) -> Comparison:
    """Return all chosen metrics on one grid, nan where a point is missing.

    Raises InvalidArgument where a name is unknown, arms share no time, or counts contradict each other.
    """
    columns = dict(points.columns)
    for counted in choice.counted:
        columns |= _counts(points, counted)
    wanted = _wanted(points, choice)
    grid = _grid(sorted({time for key, column in columns.items() if key.metric in wanted for time in column}))
    series = tuple(_series(metric, columns, grid, choice) for metric in wanted)
    return Comparison(series=series, times=tuple(grid))


def _counts(points: Points, counted: Counted) -> Mapping[Key, dict[float, float]]:
    """Return the columns of a metric made of two."""
    for name in (counted.events, counted.totals):
        _known(name, points.metrics(), "--counts")
    kinds: tuple[tuple[Kind, str], ...] = (("events", counted.events), ("totals", counted.totals))
    return {
        Key(counted.name, arm, kind): points.columns[Key(name, arm)]
        for arm in ARMS
        for kind, name in kinds
        if Key(name, arm) in points.columns
    }


def _wanted(points: Points, choice: Choice) -> list[str]:
    used = {name for counted in choice.counted for name in (counted.events, counted.totals)}
    made = [counted.name for counted in choice.counted]
    offered = list(dict.fromkeys([*(name for name in points.metrics() if name not in used), *made]))
    for name in choice.metrics:
        _known(name, list(dict.fromkeys([*points.metrics(), *made])), "--metric")
    for name in sorted(choice.lower_is_worse):
        _known(name, offered, "--lower-is-worse")
    return list(dict.fromkeys(choice.metrics)) or offered


def _known(name: str, known: Sequence[str], option: str) -> None:
    if name not in known:
        raise InvalidArgument(f"{option}: no metric is called {name!r}: the files have {', '.join(known)}")


def _grid(times: Sequence[float]) -> list[float]:
    """Return evenly spaced times where the given ones lie on such a grid, else the given ones."""
    if len(times) < 3:
        return list(times)
    step = min(later - sooner for sooner, later in itertools.pairwise(times))
    size = round((times[-1] - times[0]) / step) + 1
    off = max(abs((time - times[0]) / step - round((time - times[0]) / step)) for time in times)
    if off > TOLERANCE or size > MOST_FILLED * len(times):
        return list(times)
    filled = {round((time - times[0]) / step): time for time in times}
    return [filled.get(number, times[0] + number * step) for number in range(size)]


def _series(metric: str, columns: Mapping[Key, dict[float, float]], grid: Sequence[float], choice: Choice) -> Series:
    arms: dict[ArmName, Arm] = {}
    for name in ARMS:
        arm = _arm(metric, name, columns, grid, choice)
        if arm is not None:
            arms[name] = arm
    if "canary" not in arms:
        raise InvalidArgument(f"{metric} has no canary: check --label and --canary, or leave it out with --metric")
    _overlapping(metric, arms)
    return Series(metric=metric, higher_is_worse=metric not in choice.lower_is_worse, **arms)


def _arm(
    metric: str, name: ArmName, columns: Mapping[Key, dict[float, float]], grid: Sequence[float], choice: Choice
) -> Arm | None:
    values, events, totals = (columns.get(Key(metric, name, kind)) for kind in ("value", "events", "totals"))
    if totals is not None and choice.absent_is_zero:
        events = dict.fromkeys(totals, 0.0) | (events or {})
    if (events is None) != (totals is None):
        had, cure = ("totals", ", or say --absent-is-zero") if events is None else ("events", "")
        raise InvalidArgument(f"{metric} of the {name} has {had} alone: counts need events and totals{cure}")
    listed = None if values is None else tuple(values.get(time, math.nan) for time in grid)
    if events is None or totals is None:
        return None if listed is None else Arm(values=listed)
    try:
        counted = Arm.of_counts(*([column.get(time, math.nan) for time in grid] for column in (events, totals)))
    except ValidationError as error:
        raise InvalidArgument(f"{metric} of the {name}: {error.errors()[0]['msg']}") from None
    return counted if listed is None else counted.model_copy(update={"values": listed})


def _overlapping(metric: str, arms: Mapping[ArmName, Arm]) -> None:
    known = [{at for at, value in enumerate(arm.values) if not math.isnan(value)} for arm in arms.values()]
    if len(known) > 1 and all(known) and not any(known[0] & other for other in known[1:]):
        raise InvalidArgument(
            f"{metric}: canary and control share no time: ask for both with the same start, end and step"
        )
