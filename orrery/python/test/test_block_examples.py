"""Examples in Modelica, written in Python: the same bits as the command's."""
import csv
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import orrery
from orrery import (Block, Discrete, Input, Parameter, State, Variable,
                    change, der, pre, sin, sqrt, when, where)

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"


class Pendulum(Block):
    length, g = Parameter(1.0, unit="m"), Parameter(9.81, unit="m/s2")
    angle = State(10 * 3.141592653589793 / 180, unit="rad")
    rate = State(0.0, unit="rad/s")

    def equations(self):
        yield der(self.angle) == self.rate
        yield self.length * der(self.rate) == -self.g * sin(self.angle)


class BouncingBall(Block):
    e, g = Parameter(0.8), Parameter(9.81, unit="m/s2")
    h, v = State(10.0, unit="m"), State(0.0, unit="m/s")
    impacts, last_impact = Discrete(0, type=int), Discrete(0.0, unit="s")

    def equations(self):
        yield der(self.h) == self.v
        yield der(self.v) == -self.g
        yield when(self.h <= 0).set(
            v=-self.e * self.v, impacts=self.impacts + 1,
            last_impact=self.time)


class Lorenz(Block):
    sigma, rho = Parameter(10.0), Parameter(28.0)
    beta = Parameter(8 / 3)
    x, y, z = State(1.0), State(1.0), State(1.0)

    def equations(self):
        x, y, z = self.x, self.y, self.z
        yield der(x) == self.sigma * (y - x)
        yield der(y) == x * (self.rho - z) - y
        yield der(z) == x * y - self.beta * z


class VanDerPol(Block):
    mu, y1, y2 = Parameter(1000.0), State(2.0), State(0.0)

    def equations(self):
        yield der(self.y1) == self.y2
        yield der(self.y2) == (
            self.mu * (1 - self.y1**2) * self.y2 - self.y1)


class LotkaVolterra(Block):
    alpha, beta = Parameter(0.540158996), Parameter(0.0271653573)
    gamma, delta = Parameter(0.796386039), Parameter(0.0236946383)
    hare, lynx = State(34.602424), State(5.84450621)

    def equations(self):
        yield der(self.hare) == (
            self.alpha - self.beta * self.lynx) * self.hare
        yield der(self.lynx) == (
            self.delta * self.hare - self.gamma) * self.lynx


class MassSpring(Block):
    m, c, k = Parameter(1.0), Parameter(0.4), Parameter(4.0)
    x, v = State(1.0, unit="m"), State(0.0, unit="m/s")

    def equations(self):
        yield der(self.x) == self.v
        yield self.m * der(self.v) + self.c * self.v + self.k * self.x == 0


class Thermostat(Block):
    low, high, outside = Parameter(19.0), Parameter(21.0), Parameter(10.0)
    lift, tau = Parameter(20.0), Parameter(1000.0)
    T = State(15.0, unit="degC")
    heating = Variable(True, fixed=True)
    switches, switched = Discrete(0, type=int), Discrete(0.0, unit="s")
    use = State(0.0, unit="s")

    def equations(self):
        yield self.tau * der(self.T) == (
            self.outside - self.T + where(self.heating, self.lift, 0))
        yield der(self.use) == where(self.heating, 1, 0)
        yield self.heating == (
            (self.T < self.low) | pre(self.heating) & (self.T <= self.high))
        yield when(change(self.heating)).set(
            switches=self.switches + 1, switched=self.time)


class WaterTank(Block):
    area, inlet = Parameter(0.2, unit="m2"), Parameter(0.01, unit="m2")
    outlet, g = Parameter(0.02, unit="m2"), Parameter(9.81, unit="m/s2")
    v, h = Input(unit="m/s", default=0), State(1.0, unit="m")

    def equations(self):
        yield self.area * der(self.h) == (
            self.inlet * self.v - self.outlet * sqrt(2 * self.g * self.h))


class HeatedRod(Block):
    a, length = Parameter(1e-3, unit="m2/s"), Parameter(1.0, unit="m")

    def __init__(self, n=50):
        super().__init__()
        pi = 3.141592653589793
        self.dx = Parameter(1.0 / (n + 1), unit="m")
        self.u = State([float(orrery.sin(pi * i * (1 / (n + 1)) / 1.0))
                        for i in range(1, n + 1)])

    def equations(self):
        a, u, dx = self.a, self.u, self.dx
        yield der(u[0]) == a * (u[1] - 2 * u[0]) / dx**2
        yield der(u[1:-1]) == a * (u[:-2] - 2 * u[1:-1] + u[2:]) / dx**2
        yield der(u[-1]) == a * (u[-2] - 2 * u[-1]) / dx**2


CASES = {
    "pendulum/pendulum.mo": (Pendulum, dict(stop=10), {}),
    "bouncing_ball/bouncing_ball.mo": (
        BouncingBall, dict(stop=12.5, tolerance=1e-10), {}),
    "lorenz/lorenz.mo": (
        Lorenz, dict(stop=20, interval=0.01, tolerance=1e-10), {}),
    "van_der_pol/van_der_pol.mo": (VanDerPol, dict(stop=2000), {}),
    "lotka_volterra/lotka_volterra.mo": (
        LotkaVolterra, dict(start=1900, stop=1920, interval=0.05), {}),
    "mass_spring/mass_spring.mo": (MassSpring, dict(stop=10), {}),
    "thermostat/thermostat.mo": (
        Thermostat, dict(stop=1000, tolerance=1e-9), {}),
    "water_tank/water_tank.mo": (WaterTank, dict(stop=60), {"v": 20}),
    "heated_rod/heated_rod.mo": (HeatedRod, dict(stop=100), {}),
}


def by_command(path, tmp_path, settings):
    output = tmp_path / "run.csv"
    sets = [part for name, value in settings.items()
            for part in ("--set", f"{name}={value}")]
    subprocess.run(
        [os.environ["ORRERY_COMMAND"], "run", str(path), "--output",
         str(output), *sets], check=True, capture_output=True, cwd=tmp_path)
    with open(output, newline="") as file:
        header, *rows = csv.reader(file)
    columns = np.array([[float(v) if v not in ("true", "false")
                         else float(v == "true") for v in row]
                        for row in rows])
    return {name: columns[:, i] for i, name in enumerate(header)}


@pytest.mark.parametrize("name", CASES)
def test_a_model_in_python_gives_the_bits_of_the_command(name, tmp_path):
    kind, options, settings = CASES[name]
    wanted = by_command(EXAMPLES / name, tmp_path, settings)
    r = kind().run(settings, **options)
    assert np.array_equal(r.time, wanted["time"])
    states = [q.name for q in kind().quantities.values()
              if q.kind in ("state", "discrete")]
    signals = [s for s in wanted if s.partition("[")[0] in states]
    assert signals
    for signal in signals:
        assert np.array_equal(np.asarray(r[signal], float), wanted[signal]), (
            signal)


@pytest.mark.parametrize("script", sorted(
    str(path.relative_to(EXAMPLES)) for path in EXAMPLES.glob("*/*.py")
    if path.stem != "controller"))
def test_an_example_in_python_finds_its_numbers(script, tmp_path):
    told = subprocess.run([sys.executable, EXAMPLES / script], cwd=tmp_path,
                          capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
