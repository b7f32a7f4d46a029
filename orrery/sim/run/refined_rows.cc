#include "orrery/sim/run/refined_rows.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/run/run_end.h"
#include "orrery/sim/run/run_rows.h"
#include "orrery/sim/run/run_values.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

// Place of a trial row between two others: the golden section, with which no
// oscillation keeps step.
constexpr double kPlace = 0.38196601125010515;
// Limit on numbers in refined rows, as several runs at once may have that many.
constexpr std::size_t kMaxFollowed = 100'000'000;
constexpr int kMaxDivisions = 12;  // A jump lies within 0.3 % of where it was.
// Step of differences, relative to the time between two rows: a larger one is
// less sensitive to rounding, a smaller one to bends.
constexpr double kDifference = 1e-3;

// The row of a time that the last step has passed, if it can be computed.
std::optional<std::vector<double>> RowAt(RunState& run, double t) {
  std::vector<double> x(run.x.size());
  run.StatesAt(t, x);
  if (ComputeRowValues(run, t, x)) {
    return std::nullopt;
  }
  return run.rows.recorder.Row(run.evaluator.memory());
}

// Finds the derivatives, in the row of time `t`, that no equation gives: those
// of parabolas through three times, on the side of `towards`.
void FindSlopes(RunState& run,
                std::span<double> row,
                double t,
                double towards) {
  const std::vector<std::size_t>& sloped =
      run.rows.recorder.layout().sloped_columns;
  if (sloped.empty()) {
    return;
  }
  const double h = kDifference * (towards - t);
  const double near = t + h;
  const double far = near + h;
  const std::optional<std::vector<double>> at_near = RowAt(run, near);
  const std::optional<std::vector<double>> at_far = RowAt(run, far);
  const std::span<double> slopes = run.rows.recorder.SlopesIn(row);
  for (std::size_t i = 0; at_near && at_far && i < sloped.size(); ++i) {
    const double value = row[sloped[i]];
    const double first = ((*at_near)[sloped[i]] - value) / (near - t);
    const double second =
        ((*at_far)[sloped[i]] - (*at_near)[sloped[i]]) / (far - near);
    slopes[i] = first - (second - first) / (far - t) * (near - t);
  }
}

// Gives the last row, `begin`, the derivatives towards time `t`. If it has
// those towards an earlier row, as at a kink that an event makes, adds a second
// row with them.
void RedirectSlopes(RunState& run, std::span<double> begin, double t) {
  if (run.rows.recorder.layout().sloped_columns.empty()) {
    return;
  }
  FindSlopes(run, begin, run.rows.last, t);
  if (run.rows.recorder.EndsPiece()) {
    run.rows.recorder.AppendRow(run.rows.last, begin);
  } else {
    run.rows.recorder.ReplaceLastRow(begin);
  }
}

void AppendRefinedRow(RunState& run, double t, std::span<const double> row) {
  run.rows.recorder.AppendRow(t, row);
  run.rows.last = t;
  run.rows.num_final = run.rows.recorder.rows();
}

// Signals that jump between two rows without an event go straight from one to
// the other: a cubic with the slopes of both sides could go beyond them.
void RecordJump(RunState& run, const TimedRow& begin, const TimedRow& end) {
  const std::vector<std::size_t>& sloped =
      run.rows.recorder.layout().sloped_columns;
  if (sloped.empty()) {
    return;
  }
  std::vector<double> first(begin.values.begin(), begin.values.end());
  std::vector<double> last(end.values.begin(), end.values.end());
  for (std::size_t i = 0; i < sloped.size(); ++i) {
    const double rise = last[sloped[i]] - first[sloped[i]];
    run.rows.recorder.SlopesIn(first)[i] = rise / (end.t - begin.t);
    run.rows.recorder.SlopesIn(last)[i] = rise / (end.t - begin.t);
  }
  AppendRefinedRow(run, begin.t, first);
  AppendRefinedRow(run, end.t, last);
}

// Records a row between two others, and further ones on both sides, unless it
// tells nothing new or there is none.
void RecordBetween(RunState& run,
                   const TimedRow& begin,
                   const TimedRow& end,
                   int divisions) {
  const double t = std::lerp(begin.t, end.t, kPlace);
  std::optional<std::vector<double>> values = RowAt(run, t);
  if (!values) {
    return;
  }
  const TimedRow between = {.t = t, .values = *values};
  if (run.rows.refinement.IsStraight(begin, between, end)) {
    return;
  }
  if (divisions == 0) {
    RecordJump(run, begin, end);
    return;
  }
  run.rows.refinement.See(*values);
  FindSlopes(run, *values, t, end.t);
  RecordBetween(run, begin, between, divisions - 1);
  AppendRefinedRow(run, t, *values);
  RecordBetween(run, between, end, divisions - 1);
}

}  // namespace

bool RefineRows(RunState& run, double t, std::span<const double> x) {
  run.rows.refined.clear();
  const bool is_next = t - run.rows.last <= Rounding(t);
  if (!run.rows.refinement.AreFollowed() || is_next ||
      ComputeRowValues(run, t, x)) {
    return true;
  }
  if (run.rows.recorder.numbers() > kMaxFollowed) {
    return EndRun(
        run,
        {.outcome = RunOutcome::kStepLimit,
         .message = fmt::format(
             "cannot go on at t = {:.6g} s: what is taken of the whole run "
             "takes {} rows so far, and more do not fit in memory; take what "
             "is at the end, as of an integral in the model, or a shorter run",
             run.t,
             run.rows.recorder.rows()),
         .diagnostics = {}});
  }
  std::vector<double> begin = run.rows.recorder.LastRow();
  run.rows.refined = run.rows.recorder.Row(run.evaluator.memory());
  run.rows.refinement.See(begin);
  run.rows.refinement.See(run.rows.refined);
  if (run.rows.recorder.rows() != run.rows.num_final) {
    RedirectSlopes(run, begin, t);
  }
  FindSlopes(run, run.rows.refined, t, run.rows.last);
  RecordBetween(run,
                {.t = run.rows.last, .values = begin},
                {.t = t, .values = run.rows.refined},
                kMaxDivisions);
  run.rows.recorder.HoldSlopes(run.rows.refined);
  return true;
}

bool RecordRefinedRow(RunState& run, double t, std::span<const double> x) {
  if (run.rows.refined.empty()) {
    return Record(run, t, x, ProgramEvaluator::LoopStart::kAccepted);
  }
  AppendRefinedRow(run, t, run.rows.refined);
  return true;
}

}  // namespace orrery::sim::internal
