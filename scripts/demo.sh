#!/usr/bin/env bash
# Two real records: the first passes, the second is refused with its reasons.
set -euo pipefail
cd "$(dirname "$0")/.."
flyball="$1"

echo "== Hair dryer: 1000 samples every 80 ms, heater voltage to air temperature"
"$flyball" study examples/data/hair_dryer.dat --columns voltage,temperature --period 80ms \
  --mv voltage --cv temperature --line dryer --out flyball-data/reports/hair_dryer

echo
echo "== Power plant: 200 samples every 20 minutes, five inputs and three outputs"
set +e
"$flyball" study examples/data/power_plant.dat \
  --columns sample,gas,valve,spray,dampers,air,pressure,main_steam,reheat,r1,r2,r3 --period 1228.8s \
  --mv gas --mv valve --mv spray --mv dampers --mv air --cv pressure --cv main_steam --cv reheat \
  --line plant --out flyball-data/reports/power_plant
code=$?
set -e
if [ "$code" -ne 6 ]; then
  echo "expected exit code 6 (refused), got $code" >&2
  exit 1
fi
echo
echo "Open the reports in a browser:"
echo "  $PWD/flyball-data/reports/hair_dryer/report.html"
echo "  $PWD/flyball-data/reports/power_plant/report.html"
