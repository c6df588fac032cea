"""Every error is drawn in the tree, has one row in the table, and reads as code and message."""

import re

import pytest

from releaseops_mcp import errors
from releaseops_mcp.errors import PRESENTATIONS, InvalidArgument, ReleaseOpsError, UserError, presentation

CLASSES = {
    kind.__name__: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, ReleaseOpsError)
}


def test_every_error_is_drawn_in_the_tree_and_nothing_else_is():
    tree = errors.__doc__.split("A message says")[0]
    drawn = re.findall(r"^[ │├└─]*([A-Z]\w+)", "\n".join(tree.splitlines()[2:]), flags=re.MULTILINE)
    assert sorted(drawn) == sorted(CLASSES)


def test_every_error_has_its_own_row_and_code():
    assert set(PRESENTATIONS) == set(CLASSES.values())
    codes = [row.code for row in PRESENTATIONS.values()]
    assert len(set(codes)) == len(codes)


def test_mistakes_of_a_caller_are_4xx_and_ours_are_5xx():
    for kind, row in PRESENTATIONS.items():
        assert (row.http_status < 500) == issubclass(kind, UserError)


def test_an_error_reads_as_its_code_and_message():
    assert InvalidArgument("the offset is negative").text == "invalid_argument: the offset is negative"
    assert InvalidArgument("no such rule", code="invalid_rule").text == "invalid_rule: no such rule"


def test_a_subclass_without_a_row_is_shown_as_its_nearest_ancestor():
    class Odd(InvalidArgument):
        """Has no row."""

    assert presentation(Odd) == PRESENTATIONS[InvalidArgument]
    assert Odd("").code == "invalid_argument"


def test_what_is_no_error_of_ours_has_no_presentation():
    with pytest.raises(AssertionError, match="int is not a ReleaseOpsError"):
        presentation(int)
