"""What a rollout may be: thousands of worlds drawn from the families themselves, laid out as arrays.

Drawn once for each interval by the very code that draws scenarios, from streams that no scenario uses. The interval
says which ranges to draw from: no two splits have one in common.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.alerts import STORM_MINUTES, STORM_THICKNESS
from releaseops_mcp.canary.drawing import Draw, common
from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.latents import CARRIERS, SLACK
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.canary.ranges import ranges_at
from releaseops_mcp.canary.regressions import strength
from releaseops_mcp.canary.scenarios import family_names, world_from
from releaseops_mcp.canary.world import Carrier, World

Array = NDArray[np.float64]

PER_FAMILY = 120
"""Worlds drawn of each family and of each twin."""
STREAM = 715_517
"""Sets the reference's random numbers apart from those of every scenario."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """Worlds as arrays of (worlds, ...), durations in minutes; series are (minutes, worlds) from minute 0 on."""

    family: NDArray[np.int64]
    """Index into `family_names()`."""
    bad: NDArray[np.bool_]
    change: Array
    """(worlds, carriers) log risk ratio of the change at full strength."""
    outside: Array
    """(worlds, carriers) log factor of what hits all arms at full strength."""
    strength: Array
    """(minutes + 1, worlds) g of the change, summed up to a minute; 0 for a cliff, which depends on the traffic."""
    rise: Array
    """(minutes + 1, worlds) strength of what hits all arms, summed up to a minute."""
    cold: Array
    """(minutes + 1, worlds) how much of a warm-up is left in fresh arms, summed up to a minute."""
    cliff: NDArray[np.bool_]
    crowding: Array
    """(worlds, 2) share of the service's traffic at which the canary's, or the baseline's, instances are full."""
    own: Array
    """Standard deviation of a fresh arm's own noise."""
    shared: Array
    """Standard deviation of the noise that all arms share."""
    memory: NDArray[np.int64]
    """0: memory stays; 1: it grows; 2: it grows and levels off."""
    memory_minutes: Array
    storm: Array
    """(minutes, worlds) expected alerts that fire for other services."""
    mislabelled: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    """(questions, minutes, worlds) what the person on call would rightly say."""
    latency: Array
    """(worlds, 3): spread, slow share, slow factor."""
    load: Array
    """Requests a minute of the whole service when the rollout begins."""
    usual_interval: Array
    """How much more probable this interval is in the world's family than in most."""

    def __len__(self) -> int:
        return len(self.family)

    def mean(self, sums: Array, start: int, end: int, rows: NDArray[np.int64]) -> Array:
        """Return (rows,) the mean over start .. end - 1 of a series that is held as sums, within its length."""
        end = min(end, len(sums) - 1)
        start = min(start, end - 1)
        mean: Array = (sums[end, rows] - sums[start, rows]) / (end - start)
        return mean


@cache
def hypotheses(interval: int) -> Hypotheses:
    """Return the worlds of all families whose decisions lie this many minutes apart."""
    names = family_names()
    planned = [each for number in range(len(names)) for each in _worlds(number, interval)]
    worlds = [world for world, _ in planned]
    loads = np.array([_load_factor(world) for world in worlds])
    minutes = np.arange(worlds[0].deadline + SLACK, dtype=np.float64)
    return Hypotheses(
        family=np.repeat(np.arange(len(names)), PER_FAMILY),
        bad=np.array([world.regression.bad for world in worlds]),
        change=np.array([_logs(world.regression.effects) for world in worlds]),
        outside=np.array([_logs({one.on: one.factor for one in world.incidents}) for world in worlds]),
        strength=_sums([_strength(world, minutes) for world in worlds]),
        rise=_sums([_rise(world, minutes) for world in worlds]),
        cold=_sums([_cold(world, minutes) for world in worlds]),
        cliff=np.array([world.regression.shape == "cliff" for world in worlds]),
        crowding=np.array([(one.regression.headroom, one.service.headroom) for one in worlds]) / loads[:, None],
        own=np.array([world.noise.own for world in worlds]),
        shared=np.array([world.noise.shared for world in worlds]),
        memory=np.array([_memory(world) for world in worlds]),
        memory_minutes=np.array([world.regression.memory_minutes for world in worlds]),
        storm=np.stack([_storm(world, minutes) for world in worlds], axis=1),
        mislabelled=np.array([bool(world.faults.mislabelled) for world in worlds]),
        answers=np.stack([_answers(world, len(minutes)) for world in worlds], axis=2),
        latency=np.array(
            [(one.service.latency_spread, one.service.slow_share, one.service.slow_factor) for one in worlds]
        ),
        load=loads * np.array([world.load.rpm for world in worlds]),
        usual_interval=np.array([odds for _, odds in planned]),
    )


def _worlds(number: int, interval: int) -> list[tuple[World, float]]:
    """Return a family's worlds, each with the odds of this interval against those of a family that takes any."""
    name = family_names()[number]
    family = families_by_id()[name.removesuffix(TWIN)]
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([STREAM, interval, number])))
    ranges = ranges_at(interval)
    found: list[tuple[World, float]] = []
    for _ in range(PER_FAMILY):
        draw = Draw(rng, ranges)
        drawn = replace(common(draw), interval=interval)
        plan = family.plant(draw, drawn, name.endswith(TWIN))
        odds = 1.0 if plan.interval is None else len(ranges.intervals) * float(plan.interval == interval)
        found.append((replace(world_from(name, 0, drawn, plan), interval=interval), odds))
    return found


def _logs(ratios: Mapping[Carrier, float]) -> Array:
    return np.array([math.log(ratios.get(carrier, 1.0)) for carrier in CARRIERS])


def _sums(series: list[Array]) -> Array:
    """Return (minutes + 1, worlds) sums of the minutes before each."""
    return np.concatenate([np.zeros((1, len(series))), np.cumsum(np.stack(series, axis=1), axis=0)])


def _strength(world: World, minutes: Array) -> Array:
    return strength(world.regression, minutes, np.zeros_like(minutes))


def _rise(world: World, minutes: Array) -> Array:
    """Return how strong the incidents are; those of a family begin together on all that they hit."""
    carriers = {one.on for one in world.incidents}
    alone = [one for one in world.incidents if one.on == world.incidents[0].on]
    assert len(alone) * len(carriers) == len(world.incidents), f"{world.family}: incidents of unlike shapes"
    rise = np.zeros_like(minutes)
    for one in alone:
        since = minutes - one.start
        within = (since >= 0) & (since < one.minutes)
        rise += within if one.settles else np.clip(since / one.minutes, 0.0, 1.0)
    return np.minimum(rise, 1.0)


def _cold(world: World, minutes: Array) -> Array:
    return world.noise.warm_up * np.exp(-minutes / world.noise.warm_up_minutes)


def _load_factor(world: World) -> float:
    """Return the traffic at minute 0 as a factor of the usual one."""
    angle, load = 2.0 * math.pi * world.load.phase, world.load
    return load.weekday * max(1.0 + load.daily * math.cos(angle) + load.half_daily * math.cos(2.0 * angle), 0.05)


def _memory(world: World) -> int:
    return 0 if world.regression.memory == 0.0 else 1 + world.regression.memory_settles


def _storm(world: World, minutes: Array) -> Array:
    """Return the expected number of unrelated alerts that fire at a minute."""
    rate = np.full(minutes.size, world.faults.storm_per_hour / 60.0)
    if world.faults.storm is not None:
        start, end = world.faults.storm
        rate[start:end] *= STORM_THICKNESS
    return np.convolve(rate, np.ones(STORM_MINUTES))[: minutes.size]


def _answers(world: World, minutes: int) -> NDArray[np.bool_]:
    return np.array([[one.truth(world, minute) for minute in range(minutes)] for one in QUESTIONS.values()])
