#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes the API reference to out/docs; fails on a warning, and on a namespace of the library that nothing is said about.
set -euo pipefail
cd "$(dirname "$0")/.."
for name in $(git ls-files 'loom/*.h' | grep -v /detail/ | xargs sed -n 's/^namespace \(loom[a-z_:]*\) {.*/\1/p' | sort -u); do
  if ! grep -q "namespace $name\$" docs/namespaces.dox; then
    echo "docs/namespaces.dox says nothing about the namespace $name" >&2
    exit 1
  fi
done
rm -rf out/docs
mkdir -p out
LOOM_VERSION=$(sed -n 's/^project(motionloom VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) doxygen docs/Doxyfile
echo "wrote out/docs/html/index.html"
