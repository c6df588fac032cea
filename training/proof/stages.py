"""The stages of an experiment, each in a folder of its own: log, data, model, warm start, GRPO, evaluation, charts."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import play_episode
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.evaluation.runs import draw_seed
from releaseops_mcp.settings import Settings, open_arena
from training import grpo, sft
from training.dataset import Order, Source, build
from training.evaluate import Plan, evaluate, read_results, scenario_sets
from training.evaluation.results import Evaluation
from training.heldout import training_scenarios
from training.models.tiny import TinySize, build_tiny
from training.plots import plot_all
from training.proof.experiment import Experiment

Say = Callable[[str], None]
BASE, SFT, GRPO = "base", "sft", "grpo"


def policy(stage: str, seed: int) -> str:
    """Return the name of a stage's policy of one seed."""
    return f"{stage}-{seed}"


class Bench:
    """Where one experiment is run."""

    def __init__(self, experiment: Experiment, folder: Path, seeds: Sequence[int], say: Say) -> None:
        self.experiment = experiment
        self.folder = folder
        self.seeds = tuple(seeds)
        self._say = say

    def train(self) -> None:
        """Do what is not done yet up to the trained policies."""
        self._once("log.sqlite3", self._log)
        for kind in ("sft", "starts"):
            self._once(f"data/{kind}", lambda out, kind=kind: self._data(kind, out))
        for seed in self.seeds:
            self._once(f"base-{seed}", lambda out, seed=seed: self._tiny(seed, out))
            self._once(f"sft-{seed}", lambda out, seed=seed: self._sft(seed, out))
            if self.experiment.grpo is not None:
                self._once(f"grpo-{seed}", lambda out, seed=seed: self._grpo(seed, out))

    def judge(self, others: dict[str, str]) -> Evaluation:
        """Judge them, if that is not done yet, and return the evaluation; `others` are further models, by name."""
        self._once("evaluation", lambda out: self._evaluate(others, out))
        self._once("plots", self._plot)
        return read_results(self.folder / "evaluation")

    def _once(self, name: str, make: Callable[[Path], None]) -> None:
        """Make a stage's folder or file, beside its place first: a half-made one does not count as done."""
        out = self.folder / name
        if out.exists():
            return
        self._say(f"{self.experiment.name}: {name}")
        draft = out.with_name(f".{out.name}")
        for leftover in out.parent.glob(f"{draft.name}*"):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        out.parent.mkdir(parents=True, exist_ok=True)
        make(draft)
        draft.rename(out)

    def _log(self, out: Path) -> None:
        suite = suites()[self.experiment.suite]
        with closing(open_arena(Settings(database_url=f"sqlite:///{out}"))) as arena:
            for name, count in self.experiment.behaviours.items():
                supervisor = find_supervisor(name, suite.name)
                for scenario in training_scenarios(suite, count):
                    play_episode(arena, supervisor, scenario, seed=draw_seed(scenario))

    def _data(self, kind: str, out: Path) -> None:
        options = dict(self.experiment.sft_options) if kind == "sft" else {}
        source = Source(url=f"sqlite:///{self.folder / 'log.sqlite3'}", suite=self.experiment.suite)
        build([source], Order(kind=kind, options=options), out, processes=1)

    def _tiny(self, seed: int, out: Path) -> None:
        suite = suites()[self.experiment.suite]
        build_tiny(out, TinySize(**self.experiment.tiny), seed=seed, played=(suite,))

    def _sft(self, seed: int, out: Path) -> None:
        sft.main(
            sft.Config(
                model=str(self.folder / f"base-{seed}"),
                data=str(self.folder / "data" / "sft"),
                out=str(out),
                seed=seed,
                **self.experiment.sft,
            )
        )

    def _grpo(self, seed: int, out: Path) -> None:
        assert self.experiment.grpo is not None
        grpo.main(
            grpo.Config(
                model=str(self.folder / f"sft-{seed}"),
                data=str(self.folder / "data" / "starts"),
                out=str(out),
                seed=seed,
                **self.experiment.grpo,
            )
        )

    def _evaluate(self, others: dict[str, str], out: Path) -> None:
        stages = [SFT] if self.experiment.grpo is None else [SFT, GRPO]
        names = [policy(stage, seed) for seed in self.seeds for stage in stages]
        first = policy(BASE, self.seeds[0])
        suite = suites()[self.experiment.suite]
        sets = {
            name: scenarios
            for split, most in self.experiment.tests.items()
            for name, scenarios in scenario_sets(suite, most, () if split == "heldout" else (split,)).items()
        }
        plan = Plan(
            policies={first: str(self.folder / first)} | {name: str(self.folder / name) for name in names} | others,
            sets=sets,
            pairs=tuple((policy(SFT, seed), policy(stages[-1], seed)) for seed in self.seeds if len(stages) > 1),
            repeats=self.experiment.repeats,
        )
        with closing(open_arena(Settings(database_url=f"sqlite:///{self.folder / 'evaluation.sqlite3'}"))) as arena:
            evaluate(plan, arena, out)

    def _plot(self, out: Path) -> None:
        last = SFT if self.experiment.grpo is None else GRPO
        runs = [self.folder / policy(last, seed) for seed in self.seeds]
        plot_all(out, runs=runs, evaluation=self.folder / "evaluation")
