"""Compares trained policies, pair by pair, on the scenarios that both have played."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from releaseops_mcp.evaluation.paired import paired
from training.evaluation.measuring import clusters_of
from training.evaluation.results import Column, Comparison


def comparisons(columns: Sequence[Column]) -> Iterator[Comparison]:
    """Yield a comparison of each trained policy with the one before it, and of the last with the first."""
    trained = [column for column in columns if column.role == "trained"]
    groups: dict[tuple[str, str, float], list[Column]] = {}
    for column in trained:
        groups.setdefault((column.suite, column.scenario_set, column.temperature or 0.0), []).append(column)
    for found in groups.values():
        pairs = list(pairwise(found))
        if len(found) > 2:
            pairs.append((found[0], found[-1]))
        for before, after in pairs:
            yield compare(before, after, _reference(columns, before))


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
