"""Compares trained policies, pair by pair, on the scenarios that both have played."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from releaseops_mcp.evaluation.paired import paired
from training.evaluation.measuring import clusters_of
from training.evaluation.results import Column, Comparison


def comparisons(columns: Sequence[Column], pairs: Sequence[tuple[str, str]] = ()) -> Iterator[Comparison]:
    """Yield a comparison of the `pairs` of trained policies, (before, after), on each set at each temperature.

    Without pairs, each policy is compared with the one before it, and the last with the first.
    """
    trained = [column for column in columns if column.role == "trained"]
    groups: dict[tuple[str, str, float], dict[str, Column]] = {}
    for column in trained:
        group = groups.setdefault((column.suite, column.scenario_set, column.temperature or 0.0), {})
        group[column.policy] = column
    for found in groups.values():
        for before, after in pairs or _in_turn([*found]):
            yield compare(found[before], found[after], _reference(columns, found[before]))


def _in_turn(names: Sequence[str]) -> list[tuple[str, str]]:
    pairs = list(pairwise(names))
    return [*pairs, (names[0], names[-1])] if len(names) > 2 else pairs


def compare(before: Column, after: Column, reference: Column | None) -> Comparison:
    """Compare two policies on one set of scenarios."""
    differences = tuple(
        paired(
            clusters_of(after.outcomes, row.family),
            clusters_of(before.outcomes, row.family),
            suite=before.suite,
            agent=after.policy,
            other=before.policy,
            family=row.family,
        )
        for row in before.rows
    )
    whole = differences[0]
    return Comparison(
        suite=before.suite,
        scenario_set=before.scenario_set,
        temperature=before.temperature or 0.0,
        before=before.policy,
        after=after.policy,
        differences=differences,
        reference=reference.policy if reference else "",
        gap_closed=_gap_closed(before, after, reference),
        finding=whole.finding,
        sentence=f"{before.suite}, {before.scenario_set}, temperature {before.temperature:g}: {whole.sentence}",
    )


def _reference(columns: Sequence[Column], like: Column) -> Column | None:
    named = (column for column in columns if column.role == "reference")
    return next((each for each in named if (each.suite, each.scenario_set) == (like.suite, like.scenario_set)), None)


def _gap_closed(before: Column, after: Column, reference: Column | None) -> float | None:
    if reference is None or reference.mean is None or before.mean is None or after.mean is None:
        return None
    gap = reference.mean - before.mean
    return (after.mean - before.mean) / gap if gap > 0 else None
