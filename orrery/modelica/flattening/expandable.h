#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Adds components to the expandable connectors of a model as connections name
/// them, removes unconnected ones, and gives connected connectors the same
/// components (specification 3.6, section 9.1.3). Afterwards they are
/// connectors like any others.
class ExpandableConnectors {
 public:
  explicit ExpandableConnectors(Session& session) : session_(session) {}

  /// Elaborates all components of expandable connectors. Throws nothing.
  void Run(Instance& top);

 private:
  /// A component that a connection names and its connector lacks.
  struct Wanted {
    Instance* bus = nullptr;
    std::string_view name;
    Component* like = nullptr;  ///< The other end of the connection.
    Shape shape;
    Scope* scope = nullptr;
    ast::Span span;
  };

  using Group = std::vector<Instance*>;

  void Find(Instance& instance);
  void FindIn(Component& component);
  void Visit();
  void Take(const ConnectionEnd& from, const ConnectionEnd& to, Scope* scope);
  void Want(const ConnectionEnd& poor, const ConnectionEnd& rich, Scope* scope);
  void Mark(const ConnectionEnd& end);
  void Join(const Instance& a, const Instance& b);
  std::vector<Group> Groups();

  void AddWanted();
  void Spread();
  void SpreadIn(const Group& group);
  void Add(const Wanted& wanted);
  const Modifier* ModifierOf(const Component& like, const Shape& shape);

  void RemoveUnused();
  void RemoveUnused(const Group& group, std::string_view name);
  void CheckBindings();
  void FillGaps(const std::vector<Component*>& alike);

  Session& session_;
  SignalSets unused_;  // Inputs and outputs are checked later.
  Group buses_;        // All expandable connectors.
  DisjointSets joined_;
  std::unordered_map<const Instance*, std::size_t> index_;
  std::vector<Instance*> connecting_;  // With connect-equations.
  std::vector<Wanted> wanted_;
  std::unordered_set<const Component*> used_;
  // Array elements, by formula.
  std::unordered_set<std::uint32_t> used_elements_;
  std::unordered_map<std::uint32_t, const Component*> absent_;  // By symbol.
  bool has_grown_ = false;
};

}  // namespace orrery::modelica::internal
