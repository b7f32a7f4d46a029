#pragma once

#include <cstdint>
#include <unordered_map>

#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Session;

/// The variables of a flat model to which the treatment of clocks adds, with
/// equations.
class ClockVariables {
 public:
  explicit ClockVariables(Session& session) : session_(session) {}

  /// Adds a discrete variable.
  Variable& Declare(Expr symbol, const SourceSpan& at);

  /// Adds a discrete variable that takes its values from `like`.
  Variable& DeclareLike(Expr like, Expr symbol, const SourceSpan& at);

  /// Adds the equation left = right.
  void Equate(Expr left, Expr right, const SourceSpan& span);

  /// The declaration of a variable, or of the one it is an element of; null if
  /// there is none.
  [[nodiscard]] Variable* Declared(Expr variable);

  /// The start value of a variable; zero if there is none.
  [[nodiscard]] Expr StartOf(Expr variable);

  /// Gives a symbol another start value, unless this was done before.
  void SetStart(Expr symbol, Expr start) {
    starts_.emplace(symbol.id(), start);
  }

 private:
  Session& session_;
  std::unordered_map<std::uint32_t, Expr> starts_;  // By symbol.
};

}  // namespace orrery::modelica::internal
