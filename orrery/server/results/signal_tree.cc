#include "orrery/server/results/signal_tree.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "orrery/server/results/name_filter.h"

namespace orrery::server {
namespace {

// True if a name is that of something in a component.
bool IsUnder(std::string_view name, std::string_view under) {
  return under.empty() ||
         (name.size() > under.size() && name.starts_with(under) &&
          (name[under.size()] == '.' || name[under.size()] == '['));
}

// The place where the first part of a name ends, from `begin` on: before a
// point or a bracket that is not in quotes or brackets.
std::size_t EndOfPart(std::string_view name, std::size_t begin) {
  bool is_quoted = false;
  int depth = 0;  // In parentheses: der(motor.w) is one part.
  for (std::size_t i = begin; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (is_quoted && c == '\\') {
      ++i;
    } else if (is_quoted) {
      continue;
    } else if (c == '(' || c == ')') {
      depth += c == '(' ? 1 : -1;
    } else if (depth == 0 && i > begin && (c == '.' || c == '[')) {
      return i;
    } else if (depth == 0 && c == '[') {
      // At the beginning: `[3]` is a part.
      i = std::min(name.find(']', i), name.size() - 1);
    }
  }
  return name.size();
}

}  // namespace

SignalTree::SignalTree(std::shared_ptr<const SignalTable> table)
    : table_(std::move(table)), by_name_(table_->signals().size()) {
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::ranges::sort(by_name_, {}, [this](std::size_t i) -> std::string_view {
    return table_->signals()[i].name;
  });
}

SignalWindow SignalTree::Under(std::string_view under,
                               std::size_t offset,
                               std::size_t limit) const {
  const auto& signals = table_->signals();
  const auto name_of = [&](std::size_t i) -> std::string_view {
    return signals[i].name;
  };
  // Names below a component follow each other, but not in the order of the
  // model.
  std::vector<std::size_t> inside;
  for (auto place = std::ranges::lower_bound(by_name_, under, {}, name_of);
       place != by_name_.end() && name_of(*place).starts_with(under);
       ++place) {
    if (IsUnder(name_of(*place), under)) {
      inside.push_back(*place);
    }
  }
  std::ranges::sort(inside);
  std::vector<SignalEntry> entries;
  std::unordered_map<std::string_view, std::size_t> known;
  for (const std::size_t i : inside) {
    const std::string_view name = name_of(i);
    const std::size_t begin =
        under.empty() ? 0 : under.size() + (name[under.size()] == '.' ? 1 : 0);
    const std::string_view part = name.substr(0, EndOfPart(name, begin));
    const auto [place, is_new] = known.try_emplace(part, entries.size());
    if (is_new) {
      entries.push_back({.name = std::string(part)});
    }
    SignalEntry& entry = entries[place->second];
    if (part.size() == name.size()) {
      entry.signal = &signals[i];
    } else {
      ++entry.children;
    }
  }
  SignalWindow window{.total = entries.size()};
  for (std::size_t i = offset; i < entries.size() && i - offset < limit; ++i) {
    window.entries.push_back(std::move(entries[i]));
  }
  return window;
}

SignalWindow SignalTree::Search(std::string_view under,
                                std::string_view text,
                                std::size_t offset,
                                std::size_t limit) const {
  const NameFilter filter(text);
  SignalWindow window;
  for (const SignalInfo& signal : table_->signals()) {
    if (!IsUnder(signal.name, under) || !filter.Fits(signal.name)) {
      continue;
    }
    if (window.total >= offset && window.entries.size() < limit) {
      window.entries.push_back({.name = signal.name, .signal = &signal});
    }
    ++window.total;
  }
  return window;
}

}  // namespace orrery::server
