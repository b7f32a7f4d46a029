#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/sorting/unreduced_system.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// The equations and quantities of a part of a problem's matching, with the
/// eliminated equations that belong to it.
struct PartExtent {
  std::vector<UnreducedSystem::Line>
      lines;  ///< The part's own equations first.
  std::vector<std::uint32_t> unknowns;
  std::vector<std::uint32_t> states;  ///< Unknown at the start only.
};

/// A problem in the terms of the model's author: quantities by the names
/// nearest to the author, and equations as they were before aliases were
/// eliminated.
class SourceEquations {
 public:
  SourceEquations(System& system, const SortProblem& problem);

  [[nodiscard]] UnreducedSystem& written() noexcept { return written_; }

  [[nodiscard]] const UnreducedSystem& written() const noexcept {
    return written_;
  }

  /// All names of a quantity that is no alias.
  [[nodiscard]] const std::vector<std::uint32_t>& AllNamesOf(
      std::uint32_t scalar) const {
    return names_of_.at(scalar);
  }

  /// Returns a variable without a place if the scalar has none.
  [[nodiscard]] const Variable& VariableOf(std::uint32_t scalar) const;

  /// Returns the name of a quantity with the fewest dots; derivatives come
  /// last.
  [[nodiscard]] std::uint32_t NearestName(std::uint32_t scalar) const;

  [[nodiscard]] std::vector<std::string> NamesOf(
      const std::vector<std::uint32_t>& scalars) const;

  [[nodiscard]] bool IsState(std::uint32_t scalar) const;

  [[nodiscard]] UnreducedSystem::Line LineOf(const ScalarEquation& row) const;

  [[nodiscard]] PartExtent ExtentOf(const Part& part);

 private:
  [[nodiscard]] bool IsOfStart(const ScalarEquation& row) const;

  [[nodiscard]] std::uint32_t NameOfStart(const ScalarEquation& row) const;

  // True if a run's quantity is no unknown of the author's equations.
  [[nodiscard]] bool IsGiven(std::uint32_t scalar) const;

  [[nodiscard]] bool IsMadeUp(std::uint32_t scalar) const;

  // True if the row is a run's equation of a made-up quantity, which nobody
  // wrote.
  [[nodiscard]] bool DeterminesMadeUp(const ScalarEquation& row) const;

  // Returns the written equation that the compiler has turned into the relation
  // of `row`; kNone if the relation was only a part of it.
  [[nodiscard]] std::uint32_t NumberOfOrigin(const ScalarEquation& row) const;

  System& system_;
  const SortProblem& problem_;
  UnreducedSystem written_;
  std::unordered_set<std::uint32_t> unknowns_;  // The problem's.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> names_of_;
  const Variable made_up_;  // Without a place.
};

}  // namespace orrery::compile::internal
