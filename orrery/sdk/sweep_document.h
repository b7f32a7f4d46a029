#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/experiment/design.h"
#include "orrery/experiment/run_series.h"
#include "orrery/sdk/run_document.h"

namespace orrery {

/// All that determines a sweep: runs of a model at many points. Plain data, and
/// a text in JSON.
struct SweepDocument {
  RunDocument run;                ///< What all runs have in common.
  std::vector<std::string> vary;  ///< NAME=RANGE; see ParseFactors.
  std::vector<std::string> keep;  ///< [NAME=]MEASURE; empty: see MeasuresOf.

  /// Default: random if a range is a distribution or bounds, else a grid.
  std::optional<DesignKind> design;
  std::int64_t points = 1000;          ///< Of a design that is drawn.
  bool is_shifted = false;             ///< See DesignOptions.
  std::vector<std::string> correlate;  ///< See ParseCorrelations.
  std::string table;  ///< A file whose rows are the points; in place of the
                      ///< four before.
};

/// Whether the points are a sample.
[[nodiscard]] bool IsDrawn(const SweepDocument& document);

/// @throws Error kInvalidArgument as Design does, and if nothing varies.
[[nodiscard]] Design DesignOf(const SweepDocument& document);

/// What is kept of each run: what the document says, else the last values of
/// all that moves, or, if nothing does, all that a run comes to.
/// @throws Error kInvalidArgument if that is too much to be meant.
[[nodiscard]] std::vector<std::string> MeasuresOf(const SweepDocument& document,
                                                  const Subject& subject);

/// The runs.
/// @throws Error as LoadSubject, DesignOf and RunSeries do.
[[nodiscard]] RunSeries MakeSeries(const SweepDocument& document);

/// The files that the runs are made from, but for plug-ins.
[[nodiscard]] std::vector<std::string> FilesOf(const SweepDocument& document);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const SweepDocument& document);

/// What ToJson has written.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] SweepDocument SweepDocumentFromJson(const std::string& text);

}  // namespace orrery
