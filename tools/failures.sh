#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows again the end of what each failed test printed: last of all, where a long log is read first.
#   tools/failures.sh BUILD
set -euo pipefail
log="$1/Testing/Temporary/LastTest.log"
awk -v lines=40 '
  /^[0-9]+\/[0-9]+ Testing: / { name = $3; count = 0 }
  { said[count++ % lines] = $0 }
  /^Test Failed\.|^Test timed out/ {
    printf "\n== %s failed; the end of what it printed:\n", name
    for (i = count > lines ? count - lines : 0; i < count; ++i) print said[i % lines]
  }' "$log" >&2
