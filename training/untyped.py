"""The classes of TRL, `datasets` and accelerate that training uses, as Any: their own types are half unknown."""

from typing import Any

import accelerate as _accelerate  # pyright: ignore[reportMissingTypeStubs]
import datasets as _datasets  # pyright: ignore[reportMissingTypeStubs]
import trl as _trl
from trl import chat_template_utils as _templates

_lib: Any = _trl
Dataset: Any = _datasets.Dataset
SFTConfig: Any = _lib.SFTConfig
SFTTrainer: Any = _lib.SFTTrainer
GRPOConfig: Any = _lib.GRPOConfig
GRPOTrainer: Any = _lib.GRPOTrainer
DPOConfig: Any = _lib.DPOConfig
DPOTrainer: Any = _lib.DPOTrainer
PartialState: Any = _accelerate.PartialState
_read: Any = _templates
parse_response: Any = _read.parse_response
