"""Runs the experiments and writes the evidence.

python -m training.proof --out build/proof
python -m training.proof --out build/proof --only canary --seeds 0,1,2 --model smollm2=/models/smollm2
"""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from releaseops_mcp.errors import InvalidArgument
from training.proof.evidence import Claim, claims
from training.proof.experiment import EXPERIMENTS
from training.proof.stages import Bench

app = typer.Typer(add_completion=False)
EVIDENCE = "evidence.json"


@app.command()
def main(
    out: Annotated[Path, typer.Option(help="Where everything goes; what is there already is not made again.")],
    only: Annotated[list[str] | None, typer.Option(help="Only this experiment.")] = None,
    seeds: Annotated[str, typer.Option(help="Seeds of training, after a comma each.")] = "0,1,2",
    train_only: Annotated[
        bool, typer.Option("--train-only", help="Judge nothing yet: seeds may be trained side by side.")
    ] = False,
    model: Annotated[
        list[str] | None, typer.Option(metavar="NAME=MODEL", help="A further, untrained model to judge on canary.")
    ] = None,
) -> None:
    """Prove, or fail to prove, that training on logs makes a better supervisor."""
    began = time.perf_counter()
    unknown = set(only or ()) - EXPERIMENTS.keys()
    if unknown:
        raise InvalidArgument(f"no experiment {', '.join(sorted(unknown))}: choose from {', '.join(EXPERIMENTS)}")
    numbers = [int(number) for number in seeds.split(",")]
    others = dict(pair.split("=", 1) for pair in model or ())
    evidence: list[Claim] = []
    for name in only or EXPERIMENTS:
        experiment = EXPERIMENTS[name]
        bench = Bench(experiment, out / name, numbers, lambda text: typer.echo(f"{_since(began)}  {text}", err=True))
        bench.train()
        if not train_only:
            evidence += claims(experiment, bench.judge(others if name == "canary" else {}), numbers)
    if train_only:
        return
    record = [claim.model_dump(mode="json") for claim in evidence]
    (out / EVIDENCE).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for claim in evidence:
        if claim.ok is not None:
            typer.echo(f"{'ok' if claim.ok else 'MISSED'}  {claim.claim}: {claim.value} {claim.ci95} ({claim.must})")
    if any(claim.ok is False for claim in evidence):
        raise typer.Exit(1)


def _since(began: float) -> str:
    minutes, seconds = divmod(round(time.perf_counter() - began), 60)
    return f"{minutes}:{seconds:02d}"


if __name__ == "__main__":
    app()
