"""A cruise control of the library's blocks drives a car that is written in
Modelica (car.mo): from 20 to 25 m/s on the level, then up a hill."""
import pathlib
import sys

import orrery
from orrery import blocks

folder = pathlib.Path(__file__).parent

d = orrery.Diagram("CruiseControl")
d.wanted = blocks.sources.Step(offset=20, startTime=5, height=5)
d.hill = blocks.sources.Step(startTime=60, height=0.03)
d.control = blocks.continuous.LimPID(
    controllerType=blocks.SimpleController.PI, k=800, Ti=10, yMax=3000,
    xi_start=0.45)
car = d.add(orrery.load(folder / "car.mo"), "car")
car.m = 1500
d.too_fast = blocks.logical.Hysteresis(uLow=25.1, uHigh=25.2)
d.times = blocks.more_discrete.Counter()
d.connect(d.wanted.y, d.control.u_s)
d.connect(car.v, d.control.u_m)
d.connect(d.control.y, car.force)
d.connect(d.hill.y, car.slope)
d.connect(car.v, d.too_fast.u)
d.connect(d.too_fast.y, d.times.trigger)

run = d.run(stop=300, tolerance=1e-10)
force = run["control.y"][-1]
print(f"v = {run['car.v'][-1]:.9f} m/s, force {force:.6f} N, "
      f"too fast {run['times.y'][-1]:g} times")

# In the steady state the force is the sum of rolling resistance, drag and
# slope.
exact = 200 + 0.4 * 25 * 25 + 1500 * 9.81 * 0.03
is_right = (abs(run["car.v"][-1] - 25) < 1e-6 and abs(force - exact) < 1e-3
            and run["times.y"][-1] == 1 and max(run["control.y"]) <= 3000)
sys.exit(int(not is_right))
