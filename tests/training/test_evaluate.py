"""Evaluation: batched play equals play one by one, figures are those of the log, and comparisons say what they may."""

import json

import numpy as np
import pytest
import torch

from releaseops_mcp.audit.rescore import rescored
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import EnvironmentFault, InvalidArgument
from releaseops_mcp.log.logged import DatabaseLog
from tests.training import arms, parrot
from tests.training.playing_table import table_of
from training.evaluate import Plan, evaluate, read_results, scenario_sets
from training.evaluation.batch import Batch
from training.evaluation.comparing import compare, comparisons
from training.evaluation.games import Player
from training.evaluation.measuring import figures_of, outcome_of
from training.evaluation.results import Column, Outcome
from training.evaluation.traces import cases
from training.models.loading import load_model
from training.playing import play
from training.sampling import Sampler
from training.seat import Seat

HELD_OUT = tuple(f"arms/bandit/seed-{seed}" for seed in range(100, 108))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    return load_model(str(parrot.build(tmp_path_factory.mktemp("parrot"))))


def plain_answer(model, tokens, room, stop):
    """Decode greedily, all read anew for every token."""
    answer = []
    for _ in range(room):
        with torch.no_grad():
            answer.append(int(model(torch.tensor([tokens + answer])).logits[0, -1].argmax()))
        if answer[-1] == stop:
            break
    return answer


def test_rows_of_a_batch_are_computed_as_if_alone(loaded):
    # given rows of different lengths that read different amounts a turn, one of which is dropped after the first
    batch = Batch(loaded.model, pad=0, stops=frozenset({7}), temperature=0, seed=0)
    rows = [[5, 6, 7, 8], [9], list(range(20, 60))]
    more = [[30, 31], [40, 41, 42, 43, 44]]

    # when they answer, and two of them go on
    first = batch.answers(rows, 6)
    batch.keep([2, 0])
    second = batch.answers(more, 5)

    # then every answer is what the row alone would have got
    assert first == [plain_answer(loaded.model, row, 6, 7) for row in rows]
    whole = [rows[2] + first[2] + more[0], rows[0] + first[0] + more[1]]
    assert second == [plain_answer(loaded.model, row, 5, 7) for row in whole]


def test_several_turns_go_as_in_the_training_loop(loaded, sqlite_arena):
    # given scenarios of different lengths, with more episodes than places
    scenarios = [*parrot.SCENARIOS, *parrot.SCENARIOS, parrot.SCENARIOS[0]]
    table = table_of(sqlite_arena)

    # when they are played side by side, and once more as TRL's loop does
    games = list(Player(loaded, table, temperature=0).play(scenarios, size=3))
    again = play(Sampler(loaded.model, loaded.tokenizer, temperature=0), [Seat.at(table, name) for name in scenarios])

    # then calls and tokens are the same, and they are several valid ones
    assert [game.seat.actions for game in games] == [game.seat.actions for game in again]
    assert [game.tokens for game in games] == [game.tokens for game in again]
    assert all(game.seat.done and game.answers >= 3 and not game.unread for game in games)
    assert [game.seat.scenario for game in games] == scenarios


def test_sampling_is_repeated_by_its_seed(loaded, sqlite_arena):
    player = Player(loaded, table_of(sqlite_arena), temperature=1.5, max_answer=24)

    def sampled(seed):
        return [game.tokens for game in player.play(parrot.SCENARIOS, size=2, seed=seed)]

    assert sampled(1) == sampled(1) != sampled(2)


def test_an_answer_without_a_call_ends_the_episode_unmended(loaded, sqlite_arena):
    # given so little room that no call can be finished
    (game,) = Player(loaded, table_of(sqlite_arena), temperature=0, max_answer=3).play(parrot.SCENARIOS[:1], size=1)

    outcome = outcome_of(game)
    assert (outcome.answers, outcome.unread, outcome.calls, outcome.finished) == (1, 1, 0, False)
    assert outcome.reward is not None


def test_an_arena_that_fails_leaves_an_episode_without_a_figure(loaded, sqlite_arena, monkeypatch):
    # given an arena that fails in the first call of one scenario
    genuine = sqlite_arena.call

    def call(episode, tool, arguments, origin):
        if sqlite_arena.store.episode(episode).scenario == parrot.SCENARIOS[0]:
            raise EnvironmentFault("told to")
        return genuine(episode, tool, arguments, origin)

    monkeypatch.setattr(sqlite_arena, "call", call)

    # then the other episode is played on, and the figures count the failure as none of the policy's
    games = list(Player(loaded, table_of(sqlite_arena), temperature=0).play(parrot.SCENARIOS, size=2))
    figures = figures_of([outcome_of(game) for game in games])
    assert figures["reward_error_rate"] == 0.5
    assert figures["rows"][0].scored == 1
    assert games[1].seat.done


@pytest.fixture(scope="module")
def evaluated(bench, tmp_path_factory):
    """A model before and after its warm start, evaluated once, with the log that it left."""
    from releaseops_mcp.settings import Settings, open_arena

    folder = tmp_path_factory.mktemp("evaluated")
    plan = Plan(
        policies={"base": bench.untrained, "warm": bench.warm}, sets={"test": HELD_OUT}, repeats=2, max_answer=16
    )
    with pytest.MonkeyPatch.context() as patch:
        arms.install(patch)
        arena = open_arena(Settings(database_url=f"sqlite:///{folder / 'log.sqlite3'}"))
        result = evaluate(plan, arena, folder / "out", timer=iter(np.arange(1e6)).__next__)
        rewards = [rescored(episode).total for episode in DatabaseLog(arena.store).episodes()]
        arena.close()
    return folder / "out", result, rewards


def test_an_evaluation_has_a_column_for_each_policy_and_temperature(evaluated):
    folder, result, _ = evaluated

    shown = [(column.policy, column.temperature, column.rows[0].episodes) for column in result.columns]
    assert shown == [("base", 0.0, 8), ("base", 1.0, 16), ("warm", 0.0, 8), ("warm", 1.0, 16)]
    assert read_results(folder) == result
    assert json.loads((folder / "results.json").read_text())["verdict"] == result.verdict


def test_figures_are_those_of_the_log(evaluated):
    _, result, rewards = evaluated

    assert rewards == [each.reward for column in result.columns for each in column.outcomes]
    assert result.environment_calls == sum(each.calls for column in result.columns for each in column.outcomes)


def test_an_untrained_model_makes_no_call_and_a_warm_one_does(evaluated):
    _, result, _ = evaluated
    base, warm = result.columns[0], result.columns[3]

    assert (base.parse_rate, base.invalid_rate, base.mean) == (0.0, None, 0.0)
    assert warm.parse_rate > 0.8
    assert set(warm.actions) <= {"pull.left", "pull.right", "pull.other", "unknown_tool"}
    assert sum(warm.actions.values()) == pytest.approx(1)
    assert warm.distinct_states == 1  # every bandit looks alike


def test_two_cases_are_shown_before_and_after(evaluated):
    folder, result, _ = evaluated

    made = sorted(path.name for path in (folder / "traces").iterdir())
    assert "case-1-before.md" in made
    assert "case-1-after.md" in made
    assert "**pull**" in (folder / "traces" / "case-1-after.md").read_text()
    assert result.comparisons[-1].before == "base"


def column(policy, rewards, role="trained"):
    outcomes = [
        Outcome(
            episode=f"{policy}-{number}",
            scenario=f"s{number}",
            family="even" if number % 2 == 0 else "odd",
            reward=reward,
            answers=1,
            unread=0,
            calls=1,
            invalid=0,
            finished=True,
            actions={"pull.left": 1},
        )
        for number, reward in enumerate(rewards)
    ]
    fields = {"suite": "arms", "scenario_set": "test", "policy": policy, "model": "", "temperature": 0.0, "role": role}
    return Column.model_validate({**fields, **figures_of(outcomes)})


def test_a_gain_on_every_scenario_is_better_and_closes_its_share_of_the_gap():
    before, after = column("sft", [0.0, 0.1] * 10), column("grpo", [0.5, 0.55] * 10)
    reference = column("reference", [1.0] * 20, role="reference")

    found = compare(before, after, reference)

    assert found.finding == "better"
    assert found.gap_closed == pytest.approx((0.525 - 0.05) / 0.95)
    assert [each.family for each in found.differences] == ["all", "even", "odd"]


def test_no_difference_is_said_where_none_is_shown():
    drawn = np.random.default_rng(0).normal(size=20)

    found = compare(column("sft", list(drawn)), column("grpo", list(drawn[::-1])), None)

    assert found.finding == "no difference shown"
    assert found.gap_closed is None


def test_each_policy_is_compared_with_the_one_before_and_the_last_with_the_first():
    columns = [column(name, [index] * 8) for index, name in enumerate(("base", "sft", "grpo"))]

    assert [(each.before, each.after) for each in comparisons(columns)] == [
        ("base", "sft"),
        ("sft", "grpo"),
        ("base", "grpo"),
    ]


def test_the_cases_shown_are_the_largest_gain_and_the_largest_loss():
    before, after = column("sft", [0.0, 0.0, 0.0]), column("grpo", [0.2, -0.3, 0.9])

    assert cases(before, after) == ["s2", "s1"]


def test_splits_that_training_may_see_are_no_test():
    gate = suites()["classic-gate"]

    assert list(scenario_sets(gate, 10, ["eval_seen", "eval_unseen"])) == ["eval_seen", "eval_unseen"]
    assert len(scenario_sets(gate, 10)["heldout"]) == 10
    with pytest.raises(InvalidArgument, match="training may see"):
        scenario_sets(gate, 10, ["train"])
    with pytest.raises(InvalidArgument, match="no split 'dev'"):
        scenario_sets(gate, 10, ["dev"])


def test_a_folder_without_results_is_said(tmp_path):
    with pytest.raises(InvalidArgument, match="run an evaluation"):
        read_results(tmp_path)
