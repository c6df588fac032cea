"""The gate for continuous integration, and its file as a parser that others wrote reads it."""

from pathlib import Path

import pytest
from junitparser import JUnitXml, TestCase, TestSuite

from releaseops_mcp.evaluation.junit import too_low, write_junit
from releaseops_mcp.evaluation.tables import Row, Tables
from tests.evaluation.entries import entry


@pytest.fixture
def rows() -> list[Row]:
    tables = Tables("toy", ["lazy"])
    for each in (
        entry(reward=0.25),
        entry(agent="lazy", reward=-1.0),
        entry(agent="broken", reward=None, fault="infrastructure: \x00 <&>"),
    ):
        tables.add_entry(each)
    return list(tables.rows())


def test_who_is_too_low_or_has_nothing_to_show(rows: list[Row]) -> None:
    assert too_low(rows, 0.25) == [
        "broken on toy: no scored episode, so nothing shows that it reaches 0.25",
    ]
    assert too_low(rows, 0.5)[0] == "a on toy: mean 0.2500 is below 0.5"


def test_another_parser_reads_the_file(rows: list[Row], tmp_path: Path) -> None:
    write_junit(tmp_path / "junit.xml", rows, 0.5)

    read = JUnitXml.fromfile(str(tmp_path / "junit.xml"))

    assert (read.tests, read.failures, read.errors, read.skipped) == (6, 2, 0, 3)
    suites = {suite.name: suite for suite in read if isinstance(suite, TestSuite)}
    assert suites.keys() == {"toy: a", "toy: lazy", "toy: broken"}
    cases = [case for case in suites["toy: a"] if isinstance(case, TestCase)]
    assert [(case.name, case.is_failure) for case in cases] == [("mean of f99-leak", False), ("mean of all", True)]
    assert cases[1].result[0].message == "a on toy: mean 0.2500 is below 0.5"
    assert "1 scored, 0 unscored, 0 infrastructure, 0 truncated of 1 episodes" in (cases[0].system_out or "")


def test_without_a_figure_nothing_fails(rows: list[Row], tmp_path: Path) -> None:
    write_junit(tmp_path / "junit.xml", rows, None)

    assert JUnitXml.fromfile(str(tmp_path / "junit.xml")).failures == 0
