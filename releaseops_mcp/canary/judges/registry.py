"""Finds the judges: every module of this folder registers its own when it is imported."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from releaseops_mcp.canary import judges as folder
from releaseops_mcp.canary.judges.base import Judge
from releaseops_mcp.errors import InvalidArgument


@cache
def judges() -> Mapping[str, type[Judge]]:
    """Return every judge by name, in alphabetical order."""
    for module in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"{folder.__name__}.{module.name}")
    return dict(sorted(Judge.known.items()))


def find_judge(name: str, parameters: Mapping[str, Any] | None = None) -> Judge:
    """Return a judge by name, with these parameters; raises InvalidArgument that names what there is."""
    kind = judges().get(name)
    if kind is None:
        raise InvalidArgument(f"no judge is called {name!r}: choose one of {', '.join(judges())}")
    try:
        return kind.model_validate(dict(parameters or {}))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'all'}: {each['msg']}" for each in error.errors())
        known = ", ".join(kind.model_fields)
        raise InvalidArgument(f"{name} cannot take these parameters ({wrong}): it has {known}") from error
