"""Series that judges are tried on."""

import math

import numpy as np
import pytest

from releaseops_mcp.canary.judges import Arm, Comparison, Finding, Judge, Series
from releaseops_mcp.canary.judges.arm import Numbers

NAN = math.nan

Counts = tuple[Numbers, Numbers]
"""Events and totals."""


def one(canary: Numbers, baseline: Numbers | None = None, *, higher_is_worse: bool = True) -> Comparison:
    """A comparison of one metric, `errors`, by its values."""
    return Comparison(series=(Series.of("errors", canary, baseline, higher_is_worse=higher_is_worse),))


def counted(
    canary: Counts,
    baseline: Counts,
    stable: Counts | None = None,
    *,
    higher_is_worse: bool = True,
) -> Comparison:
    """A comparison of one metric, `errors`, by (events, totals) of each arm."""
    return Comparison(
        series=(
            Series(
                metric="errors",
                canary=Arm.of_counts(*canary),
                baseline=Arm.of_counts(*baseline),
                stable=None if stable is None else Arm.of_counts(*stable),
                higher_is_worse=higher_is_worse,
            ),
        )
    )


def finding(judge: Judge, comparison: Comparison) -> Finding:
    """What a judge finds of the only metric."""
    (only,) = judge.judge(comparison).findings
    return only


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)
