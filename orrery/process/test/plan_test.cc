#include "orrery/process/plan/plan.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/simulator.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Part = PlanProblem::Part;

struct Mission : Model {
  Cell<Counter<>> count{this, "count"};
  Cell<Log<double>> drawn{this, "drawn"};
  Resource shown{this, "shown", count};

  Activity peel{this, "Peel", "Takes no time", [this](Parameters&) {
                  return Peel();
                }};
  Activity grow{this, "Grow", "Takes some", [this](Parameters& p) {
                  return Grow(p.Get("time", 3s, "It takes", {.min = 0s}));
                }};
  Activity parent{this, "SpawnParent", "Has children", [this](Parameters& p) {
                    const Duration pause = p.Get("pause", 1s, "Between them");
                    const Duration child = p.Get("child", 2s, "Of one");
                    return SpawnParent(pause, child);
                  }};
  Activity add{
      this, "Add", "Counts", [this](Parameters& p) {
        const int amount = p.Get("amount", 1, "By", {.min = 1});
        return Add(
            amount,
            p.Get("mode", "once", "How", {.choices = {"once", "twice"}}));
      }};
  Activity draw{this, "Draw", "Draws at random", [this](Parameters&) {
                  return Draw();
                }};
  Activity fail{this, "Fail", "Goes wrong", [this](Parameters& p) {
                  if (p.Get("early", false, "Before it begins")) {
                    throw std::runtime_error("it cannot be");
                  }
                  return Fail();
                }};

  Task<> Peel() { co_return; }

  Task<> Grow(Duration time) { co_await Delay(time); }

  Task<> SpawnParent(Duration pause, Duration child) {
    Spawn(Grow(child));
    co_await Delay(pause);
    Spawn(Grow(child));
  }

  Task<> Add(int amount, std::string mode) {
    count.Add(mode == "once" ? amount : 2 * amount);
    co_return;
  }

  Task<std::int64_t> Draw() {
    drawn.Append(Random("it").Uniform(0, 1));
    co_return 1;
  }

  Task<> Fail() {
    co_await Delay(1s);
    throw std::runtime_error("a wheel is lost");
  }

  Task<> AtStart() {
    count.Add(100);
    co_return;
  }

  bool adds_at_start = false;

  void Start() override {
    if (adds_at_start) {
      Spawn(AtStart());
    }
  }
};

Directive At(std::string id,
             std::string type,
             Duration start,
             std::vector<ParameterText> arguments = {}) {
  return {.id = std::move(id),
          .type = std::move(type),
          .start = start,
          .arguments = std::move(arguments)};
}

Directive After(std::string id,
                std::string type,
                std::string anchor,
                Duration offset = {}) {
  return {.id = std::move(id),
          .type = std::move(type),
          .anchor = Anchor{.id = std::move(anchor)},
          .start = offset};
}

Directive With(std::string id,
               std::string type,
               std::string anchor,
               Duration offset = {}) {
  return {
      .id = std::move(id),
      .type = std::move(type),
      .anchor = Anchor{.id = std::move(anchor), .point = Anchor::Point::kStart},
      .start = offset};
}

std::string SecondsAndUnit(Duration time) {
  return std::to_string(time / 1s);
}

// "Grow 0-3", or "Grow 0-" for one that is open.
std::string TextOf(const Span& span) {
  return span.name + " " + SecondsAndUnit(span.begin) + "-" +
         (span.state == SpanEnd::kOpen ? "" : SecondsAndUnit(span.end));
}

std::vector<std::string> SpansOf(const Simulator& run) {
  std::vector<std::string> texts;
  for (const Span& span : run.recording().spans) {
    texts.push_back(TextOf(span));
  }
  return texts;
}

std::vector<std::string> SpansOf(const std::vector<Directive>& directives,
                                 Duration end,
                                 Duration start = {}) {
  Mission mission;
  Simulator run(
      mission, Plan{directives}, {.records = {.spans = true}, .start = start});
  run.RunUntil(end);
  return SpansOf(run);
}

// B6 of tasks.md.
TEST(PlanTest, ActivityLastsAsLongAsWhatItSpawns) {
  Mission mission;
  Simulator run(mission,
                {{At("d",
                     "SpawnParent",
                     0s,
                     {{.name = "pause", .value = "2min"},
                      {.name = "child", .value = "60"}})}},
                {.records = {.spans = true}});
  run.RunUntil(1h);
  EXPECT_THAT(SpansOf(run),
              ElementsAre("SpawnParent 0-180", "Grow 0-60", "Grow 120-180"));
  EXPECT_EQ(run.recording().spans[1].parent, 0U);
  EXPECT_EQ(run.recording().spans[2].parent, 0U);
}

// B7 of tasks.md.
TEST(PlanTest, WhatIsUnfinishedAtTheEndIsOpen) {
  EXPECT_THAT(
      SpansOf({At("a", "Peel", 0s),
               At("b", "Grow", 0s),
               At("c", "SpawnParent", 0s)},
              2s),
      ElementsAre(
          "Peel 0-0", "Grow 0-", "SpawnParent 0-", "Grow 0-2", "Grow 1-"));
  EXPECT_THAT(SpansOf({At("a", "Peel", 0s), At("b", "Grow", 0s)}, 1s),
              ElementsAre("Peel 0-0", "Grow 0-"));
}

// E2 of tasks.md.
TEST(PlanTest, ActivityAtTheStartComesAfterWhatModelsBeginWith) {
  Mission mission;
  mission.adds_at_start = true;
  Simulator run(mission,
                {{At("one", "Add", 0s)}},
                {.records = {.profiles = true, .events = true}});
  run.RunUntil(2s);
  EXPECT_THAT(run.recording().profiles.at(0).segments(),
              ElementsAre(Segment{.reading = Polynomial{101.0}}));
  const EventLog& log = run.recording().events;
  ASSERT_EQ(log.num_commits(), 2U);
  EXPECT_EQ(log.At(0).microstep, 0);
  EXPECT_EQ(log.At(1).microstep, 1);
}

// F2 of tasks.md: activities of a minute, one an hour, of days -3 to 14.
class PartOfPlanTest : public testing::Test {
 protected:
  static constexpr int kFirst = -72;

  PartOfPlanTest() {
    for (int hour = kFirst; hour <= 336; ++hour) {
      plan_.directives.push_back(At(std::to_string(hour),
                                    "Grow",
                                    hour * 1h,
                                    {{.name = "time", .value = "60"}}));
    }
  }

  struct Hours {
    int first = 0;
    int last = 0;  // The last one that is over.
    std::vector<int> open;

    friend bool operator==(const Hours&, const Hours&) = default;
  };

  Hours Simulated(Duration start, Duration end) {
    Mission mission;
    Simulator run(mission, plan_, {.records = {.spans = true}, .start = start});
    EXPECT_EQ(run.now(), start);
    run.RunUntil(end);
    Hours hours{.first = 999};
    for (const Span& span : run.recording().spans) {
      const int hour = static_cast<int>(span.begin / 1h);
      EXPECT_EQ(std::get<std::string>(span.attributes.at(0).value),
                std::to_string(hour));
      if (span.state == SpanEnd::kOpen) {
        hours.open.push_back(hour);
      } else {
        EXPECT_EQ(span.end - span.begin, 60s);
        hours.first = std::min(hours.first, hour);
        hours.last = std::max(hours.last, hour);
      }
    }
    return hours;
  }

  Plan plan_;
};

TEST_F(PartOfPlanTest, OnlyWhatBeginsWithinARunIsCarriedOut) {
  using std::chrono::days;
  EXPECT_EQ(Simulated(days(0), days(5)), (Hours{0, 119, {120}}));
  EXPECT_EQ(Simulated(days(5), days(10)), (Hours{120, 239, {240}}));
  EXPECT_EQ(Simulated(days(3), days(8)), (Hours{72, 191, {192}}));
  EXPECT_EQ(Simulated(days(-2), days(3)), (Hours{-48, 71, {72}}));
  EXPECT_EQ(Simulated(days(8), days(13)), (Hours{192, 311, {312}}));
}

TEST(PlanTest, AnchoredActivitiesBeginWhenTheOthersDo) {
  EXPECT_THAT(SpansOf({After("c", "Peel", "b", 5s),
                       After("b", "Grow", "a"),
                       At("a", "SpawnParent", 10s),
                       With("d", "Peel", "a", -4s),
                       With("e", "Peel", "c", 1s)},
                      1min),
              ElementsAre("Peel 6-6",
                          "SpawnParent 10-13",
                          "Grow 10-12",
                          "Grow 11-13",
                          "Grow 13-16",
                          "Peel 21-21",
                          "Peel 22-22"));
}

TEST(PlanTest, WhatFollowsIsOfTheNextBatch) {
  Mission mission;
  Simulator run(mission,
                {{At("a", "Add", 1s), After("b", "Add", "a")}},
                {.records = {.events = true}});
  run.RunUntil(2s);
  const EventLog& log = run.recording().events;
  ASSERT_EQ(log.num_commits(), 2U);
  EXPECT_EQ(log.At(1).time, 1s);
  EXPECT_EQ(log.At(1).microstep, log.At(0).microstep + 1);
}

TEST(PlanTest, WhatIsAnchoredToWhatIsLeftOutIsLeftOut) {
  EXPECT_THAT(SpansOf({At("a", "Grow", 1s),
                       After("b", "Grow", "a"),
                       With("c", "Peel", "a", 5s)},
                      1min,
                      2s),
              ElementsAre("Peel 6-6"));
}

TEST(PlanTest, TimesBeforeZeroAreTimesAsOthersAre) {
  Mission mission;
  Simulator run(mission,
                {{At("a", "Add", -30s), After("b", "Grow", "a", 10s)}},
                {.records = {.profiles = true, .spans = true}, .start = -1min});
  run.Run();
  EXPECT_EQ(run.now(), -17s);
  EXPECT_THAT(SpansOf(run), ElementsAre("Add -30--30", "Grow -20--17"));
  EXPECT_THAT(run.recording().profiles.at(0).segments(),
              ElementsAre(Segment{.begin = -1min, .reading = Polynomial{}},
                          Segment{.begin = -30s, .reading = Polynomial{1.0}}));
}

TEST(PlanTest, SpansTellTheirArguments) {
  Mission mission;
  Simulator run(mission,
                {{At("x", "Add", 0s, {{.name = "mode", .value = "twice"}})}},
                {.records = {.spans = true}});
  run.Run();
  const std::vector<Record::Field>& attributes =
      run.recording().spans.at(0).attributes;
  ASSERT_EQ(attributes.size(), 3U);
  EXPECT_EQ(attributes[0].name, "directive");
  EXPECT_EQ(attributes[0].value, Record::Value(std::string("x")));
  EXPECT_EQ(attributes[1].name, "amount");
  EXPECT_EQ(attributes[1].value, Record::Value(std::int64_t{1}));
  EXPECT_EQ(attributes[2].name, "mode");
  EXPECT_EQ(attributes[2].value, Record::Value(std::string("twice")));
  EXPECT_EQ(run.Get(mission.count), 2);
}

TEST(PlanTest, ActivitiesOfPartsAreNamedByTheirPaths) {
  struct Fleet : Model {
    struct Rover : Model {
      using Model::Model;
      Activity wait{this, "Wait", "Does nothing", [this](Parameters&) {
                      return Wait();
                    }};

      Task<> Wait() { co_return; }
    };

    Rover one{this, "one"};
    Rover two{this, "two"};
  } fleet;

  Simulator run(
      fleet, {{At("a", "two.Wait", 0s)}}, {.records = {.spans = true}});
  run.Run();
  EXPECT_THAT(SpansOf(run), ElementsAre("two.Wait 0-0"));
}

// The random numbers of an activity do not depend on other activities.
TEST(PlanTest, RandomNumbersOfAnActivityAreThoseOfItsId) {
  const auto drawn = [](const std::vector<Directive>& directives) {
    Mission mission;
    Simulator run(mission, {directives});
    run.Run();
    return run.Get(mission.drawn).at(0);
  };
  const double alone = drawn({At("a", "Draw", 5s)});
  EXPECT_EQ(drawn({At("b", "Grow", 1s), At("a", "Draw", 3s)}), alone);
  EXPECT_NE(drawn({At("b", "Draw", 5s)}), alone);
}

TEST(PlanTest, FailureNamesTheDirective) {
  Mission mission;
  Simulator run(mission, {{At("lost", "Fail", 2s)}});
  try {
    run.Run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot go on at t = 3 s: task 'Fail (lost)' failed: a wheel "
                 "is lost");
  }
}

TEST(PlanTest, ArgumentsOfATypeCanBeAskedFor) {
  const Mission mission;
  EXPECT_THAT(mission.add.ArgumentInfos(),
              ElementsAre(ParameterInfo{.name = "amount",
                                        .type = "a whole number of 1 or more",
                                        .value = "1",
                                        .default_value = "1",
                                        .meaning = "By"},
                          ParameterInfo{.name = "mode",
                                        .type = "'once' or 'twice'",
                                        .value = "once",
                                        .default_value = "once",
                                        .meaning = "How"}));
  EXPECT_EQ(mission.add.meaning(), "Counts");
}

TEST(PlanTest, AllThatIsWrongIsFound) {
  const Mission mission;
  const Plan plan = {{
      At("a", "Grwo", 0s),
      At("a", "Peel", 0s, {{.name = "x", .value = "1"}}),
      At("b",
         "Add",
         0s,
         {{.name = "amount", .value = "0"},
          {.name = "mod", .value = "once"},
          {.name = "mode", .value = "twcie"}}),
      After("c", "Peel", "z"),
      After("d", "Peel", "e"),
      With("e", "Peel", "f", -1s),
      After("f", "Peel", "d"),
      After("g", "Peel", "f"),
      After("h", "Peel", "b", -1s),
      With("i", "Peel", "b", -1s),
      At("j", "Fail", 0s, {{.name = "early", .value = "true"}}),
      At("", "Peel", Duration::max()),
      With("k", "Peel", "", 1s),
  }};
  std::vector<std::string> texts;
  for (const PlanProblem& problem : FindProblems(plan, mission)) {
    texts.push_back(std::to_string(problem.directive) + " " +
                    std::to_string(static_cast<int>(problem.part)) +
                    std::to_string(problem.argument) + " " + problem.message +
                    "; " + problem.hint);
  }
  EXPECT_THAT(
      texts,
      ElementsAre(
          "0 10 the model has no type of activities 'Grwo'; did you mean "
          "'Grow'?",
          "1 00 id 'a' comes twice; rename one of the activities",
          "1 40 'Peel' has no argument 'x'; it takes none",
          "2 41 'Add' has no argument 'mod'; did you mean 'mode'?",
          "2 50 cannot set 'amount' to '0': it takes a whole number of 1 or "
          "more; its default is 1",
          "2 52 cannot set 'mode' to 'twcie': it takes 'once' or 'twice'; did "
          "you mean 'twice'?",
          "3 20 there is no activity with id 'z'; ",
          "4 20 anchors go round in a circle: 'd' waits for 'e', 'e' waits for "
          "'f', 'f' waits for 'd'; give one of them a time of its own",
          "8 30 cannot begin 1 s before the end of 'b': when that is comes out "
          "only then; give 0 s or more, or refer to a start",
          "10 10 cannot make 'Fail': it cannot be; ",
          "11 00 an activity has no id; give each one of its own",
          "12 20 there is no activity with id ''; "));
}

TEST(PlanTest, RunsRefuseWhatIsWrong) {
  Mission mission;
  try {
    const Simulator run(mission,
                        {{At("a", "Peel", 0s, {{.name = "x", .value = "1"}}),
                          After("b", "Pel", "a")}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(),
                 "error: plan.a: 'Peel' has no argument 'x'; it takes none\n"
                 "error: plan.b: the model has no type of activities 'Pel'; "
                 "did you mean 'Peel'?\n");
  }
  EXPECT_NO_THROW(const Simulator run(mission));
}

TEST(PlanTest, StartBeyondTheEndOfTimeIsRefused) {
  const Mission mission;
  EXPECT_THAT(
      FindProblems(
          {{At("a", "Peel", Duration::max()), With("b", "Peel", "a", 1s)}},
          mission),
      ElementsAre(PlanProblem{.directive = 1,
                              .part = Part::kStart,
                              .message = "it begins beyond the end of time",
                              .hint = "give times below 9.2e9 s"}));
}

TEST(PlanTest, LongChainsOfAnchorsAreFollowed) {
  Mission mission;
  Plan plan = {{At("0", "Add", 0s)}};
  for (int i = 1; i < 100'000; ++i) {
    plan.directives.push_back(With(
        std::to_string(i), "Add", std::to_string(i - 1), i % 2 == 0 ? 1s : 0s));
  }
  std::reverse(plan.directives.begin(), plan.directives.end());
  Simulator run(mission, plan);
  run.Run();
  EXPECT_EQ(run.Get(mission.count), 100'000);
  EXPECT_EQ(run.now(), 49'999s);
}

TEST(PlanTest, RunWithAPlanGoesOnFromASnapshot) {
  Mission mission;
  Simulator run(mission,
                {{At("a", "SpawnParent", 1s),
                  After("b", "Draw", "a", 1s),
                  After("c", "Add", "b", 7s)}},
                {.records = {.spans = true}, .snapshots = true});
  run.RunUntil(2s);
  const Snapshot snapshot = run.Save();
  run.Run();
  const std::vector<std::string> spans = SpansOf(run);
  const double drawn = run.Get(mission.drawn).at(0);
  EXPECT_EQ(run.now(), 12s);
  for (int i = 0; i < 2; ++i) {
    run.Restore(snapshot);
    run.Run();
    EXPECT_EQ(SpansOf(run), spans);
    EXPECT_EQ(run.Get(mission.drawn).at(0), drawn);
    EXPECT_EQ(run.Get(mission.count), 1);
  }
}

// Each begins when its anchor says, however plans are made.
RC_GTEST_PROP(PlanTest, EndsAndStartsOfAnchorsAreKept, ()) {
  const int size = *rc::gen::inRange(1, 20);
  std::vector<Directive> directives;
  std::vector<Duration> begins;
  std::vector<Duration> ends;
  for (int i = 0; i < size; ++i) {
    const auto id = std::to_string(i);
    const Duration offset = *rc::gen::inRange(0, 5) * 1s;
    const Duration length = *rc::gen::inRange(0, 4) * 1s;
    const int anchor = *rc::gen::inRange(-1, i);
    const bool is_end = *rc::gen::arbitrary<bool>();
    Directive directive = At(id, "Grow", offset);
    Duration begin = offset;
    if (anchor >= 0) {
      const auto index = static_cast<std::size_t>(anchor);
      directive = is_end ? After(id, "Grow", std::to_string(anchor), offset)
                         : With(id, "Grow", std::to_string(anchor), offset);
      begin += is_end ? ends[index] : begins[index];
    }
    directive.arguments = {
        {.name = "time", .value = std::to_string(length / 1s)}};
    begins.push_back(begin);
    ends.push_back(begin + length);
    directives.push_back(directive);
  }
  std::rotate(directives.begin(),
              directives.begin() + *rc::gen::inRange(0, size),
              directives.end());
  Mission mission;
  Simulator run(mission, Plan{directives}, {.records = {.spans = true}});
  run.Run();
  RC_ASSERT(run.recording().spans.size() == directives.size());
  for (const Span& span : run.recording().spans) {
    const auto i = static_cast<std::size_t>(
        std::stoi(std::get<std::string>(span.attributes.at(0).value)));
    RC_ASSERT(span.begin == begins[i]);
    RC_ASSERT(span.end == ends[i]);
  }
}

}  // namespace
}  // namespace orrery::process
