"""Loads the extension, and refuses one that does not suit this package."""
import pathlib
import re
import sys
from typing import Optional

from orrery._version import __version__ as __version__

_BUILD = ("build it again with this interpreter: cmake --build build/release "
          "--target _orrery, with Python3_EXECUTABLE=" + sys.executable)


def other_interpreter(folder: pathlib.Path) -> Optional[str]:
    """What is wrong if `folder` has extensions of other interpreters only."""
    found = sorted(path.name for path in folder.glob("_orrery*.so"))
    if not found:
        return f"orrery: its extension is not built in {folder}; {_BUILD}"
    return (f"orrery: its extension {', '.join(found)} is of another "
            f"interpreter than this one, {sys.implementation.cache_tag}; "
            f"{_BUILD}")


def other_version(package: str, headers: str, library: str) -> Optional[str]:
    """What is wrong if the three versions differ."""
    if package == headers == library:
        return None
    return (f"orrery: the package is of version {package}, its extension was "
            f"built for {headers}, and the library is {library}; {_BUILD}")


def missing_library(text: str) -> Optional[str]:
    """What is wrong if the loader's `text` names a library that is not there.

    A wheel knows the Debian packages that it needs; pip cannot install them.
    """
    found = re.match(r"(\S+): cannot open shared object file", text)
    if not found:
        return None
    from importlib import metadata
    try:
        needs = metadata.metadata("orrery").get_all("Requires-External")
    except metadata.PackageNotFoundError:
        needs = None
    return (f"orrery: the library {found[1]} is not installed; " + (
        "apt-get install " + " ".join(needs) if needs
        else "install Orrery as a whole again"))


try:
    from orrery import _orrery as _orrery
except ModuleNotFoundError as error:
    if error.name != "orrery._orrery":
        raise
    raise ImportError(other_interpreter(
        pathlib.Path(__file__).parent)) from None
except ImportError as error:
    if "_orrery" in str(error) and "cannot import name" in str(error):
        raise ImportError(other_interpreter(
            pathlib.Path(__file__).parent)) from None
    if _missing := missing_library(str(error)):
        raise ImportError(_missing) from error
    raise ImportError(f"orrery: its extension cannot be loaded: {error}; "
                      f"{_BUILD}") from error

_wrong = other_version(__version__, _orrery.header_version,
                       _orrery.library_version)
if _wrong:
    raise ImportError(_wrong)
