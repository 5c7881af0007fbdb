#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the built project into a folder of its own and builds, against it, a project that knows nothing else.
#   run.sh BUILD_DIR WORK_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$2
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
"$work/build/consumer"
cmake -S "$here/runtime" -B "$work/player" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/player"
"$work/player/player"
if [ -e "$work/prefix/include/loom/library/detail" ]; then echo "detail/ is installed" >&2; exit 1; fi

# One version everywhere: the project's, the command's, the package's and the newest of CHANGELOG.md.
version=$(sed -n 's/^project(motionloom VERSION \([0-9.]*\).*/\1/p' "$here/../../CMakeLists.txt")
command=$("$work/prefix/bin/loom" --version)
package=$(cat "$work/build/version")
changelog=$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$here/../../CHANGELOG.md" | head -1)
echo "version $version; loom --version $command, package $package, CHANGELOG.md $changelog"
[ "$command" = "$version" ] && [ "$package" = "$version" ] && [ "$changelog" = "$version" ]
