"""The e-process: its law (a supermartingale within the margin), its power, and what it takes and refuses."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp.canary.judges import Comparison, Series, find_judge
from releaseops_mcp.canary.judges.counts import Counts
from releaseops_mcp.canary.judges.e_process import rate_ratio
from releaseops_mcp.canary.judges.evidence import ABOVE_MARGIN, log_e_process
from releaseops_mcp.errors import InvalidArgument
from tests.canary.judges.conftest import NAN, counted, finding

MINUTES, RUNS = 120, 1_500

buckets = st.lists(
    st.tuples(st.integers(0, 40), st.integers(40, 900), st.integers(0, 40), st.integers(40, 900)),
    min_size=1,
    max_size=20,
).map(lambda rows: np.array(rows, dtype=np.float64).T)


def simulated(rng, ratio: float, *, requests: int = 600, rate: float = 0.004, own: float = 0.0) -> Counts:
    """RUNS rollouts of MINUTES: slow noise and an incident of six times the errors that both arms share."""
    shape = (RUNS, MINUTES)
    shared = np.cumsum(rng.normal(0.0, 0.15, shape), axis=1)
    shared[:, 40:55] += math.log(6.0)
    level = np.minimum(rate * np.exp(shared - shared.mean(axis=1, keepdims=True)), 0.1)
    totals, others = rng.poisson(requests, (2, *shape))
    noise = np.exp(rng.normal(0.0, own, (RUNS, 1)))
    events = rng.binomial(totals, np.minimum(level * ratio * noise, 0.9))
    other_events = rng.binomial(others, level)
    return Counts(*(each.astype(np.float64) for each in (events, totals, other_events, others)))


def ever_over(counts: Counts, margin: float, restart: int | None = None) -> float:
    """The share of runs whose evidence ever exceeds 20."""
    return float((log_e_process(counts, margin, restart) >= math.log(20.0)).any(axis=-1).mean())


def test_one_bucket_by_hand():
    """3 of 4 events in an arm with half of the traffic: (2 p)^3 (2 q) with p = f / (f + 1), averaged over f."""
    counts = Counts(*np.array([[3.0], [50.0], [1.0], [50.0]]))

    likelihood = [(2.0 * f / (f + 1.0)) ** 3 * 2.0 / (f + 1.0) for f in ABOVE_MARGIN]

    assert math.exp(log_e_process(counts, 1.0)[0]) == pytest.approx(np.mean(likelihood))


@pytest.mark.parametrize("restart", [None, 15])
@pytest.mark.parametrize(("ratio", "margin"), [(1.0, 1.0), (1.25, 1.25), (1.0, 1.25), (0.5, 1.0)])
def test_within_the_margin_it_hardly_ever_fails_however_often_one_looks(rng, ratio, margin, restart):
    assert ever_over(simulated(rng, ratio), margin, restart) <= 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize(("ratio", "margin"), [(1.0, 1.0), (1.25, 1.25), (1.1, 1.25)])
@pytest.mark.parametrize("events", [1, 7, 40])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_its_expectation_never_grows_within_the_margin(ratio, margin, events, share):
    """Exactly: summed over all that one bucket can bring."""
    weighted = share * ratio / (share * ratio + 1.0 - share)
    brought = np.arange(events + 1.0)
    chances = np.array([math.comb(events, int(k)) * weighted**k * (1.0 - weighted) ** (events - k) for k in brought])
    totals = np.full((events + 1, 1), 1_000.0)
    counts = Counts(brought[:, None], totals * share, events - brought[:, None], totals * (1.0 - share))

    expected = float(chances @ np.exp(log_e_process(counts, margin)[:, 0]))

    assert expected <= 1.0 + 1e-9


def test_it_finds_harm_the_sooner_the_larger_it_is(rng):
    found = [ever_over(simulated(rng, ratio), 1.0) for ratio in (1.0, 1.5, 2.0, 4.0)]

    assert found == sorted(found)
    assert found[-1] == 1.0


def test_harm_that_sets_in_late_is_found_where_evidence_begins_anew(rng):
    """A margin of 1.25 makes an hour of health weigh against the canary's later harm."""
    harmed, sound = simulated(rng, 1.9), simulated(rng, 0.9)
    late = Counts(
        *(
            np.concatenate([before[:, :80], after[:, :40]], axis=1)
            for before, after in zip(astuple(sound), astuple(harmed), strict=True)
        )
    )

    assert ever_over(late, 1.25, 10) > ever_over(late, 1.25) + 0.2


def test_evidence_that_began_with_the_first_bucket_is_half_of_the_mixture():
    counts = Counts(*np.array([[9.0, 8.0, 9.0], [500.0] * 3, [2.0, 1.0, 1.0], [500.0] * 3]))

    restarted, plain = (np.exp(log_e_process(counts, 1.0, restart)) for restart in (99, None))

    assert restarted == pytest.approx(0.5 * plain + 0.5)


@pytest.mark.parametrize(
    ("ratio", "requests", "least", "most", "delay"),
    [
        (1.0, 6_000, 0.0, 0.05, math.inf),
        (1.5, 6_000, 0.95, 1.0, 35),
        (2.0, 6_000, 0.99, 1.0, 12),
        (2.0, 600, 0.6, 0.95, 70),
        (4.0, 600, 0.98, 1.0, 15),
    ],
)
def test_power_and_delay_are_those_of_an_independent_prototype(rng, ratio, requests, least, most, delay):
    """A tenth of the traffic, base rate .3 %, slow shared noise, 120 looks, margin 1."""
    shape = (400, 120)
    noise = rng.normal(0.0, 0.3 * math.sqrt(1.0 - 0.9**2), shape)
    for at in range(1, 120):
        noise[:, at] += 0.9 * noise[:, at - 1]
    totals, others = rng.poisson(0.1 * requests, shape), rng.poisson(0.9 * requests, shape)
    level = np.minimum(0.003 * np.exp(noise), 0.2)
    events, other_events = rng.binomial(totals, level * ratio), rng.binomial(others, level)
    counts = Counts(*(each.astype(np.float64) for each in (events, totals, other_events, others)))

    over = log_e_process(counts, 1.0) >= math.log(20.0)

    assert least <= over.any(axis=1).mean() <= most
    found = over.any(axis=1)
    assert not found.any() or np.median(over.argmax(axis=1)[found]) <= delay


def test_noise_of_the_canarys_own_is_what_the_margin_is_for(rng):
    noisy = simulated(rng, 1.0, own=0.15, requests=6_000)

    assert ever_over(noisy, 1.0) > 0.25
    assert ever_over(noisy, 1.5) < 0.05


@given(buckets)
def test_arms_exchanged_twice_are_the_same_and_a_ratio_mirrors(columns):
    counts = Counts(*columns)

    assert np.array_equal(log_e_process(counts.swapped().swapped(), 1.25), log_e_process(counts, 1.25))
    ratio, mirrored = rate_ratio(counts), rate_ratio(counts.swapped())
    if math.isfinite(ratio) and ratio > 0.0:
        assert ratio * mirrored == pytest.approx(1.0)


@given(buckets, st.integers(2, 50))
def test_only_the_ratio_of_the_totals_matters(columns, factor):
    counts = Counts(*columns)
    larger = Counts(columns[0], columns[1] * factor, columns[2], columns[3] * factor)

    assert np.allclose(log_e_process(counts, 1.25), log_e_process(larger, 1.25))


@given(buckets)
def test_buckets_without_events_or_traffic_change_nothing(columns):
    padded = np.concatenate([columns, np.array([[0.0], [700.0], [0.0], [80.0]]), np.zeros((4, 1))], axis=1)

    evidence, longer = (log_e_process(Counts(*each), 1.25) for each in (columns, padded))

    assert longer[-1] == pytest.approx(evidence[-1])


def test_harm_in_both_directions_is_never_shown_at_once(rng):
    judge = find_judge("e-process", {"margin": 1.0, "harm": 1.2})
    totals = [5_000] * 60

    for ratio in (0.8, 1.0, 1.1, 1.2, 1.5):
        events = rng.binomial(5_000, 0.02 * ratio, 60)
        figures = finding(judge, counted((events, totals), (rng.binomial(5_000, 0.02, 60), totals))).figures
        assert min(figures["log10_evidence_of_harm"], figures["log10_evidence_of_safety"]) < 1.3


def test_too_little_traffic_decides_nothing():
    few = counted(([0, 1, 0], [20, 20, 20]), ([0, 0, 1], [20, 20, 20]))

    found = finding(find_judge("e-process"), few)

    assert found.outcome == "inconclusive"
    assert "neither over 1.25 nor under 2" in found.reason


def test_where_less_is_worse_the_control_is_the_suspect():
    totals = [5_000] * 30
    sales = counted(([150] * 30, totals), ([300] * 30, totals), higher_is_worse=False)

    found = finding(find_judge("e-process"), sales)

    assert found.outcome == "fail"
    assert found.figures["ratio"] == pytest.approx(2.0)


def test_unknown_buckets_are_left_out():
    whole = counted(([9, 9], [500, 500]), ([3, 3], [500, 500]))
    holed = counted(([9, NAN, 9, 0], [500, 500, 500, 0]), ([3, 3, 3, 3], [500, 500, 500, 500]))
    judge = find_judge("e-process")

    assert finding(judge, holed).figures == pytest.approx(dict(finding(judge, whole).figures))


def test_the_bound_is_shared_among_the_metrics_that_have_counts():
    series = counted(([9], [500]), ([3], [500])).series[0]
    plain = Series.of("latency", [1.0], [1.0])
    pair = Comparison(series=(series, series.model_copy(update={"metric": "other"}), plain))
    judge = find_judge("e-process")

    assert judge.judge(Comparison(series=(series, plain))).figures["bound"] == pytest.approx(20.0)
    assert judge.judge(pair).figures["bound"] == pytest.approx(40.0)


def test_metrics_without_counts_are_left_aside_and_refused_where_there_is_no_other():
    totals, plain = [5_000] * 30, Series.of("latency", [9.0] * 30, [1.0] * 30)
    counts = counted(([50] * 30, totals), ([50] * 30, totals)).series[0]

    verdict = find_judge("e-process").judge(Comparison(series=(plain, counts)))

    assert verdict.outcome == "pass"
    assert "no counts" in verdict.findings[0].reason
    with pytest.raises(InvalidArgument, match="needs events and totals, and latency has none"):
        find_judge("e-process").judge(Comparison(series=(plain,)))


def test_the_pooled_control_is_the_default_and_may_be_one_arm():
    totals = [1_000]
    comparison = counted(([6], totals), ([2], totals), ([4], [8_000]))

    by_arm = {
        against: finding(find_judge("e-process", {"against": against}), comparison).figures
        for against in ("baseline", "stable", "pooled")
    }

    assert by_arm["baseline"]["ratio"] == pytest.approx(3.0)
    assert by_arm["stable"]["ratio"] == pytest.approx(12.0)
    assert by_arm["pooled"]["ratio"] == pytest.approx(9.0)
    assert finding(find_judge("e-process"), comparison).figures == by_arm["pooled"]
