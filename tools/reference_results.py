#!/usr/bin/env python3
"""Compares the examples of a library with its published reference results.

usage: reference_results.py ORRERY LIBRARIES REFERENCES [--only PREFIX]
           [--names FILE] [--timeout SECONDS] > RESULTS.csv

LIBRARIES is a folder of libraries for MODELICAPATH. REFERENCES is a checkout
of a branch of MAP-LIB_ReferenceResults: a folder for each example, with a CSV
file and comparisonSignals.txt. Each example runs as itself, with the times of
its reference and a relative tolerance of 1e-6, and gives a line: its name, the
verdict, the seconds and a note. `tools/conformance.py` makes a page of them.

A signal agrees if at all but 0.2 % of the reference's times its value stays
within 0.2 % of the reference's range (at least of 0.1 % of its greatest
magnitude, plus 1e-6) of the values that Orrery's signal takes on within 0.05 %
of the run about that time.
"""

import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

VALUE_TOLERANCE = 2e-3   # Of the range of the reference.
TIME_TOLERANCE = 5e-4    # Of the run.
OUTLIERS = 2e-3          # Of the times of the reference.
ROWS = (2000, 20000)     # The least and the most rows of a run.
BOOLEANS = {"true": 1.0, "false": 0.0, "": np.nan}


def number(text):
    """Returns the number in a cell of a table."""
    return BOOLEANS[text] if text in BOOLEANS else float(text)


def read_table(path):
    """Returns the columns of a CSV file by name, time as `time`."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = [name.strip().strip('"') for name in next(rows)]
        cells = np.array([[number(cell) for cell in row]
                          for row in rows if row])
    names = ["time" if name.lower() == "time" else name for name in names]
    return dict(zip(names, cells.T))


def range_about(times, values, at, width):
    """Returns the least and greatest value within `width` of each time `at`.

    Between rows the values are on straight lines.
    """
    ends = [np.interp(at + shift, times, values) for shift in (-width, width)]
    least, greatest = np.minimum(*ends), np.maximum(*ends)
    first = np.searchsorted(times, at - width)
    last = np.searchsorted(times, at + width, side="right")
    holds = last > first
    bounds = np.column_stack((first[holds], last[holds])).ravel()
    if bounds.size:
        padded = np.append(values, values[-1])
        for kept, pick in ((least, np.minimum), (greatest, np.maximum)):
            kept[holds] = pick(kept[holds], pick.reduceat(padded, bounds)[::2])
    return least, greatest


def deviation(reference, expected, times, values):
    """Returns by how much a signal differs, or None if it agrees."""
    run = reference[-1] - reference[0]
    least, greatest = range_about(times, values, reference,
                                  TIME_TOLERANCE * run)
    known = np.isfinite(expected)
    if not known.any():
        return None
    spread = max(np.ptp(expected[known]), 1e-3 * np.abs(expected[known]).max())
    allowed = VALUE_TOLERANCE * spread + 1e-6
    off = np.maximum(least - expected, expected - greatest)
    is_off = known & ~(off <= allowed)  # Ours that is no number is off.
    return None if is_off.mean() <= OUTLIERS else float(np.nanmax(off))


def run_example(options, name, reference, output):
    """Runs an example; returns the completed process."""
    start, stop = float(reference["time"][0]), float(reference["time"][-1])
    rows = min(max(4 * len(reference["time"]), ROWS[0]), ROWS[1])
    words = [options.orrery, "run", name, "--no-save", "--protected",
             "--output", str(output), "--start", repr(start),
             "--stop", repr(stop), "--tolerance", "1e-6",
             "--interval", repr((stop - start) / rows)]
    paths = {"MODELICAPATH": os.path.abspath(options.libraries)}
    return subprocess.run(words, capture_output=True, text=True, check=False,
                          timeout=options.timeout, stdin=subprocess.DEVNULL,
                          env={**os.environ, **paths}, cwd=output.parent)


def why_failed(process):
    """Returns the first error of a run, without the path of its file."""
    lines = process.stderr.splitlines()
    errors = [line for line in lines if "error: " in line] or lines[-1:]
    text = errors[0] if errors else f"exit code {process.returncode}"
    return text.split("error: ", 1)[-1]


def compare(signals, reference, ours):
    """Returns the verdict on a run that came to its end, and a note."""
    known = [s for s in signals if s in reference]
    seen = [s for s in known if s in ours]
    differing = []
    for signal in seen:
        off = deviation(reference["time"], reference[signal], ours["time"],
                        ours[signal])
        if off is not None:
            differing.append(f"`{signal}` by {off:.3g}")
    if not seen:
        return "unseen", ", ".join(known[:3])
    note = ", ".join(differing[:3])
    if len(seen) < len(known):
        missing = next(s for s in known if s not in ours)
        note = f"{note} not recorded: `{missing}`".strip()
    return ("differs" if differing else "passed"), note


def result_of(options, folder, name):
    """Returns the verdict on an example, the seconds, and a note."""
    table = next(folder.glob("*.csv"), None)
    if table is None:
        return "no reference", 0.0, ""
    reference = read_table(table)
    text = (folder / "comparisonSignals.txt").read_text(encoding="utf-8")
    signals = [line.strip() for line in text.splitlines()]
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch) / "out.csv"
        began = time.monotonic()
        try:
            process = run_example(options, name, reference, output)
        except subprocess.TimeoutExpired:
            return "timeout", options.timeout, ""
        seconds = time.monotonic() - began
        if process.returncode != 0:
            return "failed", seconds, why_failed(process)
        signals = [s for s in signals if s not in ("", "time")]
        verdict, note = compare(signals, reference, read_table(output))
        return verdict, seconds, note


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("orrery")
    parser.add_argument("libraries")
    parser.add_argument("references", type=pathlib.Path)
    parser.add_argument("--only", default="Modelica.",
                        help="names that begin so")
    parser.add_argument("--names", type=pathlib.Path,
                        help="a file with names, one a line")
    parser.add_argument("--timeout", type=float, default=120.0)
    options = parser.parse_args()
    options.orrery = os.path.abspath(options.orrery)
    names = options.names and set(options.names.read_text().split())
    lines = csv.writer(sys.stdout, lineterminator="\n")
    for file in sorted(options.references.rglob("comparisonSignals.txt")):
        folder = file.parent
        name = ".".join(folder.relative_to(options.references).parts)
        if name.startswith(options.only) and (not names or name in names):
            verdict, seconds, note = result_of(options, folder, name)
            lines.writerow((name, verdict, f"{seconds:.2f}", note))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
