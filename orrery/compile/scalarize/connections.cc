#include "orrery/compile/scalarize/connections.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/base/error.h"
#include "orrery/symbolic/iterations.h"

namespace orrery::compile::internal {
namespace {

// The flows of all connections. A flow seen from inside its component and the
// same flow seen from outside are two members of connection sets.
class FlowSets {
 public:
  explicit FlowSets(System& system) : system_(system) {}

  void Join(const Connection::End& a,
            const Connection::End& b,
            std::uint32_t origin) {
    const std::uint32_t first = Member(a.variable, a.is_outside, origin);
    const std::uint32_t second = Member(b.variable, b.is_outside, origin);
    sets_.Merge(first, second);
  }

  void AddEquations() {
    // Flows that no connection joins from outside their component are zero.
    const auto& variables = system_.model.variables;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      const std::uint32_t first = system_.first_scalar[v];
      if (!variables[v].is_flow || first == kNone) {
        continue;
      }
      const std::int64_t count = NumElements(variables[v].symbol.shape());
      for (std::int64_t i = 0; i < count; ++i) {
        const auto scalar = first + static_cast<std::uint32_t>(i);
        const Expr key = system_.scalars[scalar].key;
        if (inside_[key.id()] == kNone) {
          Member(key,
                 false,
                 system_.AddOrigin(OriginKind::kOpenFlow,
                                   variables[v].notes->span));
        }
      }
    }
    // One sum for each set, in the order in which the sets appear.
    std::vector<Expr> sums(members_.size());
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      const FlowMember& member = members_[i];
      Expr& sum = sums[sets_.Find(i)];
      const Expr term = member.is_outside ? -member.variable : member.variable;
      sum = sum ? sum + term : term;
    }
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      if (sums[i] && sets_.Find(i) == i) {
        system_.equations.push_back({.left = sums[i],
                                     .right = system_.graph.Constant(0),
                                     .origin = members_[i].origin});
      }
    }
  }

 private:
  struct FlowMember {
    Expr variable;
    bool is_outside = false;
    std::uint32_t origin = 0;
  };

  std::uint32_t Member(Expr variable, bool is_outside, std::uint32_t origin) {
    NodeMap& numbers = is_outside ? outside_ : inside_;
    std::uint32_t number = numbers[variable.id()];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(sets_.Add());
      numbers.Set(variable.id(), number);
      members_.push_back(
          {.variable = variable, .is_outside = is_outside, .origin = origin});
    }
    return number;
  }

  System& system_;
  DisjointSets sets_;
  NodeMap inside_;   // By variable: the member's number.
  NodeMap outside_;  // Likewise, seen from outside.
  std::vector<FlowMember> members_;
};

// The quantities that connections make equal.
class Potentials {
 public:
  // @returns true if the two were not yet known to be equal.
  bool Join(Expr a, Expr b) { return sets_.Merge(Member(a), Member(b)); }

 private:
  std::uint32_t Member(Expr variable) {
    std::uint32_t number = numbers_[variable.id()];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(sets_.Add());
      numbers_.Set(variable.id(), number);
    }
    return number;
  }

  DisjointSets sets_;
  NodeMap numbers_;
};

std::string SizeText(Expr formula) {
  return std::to_string(NumElements(formula.shape()));
}

}  // namespace

void AddConnections(System& system, Diagnostics& diagnostics) {
  FlowSets flows(system);
  Potentials potentials;
  for (const Connection& connection : system.model.connections) {
    const std::uint32_t origin = system.AddOrigin(
        connection.is_flow ? OriginKind::kFlowSum : OriginKind::kConnection,
        connection.span,
        connection.path);
    const auto join = [&](Expr a, Expr b) {
      if (connection.is_flow) {
        flows.Join(
            {a, connection.a.is_outside}, {b, connection.b.is_outside}, origin);
      } else if (potentials.Join(a, b)) {
        system.equations.push_back({.left = a, .right = b, .origin = origin});
      }
    };
    ForEachIteration(
        system.graph, connection.iterators, [&](Iteration& values) {
          const Expr a = values.Apply(connection.a.variable);
          const Expr b = values.Apply(connection.b.variable);
          if (!ForEachElement(system.elements, a, b, join)) {
            diagnostics.Add(system.About(Severity::kError,
                                         origin,
                                         "cannot connect " + SizeText(a) +
                                             " to " + SizeText(b) +
                                             " quantities",
                                         "both sides must have one size"));
          }
        });
  }
  flows.AddEquations();
}

}  // namespace orrery::compile::internal
