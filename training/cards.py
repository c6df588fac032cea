"""What a run leaves beside its weights: a model card, and `run.json` with all that it takes to make it again."""

import hashlib
import json
import platform
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from releaseops_mcp import canonical

PACKAGES = ("releaseops-arena", "torch", "transformers", "trl", "peft", "accelerate", "datasets", "tokenizers", "numpy")
ROOT = Path(__file__).parent.parent


def provenance(config: Mapping[str, Any], data: Sequence[Path]) -> dict[str, Any]:
    """Return config, package versions, Python and platform, hashes of the data's files, and the git commit."""
    return {
        "config": dict(config),
        "packages": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "data": {str(path): data_hash(path) for path in data},
        "commit": git_commit(),
    }


def run_id(facts: Mapping[str, Any]) -> str:
    """Return the id of a run: the same config, data, packages and code give the same one."""
    kept = dict(facts["config"]) | {"out": "", "log": "", "resume": False}
    return canonical.digest(dict(facts) | {"config": kept})[:12]


def data_hash(path: Path) -> str:
    """Return the hex SHA-256 of a file, or of a folder's files by name."""
    if path.is_file():
        return _sha256(path)
    kept = (found for found in path.rglob("*") if found.is_file() and ".arrow" not in found.parts)
    return canonical.digest({str(file.relative_to(path)): _sha256(file) for file in sorted(kept)})


def git_commit() -> str:
    """Return the commit of this checkout, with `+changes` where files differ from it; empty where there is none."""
    try:
        commit, dirty = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f"{commit}+changes" if dirty else commit


def write_run(folder: Path, facts: Mapping[str, Any], outcome: Mapping[str, Any]) -> None:
    """Write `run.json`."""
    text = json.dumps(dict(facts) | {"outcome": dict(outcome)}, indent=2, sort_keys=True)
    (folder / "run.json").write_text(f"{text}\n", encoding="utf-8")


def write_card(folder: Path, method: str, facts: Mapping[str, Any], outcome: Mapping[str, Any]) -> None:
    """Write the model card, `README.md`."""
    config = facts["config"]
    lines = [
        "---",
        f"base_model: {json.dumps(config['model'])}",
        "library_name: " + ("peft" if config.get("lora_r") else "transformers"),
        f"tags: [releaseops-arena, {method}]",
        "---",
        f"# {Path(str(config['out'])).name}: a release supervisor, trained with {method.upper()}",
        "",
        "A policy for the suites of ReleaseOps Arena. It decides about releases in that simulation and was never "
        "shown a real one: do not let it decide about yours. Scenarios that are held out were not trained on.",
        "",
        "## How it ended",
        *(f"- {name}: {value}" for name, value in outcome.items()),
        "",
        "## How to make it again",
        f"Commit `{facts['commit'] or 'unknown'}`, Python {facts['python']}; `run.json` has everything.",
        "",
        "```",
        command(method, config),
        "```",
        "",
        *(f"- data `{path}`: sha256 `{digest}`" for path, digest in facts["data"].items()),
        *(f"- {name} {number}" for name, number in facts["packages"].items()),
    ]
    (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def command(method: str, config: Mapping[str, Any]) -> str:
    """Return the command line of a run."""
    given = [f"--{name} {shlex.quote(str(value))}" for name, value in config.items()]
    return " ".join([f"python -m training.{method}", *given])


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603, S607
    return done.stdout.strip()
