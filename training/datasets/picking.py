"""What one process does with one chunk of a log: read it, score it, and pick from it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from releaseops_mcp.audit.rescore import Unscored
from releaseops_mcp.errors import InvalidArgument, UnknownScenario
from training.datasets.base import Kind
from training.datasets.registry import kind_named
from training.datasets.rollout import rollout_of
from training.datasets.source import Chunk, opened
from training.heldout import is_held_out
from training.splits import trainable


class Order(BaseModel):
    """What is to be picked, in a form that reaches other processes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    options: dict[str, Any] = {}
    """Fields of the kind's options that differ from the usual."""
    skip_held_out: bool = False
    """Leave episodes on held-out scenarios out, and count them, where the build would otherwise stop."""


@dataclass(slots=True)
class Batch:
    """What a chunk had to offer."""

    picked: list[Any] = field(default_factory=list[Any])
    left_out: Counter[str] = field(default_factory=Counter[str])
    held_out: Counter[str] = field(default_factory=Counter[str])
    heads: bytearray = field(default_factory=bytearray)
    """The episodes' heads, 32 bytes each, in order."""
    rewards: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Reward version and code by suite."""


def kind_of(order: Order) -> Kind[Any, Any]:
    """Return the kind that an order asks for; raises InvalidArgument for an unknown kind and for wrong options."""
    kind = kind_named(order.kind)
    try:
        return kind(kind.options.model_validate(order.options))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise InvalidArgument(f"a dataset of kind {kind.name} cannot be built so: {wrong}") from None


def pick_chunk(chunk: Chunk, order: Order, kind: Kind[Any, Any]) -> Batch:
    """Pick from one chunk; raises HeldOut at a held-out scenario, ChainBroken and SchemaTooNew."""
    batch = Batch()
    with opened(chunk) as (episodes, blobs):
        for episode in episodes:
            batch.heads += bytes.fromhex(episode.head)
            scenario = episode.start["scenario"]
            if _is_held_out(scenario):
                if not order.skip_held_out:
                    trainable(scenario)
                batch.held_out[scenario] += 1
                continue
            rollout = rollout_of(episode)
            if isinstance(rollout, Unscored):
                batch.left_out[rollout.reason] += 1
                continue
            batch.rewards[rollout.suite.name] = (rollout.reward_version, rollout.reward_code)
            _take(batch, kind.pick(rollout, blobs))
    return batch


def _take(batch: Batch, offered: Sequence[Any] | Any) -> None:
    for one in offered:
        if isinstance(one, str):
            batch.left_out[one] += 1
        else:
            batch.picked.append(one)


@lru_cache(maxsize=10_000)
def _is_held_out(scenario: str) -> bool:
    try:
        return is_held_out(scenario)
    except UnknownScenario:
        return False  # its suite is not installed here: the episode is left out as unscored
