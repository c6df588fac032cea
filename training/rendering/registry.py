"""Finds the renderings: every module beside this one that exports `RENDERING`; any other suite gets the default."""

import importlib
import pkgutil
from functools import cache

from training import rendering
from training.rendering.base import Rendering


@cache
def renderings() -> dict[str, Rendering]:
    """Return the renderings that were made for a suite, by the suite's name."""
    found: dict[str, Rendering] = {}
    for module in pkgutil.iter_modules(rendering.__path__):
        made = getattr(importlib.import_module(f"{rendering.__name__}.{module.name}"), "RENDERING", None)
        if isinstance(made, Rendering):
            found[made.suite] = made
    return found


def rendering_of(suite: str) -> Rendering:
    """Return the rendering of a suite."""
    return renderings().get(suite, _DEFAULT)


_DEFAULT = Rendering()
