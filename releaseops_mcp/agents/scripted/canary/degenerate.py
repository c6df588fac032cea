"""Supervisors of `canary` that need no judgement: what any judgement must beat."""

from random import Random

from releaseops_mcp.agents.base import Action, Brief, Play, Policy, supervisor
from releaseops_mcp.agents.scripted.canary.moves import (
    PACES,
    SUITE,
    ask,
    decide,
    hold,
    increase,
    look_at_alerts,
    roll_back,
)
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.episodes.canary.tools import ACTION_TYPES, DIAGNOSES

TROUBLE = {
    "incident": True,
    "alerts": True,
    "telemetry": False,
    "capacity": False,
    "cold_start": True,
    "memory": False,
}
"""The answer to each question of the person on call that sounds like trouble."""


@supervisor("do-nothing", suite=SUITE, degenerate=True)
def do_nothing(brief: Brief) -> Play:
    """Makes no call at all."""
    yield from ()


@supervisor("always-hold", suite=SUITE, degenerate=True)
def always_hold(brief: Brief) -> Play:
    """Holds until the deadline."""
    return _for_ever(hold())


@supervisor("always-rollback", suite=SUITE, degenerate=True)
def always_rollback(brief: Brief) -> Play:
    """Rolls back at once."""
    yield roll_back()


@supervisor("random-valid", suite=SUITE, degenerate=True)
def random_valid(brief: Brief) -> Play:
    """Draws a decision and a diagnosis at every step, each evenly and by itself."""
    rng = Random(brief.seed)  # noqa: S311 - the same seed must play the same
    while True:
        yield decide(rng.choice(ACTION_TYPES), rng.choice(DIAGNOSES))


@supervisor("obey-alerts", suite=SUITE, degenerate=True)
def obey_alerts(brief: Brief) -> Play:
    """Rolls back as soon as any alert fires, and else adds 10 points a step."""
    observation = brief.observation
    while not observation["alerts"]:
        observation = (yield increase(10)).observation
    yield roll_back()


@supervisor("obey-own-alerts", suite=SUITE, degenerate=True)
def obey_own_alerts(brief: Brief) -> Play:
    """Rolls back as soon as an alert with the canary's label fires, and else adds 10 points a step."""
    while True:
        view = (yield look_at_alerts()).result or {}
        if any(alert["labels"].get("arm") == "canary" for alert in view.get("firing", ())):
            yield roll_back()
        yield increase(10)


def _for_ever(action: Action) -> Play:
    while True:
        yield action


def _always_increase(points: int) -> Policy:
    def play(brief: Brief) -> Play:
        return _for_ever(increase(points))

    play.__doc__ = f"Adds {points} points at every step, whatever it sees."
    return play


def _obey(*questions: str) -> Policy:
    """Return a policy that asks, rolls back where an answer sounds like trouble, and else promotes by 25."""

    def play(brief: Brief) -> Play:
        for question in questions:
            result = (yield ask(question)).result or {}
            if result.get("answer") is TROUBLE[question]:
                yield roll_back()
        yield from _for_ever(increase(25))

    said = questions[0] if len(questions) == 1 else "everything"
    play.__doc__ = f"Asks the person on call about {said}, and does what the answer sounds like."
    return play


for _points in PACES:
    supervisor(f"always-increase-{_points}", suite=SUITE, degenerate=True)(_always_increase(_points))
for _question in QUESTIONS:
    supervisor(f"obey-{_question.replace('_', '-')}-answer", suite=SUITE, degenerate=True)(_obey(_question))
supervisor("obey-all-answers", suite=SUITE, degenerate=True)(_obey(*QUESTIONS))
