"""The lines of a workflow file that a patch shows, each with the keys that it stands under.

A hunk shows a piece of the file: keys above its first line are not known.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.globs import matches

WORKFLOWS = ".github/workflows/*"
KEYED = re.compile(r"(?P<key>[\w-]+|\"[\w-]+\"|'[\w-]+'):(?:\s+(?P<value>.*))?")
NOTE = re.compile(r"\s+#\s*(?P<note>.*)$")
BLOCK = re.compile(r"[|>][+-]?")


@dataclass(frozen=True, slots=True)
class Key:
    """A key that other lines stand under."""

    indent: int
    name: str
    opens_text: bool
    """Whether its value is a block of text."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the new file."""

    above: tuple[Key, ...]
    """The keys that it stands under, the outermost first, as far as they are shown."""
    indent: int
    key: str
    """Its own key; "" for a line of text, or an item without one."""
    value: str
    note: str
    """The remark behind the value."""
    is_new: bool

    @property
    def under(self) -> str:
        """The innermost key that it stands under, or ""."""
        return self.above[-1].name if self.above else ""


def workflows(changes: Iterable[FileChange]) -> list[FileChange]:
    """Return the changes of workflow files."""
    return [change for change in changes if matches(WORKFLOWS, change.path)]


def places(change: FileChange) -> Iterator[Place]:
    """Yield the lines that the new file has and the patch shows."""
    above: list[Key] = []
    for line in change.lines:
        if line.startswith("@@"):
            above = []
        elif line[:1] in (" ", "+") and line[1:].strip():
            place = _read(line[1:], line.startswith("+"), above)
            above = list(place.above)
            if place.key:
                above.append(Key(place.indent, place.key, BLOCK.fullmatch(place.value) is not None))
            yield place


def _read(line: str, is_new: bool, above: list[Key]) -> Place:
    """Return one line; an item's key stands where it begins, behind the dash."""
    indent = len(line) - len(line.lstrip(" "))
    kept = [key for key in above if key.indent < indent]
    if kept and kept[-1].opens_text:
        return Place(tuple(kept), indent, "", line.strip(), "", is_new)
    body = line[indent:]
    while body.startswith("- "):
        trimmed = body[2:].lstrip(" ")
        indent, body = indent + len(body) - len(trimmed), trimmed
    note = NOTE.search(body)
    text = (body[: note.start()] if note else body).rstrip()
    keyed = KEYED.fullmatch(text)
    key, value = (keyed["key"].strip("\"'"), keyed["value"] or "") if keyed else ("", text)
    return Place(tuple(kept), indent, key, value, note["note"].strip() if note else "", is_new)
