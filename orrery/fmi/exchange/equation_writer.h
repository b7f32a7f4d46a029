#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/model/flat_model.h"

namespace orrery::fmi {

/// Writes the equations of an FMU, which call its code by opaque functions.
/// Plain data; not thread-safe.
class EquationWriter {
 public:
  using Evaluate =
      std::function<void(std::span<const double>, std::span<double>)>;

  /// Takes name, description and experiment over. Declares no variables.
  /// @param description must outlive it.
  explicit EquationWriter(const Description& description);

  /// Declares the variables of the FMU, and its handle.
  void Declare(const ExchangeLayout& layout);

  [[nodiscard]] FlatModel& flat() noexcept { return flat_; }

  [[nodiscard]] ExprGraph& graph() noexcept { return *flat_.graph; }

  /// The symbol of a variable; empty for one that is not declared.
  [[nodiscard]] Expr SymbolOf(VariableIndex variable) const {
    return symbols_[variable];
  }

  /// The parameter by which functions find the instance of a run.
  [[nodiscard]] Expr handle() const noexcept { return handle_; }

  /// Declares a parameter that is no variable of the FMU, but is set as one.
  [[nodiscard]] Expr AddParameter(const std::string& name,
                                  double value,
                                  VariableNotes notes);

  /// Declares a quantity that is no variable of the FMU.
  [[nodiscard]] Expr AddHidden(const std::string& name,
                               orrery::ValueType type,
                               orrery::Variability variability);

  /// Declares a discrete quantity that only a handler sets.
  [[nodiscard]] Expr AddHeld(const std::string& name,
                             orrery::ValueType type = orrery::ValueType::kReal);

  /// The scalar elements of all variables of a row.
  [[nodiscard]] std::vector<Expr> ElementsOf(const VariableRow& row) const;

  /// Adds left = right.
  void State(Expr left, Expr right);

  /// Adds left = right at the start.
  void StateInitially(Expr left, Expr right);

  /// Names the events of a truth.
  void Label(Expr truth, std::string name, std::string meaning);

  [[nodiscard]] std::shared_ptr<OpaqueFunction> Make(const std::string& what,
                                                     std::size_t num_inputs,
                                                     std::size_t num_outputs,
                                                     Evaluate evaluate) const;

  /// The results of a function.
  [[nodiscard]] std::vector<Expr> Results(
      std::shared_ptr<const OpaqueFunction> function,
      std::span<const Expr> arguments);

  /// Ends the run when `ends`, a held number, is not 0.
  void EndWhere(Expr ends);

 private:
  const Description& its_;
  FlatModel flat_;
  std::vector<Expr> symbols_;  // By variable.
  Expr handle_;
};

}  // namespace orrery::fmi
