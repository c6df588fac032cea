"""What an experiment's evaluation proves: claims with figures, intervals and bounds, all seeds together and each."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.evaluation.paired import Difference
from training.evaluation.comparing import compare
from training.evaluation.measuring import figures_of
from training.evaluation.results import Column, Comparison, Evaluation
from training.proof.experiment import Experiment
from training.proof.stages import GRPO, SFT, policy

GAP = 1 / 3
"""Share of the way from the warm start to the reference that GRPO must go."""
ANCHOR = 0.90
"""Mean score that the imitation of expert traces must reach on classic-canary."""


class Claim(BaseModel):
    """One claim, and what was measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim: str
    value: float | None
    ci95: tuple[float, float] | None
    must: str
    ok: bool | None
    """None where nothing was claimed beforehand: a figure for the reader."""


def claims(experiment: Experiment, result: Evaluation, seeds: Sequence[int]) -> Iterator[Claim]:
    """Yield what the evaluation of one experiment says."""
    for column in result.columns:
        if column.role != "degenerate" and column.mean is not None:
            yield _shown(column)
    if experiment.grpo is None:
        for seed in seeds:
            yield from _anchored(result, policy(SFT, seed))
        return
    for scenario_set, temperature in _played(result):
        pooled = pool(result, scenario_set, temperature, seeds)
        yield from _improved(experiment, pooled, scenario_set, temperature)
        for seed in seeds:
            single = _between(result, scenario_set, temperature, seed)
            yield _difference(single.differences[0], f"{_where(single)}, seed {seed}: GRPO less its warm start", None)


def pool(result: Evaluation, scenario_set: str, temperature: float, seeds: Sequence[int]) -> Comparison:
    """Return the comparison of all seeds' warm starts with what GRPO made of them, paired by scenario."""
    before, after = (
        _merged([_column(result, policy(stage, seed), scenario_set, temperature) for seed in seeds], stage)
        for stage in (SFT, GRPO)
    )
    return compare(before, after, _reference(result, scenario_set))


def _improved(experiment: Experiment, found: Comparison, scenario_set: str, temperature: float) -> Iterator[Claim]:
    first = next(iter(experiment.tests))
    decisive = temperature > 0 and scenario_set == first
    text = f"{_where(found)}, all seeds: GRPO less its warm start"
    yield _difference(found.differences[0], text, "the interval lies above 0" if decisive else None)
    closed = found.gap_closed
    judged = decisive and experiment.suite == "canary"
    yield Claim(
        claim=f"{_where(found)}, all seeds: share of the gap to {found.reference} that GRPO closes",
        value=closed,
        ci95=None,
        must=f"at least {GAP:.3f}" if judged else "",
        ok=closed is not None and closed >= GAP if judged else None,
    )


def _difference(found: Difference, text: str, must: str | None) -> Claim:
    above = found.ci95 is not None and found.ci95[0] > 0
    return Claim(claim=text, value=found.difference, ci95=found.ci95, must=must or "", ok=above if must else None)


def _anchored(result: Evaluation, name: str) -> Iterator[Claim]:
    for column in result.columns:
        if column.policy == name and column.temperature == 0:
            text = f"{column.suite}, {column.scenario_set}, greedy: {name}, which imitates the expert"
            value = column.mean
            ok = value is not None and value >= ANCHOR
            yield Claim(claim=text, value=value, ci95=column.rows[0].ci95, must=f"at least {ANCHOR:.2f}", ok=ok)


def _shown(column: Column) -> Claim:
    how = "" if column.temperature is None else f", temperature {column.temperature:g}"
    text = f"{column.suite}, {column.scenario_set}{how}: mean return of {column.policy}"
    return Claim(claim=text, value=column.mean, ci95=column.rows[0].ci95, must="", ok=None)


def _merged(columns: Sequence[Column], name: str) -> Column:
    outcomes = [each for column in columns for each in column.outcomes]
    return columns[0].model_copy(update={"policy": name, **figures_of(outcomes)})


def _between(result: Evaluation, scenario_set: str, temperature: float, seed: int) -> Comparison:
    before, after = (_column(result, policy(stage, seed), scenario_set, temperature) for stage in (SFT, GRPO))
    return compare(before, after, _reference(result, scenario_set))


def _column(result: Evaluation, name: str, scenario_set: str, temperature: float) -> Column:
    return next(
        column
        for column in result.columns
        if (column.policy, column.scenario_set, column.temperature) == (name, scenario_set, temperature)
    )


def _reference(result: Evaluation, scenario_set: str) -> Column | None:
    named = (column for column in result.columns if column.role == "reference")
    return next((column for column in named if column.scenario_set == scenario_set), None)


def _played(result: Evaluation) -> list[tuple[str, float]]:
    trained = (column for column in result.columns if column.role == "trained")
    return list(dict.fromkeys((column.scenario_set, column.temperature or 0.0) for column in trained))


def _where(found: Comparison) -> str:
    return f"{found.suite}, {found.scenario_set}, temperature {found.temperature:g}"
