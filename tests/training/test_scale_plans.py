"""The layouts: every file of theirs is read by the library that will read it."""

import json
import shlex
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from accelerate import FullyShardedDataParallelPlugin
from accelerate.commands.config.config_args import load_config_from_file
from accelerate.commands.launch import _validate_launch_command, launch_command_parser
from accelerate.utils import DistributedType
from accelerate.utils.launch import prepare_multi_gpu_env
from pydantic import ValidationError
from trl import GRPOConfig
from trl.scripts.vllm_serve import ScriptArguments, build_command

from training import grpo
from training.options import parse
from training.running import usual_arguments
from training.scale import arithmetic, launch, tables
from training.scale.plans import FOLDER, PLANS, Plan
from training.scale.shapes import Workload

CONFIGS = sorted((FOLDER / "accelerate").glob("*.yaml"))
SAMPLING = sorted((FOLDER / "vllm").glob("*.json"))
COLOCATE = FOLDER / "vllm" / "colocate.json"
CACHE = "GB of cache, all episodes of one engine at full length"
CONFIG = launch.Config(model="runs/sft", data="data/starts", out="runs/grpo")


@pytest.fixture(params=PLANS.values(), ids=lambda plan: plan.name)
def plan(request: pytest.FixtureRequest) -> Plan:
    return request.param


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_accelerate_reads_every_config(path: Path) -> None:
    read = load_config_from_file(str(path))

    assert read.num_processes == read.num_machines * (read.num_processes // read.num_machines)
    assert read.distributed_type in {DistributedType.NO, DistributedType.MULTI_GPU, DistributedType.FSDP}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_accelerate_launches_our_module_from_every_config(path: Path) -> None:
    words = ["--config_file", str(path), "-m", "training.grpo", "--steps", "1"]

    read = launch_command_parser().parse_args(words)

    assert read.module
    assert (read.training_script, read.training_script_args) == ("training.grpo", ["--steps", "1"])


@pytest.mark.parametrize("path", [path for path in CONFIGS if "fsdp" in path.stem], ids=lambda path: path.stem)
def test_sharding_is_what_the_files_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # given the environment that `accelerate launch` gives its processes
    words = ["--config_file", str(path), "--num_machines", "1", "-m", "training.grpo"]
    arguments, _, _ = _validate_launch_command(launch_command_parser().parse_args(words))
    for name, value in prepare_multi_gpu_env(arguments).items():
        if name.startswith("FSDP"):
            monkeypatch.setenv(name, value)

    # when a process sets sharding up
    plugin = FullyShardedDataParallelPlugin()

    # then weights are given back after each pass, and activations are computed again
    assert plugin.fsdp_version == 2
    assert plugin.reshard_after_forward is True
    assert plugin.activation_checkpointing
    assert plugin.cpu_ram_efficient_loading


def test_a_plan_and_its_config_agree_on_processes_and_machines(plan: Plan) -> None:
    read = load_config_from_file(str(FOLDER / "accelerate" / plan.accelerate))

    assert (read.num_processes, read.num_machines) == (plan.processes, plan.machines)
    assert (read.distributed_type == DistributedType.FSDP) == plan.sharded


def test_the_training_script_takes_what_a_plan_gives_it(plan: Plan, tmp_path: Path) -> None:
    words = launch.train_arguments(plan, CONFIG)

    config = parse(grpo.Config, words)
    trl = grpo.grpo_config(config, tmp_path)

    assert trl.use_vllm
    assert trl.vllm_mode == plan.rollouts
    assert trl.per_device_train_batch_size == plan.micro_batch
    assert trl.per_device_train_batch_size * trl.gradient_accumulation_steps * plan.processes == plan.workload.rollouts
    assert plan.workload.rollouts % trl.num_generations == 0


@pytest.mark.parametrize("path", SAMPLING, ids=lambda path: path.stem)
def test_trl_takes_every_way_to_sample(path: Path, tmp_path: Path) -> None:
    fields = json.loads(path.read_text())

    trl = GRPOConfig(**usual_arguments(grpo.Config(), tmp_path) | fields)

    assert {name: getattr(trl, name) for name in fields} == fields


def test_the_server_is_started_with_the_flags_that_trl_demands() -> None:
    plan = PLANS["eight-nodes"]
    ours = shlex.split(launch.serve_command(plan, CONFIG))
    theirs = build_command(
        ScriptArguments(model="runs/sft", tensor_parallel_size=8, gpu_memory_utilization=0.9, max_model_len=4096)
    )

    assert ours[:3] == ["VLLM_SERVER_DEV_MODE=1", "vllm", "serve"]
    for flag in ("--weight-transfer-config", "--logprobs-mode", "--max-logprobs", "--max-model-len", "--port"):
        assert ours[ours.index(flag) + 1] == theirs[theirs.index(flag) + 1]
    assert ours[ours.index("--tensor-parallel-size") + 1] == "8"


def test_a_server_on_the_same_machine_has_gpus_of_its_own() -> None:
    plan = PLANS["eight-gpus-server"]

    served, trained = launch.serve_command(plan, CONFIG), launch.train_command(plan, CONFIG)

    assert served.startswith("CUDA_VISIBLE_DEVICES=6,7 ")
    assert trained.startswith("CUDA_VISIBLE_DEVICES=0,1,2,3,4,5 ")


def test_each_machine_is_started_with_its_rank_and_one_log() -> None:
    text = launch.main(launch.Config(plan="eight-nodes", address="10.1.1.1", server="10.1.1.9"))

    commands = [line for line in text.splitlines() if line.startswith("accelerate")]
    read = [launch_command_parser().parse_args(shlex.split(line)[2:]) for line in commands]
    assert [each.machine_rank for each in read] == list(range(7))
    assert {each.main_process_ip for each in read} == {"10.1.1.1"}
    assert all("postgresql" in " ".join(each.training_script_args) for each in read)
    assert "10.1.1.9" in commands[0]


def test_every_plan_can_be_asked_for() -> None:
    assert set(get_args(get_type_hints(launch.Config)["plan"])) == set(PLANS)


def test_a_plan_that_cannot_be_cut_up_is_refused() -> None:
    with pytest.raises(ValidationError, match="choose another number"):
        Plan.model_validate(PLANS["one-gpu"].model_dump() | {"workload": Workload(rollouts=100)})


def test_a_server_without_gpus_is_refused() -> None:
    with pytest.raises(ValidationError, match="a server needs GPUs of its own"):
        Plan.model_validate(PLANS["one-gpu"].model_dump() | {"rollouts": "server"})


def test_an_engine_that_cannot_share_its_heads_is_refused() -> None:
    with pytest.raises(ValidationError, match="choose a number that divides them"):
        Plan.model_validate(PLANS["eight-nodes"].model_dump() | {"serving": 7})


def test_weights_and_cache_fit_into_an_engine(plan: Plan) -> None:
    memory = dict(tables.memory(plan))
    share = 0.9 * plan.serving if plan.serving else json.loads(COLOCATE.read_text())["vllm_gpu_memory_utilization"]

    needs = 2 * arithmetic.parameters(plan.shape) / 1e9 + float(memory[CACHE])

    assert needs <= share * plan.accelerator.memory_gb


def test_the_tables_share_memory_as_the_config_does() -> None:
    share = json.loads(COLOCATE.read_text())["vllm_gpu_memory_utilization"]

    assert dict(tables.memory(PLANS["one-gpu"]))["GB: engine beside the trainer"] == f"{share * 141:.1f}"


def test_a_plan_fits_into_its_gpus(plan: Plan) -> None:
    left = next(float(value) for name, value in tables.memory(plan) if name.startswith("GB left"))

    assert left > 0


def test_the_parts_of_a_step_add_up_to_the_hours(plan: Plan) -> None:
    listed = dict(tables.time(plan))

    total = sum(tables.seconds(plan).values())

    assert listed["seconds a step"] == f"{total:.1f}"
    assert listed[f"hours for {plan.workload.steps} steps"] == f"{total * plan.workload.steps / 3600:.1f}"


def test_the_page_has_the_tables_of_today() -> None:
    assert tables.main(["--check"]) == 0


def test_a_stale_page_is_noticed_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- plans -->\nold\n<!-- end -->\nAfter.\n")
    monkeypatch.setattr(tables, "PAGE", page)

    assert tables.main(["--check"]) == 1
    assert tables.main(["--write"]) == 0
    assert tables.main(["--check"]) == 0
    assert page.read_text().startswith("Before.\n<!-- plans -->\n| ")
    assert page.read_text().endswith("<!-- end -->\nAfter.\n")


def test_an_unknown_argument_is_refused() -> None:
    assert tables.main(["--frobnicate"]) == 2
