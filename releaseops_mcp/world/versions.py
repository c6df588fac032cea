"""Versions, specifiers and advisory ranges as Python packages write them: a small reading of PEP 440 and of OSV.

Read are `1.4.2`, pre-releases (`1.5.0rc1`) and post-releases (`1.4.2.post1`); no epochs, development or local versions.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

VERSION = re.compile(r"(?P<release>\d+(?:\.\d+)*)(?:(?P<stage>a|b|rc)(?P<count>\d+))?(?:\.post(?P<post>\d+))?")
SPECIFIER = re.compile(r"(==|!=|>=|<=|~=|>|<)\s*([^\s,;]+)")
STAGES = {"a": -3, "b": -2, "rc": -1}
FINAL = (0, 0)
NO_POST = -1


class Key(NamedTuple):
    """What versions are compared by."""

    release: tuple[int, ...]
    """Without zeros at the end: 1.4 and 1.4.0 are the same."""
    stage: tuple[int, int]
    """Below FINAL for a pre-release."""
    post: int


class Event(NamedTuple):
    """One edge of an advisory's range: `introduced`, `fixed` or `last_affected`, and at which version."""

    what: str
    version: str


def is_version(text: str) -> bool:
    """Return whether a text is a version that can be compared."""
    return VERSION.fullmatch(text) is not None


def key(version: str) -> Key:
    """Return what a version is compared by; raises ValueError for a text that is none."""
    match = VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"not a version that can be compared: {version!r}; write it as 1.4.2, 1.5.0rc1 or 1.4.2.post1")
    numbers = [int(number) for number in match["release"].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    stage = (STAGES[match["stage"]], int(match["count"])) if match["stage"] else FINAL
    return Key(tuple(numbers), stage, int(match["post"]) if match["post"] else NO_POST)


def allows(specifiers: str, version: str) -> bool:
    """Return whether a version meets all specifiers, such as `>=1.4,<2`; an empty text asks for nothing.

    A pre-release may be chosen, as where a lock names it. Raises ValueError for what is no version.
    """
    return all(_meets(sign, wanted, version) for sign, wanted in SPECIFIER.findall(specifiers))


def is_affected(version: str, events: Sequence[Event]) -> bool:
    """Return whether a version lies in a range, by the evaluation of the OSV schema; `introduced: 0` is the start."""
    place, inside = key(version), False
    for event in sorted(events, key=_order):
        if event.what == "introduced":
            inside = inside or event.version == "0" or place >= key(event.version)
        elif event.what == "fixed":
            inside = inside and place < key(event.version)
        elif event.what == "last_affected":
            inside = inside and place <= key(event.version)
    return inside


def _order(event: Event) -> tuple[bool, Key, int]:
    """At one version the range that ends comes before the one that begins; what is the last still belongs to it."""
    return event.version != "0", key(event.version), ("fixed", "introduced", "last_affected").index(event.what)


def _meets(sign: str, wanted: str, version: str) -> bool:
    if wanted.endswith(".*"):
        return (sign == "==") is _begins(version, wanted.removesuffix(".*"))
    have, edge = key(version), key(wanted)
    if sign == "~=":
        return have >= edge and _begins(version, VERSION.fullmatch(wanted)["release"].rpartition(".")[0])  # type: ignore[index]
    same = have.release == edge.release
    # PEP 440: what only leads up to a version is not below it, and what only follows it up is not above it.
    if sign == "<" and same and edge.stage == FINAL and have.stage < FINAL:
        return False
    if sign == ">" and same and have.stage == edge.stage and have.post > edge.post == NO_POST:
        return False
    return {
        "==": have == edge,
        "!=": have != edge,
        ">=": have >= edge,
        "<=": have <= edge,
        ">": have > edge,
        "<": have < edge,
    }[sign]


def _begins(version: str, prefix: str) -> bool:
    """Return whether a version's release begins with these numbers; missing ones are zeros."""
    wanted = [int(number) for number in prefix.split(".")]
    have = [*key(version).release, *[0] * len(wanted)]
    return have[: len(wanted)] == wanted
