"""A bug that a ship request named: its labels, its component, and whether it was open."""

from releaseops_mcp.world.artefacts.ticket import TicketEventRecord, TicketRecord
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Record, Topic
from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.precedents.precedent import Facts, Past
from releaseops_mcp.world.precedents.subjects.base import TICKET, Hint, Records, Setting, Subject

PLAIN = "bug"
ELSEWHERE = "website"
MOST = 2
BLOCKERS = 0.15
"""How often a label is one that blocks by itself."""


def draw(setting: Setting, draws: Draws) -> Facts:
    """Label an open bug of the service once or twice; now and then it is another component's, or an owner closed it."""
    labels = setting.org.labels
    plain = [name for name, label in labels.items() if label.means in ("normal", "roadmap")] or [PLAIN]
    blocking = [name for name, label in labels.items() if label.means == "blocker"] or plain
    chosen = [draws.choice(blocking)] if draws.chance(BLOCKERS) else draws.sample(plain, draws.integer(1, MOST))
    owners = [
        person.id
        for person in setting.org.people
        if person.kind == "human"
        and not set(person.teams).isdisjoint(setting.service.owners)
        and setting.worker not in person.operator_of
    ]
    closed = bool(owners) and draws.chance(0.15)
    return {
        "labels": sorted(chosen),
        "component": ELSEWHERE if draws.chance(0.15) else setting.service.name,
        "closed_by": draws.choice(owners) if closed else None,
    }


def records(past: Past, handbook: Handbook) -> Records:
    """Return the ticket and its history."""
    facts, labels = past.facts, tuple(past.facts["labels"])
    state = "closed" if facts["closed_by"] else "open"
    found: list[Record] = [TicketRecord(state, "", facts["component"], past.worker, labels, "")]
    found += [TicketEventRecord("labeled", past.worker, 0, label) for label in labels]
    if facts["closed_by"]:
        found.append(TicketEventRecord("closed", facts["closed_by"], 1, ""))
    return {Topic("ticket", TICKET): tuple(found)}


SUBJECT = Subject(
    name="bug",
    families=("blocker_bugs",),
    request="ship_release_candidate",
    refs=(TICKET,),
    draw=draw,
    records=records,
    hints={
        "blocker_bugs": Hint(
            incident="{service} shipped over an open bug whose labels, taken one by one, looked harmless.",
            heard="For {service} some labels stop a release only together.",
            misheard="Only a label that is called a blocker stops {service}.",
        )
    },
)
