#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lays out every C++ file with clang-format, and the studio's page and its tests with prettier.
#   tools/format.sh               all of it
#   tools/format.sh --check       only tells which files would change, and fails if any would
#   tools/format.sh --check cc    the C++ files alone; web: the others
set -euo pipefail
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
what="${1:-cc web}"

case "$what" in *cc*)
  arguments=(-i)
  if [ -n "$check" ]; then arguments=(--dry-run -Werror); fi
  git ls-files "*.h" "*.cc" | xargs clang-format "${arguments[@]}"
esac
case "$what" in *web*)
  tools/npm_packages.sh web
  arguments=(--log-level warn --write)
  if [ -n "$check" ]; then arguments=(--log-level warn --check); fi
  git ls-files 'web/*.ts' 'web/*.css' 'web/*.mjs' 'tests/web/*.mjs' 'tests/wasm/*.mjs' \
    'bindings/web/*.ts' 'bindings/web/*.mjs' | xargs web/node_modules/.bin/prettier "${arguments[@]}"
esac
