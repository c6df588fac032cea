"""The hash chain: how an event becomes a link, and how a chain is checked.

A link's body is the canonical JSON of the event with its place (episode, number, time, hash of the link before); its
hash is the SHA-256 of that body. Altering, removing or reordering any link breaks the chain at a place that can be
named; a lost tail shows against the count and head that are kept beside the chain.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from releaseops_mcp import canonical
from releaseops_mcp.errors import ChainBroken, SchemaTooNew
from releaseops_mcp.events import SCHEMA_VERSION, EpisodeStart, Event

GENESIS = "0" * 64
"""What the first link names as the hash before it."""


_ENVELOPE = {"at_ms", "data", "episode", "kind", "prev", "seq", "v"}


class Link(NamedTuple):
    """One event in its place, as it is stored."""

    seq: int
    """Number within the episode, from 0."""
    kind: str
    body: str
    """Canonical JSON of the envelope."""
    hash: str


class LoggedEvent(NamedTuple):
    """One link, checked and parsed."""

    seq: int
    kind: str
    at_ms: int
    """Unix time in milliseconds."""
    data: dict[str, Any]
    hash: str


def forge(episode_id: str, seq: int, previous: str, at_ms: int, event: Event) -> Link:
    """Return the link that puts `event` behind the one whose hash is `previous`."""
    body = (
        f'{{"at_ms":{at_ms},"data":{event.encoded()},"episode":{canonical.dumps(episode_id)},"kind":"{event.kind}",'
        f'"prev":"{previous}","seq":{seq},"v":{SCHEMA_VERSION}}}'
    )
    return Link(seq, event.kind, body, canonical.sha256(body))


def check(episode_id: str, links: Iterable[Link], *, count: int | None, head: str | None) -> Iterator[LoggedEvent]:
    """Yield the events of a whole chain in order; raises ChainBroken naming the first bad place.

    `count` and `head` are what the store or the manifest says that the chain comes to, None where that is not known.
    SchemaTooNew is raised for an event of a newer schema.
    """
    previous, expected = GENESIS, 0
    for link in links:
        event = check_link(episode_id, link, expected, previous)
        previous, expected = link.hash, expected + 1
        yield event
    if count is not None and expected != count:
        raise ChainBroken(
            f"{episode_id}: {expected} events are there and {count} were written; "
            f"event {min(expected, count)} is the first difference: restore the log from a copy"
        )
    if head is not None and previous != head:
        raise ChainBroken(f"{episode_id}: the last event does not have the hash that was noted as the chain's head")


def check_link(episode_id: str, link: Link, seq: int, previous: str) -> LoggedEvent:
    """Return the parsed event of one link that must be number `seq` behind hash `previous`."""
    where = f"{episode_id} event {seq}"
    if link.seq != seq:
        raise ChainBroken(f"{where}: number {link.seq} stands in its place: an event was removed or reordered")
    if canonical.sha256(link.body) != link.hash:
        raise ChainBroken(f"{where}: its content does not have its hash: it was altered")
    envelope = _envelope(where, link.body)
    place = (envelope["episode"], envelope["seq"], envelope["prev"], envelope["kind"])
    if place != (episode_id, seq, previous, link.kind) or (seq == 0) != (link.kind == EpisodeStart.kind):
        raise ChainBroken(f"{where}: it does not belong here: an event was replaced or reordered")
    return LoggedEvent(seq, link.kind, envelope["at_ms"], envelope["data"], link.hash)


def _envelope(where: str, body: str) -> dict[str, Any]:
    """Return the envelope of a body that has its hash: only another writer than this one may have misshaped it."""
    parsed: Any = json.loads(body)
    envelope = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    version = envelope.get("v")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"{where}: schema {version} is newer than {SCHEMA_VERSION}: read this log with a newer releaseops-arena"
        )
    if version != SCHEMA_VERSION or envelope.keys() != _ENVELOPE:
        raise ChainBroken(f"{where}: it is no event of schema {SCHEMA_VERSION}: it was replaced")
    return envelope
