"""How many events a second of a processor tasks and DEVS models make.

SimPy runs beside in the same process, with the same model and every answer
checked. Prints the lines of orrery/base/bench/report.h: the limit is the rate
that Orrery must reach, and a case "... of SimPy" has SimPy's rate as its own.
"""
import functools
import json
import os
import random
import sys
import threading
import time

import orrery
from orrery import Monitor, Resource, Tasks, delay, devs
from orrery.tasks import Store

try:
    import simpy
except ImportError:
    simpy = None

SMOKE = "--smoke" in sys.argv
wrong = False


def say(case, rate, limit, unit, checked):
    """Prints one result."""
    global wrong
    wrong = wrong or not checked
    print(json.dumps({
        "benchmark": "python", "case": case, "ours": rate, "limit": limit,
        "unit": unit, "ratio": rate / limit if limit else None,
        "checked": checked}), flush=True)


def best(act, count, repeats=3):
    """The best rate of some repeats, and whether all answers were right."""
    rate, right = 0.0, True
    for _ in range(1 if SMOKE else repeats):
        begin = time.process_time()
        right = bool(act()) and right
        rate = max(rate, count / (time.process_time() - begin))
    return rate, right


def compare(case, unit, limit, ours, theirs, count, their_count):
    """Prints our rate, SimPy's, and by how much ours is the greater."""
    if SMOKE:
        count, their_count = count // 200, their_count // 200
    rate, right = best(lambda: ours(count), count)
    say(case, rate, limit, unit, right)
    if simpy is None or theirs is None:
        return
    peer, peer_right = best(lambda: theirs(their_count), their_count)
    say(case + " of SimPy", peer, None, unit, peer_right)
    say(case + ", times SimPy", rate / peer, 6.0, "x", right and peer_right)


class Clocks(Tasks):
    def __init__(self, clocks, ticks):
        self.clocks, self.ticks = clocks, ticks

    def start(self):
        for _ in range(self.clocks):
            self.spawn(self.clock(self.ticks))

    def clock(self, ticks):
        for _ in range(ticks):
            yield 1.0


def our_clocks(clocks):
    def run(count):
        ticks = count // clocks
        return Clocks(clocks, ticks).run(spans=False).end == ticks
    return run


def their_clocks(clocks):
    def run(count):
        env, ticks = simpy.Environment(), count // clocks

        def clock():
            for _ in range(ticks):
                yield env.timeout(1.0)

        for _ in range(clocks):
            env.process(clock())
        env.run()
        return env.now == ticks
    return run


@functools.lru_cache(maxsize=None)
def draws(count):
    """Times between customers and of services, and the mean wait."""
    rng = random.Random(5)
    spacing = [rng.expovariate(0.8) for _ in range(count)]
    service = [rng.expovariate(1.0) for _ in range(count)]
    wait = total = 0.0
    for i in range(1, count):  # Lindley's recursion.
        wait = max(0.0, wait + service[i - 1] - spacing[i])
        total += wait
    return spacing, service, total / count


class Queue(Tasks):
    server, waits = Resource(1), Monitor()

    def __init__(self, spacing, service):
        self.spacing, self.service = spacing, service

    def start(self):
        for spacing, service in zip(self.spacing, self.service):
            yield spacing
            self.spawn(self.customer(service))

    def customer(self, service):
        begin = self.now
        with (yield self.server.acquire()):
            self.waits.add(self.now - begin)
            yield service


class AsyncQueue(Queue):
    async def customer(self, service):
        begin = self.now
        with await self.server.acquire():
            self.waits.add(self.now - begin)
            await delay(service)


def our_queue(cls):
    def run(count):
        spacing, service, mean = draws(count)
        queue = cls(spacing, service)
        queue.run(spans=False)
        return abs(queue.waits.mean - mean) < 1e-5
    return run


def their_queue(count):
    spacing, service, mean = draws(count)
    env, waits = simpy.Environment(), []
    server = simpy.Resource(env)

    def source():
        for between, time_ in zip(spacing, service):
            yield env.timeout(between)
            env.process(customer(time_))

    def customer(time_):
        begin = env.now
        with server.request() as request:
            yield request
            waits.append(env.now - begin)
            yield env.timeout(time_)

    env.process(source())
    env.run()
    return abs(sum(waits) / count - mean) < 1e-5


class Players(Tasks):
    there, back = Store(), Store()

    def __init__(self, count):
        self.count, self.right = count, 0

    def start(self):
        self.spawn(self.serves())
        self.spawn(self.returns())

    def serves(self):
        for i in range(self.count):
            yield self.there.put(i)
            self.right += (yield self.back.get()) == i

    def returns(self):
        for _ in range(self.count):
            ball = yield self.there.get()
            yield self.back.put(ball)


def our_stores(count):
    players = Players(count)
    players.run(spans=False)
    return players.right == count


def their_stores(count):
    env = simpy.Environment()
    there, back = simpy.Store(env), simpy.Store(env)
    right = []

    def serves():
        for i in range(count):
            yield there.put(i)
            ball = yield back.get()
            right.append(ball == i)

    def returns():
        for _ in range(count):
            ball = yield there.get()
            yield back.put(ball)

    env.process(serves())
    env.process(returns())
    env.run()
    return sum(right) == count


class Bench(devs.Atomic):
    order, done = devs.In(), devs.Out()

    def initial(self):
        return [None, devs.INFINITY]

    def time_advance(self, s):
        return s[1]

    def output(self, s, y):
        y[self.done] = s[0]

    def internal(self, s):
        s[0], s[1] = None, devs.INFINITY

    def external(self, s, elapsed, x):
        s[0], s[1] = x[self.order][0], 1.0


class Ring(devs.Coupled):
    def __init__(self, count):
        stations = [self.add(Bench(), f"s{i}") for i in range(count)]
        first = self.add(devs.Generator(1, limit=1), "first")
        self.couple(first.out, stations[0].order)
        for here, there in zip(stations, stations[1:] + stations[:1]):
            self.couple(here.done, there.order)


def our_transitions(count):
    result = Ring(10).run(stop=1 + count // 2)
    made = result.statistics["internal"] + result.statistics["external"]
    return abs(made - count) <= 4


class ThreadTimes:
    """The time of a processor, in s, that each thread of this process takes:
    no other program changes it. Looks every 2 ms."""

    def __enter__(self):
        self._seen, self._ends = {}, threading.Event()
        self._looker = threading.Thread(target=self._look)
        self._looker.start()
        return self

    def _look(self):
        own = str(threading.get_native_id())
        while not self._ends.wait(0.002):
            for name in os.listdir("/proc/self/task"):
                try:
                    with open(f"/proc/self/task/{name}/schedstat") as file:
                        now = int(file.read().split()[0]) * 1e-9
                except OSError:  # It has ended.
                    continue
                if name != own:
                    self._seen.setdefault(name, [now, now])[1] = now

    def __exit__(self, *_):
        self._ends.set()
        self._looker.join()
        times = {name: end - begin for name, (begin, end)
                 in self._seen.items()}
        self.of_main = times.pop(str(os.getpid()), 0.0)
        self.of_others = times.values()


def sweep_by_threads():
    """By how much two threads shorten a sweep where two processors are free:
    what is done beside the threads stays, and they share the rest."""
    model = orrery.modelica(
        "model M parameter Real k = 1; Real x(start=1, fixed=true);"
        " Real v(start=0, fixed=true); equation der(x) = v;"
        " der(v) = k*(1 - x^2)*v - x; end M;")
    runs = 40 if SMOKE else 4000
    rates = [1 + i / runs for i in range(runs)]
    lengths, peaks = [], []
    for jobs in (1, 2):
        with ThreadTimes() as times:
            peaks.append(model.sweep({"k": rates}, "max(x)", stop=20,
                                     jobs=jobs)["max(x)"])
        lengths.append(times.of_main + sum(times.of_others) / jobs)
    say("sweep, two threads", lengths[0] / max(lengths[1], 1e-9), 1.9,
        "x one thread", bool((peaks[0] == peaks[1]).all()))


def main():
    """Prints all results."""
    compare("one clock", "events/s", 5e6, our_clocks(1), their_clocks(1),
            2_000_000, 300_000)
    compare("100 clocks", "events/s", 3.5e6, our_clocks(100),
            their_clocks(100), 2_000_000, 300_000)
    compare("M/M/1, generators", "customers/s", 4e5, our_queue(Queue),
            their_queue, 200_000, 40_000)
    compare("M/M/1, async def", "customers/s", 3e5, our_queue(AsyncQueue),
            None, 200_000, 0)
    compare("two stores", "round trips/s", 5e5, our_stores, their_stores,
            200_000, 40_000)
    compare("DEVS", "transitions/s", 8e5, our_transitions, None, 200_000, 0)
    sweep_by_threads()
    sys.exit(1 if wrong else 0)


main()
