"""No series, however odd, breaks a judge: it gives a verdict with a finding a metric, and no warning."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from releaseops_mcp.canary.judges import Arm, Comparison, Series, Verdict, find_judge
from tests.canary.judges.test_judge_registry import NAMES

odd = st.one_of(
    st.floats(0.0, 1e6),
    st.sampled_from([0.0, math.nan, math.inf, 1e-300, 1e300]),
    st.integers(0, 3).map(float),
)
pair = st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)).map(lambda drawn: (min(drawn), max(drawn)))
unknown = st.just((math.nan, math.nan))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    """A metric with counts and one without, over 1 to 12 buckets."""
    buckets = draw(st.integers(1, 12))

    def column(cell: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(cell, min_size=buckets, max_size=buckets))

    arms = [Arm.of_counts(*zip(*column(st.one_of(pair, unknown)), strict=True)) for _ in range(3)]
    counted = Series(metric="errors", canary=arms[0], baseline=arms[1], stable=arms[2])
    plain = Series.of("level", column(odd), column(odd), higher_is_worse=draw(st.booleans()))
    return Comparison(series=(counted, plain))


@pytest.mark.parametrize("name", NAMES)
@given(comparison=comparisons(), every=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_any_series_gets_a_verdict(name: str, comparison: Comparison, every: int):
    verdict = find_judge(name).judge(comparison.every(every))

    assert [finding.metric for finding in verdict.findings] == ["errors", "level"]
    assert verdict.sentence.startswith(verdict.outcome)
    assert Verdict.model_validate(verdict.model_dump()).outcome == verdict.outcome
