"""The bounded evaluation behind /api/run-eval: the scripted baselines on the first rows of the original's splits.

The original started a script that loads a model. Here no model is ever loaded: `model_id` is noted and nothing else.
One evaluation runs at a time, in a thread of its own; its episodes are logged like any others, and its result lives
as long as this process.
"""

from collections.abc import Mapping, Sequence
from threading import Lock, Thread
from types import MappingProxyType

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import Played
from releaseops_mcp.arena import Arena
from releaseops_mcp.doors.http.door import HttpDoor
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_gate import SUITE
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.evaluation.runs import run

POLICIES: Mapping[str, str] = MappingProxyType(
    {"naive": "naive", "rule": "rule", "phase_aware_rule": "phase-aware"},
)
"""The original's name of each baseline, and the supervisor's."""
SLICES: Mapping[str, str] = MappingProxyType({"seen": "eval_seen", "unseen": "eval_unseen"})
"""The original's name of each slice, and the split's."""
MAX_LIMIT = 20
"""Rows a slice, at most."""
PENDING: Json = {
    "status": "pending_or_missing",
    "message": "no evaluation has ended yet: POST /api/run-eval starts one",
}


class Evaluation:
    """Runs one evaluation at a time and keeps the last result."""

    def __init__(self, door: HttpDoor) -> None:
        self._door = door
        self._running = Lock()
        self.results: Json = PENDING

    def start(self, limit: int, model_id: str) -> str:
        """Start an evaluation of `limit` rows a slice, unless one is running; return what there is to say."""
        if not self._running.acquire(blocking=False):
            return "an evaluation is already running: read /api/get-eval-results"
        self.results = PENDING
        Thread(target=self._run, args=(limit, model_id), name="run-eval", daemon=True).start()
        return (
            f"evaluating {', '.join(POLICIES)} on {limit} rows a slice; no model is loaded: read /api/get-eval-results"
        )

    def _run(self, limit: int, model_id: str) -> None:
        try:
            self.results = self._door.look(lambda arena: evaluate(arena, limit)) | {"model_id": model_id}
        except ReleaseOpsError as error:
            self.results = {"status": "failed", "message": error.text}
        finally:
            self._running.release()


def evaluate(arena: Arena, limit: int) -> Json:
    """Let the baselines play the first `limit` rows of each slice; return the original's result file."""
    played = {name: _play(arena, SUITE.splits()[split][:limit]) for name, split in SLICES.items()}
    played["overall"] = {policy: [each for rows in played.values() for each in rows[policy]] for policy in POLICIES}
    slices = {name: _summary(rows) for name, rows in played.items()}
    return {"status": "complete", **slices}


def aggregate(played: Sequence[Played]) -> dict[str, float]:
    """Return the original's aggregates over the episodes that have a figure, 3 decimals; zeros over none."""
    scored = [(each.reward, each.metrics) for each in played if each.reward is not None]
    flags = ("safe_ship", "unsafe_ship", "missed_deadline")
    counts = ("false_blocks", "true_blocks", "invalid_actions", "budget_spent")
    means = {"avg_reward": _mean([reward for reward, _ in scored])}
    means |= {f"{flag}_rate": _mean([metrics[flag] for _, metrics in scored]) for flag in flags}
    return means | {f"avg_{count}": _mean([metrics[count] for _, metrics in scored]) for count in counts}


def _play(arena: Arena, scenarios: Sequence[str]) -> dict[str, list[Played]]:
    played: dict[str, list[Played]] = {}
    for policy, name in POLICIES.items():
        rows = played[policy] = []
        run(arena, [find_supervisor(name, SUITE.name)], scenarios, progress=rows.append)
    return played


def _summary(rows: Mapping[str, Sequence[Played]]) -> Json:
    count = len(next(iter(rows.values())))
    return {"count": count, **{policy: aggregate(played) for policy, played in rows.items()}}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0
