#!/usr/bin/env python3
"""Mutates texts of models and looks for mutants that orrery cannot bear.

    mutants.py ORRERY COUNT PATH... [--seed N] [--keep DIR] [--seconds N]

Each mutant is a text under one of the paths (.mo, .cbd) with a few tokens left
out, doubled, exchanged or replaced. It must end with a result or an error
within N seconds of processor time (10) and 3 GB of address space: no signal,
no hang, no internal error. Those that do not are kept in DIR. The same seed
makes the same mutants.
"""

import argparse
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|\d+\.?\d*(?:[eE][+-]?\d+)?|\w+'
    r"|<>|<=|>=|==|:=|\.[-*/+^]|\s+|.", re.S)

WORDS = """algorithm and annotation block break connect connector constant
constrainedby der discrete each else elseif elsewhen encapsulated end
enumeration equation expandable extends external false final flow for function
if import impure in initial inner input loop model not operator or outer output
package parameter partial protected public pure record redeclare replaceable
return stream then true type when while within Real Integer Boolean String time
pre edge change sample reinit assert terminate terminal smooth noEvent abs sign
sqrt floor ceil integer mod rem div size ndims fill zeros ones
identity diagonal linspace cat transpose sum product min max vector matrix
scalar symmetric cross
delay semiLinear inStream cardinality homotopy Clock hold previous interval
superSample subSample shiftSample backSample noClock""".split()

NUMBERS = """0 1 -1 2 3 1e10 1e-300 1e300 1e999 100000 1000000000
99999999999999999999 0.5 {} {1} {1,2} [1,2;3,4] true "a" time 1:0 1:10
fill(0,0) fill(1,2) : end""".split()

TAILS = """[1] [0] [:] [end] .a (1) (start=1) [2,3] [1:2] ^2 *time
[true]""".split()

SIGNS = "+ - * / ^ < > = := == <> ( ) [ ] { } , ; . : and or not .*".split()

MEMORY = 3000 * 2**20
NAME = re.compile(r"[A-Za-z_]\w*$")


class Mutator:
    """Makes mutants of the texts, one after the other."""

    def __init__(self, texts, seed):
        self.texts = texts
        self.random = random.Random(seed)

    def next(self):
        """A mutant: the file it comes from, and its text."""
        path = self.random.choice(self.texts)
        tokens = TOKEN.findall(path.read_text(errors="replace"))
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 5))):
            solid = [i for i, token in enumerate(tokens)
                     if token and not token.isspace()
                     and token[:2] not in ("//", "/*")]
            if len(solid) < 4:
                break
            tokens = self.change(tokens, solid)
        return path, "".join(tokens)

    def change(self, tokens, solid):
        """The tokens with one change; `solid` are those with a meaning."""
        kinds = (self.leave_out, self.exchange, self.double, self.number,
                 self.word, self.any_word, self.cut, self.copy, self.remove,
                 self.splice, self.rename, self.tail, self.sign)
        return self.random.choice(kinds)(tokens, solid)

    def pick(self, tokens, solid, is_wanted):
        """One of the solid tokens that are wanted; None if there is none."""
        found = [i for i in solid if is_wanted(tokens[i])]
        return self.random.choice(found) if found else None

    def leave_out(self, tokens, solid):
        tokens[self.random.choice(solid)] = ""
        return tokens

    def exchange(self, tokens, solid):
        i, j = self.random.choice(solid), self.random.choice(solid)
        tokens[i], tokens[j] = tokens[j], tokens[i]
        return tokens

    def double(self, tokens, solid):
        i = self.random.choice(solid)
        tokens[i] += " " + tokens[i]
        return tokens

    def replace(self, tokens, i, choices):
        if i is not None:
            tokens[i] = self.random.choice(choices)
        return tokens

    def number(self, tokens, solid):
        i = self.pick(tokens, solid, lambda token: token[0].isdigit())
        return self.replace(tokens, i, NUMBERS)

    def word(self, tokens, solid):
        i = self.pick(tokens, solid, lambda token: token in WORDS)
        return self.replace(tokens, i, WORDS)

    def any_word(self, tokens, solid):
        return self.replace(tokens, self.random.choice(solid), WORDS)

    def cut(self, tokens, solid):
        keeps = self.random.random() < 0.7
        return tokens if keeps else tokens[:self.random.choice(solid)]

    def copy(self, tokens, _):
        begin = self.random.randrange(len(tokens))
        piece = tokens[begin:begin + self.random.randrange(1, 40)]
        place = self.random.randrange(len(tokens))
        return tokens[:place] + piece + tokens[place:]

    def remove(self, tokens, _):
        begin = self.random.randrange(len(tokens))
        return tokens[:begin] + tokens[begin + self.random.randrange(1, 20):]

    def splice(self, tokens, _):
        other = self.random.choice(self.texts).read_text(errors="replace")
        found = TOKEN.findall(other) or [";"]
        begin = self.random.randrange(len(found))
        piece = found[begin:begin + self.random.randrange(1, 60)]
        place = self.random.randrange(len(tokens))
        return tokens[:place] + piece + tokens[place:]

    def rename(self, tokens, solid):
        names = [tokens[i] for i in solid
                 if NAME.match(tokens[i]) and tokens[i] not in WORDS]
        i = self.pick(tokens, solid, lambda token: token in names)
        return self.replace(tokens, i, names)

    def tail(self, tokens, solid):
        i = self.pick(tokens, solid, NAME.match)
        if i is not None:
            tokens[i] += self.random.choice(TAILS)
        return tokens

    def sign(self, tokens, solid):
        i = self.pick(tokens, solid, lambda token: token in SIGNS)
        return self.replace(tokens, i, SIGNS)


def fault_of(command, seconds):
    """What is wrong with how a command ends; empty if nothing is."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output,
                                   preexec_fn=limit)
        try:
            status = process.wait(10 * seconds)  # Others may be at work.
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return "hangs"
        output.seek(0)
        text = output.read(10**6).decode(errors="replace")
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return "hangs"
    if status < 0:
        return f"signal{-status}"
    if "internal error" in text:
        return "internal"
    return "memory" if "not enough memory" in text else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("orrery")
    parser.add_argument("count", type=int)
    parser.add_argument("path", nargs="+", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=10)
    given = parser.parse_args()
    texts = sorted(file for path in given.path for file in path.rglob("*")
                   if file.suffix in (".mo", ".cbd") and file.is_file()
                   and 0 < file.stat().st_size < 60000)
    mutator = Mutator(texts, given.seed)
    num_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.count):
            source, text = mutator.next()
            file = pathlib.Path(folder) / ("mutant" + source.suffix)
            file.write_text(text)
            command = [given.orrery, "run", str(file), "--stop", "0.1"]
            if number % 3 == 0:
                command = [given.orrery, "check", str(file)]
            fault = fault_of(command, given.seconds)
            if not fault:
                continue
            num_faults += 1
            name = f"{fault}_{given.seed}_{number}{source.suffix}"
            print(f"{name}: {command[1]} of a mutant of {source}", flush=True)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / name).write_text(text)
    print(f"{given.count} mutants, {num_faults} faults")
    return 1 if num_faults else 0


if __name__ == "__main__":
    sys.exit(main())
