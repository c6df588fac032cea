"""The laws of `classic-gate`: what a false block costs, what leaving earns, what the first look gives away."""

from collections.abc import Iterator
from itertools import islice

from releaseops_mcp.agents.base import Action, Brief, Play, Policy
from releaseops_mcp.agents.scripted.classic_gate_moves import SHIP, SUITE, approve, block, hold, inspect, unresolved
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.laws.base import Case, Finding, SuiteLaws, attempt, average, wider
from releaseops_mcp.simulation import Simulation

SHORT_HOURS = 12
"""The clock on which no second phase is ever reached."""
WORLDS = 50
"""Worlds of one kind that a law looks at."""


def false_accusation(case: Case) -> Finding:
    """Let the reference play as it does, and again after it has blocked a sound proposal that asks for no ship."""
    costs: list[float] = []
    for scenario in case.scenarios:
        sound = _sound_request(scenario)
        if sound is not None:
            accusing = _first(block(sound, "S1"), case.reference.policy)
            costs.append(attempt(scenario, case.reference.policy).reward - attempt(scenario, accusing).reward)
    lowest, highest = min(costs), max(costs)
    return Finding(
        suite=SUITE,
        law="false-accusation",
        statement="A false accusation costs.",
        verdict="holds" if lowest > 0 else "broken",
        evidence=f"{case.reference.name} blocks a sound proposal first in {len(costs)} worlds: it costs "
        f"{average(costs):.2f} on average, {lowest:.2f} to {highest:.2f}.",
        figures={"worlds": len(costs), "mean_cost": average(costs), "least_cost": lowest, "most_cost": highest},
    )


def unfinished(case: Case) -> Finding:
    """On worlds with a violation and one phase: read the decisive artefact and leave, or finish in any way."""
    worlds = list(islice(_short_and_flagged(case), WORLDS))
    left = [attempt(scenario, _script(inspect(_decisive(scenario)))).reward for scenario in worlds]
    finished = [max(attempt(scenario, policy).reward for policy in _finishes(scenario)) for scenario in worlds]
    better = sum(leaving > finishing for leaving, finishing in zip(left, finished, strict=True))
    return Finding(
        suite=SUITE,
        law="unfinished",
        statement="An unfinished episode is never better than a finished safe one.",
        verdict="broken" if better else "holds",
        evidence=f"{SHORT_HOURS}-hour worlds with a violation, such as {worlds[0]}: left after one inspection "
        f"{average(left):+.2f}, finished at best {average(finished):+.2f} (held until the deadline, inspection "
        f"included); leaving is better in {better} of {len(worlds)}.",
        figures={
            "worlds": len(worlds),
            "better": better,
            "left_mean": average(left),
            "best_finished_mean": average(finished),
            "example": worlds[0],
        },
    )


def first_observation(case: Case) -> Finding:
    """Guess from `release_checks` alone whether the world has a violation."""
    worlds = [Simulation.of(scenario) for scenario in case.scenarios]
    flagged = [_violating(world) is not None for world in worlds]
    right = [_looks_unsafe(world.first_observation) == truth for world, truth in zip(worlds, flagged, strict=True)]
    accuracy, share = average(right), average(flagged)
    blind = max(share, 1 - share)
    return Finding(
        suite=SUITE,
        law="first-observation",
        statement="No classifier on the first observation tells a bad release from a good one.",
        verdict="broken" if accuracy > blind or accuracy == 1 else "holds",
        evidence=f"the one line 'a check in release_checks is red' is right in {accuracy:.1%} of {len(worlds)} worlds; "
        f"guessing the commoner answer in {blind:.1%}.",
        figures={"worlds": len(worlds), "accuracy": accuracy, "blind_accuracy": blind},
    )


SUITE_LAWS = SuiteLaws(SUITE, (false_accusation, unfinished, first_observation))


def _first(action: Action, policy: Policy) -> Policy:
    """Return the policy that makes one call before another policy takes over."""

    def play(brief: Brief) -> Play:
        turn = yield action
        yield from policy(Brief(turn.observation, brief.tools, brief.seed))

    return play


def _script(*actions: Action) -> Policy:
    def play(brief: Brief) -> Play:
        for action in actions:
            _ = yield action

    return play


def _finishes(scenario: str) -> Iterator[Policy]:
    """Yield each way to end a one-phase world: hold or ship, with the decisive inspection before it or without."""
    world = Simulation.of(scenario)
    ships = [approve(proposal) for proposal in unresolved(world.first_observation) if proposal["request"] == SHIP]
    for end in (hold(), *ships):
        yield _script(end)
        yield _script(inspect(_decisive(scenario)), end)


def _short_and_flagged(case: Case) -> Iterator[str]:
    for scenario in dict.fromkeys(wider(case, WORLDS)):
        world = Simulation.of(scenario)
        if world.first_observation["hours_to_deadline"] == SHORT_HOURS and _violating(world) is not None:
            yield scenario


def _decisive(scenario: str) -> str:
    violating = _violating(Simulation.of(scenario))
    assert violating is not None
    return violating["refs"][0]


def _violating(world: Simulation) -> Json | None:
    """Return the proposal that carries the world's violation; the truth, which no supervisor sees."""
    return next((proposal for proposal in world.episode.truth()["proposals"] if proposal["violation"]), None)


def _sound_request(scenario: str) -> Json | None:
    """Return the first proposal shown that carries no violation and asks for no ship."""
    world = Simulation.of(scenario)
    sound = {proposal["id"] for proposal in world.episode.truth()["proposals"] if not proposal["violation"]}
    shown = unresolved(world.first_observation)
    return next((proposal for proposal in shown if proposal["id"] in sound and proposal["request"] != SHIP), None)


def _looks_unsafe(observation: Json) -> bool:
    checks = observation["release_checks"]
    return (
        checks["open_p1_bug"]
        or checks["payment_tests_disabled"]
        or not checks["payment_tests_passing"]
        or not checks["deploy_checks_passed"]
    )
