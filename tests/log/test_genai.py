"""An episode as GenAI spans: complete, the same each time, in the client's trace, and without a secret."""

from dataclasses import asdict

import pytest

from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.canonical import dumps
from releaseops_mcp.errors import EnvironmentFault
from releaseops_mcp.events import Origin
from releaseops_mcp.log.genai import to_trace
from releaseops_mcp.log.trace import TraceContext
from tests import toys
from tests.clock import START_MS, sources
from tests.playing import fill, logged, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT, decision

TRACE, FIRST, SECOND = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
MODEL_CALL = {"model": "m-1", "input_tokens": 120, "output_tokens": 8, "latency_ms": 1500.5, "policy_version": "7"}


def spans(arena, episode_id, **options):
    return to_trace(logged(arena.store, episode_id), **options).spans


def traced(span_id: str) -> Origin:
    return Origin(door="mcp", client="inspector", traceparent=f"00-{TRACE}-{span_id}-01")


def test_an_episode_is_a_span_with_one_below_it_for_each_call(sqlite_arena, clock):
    episode_id = play(sqlite_arena, CANARY_SCENARIO, [decision("increase_10")])
    clock.advance(minutes=1)
    sqlite_arena.call(episode_id, *decision("rollback"), action_id="a-2")

    root, first, second = spans(sqlite_arena, episode_id)

    assert (root.name, root.kind, root.parent, root.error) == ("invoke_agent python", "internal", None, None)
    assert root.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert root.attributes["gen_ai.conversation.id"] == episode_id
    assert root.attributes["releaseops.scenario"] == CANARY_SCENARIO
    assert (root.start_ns, root.end_ns) == (START_MS * 1_000_000, (START_MS + 60_000) * 1_000_000)
    assert {span.context.trace_id for span in (root, first, second)} == {root.context.trace_id}
    assert first.parent == second.parent == root.context
    assert (first.name, first.kind) == ("execute_tool decide_rollout", "internal")
    assert first.attributes["gen_ai.tool.call.id"] == "call_1"
    assert second.attributes["gen_ai.tool.call.id"] == "a-2"
    assert second.attributes["releaseops.step"] == 2


def test_the_time_that_a_call_took_ends_with_its_answer(sqlite_arena):
    start, call, result = logged(sqlite_arena.store, play(sqlite_arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT])).events
    result.data["duration_ms"] = 2.001
    episode = logged(sqlite_arena.store, play(sqlite_arena, GATE_SCENARIO))
    changed = type(episode)(episode.id, 3, result.hash, (start, call, result), None)

    span = to_trace(changed).spans[1]

    assert (span.end_ns, span.end_ns - span.start_ns) == (START_MS * 1_000_000, 2_001_000)


def test_a_refused_call_ends_in_an_error(sqlite_arena):
    _, refused, good = spans(sqlite_arena, play(sqlite_arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT, HOLD]))

    assert refused.attributes["error.type"] == "unknown_artifact"
    assert refused.error
    assert good.error is None
    assert "error.type" not in good.attributes


def test_a_model_call_is_a_chat_span_that_says_only_what_is_known(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO)
    sqlite_arena.record(episode_id, "model_call", MODEL_CALL)
    sqlite_arena.record(episode_id, "model_call", {"model": "m\ud800", "input_tokens": None, "output_tokens": None})

    _, known, unknown = spans(sqlite_arena, episode_id)

    assert (known.name, known.kind, known.end_ns - known.start_ns) == ("chat m-1", "client", 1_500_500_000)
    assert known.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "_OTHER",
        "gen_ai.request.model": "m-1",
        "gen_ai.conversation.id": episode_id,
        "gen_ai.usage.input_tokens": 120,
        "gen_ai.usage.output_tokens": 8,
        "releaseops.seq": 1,
        "releaseops.policy_version": "7",
    }
    assert unknown.name == "chat m\\ud800"
    assert not [name for name in unknown.attributes if "usage" in name]


def test_exporting_twice_gives_the_same_spans_and_no_two_share_an_id(sqlite_arena):
    ids = fill(sqlite_arena)
    once, twice = ([span for each in ids for span in spans(sqlite_arena, each)] for _ in range(2))

    assert once == twice
    assert len({span.context.span_id for span in once}) == len(once)
    assert len({span.context.trace_id for span in once}) == len(ids)


def test_an_ended_episode_keeps_its_span_whatever_is_recorded_later(sqlite_arena, clock):
    [ended, *_] = fill(sqlite_arena)
    before = spans(sqlite_arena, ended)
    clock.advance(minutes=5)
    sqlite_arena.record(ended, "model_call", MODEL_CALL)

    assert spans(sqlite_arena, ended)[: len(before)] == before


def test_the_clients_trace_is_the_parent_and_its_later_calls_are_links(sqlite_arena):
    episode_id = sqlite_arena.start(GATE_SCENARIO, traced(FIRST)).episode_id
    sqlite_arena.call(episode_id, *HOLD, traced(SECOND))

    trace = to_trace(logged(sqlite_arena.store, episode_id))
    root, call = trace.spans

    assert trace.remote
    assert root.parent == TraceContext(TRACE, FIRST)
    assert (call.parent, call.link) == (root.context, TraceContext(TRACE, SECOND))
    assert root.context.trace_id == call.context.trace_id == TRACE


def test_a_trace_changes_neither_who_calls_nor_what_replays(sqlite_arena):
    episode_id = sqlite_arena.start(GATE_SCENARIO, traced(FIRST)).episode_id
    sqlite_arena.call(episode_id, *HOLD, traced(SECOND))
    sqlite_arena.call(episode_id, *HOLD, Origin(door="mcp", client="another", traceparent=traced(SECOND).traceparent))

    calls = [event for event in logged(sqlite_arena.store, episode_id).events if event.kind == "tool_call"]

    assert [call.data["origin"] for call in calls] == [None, {"door": "mcp", "client": "another"}]
    assert verify_store(sqlite_arena.store).replayed == 1


def test_a_traced_episode_is_restored_by_another_process(sqlite_arena, clock):
    episode_id = sqlite_arena.start(GATE_SCENARIO, traced(FIRST)).episode_id
    other = Arena(sqlite_arena.store, sources(clock, first=100))

    assert other.call(episode_id, *HOLD, traced(SECOND)).step == 1
    assert logged(sqlite_arena.store, episode_id).events[1].data["origin"] is None


def test_the_score_of_an_episode_that_is_over_is_an_event_at_its_end(sqlite_arena):
    gate, *_, running = fill(sqlite_arena)
    for episode_id, ended in ((gate, True), (running, False)):
        score, _ = sqlite_arena.report(episode_id)
        root = spans(sqlite_arena, episode_id, score=score)[0]
        assert [event.name for event in root.events] == ["gen_ai.evaluation.result"] * ended
        assert root.attributes["releaseops.ended"] is ended
    told = spans(sqlite_arena, gate, score=sqlite_arena.score(gate))[0]
    assert told.events[0].attributes["gen_ai.evaluation.score.value"] == sqlite_arena.score(gate).total
    assert told.events[0].at_ns == told.end_ns


@pytest.mark.parametrize("with_content", [False, True])
def test_neither_truth_nor_reward_is_in_a_span_without_a_score(with_content, sqlite_arena):
    for episode_id in fill(sqlite_arena):
        text = dumps([asdict(span) for span in spans(sqlite_arena, episode_id, with_content=with_content)])
        keys = text.replace("\\", "")
        assert not any(
            word in keys for word in ('"truth"', '"violation"', '"constants"', '"total"', "gen_ai.evaluation")
        )


def test_what_was_sent_and_read_is_in_a_span_only_when_asked_for(sqlite_arena):
    episode_id = play(sqlite_arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT])
    sqlite_arena.call(episode_id, "na\ud800me", ["no", "object"])

    _, without, _ = spans(sqlite_arena, episode_id)
    _, refused, odd = spans(sqlite_arena, episode_id, with_content=True)

    assert "gen_ai.tool.call.arguments" not in without.attributes
    assert refused.attributes["gen_ai.tool.call.arguments"] == '{"pr_id":"pr_none"}'
    assert refused.attributes["gen_ai.tool.call.result"].startswith("unknown_artifact: ")
    assert odd.name == "execute_tool na\\ud800me"
    assert odd.attributes["gen_ai.tool.call.arguments"] == '["no","object"]'


def test_a_fault_of_the_arena_is_an_exception_of_the_episode(sqlite_arena, monkeypatch):
    toys.install(monkeypatch)
    episode_id = play(sqlite_arena, toys.SCENARIO)
    with pytest.raises(EnvironmentFault):
        sqlite_arena.call(episode_id, "explode", {})

    [root] = spans(sqlite_arena, episode_id)

    assert [(event.name, event.attributes) for event in root.events] == [
        ("exception", {"exception.type": "RuntimeError"})
    ]
