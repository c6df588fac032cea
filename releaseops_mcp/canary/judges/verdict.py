"""What a judge says: one outcome, a finding a metric, the figures behind it, and a sentence."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["pass", "fail", "inconclusive"]


class Trace(BaseModel):
    """How a judge's evidence on one metric moved, a point a bucket of time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    label: str
    values: tuple[float, ...]
    """(buckets,) nan where the judge had none."""
    bound: tuple[float, ...]
    """(buckets,) at which value it counts against the canary; nan where it could not."""


class Finding(BaseModel):
    """What a judge holds of one metric."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    outcome: Outcome
    reason: str
    """A readable half sentence, without the metric's name."""
    figures: Mapping[str, float] = Field(default_factory=dict)
    """The evidence, by name."""
    trace: Trace | None = None


class Verdict(BaseModel):
    """A judge's answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: str
    outcome: Outcome
    sentence: str
    """The outcome and what decided it."""
    findings: tuple[Finding, ...]
    """One a metric, in the order of the comparison."""
    figures: Mapping[str, float] = Field(default_factory=dict)
    """Evidence over all metrics, such as a score."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that decided: those with the verdict's own outcome."""
        return tuple(each.metric for each in self.findings if each.outcome == self.outcome)


def together(judge: str, findings: Sequence[Finding]) -> Verdict:
    """Return the verdict of a judge for whom one failing metric is enough, and which passes only if all pass."""
    outcomes = {each.outcome for each in findings}
    outcome: Outcome = (
        "fail" if "fail" in outcomes else "inconclusive" if "inconclusive" in outcomes or not findings else "pass"
    )
    return Verdict(judge=judge, outcome=outcome, sentence=sentence(outcome, findings), findings=tuple(findings))


def sentence(outcome: Outcome, findings: Sequence[Finding]) -> str:
    """Return the outcome and the first metrics that share it, readable."""
    named = [f"{each.metric} {each.reason}" for each in findings if each.outcome == outcome]
    more = f"; and {len(named) - 2} more" if len(named) > 2 else ""
    return f"{outcome}: {'; '.join(named[:2])}{more}" if named else outcome
