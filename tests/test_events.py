"""Events encode canonically, keep names printable, and refuse what does not belong into a log."""

import json

import pytest
from pydantic import ValidationError

from releaseops_mcp import canonical, events
from releaseops_mcp.canonical import Encoded
from releaseops_mcp.events import RECORDED, EpisodeEnd, Event, Message, ModelCall, Origin, ToolCall, ToolResult


def result(**changed) -> ToolResult:
    fields = {
        "tool": "observe",
        "step": 1,
        "judged": True,
        "error": None,
        "message": None,
        "result": {"b": 1, "a": 2},
        "observation": Encoded.of({"hours": 24}),
        "observation_hash": "0" * 64,
        "done": False,
        "terminal_reason": None,
        "duration_ms": 0.5,
    }
    return ToolResult(**fields | changed)


def test_a_result_encodes_its_observation_as_it_was_encoded_before():
    text = result().encoded()
    assert json.loads(text)["observation"] == {"hours": 24}
    assert text == canonical.dumps(json.loads(text))


def test_a_refused_call_logs_no_observation():
    assert json.loads(result(observation=None, error="terminal").encoded())["observation"] is None


@pytest.mark.parametrize(
    "event",
    [
        EpisodeEnd(reason=None, steps=3),
        ToolCall(tool="x", arguments={"a": [1, "\ud800"]}, action_id=None, expected_step=None, origin=None),
        Message(role="assistant", content="I hold."),
        ModelCall(model="m", input_tokens=1, output_tokens=2),
    ],
)
def test_every_event_encodes_as_canonical_json(event):
    assert event.encoded() == canonical.dumps(json.loads(event.encoded()))


def test_no_event_has_a_field_for_truth_or_reward():
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    fields = {name for kind in kinds for name in kind.model_fields}
    assert len(kinds) == 8
    assert not fields & {"truth", "reward", "score", "verdict", "violation"}


def test_names_from_outside_become_printable_and_short():
    origin = Origin(door="mcp", client="a\x00b\ud800\n", agent="n" * 500)
    assert origin.client == "a?b??"
    assert len(origin.agent) == 200


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("message", {"role": "judge", "content": ""}),
        ("message", {"role": "user", "content": "", "reward": 1}),
        ("model_call", {"model": "m", "input_tokens": -1, "output_tokens": 0}),
        ("model_call", {"model": "m", "input_tokens": 0, "output_tokens": 0, "cost_usd": float("nan")}),
    ],
)
def test_what_an_agents_side_may_not_record_is_refused(kind, data):
    with pytest.raises(ValidationError):
        RECORDED[kind].model_validate(data)


def test_events_cannot_be_changed():
    with pytest.raises(ValidationError):
        EpisodeEnd(reason=None, steps=3).steps = 4


def test_a_trace_context_is_in_the_log_only_where_a_client_sent_one():
    call = ToolCall(tool="x", arguments={}, action_id=None, expected_step=None, origin=None)
    traced = call.model_copy(update={"traceparent": "00-1-2-01"})
    assert "traceparent" not in json.loads(call.encoded())
    assert json.loads(traced.encoded()) == json.loads(call.encoded()) | {"traceparent": "00-1-2-01"}


def test_a_caller_is_the_same_from_one_trace_to_the_next():
    one, other = (Origin(door="mcp", client="c", traceparent=trace) for trace in ("", "00-1-2-01"))
    assert one != other
    assert one.caller == other.caller
