"""Our chat template: how a conversation, and the calls in it, become text, and how an answer is read back.

Turns are in ChatML without line breaks between them; calls are written as Hermes and Qwen models write them:
`<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. The system turn lists the tools that its own text does not
name. What the model answers is marked for training, its end token included, and earlier turns read the same whatever
follows them.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

TURN_START, TURN_END, CALL_START, CALL_END = "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"
CALL_OPENING = '{{"name": "{name}", "arguments": {{'
"""How the JSON of a call begins, for `str.format`."""

RESPONSE_TEMPLATE: Mapping[str, Any] = MappingProxyType(
    {
        "defaults": {"role": "assistant"},
        "start_anchor": f"{TURN_START}assistant\n",
        "fields": {
            "tool_calls": {
                "open": CALL_START,
                "close_pattern": rf"{CALL_END}\s*",
                "repeats": True,
                "content": "json",
                "transform": {"type": "function", "function": "{content}"},
            },
            "content": {"close_pattern": r"<\|im_end\|>\s*", "content": "text"},
        },
    }
)
"""How transformers' `parse_response` reads an answer: TRL takes it from the tokenizer, with which it is saved."""


UNTOLD = "{%- set untold = true -%}\n"
"""Put before the template, it leaves out the system turn."""


def chat_template(*, told: bool = True) -> str:
    """Return the template, in Jinja; without `told` it leaves out the system turn, tools and all.

    A model that was built from nothing cannot read instructions: it learns what to do from rewards alone, and four
    fifths of a first prompt are instructions.
    """
    template = (Path(__file__).parent / "chat.jinja").read_text(encoding="utf-8").rstrip("\n")
    return template if told else UNTOLD + template


def teach(tokenizer: Any, *, told: bool = True) -> None:
    """Give a tokenizer our template and the way to read its answers."""
    tokenizer.chat_template = chat_template(told=told)
    tokenizer.response_template = dict(RESPONSE_TEMPLATE)
