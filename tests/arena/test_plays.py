"""Several writers on one episode: every call is applied once, or answered with a clear conflict."""

from threading import Barrier, Thread

import pytest

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.limits import Limits
from releaseops_mcp.audit.verify import verify_store
from releaseops_mcp.errors import Conflict, ReleaseOpsError, StoreUnavailable
from releaseops_mcp.log.store import Store
from tests import toys
from tests.clock import sources
from tests.playing import HELD_TO_THE_END, kinds, logged, play
from tests.sequences import CANARY_SCENARIO, GATE_SCENARIO, HOLD, UNKNOWN_ARTIFACT, decision


@pytest.fixture
def episode_id(arena) -> str:
    """A gate episode."""
    return play(arena, GATE_SCENARIO)


def test_an_episode_goes_on_in_another_process(arena, second_arena, episode_id):
    assert [each.call(episode_id, *UNKNOWN_ARTIFACT).step for each in (arena, second_arena, arena)] == [1, 2, 3]
    assert second_arena.peek(episode_id) == arena.peek(episode_id)


def test_whoever_comes_second_reloads_and_applies_its_call_once(arena, second_arena, episode_id):
    second_arena.peek(episode_id)
    arena.call(episode_id, *HOLD)
    answer = second_arena.call(episode_id, *UNKNOWN_ARTIFACT)
    assert (answer.step, answer.observation["phase_index"]) == (2, 2)
    assert kinds(arena.store, episode_id) == ["episode_start"] + ["tool_call", "tool_result"] * 2


def test_whoever_names_the_step_it_has_seen_gets_a_conflict_instead(arena, second_arena, episode_id):
    seen = second_arena.peek(episode_id).step
    arena.call(episode_id, *HOLD)
    answer = second_arena.call(episode_id, *HOLD, expected_step=seen)
    assert (answer.refusal.code, answer.refusal.kind) == ("conflict", Conflict)
    assert "you expected step 0 and the episode is at step 1: observe it, then decide again" in answer.refusal.message
    assert answer.step == 1


def test_a_conflict_is_logged_and_never_replayed(arena, second_arena, episode_id):
    arena.call(episode_id, *HOLD, expected_step=5)
    result = logged(arena.store, episode_id).events[-1].data
    assert (result["error"], result["judged"], result["step"]) == ("conflict", False, 0)
    assert second_arena.call(episode_id, *HOLD, expected_step=0).step == 1


def test_a_named_call_is_applied_once_and_answered_alike_here_elsewhere_and_after_a_restart(
    arena, second_arena, episode_id, url, clock, open_log
):
    second_arena.peek(episode_id)
    first = arena.call(episode_id, *UNKNOWN_ARTIFACT, action_id="a")
    restarted = Arena(Store(open_log(url)), sources(clock, first=9_000_000))
    count = arena.store.episode(episode_id).count
    for each in (arena, second_arena, restarted):
        assert each.call(episode_id, *UNKNOWN_ARTIFACT, action_id="a") == first
    assert arena.store.episode(episode_id).count == count


@pytest.mark.parametrize(
    "calls", [[HOLD], list(HELD_TO_THE_END), [("no_such_tool", {})], [("n" * 400, {"x": "\ud800"})]]
)
def test_a_retry_of_any_call_gets_its_first_answer_even_after_later_calls(arena, second_arena, episode_id, calls):
    firsts = [arena.call(episode_id, *call, action_id=f"a{number}") for number, call in enumerate(calls)]
    arena.call(episode_id, *UNKNOWN_ARTIFACT)
    for each in (arena, second_arena):
        again = [each.call(episode_id, *call, action_id=f"a{number}") for number, call in enumerate(calls)]
        assert again == firsts
    assert arena.peek(episode_id).step == len(calls) + 1


def test_a_name_that_was_used_for_another_call_is_a_conflict(arena, second_arena, episode_id):
    arena.call(episode_id, *UNKNOWN_ARTIFACT, action_id="a")
    for each in (arena, second_arena):
        answer = each.call(episode_id, *HOLD, action_id="a")
        assert answer.refusal.code == "conflict"
        assert "action_id 'a' already names another call of this episode" in answer.refusal.message
    assert arena.peek(episode_id).step == 1


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"action_id": 7}, "action_id must be a string of 1 to 200 characters"),
        ({"action_id": ["a"]}, "action_id must be a string of 1 to 200 characters"),
        ({"action_id": "x" * 201}, "action_id must be a string of 1 to 200 characters"),
        ({"action_id": "x" * 70_000}, "action_id must be a string of 1 to 200 characters"),
        ({"action_id": ""}, "action_id must be a string of 1 to 200 characters"),
        ({"expected_step": "0"}, "expected_step must be a whole number"),
        ({"expected_step": True}, "expected_step must be a whole number"),
        ({"expected_step": float("inf")}, "expected_step must be a whole number"),
    ],
)
def test_a_name_or_a_step_of_a_wrong_type_keeps_the_call_from_the_world(arena, episode_id, named, message):
    answer = arena.call(episode_id, *HOLD, **named)
    assert answer.refusal.code == "invalid_argument"
    assert answer.refusal.message.startswith(message)
    assert (answer.step, kinds(arena.store, episode_id)[-1]) == (0, "tool_result")


def test_two_arenas_at_once_apply_every_call_once_or_answer_with_a_conflict(arena, second_arena, episode_id):
    barrier = Barrier(4)
    outcomes: list[str] = []

    def step(each: Arena, name: str) -> None:
        barrier.wait()
        for number in range(10):
            try:
                answer = each.call(episode_id, *UNKNOWN_ARTIFACT, action_id=f"{name}-{number}")
                outcomes.append(answer.refusal.code)
            except Conflict as error:
                outcomes.append(error.code)

    workers = [Thread(target=step, args=(arena, "a")), Thread(target=step, args=(arena, "b"))]
    workers += [Thread(target=step, args=(second_arena, "c")), Thread(target=step, args=(second_arena, "d"))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(outcomes) == 40
    assert set(outcomes) <= {"unknown_artifact", "conflict"}
    assert second_arena.peek(episode_id).step == outcomes.count("unknown_artifact")
    assert verify_store(arena.store).replayed == 1


def test_many_episodes_at_once_are_not_mixed_up(arena):
    def run(scenario: str, seen: list) -> None:
        episode_id = play(arena, scenario)
        for call in (decision("increase_5"), decision("increase_10"), decision("hold")):
            seen.append(arena.call(episode_id, *call).observation)

    results: dict[int, list] = {seed: [] for seed in range(16)}
    workers = [Thread(target=run, args=(f"classic-canary/easy/seed-{seed}", seen)) for seed, seen in results.items()]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    alone: dict[int, list] = {seed: [] for seed in results}
    for seed, seen in alone.items():
        run(f"classic-canary/easy/seed-{seed}", seen)
    assert results == alone


def test_a_writer_that_is_always_too_late_gives_way_with_a_conflict(arena, episode_id, monkeypatch):
    monkeypatch.setattr(arena.store, "append", lambda number, change: False)
    with pytest.raises(Conflict, match=f"another writer is busy on episode {episode_id}: observe it, then decide"):
        arena.call(episode_id, *HOLD)


def test_an_expiry_that_comes_too_late_is_a_conflict(arena, episode_id, clock, monkeypatch):
    clock.advance(hours=25)
    monkeypatch.setattr(arena.store, "append", lambda number, change: False)
    with pytest.raises(Conflict, match="another writer is busy"):
        arena.call(episode_id, *HOLD)


def test_a_fault_that_comes_too_late_to_be_logged_is_told_all_the_same(arena, monkeypatch):
    toys.install(monkeypatch)
    episode_id = play(arena, toys.SCENARIO)
    monkeypatch.setattr(arena.store, "append", lambda number, change: False)
    with pytest.raises(ReleaseOpsError, match="the arena failed"):
        arena.call(episode_id, "explode", {})


def test_memory_never_runs_ahead_of_the_log(arena, episode_id, monkeypatch):
    for error in (StoreUnavailable, KeyboardInterrupt):

        def fail(number, change, error=error):
            raise error("in the middle")

        with monkeypatch.context() as broken:
            broken.setattr(arena.store, "append", fail)
            with pytest.raises(error):
                arena.call(episode_id, *HOLD)
        assert arena.peek(episode_id).step == 0
    assert arena.call(episode_id, *HOLD).step == 1


def test_episodes_that_are_not_in_memory_are_rebuilt_from_the_log(store, clock):
    arena = Arena(store, sources(clock), Limits(cached_plays=1))
    first, second = play(arena, GATE_SCENARIO, [HOLD]), play(arena, CANARY_SCENARIO, [decision("hold")])
    steps = [arena.call(first, *UNKNOWN_ARTIFACT).step, arena.call(second, *decision("hold")).step]
    assert steps == [2, 2]
    arena.call(first, *HOLD)
    assert verify_store(store).replayed == 2


def test_an_ended_episode_is_rebuilt_with_its_end_and_its_score(arena, second_arena):
    episode_id = play(arena, GATE_SCENARIO, HELD_TO_THE_END)
    scores = arena.store.scores(1)
    assert second_arena.report(episode_id) == arena.report(episode_id)
    assert second_arena.observe(episode_id).done
    assert arena.store.scores(1) == scores, "an unchanged figure is not stored again"
