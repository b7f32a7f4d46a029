"""Models of equations, discrete events and tasks on one time.

>>> import orrery
>>> orrery.__version__.count(".")
2
"""
from orrery._extension import __version__
from orrery.analyses import FrequencyResponse, LinearSystem, SteadyPoint
from orrery.class_model import ClassModel
from orrery.errors import (
    ArgumentError, Cancelled, Diagnostic, Error, FileError, InternalError,
    Interrupt, Interrupted, ModelError, Preempted, RunError, UnknownNameError,
    UnsupportedError)
from orrery.model import Equations, Model, load, modelica
from orrery.quantities import Quantities, Quantity
from orrery.results import Event, Events, Result, Summary, read
from orrery.searches import Fit, Front, Optimum
from orrery.stepping import SteppedRun
from orrery.store import Saved, Store
from orrery.sweeps import RunTable, Sweep
from orrery.tasks import (
    Cell, Condition, Container, Counter, FilterStore, Gauge, Handle,
    ItemStore, Level, Monitor, PriorityStore, Random, Resource, Signal, Tasks,
    Topic, activity, all_of, any_of, delay, until)
from orrery.simulation import Simulation
from orrery import devs

__all__ = [
    "ArgumentError", "Cancelled", "Cell", "ClassModel", "Condition",
    "Container", "Counter", "Diagnostic", "Equations", "Error", "Event",
    "Events", "FileError", "FilterStore", "Fit", "FrequencyResponse", "Front",
    "Gauge", "Handle", "InternalError", "Interrupt", "Interrupted",
    "ItemStore", "Level", "LinearSystem", "Model", "ModelError", "Monitor",
    "Optimum", "Preempted", "PriorityStore", "Quantities", "Quantity",
    "Random", "Resource", "Result", "RunError", "RunTable", "Saved", "Signal",
    "Simulation", "SteadyPoint", "SteppedRun", "Store", "Summary", "Sweep",
    "Tasks", "Topic", "UnknownNameError", "UnsupportedError", "__version__",
    "activity", "all_of", "any_of", "delay", "devs", "load", "modelica",
    "read", "until",
]
