# SPDX-License-Identifier: MIT
# For scripts that judge sources one by one and remember what was good: sourced, not run.
#
#   judge WHAT CONFIGURATION SECONDS COMMAND   < files
#
# runs COMMAND, a function, with each file on standard input, as many at a time as there are cores. A file that passed is
# not judged again until it, a header of the project that it includes (and so on), or CONFIGURATION changes: the hash of
# all these is remembered in .cache/WHAT. After SECONDS no further file is begun (0: all are); how many were left is told.
# Fails when one did.

# "FILE HASH" of every source: over its own content and that of all headers of the project it leads to.
content_hashes() {
  git ls-files -co --exclude-standard '*.h' '*.cc' | sort -u | while read -r file; do [ -e "$file" ] && echo "$file"; done |
    xargs sha256sum | awk '
    { hash[$2] = $1; files[++count] = $2 }
    # Puts the hashes of the file and of what it includes into `closure`, each once.
    function walk(file, i, parts) {
      if (file in seen) return
      seen[file] = 1
      closure = closure hash[file]
      for (i = 1; i <= includes[file]; ++i) walk(include[file, i])
    }
    END {
      for (f = 1; f <= count; ++f) {
        file = files[f]
        folder = file
        sub(/[^\/]*$/, "", folder)
        while ((getline line < file) > 0) {
          if (line !~ /^#[ ]*include/) continue
          sub(/^#[ ]*include[ ]*[<"]/, "", line)
          sub(/[>"].*/, "", line)
          target = (line in hash) ? line : (("apps/" line) in hash) ? "apps/" line : folder line
          if (target in hash) include[file, ++includes[file]] = target
        }
        close(file)
      }
      for (f = 1; f <= count; ++f) {
        split("", seen)
        closure = ""
        walk(files[f])
        print files[f], closure | "while read -r file all; do echo \"$file $(echo $all | sha256sum | cut -c1-32)\"; done"
      }
    }'
}

judge_one() {
  local file=$1 hash=$2
  if [ "$VERDICT_SECONDS" -gt 0 ] && [ "$(date +%s)" -ge "$VERDICT_DEADLINE" ]; then
    echo "$file" >>"$VERDICT_FOLDER/left"
    return 0
  fi
  local output
  if output=$("$VERDICT_COMMAND" "$file" 2>&1); then
    touch "$VERDICT_FOLDER/$hash"
  else
    printf '%s\n' "$output"
    return 1
  fi
}

judge() {
  export VERDICT_FOLDER=.cache/$1 VERDICT_SECONDS=$3 VERDICT_COMMAND=$4
  export VERDICT_DEADLINE=$(($(date +%s) + $3))
  local configuration
  configuration=$(echo "$2" | sha256sum | cut -c1-16)
  mkdir -p "$VERDICT_FOLDER"
  : >"$VERDICT_FOLDER/left"
  : >"$VERDICT_FOLDER/open"
  local all=0 open=0 status=0 file
  declare -A hash_of
  while read -r file content; do hash_of[$file]=$content; done < <(content_hashes)
  while read -r file; do
    all=$((all + 1))
    local name=${hash_of[$file]}-$configuration
    [ -e "$VERDICT_FOLDER/$name" ] && continue
    open=$((open + 1))
    echo "$file $name" >>"$VERDICT_FOLDER/open"
  done
  export -f judge_one "$4"
  [ "$open" -eq 0 ] || xargs -a "$VERDICT_FOLDER/open" -P "$(nproc)" -L1 bash -c 'judge_one "$@"' judge || status=1
  local left
  left=$(wc -l <"$VERDICT_FOLDER/left")
  echo "$1: $all files, $((all - open)) known to be good, $((open - left)) judged now, $left left for another time"
  return $status
}
