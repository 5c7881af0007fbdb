#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the test of the add-on in Blender without a window, where Blender is installed; else says that it was not run.
#   tests/blender/run.sh BUILD
set -euo pipefail
build=$(cd "$1" && pwd)
if ! command -v blender >/dev/null; then
  echo "SKIPPED: Blender is not installed, so the add-on was NOT tested; make blender-test installs it and runs this." >&2
  exit 77
fi
cd "$(dirname "$0")"
PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 blender --background --factory-startup --python-exit-code 1 --python addon_test.py
