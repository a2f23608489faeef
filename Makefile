# `make run` and `make test` are all the set-up there is. Everything else is for working on Bailiwick.
.DEFAULT_GOAL := help
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
BIN := .venv/bin
UI := src/bailiwick/web/dist/index.html
# Kept where an environment forbids it too: else every process compiles the whole product for itself.
unexport PYTHONDONTWRITEBYTECODE
SIDE_BY_SIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target
UI_SOURCES := $(shell find ui -path ui/node_modules -prune -o -type f -print 2>/dev/null)

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

run: .venv/.run $(UI) ## Start the office; prints its address and, the first time, the owner's link
	@exec $(BIN)/bailiwick serve

ui: $(UI) ## Build the web app

test: ## Everything that CI checks; EVERYTHING=1 adds what takes longer
	@$(SIDE_BY_SIDE) .venv/.dev $(UI) browser dovecot
	@$(SIDE_BY_SIDE) check-python check-ui
	@$(BIN)/pytest $(PYTEST_ARGS) || { [ $$? = 1 ] || exit 1; \
	  echo "Once more, alone: what fails again is broken, and what does not is unsteady and wants mending too." >&2; \
	  $(BIN)/pytest --last-failed --last-failed-no-failures=none -n 0; }

check: ## Style, types, layers, generated files
	@$(SIDE_BY_SIDE) .venv/.dev $(UI)
	@$(SIDE_BY_SIDE) check-python check-ui

check-python: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports

check-ui: .venv/.dev $(UI)
	$(BIN)/python tests/check_generated.py
	./ui/build.sh check

fix: .venv/.dev ## Repair style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	./ui/build.sh fix

bench: .venv/.dev ## Measure the figures, each beside its peer
	for script in bench/*.py; do $(BIN)/python $$script; done

mutants: .venv/.dev ## Make the guarding code wrong in many ways and see that tests fail: make mutants only=gate/checks
	PYTHONPATH=tests $(BIN)/python -m mutants $(only)

flows: .venv/.dev ## Walk the four flows of the map and count the functions they go through: make flows only="mcp --tree"
	PYTHONPATH=tests $(BIN)/python -m flows $(only)

coverage-map: .venv/.dev ## Each requirement with the tests that prove it, and those without
	$(BIN)/pytest --collect-only -q -n 0 --coverage-map

generate: .venv/.dev ## Make the OpenAPI document and the web app's client anew
	$(BIN)/bailiwick openapi > .venv/openapi.json
	mv .venv/openapi.json ui/src/api/openapi.json
	cd ui && npm run --silent generate

screenshots: .venv/.dev $(UI) browser ## Take the pictures in docs/screenshots anew
	PYTHONPATH=tests $(BIN)/python -m e2e.screenshots docs/screenshots

migration: .venv/.dev ## Draft a migration from the models: make migration m="add x"
	$(BIN)/python migrations/revise.py "$(m)"

wheel: .venv/.run ## Build the wheel, with the web app inside
	.venv/bootstrap/bin/uv build --wheel

lock: ## Pin the newest dependencies, with hashes
	for name in bootstrap node; do $(COMPILE) requirements/$$name.in -o requirements/$$name.lock; done
	$(COMPILE) pyproject.toml -o requirements/run.lock
	$(COMPILE) pyproject.toml --extra dev -c requirements/run.lock -o requirements/dev.lock

COMPILE = .venv/bootstrap/bin/uv pip compile --quiet --upgrade --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11

browser: ## Find Chromium, or install Debian's when root
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  [ "$$(id -u)" = 0 ] || { echo "Chromium is missing. Install it: apt-get install chromium" >&2; exit 1; }; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; }

dovecot: | browser ## Find Dovecot, the mail server of the tests, or install Debian's when root
	@PATH="$$PATH:/usr/sbin"; command -v dovecot >/dev/null || { \
	  [ "$$(id -u)" = 0 ] || { echo "Dovecot is missing. Install it: apt-get install dovecot-imapd" >&2; exit 1; }; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends dovecot-imapd >/dev/null; }

# uv and the build backend live in their own environment, installed by pip with hashes.
.venv/bootstrap/.done: requirements/bootstrap.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Bailiwick needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PYTHON) -m venv .venv/bootstrap
	.venv/bootstrap/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bootstrap.lock
	@touch $@

INSTALL = .venv/bootstrap/bin/uv pip install --quiet --python $(BIN)/python

.venv/.run: .venv/bootstrap/.done requirements/run.lock pyproject.toml
	$(INSTALL) --require-hashes --compile-bytecode -r requirements/run.lock -r requirements/bootstrap.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/.dev: .venv/bootstrap/.done requirements/dev.lock pyproject.toml
	$(INSTALL) --require-hashes --compile-bytecode -r requirements/dev.lock -r requirements/bootstrap.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch .venv/.run $@

$(UI): $(UI_SOURCES)
	./ui/build.sh
	@touch $@

.PHONY: help run ui test check check-python check-ui fix bench mutants flows coverage-map generate screenshots migration wheel lock browser dovecot
