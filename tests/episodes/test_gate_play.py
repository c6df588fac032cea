"""The gate is played by its tools: reading costs, decisions are final for a version, phases move the world."""

import pytest

from releaseops_mcp.episodes.gate.episode import MOST_CALLS, MOST_INVALID, GateEpisode
from releaseops_mcp.episodes.gate.refusals import ERROR_CODES
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.world.world import SHIP

FAULT = "gate/cedarline/k01-skipped-test/level-3/seed-{seed}"
REASON = {"reason_code": "evidence_missing"}


def begin(scenario=FAULT, seed=0):
    return GateEpisode(generate(parse(scenario.format(seed=seed))))


def early(appears=1):
    """An episode whose ship request appears in this phase, with the first proposal's id."""
    for seed in range(60):
        world = generate(parse(FAULT.format(seed=seed)))
        if world.ship_phase == appears and world.last_phase > appears:
            return GateEpisode(world)
    raise AssertionError("no such world")


def open_ids(episode, request="merge_change"):
    return [p["id"] for p in episode.observe()["proposals"] if p["status"] == "open" and p["request"] == request]


def refs(episode, proposal_id):
    return next(p["refs"] for p in episode.observe()["proposals"] if p["id"] == proposal_id)


def test_reading_a_page_costs_a_unit_and_its_minutes_and_reading_it_again_is_free():
    episode = begin()
    before = episode.observe()
    (pr, *_) = refs(episode, open_ids(episode)[0])
    first = episode.call("inspect_pr_diff", {"pr_id": pr}).result
    after = episode.observe()
    again = episode.call("inspect_pr_diff", {"pr_id": pr, "page": 1}).result
    assert first["cost"] == {"units": 1, "minutes": 15}
    assert after["units_left"] == before["units_left"] - 1
    assert after["hours_left"] == pytest.approx(before["hours_left"] - 0.25, abs=0.01)
    assert again == first | {"cost": {"units": 0, "minutes": 0}}
    assert episode.observe() == after


def test_a_page_says_what_else_there_is():
    episode = begin()
    ci = refs(episode, open_ids(episode)[0])[1]
    result = episode.call("inspect_ci_run", {"run_id": ci}).result
    assert result["contents"][0] == result["format"] == "run"
    assert {"junit", "log"} <= set(result["contents"])
    assert (result["truncated"], result["next_page"]) == (True, 2)
    last = episode.call("inspect_ci_run", {"run_id": ci, "page": len(result["contents"])}).result
    assert (last["truncated"], last["next_page"]) == (False, None)


def test_the_policy_and_the_precedents_cost_minutes_and_no_unit():
    episode = begin()
    units = episode.observe()["units_left"]
    policy = episode.call("read_policy", {}).result
    assert "R-TEST-01" in policy["text"]
    assert policy["cost"] == {"units": 0, "minutes": 5}
    assert "decision" in episode.call("read_precedents", {}).result["text"]
    assert episode.observe()["units_left"] == units


def test_without_units_nothing_new_can_be_read():
    episode = begin()
    for _ in range(episode.observe()["units_left"]):
        assert episode.call("ask_worker", {"worker_id": worker(episode), "question_type": "risk_summary"}).result
    assert episode.observe()["units_left"] == 0
    refused = episode.call("ask_worker", {"worker_id": worker(episode), "question_type": "risk_summary"})
    assert refused.refusal.code == "no_review_units"
    (pr, *_) = refs(episode, open_ids(episode)[0])
    assert episode.call("inspect_pr_diff", {"pr_id": pr}).refusal.code == "no_review_units"


def worker(episode):
    return next(p["worker"] for p in episode.observe()["proposals"] if p["status"] == "open")


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("inspect_pr_diff", {"pr_id": "pr_1"}, "unknown_artifact"),
        ("inspect_ticket", {"ticket_id": "ticket_1"}, "unknown_artifact"),
        ("inspect_pr_diff", {"pr": "pr_1"}, "invalid_argument"),
        ("inspect_pr_diff", {"pr_id": "pr_1", "page": 0}, "invalid_argument"),
        ("read_policy", {"page": 99}, "unknown_page"),
        ("approve_proposal", {"proposal_id": "p0"}, "unknown_proposal"),
        ("approve_proposal", {"proposal_id": "p0", "confidence": 1.5}, "invalid_argument"),
        ("block_proposal", {"proposal_id": "p0", "rule_id": "vibes"}, "invalid_argument"),
        ("hold_release", {"reason_code": "bored"}, "invalid_argument"),
        ("ask_worker", {"worker_id": "nobody", "question_type": "risk_summary"}, "unknown_worker"),
    ],
)
def test_a_refused_call_says_why_and_changes_nothing(tool, arguments, code):
    episode = begin()
    before = episode.observe()
    refusal = episode.call(tool, arguments).refusal
    assert refusal.code == code
    assert refusal.kind is ERROR_CODES[code]
    assert episode.observe() == before


def test_a_decision_is_final_for_a_version():
    episode = begin()
    proposal = open_ids(episode)[0]
    episode.call("hold_release", REASON | {"proposal_id": proposal})
    refused = episode.call("approve_proposal", {"proposal_id": proposal}).refusal
    if episode.observe()["phase_index"] == 1:
        assert refused.code == "already_decided"
        assert "held" in refused.message
    else:
        assert refused is None


def test_holding_the_release_ends_the_phase_and_costs_its_length():
    episode = early()
    before = episode.observe()
    episode.call("hold_release", REASON)
    after = episode.observe()
    assert after["phase_index"] == 2
    assert after["hours_left"] == pytest.approx(before["hours_left"] - before["phase_hours"])
    assert after["units_left"] > before["units_left"]
    assert all(proposal["status"] == "open" for proposal in after["proposals"])


def test_the_last_decision_of_a_phase_ends_it():
    episode = early(2)
    for proposal in open_ids(episode):
        assert episode.observe()["phase_index"] == 1
        episode.call("approve_proposal", {"proposal_id": proposal})
    assert episode.observe()["phase_index"] == 2
    assert open_ids(episode, SHIP)


def test_a_faulty_proposal_that_is_held_comes_back_as_a_new_version():
    episode = early()
    faults = {key for key, value in episode.truth()["proposals"].items() if value["fault"]}
    episode.call("hold_release", REASON)
    versions = {p["id"]: p["version"] for p in episode.observe()["proposals"] if p["id"] in faults}
    shown = {p["id"] for p in early().observe()["proposals"]}
    assert {versions[key] for key in versions.keys() & shown} <= {2}
    assert all(p["version"] == 1 for p in episode.observe()["proposals"] if p["id"] not in faults)


def test_shipping_ends_the_episode_safely_only_without_a_bad_approval():
    for leave_out, reason in ((True, "safe_ship"), (False, "unsafe_ship")):
        episode = early()
        truth = episode.truth()["proposals"]
        for proposal in [*open_ids(episode), *open_ids(episode, SHIP)]:
            bad = truth[proposal]["versions"][0]["verdicts"][0] != "approve"
            if bad and leave_out:
                episode.call("hold_release", REASON | {"proposal_id": proposal})
            else:
                episode.call("approve_proposal", {"proposal_id": proposal})
        assert (episode.done, episode.terminal_reason) == (True, reason)


def test_refusing_ends_the_episode_and_nothing_comes_after():
    episode = begin()
    assert episode.call("refuse_release", {"reason_code": "cannot_ship_safely"}).refusal is None
    assert (episode.done, episode.terminal_reason) == (True, "refused")
    assert episode.call("read_policy", {}).refusal.code == "episode_over"


def test_holding_on_and_on_misses_the_deadline():
    episode = begin()
    while not episode.done:
        episode.call("hold_release", REASON)
    assert episode.terminal_reason == "missed_deadline"
    assert episode.observe()["hours_left"] == 0


def test_stalling_ends_the_episode_as_abandoned():
    wrong, idle = begin(), begin()
    for _ in range(MOST_INVALID):
        assert not wrong.done
        wrong.call("approve_proposal", {})
    for _ in range(MOST_CALLS):
        assert not idle.done
        idle.call("read_policy", {})
    assert {wrong.terminal_reason, idle.terminal_reason} == {"abandoned"}


def test_closing_is_abandoning():
    episode = begin()
    episode.close()
    episode.close()
    assert episode.terminal_reason == "abandoned"


def test_a_worker_names_artefacts_and_no_verdict():
    episode = begin()
    for question in ("evidence_basis", "policy_basis"):
        result = episode.call("ask_worker", {"worker_id": worker(episode), "question_type": question}).result
        assert result["cost"] == {"units": 1, "minutes": 10}
        assert isinstance(result["refs"], list)
        assert not {"violation", "verdict", "truth", "block"} & set(result["answer"].lower().split())


def test_a_person_looks_once_a_phase_and_only_into_their_own_area():
    owner, stranger = begin(), begin()
    proposal = open_ids(owner)[0]
    asked, owners = proposal_worker(owner, proposal), set(owner._world.service.owners)
    mine = next(
        person
        for person in owner._world.org.people
        if not owners.isdisjoint(person.teams) and asked not in person.operator_of
    )
    theirs = next(each for each in owner._world.org.people if each.kind == "human" and owners.isdisjoint(each.teams))
    found = owner.call("request_review", {"person_id": mine.id, "proposal_id": proposal}).result
    assert found["state"] == "COMMENTED"
    assert found["cost"]["minutes"] >= 60
    again = owner.call("request_review", {"person_id": mine.id, "proposal_id": proposal}).refusal
    assert again.code in ("review_requested", "episode_over")
    other = stranger.call("request_review", {"person_id": theirs.id, "proposal_id": proposal}).result
    assert other["body"] == "Not mine."
    bot = begin().call("request_review", {"person_id": "merge-bot", "proposal_id": proposal}).refusal
    assert bot.code == "unknown_person"


def proposal_worker(episode, proposal_id):
    return next(p["worker"] for p in episode.observe()["proposals"] if p["id"] == proposal_id)


def test_an_observation_is_fresh_each_time():
    episode = begin()
    episode.observe()["proposals"].clear()
    assert episode.observe()["proposals"]
