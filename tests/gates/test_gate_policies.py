"""The arithmetic of the table: ratios, pairs and regrets of rows that are written down here."""

import pytest

from releaseops_mcp.world.scenario import ScenarioName
from tests.gates.gate_policies import Row, both_right, degenerate, mixed, streamed


def rows(reference: float, two: float, simple: float) -> list[Row]:
    """Return a pair of twins at every level, on which all simple policies return the same."""
    found: list[Row] = []
    for level in (1, 2, 3, 4, 5):
        for twin in (False, True):
            returns = dict.fromkeys(degenerate(), simple) | {"reference": reference, "two-artefacts": two}
            right = dict.fromkeys(degenerate(), twin) | {"reference": True, "two-artefacts": twin or level > 2}
            name = ScenarioName("cedarline", "k01-skipped-test", twin, level, 1)
            found.append(Row(name, "A", 1.0, 0.9, returns, right))
    return found


def test_a_table_as_it_should_be_passes() -> None:
    assert all(gate.ok for gate in (*mixed(rows(0.85, 0.5, -0.3)), *streamed(rows(0.9, 0.7, 0.6))))


@pytest.mark.parametrize(
    ("reference", "two", "simple", "failing"),
    [
        (0.70, 0.5, -0.3, "gate: reference / gold"),
        (0.85, 0.8, -0.3, "gate: two artefacts a proposal, ratio"),
        (0.85, 0.5, 0.5, "gate: best degenerate policy, ratio"),
        (0.85, 0.5, -0.9, "gate: best degenerate policy, raw"),
        (1.05, 0.5, -0.3, "gate: most that a policy exceeds the clairvoyant"),
    ],
)
def test_what_misses_its_bound_fails(reference: float, two: float, simple: float, failing: str) -> None:
    assert failing in [gate.name for gate in mixed(rows(reference, two, simple)) if not gate.ok]


def test_a_pair_counts_where_both_sides_are_right() -> None:
    assert both_right(rows(0.9, 0.5, 0.0), "reference") == 1.0
    assert both_right(rows(0.9, 0.5, 0.0), "two-artefacts") == 0.6
    assert both_right(rows(0.9, 0.5, 0.0), degenerate()[0]) == 0.0
