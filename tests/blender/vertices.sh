#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asks Blender, where it is installed, whether the vertices of a written character are where ours are.
#   tests/blender/vertices.sh LOOM POSED_VERTICES [MODEL...]    without models the sample performer
set -euo pipefail
loom=$1 posed=$2
shift 2
if ! command -v blender >/dev/null; then
  echo "SKIPPED: Blender is not installed, so it was NOT asked where vertices are; make blender-test installs it." >&2
  exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$loom" sample "$folder/a.loom" --only walk >/dev/null
"$loom" export "$folder/a.loom" walk-slow -o "$folder/walk.bvh" >/dev/null
if [ $# = 0 ]; then
  "$loom" export "$folder/a.loom" walk-slow -o "$folder/performer.glb" >/dev/null
  set -- "$folder/performer.glb"
fi
for model; do
  echo "$(basename "$model")"
  "$posed" "$model" "$folder/walk.bvh" "$folder/out.glb" "$folder/told.txt"
  blender --background --factory-startup --python-exit-code 1 --python "$here/vertices_test.py" -- "$folder/out.glb" "$folder/told.txt" \
    > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  grep "^vertices in Blender" "$folder/log"
done
