#include <chrono>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

using namespace std::chrono_literals;
namespace devs = orrery::devs;

struct Counter : devs::Coupled {
  devs::Out<std::int64_t> tick{this, "tick"};

  explicit Counter(orrery::Parameters& p) : Coupled("counter") {
    auto& clock = Add<devs::Clock>("clock", p.Get("period", 1s, "Of a tick"));
    Couple(clock.tick, tick);
  }
};

ORRERY_MAIN(Counter);
