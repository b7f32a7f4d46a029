#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery::symbolic::internal {

/// What gives the differentials of the outputs of a call: the statements of the
/// function, or its own derivative.
enum class CallRule : std::uint8_t { kStatements, kOwn };

/// Tells by which rule calls in formulas are differentiated.
///
/// A derivative that spares inputs is their total one: it presumes that these
/// follow from the other inputs, as what an iteration has found follows from
/// where it was made. So it gives the differentials of f(x, g(x)), but not
/// those of f(x, z), where z may vary by itself.
class CallRules {
 public:
  /// @param within the function that the formulas belong to; it must outlive
  ///     the object. Null: they belong to none.
  explicit CallRules(const Function* within) : within_(within) {}

  [[nodiscard]] CallRule Of(Expr call);

 private:
  using Leaves = std::unordered_set<std::uint32_t>;

  [[nodiscard]] CallRule Find(Expr call);
  void AddLeaves(std::span<const Expr> of, Leaves& leaves);
  void FindSources();
  [[nodiscard]] bool AddSources(const Statements& statements);
  [[nodiscard]] bool AddSources(Expr variable, Expr value);

  const Function* within_;
  std::unordered_map<std::uint32_t, CallRule> known_;  // By id of the call.
  /// The inputs that variables of the function depend on, by id.
  std::optional<std::unordered_map<std::uint32_t, Leaves>> sources_;
};

}  // namespace orrery::symbolic::internal
