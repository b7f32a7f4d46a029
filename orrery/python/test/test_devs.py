"""DEVS models: their states, messages and traces; wrong uses."""
import datetime
import os
import pathlib
import subprocess
import time
from types import SimpleNamespace

import pytest

import orrery
from orrery import devs
from orrery.devs import INFINITY, In, Out

COMMANDS = pathlib.Path(os.environ.get("ORRERY_COMMAND", "orrery")).parent


def example(name):
    """An example of C++, if it was built."""
    path = COMMANDS / name
    if not path.exists():
        pytest.skip(f"the example {name} was not built")
    return str(path)


class Bench(orrery.devs.Atomic):
    order, done = In(), Out()

    def initial(self):
        return SimpleNamespace(job=None, sigma=INFINITY)

    def time_advance(self, s):
        return s.sigma

    def output(self, s, y):
        y[self.done] = s.job

    def internal(self, s):
        s.job, s.sigma = None, INFINITY

    def external(self, s, elapsed, x):
        if s.job is None:
            s.job, s.sigma = x[self.order][0], 0.8
        else:
            s.sigma -= elapsed


class Shop(devs.Coupled):
    """Jobs come each `spacing` to a bench."""

    def __init__(self, spacing, jobs, bench=Bench):
        source = self.add(devs.Generator(spacing, limit=jobs), "source")
        self.bench = self.add(bench(), "bench")
        self.seen = self.add(devs.Recorder(), "seen")
        self.sink = self.add(devs.Sink(), "sink")
        self.couple(source.out, self.bench.order)
        self.couple(self.bench.done, self.seen.in_)
        self.couple(self.bench.done, self.sink.in_)


@pytest.mark.parametrize("spacing, jobs, served, end", [
    (1.0, 4, 4, 4.8), (0.5, 4, 2, 2.3), (0.8, 3, 3, 3.2), (10, 1, 1, 10.8)])
def test_a_bench_takes_jobs_when_it_is_free(spacing, jobs, served, end):
    for formalism in "parallel", "classic":
        shop = Shop(spacing, jobs)
        result = shop.run(formalism=formalism)
        if formalism == "parallel" or spacing != 0.8:
            assert result.state(shop.sink)["count"] == served
            assert result.end == pytest.approx(end, abs=1e-12)
        assert result.state(shop.bench).sigma == INFINITY


@pytest.mark.parametrize("advance, seconds", [
    (2, 2.0), (0.5, 0.5), ("2 min", 120.0),
    (datetime.timedelta(seconds=3), 3.0)])
def test_a_time_advance_is_a_number_a_text_or_a_timedelta(advance, seconds):
    class Once(devs.Atomic):
        def initial(self):
            return [advance]

        def time_advance(self, s):
            return s[0]

        def internal(self, s):
            s[0] = INFINITY

    assert Once().run().end == seconds


def test_confluent_is_internal_and_then_external():
    calls = []

    class Noting(Bench):
        def internal(self, s):
            calls.append("internal")
            super().internal(s)

        def external(self, s, elapsed, x):
            calls.append(("external", elapsed))
            super().external(s, elapsed, x)

    Shop(0.8, 2, Noting).run()
    assert calls == [("external", pytest.approx(0.8)), "internal",
                     ("external", 0.0), "internal"]

    class Own(Noting):
        def confluent(self, s, x):
            calls.append(("confluent", len(x[self.order])))
            self.external(s, 0.0, x)

    calls.clear()
    Shop(0.8, 2, Own).run()
    assert ("confluent", 1) in calls


def test_messages_of_several_senders_come_in_one_bag():
    class Two(devs.Coupled):
        def __init__(self):
            self.got = self.add(Counts(), "got")
            for name in "a", "b":
                source = self.add(devs.Generator(
                    2, limit=2, make=lambda i, rng, n=name: (n, i)), name)
                self.couple(source.out, self.got.all)

    class Counts(devs.Atomic):
        all, other = In(), In()

        def initial(self):
            return []

        def external(self, s, elapsed, x):
            assert self.all in x and self.other not in x
            s.append((elapsed, x[self.all], x[self.other]))

    two = Two()
    assert two.run().state(two.got) == [
        (2.0, (("a", 0), ("b", 0)), ()), (2.0, (("a", 1), ("b", 1)), ())]


def test_a_snapshot_brings_the_states_back():
    shop = Shop(1.0, 6)
    run = shop.begin()
    run.run_until(2.5)
    here = run.save()
    sigma = run.state(shop.bench).sigma
    run.run_until()
    assert run.state(shop.sink)["count"] == 6
    run.restore(here)
    assert run.now == 2.5 == here.time
    assert run.state(shop.bench).sigma == sigma
    run.run_until()
    assert run.state(shop.sink)["count"] == 6
    assert run.now == 6.8


def test_random_numbers_are_those_of_model_and_seed():
    class Dice(devs.Atomic):
        def initial(self):
            return {"rng": self.random("eyes"), "got": [], "left": 5}

        def time_advance(self, s):
            return 1 if s["left"] else INFINITY

        def internal(self, s):
            s["left"] -= 1
            s["got"].append(s["rng"].integer(1, 6))

    class Pair(devs.Coupled):
        def __init__(self):
            self.a, self.b = self.add(Dice(), "a"), self.add(Dice(), "b")

    def got(seed):
        pair = Pair()
        result = pair.run(seed=seed)
        return [result.state(d)["got"] for d in (pair.a, pair.b)]

    assert got(1) == got(1) != got(2)
    assert got(1)[0] != got(1)[1]


# --- The same as C++.

class Gpt(devs.Coupled):
    solved, report = Out(), Out()

    def __init__(self):
        generator = self.add(devs.Generator(1), "generator")
        processor = self.add(devs.Processor(1), "processor")
        transducer = self.add(devs.Transducer(5), "transducer")
        self.couple(generator.out, processor.in_)
        self.couple(generator.out, transducer.arrived)
        self.couple(processor.out, transducer.solved)
        self.couple(transducer.done, generator.stop)
        self.couple(processor.out, self.solved)
        self.couple(transducer.report, self.report)


def test_the_trace_of_generator_processor_transducer_is_that_of_cpp(tmp_path):
    trace = tmp_path / "gpt.csv"
    subprocess.run([example("gpt"), "--trace", str(trace)], check=True,
                   capture_output=True, cwd=tmp_path)
    assert Gpt().run(trace="*").trace == trace.read_text()


class Bank(devs.Coupled):
    def __init__(self, tellers=4, one_line=True):
        lines = 1 if one_line else tellers
        door = self.add(devs.Generator(devs.exponential(30)), "door")
        choice = self.add(devs.Switch(lines, [1.0] * lines), "choice")
        self.couple(door.out, choice.in_)
        self.lines = []
        for i in range(lines):
            line = self.add(devs.Server(devs.exponential(100),
                                        tellers // lines), f"line{i}")
            self.couple(getattr(choice, f"out{i}"), line.in_)
            self.lines.append(line)


@pytest.mark.parametrize("one_line", [True, False])
def test_the_trace_of_the_bank_is_that_of_cpp(tmp_path, one_line):
    trace = tmp_path / "bank.csv"
    subprocess.run([example("bank"), "--trace", str(trace), "--stop", "2 h",
                    "--set", f"one_line={str(one_line).lower()}"],
                   check=True, capture_output=True, cwd=tmp_path)
    ours = Bank(one_line=one_line).run(stop="2 h", trace="*").trace
    assert len(ours) > 20_000
    assert ours == trace.read_text()


class TrafficLight(devs.Atomic):
    """Of examples/pedestrian_crossing."""

    button, light = In(), Out()
    NEXT = {"cars": "yellow", "yellow": "walk", "walk": "cars"}
    REST = {"cars": 10.0, "yellow": 3.0, "walk": 15.0}

    def initial(self):
        return SimpleNamespace(light="cars", pressed=False, rest=10.0)

    def time_advance(self, s):
        waits = s.light == "cars" and not s.pressed
        return INFINITY if waits else s.rest

    def output(self, s, y):
        y[self.light] = self.NEXT[s.light]

    def internal(self, s):
        s.light = self.NEXT[s.light]
        s.rest = self.REST[s.light]
        if s.light == "walk":
            s.pressed = False

    def external(self, s, elapsed, x):
        s.rest = max(s.rest - elapsed, 0.0)
        s.pressed = s.pressed or s.light == "cars"


def test_the_traffic_light_changes_at_the_times_of_the_example():
    class Presses(devs.Atomic):
        out = Out()
        TIMES = (4.0, 26.0, 1.0, 14.0, 55.0)

        def initial(self):
            return [0]

        def time_advance(self, s):
            return self.TIMES[s[0]] if s[0] < len(self.TIMES) else INFINITY

        def output(self, s, y):
            y[self.out] = True

        def internal(self, s):
            s[0] += 1

    class Notes(devs.Atomic):
        light = In()

        def initial(self):
            return {"now": 0.0, "seen": []}

        def external(self, s, elapsed, x):
            s["now"] += elapsed
            s["seen"].append((s["now"], x[self.light][0]))

    class Crossing(devs.Coupled):
        def __init__(self):
            presses = self.add(Presses(), "presses")
            light = self.add(TrafficLight(), "light")
            self.notes = self.add(Notes(), "notes")
            self.couple(presses.out, light.button)
            self.couple(light.light, self.notes.light)

    crossing = Crossing()
    seen = crossing.run(stop=200).state(crossing.notes)["seen"]
    assert seen == [
        (10.0, "yellow"), (13.0, "walk"), (28.0, "cars"), (38.0, "yellow"),
        (41.0, "walk"), (56.0, "cars"), (100.0, "yellow"), (103.0, "walk"),
        (118.0, "cars")]


# --- Wrong uses.

def failure_of(**functions):
    class Wrong(Bench):
        pass

    for name, function in functions.items():
        setattr(Wrong, name, function)
    with pytest.raises(orrery.RunError) as caught:
        Shop(1.0, 2, Wrong).run(debug=True)
    return caught.value


@pytest.mark.parametrize("advance, words", [
    (-1.0, "-1 s"), (float("nan"), "nan"), ("soon", "'soon'"),
    (None, "None"), (-INFINITY, "inf")])
def test_a_time_advance_that_cannot_be_is_named(advance, words):
    error = failure_of(time_advance=lambda self, s: advance
                       if s.job else INFINITY)
    for expected in ("Shop: ", "shop.bench", "t = 1 s", words):
        assert expected in error.message
    assert error.result.end == 1.0


def test_an_output_by_a_port_of_another_model_names_both():
    other = Bench()

    def output(self, s, y):
        y[other.done] = 1

    error = failure_of(output=output)
    assert "shop.bench" in error.message and "done" in error.message


def test_a_state_that_output_changes_is_noticed():
    def output(self, s, y):
        s.job = "changed"

    assert "output() changes the state" in failure_of(output=output).message


def test_an_exception_of_a_model_is_the_cause():
    def internal(self, s):
        raise ValueError("the vice is open")

    error = failure_of(internal=internal)
    assert isinstance(error.__cause__, ValueError)
    for expected in ("shop.bench", "t = 1.8 s", "the vice is open",
                     "test_devs.py"):
        assert expected in error.message


def test_a_model_is_one_part_only():
    bench, shop = Bench(), Shop(1.0, 1)
    shop.add(bench, "second")
    with pytest.raises(orrery.ModelError, match="it is a part already"):
        devs.Coupled().add(bench, "third")


def test_ports_that_do_not_fit_are_named():
    shop = Shop(1.0, 1)
    with pytest.raises(orrery.ModelError, match="shop.bench.done"):
        shop.couple(shop.bench.done, shop.bench.done)
    with pytest.raises(TypeError, match="is no port"):
        shop.couple(shop.bench, shop.sink.in_)
    with pytest.raises(ValueError, match="of no model"):
        shop.couple(Bench.done, shop.sink.in_)


def test_ports_of_a_model_that_is_gone_are_refused():
    shop = Shop(1.0, 1)
    bench = shop.bench
    del shop
    with pytest.raises(ValueError, match="gone"):
        bench.path


def test_a_bag_is_of_use_in_its_call_only():
    kept = []

    class Keeps(Bench):
        def external(self, s, elapsed, x):
            kept.append(x)
            super().external(s, elapsed, x)

    Shop(1.0, 1, Keeps).run()
    with pytest.raises(ValueError, match="after the call"):
        kept[0][Bench().order]


def test_streams_are_made_in_initial_only():
    with pytest.raises(ValueError, match="make it in initial"):
        Bench().random("x")


def test_many_transitions_take_little_time():
    class Ring(devs.Coupled):
        def __init__(self, count):
            stations = [self.add(Bench(), f"s{i}") for i in range(count)]
            first = self.add(devs.Generator(1, limit=1), "first")
            self.couple(first.out, stations[0].order)
            for here, there in zip(stations, stations[1:] + stations[:1]):
                self.couple(here.done, there.order)

    ring = Ring(10)
    begin = time.perf_counter()
    result = ring.run(stop=8000)
    assert result.statistics["internal"] >= 9998
    assert time.perf_counter() - begin < 2
