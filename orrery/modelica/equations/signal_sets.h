#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/modelica/session/instances.h"

namespace orrery::modelica::internal {

/// The sets of components that connections of inputs and outputs join. Finds
/// inputs that nothing drives and inputs that two outputs drive.
class SignalSets {
 public:
  struct End {
    Component* component = nullptr;
    bool is_outside = false;    ///< A port of the connecting class.
    bool is_source = false;     ///< Drives the other end.
    bool may_have_own = false;  ///< May get its value without a connection.
  };

  void Join(const End& a, const End& b, const SourceSpan& span);

  /// Joins two ends within one class.
  /// @returns the two sources that the joined signals would have; else nothing.
  ///     Arrays are ignored: their sources may drive different elements.
  std::optional<std::pair<const Component*, const Component*>> JoinSources(
      const End& a, const End& b);

  /// Reports sets without a source.
  void Check(Diagnostics& diagnostics);

 private:
  struct Set {
    std::size_t parent = 0;
    bool has_source = false;
    Component* component = nullptr;
    SourceSpan span;
  };

  std::size_t Find(std::size_t set);
  std::size_t Add(const End& end, const SourceSpan& span);
  std::size_t Place(const End& end);

  std::vector<Set> sets_;
  std::unordered_map<const Component*, std::size_t> index_;
  // A port is one signal in its class and another one outside of it.
  std::array<std::unordered_map<const Component*, std::size_t>, 2> places_;
  DisjointSets joined_;
  std::vector<const Component*> sources_;  // By set; may be null.
};

}  // namespace orrery::modelica::internal
