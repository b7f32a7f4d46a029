#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs {

/// Averages over time a number that depends on a model's state, from the
/// construction on:
/// `TimeAverage length(run, queue, [](const Queue::State& s) { ... });`.
template <typename M>
class TimeAverage : public Observer {
 public:
  using Function = std::function<double(const typename M::State&)>;

  /// @param run and `model`, an atomic model of it, must outlive it.
  TimeAverage(Simulator& run, const M& model, Function function)
      : run_(run), model_(model), function_(std::move(function)) {
    Begin(run.now());
    run_.Observe(*this, model);
  }

  ~TimeAverage() override { run_.Ignore(*this); }

  TimeAverage(const TimeAverage&) = delete;
  TimeAverage& operator=(const TimeAverage&) = delete;

  /// The average since the construction, or since the run was restored; the
  /// present value if no time has passed.
  [[nodiscard]] double mean() const {
    const Duration now = run_.now();
    return now == begin_ ? value_
                         : (area_ + value_ * SecondsIn(now - since_)) /
                               SecondsIn(now - begin_);
  }

  /// The least and the greatest value so far, values of no duration included.
  [[nodiscard]] double min() const noexcept { return min_; }

  [[nodiscard]] double max() const noexcept { return max_; }

  void OnTransition(Duration time,
                    const Model& /*model*/,
                    Transition /*transition*/,
                    const void* state) override {
    area_ += value_ * SecondsIn(std::max(time, begin_) - since_);
    since_ = std::max(time, begin_);
    value_ = function_(*static_cast<const typename M::State*>(state));
    min_ = std::min(min_, value_);
    max_ = std::max(max_, value_);
  }

  void OnRestore(Duration time) override { Begin(time); }

 private:
  void Begin(Duration time) {
    begin_ = time;
    since_ = time;
    value_ = function_(run_.state(model_));
    area_ = 0;
    min_ = std::numeric_limits<double>::infinity();
    max_ = -min_;
  }

  static double SecondsIn(Duration duration) {
    return std::chrono::duration<double>(duration).count();
  }

  Simulator& run_;
  const M& model_;
  Function function_;
  Duration begin_{};
  Duration since_{};
  double value_ = 0;
  double area_ = 0;  // The integral of the value, up to since_.
  double min_ = 0;
  double max_ = 0;
};

}  // namespace orrery::devs
