"""The gate's reward is a fold over steps and truth: the table, the evidence, the ends, and the doors it keeps shut."""

import pytest

from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant, gold
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.gate import weights as w
from releaseops_mcp.rewards.gate.scorer import SCORER
from releaseops_mcp.world.generation import generate
from tests.world.cases import scenarios

SHIP = "ship_release_candidate"
GROUND = "inspect_pr_diff:pr_1#1"


def proposal(verdict, request="merge_change", harm=1.5, again=None):
    """What the truth holds of a proposal; `again` is the verdict of its second version."""
    versions = [
        {"verdicts": [each] * 3, "rules": ["secret"] if each == "block" else [], "grounds": [GROUND]}
        for each in (verdict, again)
        if each
    ]
    return {
        "request": request,
        "harm": harm,
        "fault": verdict != "approve",
        "archetype": "careful",
        "versions": versions,
    }


def truth(shippable=True, **proposals):
    return {"hours": 10.0, "units": 8, "shippable": shippable, "proposals": proposals}


def seen(phase=1, hours=10.0, **statuses):
    """An observation: `p1="open"`, or `p1=("open", 2)` for a second version."""
    rows = [(name, *(value if isinstance(value, tuple) else (value, 1))) for name, value in statuses.items()]
    return {
        "phase_index": phase,
        "hours_left": hours,
        "proposals": [{"id": name, "status": status, "version": version} for name, status, version in rows],
    }


def step(tool, after, reason=None, error=None, result=None, **arguments):
    return Step(tool, arguments, error, result or {}, after, reason is not None, reason)


def fold(facts, first, *steps):
    tally = SCORER.tally(facts, first)
    running = sum(tally.add(each).reward for each in steps)
    return tally.score(), running


READ = {"cost": {"units": 1, "minutes": 15}}


@pytest.mark.parametrize(("decision", "true"), [key for key in w.DECISIONS if key[0] != w.UNDECIDED])
def test_a_decision_earns_what_the_table_says(decision, true):
    tool, extra = {
        "approve": ("approve_proposal", {}),
        "hold": ("hold_release", {"reason_code": "awaiting_fix"}),
        "block": ("block_proposal", {"rule_id": "secret"}),
    }[decision]
    done = step(tool, seen(p1="held"), proposal_id="p1", **extra)
    score, _ = fold(truth(p1=proposal(true), p2=proposal("approve")), seen(p1="open", p2="approved"), done)
    expected = w.DECISIONS[decision, true] * (1.5 if decision == "approve" else 1)
    if decision == "block" and true != "block":
        expected = w.WRONG_RULE[true]
    assert score.components["decisions"] == pytest.approx(w.DECISIONS_WEIGH * expected)


def test_a_block_under_the_wrong_rule_costs_even_where_it_is_right_to_block():
    done = step("block_proposal", seen(p1="blocked"), proposal_id="p1", rule_id="freeze")
    score, _ = fold(truth(p1=proposal("block")), seen(p1="open"), done)
    assert score.components["decisions"] == pytest.approx(3 * w.WRONG_RULE["block"])
    assert (score.metrics["blocks"], score.metrics["right_rules"]) == (1, 0)


def test_what_is_left_undecided_costs_at_the_end_and_not_before():
    facts, first = truth(p1=proposal("block"), p2=proposal("approve")), seen(p1="open", p2="open")
    looked = step("inspect_ticket", first, ticket_id="ticket_1", result=READ)
    tally = SCORER.tally(facts, first)
    assert tally.add(looked).reward == pytest.approx(w.UNIT)
    assert tally.score().components["decisions"] == pytest.approx(3 * 2 * -0.20 / 2)


def test_an_informed_right_block_earns_a_bonus_once_a_lineage():
    facts = truth(p1=proposal("block", again="block"))
    read = step("inspect_pr_diff", seen(p1="open"), pr_id="pr_1", page=1, result=READ)
    block = {"proposal_id": "p1", "rule_id": "secret"}
    again = seen(2, 6.0, p1=("open", 2))
    score, _ = fold(
        facts,
        seen(p1="open"),
        read,
        step("block_proposal", again, **block),
        step("block_proposal", seen(3, 2.0, p1=("open", 2)), **block),
    )
    assert score.components["evidence"] == pytest.approx(w.EVIDENCE)


def test_a_blind_block_earns_no_bonus_and_no_lineage_number_beats_the_cap():
    blind, _ = fold(
        truth(p1=proposal("block")),
        seen(p1="open"),
        step("block_proposal", seen(p1="blocked"), proposal_id="p1", rule_id="secret"),
    )
    assert blind.components["evidence"] == 0
    names = [f"p{number}" for number in range(5)]
    first = seen(**dict.fromkeys(names, "open"))
    read = step("inspect_pr_diff", first, pr_id="pr_1", result=READ)
    blocks = [step("block_proposal", first, proposal_id=name, rule_id="secret") for name in names]
    farmed, _ = fold(truth(**{name: proposal("block") for name in names}), first, read, *blocks)
    assert farmed.components["evidence"] == w.EVIDENCE_AT_MOST


def test_a_hold_keeps_its_price_when_the_same_version_is_approved_later():
    facts = truth(p1=proposal("approve"))
    held = step("hold_release", seen(2, 6.0, p1="open"), reason_code="awaiting_fix")
    granted = step("approve_proposal", seen(2, 6.0, p1="approved"), proposal_id="p1")
    score, _ = fold(facts, seen(p1="open"), held, granted)
    assert score.components["decisions"] == pytest.approx(3 * w.DECISIONS["hold", "approve"])


def ends(reason, *, shippable=True, bad=False, left_out=False):
    facts = truth(shippable, p1=proposal("block" if bad else "approve"), s=proposal("approve", SHIP))
    first = seen(p1="open", s="open")
    steps = []
    if not left_out:
        steps.append(step("approve_proposal", seen(p1="approved", s="open"), proposal_id="p1"))
    after = seen(p1="open" if left_out else "approved", s="approved")
    tool, named = ("approve_proposal", {"proposal_id": "s"}) if "ship" in reason else ("refuse_release", {})
    score, running = fold(facts, first, *steps, step(tool, after, reason=reason, **named))
    assert running == pytest.approx(score.total)
    return score.components["terminal"]


def test_the_end_earns_what_the_table_says():
    assert ends("safe_ship") == 1.0
    assert ends("safe_ship", left_out=True) == pytest.approx(0.7)
    assert ends("unsafe_ship", bad=True) == pytest.approx(-1.375)
    assert ends("missed_deadline") == -0.6
    assert ends("refused", shippable=False) == 0.8
    assert ends("refused") == -0.4
    assert ends("abandoned") == -0.8


def test_approving_what_is_bad_does_not_make_a_refusal_right():
    assert ends("refused", bad=True) == -0.4


def test_the_approval_that_ships_is_paid_by_the_end_alone():
    facts = truth(p1=proposal("block"), s=proposal("approve", SHIP))
    steps = (
        step("approve_proposal", seen(p1="approved", s="open"), proposal_id="p1"),
        step("approve_proposal", seen(p1="approved", s="approved"), reason="unsafe_ship", proposal_id="s"),
    )
    score, _ = fold(facts, seen(p1="open", s="open"), *steps)
    assert score.components["decisions"] == pytest.approx(3 * -0.5 * 1.5 / 2)


def test_holding_a_ship_request_that_carries_a_bad_approval_is_judged_by_what_it_carries():
    facts = truth(p1=proposal("block"), s=proposal("approve", SHIP))
    first = seen(p1="open", s="open")
    bad = step("approve_proposal", seen(p1="approved", s="open"), proposal_id="p1")
    named = step("block_proposal", seen(p1="approved", s="blocked"), proposal_id="s", rule_id="secret")
    score, _ = fold(facts, first, bad, named)
    assert score.components["decisions"] == pytest.approx(3 * (-0.75 + 0.0) / 2)


def test_time_units_and_invalid_calls_have_their_price_and_some_mistakes_are_free():
    facts, first = truth(p1=proposal("approve")), seen(p1="open")
    steps = (
        step("read_policy", seen(1, 5.0, p1="open"), result={"cost": {"units": 0, "minutes": 5}}),
        step("ask_worker", seen(1, 5.0, p1="open"), result={"cost": {"units": 1, "minutes": 10}}),
        step("approve_proposal", seen(1, 5.0, p1="open"), error="unknown_proposal"),
        step("nothing", seen(1, 5.0, p1="open"), error="unknown_tool"),
    )
    score, _ = fold(facts, first, *steps)
    parts = score.components
    assert (parts["time"], parts["units"], parts["invalid"]) == (pytest.approx(-0.1), w.UNIT, w.INVALID)


WORLDS = [each for name in scenarios(5, homes=3) for each in (name, name.other)]


def test_every_world_can_end_well_and_gold_is_near_the_best():
    for name in WORLDS:
        world = generate(name)
        best, careful = clairvoyant(world), gold(world)
        # A refusal leaves the ship request undecided, one proposal of at least three, and may have to wait for it.
        refused = w.RIGHT_REFUSAL + w.DECISIONS[w.UNDECIDED, w.BLOCK] * w.DECISIONS_WEIGH / 3 + w.TIME
        assert best.value >= {"safe_ship": 0.5, "refused": refused}[best.terminal_reason]
        assert best.value - careful.value <= 0.15
        assert not [call for call in careful.calls if call[0] == "approve_proposal" and not call[1]]


def test_an_unfinished_episode_is_worse_than_a_safe_end():
    for name in WORLDS[::4]:
        world = generate(name)
        calls = clairvoyant(world).calls
        assert clairvoyant(world).value > w.ABANDONED
        assert len(calls) >= 1
