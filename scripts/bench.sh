#!/usr/bin/env bash
# Runs every benchmark program of the folder; each asserts its answer before it is timed. Installs
# the peers that some of them are measured against: octave-control from Debian, numpy and
# statsmodels into build/oracles. Without them the tables say so.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
"$here/setup.sh" "$here/bench_packages.txt" || echo "octave could not be installed" >&2
oracles="$here/../build/oracles"
if ! cmp -s "$here/oracles.txt" "$oracles/installed.txt"; then
  python3 -m venv "$oracles" &&
    "$oracles/bin/pip" install -q --require-hashes -r "$here/oracles.txt" &&
    cp "$here/oracles.txt" "$oracles/installed.txt" || echo "numpy could not be installed" >&2
fi
for b in "$1"/bench_*; do
  [ -x "$b" ] && [ ! -d "$b" ] && "$b" --benchmark_min_time=0.2
done
