"""Models of equations, discrete events and tasks on one time.

>>> import orrery
>>> orrery.__version__.count(".")
2
"""
from orrery._extension import __version__
from orrery.analyses import FrequencyResponse, LinearSystem, SteadyPoint
from orrery.class_model import ClassModel
from orrery.errors import (
    ArgumentError, Diagnostic, Error, FileError, InternalError, Interrupted,
    ModelError, RunError, UnknownNameError, UnsupportedError)
from orrery.model import Equations, Model, load, modelica
from orrery.quantities import Quantities, Quantity
from orrery.results import Event, Events, Result, Summary, read
from orrery.searches import Fit, Front, Optimum
from orrery.stepping import SteppedRun
from orrery.store import Saved, Store
from orrery.sweeps import RunTable, Sweep

__all__ = [
    "ArgumentError", "ClassModel", "Diagnostic", "Equations", "Error",
    "Event", "Events", "FileError", "Fit", "FrequencyResponse", "Front",
    "InternalError", "Interrupted", "LinearSystem", "Model", "ModelError",
    "Optimum", "Quantities", "Quantity", "Result", "RunError", "RunTable",
    "Saved", "SteadyPoint", "SteppedRun", "Store", "Summary", "Sweep",
    "UnknownNameError", "UnsupportedError", "__version__", "load",
    "modelica", "read",
]
