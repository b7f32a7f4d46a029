#!/usr/bin/env python3
"""Runs model tests written as text and says where the numbers differ.

    simtest.py ORRERY FILE.simtest...

A test is a sequence of commands, each with what must come of it:

    # Anything after '#' is a comment.
    run lorenz.mo --tolerance 1e-10
      x = -4.90268754113464 (1e-6)

    check broken.mo
      exit 1
      | broken.mo:3:7: error: no variable 'y' in model M
      |     3 |   x = y;
      |       |       ^

The command is `orrery` with these words, run in the test's own folder, with
--json if values are compared. `name = value (tolerance)` compares a final
value, an estimate or an optimum; of many runs `mean(x)` or `deviation(x)` of
what is kept; of sensitivities `derivative(x,k)`, `first(x,k)`, `total(x,k)` or
`mu*(x,k)`. The error may be the tolerance times |value|, and never has to be
less than the optional second number, an absolute floor: `(1e-6, 1e-9)`. Lines
with '|' are the whole text that the command must print on stderr, or with '>'
on stdout; `exit N` is its exit code (0 if not given).
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

VALUE = re.compile(
    r"(?P<name>\S+)\s*=\s*(?P<value>\S+)\s*"
    r"\((?P<rel>[^,)]+)(,\s*(?P<floor>[^)]+))?\)$")


def parse(path):
    """The commands of a test: a list of dictionaries."""
    commands = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line if line.lstrip()[:1] in ("|", ">") else line.split("#")[0]
        if not text.strip():
            continue
        if not text[0].isspace():
            commands.append({"line": number, "words": shlex.split(text),
                             "values": [], "stderr": [], "stdout": [],
                             "exit": 0})
            continue
        text = text.strip()
        command = commands[-1]
        if text[0] in "|>":
            key = "stderr" if text[0] == "|" else "stdout"
            command[key].append(text[2:])
        elif text.startswith("exit "):
            command["exit"] = int(text[5:])
        else:
            match = VALUE.match(text)
            if not match:
                raise SystemExit(f"{path}:{number}: cannot read '{text}'")
            command["values"].append(match.groupdict())
    return commands


def numbers_in(report):
    """What may be compared, by name."""
    numbers = dict(report.get("final") or {})
    optimum = report.get("values", [])
    if "objective" in report:
        optimum = [*optimum, report["objective"]]
    numbers.update((its["name"], its["value"]) for its in optimum)
    for column in report.get("columns", []):
        for key in {"mean", "deviation"} & column.keys():  # Texts have none.
            numbers[f"{key}({column['name']})"] = column[key]
    for of in report.get("sensitivities", []):
        for effect in of.get("local", []):
            name = f"derivative({of['number']},{effect['factor']})"
            numbers[name] = effect["derivative"]
        for effect in of.get("morris", []):
            name = f"mu*({of['number']},{effect['factor']})"
            numbers[name] = effect["mean_magnitude"]
        for effect in of.get("sobol", []):
            for key in ("first", "total"):
                name = f"{key}({of['number']},{effect['factor']})"
                numbers[name] = effect[key]["value"]
    return numbers


def value_errors(expected, final):
    for item in expected:
        name, wanted = item["name"], float(item["value"])
        if name not in final:
            yield f"no '{name}' among the results"
            continue
        allowed = max(float(item["rel"]) * abs(wanted),
                      float(item["floor"] or 0))
        got = final[name]
        if got is None or not abs(got - wanted) <= allowed:
            yield f"{name} = {got!r}, not {wanted!r} within {allowed:g}"


def errors(command, orrery, folder):
    words = command["words"]
    if command["values"]:
        words = words + ["--json"]
    if words[0] in ("run", "sweep", "sensitivity", "calibrate", "optimize"):
        words = words + ["--no-save"]
    done = subprocess.run([orrery, *words], cwd=folder, capture_output=True,
                          text=True, errors="replace", timeout=300,
                          check=False)
    if done.returncode != command["exit"]:
        yield (f"exit code {done.returncode}, not {command['exit']}\n"
               f"{done.stderr}")
    for key in ("stderr", "stdout"):
        got = getattr(done, key).rstrip("\n")
        wanted = "\n".join(command[key])
        if command[key] and got != wanted:
            yield f"{key} is\n{got}\n-- not\n{wanted}"
    if command["values"]:
        try:
            numbers = numbers_in(json.loads(done.stdout))
        except ValueError:
            yield f"no result on stdout: {done.stdout[:200]!r}"
            return
        yield from value_errors(command["values"], numbers)


def main():
    orrery = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        for command in parse(path):
            for error in errors(command, orrery, path.parent):
                failed += 1
                print(f"{path}:{command['line']}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
