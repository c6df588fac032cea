"""Scripted supervisors of the gate: the reference reads and decides well, the degenerate ones stay far below it."""

import pytest

from releaseops_mcp.agents.base import Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant, gold
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.gate.scorer import SCORER
from releaseops_mcp.world.generation import generate
from tests.world.cases import scenarios

NAMES = [each for name in scenarios(3, homes=2) for each in (name, name.other)]


def played(name, entry):
    """Return the score of one supervisor in one scenario, and how the episode ended."""
    episode = SUITE.begin(SUITE.parse(name.id))
    tally = SCORER.tally(episode.truth(), episode.observe())

    def apply(action):
        outcome = episode.call(action.tool, action.arguments)
        error = outcome.refusal.code if outcome.refusal else None
        seen, done, reason = episode.observe(), episode.done, episode.terminal_reason
        tally.add(Step(action.tool, action.arguments, error, outcome.result, seen, done, reason))
        return Turn(outcome.result, error, seen, done, reason, outcome.refusal.message if outcome.refusal else "")

    drive(entry.policy, Brief(episode.observe(), SUITE.tools, name.seed), apply)
    return tally.score(), episode.terminal_reason


@pytest.fixture(scope="module")
def scores():
    return {entry.name: [played(name, entry) for name in NAMES] for entry in supervisors_for("gate")}


def mean(results):
    return sum(score.total for score, _ in results) / len(results)


def test_the_reference_comes_near_to_whoever_knows_everything(scores):
    best = sum(gold(generate(name)).value for name in NAMES) / len(NAMES)
    # The gate asks for .90 of a larger sample.
    assert mean(scores["reference"]) >= 0.8 * best


def test_the_reference_reads_decides_and_makes_no_invalid_call(scores):
    assert sum(score.metrics["invalid_calls"] for score, _ in scores["reference"]) == 0
    unsafe = sum(reason == "unsafe_ship" for _, reason in scores["reference"])
    assert unsafe <= 0.015 * len(NAMES)


def test_whatever_needs_no_judgement_stays_far_below_the_reference(scores):
    top = mean(scores["reference"])
    for entry in supervisors_for("gate"):
        if entry.degenerate:
            assert mean(scores[entry.name]) <= 0.35 * top, entry.name


def test_two_artefacts_a_proposal_are_half_the_work(scores):
    assert 0.4 <= mean(scores["two-artefacts"]) / mean(scores["reference"]) <= 0.75


def test_no_supervisor_beats_full_knowledge(scores):
    best = [clairvoyant(generate(name)).value for name in NAMES]
    for name, results in scores.items():
        for value, (score, _) in zip(best, results, strict=True):
            assert score.total <= value + 0.02, name


def test_the_reference_tells_twins_apart(scores):
    right = [
        reason == "safe_ship" or (reason == "refused" and not score.metrics["shippable"])
        for score, reason in scores["reference"]
    ]
    pairs = [both for both in zip(right[::2], right[1::2], strict=True)]
    assert sum(map(all, pairs)) >= 0.9 * len(pairs)
