"""The run folder: its journal survives a death, its manifest refuses to mix, its log verifies."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.arena import Arena
from releaseops_mcp.audit.verify import verify
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.errors import ChainBroken, InvalidArgument, VersionMismatch
from releaseops_mcp.evaluation.exported import find_episodes, read_entries
from releaseops_mcp.evaluation.folder import LOG, RunFolder, read_manifest, read_summaries, write_log
from releaseops_mcp.evaluation.journal import Journal, read_journal
from releaseops_mcp.evaluation.manifest import Manifest, manifest_of
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.log.export import write_export
from releaseops_mcp.log.reading import ExportLog
from tests.evaluation.conftest import READER, SHIPPER
from tests.evaluation.entries import entry

CAUTIOUS = find_supervisor("cautious", CANARY.name)
SCENARIOS = CANARY.splits()["published"]


def manifest(
    supervisors: Sequence[Supervisor] = (CAUTIOUS,), scenarios: Sequence[str] = SCENARIOS, repeats: int = 1
) -> Manifest:
    return manifest_of({"via": "python"}, {CANARY.name: (supervisors, scenarios)}, repeats=repeats)


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal = Journal(path)
    for repeat in range(3):
        journal.keep(entry(repeat))
    journal.close()
    path.write_bytes(path.read_bytes()[:-5])

    journal = Journal(path)

    assert len(journal) == 2
    assert journal.recorded(entry(1).key) == entry(1)
    assert journal.recorded(entry(2).key) is None
    journal.keep(entry(2))
    journal.close()
    assert list(read_journal(path)) == [entry(0), entry(1), entry(2)]


def test_a_line_that_was_altered_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(entry().model_dump_json() + "\n" + '{"repeat": "x"}\n')

    for read in (Journal, lambda path: list(read_journal(path))):
        with pytest.raises(ChainBroken, match=r"results.jsonl, byte \d+: this is no line of results"):
            read(path)


def test_a_folder_goes_on_with_the_same_evaluation_alone(tmp_path: Path) -> None:
    RunFolder(tmp_path / "run", manifest()).close()
    RunFolder(tmp_path / "run", manifest()).close()

    assert read_manifest(tmp_path / "run") == manifest()
    assert read_summaries(tmp_path / "run") == []


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (manifest(repeats=2), "another repeats"),
        (manifest(scenarios=SCENARIOS[:2]), "another suites.classic-canary.scenarios"),
        (manifest(scenarios=SCENARIOS[::-1]), "another suites.classic-canary.scenario_list"),
        (manifest([find_supervisor("baseline", CANARY.name)]), "another suites.classic-canary.agents.cautious"),
        (manifest().model_copy(update={"releaseops": "9.9.9"}), r"another releaseops \(.*, now 9.9.9\)"),
        (manifest().model_copy(update={"code": "f" * 64}), "another code"),
    ],
)
def test_figures_of_different_versions_are_not_mixed(other: Manifest, named: str, tmp_path: Path) -> None:
    RunFolder(tmp_path / "run", manifest()).close()

    with pytest.raises(VersionMismatch, match=named):
        RunFolder(tmp_path / "run", other)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")

    with pytest.raises(InvalidArgument, match="is not empty and holds no manifest"):
        RunFolder(tmp_path, manifest())


def test_a_folder_that_died_before_its_manifest_is_as_good_as_empty(tmp_path: Path) -> None:
    (tmp_path / "manifest.json.unfinished").write_text("{")

    RunFolder(tmp_path, manifest()).close()


@pytest.mark.parametrize("text", ["", "{}", None])
def test_what_is_no_run_folder_is_refused(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)

    with pytest.raises(InvalidArgument, match="is no run folder"):
        read_manifest(tmp_path)


def test_an_agent_without_a_source_file_has_no_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    builtin = Supervisor("builtin", CANARY.name, iter, False, "")  # pyright: ignore[reportArgumentType]

    assert manifest([CAUTIOUS, builtin]).suites[CANARY.name].agents["builtin"] == ""


def test_the_log_of_a_run_verifies_and_gives_the_same_entries(toy: None, sqlite_arena: Arena, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "results.jsonl")
    scenarios = ["toy/f99-leak/seed-1", "toy/f99-leak-twin/seed-1"]
    run(sqlite_arena, [READER, SHIPPER], scenarios, record=journal, repeats=2)
    journal.close()
    entries = list(read_journal(tmp_path / "results.jsonl"))

    write_log(sqlite_arena.store, tmp_path, entries)

    assert verify(ExportLog(tmp_path / LOG), lambda done, total: None).episodes == 8
    assert list(read_entries(tmp_path / LOG)) == entries
    wanted = {entries[1].played.episode_id, entries[5].played.episode_id}
    found = find_episodes(tmp_path / LOG, wanted)
    assert found.keys() == wanted
    assert all(episode.truth is not None for episode in found.values())


def test_an_export_without_truth_is_unscored_and_says_what_to_do(
    toy: None, sqlite_arena: Arena, tmp_path: Path
) -> None:
    came = run(sqlite_arena, [SHIPPER], ["toy/f99-leak/seed-1", "toy/f99-leak/seed-2"])
    running = sqlite_arena.start("toy/f99-leak/seed-3").episode_id
    write_export(sqlite_arena.store, tmp_path / "bare.jsonl")

    entries = list(read_entries(tmp_path / "bare.jsonl"))

    assert [each.played.fault for each in entries] == [
        "the export holds no truth: export it with the truth",
        "the export holds no truth: export it with the truth",
        "still running",
    ]
    assert [each.played.reward for each in entries] == [None, None, None]
    assert entries[2].played.agent == "unnamed"
    found = find_episodes(tmp_path / "bare.jsonl", {came.figures[1].episode_id, running})
    assert [episode.truth for episode in found.values()] == [None, None]


def test_a_run_that_was_begun_on_another_log_is_told(tmp_path: Path, sqlite_arena: Arena) -> None:
    unstarted = entry(episode_id="", reward=None, fault="environment_fault: x")
    write_log(sqlite_arena.store, tmp_path, [unstarted])

    with pytest.raises(InvalidArgument, match="episode ep_1 is not in this log"):
        write_log(sqlite_arena.store, tmp_path, [entry()])
    assert verify(ExportLog(tmp_path / LOG), lambda done, total: None).episodes == 0
