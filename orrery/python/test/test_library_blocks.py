"""The blocks of the library as classes of Python."""
import inspect
import math

import numpy as np
import pytest

import orrery
from orrery import Block, Diagram, Output, State, der, opaque

blocks = orrery.blocks


def test_every_block_of_the_library_is_a_class():
    listed = orrery._orrery.list_library()
    assert len(listed) > 150
    for full_name, _ in listed:
        package = getattr(
            blocks, orrery._orrery.package_of_block(full_name))
        kind = getattr(package, full_name.rpartition(".")[2])
        assert issubclass(kind, blocks.LibraryBlock)
        assert full_name in kind.__doc__


def test_packages_are_modules():
    from orrery.blocks.math import Gain
    import orrery.blocks.continuous as continuous
    assert Gain is blocks.math.Gain
    assert "PID" in dir(continuous)


def test_docstrings_and_signatures_are_those_of_the_library():
    gain = blocks.math.Gain
    assert list(inspect.signature(gain).parameters) == ["k"]
    assert "Modelica.Blocks.Math.Gain" in gain.__doc__
    assert "Inputs:" in gain.__doc__ and "    u:" in gain.__doc__
    assert "k" in dir(gain(k=1)) and "u" in dir(gain(k=1))


def run(block, name, **options):
    d = Diagram("D")
    d.add(block, "b")
    return d.run(**options)["b." + name]


@pytest.mark.parametrize("kind, arguments, value", [
    ("Sine", dict(amplitude=2, f=0.25), 2.0),
    ("Step", dict(height=3, startTime=0.5), 3.0),
    ("Ramp", dict(duration=2, height=4), 2.0),
    ("Constant", dict(k=5), 5.0)])
def test_sources_give_their_values(kind, arguments, value):
    y = run(getattr(blocks.sources, kind)(**arguments), "y", stop=1)
    assert y[-1] == pytest.approx(value, abs=1e-9)


def test_arrays_truths_and_literals_are_arguments():
    table = blocks.sources.TimeTable(table=np.array([[0, 0], [1, 2], [2, 0]]))
    assert run(table, "y", stop=0.75)[-1] == pytest.approx(1.5)
    for init in (blocks.Init.InitialState, "InitialState",
                 "Modelica.Blocks.Types.Init.InitialState"):
        lag = blocks.continuous.FirstOrder(T=1, initType=init, y_start=3)
        d = Diagram("D")
        d.add(lag, "lag")
        zero = d.add(blocks.sources.Constant(k=0), "zero")
        d.connect(zero.y, lag.u)
        assert d.run(stop=1, tolerance=1e-9)["lag.y"][-1] == pytest.approx(
            3 * math.exp(-1), abs=1e-7)
    assert "NoInit" in blocks.Init.__members__


def test_a_structural_parameter_cannot_be_set_later():
    total = blocks.math.Sum(nin=3)
    assert total.u.shape == (3,)
    with pytest.raises(ValueError, match="where the block is made"):
        total.nin = 4


def test_a_name_that_there_is_not_is_corrected():
    with pytest.raises(AttributeError, match="did you mean 'Gain'"):
        blocks.math.Gian
    with pytest.raises(AttributeError, match="did you mean 'math'"):
        blocks.mathe


# Functions of Python -------------------------------------------------------

class Driven(Block):
    x, y = State(1.0), Output()

    def equations(self):
        yield der(self.x) == self.slope(self.x, self.time)
        yield self.y == self.x


@pytest.mark.parametrize("slope, exact", [
    (lambda x, t: -2 * x, math.exp(-2)),
    (lambda x, t: math.cos(t), 1 + math.sin(1)),
    (lambda x, t: float(np.interp(t, [0, 1], [0, 2])), 2.0)])
def test_an_opaque_function_runs_in_equations(slope, exact):
    block = Driven()
    block.slope = opaque(slope)
    y = block.run(stop=1, tolerance=1e-9, absolute_tolerance=1e-11)["y"]
    assert y[-1] == pytest.approx(exact, abs=1e-7)


def test_an_opaque_function_may_have_several_outputs_and_take_arrays():
    turn = opaque(lambda a, b, w: (-w * b, w * a), outputs=2)

    class Turning(Block):
        x = State([1.0, 0.0])

        def equations(self):
            a, b = turn(self.x, 2.0)
            yield der(self.x[0]) == a
            yield der(self.x[1]) == b
    r = Turning().run(stop=1, tolerance=1e-9, absolute_tolerance=1e-11)
    assert r["x[1]"][-1] == pytest.approx(math.cos(2), abs=1e-7)


def test_a_model_tells_whether_it_calls_python():
    block = Driven()
    block.slope = opaque(lambda x, t: -x)
    assert block.model().calls_python
    block = Driven()
    block.slope = lambda x, t: -x
    assert not block.model().calls_python


def test_a_sweep_of_an_opaque_function_warns_and_gives_its_numbers():
    class Grown(Block):
        k, x = orrery.Parameter(1.0), State(1.0)
        slope = opaque(lambda k, x: k * x)

        def equations(self):
            yield der(self.x) == self.slope(self.k, self.x)
    with pytest.warns(RuntimeWarning, match="take turns.*orrery.opaque"):
        sweep = Grown().model().sweep({"k": [0.0, 0.5, 1.0]}, keep=["x"],
                                      jobs=2, stop=1, tolerance=1e-8)
    assert sweep["x"] == pytest.approx(np.exp([0, 0.5, 1]), abs=1e-6)


def test_an_opaque_function_of_numbers_is_itself():
    assert opaque(math.hypot)(3, 4) == 5


def test_what_an_opaque_function_raises_is_the_cause_of_the_error():
    def fail(x, t):
        if t > 0.5:
            raise LookupError("no value")
        return 1.0
    block = Driven()
    block.slope = opaque(fail)
    with pytest.raises(orrery.RunError,
                       match="LookupError: no value") as error:
        block.run(stop=1)
    assert isinstance(error.value.__cause__, LookupError)
    assert 0.4 < error.value.result.time[-1] <= 0.51


def test_a_wrong_number_of_outputs_is_told():
    block = Driven()
    block.slope = opaque(lambda x, t: (x, t))
    with pytest.raises(orrery.RunError, match="gave 2 numbers.*outputs=1"):
        block.run(stop=1)
    with pytest.raises(TypeError, match="cannot be called"):
        opaque(3)
