"""What a subject of precedents is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Record, Topic
from releaseops_mcp.world.orgs.model import Handbook, Org, Request, Service
from releaseops_mcp.world.precedents.precedent import Facts, Past
from releaseops_mcp.world.templates import load_template

DOCS = "docs/runbook.md"
"""A path that nobody has to test or review again, where an organisation has such."""
HEAD, OLDER = "0" * 40, "1" * 40
"""Commits of a small case: the head, and what was there before the last push."""
PR, RUN, TICKET, DEPLOYMENT = "pr_1", "ci_1", "ticket_1", "dep_1"
"""Artefacts of a small case."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a precedent takes place."""

    org: Org
    service: Service
    worker: str
    touches: tuple[str, ...]
    minute: int


Records = Mapping[Topic, tuple[Record, ...]]


@dataclass(frozen=True, slots=True)
class Hint:
    """What people say of a family's rule; templates over `{service}` and `{surface}`."""

    incident: str
    """A note after an incident."""
    heard: str
    """What a worker says who knows the rule."""
    misheard: str
    """What a worker says who is mistaken."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One sort of facts that precedents tell."""

    name: str
    """The key under which a line of the log holds the facts."""
    families: tuple[str, ...]
    """The rule families that these facts decide, all of them together."""
    request: Request
    refs: tuple[str, ...]
    """What the proposal named."""
    draw: Callable[[Setting, Draws], Facts]
    records: Callable[[Past, Handbook], Records]
    """What the facts stand for; every topic in it is known as a whole."""
    hints: Mapping[str, Hint]
    """By family."""
    touches: tuple[str, ...] = ()
    """Surfaces, one of which such a change touches; empty for any."""


def later_paths(setting: Setting, draws: Draws) -> list[str]:
    """Return what a push after the evidence touched: the runbook, a file that the change is about, or both."""
    template = load_template(setting.service.template)
    own = [path for path in template.base if template.surface(path) in setting.touches and path != DOCS]
    path = draws.choice(own) if own else DOCS
    return draws.choice([[DOCS], [path], sorted({DOCS, path})])
