#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::sim::internal {

/// Follows sections of a tape for all values of its memory at once: with
/// numbers that stand for values. Places with the same number have the same
/// bits. This is the value numbering of compilers, with constants: J. Cocke and
/// J. T. Schwartz, Programming Languages and Their Compilers, 1970.
class ValueNumbers {
 public:
  using Number = std::uint32_t;

  /// All places have values of their own. The tape must outlive it.
  explicit ValueNumbers(const Tape& tape);

  /// The places that outlast a section.
  [[nodiscard]] const std::vector<Number>& numbers() const noexcept {
    return numbers_;
  }

  [[nodiscard]] Number operator[](std::size_t place) const noexcept {
    return numbers_[place];
  }

  void Set(std::size_t place, Number number) { numbers_[place] = number; }

  /// The number of a value that differs from all others, or may do so.
  [[nodiscard]] Number New();

  [[nodiscard]] Number Constant(double value);

  /// The number of -x.
  [[nodiscard]] Number Negated(Number x);

  /// The value, if it is a constant.
  [[nodiscard]] std::optional<double> ValueOf(Number number) const noexcept {
    return values_[number];
  }

  /// Runs a section.
  /// @returns false if its course depends on values, or is too long.
  bool Run(std::size_t section);

  /// How many values were checked by instructions that end a run: each counts
  /// once, as it passes again.
  [[nodiscard]] std::size_t num_checks() const noexcept {
    return checked_.size();
  }

 private:
  using Key = std::array<std::uint64_t, 4>;

  // Where the run goes on after an instruction; none: not known.
  using Way = std::optional<std::int64_t>;

  [[nodiscard]] Number Find(const Key& key, std::optional<double> value);
  [[nodiscard]] Number Elementwise(const Tape::Instruction& i);
  [[nodiscard]] std::optional<std::int64_t> IndexAt(std::size_t place) const;
  void SetIndex(std::size_t place, std::int64_t index);
  [[nodiscard]] Way Pass(const Tape::Instruction& i);
  [[nodiscard]] Way PassIndex(const Tape::Instruction& i);
  [[nodiscard]] Way Check(const Tape::Instruction& i);
  void CopyArray(const Tape::Instruction& i);

  const Tape& tape_;
  std::vector<Number> numbers_;                // By place.
  std::vector<std::optional<double>> values_;  // By number: of constants.
  std::map<Key, Number> known_;
  std::set<std::pair<TapeOp, Number>> checked_;
};

}  // namespace orrery::sim::internal
