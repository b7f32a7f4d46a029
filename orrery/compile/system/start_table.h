#pragma once

#include <cstdint>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/system.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/node_index.h"

namespace orrery::compile::internal {

/// The `start` of a scalar, by the name that stands for it: its own, else that
/// of an alias.
struct ScalarStart {
  Expr value;  ///< Empty if none is given.
  bool is_fixed = false;
  StateSelect select = StateSelect::kDefault;  ///< The strongest of its names.
  /// The scalar has this value at the start. Else it is a first guess.
  bool holds = false;
};

/// The start values of all scalars and the symbols that stand for them, so that
/// they can be set for a run.
class StartTable {
 public:
  /// A table of nothing.
  StartTable() = default;

  /// Reads what the model gives. Says so if two names of one quantity fix it
  /// differently.
  StartTable(System& system, Diagnostics& diagnostics);

  [[nodiscard]] ScalarStart& operator[](std::uint32_t scalar) {
    return of_scalar_[scalar];
  }

  [[nodiscard]] const ScalarStart& operator[](std::uint32_t scalar) const {
    return of_scalar_[scalar];
  }

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(of_scalar_.size());
  }

  /// The array of the start values of a variable's elements.
  [[nodiscard]] Expr SymbolOf(System& system, std::uint32_t variable);

  /// The start value of `scalar` as a quantity.
  [[nodiscard]] Expr KeyOf(System& system, std::uint32_t scalar);

 private:
  std::vector<ScalarStart> of_scalar_;
  NodeIndex symbols_;  // Their ids, by variable; made when asked for.
};

}  // namespace orrery::compile::internal
