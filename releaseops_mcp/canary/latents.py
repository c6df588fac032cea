"""What nobody chose: load, noise, incidents and warm-up, minute by minute, drawn once when a rollout begins.

All series are rounded to nine significant digits: exp and log differ in the last bit between processors, and what is
sampled from these series must not.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.metrics import ARMS, STABLE
from releaseops_mcp.canary.world import Carrier, World

Array = NDArray[np.float64]

HISTORY = 30
"""Minutes of the stable arm's past that a dashboard still shows."""
SLACK = 30
"""Minutes beyond the deadline for which the world goes on: calls that cost time may run over it."""
LOAD_PHI = 0.9
OWN_PHI = 0.9
CARRIERS: tuple[Carrier, ...] = ("errors", "body", "tail", "conversion", "segment", "downstream")
SHARE_OF_NOISE = (1.0, 0.25, 0.6, 0.15, 1.0, 1.0)
"""How strongly noise moves each carrier, relative to errors: latency and sales are steadier than errors."""
WARM_UP_OF = (1.0, 0.35, 0.6, 0.0, 1.0, 0.3)
"""How strongly a cold instance shows in each carrier, relative to errors."""
STABLE_OWN = 1.0 / 3.0
"""The stable arm's own noise, relative to a fresh arm's: it runs on more instances."""
DAY_MINUTES = 24 * 60
BURST_MINUTES = 4


@dataclass(frozen=True, slots=True)
class Latents:
    """Series over the minutes -HISTORY .. deadline + SLACK - 1."""

    load: Array
    """(minutes,) requests a minute of the whole service."""
    shared: Array
    """(minutes, carriers) factor that acts on every arm."""
    own: Array
    """(minutes, arms, carriers) factor of each arm alone, warm-up included."""


def latents_of(world: World, rng: np.random.Generator) -> Latents:
    """Draw the latent series of a world."""
    count = HISTORY + world.deadline + SLACK
    minutes = np.arange(-HISTORY, count - HISTORY, dtype=np.float64)
    shared_series, own_series, load_series = _noise(world, rng, count)
    shared = np.exp(shared_series * SHARE_OF_NOISE) * _incidents(world, minutes)
    own = np.exp(own_series * SHARE_OF_NOISE)
    own[:, :STABLE] *= _warm_up(world, minutes)[:, None, :]
    load = _load(world, rng, minutes) * np.exp(load_series)
    return Latents(_settled(load), _settled(shared), _settled(own))


def _noise(world: World, rng: np.random.Generator, count: int) -> tuple[Array, Array, Array]:
    """Return AR(1) series: shared (minutes, carriers), own (minutes, arms, carriers), load (minutes,)."""
    noise, kinds, arms = world.noise, len(CARRIERS), len(ARMS)
    own_sd = np.repeat(noise.own * np.array([1.0, 1.0, STABLE_OWN]), kinds)
    spread = np.concatenate([np.full(kinds, noise.shared), own_sd, [world.load.noise]])
    phi = np.concatenate([np.full(kinds, noise.shared_phi), np.full(arms * kinds, OWN_PHI), [LOAD_PHI]])
    series = rng.standard_normal((count, spread.size))
    series[1:] *= np.sqrt(1.0 - phi**2)
    for minute in range(1, count):
        series[minute] += phi * series[minute - 1]
    series *= spread
    shared, own = series[:, :kinds], series[:, kinds:-1].reshape(count, arms, kinds)
    return shared, own, series[:, -1]


def _load(world: World, rng: np.random.Generator, minutes: Array) -> Array:
    load = world.load
    angle = 2.0 * math.pi * (load.phase + minutes / DAY_MINUTES)
    season = 1.0 + load.daily * np.cos(angle) + load.half_daily * np.cos(2.0 * angle)
    starts = rng.random(minutes.size) < load.bursts_per_hour / 60.0
    bursting = np.convolve(starts, np.ones(BURST_MINUTES))[: minutes.size] > 0
    return load.rpm * load.weekday * np.maximum(season, 0.05) * np.where(bursting, load.burst_factor, 1.0)


def _incidents(world: World, minutes: Array) -> Array:
    """Return (minutes, carriers): the product of all incidents' factors."""
    factors = np.ones((minutes.size, len(CARRIERS)))
    for incident in world.incidents:
        since = minutes - incident.start
        if incident.settles:
            rise = ((since >= 0) & (since < incident.minutes)).astype(np.float64)
        else:
            rise = np.clip(since / incident.minutes, 0.0, 1.0)
        factors[:, CARRIERS.index(incident.on)] *= incident.factor**rise
    return factors


def _warm_up(world: World, minutes: Array) -> Array:
    """Return (minutes, carriers): the factor by which an instance started at minute 0 is still cold."""
    cold = world.noise.warm_up * np.exp(-np.maximum(minutes, 0.0) / world.noise.warm_up_minutes)
    return 1.0 + cold[:, None] * np.array(WARM_UP_OF)


def _settled(series: Array) -> Array:
    """Round to nine significant digits."""
    scale = 10.0 ** (8 - np.floor(np.log10(series)))
    return np.round(series * scale) / scale
