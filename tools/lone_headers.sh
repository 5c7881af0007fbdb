#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles every public header alone, and twice in a row: including it needs nothing included before it, and its guard
# works. What passed is remembered (verdicts.sh). LINT_SECONDS as for tidy.sh. Headers in detail/ may bring Eigen, too.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/verdicts.sh
compiler=${CXX:-g++}
export compiler

alone() {
  local inner=()
  case "$1" in */detail/*) inner=(-isystem /usr/include/eigen3) ;; esac
  printf '#include <%s>\n#include <%s>\n' "$1" "$1" | "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Werror \
    -fsyntax-only -I. "${inner[@]}" -x c++ -
}

git ls-files 'loom/*.h' | judge headers "$("$compiler" --version)" "${LINT_SECONDS:-0}" alone
