#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs clang-tidy over every source file, or those below the folders given. What passed is remembered (verdicts.sh).
#   tools/tidy.sh            all
#   tools/tidy.sh loom       the library only
# With LINT_SECONDS set it begins no file after so many seconds: those changed last come first, so that what was just
# written is looked at even where nothing is remembered, as on a fresh clone.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/verdicts.sh
[ $# -gt 0 ] || set -- loom apps
mkdir -p build/tidy
# How each file is compiled alone: where several are compiled as one, the commands name none of them. What g++ precompiled
# clang-tidy cannot read; it takes the headers themselves.
cmake --preset release -B build/alone -DCMAKE_UNITY_BUILD=OFF -DLOOM_TESTS=ON -DLOOM_BENCH=OFF --log-level=ERROR >build/tidy/configured 2>&1 ||
  { cat build/tidy/configured >&2; exit 1; }
sed -E "s#$PWD/build/alone#$PWD/build#g; s# -Winvalid-pch##g; s# -include [^ \"]*cmake_pch\.hxx##g; s# -fpch-preprocess##g" \
  build/alone/compile_commands.json >build/tidy/compile_commands.json

tidy() { clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option "$1" 2>/dev/null; }

sources=$(git ls-files "${@/%//*.cc}")
recent=$({ git diff --name-only HEAD; git log -300 --format= --name-only; } | awk '!seen[$0]++')
{ grep -Fx -f <(echo "$sources") <<<"$recent" || true; echo "$sources"; } | awk '!seen[$0]++' |
  judge tidy "$(cat .clang-tidy; clang-tidy --version)" "${LINT_SECONDS:-0}" tidy
