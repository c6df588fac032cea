"""Arguments are judged by the tool's own declaration, and a refusal says what is wrong and what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from releaseops_mcp import canonical
from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.arguments import MAX_PROBLEMS, judge
from releaseops_mcp.episodes.base import Refusal
from releaseops_mcp.errors import InvalidArgument

TOOL = ToolSpec(
    name="weigh",
    title="Weigh",
    description="Weigh a thing.",
    parameters=(
        Parameter(name="what", type="string", description="What.", enum=("apple", "pear")),
        Parameter(name="times", type="integer", description="How often.", required=False, default=3, minimum=1,
                  maximum=60),
        Parameter(name="least", type="number", description="At least.", required=False, minimum=0),
        Parameter(name="wet", type="boolean", description="Whether wet.", required=False),
        Parameter(name="note", type="string", description="Any words.", required=False),
    ),
)  # fmt: skip
BARE = ToolSpec(name="look", title="Look", description="Look.")


def refusal_of(**arguments):
    refusal = judge(TOOL, arguments)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.kind) == ("invalid_argument", InvalidArgument)
    return refusal.message


def test_good_arguments_come_back_with_defaults_filled_in():
    assert judge(TOOL, {"what": "pear"}) == {"what": "pear", "times": 3, "least": None, "wet": None, "note": None}


def test_null_stands_for_an_optional_argument_left_out():
    assert judge(TOOL, {"what": "pear", "times": None, "least": None}) == judge(TOOL, {"what": "pear"})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "what is missing: give one of apple, pear. weigh takes what, times, least, wet, note."),
        ({"what": None}, "what is missing"),
        ({"what": "plum"}, "what must be one of apple, pear, not 'plum'"),
        ({"what": ["apple"]}, "what must be one of apple, pear, not ['apple']"),
        ({"what": "pear", "times": 0}, "times must be a whole number from 1 to 60, not 0"),
        ({"what": "pear", "times": 61}, "from 1 to 60"),
        ({"what": "pear", "times": 2.5}, "a whole number from 1 to 60, not 2.5"),
        ({"what": "pear", "times": True}, "times must be a whole number"),
        ({"what": "pear", "times": "3"}, "times must be a whole number from 1 to 60, not '3'"),
        ({"what": "pear", "least": -1}, "least must be a number of at least 0, not -1"),
        ({"what": "pear", "least": False}, "least must be a number of at least 0, not False"),
        ({"what": "pear", "least": float("nan")}, "least must be a number"),
        ({"what": "pear", "least": float("inf")}, "least must be a number"),
        ({"what": "pear", "wet": 1}, "wet must be true or false, not 1"),
        ({"what": "pear", "note": 5}, "note must be a string, not 5"),
        ({"what": "pear", "size": 1}, "'size' is no argument"),
    ],
)
def test_a_bad_argument_is_named_with_what_is_allowed(arguments, said):
    message = refusal_of(**arguments)
    assert said in message
    assert message.endswith("Nothing has changed: mend the arguments and call it again.")


def test_every_problem_is_listed_up_to_a_limit():
    assert refusal_of(times=0, wet="no", colour=1).count(";") == 3
    crowd = {f"x{number:03d}": number for number in range(100)}
    assert refusal_of(**crowd).count("is no argument") == MAX_PROBLEMS


def test_what_was_sent_is_echoed_short_and_in_ascii():
    message = refusal_of(what="ünï" + "x" * 500)
    assert message.isascii()
    assert len(message) < 250


def test_a_tool_without_arguments_takes_nothing():
    assert judge(BARE, {}) == {}
    refusal = judge(BARE, {"deep": {"er": 1}})
    assert isinstance(refusal, Refusal)
    assert "look takes nothing" in refusal.message


def test_a_number_beyond_any_float_is_judged_like_any_other():
    assert judge(TOOL, {"what": "pear", "least": 2**1024 - 1}) != {}
    assert "times must be" in refusal_of(what="pear", times=2**1024 - 1)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from(["what", "times", "least", "wet", "note", "x"]) | st.text(), _json))
def test_whatever_is_sent_is_judged_and_what_passes_passes_again(arguments):
    judged = judge(TOOL, canonical.plain(arguments))
    if not isinstance(judged, Refusal):
        assert judge(TOOL, judged) == judged
    else:
        assert len(judged.message) < 3_000
