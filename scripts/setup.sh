#!/usr/bin/env bash
# Installs what building and testing need on Debian 12, or the packages of another list; does
# nothing when all of it is there.
set -euo pipefail
list="$(realpath "${1:-$(dirname "$0")/packages.txt}")"
mapfile -t packages < <(grep -v '^#' "$list")
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
