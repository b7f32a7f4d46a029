// The sliding motions of a run.

#include <cmath>

#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {
namespace {

// Number of events at one time that are more than the result of moving aside.
constexpr int kManyAtOnce = 3;
// Relative to the time: later events have nothing to do with a Zeno point.
constexpr double kLongAfter = 1e-6;
// Greatest distance of a state at rest from where it came to rest.
constexpr double kRestTolerance = 1e-3;

}  // namespace

bool SimulationRun::WatchPace() {
  using Finding = SlidingMotion::Finding;
  const auto trouble = pace_.Add(t_);
  using Pace = EventEngine::Pace;
  const bool is_at_once = has_relation_changed_ && pace_.consecutive() > 0;
  if (events_.GiveUpRestlessKinks(trouble      ? Pace::kWithoutEnd
                                  : is_at_once ? Pace::kAtOnce
                                               : Pace::kLater)) {
    machine_.NoteHeldChange();
    needs_restart_ = true;
    return true;
  }
  if (pace_.IsWorthALook() && integrator_ != nullptr && !is_sliding()) {
    const Finding finding = motion().Find(t_, states());
    if (finding == Finding::kOpposed && !plan_.slides) {
      return End(ExplainOpposed(program_, motion().relations(), t_));
    }
    if (finding == Finding::kSeveral && plan_.slides) {
      return End(ExplainTwoSurfaces(program_, motion().relations(), t_));
    }
  }
  if (has_relation_changed_) {
    events_.CalmFlickering();
  }
  if (zeno_ && t_ - zeno_->limit > kLongAfter * std::abs(t_)) {
    zeno_.reset();  // It came to rest.
  }
  if (trouble && trouble->is_zeno) {
    if (!zeno_) {
      zeno_ = {.limit = trouble->limit,
               .why = ExplainPace(machine_, events_, *trouble, t_)};
    }
    return true;
  }
  return !trouble ||
         End(zeno_ ? zeno_->why : ExplainPace(machine_, events_, *trouble, t_));
}

// After a Zeno point: checks that the model holds the state at rest, as long as
// nothing new happens. Else it would fall through the floor.
bool SimulationRun::KeepsRest() {
  const bool is_asked = zeno_ && !needs_restart_ && t_ > zeno_->limit;
  if (!is_asked || Compute(t_, x_, LoopStart::kAccepted)) {
    return true;
  }
  const double allowed = kRestTolerance * options_.absolute_tolerance;
  return !events_.AreApart(allowed) || End(zeno_->why);
}

// Sliding ---------------------------------------------------------------------

// Continues or begins to slide after an event that led to x_.
bool SimulationRun::ResumeSliding(const EventOutcome& outcome,
                                  bool was_sliding) {
  needs_restart_ = needs_restart_ || was_sliding;
  const bool may_begin =
      plan_.slides && outcome.has_changed && integrator_ != nullptr;
  if (was_sliding ? motion_->has_exit() : !may_begin) {
    return true;
  }
  const auto finding =
      was_sliding ? motion_->FindAgain(t_, x_) : motion().Find(t_, x_);
  if (finding != SlidingMotion::Finding::kOpposed) {
    return true;
  }
  // The first time may be due to moving aside.
  if (was_sliding && outcome.has_changed &&
      pace_.consecutive() >= kManyAtOnce && motion_->MeetsSecondSurface()) {
    return End(ExplainTwoSurfaces(program_, motion_->relations(), t_));
  }
  if (!motion_->is_aside()) {
    motion_->MoveAside(t_, x_);
    machine_.SetStates(x_);
    const EventOutcome aside = events_.Run(t_);
    machine_.NoteHeldChange();
    machine_.GetStates(x_);
    if (!Take(aside) ||
        motion_->FindAgain(t_, x_) != SlidingMotion::Finding::kOpposed) {
      return !has_ended();
    }
  }
  motion_->Begin();
  needs_restart_ = true;
  return true;
}

bool SimulationRun::CorrectSliding() {
  const SlidingMotion::Correction correction = motion_->Correct(t_, x_);
  if (!correction.is_single) {
    return End(ExplainTwoSurfaces(program_, motion_->relations(), t_));
  }
  needs_restart_ = correction.is_due;
  return true;
}

}  // namespace orrery::internal
