"""Clients that close themselves at the end of a `with` block."""

from abc import ABC, abstractmethod
from typing import Any, Self


class Closing(ABC):
    """A client to be used in a `with` block."""

    @abstractmethod
    def close(self) -> Any:
        """Give back what the client holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClosing(ABC):
    """A client to be used in an `async with` block."""

    @abstractmethod
    async def close(self) -> Any:
        """Give back what the client holds."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
