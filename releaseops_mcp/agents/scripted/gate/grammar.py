"""The grammar of rules that a learner searches: which settings a rule of a family may have.

It is the grammar in which organisations are written: a family, its settings, a scope, a time, a severity. Scopes, times
and severities follow from precedents; settings are listed here, the likelier ones first.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

from releaseops_mcp.world.orgs.model import Handbook
from releaseops_mcp.world.precedents.precedent import Precedent

Settings = dict[str, Any]
Options = Callable[[Handbook, tuple[Precedent, ...]], Iterable[Settings]]
"""(public handbook, precedents) to the settings that are possible."""
HARMLESS: tuple[tuple[str, ...], ...] = ((), ("docs/**",))
MOST_APPROVALS = 3
MOST_RELEASES = 4


def _authority(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    for count, bots in product(range(1, MOST_APPROVALS + 1), (False, True)):
        yield {"approvals": count, "bots_count": bots}


def _freshness(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    for count, harmless in product(range(1, MOST_APPROVALS + 1), HARMLESS):
        yield {"approvals": count, "harmless": harmless}


def _provenance(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    return ({"harmless": harmless} for harmless in HARMLESS)


def _migrations(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    return ({"releases": count} for count in range(1, MOST_RELEASES + 1))


def _bugs(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    """Yield each pair of labels that stood on one ticket: one of them may count only with the other."""
    pairs = {pair for each in seen for pair in combinations(sorted(each.past.facts["labels"]), 2)}
    return ({"together": [list(pair)]} for pair in sorted(pairs))


def _owners(public: Handbook, seen: tuple[Precedent, ...]) -> Iterable[Settings]:
    return ({},)


OPTIONS: Mapping[str, Options] = MappingProxyType(
    {
        "review_authority": _authority,
        "review_freshness": _freshness,
        "ci_provenance": _provenance,
        "data_migration": _migrations,
        "blocker_bugs": _bugs,
        "owner_review": _owners,
    }
)
"""By family; a family without an entry has no hidden rules."""
