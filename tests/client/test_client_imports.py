"""The clients are importable from the package, which stays light until one is used."""

import json
import subprocess
import sys

import pytest

import releaseops_mcp
from releaseops_mcp import client

HEAVY = ("httpx", "websockets", "pydantic", "sqlalchemy", "mcp", "fastapi")


def loaded_after(statement: str) -> set[str]:
    code = f"import json, sys; {statement}; print(json.dumps([name for name in {HEAVY} if name in sys.modules]))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(json.loads(out))


def test_importing_the_package_loads_none_of_what_its_clients_need():
    assert loaded_after("import releaseops_mcp") == set()


def test_importing_a_client_loads_no_server():
    assert loaded_after("from releaseops_mcp import ReleaseOpsEnvClient") == {"httpx", "websockets", "pydantic"}


@pytest.mark.parametrize("name", [name for name in releaseops_mcp.__all__ if name != "__version__"])
def test_the_packages_names_are_the_clients_own(name):
    assert getattr(releaseops_mcp, name) is getattr(client, name)


def test_the_clients_public_names_all_exist():
    assert all(hasattr(client, name) for name in client.__all__)


def test_any_other_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="SystemState"):
        _ = releaseops_mcp.SystemState
