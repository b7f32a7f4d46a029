"""What blocks say about wrong use, with lines of Python."""
import inspect
import math
import threading

import numpy as np
import pytest

import orrery
from orrery import (Block, Diagram, Discrete, Event, Input, Output, Parameter,
                    State, der, when)


def line_of(block, text):
    """The line of this file on which the class of `block` has `text`."""
    lines, first = inspect.getsourcelines(type(block))
    return next(first + i for i, line in enumerate(lines) if text in line)


def refused(kind, block):
    with pytest.raises(kind) as error:
        block.model()
    return error


class Plain(Block):
    k, u = Parameter(1.0), Input(default=0)
    x, y = State(0.0), Output()

    def equations(self):
        yield der(self.x) == self.k
        yield self.y == self.x + self.u


# Formulas as if they were numbers ------------------------------------------

def by_if(x):
    return 1 if x > 0 else 2


def by_and(x):
    return x > 0 and x < 1


def by_chain(x):
    return 0 < x < 1


def by_max(x):
    return max(x, 1)


@pytest.mark.parametrize("decide", [by_if, by_and, by_chain, by_max])
def test_a_decision_by_a_formula_names_its_line_and_where(decide):
    class Deciding(Plain):
        def equations(self):
            yield der(self.x) == decide(self.x)
    error = refused(TypeError, Deciding())
    line = decide.__code__.co_firstlineno + 1
    assert f"{__file__}:{line}: cannot decide by a formula" in str(error.value)
    assert "where(condition, a, b)" in str(error.value)
    assert "when(condition)" in str(error.value)


@pytest.mark.parametrize("function", [
    lambda x: math.sin(x), lambda x: math.exp(x + 1), lambda x: float(x),
    lambda x: int(x)])
def test_a_function_of_numbers_is_refused_with_its_line(function):
    class Wrong(Plain):
        def equations(self):
            yield der(self.x) == function(self.x)
    error = refused(TypeError, Wrong())
    assert f"{__file__}:{function.__code__.co_firstlineno}" in str(error.value)
    assert "orrery.sin or numpy.sin" in str(error.value)


def test_a_function_of_numpy_without_formula_is_named():
    class Wrong(Plain):
        def equations(self):
            yield der(self.x) == np.spacing(self.x)
    error = refused(TypeError, Wrong())
    assert "cannot trace numpy.spacing" in str(error.value)
    assert "orrery.opaque" in str(error.value)


def test_a_text_in_a_formula_is_named():
    class Wrong(Plain):
        def equations(self):
            yield der(self.x) == self.x + "1"
    error = refused(TypeError, Wrong())
    assert "'1'" in str(error.value) and "of type str" in str(error.value)


# Results of equations ------------------------------------------------------

@pytest.mark.parametrize("item, told", [
    (lambda self: None, "None"),
    (lambda self: (self.x, 1), "a tuple of 2"),
    (lambda self: 3.5, "3.5"),
    (lambda self: self.x + 1, "the formula x + 1 without =="),
    (lambda self: when(self.x > 1), "when(...) without .set(...)")])
def test_what_is_no_equation_is_named_with_its_line(item, told):
    class Wrong(Plain):
        def equations(self):
            yield from super().equations()
            yield item(self)  # Wrong.
    block = Wrong()
    error = refused(TypeError, block)
    assert f"{__file__}:{line_of(block, '# Wrong.')}: cannot take {told}" in (
        str(error.value))
    assert "yield der(self.x) == ..." in str(error.value)


def test_equations_without_yield_are_named():
    class Wrong(Plain):
        def equations(self):
            der(self.x) == 1
    error = refused(TypeError, Wrong())
    assert "give None; state them by yield" in str(error.value)


def test_an_assignment_among_equations_is_named():
    class Wrong(Plain):
        def equations(self):
            self.x = 3
            yield der(self.x) == 1
    error = refused(TypeError, Wrong())
    assert "an equation is written by ==" in str(error.value)
    assert "yield self.x == ..." in str(error.value)


# Wrong equations -----------------------------------------------------------

def test_missing_and_double_equations_are_told_at_once_with_lines():
    class Wrong(Block):
        x, v, y = State(), State(), Output()

        def equations(self):
            yield der(self.v) == 1
            yield self.y == self.x
            yield self.y == self.v
    block = Wrong()
    error = refused(orrery.ModelError, block)
    missing, double, note = error.value.diagnostics
    assert missing.path == "Wrong.x"
    assert missing.message == "the derivative is never given"
    assert missing.hint == (
        "state it in equations: yield der(self.x) == ...")
    assert missing.line == line_of(block, "def equations")
    assert double.path == "Wrong.y"
    assert double.message == "the value is given 2 times"
    assert double.line == line_of(block, "self.y == self.v")
    assert note.line == line_of(block, "self.y == self.x")
    assert {missing.file, double.file, note.file} == {__file__}
    assert "yield self.y == self.v\n" in str(error.value)
    assert "^~~~" in str(error.value)


@pytest.mark.parametrize("equation, told", [
    (lambda self: self.k == 2, "it is a parameter"),
    (lambda self: self.n == 2, "yield when(condition).set(n=...)"),
    (lambda self: when(self.x > 1).set(y=2), "it is an output"),
    (lambda self: self.y == np.ones(3), "shapes"),
    (lambda self: self.y == (self.x > 1), "Boolean")])
def test_an_equation_for_the_wrong_quantity_points_at_its_line(equation, told):
    class Wrong(Plain):
        n = Discrete(0.0)

        def equations(self):
            yield der(self.x) == 1
            yield equation(self)  # Wrong.
    block = Wrong()
    error = refused(orrery.ModelError, block)
    finding = error.value.diagnostics[0]
    assert told in str(error.value)
    assert (finding.file, finding.line) == (
        __file__, line_of(block, "# Wrong."))


def test_an_error_within_a_formula_points_at_its_line():
    class Wrong(Plain):
        def equations(self):
            yield der(self.x) == 1
            yield self.y == (self.x
                             + der(self.y))  # Wrong.
    block = Wrong()
    finding = refused(orrery.ModelError, block).value.diagnostics[0]
    assert "declare it as a State" in finding.message
    assert (finding.file, finding.line) == (
        __file__, line_of(block, "# Wrong."))


def test_a_name_that_set_does_not_know_is_corrected():
    class Wrong(Plain):
        output = Discrete(0.0)

        def equations(self):
            yield from super().equations()
            yield when(self.x > 1).set(outpt=0)
    error = refused(ValueError, Wrong())
    assert "'outpt'" in str(error.value)
    assert "did you mean 'output'" in str(error.value)


def test_the_compiler_points_at_lines_of_python():
    class Overdetermined(Block):
        a, b = Output(), Output()

        def equations(self):
            yield self.a + self.b == 1
            yield self.a + self.b == 2  # Wrong.
    block = Overdetermined()
    with pytest.raises(orrery.Error) as error:
        block.run(stop=1)
    assert {d.file for d in error.value.diagnostics} == {__file__}
    assert line_of(block, "== 1") in {
        d.line for d in error.value.diagnostics} or line_of(
            block, "# Wrong.") in {d.line for d in error.value.diagnostics}


# Formulas in the wrong place -----------------------------------------------

@pytest.mark.parametrize("use", [
    lambda b: b.x + 1, lambda b: np.sin(b.k), lambda b: b.x == b.y,
    lambda b: der(b.x), lambda b: orrery.sin(b.x)])
def test_a_quantity_outside_of_equations_says_that_it_is_a_formula(use):
    with pytest.raises(ValueError, match="only in the equations") as error:
        use(Plain())
    assert "Plain." in str(error.value)


def test_a_formula_that_is_kept_cannot_be_used_later():
    class Keeping(Plain):
        def equations(self):
            self.kept = self.x + 1
            yield from super().equations()
    block = Keeping()
    block.model()
    with pytest.raises(ValueError, match="a call of equations that has ended"):
        block.kept * 2


def test_a_quantity_of_another_block_is_refused():
    other = Plain()

    class Reaching(Plain):
        def equations(self):
            yield der(self.x) == other.x
            yield self.y == 1
    error = refused(ValueError, Reaching())
    assert "Plain.x" in str(error.value)


# Diagrams ------------------------------------------------------------------

def pair():
    d = Diagram("D")
    return d, d.add(Plain(), "a"), d.add(Plain(), "b")


@pytest.mark.parametrize("connect, told", [
    (lambda d, a, b: d.connect(a.y, b.y), ["D.a.y", "D.b.y", "an output"]),
    (lambda d, a, b: d.connect(a.u, b.u), ["D.a.u", "D.b.u", "an input"]),
    (lambda d, a, b: d.connect(a.y, Plain().u), ["Plain", "in no diagram"]),
    (lambda d, a, b: d.connect(
        a.y, d.add(orrery.blocks.logical.Not(), "no").u),
     ["D.no.u", "Boolean"])])
def test_a_wrong_connection_names_both_ports(connect, told):
    with pytest.raises(orrery.ModelError) as error:
        connect(*pair())
    for part in told:
        assert part in str(error.value)


def test_an_input_has_one_source():
    d, a, b = pair()
    d.connect(a.y, b.u)
    with pytest.raises(orrery.ModelError, match="D.b.u"):
        d.connect(a.y, b.u)


def test_a_port_that_there_is_not_is_corrected():
    d, a, b = pair()
    gain = d.add(orrery.blocks.math.Gain(), "gain")
    with pytest.raises(AttributeError,
                       match="no quantity 'uu'; known: k, u, y"):
        gain.uu
    with pytest.raises(AttributeError, match="no part or quantity 'gein'"
                                             ".*'gain'"):
        d.gein
    with pytest.raises(TypeError, match="it is no port"):
        d.connect(a, b.u)


def test_a_block_is_part_of_one_diagram():
    d, a, b = pair()
    with pytest.raises(ValueError, match="it is a part already"):
        Diagram("E").add(a, "a")
    with pytest.raises(orrery.ModelError, match="a block of that name"):
        d.add(Plain(), "a")


def test_what_is_no_block_is_no_part():
    with pytest.raises(TypeError, match="give a block or a model"):
        Diagram("D").add(3, "a")


# Classes and values --------------------------------------------------------

def test_an_unknown_keyword_is_corrected():
    with pytest.raises(ValueError, match="with 'kk'.*known: k, u, x, y"):
        Plain(kk=1)
    with pytest.raises(ValueError, match="'ampliude'.*mean 'amplitude'"):
        orrery.blocks.sources.Sine(ampliude=1)


@pytest.mark.parametrize("value", [math.nan, math.inf, [1.0, 2.0]])
def test_a_value_that_does_not_fit_is_refused(value):
    with pytest.raises(ValueError, match="Plain.k"):
        Plain(k=value)


def test_an_output_has_no_value_to_set():
    with pytest.raises(ValueError, match="Plain.y: it is an output"):
        Plain().y = 3


def test_a_direction_of_an_event_is_one_of_three():
    class Wrong(Block):
        e = Event("up")
    with pytest.raises(ValueError, match="rising, falling, either"):
        Wrong()


# Threads -------------------------------------------------------------------

def test_a_block_that_two_threads_trace_is_named():
    entered, go_on = threading.Event(), threading.Event()

    class Slow(Plain):
        def equations(self):
            entered.set()
            go_on.wait(10)
            yield from super().equations()
    block = Slow()
    thread = threading.Thread(target=block.model)
    thread.start()
    entered.wait(10)
    try:
        with pytest.raises(ValueError, match="cannot trace Slow: another "
                                             "thread is tracing it"):
            block.model()
    finally:
        go_on.set()
        thread.join()
    assert block.model().run(stop=1)["y"][-1] == pytest.approx(1)


def test_equations_that_ask_for_their_own_model_are_refused():
    class Looking(Plain):
        def equations(self):
            self.model()
            yield der(self.x) == 1
    error = refused(ValueError, Looking())
    assert "its own equations ask for it" in str(error.value)


def test_a_block_can_be_traced_again_after_an_error():
    class Once(Plain):
        fail = True

        def equations(self):
            if self.fail:
                raise LookupError("not yet")
            yield from super().equations()
    block = Once()
    refused(LookupError, block)
    block.fail = False
    assert block.run(stop=1)["y"][-1] == pytest.approx(1)
