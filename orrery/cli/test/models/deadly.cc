// A model that kills its process if its number is 13, a second after its start.

#include <chrono>
#include <csignal>
#include <cstdint>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

class Fuse : public devs::Atomic<Fuse> {
 public:
  struct State {
    bool is_over = false;
  };

  devs::Out<std::int64_t> twice{this, "twice"};

  explicit Fuse(std::int64_t number) : number_(number) {}

  [[nodiscard]] orrery::Duration TimeAdvance(const State& s) const {
    return s.is_over ? devs::kPassive : 1s;
  }

  void Output(const State& /*s*/, devs::Bag& y) const {
    y.Send(twice, 2 * number_);
  }

  void Internal(State& s) const {
    s.is_over = true;
    if (number_ == 13) {
      std::raise(SIGKILL);
    }
  }

 private:
  std::int64_t number_;
};

class Deadly : public devs::Coupled {
 public:
  devs::Out<std::int64_t> twice{this, "twice"};

  explicit Deadly(orrery::Parameters& p) : Coupled("deadly") {
    auto& fuse =
        Add<Fuse>("fuse", p.Get("number", std::int64_t{0}, "13 kills"));
    Couple(fuse.twice, twice);
  }
};

}  // namespace

ORRERY_MAIN(Deadly);
