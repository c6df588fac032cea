"""The page: it holds all it needs, says what the rows say, escapes what agents wrote, shows what is worth reading."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from releaseops_mcp.agents.base import Action, Brief, Play, Supervisor
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_gate import SUITE as GATE
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.report import page, source_of
from releaseops_mcp.evaluation.report.charts import Mark, Scale, calibration, forest
from releaseops_mcp.evaluation.report.grids import heat
from releaseops_mcp.evaluation.report.markup import Markup, element, number, share, span
from releaseops_mcp.evaluation.report.transcripts import MOST_CALLS, MOST_CHARS, transcript
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.evaluation.tables import Tables
from releaseops_mcp.evaluation.trajectory import Call, Trajectory
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.rows import EpisodeFilter
from tests.evaluation.conftest import READER, SHIPPER
from tests.evaluation.entries import entry

VOID = {"meta", "line", "circle", "rect", "polygon"}
EVIL = "<script>alert(1)</script><img src=http://evil.example/x>"


class Checked(HTMLParser):
    """Reads a page, and keeps what could load or run something, and what is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = dict(attrs)
        self.links += [named[name] or "" for name in ("src", "href", "action") if name in named]
        self.ids.add(named.get("id") or "")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(text: str) -> Checked:
    reader = Checked()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture
def export(toy: None, sqlite_arena: Arena, tmp_path: Path) -> Path:
    """An export of the toy's two supervisors, each of whom confuses some twins."""
    scenarios = [f"toy/f99-leak{twin}/seed-{seed}" for twin in ("", "-twin") for seed in range(6)]
    run(sqlite_arena, [READER, SHIPPER], scenarios)
    write_export(sqlite_arena.store, tmp_path / "toy.jsonl", with_truth=True)
    return tmp_path / "toy.jsonl"


@pytest.fixture
def gate(sqlite_arena: Arena, tmp_path: Path) -> Path:
    """An export of an agent of the gate, without the reference, that writes markup wherever it can."""

    def evil(brief: Brief) -> Play:
        yield Action("approve_proposal", {"proposal_id": EVIL})
        yield Action(EVIL, {EVIL: EVIL})
        yield Action("approve_proposal", [EVIL])  # pyright: ignore[reportArgumentType]
        for _ in range(3):
            yield Action("hold_release", {"reason_code": "awaiting_fix"})

    def broken(brief: Brief) -> Play:
        raise KeyError(EVIL)
        yield

    agents = [Supervisor(name, GATE.name, play, False, "") for name, play in ((EVIL, evil), ("broken", broken))]
    run(sqlite_arena, agents, [*GATE.splits()["eval"][:6]])
    sqlite_arena.start(GATE.default_scenario)
    write_export(sqlite_arena.store, tmp_path / "gate.jsonl", EpisodeFilter(suite=GATE.name), with_truth=True)
    return tmp_path / "gate.jsonl"


def test_the_page_holds_all_it_needs(export: Path, gate: Path) -> None:
    text = page([source_of(export), source_of(gate)])

    read = checked(text)
    assert not read.tags & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links)
    assert not re.search(r"(url\(|@import|https?://)", text.replace(EVIL, "").replace("http://evil.example", ""))
    assert text.count("<h2>") == 2
    assert "default-src 'none'" in text.replace("&#x27;", "'")


def test_the_page_says_what_the_rows_say(export: Path) -> None:
    source = source_of(export)
    rows = {row.agent: row for row in source.summaries[0].rows if row.family == "all"}

    text = page([source])

    for row in rows.values():
        assert number(row.mean) in text
    assert "A pass: the verdict was right." in text
    assert "clairvoyant" in text
    assert "Where: by kind" in text
    assert "Is reader as sure as it should be? Brier" in text
    assert "twins that were not told apart" in text
    assert "shipper" in text


def test_the_worst_regrets_stand_beside_what_the_reference_does(gate: Path) -> None:
    text = page([source_of(gate)])

    assert "the worst regrets against phase-aware" in text
    assert "<summary>phase-aware: " in text
    assert "refused: unknown_tool" in text
    assert "1 episodes are not in any mean" in text
    assert "still running" in text


def test_nothing_that_an_agent_wrote_becomes_markup(gate: Path) -> None:
    text = page([source_of(gate)])

    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_suite_without_a_scored_episode_is_a_page_too(sqlite_arena: Arena, tmp_path: Path) -> None:
    sqlite_arena.start(GATE.default_scenario)
    write_export(sqlite_arena.store, tmp_path / "open.jsonl", with_truth=True)

    assert "No agent that judges has a scored episode here." in page([source_of(tmp_path / "open.jsonl")])


def test_a_run_that_shows_nothing_suspicious_says_so(sqlite_arena: Arena, tmp_path: Path) -> None:
    run(sqlite_arena, [find_supervisor("cautious", "classic-canary")], ["classic-canary/easy/seed-0"])
    write_export(sqlite_arena.store, tmp_path / "one.jsonl", with_truth=True)

    assert "No pattern that is watched for was seen." in page([source_of(tmp_path / "one.jsonl")])


def test_what_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="does not exist: name a run folder"):
        source_of(tmp_path / "gone")


def test_an_empty_export_is_an_empty_page(sqlite_arena: Arena, tmp_path: Path) -> None:
    write_export(sqlite_arena.store, tmp_path / "empty.jsonl")

    checked(page([source_of(tmp_path / "empty.jsonl")]))


def test_markup_is_escaped_once() -> None:
    assert element("p", "a < b", element("b", "&"), title='"x"') == '<p title="&quot;x&quot;">a &lt; b<b>&amp;</b></p>'
    assert element("i", class_="c", aria_label=None, x=1.50) == '<i class="c" x="1.5"></i>'
    assert isinstance(element("p"), Markup)


def test_figures_are_shown_for_people() -> None:
    dash, minus = "\N{EN DASH}", "\N{MINUS SIGN}"
    assert (number(-0.5, 1), number(None), share(0.5), share(None)) == (f"{minus}0.5", dash, "50%", dash)
    assert (span((-1.0, 2.0), 1), span(None)) == (f"{minus}1.0 to 2.0", dash)


@pytest.mark.parametrize("values", [[0.0], [5.0, 5.0], [-0.92, 0.712], [0.9489, 0.9490], [-470.0, 12.0]])
def test_a_scale_holds_its_values_between_round_ticks(values: list[float]) -> None:
    scale = Scale(values)

    assert scale.low <= min(values) <= max(values) <= scale.high
    assert 2 <= len(scale.ticks) <= 9
    assert scale.at(scale.low) < scale.at(scale.high)


def test_the_table_by_family_has_the_best_mean_first_and_none_last() -> None:
    tables = Tables("toy", ["idle"])
    for agent, reward in (("worse", -1.0), ("lost", None), ("idle", 0.0), ("best", 1.0)):
        tables.add_entry(entry(agent=agent, reward=reward))

    rows = re.findall(r'<tr( class="degenerate")?><th scope="row">(\w+)', heat(list(tables.rows()), ()))

    assert [agent for _, agent in rows] == ["best", "idle", "worse", "lost"]
    assert [agent for dull, agent in rows if dull] == ["idle"]


def test_charts_have_a_name_for_those_who_cannot_see_them() -> None:
    chart = forest("means", [Mark("a", 0.5, (0.4, 0.6), "reference"), Mark("b", 0.1, None, "degenerate")])

    assert 'role="img" aria-label="means"' in chart
    assert chart.count("<polygon") == chart.count("<circle") == 1
    assert calibration.__doc__


def calls(number: int, text: str) -> Iterator[Call]:
    for place in range(number):
        yield Call(
            "read",
            {"id": "x"},
            None,
            {"id": "x", "text": text},
            {"n": place},
            {"n": place + 1.5},
            False,
            None,
            None,
            {},
        )


def test_a_long_episode_is_cut_and_says_so() -> None:
    trajectory = Trajectory("s", {"n": 0}, tuple(calls(MOST_CALLS + 2, "y" * (MOST_CHARS + 100))), (), ())

    text = transcript("a", trajectory, total=0.5)

    assert "and 2 more calls" in text
    assert "characters more)" in text
    assert "n 0 \N{RIGHTWARDS ARROW} 1.5" in text
    assert "id: x" not in text
    assert "0.500 · 42 calls · left" in text
