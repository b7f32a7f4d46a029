// An atomic model that takes no parameters, as a program.

#include <chrono>
#include <cstdint>

#include "orrery/cli/main.h"
#include "orrery/devs/modeling/short_forms.h"

namespace {

namespace devs = orrery::devs;

class Counter : public devs::DiscreteTimeModel<Counter> {
 public:
  using Value = std::int64_t;
  using Input = std::int64_t;

  devs::In<std::int64_t> add{this, "add"};
  devs::Out<std::int64_t> count{this, "count"};

  [[nodiscard]] orrery::Duration Period() const {
    return std::chrono::seconds(1);
  }

  void Read(Input& input, const devs::Bag& x) const {
    for (const std::int64_t value : x[add]) {
      input = value;
    }
  }

  void Step(Value& value, Input& input) const { value += 1 + input; }

  void Show(Value value, devs::Bag& y) const { y.Send(count, value); }

  void Results(const devs::Simulator& run, orrery::Record& results) const {
    results.Add("value", ValueOf(run.state(*this)));
  }
};

}  // namespace

ORRERY_MAIN(Counter);
