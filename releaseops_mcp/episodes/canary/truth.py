"""The truth of a world, as the scorer needs it: never part of an observation."""

from releaseops_mcp.canary.latents import HISTORY, Latents
from releaseops_mcp.canary.on_call import LONG_WARM_UP
from releaseops_mcp.canary.regressions import severity
from releaseops_mcp.canary.world import World
from releaseops_mcp.episodes.base import Json

SHOWN_IN: dict[str, tuple[str, ...]] = {
    "errors": ("errors",),
    "body": ("latency_p50", "latency_p99"),
    "tail": ("latency_p99",),
    "conversion": ("conversion",),
    "segment": ("segment_errors",),
    "downstream": ("downstream_errors",),
}
"""The metrics in which each carrier shows."""


def truth_of(world: World, latents: Latents) -> Json:
    """Return whether the change is bad, how bad, and what the harm of a minute depends on.

    `load` is the service's traffic of each minute from 0 on, as a factor of its usual load.
    """
    regression = world.regression
    load = latents.load[HISTORY:] / world.load.rpm
    return {
        "bad": regression.bad,
        "risk_ratio": regression.risk_ratio,
        "severity": severity(regression.risk_ratio),
        "value": world.service.value,
        "regression": {
            "shape": regression.shape,
            "onset": regression.onset,
            "minutes": regression.minutes,
            "headroom": regression.headroom,
        },
        "applied_weight": world.faults.applied_weight,
        "deadline": world.deadline,
        "load": [round(float(factor), 3) for factor in load],
        "diagnoses": diagnoses_of(world),
        "suspects": suspects_of(world),
    }


def diagnoses_of(world: World) -> list[str]:
    """Return the diagnoses that are right for a world."""
    if world.regression.bad:
        return ["regression"]
    causes = {
        "shared_incident": bool(world.incidents),
        "alert_noise": world.faults.storm is not None,
        "warm_up": world.noise.warm_up >= LONG_WARM_UP or world.regression.shape == "transient",
        "bad_telemetry": bool(world.faults.mislabelled),
    }
    return ["healthy", *(name for name, holds in causes.items() if holds)]


def suspects_of(world: World) -> list[str]:
    """Return the metrics that show the regression; none where the change is good."""
    if not world.regression.bad:
        return []
    worse = [carrier for carrier, ratio in world.regression.effects.items() if ratio > 1.0]
    shown = [metric for carrier in worse for metric in SHOWN_IN[carrier]]
    leaking = ["memory"] if world.regression.memory and not world.regression.memory_settles else []
    crowded = ["cpu"] if world.regression.shape == "cliff" else []
    return list(dict.fromkeys([*shown, *leaking, *crowded]))
