"""The exceptions of Orrery.

Each is an `Error`, and what Python calls such an error besides:

>>> import orrery
>>> issubclass(orrery.ArgumentError, ValueError)
True
>>> issubclass(orrery.FileError, OSError)
True
"""
import dataclasses
import re
from typing import Any, List, Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A finding about a model, for its author.

    `line` and `column` count from 1; both are 0 without a text.
    `str(diagnostic)` has the line of the model with a caret below.
    """

    severity: str  # "error", "warning" or "note"
    message: str
    hint: str = ""
    path: str = ""  # The component's full name.
    file: str = ""
    line: int = 0
    column: int = 0
    length: int = 0  # Length of the place in bytes.
    rendered: str = dataclasses.field(default="", repr=False)

    def __str__(self) -> str:
        return self.rendered.rstrip("\n") or (
            f"{self.severity}: {self.message}")


class Error(Exception):
    """What Orrery raises. `str(error)` is its `message`.

    `code` tells who must act: "invalid model", "invalid argument",
    "unsupported", "io" (a file) or "internal" (a bug of Orrery).
    `diagnostics` are findings about the model, in the order of its text.
    """

    code = "internal"

    def __init__(self, message: str,
                 diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.diagnostics), self.__dict__


class ModelError(Error):
    """A model is wrong. `diagnostics` has all that is."""

    code = "invalid model"

    def __str__(self) -> str:
        # Below the line with the name of the exception.
        return "\n" + self.message if self.diagnostics else self.message

    def _render_traceback_(self) -> List[str]:
        """What notebooks show: the findings in colour, without the stack."""
        red, green, plain = "\033[1;31m", "\033[32m", "\033[0m"
        lines = [f"{red}{type(self).__name__}{plain}"]
        for line in self.message.splitlines():
            place, found, rest = line.partition(" error: ")
            if found:
                line = f"{place}{red}{found}{plain}{rest}"
            elif line.lstrip(" |").startswith("^"):
                line = f"{green}{line}{plain}"
            lines.append(line)
        return lines


class ArgumentError(Error, ValueError):
    """A value, a name or an option cannot be used."""

    code = "invalid argument"


class UnknownNameError(Error, KeyError):
    """There is no such signal or parameter, or it was not recorded."""

    code = "invalid argument"


class FileError(Error, OSError):
    """A file cannot be read or written."""

    code = "io"

    def __init__(self, message: str,
                 diagnostics: Sequence[Diagnostic] = ()) -> None:
        Error.__init__(self, message, diagnostics)


class UnknownPortError(ModelError, AttributeError):
    """A block has no such port or quantity."""


class UnsupportedError(Error, NotImplementedError):
    """The input is right, but this version cannot handle it."""

    code = "unsupported"


class InternalError(Error):
    """A mistake in Orrery itself. Please report it."""


class RunError(Error):
    """A run has failed. `result` has everything up to the failure.

    >>> import orrery
    >>> model = orrery.modelica("model M Real x = sqrt(1 - time); end M;")
    >>> try:
    ...     r = model.run(stop=2)
    ... except orrery.RunError as error:
    ...     r = error.result
    >>> round(r.summary.end_time, 3), r.summary.completed
    (1.0, False)
    """

    code = "invalid model"

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = (),
                 result: Any = None) -> None:
        super().__init__(message, diagnostics)
        self.result = result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. `result` has everything up to then."""

    def __init__(self, message: str = "interrupted",
                 result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class Interrupt(Exception):
    """Is raised where a task waits that another one interrupts.

    `cause` is what `handle.interrupt(cause)` was given.
    """

    def __init__(self, cause: Any = None) -> None:
        super().__init__(*(() if cause is None else (cause,)))
        self.cause = cause


class Preempted(Interrupt):
    """Is raised where a task waits whose units went to a more urgent one.

    `by` is the task that has them now; `since` the time at which they were
    granted, and `usage` how long they were held, in seconds.
    """

    def __init__(self, cause: str, by: str, since: float,
                 usage: float) -> None:
        super().__init__(cause)
        self.by = by
        self.since = since
        self.usage = usage

    def __reduce__(self) -> Any:
        return type(self), (self.cause, self.by, self.since, self.usage)


class Cancelled(Exception):
    """Is raised where a task waits for one that was cancelled."""

    def __init__(self) -> None:
        super().__init__("the task was cancelled")


# Options of the command as those of functions; a word that is a value.
_OPTION = re.compile(r"--([a-z][a-z-]*)(?P<place>(?=:\d))?"
                     r"(?: (random|grid|list|latin-hypercube|sobol|morris"
                     r"|local|steady)\b| [A-Z][A-Z=,\[\]]*)?")
_NAMES = {"solver": "method", "set": "settings", "input": "inputs",
          "minimise": "minimize", "maximise": "maximize",
          "sensitivity": "sensitivities", "bound": "bounds"}


def in_python(text: str) -> str:
    """A message with the options of the command as Python writes them.

    >>> in_python("take --design random, or leave out --runs")
    'take design="random", or leave out runs=...'
    """
    def option(found: "re.Match[str]") -> str:
        name = found[1].replace("-", "_")
        name = _NAMES.get(name, name)
        if found["place"] is not None:  # A place in its text.
            return name
        return f"{name}=" + (f'"{found[3]}"' if found[3] else "...")

    return _OPTION.sub(option, text) if "--" in text else text


_KINDS = {kind.code: kind for kind in (
    ModelError, ArgumentError, FileError, UnsupportedError)}


def error_of(code: str, message: str,
             diagnostics: Sequence[Diagnostic] = ()) -> Error:
    """The exception for an error of the engines; called by the extension."""
    if code == ArgumentError.code:
        message = in_python(message)
    return _KINDS.get(code, InternalError)(message, diagnostics)
