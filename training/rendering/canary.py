"""How `canary` reads: the setup in short names once, then a line a decision, and a line a look.

A figure follows its name at once, since a small tokenizer pays a token for each mark between them, and has two digits.
A look ends with a control chart's word, whether the canary is two or three standard deviations worse: a small model
reads a word, but does not work a comparison out of four figures, whatever it is trained on.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, cast

from releaseops_mcp.agents.base import Turn
from releaseops_mcp.agents.scripted.canary.evidence import difference
from releaseops_mcp.episodes.base import Json, Suite
from training.rendering.base import OVER, Rendering
from training.rendering.notation import write

COMPARED = ("errors", "tail", "alerts")
"""The figures of the interval: shown with each decision, whatever they were before, and not with a look."""
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
THOUSANDS = 1_000
"""From here on figures are written in thousands: 1200 as 1.2k."""
UNKNOWN = "?"
CHART = ((3.0, "far worse"), (2.0, "worse"))
"""From how many standard deviations on a look says so."""

BRIEF = """\
You supervise a canary on noisy telemetry. Raise a sound change to weight 100 before the deadline; roll a bad
one back, quickly. False alarms cost, bad promotions more; harm grows with weight and time.
errors: canary,baseline per 10000; tail: canary p99, % of baseline's; alerts: firing, hints only.
Compare with the fresh baseline, not stable or usual. A look takes a minute: its window's older,newer half, shares
per 10000; worse by 2 sigma, far worse by 3. Asking takes ten."""


class CanaryRendering(Rendering):
    """Short names for the setup; views without what a decision does not need."""

    suite = "canary"
    version = "3"

    def brief(self, suite: Suite) -> str:
        """Return the suite's task in a few lines, with the legend of the names."""
        return BRIEF

    def shape(self, observation: Json) -> Json:
        """Return what changes from turn to turn; errors and tail times 100, which makes whole numbers of most."""
        return {
            "minute": observation["minute"],
            "weight": observation["weight"],
            "errors": [_times_100(value) for value in observation["errors"]],
            "tail": _times_100(observation["tail"]),
            "alerts": observation["alerts"],
        }

    def first(self, observation: Json) -> str:
        """Return the setup and the figures at the start."""
        setup = {name: observation[field] for field, name in SETUP.items() if field in observation}
        line = figures(self.shape(observation))
        return f"{write(setup)}\n{line}" if setup else line

    def later(self, before: Json, turn: Turn) -> str:
        """Return what a call came to: a decision's figures, a look's, or an answer and the time that it took."""
        if turn.error is not None:
            return super().later(before, turn)
        result, now = turn.result or {}, self.shape(turn.observation)
        moved = {name: value for name, value in self.moved(before, turn).items() if name not in COMPARED}
        if turn.done:
            return _lines(figures(moved), f"{OVER}: {turn.terminal_reason or 'closed'}")
        if "bucket_minutes" in result:
            return _look(result)
        if not result:
            return figures(moved | {name: now[name] for name in COMPARED})
        return _lines(write(self.found(result)), figures(moved))

    def found(self, result: Json) -> Json:
        """Return an answer as it is, the setup in its short names, the firing alerts by service."""
        if "service" in result:
            return {name: result[field] for field, name in SETUP.items()}
        return {"firing": _by_service(result["firing"])} if "firing" in result else result


def figures(shown: Json) -> str:
    """Return figures on one line, each behind its name, a comma between two of one name."""
    return " ".join(f"{name}{_figure_or_pair(value)}" for name, value in shown.items())


def figure(value: float | None) -> str:
    """Return a figure in two digits, at most two of them decimals; `?` where it is unknown."""
    if value is None:
        return UNKNOWN
    if isinstance(value, int):
        return str(value)
    rounded = round(float(f"{value:.2g}"), 2)
    return f"{rounded / 1000:g}k" if rounded >= THOUSANDS else f"{rounded:g}"


def _figure_or_pair(value: Any) -> str:
    return ",".join(map(figure, cast("list[float | None]", value))) if isinstance(value, list) else figure(value)


def _look(view: Json) -> str:
    """Return a series as two figures an arm, of the stable one as one, and how much worse the canary is.

    Shares of traffic are per 10000.
    """
    scale = 100.0 if view["unit"].startswith("% of") else 1.0
    fresh = {arm: _halves(view[arm], scale) for arm in FRESH}
    shown = figures(fresh | {"stable": _mean(view["stable"], scale)})
    beyond = next((word for least, word in CHART if difference(view) >= least), "")
    return f"{shown} {beyond}".rstrip()


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _times_100(value: float | None) -> float | None:
    return None if value is None else 100.0 * value


def _by_service(alerts: Sequence[Json]) -> Json:
    """Return the names of the alerts that concern each service."""
    found: dict[str, dict[str, None]] = {}
    for alert in alerts:
        found.setdefault(str(alert["labels"].get("service")), {})[alert["name"]] = None
    return {service: list(names) for service, names in found.items()}


def _halves(values: Sequence[float | None], scale: float) -> list[float | None]:
    """Return the means of a series' older and newer half, None where one has no value."""
    middle = len(values) // 2
    return [_mean(values[:middle], scale), _mean(values[middle:], scale)]


def _mean(values: Sequence[float | None], scale: float) -> float | None:
    """Return the scaled mean of the values that there are."""
    held = [value for value in values if value is not None]
    return scale * fmean(held) if held else None


RENDERING = CanaryRendering()
