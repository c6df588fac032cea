"""One way to turn data into bytes: stable, ASCII, and able to take anything that an agent sends."""

import enum
import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from releaseops_mcp import canonical
from releaseops_mcp.canonical import Encoded, digest, dumps, plain, sha256, splice

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)
SURROGATES = st.text(st.characters(categories=("Cs", "Lu", "Cc")), max_size=40)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**2000), 2**2000)
    | st.floats()
    | SURROGATES
    | st.binary(max_size=3)
    | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.tuples(inner, inner)
        | st.dictionaries(SURROGATES | st.integers() | st.just("$omitted"), inner, max_size=6)
    ),
    max_leaves=30,
)


@pytest.fixture
def small_limits(monkeypatch):
    """Limits that small examples run into."""
    for name, value in {"MAX_STRING_CHARS": 8, "MAX_VALUES": 12, "MAX_CHARS": 40, "MAX_DEPTH": 3}.items():
        monkeypatch.setattr(canonical, name, value)


@given(JSON)
def test_canonical_json_is_ascii_and_reads_back(value):
    text = dumps(value)
    assert text.isascii()
    assert json.loads(text) == value


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=6))
def test_the_order_of_keys_does_not_matter(value):
    backwards = dict(reversed(value.items()))
    assert dumps(backwards) == dumps(value)
    assert digest(backwards) == digest(value) == sha256(dumps(value))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_has_no_number_for_is_refused(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"rate": number})


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=6), st.text(max_size=4), JSON)
def test_splicing_in_an_encoded_value_equals_encoding_the_whole(rest, key, value):
    assert splice(rest, key, dumps(value)) == dumps(rest | {key: value})


def test_an_encoded_value_hashes_like_the_value():
    encoded = Encoded.of({"b": 1, "a": [True, None]})
    assert encoded.text == '{"a":[true,null],"b":1}'
    assert encoded.hash == digest(encoded.value)


@given(JSON)
def test_plain_data_stays_as_it_is(value):
    assert plain(value) == value


@given(ANYTHING)
def test_anything_can_be_made_plain_and_encoded(value):
    once = plain(value)
    assert json.loads(dumps(once)) == once
    assert plain(once) == once


@pytest.mark.usefixtures("small_limits")
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANYTHING)
def test_making_plain_twice_changes_nothing_more_whatever_was_left_out(value):
    once = plain(value)
    assert plain(once) == once


def test_a_long_string_is_replaced_by_its_length_and_hash():
    text = "x" * (canonical.MAX_STRING_CHARS + 1)
    assert plain({"reasoning": text}) == {
        "reasoning": {"$omitted": "long string", "chars": len(text), "sha256": sha256(text)}
    }


def test_a_long_string_with_lone_surrogates_has_a_hash_too():
    assert plain("\ud800" * 70_000)["chars"] == 70_000


def test_many_strings_share_one_allowance():
    share = canonical.MAX_STRING_CHARS
    kept = plain(["x" * share] * (canonical.MAX_CHARS // share + 1))
    assert isinstance(kept[-2], str)
    assert kept[-1]["$omitted"] == "long string"


def test_many_values_are_cut_short():
    assert len(plain(list(range(canonical.MAX_VALUES * 2)))) == canonical.MAX_VALUES - 1
    assert plain([[]] * 3) == [[], [], []]


def test_deep_nesting_ends_in_a_marker():
    deep: list = []
    for _ in range(200):
        deep = [deep]
    text = dumps(plain(deep))
    assert text.count("[") == canonical.MAX_DEPTH
    assert "nested too deeply" in text


@pytest.mark.parametrize(
    ("value", "marker"),
    [
        (math.nan, "float nan"),
        (-math.inf, "float -inf"),
        (1 << 2000, "integer beyond 1,024 bits"),
        (b"raw", "not JSON: bytes"),
        ({1, 2}, "not JSON: set"),
    ],
)
def test_what_json_cannot_hold_becomes_a_marker_that_says_what_it_was(value, marker):
    assert plain({"value": value}) == {"value": {"$omitted": marker}}


def test_odd_keys_become_strings():
    assert plain({1: "a", None: "b"}) == {"$key 1": "a", "$key None": "b"}
    (key,) = plain({"k" * 1000: 1})
    assert len(key) < 256
    assert key.startswith("k" * 128 + "$cut ")


def test_subclasses_of_numbers_become_the_numbers_themselves():
    class Level(enum.IntEnum):
        HIGH = 3

    assert type(plain(Level.HIGH)) is int


def test_a_marker_that_an_agent_sends_stays_small():
    sent = {"$omitted": "x" * 1000}
    assert plain(sent) == sent, "too long to be taken for one of ours: counted like any other value"
    assert plain({"$omitted": 2.5}) == {"$omitted": 2.5}


def test_a_pair_of_surrogates_is_the_character_that_the_log_reads_back():
    assert plain({"\ud83d\ude80": "\ud83d\ude80\ud800"}) == {"\U0001f680": "\U0001f680\ud800"}
