"""A record of a 4x4 plant with known gains, for the benchmark of predictions over HTTP."""
import random
import sys

ROWS, SIZE = 6000, 4
rng = random.Random(7)
gain = [[(1.0 if i == j else 0.4) * rng.choice([-1, 1]) * rng.uniform(0.5, 2) for i in range(SIZE)] for j in range(SIZE)]
tau = [rng.uniform(6, 15) for _ in range(SIZE)]
dead = [[rng.randint(1, 5) for _ in range(SIZE)] for _ in range(SIZE)]

u = [[0.0] * SIZE]
for t in range(1, ROWS):
    u.append([rng.uniform(-1, 1) if rng.random() < 0.06 else x for x in u[-1]])
y = [[0.0] * SIZE]
for t in range(1, ROWS):
    row = []
    for j in range(SIZE):
        drive = sum(gain[j][i] * u[max(0, t - dead[j][i])][i] for i in range(SIZE))
        a = 1 - 1 / tau[j]
        row.append(a * y[-1][j] + (1 - a) * drive)
    y.append(row)
with open(sys.argv[1], "w") as f:
    f.write(",".join(f"U{i}" for i in range(SIZE)) + "," + ",".join(f"Y{j}" for j in range(SIZE)) + "\n")
    for t in range(ROWS):
        cells = [f"{v:.6g}" for v in u[t]] + [f"{v + rng.gauss(0, 0.005):.6g}" for v in y[t]]
        f.write(",".join(cells) + "\n")
