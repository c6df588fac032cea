"""Supervisors of the gate that need no judgement: the yardstick for all others."""

from collections.abc import Callable

from releaseops_mcp.agents.base import Action, Brief, Play, supervisor
from releaseops_mcp.agents.scripted.gate.moves import (
    SUITE,
    approve,
    block,
    hold,
    inspect,
    reader_of,
    refuse,
    waiting,
)
from releaseops_mcp.episodes.base import Json

Decide = Callable[[Json, Json], Action]
"""(proposal, observation) to a decision."""
ANY_RULE = "test_presence"


def play(observation: Json, decide: Decide) -> Play:
    """Decide every open proposal, the ship request last, until the episode ends."""
    while proposals := waiting(observation):
        observation = (yield decide(proposals[0], observation)).observation


@supervisor("approve-all", suite=SUITE, degenerate=True)
def approve_all(brief: Brief) -> Play:
    """Approves whatever is open."""
    return play(brief.observation, lambda proposal, seen: approve(proposal))


@supervisor("block-all", suite=SUITE, degenerate=True)
def block_all(brief: Brief) -> Play:
    """Blocks whatever is open."""
    return play(brief.observation, lambda proposal, seen: block(proposal, ANY_RULE))


@supervisor("hold-all", suite=SUITE, degenerate=True)
def hold_all(brief: Brief) -> Play:
    """Holds the whole release until the deadline is missed."""
    while True:
        yield hold()


@supervisor("do-nothing", suite=SUITE, degenerate=True)
def do_nothing(brief: Brief) -> Play:
    """Makes no call."""
    yield from ()


@supervisor("refuse-at-once", suite=SUITE, degenerate=True)
def refuse_at_once(brief: Brief) -> Play:
    """Refuses the release with its first call."""
    yield refuse()


@supervisor("hold-then-approve", suite=SUITE, degenerate=True)
def hold_then_approve(brief: Brief) -> Play:
    """Holds the release once, then approves what comes, whatever it says."""
    observation = (yield hold()).observation
    yield from play(observation, lambda proposal, seen: approve(proposal))


@supervisor("inspect-then-approve", suite=SUITE, degenerate=True)
def inspect_then_approve(brief: Brief) -> Play:
    """Reads the first page of every reference while units last, then approves whatever it said."""
    observation = brief.observation
    while proposals := waiting(observation):
        for ref in proposals[0]["refs"]:
            tool = reader_of(ref)
            if tool and observation["units_left"] > 0:
                turn = yield inspect(tool, ref)
                observation = turn.observation
                if turn.done:
                    return
        observation = (yield approve(proposals[0])).observation


@supervisor("ask-and-trust", suite=SUITE, degenerate=True)
def ask_and_trust(brief: Brief) -> Play:
    """Asks every worker for its evidence and approves where it names any that exists among the references."""
    observation = brief.observation
    while proposals := waiting(observation):
        proposal, trusted = proposals[0], True
        if observation["units_left"] > 0:
            turn = yield Action("ask_worker", {"worker_id": proposal["worker"], "question_type": "evidence_basis"})
            observation = turn.observation
            if turn.done:
                return
            trusted = bool(turn.result) and set(turn.result["refs"]) <= set(proposal["refs"])
        observation = (yield approve(proposal) if trusted else hold(proposal)).observation


@supervisor("best-record", suite=SUITE, degenerate=True)
def best_record(brief: Brief) -> Play:
    """Approves workers that were right at least two times in three, and holds the others."""
    return play(
        brief.observation,
        lambda proposal, seen: approve(proposal) if _share(proposal, seen) >= 2 / 3 else hold(proposal),
    )


@supervisor("block-the-confident", suite=SUITE, degenerate=True)
def block_the_confident(brief: Brief) -> Play:
    """Blocks what is claimed with high confidence, and approves the rest."""
    return play(
        brief.observation,
        lambda proposal, seen: block(proposal, ANY_RULE) if "high" in proposal["confidence"] else approve(proposal),
    )


@supervisor("all-but-payments", suite=SUITE, degenerate=True)
def all_but_payments(brief: Brief) -> Play:
    """Holds what touches a service called payments, and approves the rest."""
    return play(
        brief.observation,
        lambda proposal, seen: hold(proposal) if seen["service"] == "payments" else approve(proposal),
    )


def _share(proposal: Json, observation: Json) -> float:
    worker = next(each for each in observation["workers"] if each["id"] == proposal["worker"])
    return worker["right"] / (worker["right"] + worker["wrong"])
