"""Worlds of edited organisations: whatever a sound file says, a fault is never approvable and its twin always is."""

from collections.abc import Callable
from typing import Any

import pytest
import yaml

from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs import loader
from releaseops_mcp.world.orgs.loader import org_names, org_text, read_org
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.scenario import ScenarioName

Written = dict[str, Any]
SHIP = "ship_release_candidate"
LEVELS = (2, 5)
CONTRADICTS_ITSELF = "evidence_agrees"
"""The family that holds a proposal, harmless or not, whose pages do not agree."""
TURNS = 5
"""Each edit of each organisation plants every fifth kind; over the edits and organisations all have their turn."""


def nothing_guarded(org: Written) -> None:
    for service in org["services"]:
        service["protected"] = []


def no_tests_required(org: Written) -> None:
    for service in org["services"]:
        service["required_jobs"] = []


def short_exceptions(org: Written) -> None:
    for waiver in org["exceptions"]:
        waiver["days"] = 1


def warnings_alone(org: Written) -> None:
    for rule in org["rules"][::2]:
        rule["severity"] = "warn"


def nothing_for_ships(org: Written) -> None:
    _keep(org, lambda rule: rule["scope"]["requests"] != [SHIP])


def one_worker_one_service(org: Written) -> None:
    org["workers"], org["services"] = org["workers"][:1], org["services"][:1]
    for person in org["people"]:
        person["operator_of"] = [name for name in person.get("operator_of", []) if name == org["workers"][0]["id"]]
    name = org["services"][0]["name"]
    _keep(org, lambda rule: name in rule["scope"].get("services", [name]))
    for scoped in [*(rule["scope"] for rule in org["rules"]), *org.get("calendar", [])]:
        scoped.pop("services", None)


def no_labels_no_exceptions(org: Written) -> None:
    org["labels"], org["exceptions"] = {}, []
    for rule in org["rules"]:
        rule.pop("unless", None)
    for window in org.get("calendar", []):
        window.pop("emergency", None)


def _keep(org: Written, wanted: Callable[[Written], bool]) -> None:
    """Drop the other rules, their exceptions, and windows that those would open."""
    org["rules"] = [rule for rule in org["rules"] if wanted(rule)]
    left = {rule["id"] for rule in org["rules"]}
    org["exceptions"] = [waiver for waiver in org["exceptions"] if waiver["rule"] in left]
    known = {"", *(waiver["id"] for waiver in org["exceptions"])}
    org["calendar"] = [window for window in org.get("calendar", []) if window.get("emergency", "") in known]


EDITS = (
    nothing_guarded,
    no_tests_required,
    short_exceptions,
    warnings_alone,
    nothing_for_ships,
    one_worker_one_service,
    no_labels_no_exceptions,
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("built_in", org_names())
def test_faults_stay_faults_and_twins_harmless(built_in: str, edit: Callable[[Written], None], monkeypatch) -> None:
    # Given an edited copy, when the kinds whose turn it is are planted there, then only faults are not approvable.
    written = yaml.safe_load(org_text(built_in)) | {"id": "mine"}
    edit(written)
    org = read_org(yaml.safe_dump(written), "mine.yaml")
    monkeypatch.setattr(loader, "_installed", {"mine": org})
    turn = EDITS.index(edit) + org_names().index(built_in)
    chosen = plantable(org)[turn % TURNS :: TURNS]
    planted = 0
    for number, kind in enumerate(chosen):
        for twin in (False, True):
            world = generate(ScenarioName("mine", kind.name, twin, LEVELS[number % len(LEVELS)], seed=7))
            for lineage in world.lineages:
                verdict = world.verdict(lineage, lineage.versions[0], lineage.appears)
                assert (verdict.decision == APPROVE) != (lineage.fault or lineage.torn), (kind.name, lineage.planted)
                planted += lineage.fault and lineage.planted.startswith(kind.name)
    assert planted >= len(chosen) > 0
