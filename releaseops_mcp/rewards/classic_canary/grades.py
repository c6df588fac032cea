"""The grading table: for each state kind and action a label and the weights of three components.

Components: breach detection (at most 0.35), rollback timing (0.25), promotion safety (0.30); the fourth, reasoning
(0.10), depends on the stated label and flag alone and is added by the grader. Raise the scorer's version with any
change here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Weights:
    """One row: what an action in a state is called, and what it earns."""

    label: str
    breach_detection: float
    rollback_timing: float | None
    """None where it depends on how far past the benchmark the rollback came: `rollback_timing`."""
    promotion_safety: float
    repeated_promotion_safety: float | None = None
    """Replaces `promotion_safety` where the rollout was already on hold."""


_RISKY_WARNING = Weights("risky_warning_promotion", 0.08, 0.06, 0.03)
_RISKY_RECOVERY = Weights("risky_recovery_promotion", 0.10, 0.08, 0.04)
_RISKY_SILENT = Weights("risky_silent_promotion", 0.08, 0.06, 0.03)
_RISKY_NOISE = Weights("risky_noise_increase", 0.10, 0.08, 0.04)
_PHANTOM_IGNORED = Weights("correct_phantom_ignore", 0.35, 0.25, 0.22)
_DANGEROUS = Weights("dangerous_breach_promotion", 0.0, 0.0, 0.0)

GRADES: Mapping[str, Mapping[str, Weights]] = MappingProxyType(
    {
        "healthy": {
            "increase_5": Weights("healthy_cautious_promotion", 0.33, 0.23, 0.18),
            "increase_10": Weights("healthy_standard_promotion", 0.35, 0.25, 0.27),
            "increase_25": Weights("healthy_aggressive_promotion", 0.23, 0.15, 0.08),
            "hold": Weights("healthy_hold", 0.18, 0.14, 0.05, repeated_promotion_safety=0.01),
            "rollback": Weights("premature_rollback", 0.05, 0.0, 0.0),
        },
        "trend_warning": {
            "increase_5": Weights("correct_warning_probe", 0.30, 0.22, 0.15),
            "increase_10": Weights("risky_warning_promotion", 0.14, 0.10, 0.05),
            "increase_25": Weights("reckless_warning_promotion", 0.04, 0.02, 0.01),
            "hold": Weights("watchful_warning_hold", 0.27, 0.18, 0.12),
            "rollback": Weights("premature_warning_rollback", 0.12, 0.08, 0.04),
        },
        "post_noise_watch": {
            "increase_5": Weights("cautious_warning_probe", 0.24, 0.16, 0.10),
            "increase_10": _RISKY_WARNING,
            "increase_25": _RISKY_WARNING,
            "hold": Weights("correct_warning_hold", 0.32, 0.24, 0.17),
            "rollback": Weights("premature_warning_rollback", 0.15, 0.10, 0.05),
        },
        "transient_recovery_window": {
            "increase_5": Weights("cautious_recovery_probe", 0.26, 0.18, 0.11),
            "increase_10": _RISKY_RECOVERY,
            "increase_25": _RISKY_RECOVERY,
            "hold": Weights("correct_recovery_hold", 0.32, 0.24, 0.18),
            "rollback": Weights("premature_recovery_rollback", 0.08, 0.02, 0.02),
        },
        "silent_differential_watch": {
            "increase_5": Weights("cautious_silent_probe", 0.24, 0.16, 0.10),
            "increase_10": _RISKY_SILENT,
            "increase_25": _RISKY_SILENT,
            "hold": Weights("correct_silent_hold", 0.32, 0.24, 0.18),
            "rollback": Weights("premature_silent_rollback", 0.13, 0.08, 0.04),
        },
        "shared_noise": {
            "increase_5": Weights("risky_noise_probe", 0.16, 0.12, 0.08),
            "increase_10": _RISKY_NOISE,
            "increase_25": _RISKY_NOISE,
            "hold": Weights("correct_noise_hold", 0.35, 0.25, 0.20),
            "rollback": Weights("false_positive_noise_rollback", 0.05, 0.02, 0.02),
        },
        "phantom_alert": {
            "increase_5": _PHANTOM_IGNORED,
            "increase_10": _PHANTOM_IGNORED,
            "increase_25": _PHANTOM_IGNORED,
            "hold": _PHANTOM_IGNORED,
            "rollback": Weights("false_positive_phantom_rollback", 0.04, 0.02, 0.02),
        },
        "breach": {
            "increase_5": Weights("dangerous_breach_promotion", 0.04, 0.0, 0.0),
            "increase_10": _DANGEROUS,
            "increase_25": _DANGEROUS,
            "hold": Weights("late_hold_during_breach", 0.18, 0.08, 0.04),
            "rollback": Weights("correct_rollback", 0.35, None, 0.30),
        },
    }
)
"""State kind, then action."""

BENCHMARKS: Mapping[str, float | None] = MappingProxyType(
    {"easy": 0.15, "medium": 0.35, "hard": 0.30, "expert": 0.35, "recovery": None, "silent": 0.40}
)
"""Traffic at which a task's rollback is due; it does not move with the seed. None: nothing to roll back."""

TIMING = ((0.0, 0.25), (0.05, 0.22), (0.10, 0.18), (0.20, 0.10))
"""Traffic past the benchmark, at most, to the timing weight of a correct rollback; further past it earns `LATE`."""
LATE = 0.04

REASONING_LABEL = 0.07
REASONING_FLAG = 0.03
SCORE_RANGE = (0.0001, 0.9999)


def rollback_timing(task: str, traffic: float) -> float:
    """Return the timing weight of a correct rollback at `traffic` (unrounded; the edges are exact in doubles)."""
    benchmark = BENCHMARKS[task]
    if benchmark is None:
        return 0.0
    past = max(0.0, traffic - benchmark)
    return next((weight for edge, weight in TIMING if past <= edge), LATE)
