"""Supply-chain kinds: each breaks the one check that it is about, and tells nothing by which packages can be read."""

import pytest

from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from tests.world.cases import plantings, proposal, verdict

CHECKS = {
    "k19-known-weakness": "vuln",
    "k20-strange-package": "registry",
    "k21-unlocked": "lock",
    "k22-too-young": "age",
    "k23-strange-action": "pinned",
    "k24-broad-rights": "permissions",
    "k25-untrusted-input": "untrusted",
}
CEDARLINE, LOOPLATCH = (load_org(name) for name in ("cedarline", "looplatch"))
PLACES = [(CEDARLINE, CEDARLINE.service("payments")), (LOOPLATCH, LOOPLATCH.service("stockroom"))]
PLANTINGS = [each for each in plantings() if each[2].name in CHECKS and each[:2] in PLACES]
planting = pytest.mark.parametrize(
    ("org", "service", "kind", "variant"),
    PLANTINGS,
    ids=[f"{org.id}-{kind.name}-{variant.name}" for org, _, kind, variant in PLANTINGS],
)


@planting
def test_a_fault_breaks_the_check_that_it_is_about_and_no_other(org, service, kind, variant):
    for seed in range(2):
        fault = proposal(org, service, kind, variant.name, fault=True, seed=seed)
        broken = [rule for rule, answer in verdict(org, fault).answers if answer.state == "violated"]
        assert [rule.params.get("check", "registry") for rule in broken] == [CHECKS[kind.name]]


@planting
def test_what_can_be_read_of_packages_and_actions_is_the_same_for_both_twins(org, service, kind, variant):
    shown = [
        {
            key: [sheet.text for sheet in artefact.sheets]
            for key, artefact in proposal(org, service, kind, variant.name, fault=fault).versions[0].artefacts.items()
            if key[0] == "inspect_dependency"
        }
        for fault in (True, False)
    ]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", CHECKS)
def test_a_kind_has_three_forms_at_one_place_and_they_are_not_all_deep(name):
    found = {variant.name: variant.depth for _, _, kind, variant in PLANTINGS if kind.name == name}
    assert len(kinds()[name].variants) >= 3
    assert len(found) >= 3
    assert min(found.values()) <= 2
    assert max(found.values()) >= 3
