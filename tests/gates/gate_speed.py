"""How long a world takes, how long a look at it, and how much an open episode holds."""

import gc
import time
import tracemalloc
from collections.abc import Iterator
from statistics import median

from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.scenario import ScenarioName
from tests.gates.gate import Gate, at_most
from tests.gates.gate_lab import MIX
from tests.gates.gate_worlds import spread

WORLDS = 400
WARM = 80
"""Worlds that are made first, so that what is read once, such as templates, counts for none."""
LOOKS = 50
OPEN = 60


def gates() -> Iterator[Gate]:
    names = list(spread(WARM + WORLDS))
    for name in names[:WARM]:
        GateEpisode(generate(name)).truth()
    made: list[float] = []
    seen: list[float] = []
    for name in names[WARM:]:
        began = time.process_time()
        episode = GateEpisode(generate(name))
        episode.truth()
        made.append(time.process_time() - began)
        began = time.process_time()
        for _ in range(LOOKS):
            episode.observe()
        seen.append((time.process_time() - began) / LOOKS)
    note = f"CPU time of this machine, truth included, {WORLDS} worlds of the {MIX}"
    yield at_most("gate: a world, median", 1000 * median(made), 25, "ms", note)
    yield at_most("gate: observe, median", 1000 * median(seen), 0.2, "ms", note)
    yield at_most("gate: an open episode", held(names[WARM : WARM + OPEN]), 2, "MB", "truth and world hash computed")


def held(names: list[ScenarioName]) -> float:
    """Return the memory that open episodes hold, in MB each."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    episodes = [GateEpisode(generate(name)) for name in names]
    for episode in episodes:
        assert episode.world_hash
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(episodes) / 2**20
