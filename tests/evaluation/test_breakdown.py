"""The gate's agents by kind, rule family, archetype and organisation: in the figures and in the page."""

from pathlib import Path

import pytest

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.arena import Arena
from releaseops_mcp.evaluation.breakdown import Breakdown, Line
from releaseops_mcp.evaluation.exported import read_entries
from releaseops_mcp.evaluation.facts import Facts
from releaseops_mcp.evaluation.report import page, source_of
from releaseops_mcp.evaluation.report.sections import breakdowns
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.evaluation.slices import Slice
from releaseops_mcp.evaluation.summary import summarise
from releaseops_mcp.evaluation.tables import Tables
from releaseops_mcp.log.export import write_export
from releaseops_mcp.world.kinds.registry import kinds
from tests.evaluation.entries import entry

AGENTS = ("two-artefacts", "approve-all")
NAMED = (("cedarline", "k01-skipped-test"), ("nordvox", "k20-strange-package"), ("nordvox", "k29-freeze"))
SCENARIOS = [f"gate/{org}/{kind}{end}/level-3/seed-1" for org, kind in NAMED for end in ("", "-twin")]
SORTS = ("kind", "rule family", "archetype", "organisation")


@pytest.fixture
def export(sqlite_arena: Arena, tmp_path: Path) -> Path:
    """An export of a supervisor that judges and one that does not."""
    run(sqlite_arena, [find_supervisor(name, "gate") for name in AGENTS], SCENARIOS)
    write_export(sqlite_arena.store, tmp_path / "gate.jsonl", with_truth=True)
    return tmp_path / "gate.jsonl"


def test_an_episode_counts_for_what_its_world_is_named_after_and_a_decision_for_its_proposal(export: Path) -> None:
    for each in read_entries(export):
        played, slices = each.played, each.facts.slices
        _, org, kind, _, _ = played.scenario.removesuffix("-twin").replace("-twin/", "/").split("/")
        whole = {(one.by, one.name) for one in slices if one.whole}
        assert whole == {("kind", kind), ("rule family", kinds()[kind].family), ("organisation", org)}
        for by in ("organisation", "archetype"):
            of_sort = [one for one in slices if one.by == by]
            assert sum(one.decisions for one in of_sort) == played.metrics["decisions"] > 0
            assert sum(one.right for one in of_sort) == played.metrics["right_decisions"]
        assert {one.name for one in slices if one.by == "archetype"} <= set(played.metrics["archetypes"])


def test_the_figures_have_every_agent_in_every_group_with_intervals(export: Path) -> None:
    summary = source_of(export).summaries[0]
    found = {(line.by, line.name, line.agent): line for line in summary.breakdown}

    assert {line.by for line in summary.breakdown} == set(SORTS)
    for agent in AGENTS:
        org = found["organisation", "nordvox", agent]
        assert (org.scored, found["rule family", "freeze", agent].scored) == (4, 2)
        assert org.ci95 is not None
        assert org.mean is not None
        assert org.ci95[0] <= org.mean <= org.ci95[1]
        overall = next(row for row in summary.rows if row.agent == agent and row.family == "all")
        lines = [found["organisation", name, agent] for name in ("cedarline", "nordvox")]
        assert sum((line.mean or 0) * line.scored for line in lines) / 6 == pytest.approx(overall.mean)
        assert found["organisation", "nordvox", agent].degenerate is (agent == "approve-all")


def test_the_page_shows_the_agents_by_every_sort_of_group(export: Path) -> None:
    text = page([source_of(export)])

    for by in SORTS:
        assert f"<h3>Agents by {by}</h3>" in text
        assert f"right decisions (95 % interval), decisions, by {by}" in text
    assert "mean reward (95 % interval), episodes, by archetype" not in text
    assert ">test_presence</th>" in text


def test_a_log_without_truth_is_broken_down_by_names_alone(sqlite_arena: Arena, tmp_path: Path) -> None:
    run(sqlite_arena, [find_supervisor(AGENTS[1], "gate")], SCENARIOS[:1])
    write_export(sqlite_arena.store, tmp_path / "bare.jsonl", with_truth=False)

    slices = next(read_entries(tmp_path / "bare.jsonl")).facts.slices

    assert {one.by for one in slices} == {"kind", "rule family", "organisation"}
    assert {one.decisions for one in slices} == {0}


def test_what_has_no_figure_is_in_no_group() -> None:
    counted, facts = Breakdown(["idle"]), Facts(slices=(Slice(by="kind", name="k", whole=True, decisions=4, right=3),))
    counted.add_entry(entry(facts=facts, reward=None))
    counted.add_entry(entry(facts=facts, truncated=True))
    assert list(counted.lines()) == []

    counted.add_entry(entry(facts=facts, reward=0.5))
    (line,) = counted.lines()

    assert line == Line(
        by="kind",
        name="k",
        agent="a",
        degenerate=False,
        scored=1,
        mean=0.5,
        ci95=None,
        decisions=4,
        right=0.75,
        right_ci95=None,
    )


def test_a_suite_that_names_no_groups_has_no_such_tables() -> None:
    summary = summarise(Tables("toy"), Tables("toy"))

    assert summary.breakdown == []
    assert list(breakdowns(summary)) == []
