"""What each world shows to one who only promotes: where noise, phantoms, transients and breaches lie, seed by seed."""

from collections.abc import Iterable, Sequence

from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary import dynamics
from releaseops_mcp.episodes.classic_canary.contract import shown
from releaseops_mcp.episodes.classic_canary.suite import SWEEP_SEEDS
from releaseops_mcp.episodes.classic_canary.tables import constants_of
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.telemetry import telemetry_of
from releaseops_mcp.rewards.classic_canary.assessor import PUBLIC_LABELS, assess

MAX_PROBES = 10
PROBE = "increase_10"
FIRSTS = {
    "first_warning": "warning",
    "first_shared_noise": "noise",
    "first_phantom_alert": "phantom_alert",
    "first_breach": "breach",
}
"""Name of a mark to the state label whose first appearance it is."""
MARKS = (*FIRSTS, "recovery_clear")
_SHOWN = (
    "step_number",
    "traffic_pct",
    "canary_error_rate",
    "differential_error",
    "differential_p99_ms",
    "alert_count",
)


def scenario_variants() -> Json:
    """Return the marks of every task and seed of the sweep, and per task the steps at which they fall."""
    tasks = {task: {str(seed): variant(task, seed) for seed in SWEEP_SEEDS} for task in TASKS}
    return {
        "probe_policy": f"{PROBE}, at most {MAX_PROBES} times; the states before and after each are read",
        "seeds": list(SWEEP_SEEDS),
        "tasks": tasks,
        "task_summaries": {task: _summary(list(variants.values())) for task, variants in tasks.items()},
    }


def variant(task: str, seed: int) -> Json:
    """Return where each mark lies in one world: null, or the state there.

    `recovery_clear` is the first healthy state after a warning.
    """
    trace = list(_trace(task, seed))
    marks: dict[str, Json | None] = {name: _first(trace, label) for name, label in FIRSTS.items()}
    warned = marks["first_warning"]
    since = [state for state in trace if warned is not None and state["step_number"] > warned["step_number"]]
    return {
        "trace_steps_captured": len(trace) - 1,
        **marks,
        "recovery_clear": _first(since, "healthy"),
        "final_probe_state": trace[-1],
    }


def _trace(task: str, seed: int) -> Iterable[Json]:
    constants = constants_of(task, seed)
    telemetry = telemetry_of(task, constants)
    position = dynamics.START
    for probe in range(MAX_PROBES + 1):
        snapshot = telemetry.snapshot(position.traffic, position.step)
        observation = shown(TASKS[task], position, snapshot)
        label = PUBLIC_LABELS[assess(task, snapshot, position.traffic)]
        yield {field: observation[field] for field in _SHOWN} | {"public_state_assessment": label}
        if position.ended or probe == MAX_PROBES:
            return
        position = dynamics.move(position, PROBE)


def _first(trace: Sequence[Json], label: str) -> Json | None:
    return next((state for state in trace if state["public_state_assessment"] == label), None)


def _summary(variants: Sequence[Json]) -> Json:
    """Return the distinct step numbers at which each mark falls, over the seeds in which it does."""
    steps = {mark: {variant[mark]["step_number"] for variant in variants if variant[mark]} for mark in MARKS}
    return {f"{mark}_steps": sorted(found) for mark, found in steps.items()}
