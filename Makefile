# The door to the repository. Every target sets up what it needs on a machine that has Python 3.11+, git and make.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# Compiled modules are what makes the second start fast; some containers switch them off.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
unexport VIRTUAL_ENV

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
PY := $(BIN)/python
READY := .venv/.ready
ARGS ?=

.PHONY: help setup demo test check check-rest bench soak docs messages lock clean
.PHONY: check-format check-lint check-types check-imports check-dead check-deps check-docs check-messages

help:
	@grep -E '^## ' Makefile | sed 's/^## //'

## setup     create .venv from requirements.lock (the other targets do it by themselves)
setup: $(READY)

$(READY): requirements.lock pyproject.toml tools/setup.sh
	@bash tools/setup.sh $(PY)
	@touch $@

## demo      migrate, propose, validate, archive: the whole story on a copy of the example
demo: $(READY)
	@$(PY) tools/demo.py $(ARGS)

## test      run the test suite (ARGS='tests/planning -k merge' for a part)
test: $(READY)
	@$(PY) -m pytest $(if $(ARGS),$(ARGS),-n logical --dist worksteal)

## check     format, lint, types, imports, dead code, dependencies, messages, docs
check: check-format check-lint check-types check-imports check-dead check-deps check-messages check-docs
	@echo "check: all passed"

check-format: $(READY)
	@$(BIN)/ruff format --check .

check-lint: $(READY)
	@$(BIN)/ruff check .

check-types: $(READY)
	@$(BIN)/mypy

# Without its cache: a stale one can report an import that is no longer there.
check-imports: $(READY)
	@$(BIN)/lint-imports --no-cache

check-dead: $(READY)
	@$(BIN)/vulture

check-deps: $(READY)
	@$(BIN)/deptry .

check-messages: $(READY)
	@$(PY) tools/messages.py --check

check-docs: $(READY)
	@$(PY) tools/reference.py --check

## bench     compare speed and memory with OpenSpec (needs npm; ARGS=--quick for a short run)
bench: $(READY)
	@$(PY) benchmarks/merging.py $(ARGS)
	@$(PY) benchmarks/many_stores.py
	@$(PY) benchmarks/skills.py
	@$(PY) benchmarks/workflows.py
	@$(PY) benchmarks/packages.py
	@$(PY) benchmarks/bench.py $(ARGS)

## soak      long runs that are not part of the suite
soak: $(READY)
	@$(PY) -m pytest -m soak $(ARGS)

## docs      write the generated pages of docs/reference
docs: $(READY)
	@$(PY) tools/reference.py

## messages  bring the message catalogues up to date and compile them
messages: $(READY)
	@$(PY) tools/messages.py

## lock      resolve requirements.lock again (needs uv)
lock:
	@bash tools/lock.sh

## clean     remove everything that the targets above created
clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
