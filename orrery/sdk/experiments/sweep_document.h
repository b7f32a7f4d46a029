#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/design/design.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/experiment/sensitivity/morris.h"
#include "orrery/experiment/sensitivity/sobol_indices.h"
#include "orrery/experiment/statistics/sample_statistics.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The method of a sensitivity analysis.
enum class SensitivityMethod : std::uint8_t {
  kLocal,   ///< Exact derivatives at one point.
  kMorris,  ///< MorrisDesign, a screening.
  kSobol,   ///< SaltelliDesign, fractions of the variance.
};

/// "local", "morris", "sobol"
[[nodiscard]] std::string_view NameOf(SensitivityMethod method) noexcept;

/// The method of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] SensitivityMethod SensitivityMethodOf(std::string_view name);

/// The full definition of a sweep: runs of a model at many points. Plain data,
/// and a text in JSON.
struct SweepDocument {
  RunDocument run;                ///< The part that all runs share.
  std::vector<std::string> vary;  ///< NAME=RANGE; see ParseFactors.
  std::vector<std::string> keep;  ///< [NAME=]MEASURE or final; see MeasuresOf.

  /// Default: random if ranges are distributions or bounds, else a grid. Also a
  /// grid if there are lists of several values beside these.
  std::optional<DesignKind> design;
  /// The number of points of a random design, or of draws at each point of a
  /// grid; of trajectories or base samples of a sensitivity analysis. 0 is the
  /// default: 1000, or a million with `until_known`; 10; 1024.
  std::int64_t points = 0;
  /// Runs at each point of a grid, a list or a table, with different random
  /// numbers. All points have the same ones.
  std::int64_t replications = 1;
  /// NAME=WIDTH for a random design: it ends when the half-width of the 95 %
  /// interval of the mean of this column is at most WIDTH, `0.01` or `1%`, and
  /// after all `points` in any case. Empty: it has all points.
  std::string until_known;
  bool is_shifted = false;             ///< See DesignOptions.
  std::vector<std::string> correlate;  ///< See ParseCorrelations.
  std::string table;  ///< A file whose rows are the points; replaces the four
                      ///< members before.

  /// The method, if the sweep is a sensitivity analysis, which has its own
  /// design. A local one uses the middles of the ranges.
  std::optional<SensitivityMethod> sensitivity;
  std::vector<std::string> group;  ///< NAME=FACTOR,FACTOR; see GroupsOf.
  bool has_second_order = false;   ///< See SaltelliOptions.
};

/// True if the points are a sample.
[[nodiscard]] bool IsDrawn(const SweepDocument& document);

/// True if they are also independent, so that means have confidence intervals.
[[nodiscard]] bool AreIndependent(const SweepDocument& document);

/// Number of consecutive runs of one point: replications, or random draws at a
/// point of a grid.
[[nodiscard]] std::int64_t RunsOfPoint(const SweepDocument& document);

/// Returns its points, for runs of `subject`. The rows of a table are in the
/// units of the quantities that they vary.
/// @throws Error kInvalidArgument as Design does, and if nothing varies.
[[nodiscard]] Design DesignOf(const SweepDocument& document,
                              const Subject& subject);

/// The condition of `until_known`.
struct KnownMean {
  std::string column;
  StoppingRule rule;
};

/// @param columns of the table of runs.
/// @throws Error kInvalidArgument for a text other than NAME=WIDTH, an unknown
///     column, and a design whose points are not independent.
[[nodiscard]] KnownMean KnownMeanOf(const SweepDocument& document,
                                    std::span<const RunColumn> columns);

/// Returns the factors, or groups of them, whose effects the analysis computes.
/// @throws Error kInvalidArgument as GroupsOf.
[[nodiscard]] std::vector<FactorGroup> GroupsOf(const SweepDocument& document);

/// The designs of its analyses.
/// @throws Error kInvalidArgument as the designs do.
[[nodiscard]] MorrisDesign MorrisDesignOf(const SweepDocument& document);
[[nodiscard]] SaltelliDesign SaltelliDesignOf(const SweepDocument& document);

/// Returns the measures of each run from the document. `final` stands for the
/// final values of all variables that are not constant or, if there are none,
/// for all results of a run. It is the default. For a `varied` quantity the
/// measure is called final(NAME).
/// @throws Error kInvalidArgument if there are too many.
[[nodiscard]] std::vector<std::string> MeasuresOf(
    const SweepDocument& document,
    const Subject& subject,
    std::span<const std::string> varied);

/// The runs.
/// @throws Error as LoadSubject, DesignOf and RunSeries do.
[[nodiscard]] RunSeries MakeSeries(const SweepDocument& document);

/// Writes JSON; members with their defaults are left out.
[[nodiscard]] std::string ToJson(const SweepDocument& document);

/// Reads the output of ToJson.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] SweepDocument SweepDocumentFromJson(const std::string& text);

}  // namespace orrery
