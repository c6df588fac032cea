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
    org["rules"][-1]["scope"] = {"requests": ["merge_change"]}


def one_worker_one_service(org: Written) -> None:
    org["workers"], org["services"] = org["workers"][:1], org["services"][:1]
    for person in org["people"]:
        person["operator_of"] = [name for name in person.get("operator_of", []) if name == org["workers"][0]["id"]]
    for rule in org["rules"]:
        rule["scope"].pop("services", None)


def no_labels_no_exceptions(org: Written) -> None:
    org["labels"], org["exceptions"] = {}, []
    for rule in org["rules"]:
        rule.pop("unless", None)


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
    written = yaml.safe_load(org_text(built_in)) | {"id": "mine"}
    edit(written)
    org = read_org(yaml.safe_dump(written), "mine.yaml")
    monkeypatch.setattr(loader, "_installed", {"mine": org})
    planted = 0
    for kind in plantable(org):
        for level in (2, 5):
            for twin in (False, True):
                world = generate(ScenarioName("mine", kind.name, twin, level, seed=7))
                for lineage in world.lineages:
                    verdict = world.verdict(lineage, lineage.versions[0], lineage.appears)
                    assert (verdict.decision == APPROVE) != lineage.fault, (kind.name, lineage.planted)
                    planted += lineage.fault and lineage.planted.startswith(kind.name)
    assert planted >= 2 * len(plantable(org)) > 0
