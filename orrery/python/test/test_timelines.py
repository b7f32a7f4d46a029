"""When tasks were at work: tables and charts."""
from orrery import Tasks


def test_a_timeline_has_the_spans_of_tasks():
    class Crew(Tasks):
        def start(self):
            self.spawn(self.day())

        def day(self):
            yield 1
            yield self.call(self.cleans(3))

        def cleans(self, time):
            self.annotate("minutes", 5)
            yield time

    timeline = Crew().run().timeline()
    assert [(s.name, s.begin, s.end) for s in timeline.spans] == [
        ("day", 0.0, 4.0), ("cleans", 1.0, 4.0)]
    assert timeline.to_pandas()["end"].tolist() == [4.0, 4.0]


class Wash(Tasks):
    def start(self):
        scrubs = self.spawn(self.works(9))
        self.spawn(self.works(1))
        self.spawn(self.waits())
        yield 2
        scrubs.cancel()

    def works(self, length):
        yield length

    def waits(self):
        yield 30


def test_a_timeline_has_the_states_of_tasks():
    timeline = Wash().run(10).timeline()
    assert [(its.name, its.state) for its in timeline.spans] == [
        ("start", "open"), ("works", "cancelled"), ("works", "completed"),
        ("waits", "open")]
    assert timeline.to_pandas()["state"].tolist() == [
        its.state for its in timeline.spans]


def test_a_timeline_is_a_chart_in_a_notebook():
    timeline = Wash().run(10).timeline()
    page = timeline._repr_html_()
    assert page.count("<svg") == 1 and "</svg>" in page
    assert "<p>4 tasks to 10 s</p>" in page
    assert page.count(">works<") == 2 and page.count(">waits<") == 1
    assert timeline.svg(900).startswith("<svg")


def test_a_timeline_without_tasks_is_a_line_in_a_notebook():
    page = Tasks().run().timeline()._repr_html_()
    assert "<svg" not in page and "0 tasks to 0 s" in page
