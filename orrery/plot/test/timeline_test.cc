#include "orrery/plot/timeline.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/source_file.h"
#include "orrery/plot/figures/layout_parts.h"
#include "orrery/plot/test/label_extents.h"
#include "orrery/plot/test/rover_day.h"
#include "orrery/plot/timeline/timeline_layout.h"
#include "orrery/plot/timeline/timeline_rows.h"

namespace orrery {

namespace internal = plot::internal;

namespace {

using internal::TimelineBar;
using internal::TimelineRow;
using internal::TimelineRows;
using State = TimelineSpan::State;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TimelineSpan Done(std::string label,
                  std::optional<std::size_t> parent,
                  double begin,
                  double end) {
  return {.label = std::move(label),
          .parent = parent,
          .begin = begin,
          .end = end,
          .state = State::kCompleted,
          .details = {}};
}

Timeline Of(std::vector<TimelineSpan> spans) {
  return {.title = {},
          .begin = 0,
          .end = 10,
          .spans = std::move(spans),
          .bands = {},
          .panels = {}};
}

// Depth and label of each row: "  leg".
std::vector<std::string> Names(const TimelineRows& rows) {
  std::vector<std::string> names;
  for (const TimelineRow& row : rows.rows) {
    names.push_back(std::string(2 * row.depth, ' ') + row.label);
  }
  return names;
}

std::string WhyNotDrawn(const Timeline& timeline,
                        const ImageOptions& options = {}) {
  try {
    (void)RenderTimelinePng(timeline, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

TEST(TimelineRowsTest, StandBelowTheirParentsInTheOrderOfTheirBegin) {
  EXPECT_THAT(Names(internal::MakeTimelineRows(RoverDay(), 100)),
              ElementsAre("sol 41",
                          "  wake up",
                          "  drive to crater",
                          "    leg",
                          "    look around",
                          "  drill a sample",
                          "    heat the drill",
                          "  take panorama",
                          "  relay to orbiter"));
}

TEST(TimelineRowsTest, AreSharedBySpansOfOneLabelThatDoNotOverlap) {
  const TimelineRows rows = internal::MakeTimelineRows(
      Of({Done("a", {}, 0, 2), Done("a", {}, 1, 3), Done("a", {}, 2, 4)}), 100);
  ASSERT_EQ(rows.rows.size(), 2U);
  EXPECT_THAT(rows.rows[0].spans, ElementsAre(0, 2));
  EXPECT_THAT(rows.rows[1].spans, ElementsAre(1));
}

TEST(TimelineRowsTest, LeaveOutTheDeepestWhereThereAreTooMany) {
  const TimelineRows rows = internal::MakeTimelineRows(RoverDay(), 7);
  EXPECT_THAT(Names(rows),
              ElementsAre("sol 41",
                          "  wake up",
                          "  drive to crater",
                          "    leg",
                          "  drill a sample",
                          "  take panorama",
                          "  relay to orbiter"));
  EXPECT_EQ(rows.left_out, 2U);
}

TEST(TimelineRowsTest, HideWhatLiesOutsideButForParentsOfWhatIsSeen) {
  const Timeline timeline = Of({Done("whole", {}, -5, -4),
                                Done("part", 0, 1, 2),
                                Done("early", {}, -2, -1),
                                Done("late", {}, 11, 12)});
  EXPECT_THAT(Names(internal::MakeTimelineRows(timeline, 100)),
              ElementsAre("whole", "  part"));
}

TEST(TimelineBarsTest, AreOneWhereTheyAreTooFineToTellApart) {
  Timeline timeline = Of({});
  for (int i = 0; i < 1000; ++i) {
    timeline.spans.push_back(Done("a", {}, 0.01 * i, 0.01 * (i + 1)));
  }
  timeline.spans[500].state = State::kFailed;
  const TimelineRows rows = internal::MakeTimelineRows(timeline, 100);
  ASSERT_EQ(rows.rows.size(), 1U);
  const std::vector<TimelineBar> bars =
      internal::MakeTimelineBars(timeline, rows.rows[0], 100, 3);
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_EQ(bars[0].count, 1000U);
  EXPECT_EQ(bars[0].state, State::kFailed);
  EXPECT_DOUBLE_EQ(bars[0].left, 0);
  EXPECT_NEAR(bars[0].right, 100, 1e-9);
}

TEST(TimelineBarsTest, EndWithTheTimelineWhereTheyAreOpen) {
  const Timeline timeline = Of({{.label = "a", .parent = {}, .begin = 4}});
  const TimelineRows rows = internal::MakeTimelineRows(timeline, 1);
  const std::vector<TimelineBar> bars =
      internal::MakeTimelineBars(timeline, rows.rows[0], 100, 3);
  ASSERT_EQ(bars.size(), 1U);
  EXPECT_DOUBLE_EQ(bars[0].left, 40);
  EXPECT_DOUBLE_EQ(bars[0].right, 100);
}

TEST(TimelineTextsTest, JoinEqualValuesAndTakeTheLastOfATime) {
  Timeline timeline = Of({});
  timeline.bands = {
      {"mode", {{-1, "a"}, {2, "b"}, {2, "c"}, {3, "c"}, {5, ""}, {6, "a"}}}};
  const internal::TimelineTexts texts =
      internal::MakeTimelineTexts(timeline, timeline.bands[0], 100, 3);
  EXPECT_THAT(texts.texts, ElementsAre("a", "c"));
  ASSERT_EQ(texts.pieces.size(), 3U);
  EXPECT_DOUBLE_EQ(texts.pieces[0].left, 0);
  EXPECT_DOUBLE_EQ(texts.pieces[0].right, 20);
  EXPECT_DOUBLE_EQ(texts.pieces[1].right, 50);
  EXPECT_EQ(texts.pieces[1].text, 1U);
  EXPECT_DOUBLE_EQ(texts.pieces[2].left, 60);
  EXPECT_DOUBLE_EQ(texts.pieces[2].right, 100);
}

TEST(ClippedPanelTest, CutsLinesWhereTheyLeave) {
  const Figure clipped = internal::ClippedPanel(
      {.series = {{.label = "h", .x = {0, 4, 8}, .y = {0, 4, 0}}}}, {1, 6});
  EXPECT_THAT(
      internal::LinesOf(clipped.series[0]),
      ElementsAre(std::vector<internal::Point>{{1, 1}, {4, 4}, {6, 2}}));
}

TEST(ClippedPanelTest, KeepsTheLevelOfStepsAndInventsNoDots) {
  const Figure clipped = internal::ClippedPanel(
      {.series = {{.label = "n",
                   .x = {0, 4, 8},
                   .y = {5, 7, 9},
                   .style = SeriesStyle::kStep},
                  {.label = "data",
                   .x = {0, 4, 8},
                   .y = {5, 7, 9},
                   .style = SeriesStyle::kLineAndPoints}}},
      {1, 6});
  EXPECT_THAT(internal::LinesOf(clipped.series[0]),
              ElementsAre(std::vector<internal::Point>{
                  {1, 5}, {4, 5}, {4, 7}, {6, 7}, {6, 7}}));
  EXPECT_THAT(internal::LinesOf(clipped.series[1]),
              ElementsAre(std::vector<internal::Point>{{4, 7}}));
}

TEST(RenderTimelineSvgTest, GivesTheSameBytesEveryTime) {
  EXPECT_EQ(RenderTimelineSvg(RoverDay()), RenderTimelineSvg(RoverDay()));
}

TEST(RenderTimelineSvgTest, SaysWhatEachBarIs) {
  const std::string svg = RenderTimelineSvg(RoverDay());
  EXPECT_THAT(svg,
              HasSubstr("<title>drill a sample: 11:00:00 h to 13:24:00 h, "
                        "failed</title>"));
  EXPECT_THAT(
      svg, HasSubstr("<title>relay to orbiter: 21:00:00 h on, open</title>"));
  EXPECT_THAT(svg,
              HasSubstr("<desc id=\"desc\">Timeline from 0 s to 24:00:00 h: "
                        "10 spans in 9 rows, mode, battery, sunlight, "
                        "speed.</desc>"));
}

TEST(RenderTimelineSvgTest, ShowsTheKeyOnlyWhereNotAllIsCompleted) {
  EXPECT_THAT(RenderTimelineSvg(RoverDay()), HasSubstr(">cancelled</text>"));
  EXPECT_THAT(RenderTimelineSvg(Of({Done("a", {}, 1, 2)})),
              Not(HasSubstr(">completed</text>")));
}

TEST(RenderTimelineSvgTest, WritesEachTextOfABand) {
  const Timeline day = RoverDay();
  const std::string svg = RenderTimelineSvg(day);
  for (const auto& [time, text] : day.bands[0].values) {
    EXPECT_THAT(svg, HasSubstr(">" + text + "</text>"));
  }
}

TEST(RenderTimelineSvgTest, CountsTheRowsThatItLeavesOut) {
  Timeline timeline = Of({});
  for (int i = 0; i < 1000; ++i) {
    timeline.spans.push_back(Done("task " + std::to_string(i), {}, 0, 5));
  }
  const std::string svg = RenderTimelineSvg(timeline);
  EXPECT_EQ(Count(svg, "fill=\"#222222\">task "), 500U);
  EXPECT_THAT(svg, HasSubstr(">and 500 more rows</text>"));
}

TEST(RenderTimelineSvgTest, StaysSmallForAHundredThousandSpans) {
  Timeline timeline = Of({Done("root", {}, 0, 10)});
  for (int i = 0; i < 50'000; ++i) {
    const double begin = 2e-4 * i;
    const std::size_t index = timeline.spans.size();
    timeline.spans.push_back(Done("job", 0, begin, begin + 0.01));
    timeline.spans.push_back(Done("step", index, begin, begin + 0.005));
  }
  EXPECT_LT(RenderTimelineSvg(timeline).size(), 10'000'000U);
}

TEST(RenderTimelineTest, RefusesWhatItCannotDraw) {
  EXPECT_EQ(WhyNotDrawn(Of({Done("a", 0, 1, 2)})),
            "cannot draw span 0 ('a'): its parent is span 0, which does not "
            "come before it; list parents first");
  EXPECT_EQ(WhyNotDrawn(Of({Done("a", {}, 2, 1)})),
            "cannot draw span 0 ('a'): it ends at 1 s, before its begin at "
            "2 s");
  EXPECT_EQ(WhyNotDrawn(Of({Done("a", {}, kNaN, 1)})),
            "cannot draw span 0 ('a'): it is from nan s to 1 s; both must be "
            "finite");
  EXPECT_EQ(WhyNotDrawn(Of({{.label = "a",
                             .parent = {},
                             .begin = 1,
                             .end = {},
                             .state = State::kFailed}})),
            "cannot draw span 0 ('a'): it is failed and has no end; what is "
            "open has none, all else has one");
  Timeline timeline = Of({});
  timeline.end = -1;
  EXPECT_EQ(WhyNotDrawn(timeline),
            "cannot draw the timeline: it is from 0 s to -1 s; both must be "
            "finite and in this order");
  timeline = Of({});
  timeline.bands = {{"mode", {{2, "a"}, {1, "b"}}}};
  EXPECT_EQ(WhyNotDrawn(timeline),
            "cannot draw band 'mode': it is 'b' from 1 s on, after its value "
            "from 2 s on; order its values by time");
  timeline = Of({});
  timeline.panels = {{.series = {{.label = "h", .x = {1}, .y = {}}}}};
  EXPECT_EQ(WhyNotDrawn(timeline),
            "cannot draw series 'h': it has 1 x and 0 y");
}

TEST(RenderTimelineTest, RefusesAnImageThatIsTooLarge) {
  EXPECT_EQ(WhyNotDrawn(Of({}), {.width = 300}),
            "cannot draw the plot: its width is 300; from 400 to 20000 works");
  EXPECT_THAT(WhyNotDrawn(Of({}), {.width = 20000, .scale = 2}),
              HasSubstr("take a smaller scale or SVG"));
  Timeline timeline = Of({});
  timeline.panels.resize(30);
  EXPECT_THAT(WhyNotDrawn(timeline, {.scale = 10}),
              HasSubstr("its 0 bands and 30 panels need more than the 3200 "
                        "pixels"));
}

RC_GTEST_PROP(TimelineLayoutTest, NeverLetsTwoTextsOverlapOrLeave, ()) {
  Timeline timeline = RoverDay();
  const auto word =
      rc::gen::map(rc::gen::inRange<std::size_t>(0, 40),
                   [](std::size_t length) { return std::string(length, 'w'); });
  const double scale = *rc::gen::element(1e-9, 1e-4, 0.01, 1.0, 30.0, 1e6);
  timeline.end *= scale;
  for (TimelineSpan& span : timeline.spans) {
    span.begin *= scale;
    span.end = span.end ? std::optional(*span.end * scale) : std::nullopt;
    span.label = *word;
  }
  for (auto& [time, text] : timeline.bands[0].values) {
    time *= scale;
    text = *word;
  }
  timeline.bands[0].label = *word;
  for (Figure& panel : timeline.panels) {
    const double height = std::pow(10.0, *rc::gen::inRange(-9, 9));
    for (Series& series : panel.series) {
      series.label = *word;
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        series.x[i] *= scale;
        series.y[i] *= height;
      }
    }
  }
  const ImageOptions options = {.width = *rc::gen::inRange(400, 1500),
                                .height = *rc::gen::inRange(150, 1500)};
  const internal::Drawing drawing =
      internal::MakeTimelineDrawing(timeline, options, 1e6);
  const auto extents = internal::LabelExtents(drawing);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    RC_ASSERT(extents[i].left >= 0 && extents[i].right <= drawing.width);
    RC_ASSERT(extents[i].top >= 0 && extents[i].bottom <= drawing.height);
    for (std::size_t j = 0; j < i; ++j) {
      RC_ASSERT(!internal::Overlap(extents[i], extents[j]));
    }
  }
}

TEST(RenderTimelineTerminalTest, DrawsBarsAndTexts) {
  Timeline day = RoverDay();
  day.panels.clear();
  EXPECT_EQ(RenderTimelineTerminal(day, {.width = 70}), R"(A rover's day on Mars
██▶ open   ▓▓╳ failed   ░░│ cancelled
sol 41             │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▶
  wake up          │            ▉
  drive to crater  │             ▄▄▄▄▄▄▄▄▄
    leg            │             ███▉████▉
    look around    │                 ▉
  drill a sample   │                      ▓▓▓▓╳
    heat the drill │                      ██▉
  take panorama    │                            ░░│
  relay to orbiter │                                           █████▶
mode               │▏asleep     ▏▏driving ▏dri…▏▏i…▏charging   ▏rela…
                   └┬───────────────────────┬───────────────────────┬
                  0:00                    12:00                 24:00
                                      time [h:min]
)");
}

TEST(RenderTimelineTerminalTest, DrawsSignsInAscii) {
  Timeline day = RoverDay();
  day.panels.clear();
  EXPECT_EQ(RenderTimelineTerminal(day, {.width = 70, .ascii = true}),
            R"(A rover's day on Mars
##> open   !!X failed   --| cancelled
sol 41             |================================================>
  wake up          |            #
  drive to crater  |             =========
    leg            |             #########
    look around    |                 #
  drill a sample   |                      !!!!X
    heat the drill |                      ###
  take panorama    |                            --|
  relay to orbiter |                                           #####>
mode               ||asleep     ||driving |d...||..|charging   |re...
                   ++-----------------------+-----------------------+
                  0:00                    12:00                 24:00
                                      time [h:min]
)");
}

RC_GTEST_PROP(RenderTimelineTerminalTest, KeepsToItsWidth, ()) {
  Timeline timeline = RoverDay();
  timeline.title = *rc::gen::arbitrary<std::string>();
  timeline.begin = *rc::gen::inRange(-10'000, 80'000);
  for (TimelineSpan& span : timeline.spans) {
    span.label = *rc::gen::arbitrary<std::string>();
  }
  for (auto& [time, text] : timeline.bands[0].values) {
    text = *rc::gen::arbitrary<std::string>();
  }
  const TerminalOptions options{.width = *rc::gen::inRange(30, 120),
                                .height = *rc::gen::inRange(8, 40),
                                .ascii = *rc::gen::arbitrary<bool>()};
  const std::string text = RenderTimelineTerminal(timeline, options);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    RC_ASSERT(internal::CountCodePoints(text.substr(begin, end - begin)) <=
              static_cast<std::size_t>(options.width));
  }
  RC_ASSERT(!RenderTimelineSvg(timeline).empty());
}

TEST(WriteTimelineTest, ChoosesTheFormatByTheEnding) {
  const std::string base = testing::TempDir() + "orrery_timeline";
  const auto read = [](const std::string& path) {
    std::string text(SourceFile::Read(path)->text());
    std::filesystem::remove(path);
    return text;
  };
  for (const char* const ending : {".svg", ".png", ".txt"}) {
    WriteTimeline(base + ending, RoverDay());
  }
  EXPECT_EQ(read(base + ".svg"), RenderTimelineSvg(RoverDay()));
  EXPECT_EQ(read(base + ".png"), RenderTimelinePng(RoverDay()));
  EXPECT_EQ(read(base + ".txt"), RenderTimelineTerminal(RoverDay()));
}

}  // namespace
}  // namespace orrery
