#include "orrery/experiment/calibration/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery {
namespace {

// Runners for any number of threads; each run takes one.
class RunnerPool {
 public:
  RunnerPool(std::shared_ptr<const Subject> subject,
             std::vector<std::string> names,
             WantedResults wanted)
      : subject_(std::move(subject)),
        names_(std::move(names)),
        wanted_(std::move(wanted)) {
    idle_.push_back(subject_->MakeRunner(names_, wanted_));
  }

  SubjectRun Run(std::span<const double> values,
                 std::uint64_t seed,
                 const GoesOn& goes_on) {
    std::unique_ptr<Runner> runner = Take();
    SubjectRun run = runner->Run(values, seed, goes_on);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(runner));
    return run;
  }

 private:
  std::unique_ptr<Runner> Take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Runner> runner = std::move(idle_.back());
        idle_.pop_back();
        return runner;
      }
    }
    return subject_->MakeRunner(names_, wanted_);
  }

  std::shared_ptr<const Subject> subject_;
  std::vector<std::string> names_;
  WantedResults wanted_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Runner>> idle_;
};

WantedResults WantedFor(const MeasuredRun& run, bool sensitivities) {
  WantedResults wanted{.signals = std::vector<std::string>(),
                       .sensitivities = sensitivities};
  for (const MeasuredSignal& signal : run.signals) {
    wanted.signals->push_back(signal.name);
  }
  return wanted;
}

[[noreturn]] void Refuse(const MeasuredRun& run,
                         const MeasuredSignal& signal,
                         std::size_t i,
                         const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot fit '{}' to {}: at time {} {}",
                          signal.name,
                          run.name,
                          ShortestText(signal.times[i]),
                          why));
}

void CheckSignal(const MeasuredRun& run,
                 const MeasuredSignal& signal,
                 bool is_log) {
  static_cast<void>(run.subject->signals().Require(signal.name));
  for (std::size_t i = 0; i < signal.values.size(); ++i) {
    const double deviation = signal.deviations[i];
    if (!(deviation > 0) || !std::isfinite(deviation)) {
      Refuse(run,
             signal,
             i,
             fmt::format("the standard deviation is {}; give one above 0, or "
                         "leave the value out",
                         ShortestText(deviation)));
    }
    if (is_log && !(signal.values[i] > 0)) {
      Refuse(run,
             signal,
             i,
             fmt::format("{} has no logarithm; leave the value out, or do not "
                         "take logarithms",
                         ShortestText(signal.values[i])));
    }
  }
}

// Returns why a run cannot be compared with the measurements up to `time`;
// empty if it can.
std::string WhyUnusable(const MeasuredRun& measured,
                        const SubjectRun& run,
                        double time) {
  if (run.was_interrupted) {
    return "interrupted";
  }
  if (!run.failure.empty()) {
    return run.failure;
  }
  const Trajectory& trajectory = run.trajectory;
  if (trajectory.rows() == 0 || trajectory.time().back() < time) {
    return fmt::format(
        "the run ends at time {}, before what was measured at {} in {}",
        trajectory.rows() == 0 ? "nan" : ShortestText(trajectory.time().back()),
        ShortestText(time),
        measured.name);
  }
  return "";
}

double LastTime(const MeasuredRun& run) {
  double last = -std::numeric_limits<double>::infinity();
  for (const MeasuredSignal& signal : run.signals) {
    for (const double time : signal.times) {
      last = std::max(last, time);
    }
  }
  return last;
}

}  // namespace

class Calibration::Content {
 public:
  // @param names of the varied quantities.
  Content(std::vector<std::string> names,
          std::vector<MeasuredRun> runs,
          const CalibrationOptions& options)
      : runs_(std::move(runs)), options_(options), names_(std::move(names)) {
    is_exact_ = true;
    for (MeasuredRun& run : runs_) {
      AddGroups(run);
      if (run.varied.empty()) {
        for (std::size_t k = 0; k < names_.size(); ++k) {
          run.varied.push_back({.name = names_[k], .index = k});
        }
      }
      is_exact_ = is_exact_ && run.subject->IsDifferentiable(NamesIn(run));
    }
    if (groups_.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot calibrate: nothing was measured; give data");
    }
    for (const MeasuredRun& run : runs_) {
      last_times_.push_back(LastTime(run));
      pools_.push_back(std::make_unique<RunnerPool>(
          run.subject, NamesIn(run), WantedFor(run, false)));
      if (is_exact_) {
        exact_pools_.push_back(std::make_unique<RunnerPool>(
            run.subject, NamesIn(run), WantedFor(run, true)));
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] const std::vector<MeasuredRun>& runs() const { return runs_; }

  [[nodiscard]] const CalibrationOptions& options() const { return options_; }

  [[nodiscard]] const std::vector<std::size_t>& groups() const {
    return groups_;
  }

  [[nodiscard]] const std::vector<std::string>& signals() const {
    return signals_;
  }

  [[nodiscard]] bool is_exact() const { return is_exact_; }

  // The computed values.
  [[nodiscard]] std::string Compute(std::span<const double> values,
                                    std::span<double> computed,
                                    const GoesOn& goes_on) const {
    std::size_t next = 0;
    return ForEachMeasured(
        pools_,
        values,
        goes_on,
        [&](const MeasuredRun&, const Trajectory& run, const auto& its) {
          const Signal signal = run[its.name];
          for (const double time : its.times) {
            computed[next++] = signal.at(time);
          }
        });
  }

  [[nodiscard]] std::string ComputeResiduals(std::span<const double> values,
                                             std::span<double> residuals,
                                             const GoesOn& goes_on) const {
    std::string why = Compute(values, residuals, goes_on);
    std::size_t next = 0;
    for (const MeasuredRun& run : runs_) {
      for (const MeasuredSignal& signal : run.signals) {
        const std::size_t count = signal.values.size();
        if (why.empty()) {
          why = ToResiduals(signal, residuals.subspan(next, count));
        }
        next += count;
      }
    }
    return why;
  }

  // By exact sensitivities.
  [[nodiscard]] std::string ComputeJacobian(std::span<const double> values,
                                            std::span<double> jacobian,
                                            const GoesOn& goes_on) const {
    std::size_t row = 0;
    const std::size_t p = names_.size();
    std::ranges::fill(jacobian, 0.0);
    return ForEachMeasured(
        exact_pools_,
        values,
        goes_on,
        [&](const MeasuredRun& measured,
            const Trajectory& run,
            const MeasuredSignal& its) {
          const Signal signal = run[its.name];
          for (const VariedQuantity& varied : measured.varied) {
            const Signal slope = run[SensitivityName(its.name, varied.name)];
            for (std::size_t i = 0; i < its.times.size(); ++i) {
              const double time = its.times[i];
              jacobian[(row + i) * p + varied.index] +=
                  -slope.at(time) / its.deviations[i] /
                  (options_.is_log ? signal.at(time) : 1);
            }
          }
          row += its.times.size();
        });
  }

 private:
  // Replaces the computed values.
  [[nodiscard]] std::string ToResiduals(const MeasuredSignal& signal,
                                        std::span<double> values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double computed = values[i];
      const double measured = signal.values[i];
      if (options_.is_log && !(computed > 0)) {
        return fmt::format("'{}' is {} at time {}, which has no logarithm",
                           signal.name,
                           ShortestText(computed),
                           ShortestText(signal.times[i]));
      }
      values[i] = (options_.is_log ? std::log(measured / computed)
                                   : measured - computed) /
                  signal.deviations[i];
    }
    return "";
  }

  using Pools = std::vector<std::unique_ptr<RunnerPool>>;

  void AddGroups(const MeasuredRun& run) {
    for (const MeasuredSignal& signal : run.signals) {
      CheckSignal(run, signal, options_.is_log);
      const auto found = std::ranges::find(signals_, signal.name);
      const auto group = static_cast<std::size_t>(found - signals_.begin());
      if (found == signals_.end()) {
        signals_.push_back(signal.name);
      }
      groups_.insert(groups_.end(), signal.values.size(), group);
    }
  }

  static std::vector<std::string> NamesIn(const MeasuredRun& run) {
    std::vector<std::string> names;
    for (const VariedQuantity& varied : run.varied) {
      names.push_back(varied.name);
    }
    return names;
  }

  // Returns the values of the quantities of the space that vary in a run.
  static std::vector<double> ValuesIn(const MeasuredRun& run,
                                      std::span<const double> values) {
    std::vector<double> its;
    for (const VariedQuantity& varied : run.varied) {
      its.push_back(values[varied.index]);
    }
    return its;
  }

  // Runs each model once, and calls take(run, trajectory, signal) for each
  // measured signal.
  template <typename Take>
  [[nodiscard]] std::string ForEachMeasured(const Pools& pools,
                                            std::span<const double> values,
                                            const GoesOn& goes_on,
                                            Take take) const {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const SubjectRun run =
          pools[i]->Run(ValuesIn(runs_[i], values), options_.seed, goes_on);
      std::string why = WhyUnusable(runs_[i], run, last_times_[i]);
      if (!why.empty()) {
        return why;
      }
      for (const MeasuredSignal& signal : runs_[i].signals) {
        take(runs_[i], run.trajectory, signal);
      }
    }
    return "";
  }

  std::vector<MeasuredRun> runs_;
  CalibrationOptions options_;
  std::vector<std::string> names_;    // The varied quantities.
  std::vector<std::string> signals_;  // By group.
  std::vector<std::size_t> groups_;   // By residual.
  std::vector<double> last_times_;    // By run.
  Pools pools_;                       // By run.
  Pools exact_pools_;  // For runs with sensitivities, if there are any.
  bool is_exact_ = false;
};

Calibration::Calibration(const SearchSpace& space,
                         std::vector<MeasuredRun> runs,
                         const CalibrationOptions& options)
    : content_(std::make_shared<const Content>(
          space.names(), std::move(runs), options)) {}

Calibration::Calibration(std::shared_ptr<const Content> content)
    : content_(std::move(content)) {}

Calibration Calibration::With(const SubjectStandIn& stand_in) const {
  std::vector<MeasuredRun> runs = content_->runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].subject = stand_in(i, runs[i].subject);
  }
  return Calibration(std::make_shared<const Content>(
      content_->names(), std::move(runs), content_->options()));
}

ResidualFunction Calibration::Residuals(const GoesOn& goes_on) const {
  ResidualFunction function{
      .size = content_->groups().size(),
      .residuals =
          [content = content_, goes_on](std::span<const double> values,
                                        std::span<double> residuals) {
            return content->ComputeResiduals(values, residuals, goes_on);
          },
      .jacobian = {},
      .relative_error = content_->options().relative_error,
      .groups = content_->groups()};
  if (content_->is_exact()) {
    function.jacobian = [content = content_, goes_on](
                            std::span<const double> values,
                            std::span<double> jacobian) {
      return content->ComputeJacobian(values, jacobian, goes_on);
    };
  }
  return function;
}

const std::vector<MeasuredRun>& Calibration::runs() const noexcept {
  return content_->runs();
}

const std::vector<std::string>& Calibration::signals() const noexcept {
  return content_->signals();
}

std::vector<double> Calibration::Computed(
    std::span<const double> values) const {
  std::vector<double> computed(content_->groups().size());
  const std::string why = content_->Compute(values, computed, {});
  if (!why.empty()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot compare the model with what was measured: " + why);
  }
  return computed;
}

}  // namespace orrery
