"""The lines of an export: how each kind is written, and how one is recognised.

Every line is canonical JSON and equals its own re-encoding, so a flipped byte shows where it is:

    {"event": <envelope as stored>, "hash": ...}
    {"hash": ..., "truth": ..., "world_hash": ...}      before an episode of that world, where truth was asked for
    {"hash": ..., "manifest": {"episodes": [[id, count, head], ...], "events": n, "format": n}}      the last line
"""

import json
from typing import Any, NamedTuple, cast

from releaseops_mcp import canonical
from releaseops_mcp.errors import ChainBroken, SchemaTooNew
from releaseops_mcp.log.chain import Link

FORMAT = 1
"""Version of the export: a higher one is refused."""


class EventLine(NamedTuple):
    """One event."""

    episode: str
    link: Link


class TruthLine(NamedTuple):
    """The truth of the world that the next episode plays in."""

    world_hash: str
    truth: dict[str, Any]


class Promise(NamedTuple):
    """What the manifest says of one episode."""

    episode: str
    length: int
    """How many events it has."""
    head: str


class Manifest(NamedTuple):
    """What the whole file must hold."""

    episodes: tuple[Promise, ...]
    events: int


Record = EventLine | TruthLine | Manifest


def event_line(link: Link) -> str:
    """Return the line of one event."""
    return f'{{"event":{link.body},"hash":"{link.hash}"}}'


def truth_line(world_hash: str, truth: dict[str, Any]) -> str:
    """Return the line of one world's truth."""
    return _sealed("truth", truth, world_hash=world_hash)


def manifest_line(episodes: list[Promise]) -> str:
    """Return the last line."""
    events = sum(promise.length for promise in episodes)
    return _sealed("manifest", {"episodes": episodes, "events": events, "format": FORMAT})


def parse(line: bytes) -> Record:
    """Return what a line says; raises ChainBroken where it is not exactly what was written, and SchemaTooNew."""
    try:
        text = line.decode("ascii").removesuffix("\n")
        value: Any = json.loads(text)
        if canonical.dumps(value) != text:
            raise ChainBroken("it was altered: it is not as it would be written")
    except (ValueError, RecursionError):
        raise ChainBroken("it is not JSON as an export has it: it was altered, or this is no export") from None
    said = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if said.keys() == {"event", "hash"}:
        return _event(said["event"], said["hash"])
    if said.keys() == {"hash", "truth", "world_hash"}:
        _unseal("truth", said)
        return TruthLine(said["world_hash"], said["truth"])
    if said.keys() == {"hash", "manifest"}:
        return _manifest(said)
    raise ChainBroken("it is neither an event nor a truth nor the manifest")


def _event(envelope: Any, seal: Any) -> EventLine:
    body = canonical.dumps(envelope)
    try:
        return EventLine(envelope["episode"], Link(envelope["seq"], envelope["kind"], body, seal))
    except (TypeError, KeyError):
        raise ChainBroken("it holds no event: it was altered") from None


def _manifest(value: dict[str, Any]) -> Manifest:
    _refuse_newer(value["manifest"])
    _unseal("manifest", value)
    manifest = value["manifest"]
    return Manifest(tuple(Promise(*entry) for entry in manifest["episodes"]), manifest["events"])


def _refuse_newer(manifest: Any) -> None:
    version = cast("dict[str, Any]", manifest).get("format") if isinstance(manifest, dict) else None
    if isinstance(version, int) and version > FORMAT:
        raise SchemaTooNew(f"export format {version} is newer than {FORMAT}: read it with a newer releaseops-arena")


def _sealed(key: str, value: Any, **rest: str) -> str:
    body = {key: value, **rest}
    return canonical.dumps(body | {"hash": canonical.digest(body)})


def _unseal(key: str, value: dict[str, Any]) -> None:
    body = {name: item for name, item in value.items() if name != "hash"}
    if canonical.digest(body) != value["hash"]:
        raise ChainBroken(f"the {key} does not have its hash: it was altered")
