"""orrery.solve_ivp beside scipy's, on scipy's examples and others."""
import math
import warnings

import numpy as np
import pytest
from scipy import integrate

import orrery


def decay(t, y):
    return -0.5 * y


def cannon(t, y):
    return [y[1], -0.5]


def lotka_volterra(t, z, a, b, c, d):
    x, y = z
    return [a * x - b * x * y, -c * y + d * x * y]


def lorenz(t, u):
    x, y, z = u
    return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# scipy's documentation -----------------------------------------------------

def test_exponential_decay_of_scipys_documentation():
    sol = orrery.solve_ivp(decay, [0, 10], [2, 4, 8], rtol=1e-8, atol=1e-10)
    assert sol.t[0] == 0 and sol.t[-1] == 10
    assert sol.y.shape == (3, len(sol.t))
    exact = np.outer([2, 4, 8], np.exp(-0.5 * sol.t))
    assert np.max(np.abs(sol.y - exact)) < 1e-7
    assert sol.success and sol.status == 0
    assert sol.t_events is None and sol.y_events is None and sol.sol is None
    assert sol.message.startswith("The solver successfully reached")


def test_t_eval_of_scipys_documentation():
    times = [0, 1, 2, 4, 10]
    sol = orrery.solve_ivp(decay, [0, 10], [2, 4, 8], t_eval=times)
    peer = integrate.solve_ivp(decay, [0, 10], [2, 4, 8], t_eval=times)
    assert sol.t.tolist() == times
    assert np.allclose(sol.y, peer.y, rtol=5e-3)


def test_cannon_of_scipys_documentation():
    def hit_ground(t, y): return y[0]
    hit_ground.terminal = True
    hit_ground.direction = -1
    sol = orrery.solve_ivp(cannon, [0, 100], [0, 10], events=hit_ground)
    peer = integrate.solve_ivp(cannon, [0, 100], [0, 10], events=hit_ground)
    assert sol.status == peer.status == 1
    assert sol.message == peer.message
    assert sol.t_events[0] == pytest.approx([40.0], abs=1e-9)
    assert sol.t[-1] == sol.t_events[0][0]
    assert sol.y_events[0].shape == peer.y_events[0].shape
    assert sol.y_events[0] == pytest.approx(
        np.array([[0.0, -10.0]]), abs=1e-9)


def test_apex_of_the_cannon_of_scipys_documentation():
    def apex(t, y): return y[1]

    def hit_ground(t, y): return y[0]
    hit_ground.terminal = True
    hit_ground.direction = -1
    sol = orrery.solve_ivp(cannon, [0, 100], [0, 10],
                           events=(hit_ground, apex), dense_output=True)
    assert sol.t_events[0] == pytest.approx([40.0], abs=1e-9)
    assert sol.t_events[1] == pytest.approx([20.0], abs=1e-9)
    assert sol.sol(sol.t_events[1][0]) == pytest.approx([100.0, 0], abs=1e-8)
    assert sol.y_events[1] == pytest.approx(
        np.array([[100.0, 0.0]]), abs=1e-9)


def test_lotka_volterra_of_scipys_documentation():
    sol = orrery.solve_ivp(lotka_volterra, [0, 15], [10, 5],
                           args=(1.5, 1, 3, 1), dense_output=True,
                           rtol=1e-9, atol=1e-10)
    peer = integrate.solve_ivp(lotka_volterra, [0, 15], [10, 5],
                               args=(1.5, 1, 3, 1), dense_output=True,
                               rtol=1e-10, atol=1e-12, method="DOP853")
    t = np.linspace(0, 15, 300)
    assert sol.sol(t).shape == (2, 300)
    assert np.max(np.abs(sol.sol(t) - peer.sol(t))) < 2e-6
    assert sol.sol.t_min == 0 and sol.sol.t_max == 15


# Forms of f ----------------------------------------------------------------

A = np.array([[-1.0, 2.0], [-2.0, -1.0]])

FORMS = {
    "list": lambda t, y: [-y[0] + 2 * y[1], -2 * y[0] - y[1]],
    "tuple": lambda t, y: (-y[0] + 2 * y[1], -2 * y[0] - y[1]),
    "array": lambda t, y: np.array([-y[0] + 2 * y[1], -2 * y[0] - y[1]]),
    "matrix": lambda t, y: A @ y,
    "dot": lambda t, y: A.dot(y),
    "whole": lambda t, y: -y + 2 * np.array([y[1], -y[0]]),
    "roll": lambda t, y: -y + 2 * np.roll(y, 1) * np.array([1.0, -1.0]),
    "stack": lambda t, y: np.concatenate([A[:1] @ y, A[1:] @ y]),
    "zeros_like": lambda t, y: fill(np.zeros_like(y), y),
    "sum": lambda t, y: [np.sum(A[0] * y), (A[1] * y).sum()],
    "float64": lambda t, y: [np.float64(-1) * y[0] + np.float64(2) * y[1],
                             -2 * y[0] - y[1]],
}


def fill(out, y):
    out[0] = -y[0] + 2 * y[1]
    out[1] = -2 * y[0] - y[1]
    return out


@pytest.mark.parametrize("form", FORMS)
def test_f_may_give_its_slopes_in_any_form(form):
    sol = orrery.solve_ivp(FORMS[form], (0, 1), [1.0, 0.0], rtol=1e-10,
                           atol=1e-12)
    exact = math.exp(-1) * np.array([math.cos(2), -math.sin(2)])
    assert sol.y[:, -1] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("function, slope", [
    (np.sin, math.sin), (np.exp, math.exp), (np.tanh, math.tanh),
    (np.arctan, math.atan), (np.sqrt, math.sqrt), (np.log1p, math.log1p),
    (np.square, lambda x: x * x), (np.abs, abs), (np.cbrt, lambda x: x**(1/3)),
    (orrery.cos, math.cos), (lambda y: np.maximum(y, 0.5), lambda x: x),
    (lambda y: np.where(y > 0.5, y, 0), lambda x: x),
    (lambda y: np.clip(y, 0, 3), lambda x: x)])
def test_functions_of_numpy_are_traced(function, slope):
    sol = orrery.solve_ivp(lambda t, y: function(y) * t, (1, 1.1), [1.0],
                           rtol=1e-9, atol=1e-12)
    peer = integrate.solve_ivp(lambda t, y: [slope(y[0]) * t], (1, 1.1), [1.0],
                               rtol=1e-11, atol=1e-13, method="DOP853")
    assert sol.y[0, -1] == pytest.approx(peer.y[0, -1], abs=1e-8)


def test_one_equation_may_give_a_number():
    sol = orrery.solve_ivp(lambda t, y: -y[0], (0, 1), [1], rtol=1e-9,
                           atol=1e-12)
    assert sol.y[0, -1] == pytest.approx(math.exp(-1), abs=1e-8)


def test_f_is_called_once():
    calls = []

    def f(t, y):
        calls.append(t)
        return -y
    orrery.solve_ivp(f, (0, 10), [1.0])
    assert len(calls) == 1


def test_a_closure_that_changes_is_seen():
    rate = 1.0

    def f(t, y): return -rate * y
    first = orrery.solve_ivp(f, (0, 1), [1.0], rtol=1e-9, atol=1e-12)
    rate = 2.0
    second = orrery.solve_ivp(f, (0, 1), [1.0], rtol=1e-9, atol=1e-12)
    assert first.y[0, -1] == pytest.approx(math.exp(-1), abs=1e-8)
    assert second.y[0, -1] == pytest.approx(math.exp(-2), abs=1e-8)


def test_time_runs_backwards_too():
    sol = orrery.solve_ivp(lambda t, y: [2 * t], (3, 1), [9.0], rtol=1e-9)
    assert sol.t[0] == 3 and sol.t[-1] == 1
    assert np.all(np.diff(sol.t) < 0)
    assert sol.y[0] == pytest.approx(sol.t**2, abs=1e-8)


def test_events_of_a_run_backwards_keep_their_direction():
    def rises(t, y): return y[0]
    rises.direction = 1
    sol = orrery.solve_ivp(lambda t, y: [np.cos(t)], (6.5, 0.1),
                           [math.sin(6.5)], events=rises, rtol=1e-9,
                           atol=1e-12)
    peer = integrate.solve_ivp(lambda t, y: [np.cos(t)], (6.5, 0.1),
                               [math.sin(6.5)], events=rises, rtol=1e-9)
    assert peer.t_events[0] == pytest.approx([math.pi], abs=1e-5)
    assert sol.t_events[0] == pytest.approx([math.pi], abs=1e-7)


def test_an_absolute_tolerance_for_each_element():
    sol = orrery.solve_ivp(decay, (0, 5), [1.0, 1e-6], rtol=1e-12,
                           atol=[1e-6, 1e-13], method="dopri5")
    assert sol.y[1, -1] == pytest.approx(1e-6 * math.exp(-2.5), abs=1e-12)


@pytest.mark.parametrize("terminal, count", [(True, 1), (2, 2), (5, 5)])
def test_a_number_of_events_may_end_a_run(terminal, count):
    def zero(t, y): return y[0]
    zero.terminal = terminal
    sol = orrery.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 100), [1.0, 0.0],
                           events=zero, rtol=1e-9, atol=1e-12)
    exact = math.pi * (np.arange(count) + 0.5)
    assert sol.t_events[0] == pytest.approx(exact, abs=1e-7)
    assert sol.status == 1


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "BDF", "LSODA",
                                    "taylor", "cvode-adams"])
def test_methods_of_scipy_and_orrery_agree(method):
    times = np.linspace(0, 2, 5)
    sol = orrery.solve_ivp(lorenz, (0, 2), [1.0, 1.0, 1.0], method=method,
                           t_eval=times, rtol=1e-8, atol=1e-10)
    peer = integrate.solve_ivp(lorenz, (0, 2), [1.0, 1.0, 1.0],
                               method="DOP853", t_eval=times, rtol=1e-12,
                               atol=1e-12)
    assert np.max(np.abs(sol.y - peer.y)) < 1e-3
    assert sol.nfev > 0


def test_a_stiff_problem():
    def f(t, y): return [y[1], 1000 * (1 - y[0]**2) * y[1] - y[0]]
    sol = orrery.solve_ivp(f, (0, 3000), [2, 0], method="Radau", rtol=1e-6,
                           atol=1e-9)
    peer = integrate.solve_ivp(f, (0, 3000), [2, 0], method="Radau",
                               rtol=1e-8, atol=1e-10)
    assert sol.y[0, -1] == pytest.approx(peer.y[0, -1], abs=1e-4)
    assert sol.njev > 0


# Functions that cannot be traced -------------------------------------------

def branching(t, y):
    return [1.0 if y[0] > 0 else 2.0]


def with_math(t, y):
    return [math.sin(y[0])]


def with_table(t, y):
    return [np.interp(y[0], [0, 10], [1, 2])]


@pytest.mark.parametrize("f", [branching, with_math, with_table])
def test_what_cannot_be_traced_is_called_with_a_warning(f):
    with pytest.warns(orrery.OpaqueWarning, match=f.__name__):
        sol = orrery.solve_ivp(f, (0, 1), [1.0], rtol=1e-8, atol=1e-10)
    peer = integrate.solve_ivp(f, (0, 1), [1.0], rtol=1e-10, atol=1e-12)
    assert sol.y[0, -1] == pytest.approx(peer.y[0, -1], abs=1e-7)


def test_events_of_an_opaque_function_are_found():
    def ground(t, y): return math.sin(0) + y[0]
    ground.terminal, ground.direction = True, -1

    def f(t, y): return [float(y[1]), -9.81]
    with pytest.warns(orrery.OpaqueWarning):
        sol = orrery.solve_ivp(f, (0, 10), [19.62, 0], events=ground)
    assert sol.t_events[0] == pytest.approx([2.0], abs=1e-6)


def test_what_f_raises_is_raised():
    def f(t, y): raise LookupError("no table")
    with pytest.raises(LookupError, match="no table"):
        orrery.solve_ivp(f, (0, 1), [1.0])


# Wrong use -----------------------------------------------------------------

def test_complex_numbers_are_refused():
    with pytest.raises(NotImplementedError, match="real and imaginary"):
        orrery.solve_ivp(decay, (0, 1), [1j])


def test_a_wrong_number_of_slopes_is_named():
    with pytest.raises(ValueError, match="gives 1 numbers for 2"):
        orrery.solve_ivp(lambda t, y: [y[0]], (0, 1), [1.0, 2.0])


@pytest.mark.parametrize("times", [[-1, 0.5], [0.5, 2], [0.5, 0.2]])
def test_times_outside_or_out_of_order_are_refused(times):
    with pytest.raises(ValueError, match="t_eval"):
        orrery.solve_ivp(decay, (0, 1), [1.0], t_eval=times)


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="dopri5"):
        orrery.solve_ivp(decay, (0, 1), [1.0], method="dopri6")


def test_a_failure_is_told_as_scipy_tells_it():
    sol = orrery.solve_ivp(lambda t, y: y**2, (0, 2), [1.0])
    assert sol.status == -1 and not sol.success
    assert 0.99 < sol.t[-1] < 1.01
    assert sol.message
