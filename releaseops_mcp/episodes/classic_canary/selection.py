"""How a seed chooses a constant: seed 0 is the published variant, any other seed falls into one of a few columns.

The column is `(seed + salt) mod n` with Python's floored mod, so negative seeds fall into the same columns.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several values."""

    values: tuple[float, ...]
    salt: int
    at_zero: float
    """The value of seed 0."""

    def value(self, seed: int) -> float:
        """Return the value that `seed` chooses."""
        return self.at_zero if seed == 0 else self.values[(seed + self.salt) % len(self.values)]


@dataclass(frozen=True, slots=True)
class Drift:
    """A base, shifted by one of three offsets; seed 0 takes the first."""

    base: float | Pick
    offsets: tuple[float, float, float]
    salt: int

    def value(self, seed: int) -> float:
        """Return base plus offset, added in doubles."""
        base = self.base.value(seed) if isinstance(self.base, Pick) else self.base
        return base + self.offsets[0 if seed == 0 else (seed + self.salt) % 3]


Rule = Pick | Drift


def drift(base: float | Pick, middle: float, last: float, *, salt: int) -> Drift:
    """Return the usual drift: no offset in its first column."""
    return Drift(base, (0.0, middle, last), salt)


def pick(first: float, *others: float, salt: int) -> Pick:
    """Return a pick whose seed 0 takes the first value."""
    return Pick((first, *others), salt, first)
