"""The prompts: Markdown files named `<name>.v<version>.md`, so that a change of wording is a new file."""

from pathlib import Path

FOLDER = Path(__file__).parent / "prompts"
VERSIONS = {"supervisor": 1, "observation": 1, "nudge": 1, "investigator": 1, "sceptic": 1, "decider": 1}
"""The versions in use."""


_TEXTS = {
    name: (FOLDER / f"{name}.v{version}.md").read_text(encoding="utf-8").strip() for name, version in VERSIONS.items()
}


def prompt(name: str) -> str:
    """Return a prompt in the version in use."""
    return _TEXTS[name]


def filled(name: str, **values: str) -> str:
    """Return a prompt with its placeholders filled, whatever braces the values hold."""
    text = prompt(name)
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return text
