"""What a measurement is, and the two ways of taking one."""

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure and what it must be."""

    name: str
    value: float
    unit: str
    target: float
    at_least: bool = False
    """Whether the target is a floor instead of a ceiling."""
    note: str = ""
    """What the figure comes from, or why there is none."""

    @property
    def measured(self) -> bool:
        """Whether there is a value: NaN stands for none."""
        return not math.isnan(self.value)

    @property
    def ok(self) -> bool:
        """Whether no target is missed."""
        if not self.measured:
            return True
        return self.value >= self.target if self.at_least else self.value <= self.target


def cpu_ms(call: Callable[[], object]) -> float:
    """Return the CPU time of this process for one call, in milliseconds."""
    began = time.process_time_ns()
    call()
    return (time.process_time_ns() - began) / 1e6


def median_cpu_ms(calls: Callable[[int], object], times: int) -> float:
    """Return the median CPU milliseconds of `calls(0)`, `calls(1)`, and so on."""
    return statistics.median(cpu_ms(lambda index=index: calls(index)) for index in range(times))


def median_rate(batch: Callable[[], int], rounds: int = 7) -> float:
    """Return the median of how many units a second `batch` gets done; it returns how many it did."""
    rates: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        done = batch()
        rates.append(done / (time.perf_counter() - began))
    return statistics.median(rates)
