"""Whatever an agent sends, an episode answers with a documented code or a decision, and never crashes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.classic_canary.contract import ACTION_TYPES, STATE_LABELS
from releaseops_mcp.simulation import Simulation

any_text = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates included
huge_text = st.builds(lambda text, times: text * times, any_text, st.integers(1, 3000))
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), any_text, huge_text, st.binary(max_size=8))
any_value = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(any_text, inner, max_size=4)),
    max_leaves=8,
)
near_misses = st.fixed_dictionaries(
    {},
    optional={
        "action_type": st.one_of(st.sampled_from(ACTION_TYPES), any_value),
        "reasoning": st.one_of(st.just("a reason that is long enough"), any_value),
        "slo_breach_detected": st.one_of(st.booleans(), st.sampled_from(["yes", "no", 1, 0]), any_value),
        "state_assessment": st.one_of(st.sampled_from(STATE_LABELS), any_value),
        "metadata": any_value,
    },
)
arguments = st.one_of(any_value, near_misses, st.dictionaries(any_text, any_value, max_size=4))
calls = st.lists(st.tuples(st.sampled_from(["decide_rollout", "deploy", ""]), arguments), max_size=6)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(list(SUITE.grid(range(-1, 2)))), calls)
def test_any_call_is_applied_or_refused_with_a_documented_code(scenario_id, calls):
    simulation = Simulation.of(scenario_id)
    for tool, sent in calls:
        before = simulation.episode.observe()
        judged = simulation.call(tool, canonical.plain(sent))
        if judged.refusal is not None:
            assert judged.refusal.code in SUITE.error_codes
            assert judged.refusal.kind is SUITE.error_codes[judged.refusal.code]
            assert len(judged.refusal.message) < 2000
            assert judged.observation == before
            assert judged.earned.reward == 0.0
    canonical.dumps(simulation.tally.report())


valid = st.fixed_dictionaries(
    {
        "action_type": st.sampled_from(ACTION_TYPES),
        "reasoning": st.text(st.characters(exclude_categories=["Cs"]), min_size=15, max_size=60),
        "slo_breach_detected": st.booleans(),
        "state_assessment": st.sampled_from(STATE_LABELS),
    }
)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(list(SUITE.grid(range(-3, 4)))), st.lists(valid, max_size=14))
def test_any_valid_play_is_scored_within_the_published_range(scenario_id, decisions):
    simulation = Simulation.of(scenario_id)
    for decision in decisions:
        alive = not simulation.done
        judged = simulation.call("decide_rollout", decision)
        assert judged.refusal is None
        assert judged.result["applied"] is alive
        assert 0.0001 <= judged.earned.reward <= 0.9999 if alive else judged.earned.reward == 0.0
    score = simulation.score()
    assert 0.0 <= score.total <= 1.0
    assert score.metrics["steps"] <= 12
