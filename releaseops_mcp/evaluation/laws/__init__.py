"""The laws that a reward should keep, measured on what was played: each a finding with its verdict and its figures.

The classics are exact copies of their originals, so most laws are broken there; saying so, with figures, is the point.
A suite's own measurements are one module here that exports `SUITE_LAWS`.
"""

from collections.abc import Callable

from releaseops_mcp.arena import Arena
from releaseops_mcp.evaluation.laws.base import Case, Finding
from releaseops_mcp.evaluation.laws.reference import reference_of, stands_above
from releaseops_mcp.evaluation.laws.registry import laws_of
from releaseops_mcp.evaluation.laws.same_figure import same_figure
from releaseops_mcp.evaluation.runs import Run

__all__ = ["Finding", "measure"]


def measure(arena: Arena, run: Run, *, field: bool, tick: Callable[[], None] | None = None) -> list[Finding]:
    """Return the findings on a run, the first law first; `tick` is called for each episode that is re-scored.

    `field` says that every registered supervisor has played: without the whole field only the first law is measured.
    """
    findings = [same_figure(arena, run, tick)]
    reference = reference_of(run) if field else None
    if reference is None:
        return findings
    case = Case(run, reference)
    return [*findings, stands_above(case), *(law(case) for law in laws_of(run.tables.suite))]
