"""The quick one of the gates of hidden rules: one organisation, one stream, a handful of proposals."""

from releaseops_mcp.world.orgs.loader import load_org
from tests.gates.gate_hidden import held_out, told, unpublished


def test_a_learner_tells_what_the_handbook_alone_cannot() -> None:
    found = told("halden", streams=1, cases=10)
    assert found.cases == 10
    assert found.learner >= 95
    assert found.learner - found.memoryless >= 15


def test_what_is_asked_about_is_in_no_handbook() -> None:
    world, lineage = next(held_out("halden", 0))
    families = {rule.family for rule in world.org.rules if rule.visibility != "public"}
    assert families
    assert families.isdisjoint(rule.family for rule in world.org.public.rules if rule.scope.services == ("companion",))
    assert lineage in world.lineages


def test_only_organisations_with_secrets_are_asked_about() -> None:
    assert unpublished(load_org("cedarline"))
    assert not unpublished(load_org("cedarline").model_copy(update={"rules": load_org("cedarline").public.rules}))
