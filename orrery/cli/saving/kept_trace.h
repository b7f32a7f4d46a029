#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/runs/trace_index.h"

namespace orrery::cli {

/// The trace of a DEVS run, kept with its experiment while it grows, and its
/// index by time.
class KeptTrace {
 public:
  /// Bytes of its text; what comes later is left out.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  /// @param lines whole ones.
  void Add(std::string_view lines);

  /// Names the experiment, before the run. Nothing is kept if it is not saved.
  void KeepWith(SavedExperiment& saved);

  /// Stores what is left and the index, after the run.
  /// @param root the model.
  void Finish(const devs::Coupled& root);

  /// True if the trace ended before the run.
  [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }

 private:
  void Store();

  SavedExperiment* saved_ = nullptr;  // Null until it has begun.
  std::string text_;                  // Not stored yet.
  TraceIndexer indexer_;
  bool is_kept_ = true;  // Until it is known that there is no experiment.
  bool is_cut_ = false;
};

}  // namespace orrery::cli
