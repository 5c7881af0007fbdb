#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lays out every C++ file with clang-format; with --check only tells which would change, and fails if any would.
set -euo pipefail
cd "$(dirname "$0")/.."
files=$(git ls-files '*.h' '*.cc')
if [ "${1:-}" = --check ]; then
  echo "$files" | xargs clang-format --dry-run -Werror
else
  echo "$files" | xargs clang-format -i
fi
