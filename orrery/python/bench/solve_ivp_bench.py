"""Times of orrery.solve_ivp beside scipy's; checks the answers.

    PYTHONPATH=build/release/python python3 solve_ivp_bench.py [--smoke]
"""
import math
import sys
import time

import numpy as np
from scipy import integrate

import orrery


def lorenz(t, u):
    x, y, z = u
    return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]


def van_der_pol(t, y):
    return [y[1], 1000 * (1 - y[0]**2) * y[1] - y[0]]


def fall(t, y):
    return [y[1], -9.81]


def ground(t, y):
    return y[0]


ground.terminal, ground.direction = True, -1


def bounces(solve, **options):
    t, y = 0.0, [10.0, 0.0]
    for _ in range(13):
        sol = solve(fall, (t, 100.0), y, events=ground, rtol=1e-10,
                    atol=1e-12, **options)
        t, y = sol.t_events[0][0], [0.0, -0.8 * sol.y_events[0][0][1]]
    exact = math.sqrt(20 / 9.81) * (1 + 1.6 * (1 - 0.8**12) / 0.2)
    return abs(t - exact) < 1e-8


class Ball(orrery.Block):
    h, v = orrery.State(10.0), orrery.State(0.0)
    impact = orrery.Event("falling")

    def equations(self):
        yield orrery.der(self.h) == self.v
        yield orrery.der(self.v) == -9.81
        yield self.impact == self.h
        yield orrery.when(self.impact).set(v=-0.8 * self.v)


def timed(function, repeats):
    best = math.inf
    for _ in range(repeats):
        begin = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - begin)
    return best * 1e3, result


def first_call():
    sol = orrery.solve_ivp(lambda t, y: [y[1], -math.pi * y[0]], (0, 1),
                           [1.0, 0.0])
    return sol.success


def main():
    end = 1.0 if "--smoke" in sys.argv else 100.0
    repeats = 1 if "--smoke" in sys.argv else 7
    stiff_end = end * 30
    one = [1.0, 1.0, 1.0]
    ball = Ball()
    cases = [
        ("first call", first_call, 1),
        ("Lorenz 1e-6 dopri5", lambda: orrery.solve_ivp(
            lorenz, (0, end), one, "dopri5", rtol=1e-6, atol=1e-9), repeats),
        ("Lorenz 1e-6 auto", lambda: orrery.solve_ivp(
            lorenz, (0, end), one, rtol=1e-6, atol=1e-9), repeats),
        ("Lorenz 1e-6 scipy RK45", lambda: integrate.solve_ivp(
            lorenz, (0, end), one, rtol=1e-6, atol=1e-9), 1),
        ("Lorenz 1e-6 scipy LSODA", lambda: integrate.solve_ivp(
            lorenz, (0, end), one, "LSODA", rtol=1e-6, atol=1e-9), 1),
        ("Lorenz 1e-9 dop853", lambda: orrery.solve_ivp(
            lorenz, (0, end), one, "dop853", rtol=1e-9, atol=1e-12), repeats),
        ("Lorenz 1e-9 auto", lambda: orrery.solve_ivp(
            lorenz, (0, end), one, rtol=1e-9, atol=1e-12), repeats),
        ("Lorenz 1e-9 scipy DOP853", lambda: integrate.solve_ivp(
            lorenz, (0, end), one, "DOP853", rtol=1e-9, atol=1e-12), 1),
        ("van der Pol rodas", lambda: orrery.solve_ivp(
            van_der_pol, (0, stiff_end), [2, 0], "rodas", rtol=1e-6,
            atol=1e-9), repeats),
        ("van der Pol auto", lambda: orrery.solve_ivp(
            van_der_pol, (0, stiff_end), [2, 0], rtol=1e-6,
            atol=1e-9), repeats),
        ("van der Pol scipy Radau", lambda: integrate.solve_ivp(
            van_der_pol, (0, stiff_end), [2, 0], "Radau", rtol=1e-6,
            atol=1e-9), 1),
        ("13 bounces, 13 calls", lambda: bounces(orrery.solve_ivp), repeats),
        ("13 bounces, scipy", lambda: bounces(integrate.solve_ivp), 1),
        ("13 bounces, one block", lambda: ball.run(
            stop=11, tolerance=1e-10), repeats),
    ]
    for name, function, count in cases:
        milliseconds, result = timed(function, count)
        right = result if isinstance(result, (bool, np.bool_)) else getattr(
            result, "success", True)
        print(f"{name:26} {milliseconds:9.2f} ms "
              f"{'' if right else 'WRONG'}")
        if not right:
            sys.exit(1)


if __name__ == "__main__":
    main()
