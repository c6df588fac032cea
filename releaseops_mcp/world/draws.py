"""Random draws by name: numpy's PCG64, seeded from a path of words, so that one draw more never moves another."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from numpy.random import Generator

T = TypeVar("T")


class Draws:
    """One stream of random numbers; the same path of words always gives the same stream."""

    def __init__(self, *path: str | int) -> None:
        self._path = path
        seed = hashlib.sha256("/".join(map(str, path)).encode()).digest()[:16]
        self._rng = _stream(int.from_bytes(seed))

    def child(self, *names: str | int) -> "Draws":
        """Return the stream of a longer path, whatever has been drawn from this one."""
        return Draws(*self._path, *names)

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return int(self._rng.integers(low, high + 1))

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return float(self._rng.random()) < probability

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[int(self._rng.integers(len(items)))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """Return a key with a probability in proportion to its weight."""
        point = float(self._rng.random()) * sum(weights.values())
        items = list(weights)
        for item in items[:-1]:
            point -= weights[item]
            if point < 0:
                return item
        return items[-1]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different items in random order; all of them where there are fewer."""
        order = self._rng.permutation(len(items))[:count]
        return [items[int(index)] for index in order]

    def beta(self, mean: float, concentration: float) -> float:
        """Return a draw of the beta distribution with this mean; a higher concentration lies closer to it."""
        return float(self._rng.beta(mean * concentration, (1 - mean) * concentration))


def _stream(seed: int) -> "Generator":
    # Only a world needs numpy: a server that lists its tools starts without it.
    from numpy.random import PCG64, Generator

    return Generator(PCG64(seed))
