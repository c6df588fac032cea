"""The two pages for readers."""

from collections.abc import Iterable, Mapping, Sequence

from releaseops_mcp.artifacts.benchmark import ORDERED_AT_SEED_0, ORDERED_OVER_THE_SWEEP
from releaseops_mcp.artifacts.table import ARTIFACTS, BENCHMARK, CATALOG, INFERENCE, SCORE_SEMANTICS
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary.tasks import TASKS


def index_page(observed: Mapping[str, float]) -> str:
    """Return the reader's guide."""
    rows = (
        (f"`{each.filename}`", each.artifact_kind, _figure(observed.get(each.filename)), each.why_it_exists)
        for each in ARTIFACTS
    )
    return "\n".join(
        [
            "# Review pack of the classic canary",
            "",
            "Made by `releaseops review-artifacts`. Running it again gives the same bytes.",
            "",
            f"In a hurry: `{BENCHMARK}` shows that judgement pays, the `hard_` files show why, `{CATALOG}` shows that",
            f"seeds matter, and `{INFERENCE}` is what the runner prints.",
            "",
            SCORE_SEMANTICS,
            "",
            *_table(("file", "kind", "score", "why"), rows),
            "",
        ]
    )


def audit_page(benchmark: Json, sweep: Json, observed: Mapping[str, float]) -> str:
    """Return the figures of the pack on one page."""
    at_seed_0 = {name: (policy["scores"], policy["average"]) for name, policy in benchmark["policies"].items()}
    over_seeds = {
        name: (policy["aggregate_scores"], policy["aggregate_average"]) for name, policy in sweep["policies"].items()
    }
    orderings = [
        *(f"- {task}, seed 0: {_order(benchmark[f'{task}_task_ordering'])}" for task in ORDERED_AT_SEED_0),
        *(f"- {task}, sweep: {_order(sweep[f'aggregate_{task}_ordering'])}" for task in ORDERED_OVER_THE_SWEEP),
    ]
    singles = ((f"`{name}`", _figure(figure)) for name, figure in observed.items())
    return "\n".join(
        [
            "# The figures on one page",
            "",
            SCORE_SEMANTICS,
            "",
            "## At seed 0",
            "",
            *_scores(at_seed_0),
            "",
            f"## Mean over seeds {', '.join(map(str, sweep['seeds']))}",
            "",
            *_scores(over_seeds),
            "",
            "## Order of the policies, best first",
            "",
            *orderings,
            "",
            "## Single episodes and decisions",
            "",
            *_table(("file", "score"), singles),
            "",
        ]
    )


def _scores(figures: Mapping[str, tuple[Mapping[str, float], float]]) -> list[str]:
    rows = (
        (name, *(_figure(scores[task]) for task in TASKS), _figure(average))
        for name, (scores, average) in figures.items()
    )
    return _table(("policy", *TASKS, "average"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _figure(score: float | None) -> str:
    return "" if score is None else f"{score:.4f}"


def _order(policies: Sequence[str]) -> str:
    return ", ".join(policies)
