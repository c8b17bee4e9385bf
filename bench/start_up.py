"""How long `flyball serve` takes on an empty folder until it answers, and the memory it then holds.

bench/start_up.py [FLYBALL] [TIMES] — ends with 1 when the median start takes 300 ms or more, or when
the idle service holds 60 MB or more.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
FLYBALL = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../build/release/src/flyball")
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 11


def start():
    with tempfile.TemporaryDirectory() as work:
        began = time.perf_counter()
        process = subprocess.Popen([FLYBALL, "--data", os.path.join(work, "data"), "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"(http://[\d.:]+)/", process.stdout.readline()).group(1)
            answer = urllib.request.urlopen(url + "/healthz")
            took = time.perf_counter() - began
            assert answer.status == 200, answer.status
            time.sleep(1)
            held = next(int(line.split()[1]) for line in open(f"/proc/{process.pid}/status") if line.startswith("VmRSS:"))
            return took * 1000, held / 1024
        finally:
            process.terminate()
            process.wait()


times, held = zip(*(start() for _ in range(TIMES)))
print(f"first answer after {statistics.median(times):.0f} ms (median of {TIMES}, {min(times):.0f} to {max(times):.0f}); idle {max(held):.1f} MB")
sys.exit(0 if statistics.median(times) < 300 and max(held) < 60 else 1)
