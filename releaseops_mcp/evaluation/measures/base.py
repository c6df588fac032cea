"""The knowledge of one suite that its tools' hints do not give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.evaluation.slices import Slice
from releaseops_mcp.evaluation.trajectory import Call, Trajectory


class Ending(NamedTuple):
    """How an episode ended."""

    terminal_reason: str | None
    reward: float
    metrics: Json
    """The reward's counters and facts."""


def _never(call: Call) -> bool:
    return False


def _nothing(call: Call) -> frozenset[str]:
    return frozenset()


def _no_kind(scenario: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Measures:
    """How the plays of one suite are read. Every predicate is asked about accepted calls only."""

    suite: str
    reference: str = ""
    """Name of the scripted supervisor that regrets are measured against."""
    success_rule: str = ""
    """What a pass is, as a sentence."""
    passes: Callable[[Ending], bool] | None = None
    """The suite's own success predicate; without one there is no pass rate."""
    evidence: frozenset[str] = frozenset()
    """Tools that gather evidence besides those that the catalogue calls read-only."""
    approves: Callable[[Call], bool] = _never
    """Whether a call lets something go ahead."""
    accuses: Callable[[Call], bool] = _never
    """Whether a call says that something is wrong."""
    falsely: Callable[[Call], bool] = _never
    """Whether an accusation is false, by the grading of its step."""
    verdict: Callable[[Call], str | None] | None = None
    """The verdict of a call; without it, a deciding call's first argument that has an enum."""
    subjects: Callable[[Call], frozenset[str]] = _nothing
    """What a call is about, such as a proposal: the same words for evidence and for decisions."""
    right: Callable[[Call], bool | None] | None = None
    """Whether a deciding call was right; without it, whether the episode passed."""
    kind: Callable[[str], str | None] = _no_kind
    """The kind of a scenario id, where a suite has kinds."""
    slices: Callable[[str, Trajectory, Json | None], tuple[Slice, ...]] | None = None
    """(scenario id, episode, truth): the groups that an episode and its decisions count towards, where the suite breaks
    its results down; the truth is None where the log holds none that this code can read."""
    clairvoyant: Callable[[str], float | None] | None = None
    """The best figure that full knowledge can reach in a scenario, where the suite has a solver."""
