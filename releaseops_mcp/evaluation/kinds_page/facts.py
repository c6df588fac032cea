"""What the code says of kinds, rule families, organisations and service templates."""

import importlib
import pkgutil
import re
from dataclasses import dataclass

from releaseops_mcp.world import kinds as folder
from releaseops_mcp.world.kinds.base import Kind
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.orgs.loader import load_org, org_names

GROUPS = {
    "A": "Test integrity",
    "B": "CI evidence",
    "C": "Review and authority",
    "D": "Supply chain and secrets",
    "E": "Compatibility and runtime",
    "F": "Operational state",
}
"""The families of the suite's scenarios."""
TWINS = re.compile(r"\bTwins?: ")


@dataclass(frozen=True, slots=True)
class KindFacts:
    """One kind as its file describes it."""

    kind: Kind
    wrong: str
    """What goes wrong: the first sentence of the file's docstring."""
    twins: str
    """What looks the same and is sound: whatever the docstring says behind `Twins:`."""
    orgs: tuple[str, ...]
    """Built-in organisations in which it can be planted."""

    @property
    def number(self) -> str:
        """Its number in the catalogue, such as `K01`."""
        return self.kind.name.partition("-")[0].upper()


def every_kind() -> tuple[KindFacts, ...]:
    """Return the facts of all kinds, by name; raises ValueError where a file's docstring lacks a part."""
    found: list[KindFacts] = []
    for module in pkgutil.iter_modules(folder.__path__):
        loaded = importlib.import_module(f"{folder.__name__}.{module.name}")
        kind = getattr(loaded, "KIND", None)
        if isinstance(kind, Kind):
            wrong, twins = described(f"{module.name}.py", loaded.__doc__ or "")
            found.append(KindFacts(kind, wrong, twins, _homes(kind)))
    return tuple(sorted(found, key=lambda each: each.kind.name))


def described(file: str, text: str) -> tuple[str, str]:
    """Return a docstring's first sentence and what it says of twins; raises ValueError where it lacks one."""
    plain = " ".join(text.split())
    before, mark, twins = plain.partition(found[0]) if (found := TWINS.search(plain)) else (plain, "", "")
    if not before or not mark or not twins:
        raise ValueError(f"{file}: begin its docstring with what goes wrong, and end it with `Twins: ...`")
    sentence = re.match(r"(.*?\.)(?: |$)", before)
    return (sentence[1] if sentence else before).strip(), twins[0].upper() + twins[1:]


def _homes(kind: Kind) -> tuple[str, ...]:
    return tuple(name for name in org_names() if any(each.name == kind.name for each in plantable(load_org(name))))
