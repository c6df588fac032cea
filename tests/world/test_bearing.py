"""Which rules a kind can be planted against: those whose scope and time let them bear on some release."""

import pytest

from releaseops_mcp.errors import UnknownScenario
from releaseops_mcp.world.clock import DAY, HOUR, STARTS
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs import loader
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.orgs.model import Effective, Scope
from releaseops_mcp.world.scenario import parse

ORG = load_org("cedarline")
SERVICE = ORG.service("payments")
SCENARIO = "gate/mine/k01-skipped-test/level-2/seed-{}"


def org_with(**changed):
    """Return an organisation all of whose rules about tests being there are changed alike."""
    rules = tuple(rule.model_copy(update=changed) if rule.family == "test_presence" else rule for rule in ORG.rules)
    return ORG.model_copy(update={"id": "mine", "rules": rules})


@pytest.mark.parametrize(
    ("changed", "bears"),
    [
        ({}, True),
        ({"severity": "warn"}, False),
        ({"scope": Scope(services=("elsewhere",))}, False),
        ({"scope": Scope(requests=("close_blocker",))}, False),
        ({"effective": Effective(until=0)}, False),
        ({"effective": Effective(since=2 * DAY)}, True),
        ({"effective": Effective(since=4 * DAY)}, False),
    ],
)
def test_a_rule_bears_where_its_scope_and_its_time_let_it(changed, bears):
    assert bool(bearing(org_with(**changed), SERVICE, "test_presence")) == bears


def test_a_kind_whose_rule_is_over_is_no_scenario(monkeypatch):
    monkeypatch.setattr(loader, "_installed", {"mine": org_with(effective=Effective(until=0))})
    with pytest.raises(UnknownScenario, match="has no rule or no service"):
        parse(SCENARIO.format(1))


def test_a_release_begins_while_the_rule_of_its_kind_is_in_force(monkeypatch):
    # Given a rule of one hour of one morning.
    hour = Effective(since=2 * DAY + 9 * HOUR, until=2 * DAY + 10 * HOUR)
    monkeypatch.setattr(loader, "_installed", {"mine": org_with(effective=hour)})
    # Then every release that is about it begins then.
    assert {generate(parse(SCENARIO.format(seed))).start for seed in range(4)} == {hour.since}
    assert hour.since in STARTS
