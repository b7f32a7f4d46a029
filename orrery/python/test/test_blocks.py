"""Blocks with traced equations, and diagrams of them."""
import gc
import math
import weakref

import numpy as np
import pytest

import orrery
from orrery import (Block, Clock, Diagram, Discrete, Event, Input, Output,
                    Parameter, State, Variable, and_, delayed, der, initial,
                    not_, or_, pre, sample, sin, terminate, when, where)

TIGHT = dict(tolerance=1e-10, absolute_tolerance=1e-12)


class Pendulum(Block):
    length = Parameter(1.0, unit="m", min=0, description="of the rod")
    torque = Input(unit="N.m", default=0)
    angle, rate = State(0.1, unit="rad"), State(0.0, unit="rad/s")
    tip = Output(unit="m")

    def equations(self):
        yield der(self.angle) == self.rate
        yield der(self.rate) == (-9.81 / self.length * sin(self.angle)
                                 + self.torque)
        yield self.tip == self.length * np.sin(self.angle)


class Decay(Block):
    rate, x = Parameter(1.0), State(1.0)
    y = Output()

    def equations(self):
        yield der(self.x) == -self.rate * self.x
        yield self.y == self.x


def final(block, name, stop=1.0, **options):
    return block.run(stop=stop, **TIGHT, **options)[name][-1]


# Equations -----------------------------------------------------------------

def test_a_block_runs_as_its_equations_say():
    assert final(Decay(rate=2), "x") == pytest.approx(math.exp(-2), abs=1e-9)


def test_the_energy_of_a_pendulum_is_kept():
    r = Pendulum(angle=1.0, length=2).run(stop=10, **TIGHT)
    energy = r["rate"]**2 / 2 - 9.81 / 2 * np.cos(r["angle"])
    assert np.ptp(energy) < 1e-7


def test_quantities_know_what_was_declared():
    pendulum = Pendulum(length=2)
    length = pendulum.length
    assert length.value == 2.0 and length.unit == "m" and length.min == 0
    assert length.description == "of the rod" and length.kind == "parameter"
    assert pendulum.tip.kind == "output" and pendulum.tip.value is None
    assert list(pendulum.quantities) == [
        "length", "torque", "angle", "rate", "tip"]


def test_values_can_be_set_after_the_block_is_made():
    block = Decay()
    block.rate = 3
    block["x"] = 2
    assert final(block, "x") == pytest.approx(2 * math.exp(-3), abs=1e-9)
    block.rate = 1
    assert final(block, "x") == pytest.approx(2 * math.exp(-1), abs=1e-9)


def test_a_subclass_inherits_quantities_and_equations():
    class Pushed(Decay):
        push = Parameter(0.5)

        def equations(self):
            yield from super().equations()
            yield orrery.assert_(self.push > 0, "pushed")
    assert final(Pushed(), "x") == pytest.approx(math.exp(-1), abs=1e-9)


def test_a_subclass_needs_no_call_of_init():
    class Lazy(Decay):
        def __init__(self, rate):
            self.note = rate
            self.rate = rate
    assert final(Lazy(2), "x") == pytest.approx(math.exp(-2), abs=1e-9)


def test_equations_may_be_a_list():
    class Listed(Block):
        x = State(1.0)

        def equations(self):
            return [der(self.x) == -self.x]
    assert final(Listed(), "x") == pytest.approx(math.exp(-1), abs=1e-9)


def test_equations_may_stand_the_other_way_round():
    class Turned(Block):
        x = State(0.0)

        def equations(self):
            yield 1.5 == der(self.x)
    assert final(Turned(), "x") == pytest.approx(1.5, abs=1e-9)


def test_equations_in_no_causality_are_solved():
    class Divider(Block):
        i, v = Variable(unit="A"), Output(unit="V")

        def equations(self):
            yield 12 - self.v == 4 * self.i
            yield self.v / 2 - self.i == 0
    r = Divider().run(stop=1)
    assert r["v"][-1] == pytest.approx(4, abs=1e-12)
    assert r["i"][-1] == pytest.approx(2, abs=1e-12)


def test_initial_equations_determine_starts():
    class Settled(Block):
        x = State(1.0, fixed=False)

        def equations(self):
            yield der(self.x) == 8 - self.x**3
            yield initial(der(self.x) == 0)
    assert Settled().run(stop=1)["x"][0] == pytest.approx(2, abs=1e-9)


def test_time_and_delays():
    class Echo(Block):
        late = Output()

        def equations(self):
            yield self.late == delayed(self.time**2, 0.5)
    r = Echo().run(stop=2, **TIGHT)
    assert r["late"][-1] == pytest.approx(2.25, abs=1e-6)
    assert r["late"][0] == 0


@pytest.mark.parametrize("formula, value", [
    (lambda x: where(x > 1, x, -x), 2.0),
    (lambda x: where(and_(x > 1, x < 3), 5, 6), 5.0),
    (lambda x: where(or_(x > 3, not_(x > 1)), 5, 6), 6.0),
    (lambda x: where((x > 1) & (x < 3) & ~(x == 7), 5, 6), 5.0),
    (lambda x: orrery.maximum(x, 3), 3.0),
    (lambda x: orrery.minimum(x, 3), 2.0),
    (lambda x: np.maximum(x, 3), 3.0),
    (lambda x: np.where(x > 1, x, 0), 2.0),
    (lambda x: abs(-x), 2.0), (lambda x: x % 1.5, 0.5),
    (lambda x: -x // 1.5, -2.0), (lambda x: 2**x, 4.0), (lambda x: x**-1, 0.5),
    (lambda x: np.hypot(x, 1.5), 2.5),
    (lambda x: orrery.atan2(x, x), 0.25 * math.pi),
    (lambda x: np.float64(3) * x, 6.0), (lambda x: x * np.int32(3), 6.0),
    (lambda x: np.exp(np.log(x)), 2.0), (lambda x: orrery.rem(-x, 1.5), -0.5),
    (lambda x: np.sum(np.array([x, x, 1])), 5.0),
    (lambda x: np.dot(np.array([1, 2]), np.array([x, x])), 6.0)])
def test_formulas_have_the_values_of_numbers(formula, value):
    class Formula(Block):
        x, y = State(2.0), Output()

        def equations(self):
            yield der(self.x) == 0
            yield self.y == formula(self.x)
    assert Formula().run(stop=1)["y"][-1] == pytest.approx(value, abs=1e-12)


# Arrays --------------------------------------------------------------------

class Rod(Block):
    k = Parameter(0.5)

    def __init__(self, n):
        super().__init__()
        self.u = State([20.0] + [0.0] * (n - 1), shape=n, unit="degC")
        self.mean = Output()

    def equations(self):
        u = self.u
        yield der(u[0]) == 0
        yield der(u[1:-1]) == self.k * (u[2:] - 2 * u[1:-1] + u[:-2])
        yield der(u[-1]) == 0
        yield self.mean == u.sum() / len(u)


class RodByElements(Rod):
    def equations(self):
        u = np.asarray(self.u)
        slopes = np.zeros_like(u)
        slopes[1:-1] = self.k * (u[2:] - 2 * u[1:-1] + u[:-2])
        yield der(self.u) == slopes
        yield self.mean == np.mean(u)


@pytest.mark.parametrize("n", [3, 10, 200])
def test_slices_are_loops_with_the_values_of_elements(n):
    loops, elements = (kind(n).run(stop=1, **TIGHT)
                       for kind in (Rod, RodByElements))
    for name in ("u[2]", f"u[{n}]", "mean"):
        assert loops[name][-1] == pytest.approx(elements[name][-1], abs=1e-9)


def test_a_linear_system_of_a_matrix():
    turn = np.array([[0.0, -2.0], [2.0, 0.0]])

    class Turning(Block):
        x = State([1.0, 0.0])
        norm = Output()

        def equations(self):
            yield der(self.x) == turn @ self.x
            yield self.norm == np.sqrt(self.x @ self.x)
    r = Turning().run(stop=1, **TIGHT)
    assert r["x[1]"][-1] == pytest.approx(math.cos(2), abs=1e-9)
    assert r["x[2]"][-1] == pytest.approx(math.sin(2), abs=1e-9)
    assert r["norm"][-1] == pytest.approx(1, abs=1e-9)


def test_parameters_may_be_matrices():
    class System(Block):
        a = Parameter([[0.0, 1.0], [-4.0, 0.0]])
        x, y = State([1.0, 0.0]), Output(shape=2)

        def equations(self):
            yield der(self.x) == self.a @ self.x
            yield self.y == self.x[::-1]
    r = System().run(stop=1, **TIGHT)
    assert r["y[2]"][-1] == pytest.approx(math.cos(2), abs=1e-9)
    assert r["y[1]"][-1] == pytest.approx(-2 * math.sin(2), abs=1e-9)


def test_elements_are_counted_from_zero_and_from_the_end():
    class Three(Block):
        x, y = State([1.0, 2.0, 3.0]), Output()

        def equations(self):
            a, b, c = self.x
            yield der(self.x) == 0
            yield self.y == 100 * self.x[0] + 10 * self.x[-1] + b
    assert Three().run(stop=1)["y"][-1] == 132


# Events --------------------------------------------------------------------

class Ball(Block):
    h, v = State(10.0, unit="m"), State(0.0, unit="m/s")
    impacts = Discrete(0)
    impact = Event("falling")

    def equations(self):
        yield der(self.h) == self.v
        yield der(self.v) == -9.81
        yield self.impact == self.h
        yield when(self.impact).set(v=-0.8 * self.v, impacts=self.impacts + 1)


def impact_time(n, height=10.0, e=0.8, g=9.81):
    return math.sqrt(2 * height / g) * (
        1 + 2 * e * (1 - e**(n - 1)) / (1 - e))


def test_a_ball_bounces_at_the_exact_times():
    r = Ball().run(stop=12.5, **TIGHT)
    assert r["impacts"][-1] == 16
    times = [e.time for e in r.events]
    assert times == pytest.approx(
        [impact_time(n) for n in range(1, 17)], abs=1e-9)


def test_a_condition_is_an_event_too():
    class Bouncing(Ball):
        def equations(self):
            yield der(self.h) == self.v
            yield der(self.v) == -9.81
            yield self.impact == self.h
            yield when(self.h < 0).set(
                v=-0.8 * self.v, impacts=self.impacts + 1)
    assert Bouncing().run(stop=12.5, **TIGHT)["impacts"][-1] == 16


def test_a_clock_ticks_exactly():
    class Held(Block):
        clock, x, held = Clock(0.2, offset=0.1), State(1.0), Discrete(0.0)

        def equations(self):
            yield der(self.x) == -self.x
            yield when(self.clock).set(held=self.x)
    assert Held().run(stop=1, **TIGHT)["held"][-1] == pytest.approx(
        math.exp(-0.9), abs=1e-9)


def test_samples_toggle_a_truth():
    class Toggle(Block):
        on, n = Discrete(False), Discrete(0.0)

        def equations(self):
            yield when(sample(0.5, 1)).set(on=not_(pre(self.on)))
            yield when(self.on).set(n=self.n + 1)
    r = Toggle().run(stop=4.2)
    assert r["n"][-1] == 2
    assert not r["on"][-1]


def test_an_element_can_be_set_at_an_event():
    class Cells(Block):
        n, x = Discrete([0.0, 0.0]), State(0.0)

        def equations(self):
            yield der(self.x) == 1
            yield when(self.x > 0.5).set(self.n[1], 7, self.x, 0)
    r = Cells().run(stop=0.8)
    assert (r["n[1]"][-1], r["n[2]"][-1]) == (0, 7)
    assert r["x"][-1] == pytest.approx(0.3)


def test_a_model_may_end_its_run():
    class Fall(Block):
        h = State(2.0)

        def equations(self):
            yield der(self.h) == -1
            yield terminate(self.h < 0.5, "low")
    r = Fall().run(stop=10)
    assert r.time[-1] == pytest.approx(1.5, abs=1e-9)


def test_an_assertion_that_fails_names_its_line():
    class Empty(Block):
        h = State(1.0)

        def equations(self):
            yield der(self.h) == -1
            yield orrery.assert_(self.h > 0.25, "the tank is empty")
    with pytest.raises(orrery.RunError, match="the tank is empty") as error:
        Empty().run(stop=10)
    finding = error.value.diagnostics[0]
    assert finding.file == __file__
    assert finding.line == (
        Empty.equations.__code__.co_firstlineno + 2)


# Diagrams ------------------------------------------------------------------

class Gain(Block):
    k, u, y = Parameter(1.0), Input(), Output()

    def equations(self):
        yield self.y == self.k * self.u


def controlled(gain):
    d = Diagram("Controlled")
    pendulum, part = d.add(Pendulum(), "pendulum"), d.add(gain, "gain")
    d.connect(pendulum.tip, part.u)
    d.connect(part.y, pendulum.torque)
    return d


def test_a_diagram_connects_blocks_of_any_kind():
    own = controlled(Gain(k=-3)).run(stop=10, **TIGHT)
    library = controlled(orrery.blocks.math.Gain(k=-3)).run(stop=10, **TIGHT)
    for r in (own, library):
        energy = (r["pendulum.rate"]**2 / 2
                  - 12.81 * np.cos(r["pendulum.angle"]))
        assert np.max(np.abs(energy + 12.81 * math.cos(0.1))) < 1e-7
    assert np.array_equal(own["pendulum.angle"], library["pendulum.angle"])


def test_parts_given_to_self_in_a_class_of_diagrams():
    class Chain(Diagram):
        u, y = Input(default=2.0), Output()

        def __init__(self, n):
            super().__init__()
            last = self.u
            for i in range(n):
                part = self.add(Gain(k=3), f"part[{i + 1}]")
                self.connect(last, part.u)
                last = part.y
            self.connect(last, self.y)

    class Top(Diagram):
        def __init__(self):
            super().__init__()
            self.chain = Chain(4)
            self.end = Decay()

    top = Top()
    assert top.chain.path == "Top.chain"
    assert top.chain.parts["part[4]"].k.path == "Top.chain.part[4].k"
    assert Chain(2).run({"u": 2}, stop=1)["y"][-1] == 18
    assert top.run(stop=1)["chain.y"][-1] == 162


def test_clocks_of_a_diagram_drive_blocks():
    class Count(Block):
        ticks = Discrete(0)

        def __init__(self, *clocks):
            super().__init__()
            self.clocks = clocks

        def equations(self):
            for clock in self.clocks:
                yield when(clock).set(ticks=self.ticks + 1)
    d = Diagram("Sampling")
    d.fast, d.slow = Clock(0.2), Clock(0.25)
    d.add(Count(d.fast, d.slow), "count")
    assert d.run(stop=5)["count.ticks"][-1] == 26 + 21


def test_elements_of_ports_are_connected():
    d = Diagram("D")
    x = d.add(Decay(), "x")
    total = d.add(orrery.blocks.math.Sum(nin=2, k=[1, -3]), "sum")
    d.connect(x.y, total.u[0])
    d.connect(x.y, total.u[-1])
    r = d.run(stop=1, **TIGHT)
    assert r["sum.y"][-1] == pytest.approx(-2 * math.exp(-1), abs=1e-9)


def test_a_model_of_a_file_is_a_part(tmp_path):
    path = tmp_path / "filter.mo"
    path.write_text("model Filter input Real u; output Real y(start = 0, "
                    "fixed = true); parameter Real T = 0.5; equation "
                    "T*der(y) = u - y; end Filter;")
    d = Diagram("D")
    x, low = d.add(Decay(rate=0), "x"), d.add(orrery.load(path), "low")
    low.T = 0.25
    d.connect(x.y, low.u)
    r = d.run(stop=1, **TIGHT)
    assert r["low.y"][-1] == pytest.approx(1 - math.exp(-4), abs=1e-9)


def test_blocks_are_freed():
    d = controlled(Gain())
    d.model()
    gone = weakref.ref(d), weakref.ref(d.parts["pendulum"])
    del d
    gc.collect()
    assert [ref() for ref in gone] == [None, None]


def test_a_part_keeps_its_diagram():
    gain = controlled(Gain()).gain
    gc.collect()
    assert gain.path == "Controlled.gain"
    gain.k = 2
    assert gain.k.value == 2


def test_functions_of_a_block_can_be_called():
    ball, gain = Ball(), Gain(k=3)
    assert ball.num_states == 2
    assert ball.state_update_function(0, [2, 3]).tolist() == [3, -9.81]
    assert ball.event_function(0, [2, 3]).tolist() == [2]
    assert gain.output_function(0, [], [2]).tolist() == [6]
    assert gain.feedthrough_inputs() == gain.feedthrough_inputs(0) == [0]
    gain.k = 4
    assert gain.output_function(0, [], [2]).tolist() == [8]
