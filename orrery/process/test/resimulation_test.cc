#include "orrery/process/resimulation.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/test/models.h"
#include "orrery/process/test/recording_text.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;

struct Rover : Model {
  Cell<Accumulator> battery{this, "battery", 100.0, -0.01};
  Cell<Counter<>> done{this, "done"};
  Cell<Log<std::string>> log{this, "log"};
  Resource shown{this, "shown", battery};
  Activity drive{this, "Drive", "Goes", [this](Parameters& p) {
                   return Drive(p.Get("minutes", 10, "How long"));
                 }};

  Task<> Drive(int minutes) {
    battery.AddRate(-0.02);
    co_await Delay(minutes * 1min);
    battery.AddRate(+0.02);
    Spawn(Reports(minutes));
    co_await Until(battery < 95 || done >= 2);
    done.Add(1);
  }

  Task<> Reports(int minutes) {
    co_await Delay(Random("report").Uniform(1, 100) * 1s);
    log.Append("drove " + std::to_string(minutes) + " until " +
               orrery::ToText(Now()));
  }

  Task<> Beats() {
    for (;;) {
      co_await Delay(7min);
      log.Append("beat");
    }
  }

  void Start() override { Spawn(Beats()); }
};

constexpr Options kAllRecords{
    .records = {.profiles = true, .spans = true, .events = true}};

std::string Everything(const Simulator& run, const Rover& m) {
  std::string text = std::to_string(run.Get(m.done));
  for (const std::string& entry : run.Get(m.log)) {
    text += "\n" + entry;
  }
  return text + RecordingText(run.recording());
}

Directive Drive(const std::string& id, Duration start, int minutes) {
  return {.id = id,
          .type = "Drive",
          .anchor = {},
          .start = start,
          .arguments = {{.name = "minutes", .value = std::to_string(minutes)}}};
}

Directive After(const std::string& id,
                const std::string& other,
                Duration delay) {
  return {.id = id,
          .type = "Drive",
          .anchor = Anchor{.id = other, .point = Anchor::Point::kEnd},
          .start = delay,
          .arguments = {}};
}

std::string FromTheStart(const Plan& plan, Duration end) {
  Rover mission;
  Simulator run(mission, plan, kAllRecords);
  run.RunUntil(end);
  return Everything(run, mission);
}

// H1, H3
TEST(ResimulationTest, AChangedPlanBeginsAtTheLatestSnapshotBeforeTheChange) {
  Rover mission;
  Resimulation runs(mission, kAllRecords, {5min, 6min, 30min});
  Plan plan{.directives = {Drive("a", 1min, 5), Drive("b", 7min, 20)}};
  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), std::nullopt);

  plan.directives[1].start = 8min;
  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), 6min);

  plan.directives.push_back(Drive("c", 6min, 3));
  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), 5min);

  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), 30min);

  plan.directives.erase(plan.directives.begin());
  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), std::nullopt);
}

TEST(ResimulationTest, AnAnchoredChangeCountsFromTheSoonestItCanBe) {
  Rover mission;
  const Plan plan{.directives = {Drive("a", 1min, 20), After("b", "a", 10min)}};
  Plan other = plan;
  other.directives[1].start = 12min;
  EXPECT_EQ(FirstChange(plan, other, mission), 11min);
  EXPECT_EQ(FirstChange(plan, plan, mission), Duration::max());
}

TEST(ResimulationTest, AnotherOrderOfActivitiesOfOneTimeIsAChange) {
  Rover mission;
  const Plan plan{.directives = {Drive("a", 9min, 20),
                                 Drive("b", 9min, 5),
                                 Drive("c", 5min, 4),
                                 After("d", "c", 1min)}};
  const auto change_of = [&](std::size_t one, std::size_t other) {
    Plan changed = plan;
    std::swap(changed.directives[one], changed.directives[other]);
    return FirstChange(plan, changed, mission);
  };
  EXPECT_EQ(change_of(0, 1), 9min);
  EXPECT_EQ(change_of(1, 2), Duration::max());
  EXPECT_EQ(change_of(2, 3), 6min);
}

TEST(ResimulationTest, WhatIsToBeginBeyondTheEndOfTimeNeverDoes) {
  Rover mission;
  Resimulation runs(mission, kAllRecords, {30min});
  Plan plan{.directives = {Drive("a", 1min, 5),
                           After("b", "a", Duration::max() - 30s)}};
  runs.Run(plan, 1h);
  plan.directives[1].start = Duration::max() - 20s;
  EXPECT_EQ(Everything(runs.Run(plan, 1h), mission), FromTheStart(plan, 1h));
  EXPECT_EQ(runs.resumed_at(), 30min);
}

TEST(ResimulationTest, ASnapshotBeforeACellExpiresHidesNoCondition) {
  Ramp ramp;
  Resimulation runs(ramp, {}, {10s});
  runs.Run(Plan{}, 200s);
  runs.Run(Plan{}, 300s);
  EXPECT_EQ(runs.resumed_at(), 10s);
  EXPECT_THAT(ramp.times, testing::ElementsAre(50s, 50s));
}

TEST(ResimulationTest, ASnapshotAfterTheChangeIsRefused) {
  Rover mission;
  Options options;
  options.snapshots = true;
  const Plan plan{.directives = {Drive("a", 1min, 20)}};
  Simulator run(mission, plan, options);
  run.RunUntil(2min);
  const Snapshot snapshot = run.Save();
  Plan other = plan;
  other.directives.push_back(Drive("b", 2min, 5));
  try {
    run.Restore(snapshot, other);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot follow another plan from the snapshot at t = 120 s: "
                 "the plans may differ from t = 120 s on; restore a snapshot "
                 "before that");
  }
}

Plan RandomPlan(int size) {
  Plan plan;
  for (int i = 0; i < size; ++i) {
    const std::string id = std::to_string(i);
    const Duration start = *rc::gen::inRange(0, 12) * 5min;
    if (i > 0 && *rc::gen::inRange(0, 3) == 0) {
      plan.directives.push_back(
          After(id, std::to_string(*rc::gen::inRange(0, i)), start));
    } else {
      plan.directives.push_back(Drive(id, start, *rc::gen::inRange(0, 30)));
    }
  }
  return plan;
}

RC_GTEST_PROP(ResimulationTest, AnyChangeOfAnyPlanGivesTheSame, ()) {
  Rover mission;
  Resimulation runs(
      mission, kAllRecords, {10min, 20min, 30min, 40min, 50min, 70min});
  Plan plan = RandomPlan(*rc::gen::inRange(1, 8));
  runs.Run(plan, 2h);
  for (int i = 0; i < 4; ++i) {
    Directive& changed = plan.directives[*rc::gen::inRange<std::size_t>(
        0, plan.directives.size())];
    if (*rc::gen::inRange(0, 2) == 0) {
      changed.start = *rc::gen::inRange(0, 60) * 1min;
    } else {
      std::swap(changed, plan.directives.front());
    }
    const Duration end = *rc::gen::inRange(60, 150) * 1min;
    RC_ASSERT(Everything(runs.Run(plan, end), mission) ==
              FromTheStart(plan, end));
  }
}

}  // namespace
}  // namespace orrery::process
