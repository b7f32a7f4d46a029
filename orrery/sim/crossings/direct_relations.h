#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/crossings/part_search.h"
#include "orrery/solver/steps/dense_output.h"

namespace orrery::sim::internal {

/// A state, or a quantity that is constant between events.
struct DirectTerm {
  std::uint32_t slot = 0;
  int state = kStandsStill;

  static constexpr int kStandsStill = -1;

  friend bool operator==(const DirectTerm&, const DirectTerm&) = default;
};

/// An operand of a relation: one such term, or the sum or difference of two.
struct DirectOperand {
  enum class Kind : std::uint8_t { kFirst, kSum, kDifference };

  DirectTerm first;
  DirectTerm second;
  Kind kind = Kind::kFirst;

  friend bool operator==(const DirectOperand&, const DirectOperand&) = default;

  /// The operand's value, where `of` gives the values of its terms.
  template <typename Function>
  [[nodiscard]] auto Combine(const Function& of) const {
    const auto one = of(first);
    if (kind == Kind::kFirst) {
      return one;
    }
    return kind == Kind::kSum ? one + of(second) : one - of(second);
  }
};

/// Finds the slots that hold direct operands.
class DirectOperands {
 public:
  /// @param state_slots by state.
  /// @param moving_slots slots other than states that change with time.
  DirectOperands(std::size_t memory_size,
                 std::span<const std::uint32_t> state_slots,
                 std::span<const std::uint32_t> moving_slots);

  /// Follows code that computes operands, piece by piece.
  /// @returns false if only a run of the code can tell what it computes.
  bool Follow(std::span<const Tape::Instruction> code);

  /// The operand that the slot holds in the end; none for other formulas.
  [[nodiscard]] std::optional<DirectOperand> At(std::uint32_t slot) const;

 private:
  static constexpr std::uint32_t kFormula = 0xffffffff;
  static constexpr std::uint32_t kFirstSum = 0x80000000;

  [[nodiscard]] DirectTerm TermAt(std::uint32_t source) const;
  std::uint32_t AddFormula(const Tape::Instruction& i);

  // By address: the address it copies, kFormula, or kFirstSum + index of a sum.
  std::vector<std::uint32_t> sources_;
  std::vector<DirectOperand> sums_;
  std::vector<int> states_;  // By address.
};

/// A relation left < right (strict) or left <= right of direct operands.
struct DirectRelation {
  std::size_t number = 0;  ///< Index among all relations.
  DirectOperand left;
  DirectOperand right;
  bool is_strict = false;
  std::optional<bool> rearms_to;  ///< WatchedRelation::Rearming::truth.
};

/// A relation that has re-armed.
struct Rearmed {
  std::size_t relation = 0;
  double t = 0;
};

/// Finds the first change of relations between direct operands in a step. The
/// distance of two direct operands is a polynomial. So each relation is
/// examined alone, and most of them once.
class DirectRelations {
 public:
  DirectRelations() = default;
  explicit DirectRelations(std::vector<DirectRelation> relations);

  /// The first time in (begin, end] at which some relation differs from
  /// `truths`; just before it none does.
  /// @param is_ignored by number: true if its changes do not count.
  /// @param rearmed null: none re-arms. Else re-arming is no change; it is
  ///     added here, even if it is after the time returned.
  /// @returns kNever if there is none.
  [[nodiscard]] double First(const DenseOutput& dense,
                             StepPart step,
                             std::span<const std::uint8_t> truths,
                             std::span<const std::uint8_t> is_ignored,
                             std::span<const double> memory,
                             std::vector<Rearmed>* rearmed);

  /// Number of close examinations of a relation.
  [[nodiscard]] std::int64_t evaluations() const noexcept {
    return evaluations_;
  }

 private:
  template <std::size_t kTerms>
  class Search;

  // Bounds of a quantity over a step, up to some time, and of the sum of the
  // magnitudes of its polynomial's terms.
  struct Range {
    double lower = 0;
    double upper = 0;
    double size = 0;

    friend Range operator+(const Range& a, const Range& b) noexcept {
      return {a.lower + b.lower, a.upper + b.upper, a.size + b.size};
    }

    friend Range operator-(const Range& a, const Range& b) noexcept {
      return {a.lower - b.upper, a.upper - b.lower, a.size + b.size};
    }
  };

  template <std::size_t kTerms>
  [[nodiscard]] double FindChange(Search<kTerms> search,
                                  std::span<const DirectRelation> alike,
                                  StepPart step,
                                  std::vector<Rearmed>* rearmed);
  void FindStates();
  void FindRanges(const DenseOutput& dense, double end);
  [[nodiscard]] Range RangeOf(const DirectOperand& operand,
                              std::span<const double> memory) const;

  std::vector<DirectRelation> relations_;
  // By relation: true if its operands are those of the one before.
  std::vector<std::uint8_t> repeats_;
  int first_state_ = 0;        // The first that is an operand.
  std::vector<Range> ranges_;  // By state, from that one on.
  std::vector<double> scratch_;
  std::vector<StepPart> parts_;
  std::int64_t evaluations_ = 0;
};

}  // namespace orrery::sim::internal
