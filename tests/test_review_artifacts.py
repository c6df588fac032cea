"""The review pack: 19 files, the same bytes every time, every figure equal to the published one."""

import json
import re
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from releaseops_mcp.artifacts import sample, scripts, transcripts, validation
from releaseops_mcp.artifacts.benchmark import ordering, policy_benchmark
from releaseops_mcp.artifacts.pack import as_json, build_pack
from releaseops_mcp.artifacts.sample import SampleRefused, inference_sample
from releaseops_mcp.artifacts.server import temporary_server
from releaseops_mcp.artifacts.table import ARTIFACTS
from releaseops_mcp.artifacts.variants import variant
from releaseops_mcp.cli.app import run
from releaseops_mcp.client import CallRefused, CanaryEpisodesClient
from releaseops_mcp.episodes.classic_canary import dynamics
from releaseops_mcp.episodes.classic_canary.suite import SWEEP_SEEDS
from releaseops_mcp.inference import run as inference
from releaseops_mcp.simulation import Simulation
from tests.live import server  # noqa: F401 - a fixture
from tests.standins import executable

TASKS = ("easy", "medium", "hard", "expert", "recovery", "silent")
SCORES = {
    "hard_cautious_transcript.json": 0.9350,
    "hard_cautious_grader.json": 0.9999,
    "hard_aggressive_transcript.json": 0.8217,
    "hard_aggressive_grader.json": 0.2700,
    "hard_watch_window_hold_transcript.json": 0.9280,
    "hard_watch_window_hold_grader.json": 0.8300,
    "expert_cautious_transcript.json": 0.9550,
    "expert_phantom_hold_grader.json": 0.9200,
    "recovery_cautious_transcript.json": 0.9592,
    "recovery_transient_hold_grader.json": 0.8400,
}
OTHERS = (
    "inference_stdout_fallback_sample.txt",
    "policy_benchmark_results.json",
    "policy_seed_sweep_results.json",
    "scenario_variant_catalog.json",
    "openenv_validation_results.json",
    "endpoint_contract_sample.json",
    "artifact_manifest.json",
    "artifact_index.md",
    "benchmark_audit_summary.md",
)
AT_SEED_0 = {
    "shallow_baseline": (0.9567, 0.8460, 0.8217, 0.6967, 0.9109, 0.8360, 0.8447),
    "cautious_policy": (0.9567, 0.9300, 0.9350, 0.9550, 0.9592, 0.9500, 0.9476),
    "aggressive_policy": (0.7450, 0.6567, 0.6567, 0.7075, 0.7862, 0.6833, 0.7059),
}
OVER_THE_SWEEP = {
    "shallow_baseline": (0.9546, 0.9388, 0.8222, 0.7052, 0.9035, 0.7697, 0.8490),
    "cautious_policy": (0.9546, 0.9598, 0.9331, 0.9591, 0.9578, 0.9385, 0.9505),
    "aggressive_policy": (0.7450, 0.6567, 0.6195, 0.6971, 0.7761, 0.6833, 0.6963),
}


@pytest.fixture(scope="module")
def pack(server: str) -> dict[str, str]:  # noqa: F811
    """The text of every file."""
    return build_pack(server)


@pytest.fixture(scope="module")
def data(pack) -> dict[str, dict]:
    """The content of every JSON file."""
    return {name: json.loads(text) for name, text in pack.items() if name.endswith(".json")}


@pytest.fixture
def client(server) -> Iterator[CanaryEpisodesClient]:  # noqa: F811
    with CanaryEpisodesClient(server) as client:
        yield client


def test_the_pack_has_its_19_files(pack):
    assert len(pack) == 19
    assert set(pack) == {*SCORES, *OTHERS}


def test_the_command_line_writes_the_same_bytes_from_a_temporary_server(pack, tmp_path, capsys):
    folder = tmp_path / "new" / "pack"
    assert run(["review-artifacts", "--output-dir", str(folder)]) == 0
    assert {path.name: path.read_bytes().decode() for path in folder.iterdir()} == pack
    assert capsys.readouterr().out == f"19 files written to {folder}\n"


def test_a_server_that_runs_already_is_shown_its_token(pack, tmp_path, monkeypatch):
    with temporary_server(token="t", grader_token="g") as url:
        monkeypatch.delenv("RELEASEOPS_GRADER_TOKEN", raising=False)
        monkeypatch.delenv("RELEASEOPS_TOKEN", raising=False)
        arguments = ["review-artifacts", "--output-dir", str(tmp_path), "--env-url", url]
        assert run(arguments) == 1
        assert not list(tmp_path.iterdir())
        monkeypatch.setenv("RELEASEOPS_GRADER_TOKEN", "g")
        assert run(arguments) == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == pack


def test_json_has_sorted_keys_and_no_episodes_id(pack, data):
    for name, content in data.items():
        assert pack[name] == as_json(content)
        assert not re.search("ep_[0-9a-f]{32}", pack[name])
    assert data["hard_cautious_transcript.json"]["episode_id"] == transcripts.PLACEHOLDER


@pytest.mark.parametrize("name", SCORES)
def test_single_scores_are_the_published_ones(data, name):
    content = data[name]
    assert content.get("episode_score", content.get("total_score")) == SCORES[name]


def test_the_watch_window_transcript_is_of_an_episode_under_way(data):
    content = data["hard_watch_window_hold_transcript.json"]
    assert (content["steps"], content["outcome"]) == (5, "in_progress")


@pytest.mark.parametrize("policy", AT_SEED_0)
def test_policies_come_to_the_published_figures(data, policy):
    benchmark = data["policy_benchmark_results.json"]["policies"][policy]
    sweep = data["policy_seed_sweep_results.json"]["policies"][policy]
    assert (*(benchmark["scores"][task] for task in TASKS), benchmark["average"]) == AT_SEED_0[policy]
    assert (
        *(sweep["aggregate_scores"][task] for task in TASKS),
        sweep["aggregate_average"],
    ) == OVER_THE_SWEEP[policy]
    assert set(sweep["per_seed"]) == set(map(str, SWEEP_SEEDS))


def test_judgement_beats_haste_at_seed_0(data):
    benchmark = data["policy_benchmark_results.json"]
    for task in ("hard", "recovery", "silent"):
        best, *_, worst = benchmark[f"{task}_task_ordering"]
        assert (best, worst) == ("cautious_policy", "aggressive_policy")


def test_judgement_beats_haste_over_the_sweep(data):
    sweep = data["policy_seed_sweep_results.json"]
    scores = {name: policy["aggregate_scores"] for name, policy in sweep["policies"].items()}
    cautious, baseline, aggressive = (
        scores[name] for name in ("cautious_policy", "shallow_baseline", "aggressive_policy")
    )
    assert cautious["hard"] >= baseline["hard"] >= aggressive["hard"]
    assert cautious["expert"] > baseline["expert"] > aggressive["expert"]
    assert cautious["recovery"] > aggressive["recovery"]
    assert cautious["silent"] > baseline["silent"] > aggressive["silent"]
    for task in ("hard", "expert", "recovery", "silent"):
        assert sweep[f"aggregate_{task}_ordering"] == ordering(scores, task)


def test_the_good_script_beats_the_bad_one_and_the_ambiguous_one_is_open(client):
    good, bad, open_ended = (
        transcripts.scripted_transcript(client, script) for script in (scripts.GOOD, scripts.BAD, scripts.AMBIGUOUS)
    )
    assert (good["episode_score"], bad["episode_score"]) == (0.9350, 0.8217)
    assert open_ended["outcome"] == "in_progress"


def test_an_entry_is_graded_again_as_it_was(client, data):
    """Holds in a row count: the second of two in a healthy state is worth less.

    A rollback may come to more, since an episode grades its timing on the unrounded traffic.
    """
    hold = {**scripts.GOOD[0], "action_type": "hold"}
    held = transcripts.scripted_transcript(client, [hold, hold])
    for content in (held, *(data[name] for name in SCORES if name.endswith("transcript.json"))):
        for entry in content["transcript"]:
            if entry["action"]["action_type"] != "rollback":
                again = transcripts.grade(client, content["task_id"], entry)
                assert again["total_score"] == entry["step_score"]
    first, second = (entry["step_score"] for entry in held["transcript"])
    assert first > second


def test_actions_hold_the_position_that_they_were_taken_at():
    """Replaying them gives the same score, and their positions follow from one another."""
    benchmark = policy_benchmark()
    for policy in benchmark["policies"].values():
        for task, detail in policy["details"].items():
            world, position = Simulation.of(f"classic-canary/{task}/seed-0"), dynamics.START
            for action in detail["actions"]:
                said = {key: value for key, value in action.items() if key not in world.first_observation}
                assert (action["step_number"], action["consecutive_holds"]) == (position.step, position.holds)
                assert action["traffic_pct"] == round(position.traffic, 4)
                world.call("decide_rollout", said)
                position = dynamics.move(position, action["action_type"])
            assert (world.score().total, world.done) == (detail["score"], True)


@pytest.mark.parametrize(
    ("task", "mark", "seed", "step"),
    [
        ("hard", "first_shared_noise", 0, 3),
        ("hard", "first_shared_noise", 7, 2),
        ("expert", "first_phantom_alert", 0, 2),
        ("expert", "first_phantom_alert", 11, 3),
        ("silent", "first_breach", 0, 4),
    ],
)
def test_seeds_move_noise_phantoms_and_breaches(data, task, mark, seed, step):
    found = data["scenario_variant_catalog.json"]["tasks"][task][str(seed)][mark]
    assert found["step_number"] == step
    assert found == variant(task, seed)[mark]


def test_seeds_move_the_transient_and_the_silent_breach(data):
    tasks = data["scenario_variant_catalog.json"]["tasks"]
    warnings = {seed: marks["first_warning"]["step_number"] for seed, marks in tasks["recovery"].items()}
    assert len(set(warnings.values())) > 1
    assert tasks["silent"]["3"]["first_breach"]["step_number"] != 4


def test_the_catalog_is_diverse_and_says_what_is_not_there(data):
    catalog = data["scenario_variant_catalog.json"]
    assert list(catalog["tasks"]) == sorted(TASKS)
    summaries = catalog["task_summaries"]
    assert len(summaries["hard"]["first_shared_noise_steps"]) > 1
    assert len(summaries["expert"]["first_phantom_alert_steps"]) > 1
    assert len(summaries["recovery"]["recovery_clear_steps"]) > 1
    assert len(summaries["silent"]["first_breach_steps"]) > 1
    assert summaries["recovery"]["first_breach_steps"] == []
    easy = catalog["tasks"]["easy"]["0"]
    assert (easy["first_warning"], easy["trace_steps_captured"]) == (None, 10)
    assert easy["final_probe_state"]["traffic_pct"] == 1.0


def test_the_manifest_pairs_files_that_exist_and_holds_their_scores(data):
    manifest = data["artifact_manifest.json"]
    entries = {entry["filename"]: entry for entry in manifest["artifacts"]}
    assert list(entries) == [each.filename for each in ARTIFACTS]
    assert {entry["paired_with"] for entry in entries.values()} - {None} <= set(entries)
    assert {name: entry["score_observed"] for name, entry in entries.items() if name in SCORES} == SCORES
    assert all(entries[name]["score_observed"] is None for name in OTHERS)


def test_the_pages_for_readers_name_every_file_and_figure(pack):
    index, audit = pack["artifact_index.md"], pack["benchmark_audit_summary.md"]
    assert all(f"`{name}`" in index for name in pack)
    figures = (*SCORES.values(), *(figure for row in (AT_SEED_0 | OVER_THE_SWEEP).values() for figure in row))
    assert all(f"{figure:.4f}" in audit for figure in figures)


def test_the_endpoint_sample_is_of_the_contract(data):
    content = data["endpoint_contract_sample.json"]
    assert content["health"] == {"status": "healthy"}
    assert [task["id"] for task in content["tasks_summary"]] == list(TASKS)
    assert content["baseline_summary"]["average"] == 0.8447
    assert content["episode_create"]["episode_context"]["task_id"] == "easy"
    assert (content["episode_step"]["reward"], content["episode_step"]["done"]) == (0.97, False)


def test_an_inference_run_that_complains_or_says_more_is_refused(monkeypatch):
    def complaining(arguments, environment, stdout, stderr):
        stderr.write("close_error=close_timeout\n")

    def chatty(arguments, environment, stdout, stderr):
        stdout.write("[START] task=easy\nhello\n")

    for stray, said in ((complaining, "close_error=close_timeout"), (chatty, "hello")):
        monkeypatch.setattr(sample, "run", stray)
        with pytest.raises(SampleRefused, match=f"beyond its contract: {said}"):
            inference_sample("http://arena.test", {})


def test_the_sample_is_what_the_runner_prints(pack):
    stdout = StringIO()
    inference.run([], {}, stdout, StringIO())
    assert pack["inference_stdout_fallback_sample.txt"] == stdout.getvalue()


def test_without_a_python_that_has_openenv_the_validator_is_not_run(data):
    content = data["openenv_validation_results.json"]
    assert {part["status"] for part in content.values()} == {"not run"}
    assert "by decision" in content["structural"]["why"]


@pytest.mark.parametrize(
    ("code", "passed", "parsed"),
    [
        (
            "import json, sys; print(json.dumps({'target': sys.argv[-1]}))",
            True,
            {"target": "http://SERVER/classic-canary"},
        ),
        ("print('PASS')", True, None),
        ("import sys; sys.exit(f'no: {sys.argv[0]}')", False, None),
    ],
)
def test_the_validators_verdict_holds_no_address_and_no_path(tmp_path: Path, code, passed, parsed):
    python = str(executable(tmp_path / "python", code))
    live = validation.validate("http://127.0.0.1:4711", python)["live"]
    assert (live["status"], live["passed"], live["returncode"]) == ("run", passed, 0 if passed else 1)
    assert live["parsed_stdout"] == parsed
    command = ["python", "-m", "openenv.cli", "validate", "--json", "--url", "http://SERVER/classic-canary"]
    assert live["command"] == command
    assert str(tmp_path) not in json.dumps(live)


def test_a_python_that_cannot_be_run_is_a_users_error(capsys, tmp_path):
    nowhere = str(tmp_path / "python")
    assert run(["review-artifacts", "--output-dir", str(tmp_path), "--openenv", nowhere]) == 2
    assert f"--openenv {nowhere}" in capsys.readouterr().err
    assert sys.executable != nowhere


def test_a_server_that_keeps_its_grades_refuses_to_give_them(server):  # noqa: F811
    with temporary_server(grader_token="g") as url, pytest.raises(CallRefused):
        build_pack(url)
