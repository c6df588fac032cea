"""`gate` by kind, rule family, archetype and organisation.

The figure of an episode counts for the kind that its world is named after, for the rule family that this kind breaks,
and for the organisation. A decision counts for what is planted in the proposal, fault or twin, and for the archetype
of the worker who made it: other kinds than the named one are planted too.
"""

from collections import Counter
from collections.abc import Iterator

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.slices import Slice
from releaseops_mcp.evaluation.trajectory import Trajectory
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.gate.account import Account
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.scenario import CLEAN, parse

KIND, FAMILY, ARCHETYPE, ORG = "kind", "rule family", "archetype", "organisation"
Group = tuple[str, str]
"""What is grouped by, and the group."""
NONE = Counter[Group]()


def slices(scenario: str, trajectory: Trajectory, truth: Json | None) -> tuple[Slice, ...]:
    """Return the groups of one episode; raises UnknownScenario. Without truth no decision is graded."""
    name = parse(scenario)
    whole: list[Group] = [*_planted("" if name.kind == CLEAN else name.kind), (ORG, name.org)]
    decisions, right = (
        _graded(trajectory, truth, name.org) if truth is not None else (Counter[Group](), Counter[Group]())
    )
    return tuple(
        Slice(by=by, name=group, whole=(by, group) in whole, decisions=decisions[by, group], right=right[by, group])
        for by, group in dict.fromkeys((*whole, *sorted(decisions)))
    )


def _graded(trajectory: Trajectory, truth: Json, org: str) -> tuple[Counter[Group], Counter[Group]]:
    """Return how many decisions, and how many right ones, fell into each group."""
    account = Account(truth, trajectory.first_observation)
    for call in trajectory.calls:
        step = Step(call.tool, call.arguments, call.error, call.result, call.after, call.done, call.terminal_reason)
        account.add(step)
    decisions, right = Counter[Group](), Counter[Group]()
    for made in account.decisions:
        proposal = truth["proposals"][made.key[0]]
        groups = [*_planted(proposal["planted"]), (ARCHETYPE, str(proposal["archetype"])), (ORG, org)]
        decisions.update(groups)
        if made.decision == account.verdict(made.key, made.phase):
            right.update(groups)
    return decisions, right


def _planted(item: str) -> Iterator[Group]:
    """Yield the groups of a planted item, `kind` or `kind/variant`; nothing where nothing is planted."""
    kind = kinds().get(item.partition("/")[0])
    if kind is not None:
        yield KIND, kind.name
        yield FAMILY, kind.family
