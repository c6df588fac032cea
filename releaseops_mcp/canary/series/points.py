"""What every reader gives: points in time, by metric, arm and kind of figure."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from releaseops_mcp.errors import InvalidArgument

ArmName = Literal["canary", "baseline", "stable"]
Kind = Literal["value", "events", "totals"]
ARMS: tuple[ArmName, ...] = ("canary", "baseline", "stable")


class Key(NamedTuple):
    """One column of figures."""

    metric: str
    arm: ArmName
    kind: Kind = "value"


@dataclass(frozen=True, slots=True)
class ArmNames:
    """How a file calls the arms."""

    canary: str = "canary"
    baseline: str = "baseline"
    stable: str = "stable"
    label: str = ""
    """The label whose values these are, in a Prometheus answer; empty: the only one that has the canary's."""

    def arm(self, name: str) -> ArmName | None:
        """Return the arm that a file calls by this name."""
        return next((arm for arm in ARMS if getattr(self, arm) == name), None)


@dataclass(slots=True)
class Points:
    """Figures by column and time (seconds); nan where a file says that there is none."""

    columns: dict[Key, dict[float, float]] = field(default_factory=dict[Key, dict[float, float]])

    def add(self, key: Key, points: dict[float, float], source: str) -> None:
        """Add a column; raises InvalidArgument where another file had a point of it at the same time."""
        column = self.columns.setdefault(key, {})
        if column.keys() & points.keys():
            raise InvalidArgument(
                f"{source}: {key.metric} of the {key.arm} was in a file before, at the same times: give each metric a "
                "name of its own (a `metric` column, or a file name)"
            )
        column.update(points)

    def metrics(self) -> list[str]:
        """Return the metrics, in the order in which they were read."""
        return list(dict.fromkeys(key.metric for key in self.columns))
