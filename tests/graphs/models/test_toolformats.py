"""The tool calls that local models write, format by format; nothing is mended."""

import pytest

pytest.importorskip("langchain_core", reason="needs langchain-core")

from graphs.models.calls import RawCall, calls_of
from graphs.models.toolformats import FORMATS, format_of, read_answer
from releaseops_mcp.errors import InvalidArgument

HERMES, MISTRAL, LLAMA = FORMATS
BAD = "unparsable_arguments"


def read(known, text):
    message = read_answer(known, text, "c")
    return message.text, [(call.name, call.arguments) for call in calls_of(message)]


@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        (HERMES, 'Hm. <tool_call>\n{"name": "a", "arguments": {"x": 1}}\n</tool_call>', ("Hm.", [("a", {"x": 1})])),
        (
            HERMES,
            '<tool_call>{"name": "a", "arguments": {}}</tool_call><tool_call>{"name": "b"}</tool_call>',
            ("", [("a", {}), ("b", {})]),
        ),
        (HERMES, '<tool_call>{"name": "a", "arg', ("", [("a", {BAD: '{"name": "a", "arg'})])),
        (HERMES, "<tool_call>go</tool_call>", ("", [("unreadable_tool_call", {BAD: "go"})])),
        (HERMES, "just words", ("just words", [])),
        (MISTRAL, '[TOOL_CALLS][{"name": "a", "arguments": {"x": 1}}]', ("", [("a", {"x": 1})])),
        (MISTRAL, '[TOOL_CALLS][{"name": "a"', ("", [("a", {BAD: '[{"name": "a"'})])),
        (MISTRAL, "words", ("words", [])),
        (LLAMA, '<|python_tag|>{"name": "a", "parameters": {"x": 1}}', ("", [("a", {"x": 1})])),
        (LLAMA, '{"name": "a", "parameters": "x"}', ("", [("a", {BAD: '{"name": "a", "parameters": "x"}'})])),
        (LLAMA, "words", ("words", [])),
    ],
)
def test_an_answer_is_read_as_it_was_written(known, text, expected):
    assert read(known, text) == expected


def test_calls_are_in_order_with_ids_of_their_own():
    text = '<tool_call>{</tool_call><tool_call>{"name": "b", "arguments": {}}</tool_call>'

    assert calls_of(read_answer(HERMES, text, "call_2")) == [
        RawCall("call_2_0", "unreadable_tool_call", {BAD: "{"}),
        RawCall("call_2_1", "b", {}),
    ]


def test_the_template_tells_the_format():
    assert format_of("... <tool_call> ...") is HERMES
    assert format_of('{"name": function, "parameters": ...}') is LLAMA
    with pytest.raises(InvalidArgument, match="none of the known ways: hermes, mistral, llama"):
        format_of("{{ messages }}")
