# make track   track the people of an example text (installs everything on first use)
# make test    lint, then every test that needs no GPU
# make fuzz    the tests of any input again, with new examples and many more of them; then random
#              texts, damaged files, odd HTTP and kills, for MINUTES (see SECURITY.md)
# make docs    the documentation as a site, in out/site
# make dist    the wheel and the source archive, in dist
# make installed PYTHONS="python3.10 python3.13"
#              the wheel installed into an empty environment of each Python, and run there
# make lint    style and types
# make format  put the code into the project's style
# make clean   remove what the other targets made

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

MINUTES ?= 10
PYTHONS ?= $(PYTHON)

EXAMPLE := examples/lighthouse.txt
REPORT  := out/lighthouse.html

.PHONY: track test fuzz docs dist installed lint format clean
.DEFAULT_GOAL := track

track: $(VENV)/.installed
	@mkdir -p $(dir $(REPORT))
	@$(BIN)/petra track $(EXAMPLE) --html $(REPORT)
	@echo "The report is in $(REPORT)."

test: lint
	@$(BIN)/pytest -n 2 --dist worksteal

fuzz: $(VENV)/.installed-dev
	@PETRA_HYPOTHESIS=fuzz $(BIN)/pytest -m hypothesis
	@PYTHONPATH=tests/support $(BIN)/python tests/scripts/fuzz.py --minutes $(MINUTES)

docs: $(VENV)/.installed-dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in out/site/index.html; to search in it: $(BIN)/python -m http.server -d out/site"

dist: $(VENV)/.installed-dev
	@rm -rf dist
	@$(BIN)/hatchling build

installed: dist
	@set -e; unset PYTHONPATH; for python in $(PYTHONS); do \
	  place=$$(mktemp -d); \
	  $$python -m venv $$place; \
	  $$place/bin/pip install --quiet --disable-pip-version-check -c constraints.txt torch; \
	  $$place/bin/pip install --quiet --disable-pip-version-check -c constraints.txt dist/*.whl; \
	  $$place/bin/petra --version; $$place/bin/petra --help > $$place/help; $$place/bin/petra models list; \
	  (cd $$place && bin/petra track $(CURDIR)/$(EXAMPLE)); \
	  rm -rf $$place; \
	done

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/.installed-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Stamps: each is made anew when what it was made from changes. Torch comes first and
# pinned, so that nothing else chooses its version.
$(VENV)/.created:
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.torch: $(VENV)/.created constraints.txt
	@echo "Installing PyTorch (some hundred megabytes, once)"
	@$(PIP) torch
	@touch $@

$(VENV)/.installed: $(VENV)/.torch pyproject.toml
	@echo "Installing petra"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need"
	@$(PIP) --editable ".[dev]"
	@touch $@
