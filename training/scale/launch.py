"""Prints the commands that start a layout: one for each machine, nothing is started here.

    python -m training.scale.launch --plan eight-gpus --model runs/sft --data data/starts --out runs/grpo

Where several machines train, each is started with the command of its rank. They share the folders that are named, and
one Postgres log.
"""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from training.options import option, parse
from training.scale.plans import FOLDER, PLANS, Plan


@dataclass
class Config:
    """The arguments."""

    plan: Literal["one-gpu", "eight-gpus", "eight-gpus-server", "eight-nodes", "eight-nodes-copies"] = option(
        "one-gpu", "which layout"
    )
    model: str = option("", "folder or hub name of the model to begin with; empty for the plan's own")
    data: str = option("data/starts", "data set of kind starts")
    out: str = option("runs/grpo", "folder of the run, which all machines see")
    log: str = option("", "URL of the log; machines that train together need one of Postgres")
    address: str = option("10.0.0.1", "address of the machine of rank 0")
    server: str = option("10.0.0.9", "address of the machine that serves, where it is another than those that train")


def main(config: Config) -> str:
    """Return the commands, one a line, each under a line that says where it belongs."""
    plan = PLANS[config.plan]
    lines: list[str] = []
    if plan.serving:
        lines += [f"# {config.server if plan.machines > 1 else 'the same machine, beside the trainer'}: samples"]
        lines += [serve_command(plan, config)]
    for rank in range(plan.machines):
        lines += [f"# machine {rank}: trains", train_command(plan, config, rank)]
    return "\n".join(lines)


def train_command(plan: Plan, config: Config, rank: int = 0) -> str:
    """Return the command that trains on the machine of a rank."""
    words = ["accelerate", "launch", "--config_file", str(FOLDER / "accelerate" / plan.accelerate)]
    if plan.machines > 1:
        words += ["--machine_rank", str(rank), "--main_process_ip", config.address]
    words += ["-m", "training.grpo", *train_arguments(plan, config)]
    return f"{_devices(range(plan.processes))}{shlex.join(words)}" if _shared(plan) else shlex.join(words)


def train_arguments(plan: Plan, config: Config) -> list[str]:
    """Return the arguments of `training.grpo`; `--batch` is what one process plays a step."""
    load = plan.workload
    log = config.log or (f"postgresql+psycopg://arena@{config.address}/arena" if plan.machines > 1 else "")
    return [
        *("--model", config.model or plan.model, "--data", config.data, "--out", config.out),
        *(("--log", log) if log else ()),
        *("--steps", str(load.steps), "--batch", str(load.rollouts // plan.processes), "--group", str(plan.group)),
        *("--accumulate", str(plan.accumulate), "--lr", str(plan.lr), "--lora_r", str(plan.lora_r)),
        *("--beta", "0", "--max_tokens", "2048"),
        *("--trl", json.dumps(trl_fields(plan, config), sort_keys=True)),
    ]


def trl_fields(plan: Plan, config: Config) -> dict[str, object]:
    """Return the fields of TRL's GRPOConfig that say where tokens are sampled."""
    fields: dict[str, object] = json.loads(Path(FOLDER / "vllm" / f"{plan.rollouts}.json").read_text(encoding="utf-8"))
    if plan.serving:
        fields["vllm_server_host"] = config.server if plan.machines > 1 else "127.0.0.1"
    return fields


def serve_command(plan: Plan, config: Config) -> str:
    """Return the command of the vLLM server, with the flags that TRL's trainers need it to have."""
    words = ["vllm", "serve", config.model or plan.model, "--port", "8000", "--max-model-len", "4096"]
    words += ["--tensor-parallel-size", str(plan.serving), "--gpu-memory-utilization", "0.9"]
    words += ["--weight-transfer-config", json.dumps({"backend": "nccl"})]
    words += ["--logprobs-mode", "processed_logprobs", "--max-logprobs", "-1"]
    devices = _devices(range(plan.processes, plan.gpus)) if _shared(plan) else ""
    return f"{devices}VLLM_SERVER_DEV_MODE=1 {shlex.join(words)}"


def _shared(plan: Plan) -> bool:
    """Return whether trainer and server stand on one machine and must be kept on GPUs of their own."""
    return plan.serving > 0 and plan.machines == 1


def _devices(numbers: range) -> str:
    return f"CUDA_VISIBLE_DEVICES={','.join(map(str, numbers))} "


if __name__ == "__main__":
    print(main(parse(Config, about=__doc__ or "")))  # noqa: T201 - the script's answer
