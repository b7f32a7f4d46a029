#pragma once

#include <string>
#include <vector>

#include "orrery/plot/figure.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/reports/comparison_report.h"
#include "orrery/store/store.h"

namespace orrery {

/// True for a steady state, a linearisation or frequency responses.
[[nodiscard]] bool IsAnalysis(const ExperimentRecord& record);

/// Returns the numbers in which two analyses of a kind differ.
/// @throws Error kInvalidArgument if they are of different kinds.
[[nodiscard]] std::vector<NumberDifference> AnalysisDifferences(
    const ExperimentRecord& a, const ExperimentRecord& b);

/// Describes the first difference of the results; empty if they are the same to
/// the last bit.
[[nodiscard]] std::string FirstAnalysisDifference(const ExperimentRecord& was,
                                                  const ExperimentRecord& is);

/// The frequency responses, `magnitude(u:y)` and `phase(u:y)`, over the decimal
/// logarithm of the frequency: the requested ones, otherwise all channels. A
/// steady state has none.
[[nodiscard]] Trajectory ResponseCurves(const ExperimentRecord& record);

[[nodiscard]] Axis FrequencyAxis();

/// Adapts a figure of ResponseCurves, whose abscissa is the logarithm of the
/// frequency.
void PutOverFrequency(Figure& figure);

/// Magnitudes and phases.
[[nodiscard]] std::vector<Figure> AnalysisFigures(
    const ExperimentRecord& record);

/// Writes the numbers: .csv.
/// @throws Error as WriteLinearSystem does.
void ExportAnalysis(const std::string& path, const ExperimentRecord& record);

}  // namespace orrery
