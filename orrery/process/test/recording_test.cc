#include "orrery/process/record/recording.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/process/cells.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/model/topic.h"
#include "orrery/process/simulator.h"

namespace orrery::process {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Graph = EventGraph<std::string>;

// A cell whose state is its history: effects and times.
struct History {
  using Effect = Graph;

  std::string text;

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect a, Effect b) {
    return Graph::Sequentially(std::move(a), std::move(b));
  }

  static Effect Concurrently(Effect a, Effect b) {
    return Graph::Concurrently(std::move(a), std::move(b));
  }

  void Apply(const Effect& effect) {
    text += "{" + effect.ToText([](const std::string& s) { return s; }) + "}";
  }

  void Step(Duration dt) { text += "+" + std::to_string(dt / 1s); }

  [[nodiscard]] const std::string& Value() const { return text; }
};

std::string TextOf(const Commit& commit) {
  return commit.graph.ToText([](const Event& event) {
    const auto& value = event.fields.at(0).value;
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text
                           : std::to_string(std::get<std::int64_t>(value));
  });
}

std::string CommitsOf(const Simulator& run) {
  const EventLog& log = run.recording().events;
  std::string text;
  for (std::size_t i = 0; i < log.num_commits(); ++i) {
    text += (i == 0 ? "[" : " [") + TextOf(log.At(i)) + "]";
  }
  return text;
}

// Tasks say their names; a cell hears them.
struct Theatre : Model {
  Topic<std::string> said{this, "said"};
  Cell<History> heard{this, "heard"};
  std::vector<std::string> views;
  std::function<void(Theatre&)> start;

  explicit Theatre(std::function<void(Theatre&)> s) : start(std::move(s)) {
    said.Feed(heard, [](const std::string& s_) { return Graph::Atom(s_); });
  }

  Task<> Says(std::string name) {
    views.push_back(name + " saw " + heard.Get());
    said.Emit(name);
    co_return;
  }

  void Start() override { start(*this); }
};

constexpr Options kEvents{.records = {.events = true}};

Options Shuffled(std::uint64_t seed) {
  Options options = kEvents;
  options.shuffle = seed;
  return options;
}

// A3
Task<> FansOut(Theatre& m) {
  m.said.Emit("a");
  m.Spawn(m.Says("c1"));
  m.said.Emit("b");
  m.Spawn(m.Says("c2"));
  m.said.Emit("d");
  m.views.push_back("parent saw " + m.heard.Get());
  co_return;
}

TEST(RecordingTest, ACommitShowsWhatWasConcurrent) {
  Theatre m([](Theatre& t) { t.Spawn(FansOut(t)); });
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(CommitsOf(run), "[a; ((b; (d | c2)) | c1)]");
  EXPECT_THAT(
      m.views,
      ElementsAre("parent saw {a}{b}{d}", "c1 saw {a}", "c2 saw {a}{b}"));
  EXPECT_EQ(run.Get(m.heard), "{a}{(b; (d | c2)) | c1}");
}

// A4
Task<> SpawnsThree(Theatre& m) {
  m.said.Emit("a");
  m.Spawn(m.Says("x"));
  m.Spawn(m.Says("y"));
  m.Spawn(m.Says("z"));
  co_return;
}

TEST(RecordingTest, SpawnsInARowShareTheirBranchPoint) {
  Theatre m([](Theatre& t) { t.Spawn(SpawnsThree(t)); });
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(CommitsOf(run), "[a; (x | y | z)]");
  EXPECT_THAT(m.views, ElementsAre("x saw {a}", "y saw {a}", "z saw {a}"));
}

// A5
Task<> SpawnsFirst(Theatre& m) {
  m.Spawn(m.Says("c"));
  m.said.Emit("p");
  co_return;
}

TEST(RecordingTest, ASpawnBeforeAnyEventSeesNone) {
  Theatre m([](Theatre& t) { t.Spawn(SpawnsFirst(t)); });
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(CommitsOf(run), "[p | c]");
  EXPECT_THAT(m.views, ElementsAre("c saw "));
}

// A10
Task<> SaysAt1(Theatre& m, std::string name) {
  co_await m.Delay(1s);
  m.said.Emit(name);
}

TEST(RecordingTest, TasksOfOneTimeAreConcurrentAndInTheSameOrderInEveryRun) {
  for (std::uint64_t order = 0; order < 10; ++order) {
    Theatre m([](Theatre& t) {
      for (const char* name : {"p", "q", "r"}) {
        t.Spawn(SaysAt1(t, name));
      }
    });
    Simulator run(m, Shuffled(order));
    run.Run();
    EXPECT_EQ(CommitsOf(run), "[p | q | r]");
    EXPECT_EQ(run.recording().events.At(0).time, 1s);
  }
}

// A12
Task<> SaysThrice(Theatre& m) {
  for (const char* name : {"e0", "e1", "e2"}) {
    m.said.Emit(name);
    co_await m.Delay(0s);
  }
  m.views.push_back(m.heard.Get());
}

TEST(RecordingTest, CommitsOfOneInstantFollowEachOtherWithoutTime) {
  Theatre m([](Theatre& t) { t.Spawn(SaysThrice(t)); });
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(CommitsOf(run), "[e0] [e1] [e2]");
  EXPECT_THAT(m.views, ElementsAre("{e0}{e1}{e2}"));
  EXPECT_EQ(run.recording().events.At(2).microstep, 2);
}

// B1
Task<> CallsX(Theatre& m) {
  m.said.Emit("a");
  co_await m.Call(m.Says("b"));
  m.said.Emit("c");
}

TEST(RecordingTest, ACalledTaskFollowsItsCaller) {
  Theatre m([](Theatre& t) { t.Spawn(CallsX(t)); });
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(CommitsOf(run), "[a; b] [c]");
  EXPECT_THAT(m.views, ElementsAre("b saw {a}"));
}

// A7, L15: a tree of atoms, each followed by further ones and by spawned ones.
struct TaskTree {
  int atom = 0;
  std::vector<TaskTree> after;
};

Task<> Executes(Theatre& m, const TaskTree& tree, std::string past) {
  const TaskTree* at = &tree;
  for (;;) {
    RC_ASSERT(m.heard.Get() == past);
    m.said.Emit(std::to_string(at->atom));
    past += "{" + std::to_string(at->atom) + "}";
    if (at->after.empty()) {
      co_return;
    }
    for (std::size_t i = 1; i < at->after.size(); ++i) {
      m.Spawn(Executes(m, at->after[i], past));
    }
    at = &at->after.front();
  }
}

Graph GraphOf(const TaskTree& tree) {
  Graph after;
  for (const TaskTree& branch : tree.after) {
    after = Graph::Concurrently(std::move(after), GraphOf(branch));
  }
  return Graph::Sequentially(Graph::Atom(std::to_string(tree.atom)),
                             std::move(after));
}

TaskTree RandomTree(int& atoms, int depth) {
  TaskTree tree{.atom = atoms++, .after = {}};
  const int branches = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  for (int i = 0; i < branches; ++i) {
    tree.after.push_back(RandomTree(atoms, depth - 1));
  }
  return tree;
}

struct Identity {
  static Graph Empty() { return {}; }

  static Graph Atom(const Event& event) {
    return Graph::Atom(std::get<std::string>(event.fields.at(0).value));
  }

  static Graph Sequentially(Graph a, Graph b) {
    return Graph::Sequentially(std::move(a), std::move(b));
  }

  static Graph Concurrently(Graph a, Graph b) {
    return Graph::Concurrently(std::move(a), std::move(b));
  }
};

RC_GTEST_PROP(RecordingTest,
              AnyFanOutGraphIsExecutedAsItselfAndEachAtomSeesItsPast,
              ()) {
  int atoms = 0;
  const TaskTree tree = RandomTree(atoms, 5);
  Theatre m([&](Theatre& t) { t.Spawn(Executes(t, tree, "")); });
  const auto order = *rc::gen::inRange<std::uint64_t>(0, 1000);
  Simulator run(m, Shuffled(order));
  run.Run();
  RC_ASSERT(run.recording().events.num_commits() == 1U);
  RC_ASSERT(run.recording().events.At(0).graph.Evaluate(Identity()) ==
            GraphOf(tree));
}

// C8
struct Hall : Model {
  Topic<std::string> said{this, "said"};
  Topic<std::string> unheard{this, "unheard"};
  Cell<Counter<>> length{this, "length"};
  Cell<Counter<>> number{this, "number"};

  Hall() {
    said.Feed(length, [](const std::string& s) {
      return Counter<>::Adding(static_cast<std::int64_t>(s.size()));
    });
    said.Feed(number, [](const std::string&) { return Counter<>::Adding(1); });
  }

  Task<> Speak() {
    said.Emit("hello");
    said.Emit("abc");
    unheard.Emit("orphan");
    co_return;
  }

  void Start() override { Spawn(Speak()); }
};

TEST(RecordingTest, TwoCellsHearOneTopicAndWhatNobodyHearsIsRecorded) {
  Hall m;
  Simulator run(m, kEvents);
  run.Run();
  EXPECT_EQ(run.Get(m.length), 8);
  EXPECT_EQ(run.Get(m.number), 2);
  EXPECT_EQ(CommitsOf(run), "[hello; abc; orphan]");
  EXPECT_EQ(run.recording().events.At(0).graph.ToText([](const Event& event) {
    return event.task + ":" + event.source;
  }),
            "Speak:said; Speak:said; Speak:unheard");
}

// Spans.
struct SpanText {
  std::string name;
  int parent;
  Duration begin;
  Duration end;  // -1 if it is open.

  friend bool operator==(const SpanText&, const SpanText&) = default;

  friend std::ostream& operator<<(std::ostream& out, const SpanText& s) {
    return out << s.name << " in " << s.parent << ": " << s.begin / 1s << " to "
               << s.end / 1s;
  }
};

std::vector<SpanText> SpanTextsOf(const Simulator& run) {
  std::vector<SpanText> spans;
  for (const Span& span : run.recording().spans) {
    spans.push_back(
        {.name = span.name,
         .parent = span.parent ? static_cast<int>(*span.parent) : -1,
         .begin = span.begin,
         .end = span.state == SpanEnd::kOpen ? Duration(-1s) : span.end});
  }
  return spans;
}

struct Activities : Model {
  std::function<void(Activities&)> start;

  explicit Activities(std::function<void(Activities&)> s)
      : start(std::move(s)) {}

  Task<> Lasts(Duration duration) { co_await Delay(duration); }

  Task<> Decomposes() {
    Spawn(Lasts(60s));
    co_await Delay(120s);
    Spawn(Lasts(60s));
  }

  Task<> Peel() { co_return; }

  Task<> Grow() { co_await Delay(3s); }

  Task<> Child() { co_await Delay(2s); }

  Task<> SpawnParent() {
    Spawn(Child());
    co_await Delay(1s);
    Spawn(Child());
  }

  Task<> CallsTwice() {
    co_await Call(Child());
    co_await Delay(1s);
    co_await Call(Child());
    Annotate("calls", 2);
  }

  void Start() override { start(*this); }
};

constexpr Options kSpans{.records = {.spans = true}};

// B6
TEST(RecordingTest, ASpanClosesWhenItsLastChildCloses) {
  Activities m([](Activities& a) { a.Spawn(a.Decomposes()); });
  Simulator run(m, kSpans);
  run.RunUntil(1h);
  EXPECT_THAT(SpanTextsOf(run),
              ElementsAre(SpanText{"Decomposes", -1, 0s, 180s},
                          SpanText{"Lasts", 0, 0s, 60s},
                          SpanText{"Lasts", 0, 120s, 180s}));
}

// B7
TEST(RecordingTest, WhatIsNotOverAtTheHorizonIsOpen) {
  Activities m([](Activities& a) {
    a.Spawn(a.Peel());
    a.Spawn(a.Grow());
    a.Spawn(a.SpawnParent());
  });
  Simulator run(m, kSpans);
  run.RunUntil(2s);
  EXPECT_THAT(SpanTextsOf(run),
              ElementsAre(SpanText{"Peel", -1, 0s, 0s},
                          SpanText{"Grow", -1, 0s, -1s},
                          SpanText{"SpawnParent", -1, 0s, -1s},
                          SpanText{"Child", 2, 0s, 2s},
                          SpanText{"Child", 2, 1s, -1s}));
}

// B8
TEST(RecordingTest, CallsInSequenceFollowEachOther) {
  Activities m([](Activities& a) { a.Spawn(a.CallsTwice()); });
  Simulator run(m, kSpans);
  run.RunUntil(1h);
  EXPECT_THAT(SpanTextsOf(run),
              ElementsAre(SpanText{"CallsTwice", -1, 0s, 5s},
                          SpanText{"Child", 0, 0s, 2s},
                          SpanText{"Child", 0, 3s, 5s}));
  const Span& span = run.recording().spans[0];
  ASSERT_EQ(span.attributes.size(), 1U);
  EXPECT_EQ(span.attributes[0].name, "calls");
  EXPECT_EQ(std::get<std::int64_t>(span.attributes[0].value), 2);
}

// Profiles.
struct Piece {
  Duration length;
  Reading reading;

  friend bool operator==(const Piece&, const Piece&) = default;
};

std::vector<Piece> PiecesOf(const Simulator& run, std::size_t profile) {
  const auto segments = run.recording().profiles.at(profile).segments();
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Duration end =
        i + 1 < segments.size() ? segments[i + 1].begin : run.now();
    pieces.push_back(
        {.length = end - segments[i].begin, .reading = segments[i].reading});
  }
  return pieces;
}

Piece Is(Duration length, Polynomial curve) {
  return {.length = length, .reading = curve};
}

struct Profiles : Model {
  Cell<Register<int>> g{this, "g"};
  Cell<Accumulator> a{this, "a", 1, 1};
  Cell<Accumulator> b{this, "b", 2, -1};
  Resource of_g{this, "of_g", g};
  Resource of_a{this, "of_a", a, "m"};
  Resource sum{this, "sum", a + b};
  Resource square{this, "square", [this] {
                    return g.Get() * g.Get();
                  }};
  Resource is_on{this, "is_on", [this] {
                   return g.Get() > 0;
                 }};
  std::function<void(Profiles&)> start;

  explicit Profiles(std::function<void(Profiles&)> s) : start(std::move(s)) {}

  Task<> SetsInARow() {
    co_await Delay(5s);
    for (const int value : {1, 2, 3}) {
      g.Set(value);
      co_await Delay(0s);
    }
  }

  Task<> Derives() {
    g.Set(3);
    co_await Delay(4s);
    b.AddRate(1);
    co_await Delay(2s);
    g.Set(5);
  }

  Task<> SetsSame() {
    for (const int value : {0, 4, 4}) {
      co_await Delay(2s);
      g.Set(value);
    }
  }

  void Start() override { start(*this); }
};

constexpr Options kProfiles{.records = {.profiles = true}};

// E1
TEST(RecordingTest, AResourceIsSampledWhenTheInstantIsSettled) {
  Profiles m([](Profiles& p) { p.Spawn(p.SetsInARow()); });
  Simulator run(m, kProfiles);
  run.RunUntil(10s);
  EXPECT_THAT(PiecesOf(run, 0), ElementsAre(Is(5s, {0}), Is(5s, {3})));
}

// E4
TEST(RecordingTest, OnlyResourcesWhoseCellsChangedAreSampledAgain) {
  Profiles m([](Profiles& p) { p.Spawn(p.Derives()); });
  Simulator run(m, kProfiles);
  run.RunUntil(10s);
  EXPECT_THAT(PiecesOf(run, 1), ElementsAre(Is(10s, {1, 1})));
  EXPECT_THAT(PiecesOf(run, 2), ElementsAre(Is(4s, {3}), Is(6s, {3, 1})));
  EXPECT_THAT(PiecesOf(run, 3), ElementsAre(Is(6s, {9}), Is(4s, {25})));
  EXPECT_THAT(PiecesOf(run, 4),
              ElementsAre(Piece{.length = 10s, .reading = true}));
  EXPECT_EQ(run.recording().profiles[1].unit(), "m");
  // Five at the start; the sum at 4 s; those of g at 6 s.
  EXPECT_EQ(run.statistics().samples, 5 + 1 + 3);
  EXPECT_EQ(run.recording().profiles[2].At(7s), Reading(Polynomial{6, 1}));
}

// E5
TEST(RecordingTest, PiecesThatAreEqualAreJoined) {
  Profiles m([](Profiles& p) { p.Spawn(p.SetsSame()); });
  Simulator run(m, kProfiles);
  run.RunUntil(10s);
  EXPECT_THAT(PiecesOf(run, 0), ElementsAre(Is(4s, {0}), Is(6s, {4})));
}

// E7: a cell whose value holds for half a second.
struct Flicker {
  struct Effect {};

  Duration passed{};

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect, Effect) { return {}; }

  static Effect Concurrently(Effect, Effect) { return {}; }

  void Apply(Effect) {}

  void Step(Duration dt) { passed += dt; }

  [[nodiscard]] std::optional<Duration> Expiry() const {
    return 500ms - passed % 500ms;
  }

  [[nodiscard]] std::int64_t Value() const { return passed / 500ms; }
};

struct Flickering : Model {
  Cell<Flicker> flicker{this, "flicker"};
  Resource seen{this, "seen", flicker};
};

TEST(RecordingTest, AResourceIsSampledWhenWhatItReadExpires) {
  Flickering m;
  Simulator run(m, kProfiles);
  run.RunUntil(5s);
  const std::vector<Piece> pieces = PiecesOf(run, 0);
  ASSERT_EQ(pieces.size(), 11U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(pieces[i], Is(500ms, {static_cast<double>(i)}));
  }
  EXPECT_EQ(pieces[10], Is(0s, {10}));
}

// Read until g is set, and not any more after that.
struct Leaving : Model {
  Cell<Flicker> flicker{this, "flicker"};
  Cell<Register<int>> g{this, "g"};
  Resource seen{this, "seen", [this] {
                  return g.Get() == 0 ? flicker.Get() : 100;
                }};

  Task<> Sets() {
    co_await Delay(700ms);
    g.Set(1);
  }

  void Start() override { Spawn(Sets()); }
};

TEST(RecordingTest, AnExpiryOfWhatIsNoLongerReadIsCalledOff) {
  Leaving m;
  Simulator run(m, kProfiles);
  run.RunUntil(700ms);
  EXPECT_EQ(run.next_time(), Duration::max());
  run.RunUntil(5s);
  EXPECT_EQ(run.statistics().samples, 3);  // At 0, 500 and 700 ms.
}

// E8
struct Changing : Model {
  Cell<Steps<int>> clock{
      this, "clock", 0, std::vector<Steps<int>::Key>{{1s, 1}}};
  Cell<Counter<>> p{this, "p"};
  Cell<Counter<>> q{this, "q"};
  Resource seen{this, "seen", [this] {
                  return clock.Get() == 0 ? p.Get() : q.Get();
                }};

  Task<> Changes() {
    co_await Delay(2s);
    q.Add(1);
    co_await Delay(0s);
    p.Add(1);
    co_await Delay(1s);
    q.Add(1);
  }

  void Start() override { Spawn(Changes()); }
};

TEST(RecordingTest, WhatAResourceReadsMayChangeWhenItExpires) {
  Changing m;
  Simulator run(m, kProfiles);
  run.RunUntil(10s);
  EXPECT_THAT(PiecesOf(run, 0),
              ElementsAre(Is(2s, {0}), Is(1s, {1}), Is(7s, {2})));
  EXPECT_EQ(run.statistics().samples, 4);
}

}  // namespace
}  // namespace orrery::process
