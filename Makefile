# Each target does all of its set-up; `make demo` and `make test` are all that a newcomer needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CODE   := pyproject.toml CMakeLists.txt LICENSE $(shell find core src -name '*.py' -o -name '*.?pp' -o -name py.typed -o -path '*/app/page/*.*')

CMAKE = PATH="$(abspath $(BIN)):$$PATH" cmake -S . -G Ninja -DPython_EXECUTABLE=$(abspath $(BIN)/python) \
	-Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)

.PHONY: demo test test-long explore golden stub check page sanitize tsan bench wheel clean

demo: $(VENV)/installed
	$(BIN)/boxscore demo

# What a person runs before a commit: every test that is not marked long.
test: $(VENV)/tested
	$(BIN)/pytest -n auto tests --pyargs boxscore

# All tests, laws on all of their scenes.
test-long: $(VENV)/tested
	$(BIN)/pytest -n auto --long tests --pyargs boxscore

# The laws on new scenes, again and again for so many minutes. What fails is kept in .hypothesis and tried first next time.
MINUTES ?= 10
explore: $(VENV)/tested
	end=$$(( $$(date +%s) + 60 * $(MINUTES) )); while [ $$(date +%s) -lt $$end ]; do \
		$(BIN)/pytest -n auto --long --hypothesis-profile=explore tests/laws || exit 1; done

# Writes the golden files anew; the diff is then to be reviewed.
golden: $(VENV)/tested
	$(BIN)/pytest tests/golden --update-golden

# Writes anew what editors and mypy know of the compiled kernels.
stub: $(VENV)/installed
	$(BIN)/python -m nanobind.stubgen -q -m boxscore._core -o src/boxscore/_core.pyi

check: $(VENV)/checked
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror core/*.?pp
	$(BIN)/mypy
	$(CMAKE) -B build/check -DBOXSCORE_WERROR=ON
	$(BIN)/cmake --build build/check

# The types of the page's modules. TypeScript is a tool from npm; nothing of it is part of the package.
page: build/page/node_modules
	build/page/node_modules/.bin/tsc --project tests/app/jsconfig.json

build/page/node_modules:
	npm install --silent --no-audit --no-fund --prefix build/page typescript@5

# The kernels under AddressSanitizer and UndefinedBehaviorSanitizer; the laws run on them.
SANITIZED := build/sanitize/site/boxscore
ON_SANITIZED = PYTHONPATH=build/sanitize/site ASAN_OPTIONS=detect_leaks=0 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)"
# The laws that call kernels with all they can get; the others only evaluate more often. A name that is gone is an error.
LAWS = $(addprefix tests/laws/test_, crc32c.py csv_kernel.py curve_kernel.py image_headers.py json_kernel.py \
	json_numbers.py json_shapes.py json_texts.py keypoint_kernels.py mask_kernels.py match_kernel.py merge.py prepare.py \
	rotated_kernels.py small_kernels.py text_kernel.py tubes.py value_columns.py xml_kernel.py)
sanitize: $(VENV)/checked
	$(CMAKE) -B build/sanitize -DBOXSCORE_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --target _core
	rm -rf $(SANITIZED) && mkdir -p build/sanitize/site && cp -r src/boxscore $(SANITIZED)
	rm -f $(SANITIZED)/_core*.so && cp build/sanitize/_core*.so $(SANITIZED)/
	$(ON_SANITIZED) $(BIN)/python -c 'import boxscore; assert "sanitize" in boxscore.__file__, boxscore.__file__'
	$(ON_SANITIZED) $(BIN)/pytest -n auto --long $(LAWS)

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
	$(ON_TSAN) $(BIN)/pytest -s -q --long -k thread tests/laws

bench: $(VENV)/installed
	$(PIP) install -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/run.py

# A wheel, installed and run in an empty environment.
wheel: $(VENV)/installed
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation -w dist .
	$(PYTHON) -m venv --clear build/empty
	build/empty/bin/pip install --quiet dist/boxscore-*.whl
	cd build/empty && bin/boxscore demo

# Tools first, from the dependency groups of pyproject.toml; then the package, built with them and built again only where
# its code has changed.
PIP = $(BIN)/pip --quiet --disable-pip-version-check
$(VENV)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "boxscore needs Python 3.10 or newer: \
	install it, or name one that is there with PYTHON=python3.12." >&2; exit 1; }
	@echo 'int main() { return []<class T>(T x) { return x; }(0); }' | $(CXX) -std=c++20 -x c++ -fsyntax-only - 2>/dev/null \
	|| { echo "boxscore needs a C++20 compiler: install g++ 11 or clang 14, or newer (Debian, Ubuntu: apt install g++;" \
	"macOS: xcode-select --install), or name one that is there with CXX=…." >&2; exit 1; }
	@echo "Making a Python environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { echo "Python has no venv module: install it (Debian, Ubuntu: apt install python3-venv)." >&2; exit 1; }
	@$(PIP) install --upgrade pip
	@$(PIP) install --group build
	@touch $@

$(VENV)/installed: $(VENV)/ready $(CODE)
	@echo "Compiling the kernels and installing boxscore into $(VENV) (one to two minutes) …"
	@$(PIP) install --no-build-isolation .
	@touch $@

$(VENV)/tested: $(VENV)/installed
	@echo "Installing what the tests need …"
	@$(PIP) install --group test
	@# What it depends on beyond numpy and pycocotools only draws, and weighs 200 MB.
	@$(PIP) install --no-deps lvis==0.5.3
	@touch $@

$(VENV)/checked: $(VENV)/tested
	@echo "Installing the linters …"
	@$(PIP) install --group check
	@touch $@

clean:
	rm -rf $(VENV) build dist
