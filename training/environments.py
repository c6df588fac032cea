"""Environments for TRL's `GRPOTrainer(environment_factory=...)`: a class a suite, generated from the tool catalogue.

TRL makes a tool of every public method and derives its schema from signature, annotations and docstring; these are
written here from the suite's `ToolSpec`s. They carry none of the arena's own arguments, and enums are the suite's. What
an annotation cannot say (defaults of a schema, bounds, `additionalProperties`) guides nobody here: the arena judges
every call, whatever arguments it has, so the methods take any.

    factory = environment_factory(table)
    GRPOTrainer(..., environment_factory=factory, train_dataset=rows)    # rows: prompt, environment, scenario
"""

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Literal

from releaseops_mcp.agents.base import Action
from releaseops_mcp.catalogue import Parameter, ToolSpec
from releaseops_mcp.episodes.base import Suite
from releaseops_mcp.episodes.registry import suites
from releaseops_mcp.errors import InvalidArgument
from training.seat import Seat, Table
from training.splits import trainable

PYTHON_TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "number": float}


class Environment:
    """One rollout at a time; TRL pools instances and resets them. Its public methods are the suite's tools."""

    suite: ClassVar[Suite]

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seat: Seat | None = None

    @property
    def seat(self) -> Seat:
        """The episode at hand; raises InvalidArgument before the first reset."""
        if self._seat is None:
            raise InvalidArgument("this environment has no episode yet: reset it with a scenario")
        return self._seat

    def reset(self, **row: Any) -> str:
        """Begin the scenario of a data set row and return the text of its first observation.

        Raises HeldOut where training may not see it, UnknownScenario, and InvalidArgument for a row of another suite.
        """
        scenario = trainable(str(row["scenario"]))
        if scenario.suite != self.suite.name:
            raise InvalidArgument(f"{scenario.id} is no scenario of {self.suite.name}: mend the row's environment")
        self._seat = Seat.at(self._table, scenario.id)
        return self._seat.first()

    def get_reward(self) -> float | None:
        """Close the episode and return what training is told; None, which TRL leaves out, where the arena failed.

        That is the figure in the log, less the table's `leaving_cost` where the policy left the episode.
        """
        left = not self.seat.done
        figure = self.seat.leave()
        return figure - self._table.leaving_cost if left and figure is not None else figure


def environment_class(suite: Suite) -> type[Environment]:
    """Return the environment of a suite."""
    tools = {tool.name: tool_method(tool) for tool in suite.tools}
    taken = tools.keys() & vars(Environment).keys()
    if taken:
        raise ValueError(f"{suite.name} has tools that an environment needs the names of: rename {', '.join(taken)}")
    name = "".join(part.capitalize() for part in suite.name.split("-")) + "Environment"
    doc = f"The suite {suite.name}, for TRL."
    return type(name, (Environment,), {"suite": suite, "__doc__": doc, "__module__": __name__, **tools})


def environment_factory(table: Table, names: Iterable[str] = ()) -> dict[str, Callable[[], Environment]]:
    """Return what TRL takes: by suite, what makes an environment at a table; `names` chooses suites."""
    chosen = tuple(names) or tuple(suites())
    return {name: partial(environment_class(suites()[name]), table) for name in chosen}


def tool_method(tool: ToolSpec) -> Callable[..., str]:
    """Return the method of a tool; its signature is what TRL reads, and it takes whatever a model sends."""

    def method(self: Environment, /, **arguments: Any) -> str:
        return self.seat.call(Action(tool.name, arguments))

    ours = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if parameter.required else parameter.default,
            annotation=_annotation(parameter),
        )
        for parameter in tool.parameters
    ]
    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = _docstring(tool)
    method.__annotations__ = {parameter.name: parameter.annotation for parameter in ours} | {"return": str}
    vars(method)["__signature__"] = inspect.Signature([receiver, *ours], return_annotation=str)
    return method


def _annotation(parameter: Parameter) -> Any:
    return Literal[parameter.enum] if parameter.enum else PYTHON_TYPES[parameter.type]


def _docstring(tool: ToolSpec) -> str:
    lines = [tool.description]
    if tool.parameters:
        lines += ["", "Args:", *(f"    {parameter.name}: {parameter.description}" for parameter in tool.parameters)]
    return "\n".join(lines)
