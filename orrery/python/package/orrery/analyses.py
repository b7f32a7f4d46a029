"""Steady states, linear systems, frequency responses."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional

import numpy as np

from orrery import display
from orrery.errors import UnknownNameError
from orrery.values import hint

if TYPE_CHECKING:
    import numpy.typing as npt

    from orrery.subject import Task

    Array = npt.NDArray[np.float64]


def _floats(numbers: Mapping[str, Any]) -> Dict[str, float]:
    """Numbers of a report, in which null stands for NaN."""
    return {name: float("nan") if its is None else float(its)
            for name, its in numbers.items()}


class _Point:
    """Values of states, inputs and outputs by name."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document
        self._report = ""
        self._origin: Any = None
        self.name = str(document["model"])
        self.states = _floats(document["states"])
        self.inputs = _floats(document["inputs"])
        self.outputs = _floats(document["outputs"])
        self._all = {**self.outputs, **self.inputs, **self.states}

    def __getitem__(self, name: str) -> float:
        if name in self._all:
            return float(self._all[name])
        raise UnknownNameError(f"no state, input or output '{name}' in "
                               + self.name + hint(str(name), self._all))

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def unit(self, name: str) -> str:
        """The unit of a quantity; may be empty."""
        return str(self.document["units"].get(name, ""))

    @property
    def time(self) -> float:
        """The time of the point, s."""
        return float(self.document["time"])

    def _to_save(self) -> Any:
        from orrery import store
        return store.ended(self._origin, self.name, self.document["status"],
                           self.document["message"], self._report)

    def _kind_of_input(self, name: str) -> str:
        return "input"

    def _table(self) -> str:
        return display.table(
            ["quantity", "value", "unit", "kind"],
            [[name, f"{value:.6g}", self.unit(name),
              self._kind_of_input(name) if kind == "input" else kind]
             for kind, its in (("state", self.states), ("input", self.inputs),
                               ("output", self.outputs))
             for name, value in its.items()])

    def _repr_html_(self) -> str:
        return self._table()


class SteadyPoint(_Point, Mapping[str, float]):
    """A steady state: `point["x"]` is the value of a quantity there.

    >>> import orrery
    >>> model = orrery.modelica("model M input Real u; output Real y = x;"
    ...     " Real x(start=0, fixed=true); equation der(x) = u - 2*x; end M;")
    >>> point = model.steady(settings={"u": 3})
    >>> point["x"], point.found
    (1.5, True)
    >>> model.steady({"x": 1.5}).freed
    ['u']
    >>> point.linearize().A
    array([[-2.]])
    """

    def __init__(self, report: str, task: "Task",
                 origin: Any = None) -> None:
        #: The report, as `orrery steady --json` prints it.
        self.document: Dict[str, Any] = json.loads(report)
        super().__init__(self.document)
        self._report, self._origin = report, origin
        self._task = task

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def freed(self) -> List[str]:
        """Inputs that nothing set: their values were found with the state."""
        document = self._task.document
        asked = document.get("steady", {})
        held = set(document.get("set", {})) | {
            its.partition("=")[0] for its in asked.get("fix", [])}
        held -= {its.partition("=")[0] for its in asked.get("free", [])}
        return [name for name in self.inputs if name not in held]

    @property
    def found(self) -> bool:
        """True if it is a steady state that meets all conditions."""
        return bool(self.document["status"] == "found")

    def _kind_of_input(self, name: str) -> str:
        return "input, found" if name in self.freed else "input"

    def linearize(self, inputs: Any = None, outputs: Any = None
                  ) -> "LinearSystem":
        """The linear system around this steady state.

        Args:
            inputs: names; default: all inputs.
            outputs: names of any Real quantities; default: the outputs.
        """
        return self._task.linearize(inputs, outputs, at_steady_state=True)

    def __repr__(self) -> str:
        freed = self.freed
        values = ", ".join(f"{name} = {value:.6g}" for name, value
                           in list(self.states.items())[:6])
        if freed:
            values += "; inputs found: " + ", ".join(
                f"{name} = {self.inputs[name]:.6g}" for name in freed[:6])
        return (f"<orrery.SteadyPoint of {self.name}, "
                f"{self.document['status']}: {values}>")


class LinearSystem(_Point):
    """A model near a point as x' = A x + B u, y = C x + D u.

    `A, B, C, D = system` gives the matrices; the names of their rows and
    columns are `state_names`, `input_names` and `output_names`. `system["x"]`
    is the value of a quantity at the point.

    >>> import orrery
    >>> model = orrery.modelica("model M input Real u; output Real y = x;"
    ...     " Real x(start=0, fixed=true); equation der(x) = u - 2*x; end M;")
    >>> A, B, C, D = system = model.linearize()
    >>> A, B, system.poles.real, system.is_stable
    (array([[-2.]]), array([[1.]]), array([-2.]), True)
    """

    def __init__(self, report: str, task: "Task",
                 document: Mapping[str, Any], origin: Any = None) -> None:
        #: The report, as `orrery linearize --json` prints it.
        self.document: Dict[str, Any] = json.loads(report)
        super().__init__(self.document)
        self._report, self._origin = report, origin
        self._task = task
        self._asked = document
        self.state_names = list(self.states)
        self.input_names = list(self.inputs)
        self.output_names = list(self.outputs)
        sizes = (len(self.states), len(self.inputs), len(self.outputs))
        self.A = self._matrix("A", sizes[0], sizes[0])
        self.B = self._matrix("B", sizes[0], sizes[1])
        self.C = self._matrix("C", sizes[2], sizes[0])
        self.D = self._matrix("D", sizes[2], sizes[1])

    def _matrix(self, name: str, rows: int, columns: int) -> Array:
        return np.array(self.document[name], float).reshape(rows, columns)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.A, self.B, self.C, self.D))

    @property
    def poles(self) -> npt.NDArray[np.complex128]:
        """The eigenvalues of A, 1/s."""
        return np.array([complex(its["re"], its["im"])
                         for its in self.document["modes"]], complex)

    @property
    def zeros(self) -> npt.NDArray[np.complex128]:
        """The zeros of the system, 1/s."""
        return np.array([complex(its["re"], its["im"])
                         for its in self.document["zeros"]], complex)

    @property
    def is_stable(self) -> bool:
        """True if all poles have negative real parts."""
        return bool(self.document["stable"])

    def bode(self, input: str, output: str, frequencies: Any = None
             ) -> "FrequencyResponse":
        """The frequency response of an input and an output.

        Args:
            frequencies: rad/s; default: around poles and zeros.
        """
        return self._task.responses([f"{input}:{output}"], frequencies,
                                    self._asked)[0]

    def __repr__(self) -> str:
        return (f"<orrery.LinearSystem of {self.name}: {len(self.states)} "
                f"states, {len(self.inputs)} inputs, {len(self.outputs)} "
                f"outputs, at {self.document['at']}>")


class FrequencyResponse:
    """How an output answers to an input of a frequency.

    >>> import orrery
    >>> model = orrery.modelica("model M input Real u; output Real y = x;"
    ...     " Real x(start=0, fixed=true); equation der(x) = u - x; end M;")
    >>> its, = model.frequency("u:y", frequencies=[1])
    >>> its.magnitude.round(3), its.phase.round(3), its.gain.round(3)
    (array([-3.01]), array([-45.]), array([0.5-0.5j]))
    """

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document
        self.input = str(document["input"])
        self.output = str(document["output"])
        self._frequency: Array = np.array(document["frequency"], float)
        self._magnitude: Array = np.array(document["magnitude_db"], float)
        self._phase: Array = np.array(document["phase_deg"], float)

    @property
    def frequency(self) -> Array:
        """The frequencies, rad/s."""
        return self._frequency

    @property
    def magnitude(self) -> Array:
        """The ratio of the amplitudes at each frequency, dB."""
        return self._magnitude

    @property
    def phase(self) -> Array:
        """By how much the output leads the input at each frequency, degrees;
        without jumps by 360."""
        return self._phase

    @property
    def gain(self) -> npt.NDArray[np.complex128]:
        """The complex gain at each frequency: of amplitudes, and in phase."""
        size = 10 ** (self.magnitude / 20)
        return np.asarray(size * np.exp(1j * np.deg2rad(self.phase)))

    def plot(self, axes: Any = None) -> Any:
        """Draws a Bode diagram.

        Args:
            axes: two axes of matplotlib; default: new ones.

        Returns:
            both axes.
        """
        pyplot = display.need("matplotlib.pyplot", "plot()")
        if axes is None:
            _, axes = pyplot.subplots(2, 1, sharex=True)
        axes[0].semilogx(self.frequency, self.magnitude)
        axes[1].semilogx(self.frequency, self.phase)
        axes[0].set_ylabel("magnitude [dB]")
        axes[1].set_ylabel("phase [deg]")
        axes[1].set_xlabel("frequency [rad/s]")
        return axes

    def __repr__(self) -> str:
        return (f"<orrery.FrequencyResponse from {self.input} to "
                f"{self.output}, {len(self.frequency)} frequencies>")


def responses_in(document: Mapping[str, Any]) -> List[FrequencyResponse]:
    """The responses in a report."""
    return [FrequencyResponse(its) for its in document["responses"]]


def frequencies_of(given: Optional[Any]) -> str:
    """Frequencies in rad/s as the command line takes them.

    >>> frequencies_of([0.1, 1]), frequencies_of("logspace(-1,2,200)")
    ('0.1,1.0', 'logspace(-1,2,200)')
    """
    if given is None:
        return ""
    if isinstance(given, str):
        return given
    return ",".join(repr(float(its)) for its in np.atleast_1d(given))
