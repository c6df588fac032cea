"""Puts what a proof found into a folder that can be kept: evidence, plots, traces, arguments.

python -m training.proof.publish build/proof docs/training
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from releaseops_mcp.errors import InvalidArgument
from training.proof.__main__ import EVIDENCE
from training.proof.experiment import EXPERIMENTS

app = typer.Typer(add_completion=False)
RUNS = "runs.json"
SCENARIO_BY_SCENARIO = "difference-*"
"""Plots that show every scenario by itself: large, and soon made again."""
VERDICTS: Mapping[bool | None, str] = {True: "ok", False: "MISSED", None: ""}


@app.command()
def main(
    proof: Annotated[Path, typer.Argument(help="The folder that `python -m training.proof` wrote.")],
    out: Annotated[Path, typer.Argument(help="The folder to keep; what is there of the same name is replaced.")],
) -> None:
    """Copy what is worth keeping, and write the evidence as a table."""
    evidence = proof / EVIDENCE
    if not evidence.is_file():
        raise InvalidArgument(f"{proof} holds no {EVIDENCE}: let `python -m training.proof --out {proof}` finish first")
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(evidence, out / EVIDENCE)
    (out / "evidence.md").write_text(table(json.loads(evidence.read_text(encoding="utf-8"))), encoding="utf-8")
    for name in EXPERIMENTS:
        if (proof / name / "evaluation").is_dir():
            _keep(proof / name, out / name)


def table(claims: list[dict[str, Any]]) -> str:
    """Return the evidence in Markdown, what was claimed beforehand first."""
    judged = sorted(claims, key=lambda claim: claim["ok"] is None)
    rows = (
        f"| {claim['claim']} | {_figure(claim['value'])} | {_interval(claim['ci95'])} | {claim['must']} | "
        f"{VERDICTS[claim['ok']]} |"
        for claim in judged
    )
    return "\n".join(["| claim | value | 95 % | must | |", "|---|---|---|---|---|", *rows]) + "\n"


def runs(experiment: Path) -> Iterator[dict[str, Any]]:
    """Yield what each training run was told, what it used, and how it ended; folders by their last names."""
    for file in sorted(experiment.glob("*/run.json")):
        facts = json.loads(file.read_text(encoding="utf-8"))
        config = facts["config"] | {key: Path(facts["config"][key]).name for key in ("data", "model", "out")}
        data = {Path(path).name: digest for path, digest in facts["data"].items()}
        yield facts | {"run": file.parent.name, "config": config, "data": data}


def _keep(experiment: Path, out: Path) -> None:
    if out.is_dir():
        shutil.rmtree(out)
    shutil.copytree(experiment / "plots", out / "plots", ignore=shutil.ignore_patterns(SCENARIO_BY_SCENARIO))
    shutil.copytree(experiment / "evaluation" / "traces", out / "traces")
    (out / RUNS).write_text(json.dumps(list(runs(experiment)), indent=1) + "\n", encoding="utf-8")


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _interval(interval: list[float] | None) -> str:
    return "" if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f}"


if __name__ == "__main__":
    app()
