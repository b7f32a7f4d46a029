#!/usr/bin/env python3
"""Keeps the behaviour of Orrery with every model, and compares two builds.

    behaviour.py keep BIN FILE [FOLDER...]
    behaviour.py compare FILE FILE

`keep` runs the programs of the folder BIN (build/release/bin) on every model
of the folders (examples and acceptance, if none is given) and writes to FILE
what they printed:
  - for each model, `orrery check`, `equations` and `run`: all text, each
    message, the counts of steps, evaluations and events, and a hash of the
    table of results;
  - each command of each .simtest;
  - each program that is built of examples/.
Run times are left out. `compare` prints each command whose exit code, text or
results differ, and exits 1 if there is one. A change of the source that is to
change nothing keeps this equal, to the bit.
"""

import concurrent.futures
import difflib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import simtest

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = {".mo", ".cbd"}
RUNS = {"run", "sweep", "sensitivity", "calibrate", "optimize"}
SECONDS = 120  # A command may take so long.

# Times that a command took: "in 1.25 ms", "run_ms": 1.25, "50 runs/s", and
# "16.4 s" at the end of a line.
TIMES = re.compile(r'("\w+_ms": |(?<![\w.]))[\d.,]+(e-?\d+)?(?= (ms|us)\b)|'
                   r'(?<=_ms": )[\d.e+-]+|[\d.,]+(?= runs/s)|'
                   r'(?<=  )[\d.]+(?= s$)', re.MULTILINE)


def steady(text):
    """The text without run times and without the folder of the source."""
    return TIMES.sub("TIME", text.replace(str(ROOT), "ROOT"))


def run(words, folder):
    """The output of a command and its exit code."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True,
                              text=True, errors="replace", check=False,
                              timeout=SECONDS, env=environment,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return {"exit": f"more than {SECONDS} s"}
    return {"exit": done.returncode, "stdout": steady(done.stdout),
            "stderr": steady(done.stderr)}


def command_in(orrery, folder, words):
    """Runs a command of orrery and keeps a hash of the results it writes."""
    if words[0] not in RUNS:
        return run([orrery, *words], folder)
    with tempfile.TemporaryDirectory() as scratch:
        output = pathlib.Path(scratch, "results.csv")
        words = [*words, "--no-save"]
        if words[0] == "run" and "--output" not in words:
            words += ["--output", str(output)]
        kept = run([orrery, *words], folder)
        for stream in ("stdout", "stderr"):
            if stream in kept:
                kept[stream] = kept[stream].replace(scratch, "SCRATCH")
        if output.exists():
            kept["results"] = hashlib.sha256(output.read_bytes()).hexdigest()
    return kept


def commands_of_model(path):
    name = path.name
    yield path.parent, ["check", name]
    yield path.parent, ["check", name, "--json"]
    yield path.parent, ["equations", name]
    yield path.parent, ["run", name, "--json"]


def commands_of_test(path):
    for command in simtest.parse(path):
        words = command["words"]
        yield path.parent, words + (["--json"] if command["values"] else [])


def commands_in(folders):
    """Pairs of a folder and the words of a command, each pair once."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in MODELS and path.is_file():
                found += commands_of_model(path)
            elif path.suffix == ".simtest":
                found += commands_of_test(path)
    return {(folder, tuple(words)): None for folder, words in found}.keys()


def programs_in(folder):
    """The programs of examples/ that are built, each with its folder there."""
    for source in sorted((ROOT / "examples").glob("*/*.cc")):
        program = folder / f"example_{source.stem}"
        if program.exists():
            yield [str(program), str(source.parent)]


def keep(bin_folder, file, folders):
    orrery = str(bin_folder / "orrery")
    kept = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {
            f"{os.path.relpath(folder, ROOT)}: orrery {' '.join(words)}":
            pool.submit(command_in, orrery, folder, words)
            for folder, words in commands_in(folders)}
        for words in programs_in(bin_folder):
            name = pathlib.Path(words[0]).name
            running[name] = pool.submit(run, words, ROOT)
        for name, future in running.items():
            kept[name] = future.result()
    file.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    late = [name for name, its in kept.items() if isinstance(its["exit"], str)]
    print("\n".join(f"{name}: {kept[name]['exit']}" for name in late))
    print(f"behaviour: {len(kept)} commands kept in {file}")
    return 1 if late else 0


def differences(name, old, new):
    for key in sorted(old.keys() | new.keys()):
        before, after = str(old.get(key, "")), str(new.get(key, ""))
        if before != after:
            yield f"{name}: {key} differs"
            yield from list(difflib.unified_diff(
                before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]


def compare(old_file, new_file):
    old, new = (json.loads(file.read_text()) for file in (old_file, new_file))
    differing = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            place = old_file if name in old else new_file
            lines = [f"{name}: only in {place}"]
        else:
            lines = list(differences(name, old[name], new[name]))
        differing += bool(lines)
        if lines:
            print("\n".join(lines))
    print(f"behaviour: {differing} of {len(old.keys() | new.keys())} "
          "commands differ")
    return 1 if differing else 0


def main():
    words = sys.argv[1:]
    if len(words) >= 3 and words[0] == "keep":
        folders = [pathlib.Path(word).resolve() for word in words[3:]]
        return keep(pathlib.Path(words[1]).resolve(), pathlib.Path(words[2]),
                    folders or [ROOT / "examples", ROOT / "acceptance"])
    if len(words) == 3 and words[0] == "compare":
        return compare(*map(pathlib.Path, words[1:]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
