"""The optional packages, and what to say where one is missing."""

from releaseops_mcp.errors import InvalidArgument

EXTRAS = {
    "langchain_core": "graph",
    "langchain_openai": "openai",
    "langgraph": "graph",
    "matplotlib": "plots",
    "opentelemetry": "otel",
    "peft": "train",
    "ray": "ray",
    "torch": "local",
    "transformers": "local",
    "trl": "train",
}
"""By the name that is imported: the extra of this package that brings it."""


def missing(who: str, error: ModuleNotFoundError) -> InvalidArgument:
    """Return what to raise where `who` needs a package that is not installed: it says how to get it."""
    package = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(package)
    cure = f"pip install 'releaseops-arena[{extra}]'" if extra else f"install {package}"
    return InvalidArgument(f"{who} needs {package}, which is not installed here: {cure}")
