"""Reads organisations: the built-in ones by name, anybody's by path, generated ones by `gen-<sector>-<seed>`."""

from functools import cache
from importlib import resources
from pathlib import Path

import yaml
from pydantic import ValidationError

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.world.orgs.generator import generate_org, generated_name, yaml_of
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.orgs.validation import problems


@cache
def org_names() -> tuple[str, ...]:
    """Return the names of the built-in organisations."""
    entries = resources.files(__name__.rpartition(".")[0]).iterdir()
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in entries if entry.name.endswith(".yaml")))


_installed: dict[str, Org] = {}


def install_org(path: Path) -> Org:
    """Read an organisation from a file and let scenarios of this process name it by its id; raises InvalidArgument.

    Installing an id again replaces what was installed under it.
    """
    org = load_org_file(path)
    taken = "built-in" if org.id in org_names() else "generated" if generated_name(org.id) else ""
    if taken == "built-in" or (taken and org != load_org(org.id)):
        raise InvalidArgument(f"{path}: the id {org.id!r} is that of a {taken} organisation; choose another id")
    _installed[org.id] = org
    return org


def known_orgs() -> tuple[str, ...]:
    """Return the names of the built-in organisations and of those that were installed in this process."""
    return (*org_names(), *sorted(_installed))


def has_org(name: str) -> bool:
    """Return whether a scenario may name this organisation: a listed one, or one that is generated when asked for."""
    return name in known_orgs() or generated_name(name) is not None


def usual_orgs() -> tuple[str, ...]:
    """Return the organisations that are meant where none is named: the installed ones, or else the built-in ones."""
    return tuple(sorted(_installed)) or org_names()


def load_org(name: str) -> Org:
    """Return a built-in, an installed or a generated organisation; raises InvalidArgument for an unknown name."""
    if name in _installed:
        return _installed[name]
    if name in org_names():
        return _built_in(name)
    if generated := generated_name(name):
        return generate_org(*generated)
    raise InvalidArgument(
        f"no organisation {name!r}: use one of {', '.join(known_orgs())}, or name a file of your own with "
        "--org FILE or RELEASEOPS_ORGS"
    )


@cache
def _built_in(name: str) -> Org:
    return read_org(org_text(name), f"{name}.yaml")


def org_text(name: str) -> str:
    """Return the YAML of a built-in or generated organisation, to be copied and edited; raises InvalidArgument."""
    if generated := generated_name(name):
        return yaml_of(generate_org(*generated))
    if name not in org_names():
        raise InvalidArgument(f"no built-in organisation {name!r}: use one of {', '.join(org_names())}")
    return resources.files(__name__.rpartition(".")[0]).joinpath(f"{name}.yaml").read_text()


def load_org_file(path: Path) -> Org:
    """Return the organisation of a YAML file; raises InvalidArgument saying what to change."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise InvalidArgument(f"{path}: cannot be read: {reason}; name a YAML file") from None
    return read_org(text, str(path))


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
