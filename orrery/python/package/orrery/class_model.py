"""Models that are classes in a plug-in: of DEVS, of tasks, or of both."""
from __future__ import annotations

import os
from typing import Any, Collection, Dict, Mapping, Optional

from orrery import documents, values
from orrery import options as run_options
from orrery import progress as progress_of
from orrery._extension import _orrery
from orrery.errors import RunError
from orrery.experiments import Experiments
from orrery.quantities import Quantities, Quantity
from orrery.results import Result, Summary
from orrery.runs import ended_run
from orrery.store import Origin, Save, ended

_OPTIONS = ("stop", "start", "seed", "until", "inputs", "plan", "without",
            "priority", "formalism", "max_microsteps", "check", "progress",
            "save")


class ClassModel(Experiments):
    """A model in a plug-in (`.so`); made by `orrery.load`.

    `kind` is "devs", "tasks" or "joint" (equations beside them).
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._handle = _orrery.load_plugin(file)
        self.name: str = self._handle.name
        self.kind: str = self._handle.kind

    @property
    def parameters(self) -> Quantities:
        """The parameters by name, with their values in a run of its own."""
        return Quantities({its["name"]: _quantity(its)
                           for its in self._handle.parameters()}, "parameter")

    def run(self, settings: Optional[Mapping[str, Any]] = None, /, *,
            stop: Optional[values.Time] = None,
            start: Optional[values.Time] = None,
            seed: Optional[int] = None,
            until: Optional[str] = None,
            inputs: Any = None,
            plan: Optional[values.PathLike] = None,
            without: Any = None,
            priority: Any = None,
            formalism: Optional[str] = None,
            max_microsteps: Optional[int] = None,
            check: bool = True,
            progress: progress_of.Progress = False,
            save: Save = False,
            **parameters: Any) -> Result:
        """Runs the model; its results besides signals are `result.values`.

        Args:
            settings: values of parameters by name.
            stop: seconds, "2 min" or a timedelta. Default: the model's own,
                else when nothing is due any more.
            start: in the time of a plan, by default 0.
            seed: of all random numbers, by default 1.
            until: a condition that ends it.
            inputs: messages over time: a file, a dict with "time" or a
                DataFrame.
            plan: the file of a plan (JSON); `without` names activities of it
                that are left out.
            priority: paths of DEVS models, for those due at once when
                `formalism` is "classic"; default: "parallel".
            max_microsteps: at one time, beyond which a run ends.
            check: False returns a run that fails.
            progress: True for a bar; or a function of the time reached.
            save: True for orrery.db, a file or a `Store`.
            parameters: settings whose names are words of Python.

        Raises:
            ArgumentError, RunError, Interrupted: as `Model.run`.
        """
        run, sources = documents.run_of({
            "stop": stop, "start": start, "seed": seed, "until": until,
            "inputs": inputs, "plan": plan, "without": without,
            "priority": priority, "formalism": formalism,
            "max_microsteps": max_microsteps})
        document = documents.text_of(
            self._file, "", run, self._settings(settings, parameters))
        origin = Origin("simulate", documents.dumps(document), sources)
        repeat = (self._repeater(document, sources)
                  if self.kind == "joint" else None)
        saves = save is not False and save is not None
        bar = progress_of.Late(progress)
        try:
            parts = self._handle.run(origin.json, sources, saves,
                                     bar.begin if progress else None)
        finally:
            bar.close()
        return self._checked(parts, origin, check, save, repeat)

    def _repeater(self, document: Mapping[str, Any],
                  sources: documents.Sources) -> Any:
        """What repeats a run of equations with rows at further times; see
        `Result.at`."""
        def repeat(result: Result, times: Any) -> Any:
            its = {**document, "output_times": times.tolist()}
            is_cut = result.summary.outcome == "interrupted"
            if is_cut:
                its["stop"] = result.summary.end_time
            again, *_, exception = self._handle.run(
                documents.dumps(its), sources, False, None)
            if exception is not None:
                raise exception
            is_same = len(again.time) and len(result.time) and (
                is_cut or again.time[-1] == result.time[-1])
            return again if is_same else None
        return repeat

    def _subject(self, run: Dict[str, Any], settings: Mapping[str, Any],
                 varied: Collection[str] = ()) -> Any:
        texts = documents.settings_of(settings)
        return documents.text_of(self._file, "", run, texts), [], None

    def _unit_of(self, name: str) -> Optional[str]:
        its = self.parameters._quantities.get(name)
        return None if its is None else its.unit

    def _settings(self, settings: Optional[Mapping[str, Any]],
                  parameters: Mapping[str, Any]) -> Dict[str, str]:
        if parameters:
            known = self.parameters
            for name in parameters:
                if name not in known._quantities and "." not in name:
                    run_options.refuse_option(name, _OPTIONS, "run")
        values.refuse_twice(settings or {}, parameters)
        return documents.settings_of(settings or {}, parameters)

    def _checked(self, parts: Any, origin: Origin, check: bool,
                 save: Save, repeat: Any) -> Result:
        (trajectory, events, summary, numbers, warnings, report,
         exception) = parts
        its = Summary(**summary)
        origin.report = report
        result = Result(trajectory, name=self.name, events=events,
                        summary=its, warnings=warnings, extra=numbers,
                        repeat=repeat,
                        origin=(self, origin) if report else None)
        return ended_run(
            result, save, exception, f"interrupted at {its.end_time:g} s",
            RunError(its.message, warnings, result)
            if check and not its.completed else None)

    def _ended_run(self, result: Result, origin: Origin) -> Any:
        """The run as an experiment to be saved."""
        its = ended(origin, self.name, result.summary.outcome,
                    result.summary.message, origin.report)
        its.add_trajectory(result._trajectory)
        if result._log is not None:
            its.set_events(result._log)
        return its

    def __reduce__(self) -> Any:
        return ClassModel, (os.path.abspath(self._file),)

    def __repr__(self) -> str:
        return f"<orrery.ClassModel {self.name} ({self.kind})>"

    def _repr_html_(self) -> str:
        return self.parameters._repr_html_()


def _quantity(its: Mapping[str, str]) -> Quantity:
    return Quantity(name=its["name"], value=_value(its["value"]),
                    unit=its["unit"], description=its["description"],
                    type=its["type"])


def _value(text: str) -> Any:
    """The number or Boolean that a text is; else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
