#include "orrery/fmi/stepping/stepped_fmu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/step_events.h"

namespace orrery::fmi {
namespace {

// Limit of passes of an event, and of steps that do not move on.
constexpr int kMostRepetitions = 100;

// True if a step that was to lead to `wanted` has ended there, up to rounding.
bool HasReached(double wanted, double reached) {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  return !(wanted - reached >
           kRounding * std::max(std::abs(wanted), std::abs(reached)));
}

}  // namespace

// Adds the time of a scope to that of the FMU.
class SteppedFmu::Timed {
 public:
  explicit Timed(SteppedFmu& its)
      : its_(its),
        begin_(its.clock_ == nullptr ? Duration{} : its.clock_->now()) {}

  ~Timed() {
    if (its_.clock_ != nullptr) {
      its_.duration_ += its_.clock_->now() - begin_;
    }
  }

  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  SteppedFmu& its_;
  Duration begin_;
};

SteppedFmu::SteppedFmu(std::shared_ptr<const Library> library,
                       std::string name,
                       const WallClock* clock,
                       Watch watch)
    : library_(std::move(library)),
      name_(std::move(name)),
      clock_(clock),
      watch_(std::move(watch)) {
  const Timed timed(*this);
  instance_ = MakeInstance(library_, name_);
}

SteppedFmu::SteppedFmu(std::shared_ptr<const Library> library,
                       std::string name,
                       const WallClock* clock,
                       std::unique_ptr<Instance> instance)
    : library_(std::move(library)),
      name_(std::move(name)),
      clock_(clock),
      instance_(std::move(instance)) {}

void SteppedFmu::UseClocks(std::span<const InputClock> inputs,
                           UseClocked set,
                           UseClocked read) {
  if (instance_->step_events() == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot run {} by Co-Simulation: it has clocks, "
                            "and no event mode, in which they tick",
                            description().model_name));
  }
  clocks_.emplace(description(), inputs, *instance_->clocks());
  set_clocked_ = std::move(set);
  read_clocked_ = std::move(read);
}

void SteppedFmu::EnterInitialization(const RunTimes& times,
                                     std::span<const FmuSetting> settings) {
  const Timed timed(*this);
  const auto set = [&](bool are_inputs) {
    for (const FmuSetting& setting : settings) {
      const Variable& variable = description().variables[setting.variable];
      if ((variable.causality == Causality::kInput) == are_inputs) {
        instance_->Set(variable, setting.values);
      }
    }
  };
  set(/*are_inputs=*/false);
  instance_->EnterInitialization(times);
  set(/*are_inputs=*/true);
}

void SteppedFmu::ExitInitialization(double t) {
  const Timed timed(*this);
  t_ = t;
  if (clocks_) {
    clocks_->Start(t);
  }
  instance_->ExitInitialization();
  if (instance_->step_events() != nullptr) {
    Update();
  }
}

void SteppedFmu::TakeInputs(double t, bool do_jump, const SetInputs& set) {
  const Timed timed(*this);
  t_ = t;
  if (instance_->step_events() != nullptr && do_jump) {
    HandleEvent(set);
    return;
  }
  set(/*jump=*/false);
  if (instance_->step_events() == nullptr) {
    set(/*jump=*/true);
  }
}

void SteppedFmu::StepTo(double t,
                        double next,
                        double step,
                        const SetInputs& set) {
  const Timed timed(*this);
  t_ = t;
  int stands_still = 0;
  while (t_ < next && !has_ended_) {
    const double wanted = EndOfStep(next);
    const bool is_cut = wanted < next;
    const StepEnd end = instance_->DoStep(t_, is_cut ? wanted - t_ : step);
    ++steps_;
    const double before = t_;
    t_ = !end.is_terminated && HasReached(wanted, end.reached) ? wanted
                                                               : end.reached;
    has_ended_ = end.is_terminated;
    if (!has_ended_ && (end.needs_event || is_cut || IsTick()) &&
        instance_->step_events() != nullptr) {
      HandleEvent(set);
    }
    stands_still = t_ > before ? 0 : stands_still + 1;
    if (stands_still > kMostRepetitions) {
      FailToGoOn("ends steps without moving on");
    }
    step = next - t_;
  }
}

// Events of the FMU can come late where its steps have one length; ticks
// cannot.
double SteppedFmu::EndOfStep(double next) const {
  const bool can_cut = library_->interface().can_handle_variable_step;
  double end =
      can_cut && next_event_ > t_ && next_event_ < next ? next_event_ : next;
  if (clocks_ && clocks_->next() < end && !HasReached(end, clocks_->next())) {
    end = clocks_->next();
    if (!can_cut) {
      throw CallFailure(
          fmt::format("a clock of {} ticks at {} s, between its communication "
                      "points at {} s and {} s: its steps have one length; "
                      "choose one by --communication of which ticks are "
                      "multiples",
                      description().model_name,
                      end,
                      t_,
                      next),
          CallStatus::kError);
    }
  }
  return end;
}

// True where a clock ticks, up to rounding.
bool SteppedFmu::IsTick() const {
  return clocks_ && HasReached(clocks_->next(), t_);
}

void SteppedFmu::HandleEvent(const SetInputs& set) {
  if (watch_) {
    watch_(t_, /*is_after=*/false);
  }
  instance_->step_events()->EnterEventMode();
  set(/*jump=*/false);
  set(/*jump=*/true);
  ++events_;
  Update();
  if (watch_) {
    watch_(t_, /*is_after=*/true);
  }
}

// The iteration of an event, up to step mode.
void SteppedFmu::Update() {
  DiscreteUpdate update;
  int passes = 0;
  do {
    if (++passes > kMostRepetitions) {
      FailToGoOn(
          "wants to update its discrete states without end: it has done "
          "so");
    }
    update = UpdateOnce();
  } while ((update.goes_on || IsTick()) && !update.is_terminated);
  next_event_ =
      update.next_time.value_or(std::numeric_limits<double>::infinity());
  has_ended_ = update.is_terminated;
  if (!has_ended_) {
    instance_->step_events()->EnterStepMode();
  }
}

// An instant of an event.
DiscreteUpdate SteppedFmu::UpdateOnce() {
  if (!clocks_) {
    return instance_->step_events()->UpdateDiscreteStates();
  }
  clocks_->Activate(IsTick() ? std::max(t_, clocks_->next()) : t_);
  set_clocked_(*clocks_);
  clocks_->FindTicked();
  read_clocked_(*clocks_);
  const DiscreteUpdate update =
      instance_->step_events()->UpdateDiscreteStates();
  clocks_->EndInstant(t_);
  return update;
}

void SteppedFmu::FailToGoOn(const char* what) const {
  throw CallFailure(fmt::format("at t = {} s, {} {} {} times",
                                t_,
                                description().model_name,
                                what,
                                kMostRepetitions),
                    CallStatus::kError);
}

}  // namespace orrery::fmi
