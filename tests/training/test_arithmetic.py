"""The arithmetic of large runs, against cases worked out by hand and against the libraries' own counts."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from peft import LoraConfig, get_peft_model
from transformers import Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM

from training.scale import arithmetic
from training.scale.shapes import H200, MODELS, Efficiency, ModelShape, Workload

FULL = Efficiency(training=1, prefill=1, decode=1, network=1)
SMALL = ModelShape(
    name="small",
    layers=2,
    hidden=8,
    intermediate=16,
    heads=2,
    kv_heads=1,
    head_dim=4,
    vocabulary=32,
    tied=True,
    bias=False,
    norm=True,
)


def built(shape: ModelShape) -> torch.nn.Module:
    kinds = (Qwen3Config, Qwen3ForCausalLM) if shape.norm else (Qwen2Config, Qwen2ForCausalLM)
    config = kinds[0](
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        tie_word_embeddings=shape.tied,
    )
    with torch.device("meta"):
        return kinds[1](config)


def test_a_small_model_is_counted_by_hand() -> None:
    # attention 8*8 + 2*8*4 + 8*8, norms of heads 2*4, MLP 3*8*16, norms of the layer 2*8; twice; embedding; last norm
    assert arithmetic.parameters(SMALL) == 2 * (192 + 8 + 384 + 16) + 32 * 8 + 8


@pytest.mark.parametrize("shape", [SMALL, *MODELS.values()], ids=lambda shape: shape.name)
def test_parameters_are_those_of_the_built_model(shape: ModelShape) -> None:
    assert arithmetic.parameters(shape) == sum(each.numel() for each in built(shape).parameters())


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")  # PEFT asks for it
def test_an_adapter_has_the_parameters_that_peft_gives_it() -> None:
    tuned = get_peft_model(built(SMALL), LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM"))

    trained = sum(each.numel() for each in tuned.parameters() if each.requires_grad)

    assert arithmetic.lora_parameters(SMALL, 4) == trained


def test_tokens_of_an_episode_and_a_step() -> None:
    load = Workload(prompt=100, answers=3, answer=10, result=20, rollouts=8)

    assert arithmetic.episode_tokens(load) == 190
    assert arithmetic.step_tokens(load) == 1_520
    assert arithmetic.sampled_tokens(load) == 240


def test_full_training_takes_sixteen_bytes_a_parameter_and_shards_share_them() -> None:
    # 7.5 B parameters take 120 GB and, over 64 GPUs, 1.9 GB: figure 1 of the ZeRO paper
    count = arithmetic.parameters(SMALL)

    assert arithmetic.state_bytes(SMALL, rank=0, shards=1) == 16 * count
    assert arithmetic.state_bytes(SMALL, rank=0, shards=64) == 16 * count / 64
    assert 16 * 7.5e9 == 120e9
    assert round(16 * 7.5 / 64, 1) == 1.9


def test_below_an_adapter_a_parameter_takes_four_bytes() -> None:
    adapter = arithmetic.lora_parameters(SMALL, 4)

    assert arithmetic.state_bytes(SMALL, rank=4, shards=1) == 4 * arithmetic.parameters(SMALL) + 16 * adapter


def test_activations_by_hand() -> None:
    # two inputs of 2*8 bytes, one layer of 34*8, logits of 8*32, for each of ten tokens
    assert arithmetic.activation_bytes(SMALL, 10) == 10 * (2 * 16 + 272 + 256)
    assert arithmetic.activation_bytes(SMALL, 10, checkpointing=False) == 10 * (2 * 272 + 256)


def test_the_cache_holds_keys_and_values_of_each_layer() -> None:
    # Qwen2.5-14B: 2 * 48 layers * 8 heads * 128 * 2 bytes = 196,608 bytes a token
    assert arithmetic.cache_bytes(MODELS["Qwen/Qwen2.5-14B-Instruct"], 1) == 196_608


def test_passes_of_a_step() -> None:
    count = arithmetic.parameters(SMALL)

    assert arithmetic.training_flops(SMALL, 1) == 10 * count
    assert arithmetic.training_flops(SMALL, 1, checkpointing=False) == 8 * count
    assert arithmetic.training_flops(SMALL, 1, reference=True) == 12 * count


def test_times_follow_from_speed_alone() -> None:
    # given a machine of 1 TFLOP/s and 1 GB/s
    gpu = H200.model_copy(update={"tflops": 1.0, "bandwidth_gb_s": 1.0})
    load = Workload(prompt=100, answers=2, answer=5, result=10, rollouts=4)
    count = arithmetic.parameters(SMALL)

    # when everything runs at full speed
    passes = arithmetic.training_seconds(SMALL, 1_000, 2, gpu, FULL, reference=False)
    decoding = arithmetic.decode_seconds(SMALL, load, 2, 1, gpu, FULL)
    prefill = arithmetic.prefill_seconds(SMALL, load, 2, gpu, FULL)

    # then 10 N a token over 2 GPUs; ten passes that read the weights and the cache of two episodes of 115 tokens
    assert passes == pytest.approx(10 * count * 1_000 / 2e12)
    assert decoding == pytest.approx(10 * (2 * count + 2 * 2 * 1 * 4 * 2 * 2 * 115) / 1e9)
    assert prefill == pytest.approx(2 * count * 4 * 120 / 2e12)


def test_every_process_plays_its_own_rollouts() -> None:
    assert arithmetic.environment_seconds(Workload(rollouts=100, answers=10, environment_ms=2), 4) == 0.5


def test_exchange_between_gpus() -> None:
    count = arithmetic.parameters(SMALL)

    assert arithmetic.gradient_seconds(SMALL, 0, gpus=1, speed_gb_s=1, sharded=False) == 0
    copies = arithmetic.gradient_seconds(SMALL, 0, gpus=4, speed_gb_s=1, sharded=False)
    shards = arithmetic.gradient_seconds(SMALL, 0, gpus=4, speed_gb_s=1, sharded=True)
    assert copies == pytest.approx(8 * count * 0.75 / 1e9)
    assert shards == pytest.approx((4 + 4) * count * 0.75 / 1e9)
    assert arithmetic.sync_seconds(SMALL, 1) == pytest.approx(2 * count / 1e9)


@given(st.integers(1, 64), st.integers(1, 1_000_000))
def test_more_gpus_never_take_longer_and_more_tokens_never_less(gpus: int, tokens: int) -> None:
    def seconds(gpus: int, tokens: int) -> float:
        return arithmetic.training_seconds(SMALL, tokens, gpus, H200, Efficiency(), reference=False)

    assert seconds(gpus + 1, tokens) < seconds(gpus, tokens) < seconds(gpus, tokens + 1)
