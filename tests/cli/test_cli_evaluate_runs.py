"""`releaseops eval --out RUN`, `report` and `compare`: a run folder, what is made of it, and the gate for CI."""

import json
from pathlib import Path

import pytest
from junitparser import JUnitXml

from releaseops_mcp.agents.runner import Played, play_episode
from releaseops_mcp.agents.runners import runners
from tests.cli.conftest import Cli

CANARY = ("eval", "--suite", "classic-canary", "--split", "published")


def files(run: Path) -> set[str]:
    return {file.name for file in run.iterdir()}


def test_a_run_folder_holds_everything(cli: Cli, tmp_path: Path) -> None:
    run = tmp_path / "run"

    ran = cli(*CANARY, "--agent", "baseline", "--repeats", "2", "--jobs", "2", "--out", str(run))

    assert ran.code == 0
    assert files(run) == {"manifest.json", "results.jsonl", "results.json", "log.jsonl", "report.html"}
    results = json.loads((run / "results.json").read_text())
    overall = next(row for row in results["rows"] if row["family"] == "all")
    assert (overall["agent"], overall["episodes"], round(overall["mean"], 4)) == ("baseline", 12, 0.8447)
    assert overall["pass_hat"].keys() == {"1", "2"}
    assert {stick["name"] for stick in results["suites"][0]["yardsticks"]} >= {"cautious", "always-hold"}
    assert "yardsticks on the same scenarios" in ran.out
    assert "baseline is really worse than cautious: " in ran.out
    assert "Every mean, share and rate is over the scored episodes" in ran.out
    assert cli("episodes", "verify", "--file", str(run / "log.jsonl")).code == 0


def test_the_same_command_goes_on_and_plays_nothing_twice(cli: Cli, tmp_path: Path) -> None:
    words = (*CANARY, "--agent", "cautious", "--json", "--out", str(tmp_path / "run"))

    first, second = cli(*words), cli(*words)

    assert second.json == first.json
    assert "6 kept from before" in second.err
    assert "written to" in second.err


def test_an_interrupted_run_is_finished_by_the_same_command(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Played] = []

    def dying(*given: object, **named: object) -> Played:
        if len(played) == 4:
            raise KeyboardInterrupt
        played.append(play_episode(*given, **named))  # pyright: ignore[reportArgumentType]
        return played[-1]

    run = tmp_path / "run"
    words = (*CANARY, "--agent", "cautious", "--via", "dying", "--out", str(run))
    monkeypatch.setitem(runners(), "dying", lambda: dying)  # pyright: ignore[reportArgumentType]
    assert cli(*words).code == 130
    assert "is not finished: give `releaseops eval` the same --out again" in cli("report", str(run)).err
    monkeypatch.setitem(runners(), "dying", lambda: play_episode)  # pyright: ignore[reportArgumentType]

    ran = cli(*words)

    assert "4 kept from before" in ran.err
    assert "report.html" in files(run)


def test_another_evaluation_is_not_mixed_in(cli: Cli, tmp_path: Path) -> None:
    words = (*CANARY, "--agent", "cautious", "--out", str(tmp_path / "run"))
    cli(*words)

    ran = cli(*words, "--repeats", "2")

    assert ran.code == 3
    assert "error: version_mismatch: this run folder was begun with another repeats (1, now 2)" in ran.err


def test_a_run_goes_on_on_its_own_log_alone(cli: Cli, tmp_path: Path) -> None:
    words = (*CANARY, "--agent", "cautious", "--out", str(tmp_path / "run"))
    cli(*words)

    ran = cli("--database", f"sqlite:///{tmp_path / 'other.sqlite3'}", *words)

    assert ran.code == 2
    assert "is not in this log: name, with --database, the one of this run" in ran.err


def test_a_mean_below_the_gate_fails_and_is_in_the_junit_file(cli: Cli, tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    words = (*CANARY, "--agent", "baseline", "--agent", "always-hold", "--junit", str(junit), "--fail-under")

    passed, failed = cli(*words, "0.84"), cli(*words, "0.85")

    assert (passed.code, failed.code) == (0, 1)
    assert "failed: baseline on classic-canary: mean 0.8447 is below 0.85" in failed.err
    assert "always-hold on" not in failed.err
    read = JUnitXml.fromfile(str(junit))
    assert (read.tests, read.failures) == (14, 1)


def test_a_report_is_made_of_runs_and_of_exports(cli: Cli, tmp_path: Path) -> None:
    run, export, out = tmp_path / "run", tmp_path / "log.jsonl", tmp_path / "page.html"
    cli(*CANARY, "--agent", "baseline", "--out", str(run))
    cli("episodes", "export", "--with-truth", "--out", str(export))

    ran = cli("report", str(run), str(export), "--out", str(out))

    assert ran.code == 0
    text = out.read_text()
    assert "run: classic-canary" in text
    assert "log.jsonl: classic-canary" in text
    assert "worst regrets against cautious" in text


def test_comparing_says_whether_the_difference_is_real(cli: Cli, tmp_path: Path) -> None:
    run = tmp_path / "run"
    cli(*CANARY, "--agent", "baseline", "--agent", "cautious", "--out", str(run))

    ran = cli("compare", f"{run}:baseline", f"{run}:cautious")
    found = cli("compare", f"{run}:baseline", f"{run}:cautious", "--json").json

    assert ran.code == 0
    assert "classic-canary: cautious is really better than baseline: +0.1030" in ran.out.replace("\n", " ")
    overall = next(each for each in found if each["family"] == "all")
    assert (overall["finding"], overall["scenarios"]) == ("better", 6)
    assert {each["finding"] for each in found if each["family"] != "all"} == {"no difference shown"}


def test_two_versions_of_one_agent_are_compared_by_name(cli: Cli, tmp_path: Path) -> None:
    first, second, one = tmp_path / "first", tmp_path / "second", tmp_path / "one"
    for run in (first, second):
        cli(*CANARY, "--agent", "baseline", "--agent", "cautious", "--out", str(run))
    cli(*CANARY, "--agent", "baseline", "--out", str(one))

    same, against_one = cli("compare", str(first), str(second)), cli("compare", str(one), str(second), "--json")

    assert "No real difference between cautious (B) and cautious (A) is shown: +0.0000" in same.out.replace("\n", " ")
    assert {(each["agent"], each["other"]) for each in against_one.json} == {("cautious", "baseline")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "gone", "gone"], "gone does not exist: name a run folder, or an export"),
        (["compare", "{run}:nobody", "{run}"], "run holds no episode of 'nobody'"),
        (["compare", "{run}", "{other}"], "have no suite and agent in common: name agents as RUN:AGENT"),
        (["report", "{run}/report.html"], "error: chain_broken"),
        (["eval", "--agent", "cautious", "--out", "{busy}"], "is not empty and holds no manifest.json"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], message: str, cli: Cli, tmp_path: Path) -> None:
    names = {name: tmp_path / name for name in ("run", "other", "busy")}
    cli(*CANARY, "--agent", "cautious", "--out", str(names["run"]))
    cli("eval", "--suite", "classic-gate", "--agent", "rule", "--seeds", "1", "--out", str(names["other"]))
    names["busy"].mkdir()
    (names["busy"] / "mine.txt").touch()

    ran = cli(*(word.format_map(names) for word in words))

    assert ran.code in (2, 3)
    assert message in ran.err
