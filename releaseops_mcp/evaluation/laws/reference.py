"""The law of the field: judgement pays, and no policy without judgement comes near it."""

from releaseops_mcp.agents.base import Supervisor
from releaseops_mcp.evaluation.laws.base import Case, Finding
from releaseops_mcp.evaluation.runs import Run
from releaseops_mcp.evaluation.tables import ALL

STATEMENT = "The reference beats every scripted supervisor, and every degenerate one stays far below it."
FAR_BELOW = 0.5
"""On the scale on which the lowest mean of the field is 0 and the reference's is 1: at most this much is far below."""
DEFINITION = (
    "reference: the best scripted supervisor that judges; beats: a higher mean on the mix, no lower one in any family; "
    f"far below: at most {FAR_BELOW:g} on the scale from the field's lowest mean (0) to the reference's (1), everywhere"
)


def reference_of(run: Run) -> Supervisor | None:
    """Return the supervisor with the best mean of those that judge and never failed; None where none has one."""
    failed = {played.agent for played in run.faults}
    judging = [
        (mean, entry)
        for entry in run.supervisors
        if not entry.degenerate and entry.name not in failed and (mean := run.tables.mean(entry.name)) is not None
    ]
    return max(judging, key=lambda pair: pair[0])[1] if judging else None


def stands_above(case: Case) -> Finding:
    """Compare the reference's means with everybody's, on the mix and family by family."""
    tables, reference = case.run.tables, case.reference
    families = tables.families()
    not_beaten = [
        (entry.name, family)
        for entry in case.run.supervisors
        if not entry.degenerate and entry is not reference
        for family in families
        if not _beats(case, entry.name, family)
    ]
    too_near = [
        (entry.name, family, share)
        for entry in case.run.supervisors
        if entry.degenerate
        for family in families
        if (share := _share(case, entry.name, family)) is not None and share > FAR_BELOW
    ]
    too_near.sort(key=lambda item: (item[1] != ALL, -item[2]))
    shown = [_shown(case, name, family) for name, family in (*not_beaten, *((n, f) for n, f, _ in too_near))]
    evidence = f"{_shown(case, reference.name, ALL)} against {len(case.run.supervisors) - 1} others"
    evidence += (
        f"; not beaten: {len(not_beaten)}, degenerate but not far below: {len(too_near)} ({_some(shown)})"
        if shown
        else "; all beaten, every degenerate one far below"
    )
    return Finding(
        suite=tables.suite,
        law="reference",
        statement=STATEMENT,
        verdict="broken" if shown else "holds",
        evidence=f"{evidence}. ({DEFINITION})",
        figures={
            "reference": reference.name,
            "reference_mean": tables.mean(reference.name),
            "far_below": FAR_BELOW,
            "not_beaten": [_figure(case, name, family) for name, family in not_beaten],
            "too_near": [_figure(case, name, family) | {"share": share} for name, family, share in too_near],
        },
    )


def _beats(case: Case, other: str, family: str) -> bool:
    ours, theirs = case.run.tables.mean(case.reference.name, family), case.run.tables.mean(other, family)
    if ours is None or theirs is None:
        return True
    return ours > theirs if family == ALL else ours >= theirs


def _share(case: Case, name: str, family: str) -> float | None:
    """Return where a mean lies between the field's lowest (0) and the reference's (1); above it, more than 1."""
    tables = case.run.tables
    mean, top = tables.mean(name, family), tables.mean(case.reference.name, family)
    lowest = min((m for agent in tables.agents() if (m := tables.mean(agent, family)) is not None), default=None)
    if mean is None or top is None or lowest is None:
        return None
    return (mean - lowest) / (top - lowest) if top > lowest else float(mean >= top)


def _figure(case: Case, name: str, family: str) -> dict[str, object]:
    tables = case.run.tables
    return {
        "agent": name,
        "family": family,
        "mean": tables.mean(name, family),
        "reference_mean": tables.mean(case.reference.name, family),
    }


def _shown(case: Case, name: str, family: str) -> str:
    where = "" if family == ALL else f" in {family}"
    return f"{name} {case.run.tables.mean(name, family):.3f}{where}"


def _some(shown: list[str]) -> str:
    more = f", and {len(shown) - 4} more" if len(shown) > 4 else ""
    return ", ".join(shown[:4]) + more
