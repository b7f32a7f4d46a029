#!/usr/bin/env python3
"""Runs clang-tidy over every source but tests. Exits 1 if it finds anything.

Most of clang-tidy's time goes into the headers of the standard library, again
for every source. So sources that are compiled alike are looked at together,
as one file that includes them; what does not compile together (two sources
have a name of their own alike) is halved until it does. The static analyzer
looks at single sources only, and takes longer than all the rest: leave it to

    clang-tidy-14 -p build/release FILE
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED_CHECKS = (
    "-clang-analyzer-*",
    "-bugprone-suspicious-include",  # It is how sources come together.
    "-bugprone-reserved-identifier",  # As dear as a quarter of the others.
    "-google-runtime-int",  # As dear as half of the others in what uses Eigen.
)
MOST_TOGETHER = 16


def flags_of(entry):
    """What of a compile command says how, not what, to compile."""
    words = shlex.split(entry["command"])[1:]
    flags = []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c"):
            words.pop(0)
        else:
            flags.append(word)
    return tuple(flags)


def batches(build):
    """Lists of sources, each with its flags, the longest first."""
    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if build in source.parents:
            continue  # Generated.
        source = source.relative_to(ROOT)
        if "test" not in source.parts:
            key = (source.parts[:2], flags_of(entry))
            groups.setdefault(key, []).append(source)
    parts = []
    for (_, flags), sources in groups.items():
        count = -(-len(sources) // MOST_TOGETHER)
        parts += [(sources[i::count], flags) for i in range(count)]
    return sorted(parts, key=lambda part: -len(part[0]))


def compiles(file, flags, build):
    return subprocess.run(["clang++-14", "-w", "-fsyntax-only", *flags, file],
                          cwd=build, capture_output=True,
                          check=False).returncode == 0


def check(sources, flags, build):
    """What clang-tidy finds in `sources`: empty if nothing."""
    file = ROOT / sources[0]
    if len(sources) > 1:
        name = "+".join(sources[0].parts)
        file = build / "tidy" / f"{name}+{len(sources)}.cc"
        file.write_text("".join(f'#include "{ROOT / s}"\n' for s in sources))
        flags = (*flags, "-Wno-shadow")  # Of another source's names.
        if not compiles(file, flags, build):
            half = len(sources) // 2
            return check(sources[:half], flags, build) + check(
                sources[half:], flags, build)
    run = subprocess.run(
        ["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
         f"--checks={','.join(SKIPPED_CHECKS)}",
         r"--header-filter=(^|/)(orrery|examples)/.*\.(h|cc)$",
         str(file), "--", *flags],
        cwd=build, capture_output=True, text=True, check=False)
    return run.stdout or (run.stderr if run.returncode else "")


def main():
    parser = argparse.ArgumentParser(
        description="Runs clang-tidy over every source but tests.")
    parser.add_argument("build", nargs="?", default=ROOT / "build/release",
                        type=pathlib.Path,
                        help="a configured build (build/release)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    build = args.build.resolve()
    (build / "tidy").mkdir(exist_ok=True)
    work = batches(build)
    clean = True
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(lambda part: check(*part, build), work):
            print(found, end="", flush=True)
            clean = clean and not found
    if not clean:
        return 1
    print(f"tidy: nothing in {sum(len(s) for s, _ in work)} sources")
    return 0


if __name__ == "__main__":
    sys.exit(main())
