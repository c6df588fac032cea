"""Precedents in which a rule shows: drawn until the engine says so, each a fact of its own and none made to measure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.model import Effective, Org, Rule, Service
from releaseops_mcp.world.orgs.service_checks import surfaces_of
from releaseops_mcp.world.policy import APPROVE
from releaseops_mcp.world.precedents.judging import verdict_of
from releaseops_mcp.world.precedents.precedent import Past
from releaseops_mcp.world.precedents.subjects.base import Setting, Subject
from releaseops_mcp.world.precedents.subjects.registry import subject_of
from releaseops_mcp.world.templates import load_template

REACH = 60 * DAY
"""How far back the log goes."""
LEAST = 60
"""Minutes that a rule must have been in force to show in a log."""
TRIES = 60


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a log is written: an organisation with all of its rules, a service, and the minute of its last line."""

    org: Org
    service: Service
    end: int


def contrast(scene: Scene, rule: Rule, draws: Draws, turn: int = 0) -> tuple[Past, Past] | None:
    """Return two past proposals of one surface, decided differently because of the rule; None where none are found.

    The first was held or blocked, and would have been approved without the rule; the second was approved. Each turn
    takes another one of the rule's surfaces; from the second on, what was approved is on the rule's edge if it can be.
    """
    subject = subject_of(rule.family)
    window = _within(scene, rule.effective)
    if subject is None or window is None:
        return None
    others = [each for each in scene.org.rules if each.id != rule.id]
    touches = _touching(subject, rule, scene.service, draws.child("surface"), turn)

    def draw(own: Draws) -> Past:
        return past(subject, scene.org, scene.service, touches, own.integer(*window), own)

    def shows(found: Past) -> bool:
        decision = verdict_of(found, scene.org, scene.org.rules).decision
        return decision != APPROVE and verdict_of(found, scene.org, others).decision == APPROVE

    broken = _found(draw, shows, draws.child("broken"))
    edge = _found(draw, partial(_is_on_edge, scene.org, rule), draws.child("edge")) if turn else None
    kept = edge or _found(draw, partial(_is_approved, scene.org), draws.child("kept"))
    return (broken, kept) if broken and kept else None


def outside(scene: Scene, rule: Rule, touches: tuple[str, ...], draws: Draws) -> Iterator[Past]:
    """Yield a proposal for each condition of the scope, which that condition alone let through, where there is one.

    In another service it is about the same surface, `touches`; on another surface it is in the same service.
    """
    subject, window = subject_of(rule.family), _within(scene, rule.effective)
    if subject is None or window is None:
        return
    for condition in (name for name in ("touches", "services") if getattr(rule.scope, name)):
        lifted = rule.model_copy(update={"scope": rule.scope.model_copy(update={condition: ()})})

        def draw(own: Draws, condition: str = condition) -> Past:
            if condition == "services":
                return past(subject, scene.org, own.choice(scene.org.services), touches, own.integer(*window), own)
            surface = _touching(subject, None, scene.service, own)
            return past(subject, scene.org, scene.service, surface, own.integer(*window), own)

        found = _found(draw, partial(_is_let_through, scene.org, lifted), draws.child(condition))
        if found:
            yield found


def before(scene: Scene, rule: Rule, draws: Draws) -> Past | None:
    """Return a proposal that was decided while the rule was not in force, and that it would have stopped."""
    subject, since = subject_of(rule.family), rule.effective.since
    if subject is None or since is None:
        return None
    touches = _touching(subject, rule, scene.service, draws.child("surface"))

    def draw(own: Draws) -> Past:
        return past(subject, scene.org, scene.service, touches, own.integer(since - REACH, since - 1), own)

    timeless = rule.model_copy(update={"effective": Effective()})
    return _found(draw, partial(_is_let_through, scene.org, timeless), draws)


def anything(scene: Scene, draws: Draws, subject: Subject) -> Past:
    """Return a past proposal of any service."""
    service = draws.choice(scene.org.services)
    touches = _touching(subject, None, service, draws)
    return past(subject, scene.org, service, touches, draws.integer(scene.end - REACH, scene.end - 1), draws)


def past(subject: Subject, org: Org, service: Service, touches: tuple[str, ...], minute: int, draws: Draws) -> Past:
    """Return a past proposal with facts of its own."""
    worker = draws.choice(org.workers).id
    facts = subject.draw(Setting(org, service, worker, touches, minute), draws)
    return Past(minute, subject.request, service.name, worker, touches, subject.name, facts)


def _found(draw: Callable[[Draws], Past], wanted: Callable[[Past], bool], draws: Draws) -> Past | None:
    drawn = (draw(draws) for _ in range(TRIES))
    return next((each for each in drawn if wanted(each)), None)


def _is_approved(org: Org, each: Past) -> bool:
    return verdict_of(each, org, org.rules).decision == APPROVE


def _is_on_edge(org: Org, rule: Rule, each: Past) -> bool:
    """Return whether a proposal was approved that the rule would have stopped without one of its settings."""
    settings = ({name: value for name, value in rule.params.items() if name != left} for left in rule.params)
    return any(_is_let_through(org, rule.model_copy(update={"params": params}), each) for params in settings)


def _is_let_through(org: Org, rule: Rule, each: Past) -> bool:
    """Return whether a proposal was approved that a rule would have stopped."""
    return _is_approved(org, each) and verdict_of(each, org, [rule]).decision != APPROVE


def _touching(
    subject: Subject, rule: Rule | None, service: Service, draws: Draws, turn: int | None = None
) -> tuple[str, ...]:
    """Return the one surface that a past change touched, in the rule's scope where one is given; by turns, or drawn."""
    if subject.request != "merge_change":
        return ()
    able = subject.touches or surfaces_of(load_template(service.template))
    scope = rule.scope.touches if rule else ()
    scoped = [surface for surface in scope if surface in able]
    return (scoped[turn % len(scoped)] if scoped and turn is not None else draws.choice(scoped or able),)


def _within(scene: Scene, effective: Effective) -> tuple[int, int] | None:
    """Return the first and the last minute of the log in which a rule was in force, or None where it is too new."""
    first = max(scene.end - REACH, scene.end - REACH if effective.since is None else effective.since)
    last = min(scene.end, scene.end if effective.until is None else effective.until) - 1
    return (first, last) if last - first >= LEAST else None
