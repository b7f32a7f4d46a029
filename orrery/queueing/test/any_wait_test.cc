#include "orrery/process/tasks/any_wait.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/container.h"
#include "orrery/queueing/resource.h"
#include "orrery/queueing/store.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using process::AnyWait;
using process::Handle;
using process::Interrupted;
using process::Simulator;
using process::Task;
using testing::ElementsAre;

struct Wharf : process::Model {
  Store<int> boxes{this, "boxes"};
  Container tank{this, "tank", {.capacity = 10}};
  Resource crane{this, "crane"};
  process::Cell<process::Counter<>> count{this, "count"};
  std::vector<std::string> notes;
  std::function<void(Wharf&)> start;

  explicit Wharf(std::function<void(Wharf&)> s) : start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  Task<int> Answers(Duration after, int value) {
    co_await Delay(after);
    co_return value;
  }

  Task<int> Fails() {
    co_await Delay(1s);
    throw std::runtime_error("the rope is torn");
  }

  Task<> Puts(Duration after, int box) {
    co_await Delay(after);
    co_await boxes.Put(box);
  }

  Task<> Awaits(std::function<AnyWait<int>(Wharf&)> make) {
    try {
      AnyWait<int> wait = make(*this);
      Note(std::to_string(co_await wait));
    } catch (const std::exception& exception) {
      Note(exception.what());
    }
  }
};

std::vector<std::string> NotesOf(std::function<AnyWait<int>(Wharf&)> make,
                                 Duration put = 4s) {
  Wharf wharf([&](Wharf& m) {
    m.Spawn(m.Puts(put, 7));
    m.Spawn(m.Awaits(make));
  });
  Simulator run(wharf);
  run.Run();
  return wharf.notes;
}

TEST(AnyWaitTest, EachKindOfWaitGivesItsResultAsTheOneType) {
  EXPECT_THAT(NotesOf([](Wharf&) {
                return AnyWait<int>::Of(Wharf::Delay(3s), [] { return 1; });
              }),
              ElementsAre("1 at 3 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) { return AnyWait<int>::Of(m.boxes.Get()); }),
              ElementsAre("7 at 4 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) {
                return AnyWait<int>::Of(m.Spawn(m.Answers(2s, 5)));
              }),
              ElementsAre("5 at 2 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) {
                return AnyWait<int>::Of(m.Call(m.Answers(6s, 8)),
                                        [](int x) { return x + 1; });
              }),
              ElementsAre("9 at 6 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) {
                return AnyWait<int>::Of(m.tank.Put(2), [] { return 3; });
              }),
              ElementsAre("3 at 0 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) {
                return AnyWait<int>::Of(m.crane.Acquire(),
                                        [](const Holding& held) {
                                          return static_cast<int>(held.units());
                                        });
              }),
              ElementsAre("1 at 0 s"));
  EXPECT_THAT(NotesOf([](Wharf& m) {
                return AnyWait<int>::Of(
                    Wharf::Until([&m] { return m.boxes.size() > 0; }),
                    [] { return 4; });
              }),
              ElementsAre("4 at 4 s"));
}

TEST(AnyWaitTest, ATaskThatIsOverIsNotWaitedFor) {
  Wharf wharf([](Wharf& m) {
    m.Spawn([](Wharf& d) -> Task<> {
      const Handle<int> done = d.Spawn(d.Answers(1s, 5));
      co_await Wharf::Delay(2s);
      d.Note(std::to_string(co_await AnyWait<int>::Of(done)));
      std::vector<AnyWait<int>> list;
      list.push_back(AnyWait<int>::Of(done));
      const auto all = co_await Wharf::AllOf(std::move(list));
      d.Note(std::to_string(all[0]));
    }(m));
  });
  Simulator run(wharf);
  run.Run();
  EXPECT_THAT(wharf.notes, ElementsAre("5 at 2 s", "5 at 2 s"));
}

TEST(AnyWaitTest, AnExceptionOfTheTaskIsThrownWhereItIsAwaited) {
  EXPECT_THAT(
      NotesOf([](Wharf& m) { return AnyWait<int>::Of(m.Call(m.Fails())); }),
      ElementsAre("the rope is torn at 1 s"));
}

using Results = std::vector<std::optional<int>>;

Task<> AwaitsAny(Wharf& m, Results& results, Duration patience) {
  std::vector<AnyWait<int>> list;
  list.push_back(AnyWait<int>::Of(m.boxes.Get()));
  list.push_back(AnyWait<int>::Of(Wharf::Delay(patience), [] { return -1; }));
  list.push_back(AnyWait<int>::Of(m.Call(m.Answers(9s, 2))));
  results = co_await Wharf::AnyOf(std::move(list));
  m.Note("goes on");
}

TEST(AnyWaitTest, AnyOfAListGivesWhatCameAboutFirst) {
  for (const auto& [put, patience, first] :
       {std::tuple(1s, 5s, Results({7, std::nullopt, std::nullopt})),
        std::tuple(6s, 5s, Results({std::nullopt, -1, std::nullopt})),
        std::tuple(3s, 3s, Results({7, -1, std::nullopt})),
        std::tuple(20s, 19s, Results({std::nullopt, std::nullopt, 2}))}) {
    Results results;
    Wharf wharf([&, put = put, patience = patience](Wharf& m) {
      m.Spawn(m.Puts(put, 7));
      m.Spawn(AwaitsAny(m, results, patience));
    });
    Simulator run(wharf);
    run.Run();
    EXPECT_EQ(results, first);
    // A box that nobody took is in the store.
    EXPECT_EQ(wharf.boxes.size(), results[0] ? 0 : 1);
  }
}

TEST(AnyWaitTest, AnItemThatCameAsTheTaskWasInterruptedGoesBack) {
  Results results;
  Wharf wharf([&](Wharf& m) {
    m.Spawn(m.Puts(3s, 7));
    const Handle<> waits = m.Spawn([](Wharf& d, Results& r) -> Task<> {
      try {
        co_await d.Call(AwaitsAny(d, r, 30s));
      } catch (const Interrupted& interrupted) {
        d.Note(interrupted.what());
      }
    }(m, results));
    m.Spawn([](Wharf& d, Handle<> other) -> Task<> {
      co_await d.boxes.Get();  // Comes second.
      co_await Wharf::Delay(0s);
      other.Interrupt("alarm");
    }(m, waits));
    m.Spawn(m.Puts(3s, 8));
  });
  Simulator run(wharf);
  run.RunUntil(4s);
  EXPECT_EQ(wharf.boxes.size() + (results.empty() ? 0 : 1), 1);
}

TEST(AnyWaitTest, UnitsThatNobodyTookGoBack) {
  Wharf wharf([](Wharf& m) {
    m.Spawn([](Wharf& d) -> Task<> {
      std::vector<AnyWait<int>> list;
      list.push_back(
          AnyWait<int>::Of(d.crane.Acquire(), [](Holding) { return 1; }));
      list.push_back(AnyWait<int>::Of(Wharf::Delay(2s), [] { return 2; }));
      const auto results = co_await Wharf::AnyOf(std::move(list));
      d.Note(std::to_string(results[0].value_or(0)));
      co_await Wharf::Delay(1s);
      d.Note(std::to_string(d.crane.in_use()) + " in use");
    }(m));
  });
  Simulator run(wharf);
  run.Run();
  EXPECT_THAT(wharf.notes, ElementsAre("1 at 0 s", "0 in use at 1 s"));
}

}  // namespace
}  // namespace orrery::queueing
