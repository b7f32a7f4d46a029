#include "orrery/sdk/classes/record_numbers.h"

#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "orrery/devs/modeling/atomic.h"

namespace orrery::sdk::internal {
namespace {

// Converts a value to a number, if possible.
struct NumberVisitor {
  std::optional<double> operator()(std::monostate) const {
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::optional<double> operator()(bool value) const { return value ? 1 : 0; }

  std::optional<double> operator()(std::int64_t value) const {
    return static_cast<double>(value);
  }

  std::optional<double> operator()(double value) const { return value; }

  std::optional<double> operator()(Duration value) const {
    return SecondsIn(value);
  }

  std::optional<double> operator()(const std::string& /*value*/) const {
    return std::nullopt;
  }
};

}  // namespace

double SecondsIn(Duration time) {
  return time == devs::kPassive ? std::numeric_limits<double>::infinity()
                                : Seconds(time).value;
}

std::optional<double> NumberIn(const Record::Value& value) {
  return std::visit(NumberVisitor(), value);
}

}  // namespace orrery::sdk::internal
