"""Builds the wheel of Orrery, and the archive of its sources, for pip.

`pip install .` and `python3 -m build` call the two functions of PEP 517 here.
CMake does the work. A folder that is built already saves many minutes: that of
the environment variable ORRERY_BUILD is packed as it is; else build/release is
brought up to date if it has the Python package, else build/wheel is made.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

_ROOT = pathlib.Path(__file__).resolve().parents[1]
_EXTENSION = "_orrery" + sysconfig.get_config_var("EXT_SUFFIX")
_VERSION = re.search(r"project\(orrery VERSION ([\d.]+)",
                     (_ROOT / "CMakeLists.txt").read_text())[1]
_INFO = f"orrery-{_VERSION}.dist-info"


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    """Packs the package with the libraries of ours; gives the file's name."""
    folder = _built_folder()
    with tempfile.TemporaryDirectory() as staging:
        _run("cmake", "--install", folder, "--component", "wheel",
             "--prefix", staging, "--strip", stdout=subprocess.DEVNULL)
        files = _files(pathlib.Path(staging))
    if f"orrery/{_EXTENSION}" not in files:
        raise SystemExit(
            f"cannot pack Orrery for {sys.executable}: {folder} has no "
            f"{_EXTENSION}; name another folder by ORRERY_BUILD, or configure "
            f"it with Python3_EXECUTABLE={_interpreter()}")
    for name, content in _information(folder).items():
        files[f"{_INFO}/{name}"] = content
    files[f"{_INFO}/RECORD"] = _record(files, f"{_INFO}/RECORD")
    name = f"orrery-{_VERSION}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w",
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # Dated 1980: the same each time.
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def prepare_metadata_for_build_wheel(metadata_directory,
                                     config_settings=None):
    """Writes what the wheel says of itself; gives the folder's name."""
    info = pathlib.Path(metadata_directory) / _INFO
    info.mkdir()
    for name, content in _information(_built_folder()).items():
        (info / name).write_bytes(content)
    return _INFO


def build_sdist(sdist_directory, config_settings=None):
    """Packs the files that git knows; gives the file's name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=_ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    folder = f"orrery-{_VERSION}"
    name = f"{folder}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as sdist:
        for path in listed.split("\0")[:-1]:
            if (_ROOT / path).exists():
                sdist.add(_ROOT / path, f"{folder}/{path}")
        content = _metadata()
        entry = tarfile.TarInfo(f"{folder}/PKG-INFO")
        entry.size = len(content)
        sdist.addfile(entry, io.BytesIO(content))
    return name


def _built_folder():
    if named := os.environ.get("ORRERY_BUILD"):
        return named
    folder = _ROOT / "build/release"
    if not (folder / "python/orrery" / _EXTENSION).exists():
        folder = _ROOT / "build/wheel"
        _run("cmake", "-S", _ROOT, "-B", folder, "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", "-DORRERY_DEVELOPER=OFF",
             "-DORRERY_PYTHON=ON", "-DORRERY_UNITY=ON",
             f"-DPython3_EXECUTABLE={_interpreter()}")
    _run("cmake", "--build", folder, "--target", "_orrery")
    return folder


def _interpreter():
    """The interpreter below a virtual environment: it has numpy's headers."""
    return getattr(sys, "_base_executable", sys.executable)


def _run(*command, **options):
    # pip hides the packages of the system from all Python that it starts.
    environment = {name: value for name, value in os.environ.items()
                   if name != "PYTHONPATH"}
    subprocess.run(list(map(str, command)), check=True, env=environment,
                   **options)


def _files(folder):
    """The content of each file by its path below `folder`.

    Wheels have no links: a library has the name by which the loader asks.
    """
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    linked = {path.resolve() for path in paths if path.is_symlink()}
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in paths
            if path.is_symlink() or path.resolve() not in linked}


def _tag():
    major, minor = sys.version_info[:2]
    platform = re.sub("[-.]", "_", sysconfig.get_platform())
    return f"cp{major}{minor}-cp{major}{minor}-{platform}"


def _information(folder):
    """The files that tell pip about a wheel, but for its RECORD."""
    return {
        "METADATA": _metadata(_outer_libraries(folder)),
        "LICENSE": (_ROOT / "LICENSE").read_bytes(),
        "WHEEL": ("Wheel-Version: 1.0\nGenerator: orrery\n"
                  f"Root-Is-Purelib: false\nTag: {_tag()}\n").encode()}


def _metadata(libraries=()):
    with open(_ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}",
             f"Version: {_VERSION}", f"Summary: {project['description']}",
             f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {need}; extra == '{extra}'"
                  for need in needs]
    lines += [f"Requires-External: {library}" for library in libraries]
    lines += ["Description-Content-Type: text/markdown", "",
              (_ROOT / project["readme"]).read_text()]
    return "\n".join(lines).encode()


def _record(files, name):
    def line(path, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
        return f"{path},sha256={digest.decode().rstrip('=')},{len(content)}\n"
    return ("".join(line(*its) for its in files.items())
            + f"{name},,\n").encode()


def _outer_libraries(folder):
    """The Debian packages of the libraries that ours need, else their names.

    pip cannot install them; `import orrery` names them where one is missing.
    """
    folder = pathlib.Path(folder)
    ours = [*folder.glob("lib/liborrery*.so"),
            folder / "python/orrery" / _EXTENSION]
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", _told("readelf", "-d",
                                                           *ours)))
    # Files by those names; what /usr/lib has may be listed as that of /lib.
    files = {name: os.path.realpath(path) for name, path in re.findall(
        r"(\S+) => (/\S+)", _told("ldd", *ours)) if name in needed
        and not name.startswith("liborrery")}
    owners = dict(reversed(line.split(": ", 1)) for line in _told(
        "dpkg-query", "-S", *files.values(),
        *(path.removeprefix("/usr") for path in files.values())).splitlines())
    found = set()
    for name, path in files.items():
        owner = owners.get(path) or owners.get(path.removeprefix("/usr"))
        found.add(owner.split(":")[0] if owner else name)
    return sorted(found)


def _told(*command):
    """What a command prints, as far as it can."""
    try:
        return subprocess.run(
            list(map(str, command)), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True).stdout
    except FileNotFoundError:
        return ""
