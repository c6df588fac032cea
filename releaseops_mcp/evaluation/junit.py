"""The gate for continuous integration: which means are too low, and the same as a JUnit file."""

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from releaseops_mcp.evaluation.tables import ALL, Row


def too_low(rows: Iterable[Row], figure: float) -> list[str]:
    """Return a sentence for each agent that needs judgement and whose mean over all is below a figure, or missing."""
    return [why for row in rows if row.family == ALL and (why := _failure(row, figure)) is not None]


def write_junit(path: Path, rows: Iterable[Row], figure: float | None) -> None:
    """Write a JUnit file: a suite for each agent in each suite, a case for each family; only `all` can fail.

    A degenerate supervisor is skipped, and so is a family without a scored episode.
    """
    root = Element("testsuites", name="releaseops eval")
    grouped: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row.suite, row.agent), []).append(row)
    totals = [_add_suite(root, suite, agent, family, figure) for (suite, agent), family in grouped.items()]
    for name, place in (("tests", 0), ("failures", 1), ("skipped", 2)):
        root.set(name, str(sum(total[place] for total in totals)))
    root.set("errors", "0")
    indent(root)
    ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add_suite(root: Element, suite: str, agent: str, rows: list[Row], figure: float | None) -> tuple[int, int, int]:
    element = SubElement(root, "testsuite", name=f"{suite}: {agent}")
    failures = skipped = 0
    for row in rows:
        case = SubElement(element, "testcase", classname=f"{suite}.{agent}", name=f"mean of {row.family}")
        why = _failure(row, figure) if figure is not None and row.family == ALL else None
        if why is not None:
            SubElement(case, "failure", message=why, type="too_low").text = why
            failures += 1
        elif row.degenerate or not row.scored:
            SubElement(case, "skipped", message="degenerate" if row.degenerate else "no scored episode")
            skipped += 1
        SubElement(case, "system-out").text = _figures(row)
    totals = {"tests": len(rows), "failures": failures, "errors": 0, "skipped": skipped}
    for name, number in totals.items():
        element.set(name, str(number))
    return len(rows), failures, skipped


def _failure(row: Row, figure: float) -> str | None:
    if row.degenerate:
        return None
    if row.mean is None:
        return f"{row.agent} on {row.suite}: no scored episode, so nothing shows that it reaches {figure:g}"
    return f"{row.agent} on {row.suite}: mean {row.mean:.4f} is below {figure:g}" if row.mean < figure else None


def _figures(row: Row) -> str:
    between = f"{row.ci95[0]:.4f} to {row.ci95[1]:.4f}" if row.ci95 else "none"
    counted = (
        f"{row.scored} scored, {row.unscored} unscored, {row.infrastructure} infrastructure, {row.truncated} truncated"
    )
    return f"mean {row.mean}, 95 % interval {between}; {counted} of {row.episodes} episodes"
