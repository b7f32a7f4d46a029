#include "orrery/compile/system/unit_per_second.h"

#include <algorithm>
#include <array>
#include <vector>

namespace orrery::compile::internal {
namespace {

// The factor after one more "s" in a denominator; empty if `factor` is another
// unit.
std::string_view NextPowerOfSeconds(std::string_view factor) {
  constexpr std::array<std::string_view, 5> kPowers = {
      "s", "s2", "s3", "s4", "s5"};
  const auto* const found = std::ranges::find(kPowers, factor);
  return found == kPowers.end() || found + 1 == kPowers.end() ? ""
                                                              : *(found + 1);
}

// "a.b" in its parts.
std::vector<std::string_view> FactorsOf(std::string_view product) {
  std::vector<std::string_view> factors;
  std::size_t begin = 0;
  for (std::size_t dot = 0; dot != std::string_view::npos; begin = dot + 1) {
    dot = product.find('.', begin);
    factors.push_back(product.substr(begin, dot - begin));
  }
  return factors;
}

}  // namespace

std::string UnitPerSecond(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) {
    return std::string(unit) + "/s";
  }
  const std::string top(unit.substr(0, slash));
  std::string_view below = unit.substr(slash + 1);
  if (below.starts_with('(') && below.ends_with(')')) {
    below = below.substr(1, below.size() - 2);
  }
  if (below.find_first_of("/()") != std::string_view::npos) {
    return "(" + std::string(unit) + ")/s";
  }
  std::string product;
  bool has_seconds = false;
  const std::vector<std::string_view> factors = FactorsOf(below);
  for (const std::string_view factor : factors) {
    const std::string_view next = NextPowerOfSeconds(factor);
    const bool is_time = !has_seconds && !next.empty();
    product +=
        (product.empty() ? "" : ".") + std::string(is_time ? next : factor);
    has_seconds = has_seconds || is_time;
  }
  if (!has_seconds) {
    product += ".s";
  }
  return factors.size() == 1 && has_seconds ? top + "/" + product
                                            : top + "/(" + product + ")";
}

}  // namespace orrery::compile::internal
