"""What no training may see of the gate's worlds, at any seed: kinds, organisations, and combinations of both.

A reserved kind is planted only in the worlds that are named after it: elsewhere it is neither a further fault nor a
decoy, so that a world of the training split never shows one.
"""

from dataclasses import dataclass

KINDS = (
    "k03-weak-assertion",
    "k14-absent-check",
    "k16-own-approval",
    "k22-too-young",
    "k27-broken-api",
    "k32-not-ready",
)
"""One of each group A to F. Where a group has a rule family with several kinds, the others of it are for training."""
ORGS = ("halden", "mossgate")
"""One with many rules and one with few; the others have every service template."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A kind in an organisation at some levels: training sees the kind elsewhere, and here at lower levels.

    From level 4 on a tell may hang on an exception, a scope or a date, as this organisation has them.
    """

    kind: str
    org: str
    levels: tuple[int, ...]


DEEP = (4, 5)
COMBINATIONS = (
    Combination("k01-skipped-test", "cedarline", DEEP),
    Combination("k13-other-commit", "looplatch", DEEP),
    Combination("k15-stale-approval", "aurelia", DEEP),
    Combination("k19-known-weakness", "nordvox", DEEP),
    Combination("k26-early-contract", "looplatch", DEEP),
    Combination("k29-freeze", "cedarline", DEEP),
)
"""One of each group; each has a variant of depth 4 that fits."""


def is_reserved_kind(kind: str, org: str, level: int) -> bool:
    """Return whether no training world of this organisation and level may show a kind."""
    return kind in KINDS or is_reserved_combination(kind, org, level)


def is_reserved_combination(kind: str, org: str, level: int) -> bool:
    """Return whether a kind is reserved in this organisation at this level."""
    return any(each.kind == kind and each.org == org and level in each.levels for each in COMBINATIONS)
