"""The sizes that the arithmetic starts from: models, accelerators and workloads, as data with their sources."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """What all of these are: set once, and no field beside the named ones."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelShape(Frozen):
    """A decoder with grouped-query attention and a gated MLP, as in Qwen2.5 and Qwen3."""

    name: str
    """On the hub."""
    layers: int = Field(ge=1)
    hidden: int = Field(ge=1)
    intermediate: int = Field(ge=1)
    heads: int = Field(ge=1)
    """Query heads."""
    kv_heads: int = Field(ge=1)
    """Key and value heads."""
    head_dim: int = Field(ge=1)
    vocabulary: int = Field(ge=1)
    tied: bool
    """Whether the output layer is the embedding."""
    bias: bool
    """Whether queries, keys and values have biases, as in Qwen2.5."""
    norm: bool
    """Whether queries and keys are normalised, as in Qwen3."""


class Accelerator(Frozen):
    """One GPU and what connects it to others."""

    name: str
    memory_gb: float
    """10^9 bytes."""
    tflops: float
    """Dense bf16 matrix products, 10^12 operations a second."""
    bandwidth_gb_s: float
    """Of its memory, 10^9 bytes a second."""
    link_gb_s: float
    """To a GPU of the same machine, one direction, 10^9 bytes a second."""
    network_gb_s: float
    """To a GPU of another machine, one direction, 10^9 bytes a second."""


class Workload(Frozen):
    """One run of GRPO: how long episodes are, and how many there are."""

    prompt: int = 600
    """Tokens before the first answer: system text, tool schemas, first observation."""
    answers: int = 10
    """Calls an episode."""
    answer: int = 40
    """Sampled tokens a call."""
    result: int = 80
    """Tokens of a tool's answer."""
    rollouts: int = 512
    """Episodes a step."""
    steps: int = 500
    """Optimizer steps."""
    environment_ms: float = 2.0
    """Wall time of one call in the arena, the log included: ten times the CPU time in `docs/performance.md`."""


class Efficiency(Frozen):
    """How much of the data sheet a run reaches. Assumptions, not measurements."""

    training: float = Field(default=0.35, gt=0, le=1)
    """Share of `tflops` in forward and backward passes."""
    prefill: float = Field(default=0.35, gt=0, le=1)
    """Share of `tflops` while prompts are read."""
    decode: float = Field(default=0.5, gt=0, le=1)
    """Share of `bandwidth_gb_s` while tokens are sampled."""
    network: float = Field(default=0.6, gt=0, le=1)
    """Share of link and network speed."""


MODELS: Mapping[str, ModelShape] = MappingProxyType(
    {
        shape.name: shape
        for shape in (
            ModelShape(
                name="Qwen/Qwen2.5-1.5B-Instruct",
                layers=28,
                hidden=1536,
                intermediate=8960,
                heads=12,
                kv_heads=2,
                head_dim=128,
                vocabulary=151_936,
                tied=True,
                bias=True,
                norm=False,
            ),
            ModelShape(
                name="Qwen/Qwen3-4B-Instruct-2507",
                layers=36,
                hidden=2560,
                intermediate=9728,
                heads=32,
                kv_heads=8,
                head_dim=128,
                vocabulary=151_936,
                tied=True,
                bias=False,
                norm=True,
            ),
            ModelShape(
                name="Qwen/Qwen2.5-14B-Instruct",
                layers=48,
                hidden=5120,
                intermediate=13_824,
                heads=40,
                kv_heads=8,
                head_dim=128,
                vocabulary=152_064,
                tied=False,
                bias=True,
                norm=False,
            ),
        )
    }
)
"""By name. Source: each model's config.json; the reports are arXiv 2412.15115 (Qwen2.5) and 2505.09388 (Qwen3). Their
chat templates call tools and keep earlier turns as they are, which `training.models.loading` demands."""

H200 = Accelerator(name="H200", memory_gb=141, tflops=989, bandwidth_gb_s=4800, link_gb_s=450, network_gb_s=50)
"""NVIDIA's data sheet of the H200 SXM (bf16 without sparsity; NVLink's 900 GB/s are both directions); one 400 Gb/s
network port a GPU."""
