# SPDX-License-Identifier: MIT
# Two commands do everything on a bare Debian 12 machine: `make run` and `make test`.

.DEFAULT_GOAL := help
.PHONY: help run demo studio build python wasm wasm-test blender-test test bench quality fuzz format tidy docs clean

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 300
LOOM_STUDIO ?= 1

help: ## show this list
	@echo "Motion Loom: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: demo ## set everything up, build, run the demo into out/demo, and open the studio on it
	@$(MAKE) --no-print-directory studio

demo: build ## the same without the studio
	build/bin/loom demo --out out/demo

# Serves until Ctrl-C; LOOM_STUDIO=0 leaves it out.
studio: build ## serve the page of the studio, on the demo's library where there is one
	@if [ "$(LOOM_STUDIO)" != 0 ]; then exec build/bin/loom studio $$(ls out/demo/samples.loom 2>/dev/null); fi

build: ## set up and build the command: build/bin/loom
	@tools/setup.sh build
	@cmake --preset release -DLOOM_TESTS=OFF -DLOOM_BENCH=OFF --log-level=WARNING
	cmake --build build -j $(JOBS) --target loom loom-assimp-worker

# It lies in build/python; `pip install` of bindings/python makes a wheel of it.
python: ## build the Python module for Debian's Python: PYTHONPATH=build/python python3 -c "import loom"
	@tools/setup.sh build python
	@cmake --preset release -DLOOM_TESTS=OFF -DLOOM_BENCH=OFF -DLOOM_PYTHON=ON --log-level=WARNING
	cmake --build build -j $(JOBS) --target loom_python

# An npm package in out/wasm/package, and out/wasm/play.html: one page, without a server, with a sample character in it.
# HERO=hero.loomrt puts another in. Debian's Emscripten is 840 MB installed, so only this target installs it.
wasm: build ## build the run-time library for web pages: an npm package and a page that plays a character
	@tools/setup.sh build wasm
	tools/wasm.sh build out/wasm $(HERO)

wasm-test: ## build that and test it, in Node and in Chromium
	@tools/setup.sh build test wasm
	@cmake --preset release -DLOOM_TESTS=ON -DLOOM_BENCH=OFF --log-level=WARNING
	cmake --build build -j $(JOBS) --target loom c_walk
	tests/wasm/run.sh build

# Blender is 600 MB of packages, so `make test` tests the add-on only where it is installed.
blender-test: python ## install Debian's Blender and test the add-on in it
	@tools/setup.sh blender
	tests/blender/run.sh build

test: ## set everything up, build with g++ and clang++, and run all tests
	@tools/setup.sh build test python
	@cmake --preset release -DLOOM_TESTS=ON -DLOOM_BENCH=OFF -DLOOM_PYTHON=ON --log-level=WARNING
	@cmake --preset sanitize --log-level=WARNING
	cmake --build build -j $(JOBS)
	cmake --build build-sanitize -j $(JOBS) --target sanitized_tests fuzz_targets
	tools/test.sh build $(JOBS)

bench: ## run all benchmarks; figures are ratios within one run
	@tools/setup.sh build bench
	@cmake --preset release -DLOOM_BENCH=ON --log-level=WARNING
	cmake --build build -j $(JOBS)
	tools/bench.sh

# QUALITY="--seeds 1 --seconds 20 --sets samples,16" makes it short; PICTURES=folder draws the worst frames.
quality: build ## measure every synthesiser beside its recordings: the table of docs/results/quality.md
	node bench/quality.mjs --page docs/results/quality.md $(if $(PICTURES),--pictures $(PICTURES)) $(QUALITY)

fuzz: ## fuzz every reader for FUZZ_SECONDS each (300)
	@tools/setup.sh build test
	@cmake --preset sanitize --log-level=WARNING
	cmake --build build-sanitize -j $(JOBS)
	tools/fuzz.sh $(FUZZ_SECONDS)

format: ## lay out all sources with clang-format and prettier
	@tools/setup.sh test
	tools/format.sh

tidy: ## run clang-tidy over all sources, and compile every public header alone
	@tools/setup.sh build test
	@cmake --preset release -DLOOM_TESTS=ON -DLOOM_BENCH=OFF --log-level=WARNING
	tools/lone_headers.sh
	tools/tidy.sh

docs: ## write the API reference to out/docs, and fail on a warning
	@tools/setup.sh docs
	tools/docs.sh

clean: ## remove everything that was built
	rm -rf build build-debug build-sanitize build-clang build-wasm out
