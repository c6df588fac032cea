"""Fingerprints of plays: everything shown, as one hash a play. `python -m tests.canary.fingerprints` prints some."""

import hashlib
import sys

from releaseops_mcp import canonical
from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.latents import HISTORY, latents_of
from releaseops_mcp.canary.metrics import METRICS
from releaseops_mcp.canary.scenarios import DISPLAY, LATENTS, SAMPLES, stream, world_of
from releaseops_mcp.canary.traffic import Rollout, Shares
from releaseops_mcp.episodes.canary import SUITE
from releaseops_mcp.simulation import Simulation

SOME = ("f02-boilingfrog", "f04-phantom-twin", "f07-leak", "f11-tail", "f17-lowtraffic-twin")
CALLS = (
    ("decide_rollout", {"action_type": "hold", "diagnosis": "healthy"}),
    ("inspect_metric", {"metric": "latency_p99", "window": 40}),
    ("inspect_metric", {"metric": "conversion"}),
    ("decide_rollout", {"action_type": "increase_25", "diagnosis": "healthy"}),
    ("inspect_metric", {"metric": "alerts"}),
    ("extend_baseline", {}),
    ("ask_on_call", {"question": "cold_start"}),
    ("inspect_metric", {"metric": "memory", "window": 60}),
)


def of_play(scenario: str) -> str:
    """Return the hash of all that a fixed play shows, of the world and its truth, and of the score."""
    simulation = Simulation.of(scenario)
    shown = [simulation.first_observation]
    for tool, arguments in CALLS:
        judged = simulation.call(tool, arguments)
        shown += [judged.observation, judged.result]
    world = [simulation.episode.world_hash, simulation.episode.truth()]
    return canonical.digest([shown, world, simulation.score().total])


def of_table(family: str, seed: int, minutes: int = 20) -> bytes:
    """Return a hash of every value that the dashboards show of a rollout at its first weight, from -HISTORY on."""
    world = world_of(family, seed)
    rollout = Rollout(world, latents_of(world, stream(family, seed, LATENTS)), stream(family, seed, SAMPLES))
    dashboard = Dashboard(world, rollout, stream(family, seed, DISPLAY))
    rollout.run(minutes, Shares.of(0.05, world.faults.applied_weight, extended=False))
    table = hashlib.blake2b(digest_size=16)
    for name in METRICS:
        table.update(dashboard.series(name, -HISTORY, minutes).tobytes())
    return table.digest()


def distinct_tables(seeds: int) -> int:
    """Return how many distinct tables that many seeds show, spread over all families."""
    families = SUITE.families
    return len({of_table(families[seed % len(families)], seed) for seed in range(seeds)})


def main() -> None:
    for family in SOME:
        sys.stdout.write(of_play(f"canary/{family}/seed-5") + "\n")


if __name__ == "__main__":
    main()
