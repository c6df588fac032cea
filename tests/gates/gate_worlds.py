"""Worlds: all different, all solvable, the same bytes everywhere, and nowhere a word of what they are."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

from releaseops_mcp import canonical
from releaseops_mcp.agents.scripted.gate.clairvoyant import clairvoyant, gold
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.splits import names
from releaseops_mcp.episodes.gate.suite import SUITE
from releaseops_mcp.episodes.gate.tools import QUESTIONS
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.scenario import ScenarioName
from tests.gates.gate import Gate, at_least
from tests.gates.gate_lab import MIX

SEEDS = 10_000
DISTINCT = 9_990
SOLVED = 2_000
NEAR = 0.15
"""How far gold, which reads every decisive page, may stay below the clairvoyant."""
AGAIN = 60
"""Worlds whose bytes are compared between processes."""
SPOKEN = 500
"""Episodes whose agent-visible bytes are searched."""
FRESH = 440_000
ELSEWHERE = "from tests.gates.gate_worlds import digest; print(digest({worlds}))"
PLAIN_CPU = {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX", "OPENBLAS_CORETYPE": "Prescott"}


def gates() -> Iterator[Gate]:
    hashes = {SUITE.begin(SUITE.parse(name.id)).world_hash for name in spread(SEEDS)}
    yield at_least("gate: distinct world hashes", len(hashes), DISTINCT, f"of {SEEDS:,}", MIX)
    unsolved = [name.id for name in spread(SOLVED) if not is_solvable(name)]
    note = f"{SOLVED:,} worlds of the {MIX}; not: {', '.join(unsolved[:3]) or 'none'}"
    yield at_least("gate: solvable, gold near the clairvoyant", 100 * (1 - len(unsolved) / SOLVED), 100, "%", note)
    here = digest(AGAIN)
    others = [elsewhere(AGAIN, {"PYTHONHASHSEED": seed}) for seed in ("1", "2")]
    equal = here == digest(AGAIN) and others == [here, here] and elsewhere(AGAIN, PLAIN_CPU) == here
    note = f"{AGAIN} worlds: twice here, in two processes with other hash seeds, in one without SIMD"
    yield Gate("gate: same scenario, same bytes", "equal" if equal else "different", "equal", equal, note)
    told = [name.id for name in spread(SPOKEN) if names_itself(name)]
    note = f"observations, pages, policy, precedents and answers of {SPOKEN} episodes; {', '.join(told[:3]) or 'none'}"
    yield Gate("gate: names of kinds or twins that an agent sees", len(told), "0", not told, note)


def spread(count: int) -> Iterator[ScenarioName]:
    """Yield as many scenarios of the mix, each with a seed of its own."""
    mix = list(names(range(1)))
    for number in range(count):
        name = mix[number % len(mix)]
        yield ScenarioName(name.org, name.kind, name.twin, name.level, FRESH + number)


def is_solvable(name: ScenarioName) -> bool:
    """Return whether full knowledge ends the release well, and still nearly as well when it reads what decides."""
    world = generate(name)
    best, read = clairvoyant(world), gold(world)
    return best.terminal_reason in ("safe_ship", "refused") and best.value - read.value <= NEAR


def digest(worlds: int) -> str:
    """Return a hash over the hashes of the first worlds."""
    found = (SUITE.begin(SUITE.parse(name.id)).world_hash for name in spread(worlds))
    return hashlib.sha256("".join(found).encode()).hexdigest()


def elsewhere(worlds: int, changed: dict[str, str]) -> str:
    """Return the digest that a process with another environment comes to."""
    command = [sys.executable, "-c", ELSEWHERE.format(worlds=worlds)]
    done = subprocess.run(command, env=os.environ | changed, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def names_itself(name: ScenarioName) -> bool:
    """Return whether anything that an agent may see says which kind is planted, or that a twin is."""
    marks = (*(kind.encode() for kind in kinds()), b"-twin")
    return any(mark in said for said in visible(name) for mark in marks)


def visible(name: ScenarioName) -> Iterator[bytes]:
    """Yield everything that an agent may see of a scenario: every page of every version, every answer, each phase."""
    world = generate(name)
    episode = SUITE.begin(SUITE.parse(name.id))
    yield _bytes(episode.observe())
    for tool in ("read_policy", "read_precedents"):
        page: int | None = 1
        while page:
            result = episode.call(tool, {"page": page}).result
            assert result is not None
            yield _bytes(result)
            page = page + 1 if page < result["pages"] else None
    for lineage in world.lineages:
        for version in lineage.versions:
            yield version.claim.encode()
            for artefact in version.artefacts.values():
                yield from (sheet.text.encode() for sheet in artefact.sheets)
    while not episode.done:
        seen = episode.observe()
        yield _bytes(seen)
        for worker in {each["worker"] for each in seen["proposals"] if each["status"] == "open"}:
            for question in QUESTIONS:
                answer = episode.call("ask_worker", {"worker_id": worker, "question_type": question})
                yield _bytes(answer.result or {})
        episode.call("hold_release", {"reason_code": "evidence_missing"})


def _bytes(value: Json) -> bytes:
    return canonical.dumps(value).encode()
