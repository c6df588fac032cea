"""What a referee is, how it is asked, and how a server is started for it."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.conformance.side import BUILD, ROOT

TIMEOUT_SECONDS = 300

Reading = tuple[str, bool]
"""What a referee said, in short, and whether that reaches its mark."""


@dataclass(frozen=True)
class Referee:
    """One program, how to call it, and how to read what it says."""

    name: str
    command: list[str]
    mark: str
    read: Callable[[int, str], Reading]


@dataclass(frozen=True)
class Verdict:
    """What one referee came to."""

    referee: str
    figure: str
    mark: str
    ok: bool
    seconds: float


def ask(referee: Referee, environment: dict[str, str]) -> Verdict:
    """Run a referee, keep its words under build/referees, and return what it came to."""
    print(f"asking {referee.name} ...", file=sys.stderr)
    began = time.perf_counter()
    done = subprocess.run(
        referee.command,
        cwd=BUILD,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    log = BUILD / f"{re.sub('[^a-z0-9.]+', '-', referee.name.lower()).strip('-')}.log"
    log.write_text(done.stdout)
    figure, ok = referee.read(done.returncode, done.stdout)
    return Verdict(referee.name, figure, referee.mark, ok, round(time.perf_counter() - began, 1))


@contextmanager
def serving(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Run a server, whose command ends with a port, for this block; give its URL. Raises RuntimeError."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = BUILD / f"server-{port}.log"
    with words.open("w") as stderr:
        process = subprocess.Popen([*command, str(port)], cwd=ROOT, env=environment, stderr=stderr)
    try:
        if not _listens(port, process):
            raise RuntimeError(f"{' '.join(command)} does not serve: {words.read_text()[-2000:]}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        words.unlink()


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    """Wait until a process listens on a port; return False where it ends, or does not in 30 seconds."""
    for _ in range(600):
        if process.poll() is not None:
            return False
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.05)
    return False
