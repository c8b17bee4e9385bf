"""A plant's day in ten minutes: 200 clients at once read, predict, import and train.

bench/load_http.py [FLYBALL] [SECONDS] — prints requests, errors, p50 and p99 of each kind of request,
and the memory of the service over time. Ends with 1 when a request failed, when memory grew by more
than 10 % after the first fifth, or when p99 of reads is 50 ms or more while a training job ran.
"""
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FLYBALL = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../build/release/src/flyball")
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 600
READERS, PREDICTORS, IMPORTERS, TRAINERS = 170, 20, 8, 2
READS = ["/models", "/datasets", "/jobs", "/runs?line=default", "/experiments", "/imports?line=default",
         "/tags?line=default", "/samples/Y0/aggregate?line=default&from=1970-01-01T00:00:00Z&to=1970-01-01T01:40:00Z&bucket=10s"]


class Client:
    """One kept connection; HTTP/1.1 by hand, so that the clients cost little beside the service."""

    def __init__(self, port, headers):
        self.port, self.headers, self.reader, self.writer = port, headers, None, None

    async def ask(self, method, path, body=b"", kind="application/json"):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{self.headers}"
        if method != "GET":
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        status = int(answer.split(" ", 2)[1])
        length = re.search(r"(?i)content-length: (\d+)", answer)
        text = await self.reader.readexactly(int(length.group(1))) if length else b""
        if re.search(r"(?i)connection: close", answer):
            self.writer.close()
            self.writer = None
        return status, text


class Tally:
    def __init__(self):
        self.times, self.errors = {}, []

    async def timed(self, kind, asked):
        began = time.perf_counter()
        try:
            status, text = await asked
        except (OSError, asyncio.IncompleteReadError) as error:
            self.errors.append(f"{kind}: {error!r}")
            return None
        self.times.setdefault(kind, []).append(time.perf_counter() - began)
        if status >= 400:
            self.errors.append(f"{kind}: {status} {text[:200].decode(errors='replace')}")
            return None
        return json.loads(text) if text else {}


def quantile(values, q):
    return sorted(values)[min(len(values) - 1, int(q * len(values)))] * 1000


def memory(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


async def reader(client, tally, end):
    while time.monotonic() < end:
        await tally.timed("read", client.ask("GET", random.choice(READS)))
        await asyncio.sleep(random.uniform(0.5, 1.5))


async def predictor(client, tally, end, path, body):
    while time.monotonic() < end:
        await tally.timed("predict", client.ask("POST", path, body))
        await asyncio.sleep(random.uniform(0.1, 0.4))


async def importer(client, tally, end, number):
    count = 0
    while time.monotonic() < end:
        start = 86400 * (1 + number) + 700 * count
        rows = "".join(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(1700000000 + start + i))},{random.random():.4f}\n" for i in range(600))
        await tally.timed("import", client.ask("POST", f"/imports?line=load{number}", ("time,X\n" + rows).encode(), "application/octet-stream"))
        count += 1
        await asyncio.sleep(random.uniform(4, 8))


async def trainer(client, tally, end, dataset, seed):
    while time.monotonic() < end:
        seed += 1
        ask = json.dumps({"dataset": dataset, "trainer": "linear_arx@1", "seed": seed}).encode()
        job = await tally.timed("train", client.ask("POST", "/jobs/training", ask))
        while job and time.monotonic() < end and job["state"] not in ("done", "failed", "cancelled", "interrupted", "timeout"):
            await asyncio.sleep(1)
            job = await tally.timed("read", client.ask("GET", f"/jobs/{job['id']}"))


async def watch(pid, end, seen):
    while time.monotonic() < end:
        seen.append(memory(pid))
        await asyncio.sleep(1)


async def load(port, headers, process, model, dataset, body):
    tally, seen, end = Tally(), [], time.monotonic() + SECONDS
    new = lambda: Client(port, headers)
    work = [reader(new(), tally, end) for _ in range(READERS)]
    work += [predictor(new(), tally, end, f"/models/{model}/predict", body) for _ in range(PREDICTORS)]
    work += [importer(new(), tally, end, i) for i in range(IMPORTERS)]
    work += [trainer(new(), tally, end, dataset, 1000 * i) for i in range(TRAINERS)]
    await asyncio.gather(watch(process.pid, end, seen), *work)
    return tally, seen


def flyball(data, *arguments):
    done = subprocess.run([FLYBALL, *arguments, "--data", data, "--json", "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr, done.stdout[:500])
    return json.loads(done.stdout)


def main():
    with tempfile.TemporaryDirectory() as work:
        table, data = os.path.join(work, "plant.csv"), os.path.join(work, "data")
        subprocess.run([sys.executable, os.path.join(HERE, "predict_http/make_plant.py"), table], check=True)
        roles = [x for i in range(4) for x in ("--mv", f"U{i}", "--cv", f"Y{i}")]
        flyball(data, "config", "set", "job.maxExperiments", "1000")
        flyball(data, "import", table, "--period", "1s")
        study = flyball(data, "study", *roles, "--horizon", "60")
        model, dataset = study["model"]["id"], study["dataset"]["id"]
        file = json.load(open(os.path.join(data, "models", model, "model.json")))
        rows = [line.strip().split(",") for line in open(table)]
        column = {name: [float(r[i]) for r in rows[1:]] for i, name in enumerate(rows[0])}
        h, f = file["historySteps"], file["horizonSteps"]
        body = json.dumps({"history": {v["id"]: column[v["id"]][1000 - h:1000] for v in file["variables"]},
                           "plan": {v["id"]: column[v["id"]][1000:1000 + f] for v in file["variables"] if v["role"] == "mv"}}).encode()
        process = subprocess.Popen([FLYBALL, "--data", data, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        try:
            port, token = re.search(r":(\d+)/#setup=([0-9a-f]+)", process.stdout.readline()).groups()
            return report(*asyncio.run(session(int(port), token, process, model, dataset, body)))
        finally:
            process.terminate()
            process.wait()


async def session(port, token, process, model, dataset, body):
    """Signs in once; all clients work under that name."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    ask = json.dumps({"token": token, "user": "bench", "password": "a password of the bench"})
    writer.write(f"POST /api/v1/setup HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(ask)}\r\n\r\n{ask}".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = int(re.search(r"(?i)content-length: (\d+)", head).group(1))
    csrf = json.loads(await reader.readexactly(length))["csrf"]
    cookie = re.search(r"(?i)set-cookie: ([^;\r]+)", head).group(1)
    writer.close()
    headers = f"Cookie: {cookie}\r\nX-CSRF-Token: {csrf}\r\n"
    return await load(port, headers, process, model, dataset, body)


def report(tally, seen):
    for kind, times in sorted(tally.times.items()):
        print(f"{kind:8} {len(times):8} requests, {len(times) / SECONDS:8.1f}/s, p50 {quantile(times, 0.5):7.2f} ms, p99 {quantile(times, 0.99):7.2f} ms")
    settled = seen[len(seen) // 5:]
    tenth = max(1, len(settled) // 10)
    before, after = sum(settled[:tenth]) / tenth, sum(settled[-tenth:]) / tenth
    print(f"memory   {before:.1f} MB after a fifth of the time, {after:.1f} MB at the end ({100 * (after / before - 1):+.1f} %)")
    print(f"errors   {len(tally.errors)}")
    for error in tally.errors[:5]:
        print("  " + error)
    good = not tally.errors and after <= 1.1 * before and quantile(tally.times["read"], 0.99) < 50
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
