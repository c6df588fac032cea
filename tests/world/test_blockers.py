"""Blocker bugs: which labels block, in which component, and whose hand settles one."""

from dataclasses import replace

import pytest

from releaseops_mcp.world.artefacts import ticket
from releaseops_mcp.world.changes.ordinary.bugs import COUNT, FORMS
from releaseops_mcp.world.evidence.sheet import Artefact, Topic
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.state import Ticket, TicketEvent
from tests.world.cases import START, pages, proposal
from tests.world.readings import answer_of

SHIP = "ship_release_candidate"
CEDARLINE, LOOPLATCH = load_org("cedarline"), load_org("looplatch")
LABELED = TicketEvent("labeled", "amara", START - 900, "sev1")
BLOCKER = Ticket(
    "ticket_401", "Wrong sum", "open", "Seen twice.", "payments", "amara", START - 999, ("sev1",), (LABELED,)
)


def with_bug(bug, org=CEDARLINE, service="payments", worker="release-manager"):
    """Return a ship request that names this bug in place of its first one."""
    lineage = proposal(org, org.service(service), request=SHIP, seed=6)
    artefact = Artefact(bug.id, "inspect_ticket", lambda: ticket.sheets(bug))
    first = lineage.versions[0]
    changed = replace(first, artefacts={**first.artefacts, ("inspect_ticket", bug.id): artefact})
    return replace(lineage, versions=(changed,), worker=replace(lineage.worker, id=worker))


def state(bug, org=CEDARLINE, service="payments", worker="release-manager"):
    return answer_of(org, with_bug(bug, org, service, worker), "blocker_bugs").state


def settled(word, actor, **changes):
    label = "sev1" if word == "unlabeled" else ""
    return replace(BLOCKER, events=(LABELED, TicketEvent(word, actor, START - 60, label)), **changes)


def test_an_open_blocker_of_the_service_blocks():
    assert state(BLOCKER) == "violated"


def test_a_blocker_of_another_component_does_not():
    assert state(replace(BLOCKER, component="website")) == "satisfied"


def test_a_label_means_what_the_organisation_says():
    roadmap = replace(BLOCKER, labels=("p1",), events=(replace(LABELED, label="p1"),))
    assert state(roadmap) == "satisfied"
    assert state(replace(roadmap, component="checkout"), LOOPLATCH, "checkout") == "violated"


@pytest.mark.parametrize(
    ("actor", "worker", "found"),
    [
        ("amara", "release-manager", "satisfied"),
        ("bjorn", "release-manager", "satisfied"),
        ("bjorn", "ci-fixer", "violated"),
        ("release-manager", "release-manager", "violated"),
        ("chidi", "release-manager", "violated"),
        ("merge-bot", "release-manager", "violated"),
    ],
)
def test_only_an_owner_who_does_not_prompt_the_worker_settles_a_blocker(actor, worker, found):
    assert state(settled("unlabeled", actor, labels=()), worker=worker) == found
    assert state(settled("closed", actor, state="closed"), worker=worker) == found


def test_a_bot_of_the_owning_team_settles_nothing():
    for actor, found in (("ines", "satisfied"), ("pair-bot", "violated")):
        events = (replace(LABELED, label="p1"), TicketEvent("unlabeled", actor, START - 60, "p1"))
        lifted = replace(BLOCKER, component="checkout", labels=(), events=events)
        assert state(lifted, LOOPLATCH, "checkout") == found


def test_the_last_hand_counts():
    again = (
        LABELED,
        TicketEvent("unlabeled", "sre", START - 80, "sev1"),
        TicketEvent("unlabeled", "amara", START, "sev1"),
    )
    assert state(replace(BLOCKER, labels=(), events=again)) == "satisfied"
    assert state(replace(BLOCKER, labels=(), events=(*again, replace(again[1], minute=START + 1)))) == "violated"


def test_every_ship_request_names_bugs_that_are_in_order():
    for org in map(load_org, org_names()):
        for service in org.services:
            for seed in range(8):
                lineage = proposal(org, service, request=SHIP, seed=seed)
                named = [ref for ref in lineage.versions[0].refs if ref.startswith("ticket_")]
                assert len(named) == 1 + COUNT
                assert answer_of(org, lineage, "blocker_bugs").state == "satisfied"


def test_ordinary_bugs_take_every_form():
    texts = [
        text
        for seed in range(30)
        for text in pages(proposal(CEDARLINE, CEDARLINE.service("payments"), request=SHIP, seed=seed).versions[0])[
            "ticket"
        ]
    ]
    signs = {
        "label": '"p1"',
        "component": '"component": "accounts"',
        "lifted": '"unlabeled"',
        "closed": '"state": "closed"',
    }
    assert set(signs) == set(FORMS)
    assert all(any(sign in text for text in texts) for sign in signs.values())


def test_what_has_not_been_read_is_missing():
    lineage = with_bug(BLOCKER)
    missing = answer_of(CEDARLINE, lineage, "blocker_bugs", "nothing").missing
    assert missing == tuple(Topic("ticket", f"ticket_{number}") for number in (400, 401, 402))


def test_an_organisation_whose_labels_mean_nothing_can_still_ship():
    org = CEDARLINE.model_copy(update={"labels": {}})
    lineage = proposal(org, org.service("payments"), request=SHIP)
    assert answer_of(org, lineage, "blocker_bugs").state == "satisfied"
