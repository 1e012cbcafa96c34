# Each target does all of its set-up; `make demo` and `make test` are all that a newcomer needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CODE   := pyproject.toml CMakeLists.txt LICENSE $(shell find core src -name '*.py' -o -name '*.?pp' -o -name py.typed)

CMAKE = PATH="$(abspath $(BIN)):$$PATH" cmake -S . -G Ninja -DPython_EXECUTABLE=$(abspath $(BIN)/python) \
	-Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)

.PHONY: demo test golden check sanitize tsan bench wheel clean

demo: $(VENV)/installed
	$(BIN)/boxscore demo

test: $(VENV)/tested
	$(BIN)/pytest -n auto tests --pyargs boxscore

# Writes the golden files anew; the diff is then to be reviewed.
golden: $(VENV)/tested
	$(BIN)/pytest tests/golden --update-golden

check: $(VENV)/checked
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror core/*.?pp
	$(BIN)/mypy
	$(CMAKE) -B build/check -DBOXSCORE_WERROR=ON
	$(BIN)/cmake --build build/check

# The kernels under AddressSanitizer and UndefinedBehaviorSanitizer; the laws run on them.
SANITIZED := build/sanitize/site/boxscore
ON_SANITIZED = PYTHONPATH=build/sanitize/site ASAN_OPTIONS=detect_leaks=0 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)"
# The laws that call kernels with all they can get; the others only evaluate more often.
LAWS = $(wildcard tests/laws/test_*kernel*.py tests/laws/test_json*.py) \
	tests/laws/test_crc32c.py tests/laws/test_image_headers.py tests/laws/test_merge.py tests/laws/test_prepare.py
sanitize: $(VENV)/checked
	$(CMAKE) -B build/sanitize -DBOXSCORE_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --target _core
	rm -rf $(SANITIZED) && mkdir -p build/sanitize/site && cp -r src/boxscore $(SANITIZED)
	rm -f $(SANITIZED)/_core*.so && cp build/sanitize/_core*.so $(SANITIZED)/
	$(ON_SANITIZED) $(BIN)/python -c 'import boxscore; assert "sanitize" in boxscore.__file__, boxscore.__file__'
	$(ON_SANITIZED) $(BIN)/pytest -n auto $(LAWS)

# The kernels under ThreadSanitizer: the laws with threads in their names, over enough rows and files for several threads.
# Older versions of it cannot cope with addresses as random as today's systems make them; where the randomness cannot be
# switched off, it runs with it.
TSAN := build/tsan/site/boxscore
ON_TSAN = PYTHONPATH=build/tsan/site OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=halt_on_error=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	$$(setarch -R true 2>/dev/null && echo setarch -R)
tsan: $(VENV)/checked
	$(CMAKE) -B build/tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBOXSCORE_SANITIZE_THREADS=ON
	$(BIN)/cmake --build build/tsan --target _core
	rm -rf $(TSAN) && mkdir -p build/tsan/site && cp -r src/boxscore $(TSAN)
	rm -f $(TSAN)/_core*.so && cp build/tsan/_core*.so $(TSAN)/
	$(ON_TSAN) $(BIN)/python -c 'import boxscore; assert "tsan" in boxscore.__file__, boxscore.__file__'
	$(ON_TSAN) $(BIN)/pytest -s -q -k thread tests/laws

bench: $(VENV)/installed
	$(BIN)/pip install --quiet -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/run.py

# A wheel, installed and run in an empty environment.
wheel: $(VENV)/installed
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation -w dist .
	$(PYTHON) -m venv --clear build/empty
	build/empty/bin/pip install --quiet dist/boxscore-*.whl
	cd build/empty && bin/boxscore demo

# Tools first, from the dependency groups of pyproject.toml; then the package, built with them and built again only where
# its code has changed.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --group build
	touch $@

$(VENV)/installed: $(VENV)/ready $(CODE)
	$(BIN)/pip install --quiet --no-build-isolation .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/pip install --quiet --group test
	# What it depends on beyond numpy and pycocotools only draws, and weighs 200 MB.
	$(BIN)/pip install --quiet --no-deps lvis==0.5.3
	touch $@

$(VENV)/checked: $(VENV)/tested
	$(BIN)/pip install --quiet --group check
	cp $$($(BIN)/python -c 'import boxscore, pathlib; print(pathlib.Path(boxscore.__file__).parent)')/_core.pyi src/boxscore/
	touch $@

clean:
	rm -rf $(VENV) build dist
