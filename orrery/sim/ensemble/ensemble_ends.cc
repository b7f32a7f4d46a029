#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/ensemble/ensemble.h"
#include "orrery/sim/ensemble/runs_in_lanes.h"
#include "orrery/sim/run/run_plan.h"

namespace orrery {

namespace internal = sim::internal;

namespace {

using internal::RunPlan;
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
