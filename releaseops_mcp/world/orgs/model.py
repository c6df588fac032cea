"""What an organisation is: services, people, labels, rules, exceptions, calendar and workers, as its YAML writes them.

`orgs/*.yaml` beside this file are the built-in ones; a copy of any of them, edited, is an organisation of your own.
"""

from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

Severity = Literal["block", "hold", "warn"]
Request = Literal[
    "ship_release_candidate",
    "merge_change",
    "promote_artifact",
    "waive_rule",
    "close_blocker",
    "hold_release_gate",
    "approve_triage",
]


class Part(BaseModel):
    """A piece of an organisation: frozen, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Service(Part):
    """A service that releases, built from a template."""

    name: str
    template: str
    """A file of `templates/`, without `.yaml`."""
    tier: int = Field(ge=0, le=3)
    """0 is the most critical."""
    owners: tuple[str, ...]
    """Teams."""
    protected: tuple[str, ...] = ()
    """Paths (globs) of files and tests that the organisation guards."""
    required_jobs: tuple[str, ...] = ("test",)
    """CI jobs that must pass."""

    @property
    def harm(self) -> float:
        """What a bad release of this service weighs: from .5 (minor) to 1.5 (payments, data loss, safety)."""
        return (1.5, 1.0, 0.75, 0.5)[self.tier]


class Person(Part):
    """Somebody who writes, reviews or operates: a human, a bot or an agent."""

    id: str
    kind: Literal["human", "bot", "agent"] = "human"
    teams: tuple[str, ...] = ()
    seniority: Literal["junior", "senior", "staff"] = "senior"
    oncall: bool = False
    operator_of: tuple[str, ...] = ()
    """Workers that this person prompts."""
    employer: str = ""
    """Who pays this person, where the organisation's people have several employers."""


class Scope(Part):
    """Where a rule applies; an empty list is no condition."""

    requests: tuple[Request, ...] = ()
    touches: tuple[str, ...] = ()
    """Surfaces of the template, at least one of which the change touches: `source`, `tests`, `workflow` and so on."""
    services: tuple[str, ...] = ()


class Effective(Part):
    """When a rule is in force, in minutes of the release's clock; past minutes are negative."""

    since: int | None = Field(default=None, validation_alias=AliasChoices("since", "from"))
    """The first minute; None for always. An organisation's file may call it `from`."""
    until: int | None = None
    """The first minute in which it no longer counts; None for never."""

    def covers(self, minute: int) -> bool:
        """Return whether a minute lies within."""
        return (self.since is None or self.since <= minute) and (self.until is None or minute < self.until)

    @property
    def is_possible(self) -> bool:
        """Whether there is a minute in which it holds."""
        return self.since is None or self.until is None or self.since < self.until

    def meets(self, other: "Effective") -> bool:
        """Return whether both hold in some minute."""
        starts = [each.since for each in (self, other) if each.since is not None]
        ends = [each.until for each in (self, other) if each.until is not None]
        return not starts or not ends or max(starts) < min(ends)


class Rule(Part):
    """One rule of an organisation: a family's predicate with its own numbers, scope and severity."""

    id: str
    family: str
    """A file of `rules/`."""
    params: dict[str, Any] = {}
    """The family's own settings (its `Params`)."""
    scope: Scope = Scope()
    severity: Severity
    unless: tuple[str, ...] = ()
    """Exceptions that may waive it."""
    visibility: Literal["public", "hinted", "hidden"] = "public"
    """Whether the handbook has it; the others must be learnt where precedents show them (`world/precedents`)."""
    effective: Effective = Effective()
    """When it is in force: policies change."""


class Waiver(Part):
    """An exception: a ticket that lets a violation of one rule pass while it is open and unexpired."""

    id: str
    rule: str
    label: str
    """The label that the linked ticket must carry."""
    grantor_team: str
    """The team of which a member must have put the label on."""
    days: int = 30
    """How long the label counts, from the day it was put on."""


class Label(Part):
    """What a label means here."""

    means: Literal["blocker", "normal", "roadmap", "security", "hotfix", "docs", "quarantine"]


class Window(Part):
    """A stretch of time in which changes are denied, as minutes since Monday 00:00 of the release's week."""

    name: str
    start: int
    end: int
    services: tuple[str, ...] = ()
    emergency: str = ""
    """The exception that opens it."""


class Seat(Part):
    """A worker's place: its role, and its archetype where that is not drawn."""

    id: str
    role: str
    archetype: str = ""
    briefing: str = ""


class Handbook(Part):
    """The policy of an organisation, as far as it is known: what rules are judged by.

    An organisation's own handbook holds every rule; what `read_policy` shows leaves out those that are not public.
    """

    id: str
    title: str
    services: tuple[Service, ...]
    people: tuple[Person, ...]
    labels: dict[str, Label] = {}
    rules: tuple[Rule, ...]
    exceptions: tuple[Waiver, ...] = ()
    calendar: tuple[Window, ...] = ()

    def person(self, person_id: str) -> Person | None:
        """Return one person, or None."""
        return next((person for person in self.people if person.id == person_id), None)

    def service(self, name: str) -> Service:
        """Return one service; raises KeyError for an unknown name, which validation excludes."""
        for service in self.services:
            if service.name == name:
                return service
        raise KeyError(name)


class Org(Handbook):
    """An organisation: its policy, its workers, and how they are drawn."""

    sector: str
    phase_hours: Literal[4, 8, 12]
    workers: tuple[Seat, ...]
    archetypes: dict[str, float]
    """Weights from which the archetype of a worker without one is drawn."""
    prose: str
    """What the organisation says of itself."""

    def __hash__(self) -> int:
        return hash(self.id)

    def keeping(self, rules: tuple[Rule, ...]) -> "Org":
        """Return the organisation with these of its rules, and with the exceptions that name them."""
        if len(rules) == len(self.rules):
            return self
        ids = {rule.id for rule in rules}
        exceptions = tuple(waiver for waiver in self.exceptions if waiver.rule in ids)
        return self.model_copy(update={"rules": rules, "exceptions": exceptions})

    @property
    def public(self) -> Handbook:
        """The policy that may be read: the rules that are neither hinted nor hidden."""
        return Handbook(
            id=self.id,
            title=self.title,
            services=self.services,
            people=self.people,
            labels=self.labels,
            rules=tuple(rule for rule in self.rules if rule.visibility == "public"),
            exceptions=self.exceptions,
            calendar=self.calendar,
        )
