# Wonderlog's house-keeping. `make` alone lists what there is.

VENV   := .venv
PY     := $(VENV)/bin/python
ARGS   ?=
JOBS   ?= 2
# Another interpreter: make setup PYTHON=/path/to/python3
PYTHON ?=

PYTEST := $(PY) -m pytest
SHELL  := /bin/sh

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev serve test test-slow test-browser screenshots check bench lock clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## make .venv and install what a table needs, from the hashed lock
	@PYTHON='$(PYTHON)' sh deploy/setup.sh play

setup-dev: ## the same with the tools for tests and checks
	@PYTHON='$(PYTHON)' sh deploy/setup.sh dev

serve: setup ## open the house: store, workers, ticker, projector, API and pages (ARGS='--port 8777 --data DIR')
	@exec $(VENV)/bin/wonderlog serve $(ARGS)

test: setup-dev ## all tests but the slow ones and those with a browser (ARGS='tests/rules -k trade')
	$(PYTEST) -n $(JOBS) --dist loadfile $(ARGS)

# pytest ends with 5 when no test bears the mark: said, not failed.
marked = @echo '$(PYTEST) $(2) -m $(1) $(ARGS)'; $(PYTEST) $(2) -m $(1) $(ARGS); status=$$?; \
	if [ $$status -eq 5 ]; then echo 'There is no $(1) test yet.'; else exit $$status; fi

test-slow: setup-dev ## the long tests: kills, load, whole tournaments
	$(call marked,slow,-n $(JOBS))

test-browser: setup-dev ## the pages in a real Chromium (Debian: apt-get install chromium)
	$(call marked,browser,)

screenshots: setup-dev ## pictures of every page into docs/screenshots (needs a Chromium, too)
	$(PY) -m tests.web.shots $(ARGS)

check: setup-dev ## ruff, mypy --strict and the import arrow
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy --strict
	$(VENV)/bin/lint-imports

bench: setup-dev ## the figures of this machine (ARGS='latency --size=0.5' for one, and half of it)
	@$(PY) -m tests.bench $(ARGS)

lock: setup-dev ## write the two locks anew from pyproject.toml (needs uv)
	@PYTHON='$(PYTHON)' sh deploy/setup.sh lock

clean: ## remove .venv and every cache; games (data/) stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
