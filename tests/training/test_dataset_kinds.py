"""What each kind makes of a log: rows that say what was shown, called and earned, and nothing else."""

import json

import numpy as np
import pytest

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.canonical import sha256
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.events import Origin
from releaseops_mcp.settings import Settings, open_arena
from tests.training import logs
from tests.training.playing_table import table_of
from training.capture.policy import PolicyName
from training.capture.recorder import record_sequences
from training.capture.sequences import sequence_of
from training.dataset import Source
from training.models.corpus import played
from training.seat import Seat

SUITE = suites()[logs.CANARY]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return logs.played(tmp_path_factory.mktemp("log"))


@pytest.fixture
def arena(tmp_path):
    arena = open_arena(Settings(database_url=f"sqlite:///{tmp_path / 'log.sqlite3'}"))
    yield arena
    arena.close()


def source_of(tmp_path):
    return Source(url=f"sqlite:///{tmp_path / 'log.sqlite3'}")


def test_an_sft_row_reads_as_the_live_episode_did(tmp_path):
    # given an episode as it reads while it is played
    live = played(SUITE, logs.SCENARIOS[0], find_supervisor("threshold-only", logs.CANARY), 0)

    # when a dataset is made of its log
    source = logs.played(tmp_path, agents=("threshold-only",), scenarios=logs.SCENARIOS[:1])
    _, (row,) = logs.made(source, "sft", tmp_path / "sft")

    # then its row has the same messages, to the byte
    assert json.dumps(row["messages"]) == json.dumps(live)


def test_only_episodes_that_earned_enough_are_learnt(source, tmp_path):
    card, rows = logs.made(source, "sft", tmp_path / "sft", min_reward=0.5)

    assert rows
    assert all(row["reward"] >= 0.5 for row in rows)
    assert card.left_out["reward below the least"] > 0


def test_the_best_share_is_taken_from_each_family(source, tmp_path):
    _, every = logs.made(source, "sft", tmp_path / "all")
    card, rows = logs.made(source, "sft", tmp_path / "best", best_share=0.3)

    # then each family keeps its best episode, and loses its worst
    for family in ("easy", "hard"):
        earned = [row["reward"] for row in every if row["family"] == family]
        kept = [row["reward"] for row in rows if row["family"] == family]
        assert max(earned) in kept
        assert min(kept) > min(earned)
    assert card.left_out["not among the best of its family"] == len(every) - len(rows)


def test_a_refused_call_is_not_learnt(arena, tmp_path):
    # given an episode with a call that the world refused
    started = arena.start(logs.SCENARIOS[0])
    arena.call(started.episode_id, "decide_rollout", {"action_type": "sideways"})
    arena.finish(started.episode_id)

    # then it becomes a row only where that is allowed
    card, rows = logs.made(source_of(tmp_path), "sft", tmp_path / "strict")
    assert rows == []
    assert card.left_out == {"too many refused calls": 1}
    _, rows = logs.made(source_of(tmp_path), "sft", tmp_path / "lax", max_invalid=1)
    assert rows[0]["messages"][3]["content"].startswith("refused: ")


def test_what_an_agent_wrote_stands_beside_its_call_or_is_left_out(arena, tmp_path):
    # given a log at level messages
    started = arena.start(logs.SCENARIOS[0], Origin(door="python", agent="writer"), capture="messages")
    said = {"role": "assistant", "content": "Looks bad.", "tool_calls": [{"id": "1", "name": "decide_rollout"}]}
    arena.record(started.episode_id, "message", said)
    call = {"action_type": "rollback", "reasoning": "it looks bad to me", "slo_breach_detected": True}
    arena.call(started.episode_id, "decide_rollout", {**call, "state_assessment": "breach"})

    # then the text is a row's, unless it is not wanted; nothing is invented for the closing turn
    _, with_text = logs.made(source_of(tmp_path), "sft", tmp_path / "with")
    _, without = logs.made(source_of(tmp_path), "sft", tmp_path / "without", text=False)
    assert [row["content"] for row in with_text[0]["messages"] if row["role"] == "assistant"] == ["Looks bad.", ""]
    assert [row["content"] for row in without[0]["messages"] if row["role"] == "assistant"] == ["", ""]


def test_arguments_stand_in_the_catalogues_order(arena, tmp_path):
    # given a call of a tool whose arguments the log sorts otherwise
    started = arena.start("classic-gate/green_ci_disabled_payment_test/medium/seed-1")
    arena.call(started.episode_id, "ask_worker", {"question_type": "risk_summary", "worker_id": "ci_fixer"})
    arena.finish(started.episode_id)

    _, rows = logs.made(source_of(tmp_path), "sft", tmp_path / "sft", max_invalid=1)

    made = rows[0]["messages"][2]["tool_calls"][0]["function"]
    assert list(made["arguments"]) == ["worker_id", "question_type"]


def test_scenarios_weigh_by_regret_and_spread(source, tmp_path):
    _, rows = logs.made(source, "starts", tmp_path / "starts")

    # then each scenario has one row, and what its agents left to be gained weighs most
    assert [row["scenario"] for row in rows] == sorted(logs.SCENARIOS)
    by_need = sorted(rows, key=lambda row: row["regret"] + row["spread"])
    assert [row["scenario"] for row in by_need] == [
        row["scenario"] for row in sorted(rows, key=lambda row: row["weight"])
    ]
    assert all(row["agents"] == len(logs.AGENTS) and row["prompt"][1]["content"] == "" for row in rows)
    weights = np.array([row["weight"] for row in rows])
    assert weights.mean() == pytest.approx(1.1)


def test_drawn_rows_follow_the_weights(source, tmp_path):
    _, rows = logs.made(source, "starts", tmp_path / "one")
    _, drawn = logs.made(source, "starts", tmp_path / "many", draw=600)

    assert len(drawn) == 600
    total = sum(row["weight"] for row in rows)
    for row in rows:
        times = sum(other["scenario"] == row["scenario"] for other in drawn)
        assert abs(times - 600 * row["weight"] / total) <= 1


def test_a_pair_stands_behind_one_state_and_differs_by_the_margin(source, tmp_path):
    card, rows = logs.made(source, "preferences", tmp_path / "pairs", margin=0.2)

    assert rows
    for row in rows:
        assert row["gap"] > 0.2
        assert row["gap"] == pytest.approx(row["chosen_value"] - row["rejected_value"])
        assert row["prompt"][-1]["role"] in ("user", "tool")
        (chosen,), (rejected,) = row["chosen"], row["rejected"]
        assert chosen["tool_calls"] != rejected["tool_calls"]
    assert "state with one judged call" in card.left_out


def test_a_rollback_that_lost_everything_is_the_rejected_call(source, tmp_path):
    _, rows = logs.made(source, "preferences", tmp_path / "pairs")

    # given the first state of an easy rollout, where one agent rolled back and others went on
    first = [row for row in rows if row["scenario"] == logs.SCENARIOS[0] and len(row["prompt"]) == 2]

    assert [row["rejected"][0]["tool_calls"][0]["function"]["arguments"]["action_type"] for row in first] == [
        "rollback"
    ]


def test_agents_that_reason_in_other_words_make_the_same_choice(arena, tmp_path):
    # given two agents who hold, each with words of its own
    for words in ("nothing has happened yet", "let us see what comes of it"):
        started = arena.start(logs.SCENARIOS[0])
        held = {"action_type": "hold", "reasoning": words, "slo_breach_detected": False, "state_assessment": "healthy"}
        arena.call(started.episode_id, "decide_rollout", held)
        arena.finish(started.episode_id)

    card, rows = logs.made(source_of(tmp_path), "preferences", tmp_path / "pairs", margin=0)

    assert rows == []
    assert card.left_out == {"state with one judged call": 1}


def tokens(arena, *, capture="tokens", version=True):
    """Play one call under token capture, and note its tokens."""
    table = table_of(arena, capture)
    seat = Seat.at(table, logs.SCENARIOS[0])
    seat.leave()
    policy = PolicyName("tiny", "run" if version else "", sha256("words"), sha256("template"))
    sequence = sequence_of([1, 2, 3, 4], [np.nan, np.nan, -0.5, -0.25])
    record_sequences(arena, policy, 7, [(seat.episode_id, sequence)])


def test_tokens_of_a_known_policy_become_an_off_policy_row(arena, tmp_path):
    tokens(arena)

    card, rows = logs.made(source_of(tmp_path), "off-policy", tmp_path / "off")

    assert card.rows == 1
    assert rows[0]["token_ids"] == [1, 2, 3, 4]
    assert rows[0]["logprobs"] == [None, None, -0.5, -0.25]
    assert rows[0]["prompt_tokens"] == 2
    assert rows[0]["policy_version"] == "run@7"
    assert rows[0]["tokenizer_hash"] == sha256("words")


def test_no_other_episode_becomes_one(arena, tmp_path):
    # given a log without tokens, and one whose tokens are of another tokenizer than wanted
    play_episode(arena, find_supervisor("baseline", logs.CANARY), logs.SCENARIOS[0])
    tokens(arena)

    card, rows = logs.made(source_of(tmp_path), "off-policy", tmp_path / "off", tokenizer_hash="0" * 64)

    assert rows == []
    assert card.left_out == {"another tokenizer": 1, "not captured at level tokens": 1}
