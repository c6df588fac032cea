"""Pages of the gate in short: a small model pays for the syntax of a real format token by token.

Every format has a line of its own shape for each record (`gate_code`, `gate_records`), and so have the handbook
(`gate_handbook`) and the past decisions. Commit ids and digests are cut to seven digits; of a time the minute is left
where it is not 00, the month where it is March, and the year where it is 2026. What a text says is left as it is, words
that aim at the supervisor least of all are cut.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import yaml

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.world.clock import EPOCH
from training.rendering.gate_code import CODE
from training.rendering.gate_handbook import told
from training.rendering.gate_records import RECORDS, precedents
from training.rendering.notation import write

SHA = re.compile(r"\b(?:sha256:([0-9a-f]{7})[0-9a-f]*|([0-9a-f]{7})(?:[0-9a-f]{57}|[0-9a-f]{33}))\b")
STAMP = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)T(\d\d):(\d\d):\d\d(?:\.\d+)?(?:Z|([+-]\d\d):00)")
FORMATS: Mapping[str, Callable[[str], str]] = {**CODE, **RECORDS}
"""By format; any other is told by `_plain`."""


def page_text(result: Json, tool: str, service: str) -> str:
    """Return a page: what it is, which of how many, and its text in short; the call says of which artefact it is."""
    pages = len(result["contents"]) if "contents" in result else result["pages"]
    format = result.get("format", tool)
    parts = (result.get("format", ""), f"{result['page']}/{pages}" if pages > 1 else "")
    head = " ".join(part for part in parts if part)
    return "\n".join(filter(None, (head, compact(format, result["text"], service))))


def compact(format: str, text: str, service: str = "") -> str:
    """Return a page's text without its format's syntax; of a handbook what bears on one service, if one is named."""
    if format == "read_precedents":
        return short(_safely(precedents, text)).strip()
    return short(_safely(FORMATS.get(format, lambda page: _plain(page, service)), text)).strip()


def short(text: str) -> str:
    """Return a text with its commit ids, digests and times cut."""
    return STAMP.sub(_time, SHA.sub(r"\1\2", text))


def _time(match: re.Match[str]) -> str:
    year, month, day, hour, minute, offset = match.groups()
    date = "" if int(month) == EPOCH.month and int(year) == EPOCH.year else f"{int(month)}-"
    date = date if int(year) == EPOCH.year else f"{year}-{int(month)}-"
    return f"{date}{int(day)}T{hour}{'' if minute == '00' else f':{minute}'}{offset or ''}"


def _safely(tell: Callable[[str], str], text: str) -> str:
    """Return a text as it is where it is not in the format that it is said to be in, such as a part of a cut page."""
    try:
        return tell(text)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, yaml.YAMLError, SyntaxError):
        return text


def _plain(text: str, service: str) -> str:
    """Return any document: JSON and YAML in short notation, everything else as it is."""
    return "\n".join(_documents(text, service))


def _documents(text: str, service: str) -> Iterator[str]:
    if text[:1] == "[":
        yield from map(write, json.loads(text))
    elif text[:1] == "{":
        yield from (write(json.loads(line)) for line in text.splitlines())
    else:
        yield from told(cast("dict[str, Any]", yaml.safe_load(text)), service)
