#include "orrery/results/derivatives.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace orrery::results::internal {
namespace {

constexpr std::string_view kDer = "der(";

// The name of the signal whose derivative is `name`; empty if it is not a
// derivative.
std::string Integrand(std::string_view name) {
  if (!name.ends_with(')')) {
    return {};
  }
  if (name.starts_with(kDer)) {
    return std::string(name.substr(kDer.size(), name.size() - kDer.size() - 1));
  }
  const std::size_t at = name.rfind(".der(");
  if (at == std::string_view::npos) {
    return {};
  }
  const std::size_t inner = at + 1 + kDer.size();
  return std::string(name.substr(0, at + 1)) +
         std::string(name.substr(inner, name.size() - inner - 1));
}

}  // namespace

void LinkDerivatives(std::vector<SignalInfo>& signals) {
  std::unordered_map<std::string, int> derivative_of;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (std::string integrand = Integrand(signals[i].name);
        !integrand.empty()) {
      derivative_of.emplace(std::move(integrand), static_cast<int>(i));
    }
  }
  for (SignalInfo& signal : signals) {
    const auto found = derivative_of.find(signal.name);
    if (found != derivative_of.end() &&
        signal.variability == SignalVariability::kContinuous) {
      signal.derivative = found->second;
    }
  }
}

}  // namespace orrery::results::internal
