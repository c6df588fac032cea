"""The judge that fails on evidence; see `evidence` for what that is."""

import math
from typing import ClassVar

import numpy as np
from pydantic import Field

from releaseops_mcp.canary.judges.arm import Array
from releaseops_mcp.canary.judges.counts import Counts, counts_of
from releaseops_mcp.canary.judges.evidence import log_e_process
from releaseops_mcp.canary.judges.margin import MarginJudge
from releaseops_mcp.canary.judges.series import Against, Comparison, Series
from releaseops_mcp.canary.judges.verdict import Finding, Outcome, Trace, Verdict, together
from releaseops_mcp.errors import InvalidArgument


class EProcess(MarginJudge):
    """Fails as soon as the evidence of harm beyond `margin` exceeds 1 / alpha; may be asked after every bucket.

    It passes once the evidence that the harm is below `harm` exceeds the same bound, and is inconclusive until then.
    Needs counts; metrics without are left aside and said to be. The bound is shared among the metrics, so that the
    chance of any false failure stays at `alpha`. Load and incidents that both arms share need no model; a disturbance
    of the canary's own that is not the change's doing is what the margin is for.
    """

    name: ClassVar[str] = "e-process"

    alpha: float = Field(default=0.05, gt=0.0, lt=1.0)
    """Chance of ever failing a canary within the margin."""
    restart: int | None = Field(default=None, ge=1)
    """Every how many buckets the evidence also begins anew, to find harm that sets in late; None: never."""
    against: Against = "pooled"
    """The control: `baseline`, `stable`, or `pooled`."""

    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison; raises InvalidArgument where no metric has counts."""
        counted = {each.metric: counts_of(each, self.against, self.name) for each in comparison.series}
        having = sum(counts is not None for counts in counted.values())
        if not having:
            raise InvalidArgument(
                f"{self.name} needs events and totals, and {', '.join(counted)} has none: give counts, or take a judge "
                "that compares values, such as kayenta-like"
            )
        bound = math.log(having / self.alpha)
        findings = [self._finding(each, counted[each.metric], bound) for each in comparison.series]
        judged = together(self.name, [each for each in findings if each.figures])
        return judged.model_copy(update={"findings": tuple(findings), "figures": {"bound": math.exp(bound)}})

    def _finding(self, series: Series, counts: Counts | None, bound: float) -> Finding:
        if counts is None:
            return Finding(metric=series.metric, outcome="inconclusive", reason="is left aside: it has no counts")
        harm = log_e_process(counts, self.margin, self.restart)
        safety = log_e_process(counts.swapped(), 1.0 / self.ruled_out)
        outcome = self._outcome(harm, safety, bound)
        figures = {
            "events": float(counts.all_events.sum()),
            "ratio": rate_ratio(counts),
            "log10_evidence_of_harm": _most(harm),
            "log10_evidence_of_safety": _most(safety),
        }
        trace = Trace(
            label="evidence of harm, log10",
            values=tuple(harm / math.log(10.0)),
            bound=(bound / math.log(10.0),) * harm.size,
        )
        reason = self._reason(outcome, figures["ratio"], harm, bound)
        return Finding(metric=series.metric, outcome=outcome, reason=reason, figures=figures, trace=trace)

    def _outcome(self, harm: Array, safety: Array, bound: float) -> Outcome:
        if (harm >= bound).any():
            return "fail"
        return "pass" if (safety >= bound).any() else "inconclusive"

    def _reason(self, outcome: Outcome, ratio: float, harm: Array, bound: float) -> str:
        seen = "has no events" if math.isnan(ratio) else f"is {ratio:.3g} times the control's"
        if outcome == "fail":
            return f"{seen}: shown to be over {self.margin:g} in bucket {int(np.argmax(harm >= bound)) + 1}"
        if outcome == "pass":
            return f"{seen}: shown to be under {self.ruled_out:g}"
        return f"{seen}: shown neither over {self.margin:g} nor under {self.ruled_out:g}"


def rate_ratio(counts: Counts) -> float:
    """Return how many times the first arm's rate is the other's, over all buckets; nan where nothing happened.

    Estimated as Mantel and Haenszel do, so that a bucket's own level drops out.
    """
    whole = np.maximum(counts.totals + counts.other_totals, 1.0)
    ours = float((counts.events * counts.other_totals / whole).sum())
    theirs = float((counts.other_events * counts.totals / whole).sum())
    return ours / theirs if theirs else (math.inf if ours else math.nan)


def _most(evidence: Array) -> float:
    return float(evidence.max(initial=0.0)) / math.log(10.0)
