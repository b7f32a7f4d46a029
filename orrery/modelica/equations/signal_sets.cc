#include "orrery/modelica/equations/signal_sets.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace orrery::modelica::internal {

std::size_t SignalSets::Find(std::size_t set) {
  while (sets_[set].parent != set) {
    sets_[set].parent = sets_[sets_[set].parent].parent;
    set = sets_[set].parent;
  }
  return set;
}

std::size_t SignalSets::Add(const End& end, const SourceSpan& span) {
  const auto [found, is_new] = index_.try_emplace(end.component, sets_.size());
  if (is_new) {
    sets_.push_back({.parent = sets_.size(),
                     .has_source = false,
                     .component = end.component,
                     .span = span});
  }
  const std::size_t set = Find(found->second);
  sets_[set].has_source =
      sets_[set].has_source || end.is_source || end.may_have_own;
  return set;
}

void SignalSets::Join(const End& a, const End& b, const SourceSpan& span) {
  const std::size_t first = Add(a, span);
  const std::size_t second = Add(b, span);
  if (first != second) {
    sets_[second].parent = first;
    sets_[first].has_source =
        sets_[first].has_source || sets_[second].has_source;
  }
}

std::size_t SignalSets::Place(const End& end) {
  auto& places = places_.at(end.is_outside ? 1 : 0);
  const auto [found, is_new] =
      places.try_emplace(end.component, sources_.size());
  if (is_new) {
    joined_.Add();
    sources_.push_back(end.is_source ? end.component : nullptr);
  }
  return joined_.Find(found->second);
}

std::optional<std::pair<const Component*, const Component*>>
SignalSets::JoinSources(const End& a, const End& b) {
  if (!a.component->shape.empty() || !b.component->shape.empty()) {
    return std::nullopt;
  }
  const std::size_t first = Place(a);
  const std::size_t second = Place(b);
  const Component* const one = sources_[first];
  const Component* const other = sources_[second];
  if (first != second && one != nullptr && other != nullptr) {
    return std::pair(one, other);
  }
  joined_.Merge(first, second);
  sources_[joined_.Find(first)] = one == nullptr ? other : one;
  return std::nullopt;
}

void SignalSets::Check(Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].parent == i && !sets_[i].has_source) {
      diagnostics.Error(sets_[i].span,
                        "only inputs are connected here: nothing gives '" +
                            sets_[i].component->path() + "' a value",
                        "connect an output to one of them");
    }
  }
}

}  // namespace orrery::modelica::internal
