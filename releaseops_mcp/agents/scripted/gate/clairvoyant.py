"""The best play with full knowledge: a handful of plans are tried on the world itself, and the best one counts.

`clairvoyant` may leave pages unread; `gold` reads every decisive page that it can afford before it decides, be the
planted item a fault or a twin: it knows the answer, and pays for the evidence all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from releaseops_mcp.canonical import plain
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.gate.episode import GateEpisode
from releaseops_mcp.episodes.gate.reading import CRASHED
from releaseops_mcp.rewards.base import Step
from releaseops_mcp.rewards.gate.account import INSPECTED, SHIP
from releaseops_mcp.rewards.gate.scorer import SCORER
from releaseops_mcp.rewards.gate.weights import APPROVE, BLOCK
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Sheet, Topic, sheet_key
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.policy import Verdict, judge
from releaseops_mcp.world.truth import first_safe_phase
from releaseops_mcp.world.world import Version, World

Call = tuple[str, Json]
ALL = -1


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to play."""

    reads: int
    """How many lineages' decisive pages are read; ALL for every page that can be afforded."""
    ship_from: int
    """The first phase in which the ship request is approved; 0 for never."""
    refuse_in: int = 0
    """The phase in which the release is refused, the other proposals decided; 0 for never."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best of the tried plans."""

    value: float
    calls: tuple[Call, ...]
    terminal_reason: str | None


def clairvoyant(world: World) -> Best:
    """Return the best play of all plans."""
    return max((play(world, plan) for plan in plans(world, (0, 1, 2))), key=lambda best: best.value)


def gold(world: World) -> Best:
    """Return the best play of those that read every decisive page that can be afforded."""
    return max((play(world, plan) for plan in plans(world, (ALL,))), key=lambda best: best.value)


def plans(world: World, reads: tuple[int, ...]) -> Iterator[Plan]:
    """Yield the plans: a ship from each phase on; a refusal in each phase where no safe ship is to be had."""
    for count in reads:
        if first_safe_phase(world) is None:
            for phase in range(1, world.last_phase + 1):
                yield Plan(count, 0, phase)
        else:
            for phase in range(world.ship_phase, world.last_phase + 1):
                yield Plan(count, phase)


def play(world: World, plan: Plan) -> Best:
    """Play one plan and return what it came to."""
    episode = GateEpisode(world)
    truth = episode.truth()
    tally = SCORER.tally(truth, episode.observe())
    calls: list[Call] = []
    read: set[str] = set()

    def call(tool: str, arguments: Json) -> None:
        outcome = episode.call(tool, plain(arguments))
        if outcome.refusal and outcome.refusal.code == CRASHED:
            outcome = episode.call(tool, plain(arguments))
        calls.append((tool, arguments))
        error = outcome.refusal.code if outcome.refusal else None
        observation = episode.observe()
        tally.add(Step(tool, arguments, error, outcome.result, observation, episode.done, episode.terminal_reason))

    while not episode.done:
        observation = episode.observe()
        waiting = [each for each in observation["proposals"] if each["status"] == "open"]
        # The ship request last: what is approved before goes along.
        proposal = min(waiting, key=lambda each: each["request"] == SHIP)
        if observation["phase_index"] == plan.refuse_in and len(waiting) == 1:
            call("refuse_release", {"reason_code": "cannot_ship_safely"})
            break
        verdict, version = _truth(truth, proposal, observation["phase_index"])
        pages: tuple[str, ...] = ()
        if plan.reads == ALL:
            pages = decisive_pages(world, proposal["id"], proposal["version"], observation["phase_index"])
        elif verdict != APPROVE and len(read) < plan.reads:
            pages = tuple(version["grounds"][:1])
            read.add(proposal["id"])
        for page in _unread(pages, calls):
            if observation["units_left"] > 0 and not episode.done:
                call(*page)
                observation = episode.observe()
        if not episode.done:
            call(*_decision(proposal, verdict, version, observation["phase_index"], plan))
    return Best(tally.score().total, tuple(calls), episode.terminal_reason)


def _truth(truth: Json, proposal: Json, phase: int) -> tuple[str, Json]:
    version = truth["proposals"][proposal["id"]]["versions"][proposal["version"] - 1]
    return version["verdicts"][min(phase, len(version["verdicts"])) - 1], version


def _decision(proposal: Json, verdict: str, version: Json, phase: int, plan: Plan) -> Call:
    named = {"proposal_id": proposal["id"]}
    waits = proposal["request"] == SHIP and (phase < plan.ship_from or plan.ship_from == 0)
    if verdict == APPROVE and not waits:
        return "approve_proposal", named
    if verdict == BLOCK:
        return "block_proposal", named | {"rule_id": version["rules"][0]}
    return "hold_release", named | {"reason_code": "evidence_missing"}


def _unread(pages: tuple[str, ...], calls: list[Call]) -> Iterator[Call]:
    for ground in pages:
        tool, _, rest = ground.partition(":")
        artefact, _, page = rest.rpartition("#")
        call: Call = (tool, {INSPECTED[tool]: artefact, "page": int(page)})
        if call not in calls:
            yield call


def decisive_pages(world: World, proposal_id: str, number: int, phase: int) -> tuple[str, ...]:
    """Return the pages that decide what is planted in a proposal: all that its rules ask for until they can answer.

    A decoy has none unless it is not to be approved.
    """
    lineage = next(each for each in world.lineages if each.id == proposal_id)
    version = lineage.versions[number - 1]
    true = world.verdict(lineage, version, phase)
    planted = kinds()[lineage.planted.partition("/")[0]].family if lineage.planted and not lineage.decoy else ""
    wanted = {planted, *true.families}
    view, found = PartialView(), dict[str, None]()
    while missing := _asked(judge(world.case(lineage, version, phase), view), wanted):
        pages = [page for topic in missing for page in _shown(version, topic)]
        if all(key in found for key, _ in pages):
            break
        for key, sheet in pages:
            view.add(sheet.topic, sheet.text, sheet.part, sheet.parts, key)
            found[key] = None
    return tuple(found)


def _asked(verdict: Verdict, wanted: set[str]) -> tuple[Topic, ...]:
    return tuple(topic for rule, answer in verdict.answers if rule.family in wanted for topic in answer.missing)


def _shown(version: Version, topic: Topic) -> Iterator[tuple[str, Sheet]]:
    """Yield the pages of a topic, each with its name."""
    tool = formats()[topic.format].tool
    artefact = version.artefacts.get((tool, topic.subject))
    for number, sheet in enumerate(artefact.sheets if artefact else (), 1):
        if sheet.topic == topic:
            yield sheet_key(tool, topic.subject, number), sheet
