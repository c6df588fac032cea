"""What the demo plays: every scripted supervisor of every suite on a few fixed scenarios."""

from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites

SCENARIOS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "classic-gate": (
            "classic-gate/green_ci_disabled_payment_test/low/seed-5",
            "classic-gate/green_ci_disabled_payment_test/low/seed-3",
            "classic-gate/qa_undercalls_p1_checkout_bug/low/seed-5",
            "classic-gate/release_manager_ship_before_evidence/low/seed-6",
            "classic-gate/careful_qa_safe/low/seed-7",
        ),
    }
)
"""Worlds chosen by hand: time to repair and none, a trap for each rule, and a sound release."""
USUAL_COUNT = 6
"""Of a suite without a choice: the first scenarios of its grid."""


class Job(NamedTuple):
    """One episode to play."""

    supervisor: Supervisor
    scenario: str


def plan() -> list[Job]:
    """Return the demo's episodes, suite by suite."""
    return [
        Job(supervisor, scenario)
        for suite in suites().values()
        for supervisor in supervisors_for(suite.name)
        for scenario in scenarios_of(suite)
    ]


def scenarios_of(suite: Suite) -> tuple[str, ...]:
    """Return the scenarios of one suite that the demo plays."""
    return SCENARIOS.get(suite.name) or tuple(islice(suite.grid(range(1)), USUAL_COUNT))
