// The rows of a run, and the values in them.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/internal/rounding.h"
#include "orrery/sim/internal/simulation_run.h"

namespace orrery::internal {
namespace {

// Where rows are looked at between two others: at the golden section, which no
// oscillation keeps step with.
constexpr double kPlace = 0.38196601125010515;
// Numbers in rows that bends add to, of which several runs at once have as
// many.
constexpr std::size_t kMaxFollowed = 100'000'000;
constexpr int kMaxDivisions = 12;  // A jump lies within 0.3 % of where it was.

std::vector<std::size_t> AllSections(const Program& program) {
  std::vector<std::size_t> all;
  for (const Schedule* schedule :
       {&program.derivatives, &program.outputs, &program.events.schedule}) {
    const auto sections = SectionsOf(program, *schedule);
    all.insert(all.end(), sections.begin(), sections.end());
  }
  for (const Handler& handler : program.events.handlers) {
    if (handler.section) {
      all.push_back(*handler.section);
    }
  }
  return all;
}

}  // namespace

// The rows before t_, and that at t_ if it is not the piece's end, nor a place
// in a step that only others have to see.
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
                      (options_.interval == 0 && !is_within_step);
  if (end - t_ > Rounding(end) && wanted) {
    const double t = std::min(grid_.next(), t_);  // Equal but for rounding.
    grid_.SkipTo(t_);
    return RecordBehindBends(t, x_);
  }
  return true;
}

// Rows after the last one in this piece and before that at `t`, where x is: as
// many as it takes to tell what is followed.
bool SimulationRun::RecordBends(double t, std::span<const double> x) {
  row_behind_bends_.clear();
  const bool is_next = t - last_row_ <= Rounding(t);
  if (!bends_.AreFollowed() || is_next || Compute(t, x, LoopStart::kAccepted)) {
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
  const std::vector<double> begin = recorder_.LastRow();
  row_behind_bends_ = recorder_.Row(machine_.memory());
  bends_.See(begin);
  bends_.See(row_behind_bends_);
  RecordBetween({.t = last_row_, .values = begin},
                {.t = t, .values = row_behind_bends_},
                kMaxDivisions);
  return true;
}

// The row up to which the bends were recorded.
bool SimulationRun::RecordBehindBends(double t, std::span<const double> x) {
  if (row_behind_bends_.empty()) {
    return Record(t, x, LoopStart::kAccepted);
  }
  recorder_.AppendRow(t, row_behind_bends_);
  last_row_ = t;
  return true;
}

// A row between two others, and those that it takes besides, unless it tells
// nothing new or there is none.
void SimulationRun::RecordBetween(const TimedRow& begin,
                                  const TimedRow& end,
                                  int divisions) {
  const double t = std::lerp(begin.t, end.t, kPlace);
  std::vector<double> x(x_.size());
  StatesAt(t, x);
  if (divisions == 0 || Compute(t, x, LoopStart::kAccepted)) {
    return;
  }
  const std::vector<double> values = recorder_.Row(machine_.memory());
  const TimedRow between = {.t = t, .values = values};
  if (bends_.IsStraight(begin, between, end)) {
    return;
  }
  bends_.See(values);
  RecordBetween(begin, between, divisions - 1);
  recorder_.AppendRow(t, values);
  last_row_ = t;
  RecordBetween(between, end, divisions - 1);
}

bool SimulationRun::Record(double t,
                           std::span<const double> x,
                           LoopStart start) {
  if (!Evaluate(t, x, start)) {
    return false;
  }
  if (start == LoopStart::kMemory) {  // Else what is recorded would matter.
    machine_.AcceptLoops();
  }
  recorder_.Append(t, machine_.memory());
  last_row_ = t;
  return true;
}

bool SimulationRun::Evaluate(double t,
                             std::span<const double> x,
                             LoopStart start) {
  const auto why = Compute(t, x, start);
  return !why || End(*why);
}

// Leaves in memory what all other values follow from.
std::optional<Failure> SimulationRun::Place(double t,
                                            std::span<const double> x) {
  machine_.set_t(t);
  machine_.SetStates(x);
  inputs_.Apply(t, machine_.memory());
  return machine_.ApplyDelays();
}

// Leaves all values at a time between events in memory.
// @returns why it cannot.
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
    return ExplainNotFinite(machine_, AllSections(program_), scalar);
  }
  return std::nullopt;
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
