"""Texts for the model are short, say what changed and nothing twice."""

import re

import pytest

from releaseops_mcp.agents.base import Turn
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.simulation import Simulation
from training.rendering.base import Rendering
from training.rendering.changes import changes
from training.rendering.notation import atom, write
from training.rendering.registry import rendering_of, renderings


def turn(observation, *, result=None, error=None, message="", done=False, reason=None) -> Turn:
    return Turn(result, error, observation, done, reason, message)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (140.0, "140"),
        (0.1 + 0.2, "0.3"),
        ("plain", "plain"),
        ("two words", '"two words"'),
        ("true", '"true"'),
        ("12", '"12"'),
        ("ä", '"ä"'),
        ({"a": 1, "b": ["x", "y z"]}, '{a:1,b:[x,"y z"]}'),
    ],
)
def test_quotes_stand_only_where_a_text_would_be_misread(value, text):
    assert atom(value) == text


def test_items_share_a_line_and_objects_of_a_list_have_one_each():
    assert write({"a": 1, "b": "x"}) == "a:1 b:x"
    assert (
        write({"a": 1, "rows": [{"id": "p1", "n": 2}, {"id": "p2"}], "b": 2}) == "a:1\nrows:\n- id:p1 n:2\n- id:p2\nb:2"
    )
    assert write({"rows": []}) == "rows:[]"


def test_only_what_differs_is_a_change():
    before = {
        "same": 1,
        "gone": 2,
        "inner": {"a": 1, "b": 2},
        "rows": [{"id": "p1", "s": 0, "t": 1}, {"id": "p2", "s": 0}],
    }
    after = {"same": 1, "inner": {"a": 1, "b": 3}, "rows": [{"id": "p1", "s": 1, "t": 1}, {"id": "p3"}], "new": 4}
    assert changes(before, before) == {}
    assert changes(before, after) == {
        "inner": {"b": 3},
        "rows": [{"id": "p1", "s": 1}, {"id": "p3"}, {"id": "p2", "gone": True}],
        "new": 4,
        "gone": None,
    }


def test_a_list_without_ids_is_shown_whole():
    assert changes({"tail": [1, 2]}, {"tail": [1, 2, 3]}) == {"tail": [1, 2, 3]}
    assert changes({"rows": [{"id": "a"}, {"id": "a"}]}, {"rows": [{"id": "a"}]}) == {"rows": [{"id": "a"}]}


def test_true_and_one_differ():
    assert changes({"flag": 1}, {"flag": True}) == {"flag": True}


def test_a_later_text_shows_result_changes_and_end_and_a_refusal_its_reason():
    default = Rendering()
    before = {"reads": 0, "open": True}
    assert default.first(before) == "reads:0 open:true"
    assert default.later(before, turn({"reads": 1, "open": True}, result={"diff": "x y"})) == 'diff:"x y"\nreads:1'
    assert (
        default.later(before, turn(before, error="no_budget", message="it is spent"))
        == "refused: no_budget: it is spent"
    )
    assert (
        default.later(before, turn({"reads": 0, "open": False}, done=True, reason="shipped"))
        == "open:false\nover: shipped"
    )
    assert default.later(before, turn(before)) == "nothing changed"
    assert default.later(before, turn(before, done=True)) == "over: closed"


def test_a_suite_without_a_file_gets_the_default():
    assert rendering_of("no-such-suite").suite == ""
    assert {"classic-gate", "classic-canary"} <= renderings().keys()


@pytest.mark.parametrize("name", ["classic-gate", "classic-canary"])
def test_no_fact_of_the_first_observation_of_a_classic_is_lost(name):
    # given two worlds of a suite that look different
    scenarios = list(suites()[name].grid(range(12)))
    shown = [Simulation.of(scenario).first_observation for scenario in scenarios]
    texts = [rendering_of(name).first(observation) for observation in shown]
    # then their texts differ exactly where they do
    for one, text in zip(shown, texts, strict=True):
        for other, its_text in zip(shown, texts, strict=True):
            assert (one == other) == (text == its_text)


def test_the_copy_of_the_observation_in_a_hold_is_not_said_twice():
    simulation = Simulation.of(suites()["classic-gate"].default_scenario)
    before = simulation.first_observation
    judged = simulation.call("hold_release", {"reason_code": "awaiting_fix"})
    text = rendering_of("classic-gate").later(before, turn(judged.observation, result=judged.result))
    assert text.count("proposals:") == 1
    assert "updated_observation" not in text
    assert "hours:24" in text


def test_canary_telemetry_reads_in_short_names_and_units():
    simulation = Simulation.of(suites()["classic-canary"].default_scenario)
    assert rendering_of("classic-canary").first(simulation.first_observation) == (
        "traffic:0 err:10 stable_err:10 p99:140 stable_p99:140 gap:0 alerts:0 holds:0 step:0 max_err:50 max_p99:200 "
        "max_gap:null"
    )


def canary_turns(*calls: tuple[str, dict]) -> list[str]:
    """Play calls on one rollout and return the texts, the first one included."""
    simulation = Simulation.of("canary/f01-bigbang/seed-0")
    rendering, before = rendering_of("canary"), simulation.first_observation
    texts = [rendering.first(before)]
    for tool, arguments in calls:
        judged = simulation.call(tool, arguments)
        texts.append(rendering.later(before, turn(judged.observation, result=judged.result, done=judged.done)))
        before = judged.observation
    return texts


def test_a_rollouts_setup_is_told_once_and_its_figures_with_every_decision():
    hold = ("decide_rollout", {"action_type": "hold", "diagnosis": "healthy"})
    first, *later = canary_turns(hold, hold)
    assert first.startswith("service:booking rpm:16000 interval:8 deadline:128 segment:")
    assert first.endswith("\nminute0 weight5 errors?,? tail? alerts0")
    assert all(re.fullmatch(r"minute\d+ errors[\d.]+,[\d.]+ tail[\d.]+ alerts\d", text) for text in later)


def test_a_look_at_a_rollout_is_one_line_of_two_figures_an_arm():
    _, look, alerts, answer = canary_turns(
        ("inspect_metric", {"metric": "latency_p99"}),
        ("inspect_metric", {"metric": "alerts"}),
        ("ask_on_call", {"question": next(iter(suites()["canary"].tools[3].parameters[0].enum))}),
    )
    assert re.fullmatch(r"canary\S+,\S+ baseline\S+,\S+ stable\S+", look)
    assert alerts.startswith("firing:{")
    assert re.fullmatch(r"answer:(true|false)\nminute\d+", answer)
