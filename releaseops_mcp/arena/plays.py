"""The open episodes of this process: found in memory or rebuilt from the log, changed one writer at a time."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock, RLock
from typing import Any, TypeVar

from releaseops_mcp.arena.limits import Limits, Sources
from releaseops_mcp.arena.play import EXPIRED, Play, restore
from releaseops_mcp.audit.rescore import score_draft
from releaseops_mcp.errors import Conflict, EnvironmentFault, EpisodeExpired, ReleaseOpsError, UnknownEpisode, UserError
from releaseops_mcp.events import EpisodeEnd, Event, Fault
from releaseops_mcp.log.chain import check
from releaseops_mcp.log.patience import held
from releaseops_mcp.log.rows import Append
from releaseops_mcp.log.store import Store

_LOCKS = 256
_ATTEMPTS = 8
"""How often a call is made on a reloaded episode before its writer gives way to the others."""

T = TypeVar("T")
Act = Callable[[Play], tuple[T, Append | None]]
"""Changes a play in memory and says what to append for it; None where nothing has happened."""


class Plays:
    """A cache over the log with a lock an episode."""

    def __init__(self, store: Store, sources: Sources, limits: Limits) -> None:
        self._store = store
        self._sources = sources
        self._limits = limits
        self._plays: OrderedDict[str, Play] = OrderedDict()
        self._guard = Lock()
        self._locks = tuple(RLock() for _ in range(_LOCKS))

    def write(self, episode_id: str, act: Act[T]) -> T:
        """Let `act` change a play and store what it says, again where another writer was first.

        Raises UnknownEpisode, EpisodeExpired, Conflict, EnvironmentFault, StoreUnavailable and what `act` raises.
        """
        with held(self._lock(episode_id)):
            for _ in range(_ATTEMPTS):
                play = self._get(episode_id)
                accepted, answer = self._attempt(play, act)
                if accepted:
                    return answer
        raise _busy(episode_id)

    def read(self, episode_id: str, look: Callable[[Play], T]) -> T:
        """Let `look` read a play as it stands in the log, whoever wrote last."""
        with held(self._lock(episode_id)):
            play = self._get(episode_id)
            row = self._store.episode(episode_id)
            if row is None or row.count != play.count:
                self._forget(episode_id)
                play = self._get(episode_id)
            return look(play)

    def add(self, play: Play) -> None:
        """Keep a play, and let go of the one that was used least recently where there are too many."""
        with self._guard:
            self._plays[play.id] = play
            while len(self._plays) > self._limits.cached_plays:
                self._plays.popitem(last=False)

    def _attempt(self, play: Play, act: Act[T]) -> tuple[bool, T]:
        """Return whether the log took the change; whatever goes wrong, memory never runs ahead of the log."""
        try:
            answer, change = act(play)
            accepted = change is None or self._store.append(play.number, change)
        except UserError:
            raise
        except ReleaseOpsError:
            self._forget(play.id)
            raise
        except Exception as error:
            self._forget(play.id)
            raise self._fault(play.id, error) from error
        except BaseException:
            self._forget(play.id)
            raise
        if not accepted:
            self._forget(play.id)
        elif change is not None:
            play.commit(change)
        return accepted, answer

    def _fault(self, episode_id: str, error: Exception) -> EnvironmentFault:
        """Log that the arena failed; the call that it was judging has not been applied."""
        play = self._get(episode_id)
        fault: Event = Fault(error=type(error).__name__)
        change = play.draft([fault], self._sources.now_ms())
        if self._store.append(play.number, change):
            play.commit(change)
        return EnvironmentFault(
            f"the arena failed ({type(error).__name__}) on a call of episode {episode_id}: the call was not applied "
            "and does not count against you; go on with another call"
        )

    def _get(self, episode_id: Any) -> Play:
        with self._guard:
            play = self._plays.get(episode_id) if isinstance(episode_id, str) else None
            if play is not None:
                self._plays.move_to_end(episode_id)
        if play is None or self._is_idle(play):
            # Another process may have kept an episode alive that nothing has happened to here.
            play = self._load(episode_id)
            self.add(play)
        self._refuse_expired(play)
        return play

    def _load(self, episode_id: Any) -> Play:
        row = self._store.episode(episode_id) if _may_be_id(episode_id) else None
        if row is None:
            shown = ascii(episode_id)[:80]
            raise UnknownEpisode(f"no episode {shown} in this log: start_episode begins one and returns its episode_id")
        row, links = self._store.chain(row.number)
        events = list(check(row.id, links, count=row.count, head=row.head))
        try:
            play = restore(row, events)
        except ReleaseOpsError:
            raise
        except Exception as error:
            raise EnvironmentFault(
                f"the arena failed ({type(error).__name__}) to rebuild episode {row.id} from its log: nothing is lost; "
                "start another episode, and show this one to whoever runs the arena"
            ) from error
        if play.ended:
            play.scored = score_draft(play.simulation.score(), play.end_reason, ended=True)
        return play

    def _is_idle(self, play: Play) -> bool:
        return not play.ended and self._sources.now_ms() - play.touched_ms > self._limits.idle_ms

    def _refuse_expired(self, play: Play) -> None:
        if self._is_idle(play):
            end = EpisodeEnd(reason=EXPIRED, steps=play.steps)
            score = score_draft(play.simulation.score(), EXPIRED, ended=True)
            change = play.draft([end], self._sources.now_ms(), score)
            if not self._store.append(play.number, change):
                self._forget(play.id)
                raise _busy(play.id)
            play.commit(change)
        if play.end_reason == EXPIRED:
            hours = self._limits.idle_ms / 3_600_000
            raise EpisodeExpired(
                f"episode {play.id} was idle for more than {hours:g} hours and has expired: "
                "start a new one with start_episode"
            )

    def _forget(self, episode_id: str) -> None:
        with self._guard:
            self._plays.pop(episode_id, None)

    def _lock(self, episode_id: Any) -> RLock:
        return self._locks[hash(episode_id) % _LOCKS if isinstance(episode_id, str) else 0]


def _may_be_id(episode_id: Any) -> bool:
    return isinstance(episode_id, str) and episode_id.isascii() and episode_id.isprintable() and len(episode_id) <= 80


def _busy(episode_id: str) -> Conflict:
    return Conflict(f"another writer is busy on episode {episode_id}: observe it, then decide again")
