"""The canary's telemetry: the setup once, then the figures of each interval; a view is a line.

A supervisor that looks at everything makes fifty calls, and they should fit: a series is told by the means of its
older and its newer half, in two digits as the observation has them, and alerts by the service that they concern.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from releaseops_mcp.agents.base import Turn
from releaseops_mcp.episodes.base import Json, Suite
from training.rendering.base import Rendering
from training.rendering.notation import write

STANDING = ("minute", "weight", "errors", "tail", "alerts")
"""What every observation shows; the first one also tells the setup."""
COMPARED = ("errors", "tail")
"""The figures of the interval: shown with each decision, whatever they were before, and not with each look."""
SETUP: Mapping[str, str] = {
    "service": "service",
    "requests_per_minute": "rpm",
    "interval_minutes": "interval",
    "deadline_minute": "deadline",
    "segment": "segment",
    "downstream": "downstream",
    "usual": "usual",
}
"""Setup field to name shown."""
FRESH = ("canary", "baseline")
"""The arms whose course is shown; of the stable one only the mean."""

BRIEF = """\
You supervise a canary rollout on noisy telemetry. Raise a sound change to weight 100 before the deadline; roll a bad
one back, quickly. False alarms cost, bad promotions cost more, harm grows with weight and time.
errors: per 10000 of [canary, fresh baseline]; tail: canary p99, % of baseline's; alerts: names firing, only hints.
Compare with the baseline, not with stable or usual. A look shows the [older, newer] half of its window and takes time.
Asking takes more."""


class CanaryRendering(Rendering):
    """Short names for the setup; views without what a decision does not need."""

    suite = "canary"

    def brief(self, suite: Suite) -> str:
        """Return the suite's task in a few lines, with the legend of the names."""
        return BRIEF

    def shape(self, observation: Json) -> Json:
        """Return what changes from turn to turn; errors and tail times 100, which makes whole numbers of most."""
        shown = {name: observation[name] for name in STANDING}
        return shown | {"errors": [_times_100(value) for value in shown["errors"]], "tail": _times_100(shown["tail"])}

    def moved(self, before: Json, turn: Turn) -> Json:
        """Return what else moved: behind a look little but the minute, behind a decision the interval's figures too."""
        if turn.error is not None:
            return {}
        now, changed = self.shape(turn.observation), super().moved(before, turn)
        kept = {name: value for name, value in changed.items() if name not in COMPARED}
        return kept if turn.result else kept | {name: now[name] for name in COMPARED}

    def first(self, observation: Json) -> str:
        """Return the setup and the figures at the start."""
        setup = {name: observation[field] for field, name in SETUP.items() if field in observation}
        return write(setup | self.shape(observation))

    def found(self, result: Json) -> Json:
        """Return an answer as it is, the firing alerts by service, a series as two figures an arm."""
        if "service" in result:
            return {name: result[field] for field, name in SETUP.items()}
        if "firing" in result:
            return {"firing": _by_service(result["firing"])}
        if "bucket_minutes" not in result:
            return result
        return {arm: _halves(result[arm]) for arm in FRESH} | {"stable": _mean(result["stable"])}


def _times_100(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)


def _by_service(alerts: Sequence[Json]) -> Json:
    """Return the names of the alerts that concern each service."""
    found: dict[str, dict[str, None]] = {}
    for alert in alerts:
        found.setdefault(str(alert["labels"].get("service")), {})[alert["name"]] = None
    return {service: list(names) for service, names in found.items()}


def _halves(values: Sequence[float | None]) -> list[Any]:
    """Return the means of a series' older and newer half, null where one has no value."""
    middle = len(values) // 2
    return [_mean(values[:middle]), _mean(values[middle:])]


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that there are, in two digits."""
    held = [value for value in values if value is not None]
    return float(f"{fmean(held):.2g}") if held else None


RENDERING = CanaryRendering()
