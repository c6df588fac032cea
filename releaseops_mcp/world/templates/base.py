"""What a service template holds, and how its file is read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from releaseops_mcp.world.globs import matches


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Replacement(_Part):
    """One place of one file that an edit changes."""

    path: str
    old: str
    """Occurs exactly once in the file; empty for a new file."""
    new: str


class Edit(_Part):
    """A change as a good engineer would make it: product code and a test of it, every test green."""

    name: str
    title: str
    why: str
    """What the pull request's body says."""
    guards: str
    """Id of a test that was there before and still guards the changed code: `path::name`."""
    replace: tuple[Replacement, ...]


class Defect(_Part):
    """A change of product code, on top of one edit, that breaks exactly the tests it names."""

    name: str
    edit: str
    path: str
    old: str
    new: str
    breaks: tuple[str, ...]
    """Test ids."""


class _Written(_Part):
    name: str
    package: str
    surfaces: dict[str, str]
    files: dict[str, str]
    edits: tuple[Edit, ...]
    defects: tuple[Defect, ...]


@dataclass(frozen=True)
class Template:
    """A service template; trees are mappings of path to text."""

    written: _Written

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.written.name

    @property
    def package(self) -> str:
        """The folder of the product code."""
        return self.written.package

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The changes that it offers."""
        return self.written.edits

    @cached_property
    def base(self) -> Mapping[str, str]:
        """The tree before any change."""
        return dict(sorted(self.written.files.items()))

    def edited(self, edit: Edit) -> dict[str, str]:
        """Return the base tree with an edit applied."""
        tree = dict(self.base)
        for place in edit.replace:
            tree[place.path] = _replaced(tree.get(place.path, ""), place.path, place.old, place.new)
        return tree

    def defect_of(self, edit: Edit) -> Defect:
        """Return the defect that goes on top of an edit; every edit has one."""
        return next(defect for defect in self.written.defects if defect.edit == edit.name)

    def broken(self, tree: Mapping[str, str], defect: Defect) -> dict[str, str]:
        """Return an edited tree with the edit's defect in it."""
        return {**tree, defect.path: _replaced(tree[defect.path], defect.path, defect.old, defect.new)}

    def surface(self, path: str) -> str:
        """Return the part of the service that a path belongs to, such as `tests`; `other` where no pattern matches."""
        return next((name for glob, name in self.written.surfaces.items() if matches(glob, path)), "other")


@cache
def load_template(name: str) -> Template:
    """Return a built-in template; raises ValueError for an unknown name or a file that contradicts itself."""
    if name not in template_names():
        raise ValueError(f"no service template {name!r}: use one of {', '.join(template_names())}")
    text = resources.files(__name__.rpartition(".")[0]).joinpath(f"{name}.yaml").read_text()
    template = Template(_Written.model_validate(_load(text)))
    for edit in template.edits:
        template.broken(template.edited(edit), template.defect_of(edit))
    return template


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of the built-in templates."""
    entries = resources.files(__name__.rpartition(".")[0]).iterdir()
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in entries if entry.name.endswith(".yaml")))


def _load(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders


def _replaced(text: str, path: str, old: str, new: str) -> str:
    if old and text.count(old) != 1:
        raise ValueError(f"{path}: {old[:60]!r} occurs {text.count(old)} times; an edit's `old` must occur once")
    return text.replace(old, new) if old else text + new
