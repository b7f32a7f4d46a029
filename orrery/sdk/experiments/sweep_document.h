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

/// How it is found out what a model answers to.
enum class SensitivityMethod : std::uint8_t {
  kLocal,   ///< Exact derivatives at one point.
  kMorris,  ///< MorrisDesign, a screening.
  kSobol,   ///< SaltelliDesign, parts of the variance.
};

/// "local", "morris", "sobol"
[[nodiscard]] std::string_view NameOf(SensitivityMethod method) noexcept;

/// The method of this name.
/// @throws Error kInvalidArgument that suggests the nearest name.
[[nodiscard]] SensitivityMethod SensitivityMethodOf(std::string_view name);

/// All that determines a sweep: runs of a model at many points. Plain data, and
/// a text in JSON.
struct SweepDocument {
  RunDocument run;                ///< What all runs have in common.
  std::vector<std::string> vary;  ///< NAME=RANGE; see ParseFactors.
  std::vector<std::string> keep;  ///< [NAME=]MEASURE or final; see MeasuresOf.

  /// Default: random if ranges are distributions or bounds, else a grid; also
  /// if there are lists of several values beside these.
  std::optional<DesignKind> design;
  /// Of a design that is drawn, or draws at each point of a grid; trajectories
  /// or base samples of a sensitivity analysis. 0: 1000, or a million where
  /// `until_known` decides; 10; 1024.
  std::int64_t points = 0;
  /// Runs at each point of a grid, a list or a table, with random numbers of
  /// their own: those of one point are the same as those of another.
  std::int64_t replications = 1;
  /// NAME=WIDTH of a random design: it ends when the 95 % interval of the mean
  /// of this column is at most WIDTH, `0.01` or `1%`, to both sides; after all
  /// `points` in any case. Empty: it does not end before.
  std::string until_known;
  bool is_shifted = false;             ///< See DesignOptions.
  std::vector<std::string> correlate;  ///< See ParseCorrelations.
  std::string table;  ///< A file whose rows are the points; in place of the
                      ///< four before.

  /// If the sweep is a sensitivity analysis, which has a design of its own; of
  /// a local one, the middles of the ranges.
  std::optional<SensitivityMethod> sensitivity;
  std::vector<std::string> group;  ///< NAME=FACTOR,FACTOR; see GroupsOf.
  bool has_second_order = false;   ///< See SaltelliOptions.
};

/// Whether the points are a sample.
[[nodiscard]] bool IsDrawn(const SweepDocument& document);

/// Whether they are independent, too, so that it is known how well they tell a
/// mean.
[[nodiscard]] bool AreIndependent(const SweepDocument& document);

/// So many runs that follow each other are of one point: replications, or draws
/// of what is random beside a grid.
[[nodiscard]] std::int64_t RunsOfPoint(const SweepDocument& document);

/// Its points, for runs of `subject`: the rows of a table in the units of what
/// they vary.
/// @throws Error kInvalidArgument as Design does, and if nothing varies.
[[nodiscard]] Design DesignOf(const SweepDocument& document,
                              const Subject& subject);

/// What `until_known` asks for.
struct KnownMean {
  std::string column;
  StoppingRule rule;
};

/// @param columns of the table of runs.
/// @throws Error kInvalidArgument for what is no NAME=WIDTH, a column that
///     there is not, and a design whose points are not independent.
[[nodiscard]] KnownMean KnownMeanOf(const SweepDocument& document,
                                    std::span<const RunColumn> columns);

/// What its analysis tells the effects of: factors, or groups of them.
/// @throws Error kInvalidArgument as GroupsOf.
[[nodiscard]] std::vector<FactorGroup> GroupsOf(const SweepDocument& document);

/// Those of its analyses.
/// @throws Error kInvalidArgument as they do.
[[nodiscard]] MorrisDesign MorrisDesignOf(const SweepDocument& document);
[[nodiscard]] SaltelliDesign SaltelliDesignOf(const SweepDocument& document);

/// What is kept of each run: what the document says, `final` being the last
/// values of all that moves, or, if nothing does, all that a run comes to;
/// that, too, if it says nothing. Of what is `varied` it is called final(NAME).
/// @throws Error kInvalidArgument if that is too much to be meant.
[[nodiscard]] std::vector<std::string> MeasuresOf(
    const SweepDocument& document,
    const Subject& subject,
    std::span<const std::string> varied);

/// The runs.
/// @throws Error as LoadSubject, DesignOf and RunSeries do.
[[nodiscard]] RunSeries MakeSeries(const SweepDocument& document);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const SweepDocument& document);

/// What ToJson has written.
/// @throws Error as RunDocumentFromJson.
[[nodiscard]] SweepDocument SweepDocumentFromJson(const std::string& text);

}  // namespace orrery
