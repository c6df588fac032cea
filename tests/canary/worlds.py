"""Worlds in which nothing moves by itself, for tests that add what they test."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from releaseops_mcp.canary.dashboards import Dashboard
from releaseops_mcp.canary.latents import Latents, latents_of
from releaseops_mcp.canary.traffic import Rollout, Shares
from releaseops_mcp.canary.world import Faults, Load, Noise, Regression, Service, World

CALM = World(
    family="f00-calm",
    seed=0,
    interval=8,
    load=Load(
        rpm=2_000.0,
        daily=0.0,
        half_daily=0.0,
        phase=0.0,
        weekday=1.0,
        noise=0.0,
        bursts_per_hour=0.0,
        burst_factor=1.0,
        dispersion=math.inf,
    ),
    service=Service(
        name="basket",
        value=1.0,
        error_rate=0.01,
        latency_ms=100.0,
        latency_spread=0.4,
        slow_share=0.02,
        slow_factor=5.0,
        conversion=0.03,
        segment="ios",
        segment_share=0.3,
        downstream="stock",
        downstream_error_rate=0.01,
        memory_mb=800.0,
        headroom=2.0,
    ),
    noise=Noise(shared=0.0, shared_phi=0.9, own=0.0, warm_up=0.0, warm_up_minutes=5.0),
    incidents=(),
    regression=Regression(),
    faults=Faults(),
)


def with_(part: str, **changed: Any) -> World:
    """Return the calm world with changed fields in one of its parts."""
    return replace(CALM, **{part: replace(getattr(CALM, part), **changed)})


def stream(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def rollout_of(world: World = CALM, seed: int = 1) -> Rollout:
    return Rollout(world, latents_of(world, stream(seed)), stream(seed + 1))


def latents(world: World = CALM, seed: int = 1) -> Latents:
    return latents_of(world, stream(seed))


def running(world: World = CALM, minutes: int = 20, weight: float = 0.2, seed: int = 1) -> tuple[Rollout, Dashboard]:
    """Return a rollout that has run for some minutes, and its dashboard."""
    rollout = rollout_of(world, seed)
    dashboard = Dashboard(world, rollout, stream(seed + 2))
    rollout.run(minutes, Shares.of(weight, world.faults.applied_weight, extended=False))
    return rollout, dashboard
