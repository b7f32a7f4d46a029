#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/model/internal/graph_copy.h"

namespace orrery::model::internal {

/// Brings a flat model into another one as a part of it: names and paths get
/// its path in front, formulas are copied.
class FlatImport {
 public:
  /// Makes the symbols.
  /// @param path of the part in `into`; empty for the whole.
  FlatImport(const FlatModel& part, std::string path, FlatModel& into)
      : FlatImport(part, std::move(path), into, {}) {}

  /// The same, but for variables that `into` has already.
  /// @param known their symbols in `into`, by variable of the part; empty for a
  ///     variable that it lacks. Empty: it lacks all.
  FlatImport(const FlatModel& part,
             std::string path,
             FlatModel& into,
             std::span<const Expr> known);

  [[nodiscard]] const FlatModel& part() const noexcept { return part_; }

  /// The symbol of a variable of the part in `into`.
  [[nodiscard]] Expr SymbolOf(const Variable& variable) {
    return copy_.Copy(variable.symbol);
  }

  /// A variable of the part as it will be in `into`; does not add it. Formulas
  /// that it lacks may still be set.
  [[nodiscard]] Variable VariableOf(const Variable& variable);

  /// The formula in `into`; empty for an empty one.
  [[nodiscard]] Expr Copy(Expr formula) { return copy_.Copy(formula); }

  /// Adds all of the part but its variables.
  void AddRest();

 private:
  [[nodiscard]] std::string PathOf(const std::string& path) const;
  [[nodiscard]] Message Copy(const Message& message);
  [[nodiscard]] Connection::End Copy(const Connection::End& end);
  void AddEquations(const std::vector<Equation>& from,
                    std::vector<Equation>& into);
  void AddConnections();
  void AddEvents();
  void AddEventNames();
  void AddEventLabels();
  void AddHandlers();
  void AddFindings();

  const FlatModel& part_;
  std::string path_;
  FlatModel& into_;
  GraphCopy copy_;
};

}  // namespace orrery::model::internal
