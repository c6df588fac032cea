"""Fixtures around the two-armed suite: a log of it, data sets of that log, and a model after its warm start."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.training import arms
from training import sft
from training.dataset import Order, Source, build


@dataclass(frozen=True)
class Bench:
    """What a run needs, in one folder."""

    folder: Path
    log: str
    """URL."""

    def data(self, kind: str) -> str:
        """Return the folder of a data set."""
        return str(self.folder / kind)

    @property
    def untrained(self) -> str:
        """The folder of the untrained model."""
        return str(self.folder / "untrained")

    @property
    def warm(self) -> str:
        """The folder of the model after its warm start: it pulls either arm about as often."""
        return str(self.folder / "warm")

    def warm_start(self, out: Path, **changed: object) -> sft.Config:
        """Return the config of a warm start."""
        where = {"model": self.untrained, "data": self.data("sft"), "out": str(out)}
        usual = {"steps": 60, "batch": 2, "lr": 1e-2, "warmup": 2, "save_every": 1_000}
        checks = {"check_every": 20, "check_episodes": 16, "max_call_tokens": 24}
        return sft.Config(**where | usual | checks | changed)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two-armed suite, among the installed ones."""
    arms.install(monkeypatch)


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A log, its data sets, and a warm-started model, made once."""
    folder = tmp_path_factory.mktemp("arms")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        arms.install(patch)
        made = Bench(folder, arms.fill_log(folder))
        arms.build_model(Path(made.untrained))
        for kind in ("sft", "starts", "preferences"):
            build([Source(url=made.log)], Order(kind=kind), folder / kind)
        sft.main(made.warm_start(Path(made.warm)))
    return made
