"""Builds the text of each of the 19 files, and writes them."""

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from releaseops_mcp.artifacts import scripts, transcripts
from releaseops_mcp.artifacts.benchmark import policy_benchmark, policy_sweep
from releaseops_mcp.artifacts.contract import endpoint_sample
from releaseops_mcp.artifacts.sample import inference_sample
from releaseops_mcp.artifacts.table import (
    ARTIFACTS,
    AUDIT,
    BENCHMARK,
    CATALOG,
    ENDPOINTS,
    INDEX,
    INFERENCE,
    MANIFEST,
    SCORE_SEMANTICS,
    SWEEP,
    VALIDATION,
)
from releaseops_mcp.artifacts.texts import audit_page, index_page
from releaseops_mcp.artifacts.transcripts import anonymous, cautious_transcript, entry_labelled, grade
from releaseops_mcp.artifacts.validation import validate
from releaseops_mcp.artifacts.variants import scenario_variants
from releaseops_mcp.client.canary_episodes import CanaryEpisodesClient
from releaseops_mcp.episodes.base import Json

GENERATED_BY = "releaseops review-artifacts"


def build_pack(url: str, *, token: str | None = None, openenv: str | None = None) -> dict[str, str]:
    """Return the text of every file, by name, in the table's order; the server at `url` gives episodes and grades.

    `openenv` is a Python that has openenv, to let its validator judge the server. Raises ReleaseOpsError.
    """
    with closing(CanaryEpisodesClient(url, token=token)) as client:
        baseline = client.post("/baseline", {})
        contract = {"score_contract": baseline["score_contract"]}
        benchmark, sweep = contract | policy_benchmark(), contract | policy_sweep()
        data: dict[str, Any] = {
            **_episodes(client),
            BENCHMARK: benchmark,
            SWEEP: sweep,
            CATALOG: scenario_variants(),
            VALIDATION: validate(url, openenv),
            ENDPOINTS: endpoint_sample(client, baseline, benchmark),
        }
    observed = _observed(data)
    data[MANIFEST] = _manifest(observed)
    texts = {name: as_json(anonymous(value)) for name, value in data.items()}
    texts[INFERENCE] = inference_sample(url, {"RELEASEOPS_TOKEN": token} if token else {})
    texts[INDEX] = index_page(observed)
    texts[AUDIT] = audit_page(benchmark, sweep, observed)
    return {each.filename: texts[each.filename] for each in ARTIFACTS}


def write_pack(folder: Path, texts: Mapping[str, str]) -> None:
    """Write every file into a folder, which is made if it is missing; other files in it stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def as_json(value: Any) -> str:
    """Return JSON as every file of the pack has it: indent 2, sorted keys."""
    return json.dumps(value, indent=2, sort_keys=True) + "\n"


def _episodes(client: CanaryEpisodesClient) -> dict[str, Json]:
    """Return the five transcripts, and one graded decision of each."""
    cautious = cautious_transcript(client, "hard")
    hurried = transcripts.scripted_transcript(client, scripts.BAD)
    watching = cautious_transcript(client, "hard", steps=transcripts.WATCH_WINDOW_STEPS)
    expert = cautious_transcript(client, "expert")
    recovery = cautious_transcript(client, "recovery")
    return {
        "hard_cautious_transcript.json": cautious,
        "hard_cautious_grader.json": grade(client, "hard", transcripts.last_entry(cautious)),
        "hard_aggressive_transcript.json": hurried,
        "hard_aggressive_grader.json": grade(client, "hard", transcripts.hurried_entry(hurried)),
        "hard_watch_window_hold_transcript.json": watching,
        "hard_watch_window_hold_grader.json": grade(client, "hard", entry_labelled(watching, "correct_warning_hold")),
        "expert_cautious_transcript.json": expert,
        "expert_phantom_hold_grader.json": grade(client, "expert", entry_labelled(expert, "correct_phantom_ignore")),
        "recovery_cautious_transcript.json": recovery,
        "recovery_transient_hold_grader.json": grade(
            client, "recovery", entry_labelled(recovery, "correct_recovery_hold")
        ),
    }


def _observed(data: Mapping[str, Json]) -> dict[str, float]:
    """Return the one score of each file that has one: the episode's, or the graded decision's."""
    scores = {name: value.get("episode_score", value.get("total_score")) for name, value in data.items()}
    return {name: score for name, score in scores.items() if score is not None}


def _manifest(observed: Mapping[str, float]) -> Json:
    return {
        "generated_by": GENERATED_BY,
        "score_semantics": SCORE_SEMANTICS,
        "artifacts": [each.entry(observed.get(each.filename)) for each in ARTIFACTS],
    }
