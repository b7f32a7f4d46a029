#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/fmi/description.h"
#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// The least and the greatest value of a variable that is a whole number or an
/// item of an enumeration. None for others, and for 64 bits, whose limits are
/// those of Integers.
[[nodiscard]] std::optional<std::pair<double, double>> WholeLimits(
    const Description& its, const Variable& variable);

/// Variables whose values stand in a row of numbers, one after the other.
class VariableRow {
 public:
  void Add(const Description& description, VariableIndex variable);

  [[nodiscard]] std::span<const VariableIndex> variables() const noexcept {
    return variables_;
  }

  /// The place of the first value of variable number `k`.
  [[nodiscard]] std::size_t place(std::size_t k) const { return places_[k]; }

  /// The number of values of variable number `k`.
  [[nodiscard]] std::size_t count(std::size_t k) const {
    return (k + 1 < places_.size() ? places_[k + 1] : size_) - places_[k];
  }

  /// The number of values of all.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// For a call for variable number `k` alone.
  [[nodiscard]] const ReferenceGroup& group(std::size_t k) const {
    return single_[k];
  }

  /// For calls for all variables, one a type.
  [[nodiscard]] std::vector<ReferenceGroup> Groups(
      const Description& description) const;

  [[nodiscard]] std::vector<std::uint32_t> References(
      const Description& description) const;

  /// The start values.
  [[nodiscard]] std::vector<double> Starts(
      const Description& description) const;

 private:
  std::vector<VariableIndex> variables_;
  std::vector<std::size_t> places_;
  std::vector<ReferenceGroup> single_;
  std::size_t size_ = 0;
};

/// Continuous quantities that depend directly on the same inputs.
struct ResultGroup {
  VariableRow row;
  std::vector<std::uint8_t> uses;  ///< By variable of `continuous_inputs`.
  /// Else locals: no FMU tells their derivatives.
  bool are_outputs = true;
};

/// The roles that the variables of an FMU have in equations. Texts, bytes,
/// clocks that tick by themselves and the time have none.
///
/// By Co-Simulation, all that the FMU computes changes at communication points
/// only: `states` are what starts can be set of, `results` is all else, by the
/// inputs that it depends on at the start.
struct ExchangeLayout {
  /// @param kind Model Exchange or Co-Simulation.
  explicit ExchangeLayout(const Description& description,
                          InterfaceKind kind = InterfaceKind::kModelExchange);

  bool is_stepped = false;  ///< By Co-Simulation.

  VariableRow parameters;  ///< That can be set.
  VariableRow states;
  VariableRow rates;  ///< Derivatives of states, in their order.
  VariableRow continuous_inputs;
  VariableRow discrete_inputs;
  std::vector<ResultGroup> results;
  /// Input clocks that tick where a count rises.
  std::vector<VariableIndex> triggered_clocks;
  std::vector<VariableIndex> told_clocks;  ///< See `ToldClocksOf`.
  VariableRow discrete;                    ///< All that changes at events only.
  /// Its derivatives, as numbers of states.
  std::vector<std::pair<VariableIndex, std::size_t>> derivatives;
  /// Variables that have the value of another one.
  std::vector<std::pair<VariableIndex, VariableIndex>> aliases;
  std::vector<VariableIndex> constants;
  std::vector<std::uint8_t> are_starts_exact;  ///< By number of a state.

 private:
  void AddStates(const Description& description);
  void GroupResults(const Description& description,
                    std::span<const VariableIndex> variables);
};

}  // namespace orrery::fmi
