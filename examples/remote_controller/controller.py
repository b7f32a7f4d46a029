#!/usr/bin/env python3
"""A PI controller in another program holds the oven by JSON Lines:

    controller.py [ORRERY]

Each 10 s it reads the temperature and answers with the power of the heater,
which the oven keeps until the next answer. Between two answers the oven is
linear, so what it must come to is known exactly:

    T(k+1) = room + a (T(k) - room) + (1 - a) P(k)/G,   a = exp(-10 s G/C).
"""

import json
import math
import pathlib
import subprocess
import sys

PERIOD, C, G, ROOM, WANTED = 10, 5000, 10, 20, 180


def main():
    orrery = sys.argv[1] if len(sys.argv) > 1 else "orrery"
    oven = subprocess.Popen(
        [orrery, "run", "oven.mo", "--connect", "jsonl", "--no-save",
         "--period", f"{PERIOD}s", "--tolerance", "1e-9"],
        cwd=pathlib.Path(__file__).resolve().parent, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    decay = math.exp(-PERIOD * G / C)
    integral, exact, worst = 0, ROOM, 0
    while "status" not in (row := json.loads(oven.stdout.readline())):
        worst = max(worst, abs(row["temperature"] - exact))
        error = WANTED - row["temperature"]
        wish = 100 * error + integral + 5 * error
        heater = min(max(wish, 0), 3000)
        integral += 5 * error if heater == wish else 0
        exact = ROOM + decay * (exact - ROOM) + (1 - decay) * heater / G
        if row["time"] < 3600:
            print(json.dumps({"heater": heater}), file=oven.stdin, flush=True)
        last = row["temperature"]
    print(f"{row['status']} at t = {row['time']:g} s: {last:.3f} degC, "
          f"at most {worst:.2g} K from the exact solution")
    is_right = worst < 1e-5 and abs(last - WANTED) < 0.1
    return 0 if is_right and oven.wait() == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
