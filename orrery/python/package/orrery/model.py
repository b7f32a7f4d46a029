"""Models of equations: from files and texts; their runs."""
from __future__ import annotations

import atexit
import copy
import os
import pathlib
import threading
from typing import (
    Any, Collection, Dict, List, Mapping, Optional, Sequence, Tuple, Union)

import numpy as np

from orrery import documents
from orrery import options as run_options
from orrery import progress as progress_of
from orrery import quantities, values
from orrery._extension import _orrery
from orrery.errors import ArgumentError, Diagnostic, RunError
from orrery.experiments import Experiments
from orrery.quantities import Quantities
from orrery.results import Final, Result
from orrery.runs import ended_run
from orrery.stepping import SteppedRun
from orrery.store import Origin, Save, ended

atexit.register(_orrery.end_work)


class Equations(str):
    """The sorted equations of a model as text; set as LaTeX in notebooks."""

    latex: str = ""

    def _repr_latex_(self) -> str:
        return self.latex

    def __repr__(self) -> str:
        return str(self)


class Model(Experiments):
    """A model of equations, compiled. Threads may share it.

    Made by `orrery.load`, `orrery.modelica` or from a `Block`.

    >>> import orrery
    >>> model = orrery.modelica('''
    ...     model Tank "A tank that runs dry"
    ...       parameter Real k(unit="1/s") = 0.5 "Leak";
    ...       Real h(unit="m", start=2, fixed=true);
    ...     equation
    ...       der(h) = -k*h;
    ...     end Tank;''')
    >>> model.name, model.parameters["k"].value, list(model.states)
    ('Tank', 0.5, ['h'])
    >>> round(model.run(k=1, stop=1).final["h"], 5)
    0.73576
    """

    def __init__(self, handle: Any,
                 settings: Sequence[Any] = ()) -> None:
        if not isinstance(handle, _orrery.EquationModel):
            raise TypeError(f"cannot make a Model of {handle!r}: load a file "
                            "by orrery.load(path), or a text by "
                            "orrery.modelica(text)")
        self._handle = handle
        self._settings = list(settings)  # Those it was loaded with, as texts.
        self._loaded_with: Dict[str, float] = {}  # Those that runs need.
        self._lock = threading.Lock()
        #: True if runs call functions of Python, and so take turns.
        self.calls_python = False
        self._variables: Optional[Dict[str, quantities.Quantity]] = None
        handle.compile()
        self.name: str = handle.name
        if self._settings:
            self._loaded_with = quantities.lasting(handle, self._settings)

    # Facts -----------------------------------------------------------------

    @property
    def description(self) -> str:
        """What its author says about it."""
        return str(self._handle.description())

    @property
    def variables(self) -> Quantities:
        """All quantities, in the order of declaration."""
        with self._lock:
            if self._variables is None:
                self._variables = {
                    info["name"]: quantities.quantity_of(
                        quantities.with_settings(info, self._loaded_with))
                    for info in self._handle.variables()}
        return Quantities(self._variables)

    def _of_kind(self, kind: str) -> Quantities:
        return Quantities({name: its for name, its in self.variables.items()
                           if its.kind == kind}, kind)

    @property
    def parameters(self) -> Quantities:
        """The parameters by name, with their values in a run of its own."""
        return self._of_kind("parameter")

    @property
    def states(self) -> Quantities:
        """The states by name; their values are their starts."""
        return self._of_kind("state")

    @property
    def inputs(self) -> Quantities:
        """The inputs by name."""
        return self._of_kind("input")

    @property
    def names(self) -> List[str]:
        """The signals that a run records unless told otherwise."""
        return list(self._handle.recorded_names())

    @property
    def warnings(self) -> List[Diagnostic]:
        """What is questionable about the model, but no error."""
        return list(self._handle.warnings())

    def equations(self) -> Equations:
        """The equations in the order in which they are solved.

        Algebraic loops stand in brackets with what they are solved for.
        """
        text = Equations(self._handle.equations(False))
        text.latex = self._handle.equations(True)
        return text

    # Runs -------------------------------------------------------------------

    def run(self, settings: Optional[Mapping[str, Any]] = None, /, *,
            stop: Optional[values.Time] = None,
            start: Optional[values.Time] = None,
            tolerance: Optional[float] = None,
            absolute_tolerance: Optional[float] = None,
            method: Optional[str] = None,
            step: Optional[values.Time] = None,
            interval: Optional[values.Time] = None,
            output_times: Any = None,
            step_times: Any = None,
            max_step: Optional[values.Time] = None,
            max_steps: Optional[int] = None,
            max_consecutive_events: Optional[int] = None,
            sliding: Optional[bool] = None,
            code: Optional[str] = None,
            inputs: Any = None,
            sensitivities: Any = None,
            record: Any = None,
            follow: Any = None,
            until: Optional[str] = None,
            check: bool = True,
            progress: progress_of.Progress = False,
            save: Save = False,
            **parameters: Any) -> Result:
        """Runs the model from its start to its end.

        The GIL is free meanwhile: threads may run the model at once. Ctrl-C
        ends the run.

        Args:
            settings: values of parameters, start values of states and constant
                inputs by the names of the model: a number, "5 kN" in any unit
                of its kind, True, the name of a literal, an array. `r.final`
                begins with all values that another run had at its end.
            stop: when it ends, and `start` when it begins: seconds, "2 min"
                or a timedelta. Default: what the model says, else 0 to 1 s.
            tolerance: relative one of adaptive methods, default 1e-6; and
                `absolute_tolerance` in units of nominal values, default 1e-9.
            method: "auto", "dopri5", "rodas"..., or one of a fixed `step`.
            interval: between rows; 0: a row a step. Default: 500 rows.
            output_times: of further rows; at `step_times` steps end besides.
            max_step, max_steps, max_consecutive_events: limits.
            sliding: True lets it slide along a switching surface (Filippov).
            code: "auto", "interpreted" or "native"; the bits are the same.
            inputs: over time: a CSV file, a dict of columns with "time", or a
                DataFrame.
            sensitivities: names k; each signal x gets d(x)/d(k).
            record: patterns of names, as ["x", "pump.*"]; "*": also what the
                model protects; default: all that it does not protect.
            follow: patterns of signals to which rows are added where they
                bend.
            until: a condition that ends it: "tank.level > 0.8".
            check: False returns a run that fails, instead of a RunError.
            progress: True for a bar; or a function of the time reached.
            save: True for orrery.db, a file or a `Store`.
            parameters: settings whose names are words of Python.

        Raises:
            ArgumentError: a name, a value or an option is wrong.
            RunError: it failed; `error.result` has all up to there.
            Interrupted: by Ctrl-C; has a result, too.
        """
        options = {
            "stop": stop, "start": start, "tolerance": tolerance,
            "absolute_tolerance": absolute_tolerance, "method": method,
            "step": step, "interval": interval, "output_times": output_times,
            "step_times": step_times, "max_step": max_step,
            "max_steps": max_steps,
            "max_consecutive_events": max_consecutive_events,
            "sliding": sliding, "code": code, "inputs": inputs,
            "sensitivities": sensitivities, "record": record,
            "follow": follow}
        given = self._collected(options)
        numbers = {**self._loaded_with,
                   **self._numbers(settings, parameters, "run")}
        bar = (progress_of.start(progress, *self._span(given))
               if progress else None)
        try:
            parts = _orrery.run(self._handle, numbers, given, until or "", bar)
        except ArgumentError as error:
            raise _explained(error) from None
        finally:
            if bar is not None:
                bar.close()
        before = (_orrery.warnings_before(self._handle, given)
                  if inputs is not None else ())
        options["until"] = until
        origin = self, {**values.mapping({} if settings is None else settings),
                        **parameters}, options
        return self._checked(parts, given, before, check, origin, save,
                             self._repeater(numbers, given, until or ""))

    def _repeater(self, numbers: Dict[str, float], given: Dict[str, Any],
                  until: str) -> Any:
        """What repeats a run with rows at further times; see `Result.at`."""
        if self.calls_python:
            return None
        given = _kept(given)

        def repeat(result: Result, times: Any) -> Any:
            its = {**given, "output_times": times}
            is_cut = result.summary.outcome == "interrupted"
            if is_cut:
                its["stop"] = result.summary.end_time
            again, _, _, exception = _orrery.run(
                self._handle, numbers, its, until, None)
            if exception is not None:
                raise exception
            is_same = len(again.time) and len(result.time) and (
                is_cut or again.time[-1] == result.time[-1])
            return again if is_same else None
        return repeat

    def start(self, settings: Optional[Mapping[str, Any]] = None, /,
              **others: Any) -> SteppedRun:
        """Begins a run that goes on step by step: see `SteppedRun`.

        Args:
            settings: as for `run`.
            others: options of `run`, but not `until`, `check`, `progress` and
                `save`; and settings.

        >>> import orrery
        >>> model = orrery.modelica("model M input Real u; Real x(start=0, "
        ...     "fixed=true); equation der(x) = u - x; end M;")
        >>> with model.start(stop=3) as run:
        ...     while run.time < 3:
        ...         run["u"] = 2 - run["x"]
        ...         run.step(0.1)
        >>> round(run.result.final["x"], 2)
        1.0
        """
        given = self._collected({
            name: others.pop(name) for name in list(others)
            if name in run_options.STEP_OPTIONS})
        numbers = {**self._loaded_with,
                   **self._numbers(settings, others, "start")}
        try:
            return SteppedRun(
                lambda its: _orrery.SteppedRun(self._handle, numbers, its),
                self, _kept(given))
        except ArgumentError as error:
            raise _explained(error) from None

    def resume(self, state: Union[bytes, str, "os.PathLike[str]"],
               **options: Any) -> SteppedRun:
        """Goes on from a saved run of this model, bit for bit.

        Args:
            state: what `SteppedRun.save` gave; or the name of a file, as
                `orrery run --save-state` writes it.
            options: `stop`, and what the rows are: `interval`, `record`,
                `output_times`. All else is as the saved run began.

        Raises:
            ArgumentError: the run is of another model; the message says what
                differs.

        >>> import orrery
        >>> model = orrery.modelica("model M Real x(start=1, fixed=true); "
        ...     "equation der(x) = -x; end M;")
        >>> with model.start(stop=2) as run:
        ...     run.step(1)
        ...     state = run.save()
        ...     run.step(1)
        >>> with model.resume(state) as rest:
        ...     rest.step(1)
        >>> rest["x"] == run["x"]
        True
        """
        saved = (state if isinstance(state, bytes)
                 else pathlib.Path(state).read_bytes())
        given = self._collected(options)
        try:
            run = SteppedRun(
                lambda its: _orrery.SteppedRun(self._handle, its, saved),
                self, _kept(given))
        except ArgumentError as error:
            raise _explained(error) from None
        run._repeats = False
        return run

    def export_fmu(self, path: values.PathLike,
                   settings: Optional[Mapping[str, Any]] = None, /, *,
                   version: int = 3, kind: str = "",
                   elementary: str = "same", method: Optional[str] = None,
                   step: Optional[values.Time] = None,
                   tolerance: Optional[float] = None,
                   **parameters: Any) -> List[Diagnostic]:
        """Writes the model as an FMU, which other tools run.

        Args:
            path: of the FMU, `.fmu`.
            settings: values in place of the model's own, as for `run`.
            version: of FMI, 3 or 2.
            kind: "cs" (Co-Simulation) or "me" (Model Exchange); default: both,
                as far as the model allows it.
            elementary: "same" for the bits of runs here; "libm" for the
                functions of the C library, and an FMU half as large.
            method, step, tolerance: of runs of the FMU, as for `run`.
            parameters: settings whose names are words of Python.

        Returns:
            A note of the parameters that cannot be set in the FMU any more, if
            there are any, and warnings about the model.

        Raises:
            UnsupportedError: an FMU cannot hold the model.
            ArgumentError: a name or a value is wrong.
            FileError: it cannot be written.

        >>> import orrery, pathlib, tempfile
        >>> model = orrery.modelica("model M parameter Real k = 1; Real x("
        ...     "start=1, fixed=true); equation der(x) = -k*x; end M;")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "M.fmu"
        ...     notes = model.export_fmu(path, k=2)
        ...     orrery.load(path).parameters["k"].value
        2.0
        """
        given = self._collected(
            {"method": method, "step": step, "tolerance": tolerance})
        numbers = {**self._loaded_with,
                   **self._numbers(settings, parameters, "export_fmu")}
        form = {"version": str(version), "kind": kind,
                "elementary": elementary}
        return self._handle.export_fmu(
            values.path(path), form, numbers, given)

    def _subject(self, run: Dict[str, Any], settings: Mapping[str, Any],
                 varied: Collection[str] = ()) -> Any:
        texts = {**{name: text for name, text in self._settings
                    if name not in varied},
                 **documents.settings_of(settings)}
        handle = self._handle
        if not handle.file:
            return documents.text_of(self.name, "", run, texts), [], handle
        return (documents.text_of(handle.file, handle.class_name, run, texts),
                handle.sources(), None)

    def _collected(self, options: Mapping[str, Any]) -> Dict[str, Any]:
        """The options that are given; an array's name means its elements."""
        given = run_options.collect(options)
        for name in ("record", "follow"):
            if name in given:
                known = self.variables._quantities
                given[name] = [
                    f"{its}[*]" if its in known and known[its].shape else its
                    for its in given[name]]
        return given

    def _unit_of(self, name: str) -> Optional[str]:
        known = self.variables._quantities
        its = known.get(name) or known.get(name.rpartition("[")[0])
        return None if its is None else its.unit

    def _first_time(self) -> float:
        return self._span({})[0]

    def _span(self, given: Mapping[str, Any]) -> Tuple[float, float]:
        """The start and the stop of a run with these options, for a bar."""
        start, stop = self._handle.experiment()[:2]
        begin = given.get("start", start if start == start else 0.0)
        return begin, given.get("stop", stop if stop == stop else begin + 1)

    def _numbers(self, settings: Optional[Mapping[str, Any]],
                 parameters: Mapping[str, Any], function: str
                 ) -> Dict[str, float]:
        """All settings as numbers by the names of scalars."""
        if parameters:
            known = self.variables
            for name in parameters:
                if name not in known._quantities:
                    run_options.refuse_option(
                        name, run_options.RUN_OPTIONS if function == "run"
                        else run_options.STEP_OPTIONS if function == "start"
                        else (), function)
        plain: Dict[str, float] = {}
        settings = values.mapping(
            {} if settings is None else self._begun(settings, parameters))
        values.refuse_twice(settings, parameters)
        for its in (settings, parameters):
            numbers, texts = values.split({
                name: self._scalar(name, value)
                for name, value in its.items()})
            plain.update(numbers)
            if texts:
                plain.update(self._handle.read(texts))
        return plain

    def _begun(self, settings: Mapping[str, Any],
               others: Collection[str] = ()) -> Mapping[str, Any]:
        """The settings that begin a run where another one has ended, of its
        `final`, but for the `others`; other settings as they are.

        Raises:
            ArgumentError: a state was not recorded.
        """
        if not isinstance(settings, Final):
            return settings
        known = self.variables._quantities
        for name, its in known.items():
            if its.kind == "state" and name not in settings._result:
                raise ArgumentError(
                    f"cannot begin where the run has ended: its state '{name}'"
                    " was not recorded; add it to record=[...]")
        begun = {}
        for name in settings:
            whole = name if name in known else name.rpartition("[")[0]
            if (_can_begin(known.get(whole)) and name not in others
                    and whole not in others):
                begun[name] = settings[name]
        return begun

    def _scalar(self, name: str, value: Any) -> Any:
        """An array of one number as this number, for a scalar."""
        if isinstance(value, np.ndarray) and value.shape == (1,):
            known = self.variables._quantities.get(name)
            if known is None or not known.shape:
                return value[0]
        return value

    def _checked(self, parts: Any, given: Mapping[str, Any],
                 before: Sequence[Diagnostic], check: bool,
                 origin: Any = None, save: Save = False,
                 repeat: Any = None) -> Result:
        """The result of a run; raises what ended it."""
        trajectory, events, summary, exception = parts
        result = Result(
            trajectory, name=self.name, events=events, summary=summary,
            warnings=before, record=given.get("record", ()),
            others=self._all_names, origin=origin, repeat=repeat)
        failure = (RunError(summary.message, summary.diagnostics(), result)
                   if check and not summary.completed else None)
        return ended_run(result, save, exception, summary.message, failure,
                         _orrery.take_failure() if failure else None)

    def _ended_run(self, result: Result, settings: Mapping[str, Any],
                   options: Mapping[str, Any]) -> Any:
        """The run as an experiment to be saved."""
        run, sources = documents.run_of({
            name: value for name, value in options.items()
            if name not in ("follow", "code")})
        document, own, _ = self._subject(run, settings)
        its = ended(
            Origin("simulate", documents.dumps(document), own + sources),
            self.name, result.summary.outcome, result.summary.message,
            _orrery.run_report(self._handle, options["until"] or "",
                               result._trajectory, result._log,
                               result._told))
        its.add_trajectory(result._trajectory)
        its.set_events(result._log)
        return its

    def _all_names(self) -> Sequence[str]:
        return list(self.variables)

    def __reduce__(self) -> Any:
        handle = self._handle
        if not handle.file:
            raise TypeError(f"cannot pickle the model {self.name}: it was "
                            "made in Python; pickle the class of its block")
        from orrery.loading import load_sources
        return load_sources, (handle.sources(), handle.file,
                              handle.class_name, self._settings)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    def __repr__(self) -> str:
        return f"<orrery.Model {self.name}>"

    def _repr_html_(self) -> str:
        return self.parameters._repr_html_()


def _kept(given: Mapping[str, Any]) -> Dict[str, Any]:
    """The options with copies of the arrays that their author may change."""
    return {name: copy.deepcopy(its) if name in ("inputs", "step_times")
            else its for name, its in given.items()}


def _can_begin(quantity: Optional[quantities.Quantity]) -> bool:
    return quantity is not None and quantity.kind in (
        "state", "discrete", "input", "parameter") and not (
            quantity.is_final or quantity.is_structural)


def _explained(error: ArgumentError) -> ArgumentError:
    """The same error with how Python loads a model with a setting."""
    wanted = "load the model with this setting"
    if error.message.endswith(wanted):
        return ArgumentError(error.message + ": orrery.load(path, n=5)",
                             error.diagnostics)
    return error
