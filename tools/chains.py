#!/usr/bin/env python3
"""Checks models of long chains of declarations.

    chains.py ORRERY COUNT [NAME...]

Of each kind of chain a model of COUNT links is checked by the command. It must
end with a result or an error within 10 s of processor time and 2 GB.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

SECONDS = 10
BYTES = 2 * 10**9
STACK = 512 * 2**20  # Address space that the command asks for.


def chain(item, count):
    """The links, the last first: each needs the one that follows it."""
    return "".join(item(i) for i in range(count, 0, -1))


def model(declarations, equations="", around=""):
    return (f"{around}model Chain\n{declarations}\nReal z(start = 0, fixed = "
            f"true);\nequation\nder(z) = 1;\n{equations}\n"
            "annotation(experiment(StopTime = 1));\nend Chain;\n")


def values(prefix, first, link):
    """Declarations c1 to cN of which each follows from the one before."""
    return lambda n: model(
        chain(lambda i: f"{prefix} c{i} = {link(f'c{i - 1}')};\n", n)
        + f"{prefix} c0 = {first};\n{prefix} last = c{n};")


def classes(first, link, use):
    """Classes T1 to TN of which each is made from the one before."""
    return lambda n: ("package P\n" + chain(link, n) + first
                      + model(use(n)) + "end P;\n")


def nested(left, inside, right=""):
    return lambda n: model(f"Real y = {left * n}{inside}{right * n};")


def functions(body):
    return classes(
        "function T0 input Real x; output Real y; algorithm y := x; end T0;\n",
        lambda i: f"function T{i} input Real x; output Real y; algorithm "
                  f"{body(f'T{i - 1}')} end T{i};\n",
        lambda n: f"Real y = T{n}(time);")


PINS = """connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end R;
model V Pin p; parameter Real v = 0; equation p.v = v; end V;
"""


def circuit(ends):
    return lambda n: ("package P\n" + PINS + model(
        "V s(v = 1), g;\n" + chain(lambda i: f"R r{i};\n", n),
        chain(lambda i: f"connect(r{i}.n, r{i - 1}.p);\n" if i > 1 else "", n)
        + ends(n)) + "end P;\n")


KINDS = {
    "constants": values("constant Real", "1", lambda c: f"{c} + 1"),
    "integers": values("constant Integer", "1", lambda c: f"{c} + 1"),
    "parameters": values("parameter Real", "1", lambda c: f"{c} + 1"),
    "final parameters": values("final parameter Real", "1",
                               lambda c: f"{c} + 1"),
    "Booleans": values("parameter Boolean", "true", lambda c: f"not {c}"),
    "Strings": values("constant String", '"a"', lambda c: f'{c} + "a"'),
    "arrays": values("parameter Real", "1", lambda c: f"sum({{{c}, 1}})"),
    "variables": values("Real", "time", lambda c: f"sin({c})"),
    "aliases": values("Real", "time", lambda c: c),
    "relations": values("Boolean", "time > 0.5", lambda c: f"not {c}"),
    "doubled constants": values("constant Real", "1", lambda c: f"{c} + {c}"),
    "sizes": lambda n: model(
        chain(lambda i: f"Real x{i}[size(x{i - 1}, 1)] = x0;\n", n)
        + "Real x0[2] = {1, 2};"),
    "sizes by values": lambda n: model(
        chain(lambda i: f"parameter Real x{i}[:] = x{i - 1};\n", n)
        + "parameter Real x0[:] = {1, 2};"),
    "conditions": lambda n: model(
        chain(lambda i: f"parameter Boolean b{i} = b{i - 1};\n"
                        f"Real y{i} = time if b{i};\n", n)
        + "parameter Boolean b0 = true;"),
    "functions": functions(lambda f: f"y := {f}(x) + 1;"),
    "functions with loops": functions(
        lambda f: f"y := x; for i in 1:2 loop y := {f}(y); end for;"),
    "types": classes("type T0 = Real;\n", lambda i: f"type T{i} = T{i - 1};\n",
                     lambda n: f"T{n} y = time;"),
    "types with maxima": classes(
        "type T0 = Real;\n", lambda i: f"type T{i} = T{i - 1}(max = {i});\n",
        lambda n: f"T{n} y = time;"),
    "types of arrays": classes(
        "type T0 = Real;\n", lambda i: f"type T{i} = T{i - 1}[1];\n",
        lambda n: f"T{n} y;"),
    "extends": classes(
        "model T0 Real q = time; end T0;\n",
        lambda i: f"model T{i} extends T{i - 1}; end T{i};\n",
        lambda n: f"extends T{n};"),
    "doubled extends": classes(
        "model T0 Real q = time; end T0;\n",
        lambda i: f"model T{i} extends T{i - 1}; extends T{i - 1}; "
                  f"end T{i};\n",
        lambda n: f"extends T{n};"),
    "components": classes(
        "model T0 Real q = time; end T0;\n",
        lambda i: f"model T{i} T{i - 1} a; end T{i};\n",
        lambda n: f"T{n} a;"),
    "records": classes(
        "record T0 Real q = 1; end T0;\n",
        lambda i: f"record T{i} T{i - 1} r; end T{i};\n",
        lambda n: f"T{n} r;"),
    "imports": classes(
        "package T0 constant Real c = 1; end T0;\n",
        lambda i: f"package T{i} import P.T{i - 1}; constant Real c = "
                  f"T{i - 1}.c; end T{i};\n",
        lambda n: f"Real y = T{n}.c;"),
    "redeclarations": classes(
        "model T0 replaceable model A = P.T; A a; end T0;\n"
        "model T Real q = time; end T;\n",
        lambda i: f"model T{i} extends T{i - 1}(redeclare replaceable model A "
                  f"= P.T); end T{i};\n",
        lambda n: f"extends T{n};"),
    "modifiers": lambda n: model(
        f"M m({'m(' * n}k = 1{')' * n});",
        around="model M parameter Real k; end M;\n"),
    "when-clauses": lambda n: model(
        chain(lambda i: f"discrete Real x{i}(start = 0, fixed = true);\n", n)
        + "discrete Real x0(start = 0, fixed = true);",
        "when time > 0.5 then x0 = 1; end when;\n"
        + chain(lambda i: f"when x{i - 1} > 0.5 then x{i} = 1; end when;\n",
                n)),
    "when-statements": lambda n: model(
        "discrete Real x(start = 0, fixed = true);",
        "algorithm\n" + chain(
            lambda i: f"when z > {i} then x := x + 1; end when;\n", n)),
    "separate when-statements": lambda n: model(
        chain(lambda i: f"discrete Real x{i}(start = 0, fixed = true);\n", n),
        "algorithm\n" + chain(
            lambda i: f"when z > {i} then x{i} := 1; end when;\n", n)),
    "elements in when-statements": lambda n: model(
        f"discrete Real x[{n}](each start = 0, each fixed = true);",
        f"algorithm\nfor i in 1:{n} loop\nwhen z > i/{n} then\n"
        "x[i] := pre(x[i]) + 1;\nend when;\nend for;\n"),
    "connections": circuit(
        lambda n: f"connect(s.p, r{n}.p);\nconnect(r1.n, g.p);\n"),
    "wrong connections": circuit(
        lambda n: f"r1.n.v = 1; r{n}.p.v = 0; s.p.i = 0; g.p.i = 0;\n"),
    "states": lambda n: model(
        chain(lambda i: f"Real x{i}(start = 0, fixed = true);\n", n)
        + "Real x0 = time;",
        chain(lambda i: f"der(x{i}) = x{i - 1} - x{i};\n", n)),
    "a loop": lambda n: model(
        chain(lambda i: f"Real x{i} = 0.1*sin(x{i - 1}) + 1;\n", n)
        + f"Real x0 = 0.1*sin(x{n}) + time;"),
    "a sum": lambda n: model("Real y = " + " + ".join(["time"] * n) + ";"),
    "ors": lambda n: model("Boolean y = "
                           + " or ".join(f"time > {i}" for i in range(n))
                           + ";"),
    "elseif": lambda n: model(
        "Real y = if time > 1 then 1"
        + "".join(f" elseif time > {i} then {i}" for i in range(n))
        + " else 2;"),
    "statements": lambda n: model(
        "Real y = f(time);",
        around="function f input Real x; output Real y; algorithm y := x;\n"
               + "y := y*1.1 + x;\n" * n + "end f;\n"),
    "unknown variables": lambda n: model(
        chain(lambda i: f"Real x{i} = y{i};\n", n)),
    "unknown functions": lambda n: model(
        chain(lambda i: f"Real x{i} = f{i}(time);\n", n)),
    "unknown classes": lambda n: model(chain(lambda i: f"T{i} x{i};\n", n)),
    "unknown elements": lambda n: model(
        chain(lambda i: f"Real x{i} = P.d{i};\n", n),
        around="package P\n"
               + chain(lambda i: f"constant Real c{i} = {i};\n", n)
               + "end P;\n"),
    "signals of a bus": lambda n: ("package P\n" + model(
        "Bus bus;\n" + chain(lambda i: f"Out x{i} = time;\n", n),
        chain(lambda i: f"connect(x{i}, bus.x{i});\n", n),
        around="connector Out = output Real;\n"
               "expandable connector Bus end Bus;\n") + "end P;\n"),
    "streams": lambda n: ("package P\n" + model(
        "Source s;\n" + chain(lambda i: f"Drain d{i};\n", n),
        chain(lambda i: f"connect(s.port, d{i}.port);\n", n),
        around="connector Port Real p; flow Real m; stream Real h; end Port;\n"
               "model Drain Port port; equation port.m = 1; port.h = 1; end "
               "Drain;\nmodel Source Port port; equation port.p = 1; port.h "
               "= 2; end Source;\n") + "end P;\n"),
    "parentheses": nested("(", "time", ")"),
    "ifs": nested("if time > 1 then 1 else ", "2"),
    "calls": nested("sin(", "time", ")"),
    "braces": nested("{", "time", "}"),
    "brackets": nested("[", "time", "]"),
    "signs": nested("-(", "time", ")"),
    "comments": lambda n: "/*" * n + "*/" + model(""),
    "packages": lambda n: ("".join(f"package P{i}\n" for i in range(n))
                           + "".join(f"end P{i};\n" for i in range(n)[::-1])),
}


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES + STACK, BYTES + STACK))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def check(orrery, path):
    """The faults of a check, and what it cost."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([orrery, "check", str(path)], stdout=output,
                                   stderr=output, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        output.seek(0)
        text = output.read().decode(errors="replace")
    seconds = used.ru_utime + used.ru_stime
    cost = f"{seconds:.1f} s, {used.ru_maxrss // 1000} MB"
    if os.WIFSIGNALED(status):
        return f"ends by {signal.Signals(os.WTERMSIG(status)).name}", cost
    if os.WEXITSTATUS(status) not in (0, 1):
        return f"ends by exit {os.WEXITSTATUS(status)}", cost
    for words in ("internal error", "not enough memory"):
        if words in text:
            return f"says '{words}'", cost
    return "", cost


def main(orrery, count, names):
    num_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "chain.mo"
        for name in names or KINDS:
            path.write_text(KINDS[name](count))
            fault, cost = check(orrery, path)
            num_faults += bool(fault)
            print(f"{name}: {fault or 'fine'} ({cost})", flush=True)
    return 1 if num_faults else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
