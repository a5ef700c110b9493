# Every target sets up what it needs; a second run needs no network.
.DEFAULT_GOAL := help
SHELL := /bin/bash

bin := .venv/bin
ready := .venv/.ready
# Spark finds its Java by JAVA_HOME.
with_java := JAVA_HOME="$$(scripts/java)" && export JAVA_HOME &&

BENCH ?= ingest

.PHONY: help demo test test-all check cases bench clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(ready) ## set up everything and run four photon subscriptions end to end
	@$(with_java) $(bin)/millstream demo

# Processes of one run must name their tests alike, also those that are named after sets.
test: check ## set up everything and run the tests that every change must pass
	@$(with_java) PYTHONHASHSEED=0 $(bin)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not long" --durations=25

test-all: check ## the same, with the long tests, and those in a browser
	@scripts/browser >/dev/null || true
	@$(with_java) $(bin)/python -m pytest

check: $(ready) ## style, types and architecture
	@$(bin)/ruff check .
	@$(bin)/ruff format --check .
	@$(bin)/mypy
	@$(bin)/python -m pytest -q tests/architecture

cases: $(ready) ## rewrite the golden cases, for a person to review
	@$(with_java) MILLSTREAM_REWRITE_CASES=1 $(bin)/python -m pytest -q -m "not long" tests
	@git status --short tests

bench: $(ready) ## run an experiment: make bench BENCH=ingest
	@$(with_java) $(bin)/millstream bench $(BENCH)

clean: ## remove everything that make made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(ready): pyproject.toml scripts/setup
	@scripts/setup
