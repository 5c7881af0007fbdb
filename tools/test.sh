#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs all tests of a build. Tests that live by the clock (a browser, a server with its threads, a
# packet that is waited for, a process killed at a moment) are tried once more,
# alone, when nothing else failed, and named at the end: on a busy machine a page may be late.
#   tools/test.sh BUILD [JOBS]
set -euo pipefail
build=$1
jobs=${2:-2}
by_the_clock='^[0-9]+:(web\.(studio|viewer_page|routes|keys|first_minute|accessibility|working_day|characters|capture|debugger|sizes|connected|points)|studio\.|live\.LiveSource|command\.(LiveRecord|Killed)|cluster\.ClusterTest\.AKilled|sanitize\.studio)'
failed="$build/Testing/Temporary/LastTestsFailed.log"
rm -f "$failed"
ctest --test-dir "$build" -j "$jobs" --output-on-failure && exit 0
tools/failures.sh "$build"
if [ ! -s "$failed" ] || grep -Eqv "$by_the_clock" "$failed"; then exit 1; fi
late=$(cut -d: -f2 "$failed" | tr '\n' ' ')
echo "== Once more, alone: $late" >&2
ctest --test-dir "$build" -j 1 --rerun-failed --output-on-failure || { tools/failures.sh "$build"; exit 1; }
echo "== FAILED ONCE AND PASSED ALONE: $late" >&2
