"""Tables of users: what is taken for the time, gaps, order, rows."""
import datetime

import numpy as np
import pandas
import pytest

import models
import orrery

TIMES = np.linspace(0, 1, 6)
FADING = np.exp(-TIMES)


def follower():
    """A model whose x is its input."""
    return orrery.modelica("model M input Real u; Real x = u; end M;")


def frame(**columns):
    """The decay with k = 1, with columns in place of its own."""
    return pandas.DataFrame({"time": TIMES, "x": FADING, **columns})


@pytest.mark.parametrize("index", [
    pandas.Index([0.0, 1.0]), pandas.Index([0, 1], name="time"),
    pandas.to_timedelta([0, 1], unit="s")])
def test_an_index_of_times_is_the_time(index):
    inputs = pandas.DataFrame({"u": [1.0, 3.0]}, index=index)
    assert follower().run(inputs=inputs).at(0.5, "x") == pytest.approx(2)


@pytest.mark.parametrize("index", [
    None, pandas.Index([5, 6]), pandas.Index(["a", "b"])])
def test_an_index_that_may_count_rows_is_no_time(index):
    inputs = pandas.DataFrame({"u": [1.0, 3.0]}, index=index)
    with pytest.raises(ValueError, match="give a column 'time'"):
        follower().run(inputs=inputs)
    with pytest.raises(ValueError, match="give a column 'time'"):
        models.decay().calibrate(inputs, {"k": (0.1, 5)})


def test_dates_in_an_index_are_no_times_since_the_start():
    dates = pandas.date_range(datetime.datetime(2020, 1, 1), periods=2)
    inputs = pandas.DataFrame({"u": [1.0, 3.0]}, index=dates)
    with pytest.raises(ValueError, match=r"frame.index - frame.index\[0\]"):
        follower().run(inputs=inputs)


@pytest.mark.parametrize("data, options, message", [
    (frame()[::-1], {}, "in row 2, 0.8, is before the one in row 1, 1;"),
    (frame(time=[0, 0.2, np.nan, 0.6, 0.8, 1]), {}, "time in row 3 is nan"),
    (frame()[3:4], {}, "one row"),
    (frame(time=TIMES - 0.3), {}, "row 1, at -0.3 s, is before the run"),
    (frame(), dict(start=0.5), "row 1, at 0 s, is before the run, which "
     "starts at 0.5 s"),
    (frame(), dict(stop=0.5), "row 4, at 0.6 s, is after the run, which "
     "stops at 0.5 s"),
])
def test_rows_that_a_fit_would_misread_are_named(data, options, message):
    with pytest.raises(ValueError) as raised:
        models.decay().calibrate(data, {"k": (0.1, 5)}, **options)
    assert message in str(raised.value)


def test_rows_of_files_are_checked_as_well(tmp_path):
    frame()[::-1].to_csv(tmp_path / "data.csv", index=False)
    with pytest.raises(ValueError, match="sort the rows by time"):
        models.decay().calibrate(tmp_path / "data.csv", {"k": (0.1, 5)})


def test_a_stop_that_rounds_differently_is_no_reason_to_refuse():
    time = np.arange(4) * 0.1  # The last one is 0.30000000000000004.
    data = {"time": time, "x": np.exp(-time)}
    fit = models.decay().calibrate(data, {"k": (0.1, 5)}, stop=0.3)
    assert fit.values["k"] == pytest.approx(1, rel=1e-5)


def test_gaps_of_data_are_left_out_with_a_warning():
    data = frame(x=np.where(TIMES == TIMES[2], np.nan, FADING),
                 unused=np.nan)
    fit = models.decay().calibrate(data, {"k": (0.1, 5)})
    assert fit.values["k"] == pytest.approx(1, rel=1e-6)
    assert len(fit.residuals) == 5
    assert fit.warnings[0] == ("the data: column 'x' has no value in 1 of 6 "
                               "rows, the first of them row 3; they are left "
                               "out")


def test_one_row_each_of_several_runs_can_be_fitted():
    data = [({"time": [t], "x": [np.exp(-t)]}, {}) for t in (0.5, 1, 2)]
    fit = models.decay().calibrate(data, {"k": (0.1, 5)})
    assert fit.values["k"] == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("points", [
    pandas.DataFrame({"k": [1, 2]}), {"k": [1.0, 2.0]}, [{"k": 1}, {"k": 2}]])
def test_points_are_a_frame_columns_or_rows(points):
    s = models.decay().sweep(points=points, keep="x")
    assert s["k"].tolist() == [1, 2]
    assert s["x"] == pytest.approx(np.exp([-1, -2]), rel=1e-5)


@pytest.mark.parametrize("points, kind, message", [
    (pandas.DataFrame({"k": [1, np.nan, 3]}), ValueError,
     "column 'k' has no number in row 2"),
    ({"k": [1, 2], "x": [np.nan, 1]}, ValueError,
     "'x' has no number in row 1"),
    (pandas.DataFrame(), ValueError, "no row"),
    (pandas.DataFrame({"k": []}), ValueError, "no row"),
    ([], ValueError, "no row"),
    ([{"k": 1}, {"x": 1}], ValueError, "row 2 has values of x"),
    ([1, 2], TypeError, "cannot take 1 for row 1 of 'points'"),
    (5, TypeError, "cannot take int for 'points'"),
])
def test_points_that_cannot_be_are_named(points, kind, message):
    with pytest.raises(kind) as raised:
        models.decay().sweep(points=points)
    assert message in str(raised.value)


def test_a_frame_of_points_is_no_set_of_ranges():
    with pytest.raises(TypeError, match="give points=frame"):
        models.decay().sweep(pandas.DataFrame({"k": [1, 2]}))
