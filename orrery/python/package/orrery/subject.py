"""The models and runs that experiments are made of."""
from __future__ import annotations

import inspect
import json
from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence

from orrery import documents, ranges, values
from orrery import options as run_options
from orrery._extension import _orrery
from orrery.analyses import (
    FrequencyResponse, LinearSystem, frequencies_of, responses_in)
from orrery.errors import ArgumentError
from orrery.store import Origin

_OPTIONS = ("stop", "start", "tolerance", "absolute_tolerance", "method",
            "step", "interval", "output_times", "step_times", "max_step",
            "max_steps", "max_consecutive_events", "sliding", "inputs",
            "until", "seed", "plan", "without", "priority", "formalism",
            "max_microsteps")


class _Missing:
    """Stands in pickles for a model that was made in Python."""

    def __init__(self, name: str) -> None:
        self.name = name

    def refuse(self, what: str) -> None:
        raise ArgumentError(
            f"cannot {what} {self.name} at a point that came through pickle: "
            "the model was made in Python and did not; find the point again "
            "in this process")


class Task:
    """A model and the options of its runs, as a document and its files."""

    def __init__(self, model: Any,
                 settings: Optional[Mapping[str, Any]],
                 options: Mapping[str, Any], function: str,
                 varied: Optional[Collection[str]] = None) -> None:
        for name in options:
            if name not in _OPTIONS:
                known = inspect.signature(getattr(type(model), function))
                nearest = run_options.nearest_option(
                    name, [*known.parameters, *_OPTIONS])
                raise TypeError(
                    f"{function}() has no option '{name}'"
                    + (f"; did you mean '{nearest}'?" if nearest else
                       "; values of the model are settings={\"name\": value}"
                       ))
        run, sources = documents.run_of(options)
        self.document, own, self.made = model._subject(
            run, model._begun(settings or {}, varied or ()), varied or ())
        self.sources = own + sources

    def __getstate__(self) -> Dict[str, Any]:
        its = dict(self.__dict__)
        if self.made is not None:
            its["made"] = _Missing(self.document["file"])
        return its

    def with_part(self, name: str, fields: Mapping[str, Any]) -> str:
        """The text of the document of one kind of experiment."""
        return documents.dumps(
            {**self.document, name: ranges.without_defaults(fields)})

    def linearize(self, inputs: Any, outputs: Any,
                  at_steady_state: bool = False) -> LinearSystem:
        """The linear system at the start, the end or a steady state."""
        if isinstance(self.made, _Missing):
            self.made.refuse("linearise")
        asked = ranges.without_defaults({
            "inputs": values.names(inputs, "inputs") if inputs else None,
            "outputs": values.names(outputs, "outputs") if outputs else None,
            "at": "steady" if at_steady_state else None})
        if at_steady_state:
            asked.update(self.document.get("steady", {}))
        text = self._without_steady("linearization", asked)
        report = _orrery.linearize(text, self.sources, self.made)
        return LinearSystem(report, self, asked,
                            Origin("linearization", text, self.sources))

    def responses(self, channels: Sequence[str], frequencies: Any,
                  asked: Mapping[str, Any]) -> List[FrequencyResponse]:
        """The frequency responses of channels "u:y"."""
        if isinstance(self.made, _Missing):
            self.made.refuse("find frequency responses of")
        text = self._without_steady("frequency_response", {
            **asked, "bode": list(channels),
            "frequencies": frequencies_of(frequencies),
            "all_channels": not channels})
        report = _orrery.linearize(text, self.sources, self.made)
        return responses_in(json.loads(report))

    def _without_steady(self, name: str, fields: Mapping[str, Any]) -> str:
        run = {key: value for key, value in self.document.items()
               if key != "steady"}
        return documents.dumps({**run,
                                name: ranges.without_defaults(fields)})
