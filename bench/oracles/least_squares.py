"""Times numpy, LAPACK and statsmodels on the regression of identify_bench.

    least_squares.py DATA ROWS INPUTS OUTPUTS ORDER OUT

DATA: doubles, column by column, inputs then outputs. The regression of every output on lags 1..ORDER
of all columns and a constant. OUT: name, CPU seconds with the matrix built, CPU seconds of the
solution, then the coefficients (column by column, the constant last in each; statsmodels only of the
first output).
"""
import sys
import time

import numpy as np
import scipy.linalg
import statsmodels.api as sm

rows, inputs, outputs, order = (int(a) for a in sys.argv[2:6])
x = np.fromfile(sys.argv[1]).reshape((inputs + outputs, rows)).T


def build():
    n, m = rows - order, inputs + outputs
    phi = np.empty((n, m * order + 1), order="F")
    for i in range(m):
        for k in range(1, order + 1):
            phi[:, i * order + k - 1] = x[order - k : rows - k, i]
    phi[:, -1] = 1
    return phi, np.asfortranarray(x[order:, inputs:])


def numpy_lstsq(phi, y):
    # The default, rows·eps, cuts directions off that the data determine.
    return np.linalg.lstsq(phi, y, rcond=np.finfo(float).eps)[0]


def lapack_dgels(phi, y):
    dgels, query = scipy.linalg.get_lapack_funcs(("gels", "gels_lwork"), (phi, y))
    work = int(query(phi.shape[0], phi.shape[1], y.shape[1])[0])
    _, solution, info = dgels(phi, y, lwork=work, overwrite_a=True, overwrite_b=False)
    assert info == 0
    return solution[: phi.shape[1]]


def statsmodels_ols(phi, y):
    # Of the first output alone: it takes seconds for each.
    return sm.OLS(y[:, 0], phi).fit(method="qr").params[:, None]


with open(sys.argv[6], "w") as out:
    for solve in (numpy_lstsq, lapack_dgels, statsmodels_ols):
        start = time.process_time()
        phi, y = build()
        built = time.process_time()
        theta = solve(phi, y)
        end = time.process_time()
        numbers = ",".join(repr(float(v)) for v in theta.T.reshape(-1))
        out.write(f"{solve.__name__},{end - start},{end - built},{numbers}\n")
        del phi, y
