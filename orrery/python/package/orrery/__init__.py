"""Models of equations, discrete events and tasks on one time.

>>> import orrery
>>> orrery.__version__.count(".")
2
"""
import importlib
from typing import Any

from orrery._extension import __version__
from orrery.analyses import FrequencyResponse, LinearSystem, SteadyPoint
from orrery.block import Block, Diagram
from orrery.class_model import ClassModel
from orrery.declarations import (
    Clock, Discrete, Event, Input, Output, Parameter, State, Variable)
from orrery.errors import (
    ArgumentError, Cancelled, Diagnostic, Error, FileError, InternalError,
    Interrupt, Interrupted, ModelError, Preempted, RunError, UnknownNameError,
    UnknownPortError, UnsupportedError)
from orrery.formulas import (
    acos, and_, arccos, arcsin, arctan, arctan2, asin, atan, atan2, ceil,
    change, cos, cosh, delayed, der, exp, floor, initial, log, log10,
    maximum, minimum, mod, no_event, not_, or_, pre, rem, sample, sign, sin,
    sinh, sqrt, tan, tanh, terminal, where)
from orrery.ivp import OdeResult, OdeSolution, OpaqueWarning, solve_ivp
from orrery.loading import load, modelica
from orrery.model import Equations, Model
from orrery.opaque_function import opaque
from orrery.quantities import Quantities, Quantity
from orrery.results import Events, Result, Summary, read
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
from orrery.tracing import assert_, terminate, when

__all__ = [
    "ArgumentError", "Block", "Cancelled", "Cell", "ClassModel", "Clock",
    "Condition", "Container", "Counter", "Diagnostic", "Diagram", "Discrete",
    "Equations", "Error", "Event", "Events", "FileError", "FilterStore", "Fit",
    "FrequencyResponse", "Front", "Gauge", "Handle", "Input", "InternalError",
    "Interrupt", "Interrupted", "ItemStore", "Level", "LinearSystem", "Model",
    "ModelError", "Monitor", "OdeResult", "OdeSolution", "OpaqueWarning",
    "Optimum", "Output", "Parameter", "Preempted", "PriorityStore",
    "Quantities", "Quantity", "Random", "Resource", "Result", "RunError",
    "RunTable", "Saved", "Signal", "Simulation", "State", "SteadyPoint",
    "SteppedRun", "Store", "Summary", "Sweep", "Tasks", "Topic",
    "UnknownNameError", "UnknownPortError", "UnsupportedError", "Variable",
    "__version__", "acos", "activity", "all_of", "and_", "any_of", "arccos",
    "arcsin", "arctan", "arctan2", "asin", "assert_", "atan", "atan2", "ceil",
    "change", "cos", "cosh", "delay", "delayed", "der", "devs", "exp", "floor",
    "initial", "load", "log", "log10", "maximum", "minimum", "mod", "modelica",
    "no_event", "not_", "opaque", "or_", "pre", "read", "rem", "sample",
    "sign", "sin", "sinh", "solve_ivp", "sqrt", "tan", "tanh", "terminal",
    "terminate", "until", "when", "where"]


def __getattr__(name: str) -> Any:
    if name == "blocks":  # Reading the library takes a moment.
        return importlib.import_module("orrery.blocks")
    raise AttributeError(f"module 'orrery' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "blocks"]
