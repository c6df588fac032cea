"""A place in a distributed trace, as the W3C `traceparent` header spells it (Trace Context, level 2)."""

import re
from typing import NamedTuple

TRACEPARENT_CHARS = 55
"""Length of a traceparent of version 00; later versions may say more behind it."""

_TRACEPARENT = re.compile(
    r"(?P<version>(?!ff)[0-9a-f]{2})-(?P<trace>(?!0{32})[0-9a-f]{32})-(?P<span>(?!0{16})[0-9a-f]{16})-[0-9a-f]{2}"
    r"(?P<more>-.*)?"
)


class TraceContext(NamedTuple):
    """One span of one trace, both ids in lower-case hex."""

    trace_id: str
    """32 digits."""
    span_id: str
    """16 digits."""


def read_traceparent(text: str) -> TraceContext | None:
    """Return the context that a traceparent names; None where it is malformed, which its reader has to ignore."""
    match = _TRACEPARENT.fullmatch(text)
    if match is None or (match["version"] == "00" and match["more"]):
        return None
    return TraceContext(match["trace"], match["span"])
