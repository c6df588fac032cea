"""Finds what a folder's files declare: the one way in which kinds, families, formats and archetypes register."""

import importlib
import pkgutil
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


def declared(package: ModuleType, name: str, kind: type[T]) -> dict[str, T]:
    """Return what the package's modules export as `name`, by its own `name`, in order of the modules' names.

    Raises ValueError where two modules declare the same name.
    """
    found: dict[str, T] = {}
    for module in pkgutil.iter_modules(package.__path__):
        thing = getattr(importlib.import_module(f"{package.__name__}.{module.name}"), name, None)
        if not isinstance(thing, kind):
            continue
        label: str = getattr(thing, "name")  # noqa: B009 - every declared thing has one
        if label in found:
            raise ValueError(f"{package.__name__}: two files declare {label!r}; give one of them another name")
        found[label] = thing
    return found
