#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/symbolic/tape/interval.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Runs sections of a tape on bounds in place of numbers. From bounds of the
/// quantities it computes bounds of the results. Scratch for one thread;
/// allocates in the constructor only.
///
///     bounds.Begin(memory);
///     bounds.Set(slot, {.value = {1, 2}, .slope = {-1, 1}});
///     if (bounds.Run(section)) ... bounds.Get(result) ...
class TapeBounds {
 public:
  /// `tape` must outlive it.
  explicit TapeBounds(const Tape& tape);

  /// Makes all quantities constant at their values in `memory`, which must live
  /// and stay as it is until the next call.
  void Begin(std::span<const double> memory) noexcept;

  void Set(std::uint32_t slot, const Bounds& bounds) noexcept;
  [[nodiscard]] Bounds Get(std::uint32_t slot) const noexcept;

  /// @returns false if the section cannot be followed: it calls an opaque
  ///     function or itself, or a branch or subscript depends on an uncertain
  ///     value. Asserts are skipped.
  bool Run(std::size_t section) noexcept;

 private:
  enum class Flow : std::uint8_t { kNext, kLost };

  bool RunFrom(const Tape::Instruction* code) noexcept;
  Flow RunOne(const Tape::Instruction& i) noexcept;
  const Tape::Instruction* Branch(const Tape::Instruction* at) noexcept;
  [[nodiscard]] std::int64_t IndexAt(std::uint32_t address) const noexcept;
  void SetIndex(std::uint32_t address, std::int64_t index) noexcept;

  const Tape& tape_;
  std::span<const double> memory_;
  std::vector<Bounds> bounds_;
  // `bounds_` counts, not `memory_`, for addresses set in this round.
  std::vector<std::uint32_t> rounds_;
  std::uint32_t round_ = 0;
};

}  // namespace orrery
