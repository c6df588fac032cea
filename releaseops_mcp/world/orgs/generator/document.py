"""A generated organisation as YAML that a person can read, edit and give back."""

from typing import Any, cast

import yaml

from releaseops_mcp.world.orgs.model import Org

HEADER = """\
# {title}, drawn from the sector {sector}: `{id}` names it in any scenario.
# To change it, give it an id of your own as well; `--org FILE` then plays at yours.
"""
ORDER = (
    "id",
    "title",
    "sector",
    "phase_hours",
    "prose",
    "services",
    "people",
    "labels",
    "rules",
    "exceptions",
    "calendar",
)
BLOCKS = ("services", "rules")
"""Lists of which each entry takes a line a key; of all others it takes one line."""


def yaml_of(org: Org) -> str:
    """Return the organisation as YAML that `read_org` reads back as the same."""
    written = org.model_dump(mode="json", exclude_defaults=True)
    keys = sorted(written, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER))
    return HEADER.format(title=org.title, sector=org.sector, id=org.id) + "".join(
        _key(key, written[key]) for key in keys
    )


def _key(key: str, value: Any) -> str:
    if not isinstance(value, list):
        return f"{key}: {_flow(value)}\n"
    entries = cast("list[dict[str, Any]]", value)
    return f"{key}:\n" + "".join(_block(each) if key in BLOCKS else f"  - {_flow(each)}\n" for each in entries)


def _block(entry: dict[str, Any]) -> str:
    lines = "\n    ".join(f"{key}: {_flow(value)}" for key, value in entry.items())
    return f"  - {lines}\n"


def _flow(value: Any) -> str:
    """Return a value on one line; inside a list, so that a plain word is written as one."""
    text = yaml.safe_dump([value], default_flow_style=True, sort_keys=False, width=100_000, allow_unicode=True)
    return text.strip()[1:-1]
