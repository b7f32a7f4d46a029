// What of a run is about sliding motions.

#include <cmath>

#include "orrery/sim/events/explain_events.h"
#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {
namespace {

// Events at one time, with the one before them, that are more than what moving
// aside makes.
constexpr int kManyAtOnce = 3;
// Of the time, after a Zeno point: an event is another story.
constexpr double kLongAfter = 1e-6;
// How far what is at rest behind one may be from where it came to rest.
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

// Behind a Zeno point: whether the model holds what came to rest there, as long
// as nothing new happens. What does not falls through the floor.
bool SimulationRun::KeepsRest() {
  const bool is_asked = zeno_ && !needs_restart_ && t_ > zeno_->limit;
  if (!is_asked || Compute(t_, x_, LoopStart::kAccepted)) {
    return true;
  }
  const double allowed = kRestTolerance * options_.absolute_tolerance;
  return !events_.AreApart(allowed) || End(zeno_->why);
}

// Sliding ---------------------------------------------------------------------

// After an event that led to x_: goes on to slide, or begins to.
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
  // Once may be for having been moved aside.
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
