"""Do the ranges of gains hold? Studies of a known plant under slow noise, and with cells missing.

bench/gain_ranges.py [FLYBALL] [SEEDS] [TRAINER ...] — two binary MVs, 1 600 rows; y = 2 u1 (lag of 10
steps, dead time 4) − 1 u2 (lag of 15, dead time 2) + noise. Prints, per case and trainer, how many
studies passed, the share of the true gains inside their 95 % range, and the widest range.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
FLYBALL = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../build/release/src/flyball")
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
TRAINERS = sys.argv[3:] or ["linear_arx@1", "subspace@1", "auto@1"]
ROWS = 1600
TRUE = {"u1": 2.0, "u2": -1.0}
CASES = {  # autoregression and standard deviation of the noise, share of cells without a value
    "noise 0.9": (0.9, 0.05, 0), "noise 0.98": (0.98, 0.4, 0), "noise 0.995": (0.995, 1.0, 0),
    "3 % missing": (0.9, 0.05, 0.03), "10 % missing": (0.9, 0.05, 0.1)}


def lag(u, gain, time_constant, dead):
    pole, x, out = math.exp(-1 / time_constant), 0.0, []
    for t in range(len(u)):
        x = pole * x + gain * (1 - pole) * (u[t - dead] if t >= dead else 0)
        out.append(x)
    return out


def record(chance, pole, deviation, missing):
    def binary():
        level, out = 1.0, []
        for _ in range(ROWS):
            level = -level if chance.random() < 0.03 else level
            out.append(level)
        return out

    u1, u2, v, noise = binary(), binary(), chance.gauss(0, deviation), []
    for _ in range(ROWS):
        noise.append(v)
        v = pole * v + chance.gauss(0, deviation * math.sqrt(1 - pole * pole))
    y = [100 + a + b + n for a, b, n in zip(lag(u1, 2, 10, 4), lag(u2, -1, 15, 2), noise)]
    cell = lambda x: "" if chance.random() < missing else f"{x:.9g}"
    rows = (f"{60 * t},{cell(50 + u1[t])},{cell(20 + u2[t])},{cell(y[t])}\n" for t in range(ROWS))
    return "time,u1,u2,y\n" + "".join(rows)


def study(case, seed, trainer):
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "record.csv")
        with open(table, "w") as out:
            out.write(record(random.Random(seed), *CASES[case]))
        done = subprocess.run(
            [FLYBALL, "--data", os.path.join(folder, "data"), "--json", "--quiet", "study", table, "--mv", "u1",
             "--mv", "u2", "--cv", "y", "--trainer", trainer, "--time-format", "epoch-s", "--out", os.path.join(folder, "report")],
            capture_output=True, text=True)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)


def main():
    print(f"{'case':14} {'trainer':14} passed  true gains in range  widest 95 % range")
    for case in CASES:
        for trainer in TRAINERS:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                studies = list(pool.map(lambda seed: study(case, seed, trainer), range(SEEDS)))
            passed = [s for s in studies if s["verdict"] == "pass"]
            held, widest = [], 0.0
            for s in passed:
                for r in s["identification"]["stepResponses"]:
                    half = 1.96 * r["gainStdError"]
                    held.append(abs(r["gain"] - TRUE[r["input"]]) <= half)
                    widest = max(widest, half)
            share = f"{100 * sum(held) / len(held):5.1f} % of {len(held)}" if held else "-"
            print(f"{case:14} {trainer:14} {len(passed):2} of {SEEDS:2}  {share:19}  ±{widest:.2f}", flush=True)


if __name__ == "__main__":
    main()
