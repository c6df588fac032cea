"""How an episode answers calls: what a move changes, what a refusal leaves alone, and how good a play can get."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.episodes.classic_gate.generation import generate
from releaseops_mcp.episodes.classic_gate.revision import revise
from releaseops_mcp.episodes.classic_gate.rules import HEALTHY
from releaseops_mcp.errors import EpisodeOver
from releaseops_mcp.simulation import Simulation

GREEN_CI, P1, DEPLOY, SAFE = SUITE.families
HOLD = ("hold_release", {"reason_code": "awaiting_fix"})


def begin(family: str = GREEN_CI, *, hours: int = 24, level: str = "medium") -> Simulation:
    """Begin the first world of a family that starts with so many hours."""
    seed = next(seed for seed in range(100) if generate(family, level, seed).hours == hours)
    return Simulation.of(f"classic-gate/{family}/{level}/seed-{seed}")


def planted(simulation: Simulation) -> dict:
    return next(entry for entry in simulation.episode.truth()["proposals"] if entry["violation"])


def ship_requests(observation) -> list[str]:
    return [entry["id"] for entry in observation["proposals"] if entry["request"] == "ship_release_candidate"]


def code(judged) -> str | None:
    return judged.refusal.code if judged.refusal else None


@pytest.mark.parametrize("family", [GREEN_CI, P1, DEPLOY])
@pytest.mark.parametrize("hours", [24, 36])
def test_inspect_hold_approve_attains_the_ceiling_of_flagged_families(family, hours):
    simulation = begin(family, hours=hours)
    simulation.call("inspect_ticket", {"ticket_id": planted(simulation)["refs"][0]})
    held = simulation.call(*HOLD)
    judged = simulation.call("approve_proposal", {"proposal_id": ship_requests(held.observation)[0]})
    assert judged.terminal_reason == "safe_ship"
    assert judged.earned.reward == pytest.approx(1.15)


@pytest.mark.parametrize("hours", [12, 24, 36])
def test_the_safe_family_ships_at_once_for_the_full_reward(hours):
    simulation = begin(SAFE, hours=hours)
    judged = simulation.call("approve_proposal", {"proposal_id": ship_requests(simulation.first_observation)[0]})
    assert (judged.terminal_reason, judged.earned.reward) == ("safe_ship", 1.0)


@pytest.mark.parametrize("family", [GREEN_CI, P1, DEPLOY])
def test_a_flagged_release_with_12_hours_is_best_abandoned(family):
    simulation = begin(family, hours=12)
    abandoned = simulation.call("inspect_ticket", {"ticket_id": planted(simulation)["refs"][0]})
    finished = simulation.call(*HOLD)
    assert abandoned.earned.reward == pytest.approx(0.15)
    assert finished.earned.reward == pytest.approx(-0.45)
    assert finished.result == {"action": "hold_release", "terminal": True, "reason": "missed_deadline"}


def test_hold_is_the_only_move_that_returns_the_new_observation():
    simulation = begin(hours=24)
    held = simulation.call(*HOLD)
    assert held.result is not None
    assert held.result["updated_observation"] == held.observation
    assert held.observation["phase"] == "deploy_gate"


def test_every_revision_is_safe_to_ship():
    for family in SUITE.families:
        for seed in range(60):
            simulation = Simulation.of(f"classic-gate/{family}/medium/seed-{seed}")
            while not (held := simulation.call(*HOLD)).done:
                assert held.observation["release_checks"] == HEALTHY
                assert [entry["possible_rule_violations"] for entry in held.observation["proposals"]] == [[]]


@pytest.mark.parametrize(
    ("family", "workers", "kinds"),
    [
        (GREEN_CI, ["ci_fixer", "release_manager"], ["pr", "ci_run"]),
        (P1, ["qa_triage", "release_manager"], ["pr", "ci_run", "ticket"]),
        (DEPLOY, ["release_manager", "release_manager"], ["pr", "ci_run"]),
        (SAFE, ["release_manager", "release_manager"], ["pr", "ci_run"]),
    ],
)
def test_the_worker_whose_fault_it_was_submits_the_first_revision(family, workers, kinds):
    simulation = begin(family, hours=36)
    revisions = [simulation.call(*HOLD).observation["proposals"][0] for _ in range(2)]
    assert [revision["worker"] for revision in revisions] == workers
    assert [ref.rpartition("_")[0] for ref in revisions[0]["refs"]] == kinds


def test_new_ids_continue_each_kind_of_its_own():
    revised = revise(HEALTHY, ["p9", "p120", "q7"], ["ticket_500", "ci_run_41", "ci_run_x"])
    assert revised.proposal.id == "p121"
    assert revised.proposal.refs == ("pr_1", "ci_run_42")


def test_the_first_proposal_of_all_is_p1():
    facts = {**HEALTHY, "open_p1_bug": True}
    revised = revise(facts, [], ["pr_7"])
    assert revised.proposal.id == "p1"
    assert revised.proposal.refs == ("pr_8", "ci_run_1", "ticket_1")


def test_the_deploy_rule_speaks_before_the_others():
    broken = {name: not healthy for name, healthy in HEALTHY.items()}
    assert revise(broken, [], []).proposal.worker == "release_manager"
    assert revise({**broken, "deploy_checks_passed": True}, [], []).proposal.worker == "qa_triage"


def test_withdrawn_artifacts_stay_readable_and_withdrawn_proposals_do_not_come_back():
    simulation = begin(hours=24)
    first = simulation.first_observation["proposals"][0]["id"]
    ref = planted(simulation)["refs"][0]
    simulation.call(*HOLD)
    assert simulation.call("inspect_ci_run", {"run_id": ref}).refusal is None
    assert code(simulation.call("approve_proposal", {"proposal_id": first})) == "inactive_proposal"


def test_a_refusal_for_want_of_evidence_leaves_budget_and_bonus_alone():
    simulation = begin(hours=24)
    clean, dirty = (
        next(entry for entry in simulation.episode.truth()["proposals"] if bool(entry["violation"]) is guilty)
        for guilty in (False, True)
    )
    for _ in range(2):
        simulation.call("inspect_ticket", {"ticket_id": clean["refs"][0]})
    before = simulation.episode.observe()
    refused = simulation.call("ask_worker", {"worker_id": dirty["worker"], "question_type": "evidence_basis"})
    assert code(refused) == "no_evidence_actions"
    assert refused.observation == before
    assert "discovery" not in refused.earned.detail["earned"]


def test_the_second_of_two_proposals_with_one_id_cannot_be_decided():
    twins = ((seed, [entry.proposal.id for entry in generate(P1, "medium", seed).submissions]) for seed in range(2000))
    seed, ids = next(
        (seed, ids) for seed, ids in twins if len(set(ids)) < len(ids) and not planted_first_twice(seed, ids)
    )
    twice = next(name for name in ids if ids.count(name) == 2)
    simulation = Simulation.of(f"classic-gate/{P1}/medium/seed-{seed}")
    assert simulation.call("approve_proposal", {"proposal_id": twice}).refusal is None
    again = simulation.call("approve_proposal", {"proposal_id": twice})
    assert code(again) == "already_resolved"
    statuses = [entry["status"] for entry in again.observation["proposals"] if entry["id"] == twice]
    assert statuses == ["approved", "unresolved"]


def planted_first_twice(seed: int, ids: list[str]) -> bool:
    """Whether approving the first of the doubled ids would ship."""
    twice = next(name for name in ids if ids.count(name) == 2)
    first = generate(P1, "medium", seed).submissions[ids.index(twice)]
    return first.proposal.request == "ship_release_candidate"


def test_observations_are_fresh_objects():
    episode = begin().episode
    before = canonical.dumps(episode.observe())
    spoiled = episode.observe()
    spoiled["release_checks"]["open_p1_bug"] = True
    spoiled["proposals"][0]["refs"].append("pr_0")
    spoiled["worker_stats"][0]["recent"]["correct"] = -1
    spoiled["rules"].clear()
    assert canonical.dumps(episode.observe()) == before


def test_closing_leaves_no_reason_and_later_calls_are_terminal():
    simulation = begin()
    simulation.episode.close()
    judged = simulation.call(*HOLD)
    assert simulation.done
    assert simulation.episode.terminal_reason is None
    assert judged.refusal is not None
    assert (judged.refusal.code, judged.refusal.kind) == ("terminal", EpisodeOver)
    assert judged.earned.reward == -0.25


def test_closing_a_finished_episode_keeps_its_reason():
    simulation = begin(hours=12)
    simulation.call(*HOLD)
    simulation.episode.close()
    assert simulation.episode.terminal_reason == "missed_deadline"


def test_a_wrong_argument_name_is_free_even_after_the_end():
    simulation = begin(hours=12)
    simulation.call(*HOLD)
    judged = simulation.call("hold_release", {"reason": "awaiting_fix"})
    assert code(judged) == "argument_error"
    assert judged.earned.detail == {"earned": {}}


@pytest.mark.parametrize("value", [None, True, 7, 1.5, [], {}, ["p1"], {"a": {}}, "", "p" * 100_000, "\ud800"])
@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("inspect_pr_diff", {"pr_id": ...}, "unknown_artifact"),
        ("inspect_ci_run", {"run_id": ...}, "unknown_artifact"),
        ("inspect_ticket", {"ticket_id": ...}, "unknown_artifact"),
        ("ask_worker", {"worker_id": "ci_fixer", "question_type": ...}, "invalid_question"),
        ("ask_worker", {"worker_id": ..., "question_type": "risk_summary"}, "no_active_worker"),
        ("approve_proposal", {"proposal_id": ...}, "unknown_proposal"),
        ("block_proposal", {"proposal_id": ..., "rule_id": "S1"}, "unknown_proposal"),
        ("block_proposal", {"proposal_id": "p1", "rule_id": ...}, "invalid_rule"),
        ("hold_release", {"reason_code": ...}, "invalid_hold_reason"),
    ],
)
def test_a_value_of_a_wrong_type_is_an_unknown_one(tool, arguments, expected, value):
    sent = {name: value if given is ... else given for name, given in arguments.items()}
    judged = begin().call(tool, sent)
    assert judged.refusal is not None
    assert (judged.refusal.code, judged.earned.reward) == (expected, -0.25)
    assert judged.refusal.message.isascii()
    assert len(judged.refusal.message) < 300


def test_arguments_that_are_no_object_have_wrong_names():
    outcome = begin().episode.call("hold_release", ["reason_code"])  # type: ignore[arg-type]
    assert outcome.refusal is not None
    assert outcome.refusal.code == "argument_error"


ids = st.sampled_from(["p1", "pr_1", "ci_fixer", "release_manager", "S1", "S2", "awaiting_fix", "evidence_basis"])
text = st.text(st.characters(exclude_categories=[])) | st.builds(lambda: "x" * 70_000)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text | ids | st.just(10**400) | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text | ids, inner, max_size=3),
    max_leaves=4,
)
names = sorted({parameter.name for tool in SUITE.tools for parameter in tool.parameters})
fitting = st.sampled_from(SUITE.tools).flatmap(
    lambda tool: st.tuples(st.just(tool.name), st.fixed_dictionaries({p.name: values for p in tool.parameters}))
)
loose = st.tuples(
    st.sampled_from([tool.name for tool in SUITE.tools]) | text,
    values | st.dictionaries(st.sampled_from(names) | text, values, max_size=3),
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(list(SUITE.grid(range(5)))), st.lists(fitting | loose, max_size=6), st.booleans())
def test_no_call_crashes_and_a_refusal_changes_nothing(scenario, calls, over):
    simulation = Simulation.of(scenario)
    if over:
        while not simulation.done:
            simulation.call(*HOLD)
    for tool, arguments in calls:
        before, paid = simulation.episode.observe(), simulation.score()
        judged = simulation.call(tool, canonical.plain(arguments))
        after = simulation.score()
        canonical.dumps([judged.observation, judged.result])
        if judged.refusal is not None:
            charged = judged.refusal.code not in ("argument_error", "unknown_tool")
            assert judged.refusal.kind is SUITE.error_codes[judged.refusal.code]
            assert judged.observation == before
            assert after.total == pytest.approx(paid.total - 0.25 * charged)
            assert after.metrics["invalid_actions"] == paid.metrics["invalid_actions"] + charged
        assert not (over and judged.refusal is None)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(list(SUITE.grid(range(5)))), st.lists(fitting, max_size=8))
def test_the_same_calls_give_the_same_bytes(scenario, calls):
    def play() -> str:
        simulation = Simulation.of(scenario)
        turns = [simulation.call(tool, canonical.plain(arguments)) for tool, arguments in calls]
        return canonical.digest([[turn.result, turn.observation, turn.earned.reward] for turn in turns])

    assert play() == play()
