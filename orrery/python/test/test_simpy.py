"""SimPy's examples, in SimPy and here: the same numbers.

Times are drawn from a list, so that both have the same. Where SimPy's own
examples let several things fall on one time, the times are drawn with
fractions, since what comes first then differs by intention.
"""
import random

import pytest

import orrery
from orrery import Container, Resource, Signal, Tasks, any_of
from orrery.tasks import Store

simpy = pytest.importorskip("simpy")


class Draws:
    """Random numbers, the same for each who begins anew."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def exponential(self, mean):
        return self.random.expovariate(1 / mean)

    def uniform(self, low, high):
        return self.random.uniform(low, high)


def same(ours, theirs):
    """Checks two lists of (what, ..., time) for equal times to 1 us."""
    assert len(ours) == len(theirs) > 4
    for here, there in zip(ours, theirs):
        assert here[:-1] == there[:-1]
        assert here[-1] == pytest.approx(there[-1], abs=1e-6)


# --- Bank renege: customers leave when they have waited too long.

def bank_in_simpy(seed):
    env = simpy.Environment()
    draws, notes = Draws(seed), []
    counter = simpy.Resource(env, capacity=1)

    def source():
        for i in range(40):
            env.process(customer(i, draws.exponential(12),
                                 draws.uniform(1, 30)))
            yield env.timeout(draws.exponential(10))

    def customer(name, service, patience):
        arrive = env.now
        with counter.request() as request:
            results = yield request | env.timeout(patience)
            if request in results:
                notes.append((name, "waited", env.now - arrive))
                yield env.timeout(service)
                notes.append((name, "finished", env.now))
            else:
                notes.append((name, "reneged", env.now))

    env.process(source())
    env.run()
    return notes


class Bank(Tasks):
    counter = Resource(1)

    def __init__(self, seed):
        self.draws, self.notes = Draws(seed), []

    def start(self):
        for i in range(40):
            self.spawn(self.customer(i, self.draws.exponential(12),
                                     self.draws.uniform(1, 30)))
            yield self.draws.exponential(10)

    def customer(self, name, service, patience):
        arrive = self.now
        with self.counter.acquire() as request:
            yield any_of(request, patience)
            if request:
                self.notes.append((name, "waited", self.now - arrive))
                yield service
                self.notes.append((name, "finished", self.now))
            else:
                self.notes.append((name, "reneged", self.now))


@pytest.mark.parametrize("seed", [42, 1, 2])
def test_customers_of_the_bank_are_served_and_leave_alike(seed):
    bank = Bank(seed)
    bank.run()
    same(bank.notes, bank_in_simpy(seed))


# --- Car wash: two machines; washing takes a while.

def wash_in_simpy(seed):
    env = simpy.Environment()
    draws, notes = Draws(seed), []
    machine = simpy.Resource(env, 2)

    def wash(car):
        yield env.timeout(5.01)
        notes.append((car, "clean", env.now))

    def car(name):
        notes.append((name, "arrives", env.now))
        with machine.request() as request:
            yield request
            notes.append((name, "enters", env.now))
            yield env.process(wash(name))
            notes.append((name, "leaves", env.now))

    def setup():
        for i in range(4):
            env.process(car(i))
        for i in range(4, 30):
            yield env.timeout(draws.uniform(1.5, 3.5))
            env.process(car(i))

    env.process(setup())
    env.run()
    return sorted(notes)


class CarWash(Tasks):
    machine = Resource(2)

    def __init__(self, seed):
        self.draws, self.notes = Draws(seed), []

    def start(self):
        for i in range(4):
            self.spawn(self.car(i))
        for i in range(4, 30):
            yield self.draws.uniform(1.5, 3.5)
            self.spawn(self.car(i))

    def wash(self, car):
        yield 5.01
        self.notes.append((car, "clean", self.now))

    def car(self, name):
        self.notes.append((name, "arrives", self.now))
        with (yield self.machine.acquire()):
            self.notes.append((name, "enters", self.now))
            yield self.call(self.wash(name))
            self.notes.append((name, "leaves", self.now))


@pytest.mark.parametrize("seed", [42, 5, 6])
def test_cars_are_washed_at_the_same_times(seed):
    shop = CarWash(seed)
    shop.run()
    same(sorted(shop.notes), wash_in_simpy(seed))


# --- Machine shop: breakdowns interrupt, and a repairman is preempted.

def shop_in_simpy(seed):
    env = simpy.Environment()
    repairman = simpy.PreemptiveResource(env, capacity=1)
    notes = []

    class Machine:
        def __init__(self, name):
            self.name, self.made, self.broken = name, 0, False
            self.draws = Draws(seed * 100 + name)
            self.process = env.process(self.working())
            env.process(self.breaks())

        def working(self):
            while True:
                left = self.draws.uniform(8, 12)
                while left:
                    begun = env.now
                    try:
                        yield env.timeout(left)
                        left = 0
                    except simpy.Interrupt:
                        self.broken = True
                        left -= env.now - begun
                        with repairman.request(priority=1) as request:
                            yield request
                            yield env.timeout(30.25)
                        self.broken = False
                self.made += 1
                notes.append((self.name, self.made, env.now))

        def breaks(self):
            failures = Draws(seed * 1000 + self.name)
            while True:
                yield env.timeout(failures.exponential(300))
                if not self.broken:
                    self.process.interrupt()

    def other_jobs():
        done = 0
        while True:
            left = 30.125
            while left:
                with repairman.request(priority=2) as request:
                    yield request
                    begun = env.now
                    try:
                        yield env.timeout(left)
                        left = 0
                    except simpy.Interrupt:
                        left -= env.now - begun
            done += 1
            notes.append((-1, done, env.now))

    for i in range(4):
        Machine(i)
    env.process(other_jobs())
    env.run(until=3000)
    return sorted(notes)


class MachineShop(Tasks):
    repairman = Resource(1, preemptive=True)

    def __init__(self, seed):
        self.seed, self.notes, self.broken = seed, [], set()

    def start(self):
        for i in range(4):
            self.spawn(self.breaks(i, self.spawn(self.working(i))))
        self.spawn(self.other_jobs())

    def working(self, name):
        draws, made = Draws(self.seed * 100 + name), 0
        while True:
            left = draws.uniform(8, 12)
            while left:
                begun = self.now
                try:
                    yield left
                    left = 0
                except orrery.Interrupt:
                    self.broken.add(name)
                    left -= self.now - begun
                    with (yield self.repairman.acquire(priority=1)):
                        yield 30.25
                    self.broken.discard(name)
            made += 1
            self.notes.append((name, made, self.now))

    def breaks(self, name, work):
        failures = Draws(self.seed * 1000 + name)
        while True:
            yield failures.exponential(300)
            if name not in self.broken:
                work.interrupt()

    def other_jobs(self):
        done = 0
        while True:
            left = 30.125
            while left > 0:
                begun = None
                try:
                    with (yield self.repairman.acquire(priority=2)):
                        begun = self.now
                        yield left
                        left = 0
                except orrery.Preempted:
                    left -= self.now - begun
            done += 1
            self.notes.append((-1, done, self.now))


@pytest.mark.parametrize("seed", [42, 3, 4])
def test_machines_make_as_many_parts_at_the_same_times(seed):
    shop = MachineShop(seed)
    shop.run(2999.999999)
    same(sorted(shop.notes), shop_in_simpy(seed))


# --- Movie renege: who queues leaves when the film is sold out.

def movie_in_simpy(seed):
    env = simpy.Environment()
    draws, notes = Draws(seed), []
    counter = simpy.Resource(env, capacity=1)
    left = {"a": 20, "b": 30}
    sold_out = {name: env.event() for name in left}

    def goer(name, film, number):
        with counter.request() as turn:
            result = yield turn | sold_out[film]
            if turn not in result:
                notes.append((name, film, "reneges", env.now))
                return
            if left[film] < number:
                yield env.timeout(0.5)
                notes.append((name, film, "argues", env.now))
                return
            left[film] -= number
            if left[film] < 2:
                notes.append((name, film, "sold out", env.now))
                sold_out[film].succeed()
                left[film] = 0
            yield env.timeout(1)

    def arrivals():
        for i in range(60):
            yield env.timeout(draws.exponential(0.5))
            film = "a" if draws.uniform(0, 1) < 0.5 else "b"
            number = int(draws.uniform(1, 6))
            if left[film]:
                env.process(goer(i, film, number))

    env.process(arrivals())
    env.run()
    return sorted(notes)


class Theater(Tasks):
    counter = Resource(1)
    a, b = Signal(), Signal()

    def __init__(self, seed):
        self.draws, self.notes = Draws(seed), []
        self.left = {"a": 20, "b": 30}

    def start(self):
        for i in range(60):
            yield self.draws.exponential(0.5)
            film = "a" if self.draws.uniform(0, 1) < 0.5 else "b"
            number = int(self.draws.uniform(1, 6))
            if self.left[film]:
                self.spawn(self.goer(i, film, number))

    def goer(self, name, film, number):
        sold_out = getattr(self, film)
        with self.counter.acquire() as turn:
            yield any_of(turn, sold_out)
            if not turn:
                self.notes.append((name, film, "reneges", self.now))
                return
            if self.left[film] < number:
                yield 0.5
                self.notes.append((name, film, "argues", self.now))
                return
            self.left[film] -= number
            if self.left[film] < 2:
                self.notes.append((name, film, "sold out", self.now))
                sold_out.set()
                self.left[film] = 0
            yield 1


@pytest.mark.parametrize("seed", [42, 7, 8])
def test_films_are_sold_out_at_the_same_times(seed):
    theater = Theater(seed)
    theater.run()
    same(sorted(theater.notes), movie_in_simpy(seed))


# --- Gas station: cars take fuel; a truck is called when it runs low.

def station_in_simpy(seed):
    env = simpy.Environment()
    draws, notes = Draws(seed), []
    pumps = simpy.Resource(env, 2)
    tank = simpy.Container(env, 200, init=200)

    def car(name, wanted):
        with pumps.request() as request:
            yield request
            yield tank.get(wanted)
            yield env.timeout(wanted / 2)
        notes.append((name, "leaves", env.now))

    def control():
        while True:
            if tank.level < 50:
                yield env.process(truck())
            yield env.timeout(10.125)

    def truck():
        yield env.timeout(300.25)
        amount = tank.capacity - tank.level
        notes.append((-1, "fills", round(amount, 6), env.now))
        yield tank.put(amount)

    def arrivals():
        for i in range(40):
            yield env.timeout(draws.uniform(30, 300))
            env.process(car(i, draws.uniform(25, 45)))

    env.process(control())
    env.process(arrivals())
    env.run(until=9000)
    return sorted(notes)


class Station(Tasks):
    pumps, tank = Resource(2), Container(200, initial=200)

    def __init__(self, seed):
        self.draws, self.notes = Draws(seed), []

    def start(self):
        self.spawn(self.control())
        for i in range(40):
            yield self.draws.uniform(30, 300)
            self.spawn(self.car(i, self.draws.uniform(25, 45)))

    def car(self, name, wanted):
        with (yield self.pumps.acquire()):
            yield self.tank.get(wanted)
            yield wanted / 2
        self.notes.append((name, "leaves", self.now))

    def control(self):
        while True:
            if self.tank.level < 50:
                yield self.call(self.truck())
            yield 10.125

    def truck(self):
        yield 300.25
        amount = self.tank.capacity - self.tank.level
        self.notes.append((-1, "fills", round(amount, 6), self.now))
        yield self.tank.put(amount)


@pytest.mark.parametrize("seed", [42, 9, 10])
def test_cars_leave_the_gas_station_at_the_same_times(seed):
    station = Station(seed)
    station.run(8999.999)
    same(sorted(station.notes), station_in_simpy(seed))


# --- Process communication: one to many, by a store for each who hears.

def pipes_in_simpy(seed):
    env = simpy.Environment()
    draws, notes = Draws(seed), []
    pipes = [simpy.Store(env) for _ in range(3)]

    def speaks():
        for _ in range(30):
            yield env.timeout(draws.uniform(6, 10))
            yield env.all_of([pipe.put(env.now) for pipe in pipes])

    def hears(number):
        own = Draws(seed + number)
        while True:
            said = yield pipes[number].get()
            notes.append((number, env.now > said, env.now))
            yield env.timeout(own.uniform(4, 11))

    env.process(speaks())
    for number in range(3):
        env.process(hears(number))
    env.run(until=300)
    return sorted(notes)


class Pipes(Tasks):
    pipe0, pipe1, pipe2 = Store(), Store(), Store()

    def __init__(self, seed):
        self.seed, self.draws, self.notes = seed, Draws(seed), []

    def start(self):
        self.spawn(self.speaks())
        for number in range(3):
            self.spawn(self.hears(number))

    def speaks(self):
        for _ in range(30):
            yield self.draws.uniform(6, 10)
            for pipe in self.pipe0, self.pipe1, self.pipe2:
                pipe.push(self.now)

    def hears(self, number):
        own, pipe = Draws(self.seed + number), getattr(self, f"pipe{number}")
        while True:
            said = yield pipe.get()
            self.notes.append((number, self.now > said, self.now))
            yield own.uniform(4, 11)


@pytest.mark.parametrize("seed", [42, 11, 12])
def test_what_is_said_is_heard_at_the_same_times(seed):
    pipes = Pipes(seed)
    pipes.run(299.999999)
    same(sorted(pipes.notes), pipes_in_simpy(seed))
