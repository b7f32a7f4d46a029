"""Models of equations, discrete events and tasks on one time.

>>> import orrery
>>> orrery.__version__.count(".")
2
"""
from orrery._extension import __version__
from orrery.errors import (
    ArgumentError, Diagnostic, Error, FileError, InternalError, Interrupted,
    ModelError, RunError, UnknownNameError, UnsupportedError)

__all__ = [
    "ArgumentError", "Diagnostic", "Error", "FileError", "InternalError",
    "Interrupted", "ModelError", "RunError", "UnknownNameError",
    "UnsupportedError", "__version__",
]
