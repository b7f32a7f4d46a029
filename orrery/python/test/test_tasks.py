"""Tasks: what they wait for, and what they compete for."""
import datetime
import math

import numpy
import pytest

import orrery
from orrery import (
    Container, FilterStore, Gauge, Monitor, PriorityStore, Resource, Tasks,
    all_of, any_of, delay)
from orrery.tasks import Store


class Scene(Tasks):
    """A model whose start is a function of it; it notes what happens."""

    room = Resource(1)
    crane = Resource(1, preemptive=True)
    belt = Store()
    tank = Container(10, initial=4)

    def __init__(self, start):
        self.notes = []
        self.begins = start

    def start(self):
        return self.begins(self)

    def note(self, what):
        self.notes.append((what, self.now))


def notes_of(start, **options):
    scene = Scene(start)
    scene.run(**options)
    return scene.notes


def one(task):
    """The notes of a single task, which is given the scene."""
    return notes_of(lambda scene: task(scene))


@pytest.mark.parametrize("time, seconds", [
    (1.5, 1.5), (2, 2.0), (0, 0.0), (numpy.float64(0.25), 0.25),
    (numpy.int64(3), 3.0), (delay("2 min"), 120.0), (delay(7), 7.0),
    (delay(datetime.timedelta(hours=1, microseconds=5)), 3600.000005)])
def test_a_number_of_seconds_is_waited_for(time, seconds):
    def waits(scene):
        got = yield time
        scene.note(got)

    assert one(waits) == [(None, seconds)]


def test_a_coroutine_awaits_what_a_generator_yields():
    async def waits(scene):
        await delay(2)
        held = await scene.room.acquire()
        scene.note(bool(held))
        await scene.belt.put("box")
        scene.note(await scene.belt.get())
        scene.note(await any_of(delay(5), delay(1)))

    assert one(waits) == [(True, 2.0), ("box", 2.0), ((None, True), 3.0)]


def test_a_generator_delegates_to_another_one():
    def inner(scene):
        yield 1
        return "inner"

    def outer(scene):
        scene.note((yield from inner(scene)))

    assert one(outer) == [("inner", 1.0)]


def test_a_handle_gives_the_result_to_all_who_wait():
    def works(scene):
        yield 4
        return 42

    def waits(scene, handle):
        scene.note((yield handle))

    def start(scene):
        handle = scene.spawn(works(scene))
        assert not handle.is_over
        scene.spawn(waits(scene, handle))
        yield 1
        scene.note((yield handle))
        assert handle.is_over
        scene.note((yield handle))

    assert sorted(notes_of(start)) == [(42, 4.0)] * 3


def test_a_call_ends_when_all_that_was_spawned_is_over():
    def child(scene):
        yield 9

    def parent(scene):
        scene.spawn(child(scene))
        yield 1
        return "done"

    def start(scene):
        scene.note((yield scene.call(parent(scene))))

    assert notes_of(start) == [("done", 9.0)]


def test_of_several_waits_those_that_came_have_a_result():
    def says(scene, word, after):
        yield after
        return word

    def start(scene):
        hello = scene.spawn(says(scene, "hello", 3))
        bye = scene.spawn(says(scene, None, 3))
        scene.note((yield any_of(hello, 5, scene.belt.get())))
        scene.note((yield all_of([hello, bye, 1])))
        scene.note((yield all_of([])))

    assert notes_of(start) == [
        (("hello", None, None), 3.0), (("hello", True, True), 4.0),
        ((), 4.0)]


def test_waits_that_are_left_ask_for_nothing_any_more():
    def start(scene):
        yield any_of(scene.belt.get(), scene.tank.get(6), 2)
        yield scene.belt.put("box")
        yield scene.tank.put(5)
        scene.note((len(scene.belt), scene.tank.level))

    assert notes_of(start) == [((1, 9.0), 2.0)]


def test_an_interrupt_is_raised_where_the_task_waits():
    def sleeps(scene):
        try:
            yield 100
        except orrery.Interrupt as interrupt:
            scene.note(interrupt.cause)
        yield 1
        scene.note("up")

    def start(scene):
        handle = scene.spawn(sleeps(scene))
        yield 3
        handle.interrupt({"why": "breakfast"})

    assert notes_of(start) == [({"why": "breakfast"}, 3.0), ("up", 4.0)]


def test_a_cancelled_task_runs_its_finally_and_gives_back():
    def holds(scene):
        with (yield scene.room.acquire()):
            try:
                yield 100
            finally:
                scene.note("closed")

    def start(scene):
        handle = scene.spawn(holds(scene))
        yield 2
        handle.cancel()
        with (yield scene.room.acquire()):
            scene.note("mine")
        with pytest.raises(orrery.Cancelled):
            yield handle

    assert notes_of(start) == [("closed", 2.0), ("mine", 2.0)]


def test_a_request_is_held_by_with_before_it_is_granted():
    def holds(scene, name, time):
        with scene.room.acquire() as request:
            late = (yield any_of(request, 2))[0] is None
            scene.note((name, bool(request), late))
            if not late:
                yield time

    def start(scene):
        scene.spawn(holds(scene, "ann", 5))
        scene.spawn(holds(scene, "bob", 5))
        yield 10
        scene.note(scene.room.in_use)

    assert notes_of(start) == [
        (("ann", True, False), 0.0), (("bob", False, True), 2.0),
        (0, 10.0)]


def test_urgent_requests_come_first_and_equals_in_their_order():
    def asks(scene, name, priority):
        with (yield scene.room.acquire(priority=priority)):
            scene.note(name)
            yield 1

    def start(scene):
        for name, priority in ("a", 2), ("b", 1), ("c", 1), ("d", -1):
            scene.spawn(asks(scene, name, priority))

    assert [name for name, _ in notes_of(start)] == ["d", "b", "c", "a"]


def test_an_urgent_task_preempts_one_that_is_told():
    def works(scene):
        try:
            with (yield scene.crane.acquire(priority=2)):
                yield 10
        except orrery.Preempted as preempted:
            scene.note((preempted.by, preempted.since, preempted.usage))

    def urgent(scene):
        yield 4
        with (yield scene.crane.acquire(priority=1)):
            scene.note("urgent")
            yield 1

    def start(scene):
        scene.spawn(works(scene))
        scene.spawn(urgent(scene))

    notes = notes_of(start)
    assert ("urgent", 4.0) in notes
    assert (("urgent", 0.0, 4.0), 4.0) in notes


def test_stores_keep_order_priority_and_filters():
    class Yard(Tasks):
        plain, ranked, picked = Store(2), PriorityStore(), FilterStore()

        def start(self):
            self.got = []
            for item, priority in ("x", 3), ("y", 1), ("z", 2):
                yield self.ranked.put(item, priority)
                yield self.picked.put(item)
            for _ in range(3):
                self.got.append((yield self.ranked.get()))
            self.got.append((yield self.picked.get(lambda item: item > "x")))
            self.got.append((yield self.picked.get()))
            yield all_of(self.plain.put(1), self.plain.put(2))
            self.got.append((yield any_of(self.plain.put(3), 5)))
            self.got.append(len(self.plain))

    yard = Yard()
    yard.run()
    assert yard.got == ["y", "z", "x", "y", "x", (None, True), 2]
    assert yard.plain.statistics.level.max == 2


def test_ten_times_a_tenth_fill_a_container():
    def start(scene):
        yield scene.tank.get(4)
        for _ in range(10):
            yield scene.tank.put(0.1)
        yield scene.tank.get(1)
        scene.note(scene.tank.level)

    assert notes_of(start) == [(0.0, 0.0)]


def test_statistics_are_those_of_the_numbers():
    class Lab(Tasks):
        numbers, level = Monitor(keep=True), Gauge(2)

        def start(self):
            for number in 1.0, 4.0, 4.0, 7.0:
                self.numbers.add(number)
            yield 10
            self.level.set(5)
            yield 10
            self.level.add(-5)

    lab = Lab()
    end = lab.run().end
    values = numpy.array([1.0, 4.0, 4.0, 7.0])
    assert lab.numbers.values.tolist() == values.tolist()
    assert lab.numbers.mean == values.mean()
    assert lab.numbers.deviation == pytest.approx(values.std(ddof=1))
    assert lab.numbers.quantile(0.3) == numpy.quantile(values, 0.3)
    assert lab.level.mean_until(end) == 3.5
    assert (lab.level.min, lab.level.max, lab.level.value) == (0, 5, 0)


def test_a_run_begins_all_members_anew():
    class Door(Tasks):
        waits, room = Monitor(), Resource(1)

        def start(self):
            self.waits.add(self.random("x").exponential(1))
            yield self.room.acquire()

    door = Door()
    means = []
    for seed in 1, 1, 2:
        door.run(seed=seed)
        means.append(door.waits.mean)
        assert door.waits.count == 1
    assert means[0] == means[1] != means[2]


def test_streams_of_random_numbers_do_not_depend_on_other_tasks():
    class Dice(Tasks):
        def __init__(self, others):
            self.others = others

        def start(self):
            for _ in range(self.others):
                self.spawn(self.other())
            self.spawn(self.player())

        def other(self):
            self.random("eyes").random()
            yield 1

        def player(self):
            rng = self.random("eyes")
            self.got = [rng.integer(1, 6) for _ in range(9)]
            yield 1

    few, many = Dice(0), Dice(7)
    few.run()
    many.run()
    assert few.got == many.got
    assert set(few.got) <= set(range(1, 7))


def test_distributions_have_their_means():
    rng = orrery.Random(3, "all")
    for draw, mean in (
            (lambda: rng.exponential(4), 4), (lambda: rng.uniform(2, 6), 4),
            (lambda: rng.normal(4, 2), 4), (lambda: rng.gamma(2, 2), 4),
            (lambda: rng.triangular(0, 3, 9), 4), (lambda: rng.poisson(4), 4),
            (lambda: rng.binomial(16, 0.25), 4),
            (lambda: 8 * rng.bernoulli(0.5), 4),
            (lambda: rng.discrete([0, 1, 2, 1]), 2),
            (lambda: rng.beta(1, 3), 0.25),
            (lambda: rng.weibull(1, 4), 4),
            (lambda: rng.lognormal(0, 1), math.exp(0.5)),
            (lambda: rng.choice([1, 2, 9]), 4)):
        values = [draw() for _ in range(4000)]
        error = numpy.std(values) / math.sqrt(len(values))
        assert abs(numpy.mean(values) - mean) < 4 * error
    items = list(range(20))
    rng.shuffle(items)
    assert items != sorted(items) == list(range(20))


def test_the_order_within_one_time_does_not_matter():
    class Shop(Tasks):
        desk, waits = Resource(2), Monitor(keep=True)

        def start(self):
            for _ in range(20):
                self.spawn(self.customer())

        def customer(self):
            rng = self.random("times")
            for _ in range(10):
                yield rng.integer(1, 3)
                begin = self.now
                with (yield self.desk.acquire(priority=rng.random())):
                    self.waits.add(self.now - begin)
                    yield rng.integer(1, 2)

    sums = set()
    for shuffle in None, 1, 2, 3:
        shop = Shop()
        shop.run(shuffle=shuffle)
        sums.add(tuple(sorted(shop.waits.values)))
    assert len(sums) == 1


def test_parts_have_members_and_tasks_of_their_own():
    class Machine(Tasks):
        parts = Monitor()

        def start(self):
            yield 2
            self.parts.add(self.now)

    class Plant(Tasks):
        hall = Resource(1)

        def __init__(self, count):
            for i in range(count):
                setattr(self, f"machine{i}", Machine())

    plant = Plant(3)
    plant.run()
    measures = plant.measures()
    assert [measures[f"machine{i}.parts.mean"] for i in range(3)] == [2] * 3
    assert measures["hall.requests"] == 0


def test_a_run_goes_on_step_by_step():
    scene = Scene(lambda s: s.spawn(ticks(s)) and None)

    def ticks(scene):
        while True:
            yield 2
            scene.note("tick")

    with scene.begin() as run:
        run.run_until(5)
        assert (run.now, run.next_time) == (5.0, 6.0)
        assert run.step()
        assert len(scene.notes) == 3
        run.run_until("1 min")
        assert run.result().end == 60.0
    assert len(scene.notes) == 30


def test_the_mean_wait_is_that_of_theory():
    class Desk(Tasks):
        server, waits = Resource(1), Monitor()

        def start(self):
            rng, service = self.random("arrivals"), self.random("service")
            for _ in range(60_000):
                yield rng.exponential(2.0)
                self.spawn(self.customer(service))

        def customer(self, service):
            begin = self.now
            with (yield self.server.acquire()):
                self.waits.add(self.now - begin)
                yield service.exponential(1.0)

    desk = Desk()
    desk.run()
    assert desk.waits.mean == pytest.approx(1.0, rel=0.05)  # M/M/1
    assert desk.server.statistics.utilisation == pytest.approx(0.5, rel=0.02)


class Dice(Tasks):
    eyes = Monitor()

    def __init__(self, sides=6):
        self.sides = sides

    def start(self):
        self.eyes.add(self.random("eyes").integer(1, self.sides))


def test_replications_are_the_same_by_any_number_of_processes():
    alone = Dice.replicate(6, seed=5, arguments=(20,))
    table = Dice.replicate(6, seed=5, arguments=(20,), jobs=2).to_pandas()
    assert alone["eyes.mean"].tolist() == table["eyes.mean"].tolist()
    assert len(set(alone["eyes.mean"])) > 2
    dice = Dice(20)
    dice.run(seed=alone.seeds[3])
    assert dice.eyes.mean == alone["eyes.mean"][3]


def test_a_snapshot_brings_a_run_back():
    class Shop(Tasks):
        desk, belt, done = Resource(1), Store(), orrery.Counter()
        waits = Monitor(keep=True)

        def start(self):
            rng = self.random("arrivals")
            for i in range(60):
                yield rng.exponential(2)
                self.spawn(self.customer(rng.uniform(1, 2)))
            self.spawn(self.counts())

        def customer(self, service):
            begin = self.now
            held, late = yield any_of(self.desk.acquire(), 9)
            self.waits.add(self.now - begin)
            if held is None:
                return
            with held:
                yield service
            yield self.belt.put(service)
            self.done.add(1)

        def counts(self):
            while True:
                yield self.belt.get()

    shop = Shop()
    with shop.begin(snapshots=True) as run:
        run.run_until(40)
        here = run.save()
        count = shop.waits.count
        run.run_until(100)
        first = shop.waits.values.tolist()
        run.restore(here)
        assert (run.now, shop.waits.count) == (40.0, count)
        run.run_until(100)
        assert shop.waits.values.tolist() == first
        assert len(first) > count > 10


def test_a_generator_that_depends_on_other_things_is_named():
    class Shop(Tasks):
        calls = 0
        level = orrery.Level(0)

        def start(self):
            Shop.calls += 1
            if Shop.calls == 1:
                self.level.add(1)
            yield 10
            self.level.add(1)

    with Shop().begin(snapshots=True) as run:
        run.run_until(5)
        here = run.save()
        with pytest.raises(orrery.RunError, match="start"):
            run.restore(here)
