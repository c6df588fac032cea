"""Versions, specifiers and ranges are read as packaging reads them, and ranges evaluate as OSV's rules say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from releaseops_mcp.world.versions import Event, allows, is_affected, is_version, key

NUMBERS = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(lambda numbers: ".".join(map(str, numbers)))
STAGES = st.sampled_from(["", "a1", "b1", "b2", "rc1", "rc2"])
POSTS = st.sampled_from(["", "", "", ".post1", ".post2"])
VERSIONS = st.builds("{}{}{}".format, NUMBERS, STAGES, POSTS)
SIGNS = st.sampled_from(["==", "!=", ">=", "<=", ">", "<"])
COMPATIBLE = st.builds("~={}.{}".format, st.integers(0, 4), NUMBERS)
PREFIXED = st.builds("{}{}.*".format, st.sampled_from(["==", "!="]), NUMBERS)
SPECIFIERS = st.one_of(st.builds("{}{}".format, SIGNS, VERSIONS), COMPATIBLE, PREFIXED)


@given(VERSIONS, VERSIONS)
def test_versions_compare_as_packaging_compares_them(one, other):
    assert (key(one) < key(other)) == (Version(one) < Version(other))
    assert (key(one) == key(other)) == (Version(one) == Version(other))


@given(st.lists(SPECIFIERS, max_size=3), VERSIONS)
def test_specifiers_allow_what_packaging_allows(specifiers, version):
    text = ",".join(specifiers)
    assert allows(text, version) == SpecifierSet(text).contains(version, prereleases=True), (text, version)


@given(
    st.sets(VERSIONS.filter(lambda version: version != "0"), min_size=2, max_size=4),
    st.sampled_from(["fixed", "last_affected"]),
    VERSIONS,
)
def test_a_range_holds_what_packaging_finds_between_its_edges(edges, end, version):
    """Two or four edges in order: introduced, ended, and once more; `0` is no edge but the start."""
    distinct = sorted({Version(edge): edge for edge in edges}.items())
    events = [Event(("introduced", end)[place % 2], edge) for place, (_, edge) in enumerate(distinct)]
    within = False
    for place in range(0, len(events), 2):
        start, ends = Version(events[place].version), events[place + 1 : place + 2]
        below = all(
            Version(version) < Version(each.version)
            or (end == "last_affected" and Version(version) == Version(each.version))
            for each in ends
        )
        within = within or (start <= Version(version) and below)
    assert is_affected(version, events) == within
    assert is_affected(version, events[::-1]) == within


@pytest.mark.parametrize(
    ("version", "affected"),
    [("0a1", True), ("1.9.0", True), ("2.0.0rc1", True), ("2.0.0", False), ("2.0.0.post1", False)],
)
def test_zero_is_the_start_and_a_pre_release_comes_before_its_fix(version, affected):
    assert is_affected(version, [Event("introduced", "0"), Event("fixed", "2.0.0")]) is affected


@pytest.mark.parametrize("text", ["", "latest", "1.x", "1!2.0", "1.0+local", "1.0.dev1", "v1.0"])
def test_what_is_no_version_here_is_refused(text):
    assert not is_version(text)
    with pytest.raises(ValueError, match="not a version that can be compared"):
        key(text)
