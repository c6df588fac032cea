"""What a judge is: a frozen model whose fields are its parameters, registered under a name."""

from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from releaseops_mcp.canary.judges.arm import Arm
from releaseops_mcp.canary.judges.series import Comparison, Series
from releaseops_mcp.canary.judges.verdict import Verdict
from releaseops_mcp.errors import InvalidArgument


class Judge(BaseModel, ABC):
    """Base of every judge; a subclass with a `name` registers itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: ClassVar[str] = ""
    known: ClassVar[dict[str, type["Judge"]]] = {}
    """Every judge that has been imported, by name; `registry` imports them all."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: object) -> None:
        """Register the judge; raises ValueError where another has its name."""
        super().__pydantic_init_subclass__(**kwargs)
        if "name" in vars(cls) and cls.known.setdefault(cls.name, cls) is not cls:
            raise ValueError(f"two judges are called {cls.name!r}: give one of them another name")

    @abstractmethod
    def judge(self, comparison: Comparison) -> Verdict:
        """Return the verdict over all buckets of a comparison.

        Raises InvalidArgument where the comparison lacks what this judge cannot do without.
        """


def needed(control: Arm | None, series: Series, judge: str) -> Arm:
    """Return the arm to compare with; raises InvalidArgument where there is none."""
    if control is None:
        raise InvalidArgument(
            f"{judge} compares, and {series.metric} has neither a baseline nor a stable arm: give one of them"
        )
    return control
