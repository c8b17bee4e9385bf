"""Times daqp and osqp on one folder of recorded MPC problems, warm and cold; prints one JSON object.

The condensed problem is theirs as it is ours: z = [moves; slacks], the box on the moves as simple
bounds, rows for values and for both sides of every CV. Their time does not hold the free response.
medianUs and p99Us are of update (new cost vector and bounds) and solve together; what a call through
Python costs by itself (the same calls on one variable, with vectors of the same lengths) is measured
and taken off ("overheadUs"). ownMedianUs, ownP99Us and coldUs are by the solver's own clock, which
leaves out the update of its data.
"""
import json
import sys
import time

import numpy as np

OSQP_SECONDS = 10  # OSQP gets that long for the steps, and as long again for the cold ones


def read(folder):
    with open(folder + "/problem.json") as f:
        p = json.load(f)
    rows = np.loadtxt(folder + "/steps.csv", delimiter=",", skiprows=1, ndmin=2)
    return p, rows


class Condensed:
    def __init__(self, p):
        A, B, C = (np.array(p[k], float) for k in "ABC")
        nu, ny, P, M = p["nu"], p["ny"], p["P"], p["M"]
        n = M * nu
        power, step = np.eye(p["nx"]), np.zeros((ny, nu))
        self.G = np.zeros((P * ny, n))
        self.F = np.zeros((P * ny, p["nx"] + nu))
        for k in range(P):
            step = step + C @ power @ B
            power = power @ A
            self.F[k * ny:(k + 1) * ny] = np.hstack([C @ power, step])
            for i in range(M):
                if i + k < P:
                    self.G[(i + k) * ny:(i + k + 1) * ny, i * nu:(i + 1) * nu] = step
        q, R = np.array(p["q"], float), np.array(p["R"], float)
        self.q = np.tile(q, P)
        H = self.G.T @ (self.q[:, None] * self.G) + np.diag(np.tile(R, M))
        self.H = np.zeros((n + ny, n + ny))
        self.H[:n, :n] = H
        self.H[n:, n:] = p["rho"] * np.eye(ny)
        sums = np.kron(np.tril(np.ones((M, M))), np.eye(nu))
        slack = np.tile(np.eye(ny), (P, 1))
        self.A = np.vstack([np.hstack([sums, np.zeros((n, ny))]), np.hstack([self.G, -slack]),
                            np.hstack([self.G, slack])])
        self.p, self.n = p, n

    def step(self, row):
        p, n = self.p, self.n
        nx, nu, ny, P, M = (p[k] for k in ("nx", "nu", "ny", "P", "M"))
        x, u = row[:nx], row[nx:nx + nu]
        r, d = row[nx + nu:nx + nu + ny], row[nx + nu + ny:nx + nu + 2 * ny]
        free = self.F @ np.hstack([x, u]) + np.tile(d, P)
        f = np.zeros(n + ny)
        f[:n] = self.G.T @ (self.q * (free - np.tile(r, P)))
        big = 1e30
        du = np.tile(np.array(p["dumax"], float), M)
        upper = np.hstack([du, np.full(ny, big), np.tile(np.array(p["umax"]) - u, M),
                           np.tile(np.array(p["ymax"], float), P) - free, np.full(P * ny, big)])
        lower = np.hstack([-du, np.zeros(ny), np.tile(np.array(p["umin"]) - u, M),
                           np.full(P * ny, -big), np.tile(np.array(p["ymin"], float), P) - free])
        return f, upper, lower

    def first_move_error(self, row, z):
        p = self.p
        at = p["nx"] + p["nu"] + 2 * p["ny"] + 2
        return np.max(np.abs(z[:p["nu"]] - row[at:at + p["nu"]]) / (np.array(p["umax"]) - np.array(p["umin"])))


def timed(f):
    t = time.perf_counter()
    out = f()
    return out, (time.perf_counter() - t) * 1e6


def share(x, at):
    x = np.sort(x)
    return float(x[min(len(x) - 1, int(at * len(x)))])


def summary(own, wall, cold, overhead, error, failures):
    own = np.median(np.array(own), axis=0)
    wall = np.maximum(np.median(np.array(wall), axis=0) - overhead, 0.01)
    return {"medianUs": share(wall, 0.5), "p99Us": share(wall, 0.99), "coldUs": share(np.median(np.array(cold), axis=0), 0.5),
            "ownMedianUs": share(own, 0.5), "ownP99Us": share(own, 0.99), "overheadUs": float(overhead),
            "maxFirstMoveError": float(error), "failures": int(failures), "steps": len(own)}


def run_daqp(c, rows, repeats):
    import daqp

    def model(H, f, A, upper, lower):
        m = daqp.Model()
        m.setup(H, f, A, upper, lower)
        return m

    def go(m, step, sense=None):
        def call():
            m.update(None, step[0], None, step[1], step[2], sense)
            return m.solve()
        return timed(call)

    steps = [c.step(r) for r in rows]
    own, wall, cold, error, failures = [], [], [], 0.0, 0
    for _ in range(repeats):
        m = model(c.H, *[steps[0][0], c.A, steps[0][1], steps[0][2]])
        own.append([])
        wall.append([])
        for row, step in zip(rows, steps):
            (x, _, flag, info), t = go(m, step)
            own[-1].append(info["solve_time"] * 1e6)
            wall[-1].append(t)
            error = max(error, c.first_move_error(row, x))
            failures += flag <= 0
    for _ in range(max(1, repeats // 3)):
        times = []
        for step in steps:
            m = model(c.H, step[0], c.A, step[1], step[2])
            (x, _, flag, info), t = timed(m.solve)
            times.append(info["solve_time"] * 1e6)
            failures += flag <= 0
        cold.append(times)
    # the same calls where there is nothing to do: one variable, vectors of the same lengths
    length = len(steps[0][1])
    tiny = model(np.eye(1), np.zeros(1), np.zeros((length - 1, 1)), np.ones(length), -np.ones(length))
    overhead = np.median([go(tiny, (np.zeros(1), np.ones(length), -np.ones(length)))[1] for _ in range(300)])
    return summary(own, wall, cold, overhead, error, failures)


def run_osqp(c, rows, _):
    import osqp
    from scipy import sparse

    A = sparse.csc_matrix(np.vstack([np.eye(c.H.shape[0]), c.A]))
    H = sparse.triu(sparse.csc_matrix(c.H), format="csc")

    def model(P, f, rows_, lower, upper):
        m = osqp.OSQP()
        m.setup(P, f, rows_, lower, upper, verbose=False, eps_abs=1e-4, eps_rel=1e-4, max_iter=20000, polishing=False)
        return m

    def go(m, step):
        def call():
            m.update(q=step[0], u=step[1], l=step[2])
            return m.solve()
        return timed(call)

    steps = [c.step(r) for r in rows]
    own, wall, cold, error, failures = [], [], [], 0.0, 0
    m = model(H, steps[0][0], A, steps[0][2], steps[0][1])
    until = time.perf_counter() + OSQP_SECONDS
    for row, step in zip(rows, steps):
        result, t = go(m, step)
        own.append(result.info.solve_time * 1e6)
        wall.append(t)
        error = max(error, c.first_move_error(row, result.x))
        failures += result.info.status_val != 1
        if time.perf_counter() > until:
            break
    for step in steps[::20]:
        cold.append(model(H, step[0], A, step[2], step[1]).solve().info.solve_time * 1e6)
        if time.perf_counter() > until + OSQP_SECONDS:
            break
    length = len(steps[0][1])
    tiny = model(sparse.csc_matrix(np.eye(1)), np.zeros(1), sparse.csc_matrix((length, 1)), -np.ones(length), np.ones(length))
    overhead = np.median([go(tiny, (np.zeros(1), np.ones(length), -np.ones(length)))[1] for _ in range(300)])
    return summary([own], [wall], [cold], overhead, error, failures)


def main():
    folder = sys.argv[1]
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    p, rows = read(folder)
    c = Condensed(p)
    out = {}
    for name, run in (("daqp", run_daqp), ("osqp", run_osqp)):
        try:
            out[name] = run(c, rows, repeats)
        except ImportError:
            out[name] = None
    print(json.dumps(out))


main()
