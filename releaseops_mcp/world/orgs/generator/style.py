"""An organisation's manner while it is drawn: how strict it is, and what follows from that again and again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.generator.priors import Sector

T = TypeVar("T")

OF_STRICTNESS = 6.0
"""Concentration of an organisation's strictness around its sector's."""
OF_CHOICES = 5.0
"""Concentration of each choice around the organisation's strictness."""


@dataclass(frozen=True)
class Style:
    """How strict an organisation is, and how it writes its own name."""

    sector: Sector
    strictness: float
    title: str
    slug: str
    """Its name where a registry writes it."""
    draws: Draws

    def ranked(self, choices: Sequence[T], *path: str) -> T:
        """Return one of the choices, which are ordered from lenient to strict; a path always leads to the same place.

        A setting of one name falls into the same place for every family that has it: a house that wants two approvals
        wants them fresh, too.
        """
        place = self.draws.child("ranked", *path).beta(self.strictness, OF_CHOICES)
        return choices[min(int(place * len(choices)), len(choices) - 1)]

    def named(self, value: Any) -> Any:
        """Return a setting's value with the organisation's name in place of `{slug}`."""
        return json.loads(json.dumps(value).replace("{slug}", self.slug))


def style_of(sector: Sector, draws: Draws) -> Style:
    """Return the manner of one organisation."""
    own = draws.child("style")
    title = f"{own.choice(sector.titles)} {own.choice(sector.suffixes)}"
    slug = "-".join("".join(letter if letter.isalnum() else " " for letter in title.lower()).split())
    strictness = min(max(own.beta(sector.strictness, OF_STRICTNESS), 0.05), 0.95)
    return Style(sector, strictness, title, slug, draws)
