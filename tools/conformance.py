#!/usr/bin/env python3
"""Writes the page of conformance from a comparison with reference results.

usage: conformance.py RESULTS.csv --library NAME --date DATE [--notes FILE]
           > docs/reference/conformance.md

RESULTS.csv has a line for each example, without a head: its name, the
verdict (passed, differs, unseen, failed, timeout or no reference), the seconds
that it took, and a note. NOTES has lines `name,orrery|open,reason` with the
head `name,right,reason`; `orrery` says that Orrery's result is the right one,
and the reason proves it.
"""

import argparse
import csv
import sys

MEANINGS = (
    ("passed", "agree"),
    ("orrery", "differ, and Orrery is right"),
    ("differs", "differ"),
    ("unseen", "have protected signals only"),
    ("failed", "are refused, or fail in the run"),
    ("timeout", "take too long"),
)

HEAD = """# Conformance

Examples of the {library},
run by Orrery {version} and compared with its published reference results on
{date}. `tools/conformance.py` made this page.
[Modelica](modelica.md) tells clause by clause what works.

An example agrees if each published signal stays within 0.2 % of the
reference's range, but for 0.2 % of the times and shifts in time of 0.05 % of
the run.

| {total} examples with a reference | |
|---|---|
"""


def read_results(path):
    """Returns (name, verdict, note) of all examples that have a reference."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    known = {verdict for verdict, _ in MEANINGS} | {"no reference"}
    for row in rows:
        if len(row) != 4 or row[1] not in known:
            raise ValueError(f"cannot read {path}: no result: {row}")
    return [(name, verdict, note) for name, verdict, _, note in rows
            if verdict != "no reference"]


def read_notes(path):
    """Returns (whose result is right, reason) by name."""
    if path is None:
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["right"] not in ("orrery", "open"):
            raise ValueError(f"cannot read {path}: whose right: {row}")
    return {row["name"]: (row["right"], row["reason"]) for row in rows}


def shortened(note):
    """A note without the place in a file, on one line of a table."""
    text = note.split("error: ", 1)[-1].replace("|", "\\|").strip()
    return text if len(text) <= 160 else text[:157] + "..."


def write_page(results, notes, head, out):
    """Writes the page: the counts, then what does not agree."""
    groups = {verdict: [] for verdict, _ in MEANINGS}
    for name, verdict, note in results:
        right, reason = notes.get(name, ("open", ""))
        is_ours = verdict == "differs" and right == "orrery"
        group = "orrery" if is_ours else verdict
        groups[group].append((name, reason or shortened(note)))
    out.write(HEAD.format(total=len(results), **head))
    for verdict, meaning in MEANINGS:
        out.write(f"| {len(groups[verdict])} | {meaning} |\n")
    for verdict, meaning in MEANINGS[1:]:
        if not groups[verdict]:
            continue
        out.write(f"\n## Those that {meaning}\n\n| example | |\n|---|---|\n")
        for name, reason in sorted(groups[verdict]):
            out.write(f"| `{name}` | {reason} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results")
    parser.add_argument("--library", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("--version", default="0.3.0")
    parser.add_argument("--notes")
    options = parser.parse_args()
    write_page(read_results(options.results), read_notes(options.notes),
               {"library": options.library, "date": options.date,
                "version": options.version}, sys.stdout)


if __name__ == "__main__":
    main()
