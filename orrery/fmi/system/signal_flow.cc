#include "orrery/fmi/system/signal_flow.h"

#include <algorithm>
#include <array>

namespace orrery::fmi::internal {
namespace {

struct KindFlow {
  std::string_view kind;
  SignalFlow of_element;
};

constexpr std::array<KindFlow, 10> kFlows = {{
    {"", SignalFlow::kAny},
    {"unspecified", SignalFlow::kAny},
    {"inout", SignalFlow::kAny},
    {"input", SignalFlow::kTakes},
    {"parameter", SignalFlow::kTakes},
    {"structuralParameter", SignalFlow::kTakes},
    {"output", SignalFlow::kGives},
    {"local", SignalFlow::kGives},
    {"constant", SignalFlow::kGives},
    {"calculatedParameter", SignalFlow::kGives},
}};

SignalFlow Reverse(SignalFlow flow) noexcept {
  switch (flow) {
    case SignalFlow::kGives:
      return SignalFlow::kTakes;
    case SignalFlow::kTakes:
      return SignalFlow::kGives;
    default:
      return flow;
  }
}

}  // namespace

std::optional<SignalFlow> FlowOf(std::string_view kind, bool is_of_system) {
  const auto* const found = std::ranges::find(kFlows, kind, &KindFlow::kind);
  if (found == kFlows.end()) {
    return std::nullopt;
  }
  return is_of_system ? Reverse(found->of_element) : found->of_element;
}

ConnectionWay WayBetween(SignalFlow start, SignalFlow end) noexcept {
  if (start != SignalFlow::kTakes && end != SignalFlow::kGives) {
    return ConnectionWay::kForward;
  }
  if (start != SignalFlow::kGives && end != SignalFlow::kTakes) {
    return ConnectionWay::kBackward;
  }
  return ConnectionWay::kNone;
}

}  // namespace orrery::fmi::internal
