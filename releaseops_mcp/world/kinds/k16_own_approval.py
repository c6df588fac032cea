"""One of the approvals does not count: a bot's, that of who prompts the agent, that of who pushed last, a wrong team's.

Twins: the same people, of whom another one approved and this one only remarked; a bot where bots may approve.
"""

from functools import lru_cache

from releaseops_mcp.world.changes.demands import demands, met
from releaseops_mcp.world.changes.draft import Draft, ReviewDraft
from releaseops_mcp.world.changes.reach import instead, touch
from releaseops_mcp.world.changes.seats import REMARKS, Seats, everywhere, push_by, review, seats
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing as rules_of
from releaseops_mcp.world.orgs.model import Org, Person, Rule, Service
from releaseops_mcp.world.rules.base import settings
from releaseops_mcp.world.rules.review_authority import Authority
from releaseops_mcp.world.templates import load_template

FAMILY = "review_authority"
TOPICS = ("errors", "limits", "retries", "exports", "webhooks", "paging")
LINES = ("Every call names its version.", "Answers are ordered by age.", "A page holds a hundred rows.")


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Let an approval that does not count stand in for one that does."""
    if variant == "bot-paths":
        _plant_paths(draft, fault, draws)
        return
    found = _seats(draft, variant, draws)
    assert found is not None
    if variant == "last-pusher":
        push_by(draft, found.odd)
    review(draft, found, draws, fault=fault)


def _seats(draft: Draft, variant: str, draws: Draws) -> Seats | None:
    rule = _rule(draft.org, draft.service, variant)
    if rule is None or not touch(draft, rule.scope.touches, draws):
        return None
    return seats(draft, FAMILY, _odd(draft, variant), draws.child("seats"), pushes=variant == "last-pusher")


def _odd(draft: Draft, variant: str) -> list[Person]:
    if variant == "bot":
        return [person for person in draft.org.people if person.kind == "bot"]
    if variant == "operator":
        return [each for each in draft.org.people if each.kind == "human" and draft.worker in each.operator_of]
    return draft.reviewers()


def _rule(org: Org, service: Service, variant: str) -> Rule | None:
    """Return the rule that a variant breaks, where the organisation has one."""
    for rule in rules_of(org, service, FAMILY):
        wanted: Authority = settings(rule, Authority)
        fits = {
            "bot": not wanted.bots_count,
            "operator": "operator" in wanted.distinct_from,
            "last-pusher": "last_pusher" in wanted.distinct_from,
            "team": bool(wanted.teams or wanted.outsiders or wanted.employers > 1),
            "bot-paths": not wanted.bots_count and bool(_folder(wanted)),
        }
        if fits[variant]:
            return rule
    return None


def _folder(wanted: Authority) -> str:
    """Return a folder below `docs/` where bots may approve, or ""."""
    folders = (glob.removesuffix("/**") for glob in wanted.bots_for if glob.endswith("/**"))
    return next((folder for folder in folders if folder.startswith("docs/") and "*" not in folder), "")


def _plant_paths(draft: Draft, fault: bool, draws: Draws) -> None:
    """Let a bot approve two pages of documentation, one of which may lie where a human must look."""
    _write_pages(draft, fault, draws)
    quiet = draws.choice(draft.reviewers()).id
    minute = draft.head.minute
    for user, state in draws.sample([(_bot(draft.org), "APPROVED"), (quiet, "COMMENTED")], 2):
        minute += draws.integer(30, 240)
        draft.reviews.append(ReviewDraft(user, state, 0, minute, draws.choice(REMARKS)))
    draft.seated = True


def _write_pages(draft: Draft, fault: bool, draws: Draws) -> None:
    rule = _rule(draft.org, draft.service, "bot-paths")
    assert rule is not None
    folder = _folder(settings(rule, Authority))
    one, other, part = draws.sample(TOPICS, 3)
    first, second = draws.sample(LINES, 2)
    docs, _, name = folder.partition("/")
    # The same words in another order: only as a path do they lie where bots may approve, or elsewhere.
    place = f"{docs}/{part}/{name}" if fault else f"{docs}/{name}/{part}"
    places = (f"{place}/{one}.md", f"{folder}/{other}.md")
    texts = (f"# {one.title()}\n\n{first}\n", f"# {other.title()}\n\n{second}\n")
    instead(draft, dict(zip(places, texts, strict=True)), f"Describe {one} and {other}", "Asked for by two customers.")
    draft.reviews = []


def _bot(org: Org) -> str:
    return next((person.id for person in org.people if person.kind == "bot"), "")


@lru_cache(maxsize=512)
def _works(org: Org, name: str, variant: str) -> bool:
    service = org.service(name)
    template = load_template(service.template)
    if _rule(org, service, variant) is None:
        return False
    if variant == "bot-paths":
        return bool(_bot(org)) and everywhere(org, service, template, _bot_decides)
    return everywhere(org, service, template, lambda draft: _seats(draft, variant, Draws("fits")) is not None)


def _bot_decides(draft: Draft) -> bool:
    """Return whether a bot's approval alone suffices for the one sort of page, and not for the other."""
    answers: list[bool] = []
    for fault in (True, False):
        _write_pages(draft, fault, Draws("fits"))
        answers.append(met(demands(draft), {_bot(draft.org)}))
    return answers == [False, True]


def _variant(name: str, depth: int, differs: tuple[str, ...], pages: int) -> Variant:
    return Variant(name, depth, differs, pages, fits=lambda org, service, _: _works(org, service.name, name))


KIND = Kind(
    name="k16-own-approval",
    group="C",
    title="An approval that does not count stands in for one that does",
    family=FAMILY,
    variants=(
        _variant("bot", 1, ("reviews",), 2),
        _variant("operator", 3, ("reviews",), 2),
        _variant("last-pusher", 3, ("reviews",), 2),
        _variant("team", 4, ("reviews",), 2),
        _variant("bot-paths", 4, ("patch", "commits", "log"), 2),
    ),
    plant=plant,
)
