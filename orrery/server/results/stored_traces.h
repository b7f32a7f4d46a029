#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/runs/trace_index.h"
#include "orrery/server/results/kept.h"
#include "orrery/server/results/stored_results.h"
#include "orrery/server/results/windows.h"

namespace orrery::server {

/// Request for a part of a trace. Plain data.
struct TraceWanted {
  std::optional<double> from;  ///< s
  std::optional<double> to;
  std::string filter;      ///< NameFilter of paths of models; may be empty.
  Window window;           ///< Range of the microsteps that fit.
  std::size_t pixels = 0;  ///< Width of the density; 0: none.
};

/// A microstep in the text of a trace. Plain data.
struct TraceStep {
  std::uint64_t begin = 0;   ///< Bytes before it.
  std::uint64_t number = 0;  ///< Among those of its time, from 1 on.
  double time = 0;           ///< s
};

/// The traces of DEVS runs in a store. Only those parts of a trace are read
/// that a window needs; a filter reads it once. Any thread may call the
/// functions, which throw HttpError 404 if there is no store or no trace.
class StoredTraces {
 public:
  explicit StoredTraces(StoredResults& results) : results_(results) {}

  /// A window of microsteps, as JSON: `total` of all that fit; of those
  /// in the range the `count`, and the place of the `first` one among all that
  /// fit; `end`, the time of the last one; `is_cut`, if the run went on;
  /// `models` that fit, `links` of them; `items` with `at`, `time`, `number`,
  /// `rows` of model, event, name and value; `density`, how many there are in
  /// each pixel of the run.
  [[nodiscard]] std::string Part(ExperimentId id, const TraceWanted& wanted);

  /// The state of a model before byte `at` of the text, as JSON: `time`,
  /// `event`, `fields` with names and values; null if it is not known.
  [[nodiscard]] std::string StateBefore(ExperimentId id,
                                        const std::string& model,
                                        std::uint64_t at);

 private:
  [[nodiscard]] std::shared_ptr<const TraceIndex> IndexOf(ExperimentId id,
                                                          std::string& key);

  StoredResults& results_;
  Kept<TraceIndex> indices_{8};
  Kept<std::vector<TraceStep>> filtered_{2};
};

}  // namespace orrery::server
