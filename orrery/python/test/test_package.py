"""The package as a whole: its version, its import, its exceptions."""
import os
import pathlib
import pickle
import re
import resource
import shutil
import subprocess
import sys

import pytest

import orrery
from orrery import _extension


def test_the_version_is_that_of_the_library():
    assert orrery.__version__ == _extension._orrery.library_version


def test_import_loads_no_package_but_numpy():
    script = ("import sys, orrery; print([m for m in ('pandas', 'xarray', "
              "'matplotlib', 'tqdm', 'scipy') if m in sys.modules])")
    told = subprocess.run([sys.executable, "-c", script], check=True,
                          capture_output=True, text=True)
    assert told.stdout == "[]\n"


def test_an_extension_of_another_version_is_named_with_all_versions():
    told = _extension.other_version("0.4.0", "0.3.0", "0.2.0")
    assert "0.4.0" in told and "0.3.0" in told and "0.2.0" in told
    assert "cmake --build" in told


def test_an_extension_of_another_interpreter_is_named(tmp_path):
    (tmp_path / "_orrery.cpython-39-x86_64-linux-gnu.so").touch()
    told = _extension.other_interpreter(tmp_path)
    assert "cpython-39" in told and sys.implementation.cache_tag in told


def test_a_missing_extension_is_named_with_its_folder(tmp_path):
    assert str(tmp_path) in _extension.other_interpreter(tmp_path)


@pytest.mark.parametrize("library", [
    "libnlopt.so.0", "liborrery.so.0.3", "libsundials_cvode.so.6"])
def test_a_library_that_is_missing_is_named(library):
    told = _extension.missing_library(
        f"{library}: cannot open shared object file: No such file")
    assert told.startswith(f"orrery: the library {library} is not installed; ")


def test_other_errors_of_the_loader_are_left_as_they_are():
    assert _extension.missing_library("undefined symbol: f") is None


def test_the_package_in_another_interpreter_says_how_to_build(tmp_path):
    package = tmp_path / "orrery"
    package.mkdir()
    for source in pathlib.Path(orrery.__file__).parent.glob("*.py"):
        (package / source.name).write_text(source.read_text())
    told = subprocess.run([sys.executable, "-c", "import orrery"],
                          env={"PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True)
    assert told.returncode == 1
    assert "ImportError: orrery: its extension is not built" in told.stderr
    assert "cmake --build" in told.stderr


def imported_after(change, tmp_path):
    """What `import orrery` of a changed copy of the package tells."""
    package = tmp_path / "orrery"
    shutil.copytree(pathlib.Path(orrery.__file__).parent, package)
    change(package)
    maps = pathlib.Path("/proc/self/maps").read_text()
    library = re.search(r"(/\S*)/liborrery\.so", maps)[1]
    told = subprocess.run(
        [sys.executable, "-c", "import orrery"], capture_output=True,
        text=True, env={"PYTHONPATH": str(tmp_path),
                        "LD_LIBRARY_PATH": library})
    assert told.returncode == 1
    return told.stderr.strip().splitlines()[-1]


def test_a_package_of_another_version_names_both(tmp_path):
    def change(package):
        file = package / "_version.py"
        file.write_text(file.read_text().replace(orrery.__version__, "0.0.7"))

    told = imported_after(change, tmp_path)
    assert told.startswith(
        "ImportError: orrery: the package is of version 0.0.7, its extension "
        f"was built for {orrery.__version__}, and the library is "
        f"{orrery.__version__}; build it again with this interpreter: cmake "
        "--build")


def test_an_extension_of_another_interpreter_is_not_loaded(tmp_path):
    def change(package):
        for file in package.glob("_orrery*.so"):
            file.rename(package / "_orrery.cpython-39-x86_64-linux-gnu.so")

    told = imported_after(change, tmp_path)
    assert ("extension _orrery.cpython-39-x86_64-linux-gnu.so is of another "
            f"interpreter than this one, {sys.implementation.cache_tag}; "
            "build it again") in told


def test_an_extension_that_cannot_be_loaded_says_how_to_build(tmp_path):
    def change(package):
        for file in package.glob("_orrery*.so"):
            file.unlink()
            file.write_text("no library")

    told = imported_after(change, tmp_path)
    assert "ImportError: orrery: its extension cannot be loaded: " in told
    assert "file too short; build it again with this interpreter" in told


@pytest.mark.parametrize("library", [
    "libhdf5", "libcairo", "libLLVM", "libceres", "libnats", "libcurl"])
def test_import_opens_no_library_that_few_need(library):
    told = subprocess.run(
        [sys.executable, "-c", "import orrery; "
         "print(open('/proc/self/maps').read())"],
        check=True, capture_output=True, text=True).stdout
    assert "liborrery" in told
    assert library not in told


@pytest.mark.parametrize("kind, base", [
    (orrery.ArgumentError, ValueError),
    (orrery.FileError, OSError),
    (orrery.UnsupportedError, NotImplementedError),
    (orrery.UnknownNameError, KeyError),
    (orrery.Interrupted, KeyboardInterrupt)])
def test_exceptions_are_those_of_python_too(kind, base):
    assert issubclass(kind, base)


@pytest.mark.parametrize("kind", [
    orrery.ModelError, orrery.ArgumentError, orrery.FileError,
    orrery.RunError, orrery.UnknownNameError])
def test_exceptions_go_through_pickle(kind):
    finding = orrery.Diagnostic("error", "no variable 'y'", line=3)
    back = pickle.loads(pickle.dumps(kind("cannot run", [finding])))
    assert type(back) is kind
    assert back.message == "cannot run"
    assert back.diagnostics == [finding]


def processor_seconds(code, compiled):
    """What a program takes of the processor once its modules are compiled."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(compiled)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime
            - before.ru_stime)


def test_import_takes_at_most_60_ms_beyond_that_of_numpy(tmp_path):
    with_orrery, numpy_alone = (
        min(processor_seconds(f"import {module}", tmp_path)
            for _ in range(7)) for module in ("orrery", "numpy"))
    assert with_orrery - numpy_alone < 0.06
