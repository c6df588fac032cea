"""What the log tells of one episode beside its figure."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.agents.runner import Played
from releaseops_mcp.evaluation.flags import Play, flags_of
from releaseops_mcp.evaluation.measures import Ending, measures_of
from releaseops_mcp.evaluation.slices import Slice
from releaseops_mcp.evaluation.trajectory import trajectory_of
from releaseops_mcp.log.logged import LoggedEpisode

_TWIN = re.compile(r"-twin(?=/|@|$)")
CONFIDENCE = "confidence"
"""The argument in which a decision may carry how sure the agent is, from 0 to 1."""


class Facts(BaseModel):
    """What the log tells of one episode beside its figure."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    world_hash: str = ""
    kind: str | None = None
    """The kind of its scenario, where the suite has kinds."""
    passed: bool | None = None
    """Whether the suite calls it a success; None where it has no figure or the suite no such rule."""
    accusations: int = 0
    false_accusations: int | None = None
    """None where the log holds no truth to tell by."""
    confidences: tuple[tuple[float, bool], ...] = ()
    """How sure the agent was of each decision, and whether it was right."""
    verdicts: dict[str, int] = {}
    """How often each verdict was given."""
    flags: tuple[str, ...] = ()
    """See `flags`."""
    slices: tuple[Slice, ...] = ()
    """The groups that it counts towards, where the suite breaks its results down."""
    model_calls: int = 0
    input_tokens: int | None = 0
    """None where a call of its model does not say."""
    output_tokens: int | None = 0
    cost_usd: float | None = None
    """None where no call of its model names its cost."""


def facts_of(episode: LoggedEpisode, played: Played) -> Facts:
    """Return the facts of one episode of any log."""
    play = Play.of(trajectory_of(episode))
    measures, accepted, model_calls = play.measures, play.trajectory.accepted, play.trajectory.model_calls
    accusing = [call for call in accepted if measures.accuses(call)]
    passed = _passed(played)
    costs = [call["cost_usd"] for call in model_calls if call["cost_usd"] is not None]
    return Facts(
        world_hash=episode.start["world_hash"],
        kind=measures.kind(played.scenario),
        passed=passed,
        accusations=len(accusing),
        false_accusations=sum(map(measures.falsely, accusing)) if episode.truth is not None else None,
        confidences=tuple(_confidences(play, passed)),
        verdicts=dict(Counter(verdict for call in accepted if (verdict := play.verdict(call)) is not None)),
        flags=tuple(flags_of(play)),
        slices=_slices(episode, play, played.scenario),
        model_calls=len(model_calls),
        input_tokens=_total([call["input_tokens"] for call in model_calls]),
        output_tokens=_total([call["output_tokens"] for call in model_calls]),
        cost_usd=sum(costs) if costs else None,
    )


def _slices(episode: LoggedEpisode, play: Play, scenario: str) -> tuple[Slice, ...]:
    if play.measures.slices is None:
        return ()
    graded = all(call.reward is not None for call in play.trajectory.calls)
    return play.measures.slices(scenario, play.trajectory, episode.truth if graded else None)


def pair_of(scenario: str) -> tuple[str, bool]:
    """Return the name that both of a pair of twins share, and whether this is the twin."""
    return _TWIN.sub("", scenario), _TWIN.search(scenario) is not None


def _total(tokens: list[int | None]) -> int | None:
    """Return a sum; what is unknown is not 0."""
    known = [each for each in tokens if each is not None]
    return sum(known) if len(known) == len(tokens) else None


def _passed(played: Played) -> bool | None:
    passes = measures_of(played.suite).passes
    if passes is None or played.reward is None:
        return None
    return passes(Ending(played.terminal_reason, played.reward, played.metrics))


def _confidences(play: Play, passed: bool | None) -> Iterator[tuple[float, bool]]:
    for call in play.trajectory.accepted:
        given: Any = call.arguments.get(CONFIDENCE) if call.tool in play.deciding else None
        if isinstance(given, (int, float)) and not isinstance(given, bool) and 0 <= given <= 1:
            right = play.measures.right(call) if play.measures.right else passed
            if right is not None:
                yield float(given), right
