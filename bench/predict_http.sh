#!/bin/sh
# Predictions over HTTP, a 4x4 model 60 steps ahead: `flyball serve` against a Python server of the
# same model, each under wrk in this one run. bench/predict_http.sh [FLYBALL] [SECONDS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
flyball=${1:-$here/../build/release/src/flyball}
seconds=${2:-10}
python=$here/../build/oracles/bin/python
[ -x "${RIVAL_PYTHON:-$python}" ] && python=${RIVAL_PYTHON:-$python} || python=python3
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
export BODY=$work/body.json FIELDS=$work/fields

python3 "$here/predict_http/make_plant.py" "$work/plant.csv"
"$flyball" study "$work/plant.csv" --period 1s --data "$work/data" --out "$work/report" --quiet --json \
  $(for i in 0 1 2 3; do printf ' --mv U%s --cv Y%s' $i $i; done) --horizon 60 > "$work/study.json"
model=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["model"]["id"])' "$work/study.json")
file=$work/data/models/$model/model.json
python3 - "$file" "$work/plant.csv" > "$BODY" <<'PY'
import csv, json, sys
model = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
h, f = model["historySteps"], model["horizonSteps"]
ids = [v["id"] for v in model["variables"]]
print(json.dumps({"history": {i: [float(r[i]) for r in rows[1000 - h:1000]] for i in ids},
                  "plan": {v["id"]: [float(r[v["id"]]) for r in rows[1000:1000 + f]]
                           for v in model["variables"] if v["role"] == "mv"}}))
PY

"$flyball" serve --data "$work/data" --listen 127.0.0.1:0 > "$work/link" &
until [ -s "$work/link" ]; do sleep 0.05; done
url=$(sed 's|/#setup=.*||' "$work/link")
python3 - "$url" "$(sed 's/.*#setup=//' "$work/link")" > "$FIELDS" <<'PY'
import json, sys, urllib.request
url, token = sys.argv[1:]
body = json.dumps({"token": token, "user": "bench", "password": "a password of the bench"}).encode()
answer = urllib.request.urlopen(urllib.request.Request(url + "/api/v1/setup", body, {"Content-Type": "application/json"}))
print("Cookie: " + answer.headers["Set-Cookie"].split(";")[0])
print("X-CSRF-Token: " + json.load(answer)["csrf"])
PY
"$python" "$here/predict_http/rival.py" "$file" 8097 > "$work/rival" 2>&1 &
until [ -s "$work/rival" ]; do sleep 0.05; done
sleep 1

python3 - "$url/api/v1/models/$model/predict" http://127.0.0.1:8097/predict "$BODY" "$FIELDS" <<'PY'
import json, sys, urllib.request
ours, theirs, body, fields = sys.argv[1:]
headers = dict(line.split(": ", 1) for line in open(fields).read().splitlines()) | {"Content-Type": "application/json"}
ask = lambda url: json.load(urllib.request.urlopen(urllib.request.Request(url, open(body, "rb").read(), headers)))["forecast"]
a, b = ask(ours), ask(theirs)
worst = max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p["values"], q["values"]))
print(f"{len(a)} CVs, {len(a[0]['values'])} steps; the two forecasts differ by {worst:.2g} at most")
assert worst < 0.05, worst
PY
for connections in 1 32; do
  printf 'flyball serve, %s connections: ' "$connections"
  wrk -t1 -c$connections -d"${seconds}s" -s "$here/predict_http/post.lua" "$url/api/v1/models/$model/predict" | tail -1
  printf '%s, %s connections: ' "$(head -1 "$work/rival")" "$connections"
  wrk -t1 -c$connections -d"${seconds}s" -s "$here/predict_http/post.lua" http://127.0.0.1:8097/predict | tail -1
done
