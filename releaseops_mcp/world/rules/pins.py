"""What a change does to the manifest and the lock, as far as its patch shows them.

Both hold a package a line: `name==1.4.2`, in the manifest also a range such as `name>=1.4,<2`; in the lock a package
that another one asks for says so (`# via NAME`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead
from releaseops_mcp.world.versions import is_version

MANIFEST = "requirements.txt"
LOCK = "requirements.lock"
LINE = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?P<spec>(?:[=!<>~]=?[^#;]*)?)(?:;[^#]*)?(?:#\s*(?P<note>.*))?"
)
VIA = re.compile(r"via\s+(.*)")
TICKET = re.compile(r"ticket_\d+")


@dataclass(frozen=True, slots=True)
class Pin:
    """One line of a manifest or a lock."""

    spec: str
    """Such as `==1.4.2`; "" where any version will do."""
    via: tuple[str, ...] = ()
    """Packages that ask for it; none for what the manifest itself names."""

    @property
    def version(self) -> str:
        """The one version that it allows, or "" where it allows more."""
        version = self.spec.removeprefix("==")
        return version if self.spec.startswith("==") and is_version(version) else ""


@dataclass(frozen=True, slots=True)
class Pins:
    """One file's packages by canonical name, before and after the change: those of the lines that the patch shows."""

    before: Mapping[str, Pin]
    after: Mapping[str, Pin]

    @property
    def changed(self) -> dict[str, Pin]:
        """The packages that the change adds or moves."""
        return {
            name: pin
            for name, pin in self.after.items()
            if name not in self.before or self.before[name].spec != pin.spec
        }

    @property
    def moved(self) -> dict[str, Pin]:
        """Those that were there before, in another version."""
        return {name: pin for name, pin in self.changed.items() if name in self.before}


def pins_of(changes: Iterable[FileChange], path: str) -> Pins:
    """Return what the changes show of one file."""
    lines = [line for change in changes if change.path == path for line in change.lines if not line.startswith("@@")]
    return Pins(
        before=_read(line[1:] for line in lines if line[:1] in " -"),
        after=_read(line[1:] for line in lines if line[:1] in " +"),
    )


def pins_in(text: str) -> dict[str, Pin]:
    """Return the packages of a whole manifest or lock by canonical name."""
    return _read(text.splitlines())


def tickets_of(heads: Iterable[PatchHead], changes: Iterable[FileChange]) -> list[str]:
    """Return the tickets that the pull request's text or an added line names."""
    texts = [text for head in heads for text in (head.title, head.body)]
    texts += [line for change in changes for line in change.added]
    return [ticket for text in texts for ticket in TICKET.findall(text)]


def canonical(name: str) -> str:
    """Return a package's name as a registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(lines: Iterable[str]) -> dict[str, Pin]:
    found = (LINE.fullmatch(line.strip()) for line in lines)
    return {canonical(match["name"]): _pin(match) for match in found if match}


def _pin(match: re.Match[str]) -> Pin:
    via = VIA.match(match["note"] or "")
    asking = [name.strip() for name in via[1].split(",")] if via else []
    return Pin(
        re.sub(r"\s", "", match["spec"]),
        tuple(canonical(name) for name in asking if name and not name.startswith("-r")),
    )
