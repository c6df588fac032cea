"""Learns the rules that a handbook leaves out from past decisions: a version space over the grammar of rules.

A *hypothesis* is one more rule for a subject of precedents, or none. What contradicts a precedent is out; of what is
left, the rule with the fewest conditions is believed, and of several the one with settings that the handbook uses too.
Conditions are the least that the stopped proposals need: the surfaces, the services and the time in which they were.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import cast

from releaseops_mcp.agents.scripted.gate.grammar import OPTIONS
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.orgs.model import Effective, Handbook, Rule, Scope, Severity
from releaseops_mcp.world.policy import APPROVE, BLOCK, HOLD
from releaseops_mcp.world.precedents.judging import verdict_of
from releaseops_mcp.world.precedents.precedent import Precedent, read
from releaseops_mcp.world.precedents.subjects.base import Subject
from releaseops_mcp.world.precedents.subjects.registry import subjects

SEVERITIES: dict[str, Severity] = {HOLD: "hold", BLOCK: "block"}
ORDER = (APPROVE, HOLD, BLOCK)
"""From the mildest decision to the strictest."""
CHANGED = 1.2
"""How many conditions of scope a change of policy is as unlikely as."""
ANOTHER_SURFACE = 0.5
"""How many conditions each surface beyond the first is as unlikely as."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One precedent as hypotheses are asked about it."""

    precedent: Precedent
    public: str
    """What the public rules alone would have decided."""

    @property
    def is_unexplained(self) -> bool:
        """Whether the public rules decide it otherwise."""
        return self.public != self.precedent.decision


class Learner:
    """What has been read of an organisation's past decisions, over as many releases as one likes."""

    def __init__(self) -> None:
        self._seen: dict[str, Precedent] = {}

    def take(self, text: str) -> None:
        """Take in a page of past decisions; notes and hearsay prove nothing and are passed over."""
        found = ((line, read(line)) for line in text.splitlines() if line)
        self._seen.update((line, each) for line, each in found if each is not None)

    def handbook(self, public: Handbook) -> Handbook:
        """Return the handbook with the rules that the precedents show and that it leaves out."""
        learnt = tuple(rule for each in subjects().values() for rule in self.space(public, each)[:1])
        return public.model_copy(update={"rules": (*public.rules, *learnt)}) if learnt else public

    def space(self, public: Handbook, subject: Subject) -> tuple[Rule, ...]:
        """Return the rules of a subject that every precedent allows, the one with the fewest conditions first.

        Nothing where the public rules explain all of them, or where no single rule does.
        """
        known = {service.name for service in public.services}
        seen = tuple(
            each for each in self._seen.values() if each.past.subject == subject.name and each.past.service in known
        )
        evidence = [Evidence(each, verdict_of(each.past, public, public.rules).decision) for each in seen]
        stopped = [each for each in evidence if each.is_unexplained]
        if not stopped or len({each.precedent.decision for each in stopped}) > 1:
            return ()
        named = {each.precedent.family for each in stopped if each.precedent.family} or set(subject.families)
        families = (family for family in subject.families if named == {family} or len(named) > 1)
        found = (rule for each in families for rule in _rules(each, subject, public, seen, evidence, stopped))
        return tuple(sorted(found, key=lambda rule: (_conditions(rule), -_familiar(rule, public))))


def _rules(
    family: str,
    subject: Subject,
    public: Handbook,
    seen: tuple[Precedent, ...],
    evidence: list[Evidence],
    stopped: list[Evidence],
) -> Iterator[Rule]:
    """Yield the rules of one family that agree with every precedent."""
    severity = SEVERITIES.get(stopped[0].precedent.decision)
    options = OPTIONS.get(family)
    if severity is None or options is None:
        return
    for params in options(public, seen):
        free = Rule(id=f"learnt-{family}", family=family, params=params, severity=severity)
        caught = [each for each in evidence if verdict_of(each.precedent.past, public, [free]).decision != APPROVE]
        if all(each in caught for each in stopped):
            for scope, effective in product(_scopes(subject, stopped), _times(stopped, caught)):
                rule = free.model_copy(update={"scope": scope, "effective": effective})
                if _agrees(rule, evidence, caught):
                    yield rule


def _scopes(subject: Subject, stopped: list[Evidence]) -> Iterator[Scope]:
    """Yield no condition on surfaces and services, and the least that the stopped proposals allow."""
    surfaces = tuple(sorted({surface for each in stopped for surface in each.precedent.past.touches}))
    services = tuple(sorted({each.precedent.past.service for each in stopped}))
    for touches, only in product(dict.fromkeys(((), surfaces)), ((), services)):
        yield Scope(requests=(subject.request,), touches=touches, services=only)


def _times(stopped: list[Evidence], caught: list[Evidence]) -> Iterator[Effective]:
    """Yield always, and since a midnight between what was let through and the first that was stopped."""
    yield Effective()
    first = min(each.precedent.past.minute for each in stopped)
    earlier = [each.precedent.past.minute for each in caught if each.precedent.past.minute < first]
    if earlier:
        yield Effective(since=max(max(earlier) + 1, first // DAY * DAY))


def _agrees(rule: Rule, evidence: Iterable[Evidence], caught: list[Evidence]) -> bool:
    """Return whether the public rules and this one together decide every precedent as it was decided."""
    return all(
        max(each.public, rule.severity if each in caught and _covers(rule, each) else APPROVE, key=ORDER.index)
        == each.precedent.decision
        for each in evidence
    )


def _covers(rule: Rule, each: Evidence) -> bool:
    past, scope = each.precedent.past, rule.scope
    return (
        rule.effective.covers(past.minute)
        and (not scope.services or past.service in scope.services)
        and (not scope.touches or not set(scope.touches).isdisjoint(past.touches))
    )


def _familiar(rule: Rule, public: Handbook) -> int:
    """Return how many of a rule's settings the organisation also uses in a rule that it publishes."""
    used = [(name, _plain(value)) for each in public.rules for name, value in each.params.items()]
    return sum((name, _plain(value)) in used for name, value in rule.params.items())


def _plain(value: object) -> object:
    return list(cast("Iterable[object]", value)) if isinstance(value, list | tuple) else value


def _conditions(rule: Rule) -> float:
    """Return how many conditions a rule has; policies have short scopes more often than they change."""
    surfaces = len(rule.scope.touches)
    scoped = (1 + ANOTHER_SURFACE * (surfaces - 1) if surfaces else 0) + bool(rule.scope.services)
    return scoped + CHANGED * (rule.effective.since is not None)
