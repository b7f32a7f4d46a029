"""The types of the package, as checkers and editors see them."""
import os
import pathlib
import subprocess
import sys

import pytest

import orrery

PACKAGE = pathlib.Path(orrery.__file__).parent

pytest.importorskip("mypy")


def mypy(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports",
         "--cache-dir", os.devnull, *words], cwd=cwd, text=True,
        capture_output=True)


def test_the_package_is_typed_strictly():
    told = mypy("--strict", "-p", "orrery", cwd=PACKAGE.parent)
    assert told.returncode == 0, told.stdout


def test_a_program_of_a_user_is_typed_strictly(tmp_path):
    (tmp_path / "program.py").write_text("""
import orrery
model = orrery.modelica("model M Real x = time; end M;")
result: orrery.Result = model.run({"x": "3 m"}, stop="1 min", check=False)
last: float = result.final["x"]
sweep = model.sweep({"k": [1, 2]}, keep=["x"])
total: float = sweep["x"].sum()
point = model.steady({"h": 5}, bounds={"v": (0, None)})
a, b, c, d = point.linearize()
with model.start(stop=60) as run:
    run["u"] = run["x"]
    run.step(0.1)
""")
    told = mypy("--strict", "program.py", cwd=tmp_path)
    assert told.returncode == 0, told.stdout


def test_a_wrong_option_is_found(tmp_path):
    (tmp_path / "program.py").write_text("""
import orrery
model = orrery.Model(None)
model.run(stop=[1])
""")
    told = mypy("program.py", cwd=tmp_path)
    assert 'Argument "stop"' in told.stdout


def test_stubs_name_what_the_extension_has():
    told = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--ignore-missing-stub",
         "orrery._orrery"], cwd=PACKAGE.parent, text=True,
        capture_output=True)
    missing = [line for line in told.stdout.splitlines()
               if "is not present at runtime" in line]
    assert missing == []


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_orrery.pyi").exists()
