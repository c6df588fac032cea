"""Finds the scorers: every module beside this one that exports `SCORER`."""

import hashlib
import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path

from releaseops_mcp import rewards
from releaseops_mcp.rewards.base import Scorer


@cache
def scorers() -> dict[str, Scorer]:
    """Return the scorers by the name of the suite that they score."""
    found: dict[str, Scorer] = {}
    for module in pkgutil.iter_modules(rewards.__path__):
        scorer = getattr(importlib.import_module(f"{rewards.__name__}.{module.name}"), "SCORER", None)
        if isinstance(scorer, Scorer):
            found[scorer.suite] = scorer
    return found


@cache
def code_hash(scorer_type: type[Scorer]) -> str:
    """Return the SHA-256 of the source behind a scorer's figures: a stored score names the code that made it."""
    source = Path(inspect.getfile(scorer_type))
    files = sorted(source.parent.rglob("*.py")) if source.parent != Path(rewards.__path__[0]) else [source]
    files += [Path(inspect.getfile(module)) for module in scorer_type.sources]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
