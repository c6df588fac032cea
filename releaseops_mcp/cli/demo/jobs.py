"""What the demo plays: every scripted supervisor of every suite on a few fixed scenarios."""

from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import is_open, suites

SCENARIOS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "classic-gate": (
            "classic-gate/green_ci_disabled_payment_test/low/seed-5",
            "classic-gate/green_ci_disabled_payment_test/low/seed-3",
            "classic-gate/qa_undercalls_p1_checkout_bug/low/seed-5",
            "classic-gate/release_manager_ship_before_evidence/low/seed-6",
            "classic-gate/careful_qa_safe/low/seed-7",
        ),
        "canary": (
            "canary/f03-sharedincident/seed-1",
            "canary/f07-leak/seed-1",
            "canary/f07-leak-twin/seed-1",
            "canary/f12-segment/seed-1",
        ),
        "gate": (
            "gate/cedarline/k01-skipped-test/level-1/seed-20",
            "gate/cedarline/k01-skipped-test-twin/level-1/seed-20",
            "gate/looplatch/k13-other-commit/level-2/seed-1",
            "gate/looplatch/k30-open-blocker/level-3/seed-1",
        ),
    }
)
"""Worlds chosen by hand: time to repair and none, a trap for each rule, a sound release; rollouts of both truths;
twins, a run of another commit and a blocker that is open."""
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


def closed_of(jobs: Iterable[Job]) -> list[str]:
    """Return the distinct scenarios whose ids no agent may name: they are played by tickets."""
    return list(dict.fromkeys(job.scenario for job in jobs if not is_open(job.scenario.partition("/")[0])))


def scenarios_of(suite: Suite) -> tuple[str, ...]:
    """Return the scenarios of one suite that the demo plays."""
    return SCENARIOS.get(suite.name) or tuple(islice(suite.grid(range(1)), USUAL_COUNT))
