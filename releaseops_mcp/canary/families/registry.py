"""Finds the families: every module of this package that exports FAMILY."""

import importlib
import pkgutil
from functools import cache

from releaseops_mcp.canary import families
from releaseops_mcp.canary.families.base import Family


@cache
def families_by_id() -> dict[str, Family]:
    """Return every family by its identifier, in order of the identifiers."""
    modules = [importlib.import_module(f"{families.__name__}.{found.name}") for found in _found()]
    found = [module.FAMILY for module in modules if hasattr(module, "FAMILY")]
    return {family.id: family for family in sorted(found, key=lambda family: family.id)}


def _found() -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.iter_modules(families.__path__))
