#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the run-time library for web pages and tests it in Node and in Chromium, where Emscripten is installed; else says
# that it was not run.
#   tests/wasm/run.sh BUILD
set -euo pipefail
build=$(cd "$1" && pwd)
if ! command -v emcc >/dev/null; then
  echo "SKIPPED: Emscripten is not installed, so WebAssembly was NOT tested; make wasm-test installs it and runs this." >&2
  exit 77
fi
cd "$(dirname "$0")/../.."
tools/wasm.sh "$build" "$build/wasm"
node tests/wasm/package_test.mjs "$build/wasm" "$build/bin/c_walk"
node tests/wasm/types_test.mjs "$build/wasm"
node tests/wasm/page_test.mjs "$build/wasm"
