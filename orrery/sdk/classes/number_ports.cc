#include "orrery/sdk/classes/number_ports.h"

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <typeinfo>

#include "orrery/base/duration.h"
#include "orrery/devs/library/message.h"

namespace orrery::sdk::internal {
namespace {

// A port with messages of an unknown type.
class AnyPort : public devs::Port {
 public:
  AnyPort(devs::Model* owner, std::string_view name, const devs::Port& like)
      : Port(owner, name, like.direction(), like.type()) {}
};

template <typename P>
class Owned : public OwnedPort {
 public:
  template <typename... Arguments>
  explicit Owned(Arguments&&... arguments)
      : port_(std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] const devs::Port& port() const noexcept override {
    return port_;
  }

 private:
  P port_;
};

// Converts a number to a message, if it is a valid one.
template <typename T>
std::optional<T> MessageOf(double value) {
  if constexpr (std::same_as<T, devs::Signal>) {
    return T();
  } else if constexpr (std::same_as<T, bool>) {
    return value == 0 || value == 1 ? std::optional(value == 1) : std::nullopt;
  } else if constexpr (std::same_as<T, Duration>) {
    return NearestDuration(value);
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(value);
  } else {
    // The bounds are powers of two (or 0), so exact.
    constexpr auto kMin = static_cast<double>(std::numeric_limits<T>::min());
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    return value == std::floor(value) && value >= kMin && value < end
               ? std::optional(static_cast<T>(value))
               : std::nullopt;
  }
}

template <typename T>
constexpr const char* Wanted() {
  if constexpr (std::same_as<T, bool>) {
    return "true or false, or 1 or 0";
  } else if constexpr (std::same_as<T, Duration>) {
    return "seconds, less than 9.2e9";
  } else if constexpr (std::unsigned_integral<T>) {
    return "a whole number that its type can hold, 0 or more";
  } else {
    return "a whole number that its type can hold";
  }
}

template <typename T>
std::string WhyNot(double value) {
  return MessageOf<T>(value) ? "" : std::string("it takes ") + Wanted<T>();
}

template <typename T>
void InjectAs(devs::Simulator& run,
              const devs::Port& port,
              double value,
              Duration at) {
  run.Inject(
      static_cast<const devs::In<T>&>(port), MessageOf<T>(value).value(), at);
}

template <typename T>
constexpr PortNumber KindOf() {
  if constexpr (std::same_as<T, devs::Signal>) {
    return PortNumber::kSignal;
  } else if constexpr (std::same_as<T, bool>) {
    return PortNumber::kTruth;
  } else {
    return std::integral<T> ? PortNumber::kWhole : PortNumber::kReal;
  }
}

struct NumberType {
  const std::type_info* type;
  PortNumber kind;
  std::string (*why_not)(double);
  void (*inject)(devs::Simulator&, const devs::Port&, double, Duration);
  std::unique_ptr<OwnedPort> (*make_input)(devs::Model&, std::string_view name);
};

template <typename T>
constexpr NumberType Entry() {
  return {
      .type = &typeid(T),
      .kind = KindOf<T>(),
      .why_not = &WhyNot<T>,
      .inject = &InjectAs<T>,
      .make_input = [](devs::Model& owner,
                       std::string_view name) -> std::unique_ptr<OwnedPort> {
        return std::make_unique<Owned<devs::In<T>>>(&owner, name);
      }};
}

constexpr std::array kNumberTypes = {Entry<double>(),
                                     Entry<float>(),
                                     Entry<bool>(),
                                     Entry<signed char>(),
                                     Entry<unsigned char>(),
                                     Entry<std::int16_t>(),
                                     Entry<std::uint16_t>(),
                                     Entry<std::int32_t>(),
                                     Entry<std::uint32_t>(),
                                     Entry<std::int64_t>(),
                                     Entry<std::uint64_t>(),
                                     Entry<Duration>(),
                                     Entry<devs::Signal>()};

const NumberType* TypeOf(const devs::Port& port) {
  for (const NumberType& entry : kNumberTypes) {
    if (*entry.type == *port.type().type) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<OwnedPort> MakePortLike(const devs::Port& port,
                                        devs::Model& owner,
                                        std::string_view name) {
  const NumberType* const number = TypeOf(port);
  // Numbers are injected with the exact type of the input.
  return number != nullptr && port.direction() == devs::PortDirection::kIn
             ? number->make_input(owner, name)
             : std::make_unique<Owned<AnyPort>>(&owner, name, port);
}

bool TakesNumbers(const devs::Port& port) {
  return TypeOf(port) != nullptr;
}

PortNumber NumberKindOf(const devs::Port& port) {
  return TypeOf(port)->kind;
}

std::string UnitOf(const devs::Port& port) {
  return *port.type().type == typeid(Duration) ? "s" : "";
}

std::string WhyNoMessage(const devs::Port& port, double value) {
  return TypeOf(port)->why_not(value);
}

void InjectNumber(devs::Simulator& run,
                  const devs::Port& port,
                  double value,
                  Duration at) {
  TypeOf(port)->inject(run, port, value, at);
}

}  // namespace orrery::sdk::internal
