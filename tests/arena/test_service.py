"""The arena opens, steps and closes episodes, and every event is in the log before it answers."""

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import PAGE_CHARS
from releaseops_mcp.arena.limits import Limits
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.episodes.classic_gate.episode import ClassicGateEpisode
from releaseops_mcp.errors import (
    AtCapacity,
    EnvironmentFault,
    EpisodeExpired,
    EpisodeOver,
    InvalidArgument,
    UnknownEpisode,
    UnknownScenario,
)
from releaseops_mcp.events import Origin
from tests import toys
from tests.clock import START_MS, sources
from tests.playing import HELD_TO_THE_END, ROLLED_BACK, kinds, logged, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT, decision

MESSAGE = {"role": "assistant", "content": "I hold."}


@pytest.fixture
def toy(monkeypatch) -> None:
    """Installs the toy suite."""
    toys.install(monkeypatch)


def events(arena, episode_id):
    return logged(arena.store, episode_id).events


def test_a_started_episode_logs_all_that_an_audit_must_know(arena):
    started = arena.start(GATE_SCENARIO, Origin(door="mcp", client="c"), capture="messages")
    (start,) = events(arena, started.episode_id)
    data = start.data
    assert (data["scenario"], data["named"], data["suite"]) == (GATE_SCENARIO, GATE_SCENARIO, "classic-gate")
    assert (data["capture"], data["origin"]["door"], data["origin"]["client"]) == ("messages", "mcp", "c")
    assert set(data["versions"]) == {"releaseops", "suite", "reward", "schema", "python"}
    assert data["observation"] == started.observation
    assert data["observation_hash"] == canonical.digest(started.observation)
    assert start.at_ms == START_MS


def test_an_unknown_scenario_starts_nothing(arena):
    with pytest.raises(UnknownScenario):
        arena.start("classic-gate/none/low/seed-1")
    assert arena.store.started() == 0


def test_a_call_is_logged_exactly_as_it_was_answered(arena):
    episode_id = play(arena, GATE_SCENARIO)
    answer = arena.call(episode_id, *HOLD)
    _, call, result = events(arena, episode_id)
    assert (call.data["tool"], call.data["arguments"]) == HOLD
    logged_answer = {key: result.data[key] for key in ("step", "result", "observation", "done", "terminal_reason")}
    assert logged_answer == {key: answer.public()[key] for key in logged_answer}
    assert result.data["observation_hash"] == canonical.digest(answer.observation)
    assert (result.data["judged"], result.data["error"]) == (True, None)


def test_a_refused_call_is_logged_with_its_code_and_changes_nothing(arena):
    episode_id = play(arena, GATE_SCENARIO)
    before = arena.peek(episode_id).observation
    answer = arena.call(episode_id, *UNKNOWN_ARTIFACT)
    assert (answer.refusal.code, answer.observation, answer.step) == ("unknown_artifact", before, 1)
    result = events(arena, episode_id)[-1].data
    assert (result["error"], result["message"], result["observation"]) == (
        "unknown_artifact",
        answer.refusal.message,
        None,
    )


def test_a_caller_is_noted_where_it_is_not_who_started_the_episode(arena):
    episode_id = arena.start(GATE_SCENARIO, Origin(door="mcp", agent="one")).episode_id
    arena.call(episode_id, *UNKNOWN_ARTIFACT, Origin(door="mcp", agent="one"))
    arena.call(episode_id, *UNKNOWN_ARTIFACT, Origin(door="http", agent="two"))
    callers = [event.data["origin"] for event in events(arena, episode_id) if event.kind == "tool_call"]
    assert callers == [None, {"door": "http", "agent": "two"}]


@pytest.mark.parametrize(
    ("scenario", "calls", "reason"),
    [(GATE_SCENARIO, HELD_TO_THE_END, "missed_deadline"), (CANARY_SCENARIO, ROLLED_BACK, None)],
    ids=["gate", "canary"],
)
def test_the_end_of_the_world_ends_the_record_with_a_score(arena, scenario, calls, reason):
    episode_id = play(arena, scenario, calls)
    row = arena.store.episode(episode_id)
    assert row.ended
    assert reason in (None, row.terminal_reason)
    assert kinds(arena.store, episode_id)[-1] != "message"
    (end,) = [event for event in events(arena, episode_id) if event.kind == "episode_end"]
    assert (end.data["reason"], end.data["steps"]) == (row.terminal_reason, end.data["steps"])
    scores = arena.store.scores(row.number)
    assert scores[-1].total == arena.report(episode_id)[0].total
    assert scores[-1].body["validity"] == "complete"


def test_after_the_end_classic_gate_charges_for_every_call(arena):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    before = arena.report(episode_id)[0].total
    answers = [arena.call(episode_id, *HOLD) for _ in range(2)]
    assert [answer.refusal.code for answer in answers] == ["terminal", "terminal"]
    assert answers[-1].earned.reward == pytest.approx(before - 0.5)
    scores = arena.store.scores(arena.store.episode(episode_id).number)
    assert scores[-1].total == pytest.approx(before - 0.5)
    assert scores[-1].supersedes == scores[-2].id
    assert kinds(arena.store, episode_id).count("episode_end") == 1


def test_after_the_end_classic_canary_answers_with_the_unchanged_observation_for_nothing(arena):
    episode_id = play(arena, CANARY_SCENARIO, ROLLED_BACK)
    before = arena.report(episode_id)[0]
    seen = arena.peek(episode_id).observation
    answer = arena.call(episode_id, *decision("increase_5"))
    assert (answer.refusal, answer.observation, answer.result["applied"]) == (None, seen, False)
    assert arena.report(episode_id)[0] == before
    assert len(arena.store.scores(arena.store.episode(episode_id).number)) == 1


def test_observe_answers_at_any_time_and_costs_nothing(arena):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    total = arena.report(episode_id)[0].total
    answer = arena.observe(episode_id)
    assert (answer.done, answer.result, answer.observation) == (True, None, arena.peek(episode_id).observation)
    assert arena.report(episode_id)[0].total == total
    result = events(arena, episode_id)[-1].data
    assert (result["tool"], result["judged"]) == ("observe", False)


@pytest.mark.usefixtures("toy")
def test_a_long_text_is_read_on_by_observe_in_this_process_and_the_next(arena, second_arena):
    episode_id = play(arena, toys.SCENARIO)
    first = arena.call(episode_id, "read_diff", {}).result
    assert (len(first["diff"]), first["truncated"], first["next_offset"]) == (PAGE_CHARS, True, PAGE_CHARS)
    assert first["pages"] == 1
    for reader in (arena, second_arena):
        read, offset = first["diff"], first["next_offset"]
        while offset is not None:
            page = reader.observe(episode_id, offset=offset).result
            read, offset = read + page["diff"], page["next_offset"]
        assert read == toys.LONG_TEXT
    assert arena.peek(episode_id).step == 1
    assert verify_store(arena.store).replayed == 1


@pytest.mark.usefixtures("toy")
def test_a_refused_call_ends_the_reading(arena):
    episode_id = play(arena, toys.SCENARIO, [("read_diff", {}), ("decide", {})])
    assert arena.observe(episode_id, offset=PAGE_CHARS).result is None


@pytest.mark.parametrize("offset", [-1, "6000", 1.5, True, None, [0], float("nan")])
def test_an_offset_that_is_no_place_is_refused_and_logged(arena, offset):
    episode_id = play(arena, GATE_SCENARIO)
    answer = arena.observe(episode_id, offset=offset)
    assert answer.refusal.code == "invalid_argument"
    assert "next_offset" in answer.refusal.message
    assert events(arena, episode_id)[-1].data["error"] == "invalid_argument"


def test_finishing_closes_the_record_once(arena):
    episode_id = play(arena, CANARY_SCENARIO, ROLLED_BACK[:1])
    first, second = arena.finish(episode_id), arena.finish(episode_id)
    for answer in (first, second):
        assert (answer.result, answer.done, answer.terminal_reason, answer.step) == ({"finished": True}, True, None, 1)
        assert answer.earned.reward == 0.0
    assert kinds(arena.store, episode_id).count("episode_end") == 1
    (score,) = arena.store.scores(arena.store.episode(episode_id).number)
    assert score.body["validity"] == "closed"


def test_finishing_after_the_end_keeps_its_reason(arena):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    assert arena.finish(episode_id).terminal_reason == "missed_deadline"
    assert arena.store.episode(episode_id).terminal_reason == "missed_deadline"


def test_an_idle_episode_expires_with_a_score_and_stays_so(arena, second_arena, clock):
    episode_id = play(arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT])
    clock.advance(hours=24)
    arena.observe(episode_id)
    clock.advance(hours=24, ms=1)
    for each in (arena, arena, second_arena):
        with pytest.raises(EpisodeExpired, match="was idle for more than 24 hours and has expired: start a new one"):
            each.call(episode_id, *HOLD)
    row = arena.store.episode(episode_id)
    assert (row.ended, row.terminal_reason) == (True, "expired")
    (score,) = arena.store.scores(row.number)
    assert (score.total, score.body["validity"]) == (-0.25, "expired")
    assert verify_store(arena.store).rescored == 1


def test_an_episode_that_another_process_kept_alive_does_not_expire_here(arena, second_arena, clock):
    episode_id = play(arena, GATE_SCENARIO)
    clock.advance(hours=20)
    second_arena.observe(episode_id)
    clock.advance(hours=20)
    assert arena.call(episode_id, *HOLD).refusal is None


def test_an_ended_episode_never_expires(arena, clock):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    clock.advance(hours=10_000)
    assert arena.observe(episode_id).terminal_reason == "missed_deadline"


def test_no_more_episodes_are_open_at_once_than_the_limit_says(store, clock):
    arena = Arena(store, sources(clock), Limits(open_episodes=2))
    first, _ = play(arena, GATE_SCENARIO), play(arena, CANARY_SCENARIO)
    with pytest.raises(AtCapacity, match="2 episodes are open, which is the limit here: finish one, or try again"):
        arena.start(GATE_SCENARIO)
    arena.finish(first)
    arena.start(GATE_SCENARIO)
    clock.advance(hours=25)
    assert arena.start(GATE_SCENARIO).episode_id, "what is idle holds no place"


def test_messages_and_model_calls_are_recorded_until_ten_minutes_after_the_end(arena, clock):
    episode_id = play(arena, GATE_SCENARIO)
    arena.record(episode_id, "message", MESSAGE)
    for tool, arguments in HELD_TO_THE_END:
        arena.call(episode_id, tool, arguments)
    clock.advance(minutes=10)
    arena.record(episode_id, "model_call", {"model": "m", "input_tokens": 1, "output_tokens": 2, "latency_ms": 3.5})
    clock.advance(ms=1)
    with pytest.raises(EpisodeOver, match="ended more than ten minutes ago: its record is closed"):
        arena.record(episode_id, "message", MESSAGE)
    recorded = [event for event in events(arena, episode_id) if event.kind in ("message", "model_call")]
    assert [event.kind for event in recorded] == ["message", "model_call"]
    assert recorded[0].data["content"] == "I hold."
    assert verify_store(arena.store).episodes == 1


def test_the_ten_minutes_count_from_the_end_in_every_process(arena, second_arena, clock):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    clock.advance(minutes=9)
    arena.observe(episode_id)
    clock.advance(minutes=2)
    with pytest.raises(EpisodeOver):
        second_arena.record(episode_id, "message", MESSAGE)


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        ("tool_result", {}, "events of kind 'tool_result' cannot be recorded: use message or model_call"),
        ("message", {"role": "judge", "content": ""}, "this message cannot be recorded: role: "),
        ("message", {"role": "user", "content": "x" * 70_000}, "this message cannot be recorded: content: "),
        ("model_call", {"model": "m"}, "this model_call cannot be recorded: input_tokens: Field required; output"),
    ],
)
def test_what_cannot_be_recorded_says_why(arena, kind, data, message):
    episode_id = play(arena, GATE_SCENARIO)
    with pytest.raises(InvalidArgument, match=message):
        arena.record(episode_id, kind, data)
    assert kinds(arena.store, episode_id) == ["episode_start"]


def test_looking_at_the_state_or_the_figure_leaves_no_trace(arena):
    episode_id = play(arena, GATE_SCENARIO, [UNKNOWN_ARTIFACT])
    before = kinds(arena.store, episode_id)
    score, report = arena.report(episode_id)
    assert (score.total, score.body["validity"], report["reward"]) == (-0.25, "running", -0.25)
    assert arena.score(episode_id) == score
    assert arena.peek(episode_id).step == 1
    assert kinds(arena.store, episode_id) == before


@pytest.mark.parametrize("named", ["ep_none", "", "\ud800", "x" * 500, 7, None, ["ep_1"], {}])
def test_an_unknown_episode_is_told_what_to_do(arena, named):
    for use in (arena.observe, arena.finish, arena.peek, arena.report):
        with pytest.raises(UnknownEpisode, match="in this log: start_episode begins one"):
            use(named)


@pytest.mark.usefixtures("toy")
def test_a_fault_of_the_suite_is_logged_and_not_applied_and_play_goes_on(arena, second_arena):
    episode_id = play(arena, toys.SCENARIO, [("read_diff", {})])
    with pytest.raises(
        EnvironmentFault, match=r"the arena failed \(RuntimeError\) on a call .* go on with another call"
    ):
        arena.call(episode_id, "explode", {})
    assert kinds(arena.store, episode_id)[-2:] == ["tool_result", "error"]
    assert events(arena, episode_id)[-1].data == {"error": "RuntimeError"}
    assert arena.peek(episode_id).observation == {"reads": 1, "decided": False}
    assert second_arena.call(episode_id, "decide", {"verdict": "block"}).done
    assert arena.report(episode_id)[0].total == pytest.approx(0.9)
    assert verify_store(arena.store).replayed == 1


def test_a_fault_in_a_classic_is_logged_and_play_goes_on(arena, monkeypatch):
    episode_id = play(arena, GATE_SCENARIO)

    def fail(self, tool, arguments):
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr(ClassicGateEpisode, "call", fail)
        with pytest.raises(EnvironmentFault, match="ZeroDivisionError"):
            arena.call(episode_id, *HOLD)
    assert arena.call(episode_id, *HOLD).step == 1
    assert kinds(arena.store, episode_id) == ["episode_start", "error", "tool_call", "tool_result"]


def test_a_scenario_that_cannot_be_generated_is_our_fault_and_starts_nothing(arena, monkeypatch):
    monkeypatch.setattr(ClassicGateEpisode, "observe", None)
    with pytest.raises(
        EnvironmentFault, match=r"the arena failed \(TypeError\) to generate this scenario of classic-gate"
    ):
        arena.start(GATE_SCENARIO)
    assert arena.store.started() == 0


def test_an_episode_that_cannot_be_rebuilt_is_our_fault(arena, second_arena, monkeypatch):
    episode_id = play(arena, GATE_SCENARIO, [HOLD])

    def fail(self, tool, arguments):
        raise ZeroDivisionError

    monkeypatch.setattr(ClassicGateEpisode, "call", fail)
    with pytest.raises(EnvironmentFault, match=r"failed \(ZeroDivisionError\) to rebuild episode .*: nothing is lost"):
        second_arena.observe(episode_id)
