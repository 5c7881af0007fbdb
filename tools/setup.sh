#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what the project needs on a Debian 12 machine and is not there yet; does nothing when all is there.
#   tools/setup.sh build          what building and running needs
#   tools/setup.sh build test     and what the tests need, and so on: build, test, python, blender, wasm, bench, docs
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
while read -r package purpose command; do
  case "$package" in '' | '#'*) continue ;; esac
  case " $* " in *" $purpose "*) ;; *) continue ;; esac
  if [ -n "$command" ] && command -v "$command" >/dev/null; then continue; fi
  if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then missing+=("$package"); fi
done <tools/packages.txt

if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "This needs root. Run as root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
fi

# The JavaScript tools of the tests: the Khronos glTF validator and the browser driver.
case " $* " in
  *" test "*)
    tools/npm_packages.sh tests/tools
    ;;
esac
