#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/crossing_search.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/sim/types/curve.h"
#include "orrery/solver/steps/dense_output.h"

namespace orrery::internal {

/// A comparison of a quantity with a bound that others than the equations wait
/// for: memory[slot] < bound (strict) or <= bound or, if it is inverted, not
/// that.
struct QuantityRelation {
  std::uint32_t slot = 0;
  bool is_strict = true;
  bool is_inverted = false;
  Curve bound;

  friend bool operator==(const QuantityRelation&,
                         const QuantityRelation&) = default;
};

/// Such comparisons, and the first time in a step at which one changes. Belongs
/// to one run.
class QuantityWatch {
 public:
  struct Entry {
    QuantityRelation relation;
    bool holds = false;  ///< As it was said last.
    /// It was otherwise just before an event, which may have changed it back.
    bool has_passed = false;
    bool was_seen = false;  ///< To be otherwise, by First.
    bool is_needed = true;  ///< Else DropUnneeded drops it.
  };

  /// @param evaluate leaves all quantities in memory, for the time, inputs and
  ///     states there: what is used where bounds cannot be found.
  QuantityWatch(Machine& machine,
                InputSignals& inputs,
                std::function<void()> evaluate);

  /// From now on. The entry is the caller's to set, and stays where it is.
  Entry& Add(const QuantityRelation& relation);

  void DropUnneeded() {
    const auto is_unneeded = [](const auto& entry) {
      return !entry->is_needed;
    };
    is_new_ = std::erase_if(entries_, is_unneeded) > 0 || is_new_;
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

  /// Whether it holds, for the values in memory.
  [[nodiscard]] bool Holds(const QuantityRelation& relation) const noexcept;

  /// Whether one is not, or was not, as it was said last.
  [[nodiscard]] bool HasChanged() const noexcept;

  /// At the left limit of an event.
  void NotePassed() noexcept;

  /// At the tick after what First has found: what is again as it was said last,
  /// by more than rounding, has passed in between.
  void NoteSeen() noexcept;

  /// The first time in (begin, end] at which one is not; kNever if none is.
  /// Memory is scratch.
  [[nodiscard]] double First(const DenseOutput& dense,
                             double begin,
                             double end);

 private:
  WatchList MakeList(std::function<void()> evaluate);
  void Renew();

  Machine& machine_;
  // By slot: whether sections are needed to compute it.
  std::vector<bool> is_computed_;
  std::optional<std::vector<std::size_t>> sections_;  // That compute all.
  CrossingSearch search_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::uint8_t> truths_;
  bool is_new_ = false;  // The search knows others.
};

}  // namespace orrery::internal
