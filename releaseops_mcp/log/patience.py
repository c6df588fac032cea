"""Whether the log may be waited for: a worker thread may, an event loop may not.

A switch between threads costs about as much as a call, so a door makes a call `at_once` where nothing is in its way.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

T = TypeVar("T")


class Lockable(Protocol):
    """A lock of `threading`."""

    def acquire(self, blocking: bool = True) -> bool:
        """Take it; return whether it was taken."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...


class _Hurry:
    """What one block that must not wait has done."""

    written = False


_hurry: ContextVar[_Hurry | None] = ContextVar("hurry", default=None)


class WouldWait(BaseException):
    """Something is in the way; nothing was done, and the same call may be made again where waiting is allowed.

    It is no error, and so passes every handler of errors, as a cancellation does.
    """


@contextmanager
def without_waiting() -> Generator[None]:
    """Let nothing in this block wait: WouldWait is raised instead, up to the first write.

    What follows a write may wait, since it must not be begun again.
    """
    token = _hurry.set(_Hurry())
    try:
        yield
    finally:
        _hurry.reset(token)


async def at_once(work: Callable[[], T], in_thread: Callable[[Callable[[], T]], Awaitable[T]]) -> T:
    """Run short `work` here where it need not wait, and else by `in_thread`, from its beginning."""
    try:
        with without_waiting():
            return work()
    except WouldWait:
        return await in_thread(work)


def patient() -> bool:
    """Return whether the caller may wait."""
    hurry = _hurry.get()
    return hurry is None or hurry.written


def note_written() -> None:
    """Note that something was written, so that the work must now go on to its end."""
    hurry = _hurry.get()
    if hurry is not None:
        hurry.written = True


@contextmanager
def held(lock: Lockable) -> Generator[None]:
    """Hold a lock for this block; raises WouldWait where another holds it and the caller may not wait."""
    if not lock.acquire(blocking=patient()):
        raise WouldWait
    try:
        yield
    finally:
        lock.release()
