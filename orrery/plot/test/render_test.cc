#include "orrery/plot/render.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/source_file.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/figures/layout_parts.h"
#include "orrery/plot/test/label_extents.h"

// Fontconfig, under cairo, keeps its configuration until the process ends.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is LeakSanitizer's.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}

namespace orrery {

namespace internal = plot::internal;

namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kMost = std::numeric_limits<double>::max();

template <typename Action>
std::string MessageOf(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

Figure Line() {
  return {.title = "A <line> & more",
          .x = {"time", "s"},
          .y = {"h", "m"},
          .series = {{.label = "h", .x = {0, 1, 2}, .y = {0, 1, 0}}}};
}

Figure Wave(std::size_t series) {
  Figure figure{.x = {"time", "s"}, .y = {"", "m"}};
  for (std::size_t k = 0; k < series; ++k) {
    Series wave{.label = "wave" + std::to_string(k)};
    for (int i = 0; i <= 100; ++i) {
      wave.x.push_back(0.1 * i);
      wave.y.push_back(std::sin(0.1 * i) + 0.5 * static_cast<double>(k));
    }
    figure.series.push_back(std::move(wave));
  }
  return figure;
}

std::size_t Lines(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(RenderSvgTest, DrawsTheWholeFigure) {
  EXPECT_EQ(
      RenderSvg(Line(), {.width = 240, .height = 160}),
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160" viewBox="0 0 240 160" role="img" aria-labelledby="title desc" font-family="Helvetica Neue,Helvetica,Arial,DejaVu Sans,sans-serif" stroke-linecap="round" stroke-linejoin="round">
<title id="title">A &lt;line&gt; &amp; more</title>
<desc id="desc">Plot of h. Across: time [s] from about 0 to 2. Upwards: h [m] from about 0 to 1.</desc>
<rect width="240" height="160" fill="#fff"/>
<text x="16" y="32" font-size="16" fill="#222222" font-weight="bold">A &lt;line&gt; &amp; more</text>
<path fill="none" stroke="#e3e6ea" d="M57.5,50.5l0 48M216.5,50.5l0 48M57.5,96.5l159 0M57.5,52.5l159 0"/>
<path fill="none" stroke="#0072b2" stroke-width="1.8" d="M57.27,96.24l79.36-43.98 79.37 43.98"/>
<text x="57.5" y="119.25" font-size="13" fill="#555555" text-anchor="middle">0</text>
<text x="216.5" y="119.25" font-size="13" fill="#555555" text-anchor="middle">2</text>
<text x="46.5" y="101.18" font-size="13" fill="#555555" text-anchor="end">0</text>
<text x="46.5" y="57.18" font-size="13" fill="#555555" text-anchor="end">1</text>
<path fill="none" stroke="#99a0a8" d="M57.5,50.5l0 48 159 0M57.5,98.5l0 5M216.5,98.5l0 5M52.5,96.5l5 0M52.5,52.5l5 0"/>
<text x="136.63" y="140.5" font-size="14" fill="#222222" text-anchor="middle">time [s]</text>
<text x="28" y="74.25" font-size="14" fill="#222222" text-anchor="middle" transform="rotate(-90 28 74.25)">h [m]</text>
</svg>
)svg");
}

TEST(RenderSvgTest, GivesTheSameBytesEveryTime) {
  EXPECT_EQ(RenderSvg(Wave(3)), RenderSvg(Wave(3)));
}

TEST(RenderSvgTest, StaysSmallForAMillionPoints) {
  Figure figure;
  Series noise{.label = "noise"};
  std::uint32_t state = 1;
  for (int i = 0; i < 1'000'000; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise.x.push_back(i);
    noise.y.push_back(state >> 8);
  }
  figure.series.push_back(std::move(noise));
  EXPECT_LT(RenderSvg(figure).size(), 400'000U);
}

TEST(RenderSvgTest, CutsACurveAtGapsAndShowsWhatStandsAlone) {
  Figure figure{.series = {{.label = "",
                            .x = {0, 1, 2, 3, 4, 5},
                            .y = {0, 1, kNaN, 1, kNaN, 2}}}};
  const auto lines = internal::LinesOf(figure.series[0]);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].size(), 2U);
  EXPECT_EQ(lines[1].size(), 1U);
  EXPECT_THAT(RenderSvg(figure), HasSubstr("h0M"));
}

TEST(RenderSvgTest, DrawsAStaircase) {
  const auto lines = internal::LinesOf(
      {.x = {0, 1, 2}, .y = {5, 7, 6}, .style = SeriesStyle::kStep});
  using internal::Point;
  EXPECT_THAT(lines,
              testing::ElementsAre(
                  std::vector<Point>{{0, 5}, {1, 5}, {1, 7}, {2, 7}, {2, 6}}));
}

TEST(RenderSvgTest, MakesACircleRound) {
  Figure circle{.equal_aspect = true};
  Series series{.label = "c"};
  for (int i = 0; i <= 360; ++i) {
    series.x.push_back(3 * std::cos(i * 0.01745329));
    series.y.push_back(3 * std::sin(i * 0.01745329));
  }
  circle.series.push_back(std::move(series));
  const internal::Drawing drawing = internal::MakeDrawing(circle, 900, 540);
  // The grid is the first stroke, the circle the second.
  const auto& stroke = std::get<internal::Stroke>(drawing.shapes[1]);
  const auto& points = stroke.lines.at(0);
  const auto [left, right] =
      std::ranges::minmax(points, {}, &internal::Point::x);
  const auto [top, bottom] =
      std::ranges::minmax(points, {}, &internal::Point::y);
  EXPECT_NEAR(right.x - left.x, bottom.y - top.y, 0.3);
}

TEST(RenderSvgTest, CleansTextThatIsNoUtf8) {
  Figure figure = Line();
  figure.title = "a\xFF\x01\xC3\xA9";
  EXPECT_THAT(RenderSvg(figure), HasSubstr("<title id=\"title\">a??\u00E9</"));
}

TEST(RenderSvgTest, TellsManyLinesApartByDashes) {
  const std::string few = RenderSvg(Wave(7));
  const std::string many = RenderSvg(Wave(8));
  EXPECT_THAT(few, Not(HasSubstr("stroke-dasharray")));
  EXPECT_THAT(many, HasSubstr("stroke-dasharray=\"7 4\""));
}

TEST(RenderSvgTest, KeepsTheEndsOfLongNamesInItsLegend) {
  const std::string subsystem = "plant.machine_hall.second_line.conveyor_";
  Figure figure = Wave(3);
  figure.series[0].label = subsystem + "left.speed";
  figure.series[1].label = subsystem + "right.speed";
  figure.series[2].label = subsystem + "\u03C9\u03C9\u03C9\u03C9.\u00E9";
  const std::string svg = RenderSvg(figure, {.width = 500, .height = 300});
  EXPECT_THAT(svg, HasSubstr("\u2026"));
  EXPECT_THAT(svg, HasSubstr("left.speed</text>"));
  EXPECT_THAT(svg, HasSubstr("right.speed</text>"));
  EXPECT_THAT(svg, HasSubstr("\u03C9.\u00E9</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(subsystem + "left.speed</text>")));
}

TEST(RenderSvgTest, RefusesWhatItCannotDraw) {
  Figure figure = Line();
  figure.series[0].y.pop_back();
  EXPECT_EQ(MessageOf([&] { (void)RenderSvg(figure); }),
            "cannot draw series 'h': it has 3 x and 2 y");
  EXPECT_EQ(MessageOf([&] { (void)RenderSvg(Line(), {.width = 10}); }),
            "cannot draw the plot: its width is 10; from 200 to 20000 works");
  figure = Line();
  figure.series[0].color = -2;
  EXPECT_EQ(MessageOf([&] { (void)RenderSvg(figure); }),
            "cannot draw series 'h': colour -2 is none; colours count from 0");
}

RC_GTEST_PROP(LayoutTest, NeverLetsTwoTextsOverlapOrLeaveThePicture, ()) {
  const auto exponent = *rc::gen::inRange(-12, 12);
  const double scale = std::pow(10.0, exponent);
  const auto offset = *rc::gen::element(0.0, 1.0, -3.0, 1e5);
  const auto count = *rc::gen::inRange<std::size_t>(1, 30);
  Figure figure = Wave(count);
  figure.title = "Title";
  figure.x.label = *rc::gen::element<std::string>("time", "");
  figure.equal_aspect = *rc::gen::arbitrary<bool>();
  for (Series& series : figure.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      series.x[i] = scale * (series.x[i] + offset);
      series.y[i] = scale * (series.y[i] + offset);
    }
  }
  const int width = *rc::gen::inRange(400, 1500);
  const int height = *rc::gen::inRange(300, 1000);
  const auto extents =
      internal::LabelExtents(internal::MakeDrawing(figure, width, height));
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const internal::Extent& a = extents[i];
    RC_ASSERT(a.left >= 0 && a.right <= width);
    RC_ASSERT(a.top >= 0 && a.bottom <= height);
    for (std::size_t j = 0; j < i; ++j) {
      RC_ASSERT(!internal::Overlap(a, extents[j]));
    }
  }
}

TEST(RenderPngTest, HasTheSizeThatWasAsked) {
  const std::string png =
      RenderPng(Wave(2), {.width = 300, .height = 200, .scale = 2});
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1A\n"));
  // Width and height stand in the first chunk, big-endian: PNG, 11.2.2.
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x58\0\0\x01\x90", 8));
}

TEST(RenderTerminalTest, DrawsBraille) {
  EXPECT_EQ(RenderTerminal(Line(), {.width = 40, .height = 12}),
            R"(A <line> & more
h [m]
1 ┤                ⡠⠔⠑⠤⡀
  │             ⢀⠔⠉    ⠈⠒⢄
  │          ⢀⠤⠊⠁         ⠉⠢⡀
  │        ⡠⠔⠁              ⠈⠑⢄⡀
  │     ⢀⠔⠊                    ⠈⠢⣀
  │  ⢀⡠⠊⠁                         ⠑⠤⡀
0 ┤⡠⠔⠁                              ⠈⠒⢄
  └┬─────────────────┬────────────────┬
   0                 1                2
                 time [s]
)");
}

// 1, 10, 100, 1000 over 1, 2, 3, 4 is a straight line; -5 has no place.
TEST(RenderTerminalTest, DrawsLogarithmicAxes) {
  Figure figure{.x = {.label = "n"},
                .y = {.label = "cost", .is_logarithmic = true}};
  figure.series.push_back(
      {.label = "cost", .x = {0, 1, 2, 3, 4}, .y = {-5, 1, 10, 100, 1000}});
  EXPECT_EQ(RenderTerminal(figure, {.width = 30, .height = 14, .ascii = true}),
            "cost\n"
            "    |                      **\n"
            "    |                    **\n"
            "    |                 ***\n"
            "100 +              ***\n"
            "    |            **\n"
            "    |          **\n"
            "    |       ***\n"
            "    |     **\n"
            "    |  ***\n"
            "  1 +**\n"
            "    +--------+--------------+\n"
            "             2              4\n"
            "                n\n");
}

TEST(RenderTerminalTest, DrawsSignsInAscii) {
  EXPECT_EQ(RenderTerminal(Line(), {.width = 40, .height = 12, .ascii = true}),
            R"(A <line> & more
h [m]
1 +                 ***
  |              ***   ***
  |           ***         ***
  |        ***               **
  |     ***                    ***
  |  ***                          ***
0 +**                                **
  ++-----------------+----------------+
   0                 1                2
                 time [s]
)");
}

TEST(RenderTerminalTest, TellsSeveralCurvesApart) {
  const std::string text = RenderTerminal(Wave(2));
  EXPECT_THAT(text, HasSubstr("* wave0   + wave1"));
}

TEST(RenderTerminalTest, ColoursSeveralCurves) {
  const std::string text = RenderTerminal(Wave(2), {.color = true});
  EXPECT_THAT(text, HasSubstr("\x1b[34m\u2500\u2500 wave0\x1b[0m"));
  EXPECT_THAT(text, HasSubstr("\x1b[31m\u2500\u2500 wave1\x1b[0m"));
}

RC_GTEST_PROP(RenderTerminalTest, KeepsToItsSize, ()) {
  const auto any_value = rc::gen::oneOf(
      rc::gen::arbitrary<double>(),
      rc::gen::element(kNaN, kMost, -kMost, 0.0, 1e-320, INFINITY));
  Figure figure{.title = *rc::gen::arbitrary<std::string>()};
  const auto count = *rc::gen::inRange(0, 4);
  for (int k = 0; k < count; ++k) {
    Series series{.label = *rc::gen::arbitrary<std::string>()};
    series.style = *rc::gen::element(SeriesStyle::kLine,
                                     SeriesStyle::kPoints,
                                     SeriesStyle::kLineAndPoints,
                                     SeriesStyle::kStep);
    series.x = *rc::gen::container<std::vector<double>>(any_value);
    series.y =
        *rc::gen::container<std::vector<double>>(series.x.size(), any_value);
    figure.series.push_back(std::move(series));
  }
  figure.equal_aspect = *rc::gen::arbitrary<bool>();
  const TerminalOptions options{.width = *rc::gen::inRange(30, 120),
                                .height = *rc::gen::inRange(8, 40),
                                .ascii = *rc::gen::arbitrary<bool>()};
  const std::string text = RenderTerminal(figure, options);
  RC_ASSERT(Lines(text) <= static_cast<std::size_t>(options.height));
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    RC_ASSERT(internal::CountCodePoints(text.substr(begin, end - begin)) <=
              static_cast<std::size_t>(options.width));
  }
  RC_ASSERT(!RenderSvg(figure).empty());
  RC_ASSERT(!RenderPng(figure, {.width = 200, .height = 150}).empty());
}

TEST(WritePlotTest, ChoosesTheFormatByTheEnding) {
  const std::string base = testing::TempDir() + "orrery_plot";
  const auto read = [](const std::string& path) {
    std::string text(SourceFile::Read(path)->text());
    std::filesystem::remove(path);
    return text;
  };
  for (const char* const ending : {".svg", ".png", ".txt"}) {
    WritePlot(base + ending, Line());
  }
  EXPECT_EQ(read(base + ".svg"), RenderSvg(Line()));
  EXPECT_EQ(read(base + ".png"), RenderPng(Line()));
  EXPECT_EQ(read(base + ".txt"), RenderTerminal(Line()));
}

TEST(WritePlotTest, ListsTheEndingsItKnows) {
  EXPECT_EQ(MessageOf([] { WritePlot("a.pdf", Line()); }),
            "cannot write 'a.pdf': the ending '.pdf' names no known format; "
            "known endings: .svg, .png, .txt");
  EXPECT_EQ(MessageOf([] { WritePlot("plot", Line()); }),
            "cannot write 'plot': its name has no ending; known endings: "
            ".svg, .png, .txt");
}

}  // namespace
}  // namespace orrery
