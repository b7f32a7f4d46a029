#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

/// Least passes of a repetition, and least instructions in all for which a loop
/// pays.
inline constexpr std::size_t kLeastPasses = 8;
inline constexpr std::size_t kLeastRolled = 200;

/// The instructions of a straight piece of code, elementwise ones and copies,
/// with the source of each operand.
class StraightCode {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit StraightCode(std::span<const Tape::Instruction> code);

  [[nodiscard]] std::size_t size() const noexcept { return code_.size(); }

  [[nodiscard]] const Tape::Instruction& operator[](
      std::size_t at) const noexcept {
    return code_[at];
  }

  /// The instruction whose result operand k is; kNone: none in this piece.
  [[nodiscard]] std::uint32_t SourceOf(std::size_t at,
                                       std::size_t k) const noexcept {
    return sources_[at][k];
  }

  /// The instructions that read its result.
  [[nodiscard]] std::span<const std::uint32_t> UsersOf(
      std::size_t at) const noexcept {
    return std::span(users_).subspan(first_user_[at],
                                     first_user_[at + 1] - first_user_[at]);
  }

  /// True if no later instruction writes its target.
  [[nodiscard]] bool IsLast(std::size_t at) const noexcept {
    return last_.at(code_[at].target) == at;
  }

  /// True if an address is written after its old value was read.
  [[nodiscard]] bool is_mixed() const noexcept { return is_mixed_; }

 private:
  std::span<const Tape::Instruction> code_;
  std::vector<std::array<std::uint32_t, 3>> sources_;
  std::vector<std::uint32_t> first_user_;
  std::vector<std::uint32_t> users_;
  std::unordered_map<std::uint32_t, std::uint32_t> last_;
  std::unordered_set<std::uint32_t> read_before_;
  bool is_mixed_ = false;
};

/// The same operations over and over, on addresses that move evenly.
struct Repetition {
  std::size_t begin = 0;
  std::size_t length = 0;  ///< Instructions of a pass.
  std::size_t passes = 0;

  [[nodiscard]] std::size_t size() const noexcept { return length * passes; }

  [[nodiscard]] std::size_t end() const noexcept { return begin + size(); }
};

/// Finds repetitions.
class RepetitionFinder {
 public:
  explicit RepetitionFinder(const StraightCode& code) : code_(code) {}

  /// The longest repetition at `begin`. If a loop of it pays, it starts where
  /// its passes leave least to each other, within the first pass.
  [[nodiscard]] std::optional<Repetition> At(std::size_t begin) const;

 private:
  [[nodiscard]] Repetition Extend(std::size_t begin, std::size_t length) const;
  [[nodiscard]] bool Follows(const Repetition& so_far) const;
  [[nodiscard]] bool Matches(const Repetition& r, std::size_t at) const;
  [[nodiscard]] Repetition WithFewestCarried(const Repetition& r) const;
  [[nodiscard]] std::size_t CountCarried(const Repetition& r) const;

  const StraightCode& code_;
};

}  // namespace orrery::codegen::internal
