#include "orrery/queueing/resource.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/process/simulator.h"

namespace orrery::queueing {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct Shop : process::Model {
  Resource servers{this, "servers", 2};
  std::vector<std::string> log;

  process::Task<> Customer(std::string name, Duration service) {
    const Holding held = co_await servers.Acquire();
    log.push_back(name + " begins at " + orrery::ToText(Now()));
    co_await Delay(service);
  }

  void Start() override {
    Spawn(Customer("a", 5s));
    Spawn(Customer("b", 3s));
    Spawn(Customer("c", 4s));
    Spawn(Customer("d", 1s));
  }
};

TEST(ResourceTest, WhoComesFirstIsServedFirst) {
  Shop shop;
  process::Simulator run(shop);
  run.Run();
  EXPECT_THAT(shop.log,
              ElementsAre("a begins at 0 s",
                          "b begins at 0 s",
                          "c begins at 3 s",
                          "d begins at 5 s"));
  EXPECT_EQ(run.now(), 7s);
}

}  // namespace
}  // namespace orrery::queueing
