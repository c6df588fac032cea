"""Chat models by name: the one place where a model is made, for the graphs and for the model-backed supervisors.

`openai:NAME` is a model at any OpenAI-compatible endpoint, `hf:PATH` local transformers weights. `settings` says what
may be set; `transport` is how patient we are with an endpoint; `prices` what a call costs.
"""

from graphs.models.naming import chat_model

__all__ = ["chat_model"]
