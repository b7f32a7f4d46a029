"""Models from files and from texts."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Callable, List, Mapping, Optional, cast

from orrery import values
from orrery._extension import _orrery
from orrery.class_model import ClassModel
from orrery.errors import (
    ArgumentError, FileError, ModelError, UnsupportedError)
from orrery.model import Model


def _loaded(load_it: Callable[[], Any], what: str, class_name: str,
            example: str) -> Any:
    """A model; if a class must be named, an ArgumentError that says how."""
    if not isinstance(class_name, str):
        raise TypeError(f"cannot take {class_name!r} for the class: give its "
                        "name as a text, and settings after it")
    try:
        return load_it()
    except ModelError as error:
        findings = error.diagnostics
        if class_name or len(findings) != 1 or not findings[0].hint.startswith(
                "name one of them"):
            raise
        raise ArgumentError(
            f"cannot load {what}: it has several models; {findings[0].hint}, "
            f"as in {example}", findings) from None


def _texts(settings: Optional[Mapping[str, Any]],
           parameters: Mapping[str, Any]) -> List[Any]:
    if "class_name" in parameters:
        raise TypeError("cannot take class_name=: the class is given by its "
                        "place, as in orrery.load(path, \"Name\")")
    return [(name, values.text_of(name, value))
            for its in (settings or {}, parameters)
            for name, value in values.mapping(its).items()]


def load_sources(sources: Any, file: str, class_name: str,
                 settings: Any) -> Model:
    """A model from what pickles have of it."""
    return Model(_orrery.load_sources(sources, file, class_name, settings),
                 settings)


def _class_in_library(name: str, class_name: str) -> Optional[str]:
    """The file of the library of a class that is named in place of a file."""
    library = _orrery.library_of(name)
    if not library:
        return None
    file = _orrery.file_of_class(os.environ.get("MODELICAPATH", ""), name)
    if file is None:
        raise FileError(f"cannot load {name}: it is no file, and as a class "
                        f"its library {library} is neither in this folder nor "
                        "in one of MODELICAPATH")
    if class_name:
        raise ArgumentError(f"cannot take the class '{class_name}' of {name}, "
                            "which is a class; write the whole name in its "
                            "place")
    return file


def load(path: values.PathLike, class_name: str = "",
         settings: Optional[Mapping[str, Any]] = None, /,
         **parameters: Any) -> Model:
    """Loads and compiles the model in a file.

    Args:
        path: `.mo` (Modelica; of a package that is a folder its
            `package.mo`), `.cbd` (a netlist of blocks), `.fmu` (an FMU for
            Model Exchange, whose code is loaded), or `.so` (a plug-in with a
            model of DEVS, tasks or both). Or the dotted name of a class,
            "Modelica.Blocks.Examples.PID_Controller", of a library in this
            folder or in one of the environment variable MODELICAPATH.
        class_name: dotted, "Lib.Pump"; needed if a file has several models.
        settings: values that shape the equations, such as sizes of arrays;
            others hold in all runs that do not set them.
        parameters: the same, for names that are words of Python.

    Returns:
        a `Model`; of a plug-in a `ClassModel`.

    Raises:
        FileError: there is no such file or library, or it cannot be read.
        ModelError: the model is wrong; `diagnostics` has all that is.
        ArgumentError: a file of another kind; several models in it; a
            setting of no quantity of the model.

    >>> import orrery, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "chain.mo"
    ...     length = path.write_text("model Chain parameter Integer n = 2;"
    ...                              " Real x[n] = {i for i in 1:n}; "
    ...                              "end Chain;")
    ...     orrery.load(path).names, orrery.load(path, n=1).names
    (['n', 'x[1]', 'x[2]'], ['n', 'x[1]'])
    """
    file = values.path(path)
    ending = pathlib.PurePath(file).suffix.lower()
    if ending in (".ssp", ".ssd"):
        raise UnsupportedError(
            f"cannot load {file}: systems of FMUs are no models of Python; "
            f"run it by the command orrery run {file}, or load one of its "
            "FMUs")
    if not os.path.exists(file):
        library = None
        if ending not in (".mo", ".cbd", ".fmu", ".so"):
            library = _class_in_library(file, class_name)
        if library is not None:
            return load(library, file, settings, **parameters)
        hint = _orrery.suggest_file(file)
        raise FileError(f"cannot load {file}: no such file"
                        + (f"; {hint}" if hint else ""))
    if ending == ".so":
        if class_name or settings or parameters:
            raise ArgumentError(f"cannot load a class or settings from {file}:"
                                " it is a plug-in with one model; give the "
                                "settings to its run")
        return cast(Model, ClassModel(file))
    texts = _texts(settings, parameters)
    return Model(_loaded(lambda: _orrery.load(file, class_name, texts), file,
                         class_name, "orrery.load(path, \"Name\")"), texts)


def modelica(text: str, class_name: str = "",
             settings: Optional[Mapping[str, Any]] = None, /,
             **parameters: Any) -> Model:
    """Compiles the model in a text in Modelica; the rest as `load`.

    >>> import orrery
    >>> orrery.modelica("model M Real x = time; end M;").run().final["x"]
    1.0
    """
    texts = _texts(settings, parameters)
    return Model(_loaded(
        lambda: _orrery.load_text(text, "modelica.mo", class_name, texts),
        "the text", class_name, "orrery.modelica(text, \"Name\")"), texts)
