"""A flag is off by default, and off where the flag service cannot be asked, until it has long been on for everybody."""

import re
from collections.abc import Iterator

from pydantic import Field

from releaseops_mcp.world.artefacts.flags import Served
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown

FLAGS = "flags.yaml"
NAME = re.compile(r"^\s*- name: *[\"']?([\w.-]+)")
SETTING = re.compile(r"^\s*(default|fallback): *[\"']?(\w+)")
ON = ("true", "on", "yes")
EVERYBODY = 100


class Flags(Params):
    """Settings of the family."""

    days: int = Field(default=30, ge=1)
    """How long a flag must have been on for everybody before its default may be on."""
    environment: str = "production"
    """Where that counts."""
    fallback: bool = True
    """Whether what holds without the flag service is bound in the same way."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the change turns a default on of which the flag service does not say that it long is."""
    wanted: Flags = settings(rule, Flags)
    patch, served = case.topic("patch", "pr_"), case.topic("flags", "dep_")
    changes = [change for change in view.records(patch, FileChange) if change.path == FLAGS]
    turned = {name for change in changes for name in _turned_on(change, wanted)}
    if not turned:
        return SATISFIED if view.known(patch) else unknown(patch)
    if not view.known(served):
        return unknown(served)
    records = view.records(served, Served)
    proven = {each.flag for each in records if _is_proven(each, wanted, case)}
    if turned <= proven:
        return SATISFIED if view.known(patch) else unknown(patch)
    shown = [each for each in records if each.flag in turned - proven]
    return Answer("violated", (*view.sources(patch, changes), *view.sources(served, shown or records)))


def _turned_on(change: FileChange, wanted: Flags) -> Iterator[str]:
    """Yield the flags of which an added line turns the default, or the fallback, on."""
    name = ""
    for line in change.lines:
        if match := NAME.match(line[1:]):
            name = match[1] if not line.startswith("-") else name
        match = SETTING.match(line[1:])
        if match is None or not line.startswith("+") or match[2].lower() not in ON:
            continue
        if match[1] == "default" or wanted.fallback:
            yield name


def _is_proven(each: Served, wanted: Flags, case: Case) -> bool:
    long = case.minute - each.minute >= wanted.days * DAY
    return each.environment == wanted.environment and each.percent == EVERYBODY and long


FAMILY = RuleFamily(
    name="flag_default",
    summary="A flag's default is off until the flag has long been on for everybody.",
    judge=judge,
    params=Flags,
)
