#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the npm packages a folder's lock file names, unless they are there: tools/npm_packages.sh FOLDER
set -euo pipefail
cd "$1"
[ package-lock.json -nt node_modules/.installed ] || exit 0
if ! npm ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2; then
  echo "npm could not fetch the packages of $1: is its registry within reach?" >&2
  echo "The command can be built without the studio's page: cmake --preset release -DLOOM_PAGE=OFF" >&2
  exit 1
fi
touch node_modules/.installed
