"""What the nodes of a graph share: the arena, the models, the limits, and whether a person is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field

from langchain_core.language_models import BaseChatModel

from graphs.bridge import ArenaSession
from graphs.models.prices import Prices, read_prices
from graphs.models.settings import read_model_settings
from graphs.naming import chat_model
from graphs.state import HumanGate, Limits

Chat = BaseChatModel | str | Callable[[str], "BaseChatModel | str"]
"""A model, its name, or a choice of either by role."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One graph's surroundings; nothing of an episode is in here."""

    session: ArenaSession
    chat: Chat
    limits: Limits = field(default_factory=Limits)
    human_gate: HumanGate = "off"
    person: bool = False
    """Whether a person can answer: what `auto` goes by."""
    prices: Prices = field(default_factory=lambda: read_prices(read_model_settings().prices))
    """What the models' tokens cost; empty where no table is given."""

    @property
    def asks(self) -> bool:
        """Whether a person is asked before destructive calls."""
        return self.human_gate == "required" or (self.human_gate == "auto" and self.person)

    def model(self, role: str = "") -> BaseChatModel:
        """Return the model of a role; a name is looked up only now, so that a graph can be drawn without one."""
        chosen = self.chat
        if not isinstance(chosen, (str, BaseChatModel)):
            chosen = chosen(role)
        return chat_model(chosen) if isinstance(chosen, str) else chosen
