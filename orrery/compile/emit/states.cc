#include "orrery/compile/emit/states.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/compile/emit/layout.h"

namespace orrery::compile::internal {

namespace {

// Makes `pattern` the name without its subscripts.
void WritePattern(std::string_view name, std::string& pattern) {
  pattern.clear();
  bool is_within = false;
  for (const char c : name) {
    is_within = c == '[' || (is_within && c != ']');
    if (!is_within) {
      pattern += c;
    }
  }
}

}  // namespace

std::vector<StateElement> StatesOf(const System& system) {
  constexpr std::size_t kMany = 10;  // In a chain of ten, eight are alike.
  const auto is_state = [&](std::uint32_t scalar) {
    return system.IsState(scalar) && system.aliases[scalar].scalar == scalar;
  };
  std::vector<std::vector<StateElement>> groups;
  std::vector<std::pair<std::uint32_t, std::size_t>> order;  // Group, count.
  std::unordered_map<std::string, std::uint32_t> by_pattern;
  std::string pattern;
  const auto group_of = [&](std::uint32_t variable) {
    WritePattern(system.graph.NameOf(system.model.variables[variable].symbol),
                 pattern);
    const std::uint32_t number =
        by_pattern
            .try_emplace(pattern, static_cast<std::uint32_t>(groups.size()))
            .first->second;
    groups.resize(std::max<std::size_t>(groups.size(), number + 1));
    return number;
  };
  for (std::uint32_t v = 0; v < system.first_scalar.size(); ++v) {
    if (!system.derivative_symbols[v]) {
      continue;
    }
    std::uint32_t group = kNone;
    system.ForEachElementOf(
        v, [&](std::uint32_t element, std::uint32_t scalar) {
          if (!is_state(scalar)) {
            return;
          }
          if (group == kNone) {
            group = group_of(v);
            order.emplace_back(group, 0);
          }
          groups[group].push_back({.scalar = scalar, .element = element});
          ++order.back().second;
        });
  }
  // A group of many is placed whole, at its first element.
  std::vector<StateElement> states;
  std::vector<std::size_t> taken(groups.size());
  for (const auto& [number, count] : order) {
    const std::vector<StateElement>& group = groups[number];
    std::size_t& begin = taken[number];
    const std::size_t end =
        group.size() >= kMany ? group.size() : begin + count;
    states.insert(states.end(),
                  group.begin() + static_cast<std::ptrdiff_t>(begin),
                  group.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return states;
}

namespace {

// Calls `use(from, to)` with the slots that an equation copies, if it only
// copies elements of an array.
template <typename Use>
void ForEachCopy(const System& system,
                 const Layout& layout,
                 const ExplicitEquation& equation,
                 Use use) {
  const Expr value = equation.value;
  const Expr target = system.scalars[equation.scalar].symbol;
  const std::uint32_t to = layout.SlotOf(target);
  const std::uint32_t scalar = system.ScalarAt(value);
  if (scalar != kNone && !system.IsSlice(scalar)) {
    use(layout.PlaceOf(system, scalar).slot,
        to + system.scalars[equation.scalar].element);
    return;
  }
  if (system.ArrayAt(value) == kNone || !system.IsSlice(equation.scalar)) {
    return;
  }
  const Slice& slice = system.slices[system.scalars[equation.scalar].slice];
  const ArrayRead read = ReadOf(value, slice.iterators);
  const std::uint32_t from = layout.SlotOf(read.symbol);
  Box box;
  std::vector<std::int64_t> at;
  ForEachPass(slice,
              [&](std::span<const std::int64_t> iterators,
                  std::span<const std::int64_t> subscripts) {
                read.BoxAt(iterators, box);
                at.clear();
                for (const Interval& interval : box) {
                  at.push_back(interval.first);
                }
                use(from + RowMajor(read.symbol.shape(), at),
                    to + RowMajor(target.shape(), subscripts));
              });
}

}  // namespace

std::vector<std::uint8_t> FindPositions(
    const System& system,
    const Layout& layout,
    std::span<const SortedEquation> equations,
    std::span<const StateElement> states) {
  std::vector<bool> is_state(layout.num_slots());
  for (const auto& [scalar, element] : states) {
    is_state[layout.PlaceOf(system, scalar, element).slot] = true;
  }
  std::vector<bool> is_rate = is_state;  // The slot has a state's value.
  for (const SortedEquation& sorted : equations) {
    const auto* equation = std::get_if<ExplicitEquation>(&sorted);
    if (equation != nullptr &&
        system.scalars[equation->scalar].derivative_of != kNone) {
      ForEachCopy(
          system, layout, *equation, [&](std::uint32_t from, std::uint32_t to) {
            is_rate[to] = is_state[from];
          });
    }
  }
  std::vector<std::uint8_t> positions;
  positions.reserve(states.size());
  for (const auto& [scalar, element] : states) {
    const Reference rate =
        layout.PlaceOf(system, system.scalars[scalar].derivative, element);
    positions.push_back(is_rate[rate.slot] && rate.sign > 0 ? 1 : 0);
  }
  return positions;
}

}  // namespace orrery::compile::internal
