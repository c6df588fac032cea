"""The generator: worlds equal to the original's, their frequencies, and their independence of the process."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.episodes.classic_gate.families import FAMILIES
from releaseops_mcp.episodes.classic_gate.generation import generate
from releaseops_mcp.episodes.classic_gate.release import Release

WORLDS = Path(__file__).parent.parent / "data" / "classic_gate" / "arena_worlds.json.gz"

SCRIPT = """
from releaseops_mcp import canonical
from releaseops_mcp.episodes.classic_gate import SUITE
episodes = [SUITE.begin(SUITE.parse(name)) for name in SUITE.grid(range(20))]
shown = [[episode.world_hash, episode.truth(), episode.observe()] for episode in episodes]
held = [episode.call("hold_release", {"reason_code": "awaiting_fix"}).result for episode in episodes]
print(canonical.digest([shown, held, SUITE.splits()["train"]]))
"""


def first_observation(family: str, difficulty: str, seed: int):
    return Release(generate(family, difficulty, seed)).observe()


def digest_without_claims(observation) -> str:
    for proposal in observation["proposals"]:
        del proposal["claim"]
    return hashlib.sha256(canonical.dumps(observation).encode()).hexdigest()[:12]


def test_12_000_first_observations_have_the_original_digests():
    recorded = json.loads(gzip.decompress(WORLDS.read_bytes()))["worlds"]
    differing = [
        (world, seed)
        for world, digests in recorded.items()
        for seed, digest in enumerate(digests)
        if digest_without_claims(first_observation(*world.split("/"), seed)) != digest
    ]
    assert sum(map(len, recorded.values())) == 12_000
    assert differing == []


def test_clock_and_budget_have_the_measured_frequencies():
    worlds = [generate("careful_qa_safe", "medium", seed) for seed in range(200)]
    assert Counter(world.hours for world in worlds) == {12: 74, 24: 65, 36: 61}
    assert Counter(world.budget for world in worlds) == {4: 54, 5: 50, 6: 46, 7: 50}


def test_the_seeds_of_the_data_set_have_the_measured_clock():
    hours = Counter(generate("careful_qa_safe", "low", seed).hours for seed in range(1000, 10_000))
    assert {clock: round(100 * count / 9000, 1) for clock, count in hours.items()} == {12: 34.0, 24: 32.3, 36: 33.6}


@pytest.mark.parametrize("seed", [0, 17, 9999, -5])
def test_a_seed_has_the_same_clock_and_budget_in_every_family(seed):
    worlds = [generate(family, level, seed) for family in FAMILIES for level in ("low", "high")]
    assert len({(world.hours, world.budget) for world in worlds}) == 1


def test_only_low_difficulty_matters():
    low, medium, other = (generate("careful_qa_safe", level, 3) for level in ("low", "medium", "Low"))
    assert len(low.submissions) == 3
    assert medium == other
    assert {len(generate("careful_qa_safe", "x", seed).submissions) for seed in range(50)} == {4, 5, 6}


def test_a_flagged_world_hides_one_violation_and_shows_no_confession():
    flagged = [generate(family, "medium", seed) for family in FAMILIES[:3] for seed in range(50)]
    for world in flagged:
        confessions = [entry.violation.confession for entry in world.submissions if entry.violation]
        assert len(confessions) == 1
        assert confessions[0] not in canonical.dumps(Release(world).observe())


def test_some_worlds_hold_a_proposal_id_twice():
    train = [SUITE.begin(SUITE.parse(name)).observe() for name in SUITE.splits()["train"]]
    ids = [[proposal["id"] for proposal in observation["proposals"]] for observation in train]
    assert sum(len(set(names)) < len(names) for names in ids) == 3


def test_the_world_hash_covers_what_is_hidden():
    episodes = [SUITE.begin(SUITE.parse(name)) for name in SUITE.grid(range(50))]
    again = [SUITE.begin(SUITE.parse(name)) for name in SUITE.grid(range(50))]
    assert [episode.world_hash for episode in episodes] == [episode.world_hash for episode in again]
    assert len({episode.world_hash for episode in episodes}) == len(episodes)
    before = episodes[0].world_hash
    episodes[0].call("hold_release", {"reason_code": "awaiting_fix"})
    assert episodes[0].world_hash == before


def test_another_process_with_another_hash_seed_generates_the_same_bytes():
    def digest(hash_seed: str) -> str:
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        return subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert digest("1") == digest("4242") != ""
