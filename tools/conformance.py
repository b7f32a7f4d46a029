#!/usr/bin/env python3
"""Writes the page of conformance from comparisons with reference results.

usage: conformance.py VERSION=RESULTS.csv... --library NAME --date DATE
           [--notes FILE] > docs/reference/conformance.md

RESULTS.csv is what tools/reference_results.py prints: the name of an example,
the verdict (passed, differs, unseen, failed, timeout or no reference), the
seconds that it took, and a note. NOTES has lines `name,orrery|open,reason`
with the head `name,right,reason`; `orrery` says that Orrery's result is the
right one, and the reason proves it.
"""

import argparse
import csv
import sys

MEANINGS = (
    ("passed", "agree"),
    ("orrery", "differ, and Orrery is right"),
    ("differs", "differ"),
    ("unseen", "have signals that are not in the model"),
    ("failed", "are refused, or fail in the run"),
    ("timeout", "take too long"),
)

HEAD = """# Conformance

Examples of the {library},
run by Orrery {orrery} and compared with its published reference results on
{date}. `tools/reference_results.py` compared them, `tools/conformance.py` made
this page. [Modelica](modelica.md) tells clause by clause what works.

Each example runs with the times of its reference and a relative tolerance of
1e-6. It agrees if each published signal stays within 0.2 % of the reference's
range, but for 0.2 % of the times and shifts in time of 0.05 % of the run.

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
    """A note on one line of a table."""
    text = note.replace("|", "\\|").strip()
    return text if len(text) <= 160 else text[:157] + "..."


def grouped(results, notes):
    """Returns [(name, reason)] by verdict."""
    groups = {verdict: [] for verdict, _ in MEANINGS}
    for name, verdict, note in results:
        right, reason = notes.get(name, ("open", ""))
        is_ours = verdict == "differs" and right == "orrery"
        group = "orrery" if is_ours else verdict
        has_reason = reason and (is_ours or right == "open")
        groups[group].append((name, reason if has_reason else shortened(note)))
    return groups


def table(head, rows):
    """Returns the lines of a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def page(versions, head):
    """Returns the page: the counts, then what does not agree."""
    all_groups = versions.values()
    counts = [[meaning, *(str(len(groups[verdict])) for groups in all_groups)]
              for verdict, meaning in MEANINGS]
    totals = [str(sum(map(len, groups.values()))) for groups in all_groups]
    text = HEAD.format(**head) + table(
        ["", *versions], [["examples with a reference", *totals], *counts])
    for verdict, meaning in MEANINGS[1:]:
        rows = {}
        for version, groups in versions.items():
            for name, reason in groups[verdict]:
                rows.setdefault(name, ([], reason))[0].append(version)
        if rows:
            lines = [[f"`{name}`", ", ".join(which), reason]
                     for name, (which, reason) in sorted(rows.items())]
            text += f"## Those that {meaning}\n\n"
            text += table(["example", "versions", ""], lines)
    return text.rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", metavar="VERSION=RESULTS.csv")
    parser.add_argument("--library", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("--orrery", default="0.3.0")
    parser.add_argument("--notes")
    options = parser.parse_args()
    notes = read_notes(options.notes)
    versions = {}
    for word in options.results:
        version, _, path = word.partition("=")
        versions[version] = grouped(read_results(path), notes)
    sys.stdout.write(page(versions, {"library": options.library,
                                     "date": options.date,
                                     "orrery": options.orrery}))


if __name__ == "__main__":
    main()
