#include "orrery/queueing/store.h"

#include <memory>

#include <gtest/gtest.h>

#include "orrery/process/simulator.h"
#include "orrery/queueing/container.h"
#include "orrery/queueing/preemptive_resource.h"
#include "orrery/queueing/resource.h"

namespace orrery::queueing {
namespace {
struct M : process::Model {
  Store<std::unique_ptr<int>> s{this, "s", 1};
  PriorityStore<int> p{this, "p"};
  FilterStore<int> f{this, "f"};
  Container c{this, "c"};
  PreemptiveResource r{this, "r"};
  PriorityResource pr{this, "pr"};

  process::Task<> T() {
    co_await s.Put(std::make_unique<int>(3));
    auto [g] = co_await AllOf(s.Get());
    EXPECT_EQ(*g, 3);
    p.Push(4);
    EXPECT_EQ(co_await p.Get(), 4);
    f.Push(1);
    f.Push(2);
    EXPECT_EQ(co_await f.Get([](int i) { return i == 2; }), 2);
    co_await c.Put(2);
    co_await Until(c > 1.0 && f == 1);
    co_await c.Get(1);
    auto h = co_await r.Acquire();
    auto h2 = co_await pr.Acquire({.priority = 1});
  }

  void Start() override { Spawn(T()); }
};

TEST(S, T) {
  M m;
  process::Simulator run(m);
  run.Run();
  EXPECT_TRUE(run.waiting().empty());
  EXPECT_EQ(run.now(), Duration(0));
}
}  // namespace
}  // namespace orrery::queueing
