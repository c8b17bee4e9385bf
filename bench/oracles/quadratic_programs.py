"""Times daqp, quadprog, osqp and cvxopt on one folder of quadratic programs beside our own times.

    quadratic_programs.py FOLDER OURS

OURS: a file of "name microseconds" lines of the same run (a sequence: its warm median). One JSON line a
solver: problems tried, those it calls solved, those that are (objective within 1e-6 of the stored
optimum, limits met within 1e-6 of their scale), and the geometric mean of its time over ours on the
problems that it truly solved. Rows with one entry become simple bounds first, which is not timed; a
call on one variable is measured and taken off. daqp and quadprog need dense matrices and are tried up
to 300 variables, quadprog where H is positive definite. Tolerances: daqp 1e-9, osqp
1e-9 (10 s), cvxopt 1e-9.
"""
import json
import os
import sys
import time

import cvxopt
import cvxopt.solvers
import daqp
import numpy as np
import osqp
import quadprog
import scipy.sparse as sp

BIG = 1e30


def read_single(path, optima):
    with open(path) as f:
        p = json.load(f)
    n, m = p["n"], p["m"]
    P = sp.csc_matrix((p["P"]["v"], (p["P"]["i"], p["P"]["j"])), shape=(n, n))
    A = sp.csr_matrix((p["A"]["v"], (p["A"]["i"], p["A"]["j"])), shape=(m, n))
    l = np.array([-BIG if v is None else v for v in p["l"]], float)
    u = np.array([BIG if v is None else v for v in p["u"]], float)
    lower, upper = np.full(n, -BIG), np.full(n, BIG)
    keep = []
    for i in range(m):
        row = A.getrow(i)
        if row.nnz == 1:
            j, a = row.indices[0], row.data[0]
            low, high = sorted((l[i] / a, u[i] / a))
            lower[j], upper[j] = max(lower[j], low), min(upper[j], high)
        elif row.nnz > 1:
            keep.append(i)
    return {"name": p["name"], "H": P, "g": np.array(p["q"], float), "A": A[keep], "l": l[keep],
            "u": u[keep], "lower": lower, "upper": upper, "r": p.get("r", 0.0),
            "optimum": optima.get(p["name"])}


def read_optima(folder):
    out = {}
    with open(os.path.join(folder, "reference_dev.csv")) as f:
        head = f.readline().strip().split(",")
        for line in f:
            row = dict(zip(head, line.strip().split(",")))
            value = row.get("obj_reference", row.get("obj_cvxopt", ""))
            if value:
                out[row["name"]] = float(value)
    return out


def true(p, x):
    if x is None or not np.all(np.isfinite(x)):
        return False
    value = 0.5 * x @ (p["H"] @ x) + p["g"] @ x + p["r"]
    scale = max(1e-3, abs(p["optimum"]), abs(p["r"]))
    if abs(value - p["optimum"]) > 1e-6 * scale:
        return False
    for v, low, high in ((x, p["lower"], p["upper"]), (p["A"] @ x, p["l"], p["u"])):
        size = np.maximum(1, np.minimum(np.abs(low), np.abs(high)))
        if np.any(np.maximum(low - v, v - high) > 1e-6 * size):
            return False
    return True


def best(run, budget=0.3):
    least, begun, answer = np.inf, time.perf_counter(), None
    while True:
        t = time.perf_counter()
        answer = run()
        least = min(least, time.perf_counter() - t)
        if time.perf_counter() - begun > budget:
            return least, answer


def dense_daqp(p):
    H, A = p["H"].toarray(), np.ascontiguousarray(p["A"].toarray())
    upper, lower = np.hstack([p["upper"], p["u"]]), np.hstack([p["lower"], p["l"]])
    sense = np.where(upper == lower, 5, 0).astype(np.int32)

    def run():
        x, _, flag, _ = daqp.solve(H, p["g"], A, upper, lower, sense.copy(), primal_tol=1e-9)
        return x, flag > 0
    return run


def dense_quadprog(p):
    H, A = p["H"].toarray(), p["A"].toarray()
    np.linalg.cholesky(H)  # positive definite, or an error
    equal = p["l"] == p["u"]
    eye = np.eye(len(p["g"]))
    C = np.vstack([A[equal], A[~equal & (p["l"] > -BIG)], -A[~equal & (p["u"] < BIG)],
                   eye[p["lower"] > -BIG], -eye[p["upper"] < BIG]])
    b = np.hstack([p["l"][equal], p["l"][~equal & (p["l"] > -BIG)], -p["u"][~equal & (p["u"] < BIG)],
                   p["lower"][p["lower"] > -BIG], -p["upper"][p["upper"] < BIG]])
    CT, g = np.ascontiguousarray(C.T), -p["g"]

    def run():
        return quadprog.solve_qp(H, g, CT, b, int(equal.sum()))[0], True
    return run


def sparse_osqp(p):
    A = sp.vstack([p["A"], sp.eye(len(p["g"]))]).tocsc()
    l, u = np.hstack([p["l"], p["lower"]]), np.hstack([p["u"], p["upper"]])
    P = sp.triu(p["H"]).tocsc()

    def run():
        m = osqp.OSQP()
        m.setup(P, p["g"], A, l, u, verbose=False, eps_abs=1e-9, eps_rel=1e-9, max_iter=10**7,
                time_limit=10.0, polishing=True)
        r = m.solve()
        return r.x, r.info.status == "solved"
    return run


def cvxopt_parts(p):
    """P, q, G, h, E, b of cvxopt: min x'Px/2 + q'x with Gx <= h, Ex = b."""
    spmatrix = lambda m: cvxopt.spmatrix(m.data, m.row, m.col, m.shape) if m.nnz else \
        cvxopt.spmatrix([], [], [], m.shape)
    column = lambda v: cvxopt.matrix(np.asarray(v, float), (len(v), 1))
    n = len(p["g"])
    A, l, u = sp.vstack([p["A"], sp.eye(n)]).tocsr(), *(np.hstack(v) for v in (
        (p["l"], p["lower"]), (p["u"], p["upper"])))
    equal, low, up = l == u, (l > -BIG) & (l != u), (u < BIG) & (l != u)
    G, h = sp.vstack([A[up], -A[low]]).tocoo(), np.hstack([u[up], -l[low]])
    cvxopt.solvers.options.update(show_progress=False, abstol=1e-9, reltol=1e-9, feastol=1e-9)
    return (spmatrix(p["H"].tocoo()), column(p["g"]), spmatrix(G), column(h),
            spmatrix(A[equal].tocoo()), column(l[equal]))


def sparse_cvxopt(p):
    P, q, G, h, E, b = cvxopt_parts(p)

    def run():
        r = cvxopt.solvers.coneqp(P, q, G, h, A=E, b=b)
        return np.array(r["x"]).ravel(), r["status"] == "optimal"
    return run


def tiny():
    one = sp.csc_matrix([[1.0]])
    v = np.array([1.0])
    return {"H": one, "g": -v, "A": one.tocsr(), "l": -v, "u": 2 * v, "lower": -v, "upper": 2 * v}


def singles(folder, ours):
    optima = read_optima(folder)
    names = sorted(os.listdir(os.path.join(folder, "json")))
    problems = [read_single(os.path.join(folder, "json", f), optima) for f in names]
    problems = [p for p in problems if p["optimum"] is not None]
    for name, make, limit in (("daqp", dense_daqp, 300), ("quadprog", dense_quadprog, 300),
                              ("osqp", sparse_osqp, 10**9), ("cvxopt", sparse_cvxopt, 1000)):
        overhead = best(make(tiny()))[0]
        tried = claimed = solved = 0
        ratios = []
        for p in problems:
            if len(p["g"]) > limit:
                continue
            try:
                run = make(p)
            except np.linalg.LinAlgError:
                continue
            tried += 1
            try:
                seconds, (x, says) = best(run)
            except (ValueError, ArithmeticError):
                continue
            claimed += bool(says)
            if says and true(p, x):
                solved += 1
                if p["name"] in ours:
                    ratios.append(max(seconds - overhead, 1e-7) * 1e6 / ours[p["name"]])
        print(json.dumps({"rival": name, "folder": folder, "tried": tried, "saysSolved": claimed,
                          "solved": solved, "overheadUs": overhead * 1e6,
                          "timeOverOurs": float(np.exp(np.mean(np.log(ratios)))) if ratios else None}),
              flush=True)


def sequence(path, ours):
    load = lambda f: np.loadtxt(os.path.join(path, f), ndmin=2)
    H, A, g = load("H.oqp"), np.ascontiguousarray(load("A.oqp")), load("g.oqp")
    lower = np.clip(np.hstack([load("lb.oqp"), load("lbA.oqp")]), -BIG, BIG)
    upper = np.clip(np.hstack([load("ub.oqp"), load("ubA.oqp")]), -BIG, BIG)
    optima, name = load("obj_opt.oqp").ravel(), os.path.basename(path)
    model = daqp.Model()
    model.settings = {"primal_tol": 1e-9}
    model.setup(H, g[0], A, upper[0], lower[0], np.zeros(len(upper[0]), np.int32))
    times, own, gap = [], [], 0.0
    for k in range(len(g)):
        t = time.perf_counter()
        model.update(f=g[k], bupper=upper[k], blower=lower[k])
        x, value, flag, info = model.solve()
        times.append(time.perf_counter() - t)
        own.append(info["solve_time"])
        gap = max(gap, abs(value - optima[k]) / max(1e-3, abs(optima[k]))) if flag > 0 else np.inf
    tiny_model = daqp.Model()
    one = np.eye(1)
    wide = len(upper[0])
    tiny_model.setup(one, np.zeros(1), np.zeros((wide - 1, 1)), np.ones(wide), -np.ones(wide),
                     np.zeros(wide, np.int32))
    idle = []
    for k in range(200):
        t = time.perf_counter()
        tiny_model.update(f=np.zeros(1), bupper=np.ones(wide), blower=-np.ones(wide))
        tiny_model.solve()
        idle.append(time.perf_counter() - t)
    overhead = np.median(idle)
    at = lambda q: max(np.quantile(times, q) - overhead, 1e-7) * 1e6
    print(json.dumps({"rival": "daqp", "name": name, "medianUs": at(0.5), "p99Us": at(0.99),
                      "ownMedianUs": np.median(own) * 1e6, "overheadUs": overhead * 1e6,
                      "maxObjectiveGap": gap,
                      "timeOverOurs": at(0.5) / ours[name] if name in ours else None}), flush=True)


def main():
    folder = sys.argv[1]
    with open(sys.argv[2]) as f:
        ours = {name: float(us) for name, us in (line.split() for line in f)}
    if os.path.isdir(os.path.join(folder, "json")):
        singles(folder, ours)
    for d in sorted(os.listdir(folder)) + ["."]:
        if os.path.exists(os.path.join(folder, d, "dims.oqp")):
            sequence(os.path.normpath(os.path.join(folder, d)), ours)


if __name__ == "__main__":
    main()
