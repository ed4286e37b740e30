# Two commands matter: `make demo` shows what Quorate does, `make test` runs the tests. Both set up what they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
BENCH  := .venv-bench
PEERS  := .venv-peers
PIP    := -m pip install --disable-pip-version-check -c constraints.txt

# The real vote sets are not part of this project; where they lie next to it, the tests use them.
ifeq ($(origin QUORATE_DATA), undefined)
ifneq ($(wildcard ../shared/data/*),)
export QUORATE_DATA := $(abspath ../shared/data)
endif
endif

# What a machine sets must not change what the tests see: buffered output hides defects where these are set.
unexport PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE

# Tests commit thousands of times: where memory can hold their files, no disk is waited for.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print $$6 }')
IN_MEMORY := $(if $(MEMORY),TMPDIR=$(MEMORY))
JUNIT = $(if $(RESULTS),--junitxml=$(RESULTS)/$(subst /,-,$(1)).xml)
# One thread per process: several processes run at once. Many tests wait for a browser or a database, hence three.
RUN_TESTS := $(IN_MEMORY) OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
PYTEST = $(RUN_TESTS) $(BIN)/python -m pytest -n 3 --dist loadgroup
VITEST := $(if $(RESULTS),--reporter=default --reporter=junit --outputFile.junit=$(abspath $(RESULTS))/vitest.xml)

# The interpreter of `make test-python PYTHON=...`, which has an environment of its own.
VERSION = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
OTHER = .venv-$(VERSION)

.PHONY: demo tour setup setup-python test test-long test-python quick smoke coverage check format docs web api-types browser chromium bench accuracy \
	learn calibrate replay service pages clean

# ARGS=--headless runs to the end and prints what it cost; ARGS=--screening shows several criteria, pilot and estimate;
# ARGS='--items your.csv' takes your own texts and labels; ARGS=--images takes photos of CIFAR-10.
demo: $(VENV)/.demo-ready web
	@$(BIN)/python examples/service_demo/run.py $(ARGS)

tour: $(VENV)/.demo-ready
	@$(BIN)/python examples/tour.py --folder demo

setup: $(VENV)/.dev-ready web
	@$(BIN)/python web/build.py install-api-types

test: setup browser
	@$(BIN)/python web/build.py test $(VITEST)
	@$(PYTEST) $(call JUNIT,test) $(ARGS)

# Both databases everywhere, more examples, demos of full size, kill -9.
test-long: setup browser
	@$(PYTEST) --long $(call JUNIT,long) $(ARGS)

# What a change of the library can break, in a minute: no service, no browser, no torch.
quick: $(VENV)/.dev-ready
	@$(RUN_TESTS) $(BIN)/python -m pytest -n 2 --library -m 'not slow' --ignore=docs -q $(ARGS)

# The library on another Python, without torch: make test-python PYTHON=python3.13
setup-python: $(OTHER)/.ready

test-python: setup-python
	@$(RUN_TESTS) $(OTHER)/bin/python -m pytest -n 2 --library -q $(call JUNIT,python-$(VERSION)) $(ARGS)

# A little of everything, to be run where the environment is unusual: LC_ALL=C make smoke
smoke: setup
	@$(PYTEST) -q $(call JUNIT,smoke-$(or $(NAME),here)) tests/cli tests/io tests/plots tests/data/test_ids.py tests/service/test_server.py $(ARGS)

# Apart, since counting lines takes a third longer.
coverage: setup browser
	@$(PYTEST) --cov --cov-report=term:skip-covered $(ARGS)

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

# What the pages know of the API, from its OpenAPI schema: run it after a change of a request, a response or a setting.
api-types: $(VENV)/.dev-ready
	@$(BIN)/python web/api-types/generate.py

# A browser for the tests of the pages. `make test` tries once to install one, and does without where that fails.
chromium: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.pages.chromium

browser: $(VENV)/.browser-tried

$(VENV)/.browser-tried: $(VENV)/.dev-ready
	@$(BIN)/python -m tests.pages.chromium || true
	@touch $@

format: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev-ready
	$(BIN)/mkdocs serve

# Lists the benchmarks; NAME=decision runs a folder of them, NAME=decision/audit one, ARGS=--quick in less time.
ifneq ($(filter bench,$(MAKECMDGOALS)),)
NEEDED := $(if $(NAME),$(shell $(PYTHON) -m benchmarks --needs $(NAME)))
endif

bench: $(NEEDED)
	@$(PYTHON) -m benchmarks $(NAME) $(ARGS)

accuracy:
	@$(MAKE) --no-print-directory bench NAME=aggregation/accuracy

learn:
	@$(MAKE) --no-print-directory bench NAME=learning/classifiers

calibrate:
	@$(MAKE) --no-print-directory bench NAME=calibration/suite

replay:
	@$(MAKE) --no-print-directory bench NAME=decision/replays

service:
	@$(MAKE) --no-print-directory bench NAME=service/suite

pages:
	@$(MAKE) --no-print-directory bench NAME=pages/browser

clean:
	rm -rf $(VENV) .venv-3.* $(BENCH) $(PEERS) site demo web/node_modules web/api-types/node_modules quorate/service/static

# Stamps: an environment is set up once, and again when what it is made from changes.
$(BIN)/python:
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Quorate needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-ready: pyproject.toml constraints.txt | $(BIN)/python
	@$(BIN)/python $(PIP) -e '.[plots,service]'
	@touch $@

$(VENV)/.dev-ready: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what the tests need ..."
	@$(BIN)/python $(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.demo-ready

$(OTHER)/.ready: pyproject.toml constraints.txt
	@echo "Setting up $(OTHER) ..."
	@$(PYTHON) -m venv $(OTHER)
	@$(OTHER)/bin/python $(PIP) -e '.[test]'
	@touch $@

# Peers need older packages than Quorate does: they have an environment of their own.
$(BENCH)/.ready: benchmarks/aggregation/requirements.txt pyproject.toml constraints.txt
	@echo "Setting up $(BENCH) ..."
	@$(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python $(PIP) -e '.[client,fast,plots]' -r benchmarks/aggregation/requirements.txt
	@touch $@

# Label Studio and Potato, as they are: only to be measured beside the service.
$(PEERS)/.ready: benchmarks/service/requirements.txt
	@echo "Setting up $(PEERS) ..."
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --disable-pip-version-check -r benchmarks/service/requirements.txt
	@touch $@

$(VENV)/.learn-ready: benchmarks/learning/requirements.txt $(VENV)/.dev-ready
	@$(BIN)/python $(PIP) -r benchmarks/learning/requirements.txt
	@touch $@
