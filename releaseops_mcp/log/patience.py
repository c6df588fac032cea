"""Whether the log may be waited for: a worker thread may, an event loop may not.

    try:
        with without_waiting():
            answer = work()
    except WouldWait:
        answer = await in_a_worker_thread(work)

A switch between threads costs more than most calls, so a door makes a call at once where nothing is in its way.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Lockable(Protocol):
    """A lock of `threading`."""

    def acquire(self, blocking: bool = True) -> bool:
        """Take it; return whether it was taken."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...


_patient: ContextVar[bool] = ContextVar("patient", default=True)


class WouldWait(BaseException):
    """Something is in the way; nothing was done, and the same call may be made again where waiting is allowed.

    It is no error, and so passes every handler of errors, as a cancellation does.
    """


@contextmanager
def without_waiting() -> Generator[None]:
    """Let nothing in this block wait: WouldWait is raised instead."""
    token = _patient.set(False)
    try:
        yield
    finally:
        _patient.reset(token)


def patient() -> bool:
    """Return whether the caller may wait."""
    return _patient.get()


@contextmanager
def held(lock: Lockable) -> Generator[None]:
    """Hold a lock for this block; raises WouldWait where another holds it and the caller may not wait."""
    if not lock.acquire(blocking=patient()):
        raise WouldWait
    try:
        yield
    finally:
        lock.release()
