"""The proof: what it claims follows from the evaluation, and an interrupted run goes on where it was."""

import json

import pytest

from training.evaluation.measuring import figures_of
from training.evaluation.results import Column, Evaluation, Outcome
from training.proof.evidence import claims, pool
from training.proof.experiment import ANCHOR, CANARY, EXPERIMENTS
from training.proof.stages import Bench

SCENARIOS = tuple(f"canary/f01-bigbang/seed-{200_000 + number}" for number in range(30))


def column(policy, rewards, *, role="trained", temperature=1.0, suite="canary"):
    outcomes = tuple(
        Outcome(
            episode="e",
            scenario=scenario,
            family="f01-bigbang",
            reward=reward,
            answers=1,
            unread=0,
            calls=1,
            invalid=0,
            finished=True,
            actions={},
        )
        for scenario, reward in zip(SCENARIOS, rewards, strict=True)
    )
    return Column.model_validate(
        {
            "suite": suite,
            "scenario_set": "held-out",
            "policy": policy,
            "model": policy,
            "temperature": temperature if role == "trained" else None,
            "role": role,
            **figures_of(outcomes),
        }
    )


def evaluation(*columns):
    return Evaluation(columns=columns, comparisons=(), environment_calls=0, seconds=0.0, seed=0, verdict="")


def judged(result, seeds=(0, 1)):
    return {claim.claim: claim.ok for claim in claims(CANARY, result, seeds) if claim.ok is not None}


def noisy(mean, spread=0.1):
    return [mean + spread * (-1) ** number for number in range(len(SCENARIOS))]


def test_a_gain_in_all_seeds_that_closes_half_the_gap_is_proof():
    starts = [column(f"sft-{seed}", noisy(0.0)) for seed in (0, 1)]
    ends = [column(f"grpo-{seed}", noisy(0.4, 0.2)) for seed in (0, 1)]
    found = judged(evaluation(*starts, *ends, column("bayes", noisy(0.8), role="reference")))
    assert list(found.values()) == [True, True]


def test_a_gain_that_is_within_the_noise_is_no_proof():
    starts = [column(f"sft-{seed}", noisy(0.0)) for seed in (0, 1)]
    ends = [column(f"grpo-{seed}", noisy(0.01, -0.5)) for seed in (0, 1)]
    found = judged(evaluation(*starts, *ends, column("bayes", noisy(0.8), role="reference")))
    assert list(found.values()) == [False, False]


def test_a_clear_gain_that_closes_little_of_the_gap_misses_that_claim_alone():
    starts = [column(f"sft-{seed}", noisy(0.0)) for seed in (0, 1)]
    ends = [column(f"grpo-{seed}", noisy(0.1)) for seed in (0, 1)]
    found = judged(evaluation(*starts, *ends, column("bayes", noisy(0.8), role="reference")))
    assert list(found.values()) == [True, False]


def test_seeds_are_pooled_by_scenario_and_not_counted_as_more_of_them():
    starts = [column(f"sft-{seed}", noisy(0.0)) for seed in (0, 1)]
    ends = [column(f"grpo-{seed}", noisy(0.2 * seed)) for seed in (0, 1)]
    whole = pool(evaluation(*starts, *ends), "held-out", 1.0, (0, 1)).differences[0]
    assert whole.scenarios == len(SCENARIOS)
    assert whole.difference == pytest.approx(0.1)


def test_the_anchor_is_judged_greedily_against_its_bound():
    low = column("sft-0", noisy(0.85), temperature=0.0, suite="classic-canary")
    high = column("sft-1", noisy(0.95), temperature=0.0, suite="classic-canary")
    found = [claim.ok for claim in claims(ANCHOR, evaluation(low, high), (0, 1)) if claim.ok is not None]
    assert found == [False, True]


def test_a_stage_is_made_once_and_a_half_made_one_again(tmp_path):
    # given a run that died in the middle of a stage
    bench = Bench(CANARY, tmp_path, (0,), lambda text: None)

    def dies(out):
        out.mkdir()
        (out / "part").write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench._once("stage", dies)
    assert not (tmp_path / "stage").exists()

    # when it is started again, and once more
    made = []

    def makes(out):
        assert not out.exists()
        out.mkdir()
        made.append(out)

    bench._once("stage", makes)
    bench._once("stage", makes)

    # then the stage was made once, whole
    assert len(made) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["stage"]


def test_every_experiment_names_supervisors_and_arguments_that_exist():
    from releaseops_mcp.agents.registry import find_supervisor
    from training import grpo, sft

    for experiment in EXPERIMENTS.values():
        for name in experiment.behaviours:
            assert find_supervisor(name, experiment.suite).suite == experiment.suite
        sft.Config(**experiment.sft)
        grpo.Config(**(experiment.grpo or {}))


def test_claims_are_plain_records():
    result = evaluation(column("sft-0", noisy(0.0)), column("grpo-0", noisy(0.4)))
    record = [claim.model_dump(mode="json") for claim in claims(CANARY, result, (0,))]
    assert {frozenset(claim) for claim in json.loads(json.dumps(record))} == {
        frozenset({"claim", "value", "ci95", "must", "ok"})
    }
