#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// The length of a LoweringContext's lists, to restore after NeedsUnrolling.
struct LoweringMark {
  std::size_t locals = 0;
  std::size_t ends = 0;
  std::size_t iterators = 0;
  bool fixes_parameters = false;
};

/// The state while expressions of one place of a model are lowered to formulas.
/// Functions of the floors above take it first and do the work.
struct LoweringContext {
  LoweringContext(Session& shared, const Context& place)
      : session(shared), where(place) {}

  /// A name that a loop or a reduction declares.
  struct Local {
    std::string_view name;
    Value value;
    Expr iterator;  ///< Empty if the name has one value.
  };

  /// The innermost local of that name; null if there is none.
  [[nodiscard]] const Local* FindLocal(std::string_view name) const;

  /// True if all loops in scope have passes.
  [[nodiscard]] bool IsReached() const;

  /// A formula over the model's variables, as an algorithm reads it.
  [[nodiscard]] Expr AsRead(Expr outer) const {
    return replace ? replace(outer) : outer;
  }

  [[nodiscard]] LoweringMark Save() const noexcept;
  void Restore(const LoweringMark& mark);

  /// Reports an error and throws Abandoned.
  [[noreturn]] void Fail(const ast::Span& span,
                         std::string message,
                         std::string hint = {}) {
    session.Fail(where.scope, span, std::move(message), std::move(hint));
  }

  Session& session;
  Context where;
  std::vector<Local> locals;
  std::vector<std::int64_t> ends;  ///< Values of `end`, innermost last.
  std::vector<Expr> iterators;     ///< In scope; may not decide structure.
  /// Replaces symbols by other formulas, as in an algorithm. May be empty.
  std::function<Expr(Expr)> replace;
  bool is_initial = false;
  bool is_in_equation = false;  ///< Else in a declaration or an algorithm.
  /// True for equations that hold at events only: they may use the left limits
  /// of continuous variables.
  bool is_in_when = false;
  bool fixes_parameters = false;  ///< True in subscripts of unknowns.
  /// Permits slices with sizes that only the run knows: these throw NeedsSize.
  bool takes_sizes = false;
  bool keeps_constants = false;  ///< Constants stay symbols, for their units.
  bool is_carried_out = false;   ///< In a function that is carried out now.
  std::vector<SizeInRun> sizes;  ///< Assumed sizes of such slices.
  /// Loops over these may be lowered in parts. May be null.
  const std::vector<Expr>* divisible = nullptr;
};

}  // namespace orrery::modelica::internal
