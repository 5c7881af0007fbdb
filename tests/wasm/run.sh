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

# A package of each kind beside the one that is in the page already.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loom() { "$build/bin/loom" "$@" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }; }
loom sample "$work/samples.loom" --only walk idle start stop
loom graph build "$work/samples.loom" --name main
loom fragments cut "$work/samples.loom" --name main --label walk idle
loom fragments train "$work/samples.loom" main --bins 12 --count 2 --seconds 20
loom machine read "$work/samples.loom" tests/wasm/walks.machine --name main
loom machine build "$work/samples.loom" main
for kind in graph policy machine; do
  loom pack-character "$work/samples.loom" --$kind main --force -o "$build/wasm/$kind.loomrt"
done
# And with their frames packed, which are unpacked when a package is opened.
for kind in graph policy; do
  loom pack-character "$work/samples.loom" --$kind main --error-mm 0.5 --force -o "$build/wasm/$kind-packed.loomrt"
done
node tests/wasm/package_test.mjs "$build/wasm" "$build/bin/c_walk"
node tests/wasm/types_test.mjs "$build/wasm"
node tests/wasm/page_test.mjs "$build/wasm"
