"""How strong a regression is at a minute, under a load: pure, shared by the simulator and by the reward.

Strength g is in [0, 1]; a carrier's risk ratio R then acts as R ** g.
"""

import numpy as np
from numpy.typing import NDArray

from releaseops_mcp.canary.world import Regression

Series = NDArray[np.float64]

DUTY = 0.35
"""Share of its period in which a periodic regression is active."""
SEVERE = 3.0
"""Risk ratio above 1 that counts as full severity: s = min(1, (RR - 1) / 3)."""


def strength(regression: Regression, minutes: Series, canary_load: Series) -> Series:
    """Return g for each minute, given the canary's traffic as a factor of the service's usual load."""
    return _SHAPES[regression.shape](regression, minutes, canary_load)


def severity(risk_ratio: float) -> float:
    """Return how bad a risk ratio is, in [0, 1]."""
    return min(1.0, max(0.0, (risk_ratio - 1.0) / SEVERE))


def _none(_: Regression, minutes: Series, __: Series) -> Series:
    return np.zeros_like(minutes)


def _step(regression: Regression, minutes: Series, _: Series) -> Series:
    return (minutes >= regression.onset).astype(np.float64)


def _ramp(regression: Regression, minutes: Series, _: Series) -> Series:
    return np.clip((minutes - regression.onset) / regression.minutes, 0.0, 1.0)


def _cliff(regression: Regression, _: Series, canary_load: Series) -> Series:
    return (canary_load > regression.headroom).astype(np.float64)


def _periodic(regression: Regression, minutes: Series, _: Series) -> Series:
    phase = np.mod(minutes - regression.onset, regression.minutes) / regression.minutes
    return ((minutes >= regression.onset) & (phase < DUTY)).astype(np.float64)


def _transient(regression: Regression, minutes: Series, _: Series) -> Series:
    """Full at first, gone after `minutes`: a cold cache that fills."""
    return np.clip(1.5 * (1.0 - minutes / regression.minutes), 0.0, 1.0)


def _relapse(regression: Regression, minutes: Series, _: Series) -> Series:
    """Full for a while, a lull, a second bout, a second lull; a bad one then comes back to stay."""
    phase = np.floor(minutes / regression.minutes)
    bouts = (phase == 0) | (phase == 2)
    stays = (phase >= 4) & regression.bad
    return (bouts | stays).astype(np.float64)


_SHAPES = {
    "none": _none,
    "step": _step,
    "ramp": _ramp,
    "leak": _ramp,
    "cliff": _cliff,
    "periodic": _periodic,
    "transient": _transient,
    "relapse": _relapse,
}
