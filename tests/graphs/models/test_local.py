"""Local weights as a chat model: a tiny random one, with all that a real one has."""

import pytest

pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("transformers", reason="needs transformers")
pytest.importorskip("langchain_core", reason="needs langchain-core")

import torch
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from graphs.models import chat_model
from graphs.models.settings import ModelSettings
from graphs.models.weights import load_weights
from releaseops_mcp.errors import InvalidArgument
from tests.graphs.models.tiny import TEMPLATE, write_tiny_model

pytestmark = pytest.mark.slow  # torch and transformers take seconds to import

TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}},
}
TALK = [SystemMessage("You supervise."), HumanMessage("go")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


def model(folder, **settings):
    return chat_model(f"hf:{folder}", ModelSettings(max_tokens=12, **settings))


def sampled(folder, seed=0, **settings):
    message = model(folder, **settings).bind_tools([TOOL], seed=seed).invoke(TALK)
    return *message.response_metadata["sampled"], message


def test_greedy_decoding_is_the_models_likeliest_token_each_time(folder):
    ids, logprobs, message = sampled(folder)

    weights = load_weights(folder.resolve())
    prompt = model(folder).prompt_ids(TALK, [TOOL])
    with torch.inference_mode():
        logits = weights.model(input_ids=torch.tensor([prompt + ids])).logits[0, len(prompt) - 1 : -1].float()
    assert logits.argmax(-1).tolist() == ids
    again = torch.log_softmax(logits, -1)[range(len(ids)), ids]
    assert logprobs == pytest.approx(again.tolist(), rel=2e-3)
    assert message.usage_metadata == {
        "input_tokens": len(prompt),
        "output_tokens": len(ids),
        "total_tokens": len(prompt) + len(ids),
    }


def test_sampling_repeats_itself_with_the_same_seed_and_leaves_torchs_own_chance_alone(folder):
    torch.manual_seed(1)
    before = torch.random.get_rng_state()

    draws = [sampled(folder, seed, temperature=1.0)[0] for seed in (1, 1, 2)]

    assert draws[0] == draws[1] != draws[2]
    assert torch.equal(before, torch.random.get_rng_state())


def test_every_answer_names_weights_tokenizer_and_template(folder):
    *_, message = sampled(folder)

    weights = load_weights(folder.resolve())
    facts = message.response_metadata["model_call"]
    named = [weights.policy_version, weights.tokenizer_hash, weights.template_hash]
    assert [facts[name] for name in ("policy_version", "tokenizer_hash", "template_hash")] == named
    assert len({*named}) == 3


def test_other_weights_are_another_policy(folder, tmp_path):
    other = write_tiny_model(tmp_path / "other")
    loaded = load_weights(other).model
    with torch.no_grad():
        loaded.lm_head.weight += 1
    loaded.save_pretrained(tmp_path / "trained")
    for file in other.glob("tok*"):
        (tmp_path / "trained" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "trained" / "chat_template.jinja").write_text(TEMPLATE)

    trained, first = load_weights(tmp_path / "trained"), load_weights(folder.resolve())

    assert trained.policy_version != first.policy_version
    assert (trained.tokenizer_hash, trained.template_hash) == (first.tokenizer_hash, first.template_hash)


def test_tools_calls_and_their_results_go_through_the_template(folder):
    call = {"name": "look", "args": {"at": "x"}, "id": "c", "type": "tool_call"}
    bad = {"name": "look", "args": "{", "id": "d", "error": "", "type": "invalid_tool_call"}
    talk = [
        *TALK,
        AIMessage("", tool_calls=[call]),
        ToolMessage("seen", tool_call_id="c"),
        AIMessage("", invalid_tool_calls=[bad], response_metadata={"text": "<tool_call>{</tool_call>"}),
    ]
    local = model(folder)

    shown = local.weights.tokenizer.decode(local.prompt_ids(talk, [TOOL]))

    assert '"description": "Look."' in shown
    assert '<tool_call>{"name": "look", "arguments": {"at": "x"}}</tool_call><|im_end|>' in shown
    assert "<|im_start|>tool\nseen<|im_end|>" in shown
    assert "<|im_start|>assistant\n<tool_call>{</tool_call><|im_end|>" in shown
    assert shown.endswith("<|im_start|>assistant\n")


def test_a_conversation_that_is_too_long_is_refused(tmp_path):
    small = write_tiny_model(tmp_path / "small", context=64)

    with pytest.raises(ValueError, match="tokens long and the model takes 64"):
        model(small).invoke([HumanMessage("x" * 100)])


def test_weights_that_cannot_be_used_are_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="holds no weights"):
        chat_model(f"hf:{tmp_path}", ModelSettings())
    deaf = write_tiny_model(tmp_path / "deaf", template="{{ messages }}")
    with pytest.raises(InvalidArgument, match="knows no tools"):
        chat_model(f"hf:{deaf}", ModelSettings())
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    with pytest.raises(InvalidArgument, match="cannot be loaded"):
        chat_model(f"hf:{tmp_path / 'broken'}", ModelSettings())


def test_a_tool_call_cannot_be_forced(folder):
    with pytest.raises(NotImplementedError):
        model(folder).bind_tools([TOOL], tool_choice="any")
