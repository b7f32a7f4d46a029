#!/usr/bin/env python3
"""Runs models natively and interpreted: check_native.py ORRERY MODEL...

Each model is run as its experiment says, with and without native code; all
that
is recorded must be the same, bit for bit. What ends with an error must do so
both ways, but most must not.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile


def run(orrery, model, code, output):
    return subprocess.run(
        [orrery, "run", model, "--no-save", "--code", code,
         "--output", output],
        check=False, capture_output=True, text=True, timeout=300).returncode


def check(orrery, model):
    """Whether the model runs, and what is wrong, if anything."""
    with tempfile.TemporaryDirectory() as folder:
        ends, results = [], []
        for code in ("interpreted", "native"):
            output = pathlib.Path(folder, code + ".csv")
            ends.append(run(orrery, model, code, str(output)))
            results.append(output.read_bytes() if output.exists() else b"")
        if ends[0] != ends[1]:
            return True, f"{model}: exit {ends[1]} natively, {ends[0]} else"
        if results[0] != results[1]:
            return True, f"{model}: native code has other results"
        return ends[0] == 0, ""


def main():
    orrery, models = sys.argv[1], sys.argv[2:]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda model: check(orrery, model), models))
    problems = [problem for _, problem in found if problem]
    if sum(runs for runs, _ in found) <= len(models) / 2:
        problems.append("most models do not run at all")
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
