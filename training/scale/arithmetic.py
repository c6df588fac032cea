"""What a run of GRPO needs: parameters, tokens, memory and hours, from formulas alone. Nothing here was run.

Bytes, floating-point operations and seconds, unless a name says otherwise. The formulas are first-order: they leave out
fragmentation, stragglers, data loading and checkpoints, so read the results as lower bounds of time and memory.

Sources: Kaplan et al. 2020 (arXiv 2001.08361) for operations a token; Rajbhandari et al. 2020 (ZeRO, arXiv 1910.02054)
for bytes a parameter and their sharding; Korthikanti et al. 2022 (arXiv 2205.05198) for activations; Pope et al. 2022
(arXiv 2211.05102) for decoding bound by memory; Hu et al. 2021 (LoRA, arXiv 2106.09685) for adapters.
"""

from training.scale.shapes import Accelerator, Efficiency, ModelShape, Workload

ADAM_BYTES = 16
"""A trained parameter in float32: weight 4, gradient 4, two Adam moments 8 (ZeRO, section 3.1)."""
FROZEN_BYTES = 4
"""A parameter below an adapter: `training.models.loading` loads float32."""
SERVED_BYTES = 2
"""A parameter, or a number of the key-value cache, in vLLM: bf16."""
LAYER_ACTIVATIONS = 34
"""Bytes a token and hidden unit that one layer keeps for its backward pass, attention scores left out, since they are
recomputed blockwise (Korthikanti et al., equation 2)."""
LOGIT_BYTES = 8
"""A logit in float32 and its gradient."""


def parameters(shape: ModelShape) -> int:
    """Return the number of parameters: embeddings, and per layer attention, gated MLP and norms."""
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    attention = 2 * shape.hidden * queries + 2 * shape.hidden * keys
    extras = (queries + 2 * keys if shape.bias else 0) + (2 * shape.head_dim if shape.norm else 0)
    layer = attention + extras + 3 * shape.hidden * shape.intermediate + 2 * shape.hidden
    embeddings = shape.vocabulary * shape.hidden * (1 if shape.tied else 2)
    return embeddings + shape.layers * layer + shape.hidden


def lora_parameters(shape: ModelShape, rank: int) -> int:
    """Return the parameters of a LoRA adapter on every linear layer but the output: rank x (inputs + outputs) each."""
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    attention = 2 * (shape.hidden + queries) + 2 * (shape.hidden + keys)
    return shape.layers * rank * (attention + 3 * (shape.hidden + shape.intermediate))


def episode_tokens(load: Workload) -> int:
    """Return the tokens of one episode: the prompt, its calls, and what they came to."""
    return load.prompt + load.answers * (load.answer + load.result)


def step_tokens(load: Workload) -> int:
    """Return the tokens that one optimizer step reads."""
    return load.rollouts * episode_tokens(load)


def sampled_tokens(load: Workload) -> int:
    """Return the tokens that one step samples, and so learns from."""
    return load.rollouts * load.answers * load.answer


def state_bytes(shape: ModelShape, *, rank: int, shards: int) -> float:
    """Return what weights, gradients and optimizer take on one GPU.

    `rank` 0 trains all weights; `shards` GPUs share them (1: each holds a copy, as under DDP).
    """
    trained = lora_parameters(shape, rank) if rank else parameters(shape)
    frozen = parameters(shape) if rank else 0
    return (ADAM_BYTES * trained + FROZEN_BYTES * frozen) / shards


def activation_bytes(shape: ModelShape, tokens: int, *, checkpointing: bool = True) -> float:
    """Return what the backward pass of `tokens` keeps on one GPU, their logits included.

    With checkpointing each layer keeps its input in two bytes a number, and one layer at a time is computed again
    (Korthikanti et al., section 5).
    """
    inputs = 2 * shape.hidden * tokens
    whole = LAYER_ACTIVATIONS * shape.hidden * tokens
    layers = shape.layers * inputs + whole if checkpointing else shape.layers * whole
    return layers + LOGIT_BYTES * shape.vocabulary * tokens


def cache_bytes(shape: ModelShape, tokens: int) -> int:
    """Return what the key-value cache of `tokens` takes: two numbers a layer, head and head dimension."""
    return 2 * shape.layers * shape.kv_heads * shape.head_dim * SERVED_BYTES * tokens


def training_flops(shape: ModelShape, tokens: int, *, checkpointing: bool = True, reference: bool = False) -> float:
    """Return the operations of one optimizer step over `tokens`.

    2 N a token forward and 4 N backward (Kaplan et al., section 2.1), 2 N once more where activations are computed
    again, 2 N for the probabilities before the step and 2 N for those of a reference model (beta above 0).
    """
    passes = 6 + 2 + (2 if checkpointing else 0) + (2 if reference else 0)
    return float(passes * parameters(shape)) * tokens


def training_seconds(
    shape: ModelShape, tokens: int, gpus: int, accelerator: Accelerator, efficiency: Efficiency, *, reference: bool
) -> float:
    """Return the time of the passes of one step, shared by `gpus`."""
    speed = gpus * accelerator.tflops * 1e12 * efficiency.training
    return training_flops(shape, tokens, reference=reference) / speed


def decode_seconds(
    shape: ModelShape, load: Workload, engines: int, gpus_each: int, accelerator: Accelerator, efficiency: Efficiency
) -> float:
    """Return the time in which a step's answers are sampled by `engines` copies of the model on `gpus_each` GPUs each.

    Every token of an episode waits for the one before, and each pass reads all weights and the caches of the episodes
    under way, from memory (Pope et al., section 2). The cache counts at its mean length.
    """
    passes = load.answers * load.answer
    batch = load.rollouts / engines
    cache = cache_bytes(shape, 1) * batch * (load.prompt + episode_tokens(load)) / 2
    read = SERVED_BYTES * parameters(shape) + cache
    return passes * read / (gpus_each * accelerator.bandwidth_gb_s * 1e9 * efficiency.decode)


def prefill_seconds(
    shape: ModelShape, load: Workload, gpus: int, accelerator: Accelerator, efficiency: Efficiency
) -> float:
    """Return the time in which prompts and tools' answers are read: 2 N operations a token, each read once."""
    read = load.rollouts * (load.prompt + load.answers * load.result)
    return 2.0 * parameters(shape) * read / (gpus * accelerator.tflops * 1e12 * efficiency.prefill)


def environment_seconds(load: Workload, processes: int) -> float:
    """Return the time in the arena: every training process makes the calls of its own rollouts, one after another."""
    return load.rollouts * load.answers * load.environment_ms / 1e3 / processes


def gradient_seconds(shape: ModelShape, rank: int, *, gpus: int, speed_gb_s: float, sharded: bool) -> float:
    """Return the time of one step's exchange between `gpus`.

    Copies (DDP) reduce their gradients in a ring: 2 (n-1)/n bytes a byte. Shards (FSDP) gather weights twice and
    scatter gradients once: 3 (n-1)/n (ZeRO, section 7). Four bytes a gradient, two a gathered weight.
    """
    if gpus == 1:
        return 0.0
    trained = lora_parameters(shape, rank) if rank else parameters(shape)
    moved = 2 * 2 * parameters(shape) + 4 * trained if sharded else 2 * 4 * trained
    return moved * (gpus - 1) / gpus / (speed_gb_s * 1e9)


def sync_seconds(shape: ModelShape, speed_gb_s: float) -> float:
    """Return the time in which the new weights reach an engine, in bf16."""
    return SERVED_BYTES * parameters(shape) / (speed_gb_s * 1e9)
