"""The core alone: episodes without a log, and their rewards from one."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.rescore import fold
from releaseops_mcp.log.chain import check
from releaseops_mcp.settings import Settings, open_arena
from releaseops_mcp.simulation import Simulation
from tests.bench.figures import Figure, median_cpu_ms, median_rate

DECISION = {
    "action_type": "increase_5",
    "reasoning": "Every figure is well inside its guard.",
    "slo_breach_detected": False,
    "state_assessment": "healthy",
}
GATE = "classic-gate/green_ci_disabled_payment_test/medium/seed-{}"
CANARY = "classic-canary/hard/seed-{}"
GATE_CALLS = (
    ("inspect_ci_run", {"run_id": "ci_run_0"}),
    ("ask_worker", {"worker_id": "qa_triage", "question_type": "evidence_basis"}),
    ("ask_worker", {"worker_id": "ci_fixer", "question_type": "risk_summary"}),
    ("hold_release", {"reason_code": "awaiting_fix"}),
)


def figures() -> Iterator[Figure]:
    yield Figure("classic-canary, no log", median_rate(_canary_steps), "steps/s", 20_000, at_least=True)
    yield Figure("classic-gate, no log", median_rate(_gate_steps), "steps/s", 5_000, at_least=True)
    yield Figure("reset classic-canary, no log", _reset_ms(CANARY), "ms", 2.0)
    yield Figure("reset classic-gate, no log", _reset_ms(GATE), "ms", 2.0)
    with tempfile.TemporaryDirectory() as folder:
        arena = open_arena(Settings(database_url=f"sqlite:///{Path(folder) / 'log.sqlite3'}"))
        yield Figure("re-score an episode from the log", _rescore_ms(arena), "ms", 1.0)
        arena.close()


def _canary_steps() -> int:
    steps = 0
    for seed in range(300):
        simulation = Simulation.of(CANARY.format(seed))
        while not simulation.done:
            simulation.call("decide_rollout", DECISION)
            steps += 1
    return steps


def _gate_steps() -> int:
    steps = 0
    for seed in range(300):
        simulation = Simulation.of(GATE.format(seed))
        while not simulation.done:
            for tool, arguments in GATE_CALLS:
                simulation.call(tool, arguments)
                steps += 1
    return steps


def _reset_ms(scenario: str) -> float:
    return median_cpu_ms(lambda seed: Simulation.of(scenario.format(seed)), 500)


def _rescore_ms(arena: Arena) -> float:
    """Chain check, parse and fold of whole episodes of 12 decisions."""
    chains = []
    for seed in range(100):
        started = arena.start(CANARY.format(seed))
        while not arena.call(started.episode_id, "decide_rollout", DECISION).done:
            pass
    for row in arena.store.stream():
        chains.append((*arena.store.chain(row.number), arena.store.truth(row.world_hash)))

    def rescore(index: int) -> float:
        row, links, truth = chains[index]
        return fold(check(row.id, links, count=row.count, head=row.head), truth).score().total

    return median_cpu_ms(rescore, len(chains))
