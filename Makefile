# Each target does all of its set-up; `make demo` and `make test` are all that a newcomer needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CODE   := pyproject.toml CMakeLists.txt LICENSE $(shell find core src -name '*.py' -o -name '*.?pp' -o -name py.typed)

.PHONY: demo test check sanitize bench wheel clean

demo: $(VENV)/installed
	$(BIN)/boxscore demo

test: $(VENV)/tested
	$(BIN)/pytest -n auto

check: $(VENV)/checked
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cmake -S . -B build/check -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) \
		-DPython_EXECUTABLE=$(abspath $(BIN)/python) -DBOXSCORE_WERROR=ON
	$(BIN)/cmake --build build/check --parallel

# The kernels under AddressSanitizer and UndefinedBehaviorSanitizer; the laws run on them.
SANITIZED := build/sanitize/site/boxscore
sanitize: $(VENV)/checked
	$(BIN)/cmake -S . -B build/sanitize -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) \
		-DPython_EXECUTABLE=$(abspath $(BIN)/python) -DBOXSCORE_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --parallel
	rm -rf $(SANITIZED) && mkdir -p build/sanitize/site && cp -r src/boxscore $(SANITIZED)
	rm -f $(SANITIZED)/_core*.so && cp build/sanitize/_core*.so $(SANITIZED)/
	PYTHONPATH=build/sanitize/site LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 BOXSCORE_SANITIZED=1 $(BIN)/pytest -n auto tests/laws

bench: $(VENV)/installed
	$(BIN)/pip install --quiet -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/run.py

# A wheel, installed and run in an empty environment.
wheel: $(VENV)/installed
	$(BIN)/pip wheel --quiet --no-deps -w dist .
	$(PYTHON) -m venv --clear build/empty
	build/empty/bin/pip install --quiet dist/boxscore-*.whl
	cd build/empty && bin/boxscore demo

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/installed: $(VENV)/bin/pip $(CODE)
	$(BIN)/pip install --quiet .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/pip install --quiet '.[test]'
	touch $@

$(VENV)/checked: $(VENV)/tested
	$(BIN)/pip install --quiet '.[test,check]'
	$(BIN)/python -m nanobind.stubgen -q -m boxscore._core -o src/boxscore/_core.pyi
	touch $@

clean:
	rm -rf $(VENV) build dist
