"""The same model behind a Python server: numpy for the arithmetic; uvicorn with FastAPI where they
are installed, else http.server with threads. rival.py MODEL.json PORT"""
import json
import sys

import numpy as np

model = json.load(open(sys.argv[1]))
A, B, C, D, K = (np.array(model[k]) for k in "ABCDK")
f, g, u0 = (np.array(model[k]) for k in ("f", "g", "u0"))
channels = [(c["input"], c["delay"]) for c in model["channels"]]
inputs = [v["id"] for v in model["variables"] if v["role"] != "cv"]
mvs = [v["id"] for v in model["variables"] if v["role"] == "mv"]
cvs = [v["id"] for v in model["variables"] if v["role"] == "cv"]
horizon = model["horizonSteps"]
steady = np.linalg.inv(np.eye(len(A)) - A + K @ C)


def predict(asked):
    """The predictor over the history from its steady state, then the model alone."""
    history = np.array([asked["history"][name] for name in inputs]).T
    measured = np.array([asked["history"][name] for name in cvs]).T
    plan = np.repeat(history[-1:], horizon, axis=0)
    for i, name in enumerate(mvs):
        if name in asked.get("plan", {}):
            plan[:, i] = asked["plan"][name]
    u = np.vstack([history, plan]) - u0
    columns = []
    for which, delay in channels:
        columns.append(np.concatenate([np.repeat(u[0, which], delay), u[: len(u) - delay, which]]))
    c = np.array(columns).T
    rows = len(history)
    x = steady @ (B @ c[0] + f + K @ (measured[0] - g - D @ c[0]))
    for t in range(rows):
        e = measured[t] - (C @ x + D @ c[t] + g)
        x = A @ x + B @ c[t] + K @ e + f
    out = np.empty((horizon, len(cvs)))
    for k in range(horizon):
        out[k] = C @ x + D @ c[rows + k] + g
        x = A @ x + B @ c[rows + k] + f
    return {"forecast": [{"cv": name, "values": out[:, j].tolist()} for j, name in enumerate(cvs)]}


def plain(port):
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65536

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = json.dumps(predict(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    print("python http.server, threads", flush=True)
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def fast(port):
    import uvicorn
    from fastapi import FastAPI, Request
    from fastapi.responses import JSONResponse

    app = FastAPI()

    @app.post("/predict")
    async def answer(request: Request):
        return JSONResponse(predict(await request.json()))

    print("python FastAPI on uvicorn, one process", flush=True)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    try:
        fast(int(sys.argv[2]))
    except ImportError:
        plain(int(sys.argv[2]))
