"""Layouts of a GRPO run as data: which model, on how many GPUs, started how. None of them was run.

Hyperparameters follow what is usual for instruct models of this size: LoRA of rank 32 or all weights, groups of 8 to
16, a learning rate of 1e-5 with LoRA and 1e-6 without, TRL's `dapo` loss with an upper clip of 0.28.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field, model_validator

from training.scale.shapes import H200, MODELS, Accelerator, Frozen, ModelShape, Workload

FOLDER = Path(__file__).parent


class Plan(Frozen):
    """One layout."""

    name: str
    title: str
    model: str = Field(description="a name of MODELS")
    accelerate: str
    """File in `accelerate/`."""
    rollouts: Literal["colocate", "server"]
    """File in `vllm/`: sampling on the training GPUs, or on GPUs of its own."""
    machines: int = 1
    """That train."""
    processes: int
    """That train, one a GPU, over all machines."""
    serving: int = 0
    """GPUs that only sample, as one engine; on a machine of their own where there are several machines."""
    lora_r: int = 0
    group: int = 16
    accumulate: int
    """Parts that a step is cut into, so that the sequences of one part fit into memory."""
    lr: float
    workload: Workload = Workload()
    accelerator: Accelerator = H200

    @model_validator(mode="after")
    def _divides(self) -> "Plan":
        share = self.processes * self.accumulate
        if self.workload.rollouts % share or self.workload.rollouts % self.group:
            raise ValueError(
                f"plan {self.name}: {self.workload.rollouts} rollouts a step neither fill {share} parts evenly nor "
                f"groups of {self.group}: choose another number"
            )
        if (self.rollouts == "server") != (self.serving > 0):
            raise ValueError(f"plan {self.name}: a server needs GPUs of its own, and only a server has them")
        if self.serving and self.shape.heads % self.serving:
            raise ValueError(
                f"plan {self.name}: an engine on {self.serving} GPUs cannot share the {self.shape.heads} attention "
                "heads evenly: choose a number that divides them"
            )
        return self

    @property
    def shape(self) -> ModelShape:
        """The model's sizes."""
        return MODELS[self.model]

    @property
    def gpus(self) -> int:
        """All GPUs, those that only sample included."""
        return self.processes + self.serving

    @property
    def sharded(self) -> bool:
        """Whether the training GPUs share one copy of the model."""
        return self.accelerate.startswith("fsdp")

    @property
    def micro_batch(self) -> int:
        """Sequences that a GPU holds at a time."""
        return self.workload.rollouts // (self.processes * self.accumulate)


PLANS: Mapping[str, Plan] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            Plan(
                name="one-gpu",
                title="1 GPU: LoRA, vLLM beside the trainer",
                model="Qwen/Qwen2.5-1.5B-Instruct",
                accelerate="one-gpu.yaml",
                rollouts="colocate",
                processes=1,
                lora_r=32,
                accumulate=32,
                lr=1e-5,
                workload=Workload(rollouts=128),
            ),
            Plan(
                name="eight-gpus",
                title="8 GPUs: LoRA, a copy and an engine on each (DDP)",
                model="Qwen/Qwen3-4B-Instruct-2507",
                accelerate="ddp.yaml",
                rollouts="colocate",
                processes=8,
                lora_r=32,
                accumulate=16,
                lr=1e-5,
                workload=Workload(rollouts=512),
            ),
            Plan(
                name="eight-gpus-server",
                title="8 GPUs: all weights, 6 train (FSDP), 2 serve vLLM",
                model="Qwen/Qwen3-4B-Instruct-2507",
                accelerate="fsdp.yaml",
                rollouts="server",
                processes=6,
                serving=2,
                accumulate=4,
                lr=1e-6,
                workload=Workload(rollouts=384),
            ),
            Plan(
                name="eight-nodes",
                title="8 nodes of 8 GPUs: all weights, 7 nodes train (FSDP), 1 serves vLLM",
                model="Qwen/Qwen2.5-14B-Instruct",
                accelerate="fsdp-nodes.yaml",
                rollouts="server",
                machines=7,
                processes=56,
                serving=8,
                accumulate=2,
                lr=1e-6,
                workload=Workload(rollouts=1792),
            ),
            Plan(
                name="eight-nodes-copies",
                title="8 nodes of 8 GPUs: LoRA, a copy and an engine on each (DDP)",
                model="Qwen/Qwen2.5-14B-Instruct",
                accelerate="ddp-nodes.yaml",
                rollouts="colocate",
                machines=8,
                processes=64,
                lora_r=32,
                accumulate=8,
                lr=1e-5,
                workload=Workload(rollouts=2048),
            ),
        )
    }
)
"""By name."""
