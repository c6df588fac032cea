"""Archetypes: what a worker says depends on its manner alone, and crooked ones come only as often as the level lets."""

import json

import pytest

from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.levels import CROOKED, LEVELS
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.scenario import ScenarioName
from releaseops_mcp.world.workers.base import FIXES
from releaseops_mcp.world.workers.registry import archetypes
from tests.world.cases import pages, proposal

QUESTIONS = {"evidence_basis", "policy_basis", "confidence_basis", "risk_summary"}
ORG = load_org("cedarline")


@pytest.mark.parametrize("archetype", archetypes().values(), ids=lambda archetype: archetype.name)
def test_an_archetype_can_speak_answer_and_repair(archetype):
    facts = {"title": "T", "service": "s", "pr": "pr_1", "run": "ci_1", "rule": "R"}
    for request in ("merge_change", "close_blocker", "promote_artifact", "ship_release_candidate"):
        assert archetype.claim(request)
        assert all(claim.format_map(facts) for claim in archetype.claim(request))
    assert set(archetype.answers) == QUESTIONS
    assert set(archetype.fixes) <= set(FIXES)
    assert sum(archetype.fixes.values()) == pytest.approx(1)
    assert 0.5 <= archetype.record <= 0.9


def test_a_claim_without_a_pull_request_names_none():
    assert not [
        claim
        for archetype in archetypes().values()
        for claim in archetype.claim("close_blocker")
        if "{pr}" in claim or "{run}" in claim
    ]


def test_what_is_promoted_is_not_spoken_of_as_a_merge():
    claims = [claim for archetype in archetypes().values() for claim in archetype.claim("promote_artifact")]
    assert not [claim for claim in claims if "merge" in claim or "approval" in claim]


def test_a_deceptive_worker_sounds_like_a_careful_one():
    careful, deceptive = archetypes()["careful"], archetypes()["deceptive"]
    assert careful.claims == deceptive.claims
    assert careful.confidence == deceptive.confidence


def test_injected_text_reaches_the_pull_request_and_changes_no_verdict():
    injected = proposal(ORG, ORG.service("payments"), archetype="injected").versions[0]
    body = pages(injected)["patch"][0].partition("\n---\n")[0]
    assert [aside for aside in archetypes()["injected"].asides if aside in body]


def test_crooked_workers_come_as_often_as_the_level_lets():
    shares = {}
    for level in (1, 5):
        workers = {}
        for seed in range(40):
            world = generate(ScenarioName("cedarline", "k01-skipped-test", False, level, seed))
            for lineage in world.lineages:
                workers[seed, lineage.worker.id] = lineage.worker.archetype.name in CROOKED
        shares[level] = sum(workers.values()) / len(workers)
    assert shares[1] == 0
    assert 0.1 <= shares[5] <= LEVELS[5].crooked + 0.12


def test_a_record_shows_how_often_a_worker_is_right():
    world = generate(ScenarioName("looplatch", "k12-false-claim", False, 5, 1))
    for lineage in world.lineages:
        assert 5 <= lineage.worker.right + lineage.worker.wrong <= 20
        assert 0 < lineage.worker.rate < 1
    assert json.dumps([lineage.worker.right for lineage in world.lineages])
