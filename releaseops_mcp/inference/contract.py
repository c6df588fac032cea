"""The lines of standard output, to the character: what scripts that read the original's output rely on."""

from collections.abc import Sequence

ENVIRONMENT = "canary-release-env"
MAX_ERROR_CHARS = 120
SCORE_RANGE = (0.0001, 0.9999)


def start_line(task: str, model: str) -> str:
    """Return the line before a task."""
    return f"[START] task={task} env={ENVIRONMENT} model={model}"


def step_line(step: int, action_type: str, reward: float, done: bool, error: str | None) -> str:
    """Return the line of one decision; `step` counts from 1."""
    return f"[STEP] step={step} action={action_type} reward={reward:.2f} done={_bool(done)} error={error or 'null'}"


def end_line(success: bool, rewards: Sequence[float]) -> str:
    """Return the line after a task, from its rewards, each rounded to 2 decimals."""
    listed = ",".join(f"{reward:.2f}" for reward in rewards)
    return f"[END] success={_bool(success)} steps={len(rewards)} score={score(rewards):.4f} rewards={listed}"


def score(rewards: Sequence[float]) -> float:
    """Return the mean of the rounded rewards, strictly within (0, 1), 4 decimals."""
    lowest, highest = SCORE_RANGE
    mean = sum(rewards) / len(rewards) if rewards else 0.0
    return round(max(lowest, min(highest, mean)), 4)


def one_line(text: str) -> str:
    """Return an error's text without line breaks."""
    return " ".join(text.splitlines())


def _bool(value: bool) -> str:
    return "true" if value else "false"
