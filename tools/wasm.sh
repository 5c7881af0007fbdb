#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the run-time library for web pages with Debian's Emscripten, an npm package of it and a page that plays a character.
#   tools/wasm.sh BUILD FOLDER [HERO.LOOMRT]
# BUILD has the command, with which a sample character is packed where none is given; FOLDER gets package/ and play.html.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
folder=$2
hero=${3:-}

# Emscripten asks Debian's Node.js for its modules; another Node.js has to be told where these are.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
cmake --preset wasm --log-level=WARNING
cmake --build build-wasm -j "${JOBS:-$(nproc)}"
tools/npm_packages.sh web
mkdir -p "$folder"
if [ -z "$hero" ]; then
  hero=$folder/hero.loomrt
  samples=$(mktemp -d)
  trap 'rm -rf "$samples"' EXIT
  "$build"/bin/loom sample "$samples/samples.loom" --only walk idle start stop run >/dev/null
  "$build"/bin/loom pack-character "$samples/samples.loom" --matching --force -o "$hero" >/dev/null
fi
node bindings/web/build.mjs build-wasm/bin/motionloom.wasm "$folder" "$hero"
size=$(gzip -9c "$folder/package/motionloom.wasm" "$folder/package/motionloom.js" | wc -c)
echo "wrote $folder/package ($((size / 1024)) kB compressed) and $folder/play.html"
