#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/codegen/plan/access_ranges.h"
#include "orrery/codegen/plan/code_parts.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

/// The addresses at which an instruction reads and writes one value, a number
/// or an index; without arrays and indexed accesses.
struct ValueAccess {
  std::array<std::uint32_t, 3> reads{};
  std::size_t num_reads = 0;
  std::optional<std::uint32_t> write;
};

[[nodiscard]] ValueAccess ValuesOf(const Tape::Instruction& i) noexcept;

/// A run of instructions that is compiled as one function.
struct CodePiece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The plan for compiling a section, or the body of a function.
class SectionPlan {
 public:
  /// @param keeps_slots whether the code's results in slots are needed.
  /// @param most_instructions limit for a piece that can be cut; 0: no cuts.
  SectionPlan(const Tape& tape,
              std::span<const Tape::Instruction> code,
              bool keeps_slots,
              std::size_t most_instructions);

  [[nodiscard]] std::span<const CodePiece> pieces() const noexcept {
    return pieces_;
  }

  /// True if the value at `address` must be in memory: others read or write it,
  /// it is a part of an array, or one piece leaves it for another.
  [[nodiscard]] bool IsInMemory(std::uint32_t address) const noexcept {
    return (address & kRegionOfAddress) != kLocalRegion &&
           (address >= is_own_.size() || is_own_[address] == 0);
  }

  /// The range of an indexed access.
  [[nodiscard]] const AccessRange& RangeOf(std::size_t at) const noexcept {
    return ranges_[at];
  }

 private:
  void FindArrays(const Tape& tape, std::span<const Tape::Instruction> code);
  void Cut(std::span<const Tape::Instruction> code, std::size_t most);
  void FindOwnSlots(const Tape& tape, std::span<const Tape::Instruction> code);
  void KeepAcrossPieces(std::span<const Tape::Instruction> code);
  void Keep(std::int64_t low, std::int64_t high);

  std::vector<AccessRange> ranges_;
  std::vector<std::uint8_t> is_own_;  // By address: nobody else needs it.
  std::vector<CodePiece> pieces_;
};

}  // namespace orrery::codegen::internal
