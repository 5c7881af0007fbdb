#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs clang-tidy over every source file, or those below the folders given, as many at a time as there are cores. A file
# that passed is not checked again until it, a header of the project or the configuration changes: its checksum is
# remembered in build/tidy.
#   tools/tidy.sh            all
#   tools/tidy.sh loom       the library only
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- loom apps
mkdir -p build/tidy
# What g++ precompiled clang-tidy cannot read; it takes the headers themselves.
sed -E 's# -Winvalid-pch##g; s# -include [^ "]*cmake_pch\.hxx##g; s# -fpch-preprocess##g' build/compile_commands.json \
  >build/tidy/compile_commands.json
headers=$(git ls-files '*.h' | xargs cat .clang-tidy | sha256sum | cut -c1-16)
export headers

check() {
  local stamp
  stamp=build/tidy/$(echo "$headers $1" | cat - "$1" | sha256sum | cut -c1-32)
  [ -e "$stamp" ] && return 0
  local output
  if output=$(clang-tidy -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option "$1" 2>/dev/null); then
    touch "$stamp"
  else
    echo "$output"
    return 1
  fi
}
export -f check
git ls-files "${@/%//*.cc}" | xargs -P "$(nproc)" -I{} bash -c 'check {}'
