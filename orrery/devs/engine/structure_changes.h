#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "orrery/devs/engine/lane.h"
#include "orrery/devs/modeling/coupled.h"

namespace orrery::devs::internal {

class Run;

/// Changes the structure of the model as its parts have asked for, at the end
/// of an instant.
class StructureChanges {
 public:
  /// @param root the outermost model; null if it may not change.
  explicit StructureChanges(Coupled* root) noexcept : root_(root) {}

  /// True if the model may change.
  [[nodiscard]] bool are_allowed() const noexcept { return root_ != nullptr; }

  /// The number of changes of parts so far.
  [[nodiscard]] std::int64_t num_of_parts() const noexcept {
    return num_of_parts_;
  }

  /// Makes all changes that were asked for, in the order of the models that
  /// asked, and lays out the run anew.
  void Make(Run& run);

  /// Removes a part from its coupled model, as a model asked for.
  void Remove(Run& run, const Model& part, Coupled& around);

  /// Sets the couplings of a coupled model that may change. To be followed by
  /// LayAnew.
  void SetCouplings(Run& run,
                    const Coupled& around,
                    std::span<const Coupling> couplings);

  /// Builds the network of the changed model. Models that were there keep their
  /// states.
  void LayAnew(Run& run);

 private:
  // The same model as one that may change. Ends the run if it may not, or was
  // removed.
  [[nodiscard]] Coupled& Changeable(Run& run, const Coupled& around) const;

  void CloseGaps();

  Coupled* root_;
  // Parts removed in this instant.
  std::vector<std::unique_ptr<Model>> removed_;
  // Coupled models that they were removed from.
  std::unordered_set<Coupled*> with_gaps_;
  std::int64_t num_of_parts_ = 0;
};

}  // namespace orrery::devs::internal
