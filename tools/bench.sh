#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every benchmark program of the release build, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in build/bin/bench_*; do
  [ -x "$program" ] || continue
  echo "== $(basename "$program")"
  "$program"
done
