#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/containers/aligned_numbers.h"
#include "orrery/program/native_code.h"
#include "orrery/program/program.h"
#include "orrery/solver/problem/step_taker.h"

namespace orrery::sim::internal {

/// True if machine code may take steps of several runs of the program side by
/// side, and that pays.
[[nodiscard]] bool DoLanesPay(const Program& program, CodeChoice code);

/// The number of runs side by side: those of `vectors_of_few` vectors for few
/// states, else of one. Steps of few states leave units of the processor idle,
/// which other vectors use.
[[nodiscard]] std::size_t NumLanes(const Program& program,
                                   std::size_t vectors_of_few);

/// Takes steps of several runs of one program side by side, by machine code.
class ProgramLanes final : public StepTaker {
 public:
  /// All must outlive it.
  /// @param lanes a power of 2.
  ProgramLanes(const Program& program, NativeCode& native, std::size_t lanes);

  [[nodiscard]] std::size_t lanes() const noexcept override {
    return held_.size();
  }

  /// Lets `lane` use the held values in `memory` of a run from now on; empty:
  /// it has no run.
  void Hold(std::size_t lane, std::span<const double> memory) noexcept {
    held_[lane] = {.memory = memory, .is_new = !memory.empty()};
  }

  bool TakeSteps(const EmbeddedMethod& method,
                 const EmbeddedSteps& steps) override;
  bool TakeSteps(int order, const TaylorSteps& steps) override;
  [[nodiscard]] bool NeedsTimes(const ExplicitTableau& tableau) override;
  bool TakeSteps(const ExplicitTableau& tableau,
                 std::span<const double> times,
                 std::int64_t count,
                 double h,
                 std::span<double> x,
                 std::span<double> work) override;

 private:
  struct Held {
    std::span<const double> memory;
    bool is_new = false;  // Not read yet.
  };

  template <typename Code, typename Makes>
  const Code* Prepare(const Code* code, const Makes& make);
  const NativeSteps* Steps(const ExplicitTableau& tableau);
  void Read(std::span<const SlotRange> slots, std::size_t lane);
  void HoldNumbers();

  const Program& program_;
  NativeCode& native_;
  AlignedNumbers memory_;
  std::vector<Held> held_;              // By lane.
  const NativeSteps* steps_ = nullptr;  // One of the two, or none yet.
  const NativeAdaptiveSteps* adaptive_steps_ = nullptr;
  const TaylorPlan* plan_ = nullptr;  // Set if there are Taylor series.
  AlignedNumbers numbers_{0};         // Held numbers of the plan.
  int order_ = 0;                     // For the two functions.
  NativeTaylorSteps taylor_steps_ = nullptr;
};

}  // namespace orrery::sim::internal
