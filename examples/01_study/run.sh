#!/usr/bin/env bash
# One command from a text file to a judged model: the hair dryer passes its gates.
# Usage: run.sh [flyball program]; writes to a temporary folder.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
flyball="${1:-$here/../../build/release/src/flyball}"
data="$(mktemp -d)"
trap 'rm -rf "$data"' EXIT

"$flyball" study "$here/../data/hair_dryer.dat" --columns voltage,temperature --period 80ms \
  --mv voltage --cv temperature --data "$data"

echo
echo "registered models:"
"$flyball" models list --data "$data"
model="$("$flyball" models list --data "$data" --json | grep -o '"id": "mdl-[^"]*"' | head -1 | cut -d'"' -f4)"
"$flyball" models verify "$model" --data "$data"
