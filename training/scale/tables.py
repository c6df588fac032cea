"""Renders the tables of `docs/training-at-scale.md` from the plans, so that prose and arithmetic cannot part.

python -m training.scale.tables             # print them
python -m training.scale.tables --write     # put them into the page
python -m training.scale.tables --check     # exit with 1 where the page has others
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from training.scale import arithmetic
from training.scale.plans import PLANS, Plan
from training.scale.shapes import Efficiency

PAGE = Path(__file__).parent.parent.parent / "docs" / "training-at-scale.md"
MARKED = re.compile(r"(?<=<!-- plans -->\n).*?(?=<!-- end -->)", re.DOTALL)
ASSUMED = Efficiency()
_COLOCATED_SHARE = 0.3
"""Of a GPU's memory that `vllm/colocate.json` gives to the engine beside the trainer."""

Row = tuple[str, str]


def rows(plan: Plan) -> list[Row]:
    """Return what a plan comes to: a name with its unit, and a figure."""
    return [*tokens(plan), *memory(plan), *time(plan)]


def tokens(plan: Plan) -> list[Row]:
    """Return how much is read and sampled."""
    load = plan.workload
    return [
        ("model", plan.model.removeprefix("Qwen/")),
        ("parameters", f"{arithmetic.parameters(plan.shape) / 1e9:.2f} B"),
        ("trained", f"{_trained(plan) / 1e6:,.0f} M"),
        ("rollouts a step", f"{load.rollouts:,}"),
        ("tokens an episode", f"{arithmetic.episode_tokens(load):,}"),
        ("tokens a step, read", f"{arithmetic.step_tokens(load) / 1e6:.2f} M"),
        ("tokens a step, sampled", f"{arithmetic.sampled_tokens(load) / 1e6:.2f} M"),
        (f"tokens in {load.steps} steps", f"{arithmetic.step_tokens(load) * load.steps / 1e6:,.0f} M"),
    ]


def memory(plan: Plan) -> list[Row]:
    """Return what one training GPU must hold, in 10^9 bytes, and what is left of it."""
    shards = plan.processes if plan.sharded else 1
    state = arithmetic.state_bytes(plan.shape, rank=plan.lora_r, shards=shards)
    activations = arithmetic.activation_bytes(plan.shape, plan.micro_batch * arithmetic.episode_tokens(plan.workload))
    size = plan.accelerator.memory_gb * 1e9
    engine = _COLOCATED_SHARE * size if plan.rollouts == "colocate" else 0.0
    return [
        ("GB a training GPU: weights, gradients, optimizer", f"{state / 1e9:.1f}"),
        ("sequences a training GPU holds at a time", str(plan.micro_batch)),
        ("GB: their activations", f"{activations / 1e9:.1f}"),
        ("GB: engine beside the trainer", f"{engine / 1e9:.1f}"),
        (f"GB left of {plan.accelerator.memory_gb:.0f}", f"{(size - state - activations - engine) / 1e9:.1f}"),
        ("GB of cache, all episodes of one engine at full length", f"{_cache(plan) / 1e9:.1f}"),
    ]


def time(plan: Plan) -> list[Row]:
    """Return the seconds of a step by part, and the hours of the run."""
    parts = seconds(plan)
    total = sum(parts.values())
    return [
        *((f"seconds a step: {name}", f"{value:.2f}") for name, value in parts.items()),
        ("seconds a step", f"{total:.1f}"),
        (f"hours for {plan.workload.steps} steps", f"{total * plan.workload.steps / 3600:.1f}"),
        ("GPU hours", f"{total * plan.workload.steps / 3600 * plan.gpus:.0f}"),
    ]


def seconds(plan: Plan, efficiency: Efficiency = ASSUMED) -> dict[str, float]:
    """Return the parts of one step, which follow each other: TRL's trainer samples, then trains."""
    shape, load, gpu = plan.shape, plan.workload, plan.accelerator
    engines, each = (1, plan.serving) if plan.serving else (plan.processes, 1)
    across = (gpu.network_gb_s if plan.machines > 1 else gpu.link_gb_s) * efficiency.network
    exchange = arithmetic.gradient_seconds(
        shape, plan.lora_r, gpus=plan.processes, speed_gb_s=across, sharded=plan.sharded
    )
    return {
        "sampling": arithmetic.decode_seconds(shape, load, engines, each, gpu, efficiency),
        "reading prompts and results": arithmetic.prefill_seconds(shape, load, engines * each, gpu, efficiency),
        "environments": arithmetic.environment_seconds(load, plan.processes),
        "training passes": arithmetic.training_seconds(
            shape, arithmetic.step_tokens(load), plan.processes, gpu, efficiency, reference=False
        ),
        "exchange of gradients": exchange * (plan.accumulate if plan.sharded else 1),
        "new weights to the engine": arithmetic.sync_seconds(shape, across if plan.serving else gpu.bandwidth_gb_s),
    }


def render(plans: Sequence[Plan]) -> str:
    """Return one Markdown table, a column a plan."""
    columns = [dict(rows(plan)) for plan in plans]
    names = list(dict.fromkeys(name for column in columns for name in column))
    head = ["", *(f"`{plan.name}`" for plan in plans)]
    lines = [head, ["---", *("---:" for _ in plans)]]
    lines += [[name, *(column.get(name, "") for column in columns)] for name in names]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Print, write or check the tables; return the exit code."""
    made = render(tuple(PLANS.values()))
    if not arguments:
        sys.stdout.write(made)
        return 0
    text = PAGE.read_text(encoding="utf-8")
    page = MARKED.sub(lambda _: made, text)
    if arguments == ["--write"]:
        PAGE.write_text(page, encoding="utf-8")
        return 0
    if arguments != ["--check"]:
        sys.stderr.write(f"unknown argument {arguments[0]}: give --write, --check or nothing\n")
        return 2
    if page != text or made not in text:
        sys.stderr.write(f"{PAGE} is stale: run python -m training.scale.tables --write\n")
        return 1
    return 0


def _trained(plan: Plan) -> int:
    shape = plan.shape
    return arithmetic.lora_parameters(shape, plan.lora_r) if plan.lora_r else arithmetic.parameters(shape)


def _cache(plan: Plan) -> float:
    """Return the cache of the episodes that one engine has under way."""
    engines = 1 if plan.serving else plan.processes
    share = plan.workload.rollouts / engines
    return arithmetic.cache_bytes(plan.shape, 1) * share * arithmetic.episode_tokens(plan.workload)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
