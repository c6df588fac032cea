"""`releaseops judge`: exit codes, evidence, plots and refusals on files of a user's own."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

HEADER = "time,canary_events,canary_totals,baseline_events,baseline_totals"


def table(path: Path, ratio: float, rows: int = 60) -> str:
    """A table of counts: 20 or so errors of 2,000 requests a minute, times `ratio` in the canary."""
    lines = [f"{60 * row},{round(ratio * (19 + row % 3))},2000,{19 + (row + 1) % 3},2000" for row in range(rows)]
    path.write_text("\n".join([HEADER, *lines]))
    return str(path)


@pytest.fixture
def good(tmp_path: Path) -> str:
    return table(tmp_path / "errors.csv", 1.0)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    return table(tmp_path / "errors.csv", 3.0)


def test_the_exit_code_is_the_verdict(cli: Cli, tmp_path: Path):
    codes = [cli("judge", table(tmp_path / "t.csv", *how)).code for how in ((1.0,), (3.0,), (1.0, 1))]

    assert codes == [0, 1, 4]


def test_it_prints_the_sentence_and_the_evidence(cli: Cli, bad: str):
    ran = cli("judge", bad)

    assert ran.out.startswith("e-process: fail: errors is 3 times the control's: shown to be over 1.25 in bucket")
    assert "log10 evidence of harm" in ran.out
    assert ran.err == ""


def test_json_holds_the_whole_verdict_and_nothing_else(cli: Cli, bad: str):
    verdict = cli("judge", bad, "--json").json

    assert verdict["outcome"] == "fail"
    assert verdict["metrics"] == ["errors"]
    assert verdict["findings"][0]["figures"]["ratio"] == pytest.approx(3.0, abs=0.01)
    assert len(verdict["findings"][0]["trace"]["values"]) == 60


@pytest.mark.parametrize(
    "name", ["argo-like", "e-process", "flagger-like", "group-sequential", "kayenta-like", "threshold"]
)
def test_every_judge_can_be_asked(cli: Cli, bad: str, name: str):
    assert cli("judge", bad, "--judge", name).code == 1


def test_values_without_counts_are_compared_by_rank(cli: Cli, tmp_path: Path):
    path = tmp_path / "p99.csv"
    path.write_text("canary,baseline\n" + "\n".join(f"{200 + row},{100 + row}" for row in range(60)))

    ran = cli("judge", str(path))

    assert ran.code == 1
    assert ran.out.startswith("kayenta-like: fail, score 0")


def test_parameters_reach_the_judge(cli: Cli, bad: str):
    tolerant = cli("judge", bad, "--margin", "3.5")
    strict = cli("judge", bad, "--alpha", "1e-9", "--json")
    limited = cli("judge", bad, "--judge", "threshold", "--limit", "9", "--limit", "errors=4")
    assigned = cli("judge", bad, "--judge", "kayenta-like", "--set", "allowed=5", "--set", 'critical=["errors"]')

    assert tolerant.code != 1
    assert strict.json["figures"]["bound"] == pytest.approx(1e9)
    assert "within 4" in limited.out
    assert assigned.code == 0


def test_a_warm_up_can_be_skipped_and_buckets_merged(cli: Cli, tmp_path: Path):
    path = tmp_path / "errors.csv"
    cold = [f"{60 * row},{400 if row < 5 else 20},2000,20,2000" for row in range(60)]
    path.write_text("\n".join([HEADER, *cold]))

    assert cli("judge", str(path)).code == 1
    skipped = cli("judge", str(path), "--skip", "5", "--every", "5", "--json")
    assert skipped.code == 0
    assert len(skipped.json["findings"][0]["trace"]["values"]) == 11


def test_a_prometheus_answer_with_counters_of_its_own(cli: Cli, tmp_path: Path):
    def line(name: str, version: str, value: int) -> dict[str, object]:
        points = [[60 * row, str(value + row % 2)] for row in range(60)]
        return {"metric": {"__name__": name, "version": version}, "values": points}

    result = [line("failed", "v2", 60), line("failed", "v1", 20), line("all", "v2", 2000), line("all", "v1", 2000)]
    path = tmp_path / "range.json"
    path.write_text(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}))

    ran = cli("judge", str(path), "--canary", "v2", "--baseline", "v1", "--counts", "errors=failed/all", "--json")

    assert ran.code == 1
    assert ran.json["judge"] == "e-process"
    assert ran.json["metrics"] == ["errors"]


@pytest.mark.parametrize(("ending", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
@pytest.mark.parametrize("judge", ["e-process", "kayenta-like", "group-sequential"])
def test_it_draws_series_and_evidence(cli: Cli, bad: str, tmp_path: Path, judge: str, ending: str, magic: bytes):
    first, second = tmp_path / f"a{ending}", tmp_path / f"b{ending}"

    ran = cli("judge", bad, "--judge", judge, "--plot", str(first))
    cli("judge", bad, "--judge", judge, "--plot", str(second))

    assert ran.code == 1
    assert "drawn to" in ran.err
    assert first.read_bytes().startswith(magic)
    assert first.read_bytes() == second.read_bytes()


def test_the_list_names_every_judge_and_parameter(cli: Cli):
    ran = cli("judge", "--list")

    assert ran.code == 0
    for word in ("argo-like", "failure_limit", "e-process", "margin", "kayenta-like", "critical"):
        assert word in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "judge needs a FILE"),
        (("{bad}", "--judge", "oracle"), "no judge is called 'oracle'"),
        (("{bad}", "--judge", "kayenta-like", "--margin", "2"), "kayenta-like cannot take these parameters (margin"),
        (("{bad}", "--set", "margin"), "write NAME=VALUE"),
        (("{bad}", "--limit", "x=high"), "write a number, or METRIC=NUMBER"),
        (("{bad}", "--counts", "errors"), "write NAME=EVENTS/TOTALS"),
        (("{bad}", "--skip", "60"), "--skip 60 leaves nothing of 60 buckets"),
        (("{bad}", "--metric", "p99"), "no metric is called 'p99'"),
        (("{bad}", "--plot", "{bad}.pdf"), "must end in .svg or .png"),
        (("{bad}", "--canary", "v2"), "no column called v2"),
        (("{bad}.gone",), "No such file"),
    ],
)
def test_bad_input_exits_with_2_and_says_what_to_do(cli: Cli, bad: str, words: tuple[str, ...], said: str):
    ran = cli("judge", *(word.format(bad=bad) for word in words))

    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""


def test_a_plot_without_matplotlib_says_what_to_install(cli: Cli, bad: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "releaseops_mcp.cli.judge_plot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    ran = cli("judge", bad, "--plot", "out.png")

    assert ran.code == 2
    assert "needs matplotlib" in ran.err


def test_a_verdict_needs_neither_matplotlib_nor_scipy(cli: Cli, good: str, monkeypatch: pytest.MonkeyPatch):
    for package in ("matplotlib", "scipy"):
        monkeypatch.setitem(sys.modules, package, None)

    for judge in ("kayenta-like", "group-sequential", "e-process"):
        assert cli("judge", good, "--judge", judge).code == 0
