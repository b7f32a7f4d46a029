#!/usr/bin/env python3
"""Runs what the documents show: check_docs.py ORRERY FILE.md...

Of each document, in its order: a fence "```modelica NAME" (or any language
with a file name) is written to the file NAME in an empty folder, in which the
repository's examples/ is at hand too; of a fence "```sh" every line that
begins with "$ orrery" is run there. A command must succeed, unless the line
ends with "# exit N". Links of all documents of the repository to files, and
to headings in them, must lead somewhere.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)(?:[ ](\S+))?\n(.*?)^```$", re.M | re.S)
EXIT = re.compile(r"#\s*exit (\d+)\s*$")
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)


def commands(text):
    for line in text.splitlines():
        if line.startswith("$ orrery"):
            expected = EXIT.search(line)
            yield line[2:], int(expected.group(1)) if expected else 0


def check(document, root, env):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(root / "examples", pathlib.Path(folder, "examples"))
        for language, name, body in FENCE.findall(document.read_text()):
            if name:
                pathlib.Path(folder, name).write_text(body)
            if language != "sh":
                continue
            for command, expected in commands(body):
                done = subprocess.run(
                    ["bash", "-c", command], cwd=folder, env=env, check=False,
                    capture_output=True, text=True, timeout=120)
                if done.returncode != expected:
                    yield (f"{document}: '{command}' ended with "
                           f"{done.returncode}, not {expected}\n{done.stderr}")


def prose(document):
    """The text of a document without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", document.read_text(),
                  flags=re.M | re.S)


def anchors(document):
    """The names of a document's headings, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in HEADING.findall(prose(document))}


def check_links(root):
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    for document in documents:
        for path, anchor in LINK.findall(prose(document)):
            if ":" in path:
                continue
            target = document.parent / path if path else document
            where = f"{document.relative_to(root)}: '{path}'"
            if not target.exists():
                yield f"{where} is not there"
            elif anchor and anchor not in anchors(target):
                yield f"{where} has no heading '#{anchor}'"


def main():
    orrery = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    env = dict(os.environ, PATH=f"{orrery.parent}:{os.environ['PATH']}")
    errors = [error for name in sys.argv[2:]
              for error in check(pathlib.Path(name), root, env)]
    errors += check_links(root)
    print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
