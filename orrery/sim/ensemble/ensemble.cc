#include "orrery/sim/ensemble/ensemble.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/ensemble/program_lanes.h"
#include "orrery/sim/ensemble/runs_in_lanes.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/run/run_plan.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using internal::ProgramLanes;
using internal::ProgramRun;
using internal::RunPlan;

// Steps in all lanes take about as long as those of three single runs.
constexpr std::size_t kFewestRuns = 4;

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
        goes_on_(goes_on),
        may_have_lanes_(options_.sensitivities.empty()) {}

  // @returns as `Simulate`.
  std::size_t Run() {
    Member& first = members_.emplace_back();
    while (Begin(first)) {
      if (HasLanes(*first.run) &&
          ensemble_.count - first.number >= kFewestRuns) {
        RunInLanes();
        break;
      }
      Finish(first);
    }
    return lanes_ == nullptr ? 1 : stepper_->lanes();
  }

 private:
  struct Member {
    std::size_t number = 0;
    std::optional<ProgramRun> run;
    bool is_at_work = false;  // Else the run has ended.
    std::int64_t age = -1;    // Age of held values in its lane.
  };

  // Begins the next run whose options are accepted.
  bool Begin(Member& member) {
    while (next_ < ensemble_.count && GoesOn()) {
      member.number = next_++;
      member.age = -1;
      ensemble_.prepare(member.number, options_);
      try {
        if (!plan_) {
          plan_.emplace(*program_, options_);
        }
        if (!member.run || !member.run->Renew(options_.settings)) {
          member.run.emplace(*plan_, options_.settings);
        }
        member.run->Start();
        member.is_at_work = true;
        return true;
      } catch (const Error& error) {
        ensemble_.take(member.number, {.result = {}, .error = error});
      }
    }
    return false;
  }

  bool GoesOn() { return !goes_on_ || goes_on_(); }

  // Takes one step of a single run.
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
    member.is_at_work = false;
  }

  // True if there are lanes for runs like this one, and they pay.
  bool HasLanes(ProgramRun& run) {
    if (lanes_ == nullptr && may_have_lanes_ &&
        internal::DoLanesPay(*program_, options_.code)) {
      MakeLanes(run);
    }
    return lanes_ != nullptr;
  }

  void MakeLanes(ProgramRun& run) {
    const auto step = run.PlanStep(run.options().stop);
    if (!step) {
      return;
    }
    stepper_ = std::make_unique<ProgramLanes>(
        *program_,
        *program_->native,
        internal::NumLanes(*program_, step->integrator.vectors_at_once()));
    lanes_ = step->integrator.MakeLanes(*stepper_);
    may_have_lanes_ = lanes_ != nullptr;
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

  // Continues until the run in the lane, or the next one, has steps to take.
  bool Fill(std::size_t lane) {
    Member& member = members_[lane];
    while (member.is_at_work || Begin(member)) {
      if (Put(lane, member)) {
        return true;
      }
      StepOn(member);
    }
    stepper_->Hold(lane, {});
    return false;
  }

  bool Put(std::size_t lane, Member& member) {
    const auto step = member.run->PlanStep(member.run->options().stop);
    if (!step) {
      return false;
    }
    const internal::ProgramEvaluator& evaluator = member.run->evaluator();
    if (std::exchange(member.age, evaluator.age_of_held()) != member.age) {
      stepper_->Hold(lane, evaluator.memory());
    }
    return lanes_->Put(lane, step->integrator, step->until, step->limit);
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
  std::optional<RunPlan> plan_;  // Made with the first options.
  std::size_t next_ = 0;
  bool may_have_lanes_;
  std::unique_ptr<ProgramLanes> stepper_;
  std::unique_ptr<StepLanes> lanes_;
  std::deque<Member> members_;  // One a lane; a run stays where it is.
};

}  // namespace

std::size_t Simulate(const std::shared_ptr<const Program>& program,
                     SimulationOptions options,
                     const Ensemble& ensemble,
                     const std::function<bool()>& goes_on) {
  ORRERY_CHECK(program != nullptr);
  return EnsembleSimulator(program, std::move(options), ensemble, goes_on)
      .Run();
}

namespace {

using internal::RunsInLanes;

std::size_t CountRuns(const std::vector<VariedSetting>& varied) {
  if (varied.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot simulate an ensemble: nothing is varied, so that it is "
                "not known how many runs there are");
  }
  const std::size_t count = varied.front().values.size();
  for (const VariedSetting& setting : varied) {
    if (setting.values.size() != count) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("cannot simulate an ensemble: there are {} values of "
                      "'{}' and {} of '{}'; give one of each for each run",
                      count,
                      varied.front().name,
                      setting.values.size(),
                      setting.name));
    }
  }
  return count;
}

// Records only the first and the last row.
SimulationOptions WithoutRows(const Program& program,
                              SimulationOptions options) {
  const ResolvedOptions resolved = Resolve(options, program.experiment);
  options.interval = Seconds(resolved.stop - resolved.start);
  options.output_times.clear();
  return options;
}

class EndsTaker {
 public:
  EndsTaker(const std::shared_ptr<const Program>& program,
            SimulationOptions options,
            const std::vector<VariedSetting>& varied)
      : program_(program),
        options_(WithoutRows(*program, std::move(options))),
        varied_(varied),
        count_(CountRuns(varied)),
        num_fixed_(options_.settings.size()) {
    for (const VariedSetting& setting : varied) {
      options_.settings.push_back({.name = setting.name});
    }
  }

  EnsembleEnds Run() {
    const RunPlan plan(*program_, options_);
    ends_.table = plan.recorded->table;
    ends_.values.assign(
        ends_.table->signals().size(),
        std::vector<double>(count_, std::numeric_limits<double>::quiet_NaN()));
    // One by one until machine code for lanes pays.
    constexpr std::size_t kAtATime = 500;
    const std::size_t one_by_one = RunsInLanes::Suit(plan) ? kAtATime : count_;
    std::unique_ptr<RunsInLanes> lanes;
    for (std::size_t first = 0; first < count_;) {
      if (lanes == nullptr) {
        SetValues(first, options_);
        lanes = RunsInLanes::Make(plan, options_.settings, varied_);
      }
      const std::size_t count = std::min(
          lanes == nullptr ? one_by_one : lanes->lanes(), count_ - first);
      if (lanes == nullptr || !lanes->Run(first, count)) {
        RunOneByOne(first, count);
      } else {
        for (std::size_t s = 0; s < ends_.values.size(); ++s) {
          lanes->GetEnds(s, std::span(ends_.values[s]).subspan(first, count));
        }
        ends_.steps += static_cast<std::int64_t>(count) * lanes->steps();
      }
      first += count;
    }
    std::ranges::sort(ends_.failures, {}, &EnsembleEnds::Failure::run);
    return std::move(ends_);
  }

 private:
  void SetValues(std::size_t run, SimulationOptions& options) const {
    for (std::size_t s = 0; s < varied_.size(); ++s) {
      options.settings[num_fixed_ + s].value = varied_[s].values[run];
    }
  }

  void RunOneByOne(std::size_t first, std::size_t count) {
    Simulate(program_,
             options_,
             {.count = count,
              .prepare =
                  [&](std::size_t i, SimulationOptions& options) {
                    SetValues(first + i, options);
                  },
              .take =
                  [&](std::size_t i, const EnsembleRun& run) {
                    Take(first + i, run);
                  }});
  }

  void Take(std::size_t number, const EnsembleRun& run) {
    if (run.error) {
      ends_.failures.push_back({.run = number, .message = run.error->what()});
      return;
    }
    const auto& [trajectory, events, summary] = run.result;
    if (!summary.completed()) {
      ends_.failures.push_back({.run = number, .message = summary.message});
    }
    for (std::size_t s = 0; trajectory.rows() > 0 && s < ends_.values.size();
         ++s) {
      ends_.values[s][number] = trajectory.signal(s).final();
    }
    ends_.steps += summary.steps;
  }

  const std::shared_ptr<const Program>& program_;
  SimulationOptions options_;
  const std::vector<VariedSetting>& varied_;
  std::size_t count_;
  std::size_t num_fixed_;  // Settings common to all runs.
  EnsembleEnds ends_;
};

}  // namespace

EnsembleEnds SimulateEnds(const std::shared_ptr<const Program>& program,
                          SimulationOptions options,
                          const std::vector<VariedSetting>& varied) {
  ORRERY_CHECK(program != nullptr);
  return EndsTaker(program, std::move(options), varied).Run();
}

}  // namespace orrery
