#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::program::internal {

/// Costs of the sections of a tape, with the functions that they call.
class CodeCosts {
 public:
  /// @param tape must outlive it.
  explicit CodeCosts(const Tape& tape);

  /// The number of instructions that a run executes: all branches are taken,
  /// while-loops make a few passes, and recursive functions call themselves
  /// once.
  [[nodiscard]] double OfRun(std::size_t section);

  /// The functions that it calls, directly or indirectly.
  [[nodiscard]] std::vector<std::uint32_t> FunctionsOf(
      std::size_t section) const;

 private:
  double OfRun(std::span<const Tape::Instruction> code);
  double OfCall(std::size_t function);

  static constexpr double kUnknown = -1;

  const Tape& tape_;
  std::vector<double> of_calls_;  // By function.
};

}  // namespace orrery::program::internal
