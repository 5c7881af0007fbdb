#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes readers in the sanitized build, starting from the corpora in fuzz/corpus.
#   tools/fuzz.sh SECONDS          every target, SECONDS each
#   tools/fuzz.sh SECONDS NAME     one target
# What is found is left in out/fuzz; the corpora in the repository are not changed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || for source in fuzz/*_fuzz.cc; do targets+=("$(basename "$source" _fuzz.cc)"); done
for name in "${targets[@]}"; do
  work=out/fuzz/$name
  mkdir -p "$work/corpus" "fuzz/corpus/$name"
  "build-sanitize/bin/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="$work/" -print_final_stats=1 "$work/corpus" "fuzz/corpus/$name"
done
