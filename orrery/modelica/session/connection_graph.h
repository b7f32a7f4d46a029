#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"

namespace orrery::modelica::internal {

struct Component;

/// Which connections of overdetermined records hold, and which would say what
/// others say: a spanning forest of the components of types that have a
/// function equalityConstraint, with one root in each tree (specification 3.6,
/// section 9.4).
class ConnectionGraph {
 public:
  /// Connections.branch(a, b): the equations of a model join the two.
  void AddBranch(Component& a, Component& b);

  /// Connections.root(a).
  void AddRoot(Component& a);

  /// Connections.potentialRoot(a, priority): taken where there is no root, the
  /// least priority first.
  void AddPotentialRoot(Component& a, std::int64_t priority);

  /// connect(..., ...) of connectors with a and b in them. Once the roots are
  /// known, one of the two is called.
  void AddConnection(Component& a,
                     Component& b,
                     std::function<void()> join,
                     std::function<void()> constrain);

  /// Chooses roots and connections, in the order they were added in, and calls
  /// what is to be done for each.
  void Resolve();

  [[nodiscard]] bool is_resolved() const noexcept { return is_resolved_; }

  /// Connections.isRoot(a).
  [[nodiscard]] bool IsRoot(const Component& a) const;

  /// Connections.rooted(a): of the two of a branch, the one that is nearer to
  /// the root.
  [[nodiscard]] bool IsRooted(const Component& a) const;

 private:
  struct Node {
    std::vector<std::size_t> neighbours;
    std::vector<std::size_t> branches;
    bool is_root = false;
    std::size_t distance = 0;  // From the root, from 1 on; 0 if there is none.
  };

  struct PotentialRoot {
    std::size_t node = 0;
    std::int64_t priority = 0;
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
  DisjointSets trees_;  // Of the nodes.
  std::unordered_map<const Component*, std::size_t> index_;
  std::vector<PotentialRoot> potential_roots_;
  std::vector<Connection> connections_;
  bool is_resolved_ = false;
};

}  // namespace orrery::modelica::internal
