#include "orrery/sim/ensemble.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "orrery/sim/internal/program_lanes.h"
#include "orrery/sim/internal/simulation_run.h"

namespace orrery {
namespace {

using internal::ProgramLanes;
using internal::RunPlan;
using internal::SimulationRun;

// Beyond this, vectors are found among the states of one run.
constexpr std::size_t kMostStates = 100;

// Carries out the runs of an ensemble, one in each lane.
class EnsembleSimulator {
 public:
  EnsembleSimulator(const std::shared_ptr<const Program>& program,
                    SimulationOptions options,
                    const Ensemble& ensemble,
                    const std::function<bool()>& goes_on)
      : program_(program),
        options_(std::move(options)),
        ensemble_(ensemble),
        goes_on_(goes_on) {}

  void Run() {
    Member& first = members_.emplace_back();
    while (lanes_ == nullptr && Begin(first)) {
      if (!MakeLanes(*first.run)) {
        Finish(first);
      }
    }
    if (lanes_ != nullptr) {
      RunInLanes();
    }
  }

 private:
  struct Member {
    std::size_t number = 0;
    std::optional<SimulationRun> run;
    std::int64_t age = -1;  // Of what its lane holds.
  };

  // Begins the next run that can be.
  bool Begin(Member& member) {
    while (next_ < ensemble_.count && GoesOn()) {
      member.number = next_++;
      member.age = -1;
      ensemble_.prepare(member.number, options_);
      try {
        if (!plan_) {
          plan_.emplace(*program_, options_);
        }
        member.run.emplace(*plan_, options_.settings);
        member.run->Start();
        return true;
      } catch (const Error& error) {
        member.run.reset();
        ensemble_.take(member.number, {.result = {}, .error = error});
      }
    }
    return false;
  }

  bool GoesOn() { return !goes_on_ || goes_on_(); }

  // One step of the run by itself.
  bool Step(Member& member) {
    if (!GoesOn()) {
      member.run->Interrupt();
      return false;
    }
    return member.run->Step(member.run->options().stop);
  }

  void Finish(Member& member) {
    while (Step(member)) {
    }
    Deliver(member);
  }

  void Deliver(Member& member) {
    ensemble_.take(member.number,
                   {.result = member.run->Finish(), .error = std::nullopt});
    member.run.reset();
  }

  // @returns whether there are lanes for runs like this one, and they pay.
  bool MakeLanes(SimulationRun& run) {
    NativeCode* const native = program_->native.get();
    const std::size_t states = program_->state_slots.size();
    if (native == nullptr || options_.code == CodeChoice::kInterpreted ||
        states > kMostStates || !options_.sensitivities.empty() ||
        (options_.code == CodeChoice::kAuto &&
         !native->DoLanesPay(*program_))) {
      return false;
    }
    const std::size_t width = native->vector_width();
    const auto way = run.WayAhead(run.options().stop);
    if (width == 1 || !way) {
      return false;
    }
    stepper_ = std::make_unique<ProgramLanes>(
        *program_, *native, width * VectorsAtOnce(states));
    lanes_ = way->integrator.MakeLanes(*stepper_);
    return lanes_ != nullptr;
  }

  // Steps of few states leave units of the processor idle, which other vectors
  // use.
  static std::size_t VectorsAtOnce(std::size_t states) {
    constexpr std::size_t kFew = 4;
    return states > kFew ? 1 : 4;
  }

  void RunInLanes() {
    while (members_.size() < stepper_->lanes()) {
      members_.emplace_back();
    }
    std::size_t busy = 0;
    for (std::size_t lane = 0; lane < members_.size(); ++lane) {
      busy += Fill(lane) ? 1U : 0U;
    }
    while (busy > 0) {
      lanes_->Run();
      for (std::size_t lane = 0; lane < members_.size(); ++lane) {
        if (lanes_->Take(lane)) {
          StepOn(members_[lane]);
          busy -= Fill(lane) ? 0U : 1U;
        }
      }
    }
  }

  // Goes on until the run in the lane, or the next one, has steps to take.
  bool Fill(std::size_t lane) {
    Member& member = members_[lane];
    while (member.run || Begin(member)) {
      if (Put(lane, member)) {
        return true;
      }
      StepOn(member);
    }
    stepper_->Hold(lane, {});
    return false;
  }

  bool Put(std::size_t lane, Member& member) {
    const auto way = member.run->WayAhead(member.run->options().stop);
    if (!way) {
      return false;
    }
    const internal::Machine& machine = member.run->machine();
    if (std::exchange(member.age, machine.age_of_held()) != member.age) {
      stepper_->Hold(lane, machine.memory());
    }
    return lanes_->Put(lane, way->integrator, way->until, way->limit);
  }

  void StepOn(Member& member) {
    if (!Step(member)) {
      Deliver(member);
    }
  }

  const std::shared_ptr<const Program>& program_;
  SimulationOptions options_;
  const Ensemble& ensemble_;
  const std::function<bool()>& goes_on_;
  std::optional<RunPlan> plan_;  // Made when options are at hand.
  std::size_t next_ = 0;
  std::unique_ptr<ProgramLanes> stepper_;
  std::unique_ptr<StepLanes> lanes_;
  std::deque<Member> members_;  // One a lane; a run stays where it is.
};

}  // namespace

void Simulate(const std::shared_ptr<const Program>& program,
              SimulationOptions options,
              const Ensemble& ensemble,
              const std::function<bool()>& goes_on) {
  ORRERY_CHECK(program != nullptr);
  EnsembleSimulator(program, std::move(options), ensemble, goes_on).Run();
}

}  // namespace orrery
