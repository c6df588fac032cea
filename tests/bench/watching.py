"""Runs a program and watches what memory it takes.

Not by its own `ru_maxrss`: Linux lets a new process begin with the peak of the one that started it.
"""

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

EVERY_S = 0.02


def watch(words: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Return a program's seconds, and the most memory that it or a process of its own held, in MB.

    Raises CalledProcessError where it fails.
    """
    began, most = time.perf_counter(), 0.0
    with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        whole = psutil.Process(running.pid)
        while running.poll() is None:
            most = max(most, _peak_mb(running.pid), *(_peak_mb(child.pid) for child in _children(whole)))
            time.sleep(EVERY_S)
    seconds = time.perf_counter() - began
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, list(words))
    return seconds, most


def _children(whole: psutil.Process) -> list[psutil.Process]:
    try:
        return whole.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _peak_mb(pid: int) -> float:
    """Return the peak of a process since its program began; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)
