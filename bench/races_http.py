"""Everything at once, to find races: reads, predictions, imports, jobs that are cancelled, events, and an end.

bench/races_http.py FLYBALL [SECONDS] — FLYBALL is a build with ThreadSanitizer (make tsan). 30 clients work for
SECONDS (30), then the service is told to stop while they go on. Ends with 1 when a race was reported, when the
service did not end with 0, or when a request was answered 500. Prints each report once.
"""
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FLYBALL = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 30
from load_http import Client, flyball  # noqa: E402

READS = ["/models", "/datasets", "/jobs", "/runs?line=default", "/experiments", "/lines", "/tags?line=default", "/audit",
         "/config", "/approvals", "/training-plans", "/entities", "/system", "/notices", "/imports?line=default",
         "/samples/Y0/aggregate?line=default&from=1970-01-01T00:00:00Z&to=1970-01-01T01:40:00Z&bucket=10s"]
statuses = {}


async def ask(client, *request):
    try:
        status, text = await client.ask(*request)
    except (OSError, asyncio.IncompleteReadError):
        client.writer = None
        await asyncio.sleep(0.05)
        return 0, b""
    statuses[status] = statuses.get(status, 0) + 1
    return status, text


async def reader(client):
    while True:
        await ask(client, "GET", random.choice(READS))


async def importer(client, number):
    count = 0
    while True:
        start = 1700000000 + 1000000 * number + 50 * count
        rows = "".join(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(start + i))},{i}\n" for i in range(40))
        await ask(client, "POST", f"/imports?line=race{number}", ("time,X\n" + rows).encode(), "application/octet-stream")
        count += 1
        await asyncio.sleep(0.3)


async def predictor(client, path, body):
    while True:
        await ask(client, "POST", path, body)


async def jobs(client, model, dataset, number):
    seed = 1000 * number
    while True:
        seed += 1
        kind = random.randrange(3)
        path, body = [("/jobs/training", {"dataset": dataset, "trainer": "linear_arx@1", "seed": seed}),
                      (f"/models/{model}/evaluations", {"dataset": dataset}),
                      ("/jobs/dataset-build", {"line": "default", "mv": ["U0"], "cv": ["Y0"], "note": f"{seed}"})][kind]
        status, text = await ask(client, "POST", path, json.dumps(body).encode())
        await asyncio.sleep(random.uniform(0.05, 2))
        if status < 300 and text:
            job = json.loads(text)["id"]
            if random.random() < 0.6:
                await ask(client, "POST", f"/jobs/{job}/cancel", b'{"reason":"a race"}')
            await ask(client, "GET", f"/jobs/{job}/log")
        await ask(client, "POST", "/notices/read", b"{}")


async def listener(port, headers, slow):
    while True:
        try:
            reader_, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode())
            for _ in range(random.randrange(1, 40)):
                await asyncio.wait_for(reader_.read(16 if slow else 4096), 2)
                await asyncio.sleep(0.5 if slow else 0)
            writer.close()  # in the middle of a stream
        except (OSError, asyncio.TimeoutError):
            await asyncio.sleep(0.05)


async def first_user(port, token):
    """The fields of a request that name the first administrator."""
    reader_, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"token": token, "user": "ada", "password": "a password of the bench"})
    writer.write(f"POST /api/v1/setup HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    head = (await reader_.readuntil(b"\r\n\r\n")).decode()
    length = int(re.search(r"(?i)content-length: (\d+)", head).group(1))
    csrf = json.loads(await reader_.readexactly(length))["csrf"]
    writer.close()
    cookie = re.search(r"(?i)set-cookie: ([^;\r]+)", head).group(1)
    return f"Cookie: {cookie}\r\nX-CSRF-Token: {csrf}\r\n"


async def race(port, token, process, model, dataset, body):
    headers = await first_user(port, token)
    new = lambda: Client(port, headers)
    work = [reader(new()) for _ in range(12)]
    work += [importer(new(), i) for i in range(3)]
    work += [predictor(new(), f"/models/{model}/predict", body) for _ in range(4)]
    work += [jobs(new(), model, dataset, i) for i in range(5)]
    work += [listener(port, headers, i % 3 == 0) for i in range(6)]
    tasks = [asyncio.create_task(w) for w in work]
    await asyncio.sleep(SECONDS)
    process.send_signal(signal.SIGTERM)  # while they go on
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    return process.poll()


def main():
    with tempfile.TemporaryDirectory() as work:
        table, data = os.path.join(work, "plant.csv"), os.path.join(work, "data")
        subprocess.run([sys.executable, os.path.join(HERE, "predict_http/make_plant.py"), table], check=True)
        flyball(data, "config", "set", "job.maxExperiments", "1000")
        flyball(data, "import", table, "--period", "1s")
        study = flyball(data, "study", "--mv", "U0", "--cv", "Y0", "--horizon", "20")
        model, dataset = study["model"]["id"], study["dataset"]["id"]
        file = json.load(open(os.path.join(data, "models", model, "model.json")))
        rows = [line.strip().split(",") for line in open(table)]
        column = {name: [float(r[i]) for r in rows[1:]] for i, name in enumerate(rows[0])}
        body = json.dumps({"history": {v["id"]: column[v["id"]][:file["historySteps"]] for v in file["variables"]}}).encode()
        log = open(os.path.join(work, "stderr"), "w+")
        process = subprocess.Popen([FLYBALL, "--data", data, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            port, token = re.search(r":(\d+)/#setup=([0-9a-f]+)", process.stdout.readline()).groups()
            code = asyncio.run(race(int(port), token, process, model, dataset, body))
        finally:
            process.kill()
            process.wait()
        log.seek(0)
        said = log.read()
        for folder, _, names in os.walk(os.path.join(data, "jobs")):
            said += "".join(open(os.path.join(folder, n), errors="replace").read() for n in names if n.endswith(".log"))
        races = sorted(set(re.findall(r"SUMMARY: ThreadSanitizer: (.*)", said)))
        print("answers", dict(sorted(statuses.items())), "exit", code)
        for found in races:
            print("race", found)
        if races or code != 0:
            print(said[:20000])
        return 1 if races or code != 0 or 500 in statuses else 0


if __name__ == "__main__":
    sys.exit(main())
