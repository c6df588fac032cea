"""Reads the answer of Prometheus' `/api/v1/query_range`: a matrix whose series are told apart by a label."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from releaseops_mcp.canary.series.points import ArmNames, Key, Points
from releaseops_mcp.errors import InvalidArgument

NAME = "__name__"


class _Line(BaseModel):
    """One series; Prometheus writes values as strings, `NaN` and `+Inf` among them."""

    model_config = ConfigDict(frozen=True)

    metric: dict[str, str]
    values: list[tuple[float, float]] = []


def read_prometheus(text: str, source: str, names: ArmNames, points: Points) -> None:
    """Add a range query's answer to `points`; `source` is its file's name, `metric` unless a series has a name.

    Raises InvalidArgument that says what to ask Prometheus instead.
    """
    lines = _lines(text, source)
    label = names.label or _label(lines, source, names)
    found: dict[Key, list[_Line]] = defaultdict(list)
    for line in lines:
        arm = names.arm(line.metric.get(label, ""))
        if arm is not None:
            found[Key(line.metric.get(NAME) or _stem(source), arm)].append(line)
    if not any(key.arm == "canary" for key in found):
        raise InvalidArgument(f"{source}: no series has {label}={names.canary!r}: {_labels_said(lines)}")
    for key, same in found.items():
        if len(same) > 1:
            raise InvalidArgument(
                f"{source}: {len(same)} series of {key.metric} have {label}={getattr(names, key.arm)!r}, and differ by "
                f"{', '.join(_differing(same))}: aggregate in the query, as in sum by ({label}) (...)"
            )
        points.add(key, dict(same[0].values), source)


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True)

    result_type: str = Field(alias="resultType")
    result: list[Any] | None = None


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)

    status: str = "success"
    error: str = "without a message"
    data: _Data | None = None


def _lines(text: str, source: str) -> list[_Line]:
    answer = _answer(text, source)
    if answer.status == "error":
        raise InvalidArgument(f"{source}: Prometheus answered an error: {answer.error}")
    kind = answer.data.result_type if answer.data else ""
    if kind in ("vector", "scalar"):
        raise InvalidArgument(f"{source}: an instant query's answer ({kind}): ask /api/v1/query_range instead")
    if answer.data is None or kind != "matrix":
        raise InvalidArgument(f"{source}: no range answer of Prometheus: it needs data.resultType `matrix`")
    try:
        lines = [_Line.model_validate(line) for line in answer.data.result or ()]
    except ValidationError as error:
        raise InvalidArgument(f"{source}: a series cannot be read: {_first(error)}") from None
    if not any(line.values for line in lines):
        raise InvalidArgument(f"{source}: the answer holds no values: check the query's labels and its time range")
    return lines


def _answer(text: str, source: str) -> _Answer:
    cure = "save the answer of /api/v1/query_range as it is"
    try:
        return _Answer.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise InvalidArgument(f"{source}: not JSON ({error}): {cure}") from None
    except ValidationError as error:
        raise InvalidArgument(f"{source}: no answer of Prometheus ({_first(error)}): {cure}") from None


def _first(error: ValidationError) -> str:
    """Return the first thing that is wrong, and where."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _label(lines: Sequence[_Line], source: str, names: ArmNames) -> str:
    """Return the only label that has the canary's name among its values."""
    having = {label for line in lines for label, value in line.metric.items() if value == names.canary}
    if len(having) == 1:
        return having.pop()
    value = repr(names.canary)
    if having:
        said = ", ".join(sorted(having))
        raise InvalidArgument(f"{source}: several labels have the value {value} ({said}): choose with --label")
    cure = "say --label, --canary and --baseline"
    raise InvalidArgument(f"{source}: no label has the value {value}: {cure}; {_labels_said(lines)}")


def _labels_said(lines: Sequence[_Line]) -> str:
    values: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        for label, value in line.metric.items():
            if label != NAME:
                values[label].add(value)
    said = [f"{label} = {' | '.join(sorted(each)[:6])}" for label, each in sorted(values.items())]
    return f"the series have {'; '.join(said)}" if said else "the series have no labels: add `by (LABEL)` to the query"


def _differing(lines: Sequence[_Line]) -> list[str]:
    labels = sorted({label for line in lines for label in line.metric})
    return [each for each in labels if len({line.metric.get(each) for line in lines}) > 1] or ["nothing"]


def _stem(source: str) -> str:
    return source.replace("\\", "/").rpartition("/")[2].partition(".")[0]
