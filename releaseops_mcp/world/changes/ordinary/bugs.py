"""The bugs that a ship request names: two tickets whose labels, components and histories are all in order."""

from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.ordinary.base import Ordinary
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.state import Ticket, TicketEvent

COUNT = 2
FORMS = ("label", "component", "lifted", "closed")
"""Ways in which a bug looks like a blocker: by a label, of another component, lifted since, closed since."""
UNSETTLED = ("label", "component")
"""Those for which nobody has to lift or close anything."""
PLAIN = ("bug",)
"""Labels of an organisation that gives none a meaning."""
TITLES = (
    "The list is slow after midnight",
    "A retry shows the old amount",
    "Totals differ by one in the export",
    "The second page is empty now and then",
    "An error message names the wrong field",
    "Search misses names with an accent",
)
BODIES = ("Seen twice this week.", "Happens with about one in a hundred.", "Only with the larger accounts.")
ELSEWHERE = "website"


@dataclass(frozen=True, slots=True)
class Hands:
    """Who may lift or close a blocker of the service for this worker's release, and who may not."""

    able: tuple[str, ...]
    others: tuple[str, ...]


def add(draft: Draft, draws: Draws) -> None:
    """Open the bugs some days before the release process, and name them."""
    for order in range(COUNT):
        own = draws.child(order)
        form = own.choice(FORMS if hands_of(draft).able else UNSETTLED)
        ticket = bug(draft, draft.new_id("ticket"), form, own, spoiled=False)
        draft.tickets.append(ticket)
        draft.refs.append(ticket.id)


def bug(draft: Draft, ticket_id: str, form: str, draws: Draws, *, spoiled: bool) -> Ticket:
    """Return a bug in one of FORMS; `spoiled` makes it a blocker of this service, or keeps it one."""
    hands = hands_of(draft)
    blocker, other = (draws.choice(labels(draft.org, blocking=which) or PLAIN) for which in (True, False))
    able, stranger = draws.choice(hands.able or hands.others), draws.choice(hands.others)
    opened = draft.minute - draws.integer(3, 12) * DAY
    triaged, settled = opened + draws.integer(20, 300), draft.minute - draws.integer(1, 30) * HOUR
    actor = stranger if spoiled else able
    label = other if form == "label" and not spoiled else blocker
    component = another(draft) if form == "component" and not spoiled else draft.service.name
    events = [TicketEvent("labeled", able, triaged, label)]
    if form == "lifted":
        events.append(TicketEvent("unlabeled", actor, settled, label))
    elif form == "closed":
        events.append(TicketEvent("closed", actor, settled))
    return Ticket(
        id=ticket_id,
        title=draws.choice(TITLES),
        state="closed" if form == "closed" else "open",
        body=draws.choice(BODIES),
        component=component,
        reporter=able,
        minute=opened,
        labels=() if form == "lifted" else (label,),
        events=tuple(events),
    )


def hands_of(draft: Draft) -> Hands:
    """Return who may settle a blocker: people of an owning team who do not prompt the worker."""
    owning = set(draft.service.owners)
    able = tuple(person.id for person in draft.reviewers() if not owning.isdisjoint(person.teams))
    people = (person.id for person in draft.org.people)
    others = [draft.worker, *(person for person in people if person not in able)]
    return Hands(able, tuple(others))


def labels(org: Org, *, blocking: bool) -> tuple[str, ...]:
    """Return the labels that make a bug a blocker here, or those that do not."""
    wanted = ("blocker",) if blocking else ("normal", "roadmap")
    return tuple(name for name, label in org.labels.items() if label.means in wanted)


def another(draft: Draft) -> str:
    """Return a component other than the service."""
    return next((each.name for each in draft.org.services if each.name != draft.service.name), ELSEWHERE)


ORDINARY = Ordinary(name="bugs", order=20, requests=("ship_release_candidate",), add=add)
