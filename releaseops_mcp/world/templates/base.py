"""What a service template holds, and how its file is read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from releaseops_mcp.world.globs import matches
from releaseops_mcp.world.state import PropertyResult


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


class Property(_Part):
    """A property of product code that is checked on inputs which no test of the repository has."""

    name: str
    path: str
    """The file that it is about."""
    edit: str = ""
    """The edit that brings what it is about; "" where the base tree has it."""
    check: str
    """Statements of Python that fail where it does not hold."""
    needs: str = ""
    """A text that the file has where it holds; "" for one that does not hold even at base."""
    unless: str = ""
    """A text with which it does not hold all the same."""
    example: str
    """Inputs that falsify it, as hypothesis prints them."""


class Shortcut(_Part):
    """A way to pass the tests of an edit without doing what it is for: a special case for the tests' own input."""

    edit: str
    property: str
    """The property that then does not hold."""
    old: str
    """What does the work, in the edited file of the property."""
    narrow: str
    """What stands in its place: it works for the tests' own input alone."""
    wide: str
    """The same words to another effect: it works for that input and for every other."""
    states: str
    """How a ticket would ask for it: `name = value`."""


class _Written(_Part):
    name: str
    package: str
    surfaces: dict[str, str]
    files: dict[str, str]
    edits: tuple[Edit, ...]
    defects: tuple[Defect, ...]
    properties: tuple[Property, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()


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

    @property
    def shortcuts(self) -> tuple[Shortcut, ...]:
        """Ways to pass the tests of some edits without doing the work."""
        return self.written.shortcuts

    def property_of(self, shortcut: Shortcut) -> Property:
        """Return the property that a shortcut falsifies."""
        return next(each for each in self.written.properties if each.name == shortcut.property)

    def checked(self, tree: Mapping[str, str], edit: Edit) -> tuple[PropertyResult, ...]:
        """Return what the property checks find in a tree: those of the base, and those of an edit."""
        found: list[PropertyResult] = []
        for each in self.written.properties:
            if each.edit in ("", edit.name):
                text = tree.get(each.path, "")
                holds = bool(each.needs) and each.needs in text and not (each.unless and each.unless in text)
                found.append(PropertyResult(each.name, each.path, holds, each.example))
        return tuple(found)

    def cut_short(self, tree: Mapping[str, str], shortcut: Shortcut, *, works: bool) -> dict[str, str]:
        """Return an edited tree with a special case in place of what does the work; `works` keeps it working."""
        path = self.property_of(shortcut).path
        new = shortcut.wide if works else shortcut.narrow
        return {**tree, path: _replaced(tree[path], path, shortcut.old, new)}

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
    for shortcut in template.shortcuts:
        edit = next(each for each in template.edits if each.name == shortcut.edit)
        template.cut_short(template.edited(edit), shortcut, works=False)
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
