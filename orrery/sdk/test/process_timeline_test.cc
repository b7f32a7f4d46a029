#include "orrery/sdk/process_timeline.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using process::Cell;
using process::Resource;
using process::Task;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using State = TimelineSpan::State;

struct Kiln : process::Model {
  Cell<process::Accumulator> heat{this, "heat", 20.0};
  Cell<process::Counter<>> fired{this, "fired"};
  Cell<process::Register<std::string>> mode{this, "mode", "cold"};
  Resource temperature{this, "temperature", heat, "degC"};
  Resource pieces{this, "pieces", fired};
  Resource doing{this, "doing", [this] {
                   return mode.Get();
                 }};
  Resource is_hot{this, "is_hot", [this] {
                    return mode.Get() == "hot";
                  }};

  Task<> Warm() {
    heat.AddRate(10);
    co_await Delay(4s);
    heat.AddRate(-10);
  }

  Task<> Guard() { co_await Until(heat >= 1000.0); }

  Task<> Fire() {
    Annotate("pieces", 12);
    Annotate("glaze", "blue");
    mode.Set("warming");
    co_await Call(Warm());
    mode.Set("hot");
    process::Handle<> guard = Spawn(Guard());
    co_await Delay(3s);
    guard.Cancel();
    fired.Add(12);
    mode.Set("cold");
  }

  Task<> Cool() { co_await Delay(100s); }

  Task<> Day() {
    co_await Delay(1s);
    co_await Call(Fire());
    Spawn(Cool());
  }

  void Start() override { Spawn(Day()); }
};

process::Recording RecordingOf(process::Records records) {
  Kiln kiln;
  process::Simulator run(kiln, {.records = records});
  run.RunUntil(10s);
  return run.recording();
}

process::Recording WholeRecording() {
  return RecordingOf({.profiles = true, .spans = true});
}

TEST(ProcessTimelineTest, SpansAreBarsBelowThoseWhoSpawnedThem) {
  const Timeline timeline = ToTimeline(WholeRecording(), 0s, 10s);
  EXPECT_EQ(timeline.begin, 0);
  EXPECT_EQ(timeline.end, 10);
  std::vector<std::string> bars;
  for (const TimelineSpan& span : timeline.spans) {
    bars.push_back(
        (span.parent ? timeline.spans[*span.parent].label + " > " : "") +
        span.label + " " + std::to_string(static_cast<int>(span.begin)) + " " +
        (span.end ? std::to_string(static_cast<int>(*span.end)) : "-"));
  }
  EXPECT_THAT(bars,
              ElementsAre("Day 0 -",
                          "Day > Fire 1 8",
                          "Fire > Warm 1 5",
                          "Fire > Guard 5 8",
                          "Day > Cool 8 -"));
  EXPECT_EQ(timeline.spans[0].state, State::kOpen);
  EXPECT_EQ(timeline.spans[1].state, State::kCompleted);
  EXPECT_EQ(timeline.spans[3].state, State::kCancelled);
}

TEST(ProcessTimelineTest, AttributesAreDetails) {
  const Timeline timeline = ToTimeline(WholeRecording(), 0s, 10s);
  EXPECT_EQ(timeline.spans[0].details, "");
  EXPECT_EQ(timeline.spans[1].details, "pieces=12; glaze=blue");
  EXPECT_THAT(RenderTimelineSvg(timeline),
              HasSubstr("<title>Fire: 1 s to 8 s, completed; pieces=12; "
                        "glaze=blue</title>"));
}

TEST(ProcessTimelineTest, TextsAndTruthsAreBands) {
  const Timeline timeline = ToTimeline(WholeRecording(), 0s, 10s);
  ASSERT_EQ(timeline.bands.size(), 2U);
  EXPECT_EQ(timeline.bands[0].label, "doing");
  EXPECT_THAT(timeline.bands[0].values,
              ElementsAre(Pair(0, "cold"),
                          Pair(1, "warming"),
                          Pair(5, "hot"),
                          Pair(8, "cold")));
  EXPECT_EQ(timeline.bands[1].label, "is_hot");
  EXPECT_THAT(timeline.bands[1].values,
              ElementsAre(Pair(0, ""), Pair(5, "true"), Pair(8, "")));
}

TEST(ProcessTimelineTest, NumbersArePanelsWithTheirUnits) {
  const Timeline timeline = ToTimeline(WholeRecording(), 0s, 10s);
  ASSERT_EQ(timeline.panels.size(), 2U);
  const Figure& temperature = timeline.panels[0];
  EXPECT_EQ(temperature.y.label, "temperature");
  EXPECT_EQ(temperature.y.unit, "degC");
  ASSERT_EQ(temperature.series.size(), 1U);
  EXPECT_EQ(temperature.series[0].style, SeriesStyle::kLine);
  EXPECT_EQ(temperature.series[0].y.front(), 20);
  EXPECT_EQ(temperature.series[0].y.back(), 60);
  const Series& pieces = timeline.panels[1].series.at(0);
  EXPECT_EQ(pieces.style, SeriesStyle::kStep);
  EXPECT_THAT(pieces.x, ElementsAre(0, 8, 10));
  EXPECT_THAT(pieces.y, ElementsAre(0, 12, 12));
}

TEST(ProcessTimelineTest, NamedResourcesAreShownInTheirOrder) {
  const Timeline timeline =
      ToTimeline(WholeRecording(),
                 0s,
                 10s,
                 std::vector<std::string>{"pieces", "doing", "temperature"});
  ASSERT_EQ(timeline.panels.size(), 2U);
  EXPECT_EQ(timeline.panels[0].y.label, "pieces");
  EXPECT_EQ(timeline.panels[1].y.label, "temperature");
  ASSERT_EQ(timeline.bands.size(), 1U);
  EXPECT_EQ(timeline.bands[0].label, "doing");
  EXPECT_EQ(timeline.spans.size(), 5U);
}

TEST(ProcessTimelineTest, EitherPartAloneIsDrawn) {
  EXPECT_EQ(ToTimeline(RecordingOf({.spans = true}), 0s, 10s).spans.size(), 5U);
  const Timeline profiles =
      ToTimeline(RecordingOf({.profiles = true}), 0s, 10s);
  EXPECT_TRUE(profiles.spans.empty());
  EXPECT_EQ(profiles.bands.size() + profiles.panels.size(), 4U);
}

TEST(ProcessTimelineTest, RunThatFailsIsShownUpToThere) {
  struct Fragile : process::Model {
    Cell<process::Accumulator> load{this, "load", 1.0};
    Resource weight{this, "weight", load, "kg"};

    static Task<> Fall() {
      co_await Delay(2s);
      throw std::runtime_error("it breaks");
    }

    Task<> Day() {
      load.AddRate(3);
      co_await Delay(1s);
      co_await Call(Fall());
    }

    void Start() override { Spawn(Day()); }
  };

  Fragile fragile;
  process::Simulator run(
      fragile,
      {.records = {.profiles = true, .spans = true}, .start = Duration(-5s)});
  EXPECT_THROW(run.RunUntil(10s), Error);
  const Timeline timeline = ToTimeline(run.recording(), -5s, run.now());
  EXPECT_EQ(timeline.begin, -5);
  EXPECT_EQ(timeline.end, -2);
  ASSERT_EQ(timeline.spans.size(), 2U);
  EXPECT_EQ(timeline.spans[1].label, "Fall");
  EXPECT_EQ(timeline.spans[1].begin, -4);
  EXPECT_EQ(timeline.spans[1].end, -2);
  EXPECT_EQ(timeline.spans[1].state, State::kFailed);
  ASSERT_EQ(timeline.panels.size(), 1U);
  EXPECT_THAT(timeline.panels[0].series[0].x, ElementsAre(-5, -2));
  EXPECT_THAT(timeline.panels[0].series[0].y, ElementsAre(1, 10));
}

std::string WhyNot(const process::Recording& recording,
                   const std::vector<std::string>& resources) {
  try {
    (void)ToTimeline(recording, 0s, 10s, resources);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ProcessTimelineTest, WhatWasNotRecordedIsToldWithWhatToDo) {
  EXPECT_EQ(WhyNot(RecordingOf({}), {}),
            "cannot draw a timeline: the run kept no spans of tasks and no "
            "profiles; set Options::records before it, and see that the model "
            "has tasks or resources");
  EXPECT_EQ(WhyNot(RecordingOf({.spans = true}), {"doing"}),
            "cannot show 'doing' in a timeline: the run kept no profiles; set "
            "Options::records.profiles before it");
  EXPECT_EQ(WhyNot(WholeRecording(), {"temprature"}),
            "cannot show 'temprature' in a timeline: the run kept no profile "
            "of it; did you mean 'temperature'?");
}

}  // namespace
}  // namespace orrery
