"""Any model that calls tools loads, adapters too; one that does not is refused with a reason."""

import pytest
import torch
from peft import LoraConfig, get_peft_model

from releaseops_mcp.errors import InvalidArgument
from tests.training import arms
from training.models.loading import load_model, ready


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        arms.install(patch)
        return arms.build_model(tmp_path_factory.mktemp("model"))


def test_a_folder_loads_with_its_tokenizer(folder):
    loaded = load_model(str(folder))

    assert loaded.base == str(folder)
    assert loaded.stops == {loaded.tokenizer.convert_tokens_to_ids("<|im_end|>")}
    assert loaded.context == arms.SIZE.context
    assert not loaded.model.training


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")  # peft asks by the old name
def test_an_adapter_is_merged_into_its_base(folder, tmp_path):
    # given an adapter that changes something
    base = load_model(str(folder))
    tuned = get_peft_model(base.model, LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False))
    tuned.peft_config["default"].base_model_name_or_path = str(folder)
    tuned.save_pretrained(tmp_path / "adapter")

    # when its folder is loaded
    loaded = load_model(str(tmp_path / "adapter"))

    # then it acts as base and adapter together, under the base's tokenizer
    ids = torch.tensor([[5, 6, 7]])
    with torch.no_grad():
        assert torch.allclose(loaded.model(ids).logits, tuned(ids).logits, atol=1e-5)
    assert loaded.base == str(folder)
    assert type(loaded.model).__name__ == "Qwen3ForCausalLM"


def test_a_name_that_leads_nowhere_is_said(tmp_path):
    with pytest.raises(InvalidArgument, match="cannot be loaded"):
        load_model(str(tmp_path / "nowhere"))


def test_a_template_without_tools_is_refused(folder):
    tokenizer = load_model(str(folder)).tokenizer
    tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"

    with pytest.raises(InvalidArgument, match="does not render tool calls"):
        ready(tokenizer, "deaf")


def test_a_template_that_rewrites_earlier_turns_is_refused(folder):
    tokenizer = load_model(str(folder)).tokenizer
    tokenizer.chat_template = "{{ messages | length }} " + tokenizer.chat_template

    with pytest.raises(InvalidArgument, match="rewrites earlier turns"):
        ready(tokenizer, "fickle")


def test_a_template_whose_calls_nobody_can_read_is_refused(folder):
    tokenizer = load_model(str(folder)).tokenizer
    tokenizer.response_template = None

    with pytest.raises(InvalidArgument, match="response_template"):
        ready(tokenizer, "mute")


def test_a_tokenizer_without_padding_gets_its_end_token(folder):
    tokenizer = load_model(str(folder)).tokenizer
    tokenizer.pad_token = None

    assert ready(tokenizer, "plain").pad_token_id == tokenizer.eos_token_id
