"""The toy suite with measures and two supervisors: what a suite with pairs, kinds and confidences looks like."""

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import supervisors
from releaseops_mcp.evaluation.measures import Measures
from releaseops_mcp.evaluation.measures.registry import suite_measures
from tests import toys

MEASURES = Measures(
    suite="toy",
    reference="reader",
    success_rule="the verdict was right",
    passes=lambda ending: ending.reward > 0,
    approves=lambda call: call.arguments.get("verdict") == "ship",
    accuses=lambda call: call.arguments.get("verdict") == "block",
    falsely=lambda call: call.detail["answer"] == "ship",
    subjects=lambda call: frozenset({"the diff"}),
    kind=lambda scenario: scenario.split("/")[1].removesuffix("-twin"),
    clairvoyant=lambda scenario: 1.0,
)


def reader(brief: Brief) -> Play:
    """Reads, then ships what is new."""
    yield Action("read_diff", {})
    yield Action("decide", {"verdict": "block" if brief.seed % 2 else "ship", "confidence": 0.75})


def shipper(brief: Brief) -> Play:
    """Ships whatever it is."""
    yield Action("decide", {"verdict": "ship", "confidence": 1})


READER = Supervisor("reader", "toy", reader, False, "Reads.")
SHIPPER = Supervisor("shipper", "toy", shipper, True, "Ships.")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toy suite with its measures and its supervisors."""
    toys.install(monkeypatch)
    monkeypatch.setitem(suite_measures(), "toy", MEASURES)
    for supervisor in (READER, SHIPPER):
        monkeypatch.setitem(supervisors(), (supervisor.name, "toy"), supervisor)
