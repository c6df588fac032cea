"""The tiny model: few tokens a call, a template that TRL can train with, and the same files from the same seed."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from trl.chat_template_utils import (
    get_training_chat_template,
    is_chat_template_prefix_preserving,
    is_chat_template_stop_token_trained,
    parse_response,
    supports_tool_calling,
)

from releaseops_mcp.agents.base import Action
from releaseops_mcp.episodes.registry import suites
from training.conversation import called
from training.datasets.schemas import tool_schemas
from training.models.corpus import call_parts, conversations, words
from training.models.templates import teach
from training.models.tiny import TinySize, build_tiny, tiny_model, tiny_tokenizer
from training.models.tokenizer import train_tokenizer

SIZE = TinySize(scenarios=1)
CLASSICS = (suites()["classic-canary"], suites()["classic-gate"])
"""Their supervisors are quick."""
CALLS = (
    Action("approve_proposal", {"proposal_id": "p123"}),
    Action("block_proposal", {"proposal_id": "p123", "rule_id": "payments_tests_must_pass"}),
    Action("hold_release", {"reason_code": "awaiting_fix"}),
)
PROGRAM = """
import sys
from pathlib import Path
from releaseops_mcp.episodes.registry import suites
from training.models.tiny import TinySize, build_tiny
build_tiny(Path(sys.argv[1]), TinySize.model_validate_json(sys.argv[2]), played=(suites()["classic-canary"],))
"""
PROMPT = [{"role": "system", "content": "You supervise."}, {"role": "user", "content": "phase:ship"}]


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer(CLASSICS, SIZE)


@pytest.fixture(scope="module")
def told():
    """The same tokenizer with the template that shows the system turn, as a pretrained model has it."""
    tokenizer = tiny_tokenizer(CLASSICS, SIZE)
    teach(tokenizer)
    return tokenizer


@pytest.fixture(params=["tokenizer", "told"])
def either(request):
    """A tokenizer under either form of the template."""
    return request.getfixturevalue(request.param)


def ids_of(tokenizer, messages, **options):
    return tokenizer.apply_chat_template(messages, return_dict=True, **options)["input_ids"]


def test_trl_takes_either_form_of_the_template_as_it_is(either):
    # then no other template is put in its place
    assert supports_tool_calling(either)
    assert is_chat_template_prefix_preserving(either)
    assert is_chat_template_stop_token_trained(either)
    assert get_training_chat_template(either) is None


@pytest.mark.parametrize("action", CALLS, ids=lambda action: action.tool)
def test_a_call_costs_a_dozen_tokens_and_reads_back(either, action):
    # given a call as an environment records it
    prompt = ids_of(either, PROMPT, add_generation_prompt=True)
    whole = ids_of(either, [*PROMPT, called(action)])

    # then what is added is short, and TRL reads the same call from it
    answer = whole[len(prompt) :]
    assert whole[: len(prompt)] == prompt
    assert len(answer) <= 12
    read = parse_response(either, answer, prefix=prompt)
    assert read["tool_calls"] == [
        {"type": "function", "function": {"name": action.tool, "arguments": action.arguments}}
    ]


def test_a_broken_call_reads_as_text(tokenizer):
    prompt = ids_of(tokenizer, PROMPT, add_generation_prompt=True)
    broken = tokenizer('<tool_call>{"name": "hold_release", "arguments": {</tool_call><|im_end|>')["input_ids"]

    assert "tool_calls" not in parse_response(tokenizer, broken, prefix=prompt)


def test_names_and_closed_values_of_every_suite_are_tokens_of_their_own():
    # given a tokenizer that has read nothing
    names, parts = words(suites().values()), call_parts(suites().values())
    tokenizer = train_tokenizer([], parts, names, size=SIZE.vocabulary, context=SIZE.context)

    for word in (*names, *parts):
        assert len(tokenizer(word)["input_ids"]) == 1, word


def test_digits_stand_alone(tokenizer):
    assert [tokenizer.decode([token]) for token in tokenizer("p99:1432.5")["input_ids"]][-6:] == [*"1432", ".", "5"]


def test_any_text_comes_back_as_it_went_in(tokenizer):
    text = 'Zoë said: "ship_it\t\n  now" ± 3.14159 🚢 {"name": <tool_call> holds: hold'

    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_episodes_of_the_classics_fit_into_the_context(tokenizer):
    for talk in conversations(CLASSICS, 1):
        assert len(ids_of(tokenizer, talk)) <= SIZE.context


def test_the_system_turn_lists_only_tools_that_it_does_not_name(told):
    # when the prompt names one of the tools
    named = opened(told)

    # then it is not listed again, and the others are, with their closed values
    assert named.count("hold_release(") == 1
    assert "\nask_worker(" in named
    assert "evidence_basis|policy_basis" in named


def test_a_model_that_cannot_read_instructions_is_given_none(tokenizer, told):
    # when it is shown the same prompt
    bare = opened(tokenizer)

    # then the system turn is left out, tools and all, and the rest reads alike
    assert bare == "<|im_start|>user\nphase:ship<|im_end|>"
    assert opened(told).endswith(bare)


def test_the_usual_model_has_about_a_million_parameters(tokenizer):
    model = tiny_model(tokenizer)

    assert 800_000 < model.num_parameters() < 1_200_000
    assert model.config.model_type == "qwen3"
    assert model.config.vocab_size == len(tokenizer)


def test_weights_come_from_the_seed_alone(tokenizer):
    import torch

    # given another state of torch's own random numbers
    before = torch.random.get_rng_state()
    first = tiny_model(tokenizer, seed=1)
    torch.rand(3)
    second, third = tiny_model(tokenizer, seed=1), tiny_model(tokenizer, seed=2)
    torch.random.set_rng_state(before)

    # then the same seed draws the same weights, and that state is left alone
    assert torch.equal(first.model.embed_tokens.weight, second.model.embed_tokens.weight)
    assert not torch.equal(first.model.embed_tokens.weight, third.model.embed_tokens.weight)


def test_another_process_makes_the_same_files(tmp_path):
    # given one model made here
    size = TinySize(hidden=32, layers=1, heads=2, scenarios=1)
    build_tiny(tmp_path / "here", size, played=(suites()["classic-canary"],))

    # when another process, with another hash seed, makes it too
    there = str(tmp_path / "there")
    env = os.environ | {"PYTHONHASHSEED": "7"}
    words = (sys.executable, "-c", PROGRAM, there, size.model_dump_json())
    subprocess.run(words, check=True, env=env, capture_output=True)

    # then no byte differs
    assert hashes(tmp_path / "here") == hashes(tmp_path / "there")


def test_a_vocabulary_without_room_is_refused():
    with pytest.raises(ValueError, match="do not fit"):
        train_tokenizer(["text"], ["part"], [], size=250, context=256)


def opened(tokenizer) -> str:
    """Return a prompt with every tool of classic-gate, one of which its system turn names."""
    messages = [{"role": "system", "content": "hold_release(reason_code: string)"}, PROMPT[1]]
    return tokenizer.apply_chat_template(messages, tools=tool_schemas(suites()["classic-gate"]), tokenize=False)


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
