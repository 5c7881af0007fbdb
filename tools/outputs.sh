#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a fixed set of commands makes, as hashes, one a line: made before a change and after it, `diff` tells what the change
# has changed for users. Same program, same lines.
#
#     tools/outputs.sh build/bin/loom > before.txt
#
# With a second word, a file, what each command took of the processors is written there: its seconds and its name, one a line.
# `bench/beside.mjs` sets those of two programs beside each other.
#
# Real capture is looked for in ../shared/mocap, and left out where it is not.
set -eu
loom=$(realpath "${1:-build/bin/loom}")
times=$(realpath -m "${2:-/dev/null}")
capture=$(realpath "$(dirname "$0")/../../shared/mocap" 2>/dev/null || true)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

TIMEFORMAT='%3U %3S'
# Runs a command and notes what it took; what it printed is in printed.txt.
run() {
  local name=$1 ended=0
  shift
  { time "$loom" "$@" >printed.txt 2>&1; } 2>took.txt || ended=$?
  awk -v name="$name" '{ printf "%.3f %s\n", $1 + $2, name }' took.txt >>"$times"
  return "$ended"
}
# Hashes a file that a command has made; what it printed is shown where the command failed.
made() {
  local name=$1 file=$2
  shift 2
  if run "$name" "$@"; then
    printf '%s  %s\n' "$(sha256sum <"$file" | cut -c 1-16)" "$name"
  else
    printf 'failed            %s: %s\n' "$name" "$(tail -n 1 printed.txt)"
  fi
}
# A step whose product is in the library: it shows in what is made of it.
built() {
  local name=$1
  shift
  run "$name" "$@" || printf 'failed            %s: %s\n' "$name" "$(tail -n 1 printed.txt)"
}

built 'sample' sample s.loom
made 'export' all/duck-1.bvh export s.loom --out all
made 'convert' c.glb convert all/duck-1.bvh c.glb
built 'graph build' graph build s.loom --name g
made 'graph report' report.html graph report s.loom g -o report.html
made 'graph walk' walk.bvh graph walk s.loom g --seconds 30 --seed 7 -o walk.bvh
made 'graph keys' keys.bvh graph keys s.loom g idle walk@3 jump run@2 idle -o keys.bvh
made 'graph follow' follow.bvh graph follow s.loom g --points 0,0 0,3 2,5 --label walk --time 60 -o follow.bvh
built 'graph train' graph train s.loom g --behaviors walk jump idle --headings 12
made 'graph play' gplay.bvh graph play s.loom g --heading 0:0 4:90 8:-90 --behavior 0:walk 12:jump --seconds 16 -o gplay.bvh
built 'blend family reach' blend family s.loom --label reach --name reach
built 'blend family walk' blend family s.loom --label walk --name walk --leave-out
made 'blend make' make.bvh blend make s.loom reach --at 0.35,1.2,0.5 -o make.bvh
made 'blend make --target' target.bvh blend make s.loom reach --target RightHand=0.35,1.2,0.5@stroke -o target.bvh
made 'blend lead' lead.bvh blend lead s.loom reach --seconds 6 -o lead.bvh
made 'blend lead walk' ledwalk.bvh blend lead s.loom walk --seconds 10 -o ledwalk.bvh
printf 'x,z\n0.1,0\n-0.1,0.5\n0.1,1.1\n-0.1,1.7\n0.2,2.3\n' >steps.csv
made 'blend steps' steps.bvh blend steps s.loom steps.csv --label walk -o steps.bvh
built 'fragments cut' fragments cut s.loom --name moves --mirror
built 'fragments train' fragments train s.loom moves
made 'fragments play' fplay.bvh fragments play s.loom moves --seconds 20 --seed 3 -o fplay.bvh
made 'match play' match.bvh match play s.loom --label walk run idle --seconds 20 --seed 3 -o match.bvh
built 'states build' states build s.loom --name fight
made 'states play' states.bvh states play s.loom fight locomotion@3 punch kick locomotion@2 -o states.bvh
made 'fight' bout.glb fight s.loom --seconds 20 --style aggressive,defensive -o bout.glb
built 'demo' demo --out demo
(cd demo && find . -name '*.glb' -o -name '*.bvh' | sort | xargs sha256sum) >demo.txt
printf '%s  demo\n' "$(sha256sum <demo.txt | cut -c 1-16)"
if [ -d "$capture/cmu30" ]; then
  built '16 import' import c.loom "$capture"/cmu30/16_*.bvh
  built '16 graph build' graph build c.loom --name g
  made '16 graph walk' cwalk.bvh graph walk c.loom g --seconds 30 --seed 7 -o cwalk.bvh
  made '16 match play' cmatch.bvh match play c.loom --seconds 20 --seed 3 -o cmatch.bvh
  made '16 list' printed.txt list c.loom
else
  echo "outputs: real capture is not there: left out" >&2
fi
