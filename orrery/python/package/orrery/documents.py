"""Runs as documents: texts in JSON that the command saves and repeats.

Experiments, and runs of models that are classes, are described by such a
document and by files in memory, which stand in for those on the disk.
"""
from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Tuple

import numpy as np

from orrery import display
from orrery import options as run_options
from orrery import tables, values
from orrery.errors import ArgumentError

Sources = List[Tuple[str, bytes]]

# The file in memory with inputs that were given as numbers.
_INPUTS = "inputs.csv"

_TIMES = ("start", "stop", "step", "interval", "max_step")
_AS_GIVEN = ("tolerance", "absolute_tolerance", "output_times", "step_times",
             "max_steps", "max_consecutive_events", "sliding",
             "sensitivities", "record")


def _cell(number: float) -> str:
    return "" if np.isnan(number) else repr(float(number))


def quoted(text: str) -> str:
    """A text that may stand in a list with commas.

    >>> quoted("x[1,2]"), quoted("x")
    ('"x[1,2]"', 'x')
    """
    return f'"{text}"' if "," in text else text


def csv_of(columns: tables.Columns) -> bytes:
    """Columns (name, unit, numbers) as the text of a CSV file, to all bits.

    >>> csv_of(("", [("time", "", np.array([0.0, 0.1])),
    ...              ("u", "V", np.array([1.0, np.nan]))]))
    b'time,u [V]\\n0.0,1.0\\n0.1,\\n'
    """
    heads = [quoted(display.label(name, unit))
             for name, unit, _ in columns[1]]
    lines = [",".join(heads)]
    lines += [",".join(map(_cell, row))
              for row in zip(*(numbers for _, _, numbers in columns[1]))]
    return ("\n".join(lines) + "\n").encode()


def settings_of(*settings: Mapping[str, Any]) -> Dict[str, str]:
    """Settings as texts by names, the later ones in place of the earlier.

    Raises:
        TypeError: they are no mapping of names.
    """
    for its in settings:
        values.mapping(its)
    return {name: values.text_of(name, value)
            for its in settings for name, value in its.items()}


def run_of(options: Mapping[str, Any]) -> Tuple[Dict[str, Any], Sources]:
    """The part of a document that says how a model runs, and its files.

    Args:
        options: those of `Model.run`, besides the ones that concern its
            result alone; `seed`; and of models that are classes `plan`,
            `without`, `priority`, `formalism` and `max_microsteps`.

    Raises:
        TypeError: an unknown option, or one of another type.

    >>> run_of({"stop": "1 min", "method": "rodas", "seed": None})
    ({'stop': 60.0, 'solver': 'rodas'}, [])
    """
    document: Dict[str, Any] = {}
    sources: Sources = []
    for name, value in options.items():
        if value is None:
            continue
        if name in _TIMES:
            document[name] = values.seconds(value, name)
        elif name in _AS_GIVEN:
            its = run_options.collect({name: value})[name]
            document[name] = its.tolist() if isinstance(
                its, np.ndarray) else its
        elif name == "method":
            document["solver"] = run_options.collect({name: value})[name]
        elif name == "inputs":
            if values.is_path(value):
                document["input"] = values.path(value)
            else:
                document["input"] = _INPUTS
                sources.append((_INPUTS, csv_of(tables.inputs_of(value))))
        elif name in ("seed", "max_microsteps"):
            document[name] = _natural(value, name)
        elif name == "plan":
            document[name] = values.path(value)
        elif name in ("until", "formalism"):
            document[name] = str(value)
        elif name in ("without", "priority"):
            document[name] = values.names(value, name)
        else:
            raise TypeError(f"an experiment has no option '{name}' of a run")
    if document.get("formalism") not in (None, "parallel", "classic"):
        raise ArgumentError(f"cannot run by '{document['formalism']}': "
                            "'parallel' and 'classic' are the formalisms")
    return document, sources


def _natural(value: Any, name: str) -> int:
    its = values.whole(value, name)
    if its < 0:
        raise ArgumentError(f"cannot take {its} for '{name}': give a whole "
                            "number of 0 or more")
    return its


def text_of(file: str, class_name: str, run: Mapping[str, Any],
            settings: Mapping[str, str]) -> Dict[str, Any]:
    """The document of runs of the model in `file`."""
    document: Dict[str, Any] = {"orrery": 1, "file": file}
    if settings:
        document["set"] = dict(settings)
    if class_name:
        document["class"] = class_name
    return {**document, **run}


def dumps(document: Mapping[str, Any]) -> str:
    """The text of a document.

    Raises:
        ArgumentError: a number in it is not finite.
    """
    try:
        return json.dumps(document, allow_nan=False)
    except ValueError:
        raise ArgumentError("cannot take a number that is not finite for an "
                            "option of a run") from None
