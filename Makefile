# Two commands matter: `make demo` shows what Quorate does, `make test` runs every test. Both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BENCH  := .venv-bench
PEERS  := .venv-peers
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# The real vote sets are not part of this project; where they lie next to it, the tests use them.
ifeq ($(origin QUORATE_DATA), undefined)
ifneq ($(wildcard ../shared/data/*),)
export QUORATE_DATA := $(abspath ../shared/data)
endif
endif

.PHONY: demo tour test coverage check format docs web chromium bench accuracy learn calibrate replay service pages clean

# ARGS=--headless runs to the end and prints what it cost; ARGS=--screening shows several criteria, pilot and estimate.
demo: $(VENV)/.demo-ready web
	@$(BIN)/python examples/service_demo.py $(ARGS)

tour: $(VENV)/.demo-ready
	@$(BIN)/python examples/demo.py --folder demo

test: $(VENV)/.dev-ready web
	@$(BIN)/python web/build.py test
	@$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

# Apart, since counting lines takes a third longer.
coverage: $(VENV)/.dev-ready web
	@$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered $(ARGS)

check: $(VENV)/.dev-ready
	$(BIN)/python web/build.py check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The pages of the service, from web/ into the package; quick where nothing changed.
web: | $(BIN)/python
	@$(BIN)/python web/build.py

# A browser for the tests of the pages: Debian's package.
chromium:
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium; }

format: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev-ready
	$(BIN)/mkdocs serve

bench: $(BENCH)/.ready
	$(BENCH)/bin/python benchmarks/aggregate.py $(ARGS)

accuracy: $(BENCH)/.ready
	$(BENCH)/bin/python benchmarks/accuracy.py $(ARGS)

learn: $(VENV)/.learn-ready
	$(BIN)/python benchmarks/learn.py $(ARGS)

calibrate: $(VENV)/.dev-ready
	$(BIN)/python benchmarks/calibrate.py $(ARGS)

replay: $(VENV)/.dev-ready
	$(BIN)/python benchmarks/replay.py $(ARGS)

service: $(VENV)/.dev-ready $(PEERS)/.ready
	QUORATE_PEERS=$(PEERS) $(BIN)/python benchmarks/service.py $(ARGS)

pages: $(VENV)/.dev-ready web
	$(BIN)/python benchmarks/pages.py $(ARGS)

clean:
	rm -rf $(VENV) $(BENCH) $(PEERS) site demo web/node_modules quorate/service/static

# Stamps: an environment is set up once, and again when what it is made from changes.
$(BIN)/python:
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Quorate needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-ready: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) -e '.[plots,service]'
	@touch $@

$(VENV)/.dev-ready: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what the tests need ..."
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.demo-ready

# Peers need older packages than Quorate does: they have an environment of their own.
$(BENCH)/.ready: benchmarks/requirements.txt pyproject.toml constraints.txt
	@echo "Setting up $(BENCH) ..."
	@$(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fast,plots]' -r benchmarks/requirements.txt
	@touch $@

# Label Studio and Potato, as they are: only to be measured beside the service.
$(PEERS)/.ready: benchmarks/service_requirements.txt
	@echo "Setting up $(PEERS) ..."
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/service_requirements.txt
	@touch $@

$(VENV)/.learn-ready: benchmarks/learn_requirements.txt $(VENV)/.dev-ready
	@$(PIP) -r benchmarks/learn_requirements.txt
	@touch $@
