#include "orrery/sdk/internal/output_recorder.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "orrery/sdk/internal/number_ports.h"

namespace orrery::internal {
namespace {

double SecondsIn(Duration duration) {
  return duration == devs::kPassive ? std::numeric_limits<double>::infinity()
                                    : Seconds(duration).value;
}

// The number that a value is, if it is one.
struct NumberOf {
  std::optional<double> operator()(std::monostate) const {
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::optional<double> operator()(bool value) const { return value ? 1 : 0; }

  std::optional<double> operator()(std::int64_t value) const {
    return static_cast<double>(value);
  }

  std::optional<double> operator()(double value) const { return value; }

  std::optional<double> operator()(Duration value) const {
    return SecondsIn(value);
  }

  std::optional<double> operator()(const std::string& /*value*/) const {
    return std::nullopt;
  }
};

}  // namespace

OutputRecorder::OutputRecorder(devs::Simulator& run,
                               const devs::Coupled& root,
                               Memory memory)
    : run_(run), root_(root), memory_(memory) {
  ForEachExit([&](const devs::Port& port) {
    if (TakesNumbers(port)) {
      SignalOf(port, std::string(port.name()));
    }
  });
  FindSources();
}

template <typename Function>
void OutputRecorder::ForEachExit(Function function) const {
  for (const devs::Port* port = root_.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() == devs::PortDirection::kOut) {
      function(*port);
    }
  }
}

OutputRecorder::Mark OutputRecorder::MarkOf(const devs::Coupled& model) {
  const auto couplings = model.couplings();
  return {.model = &model,
          .num_parts = model.parts().size(),
          .num_couplings = couplings.size(),
          .last = couplings.empty() ? devs::Coupling() : couplings.back()};
}

void OutputRecorder::FollowStructure() {
  const bool is_same = std::ranges::all_of(
      marks_, [](const Mark& mark) { return mark == MarkOf(*mark.model); });
  if (!is_same) {
    run_.Ignore(*this);
    FindSources();
  }
}

void OutputRecorder::FindSources() {
  taps_.clear();
  marks_.clear();
  ForEachExit(
      [&](const devs::Port& port) { FindSourcesOf(root_, port, port); });
  for (const auto& [model, taps] : taps_) {
    run_.Observe(*this, *model);
  }
}

// Of what reaches output `port` of `around` and leaves by `exit`.
void OutputRecorder::FindSourcesOf(const devs::Coupled& around,
                                   const devs::Port& port,
                                   const devs::Port& exit) {
  if (std::ranges::find(marks_, &around, &Mark::model) == marks_.end()) {
    marks_.push_back(MarkOf(around));
  }
  for (const devs::Coupling& coupling : around.couplings()) {
    if (coupling.to != &port) {
      continue;
    }
    const devs::Model& source = coupling.from->owner();
    if (source.ops() == nullptr) {
      FindSourcesOf(
          static_cast<const devs::Coupled&>(source), *coupling.from, exit);
    } else {
      taps_[&source].push_back(
          {.source = coupling.from, .exit = &exit, .rank = next_rank_++});
    }
  }
}

void OutputRecorder::OnOutput(Duration time,
                              const devs::Model& model,
                              const devs::Bag& y) {
  for (const Tap& tap : taps_.at(&model)) {
    TakeMessages(time, tap, y);
  }
}

void OutputRecorder::TakeMessages(Duration time,
                                  const Tap& tap,
                                  const devs::Bag& y) {
  record_.Clear();
  y.Describe(*tap.source, record_);
  for (const devs::Record::Field& field : record_.fields()) {
    if (const auto value = std::visit(NumberOf(), field.value)) {
      std::string name(tap.exit->name());
      name.append(field.name, tap.source->name().size());
      Set(time, SignalOf(*tap.exit, name), tap.rank, *value);
    }
  }
}

std::size_t OutputRecorder::SignalOf(const devs::Port& exit,
                                     const std::string& name) {
  const auto [entry, is_new] = signal_of_.emplace(name, outputs_.size());
  if (is_new) {
    outputs_.push_back({.name = name});
    port_of_.push_back(exit.index());
  }
  return entry->second;
}

void OutputRecorder::Set(Duration time,
                         std::size_t signal,
                         std::uint64_t rank,
                         double value) {
  const std::int64_t microstep = run_.statistics().microsteps;
  Output& output = outputs_[signal];
  if (output.microstep == microstep && output.rank > rank) {
    return;  // What comes by a later coupling comes later.
  }
  output.value = value;
  output.time = time;
  output.rank = rank;
  output.microstep = microstep;
  if (memory_ == Memory::kLastValues) {
    return;
  }
  if (microstep_ != microstep) {
    microstep_ = microstep;
    times_.push_back(SecondsIn(time));
  }
  changes_.push_back(
      {.row = times_.size() - 1, .signal = signal, .value = value});
}

std::vector<OutputRecorder::Output> OutputRecorder::Outputs() const {
  std::vector<std::size_t> order(outputs_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return port_of_[i]; });
  std::vector<Output> result;
  result.reserve(order.size());
  for (const std::size_t i : order) {
    result.push_back(outputs_[i]);
  }
  return result;
}

Trajectory OutputRecorder::Build(Duration end) const {
  std::vector<SignalInfo> signals;
  std::vector<int> column_of(outputs_.size());
  for (const Output& output : Outputs()) {
    column_of[signal_of_.at(output.name)] = static_cast<int>(signals.size());
    signals.push_back({.name = output.name,
                       .variability = SignalVariability::kDiscrete,
                       .column = static_cast<int>(signals.size())});
  }
  TrajectoryBuilder builder(std::move(signals));
  std::vector<double> row(outputs_.size(),
                          std::numeric_limits<double>::quiet_NaN());
  if (times_.empty() || times_.front() > 0) {
    builder.Append(0, row);
  }
  auto change = changes_.begin();
  for (std::size_t i = 0; i < times_.size(); ++i) {
    for (; change != changes_.end() && change->row == i; ++change) {
      row[static_cast<std::size_t>(column_of[change->signal])] = change->value;
    }
    builder.Append(times_[i], row);
  }
  if (const double last = SecondsIn(end);
      (times_.empty() ? 0 : times_.back()) < last) {
    builder.Append(last, row);
  }
  return builder.Take();
}

}  // namespace orrery::internal
