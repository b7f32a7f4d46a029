"""Two clocks that coincide every second: at 0.2 and 0.25 s. Each samples a
decaying quantity; a third block counts the ticks of both."""
import math
import sys

from orrery import Block, Clock, Diagram, Discrete, Input, Output, State
from orrery import der, when


class Decay(Block):
    x, y = State(2.0), Output()

    def equations(self):
        yield der(self.x) == -self.x
        yield self.y == self.x


class Hold(Block):
    u, held, y = Input(), Discrete(0.0), Output()

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def equations(self):
        yield when(self.clock).set(held=self.u)
        yield self.y == self.held


class Count(Block):
    ticks = Discrete(0.0)

    def __init__(self, *clocks):
        super().__init__()
        self.clocks = clocks

    def equations(self):
        for clock in self.clocks:
            yield when(clock).set(ticks=self.ticks + 1)


class Sampling(Diagram):
    fast, slow = Clock(0.2), Clock(0.25)

    def __init__(self):
        super().__init__()
        self.decay = Decay()
        self.often, self.seldom = Hold(self.fast), Hold(self.slow)
        self.count = Count(self.fast, self.slow)
        self.connect(self.decay.y, self.often.u)
        self.connect(self.decay.y, self.seldom.u)


run = Sampling().run(stop=5, tolerance=1e-10)


def held(name, period, t):
    value = run.at(t, name)
    print(f"{name} at {t:.2f} s: {value:.12f}")
    exact = 2 * math.exp(-period * math.floor(t / period))
    return abs(value - exact) < 1e-8


is_right = (held("often.y", 0.2, 0.7) and held("often.y", 0.2, 4.9)
            and held("seldom.y", 0.25, 0.7) and held("seldom.y", 0.25, 4.9)
            and run["count.ticks"][-1] == 26 + 21)
sys.exit(int(not is_right))
