#include "orrery/sim/machine/delay_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/recorded_polynomial.h"
#include "orrery/sim/types/polynomial_bounds.h"
#include "orrery/sim/types/rounding.h"

namespace orrery::sim::internal {
namespace {

// Order of no break, or of one that does not matter: methods of higher order
// than this have error estimates of their own.
constexpr int kSmooth = 8;

// With more pending breaks, only jumps and kinks are followed.
constexpr std::size_t kManyBreaks = 256;

// Limit on halvings of a record within a step.
constexpr int kMaxHalvings = 10;

// The first reach of extrapolation, as a part of the run.
constexpr double kFirstReach = 1e-6;

}  // namespace

DelayLines::DelayLines(ProgramEvaluator& evaluator)
    : evaluator_(evaluator),
      delays_(evaluator.program().delays),
      used_(delays_.size()),
      rates_(delays_.size()),
      incoming_(delays_.size(), kSmooth),
      left_(delays_.size()),
      left_values_(delays_.size()),
      left_times_(delays_.size()),
      right_(delays_.size()),
      samples_(delays_.size()),
      positions_(delays_.size()),
      polynomials_(delays_.size()),
      along_(delays_.size()) {
  if (delays_.empty()) {
    return;
  }
  const Program& program = evaluator.program();
  bool reads_all = !program.delay_operands.empty();
  std::vector<std::uint32_t> operands;
  for (const Delay& delay : delays_) {
    reads_all = reads_all || !delay.schedule.empty();
    operands.push_back(delay.operand_slot);
  }
  std::ranges::sort(operands);
  for (const std::uint32_t slot : program.state_slots) {
    is_read_.push_back(reads_all || std::ranges::binary_search(operands, slot));
  }
  parts_.reserve(kMaxHalvings + 1);
}

DelayHistory& DelayLines::history() noexcept {
  return evaluator_.context().delays;
}

const DelayHistory& DelayLines::history() const noexcept {
  return std::as_const(evaluator_).context().delays;
}

std::optional<Failure> DelayLines::Start(double t,
                                         double span,
                                         Accuracy accuracy) {
  if (empty()) {
    return std::nullopt;
  }
  accuracy_ = accuracy;
  span_ = span;
  longest_ = kInfinity;
  most_ = 0;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    left_[i] = evaluator_.memory()[delays_[i].value_slot];
    left_times_[i] = -1;
    most_ = std::max(most_, evaluator_.memory()[delays_[i].most_slot]);
  }
  history().Start(t, left_);
  StartWays();
  in_event_ = true;
  auto failure = Apply(t);
  in_event_ = false;
  return failure ? failure : CheckTimes();
}

void DelayLines::Transfer(StateStream& stream) {
  if (empty()) {
    return;
  }
  history().Transfer(stream, delays_.size());
  profiles().resize(delays_.size());
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (delays_[i].way) {
      profiles()[i].Transfer(stream);
    }
  }
  for (double* const number : {&accuracy_.relative,
                               &accuracy_.absolute,
                               &span_,
                               &most_,
                               &overrun_,
                               &longest_}) {
    stream.Number(*number);
  }
  stream.Same(incoming_);
  for (std::vector<double>* const values :
       {&used_, &rates_, &left_, &left_values_, &left_times_, &right_}) {
    stream.Same(*values);
  }
}

// The values ------------------------------------------------------------------

// True if the delay is 0 but for rounding.
bool DelayLines::IsNow(std::size_t i, double t) const noexcept {
  return !delays_[i].way && used_[i] <= Rounding(t);
}

std::optional<Failure> DelayLines::Apply(double t) {
  const std::span<double> memory = evaluator_.memory();
  if (history().lines().empty()) {
    return std::nullopt;  // The start is not determined yet.
  }
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const Delay& delay = delays_[i];
    if (auto failure = evaluator_.Run(delay.schedule)) {
      return failure;
    }
    used_[i] = memory[delay.time_slot];
    if (in_event_) {
      MoveTo(i, t);
    }
    if (delay.way) {
      const auto sample = profiles()[i].At(delay.way->end - used_[i]);
      rates_[i] = 0;
      PutValue(i, t, sample.value);
      PutPart(
          i, sample.rate, profiles()[i].PartBegin(), profiles()[i].PartEnd());
      continue;
    }
    const double place = t - std::max(used_[i], 0.0);
    const auto sample = history().At(i, place);
    rates_[i] = sample.rate;
    PutValue(i, t, sample.value);
    if (!delay.is_discrete) {
      overrun_ = std::max(overrun_, place - history().end());
    }
    PutPart(i, sample.rate, history().PartBegin(i), history().PartEnd(i));
  }
  return std::nullopt;
}

// Writes the value of a delay at t. In an event, what has not moved stays.
void DelayLines::PutValue(std::size_t i, double t, double value) {
  double& slot = evaluator_.memory()[delays_[i].value_slot];
  if (!in_event_) {
    slot = value;
  } else if (!IsNow(i, t)) {
    const bool is_smooth = used_[i] == left_times_[i] && incoming_[i] > 0;
    slot = is_smooth ? left_values_[i] : value;
  }
}

// Writes how the value of a delay changes, and where the piece that it is on
// begins and ends.
void DelayLines::PutPart(std::size_t i, double rate, double begin, double end) {
  const Delay& delay = delays_[i];
  if (delay.is_held()) {
    return;
  }
  const std::span<double> memory = evaluator_.memory();
  memory[delay.rate_slot] = rate;
  memory[delay.used_slot] = used_[i];
  memory[delay.begin_slot] = begin;
  memory[delay.end_slot] = end;
}

std::optional<Failure> DelayLines::CheckTimes() const {
  const std::span<const double> memory = std::as_const(evaluator_).memory();
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const double most = memory[delays_[i].most_slot];
    if (delays_[i].way) {
      continue;
    }
    if (!(used_[i] >= 0 && used_[i] <= most + Rounding(most))) {
      Failure failure;
      failure.delay = i;
      return failure;
    }
  }
  return std::nullopt;
}

// Breaks ----------------------------------------------------------------------

// Points line `i` to the smooth part that it sees just after `t`.
void DelayLines::MoveTo(std::size_t i, double t) {
  if (delays_[i].way) {
    incoming_[i] = std::min(
        incoming_[i], profiles()[i].MoveTo(delays_[i].way->end - used_[i]));
    return;
  }
  DelayHistory::Line& line = history().lines()[i];
  const double time = used_[i] > 0 ? used_[i] : 0;
  // Compares as the watched relation `time - delay < end`, to the bit; or as
  // `next_time`.
  const auto has_arrived = [&](const DelayHistory::Break& at) {
    return delays_[i].is_held() ? at.t + time <= t + Rounding(t)
                                : at.t <= t - time;
  };
  while (line.passed < line.breaks.end() &&
         has_arrived(line.breaks[line.passed])) {
    incoming_[i] = std::min(incoming_[i], line.breaks[line.passed].order);
    ++line.passed;
  }
  while (line.passed > line.breaks.begin() &&
         !has_arrived(line.breaks[line.passed - 1])) {
    --line.passed;
    incoming_[i] = std::min(incoming_[i], line.breaks[line.passed].order);
  }
}

double DelayLines::next_time() const {
  double next = kInfinity;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const DelayHistory::Line& line = history().lines()[i];
    if (delays_[i].is_held() && line.passed < line.breaks.end()) {
      next = std::min(next, line.breaks[line.passed].t + used_[i]);
    }
  }
  return next;
}

void DelayLines::AddBreak(std::size_t i, int order) {
  if (delays_[i].way) {
    profiles()[i].Break(order);
    return;
  }
  NumberedQueue<DelayHistory::Break>& breaks = history().lines()[i].breaks;
  const double t = history().end();
  if (!breaks.empty() && breaks.back().t == t) {
    DelayHistory::Break& last = breaks[breaks.end() - 1];
    last.order = std::min(last.order, order);
    return;
  }
  const bool are_many = breaks.end() - breaks.begin() > kManyBreaks;
  if (order < (are_many ? 2 : kSmooth)) {
    breaks.Push({.t = t, .order = order});
  }
}

// Events ----------------------------------------------------------------------

void DelayLines::EvaluateOperandsHere() {
  if (const auto section = evaluator_.program().delay_operand_section) {
    static_cast<void>(evaluator_.RunSection(*section));
  }
}

std::optional<Failure> DelayLines::BeginEvent(double t) {
  if (empty()) {
    return std::nullopt;
  }
  EvaluateOperandsHere();
  const std::span<const double> memory = std::as_const(evaluator_).memory();
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    left_[i] = memory[delays_[i].operand_slot];
    left_values_[i] = memory[delays_[i].value_slot];
    left_times_[i] = used_[i];
  }
  std::ranges::fill(incoming_, kSmooth);
  in_event_ = true;
  return Apply(t);
}

bool DelayLines::Agree(double t) {
  if (!in_event_) {
    return true;
  }
  const std::span<double> memory = evaluator_.memory();
  EvaluateOperandsHere();
  bool agrees = true;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const Delay& delay = delays_[i];
    agrees = agrees && !evaluator_.Run(delay.schedule) &&
             memory[delay.time_slot] == used_[i];
    if (IsNow(i, t)) {
      const double value = memory[delay.operand_slot];
      agrees = agrees && memory[delay.value_slot] == value;
      memory[delay.value_slot] = value;
    }
  }
  return agrees;
}

// The lowest derivative of operand `i` that jumps in the event by itself, by a
// restart, or by a delay that it passes on at once.
int DelayLines::OrderAfterEvent(std::size_t i, bool restarts) const {
  if (right_[i] != left_[i]) {
    return 0;
  }
  if (delays_[i].is_discrete) {
    return kSmooth;
  }
  int order = restarts ? 1 : kSmooth;
  for (const std::size_t j : delays_[i].passes) {
    order = std::min(order, incoming_[j]);
  }
  return order;
}

bool DelayLines::EndEvent(double t, bool restarts) {
  if (empty()) {
    return false;
  }
  EvaluateOperandsHere();
  const std::span<const double> memory = std::as_const(evaluator_).memory();
  bool jumps = false;
  bool overshoots = false;  // The step passed a break.
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    right_[i] = memory[delays_[i].operand_slot];
    jumps = jumps || memory[delays_[i].value_slot] != left_values_[i];
    overshoots =
        overshoots || (!delays_[i].is_held() && incoming_[i] < kSmooth);
  }
  // Any break may reach an operand by an integral.
  const int by_integral = std::ranges::min(incoming_) + 1;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    int order = OrderAfterEvent(i, restarts || jumps);
    if (!delays_[i].is_discrete) {
      order = std::min(order, by_integral);
    }
    if (order < kSmooth) {
      AddBreak(i, order);
    }
  }
  history().AppendPoint(right_);
  EnterByJumps();
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (IsNow(i, t)) {
      MoveTo(i, t);
    }
  }
  if (restarts || jumps) {
    history().reach = 0;
  }
  in_event_ = false;
  return jumps || overshoots;
}

// Steps -----------------------------------------------------------------------

double DelayLines::StepLimit(double t, const InputSignals& inputs) {
  if (empty()) {
    return kInfinity;
  }
  overrun_ = 0;
  double shortest = kInfinity;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (!delays_[i].is_discrete && !delays_[i].way) {
      shortest = std::min(shortest, used_[i]);
    }
  }
  shortest = std::min(shortest, history().passage);
  double& reach = history().reach;
  reach = reach > 0 ? reach : kFirstReach * span_;
  return std::min(t + std::min(std::max(shortest, reach), longest_),
                  NextKink(t, inputs));
}

// The first time after `t` at which a kink of the inputs arrives. It is no
// break: it only has to be at the end of a step, as without delay.
double DelayLines::NextKink(double t, const InputSignals& inputs) const {
  double next = kInfinity;
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const Delay& delay = delays_[i];
    if (delay.follows_inputs && delay.is_held() && !delay.is_discrete) {
      const double seen = t + Rounding(t) - used_[i];
      next = std::min(next, inputs.NextNode(seen) + used_[i]);
    }
  }
  return next;
}

std::optional<Failure> DelayLines::EvaluateOperands(const DenseOutput& dense,
                                                    double t,
                                                    InputSignals& inputs) {
  const std::span<double> memory = evaluator_.memory();
  evaluator_.set_t(t);
  for (std::size_t i = 0; i < is_read_.size(); ++i) {
    if (is_read_[i] != 0) {
      memory[evaluator_.program().state_slots[i]] =
          dense.Evaluate(static_cast<int>(i), t);
    }
  }
  inputs.Apply(t, memory);
  auto failure = Apply(t);
  return failure ? failure
                 : evaluator_.Run(evaluator_.program().delay_operands);
}

bool DelayLines::Confirms(const DenseOutput& dense,
                          double reached,
                          InputSignals& inputs) {
  const double begin = history().end();
  const double length = reached - begin;
  if (!PassesInPart(dense, reached, inputs)) {
    return false;
  }
  const double read = std::min(overrun_, length);
  double error = 0;
  if (read > Rounding(reached)) {
    for (const double part : {0.35, 0.7, 1.0}) {
      if (EvaluateOperands(dense, begin + part * read, inputs)) {
        return true;  // Recording it will tell.
      }
      for (std::size_t i = 0; i < delays_.size(); ++i) {
        error = std::max(error, ExtrapolationError(i));
      }
    }
  }
  double& reach = history().reach;
  if (error > 1 && length > Rounding(reached)) {
    reach = length * std::clamp(0.8 / std::cbrt(error), 0.1, 0.5);
    longest_ = std::max(length - read, reach);
    return false;
  }
  longest_ = kInfinity;
  if (error < 0.1) {
    reach = std::max(reach, 2 * length);
  } else {
    reach = length;
  }
  return true;
}

// The difference between operand `i` in memory and its extrapolation, relative
// to the tolerance.
double DelayLines::ExtrapolationError(std::size_t i) const noexcept {
  if (delays_[i].is_discrete || delays_[i].way) {
    return 0;
  }
  const double value = evaluator_.memory()[delays_[i].operand_slot];
  const double taken = history().LastAt(i, evaluator_.t());
  return std::abs(value - taken) /
         (accuracy_.relative * std::abs(value) + accuracy_.absolute);
}

std::optional<Failure> DelayLines::Sample(const DenseOutput& dense,
                                          Part part,
                                          InputSignals& inputs) {
  for (std::size_t k = 0; k < kRecordNodes.size(); ++k) {
    const double half = (part.end - part.begin) / 2;
    const double t = k + 1 == kRecordNodes.size()
                         ? part.end
                         : part.begin + half * (1 + kRecordNodes[k]);
    if (auto failure = EvaluateOperands(dense, t, inputs)) {
      return failure;
    }
    if (auto failure = CheckTimes()) {
      return failure;
    }
    for (std::size_t i = 0; i < delays_.size(); ++i) {
      samples_[i][k] = evaluator_.memory()[delays_[i].operand_slot];
      positions_[i][k] = used_[i];
    }
  }
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    polynomials_[i] = FitPolynomial(samples_[i]);
    if (delays_[i].way) {
      along_[i] = FitAlong(positions_[i], samples_[i]);
    }
  }
  return std::nullopt;
}

bool DelayLines::IsFine() const noexcept {
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const bool is_fine =
        delays_[i].way
            ? along_[i].is_resolved(accuracy_.relative, accuracy_.absolute)
            : IsResolved(
                  polynomials_[i], accuracy_.relative, accuracy_.absolute);
    if (!is_fine) {
      return false;
    }
  }
  return true;
}

std::optional<Failure> DelayLines::Record(const DenseOutput& dense,
                                          double t,
                                          InputSignals& inputs) {
  if (empty() || !(t > history().end())) {
    return std::nullopt;
  }
  const double begin = history().end();
  const double shortest = (t - begin) * std::ldexp(1.0, -kMaxHalvings);
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    if (delays_[i].way) {
      profiles()[i].Forget();  // Rows within the step need the rest.
    }
  }
  parts_.assign(1, {.begin = begin, .end = t});
  while (!parts_.empty()) {
    const Part part = parts_.back();
    parts_.pop_back();
    if (auto failure = Sample(dense, part, inputs)) {
      return failure;
    }
    if (IsFine() || part.end - part.begin <= shortest) {
      history().Append(part.end, polynomials_);
      Enter();
      continue;
    }
    const double middle = part.begin + (part.end - part.begin) / 2;
    parts_.push_back({.begin = middle, .end = part.end});
    parts_.push_back({.begin = part.begin, .end = middle});
  }
  // Rows within the step still need them.
  history().ForgetBefore(begin - most_ - 2 * Rounding(begin));
  return std::nullopt;
}

Bounds DelayLines::Bound(std::size_t i, double begin, double end) {
  if (delays_[i].way) {
    return {.value = {-kInfinity, kInfinity}, .slope = {-kInfinity, kInfinity}};
  }
  DelayHistory& past = history();
  const double from = begin - used_[i];
  const double to = end - used_[i];
  static_cast<void>(past.PieceAt(i, from));
  const std::size_t first = past.lines()[i].piece;
  static_cast<void>(past.PieceAt(i, to));
  const std::size_t last = past.lines()[i].piece;
  Bounds bounds;
  for (std::size_t k = first; k <= last; ++k) {
    const DelayHistory::Piece& piece = past.pieces()[k];
    Polynomial c = past.PolynomialOf(piece, i);
    const double half = (piece.end - piece.begin) / 2;
    Bounds one = Bounds::Point(c[0]);
    if (half > 0 && half < kInfinity) {
      const double a = k == first ? from : piece.begin;
      const double b = k == last ? to : piece.end;
      one = BoundPolynomial(
          c, (a + (b - a) / 2 - piece.begin) / half - 1, (b - a) / 2 / half);
      one.slope = {one.slope.lower / half, one.slope.upper / half};
    }
    bounds = k == first ? one
                        : Bounds{.value = Hull(bounds.value, one.value),
                                 .slope = Hull(bounds.slope, one.slope)};
  }
  return bounds;
}

}  // namespace orrery::sim::internal
