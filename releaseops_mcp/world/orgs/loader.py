"""Reads organisations from YAML: the built-in ones by name, anybody's by path."""

from functools import cache
from importlib import resources
from pathlib import Path

import yaml
from pydantic import ValidationError

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.orgs.validation import problems


@cache
def org_names() -> tuple[str, ...]:
    """Return the names of the built-in organisations."""
    entries = resources.files(__package__).iterdir()
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in entries if entry.name.endswith(".yaml")))


@cache
def load_org(name: str) -> Org:
    """Return a built-in organisation; raises InvalidArgument for an unknown name."""
    if name not in org_names():
        raise InvalidArgument(f"no organisation {name!r}: use one of {', '.join(org_names())}, or a path to a YAML file")
    return read_org(resources.files(__package__).joinpath(f"{name}.yaml").read_text(), f"{name}.yaml")


def load_org_file(path: Path) -> Org:
    """Return the organisation of a YAML file; raises InvalidArgument saying what to change."""
    return read_org(path.read_text(), str(path))


def read_org(text: str, where: str) -> Org:
    """Return the organisation that a YAML text describes; raises InvalidArgument listing every problem."""
    try:
        org = Org.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise InvalidArgument(f"{where}: not YAML: {error}") from error
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise InvalidArgument(f"{where}: " + "; ".join(lines)) from error
    found = problems(org)
    if found:
        raise InvalidArgument(f"{where}: " + "; ".join(found))
    return org
