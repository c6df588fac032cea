"""The arena opens, steps, restores and closes episodes, and stores every event before it answers.

Episodes are named by their id alone: any process on the same log may take the next call. Calls on one episode are
made one after the other; calls on different episodes run side by side. Whoever finds that another process was first
reloads the episode and makes its call once more.
"""

from collections.abc import Mapping
from functools import cache
from platform import python_version
from typing import Any

from pydantic import ValidationError

from releaseops_mcp import __version__, canonical
from releaseops_mcp.arena.answers import Answer, Started, cut
from releaseops_mcp.arena.judging import judge, note, refuse, standing, tool_call, unfit
from releaseops_mcp.arena.limits import Limits, Sources
from releaseops_mcp.arena.play import Play, fingerprint
from releaseops_mcp.arena.plays import Plays
from releaseops_mcp.arena.tickets import Tickets
from releaseops_mcp.arena.tools import OBSERVE
from releaseops_mcp.audit.replay import FINISH
from releaseops_mcp.audit.rescore import score_draft
from releaseops_mcp.canonical import Encoded
from releaseops_mcp.catalogue import schema_hash
from releaseops_mcp.episodes.base import Json, Refusal, Scenario, Suite
from releaseops_mcp.errors import AtCapacity, EnvironmentFault, EpisodeOver, InvalidArgument
from releaseops_mcp.events import RECORDED, SCHEMA_VERSION, CaptureLevel, EpisodeStart, Origin
from releaseops_mcp.log.chain import GENESIS, forge
from releaseops_mcp.log.rows import Append, EpisodeDraft, ScoreDraft
from releaseops_mcp.log.store import Store
from releaseops_mcp.rewards.registry import scorers
from releaseops_mcp.simulation import Simulation

PYTHON = Origin(door="python")
"""Who calls where nobody says otherwise."""

RECORD_AFTER_END_MS = 600_000
"""For how long after its end an episode still takes messages and model calls."""


class Arena:
    """The service. Safe to use from many threads; several processes may share one log."""

    def __init__(self, store: Store, sources: Sources, limits: Limits | None = None) -> None:
        self.store = store
        self.tickets = Tickets(store, sources.token, sources.now_ms)
        self._limits = limits or Limits()
        self._sources = sources
        self._plays = Plays(store, sources, self._limits)

    def close(self) -> None:
        """Close the log."""
        self.store.close()

    def start(
        self, scenario: Any, origin: Origin = PYTHON, *, capture: CaptureLevel = "tools", operator: bool = True
    ) -> Started:
        """Begin an episode of a scenario id or ticket and return its id and first observation.

        `operator` says that the caller may name the ids of closed suites. Raises UnknownScenario, AtCapacity,
        EnvironmentFault and StoreUnavailable.
        """
        parsed, suite = self.tickets.resolve(scenario, operator=operator)
        self._refuse_beyond_capacity()
        simulation = _begin(suite, parsed)
        episode_id = f"ep_{self._sources.token(16)}"
        event = _start_event(simulation, scenario, origin, capture)
        at_ms = self._sources.now_ms()
        link = forge(episode_id, 0, GENESIS, at_ms, event)
        number = self.store.create(_draft(episode_id, simulation, origin), [link], at_ms)
        play = Play(episode_id, number, simulation, origin, scenario, 1, link.hash, at_ms)
        play.seen = Encoded.of(event.observation)
        self._plays.add(play)
        return Started(episode_id, scenario, suite.name, event.observation)

    def call(
        self,
        episode_id: str,
        tool: str,
        arguments: Any,
        origin: Origin = PYTHON,
        *,
        action_id: Any = None,
        expected_step: Any = None,
    ) -> Answer:
        """Judge one call of a suite's tool and return what it came to; a refused call is an answer too.

        A call with an `action_id` that was applied before returns the same answer and changes nothing. Raises
        UnknownEpisode, EpisodeExpired, Conflict (others were first again and again), EnvironmentFault and
        StoreUnavailable.
        """
        sent, named = canonical.plain(arguments), {"action_id": canonical.plain(action_id)}
        named["expected_step"] = canonical.plain(expected_step)

        def act(play: Play) -> tuple[Answer, Append | None]:
            call = tool_call(play, tool, sent, origin, **named)
            known = play.actions.get(action_id) if isinstance(action_id, str) else None
            if known is not None and known[0] == fingerprint(call.tool, sent):
                return known[1], None
            refusal = unfit(play, call, play.actions)
            return refuse(play, call, refusal, self._sources) if refusal else judge(play, call, self._sources)

        return self._plays.write(episode_id, act)

    def observe(self, episode_id: str, origin: Origin = PYTHON, *, offset: Any = 0) -> Answer:
        """Return the state as it stands, with the page of the last result that begins at `offset`; costs nothing."""
        start = canonical.plain(offset)

        def act(play: Play) -> tuple[Answer, Append]:
            call = tool_call(play, OBSERVE.name, {"offset": start}, origin)
            if not isinstance(start, int) or isinstance(start, bool) or start < 0:
                return refuse(play, call, Refusal("invalid_argument", _OFFSET, InvalidArgument), self._sources)
            answer = standing(play, OBSERVE.name, cut(play.full_result, start) if start else None)
            return answer, note(play, call, answer, self._sources)

        return self._plays.write(episode_id, act)

    def finish(self, episode_id: str, origin: Origin = PYTHON) -> Answer:
        """Close an episode's record: it earns nothing, and finishing twice changes nothing more."""

        def act(play: Play) -> tuple[Answer, Append]:
            call = tool_call(play, FINISH, {}, origin)
            if not play.ended:
                play.simulation.episode.close()
                play.see()
            answer = standing(play, FINISH, {"finished": True})
            return answer, note(play, call, answer, self._sources)

        return self._plays.write(episode_id, act)

    def refuse(self, episode_id: str, tool: str, arguments: Any, refusal: Refusal, origin: Origin = PYTHON) -> Answer:
        """Log a call of an arena tool that cannot be made, such as one with an argument that the tool does not have."""
        sent = canonical.plain(arguments)
        return self._plays.write(
            episode_id, lambda play: refuse(play, tool_call(play, tool, sent, origin), refusal, self._sources)
        )

    def record(self, episode_id: str, kind: str, data: Mapping[str, Any]) -> None:
        """Append a `message` or `model_call` from the agent's side, until ten minutes after the end.

        Raises UnknownEpisode, EpisodeOver and InvalidArgument.
        """
        event = _recorded(kind, data)

        def act(play: Play) -> tuple[None, Append]:
            now_ms = self._sources.now_ms()
            if play.ended and now_ms - play.ended_ms > RECORD_AFTER_END_MS:
                raise EpisodeOver(f"episode {episode_id} ended more than ten minutes ago: its record is closed")
            return None, play.draft([event], now_ms)

        self._plays.write(episode_id, act)

    def peek(self, episode_id: str) -> Answer:
        """Return the state as it stands without logging that anybody looked."""
        return self._plays.read(episode_id, lambda play: standing(play, OBSERVE.name))

    def score(self, episode_id: str) -> ScoreDraft:
        """Return the figure so far: never for a running agent's eyes."""
        return self._plays.read(episode_id, _score)

    def report(self, episode_id: str) -> tuple[ScoreDraft, Json]:
        """Return the figure so far and the suite's full account, grading included: never for a running agent's eyes."""

        def look(play: Play) -> tuple[ScoreDraft, Json]:
            return _score(play), play.simulation.tally.report()

        return self._plays.read(episode_id, look)

    def _refuse_beyond_capacity(self) -> None:
        limit = self._limits.open_episodes
        if limit and self.store.count_open(self._sources.now_ms() - self._limits.idle_ms) >= limit:
            raise AtCapacity(f"{limit} episodes are open, which is the limit here: finish one, or try again later")


_OFFSET = "offset must be a whole number from 0: pass the next_offset of a truncated result, or leave it out"


def _begin(suite: Suite, scenario: Scenario) -> Simulation:
    try:
        return Simulation(suite, scenario)
    except Exception as error:
        raise EnvironmentFault(
            f"the arena failed ({type(error).__name__}) to generate this scenario of {suite.name}: start another one"
        ) from error


def _recorded(kind: str, data: Mapping[str, Any]) -> Any:
    if kind not in RECORDED:
        raise InvalidArgument(f"events of kind {ascii(kind)[:40]} cannot be recorded: use {' or '.join(RECORDED)}")
    try:
        return RECORDED[kind].model_validate(canonical.plain(dict(data)))
    except ValidationError as error:
        fields = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        raise InvalidArgument(f"this {kind} cannot be recorded: {fields}") from None


def _score(play: Play) -> ScoreDraft:
    return score_draft(play.simulation.score(), play.end_reason, ended=play.ended)


_tools_hash = cache(schema_hash)


def _start_event(simulation: Simulation, named: str, origin: Origin, capture: CaptureLevel) -> EpisodeStart:
    suite, scenario = simulation.suite, simulation.scenario
    scorer = scorers()[suite.name]
    versions = {
        "releaseops": __version__,
        "suite": suite.version,
        "reward": f"{scorer.reward_id}@{scorer.version}",
        "schema": str(SCHEMA_VERSION),
        "python": python_version(),
    }
    return EpisodeStart(
        scenario=scenario.id,
        named=named,
        suite=suite.name,
        family=scenario.family,
        level=scenario.level,
        seed=scenario.seed,
        world_hash=simulation.episode.world_hash,
        versions=versions,
        tools_hash=_tools_hash(suite.tools),
        origin=origin,
        capture=capture,
        observation=simulation.first_observation,
        observation_hash=canonical.digest(simulation.first_observation),
    )


def _draft(episode_id: str, simulation: Simulation, origin: Origin) -> EpisodeDraft:
    return EpisodeDraft(
        id=episode_id,
        scenario=simulation.scenario.id,
        suite=simulation.scenario.suite,
        family=simulation.scenario.family,
        agent=origin.agent or origin.client,
        world_hash=simulation.episode.world_hash,
        truth=simulation.episode.truth(),
    )
