"""What an archetype is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

FIXES = ("real", "partial", "faked", "none")
Pointing = Literal["decisive", "first", "invented", "nothing"]


@dataclass(frozen=True, slots=True)
class Archetype:
    """A way of working. Texts are templates over `{title}`, `{service}`, `{pr}`, `{run}` and `{rule}`."""

    name: str
    record: float
    """The mean share of its past proposals that were right."""
    claims: Mapping[str, tuple[str, ...]]
    """What it says by request; the key "" serves every other request."""
    confidence: Mapping[str, float]
    """Weights of `low`, `medium`, `high` and `very_high`."""
    answers: Mapping[str, str]
    """What it answers to each type of question."""
    points: Pointing
    """Which artefact it names as evidence: the decisive one, its first reference, one that does not exist, none."""
    fixes: Mapping[str, float]
    """Weights of FIXES: what a held or blocked proposal comes back with, where something was wrong."""
    hides_tickets: bool = False
    """Whether it leaves tickets out of its references."""

    def claim(self, request: str) -> tuple[str, ...]:
        """Return the claims to draw from for a request; only a change has a pull request and a run to speak of."""
        claims = self.claims.get(request, self.claims[""])
        speaking = tuple(claim for claim in claims if "{pr}" not in claim and "{run}" not in claim)
        return claims if request == "merge_change" else speaking

    asides: tuple[str, ...] = ()
    """Texts aimed at the supervisor, one of which it adds to its pull request's body."""
