"""Every constant of the telemetry, by task and by the name of a field of the task's telemetry class.

Rates are fractions of requests, `_ms` is milliseconds, `_traffic` is a share of traffic in [0, 1]. `per_traffic` is the
rise for a whole unit of traffic, `per_step` for one decision. Source: the published variant of the original canary
manager, with the shifts that its seeds apply.
"""

from collections.abc import Mapping
from types import MappingProxyType

from releaseops_mcp.episodes.classic_canary.selection import Pick, Rule, drift, pick


def _hard(first: float, second: float, third: float) -> Pick:
    """Return the hard task's profile value: its published variant is the second column."""
    return Pick((first, second, third), 47, second)


def _recovery(first: float, second: float, third: float, *, at_zero: float) -> Pick:
    return Pick((first, second, third), 61, at_zero)


def _silent(first: float, second: float, third: float, fourth: float, *, at_zero: float) -> Pick:
    return Pick((first, second, third, fourth), 79, at_zero)


def _by_kind(mixed: float, plain: float) -> Pick:
    """Return the silent task's value by kind: errors rise with the latency (mixed), or hardly at all (plain)."""
    return _silent(mixed, plain, mixed, mixed, at_zero=plain)


_EASY: dict[str, Rule] = {
    "base_error": drift(0.001, -0.00008, 0.00008, salt=1),
    "error_per_traffic": drift(0.12, -0.01, 0.01, salt=2),
    "base_p99_ms": drift(140.0, -3.0, 4.0, salt=3),
    "p99_ms_per_traffic": drift(800.0, -60.0, 60.0, salt=4),
    "onset_traffic": pick(0.10, 0.15, 0.20, salt=5),
}

_MEDIUM: dict[str, Rule] = {
    "base_error": drift(0.001, -0.00008, 0.00008, salt=11),
    "error_per_traffic": drift(0.06, -0.005, 0.005, salt=12),
    "base_p99_ms": drift(138.0, -2.0, 2.0, salt=13),
    "p99_ms_per_traffic": drift(300.0, -25.0, 25.0, salt=14),
    "onset_traffic": pick(0.25, 0.20, 0.30, salt=15),
}

_HARD: dict[str, Rule] = {
    "noise_step": _hard(2, 3, 4),
    "warning_traffic": _hard(0.20, 0.30, 0.40),
    "breach_traffic": _hard(0.30, 0.35, 0.45),
    "severe_traffic": _hard(0.35, 0.40, 0.50),
    "stable_p99_ms": drift(144.0, -2.0, 2.0, salt=21),
    "noise_p99_ms": drift(42.0, -4.0, 4.0, salt=22),
    "warning_error": drift(0.0026, -0.0002, 0.0002, salt=23),
    "warning_error_per_step": drift(0.0025, -0.0003, 0.0003, salt=24),
    "warning_p99_ms": drift(168.0, -4.0, 4.0, salt=25),
    "warning_p99_ms_per_step": drift(30.0, -4.0, 4.0, salt=26),
    "breach_error": drift(0.0046, -0.0002, 0.0002, salt=27),
    "breach_error_per_traffic": drift(0.020, -0.004, 0.004, salt=28),
    "breach_error_per_step": drift(0.0020, -0.0003, 0.0003, salt=29),
    "breach_p99_ms": drift(188.0, -4.0, 4.0, salt=30),
    "breach_p99_ms_per_traffic": drift(260.0, -30.0, 30.0, salt=31),
    "breach_p99_ms_per_step": drift(16.0, -2.0, 2.0, salt=32),
    "severe_error": drift(0.0072, -0.0003, 0.0003, salt=33),
    "severe_error_per_traffic": drift(0.060, -0.008, 0.008, salt=34),
    "severe_error_per_step": drift(0.0015, -0.0002, 0.0002, salt=35),
    "severe_p99_ms": drift(214.0, -6.0, 6.0, salt=36),
    "severe_p99_ms_per_traffic": drift(340.0, -40.0, 40.0, salt=37),
    "severe_p99_ms_per_step": drift(12.0, -2.0, 2.0, salt=38),
}

_EXPERT: dict[str, Rule] = {
    "phantom_step": Pick((1, 2, 3), 51, 2),
    "breach_traffic": Pick((0.30, 0.35, 0.40), 52, 0.35),
    "phantom_alerts": Pick((3, 4, 5), 53, 4),
    "idle_error": drift(0.0018, -0.0002, 0.0002, salt=41),
    "idle_p99_ms": drift(146.0, -3.0, 3.0, salt=42),
    "stable_p99_ms": drift(140.0, -1.0, 1.0, salt=43),
    "error_per_traffic": drift(0.032, -0.004, 0.004, salt=45),
    "p99_ms_per_traffic": drift(560.0, -60.0, 60.0, salt=46),
}

_RECOVERY: dict[str, Rule] = {
    "start_step": _recovery(2, 3, 4, at_zero=3),
    "window_traffic": _recovery(0.20, 0.30, 0.40, at_zero=0.30),
    "window_steps": _recovery(1, 2, 1, at_zero=1),
    "stable_p99_ms": drift(143.0, -2.0, 2.0, salt=71),
    "transient_error": drift(0.0027, -0.0002, 0.0002, salt=72),
    "transient_p99_ms": drift(176.0, -6.0, 6.0, salt=73),
    "recovered_error": drift(0.0012, -0.0001, 0.0001, salt=74),
    "recovered_gap_ms": pick(6.0, 8.0, 10.0, salt=75),
}

_SILENT: dict[str, Rule] = {
    "breach_traffic": _silent(0.40, 0.45, 0.50, 0.40, at_zero=0.40),
    "severe_traffic": _silent(0.50, 0.55, 0.60, 0.50, at_zero=0.50),
    "lag_steps": _silent(1, 1, 2, 2, at_zero=1),
    "stable_p99_ms": drift(145.0, -2.0, 2.0, salt=81),
    "warning_gap_ms": drift(24.0, -4.0, 4.0, salt=82),
    "warning_gap_ms_per_step": drift(8.0, -2.0, 2.0, salt=83),
    "warning_error": drift(_by_kind(0.0026, 0.0018), -0.0002, 0.0002, salt=84),
    "warning_error_per_step": _by_kind(0.0004, 0.00015),
    "breach_gap_ms": drift(58.0, -6.0, 6.0, salt=85),
    "breach_gap_ms_per_traffic": drift(36.0, -6.0, 6.0, salt=86),
    "breach_gap_ms_per_step": drift(10.0, -2.0, 2.0, salt=87),
    "breach_error": drift(_by_kind(0.0046, 0.0030), -0.0002, 0.0002, salt=88),
    "breach_error_per_traffic": _by_kind(0.020, 0.006),
    "breach_error_per_step": _by_kind(0.0004, 0.00015),
    "severe_gap_ms": drift(88.0, -8.0, 8.0, salt=89),
    "severe_gap_ms_per_traffic": drift(48.0, -8.0, 8.0, salt=90),
    "severe_gap_ms_per_step": drift(12.0, -2.0, 2.0, salt=91),
    "severe_error": drift(_by_kind(0.0068, 0.0040), -0.0003, 0.0003, salt=92),
    "severe_error_per_traffic": _by_kind(0.030, 0.010),
    "severe_error_per_step": _by_kind(0.0005, 0.0002),
}

TABLES: Mapping[str, Mapping[str, Rule]] = MappingProxyType(
    {
        "easy": _EASY,
        "medium": _MEDIUM,
        "hard": _HARD,
        "expert": _EXPERT,
        "recovery": _RECOVERY,
        "silent": _SILENT,
    }
)


def constants_of(task: str, seed: int) -> dict[str, float]:
    """Return the constants of one world: the whole table of `task`, after the selection by `seed`."""
    return {name: rule.value(seed) for name, rule in TABLES[task].items()}
