"""The job for Hugging Face's machines: its header, its arguments, and a sanity run without network."""

import re
import runpy
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from peft import LoraConfig, get_peft_model

from tests.training.logged import data_folder, smallest_model
from training.models.loading import load_model
from training.options import parse
from training.recipes import hf_job
from training.refusals import TrainingRefused

FILE = Path(hf_job.__file__)
HEADER = re.compile(r"(?m)^# /// (?P<type>[a-zA-Z0-9-]+)$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
"""PEP 723's own pattern."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return data_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def nobody_logged_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hf_job, "token", lambda: None)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def header() -> dict[str, object]:
    (found,) = [match for match in HEADER.finditer(FILE.read_text()) if match["type"] == "script"]
    lines = found["content"].splitlines(keepends=True)
    return tomllib.loads("".join(line[2:] if line.startswith("# ") else line[1:] for line in lines))


def test_the_header_is_a_script_block_and_every_dependency_has_two_bounds() -> None:
    said = header()

    bounds = {str(name): Requirement(str(name)).specifier for name in said["dependencies"]}
    assert all({each.operator for each in specifier} == {">=", "<"} for specifier in bounds.values()), bounds
    assert SpecifierSet(str(said["requires-python"])).contains(".".join(map(str, sys.version_info[:3])))


def test_the_versions_that_are_tested_here_are_within_the_bounds() -> None:
    for name in header()["dependencies"]:
        wanted = Requirement(str(name))

        assert wanted.specifier.contains(version(wanted.name)), name


def test_help_names_every_argument(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["hf_job.py", "--help"])

    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(FILE), run_name="__main__")

    said = capsys.readouterr().out
    assert all(f"--{name}" in said for name in ("data", "model", "push_to", "sanity_run", "vllm"))


def test_arguments_are_read_with_dashes_too() -> None:
    config = parse(hf_job.Config, ["--sanity-run", "--push-to", "me/there"])

    assert (config.sanity_run, config.push_to) == (True, "me/there")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_sanity_run_goes_through_all_parts_and_pushes_nothing(data: Path, tmp_path: Path) -> None:
    pushed: list[str] = []
    config = hf_job.Config(data=str(data), out=str(tmp_path / "job"), push_to="me/there", sanity_run=True)

    outcome = hf_job.main(config, push=lambda folder, repository, private: pushed.append(repository) or "")

    assert (outcome["sft"]["steps"], outcome["grpo"]["steps"]) == (2, 2)
    assert (tmp_path / "job" / "grpo" / "model.safetensors").is_file()
    assert (tmp_path / "job" / "grpo" / "evaluation" / "results.json").is_file()
    assert "grpo" in outcome["verdict"]
    assert "pushed" not in outcome
    assert pushed == []


def test_the_result_is_pushed_without_what_stays_here(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given parts that have nothing to do
    monkeypatch.setattr(hf_job.sft, "main", lambda config: {"steps": config.steps})
    monkeypatch.setattr(hf_job.grpo, "main", lambda config: {"steps": config.steps})
    monkeypatch.setattr(hf_job, "judged", lambda config, data, out: "better")
    pushed: list[tuple[Path, str, bool]] = []

    # when a job ends
    def push(folder: Path, repository: str, private: bool) -> str:
        pushed.append((folder, repository, private))
        return "https://hub/me/there"

    outcome = hf_job.main(hf_job.Config(data=str(data), out=str(tmp_path), push_to="me/there", lora_r=0), push)

    # then GRPO's folder is at the repository
    assert pushed == [(tmp_path / "grpo", "me/there", True)]
    assert outcome["pushed"] == "https://hub/me/there"
    assert outcome["verdict"] == "better"
    assert outcome["grpo"] == {"steps": 200}


def test_a_push_without_a_token_is_refused_before_anything_is_trained(data: Path) -> None:
    with pytest.raises(TrainingRefused, match="without a token: pass one with --secrets HF_TOKEN"):
        hf_job.main(hf_job.Config(data=str(data), push_to="me/there"))


@pytest.mark.parametrize("name", ["", "nowhere", "./nowhere/at-all", "a/b/c"])
def test_data_that_can_be_nowhere_is_refused(name: str) -> None:
    with pytest.raises(TrainingRefused, match=r"name a data set repository|no folder"):
        hf_job.data_folder(name)


def test_data_without_its_folders_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sft").mkdir()

    with pytest.raises(TrainingRefused, match="lacks starts: make them with"):
        hf_job.data_folder(str(tmp_path))


def test_grpo_goes_on_where_the_warm_start_ended(tmp_path: Path) -> None:
    config = hf_job.Config(lora_r=0, seed=3)

    warm = hf_job.warm_start(config, config.model, tmp_path, tmp_path / "sft")
    trained = hf_job.reinforced(config, str(tmp_path / "sft"), tmp_path, tmp_path / "grpo")

    assert warm.out == trained.model
    assert (warm.lr, trained.lr, warm.seed, trained.seed) == (2e-5, 1e-6, 3, 3)
    assert trained.trl == "{}"


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")  # PEFT asks for it
def test_an_adapter_is_merged_before_it_is_pushed(tmp_path: Path) -> None:
    # given a run whose result is an adapter over weights of this machine
    base, trained = smallest_model(tmp_path / "base"), tmp_path / "grpo"
    loaded = load_model(str(base))
    get_peft_model(loaded.model, LoraConfig(r=2, target_modules="all-linear")).save_pretrained(trained)
    (trained / "evaluation").mkdir()
    for name in hf_job.KEPT:
        (trained / name).write_text("library_name: peft\n")

    # when it is made ready to be pushed
    folder = hf_job.whole(hf_job.Config(lora_r=2), tmp_path)

    # then the folder holds all weights, and its card says so
    assert load_model(str(folder)).base == str(folder)
    assert (folder / "README.md").read_text() == "library_name: transformers\n"
    assert (folder / "evaluation").is_dir()
