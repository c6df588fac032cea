"""Asking a worker or a person: they name artefacts, never a verdict."""

from releaseops_mcp.episodes.base import Json, Refusal
from releaseops_mcp.episodes.gate.refusals import refuse, shown
from releaseops_mcp.episodes.gate.release import Entry, Release
from releaseops_mcp.world.clock import HOUR
from releaseops_mcp.world.orgs.model import Person

ASK_MINUTES = 10
REVIEW_HOURS = {"staff": 1, "senior": 2, "junior": 4}
"""How long a person takes, by seniority; whoever is not on call takes two hours more."""
OFF_CALL_HOURS = 2
INVENTED = 9_000
"""Added to a number where a worker cites a run that does not exist."""


def ask_worker(release: Release, worker_id: str, question: str) -> Json | Refusal:
    """Return a worker's answer in its archetype's words."""
    entry = next((entry for entry in release.open() if entry.lineage.worker.id == worker_id), None)
    if entry is None:
        return refuse("unknown_worker", value=shown(worker_id))
    if release.units <= 0:
        return refuse("no_review_units")
    release.units -= 1
    release.pass_time(ASK_MINUTES)
    return {
        "worker": worker_id,
        "proposal": entry.lineage.id,
        "answer": entry.lineage.worker.archetype.answers[question],
        "refs": _named(entry) if question == "evidence_basis" else [],
        "cost": {"units": 1, "minutes": ASK_MINUTES},
    }


def request_review(release: Release, person_id: str, entry: Entry) -> Json | Refusal:
    """Return what a person found worth looking at, or that the proposal is not theirs; once a phase."""
    person = release.world.org.person(person_id)
    if person is None or person.kind != "human":
        return refuse("unknown_person", value=shown(person_id))
    if release.reviewed_in == release.phase:
        return refuse("review_requested")
    if release.units <= 0:
        return refuse("no_review_units")
    hours = REVIEW_HOURS[person.seniority] + (0 if person.oncall else OFF_CALL_HOURS)
    release.units -= 1
    release.reviewed_in = release.phase
    release.pass_time(hours * HOUR)
    mine = _is_area(person, entry)
    return {
        "person": person_id,
        "proposal": entry.lineage.id,
        "state": "COMMENTED" if mine else "DISMISSED",
        "body": f"Look at {entry.version.tell}." if mine and entry.version.tell else "Not mine.",
        "cost": {"units": 1, "minutes": hours * HOUR},
    }


def _is_area(person: Person, entry: Entry) -> bool:
    """Return whether the person is of an owning team and does not prompt the worker."""
    return (
        not set(person.teams).isdisjoint(entry.lineage.service.owners)
        and entry.lineage.worker.id not in person.operator_of
    )


def _named(entry: Entry) -> list[str]:
    version = entry.version
    points = entry.lineage.worker.archetype.points
    if points == "decisive":
        return [version.tell] if version.tell else []
    if points == "first":
        return list(version.refs[:1])
    if points == "nothing":
        return []
    number = next((ref.rpartition("_")[2] for ref in version.refs), "1")
    return [f"ci_{INVENTED + int(number)}"]
