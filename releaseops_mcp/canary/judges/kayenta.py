"""Whole samples compared by rank and scored over all metrics, as Kayenta's standard judge does."""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.base import Judge, needed
from releaseops_mcp.canary.judges.ranks import Shift, shift
from releaseops_mcp.canary.judges.samples import Missing, filled, without_outliers
from releaseops_mcp.canary.judges.series import Against, Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Verdict

Class = Literal["Pass", "High", "Low", "Nodata"]

TOLERANCE = 0.25
"""Share of the Hodges-Lehmann shift that the interval's near end must lie beyond zero."""
ENOUGH_POINTS = 50
"""Points a metric under which the rank test is known to be weak."""
MOST_WITHOUT_DATA = 0.5
"""Share of metrics without data at which the whole fails."""


class Kayenta(Judge):
    """Fails by score: the weighted share of metrics whose canary does not differ for the worse.

    A metric is High where the confidence interval of the shift lies above a quarter of the shift itself and the effect
    reaches `allowed`; Low likewise below. Only the direction that is worse counts, the other is a Pass.
    Equal or constant samples pass. It compares whole samples, so it sees neither a short burst nor a wider spread.
    """

    name: ClassVar[str] = "kayenta-like"

    confidence: float = Field(default=0.98, gt=0.5, lt=1.0)
    """Confidence of the interval of the shift."""
    effect: Literal["mean_ratio", "cles"] = "mean_ratio"
    """How an effect is measured: the ratio of the means, or the chance that a canary value is the larger one."""
    allowed: float | None = None
    """Effect from which an increase is of concern, such as 1.1; None: any (1 for a ratio, .5 for cles). A metric for
    which lower is worse mirrors it (1 / it; 1 - it for cles)."""
    missing: Missing = "remove"
    """What becomes of a missing value: `remove`, or `replace` by 0 as suits counts of errors."""
    outliers: Literal["keep", "remove"] = "keep"
    """Whether values far outside the quartiles are left out, arm by arm."""
    outlier_factor: float = Field(default=3.0, ge=0.0)
    """How many interquartile ranges are far."""
    zero_control: Literal["pass", "judge"] = "pass"
    """What a mean ratio to a control of zeros is: no effect, which lets a canary with the first errors ever pass, or
    `judge`: an infinite one, so that the ranks decide."""
    weights: Mapping[str, float] = Field(default_factory=dict)
    """Weights of metrics in the score, by name; 1 where none is given."""
    critical: frozenset[str] = frozenset()
    """Metrics that must pass: if one does not, the score is 0."""
    pass_score: float = 95.0
    """Score from which the whole passes."""
    marginal_score: float = 75.0
    """Score from which it is inconclusive rather than failed."""
    against: Against = "baseline"
    """The control: `baseline`, `stable`, or `pooled`."""

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison."""
        classes = {series.metric: self.classify(series) for series in comparison.series}
        findings = tuple(_finding(series, *classes[series.metric]) for series in comparison.series)
        labels: dict[str, Class] = {metric: label for metric, (label, _) in classes.items()}
        score = self.score(labels)
        outcome: Outcome = "pass" if score >= self.pass_score else "fail"
        if outcome == "fail" and score >= self.marginal_score:
            outcome = "inconclusive"
        figures = {"score": score, "without_data": float(list(labels.values()).count("Nodata"))}
        said = f"{outcome}, score {score:.0f}: {_reasons(findings)}"
        return Verdict(judge=self.name, outcome=outcome, sentence=said, findings=findings, figures=figures)

    def classify(self, series: Series) -> tuple[Class, Mapping[str, float]]:
        """Return what a metric's canary is against its control, and the figures behind it."""
        control = needed(series.control(self.against), series, self.name)
        canary, old = self._cleaned(series.canary.array), self._cleaned(control.array)
        figures = {"canary_points": float(canary.size), "control_points": float(old.size)}
        if not canary.size or not old.size:
            return ("Pass" if self.missing == "replace" else "Nodata"), figures
        if canary.min() == old.min() == canary.max() == old.max():
            return "Pass", figures
        moved = shift(canary, old, self.confidence)
        effect = self._effect(canary, old, moved)
        figures |= {"shift": moved.estimate, "low": moved.low, "high": moved.high, "effect": effect}
        return self._class(moved, effect, higher_is_worse=series.higher_is_worse), figures

    def score(self, classes: Mapping[str, Class]) -> float:
        """Return 0 .. 100: the weighted share of metrics that pass among those that have data.

        0 where half of the metrics or more have none, or where a critical one does not pass.
        """
        without = [metric for metric, label in classes.items() if label == "Nodata"]
        failed_critical = any(label != "Pass" for metric, label in classes.items() if metric in self.critical)
        if failed_critical or len(without) >= MOST_WITHOUT_DATA * len(classes):
            return 0.0
        weights = {metric: self.weights.get(metric, 1.0) for metric in classes if metric not in without}
        total = sum(weights.values())
        passed = sum(weight for metric, weight in weights.items() if classes[metric] == "Pass")
        return 100.0 * passed / total if total else 0.0

    def _cleaned(self, values: Array) -> Array:
        known = filled(values, self.missing)
        return without_outliers(known, self.outlier_factor) if self.outliers == "remove" else known

    def _effect(self, canary: Array, control: Array, moved: Shift) -> float:
        if self.effect == "cles":
            return moved.superiority
        if control.mean() == 0.0:
            return math.nan if self.zero_control == "pass" else math.copysign(math.inf, canary.mean())
        with np.errstate(over="ignore"):
            return float(canary.mean() / control.mean())

    def _class(self, moved: Shift, effect: float, *, higher_is_worse: bool) -> Class:
        """Return the class of a metric; an effect that is nan reaches nothing."""
        beyond = TOLERANCE * abs(moved.estimate)
        of_chance = self.effect == "cles"
        most = self.allowed if self.allowed is not None else (0.5 if of_chance else 1.0)
        if higher_is_worse:
            return "High" if moved.low > beyond and effect >= most else "Pass"
        least = 1.0 - most if of_chance else 1.0 / most
        return "Low" if moved.high < -beyond and effect <= least else "Pass"


def _finding(series: Series, label: Class, figures: Mapping[str, float]) -> Finding:
    few = min(figures["canary_points"], figures["control_points"]) < ENOUGH_POINTS
    caution = f" (under {ENOUGH_POINTS} points: weak)" if few else ""
    outcome: Outcome = "inconclusive" if label == "Nodata" else "pass" if label == "Pass" else "fail"
    reason = "has no data" if label == "Nodata" else f"does not differ{caution}"
    if "shift" in figures:
        interval = f"{figures['low']:.3g} to {figures['high']:.3g}"
        moved = f"shifted by {figures['shift']:.3g} ({interval}), effect {figures['effect']:.3g}"
        reason = f"is {label}, {moved}{caution}"
    return Finding(metric=series.metric, outcome=outcome, reason=reason, figures=figures)


def _reasons(findings: Sequence[Finding]) -> str:
    """Return what is said of the metrics that do not pass."""
    blamed = [f"{each.metric} {each.reason}" for each in findings if each.outcome != "pass"]
    more = f"; and {len(blamed) - 2} more" if len(blamed) > 2 else ""
    return f"{'; '.join(blamed[:2])}{more}" if blamed else "no metric is worse than allowed"
