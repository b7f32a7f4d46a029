#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/containers/aligned_numbers.h"
#include "orrery/program/native_code.h"
#include "orrery/program/program.h"
#include "orrery/solver/problem/ode.h"

namespace orrery::sim::internal {

/// The derivatives of a program for several memories side by side, as one
/// problem. State i of lane l is state [i * lanes + l] of the problem; number k
/// of a memory is at [k * lanes + l]. All that concerns single states is in
/// each lane as it would be alone.
class LaneOde final : public OdeProblem {
 public:
  /// The program must outlive it.
  /// @param values computes all quantities from time, inputs and states.
  LaneOde(const Program& program, NativeSection values, std::size_t lanes);

  [[nodiscard]] double* memory() noexcept { return memory_.data(); }

  /// Number `slot` of all memories, one a lane.
  [[nodiscard]] double* At(std::uint32_t slot) noexcept {
    return memory_.data() + slot * lanes_;
  }

  /// Tells that values held between events have changed.
  void HoldAnew() noexcept {
    is_new_ = true;
    has_failed_ = false;
  }

  /// Leaves all quantities in memory.
  bool Evaluate(double t, std::span<const double> x);

  /// True if these slots are finite in all lanes.
  [[nodiscard]] bool AreFinite(std::span<const SlotRange> slots);

  [[nodiscard]] int dimension() const override {
    return static_cast<int>(program_.state_slots.size() * lanes_);
  }

  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override;

  [[nodiscard]] bool CanTakeSteps() override { return !has_failed_; }

  [[nodiscard]] bool NeedsTimes(const ExplicitTableau& tableau) override {
    return Steps(tableau).needs_times;
  }

  using OdeProblem::TakeSteps;
  bool TakeSteps(const ExplicitTableau& tableau,
                 std::span<const double> times,
                 std::int64_t count,
                 double h,
                 std::span<double> x,
                 std::span<double> work) override;

  [[nodiscard]] std::span<const std::uint8_t> positions() const override {
    return positions_;
  }

 private:
  const NativeSteps& Steps(const ExplicitTableau& tableau);
  std::span<const double> MemoryOf(std::size_t lane);

  const Program& program_;
  NativeSection values_;
  std::size_t lanes_;
  AlignedNumbers memory_;
  std::vector<std::uint8_t> positions_;
  const NativeSteps* steps_ = nullptr;
  bool is_new_ = true;
  bool has_failed_ = false;      // Steps led to a NaN or infinity.
  std::vector<double> times_;    // Times of steps, in all lanes.
  std::vector<double> of_lane_;  // The memory of one lane.
};

}  // namespace orrery::sim::internal
