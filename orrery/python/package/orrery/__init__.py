"""Models of equations, discrete events and tasks on one time.

>>> import orrery
>>> orrery.__version__.count(".")
2
"""
from orrery._extension import __version__
from orrery.class_model import ClassModel
from orrery.errors import (
    ArgumentError, Diagnostic, Error, FileError, InternalError, Interrupted,
    ModelError, RunError, UnknownNameError, UnsupportedError)
from orrery.model import Equations, Model, load, modelica
from orrery.quantities import Quantities, Quantity
from orrery.results import Event, Events, Result, Summary, read
from orrery.stepping import SteppedRun

__all__ = [
    "ArgumentError", "ClassModel", "Diagnostic", "Equations", "Error", "Event",
    "Events",
    "FileError", "InternalError", "Interrupted", "Model", "ModelError",
    "Quantities", "Quantity", "Result", "RunError", "SteppedRun",
    "Summary", "UnknownNameError", "UnsupportedError", "__version__",
    "load", "modelica", "read",
]
