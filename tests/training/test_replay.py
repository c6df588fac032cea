"""Only rollouts whose probabilities mean something to the policy are trained on off-policy."""

import math

import pytest

from training.capture.policy import PolicyName
from training.refusals import TrainingRefused
from training.replay import replay_of
from training.splits import HeldOut

POLICY = PolicyName("m", "run", "tok", "tpl")
SCENARIO = "classic-canary/easy/seed-1"


def row(reward: float = 0.0, **changed) -> dict:
    usual = {
        "scenario": SCENARIO,
        "reward": reward,
        "token_ids": [1, 2, 3, 4, 5],
        "logprobs": [None, None, -0.5, None, -1.0],
        "policy_version": "run@3",
        "tokenizer_hash": "tok",
        "template_hash": "tpl",
    }
    return usual | changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"logprobs": []}, r"row 1 \(classic-canary/easy/seed-1\) has no logprobs: only rollouts of capture level"),
        ({"policy_version": ""}, "has no policy_version"),
        ({"tokenizer_hash": "other"}, "was sampled under another tokenizer"),
        ({"template_hash": ""}, "was sampled under another template"),
        ({"token_ids": [1, 2]}, "has not one log-probability a token"),
        ({"logprobs": [-1.0] * 5}, "holds no prompt before its first sampled token"),
        ({"logprobs": [None] * 5}, "or no sample"),
    ],
)
def test_a_row_without_a_meaningful_ratio_is_refused(changed, message):
    with pytest.raises(TrainingRefused, match=message):
        replay_of([row(**changed), row(1.0)], POLICY, 2)


def test_a_leaked_scenario_stops_the_run():
    with pytest.raises(HeldOut):
        replay_of([row(scenario="classic-canary/easy/seed-2")], POLICY, 2)


def test_a_group_is_replayed_member_by_member_with_its_masks():
    replay = replay_of([row(0.0), row(1.0, logprobs=[None, None, -0.5, -2.0, None])], POLICY, 2)
    (start,) = replay.prompts()
    made = replay.rollouts([start["prompt"]] * 2, None)
    assert made["prompt_ids"] == [[1, 2]] * 2
    assert made["completion_ids"] == [[3, 4, 5]] * 2
    assert made["env_mask"] == [[1, 0, 1], [1, 1, 0]]
    assert made["logged_rewards"] == [0.0, 1.0]
    assert math.isnan(made["logprobs"][0][1])
    assert replay.rollouts([start["prompt"]], None)["logged_rewards"] == [0.0]


def test_groups_without_spread_are_left_out_and_a_log_without_any_is_refused():
    other = "classic-canary/easy/seed-3"
    rows = [row(0.5), row(0.5), row(0.1, scenario=other), row(0.9, scenario=other)]
    assert list(replay_of(rows, POLICY, 2).groups) == [f"{other}#0"]
    with pytest.raises(TrainingRefused, match="no scenario has 3 logged rollouts"):
        replay_of(rows, POLICY, 3)
