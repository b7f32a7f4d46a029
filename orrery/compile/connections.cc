#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/compile/internal/iterations.h"
#include "orrery/compile/internal/system.h"

namespace orrery::internal {
namespace {

// Sets of keyed members that merge: union by size with path halving.
class DisjointSets {
 public:
  struct Added {
    std::uint32_t member;
    bool is_new;
  };

  Added Add(std::uint64_t key) {
    const auto next = static_cast<std::uint32_t>(parents_.size());
    const auto [found, is_new] = members_.try_emplace(key, next);
    if (is_new) {
      parents_.push_back(next);
      sizes_.push_back(1);
    }
    return {.member = found->second, .is_new = is_new};
  }

  [[nodiscard]] bool Contains(std::uint64_t key) const {
    return members_.contains(key);
  }

  std::uint32_t Find(std::uint32_t item) {
    while (parents_[item] != item) {
      parents_[item] = parents_[parents_[item]];
      item = parents_[item];
    }
    return item;
  }

  // Whether they were two sets until now.
  bool Merge(std::uint32_t a, std::uint32_t b) {
    a = Find(a);
    b = Find(b);
    if (a == b) {
      return false;
    }
    if (sizes_[a] < sizes_[b]) {
      std::swap(a, b);
    }
    parents_[b] = a;
    sizes_[a] += sizes_[b];
    return true;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> members_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> sizes_;
};

// The flows of all connections, each as seen from inside or outside of its
// component: two different members of connection sets.
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
    for (const Scalar& scalar : system_.scalars) {
      const Variable& variable = system_.model.variables[scalar.variable];
      if (variable.is_flow && scalar.derivative_of == kNone &&
          !sets_.Contains(KeyOf(scalar.key, false))) {
        const auto origin = static_cast<std::uint32_t>(system_.origins.size());
        system_.origins.push_back({variable.span, {}});
        Member(scalar.key, false, origin);
      }
    }
    // One sum a set, in the order in which the sets appear.
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

  static std::uint64_t KeyOf(Expr variable, bool is_outside) {
    return 2 * std::uint64_t{variable.id()} + (is_outside ? 1 : 0);
  }

  std::uint32_t Member(Expr variable, bool is_outside, std::uint32_t origin) {
    const auto added = sets_.Add(KeyOf(variable, is_outside));
    if (added.is_new) {
      members_.push_back(
          {.variable = variable, .is_outside = is_outside, .origin = origin});
    }
    return added.member;
  }

  System& system_;
  DisjointSets sets_;
  std::vector<FlowMember> members_;
};

}  // namespace

void AddConnections(System& system, Diagnostics& diagnostics) {
  FlowSets flows(system);
  DisjointSets equal;
  const auto join =
      [&](const Connection& connection, Expr a, Expr b, std::uint32_t origin) {
        const std::vector<Expr> as = system.elements.All(a);
        const std::vector<Expr> bs = system.elements.All(b);
        if (as.size() != bs.size()) {
          diagnostics.Add(system.About(
              Severity::kError,
              origin,
              "cannot connect " + std::to_string(as.size()) + " to " +
                  std::to_string(bs.size()) + " quantities",
              "both sides must have one size"));
          return;
        }
        for (std::size_t i = 0; i < as.size(); ++i) {
          if (connection.is_flow) {
            flows.Join({as[i], connection.a.is_outside},
                       {bs[i], connection.b.is_outside},
                       origin);
          } else if (equal.Merge(equal.Add(as[i].id()).member,
                                 equal.Add(bs[i].id()).member)) {
            system.equations.push_back(
                {.left = as[i], .right = bs[i], .origin = origin});
          }
        }
      };
  for (const Connection& connection : system.model.connections) {
    const auto origin = static_cast<std::uint32_t>(system.origins.size());
    system.origins.push_back({connection.span, connection.path});
    ForEachIteration(
        system.graph, connection.iterators, [&](Substitution values) {
          join(connection,
               values.Apply(connection.a.variable),
               values.Apply(connection.b.variable),
               origin);
        });
  }
  flows.AddEquations();
}

}  // namespace orrery::internal
