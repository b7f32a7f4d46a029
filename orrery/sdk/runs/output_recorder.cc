#include "orrery/sdk/runs/output_recorder.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "orrery/sdk/classes/number_ports.h"
#include "orrery/sdk/classes/record_numbers.h"

namespace orrery::sdk::internal {
OutputRecorder::OutputRecorder(devs::Simulator& run,
                               const devs::Coupled& root,
                               Memory memory)
    : root_(root), memory_(memory) {
  ForEachExit([&](const devs::Port& port) {
    if (TakesNumbers(port)) {
      SignalOf(port, std::string(port.name()));
    }
  });
  run.Observe(*this, root);
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

void OutputRecorder::OnOutput(Duration time,
                              const devs::Model& /*model*/,
                              const devs::Bag& y) {
  const std::size_t num_changes = changes_.size();
  ForEachExit([&](const devs::Port& port) {
    record_.Clear();
    y.Describe(port, record_);
    for (const Record::Field& field : record_.fields()) {
      Take(time, port, field);
    }
  });
  if (changes_.size() > num_changes) {
    times_.push_back(SecondsIn(time));
  }
}

void OutputRecorder::Take(Duration time,
                          const devs::Port& port,
                          const Record::Field& field) {
  const std::optional<double> value = NumberIn(field.value);
  if (!value) {
    return;
  }
  const std::size_t signal = SignalOf(port, field.name);
  outputs_[signal].value = *value;
  outputs_[signal].time = time;
  if (memory_ == Memory::kAllValues) {
    changes_.push_back(
        {.row = times_.size(), .signal = signal, .value = *value});
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

OutputRecorder::Given OutputRecorder::FromStart() const {
  Given given;
  given.column_of.resize(outputs_.size());
  std::vector<SignalInfo> signals;
  for (const Output& output : Outputs()) {
    const auto column = static_cast<int>(signals.size());
    given.column_of[signal_of_.at(output.name)] = column;
    signals.push_back({.name = output.name,
                       .variability = SignalVariability::kDiscrete,
                       .column = column});
  }
  given.table = std::make_shared<const SignalTable>(std::move(signals));
  given.values.assign(outputs_.size(),
                      std::numeric_limits<double>::quiet_NaN());
  return given;
}

// The rows behind those given, which are given then.
void OutputRecorder::AppendRows(Given& given,
                                TrajectoryBuilder& builder) const {
  for (; given.rows < times_.size(); ++given.rows) {
    for (; given.changes < changes_.size() &&
           changes_[given.changes].row == given.rows;
         ++given.changes) {
      const Change& change = changes_[given.changes];
      given.values[static_cast<std::size_t>(given.column_of[change.signal])] =
          change.value;
    }
    builder.Append(times_[given.rows], given.values);
  }
}

Trajectory OutputRecorder::Build(Duration end) const {
  Given given = FromStart();
  TrajectoryBuilder builder(given.table);
  if (times_.empty() || times_.front() > 0) {
    builder.Append(0, given.values);
  }
  AppendRows(given, builder);
  if (const double last = SecondsIn(end);
      (times_.empty() ? 0 : times_.back()) < last) {
    builder.Append(last, given.values);
  }
  return builder.Take();
}

NewRows OutputRecorder::TakeNewRows() {
  const bool are_all =
      given_.table == nullptr || given_.column_of.size() != outputs_.size();
  if (are_all) {
    given_ = FromStart();
  }
  TrajectoryBuilder builder(given_.table);
  if (are_all && (times_.empty() || times_.front() > 0)) {
    builder.Append(0, given_.values);
  }
  AppendRows(given_, builder);
  return {.rows = builder.Take(), .are_all = are_all};
}

}  // namespace orrery::sdk::internal
