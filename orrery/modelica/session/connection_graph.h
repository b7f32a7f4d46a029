#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"

namespace orrery::modelica::internal {

struct Component;

/// Selects the connections of overdetermined records that hold; the others are
/// redundant. Builds a spanning forest over the components whose types have a
/// function equalityConstraint, with one root in each tree (specification 3.6,
/// section 9.4).
class ConnectionGraph {
 public:
  /// Connections.branch(a, b): the equations of a model join the two.
  void AddBranch(Component& a, Component& b);

  /// Connections.root(a).
  void AddRoot(Component& a);

  /// Connections.potentialRoot(a, priority): taken where there is no root, the
  /// least priority first, of equal ones what is least deep in the model.
  void AddPotentialRoot(Component& a, std::int64_t priority);

  /// connect(..., ...) of connectors with a and b in them. Once the roots are
  /// known, one of the two is called.
  void AddConnection(Component& a,
                     Component& b,
                     std::function<void()> join,
                     std::function<void()> constrain);

  /// Chooses roots and connections, in the order of addition. Calls `join` for
  /// each chosen connection, else `constrain`.
  void Resolve();

  [[nodiscard]] bool is_resolved() const noexcept { return is_resolved_; }

  /// Connections.isRoot(a).
  [[nodiscard]] bool IsRoot(const Component& a) const;

  /// Connections.rooted(a): true if `a` is the end of its branch that is nearer
  /// to the root.
  [[nodiscard]] bool IsRooted(const Component& a) const;

 private:
  struct Node {
    std::vector<std::size_t> neighbours;
    std::vector<std::size_t> branches;
    bool is_root = false;
    std::size_t distance = 0;  // From the root, which has 1; 0 without a root.
  };

  struct PotentialRoot {
    std::size_t node = 0;
    std::int64_t priority = 0;
    std::size_t depth = 0;

    bool operator<(const PotentialRoot& other) const {
      return std::tie(priority, depth) < std::tie(other.priority, other.depth);
    }
  };

  struct Connection {
    std::size_t a = 0;
    std::size_t b = 0;
    std::function<void()> join;
    std::function<void()> constrain;
  };

  std::size_t Add(const Component& component);
  void ChooseRoots();
  void MeasureDistances();

  std::vector<Node> nodes_;
  DisjointSets trees_;  // Trees of nodes.
  std::unordered_map<const Component*, std::size_t> index_;
  std::vector<PotentialRoot> potential_roots_;
  std::vector<Connection> connections_;
  bool is_resolved_ = false;
};

}  // namespace orrery::modelica::internal
