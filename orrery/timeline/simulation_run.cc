#include "orrery/timeline/simulation_run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/types/ticks.h"

namespace orrery::timeline::internal {
namespace {

constexpr Duration kNoInstant = Duration::max();

// Instants without action on the equations, after which none is expected: the
// solver takes its own steps and begins anew if it was wrong.
constexpr std::int64_t kQuiet = 8;

devs::Options ForDevs(const TimelineOptions& options) {
  devs::Options result = options.devs;
  result.seed = options.seed;
  return result;
}

process::Options ForTasks(const TimelineOptions& options) {
  process::Options result = options.tasks;
  result.seed = options.seed;
  result.start = Duration(0);
  return result;
}

void CheckOptions(const TimelineOptions& options) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run the simulation: " + why);
  };
  if (options.max_microsteps < 1) {
    refuse(fmt::format("max_microsteps is {}; give 1 or more",
                       options.max_microsteps));
  }
  if (options.max_instants < 1) {
    refuse(fmt::format("max_instants is {}; give 1 or more",
                       options.max_instants));
  }
  if (options.stop && std::isnan(options.stop->value)) {
    refuse("the time at which it stops is not a number; give 0 s or more");
  }
  if (options.stop && options.stop->value < 0) {
    refuse(fmt::format("it stops at {} s, before it begins; give 0 s or more",
                       options.stop->value));
  }
  if (options.equations.start.value_or(0).value != 0) {
    refuse(fmt::format("its equations begin at {} s; everything begins at 0 s",
                       options.equations.start->value));
  }
}

}  // namespace

void SimulationRun::Exits::OnOutput(Duration /*time*/,
                                    const devs::Model& /*model*/,
                                    const devs::Bag& y) {
  for (const SimulationParts::ExitLink& link : parts_.exits) {
    link.tell(y);
  }
}

SimulationRun::SimulationRun(SimulationParts& parts,
                             const TimelineOptions& options,
                             const Observer& observer)
    : parts_(parts),
      observer_(observer),
      exits_(parts),
      samples_(parts.samples.size()),
      max_microsteps_(options.max_microsteps),
      max_instants_(options.max_instants) {
  CheckOptions(options);
  if (parts.has_begun && !parts.beginnings.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run the simulation again: the tasks that were given to "
                "Start have been carried out; spawn them in the Start of a "
                "model of tasks");
  }
  if (!parts.network.parts().empty()) {
    devs_.emplace(parts.network, ForDevs(options));
    if (!parts.exits.empty()) {
      devs_->Observe(exits_, parts.network);
    }
  }
  tasks_.emplace(parts.tasks, options.plan, ForTasks(options));
  stepper_.emplace(*tasks_);
  if (options.stop) {
    stop_ = ToDuration(options.stop->value);
  }
  if (parts.program != nullptr) {
    MakeEquations(options);
  }
}

SimulationRun::~SimulationRun() {
  parts_.quantities.EndRun();
  parts_.run = nullptr;
}

void SimulationRun::MakeEquations(const TimelineOptions& options) {
  SimulationOptions given = options.equations;
  given.start = 0;
  if (options.stop) {
    given.stop = options.stop;
  }
  curves_.resize(parts_.program->input_slots.size());
  plan_.emplace(*parts_.program, given, parts_.quantities.ConnectedInputs());
  equations_.emplace(*plan_, given.settings);
  stop_ = ToDuration(equations_->options().stop);
  for (const SimulationParts::Initial& initial : parts_.initials) {
    const auto& known = parts_.quantities[initial.quantity];
    const sim::internal::Curve curve =
        CurveOf(known, initial.curve, Duration(0));
    curves_[known.index] = curve;
    equations_->Drive(known.index, curve);
  }
}

// The run ---------------------------------------------------------------------

TimelineResult SimulationRun::Run() {
  Start();
  GoOnTo(stop_);
  return Finish();
}

bool SimulationRun::has_ended() const noexcept {
  return end_.is_there() || (equations_ && equations_->has_ended());
}

void SimulationRun::Fail(const std::string& message, RunOutcome outcome) {
  if (!has_ended()) {
    end_.Fail(outcome, message);
  }
}

void SimulationRun::Interrupt(const std::string& why) {
  if (!has_ended()) {
    end_.Interrupt(why.empty() ? "interrupted at t = " + ToText(now_) : why);
  }
}

TimelineResult SimulationRun::Finish() {
  TimelineResult result;
  if (equations_) {
    if (!has_ended() || equations_->has_ended()) {
      equations_->Terminate();
    }
    AddResultsOf(*equations_, result);
  }
  end_.AddTo(result.summary);
  if (!equations_) {
    result.summary.end_time = sim::internal::SecondsOf(now_);
    result.summary.stop =
        sim::internal::SecondsOf(stop_ == Duration::max() ? now_ : stop_);
  }
  result.end = now_;
  if (equations_ && result.summary.end_time != sim::internal::SecondsOf(now_)) {
    result.end = ToDuration(result.summary.end_time);
  }
  if (devs_) {
    result.devs = devs_->statistics();
  }
  AddResultsOf(*tasks_, now_, result);
  result.failure = failure_;
  result.instants = instants_;
  result.microsteps = microsteps_;
  return result;
}

// Errors of models end the run.
template <typename Act>
void SimulationRun::Guarded(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    failure_ = std::current_exception();
    Fail(error.what());
  } catch (const std::exception& error) {
    failure_ = std::current_exception();
    Fail("cannot go on at t = " + ToText(now_) + ": " + error.what());
  }
}

void SimulationRun::Start() {
  parts_.run = this;
  Guarded([this] {
    if (equations_) {
      parts_.quantities.BeginRun(*equations_);
      equations_->Start();
    }
    if (!has_ended()) {
      WatchCrossings();
      Begin();
    }
  });
}

void SimulationRun::GoOnTo(Duration end) {
  Guarded([this, end] { CarryOnTo(end); });
}

void SimulationRun::CompleteInstant() {
  if (!has_ended()) {
    Guarded([this] { RunInstant(now_); });
  }
}

void SimulationRun::WatchCrossings() {
  using process::Relation;
  if (!parts_.crossings.empty()) {
    static_cast<void>(equations_->Settle());
  }
  for (std::size_t i = 0; i < parts_.crossings.size(); ++i) {
    const Crossing& crossing = parts_.crossings[i].crossing;
    const Reference at = parts_.quantities[crossing.quantity.number_].at;
    const sim::internal::Curve threshold(0, std::span(&crossing.threshold, 1));
    const auto add = [&](Direction direction, Relation relation) {
      crossings_.push_back({.link = i,
                            .direction = direction,
                            .entry = &equations_->watch().Add(
                                MakeRelation(at, relation, threshold))});
    };
    if (crossing.direction != Direction::kFalling) {
      add(Direction::kRising, Relation::kGreaterEqual);
    }
    if (crossing.direction != Direction::kRising) {
      add(Direction::kFalling, Relation::kLessEqual);
    }
  }
}

void SimulationRun::Begin() {
  parts_.has_begun = true;
  for (const auto& beginning : parts_.beginnings) {
    beginning->Begin(*tasks_);
  }
  stepper_->GoOnTo(stop_);
  RunInstant(now_);
}

void SimulationRun::CarryOnTo(Duration end) {
  while (!has_ended()) {
    const Duration next = std::min(NextTime(), stop_);
    const Duration limit = std::min(next, end);
    if (limit == kNoInstant || (now_ == end && limit == end)) {
      break;
    }
    if (end == kNoInstant && instants_ >= max_instants_) {
      Fail(DescribeWithoutEnd(instants_, now_), RunOutcome::kTooManyEvents);
      return;
    }
    if (!equations_) {
      now_ = limit;
    } else if (!AdvanceEquations(limit, next)) {
      return;
    }
    if (now_ == next || is_stopped_) {
      RunInstant(now_);
    }
    if (!Report()) {
      return;
    }
  }
  if (!has_ended() && end == stop_ && stop_ != kNoInstant) {
    stepper_->ReachEnd();
    if (stepper_->has_work()) {
      RunInstant(stop_);
    }
  }
}

// The time of the next known instant of other engines.
Duration SimulationRun::NextTime() {
  Duration next = std::min(tasks_->next_time(), NextSample());
  if (devs_) {
    next = std::min(next, devs_->next_time());
  }
  return next;
}

Duration SimulationRun::NextSample() const {
  Duration next = kNoInstant;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    next = std::min(next, TimeOfSample(i));
  }
  return next;
}

// The time of the next sample of connection `i`; none after the end of all
// time.
Duration SimulationRun::TimeOfSample(std::size_t i) const {
  const Sampled& sampled = parts_.samples[i].sampled;
  std::int64_t passed = 0;
  std::int64_t time = 0;
  const bool is_beyond =
      __builtin_mul_overflow(samples_[i], sampled.interval.count(), &passed) ||
      __builtin_add_overflow(sampled.offset.count(), passed, &time);
  return is_beyond ? kNoInstant : Duration(time);
}

// Advances to `limit`, or to an earlier time that others have to see. Nobody
// acts before `next`, unless they see such a time.
bool SimulationRun::AdvanceEquations(Duration limit, Duration next) {
  parts_.quantities.Prune();
  const double t = sim::internal::SecondsOf(limit);
  const bool may_change = parts_.quantities.is_set() && num_quiet_ < kQuiet;
  const double foreseeable =
      sim::internal::SecondsOf(may_change ? next : stop_);
  while (equations_->Advance(t, foreseeable)) {
    if (!Report()) {
      return false;
    }
  }
  if (limit < next && equations_->t() == t && !equations_->is_stopped()) {
    equations_->Set({});  // Events that are due.
  }
  is_stopped_ = equations_->is_stopped();
  if (is_stopped_ && equations_->t() < t) {
    now_ = std::clamp(ToDuration(equations_->t()), now_, limit);
  } else {
    now_ = limit;
  }
  equations_->ClearStop();
  return !equations_->has_ended();
}

bool SimulationRun::Report() {
  if (!observer_ || has_ended()) {
    return true;
  }
  const bool goes_on = observer_(
      {.start = 0,
       .t = equations_ ? equations_->t() : sim::internal::SecondsOf(now_),
       .stop = sim::internal::SecondsOf(stop_),
       .steps = equations_ ? equations_->steps() : instants_});
  if (!goes_on) {
    Interrupt("");
  }
  return goes_on;
}

// An instant ------------------------------------------------------------------

void SimulationRun::RunInstant(Duration time) {
  ++instants_;
  ++num_quiet_;
  now_ = time;
  TellChanges();
  TakeSamples();
  for (int i = 0; Microstep(); ++i) {
    ++microsteps_;
    if (has_ended()) {
      return;
    }
    if (i == max_microsteps_) {
      Fail(DescribeEndless(max_microsteps_, now_, used_.NamesIn(parts_.links)),
           RunOutcome::kTooManyEvents);
      return;
    }
  }
  stepper_->EndInstant();
}

// @returns true if there was anything to do.
bool SimulationRun::Microstep() {
  std::swap(mail_, delivered_);
  mail_.Clear();
  const Mail& mail = delivered_;
  bool has_acted = !mail.empty();
  for (const auto& act : mail.acts) {
    act();
  }
  if (stepper_->has_work() || tasks_->next_time() == now_) {
    stepper_->Microstep(now_);
    has_acted = true;
  }
  if (devs_ && devs_->next_time() == now_) {
    devs_->Microstep();
    has_acted = true;
  }
  if (equations_ && (equations_->is_due() || mail.is_for_equations())) {
    if (!Deliver(mail)) {
      return true;
    }
    TellChanges();
    has_acted = true;
  }
  if (!has_acted && std::exchange(is_to_tell_, false)) {
    TellChanges();
    has_acted = true;
  }
  stepper_->EndMicrostep();
  return has_acted || !mail_.empty() || stepper_->has_work();
}

// Delivers the mail to the equations.
bool SimulationRun::Deliver(const Mail& mail) {
  num_quiet_ = 0;
  for (const auto& [input, curve] : mail.inputs) {
    equations_->Drive(input, curve);
  }
  for (std::size_t i = 0; i < mail.states.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (mail.states[i].first == mail.states[j].first &&
          mail.states[i].second != mail.states[j].second) {
        Fail(fmt::format(
                 "state '{}' is set to {} and to {} at once at t = {}; let one "
                 "of them be later",
                 StateName(*parts_.program, mail.states[i].first),
                 mail.states[j].second,
                 mail.states[i].second,
                 ToText(now_)),
             RunOutcome::kConflict);
        return false;
      }
    }
  }
  return equations_->Change(mail.states);
}

// Tells changes in the equations to those who wait for them.
void SimulationRun::TellChanges() {
  const bool is_watched = !crossings_.empty() || parts_.quantities.is_watched();
  if (!equations_ || !is_watched || !equations_->Settle()) {
    return;
  }
  equations_->watch().NoteSeen();
  std::vector<const CrossingEntry*> again;
  for (const CrossingEntry& crossing : crossings_) {
    const bool holds = equations_->watch().Holds(crossing.entry->relation);
    const bool has_passed = std::exchange(crossing.entry->has_passed, false);
    const bool has_held = std::exchange(crossing.entry->holds, holds);
    if (has_held ? !(has_passed && holds) : !(has_passed || holds)) {
      continue;
    }
    if (has_held) {
      again.push_back(&crossing);  // After the value in between.
    } else {
      Tell(crossing);
    }
  }
  for (const CrossingEntry* crossing : again) {
    Tell(*crossing);
  }
  is_to_tell_ = parts_.quantities.Tell();
}

void SimulationRun::Tell(const CrossingEntry& crossing) {
  const SimulationParts::CrossingLink& link = parts_.crossings[crossing.link];
  link.tell({.value = parts_.quantities.ValueOf(link.crossing.quantity.number_),
             .direction = crossing.direction});
}

void SimulationRun::TakeSamples() {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    if (TimeOfSample(i) == now_) {
      ++samples_[i];
      const SimulationParts::SampledLink& link = parts_.samples[i];
      link.tell(parts_.quantities.ValueOf(link.sampled.quantity.number_));
    }
  }
}

// Mail
// -------------------------------------------------------------------------

void SimulationRun::Stage(std::size_t link, std::function<void()> act) {
  used_.Note(link);
  mail_.acts.push_back(std::move(act));
}

void SimulationRun::CheckMaySet(std::size_t quantity, double value) const {
  CheckValue(parts_.quantities[quantity], value, now_);
}

void SimulationRun::StageValue(std::size_t link,
                               std::size_t quantity,
                               double value) {
  const QuantityPort::Known& known = parts_.quantities[quantity];
  CheckMaySet(quantity, value);
  if (known.kind == QuantityPort::Known::Kind::kState) {
    used_.Note(link);
    mail_.states.emplace_back(known.index,
                              static_cast<double>(known.at.sign) * value);
  } else {
    StageCurve(link, quantity, {value});
  }
}

void SimulationRun::StageCurve(std::size_t link,
                               std::size_t quantity,
                               const process::Polynomial& curve) {
  const QuantityPort::Known& known = parts_.quantities[quantity];
  const sim::internal::Curve next = CurveOf(known, curve, now_);
  std::optional<sim::internal::Curve>& last = curves_[known.index];
  if (last == next) {
    return;
  }
  used_.Note(link);
  last = next;
  mail_.inputs.emplace_back(known.index, next);
}

}  // namespace orrery::timeline::internal
