"""Traps for the supervisor: they are said plainly, cost nothing, are the same for twins, and are counted."""

from dataclasses import replace

import pytest

from releaseops_mcp.agents.base import Action, Brief, Turn
from releaseops_mcp.agents.drive import drive
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.gate.scorer import SCORER
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import parse as parse_page
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.policy import APPROVE, HOLD
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.traps import Traps, pieces

WORLD = generate(parse("gate/cedarline/k01-skipped-test/level-1/seed-20"))
REFS = WORLD.lineages[0].versions[0].refs
PR, RUN = REFS[0], REFS[1]
SHA = "ab" * 20


def begin(**traps):
    return GateEpisode(replace(WORLD, traps=Traps(**traps)))


def play(supervisor, **traps):
    episode = begin(**traps)
    tally = SCORER.tally(episode.truth(), episode.observe())

    def apply(action: Action) -> Turn:
        outcome = episode.call(action.tool, action.arguments)
        error = outcome.refusal.code if outcome.refusal else None
        seen, done, reason = episode.observe(), episode.done, episode.terminal_reason
        tally.add(Step(action.tool, action.arguments, error, outcome.result, seen, done, reason))
        return Turn(outcome.result, error, seen, done, reason)

    drive(find_supervisor(supervisor, "gate").policy, Brief(episode.observe(), SUITE.tools, 0), apply)
    return tally.score()


def diff(episode, **more):
    return episode.call("inspect_pr_diff", {"pr_id": PR, **more})


def test_the_first_level_has_no_traps_and_they_come_with_the_levels():
    counts = dict.fromkeys(range(1, 6), 0)
    for level in counts:
        for seed in range(12):
            world = generate(parse(f"gate/cedarline/k12-false-claim/level-{level}/seed-{seed}"))
            counts[level] += world.traps.count + sum(lineage.torn for lineage in world.lineages)
    assert counts[1] == 0
    assert 0 < counts[2] < counts[5]


@pytest.mark.parametrize("seed", range(4))
def test_both_of_a_pair_of_twins_have_the_same_traps(seed):
    fault, twin = (generate(parse(f"gate/cedarline/k12-false-claim{end}/level-5/seed-{seed}")) for end in ("", "-twin"))
    assert fault.traps == twin.traps
    assert [lineage.torn for lineage in fault.lineages] == [lineage.torn for lineage in twin.lineages]


def test_a_cut_page_says_so_and_its_rest_costs_nothing():
    whole = diff(begin()).result
    episode = begin(cut=PR)
    first = diff(episode).result
    units, hours = (episode.observe()[key] for key in ("units_left", "hours_left"))
    assert first["truncated"] is True
    assert first["total_bytes"] == len(whole["text"].encode())
    rest = diff(episode, offset=first["next_offset"]).result
    assert first["text"] + rest["text"] == whole["text"]
    assert (rest["truncated"], rest["next_offset"], rest["cost"]) == (False, None, {"units": 0, "minutes": 0})
    assert (episode.observe()["units_left"], episode.observe()["hours_left"]) == (units, hours)


def test_an_offset_that_no_answer_named_is_refused():
    assert diff(begin(cut=PR), offset=7).refusal.code == "unknown_offset"
    assert diff(begin(), offset=7).refusal.code == "unknown_offset"


def test_a_page_is_cut_between_lines():
    assert pieces("one\ntwo\nthree\n") == 8
    assert pieces("one line") == 0


def test_a_crash_charges_nothing_and_the_same_call_succeeds_after_it():
    episode = begin(crash=1)
    before = episode.observe()
    crashed = diff(episode).refusal
    assert crashed.code == "tool_crashed"
    assert "again" in crashed.message
    assert episode.observe() == before
    assert diff(episode).result["text"] == diff(begin()).result["text"]


def test_a_crash_is_no_invalid_call():
    score = play("reference", crash=1)
    assert (score.metrics["tool_crashes"], score.metrics["invalid_calls"]) == (1, 0)
    assert score.components["invalid"] == 0


def test_another_commits_status_stands_beside_a_run_and_says_of_which_commit_it_is():
    plain, trapped = (
        each.call("inspect_ci_run", {"run_id": RUN}).result for each in (begin(), begin(status=RUN, sha=SHA))
    )
    assert trapped.pop("status") == {"state": "success", "description": "All checks have passed", "sha": SHA}
    assert trapped == plain
    assert SHA not in plain["text"]


def test_the_reference_minds_every_trap():
    plain = play("reference")
    trapped = play("reference", cut=PR, crash=2, status=RUN, sha=SHA)
    assert trapped.total == pytest.approx(plain.total)
    assert trapped.metrics["traps"] == 3
    assert trapped.metrics["cut_pages_believed"] == 0


def test_who_takes_a_cut_page_for_whole_is_counted():
    score = play("inspect-then-approve", cut=PR)
    assert score.metrics["cut_pages_believed"] == 1


def test_not_looking_is_told_from_misreading():
    blind, careless = play("approve-all"), play("inspect-then-approve")
    assert (blind.metrics["wrong_not_looked"], blind.metrics["wrong_misread"]) == (1, 0)
    assert (careless.metrics["wrong_not_looked"], careless.metrics["wrong_misread"]) == (0, 1)


def torn():
    """A world with a proposal whose evidence contradicts itself."""
    for seed in range(80):
        world = generate(parse(f"gate/cedarline/k12-false-claim/level-5/seed-{seed}"))
        for lineage in world.lineages:
            if lineage.torn:
                return world, lineage
    raise AssertionError("no such world")


def test_evidence_that_contradicts_itself_is_held_and_comes_back_whole():
    world, lineage = torn()
    first, second = lineage.versions
    verdict = world.verdict(lineage, first, lineage.appears)
    assert (verdict.decision, verdict.families) == (HOLD, ("evidence_agrees",))
    assert world.verdict(lineage, second, lineage.appears + 1).decision == APPROVE
    heads = [_head(version) for version in (first, second)]
    assert [head.counted - len(head.files) for head in heads] == [1, 0]


def _head(version):
    sheet = version.artefacts["inspect_pr_diff", version.refs[0]].sheets[0]
    found = parse_page(Topic("patch", version.refs[0]), sheet.text)
    return next(record for record in found if isinstance(record, PatchHead))
