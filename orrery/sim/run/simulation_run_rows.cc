// The rows of a run, and the values in them.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/run/simulation_run.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::internal {
namespace {

// Place of a trial row between two others: the golden section, with which no
// oscillation keeps step.
constexpr double kPlace = 0.38196601125010515;
// Limit on numbers in rows to which bends add, as several runs at once may have
// that many.
constexpr std::size_t kMaxFollowed = 100'000'000;
constexpr int kMaxDivisions = 12;  // A jump lies within 0.3 % of where it was.
// Step of differences, relative to the time between two rows: a larger one is
// less sensitive to rounding, a smaller one to bends.
constexpr double kDifference = 1e-3;

// The sections that may have computed a value.
std::vector<std::size_t> AllSections(const Program& program, bool at_start) {
  std::vector<std::size_t> all;
  const auto add = [&](const Schedule& schedule) {
    const auto sections = SectionsOf(program, schedule);
    all.insert(all.end(), sections.begin(), sections.end());
  };
  if (at_start) {
    add(program.initialization);
  }
  add(program.derivatives);
  add(program.outputs);
  add(program.events.schedule);
  for (const Handler& handler : program.events.handlers) {
    if (handler.section) {
      all.push_back(*handler.section);
    }
  }
  return all;
}

}  // namespace

// Records the rows before t_, and that at t_ unless the piece ends there or
// only others have to see it.
bool SimulationRun::EmitRows(double end) {
  while (grid_.next() < t_ - Rounding(t_)) {
    const double t = grid_.next();
    x_row_.resize(x_.size());
    StatesAt(t, x_row_);
    if (!RecordBends(t, x_row_) || !RecordBehindBends(t, x_row_)) {
      return false;
    }
    grid_.SkipTo(t);
  }
  if (!RecordBends(t_, x_)) {
    return false;
  }
  const bool is_within_step =
      t_ == stop_ && integrator_ != nullptr && t_ < integrator()->t();
  const bool wanted = grid_.next() <= t_ || bends_.AreFollowed() ||
                      (options_.interval == 0 && !is_within_step &&
                       (last_row_ < t_ || !HasFixedStep(options_.method)));
  if (end - t_ > Rounding(end) && wanted) {
    // Equal but for rounding; bends may have a row at t_.
    const double t = std::max(std::min(grid_.next(), t_), last_row_);
    grid_.SkipTo(t_);
    return RecordBehindBends(t, x_);
  }
  return true;
}

// Adds the rows that followed signals need between the last row of this piece
// and the one at `t`, where the states are x.
bool SimulationRun::RecordBends(double t, std::span<const double> x) {
  row_behind_bends_.clear();
  const bool is_next = t - last_row_ <= Rounding(t);
  if (!bends_.AreFollowed() || is_next || ComputeRow(t, x)) {
    return true;
  }
  if (recorder_.numbers() > kMaxFollowed) {
    return End(
        {.outcome = RunOutcome::kStepLimit,
         .message = fmt::format(
             "cannot go on at t = {:.6g} s: what is taken of the whole run "
             "takes {} rows so far, and more do not fit in memory; take what "
             "is at the end, as of an integral in the model, or a shorter run",
             t_,
             recorder_.rows()),
         .diagnostics = {}});
  }
  std::vector<double> begin = recorder_.LastRow();
  row_behind_bends_ = recorder_.Row(machine_.memory());
  bends_.See(begin);
  bends_.See(row_behind_bends_);
  if (recorder_.rows() != rows_behind_bends_) {
    TurnSlopes(begin, t);
  }
  FindSlopes(row_behind_bends_, t, last_row_);
  RecordBetween({.t = last_row_, .values = begin},
                {.t = t, .values = row_behind_bends_},
                kMaxDivisions);
  recorder_.HoldSlopes(row_behind_bends_);
  return true;
}

// Gives the last row, `begin`, the derivatives towards time `t`. If it has
// those towards an earlier row, as at a kink that an event makes, adds a second
// row with them.
void SimulationRun::TurnSlopes(std::span<double> begin, double t) {
  if (recorder_.layout().sloped_columns.empty()) {
    return;
  }
  FindSlopes(begin, last_row_, t);
  if (recorder_.EndsPiece()) {
    recorder_.AppendRow(last_row_, begin);
  } else {
    recorder_.ReplaceLastRow(begin);
  }
}

// Finds the derivatives, in the row of time `t`, that no equation gives: those
// of parabolas through three times, on the side of `towards`.
void SimulationRun::FindSlopes(std::span<double> row,
                               double t,
                               double towards) {
  const std::vector<std::size_t>& sloped = recorder_.layout().sloped_columns;
  if (sloped.empty()) {
    return;
  }
  const double h = kDifference * (towards - t);
  const double near = t + h;
  const double far = near + h;
  const std::optional<std::vector<double>> at_near = RowAt(near);
  const std::optional<std::vector<double>> at_far = RowAt(far);
  const std::span<double> slopes = recorder_.SlopesIn(row);
  for (std::size_t i = 0; at_near && at_far && i < sloped.size(); ++i) {
    const double value = row[sloped[i]];
    const double first = ((*at_near)[sloped[i]] - value) / (near - t);
    const double second =
        ((*at_far)[sloped[i]] - (*at_near)[sloped[i]]) / (far - near);
    slopes[i] = first - (second - first) / (far - t) * (near - t);
  }
}

// The row of a time that the last step has passed, if it can be computed.
std::optional<std::vector<double>> SimulationRun::RowAt(double t) {
  std::vector<double> x(x_.size());
  StatesAt(t, x);
  if (ComputeRow(t, x)) {
    return std::nullopt;
  }
  return recorder_.Row(machine_.memory());
}

// Records the row up to which bends were recorded.
bool SimulationRun::RecordBehindBends(double t, std::span<const double> x) {
  if (row_behind_bends_.empty()) {
    return Record(t, x, LoopStart::kAccepted);
  }
  AppendBehindBends(t, row_behind_bends_);
  return true;
}

// Records a row between two others, and further ones on both sides, unless it
// tells nothing new or there is none.
void SimulationRun::RecordBetween(const TimedRow& begin,
                                  const TimedRow& end,
                                  int divisions) {
  const double t = std::lerp(begin.t, end.t, kPlace);
  std::optional<std::vector<double>> values = RowAt(t);
  if (!values) {
    return;
  }
  const TimedRow between = {.t = t, .values = *values};
  if (bends_.IsStraight(begin, between, end)) {
    return;
  }
  if (divisions == 0) {
    RecordJump(begin, end);
    return;
  }
  bends_.See(*values);
  FindSlopes(*values, t, end.t);
  RecordBetween(begin, between, divisions - 1);
  AppendBehindBends(t, *values);
  RecordBetween(between, end, divisions - 1);
}

// Signals that jump between two rows without an event go straight from one to
// the other: a cubic with the slopes of both sides could go beyond them.
void SimulationRun::RecordJump(const TimedRow& begin, const TimedRow& end) {
  const std::vector<std::size_t>& sloped = recorder_.layout().sloped_columns;
  if (sloped.empty()) {
    return;
  }
  std::vector<double> first(begin.values.begin(), begin.values.end());
  std::vector<double> last(end.values.begin(), end.values.end());
  for (std::size_t i = 0; i < sloped.size(); ++i) {
    const double rise = last[sloped[i]] - first[sloped[i]];
    recorder_.SlopesIn(first)[i] = rise / (end.t - begin.t);
    recorder_.SlopesIn(last)[i] = rise / (end.t - begin.t);
  }
  AppendBehindBends(begin.t, first);
  AppendBehindBends(end.t, last);
}

void SimulationRun::AppendBehindBends(double t, std::span<const double> row) {
  recorder_.AppendRow(t, row);
  last_row_ = t;
  rows_behind_bends_ = recorder_.rows();
}

bool SimulationRun::Record(double t,
                           std::span<const double> x,
                           LoopStart start) {
  const auto why =
      start == LoopStart::kAccepted ? ComputeRow(t, x) : Compute(t, x, start);
  if (why) {
    return End(*why);
  }
  if (start == LoopStart::kMemory) {  // Else results would depend on the
                                      // recorded signals.
    machine_.AcceptLoops();
  }
  recorder_.Append(t, machine_.memory());
  last_row_ = t;
  return HasRoom();
}

// The number of rows at events is not known in advance.
bool SimulationRun::HasRoom() {
  return recorder_.numbers() <= kMaxRecorded ||
         End({.outcome = RunOutcome::kStepLimit,
              .message = fmt::format(
                  "cannot go on at t = {:.6g} s: the {} rows so far, two at "
                  "each event, take {} numbers, and more do not fit in memory; "
                  "record less, or stop earlier",
                  t_,
                  recorder_.rows(),
                  recorder_.numbers()),
              .diagnostics = {}});
}

bool SimulationRun::Evaluate(double t,
                             std::span<const double> x,
                             LoopStart start) {
  const auto why = Compute(t, x, start);
  return !why || End(*why);
}

// Writes all that other values are computed from.
std::optional<Failure> SimulationRun::Place(double t,
                                            std::span<const double> x) {
  machine_.set_t(t);
  machine_.SetStates(x);
  inputs_.Apply(t, machine_.memory());
  return machine_.ApplyDelays();
}

// Leaves all values at a time between events in memory.
// @returns the failure, if any.
std::optional<Explanation> SimulationRun::Compute(double t,
                                                  std::span<const double> x,
                                                  LoopStart start) {
  is_settled_ = t == t_;
  if (sensitivities_ != nullptr) {
    sensitivities_->Put(x);
  }
  const Machine::Following following = Follow();
  if (const auto failure = Place(t, x)) {
    return ExplainFailure(machine_, *failure);
  }
  if (const auto failure = RunAll(start)) {
    return ExplainFailure(machine_, *failure);
  }
  if (const auto scalar = recorder_.FindNotFinite(machine_.memory())) {
    return ExplainNotFinite(
        machine_, AllSections(program_, t <= options_.start), scalar);
  }
  return std::nullopt;
}

// Between the begin of the step at hand and t_, loops start from between their
// solutions there: beside a fold, those alone are on the side that they are on.
std::optional<Explanation> SimulationRun::ComputeRow(
    double t, std::span<const double> x) {
  if (starts_before_.empty() || t <= starts_before_t_ || t >= t_) {
    return Compute(t, x, LoopStart::kAccepted);
  }
  std::vector<double>& starts = machine_.context().loop_starts;
  const std::vector<double> at_end = starts;
  const double part = (t - starts_before_t_) / (t_ - starts_before_t_);
  std::size_t k = 0;
  for (const ResidualBlock& block : program_.blocks) {
    for (std::size_t i = 0; i < block.unknown_slots.size(); ++i, ++k) {
      if (!block.is_linear) {
        starts[k] = std::lerp(starts_before_[k], starts[k], part);
      }
    }
  }
  const auto why = Compute(t, x, LoopStart::kAccepted);
  starts = at_end;
  return why ? Compute(t, x, LoopStart::kAccepted) : why;
}

std::optional<Failure> SimulationRun::RunAll(LoopStart start) {
  if (is_sliding()) {
    return motion_->Show(start);
  }
  for (const Schedule* schedule : {&program_.derivatives, &program_.outputs}) {
    if (const auto failure = machine_.Run(*schedule, start)) {
      return failure;
    }
  }
  return std::nullopt;
}

}  // namespace orrery::internal
