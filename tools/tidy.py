#!/usr/bin/env python3
"""Runs clang-tidy over every source but tests. Exits 1 if it finds anything.

Most of clang-tidy's time goes into the headers of the standard library, again
for every source. So sources that are compiled alike are looked at together,
as one file that includes them; what does not compile together with the others
(two sources have a name of their own alike) is looked at apart from them.
Sources outside the namespace orrery are programs (examples, benchmarks), each
of which gets a namespace here. The static analyzer looks at single sources
only, and takes longer than all the rest: leave it to

    clang-tidy-14 -p build/release FILE
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
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
MOST_TOGETHER = 32


def is_program(source):
    text = (ROOT / source).read_text()
    return not re.search(r"^namespace orrery\b", text, re.M)


def flags_of(entry):
    """What of a compile command says how, not what, to compile."""
    words = shlex.split(entry["command"])[1:]
    flags = []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c", "-include"):  # Files that g++ has precompiled.
            words.pop(0)
        else:
            flags.append(word)
    return tuple(flags)


def sources_of(entry, build):
    """What a compile command compiles, without tests and what is generated."""
    file = pathlib.Path(entry["file"])
    sources = [file]
    if build in file.parents:  # Sources that are compiled together, perhaps.
        included = re.findall(r'^#include "(/.*\.cc)"', file.read_text(), re.M)
        sources = [pathlib.Path(name) for name in included]
    return [source.relative_to(ROOT) for source in sources
            if build not in source.parents
            and "test" not in source.relative_to(ROOT).parts]


def batches(build):
    """Lists of sources, each with its flags, the longest first."""
    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for source in sources_of(entry, build):
            folder = source.parts[:1 if is_program(source) else 2]
            groups.setdefault((folder, flags_of(entry)), []).append(source)
    parts = []
    for (_, flags), sources in groups.items():
        count = -(-len(sources) // MOST_TOGETHER)
        parts += [(sources[i::count], flags) for i in range(count)]
    return sorted(parts, key=lambda part: -len(part[0]))


def together(sources):
    """The text of one file with all of them."""
    # Headers first: they stay out of namespaces, and free of errors.
    texts = "".join((ROOT / source).read_text() for source in sources)
    headers = re.findall(r'^#include (?:<.*>|".*\.h")', texts, re.M)
    lines = list(dict.fromkeys(headers))
    for i, source in enumerate(sources):
        line = f'#include "{ROOT / source}"'
        if is_program(source):
            # A plug-in exports a function with the same C name as the others.
            lines += [f"#define OrreryPlugin OrreryPlugin{i}  // NOLINT",
                      f"namespace program_{i} {{", line, "}",
                      "#undef OrreryPlugin"]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def misfits(found, sources):
    """Those of `sources` that do not compile together, as clang-tidy says."""
    wrong = set(re.findall(
        r"^([^\s:]+):\d+:\d+: error: .*\[clang-diagnostic-error\]$", found,
        re.M))
    if not wrong:
        return []
    apart = [s for s in sources if str(ROOT / s) in wrong]
    if len(apart) in (0, len(sources)):
        return sources[len(sources) // 2:]
    return apart


def check(sources, flags, build):
    """What clang-tidy finds in `sources`: empty if nothing."""
    file = ROOT / sources[0]
    if len(sources) > 1:
        name = "+".join(sources[0].parts)
        file = build / "tidy" / f"{name}+{len(sources)}.cc"
        file.write_text(together(sources))
        # A name may hide one of another source.
        flags = (*flags, "-Wno-shadow", "-ferror-limit=0")
    run = subprocess.run(
        ["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
         f"--checks={','.join(SKIPPED_CHECKS)}",
         r"--header-filter=(^|/)(orrery|examples)/.*\.(h|cc)$",
         str(file), "--", *flags],
        cwd=build, capture_output=True, text=True, check=False)
    apart = misfits(run.stdout, sources) if len(sources) > 1 else []
    if apart:
        rest = [source for source in sources if source not in apart]
        return check(rest, flags, build) + check(apart, flags, build)
    return run.stdout or (run.stderr if run.returncode else "")


def main():
    parser = argparse.ArgumentParser(
        description="Runs clang-tidy over every source but tests.")
    parser.add_argument("build", nargs="?", default=ROOT / "build/release",
                        type=pathlib.Path,
                        help="a configured build (build/release)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--part", default="0/1", metavar="K/N",
                        help="part K, from 0 on, of N alike (0/1: all)")
    args = parser.parse_args()
    part, parts = map(int, args.part.split("/"))
    build = args.build.resolve()
    (build / "tidy").mkdir(exist_ok=True)
    work = batches(build)[part % parts::parts]
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
