# make train   sets up everything and trains on simulated phones
# make test    sets up everything and runs the tests
# make check   lint, format, types, architecture and tests: what CI runs

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: train test check lint format clean

train: $(VENV)/.ready
	$(BIN)/distrl train $(ARGS)

test: $(VENV)/.ready-dev
	$(BIN)/pytest $(ARGS)

check: lint test

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.ready: pyproject.toml constraints.txt tools/setup.sh
	PYTHON=$(PYTHON) tools/setup.sh $(VENV) .
	touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	PYTHON=$(PYTHON) tools/setup.sh $(VENV) ".[dev]"
	# Of MiniWoB++ only the pages are needed, not the browser driver that it depends on.
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -c constraints.txt miniwob
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
