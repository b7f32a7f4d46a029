"""A block with its equations as on paper, in a diagram with a gain that holds
the pendulum back."""
import math
import sys

import orrery
from orrery import Block, Input, Output, Parameter, State, der, sin


class Pendulum(Block):
    length = Parameter(1.0, unit="m")
    torque = Input()
    angle, rate = State(0.1), State(0.0)
    tip = Output(unit="m")

    def equations(self):
        yield der(self.angle) == self.rate
        yield der(self.rate) == (-9.81 / self.length * sin(self.angle)
                                 + self.torque)
        yield self.tip == self.length * sin(self.angle)


d = orrery.Diagram("Controlled")
pendulum = d.add(Pendulum(), "pendulum")
gain = d.add(orrery.blocks.math.Gain(k=-3), "gain")
d.connect(pendulum.tip, gain.u)
d.connect(gain.y, pendulum.torque)

r = d.run(stop=10, tolerance=1e-9)

# The gain pulls back with 3 sin(angle): a pendulum with g + 3, whose energy is
# constant.
angle, rate = r.at(2.5, "pendulum.angle"), r.at(2.5, "pendulum.rate")
energy = rate**2 / 2 - 12.81 * math.cos(angle)
print(f"angle(2.5 s) = {angle:.9f} rad, energy = {energy:.9f}")
sys.exit(int(abs(energy + 12.81 * math.cos(0.1)) >= 1e-7))
