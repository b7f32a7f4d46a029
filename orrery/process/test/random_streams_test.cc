#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/process/simulator.h"
#include "orrery/process/test/models.h"
#include "orrery/process/test/tasks.h"

// The random numbers of a task do not depend on the rest of the model.
namespace orrery::process {
namespace {

using namespace std::chrono_literals;

using Drawn = std::vector<double>;

Task<> SleepsOnly(Stage& m) {
  co_await m.Delay(1s);
}

Task<> DrawsArrivals(Stage& m, Drawn& drawn) {
  RandomStream stream = m.Random("arrivals");
  drawn.push_back(stream.Exponential(1));
  co_await m.Delay(1s);
  drawn.push_back(stream.Exponential(1));
}

Drawn DrawnBy(std::function<void(Stage&, Drawn&)> start, Options options = {}) {
  Drawn drawn;
  Stage m([&](Stage& s) { start(s, drawn); });
  Simulator run(m, options);
  run.Run();
  return drawn;
}

TEST(RandomStreamsTest, ATaskMoreBeforeItChangesNothing) {
  const Drawn alone =
      DrawnBy([](Stage& s, Drawn& d) { s.Spawn(DrawsArrivals(s, d)); });
  const Drawn beside = DrawnBy([](Stage& s, Drawn& d) {
    s.Spawn(SleepsOnly(s));
    s.Spawn(DrawsArrivals(s, d));
  });
  const Drawn after_many = DrawnBy([](Stage& s, Drawn& d) {
    s.Spawn(SleepsOnly(s));
    s.Spawn(Sets(s, 5));
    s.Spawn([](Stage& m) -> Task<> {
      co_await m.Delay(3s);
    }(s));
    s.Spawn(SleepsOnly(s));
    s.Spawn(DrawsArrivals(s, d));
  });
  EXPECT_EQ(beside, alone);
  EXPECT_EQ(after_many, alone);
  EXPECT_NE(DrawnBy([](Stage& s, Drawn& d) { s.Spawn(DrawsArrivals(s, d)); },
                    {.seed = 77}),
            alone);
}

TEST(RandomStreamsTest, TasksOfOneNameHaveStreamsOfTheirOwn) {
  Drawn drawn = DrawnBy([](Stage& s, Drawn& d) {
    for (int i = 0; i < 100; ++i) {
      s.Spawn(DrawsArrivals(s, d));
    }
  });
  EXPECT_EQ(std::set<double>(drawn.begin(), drawn.end()).size(), 200);
}

Task<> DrawsOtherFirst(Stage& m, Drawn& drawn, int others) {
  for (int i = 0; i < others; ++i) {
    static_cast<void>(m.Random("number " + std::to_string(i)).Uniform(0, 1));
  }
  for (int i = 0; i < 3; ++i) {
    drawn.push_back(m.Random("arrivals").Uniform(0, 1));
  }
  co_return;
}

TEST(RandomStreamsTest, AnotherNameAskedForBeforeChangesNothing) {
  const auto with = [](int others) {
    return DrawnBy([others](Stage& s, Drawn& d) {
      s.Spawn(DrawsOtherFirst(s, d, others));
    });
  };
  const Drawn alone = with(0);
  EXPECT_EQ(with(1), alone);
  EXPECT_EQ(with(50), alone);
  EXPECT_EQ(std::set<double>(alone.begin(), alone.end()).size(), 3);
}

Task<> CallsAll(Stage& m, Drawn& drawn, bool has_other) {
  if (has_other) {
    co_await m.AllOf(m.Call(SleepsOnly(m)), m.Call(DrawsArrivals(m, drawn)));
  } else {
    co_await m.AllOf(m.Call(DrawsArrivals(m, drawn)));
  }
}

TEST(RandomStreamsTest, AnotherCallOfAllOfChangesNothing) {
  const auto with = [](bool has_other) {
    return DrawnBy([has_other](Stage& s, Drawn& d) {
      s.Spawn(CallsAll(s, d, has_other));
    });
  };
  EXPECT_EQ(with(true), with(false));
}

TEST(RandomStreamsTest, ATaskMoreFromOutsideChangesNothing) {
  const auto with = [](bool has_other) {
    Drawn drawn;
    Stage m;
    Simulator run(m);
    if (has_other) {
      run.Spawn(SleepsOnly(m), 0s);
    }
    run.Spawn(DrawsArrivals(m, drawn), 0s);
    run.Run();
    return drawn;
  };
  EXPECT_EQ(with(true), with(false));
}

struct Worker : Model {
  double drawn = 0;

  using Model::Model;

  Task<> Works() {
    drawn = Random("work").Uniform(0, 1);
    co_return;
  }

  void Start() override { Spawn(Works()); }
};

struct OnePart : Model {
  Worker a{this, "a"};
};

struct TwoParts : Model {
  Worker b{this, "b"};
  Worker a{this, "a"};
};

TEST(RandomStreamsTest, APartMoreChangesNothing) {
  OnePart one;
  Simulator(one).Run();
  TwoParts two;
  Simulator(two).Run();
  EXPECT_EQ(two.a.drawn, one.a.drawn);
  EXPECT_NE(two.b.drawn, two.a.drawn);
}

TEST(RandomStreamsTest, ARunThatIsRestoredDrawsTheSame) {
  Drawn drawn;
  Stage m([&](Stage& s) {
    s.Spawn([](Stage& stage, Drawn& d) -> Task<> {
      for (int i = 0; i < 4; ++i) {
        co_await stage.AllOf(stage.Call(DrawsArrivals(stage, d)),
                             stage.Call(SleepsOnly(stage)));
        stage.Spawn(SleepsOnly(stage));
        d.push_back(stage.Random("own").Uniform(0, 1));
      }
    }(s, drawn));
  });
  Simulator run(m, {.snapshots = true});
  run.RunUntil(1500ms);
  const Snapshot snapshot = run.Save();
  drawn.clear();
  run.Run();
  const Drawn first = std::exchange(drawn, {});
  run.Restore(snapshot);
  drawn.clear();  // Replayed draws are recorded again.
  run.Run();
  EXPECT_EQ(drawn, first);
}

}  // namespace
}  // namespace orrery::process
