"""Which scenario a reset's keywords name: the original's defaults, and ids that any keyword can be part of."""

import re
from collections.abc import Mapping
from secrets import randbelow
from typing import Any
from urllib.parse import quote

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_gate.families import FAMILIES, GREEN_CI
from releaseops_mcp.episodes.classic_gate.refusals import shown
from releaseops_mcp.episodes.classic_gate.splits import scenario_id
from releaseops_mcp.episodes.classic_gate.suite import USUAL_DIFFICULTY
from releaseops_mcp.errors import InvalidArgument

DEFAULT_SEED = 42
DRAWN_SEEDS = 1_000_000_000
"""A null seed draws one of this many."""
MAX_SEED = 10**18 - 1
_FITS = re.compile(r"[A-Za-z0-9._~%-]{1,64}")


def scenario_of(keywords: Mapping[str, Any]) -> str:
    """Return the id of the world that a reset asks for; unknown keywords mean nothing.

    Raises InvalidArgument for an unknown family and for a seed that is no whole number of at most 18 digits.
    """
    family = keywords.get("family", GREEN_CI)
    if not isinstance(family, str) or family not in FAMILIES:
        raise InvalidArgument(f"no family {shown(family)}: reset one of {', '.join(FAMILIES)}")
    difficulty = keywords.get("difficulty", USUAL_DIFFICULTY)
    return scenario_id(family, encoded(difficulty), _seed(keywords.get("seed", DEFAULT_SEED)))


def encoded(difficulty: Any) -> str:
    """Return a difficulty as a part of an id: percent-encoded, or the hash of it where that does not fit.

    Nothing but the exact text `low` has an effect, so nothing depends on the rest.
    """
    text = difficulty if isinstance(difficulty, str) else canonical.dumps(canonical.plain(difficulty))
    part = quote(text, safe="", errors="replace")
    return part if _FITS.fullmatch(part) else f"sha256-{canonical.digest(text)[:32]}"


def _seed(seed: Any) -> int:
    if seed is None:
        return randbelow(DRAWN_SEEDS)
    if not isinstance(seed, int) or isinstance(seed, bool) or abs(seed) > MAX_SEED:
        raise InvalidArgument(
            f"seed must be a whole number of at most 18 digits, not {shown(seed)}; null draws one, and without one "
            f"it is {DEFAULT_SEED}"
        )
    return seed
