"""The pages that `read_precedents` shows: a log of past decisions, notes after incidents, and what is said."""

import json
from collections.abc import Iterator

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import grouped
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.precedents.drawing import Scene, anything, before, contrast, outside
from releaseops_mcp.world.precedents.judging import verdict_of
from releaseops_mcp.world.precedents.precedent import Past, Precedent, line
from releaseops_mcp.world.precedents.subjects.base import Hint
from releaseops_mcp.world.precedents.subjects.registry import subject_of, subjects
from releaseops_mcp.world.precedents.unpublished import STREAM
from releaseops_mcp.world.world import World

ROOM = 850
"""Characters that a page of the log aims at: its times and ids are dear in tokens."""
PAIRS = 2
"""Pairs of contrasting decisions that a log has for each hidden rule, or as many as the rule has surfaces."""
BACKGROUND = 3
"""Decisions that are in the log by chance."""
REASONED = 0.6
"""How often a hold or a block names the rule family that it was for."""
WELL_HEARD = 0.6
"""How often what a worker says of a rule is so."""


def pages_of(world: World) -> tuple[str, ...]:
    """Return the pages, oldest decision first; what is said comes last."""
    draws = Draws("gate", world.name.pair)
    own = draws.child("log")
    decided = [
        decide(world, past, own.child("reason", number), reasoned=reasoned)
        for number, (past, reasoned) in enumerate(_log(world, draws))
    ]
    dated = [(each.past.minute, line(each)) for each in decided]
    dated += [(minute, note) for rule in hidden(world) for minute, note in _incidents(world, rule, own)]
    lines = [text for _, text in sorted(dated, key=lambda each: each[0])]
    return tuple("".join(page) for page in grouped([f"{text}\n" for text in [*lines, *_hearsay(world, own)]], ROOM))


def hidden(world: World) -> tuple[Rule, ...]:
    """Return the rules that a world's handbook leaves out."""
    return tuple(rule for rule in world.org.rules if rule.visibility != "public")


def decide(world: World, past: Past, draws: Draws, *, reasoned: bool = False) -> Precedent:
    """Return a past proposal with what the rules of its day made of it; the reason may be missing unless `reasoned`."""
    full = load_org(world.name.org)
    verdict = verdict_of(past, full, full.rules)
    reasons = verdict.families[:1] if draws.chance(REASONED) or reasoned else ()
    return Precedent(past, verdict.decision, "".join(reasons))


def _log(world: World, draws: Draws) -> Iterator[tuple[Past, bool]]:
    """Yield the past proposals of a world and whether the reason stands beside.

    Those that show its hidden rules, each rule named once at least, and some by chance.
    """
    scene = Scene(load_org(world.name.org), world.service, world.start)
    for rule in hidden(world):
        own = draws.child(STREAM, rule.id)
        pairs = [contrast(scene, rule, own)]
        turns = range(1, max(PAIRS, len(rule.scope.touches)))
        pairs += [contrast(scene, rule, own.child("again", turn), turn) for turn in turns]
        touches = next(pair[0].touches for pair in pairs if pair)
        shown = (
            *(past for pair in pairs for past in pair or ()),
            *outside(scene, rule, touches, own.child("outside")),
            before(scene, rule, own.child("before")),
        )
        yield from ((each, place == 0) for place, each in enumerate(shown) if each is not None)
    told = [each for each in subjects().values() if any(rule.family in each.families for rule in scene.org.rules)]
    for number in range(BACKGROUND if told else 0):
        own = draws.child("background", number)
        yield anything(scene, own, own.child("subject").choice(told)), False


def _incidents(world: World, rule: Rule, draws: Draws) -> Iterator[tuple[int, str]]:
    hint = _hint(rule)
    if rule.visibility == "hinted" and hint:
        since = world.start if rule.effective.since is None else rule.effective.since
        minute = since - draws.child("incident", rule.id).integer(1, 20) * clock.DAY
        yield minute, json.dumps({"incident": clock.stamp(minute), "note": _said(hint.incident, world, rule)})


def _hearsay(world: World, draws: Draws) -> Iterator[str]:
    """Yield what a worker says of each hidden rule: it may be mistaken."""
    for rule in hidden(world):
        hint, own = _hint(rule), draws.child("hearsay", rule.id)
        worker, well = own.choice(world.org.workers).id, own.chance(WELL_HEARD)
        if hint:
            yield json.dumps({"said_by": worker, "note": _said(hint.heard if well else hint.misheard, world, rule)})


def _hint(rule: Rule) -> Hint | None:
    subject = subject_of(rule.family)
    return subject.hints.get(rule.family) if subject else None


def _said(words: str, world: World, rule: Rule) -> str:
    return words.format(service=world.service.name, surface=next(iter(rule.scope.touches), "anything"))
