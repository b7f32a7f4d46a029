#include "orrery/plot/plot_spec.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using Curve = PlotSpec::Curve;

template <typename Action>
std::string WhyNot(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

std::string ParseMessage(const char* text) {
  return WhyNot([text] { (void)ParsePlotSpec(text); });
}

// x = sin t and y = cos t in metres, a speed and a switch.
Trajectory Circle(int rows) {
  TrajectoryBuilder builder(
      {{.name = "x", .unit = "m", .column = 0, .derivative = 1},
       {.name = "y", .unit = "m", .column = 1},
       {.name = "v", .unit = "m/s", .column = 1},
       {.name = "on",
        .variability = SignalVariability::kDiscrete,
        .column = 2}});
  for (int i = 0; i < rows; ++i) {
    const double t = 0.1 * i;
    builder.Append(t, std::vector{std::sin(t), std::cos(t), 1.0 * (i > 2)});
  }
  return builder.Take();
}

TEST(PlotSpecTest, ListsCurvesOverTime) {
  EXPECT_THAT(ParsePlotSpec("a, b.c[3]").curves,
              ElementsAre(Curve{"time", "a"}, Curve{"time", "b.c[3]"}));
}

TEST(PlotSpecTest, ListsPhasePlots) {
  EXPECT_THAT(ParsePlotSpec("x:y,u:v").curves,
              ElementsAre(Curve{"x", "y"}, Curve{"u", "v"}));
}

TEST(PlotSpecTest, KeepsSeparatorsWithinANameTogether) {
  EXPECT_THAT(ParsePlotSpec("m[1,2],der(x[1,2]),'a,b:c'").curves,
              ElementsAre(Curve{"time", "m[1,2]"},
                          Curve{"time", "der(x[1,2])"},
                          Curve{"time", "'a,b:c'"}));
}

TEST(PlotSpecTest, SaysWhatIsWrong) {
  EXPECT_EQ(ParseMessage("a,,b"),
            "cannot plot 'a,,b': a name is missing; write 'a,b' or 'x:y'");
  EXPECT_EQ(ParseMessage(""),
            "cannot plot '': a name is missing; write 'a,b' or 'x:y'");
  EXPECT_EQ(ParseMessage("a:b:c"),
            "cannot plot 'a:b:c': 'a:b:c' has more than one ':'; write 'x:y'");
  EXPECT_EQ(ParseMessage("u[3"),
            "cannot plot 'u[3': its brackets do not match");
  EXPECT_EQ(ParseMessage("u]3["),
            "cannot plot 'u]3[': its brackets do not match");
  EXPECT_EQ(ParseMessage("'u"), "cannot plot ''u': a quote is not closed");
  EXPECT_EQ(ParseMessage("a,x:y"),
            "cannot plot 'a,x:y': curves over time ('a') and phase plots "
            "('x:y') do not share an axis; plot them apart, or write 'time:a'");
}

TEST(MakeFigureTest, NamesTheAxisOfASingleCurve) {
  const Figure figure = MakeFigure(Circle(600), ParsePlotSpec("v"), "Run");
  EXPECT_EQ(figure.title, "Run");
  EXPECT_EQ(figure.x.label, "time");
  EXPECT_EQ(figure.x.unit, "s");
  EXPECT_EQ(figure.y.label, "v");
  EXPECT_EQ(figure.y.unit, "m/s");
}

TEST(MakeFigureTest, GivesTheAxisTheUnitThatAllCurvesHave) {
  const Figure figure = MakeFigure(Circle(600), ParsePlotSpec("x,y"));
  EXPECT_EQ(figure.y.label, "");
  EXPECT_EQ(figure.y.unit, "m");
  EXPECT_EQ(figure.series[0].label, "x");
}

TEST(MakeFigureTest, GivesTheLegendTheUnitsThatDiffer) {
  const Figure figure = MakeFigure(Circle(600), ParsePlotSpec("x,v"));
  EXPECT_EQ(figure.y.unit, "");
  EXPECT_EQ(figure.series[0].label, "x [m]");
  EXPECT_EQ(figure.series[1].label, "v [m/s]");
}

TEST(MakeFigureTest, GivesAPhasePlotOfEqualUnitsEqualAxes) {
  EXPECT_TRUE(MakeFigure(Circle(9), ParsePlotSpec("x:y")).equal_aspect);
  EXPECT_FALSE(MakeFigure(Circle(9), ParsePlotSpec("x:v")).equal_aspect);
  EXPECT_FALSE(MakeFigure(Circle(9), ParsePlotSpec("x")).equal_aspect);
}

// p = width sin t and q = height cos t, without units.
Trajectory Ellipse(double width, double height) {
  TrajectoryBuilder builder(
      {{.name = "p", .column = 0}, {.name = "q", .column = 1}});
  for (int i = 0; i < 100; ++i) {
    const double t = 0.1 * i;
    builder.Append(t, std::vector{width * std::sin(t), height * std::cos(t)});
  }
  return builder.Take();
}

TEST(MakeFigureTest, GivesAPhasePlotOfAlikeRangesEqualAxes) {
  const auto is_equal = [](double width, double height) {
    return MakeFigure(Ellipse(width, height), ParsePlotSpec("p:q"))
        .equal_aspect;
  };
  EXPECT_TRUE(is_equal(1, 1));
  EXPECT_TRUE(is_equal(1, 3.9));
  EXPECT_TRUE(is_equal(3.9, 1));
  EXPECT_FALSE(is_equal(1, 4.1));
  EXPECT_FALSE(is_equal(30, 1));
}

TEST(MakeFigureTest, TakesTheRowsAsTheyAreWhereThereAreMany) {
  const Trajectory run = Circle(600);
  const Figure figure = MakeFigure(run, ParsePlotSpec("x:y"));
  EXPECT_EQ(figure.series[0].x, run["x"].values());
  EXPECT_EQ(figure.series[0].y, run["y"].values());
}

TEST(MakeFigureTest, IsSmoothWhereRowsAreFew) {
  const Figure figure = MakeFigure(Circle(20), ParsePlotSpec("x"));
  const Series& series = figure.series[0];
  EXPECT_GT(series.x.size(), 500U);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    EXPECT_NEAR(series.y[i], std::sin(series.x[i]), 1e-6);
  }
}

TEST(MakeFigureTest, DrawsADiscreteSignalAsSteps) {
  const Figure figure = MakeFigure(Circle(5), ParsePlotSpec("on,x"));
  EXPECT_EQ(figure.series[0].style, SeriesStyle::kStep);
  EXPECT_EQ(figure.series[1].style, SeriesStyle::kLine);
}

TEST(MakeFigureTest, NamesTheSignalsThereAre) {
  EXPECT_EQ(WhyNot([] { (void)MakeFigure(Circle(5), ParsePlotSpec("on2")); }),
            "cannot find signal 'on2': the result has none of this name; "
            "known: x, y, v, on");
}

TEST(OverlayDataTest, AddsDotsInTheColourOfTheirCurve) {
  const PlotSpec spec = ParsePlotSpec("v,x");
  Figure figure = MakeFigure(Circle(5), spec);
  const Table table("d.csv", {{"year", "", {0, 1}}, {"x", "m", {2, 3}}});
  OverlayData(table, spec, figure);
  ASSERT_EQ(figure.series.size(), 3U);
  EXPECT_EQ(figure.series[2].label, "x [m] (data)");
  EXPECT_EQ(figure.series[2].style, SeriesStyle::kPoints);
  EXPECT_EQ(figure.series[2].color, 1);
  EXPECT_THAT(figure.series[2].x, ElementsAre(0, 1));
  EXPECT_THAT(figure.series[2].y, ElementsAre(2, 3));
}

TEST(OverlayDataTest, PairsTheColumnsOfAPhasePlot) {
  const PlotSpec spec = ParsePlotSpec("x:y");
  Figure figure = MakeFigure(Circle(5), spec);
  const Table table("d.csv",
                    {{"time", "", {0}}, {"y", "m", {2}}, {"x", "m", {3}}});
  OverlayData(table, spec, figure);
  EXPECT_EQ(figure.series[1].label, "y (data)");
  EXPECT_THAT(figure.series[1].x, ElementsAre(3));
  EXPECT_THAT(figure.series[1].y, ElementsAre(2));
}

TEST(OverlayDataTest, SuggestsTheNearestColumn) {
  const PlotSpec spec = ParsePlotSpec("x");
  Figure figure = MakeFigure(Circle(5), spec);
  const Table table("d.csv", {{"time", "", {0}}, {"X", "m", {2}}});
  EXPECT_EQ(WhyNot([&] { OverlayData(table, spec, figure); }),
            "cannot plot 'x': the data 'd.csv' have no column for it; did "
            "you mean 'X'?");
}

}  // namespace
}  // namespace orrery
