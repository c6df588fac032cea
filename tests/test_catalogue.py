"""Several suites' tools become one list that promises no more than each of them keeps."""

import pytest
from jsonschema import Draft202012Validator

from releaseops_mcp.arena.tools import agent_tools
from releaseops_mcp.catalogue import Parameter, ToolSpec, merge_tools, schema_hash
from releaseops_mcp.episodes.registry import suites


def tool(*parameters: Parameter, **hints) -> ToolSpec:
    return ToolSpec(name="inspect", title="Inspect", **{"description": "Look at it."} | hints, parameters=parameters)


def argument(**fields) -> Parameter:
    return Parameter(**{"name": "where", "type": "string", "description": "Where to look."} | fields)


def merged(*tools: ToolSpec) -> ToolSpec:
    (one,) = merge_tools([each] for each in tools)
    return one


def test_tools_of_different_names_stand_in_order_of_first_appearance():
    first, second = tool(), tool().model_copy(update={"name": "decide"})
    assert [each.name for each in merge_tools([[first, second], [second]])] == ["inspect", "decide"]


def test_the_most_conservative_hint_of_all_suites_holds():
    harmless = tool(read_only=True, destructive=False, idempotent=True, open_world=False)
    harmful = tool(read_only=False, destructive=True, idempotent=False, open_world=True)
    for one in (merged(harmless, harmful), merged(harmful, harmless)):
        assert (one.read_only, one.destructive, one.idempotent, one.open_world) == (False, True, False, True)


def test_enums_are_united_and_an_open_one_opens_both():
    first, second = tool(argument(enum=("a", "b"))), tool(argument(enum=("b", "c")))
    assert merged(first, second).parameters[0].enum == ("a", "b", "c")
    assert merged(first, tool(argument())).parameters[0].enum == ()


def test_an_argument_is_required_only_where_every_suite_requires_it():
    only_here, everywhere = argument(name="line", type="integer"), argument()
    one = merged(tool(everywhere, only_here), tool(everywhere))
    assert one.json_schema()["required"] == ["where"]
    assert merged(tool(everywhere), tool(argument(required=False))).json_schema()["required"] == []
    assert merged(tool(), tool(everywhere)).json_schema()["required"] == []


def test_descriptions_are_joined_where_they_differ():
    assert merged(tool(), tool(description="It costs one point.")).description == "Look at it. It costs one point."
    assert merged(tool(), tool()).description == "Look at it."


def test_no_sentence_is_said_twice():
    first = tool(description="Look at it. It costs one point.")
    second = tool(description="Look at it. Suite other: it costs a unit.")
    assert merged(first, second).description == "Look at it. It costs one point. Suite other: it costs a unit."


def test_one_argument_of_two_types_is_a_mistake_of_the_suites():
    with pytest.raises(ValueError, match="argument 'where' of tool 'inspect' is string in one suite and integer in"):
        merged(tool(argument()), tool(argument(type="integer")))


def test_the_schema_shows_what_an_argument_may_be():
    line = argument(name="line", type="integer", required=False, default=0, minimum=0)
    schema = tool(argument(enum=("a",), min_length=1), line).json_schema()
    assert schema == {
        "type": "object",
        "properties": {
            "where": {"type": "string", "description": "Where to look.", "enum": ["a"], "minLength": 1},
            "line": {"type": "integer", "description": "Where to look.", "default": 0, "minimum": 0},
        },
        "required": ["where"],
        "additionalProperties": False,
    }


def test_every_schema_that_agents_get_is_valid():
    for each in agent_tools(suites().values()):
        Draft202012Validator.check_schema(each.json_schema())


def test_the_schema_hash_changes_with_the_schema():
    assert schema_hash([tool()]) == schema_hash([tool()])
    assert schema_hash([tool()]) != schema_hash([tool(argument())])
