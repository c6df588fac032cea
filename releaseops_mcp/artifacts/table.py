"""The 19 files of the pack, in reading order."""

from dataclasses import dataclass

from releaseops_mcp.episodes.base import Json

INDEX = "artifact_index.md"
AUDIT = "benchmark_audit_summary.md"
MANIFEST = "artifact_manifest.json"
INFERENCE = "inference_stdout_fallback_sample.txt"
BENCHMARK = "policy_benchmark_results.json"
SWEEP = "policy_seed_sweep_results.json"
CATALOG = "scenario_variant_catalog.json"
VALIDATION = "openenv_validation_results.json"
ENDPOINTS = "endpoint_contract_sample.json"

SCORE_SEMANTICS = (
    "A decision's score lies between 0.0001 and 0.9999; an episode's score is the mean of its decisions' scores, "
    "4 decimals. score_observed is what this run of the generator came to."
)


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file: what it is, and why it exists."""

    filename: str
    artifact_kind: str
    """transcript, grade, benchmark, catalog, contract, sample or guide."""
    why_it_exists: str
    run_scope: str
    """Which runs its figures are from."""
    policy: str | None = None
    task_id: str | None = None
    paired_with: str | None = None
    """The file to be read beside it."""
    score_note: str = "no single score"

    def entry(self, score_observed: float | None) -> Json:
        """Return the manifest's entry."""
        return {
            "filename": self.filename,
            "artifact_kind": self.artifact_kind,
            "policy": self.policy,
            "task_id": self.task_id,
            "run_scope": self.run_scope,
            "why_it_exists": self.why_it_exists,
            "paired_with": self.paired_with,
            "score_observed": score_observed,
            "score_note": self.score_note,
        }


def _transcript(filename: str, policy: str, task: str, grade: str, why: str, scope: str = "seed 0") -> Artifact:
    return Artifact(
        filename, "transcript", why, scope, policy, task, paired_with=grade, score_note="the episode's score"
    )


def _grade(filename: str, policy: str, task: str, transcript: str, why: str) -> Artifact:
    return Artifact(
        filename, "grade", why, "one decision at seed 0", policy, task, transcript, "the score of this one decision"
    )


ARTIFACTS = (
    Artifact(INDEX, "guide", "Says what each file is for and where to begin.", "none"),
    Artifact(AUDIT, "guide", "The figures of the pack on one page.", "seed 0 and the sweep", paired_with=BENCHMARK),
    Artifact(MANIFEST, "guide", "The same as data, with each file's score.", "none", paired_with=INDEX),
    Artifact(
        INFERENCE,
        "sample",
        "The lines that the inference runner prints where no model is asked for.",
        "seed 0, all tasks",
        policy="cautious_policy",
        score_note="one score a task, in its [END] line, from rewards rounded to 2 decimals",
    ),
    _transcript(
        "hard_cautious_transcript.json",
        "cautious_policy",
        "hard",
        "hard_cautious_grader.json",
        "Noise is waited out, the divergence watched, and the breach rolled back at once.",
    ),
    _grade(
        "hard_cautious_grader.json",
        "cautious_policy",
        "hard",
        "hard_cautious_transcript.json",
        "The last decision: a rollback on the first breach is the best that a decision can be.",
    ),
    _transcript(
        "hard_aggressive_transcript.json",
        "bad_script",
        "hard",
        "hard_aggressive_grader.json",
        "The same course but for one promotion into the divergence.",
    ),
    _grade(
        "hard_aggressive_grader.json",
        "bad_script",
        "hard",
        "hard_aggressive_transcript.json",
        "That promotion: what it costs to press on while the canary worsens.",
    ),
    _transcript(
        "hard_watch_window_hold_transcript.json",
        "cautious_policy",
        "hard",
        "hard_watch_window_hold_grader.json",
        "Stopped inside the watch window, before anything is decided.",
        scope="seed 0, first 5 decisions",
    ),
    _grade(
        "hard_watch_window_hold_grader.json",
        "cautious_policy",
        "hard",
        "hard_watch_window_hold_transcript.json",
        "Waiting in the watch window is right, and worth less than a clear case.",
    ),
    _transcript(
        "expert_cautious_transcript.json",
        "cautious_policy",
        "expert",
        "expert_phantom_hold_grader.json",
        "Alerts without a cause are not obeyed; the real breach later is.",
    ),
    _grade(
        "expert_phantom_hold_grader.json",
        "cautious_policy",
        "expert",
        "expert_cautious_transcript.json",
        "The decision under the phantom alerts.",
    ),
    _transcript(
        "recovery_cautious_transcript.json",
        "cautious_policy",
        "recovery",
        "recovery_transient_hold_grader.json",
        "A disturbance passes by itself, and the rollout succeeds.",
    ),
    _grade(
        "recovery_transient_hold_grader.json",
        "cautious_policy",
        "recovery",
        "recovery_cautious_transcript.json",
        "The decision in the disturbance.",
    ),
    Artifact(
        BENCHMARK,
        "benchmark",
        "Three policies on every task, with every action: who does better where.",
        "seed 0, all tasks",
        policy="all three",
        paired_with=SWEEP,
        score_note="one score a policy and task, and an average a policy",
    ),
    Artifact(
        SWEEP,
        "benchmark",
        "The same over other worlds: the order does not hang on one seed.",
        "8 seeds, all tasks",
        policy="all three",
        paired_with=BENCHMARK,
        score_note="one score a policy, task and seed, and their means",
    ),
    Artifact(
        CATALOG,
        "catalog",
        "Seeds move noise, phantoms, transients and breaches: knowing one world by heart does not help.",
        "8 seeds, all tasks",
        paired_with=SWEEP,
    ),
    Artifact(VALIDATION, "contract", "What OpenEnv's own validator says.", "a running server"),
    Artifact(
        ENDPOINTS,
        "contract",
        "What the server answers, in samples.",
        "a running server, seed 0",
        paired_with=VALIDATION,
    ),
)
