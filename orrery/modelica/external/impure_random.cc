#include "orrery/modelica/external/impure_random.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace orrery::modelica::internal {
namespace {

struct RandomState {
  std::array<std::uint64_t, 16> words{};
  std::size_t next = 0;
  std::optional<int> id;
};

RandomState& StateOfThread() {
  thread_local RandomState state;
  return state;
}

}  // namespace

void SetImpureRandom(const int* state, int id) {
  RandomState& own = StateOfThread();
  for (std::size_t i = 0; i < own.words.size(); ++i) {
    own.words[i] = static_cast<std::uint32_t>(state[2 * i]) |
                   std::uint64_t{static_cast<std::uint32_t>(state[2 * i + 1])}
                       << 32U;
  }
  own.next = static_cast<std::size_t>(state[2 * own.words.size()]) % 16;
  own.id = id;
}

double ImpureRandom(int id) {
  RandomState& own = StateOfThread();
  if (own.id != id) {
    throw std::runtime_error(
        "impureRandom is called before initializeImpureRandom, which gives "
        "the id that it takes");
  }
  std::uint64_t a = own.words[own.next];
  own.next = (own.next + 1) % own.words.size();
  std::uint64_t b = own.words[own.next];
  b ^= b << 31U;
  b ^= b >> 11U;
  a ^= a >> 30U;
  own.words[own.next] = a ^ b;
  constexpr double kUnit = 5.42101086242752217004e-20;  // 2^-64
  const auto number =
      static_cast<std::int64_t>(own.words[own.next] * 1181783497276652981ULL);
  return static_cast<double>(number) * kUnit + 0.5;
}

void* OwnFunction(std::string_view name) {
  return name == "orrery_set_impure_random"
             ? reinterpret_cast<void*>(&SetImpureRandom)
         : name == "orrery_impure_random"
             ? reinterpret_cast<void*>(&ImpureRandom)
             : nullptr;
}

}  // namespace orrery::modelica::internal
