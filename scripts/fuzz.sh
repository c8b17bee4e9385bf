#!/usr/bin/env bash
# Builds the fuzzers (clang, build/fuzz) and runs each for SECONDS on one core, from the inputs that
# are kept in tests/fuzz/corpus and those found before. A crash ends it, its input in build/fuzz.
#   fuzz.sh SECONDS [import|chunk|qp]     FLYBALL_FUZZ_SEED=N walks the same way each time; 0: random
#   fuzz.sh keep [import|chunk|qp]       adds to tests/fuzz/corpus the found inputs that reach new code
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
cmake --build --preset fuzz >build/fuzz/build.log || { cat build/fuzz/build.log; exit 1; }

for kind in ${2:-import chunk qp}; do
  kept=tests/fuzz/corpus/$kind found=build/fuzz/corpus/$kind
  mkdir -p "$found"
  options=(-seed="${FLYBALL_FUZZ_SEED:-0}" -timeout=10 -rss_limit_mb=1500 -max_len=1024 -entropic=0
           -artifact_prefix="build/fuzz/$kind-")
  [ -f "tests/fuzz/$kind.dict" ] && options+=(-dict="tests/fuzz/$kind.dict")
  if [ "$1" = keep ]; then
    build/fuzz/tests/fuzz/fuzz_$kind -set_cover_merge=1 -use_counters=0 "$kept" "$found"
  else
    echo "fuzz_$kind for $1 s"
    nice build/fuzz/tests/fuzz/fuzz_$kind -max_total_time="$1" -print_final_stats=1 "${options[@]}" \
      "$found" "$kept" 2>"build/fuzz/$kind.log" || { tail -60 "build/fuzz/$kind.log"; exit 1; }
    grep -E 'DONE|number_of_executed_units|new_units_added' "build/fuzz/$kind.log"
  fi
done
