"""The lines of an inference run for which no model was asked."""

import re
from collections.abc import Mapping
from io import StringIO

from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.inference.run import run

_LINE = re.compile(r"\[(START|STEP|END)\] \S")


class SampleRefused(ReleaseOpsError):
    """An inference run wrote what its contract does not allow."""


def inference_sample(url: str, environment: Mapping[str, str]) -> str:
    """Return standard output of a run on the server at `url`; raises SampleRefused.

    `environment` must name no model; it may name the server's token.
    """
    stdout, stderr = StringIO(), StringIO()
    run(["--env-url", url], environment, stdout, stderr)
    text, complaints = stdout.getvalue(), stderr.getvalue()
    strays = [line for line in text.splitlines() if not _LINE.match(line)]
    if complaints or strays:
        said = " ".join((complaints or strays[0]).split())[:200]
        raise SampleRefused(f"the inference run wrote a line beyond its contract: {said}")
    return text
