# The chores as words. Needs Python 3.11 or newer and make; everything else is put into .venv, which is made when it is first needed
# and again when pyproject.toml changes. Each word is one or two commands that can also be typed.

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
VENV := .venv/made

.PHONY: demo serve test e2e-test docs docs-test coverage soak web-test screenshots web-check check format bench bench-quick schemas lock venv clean

demo: $(VENV)
	$(BIN)/botarena demo

serve: $(VENV)
	$(BIN)/botarena serve

test: $(VENV)
	$(BIN)/python -m pytest -n auto

# Real servers, commands and bots, as processes that are started, stopped and killed.
e2e-test: $(VENV)
	$(BIN)/python -m pytest -n auto -m 'e2e and not soak and not documents'

# The reference into build/reference; a warning is an error. The variable hides the advertisement of the theme's successor.
docs: $(VENV)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

# What the documents say to type, what the image runs, the wheel, installed, and a client that has to be installed apart.
docs-test: $(VENV)
	$(BIN)/python -m pytest -n auto -m documents --ignore tests/web

# Of the suites that play within one process: what a process that they start runs is not seen. The tests are much slower here, so
# that one about time may fail: `make test` judges them, this judges the floor.
coverage: $(VENV)
	-$(BIN)/python -m pytest -n auto --cov --cov-report= --cov-fail-under=0 \
		$(addprefix tests/,accounts botarena client_sdk core games records server store submissions vectors) \
		--ignore tests/client_sdk/bots --ignore tests/client_sdk/cli
	$(BIN)/coverage report --skip-covered

soak: $(VENV)
	BOTARENA_TEST_PROFILE=soak $(BIN)/python -m pytest -n auto -m soak

# The page in a real browser: Chromium of the system (CHROMIUM names another one).
web-test: $(VENV) node_modules
	$(BIN)/python -m tests.web.chromium
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m web tests/web

# Every page on three screens, light and dark, with an index to look through.
screenshots: $(VENV) node_modules
	$(BIN)/python -m tests.web.chromium
	rm -rf tests/web/screenshots
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m screenshots tests/web
	$(BIN)/python -m tests.web.screenshots

web-check: node_modules
	npm run --silent check

node_modules: package-lock.json
	npm ci --no-audit --no-fund
	touch node_modules

check: $(VENV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.words

format: $(VENV)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)
	$(BIN)/python -m benchmarks

# What a turn, a viewer, an idle connection and a start cost, in under three minutes.
bench-quick: $(VENV)
	$(BIN)/python -m benchmarks.load quick

# The documents of the websocket's messages, when these have changed.
schemas: $(VENV)
	$(BIN)/python -m client_sdk.wire
	$(BIN)/python sdk/typescript/generate.py

# What the image installs: the newest versions that pyproject.toml allows, with their hashes.
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header
lock: $(VENV)
	$(LOCK) --extra postgres --output-file deploy/requirements.lock pyproject.toml
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')" \
		| $(LOCK) --output-file deploy/build.lock -

venv: $(VENV)

$(VENV): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Botarena needs Python 3.11 or newer; none was found (or name one: make PYTHON=/path/to/python)"; exit 1; }
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $(VENV)

clean:
	rm -rf .venv build dist .coverage .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
