#!/usr/bin/env python3
"""Writes the manual page of the command from its own help.

    manual.py ORRERY FILE DOCUMENTS

Each command of ORRERY gets a section with the text of its --help, so that the
page and the command never differ. DOCUMENTS is the folder of the guide.
"""

import pathlib
import re
import subprocess
import sys

HEAD = r""".TH ORRERY 1 "" "{version}" "User Commands"
.SH NAME
orrery \- model and simulate: equations, discrete events and tasks
.SH SYNOPSIS
.B orrery
.I COMMAND
.RI [ ARGUMENT ...]
.SH DESCRIPTION
Simulates models of equations (Modelica, causal block diagrams), of discrete
events (DEVS) and of tasks, and carries out experiments with them: sweeps,
calibration, optimisation, sensitivities.
.SH FIRST STEPS
.nf
orrery run pendulum.mo --plot angle
orrery check pendulum.mo
orrery sweep pendulum.mo --vary 'length=1:0.5:3' --keep 'max(angle)'
.fi
"""

TAIL = r""".SH FILES
.TP
.I orrery.db
The store of experiments in the current folder: see
.BR "orrery list" .
.SH ENVIRONMENT
.TP
.B MODELICAPATH
Folders with libraries of Modelica, separated by colons.
.TP
.B NO_COLOR
If set, no output has colours.
.SH EXIT STATUS
0 if all went well, else another number; the reason stands on standard error.
.SH SEE ALSO
The guide and the other documents: {documents}
"""


def said_by(*words):
    return subprocess.run(words, check=True, capture_output=True,
                          text=True).stdout


def escaped(text):
    """Text as troff prints it without change."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def commands_in(text):
    listed = text.partition("Subcommands:\n")[2]
    return re.findall(r"^  ([a-z]+)[, ]", listed, re.M)


def page(orrery, documents):
    version = said_by(orrery, "--version").strip()
    parts = [HEAD.format(version=version)]
    for command in commands_in(said_by(orrery, "--help")):
        text = escaped(said_by(orrery, command, "--help").strip())
        parts.append(f".SH ORRERY {command.upper()}\n.nf\n{text}\n.fi\n")
    parts.append(TAIL.format(documents=documents))
    return "".join(parts)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    orrery, file, documents = sys.argv[1:]
    pathlib.Path(file).write_text(page(orrery, documents))
    return 0


if __name__ == "__main__":
    sys.exit(main())
