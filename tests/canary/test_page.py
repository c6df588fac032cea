"""docs/canary.md says what the code says: families, weights, views and questions."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from releaseops_mcp.canary.families.base import TWIN
from releaseops_mcp.canary.families.registry import families_by_id
from releaseops_mcp.canary.on_call import QUESTIONS
from releaseops_mcp.canary.scenarios import world_of
from releaseops_mcp.episodes.canary.tools import ASK_MINUTES, LOOK_MINUTES, TOOLS, VIEWS
from releaseops_mcp.rewards import canary as rewards

PAGE = (Path(__file__).parents[2] / "docs" / "canary.md").read_text()


def family_rows() -> Iterator[str]:
    """Yield the rows of the page's table of families, from the registry."""
    for identifier, family in families_by_id().items():
        story = (import_module(family.plant.__module__).__doc__ or "").partition(": ")[2].strip().rstrip(".")
        case, twin = ("bad" if world_of(name, 0).regression.bad else "good" for name in (identifier, identifier + TWIN))
        yield f"| `{identifier}` {family.title} | {family.teaches} | {story} | {case} | {twin} |"


def weight_rows() -> Iterator[str]:
    """Yield the rows of the page's table of costs, from the reward."""
    yield f"| rolling back a good change | {rewards.FALSE_ROLLBACK:g} |"
    yield f"| promoting a bad change | {rewards.BAD_PROMOTION:g} s v |"
    yield f"| a minute of a bad change, while it is active | {rewards.HARM:g} s v times its share of the traffic |"
    yield f"| a decision | {rewards.DECISION:g} |"
    late = f"{rewards.TIMEOUT_GOOD:g} where the change is good, {rewards.TIMEOUT_BAD:g} where bad"
    yield f"| the deadline, undecided | {late} |"
    harm = "and the harm until then at the present weight"
    yield f"| leaving before that | {rewards.ABANDONED:g} more than the deadline, {harm} |"


@pytest.mark.parametrize("row", [*family_rows(), *weight_rows()])
def test_the_page_has_the_row(row: str) -> None:
    assert row in PAGE.splitlines(), f"docs/canary.md lacks or contradicts this row:\n{row}"


def test_the_page_has_no_other_families() -> None:
    rows = [line for line in PAGE.splitlines() if re.match(r"\| `f\d\d-", line)]

    assert rows == list(family_rows())


@pytest.mark.parametrize("name", [*(tool.name for tool in TOOLS), *VIEWS, *QUESTIONS])
def test_the_page_names_every_tool_view_and_question(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_the_page_says_how_long_looking_and_asking_take() -> None:
    assert (LOOK_MINUTES, ASK_MINUTES) == (1, 10)
    assert "takes a minute" in PAGE
    assert "takes ten minutes" in PAGE
