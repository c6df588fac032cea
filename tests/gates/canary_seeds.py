"""A seed is a world: the same bytes whoever draws it and whenever, and other telemetry than any other seed (C11)."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from releaseops_mcp.canary.metrics import STABLE
from releaseops_mcp.canary.scenarios import family_names
from tests.gates.gate import Gate, at_least
from tests.gates.lab import CALM, autocorrelation, run, shown, with_noise

WORLDS = 200
SEEDS = 10_000
DISTINCT = 9_990
MINUTES = 10
"""Of the canary in a table of telemetry; the stable arm's half an hour before that is in it as well."""
ELSEWHERE = "from tests.gates.canary_seeds import digest; print(digest({worlds}))"


def gates() -> Iterator[Gate]:
    here = digest(WORLDS)
    equal = digest(WORLDS) == here == elsewhere(WORLDS, "1") == elsewhere(WORLDS, "2")
    note = f"SHA-256 over {WORLDS} worlds, twice here and in two other processes"
    yield Gate("C11 same seeds, same bytes", "equal" if equal else "different", "equal", equal, note)
    note = "lag-1 autocorrelation and variance of the stable arm's errors over two hours"
    yield at_least("C11 other seeds, other statistics", len(statistics(WORLDS)), WORLDS, f"of {WORLDS}", note)
    note = "all metrics and arms as shown after ten minutes; seeds in turn over all families and twins"
    yield at_least("distinct telemetry tables", distinct(SEEDS), DISTINCT, f"of {SEEDS:,}", note)


def digest(worlds: int) -> str:
    """Return a hash over the shown telemetry of the first worlds."""
    tables = hashlib.sha256()
    for family, seed in _worlds(worlds):
        tables.update(shown(family, seed, MINUTES))
    return tables.hexdigest()


def elsewhere(worlds: int, hash_seed: str) -> str:
    """Return the digest that another process comes to, which hashes its strings otherwise."""
    command = [sys.executable, "-c", ELSEWHERE.format(worlds=worlds)]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def statistics(worlds: int) -> set[tuple[float, float]]:
    """Return the distinct pairs of autocorrelation and variance, to six digits, over as many seeds of one service."""
    noisy = with_noise(CALM, shared=0.4)
    series = [run(noisy, seed, 120, 0.1)["errors"][:, STABLE] for seed in range(worlds)]
    return {(round(float(autocorrelation(each)), 6), round(float(np.var(each)), 6)) for each in series}


def distinct(seeds: int) -> int:
    """Return how many different tables as many seeds have."""
    return len({hashlib.sha256(shown(family, seed, MINUTES)).digest() for family, seed in _worlds(seeds)})


def _worlds(seeds: int) -> Iterator[tuple[str, int]]:
    names = family_names()
    return ((names[seed % len(names)], seed) for seed in range(seeds))
