"""Compares answers of our solver with those of cvxopt, an interior-point code of another house.

    qp_agreement.py FILE

FILE: a JSON line a program {family, name, H, A (triplets), g, l, u, lower, upper (null: none), status, x,
J}. Of each that we call solved: x meets every limit within 1e-8 of its scale, J is ½xᵀHx + gᵀx, and J
lies between the dual and the primal objective of cvxopt, within 1e-6. Of each that we call infeasible:
cvxopt finds a proof of that too (objective 0). Exit 1 on a disagreement, and when cvxopt answers fewer
than 9 of 10 of a random family: nothing would be compared. One JSON line a family.
"""
import collections
import json
import sys

import cvxopt
import cvxopt.solvers
import numpy as np
import scipy.sparse as sp

from quadratic_programs import BIG, cvxopt_parts

TOLERANCE, FEASIBLE = 1e-6, 1e-8


def read(line):
    p = json.loads(line)
    n, m = len(p["g"]), len(p["l"])
    limit = lambda v, missing: np.array([missing if x is None else x for x in v], float)
    triplets = lambda t, rows: sp.csc_matrix((t["v"], (t["i"], t["j"])), shape=(rows, n))
    p.update(H=triplets(p["H"], n), A=triplets(p["A"], m).tocsr(), g=np.array(p["g"], float),
             l=limit(p["l"], -BIG), u=limit(p["u"], BIG), lower=limit(p["lower"], -BIG),
             upper=limit(p["upper"], BIG), x=np.array(p["x"], float))
    return p


def violation(p, x):
    worst = 0.0
    sizes = np.maximum(1, abs(p["A"]).max(axis=1).toarray().ravel()) if p["A"].shape[0] else []
    for v, low, high, size in ((x, p["lower"], p["upper"], 1.0),
                               (p["A"] @ x, p["l"], p["u"], sizes)):
        near = np.minimum(np.abs(low), np.abs(high))
        scale = np.maximum(size, np.where(near < BIG, near, 1))
        worst = max(worst, float(np.max(np.maximum(low - v, v - high) / scale, initial=0)))
    return worst


def answer(solve, *parts):
    """By the solver's fast factorisation, else by LDL; the fast one is not checked by it where there are
    no inequalities. None: no answer."""
    for kkt in ("chol2", "ldl") if len(parts[-3]) else ("ldl",):
        try:
            out = solve(*parts[:-2], A=parts[-2], b=parts[-1], kktsolver=kkt)
            if out["status"] != "unknown":
                return out
        except (ValueError, ArithmeticError):
            pass
    return {"status": "unknown"}


def compare(p, r):
    """What is wrong with our answer; None: nothing, "": cvxopt has none to compare with."""
    parts = cvxopt_parts(p)
    if p["status"] == "infeasible":
        zero = cvxopt.matrix(0.0, (len(p["g"]), 1))
        point = answer(cvxopt.solvers.conelp, zero, *parts[2:])
        if point["status"] == "primal infeasible":
            return None
        return "cvxopt finds a feasible point" if point["status"] == "optimal" else ""
    theirs = answer(lambda P, q, G, h, **more: cvxopt.solvers.coneqp(P, q, G, h, **more), *parts)
    if p["status"] != "solved":
        return f"we say {p['status']}" if theirs["status"] == "optimal" else ""
    x = p["x"]
    own = 0.5 * x @ (p["H"] @ x) + p["g"] @ x
    out = violation(p, x)
    r["worstViolation"] = max(r["worstViolation"], out)
    if out > FEASIBLE:
        return f"a limit is broken by {out:.1e} of its scale"
    if abs(own - p["J"]) > 1e-9 * max(1, abs(own)):
        return f"J is {own}, not {p['J']}"
    if theirs["status"] != "optimal":
        return ""
    scale = max(1e-3, abs(own))
    high, low = own - theirs["primal objective"], theirs["dual objective"] - own
    r["worstGap"] = max(r["worstGap"], abs(high) / scale)
    return f"J is {own}, of cvxopt {theirs['primal objective']}" \
        if max(high, low) > TOLERANCE * scale else None


def main():
    families = collections.OrderedDict()
    with open(sys.argv[1]) as f:
        for line in f:
            p = read(line)
            r = families.setdefault(p["family"], {"programs": 0, "agree": 0, "noAnswer": 0, "disagree": 0,
                                                  "infeasible": 0, "worstGap": 0.0, "worstViolation": 0.0})
            r["programs"] += 1
            r["infeasible"] += p["status"] == "infeasible"
            wrong = compare(p, r)
            if wrong:
                print(f"{p['family']} {p['name']}: {wrong}", file=sys.stderr)
            r["agree" if wrong is None else "disagree" if wrong else "noAnswer"] += 1
    good = bool(families)
    for name, r in families.items():
        print(json.dumps({"family": name, **r}), flush=True)
        few = name.startswith("random") and r["agree"] < 0.9 * r["programs"]
        good = good and r["disagree"] == 0 and not few
    sys.exit(0 if good else 1)


main()
