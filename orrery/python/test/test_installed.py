"""The package as pip and CMake install it, away from the build tree."""
import base64
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import pytest

from orrery import _extension

SOURCES = pathlib.Path(__file__).resolve().parents[3]
BUILD = os.environ.get("ORRERY_BUILD")
pytest.importorskip("pip")
pytestmark = pytest.mark.skipif(not BUILD, reason="needs a build tree")

# The Python of the system, and nothing that the test was started with.
BARE = {"PATH": "/usr/bin:/bin", "ORRERY_BUILD": str(BUILD)}

# Each needs another library of ours: for runs, for fits (Ceres), for native
# code (LLVM). x(1) = 1/e; x = e^-kt through (1, 1/4) has k = ln 4.
USES = {
    "run": ("model.run(stop=1, tolerance=1e-9).final['x']",
            0.36787944117144233),
    "fit": ("model.calibrate({'time': [1, 2], 'x': [0.25, 0.0625]}, "
            "vary={'k': (1, 0, 10)}).values['k']", 1.3862943611198906),
    "native code": ("model.run(stop=1, tolerance=1e-9, code='native')"
                    ".final['x']", 0.36787944117144233)}
SCRIPT = """
import orrery
model = orrery.modelica('''
    model Decay
      parameter Real k = 1;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -k*x;
    end Decay;''')
print(orrery.__file__)
print({use})
"""


def call(*command, **environment):
    """What a command prints; a test fails with its errors."""
    done = subprocess.run(list(map(str, command)), capture_output=True,
                          text=True, env={**BARE, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(use, folder, *command, **environment):
    """Uses the package, which must be that of `folder`."""
    formula, expected = USES[use]
    place, value = call(*command, "-c", SCRIPT.format(use=formula),
                        **environment).splitlines()
    assert pathlib.Path(place).is_relative_to(folder)
    assert float(value) == pytest.approx(expected, rel=1e-7)


def runpaths(folder):
    """The folders in which the libraries below `folder` look for others."""
    found = []
    for library in folder.rglob("*.so*"):
        told = call("readelf", "-d", library)
        found += re.findall(r"\((?:RUN|R)PATH\).*\[(.*)\]", told)
    return [folder for entry in found for folder in entry.split(":")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    call(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps",
         "--quiet", "--wheel-dir", folder, SOURCES)
    [found] = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A virtual environment that has the wheel, and numpy of the system."""
    folder = tmp_path_factory.mktemp("environment")
    call(sys.executable, "-m", "venv", "--system-site-packages",
         "--without-pip", folder)
    call(folder / "bin/python", "-m", "pip", "install", "--no-index",
         "--quiet", wheel)
    return folder


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Where CMake has installed all, moved from there to another place."""
    there = tmp_path_factory.mktemp("installed") / "first"
    call("cmake", "--install", BUILD, "--prefix", there)
    return there.rename(there.parent / "moved")


@pytest.mark.parametrize("use", USES)
def test_a_wheel_works_in_a_fresh_environment(environment, use):
    check(use, environment, environment / "bin/python")


@pytest.mark.parametrize("use", USES)
def test_a_wheel_works_where_its_files_are_moved(wheel, tmp_path, use):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "first")
    (tmp_path / "first").rename(tmp_path / "moved")
    check(use, tmp_path / "moved", sys.executable,
          PYTHONPATH=tmp_path / "moved")


def test_a_wheel_names_its_interpreter_and_platform(wheel):
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = re.sub("[-.]", "_", sysconfig.get_platform())
    assert wheel.name == (f"orrery-{_extension.__version__}-{version}-"
                          f"{version}-{platform}.whl")


def test_a_wheel_records_the_sum_and_the_size_of_each_file(wheel):
    with zipfile.ZipFile(wheel) as archive:
        [record] = [name for name in archive.namelist()
                    if name.endswith("/RECORD")]
        rows = list(csv.reader(archive.read(record).decode().splitlines()))
        assert sorted(row[0] for row in rows) == sorted(archive.namelist())
        for name, digest, size in rows:
            if name != record:
                content = archive.read(name)
                found = base64.urlsafe_b64encode(
                    hashlib.sha256(content).digest()).decode().rstrip("=")
                assert (digest, int(size)) == (f"sha256={found}",
                                               len(content))


def test_a_wheel_has_the_stubs_for_editors(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert {"orrery/py.typed", "orrery/_orrery.pyi"} <= set(
            archive.namelist())


def test_a_wheel_names_the_packages_of_debian_that_it_needs(wheel):
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(next(
            name for name in archive.namelist()
            if name.endswith("/METADATA"))).decode()
    needs = set(re.findall("^Requires-External: (.*)$", metadata, re.M))
    assert {"libnlopt0", "libsqlite3-0", "libllvm19"} <= needs
    assert "Requires-Dist: numpy>=1.24\n" in metadata


def test_a_wheel_is_removed_without_a_rest(environment):
    copy = environment.with_name("copy")
    shutil.copytree(environment, copy, symlinks=True)
    call(copy / "bin/python", "-m", "pip", "uninstall", "--yes", "orrery")
    assert not list(copy.rglob("*orrery*"))
    shutil.rmtree(copy)


def test_a_library_that_is_missing_is_named_with_the_packages(environment,
                                                              tmp_path):
    """The extension asks for a library by a name that nobody has."""
    copy = tmp_path / "copy"
    shutil.copytree(environment, copy, symlinks=True)
    [library] = copy.rglob("liborrery.so.*")
    library.write_bytes(library.read_bytes().replace(
        b"libnlopt.so.0\0", b"libnlopt.so.9\0"))
    done = subprocess.run(
        [copy / "bin/python", "-c", "import orrery"], env=BARE,
        capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: orrery: the library libnlopt.so.9 is "
                           "not installed; apt-get install ")
    assert " libnlopt0" in last


def test_the_archive_of_the_sources_can_be_built_again(tmp_path):
    if not (SOURCES / ".git").exists():
        pytest.skip("is not a checkout of git")
    name = call(sys.executable, "-c", "import sys, orrery_wheel; "
                "print(orrery_wheel.build_sdist(sys.argv[1]))", tmp_path,
                PYTHONPATH=SOURCES / "packaging",
                PYTHONDONTWRITEBYTECODE="1").strip()
    with tarfile.open(tmp_path / name) as archive:
        names = archive.getnames()
    top = name.removesuffix(".tar.gz")
    assert {f"{top}/PKG-INFO", f"{top}/pyproject.toml", f"{top}/layers.txt",
            f"{top}/packaging/orrery_wheel.py"} <= set(names)
    assert not [its for its in names if its.startswith(f"{top}/build/")]


@pytest.mark.parametrize("use", USES)
def test_an_installed_prefix_works_after_a_move(prefix, use):
    packages = prefix / "lib/python3/dist-packages"
    check(use, prefix, sys.executable, PYTHONPATH=packages)


def test_the_command_of_an_installed_prefix_works_after_a_move(prefix):
    told = call(prefix / "bin/orrery", "run", "--no-save",
                prefix / "share/orrery/examples/pendulum/pendulum.mo")
    assert "angle" in told


def test_an_installed_package_is_compiled_already(prefix):
    compiled = prefix / "lib/python3/dist-packages/orrery/__pycache__"
    assert list(compiled.glob("results.*.pyc"))


def test_no_installed_library_looks_at_the_place_where_it_was_built(
        prefix, environment):
    for folder in [prefix, environment]:
        found = runpaths(folder)
        assert found
        assert all(path.startswith("$ORIGIN") for path in found), found
