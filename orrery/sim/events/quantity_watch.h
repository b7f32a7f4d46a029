#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/crossings/crossing_search.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/types/curve.h"
#include "orrery/solver/steps/dense_output.h"

namespace orrery::sim::internal {

/// A comparison of a quantity with a bound, which others than the equations
/// wait for: memory[slot] < bound (strict), or <= bound; or the opposite, if it
/// is inverted.
struct QuantityRelation {
  std::uint32_t slot = 0;
  bool is_strict = true;
  bool is_inverted = false;
  Curve bound;

  friend bool operator==(const QuantityRelation&,
                         const QuantityRelation&) = default;
};

/// A set of such comparisons, and the first time in a step at which one
/// changes. Belongs to one run.
class QuantityWatch {
 public:
  struct Entry {
    QuantityRelation relation;
    bool holds = false;  ///< As told last.
    /// It differed just before an event, which may have changed it back.
    bool has_passed = false;
    bool was_seen = false;  ///< First found it to differ.
    bool is_needed = true;  ///< Else DropUnneeded drops it.
  };

  /// @param evaluate leaves all quantities in memory, for the time, inputs and
  ///     states there. Used where there are no bounds.
  QuantityWatch(ProgramEvaluator& evaluator,
                InputSignals& inputs,
                std::function<void()> evaluate);

  /// Adds a comparison. The entry is the caller's to set, and stays in place.
  Entry& Add(const QuantityRelation& relation);

  void DropUnneeded() {
    const auto is_unneeded = [](const auto& entry) {
      return !entry->is_needed;
    };
    is_new_ = std::erase_if(entries_, is_unneeded) > 0 || is_new_;
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

  /// The value of a comparison, for the values in memory.
  [[nodiscard]] bool Holds(const QuantityRelation& relation) const noexcept;

  /// True if a comparison differs, or has differed, from its value as told
  /// last.
  [[nodiscard]] bool HasChanged() const noexcept;

  /// Notes at the left limit of an event which comparisons differ.
  void NotePassed() noexcept;

  /// At the tick after the result of First: a comparison that is again as it
  /// was told last, by more than rounding, has passed in between.
  void NoteSeen() noexcept;

  /// The first time in (begin, end] at which one differs; kNever if none does.
  /// Memory is scratch.
  [[nodiscard]] double First(const DenseOutput& dense,
                             double begin,
                             double end);

 private:
  WatchList MakeList(std::function<void()> evaluate);
  void Renew();

  ProgramEvaluator& evaluator_;
  // By slot: true if sections have to compute it.
  std::vector<bool> is_computed_;
  std::optional<std::vector<std::size_t>> sections_;  // They compute all slots.
  CrossingSearch search_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::uint8_t> truths_;
  bool is_new_ = false;  // The search has other entries.
};

}  // namespace orrery::sim::internal
