"""One package in use: versions beyond it of every sort, and advisories that tell them apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from releaseops_mcp.world.artefacts.advisory import SEVERITIES, Advisory
from releaseops_mcp.world.artefacts.package import Package, ReleaseRecord
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.versions import VERSION, Event

OWNERS = ("hollis", "marit", "yusuf", "tove", "okafor", "lindqvist", "baptiste", "noor")
SUMMARIES = ("Small and typed.", "One thing, done plainly.", "No dependencies.", "Used where it matters.")
WEAKNESSES = (
    "Slow parsing of long input",
    "Wrong result after an overflow",
    "Reads past the end of a buffer",
    "Signature check can be skipped",
    "Path leaves the target folder",
    "Secret shown in an error message",
)
LETTERS = "23456789cfghjmpqrvwx"
"""GitHub writes its advisories' ids in these."""
LEAST_AGE = 40
"""Days since which an old version has been out, at least; more where an organisation asks for more."""
STRANGERS = ("", "open-{0}", "{0}-community")
"""Publishers that are not trusted: a private person, or an organisation that calls itself nearly so."""
PRE_RELEASE = 0.2
"""How often a version is a pre-release, whatever it is good for."""
RELEASE_HOURS = 72
"""How long a release process takes, at most: what is young stays young."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an organisation's rules ask of versions, taken together."""

    least_days: int
    """Days below which every rule about age calls an update young."""
    most_days: int
    """Days from which none does."""
    least_severity: int
    """Place in SEVERITIES below which no rule about advisories minds."""
    most_severity: int
    """Place from which every such rule does."""


@dataclass(frozen=True, slots=True)
class Stocked:
    """One package in use, and its versions by what they are good for."""

    package: Package
    advisories: tuple[Advisory, ...]
    current: str
    early: str
    """Old enough and sound; lower than `late`."""
    late: str
    """Old enough and sound."""
    flawed: str
    """Old enough; a grave advisory covers it."""
    excused: str
    """Old enough; the only advisory about it was withdrawn, or is slight."""
    young: str
    """Days or hours old."""


def stocked(
    name: str,
    current: str,
    wishes: Wishes,
    minute: int,
    draws: Draws,
    *,
    publisher: str = "",
    ours: bool = False,
    exposed: bool = False,
) -> Stocked:
    """Return a package with the given version in use.

    `publisher` is a trusted one: of the package where it is `ours`, else only claimed. Where it is `exposed`, a grave
    advisory covers every version but the young one.
    """
    ahead = _ahead(current, 5, draws.child("versions"))
    early, late = sorted(draws.sample(range(4), 2))
    flawed, excused = draws.sample([place for place in range(4) if place not in (early, late)], 2)
    record = _package(name, [current, *ahead], wishes, minute, draws.child("record"))
    texts = draws.child("advisories")
    if exposed:
        start = Event("introduced", "0")
        edges = (start, Event("fixed", ahead[4])), (start, Event("fixed", current))
    else:
        edges = _alone(ahead, flawed, texts), _alone(ahead, excused, texts)
    known = (_grave(edges[0], wishes, minute, texts), _excused(edges[1], wishes, minute, texts))
    return Stocked(
        package=published(record, publisher, draws.child("publisher"), ours=ours) if publisher else record,
        advisories=tuple(texts.sample(known, 2)),
        current=current,
        early=ahead[early],
        late=ahead[late],
        flawed=ahead[flawed],
        excused=ahead[excused],
        young=ahead[4],
    )


def advisory(
    events: tuple[Event, ...], severity: str, minute: int, draws: Draws, *, withdrawn: bool = False
) -> Advisory:
    """Return an advisory of the last weeks with an id and a summary of its own."""
    published = minute - draws.integer(4, 30) * DAY
    groups = ("".join(draws.choice(LETTERS) for _ in range(4)) for _ in range(3))
    taken_back = published + draws.integer(8, 60) * HOUR
    return Advisory(
        id="-".join(("GHSA", *groups)),
        severity=severity,
        summary=draws.choice(WEAKNESSES),
        minute=published,
        ranges=(events,),
        withdrawn=taken_back if withdrawn else None,
    )


def _grave(events: tuple[Event, ...], wishes: Wishes, minute: int, draws: Draws) -> Advisory:
    return advisory(events, draws.choice(SEVERITIES[wishes.most_severity :]), minute, draws)


def _excused(events: tuple[Event, ...], wishes: Wishes, minute: int, draws: Draws) -> Advisory:
    """Return an advisory that no rule minds: it was withdrawn, or is slight."""
    slight = SEVERITIES[: wishes.least_severity]
    if draws.chance(0.5) or not slight:
        return advisory(events, draws.choice(SEVERITIES[wishes.most_severity :]), minute, draws, withdrawn=True)
    return advisory(events, draws.choice(slight), minute, draws)


def _ahead(current: str, count: int, draws: Draws) -> list[str]:
    """Return versions above the current one, ascending."""
    found: list[str] = []
    match = VERSION.match(current)
    assert match is not None
    numbers = [*map(int, match["release"].split(".")), 0, 0][:3]
    for _ in range(count):
        if draws.chance(0.6):
            numbers[2] += draws.integer(1, 2)
        else:
            numbers[1:] = [numbers[1] + 1, 0]
        suffix = f"rc{draws.integer(1, 2)}" if draws.chance(PRE_RELEASE) else ""
        found.append(".".join(map(str, numbers)) + suffix)
    return found


def _alone(versions: Sequence[str], place: int, draws: Draws) -> tuple[Event, ...]:
    """Return a range that holds one version alone, its end written in one of two ways."""
    version = versions[place]
    final = version.partition("rc")[0]
    end = final if final != version else versions[place + 1]
    last = Event("last_affected", version) if draws.chance(0.5) else Event("fixed", end)
    return Event("introduced", version), last


def _package(name: str, versions: Sequence[str], wishes: Wishes, minute: int, draws: Draws) -> Package:
    """Return the registry's record: the last version is young for every rule, the others are old for all."""
    floor = max(LEAST_AGE, wishes.most_days + 10)
    days = sorted(draws.sample(range(floor, floor + 500), len(versions) - 1), reverse=True)
    hours = draws.integer(4, max(8, wishes.least_days * 24 - RELEASE_HOURS - 1))
    minutes = [*(minute - each * DAY - draws.integer(0, 600) for each in days), minute - hours * HOUR]
    releases = tuple(ReleaseRecord(*each) for each in zip(versions, minutes, strict=True))
    owner = draws.choice(OWNERS)
    return Package(name, draws.choice(SUMMARIES), owner, owner, "", releases)


def published(record: Package, publisher: str, draws: Draws, *, ours: bool) -> Package:
    """Return a package of the trusted publisher, or of one that only says so.

    Anybody may write a trusted name into the author's field; the registry alone says who owns a package.
    """
    stranger = draws.choice(STRANGERS).format(publisher)
    if ours:
        return replace(record, author=stranger or record.owner, organization=publisher)
    return replace(record, author=draws.choice((publisher, record.owner)), organization=stranger)
